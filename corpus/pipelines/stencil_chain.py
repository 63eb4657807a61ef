"""Thirty-two 5x5 stencils, each over the one before: nothing but locality."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from .images import photograph, quantised
from .program import Algorithm, Array, Program, Size, Values

STAGES = 32
BINOMIAL = (1, 4, 6, 4, 1)  # a stencil's weights are products of two of these: 256 in all


def build(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    input = hl.ImageParam(hl.UInt(16), 2, "input")
    padded = hl.BoundaryConditions.repeat_edge(input)
    stages = [padded]
    for k in range(STAGES):
        total = hl.u16(128)
        for j, across in enumerate(BINOMIAL, -2):
            for i, along in enumerate(BINOMIAL, -2):
                total += stages[-1][x + i, y + j] * (along * across)
        stage = hl.Func(f"stage_{k}")
        stage[x, y] = total / 256
        stages.append(stage)
    return Algorithm([input], stages[-1:], padded=padded, stage=stages[1:])


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    # 8 bits: times weights of 256 in all they stay within the 16 bits of a pixel.
    return {"input": quantised(photograph(size, seed), "uint16", 255)}


def reference(values: Values) -> tuple[Array, ...]:
    image = np.pad(values["input"], 2 * STAGES, "edge").astype(np.uint16)
    for _ in range(STAGES):  # rows apart from columns, as the weights are products
        rows = sum(w * image[j : len(image) - 4 + j] for j, w in enumerate(BINOMIAL))
        width = rows.shape[1]
        total = sum(w * rows[:, i : width - 4 + i] for i, w in enumerate(BINOMIAL))
        image = (total + 128) // 256
    return (image.astype(np.uint16),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    groups(hl, a, lanes=32)


def arm(hl: ModuleType, a: Algorithm) -> None:
    groups(hl, a, lanes=8)


def groups(hl: ModuleType, a: Algorithm, lanes: int, group: int = 4) -> None:
    """Four stages at a time slide down strips of rows.

    Rows are done in pairs, vector by vector: of the six rows that a pair reads four are shared.
    """
    x, y, strip, pair, row = hl.vars("x y strip pair row")
    for first in range(0, STAGES, group):
        *before, last = a.stage[first : first + group]
        if last is not a.stage[-1]:
            last.compute_root()
        last.split(y, strip, pair, 64).split(pair, pair, row, 2).parallel(strip)
        last.vectorize(x, lanes).reorder(row, x, pair, strip).unroll(row)
        for stage in before:
            stage.store_at(last, strip).compute_at(last, pair)
            stage.split(y, pair, row, 2).vectorize(x, lanes).reorder(row, x, pair).unroll(row)


def gpu(hl: ModuleType, a: Algorithm, group: int = 2) -> None:
    """Two stages at a time: a tile of the first one lies in the memory of its block."""
    x, y, column, row = hl.vars("x y column row")
    for first in range(0, STAGES, group):
        *before, last = a.stage[first : first + group]
        if last is not a.stage[-1]:
            last.compute_root()
        last.gpu_tile(x, y, column, row, 32, 8)
        for stage in before:
            stage.compute_at(last, x).gpu_threads(x, y)


PROGRAM = Program(
    name="stencil_chain",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560),
    test_size=(67, 71),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    inlinable=False,
)
