"""Unsharp masking: what a 7x7 Gaussian takes from the brightness is added to it once more."""

from __future__ import annotations

from math import exp, pi, sqrt
from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph
from .program import Algorithm, Array, Program, Size, Values, single, stream

SIGMA = 1.5
RED, GREEN, BLUE = single(0.299), single(0.587), single(0.114)  # what they add to brightness
WEIGHTS = [single(exp(-(i**2) / (2 * SIGMA**2)) / (sqrt(2 * pi) * SIGMA)) for i in range(4)]


def build(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    input = hl.ImageParam(hl.Float(32), 3, "input")
    input.dim(2).set_bounds(0, 3)
    padded = hl.BoundaryConditions.repeat_edge(input)

    gray, blur_y, blur_x, sharpened, ratio, unsharp = hl.funcs(
        "gray blur_y blur_x sharpened ratio unsharp"
    )
    gray[x, y] = RED * padded[x, y, 0] + GREEN * padded[x, y, 1] + BLUE * padded[x, y, 2]
    blur_y[x, y] = weighted(lambda i: gray[x, y + i])
    blur_x[x, y] = weighted(lambda i: blur_y[x + i, y])
    sharpened[x, y] = 2 * gray[x, y] - blur_x[x, y]
    ratio[x, y] = sharpened[x, y] / gray[x, y]
    unsharp[x, y, c] = ratio[x, y] * input[x, y, c]
    return Algorithm(
        [input],
        [unsharp],
        padded=padded,
        gray=gray,
        blur_y=blur_y,
        blur_x=blur_x,
        sharpened=sharpened,
        ratio=ratio,
        unsharp=unsharp,
    )


def weighted(at: Any) -> Any:
    """The Gaussian's seven terms, those of equal weight together."""
    total = WEIGHTS[0] * at(0)
    for i in range(1, 4):
        total += WEIGHTS[i] * (at(-i) + at(i))
    return total


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    return {"input": photograph(size, seed) + np.float32(2**-6)}


def reference(values: Values) -> tuple[Array, ...]:
    red, green, blue = values["input"].astype(np.float64)
    gray = np.pad(RED * red + GREEN * green + BLUE * blue, 3, "edge")
    height, width = red.shape
    blur_y = weighted(lambda i: gray[3 + i : 3 + i + height])
    blur_x = weighted(lambda i: blur_y[:, 3 + i : 3 + i + width])
    gray = gray[3:-3, 3:-3]
    return ((2 * gray - blur_x) / gray * values["input"],)


def x86(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=8)


def arm(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=4)


def strips(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Strips of rows in parallel; within one, rows of gray slide under the vertical blur."""
    x, y, c, yi = hl.vars("x y c yi")
    a.unsharp.split(y, y, yi, 32).reorder(c, x, yi, y).parallel(y)
    a.unsharp.bound(c, 0, 3).vectorize(x, lanes).unroll(c)
    a.blur_y.compute_at(a.unsharp, yi).vectorize(x, lanes)
    a.gray.store_at(a.unsharp, y).compute_at(a.unsharp, yi).vectorize(x, lanes)
    stream(a.unsharp)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A tile's grays and their vertical blur lie in the memory of its block."""
    x, y, c, column, row = hl.vars("x y c column row")
    a.unsharp.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, column, row, 32, 8)
    a.ratio.compute_at(a.unsharp, column)
    for stage in a.gray, a.blur_y:
        stage.compute_at(a.unsharp, x).gpu_threads(x, y)


PROGRAM = Program(
    name="unsharp",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560, 3),
    test_size=(67, 41, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    # With u = 2**-24: gray is off by 3u of itself, a blur by 9u more, so `sharpened` by at most
    # 6u * gray + 21u * blurred + u; the quotient by gray is multiplied by a channel, which is at
    # most gray / 0.114. As blurred <= 1: below (6 + 21 + 1 + 3) / BLUE * u = 272u, in round
    # numbers 2**-24 * 288.
    tolerance=2**-24 * 288,
)
