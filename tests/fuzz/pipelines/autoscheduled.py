"""Programs whose schedule an autoscheduler finds, for random machines, settings and estimates."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from compiler.autosched import available

from .program import Stage

MACHINES = [
    "core-i7-6700",
    "xeon-icelake",
    "cortex-a76",
    "neoverse-n1",
    "apple-m1,cores=1",
    "cortex-a76,l1.size=1K,l2.size=4K,l3.size=16K,cores=3",
    "core-i7-5930k,l1.size=512,l2.size=1K,l3.size=2K,l1.ways=1,l2.ways=1,l3.ways=1",
]
SIZES = [(1, 1), (3, 200), (64, 32), (67, 19), (640, 480), (1920, 1080), (5, 5)]
"""What is estimated, whatever size comes."""

Settings = Mapping[str, str]
Box = Sequence[tuple[int, int]]


def automatic(
    r: random.Random, stages: Sequence[Stage], by_hand: Sequence[str], method: str | None = None
) -> list[str]:
    """The directive that leaves the schedule to a method, any by default; in one program of four
    after some of the directives `by_hand`."""
    name = method or r.choice(available())
    settings = {"machine": r.choice(MACHINES)}
    if name == "Measured":
        settings["budget"] = "0"
    if name == "Mullapudi2016" and r.random() < 0.5:
        settings["last_level_cache_size"] = r.choice(["300", "4096", "1000000"])
        settings["balance"] = r.choice(["1", "10", "500"])
    if r.random() < 0.3:
        settings["parallelism"] = r.choice(["1", "3", "64"])
    width, height = r.choice(SIZES)
    low = r.choice([0, 0, 0, -7, 100])
    kept = _kept(r, stages, by_hand) if r.random() < 0.25 else []
    box = [(low, width), (0, height)]
    hand = sorted({line.split(".")[0] for line in kept})
    return [*kept, f"autoschedule({stages[-1].name}, {name!r}, {settings}, {box}, {hand})"]


def _kept(r: random.Random, stages: Sequence[Stage], by_hand: Sequence[str]) -> list[str]:
    """Some stages at the root; or the directives of the last stages, which refer to each other's
    loops and not to those of earlier ones."""
    if r.random() < 0.4:
        return [f"{s.name}.compute_root()" for s in stages[:-1] if r.random() < 0.3]
    last = {s.name for s in stages[r.randrange(len(stages)) :]}
    return [line for line in by_hand if line.partition(".")[0] in last and "_intm" not in line]


def autoscheduler(hl: Any, stages: Mapping[str, Any], images: Sequence[Any]) -> Any:
    """What `autoschedule` is under the package `hl`: ours does what it says, on estimates for the
    output and the `images`; the real one, which has other methods, stores all `stages` that were
    not scheduled by `hand`."""

    def ours(output: Any, name: str, settings: Settings, box: Box, hand: Sequence[str]) -> None:
        output.set_estimates(box)
        for image in images:
            image.set_estimates([(0, box[0][1] + 7), (0, box[1][1] + 5)])
        params = hl.AutoschedulerParams(name, dict(settings))
        hl.Pipeline(output).apply_autoscheduler(hl.get_host_target(), params)

    def theirs(output: Any, name: str, settings: Settings, box: Box, hand: Sequence[str]) -> None:
        for own, stage in stages.items():
            if own not in hand and stage is not output:
                stage.compute_root()

    return ours if hl.__name__ == "compiler" else theirs
