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
from itertools import pairwise

from compiler.ir import (
    I64,
    LT,
    Add,
    Call,
    Const,
    Expr,
    Load,
    Mul,
    Variable,
    postorder,
    substitute,
)

from ..model.kernel import Assign, If, Stmt, Store, WhileLoop
from .folding import add, convert, fold
from .plain_numbers import PlainNumbers

_FEWEST = 4
"""Iterations of a loop over lanes."""

Fresh = Callable[[str], str]


def with_lanes_in_loops(
    body: Sequence[Stmt], made: Collection[str], fresh: Fresh, plain: PlainNumbers | None = None
) -> tuple[Stmt, ...]:
    """`body` with loops in the place of stores of vectors; `made` are the scalars that the
    translator has made up for one value each: it is set before anybody reads it. With `plain`,
    what is stored is computed in `int` where that can be seen to be the same."""
    return tuple(_rewritten(body, made, fresh, plain))


def _rewritten(
    body: Sequence[Stmt], made: Collection[str], fresh: Fresh, plain: PlainNumbers | None
) -> list[Stmt]:
    found: list[Stmt] = []
    run = _Run(made, plain)
    for stmt in body:
        if run.takes(stmt):
            continue
        found += run.statements(fresh)
        run = _Run(made, plain)
        if isinstance(stmt, If):
            then, otherwise = (
                _rewritten(b, made, fresh, plain) for b in (stmt.then, stmt.otherwise)
            )
            stmt = replace(stmt, then=tuple(then), otherwise=tuple(otherwise))
        elif isinstance(stmt, WhileLoop):
            inner = _rewritten(stmt.body, made, fresh, plain)
            stmt = replace(stmt, body=tuple(inner))
        elif run.takes(stmt):
            continue
        found.append(stmt)
    return found + run.statements(fresh)


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


@dataclass
class _Run:
    """Statements without branches, by what they do to the memory that is there when they begin."""

    made: Collection[str]
    plain: PlainNumbers | None
    original: list[Stmt] = field(default_factory=list)
    values: dict[Expr, Expr] = field(default_factory=dict)
    """The scalars that are set, in terms of what was there at the beginning."""
    changed: dict[Expr, Expr] = field(default_factory=dict)
    """Those that aren't temporaries, in terms of these and of what was there at the beginning."""
    temporaries: list[Assign] = field(default_factory=list)
    updates: list[Assign] = field(default_factory=list)
    stores: list[tuple[_Place, Store, Store]] = field(default_factory=list)
    """With places and values as at the beginning, and with values that temporaries hold."""

    def takes(self, stmt: Stmt) -> bool:
        """Whether a statement goes on with the run."""
        if isinstance(stmt, Assign):
            return self._takes_scalar(stmt)
        return isinstance(stmt, Store) and self._takes_store(stmt)

    def _takes_scalar(self, stmt: Assign) -> bool:
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

    def _takes_store(self, stmt: Store) -> bool:
        indices = tuple(substitute(i, self.values) for i in stmt.indices)
        value = substitute(stmt.value, self.values)
        if self.plain is not None:
            value = self.plain.of(value)
        held = replace(stmt, indices=indices, value=substitute(stmt.value, self.changed))
        if not self._is_as_before(held.value, *indices):
            return False
        whole = replace(stmt, indices=indices, value=value)
        self.stores.append((_place(stmt.array, indices), whole, held))
        self.original.append(stmt)
        return True

    def _is_as_before(self, *values: Expr) -> bool:
        """Whether what is read here is still what was there at the beginning; what temporaries
        hold was read before."""
        stored = {place for place, _, _ in self.stores}
        for node in postorder(*values):
            if not isinstance(node, Load):
                continue
            array, rest, constant = _place(node.array, node.indices)
            for other, at, where in stored:
                if other == array and (at != rest or where == constant):
                    return False
        return True

    def statements(self, fresh: Fresh) -> list[Stmt]:
        """The run, with loops over lanes where there are some."""
        if not self._reads_before_it_stores():
            return list(self.original)
        found: list[Stmt] = []
        is_changed = False
        before: set[str] = set()
        for array, members in self._groups():
            loop = self._loop(members, before, fresh)
            before.add(array)
            is_changed |= loop is not None
            found += [held for _, _, held in members] if loop is None else loop
        if not is_changed:
            return list(self.original)
        return [*self.temporaries, *found, *self.updates]

    def _groups(self) -> list[tuple[str, list[tuple[int, Store, Store]]]]:
        """The stores of each array that name its elements by one sum and constants. Where an array
        is stored by another sum in between, which may name the same elements, a group ends."""
        found: list[tuple[str, list[tuple[int, Store, Store]]]] = []
        last: dict[str, tuple[tuple[Expr, ...], list[tuple[int, Store, Store]]]] = {}
        for (array, rest, constant), whole, held in self.stores:
            if array not in last or last[array][0] != rest:
                last[array] = (rest, [])
                found.append((array, last[array][1]))
            last[array][1].append((constant, whole, held))
        return found

    def _reads_before_it_stores(self) -> bool:
        """Whether what is stored is made of temporaries and of memory that nothing here changes,
        but for the element itself: then its order doesn't matter."""
        arrays = {array for (array, _, _), _, _ in self.stores}
        return not any(
            isinstance(node, Load)
            and node.array in arrays
            and (node.array, node.indices) != (held.array, held.indices)
            for _, _, held in self.stores
            for node in postorder(held.value, *held.indices)
        )

    def _loop(
        self, members: list[tuple[int, Store, Store]], before: set[str], fresh: Fresh
    ) -> list[Stmt] | None:
        members = sorted(members, key=lambda member: member[0])
        first = members[0][0]
        count = len(members)
        if count < _FEWEST or [m[0] for m in members] != list(range(first, first + count)):
            return None
        stores = [whole for _, whole, _ in members]
        if not all(_may_move(store, before) for store in stores):
            return None
        whole = self._whole(stores, fresh)
        if whole is not None or count % 2 or count // 2 < _FEWEST:
            return whole
        halves = members[: count // 2], members[count // 2 :]
        loops = [self._loop(half, before, fresh) for half in halves]
        if not any(loops):
            return None
        found: list[Stmt] = []
        for half, loop in zip(halves, loops, strict=True):
            found += [held for _, _, held in half] if loop is None else loop
        return found

    def _whole(self, stores: Sequence[Store], fresh: Fresh) -> list[Stmt] | None:
        """One loop for all of these stores."""
        count = len(stores)
        name = fresh("lane")
        lane = Variable(name, I64)
        for period in range(1, count // _FEWEST + 1):
            if count % period:
                continue
            inner = [self._general(stores[at::period], lane) for at in range(period)]
            if all(inner):
                span = stores[0].span
                step = Assign(span, name, Add(lane, Const(I64, 1)))
                stop = LT(lane, Const(I64, count // period))
                stored = tuple(s for s in inner if s is not None)
                return [
                    Assign(span, name, Const(I64, 0)),
                    WhileLoop(span, stop, stored, (step,)),
                ]
        return None

    def _general(self, stores: Sequence[Store], lane: Variable) -> Store | None:
        """The store of which these are those of all lanes."""
        common = _Common(lane)
        indices = [common.of(i) for i in zip(*(s.indices for s in stores), strict=True)]
        value = common.of(tuple(s.value for s in stores))
        if value is None or any(i is None for i in indices):
            return None
        return replace(stores[0], indices=tuple(i for i in indices if i is not None), value=value)


def _may_move(store: Store, before: Collection[str]) -> bool:
    """Whether the store's value may be computed when other lanes, and what stands in front of
    them, have been stored: of its own array it reads the element alone that it stores."""
    for node in postorder(store.value):
        if isinstance(node, Load):
            if node.array in before:
                return False
            if node.array == store.array and node.indices != store.indices:
                return False
    return True


@dataclass
class _Common:
    """What expressions, one of each lane, have in common."""

    lane: Variable
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
