"""What users said about how to run a pipeline's stages, and whether that makes sense."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..lang import Function, FunctionSchedule, HalideError


def users_schedules(order: Sequence[Function]) -> dict[Function, FunctionSchedule] | None:
    """A copy of each stage's schedule; None where no stage has a directive, so that somebody else
    has to choose.

    With `LIFT_DEFAULT_SCHEDULE=off` nobody has to: Halide's own default counts (all inlined,
    serial).
    """
    touched = any(f.schedule.any_touched for f in order)
    if touched or os.environ.get("LIFT_DEFAULT_SCHEDULE") == "off":
        return {f: f.schedule.copy() for f in order}
    return None


def check_inlined(function: Function, is_output: bool) -> None:
    """Raises `HalideError` for a stage that is stored, or shares loops, but is not computed."""
    schedule = function.schedule
    for index, stage in enumerate(schedule.stages):
        if stage.fused is not None and schedule.level.place == "inline" and not is_output:
            raise HalideError(
                f"Invalid compute_with: {function.name}.s{index} is scheduled inline.",
                function.definitions[0].location,
            )
    if is_output or schedule.level.place != "inline":
        return
    for kept, root, at in (
        (schedule.store_level, "store_root()", "store_at()"),
        (schedule.hoist_level, "hoist_storage_root()", "hoist_storage()"),
    ):
        if kept is None or kept.place == "inline":
            continue
        word = root if kept.place == "root" else at
        raise HalideError(
            f'Func "{function.name}" is scheduled {word}, but is inlined. Funcs that use '
            f"{word[:-2]} must also call compute_root or compute_at.",
            function.definitions[0].location,
        )
