"""Devices in this process: who makes the memory of Buffers there, streams, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import Type
from ..lang import sides

if TYPE_CHECKING:
    from ..runtime.device import DeviceMemory


def _memory(array: sides.Array, type: Type) -> DeviceMemory:
    from ..runtime.device import DeviceMemory

    return DeviceMemory(array, type)


def _stream() -> int:
    from ..runtime.device import current_stream

    return current_stream()


sides.set_maker(_memory, _stream)


def set_cuda_stream(stream: int) -> None:
    """Lets what this thread starts on the device run in a CUDA stream, by its handle.

    0 is the legacy default stream, with which all others of a process are in order. Raises
    `CompilerRuntimeError` where there is no device.
    """
    from ..runtime.device import set_stream

    set_stream(stream)
