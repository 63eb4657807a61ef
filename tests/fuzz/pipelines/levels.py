"""Where a stage may be computed and stored: loops around all of its uses."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from .program import Stage

MOST_INLINE_READS = 12
"""A stage that reads more than this is not inlined: its readers would multiply it."""

MOST_VECTORS_AROUND = 1
"""Vectorized loops inside of each other multiply their lanes: three make a vector of thousands."""


@dataclass(frozen=True)
class Loop:
    """A loop of one definition of a stage."""

    func: str
    definition: int
    var: str
    is_concurrent: bool = False
    """Whether its steps run at once, as threads or lanes: nothing is stored outside of it that is
    computed in it."""
    is_hidden: bool = False
    """Whether directives cannot name it."""
    is_vector: bool = False


Nest = tuple[Loop, ...]
"""Loops around a definition, outermost first."""


def reads_of(stage: Stage) -> list[list[str]]:
    """For each definition of `stage`, the names of stages that it reads, once for each read."""
    definitions = [line for line in stage.lines if line.startswith(f"{stage.name}[")]
    return [
        [n for n in re.findall(r"\bf\d+\b", text) if n != stage.name and n in stage.reads]
        for text in definitions
    ]


def choose_inlined(r: random.Random, stages: Sequence[Stage]) -> set[str]:
    """Names of stages to leave inline: few enough that expressions stay of a sensible size."""
    chosen: set[str] = set()
    size: dict[str, int] = {}
    for stage in stages:
        reads = [name for definition in reads_of(stage) for name in definition]
        size[stage.name] = 1 + sum(size[n] if n in chosen else 1 for n in reads)
        may = stage.kind == "pure" and stage is not stages[-1]
        if may and size[stage.name] <= MOST_INLINE_READS and r.random() < 0.35:
            chosen.add(stage.name)
    return chosen


class Levels:
    """The nests around the uses of stages, filled in consumers first."""

    def __init__(self, stages: Sequence[Stage], inlined: set[str]) -> None:
        self.nests: dict[tuple[str, int], list[Nest]] = {}
        """By stage and definition: more than one nest for a specialized definition."""
        self.around: dict[str, Nest] = {}
        """The loops of others that a stage is computed in."""
        self.at_root: set[str] = set()
        self._uses: dict[str, set[tuple[str, int]]] = {s.name: set() for s in stages}
        for stage in reversed(stages):
            for index, names in enumerate(reads_of(stage)):
                inline = stage.name in inlined
                uses = self._uses[stage.name] if inline else {(stage.name, index)}
                for name in names:
                    self._uses[name] |= uses

    def common(self, name: str) -> Nest:
        """The loops around all uses of the stage `name`."""
        nests = [nest for use in sorted(self._uses[name]) for nest in self.nests[use]]
        shared = nests[0]
        for nest in nests[1:]:
            same = 0
            while same < min(len(shared), len(nest)) and shared[same] == nest[same]:
                same += 1
            shared = shared[:same]
        return shared

    def place(self, r: random.Random, name: str) -> list[str]:
        """Directives that say where the stage `name` is computed and stored."""
        loops = self.common(name)
        vectors = list(accumulate(int(loop.is_vector) for loop in loops))
        places = [
            k
            for k, loop in enumerate(loops)
            if not loop.is_hidden and vectors[k] <= MOST_VECTORS_AROUND
        ]
        if not places or r.random() < 0.3:
            self.around[name] = ()
            self.at_root.add(name)
            return [f"{name}.compute_root()"]
        at = r.choice(places[-4:])
        self.around[name] = loops[: at + 1]
        lines = [f"{name}.compute_at({loops[at].func}, {loops[at].var})"]
        # Outwards from there, as far as steps follow each other.
        first = at
        while first > 0 and not loops[first].is_concurrent:
            first -= 1
        outer = [k for k in places if first <= k < at]
        to_root = not any(loop.is_concurrent for loop in loops[: at + 1])
        choice = r.random()
        if outer and choice < 0.4:
            loop = loops[r.choice(outer)]
            lines.append(f"{name}.store_at({loop.func}, {loop.var})")
        elif to_root and choice < 0.6:
            lines.append(f"{name}.store_root()")
        elif outer and choice < 0.7:
            loop = loops[r.choice(outer)]
            lines.append(f"{name}.hoist_storage({loop.func}, {loop.var})")
        return lines

    def add(self, name: str, definition: int, own: Sequence[Sequence[Loop]]) -> None:
        """Says what loops the definition has, outermost first; several for a specialized one."""
        self.nests[name, definition] = [(*self.around[name], *nest) for nest in own]

    def moved(self, name: str, definition: int) -> None:
        """Says that what the definition read is now read by a stage at the root."""
        self.nests[name, definition] = [()]


def loops_of(
    name: str,
    definition: int,
    order: Sequence[str],
    concurrent: Mapping[str, bool],
    vectors: Collection[str],
) -> list[Loop]:
    """The loops over `order` (innermost first), outermost first; `concurrent` has those that run
    at once: whether all of the loop does, or lanes split off inside of it. `vectors` are those
    that do so as lanes."""
    made: list[Loop] = []
    for var in reversed(order):
        whole, is_vector = concurrent.get(var), var in vectors
        made.append(Loop(name, definition, var, whole is True, False, is_vector and whole is True))
        if whole is False:
            made.append(Loop(name, definition, f"{var} lanes", True, True, is_vector))
    return made
