"""The memory behind a `Buffer`: numpy arrays, their types, and numbers on the way in and out."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from ..ir import BOOL, Const, Type, dtype_of


@dataclass(frozen=True)
class BufferDimension:
    """One dimension: numbers where an image parameter's has `Expr`s. Strides count elements."""

    _min: int
    _extent: int
    _stride: int

    def min(self) -> int:
        return self._min

    def extent(self) -> int:
        return self._extent

    def stride(self) -> int:
        return self._stride

    def max(self) -> int:
        return self._min + self._extent - 1


def type_of_dtype(dtype: np.dtype[Any]) -> Type:
    """The type of one element; raises `ValueError` for one that the language lacks."""
    if dtype.kind == "b":
        return BOOL
    codes = {"u": "uint", "i": "int", "f": "float"}
    if dtype.kind not in codes or not dtype.isnative or dtype.itemsize > 8:
        raise ValueError(f"Unsupported Buffer<> type: {dtype}.")
    return Type(codes[dtype.kind], dtype.itemsize * 8)


def memory_dtype(type: Type) -> np.dtype[Any]:
    """The numpy type of an element in memory; a bfloat16 is its bits."""
    return np.dtype(np.uint16) if type.code == "bfloat" else dtype_of(type)


def array_over(source: Any) -> np.ndarray[Any, Any]:
    """A writable array over the memory of an array or of an object with the buffer protocol.

    Raises `TypeError` for what is neither, `BufferError` or `ValueError` for what can't be written,
    `ValueError` for elements that the language lacks or strides of parts of an element.
    """
    if not isinstance(source, np.ndarray) and _is_readonly(source):
        raise BufferError("Object is not writable.")
    array = np.asarray(source)
    if array is not source and not _shares(source):
        raise TypeError(
            f"Buffer(): incompatible constructor arguments: {type(source).__name__} "
            "is neither an array nor an object with the buffer protocol"
        )
    if not array.flags.writeable:
        raise ValueError("buffer source array is read-only")
    if any(stride % array.itemsize for stride in array.strides):
        raise ValueError("A Buffer's strides must be whole numbers of elements.")
    return dense_rows(array)


def _is_readonly(source: Any) -> bool:
    """Whether `source` is a buffer that nobody may write, like `bytes` or a numpy number."""
    try:
        return memoryview(source).readonly
    except TypeError:
        return False


def _shares(source: Any) -> bool:
    """Whether numpy makes an array over the memory of `source` (not of a list of numbers)."""
    try:
        memoryview(source)
    except TypeError:
        return hasattr(source, "__array_interface__") or hasattr(source, "__array__")
    return True


def allocate(
    type: Type, sizes: Sequence[int], storage_order: Sequence[int] | str | None
) -> np.ndarray[Any, Any]:
    """New memory, zeros; `storage_order` lists the dimensions from the densest on.

    Raises `TypeError` for sizes that are no int32, `ValueError` for negative ones or an order that
    doesn't name each dimension once.
    """
    for size in sizes:
        if not isinstance(size, numbers.Integral) or not -(1 << 31) <= size < 1 << 31:
            raise TypeError(f"Buffer(): incompatible constructor arguments: sizes {sizes!r}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"A Buffer's sizes may not be negative: {list(sizes)}.")
    order = list(range(len(sizes))) if storage_order is None else [int(d) for d in storage_order]
    if sorted(order) != list(range(len(sizes))):
        raise IndexError(f"storage_order must name every dimension once: {order}.")
    memory = np.zeros([int(sizes[d]) for d in reversed(order)], memory_dtype(type))
    back = [len(order) - 1 - order.index(d) for d in range(len(sizes))]
    return dense_rows(memory).transpose(back)


def dense_rows(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array; where it is empty, with a stride of one element along its last axis.

    numpy gives strides of 0 to what is empty, and pipelines want rows to be dense.
    """
    if array.size > 0 or array.ndim == 0 or any(array.strides):
        return array
    steps = accumulate(reversed(array.shape[1:]), mul, initial=array.itemsize)
    return np.lib.stride_tricks.as_strided(array, strides=list(steps)[::-1])


def checked_number(type: Type, value: Any) -> Any:
    """`value` as an element; raises `RuntimeError` where that would change it, as the real
    package's bindings do for a float in an integer's place or one out of range."""
    if type.is_float:
        fits = isinstance(value, (numbers.Real, np.bool_))
    else:
        fits = isinstance(value, (numbers.Integral, np.bool_)) and type.contains(int(value))
    if not fits:
        raise RuntimeError(f"Unable to cast {value!r} to an element of type {type}.")
    if type.code == "bfloat":
        rounded = np.float32(Const(type, float(value)).value)
        return np.uint16(int(rounded.view(np.uint32)) >> 16)
    return memory_dtype(type).type(value)


def python_number(type: Type, element: Any) -> Any:
    """An element of memory as a Python number."""
    if type.code == "bfloat":
        return float((np.uint32(element) << np.uint32(16)).view(np.float32))
    return element.item()
