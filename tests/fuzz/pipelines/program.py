"""A random program: lines of text that run under both packages, each of which can be left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

INPUTS = {"a": "uint8", "b": "uint8", "w": "uint16", "s": "int16", "g": "float32"}
"""The 2-D images that a program may read, each clamped at its edges as `A`, `B`, `W`, `S`, `G`."""

PRELUDE = (
    "x, y, c, i = hl.Var('x'), hl.Var('y'), hl.Var('c'), hl.Var('i')",
    "xo, xi, yo, yi, t, u = (hl.Var(n) for n in ('xo', 'xi', 'yo', 'yi', 't', 'u'))",
    "A, B, W, S, G = (hl.BoundaryConditions.repeat_edge(v) for v in (a, b, w, s, g))",
)


@dataclass(frozen=True)
class Stage:
    """One `Func`: the lines that define it and what others must know to read it."""

    name: str
    lines: tuple[str, ...]
    type: str
    """The type of its values, as `hl.` names its cast: `u8`, `f32`, ..."""
    kind: str = "pure"
    """`pure`, `update`, `scan`, `histogram`, `tuple` or `planes`: how it is read and scheduled."""
    low: float = 0
    high: float = 0
    """The range of its values."""
    reads: frozenset[str] = frozenset()
    updates: int = 0
    reductions: tuple[str, ...] = ()
    """The reduction variables of its update, innermost first, as text."""
    is_associative: bool = False
    """Whether the update only adds or takes extremes: any order gives the same value."""

    @property
    def pure_loops(self) -> tuple[str, ...]:
        return {"histogram": ("i",), "planes": ("x", "y", "c")}.get(self.kind, ("x", "y"))


@dataclass(frozen=True)
class Program:
    """Stages in order, the last one the output; directives; the size of the output."""

    seed: int
    stages: tuple[Stage, ...]
    directives: tuple[str, ...]
    size: tuple[int, int]
    parameter: int = 3
    is_twisted: bool = False
    """Whether the last stage is one of `twists`."""

    def text(self) -> str:
        """The body of a function that has `hl`, the images and `p`, and leaves `out`."""
        lines = [*PRELUDE]
        for stage in self.stages:
            lines += stage.lines
        lines += self.directives
        lines.append(f"out = {self.stages[-1].name}")
        return "\n".join(lines)

    def with_directives(self, directives: Sequence[str]) -> Program:
        return replace(self, directives=tuple(directives))

    def replay(self) -> str:
        twist = " --twisted" if self.is_twisted else ""
        return f"python -m tests.fuzz.pipelines --seed {self.seed}{twist}"


@dataclass
class Names:
    """Counts what has been named so far."""

    used: dict[str, int] = field(default_factory=dict)

    def fresh(self, base: str) -> str:
        number = self.used.get(base, 0)
        self.used[base] = number + 1
        return f"{base}{number}"
