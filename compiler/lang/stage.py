"""`Stage`: the schedule of one definition, or of one of its specializations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .changes import changed
from .directives import Directives
from .errors import fail
from .function import Function
from .loop_changes import apply_split
from .overloads import instance, mismatch, only_variable
from .schedule import StageSchedule
from .variables import RVar, Var

if TYPE_CHECKING:
    from .func import Func


class Stage(Directives):
    """The schedule of one definition: 0 the pure one, i + 1 update i.

    `Stage(func)` is that of the pure definition. `schedule` is the one to change: the definition's
    own, or that of a specialization.
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

    def _stage(self) -> Stage:
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

    def rfactor(self, preserved: Any, new: Any = None) -> Func:
        """Moves part of an associative reduction into a stage of its own, which it returns.

        `rfactor(r, v)` or `rfactor([(r, v), ...])`: the new stage keeps each reduction variable r
        as its coordinate v and reduces over the others; this one reduces over the r alone.
        """
        from .rfactor import rfactor

        given = [(preserved, new)] if new is not None else preserved
        if not isinstance(given, (list, tuple)):
            mismatch("rfactor", preserved)
        pairs: list[tuple[RVar, Var]] = []
        for pair in given:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                mismatch("rfactor", preserved)
            loop, kept = only_variable(pair[0]), pair[1]
            pairs.append((instance("rfactor", loop, RVar), instance("rfactor", kept, Var)))
        if self.index == 0:
            fail("rfactor() must be called on an update definition")
        return rfactor(self, pairs)

    def __repr__(self) -> str:
        return f"<Stage '{self.name()}'>"


__all__ = ["Stage", "apply_split"]
