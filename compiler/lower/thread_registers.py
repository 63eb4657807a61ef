"""Memory of a block of which each thread has elements of its own, in its registers.

All places that all threads access are looked at: no two threads access one element. Where a thread
has an element follows from how far it lies from the first one that the thread accesses, which is
the same in all threads.

    allocate f[64]:                            allocate register f[2], of each thread:
      together x: f[2*x] = ...                   together x: f[0] = ...
      together x: f[2*x + 1] = f[2*x]   ->       together x: f[1] = f[0]
      together x: g[x] = f[2*x + 1]              together x: g[x] = f[1]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from ..ir import (
    I32,
    Add,
    Call,
    Expr,
    Load,
    Mul,
    Ramp,
    Sub,
    Variable,
    const,
    evaluate,
    postorder,
    simplify,
    substitute,
    transform,
    value_in_lane,
)
from ..ir import stmts as s
from ..ir.coordinate_sums import Sum, expr_of, sum_of
from ..ir.stmt_transform import children_of, expressions_of, rebuild
from .barriers import Together
from .constant_size import whole_sum

MOST_PLACES = 1 << 20
"""So many places of all threads are looked at for one access."""
_THREADS = 1024
"""Of a block, at most."""
_LANE = "lane of a vector"
Numbers = np.ndarray[Any, np.dtype[np.int64]]


class NotOwn(Exception):
    """Why memory of a block can't lie in the registers of its threads."""


def in_threads(node: s.Allocate, most: Callable[[Expr], int]) -> s.Allocate:
    """`node`, memory around what threads do `Together`, as memory that each of them has.

    `most` gives a number that the extent of a loop doesn't exceed. Raises `NotOwn` where a thread
    accesses what is another one's, or where that isn't known.
    """
    own = _Own(node.buffer, most)
    accesses = list(dict.fromkeys(own.accesses(node.body, _Here())))
    if not accesses:
        raise NotOwn("no thread accesses it")
    slots = _Slots.of(accesses)
    return replace(node, size=const(slots.count), body=own.moved(node.body, _Here(), slots))


@dataclass(frozen=True)
class _Axis:
    """What takes one access of a thread to several places: a loop, or the lanes of a vector."""

    name: str
    """Of the number of the iteration."""
    count: int
    number: Expr
    """That number in terms of what is known where the access stands."""


@dataclass(frozen=True)
class _Here:
    """A place inside of the memory's own statement."""

    lets: tuple[tuple[Expr, Expr], ...] = ()
    """What variables are, in terms of threads, of axes and of what is known outside."""
    axes: tuple[_Axis, ...] = ()
    unknown: frozenset[str] = frozenset()
    """Variables of loops of which it isn't known how long they are."""
    threads: tuple[int, int, int] | None = None
    """How many run the statement, by dimension; None outside of what threads do."""

    def inside(self, stmt: s.Stmt, most: Callable[[Expr], int]) -> _Here:
        match stmt:
            case Together(_, extents):
                x, y, z = (most(e) for e in extents)
                if x * y * z > _THREADS:
                    raise NotOwn("how many threads use it isn't known")
                return replace(self, threads=(x, y, z))
            case s.LetStmt(name, value):
                known = substitute(value, dict(self.lets))
                return replace(self, lets=(*self.lets, (Variable(name, value.type), known)))
            case s.For(name, low, extent):
                count = max(most(extent), 1)
                variable: Expr = Variable(name, I32)
                if count > MOST_PLACES:
                    lets = *self.lets, (variable, variable)
                    return replace(self, lets=lets, unknown=self.unknown | {name})
                axis = _Axis(f"{name}.iteration", count, simplify(Sub(variable, low)))
                first = substitute(low, dict(self.lets))
                value = simplify(Add(first, Variable(axis.name, I32)))
                return replace(self, lets=(*self.lets, (variable, value)), axes=(*self.axes, axis))
        return self


@dataclass(frozen=True)
class _Access:
    """One place in the program at which threads access the memory."""

    uniform: frozenset[tuple[Expr, int]]
    """Terms of the place that stay as they are while there is the memory."""
    place: Expr
    """The sum of all others."""
    axes: tuple[_Axis, ...]
    """Those that it depends on."""
    threads: tuple[int, int, int]

    def numbers(self) -> Numbers:
        """The threads that run the access, counted as if a block had `_THREADS` in each row."""
        x, y, z = (np.arange(n) for n in self.threads)
        counted = x + _THREADS * (y[:, None] + _THREADS * z[:, None, None])
        return counted.astype(np.int64).reshape(-1)

    def places(self) -> Numbers:
        """The places of each thread (a row each), in all iterations of the axes."""
        return self._places(self.numbers(), tuple(a.count for a in self.axes))

    def first(self, threads: Numbers) -> Numbers:
        """The place of each thread in the first iteration."""
        return self._places(threads, tuple(1 for _ in self.axes))[:, 0]

    def _places(self, threads: Numbers, counts: Sequence[int]) -> Numbers:
        many = prod(counts)
        values: dict[str, Any] = {}
        left = threads[:, None]
        for name in s.THREADS:
            values[name], left = (left % _THREADS).astype(np.int32), left // _THREADS
        for axis, numbers in zip(self.axes, np.indices(counts).reshape(-1, many), strict=True):
            values[axis.name] = numbers.astype(np.int32)[None, :]
        made = np.asarray(evaluate(self.place, values))
        return np.broadcast_to(made, (len(threads), many)).astype(np.int64)


@dataclass(frozen=True)
class _Own:
    """The memory `buffer`, while its accesses are looked at."""

    buffer: str
    most: Callable[[Expr], int]

    def accesses(self, stmt: s.Stmt, here: _Here) -> Iterator[_Access]:
        for index in self._indices(stmt):
            yield self._access(index, here)
        inside = here.inside(stmt, self.most)
        for child in _children(stmt):
            yield from self.accesses(child, inside)

    def _indices(self, stmt: s.Stmt) -> Iterator[Expr]:
        for x in postorder(*expressions_of(stmt)):
            if isinstance(x, Load) and x.array == self.buffer:
                yield x.indices[0]
        if isinstance(stmt, s.Store) and stmt.buffer == self.buffer:
            yield stmt.index
        if isinstance(stmt, s.Atomic) and stmt.buffer == self.buffer:
            raise NotOwn("it is changed atomically")

    def _access(self, index: Expr, here: _Here) -> _Access:
        if here.threads is None:
            raise NotOwn("what all threads do alike depends on it")
        axes = here.axes
        if index.type.is_vector:
            axes = (*axes, _Axis(_LANE, index.type.lanes, const(0)))
        element = value_in_lane(index, Variable(_LANE, I32))
        if element is None:
            raise NotOwn("it is accessed in vectors whose elements lie anywhere")
        total = _sum(element, here)
        names = {*s.THREADS, *(a.name for a in axes)}
        uniform: dict[Expr, int] = {}
        used: set[str] = set()
        for term, factor in total.terms.items():
            variables = {x.name for x in postorder(term) if isinstance(x, Variable)}
            if variables & here.unknown:
                raise NotOwn(
                    f"how long the loop over {min(variables & here.unknown)} is isn't known"
                )
            if variables <= names:
                used |= variables
            elif variables & names:
                raise NotOwn(f"which thread has an element depends on {min(variables - names)}")
            else:
                uniform[term] = factor
        place = expr_of(total.without(uniform), I32)
        own = tuple(a for a in axes if a.name in used)
        if prod(here.threads) * prod(a.count for a in own) > MOST_PLACES:
            raise NotOwn("threads access too much of it")
        return _Access(frozenset(uniform.items()), place, own, here.threads)

    def moved(self, stmt: s.Stmt, here: _Here, slots: _Slots) -> s.Stmt:
        """`stmt` with its accesses in each thread's own elements."""

        def place(index: Expr) -> Expr:
            return slots.place(self._access(index, here), index)

        def load(node: Expr) -> Expr:
            if isinstance(node, Load) and node.array == self.buffer:
                return Load(node.array, (place(node.indices[0]),), node.type, node.predicate)
            return node

        inside = here.inside(stmt, self.most)
        if isinstance(stmt, Together):
            return Together(self.moved(stmt.body, inside, slots), stmt.extents)
        children = tuple(self.moved(child, inside, slots) for child in children_of(stmt))
        made = rebuild(stmt, children, lambda e: transform(e, load))
        if isinstance(stmt, s.Store) and stmt.buffer == self.buffer:
            assert isinstance(made, s.Store)
            return replace(made, index=place(stmt.index))
        return made


def _children(stmt: s.Stmt) -> tuple[s.Stmt, ...]:
    return (stmt.body,) if isinstance(stmt, Together) else tuple(children_of(stmt))


def _sum(index: Expr, here: _Here) -> Sum:
    total = whole_sum(sum_of(simplify(substitute(index, dict(here.lets)))))
    if any(x.type is not I32 or _reads(x) for x in total.terms):
        raise NotOwn("where it is accessed depends on memory")
    return total


def _reads(e: Expr) -> bool:
    return any(
        isinstance(x, Load) or (isinstance(x, Call) and x.kind != "intrinsic") for x in postorder(e)
    )


@dataclass(frozen=True)
class _Slots:
    """Where among its own each thread has the elements that it accesses."""

    count: int
    of_offset: Mapping[int, int]
    """By how far an element lies from the thread's first one."""
    first: _Access
    """Of which the place in the first iteration is that one."""

    @staticmethod
    def of(accesses: Sequence[_Access]) -> _Slots:
        first = accesses[0]
        if any(x.uniform != first.uniform for x in accesses):
            raise NotOwn("where it is accessed isn't known")
        _check_owners(accesses)
        offsets = [_offsets(x, first) for x in accesses]
        different = np.unique(np.concatenate(offsets))
        ranks = np.arange(len(different))
        span = different - different[0]
        steps = span // max(int(np.gcd.reduce(span)), 1)
        for slots in (ranks, steps):
            by_offset = dict(zip(different.tolist(), slots.tolist(), strict=True))
            made = _Slots(int(slots[-1]) + 1, by_offset, first)
            if all(made.factors(x, o) is not None for x, o in zip(accesses, offsets, strict=True)):
                return made
        raise NotOwn("where it is accessed is no sum of what loops count")

    def factors(self, access: _Access, offsets: Numbers) -> tuple[int, list[int]] | None:
        """The slot of the first iteration, and by how much each axis' number moves it; None where
        the slots of all iterations are no such sum."""
        slots = np.array([self.of_offset[o] for o in offsets.tolist()])
        counts = [a.count for a in access.axes]
        first = int(slots[0])
        numbers = np.indices(counts).reshape(len(counts), prod(counts))
        factors = []
        for position, count in enumerate(counts):
            behind = prod(counts[position + 1 :])
            factors.append(int(slots[behind]) - first if count > 1 else 0)
        made = first + np.asarray(factors, np.int64) @ numbers if factors else np.array([first])
        return (first, factors) if (made == slots).all() else None

    def place(self, access: _Access, index: Expr) -> Expr:
        """The place of an access in the thread's own memory."""
        found = self.factors(access, _offsets(access, self.first))
        assert found is not None
        slot, stride = const(found[0]), 0
        for axis, factor in zip(access.axes, found[1], strict=True):
            if axis.name == _LANE:
                stride = factor
            else:
                slot = Add(slot, Mul(axis.number, const(factor)))
        slot = simplify(slot)
        lanes = index.type.lanes
        return Ramp(slot, const(stride), lanes) if lanes > 1 else slot


def _offsets(access: _Access, first: _Access) -> Numbers:
    """How far the places of a thread lie from its first one, which is the same in all threads."""
    offsets = access.places() - first.first(access.numbers())[:, None]
    if not (offsets == offsets[0]).all():
        raise NotOwn("not all threads have theirs in the same order")
    return np.asarray(offsets[0])


def _check_owners(accesses: Sequence[_Access]) -> None:
    """Raises `NotOwn` where two threads access one element."""
    pairs = [(x.places() * _THREADS**3 + x.numbers()[:, None]).reshape(-1) for x in accesses]
    places, threads = np.divmod(np.unique(np.concatenate(pairs)), _THREADS**3)
    twice = np.flatnonzero(places[1:] == places[:-1])
    if len(twice):
        one, other = (_shown(int(threads[twice[0] + i])) for i in (0, 1))
        raise NotOwn(f"threads {one} and {other} access one element")


def _shown(thread: int) -> str:
    x, y, z = thread % _THREADS, thread // _THREADS % _THREADS, thread // _THREADS**2
    return f"({x}, {y}, {z})"


__all__ = ["NotOwn", "in_threads"]
