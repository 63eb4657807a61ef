"""A convolutional layer of a neural network: 3x3 filters over all channels, bias, ReLU.

After the description of CONV in autoscheduler-2016, table 1. Channels lie innermost, as most
inference libraries have them; the input has a border of one, so that its output is as large.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from .program import Algorithm, Array, Program, Size, Values


def build(hl: ModuleType) -> Algorithm:
    c, x, y, n = hl.vars("c x y n")
    input, filter = (
        hl.ImageParam(hl.Float(32), 4, "input"),
        hl.ImageParam(hl.Float(32), 4, "filter"),
    )
    bias = hl.ImageParam(hl.Float(32), 1, "bias")
    r = hl.RDom([(0, input.dim(0).extent()), (0, 3), (0, 3)], "r")
    sums, output = hl.funcs("sums output")
    sums[c, x, y, n] = bias[c]
    sums[c, x, y, n] += filter[c, r.x, r.y, r.z] * input[r.x, x + r.y, y + r.z, n]
    output[c, x, y, n] = hl.max(sums[c, x, y, n], 0)
    return Algorithm([input, filter, bias], [output], sums=sums, output=output, r=r)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    """As many channels come in as go out.

    Values are multiples of 1/16 in [-1, 1): products need 8 fractional bits and sums of up to 2**15
    of them fit a float's 24 bits, so that every order of additions gives the same result.
    """
    channels, width, height, images = size
    rng = np.random.default_rng(seed)

    def sixteenths(*shape: int) -> Array:
        return (rng.integers(-16, 16, shape) / 16).astype(np.float32)

    return {
        "input": sixteenths(images, height + 2, width + 2, channels),
        "filter": sixteenths(3, 3, channels, channels),
        "bias": sixteenths(channels),
    }


def reference(values: Values) -> tuple[Array, ...]:
    image, filter = values["input"].astype(np.float64), values["filter"]
    height, width = image.shape[1] - 2, image.shape[2] - 2
    sums = sum(
        image[:, dy : dy + height, dx : dx + width] @ filter[dy, dx]
        for dy in range(3)
        for dx in range(3)
    )
    return (np.maximum(sums + values["bias"], 0).astype(np.float32),)


def blocked(hl: ModuleType, a: Algorithm, lanes: int, across: int, pixels: int) -> None:
    """Blocks of `across` vectors of channels by a few pixels stay in registers over the sum."""
    c, x, y, n, panel, block, channel, pixel = hl.vars("c x y n panel block channel pixel")
    r, width = a.r, lanes * across
    a.output.tile(c, x, panel, block, channel, pixel, width, pixels)
    a.output.reorder(channel, pixel, block, panel, y, n).vectorize(channel, lanes)
    a.output.unroll(channel).unroll(pixel).fuse(y, n, y).parallel(y)
    a.sums.compute_at(a.output, block).bound_extent(c, width).bound_extent(x, pixels)
    a.sums.vectorize(c, lanes).unroll(c).unroll(x)
    a.sums.update().reorder(c, x, r.x, r.y, r.z).vectorize(c, lanes).unroll(c).unroll(x)


def x86(hl: ModuleType, a: Algorithm) -> None:
    blocked(hl, a, lanes=16, across=4, pixels=6)


def arm(hl: ModuleType, a: Algorithm) -> None:
    blocked(hl, a, lanes=4, across=4, pixels=6)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A thread sums up four pixels of one channel in registers."""
    c, x, y, n, channel, strip, pixel = hl.vars("c x y n channel strip pixel")
    a.output.split(x, x, pixel, 4).reorder(pixel, c, x, y, n).unroll(pixel).fuse(y, n, y)
    a.output.gpu_tile(c, x, channel, strip, 32, 4).gpu_blocks(y)
    a.sums.compute_at(a.output, channel).unroll(x)
    a.sums.update().reorder(c, x, a.r.x, a.r.y, a.r.z).unroll(x)


PROGRAM = Program(
    name="conv_layer",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(64, 128, 128, 4),
    test_size=(67, 13, 5, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
