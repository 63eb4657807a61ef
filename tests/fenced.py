"""Arrays between two pages that nobody may touch: one element too far ends the process.

Calls on such memory run in a child (`in_child`), which says by which signal it ended.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import os
import signal
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_LIBC = ctypes.CDLL(None, use_errno=True)
_NOBODY = 0


def fenced(shape: tuple[int, ...], dtype: Any, *, at_end: bool) -> Array:
    """A dense array of `shape`, flush with the page after it or, else, with the page before it."""
    kind = np.dtype(dtype)
    count = int(np.prod(shape))
    size = max(count * kind.itemsize, 1)
    pages = -(-size // mmap.PAGESIZE)
    memory = np.frombuffer(mmap.mmap(-1, (pages + 2) * mmap.PAGESIZE), np.uint8)
    for page in (0, pages + 1):
        fence = ctypes.c_void_p(memory.ctypes.data + page * mmap.PAGESIZE)
        if _LIBC.mprotect(fence, ctypes.c_size_t(mmap.PAGESIZE), _NOBODY):
            raise OSError(ctypes.get_errno(), "mprotect")
    first = mmap.PAGESIZE + (pages * mmap.PAGESIZE - count * kind.itemsize if at_end else 0)
    return memory[first : first + count * kind.itemsize].view(kind).reshape(shape)


def fenced_copy(array: Array, *, at_end: bool) -> Array:
    """The elements of `array` in memory of their own between fences."""
    made = fenced(array.shape, array.dtype, at_end=at_end)
    made[...] = array
    return made


def in_child(work: Callable[[], None]) -> int:
    """The signal that ended a forked child which runs `work`; 0 when it came to its end.

    Raises `AssertionError` where `work` raises.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            faulthandler.disable()
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, "the child raised an error"
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
