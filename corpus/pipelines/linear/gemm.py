"""A product of matrices, scaled, added to a scaled matrix: alpha * a * b + beta * start."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..program import Algorithm, Array, Program, Size, Values
from .data import sixteenths
from .schedules import sums_of_threads, tiled_sum


def build(hl: ModuleType) -> Algorithm:
    j, i = hl.vars("j i")
    a, b, start = (hl.ImageParam(hl.Float(32), 2, name) for name in ("a", "b", "start"))
    alpha, beta = hl.Param(hl.Float(32), "alpha"), hl.Param(hl.Float(32), "beta")
    k = hl.RDom([(0, a.width())], "k")
    c = hl.Func("c")
    c[j, i] = beta * start[j, i]
    c[j, i] += alpha * a[k.x, i] * b[j, k.x]
    return Algorithm([a, b, start, alpha, beta], [c], c=c, k=k)


def inputs(size: Size, seed: int = 0) -> dict[str, Array | float]:
    """b is square and as wide as the output; a and start have the output's size."""
    width, height = size
    rng = np.random.default_rng(seed)
    return {
        "a": sixteenths(rng, height, width),
        "b": sixteenths(rng, width, width),
        "start": sixteenths(rng, height, width),
        "alpha": 1.5,
        "beta": 1.25,
    }


def reference(values: Values) -> tuple[Array, ...]:
    product = values["a"].astype(np.float64) @ values["b"]
    scaled = values["alpha"] * product + values["beta"] * values["start"].astype(np.float64)
    return (scaled.astype(np.float32),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 16, (512, 32, 16))


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 4, (128, 32, 32))


def gpu(hl: ModuleType, a: Algorithm) -> None:
    sums_of_threads(hl, a.c, [a.k.x])


PROGRAM = Program(
    name="gemm",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(2048, 2048),
    test_size=(67, 43),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
