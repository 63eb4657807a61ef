"""Random directives for the programs of corpus/pipelines, by the names of their stages."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from corpus.pipelines.program import Algorithm

MOST_INLINED = 2
"""Stages inlined in a row multiply their work: a program keeps all but this many in memory."""


MOST_NESTED = 4
"""The same of stages that are computed in each other's loops: twelve took either compiler's code
minutes for a small picture."""


@dataclass(frozen=True)
class StageShape:
    """What a scheduler must know of a stage."""

    name: str
    args: tuple[str, ...]
    updates: tuple[tuple[str, ...], ...]
    """The pure loops of each update."""
    readers: frozenset[str]
    """Names of the stages that read it; those without a name among them as themselves."""
    is_output: bool


def shapes(algorithm: Algorithm) -> list[StageShape]:
    """The named stages of an algorithm built with our package, in any order."""
    from compiler.ir import Variable
    from compiler.lower import realization_order

    names = {func.function: name for name, func in algorithm.stages.items()}
    outputs = {func.function for func in algorithm.outputs}
    for number, output in enumerate(algorithm.outputs):
        names.setdefault(output.function, f"output {number}")
    readers: dict[Any, set[str]] = {}
    for function in reversed(realization_order(list(outputs))):
        through = {names[function]} if function in names else readers.get(function, set())
        for definition in function.definitions:
            for source in definition.sources:
                readers.setdefault(source, set()).update(through)
    made = []
    for function, name in names.items():
        if function not in outputs and not readers.get(function):
            continue
        updates = tuple(
            tuple(
                a for a, e in zip(function.args, d.args, strict=True)
                if isinstance(e, Variable) and e.name == a
            )
            for d in function.definitions[1:]
        )  # fmt: skip
        reading = frozenset(readers.get(function, ()))
        args = tuple(function.args)
        made.append(StageShape(name, args, updates, reading, function in outputs))
    return made


def random_directives(r: random.Random, stages: Sequence[StageShape]) -> list[str]:
    """Lines over `hl` and `s`, the stages by name: where each is computed, and its loops."""
    lines: list[str] = []
    inlined: set[str] = set()
    loops: dict[str, list[str]] = {}
    depth: dict[str, int] = {}
    waiting = {stage.name: stage for stage in stages}
    while waiting:
        # Consumers first, so that their loops are known to what is computed in them.
        stage = next(
            s for s in waiting.values() if all(c not in waiting or c == s.name for c in s.readers)
        )
        del waiting[stage.name]
        handle = f"s[{stage.name!r}]"
        fits = len(stage.readers) == 1 and len(inlined) < MOST_INLINED
        fits = fits and not inlined & stage.readers
        if fits and not stage.is_output and not stage.updates and r.random() < 0.15:
            inlined.add(stage.name)
            continue
        if not stage.is_output:
            level = _level(r, stage, handle, loops, inlined)
            depth[stage.name] = 1 + max(depth.get(c, 0) for c in stage.readers)
            if "compute_root" in level[0] or depth[stage.name] > MOST_NESTED:
                level, depth[stage.name] = [f"{handle}.compute_root()"], 0
            lines += level
        loops[stage.name] = _loops(r, lines, handle, list(stage.args), stage.is_output)
        for index, pure in enumerate(stage.updates):
            if pure and r.random() < 0.5:
                _loops(r, lines, f"{handle}.update({index})", list(pure), True)
    return lines


def _level(
    r: random.Random,
    stage: StageShape,
    handle: str,
    loops: Mapping[str, list[str]],
    inlined: set[str],
) -> list[str]:
    readers = stage.readers
    (reader, *others) = sorted(readers)
    if not others and reader not in inlined and reader in loops and r.random() < 0.5:
        around = loops[reader]
        place = r.randrange(max(1, len(around) // 2), len(around) + 1) - 1
        line = f"{handle}.compute_at(s[{reader!r}], hl.Var({around[place]!r}))"
        if place + 1 < len(around) and r.random() < 0.5:
            outer = r.choice(around[place + 1 :])
            return [line, f"{handle}.store_at(s[{reader!r}], hl.Var({outer!r}))"]
        return [line]
    return [f"{handle}.compute_root()"]


def _loops(
    r: random.Random, lines: list[str], handle: str, args: list[str], exact: bool
) -> list[str]:
    """Adds splits and marks of the pure loops `args`; gives the loops that there are then."""
    order = list(args)
    tail = ", hl.TailStrategy.GuardWithIf" if exact else ""
    if r.random() < 0.25:
        return order
    outermost = order[-1]
    if len(order) > 1 and r.random() < 0.5:
        inner = f"{outermost}_in"
        factor = r.choice([4, 7, 8, 16])
        lines.append(
            f"{handle}.split(hl.Var({outermost!r}), hl.Var({outermost!r}), hl.Var({inner!r}), "
            f"{factor}{tail})"
        )
        order[-1:] = [inner, outermost]
    if r.random() < 0.7:
        lines.append(f"{handle}.vectorize(hl.Var({order[0]!r}), {r.choice([4, 8, 16])}{tail})")
    if len(order) > 1 and r.random() < 0.2:
        lines.append(f"{handle}.unroll(hl.Var({order[1]!r}), 2{tail})")
    if len(order) > 1 and r.random() < 0.4:
        lines.append(f"{handle}.parallel(hl.Var({order[-1]!r}))")
    return order


def apply(hl: ModuleType, algorithm: Algorithm, lines: Sequence[str]) -> None:
    """Gives the directives to an algorithm of the package `hl`."""
    stages = dict(algorithm.stages)
    for number, output in enumerate(algorithm.outputs):
        if all(output is not f for f in stages.values()):
            stages[f"output {number}"] = output
    for line in lines:
        eval(line, {"hl": hl, "s": stages})
