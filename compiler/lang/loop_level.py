"""`LoopLevel`: a place in the loop nest that directives take, and that may be filled in later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .changes import changed
from .errors import fail
from .overloads import loop_variable, mismatch, whole_number
from .schedule import INLINE, ROOT, ComputeLevel

UNDEFINED = ComputeLevel("undefined")


class LoopLevel:
    """`LoopLevel(func, var)`, `LoopLevel.root()`, `LoopLevel.inlined()`, or `LoopLevel()`, to be
    `set` before the pipeline is compiled. Whoever was scheduled at it follows when it is set."""

    def __init__(self, func: Any = None, var: Any = None, stage_index: int = -1) -> None:
        self.compute_level = UNDEFINED
        self._stage_index = whole_number("LoopLevel", stage_index)
        self._followers: list[Callable[[ComputeLevel], None]] = []
        if func is None and var is None:
            return
        if not hasattr(func, "function") or hasattr(func, "index"):
            mismatch("LoopLevel", func, var)
        self.compute_level = ComputeLevel(
            "at", func.function.name, loop_variable("LoopLevel", var).name()
        )

    @classmethod
    def _fixed(cls, level: ComputeLevel) -> LoopLevel:
        made = cls()
        made.compute_level = level
        return made

    @staticmethod
    def root() -> LoopLevel:
        return LoopLevel._fixed(ROOT)

    @staticmethod
    def inlined() -> LoopLevel:
        return LoopLevel._fixed(INLINE)

    def set(self, other: LoopLevel) -> None:
        """Makes this the place that `other` is now."""
        if not isinstance(other, LoopLevel):
            mismatch("LoopLevel.set", other)
        changed()
        self.compute_level, self._stage_index = other.compute_level, other._stage_index
        for follow in self._followers:
            follow(self.compute_level)

    def stage_index(self) -> int:
        """The definition meant by `compute_with`: 0 the pure one; -1 where none was named."""
        if self.compute_level is UNDEFINED:
            fail("An undefined LoopLevel has no stage index.")
        return self._stage_index

    def follow(self, use: Callable[[ComputeLevel], None]) -> None:
        """Calls `use` with the place now and whenever it is set again."""
        self._followers.append(use)
        use(self.compute_level)

    def __repr__(self) -> str:
        level = self.compute_level
        place = f"{level.func}.{level.var}" if level.place == "at" else level.place
        return f"<LoopLevel {place}>"
