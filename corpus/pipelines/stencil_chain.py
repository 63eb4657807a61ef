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
    tiles(hl, a, lanes=32)


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiles(hl, a, lanes=8)


def tiles(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Groups of stages are done tile by tile; their borders are computed twice."""
    x, y, xo, yo, xi, yi = hl.vars("x y xo yo xi yi")
    group = 8
    for last in range(group - 1, STAGES, group):
        out = a.stage[last]
        if last < STAGES - 1:
            out.compute_root()
        out.tile(x, y, xo, yo, xi, yi, 512, 64).parallel(yo).vectorize(xi, lanes)
        for k in range(last - group + 1, last):
            a.stage[k].compute_at(out, xo).vectorize(x, lanes)


PROGRAM = Program(
    name="stencil_chain",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560),
    test_size=(67, 41),
    schedules={"x86": x86, "arm": arm},
    inlinable=False,
)
