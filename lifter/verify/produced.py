"""What earlier stages of a kernel left behind, as later ones may rely on it."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.summary import Summary


@dataclass(frozen=True)
class Produced:
    """What earlier stages of the kernel left in an array."""

    summary: Summary
    is_fresh: bool
    """A local array that nothing else has written: its other elements are undefined."""
    interval: tuple[int, int] | None = None
    """Proven bounds of its elements' values."""
