"""The kernel of multiresolution analysis: the last axis of a cube times a matrix."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..program import Algorithm, Array, Program, Size, Values
from .data import sixteenths
from .schedules import sums_of_threads, tiled_sum


def build(hl: ModuleType) -> Algorithm:
    p, q, r = hl.vars("p q r")
    cube, matrix = (
        hl.ImageParam(hl.Float(32), 3, "cube"),
        hl.ImageParam(hl.Float(32), 2, "matrix"),
    )
    s = hl.RDom([(0, cube.width())], "s")
    output = hl.Func("output")
    output[p, q, r] = 0.0
    output[p, q, r] += cube[s.x, q, r] * matrix[p, s.x]
    return Algorithm([cube, matrix], [output], output=output, s=s)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    """The cube has the output's size; the matrix is square."""
    width, height, depth = size
    rng = np.random.default_rng(seed)
    return {"cube": sixteenths(rng, depth, height, width), "matrix": sixteenths(rng, width, width)}


def reference(values: Values) -> tuple[Array, ...]:
    return ((values["cube"].astype(np.float64) @ values["matrix"]).astype(np.float32),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.output, [a.s.x], 16, (256, 32, 32))


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.output, [a.s.x], 4, (128, 32, 32))


def gpu(hl: ModuleType, a: Algorithm) -> None:
    sums_of_threads(hl, a.output, [a.s.x])


PROGRAM = Program(
    name="doitgen",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(256, 256, 256),
    test_size=(37, 13, 5),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
