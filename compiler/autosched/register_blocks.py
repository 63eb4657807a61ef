"""What a sum does whose blocks stay in registers: loads, what comes from each cache, and waits.

A block's steps wait for nothing but each other, so its operations go at the core's full rate, and
what the steps read streams in meanwhile. What a block needs before its first step is waited for:
the sums so far, and the first values of rows that no cache keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from .graph import DefinitionPart, StoredStage
from .levels import FILLED, LEVEL_BYTES, PAGE, PAGE_CYCLES, PAGES, last_level, strided_bytes
from .machine import Cache
from .reach import Box, Range, extent, volume
from .vector_loads import variables_of, vector_loads

if TYPE_CHECKING:
    from .features import GroupNest

FULL_RATE = 2.0
"""Vector operations a cycle where enough sums take turns that none waits for the one before."""

WAIT = 0.6
"""Of memory's latency: what beginning a row takes that a block waits for; several begin at once."""

VALUE_CYCLES = 2.4
"""For a step of one value of a block that reaches over the end: they go one by one."""


@dataclass(frozen=True)
class BlockWork:
    """Of all blocks of a definition together; cycles are one core's."""

    iterations: int
    """Blocks, once for each tile of the reductions."""
    operation_cycles: float
    loads: float
    """Vectors that are loaded or stored."""
    streaming_cycles: float
    """To bring from the second level what the steps read, meanwhile."""
    waiting_cycles: float
    """To begin rows from beyond the second level, or to bring all of them if that takes longer."""
    memory_bytes: float
    """Bytes from beyond the last level."""


@dataclass(frozen=True)
class _Loop:
    """A loop around blocks: its iterations, for each iteration of the one outside of it, and what
    the part's loops run over in one of them and in the next."""

    count: int
    ranges: tuple[Range, ...]
    following: tuple[Range, ...]


class Blocks:
    """The blocks of one definition of a stage, with the loops around them."""

    def __init__(self, nest: GroupNest, stage: StoredStage, part: DefinitionPart) -> None:
        self.nest, self.stage, self.part = nest, stage, part
        self.block = nest.group.registers[stage.name]
        self.loops = self._loops()

    def _loops(self) -> list[_Loop]:
        """From the outside in: all of the stage; the loops that it is computed in; those over
        blocks, of which one iteration runs over all steps of a block."""
        nest, stage, part = self.nest, self.stage, self.part
        whole = part.ranges(stage, stage.bounds)
        made = [_Loop(1, whole, whole)]
        if stage is nest.output:
            for v in nest.group.inter:
                self._add(made, v, nest.group.tiles[v] if v in nest.group.intra else 1)
        else:
            for outer, level in pairwise(nest.levels[: nest.placed[stage.name][0] + 1]):
                boxes = [
                    nest.graph.regions(nest.output.name, box, nest.inside)[stage.name]
                    for box in (level.box, level.following)
                ]
                here, following = (part.ranges(stage, box) for box in boxes)
                made.append(_Loop(level.iterations // outer.iterations, here, following))
        for v in reversed(stage.args):
            self._add(made, v, self.block.get(v, 1))
        return made

    def _add(self, loops: list[_Loop], variable: str, size: int) -> None:
        """Adds the loop that cuts one of the part's variables."""
        if variable not in self.part.loops:
            return
        place = self.part.loops.index(variable)
        ranges = loops[-1].ranges
        low, high = ranges[place]
        count = -(-(high - low + 1) // size)
        if count > 1:
            here, following = (
                (*ranges[:place], (first, min(high, first + size - 1)), *ranges[place + 1 :])
                for first in (low, low + size)
            )
            loops.append(_Loop(count, here, following))

    def work(self) -> BlockWork:
        part, stage, machine = self.part, self.stage, self.nest.machine
        caches = machine.caches
        iterations = prod(loop.count for loop in self.loops)
        lanes = machine.lanes(max(stage.widths(part)))
        ranges = self.loops[-1].ranges
        vectors = iterations * volume(ranges) / lanes
        operations = vectors * max(1, part.value_cost) / FULL_RATE
        operations += vectors * lanes * self._beyond_end() * VALUE_CYCLES
        # The sums themselves are loaded before the first step, and stored after the last.
        loads = vectors * (self._loaded(lanes) + 2 / self._steps(ranges))
        second = self._traffic(caches[0], with_members=True)[0]
        far, rows = self._traffic(caches[min(1, len(caches) - 1)])
        memory = far
        if len(caches) > 2:
            last = replace(caches[-1], size=int(last_level(machine)), shared_by=1)
            memory = self._traffic(last)[0]
        waiting = max(
            WAIT * machine.level_costs[-1] * rows,
            far / LEVEL_BYTES[2],
            iterations * self._strange_pages() * PAGE_CYCLES,
        )
        return BlockWork(iterations, operations, loads, second / LEVEL_BYTES[1], waiting, memory)

    def _steps(self, ranges: tuple[Range, ...]) -> int:
        """Steps of the reductions in one block."""
        pairs = zip(self.part.loops, ranges, strict=True)
        return volume(tuple(r for v, r in pairs if v in self.part.reduction))

    def _beyond_end(self) -> float:
        """The share of a row's values that fill no whole block."""
        size = extent(self.stage.bounds[0])
        return size % self.block.get(self.stage.args[0], 1) / max(1, size)

    def _loaded(self, lanes: int) -> float:
        """Loads of a step for each vector of a block."""
        stage, loads = self.stage, 0.0
        for name, calls in self.part.reads.items():
            for call in calls if name != stage.name else ():
                share = vector_loads(call, stage.args[0], lanes, True)
                for v, size in self.block.items():
                    if v not in variables_of(call):
                        share /= size / lanes if v == stage.args[0] else size
                loads += share
        return loads

    def _strange_pages(self) -> int:
        """Rows of what one block reads that lie in more pages than are found at once."""
        found = 0
        for name, box in self.nest.graph.reached(self.part, self.loops[-1].ranges).items():
            rows = volume(box[1:])
            if name not in self.nest.inside and self._pitch(name) >= PAGE and rows > PAGES:
                found += rows
        return found

    def _traffic(self, cache: Cache, with_members: bool = False) -> tuple[float, float]:
        """Bytes that come from beyond a cache, and the rows among them that are waited for: those
        that a block begins with. Other members of the group lie in the second level."""
        boxes = [self.nest.graph.reached(self.part, loop.ranges) for loop in self.loops]
        held = next((i for i, found in enumerate(boxes) if self._holds(cache, found)), None)
        place = len(boxes) - 1 if held is None else held
        first = self.nest.graph.reached(self.part, self._first_step(self.loops[place].ranges))
        total = begun = 0.0
        for name, box in boxes[place].items():
            if name in self.nest.placed and not (with_members and name != self.stage.name):
                continue
            times = self._times(name, place, held is not None)
            times *= 2 if name == self.stage.name else 1  # Sums are written back, too.
            total += times * volume(box) * self.nest.graph.bytes_per_point(name)
            if box and box[0] != self.nest.graph.bounds(name)[0]:
                begun += times * volume(first[name][1:])
        return total, begun

    def _times(self, name: str, place: int, is_held: bool) -> int:
        """How often what an iteration reads of something comes anew: not in the iterations of the
        loops next outside that read the same, where that is held."""
        times = 1
        for loop in reversed(self.loops[: place + 1]):
            moves = self._box(name, loop.ranges) != self._box(name, loop.following)
            if times > 1 or moves or not is_held:
                times *= loop.count
        return times

    def _box(self, name: str, ranges: tuple[Range, ...]) -> Box:
        return self.nest.graph.reached(self.part, ranges).get(name, ())

    def _holds(self, cache: Cache, boxes: Mapping[str, Box]) -> bool:
        """Whether a thread's part of a cache holds all boxes, and each finds its sets."""
        size, total = cache.size // cache.shared_by, 0
        for name, box in boxes.items():
            element = self.nest.graph.bytes_per_point(name)
            total += volume(box) * element
            if name not in self.nest.placed and len(box) > 1:
                row, rows = extent(box[0]) * element, volume(box[1:])
                if strided_bytes(cache, rows, row, self._pitch(name)) > FILLED * size:
                    return False
        return total <= FILLED * size

    def _pitch(self, name: str) -> int:
        """Bytes from one row of something to the next."""
        bounds = self.nest.graph.bounds(name)
        return extent(bounds[0]) * self.nest.graph.bytes_per_point(name) if bounds else 0

    def _first_step(self, ranges: tuple[Range, ...]) -> tuple[Range, ...]:
        """What the loops run over in the first step of the reductions."""
        pairs = zip(self.part.loops, ranges, strict=True)
        return tuple((r[0], r[0]) if v in self.part.reduction else r for v, r in pairs)


__all__ = ["BlockWork", "Blocks"]
