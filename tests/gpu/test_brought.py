"""Memory of a device, on the host for the time of a call that knows nothing of devices."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from .cuda_calls import Cuda
from .emulated_driver import Driver, emulated_driver
from .native_runtime import Runtime


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver(fresh=True) as driver:
        yield driver


@pytest.fixture
def runtime(driver: Driver) -> Runtime:
    made = Runtime()
    made.library.lift_cuda_bring.restype = ctypes.c_void_p
    return made


@pytest.fixture
def cuda(driver: Driver) -> Cuda:
    return Cuda(driver.library)


def bring(runtime: Runtime, addresses: Sequence[int]) -> tuple[int, list[int]]:
    """What is to be given back, and the pointers that are passed in the place of these."""
    pointers = (ctypes.c_void_p * len(addresses))(*addresses)
    made = runtime.library.lift_cuda_bring(b"f", pointers, len(addresses))
    return made, [pointer or 0 for pointer in pointers]


def give_back(runtime: Runtime, brought: int) -> None:
    runtime.library.lift_cuda_return(ctypes.byref(ctypes.c_void_p(brought)))


def bytes_at(address: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(address))


def sent(cuda: Cuda, values: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> int:
    memory = cuda.memory(values.nbytes)
    cuda.send(memory, values)
    return int(memory.value)


def fetched(cuda: Cuda, address: int, count: int) -> list[int]:
    made = np.empty(count, np.uint8)
    cuda.fetch(made, ctypes.c_uint64(address))
    cuda.wait()
    return list(map(int, made))


def test_pointers_into_one_allocation_lead_into_one_copy(runtime: Runtime, cuda: Cuda) -> None:
    one, other = np.arange(200, dtype=np.uint8), np.arange(50, dtype=np.uint8)
    a, b, own = sent(cuda, one), sent(cuda, other), np.zeros(4, np.uint8)
    given = [a + 10, a + 150, a + 200, b, b + 50, 0, own.ctypes.data]
    brought, passed = bring(runtime, given)
    assert passed[1] - passed[0] == 140 and passed[2] - passed[0] == 190
    assert passed[4] - passed[3] == 50 and passed[5:] == [0, own.ctypes.data]
    assert passed[0] % 256 == given[0] % 256
    np.testing.assert_array_equal(bytes_at(passed[0] - 10, 200), one)
    np.testing.assert_array_equal(bytes_at(passed[3], 50), other)
    give_back(runtime, brought)


def test_bytes_that_changed_go_back_and_no_others(
    runtime: Runtime, driver: Driver, cuda: Cuda
) -> None:
    values = np.arange(200, dtype=np.uint8)
    address = sent(cuda, values)
    brought, (here,) = bring(runtime, [address])
    theirs = np.full(50, 255, np.uint8)
    cuda.send(ctypes.c_uint64(address + 100), theirs)
    memory = bytes_at(here, 200)
    for place in (0, 3, 4, 63, 64, 99, 150, 199):
        memory[place] = 9 if place != 9 else 8
    memory[20] = values[20]
    driver.forget_calls()
    give_back(runtime, brought)
    copies = [call.arguments.split(", ")[1] for call in driver.calls("cuMemcpyHtoDAsync_v2")]
    assert copies == ["1 bytes", "2 bytes", "2 bytes", "1 bytes", "1 bytes", "1 bytes"]
    wanted = values.copy()
    wanted[100:150] = 255
    wanted[[0, 3, 4, 63, 64, 99, 150, 199]] = 9
    assert fetched(cuda, address, 200) == wanted.tolist()


def test_a_call_without_changes_copies_nothing_back(
    runtime: Runtime, driver: Driver, cuda: Cuda
) -> None:
    brought, _ = bring(runtime, [sent(cuda, np.arange(129, dtype=np.uint8))])
    driver.forget_calls()
    give_back(runtime, brought)
    assert not driver.calls("cuMemcpyHtoDAsync_v2")


def test_a_number_is_read_where_it_lies(runtime: Runtime, driver: Driver, cuda: Cuda) -> None:
    copy = runtime.library.lift_cuda_copy_of
    copy.restype = ctypes.c_void_p
    address = sent(cuda, np.arange(90, dtype=np.uint8))
    made = copy(ctypes.c_void_p(address + 7), ctypes.c_int64(3))
    assert bytes_at(made, 3).tolist() == [7, 8, 9]
    for function in ("cuMemcpyDtoHAsync_v2", "cuStreamSynchronize", "cuCtxGetCurrent"):
        driver.inject(function, 2)
        assert copy(ctypes.c_void_p(address), ctypes.c_int64(3)) is None
