"""Windows: scalars that each iteration adds to what enters a window and takes away what leaves it.

    for (i = 0; i < n; i++) {                s[i] = sum over -r <= j <= r of a[i + j]
        s[i] = t;
        t += a[i + r + 1] - a[i - r];
    }

At the head of iteration `i` such a scalar is a sum of as many elements as lie between what leaves
and what enters, if it begins so. Borders are part of what is added: what entering and leaving
elements are kept inside of is asked of all of them. Integers wrap, so that nothing else counts;
floats stay the scans that they are.

Ends of windows may be numbers that follow a bound (`followers.py`): what an iteration adds or takes
away is then all from where such a number was to where it comes to.

What is found here is a suggestion: two claims, that the scalar begins as the window of the first
iteration and that an iteration makes the next one's of its own, go to the verifier
(`verify/window.py`). Where these aren't proved, the scalar is a state like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    EQ,
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Type,
    UInt,
    Variable,
    const,
    postorder,
    substitute,
    transform,
)

from ..model.diagnostic import Span
from ..model.stage import Claim, Loop, Read, Write
from .followers import Course, ends, leaves, opposite, pushed
from .index import Indexer, Ranges, domain, typed
from .index import replace as substituted
from .polynomial import (
    ONE,
    ZERO,
    conjunction,
    conjuncts,
    from_polynomial,
    normal,
    polynomial,
    with_extremes,
)
from .reduce import Reduce
from .states import State
from .summands import Summands, Term, summands
from .symbolic import Recording, markers

Refused = Collection[tuple[Span, str]]
"""Windows that weren't proved, by where their loop stands and what their claims say."""


@dataclass(frozen=True)
class Window:
    """What a scalar is at the head of an iteration of the last of some loops, as a sum."""

    state: State
    value: Expr
    following: Expr
    """What it is one iteration later."""
    claims: tuple[Claim, ...]
    between: Mapping[Expr, Expr]
    """What it is in the middle of an iteration, by what that is made of."""
    is_of_followers: bool = False


@dataclass(frozen=True)
class Windows:
    """A nest's stores over arrays of what its windows are in each iteration, or over these sums
    themselves where they are all that is stored."""

    sums: tuple[tuple[Write, tuple[Read, ...], tuple[Claim, ...]], ...]
    """The stores that fill the arrays, what they read, and what they claim."""
    writes: tuple[Write, ...]
    reads: tuple[Read, ...]
    """Of the arrays, by these stores."""
    read_itself: tuple[Read, ...]
    """Of what is summed, by these stores."""
    claims: tuple[Claim, ...]
    known: tuple[dict[Expr, Expr], ...]
    """What stands for the markers, one after the other."""

    def within(self, recording: Recording) -> Recording:
        """What was recorded of the nest, with the windows."""
        reads = [
            replace(r, condition=_put_in(r.condition, *self.known))
            for r in recording.reads.values()
        ]
        facts = (f for f in recording.facts if not any(markers(f.formula, *f.path)))
        return replace(
            recording,
            reads={r.key: r for r in (*reads, *self.read_itself)},
            claims=recording.claims | {(c.name, c.formula, c.given): c for c in self.claims},
            facts=dict.fromkeys(facts),
        )


class WindowFinder:
    """The windows of one nest's loops."""

    def __init__(
        self,
        parameters: dict[str, Type],
        counter: Iterator[Variable],
        array: Callable[[Variable, Expr], str],
        refused: Refused,
        path: Sequence[Expr],
        given: Sequence[Expr],
        courses: Mapping[Variable, Sequence[Course]],
    ) -> None:
        self.parameters = parameters
        self.counter = counter
        self.array = array
        """Makes a new array for a marker, of so many elements."""
        self.refused = refused
        self.path = path
        """The conditions around the nest."""
        self.given = tuple(given)
        """What they say, as index formulas."""
        self.courses = courses
        """By the counters of loops: of scalars that may be ends of windows."""

    def put_in(
        self, states: Mapping[Variable, State], writes: tuple[Write, ...], position: int
    ) -> Windows | None:
        """The stores with a sum for each scalar that is a window; None where there is none."""
        stored = {w.array for w in writes}
        found: dict[Variable, Window] = {}
        for marker in dict.fromkeys(m for w in writes for m in markers(w.value, w.condition)):
            state = states.get(marker)
            uses = [w for w in writes if marker in postorder(w.value, w.condition, *w.indices)]
            if state is None or any(w.loops[: len(state.loops)] != state.loops for w in uses):
                continue
            used = [e for w in uses for e in (w.value, w.condition)]
            window = self._window(marker, state, stored, used)
            if window is not None:
                found[marker] = window
        if not found:
            return None
        made = Windows((), writes, (), (), (), ())
        for marker, window in found.items():
            made = self._with(made, marker, window, position)
        return made

    def _with(self, made: Windows, marker: Variable, window: Window, position: int) -> Windows:
        """The stores with one more window put in."""

        def named(at: str) -> Variable:
            return Variable(f"{marker.name} {at}", marker.type)

        head, after = named("head"), named("after")
        values: dict[Expr, Expr] = {head: window.value, after: window.following}
        behind: dict[Expr, Expr] = {window.state.after[marker]: after}
        for number, (written, value) in enumerate(window.between.items()):
            behind[written] = named(f"between {number}")
            values[behind[written]] = value
        ahead: dict[Expr, Expr] = {marker: head}
        marking: tuple[dict[Expr, Expr], ...] = (behind, ahead)
        marked = [_with(w, *marking) for w in made.writes]
        parts = {p for w in marked for p in postorder(w.value, w.condition)}
        found = [symbol for symbol in values if symbol in parts]
        if len(found) > 1 and not window.is_of_followers:
            # One sum is enough, from which the others are a step.
            marking, found = (ahead,), [head]
            marked = [_with(w, *marking) for w in made.writes]
        known = dict(values)
        for own in found:
            using = [w for w in marked if own in postorder(w.value, w.condition)]
            reads = tuple(_reads(values[own], window.state.loops, self.path, using[0]))
            if all(_converted(w.value) is own and own not in postorder(w.condition) for w in using):
                made = replace(
                    made,
                    read_itself=(*made.read_itself, *reads),
                    claims=(*made.claims, *window.claims),
                )
                continue
            span = using[0].span
            write = self._array(marker, window.state.loops, values[own], position, span)
            known[own] = Load(write.array, write.indices, marker.type)
            by_then = Read(
                write.array, write.indices, marker.type, write.loops, TRUE, position + 1, span
            )
            made = replace(
                made,
                sums=(*made.sums, (write, reads, window.claims)),
                reads=(*made.reads, by_then),
            )
        return replace(
            made,
            writes=tuple(_with(w, known) for w in marked),
            known=(*made.known, *marking, known),
        )

    def _array(
        self, marker: Variable, loops: tuple[Loop, ...], value: Expr, position: int, span: Span
    ) -> Write:
        """The store of a sum to an array that has one element for each iteration."""
        place: Expr = ZERO
        size: Expr = ONE
        for loop in loops:
            place = normal(Add(Mul(place, loop.extent), loop.counter))
            size = normal(Mul(size, loop.extent))
        return Write(self.array(marker, size), (place,), value, loops, TRUE, position, span)

    def _window(
        self, marker: Variable, state: State, stored: Collection[str], used: Sequence[Expr]
    ) -> Window | None:
        after, entry = state.after[marker], state.entry[marker]
        if not marker.type.is_integer or marker.type.is_bool or marker in state.read_behind:
            return None
        if set(markers(after)) != {marker} or any(True for _ in markers(entry)):
            return None
        if any(n.array in stored for n in postorder(after, entry) if isinstance(n, Load)):
            return None
        span = state.loops[-1].span
        text = f"{_name(marker)} is the sum over a window at the head of each iteration"
        if (span, text) in self.refused or not _are_plain(state.loops):
            return None
        parts = summands(after, marker.type.bits)
        if parts.pop(Term(marker), None) is not ONE or any(True for t in parts for _ in _inside(t)):
            return None
        pairs = self._pairs(parts, state.loops)
        if not pairs:
            return None
        summed = _summed_in(marker.type, [leaving for leaving, _ in pairs])
        if any(m.course is not None for pair in pairs for m in pair):
            return self._of_followers(marker, pairs, parts, state, used, span, text)
        sums = [self._sum(*pair, state.loops, summed) for pair in pairs]
        value = _total(sums, entry, marker.type)
        if value is None:
            return None
        claims = self._claims(marker, value, state, span, text, _remedies(sums))
        return Window(state, value, _following(value, state.loops[-1].counter), claims, {})

    def _of_followers(
        self,
        marker: Variable,
        pairs: Sequence[tuple[_Moving, _Moving]],
        parts: Summands,
        state: State,
        used: Sequence[Expr],
        span: Span,
        text: str,
    ) -> Window | None:
        """A window of which it is known what iterations leave: at the head of the first one it is
        what it began as."""
        counter, entry = state.loops[-1].counter, state.entry[marker]
        summed = _summed_in(marker.type, [leaving for leaving, _ in pairs])

        def sums(done: Collection[Term]) -> list[Reduce | None]:
            """Where so much of an iteration is done."""
            return [
                self._between(one, other, one.end(done), other.end(done), state.loops, summed)
                for one, other in pairs
            ]

        behind = sums(parts)
        left = _total(behind, entry, marker.type)
        if left is None:
            return None
        before: dict[Expr, Expr] = {counter: Sub(counter, ONE)}
        if any(isinstance(n, Load) for n in postorder(entry)):
            value: Expr = Select(LE(counter, ZERO), entry, substituted(left, before))
        else:
            later = GT(typed(I32, counter), const(0, I32))
            shifted = [_only_where(later, substituted(s, before)) for s in behind if s is not None]
            found = _total(shifted, entry, marker.type)
            assert found is not None
            value = found
        handed: dict[Expr, Expr] = {marker: value}
        between: dict[Expr, Expr] = {}
        for written, done in _on_the_way(used, marker, state.after[marker], parts):
            there = _total(sums(done), entry, marker.type)
            if there is not None:
                between[written] = there
        inside, assumed = (*domain(state.loops), *self.given), (conjunction(_remedies(behind)),)
        claims = (
            Claim(
                "window",
                EQ(sum, substitute(written, handed)),
                inside,
                span,
                text,
                assumed,
                state.loops,
            )
            for written, sum in ((state.after[marker], left), *between.items())
        )
        return Window(state, value, left, tuple(claims), between, is_of_followers=True)

    def _claims(
        self,
        marker: Variable,
        value: Expr,
        state: State,
        span: Span,
        text: str,
        remedies: Sequence[Expr],
    ) -> tuple[Claim, ...]:
        counter, extent = state.loops[-1].counter, state.loops[-1].extent
        first: dict[Expr, Expr] = {counter: ZERO}
        begins = EQ(substituted(value, first), state.entry[marker])
        handed: dict[Expr, Expr] = {marker: value}
        goes_on = EQ(_following(value, counter), substitute(state.after[marker], handed))
        outside = (*domain(state.loops[:-1]), normal(GT(extent, ZERO)), *self.given)
        inside = (*domain(state.loops), *self.given)
        assumed = (conjunction(remedies),)
        return (
            Claim("window", begins, outside, span, text, assumed, state.loops),
            Claim("window", goes_on, inside, span, text, assumed, state.loops),
        )

    def _pairs(
        self, parts: Summands, loops: tuple[Loop, ...]
    ) -> list[tuple[_Moving, _Moving]] | None:
        """What leaves a window, each with what enters it; None where anything is left alone."""
        leaving, entering = list[_Moving](), list[_Moving]()
        for term, times in parts.items():
            if not isinstance(times, Const):
                return None
            moving = self._moving(term, abs(int(times.value)), loops)
            if moving is None:
                return None
            (leaving if times.value < 0 else entering).append(moving)
        pairs: list[tuple[_Moving, _Moving]] = []
        for one in leaving:
            other = next((e for e in entering if e.is_like(one)), None)
            renamed = None if other is None else self._moving(*other.counted_as(one), loops)
            if other is None or renamed is None:
                return None
            entering.remove(other)
            pairs.append((one, replace(renamed, written=other.written)))
        return None if entering else pairs

    def _moving(self, term: Term, times: int, loops: tuple[Loop, ...]) -> _Moving | None:
        counter = loops[-1].counter
        written = term
        term, own = self._at_first(term, counter)
        load = next((n for n in postorder(term.value) if isinstance(n, Load)), None)
        if load is None or len(load.indices) != 1:
            return None
        inner = [Loop(c, e, loops[-1].span) for c, e in term.loops]
        ranges = Ranges(self.parameters, (*loops, *inner))
        by_place: list[Expr] = []
        of_data: list[Expr] = []
        for condition in term.conditions:
            # Whether what it computes fits its type is asked where the window is proved.
            formula = Indexer(ranges, lambda doubt, text: None).formula(condition)
            if formula is None or any(isinstance(n, (Load, Call)) for n in postorder(formula)):
                of_data.append(condition)
            else:
                by_place += conjuncts(formula)
        for course in self.courses.get(counter, ()) if own is None else (own,):
            followed = _followed(load.indices[0], course.head, counter)
            if followed is not None:
                kept = tuple(by_place), tuple(of_data)
                return _Moving(term, times, load, counter, followed, *kept, written, course)
        placed = _placed(load.indices[0], counter) if own is None else None
        if placed is None:
            return None
        kept = tuple(by_place), tuple(of_data)
        return _Moving(term, times, load, counter, placed, *kept, written)

    def _at_first(self, term: Term, counter: Variable) -> tuple[Term, Course | None]:
        """The value that is added of the first place of those that a follower goes over, where it
        goes over several in an iteration."""
        for course in self.courses.get(counter, ()):
            for own, extent in term.loops:
                if normal(extent) is course.step:
                    first: dict[Expr, Expr] = {own: ZERO}
                    value, *conditions = (
                        substituted(e, first) for e in (term.value, *term.conditions)
                    )
                    others = tuple(
                        (c, substituted(e, first)) for c, e in term.loops if c is not own
                    )
                    return Term(value, tuple(conditions), others), course
        return term, None

    def _sum(
        self, leaving: _Moving, entering: _Moving, loops: tuple[Loop, ...], type: Type
    ) -> Reduce | None:
        """The sum of all from what leaves to what is before what enters."""
        counter = loops[-1].counter
        own, other = leaving.place, entering.place
        # Where a bound is, a place has a number; the other one's is told by it.
        known = own if own.bounds or not other.bounds else other
        if own.bounds and other.bounds and own.rest is not other.rest:
            return None
        numbers = [
            place.number if place.bounds else _over(normal(Sub(place.index, known.rest)), own.size)
            for place in (own, other)
        ]
        starts = [None if n is None else normal(Sub(n, counter)) for n in numbers]
        if any(s is None or counter in postorder(s) for s in starts):
            return None
        start, end = (s for s in starts if s is not None)
        within = {c for c, _ in leaving.term.loops}
        if not within.isdisjoint(postorder(start, end)):
            return None
        j = next(self.counter)
        at = normal(Add(Add(counter, start), j))
        place: Expr = at
        for kind, bound in (*other.bounds, *own.bounds):
            place = kind(place, bound)
        index = normal(Add(Mul(place, own.size), known.rest))
        asked: list[Expr] = []
        for moving, begin in ((leaving, start), (entering, end)):
            there: dict[Expr, Expr] = {counter: normal(Sub(at, begin))}
            asked += [substituted(part, there) for part in moving.by_place]
        template = leaving if not other.bounds or own.bounds else entering
        value = template.at(index, type)
        if value is None:
            return None
        condition = conjunction(dict.fromkeys(_bounds(asked, j, at)))
        if condition is not TRUE:
            value = Select(condition, value, const(0, type))
        made = Reduce("add", j, normal(Sub(end, start)), value)
        assert isinstance(made, Reduce)
        return made

    def _between(
        self,
        leaving: _Moving,
        entering: _Moving,
        first_number: Expr,
        last_number: Expr,
        loops: tuple[Loop, ...],
        type: Type,
    ) -> Reduce | None:
        """The sum of all from where what leaves has come to before where what enters has, at least
        one of which is a follower's."""
        own, other = leaving.place, entering.place
        ahead = _over(normal(Sub(other.rest, own.rest)), own.size)
        if ahead is None or own.bounds or other.bounds:
            return None
        low, high = pushed(first_number), pushed(Add(last_number, ahead))
        lower = [*leaves(low, Max)]
        if isinstance(high, Max):
            # Where the window ends before it begins, it is empty.
            above = [s for s in high.children if not any(_is_less(s, a) for a in lower)]
            high = above[0] if len(above) == 1 else high
        upper = [*leaves(high, Min)]
        found = _apart(lower, upper, loops)
        if any(isinstance(n, (Min, Max)) for n in postorder(*lower)):
            # No one place is the first one that there may be: it begins where it does.
            found = _apart([*ends(low)], upper, loops)
            lower, found = [low], None if found is None else (low, high, found[2])
        if found is None or any(isinstance(n, (Min, Max)) for n in postorder(*upper)):
            return None
        first, last, extent = found
        j = next(self.counter)
        at = normal(Add(first, j))
        value = leaving.at(normal(Add(Mul(at, own.size), own.rest)), type)
        if value is None:
            return None
        asked = [normal(GE(at, bound)) for bound in lower if bound is not first]
        asked += [normal(LT(at, bound)) for bound in upper if bound is not last]
        for moving, begin in ((leaving, at), (entering, normal(Sub(at, ahead)))):
            asked += filter(None, (moving.at_place(part, begin) for part in moving.by_place))
        condition = conjunction(dict.fromkeys(_bounds(asked, j, at)))
        if condition is not TRUE:
            value = Select(condition, value, const(0, type))
        made = Reduce("add", j, extent, value)
        return made if isinstance(made, Reduce) else None


def _apart(
    lower: Sequence[Expr], upper: Sequence[Expr], loops: tuple[Loop, ...]
) -> tuple[Expr, Expr, Expr] | None:
    """Two bounds that move with the counter of the last of some loops, and how far they are apart
    in all iterations."""
    counters, counter = {loop.counter for loop in loops}, loops[-1].counter
    for a in lower:
        for b in upper if counter in postorder(a) else ():
            distance = normal(Sub(b, a))
            is_empty = isinstance(distance, Const) and distance.value <= 0
            if counters.isdisjoint(postorder(distance)) and not is_empty:
                return a, b, distance
    return None


def _is_less(a: Expr, b: Expr) -> bool:
    """Whether a number is seen to be no more than another one."""
    difference = normal(Sub(b, a))
    return isinstance(difference, Const) and difference.value >= 0


def _followed(index: Expr, number: Expr, counter: Variable) -> _Place | None:
    """An index as `size * number + rest`, where the number is a follower's: it and nothing else
    moves with the counter."""
    for sign, written in ((1, number), (-1, opposite(number))):
        terms = polynomial(written)
        moving = [m[0] for m in terms if len(m) == 1 and counter in postorder(m[0])]
        own = next((atom for atom in moving if atom is not counter), None)
        if own is None or abs(terms[(own,)]) != 1:
            continue
        size: dict[tuple[Expr, ...], int] = {}
        for monomial, factor in polynomial(index).items():
            if own in monomial:
                left = list(monomial)
                left.remove(own)
                size[tuple(left)] = factor * terms[(own,)] * sign
        step = from_polynomial(size)
        rest = normal(
            Sub(index, Mul(from_polynomial({m: c * sign for m, c in size.items()}), written))
        )
        if step is not ZERO and counter not in postorder(step, rest):
            return _Place(index, step, number, (), rest)
    return None


def _summed_in(type: Type, terms: Sequence[_Moving]) -> Type:
    """The type that the elements of a window are added up in, for a scalar of some type.

    The original adds them up in another order, in which nothing overflows. In this one numbers with
    a sign might, on the way; those without are never more than their sum is.
    """
    added = [term.term.value.type for term in terms]
    only_grows = all(t.is_uint and t.bits < type.bits for t in added) and all(
        term.times > 0 for term in terms
    )
    return type if only_grows or type.is_uint or type.bits < 32 else UInt(type.bits)


@dataclass(frozen=True)
class _Place:
    """Where something is read: `size * bounded(number) + rest`."""

    index: Expr
    size: Expr
    number: Expr
    """The counter and something else, without bounds."""
    bounds: tuple[tuple[type[Min | Max], Expr], ...]
    """What keeps the number inside, innermost first."""
    rest: Expr


@dataclass(frozen=True)
class _Moving:
    """A value that an iteration adds or takes away, and how often."""

    term: Term
    times: int
    load: Load
    """What is read first of it, where `place` says."""
    counter: Variable
    place: _Place
    by_place: tuple[Expr, ...]
    of_data: tuple[Expr, ...]
    written: Term
    """As iterations add it."""
    course: Course | None = None
    """From which number of a place to before which one it is added in an iteration, where that is
    a follower's."""

    def end(self, done: Collection[Term]) -> Expr:
        """The number of the place to before which it was added in an iteration in which so much is
        done."""
        if self.written in done:
            following = _following(self.place.number, self.counter)
            return following if self.course is None else self.course.left
        return self.place.number if self.course is None else self.course.head

    def at_place(self, condition: Expr, place: Expr) -> Expr | None:
        """A condition of an iteration as one of the place; None where it isn't."""
        if self.course is None:
            there: dict[Expr, Expr] = {
                self.counter: normal(Sub(place, Sub(self.place.number, self.counter)))
            }
            return substituted(condition, there)
        here: Expr = Variable("place'", I64)
        found = substitute(condition, {self.course.head: here})
        if self.counter in postorder(found):
            return None
        return substituted(found, {here: place})

    def is_like(self, other: _Moving) -> bool:
        return (
            self.times == other.times
            and self.load.array == other.load.array
            and self.place.size is other.place.size
            and len(self.term.loops) == len(other.term.loops)
        )

    def counted_as(self, other: _Moving) -> tuple[Term, int]:
        """The value with the counters of another one's sums, and how often it is added."""
        pairs = zip(self.term.loops, other.term.loops, strict=True)
        names: dict[Expr, Expr] = {own: theirs for (own, _), (theirs, _) in pairs}
        value, *conditions = (
            substituted(e, names) for e in (self.term.value, *self.term.conditions)
        )
        loops = tuple(
            (theirs, substituted(extent, names))
            for (_, extent), (theirs, _) in zip(self.term.loops, other.term.loops, strict=True)
        )
        return Term(value, tuple(conditions), loops), self.times

    def at(self, index: Expr, type: Type) -> Expr | None:
        """The value with the first read at another index, and all others as far from it as they
        are; None where they are no fixed distance from it."""
        fixed = True

        def moved(node: Expr) -> Expr:
            nonlocal fixed
            if not isinstance(node, Load):
                return node
            distance = normal(Sub(node.indices[0], self.load.indices[0]))
            fixed = fixed and len(node.indices) == 1 and self.counter not in postorder(distance)
            made: Expr = Load(node.array, (normal(Add(index, distance)),), node.type)
            return made

        conditions = [transform(c, moved) for c in self.of_data]
        value: Expr = transform(self.term.value, moved)
        if not fixed or self.counter in postorder(*_outside_places(value, *conditions)):
            return None
        value = value if value.type is type else Cast(type, value)
        if self.times != 1:
            value = Mul(const(self.times, type), value)
        if conditions:
            value = Select(conjunction(conditions), value, const(0, type))
        for counter, extent in reversed(self.term.loops):
            value = Reduce("add", counter, extent, value)
        return value


def _outside_places(*exprs: Expr) -> Iterator[Expr]:
    """The parts of expressions that say no place."""
    for expr in exprs:
        if isinstance(expr, Load):
            continue
        if not expr.children:
            yield expr
        yield from _outside_places(*expr.children)


def _placed(index: Expr, counter: Variable) -> _Place | None:
    """How an index moves with a counter, that bounds may keep inside."""
    terms = polynomial(with_extremes(index))
    moving = {m: c for m, c in terms.items() if counter in postorder(*m)}
    rest = from_polynomial({m: c for m, c in terms.items() if m not in moving})
    heads = {next(a for a in m if counter in postorder(a)) for m in moving}
    if len(heads) != 1:
        return None
    (head,) = heads
    size: dict[tuple[Expr, ...], int] = {}
    for monomial, factor in moving.items():
        left = list(monomial)
        left.remove(head)
        if counter in postorder(*left):
            return None
        size[tuple(left)] = factor
    step = from_polynomial(size)
    if head is counter:
        return _Place(index, step, counter, (), rest)
    bounds: list[tuple[type[Min | Max], Expr]] = []
    while isinstance(head, (Min, Max)):
        bound, inner = head.a, head.b
        if counter in postorder(bound):
            bound, inner = inner, bound
        if counter in postorder(bound):
            return None
        bounds.append((type(head), bound))
        head = inner
    number = normal(Sub(head, counter))
    if counter in postorder(number):
        return None
    return _Place(index, step, head, tuple(reversed(bounds)), rest)


def _over(index: Expr, size: Expr) -> Expr | None:
    """The quotient by a product, where there is one."""
    divisor = polynomial(size)
    if len(divisor) != 1:
        return None
    ((atoms, factor),) = divisor.items()
    found: dict[tuple[Expr, ...], int] = {}
    for monomial, coefficient in polynomial(index).items():
        left = list(monomial)
        for atom in atoms:
            if atom not in left:
                return None
            left.remove(atom)
        if coefficient % factor:
            return None
        found[tuple(left)] = coefficient // factor
    return from_polynomial(found)


def _total(sums: Sequence[Reduce | None], entry: Expr, type: Type) -> Expr | None:
    """Sums added up, with what a scalar begins as beside what is read; None where one is None."""
    value: Expr | None = None
    for made in sums:
        if made is None:
            return None
        part: Expr = made if made.type is type else Cast(type, made)
        value = part if value is None else Add(value, part)
    return None if value is None else _with_bias(value, entry, type)


def _remedies(sums: Sequence[Reduce | None]) -> list[Expr]:
    return [normal(GE(made.extent, ZERO)) for made in sums if made is not None]


def _only_where(condition: Expr, sum: Expr) -> Reduce | None:
    """A sum that has no terms where a condition doesn't hold."""
    if not isinstance(sum, Reduce):
        return None
    body, nothing = sum.body, const(0, sum.type)
    if isinstance(body, Select) and body.b is nothing:
        made = Select(conjunction((condition, body.condition)), body.a, nothing)
    else:
        made = Select(condition, body, nothing)
    found = Reduce(sum.operator, sum.counter, sum.extent, made)
    return found if isinstance(found, Reduce) else None


def _on_the_way(
    used: Sequence[Expr], marker: Variable, after: Expr, parts: Summands
) -> Iterator[tuple[Expr, Collection[Term]]]:
    """What a scalar is in the middle of an iteration, as it is used, and what is added and taken
    away until then; `after` is what it is at the end, and `parts` is all of it."""
    waiting, seen = list(used), {after}
    while waiting:
        node = waiting.pop()
        if node in seen or marker not in postorder(node):
            continue
        seen.add(node)
        if node.type is marker.type and node is not marker:
            own = summands(node, marker.type.bits)
            if own.pop(Term(marker), None) is ONE and all(
                parts.get(t) is times for t, times in own.items()
            ):
                yield node, own.keys()
                continue
        waiting += node.children


def _with_bias(value: Expr, entry: Expr, type: Type) -> Expr:
    """With what a scalar begins as beside what is read."""
    for term, times in summands(entry, type.bits).items():
        if term.loops or any(isinstance(n, Load) for n in postorder(term.value, *term.conditions)):
            continue
        if term.conditions:
            continue
        part = typed(type, times if term.value is ONE else ONE)
        if term.value is not ONE:
            own = term.value if term.value.type is type else Cast(type, term.value)
            part = own if times is ONE else Mul(typed(type, times), own)
        value = Add(value, part)
    return value


def _bounds(conditions: Sequence[Expr], counter: Variable, place: Expr) -> list[Expr]:
    """Bounds of a counter as those of a place that moves with it, as programs test it, counted from
    the first one that it can't be below."""
    others, least, below = list[Expr](), list[Expr](), list[Expr]()
    for condition in conditions:
        a, b = condition.children if isinstance(condition, (LE, LT, GE, GT)) else (ZERO, ZERO)
        if isinstance(condition, (GE, GT)):
            a, b = b, a
        rising = normal(Sub(b, a))  # it is >= 0, or > 0
        terms = polynomial(rising)
        sign = terms.pop((counter,), 0)
        one = ONE if isinstance(condition, (LT, GT)) else ZERO
        if abs(sign) != 1 or counter in postorder(from_polynomial(terms)):
            others.append(condition)
        elif sign > 0:
            least.append(normal(Add(Sub(place, rising), one)))
        else:
            below.append(normal(Sub(Add(place, Add(rising, ONE)), one)))
    first = least[0] if least else ZERO

    def number(index: Expr) -> Expr:
        return typed(I32, normal(Sub(index, first)))

    return [
        *others,
        *(GE(number(place), number(bound)) for bound in dict.fromkeys(least)),
        *(LT(number(place), number(bound)) for bound in dict.fromkeys(below)),
    ]


def _following(value: Expr, counter: Variable) -> Expr:
    return substituted(value, {counter: Add(counter, ONE)})


def _reads(
    value: Expr, loops: tuple[Loop, ...], path: Sequence[Expr], write: Write
) -> Iterator[Read]:
    """What a window reads. Iterations before this one have read it, or what is before the loop: it
    is proved how often each element is added, so that all are there."""
    for load, conditions, inner in _loads_under(value, (), ()):
        there = (*loops, *(Loop(r.counter, r.extent, write.span) for r in inner))
        condition = conjunction((*path, *conditions))
        place = write.position - 1
        yield Read(load.array, load.indices, load.type, there, condition, place, write.span)


def _loads_under(
    value: Expr, conditions: tuple[Expr, ...], reductions: tuple[Reduce, ...]
) -> Iterator[tuple[Load, tuple[Expr, ...], tuple[Reduce, ...]]]:
    """The loads in a value, each with the choices and the reductions that it is under."""
    if isinstance(value, Load):
        yield value, conditions, reductions
    if isinstance(value, Select):
        yield from _loads_under(value.a, (*conditions, value.condition), reductions)
        yield from _loads_under(value.condition, conditions, reductions)
        return
    inner = (*reductions, value) if isinstance(value, Reduce) else reductions
    for child in value.children:
        yield from _loads_under(child, conditions, inner)


def _put_in(expr: Expr, *known: dict[Expr, Expr]) -> Expr:
    """An expression with others for some, one after the other."""
    for mapping in known:
        expr = substitute(expr, mapping)
    return expr


def _with(write: Write, *known: dict[Expr, Expr]) -> Write:
    value, condition = (_put_in(e, *known) for e in (write.value, write.condition))
    return replace(write, value=value, condition=condition)


def _converted(value: Expr) -> Expr:
    """What a value is converted from."""
    while isinstance(value, Cast):
        value = value.value
    return value


def _are_plain(loops: tuple[Loop, ...]) -> bool:
    """Whether no loop's number of iterations depends on another's, or on what is read."""
    counters = {loop.counter for loop in loops}
    nodes = [n for loop in loops for n in postorder(loop.extent)]
    return counters.isdisjoint(nodes) and not any(isinstance(n, Load) for n in nodes)


def _inside(term: Term) -> Iterator[Variable]:
    return markers(term.value, *term.conditions)


def _name(marker: Variable) -> str:
    return marker.name.partition(":")[2].partition("@")[0]
