"""Updates are atomic only where threads may meet."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import stmts as s
from ..ir.stmt_transform import children_of, rebuild
from ..lang import CONCURRENT, StageSchedule
from .plan import StagePlan

_THREADS = tuple(kind for kind in CONCURRENT if kind != "vectorized")
"""Kinds of loops whose iterations several threads run."""


def needed_atomics(stmt: s.Stmt, plans: Sequence[StagePlan]) -> s.Stmt:
    """`Atomic` stays where a loop around it is parallel over something that shares points.

    Needs loops vectorized: what `Atomic` says to lanes has been obeyed.

        atomic f: f[i] = f[i] + 1   ->   f[i] = f[i] + 1      where no thread shares f[i]
    """
    return _below(stmt, _shared_loops(plans), ())


def _shared_loops(plans: Sequence[StagePlan]) -> dict[str, tuple[str, ...]]:
    """By stage: how the names of loops of those definitions begin that are parallel over reduction
    variables whose iterations touch the same points."""
    found: dict[str, tuple[str, ...]] = {}
    for plan in plans:
        prefixes = [
            f"{plan.name}.s{index}."
            for index, schedule in enumerate(plan.schedule.stages)
            if any(map(_shares, _all_schedules(schedule)))
        ]
        if prefixes:
            found[plan.name] = tuple(prefixes)
    return found


def _all_schedules(schedule: StageSchedule) -> list[StageSchedule]:
    inner = (_all_schedules(special.schedule) for special in schedule.specializations)
    return [schedule, *(x for many in inner for x in many)]


def _shares(schedule: StageSchedule) -> bool:
    return schedule.atomic and any(
        d.kind in _THREADS and not d.is_pure and not d.is_independent for d in schedule.dimensions
    )


def _below(stmt: s.Stmt, shared: dict[str, tuple[str, ...]], around: tuple[str, ...]) -> s.Stmt:
    if isinstance(stmt, s.For) and stmt.kind in _THREADS:
        around = (*around, stmt.name)
    made = rebuild(stmt, tuple(_below(c, shared, around) for c in children_of(stmt)), lambda e: e)
    if isinstance(made, s.Atomic):
        prefixes = shared.get(made.buffer, ())
        if not any(name.startswith(prefixes) for name in around if prefixes):
            return made.body
    return made
