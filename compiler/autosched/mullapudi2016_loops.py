"""The loops of a finished group: order, strips for the threads (autoscheduler-2016 section 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .graph import PipelineGraph, StoredStage
from .groups import TASKS_PER_THREAD, Group, MemberPlace
from .machine import Machine
from .mullapudi2016_tiles import Tile, extents, free_coordinates, reuse
from .reach import Box, extent

MOST_VECTORS = 4
"""An innermost loop of at most so many vectors is small: written out where that helps."""


def has_ordered_loops(stage: StoredStage) -> bool:
    """Whether the loops of a stage may be cut and moved: no update reads, along a coordinate that
    it loops over, what it wrote itself at another point of it."""
    return not any(stage.entangled & set(part.loops) for part in stage.parts[1:])


def finished(
    graph: PipelineGraph, machine: Machine, output: str, members: Sequence[str], tile: Tile | None
) -> Group:
    """The group with the order of its loops: innermost, beside the vectors, those along which most
    is read again.

    What isn't tiled is cut into strips for the threads.
    """
    stage = graph.stages[output]
    if stage.is_fixed or not has_ordered_loops(stage):
        return Group(output)
    reused = reuse(graph, output, members)
    order = _by_reuse(stage, reused)
    if tile is None:
        tile = _strips(stage, order, machine)
    sizes = extents(stage)
    cut = [name for name in order if tile.get(name, sizes[name]) < sizes[name]]
    if members and not cut:
        # Also where one tile is all there is, members need a loop to be computed in.
        cut = [name for name in order if name in stage.args and name not in stage.entangled][:1]
    # Threads share the outermost loops, and they can't share those of a reduction.
    inter = tuple(sorted(cut, key=lambda name: name not in stage.args))
    intra = [name for name in order if tile.get(name, sizes[name]) > 1]
    if stage.args and stage.args[0] in intra:
        intra.remove(stage.args[0])
        intra.append(stage.args[0])
    sides = {name: tile.get(name, sizes[name]) for name in inter if name in intra}
    group = Group(output, sides, inter, tuple(intra))
    boxes = graph.regions(output, group.tile_box(stage), members)
    return replace(
        group,
        members={name: MemberPlace(group.outer(inter[-1])) for name in members},
        registers={
            name: block
            for name in (output, *members)
            if (block := _unrolled(graph.stages[name], boxes.get(name, ()), machine))
        },
    )


def _unrolled(stage: StoredStage, box: Box, machine: Machine) -> dict[str, int] | None:
    """How much of a sum's innermost loop is written out, with the reduction around it; None where
    that is no whole vector, or what the sum reads keeps it waiting anyway.

    The sums of these vectors stay in registers, and none waits for the one before. Blocks of more
    than one row would be a tiling for registers, which the paper leaves to others (section 5.4).
    """
    if stage.shared_along is None or stage.is_fixed or not box:
        return None
    lanes = machine.lanes(stage.function.types[0].bits)
    vectors = min(MOST_VECTORS, extent(box[0]) // lanes)
    return {stage.args[0]: vectors * lanes} if vectors else None


def _by_reuse(stage: StoredStage, reused: Mapping[str, float]) -> list[str]:
    """All variables of the stage's loops, those of least reuse outermost; reduction variables keep
    their order, and coordinates of equal reuse too."""
    names = [name for name in reversed(stage.args) if name not in stage.entangled]
    found = dict.fromkeys(n for part in stage.parts for n in reversed(part.reduction))
    reductions = list(found)
    order = sorted([*names, *reductions], key=lambda name: reused[name])
    kept = iter(reductions)
    order = [next(kept) if name in reductions else name for name in order]
    return [*(name for name in reversed(stage.args) if name in stage.entangled), *order]


def _strips(stage: StoredStage, order: Sequence[str], machine: Machine) -> Tile:
    """Strips of the outermost coordinates, about as many as keep all threads busy; rows are cut
    where nothing else is left to cut."""
    sizes, free = extents(stage), free_coordinates(stage)
    enough = machine.threads * TASKS_PER_THREAD
    tile: dict[str, int] = {}
    tasks = 1
    for name in sorted((n for n in order if n in free), key=lambda n: n == stage.args[0]):
        if 2 * tasks > enough:
            break
        tile[name] = -(-sizes[name] // -(-enough // tasks))
        if name == stage.args[0]:
            tile[name] = max(tile[name], machine.lanes(8))
        tasks *= -(-sizes[name] // tile[name])
    return tile


__all__ = ["finished", "has_ordered_loops"]
