"""What is said of a machine, whoever says it: the fields of a `Machine`, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..lang import HalideError

Facts = Mapping[str, Any]
"""A value for each field of `Machine`."""

CYCLES = (4.0, 14.0, 50.0, 90.0)
"""What reading from each level of the caches usually takes, where nobody says."""

MEMORY_CYCLES = 200.0
PREFETCH_DISTANCE = 20
"""Lines that the second level's prefetcher usually runs ahead (thesis section 4.3)."""


class MachineError(HalideError):
    """A description that makes no sense; `problems` has a sentence for each thing wrong."""

    def __init__(self, origin: str, problems: Sequence[str]) -> None:
        self.origin, self.problems = origin, tuple(problems)
        self.sentences = [f"{origin}: {problem}" for problem in problems]
        super().__init__("\n".join(self.sentences))


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


__all__ = ["CYCLES", "MEMORY_CYCLES", "PREFETCH_DISTANCE", "Cache", "Facts", "MachineError"]
