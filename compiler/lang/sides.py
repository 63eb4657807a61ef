"""The two sides of a Buffer's memory: the host's, and a device's where somebody asked for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ..ir import Type
from .errors import fail

Array = np.ndarray[Any, Any]


class DeviceMemory(Protocol):
    """Memory on a device, of the same elements as an array; raises `RuntimeError`."""

    @property
    def is_there(self) -> bool: ...
    @property
    def address(self) -> int: ...
    @property
    def host_dirty(self) -> bool: ...
    @property
    def device_dirty(self) -> bool: ...
    def set_dirty(self, side: str, dirty: bool) -> None: ...
    def malloc(self) -> None: ...
    def copy_to_device(self) -> None: ...
    def copy_to_host(self) -> None: ...
    def free(self) -> None: ...
    def wrap(self, address: int, owner: Any) -> None: ...
    def let_go(self) -> None: ...
    def wait(self) -> None: ...
    @property
    def stream(self) -> int: ...
    def wait_for(self, stream: int) -> None: ...
    def ordinal(self) -> int: ...


Maker = Callable[[Array, Type], DeviceMemory]
_makers: list[Maker] = []
_making = threading.Lock()


_streams: list[Callable[[], int]] = []


def set_maker(maker: Maker, stream: Callable[[], int]) -> None:
    """Says who makes memory on devices, and who knows this thread's stream: a room above this
    one."""
    _makers[:] = [maker]
    _streams[:] = [stream]


def current_stream() -> int:
    """The stream of CUDA in which this thread works; 0 is the legacy default stream."""
    return _streams[0]()


class Sides:
    """The memory that a Buffer shares with its crops, slices and copies of itself."""

    __slots__ = ("device", "host", "type")

    def __init__(self, host: Array, type: Type) -> None:
        self.host, self.type = host, type
        self.device: DeviceMemory | None = None

    def device_memory(self) -> DeviceMemory:
        """The memory on the device, which may have to be allocated yet."""
        if self.device is None:
            with _making:
                if self.device is None:
                    self.device = _makers[0](self.host, self.type)
        return self.device

    def on_host(self, may_change: bool = False) -> None:
        """Makes what is on the host the newest; if it `may_change`, the device's gets old."""
        device = self.device
        if device is None:
            return
        if device.device_dirty:
            done(device.copy_to_host)
        if may_change:
            device.set_dirty("host", True)


def done(run: Callable[[], None]) -> None:
    """Runs something on a device; raises `HalideError` where that fails."""
    try:
        run()
    except RuntimeError as error:
        fail(str(error))
