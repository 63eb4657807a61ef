"""Loops that hand a byte out every so many iterations, in strips of as many.

    for (x = 0; x < n; x++) {                       for (i = 0; i < n / 8; i++) {
        acc = acc << 1 | s[x] >> 7;                     acc = acc << 1 | s[8 * i] >> 7;
        if ((x & 7) == 7) {                             ...
            *d++ = acc;                                 acc = acc << 1 | s[8 * i + 7] >> 7;
            acc = 0;                                    *d++ = acc;
        }                                               acc = 0;
    }                                               }
                                                    if (8 * i < n) acc = acc << 1 | s[8 * i] >> 7;
                                                    ...
                                                    if (8 * i + 6 < n) acc = ...

The same statements run in the same order. On the right each iteration stores one byte, and what it
is made of stands in it; what is left of the last strip comes behind the loop, where the original
stores the last byte if it does. Loops that don't shift anything into what they store so stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import log2

from compiler.ir import (
    GT,
    I32,
    I64,
    LT,
    U32,
    U64,
    Add,
    BitAnd,
    Call,
    Comparison,
    Const,
    Expr,
    Load,
    Mod,
    Mul,
    Select,
    Shr,
    TruncDiv,
    TruncMod,
    Variable,
    const,
    postorder,
)

from ..model.kernel import (
    Allocate,
    Assign,
    Break,
    Declare,
    If,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .effects import reads, writes
from .unrolled import with_known

_LENGTHS = (2, 4, 8)
_MOST_STATEMENTS = 256
"""Of what a loop becomes."""


def with_strips(body: Sequence[Stmt], fresh: Callable[[str], str]) -> tuple[Stmt, ...]:
    """`body` with such loops in strips; `fresh` gives names that nothing else has."""
    made: list[Stmt] = []
    starts: dict[str, Expr] = {}
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = (with_strips(part, fresh) for part in (stmt.then, stmt.otherwise))
            stmt = replace(stmt, then=then, otherwise=otherwise)
        if isinstance(stmt, WhileLoop):
            strips = tuple(_strips(stmt, starts, fresh))
            if strips:
                made += strips
                starts = {}
                continue
            stmt = replace(stmt, body=with_strips(stmt.body, fresh))
        for name in writes((stmt,)):
            starts.pop(name, None)
        if isinstance(stmt, Assign):
            starts[stmt.name] = stmt.value
        made.append(stmt)
    return tuple(made)


def _strips(
    loop: WhileLoop, starts: Mapping[str, Expr], fresh: Callable[[str], str]
) -> Iterator[Stmt]:
    """A loop from 0 to a number that it doesn't change, in strips; nothing for any other one."""
    counted = _counter(loop, starts)
    if counted is None:
        return
    x, end = counted
    length = _length(loop.body, x)
    if not length or length * len(list(statements(loop.body))) > _MOST_STATEMENTS:
        return
    span, size = loop.span, const(length, x.type)
    strip: Variable = Variable(fresh("strip"), x.type)

    def turn(place: int) -> tuple[Stmt, ...]:
        return tuple(with_known(loop.body, _known_in_turn(loop.body, x, strip, length, place)))

    yield Declare(span, strip.name, strip.type)
    yield Assign(span, strip.name, const(0, x.type))
    yield WhileLoop(
        span,
        LT(strip, TruncDiv(end, size)),
        tuple(stmt for place in range(length) for stmt in turn(place)),
        (Assign(span, strip.name, Add(strip, const(1, x.type))),),
    )
    for place in range(length - 1):
        left = turn(place)
        if left:
            yield If(span, LT(_at(strip, length, place), end), left)
    yield Assign(span, x.name, Select(LT(const(0, x.type), end), end, const(0, x.type)))


def _counter(loop: WhileLoop, starts: Mapping[str, Expr]) -> tuple[Variable, Expr] | None:
    """The counter of a loop that goes from 0 by ones, and the number that it stays below."""
    test = loop.condition
    if isinstance(test, GT):
        test = LT(test.b, test.a)
    if not isinstance(test, LT) or not isinstance(test.a, Variable) or not loop.test_first:
        return None
    x, end = test.a, test.b
    if x.type not in (I32, U32, I64, U64) or loop.again or len(loop.step) != 1:
        return None
    (step,) = loop.step
    start = starts.get(x.name)
    if not isinstance(start, Const) or start.value != 0 or not isinstance(step, Assign):
        return None
    one = const(1, x.type)
    if step.name != x.name or step.value not in (Add(x, one), Add(one, x)):
        return None
    changed = writes(loop.body)
    if x.name in changed or reads(end) & {*changed, x.name}:
        return None
    if any(isinstance(n, Load | Call) for n in postorder(end)):
        return None
    if any(isinstance(s, Allocate | Break | Return | WhileLoop) for s in statements(loop.body)):
        return None
    return x, end


def _length(body: Sequence[Stmt], x: Variable) -> int:
    """After how many iterations something is stored that each of them has shifted a bit into; 0
    where that isn't so."""
    for stmt in body:
        if not isinstance(stmt, If) or not isinstance(stmt.condition, Comparison):
            continue
        lengths = [_period(n, x)[0] for n in postorder(stmt.condition)]
        if x.name not in reads(stmt.condition) or max(lengths) not in _LENGTHS:
            continue
        shifted = {
            s.name
            for s in statements(tuple(s for s in body if s is not stmt))
            if isinstance(s, Assign) and s.name in reads(s.value)
        }
        branch = tuple(statements((*stmt.then, *stmt.otherwise)))
        handed_out = {n for s in branch if isinstance(s, Store) for n in reads(s.value)}
        begun_anew = {s.name for s in branch if isinstance(s, Assign)}
        if shifted & handed_out & begun_anew:
            return max(lengths)
    return 0


def _period(node: Expr, x: Variable) -> tuple[int, int]:
    """(k, c) where a number is the remainder of x + c by k, a power of two; (0, 0) for others."""
    if not isinstance(node, BitAnd | TruncMod | Mod):
        return 0, 0
    inner, by = node.children
    if not isinstance(by, Const):
        return 0, 0
    length, more = int(by.value) + isinstance(node, BitAnd), 0
    if isinstance(inner, Add):
        inner, shift = inner.children
        if not isinstance(shift, Const) or shift.value < 0:
            return 0, 0
        more = int(shift.value)
    return (length, more) if inner is x and length in _LENGTHS else (0, 0)


def _known_in_turn(
    body: Sequence[Stmt], x: Variable, strip: Variable, length: int, place: int
) -> dict[Expr, Expr]:
    """What the counter and its quotients and remainders are in one iteration of a strip."""
    known: dict[Expr, Expr] = {x: _at(strip, length, place)}
    for node in postorder(*(e for s in statements(tuple(body)) for e in expressions_of(s))):
        period, more = _period(node, x)
        if period and length % period == 0:
            known[node] = const((place + more) % period, x.type)
        if isinstance(node, Shr | TruncDiv) and node.children[0] is x:
            whole = log2(length) if isinstance(node, Shr) else length
            if node.children[1] is const(int(whole), x.type):
                known[node] = strip
    return known


def _at(strip: Variable, length: int, place: int) -> Expr:
    begin: Expr = Mul(strip, const(length, strip.type))
    return Add(begin, const(place, strip.type)) if place else begin
