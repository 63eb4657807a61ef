"""A 3x3 box blur in two passes (halide-2012, figure 1; autoscheduler-2016, figure 2)."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from .images import photograph, quantised
from .program import Algorithm, Array, Program, Size, Values, stream


def build(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    input = hl.ImageParam(hl.UInt(16), 2, "input")
    padded = hl.BoundaryConditions.repeat_edge(input)
    blur_x, blur_y = hl.funcs("blur_x blur_y")
    blur_x[x, y] = (padded[x - 1, y] + padded[x, y] + padded[x + 1, y]) / 3
    blur_y[x, y] = (blur_x[x, y - 1] + blur_x[x, y] + blur_x[x, y + 1]) / 3
    return Algorithm([input], [blur_y], padded=padded, blur_x=blur_x, blur_y=blur_y)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    # 14 bits, as of a camera: three of them add up within the 16 bits of a pixel.
    return {"input": quantised(photograph(size, seed), "uint16", 1 << 14)}


def reference(values: Values) -> tuple[Array, ...]:
    padded = np.pad(values["input"], 1, "edge").astype(np.uint32)
    blur_x = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) // 3
    blur_y = (blur_x[:-2] + blur_x[1:-1] + blur_x[2:]) // 3
    return (blur_y.astype(np.uint16),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=32)


def arm(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=8)


def strips(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Strips of rows in parallel; within one, the last three rows of `blur_x` are kept."""
    x, y, strip, row = hl.vars("x y strip row")
    a.blur_y.split(y, strip, row, 32).parallel(strip).vectorize(x, lanes)
    a.blur_x.store_at(a.blur_y, strip).compute_at(a.blur_y, row).vectorize(x, lanes)
    stream(a.blur_y)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A tile's part of `blur_x` lies in the memory of its block."""
    x, y, column, row = hl.vars("x y column row")
    a.blur_y.gpu_tile(x, y, column, row, 32, 8)
    a.blur_x.compute_at(a.blur_y, x).gpu_threads(x, y)


PROGRAM = Program(
    name="blur",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(6400, 4800),
    test_size=(67, 41),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
