"""Arrays of a call, as large as what is accessed plus a margin that must stay untouched."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from compiler.ir import dtype_of

from ..dag.concrete import Number, integer
from ..emit.interface import Box, Interface, Parameter

Pattern = Literal["random", "extremes", "zeros", "maximum"]
PATTERNS: tuple[Pattern, ...] = ("random", "extremes", "zeros", "maximum")
MARGIN = 64
"""Elements before and after what is accessed."""
_LIMIT = 1 << 28


class UnknownAccesses(Exception):
    """What the function reads isn't bounded by its scalar parameters."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The elements that a call may access, relative to the array's pointer; rows of a table."""

    low: int
    high: int
    """Below `low` when nothing is accessed."""
    first_row: int = 0
    last_row: int = -1
    row_stride: int = 0


def extent_of(interface: Interface, parameter: Parameter, values: Mapping[str, Number]) -> Extent:
    """Raises `UnknownAccesses` when the bounds are those of a data type, not of the image."""
    if parameter.kind == "reference":
        return Extent(0, 0)
    if parameter.kind == "vector":
        return Extent(0, int(values[f"{parameter.name}.size"]) - 1)
    boxes = interface.accesses.get(parameter.name, ())
    if not boxes:
        return Extent(0, -1)
    view = interface.view_of(parameter.name)
    strides = [integer(s, values) for s in view.strides]
    ranges = [_range(box, strides, values) for box in boxes]
    kept = [r for r in ranges if r is not None]
    offset = integer(view.offset, values)
    if not kept:
        return Extent(0, -1)
    low = min(r[0] for r in kept) + offset
    high = max(r[1] for r in kept) + offset
    if high - low > _LIMIT:
        raise UnknownAccesses(f"{interface.name} reads {parameter.name} in no known bounds")
    if not view.rows:
        return Extent(low, high)
    rows = [(integer(b[-1][0], values), integer(b[-1][1], values)) for b in boxes]
    first, last = min(r[0] for r in rows), max(r[1] for r in rows)
    return Extent(low, high, first, last, strides[-1])


def _range(box: Box, strides: list[int], values: Mapping[str, Number]) -> tuple[int, int] | None:
    low = high = 0
    for stride, (first, last) in zip(strides, box, strict=True):
        a, b = integer(first, values), integer(last, values)
        if a > b:
            return None
        low += min(stride * a, stride * b)
        high += max(stride * a, stride * b)
    return low, high


class ArrayMemory:
    """One array: its elements with margins, and the pointer to pass."""

    def __init__(self, parameter: Parameter, extent: Extent, values: np.ndarray[Any, Any]) -> None:
        self.parameter, self.extent = parameter, extent
        self.values = values.copy()
        self._first = MARGIN - extent.low
        self._rows: Any = None

    @property
    def address(self) -> int:
        """The address of element 0 (which may lie outside of what is accessed)."""
        return int(self.values.ctypes.data) + self._first * self.values.itemsize

    @property
    def argument(self) -> int:
        """The pointer that the C function takes: to the elements, or to the table of rows."""
        return self.argument_for(0)

    def argument_for(self, further: int) -> int:
        """The same where the elements lie so many bytes `further`."""
        address = self.address + further
        if self.parameter.kind != "rows":
            return address
        extent = self.extent
        count = max(extent.last_row - extent.first_row + 1, 1)
        step = extent.row_stride * self.values.itemsize
        pointers = [address + (extent.first_row + i) * step for i in range(count)]
        self._rows = (ctypes.c_void_p * count)(*pointers)
        return ctypes.addressof(self._rows) - extent.first_row * ctypes.sizeof(ctypes.c_void_p)

    def restore(self, values: np.ndarray[Any, Any]) -> None:
        np.copyto(self.values, values)


def fill(
    parameter: Parameter, extent: Extent, pattern: Pattern, rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    """Contents for an array of the extent, margins included."""
    count = max(extent.high - extent.low + 1, 0) + 2 * MARGIN
    dtype = dtype_of(parameter.type)
    if dtype.kind == "b":
        low: Any = False
        high: Any = True
    elif dtype.kind == "f":
        low, high = 0.0, 1.0
    else:
        info = np.iinfo(dtype)
        # Wide integers hold counts and sums; their extremes would only make every sum overflow.
        low, high = max(int(info.min), -(1 << 16)), min(int(info.max), 1 << 16)
    if pattern == "zeros":
        return np.zeros(count, dtype)
    if pattern == "maximum":
        return np.full(count, high, dtype)
    if pattern == "extremes":
        few = np.array([low, high, 0, high // 2 if dtype.kind in "iu" else high], dtype)
        return few[rng.integers(0, len(few), count)]
    if dtype.kind == "f":
        return rng.random(count).astype(dtype)
    return rng.integers(low, high, count, np.int64, endpoint=True).astype(dtype)
