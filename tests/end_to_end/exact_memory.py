"""Calls with exactly the memory that the original touches, and nothing mapped around it.

The original, compiled to record its accesses, says which elements those are. A lifted function then
gets arrays of these alone: right behind the last element (or right before the first) there is no
memory, and what the original doesn't write can't be written. One element too many ends the process,
so the calls run in a child, which says what it calls.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import os
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.end_to_end.calls import call_c
from tests.end_to_end.images import Arguments, differences

HERE = Path(__file__).parent
_RECORDS = ("-O0", "-fno-builtin", "-include", str(HERE / "recorder.h"))
RECORDED = (
    (*_RECORDS, "-fsanitize=thread"),
    (
        *_RECORDS, "-fsanitize=kernel-address", "--param=asan-stack=0", "--param=asan-globals=0",
        "--param=asan-instrumentation-with-call-threshold=0",
    ),
)  # fmt: skip
"""g++'s options for originals that together record what the function touches."""
READ, WRITTEN = 1, 2
_LIBC = ctypes.CDLL(None, use_errno=True)
_NONE, _READ_ONLY = 0, 1


@dataclass(frozen=True)
class Touched:
    """What one call of the original did: `marks` has READ and WRITTEN bits for each element."""

    call: Arguments
    marks: dict[str, np.ndarray[Any, Any]]
    left: dict[str, np.ndarray[Any, Any]]
    """What it left in each buffer."""

    def range(self, name: str) -> tuple[int, int]:
        """The first element that is touched and the one behind the last; (0, 0) for none."""
        places = np.flatnonzero(self.marks[name])
        return (int(places[0]), int(places[-1]) + 1) if places.size else (0, 0)


def recorded(call: Arguments, libraries: Sequence[ctypes.CDLL], name: str) -> Touched:
    """Calls the function `name` of originals that were compiled with each of `RECORDED`."""
    marks = {name: np.zeros(v.nbytes, np.uint8) for name, v in call.contents.items()}
    for library in libraries:
        left = _record(call, library, library[name], marks)
    elements = {
        name: np.bitwise_or.reduce(marks[name].reshape(-1, values.itemsize), axis=1)
        for name, values in left.items()
    }
    for name, values in left.items():
        bits = f"u{values.itemsize}"
        elements[name][values.view(bits) != call.contents[name].view(bits)] |= WRITTEN
    return Touched(call, elements, left)


def _record(
    call: Arguments, library: ctypes.CDLL, function: Any, marks: dict[str, np.ndarray[Any, Any]]
) -> dict[str, np.ndarray[Any, Any]]:
    """What a call leaves in each buffer; adds what it touches, byte by byte, to `marks`."""
    buffers = {name: values.copy() for name, values in call.contents.items()}
    count = len(buffers)
    firsts = (ctypes.c_size_t * count)(*(v.ctypes.data for v in buffers.values()))
    sizes = (ctypes.c_size_t * count)(*(v.nbytes for v in buffers.values()))
    places = (ctypes.c_void_p * count)(*(m.ctypes.data for m in marks.values()))
    library.lift_record(count, firsts, sizes, places)
    call_c(function, call.passed(), buffers)
    library.lift_record(0, None, None, None)
    return buffers


class _Fenced:
    """A copy of some elements between pages that nobody may touch, flush with one of them."""

    def __init__(self, values: np.ndarray[Any, Any], *, at_end: bool, writable: bool) -> None:
        size = values.nbytes
        pages = max(-(-size // mmap.PAGESIZE), 1)
        self.map = mmap.mmap(-1, (pages + 2) * mmap.PAGESIZE)
        whole = np.frombuffer(self.map, np.uint8)
        inner = whole.ctypes.data + mmap.PAGESIZE
        offset = mmap.PAGESIZE + (pages * mmap.PAGESIZE - size if at_end else 0)
        self.values = whole[offset : offset + size].view(values.dtype)
        self.values[:] = values
        self.address = whole.ctypes.data + offset
        fences = [inner - mmap.PAGESIZE, inner + pages * mmap.PAGESIZE]
        for page in fences:
            _protect(page, mmap.PAGESIZE, _NONE)
        if not values.size or not writable:
            _protect(inner, pages * mmap.PAGESIZE, _READ_ONLY if values.size else _NONE)


def _protect(address: int, size: int, how: int) -> None:
    if _LIBC.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), how):
        raise OSError(ctypes.get_errno(), "mprotect")


class _View:
    """Stands for a buffer in `call_c`: elements have the addresses that they would have in it."""

    def __init__(self, fenced: _Fenced, first: int, itemsize: int) -> None:
        self.fenced, self.itemsize = fenced, itemsize
        self.ctypes = self
        self.data = fenced.address - first * itemsize


def wrong_with_exact_memory(touched: Touched, function: Any, *, at_end: bool) -> Iterator[str]:
    """What `function` leaves otherwise; it ends the process where it touches anything else."""
    views: dict[str, Any] = {}
    for name, values in touched.call.contents.items():
        first, behind = touched.range(name)
        writable = bool((touched.marks[name] & WRITTEN).any())
        fenced = _Fenced(values[first:behind], at_end=at_end, writable=writable)
        views[name] = _View(fenced, first, values.itemsize)
    call_c(function, touched.call.passed(), views)
    for name, view in views.items():
        first, behind = touched.range(name)
        expected = {name: touched.left[name][first:behind]}
        yield from differences(expected, {name: view.fenced.values})


def check_exact_memory(calls: Iterable[Touched], function: Any) -> None:
    """Fails where `function` touches other memory than the original, or leaves other values."""
    for touched, at_end, problem in _in_child(list(calls), function):
        where = "flush with the page behind" if at_end else "flush with the page before"
        raise AssertionError(f"{touched.call.text}, arrays {where}: {problem}")


def _in_child(calls: list[Touched], function: Any) -> Iterator[tuple[Touched, bool, str]]:
    """The first call that goes wrong, if any."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            faulthandler.disable()
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            signal.signal(signal.SIGBUS, signal.SIG_DFL)
            _run(calls, function, writing)
            status = 0
        except BaseException as error:
            os.write(writing, f" raised {error!r}".encode())
        finally:
            os._exit(status)
    os.close(writing)
    with ExitStack() as stack:
        told = stack.enter_context(os.fdopen(reading, "rb")).read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0 and told.endswith("|"):
        return
    number, _, problem = told.rpartition("|")[2].partition(" ")
    if os.WIFSIGNALED(status):
        problem = f"it touched what the original doesn't ({_name(os.WTERMSIG(status))})"
    turn = int(number or 0)
    yield calls[turn // 2], bool(turn % 2), problem


def _run(calls: list[Touched], function: Any, writing: int) -> None:
    turn = -1
    for touched in calls:
        for at_end in (False, True):
            turn += 1
            os.write(writing, f"|{turn}".encode())
            problems = list(wrong_with_exact_memory(touched, function, at_end=at_end))
            if problems:
                os.write(writing, f" {problems[0]}".encode())
                os._exit(1)
    os.write(writing, b"|")


def _name(number: int) -> str:
    return signal.Signals(number).name


__all__ = ["RECORDED", "Touched", "check_exact_memory", "recorded"]
