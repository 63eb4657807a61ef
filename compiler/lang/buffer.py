"""`Buffer`: an array with Halide's axis order, over numpy memory and without copying it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir import BOOL, Type, dtype_of
from .errors import fail
from .expr import Convertible
from .names import fresh_name


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
    """The type of one element; raises `HalideError` for one that the language lacks."""
    if dtype.kind == "b":
        return BOOL
    codes = {"u": "uint", "i": "int", "f": "float"}
    if dtype.kind not in codes or not dtype.isnative:
        fail(f"A Buffer cannot hold elements of numpy type {dtype}.")
    return Type(codes[dtype.kind], dtype.itemsize * 8)


class Buffer:
    """Numbers in an array: `Buffer(array)` shares its memory, `Buffer(type, sizes)` makes new.

    Axis 0 of the Buffer is the last axis of the numpy array (the real package's convention), unless
    `reverse_axes=False`.
    """

    __hash__ = object.__hash__

    def __init__(
        self,
        source: Any,
        sizes: Sequence[int] | None = None,
        name: str = "",
        reverse_axes: bool = True,
        storage_order: Sequence[int] | None = None,
    ) -> None:
        self._name = name or fresh_name("b")
        self._type: Type
        self._mins: list[int]
        if isinstance(source, Type):
            if sizes is None:
                fail("Buffer(type, sizes) needs sizes.")
            self._array = _allocate(source, list(sizes), storage_order)
        elif isinstance(source, Buffer):
            self._array, self._type, self._mins = source._array, source._type, list(source._mins)
            return
        else:
            array = np.asarray(source)
            if array is not source and not _shares(array, source):
                fail("A Buffer needs an array or an object with the buffer protocol.")
            self._array = array.T if reverse_axes else array
        self._type = type_of_dtype(self._array.dtype)
        self._mins = [0] * self._array.ndim
        for stride in self._array.strides:
            if stride % self._array.itemsize:
                fail("A Buffer's strides must be whole numbers of elements.")

    @property
    def array(self) -> np.ndarray[Any, Any]:
        """The elements, axis i of the array being dimension i; shares the memory."""
        return self._array

    def name(self) -> str:
        return self._name

    def set_name(self, name: str) -> None:
        self._name = name

    def type(self) -> Type:
        return self._type

    def defined(self) -> bool:
        return True

    def dimensions(self) -> int:
        return self._array.ndim

    def dim(self, index: int) -> BufferDimension:
        if not 0 <= index < self._array.ndim:
            fail(f"{self._name} has {self._array.ndim} dimensions; there is none {index}.")
        stride = self._array.strides[index] // self._array.itemsize
        return BufferDimension(self._mins[index], self._array.shape[index], stride)

    def width(self) -> int:
        return self.dim(0).extent()

    def height(self) -> int:
        return self.dim(1).extent()

    def channels(self) -> int:
        return self.dim(2).extent()

    def set_min(self, mins: Sequence[int]) -> None:
        """The coordinates of the first element."""
        if len(mins) > self._array.ndim:
            fail(f"{self._name} has {self._array.ndim} dimensions; {len(mins)} mins were given.")
        self._mins[: len(mins)] = [int(m) for m in mins]

    def translate(self, *args: Any) -> None:
        """Moves the coordinates: by (dimension, delta) or by a list of deltas."""
        deltas = [0] * self._array.ndim
        if len(args) == 2:
            deltas[args[0]] = args[1]
        else:
            deltas[: len(args[0])] = args[0]
        self._mins = [m + d for m, d in zip(self._mins, deltas, strict=True)]

    def fill(self, value: Any) -> None:
        self._array[...] = value

    def copy(self) -> Buffer:
        made = Buffer(self)
        made._array = self._array.copy(order="K")
        return made

    def transpose(self, d1: int, d2: int) -> None:
        self._array = self._array.swapaxes(d1, d2)
        self._mins[d1], self._mins[d2] = self._mins[d2], self._mins[d1]

    def transposed(self, d1: int, d2: int) -> Buffer:
        made = Buffer(self)
        made.transpose(d1, d2)
        return made

    @staticmethod
    def make_interleaved(type: Type, width: int, height: int, channels: int) -> Buffer:
        """A (width, height, channels) image with the channels next to each other in memory."""
        return Buffer(type, [width, height, channels], storage_order=[2, 0, 1])

    @staticmethod
    def make_scalar(type: Type, name: str = "") -> Buffer:
        return Buffer(type, [], name)

    def _position(self, index: Any) -> tuple[int, ...]:
        items = index if isinstance(index, tuple) else (index,)
        if len(items) != self._array.ndim:
            fail(f"{self._name} has {self._array.ndim} dimensions; {len(items)} were given.")
        position = []
        for d, item in enumerate(items):
            at = int(item) - self._mins[d]
            if not 0 <= at < self._array.shape[d]:
                fail(f"{self._name}: {int(item)} is out of bounds in dimension {d}.")
            position.append(at)
        return tuple(position)

    def __getitem__(self, index: Any) -> Any:
        items = index if isinstance(index, tuple) else (index,)
        if any(isinstance(i, Convertible) for i in items):
            from .params import read_image

            return read_image(self, index)
        return self._array[self._position(index)].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[self._position(index)] = value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array = self._array.T
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __repr__(self) -> str:
        shape = [[*map(int, (d.min(), d.extent(), d.stride()))]
                 for d in map(self.dim, range(self.dimensions()))]  # fmt: skip
        return f"<Buffer of type {self._type} shape:{shape}>"


def _allocate(
    type: Type, sizes: list[int], storage_order: Sequence[int] | None
) -> np.ndarray[Any, Any]:
    if any(size < 0 for size in sizes):
        fail(f"A Buffer's sizes may not be negative: {sizes}.")
    order = list(storage_order) if storage_order is not None else list(range(len(sizes)))
    if sorted(order) != list(range(len(sizes))):
        fail(f"storage_order must name every dimension once: {order}.")
    memory = np.zeros([sizes[d] for d in reversed(order)], dtype_of(type))
    back = [len(order) - 1 - order.index(d) for d in range(len(sizes))]
    return memory.transpose(back)


def _shares(array: np.ndarray[Any, Any], source: Any) -> bool:
    """Whether numpy made `array` over the memory of `source` (a buffer, not a list of numbers)."""
    try:
        memoryview(source)
    except TypeError:
        return hasattr(source, "__array_interface__") or hasattr(source, "__array__")
    return True


__all__ = ["Buffer", "BufferDimension", "type_of_dtype"]
