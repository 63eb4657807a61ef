"""Tiles and loop orders for data that is read again later (thesis section 4.3, algorithm 2).

The first cache keeps what one iteration of the outermost loop inside of a tile leaves for the next,
the second what one iteration of the innermost loop over tiles does. A miss is counted for each
contiguous piece, not for each line: prefetchers bring the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import inf, prod
from typing import Any

import numpy as np

from .cache_emulation import most_rows
from .classification import AccessPattern, LoopNest
from .machine import Cache, Machine

FEW_LOOPS = 4
"""Of up to so many loops, tile sizes between powers of two are tried, too."""

EVEN_PARTS = range(2, 9)
"""So many tiles of blocks are tried at any rate."""

MOST_ORDERS = 5040
"""Of more orders of the loops in a tile, the first ones are compared."""

Numbers = Any
"""A number, or an array of one for each combination of tile sizes."""


@dataclass(frozen=True)
class LoopTiling:
    """A tiled loop nest: sizes of tiles, the loops over tiles and those inside, outermost first."""

    tiles: Mapping[str, int]
    inter: tuple[str, ...]
    intra: tuple[str, ...]
    cost: float


def l1_working_set(nest: LoopNest, tiles: Mapping[str, Numbers], outermost: str) -> Numbers:
    """Elements that one iteration of the outermost loop of a tile touches (equation 4.1)."""
    return sum(a.volume({**tiles, outermost: 1}) for a in nest.accesses)


def l1_misses(nest: LoopNest, tiles: Mapping[str, Numbers]) -> Numbers:
    """C_L1, of the whole nest (equation 4.5)."""
    each = sum(a.rows(tiles) for a in nest.accesses)
    return each * prod(nest.sizes[v] / tiles[v] for v in tiles)


def l2_working_set(nest: LoopNest, tiles: Mapping[str, Numbers]) -> Numbers:
    """Elements that a tile touches (equation 4.6)."""
    return sum(a.volume(tiles) for a in nest.accesses)


def l2_misses(nest: LoopNest, tiles: Mapping[str, Numbers], innermost: str) -> Numbers:
    """C_L2, of the whole nest whose innermost loop over tiles is `innermost` (equation 4.10): what
    doesn't depend on it is there from tile to tile."""
    iterations = nest.sizes[innermost] / tiles[innermost]
    each = sum(a.rows(tiles) * (iterations if innermost in a.loops else 1) for a in nest.accesses)
    return each * prod(nest.sizes[v] / tiles[v] for v in tiles if v != innermost)


def total_cost(
    nest: LoopNest, tiles: Mapping[str, Numbers], innermost: str, machine: Machine
) -> Numbers:
    """C_total (equation 4.11), in cycles: a miss of one cache costs reading from the next."""
    costs = [*machine.level_costs, machine.level_costs[-1]]
    return costs[1] * l1_misses(nest, tiles) + costs[2] * l2_misses(nest, tiles, innermost)


def order_cost(
    sizes: Mapping[str, int], tiles: Mapping[str, int], inter: Sequence[str], intra: Sequence[str]
) -> float:
    """C_order (equation 4.12): for each loop that was cut, the iterations of the loops between its
    two parts."""
    cost = 0.0
    for v in inter:
        if v in intra:
            outside = (sizes[w] / tiles[w] for w in inter[inter.index(v) + 1 :])
            inside = (tiles[w] for w in intra[: intra.index(v)])
            cost += prod(outside) * prod(inside)
    return cost


def temporal_tiling(nest: LoopNest, machine: Machine) -> LoopTiling | None:
    """The cheapest tiling; None where no loop may be the outermost one.

    Of several reduction variables the outermost alone is cut, and all keep their order, so that a
    sum is rounded as it is written.
    """
    return TileSearch(nest, machine).best()


class TileSearch:
    """All tile sizes at once: an axis of an array for each loop that may be cut.

    `block` has the loops of which whole multiples are wanted.
    """

    def __init__(
        self, nest: LoopNest, machine: Machine, block: Mapping[str, int] | None = None
    ) -> None:
        self.nest, self.machine, self.block = nest, machine, block or {}
        self.cut = (*nest.pure, *nest.reductions[-1:])
        choices = {v: self._choices(v) for v in self.cut}
        axes = np.ix_(*(np.array(choices[v], float) for v in self.cut))
        self.tiles: dict[str, Numbers] = dict(zip(self.cut, axes, strict=True))
        self.tiles.update({v: float(nest.sizes[v]) for v in nest.reductions[:-1]})
        self.shape = tuple(len(choices[v]) for v in self.cut)
        self.first, self.second = machine.caches[0], machine.caches[:2][-1]

    def best(self) -> LoopTiling | None:
        found: tuple[float, str, str, str, dict[str, int]] | None = None
        for u in self.outermost_inside():
            fits = np.broadcast_to(self.fits(u), self.shape)
            for p in self.outermost_outside():
                valid = fits & self._occupies(p)
                if not valid.any():
                    valid = self._occupies(p) & self._least_memory(u)
                for w in self.innermost_outside(p):
                    cost = np.where(valid, self.cost(u, w) * self._unevenness(p), inf)
                    place = np.unravel_index(int(np.argmin(cost)), self.shape)
                    if found is None or cost[place] < found[0]:
                        found = (float(cost[place]), p, w, u, self._sizes(place))
        if found is None:
            return None
        least, p, w, u, tiles = found
        inter, intra = self._order(tiles, p, w, u)
        return LoopTiling(tiles, inter, intra, least)

    def cost(self, u: str, w: str) -> Numbers:
        """Of tiles whose outermost loop is `u`, where the innermost over tiles is `w`."""
        return total_cost(self.nest, self.tiles, w, self.machine)

    def fits(self, u: str) -> Numbers:
        """Whether both caches hold what they are to keep, the second in half of its size: the other
        half is for what constant strides prefetch."""
        fits = self.holds(self.first, self.once(u), 1) & self.holds(self.second, self.tiles, 2)
        for access in self.nest.accesses:
            if u not in access.loops:
                fits = fits & self.lies_apart(access, self.first)
        for access in self.nest.inputs:
            fits = fits & self.lies_apart(access, self.second, self.machine.prefetch_distance)
        return fits

    def outermost_outside(self) -> list[str]:
        """Loops that threads can share; the column only where it is the only one."""
        return [*self.nest.pure[1:]] or [self.nest.column]

    def innermost_outside(self, p: str) -> list[str]:
        """Any but the outermost one."""
        return [v for v in self.cut if v != p] or [p]

    def outermost_inside(self) -> list[str]:
        """Never the column."""
        return [v for v in self.cut if v != self.nest.column] or [self.nest.column]

    def once(self, u: str) -> dict[str, Numbers]:
        """A tile in which loop `u` makes one iteration."""
        return {**self.tiles, u: float(self.block.get(u, 1))}

    def holds(self, cache: Cache, tiles: Mapping[str, Numbers], share: int) -> Numbers:
        """Whether what `tiles` touch fits one thread's part of a cache, or one `share`th of it."""
        return self._bytes(tiles) <= cache.size // cache.shared_by // share

    def lies_apart(
        self,
        access: AccessPattern,
        cache: Cache,
        prefetch_distance: int | None = None,
        as_printed: bool = True,
    ) -> Numbers:
        """Whether the rows that a tile has of an access stay in a cache together (`most_rows`)."""
        if len(access.coordinates) < 2:
            return np.array(True)
        row = replace(access, coordinates=access.coordinates[:1])
        below = replace(access, coordinates=access.coordinates[1:2])
        widths, heights = np.asarray(row.volume(self.tiles)), np.asarray(below.volume(self.tiles))
        most, pitch, element = int(heights.max()), access.pitch, access.element
        bounds = {
            w: most_rows(cache, int(w), pitch, element, most, prefetch_distance, as_printed)
            for w in np.unique(widths)
        }
        bound = np.vectorize(bounds.__getitem__, otypes=[float])(widths)
        # A row that is alone pushes nothing out that wouldn't go anyway.
        return heights <= np.maximum(bound, 1)

    def _choices(self, variable: str) -> list[int]:
        """Tile sizes of a loop: whole blocks, as many as there are, and all iterations."""
        size = self.nest.sizes[variable]
        unit = self.block.get(variable, 1)
        if variable == self.nest.column and variable not in self.block:
            unit = self.machine.lanes(8 * max(a.element for a in self.nest.accesses))
        made, count = {size}, unit
        while count < size:
            made.add(count)
            between = count * 3 // 2
            if len(self.cut) < FEW_LOOPS and between % unit == 0 and between < size:
                made.add(between)
            count *= 2
        if variable in self.block:
            # Parts that are about even, where blocks don't come out so.
            made |= {-(-size // (parts * unit)) * unit for parts in EVEN_PARTS}
        return sorted({min(size, choice) for choice in made})

    def _sizes(self, place: tuple[Any, ...]) -> dict[str, int]:
        made = {v: int(self.tiles[v].reshape(-1)[i]) for v, i in zip(self.cut, place, strict=True)}
        return {**made, **{v: self.nest.sizes[v] for v in self.nest.reductions[:-1]}}

    def _occupies(self, p: str) -> Numbers:
        """Whether each thread gets an iteration of the outermost loop (equation 4.13), where the
        loop has that many."""
        least = min(self.machine.threads, self.nest.sizes[p])
        return np.broadcast_to(self.nest.sizes[p] / self.tiles[p] >= least, self.shape)

    def _unevenness(self, p: str) -> Numbers:
        """Time with all threads by the time if all had the same to do."""
        size, threads = self.nest.sizes[p], min(self.machine.threads, self.nest.sizes[p])
        iterations = np.ceil(np.ceil(size / self.tiles[p]) / threads)
        return np.maximum(1.0, iterations * threads * self.tiles[p] / size)

    def _least_memory(self, u: str) -> Numbers:
        """Where no tile fits: the smallest ones."""
        used = np.broadcast_to(self._bytes(self.once(u)), self.shape)
        return used <= used.min()

    def _bytes(self, tiles: Mapping[str, Numbers]) -> Numbers:
        return sum(a.volume(tiles) * a.element for a in self.nest.accesses)

    def _order(
        self, tiles: Mapping[str, int], p: str, w: str, u: str
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The orders of the loops with the least C_order, those at the ends given."""
        sizes = self.nest.sizes
        reductions = tuple(reversed(self.nest.reductions))
        inter = [v for v in self.cut if tiles[v] < sizes[v]]
        intra = [v for v in (*self.nest.pure, *reductions) if tiles[v] > 1]
        found: tuple[float, tuple[str, ...], tuple[str, ...]] | None = None
        for inside in _orders(intra, u, self.nest.column, reductions):
            for outside in _orders(inter, p, w, ()):
                cost = order_cost(sizes, tiles, outside, inside)
                if found is None or cost < found[0]:
                    found = (cost, outside, inside)
        assert found is not None, "there is an order of any loops"
        return found[1], found[2]


def _orders(
    loops: Sequence[str], first: str, last: str, kept: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """The orders of `loops` with `first` outermost and `last` innermost, where they are among them,
    and those of `kept` in that order."""
    head = (first,) if first in loops else ()
    tail = (last,) if last in loops and last != first else ()
    middle = [v for v in loops if v not in (*head, *tail)]
    for count, order in enumerate(permutations(middle)):
        made = (*head, *order, *tail)
        if count < MOST_ORDERS and tuple(v for v in made if v in kept) == tuple(
            v for v in kept if v in made
        ):
            yield made


__all__ = [
    "Numbers",
    "TileSearch",
    "LoopTiling",
    "l1_misses",
    "l1_working_set",
    "l2_misses",
    "l2_working_set",
    "order_cost",
    "temporal_tiling",
    "total_cost",
]
