"""Schedules by hand, in the form of the thesis' listing 4.3."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from ..program import stream


def tiled_sum(
    hl: ModuleType, sums: Any, k: Sequence[Any], lanes: int, tiles: tuple[int, int, int]
) -> None:
    """An update that sums over `k`, innermost first: `tiles` of it along the first two coordinates
    and along the first of `k` stay in the cache; strips of rows in parallel.

    The first coordinate is that of vectors. What `k` has beyond its first runs outside of a tile.
    """
    across, down, along = tiles
    j, i, *others = sums.args()
    j_o, i_o, j_i, i_i = hl.vars("j_o i_o j_i i_i")
    k_o, k_i = hl.RVar("k_o"), hl.RVar("k_i")
    guarded = hl.TailStrategy.GuardWithIf
    sums.compute_root().vectorize(j, lanes, guarded).parallel(others[-1] if others else i)
    update = sums.update()
    update.split(j, j_o, j_i, across, guarded).split(i, i_o, i_i, down, guarded)
    update.split(k[0], k_o, k_i, along, guarded)
    update.reorder(j_i, k_i, i_i, j_o, k_o, *k[1:], i_o, *others)
    update.vectorize(j_i, lanes, guarded).parallel(others[-1] if others else i_o)


def rows(hl: ModuleType, output: Any, lanes: int, height: int) -> None:
    """Strips of whole rows, as they lie in memory, past the caches."""
    x, y = output.args()
    output.vectorize(x, lanes, hl.TailStrategy.GuardWithIf)
    output.parallel(y, height)
    stream(output)


def turned(hl: ModuleType, output: Any, lanes: int, height: int) -> None:
    """Tiles one line of the transposed input wide and as high as lines stay in the first cache."""
    x, y = output.args()
    x_i, y_i = hl.vars("x_i y_i")
    guarded = hl.TailStrategy.GuardWithIf
    output.tile(x, y, x_i, y_i, lanes, height, guarded)
    output.vectorize(x_i).parallel(y)
    stream(output)


def sums_of_threads(hl: ModuleType, sums: Any, k: Sequence[Any]) -> None:
    """A sum a thread, in tiles of the first two coordinates; what is added up runs inside."""
    j, i, *others = sums.args()
    column, row = hl.vars("column row")
    guarded = hl.TailStrategy.GuardWithIf
    sums.compute_root().gpu_tile(j, i, column, row, 32, 8, guarded)
    update = sums.update()
    update.reorder(*k, j, i, *others).gpu_tile(j, i, column, row, 32, 8, guarded)
    for stage in sums, update:
        if others:
            stage.gpu_blocks(others[0])


def vectors_of_threads(hl: ModuleType, output: Any) -> None:
    """Four neighbours a thread, which memory gives at once."""
    x, y = output.args()
    lane, column, row = hl.vars("lane column row")
    output.split(x, x, lane, 4).vectorize(lane).gpu_tile(x, y, column, row, 32, 8)


def turned_by_blocks(hl: ModuleType, output: Any, tile: Any) -> None:
    """Tiles go through the memory of a block, four rows a thread: rows are read, and rows are
    written. Lines of 33 put the elements of a column into different banks."""
    x, y, *others = output.args()
    column, row, part = hl.vars("column row part")
    guarded = hl.TailStrategy.GuardWithIf
    output.tile(x, y, column, row, 32, 32, guarded).split(row, row, part, 4)
    output.reorder(part, column, row, x, y, *others).unroll(part)
    output.gpu_blocks(x, y, *others).gpu_threads(column, row)
    across, down, *_ = tile.args()
    tile.compute_at(output, x).align_storage(across, 33)
    tile.split(down, down, part, 4, guarded).reorder(part, across, down).unroll(part)
    tile.gpu_threads(across, down)
