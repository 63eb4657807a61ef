"""What splits, fusions and renamings of loops mean: coordinates, guards and tail strategies."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .. import ir
from ..ir import Add, Const, Expr, Max, Min, Mul, Sub, Variable, const
from ..ir import nodes as n
from ..ir.simplify import linear_terms
from ..ir.simplify_coordinate import simplify_coordinate
from ..lang import Fuse, Rename, Split, TailStrategy
from .interval import larger, smaller
from .region import Clamp, Steps

SHIFTED = (TailStrategy.ShiftInwards, TailStrategy.ShiftInwardsAndBlend)
_BLENDED = (TailStrategy.ShiftInwardsAndBlend, TailStrategy.RoundUpAndBlend)
GUARDED = (
    TailStrategy.GuardWithIf,
    TailStrategy.Predicate,
    TailStrategy.PredicateLoads,
    TailStrategy.PredicateStores,
)


@dataclass
class SplitLoop:
    """The loop of one dimension, of variable `name`: `extent` steps from `offset`, or from 0."""

    name: str
    extent: Expr
    offset: Expr | None
    dimension: str | None = None
    """The coordinate whose whole region this is."""
    if_beyond: tuple[str, ...] = ()
    """Coordinates that are not clamped any more if this loop takes more steps than `extent`."""
    if_before: tuple[tuple[str, Expr | None], ...] = ()
    """Coordinates that begin earlier if it takes steps before its first: each with how far one
    step moves it, None where that is not the same for all steps."""


@dataclass
class SplitLoops:
    """The loops of a definition while its splits are applied in order."""

    loops: dict[str, SplitLoop]
    """By dimension name."""
    clamps: dict[str, Clamp]
    least_extents: dict[str, Expr]
    """How long the region of a coordinate must be for the splits to make sense."""
    steps: dict[str, Steps] = field(default_factory=dict)
    """The steps of split, fused and renamed coordinates that count, whatever the tails are."""
    lets: list[tuple[str, Expr]] = field(default_factory=list)
    """Coordinates by the loops below them; a later one may define what an earlier one uses."""
    guards: list[Expr] = field(default_factory=list)
    """Conditions under which a step is one of the definition's."""
    blends: list[Expr] = field(default_factory=list)
    """Conditions under which a step's value counts; elsewhere the point keeps what it holds."""
    unclamped_reads: set[str] = field(default_factory=set)
    """Coordinates at which reads may lie beyond the last (their region is rounded up)."""
    unclamped_writes: set[str] = field(default_factory=set)
    fused: dict[str, tuple[str, Expr]] = field(default_factory=dict)
    """By loop of a fusion: the outer coordinate in it, and how many of its steps that one keeps."""

    def apply(self, change: Split | Fuse | Rename) -> None:
        """Replaces the loops that `change` names by those that it makes."""
        if isinstance(change, Split):
            self._split(change)
        elif isinstance(change, Fuse):
            self._fuse(change)
        else:
            self._rename(change)

    def _split(self, split: Split) -> None:
        """`old = outer * factor + inner + offset`; the tail strategy says what the last step does.

        GuardWithIf: steps beyond the last do nothing. RoundUp: they are computed too.
        ShiftInwards: the last step begins `factor` before the end. The blends compute as those do
        and keep what was there. The predicates are guards whose regions are rounded up where only
        loads or stores are predicated.
        """
        old = self.loops.pop(split.old)
        outer_name, inner_name = f"{old.name}.{split.outer}", f"{old.name}.{split.inner}"
        factor = split_factor(split)
        outer, inner = Variable(outer_name, ir.I32), Variable(inner_name, ir.I32)
        offset = old.offset if old.offset is not None else const(0)
        count = simplify_coordinate(n.Div(Sub(Add(old.extent, factor), const(1)), factor))
        base: Expr = Mul(outer, factor)
        last = simplify_coordinate(Sub(Add(offset, old.extent), const(1)))
        self.steps[old.name] = Steps((outer_name, inner_name), offset, last)
        one = (old.name, const(1)), *old.if_before
        all_of_inner = tuple(
            (x, None if k is None else simplify_coordinate(Mul(k, factor))) for x, k in one
        )
        self.loops[split.outer] = outer_loop = SplitLoop(
            outer_name, count, None, None, (), all_of_inner
        )
        self.loops[split.inner] = inner_loop = SplitLoop(inner_name, factor, None, None, (), one)
        tail = resolved_tail(split)
        if is_multiple(old.extent, factor):
            outer_loop.if_beyond = inner_loop.if_beyond = old.if_beyond
            tail = TailStrategy.RoundUp
        elif tail in SHIFTED:
            # The outer variable alone tells which points the step before has computed.
            shifted = Min(base, simplify_coordinate(Sub(old.extent, factor)))
            if tail in _BLENDED:
                self.blends.append(n.LE(base, Add(shifted, inner)))
            base = shifted
            for name, _ in one:
                self.steps[name] = replace(self.steps[name], may_begin_before=True)
            inner_loop.if_beyond = (old.name, *old.if_beyond)
            first = self._first_of_shifted(old, offset, last, factor, outer_name)
            self.clamps[old.name] = Clamp(outer_name, first, last, is_tight=False)
        elif tail in GUARDED:
            self.guards.append(n.LT(Add(base, inner), old.extent))
            self.clamps[old.name] = Clamp(outer_name, offset, last)
            if tail is TailStrategy.PredicateLoads:
                self.unclamped_writes.add(old.name)
            elif tail is TailStrategy.PredicateStores:
                self.unclamped_reads.add(old.name)
        else:
            outer_loop.if_beyond = inner_loop.if_beyond = old.if_beyond
            self._unclamp(old.if_beyond)
            if tail is TailStrategy.RoundUpAndBlend:
                self.blends.append(n.LT(Add(base, inner), old.extent))
        self.lets.append((old.name, simplify_coordinate(Add(Add(base, inner), offset))))

    def _first_of_shifted(
        self, old: SplitLoop, offset: Expr, last: Expr, factor: Expr, outer: str
    ) -> Expr:
        """The first coordinate of a loop whose last step is shifted inwards: it may be too short.

        A whole region is made long enough, or checked to be, by who computes it.
        """
        if old.dimension is not None:
            known = self.least_extents.get(old.dimension)
            self.least_extents[old.dimension] = factor if known is None else larger(known, factor)
            return offset
        first = smaller(offset, simplify_coordinate(Sub(Add(last, const(1)), factor)))
        if first is not offset:
            name, size = self.fused.get(old.name, ("", first))
            fused = self.clamps.get(name)
            self._begin_before(old.if_before, simplify_coordinate(Sub(first, offset)))
            if fused is not None:
                # A fused loop that begins earlier takes its outer coordinate along.
                low = simplify_coordinate(Add(n.Div(first, size), fused.low))
                self.clamps[name] = Clamp(outer, low, fused.high, is_tight=False)
        return first

    def _begin_before(self, coordinates: tuple[tuple[str, Expr | None], ...], steps: Expr) -> None:
        """Clamps hold from `steps` (0 or less) of a loop further on."""
        for name, distance in coordinates:
            clamp = self.clamps.pop(name, None)
            if clamp is not None and distance is not None:
                low = simplify_coordinate(Add(clamp.low, Mul(steps, distance)))
                self.clamps[name] = replace(clamp, low=low, is_tight=False, starts_inside=False)

    def _unclamp(self, coordinates: tuple[str, ...]) -> None:
        for name in coordinates:
            self.clamps.pop(name, None)

    def _fuse(self, fuse: Fuse) -> None:
        """`inner = fused % extent + offset`, `outer = fused / extent + offset`."""
        inner, outer = self.loops.pop(fuse.inner), self.loops.pop(fuse.outer)
        name = f"{inner.name}.{fuse.fused}"
        fused = Variable(name, ir.I32)
        size = simplify_coordinate(Max(inner.extent, const(1)))
        for loop, position in ((inner, n.Mod(fused, size)), (outer, n.Div(fused, size))):
            low = loop.offset if loop.offset is not None else const(0)
            self.lets.append((loop.name, simplify_coordinate(Add(position, low))))
            last = simplify_coordinate(Sub(Add(low, loop.extent), const(1)))
            self.clamps[loop.name] = Clamp(name, low, last)
            self.steps[loop.name] = Steps((name,), low, last)
        self.fused[name] = outer.name, size
        self.loops[fuse.fused] = SplitLoop(
            name,
            simplify_coordinate(Mul(inner.extent, outer.extent)),
            None,
            None,
            (outer.name, *outer.if_beyond),
            ((outer.name, None), *((x, None) for x, _ in outer.if_before)),
        )

    def _rename(self, rename: Rename) -> None:
        old = self.loops.pop(rename.old)
        name = f"{old.name}.{rename.new}"
        low = old.offset if old.offset is not None else const(0)
        last = simplify_coordinate(Sub(Add(low, old.extent), const(1)))
        self.steps[old.name] = Steps((name,), low, last)
        self.lets.append((old.name, Variable(name, ir.I32)))
        self.loops[rename.new] = replace(old, name=name)


def split_factor(split: Split) -> Expr:
    factor = split.factor
    return factor if isinstance(factor, ir.Expr) else const(int(factor))


def is_multiple(extent: Expr, factor: Expr) -> bool:
    """Whether `factor` surely divides `extent`."""
    if not isinstance(factor, Const) or factor.value < 1:
        return extent is factor
    size = int(factor.value)
    terms, constant = linear_terms(extent)
    return constant % size == 0 and all(c % size == 0 for c in terms.values())


def resolved_tail(split: Split) -> TailStrategy:
    """The strategy itself. One that nobody chose computes nothing twice and nothing beyond."""
    return TailStrategy.GuardWithIf if split.tail is TailStrategy.Auto else split.tail


__all__ = ["GUARDED", "SplitLoop", "SplitLoops", "is_multiple", "resolved_tail", "split_factor"]
