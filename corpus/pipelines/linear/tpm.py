"""A matrix, transposed, under a mask that is not (thesis listing 4.2)."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..program import Algorithm, Array, Program, Size, Values
from .data import words
from .schedules import turned, turned_by_blocks


def build(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    a, b = hl.ImageParam(hl.UInt(32), 2, "a"), hl.ImageParam(hl.UInt(32), 2, "b")
    output = hl.Func("output")
    output[x, y] = a[y, x] & b[x, y]
    return Algorithm([a, b], [output], output=output)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    return {"a": words(rng, *size), "b": words(rng, *size[::-1])}


def reference(values: Values) -> tuple[Array, ...]:
    return (values["a"].T & values["b"],)


def x86(hl: ModuleType, a: Algorithm) -> None:
    turned(hl, a.output, 16, 64)


def arm(hl: ModuleType, a: Algorithm) -> None:
    turned(hl, a.output, 4, 64)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    turned_by_blocks(hl, a.output, a.inputs["a"].in_(a.output))


PROGRAM = Program(
    name="tpm",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(4096, 4096),
    test_size=(131, 43),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
