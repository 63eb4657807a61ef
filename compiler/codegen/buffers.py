"""`halide_buffer_t`, byte for byte as Halide's callers lay it out, here and in generated code.

struct halide_dimension_t { int32_t min, extent, stride; uint32_t flags; };       // 16 bytes
struct halide_type_t      { uint8_t code, bits; uint16_t lanes; };                //  4 bytes
struct halide_buffer_t    { uint64_t device; void *device_interface;              //  0,  8
                            uint8_t *host; uint64_t flags;                        // 16, 24
                            halide_type_t type; int32_t dimensions;               // 32, 36
                            halide_dimension_t *dim; void *padding; };            // 40, 48
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir import Type, dtype_of
from ..ir.stmts import Argument

DEVICE_OFFSET, INTERFACE_OFFSET, FLAGS_OFFSET = 0, 8, 24
HOST_DIRTY, DEVICE_DIRTY = 1, 2
"""The flags that say where the newest contents are, if not on both sides."""
HAS_PLACE = 1 << 16
"""The flag of a buffer of the device's memory around the address in its padding: the first
coordinate may be far before all that there is of it."""
HOST_OFFSET, TYPE_OFFSET, DIMENSIONS_OFFSET, DIM_OFFSET, PADDING_OFFSET = 16, 32, 36, 40, 48
BUFFER_BYTES = 56
DIMENSION_BYTES = 16
TYPE_CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4}


class DimensionRecord(ctypes.Structure):
    _fields_ = (
        ("min", ctypes.c_int32),
        ("extent", ctypes.c_int32),
        ("stride", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    )


class BufferRecord(ctypes.Structure):
    _fields_ = (
        ("device", ctypes.c_uint64),
        ("device_interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("type_code", ctypes.c_uint8),
        ("type_bits", ctypes.c_uint8),
        ("type_lanes", ctypes.c_uint16),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.POINTER(DimensionRecord)),
        ("padding", ctypes.c_void_p),
    )


def type_word(type: Type) -> int:
    """`halide_type_t` of one element as the 32-bit number it is in memory (little-endian)."""
    return TYPE_CODES[type.code] | type.bits << 8 | 1 << 16


@dataclass(frozen=True)
class BufferArgument:
    """Memory of someone else, as a pipeline sees it: dimension 0 first, strides in elements."""

    array: np.ndarray[Any, Any]
    """Axis i is dimension i."""
    mins: tuple[int, ...]

    @staticmethod
    def of(value: Any, name: str, mins: Sequence[int] | None = None) -> BufferArgument:
        """`value` as a buffer.

        It is a numpy array, whose last axis is dimension 0, or an object with `array` (a numpy
        array whose axis i is dimension i) and `dim(i).min()`. Raises `TypeError` for anything else.
        """
        if isinstance(value, BufferArgument):
            return value
        if getattr(value, "is_bounds_query", False):
            raise TypeError(f"{name} is a bounds query, which has no elements")
        if isinstance(value, np.ndarray):
            given = tuple(mins) if mins is not None else (0,) * value.ndim
            if len(given) != value.ndim:
                raise TypeError(f"{name}: {len(given)} mins for {value.ndim} dimensions")
            return BufferArgument(value.T, given)
        array = getattr(value, "array", None)
        if not isinstance(array, np.ndarray) or not hasattr(value, "dim"):
            raise TypeError(f"{name} takes an array, not {type(value).__name__}")
        return BufferArgument(array, tuple(value.dim(i).min() for i in range(array.ndim)))

    def check(self, argument: Argument) -> None:
        """Raises `TypeError` or `ValueError` when a pipeline cannot take this as `argument`."""
        array, name = self.array, argument.name
        expected = expected_dtype(argument)
        if array.dtype != expected:
            raise TypeError(f"{name} holds {expected} elements, not {array.dtype}")
        if array.ndim != argument.dimensions:
            raise TypeError(f"{name} has {argument.dimensions} dimensions, not {array.ndim}")
        if argument.is_output and not array.flags.writeable:
            raise ValueError(f"{name} is written, but its array is read-only")
        if any(stride % array.itemsize for stride in array.strides):
            raise ValueError(f"{name}: the strides are not whole elements")

    def record(self, type: Type) -> BufferRecord:
        """The C record; it must not outlive the array."""
        array = self.array
        shape = zip(self.mins, array.shape, array.strides, strict=True)
        dims = (DimensionRecord * max(array.ndim, 1))()
        for dim, (low, extent, stride) in zip(dims, shape, strict=False):
            dim.min, dim.extent, dim.stride = low, extent, stride // array.itemsize
        return BufferRecord(
            host=array.ctypes.data,
            type_code=TYPE_CODES[type.code],
            type_bits=type.bits,
            type_lanes=1,
            dimensions=array.ndim,
            dim=dims,
        )


class ReadyBuffer:
    """The C record of an object with `array`, `dim` and `ready`, which keeps it for later calls."""

    __slots__ = ("_record", "address", "array", "kind")

    def __init__(self, buffer: BufferArgument, type: Type) -> None:
        self.array, self._record = buffer.array, buffer.record(type)
        self.address = ctypes.addressof(self._record)
        self.kind = (buffer.array.dtype, buffer.array.ndim)


def expected_dtype(argument: Argument) -> np.dtype[Any]:
    """The numpy type of the elements of what is passed as `argument`; bits for a bfloat16."""
    if argument.type.code == "bfloat":
        return np.dtype(np.uint16)
    return dtype_of(argument.type)
