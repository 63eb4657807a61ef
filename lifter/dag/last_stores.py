"""Elements that several iterations store one after the other, as of error diffusion: what an
iteration finds in one is what the last iteration before has left there.

    for (y = 0; y < h; y++) {                v[y][x] = s[y][x]
        right = 0;                                 + (x > 0 ? e(v[y][x - 1]) / 2 : 0)
        for (x = 0; x < w; x++) {                  + (y > 0 ? e(v[y - 1][x]) / 4
            v = s[y][x] + right                        + (x + 1 < w ? e(v[y - 1][x + 1]) / 8 : 0)
                + row[x + 1];                          : row[x + 1])
            d[y][x] = v > 127;               d[y][x] = v[y][x] > 127
            right = e(v) / 2;
            row[x] += e(v) / 8;
            row[x + 1] = e(v) / 4;
        }
    }

Stores lie a constant number of elements apart, so that it is known in which earlier iterations an
element was stored to, and which of them was the last. One value of an iteration is enough to tell
what it hands on, in elements as in scalars: it is kept, for all iterations, in a new array, and all
else is made of it. Of two numbers of an iteration that would do the one with the smaller formula is
kept. What begins a row is asked for where a row begins, what was there before the loops where no
iteration has stored.

The elements belong to an array of the kernel's own that nothing behind the loops reads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    FALSE,
    GE,
    GT,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    Const,
    Expr,
    Load,
    Mul,
    Select,
    Sub,
    Type,
    Variable,
    const,
    postorder,
)

from ..model.stage import Claim, Loop, Read, ReadKey, Write
from .index import as_formula, domain
from .index import replace as substituted
from .loops import loads_under
from .polynomial import ONE, ZERO, conjunction, conjuncts, from_polynomial, normal, polynomial
from .reduce import Reduce
from .scalars import fold
from .states import Expanded, State, Step, made_of_each_other
from .symbolic import Recording, markers

_MOST_STEPS = 20
"""How many iterations what is handed on is followed back through."""
_MOST_ROWS = 2
"""How many rows."""
_MOST_WORK = 2000
"""How many stores are looked at for it."""


class _NotUnderstood(Exception):
    """What an element holds isn't told by what a few iterations before have left."""


@dataclass(frozen=True)
class LastStores:
    """A nest whose iterations find in new arrays what they find in some of the kernel's own, which
    it doesn't store to any more."""

    expanded: Expanded
    dropped: tuple[Write, ...]
    recording: Recording
    """What was recorded of the nest, but for what iterations find in the new arrays."""


@dataclass(frozen=True)
class _Span:
    """What is known of one counter of the iteration at hand, `x`, which goes from 0 to `n - 1`."""

    least: int = 0
    """`x >= least`."""
    above: int = 0
    """`x <= n - 1 - above`."""
    most: int | None = None
    """`x <= most`."""
    tail: int | None = None
    """`x >= n - tail`."""

    def decided(self, side: str, by: int) -> bool | None:
        """Whether `x >= by` (`side` is "from"), or `x <= n - 1 - by` ("to")."""
        if side == "from":
            if by <= self.least:
                return True
            return False if self.most is not None and self.most < by else None
        if by <= self.above:
            return True
        return False if self.tail is not None and by >= self.tail else None

    def told(self, side: str, by: int, holds: bool) -> _Span:
        if side == "from":
            if holds:
                return replace(self, least=max(self.least, by))
            return replace(self, most=by - 1 if self.most is None else min(self.most, by - 1))
        if holds:
            return replace(self, above=max(self.above, by))
        return replace(self, tail=by if self.tail is None else min(self.tail, by))


_Test = tuple[int, str, int]
"""A number of the loop, a side and a bound, see `_Span.decided`."""


@dataclass(frozen=True)
class _Iteration:
    """An earlier iteration, or the one at hand: so many rows and columns before it."""

    back: tuple[int, ...]
    known: tuple[_Span, ...]
    """Of the iteration at hand."""
    steps: int = 0
    """How far it was followed back to."""

    def earlier(self, back: Sequence[int], known: tuple[_Span, ...]) -> _Iteration:
        steps = self.steps + 1
        if steps > _MOST_STEPS:
            raise _NotUnderstood
        return _Iteration(tuple(map(sum, zip(self.back, back, strict=True))), known, steps)


@dataclass(frozen=True)
class _Store:
    """A store to one of the arrays, which lies `apart` from where each of them is measured."""

    write: Write
    apart: tuple[int, ...]
    tests: tuple[Expr, ...]
    """Formulas over counters and parameters."""


@dataclass(frozen=True)
class _Earlier:
    """A store of an iteration so many rows and columns before another one."""

    store: _Store
    back: tuple[int, ...]


@dataclass(frozen=True)
class _Rows:
    """Stores to an element that all rows share, by the row so many before another one."""

    stores: Sequence[_Earlier]
    back: int


@dataclass(frozen=True)
class _Elements:
    """The elements of an array that iterations find and store: how far each place that is written
    in the nest lies from the first one, in rows and columns.

    `step` is how far iterations next to each other are apart. Where rows share their elements,
    places are apart by columns alone.
    """

    apart: Mapping[Expr, tuple[int, ...]]
    step: int
    is_shared: bool
    stores: tuple[_Store, ...] = ()


def with_last_stores(
    writes: tuple[Write, ...],
    recording: Recording,
    states: Mapping[Variable, State],
    own: Collection[str],
    is_read_behind: Callable[[str], bool],
    array: Callable[[str, Type, Expr], str],
    position: int,
) -> LastStores | None:
    """A nest over what its iterations keep in place of elements of the arrays `own`; None where
    there is nothing of the kind, or where it isn't understood.

    `array` makes a new array, named like a scalar, of so many elements of a type.
    """
    stored = [w.array for w in writes]
    read = {r.array for r in recording.reads.values()}
    ending = {n for n in own if not is_read_behind(n)}
    names = {n for n in read.intersection(stored) if n in ending or stored.count(n) > 1}
    names -= recording.handed_on
    loops = writes[0].loops
    if not names or not 1 <= len(loops) <= 2 or any(w.loops != loops for w in writes):
        return None
    try:
        nest = _Nest(writes, recording, states, names, set(stored), loops)
        return nest.result(names - ending, array, position)
    except _NotUnderstood:
        return None


class _Nest:
    """One nest, in which iterations find what others have stored in the arrays `names`."""

    def __init__(
        self,
        writes: tuple[Write, ...],
        recording: Recording,
        states: Mapping[Variable, State],
        names: Collection[str],
        stored: Collection[str],
        loops: tuple[Loop, ...],
    ) -> None:
        self.writes, self.recording, self.names, self.loops = writes, recording, names, loops
        self.stored = stored
        self.counters = [loop.counter for loop in loops]
        nodes = list(postorder(*(loop.extent for loop in loops)))
        if any(isinstance(n, Load) or n in self.counters for n in nodes):
            raise _NotUnderstood
        own = {m: s for m, s in states.items() if s.loops == loops}
        self.entry = {m: s.entry[m] for m, s in own.items()}
        self.after = {m: s.after[m] for m, s in own.items()}
        self.claims: dict[tuple[object, ...], Claim] = {}
        """What is taken for granted of where rows lie."""
        self.elements = {name: self._elements(name) for name in names}
        if not any(map(self._is_spread, self.elements.values())):
            raise _NotUnderstood
        self.kept: dict[Expr, str] = {}
        """The arrays of what iterations keep, by what that is."""
        self.done: dict[tuple[object, ...], Expr] = {}
        self.together: Collection[Expr] = ()
        """What is kept in one step, and so isn't to be found yet in the iteration at hand."""
        self.work = 0
        self.here = _Iteration((0,) * len(loops), (_Span(),) * len(loops))

    # Places

    def _elements(self, name: str) -> _Elements:
        values = [e for w in self.writes for e in (w.value, w.condition)]
        loads = _loads({name}, *values, *self.after.values())
        stores = [w for w in self.writes if w.array == name]
        places = dict.fromkeys((*(w.indices for w in stores), *(x.indices for x in loads)))
        if any(len(p) != 1 for p in places):
            raise _NotUnderstood
        first = next(iter(places))[0]
        step, pitch = self._steps(first)
        apart = {p[0]: self._apart(p[0], first, pitch) for p in places}
        found = _Elements(apart, step, is_shared=len(self.loops) == 2 and pitch is ZERO)
        if len({w.indices for w in stores}) < len(stores):
            raise _NotUnderstood  # to one element twice in an iteration
        if pitch is not ZERO:
            self._check_rows(name, found, first, pitch)
        made = tuple(_Store(w, apart[w.indices[0]], self._tests(w.condition)) for w in stores)
        return replace(found, stores=made)

    def _is_spread(self, found: _Elements) -> bool:
        """Whether iterations find what others have stored at more than one place."""
        if len(found.stores) < 2 and not (found.is_shared and len(set(found.apart.values())) > 1):
            return False
        return found.is_shared or any(self._earlier(found, a) for a in found.apart.values())

    def _steps(self, place: Expr) -> tuple[int, Expr]:
        """How far the places of iterations next to each other, and of rows, are apart."""
        by_column, by_row = dict[tuple[Expr, ...], int](), dict[tuple[Expr, ...], int]()
        for monomial, coefficient in polynomial(place).items():
            if self.counters[-1] in monomial:
                by_column[_without(monomial, self.counters[-1])] = coefficient
            elif self.counters[0] in monomial:
                by_row[_without(monomial, self.counters[0])] = coefficient
        if by_column.keys() != {()}:
            raise _NotUnderstood
        pitch = from_polynomial(by_row)
        if any(c in set(postorder(pitch)) for c in self.counters):
            raise _NotUnderstood
        return by_column[()], pitch

    def _apart(self, place: Expr, first: Expr, pitch: Expr) -> tuple[int, ...]:
        """How many rows and columns a place lies behind the first one."""
        terms = polynomial(Sub(place, first))
        rows = 0
        lead = next((m for m in polynomial(pitch) if m), None)
        if lead is not None:
            rows = terms.get(lead, 0) // polynomial(pitch)[lead]
            terms = polynomial(Sub(Sub(place, first), Mul(const(rows, I64), pitch)))
        if terms.keys() - {()}:
            raise _NotUnderstood
        columns = terms.get((), 0)
        return (rows, columns) if len(self.loops) == 2 else (columns,)

    def _check_rows(self, name: str, found: _Elements, first: Expr, pitch: Expr) -> None:
        """Raises where a place may lie in another row than it seems to, but for what is claimed of
        the pitch."""
        if len(self.loops) == 1:
            return
        rows, columns = self.loops
        begin = normal(
            Sub(Sub(first, Mul(pitch, rows.counter)), Mul(const(found.step, I64), columns.counter))
        )
        if found.step != 1 or not isinstance(begin, Const):
            raise _NotUnderstood
        stores = [w for w in self.writes if w.array == name]
        reads = [r for r in self.recording.reads.values() if r.array == name]
        accesses: list[Write | Read] = [*stores, *reads]
        for one in accesses:
            if one.loops != self.loops or one.indices[0] not in found.apart:
                raise _NotUnderstood
            span = self._told(self._tests(one.condition))[1]
            place = int(begin.value) + found.apart[one.indices[0]][1]
            last = normal(Add(Sub(columns.extent, ONE), const(place - span.above, I64)))
            room = normal(LT(last, pitch))
            if span.least + place < 0 or room is FALSE:
                raise _NotUnderstood
            if room is not TRUE:
                text = f"columns of {name} lie in its rows"
                claim = Claim("range", room, domain(self.loops), one.span, text)
                self.claims[claim.name, claim.formula, claim.given] = claim

    def _tests(self, condition: Expr) -> tuple[Expr, ...]:
        """The parts of a condition as formulas over counters and parameters."""
        if condition is TRUE:
            return ()
        formula = as_formula(condition)
        if formula is None:
            raise _NotUnderstood
        return conjuncts(formula)

    def _told(self, tests: Sequence[Expr]) -> list[_Span]:
        """What some tests, all of which hold, say of an iteration's counters."""
        spans = [_Span()] * len(self.loops)
        for number, side, by in (self._test(t, [0] * len(spans)) for t in tests):
            spans[number] = spans[number].told(side, by, True)
        return spans

    # What iterations find

    def made(self, expr: Expr, at: _Iteration, root: Expr | None = None) -> Expr:
        """What an expression of the nest is in an iteration, where that isn't to be found in what
        it keeps itself, but for `root`."""
        is_together = expr in self.together and not any(at.back)
        if expr in self.kept and expr is not root and not is_together:
            return Load(self.kept[expr], (self._place(at.back),), expr.type)
        key = expr, at.back, at.known
        if root is None and key in self.done:
            return self.done[key]
        if isinstance(expr, Variable) and expr in self.entry:
            found = self._scalar(expr, at)
        elif isinstance(expr, Load) and expr.array in self.names:
            found = self._element(expr, at)
        elif not self._is_handed(expr):
            if any(at.back) and _loads(self.stored, expr):
                raise _NotUnderstood  # of what may be overwritten by then
            found = self._shifted(expr, at.back)
        elif isinstance(expr, (Load, Reduce)) or not expr.children:
            raise _NotUnderstood
        else:
            found = expr.rebuild(tuple(self.made(c, at) for c in expr.children))
        if root is None:
            self.done[key] = found
        return found

    def _is_handed(self, expr: Expr) -> bool:
        return any(
            n in self.kept or (isinstance(n, Load) and n.array in self.names)
            for n in postorder(expr)
        ) or any(True for _ in markers(expr))

    def _shifted(self, expr: Expr, back: Sequence[int]) -> Expr:
        moved: dict[Expr, Expr] = {
            c: Add(c, const(-by, I64)) for c, by in zip(self.counters, back, strict=True) if by
        }
        return substituted(expr, moved) if moved else expr

    def _place(self, back: Sequence[int]) -> Expr:
        place: Expr = ZERO
        for loop, by in zip(self.loops, back, strict=True):
            place = Add(Mul(place, loop.extent), Sub(loop.counter, const(by, I64)))
        return normal(place)

    def _scalar(self, marker: Variable, at: _Iteration) -> Expr:
        """What an iteration is handed in a scalar."""
        if any(True for _ in markers(self.entry[marker])) or _loads(
            self.stored, self.entry[marker]
        ):
            raise _NotUnderstood
        none = [0] * (len(self.loops) - 1)

        def before(known: tuple[_Span, ...]) -> Expr:
            return self.made(self.after[marker], at.earlier([*none, 1], known))

        def first(known: tuple[_Span, ...]) -> Expr:
            return self._shifted(self.entry[marker], at.back)

        return self._where((len(self.loops) - 1, "from", at.back[-1] + 1), at.known, before, first)

    def _where(
        self,
        test: _Test,
        known: tuple[_Span, ...],
        then: Callable[[tuple[_Span, ...]], Expr],
        otherwise: Callable[[tuple[_Span, ...]], Expr],
    ) -> Expr:
        """A choice by a test, where what is known of the iteration at hand doesn't decide it."""
        number, side, by = test
        decided = known[number].decided(side, by)
        if decided is not None:
            return then(known) if decided else otherwise(known)
        told = [
            (*known[:number], known[number].told(side, by, holds), *known[number + 1 :])
            for holds in (True, False)
        ]
        counter, extent = self.loops[number].counter, self.loops[number].extent
        if side == "from":
            condition: Expr = LE(const(by, I64), counter)
        else:
            condition = LT(Add(counter, const(by, I64)), extent)
        condition, a, b = normal(condition), then(told[0]), otherwise(told[1])
        if isinstance(a, Select) and a.b is b:
            condition, a = conjunction((condition, a.condition)), a.a
        return a if a is b else Select(condition, a, b)

    def _element(self, load: Load, at: _Iteration) -> Expr:
        """What an iteration finds in an element, before it stores anything."""
        found = self.elements[load.array]
        apart = found.apart[load.indices[0]]
        rows = _Rows(self._stores(found, apart), 1) if found.is_shared else None
        return self._last(load, self._earlier(found, apart), at, at.known, rows)

    def _stores(self, found: _Elements, apart: tuple[int, ...]) -> list[_Earlier]:
        """The stores to an element, the last one first."""
        stores: list[_Earlier] = []
        for store in found.stores:
            columns, rest = divmod(store.apart[-1] - apart[-1], found.step)
            rows = [store.apart[0] - apart[0]] if len(apart) == 2 else []
            if not rest:
                stores.append(_Earlier(store, (*rows, columns)))
        return sorted(stores, key=lambda one: one.back)

    def _earlier(self, found: _Elements, apart: tuple[int, ...]) -> list[_Earlier]:
        """Those of them that earlier iterations make, of the same row where rows share it."""
        none = (0,) * len(self.loops)
        return [one for one in self._stores(found, apart) if one.back > none]

    def _last(
        self,
        load: Load,
        stores: Sequence[_Earlier],
        at: _Iteration,
        known: tuple[_Span, ...],
        rows: _Rows | None = None,
    ) -> Expr:
        """What the first of some stores has left that was made, or else those of rows before."""
        self.work += 1
        if self.work > _MOST_WORK:
            raise _NotUnderstood
        if not stores:
            return self._before(load, at, known, rows)
        first, rest = stores[0], stores[1:]
        before = tuple(map(sum, zip(at.back, first.back, strict=True)))
        tests = self._tests_of(first, before)
        added = _added(first.store.write)

        def otherwise(known: tuple[_Span, ...]) -> Expr:
            return self._last(load, rest, at, known, rows)

        if added is not None:

            def sum_of(known: tuple[_Span, ...]) -> Expr:
                return self.made(added, at.earlier(first.back, known))

            zero = const(0, load.type)
            return fold(Add(otherwise(known), self._under(tests, known, sum_of, lambda _: zero)))

        def stored(known: tuple[_Span, ...]) -> Expr:
            return self.made(first.store.write.value, at.earlier(first.back, known))

        return self._under(tests, known, stored, otherwise)

    def _before(
        self, load: Load, at: _Iteration, known: tuple[_Span, ...], rows: _Rows | None
    ) -> Expr:
        """What was there before the row at hand."""

        def there(_: tuple[_Span, ...]) -> Expr:
            return self._shifted(load, at.back)

        if rows is None:
            return there(known)
        back = at.back[0] + rows.back
        if all(self._never(one, at, known) for one in rows.stores):
            return there(known)
        if rows.back > _MOST_ROWS:
            raise _NotUnderstood
        earlier = [replace(one, back=(rows.back, *one.back[1:])) for one in rows.stores]
        following = replace(rows, back=rows.back + 1)
        return self._where(
            (0, "from", back), known,
            lambda known: self._last(load, earlier, at, known, following), there,
        )  # fmt: skip

    def _never(self, one: _Earlier, at: _Iteration, known: tuple[_Span, ...]) -> bool:
        """Whether no iteration of any row makes a store to the element, by where it is in a row."""
        before = tuple(map(sum, zip(at.back, one.back, strict=True)))
        of_columns = (t for t in self._tests_of(one, before) if t[0] == 1)
        return any(known[1].decided(*test[1:]) is False for test in of_columns)

    def _under(
        self,
        tests: Sequence[_Test],
        known: tuple[_Span, ...],
        then: Callable[[tuple[_Span, ...]], Expr],
        otherwise: Callable[[tuple[_Span, ...]], Expr],
    ) -> Expr:
        """A choice by several tests, all of which must hold."""
        if not tests:
            return then(known)
        return self._where(
            tests[0], known, lambda now: self._under(tests[1:], now, then, otherwise), otherwise
        )

    def _tests_of(self, earlier: _Earlier, before: Sequence[int]) -> list[_Test]:
        """What says that there is an iteration so far `before` the one at hand, and that it made a
        store."""
        tests: list[_Test] = [(n, "from", by) for n, by in enumerate(before) if by > 0]
        tests += [(n, "to", -by) for n, by in enumerate(before) if by < 0]
        return tests + [self._test(t, before) for t in earlier.store.tests]

    def _test(self, formula: Expr, back: Sequence[int]) -> _Test:
        """A test of an iteration as one of the iteration at hand."""
        if not isinstance(formula, (LT, LE, GT, GE)):
            raise _NotUnderstood
        small, large = formula.children if isinstance(formula, (LT, LE)) else formula.children[::-1]
        strict = const(int(isinstance(formula, (LT, GT))), I64)
        room = normal(Sub(Sub(large, small), strict))  # >= 0
        for number, (loop, by) in enumerate(zip(self.loops, back, strict=True)):
            least = normal(Sub(room, loop.counter))
            if isinstance(least, Const):  # counter + least >= 0
                return number, "from", by - int(least.value)
            above = normal(Sub(Add(room, loop.counter), Sub(loop.extent, ONE)))
            if isinstance(above, Const):  # n - 1 - counter + above >= 0
                return number, "to", -int(above.value) - by
        raise _NotUnderstood

    # What it becomes

    def result(
        self, staying: Collection[str], array: Callable[[str, Type, Expr], str], position: int
    ) -> LastStores:
        """`staying` are those of the arrays whose elements somebody asks for behind the nest."""
        span = self.writes[0].span
        last = [self._last_of_all(self.elements[name]) for name in staying]
        others = [w for w in self.writes if w.array not in self.names or w in last]
        chosen = self._chosen([e for w in others for e in (w.value, w.condition)])
        size: Expr = ONE
        for loop in self.loops:
            size = normal(Mul(size, loop.extent))
        self.keep({e: array(name, e.type, size) for e, name in chosen.items()})
        here = self.here
        place = self._place(here.back)
        groups = made_of_each_other({e: self._made_of(e) for e in self.kept})
        beginnings = tuple(
            Write(name, (place,), const(0, e.type), self.loops, TRUE, position, span)
            for e, name in self.kept.items()
        )
        reads: dict[ReadKey, Read] = {}
        steps = []
        for group in groups:
            self.done.clear()
            self.together = group
            writes = tuple(
                Write(
                    self.kept[e], (place,), self.made(e, here, e), self.loops, TRUE,
                    position + 2, span,
                )
                for e in group
            )  # fmt: skip
            steps.append(Step(writes, self._reads(writes, position + 1, reads)))
        self.done.clear()
        self.together = ()
        stores = tuple(
            replace(w, value=self.made(w.value, here), condition=self.made(w.condition, here))
            for w in others
        )
        later = self._reads(stores, position + 3, reads)
        dropped = tuple(w for w in self.writes if w not in others)
        whole = Expanded(beginnings, tuple(steps), stores, later, {}, {})
        return LastStores(whole, dropped, self._recorded(reads))

    def _last_of_all(self, found: _Elements) -> Write:
        """The one of an array's stores that each of its elements is stored to by at last."""
        last = min(found.stores, key=lambda s: tuple(s.apart))
        if found.is_shared or found.step != 1 or last.tests:
            raise _NotUnderstood
        for store in found.stores:
            spans = self._told(store.tests)
            ahead = (a - b for a, b in zip(store.apart, last.apart, strict=True))
            for span, by in zip(spans, ahead, strict=True):
                if not (span.decided("from", -by) and span.decided("to", by)):
                    raise _NotUnderstood
        return last.write

    def keep(self, kept: Mapping[Expr, str]) -> None:
        self.kept = dict(kept)
        self.done.clear()
        self.work = 0

    def _chosen(self, wanted: Sequence[Expr]) -> dict[Expr, str]:
        """What iterations keep, as few values as will do, and the scalar or array that each is
        named after."""
        named = {
            after: marker.name.partition(":")[2].partition("@")[0]
            for marker, after in self.after.items()
            if self._may_be_kept(after)
        }
        values = [*wanted, *self.after.values(), *(w.value for w in self.writes)]
        loads: dict[Expr, str] = {x: x.array for x in _loads(self.names, *values) if x not in named}
        for every in (named, {**loads, **named}):
            chosen = {e: name for e, name in every.items() if self._holds_more(e, every)}
            if not chosen or not self._do(chosen, wanted):
                continue
            for one in list(chosen):
                fewer = {e: name for e, name in chosen.items() if e is not one}
                if fewer and self._do(fewer, wanted):
                    chosen = fewer
            return chosen
        raise _NotUnderstood

    def _may_be_kept(self, after: Expr) -> bool:
        is_number = not after.type.is_bool and not isinstance(after, (Const, Variable))
        is_own = isinstance(after, Load) and after.array in self.names
        return is_number and (is_own or bool(after.children)) and self._is_handed(after)

    def _holds_more(self, expr: Expr, every: Collection[Expr]) -> bool:
        """Whether anything that iterations hand on is in a number but in others of `every`."""
        waiting, seen = [expr], set[Expr]()
        while waiting:
            node = waiting.pop()
            if node in seen or (node in every and node is not expr):
                continue
            seen.add(node)
            if next(markers(node), None) is node or _loads(self.names, node)[-1:] == [node]:
                return True
            waiting += node.children
        return False

    def _do(self, chosen: Mapping[Expr, str], wanted: Sequence[Expr]) -> bool:
        """Whether all can be made of some numbers that iterations keep."""
        self.keep(chosen)
        try:
            for expr in chosen:
                self.made(expr, self.here, expr)
            for expr in wanted:
                self.made(expr, self.here)
        except _NotUnderstood:
            return False
        return True

    def _made_of(self, expr: Expr) -> list[Expr]:
        arrays = {name: e for e, name in self.kept.items()}
        return [arrays[x.array] for x in _loads(arrays, self.made(expr, self.here, expr))]

    def _reads(
        self, writes: Sequence[Write], position: int, others: dict[ReadKey, Read]
    ) -> tuple[Read, ...]:
        """What stores read of what iterations keep; what else they read goes to `others`."""
        found: dict[ReadKey, Read] = {}
        kept = set(self.kept.values())
        recorded = self.recording.reads.values()
        known = {(r.array, r.indices) for r in recorded if r.array not in self.names}
        for write in writes:
            values = ((write.value, ()), (write.condition, ()))
            for load, conditions in (p for v, c in values for p in loads_under(v, c)):
                condition = conjunction(conditions)
                read = Read(
                    load.array, load.indices, load.type, self.loops, condition, position, write.span
                )
                if load.array in kept:
                    found[read.key] = read
                elif (load.array, load.indices) not in known:
                    others[read.key] = read
        return tuple(found.values())

    def _recorded(self, more: Mapping[ReadKey, Read]) -> Recording:
        recording = self.recording
        reads = dict(more)
        for read in recording.reads.values():
            if read.array in self.names:
                continue
            if any(self._is_handed(i) for i in read.indices):
                raise _NotUnderstood
            made = replace(read, condition=self.made(read.condition, self.here))
            reads[made.key] = made
        if any(
            self._is_handed(e) for c in recording.claims.values() for e in (c.formula, *c.given)
        ):
            raise _NotUnderstood
        facts = (f for f in recording.facts if not any(map(self._is_handed, (f.formula, *f.path))))
        claims = {**recording.claims, **self.claims}
        return replace(recording, reads=reads, claims=claims, facts=dict.fromkeys(facts))


def _added(write: Write) -> Expr | None:
    """What a store adds to the integer that is there; None for others."""
    value = write.value
    if not isinstance(value, Add) or not value.type.is_integer:
        return None
    old: Expr = Load(write.array, write.indices, value.type)
    for one, other in ((value.a, value.b), (value.b, value.a)):
        if one is old and old not in set(postorder(other)):
            return other
    return None


def _loads(arrays: Collection[str], *exprs: Expr) -> list[Load]:
    return [n for n in postorder(*exprs) if isinstance(n, Load) and n.array in arrays]


def _without(monomial: tuple[Expr, ...], atom: Expr) -> tuple[Expr, ...]:
    rest = list(monomial)
    rest.remove(atom)
    return tuple(rest)
