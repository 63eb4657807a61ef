"""Which tiles and which order of loops a segment's output gets (thesis section 5.4, Algorithm 6).

For every order of the loops, stages are placed by the fusion analysis; then all tile sizes are
tried. What a nest costs follows from three things of each stage: the points that are computed, the
rows that are begun in what it loads, and the buffer that it is kept in (section 5.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

from ..ir import I32, Variable, postorder
from .fusion import Fused, FusionSpace, regions
from .graph import PipelineGraph
from .groups import TASKS_PER_THREAD, Group, MemberPlace
from .levels import NEAR_PAGE_CYCLES, NEAR_PAGES, PAGE
from .nests import SMALL, Nests, Order, TiledNest
from .reach import Box, extent, volume
from .stage_work import MachineLimits, vector_lanes, vector_work

TASK_CYCLES = 3000.0
"""To hand out one parallel task."""

ROW_CYCLES = 12.0
"""To begin a row of a stage: the loop around it, its first and its last vector."""

RIM = 0.7
"""Of tiles at the rim, the part of their time that clamps at the image's edges add: loops are only
freed of them in the others."""

REALIZATION_CYCLES = 40.0
"""To begin computing a stage's region: where it lies, which rows are new."""


@dataclass(frozen=True)
class Costs:
    """What one stage of a segment costs under a nest, for the whole of the output (section 5.3)."""

    loads: int
    """Cl: rows begun, or values read one by one where rows are read across, in all that the stage
    reads from outside of the segment (equations 5.6, 5.13)."""
    computed: int
    """Cp: points computed (equation 5.3)."""
    root: int
    """Croot: the same if all is stored first (equation 5.4)."""
    buffer: int
    """B: bytes that hold what is still read (equations 5.1, 5.9)."""
    allocated: int
    """The same as the compiler allocates it: windows are rounded up to a power of two."""
    is_folded: bool
    cycles: float
    """To compute the points, rows and steps begun included."""


@dataclass(frozen=True)
class EvaluatedTiling:
    """A nest with its members' places, evaluated."""

    nest: TiledNest
    fused: Mapping[str, Fused]
    stages: Mapping[str, Costs]
    cycles: float
    """Ctotal, in cycles that pass while all threads work."""
    unfolded: int
    """Bytes of the buffers that don't fold: they stay in the second-level cache."""
    working_set: int
    """Bytes of all buffers: they stay in the last-level cache."""

    def group(self, stream: bool = False) -> Group:
        nest, plain = self.nest, self.nest.group
        members = {}
        for name, at in self.fused.items():
            compute, store = nest.levels[at.compute].loop, nest.levels[at.store].loop
            members[name] = MemberPlace(compute, None if store == compute else store)
        return replace(plain, members=members, stream=stream)


class TilingAnalysis:
    """One segment: all its stages, producers first, the output last."""

    def __init__(
        self, graph: PipelineGraph, members: tuple[str, ...], limits: MachineLimits
    ) -> None:
        self.graph, self.members, self.limits = graph, members, limits
        self.output = members[-1]
        self.stage = graph.stages[self.output]
        self.space = FusionSpace(graph, members)
        sums = {m for m in members if graph.stages[m].shared_along is not None}
        self.sums = {m for m in sums if self._is_read_in_place(m)}
        """What may stay in registers while it is added up."""
        self.work = {m: vector_work(graph.stages[m], m in self.sums) for m in members}
        if not self.stage.is_pure:
            # Its reductions lie inside of the loops over channels, say: nothing serves them all.
            sizes = map(extent, self.stage.bounds[1:])
            self.work[self.output] *= prod(size for size in sizes if size <= SMALL)
        self.across = [(m, p) for m in members for p in self._read_across(m)]
        """The members, and what they read down columns where they are computed along rows."""
        self.lanes = {m: vector_lanes(graph.stages[m], limits.machine) for m in members}
        self.orders = Nests(self.space, self.lanes[self.output], limits.machine, self.sums)
        self._tried: dict[tuple[Order, tuple[int, int]], EvaluatedTiling | None] = {}

    def _is_read_in_place(self, name: str) -> bool:
        """Whether the output alone reads a stage, each point at its own."""
        if name == self.output:
            return len(self.members) == 1
        if self.graph.consumers[name] != [self.output]:
            return False
        here = tuple(Variable(a, I32) for a in self.stage.args)
        calls = self.graph.reads_of(self.stage)[name]
        return self.stage.is_pure and all(call.args == here for call in calls)

    def _read_across(self, name: str) -> list[str]:
        stage = self.graph.stages[name]
        if not stage.args:
            return []
        x = Variable(stage.args[0], I32)
        return [
            producer
            for producer, calls in self.graph.reads_of(stage).items()
            for call in calls
            if producer in self.members and any(x in postorder(a) for a in call.args[1:])
        ]

    def best(self) -> EvaluatedTiling | None:
        """The nest that costs least; None where no tile's buffers fit.

        For each order of loops, the widest tiles are tried with all heights, the best height with
        all widths, and the best of these with all heights again. Orders that go down columns begin
        many more rows for the same points, only in smaller buffers (equations 5.12, 5.13): they
        are for segments that fit no other way.
        """
        found: EvaluatedTiling | None = None
        heights, widths = self.orders.heights, self.orders.widths
        for order in sorted(self.orders.orders, key=lambda o: o.goes_down):
            if order.goes_down and found is not None:
                break
            width, height = (widths[0] if order.goes_down else widths[-1]), heights[0]
            for along_rows in (False, True, False):
                sizes = (
                    [(w, height) for w in widths] if along_rows else [(width, h) for h in heights]
                )
                tried = {size: self._tiling(order, size) for size in sizes}
                valid = [(t.cycles, size, t) for size, t in tried.items() if t is not None]
                if valid:
                    cycles, (width, height), tiling = min(valid, key=lambda v: v[:2])
                    if found is None or cycles < found.cycles:
                        found = tiling
        return found

    def _tiling(self, order: Order, size: tuple[int, int]) -> EvaluatedTiling | None:
        """The tiles of that width and height, evaluated once; None where they are not valid."""
        key = order, size
        if key not in self._tried:
            nest = self.orders.nest(order, *size)
            tiling = None if nest is None else self.evaluate(nest, self.space.fuse(nest))
            if tiling is not None and tiling.fused and tiling.unfolded > self.limits.second_level:
                tiling = None
            self._tried[key] = tiling
        return self._tried[key]

    def evaluate(self, nest: TiledNest, fused: Mapping[str, Fused]) -> EvaluatedTiling:
        """The cost of the segment under a nest, with its members at the given places."""
        tile = nest.innermost_outer
        places = {p for at in fused.values() for p in (at.compute, at.store)}
        boxes = {
            place: regions(self.graph, self.output, nest.box(place), self.members)
            for place in places | {tile, nest.root}
        }
        stages = {
            name: self._member(name, nest, fused[name], boxes)
            if name in fused
            else self._output(nest, boxes)
            for name in self.members
        }
        kept = [c for name, c in stages.items() if name in fused]
        unfolded = sum(c.allocated for c in kept if not c.is_folded)
        working_set = sum(c.allocated for c in kept)
        weight = 0.0 if self.sums else self.limits.load_weight
        cycles = sum(c.cycles + weight * c.loads for c in stages.values())
        cycles += self._traffic(nest, fused, stages, boxes, working_set)
        cycles += self.page_cycles(fused, stages, boxes)
        tasks, threads = self._tasks(nest, fused), self.limits.machine.threads
        cycles *= 1 + RIM * nest.rim
        total = cycles * -(-tasks // threads) / tasks + tasks * TASK_CYCLES / threads
        return EvaluatedTiling(nest, fused, stages, total, unfolded, working_set)

    def _output(self, nest: TiledNest, boxes: Mapping[int, Mapping[str, Box]]) -> Costs:
        name, tile = self.output, nest.innermost_outer
        iterations, points = nest.iterations(tile), volume(self.stage.bounds)
        loads = self._loads(name, boxes[tile], nest, iterations)
        cycles = self._cycles(name, boxes[tile][name], iterations, iterations)
        return Costs(loads, points, points, 0, 0, False, cycles)

    def _member(
        self, name: str, nest: TiledNest, at: Fused, boxes: Mapping[int, Mapping[str, Box]]
    ) -> Costs:
        """What the points cost that are computed in one loop and kept for the iterations of
        another.

        Each point is computed once in an iteration of the loop around which the stage is stored: a
        window slides along the loops between.
        """
        stage = self.graph.stages[name]
        if name not in boxes[at.compute] or name not in boxes[at.store]:
            return Costs(0, 0, volume(stage.bounds), 0, 0, False, 0.0)  # read at the rim alone
        window, whole = boxes[at.compute][name], boxes[at.store][name]
        iterations = nest.iterations(at.store)
        computed = volume(whole) * iterations
        buffer = allocated = stage.bytes_per_point
        slides = at.store > at.compute
        moved = self.space.moves(nest.levels[at.compute].variable, name) if slides else set()
        for d, (near, far) in enumerate(zip(window, whole, strict=True)):
            length = extent(near if d in moved else far)
            buffer *= length
            allocated *= min(_power_of_two(length), extent(far)) if d in moved else length
        loads = self._loads(name, boxes[at.store], nest, iterations)
        cycles = self._cycles(name, whole, iterations, nest.iterations(at.compute))
        root = volume(stage.bounds)
        return Costs(loads, computed, root, buffer, allocated, slides, cycles)

    def _loads(self, name: str, boxes: Mapping[str, Box], nest: TiledNest, iterations: int) -> int:
        """Rows begun in what a stage reads from outside of the segment.

        Along rows the prefetcher runs ahead (equation 5.6); where the innermost loop goes down
        columns it doesn't, and each column begins anew (equation 5.13).
        """
        found = 0
        for source in self.graph.reads_of(self.graph.stages[name]):
            if source in boxes and source not in self.members:
                box = boxes[source]
                columns = -(-extent(box[0]) // nest.lanes) if nest.goes_down and box else 1
                found += columns * volume(box[1:]) * iterations
        return found

    def _cycles(self, name: str, box: Box, iterations: int, steps: int) -> float:
        """Computing `box` so many times, in so many steps altogether."""
        rows = volume(box[1:]) * iterations
        vectors = rows * (-(-extent(box[0]) // self.lanes[name]) if box else 1)
        return vectors * self.work[name] + rows * ROW_CYCLES + steps * REALIZATION_CYCLES

    def _traffic(
        self,
        nest: TiledNest,
        fused: Mapping[str, Fused],
        stages: Mapping[str, Costs],
        boxes: Mapping[int, Mapping[str, Box]],
        working_set: int,
    ) -> float:
        """Cycles to move bytes: what is read and written whole, and buffers beyond the first level.

        Rows that a neighbouring tile reads again come from wherever they stayed.
        """
        limits, graph, tile = self.limits, self.graph, nest.innermost_outer
        iterations, cycles, loaded = nest.iterations(tile), 0.0, 0
        outside = {n: b for n, b in boxes[tile].items() if n not in self.members}
        for name, box in outside.items():
            loaded += volume(box) * graph.bytes_per_point(name)
        for name, box in outside.items():
            size = graph.bytes_per_point(name)
            whole = volume(boxes[nest.root].get(name, box)) * size
            again = max(0, volume(box) * size * iterations - whole)
            cycles += whole * limits.byte_cost(volume(graph.bounds(name)) * size)
            between = loaded + working_set
            cycles += again * limits.byte_cost(min(whole, between * nest.neighbour_distance))
        written = volume(self.stage.bounds) * self.stage.bytes_per_point
        cycles += 2 * written * limits.byte_cost(written)
        steps = max(1, nest.iterations(1) // max(1, iterations)) if tile > 1 else 1
        cost = limits.byte_cost(working_set + loaded / steps)
        for name, at in fused.items():
            window = volume(boxes[at.compute].get(name, ())) * nest.iterations(at.compute)
            moved = stages[name].computed + max(window, stages[name].computed)
            cycles += moved * graph.stages[name].bytes_per_point * cost
        return cycles

    def page_cycles(
        self,
        fused: Mapping[str, Fused],
        stages: Mapping[str, Costs],
        boxes: Mapping[int, Mapping[str, Box]],
    ) -> float:
        """Cycles to find the pages of buffers that are read down their columns, row by row."""
        cycles = 0.0
        for name, source in self.across:
            box = boxes[fused[source].store].get(source, ())
            pitch = extent(box[0]) * self.graph.bytes_per_point(source) if box else 0
            if volume(box[1:2]) * min(pitch, PAGE) > NEAR_PAGES * PAGE:
                cycles += stages[name].computed * NEAR_PAGE_CYCLES
        return cycles

    def _tasks(self, nest: TiledNest, fused: Mapping[str, Fused]) -> int:
        """Parallel tasks: the loops over tiles, from outside, that the group hands out together."""
        held = max((at.store for at in fused.values()), default=0)
        enough = self.limits.machine.threads * TASKS_PER_THREAD
        tasks = 1
        for place in reversed(range(max(nest.innermost_outer, 0), nest.root)):
            if nest.levels[place].variable in self.stage.entangled or tasks >= enough:
                break
            tasks = nest.iterations(place)
            if place <= held:
                break
        return tasks


def _power_of_two(length: int) -> int:
    return 1 << max(length - 1, 0).bit_length()


__all__ = ["Costs", "MachineLimits", "EvaluatedTiling", "TilingAnalysis"]
