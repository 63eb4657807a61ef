"""From a sensor's raw data to a picture: the Frankencamera's pipeline (halide-2012, section 6.1).

Hot pixels are suppressed, the missing two colours of each pixel are found in its surroundings
along the smaller gradient, the sensor's colours become those of the screen by a matrix, and a
tone curve gives gamma and contrast.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph
from .program import Algorithm, Array, Program, Size, Values

WHITE = 1024  # levels of the sensor


def build(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    raw = hl.ImageParam(hl.UInt(16), 2, "raw")  # green red / blue green
    matrix = hl.ImageParam(hl.Int(16), 2, "matrix")  # from red, green, blue, 1; in 1/256
    curve = hl.ImageParam(hl.UInt(8), 1, "curve")  # the level on screen of each of the sensor
    parts: dict[str, Any] = {}

    def stage(name: str, value: Any, *at: Any) -> Any:
        parts[name] = hl.Func(name)
        parts[name][at or (x, y)] = value
        return parts[name]

    padded = parts["padded"] = hl.BoundaryConditions.repeat_edge(raw)
    p = stage("shifted", hl.i16(padded[x, y]))
    around = hl.max(p[x - 2, y], p[x + 2, y], p[x, y - 2], p[x, y + 2])
    clean = stage("clean", hl.min(p[x, y], around))

    # A plane a colour, named by the colour's neighbours in its row: g_r is green beside red.
    g_r = stage("g_r", clean[2 * x, 2 * y])
    r_r = stage("r_r", clean[2 * x + 1, 2 * y])
    b_b = stage("b_b", clean[2 * x, 2 * y + 1])
    g_b = stage("g_b", clean[2 * x + 1, 2 * y + 1])

    def average(a: Any, b: Any) -> Any:
        return hl.rounding_halving_add(a, b)

    def smoother(a: Any, b: Any, c: Any, d: Any) -> Any:
        """The average of the pair that differs less."""
        return hl.select(hl.absd(a, b) < hl.absd(c, d), average(a, b), average(c, d))

    # Green, where the sensor has red or blue.
    g_at_r = stage("g_at_r", smoother(g_r[x, y], g_r[x + 1, y], g_b[x, y - 1], g_b[x, y]))
    g_at_b = stage("g_at_b", smoother(g_b[x - 1, y], g_b[x, y], g_r[x, y], g_r[x, y + 1]))

    def corrected(g: Any, a: Any, b: Any, ga: Any, gb: Any) -> Any:
        """The average of two reds, or blues, moved as green moves from there to here."""
        return average(a, b) + g - average(ga, gb)

    # Red and blue, where it has green.
    r_at_g_r = stage(
        "r_at_g_r",
        corrected(g_r[x, y], r_r[x - 1, y], r_r[x, y], g_at_r[x - 1, y], g_at_r[x, y]),
    )
    b_at_g_r = stage(
        "b_at_g_r",
        corrected(g_r[x, y], b_b[x, y - 1], b_b[x, y], g_at_b[x, y - 1], g_at_b[x, y]),
    )
    r_at_g_b = stage(
        "r_at_g_b",
        corrected(g_b[x, y], r_r[x, y], r_r[x, y + 1], g_at_r[x, y], g_at_r[x, y + 1]),
    )
    b_at_g_b = stage(
        "b_at_g_b",
        corrected(g_b[x, y], b_b[x, y], b_b[x + 1, y], g_at_b[x, y], g_at_b[x + 1, y]),
    )

    def along_smoother_diagonal(f: Any, g: Any, green: Any, dx: int, dy: int) -> Any:
        """The same from four corners: along the diagonal on which `f` differs less."""
        diagonals = ((x, y), (x + dx, y + dy)), ((x + dx, y), (x, y + dy))
        values = [corrected(green[x, y], f[a], f[b], g[a], g[b]) for a, b in diagonals]
        steps = [hl.absd(f[a], f[b]) for a, b in diagonals]
        return hl.select(steps[0] < steps[1], values[0], values[1])

    # Red where it has blue, and blue where it has red.
    r_at_b = stage("r_at_b", along_smoother_diagonal(r_r, g_at_r, g_at_b, -1, 1))
    b_at_r = stage("b_at_r", along_smoother_diagonal(b_b, g_at_b, g_at_r, 1, -1))

    def mosaic(name: str, at_g_r: Any, at_r: Any, at_b: Any, at_g_b: Any) -> Any:
        even, odd = (
            stage(f"{name}_{row}", hl.select(x % 2 == 0, left[x / 2, y], right[x / 2, y]))
            for row, left, right in (("even", at_g_r, at_r), ("odd", at_b, at_g_b))
        )
        return stage(name, hl.select(y % 2 == 0, even[x, y / 2], odd[x, y / 2]))

    red = mosaic("red", r_at_g_r, r_r, r_at_b, r_at_g_b)
    green = mosaic("green", g_r, g_at_r, g_at_b, g_b)
    blue = mosaic("blue", b_at_g_r, b_at_r, b_b, b_at_g_b)

    total = hl.i32(matrix[3, c])
    for column, colour in enumerate((red, green, blue)):
        total += hl.i32(matrix[column, c]) * hl.i32(colour[x, y])
    colours = stage("corrected", hl.i16(total / 256), x, y, c)
    level = hl.clamp(hl.i32(colours[x, y, c]), 0, WHITE - 1)
    picture = stage("picture", curve[level], x, y, c)
    return Algorithm([raw, matrix, curve], [picture], **parts)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    width, height = size[:2]
    colours = photograph((width, height, 3), seed)
    y, x = np.ogrid[0:height, 0:width]
    light = np.choose(
        (y % 2 == 1) * np.int8(1) + (x % 2 == (y + 1) % 2) * np.int8(2),
        [colours[1]] * 2 + [colours[0], colours[2]],
    )
    raw = (light * WHITE).astype(np.uint16)
    raw.flat[::1009] = WHITE - 1  # hot pixels
    levels = np.arange(WHITE) / (WHITE - 1)
    gamma = levels ** (1 / 2.2)
    contrast = gamma + 0.15 * gamma * (1 - gamma) * (2 * gamma - 1)
    return {
        "raw": raw,
        # Each row adds up to one: gray stays gray, but for the black level's 25.
        "matrix": np.array(
            [[380, -90, -34, -6400], [-60, 390, -74, -6400], [-12, -150, 418, -6400]], np.int16
        ),
        "curve": np.rint(contrast * 255).astype(np.uint8),
    }


def reference(values: Values) -> tuple[Array, ...]:
    margin = 8
    raw = np.pad(values["raw"], margin, "edge").astype(np.int32)
    left, right, up, down = (-1, 0), (1, 0), (0, -1), (0, 1)

    def at(image: Array, step: tuple[int, int]) -> Array:
        return np.roll(image, (-step[1], -step[0]), (0, 1))

    def average(image: Array, one: tuple[int, int], other: tuple[int, int]) -> Array:
        return (at(image, one) + at(image, other) + 1) >> 1

    def difference(image: Array, one: tuple[int, int], other: tuple[int, int]) -> Array:
        return np.abs(at(image, one) - at(image, other))

    around = [at(raw, step) for step in ((-2, 0), (2, 0), (0, -2), (0, 2))]
    clean = np.minimum(raw, np.maximum.reduce(around))
    y, x = np.indices(raw.shape) % 2
    is_green = x == y
    is_red = (y == 0) & (x == 1)
    flat = difference(clean, left, right) < difference(clean, up, down)
    between = np.where(flat, average(clean, left, right), average(clean, up, down))
    green = np.where(is_green, clean, between)

    def moved(one: tuple[int, int], other: tuple[int, int]) -> Array:
        return average(clean, one, other) + green - average(green, one, other)

    rising, falling = ((1, -1), (-1, 1)), ((-1, -1), (1, 1))
    flat = difference(clean, *rising) < difference(clean, *falling)
    across = np.where(flat, moved(*rising), moved(*falling))
    along, over = moved(left, right), moved(up, down)
    red = np.where(is_green, np.where(y == 0, along, over), np.where(is_red, clean, across))
    blue = np.where(is_green, np.where(y == 0, over, along), np.where(is_red, across, clean))

    colours = [c[margin:-margin, margin:-margin] for c in (red, green, blue)]
    planes = []
    for row in values["matrix"].astype(np.int32):
        total = sum(weight * colour for weight, colour in zip(row[:3], colours, strict=True))
        planes.append(np.clip((total + row[3]) // 256, 0, WHITE - 1))
    return (values["curve"][np.array(planes)],)


def x86(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=16)


def arm(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=8)


def strips(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Strips of rows in parallel, two rows at a time: the mosaic's even one and its odd one.

    The four planes and green slide down the strip; the other colours are needed only once.
    """
    x, y, c, strip, pair, row = hl.vars("x y c strip pair row")
    a.picture.bound(c, 0, 3).split(y, strip, pair, 32).split(pair, pair, row, 2)
    a.picture.reorder(x, c, row, pair, strip).parallel(strip)
    a.picture.vectorize(x, lanes).unroll(c).unroll(row)
    for colour in a.red, a.green, a.blue:
        colour.compute_at(a.picture, pair).split(y, pair, row, 2).unroll(row).vectorize(x, lanes)
    for plane in a.g_r, a.r_r, a.b_b, a.g_b, a.g_at_r, a.g_at_b:
        plane.store_at(a.picture, strip).compute_at(a.picture, pair).vectorize(x, lanes)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A tile's four planes, and its greens, lie in the memory of its block."""
    x, y, c, column, row = hl.vars("x y c column row")
    a.picture.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, column, row, 32, 16)
    for colour in a.red, a.green, a.blue:
        colour.compute_at(a.picture, column)
    for plane in a.g_r, a.r_r, a.b_b, a.g_b, a.g_at_r, a.g_at_b:
        plane.compute_at(a.picture, x).gpu_threads(x, y)


PROGRAM = Program(
    name="camera_pipe",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(2560, 1920, 3),
    test_size=(67, 41, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    inlinable=False,
)
