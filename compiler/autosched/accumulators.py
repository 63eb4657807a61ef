"""The block of sums that stays in registers while a reduction runs: a third level of tiles.

The thesis leaves registers to the compiler behind it. Ours keeps what a schedule writes out, so the
block is chosen here, by what is loaded for one vector of products.
"""

from __future__ import annotations

from .classification import Access, LoopNest
from .machine import Machine

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


def _cost(access: Access, column: str, lanes: int) -> float:
    """Loads that give one vector of an access along `column`."""
    if column not in access.loops or column in access.columns:
        return 1.0
    return GATHER * lanes


__all__ = ["accumulators"]
