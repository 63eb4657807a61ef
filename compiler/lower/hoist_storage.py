"""Memory is allocated outside of the loops in which it is used (`hoist_storage`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir import I32, I64, Add, Const, Expr, Max, Mul, Sub, const
from ..ir import stmts as s
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.stmt_transform import children_of, rebuild
from ..ir.types import U8
from ..lang import HalideError
from .flatten import widened
from .interval import EVERYTHING, Interval, Intervals, larger
from .plan import StagePlan

Levels = Mapping[tuple[str, str], Sequence[str]]
"""The loops of dimension `var` of stage `func`, by (func, var)."""


def hoist_storage(body: s.Stmt, plans: Sequence[StagePlan], levels: Levels) -> s.Stmt:
    """`body` with the memory of each stage that is hoisted allocated at that level, large enough
    for all that is realized in the loops between.

    Needs coordinates bound, sizes as `storage_layout` leaves them, and stages not yet flat. Leaves
    each such `Realize` inside of `Allocate`s of its values' memory; flattening takes that. Raises
    `HalideError` where no limit of a size is known.

        for yo: for yi: realize f([a, +min(yi, 3)]): ...
        ->  for yo: allocate f[int32 * 3]: for yi: realize f([a, +min(yi, 3)]): ...
    """
    for plan in plans:
        hoisted = plan.schedule.hoist_level
        if hoisted is None or hoisted == (plan.schedule.store_level or plan.schedule.level):
            continue
        if hoisted.place == "root":
            body = _hoisted(body, plan)
        elif hoisted.place == "at":
            body = _at_loops(body, plan, frozenset(levels.get((hoisted.func, hoisted.var), ())))
    return body


def _at_loops(stmt: s.Stmt, plan: StagePlan, loops: frozenset[str]) -> s.Stmt:
    """`stmt` with the memory of `plan` hoisted into the bodies of `loops`."""
    if isinstance(stmt, s.For) and stmt.name in loops:
        body = _hoisted(stmt.body, plan)
        return stmt if body is stmt.body else rebuild(stmt, (body,), lambda e: e)
    return rebuild(stmt, tuple(_at_loops(c, plan, loops) for c in children_of(stmt)), lambda e: e)


def _hoisted(stmt: s.Stmt, plan: StagePlan) -> s.Stmt:
    """`stmt` with the memory of `plan` allocated around its outermost loops."""
    if isinstance(stmt, s.For):
        size = _Sizes(plan).of(stmt)
        if size is None:
            return stmt
        made: s.Stmt = stmt
        names = reversed(list(zip(plan.value_names(), plan.types, strict=True)))
        for name, type in names:
            stored = U8 if type.is_bool else type
            made = s.Allocate(name, stored, size, made, plan.schedule.memory)
        return made
    if isinstance(stmt, s.Realize) and stmt.func == plan.name:
        return stmt
    return rebuild(stmt, tuple(_hoisted(c, plan) for c in children_of(stmt)), lambda e: e)


class _Sizes:
    """How many elements a stage may have in any iteration of the loops around its storage."""

    def __init__(self, plan: StagePlan) -> None:
        self.plan = plan

    def of(self, stmt: s.Stmt, known: Mapping[str, Interval] | None = None) -> Expr | None:
        """The largest size of the stage in `stmt`, over what is fixed outside of it (int64); None
        where it isn't stored there."""
        known = known or {}
        if isinstance(stmt, s.Realize) and stmt.func == self.plan.name:
            return self._size(stmt, Intervals(known))
        if isinstance(stmt, s.For):
            of = Intervals(known).of
            last = simplify_coordinate(Sub(Add(stmt.min, stmt.extent), const(1)))
            known = {**known, stmt.name: (of(stmt.min)[0], of(last)[1])}
        elif isinstance(stmt, s.LetStmt):
            value = Intervals(known).of(stmt.value) if stmt.value.type is I32 else EVERYTHING
            known = {**known, stmt.name: value}
        found: Expr | None = None
        for child in children_of(stmt):
            size = self.of(child, known)
            if size is not None:
                found = size if found is None else larger(found, size)
        return found

    def _size(self, stmt: s.Realize, intervals: Intervals) -> Expr:
        size: Expr = const(1, I64)
        for d, (_, extent) in enumerate(stmt.bounds):
            longest = intervals.of(extent)[1]
            if longest is None:
                raise HalideError(
                    f'Func "{self.plan.name}" cannot have its storage hoisted: no limit is known '
                    f"of the extent {extent} of dimension {d} in the loops between the two.",
                    self.plan.definitions[0].source.location,
                )
            if not isinstance(longest, Const):
                longest = simplify_coordinate(Max(longest, const(0)))
            size = simplify_coordinate(Mul(size, widened(longest)))
        return size


__all__ = ["hoist_storage"]
