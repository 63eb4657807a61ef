"""The device in this process: memory there, copies, and what is passed to who launches kernels."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..codegen.buffers import DEVICE_DIRTY, HOST_DIRTY, BufferArgument, BufferRecord
from ..codegen.errors import CompilerRuntimeError
from ..codegen.failures import MESSAGE_OFFSET
from ..ir import Type
from . import in_process
from .trampoline import failure_record

_Address = ctypes.c_void_p


class DeviceMemory:
    """The memory on the device of an array on the host: what is newest, and copies.

    Raises `CompilerRuntimeError` where the device can't do what it is asked for.
    """

    def __init__(self, array: np.ndarray[Any, Any], type: Type) -> None:
        """`array`, whose axis i is dimension i, has elements of `type`; the device has none yet."""
        self._array = array
        self.record = BufferArgument(array, (0,) * array.ndim).record(type)
        self.record.flags = HOST_DIRTY
        self._owner: Any = None
        weakref.finalize(self, _drop, self.record)

    @property
    def is_there(self) -> bool:
        """Whether there is memory on the device."""
        return bool(self.record.device)

    @property
    def address(self) -> int:
        """Where the element at the mins lies on the device; 0 where there is no memory."""
        return int(self.record.device)

    @property
    def host_dirty(self) -> bool:
        return bool(self.record.flags & HOST_DIRTY)

    @property
    def device_dirty(self) -> bool:
        return bool(self.record.flags & DEVICE_DIRTY)

    def set_dirty(self, side: str, dirty: bool) -> None:
        """Says whether the `host` or the `device` has what the other one lacks."""
        flag = HOST_DIRTY if side == "host" else DEVICE_DIRTY
        self.record.flags = self.record.flags | flag if dirty else self.record.flags & ~flag

    def malloc(self) -> None:
        call("lift_cuda_malloc", self.record)

    def copy_to_device(self) -> None:
        call("lift_cuda_copy_to_device", self.record)

    def copy_to_host(self) -> None:
        call("lift_cuda_copy_to_host", self.record)

    def free(self) -> None:
        if self._owner is None:
            call("lift_cuda_free", self.record)
        else:
            self.let_go()

    def wrap(self, address: int, owner: Any) -> None:
        """Takes the memory at `address`, which `owner` keeps alive, and what it holds as newest."""
        self.record.device, self.record.device_interface = address, _interface()
        self._owner, self.record.flags = owner, DEVICE_DIRTY

    def let_go(self) -> None:
        """Forgets memory that belongs to somebody else."""
        self.record.device, self.record.device_interface = 0, None
        self._owner = None
        self.set_dirty("device", False)

    def wait(self) -> None:
        wait()


def wait() -> None:
    """Waits for what this thread has started on the device."""
    record, address = failure_record()
    status = _function("lift_cuda_wait", _Address)(address)
    _raise_unless_zero(status, record)


def describe() -> tuple[int, int, str]:
    """The driver's version (13000 for 13.0), the device's capability (90 for 9.0) and its name.

    Raises `CompilerRuntimeError` where there is no driver or device."""
    record, address = failure_record()
    version, capability, name = ctypes.c_int32(), ctypes.c_int32(), ctypes.create_string_buffer(256)
    run = _function("lift_cuda_describe", _Address, _Address, _Address, _Address, ctypes.c_int32)
    status = run(
        address,
        ctypes.addressof(version),
        ctypes.addressof(capability),
        ctypes.addressof(name),
        len(name),
    )
    _raise_unless_zero(status, record)
    return version.value, capability.value, name.value.decode(errors="replace")


def set_stream(stream: int) -> None:
    """Lets what this thread starts run in a stream of CUDA's; 0 is the legacy default stream."""
    if _function("lift_cuda_set_stream", _Address)(stream):
        raise CompilerRuntimeError("The stream can't be set: there is no CUDA here.")


def call(function: str, buffer: BufferRecord) -> None:
    """Calls a function of the runtime on a buffer; raises `CompilerRuntimeError`."""
    record, address = failure_record()
    run = _function(function, _Address, _Address, _Address)
    _raise_unless_zero(run(address, ctypes.addressof(buffer), None), record)


def sides_of(value: Any) -> Any:
    """What knows both memories of a Buffer's elements; None for other arrays."""
    return getattr(value, "sides", None)


class PassedBuffers:
    """The C records of what is passed to one call that launches kernels."""

    def __init__(self) -> None:
        self._views: list[tuple[BufferRecord, Any]] = []
        self._kept: list[Any] = []

    def record(self, buffer: BufferArgument, value: Any, type: Type) -> int:
        """The address of the record of `value`, whose elements `buffer` has."""
        made = buffer.record(type)
        sides = sides_of(value)
        if sides is None:
            made.flags = HOST_DIRTY
        else:
            memory = sides.device_memory()
            if _is_whole(buffer.array, memory._array):
                own = memory.record
                for d in range(made.dimensions):
                    own.dim[d].min = made.dim[d].min
                self._kept.append((made, buffer, memory))
                return ctypes.addressof(own)
            # Of a part of it both sides are made equal, before the call and after it.
            memory.copy_to_host()
            memory.copy_to_device()
            offset = buffer.array.ctypes.data - memory._array.ctypes.data
            made.device, made.device_interface = memory.address + offset, _interface()
        self._views.append((made, sides))
        self._kept.append(buffer)
        return ctypes.addressof(made)

    def finish(self, has_failed: bool) -> None:
        """Brings what arrays hold back to the host, and frees what they had on the device."""
        for made, sides in self._views:
            try:
                if not has_failed:
                    call("lift_cuda_copy_to_host", made)
            finally:
                if sides is None:
                    _drop(made)
                elif made.flags & HOST_DIRTY:
                    sides.device.set_dirty("host", True)


def _is_whole(part: np.ndarray[Any, Any], whole: np.ndarray[Any, Any]) -> bool:
    return (
        part.ctypes.data == whole.ctypes.data
        and part.shape == whole.shape
        and part.strides == whole.strides
    )


def _drop(record: BufferRecord) -> None:
    if record.device and record.device_interface:
        ctypes.CFUNCTYPE(None, _Address)(in_process.cuda_address("lift_cuda_drop"))(
            ctypes.addressof(record)
        )


def _interface() -> int:
    return int(
        ctypes.CFUNCTYPE(_Address)(in_process.cuda_address("lift_cuda_device_interface"))() or 0
    )


def _function(symbol: str, *parameters: Any) -> Any:
    return ctypes.CFUNCTYPE(ctypes.c_int32, *parameters)(in_process.cuda_address(symbol))


def _raise_unless_zero(status: int, record: Any) -> None:
    if status:
        message = ctypes.string_at(ctypes.addressof(record) + MESSAGE_OFFSET)
        raise CompilerRuntimeError(message.decode(errors="replace"))


__all__: Sequence[str] = (
    "DeviceMemory",
    "PassedBuffers",
    "describe",
    "set_stream",
    "wait",
)
