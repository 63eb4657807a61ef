"""How long a grouping takes on a machine.

For each group, what its loops do is counted (`features`); a weight for each count gives seconds.
The model ranks candidates; the machine has the last word (`measured`).
"""

from __future__ import annotations

from dataclasses import dataclass

from .features import Features, GroupNest
from .graph import PipelineGraph
from .groups import Group
from .machine import Machine

OPERATIONS_PER_CYCLE = 1.3
"""Vector operations that a core starts in a cycle, as far as dependences let it."""

LOADS_PER_CYCLE = 1.2
ROW_CYCLES = 12.0
"""To begin and to leave a loop, with the vectors of its tail."""

REALIZATION_CYCLES = 40.0
"""To compute a stage's region and find its memory, for each time that it is computed."""

TASK_CYCLES = 4000.0
"""To hand out a parallel task."""

THREAD_SHARE = 0.6
"""What one thread alone reaches of the bandwidth of all."""


@dataclass(frozen=True)
class GroupCost:
    """The prediction for a group."""

    seconds: float
    features: Features


class CostModel:
    """Predicts groups of stages; each group once."""

    def __init__(self, graph: PipelineGraph, machine: Machine, threads: int | None = None) -> None:
        self.graph, self.machine = graph, machine
        self.threads = machine.threads if threads is None else threads

    def cost(self, group: Group) -> GroupCost:
        features = GroupNest(self.graph, group, self.machine).features()
        return GroupCost(self.seconds(features), features)

    def seconds(self, f: Features) -> float:
        """The features' time."""
        machine = self.machine
        operating = f.operations / OPERATIONS_PER_CYCLE + f.steady_cycles
        loading = f.loads / LOADS_PER_CYCLE + f.streaming_cycles
        cycles = (
            max(operating, loading)
            + 0.3 * min(operating, loading)
            + f.rows * ROW_CYCLES
            + f.realizations * REALIZATION_CYCLES
            + f.cached_bytes
        )
        workers = max(1, min(self.threads, f.tasks))
        iterations = -(-f.tasks // workers) * workers / f.tasks
        computing = cycles * iterations / workers / machine.clock
        share = THREAD_SHARE if workers == 1 else 1.0
        moving = f.memory_bytes / (machine.bandwidth * share)
        started = f.tasks * TASK_CYCLES / machine.clock / workers
        return max(computing, moving) + 0.25 * min(computing, moving) + started


__all__ = ["CostModel", "Features", "GroupCost"]
