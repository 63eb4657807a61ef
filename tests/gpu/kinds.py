"""Programs for devices of many kinds, for our package and for the real one, with what they make.

python -m tests.gpu.kinds NAME      runs one under the real package, on the emulated driver

Each is written for either package, and says in numpy what it computes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Made:
    """A scheduled program with values for its inputs, and its outputs with what they hold then."""

    outputs: list[Any]
    expected: list[Array]
    images: tuple[tuple[Any, Array], ...] = ()
    numbers: tuple[tuple[Any, Any], ...] = ()


KINDS: dict[str, Callable[[ModuleType], Made]] = {}
"""By what is special about them."""


NO_KERNEL = ("the host where an image is small",)
"""Those of which the host does all."""


def kind(build: Callable[[ModuleType], Made]) -> Callable[[ModuleType], Made]:
    KINDS[build.__name__.replace("_", " ")] = build
    return build


def pixels(width: int, height: int, seed: int = 1) -> Array:
    return np.random.default_rng(seed).integers(0, 256, (height, width), np.uint8)


def grid(width: int, height: int) -> tuple[Array, Array]:
    """Coordinates x and y of all points, as int32."""
    y, x = np.mgrid[0:height, 0:width].astype(np.int32)
    return x, y


@kind
def numbers_of_all_sizes_share_a_block(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    types = (hl.UInt(8), hl.Float(64), hl.UInt(16), hl.Float(32), hl.Int(64), hl.Int(8))
    total, output = hl.i64(0), hl.Func("output")
    for number, type in enumerate(types):
        part = hl.Func(f"part{number}")
        part[x, y] = hl.cast(type, x + number * y)
        total = total + hl.i64(part[x, y]) + hl.i64(part[x + 1, y])
        part.compute_at(output, x).gpu_threads(x, y)
    output[x, y] = total
    output.gpu_tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf)
    px, py = (each.astype(np.int64) for each in grid(14, 6))
    parts = [px[:, :-1] + px[:, 1:] + 2 * n * py[:, :-1] for n in range(len(types))]
    return Made([output], [sum(parts)])  # type: ignore[list-item]


@kind
def stages_of_a_block_grow_and_shrink(hl: ModuleType) -> Made:
    x, xi = hl.vars("x xi")
    source = hl.ImageParam(hl.UInt(8), 1, "source")
    wide, narrow, wider, output = hl.funcs("wide narrow wider output")
    wide[x] = hl.u16(source[x]) * 3
    narrow[x] = wide[2 * x] + wide[2 * x + 5]
    wider[x] = narrow[x / 4] + hl.u16(x)
    output[x] = wider[x] + wider[x + 9]
    output.gpu_tile(x, xi, 16, hl.TailStrategy.GuardWithIf)
    for stage in (wide, narrow, wider):
        stage.compute_at(output, x).gpu_threads(x)
    data = pixels(40, 1)[0]
    n = 53
    w = data.astype(np.uint16) * np.uint16(3)
    half = w[0 : 2 * 16 : 2] + w[5 : 5 + 2 * 16 : 2]
    there = np.arange(n + 9)
    back = half[there // 4] + there.astype(np.uint16)
    return Made([output], [back[:n] + back[9:]], ((source, data),))


@kind
def memory_of_a_block_is_used_again(hl: ModuleType) -> Made:
    x, xi = hl.vars("x xi")
    chain = [hl.Func(f"link{n}") for n in range(6)]
    chain[0][x] = x * x
    for before, after in pairwise(chain):
        after[x] = before[x] - before[x + 1] * 2
    output = chain[-1]
    output.gpu_tile(x, xi, 8, hl.TailStrategy.RoundUp)
    for stage in chain[:-1]:
        stage.compute_at(output, x).gpu_threads(x)
    values = np.arange(24 + 5, dtype=np.int32) ** 2
    for _ in range(5):
        values = values[:-1] - values[1:] * np.int32(2)
    return Made([output], [values])


@kind
def vectors_of_a_block(hl: ModuleType) -> Made:
    x, y, xi, yi, v = hl.vars("x y xi yi v")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    tile, output = hl.funcs("tile output")
    tile[x, y] = hl.f32(source[x, y]) + 0.5
    output[x, y] = tile[x, y] + tile[x, y + 1]
    output.split(x, x, v, 4).vectorize(v)
    output.gpu_tile(x, y, xi, yi, 4, 4)
    tile.compute_at(output, x).split(x, x, v, 4).vectorize(v).gpu_threads(x, y)
    data = pixels(32, 9)
    f = data.astype(np.float32) + np.float32(0.5)
    return Made([output], [f[:-1] + f[1:]], ((source, data),))


@kind
def a_scan_in_steps_of_a_block(hl: ModuleType) -> Made:
    """Sums of the first elements of each line of 16, by way of lines of sums of 1, 2, 4, 8."""
    x, row = hl.vars("x row")
    source = hl.ImageParam(hl.Int(32), 2, "source")
    output, steps = hl.Func("output"), []
    before: Any = source
    for number in range(4):
        step, far = hl.Func(f"step{number}"), 1 << number
        earlier = before[hl.max(x - far, 0), row]
        step[x, row] = before[x, row] + hl.select(x >= far, earlier, 0)
        steps.append(step)
        before = step
    output[x, row] = before[x, row]
    output.bound(x, 0, 16).gpu_blocks(row).gpu_threads(x)
    for step in steps:
        step.compute_at(output, row).bound_extent(x, 16).gpu_threads(x)
    data = np.random.default_rng(5).integers(-9, 9, (5, 16)).astype(np.int32)
    return Made([output], [np.cumsum(data, 1, dtype=np.int32)], ((source, data),))


@kind
def a_scan_along_a_line_by_each_thread(hl: ModuleType) -> Made:
    x, y, xi = hl.vars("x y xi")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    sums, output = hl.funcs("sums output")
    r = hl.RDom([(1, 19)], "r")
    sums[x, y] = hl.u32(source[x, y])
    sums[r.x, y] += sums[r.x - 1, y]
    output[x, y] = sums[x, y] + 1
    sums.compute_root().gpu_tile(y, xi, 4, hl.TailStrategy.GuardWithIf)
    yi = hl.Var("yi")
    sums.update().gpu_tile(y, yi, 4, hl.TailStrategy.GuardWithIf)
    output.bound(x, 0, 20).gpu_tile(x, y, xi, yi, 8, 2, hl.TailStrategy.GuardWithIf)
    data = pixels(20, 7)
    return Made([output], [np.cumsum(data, 1, dtype=np.uint32) + np.uint32(1)], ((source, data),))


@kind
def a_parameter_says_how_much_a_block_shares(hl: ModuleType) -> Made:
    x, xi = hl.vars("x xi")
    reach = hl.Param(hl.Int(32), "reach")
    tile, output = hl.funcs("tile output")
    tile[x] = x * 3
    output[x] = tile[x] + tile[x + reach]
    output.gpu_tile(x, xi, 8, hl.TailStrategy.GuardWithIf)
    tile.compute_at(output, x).store_in(hl.MemoryType.GPUShared)
    ti = hl.Var("ti")
    tile.split(x, x, ti, 16, hl.TailStrategy.GuardWithIf).gpu_threads(ti)
    at = np.arange(29, dtype=np.int32)
    return Made([output], [at * 3 + (at + 13) * 3], numbers=((reach, 13),))


@kind
def many_kernels(hl: ModuleType) -> Made:
    x, xi = hl.vars("x xi")
    stages = [hl.Func(f"stage{n}") for n in range(24)]
    stages[0][x] = hl.u32(x)
    for number, (before, after) in enumerate(pairwise(stages)):
        after[x] = before[x] * 3 + hl.u32(number)
    for stage in stages:
        stage.compute_root().gpu_tile(x, xi, 8, hl.TailStrategy.GuardWithIf)
    values = np.arange(11, dtype=np.uint32)
    for number in range(23):
        values = values * np.uint32(3) + np.uint32(number)
    return Made([stages[-1]], [values])


@kind
def the_host_and_the_device_read_one_stage(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    common, there, here, output = hl.funcs("common there here output")
    common[x, y] = x + 7 * y
    there[x, y] = common[x, y] * 2
    here[x, y] = common[x + 1, y] * 5
    output[x, y] = there[x, y] - here[x, y]
    common.compute_root()
    there.compute_root().gpu_tile(x, y, xi, yi, 4, 4, hl.TailStrategy.GuardWithIf)
    here.compute_root()
    px, py = grid(9, 6)
    return Made([output], [(px + 7 * py) * 2 - (px + 1 + 7 * py) * 5])


@kind
def data_goes_to_the_device_and_back_and_there_again(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    stages = [hl.Func(f"stage{n}") for n in range(6)]
    before: Any = source
    for number, stage in enumerate(stages):
        stage[x, y] = hl.u8(before[x, y] * 3 + number)
        before = stage
        stage.compute_root()
        if number % 2 == 0:
            stage.gpu_tile(x, y, xi, yi, 8, 2, hl.TailStrategy.GuardWithIf)
    data = pixels(13, 5)
    values = data
    for number in range(6):
        values = values * np.uint8(3) + np.uint8(number)
    return Made([stages[-1]], [values], ((source, data),))


@kind
def stages_of_one_and_of_three_dimensions(hl: ModuleType) -> Made:
    x, y, c, xi, yi = hl.vars("x y c xi yi")
    line, box, output = hl.funcs("line box output")
    line[x] = x * x
    box[x, y, c] = x + y * c
    output[x, y] = line[x] + box[x, y, 0] + box[x, y, 1] + box[x + 1, y, 2]
    output.gpu_tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf)
    line.compute_at(output, x).gpu_threads(x)
    box.compute_at(output, x).gpu_threads(x, y, c)
    px, py = grid(10, 7)
    return Made([output], [px * px + px + (px + py) + (px + 1 + 2 * py)])


@kind
def blocks_and_threads_of_other_dimensions_in_one_kernel(hl: ModuleType) -> Made:
    x, y, z, xi = hl.vars("x y z xi")
    row, output = hl.funcs("row output")
    row[x, y, z] = x + 10 * y + 100 * z
    output[x, y, z] = row[x, y, z] + row[x, y + 1, z]
    output.split(x, x, xi, 4, hl.TailStrategy.GuardWithIf).reorder(xi, y, x, z)
    output.gpu_blocks(x, z).gpu_threads(xi, y)
    output.bound(y, 0, 6)
    row.compute_at(output, x).gpu_threads(y, x)
    pz, py, px = np.mgrid[0:3, 0:6, 0:7].astype(np.int32)
    return Made([output], [2 * (px + 10 * py + 100 * pz) + 10])


@kind
def kernels_where_an_image_is_large_alone(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    output = hl.Func("output")
    output[x, y] = source[x, y] + hl.u8(1)
    large = output.specialize(source.width() >= 8)
    large.gpu_tile(x, y, xi, yi, 8, 2, hl.TailStrategy.GuardWithIf)
    data = pixels(19, 3)
    return Made([output], [data + np.uint8(1)], ((source, data),))


@kind
def the_host_where_an_image_is_small(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    output = hl.Func("output")
    output[x, y] = source[x, y] + hl.u8(1)
    large = output.specialize(source.width() >= 80)
    large.gpu_tile(x, y, xi, yi, 8, 2, hl.TailStrategy.GuardWithIf)
    data = pixels(19, 3)
    return Made([output], [data + np.uint8(1)], ((source, data),))


@kind
def tiles_that_reach_beyond_the_end_share_a_stage(hl: ModuleType) -> Made:
    x, y, xi, yi, u = hl.vars("x y xi yi u")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    inside = hl.BoundaryConditions.mirror_image(source, [(0, 11), (0, 6)])
    tile, output = hl.funcs("tile output")
    tile[x, y] = hl.u16(inside[x - 1, y]) + inside[x + 1, y]
    output[x, y] = tile[x, y - 1] + tile[x, y + 1]
    output.split(x, x, u, 2, hl.TailStrategy.GuardWithIf).unroll(u)
    output.gpu_tile(x, y, xi, yi, 4, 4, hl.TailStrategy.GuardWithIf)
    tile.compute_at(output, x).gpu_threads(x, y)
    data = pixels(11, 6)
    f = np.pad(data, 1, "symmetric").astype(np.uint16)
    rows = f[:, :-2] + f[:, 2:]
    return Made([output], [rows[:-2] + rows[2:]], ((source, data),))


@kind
def quotients_and_remainders_in_lanes(hl: ModuleType) -> Made:
    x, y, xi, yi, v = hl.vars("x y xi yi v")
    output = hl.Func("output")
    output[x, y] = (x - 20) / 7 * 100 + (x - 20) % 5 + (x - y) / 3 - (y - x) % 4
    output.split(x, x, v, 4).vectorize(v).gpu_tile(x, y, xi, yi, 4, 2)
    px, py = grid(32, 4)
    values = (px - 20) // 7 * 100 + (px - 20) % 5 + (px - py) // 3 - (py - px) % 4
    return Made([output], [values])


@kind
def rows_become_columns_by_way_of_a_block(hl: ModuleType) -> Made:
    x, y, xi, yi, u = hl.vars("x y xi yi u")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    tile, output = hl.funcs("tile output")
    tile[x, y] = source[x, y]
    output[x, y] = tile[y, x]
    output.gpu_tile(x, y, xi, yi, 16, 16).split(yi, yi, u, 4).unroll(u)
    output.reorder(u, xi, yi, x, y)
    tile.compute_at(output, x).split(y, y, u, 4).reorder(u, x, y).unroll(u).gpu_threads(x, y)
    data = np.random.default_rng(3).random((32, 48), np.float32)
    return Made([output], [data.T.copy()], ((source, data),))


@kind
def loops_of_other_lengths_over_threads(hl: ModuleType) -> Made:
    """One stage by one thread, one by a row of them, one by all."""
    x, y, xi, yi = hl.vars("x y xi yi")
    one, some, output = hl.funcs("one some output")
    one[x] = x * 11
    some[x, y] = one[x] + y
    output[x, y] = some[x, y] + some[x + 2, y] + one[x + 1]
    output.gpu_tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf)
    one.compute_at(output, x)
    some.compute_at(output, x).gpu_threads(x)
    px, py = grid(9, 5)
    return Made([output], [(px * 11 + py) + ((px + 2) * 11 + py) + (px + 1) * 11])


@kind
def threads_of_loops_that_were_fused(hl: ModuleType) -> Made:
    x, y, c, xi, t = hl.vars("x y c xi t")
    before, output = hl.funcs("before output")
    before[x, y, c] = x + 10 * y + 100 * c
    output[x, y, c] = before[x, y, c] * 2
    for stage in (before, output):
        stage.compute_root().fuse(x, y, t).gpu_tile(t, xi, 16, hl.TailStrategy.GuardWithIf)
    pc, py, px = np.mgrid[0:3, 0:3, 0:7].astype(np.int32)
    return Made([output], [2 * (px + 10 * py + 100 * pc)])


@kind
def registers_of_a_thread(hl: ModuleType) -> Made:
    x, y, xi, yi, u = hl.vars("x y xi yi u")
    row, output = hl.funcs("row output")
    row[x, y] = x * y
    output[x, y] = row[x, y] + row[x + 1, y] + row[x + 2, y]
    output.split(x, x, u, 4, hl.TailStrategy.RoundUp).unroll(u)
    output.gpu_tile(x, y, xi, yi, 2, 4, hl.TailStrategy.RoundUp)
    row.compute_at(output, xi).bound_extent(x, 6).unroll(x).store_in(hl.MemoryType.Register)
    px, py = grid(16, 4)
    return Made([output], [(3 * px + 3) * py])


@kind
def copies_for_each_strip_of_the_host(hl: ModuleType) -> Made:
    x, y, yo, xi, yi = hl.vars("x y yo xi yi")
    made, output = hl.funcs("made output")
    made[x, y] = x - y
    output[x, y] = made[x, y] * 4
    output.split(y, yo, y, 4, hl.TailStrategy.GuardWithIf)
    output.gpu_tile(x, y, xi, yi, 8, 2, hl.TailStrategy.GuardWithIf)
    made.compute_at(output, yo)
    made.in_(output).compute_at(output, yo).copy_to_device()
    px, py = grid(9, 10)
    return Made([output], [(px - py) * 4])


@kind
def tuples_that_are_updated(hl: ModuleType) -> Made:
    """The largest of each column, and where it is."""
    x, xi = hl.vars("x xi")
    source = hl.ImageParam(hl.Int(32), 2, "source")
    best, output = hl.funcs("best output")
    r = hl.RDom([(0, 6)], "r")
    best[x] = (hl.i32(-1000), hl.i32(-1))
    better = source[x, r.x] > best[x][0]
    best[x] = (hl.select(better, source[x, r.x], best[x][0]), hl.select(better, r.x, best[x][1]))
    output[x] = best[x][0] * 10 + best[x][1]
    best.compute_root().gpu_tile(x, xi, 4, hl.TailStrategy.GuardWithIf)
    best.update().reorder(r.x, x).gpu_tile(x, xi, 4, hl.TailStrategy.GuardWithIf)
    data = np.random.default_rng(2).integers(-50, 50, (6, 11)).astype(np.int32)
    return Made([output], [data.max(0) * 10 + data.argmax(0).astype(np.int32)], ((source, data),))


@kind
def two_outputs_of_one_stage(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    common, first, second = hl.funcs("common first second")
    common[x, y] = x * y
    first[x, y] = common[x, y] + 1
    second[x, y] = common[x + 1, y] - 1
    for stage in (common, first, second):
        stage.compute_root().gpu_tile(x, y, xi, yi, 4, 4, hl.TailStrategy.GuardWithIf)
    px, py = grid(6, 5)
    return Made([first, second], [px * py + 1, (px + 1) * py - 1])


@kind
def counts_of_a_block(hl: ModuleType) -> Made:
    """How often each of four numbers stands in 16 elements, which threads count together."""
    x, b = hl.vars("x b")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    counts, output = hl.funcs("counts output")
    r = hl.RDom([(0, 16)], "r")
    counts[x, b] = hl.i32(0)
    counts[hl.clamp(hl.i32(source[r.x, b]) % 4, 0, 3), b] += 1
    output[x, b] = counts[x, b]
    output.bound(x, 0, 4).gpu_blocks(b).gpu_threads(x)
    counts.compute_at(output, b).bound_extent(x, 4).gpu_threads(x)
    counts.update().atomic().gpu_threads(r.x)
    data = pixels(16, 5)
    values = [[np.count_nonzero(row % 4 == n) for n in range(4)] for row in data]
    return Made([output], [np.array(values, np.int32)], ((source, data),))


@kind
def one_thread_does_it_all(hl: ModuleType) -> Made:
    x, y = hl.vars("x y")
    before, output = hl.funcs("before output")
    before[x, y] = x + y
    output[x, y] = before[x, y] + before[x + 1, y + 1]
    output.gpu_single_thread()
    before.compute_root().gpu_single_thread()
    px, py = grid(5, 3)
    return Made([output], [2 * (px + py) + 2])


@kind
def rows_of_a_block_slide(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    row, output = hl.funcs("row output")
    row[x, y] = x * 2 + y * y
    output[x, y] = row[x, y] + row[x, y + 1] + row[x, y + 2]
    output.tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf).reorder(xi, yi, x, y)
    output.gpu_blocks(x, y).gpu_threads(xi)
    row.store_at(output, x).compute_at(output, yi).gpu_threads(x)
    px, py = grid(11, 9)
    rows = [px * 2 + (py + n) ** 2 for n in range(3)]
    return Made([output], [rows[0] + rows[1] + rows[2]])


@kind
def columns_lie_in_a_row(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    tile, output = hl.funcs("tile output")
    tile[x, y] = x * 100 + y
    output[x, y] = tile[x, y] + tile[x, y + 1]
    output.gpu_tile(x, y, xi, yi, 4, 8, hl.TailStrategy.GuardWithIf)
    tile.compute_at(output, x).reorder_storage(y, x).reorder(y, x).gpu_threads(y, x)
    px, py = grid(6, 11)
    return Made([output], [px * 200 + 2 * py + 1])


@kind
def parts_of_a_sum_by_threads_of_a_block(hl: ModuleType) -> Made:
    x, u = hl.vars("x u")
    source = hl.ImageParam(hl.Int(32), 2, "source")
    total, output = hl.funcs("total output")
    r = hl.RDom([(0, 32)], "r")
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    total[x] = hl.i32(0)
    total[x] += source[r.x, x]
    output[x] = total[x] * 2
    output.gpu_blocks(x)
    total.compute_at(output, x)
    part = total.update().split(r.x, ro, ri, 8).rfactor(ri, u)
    part.compute_at(output, x).gpu_threads(u)
    part.update().gpu_threads(u)
    data = np.random.default_rng(4).integers(-99, 99, (5, 32)).astype(np.int32)
    return Made([output], [data.sum(1, dtype=np.int32) * np.int32(2)], ((source, data),))


@kind
def a_condition_around_a_stage_of_a_block(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    wide = hl.Param(hl.Bool(), "wide")
    tile, output = hl.funcs("tile output")
    tile[x, y] = x * 3 + y
    output[x, y] = hl.select(wide, tile[x, y] + tile[x + 3, y], x)
    output.gpu_tile(x, y, xi, yi, 8, 2, hl.TailStrategy.GuardWithIf)
    tile.compute_at(output, x).gpu_threads(x, y)
    px, py = grid(13, 3)
    return Made([output], [6 * px + 9 + 2 * py], numbers=((wide, True),))


@kind
def an_update_of_a_part_in_a_kernel_of_its_own(hl: ModuleType) -> Made:
    x, y, xi, yi = hl.vars("x y xi yi")
    output = hl.Func("output")
    r = hl.RDom([(0, 5)], "r")
    output[x, y] = x + y
    output[x, 2] = output[x, 2] * 100
    output[3, r.x] += 7
    output.bound(x, 0, 9).bound(y, 0, 5)
    output.gpu_tile(x, y, xi, yi, 4, 4, hl.TailStrategy.GuardWithIf)
    output.update(0).gpu_tile(x, xi, 4, hl.TailStrategy.GuardWithIf)
    output.update(1).gpu_single_thread()
    px, py = grid(9, 5)
    values = px + py
    values[2] *= 100
    values[:, 3] += 7
    return Made([output], [values])


def realized(
    hl: ModuleType, made: Made, target: Any, ran: Callable[[], object] = lambda: None
) -> list[Array]:
    """What the package makes of it in this process; `ran` is called before anything is fetched."""
    kept = [hl.Buffer(array) for _, array in made.images]
    for (parameter, _), buffer in zip(made.images, kept, strict=True):
        parameter.set(buffer)
    for parameter, number in made.numbers:
        parameter.set(number)
    found = [np.zeros_like(each) for each in made.expected]
    buffers = [hl.Buffer(array) for array in found]
    try:
        hl.Pipeline(made.outputs).realize(buffers, target)
    finally:
        ran()
    for buffer in buffers:
        buffer.copy_to_host()
    return found


def main() -> None:
    import halide

    from .emulated_driver import Driver, Runs
    from .real_halide import TARGET

    driver = Driver(is_for_others=True)
    driver.set(runs=Runs.AT_ONCE)

    def look() -> None:
        problems = driver.problems()
        assert not problems, problems  # They say more than the package's own message.

    made = KINDS[sys.argv[1]](halide)
    found = realized(halide, made, halide.Target(TARGET), look)
    assert driver.ran or sys.argv[1] in NO_KERNEL
    for one, other in zip(found, made.expected, strict=True):
        np.testing.assert_array_equal(one, other)


if __name__ == "__main__":
    main()
