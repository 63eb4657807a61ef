"""Winners on disk, by pipeline, machine and sizes: what was timed once is not timed again.

An entry is one JSON file. It holds directives, never code; stages and reduction variables stand in
it by their places in the pipeline, since generated names differ from process to process.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from ..lang import Function, TailStrategy
from ..lang.errors import HalideWarning
from ..lower.environment import realization_order
from ..lower.wrappers import definitions_of
from .graph import PipelineGraph
from .machine import Machine
from .schedule import Argument, At, Directive, Schedule, ScheduleLoop

FORMAT = 1


def folder() -> Path:
    """Where entries lie: `LIFT_SCHEDULES`, or `lift/schedules` in the user's folder for caches."""
    given = os.environ.get("LIFT_SCHEDULES")
    if given:
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "lift" / "schedules"


class Kept:
    """The entry of one pipeline on one machine, for the sizes that are estimated."""

    def __init__(
        self, outputs: Sequence[Function], graph: PipelineGraph, machine: Machine, about: str
    ) -> None:
        """`about`: whatever else the winner depends on (the target, the number of threads)."""
        self.order = realization_order(outputs)
        self._names = _places(self.order)
        text = [str(FORMAT), own_digest(), json.dumps(asdict(machine), sort_keys=True), about]
        for function in self.order:
            text.append(self._text(function))
        text += [f"{name} {graph.bounds(name)}" for name in sorted(graph.images)]
        text += [f"{i} {graph.bounds(f.name)}" for i, f in enumerate(self.order)
                 if f.name in graph.stages]  # fmt: skip
        digest = hashlib.sha256("\n".join(text).encode()).hexdigest()
        self.path = folder() / f"{digest[:32]}.json"

    def _text(self, function: Function) -> str:
        """A stage's definitions and what its user said of it, with places in place of names."""
        parts: list[Any] = [function.args, *map(str, function.types)]
        for d in definitions_of(function):
            parts += [*map(str, d.args), *map(str, d.values), *map(str, d.predicates)]
            if d.domain is not None:
                parts += [f"{n} {low} {size}" for n, (low, size) in
                          zip(d.domain.names, d.domain.bounds, strict=True)]  # fmt: skip
        if function.schedule.any_touched:
            parts.append(str(function.schedule.key()))
        parts += [str(dict(o.dim(i).promised)) for o in function.outputs
                  for i in range(o.dimensions())]  # fmt: skip
        pattern = r"[A-Za-z_][\w$]*"
        return re.sub(pattern, lambda m: self._names.get(m[0], m[0]), "; ".join(map(str, parts)))

    def find(self) -> tuple[Schedule, float] | None:
        """The winner and its seconds; None where there is none, or what lies there is damaged."""
        try:
            stored = json.loads(self.path.read_text("utf-8"))
            names = {place: name for name, place in self._names.items()}
            directives = tuple(_directive(d, names) for d in stored["directives"])
            return Schedule(directives), float(stored["seconds"])
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None

    def keep(self, schedule: Schedule, seconds: float) -> None:
        """Writes the entry, whole or not at all; warns where the folder can't be written."""
        stored = {
            "format": FORMAT,
            "seconds": seconds,
            "directives": [self._stored(d) for d in schedule.directives],
            "source": schedule.source(self.order),
        }
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            temporary = self.path.with_suffix(f".{os.getpid()}.tmp")
            temporary.write_text(json.dumps(stored, indent=1), "utf-8")
            temporary.replace(self.path)
        except OSError as error:
            warnings.warn(
                f"The schedule was not kept for the next time: {error.strerror or error} "
                f"({self.path.parent}). Set LIFT_SCHEDULES to a folder that can be written.",
                HalideWarning,
                stacklevel=2,
            )

    def _stored(self, directive: Directive) -> dict[str, Any]:
        args = [_stored_argument(a, self._names) for a in directive.args]
        made: dict[str, Any] = {
            "stage": self._names[directive.stage], "name": directive.name, "args": args
        }  # fmt: skip
        if directive.update is not None:
            made["update"] = directive.update
        return made


def _places(order: Sequence[Function]) -> dict[str, str]:
    """By the name of each stage and reduction variable: where it is found."""
    made = {}
    for i, function in enumerate(order):
        made[function.name] = f"@{i}"
        for j, definition in enumerate(function.definitions):
            domain = definition.domain
            for k, name in enumerate(domain.names if domain is not None else ()):
                made.setdefault(name, f"@{i}.{j}.{k}@")
    return made


def _stored_argument(argument: Argument, names: Mapping[str, str]) -> Any:
    if isinstance(argument, At):
        return {"stage": names[argument.stage]}
    if isinstance(argument, TailStrategy):
        return {"tail": argument.name}
    if isinstance(argument, int):
        return argument
    # A loop that was split off a reduction's is named after it.
    name = argument.name
    longest = max((n for n in names if argument.is_reduction and name.startswith(n)),
                  key=len, default="")  # fmt: skip
    return {
        "loop": names.get(longest, "") + name[len(longest) :],
        "is_reduction": argument.is_reduction,
    }


def _directive(stored: Any, names: Mapping[str, str]) -> Directive:
    args = tuple(_argument(a, names) for a in stored["args"])
    update = stored.get("update")
    if not isinstance(stored["name"], str) or stored["name"].startswith("_"):
        raise ValueError(stored["name"])
    return Directive(names[stored["stage"]], stored["name"], args, update)


def _argument(stored: Any, names: Mapping[str, str]) -> Argument:
    if isinstance(stored, int):
        return stored
    if "stage" in stored:
        return At(names[stored["stage"]])
    if "tail" in stored:
        return TailStrategy[stored["tail"]]
    loop = stored["loop"]
    if loop.startswith("@"):
        place, _, rest = loop[1:].partition("@")
        loop = names[f"@{place}@"] + rest
    return ScheduleLoop(loop, bool(stored["is_reduction"]))


@cache
def own_digest() -> str:
    """A digest of the compiler itself: a winner of another version may win no more."""
    found = hashlib.sha256()
    root = Path(__file__).parents[1]
    for file in sorted(root.rglob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest()


__all__ = ["Kept", "folder"]
