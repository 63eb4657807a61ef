"""Tiles of a group: their sizes, what they cost, and where inputs are read again.

After autoscheduler-2016: the reuse along each direction (section 4.1), the sizes that are tried
(4.2.3), what one tile loads, computes and keeps (listing 2), and the tiles of a stage by itself
(listing 1). A load is one value that is read from memory; footprints are bytes.

The paper's tiles may be narrow, and were slow here: prefetchers run along rows and start anew in
each row of a tile. So each row that a tile begins to read or write costs as much as it could have
loaded meanwhile, and tiles longer along the innermost coordinate are tried too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from .graph import DefinitionPart, PipelineGraph, StoredStage
from .reach import Box, Range, extent, meet, volume

if TYPE_CHECKING:
    from .mullapudi2016 import Mullapudi2016Parameters

SIDES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""The sides of hypercubes that are tried."""

ELONGATIONS = (4, 16)
"""How much longer tiles are tried to be where more is reused; the whole extent is tried too."""

WHOLE = 1 << 40
"""More than any extent."""

Tile = Mapping[str, int]
"""The extent of a tile along each variable that is cut; another one's is whole."""


@dataclass(frozen=True)
class TileCost:
    """What it takes to compute one tile of a group's output."""

    work: int
    """Operations, those of its members included."""
    loads: int
    """Values that are read of stages and images outside of the group; starts of rows."""
    footprint: int
    """Bytes of all that is read, kept between members, or written."""
    narrowest: int
    """The least extent that a member has along its innermost coordinate, where not all of it is
    computed; a large number where there is none such."""


_COSTS: WeakKeyDictionary[StoredStage, dict[tuple[tuple[StoredStage, ...], Box, int], TileCost]]
_COSTS = WeakKeyDictionary()
"""By the group's output: by its members, what is computed, and the price of a row, the cost. The
searches with several parameter sets ask for the same ones."""


def free_coordinates(stage: StoredStage) -> list[str]:
    """The coordinates along which tiles can be computed apart, innermost first."""
    return [name for name in stage.args if name not in stage.entangled]


def extents(stage: StoredStage) -> dict[str, int]:
    """By coordinate and by reduction variable, at least 1."""
    made = dict(zip(stage.args, stage.bounds, strict=True))
    for part in stage.parts:
        made.update(zip(part.reduction, part.domain, strict=True))
    return {name: max(1, extent(range)) for name, range in made.items()}


def tile_count(sizes: Mapping[str, int], tile: Tile) -> int:
    """How many tiles cover these extents."""
    count = 1
    for name, size in tile.items():
        count *= -(-sizes[name] // size)
    return count


def middle_tile(stage: StoredStage, tile: Tile) -> Box:
    """The box of a tile in the middle of a stage, where no border cuts what it reads."""
    return tuple(
        _middle(range, tile.get(name, extent(range)))
        for name, range in zip(stage.args, stage.bounds, strict=True)
    )


def _middle(range: Range, size: int) -> Range:
    low, high = range
    if size >= extent(range):
        return range
    start = low + (extent(range) - size) // 2
    return start, min(high, start + size - 1)


def tile_cost(
    graph: PipelineGraph, output: str, members: Sequence[str], box: Box, row_start: int
) -> TileCost:
    """The cost of `box` of the output, computed with what it needs of the members."""
    known = _COSTS.setdefault(graph.stages[output], {})
    key = (tuple(graph.stages[name] for name in members), box, row_start)
    if key not in known:
        known[key] = _tile_cost(graph, output, members, box, row_start)
    return known[key]


def _tile_cost(
    graph: PipelineGraph, output: str, members: Sequence[str], box: Box, row_start: int
) -> TileCost:
    inside = {output, *members}
    work = loads = footprint = 0
    narrowest = WHOLE
    for name, region in graph.regions(output, box, members).items():
        points = volume(region)
        footprint += points * graph.bytes_per_point(name)
        if name in inside:
            work += graph.stages[name].work(region)
            if region and region[0] != graph.bounds(name)[0]:
                narrowest = min(narrowest, extent(region[0]))
        else:
            loads += points
        if name == output or name not in inside:
            loads += _row_starts(graph, name, region, row_start)
    return TileCost(work, loads, footprint, narrowest)


def _row_starts(graph: PipelineGraph, name: str, region: Box, row_start: int) -> int:
    """What beginning the rows of a region costs, in loads; whole rows follow each other."""
    if not region or region[0] == graph.bounds(name)[0]:
        return 0
    return volume(region[1:]) * row_start // graph.bytes_per_point(name)


def reuse(graph: PipelineGraph, output: str, members: Sequence[str]) -> dict[str, float]:
    """For each variable of the output's loops: how many values, of members and of what the group
    reads, are needed again one step along it, for each iteration of the other loops.

    Two neighbouring strips, a point wide and else as large as the stage, are compared (section
    4.1). Coordinates that can't be tiled are left out.
    """
    stage = graph.stages[output]
    made = {}
    for place, name in enumerate(stage.args):
        if name in stage.entangled:
            continue
        first, second = _strips(stage.bounds, place)
        near = graph.regions(output, first, members)
        far = graph.regions(output, second, members)
        common = sum(volume(meet(near[n], far[n])) for n in near if n != output and n in far)
        iterations = max(volume(p.ranges(stage, first)) for p in stage.parts)
        made[name] = common / max(1, iterations)
    for part in stage.parts:
        for name in part.reduction:
            made[name] = _reuse_in_reduction(graph, stage, part, name)
    return made


def _reuse_in_reduction(
    graph: PipelineGraph, stage: StoredStage, part: DefinitionPart, name: str
) -> float:
    ranges = part.ranges(stage, stage.bounds)
    first, second = _strips(ranges, part.loops.index(name))
    near, far = graph.reached(part, first), graph.reached(part, second)
    common = sum(volume(meet(near[n], far[n])) for n in near)
    return common / max(1, volume(first))


def _strips(box: Box, place: int) -> tuple[Box, Box]:
    """Two neighbouring strips in the middle, a point wide along one coordinate."""
    low, high = box[place]
    first = (low + high) // 2
    second = min(first + 1, high)
    before, after = box[:place], box[place + 1 :]
    return (*before, (first, first), *after), (*before, (second, second), *after)


def tile_sizes(
    sizes: Mapping[str, int], by_reuse: Sequence[str], innermost: str, least: int
) -> Iterator[Tile]:
    """The tiles that are tried: hypercubes, and boxes that are longer where more is reused, or
    along `innermost`.

    `sizes` has the extents, `by_reuse` the variables to cut, those of most reuse first. Along
    `innermost` a tile has at least `least` points, for vectors (section 4.2.3).
    """
    elongated = [frozenset(by_reuse[:count]) for count in range(max(1, len(by_reuse)))]
    if innermost in by_reuse:
        elongated += [names | {innermost} for names in elongated]
    seen = set()
    for names in dict.fromkeys(elongated):
        for side in SIDES:
            for longer in _longer(side) if names else (side,):
                tile = {name: longer if name in names else side for name in by_reuse}
                if innermost in tile:
                    tile[innermost] = max(tile[innermost], least)
                tile = {name: min(side, sizes[name]) for name, side in tile.items()}
                key = tuple(tile.values())
                if key not in seen:
                    seen.add(key)
                    yield tile


def _longer(side: int) -> list[int]:
    return [side * factor for factor in ELONGATIONS] + [WHOLE]


@dataclass(frozen=True)
class SingleTile:
    """The tile of a stage by itself, and what all of its tiles load."""

    tile: Tile
    loads: int


def single_tile(
    graph: PipelineGraph, stage: StoredStage, parameters: Mullapudi2016Parameters
) -> SingleTile | None:
    """The tile with which a stage by itself loads least; None where none loads less than the stage
    that isn't tiled (listing 1).

    Stages of one definition read little twice and aren't tiled. A single reduction variable is cut
    too, as in figure 3; of several, cutting one would change the order of the terms. Without
    coordinates a stage stays as it is.
    """
    if stage.is_pure or not stage.args:
        return None
    cut = free_coordinates(stage)
    if len(stage.parts) == 2 and len(stage.parts[1].reduction) == 1:
        cut += stage.parts[1].reduction
    sizes = extents(stage)
    reused = reuse(graph, stage.name, ())
    by_reuse = sorted(cut, key=lambda name: -reused[name])
    best, fewest = None, stage.loads(stage.bounds)
    for tile in tile_sizes(sizes, by_reuse, stage.args[0], parameters.least_innermost):
        tasks = tile_count(sizes, {n: s for n, s in tile.items() if n in stage.args})
        if tasks < parameters.parallelism_threshold:
            continue
        loads, footprint = _single_loads(graph, stage, sizes, tile, parameters.row_start)
        if footprint <= parameters.cache_size and loads < fewest:
            best, fewest = SingleTile(tile, loads), loads
    return best


def _single_loads(
    graph: PipelineGraph, stage: StoredStage, sizes: Mapping[str, int], tile: Tile, row_start: int
) -> tuple[int, int]:
    """Values that all tiles of all definitions load, and the bytes of the largest tile."""
    loads = footprint = 0
    box = middle_tile(stage, tile)
    for part in stage.parts:
        ranges = [
            _middle(range, tile.get(name, extent(range)))
            for name, range in zip(part.loops, part.ranges(stage, box), strict=True)
        ]
        reached = graph.reached(part, tuple(ranges))
        tiles = tile_count(sizes, {n: s for n, s in tile.items() if n in part.loops})
        reads = [*map(volume, reached.values())]
        reads += [_row_starts(graph, n, b, row_start) for n, b in reached.items()]
        loads += tiles * sum(reads)
        size = sum(volume(b) * graph.bytes_per_point(n) for n, b in reached.items())
        if stage.name not in reached:
            size += volume(box) * stage.bytes_per_point
        footprint = max(footprint, size)
    return loads, footprint


__all__ = [
    "SingleTile",
    "Tile",
    "TileCost",
    "extents",
    "free_coordinates",
    "middle_tile",
    "reuse",
    "single_tile",
    "tile_cost",
    "tile_count",
    "tile_sizes",
]
