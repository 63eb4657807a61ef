"""Scratch memory holds integers in the narrowest type that holds every value stored.

Legacy code keeps intermediate rows of bytes in `int`s: four times the memory that is needed, and
what reads it can't know that the numbers are small.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Cast, Expr, Load, Type, unknown_in
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, rebuild, walk
from .narrow_arithmetic import CANDIDATES, Narrowing


def narrow_scratch(stmt: s.Stmt) -> s.Stmt:
    """Every `Allocate` of integers as narrow as the ranges of the values stored in it permit.

    Needs loops not yet in vectors. Outer allocations, which are producers, come first, so that
    their consumers' ranges follow. Leaves the same values in every load.

        allocate t[int32 * n]: t[i] = int32(a[i]) / 3; f[i] = t[i]
        ->  allocate t[uint8 * n]: t[i] = uint8(int32(a[i]) / 3); f[i] = int32(t[i])
    """
    own: dict[str, Type] = {}
    stores: dict[str, list[Expr]] = {}
    for x in walk(stmt):
        if isinstance(x, s.Allocate) and x.type.is_integer and x.type.lanes == 1:
            own.setdefault(x.buffer, x.type)
        elif isinstance(x, s.Store):
            stores.setdefault(x.buffer, []).append(x.value)
    types: dict[str, Type] = {}
    narrowing = Narrowing()
    loads = _Loads(types)
    for buffer, type in own.items():
        values = [loads.narrowed(v) for v in stores.get(buffer, ())]
        narrow = _narrowest(values, type, narrowing)
        if narrow is not None:
            types[buffer] = narrow
            loads.decided(buffer)
    return _stored_as(stmt, types) if types else stmt


def _narrowest(values: list[Expr], own: Type, narrowing: Narrowing) -> Type | None:
    if not values:
        return None
    ranges = [narrowing.whole_range(v) for v in values]
    low, high = min(r[0] for r in ranges), max(r[1] for r in ranges)
    for type in CANDIDATES:
        if type.bits < own.bits and type.contains(low) and type.contains(high):
            return type
    return None


class _Loads:
    """Rewrites loads of memory whose type has been decided."""

    def __init__(self, types: dict[str, Type]) -> None:
        self.types = types
        self.done: dict[Expr, Expr] = {}
        self.undecided: set[str] = set()

    def decided(self, buffer: str) -> None:
        """What was rewritten before counts no more if it reads `buffer`."""
        if buffer in self.undecided:
            self.done.clear()

    def narrowed(self, e: Expr) -> Expr:
        done = self.done
        for node in unknown_in(e, done):
            made = node.rebuild(tuple(done[c] for c in node.children)) if node.children else node
            if isinstance(made, Load):
                type = self.types.get(made.array)
                if type is None:
                    self.undecided.add(made.array)
                else:
                    made = Cast(made.type, Load(made.array, made.indices, type))
            done[node] = made
        return done[e]


def _stored_as(stmt: s.Stmt, types: dict[str, Type]) -> s.Stmt:
    """`stmt` with allocations, loads and stores of `types`."""
    loads = _Loads(types)

    def visit(x: s.Stmt) -> s.Stmt:
        made = rebuild(x, tuple(map(visit, children_of(x))), loads.narrowed)
        if isinstance(made, s.Store) and made.buffer in types:
            value = Cast(types[made.buffer], made.value)
            return s.Store(made.buffer, value, made.index, made.predicate)
        if isinstance(made, s.Allocate) and made.buffer in types:
            return replace(made, type=types[made.buffer])
        return made

    return visit(stmt)
