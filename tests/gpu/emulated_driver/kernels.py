"""Launches of the emulated driver, run as PTX in numpy on the memories of its devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tests.ptx.machine import run_at
from tests.ptx.memory import Memory
from tests.ptx.text import Entry, IllegalAddress, Misaligned, PtxError, entries

from .structures import EmulatedLaunch

if TYPE_CHECKING:
    from .driver import Allocation

ILLEGAL_ADDRESS, MISALIGNED_ADDRESS, LAUNCH_FAILED = 700, 716, 719


@lru_cache(maxsize=64)
def _entries(image: bytes) -> dict[str, Entry]:
    return entries(image.decode())


def run_ptx(
    launch: EmulatedLaunch, memories: Sequence[Allocation], report: Callable[[str], None]
) -> int:
    """Runs a launch; 0, or the code of the fault, which is reported.

    What a GPU wouldn't find is a fault too: a race, or that something is read that nobody wrote.
    """
    name = launch.entry.decode()
    own = {
        m.address: Memory(f"a memory of {len(m.bytes)} bytes", m.bytes, len(m.bytes), known=m.known)
        for m in memories
    }
    values = [int.from_bytes(launch.parameter(i), "little") for i in range(launch.count)]
    x, y, z = launch.grid
    tx, ty, tz = launch.block
    try:
        run_at(_entries(launch.image)[name], (x, y, z), (tx, ty, tz), values, own, launch.shared)
    except PtxError as error:
        report(f"{name}: {error}")
        if isinstance(error, IllegalAddress):
            return ILLEGAL_ADDRESS
        return MISALIGNED_ADDRESS if isinstance(error, Misaligned) else LAUNCH_FAILED
    return 0
