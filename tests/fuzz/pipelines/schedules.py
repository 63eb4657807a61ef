"""Random directives for a program's stages, mostly ones that make sense.

What both packages refuse teaches little, so levels and loops are chosen from those that exist; the
real package still has the last word on what is legal.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from .levels import Levels, choose_inlined, loops_of
from .program import Stage

TAILS = ["Auto", "Auto", "Auto", "GuardWithIf", "ShiftInwards", "RoundUp", "Predicate"]


@dataclass
class _Loops:
    """The loops of one definition, innermost first, and what was said of them."""

    handle: str
    pure: list[str]
    reductions: list[str]
    lines: list[str] = field(default_factory=list)
    constant: dict[str, int] = field(default_factory=dict)
    """The extents of inner loops of splits."""
    marked: set[str] = field(default_factory=set)
    concurrent: dict[str, bool] = field(default_factory=dict)
    """Loops that run at once: as a whole (True) or in lanes split off from them (False)."""
    vectors: set[str] = field(default_factory=set)
    """Those of them whose steps are lanes."""

    def say(self, directive: str) -> None:
        self.lines.append(f"{self.handle}.{directive}")


def random_schedule(r: random.Random, stages: Sequence[Stage]) -> list[str]:
    """Directives for all `stages`, consumers first; none at all for one program in ten."""
    if r.random() < 0.1:
        return []
    lines: list[str] = []
    inlined = choose_inlined(r, stages)
    levels = Levels(stages, inlined)
    for stage in reversed(stages):
        if stage.name in inlined:
            continue
        if stage is stages[-1]:
            levels.around[stage.name] = ()
        else:
            lines += levels.place(r, stage.name)
        lines += _definition(r, stage, stage is stages[-1], levels)
        for index in range(stage.updates):
            lines += _update(r, stage, index, levels)
    lines += _extras(r, stages, inlined, levels)
    return lines


def _definition(r: random.Random, stage: Stage, is_output: bool, levels: Levels) -> list[str]:
    made = _Loops(stage.name, list(stage.pure_loops), [])
    plain = loops_of(stage.name, 0, made.pure, {}, ())
    if r.random() < 0.3:
        levels.add(stage.name, 0, [plain])
        return []
    _shape(r, made, {"x": ("xo", "xi"), "y": ("yo", "yi"), "i": ("xo", "xi")}, is_output)
    nests = [loops_of(stage.name, 0, made.pure, made.concurrent, made.vectors)]
    if r.random() < 0.15 and stage.kind == "pure":
        # What was said before holds in both branches, what is said later in the general one.
        if r.random() < 0.5:
            made.lines.insert(0, f"{stage.name}.specialize(p > 3)")
            nests.append(plain)
        else:
            made.say("specialize(p > 3)")
    levels.add(stage.name, 0, nests)
    if r.random() < 0.1:
        made.say(f"align_storage({made.handle}.args()[0], {r.choice([4, 16])})")
    if r.random() < 0.08 and not is_output and len(stage.pure_loops) == 2:
        made.say("reorder_storage(y, x)")
    if r.random() < 0.06 and stage.kind == "pure":
        made.say("align_bounds(x, 2)")
    if r.random() < 0.2 and stage.kind == "planes":
        made.say("bound_extent(c, 3)")
    return made.lines


def _shape(
    r: random.Random, made: _Loops, names: dict[str, tuple[str, str]], is_output: bool
) -> None:
    """Splits, orders and marks pure loops."""
    is_update = "update" in made.handle
    no = {"RoundUp"} if is_output else {"ShiftInwards"} if is_update else set()
    tails = [t for t in TAILS if t not in no]
    for name in list(made.pure):
        if name not in names or r.random() < 0.5:
            continue
        outer, inner = names[name]
        factor = r.choice([2, 3, 4, 8, 8, 16])
        tail = r.choice(tails)
        more = "" if tail == "Auto" else f", hl.TailStrategy.{tail}"
        made.say(f"split({name}, {outer}, {inner}, {factor}{more})")
        place = made.pure.index(name)
        made.pure[place : place + 1] = [inner, outer]
        made.constant[inner] = factor
    if len(made.pure) > 2 and r.random() < 0.7:
        order = made.pure[:]
        r.shuffle(order)
        made.say(f"reorder({', '.join(order)})")
        made.pure = order
    if len(made.pure) > 1 and r.random() < 0.08:
        place = r.randrange(len(made.pure) - 1)
        inner, outer = made.pure[place : place + 2]
        made.say(f"fuse({inner}, {outer}, t)")
        made.pure[place : place + 2] = ["t"]
        for name in (inner, outer):
            made.constant.pop(name, None)
    _mark(r, made, tails)


def _mark(r: random.Random, made: _Loops, tails: list[str]) -> None:
    if r.random() < 0.7:
        name = made.pure[0] if r.random() < 0.8 else r.choice(made.pure)
        made.concurrent[name] = name in made.constant
        made.vectors.add(name)
        if name in made.constant:
            made.say(f"vectorize({name})")
        else:
            tail = r.choice(tails)
            more = "" if tail == "Auto" else f", hl.TailStrategy.{tail}"
            made.say(f"vectorize({name}, {r.choice([2, 4, 8, 16])}{more})")
        made.marked.add(name)
    free = [n for n in made.pure if n not in made.marked]
    if free and r.random() < 0.25:
        name = r.choice(free)
        made.say(
            f"unroll({name})" if name in made.constant else f"unroll({name}, {r.choice([2, 3])})"
        )
        made.marked.add(name)
    free = [n for n in made.pure if n not in made.marked]
    if free and r.random() < 0.35:
        made.say(f"parallel({free[-1]})")
        made.concurrent[free[-1]] = True
        made.marked.add(free[-1])
    if r.random() < 0.05:
        made.say(f"partition({made.pure[-1]}, hl.Partition.{r.choice(['Never', 'Always'])})")


def _update(r: random.Random, stage: Stage, index: int, levels: Levels) -> list[str]:
    pure = {"histogram": [], "planes": []}.get(stage.kind, list(stage.pure_loops))
    if stage.kind == "scan":
        # The scanned coordinate is no pure loop of the update.
        along = "x" if f"[{stage.reductions[0].split('.')[0]}, y]" in stage.lines[-1] else "y"
        pure = [n for n in pure if n != along]
    made = _Loops(f"{stage.name}.update({index})", pure, list(stage.reductions))
    definition = index + 1
    choice = r.random()
    if r.random() < 0.6:
        if stage.is_associative and choice < 0.3 and stage.type != "f32":
            return _reduced(r, made, stage, definition, levels)
        if pure:
            if choice < 0.5 and len(pure) > 1:
                order = [*made.reductions, *pure]
                if r.random() < 0.5:
                    order = [pure[0], *made.reductions, *pure[1:]]
                made.say(f"reorder({', '.join(order)})")
            _shape(r, made, {"x": ("xo", "xi"), "y": ("yo", "yi")}, False)
    levels.add(
        stage.name,
        definition,
        [loops_of(stage.name, definition, made.pure, made.concurrent, made.vectors)],
    )
    return made.lines


def _reduced(
    r: random.Random, made: _Loops, stage: Stage, definition: int, levels: Levels
) -> list[str]:
    """Directives that change the order of an associative update."""
    first = made.reductions[0]
    if r.random() < 0.5:
        rv = f"hl.RVar('{stage.name}_ro'), hl.RVar('{stage.name}_ri')"
        made.say(f"atomic().split({first}, {rv}, 4).vectorize(hl.RVar('{stage.name}_ri'))")
        levels.add(stage.name, definition, [loops_of(stage.name, definition, made.pure, {}, ())])
        return made.lines
    intermediate = f"{stage.name}_intm"
    made.lines.append(f"{intermediate} = {made.handle}.rfactor({first}, u)")
    made.lines.append(f"{intermediate}.compute_root()")
    levels.moved(stage.name, definition)
    if r.random() < 0.5:
        made.lines.append(f"{intermediate}.update().vectorize(u, 4)")
    return made.lines


def _extras(
    r: random.Random, stages: Sequence[Stage], inlined: set[str], levels: Levels
) -> list[str]:
    lines = []
    # A wrapper takes the place of all readers: only a stage at the root may have any around it.
    stored = [s for s in stages[:-1] if s.name in levels.at_root]
    if stored and r.random() < 0.08:
        stage = r.choice(stored)
        lines.append(f"{stage.name}.in_().compute_root()")
    if r.random() < 0.06:
        kept = [s for s in stages if s.name not in inlined]
        lines.append(f"{r.choice(kept).name}.never_partition_all()")
    return lines
