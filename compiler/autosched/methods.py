"""The methods by name, and what users may set of each.

A method is loaded when it is asked for. It stands in `METHODS` with the file that it is in, its
function, and the dataclass of its parameters, whose fields are what users may set by text;
`of(machine)`, where the dataclass has it, makes the usual ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from typing import Any

from ..lang import Function, HalideError
from .estimates import estimated_graph
from .graph import PipelineGraph
from .groups import Grouping
from .machine import Machine
from .schedule import Schedule


@dataclass(frozen=True)
class Method:
    """Where a method is, and the settings that have other names than its parameters' fields."""

    name: str
    file: str
    function: str
    settings: Mapping[str, str] = field(default_factory=dict)
    """By the name that users know from the real package: the field."""

    @property
    def parameters(self) -> str:
        """The name of the class of its parameters."""
        return f"{self.name}Parameters"

    def load(self) -> Any:
        """The module."""
        return import_module(f".{self.file}", __package__)


MEASURED = "Measured"

METHODS = {
    method.name: method
    for method in (
        Method(
            "Mullapudi2016",
            "mullapudi2016",
            "mullapudi2016",
            settings={
                "parallelism": "parallelism_threshold",
                "last_level_cache_size": "cache_size",
                "balance": "load_cost",
            },
        ),
        Method("Sioutas2018", "sioutas2018", "sioutas2018"),
        Method("Sioutas2019", "sioutas2019", "sioutas2019"),
        Method(MEASURED, "measured", "measured"),
    )
}

ELSEWHERE = ("Adams2019", "Li2018", "Anderson2021")
"""The real package's other ones."""

GPU = "experimental_gpu_schedule"
"""A setting of the real Mullapudi2016; what it asks for isn't here."""

MACHINE = "machine"
PARALLELISM = "parallelism"
"""Settings that every method has: `Machine.read` and a number of threads."""


@dataclass(frozen=True)
class ScheduleDecision:
    """What a method decided for a pipeline."""

    method: str
    machine: Machine
    schedule: Schedule
    grouping: Grouping | None
    candidates: tuple[Any, ...] = ()
    """Of `Measured`: all that were timed (`measured.Candidate`)."""


def available() -> list[str]:
    """The names of the methods that can be asked for."""
    return list(METHODS)


def decide(
    name: str,
    outputs: Sequence[Function],
    machine: Machine,
    settings: Mapping[str, str] | None = None,
    is_here: bool = True,
    progress: Callable[[str], None] | None = None,
) -> ScheduleDecision:
    """The schedule that the method `name` finds for `outputs` on `machine`.

    `settings` are parameters by name, as text. `is_here` says whether this process runs on what is
    compiled for, so that schedules can be timed; `progress` is told how that goes. Raises
    `HalideError` for an unknown method, a setting that it hasn't or that makes no sense, and for
    missing estimates.
    """
    method = method_named(name)
    module = method.load()
    machine, rest = _threads(method, module, machine, dict(settings or {}))
    parameters = _parameters(method, getattr(module, method.parameters), machine, rest)
    function = getattr(module, method.function)
    if name != MEASURED:
        grouping = function(estimated_graph(outputs), machine, parameters)
        return ScheduleDecision(name, machine, grouping.schedule(machine), grouping)

    def others(graph: PipelineGraph) -> list[Grouping]:
        is_timed = is_here and parameters.budget > 0
        return proposals(parameters.methods, outputs, machine, graph, is_timed)

    found = function(outputs, machine, parameters, is_here, others, progress)
    winner = found.winner
    return ScheduleDecision(name, machine, winner.schedule, winner.grouping, found.candidates)


def proposals(
    names: Sequence[str],
    outputs: Sequence[Function],
    machine: Machine,
    graph: PipelineGraph | None = None,
    tuned: bool = True,
) -> list[Grouping]:
    """What the methods `names` decide; `tuned`, each with all of the parameter sets that are worth
    timing (`reduced_tuning`, where its file has one); alike ones once. `graph` is that of
    `outputs`, where it was made already.

    A method that refuses the pipeline proposes nothing. Raises `HalideError` for unknown names.
    """
    graph = estimated_graph(outputs) if graph is None else graph
    made: list[Grouping] = []
    for name in names:
        if name == MEASURED:
            raise HalideError(f"{MEASURED} can't be one of the methods that {MEASURED} compares.")
        method = method_named(name)
        module = method.load()
        kind = getattr(module, method.parameters)
        sets = [_usual(kind, machine)]
        if tuned and hasattr(module, "reduced_tuning"):
            sets += module.reduced_tuning(machine)
        for parameters in dict.fromkeys(sets):
            try:
                grouping = getattr(module, method.function)(graph, machine, parameters)
            except HalideError:
                continue
            if all(grouping.groups != other.groups for other in made):
                made.append(grouping)
    return made


def method_named(name: str) -> Method:
    """The method; raises `HalideError` with the names of those that there are."""
    known = "\n".join(f"    {n}" for n in available())
    if not name:
        raise HalideError(
            f"apply_autoscheduler was called with no Autoscheduler specified; there are:\n{known}"
        )
    if name in ELSEWHERE:
        raise HalideError(
            f"The autoscheduler {name} is the real package's; this compiler has:\n{known}"
        )
    method = METHODS.get(name)
    if method is None:
        raise HalideError(f"Unknown autoscheduler name '{name}'; known names are:\n{known}")
    return method


def settings_of(name: str) -> list[str]:
    """The names of what may be set of a method, as texts."""
    method = method_named(name)
    own = [f.name for f in fields(getattr(method.load(), method.parameters))]
    return list(dict.fromkeys([MACHINE, PARALLELISM, *method.settings, *own]))


def _threads(
    method: Method, module: Any, machine: Machine, settings: dict[str, str]
) -> tuple[Machine, dict[str, str]]:
    """The machine with as many threads as `parallelism` says, where that is no parameter of the
    method's own; what is left to set."""
    own = {f.name for f in fields(getattr(module, method.parameters))} | set(method.settings)
    if PARALLELISM in settings and PARALLELISM not in own:
        threads = _value(method.name, PARALLELISM, "int", settings.pop(PARALLELISM))
        return replace(machine, cores=threads, threads_per_core=1), settings
    return machine, settings


def _usual(kind: Any, machine: Machine) -> Any:
    return kind.of(machine) if hasattr(kind, "of") else kind()


def _parameters(method: Method, kind: Any, machine: Machine, settings: Mapping[str, str]) -> Any:
    """The method's parameters: the usual ones, and what `settings` say."""
    types = {f.name: str(f.type) for f in fields(kind)}
    given = {}
    for key, text in settings.items():
        name = method.settings.get(key, key)
        if key == GPU and method.settings:
            if _value(method.name, key, "bool", text):
                raise HalideError(f"{key}: this compiler has no schedules for GPUs.")
            continue
        if name not in types:
            known = ", ".join(settings_of(method.name))
            raise HalideError(f"{method.name} has no parameter '{key}'; it has {known}.")
        given[name] = _value(method.name, key, types[name], text)
    return replace(_usual(kind, machine), **given)


def _value(method: str, key: str, type: str, text: str) -> Any:
    """The value that a text gives to a field of some type."""
    kind = type.replace("| None", "").strip()
    words = {"1": True, "true": True, "0": False, "false": False}
    expected = "a text"
    if kind == "bool":
        expected = "true or false"
        if text.strip().lower() in words:
            return words[text.strip().lower()]
    elif kind == "int":
        expected = "a whole number above 0"
        if text.strip().isascii() and text.strip().isdigit() and 0 < int(text) < 1 << 48:
            return int(text)
    elif kind == "float":
        expected = "a number from 0 up"
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if 0 <= value < math.inf:
            return value
    elif kind == "tuple[str, ...]":
        return tuple(part.strip() for part in text.split(",") if part.strip())
    elif kind == "str":
        return text
    raise HalideError(f"{method}: {key} = '{text}': expected {expected}.")


__all__ = [
    "METHODS",
    "ScheduleDecision",
    "Method",
    "available",
    "decide",
    "proposals",
    "settings_of",
]
