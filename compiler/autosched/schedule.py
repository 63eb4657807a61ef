"""A schedule as the directives that a person would have written: applied, printed, pasted."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..lang import (
    DefinitionHandle,
    Function,
    HalideError,
    RVar,
    StageHandle,
    TailStrategy,
    Var,
)


@dataclass(frozen=True)
class ScheduleLoop:
    """A loop of a stage, by its variable's name."""

    name: str
    is_reduction: bool = False
    """Whether the variable is a reduction's, or was split off one."""


@dataclass(frozen=True)
class At:
    """A stage, as an argument: `blur_y` in `blur_x.compute_at(blur_y, yo)`."""

    stage: str


Argument = ScheduleLoop | At | int | TailStrategy


@dataclass(frozen=True)
class Directive:
    """One call: `stage.name(*args)`, or `stage.update(update).name(*args)`."""

    stage: str
    name: str
    args: tuple[Argument, ...] = ()
    update: int | None = None


@dataclass(frozen=True)
class Schedule:
    """The directives for the stages of a pipeline that nobody scheduled.

    They are kept by stage, so the text reads as one chain a definition; the order within a
    definition counts, between definitions it doesn't.
    """

    directives: tuple[Directive, ...]

    def apply(self, order: Sequence[Function]) -> None:
        """Gives the directives to the stages of `order`; those with directives are left alone.

        Raises `HalideError`, with nothing changed, for a directive that makes no sense.
        """
        by_name = {f.name: f for f in order}
        kept = {f: f.schedule for f in order}
        free = {f.name for f in order if not f.schedule.any_touched}
        try:
            for function in order:
                function.schedule = function.schedule.copy()
            for directive in self.directives:
                if directive.stage in free:
                    _call(directive, by_name)
        except HalideError:
            for function, schedule in kept.items():
                function.schedule = schedule
            raise

    def source(self, order: Sequence[Function]) -> str:
        """Python text that does the same, where `hl` is this package and `pipeline` the pipeline.

        Stages are found by their number (`Pipeline.get_func`), so that the text holds in another
        process, where generated names differ.
        """
        return _Text(self, order).text()


def _call(directive: Directive, by_name: Mapping[str, Function]) -> None:
    function = by_name[directive.stage]
    receiver: Any = StageHandle(function)
    if directive.update is not None:
        receiver = DefinitionHandle(function, directive.update + 1)
    args: list[Any] = []
    for argument in directive.args:
        if isinstance(argument, ScheduleLoop):
            args.append(RVar(argument.name) if argument.is_reduction else Var(argument.name))
        elif isinstance(argument, At):
            args.append(StageHandle(by_name[argument.stage]))
        else:
            args.append(argument)
    getattr(receiver, directive.name)(*args)


class _Text:
    """One schedule, written out."""

    def __init__(self, schedule: Schedule, order: Sequence[Function]) -> None:
        self.schedule, self.order = schedule, order
        self.names: dict[Any, str] = {}
        """The Python name of each stage (by `At`) and loop."""

    def text(self) -> str:
        chains: dict[tuple[str, int | None], list[Directive]] = {}
        for directive in self.schedule.directives:
            chains.setdefault((directive.stage, directive.update), []).append(directive)
        places = {f.name: i for i, f in enumerate(self.order)}
        used = {a for d in self.schedule.directives for a in (At(d.stage), *d.args)}
        stages = [f for f in self.order if At(f.name) in used]
        lines = [
            f"{self.name(At(f.name), f.name)} = pipeline.get_func({places[f.name]})" for f in stages
        ]
        lines += self.loops()
        ordered = sorted(chains.items(), key=lambda item: places[item[0][0]])
        lines += [self.chain(stage, update, calls) for (stage, update), calls in ordered]
        return "\n".join(lines) + "\n"

    def loops(self) -> list[str]:
        """The lines that declare the variables."""
        loops = {
            a: None for d in self.schedule.directives for a in d.args if isinstance(a, ScheduleLoop)
        }
        lines = []
        pure = [loop for loop in loops if not loop.is_reduction]
        if pure:
            names = ", ".join(self.name(loop, loop.name) for loop in pure)
            values = " ".join(loop.name for loop in pure)
            lines.append(f"{names} = hl.vars({values!r})" if len(pure) > 1 else
                         f"{names} = hl.Var({values!r})")  # fmt: skip
        own: dict[str, str] = {}
        for function in self.order:
            for index, definition in enumerate(function.definitions[1:]):
                domain = definition.domain
                for place, name in enumerate(domain.names if domain is not None else ()):
                    if At(function.name) in self.names:
                        stage = self.names[At(function.name)]
                        own.setdefault(name, f"{stage}.rvars({index})[{place}]")
        for loop in loops:
            if loop.is_reduction:
                value = own.get(loop.name, f"hl.RVar({loop.name!r})")
                lines.append(f"{self.name(loop, loop.name)} = {value}")
        return lines

    def chain(self, stage: str, update: int | None, calls: Sequence[Directive]) -> str:
        start = self.names[At(stage)] + ("" if update is None else f".update({update})")
        written = [f".{c.name}({', '.join(map(self.argument, c.args))})" for c in calls]
        line = start + "".join(written)
        if len(line) <= 100:
            return line
        return "\n    ".join([f"({start}", *written]) + "\n)"

    def argument(self, argument: Argument) -> str:
        if isinstance(argument, ScheduleLoop | At):
            return self.names[argument]
        if isinstance(argument, TailStrategy):
            return f"hl.TailStrategy.{argument.name}"
        return repr(argument)

    def name(self, thing: Any, wanted: str) -> str:
        """A Python name like `wanted` for a stage or loop, that nothing else has."""
        clean = re.sub(r"\W", "_", wanted)
        if clean[:1].isdigit() or keyword.iskeyword(clean) or clean in ("hl", "pipeline"):
            clean += "_"
        made, count = clean, 1
        while made in self.names.values():
            count += 1
            made = f"{clean}_{count}"
        self.names[thing] = made
        return made


__all__ = ["Argument", "At", "Directive", "ScheduleLoop", "Schedule"]
