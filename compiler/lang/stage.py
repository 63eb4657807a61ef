"""Schedule directives on one definition of a stage.

Each says what it does to the loops by a before/after picture. A directive that this compiler does
not know yet raises `HalideError`; none is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from ..ir import Const
from ..ir.stmts import ForKind
from .errors import fail
from .expr import as_expr
from .function import Function
from .names import fresh_name
from .schedule import Dimension, Fuse, Split, StageSchedule, TailStrategy
from .variables import RVar, Var

AnyVar = Var | RVar

_UNSUPPORTED = (
    "gpu", "gpu_blocks", "gpu_threads", "gpu_tile", "gpu_lanes", "gpu_single_thread",
    "compute_with", "rfactor", "prefetch", "atomic", "specialize", "store_at", "store_root",
    "fold_storage",
    "hoist_storage", "align_storage", "align_bounds", "reorder_storage", "in_", "clone_in",
    "store_in", "async_", "memoize", "partition", "hexagon", "trace_loads", "trace_stores",
    "trace_realizations", "bound_extent", "bound_storage", "define_extern", "ring_buffer",
)  # fmt: skip
_TAILS = (TailStrategy.Auto, TailStrategy.GuardWithIf, TailStrategy.ShiftInwards)


def _factor(value: Any) -> int:
    node = as_expr(value).node
    if not isinstance(node, Const) or not node.type.is_integer or node.value < 1:
        fail(f"A split factor must be a constant whole number above 0, not {value}.")
    return int(node.value)


class Directives:
    """The directives that `Func` (for its pure definition) and `Stage` share."""

    def _stage(self) -> Stage:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name in _UNSUPPORTED:
            fail(f"The schedule directive {name} is not supported by this compiler.")
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    def split(
        self,
        old: AnyVar,
        outer: AnyVar,
        inner: AnyVar,
        factor: Any,
        tail: TailStrategy = TailStrategy.Auto,
    ) -> Self:
        """`for x` becomes `for xo: for xi in [0, factor)`."""
        self._stage().do_split(old.name(), outer.name(), inner.name(), _factor(factor), tail)
        return self

    def fuse(self, inner: AnyVar, outer: AnyVar, fused: AnyVar) -> Self:
        """`for y: for x` becomes `for t in [0, height * width)`."""
        self._stage().do_fuse(inner.name(), outer.name(), fused.name())
        return self

    def reorder(self, *order: Any) -> Self:
        """Puts the named loops in this order, innermost first, in the places they have."""
        if len(order) == 1 and isinstance(order[0], (list, tuple)):
            order = tuple(order[0])
        self._stage().do_reorder([v.name() for v in order])
        return self

    def tile(self, *arguments: Any, **named: Any) -> Self:
        """Splits x and y and orders the loops `yo, xo, yi, xi` (outermost first).

        `tile(x, y, xo, yo, xi, yi, xfactor, yfactor[, tail])`, without xo and yo, or with lists.
        """
        tail = named.pop("tail", TailStrategy.Auto)
        if named:
            fail(f"tile takes its arguments by position; unknown: {', '.join(named)}.")
        given = list(arguments)
        if given and isinstance(given[-1], TailStrategy):
            tail = given.pop()
        if given and isinstance(given[0], (list, tuple)):
            previous, factors, inners = list(given[0]), list(given[-1]), list(given[-2])
            outers = list(given[1]) if len(given) == 4 else previous
        elif len(given) == 8:
            previous, outers, inners, factors = given[0:2], given[2:4], given[4:6], given[6:8]
        elif len(given) == 6:
            previous, outers, inners, factors = given[0:2], given[0:2], given[2:4], given[4:6]
        else:
            fail("tile takes 6 or 8 arguments, or 3 or 4 lists.")
        for old, outer, inner, factor in zip(previous, outers, inners, factors, strict=True):
            self.split(old, outer, inner, factor, tail)
        return self.reorder(*inners, *outers)

    def _mark(self, var: AnyVar, kind: ForKind, factor: Any, tail: TailStrategy) -> Self:
        stage = self._stage()
        if factor is None:
            stage.do_mark(var.name(), kind)
        elif kind == "parallel":
            inner = fresh_name("t")
            stage.do_split(var.name(), var.name(), inner, _factor(factor), tail)
            stage.do_mark(var.name(), kind)
        else:
            inner = fresh_name("t")
            stage.do_split(var.name(), var.name(), inner, _factor(factor), tail)
            stage.do_mark(inner, kind)
        return self

    def vectorize(
        self, var: AnyVar, factor: Any = None, tail: TailStrategy = TailStrategy.Auto
    ) -> Self:
        """Computes the iterations of a loop as the lanes of a vector."""
        return self._mark(var, "vectorized", factor, tail)

    def unroll(
        self, var: AnyVar, factor: Any = None, tail: TailStrategy = TailStrategy.Auto
    ) -> Self:
        """Writes the iterations of a loop one after the other."""
        return self._mark(var, "unrolled", factor, tail)

    def parallel(
        self, var: AnyVar, task_size: Any = None, tail: TailStrategy = TailStrategy.Auto
    ) -> Self:
        """Runs the iterations of a loop on the thread pool."""
        return self._mark(var, "parallel", task_size, tail)

    def serial(self, var: AnyVar) -> Self:
        """Runs the iterations of a loop in order."""
        return self._mark(var, "serial", None, TailStrategy.Auto)


class Stage(Directives):
    """The schedule of one definition: 0 the pure one, i + 1 update i."""

    def __init__(self, function: Function, index: int) -> None:
        self.function, self.index = function, index

    @property
    def schedule(self) -> StageSchedule:
        return self.function.schedule.stages[self.index]

    def name(self) -> str:
        return self.function.stage_name(self.index)

    def _stage(self) -> Stage:
        return self

    def do_split(self, old: str, outer: str, inner: str, factor: int, tail: TailStrategy) -> None:
        if tail not in _TAILS:
            fail(f"The tail strategy {tail.name} is not supported by this compiler.")
        apply_split(self.schedule, self.name(), Split(old, outer, inner, factor, tail))

    def do_fuse(self, inner: str, outer: str, fused: str) -> None:
        schedule = self.schedule
        i = schedule.find(self.name(), inner, "fuse")
        o = schedule.find(self.name(), outer, "fuse")
        if o != i + 1:
            fail(f"In schedule for {self.name()}, {inner} and {outer} are not next to each other.")
        pure = schedule.dimensions[i].is_pure and schedule.dimensions[o].is_pure
        names = (schedule.dimensions[i].name, schedule.dimensions[o].name)
        schedule.dimensions[i : o + 1] = [Dimension(fused, is_pure=pure)]
        schedule.splits.append(Fuse(*names, fused))
        schedule.touched = True

    def do_reorder(self, order: Sequence[str]) -> None:
        schedule = self.schedule
        places = [schedule.find(self.name(), name, "reorder") for name in order]
        if len(set(places)) != len(places):
            fail(f"In schedule for {self.name()}, reorder names a dimension twice.")
        moved = [schedule.dimensions[p] for p in places]
        before = [d.name for d in schedule.dimensions if not d.is_pure]
        for place, dimension in zip(sorted(places), moved, strict=True):
            schedule.dimensions[place] = dimension
        if before != [d.name for d in schedule.dimensions if not d.is_pure]:
            fail(
                f"In schedule for {self.name()}, reordering reduction variables may change "
                "the result and is not supported by this compiler."
            )
        schedule.touched = True

    def do_mark(self, name: str, kind: ForKind) -> None:
        words = {"vectorized": "vectorize", "unrolled": "unroll", "parallel": "parallelize"}
        place = self.schedule.find(self.name(), name, words.get(kind, kind))
        dimension = self.schedule.dimensions[place]
        if not dimension.is_pure and kind in ("vectorized", "parallel"):
            fail(
                f"In schedule for {self.name()}, marking reduction variable {name} as {kind} "
                "may introduce a race condition."
            )
        dimension.kind = kind
        self.schedule.touched = True


def apply_split(schedule: StageSchedule, stage: str, split: Split) -> None:
    """Replaces the dimension `split.old` by its outer and inner loop."""
    place = schedule.find(stage, split.old, "split")
    dimension = schedule.dimensions[place]
    if split.outer == split.inner:
        fail(f"In schedule for {stage}, a split into two loops named {split.outer}.")
    for name in (split.outer, split.inner):
        if name != split.old:
            schedule.check_new(stage, name)
    split = Split(dimension.name, split.outer, split.inner, split.factor, split.tail)
    schedule.dimensions[place : place + 1] = [
        Dimension(split.inner, "serial", dimension.is_pure),
        Dimension(split.outer, dimension.kind, dimension.is_pure),
    ]
    schedule.splits.append(split)
    schedule.touched = True
