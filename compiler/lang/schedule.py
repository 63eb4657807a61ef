"""What a user (or a scheduler) has said about how to run a stage.

Directives are recorded here in Halide's order of meaning and read by compiler/lower.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..ir import Expr
from ..ir.stmts import ForKind, MemoryKind


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


class Partition(enum.Enum):
    """Whether a loop is cut so that boundary conditions leave its steady state."""

    Auto = 0
    Never = 1
    Always = 2


class LoopAlignStrategy(enum.Enum):
    """Where the iterations of two fused loops meet."""

    AlignStart = 0
    AlignEnd = 1
    NoAlign = 2
    Auto = 3


class PrefetchBoundStrategy(enum.Enum):
    """What a prefetch does where it would leave the buffer."""

    Clamp = 0
    GuardWithIf = 1
    NonFaulting = 2


@dataclass(frozen=True)
class Split:
    """`old = outer * factor + inner (+ old's min)`."""

    old: str
    outer: str
    inner: str
    factor: int | Expr
    """An expression is over parameters; that it is above 0 is checked when the pipeline runs."""
    tail: TailStrategy
    exact: bool = False
    """Whether no step outside of old's range may run: old is a reduction variable or updated."""


@dataclass(frozen=True)
class Fuse:
    """`inner = fused % inner's extent`, `outer = fused / inner's extent`."""

    inner: str
    outer: str
    fused: str


@dataclass(frozen=True)
class Rename:
    """The loop `old` under another name."""

    old: str
    new: str


@dataclass(frozen=True)
class Once:
    """A new loop of one iteration."""

    loop: str


Change = Split | Fuse | Rename | Once
"""What a directive does to the loops of a definition."""

CONCURRENT: tuple[ForKind, ...] = ("parallel", "vectorized", "gpu_block", "gpu_thread", "gpu_lane")
"""Kinds of loops whose iterations run in any order, or at once."""


@dataclass
class LoopDimension:
    """One loop of a stage, by its variable's name."""

    name: str
    kind: ForKind = "serial"
    is_pure: bool = True
    partition: Partition = Partition.Auto
    is_independent: bool = False
    """Of a reduction variable: whether its iterations touch different points of the stage, so that
    they may run in any order and at once."""


@dataclass(frozen=True)
class PrefetchDirective:
    """In the loop `at`: ask for what `source` is read at, `offset` steps of loop `step` ahead."""

    source: str
    """The name of a stage or of an image."""
    at: str
    step: str
    offset: Expr
    strategy: PrefetchBoundStrategy


@dataclass(frozen=True)
class ComputeWith:
    """The loops of this stage from `var` outwards are those of definition `index` of `func`."""

    func: str
    index: int
    var: str
    align: tuple[tuple[str, LoopAlignStrategy], ...]
    """By loop name; loops not named here are `Auto` (that is `NoAlign`)."""


@dataclass
class Specialization:
    """Another schedule for the definition where `condition` holds; the first that holds counts."""

    condition: Expr
    schedule: StageSchedule
    failure: str | None = None
    """Of `specialize_fail`: the message of the run-time error, instead of a schedule."""


@dataclass
class StageSchedule:
    """The loops of one definition: `dimensions` innermost first, made by `splits` in order."""

    dimensions: list[LoopDimension]
    splits: list[Change] = field(default_factory=list)
    touched: bool = False
    atomic: bool = False
    """Updates of a point by several threads or lanes don't mix (`atomic`)."""
    override_associativity: bool = False
    allow_races: bool = False
    prefetches: list[PrefetchDirective] = field(default_factory=list)
    specializations: list[Specialization] = field(default_factory=list)
    fused: ComputeWith | None = None

    def key(self) -> tuple[Any, ...]:
        """A value that is equal only to that of a schedule that asks for the same."""
        return (
            tuple((d.name, d.kind, d.is_pure, d.partition) for d in self.dimensions),
            tuple(self.splits),
            (self.atomic, self.override_associativity, self.allow_races, self.fused, self.touched),
            tuple(self.prefetches),
            tuple((s.condition, s.failure, s.schedule.key()) for s in self.specializations),
        )

    def copy(self) -> StageSchedule:
        return replace(
            self,
            dimensions=[replace(d) for d in self.dimensions],
            splits=list(self.splits),
            prefetches=list(self.prefetches),
            specializations=[replace(s, schedule=s.schedule.copy()) for s in self.specializations],
        )


@dataclass(frozen=True)
class ComputeLevel:
    """Where a stage is computed: inlined, at the root, or in the loop `var` of `func`."""

    place: Literal["inline", "root", "at", "undefined"]
    """`undefined`: a `LoopLevel()` that was never set; compiling such a schedule is a mistake."""
    func: str = ""
    var: str = ""


INLINE = ComputeLevel("inline")
ROOT = ComputeLevel("root")


@dataclass(frozen=True)
class Bound:
    """What is promised of the region of dimension `var` that is computed."""

    var: str
    min: Expr | None = None
    """With `extent`: exactly this region (`bound`). None leaves the min as inferred."""
    extent: Expr | None = None
    modulus: Expr | None = None
    """With `remainder`: the region grows until min % modulus == remainder, extent % modulus == 0
    (`align_bounds`)."""
    remainder: Expr | None = None
    extent_only: bool = False
    """`align_extent`: the min stays where it is."""


@dataclass(frozen=True)
class StorageDimension:
    """How one coordinate of a stage lies in memory; listed innermost first."""

    var: str
    alignment: Expr | None = None
    """The extent in memory is rounded up to a multiple of this (`align_storage`)."""
    bound: Expr | None = None
    """The extent in memory, promised to be enough (`bound_storage`)."""
    fold_factor: Expr | None = None
    """Coordinates are taken modulo this (`fold_storage`)."""
    fold_forward: bool = True


@dataclass
class FunctionSchedule:
    """Where a stage is computed and stored, and the loops of each of its definitions."""

    stages: list[StageSchedule]
    level: ComputeLevel = INLINE
    store_level: ComputeLevel | None = None
    """None: stored where it is computed."""
    hoist_level: ComputeLevel | None = None
    """Where the memory is allocated; None: where it is stored."""
    storage: list[StorageDimension] = field(default_factory=list)
    """Empty: the order of the arguments, without promises."""
    bounds: list[Bound] = field(default_factory=list)
    memory: MemoryKind = "auto"
    stream_stores: bool = False
    """Stores of this stage go past the caches."""
    stream_large: bool = False
    """Stores of this stage go past the caches where it is too large for them, seen at run time."""
    stream_loads: bool = False
    """Loads of this stage go past the caches."""
    traced: frozenset[Literal["loads", "stores", "realizations"]] = frozenset()
    trace_tags: list[str] = field(default_factory=list)
    debug_file: str | None = None
    estimates: dict[str, tuple[Expr, Expr]] = field(default_factory=dict)
    """(min, extent) that a coordinate is expected to have; for autoschedulers."""
    sources: frozenset[Any] = frozenset()
    """The parameters and images that the expressions in here (and in `stages`) refer to."""
    touched: bool = False

    def copy(self) -> FunctionSchedule:
        return replace(
            self,
            stages=[s.copy() for s in self.stages],
            storage=list(self.storage),
            bounds=list(self.bounds),
            trace_tags=list(self.trace_tags),
            estimates=dict(self.estimates),
        )

    def key(self) -> tuple[Any, ...]:
        """A value that is equal only to that of a schedule that asks for the same."""
        return (
            (self.level, self.store_level, self.hoist_level, self.memory, self.touched),
            (self.stream_stores, self.stream_large, self.stream_loads),
            (self.traced, self.debug_file),
            tuple(self.trace_tags),
            tuple(self.storage),
            tuple(self.bounds),
            tuple(self.estimates.items()),
            tuple(s.key() for s in self.stages),
        )

    @property
    def any_touched(self) -> bool:
        return self.touched or any(s.touched for s in self.stages)
