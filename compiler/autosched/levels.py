"""What the cost model knows of caches: rates, how much of each can be counted on, and the places
that strided rows take."""

from __future__ import annotations

from math import gcd

from .machine import Cache, Machine

LEVEL_BYTES = (64.0, 32.0, 12.0)
"""Bytes a cycle that one core reads from each level of the caches."""

PAGE = 4096
PAGES = 256
"""So many pages, and those around them, are found at once."""

PAGE_CYCLES = 50.0
"""To find a page that isn't among them."""

NEAR_PAGES = 64
"""So many pages are found without a look at the larger table of those."""

NEAR_PAGE_CYCLES = 2.0
"""That look, for each value that is read on its own; some are on their way at a time."""

FILLED = 0.75
"""The share of a cache that what is read again may take."""

CLOSELY_FILLED = 0.95
"""The same where it is counted value by value, not by the boxes around it."""

MOST_LAST_LEVEL = 16 << 20
"""Bytes of the last level that a thread can count on: others use it too, and a virtual machine
tells of the whole chip's."""


def last_level(machine: Machine) -> float:
    """Bytes of the last level of the caches that a pipeline can count on."""
    return min(machine.caches[-1].size, MOST_LAST_LEVEL * machine.threads)


def strided_bytes(cache: Cache, rows: int, row: int, pitch: int) -> int:
    """Bytes of a cache that are taken by `rows` pieces of `row` bytes, `pitch` bytes apart.

    Addresses a way's size apart share a set. Rows whose pitch has a large factor in common with
    that meet in few sets, and take the room of all that lies between these.
    """
    line = cache.line
    row = -(-row // line) * line
    apart = gcd(pitch, max(line, cache.size // cache.ways))
    return rows * (row if pitch <= row else max(row, apart))


__all__ = [
    "CLOSELY_FILLED",
    "FILLED",
    "LEVEL_BYTES",
    "NEAR_PAGES",
    "NEAR_PAGE_CYCLES",
    "PAGE",
    "PAGES",
    "PAGE_CYCLES",
    "last_level",
    "strided_bytes",
]
