"""Windows that are put in order: what compares elements and moves them, nothing else.

    for (k = n; k > 0 && w[k - 1] > v; k--)      lo = min(w[0], v); v = max(w[0], v); w[0] = lo;
        w[k] = w[k - 1];                    ->   lo = min(w[1], v); v = max(w[1], v); w[1] = lo;
    w[k] = v;                                    w[2] = v;                              (n = 2)

Such statements run here for all outcomes of their comparisons at once, but for those that can't be
any more: by what was compared before, and by what is known of the elements when they begin, as
minima and maxima of the same numbers (zeros_and_ones.py). So an insertion into elements that are in
order has as many outcomes as there are places, and one into others isn't in order in some outcome.
Where in every outcome an element is at least so many of those that were moved, and at most the
others, it is one certain of them by size, and what that is minima and maxima say.

What isn't so certain, as the rest behind the least element that a selection has brought to the
front, is a marker, of which alone is known what all of them together are; whatever is made of one
of them is refused, and they may be put in order in their turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
    LE,
    LT,
    NE,
    TRUE,
    And,
    Cast,
    Comparison,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Not,
    Or,
    Select,
    Type,
    Variable,
    number_behind,
    postorder,
)
from compiler.ir.bounds_of_values import value_range

from ..model.diagnostic import LiftError
from ..model.kernel import (
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .index import Indexer
from .registers import element
from .scalars import fold, is_unknown, unknown
from .zeros_and_ones import ZerosAndOnes, parts_apart

if TYPE_CHECKING:
    from .symbolic import Executor

_MOST_OUTCOMES = 512
"""That are looked at at once."""
_MOST_STEPS = 1 << 14
"""Statements that run, each for all outcomes."""

_Token = int
"""A number of which only its order among others is known: its place in `_Block.tokens`."""
_Value = Const | _Token


class _NotOrdering(Exception):
    """Statements do something else than to compare and to move."""


class _NotInTurn(Exception):
    """How many iterations a loop has isn't known."""


@dataclass(frozen=True)
class Rest:
    """Elements of which only is known what they are together."""

    markers: frozenset[Expr]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class _Order:
    """What is known of tokens: the bit b of `less[a]` says that a < b, of `most[a]` that a <= b."""

    less: tuple[int, ...]
    most: tuple[int, ...]

    def is_less(self, a: _Token, b: _Token) -> bool:
        return bool(self.less[a] >> b & 1)

    def is_at_most(self, a: _Token, b: _Token) -> bool:
        return bool(self.most[a] >> b & 1)

    def with_less(self, a: _Token, b: _Token, strictly: bool) -> _Order:
        """What is known where a < b, or a <= b."""
        less, most = list(self.less), list(self.most)
        for x in range(len(most)):
            if self.most[x] >> a & 1:
                most[x] |= self.most[b]
                is_less = strictly or self.less[x] >> a & 1
                less[x] |= self.most[b] if is_less else self.less[b]
        return _Order(tuple(less), tuple(most))

    def in_common(self, other: _Order) -> _Order:
        less = (a & b for a, b in zip(self.less, other.less, strict=True))
        most = (a & b for a, b in zip(self.most, other.most, strict=True))
        return _Order(tuple(less), tuple(most))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Where some outcomes of comparisons lead: what scalars and elements are, and what is known."""

    values: Mapping[str, _Value]
    order: _Order

    def with_value(self, name: str, value: _Value) -> _Outcome:
        return replace(self, values={**self.values, name: value})


def put_in_order(executor: Executor, body: Sequence[Stmt]) -> int:
    """Runs statements from the first one of `body` on, a loop, if they put elements of small local
    arrays in order; gives how many, or 0 where they aren't understood so and nothing is done."""
    loop = body[0]
    if not isinstance(loop, WhileLoop) or not is_search(executor, loop):
        return 0
    own = {load for e in _expressions((loop,)) for load in _loads(e)}
    count = next((i for i, s in enumerate(body) if not _may_order(s, executor, own)), len(body))
    try:
        return _Block(executor, body[:count]).run(body)
    except _NotOrdering:
        return 0


def run_in_turn(executor: Executor, loop: WhileLoop, most: int) -> bool:
    """Runs a loop iteration by iteration, `most` at most, if elements are put in order inside, and
    its condition is known before each of them; whether it is such a loop."""
    inside = statements((*loop.body, *loop.step, *loop.again))
    if not executor.registers or not any(
        isinstance(s, WhileLoop) and is_search(executor, s) for s in inside
    ):
        return False
    if loop.again or (loop.test_first and _known(executor, loop.condition) is None):
        return False
    if executor.runs_in_turn:
        _run_each(executor, loop, most)
        return True
    executor.runs_in_turn = True
    try:
        with executor.dry_run():
            _run_each(executor, loop, most)
    except (_NotInTurn, LiftError):
        return False
    else:
        _run_each(executor, loop, most)
        return True
    finally:
        executor.runs_in_turn = False


def _run_each(executor: Executor, loop: WhileLoop, most: int) -> None:
    for count in range(most + 1):
        if loop.test_first or count:
            test = _known(executor, loop.condition)
            if test is None:
                break
            if not test:
                return
        executor.run(loop.body)
        executor.run(loop.step)
    raise _NotInTurn


def _known(executor: Executor, condition: Expr) -> bool | None:
    """Whether a condition holds in any case, or in none; None where that isn't known."""
    doubts: list[Expr] = []
    with executor.dry_run():
        value = executor.value(condition)
        indexer = Indexer(executor.ranges(), lambda doubt, _: doubts.append(doubt))
        formula = indexer.formula(value)
    return None if doubts or formula not in (TRUE, FALSE) else formula is TRUE


def is_search(executor: Executor, loop: WhileLoop) -> bool:
    """Whether what a loop reads of small local arrays may say how often it runs, or set a place in
    them. No loop is inside of it."""
    if any(isinstance(s, WhileLoop) for s in statements((*loop.body, *loop.step, *loop.again))):
        return False
    data = executor.data_of_registers
    if not any(_reads(e, executor.registers, data) for e in _expressions((loop,))):
        return False
    if _reads(loop.condition, executor.registers, data):
        return True
    return any(
        isinstance(s, If)
        and _reads(s.condition, executor.registers, data)
        and any(
            isinstance(inner, Break)
            or (isinstance(inner, Assign) and inner.name in executor.places_in_registers)
            for inner in statements((*s.then, *s.otherwise))
        )
        for s in statements(loop.body)
    )


def _names(*exprs: Expr) -> set[str]:
    return {n.name for n in postorder(*exprs) if isinstance(n, Variable)}


def _reads(expr: Expr, arrays: Mapping[str, int], data: frozenset[str]) -> bool:
    """Whether an expression depends on elements of arrays, or on scalars that hold some."""
    return any(
        n.array in arrays if isinstance(n, Load) else isinstance(n, Variable) and n.name in data
        for n in postorder(expr)
    )


def _expressions(body: Sequence[Stmt]) -> Iterator[Expr]:
    return (e for stmt in statements(tuple(body)) for e in expressions_of(stmt))


def _may_order(stmt: Stmt, executor: Executor, known: set[Load]) -> bool:
    """Whether a statement stores to no arrays but small local ones, reads nothing of others but
    what is `known`, and doesn't leave a loop around it."""
    kinds = (Assign, Assume, Break, Declare, If, Store, WhileLoop)
    for inner in statements((stmt,)):
        if not isinstance(inner, kinds):
            return False
        if isinstance(inner, Store) and inner.array not in executor.registers:
            return False
        loads = _loads(*expressions_of(inner))
        if any(n.array not in executor.registers and n not in known for n in loads):
            return False
    return isinstance(stmt, WhileLoop) or not any(isinstance(s, Break) for s in statements((stmt,)))


def _loads(*exprs: Expr) -> Iterator[Load]:
    return (n for n in postorder(*exprs) if isinstance(n, Load))


def _read_in_any_case(body: Sequence[Stmt]) -> set[Load]:
    """What statements read of memory whatever was compared, and is the same before them."""
    changed = {s.name for s in statements(tuple(body)) if isinstance(s, (Assign, Declare))}
    found = set[Load]()
    for stmt in body:
        if isinstance(stmt, (Assign, Store)):
            nodes = list(postorder(*expressions_of(stmt)))
            if not any(isinstance(n, (And, Or, Select)) for n in nodes):
                found |= {n for n in nodes if isinstance(n, Load) and not _names(n) & changed}
    return found


class _Block:
    """Statements that compare and move, from the executor's present state on."""

    def __init__(self, executor: Executor, body: Sequence[Stmt]) -> None:
        self.executor = executor
        self.body = body
        self.tokens: list[Expr] = []
        """The numbers as they were before conversions that keep them."""
        self.types: dict[str, Type] = {}
        self.steps = 0
        self.places: dict[tuple[int, Expr], Const] = {}
        """By the statement that runs, and the place as it is written: where the first outcome has
        it."""
        self.depends = False
        """Whether comparisons have decided which elements were used, or how long a loop runs."""
        self.elements: dict[str, Type] = {}
        names, outside = set[str](), dict[Load, None]()
        for stmt in statements(tuple(body)):
            names |= _names(*expressions_of(stmt))
            loads = [*_loads(*expressions_of(stmt))]
            outside |= dict.fromkeys(n for n in loads if n.array not in executor.registers)
            arrays = {n.array for n in loads if n.array in executor.registers}
            if isinstance(stmt, Store):
                arrays.add(stmt.array)
            elif isinstance(stmt, (Assign, Declare)):
                own = stmt.type if isinstance(stmt, Declare) else stmt.value.type
                self.types[stmt.name] = own
            for array in arrays:
                type = executor.arrays[array].type
                for place in range(executor.registers[array]):
                    self.elements[element(array, place)] = type
        self.types |= self.elements
        values: dict[str, _Value] = {}
        for name in sorted(names | self.elements.keys()):
            value = executor.env.get(name)
            if value is not None and value.type.is_integer and not is_unknown(value, "undefined"):
                if isinstance(value, Const) and name not in self.elements:
                    values[name] = value
                elif not value.type.is_bool:
                    values[name] = self._token(value)
        self.entry = values
        self.outside = {load: self._outside(load) for load in self._steady(outside)}
        """What is read of memory."""
        most = [1 << place for place in range(len(self.tokens))]
        for known in parts_apart(self.tokens):
            places = [self.tokens.index(t) for t in known.roots]
            for a in places:
                for b in places:
                    most[a] |= known.is_at_most(self.tokens[a], self.tokens[b]) << b
        self.order = _Order((0,) * len(self.tokens), tuple(most))

    def _steady(self, loads: Iterable[Load]) -> list[Load]:
        """Loads from memory that happen in any case, and read what is there before."""
        wanted = list(loads)
        if not set(wanted) <= _read_in_any_case(self.body):
            raise _NotOrdering
        if any(not n.type.is_integer or n.type.is_bool for n in wanted):
            raise _NotOrdering
        if any(n.array in self.executor.registers for n in _loads(*wanted)):
            raise _NotOrdering
        return wanted

    def _outside(self, load: Load) -> _Token:
        return self._token(self.executor.value(load))

    def _token(self, value: Expr) -> _Token:
        number = number_behind(value)
        if number not in self.tokens:
            self.tokens.append(number)
        return self.tokens.index(number)

    def run(self, rest: Sequence[Stmt]) -> int:
        """Runs as many of the statements as it takes until elements that were moved are known, and
        nothing of `rest` asks for what isn't; gives how many."""
        outcomes = [_Outcome(self.entry, self.order)]
        for count, stmt in enumerate(self.body, 1):
            outcomes, left = self._step(stmt, outcomes)
            if left:
                raise _NotOrdering
            if not self.depends and len(outcomes) > 1:
                continue
            found = self._left(outcomes)
            if found is not None and not _asks_for(rest[count:], found.unknown):
                self.executor.env |= found.known
                for name in found.unknown:
                    self.executor.env[name] = self._unknown(name)
                return count
        return 0

    # Statements

    def _run(
        self, body: Iterable[Stmt], outcomes: list[_Outcome]
    ) -> tuple[list[_Outcome], list[_Outcome]]:
        """The outcomes behind statements, and those in which a `break` is met."""
        left: list[_Outcome] = []
        for stmt in body:
            outcomes, leaving = self._step(stmt, outcomes)
            left += leaving
        return outcomes, left

    def _step(self, stmt: Stmt, outcomes: list[_Outcome]) -> tuple[list[_Outcome], list[_Outcome]]:
        self.steps += 1
        if self.steps > _MOST_STEPS or len(outcomes) > _MOST_OUTCOMES:
            raise _NotOrdering
        left: list[_Outcome] = []
        after: list[_Outcome] = []
        match stmt:
            case Assign():
                for outcome in outcomes:
                    for value, order in self._values(stmt.value, outcome):
                        after.append(replace(outcome, order=order).with_value(stmt.name, value))
            case Declare():
                for outcome in outcomes:
                    known = {n: v for n, v in outcome.values.items() if n != stmt.name}
                    after.append(replace(outcome, values=known))
            case Store():
                after = [o for outcome in outcomes for o in self._store(stmt, outcome)]
            case If():
                holds, fails = self._parted(stmt.condition, outcomes)
                after, left = self._run(stmt.then, holds)
                others, leaving = self._run(stmt.otherwise, fails)
                after, left = after + others, left + leaving
            case WhileLoop():
                after = self._loop(stmt, outcomes)
            case Break():
                left = outcomes
            case Assume():
                after = outcomes
            case _:
                raise _NotOrdering
        return _joined(after), left

    def _loop(self, loop: WhileLoop, outcomes: list[_Outcome]) -> list[_Outcome]:
        ended: list[_Outcome] = []
        is_first = True
        while outcomes:
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise _NotOrdering
            if loop.test_first or not is_first:
                outcomes, fails = self._parted(loop.condition, outcomes)
                self.depends |= bool(outcomes and fails)
                ended += fails
            if not is_first:
                outcomes, left = self._run(loop.again, outcomes)
                ended += left
            outcomes, left = self._run((*loop.body, *loop.step), outcomes)
            ended += left
            is_first = False
        return ended

    def _parted(
        self, condition: Expr, outcomes: Iterable[_Outcome]
    ) -> tuple[list[_Outcome], list[_Outcome]]:
        """The outcomes in which a condition holds, and those in which it doesn't."""
        parts: tuple[list[_Outcome], list[_Outcome]] = ([], [])
        for outcome in outcomes:
            for holds, order in self._tests(condition, outcome):
                parts[not holds].append(replace(outcome, order=order))
        return parts

    def _store(self, stmt: Store, outcome: _Outcome) -> Iterator[_Outcome]:
        for place, order in self._values(stmt.indices[0], outcome):
            name = self._element(stmt.array, stmt.indices[0], place)
            for value, known in self._values(stmt.value, replace(outcome, order=order)):
                if isinstance(value, Const):
                    raise _NotOrdering
                yield replace(outcome, order=known).with_value(name, value)

    def _element(self, array: str, index: Expr, place: _Value) -> str:
        if not isinstance(place, Const) or not 0 <= place.value < self.executor.registers[array]:
            raise _NotOrdering
        self.depends |= self.places.setdefault((self.steps, index), place) is not place
        return element(array, int(place.value))

    # Expressions

    def _values(self, expr: Expr, outcome: _Outcome) -> Iterator[tuple[_Value, _Order]]:
        """What an expression is, and what is known of tokens by then."""
        match expr:
            case Const():
                yield expr, outcome.order
            case Variable():
                yield self._known(expr.name, outcome), outcome.order
            case Load() if expr in self.outside:
                yield self.outside[expr], outcome.order
            case Load():
                for place, order in self._values(expr.indices[0], outcome):
                    yield (
                        self._known(self._element(expr.array, expr.indices[0], place), outcome),
                        order,
                    )
            case Select():
                for holds, order in self._tests(expr.condition, outcome):
                    chosen = expr.a if holds else expr.b
                    yield from self._values(chosen, replace(outcome, order=order))
            case _ if expr.type.is_bool:
                for holds, order in self._tests(expr, outcome):
                    yield (TRUE if holds else FALSE), order
            case Cast():
                for value, order in self._values(expr.value, outcome):
                    yield self._converted(value, expr), order
            case _:
                yield from self._computed(expr, (), outcome)

    def _known(self, name: str, outcome: _Outcome) -> _Value:
        value = outcome.values.get(name)
        if value is None:
            raise _NotOrdering
        return value

    def _converted(self, value: _Value, conversion: Cast) -> _Value:
        if isinstance(value, Const):
            return _constant(Cast(conversion.type, value))
        number = self.tokens[value]
        if not conversion.type.is_integer or conversion.type.is_bool:
            raise _NotOrdering
        if not conversion.type.contains_all(number.type):
            low, high = value_range(number)
            if not conversion.type.contains(low) or not conversion.type.contains(high):
                raise _NotOrdering
        return value

    def _computed(
        self, expr: Expr, operands: tuple[Expr, ...], outcome: _Outcome
    ) -> Iterator[tuple[Const, _Order]]:
        """What is made of constants alone, of which `operands` are known."""
        if len(operands) == len(expr.children):
            yield _constant(expr.rebuild(operands)), outcome.order
            return
        for value, order in self._values(expr.children[len(operands)], outcome):
            if not isinstance(value, Const):
                raise _NotOrdering
            yield from self._computed(expr, (*operands, value), replace(outcome, order=order))

    def _tests(self, expr: Expr, outcome: _Outcome) -> Iterator[tuple[bool, _Order]]:
        """The ways that a condition may go, and what is known of tokens in each."""
        match expr:
            case And() | Or():
                for holds, order in self._tests(expr.a, outcome):
                    if holds == isinstance(expr, Or):
                        yield holds, order
                    else:
                        yield from self._tests(expr.b, replace(outcome, order=order))
            case Not():
                for holds, order in self._tests(expr.value, outcome):
                    yield not holds, order
            case Comparison():
                for a, order in self._values(expr.a, outcome):
                    for b, known in self._values(expr.b, replace(outcome, order=order)):
                        yield from self._compared(expr, a, b, known)
            case _:
                if isinstance(expr, (Const, Variable, Load, Select)):
                    for value, order in self._values(expr, outcome):
                        if not isinstance(value, Const):
                            raise _NotOrdering
                        yield bool(value.value), order
                else:
                    for value, order in self._computed(expr, (), outcome):
                        yield bool(value.value), order

    def _compared(
        self, test: Comparison, a: _Value, b: _Value, order: _Order
    ) -> Iterator[tuple[bool, _Order]]:
        if isinstance(a, Const) and isinstance(b, Const):
            yield bool(_constant(test.rebuild((a, b))).value), order
            return
        if isinstance(a, Const) or isinstance(b, Const):
            raise _NotOrdering
        match test:
            case LT():
                yield from _is_less(a, b, order)
            case GT():
                yield from _is_less(b, a, order)
            case GE():
                yield from ((not less, known) for less, known in _is_less(a, b, order))
            case LE():
                yield from ((not less, known) for less, known in _is_less(b, a, order))
            case EQ() | NE():
                for less, known in _is_less(a, b, order):
                    for more, also in [(False, known)] if less else _is_less(b, a, known):
                        yield (less or more) == isinstance(test, NE), also
            case _:
                raise _NotOrdering

    # What is left

    def _left(self, outcomes: Sequence[_Outcome]) -> _Left | None:
        """What all outcomes together leave; None where some element isn't known."""
        first = outcomes[0].values
        found, unknown_names = dict[str, Expr](), list[str]()
        moved: dict[str, list[str]] = {}
        for name in {n: None for o in outcomes for n in (*o.values, *self.entry)}:
            values = {o.values.get(name) for o in outcomes}
            if len(values) == 1:
                if values != {self.entry.get(name)}:
                    value = first.get(name)
                    found[name] = (
                        self.executor.undefined(name, self.types[name])
                        if value is None
                        else self._typed(value, self.types[name])
                    )
            elif name in self.elements:
                moved.setdefault(name.partition("[")[0], []).append(name)
            else:
                unknown_names.append(name)
        if unknown_names and not moved and not found.keys() & self.elements.keys():
            return None
        for names in moved.values():
            known = self._moved(names, outcomes)
            if known is None:
                return None
            found |= known
        return _Left(found, unknown_names)

    def _moved(self, names: list[str], outcomes: Sequence[_Outcome]) -> dict[str, Expr] | None:
        """What elements of one array are that aren't the same token in all outcomes."""
        names.sort(key=_place)
        together: list[_Token] | None = None
        ranks = [(0, len(names) - 1)] * len(names)
        for outcome in outcomes:
            found = [outcome.values.get(n) for n in names]
            tokens = [t for t in found if isinstance(t, _Token)]
            if len(tokens) < len(names) or together not in (None, sorted(tokens)):
                return None
            together = sorted(tokens)
            for place, token in enumerate(tokens):
                others = [t for i, t in enumerate(tokens) if i != place]
                below = sum(outcome.order.is_at_most(t, token) for t in others)
                above = sum(outcome.order.is_at_most(token, t) for t in others)
                low, high = ranks[place]
                ranks[place] = max(low, len(others) - above), min(high, below)
        assert together is not None
        certain = {n: low for n, (low, high) in zip(names, ranks, strict=True) if low <= high}
        if not certain or len(set(certain.values())) < len(certain):
            return None
        type = self.elements[names[0]]
        values = self._by_size([self.tokens[t] for t in together], type)
        known = {n: values[rank] for n, rank in certain.items()}
        open_names = [n for n in names if n not in certain]
        left = tuple(v for rank, v in enumerate(values) if rank not in certain.values())
        if len(open_names) == 1:
            return known | {open_names[0]: left[0]}
        markers = {n: self._unknown(n) for n in open_names}
        rest = Rest(frozenset(markers.values()), left)
        self.executor.rests |= dict.fromkeys(rest.markers, rest)
        return known | markers

    def _by_size(self, numbers: Sequence[Expr], type: Type) -> list[Expr]:
        """Elements from the least to the greatest."""
        known = ZerosAndOnes(*numbers)
        if not known.are_few:
            raise _NotOrdering
        types = {n.type for n in known.numbers}
        own = types.pop() if len(types) == 1 else type
        made = _inserted((_as(own, n), known.cases(n)) for n in numbers)
        if len(known.numbers) == len(made) and all(own.contains_all(n.type) for n in known.numbers):
            network = _merged([(_as(own, n), known.cases(n)) for n in known.numbers])
            if [cases for _, cases in made] == [cases for _, cases in network]:
                closed = self._without_rests(known.numbers)
                if closed is not None:
                    return self._by_size(closed, type)
                made = network
        return [_as(type, value) for value, _ in made]

    def _without_rests(self, numbers: Sequence[Expr]) -> list[Expr] | None:
        """Numbers with values for the markers of elements of which all are among them; None where
        there are none."""
        for number in numbers:
            rest = self.executor.rests.get(number)
            if rest is not None and rest.markers <= set(numbers):
                return [*(n for n in numbers if n not in rest.markers), *rest.values]
        return None

    def _typed(self, value: _Value, type: Type) -> Expr:
        return value if isinstance(value, Const) else _as(type, self.tokens[value])

    def _unknown(self, name: str) -> Expr:
        self.executor.heads += 1
        return unknown("unordered", f"{name}@{self.executor.heads}", self.types[name])


@dataclass(frozen=True)
class _Left:
    known: dict[str, Expr]
    unknown: list[str]
    """The scalars that depend on what was compared."""


def _is_less(a: _Token, b: _Token, order: _Order) -> Iterator[tuple[bool, _Order]]:
    """Whether a < b: one way, or both of them."""
    if order.is_less(a, b):
        yield True, order
    elif order.is_at_most(b, a):
        yield False, order
    else:
        yield True, order.with_less(a, b, True)
        yield False, order.with_less(b, a, False)


def _joined(outcomes: Iterable[_Outcome]) -> list[_Outcome]:
    """Outcomes in which scalars and elements are the same, as one: what is known in all of them."""
    found: dict[frozenset[tuple[str, _Value]], _Outcome] = {}
    for outcome in outcomes:
        key = frozenset(outcome.values.items())
        same = found.get(key)
        order = outcome.order if same is None else outcome.order.in_common(same.order)
        found[key] = replace(outcome, order=order)
    return list(found.values())


def _asks_for(body: Sequence[Stmt], names: Iterable[str]) -> bool:
    """Whether statements read any of these scalars before they set them."""
    waiting = set(names)
    for stmt in body:
        if not waiting.isdisjoint(_names(*_expressions((stmt,)))):
            return True
        if isinstance(stmt, (Assign, Declare)):
            waiting.discard(stmt.name)
    return False


def _constant(expr: Expr) -> Const:
    found = fold(expr)
    if not isinstance(found, Const):
        raise _NotOrdering
    return found


def _place(name: str) -> int:
    return int(name.partition("[")[2].rstrip("]"))


def _as(type: Type, number: Expr) -> Expr:
    """A number that fits a type, in it."""
    number = number_behind(number)
    return number if number.type is type else Cast(type, number)


_Sorted = tuple[Expr, int]
"""A value, and the cases in which it is 1 (zeros_and_ones.py)."""


def _exchanged(a: _Sorted, b: _Sorted) -> tuple[_Sorted, _Sorted]:
    """The lesser and the greater of two."""
    if not a[1] & ~b[1]:
        return a, b
    if not b[1] & ~a[1]:
        return b, a
    return (Min(a[0], b[0]), a[1] & b[1]), (Max(a[0], b[0]), a[1] | b[1])


def _inserted(values: Iterable[_Sorted]) -> list[_Sorted]:
    """Values by size: each is inserted into those before."""
    found: list[_Sorted] = []
    for value in values:
        for place, other in enumerate(found):
            found[place], value = _exchanged(other, value)
        found.append(value)
    return found


def _merged(values: Sequence[_Sorted]) -> list[_Sorted]:
    """Values by size: Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M)."""
    found = list(values)
    power = p = 1 << max((len(found) - 1).bit_length() - 1, 0)
    while p:
        q, r, d = power, 0, p
        while True:
            for i in (i for i in range(len(found) - d) if i & p == r):
                found[i], found[i + d] = _exchanged(found[i], found[i + d])
            if q == p:
                break
            d, q, r = q - p, q >> 1, p
        p >>= 1
    return found
