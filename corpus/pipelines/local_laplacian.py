"""Local contrast by local Laplacian filters (halide-2012, section 6.2; Paris et al., Aubry et al.).

For each of a few levels of brightness the whole image is remapped around that level, and its
pyramid built. Each coefficient of the result's Laplacian pyramid comes from the two pyramids
whose levels enclose the brightness that the image has there.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph, quantised
from .program import Algorithm, Array, Program, Size, Values, single

OCTAVES = 8  # levels of the pyramids
SHADES = 8  # levels of brightness
STEPS = 256  # entries of the remapping's table from one shade to the next
RED, GREEN, BLUE = 77, 150, 29  # what they add to brightness, in 1/256
SHADE = single(1 / (SHADES - 1))  # brightness from one shade to the next
GRAY = single(1 / 65535)
EPSILON = single(0.01)


def build(hl: ModuleType) -> Algorithm:
    x, y, c, k = hl.vars("x y c k")
    input = hl.ImageParam(hl.UInt(16), 3, "input")
    input.dim(2).set_bounds(0, 3)
    alpha = hl.Param(hl.Float(32), "alpha")  # how much detail is added
    beta = hl.Param(hl.Float(32), "beta")  # how much contrast between shades is kept
    padded = hl.BoundaryConditions.repeat_edge(input)

    remap, brightness, gray, shade = hl.funcs("remap brightness gray shade")
    distance = hl.f32(x) / STEPS
    remap[x] = alpha * distance * hl.exp(-distance * distance / 2)
    brightness[x, y] = hl.u16(
        (
            RED * hl.u32(padded[x, y, 0])
            + GREEN * hl.u32(padded[x, y, 1])
            + BLUE * hl.u32(padded[x, y, 2])
        )
        / 256
    )
    gray[x, y] = hl.f32(brightness[x, y]) * GRAY

    # The image, remapped around each shade.
    shade[k] = hl.f32(k) * SHADE
    step = hl.i32(brightness[x, y]) * (SHADES - 1) / (65536 // STEPS)
    finest = hl.Func("remapped_0")
    finest[x, y, k] = beta * (gray[x, y] - shade[k]) + shade[k] + remap[step - STEPS * k]

    def pyramid(finest: Any, name: str, *rest: Any) -> tuple[list[Any], list[Any]]:
        """The octaves downwards, and what is between two: done in one direction only."""
        octaves, halves = [finest], []
        for octave in range(1, OCTAVES):
            fine, half, coarse = (
                octaves[-1],
                hl.Func(f"{name}_half_{octave}"),
                hl.Func(f"{name}_{octave}"),
            )
            half[x, y, *rest] = shrunk(lambda i, of=fine: of[x, 2 * y + i, *rest])
            coarse[x, y, *rest] = shrunk(lambda i, of=half: of[2 * x + i, y, *rest])
            halves.append(half)
            octaves.append(coarse)
        return octaves, halves

    def grown(coarse: Any, name: str, *rest: Any) -> Any:
        """One octave upwards: each pixel from the four whose centres surround its own."""
        tall, large = hl.Func(f"{name}_tall"), hl.Func(f"{name}_grown")
        nearer, further = y / 2, y / 2 - 1 + 2 * (y % 2)
        tall[x, y, *rest] = 0.75 * coarse[x, nearer, *rest] + 0.25 * coarse[x, further, *rest]
        nearer, further = x / 2, x / 2 - 1 + 2 * (x % 2)
        large[x, y, *rest] = 0.75 * tall[nearer, y, *rest] + 0.25 * tall[further, y, *rest]
        if not rest:
            result_tall.insert(0, tall)
        return large

    remapped, remapped_half = pyramid(finest, "remapped", k)
    grays, gray_half = pyramid(gray, "gray")

    # The result's Laplacian pyramid, and the result from it, upwards.
    laplacian, detail, result, result_tall = [], [], [], []
    for octave in reversed(range(OCTAVES)):
        band = hl.Func(f"laplacian_{octave}")
        value = remapped[octave][x, y, k]
        if result:
            value -= grown(remapped[octave + 1], f"remapped_{octave}", k)[x, y, k]
        band[x, y, k] = value
        level = grays[octave][x, y] * (SHADES - 1)
        below = hl.clamp(hl.i32(level), 0, SHADES - 2)
        part = level - below
        chosen, total = hl.Func(f"detail_{octave}"), hl.Func(f"result_{octave}")
        chosen[x, y] = (1 - part) * band[x, y, below] + part * band[x, y, below + 1]
        value = chosen[x, y]
        if result:
            value += grown(result[0], f"result_{octave}")[x, y]
        total[x, y] = value
        laplacian.insert(0, band)
        detail.insert(0, chosen)
        result.insert(0, total)

    output = hl.Func("output")
    factor = (result[0][x, y] + EPSILON) / (gray[x, y] + EPSILON)
    output[x, y, c] = hl.u16_sat(hl.f32(padded[x, y, c]) * factor)
    return Algorithm(
        [input, alpha, beta],
        [output],
        padded=padded,
        remap=remap,
        brightness=brightness,
        shade=shade,
        gray=grays,
        gray_half=gray_half,
        remapped=remapped,
        remapped_half=remapped_half,
        laplacian=laplacian,
        detail=detail,
        result=result,
        result_tall=result_tall,
        output=output,
    )


def shrunk(at: Any) -> Any:
    """A pixel of the coarser octave, from the four nearest in one direction."""
    return (at(-1) + 3 * (at(0) + at(1)) + at(2)) * 0.125


def inputs(size: Size, seed: int = 0) -> dict[str, Any]:
    return {
        "input": quantised(photograph(size, seed), "uint16"),
        "alpha": single(1 / (SHADES - 1)),
        "beta": 1.0,
    }


def reference(values: Values) -> tuple[Array, ...]:
    # A margin of four pixels of the coarsest octave, so that edges don't reach the image.
    margin = 4 << (OCTAVES - 1)
    height, width = values["input"].shape[1:]
    beyond = [(margin, margin + -extent % (1 << OCTAVES)) for extent in (height, width)]
    red, green, blue = np.pad(values["input"], [(0, 0), *beyond], "edge").astype(np.uint32)
    brightness = (RED * red + GREEN * green + BLUE * blue) // 256
    gray = np.float64(brightness) * GRAY
    step = brightness.astype(np.int64) * (SHADES - 1) // (65536 // STEPS)
    distance = np.arange(-STEPS * (SHADES - 1), STEPS * (SHADES - 1) + 1) / STEPS
    remap = values["alpha"] * distance * np.exp(-(distance**2) / 2)

    grays = octaves_of(gray)
    detail = [np.zeros_like(one) for one in grays]
    for k in range(SHADES):
        shade = k * SHADE
        moved = remap[step - STEPS * k + STEPS * (SHADES - 1)]
        octaves = octaves_of(values["beta"] * (gray - shade) + shade + moved)
        for octave, (fine, where) in enumerate(zip(octaves, grays, strict=True)):
            band = fine - grown_twice(octaves[octave + 1]) if octave < OCTAVES - 1 else fine
            near = np.maximum(0, 1 - np.abs(where * (SHADES - 1) - k))  # a tent around the shade
            detail[octave] += near * band
    result = detail[-1]
    for finer in reversed(detail[:-1]):
        result = finer + grown_twice(result)
    factor = (result + EPSILON) / (gray + EPSILON)
    factor = factor[margin : margin + height, margin : margin + width]
    return (np.clip(values["input"] * factor, 0, 65535).astype(np.uint16),)


def octaves_of(image: Array) -> list[Array]:
    octaves = [image]
    for _ in range(1, OCTAVES):
        for axis in (1, 0):
            at = [np.roll(image, -i, axis) for i in (-1, 0, 1, 2)]
            image = (at[0] + 3 * (at[1] + at[2]) + at[3]) / 8
            image = image[:, ::2] if axis == 1 else image[::2]
        octaves.append(image)
    return octaves


def grown_twice(image: Array) -> Array:
    for axis in (1, 0):
        before, after = (0.75 * image + 0.25 * np.roll(image, i, axis) for i in (1, -1))
        shape = [2 * e if i == axis else e for i, e in enumerate(image.shape)]
        image = np.stack([before, after], axis + 1).reshape(shape)
    return image


def x86(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=8)


def arm(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=4)


def strips(hl: ModuleType, a: Algorithm, lanes: int, large: int = 5) -> None:
    """The large octaves in strips of rows, the small ones without ado; bands are inlined.

    Remapping, a look into a table, is done once a pixel and shade on the way down: its rows slide
    down the strip, shade by shade. On the way up two shades of a pixel are needed: inlined.
    """
    x, y, c, k, strip, row = hl.vars("x y c k strip row")
    a.remap.compute_root()
    for plane in a.brightness, a.gray[0]:
        plane.compute_root().parallel(y, 32).vectorize(x, lanes)

    for octave in range(1, large):
        gray, remapped, result = a.gray[octave], a.remapped[octave], a.result[octave]
        gray.compute_root().parallel(y, 8).vectorize(x, lanes)
        a.gray_half[octave - 1].compute_at(gray, y).vectorize(x, lanes)
        remapped.compute_root().split(y, strip, row, 16).reorder(x, row, k, strip)
        remapped.parallel(strip).vectorize(x, lanes)
        a.remapped_half[octave - 1].compute_at(remapped, row).vectorize(x, lanes)
        result.compute_root().parallel(y, 8).vectorize(x, lanes)
        a.result_tall[octave].compute_at(result, y).vectorize(x, lanes)
    finest = a.remapped[0].clone_in(a.remapped_half[0])
    finest.store_at(a.remapped[1], k).compute_at(a.remapped[1], row).vectorize(x, lanes)
    for octave in range(large, OCTAVES):
        a.gray[octave].compute_root()
        a.remapped[octave].compute_root().parallel(k).vectorize(x, 4)
        a.result[octave].compute_root()

    # That the output begins at 0 lets vectors of `x / 2` be loaded and spread, not gathered.
    a.output.output_buffer().dim(0).set_min(0)
    a.output.bound(c, 0, 3).split(y, strip, row, 32).reorder(c, x, row, strip)
    a.output.unroll(c).parallel(strip).vectorize(x, lanes)
    for part in a.result[0], a.result_tall[0]:
        part.compute_at(a.output, row).vectorize(x, lanes)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A kernel for each octave on the way down and up; halves lie in the memory of a block."""
    x, y, c, k, column, row = hl.vars("x y c k column row")
    a.remap.compute_root().gpu_tile(x, column, 64)
    for plane in a.brightness, a.gray[0]:
        plane.compute_root().gpu_tile(x, y, column, row, 32, 8)
    for octave in range(1, OCTAVES):
        a.gray[octave].compute_root().gpu_tile(x, y, column, row, 16, 8)
        a.gray_half[octave - 1].compute_at(a.gray[octave], x).gpu_threads(x, y)
        a.remapped[octave].compute_root().gpu_tile(x, y, column, row, 16, 8).gpu_blocks(k)
        a.remapped_half[octave - 1].compute_at(a.remapped[octave], x).gpu_threads(x, y)
        a.result[octave].compute_root().gpu_tile(x, y, column, row, 16, 8)
    a.output.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, column, row, 32, 8)
    a.result[0].compute_at(a.output, column)


PROGRAM = Program(
    name="local_laplacian",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560, 3),
    test_size=(67, 41, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    inlinable=False,
    # With u = 2**-24: an octave's average adds 8u of error to values of 1.2 at most, so that a
    # band of octave j is off by 16 (j + 1) u, their sum by 600u: of 65535, that is 2.4. A channel
    # of these inputs is at most 5 times as bright as the pixel.
    tolerance=12,
)
