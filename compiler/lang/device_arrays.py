"""Arrays on NVIDIA's devices that other packages share, and Buffers shared with them, uncopied.

There are two ways: `__cuda_array_interface__` (CuPy, Numba, PyTorch) and DLPack (all of them, JAX).
What a package still has to do with an array comes first: who takes one waits for it, or names the
stream in which it goes on.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from .. import ir
from .errors import fail
from .sides import DeviceMemory, done

CPU, CUDA, CUDA_MANAGED = 1, 2, 13
"""DLPack's numbers of devices."""
_LEGACY_STREAM = 1
"""What both protocols call the stream that CUDA calls 0."""
_CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4}
_BOOL = 6
_NAME, _USED = b"dltensor", b"used_dltensor"


@dataclass(frozen=True)
class DeviceArray:
    """Elements that somebody has on a device: axes in numpy's order, strides in bytes."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    type: ir.Type | None
    """Where the dtype doesn't say it: a bfloat16 is its bits."""
    owner: Any
    stream: int | None
    """The stream that is to be waited for; None for none."""


def on_device(source: Any, stream: Callable[[], int]) -> DeviceArray | None:
    """What `source` has on a device; None for what has nothing there.

    `stream` tells the stream in which this thread will use it. Raises `ValueError` for what can't
    be a Buffer.
    """
    if not is_on_device(source):
        return None
    interface = getattr(source, "__cuda_array_interface__", None)
    if isinstance(interface, dict):
        return _by_interface(interface, source)
    return _by_dlpack(source.__dlpack__(stream=stream() or _LEGACY_STREAM))


def is_on_device(source: Any) -> bool:
    """Whether `source` is an array of another package on a device."""
    if isinstance(source, np.ndarray):
        return False
    if isinstance(getattr(source, "__cuda_array_interface__", None), dict):
        return True
    ask = getattr(source, "__dlpack_device__", None)
    return ask is not None and ask()[0] in (CUDA, CUDA_MANAGED)


def memory_for(array: DeviceArray) -> np.ndarray[Any, Any]:
    """An array on the host that lies as the one on the device; nothing has touched its memory."""
    if not prod(array.shape):
        return np.empty(array.shape, array.dtype)
    ends = [stride * (n - 1) for stride, n in zip(array.strides, array.shape, strict=True)]
    before = -sum(end for end in ends if end < 0)
    after = sum(end for end in ends if end > 0) + array.dtype.itemsize
    flat = np.empty(before + after, np.uint8)
    return np.ndarray(array.shape, array.dtype, flat, before, array.strides)


def take(array: DeviceArray, memory: DeviceMemory) -> None:
    """Lets `memory` be what is on the device, once it is there."""
    if not array.address or not prod(array.shape):
        return
    if array.stream is not None:
        other = 0 if array.stream == _LEGACY_STREAM else array.stream
        if other != memory.stream:
            done(lambda: memory.wait_for(other))
    memory.wrap(array.address, array.owner)


def _by_interface(interface: dict[str, Any], owner: Any) -> DeviceArray:
    if interface.get("mask") is not None:
        raise ValueError("A Buffer can't be over an array with a mask.")
    address, is_read_only = interface["data"]
    if is_read_only:
        raise ValueError("buffer source array is read-only")
    dtype = np.dtype(interface["typestr"])
    shape = tuple(map(int, interface["shape"]))
    strides = interface.get("strides")
    stream = interface.get("stream")
    if stream == 0:
        raise ValueError("The stream of __cuda_array_interface__ can't be 0.")
    return DeviceArray(
        int(address or 0),
        shape,
        _whole(_dense(shape, dtype) if strides is None else tuple(map(int, strides)), dtype),
        dtype,
        None,
        owner,
        None if stream is None else int(stream),
    )


def _dense(shape: Sequence[int], dtype: np.dtype[Any]) -> tuple[int, ...]:
    return tuple(dtype.itemsize * prod(shape[d + 1 :]) for d in range(len(shape)))


def _whole(strides: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, ...]:
    if any(stride % dtype.itemsize for stride in strides):
        raise ValueError("A Buffer's strides must be whole numbers of elements.")
    return strides


class _Tensor(ctypes.Structure):
    """`DLManagedTensor`, whose first part is a `DLTensor`."""


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Tensor))
_Tensor._fields_ = (
    ("data", ctypes.c_void_p),
    ("device_type", ctypes.c_int32),
    ("device_id", ctypes.c_int32),
    ("ndim", ctypes.c_int32),
    ("code", ctypes.c_uint8),
    ("bits", ctypes.c_uint8),
    ("lanes", ctypes.c_uint16),
    ("shape", ctypes.POINTER(ctypes.c_int64)),
    ("strides", ctypes.POINTER(ctypes.c_int64)),
    ("byte_offset", ctypes.c_uint64),
    ("context", ctypes.c_void_p),
    ("deleter", ctypes.c_void_p),
)
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _python(name: str, result: Any, *parameters: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *parameters)((name, ctypes.pythonapi))


_new_capsule = _python(
    "PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)
_is_valid = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_rename = _python("PyCapsule_SetName", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)


class _Owner:
    """What keeps a tensor of another package alive."""


def _by_dlpack(capsule: Any) -> DeviceArray:
    if not _is_valid(id(capsule), _NAME):
        raise ValueError("__dlpack__ gave no capsule of a tensor that nobody has taken.")
    address = _pointer(id(capsule), _NAME)
    tensor = _Tensor.from_address(address)
    _rename(id(capsule), _USED)
    owner = _Owner()
    weakref.finalize(owner, _delete, address)
    type = _type_of(tensor)
    dtype = np.dtype(np.uint16) if type.code == "bfloat" else ir.dtype_of(type)
    shape = tuple(tensor.shape[d] for d in range(tensor.ndim))
    strides = _dense(shape, dtype)
    if tensor.strides:
        strides = tuple(tensor.strides[d] * dtype.itemsize for d in range(tensor.ndim))
    data = (tensor.data or 0) + tensor.byte_offset
    return DeviceArray(data, shape, strides, dtype, type, owner, None)


def _type_of(tensor: _Tensor) -> ir.Type:
    names = {code: name for name, code in _CODES.items()}
    if tensor.lanes == 1 and (tensor.code, tensor.bits) == (_BOOL, 8):
        return ir.BOOL
    name = names.get(tensor.code)
    is_known = tensor.bits in {"bfloat": (16,), "float": (16, 32, 64)}.get(
        name or "", (8, 16, 32, 64)
    )
    if name is None or tensor.lanes != 1 or not is_known:
        raise ValueError(
            f"Unsupported Buffer<> type: DLPack's code {tensor.code} of {tensor.bits} bits, "
            f"{tensor.lanes} lanes."
        )
    return ir.Type(name, tensor.bits)


def _delete(address: int) -> None:
    deleter = _Tensor.from_address(address).deleter
    if deleter:
        _Deleter(deleter)(_Tensor.from_address(address))


_shared: dict[int, tuple[Any, ...]] = {}
"""What tensors of ours need, as long as somebody has them, by their address."""


def _forget(tensor: Any) -> None:
    _shared.pop(ctypes.addressof(tensor.contents), None)


def _forget_capsule(capsule: int) -> None:
    if _is_valid(capsule, _NAME):  # nobody has taken the tensor
        _shared.pop(_pointer(capsule, _NAME), None)


_forgets, _forgets_capsule = _Deleter(_forget), _Destructor(_forget_capsule)


def shared(
    address: int, array: np.ndarray[Any, Any], type: ir.Type, device: tuple[int, int], owner: Any
) -> Any:
    """A capsule of DLPack for elements on a device that lie as `array`, whose axes are numpy's."""
    count = array.ndim
    shape, strides = (ctypes.c_int64 * max(count, 1))(), (ctypes.c_int64 * max(count, 1))()
    for d in range(count):
        shape[d], strides[d] = array.shape[d], array.strides[d] // array.itemsize
    tensor = _Tensor(
        data=address,
        device_type=device[0],
        device_id=device[1],
        ndim=count,
        code=_BOOL if type.is_bool else _CODES[type.code],
        bits=8 * array.itemsize,
        lanes=1,
        shape=shape,
        strides=strides,
        deleter=ctypes.cast(_forgets, ctypes.c_void_p),
    )
    place = ctypes.addressof(tensor)
    _shared[place] = (tensor, shape, strides, owner)
    return _new_capsule(place, _NAME, ctypes.cast(_forgets_capsule, ctypes.c_void_p))


def ready_for(stream: int | None, memory: DeviceMemory) -> None:
    """Sees to it that what this thread has started comes before what the taker starts in `stream`,
    as `__dlpack__` has it: None or 1 for the legacy stream, -1 for who takes care of it."""
    if stream == 0:
        fail("__dlpack__: the stream can't be 0, which could be either default stream.")
    theirs = 0 if stream in (None, _LEGACY_STREAM) else stream
    if theirs not in (-1, memory.stream):
        done(memory.wait)


__all__ = [
    "CPU", "CUDA", "DeviceArray", "is_on_device", "memory_for", "on_device", "ready_for", "shared",
    "take",
]  # fmt: skip
