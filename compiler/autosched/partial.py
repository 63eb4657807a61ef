"""Schedules that are partly by hand: what others rely on stays, the rest is completed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..lang import Function
from ..lang.schedule import ComputeLevel
from ..lower.wrappers import definitions_of

if TYPE_CHECKING:
    from .graph import PipelineGraph


def named_loops(order: Sequence[Function]) -> Mapping[str, frozenset[str]]:
    """By stage that nobody scheduled: its loops that directives of other stages name.

    `f.compute_at(g, y)` says nothing of how `g` runs, but `g` has to keep its loop `y`.
    """
    free = {f.name for f in order if not f.schedule.any_touched}
    found: dict[str, set[str]] = {}
    for function in order:
        for level in _levels(function):
            if level.place == "at" and level.func in free:
                found.setdefault(level.func, set()).add(level.var)
    return {name: frozenset(loops) for name, loops in found.items()}


def left_as_they_are(order: Sequence[Function]) -> frozenset[str]:
    """The stages that nobody scheduled and that stay so: those between a stage and the loop that
    its user placed it in. It can be computed there as long as they are computed there, too."""
    readers: dict[str, set[str]] = {f.name: set() for f in order}
    for function in order:
        for definition in definitions_of(function):
            for source in definition.sources:
                if isinstance(source, Function) and source is not function:
                    readers[source.name].add(function.name)
    below: dict[str, set[str]] = {}
    for function in reversed(order):
        found = readers[function.name]
        below[function.name] = found.union(*(below[name] for name in found))
    touched = {f.name for f in order if f.schedule.any_touched}
    kept: set[str] = set()
    for function in order:
        hosts = {level.func for level in _levels(function) if level.place == "at"}
        kept |= {n for n in below[function.name] if below[n] & hosts}
    return frozenset(kept - touched)


def are_stored_within(graph: PipelineGraph, name: str) -> bool:
    """Whether all that somebody placed in the loops of stage `name` has its memory in there, too:
    if not, the loops' iterations share it and can't run at once."""
    for stage in graph.stages.values():
        levels = list(_levels(stage.function))
        inside = [level.place == "at" and level.func == name for level in levels]
        if any(inside) and not all(inside):
            return False
    return True


def _levels(function: Function) -> Iterator[ComputeLevel]:
    schedule = function.schedule
    for level in (schedule.level, schedule.store_level, schedule.hoist_level):
        if level is not None:
            yield level
    for stage in schedule.stages:
        if stage.fused is not None:
            yield ComputeLevel("at", stage.fused.func, stage.fused.var)


__all__ = ["are_stored_within", "left_as_they_are", "named_loops"]
