"""The device in this process: memory there, copies, and what is passed to who launches kernels."""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..codegen.buffers import DEVICE_DIRTY, HOST_DIRTY, BufferArgument, BufferRecord
from ..codegen.errors import CompilerRuntimeError
from ..codegen.failures import MESSAGE_OFFSET
from ..ir import Type
from . import in_process
from .trampoline import failure_record

_Address = ctypes.c_void_p


class _Held:
    """What there is on the device of one array, whose it is, and which streams work on it.

    Streams need not wait for one another: where another one than before comes, all are waited for.
    """

    def __init__(self, record: BufferRecord) -> None:
        self.record = record
        self.owner: Any = None
        self._written_in: int | None = None
        self._read_in: set[int] = set()
        self._identity: int | None = None

    def note(self) -> None:
        """Notes which memory it is, where it may be new."""
        if not self.record.device:
            self._identity = None
        elif self.owner is None and self._identity is None:
            self._identity = _identity(self.record) or None

    def is_gone(self) -> bool:
        """Whether somebody has reset the device since: others may have memory at the address."""
        return self._identity is not None and _identity(self.record) != self._identity

    def use(self, writes: bool) -> None:
        """What this thread starts next reads the memory on the device, or writes it, too."""
        stream = current_stream()
        last = {self._written_in, *(self._read_in if writes else ())} - {None, stream}
        if last:
            _asked("lift_cuda_wait_for_all")
            self._written_in = None
            self._read_in.clear()
        if writes:
            self._written_in = stream
        self._read_in.add(stream)

    def let_go(self) -> None:
        """Forgets memory that belongs to somebody else, who may use it for something else now."""
        self.record.device, self.record.device_interface = 0, None
        self.owner = self._identity = None

    def drop(self) -> None:
        """Frees the memory, or lets go of it; nobody hears of a failure."""
        if not self.record.device:
            return
        try:
            if self.is_gone():
                self.let_go()
                return
            was_used = bool(self._read_in)
            self.use(writes=True)
            if was_used and self.owner is not None:
                wait()
        except CompilerRuntimeError:
            pass  # The work went wrong, and is over.
        if self.owner is not None:
            self.let_go()
        else:
            _drop(self.record)


class DeviceMemory:
    """The memory on the device of an array on the host: what is newest, and copies.

    Raises `CompilerRuntimeError` where the device can't do what it is asked for.
    """

    def __init__(self, array: np.ndarray[Any, Any], type: Type) -> None:
        """`array`, whose axis i is dimension i, has elements of `type`; the device has none yet."""
        self._array = array
        self.record = BufferArgument(array, (0,) * array.ndim).record(type)
        self.record.flags = HOST_DIRTY
        self._held = _Held(self.record)
        self._lock = threading.Lock()
        self._mins: tuple[int, ...] = (0,) * array.ndim
        self._lent = 0
        weakref.finalize(self, self._held.drop)

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

    def use(self, writes: bool) -> None:
        """What this thread starts next reads the memory on the device, or writes it, too."""
        if self.is_there or writes:
            self._held.use(writes or self.host_dirty)

    def malloc(self) -> None:
        self._held.use(writes=True)
        call("lift_cuda_malloc", self.record)
        self._held.note()

    def copy_to_device(self) -> None:
        self._held.use(writes=self.host_dirty)
        call("lift_cuda_copy_to_device", self.record)
        self._held.note()

    def copy_to_host(self) -> None:
        if self.device_dirty:
            self._held.use(writes=False)
        call("lift_cuda_copy_to_host", self.record)

    def free(self) -> None:
        if self._held.owner is not None:
            self.let_go()
        elif self.is_there:
            self._held.use(writes=True)
            if self._held.is_gone():
                self._held.let_go()
                self.set_dirty("device", False)
                return
            try:
                call("lift_cuda_free", self.record)
            finally:
                self._held.note()

    def wrap(self, address: int, owner: Any) -> None:
        """Takes the memory at `address`, which `owner` keeps alive, and what it holds as newest."""
        self.record.device, self.record.device_interface = address, _interface()
        self._held.owner, self.record.flags = owner, DEVICE_DIRTY

    def let_go(self) -> None:
        """Forgets memory, which belongs to somebody else from now on."""
        if self.is_there:
            self._held.use(writes=True)
            wait()
        self._held.let_go()
        self.set_dirty("device", False)

    def lend(self, mins: tuple[int, ...]) -> bool:
        """Whether a call may have the record; not while one has it whose coordinates are others."""
        with self._lock:
            if self._lent and mins != self._mins:
                return False
            self._lent, self._mins = self._lent + 1, mins
            for d, low in enumerate(mins):
                self.record.dim[d].min = low
            return True

    def end_of_loan(self) -> None:
        with self._lock:
            self._lent -= 1
        self._held.note()

    def wait(self) -> None:
        wait()

    @property
    def stream(self) -> int:
        """The stream in which this thread works on the device; 0 is the legacy default stream."""
        return current_stream()

    def wait_for(self, stream: int) -> None:
        """Waits for what somebody has started in a stream."""
        _asked("lift_cuda_wait_for", _Address, stream)

    def ordinal(self) -> int:
        """The number of the device that has the memory."""
        number = ctypes.c_int32()
        called = (_Address, ctypes.addressof(self.record)), (_Address, ctypes.addressof(number))
        _asked("lift_cuda_ordinal", *(x for pair in called for x in pair))
        return number.value


def current_stream() -> int:
    """The stream of this thread; 0 is the legacy default stream."""
    return int(_typed("lift_cuda_stream", _Address)() or 0)


def _identity(buffer: BufferRecord) -> int:
    """What no other memory on a device has; 0 where none is at the buffer's address."""
    number = ctypes.c_uint64()
    given = (_Address, ctypes.addressof(buffer), _Address, ctypes.addressof(number))
    _asked("lift_cuda_identity", *given)
    return number.value


def wait() -> None:
    """Waits for what this thread has started on the device."""
    _asked("lift_cuda_wait")


def describe() -> tuple[int, int, str]:
    """The driver's version (13000 for 13.0), the device's capability (90 for 9.0) and its name.

    Raises `CompilerRuntimeError` where there is no driver or device."""
    version, capability, name = ctypes.c_int32(), ctypes.c_int32(), ctypes.create_string_buffer(256)
    places = [x for made in (version, capability, name) for x in (_Address, ctypes.addressof(made))]
    _asked("lift_cuda_describe", *places, ctypes.c_int32, len(name))
    return version.value, capability.value, name.value.decode(errors="replace")


def set_stream(stream: int) -> None:
    """Lets what this thread starts run in a stream of CUDA's; 0 is the legacy default stream."""
    _asked("lift_cuda_use_stream", _Address, stream)


def call(function: str, buffer: BufferRecord) -> None:
    """Calls a function of the runtime on a buffer; raises `CompilerRuntimeError`."""
    _asked(function, _Address, ctypes.addressof(buffer), _Address, None)


def sides_of(value: Any) -> Any:
    """What knows both memories of a Buffer's elements; None for other arrays."""
    return getattr(value, "sides", None)


class PassedBuffers:
    """The C records of what is passed to one call that launches kernels."""

    def __init__(self) -> None:
        self._views: list[tuple[BufferRecord, DeviceMemory | None]] = []
        self._lent: list[DeviceMemory] = []
        self._kept: list[Any] = []

    def record(self, buffer: BufferArgument, value: Any, type: Type, is_output: bool) -> int:
        """The address of the record of `value`, whose elements `buffer` has."""
        made = buffer.record(type)
        sides = sides_of(value)
        memory: DeviceMemory | None = None
        if sides is None:
            made.flags = HOST_DIRTY
        else:
            memory = found = sides.device_memory()
            found.use(is_output)
            if _is_whole(buffer.array, found._array) and found.lend(buffer.mins):
                self._lent.append(found)
                return ctypes.addressof(found.record)
            # Of a part of it both sides are made equal, before the call and after it.
            found.copy_to_host()
            found.copy_to_device()
            offset = buffer.array.ctypes.data - found._array.ctypes.data
            made.device, made.device_interface = found.address + offset, _interface()
        self._views.append((made, memory))
        self._kept.append(buffer)
        return ctypes.addressof(made)

    def finish(self, has_failed: bool) -> None:
        """Brings what arrays hold back to the host, and frees what they had on the device.

        After a failure nobody knows what they hold, but both sides of a Buffer still agree on it.
        """
        first: CompilerRuntimeError | None = None
        for made, memory in self._views:
            try:
                if not has_failed:
                    call("lift_cuda_copy_to_host", made)
                    if memory is not None and memory.device_dirty:
                        call("lift_cuda_copy_to_device", made)
            except CompilerRuntimeError as error:
                first = first or error
            finally:
                if memory is None:
                    _drop(made)
                elif made.flags and not memory.device_dirty:
                    memory.set_dirty("host", True)
        for lent in self._lent:
            try:
                lent.end_of_loan()
            except CompilerRuntimeError as error:
                first = first or error
        self._lent.clear()
        if first is not None:
            raise first


def _is_whole(part: np.ndarray[Any, Any], whole: np.ndarray[Any, Any]) -> bool:
    return (
        part.ctypes.data == whole.ctypes.data
        and part.shape == whole.shape
        and part.strides == whole.strides
    )


def _drop(record: BufferRecord) -> None:
    if record.device and record.device_interface:
        _typed("lift_cuda_drop", None, _Address)(ctypes.addressof(record))


def _interface() -> int:
    return int(_typed("lift_cuda_device_interface", _Address)() or 0)


@cache
def _typed(symbol: str, result: Any, *parameters: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *parameters)(in_process.cuda_address(symbol))


def _asked(symbol: str, *given: Any) -> None:
    """Calls a function of the runtime, with types and values in turn; raises what it says."""
    record, address = failure_record()
    run = _typed(symbol, ctypes.c_int32, _Address, *given[::2])
    if run(address, *given[1::2]):
        message = ctypes.string_at(ctypes.addressof(record) + MESSAGE_OFFSET)
        raise CompilerRuntimeError(message.decode(errors="replace"))


__all__: Sequence[str] = (
    "DeviceMemory",
    "PassedBuffers",
    "current_stream",
    "describe",
    "set_stream",
    "wait",
)
