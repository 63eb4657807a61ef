"""A matrix times its own transpose, scaled, added to a scaled matrix.

Both factors are read along their rows: vectors of results ask for elements a row apart.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..program import Algorithm, Array, Program, Size, Values
from .data import sixteenths
from .schedules import sums_of_threads, tiled_sum


def build(hl: ModuleType) -> Algorithm:
    j, i = hl.vars("j i")
    a, start = hl.ImageParam(hl.Float(32), 2, "a"), hl.ImageParam(hl.Float(32), 2, "start")
    alpha, beta = hl.Param(hl.Float(32), "alpha"), hl.Param(hl.Float(32), "beta")
    k = hl.RDom([(0, a.width())], "k")
    c = hl.Func("c")
    c[j, i] = beta * start[j, i]
    c[j, i] += alpha * a[k.x, i] * a[k.x, j]
    return Algorithm([a, start, alpha, beta], [c], c=c, k=k)


def inputs(size: Size, seed: int = 0) -> dict[str, Array | float]:
    """start has the output's size; a is as wide as that, and has a row for each row and column."""
    width, height = size
    rng = np.random.default_rng(seed)
    return {
        "a": sixteenths(rng, max(size), width),
        "start": sixteenths(rng, height, width),
        "alpha": 1.5,
        "beta": 1.25,
    }


def reference(values: Values) -> tuple[Array, ...]:
    start = values["start"].astype(np.float64)
    height, width = start.shape
    a = values["a"].astype(np.float64)
    product = a[:height] @ a[:width].T
    return ((values["alpha"] * product + values["beta"] * start).astype(np.float32),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 16, (64, 32, 16))


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 4, (64, 32, 16))


def gpu(hl: ModuleType, a: Algorithm) -> None:
    sums_of_threads(hl, a.c, [a.k.x])


PROGRAM = Program(
    name="syrk",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(2048, 2048),
    test_size=(43, 67),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
