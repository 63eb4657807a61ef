"""Where a stage may be computed and stored: the checks of schedules (halide-2012 section 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ..ir import stmts as s
from ..ir.stmt_transform import children_of
from ..lang import CONCURRENT, ComputeLevel, HalideError
from .plan import StagePlan
from .region import Regions


def check_levels(plans: Sequence[StagePlan]) -> None:
    """Raises `HalideError` for stages that are stored but never computed, and for levels that
    nobody has filled in."""
    for plan in plans:
        schedule = plan.schedule
        levels = (schedule.level, schedule.store_level, schedule.hoist_level)
        if any(level is not None and level.place == "undefined" for level in levels):
            raise HalideError(
                f'Func "{plan.name}" is scheduled at a LoopLevel that was never set.',
                plan.definitions[0].source.location,
            )


def check_concurrent(plan: StagePlan, between: Sequence[s.For], what: str) -> None:
    """Raises `HalideError` where a loop between storage and computation runs all steps at once.

    Its steps would write each other's points. `what` says what is done outside of it.
    """
    for loop in between:
        if loop.kind in CONCURRENT:
            raise HalideError(
                f'Func "{plan.name}" {what} outside the parallel/vectorized loop over '
                f"{_level_text(loop.name, '.')} but computed within it. "
                "This is a potential race condition.",
                plan.definitions[0].source.location,
            )


def misplaced(
    plan: StagePlan, body: s.Stmt, names: Collection[str], regions: Regions
) -> HalideError:
    """The error of a stage whose level does not hold all of its uses; it lists those that do."""
    uses = list(_uses(body, names, regions, ()))
    shared = list(uses[0][0]) if uses else []
    for around, _ in uses[1:]:
        shared = [loop for loop in shared if loop in around]
    schedule = plan.schedule
    lines = [
        f'Func "{plan.name}" is computed at the following invalid location:',
        f"  {plan.name}.{_placed(schedule.level, schedule.store_level)};",
        "Legal locations for this function are:",
        f"  {plan.name}.compute_root();",
        *(f"  {plan.name}.compute_at({_level_text(loop)});" for loop in shared),
        f'"{plan.name}" is used in the following places:',
    ]
    for around, user in uses:
        lines += [f"{' ' * i} for {loop}:" for i, loop in enumerate(around)]
        lines.append(f"{' ' * len(around)} {user} uses {plan.name}")
    return HalideError("\n".join(lines), plan.definitions[0].source.location)


def _uses(
    stmt: s.Stmt, names: Collection[str], regions: Regions, around: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The loops around each use of the stage, outermost first, and who uses it."""
    if not set(names) & regions.names_read(stmt):
        return
    if isinstance(stmt, s.Provide):
        yield around, stmt.func
        return
    if isinstance(stmt, s.For):
        around = (*around, stmt.name)
    for child in children_of(stmt):
        yield from _uses(child, names, regions, around)


def _placed(level: ComputeLevel, store: ComputeLevel | None) -> str:
    computed = (
        "compute_root()" if level.place == "root" else f"compute_at({level.func}, {level.var})"
    )
    if store is None or store == level:
        return computed
    stored = "store_root()" if store.place == "root" else f"store_at({store.func}, {store.var})"
    return f"{stored}.{computed}"


def _level_text(loop: str, between: str = ", ") -> str:
    """`f.s0.x.xo` as the level `f, xo`."""
    func, _, path = loop.partition(".s")
    return func + between + path.split(".")[-1]


__all__ = ["check_concurrent", "check_levels", "misplaced"]
