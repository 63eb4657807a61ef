"""Controls the emulated driver: what it has, what fails, and what was called."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from .kernels import Ran, run_ptx
from .library import built
from .structures import INTERPRETER, KERNEL, EmulatedLaunch, EmulatedMemory

VARIABLE = "LIFT_CUDA_LIBRARY"
KINDS = {"contexts": 0, "modules": 1, "functions": 2, "streams": 3, "events": 4, "memories": 5}
UNKNOWN = 999


class Runs(IntEnum):
    """When the work of a stream runs."""

    LATE = 0
    """When something makes it."""
    AT_ONCE = 1
    SOMETIMES = 2
    """After some calls, some of it; `seed` says which."""


class Setting(IntEnum):
    """The library's `enum setting`."""

    DEVICES = 0
    DRIVER_VERSION = 1
    PTX_VERSION = 2
    RUNS = 3
    READS_HOST_LATE = 4
    FREE_WAITS = 5
    SEED = 6


@dataclass(frozen=True)
class Call:
    """One call, in the order in which calls ended."""

    name: str
    arguments: str
    result: int


@dataclass(frozen=True)
class Allocation:
    """Memory of a device, which this process can read and write."""

    address: int
    bytes: np.ndarray[Any, np.dtype[np.uint8]]
    known: np.ndarray[Any, np.dtype[np.bool_]]
    """Which bytes somebody has written."""


Kernel = Callable[[EmulatedLaunch], int | None]


class Driver:
    """The one emulated driver of this process; `reset` makes it new.

    `library` has its functions, CUDA's as well. What fails, and how, is what `libcuda.c` says.
    """

    def __init__(self, is_for_others: bool = False) -> None:
        self._is_for_others = is_for_others
        self.path = built(is_for_others)
        self.library = ctypes.CDLL(str(self.path))
        self.library.emulated_line.restype = ctypes.c_void_p
        self.library.emulated_live.restype = ctypes.c_long
        self.library.emulated_waiting.restype = ctypes.c_long
        self.library.emulated_memories.restype = ctypes.c_size_t
        self._kept: list[Any] = []
        self._kernels: dict[str, Kernel] = {}
        self.ran: list[Ran] = []
        """The launches of PTX that have run."""
        self._was_closed = False
        self.reset(fresh=True)
        self._was_closed = False

    def reset(self, *, fresh: bool = False) -> None:
        """Makes it new: two devices, of compute capabilities 9.0 and 7.5, with 1 GiB each; a driver
        of CUDA 13.0, which runs kernels as PTX in numpy.

        Who has initialised it and retained primary contexts can go on with them, under new numbers
        (`cuCtxGetId`) and with nothing in them. If it is to be `fresh`, and in a child of `fork`,
        all is as at the beginning of a process.
        """
        self._was_closed = self._was_closed or fresh
        self.library.emulated_reset(fresh)
        self._kept.clear()
        self._kernels.clear()
        self.ran.clear()
        self._interpreter = INTERPRETER(self._run)
        self.library.emulated_interpret(self._interpreter)

    def keep_open(self) -> None:
        """Who opened it before somebody else's `reset(fresh=True)` can go on."""
        if self._was_closed:
            self._was_closed = False
            self.library.cuInit(0)
            for device in range(2):
                self.library.cuDevicePrimaryCtxRetain(ctypes.byref(ctypes.c_void_p()), device)
            self.forget_calls()

    def set(
        self,
        *,
        devices: int | None = None,
        driver_version: int | None = None,
        ptx_version: int | None = None,
        runs: Runs | None = None,
        reads_host_late: bool | None = None,
        free_waits: bool | None = None,
        seed: int | None = None,
    ) -> None:
        """`devices`: up to 4. `driver_version`: 12040 for 12.4. `ptx_version`: the newest that it
        knows, 84 for 8.4. `runs`: `Runs.LATE` at first. `reads_host_late`: what is copied from the
        host is read only when the copy runs. `free_waits`: `cuMemFree` waits for all work.
        """
        given = (devices, driver_version, ptx_version, runs, reads_host_late, free_waits, seed)
        for setting, value in zip(Setting, given, strict=True):
            if value is not None:
                self.library.emulated_set(ctypes.c_int(setting), ctypes.c_long(value))

    def set_attribute(self, device: int, attribute: int, value: int) -> None:
        """One of the attributes of `cuDeviceGetAttribute`."""
        self.library.emulated_set_attribute(device, attribute, value)

    def set_memory(self, device: int, size: int) -> None:
        """How many bytes the device has."""
        self.library.emulated_set_memory(device, ctypes.c_size_t(size))

    def inject(self, function: str, code: int, nth: int = 1, times: int = 1) -> None:
        """From the `nth` call of the function on, so many (all for -1) do nothing but return the
        code; a context that has met the code of a fault repeats it."""
        name = function.encode()
        self.library.emulated_inject(name, ctypes.c_long(nth), ctypes.c_long(times), code)

    def register_native(self, entry: str, function: Any) -> None:
        """A C function that runs the kernels of this name: `void f(void **parameters, const
        unsigned grid[3], const unsigned block[3], unsigned shared_bytes)`."""
        pointer = ctypes.cast(function, ctypes.c_void_p)
        self._kept.append(function)
        self.library.emulated_register(entry.encode(), pointer)

    def register(self, entry: str, function: Kernel) -> None:
        """A function that runs the kernels of this name; it may return the code of a fault."""
        self._kernels[entry] = function

    def _run(self, launch: Any) -> int:
        given: EmulatedLaunch = launch.contents
        name = given.entry.decode()
        # What the collector ends may free memory on the device, in the midst of this call.
        collects = gc.isenabled()
        gc.disable()
        try:
            if name in self._kernels:
                return self._kernels[name](given) or 0
            memories = self.memories(given.context)
            return run_ptx(given, memories, self.report, self.ran, self._is_for_others)
        except Exception as error:
            self.report(f"{name}: {type(error).__name__}: {error}")
            return UNKNOWN
        finally:
            if collects:
                gc.enable()

    def memories(self, context: int = 0) -> list[Allocation]:
        """The memories that kernels of a context can access, or all, once they are allocated."""
        room = self.library.emulated_memories(ctypes.c_uint64(context), None, ctypes.c_size_t(0))
        table = (EmulatedMemory * room)()
        count = self.library.emulated_memories(
            ctypes.c_uint64(context), table, ctypes.c_size_t(room)
        )
        return [
            Allocation(
                m.address, _bytes_at(m.address, m.size), _bytes_at(m.known, m.size).view(bool)
            )
            for m in table[: min(count, room)]
        ]

    def report(self, problem: str) -> None:
        """Adds to the problems."""
        self.library.emulated_problem(problem.encode())

    def problems(self) -> list[str]:
        """What went wrong and CUDA wouldn't tell, since the last call of this."""
        self.library.emulated_check()
        found = list(self._lines(1))
        self.library.emulated_forget(1)
        return found

    def calls(self, name: str = "") -> list[Call]:
        """The calls of a function, or of all, since `forget_calls`."""
        made = [Call(n, a, int(r)) for n, a, r in (line.split("\t") for line in self._lines(0))]
        return [call for call in made if name in ("", call.name)]

    def forget_calls(self) -> None:
        """Empties the log."""
        self.library.emulated_forget(0)

    def live(self) -> Mapping[str, int]:
        """How many of each kind there are; of streams those that were created."""
        return {name: self.library.emulated_live(kind) for name, kind in KINDS.items()}

    def waiting(self) -> int:
        """How many pieces of work haven't run."""
        return int(self.library.emulated_waiting())

    def _lines(self, of_problems: int) -> Iterator[str]:
        number = 0
        while line := self.library.emulated_line(of_problems, ctypes.c_size_t(number)):
            text = ctypes.cast(line, ctypes.c_char_p).value
            self.library.emulated_release(ctypes.c_void_p(line))
            assert text is not None
            yield text.decode(errors="replace")
            number += 1


def _bytes_at(address: int, size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))


_DRIVERS: list[Driver] = []


@contextmanager
def emulated_driver(*, fresh: bool = False, **settings: Any) -> Iterator[Driver]:
    """The process's emulated driver, made new (`Driver.reset`), as what `LIFT_CUDA_LIBRARY` names.

    `settings` are those of `Driver.set`. Problems that the test hasn't taken (`problems`) raise
    `AssertionError` at the end. The library is always at the same place, so what has opened it
    once need not do so again.
    """
    if not _DRIVERS:
        _DRIVERS.append(Driver())
    driver = _DRIVERS[0]
    driver.reset(fresh=fresh)
    if not fresh:
        driver.keep_open()
    driver.set(**settings)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(driver.path)
    try:
        yield driver
        problems = driver.problems()
        assert not problems, problems
    finally:
        driver.reset(fresh=True)  # what still knows of it has no driver from here on
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


__all__ = ["KERNEL", "Allocation", "Call", "Driver", "Ran", "Runs", "emulated_driver"]
