"""Threads of the processor's loops launch kernels, where the thread works whose loop it is."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.ir import I32, const
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk
from compiler.lower.device_copies import with_device_copies
from compiler.runtime import device as runtime
from compiler.runtime import num_threads, set_num_threads

from .cuda_calls import OUT_OF_MEMORY, Cuda
from .emulated_driver import Driver, Runs, emulated_driver
from .programs import by_ptx, lowered, on_device, some_slow

CUDA = hl.Target("host-cuda")
X, Y, YO, XI, YI = hl.vars("x y yo xi yi")
IMAGE = np.random.default_rng(5).integers(-99, 99, (17, 12), np.int32)
SIZE = (12, 16)
GUARD = hl.TailStrategy.GuardWithIf


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver() as made:
        runtime.describe()
        before = num_threads()
        set_num_threads(4)
        yield made
        set_num_threads(before)
        runtime.set_stream(0)


def in_strips(h: hl.Func, f: hl.Func) -> None:
    """Strips of the output, each of which a launch makes."""
    f.split(Y, YO, Y, 4).gpu_tile(X, Y, XI, YI, 8, 4, GUARD).reorder(XI, YI, X, Y, YO).parallel(YO)


def on_both_sides(h: hl.Func, f: hl.Func) -> None:
    """What a strip of the processor's needs is made on the device."""
    f.split(Y, YO, Y, 4).parallel(YO)
    h.compute_at(f, YO).gpu_tile(X, Y, XI, YI, 8, 4, GUARD)


def back_again(h: hl.Func, f: hl.Func) -> None:
    """What a strip of the device's needs is made on the processor."""
    in_strips(h, f)
    h.compute_at(f, YO)


def twice(h: hl.Func, f: hl.Func) -> None:
    """Both on the device, one launch after the other."""
    in_strips(h, f)
    h.compute_at(f, YO).gpu_tile(X, Y, XI, YI, 8, 4, GUARD)


def all_before(h: hl.Func, f: hl.Func) -> None:
    in_strips(h, f)
    h.compute_root().gpu_tile(X, Y, XI, YI, 8, 4, GUARD)


def one_inside_of_the_other(h: hl.Func, f: hl.Func) -> None:
    f.split(Y, YO, Y, 4).reorder(X, Y, YO).parallel(Y).parallel(YO)
    h.compute_at(f, Y).gpu_tile(X, Y, XI, YI, 8, 4, GUARD)


WAYS: dict[str, Callable[[hl.Func, hl.Func], Any]] = {
    x.__name__: x
    for x in (in_strips, on_both_sides, back_again, twice, all_before, one_inside_of_the_other)
}


def program(way: str) -> tuple[hl.ImageParam, hl.Func]:
    a, h, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("h"), hl.Func("f")
    h[X, Y] = a[X, Y] * 3
    f[X, Y] = h[X, Y] + h[X, Y + 1]
    WAYS[way](h, f)
    return a, f


def expected() -> Any:
    return IMAGE[:-1] * 3 + IMAGE[1:] * 3


@pytest.mark.parametrize("way", some_slow(WAYS, ("in_strips", "on_both_sides")))
def test_each_side_has_what_it_needs(way: str) -> None:
    fn = lowered(program(way)[1])
    (loop, *_) = [x for x in walk(fn.body) if isinstance(x, s.For) and x.kind == "parallel"]
    inside = {x.buffer for x in walk(loop) if isinstance(x, s.DeviceState)}
    assert inside <= {x.buffer for x in walk(loop) if isinstance(x, s.Allocate)}
    for launcher in (None, by_ptx(fn)):
        made, counts = on_device(fn, {"a": IMAGE}, {fn.args[-1].name: SIZE}, launcher)
        assert counts.launches >= 4
        np.testing.assert_array_equal(made[fn.args[-1].name], expected())


@pytest.mark.parametrize("runs", some_slow(list(Runs), (Runs.LATE,)))
@pytest.mark.parametrize("way", some_slow(WAYS, ("on_both_sides", "twice")))
def test_threads_launch_at_once(way: str, runs: Runs, driver: Driver) -> None:
    driver.set(runs=runs)
    a, f = program(way)
    a.set(hl.Buffer(IMAGE.copy()))
    for _ in range(5):
        np.testing.assert_array_equal(np.array(f.realize(list(SIZE), CUDA)), expected())
    assert len(driver.calls("cuMemcpyHtoDAsync_v2")) <= 1 or way == "back_again"
    del a, f
    gc.collect()
    assert driver.live()["memories"] == driver.live()["modules"] == 0


TALL = np.tile(IMAGE, (30, 4))
"""So many strips that several threads have some."""


def realized(f: hl.Func) -> Any:
    made = f.realize([TALL.shape[1], TALL.shape[0] // 4 * 4 - 4], CUDA)
    rows = np.array(made)
    np.testing.assert_array_equal(rows, (TALL[:-1] * 3 + TALL[1:] * 3)[: len(rows)])
    return made


@pytest.mark.parametrize("way", some_slow(WAYS, ("on_both_sides",)))
def test_they_work_in_the_callers_stream(way: str, driver: Driver) -> None:
    cuda = Cuda(driver.library)
    stream = cuda.made(ctypes.c_void_p, "cuStreamCreate", 1).value
    a, f = program(way)
    a.set(hl.Buffer(TALL.copy()))
    runtime.set_stream(stream)
    realized(f)
    used = {call.arguments.rsplit("stream ", 1)[1] for call in driver.calls("cuLaunchKernel")}
    assert used == {f"{stream:#x}"}
    # Threads that took part have no stream of that afterwards.
    runtime.set_stream(0)
    before = len(driver.calls("cuLaunchKernel"))
    realized(f)
    later = driver.calls("cuLaunchKernel")[before:]
    assert used.isdisjoint(call.arguments.rsplit("stream ", 1)[1] for call in later)
    del a, f
    gc.collect()
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))


def test_they_work_in_the_callers_context(driver: Driver) -> None:
    cuda = Cuda(driver.library, device=1)
    a, f = program("on_both_sides")
    a.set(hl.Buffer(TALL.copy()))
    realized(f)
    assert driver.memories(cuda.context.value)
    del a, f
    gc.collect()
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))


@pytest.mark.parametrize("name", ("cuLaunchKernel", "cuCtxPushCurrent_v2"))
def test_what_fails_in_one_of_them_is_told(name: str, driver: Driver) -> None:
    a, f = program("twice")
    a.set(hl.Buffer(IMAGE.copy()))
    f.compile_jit(CUDA)
    np.testing.assert_array_equal(np.array(f.realize(list(SIZE), CUDA)), expected())
    driver.inject(name, OUT_OF_MEMORY)
    with pytest.raises((hl.HalideError, RuntimeError)):
        f.realize(list(SIZE), CUDA)
    np.testing.assert_array_equal(np.array(f.realize(list(SIZE), CUDA)), expected())
    del a, f
    gc.collect()
    assert driver.live()["memories"] == 0


def read_on_both_sides() -> hl.Func:
    a, h, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("h"), hl.Func("f")
    h[X, Y] = a[X, Y] * 3
    f[X, Y] = h[X, Y] + a[X, Y]
    on_both_sides(h, f)
    return f


def test_what_threads_read_on_both_sides_is_there_before() -> None:
    fn = lowered(read_on_both_sides())
    made, _ = on_device(fn, {"a": IMAGE}, {fn.args[-1].name: SIZE})
    np.testing.assert_array_equal(made[fn.args[-1].name], IMAGE[:-1] * 4)


@pytest.mark.parametrize("is_written", (True, False))
def test_what_threads_change_on_both_sides_is_refused(is_written: bool) -> None:
    parameter = s.KernelParameter("f", I32, True, is_written)
    kernel = s.Kernel("k", (parameter,), (const(1),) * 3, s.Block(()))
    launch = s.Launch("k", (const(1),) * 3, (const(1),) * 3, ())
    body = s.Block((launch, s.Store("f", const(1), const(0))))
    loop = s.For("y", const(0), const(4), "parallel", body)
    arguments = (s.Argument("f", I32, 1, is_output=True),)
    with pytest.raises(hl.HalideError, match="In it f is used on both sides, which none of these"):
        with_device_copies(loop, (kernel,), arguments)
    with_device_copies(replace(loop, kind="serial"), (kernel,), arguments)
