"""The brightest pixel within a circle around each pixel (MAXFILTER in autoscheduler-2016, table 1).

A circle is a row of columns of different heights. The maximum of a column of any height is that of
two overlapping columns whose height is a power of two, and those come from each other by doubling:
O(radius) work a pixel instead of O(radius**2).
"""

from __future__ import annotations

from math import isqrt
from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph
from .program import Algorithm, Array, Program, Size, Values

RADIUS = 26
# REACH[dx]: how far up and down the circle goes in the column dx away from its centre.
REACH = [isqrt(RADIUS**2 + RADIUS - dx**2) for dx in range(RADIUS + 1)]
HEIGHTS = sorted(set(REACH))


def build(hl: ModuleType) -> Algorithm:
    x, y, c, i = hl.vars("x y c i")
    input = hl.ImageParam(hl.Float(32), 3, "input")
    padded = hl.BoundaryConditions.repeat_edge(input)

    # doubled[k]: the maximum of the 2**k pixels from (x, y) on downwards.
    doubled = [padded]
    while 2 ** len(doubled) <= 2 * max(HEIGHTS) + 1:
        last, step = doubled[-1], 2 ** (len(doubled) - 1)
        doubled.append(hl.Func(f"doubled_{2 * step}"))
        doubled[-1][x, y, c] = hl.max(last[x, y, c], last[x, y + step, c])

    # column[..., i]: the maximum of the column that reaches HEIGHTS[i] up and down from (x, y).
    def tall(reach: int) -> Any:
        level = (2 * reach + 1).bit_length() - 1
        top, bottom = y - reach, y + reach + 1 - 2**level
        return hl.max(doubled[level][x, top, c], doubled[level][x, bottom, c])

    column, circle, output = hl.funcs("column circle output")
    column[x, y, c, i] = hl.mux(i, [tall(reach) for reach in HEIGHTS])
    r = hl.RDom([(-RADIUS, 2 * RADIUS + 1)], "r")
    height = hl.mux(hl.abs(r.x), [HEIGHTS.index(reach) for reach in REACH])
    circle[x, y, c] = hl.f32(0)
    reached = column[x + r.x, y, c, hl.clamp(height, 0, len(HEIGHTS) - 1)]
    circle[x, y, c] = hl.max(circle[x, y, c], reached)
    output[x, y, c] = circle[x, y, c]
    return Algorithm(
        [input], [output],
        doubled=doubled, column=column, circle=circle, output=output, r=r, i=i,
    )  # fmt: skip


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    return {"input": photograph(size, seed)}


def reference(values: Values) -> tuple[Array, ...]:
    image = values["input"]
    _, height, width = image.shape
    padded = np.pad(image, ((0, 0), (RADIUS, RADIUS), (RADIUS, RADIUS)), "edge")
    brightest = image.copy()
    for dy in range(-RADIUS, RADIUS + 1):
        for dx in range(-RADIUS, RADIUS + 1):
            if abs(dy) <= REACH[abs(dx)]:
                row, column = RADIUS + dy, RADIUS + dx
                shifted = padded[:, row : row + height, column : column + width]
                np.maximum(brightest, shifted, out=brightest)
    return (brightest,)


def tiled(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Down a tile, row by row: each row of doubled columns is made once and kept in a ring.

    All heights of one row are made together, since they read the same rows; the circle's running
    maximum stays in two registers, which hides the time that one maximum takes.
    """
    x, y, c, tile, strip, column, row, block = hl.vars("x y c tile strip column row block")
    a.output.tile(x, y, tile, strip, column, row, 128, 128).fuse(strip, c, strip).parallel(strip)
    a.output.split(column, block, column, 2 * lanes).vectorize(column, lanes).unroll(column)
    a.circle.compute_at(a.output, block).vectorize(x, lanes).unroll(x)
    a.circle.update().reorder(x, a.r.x).vectorize(x, lanes).unroll(x).unroll(a.r.x)
    a.column.compute_at(a.output, row).bound(a.i, 0, len(HEIGHTS)).reorder(a.i, x).unroll(a.i)
    a.column.vectorize(x, lanes)
    for doubled in a.doubled[1:]:
        doubled.store_at(a.output, tile).compute_at(a.output, row).vectorize(x, lanes)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled(hl, a, lanes=16)


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled(hl, a, lanes=4)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A kernel for each doubling; then a thread goes along all columns of its circle."""
    x, y, c, column, row = hl.vars("x y c column row")
    for doubled in a.doubled[1:]:
        doubled.compute_root().gpu_tile(x, y, column, row, 32, 8).gpu_blocks(c)
    a.output.gpu_tile(x, y, column, row, 32, 8).gpu_blocks(c)
    a.circle.compute_at(a.output, column)
    a.circle.update().unroll(a.r.x)


PROGRAM = Program(
    name="max_filter",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560, 3),
    test_size=(131, 133, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    inlinable=False,
)
