"""What a scheduler needs to know of a machine: cores, vectors, caches, bandwidth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cache:
    """One level of cache, as one thread sees it."""

    size: int
    """Bytes."""
    line: int = 64
    """Bytes."""
    ways: int = 8
    shared_by: int = 1
    """How many threads share it."""


@dataclass(frozen=True)
class Machine:
    """A machine with its caches, the first level first (thesis table 4.1)."""

    name: str
    cores: int
    threads_per_core: int
    vector_bits: int
    caches: tuple[Cache, ...]
    bandwidth: float
    """Bytes a second that all cores together copy from and to memory."""
    clock: float = 3e9
    """Cycles a second."""
    prefetch_distance: int = 20
    """Lines that the second level's prefetcher runs ahead (thesis section 4.3)."""
    next_line_prefetch: bool = True
    """Whether the first level fetches the line after each one that is read."""
    level_costs: tuple[float, ...] = (4.0, 14.0, 50.0, 200.0)
    """Cycles to read from each level, then from memory."""

    @property
    def threads(self) -> int:
        return self.cores * self.threads_per_core

    def lanes(self, bits: int) -> int:
        """How many values of `bits` bits one vector holds."""
        return max(1, self.vector_bits // max(8, bits))
