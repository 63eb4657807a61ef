"""Fills the gaps of an image from its surroundings, by a pyramid (autoscheduler-2016, table 1).

Pull: colours, multiplied by alpha, are averaged down ten levels. Push: from the coarsest level
upwards, what a level doesn't cover is filled from the level below it.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph
from .program import Algorithm, Array, Program, Size, Values

LEVELS = 10


def build(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    input = hl.ImageParam(hl.Float(32), 3, "input")
    input.dim(2).set_bounds(0, 4)

    premultiplied = hl.Func("premultiplied")
    alpha = input[x, y, 3]
    premultiplied[x, y, c] = hl.select(c < 3, input[x, y, c] * alpha, alpha)

    # Each level repeats its own edge; level l has one pixel for 2^l by 2^l, rounded up.
    pulled, pulled_y, padded = [premultiplied], [], []
    for level in range(1, LEVELS):
        extents = [
            (input.dim(d).extent() + ((1 << (level - 1)) - 1)) >> (level - 1) for d in (0, 1)
        ]
        fine = hl.BoundaryConditions.repeat_edge(pulled[-1], [(0, extent) for extent in extents])
        rows, coarse = hl.Func(f"pulled_y_{level}"), hl.Func(f"pulled_{level}")
        rows[x, y, c] = averaged(lambda i, of=fine: of[x, 2 * y + i, c])
        coarse[x, y, c] = averaged(lambda i, of=rows: of[2 * x + i, y, c])
        padded.append(fine)
        pulled_y.append(rows)
        pulled.append(coarse)

    pushed, pushed_y = [pulled[-1]], []
    for level in reversed(range(LEVELS - 1)):
        rows, filled = hl.Func(f"pushed_y_{level}"), hl.Func(f"pushed_{level}")
        coarse = pushed[0]
        rows[x, y, c] = (coarse[x, y / 2, c] + coarse[x, (y + 1) / 2, c]) * 0.5
        up = (rows[x / 2, y, c] + rows[(x + 1) / 2, y, c]) * 0.5
        filled[x, y, c] = pulled[level][x, y, c] + (1 - pulled[level][x, y, 3]) * up
        pushed_y.insert(0, rows)
        pushed.insert(0, filled)

    interpolated = hl.Func("interpolated")
    interpolated[x, y, c] = pushed[0][x, y, c] / pushed[0][x, y, 3]
    return Algorithm(
        [input],
        [interpolated],
        padded=padded,
        pulled=pulled,
        pulled_y=pulled_y,
        pushed=pushed[:-1],
        pushed_y=pushed_y,
        interpolated=interpolated,
    )


def averaged(at: Any) -> Any:
    """A pixel of the coarser level, from three of the finer one."""
    return (at(-1) + 2 * at(0) + at(1)) * 0.25


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    """Three quarters of the pixels are unknown: their alpha is 0, the others' 1."""
    width, height = size[:2]
    image = np.empty((4, height, width), np.float32)
    image[:3] = photograph((width, height, 3), seed)
    image[3] = np.random.default_rng(seed).random((height, width)) < 0.25
    return {"input": image}


def reference(values: Values) -> tuple[Array, ...]:
    image = values["input"].astype(np.float64)
    image[:3] *= image[3]
    pulled = [image]
    for level in range(1, LEVELS):
        for axis, extent in (2, values["input"].shape[2]), (1, values["input"].shape[1]):
            image = halved(image, axis, -(-extent // (1 << (level - 1))))
        pulled.append(image)
    for level in reversed(pulled[:-1]):
        up = doubled(doubled(image, 2, level.shape[2]), 1, level.shape[1])
        image = level + (1 - level[3]) * up
    return (image[:3] / image[3],)


def halved(image: Array, axis: int, extent: int) -> Array:
    """The averages around every second place along an axis, where `extent` pixels are the image.

    As many as will be read back: beyond the edge, that can be one place more.
    """
    at = 2 * np.arange(image.shape[axis] // 2 + 1)
    before, here, after = (image.take(np.clip(at + d, 0, extent - 1), axis) for d in (-1, 0, 1))
    return (before + 2 * here + after) / 4


def doubled(image: Array, axis: int, count: int) -> Array:
    """Old places at even ones, averages between them."""
    at = np.arange(count)
    return (image.take(at // 2, axis) + image.take((at + 1) // 2, axis)) / 2


def x86(hl: ModuleType, a: Algorithm) -> None:
    levels(hl, a, lanes=8)


def arm(hl: ModuleType, a: Algorithm) -> None:
    levels(hl, a, lanes=4)


def levels(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Level by level, rows in parallel; what is done in y alone stays in the first cache.

    That the output begins at 0 lets vectors of `x / 2` be loaded and spread, not gathered.
    """
    x, y, c = hl.vars("x y c")
    for coarse, rows in zip(a.pulled[1:], a.pulled_y, strict=True):
        coarse.compute_root().reorder_storage(x, c, y).reorder(x, c, y)
        coarse.parallel(y, 8).vectorize(x, lanes)
        rows.compute_at(coarse, c).vectorize(x, lanes)
    for filled, rows in zip(a.pushed[1:], a.pushed_y[1:], strict=True):
        filled.compute_root().reorder_storage(x, c, y).reorder(x, c, y)
        filled.parallel(y, 8).vectorize(x, lanes)
        rows.compute_at(filled, c).vectorize(x, lanes)
    a.interpolated.output_buffer().dim(0).set_min(0)
    a.interpolated.bound(c, 0, 3).reorder(c, x, y).unroll(c).parallel(y, 32).vectorize(x, lanes)
    a.pushed_y[0].compute_at(a.interpolated, y).vectorize(x, lanes)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A kernel a level; what is done in y alone lies in the memory of a block."""
    x, y, c, column, row = hl.vars("x y c column row")
    levels = [*zip(a.pulled[1:], a.pulled_y, strict=True)]
    levels += zip(a.pushed[1:], a.pushed_y[1:], strict=True)
    for level, rows in levels:
        level.compute_root().gpu_tile(x, y, column, row, 16, 8).gpu_blocks(c)
        rows.compute_at(level, x).gpu_threads(x, y)
    a.interpolated.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, column, row, 32, 8)


PROGRAM = Program(
    name="interpolate",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560, 3),
    test_size=(67, 41, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    inlinable=False,
    # Colours and alphas are at most 1. With u = 2**-24: nine pulls add 6u of error each, nine
    # pushes 6u more, so that colour and alpha are off by 108u; alpha is everywhere above 1/8,
    # their quotient at most 1.
    tolerance=2**-24 * 108 * 2 * 8,
)
