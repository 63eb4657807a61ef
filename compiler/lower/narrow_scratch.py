"""Pass 9: scratch memory holds integers in the narrowest type that holds every value stored.

Legacy code keeps intermediate rows of bytes in `int`s: four times the memory that is needed, and
what reads it can't know that the numbers are small.
"""

from __future__ import annotations

from ..ir import Cast, Expr, Load, Type, transform
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, map_expressions, rebuild, walk
from .narrow_arithmetic import CANDIDATES, Narrowing


def narrow_scratch(stmt: s.Stmt) -> s.Stmt:
    """Every `Allocate` of integers as narrow as the ranges of the values stored in it permit.

    Needs loops not yet in vectors. Outer allocations, which are producers, come first, so that
    their consumers' ranges follow. Leaves the same values in every load.

        allocate t[int32 * n]: t[i] = int32(a[i]) / 3; f[i] = t[i]
        ->  allocate t[uint8 * n]: t[i] = uint8(int32(a[i]) / 3); f[i] = int32(t[i])
    """
    if isinstance(stmt, s.Allocate) and stmt.type.is_integer and stmt.type.lanes == 1:
        type = _narrowest(stmt)
        if type is not None:
            stmt = s.Allocate(stmt.buffer, type, stmt.size, _stored_as(stmt, type))
    return rebuild(stmt, tuple(map(narrow_scratch, children_of(stmt))), lambda e: e)


def _narrowest(allocate: s.Allocate) -> Type | None:
    narrowing = Narrowing()
    ranges = [
        narrowing.range(x.value)
        for x in walk(allocate.body)
        if isinstance(x, s.Store) and x.buffer == allocate.buffer
    ]
    if not ranges:
        return None
    low, high = min(r[0] for r in ranges), max(r[1] for r in ranges)
    for type in CANDIDATES:
        if type.bits < allocate.type.bits and type.contains(low) and type.contains(high):
            return type
    return None


def _stored_as(allocate: s.Allocate, type: Type) -> s.Stmt:
    """The body with loads and stores of `type` in the place of the allocation's own."""

    def loaded(node: Expr) -> Expr:
        if isinstance(node, Load) and node.array == allocate.buffer:
            return Cast(node.type, Load(node.array, node.indices, type))
        return node

    def stored(stmt: s.Stmt) -> s.Stmt:
        made = rebuild(stmt, tuple(map(stored, children_of(stmt))), lambda e: e)
        if isinstance(made, s.Store) and made.buffer == allocate.buffer:
            return s.Store(made.buffer, Cast(type, made.value), made.index, made.predicate)
        return made

    return stored(map_expressions(allocate.body, lambda e: transform(e, loaded)))
