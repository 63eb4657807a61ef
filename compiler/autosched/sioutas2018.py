"""Each stage by itself: tiles for its caches, with what prefetchers do in mind (thesis chapter 4).

A stage is classified by what it reads (`classification`), then tiled for reuse over time
(`temporal_reuse`), for transposed arrays (`spatial_reuse`), or left as it is. Stages are stored at
the root; those that cost next to nothing are computed where they are read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .accumulators import accumulators, block_tiling
from .classification import LoopNest, Reuse
from .graph import DefinitionPart, PipelineGraph, StoredStage
from .groups import Group, Grouping, root_group
from .machine import Machine
from .reach import extent, volume
from .spatial_reuse import spatial_tiling
from .temporal_reuse import LoopTiling, temporal_tiling


@dataclass(frozen=True)
class Sioutas2018Parameters:
    """What the method decides by, beside the machine; `of` gives the usual ones."""

    trivial_cost: int = 2
    """Operations: a pure stage of at most so many is computed where it is read."""
    streams: bool = True
    """Whether outputs that nothing reads again are written past the caches."""
    least_streamed: int = 1 << 22
    """Bytes: a smaller output is written into the caches, where its reader may find it."""
    least_streamed_row: int = 1024
    """Bytes: tiles with shorter rows aren't streamed, which would write few lines in a row."""
    prefetched: float = 0.25
    """Around blocks of registers: what a line costs that a prefetcher brings, by one that is waited
    for. The thesis says 0, as if bandwidth had no end; some lines are on their way at a time."""
    uses_registers: bool = True
    """Whether sums are kept in blocks of registers, which the thesis leaves to the compiler."""

    @staticmethod
    def of(machine: Machine) -> Sioutas2018Parameters:
        """Outputs beyond twice the second cache are streamed (section 4.3 says: always)."""
        return Sioutas2018Parameters(least_streamed=2 * machine.caches[:2][-1].size)


def sioutas2018(
    graph: PipelineGraph, machine: Machine, parameters: Sioutas2018Parameters
) -> Grouping:
    """The groups, one a stage, of the pipeline that `graph` describes."""
    for stage in list(graph.stages.values()):
        if _is_trivial(stage, parameters):
            graph = graph.inlined(stage.name)
    groups: list[Group] = []
    costs: dict[str, float] = {}
    for stage in graph.stages.values():
        if stage.is_fixed:
            continue
        group, cost = _group(graph, stage, machine, parameters)
        groups.append(group)
        if cost is not None:
            costs[stage.name] = cost
    return Grouping("Sioutas2018", graph, tuple(groups), costs)


def reduced_tuning(machine: Machine) -> list[Sioutas2018Parameters]:
    """Other parameters that may be better where the machine isn't as its description: outputs
    written into the caches, sums in memory, prefetched lines as cheap as the thesis has them."""
    usual = Sioutas2018Parameters.of(machine)
    return [
        replace(usual, streams=False),
        replace(usual, uses_registers=False),
        replace(usual, prefetched=0.0),
    ]


def _is_trivial(stage: StoredStage, parameters: Sioutas2018Parameters) -> bool:
    may_be_inlined = stage.is_pure and not stage.is_output and not stage.is_fixed
    return may_be_inlined and stage.cost <= parameters.trivial_cost


def _group(
    graph: PipelineGraph, stage: StoredStage, machine: Machine, parameters: Sioutas2018Parameters
) -> tuple[Group, float | None]:
    """The stage's loops and, where they are tiled, the cost that the tiles were chosen by."""
    stream = _is_streamed(stage, parameters)
    plain = replace(root_group(stage, machine), stream=stream)
    nest = None if stage.entangled else LoopNest.of(graph, stage, _heaviest(stage))
    if nest is None or len(stage.function.types) > 1:
        return plain, None
    block: dict[str, int] = {}
    tiling: LoopTiling | None = None
    if nest.reuse is Reuse.TEMPORAL:
        if parameters.uses_registers:
            block = accumulators(nest, machine)
        if block:
            tiling = block_tiling(nest, machine, block, parameters.prefetched)
        else:
            tiling = temporal_tiling(nest, machine)
    elif nest.reuse is Reuse.SPATIAL:
        tiling = spatial_tiling(nest, machine)
    if tiling is None:
        return plain, None
    row = tiling.tiles[nest.column] * stage.bytes_per_point
    stream = stream and row >= parameters.least_streamed_row
    cut = {v: tiling.tiles[v] for v in tiling.inter if v in tiling.intra}
    registers = {stage.name: block} if block else {}
    made = Group(stage.name, cut, tiling.inter, tiling.intra, stream=stream, registers=registers)
    return made, tiling.cost


def _heaviest(stage: StoredStage) -> DefinitionPart:
    """The definition that most work is for."""
    return max(stage.parts, key=lambda p: (1 + p.cost) * volume(p.ranges(stage, stage.bounds)))


def _is_streamed(stage: StoredStage, parameters: Sioutas2018Parameters) -> bool:
    """Whether an output is written once and not read again."""
    size = volume(stage.bounds) * stage.bytes_per_point
    once = parameters.streams and stage.is_output and stage.is_pure
    return once and size >= parameters.least_streamed and extent(stage.bounds[0]) > 1


__all__ = ["Sioutas2018Parameters", "reduced_tuning", "sioutas2018"]
