"""A function on a GPU: are its results equal, and where does the time of a call go?

Images lie on the device, or on the host and are copied for the call. What the device does is timed
by its own events, what a caller waits for by the clock.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..dag.concrete import Number, integer
from ..emit.interface import Box, Interface

_APART = -42
"""The code of a call whose images lie where its code can't run."""


class NoKernels(Exception):
    """The function doesn't run on a device."""


@dataclass(frozen=True, slots=True)
class DeviceTimes:
    """Milliseconds of one call, each the median of several."""

    launches: int
    """Kernels that a call starts."""
    kernels_ms: float
    """What the device is busy with, from the first kernel's start to the last one's end."""
    launch_ms: float
    """Until a call for images on the device comes back."""
    there_ms: float
    """Until such a call is done."""
    in_ms: float
    """Copying all that is read to the device."""
    out_ms: float
    """Copying all that is stored back."""
    copied_ms: float | None
    """Until a call for images on the host is done, with these copies; None where it runs on the
    processor, because what it reads or stores can't be copied."""
    pays_from: int | None
    """From how many bytes on such a call is faster than the processor, by this size and a smaller
    one; None where it never is."""


class Cuda:
    """The driver, with the device that lifted code uses, its events and memory."""

    LEAD_BYTES = 1 << 26

    def __init__(self) -> None:
        """Raises `OSError` where there is no driver, `RuntimeError` where it can't be used."""
        self._driver = ctypes.CDLL(os.environ.get("LIFT_CUDA_LIBRARY") or "libcuda.so.1")
        context = ctypes.c_void_p()
        device = ctypes.c_int(int(os.environ.get("LIFT_CUDA_DEVICE") or 0))
        self("cuInit", 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxPushCurrent_v2", context)
        self._lead = self.allocate(2 * self.LEAD_BYTES)

    def close(self) -> None:
        self.free(self._lead)
        self("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))

    def __call__(self, name: str, *arguments: Any) -> None:
        code = self._driver[name](*arguments)
        if code:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorName(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'an unknown error').decode()}")

    def allocate(self, size: int) -> int:
        made = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(made), ctypes.c_size_t(max(size, 1)))
        return made.value

    def free(self, address: int) -> None:
        self("cuMemFree_v2", ctypes.c_uint64(address))

    def send(self, address: int, values: np.ndarray[Any, Any]) -> None:
        self._copy("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(address), _host(values), values)

    def fetch(self, values: np.ndarray[Any, Any], address: int) -> None:
        self._copy("cuMemcpyDtoHAsync_v2", _host(values), ctypes.c_uint64(address), values)

    def _copy(self, name: str, to: Any, source: Any, values: np.ndarray[Any, Any]) -> None:
        if values.nbytes:
            self(name, to, source, ctypes.c_size_t(values.nbytes), None)

    def wait(self) -> None:
        self("cuStreamSynchronize", None)

    @contextmanager
    def timed(self, into: list[float]) -> Iterator[None]:
        """Appends the milliseconds that the device takes for what is started inside.

        It has something else to do until that is started, which would count otherwise.
        """
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            self("cuEventCreate", ctypes.byref(event), 0)
        first, second = (ctypes.c_uint64(self._lead + n * self.LEAD_BYTES) for n in (0, 1))
        self("cuMemcpyDtoDAsync_v2", second, first, ctypes.c_size_t(self.LEAD_BYTES), None)
        self("cuEventRecord", events[0], None)
        yield
        self("cuEventRecord", events[1], None)
        self("cuEventSynchronize", events[1])
        taken = ctypes.c_float()
        self("cuEventElapsedTime", ctypes.byref(taken), *events)
        for event in events:
            self("cuEventDestroy_v2", event)
        into.append(taken.value)


def _host(values: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(values.ctypes.data)


def call_on_device(function: Any, arguments: Sequence[Any]) -> None:
    """Calls a `NAME_try` for images on the device. Raises `NoKernels`, `RuntimeError`."""
    status = function(*arguments)
    if status == _APART:
        raise NoKernels("it has no kernels for such images: the processor alone runs it")
    if status:
        raise RuntimeError(f"the call failed on the GPU (code {status})")


def image_bytes(interface: Interface, values: Mapping[str, Number]) -> int:
    """The bytes of a call's images, as LIFT_CUDA_BYTES counts them."""
    total = 0
    for view in interface.images:
        boxes = interface.accesses[view.array]
        total += view.type.bytes * _points(_around(boxes, values))
    for output in interface.outputs:
        ends = [(integer(a, values), integer(b, values) - 1) for a, b in output.region]
        total += output.view.type.bytes * _points(ends)
    return total


def _around(boxes: Sequence[Box], values: Mapping[str, Number]) -> list[tuple[int, int]]:
    told = [[(integer(a, values), integer(b, values)) for a, b in box] for box in boxes]
    return [(min(a for a, _ in axis), max(b for _, b in axis)) for axis in zip(*told, strict=True)]


def _points(ends: Sequence[tuple[int, int]]) -> int:
    count = 1
    for low, high in ends:
        count *= max(high - low + 1, 0)
    return count


def several(run: Callable[[], None], seconds: float) -> None:
    """Runs it for so many seconds, and five times at least, after once to warm up."""
    run()
    end, count = time.perf_counter() + seconds, 0
    while count < 5 or time.perf_counter() < end:
        run()
        count += 1


def pays_from(small: tuple[int, float, float], large: tuple[int, float, float]) -> int | None:
    """From how many bytes on a call with copies is faster: (bytes, milliseconds on the processor,
    with copies) of two sizes, between and beyond which both times are taken to grow evenly."""
    bytes, here, copied = (np.subtract(b, a) for a, b in zip(small, large, strict=True))
    if bytes <= 0 or here <= copied:
        return None
    ahead = small[1] - small[2]  # at the small size; it grows by here - copied
    return max(1, int(np.ceil(small[0] - ahead * bytes / (here - copied))))


__all__ = [
    "Cuda",
    "DeviceTimes",
    "NoKernels",
    "call_on_device",
    "image_bytes",
    "pays_from",
    "several",
]
