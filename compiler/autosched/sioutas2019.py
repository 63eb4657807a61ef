"""The scheduler of the scheduling thesis' chapter 5: sliding windows in folded buffers.

Where a stage is computed and where it is stored are two decisions (`fusion`); then loops and tiles
are chosen (`tiling_analysis`), for the pipeline as a whole and for the segments that it is cut into
(`segmentation`).
"""

from __future__ import annotations

from dataclasses import dataclass

from .fusion import inlined_where_free
from .graph import PipelineGraph
from .groups import Grouping
from .levels import last_level
from .machine import Machine
from .reach import volume
from .segmentation import Segmentation, with_stored_inlined
from .stage_work import MachineLimits


@dataclass(frozen=True)
class Sioutas2019Parameters:
    """What the method takes from the machine (thesis section 5.4 and table 5.2)."""

    load_weight: float = 20.0
    """w: cycles that beginning a row of memory costs beside computing."""
    second_level: int = 0
    """Bytes for buffers that are consumed at once; 0: the machine's second-level cache."""
    last_level: int = 0
    """Bytes for buffers that windows slide over; 0: the machine's last-level cache."""
    max_split: int = 1
    """The fewest stages that are cut off as a segment of their own."""
    stream: bool = True
    """Whether outputs that no cache holds are written past them (section 4.3). What the last level
    holds goes to memory later, when nobody waits for it."""

    def limits(self, machine: Machine) -> MachineLimits:
        caches = [c.size // max(1, c.shared_by) for c in machine.caches]
        second = self.second_level or caches[min(1, len(caches) - 1)]
        last = self.last_level or max(machine.caches[-1].size, second)
        return MachineLimits(machine, self.load_weight, second, last)


def sioutas2019(
    graph: PipelineGraph, machine: Machine, parameters: Sioutas2019Parameters | None = None
) -> Grouping:
    """The grouping of thesis chapter 5 for a pipeline on a machine."""
    parameters = parameters or Sioutas2019Parameters()
    limits = parameters.limits(machine)
    graph = inlined_where_free(graph)
    graph, segments = with_stored_inlined(
        graph, Segmentation(graph, limits, parameters.max_split).best(), limits
    )
    groups, costs = [], {}
    for segment in segments:
        stage = graph.stages[segment.output]
        size = volume(stage.bounds) * stage.bytes_per_point
        stream = parameters.stream and stage.is_output and stage.is_pure
        stream = stream and not graph.consumers[stage.name]
        groups.append(segment.tiling.group(stream and size > last_level(machine)))
        costs[segment.output] = segment.tiling.cycles / machine.clock
    return Grouping("Sioutas2019", graph, tuple(groups), costs)


__all__ = ["Sioutas2019Parameters", "sioutas2019"]
