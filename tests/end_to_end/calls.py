"""Calls of a C function on numpy's memory. Needs nothing but numpy, so that a small child process
can make the same calls: `python calls.py LIBRARY CALLS`, where the second file is a pickled list
of `Call`s, says on standard error which call comes next, and makes it.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Passed = tuple[str, int | float] | tuple[str, int] | tuple[str, int, int, int]
"""A number by its ctype's name (`c_int32`); or the name of a buffer, and the element that the
pointer points to; or, for a table of row pointers, also the elements from row to row, and how many
rows there are."""


def call_c(
    function: Any, passed: Sequence[Passed], buffers: Mapping[str, np.ndarray[Any, Any]]
) -> None:
    """Calls a function that gives nothing back; it changes the buffers."""
    arguments: list[Any] = []
    keep: list[Any] = []
    for name, value, *rows in passed:
        if name not in buffers:
            arguments.append(getattr(ctypes, name)(value))
            continue
        values = buffers[name]
        start = values.ctypes.data + int(value) * values.itemsize
        if rows:
            stride, count = rows
            steps = [start + r * stride * values.itemsize for r in range(count)]
            keep.append(np.array(steps, np.uint64))
            start = keep[-1].ctypes.data
        arguments.append(ctypes.c_void_p(start))
    function.restype = None
    function(*arguments)
    del keep


@dataclass(frozen=True)
class Call:
    """One call of a function of a library; of each buffer only some elements may be touched."""

    function: str
    text: str
    passed: Sequence[Passed]
    buffers: Mapping[str, np.ndarray[Any, Any]]
    allowed: Mapping[str, tuple[int, int]]
    """The first of them, and the one behind the last."""


def _fence(library: ctypes.CDLL, call: Call, buffers: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Tells the address sanitizer, if the library has it, what must not be touched."""
    for name, (low, high) in call.allowed.items():
        values = buffers[name]
        for first, behind in ((0, low), (high, values.size)):
            library.__asan_poison_memory_region(
                ctypes.c_void_p(values.ctypes.data + first * values.itemsize),
                ctypes.c_size_t((behind - first) * values.itemsize),
            )


def main(library: Path, calls: Path) -> None:
    loaded = ctypes.CDLL(str(library))
    for call in pickle.loads(calls.read_bytes()):
        os.write(2, f"== {call.text}\n".encode())
        buffers = {name: values.copy() for name, values in call.buffers.items()}
        _fence(loaded, call, buffers)
        call_c(loaded[call.function], call.passed, buffers)
        for name in call.allowed:
            values = buffers[name]
            loaded.__asan_unpoison_memory_region(
                ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(values.nbytes)
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
