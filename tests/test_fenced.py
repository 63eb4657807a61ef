"""Memory between fences ends a child at the first byte too many, and says what it did before."""

from __future__ import annotations

import ctypes
import gc
import signal

import numpy as np
import pytest

from tests.fenced import Fenced, Say, fenced, in_child, told_by_child


def touch(place: int, *, store: bool = False) -> int:
    """The signal that reading the byte, or storing what is there, ends a child with."""

    def work() -> None:
        byte = ctypes.c_uint8.from_address(place)
        value = byte.value
        if store:
            byte.value = value

    return in_child(work)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("count", [1, 5, 4096, 4097])
@pytest.mark.parametrize("at_end", [False, True])
def test_one_byte_too_many_ends_the_child(count: int, at_end: bool) -> None:
    memory = Fenced(np.arange(count, dtype=np.uint8), at_end=at_end)
    outside = memory.address + count if at_end else memory.address - 1
    assert touch(outside) == signal.SIGSEGV
    for place in (memory.address, memory.address + count - 1):
        assert touch(place, store=True) == 0
    assert (memory.values == np.arange(count, dtype=np.uint8)).all()


def test_what_may_only_be_read_is_not_stored_to() -> None:
    memory = Fenced(np.ones(3, np.uint16), at_end=True, writable=False)
    assert touch(memory.address) == 0
    assert touch(memory.address, store=True) == signal.SIGSEGV


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("at_end", [False, True])
def test_no_elements_may_not_be_touched(at_end: bool) -> None:
    memory = Fenced(np.zeros(0, np.float32), at_end=at_end)
    gc.collect()
    assert touch(memory.address) == signal.SIGSEGV
    assert touch(memory.address - 1) == signal.SIGSEGV


def test_a_fence_is_as_wide_as_asked_for() -> None:
    memory = Fenced(np.zeros(10, np.uint8), at_end=False, fence=16)
    assert touch(memory.address - 16 * 4096) == signal.SIGSEGV
    assert touch(memory.address + 16 * 4096) == signal.SIGSEGV


def test_an_array_without_elements_has_no_fences_to_keep() -> None:
    with pytest.raises(ValueError, match="without elements"):
        fenced((0, 3), np.uint8, at_end=True)


def test_what_a_child_said_is_known_when_it_ends_by_a_signal() -> None:
    memory = Fenced(np.zeros(0, np.uint8), at_end=True)

    def work(say: Say) -> None:
        say("before")
        say(str(ctypes.c_uint8.from_address(memory.address).value))
        say("after")

    child = told_by_child(work)
    assert (child.said, child.signal) == ("before", signal.SIGSEGV)
    assert child.touched_what_it_may_not


def test_a_child_that_raises_is_no_success() -> None:
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        in_child(lambda: print(1 // 0))
