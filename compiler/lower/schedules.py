"""The schedule to follow: the user's, or the default where nobody scheduled anything."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..lang import Function, FunctionSchedule

if TYPE_CHECKING:
    from .pipeline import TargetFeatures


def chosen_schedules(
    order: Sequence[Function], outputs: Sequence[Function], target: TargetFeatures
) -> dict[Function, FunctionSchedule]:
    """A copy of each stage's schedule.

    When no stage of the pipeline has a directive, the default schedule decides for all;
    `LIFT_DEFAULT_SCHEDULE=off` keeps Halide's own default (all inlined, serial).
    """
    touched = any(f.schedule.any_touched for f in order)
    if touched or os.environ.get("LIFT_DEFAULT_SCHEDULE") == "off":
        return {f: f.schedule.copy() for f in order}
    from ..autosched import default_schedule

    return default_schedule(order, outputs, target)
