"""What a user (or a scheduler) has said about how to run a stage.

Directives are recorded here in Halide's order of meaning and read by compiler/lower.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import Literal

from ..ir import Expr
from ..ir.stmts import ForKind
from .errors import fail


class TailStrategy(enum.Enum):
    """What a split does where the factor does not divide the extent."""

    RoundUp = 0
    GuardWithIf = 1
    Predicate = 2
    PredicateLoads = 3
    PredicateStores = 4
    ShiftInwards = 5
    ShiftInwardsAndBlend = 6
    RoundUpAndBlend = 7
    Auto = 8


@dataclass(frozen=True)
class Split:
    """`old = outer * factor + inner (+ old's min)`."""

    old: str
    outer: str
    inner: str
    factor: int
    tail: TailStrategy


@dataclass(frozen=True)
class Fuse:
    """`inner = fused % inner's extent`, `outer = fused / inner's extent`."""

    inner: str
    outer: str
    fused: str


@dataclass
class Dimension:
    """One loop of a stage, by its variable's name."""

    name: str
    kind: ForKind = "serial"
    is_pure: bool = True


@dataclass
class StageSchedule:
    """The loops of one definition: `dimensions` innermost first, made by `splits` in order."""

    dimensions: list[Dimension]
    splits: list[Split | Fuse] = field(default_factory=list)
    touched: bool = False
    bounds: dict[str, tuple[Expr, Expr]] = field(default_factory=dict)
    """(min, extent) that the user promised for a pure dimension (`bound`)."""

    def copy(self) -> StageSchedule:
        return replace(
            self,
            dimensions=[replace(d) for d in self.dimensions],
            splits=list(self.splits),
            bounds=dict(self.bounds),
        )

    def find(self, stage: str, name: str, doing: str) -> int:
        for i, dimension in enumerate(self.dimensions):
            if dimension.name == name:
                return i
        known = " ".join(d.name for d in self.dimensions)
        fail(f"In schedule for {stage}, could not find dimension {name} to {doing}. Vars: {known}")

    def check_new(self, stage: str, name: str) -> None:
        if any(d.name == name for d in self.dimensions):
            fail(f"In schedule for {stage}, {name} is already in use as a dimension.")


@dataclass(frozen=True)
class ComputeLevel:
    """Where a stage is computed: inlined, at the root, or in the loop `var` of `func`."""

    place: Literal["inline", "root", "at"]
    func: str = ""
    var: str = ""


INLINE = ComputeLevel("inline")
ROOT = ComputeLevel("root")


@dataclass
class FunctionSchedule:
    """Where a stage is computed, and the loops of its pure definition and of each update."""

    stages: list[StageSchedule]
    level: ComputeLevel = INLINE
    touched: bool = False

    def copy(self) -> FunctionSchedule:
        return replace(self, stages=[s.copy() for s in self.stages])

    @property
    def any_touched(self) -> bool:
        return self.touched or any(s.touched for s in self.stages)
