"""Whatever fails on a device: a sentence, Halide's code, nothing wrong in any result, no leak."""

from __future__ import annotations

import ctypes
import gc
import itertools
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.runtime import device as runtime
from tests.fenced import told_by_child

from .cuda_calls import (
    ILLEGAL_ADDRESS,
    INVALID_VALUE,
    LAUNCH_FAILED,
    NO_DEVICE,
    NOT_SUPPORTED,
    OUT_OF_MEMORY,
    Cuda,
)
from .emulated_driver import Driver, emulated_driver
from .native_runtime import SOURCE, Program, Runtime, record_of

CUDA = hl.Target("host-cuda")
X, Y, XI, YI = hl.vars("x y xi yi")
IMAGE = np.arange(4 * 8, dtype=np.int32).reshape(4, 8)
FUNCTIONS = sorted(
    set(re.findall(r"F\((cu\w+),", SOURCE.read_text("utf-8")))
    - {"cuGetErrorName", "cuGetErrorString"}
)
OPENING = {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet"}
OPENING |= {"cuDevicePrimaryCtxRetain", "cuMemPoolSetAttribute", "cuDeviceGetDefaultMemPool"}
UNUSED = {"cuMemcpyDtoDAsync_v2", "cuMemcpy2DAsync_v2", "cuDeviceGetName", "cuMemAlloc_v2"}
UNUSED |= {"cuMemFree_v2", "cuMemPoolTrimTo", "cuCtxSynchronize", "cuFuncSetAttribute"}
UNUSED |= {"cuModuleUnload", "cuMemRetainAllocationHandle", "cuMemRelease"}


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver() as made:
        runtime_is_open()
        yield made
        made.problems()


def runtime_is_open() -> None:
    runtime.describe()


def nothing_left(driver: Driver) -> None:
    gc.collect()
    live = driver.live()
    assert (live["memories"], live["modules"], live["functions"]) == (0, 0, 0)


def two_stages(shared: int = 0) -> tuple[hl.ImageParam, hl.Func]:
    """One on the host in between, so that intermediates lie on both sides."""
    a, f, g, h = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[X, Y] = a[X, Y] + 1
    g[X, Y] = f[X, Y] * 2
    h[X, Y] = g[X, Y] - f[X, Y]
    f.compute_root()
    g.compute_root()
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    h.gpu_tile(X, Y, XI, YI, 8, 4)
    return a, h


EXPECTED = IMAGE + 1
CODES = (
    pytest.param(INVALID_VALUE, id="once"),
    pytest.param(OUT_OF_MEMORY, id="memory", marks=pytest.mark.slow),
    pytest.param(ILLEGAL_ADDRESS, id="fault", marks=pytest.mark.slow),
)


SOME = ("cuMemcpyHtoDAsync_v2", "cuModuleGetFunction")


@pytest.mark.parametrize("names", (SOME, pytest.param(FUNCTIONS, marks=pytest.mark.slow)))
@pytest.mark.parametrize("code", CODES)
def test_each_call_of_the_driver_may_fail(code: int, names: Sequence[str]) -> None:
    """At each place in turn: a right result, or an error, and right the next time."""
    with emulated_driver() as driver:
        a, f = two_stages()
        a.set(hl.Buffer(IMAGE.copy()))
        f.compile_jit(CUDA)
        for name in names:
            if name not in OPENING | UNUSED:
                assert places(driver, a, f, name, code) >= 1, name
        driver.reset()
        a.set(hl.Buffer(IMAGE.copy()))
        f.realize([8, 4], CUDA)
        del a, f
        nothing_left(driver)
        driver.problems()


FACTORS = itertools.count(2)


def places(driver: Driver, a: hl.ImageParam, f: hl.Func, name: str, code: int) -> int:
    """Lets each call of a function fail while a pipeline runs; how many there were."""
    for nth in range(1, 100):
        driver.reset()
        # Another one each time: what is left in memory isn't right.
        image = IMAGE * next(FACTORS)
        a.set(hl.Buffer(image.copy()))
        made = hl.Buffer(np.zeros_like(IMAGE))
        driver.inject(name, code, nth)
        message = ""
        try:
            f.realize(made, CUDA)
            np.testing.assert_array_equal(np.array(made), image + 1)
        except (hl.HalideError, RuntimeError) as error:
            message = str(error)
            assert re.search(r"\(CUDA_ERROR_\w+\)", message), message
        if len(driver.calls(name)) < nth:
            assert not message
            return nth - 1
        if code != ILLEGAL_ADDRESS:
            again = hl.Buffer(np.zeros_like(IMAGE))
            f.realize(again, CUDA)
            np.testing.assert_array_equal(np.array(again), image + 1)
            del again
            assert driver.live()["modules"] == 1, (name, nth)
            a.set(hl.Buffer(image))
            f.__dict__.pop("_again", None)
            del made
            gc.collect()
            assert driver.live()["memories"] == 0, (name, nth, message)
    raise AssertionError("it never ends")


OPEN = ctypes.create_string_buffer(256)


def described(runtime: Runtime) -> tuple[int, str]:
    numbers = (ctypes.c_int32 * 2)()
    first, second = (ctypes.byref(numbers, 4 * i) for i in range(2))
    return runtime("describe", first, second, OPEN, len(OPEN))


@pytest.fixture
def fresh() -> Iterator[Driver]:
    with emulated_driver(fresh=True) as made:
        yield made
        made.problems()


def test_there_may_be_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIFT_CUDA_LIBRARY", "/nowhere/libcuda.so.1")
    status, said = described(Runtime())
    assert status == -29 and said.startswith("There is no CUDA driver here: /nowhere/libcuda.so.1:")


def test_a_driver_may_lack_a_function(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = tmp_path / "old.c"
    source.write_text("int cuInit(unsigned flags) { return (int)flags; }")
    library = tmp_path / "libold.so"
    subprocess.run(["gcc", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    monkeypatch.setenv("LIFT_CUDA_LIBRARY", str(library))
    runtime = Runtime()
    for _ in range(2):
        assert described(runtime) == (
            -29,
            "The CUDA driver is too old: it has no cuDriverGetVersion. CUDA 11.4 is the oldest one "
            "that serves",
        )


OPENED = {
    "cuInit": "The CUDA driver can't be used: ",
    "cuDriverGetVersion": "The CUDA driver can't be used: ",
    "cuDeviceGetCount": "The CUDA driver can't be used: ",
    "cuDeviceGet": "CUDA device 0 can't be used: ",
    "cuDevicePrimaryCtxRetain": "CUDA device 0 can't be used: ",
}


HIDDEN = "there is no NVIDIA device, or CUDA_VISIBLE_DEVICES hides it"


@pytest.mark.parametrize("name", OPENED)
def test_the_driver_may_fail_when_it_is_opened(name: str, fresh: Driver) -> None:
    runtime = Runtime()
    for code, why in (
        (OUT_OF_MEMORY, "the device has no memory left (CUDA_ERROR_OUT_OF_MEMORY)"),
        (INVALID_VALUE, "invalid argument (CUDA_ERROR_INVALID_VALUE)"),
        (NO_DEVICE, f"{HIDDEN} (CUDA_ERROR_NO_DEVICE)"),
        (4242, "unknown (an error that the driver has no name for)"),
    ):
        fresh.inject(name, code)
        assert described(runtime) == (-29, OPENED[name] + why)
    assert described(runtime) == (0, "")
    assert OPEN.value and fresh.live()["contexts"] == 1


@pytest.mark.parametrize("name", ("cuDeviceGetDefaultMemPool", "cuMemPoolSetAttribute"))
def test_a_pool_that_keeps_nothing_is_no_failure(name: str, fresh: Driver) -> None:
    fresh.inject(name, NOT_SUPPORTED)
    assert described(Runtime()) == (0, "")


@pytest.mark.parametrize("asked", ("2", "-1", "one", "1x", "9" * 20, "1", ""))
def test_the_device_may_be_none(asked: str, fresh: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIFT_CUDA_DEVICE", asked)
    said = f"There is no CUDA device {asked}: there are 2, from 0 on"
    said = "" if asked in ("", "1") else said
    assert described(Runtime()) == (-29 if said else 0, said)


def test_there_may_be_no_device(fresh: Driver) -> None:
    fresh.set(devices=0)
    status, said = described(Runtime())
    assert status == -29 and "there is no NVIDIA device" in said


def test_the_device_is_chosen_before_it_is_used(fresh: Driver) -> None:
    runtime = Runtime()
    assert runtime.library.lift_cuda_set_device(1) == 0
    assert described(runtime) == (0, "")
    assert fresh.calls("cuDevicePrimaryCtxRetain")[0].arguments == "device 1"
    assert runtime.library.lift_cuda_set_device(1) == 0
    assert runtime.library.lift_cuda_set_device(0) == -29


def realized(f: hl.Func, *sizes: int) -> str:
    """What a realization says that fails."""
    with pytest.raises((hl.HalideError, RuntimeError)) as raised:
        np.array(f.realize(list(sizes), CUDA))
    return str(raised.value)


def simple(image: Any = IMAGE) -> tuple[hl.ImageParam, hl.Func]:
    a, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("f")
    f[X, Y] = a[X, Y] + 1
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    a.set(hl.Buffer(image.copy()))
    return a, f


def test_a_block_may_have_too_many_threads(driver: Driver) -> None:
    f, n = hl.Func("f"), hl.Param(hl.Int(32), "n")
    f[X, Y] = X + n
    f.gpu_tile(X, Y, XI, YI, 8, 4)
    driver.set_attribute(0, 1, 16)
    n.set(1)
    said = realized(f, 8, 4)
    assert re.search(
        r"The kernel f\S*kernel0 has 32 threads in a block; the device has 16 at most", said
    )
    driver.set_attribute(0, 1, 1024)
    driver.set_attribute(0, 2, 4)
    assert "has 8 threads in dimension 0 of a block; the device has 4 at most" in realized(f, 8, 4)
    driver.set_attribute(0, 2, 1024)
    driver.set_attribute(0, 6, 3)
    assert "has 4 blocks in dimension 1; the device has 3 at most" in realized(f, 8, 16)
    del f
    nothing_left(driver)


def test_a_block_may_have_too_much_shared_memory(driver: Driver) -> None:
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y] = X * Y
    g[X, Y] = f[X, Y] + f[X + 13000, Y]
    g.gpu_tile(X, XI, 8)
    f.compute_at(g, X).store_in(hl.MemoryType.GPUShared).split(X, X, XI, 32).gpu_threads(XI)
    driver.set_attribute(0, 97, 49152)
    said = realized(g, 8, 4)
    assert re.search(r"The kernel g\S* has \d{5} bytes of shared memory in a block; the device has "
                     r"49152 at most", said), said  # fmt: skip
    assert driver.live()["modules"] == 0
    del f, g
    nothing_left(driver)


def test_modules_may_be_too_new_or_wrong(driver: Driver) -> None:
    a, f = simple()
    driver.set(ptx_version=60)
    said = realized(f, 8, 4)
    assert f"The kernels of {f.name()}.kernel0 can't be loaded: the driver is older" in said
    assert "than this code's PTX: update it (CUDA_ERROR_UNSUPPORTED_PTX_VERSION)" in said
    driver.set(ptx_version=90)
    driver.set_attribute(0, 75, 5)
    said = realized(f, 8, 4)
    assert "the device is older than the ones that this code was compiled for" in said
    driver.set_attribute(0, 75, 9)
    np.testing.assert_array_equal(np.array(f.realize([8, 4], CUDA)), EXPECTED)
    del a, f
    nothing_left(driver)


def test_what_the_compiler_of_ptx_says_is_told(fresh: Driver) -> None:
    _, f = simple()
    program = Program(f.lowered("", None, CUDA), ".version x")
    status, said = program.launch(Runtime(), *[ctypes.c_uint64(256)] * 20)
    assert status == -23 and "can't be loaded: " in said and "(CUDA_ERROR_INVALID_PTX)" in said
    assert "ptxas application ptx input, line 1; fatal   : .version has no number" in said


def test_memory_may_be_short(driver: Driver) -> None:
    """What is free is given back first, and what intermediates have in the end."""
    large = np.arange(64 * 64, dtype=np.int32).reshape(64, 64)
    a, f = two_stages()
    a.set(hl.Buffer(large))
    driver.set_memory(0, 16384 * 4 + 1024)
    made = f.realize([64, 64], CUDA)
    np.testing.assert_array_equal(np.array(made), large + 1)
    del made
    gc.collect()
    small = simple()[1].realize([8, 4], CUDA)
    assert driver.calls("cuMemPoolTrimTo") == []
    driver.set_memory(0, 16384 * 3)
    said = realized(f, 64, 64)
    assert re.search(r"[fgh]\S* can't have its 16384 bytes on the device: the device has no memory "
                     r"left \(CUDA_ERROR_OUT_OF_MEMORY\)", said), said  # fmt: skip
    assert driver.calls("cuMemPoolTrimTo")
    a.set(hl.Buffer(IMAGE.copy()))
    np.testing.assert_array_equal(np.array(f.realize([8, 4], CUDA)), EXPECTED)
    np.testing.assert_array_equal(np.array(small), EXPECTED)
    del small, a, f
    nothing_left(driver)


def test_a_fault_is_repeated(driver: Driver) -> None:
    a, f = simple()
    f.compile_jit(CUDA)
    driver.inject("cuStreamSynchronize", LAUNCH_FAILED)
    for _ in range(3):
        said = realized(f, 8, 4)
        assert "all that this process has there is lost: only a new process can go on" in said
    del a


def test_a_context_may_be_destroyed_under_us(fresh: Driver) -> None:
    cuda = Cuda(fresh.library)
    own = ctypes.c_void_p()
    fresh.set_attribute(0, 115, 0)  # a pool's memory is the device's, and stays
    cuda("cuCtxCreate_v2", ctypes.byref(own), 0, 0)
    runtime = Runtime()
    array = np.zeros(8, np.int32)
    buffer = record_of(array)
    runtime.done("copy_to_device", ctypes.byref(buffer), b"in")
    cuda("cuCtxDestroy_v2", own)
    cuda("cuCtxPushCurrent_v2", cuda.context)
    buffer.flags = 2
    assert runtime("copy_to_host", ctypes.byref(buffer), b"in") == (
        -23,
        "The device memory of in isn't there: no allocation has its address "
        "(CUDA_ERROR_INVALID_VALUE)",
    )
    status, said = runtime("free", ctypes.byref(buffer), b"in")
    assert (buffer.device, status) == (0, -18)
    assert said.startswith("The device memory of in can't be freed: ")


def test_the_current_context_may_be_a_destroyed_one(fresh: Driver) -> None:
    cuda = Cuda(fresh.library)
    own = ctypes.c_void_p()
    cuda("cuCtxCreate_v2", ctypes.byref(own), 0, 0)
    cuda("cuCtxPushCurrent_v2", own)
    cuda("cuCtxDestroy_v2", own)
    runtime, array = Runtime(), np.zeros(8, np.int32)
    status, said = runtime("copy_to_device", ctypes.byref(record_of(array)), b"in")
    assert status and "the context, and what lay in it, was destroyed" in said


@pytest.mark.parametrize("has_pools", (True, False))
def test_a_buffer_outlives_its_device(has_pools: bool, driver: Driver) -> None:
    """Whoever has memory at the same address by then keeps it."""
    driver.set_attribute(0, 115, has_pools)
    a, f = simple()
    made = [f.realize([8, 4], CUDA) for _ in range(2)]
    kept = made[1]
    driver.reset()
    with pytest.raises(hl.HalideError, match="isn't there: no allocation has its address"):
        np.array(kept)
    driver.forget_calls()
    made.clear()
    kept.device_free()
    a.set(hl.Buffer(IMAGE.copy()))
    gc.collect()
    assert not driver.calls("cuMemFreeAsync") and not driver.calls("cuMemFree_v2")
    np.testing.assert_array_equal(np.array(f.realize([8, 4], CUDA)), EXPECTED)
    again = kept.__cuda_array_interface__
    assert again["data"][0] in {m.address for m in driver.memories()} or driver.waiting()


def test_a_buffer_may_live_in_another_context(fresh: Driver) -> None:
    cuda = Cuda(fresh.library)
    own = ctypes.c_void_p()
    fresh.set_attribute(0, 115, 0)
    fresh.set_attribute(1, 115, 0)
    runtime, array = Runtime(), np.zeros(8, np.int32)
    buffer = record_of(array)
    runtime.done("copy_to_device", ctypes.byref(buffer), b"in")
    cuda("cuCtxCreate_v2", ctypes.byref(own), 0, 1)
    for name in ("copy_to_device", "malloc"):
        assert runtime(name, ctypes.byref(buffer), b"in") == (
            -23,
            "The device memory of in lies in another context",
        )
    buffer.flags = 2
    assert runtime("copy_to_host", ctypes.byref(buffer), b"in")[0] == -23


def test_memory_that_was_mapped_is_no_contexts(fresh: Driver) -> None:
    """As PyTorch maps it: what asks for its context is told that the address is none."""
    runtime, array = Runtime(), np.zeros(8, np.int32)
    buffer = record_of(array)
    runtime.done("copy_to_device", ctypes.byref(buffer), b"in")
    fresh.inject("cuPointerGetAttribute", INVALID_VALUE)
    runtime.done("copy_to_device", ctypes.byref(buffer), b"in")
    fresh.inject("cuPointerGetAttribute", INVALID_VALUE, 1, 2)
    assert runtime("copy_to_device", ctypes.byref(buffer), b"in")[0] == -23


def test_a_buffer_may_be_of_another_runtime(fresh: Driver) -> None:
    runtime, array = Runtime(), np.zeros(8, np.int32)
    buffer = record_of(array)
    buffer.device, buffer.device_interface, buffer.flags = 4096, 8, 2
    for name in ("copy_to_device", "copy_to_host", "malloc", "free"):
        status, said = runtime(name, ctypes.byref(buffer), b"in")
        assert (status, said) == (-42, "The device memory of in was made by another runtime")


def test_both_sides_may_be_dirty(fresh: Driver) -> None:
    runtime, array = Runtime(), np.zeros(8, np.int32)
    buffer = record_of(array)
    runtime.done("copy_to_device", ctypes.byref(buffer), b"in")
    buffer.flags = 3
    for name in ("copy_to_device", "copy_to_host"):
        assert runtime(name, ctypes.byref(buffer), b"in") == (
            -37,
            "in was changed on the host and on the device",
        )
    buffer.flags = 0
    runtime.done("free", ctypes.byref(buffer), b"in")
    buffer.flags = 2
    for name, code in (("copy_to_device", -15), ("copy_to_host", -14)):
        assert runtime(name, ctypes.byref(buffer), b"in") == (
            code,
            "in is said to be newest on the device, where it has no memory",
        )


def test_memory_on_the_device_goes_forward(fresh: Driver) -> None:
    runtime, array = Runtime(), np.zeros((4, 8), np.int32)
    for name in ("copy_to_device", "malloc"):
        assert runtime(name, ctypes.byref(record_of(array[:, ::-1])), b"in") == (
            -16,
            "Memory on the device can't go backwards, as dimension 1 of in does (stride -1)",
        )
    buffer = record_of(None, (2**31 - 1,) * 4)
    for d in range(4):
        buffer.dim[d].stride = 2**31 - 1
    status, said = runtime("malloc", ctypes.byref(buffer), None)
    assert (status, said) == (-11, "a buffer is larger than any device's memory")
    buffer = record_of(array)
    buffer.dim[1].extent = -3
    status, said = runtime("malloc", ctypes.byref(buffer), b"in")
    assert (status, said) == (-28, "The extent of in in dimension 1 is negative (-3)")
    assert not fresh.live()["memories"]


def test_wrapped_memory_may_not_be_aligned(fresh: Driver) -> None:
    _, f = simple()
    runtime, program = Runtime(), Program(f.lowered("", None, CUDA))
    kernel = program.fn.kernels[0]
    values = [ctypes.c_uint64(258) if p.is_memory else ctypes.c_int32(1) for p in kernel.parameters]
    status, said = program.launch(runtime, *values)
    first = next(p.name for p in kernel.parameters if p.is_memory)
    assert status == -23
    assert said == (
        f"The device memory of {first} doesn't begin at a multiple of 4 bytes, as the kernel "
        f"{kernel.name} needs it"
    )
    second = [i for i, p in enumerate(kernel.parameters) if p.is_memory][1]
    values[0 if kernel.parameters[0].is_memory else 1] = ctypes.c_uint64(256)
    assert kernel.parameters[second].name in program.launch(runtime, *values)[1]


def test_a_child_of_fork_cant_go_on(driver: Driver) -> None:
    a, f = simple()
    np.testing.assert_array_equal(np.array(f.realize([8, 4], CUDA)), EXPECTED)

    def work(say: Callable[[str], None]) -> None:
        nonlocal a
        said = realized(f, 8, 4)
        assert "a process that fork() made can't use what its parent opened" in said
        f.invalidate_cache()
        f.__dict__.pop("_again", None)
        del a
        gc.collect()
        say("done")

    child = told_by_child(work)
    assert (child.signal, child.said) == (0, "done")
    np.testing.assert_array_equal(np.array(f.realize([8, 4], CUDA)), EXPECTED)
