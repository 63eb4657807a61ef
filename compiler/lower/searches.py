"""Loops that change nothing any more once something is found skip what is left, block by block.

An update `f() = select(f() < 0 && ..., ..., f())` over a domain keeps what it has found. Nothing
behind that is computed for it, but the loop would still go on to its end, as no statement of this
language leaves one.
"""

from __future__ import annotations

from ..ir import (
    I32,
    Add,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Variable,
    postorder,
)
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, rebuild, walk
from .guard_loads import conjuncts

BLOCK = 256
"""Iterations between two looks at what is found."""


def searches(stmt: s.Stmt) -> s.Stmt:
    """Loops whose only store is one to a fixed element, which it leaves as it is unless a condition
    on that element holds, in blocks that begin with that condition.

    for r: f[0] = select(f[0] < 0 && a[r] == 7, r, f[0])
    ->  for r.block in [0, ceil(extent / 256)):
          if f[0] < 0: for r in the block: (as before)

    Needs flat memory and vectors in place; leaves loops around the innermost one whose iterations
    begin with the condition.
    """
    if isinstance(stmt, s.For) and stmt.kind == "serial":
        going = _going(stmt)
        if going is not None:
            return _in_blocks(stmt, going)
    return rebuild(stmt, tuple(map(searches, children_of(stmt))), lambda e: e)


def _going(loop: s.For) -> Expr | None:
    """The condition on the element that the loop's only store changes; None for other loops."""
    inside = list(walk(loop.body))
    if not all(isinstance(x, (s.For, s.Store, s.LetStmt)) for x in inside):
        return None
    stores = [x for x in inside if isinstance(x, s.Store)]
    if len(stores) != 1 or any(isinstance(x, s.For) and x.kind != "serial" for x in inside):
        return None
    (store,) = stores
    value = store.value
    if not isinstance(store.index, Const) or store.predicate is not None:
        return None
    if not isinstance(value, Select) or not isinstance(value.b, Load):
        return None
    own = value.b
    if (own.array, own.indices, own.predicate) != (store.buffer, (store.index,), None):
        return None
    for part in conjuncts(value.condition):
        leaves = {n for n in postorder(part) if isinstance(n, (Load, Variable))}
        if leaves == {own}:
            return part
    return None


def _in_blocks(loop: s.For, going: Expr) -> s.Stmt:
    if any(isinstance(x, s.For) for x in walk(loop.body)):
        inner = _inside(loop.body, going)
        return s.For(loop.name, loop.min, loop.extent, loop.kind, s.IfThenElse(going, inner))
    size, one = Const(I32, BLOCK), Const(I32, 1)
    number = Variable(f"{loop.name}.block", I32)
    start = Mul(number, size)
    most = Max(loop.extent, Const(I32, 0))
    count = Add(Div(Sub(most, one), size), one)
    length = Min(size, Sub(loop.extent, start))
    block = s.For(loop.name, Add(loop.min, start), length, loop.kind, loop.body)
    return s.For(number.name, Const(I32, 0), count, "serial", s.IfThenElse(going, block))


def _inside(stmt: s.Stmt, going: Expr) -> s.Stmt:
    """The loops inside of a statement, in blocks."""
    if isinstance(stmt, s.For):
        return _in_blocks(stmt, going)
    return rebuild(stmt, tuple(_inside(x, going) for x in children_of(stmt)), lambda e: e)


__all__ = ["searches"]
