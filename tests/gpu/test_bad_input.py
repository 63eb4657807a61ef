"""What no GPU can do is refused before it runs, with the name of the loop or the memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx

from .programs import lowered, on_device

X, Y, Z, W, XI, YI = hl.vars("x y z w xi yi")
EMULATED = hl.Target("host-cuda_emulated")


def too_many_threads(f: hl.Func, h: hl.Func) -> None:
    f.gpu_tile(X, Y, XI, YI, 64, 32)


def too_long_a_row(f: hl.Func, h: hl.Func) -> None:
    f.gpu_tile(X, XI, 2048)


def too_deep_a_block(f: hl.Func, h: hl.Func) -> None:
    f.split(X, X, XI, 128).reorder(Y, X, XI).gpu_blocks(X).gpu_threads(Y, XI)
    f.bound(Y, 0, 1024)


def too_much_shared(f: hl.Func, h: hl.Func) -> None:
    f.gpu_tile(X, Y, XI, YI, 256, 4)
    h.compute_at(f, X).store_in(hl.MemoryType.GPUShared).split(X, X, XI, 8)
    h.bound_extent(Y, 200).gpu_threads(XI)


def shared_beyond_all_devices(f: hl.Func, h: hl.Func) -> None:
    f.bound(X, 0, 40000).gpu_blocks(Y).split(X, X, XI, 32).gpu_threads(XI)
    h.compute_at(f, Y).store_in(hl.MemoryType.GPUShared).split(X, X, XI, 32).gpu_threads(XI)


def copied_without_a_bound(f: hl.Func, h: hl.Func) -> None:
    f.gpu_blocks(Y).split(X, X, XI, 32).gpu_threads(XI)
    h.compute_at(f, Y).store_in(hl.MemoryType.GPUSharedAsync).split(X, X, XI, 32).gpu_threads(XI)


BAD: dict[str, tuple[Callable[[hl.Func, hl.Func], None], str]] = {
    "threads": (
        too_many_threads,
        r"kernel of f(\$\d+)?\.s0\.y\.y has 64 x 32 x 1 threads in a block",
    ),
    "a row": (too_long_a_row, r"kernel of f(\$\d+)?\.s0\.x\.x has 2048 x 1 x 1 threads in a block"),
    "shared": (too_much_shared, r"shared memory in a block \(h(\$\d+)?: 205600\)"),
    "too far": (
        shared_beyond_all_devices,
        r"h(\$\d+)? has up to 120003 elements in the kernel",
    ),
    "no bound": (copied_without_a_bound, r"h(\$\d+)? has up to \d+ elements in the kernel of f"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_no_block_can_be_is_refused_by_name(name: str) -> None:
    change, message = BAD[name]
    h, f = hl.Func("h"), hl.Func("f")
    h[X, Y] = hl.f32(X * Y)
    f[X, Y] = h[X, Y] + h[X + 1, Y + 2]
    change(f, h)
    with pytest.raises(hl.HalideError, match=message):
        kernels_ptx(lowered(f).kernels)


@pytest.mark.parametrize("count", (3, 4))
def test_a_grid_has_three_dimensions(count: int) -> None:
    f = hl.Func("f")
    f[X, Y, Z, W] = X + 10 * Y + 100 * Z + 1000 * W
    f.split(X, X, XI, 2, hl.TailStrategy.GuardWithIf).gpu_threads(XI).gpu_blocks(X, Y, Z)
    if count == 4:
        with pytest.raises(hl.HalideError, match=re.escape("GPU block loop over")):
            f.gpu_blocks(W)
            lowered(f)
        return
    made = np.asarray(f.realize([3, 2, 2, 2], EMULATED))
    w, z, y, x = np.mgrid[0:2, 0:2, 0:2, 0:3]
    np.testing.assert_array_equal(made, x + 10 * y + 100 * z + 1000 * w)


@pytest.mark.parametrize("tail", ("GuardWithIf", "RoundUp", "ShiftInwards"))
@pytest.mark.parametrize("size", ((0, 5), (5, 0), (0, 0), (1, 1), (16, 4), (17, 5)))
def test_extents_that_no_block_divides(size: tuple[int, int], tail: str) -> None:
    """A stage of such extents in front of the output, whose blocks are shifted or rounded up."""
    h, f = hl.Func("h"), hl.Func("f")
    h[X, Y] = X * 3 + Y
    f[X, Y] = h[X, Y] + h[X + 1, Y]
    f.gpu_tile(X, Y, XI, YI, 4, 4, hl.TailStrategy.GuardWithIf)
    h.compute_root().gpu_tile(X, Y, XI, YI, 16, 4, hl.TailStrategy[tail])
    fn = lowered(f)
    y, x = np.mgrid[0 : size[1], 0 : size[0]]
    made, counts = on_device(fn, {}, {fn.args[-1].name: size})
    np.testing.assert_array_equal(made[fn.args[-1].name], 6 * x + 3 + 2 * y)
    assert counts.launches == (2 if min(size) else 0)


def test_an_output_that_is_smaller_than_a_tile_is_told_by_name() -> None:
    f: Any = hl.Func("f")
    f[X, Y] = X + Y
    f.gpu_tile(X, Y, XI, YI, 16, 4, hl.TailStrategy.ShiftInwards)
    with pytest.raises(hl.HalideError, match=r"Output buffer f(\$\d+)? is accessed at -11"):
        f.realize(hl.Buffer(hl.Int(32), [5, 4]), EMULATED)
