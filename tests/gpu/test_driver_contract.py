"""What callers rely on holds for the emulated driver, and for NVIDIA's where there is a GPU."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from tests.fenced import told_by_child

from .cuda_calls import (
    ILLEGAL_ADDRESS,
    INVALID_CONTEXT,
    INVALID_HANDLE,
    INVALID_IMAGE,
    INVALID_PTX,
    INVALID_VALUE,
    MISALIGNED,
    NEW_PTX,
    NOT_FOUND,
    OUT_OF_MEMORY,
    PER_THREAD,
    PTX,
    Copy2D,
    Cuda,
    load,
    numbers,
    pooled,
)
from .emulated_driver import emulated_driver

Contract = Callable[[Cuda], None]
CONTRACTS: dict[str, Contract] = {}


def contract(check: Contract) -> Contract:
    CONTRACTS[check.__name__.replace("_", " ")] = check
    return check


@cache
def missing() -> str:
    """Why NVIDIA's driver can't be called here; empty where it can."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "NVIDIA's driver is missing"
    made = told_by_child(lambda say: say(str(ctypes.CDLL("libcuda.so.1").cuInit(0))))
    return "" if made.said == "0" else f"cuInit returns {made.said}"


@contract
def memory_keeps_what_is_copied_to_it(cuda: Cuda) -> None:
    sent = np.arange(1000, dtype=np.uint8)
    made = np.zeros_like(sent)
    memory = cuda.memory(1000)
    cuda.send(memory, sent)
    cuda.fetch(made, memory)
    cuda.wait()
    np.testing.assert_array_equal(made, sent)


@contract
def the_host_is_read_when_the_call_is_made(cuda: Cuda) -> None:
    memory, made = cuda.memory(4096), np.zeros(4096, np.uint8)
    sent = np.full(4096, 7, np.uint8)
    cuda.send(memory, sent)
    sent[:] = 9
    cuda.fetch(made, memory)
    cuda.wait()
    assert (made == 7).all()


@contract
def nothing_is_copied_from_and_to_anywhere(cuda: Cuda) -> None:
    memory, data = cuda.memory(16), np.zeros(16, np.uint8)
    end = ctypes.c_uint64(memory.value + 16)
    cuda("cuMemcpyHtoDAsync_v2", end, data.ctypes, ctypes.c_size_t(0), PER_THREAD)
    cuda("cuMemcpyDtoHAsync_v2", data.ctypes, end, ctypes.c_size_t(0), PER_THREAD)
    cuda("cuMemsetD8Async", end, 0, ctypes.c_size_t(0), PER_THREAD)


@contract
def rows_are_copied_between_pitches(cuda: Cuda) -> None:
    image = np.arange(60, dtype=np.uint8).reshape(5, 12)
    memory, made = cuda.memory(5 * 16), np.zeros((5, 12), np.uint8)
    cuda("cuMemsetD8Async", memory, 1, ctypes.c_size_t(80), PER_THREAD)
    there = Copy2D(
        srcMemoryType=1, srcHost=image.ctypes.data, srcPitch=12, srcXInBytes=2,
        dstMemoryType=2, dstDevice=memory.value, dstPitch=16, WidthInBytes=10, Height=5,
    )  # fmt: skip
    back = Copy2D(
        srcMemoryType=2, srcDevice=memory.value, srcPitch=16,
        dstMemoryType=1, dstHost=made.ctypes.data, dstPitch=12, WidthInBytes=12, Height=5,
    )  # fmt: skip
    cuda("cuMemcpy2DAsync_v2", ctypes.byref(there), PER_THREAD)
    cuda("cuMemcpy2DAsync_v2", ctypes.byref(back), PER_THREAD)
    cuda.wait()
    np.testing.assert_array_equal(made[:, :10], image[:, 2:])
    assert (made[:, 10:] == 1).all()
    there.dstPitch = 9
    cuda("cuMemcpy2DAsync_v2", ctypes.byref(there), PER_THREAD, expected=INVALID_VALUE)
    there.dstPitch, there.Height = 16, 0
    cuda("cuMemcpy2DAsync_v2", ctypes.byref(there), PER_THREAD)


@contract
def the_default_stream_waits_for_others_and_they_for_it(cuda: Cuda) -> None:
    memory, made = cuda.memory(4), np.zeros(4, np.uint8)
    stream = cuda.made(ctypes.c_void_p, "cuStreamCreate", 0)
    cuda.send(memory, np.full(4, 1, np.uint8), stream)
    cuda.send(memory, np.full(4, 2, np.uint8), None)
    cuda.fetch(made, memory)
    cuda.wait()
    assert (made == 2).all()


@contract
def a_stream_waits_for_an_event_of_another(cuda: Cuda) -> None:
    streams = [cuda.made(ctypes.c_void_p, "cuStreamCreate", 1) for _ in range(2)]
    memory, event = cuda.memory(4), cuda.made(ctypes.c_void_p, "cuEventCreate", 2)
    made = np.zeros(4, np.uint8)
    cuda("cuMemsetD8Async", memory, 5, ctypes.c_size_t(4), streams[0])
    cuda("cuEventRecord", event, streams[0])
    cuda("cuStreamWaitEvent", streams[1], event, 0)
    cuda.fetch(made, memory, streams[1])
    cuda.wait(streams[1])
    assert (made == 5).all()


@contract
def events_tell_the_time_between_them(cuda: Cuda) -> None:
    first, last = (cuda.made(ctypes.c_void_p, "cuEventCreate", 0) for _ in range(2))
    time = ctypes.c_float(-1)
    cuda("cuEventElapsedTime", ctypes.byref(time), first, last, expected=INVALID_HANDLE)
    cuda("cuEventRecord", first, PER_THREAD)
    cuda("cuEventRecord", last, PER_THREAD)
    cuda("cuEventSynchronize", last)
    cuda("cuEventElapsedTime", ctypes.byref(time), first, last)
    assert time.value >= 0
    cuda("cuEventDestroy_v2", first)


@contract
def a_context_is_needed(cuda: Cuda) -> None:
    assert cuda.made(ctypes.c_void_p, "cuCtxGetCurrent").value == cuda.context.value
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
    assert cuda.made(ctypes.c_void_p, "cuCtxGetCurrent").value is None
    cuda("cuCtxSynchronize", expected=INVALID_CONTEXT)
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()), expected=INVALID_CONTEXT)
    place = ctypes.c_uint64()
    cuda("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(4), expected=INVALID_CONTEXT)


@contract
def contexts_have_numbers_that_do_not_come_again(cuda: Cuda) -> None:
    def number() -> int:
        place = ctypes.c_ulonglong()
        cuda("cuCtxGetId", None, ctypes.byref(place))
        return place.value

    seen = [number()]
    for _ in range(2):
        context = cuda.made(ctypes.c_void_p, "cuCtxCreate_v2", 0, 0)
        seen.append(number())
        cuda("cuCtxDestroy_v2", context)
    assert number() == seen[0] and len(set(seen)) == 3


@contract
def a_primary_context_is_one_for_all(cuda: Cuda) -> None:
    assert cuda.retain(0).value == cuda.context.value
    cuda("cuDevicePrimaryCtxRelease_v2", 0)
    cuda("cuCtxSynchronize")


@contract
def pointers_know_their_context(cuda: Cuda) -> None:
    place, number = ctypes.c_void_p(), ctypes.c_int(-1)
    memory = cuda.memory(512)
    cuda("cuPointerGetAttribute", ctypes.byref(place), 1, ctypes.c_uint64(memory.value + 511))
    cuda("cuPointerGetAttribute", ctypes.byref(number), 9, memory)
    assert (place.value, number.value) == (cuda.context.value, 0)
    cuda("cuPointerGetAttribute", ctypes.byref(place), 1, pooled(cuda, 4))
    assert place.value is None
    host = ctypes.c_uint64(np.zeros(4).ctypes.data)
    cuda("cuPointerGetAttribute", ctypes.byref(place), 1, host, expected=INVALID_VALUE)


@contract
def streams_know_their_context(cuda: Cuda) -> None:
    stream = cuda.made(ctypes.c_void_p, "cuStreamCreate", 0)
    other = cuda.made(ctypes.c_void_p, "cuCtxCreate_v2", 0, 0)
    place = ctypes.c_void_p()
    cuda("cuStreamGetCtx", stream, ctypes.byref(place))
    assert place.value == cuda.context.value
    cuda("cuStreamGetCtx", PER_THREAD, ctypes.byref(place))
    assert place.value == other.value


@contract
def a_pools_memory_comes_and_goes_with_a_stream(cuda: Cuda) -> None:
    memory, made = pooled(cuda, 4), np.zeros(4, np.uint8)
    cuda.send(memory, np.full(4, 3, np.uint8))
    cuda.fetch(made, memory)
    cuda("cuMemFreeAsync", memory, PER_THREAD)
    cuda.wait()
    assert (made == 3).all()
    cuda("cuMemFree_v2", pooled(cuda, 4))


@contract
def memory_that_is_not_there_is_not_given(cuda: Cuda) -> None:
    place, size = ctypes.c_uint64(), ctypes.c_size_t(1 << 46)
    cuda("cuMemAlloc_v2", ctypes.byref(place), size, expected=OUT_OF_MEMORY)
    cuda("cuMemAllocAsync", ctypes.byref(place), size, PER_THREAD, expected=OUT_OF_MEMORY)
    cuda("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(0), expected=INVALID_VALUE)
    cuda.wait()


@contract
def modules_are_taken_that_the_driver_knows(cuda: Cuda) -> None:
    assert load(cuda, PTX, 0) == ""
    assert "Unsupported .version 99.0" in load(cuda, PTX.replace("7.0", "99.0"), NEW_PTX)
    assert load(cuda, PTX.rstrip("}\n"), INVALID_PTX)
    load(cuda, "no module", INVALID_IMAGE)


@contract
def functions_are_found_in_their_module(cuda: Cuda) -> None:
    module = cuda.made(ctypes.c_void_p, "cuModuleLoadDataEx", PTX.encode(), 0, None, None)
    place = ctypes.c_void_p()
    for name in (b"ad", b"addd", b"add_param_0"):
        cuda("cuModuleGetFunction", ctypes.byref(place), module, name, expected=NOT_FOUND)
    cuda("cuModuleGetFunction", ctypes.byref(place), module, b"add")
    for attribute, value in ((0, 64), (1, 64)):
        assert cuda.made(ctypes.c_int, "cuFuncGetAttribute", attribute, place).value == value
    cuda("cuModuleUnload", module)


@contract
def launches_are_of_shapes_that_the_device_has(cuda: Cuda) -> None:
    function = cuda.function(PTX, "other")
    for grid, block in (
        ((0, 1, 1), (1, 1, 1)), ((1, 65536, 1), (1, 1, 1)), ((1, 1, 65536), (1, 1, 1)),
        ((1 << 31, 1, 1), (1, 1, 1)), ((1, 1, 1), (1025, 1, 1)), ((1, 1, 1), (1, 1, 65)),
        ((1, 1, 1), (32, 33, 1)), ((1, 1, 1), (1, 0, 1)),
    ):  # fmt: skip
        cuda.launch(function, grid=grid, block=block, expected=INVALID_VALUE)
    cuda.launch(function, block=(32, 32, 1))
    cuda.launch(cuda.function(PTX, "add"), block=(65, 1, 1), expected=INVALID_VALUE)
    most = 48 << 10
    cuda.launch(function, shared=most)
    cuda.launch(function, shared=most + 1, expected=INVALID_VALUE)
    most = cuda.made(ctypes.c_int, "cuDeviceGetAttribute", 97, 0).value
    cuda("cuFuncSetAttribute", function, 8, most + 1, expected=INVALID_VALUE)
    cuda("cuFuncSetAttribute", function, 8, most)
    cuda.launch(function, shared=most)
    cuda.launch(function, shared=most + 1, expected=INVALID_VALUE)
    cuda.wait()


@contract
def parameters_are_those_of_the_launch(cuda: Cuda) -> None:
    memory, made = numbers(cuda, [1, 2, 3]), np.zeros(3, np.uint32)
    amount = ctypes.c_uint32(10)
    cuda.launch(cuda.function(PTX, "add"), memory, amount, block=(3, 1, 1))
    amount.value = 20
    cuda.fetch(made, memory)
    cuda.wait()
    assert made.tolist() == [11, 12, 13]


def stays(cuda: Cuda, address: int, code: int) -> None:
    memory, function = numbers(cuda, [1, 2, 3]), cuda.function(PTX, "add")
    place, made = ctypes.c_uint64(memory.value + address), np.zeros(3, np.uint32)
    cuda.launch(function, place, ctypes.c_uint32(1))
    cuda("cuStreamSynchronize", PER_THREAD, expected=code)
    cuda("cuCtxSynchronize", expected=code)
    cuda.launch(function, place, ctypes.c_uint32(1), expected=code)
    size = ctypes.c_size_t(made.nbytes)
    cuda("cuMemcpyDtoHAsync_v2", made.ctypes, memory, size, PER_THREAD, expected=code)
    cuda("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(4), expected=code)
    cuda("cuMemFree_v2", memory, expected=code)


@contract
def an_address_of_nothing_is_a_fault_that_stays(cuda: Cuda) -> None:
    stays(cuda, 1 << 45, ILLEGAL_ADDRESS)


@contract
def an_odd_address_is_a_fault_that_stays(cuda: Cuda) -> None:
    stays(cuda, 2, MISALIGNED)


@contract
def errors_have_names(cuda: Cuda) -> None:
    text = ctypes.c_char_p()
    cuda("cuGetErrorName", 2, ctypes.byref(text))
    assert text.value == b"CUDA_ERROR_OUT_OF_MEMORY"
    cuda("cuGetErrorString", 700, ctypes.byref(text))
    assert text.value == b"an illegal memory access was encountered"
    cuda("cuGetErrorName", 12345, ctypes.byref(text), expected=INVALID_VALUE)
    assert text.value is None


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_emulated_driver_keeps_it(name: str) -> None:
    with emulated_driver(fresh=True) as driver:
        CONTRACTS[name](Cuda(driver.library))
        assert bool(driver.problems()) == ("a fault" in name)


@pytest.mark.parametrize("name", CONTRACTS)
def test_nvidias_driver_keeps_it(name: str) -> None:
    if reason := missing():
        pytest.skip(reason)
    told_by_child(lambda _: CONTRACTS[name](Cuda(ctypes.CDLL("libcuda.so.1"))))
