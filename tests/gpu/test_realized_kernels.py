"""Kernels with memory, checks and warps of all kinds, launched by the host's code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import compiler as hl

from .emulated_driver import Driver, emulated_driver

CUDA = hl.Target("host-cuda-cuda_capability_80")
X, Y, XI, YI = hl.vars("x y xi yi")
KINDS = hl.MemoryType
IMAGE = np.random.default_rng(7).integers(0, 200, (6, 64), np.int32)


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver() as made:
        yield made
        made.problems()


def program(schedule: Callable[[hl.Func, hl.Func], Any]) -> hl.Func:
    """Sums of an image's neighbours, four rows a block."""
    a, f, g = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X, Y] = f[X, Y] + f[X + 1, Y]
    g.bound(X, 0, 32).split(Y, Y, YI, 4, hl.TailStrategy.GuardWithIf).reorder(X, YI, Y)
    g.gpu_blocks(Y)
    schedule(f, g)
    a.set(hl.Buffer(IMAGE))
    return g


SCHEDULES: dict[str, Callable[[hl.Func, hl.Func], Any]] = {
    "heap of a block": lambda f, g: (
        g.gpu_threads(X, YI), f.compute_at(g, Y).store_in(KINDS.Heap).gpu_threads(X, Y)
    ),
    "heap of a thread": lambda f, g: (
        g.gpu_threads(X, YI), f.compute_at(g, X).store_in(KINDS.Heap)
    ),
    "threads inside of threads": lambda f, g: (
        g.gpu_threads(X, YI), f.compute_at(g, YI).gpu_threads(X)
    ),
    "lanes": lambda f, g: (
        g.gpu_threads(YI).gpu_lanes(X),
        f.compute_at(g, YI).split(X, X, XI, 32, hl.TailStrategy.RoundUp).gpu_lanes(XI),
    ),
    "copies": lambda f, g: (
        g.gpu_threads(X, YI), f.compute_at(g, Y).store_in(KINDS.GPUSharedAsync).gpu_threads(X, Y)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SCHEDULES)
def test_programs_are_realized(name: str, driver: Driver) -> None:
    g = program(SCHEDULES[name])
    made = np.asarray(g.realize([32, 6], CUDA))
    np.testing.assert_array_equal(made, IMAGE[:, :32] + IMAGE[:, 1:33])


def test_a_check_in_a_kernel_is_told_each_time(driver: Driver) -> None:
    a, g, limit = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("g"), hl.Param(hl.Int(32), "limit")
    g[X, Y] = hl.require(a[X, Y] < limit, a[X, Y] * 2, "too bright:", a[X, Y])
    g.gpu_tile(X, Y, XI, YI, 8, 4)
    a.set(hl.Buffer(IMAGE))
    for value in (1000, 20, 1000, 20):
        limit.set(value)
        if value == 1000:
            np.testing.assert_array_equal(np.asarray(g.realize([64, 6], CUDA)), IMAGE * 2)
            continue
        with pytest.raises(hl.HalideError, match=r"too bright: \d+") as raised:
            g.realize([64, 6], CUDA)
        assert int(str(raised.value).split()[-1]) >= 20
