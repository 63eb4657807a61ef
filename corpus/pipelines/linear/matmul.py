"""A product of matrices that is the output itself (thesis listing 4.3)."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..program import Algorithm, Array, Program, Size, Values
from .data import sixteenths
from .schedules import sums_of_threads, tiled_sum


def build(hl: ModuleType) -> Algorithm:
    j, i = hl.vars("j i")
    a, b = hl.ImageParam(hl.Float(32), 2, "a"), hl.ImageParam(hl.Float(32), 2, "b")
    k = hl.RDom([(0, a.width())], "k")
    c = hl.Func("c")
    c[j, i] = 0.0
    c[j, i] += a[k.x, i] * b[j, k.x]
    return Algorithm([a, b], [c], c=c, k=k)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    """b is square and as wide as the output; a has the output's size."""
    width, height = size
    rng = np.random.default_rng(seed)
    return {"a": sixteenths(rng, height, width), "b": sixteenths(rng, width, width)}


def reference(values: Values) -> tuple[Array, ...]:
    return ((values["a"].astype(np.float64) @ values["b"]).astype(np.float32),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 16, (512, 32, 16))


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.c, [a.k.x], 4, (128, 32, 32))


def gpu(hl: ModuleType, a: Algorithm) -> None:
    sums_of_threads(hl, a.c, [a.k.x])


PROGRAM = Program(
    name="matmul",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(2048, 2048),
    test_size=(67, 43),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
