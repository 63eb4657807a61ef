"""A convolutional layer whose pictures lie plane by plane: 3x3 filters over all channels, bias."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..program import Algorithm, Array, Program, Size, Values
from .data import sixteenths
from .schedules import sums_of_threads, tiled_sum


def build(hl: ModuleType) -> Algorithm:
    x, y, c, n = hl.vars("x y c n")
    input, filter = (
        hl.ImageParam(hl.Float(32), 4, "input"),
        hl.ImageParam(hl.Float(32), 4, "filter"),
    )
    bias = hl.ImageParam(hl.Float(32), 1, "bias")
    r = hl.RDom([(0, 3), (0, 3), (0, input.dim(2).extent())], "r")
    output = hl.Func("output")
    output[x, y, c, n] = bias[c]
    output[x, y, c, n] += filter[r.x, r.y, r.z, c] * input[x + r.x, y + r.y, r.z, n]
    return Algorithm([input, filter, bias], [output], output=output, r=r)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    """As many channels come in as go out."""
    width, height, channels, images = size
    rng = np.random.default_rng(seed)
    return {
        "input": sixteenths(rng, images, channels, height + 2, width + 2),
        "filter": sixteenths(rng, channels, channels, 3, 3),
        "bias": sixteenths(rng, channels),
    }


def reference(values: Values) -> tuple[Array, ...]:
    image, filter = values["input"].astype(np.float64), values["filter"].astype(np.float64)
    height, width = image.shape[2] - 2, image.shape[3] - 2
    sums = sum(
        np.tensordot(filter[:, :, dy, dx], image[:, :, dy : dy + height, dx : dx + width], (1, 1))
        for dy in range(3)
        for dx in range(3)
    )
    biased = sums + values["bias"][:, None, None, None]
    return (np.ascontiguousarray(biased.transpose(1, 0, 2, 3)).astype(np.float32),)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.output, [a.r.x, a.r.y, a.r.z], 16, (256, 16, 3))


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled_sum(hl, a.output, [a.r.x, a.r.y, a.r.z], 4, (128, 16, 3))


def gpu(hl: ModuleType, a: Algorithm) -> None:
    sums_of_threads(hl, a.output, [a.r.x, a.r.y, a.r.z])


PROGRAM = Program(
    name="convlayer",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(256, 256, 64, 16),
    test_size=(37, 11, 5, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
