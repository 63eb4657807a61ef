"""Changes of one definition's loops: what a directive does to a `StageSchedule`, and when it may.

The pictures in compiler/lang/directives.py show what they mean. Every change checks itself: it
either raises `HalideError` or leaves a schedule that gives the values of the algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

from ..ir import Expr
from ..ir.stmts import ForKind
from .errors import fail
from .names import fresh_name
from .overloads import VarOrRVar
from .schedule import (
    CONCURRENT,
    Fuse,
    LoopDimension,
    Once,
    Partition,
    Rename,
    Split,
    StageSchedule,
    TailStrategy,
)

OUTERMOST = "__outermost"
"""The loop of one iteration around all others: nothing is recorded about it."""

_SHIFTED = (
    TailStrategy.ShiftInwards,
    TailStrategy.ShiftInwardsAndBlend,
)
_EXACT = (TailStrategy.GuardWithIf, TailStrategy.Predicate)


def missing(stage: str, name: str, doing: str, schedule: StageSchedule) -> NoReturn:
    known = " ".join([*(d.name for d in schedule.dimensions), OUTERMOST])
    fail(f"In schedule for {stage}, could not find {doing}: {name}\nVars: {known}")


def place_of(schedule: StageSchedule, stage: str, name: str, doing: str) -> int:
    """Where the loop `name` is, counted from the innermost."""
    for i, dimension in enumerate(schedule.dimensions):
        if dimension.name == name:
            return i
    missing(stage, name, doing, schedule)


def _check_new(schedule: StageSchedule, stage: str, name: str) -> None:
    if name == OUTERMOST or any(d.name == name for d in schedule.dimensions):
        known = " ".join([*(d.name for d in schedule.dimensions), OUTERMOST])
        fail(
            f"In schedule for {stage}, can't create var {name} using a split or tile, because "
            f"{name} is already used in this Func's schedule elsewhere.\nVars: {known}"
        )


def apply_split(schedule: StageSchedule, stage: str, split: Split) -> None:
    """Replaces the dimension `split.old` by its outer and inner loop."""
    place = place_of(schedule, stage, split.old, "split dimension")
    if split.outer == split.inner:
        fail(
            f"In schedule for {stage}, can't split {split.old} into {split.outer} and "
            f"{split.inner} because the new Vars have the same name."
        )
    for name in (split.outer, split.inner):
        if name != split.old:
            _check_new(schedule, stage, name)
    old = schedule.dimensions[place]
    schedule.dimensions[place : place + 1] = [
        replace(old, name=split.inner),
        replace(old, name=split.outer),
    ]
    schedule.splits.append(split)
    schedule.touched = True


def split(
    schedule: StageSchedule,
    stage: str,
    is_update: bool,
    old: VarOrRVar,
    outer: VarOrRVar,
    inner: VarOrRVar,
    factor: int | Expr,
    tail: TailStrategy,
) -> None:
    """A user's split: kinds of variables, and a tail strategy that the definition allows."""
    for new in (outer, inner):
        if new.is_rvar != old.is_rvar:
            words = ("RVar", "Var") if old.is_rvar else ("Var", "RVar")
            fail(f"Can't split {words[0]} {old.name()} into {words[1]} {new.name()}")
    name = old.name()
    place = place_of(schedule, stage, name, "split dimension")
    exact = not schedule.dimensions[place].is_pure
    within = is_update and name in _inner_loops(schedule)
    if within and tail is TailStrategy.RoundUp:
        fail(
            f"Can't use TailStrategy::RoundUp for splitting {name} in update definition of "
            f"{stage}. It may redundantly recompute some values, which could change the meaning "
            "of the algorithm. Use TailStrategy::GuardWithIf instead."
        )
    if tail is TailStrategy.PredicateLoads and not exact and name in _inner_loops(schedule):
        fail(
            f"Can't use TailStrategy::PredicateLoads for splitting {name} in the definition of "
            f"{stage}. PredicateLoads may not be used to split a Var stemming from the inner Var "
            "of a prior split."
        )
    if name in _inner_of_half_predicated(schedule):
        fail(
            f"In schedule for {stage}, can't split {name}: Cannot split a loop variable resulting "
            "from a split using PredicateLoads or PredicateStores."
        )
    if tail is TailStrategy.Auto:
        if exact or within:
            tail = TailStrategy.GuardWithIf
        elif is_update or name in _clamped_outers(schedule):
            tail = TailStrategy.RoundUp
        else:
            tail = TailStrategy.ShiftInwards
    if is_update and tail is TailStrategy.ShiftInwards:
        fail(
            f"When splitting Var {name} ShiftInwards is not a legal tail strategy for update "
            "definitions, as it may change the meaning of the algorithm"
        )
    if exact and tail not in _EXACT:
        fail(
            f"When splitting Var {name} the tail strategy must be GuardWithIf, Predicate, or "
            "Auto. Anything else may change the meaning of the algorithm"
        )
    apply_split(schedule, stage, Split(name, outer.name(), inner.name(), factor, tail, exact=exact))


def _inner_loops(schedule: StageSchedule) -> set[str]:
    """Loops whose steps beyond the last are steps of the loop around them: to run both is to
    compute a point twice, which an update must not."""
    inner: set[str] = set()
    for change in schedule.splits:
        if isinstance(change, Split):
            inherited = change.old in inner
            inner -= {change.old, change.outer}
            inner.add(change.inner)
            if inherited:
                inner.add(change.outer)
        elif isinstance(change, Rename) and change.old in inner:
            inner -= {change.old}
            inner.add(change.new)
        elif isinstance(change, Fuse) and inner & {change.inner, change.outer}:
            inner.add(change.fused)
    return inner


def _inner_of_half_predicated(schedule: StageSchedule) -> set[str]:
    """Inner loops of splits that switch off the loads or the stores of steps beyond the last, but
    not both: what the others touch is rounded up to whole inner loops."""
    inner: set[str] = set()
    for change in schedule.splits:
        if isinstance(change, Split):
            inner -= {change.old, change.outer, change.inner}
            if change.tail in (TailStrategy.PredicateLoads, TailStrategy.PredicateStores):
                inner.add(change.inner)
        elif isinstance(change, Rename) and change.old in inner:
            inner -= {change.old}
            inner.add(change.new)
        elif isinstance(change, Fuse):
            inner -= {change.inner, change.outer, change.fused}
    return inner


def _clamped_outers(schedule: StageSchedule) -> set[str]:
    """Loops that may run too far, since a split below them shifts its last step inwards."""
    clamped: set[str] = set()
    for change in schedule.splits:
        if isinstance(change, Split):
            inherited = change.old in clamped
            clamped -= {change.old}
            if change.tail in _SHIFTED or inherited:
                clamped.add(change.outer)
            if inherited:
                clamped.add(change.inner)
        elif isinstance(change, Rename) and change.old in clamped:
            clamped -= {change.old}
            clamped.add(change.new)
    return clamped


def fuse(
    schedule: StageSchedule,
    stage: str,
    inner: VarOrRVar,
    outer: VarOrRVar,
    fused: VarOrRVar,
    may_reorder_reduction: bool,
) -> None:
    """The loops need not be neighbours: the fused one stands where the inner one stood."""
    for part in (outer, inner):
        if part.is_rvar and not fused.is_rvar:
            fail(f"Can't fuse Var {fused.name()} from RVar {part.name()}")
    merged = schedule.dimensions[place_of(schedule, stage, outer.name(), "outer fuse dimension")]
    rest = [d for d in schedule.dimensions if d is not merged]
    if inner.name() not in {d.name for d in rest}:
        missing(stage, inner.name(), "inner fuse dimension", schedule)
    kept = next(d for d in rest if d.name == inner.name())
    new = replace(
        kept,
        name=fused.name(),
        is_pure=kept.is_pure and merged.is_pure,
        is_independent=all(d.is_pure or d.is_independent for d in (kept, merged)),
    )
    made = [new if d is kept else d for d in rest]
    if sum(d.name == new.name for d in made) > 1:
        _check_new(schedule, stage, new.name)
    unfused = [x for d in rest for x in ((kept, merged) if d is kept else (d,))]
    if not may_reorder_reduction:
        _check_order(stage, schedule.dimensions, unfused)
    schedule.dimensions[:] = made
    schedule.splits.append(Fuse(inner.name(), outer.name(), fused.name()))
    schedule.touched = True


def _check_order(
    stage: str, before: Sequence[LoopDimension], after: Sequence[LoopDimension]
) -> None:
    """Raises where the loops of a reduction run in another order."""
    old, new = (
        [d.name for d in dims if not (d.is_pure or d.is_independent)] for dims in (before, after)
    )
    if old != new:
        fail(
            f"In schedule for {stage}, can't reorder RVars {' '.join(old)} to {' '.join(new)} "
            "because it may change the meaning of the algorithm."
        )


def rename(schedule: StageSchedule, stage: str, old: VarOrRVar, new: VarOrRVar) -> None:
    if old.is_rvar != new.is_rvar:
        words = ("RVar", "Var") if old.is_rvar else ("Var", "RVar")
        fail(f"Can't rename {words[0]} {old.name()} to {words[1]} {new.name()}")
    place = place_of(schedule, stage, old.name(), "rename dimension")
    if new.name() == old.name():
        return
    _check_new(schedule, stage, new.name())
    schedule.dimensions[place].name = new.name()
    schedule.splits.append(Rename(old.name(), new.name()))
    schedule.touched = True


def reorder(
    schedule: StageSchedule, stage: str, order: Sequence[str], may_reorder_reduction: bool
) -> None:
    """`may_reorder_reduction`: whether the definition's operator doesn't care for its order."""
    places = []
    for name in order:
        if list(order).count(name) > 1:
            fail(f"In schedule for {stage}, call to reorder references {name} twice.")
        if name != OUTERMOST:
            places.append(place_of(schedule, stage, name, "var to reorder in the argument list"))
    moved = [schedule.dimensions[p] for p in places]
    made = list(schedule.dimensions)
    for place, dimension in zip(sorted(places), moved, strict=True):
        made[place] = dimension
    if not may_reorder_reduction:
        _check_order(stage, schedule.dimensions, made)
    schedule.dimensions[:] = made
    schedule.touched = True


def mark(
    schedule: StageSchedule, stage: str, name: str, kind: ForKind, combines: Callable[[], bool]
) -> None:
    """`combines`: whether the definition's steps may be taken at once, each as a whole."""
    if name == OUTERMOST:
        return
    words = {
        "vectorized": "vectorize",
        "unrolled": "unroll",
        "parallel": "mark parallel",
        "gpu_block": "mark as gpu block",
        "gpu_thread": "mark as gpu thread",
        "gpu_lane": "mark as gpu lane",
    }
    place = place_of(schedule, stage, name, f"dimension to {words.get(kind, 'mark serial')}")
    dimension = schedule.dimensions[place]
    concurrent = kind in CONCURRENT
    safe = dimension.is_pure or dimension.is_independent
    if concurrent and not (safe or schedule.allow_races or schedule.atomic):
        fail(
            f"In schedule for {stage}, marking var {name} as parallel or vectorized may introduce "
            "a race condition resulting in incorrect output. Use atomic() if the operation is "
            "associative, or allow_race_conditions() if any order of the updates will do."
        )
    unproved = not (safe or schedule.allow_races or schedule.override_associativity)
    if concurrent and unproved and not combines():
        fail(
            f"Failed to call atomic() on {stage} since it can't prove associativity or "
            "commutativity of the operator."
        )
    dimension.kind = kind
    schedule.touched = True


def add_outermost(schedule: StageSchedule, kind: ForKind) -> None:
    """A loop of one iteration around all others."""
    name = fresh_name("once")
    schedule.dimensions.append(LoopDimension(name, kind))
    schedule.splits.append(Once(name))
    schedule.touched = True


def set_partition(schedule: StageSchedule, stage: str, name: str, policy: Partition) -> None:
    if name == OUTERMOST:
        return
    place = place_of(schedule, stage, name, "var to set loop partition policy")
    schedule.dimensions[place].partition = policy
    schedule.touched = True
