"""Threads, streams and devices: each thread's work in its stream, and one of everything else."""

from __future__ import annotations

import ctypes
import gc
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernel_symbol
from compiler.runtime import device as runtime

from .cuda_calls import OUT_OF_MEMORY, Cuda
from .emulated_driver import Driver, Runs, emulated_driver
from .native_runtime import Program, Runtime, record_of

CUDA = hl.Target("host-cuda")
X, Y, XI, YI = hl.vars("x y xi yi")
IMAGE = np.arange(32, dtype=np.int32).reshape(4, 8)


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver() as made:
        runtime.describe()
        yield made
        runtime.set_stream(0)


def plus_one() -> tuple[hl.ImageParam, hl.Func]:
    a, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("f")
    f[X, Y] = a[X, Y] + 1
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    return a, f


def together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Lets so many threads begin at once."""
    barrier = threading.Barrier(count)

    def begin(number: int) -> Any:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))


@pytest.mark.parametrize("name", ("", "cuDevicePrimaryCtxRetain", "cuModuleLoadDataEx"))
def test_eight_threads_open_it_once(name: str) -> None:
    """And where it fails, those that come later open it."""
    fn = plus_one()[1].lowered("", None, CUDA)
    with emulated_driver(fresh=True) as driver:
        runtime, program = Runtime(), Program(fn)
        array = IMAGE.copy()
        shared = record_of(array.T)
        driver.register(kernel_symbol(fn.kernels[0]), lambda launch: None)
        if name:
            driver.inject(name, OUT_OF_MEMORY)

        def work(number: int) -> int:
            status, _ = runtime("copy_to_device", ctypes.byref(shared), b"a")
            if status:
                return status
            out = record_of(np.zeros_like(array).T)
            runtime.done("malloc", ctypes.byref(out), b"f")
            given = {"a": shared.device, fn.args[-1].name: out.device}
            values = [
                ctypes.c_uint64(given[p.name]) if p.is_memory else ctypes.c_int32(0)
                for p in fn.kernels[0].parameters
            ]
            status, _ = program.launch(runtime, *values, blocks=(1, 1, 1), threads=(8, 4, 1))
            runtime.done("wait")
            runtime.done("free", ctypes.byref(out), b"f")
            return status

        failed = [status for status in together(8, work) if status]
        assert len(failed) == bool(name)
        if not name:
            assert len(driver.calls("cuInit")) == 1
        assert len([c for c in driver.calls("cuModuleLoadDataEx") if not c.result]) == 1
        assert len(driver.calls("cuMemcpyHtoDAsync_v2")) == 1
        assert driver.live()["memories"] == 1
        runtime.library.lift_cuda_unload(ctypes.byref(program.record))
        assert driver.live()["modules"] == 0
        runtime.done("free", ctypes.byref(shared), b"a")
        assert driver.live()["memories"] == 0


def test_a_module_whose_kernel_is_missing_is_unloaded() -> None:
    fn = plus_one()[1].lowered("", None, CUDA)
    with emulated_driver(fresh=True) as driver:
        program = Program(fn)
        driver.inject("cuModuleGetFunction", OUT_OF_MEMORY)
        values = [ctypes.c_uint64(256) for _ in fn.kernels[0].parameters]
        assert program.launch(Runtime(), *values)[0] == -23
        assert driver.live()["modules"] == 0


@pytest.mark.parametrize("runs", (Runs.LATE, pytest.param(Runs.SOMETIMES, marks=pytest.mark.slow)))
def test_threads_share_an_input(runs: Runs, driver: Driver) -> None:
    driver.set(runs=runs)
    a, f = plus_one()
    a.set(hl.Buffer(IMAGE.copy()))
    f.compile_jit(CUDA)

    def work(number: int, f: hl.Func = f) -> bool:
        return all(np.array_equal(np.array(f.realize([8, 4], CUDA)), IMAGE + 1) for _ in range(3))

    assert all(together(4, work))
    assert len(driver.calls("cuMemcpyHtoDAsync_v2")) == 1
    assert len(driver.calls("cuModuleLoadDataEx")) == 1
    del a, f, work
    gc.collect()
    assert driver.live()["memories"] == driver.live()["modules"] == 0


def streams(driver: Driver, name: str) -> list[str]:
    return [call.arguments.rsplit("stream ", 1)[1] for call in driver.calls(name)]


def test_each_thread_has_a_stream(driver: Driver) -> None:
    cuda = Cuda(driver.library)
    made = [cuda.made(ctypes.c_void_p, "cuStreamCreate", 1).value for _ in range(3)]
    a, f = plus_one()
    a.set(hl.Buffer(IMAGE.copy()))
    f.compile_jit(CUDA)

    def work(number: int, f: hl.Func = f) -> bool:
        runtime.set_stream(made[number])
        return np.array_equal(np.array(f.realize([8, 4], CUDA)), IMAGE + 1)

    assert all(together(3, work))
    assert sorted(streams(driver, "cuLaunchKernel")) == sorted(f"{s:#x}" for s in made)
    assert runtime.current_stream() == 0
    gc.collect()
    assert driver.live()["memories"] == 1
    del a, f, work
    gc.collect()
    assert driver.live()["memories"] == 0
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))


def test_what_another_stream_wrote_is_waited_for(driver: Driver) -> None:
    cuda = Cuda(driver.library)
    first, second = (cuda.made(ctypes.c_void_p, "cuStreamCreate", 1).value for _ in range(2))
    a, f = plus_one()
    b, g = plus_one()
    a.set(hl.Buffer(IMAGE.copy()))
    runtime.set_stream(first)
    made = f.realize([8, 4], CUDA)
    runtime.set_stream(second)
    b.set(made)
    np.testing.assert_array_equal(np.array(g.realize([8, 4], CUDA)), IMAGE + 2)
    assert len(driver.calls("cuCtxSynchronize")) == 1
    # What is read in both is freed in neither before that.
    runtime.set_stream(0)
    b.set(hl.Buffer(IMAGE.copy()))
    del made
    gc.collect()
    cuda("cuCtxSynchronize")
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))


def test_a_thread_may_have_its_own_context_on_another_device(driver: Driver) -> None:
    a, f = plus_one()
    cuda = Cuda(driver.library, device=1)
    a.set(hl.Buffer(IMAGE.copy()))
    np.testing.assert_array_equal(np.array(f.realize([8, 4], CUDA)), IMAGE + 1)
    assert {m.bytes.size for m in driver.memories(cuda.context.value)} == {128}
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
    with pytest.raises((hl.HalideError, RuntimeError), match="a lies in another context"):
        f.realize([8, 4], CUDA)
    a.set(hl.Buffer(IMAGE.copy()))
    np.testing.assert_array_equal(np.array(f.realize([8, 4], CUDA)), IMAGE + 1)
    assert driver.live()["modules"] == 2
    del f
    gc.collect()
    assert driver.live()["modules"] == 0


@pytest.mark.parametrize("device", (0, 1))
def test_the_environment_names_the_device(device: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIFT_CUDA_DEVICE", str(device))
    with emulated_driver(fresh=True) as driver:
        runtime = Runtime()
        array = IMAGE.copy()
        buffer = record_of(array)
        runtime.done("copy_to_device", ctypes.byref(buffer), None)
        number = ctypes.c_int32(7)
        runtime.done("ordinal", ctypes.byref(buffer), ctypes.byref(number))
        assert number.value == device
        assert driver.calls("cuDevicePrimaryCtxRetain")[0].arguments == f"device {device}"
        buffer.flags = 2
        array[:] = 0
        runtime.done("copy_to_host", ctypes.byref(buffer), None)
        np.testing.assert_array_equal(array, IMAGE)
        major, minor = ctypes.c_int(), ctypes.c_int()
        runtime.by_interface("compute_capability", ctypes.byref(major), ctypes.byref(minor))
        assert (major.value, minor.value) == ((9, 0), (7, 5))[device]
