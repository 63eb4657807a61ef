"""What a call of an original touches: it is compiled to record its accesses (see `recorder.h`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_RECORDS = (
    "-O0", "-fno-builtin", "-include", str(Path(__file__).with_name("recorder.h")),
)  # fmt: skip
THREAD = (*_RECORDS, "-fsanitize=thread")
"""g++'s options for an original that records its accesses, but for copies of whole structures that
are arguments or results: what it doesn't record counts as not to be touched."""
ADDRESS = (
    *_RECORDS, "-fsanitize=kernel-address", "--param=asan-stack=0", "--param=asan-globals=0",
    "--param=asan-instrumentation-with-call-threshold=0",
)  # fmt: skip
RECORDED = (THREAD, ADDRESS)
"""Originals that together record everything."""
WRAPPED = "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset"
"""The linker's option for them; the library of the sanitizer isn't linked."""
READ, WRITTEN = 1, 2


def record(
    library: ctypes.CDLL,
    buffers: Mapping[str, Array],
    marks: Mapping[str, Array],
    call: Callable[[], Any],
) -> None:
    """Makes a call of a function of the library; `marks` have READ and WRITTEN bits, added to what
    they are, for each byte of the buffer of the same name."""
    count = len(buffers)
    firsts = (ctypes.c_size_t * count)(*(v.ctypes.data for v in buffers.values()))
    sizes = (ctypes.c_size_t * count)(*(v.nbytes for v in buffers.values()))
    places = (ctypes.c_void_p * count)(*(marks[name].ctypes.data for name in buffers))
    library.lift_record(count, firsts, sizes, places)
    call()
    library.lift_record(0, None, None, None)


def is_recorded(options: tuple[str, ...]) -> bool:
    """Whether an original that is compiled with these options records its accesses."""
    return options[: len(_RECORDS)] == _RECORDS


__all__ = ["ADDRESS", "READ", "RECORDED", "THREAD", "WRAPPED", "WRITTEN", "is_recorded", "record"]
