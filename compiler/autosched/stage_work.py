"""What computing and loading values takes, in cycles of one thread (thesis section 5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..ir import I32, Call, Div, Expr, Mod, Mul, Variable, postorder
from .arithmetic import value_operations
from .graph import DefinitionPart, StoredStage
from .machine import Machine
from .reach import extent, volume

HELD = 0.75
"""The part of a cache that what is kept in it may fill: the rest is for what passes through."""


@dataclass(frozen=True)
class MachineLimits:
    """What the machine demands of tiles, and what it takes to load (thesis section 5.4)."""

    machine: Machine
    load_weight: float
    """w: cycles to begin a row of memory."""
    second_level: int
    """Bytes for the buffers that don't fold."""
    last_level: int
    """Bytes for all buffers."""

    @cached_property
    def memory_cost(self) -> float:
        """Cycles of one thread for a byte from memory, while all threads load."""
        return self.machine.clock * self.machine.threads / self.machine.bandwidth

    @cached_property
    def _beyond(self) -> list[tuple[float, float]]:
        machine, made = self.machine, []
        for i, cache in enumerate(machine.caches):
            cycles = machine.level_costs[min(i + 1, len(machine.level_costs) - 1)]
            cost = self.memory_cost * cycles / machine.level_costs[-1]
            if cache is machine.caches[-1]:
                cost = self.memory_cost
            made.append((HELD * cache.size / max(1, cache.shared_by), cost))
        return made

    def byte_cost(self, kept: float) -> float:
        """Cycles for a byte of data of which `kept` bytes are used between two uses of the same."""
        cost = 0.0
        for capacity, beyond in self._beyond:
            if kept > capacity:
                cost = beyond
        return cost


def vector_lanes(stage: StoredStage, machine: Machine) -> int:
    """Points of one vector: as many as there are of the narrowest type that is read or made."""
    if not stage.args or stage.args[0] in stage.entangled:
        return 1
    narrowest = min(min(stage.widths(part)) for part in stage.parts)
    return max(1, min(machine.lanes(narrowest), extent(stage.bounds[0])))


def vector_work(stage: StoredStage, in_registers: bool = False) -> float:
    """Cycles for one vector of points: two operations or loads at a time, each as wide as its
    type: more than one where the vector has narrow elements too.

    A sum whose blocks stay in registers reads little, each value for a whole row of the block.
    """
    bits = [t.bits for t in stage.function.types]
    reads = [c for part in stage.parts for calls in part.reads.values() for c in calls]
    narrow = max(8, min(bits + [c.type.bits for c in reads]))
    wide = max(bits + [n.type.bits for part in stage.parts for n in _computed(part)]) / narrow
    whole, found = max(1, volume(stage.bounds)), 0.0
    for part in stage.parts:
        often = volume(part.ranges(stage, stage.bounds)) / whole
        if stage.shared_along is not None and part.reduction:
            # What other blocks read too comes from a cache again for each vector.
            found += often * wide * (1.0 if in_registers else OUT_OF_REGISTERS)
        else:
            found += often * wide * (part_work(part, stage) + 1) / 2
    return found


OUT_OF_REGISTERS = 6.0
"""Times that a step of a sum takes where no block of sums stays in registers."""

SCATTERED = 8.0
"""Times that a vector takes whose values go to places that data says."""

LANE_LOAD = 4.0
"""Loads that take as long as collecting a vector from many places."""


def _vector_loads(call: Call, stage: StoredStage) -> float:
    """Vector loads for one vector of what a call reads: several where lanes lie apart."""
    if not stage.args:
        return 1.0
    x = Variable(stage.args[0], I32)
    moving = [d for d, arg in enumerate(call.args) if x in postorder(arg)]
    if not moving:
        return 0.5
    by_data = any(map(_has_data, call.args))
    if moving != [0] or by_data:
        return 4 * LANE_LOAD if moving != [0] else 2 * LANE_LOAD
    scaled = any(
        isinstance(n, Mul | Div | Mod) and x in postorder(n) for n in postorder(call.args[0])
    )
    return 2.0 if scaled else 1.0


def part_work(part: DefinitionPart, stage: StoredStage) -> float:
    """Operations and loads for one vector of points; what data places goes lane by lane."""
    calls = [call for made in part.reads.values() for call in made]
    work = value_operations(part.definition.values) + sum(_vector_loads(c, stage) for c in calls)
    return work * SCATTERED if any(map(_has_data, part.definition.args)) else work


def _computed(part: DefinitionPart) -> Iterator[Expr]:
    """What a definition computes, without where it reads."""
    seen: set[Expr] = set()
    waiting = list(part.definition.values)
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            if not (isinstance(node, Call) and node.kind in ("func", "image")):
                waiting.extend(node.children)


def reads_by_data(stage: StoredStage) -> bool:
    """Whether data says where the stage reads."""
    return any(
        _has_data(arg)
        for part in stage.parts
        for calls in part.reads.values()
        for call in calls
        for arg in call.args
    )


def _has_data(expr: Expr) -> bool:
    return any(isinstance(node, Call) for node in postorder(expr))


__all__ = ["MachineLimits", "part_work", "reads_by_data", "vector_lanes", "vector_work"]
