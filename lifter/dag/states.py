"""States: scalars that one iteration hands to the next, as arrays of what each is handed.

    t = 0;                                   t[0] = 0
    for (i = 0; i < n; i++) {                t[i + 1] = t[i] + a[i]     for each i, in order
        t += a[i];                           s[i] = t[i + 1]
        s[i] = t;
    }

What has no closed form and isn't a sum behind the loop is left as it is: element `i` of an array of
the kernel's own is what the scalar is at the head of iteration `i`, and the last one what the loop
leaves. Where loops are around, each of their iterations has a row of the array. Scalars of which
nothing but what the loop leaves is asked have one element, or one for each iteration of the loops
around. Scalars with which a row begins as the one before has left them have an element for each
iteration of both loops: the last one's of the row before is what the first one is handed.

The stores of the nest become several nests: what the arrays begin as, what each iteration makes of
what it is handed, and the stores themselves. Scalars that are made of each other are one step, the
update of a tuple; one that is made of others has its step behind theirs. That they are done one
after the other changes nothing but where the nest overwrites what it reads: all of them have the
nest's stores for siblings, whose places the proofs compare with what is read before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from compiler.ir import (
    I64,
    LE,
    LT,
    TRUE,
    Add,
    Const,
    Expr,
    Load,
    Max,
    Mul,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
)

from ..model.diagnostic import Span
from ..model.stage import Loop, Read, Write
from .closed_forms import shift
from .folds import Fold, FoldResult
from .polynomial import ONE, ZERO, conjunction, normal
from .symbolic import markers

_Of = TypeVar("_Of", bound=Expr)


@dataclass(frozen=True)
class State:
    """The scalars of one loop that its iterations hand on: what each is at the head of an
    iteration, and what the iteration makes of it."""

    loops: tuple[Loop, ...]
    """Outermost first; the last one hands on."""
    entry: Mapping[Variable, Expr]
    """What each begins as, by the marker of what an iteration is handed."""
    after: Mapping[Variable, Expr]
    read_behind: frozenset[Variable]
    """Those of which something may read what the loop leaves."""

    @property
    def is_counted(self) -> bool:
        """Whether parameters alone say how many iterations the loops have."""
        counters = {loop.counter for loop in self.loops}
        nodes = [n for loop in self.loops for n in postorder(loop.extent)]
        return counters.isdisjoint(nodes) and not any(isinstance(n, Load) for n in nodes)

    def needed(self, wanted: Iterable[Variable]) -> list[Variable] | None:
        """The scalars that some depend on, themselves included, in the order of the loop; None
        where an iteration makes them of anything else that isn't known."""
        found, waiting = set[Variable](), list(wanted)
        while waiting:
            one = waiting.pop()
            if one in found:
                continue
            after, entry = self.after.get(one), self.entry.get(one)
            if after is None or entry is None or any(True for _ in markers(entry)):
                return None
            found.add(one)
            waiting += markers(after)
        return [m for m in self.after if m in found]


@dataclass(frozen=True)
class Step:
    """What iterations make of some scalars, with its reads of their arrays."""

    writes: tuple[Write, ...]
    reads: tuple[Read, ...]
    made: Mapping[Expr, Expr] = field(default_factory=dict)
    """Values of an iteration that steps before this one have stored, and where."""


@dataclass(frozen=True)
class Expanded:
    """A nest's stores over the arrays of its states, and the stores that fill these; none where
    the states are elements that the nest itself stores."""

    beginnings: tuple[Write, ...]
    steps: tuple[Step, ...]
    """One after the other. Those of scalars that are made of each other are one."""
    writes: tuple[Write, ...]
    reads: tuple[Read, ...]
    """Of the arrays, by these stores."""
    known: Mapping[Expr, Expr]
    """What stands for each marker."""
    left: Mapping[Variable, Expr]
    """What loops that nothing is around leave of each scalar that is handed on."""
    made: Mapping[Expr, Expr] = field(default_factory=dict)
    """Values of an iteration that the steps have stored, and where."""


def expanded(
    states: Mapping[Variable, State],
    left_in_rows: Mapping[Variable, Variable],
    folds: Mapping[Expr, FoldResult],
    writes: tuple[Write, ...],
    handed_on: Collection[str],
    path: Sequence[Expr],
    array: Callable[[Variable, Expr], str],
    position: int,
    unknown_behind: Callable[[Variable], bool],
) -> Expanded | None:
    """The stores of a nest with arrays for the markers of what is handed on; None where it isn't
    known how that is made, or where it says where something is stored.

    `left_in_rows` says which scalar it is that a loop inside of others leaves as some marker,
    `folds` what several such loops leave.
    `handed_on` are arrays of which iterations know what they held before (`Stage.handed_on`),
    `path` the conditions around the nest.
    `array` makes a new array for a marker, of so many elements. Positions count from `position`.
    `unknown_behind` says of a marker whether nothing else says what the loop leaves of it.
    """
    rows = _left_in_rows(states, left_in_rows, folds, writes, path, array, position)
    if rows is None:
        return None
    within = _handed_on(
        states, left_in_rows, rows.writes, handed_on, path, array, position, unknown_behind
    )
    if within is None:
        return None if any(True for w in rows.writes for _ in markers(w.value)) else rows
    return Expanded(
        (*rows.beginnings, *within.beginnings),
        (*rows.steps, *within.steps),
        within.writes,
        (*rows.reads, *within.reads),
        {**rows.known, **within.known},
        within.left,
        within.made,
    )


def _left_in_rows(
    states: Mapping[Variable, State],
    left_in_rows: Mapping[Variable, Variable],
    folds: Mapping[Expr, FoldResult],
    writes: tuple[Write, ...],
    path: Sequence[Expr],
    array: Callable[[Variable, Expr], str],
    position: int,
) -> Expanded | None:
    """The stores with arrays for what loops inside of others leave: one element for each iteration
    of those around."""
    used = dict.fromkeys(m for w in writes for m in markers(w.value, w.condition))
    of: dict[tuple[Fold, tuple[Expr, ...]] | Variable, _Left] = {}
    for marker in _with_what_is_left_before(used, folds):
        result = folds.get(marker)
        if result is not None and result.around and not result.fold.passed:
            fold = result.fold
            key = fold, result.conditions
            left = of.setdefault(key, _Left(_state_of(result, path), len(result.around)))
            left.roots[marker] = fold.carried[result.place]
        elif (root := left_in_rows.get(marker)) is not None:
            state = states.get(root)
            if state is None:
                return None
            left = of.setdefault(next(iter(state.after)), _Left(state, len(state.loops) - 1))
            left.roots[marker] = root
    found = Expanded((), (), writes, (), {}, {})
    for left in of.values():
        earlier = dict(found.known)
        after = {m: substitute(value, earlier) for m, value in left.state.after.items()}
        state = replace(left.state, after=after)
        needed = state.needed(left.roots.values())
        around = state.loops[: left.depth]
        users = [w for w in found.writes if _uses(w, left.roots)]
        if needed is None or not state.is_counted or not around:
            return None
        if any(w.loops[: len(around)] != around for w in users):
            return None
        delays = _delays(state, needed)
        if delays is None or any(lag for _, lag in delays.values()):
            return None
        before = {load.array for load in earlier.values() if isinstance(load, Load)}
        rows = _Expansion(
            state, needed, delays, array, (), (*users, *writes)[0].span, depth=left.depth,
            at_the_end=True, before=before,
        )  # fmt: skip
        known: dict[Expr, Expr] = {m: rows.handed[root] for m, root in left.roots.items()}
        found = rows.with_rows(found, known, position)
    return found


def _with_what_is_left_before(
    used: Iterable[Variable], folds: Mapping[Expr, FoldResult]
) -> dict[Variable, None]:
    """Markers, each behind those of earlier folds that its own is made of."""
    found: dict[Variable, None] = {}

    def add(marker: Variable) -> None:
        result = folds.get(marker)
        steps = () if result is None else result.fold.steps
        for other in markers(*steps):
            if other in folds and other not in found:
                add(other)
        found.setdefault(marker)

    for marker in used:
        add(marker)
    return found


@dataclass(frozen=True)
class _Left:
    """What the iterations of a state's loops, but the first `depth` ones, leave of its scalars, as
    markers that stand for some of them."""

    state: State
    depth: int
    roots: dict[Variable, Variable] = field(default_factory=dict)


def _state_of(result: FoldResult, path: Sequence[Expr]) -> State:
    """A fold's scalars as those of the innermost of its loops, which change nothing where the fold
    isn't run; all of `path` holds anyway."""
    conditions = [c for c in result.conditions if c not in path]
    fold = result.fold.only_where(conjunction(conditions)) if conditions else result.fold
    entry = dict(zip(fold.carried, fold.entries, strict=True))
    after = dict(zip(fold.carried, fold.steps, strict=True))
    return State((*result.around, *fold.loops), entry, after, frozenset())


def _handed_on(
    states: Mapping[Variable, State],
    left_in_rows: Mapping[Variable, Variable],
    writes: tuple[Write, ...],
    handed_on: Collection[str],
    path: Sequence[Expr],
    array: Callable[[Variable, Expr], str],
    position: int,
    unknown_behind: Callable[[Variable], bool],
) -> Expanded | None:
    """The stores with arrays for what the iterations of one loop hand on."""
    wanted = list(dict.fromkeys(m for w in writes for m in markers(w.value, w.condition)))
    if not wanted or any(True for w in writes for _ in markers(*w.indices)):
        return None
    of = {m: states.get(m) for m in wanted}
    state = of[wanted[0]]
    if state is None or any(other is not state for other in of.values()):
        return None
    joined = _joined(state, states, left_in_rows, wanted)
    if joined is not None and all(
        w.loops[: len(state.loops)] == state.loops for w in writes if _uses(w, wanted)
    ):
        return _GoingOn(state, *joined).of(writes, handed_on, path, array, position)
    left = [m for m in state.after if m in state.read_behind and unknown_behind(m)]
    needed = state.needed([*wanted, *left]) or state.needed(wanted)
    if needed is None or not state.is_counted:
        return None
    if any(w.loops[: len(state.loops)] != state.loops for w in writes if _uses(w, wanted)):
        return None
    delays = _delays(state, needed)
    if delays is None:
        return None
    if not set(left) & set(needed):
        stored = _stored(state, needed, delays, writes, handed_on, path)
        if stored is not None:
            return stored
    span = next(w.span for w in writes if _uses(w, wanted))
    return _Expansion(state, needed, delays, array, writes, span).of(writes, position)


def _joined(
    state: State,
    states: Mapping[Variable, State],
    left_in_rows: Mapping[Variable, Variable],
    wanted: Iterable[Variable],
) -> tuple[State, int] | None:
    """A loop's state as that of the loops around it, too, where each of its scalars begins as what
    the same loop has left in the iteration before; and how many of the loops go on so. None where
    the scalars begin anew, or as anything else."""
    depth = 0
    first = dict.fromkeys(state.after)
    found: dict[Variable, Expr] = {m: m for m in first}
    while True:
        needed = State(state.loops, dict.fromkeys(first, TRUE), state.after, frozenset()).needed(
            wanted
        )
        if needed is None:
            return None
        begun = {m: _entry_of(found[m], m, states, state.entry) for m in needed}
        if all(e is not None and not any(True for _ in markers(e)) for e in begun.values()):
            entries = {m: e for m, e in begun.items() if e is not None}
            after = {m: state.after[m] for m in needed}
            whole = State(state.loops, entries, after, frozenset())
            return (whole, depth) if depth and whole.is_counted else None
        depth += 1
        if depth >= len(state.loops):
            return None
        around = state.loops[:-depth]
        for m in needed:
            outer = begun[m]
            own = None if not isinstance(outer, Variable) else states.get(outer)
            if own is None or own.loops != around or not isinstance(outer, Variable):
                return None
            left = own.after[outer]
            if not isinstance(left, Variable) or left_in_rows.get(left) is not found[m]:
                return None
            found[m] = outer


def _entry_of(
    marker: Expr, root: Variable, states: Mapping[Variable, State], entry: Mapping[Variable, Expr]
) -> Expr | None:
    if marker is root:
        return entry.get(root)
    state = states.get(marker) if isinstance(marker, Variable) else None
    return None if state is None or not isinstance(marker, Variable) else state.entry[marker]


class _GoingOn:
    """A state that goes on from row to row: what an iteration hands on is an element for each, and
    the next one is the first one of the next row where there is none in this."""

    def __init__(self, inner: State, state: State, depth: int) -> None:
        self.state = state
        self.loops = state.loops[-1 - depth :]

    def of(
        self,
        writes: tuple[Write, ...],
        handed_on: Collection[str],
        path: Sequence[Expr],
        array: Callable[[Variable, Expr], str],
        position: int,
    ) -> Expanded | None:
        state, needed = self.state, list(self.state.after)
        delays = _delays(state, needed)
        if delays is None or any(lag for _, lag in delays.values()):
            return None
        write = _stores_alone(state, needed, delays, writes, handed_on)
        if write is not None:
            (root,) = needed
            head, reads = self._head(root, write.array, write.indices[-1], path, -1, write.span)
            known: dict[Expr, Expr] = {root: head}
            stores = tuple(
                replace(w, value=substitute(w.value, known)) if w is write else w for w in writes
            )
            return Expanded((), (), stores, reads, known, {})
        span = next(w.span for w in writes if _uses(w, needed))
        place: Expr = ZERO
        size: Expr = ONE
        for loop in state.loops:
            place = normal(Add(Mul(place, loop.extent), loop.counter))
            size = normal(Mul(size, loop.extent))
        names = {root: array(root, size) for root in needed}
        heads = {r: self._head(r, names[r], place, path, position + 1, span) for r in needed}
        known = {r: head for r, (head, _) in heads.items()}
        reads = tuple(read for _, several in heads.values() for read in several)
        left = {r: Load(names[r], (place,), r.type) for r in needed}
        made: dict[Expr, Expr] = {
            after: left[r]
            for r, after in state.after.items()
            if after.children and not isinstance(after, Load)
        }
        steps = tuple(
            Write(
                names[r], (place,), substitute(state.after[r], known), state.loops, TRUE,
                position + 2, span,
            )
            for r in needed
        )  # fmt: skip
        beginnings = tuple(
            Write(names[r], (place,), state.entry[r], state.loops, TRUE, position, span)
            for r in needed
        )
        stores = tuple(
            replace(
                w,
                value=substitute(substitute(w.value, made), known),
                condition=substitute(substitute(w.condition, made), known),
            )
            for w in writes
        )
        later = tuple(replace(read, position=position + 3) for read in reads)
        now = tuple(
            Read(x.array, x.indices, x.type, state.loops, TRUE, position + 3, span)
            for x in left.values()
        )
        step = Step(steps, reads)
        return Expanded(beginnings, (step,), stores, (*later, *now), known, {}, made)

    def _head(
        self,
        root: Variable,
        array: str,
        place: Expr,
        path: Sequence[Expr],
        position: int,
        span: Span,
    ) -> tuple[Expr, tuple[Read, ...]]:
        """What a scalar is at the head of an iteration, where `place` is an iteration's element."""
        value = self.state.entry[root]
        reads: list[Read] = []
        for number, loop in enumerate(self.loops):
            inner = self.loops[number + 1 :]
            before: dict[Expr, Expr] = {loop.counter: Sub(loop.counter, ONE)}
            before |= {x.counter: Sub(x.extent, ONE) for x in inner}
            load = Load(array, (normal(substitute(place, before)),), root.type)
            value = Select(LE(loop.counter, ZERO), value, load)
            there = (LT(ZERO, loop.counter), *(LE(x.counter, ZERO) for x in inner))
            condition = conjunction((*path, *there))
            reads.append(
                Read(array, load.indices, root.type, self.state.loops, condition, position, span)
            )
        return value, tuple(reads)


def _stores_alone(
    state: State,
    needed: Sequence[Variable],
    delays: Mapping[Variable, tuple[Variable, int]],
    writes: Sequence[Write],
    handed_on: Collection[str],
) -> Write | None:
    """The one store of just what an iteration makes of the one scalar that is handed on; None where
    there is no such."""
    roots = {root for root, _ in delays.values()}
    made = [w for w in writes if _uses(w, needed)]
    if len(roots) != 1 or len(made) != 1:
        return None
    (root,), (write,) = roots, made
    entries = [e for m in needed for e in postorder(state.entry[m])]
    alone = (
        write.value is state.after[root]
        and write.loops == state.loops
        and write.condition is TRUE
        and len(write.indices) == 1
        and write.array not in handed_on
        and sum(w.array == write.array for w in writes) == 1
        and not any(isinstance(e, Load) and e.array == write.array for e in entries)
    )
    return write if alone else None


def _stored(
    state: State,
    needed: Sequence[Variable],
    delays: Mapping[Variable, tuple[Variable, int]],
    writes: tuple[Write, ...],
    handed_on: Collection[str],
    path: Sequence[Expr],
) -> Expanded | None:
    """What an iteration is handed as what those before it have stored, where it stores just that:
    `d[i] = (i > 0 ? d[i - 1] : 0) + s[i]` for `t += s[i]; d[i] = t`."""
    write = _stores_alone(state, needed, delays, writes, handed_on)
    if write is None:
        return None
    counter = state.loops[-1].counter
    step = normal(Sub(shift(write.indices[-1], counter, 1), write.indices[-1]))
    if not isinstance(step, Const) or not step.value:
        return None
    begins = {lag: state.entry[m] for m, (_, lag) in delays.items()}
    known: dict[Expr, Expr] = {}
    reads: list[Read] = []
    for marker, (_, lag) in delays.items():
        load = Load(write.array, (shift(write.indices[-1], counter, -1 - lag),), marker.type)
        value: Expr = load
        for i in range(lag, -1, -1):
            value = Select(LE(counter, const(i, I64)), begins[lag - i], value)
        known[marker] = value
        by_then = conjunction((*path, LT(const(lag, I64), counter)))
        reads.append(
            Read(load.array, load.indices, load.type, write.loops, by_then, -1, write.span)
        )
    value = substitute(write.value, known)
    stores = tuple(replace(w, value=value) if w is write else w for w in writes)
    return Expanded((), (), stores, tuple(reads), known, {})


def _delays(
    state: State, needed: Sequence[Variable]
) -> dict[Variable, tuple[Variable, int]] | None:
    """Which scalar each is, so many iterations later: `y2 = y1; y1 = y` leaves in y2 what y1 was.
    None where scalars change places, or begin as two different values of one."""
    found: dict[Variable, tuple[Variable, int]] = {}
    begins: dict[tuple[Variable, int], Expr] = {}
    for marker in needed:
        root, lag = marker, 0
        while (before := state.after[root]) in needed and before.type is root.type:
            assert isinstance(before, Variable)
            root, lag = before, lag + 1
            if lag > len(needed):
                return None
        found[marker] = root, lag
        if begins.setdefault((root, lag), state.entry[marker]) is not state.entry[marker]:
            return None
    return found


class _Expansion:
    """The arrays of one loop's state."""

    def __init__(
        self,
        state: State,
        needed: Sequence[Variable],
        delays: Mapping[Variable, tuple[Variable, int]],
        array: Callable[[Variable, Expr], str],
        writes: Sequence[Write],
        span: Span,
        *,
        depth: int = -1,
        at_the_end: bool = False,
        before: Collection[str] = (),
    ) -> None:
        """`depth`: how many loops have a row of the array for each of their iterations, all but the
        last. `at_the_end`: whether nothing is asked but what the others leave in each row. `before`
        are arrays of states that steps may read."""
        self.before = before
        self.state, self.needed, self.delays, self.span = state, needed, delays, span
        self.outer, self.own = state.loops[:depth], state.loops[-1]
        self.is_read_behind = not self.outer and not state.read_behind.isdisjoint(needed)
        roots = [m for m in needed if delays[m] == (m, 0)]
        made_of = {r: dict.fromkeys(delays[m][0] for m in markers(state.after[r])) for r in roots}
        # Of one element each no step finds what another one's has been on the way.
        self.groups = [roots] if at_the_end else made_of_each_other(made_of)
        lags = {r: max(lag for root, lag in delays.values() if root is r) for r in roots}
        # Those that are made of each other are one place of several arrays.
        self.lags = {r: max(lags[other] for other in group) for group in self.groups for r in group}
        used = {delays[m][0] for w in writes for m in markers(w.value, w.condition) if m in delays}
        self.at_the_end = {
            r
            for group in self.groups
            if at_the_end or self._is_for_the_end(group, used, made_of, lags)
            for r in group
        }
        """Those of which nothing is asked but what the loop leaves: one element is enough."""
        self.names: dict[Variable, str] = {}
        size: Expr = ONE
        self.row: Expr = ZERO
        for loop in self.outer:
            self.row = normal(Add(Mul(self.row, loop.extent), loop.counter))
            size = normal(Mul(size, loop.extent))
        self.rows = size
        self.goes_down = bool(self.outer) and _goes_down(writes, self.outer[-1], self.own)
        for root in roots:
            self.names[root] = array(root, normal(Mul(size, self._length(root))))
        self.handed: dict[Expr, Expr] = {m: self._element(m, 0) for m in needed}
        self.left = {m: self._element(m, 1) for m in needed}

    def _is_for_the_end(
        self,
        group: Sequence[Variable],
        used: Collection[Variable],
        made_of: Mapping[Variable, Collection[Variable]],
        lags: Mapping[Variable, int],
    ) -> bool:
        inside = set(group)
        others = {m for root, needed in made_of.items() if root not in inside for m in needed}
        return (
            self.is_read_behind
            and inside.isdisjoint(used)
            and inside.isdisjoint(others)
            and not any(lags[root] for root in group)
        )

    def _length(self, root: Variable) -> Expr:
        """Elements of a row: what the scalar begins as, and is behind each iteration. What it
        begins as is there without iterations, too, where something may read what is left."""
        if root in self.at_the_end:
            return ONE
        extent = Max(self.own.extent, ZERO) if self.is_read_behind else self.own.extent
        return normal(Add(extent, const(1 + self.lags[root], I64)))

    def _element(self, marker: Variable, behind: int) -> Load:
        """What a scalar is at the head of an iteration, or so many iterations later."""
        root, lag = self.delays[marker]
        place = Add(self.own.counter, const(self.lags[root] - lag + behind, I64))
        made: Load = Load(self.names[root], (self._place(root, place),), marker.type)
        return made

    def _place(self, root: Variable, place: Expr) -> Expr:
        if root in self.at_the_end:
            return self.row
        if self.goes_down:
            return normal(Add(Mul(place, self.rows), self.row))
        return normal(Add(Mul(self.row, self._length(root)), place))

    def of(self, writes: tuple[Write, ...], position: int) -> Expanded:
        made = self._made(self.groups)
        stores = tuple(
            replace(
                w,
                value=substitute(substitute(w.value, made), self.handed),
                condition=substitute(substitute(w.condition, made), self.handed),
            )
            for w in writes
        )
        values = [e for w in stores for e in (w.value, w.condition)]
        return Expanded(
            self._beginnings(position),
            self._steps(position),
            stores,
            self._reads(values, position + 3),
            self.handed,
            {m: self._left(m) for m in self.needed if m in self.state.read_behind}
            if not self.outer
            else {},
            made,
        )

    def with_rows(self, others: Expanded, known: Mapping[Expr, Expr], position: int) -> Expanded:
        """Some stores, with `known` for what the loop leaves in each row."""
        named = dict(known)
        writes = tuple(
            replace(w, value=substitute(w.value, named), condition=substitute(w.condition, named))
            for w in others.writes
        )
        values = [e for w in writes for e in (w.value, w.condition)]
        return Expanded(
            (*others.beginnings, *self._beginnings(position)),
            (*others.steps, *self._steps(position)),
            writes,
            (*others.reads, *self._reads(values, position + 3, self.outer)),
            {**others.known, **named},
            {},
        )

    def _beginnings(self, position: int) -> tuple[Write, ...]:
        return tuple(self._beginning(r, position) for group in self.groups for r in group)

    def _steps(self, position: int) -> tuple[Step, ...]:
        return tuple(self._step(number, position + 1) for number in range(len(self.groups)))

    def _made(self, groups: Iterable[Sequence[Variable]]) -> dict[Expr, Expr]:
        """What iterations make of the scalars of some groups, as elements of their arrays."""
        roots = {r for group in groups for r in group} - self.at_the_end
        return {
            after: self.left[m]
            for m, after in self.state.after.items()
            if m in roots and after.children and not isinstance(after, Load)
        }

    def _left(self, marker: Variable) -> Expr:
        """What the loop leaves: what an iteration more would be handed."""
        handed = self.handed[marker]
        assert isinstance(handed, Load)
        end: dict[Expr, Expr] = {self.own.counter: Max(self.own.extent, ZERO)}
        made: Expr = Load(
            handed.array, tuple(normal(substitute(i, end)) for i in handed.indices), handed.type
        )
        return made

    def _beginning(self, root: Variable, position: int) -> Write:
        """All elements are what the scalar begins as; before it, those that it is behind."""
        if root in self.at_the_end:
            value, loops = self.state.entry[root], self.outer
            return Write(self.names[root], (self.row,), value, loops, TRUE, position, self.span)
        loop = replace(self.own, extent=self._length(root))
        value = self.state.entry[root]
        for lag in range(1, self.lags[root] + 1):
            marker = next((m for m, delay in self.delays.items() if delay == (root, lag)), None)
            if marker is not None:
                place = const(self.lags[root] - lag, I64)
                value = Select(LE(loop.counter, place), self.state.entry[marker], value)
        place = self._place(root, loop.counter)
        loops = (*self.outer, loop)
        return Write(self.names[root], (place,), value, loops, TRUE, position, self.span)

    def _step(self, number: int, position: int) -> Step:
        """What iterations make of the scalars of a group, of which those before it are known."""
        made = self._made(self.groups[:number])
        writes = tuple(
            Write(
                self.names[root],
                self.left[root].indices,
                substitute(substitute(self.state.after[root], made), self.handed),
                self.state.loops,
                TRUE,
                position + 1,
                self.span,
            )
            for root in self.groups[number]
        )
        reads = self._reads([w.value for w in writes], position, others=self.before)
        return Step(writes, reads, made)

    def _reads(
        self,
        values: Iterable[Expr],
        position: int,
        loops: tuple[Loop, ...] | None = None,
        others: Collection[str] = (),
    ) -> tuple[Read, ...]:
        """What is read of the arrays, and of others, in an iteration of the state's loops, or of
        other loops."""
        loops = self.state.loops if loops is None else loops
        own = {*self.names.values(), *others}
        loads = (n for n in postorder(*values) if isinstance(n, Load) and n.array in own)
        return tuple(
            Read(n.array, n.indices, n.type, loops, TRUE, position, self.span)
            for n in dict.fromkeys(loads)
        )


def _goes_down(writes: Iterable[Write], outer: Loop, own: Loop) -> bool:
    """Whether iterations of a loop store in one column, and those of the loop around it side by
    side: an array of what is handed on is best laid out as what is stored."""

    def step(place: Expr, loop: Loop) -> Expr:
        return normal(Sub(shift(place, loop.counter, 1), place))

    for write in writes:
        if not {outer, own} <= set(write.loops):
            continue
        across, along = step(write.indices[-1], outer), step(write.indices[-1], own)
        if not isinstance(across, Const) or not across.value:
            return False
        return (
            not isinstance(along, Const) or not 0 < abs(int(along.value)) < abs(int(across.value))
        )  # fmt: skip
    return False


def made_of_each_other(made_of: Mapping[_Of, Collection[_Of]]) -> list[list[_Of]]:
    """Scalars in groups whose members are made of each other, each behind those it is made of."""

    def reached(start: _Of) -> set[_Of]:
        found, waiting = set[_Of](), [start]
        while waiting:
            more = set(made_of[waiting.pop()]) - found
            found |= more
            waiting += more
        return found

    behind = {m: reached(m) for m in made_of}
    groups: list[list[_Of]] = []
    for m in made_of:
        together = [o for o in made_of if o is m or (o in behind[m] and m in behind[o])]
        if together not in groups:
            groups.append(together)
    done: list[list[_Of]] = []
    while groups:
        known = {m for group in done for m in group}
        ready = next(g for g in groups if all(behind[m] <= known | set(g) for m in g))
        groups.remove(ready)
        done.append(ready)
    return done


def _uses(write: Write, wanted: Iterable[Variable]) -> bool:
    return not set(wanted).isdisjoint(markers(write.value, write.condition))
