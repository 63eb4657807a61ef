"""Memory of a warp whose lanes have a part of it each, in their registers.

Each lane keeps the elements that it stores: with the stores' stride s and period p, element e lies
in lane e / s % (p / s). What another lane has is fetched by a shuffle, in which all lanes of the
warp take part.

    allocate f[64]:                               allocate register f[2]:
      gpu_lane x: f[x] = ...; f[x + 32] = ...       gpu_lane x: f[0] = ...; f[1] = ...
      gpu_lane x in [0, 20):                        gpu_lane x in [0, 20), by all 32:
        g[x] = f[x + 1]                               let f.0 = shuffle(f[0], x + 1)
                                                      if x < 20: g[x] = f.0

Shuffles stand under no condition that lanes may decide in different ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import gcd

from ..ir import (
    EQ,
    I32,
    LT,
    TRUE,
    Add,
    And,
    Call,
    Const,
    Div,
    Expr,
    Load,
    Mod,
    Mul,
    Not,
    Ramp,
    Select,
    Sub,
    Type,
    Variable,
    concat_lanes,
    const,
    postorder,
    reads_in,
    simplify,
    substitute,
    transform,
    value_in_lane,
)
from ..ir import stmts as s
from ..ir.coordinate_sums import Sum, expr_of, sum_of
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild, walk
from .constant_size import whole_sum
from .interval import Interval, Intervals

MOST_SHUFFLES = 16
"""For one access."""
_LANE = Variable(s.THREADS[0], I32)


class NoStripes(Exception):
    """Why memory can't lie in the registers of a warp's lanes."""


def in_lanes(node: s.Allocate, most: int) -> s.Allocate:
    """`node`, memory of at most so many elements around loops over lanes, in their registers.

    Raises `NoStripes` where that can't be.
    """
    loops = [x for x in walk(node.body) if isinstance(x, s.For) and x.kind == "gpu_lane"]
    inside = [x for loop in loops for x in walk(loop.body) if isinstance(x, s.For)]
    if any(x.kind == "gpu_thread" for x in walk(node.body) if isinstance(x, s.For)) or any(
        x.kind == "gpu_lane" for x in inside
    ):
        raise NoStripes("threads that are no lanes use it")
    stores = [
        (place, here)
        for loop in loops
        for x, here in _walk(loop.body, _Here.of(loop, {}))
        if isinstance(x, s.Store) and x.buffer == node.buffer
        for place in _places(x.index, here)
    ]
    stripes = _Stripes.of(node.buffer, node.type, stores)
    body = _Moved(stripes).outside(node.body, {})
    return replace(node, size=const(stripes.slots(most)), memory="register", body=body)


@dataclass(frozen=True)
class _Here:
    """A place inside of a loop over lanes."""

    lets: Mapping[Expr, Expr]
    """What variables are, the loop's own among them, in terms of the lane's number."""
    known: Mapping[str, Interval]
    lanes: int

    @staticmethod
    def of(loop: s.For, known: Mapping[str, Interval]) -> _Here:
        assert isinstance(loop.extent, Const)
        lanes = int(loop.extent.value)
        lets: dict[Expr, Expr] = {Variable(loop.name, I32): simplify(Add(_LANE, loop.min))}
        return _Here(lets, {**known, _LANE.name: (const(0), const(lanes - 1))}, lanes)

    def inside(self, stmt: s.Stmt) -> _Here:
        match stmt:
            case s.LetStmt(name, value):
                known = substitute(value, self.lets)
                return replace(self, lets={**self.lets, Variable(name, value.type): known})
            case s.For():
                return replace(self, known={**self.known, **_limits(stmt)})
        return self


def _limits(stmt: s.Stmt) -> dict[str, Interval]:
    """What the variable of a loop runs over, if that is known."""
    match stmt:
        case s.For(name, Const() as low, Const() as extent):
            return {name: (low, const(int(low.value) + int(extent.value) - 1))}
    return {}


def _walk(stmt: s.Stmt, here: _Here) -> Iterator[tuple[s.Stmt, _Here]]:
    yield stmt, here
    for child in children_of(stmt):
        yield from _walk(child, here.inside(stmt))


def _places(index: Expr, here: _Here) -> list[Sum]:
    """An index as a sum of int32 terms, of which the lane's number is one; for each element of a
    vector."""
    made = []
    for number in range(index.type.lanes):
        element = value_in_lane(index, const(number))
        if element is None:
            raise NoStripes("it is accessed in vectors whose elements lie anywhere")
        total = whole_sum(sum_of(simplify(substitute(element, here.lets))))
        if any(x.type is not I32 or _mentions_memory(x) for x in total.terms):
            raise NoStripes("where it is accessed depends on memory")
        made.append(total)
    return made


def _mentions_memory(e: Expr) -> bool:
    return any(isinstance(x, Load | Call) and getattr(x, "kind", "") != "intrinsic"
               for x in postorder(e))  # fmt: skip


@dataclass(frozen=True)
class _Stripes:
    """Which lane has an element, and where among its own."""

    buffer: str
    type: Type
    stride: int
    """So many elements that follow one another are one lane's."""
    period: int
    """After so many the first lane has elements again; 0 where none has any but the first ones."""
    base: int
    """The first element of the first lane, where there is no period."""

    @staticmethod
    def of(buffer: str, type: Type, stores: list[tuple[Sum, _Here]]) -> _Stripes:
        if not stores:
            raise NoStripes("no lane stores anything")
        strides = {place.terms.get(_LANE, 0) for place, _ in stores}
        stride = strides.pop()
        if strides or stride <= 0:
            raise NoStripes("stores aren't each lane's own")
        base = min(place.constant for place, _ in stores)
        period = 0
        for place, _ in stores:
            offset = place.constant - base
            period = gcd(period, offset - offset % stride)
            for term, factor in place.terms.items():
                period = period if term is _LANE else gcd(period, factor)
        lanes = max(here.lanes for _, here in stores)
        if period % stride or (period and (period < stride * lanes or base % period)):
            raise NoStripes("stores aren't each lane's own")
        return _Stripes(buffer, type, stride, period, 0 if period else base)

    def slots(self, most: int) -> int:
        """How many elements a lane has, of so many in all."""
        return -(-most // self.period) * self.stride if self.period else self.stride

    def parts(self, place: Sum) -> tuple[Expr, Sum]:
        """The rounds that all lanes are in alike, and what is left of the place."""
        moved = Sum(place.terms, place.constant - self.base)
        if not self.period:
            return const(0), moved
        alike = {
            t: f // self.period
            for t, f in moved.terms.items()
            if f % self.period == 0 and not _differs(t)
        }
        return expr_of(Sum(alike, 0), I32), moved.without(alike)

    def own_slot(self, place: Sum, lanes: int) -> Expr | None:
        """Where in its registers each of so many lanes has an element that is its own; None where
        some may not have it."""
        rounds, rest = self.parts(place)
        if rest.terms.get(_LANE, 0) != self.stride or len(rest.terms) != 1:
            return None
        period = self.period or self.stride * s.WARP
        before, inside = divmod(rest.constant, period)
        if inside >= self.stride or (before and not self.period):
            return None
        if self.stride * lanes > period:
            return None
        return simplify(Add(Mul(Add(rounds, const(before)), const(self.stride)), const(inside)))


def _differs(e: Expr) -> bool:
    return any(x is _LANE for x in postorder(e))


@dataclass
class _Moved:
    """Statements with the accesses of a memory in the lanes' registers."""

    stripes: _Stripes

    def outside(self, stmt: s.Stmt, known: Mapping[str, Interval]) -> s.Stmt:
        """What stands around loops over lanes, which access the memory alone."""
        if isinstance(stmt, s.For) and stmt.kind == "gpu_lane":
            return self._loop(stmt, known)
        accessed = {x.array for x in postorder(*expressions_of(stmt)) if isinstance(x, Load)}
        if isinstance(stmt, s.Store | s.Atomic):
            accessed.add(stmt.buffer)
        if self.stripes.buffer in accessed:
            raise NoStripes("it is accessed outside of loops over lanes")
        known = {**known, **_limits(stmt)}
        children = tuple(self.outside(child, known) for child in children_of(stmt))
        return rebuild(stmt, children, lambda e: e)

    def _loop(self, loop: s.For, known: Mapping[str, Interval]) -> s.Stmt:
        body = self._inside(loop.body, _Here.of(loop, known))
        stores = {x.buffer for x in walk(body) if isinstance(x, s.Store)}
        own = {self.stripes.buffer} & stores
        if any(_fetched_from(e) & own for x in walk(body) for e in expressions_of(x)):
            raise NoStripes("lanes change it while others read it")
        made = replace(loop, body=body)
        converged(made, body)
        return made

    def _inside(self, stmt: s.Stmt, here: _Here) -> s.Stmt:
        inside = here.inside(stmt)
        children = tuple(self._inside(child, inside) for child in children_of(stmt))
        made = rebuild(stmt, children, lambda e: transform(e, lambda x: self._load(x, here)))
        if isinstance(stmt, s.Store) and stmt.buffer == self.stripes.buffer:
            assert isinstance(made, s.Store)
            slot = self._own_slots(_places(stmt.index, here), here)
            if slot is None or made.predicate is not None:
                raise NoStripes("stores aren't each lane's own")
            return replace(made, index=slot)
        if isinstance(stmt, s.Atomic) and stmt.buffer == self.stripes.buffer:
            raise NoStripes("it is changed atomically")
        return made

    def _load(self, node: Expr, here: _Here) -> Expr:
        if not isinstance(node, Load) or node.array != self.stripes.buffer:
            return node
        if node.predicate is not None:
            raise NoStripes("it is accessed in vectors of which some elements are left out")
        places = _places(node.indices[0], here)
        slots = self._own_slots(places, here)
        if slots is not None:
            return Load(node.array, (slots,), node.type)
        return concat_lanes(*(self._element(node, place, here) for place in places))

    def _own_slots(self, places: Sequence[Sum], here: _Here) -> Expr | None:
        """Where in its registers each lane has the elements of a vector, that are its own; None
        where some may not have them, or not as far from one another as all are."""
        slots = [self.stripes.own_slot(place, here.lanes) for place in places]
        first = slots[0]
        if first is None or len(slots) == 1:
            return first
        sums = [sum_of(slot) for slot in slots if slot is not None]
        steps = [after.plus(before, -1) for before, after in pairwise(sums)]
        if len(sums) < len(slots) or steps[0].terms or any(step != steps[0] for step in steps):
            return None
        return Ramp(first, const(steps[0].constant), len(slots))

    def _element(self, node: Load, place: Sum, here: _Here) -> Expr:
        slot = self.stripes.own_slot(place, here.lanes)
        if slot is not None:
            return Load(node.array, (slot,), node.type.element)
        return self._fetched(node, place, here)

    def _fetched(self, node: Load, place: Sum, here: _Here) -> Expr:
        """An element that another lane has: from each of the rounds that it may be of."""
        stride, period = self.stripes.stride, self.stripes.period
        rounds, rest = self.stripes.parts(place)
        left = expr_of(rest, I32)
        low, high = Intervals(here.known).of(left)
        if not isinstance(low, Const) or not isinstance(high, Const):
            raise NoStripes(f"which lane has element {expr_of(place, I32)} isn't known")
        first, last = (int(low.value) // period, int(high.value) // period) if period else (0, 0)
        within = [0] if stride == 1 else range(stride)
        if all(f % stride == 0 for f in rest.terms.values()):
            within = [rest.constant % stride]
        if (last - first + 1) * len(within) > MOST_SHUFFLES:
            raise NoStripes("lanes read too much of it at once")
        lane = simplify(Div(left, const(stride)))
        if first != last:
            lane = simplify(Mod(lane, const(period // stride)))
        elif first:
            lane = simplify(Sub(lane, const(first * (period // stride))))
        made: Expr | None = None
        for turn in range(first, last + 1):
            for part in within:
                slot = simplify(Add(Mul(Add(rounds, const(turn)), const(stride)), const(part)))
                register = Load(node.array, (slot,), node.type.element)
                value: Expr = Call("shuffle", (register, lane), register.type, "shuffle")
                if made is None:
                    made = value
                    continue
                is_it: Expr = TRUE
                if first != last:
                    is_it = EQ(simplify(Div(left, const(period))), const(turn))
                if len(within) > 1:
                    is_part = EQ(simplify(Mod(left, const(stride))), const(part))
                    is_it = is_part if is_it is TRUE else And(is_it, is_part)
                made = Select(is_it, value, made)
        assert made is not None
        return made


def has_shuffle(e: Expr) -> bool:
    return any(isinstance(x, Call) and x.kind == "shuffle" for x in reads_in(e))


def _fetched_from(e: Expr) -> set[str]:
    """The memories of which other lanes' parts are read."""
    shuffles = (x for x in reads_in(e) if isinstance(x, Call) and x.kind == "shuffle")
    return {x.args[0].array for x in shuffles if isinstance(x.args[0], Load)}


def converged(loop: s.For, body: s.Stmt) -> s.Stmt:
    """The `body` of a loop over lanes, for all lanes of a warp if there are shuffles in it: those
    that the loop hasn't take part in them, and do nothing else.

    Raises `NoStripes` where the loop's own lanes may not all come to a shuffle.
    """
    if not any(has_shuffle(e) for x in walk(body) for e in expressions_of(x)):
        return body
    assert isinstance(loop.extent, Const)
    runs = LT(simplify(Sub(Variable(loop.name, I32), loop.min)), loop.extent)
    together = _Together({loop.name, _LANE.name})
    return together.run(body, TRUE if loop.extent.value == s.WARP else runs)


@dataclass
class _Together:
    """What lanes do, with shuffles outside of conditions that not all lanes decide alike."""

    differing: set[str]
    """Variables that may not be the same in all lanes."""
    count: int = field(default=0)

    def run(self, stmt: s.Stmt, condition: Expr) -> s.Stmt:
        """`stmt`, run by all lanes, where it does something if `condition` holds."""
        if not any(has_shuffle(e) for x in walk(stmt) for e in expressions_of(x)):
            return _under(condition, stmt)
        match stmt:
            case s.Block(stmts):
                return block(*(self.run(x, condition) for x in stmts))
            case s.Store(buffer, value, index, None):
                return self._fetching(
                    (value, index), lambda v, i: _under(condition, s.Store(buffer, v, i))
                )
            case s.LetStmt(name, value, body) if condition is TRUE or not _reads(value):
                if self._differs(value):
                    self.differing.add(name)
                return self._fetching(
                    (value,), lambda v: s.LetStmt(name, v, self.run(body, condition))
                )
            case s.IfThenElse(holds, then, otherwise):
                if not self._differs(holds):
                    parts = [self.run(x, condition) for x in children_of(stmt)]
                    return rebuild(stmt, tuple(parts), lambda e: e)
                if not _reads(holds):
                    made = [self.run(then, _both(condition, holds))]
                    if otherwise is not None:
                        made.append(self.run(otherwise, _both(condition, simplify(Not(holds)))))
                    return block(*made)
            case s.For():
                if not self._differs(stmt.min) and not self._differs(stmt.extent):
                    return rebuild(stmt, (self.run(stmt.body, condition),), lambda e: e)
        raise NoStripes("not all lanes come to where it is read")

    def _differs(self, e: Expr) -> bool:
        return any(
            isinstance(x, Load | Call) or (isinstance(x, Variable) and x.name in self.differing)
            for x in postorder(e)
        )

    def _fetching(self, expressions: tuple[Expr, ...], use: Callable[..., s.Stmt]) -> s.Stmt:
        """What `use` makes of the expressions, in which variables stand for shuffles."""
        names: dict[Expr, Variable] = {}
        for x in postorder(*expressions):
            if isinstance(x, Call) and x.kind == "shuffle":
                names[x] = Variable(f"shuffled.{self.count}", x.type)
                self.count += 1
        made = use(*(substitute(e, dict(names)) for e in expressions))
        for call, variable in reversed(names.items()):
            made = s.LetStmt(variable.name, call, made)
        return made


def _under(condition: Expr, stmt: s.Stmt) -> s.Stmt:
    return stmt if condition is TRUE else s.IfThenElse(condition, stmt)


def _both(a: Expr, b: Expr) -> Expr:
    return b if a is TRUE else And(a, b)


def _reads(e: Expr) -> bool:
    return bool(reads_in(e))


__all__ = ["NoStripes", "converged", "has_shuffle", "in_lanes"]
