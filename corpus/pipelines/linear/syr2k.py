"""A matrix times the transpose of another, and the other way round, added to a scaled matrix."""

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
    c[j, i] += alpha * a[k.x, i] * b[k.x, j] + alpha * b[k.x, i] * a[k.x, j]
    return Algorithm([a, b, start, alpha, beta], [c], c=c, k=k)


def inputs(size: Size, seed: int = 0) -> dict[str, Array | float]:
    """start has the output's size; a and b are as wide as that, with a row for each row and each
    column."""
    width, height = size
    rng = np.random.default_rng(seed)
    return {
        "a": sixteenths(rng, max(size), width),
        "b": sixteenths(rng, max(size), width),
        "start": sixteenths(rng, height, width),
        "alpha": 1.5,
        "beta": 1.25,
    }


def reference(values: Values) -> tuple[Array, ...]:
    start = values["start"].astype(np.float64)
    height, width = start.shape
    a, b = values["a"].astype(np.float64), values["b"].astype(np.float64)
    product = a[:height] @ b[:width].T + b[:height] @ a[:width].T
    return ((values["alpha"] * product + values["beta"] * start).astype(np.float32),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 16, (64, 32, 16))


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 4, (64, 32, 16))


def gpu(hl: ModuleType, a: Algorithm) -> None:
    sums_of_threads(hl, a.c, [a.k.x])


PROGRAM = Program(
    name="syr2k",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(2048, 2048),
    test_size=(43, 67),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
