"""Three products of matrices: (a * b) * (c * d), "3mm" in the thesis' table 4.4."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..program import Algorithm, Array, Program, Size, Values
from .data import few_units, units
from .schedules import sums_of_threads, tiled_sum


def build(hl: ModuleType) -> Algorithm:
    j, i = hl.vars("j i")
    a, b, c, d = (hl.ImageParam(hl.Float(32), 2, name) for name in "abcd")
    k = hl.RDom([(0, a.width())], "k")
    left, right, output = hl.funcs("left right output")
    left[j, i] = 0.0
    left[j, i] += a[k.x, i] * b[j, k.x]
    right[j, i] = 0.0
    right[j, i] += c[k.x, i] * d[j, k.x]
    output[j, i] = 0.0
    output[j, i] += left[k.x, i] * right[j, k.x]
    return Algorithm([a, b, c, d], [output], left=left, right=right, output=output, k=k)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    """b and c are square and as wide as the output, a as high as it, d as wide.

    Few elements of a's rows and of d's columns are not 0, so that no element of the two products
    is beyond 8 and the result's, a sum of whole numbers up to 64, is exact at any such size.
    """
    width, height = size
    rng = np.random.default_rng(seed)
    return {
        "a": few_units(rng, height, width),
        "b": units(rng, width, width),
        "c": units(rng, width, width),
        "d": np.ascontiguousarray(few_units(rng, width, width).T),
    }


def reference(values: Values) -> tuple[Array, ...]:
    left = values["a"].astype(np.float64) @ values["b"]
    return ((left @ (values["c"].astype(np.float64) @ values["d"])).astype(np.float32),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    for product in (a.left, a.right, a.output):
        tiled_sum(hl, product, [a.k.x], 16, (512, 32, 16))


def arm(hl: ModuleType, a: Algorithm) -> None:
    for product in (a.left, a.right, a.output):
        tiled_sum(hl, product, [a.k.x], 4, (128, 32, 32))


def gpu(hl: ModuleType, a: Algorithm) -> None:
    for sums in a.left, a.right, a.output:
        sums_of_threads(hl, sums, [a.k.x])


PROGRAM = Program(
    name="three_mm",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(2048, 2048),
    test_size=(67, 43),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
