"""What a group does, counted from the loop nest that it makes.

Vector operations and loads (with the lanes that a row's end leaves idle), bytes that come from each
level of the caches, iterations of loops, allocations, and the parallel tasks: what the cost model
weighs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from .cases import CoordinateCase, mean_case, written_out
from .graph import DefinitionPart, PipelineGraph, StoredStage
from .groups import MOST_UNROLLED, TASKS_PER_THREAD, Group
from .levels import CLOSELY_FILLED, FILLED, LEVEL_BYTES, last_level
from .machine import Machine
from .reach import Box, Range, extent, hull, volume
from .register_blocks import Blocks, BlockWork
from .vector_loads import vector_loads

CHANNEL = 4.0
"""Operations for each vector where the channels of a pixel take turns."""


@dataclass(frozen=True)
class Features:
    """What one group does, all tiles together."""

    operations: float = 0
    """Vector operations (scalar ones where there are no vectors)."""
    loads: float = 0
    """Vector loads and stores."""
    rows: float = 0
    """Times that an innermost loop is entered."""
    realizations: float = 0
    """Times that a stage's region is computed."""
    cached_bytes: float = 0
    """Bytes that come from beyond the first level, weighed by the cycles for a byte."""
    memory_bytes: float = 0
    """Bytes that go to and from memory."""
    tasks: float = 1
    footprint: float = 0
    """Bytes that one tile works on."""
    steady_cycles: float = 0
    """Cycles for operations of blocks in registers, at the core's full rate."""
    streaming_cycles: float = 0
    """Cycles to bring from the second level what such blocks read meanwhile."""


@dataclass(frozen=True)
class _Level:
    """A loop of the group's output: its name, and what one iteration of it computes of the
    output."""

    name: str
    iterations: int
    """Of this loop and all outside of it."""
    box: Box
    following: Box
    """Of the iteration after that one; the same where there is no loop."""


_COMMON: WeakKeyDictionary[DefinitionPart, dict[str, tuple[int, int]]] = WeakKeyDictionary()
"""`DefinitionPart.shared` of each part that was asked for."""


_REGIONS: WeakKeyDictionary[StoredStage, dict[tuple[tuple[StoredStage, ...], Box], dict[str, Box]]]
_REGIONS = WeakKeyDictionary()
"""By the group's output: by the stages in the group and a box, what this needs. Groups that differ
in their loops alone ask for many of the same."""


class GroupNest:
    """The loop nest of one group."""

    def __init__(self, graph: PipelineGraph, group: Group, machine: Machine) -> None:
        self.graph, self.group, self.machine = graph, group, machine
        self.output = graph.stages[group.output]
        self.inside = [group.output, *group.members]
        self.levels = list(self._levels())
        self.by_name = {level.name: i for i, level in enumerate(self.levels)}
        self._regions: dict[int, dict[str, Box]] = {}
        self._held: dict[int, int] = {}
        self._footprints: dict[int, float] = {}
        self._block_work: dict[DefinitionPart, BlockWork] = {}

    def _levels(self) -> Iterator[_Level]:
        """From the outside in; the first is no loop but all of it."""
        group, stage = self.group, self.output
        box = dict(zip(stage.args, stage.bounds, strict=True))
        iterations = 1
        yield _Level("", 1, stage.bounds, stage.bounds)
        for v in group.inter:
            if v not in box:
                continue
            size = extent(box[v])
            tile = min(group.tiles[v], size) if v in group.intra else 1
            count = -(-size // tile)
            low = box[v][0] + (count // 2) * tile
            box[v] = (low, min(low + tile - 1, box[v][1]))
            iterations *= count
            yield _Level(group.outer(v), iterations, tuple(box.values()), _moved(box, v))
        for v in group.intra:
            if v not in box:
                continue
            iterations *= extent(box[v])
            low = (box[v][0] + box[v][1]) // 2
            box[v] = (low, low)
            yield _Level(group.inner(v), iterations, tuple(box.values()), _moved(box, v))

    def regions(self, level: int) -> dict[str, Box]:
        """What one iteration of a level needs of every stage and image."""
        found = self._regions.get(level)
        if found is None:
            known = _REGIONS.setdefault(self.output, {})
            key = (tuple(self.graph.stages[name] for name in self.inside), self.levels[level].box)
            found = known.get(key)
            if found is None:
                found = known[key] = self.graph.regions(self.output.name, key[1], self.inside)
            self._regions[level] = found
        return found

    @cached_property
    def placed(self) -> dict[str, tuple[int, int]]:
        """The levels at which each member is computed and stored."""
        made = {}
        for name, placement in self.group.members.items():
            compute = self.by_name.get(placement.compute, 0)
            store = compute if placement.store is None else self.by_name.get(placement.store, 0)
            made[name] = (compute, store)
        return made

    def features(self) -> Features:
        operations = loads = rows = realizations = cached = steady = streaming = 0.0
        for name in self.inside:
            stage = self.graph.stages[name]
            compute, store = self.placed.get(name, (0, 0))
            level = self.levels[store]
            # What slides is computed once for each iteration of the loop that it is stored in.
            box = self.regions(store).get(name, stage.bounds)
            times = level.iterations
            for part in stage.parts:
                points = volume(part.ranges(stage, box)) * times
                width, lanes = self._vectors(stage, part, box)
                vectors = points / width * -(-width // lanes)
                if part.reduction and stage.name in self.group.registers:
                    work = self._blocks(stage, part)
                    steady += work.operation_cycles
                    streaming += work.streaming_cycles
                    loads += work.loads
                    rows += work.iterations
                    cached += work.waiting_cycles
                    continue
                values, reads, shared = self._shared(stage, part)
                case = self._case(stage, part, self.regions(compute).get(name, stage.bounds))
                computed = part.value_cost if case is None else case.operations
                operations += vectors * max(1, computed - values * shared)
                operations += vectors * CHANNEL if shared else 0
                loaded = self._loads(stage, part, lanes, width, case)
                loads += vectors * max(1.0, loaded - reads * shared)
                rows += points / width / self._written_out(part, case)
                cached += self._cached(part, points, case)
            if name != self.output.name:
                realizations += self.levels[compute].iterations
        tasks = self._tasks()
        footprint = self._footprint(self._tile_level())
        memory = self._memory()
        return Features(
            operations, loads, rows, realizations, cached, memory, tasks, footprint, steady,
            streaming,
        )  # fmt: skip

    def _blocks(self, stage: StoredStage, part: DefinitionPart) -> BlockWork:
        """Of a sum in registers: what all of its blocks do."""
        found = self._block_work.get(part)
        if found is None:
            found = self._block_work[part] = Blocks(self, stage, part).work()
        return found

    def _shared(self, stage: StoredStage, part: DefinitionPart) -> tuple[int, int, float]:
        """Where the channels of a pixel are computed one after the other: the operations and reads
        that they have in common, and the share of these that is saved."""
        group = self.group
        if stage is not self.output or not group.intra:
            return 0, 0, 0.0
        channel = group.intra[-1]
        size = group.tiles.get(channel, 1)
        if channel in stage.args[:1] or channel not in group.inter or size > MOST_UNROLLED:
            return 0, 0, 0.0
        values, reads = self._in_common(part, channel)
        return values, reads, 1 - 1 / size

    def _in_common(self, part: DefinitionPart, variable: str) -> tuple[int, int]:
        known = _COMMON.setdefault(part, {})
        if variable not in known:
            known[variable] = part.shared(variable)
        return known[variable]

    def _case(self, stage: StoredStage, part: DefinitionPart, box: Box) -> CoordinateCase | None:
        """What is left of a member's definition where a coordinate's values are written out."""
        if stage is self.output or part.reduction or stage.name in self.group.registers:
            return None
        variable = written_out(stage, part, box)
        if variable is None:
            return None
        return mean_case(part, variable, box[stage.args.index(variable)])

    def _written_out(self, part: DefinitionPart, case: CoordinateCase | None) -> int:
        """The points of a definition that one iteration of its innermost loop computes."""
        if case is not None:
            return case.count
        return volume(part.domain) if part.is_chosen_by_reduction else 1

    def _loads(
        self,
        stage: StoredStage,
        part: DefinitionPart,
        lanes: int,
        width: int,
        case: CoordinateCase | None,
    ) -> float:
        """Loads and stores for one vector of a definition."""
        shares = dict.fromkeys((c for calls in part.reads.values() for c in calls), 1.0)
        if case is not None:
            shares = case.reads
        own = part.reads.get(stage.name, ())
        # What a reduction that is written out computes stays in a register meanwhile.
        steps = self._written_out(part, None)
        fits = width * self.machine.caches[0].line <= FILLED * self.machine.caches[0].size
        x = stage.args[0] if stage.args else ""
        loads = sum(vector_loads(c, x, lanes, fits) * (s / steps if c in own else s)
                    for c, s in shares.items())  # fmt: skip
        return loads + len(stage.function.types) / steps

    def _vectors(self, stage: StoredStage, part: DefinitionPart, box: Box) -> tuple[int, int]:
        """The iterations of the loop along the first coordinate, and how many of them are lanes."""
        if not stage.args:
            return 1, 1
        variable = stage.args[0]
        if variable not in part.loops:
            return 1, 1
        width = max(1, extent(box[0]))
        if stage is self.output and variable in self.group.inter and variable in self.group.intra:
            width = min(width, self.group.tiles[variable])
        if variable in stage.entangled and part is not stage.parts[0]:
            return width, 1
        lanes = self.machine.lanes(max(stage.widths(part)))
        while lanes > width:
            lanes //= 2
        return width, lanes

    def _tile_level(self) -> int:
        """The innermost loop over tiles."""
        return sum(1 for v in self.group.inter if v in self.output.args)

    def _footprint(self, level: int) -> float:
        """Bytes that one iteration of a level touches: members' memory, and what comes from
        outside."""
        found = self._footprints.get(level)
        if found is None:
            found = self._footprints[level] = self._counted_footprint(level)
        return found

    def _counted_footprint(self, level: int) -> float:
        total = 0.0
        regions = self.regions(level)
        for name, box in regions.items():
            if name in self.placed:
                compute, store = self.placed[name]
                if store >= level or compute >= level:
                    # Folded to what one iteration of the inner loop needs, where the window slides.
                    box = self.regions(max(compute, level))[name]
            total += volume(box) * self.graph.bytes_per_point(name)
        return total

    def _held_for(self, level: int) -> int:
        """The level of the caches that keeps what one iteration of a level touches."""
        found = self._held.get(level)
        if found is None:
            if any(store < level <= compute for compute, store in self.placed.values()):
                found = self._cache_level(self._touched(level), CLOSELY_FILLED)
            else:
                found = self._cache_level(self._footprint(level))
            self._held[level] = found
        return found

    def _touched(self, level: int) -> float:
        """Bytes that one iteration of a level touches, where windows slide in it: an iteration
        computes what the last one didn't, and reads no more than that takes."""
        graph, made = self.graph, self.levels[level]
        here, following = {self.output.name: made.box}, {self.output.name: made.following}
        reads: dict[str, float] = {}
        total = 0.0
        for name in (*reversed(graph.stages), *graph.images):
            if name not in here:
                continue
            whole = volume(here[name])
            if name in self.inside:
                stage = graph.stages[name]
                compute, store = self.placed.get(name, (level, level))
                if store < level <= compute:
                    here[name], following[name] = _advanced(here[name], following[name])
                reads[name] = reads.get(name, 0.0) + volume(here[name])
                for boxes in (here, following):
                    for producer, box in graph.required(name, boxes[name]).items():
                        boxes[producer] = hull(boxes.get(producer), box)
                for producer in graph.required(name, here[name]):
                    # Beyond the last iteration nothing is read.
                    following.setdefault(producer, here[producer])
                for part in stage.parts:
                    points = volume(part.ranges(stage, here[name]))
                    case = self._case(stage, part, here[name])
                    for producer in part.reads:
                        share = _reads(part, producer, case)
                        reads[producer] = reads.get(producer, 0.0) + points * share
            total += min(whole, reads[name]) * graph.bytes_per_point(name)
        return total

    def _cache_level(self, size: float, share: float = FILLED) -> int:
        """The first level of the caches of which a share holds so many bytes; their number for
        memory."""
        caches = self.machine.caches
        for i, cache in enumerate(caches):
            held = last_level(self.machine) if i == len(caches) - 1 and i > 1 else cache.size
            if size <= share * held / (cache.shared_by if i < 2 else 1):
                return i
        return len(caches)

    def _cached(self, part: DefinitionPart, points: float, case: CoordinateCase | None) -> float:
        """Cycles to bring what a member reads of other members from beyond the first level."""
        cycles = 0.0
        for name in part.reads:
            if name not in self.placed:
                continue
            level = self._held_for(self.placed[name][0])
            if level > 0:
                bytes_a_cycle = LEVEL_BYTES[min(level, len(LEVEL_BYTES) - 1)]
                unique = min(_reads(part, name, case), 4)
                cycles += points * unique * self.graph.bytes_per_point(name) / bytes_a_cycle
        return cycles

    def _memory(self) -> float:
        """Bytes that come from other groups and images, and that the output is."""
        total = 0.0
        caches = self.machine.caches
        # The outermost loop of which an iteration stays in the second level: what it reads, it
        # reads once.
        second = caches[min(1, len(caches) - 1)].size
        level = next(
            (i for i in range(len(self.levels)) if self._footprint(i) <= second),
            len(self.levels) - 1,
        )
        whole = self.regions(0)
        in_blocks = self.output.name in self.group.registers
        summed = [p for p in self.output.parts if p.reduction and in_blocks]
        total += sum(self._blocks(self.output, p).memory_bytes for p in summed)
        for name, box in self.regions(level).items() if not summed else ():
            if name in self.placed or name == self.output.name:
                continue
            size = self.graph.bytes_per_point(name)
            once = volume(whole[name]) * size
            read = volume(box) * size * self.levels[level].iterations
            # What is read again soon after is still in the last level, mostly.
            again = max(0.0, read - once) * 0.2
            total += again + once * (1.0 if name in self.graph.images else self._far(once))
        written = volume(self.output.bounds) * self.output.bytes_per_point
        passes = len(self.output.parts) + (0 if self.group.stream else 1)
        total += written * passes * (1.0 if self.output.is_output else self._far(written))
        for name, (_, store) in self.placed.items():
            if self._cache_level(self._footprint(store)) == len(caches):
                size = volume(self.regions(store)[name]) * self.graph.bytes_per_point(name)
                total += 2 * size * self.levels[store].iterations
        return total

    def _far(self, size: float) -> float:
        """What share of a stage's bytes goes through memory between groups."""
        caches = self.machine.caches
        if size <= caches[min(1, len(caches) - 1)].size / 2:
            return 0.05
        return 0.3 if size <= last_level(self.machine) / 2 else 1.0

    def _tasks(self) -> float:
        """Parallel tasks: the iterations of the outermost loops that no member is held in."""
        enough = self.machine.threads * TASKS_PER_THREAD
        held = {loop for p in self.group.members.values() for loop in (p.compute, p.store)}
        tasks = 1.0
        for level in self.levels[1:]:
            variable = next(
                (v for v in self.group.inter if self.group.outer(v) == level.name), None
            )
            if variable is None or variable in self.output.entangled or tasks >= enough:
                break
            tasks = level.iterations
            if level.name in held:
                break
        return tasks


def _reads(part: DefinitionPart, name: str, case: CoordinateCase | None) -> float:
    """Different calls that read a stage or image for one point of a definition."""
    calls = part.reads[name]
    return len(calls) if case is None else sum(case.reads.get(c, 0.0) for c in calls)


def _moved(box: Mapping[str, Range], variable: str) -> Box:
    """The box beside it along a variable."""
    size = extent(box[variable])
    return tuple((a + size, b + size) if v == variable else (a, b) for v, (a, b) in box.items())


def _advanced(here: Box, following: Box) -> tuple[Box, Box]:
    """What windows that moved on since the iteration before cover anew, in either iteration."""
    steps = [b[1] - a[1] if a[0] < b[0] else 0 for a, b in zip(here, following, strict=True)]

    def end(box: Box) -> Box:
        ends = zip(box, steps, strict=True)
        return tuple((max(r[0], r[1] - s + 1), r[1]) if s > 0 else r for r, s in ends)

    return end(here), end(following)


__all__ = ["Features", "GroupNest"]
