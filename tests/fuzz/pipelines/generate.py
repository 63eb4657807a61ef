"""The program of a seed."""

from __future__ import annotations

import random

from .autoscheduled import automatic
from .levels import reads_of
from .program import Program, Stage
from .schedules import random_schedule
from .stages import StageMaker

SIZES = [(1, 1), (16, 16), (17, 5), (33, 9), (64, 32), (67, 19), (40, 3), (24, 24)]

AUTOSCHEDULED = 1 / 8
"""Of all programs."""


def generate(seed: int, method: str | None = None) -> Program:
    """1 to 12 stages, all of which the output needs, under a random schedule.

    One in eight is left to an autoscheduler, of random settings; with `method`, or `any`, all are.
    """
    r = random.Random(seed)
    maker = StageMaker(r)
    # Short ones are more often drawn: they cost a tenth of the long ones and are as telling.
    count = min(r.randint(1, 12), r.randint(1, 12))
    for number in range(count):
        maker.make(is_last=number == count - 1)
    stages = needed(maker.stages)
    schedule = random_schedule(r, stages)
    made = Program(seed, stages, tuple(schedule), r.choice(SIZES), r.randint(0, 6))
    # Drawn apart from the rest, so that a seed has the same stages with it and without.
    drawn = random.Random(f"autoscheduler {seed}")
    if method is None and drawn.random() >= AUTOSCHEDULED:
        return made
    chosen = None if method == "any" else method
    return made.with_directives(automatic(drawn, stages, schedule, chosen))


def needed(stages: list[Stage]) -> tuple[Stage, ...]:
    """The stages that the last one reads, directly or not, in order."""
    wanted = {stages[-1].name}
    kept: list[Stage] = []
    for stage in reversed(stages):
        if stage.name in wanted:
            kept.append(stage)
            wanted.update(*reads_of(stage))
    return tuple(reversed(kept))
