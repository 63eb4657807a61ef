"""Harris corners: where the gradients around a pixel point in two directions, not in one."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph
from .program import Algorithm, Array, Program, Size, Values, single, stream

RED, GREEN, BLUE = single(0.299), single(0.587), single(0.114)  # what they add to brightness
K = single(0.04)  # Harris and Stephens' weight of an edge against a corner


def build(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    input = hl.ImageParam(hl.Float(32), 3, "input")
    input.dim(2).set_bounds(0, 3)
    padded = hl.BoundaryConditions.repeat_edge(input)

    gray, ix, iy = hl.funcs("gray ix iy")
    gray[x, y] = RED * padded[x, y, 0] + GREEN * padded[x, y, 1] + BLUE * padded[x, y, 2]
    ix[x, y] = sobel(lambda along, across: gray[x + along, y + across])
    iy[x, y] = sobel(lambda along, across: gray[x + across, y + along])

    ixx, iyy, ixy = hl.funcs("ixx iyy ixy")
    ixx[x, y] = ix[x, y] * ix[x, y]
    iyy[x, y] = iy[x, y] * iy[x, y]
    ixy[x, y] = ix[x, y] * iy[x, y]

    sxx, syy, sxy = hl.funcs("sxx syy sxy")
    for sums, products in (sxx, ixx), (syy, iyy), (sxy, ixy):
        sums[x, y] = box(lambda i, j, of=products: of[x + i, y + j])

    det, trace, harris = hl.funcs("det trace harris")
    det[x, y] = sxx[x, y] * syy[x, y] - sxy[x, y] * sxy[x, y]
    trace[x, y] = sxx[x, y] + syy[x, y]
    harris[x, y] = det[x, y] - K * trace[x, y] * trace[x, y]
    return Algorithm(
        [input],
        [harris],
        padded=padded,
        gray=gray,
        ix=ix,
        iy=iy,
        ixx=ixx,
        iyy=iyy,
        ixy=ixy,
        sxx=sxx,
        syy=syy,
        sxy=sxy,
        det=det,
        trace=trace,
        harris=harris,
    )


def sobel(at: Any) -> Any:
    """The difference along one direction, smoothed across it."""
    return sum(
        (at(1, across) - at(-1, across)) * (single(weight / 12))
        for across, weight in ((-1, 1.0), (0, 2.0), (1, 1.0))
    )


def box(at: Any) -> Any:
    """The sum over 3x3, first along rows."""
    return sum(at(-1, j) + at(0, j) + at(1, j) for j in (-1, 0, 1))


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    # A chessboard shows through, so that there are corners to find.
    y, x = np.ogrid[0 : size[1], 0 : size[0]]
    board = ((x // 7 + y // 5) % 2).astype(np.float32)
    return {"input": (photograph((*size, 3), seed) + 3 * board) / 4}


def reference(values: Values) -> tuple[Array, ...]:
    red, green, blue = values["input"].astype(np.float64)
    gray = np.pad(RED * red + GREEN * green + BLUE * blue, 2, "edge")
    ix = sobel(lambda along, across: inside(gray, along, across))
    iy = sobel(lambda along, across: inside(gray, across, along))
    sxx, syy, sxy = (
        box(lambda i, j, of=products: inside(of, i, j)) for products in (ix * ix, iy * iy, ix * iy)
    )
    return (sxx * syy - sxy * sxy - K * (sxx + syy) ** 2,)


def inside(image: Array, dx: int, dy: int) -> Array:
    """The image moved by one pixel at most, without its outermost pixels."""
    height, width = image.shape
    return image[1 + dy : height - 1 + dy, 1 + dx : width - 1 + dx]


def x86(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=16)


def arm(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=4)


def strips(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Strips of rows in parallel; within one, rows of gray and of both gradients slide."""
    x, y, yi = hl.vars("x y yi")
    a.harris.split(y, y, yi, 32).parallel(y).vectorize(x, lanes)
    a.gray.store_at(a.harris, y).compute_at(a.harris, yi).vectorize(x, lanes)
    a.ix.store_at(a.harris, y).compute_at(a.harris, yi).vectorize(x, lanes)
    a.iy.store_at(a.harris, y).compute_at(a.harris, yi).vectorize(x, lanes)
    a.ix.compute_with(a.iy, x)
    stream(a.harris)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A tile's grays and gradients lie in the memory of its block."""
    x, y, column, row = hl.vars("x y column row")
    a.harris.gpu_tile(x, y, column, row, 32, 8)
    for stage in a.gray, a.ix, a.iy:
        stage.compute_at(a.harris, x).gpu_threads(x, y)


PROGRAM = Program(
    name="harris",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1530, 2554),
    test_size=(67, 41),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    # With u = 2**-24: gray, at most 1, is off by 3u; a gradient, at most 1/3, by 3u; a product,
    # at most 1/9, by 2.2u; a sum of nine, at most 1, by 28u; the determinant by 115u, and the
    # squared trace, at most 4, times 0.04 by 10u.
    tolerance=2**-24 * 128,
)
