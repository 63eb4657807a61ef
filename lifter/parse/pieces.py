"""Loops that go through a row in pieces, of which the last one may be shorter.

    while (i < n) {                            for (begin = i; begin < n; begin += 8) {
        m = n - i < 8 ? n - i : 8;                 i = begin;
        ...                                        m = n - i < 8 ? n - i : 8;
        i += m;                                    ...
    }                                          }
                                               if (i < n) i = n;

All pieces but the last are whole, so that each begins a constant number behind the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from compiler.ir import (
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    MIRROR,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Min,
    Select,
    Sub,
    Variable,
    postorder,
)

from ..model.kernel import Assign, Break, If, Return, Stmt, WhileLoop, statements
from .effects import reads, writes
from .folding import convert


def with_whole_pieces(body: Sequence[Stmt], fresh: Callable[[str], str]) -> tuple[Stmt, ...]:
    """`body` with a constant step for such loops; `fresh` gives names that nothing else has."""
    made: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, If):
            then, otherwise = (with_whole_pieces(p, fresh) for p in (stmt.then, stmt.otherwise))
            stmt = replace(stmt, then=then, otherwise=otherwise)
        if isinstance(stmt, WhileLoop):
            stmt = replace(stmt, body=with_whole_pieces(stmt.body, fresh))
            made += _in_pieces(stmt, fresh)
        else:
            made.append(stmt)
    return tuple(made)


def _in_pieces(loop: WhileLoop, fresh: Callable[[str], str]) -> list[Stmt]:
    """The loop in whole pieces, with what follows it; the loop itself where it isn't such a one."""
    counted = _counter(loop)
    run = (*loop.body, *loop.step)
    if counted is None or not run:
        return [loop]
    i, end = counted
    *before, last = run
    size = _size(before, i, end)
    if size is None or not _is_step(last, i, size[0]) or i.name in writes(before):
        return [loop]
    if any(name in reads(end) for name in writes(run)):
        return [loop]
    if any(isinstance(s, (Break, Return)) for s in statements(tuple(before))):
        return [loop]
    m, length = size
    if sum(isinstance(s, Assign) and s.name == m.name for s in statements(tuple(before))) != 1:
        return [loop]
    span = loop.span
    begin: Variable = Variable(fresh(f"{i.name}.begin"), I64)
    stop = convert(end, I64)
    step = Assign(span, begin.name, Add(begin, Const(I64, length)))
    own = Assign(span, i.name, convert(begin, i.type))
    return [
        Assign(span, begin.name, convert(i, I64)),
        WhileLoop(span, LT(begin, stop), (own, *before), (step,)),
        Assign(span, i.name, Select(LT(i, end), end, i)),
    ]


def _counter(loop: WhileLoop) -> tuple[Variable, Expr] | None:
    """The counter of a loop that runs while it is less than a number, and that number."""
    test = loop.condition
    if isinstance(test, GT):
        test = LT(test.b, test.a)
    if not isinstance(test, LT) or not isinstance(test.a, Variable) or not loop.test_first:
        return None
    if loop.again or test.a.type not in (I32, I64):
        return None
    if any(isinstance(node, (Load, Call)) for node in postorder(test.b)):
        return None
    return test.a, test.b


def _size(before: Sequence[Stmt], i: Variable, end: Expr) -> tuple[Variable, int] | None:
    """The variable that holds how long a piece is, and how long it is at most."""
    left = Sub(end, i)
    for stmt in before:
        if isinstance(stmt, Assign):
            length = _at_most(stmt.value, left)
            if length is not None:
                return Variable(stmt.name, stmt.value.type), length
    return None


def _at_most(value: Expr, left: Expr) -> int | None:
    """c where `value` is what is `left`, or the constant c where that is less."""
    while isinstance(value, Cast) and value.type in (I32, I64):
        value = value.value
    if isinstance(value, Min):
        sides = {value.a, value.b}
    elif isinstance(value, Select) and isinstance(value.condition, (LT, LE, GT, GE)):
        test = value.condition
        kind = type(test) if test.a is value.a else MIRROR[type(test)]
        if {test.a, test.b} != {value.a, value.b} or kind not in (LT, LE):
            return None
        sides = {value.a, value.b}
    else:
        return None
    if left not in sides or len(sides) != 2:
        return None
    (limit,) = sides - {left}
    if not isinstance(limit, Const) or limit.value < 1:
        return None
    return int(limit.value)


def _is_step(stmt: Stmt, i: Variable, m: Variable) -> bool:
    if not isinstance(stmt, Assign) or stmt.name != i.name or not isinstance(stmt.value, Add):
        return False
    return any(
        one is i and convert(m, i.type) is other
        for one, other in (stmt.value.children, stmt.value.children[::-1])
    )


__all__ = ["with_whole_pieces"]
