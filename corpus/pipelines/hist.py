"""Histogram equalisation of an RGB image's luminance (HIST_EQ in autoscheduler-2016, table 1).

Luminance is replaced by its rank, chrominance stays: since the colour differences of YCbCr are
multiples of R-Y and B-Y, a colour keeps them when each channel moves as far as the luminance does.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from .images import photograph, quantised
from .program import Algorithm, Array, Program, Size, Values, stream

RED, GREEN, BLUE = 77, 150, 29  # of 256; Rec. 601


def build(hl: ModuleType) -> Algorithm:
    x, y, c, i = hl.vars("x y c i")
    input = hl.ImageParam(hl.UInt(8), 3, "input")
    luma, histogram, ranks = hl.funcs("luma histogram ranks")
    equal, shift, output = hl.funcs("equal shift output")
    weighted = RED * hl.u16(input[x, y, 0]) + GREEN * hl.u16(input[x, y, 1])
    luma[x, y] = hl.u8((weighted + BLUE * hl.u16(input[x, y, 2]) + 128) >> 8)

    r = hl.RDom([(0, input.width()), (0, input.height())], "r")
    histogram[i] = hl.u32(0)
    histogram[hl.i32(luma[r.x, r.y])] += hl.u32(1)

    below = hl.RDom([(1, 255)], "below")
    ranks[i] = histogram[i]
    ranks[below.x] += ranks[below.x - 1]

    # Multiplied in 64 bits, so that there is no limit on the number of pixels but the counts' own.
    pixels = hl.u64(input.width()) * hl.u64(input.height())
    equal[i] = hl.u8((hl.u64(ranks[i]) * 255 + pixels / 2) / pixels)

    shift[x, y] = hl.i16(equal[hl.i32(luma[x, y])]) - hl.i16(luma[x, y])
    output[x, y, c] = hl.u8_sat(hl.i16(input[x, y, c]) + shift[x, y])
    return Algorithm(
        [input], [output],
        luma=luma, histogram=histogram, ranks=ranks, equal=equal, shift=shift, output=output, r=r,
    )  # fmt: skip


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    return {"input": quantised(photograph(size, seed) ** 2, "uint8")}


def reference(values: Values) -> tuple[Array, ...]:
    image = values["input"].astype(np.int64)
    luma = (RED * image[0] + GREEN * image[1] + BLUE * image[2] + 128) >> 8
    ranks = np.cumsum(np.bincount(luma.ravel(), minlength=256))
    equal = (ranks * 255 + luma.size // 2) // luma.size
    return (np.clip(image + equal[luma] - luma, 0, 255).astype(np.uint8),)


def strips(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """One histogram for each strip of rows, in parallel, then their sum.

    Neighbouring pixels often fall into the same bin, where one count would have to wait for the
    last: four columns count apart. Looking ranks up is scalar work, so it doesn't get a vector.
    """
    x, y, c, i, u, v, block, pixel = hl.vars("x y c i u v block pixel")
    strip, row, column, side = (hl.RVar(name) for name in ("strip", "row", "column", "side"))
    count = a.histogram.update()
    count.split(a.r.y, strip, row, 32).split(a.r.x, column, side, 4)
    counts = count.rfactor([(strip, u), (side, v)])
    counts.compute_root().vectorize(i, lanes // 4).parallel(u)
    counts.update().reorder(v, column, row, u).unroll(v).parallel(u)
    a.luma.clone_in(counts).compute_at(counts, row).vectorize(x, lanes)
    a.histogram.compute_root().vectorize(i, lanes // 4)
    a.histogram.update().reorder(i, side, strip).vectorize(i, lanes // 4)
    a.ranks.compute_root().vectorize(i, lanes // 4)
    a.equal.compute_root()

    a.output.bound(c, 0, 3).split(x, block, pixel, lanes).reorder(pixel, c, block, y)
    a.output.vectorize(pixel).unroll(c).parallel(y, 16)
    a.shift.compute_at(a.output, y).unroll(x, 8)
    a.luma.compute_at(a.output, y).vectorize(x, lanes)
    stream(a.output)


def x86(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=64)


def arm(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=16)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """One histogram for each strip of rows, which its block's threads count into at once."""
    x, y, c, i, u, column, row, bin = hl.vars("x y c i u column row bin")
    strip, part, pixel = (hl.RVar(name) for name in ("strip", "part", "pixel"))
    count = a.histogram.update()
    counts = count.split(a.r.y, strip, a.r.y, 8).rfactor(strip, u)
    counts.compute_root().gpu_blocks(u).gpu_threads(i)
    counts.update().atomic().split(a.r.x, part, pixel, 64).reorder(pixel, part, a.r.y, u)
    counts.update().gpu_blocks(u).gpu_threads(pixel)
    a.histogram.compute_root().gpu_tile(i, bin, 64)
    a.histogram.update().reorder(strip, i).gpu_tile(i, bin, 64)
    a.ranks.compute_root().gpu_single_thread()
    a.ranks.update().gpu_single_thread()
    a.equal.compute_root().gpu_tile(i, bin, 64)
    for stage in a.histogram, a.ranks, a.equal:
        stage.bound(i, 0, 256)
    counts.bound(i, 0, 256)
    a.output.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, column, row, 32, 8)
    a.shift.compute_at(a.output, column)


PROGRAM = Program(
    name="hist",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560, 3),
    test_size=(67, 43, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
