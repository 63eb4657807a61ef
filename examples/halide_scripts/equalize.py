"""Spreads the grey levels of a picture evenly: a histogram, its running sum, a table.

usage: equalize.py IN.png OUT.png
"""

import sys

import halide as hl
import halide.imageio as imageio
import numpy as np

x, y, level = hl.Var("x"), hl.Var("y"), hl.Var("level")


def equalized(picture):
    pixel = hl.RDom(picture)
    histogram = hl.Func("histogram")
    histogram[level] = hl.u32(0)
    histogram[hl.i32(picture[pixel.x, pixel.y])] += hl.u32(1)

    below = hl.Func("below")
    step = hl.RDom([(1, 255)], "step")
    below[level] = histogram[level]
    below[step.x] = below[step.x - 1] + histogram[step.x]

    table = hl.Func("table")
    count = picture.width() * picture.height()
    table[level] = hl.u8_sat(hl.f32(below[level]) * 255.0 / count)

    out = hl.Func("equalized")
    out[x, y] = table[hl.i32(picture[x, y])]
    for stage in (histogram, below, table):
        stage.compute_root()
    histogram.vectorize(level, 8).update().unscheduled()
    return out


def main(source, target):
    pixels = imageio.imread(source)
    picture = hl.Buffer(pixels)
    made = equalized(picture).realize([picture.width(), picture.height()])
    imageio.imwrite(target, made)
    before, after = np.bincount(pixels.ravel()), np.bincount(np.asarray(made).ravel())
    print(
        f"{pixels.shape[1]} x {pixels.shape[0]}: levels {np.flatnonzero(before)[[0, -1]]} to "
        f"{np.flatnonzero(after)[[0, -1]]}"
    )
    print(after.tolist())


if __name__ == "__main__":
    main(*sys.argv[1:])
