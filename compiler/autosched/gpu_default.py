"""The schedule for a device where nobody scheduled anything: plain, and right.

What is cheap or read at one point is inlined, as on processors; each other stage is a kernel of its
own for each of its definitions, a tile of points to a block, a point to a thread. Reductions to a
single number, and updates whose points depend on one another, stay on the processor.

    split(x, x, tx, 32).split(y, y, ty, 8).reorder(r, tx, ty, x, y).gpu_blocks(x, y)
    .gpu_threads(tx, ty)
"""

from __future__ import annotations

from collections.abc import Sequence

from ..lang import Function, FunctionSchedule
from .loops import DefinitionLoops, fuse, independent, is_placed_by_data

TILE = (32, 8)
"""Threads of a block: a warp reads neighbours, and 256 of them hide what they wait for."""
ROW = 256
"""Threads of a block of a stage with one coordinate."""


def schedule_for_device(order: Sequence[Function], made: dict[Function, FunctionSchedule]) -> None:
    """Changes the schedules `made`, which say where stages are computed, so that kernels do it."""
    for function in order:
        schedule = made[function]
        if schedule.level.place != "root":
            continue
        for index, stage in enumerate(schedule.stages):
            _in_tiles(DefinitionLoops(function, index, stage))


def _in_tiles(loops: DefinitionLoops) -> None:
    function, index, stage = loops.function, loops.index, loops.stage
    pure = [d.name for d in stage.dimensions if d.is_pure]
    inside = [d.name for d in stage.dimensions if not d.is_pure]
    by_data = is_placed_by_data(function.definitions[index])
    if not pure or by_data or not independent(function, index, pure):
        return
    sizes = TILE if len(pure) > 1 else (ROW,)
    threads: list[str] = []
    for name, size in zip(pure, sizes, strict=False):
        thread = loops.unused(f"t{name}")
        loops.split(name, name, thread, size)
        threads.append(thread)
    by_name = {d.name: d for d in stage.dimensions}
    stage.dimensions = [by_name[name] for name in (*inside, *threads, *pure)]
    blocks = list(pure)
    while len(blocks) > 3:
        fused = loops.unused("rest")
        fuse(stage, blocks[2], blocks[3], fused)
        blocks[2:4] = [fused]
    for dimension in stage.dimensions:
        if dimension.name in threads:
            dimension.kind = "gpu_thread"
        elif dimension.name in blocks:
            dimension.kind = "gpu_block"


__all__ = ["schedule_for_device"]
