"""A shallow depth of field made from a stereo pair (LENSBLUR in autoscheduler-2016, table 1).

For every pixel and disparity, the cost tells how differently the two images look there. A pyramid
spreads the costs of pixels that are sure of their disparity to those around (convolution pyramids,
Farbman et al. 2011; filtered cost volumes, Rhemann et al. 2011), and the cheapest disparity is the
depth. The picture is then gathered through a virtual aperture: random samples around each pixel
count as far as their own circle of confusion reaches.

All decisions are made in integers, so that no rounding of floats can change a depth or a sample.
"""

from __future__ import annotations

from functools import reduce
from types import ModuleType
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .images import photograph, quantised
from .program import Algorithm, Array, Program, Size, Values

SLICES = 32  # disparities
FOCUS = 13  # the disparity that stays sharp
LEVELS = 8
SAMPLES = 32
WIDEST = max(FOCUS, SLICES - 1 - FOCUS) // 2  # radius of the largest circle of confusion, in pixels


def build(hl: ModuleType) -> Algorithm:
    x, y, z, c, s = hl.vars("x y z c s")
    left = hl.ImageParam(hl.UInt(8), 3, "left")
    right = hl.ImageParam(hl.UInt(8), 3, "right")
    frame = [(0, left.width()), (0, left.height())]
    left_padded = hl.BoundaryConditions.repeat_edge(left, frame)
    right_padded = hl.BoundaryConditions.repeat_edge(right, frame)

    # How differently the images look at a disparity of z, and how much that varies with z.
    cost, confidence = hl.funcs("cost confidence")
    apart = [hl.u16(hl.absd(left_padded[x, y, i], right_padded[x + z, y, i])) for i in range(3)]
    cost[x, y, z] = hl.u8((apart[0] + 2 * apart[1] + apart[2]) >> 2)
    each = hl.RDom([(0, SLICES)], "each")
    spread = hl.Func("spread")
    here = hl.u32(cost[x, y, each.x])
    spread[x, y] = hl.Tuple([hl.u32(0), hl.u32(0)])
    spread[x, y] = hl.Tuple([spread[x, y][0] + here, spread[x, y][1] + here * here])
    total, squares = spread[x, y][0], spread[x, y][1]
    variance = (SLICES * squares - total * total) / SLICES**2
    confidence[x, y] = hl.u8(hl.min(variance / 4 + 1, 255))

    # Down the pyramid, and up again: each level gets three parts of what the coarser one says.
    down_y, down, up_x = [], [hl.Func("down_0")], []
    down[0][x, y, z] = hl.u16(cost[x, y, z]) * hl.u16(confidence[x, y])
    for level in range(1, LEVELS):
        finer, half, coarser = down[-1], hl.Func(f"down_y_{level}"), hl.Func(f"down_{level}")
        half[x, y, z] = binomial(hl, [finer[x, 2 * y + i, z] for i in range(-1, 3)])
        coarser[x, y, z] = binomial(hl, [half[2 * x + i, y, z] for i in range(-1, 3)])
        down_y, down = [*down_y, half], [*down, coarser]
    up = [down[-1]]
    for level in reversed(range(LEVELS - 1)):
        coarser, half, finer = up[0], hl.Func(f"up_x_{level}"), hl.Func(f"up_{level}")
        half[x, y, z] = mixed(hl, coarser[x / 2 + 2 * (x % 2) - 1, y, z], coarser[x / 2, y, z])
        wide = mixed(hl, half[x, y / 2 + 2 * (y % 2) - 1, z], half[x, y / 2, z])
        finer[x, y, z] = mixed(hl, down[level][x, y, z], wide)
        up_x, up = [half, *up_x], [finer, *up]

    # The cheapest disparity; the confidence has scaled all of a pixel's costs alike.
    cheapest, depth = hl.funcs("cheapest depth")
    cheapest[x, y] = hl.Tuple([hl.u8(0), hl.u16(0xFFFF)])  # more than any cost
    candidate, best = up[0][x, y, each.x], cheapest[x, y]
    cheapest[x, y] = hl.Tuple([
        hl.select(candidate < best[1], hl.u8(each.x), best[0]),
        hl.min(candidate, best[1]),
    ])  # fmt: skip
    depth[x, y] = cheapest[x, y][0]

    # Circles of confusion, and the widest around. A pixel's share of each pixel of its circle falls
    # with the circle's area; it starts from 2**10, so that 33 samples sum up exactly in a float.
    radius, share, widest_y, widest = hl.funcs("radius share widest_y widest")
    radius[x, y] = hl.absd(depth[x, y], hl.u8(FOCUS)) / 2
    share[x, y] = hl.u16(1024 / (1 + 3 * hl.i32(radius[x, y]) * hl.i32(radius[x, y])))
    around = range(-WIDEST, WIDEST + 1)
    widest_y[x, y] = reduce(hl.max, (radius[x, y + i] for i in around))
    widest[x, y] = reduce(hl.max, (widest_y[x + i, y] for i in around))

    # A sample counts where its own circle reaches this pixel, unless it lies behind a sharper one.
    offset, weight, gathered, output = hl.funcs("offset weight gathered output")
    noise = scrambled(hl, x, y, s)
    span = 2 * hl.u32(widest[x, y]) + 1
    drawn = [hl.i32((part * span) >> 16) for part in (noise & 0xFFFF, noise >> 16)]
    offset[x, y, s] = hl.Tuple([
        hl.clamp(one - hl.i32(widest[x, y]), -WIDEST, WIDEST) for one in drawn
    ])  # fmt: skip
    dx, dy = offset[x, y, s][0], offset[x, y, s][1]
    reach, own = hl.i32(radius[x + dx, y + dy]), hl.i32(radius[x, y])
    apart = dx * dx + dy * dy
    seen = (apart <= own * own) | (depth[x + dx, y + dy] >= depth[x, y])
    weight[x, y, s] = hl.select((apart <= reach * reach) & seen, hl.i32(share[x + dx, y + dy]), 0)

    # The fourth channel is 1 everywhere: its weighted sum is the sum of the weights.
    def coloured(x: Any, y: Any) -> Any:
        return hl.select(c < 3, hl.i32(left_padded[x, y, hl.min(c, 2)]), 1)

    samples = hl.RDom([(0, SAMPLES)], "samples")
    dx, dy = offset[x, y, samples.x][0], offset[x, y, samples.x][1]
    gathered[x, y, c] = hl.i32(share[x, y]) * coloured(x, y)
    gathered[x, y, c] += weight[x, y, samples.x] * coloured(x + dx, y + dy)
    output[x, y, c] = hl.f32(gathered[x, y, c]) / hl.f32(gathered[x, y, 3])
    return Algorithm(
        [left, right], [output],
        cost=cost, spread=spread, confidence=confidence, down_y=down_y, down=down,
        up_x=up_x, up=up, cheapest=cheapest, depth=depth, share=share,
        widest_y=widest_y, widest=widest, offset=offset, weight=weight, gathered=gathered,
        output=output, each=each, samples=samples,
    )  # fmt: skip


def binomial(hl: ModuleType, taps: list[Any]) -> Any:
    """(1 3 3 1) / 8 of 16-bit values, rounded."""
    a, b, c, d = (hl.u32(tap) for tap in taps)
    return hl.u16((a + 3 * (b + c) + d + 4) >> 3)


def mixed(hl: ModuleType, quarter: Any, rest: Any) -> Any:
    """(1 3) / 4 of 16-bit values, rounded."""
    return hl.u16((hl.u32(quarter) + 3 * hl.u32(rest) + 2) >> 2)


def scrambled(hl: ModuleType, x: Any, y: Any, s: Any) -> Any:
    """32 bits that look random, another number for each pixel and sample."""
    n = (
        hl.u32(x) * hl.u32(0x9E3779B1)
        + hl.u32(y) * hl.u32(0x85EBCA77)
        + hl.u32(s) * hl.u32(0xC2B2AE3D)
    )
    n = (n ^ (n >> 15)) * hl.u32(0x2C1B3C6D)
    n = (n ^ (n >> 12)) * hl.u32(0x297A2D39)
    return n ^ (n >> 15)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    """A picture whose columns lie at disparities that grow from left to right."""
    width, height, channels = size
    picture = quantised(photograph((width + SLICES, height, channels), seed), "uint8")
    x = np.arange(width)
    shift = (SLICES - 1) * x // max(width - 1, 1)
    return {
        "left": np.take(picture, x + shift, axis=2),
        "right": picture[:, :, :width].copy(),
    }


def reference(values: Values) -> tuple[Array, ...]:
    left, right = values["left"], values["right"]
    _, height, width = left.shape
    depth = reference_depth(left, right, 2 * WIDEST)
    radius = abs(depth - FOCUS) // 2
    widest = sliding_window_view(radius, (2 * WIDEST + 1, 2 * WIDEST + 1)).max(axis=(2, 3))

    inner = slice(WIDEST, -WIDEST)
    widest, y, x = widest[inner, inner], *np.mgrid[0:height, 0:width]
    inner = slice(2 * WIDEST, -2 * WIDEST)
    own, here = radius[inner, inner], depth[inner, inner]
    weights = 1024 // (1 + 3 * own**2)
    sums = left * weights
    for s in range(SAMPLES):
        noise = reference_noise(x, y, s)
        dx = (((noise & 0xFFFF) * (2 * widest + 1)) >> 16) - widest
        dy = (((noise >> 16) * (2 * widest + 1)) >> 16) - widest
        place = y + dy + 2 * WIDEST, x + dx + 2 * WIDEST
        reach, apart = radius[place], dx**2 + dy**2
        counts = (apart <= reach**2) & ((apart <= own**2) | (depth[place] >= here))
        weight = counts * (1024 // (1 + 3 * reach**2))
        sample = left[:, np.clip(y + dy, 0, height - 1), np.clip(x + dx, 0, width - 1)]
        sums, weights = sums + sample * weight, weights + weight
    return (sums.astype(np.float32) / weights.astype(np.float32),)


def reference_depth(left: Array, right: Array, rim: int) -> Array:
    """The depth of the image and of `rim` pixels around it.

    The pyramid knows no borders, so it is computed on a frame so large that what its own edges do
    wrong reaches nothing that is asked for.
    """
    _, height, width = left.shape
    around, coarsest = 3 << (LEVELS - 1), 1 << (LEVELS - 1)
    y = np.clip(np.arange(-around, -(-height // coarsest) * coarsest + around), 0, height - 1)
    x = np.arange(-around, -(-width // coarsest) * coarsest + around)
    lines = left[:, y].astype(np.int32), right[:, y].astype(np.int32)

    def cost(z: int) -> Array:
        first = lines[0][:, :, np.clip(x, 0, width - 1)]
        apart = abs(first - lines[1][:, :, np.clip(x + z, 0, width - 1)])
        return (apart[0] + 2 * apart[1] + apart[2]) >> 2

    total, squares = np.zeros((len(y), len(x)), np.int64), np.zeros((len(y), len(x)), np.int64)
    for z in range(SLICES):
        one = cost(z)
        total += one
        squares += one * one
    confidence = np.minimum((SLICES * squares - total**2) // SLICES**2 // 4 + 1, 255)

    wanted = np.s_[around - rim : around + height + rim, around - rim : around + width + rim]
    filtered = [spread_costs(cost(z) * confidence)[wanted] for z in range(SLICES)]
    return np.argmin(filtered, axis=0)


def spread_costs(costs: Array) -> Array:
    """Down the pyramid and up again."""
    down = [costs]
    for _ in range(1, LEVELS):
        level = down[-1]
        for _ in range(2):  # along y, then along x
            p = np.pad(level, ((1, 1), (0, 0)), "edge")
            level = (p[:-3:2] + 3 * (p[1:-2:2] + p[2:-1:2]) + p[3::2] + 4).T >> 3
        down.append(level)
    up = down.pop()
    while down:
        for _ in range(2):  # along x, then along y
            p = np.pad(up.T, ((1, 1), (0, 0)), "edge")
            even, odd = p[:-2] + 3 * p[1:-1], p[2:] + 3 * p[1:-1]
            up = (np.stack((even, odd), axis=1).reshape(-1, p.shape[1]) + 2) >> 2
        up = (down.pop() + 3 * up + 2) >> 2
    return up


def reference_noise(x: Array, y: Array, s: int) -> Array:
    n = x.astype(np.uint32) * np.uint32(0x9E3779B1) + y.astype(np.uint32) * np.uint32(0x85EBCA77)
    n += np.uint32(s * 0xC2B2AE3D % 2**32)
    n = (n ^ (n >> np.uint32(15))) * np.uint32(0x2C1B3C6D)
    n = (n ^ (n >> np.uint32(12))) * np.uint32(0x297A2D39)
    return (n ^ (n >> np.uint32(15))).astype(np.int64)


def staged(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Small levels are stored, the two finest are made for each tile and disparity when compared.

    The finest level down is no more than a product of stored values, so it is never stored.
    """
    x, y, z, c, tile, strip, column, row = hl.vars("x y z c tile strip column row")
    a.cost.compute_root().reorder(x, z, y).vectorize(x, lanes).parallel(y, 8)
    a.confidence.compute_root().vectorize(x, lanes).parallel(y, 8)
    a.spread.compute_at(a.confidence, x).vectorize(x, lanes)
    a.spread.update().reorder(x, a.each.x).vectorize(x, lanes)

    for half, level in zip(a.down_y, a.down[1:], strict=True):
        level.compute_root().parallel(z).vectorize(x, lanes)
        half.compute_at(level, y).vectorize(x, lanes)
    for half, level in list(zip(a.up_x, a.up, strict=False))[2:]:
        level.compute_root().parallel(z).vectorize(x, lanes)
        half.store_at(level, z).compute_at(level, y).vectorize(x, lanes)

    a.depth.compute_root().tile(x, y, tile, strip, column, row, 128, 64)
    a.depth.vectorize(column, lanes).parallel(strip)
    a.cheapest.compute_at(a.depth, tile).vectorize(x, lanes)
    a.cheapest.update().reorder(x, y, a.each.x).vectorize(x, lanes)
    for level in (*a.up_x[:2], *a.up[:2]):
        level.compute_at(a.cheapest, a.each.x).vectorize(x, lanes)
    a.share.compute_root().vectorize(x, lanes).parallel(y, 16)

    a.output.bound(c, 0, 3).split(y, strip, row, 32).split(x, tile, column, lanes // 2)
    a.output.reorder(column, c, tile, row, strip).vectorize(column).unroll(c).parallel(strip)
    a.widest_y.compute_at(a.output, strip).vectorize(x, lanes)
    a.widest.compute_at(a.output, strip).vectorize(x, lanes)
    a.gathered.compute_at(a.output, tile).bound(c, 0, 4).reorder(x, c, y)
    a.gathered.vectorize(x, lanes // 2).unroll(c)
    a.gathered.update().reorder(x, c, y, a.samples.x).vectorize(x, lanes // 2).unroll(c)
    for drawn in (a.offset, a.weight):
        drawn.compute_at(a.gathered, a.samples.x).vectorize(x, lanes // 2)


def x86(hl: ModuleType, a: Algorithm) -> None:
    staged(hl, a, lanes=32)


def arm(hl: ModuleType, a: Algorithm) -> None:
    staged(hl, a, lanes=8)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """Levels are stored; a thread goes through all disparities, and all samples, of its pixel."""
    x, y, z, c, column, row = hl.vars("x y z c column row")
    a.cost.compute_root().gpu_tile(x, y, column, row, 32, 8).gpu_blocks(z)
    for stage in a.confidence, a.depth, a.share:
        stage.compute_root().gpu_tile(x, y, column, row, 32, 8)
    a.spread.compute_at(a.confidence, column)
    a.cheapest.compute_at(a.depth, column)
    for half, level in [*zip(a.down_y, a.down[1:], strict=True), *zip(a.up_x, a.up, strict=False)]:
        level.compute_root().gpu_tile(x, y, column, row, 16, 8).gpu_blocks(z)
        half.compute_at(level, x).gpu_threads(x, y)
    a.output.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, column, row, 32, 8)
    for stage in a.widest_y, a.widest:
        stage.compute_at(a.output, x).gpu_threads(x, y)
    a.gathered.compute_at(a.output, column).bound(c, 0, 4).unroll(c)
    a.gathered.update().reorder(c, a.samples.x).unroll(c)
    for drawn in a.offset, a.weight:
        drawn.compute_at(a.gathered, a.samples.x)


PROGRAM = Program(
    name="lens_blur",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(992, 1024, 3),
    test_size=(131, 67, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    # All is exact but the last division, which may be wrong in the last place of a value below 256.
    tolerance=2.0**-16,
    inlinable=False,
)
