"""Loops that nothing but what they read ends: the array's own end, which they don't pass, does.

    while (hist[i] == 0) i++;        becomes        while (i < 256 && hist[i] == 0) i++;

    while (sum <= rank)              becomes        while (i < 255 && sum <= rank)
        sum += hist[++i];                               sum += hist[++i];

Where `hist` has 256 elements, the loops on the left read no other ones in any run that C++ gives a
meaning to; so what the right ones ask first holds whenever another iteration of the left ones
begins, or asks for one. A `do` that reads becomes a loop with that condition, which is left at the
end of an iteration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from compiler.ir import (
    GE,
    I32,
    I64,
    LT,
    TRUE,
    U32,
    U64,
    Add,
    And,
    Cast,
    Const,
    Expr,
    Load,
    Neg,
    Or,
    Select,
    Sub,
    Variable,
    negation,
    postorder,
    substitute,
)

from ..model.kernel import (
    Assign,
    Break,
    Declare,
    If,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .effects import last_set, reads, writes
from .exits import asks_memory, breaks, conjuncts, step_of

_FEWEST = 65
"""Elements of an array: loops of fewer iterations are written out, and what a search is then, a
choice in a choice for each, takes the compiler very long."""
_MOST_STEP = _FARTHEST = 1 << 16
_SIGNED = (I32, I64)
_KNOWN = (I32, I64, U32, U64)


def with_array_ends(body: tuple[Stmt, ...], counts: Mapping[str, int]) -> tuple[Stmt, ...]:
    """`body` with bounds for loops that end by what they read; `counts` says how many elements
    arrays have."""
    return _block(body, counts)


def _block(body: Sequence[Stmt], counts: Mapping[str, int]) -> tuple[Stmt, ...]:
    made: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = _block(stmt.then, counts), _block(stmt.otherwise, counts)
            stmt = replace(stmt, then=then, otherwise=otherwise)
        elif isinstance(stmt, WhileLoop):
            parts = (_block(part, counts) for part in (stmt.body, stmt.step, stmt.again))
            inner, step, again = parts
            stmt = replace(stmt, body=inner, step=step, again=again)
            stmt = _with_end(stmt, made, counts)
        made.append(stmt)
    return tuple(made)


def _with_end(loop: WhileLoop, before: Sequence[Stmt], counts: Mapping[str, int]) -> WhileLoop:
    """A loop with the bound of an array that each of its iterations reads, if it has no other."""
    asking = [asks_memory(part, loop) for part in conjuncts(loop.condition)]
    if loop.condition is TRUE or not (all(asking) if loop.test_first else any(asking)):
        return loop
    end = _end(loop, before, counts)
    if end is None:
        return loop
    if loop.test_first:
        return replace(loop, condition=And(end, loop.condition))
    out = If(loop.span, negation(loop.condition), (Break(loop.span),))
    body = (*loop.body, *loop.step, out)
    return replace(loop, condition=end, body=body, step=loop.again, again=(), test_first=True)


def _end(loop: WhileLoop, before: Sequence[Stmt], counts: Mapping[str, int]) -> Expr | None:
    """What holds at the head of an iteration that reads an element which its array has."""
    for array, place in _certain_places(loop):
        count = counts.get(array)
        if count is None or count < _FEWEST:
            continue
        index, begin = place
        step = _step(index, loop)
        is_signed = index.type in _SIGNED
        if step > 0 and (is_signed or begin <= 0 or _begins_low(index, before)):
            return LT(index, Const(index.type, count - begin))
        if step < 0 and (is_signed or begin < 0):
            return GE(index, Const(index.type, -begin))
    return None


def _certain_places(loop: WhileLoop) -> Iterator[tuple[str, tuple[Variable, int]]]:
    """Which elements each iteration reads that begins and, of a loop that tests first, is asked
    for: the array, and what is added to which scalar of an iteration's beginning."""
    known: dict[Expr, Expr] = {}
    unknown: set[str] = set()
    test: Stmt = If(loop.span, loop.condition, ())
    body = (*loop.body, *loop.step)
    for stmt in (test, *body) if loop.test_first else (*body, test):
        if not isinstance(stmt, (Assign, Declare, Store, If)):
            return  # what follows it may not be reached
        for load in _certainly_read(*expressions_of(stmt)):
            if unknown.isdisjoint(reads(*load.indices)) and len(load.indices) == 1:
                place = _place(substitute(load.indices[0], known))
                if place is not None:
                    yield load.array, place
        if isinstance(stmt, Assign) and unknown.isdisjoint(reads(stmt.value)):
            known[Variable(stmt.name, stmt.value.type)] = substitute(stmt.value, known)
            unknown.discard(stmt.name)
        else:
            unknown |= writes((stmt,))
        if isinstance(stmt, If) and breaks((stmt,)):
            return


def _certainly_read(*exprs: Expr) -> Iterator[Load]:
    """What is read wherever these are computed."""
    for expr in exprs:
        if not any(isinstance(n, (And, Or, Select)) for n in postorder(expr)):
            yield from (n for n in postorder(expr) if isinstance(n, Load))


def _place(index: Expr) -> tuple[Variable, int] | None:
    """A scalar, and the constant that is added to it."""
    match index:
        case Variable():
            return index, 0
        case Cast(value=value) if 32 <= value.type.bits <= index.type.bits:
            return _place(value)
        case Add(a=a, b=Const() as begin):
            added = int(begin.value)
        case Sub(a=a, b=Const() as begin):
            added = -int(begin.value)
        case _:
            return None
    place = _place(a)
    if place is None or abs(place[1] + added) > _FARTHEST:
        return None
    return place[0], place[1] + added


def _step(index: Variable, loop: WhileLoop) -> int:
    """By how much a loop moves a scalar, which it sets in one place; 0 where that isn't known."""
    if index.type not in _KNOWN:
        return 0
    changes = [
        s for s in statements((loop,))
        if isinstance(s, (Assign, Declare)) and s.name == index.name
    ]  # fmt: skip
    return _constant_step(changes[0]) if len(changes) == 1 else 0


def _constant_step(stmt: Stmt) -> int:
    """By how much a statement moves its scalar; 0 where that isn't known, or is very much."""
    step, sign = step_of(stmt), 1
    if isinstance(step, Neg):
        step, sign = step.value, -1
    is_known = isinstance(step, Const) and step.type.is_integer and abs(step.value) <= _MOST_STEP
    return sign * int(step.value) if isinstance(step, Const) and is_known else 0


def _begins_low(index: Variable, before: Sequence[Stmt]) -> bool:
    """Whether a number without a sign begins far from where it wraps; since it is a place in the
    array in each iteration, so it is in the next one."""
    begin = last_set(index.name, before)
    value = None if begin is None else begin.value
    return isinstance(value, Const) and value.value <= I32.max
