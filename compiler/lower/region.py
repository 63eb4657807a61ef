"""The box of a stage or image that a statement touches (halide-2012 section 5.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .. import ir
from ..ir import I32, Add, Call, Expr, Sub, Variable, const, variables_in
from ..ir import stmts as s
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.stmt_transform import children_of, expressions_of
from .expansion import (
    Expansion,
    grown_field,
    is_large,
    is_region_field,
    needed_fields,
    part_of,
    region_fields,
    updated_low,
    whole_of,
    written_out,
)
from .facts import Facts
from .interval import End, Interval, Intervals, extent_of, larger, smaller

Box = list[Interval]

KnownBox = list[tuple[Expr, Expr]]
"""A box all of whose ends are known."""


class Unbounded(Exception):
    """No finite interval is known: of stage or image `name` in dimension `dimension`."""

    def __init__(self, name: str, dimension: int) -> None:
        super().__init__(name, dimension)
        self.name, self.dimension = name, dimension


@dataclass(frozen=True)
class Clamp:
    """What a split coordinate never leaves: [low, high], while its loop `outer` runs."""

    outer: str
    low: Expr
    high: Expr
    is_tight: bool = True
    """Whether the coordinate stays there in every single iteration of `outer` too."""
    starts_inside: bool = True
    """Whether its first value in each iteration of the loops outside of its own does: not where its
    steps are split again, into iterations that may all lie beyond the last step."""


@dataclass(frozen=True)
class Steps:
    """The steps of a coordinate that count, [low, high], where all of its loops `parts` run. Those
    that only tails add are computed too, but what they compute is never used."""

    parts: tuple[str, ...]
    low: Expr
    high: Expr
    may_begin_before: bool = False
    """Whether the loops may take steps before `low`: those that are shifted inwards do."""


@dataclass
class Loops:
    """What is known of the loops that schedules made."""

    clamps: dict[tuple[str, Expr], Clamp | None] = field(default_factory=dict)
    """By coordinate and its value; None where two schedules of a definition disagree."""
    steps: dict[tuple[str, Expr], Steps | None] = field(default_factory=dict)
    """The same of the steps that count."""
    by_level: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """The loop variables of dimension `var` of stage `func`, in any definition: (func, var)."""
    least_extents: dict[str, dict[str, Expr]] = field(default_factory=dict)
    """By stage and coordinate: how long its region must be; a `Select` where that depends on which
    of several schedules is taken."""
    checks: Mapping[str, Sequence[s.Stmt]] = field(default_factory=dict)
    """By output: that what users say of its region holds."""
    guards: set[Expr] = field(default_factory=set)
    """Conditions that cut off the steps of split loops beyond the last: the first ones always
    run."""
    values: dict[str, Interval] = field(default_factory=dict)
    """The range of what a stage holds, by the name that it is read by."""

    def add_clamps(self, lets: Iterable[tuple[str, Expr]], clamps: Mapping[str, Clamp]) -> None:
        """Records the clamps of one definition's coordinates under one schedule."""
        lets = list(lets)
        split: set[Expr] = {Variable(name, I32) for name, _ in lets}
        for name, value in lets:
            clamp = clamps.get(name)
            if clamp is not None and not split.isdisjoint(variables_in(value)):
                clamp = replace(clamp, starts_inside=False)
            if self.clamps.setdefault((name, value), clamp) != clamp:
                self.clamps[name, value] = None

    def add_steps(self, lets: Iterable[tuple[str, Expr]], steps: Mapping[str, Steps]) -> None:
        """Records which steps of one definition's coordinates count under one schedule."""
        for name, value in lets:
            if self.steps.setdefault((name, value), steps.get(name)) != steps.get(name):
                self.steps[name, value] = None

    def add_least_extents(self, stage: str, least: Mapping[str, Expr], condition: Expr) -> None:
        """Records how long regions must be for one definition's loops, which run where `condition`
        holds."""
        known = self.least_extents.setdefault(stage, {})
        for name, size in least.items():
            if condition is not ir.TRUE:
                size = ir.Select(condition, size, const(1))
            known[name] = larger(known[name], size) if name in known else size

    def count_all_steps(self, stage: str, but: Collection[str] = ()) -> None:
        """From now on all steps of a stage's coordinates count, those of tails too, but for those
        of the coordinates `but`."""
        for name, value in self.steps:
            if name.startswith(f"{stage}.s"):
                _, coordinate, *_ = name[len(stage) + 1 :].split(".")
                if coordinate not in but:
                    self.steps[name, value] = None


@dataclass
class TouchedBoxes:
    """Boxes read and written by a statement, by the name of the stage or image."""

    read: dict[str, Box] = field(default_factory=dict)
    written: dict[str, Box] = field(default_factory=dict)

    def add(self, other: TouchedBoxes) -> None:
        for mine, theirs in ((self.read, other.read), (self.written, other.written)):
            for name, box in theirs.items():
                mine[name] = union(mine.get(name), box)

    def all_of(self, names: Iterable[str]) -> Iterator[Box]:
        for name in names:
            for boxes in (self.read, self.written):
                if name in boxes:
                    yield boxes[name]


def union(a: Box | None, b: Box) -> Box:
    """The smallest box that holds both."""
    if a is None or a is b:
        return b
    return [_hull(p, q) for p, q in zip(a, b, strict=True)]


def _hull(a: Interval, b: Interval) -> Interval:
    (al, ah), (bl, bh) = a, b
    low = None if al is None or bl is None else smaller(al, bl)
    return low, (None if ah is None or bh is None else larger(ah, bh))


def known(name: str, box: Box) -> KnownBox:
    """`box`, all of whose ends must be known; raises `Unbounded`."""
    made: KnownBox = []
    for d, (low, high) in enumerate(box):
        if low is None or high is None:
            raise Unbounded(name, d)
        made.append((low, high))
    return made


@dataclass(frozen=True)
class LoopView:
    """Which of the points that loops run over are looked at."""

    only_needed: bool = False
    """Not those that only tails add and that nobody uses."""
    within_steps: bool = False
    """Nor those of a single tile, whose size then isn't constant any more."""


ALL = LoopView()
NEEDED = LoopView(only_needed=True)
WITHIN = LoopView(only_needed=True, within_steps=True)


@dataclass
class _Scope:
    """What is bound between a statement and where we are in it."""

    intervals: Mapping[str, Interval]
    loops: Loops
    regions: Mapping[Expr, Expr]
    """Mins and extents of realized stages, replaced by their values before anything is bounded: a
    region ends at min + extent - 1, and bounding the two apart would lose their relation."""
    view: LoopView = ALL
    whole: frozenset[str] = frozenset()
    """The loops inside of the statement, and the coordinates made of nothing else."""

    def __post_init__(self) -> None:
        self.of = Intervals(self.intervals, self.loops.values).of
        self._resolved: dict[Expr, Expr] = {}

    def with_variable(self, name: str, interval: Interval) -> _Scope:
        return replace(self, intervals={**self.intervals, name: interval})

    def with_region(self, name: str, value: Expr) -> _Scope:
        return replace(self, regions={**self.regions, Variable(name, I32): value})

    def resolved(self, expr: Expr) -> Expr:
        return written_out(expr, self.regions, self._resolved)


class Regions:
    """Boxes of everything that statements touch; a nest that was seen before is not walked again.

    Boxes are in terms of variables that the statement does not bind.
    """

    def __init__(self, loops: Loops) -> None:
        self.loops = loops
        self._seen: dict[tuple[int, LoopView], tuple[s.Stmt, TouchedBoxes]] = {}
        self.outside = Expansion()
        self._names: dict[int, tuple[s.Stmt, frozenset[str]]] = {}

    def touched(self, stmt: s.Stmt, view: LoopView = ALL) -> TouchedBoxes:
        """The boxes of all stages and images that `stmt` touches."""
        key = (id(stmt), view)
        found = self._seen.get(key)
        if found is not None:
            return found[1]
        made = TouchedBoxes()
        if isinstance(stmt, (s.Block, s.Realize, s.ProducerConsumer, s.Ahead)):
            for child in children_of(stmt):
                made.add(self.touched(child, view))
        else:
            _collect(stmt, _Scope({}, self.loops, {}, view), made)
        # The statement is kept beside its boxes, so that its id is not given out again.
        self._seen[key] = (stmt, made)
        return made

    def names_read(self, stmt: s.Stmt) -> frozenset[str]:
        """The stages and images that `stmt` reads, by the names of their values."""
        found = self._names.get(id(stmt))
        if found is not None:
            return found[1]
        names = {
            x.name
            for e in (() if _is_of_regions(stmt) else expressions_of(stmt))
            for x in ir.reads_in(e)
            if isinstance(x, Call) and x.kind in ("func", "image")
        }
        made = frozenset(names).union(*map(self.names_read, children_of(stmt)))
        self._names[id(stmt)] = (stmt, made)
        return made

    def read(
        self,
        stmt: s.Stmt,
        names: Iterable[str],
        known: Expansion,
        but: Collection[int] = (),
        view: LoopView = ALL,
    ) -> Box | None:
        """The box that `stmt` reads of a stage with values `names`; None where it reads nothing.

        What nests with an identity in `but` read does not count.
        """
        return self._box(stmt, frozenset(names), known, False, but, view)

    def box(self, stmt: s.Stmt, names: Iterable[str], known: Expansion) -> Box | None:
        """The box that `stmt` reads or writes of a stage; None where it does neither."""
        return self._box(stmt, frozenset(names), known, True, (), ALL)

    def written(self, stmt: s.Stmt, names: frozenset[str], known: Expansion) -> Box | None:
        """The box that `stmt` writes of a stage; None where it writes nothing of it."""
        box: Box | None = None
        written = self.touched(stmt).written
        for name in names & written.keys():
            box = union(box, known.box(written[name], False))
        return box

    def _box(
        self,
        stmt: s.Stmt,
        names: frozenset[str],
        known: Expansion,
        with_writes: bool,
        but: Collection[int],
        view: LoopView,
    ) -> Box | None:
        box: Box | None = None
        if id(stmt) in but:
            return None
        if isinstance(stmt, (s.Block, s.Realize, s.ProducerConsumer, s.Ahead)):
            for child in children_of(stmt):
                part = self._box(child, names, known, with_writes, but, view)
                box = box if part is None else union(box, part)
            return box
        touched = self.touched(stmt, view)
        for boxes in (touched.read, touched.written) if with_writes else (touched.read,):
            for name in names & boxes.keys():
                box = union(box, known.box(boxes[name], view.only_needed))
        return box


def _is_of_regions(stmt: s.Stmt) -> bool:
    """Whether the expressions of `stmt` itself are over regions alone, which read nothing."""
    return isinstance(stmt, s.Realize) or (
        isinstance(stmt, s.LetStmt) and is_region_field(stmt.name)
    )


def _collect(stmt: s.Stmt, scope: _Scope, touched: TouchedBoxes) -> None:
    if isinstance(stmt, s.Realize):
        # Its bounds hold what its body touches; they read nothing themselves.
        _collect(stmt.body, scope, touched)
        return
    for expr in expressions_of(stmt):
        for node in ir.reads_in(expr):
            if isinstance(node, Call) and node.kind in ("func", "image"):
                box = [scope.of(scope.resolved(a)) for a in node.args]
                touched.read[node.name] = union(touched.read.get(node.name), box)
    if isinstance(stmt, s.Provide):
        box = [scope.of(scope.resolved(a)) for a in stmt.args]
        touched.written[stmt.func] = union(touched.written.get(stmt.func), box)
    if isinstance(stmt, s.For):
        low, last = _ends(scope.resolved(stmt.min), scope.resolved(stmt.extent))
        scope = scope.with_variable(stmt.name, (scope.of(low)[0], scope.of(last)[1]))
        scope = replace(scope, whole=scope.whole | {stmt.name})
    elif isinstance(stmt, s.LetStmt):
        scope = _with_let(stmt, scope)
    elif isinstance(stmt, s.IfThenElse) and stmt.otherwise is not None:
        condition = scope.resolved(stmt.condition)
        if _is_same_outside(condition, scope):
            then, otherwise = TouchedBoxes(), TouchedBoxes()
            _collect(stmt.then, scope, then)
            _collect(stmt.otherwise, scope, otherwise)
            touched.add(_chosen(condition, then, otherwise))
            return
    for child in children_of(stmt):
        _collect(child, scope, touched)


def _is_same_outside(condition: Expr, scope: _Scope) -> bool:
    """Whether a condition means the same around the statement as where it stands in it."""
    return not any(
        isinstance(x, (Call, ir.Load)) or (isinstance(x, Variable) and x.name in scope.intervals)
        for x in ir.postorder(condition)
    )


def _chosen(condition: Expr, then: TouchedBoxes, otherwise: TouchedBoxes) -> TouchedBoxes:
    """What is touched by the branch that `condition` takes: the other one asks for nothing."""
    holds, fails = (Facts().with_condition(condition, value) for value in (True, False))

    def box(a: Box | None, b: Box | None) -> Box:
        if a is None or b is None:
            one, facts = (a, holds) if a is not None else (b, fails)
            assert one is not None
            return [(_where(facts, low), _where(facts, high)) for low, high in one]
        return [
            (_either_end(condition, (holds, low), (fails, first)),
             _either_end(condition, (holds, high), (fails, last)))
            for (low, high), (first, last) in zip(a, b, strict=True)
        ]  # fmt: skip

    made = TouchedBoxes()
    for mine, one, two in (
        (made.read, then.read, otherwise.read),
        (made.written, then.written, otherwise.written),
    ):
        for name in [*one, *(name for name in two if name not in one)]:
            mine[name] = box(one.get(name), two.get(name))
    return made


def long_enough(low: Expr, high: Expr, least: Expr) -> Expr:
    """The first point of [low, high] grown to the left until it has `least` points."""
    if isinstance(least, ir.Select):
        holds, fails = (Facts().with_condition(least.condition, x) for x in (True, False))
        then, otherwise = long_enough(low, high, least.a), long_enough(low, high, least.b)
        made = _either_end(least.condition, (holds, then), (fails, otherwise))
        assert made is not None
        return made
    if least is const(1):
        return low
    return smaller(low, simplify_coordinate(Sub(Add(high, const(1)), least)))


def _where(facts: Facts, end: End) -> End:
    return None if end is None else simplify_coordinate(facts.simplified(end))


def _either_end(condition: Expr, then: tuple[Facts, End], otherwise: tuple[Facts, End]) -> End:
    a, b = _where(*then), _where(*otherwise)
    if a is None or b is None or a is b:
        return a if b is not None else None
    return ir.Select(condition, a, b)


def _ends(low: Expr, extent: Expr) -> tuple[Expr, Expr]:
    """The first and last step of a loop; the last of an empty one is just before the first."""
    return low, simplify_coordinate(Sub(Add(low, extent), const(1)))


def _if_some(extent: Expr) -> Expr:
    """The extent of a region that isn't empty. An empty one asks for nothing, wherever it is taken
    to end; 0 elements after its first one may lie beyond all that others ask for."""
    if isinstance(extent, ir.Max) and extent.b is const(0):
        return extent.a
    return extent


def _with_let(stmt: s.LetStmt, scope: _Scope) -> _Scope:
    if is_region_field(stmt.name):
        value = scope.resolved(_if_some(whole_of(stmt.value)))
        grown = grown_field(stmt.name) if scope.view.only_needed else None
        if grown is not None:
            scope = scope.with_region(grown, value)
        return scope.with_region(stmt.name, value)
    steps = scope.loops.steps.get((stmt.name, stmt.value)) if scope.view.only_needed else None
    if steps is not None and scope.whole.issuperset(steps.parts):
        low, high = scope.resolved(steps.low), scope.resolved(steps.high)
        scope = replace(scope, whole=scope.whole | {stmt.name})
        return scope.with_variable(stmt.name, (scope.of(low)[0], scope.of(high)[1]))
    clamp = scope.loops.clamps.get((stmt.name, stmt.value))
    if clamp is not None and clamp.outer in scope.intervals:
        # The split loop runs inside: all of the dimension, not what the rounded-up loops reach.
        low, high = scope.resolved(clamp.low), scope.resolved(clamp.high)
        return scope.with_variable(stmt.name, (scope.of(low)[0], scope.of(high)[1]))
    start, end = scope.of(scope.resolved(stmt.value))
    if clamp is not None and clamp.is_tight and start is not end and end is not None:
        last = scope.of(scope.resolved(clamp.high))[1]
        if last is not None:
            end = smaller(end, last)
            if start is not None and not clamp.starts_inside:
                start = smaller(start, last)
    if steps is not None and scope.view.within_steps:
        start, end = _within(steps, start, end, scope)
    return scope.with_variable(stmt.name, (start, end))


def _within(steps: Steps, start: End, end: End, scope: _Scope) -> Interval:
    """Of a tile that a tail lengthens, what lies within the steps that count: the nearest of them
    where all of it lies beyond."""
    low, high = (scope.of(scope.resolved(x))[i] for i, x in enumerate((steps.low, steps.high)))

    def nearest(place: End) -> End:
        if place is not None and low is not None and steps.may_begin_before:
            place = larger(place, low)
        return place if place is None or high is None else smaller(place, high)

    first = nearest(start)
    return first, (first if end is start else nearest(end))


__all__ = [
    "ALL", "NEEDED", "WITHIN", "Box", "Clamp", "Expansion", "KnownBox", "Loops", "Regions", "Steps",
    "TouchedBoxes", "Unbounded", "LoopView", "extent_of", "is_large", "is_region_field", "known",
    "long_enough", "needed_fields", "part_of", "region_fields", "union", "updated_low",
    "whole_of",
]  # fmt: skip
