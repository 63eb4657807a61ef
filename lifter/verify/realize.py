"""Summaries on concrete inputs: the slow, obviously right meaning of what was lifted.

Used to screen candidates, to show counterexamples, and as a second opinion on every proof.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from compiler.ir import (
    I64,
    Call,
    Cast,
    Expr,
    Variable,
    const,
    evaluate,
    neutral,
    postorder,
    substitute,
)

from ..dag import COMBINED_BY, Reduce, polynomial
from ..model.stage import nests_of
from ..model.summary import Dimension, Layout, Limit, Summary
from .memory import POISON, Memory

MOST_TERMS = 100_000
"""Of the reductions of one stage, all points together."""


_AT_ONCE = 1 << 12
"""Points of a domain that are computed at once."""


class TooManyTerms(Exception):
    """Concrete inputs make reductions longer than a run may take."""


Inline = Callable[[Expr], Expr]
"""Replaces the source's pure functions by their bodies."""


def realize(
    summaries: Sequence[Summary],
    scalars: dict[str, int | float],
    memories: dict[str, Memory],
    inline: Inline,
) -> None:
    """Runs the stages in order on `memories` (arrays by name), which change in place. Raises
    `TooManyTerms`.

    Elements that were never written read as 0 in local arrays: the original leaves them undefined.
    """
    for nest in nests_of(summaries, lambda summary: summary.nest):
        if nest[0].is_fold and nest[0].update_point:
            _update_tuples([_Stage(s, scalars, memories, inline) for s in nest])
            continue
        if nest[0].is_fold or (len(nest) == 1 and _is_of_one_element(nest[0])):
            _update_tuple([_Stage(s, scalars, memories, inline) for s in nest])
            continue
        before = {s.output: memories[s.output].copy() for s in nest} if len(nest) > 1 else {}
        for summary in nest:
            own = {summary.output: memories[summary.output]}
            _Stage(summary, scalars, {**memories, **before, **own}, inline).run()


def beyond_limits(
    summaries: Sequence[Summary],
    scalars: dict[str, int | float],
    memories: dict[str, Memory],
    inline: Inline,
) -> Iterator[tuple[str, tuple[int, ...], int]]:
    """The elements that make numbers larger than the summaries take them to be, by array and index,
    each with a value that makes its number small enough."""
    for summary in summaries:
        if summary.limits:
            stage = _Stage(summary, scalars, memories, inline)
            for limit in summary.limits:
                yield from stage.beyond(limit)


class _Stage:
    def __init__(
        self,
        summary: Summary,
        scalars: dict[str, int | float],
        memories: dict[str, Memory],
        inline: Inline,
    ) -> None:
        self.summary = summary
        self.scalars = scalars
        self.memories = memories
        self.integers = {n: int(v) for n, v in scalars.items() if not isinstance(v, float)}
        self.numbers: dict[str, list[int]] = {}
        """The offset and the strides of each array that was met."""
        self.terms = 0
        self.inline = inline

    @cached_property
    def inlined(self) -> Expr:
        return self.inline(self.summary.expression)

    @cached_property
    def windows(self) -> bool:
        """Whether a reduction's extent depends on the point: then each has its own."""
        names = {d.variable.name for d in (*self.summary.roi, *self.summary.domain)}
        return _extents_over(self.inlined, names)

    @cached_property
    def expression(self) -> Expr:
        """What is computed, with reductions written out where all points have the same."""
        return self.inlined if self.windows else self._expanded(self.inlined, self.integers)

    def run(self) -> None:
        condition = self.summary.condition
        if condition is not None and not bool(evaluate(condition, self.scalars)):
            return
        if self.summary.domain:
            self._update()
        else:
            self._pure()

    def _pure(self) -> None:
        points, env = self._at_once(self.summary.roi)
        if not points:
            return
        values = (
            np.array([self._at(point, self.summary.roi) for point in points])
            if self.windows
            else np.broadcast_to(evaluate(self.expression, env, self._read), (len(points),))
        )
        layout = self.summary.layouts[self.summary.output]
        memory = self.memories[self.summary.output]
        for point, value in zip(points, values, strict=True):
            self._store(memory, layout, point, value)

    def beyond(self, limit: Limit) -> Iterator[tuple[str, tuple[int, ...], int]]:
        """See `beyond_limits`."""
        most = self._integer(limit.most)
        call = next(c for c in postorder(limit.value) if isinstance(c, Call))
        for atoms, factor in polynomial(limit.value).items():
            if factor == 1 and len(atoms) == 1 and isinstance(atoms[0], Cast):
                inner = atoms[0].value
                call = inner if isinstance(inner, Call) else call
        points, env = self._at_once(self.summary.roi)
        if not points:
            return
        excesses = np.broadcast_to(evaluate(limit.value, env, self._read), (len(points),)) - most
        columns = [np.broadcast_to(evaluate(a, env, self._read), (len(points),)) for a in call.args]
        layout = self.summary.layouts[call.name]
        for number in np.flatnonzero(excesses > 0):
            excess = int(excesses[number])
            index = self._address(layout, [int(column[number]) for column in columns])
            own = int(self.memories[call.name].peek(index) or 0)
            yield call.name, index, own - excess - (excess % (max(most, 0) + 1))
        if limit.least is not None:
            below = self._integer(limit.least) - (excesses + most)
            for number in np.flatnonzero(below > 0):
                index = self._address(layout, [int(column[number]) for column in columns])
                own = int(self.memories[call.name].peek(index) or 0)
                yield call.name, index, own + int(below[number])

    def _at(self, point: tuple[int, ...], box: Sequence[Dimension]) -> Any:
        """The value at one point of a box, with the extents that reductions have there."""
        place = {d.variable.name: int(p) for d, p in zip(box, point, strict=True)}
        expression = self.expression
        if self.windows:
            expression = self._expanded(expression, {**self.integers, **place})
        return evaluate(expression, {**self.scalars, **place}, self._read)

    def _update(self) -> None:
        apart = self._coordinates_of_elements()
        points, env = self._at_once(apart)
        layout = self.summary.layouts[self.summary.output]
        if not apart or len({self._address(layout, p) for p in points}) < len(points):
            for point in self.points_of_domain():
                self.store(self.place_of(point), self.at(point))
            return
        others = [d for d in self.summary.domain if d not in apart]
        for point in self._box(others) if points else ():
            env |= {d.variable.name: p for d, p in zip(others, point, strict=True)}
            values = np.broadcast_to(evaluate(self.expression, env, self._read), (len(points),))
            for place, value in zip(points, values, strict=True):
                self.store(place, value)

    def _coordinates_of_elements(self) -> list[Dimension]:
        """The dimensions of the domain that say which element is updated, in the order of its
        coordinates, where an update reads no other one: elements know nothing of each other, so
        that all may be updated at once. Empty where that isn't so."""
        summary = self.summary
        dimensions = {d.variable: d for d in summary.domain}
        found = [dimensions[p] for p in summary.update_point if p in dimensions]
        own = (
            n
            for n in postorder(self.inlined)
            if isinstance(n, Call) and n.kind == "image" and n.name == summary.output
        )
        is_so = (
            len(set(found)) == len(summary.update_point)
            and all(n.args == summary.update_point for n in own)
            and not self.windows
        )
        return found if is_so else []

    def place_of(self, point: tuple[int, ...]) -> tuple[int, ...]:
        """Which element is updated at a point of the domain."""
        env: dict[str, Any] = dict(self.scalars)
        env.update({d.variable.name: v for d, v in zip(self.summary.domain, point, strict=True)})
        return tuple(int(evaluate(p, env, self._read)) for p in self.summary.update_point)

    def at(self, point: tuple[int, ...]) -> Any:
        """What is stored at a point of the domain, made of what is there now."""
        return self._at(point, self.summary.domain)

    def points_of_domain(self) -> Iterator[tuple[int, ...]]:
        """Those of the domain of updates, in order."""
        return self._box(self.summary.domain)

    def values_at(self, points: Sequence[tuple[int, ...]]) -> Any:
        """What the expression is at each of some points of the domain, from what is there now."""
        domain = self.summary.domain
        if self.windows:
            return np.array([self._at(point, domain) for point in points])
        env: dict[str, Any] = dict(self.scalars)
        columns = np.array(points, dtype=np.int64).T
        env.update({d.variable.name: c for d, c in zip(domain, columns, strict=True)})
        return np.broadcast_to(evaluate(self.expression, env, self._read), (len(points),))

    def first_change(self, values: Any) -> int:
        """The number of the first of the values, for an update's only element, that has other bits
        than what is there; as many as there are for none."""
        layout = self.summary.layouts[self.summary.output]
        old = self.memories[self.summary.output].peek(self._address(layout, ()))
        if old is None or old is POISON:
            return 0
        there = np.array(old, values.dtype).tobytes()
        return next((i for i, v in enumerate(values) if v.tobytes() != there), len(values))

    def store(self, point: tuple[int, ...], value: Any) -> None:
        """Stores an element of the output."""
        summary = self.summary
        self._store(self.memories[summary.output], summary.layouts[summary.output], point, value)

    def _store(self, memory: Memory, layout: Layout, point: tuple[int, ...], value: Any) -> None:
        index = self._address(layout, point)
        memory.cells[index] = value.item()
        memory.written.add(index)

    def _at_once(self, box: Sequence[Dimension]) -> tuple[list[tuple[int, ...]], dict[str, Any]]:
        """All points of a box, and an environment that has each of its variables at all of them."""
        points = list(self._box(box))
        env: dict[str, Any] = dict(self.scalars)
        if points:
            columns = np.array(points, dtype=np.int64).T
            env.update({d.variable.name: c for d, c in zip(box, columns, strict=True)})
        return points, env

    def _box(self, dimensions: Sequence[Any]) -> Iterator[tuple[int, ...]]:
        """The points of a box, first dimension fastest."""
        ranges = [range(self._integer(d.lower), self._integer(d.upper)) for d in dimensions]
        return (tuple(reversed(p)) for p in itertools.product(*reversed(ranges)))

    def _integer(self, expr: Expr) -> int:
        """The value of what parameters decide alone: a bound, a stride."""
        return int(evaluate(expr, self.scalars))

    def _address(self, layout: Layout, point: Sequence[Any]) -> tuple[Any, ...]:
        """The index in memory of a point, or of many, whose coordinates are arrays of integers."""
        numbers = self.numbers.get(layout.array)
        if numbers is None:
            inner = len(layout.strides) - (1 if layout.rows else 0)
            whole = (layout.offset, *layout.strides[:inner])
            numbers = self.numbers[layout.array] = [self._integer(e) for e in whole]
        flat, *strides = numbers
        for stride, place in zip(strides, point, strict=False):
            flat = flat + stride * place
        return (point[-1], flat) if layout.rows else (flat,)

    def _read(self, node: Expr, args: tuple[Any, ...]) -> Any:
        assert isinstance(node, Call)
        memory = self.memories[node.name]
        layout = self.summary.layouts[node.name]
        if all(np.ndim(a) == 0 for a in args):
            found = memory.peek(self._address(layout, [int(a) for a in args]))
            return 0 if found is None or found is POISON else found
        columns = np.broadcast_arrays(*args)
        shape = columns[0].shape
        # Objects are Python's integers, which don't wrap.
        flat = [c.reshape(-1).astype(object) for c in columns]
        address = np.broadcast_arrays(*self._address(layout, flat), *flat, np.zeros(1))
        values = []
        for index in zip(*(a.tolist() for a in address[: 1 + layout.rows]), strict=True):
            value = memory.peek(index)
            values.append(0 if value is None or value is POISON else value)
        return np.array(values).reshape(shape)

    def _expanded(self, expr: Expr, integers: dict[str, int]) -> Expr:
        """Reductions written out; their extents are known here, over `integers`."""
        done: dict[Expr, Expr] = {}

        def walk(node: Expr) -> Expr:
            if isinstance(node, Reduce):
                return self._written_out(node, integers)
            found = done.get(node)
            if found is None:
                children = node.children
                found = done[node] = node.rebuild(tuple(map(walk, children))) if children else node
            return found

        return walk(expr)

    def _written_out(self, node: Reduce, integers: dict[str, int]) -> Expr:
        combine = COMBINED_BY[node.operator]
        iterations = int(evaluate(node.extent, {**self.scalars, **integers}))
        self.terms += max(0, iterations)
        if self.terms > MOST_TERMS:
            raise TooManyTerms
        result: Expr = const(neutral(combine, node.type), node.type)
        for i in range(max(0, iterations)):
            result = combine(
                result,
                self._expanded(substitute(node.body, {node.counter: const(i, I64)}), integers),
            )
        return result


def _is_of_one_element(summary: Summary) -> bool:
    return summary.kind == "reduction" and not summary.update_point and summary.condition is None


def _update_tuple(stages: Sequence[_Stage]) -> None:
    """Reductions that are the update of a tuple: at each point all are computed, then all stored.

    Where points in a row leave the tuple as it is, what is computed at all of them at once is what
    each gives: up to the first one that doesn't.
    """
    points = list(stages[0].points_of_domain())
    at, count = 0, 1
    while at < len(points):
        there = points[at : at + count]
        values = [stage.values_at(there) for stage in stages]
        changes = [stage.first_change(v) for stage, v in zip(stages, values, strict=True)]
        first = min(changes)
        if first < len(there):
            for stage, several in zip(stages, values, strict=True):
                stage.store((), several[first])
        at += min(first + 1, len(there))
        count = max(1, first) if first < len(there) else min(2 * count, _AT_ONCE)


def _update_tuples(stages: Sequence[_Stage]) -> None:
    """Scans that are the update of a tuple at each place: all are computed, then all stored."""
    for point in stages[0].points_of_domain():
        values = [stage.at(point) for stage in stages]
        for stage, value in zip(stages, values, strict=True):
            stage.store(stage.place_of(point), value)


def _extents_over(expression: Expr, names: set[str]) -> bool:
    """Whether the extent of a reduction in it depends on one of the names."""
    extents = [n.extent for n in postorder(expression) if isinstance(n, Reduce)]
    return any(isinstance(n, Variable) and n.name in names for n in postorder(*extents))
