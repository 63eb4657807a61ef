"""Launches of the emulated driver, run as PTX in numpy on the memories of its devices."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tests.ptx.machine import Counts, run_at
from tests.ptx.memory import Memory
from tests.ptx.text import Entry, IllegalAddress, Misaligned, PtxError, entries

from .structures import EmulatedLaunch

if TYPE_CHECKING:
    from .driver import Allocation

ILLEGAL_ADDRESS, MISALIGNED_ADDRESS, LAUNCH_FAILED = 700, 716, 719


@dataclass(frozen=True)
class Ran:
    """A launch that has run, and what it took."""

    entry: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    """Bytes that the launch gives each block."""
    counts: Counts


_ANY_ROUNDING = re.compile(r"\b(add|sub|mul)\.(f32|f64)\b")
"""Sums and products that an assembler may join to one, or round each."""


@lru_cache(maxsize=64)
def _entries(image: bytes, may_fuse: bool) -> dict[str, Entry]:
    text = image.decode()
    return entries(_ANY_ROUNDING.sub(r"\1.rn.\2", text) if may_fuse else text)


def run_ptx(
    launch: EmulatedLaunch,
    memories: Sequence[Allocation],
    report: Callable[[str], None],
    ran: list[Ran],
    may_fuse: bool,
) -> int:
    """Runs a launch, which `ran` gets; 0, or the code of the fault, which is reported.

    Text that says of no sum how it is rounded is known only where it `may_fuse` some.

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
    grid, block, entry = (x, y, z), (tx, ty, tz), _entries(launch.image, may_fuse)[name]
    try:
        counts = run_at(entry, grid, block, values, own, launch.shared)
    except PtxError as error:
        report(f"{name}: {error}")
        if isinstance(error, IllegalAddress):
            return ILLEGAL_ADDRESS
        return MISALIGNED_ADDRESS if isinstance(error, Misaligned) else LAUNCH_FAILED
    ran.append(Ran(name, grid, block, launch.shared, counts))
    return 0
