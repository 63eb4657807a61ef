"""Non-local means: each pixel becomes an average of those whose surroundings look alike.

Weights compare patches of 7x7 pixels, over a window of 7x7 (NLMEANS in autoscheduler-2016, table
1); as in Darbon et al. 2008, the patches' distances are box sums, so two passes give them.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph
from .program import Algorithm, Array, Program, Size, Values, single

PATCH, WINDOW = 7, 7
REACH = PATCH // 2, WINDOW // 2


def build(hl: ModuleType) -> Algorithm:
    x, y, c, dx, dy = hl.vars("x y c dx dy")
    input, sigma = hl.ImageParam(hl.Float(32), 3, "input"), hl.Param(hl.Float(32), "sigma")
    padded = hl.BoundaryConditions.repeat_edge(input, [(0, input.width()), (0, input.height())])

    channels = [padded[x, y, i] - padded[x + dx, y + dy, i] for i in range(3)]
    distance, down, across = hl.funcs("distance down across")
    distance[x, y, dx, dy] = sum((d * d for d in channels), hl.f32(0))
    patch = range(-REACH[0], REACH[0] + 1)
    down[x, y, dx, dy] = sum((distance[x, y + j, dx, dy] for j in patch), hl.f32(0))
    across[x, y, dx, dy] = sum((down[x + i, y, dx, dy] for i in patch), hl.f32(0))

    # The fourth channel is 1 everywhere: its weighted sum is the sum of the weights.
    weight, coloured, average, output = hl.funcs("weight coloured average output")
    weight[x, y, dx, dy] = hl.exp(across[x, y, dx, dy] * (-1 / (PATCH**2 * sigma * sigma)))
    coloured[x, y, c] = hl.select(c < 3, padded[x, y, hl.min(c, 2)], 1)
    s = hl.RDom([(-REACH[1], WINDOW), (-REACH[1], WINDOW)], "s")
    average[x, y, c] += weight[x, y, s.x, s.y] * coloured[x + s.x, y + s.y, c]
    output[x, y, c] = hl.clamp(average[x, y, c] / average[x, y, 3], 0, 1)
    return Algorithm(
        [input, sigma], [output],
        padded=padded, distance=distance, down=down, across=across,
        weight=weight, coloured=coloured, average=average, output=output, s=s,
    )  # fmt: skip


def inputs(size: Size, seed: int = 0) -> dict[str, Any]:
    return {"input": photograph(size, seed), "sigma": single(0.12)}


def reference(values: Values) -> tuple[Array, ...]:
    image = values["input"].astype(np.float64)
    patch, reach = REACH
    rim = patch + reach
    _, height, width = image.shape
    padded = np.pad(image, ((0, 0), (rim, rim), (rim, rim)), "edge")

    def moved(dx: int, dy: int, around: int) -> Array:
        """The image at (x + dx, y + dy), with `around` more pixels on every side."""
        top, left = rim - around + dy, rim - around + dx
        return padded[:, top : top + height + 2 * around, left : left + width + 2 * around]

    total, weights = np.zeros_like(image), np.zeros(image.shape[1:])
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            squares = ((moved(0, 0, patch) - moved(dx, dy, patch)) ** 2).sum(axis=0)
            down = sum(squares[j : j + height] for j in range(PATCH))
            across = sum(down[:, i : i + width] for i in range(PATCH))
            weight = np.exp(-across / (PATCH**2 * values["sigma"] ** 2))
            total += weight * moved(dx, dy, 0)
            weights += weight
    return (np.clip(total / weights, 0, 1).astype(np.float32),)


def tiled(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """For each tile, one shift of the window after the other: its distances stay in cache."""
    x, y, c, tile, strip, column, row = hl.vars("x y c tile strip column row")
    a.output.bound(c, 0, 3).tile(x, y, tile, strip, column, row, 32, 32).parallel(strip)
    a.output.reorder(column, c, row, tile, strip).vectorize(column, lanes).unroll(c)
    a.coloured.compute_at(a.output, tile).bound(c, 0, 4).unroll(c).vectorize(x, lanes)
    a.average.compute_at(a.output, tile).bound(c, 0, 4).reorder(c, x, y)
    a.average.vectorize(x, lanes).unroll(c)
    a.average.update().reorder(c, x, y, a.s.x, a.s.y).vectorize(x, lanes).unroll(c)
    a.down.compute_at(a.average, a.s.x).vectorize(x, lanes)
    a.distance.compute_at(a.average, a.s.x).vectorize(x, lanes)


def x86(hl: ModuleType, a: Algorithm) -> None:
    tiled(hl, a, lanes=16)


def arm(hl: ModuleType, a: Algorithm) -> None:
    tiled(hl, a, lanes=4)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """One shift of the window after the other: its distances lie in the memory of a block."""
    x, y, c, column, row = hl.vars("x y c column row")
    a.output.bound(c, 0, 3).reorder(c, x, y).unroll(c).gpu_tile(x, y, column, row, 16, 8)
    a.average.compute_at(a.output, x).bound(c, 0, 4).reorder(c, x, y).gpu_threads(x, y)
    a.average.update().reorder(c, x, y, a.s.x, a.s.y).gpu_threads(x, y).unroll(c)
    for stage in a.down, a.distance:
        stage.compute_at(a.average, a.s.x).gpu_threads(x, y)


PROGRAM = Program(
    name="nl_means",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(192, 320, 3),
    test_size=(37, 43, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    # A weight exp(-q) is wrong by at most about 20 q exp(-q) 2**-24 for the roundings in q, and 4
    # of 2**-24 for exp itself: q exp(-q) <= 1/e, so 12 at most. The weight of the pixel itself is
    # 1, so dividing by the sum of weights makes nothing larger: 48 * 12 of the other weights, and
    # 49 roundings each in the two sums.
    tolerance=(48 * 12 + 2 * 49) * 2.0**-24,
)
