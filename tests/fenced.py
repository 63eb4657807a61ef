"""Arrays between pages that nobody may touch: one element too far ends the process.

Calls on such memory run in a child, which may end by a signal: `in_child`, `told_by_child`.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import os
import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_LIBC = ctypes.CDLL(None, use_errno=True)
_NOBODY, _READ_ONLY = 0, 1


class Fenced:
    """A copy of some elements, flush with `fence` pages behind them (or before them) that nobody
    may touch; there are as many on the other side.

    `values` are the elements, `address` is where the first one lies. What isn't `writable` may only
    be read; of no elements at all nothing may be. The memory is there as long as this object is:
    numpy's views of size zero don't keep it.
    """

    def __init__(
        self, values: Array, *, at_end: bool, writable: bool = True, fence: int = 1
    ) -> None:
        size = values.nbytes
        pages = max(-(-size // mmap.PAGESIZE), 1)
        self.map = mmap.mmap(-1, (pages + 2 * fence) * mmap.PAGESIZE)
        whole = np.frombuffer(self.map, np.uint8)
        start, inner = fence * mmap.PAGESIZE, pages * mmap.PAGESIZE
        offset = start + (inner - size if at_end else 0)
        self.values: Array = whole[offset : offset + size].view(values.dtype).reshape(values.shape)
        self.values[...] = values
        self.address = int(whole.ctypes.data) + offset
        for first, length in ((0, start), (start + inner, start)):
            _protect(whole.ctypes.data + first, length, _NOBODY)
        if not (size and writable):
            _protect(whole.ctypes.data + start, inner, _READ_ONLY if size else _NOBODY)


def _protect(address: int, size: int, how: int) -> None:
    if _LIBC.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), how):
        raise OSError(ctypes.get_errno(), "mprotect")


def fenced(shape: tuple[int, ...], dtype: Any, *, at_end: bool) -> Array:
    """A dense array of zeros of `shape`, between fences. Raises `ValueError` for no elements."""
    return fenced_copy(np.zeros(shape, dtype), at_end=at_end)


def fenced_copy(array: Array, *, at_end: bool) -> Array:
    """The elements of `array` between fences. Raises `ValueError` where there are none."""
    if not array.size:
        raise ValueError("an array without elements doesn't keep its fences: use `Fenced`")
    return Fenced(array, at_end=at_end).values


Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Child:
    """What became of a forked child: the signal that ended it (0 for none), and what it said."""

    signal: int
    said: str

    @property
    def touched_what_it_may_not(self) -> bool:
        return self.signal in (signal.SIGSEGV, signal.SIGBUS)


def told_by_child(work: Callable[[Say], None]) -> Child:
    """Runs `work` in a forked child; what it says is kept whatever becomes of it.

    Raises `AssertionError` where `work` raises, with its traceback.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            faulthandler.disable()
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            signal.signal(signal.SIGBUS, signal.SIG_DFL)
            work(lambda text: _write(writing, text))
            status = 0
        except BaseException:
            _write(writing, f"\n{traceback.format_exc()}")
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise AssertionError(f"the child raised an error: {said}")
    return Child(os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, said)


def _write(pipe: int, text: str) -> None:
    rest = text.encode()
    while rest:
        rest = rest[os.write(pipe, rest) :]


def in_child(work: Callable[[], None]) -> int:
    """The signal that ended a forked child which runs `work`; 0 when it came to its end.

    Raises `AssertionError` where `work` raises.
    """
    return told_by_child(lambda _: work()).signal


__all__ = ["Array", "Child", "Fenced", "Say", "fenced", "fenced_copy", "in_child", "told_by_child"]
