"""Sums in blocks of registers, and the tiles around them: a level of tiles below the caches.

The thesis leaves registers to the compiler behind it. Ours keeps there what a schedule writes out
(`Group.registers`), so the block is chosen here, by what is loaded for one vector of products.
Around it everything moves up a level: the registers are what the first cache is in the thesis, and
the second cache, which they leave time to read from, keeps what one iteration of a tile's outermost
loop leaves for the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from .classification import AccessPattern, LoopNest
from .machine import Machine
from .temporal_reuse import LoopTiling, Numbers, TileSearch

WIDE_VECTORS = 512
"""Bits from which on there are 32 vector registers; before there are 16."""

GATHER = 1.0
"""Of a vector of elements that lie apart: loads for each of its elements."""

MOST_DOWN = 16
"""Rows of a block: beyond, code grows and nothing is gained."""


def accumulators(nest: LoopNest, machine: Machine) -> dict[str, int]:
    """By coordinate, how many of a sum's values are in a block; empty where nothing is saved.

    A block is some vectors along the first coordinate by some values of another one, which reads
    what doesn't depend on it once for all. Three quarters of the registers hold sums.
    """
    if not nest.reductions or nest.column not in nest.sizes:
        return {}
    lanes = machine.lanes(8 * max(a.element for a in nest.accesses))
    registers = 32 if machine.vector_bits >= WIDE_VECTORS else 16
    most = registers * 3 // 4
    best: tuple[float, int] | None = None
    found: dict[str, int] = {}
    for row in nest.pure[1:]:
        for across in range(1, most + 1):
            if across > 1 and across * lanes > nest.sizes[nest.column]:
                break
            for down in range(1, min(most // across, nest.sizes[row], MOST_DOWN) + 1):
                key = (_loads(nest, row, across, down, lanes), -across * down)
                if best is None or key < best:
                    best = key
                    found = {nest.column: across * lanes, row: down}
    return found if best is not None and found and lanes <= nest.sizes[nest.column] else {}


def _loads(nest: LoopNest, row: str, across: int, down: int, lanes: int) -> float:
    """Loads for a vector of products, in blocks of `across` vectors by `down` values of `row`."""
    loads = sum(
        _cost(a, nest.column, lanes)
        * (across if nest.column in a.loops else 1)
        * (down if row in a.loops else 1)
        for a in nest.inputs
    )
    return loads / (across * down)


def _cost(access: AccessPattern, column: str, lanes: int) -> float:
    """Loads that give one vector of an access along `column`."""
    if column not in access.loops or column in access.columns:
        return 1.0
    return GATHER * lanes


def block_tiling(
    nest: LoopNest, machine: Machine, block: Mapping[str, int], prefetched: float
) -> LoopTiling | None:
    """The cheapest tiling around blocks of registers; `prefetched` is what a line costs that
    prefetchers bring, by one that is waited for. None where no loop may be the outermost one."""
    return _BlockSearch(nest, machine, block, prefetched).best()


class _BlockSearch(TileSearch):
    """Tiles of whole blocks, with the reductions of a tile around each block."""

    def __init__(
        self, nest: LoopNest, machine: Machine, block: Mapping[str, int], prefetched: float
    ) -> None:
        super().__init__(nest, machine, block)
        self.prefetched = prefetched

    def cost(self, u: str, w: str) -> Numbers:
        """Cycles for what comes from beyond the second cache, once for each tile (as equation 4.5
        counts for the first), for what blocks read from the second, and for loading and storing the
        sums themselves."""
        nest, tiles, costs = self.nest, self.tiles, self.machine.level_costs
        count = prod(nest.sizes[v] / tiles[v] for v in tiles)
        beyond = sum(a.misses(tiles, self.prefetched) for a in nest.accesses)
        # Sums are also written back.
        beyond = beyond + nest.output.misses(tiles, self.prefetched)
        iterations = tiles[u] / self.block.get(u, 1)
        within = sum(a.misses(self.once(u), self.prefetched) for a in nest.accesses) * iterations
        vectors = nest.output.volume(tiles) / self.machine.lanes(8 * nest.output.element)
        level = costs[min(2, len(costs) - 1)]
        return count * (level * beyond + costs[1] * within + 2 * costs[0] * vectors)

    def fits(self, u: str) -> Numbers:
        """Whether half of the second cache keeps an iteration of a tile's outermost loop, and what
        is read again in the next without interference."""
        fits = self.holds(self.second, self.once(u), 2)
        for access in self.nest.inputs:
            if u not in access.loops:
                distance = self.machine.prefetch_distance
                fits = fits & self.lies_apart(access, self.second, distance, as_printed=False)
        return fits

    def innermost_outside(self, p: str) -> list[str]:
        """The column: a tile goes on in the rows, and in the pages, of the one before."""
        return [self.nest.column] if p != self.nest.column else super().innermost_outside(p)

    def outermost_inside(self) -> list[str]:
        """No reduction: these go around the block."""
        return list(self.nest.pure[1:]) or [self.nest.column]


__all__ = ["accumulators", "block_tiling"]
