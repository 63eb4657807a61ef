"""An integral image by two scans, and box sums of any size from it; a histogram by rfactor."""

import halide as hl
import numpy as np


def integral(picture, width, height):
    x, y = hl.Var("x"), hl.Var("y")
    total = hl.Func("total")
    across, down = hl.RDom([(1, width - 1)], "across"), hl.RDom([(1, height - 1)], "down")
    total[x, y] = hl.cast(hl.UInt(32), picture[x, y])
    total[across, y] += total[across - 1, y]
    total[x, down] += total[x, down - 1]
    total.compute_root()
    total.update(0).parallel(y)
    total.update(1).vectorize(x, 8, hl.TailStrategy.GuardWithIf)
    return total


def box_mean(total, radius, width, height):
    x, y = hl.Var("x"), hl.Var("y")
    left, right = hl.max(x - radius, 0), hl.min(x + radius, width - 1)
    top, bottom = hl.max(y - radius, 0), hl.min(y + radius, height - 1)
    before_x, before_y = hl.max(left - 1, 0), hl.max(top - 1, 0)
    inside_x, inside_y = left > 0, top > 0
    zero = hl.u32(0)
    whole = (
        total[right, bottom]
        - hl.select(inside_x, total[before_x, bottom], zero)
        - hl.select(inside_y, total[right, before_y], zero)
        + hl.select(inside_x & inside_y, total[before_x, before_y], zero)
    )
    mean = hl.Func("mean")
    mean[x, y] = hl.u8(whole / hl.u32((right - left + 1) * (bottom - top + 1)))
    return mean


def histogram(picture, width, height):
    x, y = hl.Var("x"), hl.Var("y")
    r = hl.RDom([(0, width), (0, height)], "r")
    bins = hl.Func("bins")
    bins[x] = 0
    bins[hl.i32(picture[r.x, r.y]) / 32] += 1
    partial = bins.update().rfactor(r.y, y)
    partial.compute_root().parallel(y)
    partial.update().parallel(y)
    return bins


def main():
    width, height = 53, 37
    pixels = np.random.default_rng(3).integers(0, 256, (height, width)).astype(np.uint8)
    picture = hl.Buffer(pixels)
    total = integral(picture, width, height)
    radius = hl.Param(hl.Int(32), "radius", 1)
    mean = box_mean(total, radius, width, height)
    print(np.array_equal(np.asarray(total.realize([width, height])), pixels.cumsum(0).cumsum(1)))
    for r in (0, 1, 5):
        radius.set(r)
        made = np.asarray(mean.realize([width, height]))
        print(f"radius {r}: sum {made.sum(dtype=int)}, corner {made[0, :6].tolist()}")
    print(np.asarray(histogram(picture, width, height).realize([8])).tolist())


if __name__ == "__main__":
    main()
