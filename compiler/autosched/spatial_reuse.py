"""Tiles for transposed arrays: what is left of a cache line is read before it is gone.

After thesis section 4.3, algorithm 3.
"""

from __future__ import annotations

from math import inf

from .cache_emulation import most_rows
from .classification import LINE, AccessPattern, LoopNest
from .machine import Machine
from .temporal_reuse import LoopTiling


def partial_cost(nest: LoopNest, access: AccessPattern, width: int, height: int) -> float:
    """C_partial of an input, in lines to wait for, for tiles of `width` by `height` points.

    A transposed one misses a line for each point of a row of a tile, as far as the prefetcher of
    constant strides doesn't bring it (equations 4.14 and 4.15), any other one for each row (4.16).
    Equation 4.17 multiplies that by the same prefetching efficiency, so that the width cancels out;
    what isn't transposed has no such strides, and wider tiles do run faster.
    """
    points = nest.sizes[nest.column] * nest.sizes[_row(nest)]
    if access in nest.transposed:
        return points / height * width / _per_line(access)
    return points / width


def l1_working_set(width: int, per_line: int) -> int:
    """Elements that a row of a tile needs: a line for each of its points, and itself (4.18)."""
    return per_line * width + width


def l2_working_set(nest: LoopNest, width: int, height: int) -> int:
    """Elements of a tile of each input (equation 4.19, which is of two)."""
    return len(nest.inputs) * width * height


def spatial_tiling(nest: LoopNest, machine: Machine) -> LoopTiling | None:
    """The cheapest tiles of the two coordinates that an input has the other way round; the loops
    over other coordinates go around them. None where there are no such two."""
    if not nest.transposed or len(nest.pure) < 2:
        return None
    column, row = nest.column, _row(nest)
    first, second = machine.caches[0], machine.caches[:2][-1]
    widest = max(a.element for a in nest.inputs)
    per_line = min(_per_line(a) for a in nest.inputs)
    found: tuple[float, int, int] | None = None
    for width in _lines(per_line, nest.sizes[column]):
        if l1_working_set(width, per_line) * widest > first.size // first.shared_by:
            break
        most = most_rows(
            second, width, nest.output.pitch, widest, nest.sizes[row], machine.prefetch_distance
        )
        for height in _lines(per_line, nest.sizes[row]):
            used = l2_working_set(nest, width, height) * widest
            shared = nest.sizes[row] / height >= min(machine.threads, nest.sizes[row] / per_line)
            is_least = (width, height) == (per_line, per_line)
            if not is_least and (
                height > max(most, 1) or used > second.size // second.shared_by or not shared
            ):
                continue
            cost = sum(partial_cost(nest, a, width, height) for a in nest.inputs)
            if found is None or cost < found[0]:
                found = (cost, width, height)
    cost, width, height = found or (inf, nest.sizes[column], nest.sizes[row])
    others = tuple(v for v in reversed(nest.pure) if v not in (column, row))
    cut = tuple(v for v, size in ((row, height), (column, width)) if size < nest.sizes[v])
    return LoopTiling(
        {column: width, row: height, **dict.fromkeys(others, 1)},
        (*others, *cut),
        (row, column),
        cost,
    )


def _row(nest: LoopNest) -> str:
    """The coordinate along which a transposed input is contiguous."""
    loops = {v for a in nest.transposed for v in a.columns}
    return next((v for v in nest.pure if v in loops and v != nest.column), nest.pure[-1])


def _per_line(access: AccessPattern) -> int:
    return max(1, LINE // access.element)


def _lines(per_line: int, size: int) -> list[int]:
    """Whole lines, twice as many each time, and all there is."""
    made, count = [], per_line
    while count < size:
        made.append(count)
        count *= 2
    return [*made, size]


__all__ = ["l1_working_set", "l2_working_set", "partial_cost", "spatial_tiling"]
