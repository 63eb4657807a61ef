"""What may fail when a pipeline has begun to write its outputs, and what must be had before."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..ir import Add, Const, Expr, Max, Sub, const, simplify
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, walk
from .interval import Interval, Intervals

SMALL = 16 * 1024
"""Bytes of a constant size up to which memory may be on the stack, where it can't be missing."""


@dataclass(frozen=True, eq=False)
class _Around:
    """A loop or a let around a statement, and those around it."""

    stmt: s.For | s.LetStmt
    outer: _Around | None

    @cached_property
    def known(self) -> Mapping[str, Interval]:
        """The intervals of the variables; few places ask for them, and they take long."""
        outer: Mapping[str, Interval] = {} if self.outer is None else self.outer.known
        of, stmt = Intervals(outer).of, self.stmt
        if isinstance(stmt, s.LetStmt):
            return {**outer, stmt.name: of(stmt.value)}
        last = simplify(Sub(Add(stmt.min, stmt.extent), const(1)))
        return {**outer, stmt.name: (of(stmt.min)[0], of(last)[1])}


@dataclass(frozen=True)
class _Place:
    """What stands around a statement."""

    around: _Around | None = None
    after_store: bool = False
    """Whether an output may have been written before."""
    in_parallel: bool = False


def late_failures(body: s.Stmt, outputs: Collection[str]) -> s.LateFailures:
    """The memories of `body` that are asked for when `outputs` may have been written.

    Of each, one block of the most that is ever asked for, taken before the first store, is enough:
    who gets no memory waits for that block. Not so where the memory is held while a loop inside
    waits for other threads, and where nothing limits its size.
    """
    return _Failures(outputs).of(body)


class _Failures:
    def __init__(self, outputs: Collection[str]) -> None:
        self.outputs = frozenset(outputs)
        self.reserves: dict[str, tuple[s.Allocate, Expr]] = {}
        self.is_certain = True

    def of(self, body: s.Stmt) -> s.LateFailures:
        self.visit(body, _Place())
        reserves = tuple(
            (name, node.type, most) for name, (node, most) in sorted(self.reserves.items())
        )
        return s.LateFailures(reserves, not self.is_certain)

    def stores(self, stmt: s.Stmt) -> bool:
        return any(isinstance(x, s.Store) and x.buffer in self.outputs for x in walk(stmt))

    def visit(self, stmt: s.Stmt, place: _Place) -> bool:
        """Looks at `stmt`; whether an output may have been written after it."""
        if isinstance(stmt, s.Block):
            after = place.after_store
            for child in stmt.stmts:
                after = self.visit(child, _Place(place.around, after, place.in_parallel))
            return after
        around, after, parallel = place.around, place.after_store, place.in_parallel
        if isinstance(stmt, s.AssertStmt) and after:
            self.is_certain = False
        elif isinstance(stmt, s.Store):
            return after or stmt.buffer in self.outputs
        elif isinstance(stmt, s.For):
            around = _Around(stmt, around)
            after = after or self.stores(stmt.body)
            parallel = parallel or stmt.kind == "parallel"
        elif isinstance(stmt, s.LetStmt):
            around = _Around(stmt, around)
        elif isinstance(stmt, s.Allocate) and after:
            self.allocate(stmt, place)
        below = [self.visit(x, _Place(around, after, parallel)) for x in children_of(stmt)]
        return place.after_store or any(below)

    def allocate(self, node: s.Allocate, place: _Place) -> None:
        size = node.type.bytes * node.type.lanes
        fixed = isinstance(node.size, Const)
        if node.memory in ("stack", "register") and fixed:
            return
        small = isinstance(node.size, Const) and int(node.size.value) * size <= SMALL
        if small and node.memory != "heap":
            return
        waits = any(isinstance(x, s.For) and x.kind == "parallel" for x in walk(node.body))
        known = {} if place.around is None else place.around.known
        most = Intervals(known).of(node.size)[1]
        if most is None or (waits and place.in_parallel):
            self.is_certain = False
            return
        old = self.reserves.get(node.buffer)
        if old is not None and old[0].type is not node.type:
            self.is_certain = False
            return
        self.reserves[node.buffer] = (node, most if old is None else simplify(Max(most, old[1])))


__all__ = ["late_failures"]
