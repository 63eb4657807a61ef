"""Groups of stages in overlapped tiles, found greedily (autoscheduler-2016).

Stages that are cheaper to compute again are inlined. Then each stage is a group of its own, and as
long as computing one group inside of the tiles of the only group that reads it saves something, the
merge that saves most is made, with the best tile for it. `Measured` may try the parameter sets of
`reduced_tuning` on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .graph import PipelineGraph, StoredStage
from .groups import Grouping
from .machine import Machine
from .mullapudi2016_inlining import inlined
from .mullapudi2016_loops import finished, has_ordered_loops
from .mullapudi2016_tiles import (
    Tile,
    extents,
    free_coordinates,
    middle_tile,
    reuse,
    single_tile,
    tile_cost,
    tile_count,
    tile_sizes,
)
from .reach import volume

INNERMOST_VECTORS = 4
"""Tiles have at least so many times `vector_width` points along the innermost coordinate."""


@dataclass(frozen=True)
class Mullapudi2016Parameters:
    """The machine as autoscheduler-2016 sees it (section 5.1); `of` takes it from a description."""

    parallelism_threshold: int
    """Tiles that a group has at least: a small multiple of the cores."""
    cache_size: int
    """Bytes that a tile and all it needs may take."""
    load_cost: float
    """What reading a value from memory costs, in arithmetic operations."""
    vector_width: int
    """Values: twice what a vector of the machine holds of 32 bits each."""
    row_start: int = 1024
    """Bytes that could be read while the first values of a row are waited for."""

    @property
    def least_innermost(self) -> int:
        return INNERMOST_VECTORS * self.vector_width

    @staticmethod
    def of(machine: Machine) -> Mullapudi2016Parameters:
        """Section 5.1's settings: two tiles a thread, the second-level cache, 10, two vectors."""
        cache = machine.caches[:2][-1]
        private = cache.size // cache.shared_by
        return Mullapudi2016Parameters(2 * machine.threads, private, 10, 2 * machine.lanes(32))


def reduced_tuning(machine: Machine) -> tuple[Mullapudi2016Parameters, ...]:
    """The six parameter sets that are worth timing (section 5.1): three caches, two load costs."""
    usual = Mullapudi2016Parameters.of(machine)
    return tuple(
        replace(usual, cache_size=kilobytes << 10, load_cost=load_cost)
        for kilobytes in (32, 128, 256)
        for load_cost in (10, 20)
    )


def mullapudi2016(
    graph: PipelineGraph, machine: Machine, parameters: Mullapudi2016Parameters | None = None
) -> Grouping:
    """The groups that autoscheduler-2016 finds for a pipeline; `parameters` as
    `Mullapudi2016Parameters.of` where none are given."""
    chosen = Mullapudi2016Parameters.of(machine) if parameters is None else parameters
    search = _Search(inlined(graph, chosen.load_cost), chosen)
    search.run()
    groups = [
        finished(search.graph, machine, g.output, g.members, g.tile) for g in search.groups.values()
    ]
    costs = {g.output: g.cost for g in search.groups.values()}
    return Grouping("Mullapudi2016", search.graph, tuple(groups), costs)


@dataclass(frozen=True)
class _Group:
    """A group on the way: its output, its members (producers first), its tile."""

    output: str
    members: tuple[str, ...]
    tile: Tile | None
    """None: computed as it is; by the cost model, every value that it reads is then a load."""
    cost: float
    """Operations and loads of all tiles, in operations."""

    @property
    def names(self) -> frozenset[str]:
        return frozenset([self.output, *self.members])


class _Search:
    """Listing 2, and the loop around it (section 4.2)."""

    def __init__(self, graph: PipelineGraph, parameters: Mullapudi2016Parameters) -> None:
        self.graph, self.parameters = graph, parameters
        self.groups = {s.name: self.alone(s) for s in graph.stages.values()}
        self.tried: dict[tuple[frozenset[str], str, frozenset[str]], _Group | None] = {}

    def run(self) -> None:
        """Merges as long as it saves something, what saves most first."""
        while True:
            best, saved = None, -1.0
            for producer, consumer in self.candidates():
                merged = self.merged(producer, consumer)
                if merged is None:
                    continue
                found = producer.cost + consumer.cost - merged.cost
                if found > saved:
                    best, saved = (producer, merged), found
            if best is None:
                return
            producer, merged = best
            del self.groups[producer.output]
            self.groups[merged.output] = merged

    def alone(self, stage: StoredStage) -> _Group:
        """A stage by itself, tiled where that lets it read its inputs more often from the cache."""
        work = stage.work(stage.bounds)
        found = None
        if not stage.is_fixed and has_ordered_loops(stage):
            found = single_tile(self.graph, stage, self.parameters)
        loads = stage.loads(stage.bounds) if found is None else found.loads
        cost = work + self.parameters.load_cost * loads
        return _Group(stage.name, (), None if found is None else found.tile, cost)

    def candidates(self) -> Iterator[tuple[_Group, _Group]]:
        """Groups of which exactly one other reads the output, with that one (section 4.2.2)."""
        holder = {name: g for g in self.groups.values() for name in g.names}
        for group in self.groups.values():
            stage = self.graph.stages[group.output]
            readers = {holder[c].output for c in self.graph.consumers[group.output]}
            if len(readers) != 1 or stage.is_output or stage.is_fixed:
                continue
            consumer = self.groups[readers.pop()]
            output = self.graph.stages[consumer.output]
            if not output.is_fixed and has_ordered_loops(output):
                yield group, consumer

    def merged(self, producer: _Group, consumer: _Group) -> _Group | None:
        """The two as one group under the best tile; None where no tile will do."""
        key = (producer.names, consumer.output, consumer.names)
        if key not in self.tried:
            self.tried[key] = self.merge(producer, consumer)
        return self.tried[key]

    def merge(self, producer: _Group, consumer: _Group) -> _Group | None:
        output = self.graph.stages[consumer.output]
        inside = producer.names | consumer.names
        members = tuple(n for n in self.graph.stages if n in inside and n != output.name)
        cut = free_coordinates(output)
        if not cut:
            return None
        sizes = extents(output)
        reused = reuse(self.graph, output.name, members)
        by_reuse = sorted(cut, key=lambda name: -reused[name])
        limits = self.parameters
        best: _Group | None = None
        for tile in tile_sizes(sizes, by_reuse, output.args[0], limits.least_innermost):
            count = tile_count(sizes, tile)
            if count < limits.parallelism_threshold:
                continue
            box = middle_tile(output, tile)
            one = tile_cost(self.graph, output.name, members, box, limits.row_start)
            if one.footprint > limits.cache_size or one.narrowest < limits.vector_width // 2:
                continue
            # The last tile of a row counts as far as it goes: its tail is not computed.
            tiles = volume(output.bounds) / volume(box)
            cost = tiles * (one.work + limits.load_cost * one.loads)
            if best is None or cost < best.cost:
                best = _Group(output.name, members, tile, cost)
        return best


__all__ = ["Mullapudi2016Parameters", "mullapudi2016", "reduced_tuning"]
