"""The tiled loop nests that a segment's output may have (thesis section 5.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .graph import StoredStage
from .groups import Group
from .machine import Machine
from .reach import Box, Range, extent

if TYPE_CHECKING:
    from .fusion import FusionSpace

SMALL = 4
"""A loop of so few iterations (the channels of a pixel) is written out, never interchanged."""


@dataclass(frozen=True)
class Level:
    """One loop of a tiled nest (thesis section 5.4, the set D)."""

    loop: str
    variable: str
    is_intra: bool


class TiledNest:
    """The loops of a group's output, innermost first; `lanes` iterations of the first coordinate's
    innermost loop are one vector.

    Small loops that are written out inside of it (`unrolled`) are no levels: nothing is computed
    in them.
    """

    def __init__(
        self, stage: StoredStage, group: Group, lanes: int, unrolled: Sequence[str]
    ) -> None:
        self.stage, self.group, self.lanes = stage, group, lanes
        self.unrolled = frozenset(unrolled)
        inside = [Level(group.inner(v), v, True) for v in group.intra if v not in self.unrolled]
        outside = [Level(group.outer(v), v, False) for v in group.inter]
        self.levels = tuple(reversed(outside + inside))
        self.innermost_outer = len(inside)
        """The place of the innermost loop over tiles."""
        self.root = len(self.levels)
        """The place outside of all loops."""
        self._sizes = stage.sizes
        self._tiles = {
            v: min(size, group.tiles.get(v, 1 if v in group.inter else size))
            for v, size in self._sizes.items()
        }
        self._iterations = self._count_iterations()

    @property
    def goes_down(self) -> bool:
        """Whether the innermost loop goes down columns, from row to row."""
        return bool(self.levels) and self.levels[0].variable != self.stage.args[0]

    @property
    def neighbour_distance(self) -> int:
        """So many tiles are computed until the one below, or beside, the first."""
        outer = [level for level in self.levels if not level.is_intra]
        if not outer:
            return 1
        v = outer[0].variable
        return -(-self._sizes[v] // self._tiles[v]) if len(outer) > 1 else 1

    @property
    def rim(self) -> float:
        """The part of all tiles that lie at the edges of the output."""
        inside = 1.0
        for v in self.group.inter:
            if v in self.group.intra and v not in self.unrolled:
                count = -(-self._sizes[v] // self._tiles[v])
                inside *= max(0, count - 2) / count
        return 1 - inside

    def box(self, place: int) -> Box:
        """What of the output one iteration of the loop at `place` computes, in the middle of it."""
        inter, intra = self.group.inter, self.group.intra
        inside = self.levels[:place]
        inner = {level.variable for level in inside if level.is_intra} | self.unrolled
        outer = {level.variable for level in inside if not level.is_intra}
        made: list[Range] = []
        for name, (low, high) in zip(self.stage.args, self.stage.bounds, strict=True):
            size, tile = self._sizes[name], self._tiles[name]
            runs_whole = name not in inter and (name in inner or name not in intra)
            length = size if name in outer or runs_whole else tile if name in inner else 1
            if not made:
                length = max(length, min(self.lanes, tile))
            start = low if length == size else low + (size // 2) // tile * tile
            start = min(start, high - length + 1)
            made.append((start, start + length - 1))
        return tuple(made)

    def tile(self, variable: str) -> int:
        """How far the loops inside of a tile run along a variable."""
        return self._tiles[variable]

    def iterations(self, place: int) -> int:
        """How often an iteration of the loop at `place` runs: the iterations of it and those around
        it."""
        return self._iterations[place]

    def _count_iterations(self) -> list[int]:
        counts, sizes = [1], self._sizes
        first = self.stage.args[0] if self.stage.args else ""
        for level in reversed(self.levels):
            v = level.variable
            steps = self._tiles[v] if level.is_intra else -(-sizes[v] // self._tiles[v])
            if level.is_intra and v == first:
                steps = -(-steps // self.lanes)
            counts.append(counts[-1] * steps)
        return counts[::-1]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The whole fusion space but for root and inlined (thesis figure 5.6): (compute, store)."""
        for compute in range(self.root):
            for store in range(compute, self.root):
                yield compute, store


MOST_SUMS = 24
"""Vectors of sums that leave registers for what is read, of 32."""


@dataclass(frozen=True)
class Order:
    """An order of loops that tiles of all sizes may have."""

    around: tuple[str, ...]
    """Outside of all others, one iteration at a time."""
    down_first: bool
    """Whether tiles follow each other down columns of tiles."""
    goes_down: bool
    """Whether the innermost loop goes down columns of a tile."""
    unrolled: tuple[str, ...]
    """Small loops, innermost and written out."""


class Nests:
    """All orders of loops and all tile sizes that are valid (thesis section 5.4).

    Tiles are as wide as whole vectors and cache lines, as long as the longest overlap (equation
    5.15), and leave a task for each thread (5.14).
    """

    def __init__(
        self, space: FusionSpace, lanes: int, machine: Machine, sums: Collection[str] = ()
    ) -> None:
        stage = self.stage = space.stage
        self.sums = tuple(sums)
        """What stays in registers for a tile: tiles are as small as that demands."""
        self.lanes, self.threads = lanes, machine.threads
        self.sizes = {a: extent(r) for a, r in zip(stage.args, stage.bounds, strict=True)}
        free = [a for a in stage.args if a not in stage.entangled]
        self.x = free[0] if free and free[0] == stage.args[0] else None
        others = [a for a in free if a != self.x]
        rows = [a for a in others if self.sizes[a] > SMALL] or others[-1:]
        self.y = max(rows, key=lambda a: (self.sizes[a], -rows.index(a))) if rows else None
        if self.sums:
            self.y = space.graph.stages[self.sums[0]].shared_along
        planes = [a for a in others if a != self.y and self.sizes[a] > SMALL]
        few = [a for a in others if a not in planes and a != self.y and self.sizes[a] > 1]
        self.widths, self.heights = [1], [1]
        if self.x is not None:
            line = max(1, machine.caches[0].line // stage.bytes_per_point)
            self.widths = _widths(self.sizes[self.x], max(lanes, line), space.most_overlap(self.x))
        if self.y is not None:
            self.heights = _heights(self.sizes[self.y], self.threads, space.most_overlap(self.y))
        if self.sums:
            lanes = machine.lanes(stage.bytes_per_point * 8)
            across, down = (
                ((2, 3, 4), (4, 6, 8)) if machine.vector_bits >= 512 else ((2, 3), (4, 6))
            )
            self.widths = [lanes * n for n in across if lanes * n <= self.sizes[stage.args[0]]]
            self.widths = self.widths or [self.sizes[stage.args[0]]]
            self.heights = list(down)
        self.orders = [
            Order((*planes[::-1], *small[::-1]), down_first, goes_down, unrolled)
            for small, unrolled in {((), tuple(few)): 0, (tuple(few), ()): 0}
            for down_first in ((False, True) if self.x and self.y else (False,))
            for goes_down in ((False, True) if self.x and self.y else (False,))
        ]

    def nest(self, order: Order, width: int, height: int) -> TiledNest | None:
        """The nest of tiles of this size; None where it isn't valid, or is another order's too."""
        sizes, x, y = self.sizes, self.x, self.y
        tiles = {name: sizes[name] for name in order.unrolled}
        cut = []
        if y is not None and height < sizes[y]:
            tiles[y] = height
            cut.append(y)
        if x is not None and width < sizes[x]:
            tiles[x] = width
            cut.append(x)
        if order.down_first:
            if len(cut) < 2:
                return None
            cut.reverse()
        within = [v for v in (y, x) if v is not None]
        if order.goes_down:
            if height == 1 or width > 4 * self.lanes:
                return None
            within.reverse()
        tasks, most = 1, 1
        for v in [*order.around, *cut]:
            tasks *= -(-sizes[v] // tiles.get(v, 1))
        for v in order.around:
            most *= sizes[v]
        for side, least in ((x, self.widths[0]), (y, self.heights[0])):
            most *= 1 if side is None else -(-sizes[side] // least)
        if tasks < min(self.threads, most):
            return None
        inter, intra = (*order.around, *cut, *order.unrolled), (*within, *order.unrolled)
        group = Group(self.stage.name, tiles, inter, intra)
        if self.sums:
            if order.goes_down or order.unrolled or width * height > MOST_SUMS * self.lanes:
                return None
            sides = {x: width, y: height}
            block = {v: min(sides[v], sizes[v]) for v in within[::-1]}
            group = replace(group, registers=dict.fromkeys(self.sums, block))
        return TiledNest(self.stage, group, self.lanes, order.unrolled)


def _widths(size: int, base: int, least: int) -> list[int]:
    """Whole vectors and lines, doubling, and the whole row."""
    made, width = [], base
    while width < size:
        if width >= least:
            made.append(width)
        width *= 2
    return [*made, size]


def _heights(size: int, threads: int, least: int) -> list[int]:
    """Even parts for the threads, small powers of two, and all rows."""
    found = {size, 1, 4, 8, 16, 32, 64}
    found.update(-(-size // (threads * tasks)) for tasks in (1, 2, 4, 8))
    return sorted(h for h in found if h >= min(least, size))


__all__ = ["SMALL", "Level", "TiledNest", "Nests", "Order"]
