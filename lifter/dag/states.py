"""States: scalars that one iteration hands to the next, as arrays of what each is handed.

    t = 0;                                   t[0] = 0
    for (i = 0; i < n; i++) {                t[i + 1] = t[i] + a[i]     for each i, in order
        t += a[i];                           s[i] = t[i + 1]
        s[i] = t;
    }

What has no closed form and isn't a sum behind the loop is left as it is: element `i` of an array of
the kernel's own is what the scalar is at the head of iteration `i`, and the last one what the loop
leaves. Where loops are around, each of their iterations has a row of the array.

The stores of the nest become three nests: what the arrays begin as, what each iteration makes of
what it is handed, and the stores themselves. That they are done one after the other changes nothing
but where the nest overwrites what it reads: all three have the nest's stores for siblings, whose
places the proofs compare with what is read before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

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
from .polynomial import ONE, ZERO, conjunction, normal
from .symbolic import markers


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
class Expanded:
    """A nest's stores over the arrays of its states, and the stores that fill these; none where
    the states are elements that the nest itself stores."""

    beginnings: tuple[Write, ...]
    steps: tuple[tuple[Write, tuple[Read, ...]], ...]
    """Each with its reads of the arrays."""
    writes: tuple[Write, ...]
    reads: tuple[Read, ...]
    """Of the arrays, by these stores."""
    known: Mapping[Expr, Expr]
    """What stands for each marker."""
    left: Mapping[Variable, Expr]
    """What loops that nothing is around leave of each scalar that is handed on."""


def expanded(
    states: Mapping[Variable, State],
    writes: tuple[Write, ...],
    handed_on: Collection[str],
    path: Sequence[Expr],
    array: Callable[[Variable, Expr], str],
    position: int,
    unknown_behind: Callable[[Variable], bool],
) -> Expanded | None:
    """The stores of a nest with arrays for the markers of what is handed on; None where it isn't
    known how that is made, or where it says where something is stored.

    `handed_on` are arrays of which iterations know what they held before (`Stage.handed_on`),
    `path` the conditions around the nest.
    `array` makes a new array for a marker, of so many elements. Positions count from `position`.
    `unknown_behind` says of a marker whether nothing else says what the loop leaves of it.
    """
    wanted = list(dict.fromkeys(m for w in writes for m in markers(w.value, w.condition)))
    if not wanted or any(True for w in writes for _ in markers(*w.indices)):
        return None
    of = {m: states.get(m) for m in wanted}
    state = of[wanted[0]]
    if state is None or any(other is not state for other in of.values()):
        return None
    needed = state.needed(wanted)
    counters = {loop.counter for loop in state.loops}
    if needed is None or any(counters & set(postorder(loop.extent)) for loop in state.loops):
        return None
    if any(isinstance(n, Load) for loop in state.loops for n in postorder(loop.extent)):
        return None
    if any(w.loops[: len(state.loops)] != state.loops for w in writes if _uses(w, wanted)):
        return None
    delays = _delays(state, needed)
    if delays is None or not all(_is_alone(m, state, delays) for m in needed):
        return None
    if not any(m in state.read_behind and unknown_behind(m) for m in needed):
        stored = _stored(state, needed, delays, writes, handed_on, path)
        if stored is not None:
            return stored
    span = next(w.span for w in writes if _uses(w, wanted))
    return _Expansion(state, needed, delays, array, span).of(writes, position)


def _is_alone(
    marker: Variable, state: State, delays: Mapping[Variable, tuple[Variable, int]]
) -> bool:
    """Whether a scalar is made of no other but those that are what it was before."""
    return {delays[m][0] for m in markers(state.after[marker])} <= {delays[marker][0]}


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
    roots = {root for root, _ in delays.values()}
    made = [w for w in writes if _uses(w, needed)]
    if len(roots) != 1 or len(made) != 1:
        return None
    (root,), (write,) = roots, made
    counter = state.loops[-1].counter
    entries = [e for m in needed for e in postorder(state.entry[m])]
    if (
        write.value is not state.after[root]
        or write.loops != state.loops
        or write.condition is not TRUE
        or write.array in handed_on
        or sum(w.array == write.array for w in writes) != 1
        or any(isinstance(e, Load) and e.array == write.array for e in entries)
    ):
        return None
    step = normal(Sub(shift(write.indices[-1], counter, 1), write.indices[-1]))
    if len(write.indices) != 1 or not isinstance(step, Const) or not step.value:
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
        span: Span,
    ) -> None:
        self.state, self.needed, self.delays, self.span = state, needed, delays, span
        self.roots = [m for m in needed if delays[m] == (m, 0)]
        *self.outer, self.own = state.loops
        self.is_read_behind = not self.outer and not state.read_behind.isdisjoint(needed)
        self.names: dict[Variable, str] = {}
        self.lags = {r: max(lag for root, lag in delays.values() if root is r) for r in self.roots}
        size: Expr = ONE
        self.row: Expr = ZERO
        for loop in self.outer:
            self.row = normal(Add(Mul(self.row, loop.extent), loop.counter))
            size = normal(Mul(size, loop.extent))
        for root in self.roots:
            self.names[root] = array(root, normal(Mul(size, self._length(root))))
        self.handed: dict[Expr, Expr] = {m: self._element(m, 0) for m in needed}
        self.left = {m: self._element(m, 1) for m in needed}

    def _length(self, root: Variable) -> Expr:
        """Elements of a row: what the scalar begins as, and is behind each iteration. What it
        begins as is there without iterations, too, where something may read what is left."""
        extent = Max(self.own.extent, ZERO) if self.is_read_behind else self.own.extent
        return normal(Add(extent, const(1 + self.lags[root], I64)))

    def _element(self, marker: Variable, behind: int) -> Load:
        """What a scalar is at the head of an iteration, or so many iterations later."""
        root, lag = self.delays[marker]
        place = Add(self.own.counter, const(self.lags[root] - lag + behind, I64))
        made: Load = Load(self.names[root], (self._place(root, place),), marker.type)
        return made

    def _place(self, root: Variable, place: Expr) -> Expr:
        return normal(Add(Mul(self.row, self._length(root)), place))

    def of(self, writes: tuple[Write, ...], position: int) -> Expanded:
        known: dict[Expr, Expr] = self.handed
        made: dict[Expr, Expr] = {
            after: self.left[m]
            for m, after in self.state.after.items()
            if m in self.roots and after.children
        }
        stores = tuple(
            replace(
                w,
                value=substitute(substitute(w.value, made), known),
                condition=substitute(substitute(w.condition, made), known),
            )
            for w in writes
        )
        values = [e for w in stores for e in (w.value, w.condition)]
        return Expanded(
            tuple(self._beginning(root, position) for root in self.roots),
            tuple(self._step(root, known, position + 1) for root in self.roots),
            stores,
            self._reads(values, position + 3),
            known,
            {m: self._left(m) for m in self.needed if m in self.state.read_behind}
            if not self.outer
            else {},
        )

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
        loop = replace(self.own, extent=self._length(root))
        value = self.state.entry[root]
        for lag in range(1, self.lags[root] + 1):
            marker = next(m for m, delay in self.delays.items() if delay == (root, lag))
            place = const(self.lags[root] - lag, I64)
            value = Select(LE(loop.counter, place), self.state.entry[marker], value)
        place = self._place(root, loop.counter)
        loops = (*self.outer, loop)
        return Write(self.names[root], (place,), value, loops, TRUE, position, self.span)

    def _step(
        self, root: Variable, known: Mapping[Expr, Expr], position: int
    ) -> tuple[Write, tuple[Read, ...]]:
        value = substitute(self.state.after[root], known)
        place = self.left[root].indices
        write = Write(
            self.names[root], place, value, self.state.loops, TRUE, position + 1, self.span
        )
        return write, self._reads([value], position)

    def _reads(self, values: Iterable[Expr], position: int) -> tuple[Read, ...]:
        """What is read of the arrays in an iteration."""
        own = set(self.names.values())
        loads = (n for n in postorder(*values) if isinstance(n, Load) and n.array in own)
        return tuple(
            Read(n.array, n.indices, n.type, self.state.loops, TRUE, position, self.span)
            for n in dict.fromkeys(loads)
        )


def _uses(write: Write, wanted: Iterable[Variable]) -> bool:
    return not set(wanted).isdisjoint(markers(write.value, write.condition))
