"""Calls for images on the host, of which nobody has said from how many bytes on copies pay."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np
import pytest

from .cuda_calls import Cuda
from .emulated_driver import Driver, emulated_driver
from .native_runtime import Runtime

SECOND = 10**9


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver(fresh=True) as driver:
        yield driver


class Function:
    """One whose calls take as long as a test says."""

    def __init__(self, runtime: Runtime) -> None:
        self.library = runtime.library
        self.trials = (ctypes.c_int64 * 160)()

    def __call__(self, bytes: int, here: int = 0, there: int = 0, *addresses: int) -> int:
        """Makes a call that takes `here` or `there` seconds; whether it runs on the device."""
        began = ctypes.c_int64()
        table = (ctypes.c_void_p * max(len(addresses), 1))(*addresses)
        size = ctypes.c_int64(bytes)
        given = [self.trials, size, table, len(addresses), ctypes.byref(began)]
        side = int(self.library.lift_cuda_chooses(*given))
        if began.value:
            earlier = ctypes.c_int64(began.value - SECOND * (there if side else here))
            self.library.lift_cuda_took(self.trials, size, side, earlier)
        return side


def said(function: Function) -> str:
    """The last error."""
    return bytes((ctypes.c_char * 1024).in_dll(function.library, "lift_last_error").value).decode()


@pytest.fixture
def function(driver: Driver) -> Function:
    made = Function(Runtime())
    assert made.library.lift_cuda_use(1) == 0
    made.library.lift_cuda_measure_threshold()
    return made


def test_the_faster_side_is_taken_after_calls_in_turn(function: Function) -> None:
    assert [function(1000, 1, 9) for _ in range(9)] == [0, 1] * 3 + [0] * 3
    assert [function(3000, 9, 1) for _ in range(9)] == [0, 1] * 3 + [1] * 3


def test_sizes_up_to_twice_as_large_are_one(function: Function) -> None:
    for size in (512, 1023, 700, 512, 512, 512):
        function(size, 9, 1)
    assert (function(513), function(1023), function(511)) == (1, 1, 0)


def test_the_first_call_on_the_device_loads_code(function: Function) -> None:
    """The fastest of some is what counts."""
    for there in (9, 9, 1, 9, 9, 9):
        function(1000, 2, there)
    assert function(1000) == 0  # its 1 was on the processor's turn
    for there in (9, 9, 9, 1, 9, 9):
        function(4000, 2, there)
    assert function(4000) == 1


def test_what_never_ended_is_not_taken(function: Function) -> None:
    for _ in range(6):
        began = ctypes.c_int64()
        function.library.lift_cuda_chooses(
            function.trials, ctypes.c_int64(1000), None, 0, ctypes.byref(began)
        )
    assert function(1000) == 0


def test_images_on_the_device_and_such_as_are_not_copied(
    function: Function, driver: Driver
) -> None:
    memory = Cuda(driver.library).memory(8)
    assert [function(1000, 0, 0, memory.value) for _ in range(3)] == [1] * 3
    assert [function(-1) for _ in range(3)] == [0] * 3
    assert not any(function.trials)
    function.library.lift_cuda_set_threshold(ctypes.c_int64(1000))
    assert (function(999), function(1000)) == (0, 1)
    assert not any(function.trials)
    function.library.lift_cuda_use(0)
    assert function(1000) == 0


def test_the_environment_may_ask_for_it(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    for word, wanted in (("measured", [0, 1]), ("1000", [1, 1]), ("2000", [0, 0]), ("", [0, 0])):
        monkeypatch.setenv("LIFT_CUDA_BYTES", word)
        made = Function(Runtime())
        assert made.library.lift_cuda_use(1) == 0
        assert [made(1000), made(1000)] == wanted, word
        assert not said(made)
    for word in ("1MB", "-1", "measure"):
        monkeypatch.setenv("LIFT_CUDA_BYTES", word)
        made = Function(Runtime())
        assert made.library.lift_cuda_use(1) == 0
        assert [made(1 << 40), made(1 << 40)] == [0, 0]
        assert said(made) == (
            f"LIFT_CUDA_BYTES={word} is ignored: it is no number of bytes, nor 'measured'"
        )
    assert np.all(np.array(made.trials) == 0)
