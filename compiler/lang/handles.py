"""What directives are given to: one definition's loops, or a stage as a whole."""

from __future__ import annotations

from typing import Any, Self

from .changes import changed
from .directives import Directives
from .errors import fail
from .function import Function
from .gpu import DeviceCopies
from .overloads import mismatch
from .placement import Placement
from .schedule import StageSchedule


class DefinitionHandle(Directives):
    """The schedule of one definition: 0 the pure one, i + 1 update i.

    `function` is a `Function` or a handle of one. `schedule` is the one to change: the
    definition's own, or that of a specialization.
    """

    def __init__(
        self, function: Any, index: int = 0, schedule: StageSchedule | None = None
    ) -> None:
        if hasattr(function, "function"):
            function = function.function
        if not isinstance(function, Function):
            mismatch("Stage", function)
        if not 0 <= index < len(function.definitions):
            fail(f'Func "{function.name}" has no definition {index} to schedule.')
        self.function, self.index = function, index
        self._schedule = function.schedule.stages[index] if schedule is None else schedule

    @property
    def schedule(self) -> StageSchedule:
        """The schedule, to read and to change."""
        changed()
        return self._schedule

    def name(self) -> str:
        return self.function.stage_name(self.index)

    def _stage(self) -> Self:
        return self

    def unscheduled(self) -> None:
        """Says that this definition is meant to have no directive."""
        if self.schedule.touched:
            fail(f"Stage {self.name()} was called unscheduled, but it has a schedule.")
        self.schedule.touched = True

    def dump_argument_list(self) -> str:
        """The loops' variables, innermost first."""
        names = [*(d.name for d in self.schedule.dimensions), "__outermost"]
        return f"Vars: {' '.join(names)}\n"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.name()}'>"


class StageHandle(Directives, Placement, DeviceCopies):
    """A stage: directives about loops are given to its pure definition."""

    def __init__(self, function: Function) -> None:
        self._function = function

    @property
    def function(self) -> Function:
        return self._function

    def _stage(self) -> DefinitionHandle:
        if not self._function.defined:
            fail(f'Func "{self._function.name}" has no definition to schedule.')
        return DefinitionHandle(self._function, 0)


__all__ = ["DefinitionHandle", "StageHandle"]
