"""A lower triangular matrix times a matrix: the sum's length is another one in each row."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..program import Algorithm, Array, Program, Size, Values
from .data import sixteenths
from .schedules import sums_of_threads, tiled_sum


def build(hl: ModuleType) -> Algorithm:
    j, i = hl.vars("j i")
    a, b = hl.ImageParam(hl.Float(32), 2, "a"), hl.ImageParam(hl.Float(32), 2, "b")
    alpha = hl.Param(hl.Float(32), "alpha")
    k = hl.RDom([(0, a.width())], "k")
    k.where(k.x <= i)
    c = hl.Func("c")
    c[j, i] = 0.0
    c[j, i] += alpha * a[k.x, i] * b[j, k.x]
    return Algorithm([a, b, alpha], [c], c=c, k=k)


def inputs(size: Size, seed: int = 0) -> dict[str, Array | float]:
    """a is square and as high as the output, whose size b has. What lies above a's diagonal is
    not 0, so that a program that reads it is found out."""
    width, height = size
    rng = np.random.default_rng(seed)
    return {
        "a": sixteenths(rng, height, height),
        "b": sixteenths(rng, height, width),
        "alpha": 1.5,
    }


def reference(values: Values) -> tuple[Array, ...]:
    product = np.tril(values["a"]).astype(np.float64) @ values["b"]
    return ((values["alpha"] * product).astype(np.float32),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 16, (512, 32, 16))


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 4, (128, 32, 32))


def gpu(hl: ModuleType, a: Algorithm) -> None:
    sums_of_threads(hl, a.c, [a.k.x])


PROGRAM = Program(
    name="trmm",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(2048, 2048),
    test_size=(67, 43),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
