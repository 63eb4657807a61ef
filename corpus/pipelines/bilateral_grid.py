"""Edge-preserving smoothing by the bilateral grid (halide-2012, section 6.3).

Each tile of the image becomes a column of the grid: a histogram of its pixels, with their count
beside their sum. The grid is blurred and read back between its points, at each pixel's place and
brightness.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph
from .program import Algorithm, Array, Program, Size, Values

S_SIGMA = 8  # pixels along one side of a tile
R_SIGMA = 0.1  # brightness between two points of a column
BINOMIAL = (1, 4, 6, 4, 1)


def build(hl: ModuleType) -> Algorithm:
    x, y, z, c = hl.vars("x y z c")
    input = hl.ImageParam(hl.Float(32), 2, "input")
    r_sigma = hl.Param(hl.Float(32), "r_sigma")
    padded = hl.BoundaryConditions.repeat_edge(input)

    # A tile's pixels lie around its point of the grid.
    r = hl.RDom([(0, S_SIGMA), (0, S_SIGMA)], "r")
    value = padded[x * S_SIGMA + r.x - S_SIGMA // 2, y * S_SIGMA + r.y - S_SIGMA // 2]
    value = hl.clamp(value, 0.0, 1.0)
    bin = hl.i32(value * (1 / r_sigma) + 0.5)
    grid = hl.Func("grid")
    grid[x, y, z, c] = hl.f32(0)
    grid[x, y, bin, c] += hl.mux(c, [value, 1.0])

    blur_z, blur_x, blur_y = hl.funcs("blur_z blur_x blur_y")
    blur_z[x, y, z, c] = blurred(lambda i: grid[x, y, z + i, c])
    blur_x[x, y, z, c] = blurred(lambda i: blur_z[x + i, y, z, c])
    blur_y[x, y, z, c] = blurred(lambda i: blur_x[x, y + i, z, c])

    # Between points of the grid: first across rows, which all pixels of a row share.
    slice_y, slice_x, slice_z, smooth = hl.funcs("slice_y slice_x slice_z smooth")
    level = hl.clamp(input[x, y], 0.0, 1.0) * (1 / r_sigma)
    zi = hl.i32(level)
    part = hl.f32(y % S_SIGMA) / S_SIGMA
    near, far = blur_y[x, y / S_SIGMA, z, c], blur_y[x, y / S_SIGMA + 1, z, c]
    slice_y[x, y, z, c] = hl.lerp(near, far, part)
    part = hl.f32(x % S_SIGMA) / S_SIGMA
    near, far = slice_y[x / S_SIGMA, y, z, c], slice_y[x / S_SIGMA + 1, y, z, c]
    slice_x[x, y, z, c] = hl.lerp(near, far, part)
    slice_z[x, y, c] = hl.lerp(slice_x[x, y, zi, c], slice_x[x, y, zi + 1, c], level - zi)
    smooth[x, y] = slice_z[x, y, 0] / slice_z[x, y, 1]
    return Algorithm(
        [input, r_sigma],
        [smooth],
        padded=padded,
        r=r,
        grid=grid,
        blur_z=blur_z,
        blur_x=blur_x,
        blur_y=blur_y,
        slice_y=slice_y,
        slice_x=slice_x,
        slice_z=slice_z,
        smooth=smooth,
    )


def blurred(at: Any) -> Any:
    return sum(weight * at(i) for i, weight in enumerate(BINOMIAL, -2))


def inputs(size: Size, seed: int = 0) -> dict[str, Any]:
    # Steps of 1/256, and 1 / 0.1 is 10 in float32 too: which bin a pixel falls into is exact.
    return {"input": np.floor(photograph(size, seed) * 256) / np.float32(256), "r_sigma": R_SIGMA}


def reference(values: Values) -> tuple[Array, ...]:
    image = values["input"].astype(np.float64)
    scale = round(1 / values["r_sigma"])
    height, width = image.shape
    columns, rows = (width - 1) // S_SIGMA + 2, (height - 1) // S_SIGMA + 2

    # The blurs reach two points, and a bin, beyond what is read back.
    reach = 2 * S_SIGMA + S_SIGMA // 2
    beyond = [
        (reach, (n + 2) * S_SIGMA - S_SIGMA // 2 - e) for n, e in ((rows, height), (columns, width))
    ]
    padded = np.pad(image, beyond, "edge")
    bins = np.floor(padded * scale + 0.5).astype(np.int64) + 2
    y, x = np.indices(padded.shape) // S_SIGMA
    grid = np.zeros((2, scale + 6, rows + 4, columns + 4))
    np.add.at(grid[0], (bins, y, x), padded)
    np.add.at(grid[1], (bins, y, x), 1)
    for axis in (1, 3, 2):
        count = grid.shape[axis] - 4
        grid = sum(w * grid.take(range(i, i + count), axis) for i, w in enumerate(BINOMIAL))

    y, x = np.indices(image.shape)
    level = image * scale
    z = np.floor(level).astype(np.int64)
    sliced = np.zeros((2, height, width))
    near = (
        (level - z, z),
        (y % S_SIGMA / S_SIGMA, y // S_SIGMA),
        (x % S_SIGMA / S_SIGMA, x // S_SIGMA),
    )
    for corner in np.ndindex(2, 2, 2):
        weights = [f if far else 1 - f for far, (f, _) in zip(corner, near, strict=True)]
        where = tuple(i + far for far, (_, i) in zip(corner, near, strict=True))
        sliced += np.prod(weights, axis=0) * grid[(slice(None), *where)]
    return (sliced[0] / sliced[1],)


def x86(hl: ModuleType, a: Algorithm) -> None:
    rows(hl, a, lanes=8)


def arm(hl: ModuleType, a: Algorithm) -> None:
    rows(hl, a, lanes=4)


def rows(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Rows of the grid, then of the image, in parallel; sums and counts go side by side."""
    x, y, z, c = hl.vars("x y z c")
    a.blur_z.compute_root().reorder(c, z, x, y).parallel(y)
    a.grid.compute_at(a.blur_z, y).vectorize(x, lanes)
    a.grid.update().reorder(c, a.r.x, a.r.y, x, y).unroll(c)
    for blur in a.blur_x, a.blur_y:
        blur.compute_root().reorder(c, x, y, z).parallel(z)
    for blur in a.blur_x, a.blur_y, a.blur_z:
        blur.vectorize(x, lanes).bound(c, 0, 2).unroll(c)
    a.smooth.parallel(y, 8).vectorize(x, lanes)
    a.slice_y.compute_at(a.smooth, y).vectorize(x, lanes)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """Tiles of the grid are filled in the memory of a block, a column by each thread."""
    x, y, z, c, column, row = hl.vars("x y z c column row")
    a.blur_z.compute_root().reorder(c, z, x, y).gpu_tile(x, y, column, row, 8, 8)
    a.grid.compute_at(a.blur_z, x).bound_storage(z, 32).reorder(c, z, x, y).gpu_threads(x, y)
    a.grid.update().reorder(c, a.r.x, a.r.y, x, y).gpu_threads(x, y)
    for blur in a.blur_x, a.blur_y:
        blur.compute_root().reorder(c, x, y, z).gpu_tile(x, y, column, row, 8, 8).gpu_blocks(z)
    for blur in a.blur_x, a.blur_y, a.blur_z:
        blur.bound(c, 0, 2).unroll(c)
    a.smooth.gpu_tile(x, y, column, row, 8, 8)


PROGRAM = Program(
    name="bilateral_grid",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560),
    test_size=(67, 41),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    # The histogram is exact. Sums and counts are positive all the way: with u = 2**-24 each blur
    # adds 8u of relative error, each of three interpolations 4u; their quotient, at most 1, is
    # off by twice 36u, and u.
    tolerance=2**-24 * 73,
)
