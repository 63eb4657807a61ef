"""`Pipeline`: one or more stages that are computed together."""

from __future__ import annotations

from typing import Any

from ..lang.changes import changed
from ..lang.errors import fail
from ..lang.function import Function
from ..lang.overloads import mismatch, whole_number
from ..lang.requirements import Requirement, requirement
from .autoscheduling import AutoschedulerParams, AutoSchedulerResults
from .compile import Compilable
from .func import Func
from .target import Target, machine_target


class Pipeline(Compilable):
    """What to compute: the given `Func` or `Func`s, and all that they read.

    `Pipeline()` is undefined: it can be tested with `defined()` and nothing else.
    """

    def __init__(self, outputs: Any = None) -> None:
        self._defined = outputs is not None
        given = [] if outputs is None else [outputs] if isinstance(outputs, Func) else outputs
        if not isinstance(given, (list, tuple)) or not all(isinstance(f, Func) for f in given):
            mismatch("Pipeline", outputs)
        self._funcs: list[Func] = list(given)
        self._required: list[Requirement] = []

    def outputs(self) -> list[Func]:
        return list(self._funcs)

    def defined(self) -> bool:
        return self._defined

    def get_func(self, index: int) -> Func:
        """Stage `index` of all that the pipeline computes, producers before their consumers."""
        from ..lower import realization_order

        order = realization_order(self._outputs())
        if not 0 <= whole_number("get_func", index) < len(order):
            fail(
                f"Index value passed is {index}; however, there are only {len(order)} functions in "
                "the pipeline."
            )
        return Func(order[index])

    def add_requirement(self, condition: Any, *parts: Any) -> None:
        """Makes every run fail where `condition` does not hold; `parts` (texts and expressions)
        make up the message."""
        changed()
        self._required.append(requirement("add_requirement", condition, parts))

    def apply_autoscheduler(
        self, target: Target, autoscheduler_params: AutoschedulerParams
    ) -> AutoSchedulerResults:
        """Schedules every stage that has no directive yet; the others are left as they are.

        The name is one of Mullapudi2016, Sioutas2018, Sioutas2019 and Measured. Beside a method's
        own parameters, `machine` (a shipped description's name, or a TOML file) says what is
        planned for; otherwise it is this machine. Outputs need estimates (`set_estimates`). Raises
        `HalideError`, with nothing changed, where they are missing or a setting makes no sense.
        """
        if not isinstance(target, Target) or not isinstance(
            autoscheduler_params, AutoschedulerParams
        ):
            mismatch("apply_autoscheduler", target, autoscheduler_params)
        from ..autosched.interface import autoschedule

        made = AutoSchedulerResults()
        made.target, made.autoscheduler_params = target, autoscheduler_params
        made.decision, made.schedule_source = autoschedule(
            self._outputs(),
            machine_target(target),
            autoscheduler_params.name,
            autoscheduler_params.extra,
        )
        return made

    def _requirements(self) -> list[Requirement]:
        return self._required

    def _output_functions(self) -> list[Function]:
        return [f.function for f in self._funcs]

    def _outputs(self) -> list[Function]:
        if not self._defined:
            fail("Pipeline is undefined")
        if not self._funcs:
            fail("Realizations must have at least one element")
        for func in self._funcs:
            if not func.defined():
                fail(f"Func {func.name()} is undefined; a Pipeline cannot output it.")
        return self._output_functions()

    def __repr__(self) -> str:
        return f"<Pipeline [{', '.join(repr(f.name()) for f in self._funcs)}]>"
