"""The emulated driver does as CUDA says, and of what CUDA leaves open what is worst for callers."""

from __future__ import annotations

import ctypes
import random
import signal
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import CAPABILITIES, kernel_symbol, kernels_ptx
from compiler.ir.stmts import Kernel, LoweredFunction
from tests.fenced import in_child

from .cuda_calls import (
    DESTROYED,
    ILLEGAL_ADDRESS,
    INVALID_CONTEXT,
    INVALID_DEVICE,
    INVALID_HANDLE,
    INVALID_IMAGE,
    INVALID_PTX,
    INVALID_VALUE,
    LAUNCH_FAILED,
    MISALIGNED,
    NEW_PTX,
    NO_BINARY,
    NO_DEVICE,
    NOT_FOUND,
    NOT_INITIALIZED,
    NOT_READY,
    NOT_SUPPORTED,
    OUT_OF_MEMORY,
    PER_THREAD,
    PTX,
    Copy2D,
    Cuda,
    load,
    numbers,
    pooled,
)
from .device import Launcher, Memory
from .emulated_driver import FOLDER, Driver, Runs, built, compile_library, emulated_driver
from .programs import lowered, on_device


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver(fresh=True) as made:
        yield made


@pytest.fixture
def cuda(driver: Driver) -> Cuda:
    return Cuda(driver.library)


def by_driver(cuda: Cuda, fn: LoweredFunction) -> Launcher:
    """Runs the kernels of a function through the driver, each on memories of its own."""
    text = kernels_ptx(fn.kernels)

    def launch(
        kernel: Kernel,
        grid: list[int],
        threads: list[int],
        values: Mapping[str, Any],
        memories: Mapping[str, Memory],
    ) -> None:
        function = cuda.function(text, kernel_symbol(kernel))
        parameters: list[Any] = []
        for parameter in kernel.parameters:
            if parameter.is_memory:
                elements = memories[parameter.name].elements
                parameters.append(cuda.memory(elements.nbytes))
                if not parameter.is_written:
                    cuda.send(parameters[-1], elements)
            else:
                parameters.append(ctypes.c_int32(int(values[parameter.name])))
        x, y, z = grid
        tx, ty, tz = threads
        cuda.launch(function, *parameters, grid=(x, y, z), block=(tx, ty, tz))
        for parameter, place in zip(kernel.parameters, parameters, strict=True):
            if parameter.is_written:
                memory = memories[parameter.name]
                cuda.fetch(memory.elements, place)
                memory.is_known[:] = True
        cuda.wait()

    return launch


def test_kernels_of_a_program_compute_what_numpy_does(cuda: Cuda) -> None:
    a, h, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func("h"), hl.Func("f")
    x, y, xi, yi = hl.vars("x y xi yi")
    h[x, y] = hl.u16(a[x, y]) * 3 + a[x + 1, y]
    f[x, y] = h[x, y] + h[x, y + 1]
    f.gpu_tile(x, y, xi, yi, 16, 4)
    h.compute_at(f, x).gpu_threads(x, y)
    fn = lowered(f)
    image = np.random.default_rng(1).integers(0, 256, (9, 38), np.uint8)
    made, _ = on_device(fn, {"a": image}, {fn.args[-1].name: (37, 8)}, by_driver(cuda, fn))
    rows = image[:, :-1].astype(np.uint16) * 3 + image[:, 1:]
    np.testing.assert_array_equal(made[fn.args[-1].name], rows[:-1] + rows[1:])


def test_memory_that_nobody_wrote_holds_garbage(cuda: Cuda) -> None:
    made = np.zeros(300, np.uint8)
    cuda.fetch(made, cuda.memory(300))
    cuda.wait()
    assert (made == 0xA5).all()


def test_what_is_copied_comes_when_somebody_waits(driver: Driver, cuda: Cuda) -> None:
    memory, made = cuda.memory(4), np.zeros(4, np.uint8)
    sent = np.full(4, 7, np.uint8)
    cuda.send(memory, sent)
    sent[:] = 9
    cuda.fetch(made, memory)
    assert driver.waiting() == 2 and (made != 7).all()
    cuda.wait()
    assert driver.waiting() == 0 and (made == 7).all()


def test_what_waits_may_also_run_at_once_or_some_time(driver: Driver, cuda: Cuda) -> None:
    for runs in (Runs.AT_ONCE, Runs.SOMETIMES):
        driver.set(runs=runs, seed=4)
        memory, made = cuda.memory(4), np.zeros(4, np.uint8)
        for value in range(8):
            cuda.send(memory, np.full(4, value, np.uint8))
        cuda.fetch(made, memory)
        assert runs is Runs.SOMETIMES or driver.waiting() == 0
        cuda.wait()
        assert (made == 7).all()


def test_the_host_may_be_read_late(driver: Driver, cuda: Cuda) -> None:
    driver.set(reads_host_late=True)
    memory, sent = cuda.memory(4), np.zeros(4, np.uint8)
    cuda.send(memory, sent)
    sent[:] = 9
    cuda.wait()
    (made,) = driver.memories()
    assert (made.bytes == 9).all() and made.known.all()


def test_the_default_stream_waits_for_others_and_they_for_it(driver: Driver, cuda: Cuda) -> None:
    memory, made = cuda.memory(4), np.zeros(4, np.uint8)
    stream = cuda.made(ctypes.c_void_p, "cuStreamCreate", 0)
    apart = cuda.made(ctypes.c_void_p, "cuStreamCreate", 1)
    cuda.send(memory, np.full(4, 1, np.uint8), stream)
    cuda.send(memory, np.full(4, 2, np.uint8), None)
    cuda("cuMemsetD8Async", memory, 9, ctypes.c_size_t(4), apart)
    cuda.fetch(made, memory)
    cuda.wait()
    assert (made == 2).all() and driver.waiting() == 1
    cuda("cuStreamSynchronize", apart)
    assert driver.waiting() == 0
    assert driver.live()["streams"] == 2
    for each in (stream, apart):
        cuda("cuStreamDestroy_v2", each)
    cuda("cuStreamSynchronize", stream, expected=INVALID_HANDLE)
    assert driver.live()["streams"] == 0


def test_each_thread_has_a_stream_of_its_own(driver: Driver, cuda: Cuda) -> None:
    cuda.send(cuda.memory(4), np.zeros(4, np.uint8))

    def wait() -> None:
        cuda("cuCtxPushCurrent_v2", cuda.context)
        cuda.wait()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(wait).result()
    assert driver.waiting() == 1
    cuda("cuCtxSynchronize")
    assert driver.waiting() == 0


def test_events_are_done_when_what_comes_before_them_is(driver: Driver, cuda: Cuda) -> None:
    memory = cuda.memory(4)
    first, last = (cuda.made(ctypes.c_void_p, "cuEventCreate", 0) for _ in range(2))
    time = ctypes.c_float(-1)
    cuda("cuEventElapsedTime", ctypes.byref(time), first, last, expected=INVALID_HANDLE)
    cuda("cuEventRecord", first, PER_THREAD)
    cuda.send(memory, np.zeros(4, np.uint8))
    cuda("cuEventRecord", last, PER_THREAD)
    cuda.send(memory, np.zeros(4, np.uint8))
    cuda("cuEventElapsedTime", ctypes.byref(time), first, last, expected=NOT_READY)
    cuda("cuEventQuery", last, expected=NOT_READY)
    cuda("cuEventSynchronize", last)
    assert driver.waiting() == 1
    cuda("cuEventElapsedTime_v2", ctypes.byref(time), first, last)
    assert time.value >= 0
    cuda("cuEventDestroy_v2", first)
    cuda("cuEventDestroy_v2", first, expected=INVALID_HANDLE)


def test_nothing_works_before_it_is_initialised(driver: Driver) -> None:
    assert driver.library.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) == NOT_INITIALIZED
    driver.set(devices=0)
    assert driver.library.cuInit(0) == NO_DEVICE


def test_nothing_works_in_a_child(driver: Driver, cuda: Cuda) -> None:
    def work() -> None:
        cuda("cuCtxSynchronize", expected=NOT_INITIALIZED)
        cuda("cuInit", 0, expected=NOT_INITIALIZED)
        driver.reset()
        cuda("cuInit", 0)

    assert in_child(work) == 0
    cuda("cuCtxSynchronize")


def test_devices_say_what_they_have(driver: Driver, cuda: Cuda) -> None:
    def attribute(number: int, device: int) -> int:
        return int(cuda.made(ctypes.c_int, "cuDeviceGetAttribute", number, device).value)

    assert cuda.made(ctypes.c_int, "cuDeviceGetCount").value == 2
    assert [attribute(75, d) * 10 + attribute(76, d) for d in range(2)] == [90, 75]
    assert [attribute(97, d) for d in range(2)] == [CAPABILITIES[90], CAPABILITIES[75]]
    driver.set_attribute(1, 75, 6)
    assert attribute(75, 1) == 6
    cuda("cuDeviceGet", ctypes.byref(ctypes.c_int()), 2, expected=INVALID_DEVICE)
    name = ctypes.create_string_buffer(9)
    cuda("cuDeviceGetName", name, 9, 0)
    assert name.value == b"Emulated"
    assert cuda.made(ctypes.c_int, "cuDriverGetVersion").value == 13000


def test_a_context_is_needed(cuda: Cuda) -> None:
    assert cuda.made(ctypes.c_void_p, "cuCtxGetCurrent").value == cuda.context.value
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
    assert cuda.made(ctypes.c_void_p, "cuCtxGetCurrent").value is None
    cuda("cuCtxSynchronize", expected=INVALID_CONTEXT)
    cuda("cuCtxPopCurrent_v2", None, expected=INVALID_CONTEXT)
    cuda("cuCtxPushCurrent_v2", ctypes.c_void_p(12345), expected=INVALID_CONTEXT)
    place = ctypes.c_uint64()
    cuda("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(4), expected=INVALID_CONTEXT)


def test_a_context_that_is_gone_and_its_successor_differ_by_number(cuda: Cuda) -> None:
    def number() -> int:
        place = ctypes.c_ulonglong()
        cuda("cuCtxGetId", None, ctypes.byref(place))
        return place.value

    first = cuda.made(ctypes.c_void_p, "cuCtxCreate_v4", None, 0, 1)
    assert cuda.made(ctypes.c_int, "cuCtxGetDevice").value == 1
    before = number()
    cuda("cuCtxDestroy_v2", first)
    cuda("cuCtxDestroy_v2", first, expected=INVALID_CONTEXT)
    assert cuda.made(ctypes.c_int, "cuCtxGetDevice").value == 0
    second = cuda.made(ctypes.c_void_p, "cuCtxCreate_v2", 0, 1)
    assert (second.value, number() == before) == (first.value, False)


def test_a_primary_context_goes_with_its_last_owner(driver: Driver, cuda: Cuda) -> None:
    memory = cuda.memory(4)
    assert cuda.retain(0).value == cuda.context.value
    cuda("cuDevicePrimaryCtxRelease_v2", 0)
    cuda("cuCtxSynchronize")
    cuda("cuDevicePrimaryCtxRelease_v2", 0)
    cuda("cuCtxSynchronize", expected=DESTROYED)
    cuda("cuDevicePrimaryCtxRelease_v2", 0, expected=INVALID_CONTEXT)
    cuda("cuCtxPushCurrent_v2", cuda.context, expected=INVALID_CONTEXT)
    assert not any(driver.live().values())
    assert cuda.retain(0).value == cuda.context.value
    cuda("cuCtxPushCurrent_v2", cuda.context)
    cuda("cuMemFree_v2", memory, expected=INVALID_VALUE)


def test_what_another_context_has_is_not_taken(cuda: Cuda) -> None:
    memory, function = cuda.memory(4), cuda.function(PTX, "add")
    stream = cuda.made(ctypes.c_void_p, "cuStreamCreate", 0)
    other = cuda.made(ctypes.c_void_p, "cuCtxCreate_v4", None, 0, 0)
    cuda("cuMemsetD8Async", memory, 0, ctypes.c_size_t(4), None, expected=INVALID_VALUE)
    cuda.launch(function, memory, ctypes.c_uint32(1), expected=INVALID_HANDLE)
    cuda("cuStreamSynchronize", stream, expected=INVALID_HANDLE)
    cuda("cuPointerGetAttribute", ctypes.byref(place := ctypes.c_void_p()), 1, memory)
    assert place.value == cuda.context.value != other.value
    assert cuda.made(ctypes.c_void_p, "cuCtxGetCurrent").value == other.value
    cuda("cuStreamGetCtx", stream, ctypes.byref(place))
    assert place.value == cuda.context.value
    cuda("cuStreamGetCtx", PER_THREAD, ctypes.byref(place))
    assert place.value == other.value


def test_memory_is_freed_once(driver: Driver, cuda: Cuda) -> None:
    memory = cuda.memory(4)
    assert driver.live()["memories"] == 1
    cuda("cuMemFree_v2", ctypes.c_uint64(memory.value + 1), expected=INVALID_VALUE)
    cuda("cuMemFree_v2", memory)
    cuda("cuMemFree_v2", memory, expected=INVALID_VALUE)
    cuda("cuMemsetD8Async", memory, 0, ctypes.c_size_t(4), None, expected=INVALID_VALUE)
    cuda("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(0), expected=INVALID_VALUE)
    assert driver.live()["memories"] == 0


def test_copies_stay_inside_of_one_memory(cuda: Cuda) -> None:
    memory, other, data = cuda.memory(300), cuda.memory(300), np.zeros(300, np.uint8)
    for start, size, code in ((0, 300, 0), (1, 300, 1), (299, 1, 0), (300, 1, 1), (300, 0, 0)):
        place, count = ctypes.c_uint64(memory.value + start), ctypes.c_size_t(size)
        cuda("cuMemcpyHtoDAsync_v2", place, data.ctypes, count, None, expected=code)
        cuda("cuMemcpyDtoHAsync_v2", data.ctypes, place, count, None, expected=code)
        cuda("cuMemcpyDtoDAsync_v2", other, place, count, None, expected=code)


def test_rows_stay_inside_of_one_memory(driver: Driver, cuda: Cuda) -> None:
    memory, data = cuda.memory(4 * 16 + 10), np.zeros((5, 10), np.uint8)
    copy = Copy2D(
        srcMemoryType=1, srcHost=data.ctypes.data, srcPitch=10,
        dstMemoryType=2, dstDevice=memory.value, dstPitch=16, WidthInBytes=10, Height=5,
    )  # fmt: skip
    cuda("cuMemcpy2DAsync_v2", ctypes.byref(copy), PER_THREAD)
    copy.dstXInBytes = 1
    cuda("cuMemcpy2DAsync_v2", ctypes.byref(copy), PER_THREAD, expected=INVALID_VALUE)
    copy.dstXInBytes, copy.dstY = 0, 1
    cuda("cuMemcpy2DAsync_v2", ctypes.byref(copy), PER_THREAD, expected=INVALID_VALUE)
    copy.dstY = 0
    driver.set_attribute(0, 11, 15)
    cuda("cuMemcpy2DAsync_v2", ctypes.byref(copy), PER_THREAD, expected=INVALID_VALUE)


def test_what_is_freed_while_work_waits_for_it_is_found(driver: Driver, cuda: Cuda) -> None:
    memory = cuda.memory(4)
    cuda.send(memory, np.zeros(4, np.uint8))
    cuda("cuMemFree_v2", memory)
    cuda("cuStreamSynchronize", PER_THREAD, expected=ILLEGAL_ADDRESS)
    assert driver.problems() == ["work of a stream touches a memory of 4 bytes that is freed"]


def test_freeing_may_wait(driver: Driver, cuda: Cuda) -> None:
    driver.set(free_waits=True)
    memory = cuda.memory(4)
    cuda.send(memory, np.zeros(4, np.uint8))
    cuda("cuMemFree_v2", memory)
    cuda.wait()


def test_bytes_beside_a_memory_are_watched(driver: Driver, cuda: Cuda) -> None:
    memory = cuda.memory(300)
    ctypes.c_uint8.from_address(memory.value + 300).value = 1
    cuda("cuMemFree_v2", memory)
    assert driver.problems() == ["something wrote to byte 300 of a memory of 300 bytes"]
    memory = cuda.memory(300)
    assert in_child(lambda: ctypes.memset(memory.value + 512, 0, 1)) == signal.SIGSEGV


def test_a_pools_memory_comes_and_goes_with_a_stream(driver: Driver, cuda: Cuda) -> None:
    memory, made = pooled(cuda, 4), np.zeros(4, np.uint8)
    cuda.send(memory, np.full(4, 3, np.uint8))
    cuda.fetch(made, memory)
    cuda("cuMemFreeAsync", memory, PER_THREAD)
    cuda("cuMemFreeAsync", memory, PER_THREAD, expected=INVALID_VALUE)
    place = ctypes.c_void_p()
    cuda("cuPointerGetAttribute", ctypes.byref(place), 1, memory, expected=INVALID_VALUE)
    cuda.wait()
    assert (made == 3).all()
    cuda("cuMemFreeAsync", cuda.memory(4), PER_THREAD, expected=INVALID_VALUE)
    cuda("cuPointerGetAttribute", ctypes.byref(place), 1, pooled(cuda, 4))
    assert place.value is None


def test_a_stream_waits_for_what_another_allocates(driver: Driver, cuda: Cuda) -> None:
    memory = pooled(cuda, 4)
    apart = cuda.made(ctypes.c_void_p, "cuStreamCreate", 1)
    cuda("cuMemsetD8Async", memory, 0, ctypes.c_size_t(4), apart)
    cuda("cuStreamSynchronize", apart, expected=ILLEGAL_ADDRESS)
    (problem,) = driver.problems()
    assert "another stream hasn't allocated yet" in problem


def free_bytes(cuda: Cuda) -> int:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    cuda("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    return free.value


def test_a_pool_keeps_memory_until_it_is_trimmed(driver: Driver, cuda: Cuda) -> None:
    driver.set_memory(0, 1 << 20)
    pool = cuda.made(ctypes.c_void_p, "cuDeviceGetDefaultMemPool", 0)
    threshold = ctypes.c_uint64(1 << 19)
    cuda("cuMemPoolSetAttribute", pool, 4, ctypes.byref(threshold))
    cuda("cuMemFreeAsync", pooled(cuda, 1 << 20), PER_THREAD)
    assert free_bytes(cuda) == 0
    cuda("cuMemFreeAsync", pooled(cuda, 1 << 20), PER_THREAD)
    cuda.wait()
    assert free_bytes(cuda) == 1 << 19
    place, size = ctypes.c_uint64(), ctypes.c_size_t(1 << 20)
    cuda("cuMemAlloc_v2", ctypes.byref(place), size, expected=OUT_OF_MEMORY)
    cuda("cuMemPoolTrimTo", pool, ctypes.c_size_t(0))
    cuda("cuMemAlloc_v2", ctypes.byref(place), size)
    cuda("cuMemAllocAsync", ctypes.byref(place), size, None, expected=OUT_OF_MEMORY)
    driver.set_attribute(0, 115, 0)
    cuda("cuMemAllocAsync", ctypes.byref(place), size, None, expected=NOT_SUPPORTED)


def test_modules_are_taken_that_driver_and_device_know(driver: Driver, cuda: Cuda) -> None:
    assert load(cuda, PTX, 0) == ""
    driver.set(ptx_version=65)
    assert "Unsupported .version 7.0; current version is '6.5'" in load(cuda, PTX, NEW_PTX)
    driver.set(ptx_version=90)
    for target in ("sm_100", "sm_80a"):
        assert "higher" in load(cuda, PTX.replace("sm_75", target), NO_BINARY)
    load(cuda, PTX.replace("sm_75", "sm_90a"), 0)
    load(cuda, "\x7fELF", INVALID_IMAGE)
    assert "no end" in load(cuda, PTX.rstrip("}\n"), INVALID_PTX)
    assert "too much shared" in load(cuda, PTX.replace("[64]", "[49153]"), INVALID_PTX)
    cuda("cuCtxPushCurrent_v2", cuda.retain(1))
    load(cuda, PTX.replace("sm_75", "sm_80"), NO_BINARY)


def test_functions_are_found_in_their_module(driver: Driver, cuda: Cuda) -> None:
    module = cuda.made(ctypes.c_void_p, "cuModuleLoadDataEx", PTX.encode(), 0, None, None)
    place = ctypes.c_void_p()
    for name in (b"ad", b"addd", b"", b"add_param_0"):
        cuda("cuModuleGetFunction", ctypes.byref(place), module, name, expected=NOT_FOUND)
    cuda("cuModuleGetFunction", ctypes.byref(place), module, b"add")
    for attribute, value in ((0, 64), (1, 64), (8, (48 << 10) - 64)):
        assert cuda.made(ctypes.c_int, "cuFuncGetAttribute", attribute, place).value == value
    assert driver.live()["functions"] == 1
    cuda("cuModuleUnload", module)
    cuda("cuModuleUnload", module, expected=INVALID_HANDLE)
    cuda.launch(place, ctypes.c_uint64(0), ctypes.c_uint32(0), expected=INVALID_HANDLE)
    assert (driver.live()["modules"], driver.live()["functions"]) == (0, 0)


@pytest.mark.parametrize(
    ("shift", "threads", "code", "told"),
    [(0, 4, ILLEGAL_ADDRESS, "is left"), (2, 2, MISALIGNED, "no multiple of 4")],
)
def test_a_fault_stays(
    driver: Driver, cuda: Cuda, shift: int, threads: int, code: int, told: str
) -> None:
    memory, function = numbers(cuda, [1, 2, 3]), cuda.function(PTX, "add")
    place = ctypes.c_uint64(memory.value + shift)
    cuda.launch(function, place, ctypes.c_uint32(1), block=(threads, 1, 1))
    cuda("cuStreamSynchronize", PER_THREAD, expected=code)
    cuda("cuMemFree_v2", memory, expected=code)
    cuda.launch(function, place, ctypes.c_uint32(1), expected=code)
    (problem,) = driver.problems()
    assert told in problem
    cuda("cuCtxPushCurrent_v2", cuda.retain(1))
    cuda("cuCtxSynchronize")


def test_what_nobody_copied_is_not_read(driver: Driver, cuda: Cuda) -> None:
    cuda.launch(cuda.function(PTX, "add"), cuda.memory(4), ctypes.c_uint32(1))
    cuda("cuCtxSynchronize", expected=LAUNCH_FAILED)
    (problem,) = driver.problems()
    assert "reads what nobody wrote" in problem


def test_kernels_see_the_memory_of_their_context_alone(driver: Driver, cuda: Cuda) -> None:
    memory = numbers(cuda, [1])
    cuda("cuCtxSynchronize")
    cuda.made(ctypes.c_void_p, "cuCtxCreate_v4", None, 0, 0)
    cuda.launch(cuda.function(PTX, "add"), memory, ctypes.c_uint32(1))
    cuda("cuCtxSynchronize", expected=ILLEGAL_ADDRESS)
    assert driver.problems()


def test_a_module_may_not_go_before_its_kernels_have_run(driver: Driver, cuda: Cuda) -> None:
    module = cuda.made(ctypes.c_void_p, "cuModuleLoadDataEx", PTX.encode(), 0, None, None)
    function = cuda.made(ctypes.c_void_p, "cuModuleGetFunction", module, b"other")
    cuda.launch(function)
    cuda("cuModuleUnload", module)
    cuda("cuCtxSynchronize", expected=ILLEGAL_ADDRESS)
    assert driver.problems() == ["the module of other was unloaded while its kernel waited"]


NATIVE = """
void add(void **parameters, const unsigned grid[3], const unsigned block[3], unsigned shared)
{
    unsigned *elements = *(unsigned **)parameters[0], amount = *(unsigned *)parameters[1];
    for (unsigned i = 0; i < block[0]; i++)
        elements[i] += amount + shared * grid[2];
}
"""


def test_kernels_may_be_functions_of_c_or_python(
    driver: Driver, cuda: Cuda, tmp_path: Path
) -> None:
    (tmp_path / "add.c").write_text(NATIVE)
    made = tmp_path / "add.so"
    subprocess.run(["gcc", "-shared", "-fPIC", tmp_path / "add.c", "-o", made], check=True)
    driver.register_native("add", ctypes.CDLL(str(made)).add)
    seen: list[tuple[int, ...]] = []
    driver.register("other", lambda launch: seen.append((*launch.grid, *launch.block)))
    memory, result = numbers(cuda, [1, 2, 3]), np.zeros(3, np.uint32)
    function = cuda.function(PTX, "add")
    cuda.launch(function, memory, ctypes.c_uint32(7), grid=(1, 1, 2), block=(3, 1, 1), shared=50)
    cuda.launch(cuda.function(PTX, "other"), grid=(1, 2, 3), block=(4, 5, 6))
    cuda.fetch(result, memory)
    assert not seen
    cuda.wait()
    assert (result.tolist(), seen) == ([108, 109, 110], [(1, 2, 3, 4, 5, 6)])
    cuda.launch(function, cuda.memory(250), ctypes.c_uint32(7), grid=(1, 1, 1), block=(64, 1, 1))
    cuda.wait()
    assert driver.problems() == ["something wrote to byte 252 of a memory of 250 bytes"]
    cuda.launch(function, ctypes.c_uint64(64), ctypes.c_uint32(7))
    cuda("cuStreamSynchronize", PER_THREAD, expected=ILLEGAL_ADDRESS)
    assert driver.problems() == ["add touches what is no memory of the device"]


PROGRAM = """
#include <stdio.h>
#include "emulated.h"

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxPushCurrent_v2(void *);
int cuModuleLoadDataEx(void **, const char *, unsigned, void *, void *);
int cuModuleGetFunction(void **, void *, const char *), cuMemAlloc_v2(uint64_t *, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
int cuMemcpyDtoH_v2(void *, uint64_t, size_t);

static void store(void **parameters, const unsigned *grid, const unsigned *block, unsigned shared)
{
    **(unsigned **)parameters[0] = grid[0] * block[0] + shared;
}

int main(void)
{
    const char *text = ".version 7.0 .target sm_75 .visible .entry store(.param .u64 p) { ret; }";
    void *context, *module, *function, *parameters[1];
    uint64_t memory;
    unsigned made = 0;
    emulated_register("store", store);
    int code = cuInit(0) | cuDevicePrimaryCtxRetain(&context, 0) | cuCtxPushCurrent_v2(context);
    code |= cuModuleLoadDataEx(&module, text, 0, NULL, NULL) | cuMemAlloc_v2(&memory, 4);
    code |= cuModuleGetFunction(&function, module, "store");
    parameters[0] = &memory;
    code |= cuLaunchKernel(function, 6, 1, 1, 7, 1, 1, 100, NULL, parameters, NULL);
    code |= cuMemcpyDtoH_v2(&made, memory, sizeof made);
    printf("%d %u", code, made);
}
"""


def test_programs_in_c_have_it_too(tmp_path: Path) -> None:
    source, made = tmp_path / "program.c", tmp_path / "program"
    source.write_text(PROGRAM)
    subprocess.run(["gcc", f"-I{FOLDER}", source, built(), "-o", made], check=True)
    assert subprocess.check_output([made], text=True) == "0 142"


SHARED = """.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 all[];
.visible .entry turn(
    .param .u64 .ptr .global .align 4 turn_param_0
)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<4>;
    ld.param.b64 %rd1, [turn_param_0];
    mov.b32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2;
    mov.b32 %r2, all;
    shl.b32 %r3, %r1, 8;
    add.s32 %r4, %r2, %r3;
    st.shared.b32 [%r4], %r1;
    bar.sync 0;
    xor.b32 %r5, %r3, 65280;
    add.s32 %r6, %r2, %r5;
    ld.shared.b32 %r7, [%r6];
    st.global.b32 [%rd1], %r7;
    ret;
}
"""


def test_a_launch_may_ask_for_much_shared_memory(cuda: Cuda) -> None:
    function, memory, made = (
        cuda.function(SHARED, "turn"),
        cuda.memory(1024),
        np.zeros(256, np.uint32),
    )
    cuda.launch(function, memory, block=(256, 1, 1), shared=1 << 16, expected=INVALID_VALUE)
    cuda("cuFuncSetAttribute", function, 8, 1 << 16)
    cuda.launch(function, memory, block=(256, 1, 1), shared=1 << 16)
    cuda.fetch(made, memory)
    cuda.wait()
    assert np.array_equal(made, np.arange(256)[::-1])


def outcome(driver: Driver, program: int, is_ordered: bool, **settings: Any) -> list[int]:
    """What four memories hold after random copies by three streams, of which each waits for an
    event behind what was done before, if they are `is_ordered`."""
    driver.reset(fresh=True)
    driver.set(**settings)
    cuda = Cuda(driver.library)
    draw = random.Random(program)
    streams: list[Any] = [PER_THREAD, None, cuda.made(ctypes.c_void_p, "cuStreamCreate", 1)]
    memories = [numbers(cuda, [n]) for n in range(4)]
    cuda("cuCtxSynchronize")
    event = cuda.made(ctypes.c_void_p, "cuEventCreate", 2)
    four = ctypes.c_size_t(4)
    for _ in range(12):
        stream, to, from_ = draw.choice(streams), draw.choice(memories), draw.choice(memories)
        if is_ordered:
            cuda("cuStreamWaitEvent", stream, event, 0)
        if draw.random() < 0.5:
            cuda("cuMemcpyDtoDAsync_v2", to, from_, four, stream)
        else:
            cuda("cuMemsetD8Async", to, draw.randrange(256), four, stream)
        cuda("cuEventRecord", event, stream)
    cuda("cuCtxSynchronize")
    made = [np.zeros(1, np.uint32) for _ in memories]
    for place, memory in zip(made, memories, strict=True):
        cuda.fetch(place, memory)
    cuda.wait()
    return [int(place[0]) for place in made]


def test_what_is_ordered_comes_out_the_same_whenever_it_runs(driver: Driver) -> None:
    differ = 0
    for number in range(8):
        wanted = outcome(driver, number, True, runs=Runs.AT_ONCE)
        assert outcome(driver, number, True, runs=Runs.LATE) == wanted
        assert outcome(driver, number, True, runs=Runs.SOMETIMES, seed=number + 1) == wanted
        differ += outcome(driver, number, False, runs=Runs.LATE) != wanted
    assert differ > 0


def test_any_call_can_fail(driver: Driver, cuda: Cuda) -> None:
    driver.inject("cuMemAlloc_v2", OUT_OF_MEMORY, nth=2)
    place, size = ctypes.c_uint64(), ctypes.c_size_t(8)
    driver.forget_calls()
    for code in (0, OUT_OF_MEMORY, 0):
        cuda("cuMemAlloc_v2", ctypes.byref(place), size, expected=code)
    calls = driver.calls("cuMemAlloc_v2")
    assert [(call.arguments, call.result) for call in calls] == [
        ("8 bytes", 0),
        ("8 bytes", OUT_OF_MEMORY),
        ("8 bytes", 0),
    ]
    driver.inject("cuStreamSynchronize", ILLEGAL_ADDRESS)
    cuda("cuStreamSynchronize", PER_THREAD, expected=ILLEGAL_ADDRESS)
    cuda("cuStreamSynchronize", PER_THREAD, expected=ILLEGAL_ADDRESS)


def test_a_problem_that_no_test_takes_fails_it() -> None:
    with pytest.raises(AssertionError, match="nothing good"), emulated_driver() as driver:
        driver.report("nothing good")


def test_who_has_retained_contexts_goes_on_with_new_ones() -> None:
    with emulated_driver(fresh=True) as driver:
        cuda = Cuda(driver.library)
        cuda.memory(4)
        numbers = []
        for _ in range(2):
            place = ctypes.c_ulonglong()
            cuda("cuCtxPushCurrent_v2", cuda.context)
            cuda("cuCtxGetId", cuda.context, ctypes.byref(place))
            numbers.append(place.value)
            driver.reset()
        assert numbers[0] != numbers[1]
        assert driver.live() == {**dict.fromkeys(driver.live(), 0), "contexts": 1}


def test_threads_call_at_once(driver: Driver, cuda: Cuda) -> None:
    function = cuda.function(PTX, "add")

    def work(number: int) -> list[int]:
        made = np.zeros(2, np.uint32)
        cuda("cuCtxPushCurrent_v2", cuda.context)
        memory = numbers(cuda, [number, number])
        for _ in range(5):
            cuda.launch(function, memory, ctypes.c_uint32(100), block=(2, 1, 1))
        cuda.fetch(made, memory)
        cuda.wait()
        cuda("cuMemFree_v2", memory)
        return made.tolist()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(8))) == [[500 + n, 500 + n] for n in range(8)]
    assert driver.live()["memories"] == 0


HEADERS = sorted(Path("/usr/local").glob("cuda*/include/cuda.h"))


@pytest.mark.skipif(not HEADERS, reason="NVIDIA's cuda.h is missing")
def test_functions_are_as_nvidias_header_declares_them(tmp_path: Path) -> None:
    compile_library(
        tmp_path / "libcuda.so", "-DCUDA_HEADER", "-fsyntax-only", f"-I{HEADERS[-1].parent}"
    )
