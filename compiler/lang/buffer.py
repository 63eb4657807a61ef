"""`Buffer`: an array with Halide's axis order, over numpy memory and without copying it."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np

from .. import ir
from .buffer_memory import (
    BufferDimension,
    allocate,
    array_over,
    checked_number,
    python_number,
    type_of_dtype,
)
from .device_arrays import CPU, CUDA, memory_for, on_device, ready_for, shared, take
from .errors import fail
from .expr import Convertible, Type
from .names import chosen_name, fresh_name
from .references import read_image
from .sides import DeviceMemory, Sides, current_stream, done


class Buffer:
    """Numbers in an array: `Buffer(array)` shares its memory, `Buffer(type, sizes)` makes new.

    Axis 0 of the Buffer is the last axis of the numpy array (the real package's convention), unless
    `reverse_axes=False`. `Buffer()` is undefined. Coordinates start at each dimension's min.
    """

    __hash__ = object.__hash__
    sides: Sides | None = None
    """Where the memory's newest contents are; shared with all Buffers over the same memory."""
    _ready: Any = None
    is_bounds_query = False
    """Whether this is a shape without elements: a call that is given it computes nothing and says
    what region it would touch."""

    def __init__(
        self,
        source: Any = None,
        sizes: Sequence[int] | str | None = None,
        storage_order: Sequence[int] | str | None = None,
        name: str = "",
        reverse_axes: bool = True,
        *,
        type: Type | None = None,
        buffer: Any = None,
    ) -> None:
        source = type if type is not None else buffer if buffer is not None else source
        # The name may stand where the sizes (of an array) or the storage order would.
        if isinstance(sizes, str):
            name, sizes = sizes, None
        if isinstance(storage_order, str):
            name, storage_order = storage_order, None
        elif isinstance(storage_order, bool):
            storage_order, reverse_axes = None, storage_order
        self._name = chosen_name(name) if name else fresh_name("b")
        self._memory: np.ndarray[Any, Any] | None = None
        self._type: ir.Type | None = None
        self._mins: list[int] = []
        if source is None:
            return
        if isinstance(source, Type):
            if not isinstance(sizes, (list, tuple)):
                raise TypeError(f"Buffer(): incompatible constructor arguments: sizes {sizes!r}")
            self._type = source.ir_type
            self._memory = allocate(self._type, sizes, storage_order)
        elif isinstance(source, Buffer):
            self._memory, self._type = source._memory, source._type
            self._mins = list(source._mins)
            self.is_bounds_query = source.is_bounds_query
            self.sides = source.sides
            return
        else:
            given = on_device(source, current_stream)
            array = array_over(source) if given is None else memory_for(given)
            self._memory = array.T if reverse_axes else array
            self._type = type_of_dtype(array.dtype)
            if given is not None:
                self._type = given.type or self._type
                self.sides = Sides(self._memory, self._type)
                take(given, self.sides.device_memory())
        self._mins = [0] * self._memory.ndim
        self.sides = self.sides or Sides(self._memory, self._type)

    @property
    def array(self) -> np.ndarray[Any, Any]:
        """The elements, axis i of the array being dimension i; shares the memory. A bfloat16's
        elements are its bits, uint16.

        What is newer on a device is copied first; what the device has counts as old from then on,
        since the array may be written. Who writes it later than that says `set_host_dirty()`.
        """
        if self.sides is not None:
            self.sides.on_host(may_change=True)
        return self.host

    @property
    def host(self) -> np.ndarray[Any, Any]:
        """As `array`, but it may be old: for who looks at `sides`, or at sizes alone."""
        if self._memory is None:
            fail("Undefined buffer used.")
        return self._memory

    def _newest(self) -> np.ndarray[Any, Any]:
        """The elements, to be read."""
        if self.sides is not None:
            self.sides.on_host()
        return self.host

    @property
    def ready(self) -> Any:
        """What code generation keeps of this Buffer from one call to the next; None once its memory
        or its mins are others, or lie on a device, too."""
        return None if self.sides is None or self.sides.device is not None else self._ready

    @ready.setter
    def ready(self, value: Any) -> None:
        self._ready = value

    def defined(self) -> bool:
        return self._memory is not None

    def name(self) -> str:
        return self._name

    def set_name(self, name: str) -> None:
        self._name = chosen_name(name)

    def type(self) -> Type:
        return Type.of(self.element_type)

    @property
    def element_type(self) -> ir.Type:
        """The type of nodes that read an element."""
        if self._type is None:
            fail("Undefined buffer calling const method type")
        return self._type

    def same_as(self, other: Buffer) -> bool:
        """Whether both are one object."""
        return self is other

    def dimensions(self) -> int:
        if self._memory is None:
            fail("Undefined buffer calling const method dimensions")
        return self._memory.ndim

    def dim(self, index: int) -> BufferDimension:
        self._check_dimension(index)
        if self.is_bounds_query:
            stride = prod(self.host.shape[:index])
        else:
            stride = self.host.strides[index] // self.host.itemsize
        return BufferDimension(self._mins[index], self.host.shape[index], stride)

    def _check_dimension(self, index: int) -> None:
        if not 0 <= index < self.dimensions():
            fail(f"{self._name} has {self.dimensions()} dimensions; there is none {index}.")

    def _extent(self, dimension: int) -> int:
        """The size of a dimension; 1 for one that isn't there."""
        return int(self.host.shape[dimension]) if dimension < self.dimensions() else 1

    def width(self) -> int:
        return self._extent(0)

    def height(self) -> int:
        return self._extent(1)

    def channels(self) -> int:
        return self._extent(2)

    def left(self) -> int:
        return self.dim(0).min()

    def right(self) -> int:
        return self.dim(0).max()

    def top(self) -> int:
        return self.dim(1).min()

    def bottom(self) -> int:
        return self.dim(1).max()

    def number_of_elements(self) -> int:
        return self.host.size

    def size_in_bytes(self) -> int:
        """Bytes from the first element in memory to the end of the last."""
        array = self.host
        if not array.size:
            return 0
        spans = (abs(s) * (n - 1) for s, n in zip(array.strides, array.shape, strict=True))
        return int(sum(spans)) + array.itemsize

    def _view(self, memory: np.ndarray[Any, Any], mins: list[int]) -> Buffer:
        made = Buffer(self)
        made._memory, made._mins = memory, mins
        return made

    def _become(self, other: Buffer) -> None:
        self._memory, self._mins, self.ready = other._memory, other._mins, None
        self.sides = other.sides

    def set_min(self, mins: Sequence[int]) -> None:
        """The coordinates of the first element, of the first dimensions."""
        if len(mins) > self.dimensions():
            raise ValueError("Too many arguments")
        self._mins[: len(mins)] = [int(m) for m in mins]
        self.ready = None

    def translated(self, *args: Any) -> Buffer:
        """The same elements at coordinates moved by (dimension, delta), or by a list of deltas."""
        deltas = [0] * self.dimensions()
        if len(args) == 2:
            self._check_dimension(args[0])
            deltas[args[0]] = args[1]
        else:
            given = list(args[0])[: len(deltas)]
            deltas[: len(given)] = given
        return self._view(self.host, [m + d for m, d in zip(self._mins, deltas, strict=True)])

    def translate(self, *args: Any) -> None:
        self._become(self.translated(*args))

    def cropped(self, *args: Any) -> Buffer:
        """The elements of (dimension, min, extent), or of a list of (min, extent); the
        coordinates stay. Raises `HalideError` for a region that isn't all there."""
        made = Buffer(self)
        pairs = [(args[0], *args[1:])] if len(args) == 3 else [
            (d, *pair) for d, pair in enumerate(args[0])
        ]  # fmt: skip
        for d, low, extent in pairs:
            self._check_dimension(d)
            start = low - made._mins[d]
            if extent < 0 or start < 0 or start + extent > made.host.shape[d]:
                fail(
                    f"Can't crop dimension {d} of {self._name} to [{low}, {low + extent}): it "
                    f"covers [{made._mins[d]}, {made._mins[d] + made.host.shape[d]})"
                )
            place = (slice(None),) * d + (slice(start, start + extent),)
            made._memory, made._mins[d] = made.host[place], low
        return made

    def crop(self, *args: Any) -> None:
        self._become(self.cropped(*args))

    def sliced(self, dimension: int, pos: int | None = None) -> Buffer:
        """Without a dimension: the elements at coordinate `pos` in it, by default its first."""
        self._check_dimension(dimension)
        at = 0 if pos is None else pos - self._mins[dimension]
        if not 0 <= at < self.host.shape[dimension]:
            fail(f"Can't slice {self._name} at {pos} in dimension {dimension}: out of bounds.")
        memory = self.host[(slice(None),) * dimension + (slice(at, at + 1),)]
        rest = [i for i in range(self.dimensions()) if i != dimension]
        view = np.lib.stride_tricks.as_strided(
            memory, [memory.shape[i] for i in rest], [memory.strides[i] for i in rest]
        )
        return self._view(view, [self._mins[i] for i in rest])

    def slice(self, dimension: int, pos: int | None = None) -> None:
        self._become(self.sliced(dimension, pos))

    def embedded(self, dimension: int, pos: int = 0) -> Buffer:
        """With a new dimension of extent 1 at coordinate `pos`."""
        at = min(max(dimension, 0), self.dimensions())
        array = self.host
        stride = max([s * n for s, n in zip(array.strides, array.shape, strict=True)],
                     default=array.itemsize)  # fmt: skip
        view = np.lib.stride_tricks.as_strided(
            array,
            (*array.shape[:at], 1, *array.shape[at:]),
            (*array.strides[:at], stride, *array.strides[at:]),
        )
        return self._view(view, [*self._mins[:at], pos, *self._mins[at:]])

    def embed(self, dimension: int, pos: int = 0) -> None:
        self._become(self.embedded(dimension, pos))

    def add_dimension(self) -> None:
        """Appends a dimension of extent 1."""
        self.embed(self.dimensions())

    def transposed(self, *args: Any) -> Buffer:
        """With dimensions (d1, d2) exchanged, or in the order of a list."""
        count = self.dimensions()
        order = list(range(count))
        if len(args) == 2:
            for d in args:
                self._check_dimension(d)
            order[args[0]], order[args[1]] = order[args[1]], order[args[0]]
        else:
            order = [int(d) for d in args[0]]
            if sorted(order) != list(range(count)):
                fail(f"An order of {self._name}'s dimensions names each once, not {order}.")
        return self._view(self.host.transpose(order), [self._mins[d] for d in order])

    def transpose(self, *args: Any) -> None:
        self._become(self.transposed(*args))

    def reverse_axes(self) -> Buffer:
        """With the dimensions in the opposite order."""
        return self.transposed(list(range(self.dimensions()))[::-1])

    def copy(self) -> Buffer:
        """A Buffer of its own memory, in the same order of storage."""
        made = self._view(self._newest().copy(order="K"), list(self._mins))
        made.sides = Sides(made.host, made.element_type)
        return made

    def copy_from(self, other: Buffer) -> None:
        """Copies the elements that both cover."""
        if other.element_type is not self.element_type or other.dimensions() != self.dimensions():
            fail(f"Can't copy {other._name} to {self._name}: type or dimensions differ.")
        here, there = [], []
        for a, b in zip(self._dims(), other._dims(), strict=True):
            low, end = max(a.min(), b.min()), min(a.max(), b.max()) + 1
            here.append(slice(low - a.min(), max(low, end) - a.min()))
            there.append(slice(low - b.min(), max(low, end) - b.min()))
        self.array[tuple(here)] = other._newest()[tuple(there)]

    def _dims(self) -> list[BufferDimension]:
        return [self.dim(i) for i in range(self.dimensions())]

    def fill(self, value: Any) -> None:
        self.array[...] = checked_number(self.element_type, value)

    def all_equal(self, value: Any) -> bool:
        return bool(np.all(self._newest() == checked_number(self.element_type, value)))

    def contains(self, coords: Sequence[int]) -> bool:
        """Whether there is an element at (the first) coordinates."""
        if len(coords) > self.dimensions():
            raise ValueError("Too many arguments")
        return all(d.min() <= c <= d.max() for d, c in zip(self._dims(), coords, strict=False))

    def for_each_element(self, f: Callable[[list[int]], Any]) -> None:
        """Calls `f` with the coordinates of each element, the first coordinate innermost."""
        mins = self._mins[::-1]
        for index in np.ndindex(*self.host.shape[::-1]):
            f([i + m for i, m in zip(index, mins, strict=True)][::-1])

    @staticmethod
    def make_interleaved(
        type: Type, width: int, height: int, channels: int, name: str = ""
    ) -> Buffer:
        """A (width, height, channels) image with the channels next to each other in memory."""
        return Buffer(type, [width, height, channels], [2, 0, 1], name)

    @staticmethod
    def make_scalar(type: Type, name: str = "") -> Buffer:
        """One number, without a dimension."""
        return Buffer(type, [], name=name)

    @staticmethod
    def make_with_shape_of(src: Buffer, name: str = "") -> Buffer:
        """New memory with the coordinates and the order of storage of `src`."""
        made = src.copy()
        made._name = chosen_name(name) if name else fresh_name("b")
        return made

    @staticmethod
    def make_bounds_query(type: Type, sizes: Sequence[int], name: str = "") -> Buffer:
        """A shape without elements. A call that is given it computes nothing and gives it the
        region that it would touch."""
        made = Buffer(type, [0] * len(sizes), name=name)
        made.is_bounds_query = True
        made.answer_bounds_query([(0, int(size)) for size in sizes])
        return made

    def answer_bounds_query(self, region: Sequence[tuple[int, int]]) -> None:
        """Makes this bounds query one of `region`, (min, extent) by dimension."""
        nothing = allocate(self.element_type, [1] * len(region), None)
        self._memory = np.broadcast_to(nothing, [extent for _, extent in region])
        self.sides = None
        self._mins = [low for low, _ in region]

    def allocate(self) -> None:
        """Nothing: a Buffer has its memory from the start."""

    def deallocate(self) -> None:
        """Nothing: the memory goes with its last user."""

    def _device(self) -> DeviceMemory | None:
        """What there is of this Buffer on a device."""
        return self.sides.device if self.sides is not None else None

    def host_dirty(self) -> bool:
        """Whether a device's copy would be old."""
        device = self._device()
        return device is None or device.host_dirty

    def set_host_dirty(self, dirty: bool = True) -> None:
        """Says that the array was written, so that what a device has is old."""
        device = self._device()
        if device is not None:
            device.set_dirty("host", dirty)

    def device_dirty(self) -> bool:
        """Whether the newest elements are on a device."""
        device = self._device()
        return device is not None and device.device_dirty

    def set_device_dirty(self, dirty: bool = True) -> None:
        """Says that somebody wrote the memory on the device."""
        device = self._device()
        if device is not None and device.is_there:
            device.set_dirty("device", dirty)
        elif dirty:
            fail("No device holds a copy of this Buffer.")

    def has_device_allocation(self) -> bool:
        device = self._device()
        return device is not None and device.is_there

    def copy_to_host(self) -> int:
        """Brings what is newer on a device to the host; waits until it is there."""
        if self.sides is not None:
            self.sides.on_host()
        return 0

    def device_sync(self) -> int:
        """Waits for what this thread has started on the device."""
        device = self._device()
        if device is not None:
            done(device.wait)
        return 0

    def device_free(self) -> int:
        """Frees the memory on the device; what is newer there is lost."""
        device = self._device()
        if device is not None:
            done(device.free)
            device.set_dirty("host", True)
        return 0

    def device_deallocate(self) -> None:
        """As `device_free`."""
        self.device_free()

    def device_detach_native(self) -> int:
        """Forgets memory on the device that somebody else allocated."""
        device = self._device()
        if device is not None:
            device.let_go()
            device.set_dirty("host", True)
        return 0

    def copy_to_device(self, *target: Any) -> int:
        """Brings what is newer on the host to the device (all of what this Buffer is a crop of)."""
        _check_has_device("copy_to_device", target)
        done(self._sides().device_memory().copy_to_device)
        return 0

    def device_malloc(self, *target: Any) -> int:
        """Allocates memory on the device, with nothing in it yet."""
        _check_has_device("device_malloc", target)
        done(self._sides().device_memory().malloc)
        return 0

    def _sides(self) -> Sides:
        if self.sides is None:
            fail("Undefined buffer used.")
        return self.sides

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The elements on the device, for CuPy, PyTorch, Numba: axes in numpy's order, no copy.

        They are copied there first where the host has what is newer, and count as changed there.
        """
        memory, array = self._shared_memory(), self.host
        return {
            "shape": array.shape[::-1],
            "typestr": array.dtype.str,
            "data": (self._device_address(memory), False),
            "strides": array.strides[::-1],
            "version": 3,
            "stream": memory.stream or 1,
        }

    def _shared_memory(self) -> DeviceMemory:
        """The memory on the device, which holds what is newest, and which others may change."""
        memory = self._sides().device_memory()
        done(memory.copy_to_device)
        memory.set_dirty("device", True)
        return memory

    def _device_address(self, memory: DeviceMemory) -> int:
        """Where this Buffer's first element lies on the device; 0 where there are no elements."""
        array = self.host
        offset = array.ctypes.data - self._sides().host.ctypes.data
        return memory.address + offset if array.size else 0

    def __dlpack_device__(self) -> tuple[int, int]:
        """Where `__dlpack__` gives the elements: the device, if they have memory there."""
        if not self.has_device_allocation():
            return CPU, 0
        return CUDA, self._ordinal(self._sides().device_memory())

    @staticmethod
    def _ordinal(memory: DeviceMemory) -> int:
        numbers: list[int] = []
        done(lambda: numbers.append(memory.ordinal()))
        return numbers[0]

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: Any = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The elements for `from_dlpack` of other packages: axes in numpy's order, no copy.

        Where they have memory on a device it is given, and counts as changed there. `stream` is
        where the taker goes on with it (1 for the legacy default stream, -1 for none).
        """
        device = self.__dlpack_device__()
        if copy or (dl_device is not None and tuple(dl_device) not in ((CPU, 0), device)):
            raise BufferError("A Buffer's elements are given where they are, and not as a copy.")
        if device[0] == CPU or (dl_device is not None and dl_device[0] == CPU):
            return self.array.T.__dlpack__()
        memory = self._shared_memory()
        ready_for(stream, memory)
        owner = self._sides()
        address = self._device_address(memory)
        return shared(address, self.host.T, self.element_type, device, owner)

    def _position(self, items: Sequence[Any]) -> tuple[int, ...]:
        if len(items) != self.dimensions():
            raise ValueError("Incorrect number of dimensions.")
        position = []
        for d, item in enumerate(items):
            low, extent = self._mins[d], self.host.shape[d]
            if not low <= item < low + extent:
                raise IndexError(
                    f"index {item} is out of bounds for axis {d} with min={low}, extent={extent}"
                )
            position.append(int(item) - low)
        return tuple(position)

    def __getitem__(self, index: Any) -> Any:
        items = tuple(index) if isinstance(index, (tuple, list)) else (index,)
        if all(isinstance(i, numbers.Integral) for i in items):
            return python_number(self.element_type, self._newest()[self._position(items)])
        if not all(isinstance(i, (Convertible, numbers.Real)) for i in items):
            raise TypeError(f"__getitem__(): incompatible function arguments: {index!r}")
        return read_image(self, items)

    def __setitem__(self, index: Any, value: Any) -> None:
        items = tuple(index) if isinstance(index, (tuple, list)) else (index,)
        if not all(isinstance(i, numbers.Integral) for i in items):
            raise TypeError(f"__setitem__(): incompatible function arguments: {index!r}")
        position = self._position(items)
        self.array[position] = checked_number(self.element_type, value)

    def __iter__(self) -> Iterator[Any]:
        if self.dimensions() != 1:
            raise ValueError("Incorrect number of dimensions.")
        return iter([python_number(self.element_type, v) for v in self._newest()])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array = self.array.T
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __buffer__(self, flags: int) -> memoryview:
        """The buffer protocol, in Python 3.12 and later: axes in numpy's order, no copy."""
        return self.array.T.data

    def __repr__(self) -> str:
        if self._memory is None:
            return "<undefined Buffer>"
        shape = ",".join(f"[{d.min()},{d.extent()},{d.stride()}]" for d in self._dims())
        return f"<Buffer of type {self._type} shape:[{shape}]>"


def _check_has_device(what: str, target: Sequence[Any]) -> None:
    """Raises `HalideError` where a target is given that has no GPU."""
    features = (str(t) for t in target if hasattr(t, "has_gpu_feature"))
    if any("cuda" not in text for text in features):
        fail(f"{what}: no GPU feature is specified in the target.")


__all__ = ["Buffer", "BufferDimension", "type_of_dtype"]
