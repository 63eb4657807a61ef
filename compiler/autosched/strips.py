"""Which stages can be computed strip by strip, next to the rows of the output that need them.

A stage whose readers look a few rows up and down need not stand whole in memory: each strip of the
output computes the rows that it reads, and again the few that its neighbours read too, so that what
one pass writes the next finds in the cache.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .. import ir
from ..ir import Call, Const, Expr, Variable
from ..ir.bounds_of_values import value_range
from ..ir.operators import Range
from ..lower.plan import PlannedDefinition, StagePlan
from .loops import reads_of, row_coordinate

MOST_HALO = 8
"""More rows than this beyond a strip's own are not worth computing again for each strip."""

MOST_SCALE = 4
"""Rows are read at most so many times as close together, or as far apart, as they are written."""


@dataclass(frozen=True)
class Rows:
    """The rows of a stage that row y of the output reads: factor * y + [low, high], clamped."""

    output: str
    dimension: int
    """Which of the stage's coordinates the rows are."""
    factor: Fraction
    low: Fraction
    high: Fraction


def strip_producers(plans: Sequence[StagePlan]) -> dict[str, Rows]:
    """For each stage (by name) that can be computed in the strips of an output, its rows.

    `plans` holds the stages with storage, producers first. All readers of such a stage are one
    stage at the root, and stages that are computed in its strips themselves.
    """
    found: dict[str, Rows] = {}
    for plan in reversed(plans):
        if len(plan.args) < 2:
            continue
        rows = None if plan.is_output else _rows_read(plan, plans, found)
        if rows is not None and not keeps_to_its_row(plan, rows.dimension):
            rows = None
        if rows is not None and rows.high - rows.low <= MOST_HALO:
            found[plan.name] = rows
        elif len(plan.definitions) == 1:
            one, none = Fraction(1), Fraction(0)
            found[plan.name] = Rows(plan.name, row_coordinate(plan.function), one, none, none)
    return {name: rows for name, rows in found.items() if name != rows.output}


def keeps_to_its_row(plan: StagePlan, dimension: int) -> bool:
    """Whether no update writes to other rows than its own, or reads those of its own stage: any
    rows can be computed without the others."""
    own = Variable(plan.args[dimension], ir.I32)
    for definition in plan.definitions:
        reads = reads_of(plan.value_names(), *definition.expressions)
        points = [definition.args, *(call.args for call in reads)]
        if any(point[dimension] is not own for point in points):
            return False
    return True


def _rows_read(
    plan: StagePlan, plans: Sequence[StagePlan], found: Mapping[str, Rows]
) -> Rows | None:
    all_rows: list[Rows] = []
    for reader in plans:
        if reader is plan:
            continue
        for definition in reader.definitions:
            for call in reads_of(plan.value_names(), *definition.expressions):
                via = found.get(reader.name)
                rows = None if via is None else _rows_of(call, definition, reader, via)
                if rows is None:
                    return None
                all_rows.append(rows)
    if len({(r.output, r.dimension, r.factor) for r in all_rows}) != 1:
        return None
    first = all_rows[0]
    low, high = min(r.low for r in all_rows), max(r.high for r in all_rows)
    return Rows(first.output, first.dimension, first.factor, low, high)


def _rows_of(
    call: Call, definition: PlannedDefinition, reader: StagePlan, via: Rows
) -> Rows | None:
    """The rows that one call reads; None where they don't follow the reader's row."""
    row = Variable(reader.args[via.dimension], ir.I32)
    # What data says, wherever it was read, has the same limits in each row.
    moving = [d for d, a in enumerate(call.args) if row in ir.postorder(_without_data(a))]
    if len(moving) != 1 or moving[0] == 0:
        return None
    steps: dict[Expr, Range] = {
        Variable(name, ir.I32): (int(low.value), int(low.value) + int(extent.value) - 1)
        for name, low, extent in definition.domain
        if isinstance(low, Const) and isinstance(extent, Const) and extent.value > 0
    }
    reached = _reach(call.args[moving[0]], row, steps)
    if reached is None:
        return None
    factor, low, high = reached
    own = (factor * via.low + low, factor * via.high + high)
    return Rows(via.output, moving[0], factor * via.factor, *own)


def _without_data(expr: Expr) -> Expr:
    def visit(node: Expr) -> Expr:
        return Variable("data", node.type) if isinstance(node, Call) else node

    return ir.transform(expr, visit)


Reach = tuple[Fraction, Fraction, Fraction]
"""factor * row + something in [low, high]."""


def _reach(expr: Expr, row: Expr, steps: Mapping[Expr, Range]) -> Reach | None:
    """`expr` as such, where a clamp may cut it; None where it is no such thing."""
    if expr is row:
        return Fraction(1), Fraction(0), Fraction(0)
    if isinstance(expr, (ir.Min, ir.Max)):
        sides = [s for s in expr.children if row in ir.postorder(s)]
        return _reach(sides[0], row, steps) if len(sides) == 1 else None
    if isinstance(expr, (ir.Add, ir.Sub)):
        moving, other = expr.a, expr.b
        offset = _within(other, steps)
        if offset is None and isinstance(expr, ir.Add):
            moving, other = other, moving
            offset = _within(other, steps)
        inside = _reach(moving, row, steps)
        if inside is None or offset is None:
            return None
        factor, low, high = inside
        if isinstance(expr, ir.Add):
            return factor, low + offset[0], high + offset[1]
        return factor, low - offset[1], high - offset[0]
    if isinstance(expr, (ir.Mul, ir.Div)) and isinstance(expr.b, Const):
        scale = Fraction(int(expr.b.value))
        inside = _reach(expr.a, row, steps) if 1 <= scale <= MOST_SCALE else None
        if inside is None:
            return None
        if isinstance(expr, ir.Mul):
            return _scaled(inside, scale)
        factor, low, high = _scaled(inside, 1 / scale)
        return factor, low - (scale - 1) / scale, high
    return None


def _scaled(reach: Reach, scale: Fraction) -> Reach:
    """A reach, all of it `scale` times as far."""
    factor, low, high = reach
    return factor * scale, low * scale, high * scale


def _within(expr: Expr, steps: Mapping[Expr, Range]) -> Range | None:
    """The few values that an offset has wherever it is read; None where they are many."""
    low, high = value_range(expr, steps)
    return (low, high) if high - low <= MOST_HALO else None
