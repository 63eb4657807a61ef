"""Stores of a vector's lanes as loops over lanes.

    a.0 = s[i]; a.1 = s[i + 1]; ... a.15 = s[i + 15];      for (l = 0; l < 16; l++)
    d[i] = min(a.0 + 1, 255); ...                              d[i + l] = min(s[i + l] + 1, 255);
    d[i + 15] = min(a.15 + 1, 255);

What all lanes have in common is found by comparing them. Pixels of several channels that go over
vectors are found so, too: with a period of three, each iteration stores three elements. Where the
lanes have nothing in common they stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from compiler.ir import (
    I32,
    I64,
    LE,
    LT,
    TRUE,
    U64,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Min,
    Mul,
    Select,
    Variable,
    postorder,
    substitute,
)

from ..model.kernel import Assign, Declare, If, Stmt, Store, WhileLoop
from .folding import add, choose, convert, fold, with_constants
from .plain_numbers import PlainNumbers

_FEWEST = 4
"""Iterations of a loop over lanes."""
_CHANNELS = (3, 4)
"""Of pixels, of which a loop may go over two."""

Fresh = Callable[[str], str]


def with_lanes_in_loops(
    body: Sequence[Stmt],
    made: Collection[str],
    fresh: Fresh,
    elements: set[str],
    plain: PlainNumbers | None = None,
) -> tuple[Stmt, ...]:
    """`body` with loops in the place of stores of vectors; `made` are the scalars that the
    translator has made up for one value each: it is set before anybody reads it; `elements` are
    those that stand for a local array's. With `plain`, what is stored is computed in `int` where
    that can be seen to be the same."""
    return tuple(_rewritten(body, lambda: _Run(made, elements, plain, fresh)))


def _rewritten(body: Sequence[Stmt], begin: Callable[[], _Run]) -> list[Stmt]:
    found: list[Stmt] = []
    run = begin()
    for stmt in body:
        if run.takes(stmt):
            continue
        found += run.statements()
        run = begin()
        if isinstance(stmt, If):
            then, otherwise = (_rewritten(b, begin) for b in (stmt.then, stmt.otherwise))
            stmt = replace(stmt, then=tuple(then), otherwise=tuple(otherwise))
        elif isinstance(stmt, WhileLoop):
            inner = _rewritten(stmt.body, begin)
            stmt = replace(stmt, body=tuple(inner))
        elif run.takes(stmt):
            continue
        found.append(stmt)
    return found + run.statements()


_Place = tuple[str, tuple[Expr, ...], int]
"""Of an element: its array, its indices without a constant, and the constant."""


def _place(array: str, indices: tuple[Expr, ...]) -> _Place:
    *rows, last = indices
    rest, constant = _apart(last)
    return array, (*rows, rest), constant


def _apart(index: Expr) -> tuple[Expr, int]:
    """An index as a sum without its constant, and the constant."""
    match index:
        case Const(value=value):
            return Const(index.type, 0), int(value)
        case Add(a=a, b=Const(value=value)):
            rest, constant = _apart(a)
            return rest, constant + int(value)
        case Add(a=a, b=b):
            (one, first), (other, second) = _apart(a), _apart(b)
            return add(one, other), first + second
    return index, 0


@dataclass(frozen=True)
class _Lane:
    """A store, with its place and its value as at the beginning, and with values that temporaries
    hold; and where it takes place."""

    place: _Place
    whole: Store
    held: Store
    condition: Expr

    @property
    def statement(self) -> Stmt:
        """The store as it was, but for its place."""
        if self.condition is TRUE:
            return self.held
        return If(self.held.span, self.condition, (self.held,))


@dataclass
class _Run:
    """Statements without branches, by what they do to the memory that is there when they begin."""

    made: Collection[str]
    elements: set[str]
    plain: PlainNumbers | None
    fresh: Fresh
    original: list[Stmt] = field(default_factory=list)
    values: dict[Expr, Expr] = field(default_factory=dict)
    """The scalars that are set, in terms of what was there at the beginning."""
    changed: dict[Expr, Expr] = field(default_factory=dict)
    """Those that aren't temporaries, in terms of these and of what was there at the beginning."""
    temporaries: list[Stmt] = field(default_factory=list)
    last: dict[str, Assign] = field(default_factory=dict)
    """What elements of local arrays are at the end."""
    updates: list[Assign] = field(default_factory=list)
    stores: list[_Lane] = field(default_factory=list)

    def takes(self, stmt: Stmt) -> bool:
        """Whether a statement goes on with the run."""
        if isinstance(stmt, Assign):
            return self._takes_scalar(stmt)
        if isinstance(stmt, Declare):
            return self._takes_new(stmt)
        if isinstance(stmt, If) and len(stmt.then) == 1 and not stmt.otherwise:
            return self._takes_choice(stmt)
        return isinstance(stmt, Store) and self._takes_store(stmt)

    def _takes_new(self, stmt: Declare) -> bool:
        own: Expr = Variable(stmt.name, stmt.type)
        if stmt.name not in self.elements or own in self.values:
            return False
        self.temporaries.append(stmt)
        self.original.append(stmt)
        return True

    def _takes_choice(self, stmt: If) -> bool:
        """`if (3 < n) x = s[i + 3];` and `if (3 < n) d[i + 3] = x;`, as the lanes of a vector of
        which some are left out."""
        condition = below_limit(substitute(stmt.condition, self.values))
        if any(isinstance(n, Load) for n in postorder(condition)):
            return False
        (inner,) = stmt.then
        if isinstance(inner, Store):
            return self._takes_store(inner, stmt, condition)
        if not isinstance(inner, Assign) or inner.name not in self.elements:
            return False
        return self._takes_element(inner, stmt, condition)

    def _takes_element(self, stmt: Assign, original: Stmt, condition: Expr = TRUE) -> bool:
        """An element of a local array gets another value, perhaps."""
        value = substitute(stmt.value, self.values)
        held = substitute(stmt.value, self.changed)
        own: Expr = Variable(stmt.name, value.type)
        if not self._is_as_before(held):
            return False
        value = choose(condition, value, self.values.get(own, own))
        held = choose(condition, held, self.changed.get(own, own))
        if any(isinstance(n, Load) for n in postorder(held)):
            kept = self.fresh(stmt.name)
            self.elements.add(kept)
            self.temporaries.append(Assign(stmt.span, kept, held))
            held = Variable(kept, held.type)
        self.values[own], self.changed[own] = value, held
        self.last[stmt.name] = Assign(stmt.span, stmt.name, held)
        self.original.append(original)
        return True

    def _takes_scalar(self, stmt: Assign) -> bool:
        if stmt.name in self.elements:
            return self._takes_element(stmt, stmt)
        value = substitute(stmt.value, self.values)
        own: Expr = Variable(stmt.name, value.type)
        read = substitute(stmt.value, self.changed)
        if not self._is_as_before(read) or (own in self.values and stmt.name in self.made):
            return False
        if stmt.name in self.made and own not in set(postorder(value)):
            self.temporaries.append(replace(stmt, value=value))
        elif any(isinstance(n, Load) for n in postorder(stmt.value)):
            return False
        else:
            self.updates.append(stmt)
            self.changed[own] = read
        self.values[own] = value
        self.original.append(stmt)
        return True

    def _takes_store(self, stmt: Store, around: If | None = None, condition: Expr = TRUE) -> bool:
        indices = tuple(substitute(i, self.values) for i in stmt.indices)
        value = where_below(substitute(stmt.value, self.values), condition)
        if self.plain is not None:
            value = self.plain.of(value)
        held = replace(stmt, indices=indices, value=substitute(stmt.value, self.changed))
        if not self._is_as_before(held.value, *indices):
            return False
        whole = replace(stmt, indices=indices, value=value)
        place = _place(stmt.array, indices)
        self.stores.append(_Lane(place, whole, held, condition))
        self.original.append(stmt if around is None else around)
        return True

    def _is_as_before(self, *values: Expr) -> bool:
        """Whether what is read here is still what was there at the beginning; what temporaries
        hold was read before."""
        stored = {lane.place for lane in self.stores}
        for node in postorder(*values):
            if not isinstance(node, Load):
                continue
            array, rest, constant = _place(node.array, node.indices)
            for other, at, where in stored:
                if other == array and (at != rest or where == constant):
                    return False
        return True

    def statements(self) -> list[Stmt]:
        """The run, with loops over lanes where there are some."""
        if not self._reads_before_it_stores():
            return list(self.original)
        found: list[Stmt] = []
        is_changed = False
        before: set[str] = set()
        for array, members in self._groups():
            loop = self._loop(members, before)
            before.add(array)
            is_changed |= loop is not None
            found += [lane.statement for lane in members] if loop is None else loop
        if not is_changed:
            return list(self.original)
        return [*self.temporaries, *self.last.values(), *found, *self.updates]

    def _groups(self) -> list[tuple[str, list[_Lane]]]:
        """The stores of each array that name its elements by one sum and constants. Where an array
        is stored by another sum in between, which may name the same elements, a group ends."""
        found: list[tuple[str, list[_Lane]]] = []
        last: dict[str, tuple[tuple[Expr, ...], list[_Lane]]] = {}
        for stored in self.stores:
            array, rest, _ = stored.place
            if array not in last or last[array][0] != rest:
                last[array] = (rest, [])
                found.append((array, last[array][1]))
            last[array][1].append(stored)
        return found

    def _reads_before_it_stores(self) -> bool:
        """Whether what is stored is made of temporaries and of memory that nothing here changes,
        but for the element itself: then its order doesn't matter."""
        arrays = {lane.place[0] for lane in self.stores}
        return not any(
            isinstance(node, Load)
            and node.array in arrays
            and (node.array, node.indices) != (held.array, held.indices)
            for held in (lane.held for lane in self.stores)
            for node in postorder(held.value, *held.indices)
        )

    def _loop(
        self, members: list[_Lane], before: set[str], is_part: bool = False
    ) -> list[Stmt] | None:
        members = sorted(members, key=lambda lane: lane.place[2])
        places = [lane.place[2] for lane in members]
        count = len(members)
        if count < _FEWEST or places != list(range(places[0], places[0] + count)):
            return None
        whole = self._whole(members, before, is_part)
        if whole is not None or count % 2 or count // 2 < _FEWEST:
            return whole
        halves = members[: count // 2], members[count // 2 :]
        loops = [self._loop(half, before, True) for half in halves]
        if not any(loops):
            return None
        found: list[Stmt] = []
        for half, loop in zip(halves, loops, strict=True):
            found += [lane.statement for lane in half] if loop is None else loop
        return found

    def _whole(self, stores: Sequence[_Lane], before: set[str], is_part: bool) -> list[Stmt] | None:
        """One loop for all of these stores."""
        count = len(stores)
        lane: Expr = Variable("", I64)
        for period in range(1, count // 2 + 1):
            iterations = count // period
            fewest = 2 if period in _CHANNELS and not is_part else _FEWEST
            if count % period or iterations < fewest:
                continue
            if not all(_stays_in_pixel(stored, stores[0], period, before) for stored in stores):
                continue
            found = [self._general(stores[at::period], lane) for at in range(period)]
            if None not in found:
                return self._over_lanes([f for f in found if f is not None], lane, iterations)
        return None

    def _over_lanes(self, stores: Sequence[_General], lane: Expr, iterations: int) -> list[Stmt]:
        """The loop whose counter `lane` is."""
        name = self.fresh("lane")
        counter: Expr = Variable(name, I64)
        known = {lane: counter}
        named = [
            (
                substitute(condition, known),
                replace(
                    store,
                    indices=tuple(substitute(i, known) for i in store.indices),
                    value=substitute(store.value, known),
                ),
            )
            for condition, store in stores
        ]
        span = stores[0][1].span
        step = Assign(span, name, Add(counter, Const(I64, 1)))
        stop = LT(counter, Const(I64, iterations))
        return [
            Assign(span, name, Const(I64, 0)),
            WhileLoop(span, stop, _one_pixel(named, self.fresh), (step,)),
        ]

    def _general(self, stores: Sequence[_Lane], lane: Expr) -> _General | None:
        """The store of which these are those of all lanes."""
        common = _Common(lane)
        indices = [common.of(i) for i in zip(*(s.whole.indices for s in stores), strict=True)]
        value = common.of(tuple(s.whole.value for s in stores))
        condition = common.of(tuple(s.condition for s in stores))
        if value is None or condition is None or any(i is None for i in indices):
            return None
        made = replace(
            stores[0].whole, indices=tuple(i for i in indices if i is not None), value=value
        )
        return condition, made


_General = tuple[Expr, Store]
"""What is stored, and where: with the number of a lane, or of a pixel, in both."""


def _one_pixel(stores: Sequence[_General], fresh: Fresh) -> tuple[Stmt, ...]:
    """The statements that store a pixel's channels, of which one may be made of another."""
    reads_others = any(
        isinstance(node, Load) and node.array == store.array and node.indices != store.indices
        for _, store in stores
        for node in postorder(store.value)
    )
    first: list[tuple[Expr, Stmt]] = []
    then: list[tuple[Expr, Stmt]] = []
    for condition, store in stores:
        if reads_others:
            kept = Variable(fresh(f"{store.array}.new"), store.value.type)
            first.append((condition, Assign(store.span, kept.name, store.value)))
            store = replace(store, value=kept)
        then.append((condition, store))
    made: list[Stmt] = []
    for condition, members in groupby([*first, *then], lambda pair: pair[0]):
        inner = tuple(stmt for _, stmt in members)
        made += inner if condition is TRUE else [If(inner[0].span, condition, inner)]
    return tuple(made)


def _stays_in_pixel(lane: _Lane, first: _Lane, period: int, before: Collection[str]) -> bool:
    """Whether a store's value may be computed when other pixels, and what stands in front of them,
    have been stored: of its own array it reads nothing but its pixel."""
    start = first.place[2]
    pixel = (lane.place[2] - start) // period
    for node in postorder(lane.whole.value):
        if not isinstance(node, Load):
            continue
        if node.array in before:
            return False
        if node.array == lane.whole.array and node.indices != lane.whole.indices:
            _, rest, constant = _place(node.array, node.indices)
            if rest != lane.place[1] or (constant - start) // period != pixel:
                return False
    return True


def below_limit(condition: Expr) -> Expr:
    """`3 < min(n - i, 8)` is `3 < n - i`, and `7 < 4 * n` is `1 < n`."""
    if not isinstance(condition, LT) or not isinstance(condition.a, Const):
        return condition
    place, limit = condition.a, condition.b
    if limit.type is I64:
        factor, number = _product(limit)
        if factor > 1:
            return below_limit(LT(Const(I64, int(place.value) // factor), number))
    of = limit.value if isinstance(limit, Cast) and limit.type is I64 else limit
    if of.type.is_uint:
        return condition
    for part, other in _least(of):
        if isinstance(other, Const) and place.value < other.value:
            return below_limit(LT(place, convert(part, place.type)))
    return condition


def _product(count: Expr) -> tuple[int, Expr]:
    """A constant and a number whose product a count of 64 bits is, whether it was computed with
    signs or without; (1, count) for others."""
    product = count.value if isinstance(count, Cast) else count
    if isinstance(product, Mul) and product.type is I32:
        for factor, number in (product.children, product.children[::-1]):
            if isinstance(factor, Const) and factor.value > 0:
                return int(factor.value), convert(number, I64)
    if isinstance(product, Mul) and product.type in (I64, U64):
        for factor, number in (product.children, product.children[::-1]):
            while isinstance(number, Cast) and number.value.type in (I64, U64):
                number = number.value
            inner = number.value if isinstance(number, Cast) else None
            if not isinstance(factor, Const) or not 0 < factor.value < 1 << 16 or inner is None:
                continue
            if inner.type.is_integer and inner.type.bits <= 32:
                return int(factor.value), convert(inner, I64)
    return 1, count


def _least(value: Expr) -> list[tuple[Expr, Expr]]:
    """The two numbers of which it is the lesser one, in both orders; none for others."""
    if isinstance(value, Min):
        return [(value.a, value.b), (value.b, value.a)]
    if isinstance(value, Select) and isinstance(value.condition, (LT, LE)):
        a, b = value.condition.children
        if (a, b) == (value.a, value.b):
            return [(a, b), (b, a)]
    return []


def where_below(value: Expr, condition: Expr) -> Expr:
    """`value` where `3 < n` holds: what depends on `2 < n` is decided."""
    if not isinstance(condition, LT) or not isinstance(condition.a, Const):
        return value
    place, limit = condition.a, condition.b
    known: dict[Expr, Expr] = {
        node: TRUE
        for node in postorder(value)
        if isinstance(node, LT)
        and node.b is limit
        and isinstance(node.a, Const)
        and node.a.value <= place.value
    }
    return with_constants(value, known) if known else value


@dataclass
class _Common:
    """What expressions, one of each lane, have in common."""

    lane: Expr
    known: dict[tuple[Expr, ...], Expr | None] = field(default_factory=dict)

    def of(self, lanes: tuple[Expr, ...]) -> Expr | None:
        """The expression that is the first one in lane 0, the second one in lane 1, ...; None
        where it isn't seen to be one."""
        first = lanes[0]
        if all(e is first for e in lanes):
            return first
        if lanes not in self.known:
            self.known[lanes] = self._found(lanes)
        return self.known[lanes]

    def _found(self, lanes: tuple[Expr, ...]) -> Expr | None:
        first = lanes[0]
        if any(e.type is not first.type for e in lanes):
            return None
        if first.type is I64:
            parts = [_apart(e) for e in lanes]
            if all(rest is parts[0][0] for rest, _ in parts):
                numbers = self._numbers([constant for _, constant in parts])
                return None if numbers is None else add(parts[0][0], numbers)
        if all(isinstance(e, Const) for e in lanes):
            if not first.type.is_integer or first.type.is_bool:
                return None
            numbers = self._numbers([int(e.value) for e in lanes if isinstance(e, Const)])
            return None if numbers is None else convert(numbers, first.type)
        shape = _shape(first)
        if not first.children or any(_shape(e) != shape for e in lanes):
            return None
        children = [self.of(c) for c in zip(*(e.children for e in lanes), strict=True)]
        if any(c is None for c in children):
            return None
        return first.rebuild(tuple(c for c in children if c is not None))

    def _numbers(self, values: Sequence[int]) -> Expr | None:
        """Numbers that grow by the same from lane to lane."""
        step = values[1] - values[0]
        if any(b - a != step for a, b in pairwise(values)):
            return None
        grown: Expr = self.lane if step == 1 else Mul(self.lane, Const(I64, step))
        return fold(Add(grown, Const(I64, values[0]))) if values[0] else grown


def _shape(e: Expr) -> tuple[object, ...]:
    """What a node is, but for its operands."""
    own: tuple[object, ...] = (type(e), e.type, len(e.children))
    if isinstance(e, Load):
        return (*own, e.array)
    if isinstance(e, Call):
        return (*own, e.name, e.kind)
    return own
