"""How often anything was touched that decides what a pipeline compiles to.

Whoever hands out a schedule, adds a definition or changes a promise about a shape counts it here,
rather too often than too seldom. As long as the number stays the same, code that was compiled is
still the right one, and a call needs not compare a pipeline's schedules with what they were.
"""

from __future__ import annotations

count = 0


def changed() -> None:
    """Something may be different from now on."""
    global count
    count += 1
