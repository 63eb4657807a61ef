"""The calls that every proof must cover: a guard that no ordinary call passes is of no use.

The list is fixed:

* each size is 1 to 64 and 1919 to 1921, the others beside it 1, 2, 3 and 1080;
* each stride is as long as a row, with the neighbours that a filter in place reads, one more, 64
  more; one of neighbours is 1, 2 and 4;
* a parameter that the source compares with constants is each of them;
* another parameter that a precondition names is 1, 2 and 3 (elements, of a pitch in bytes whose
  rows are seen as wider elements), in an image of 1920 by 1080;
* tables of rows and of planes lead to memory that is all of one piece, and that isn't, where a call
  looks at more than one row;
* a pointer that the source tests for null is null, and isn't. (Where the original returns at once
  with a null pointer, there is nothing that lifted code could do.)
* a pointer to a function that a region calls leads to each function of its type whose address the
  file takes.

A proof may exclude of these what the source's asserts and comments and `--assume` exclude, and
those for which a loop of the original (`while (p != end)`) would never end, and nothing else. What
the other parameters of a call are isn't said: it counts as covered where some values of theirs
pass.

The arrays of such a call are allocations of their own, near each other or not, none longer than
64 MiB (a table of four bytes for each of 2**24 colours) and 128 bytes for each point of the call's
sizes. A guard that takes more of an array for touched would find other arrays there. Calls of 2**28
points and more aren't asked for.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any, TypeGuard

import numpy as np

from compiler.ir import (
    EQ,
    GE,
    I64,
    LE,
    NE,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Max,
    Mul,
    Neg,
    Sub,
    Type,
    Variable,
    const,
    evaluate,
    postorder,
    substitute,
)

from ..dag import Ranges, StrictIndexer, normal
from ..model.kernel import Kernel, expressions_of, statements
from ..model.parameters import given_of, names_any
from ..model.proof import Precondition
from ..model.summary import Dimension, Layout, Summary, counted_in_32_bits
from .decide import Prover
from .run_time_test import integer_part

WIDTHS = (*range(1, 65), 1919, 1920, 1921)
OTHER_SIZES = (1, 2, 3, 1080)
MORE_THAN_A_ROW = (0, 1, 64)
MOST_BETWEEN_NEIGHBOURS = 3
MOST_POINTS = 1 << 28
TABLE_BYTES = 1 << 26
POINT_BYTES = 128
_SHOWN = 3
_BYTES = (1, 2, 4, 8)
"""Of an element."""
_ONE = const(1, I64)
_NONE = const(0, I64)


@dataclass(frozen=True, slots=True)
class _Stride:
    """A parameter that is a stride: its layout's stride, and how long what lies between is."""

    name: str
    step: Expr
    length: Expr

    def more(self, more: Any) -> Any:
        """How much longer than what lies between it is, where one of rows is `more` longer."""
        return np.minimum(more, MOST_BETWEEN_NEIGHBOURS) if self.length is _ONE else more


@dataclass(frozen=True, slots=True)
class Footprint:
    """What the guarded entry takes a call to touch of an array: boxes of coordinates, each with
    (smallest, largest) of every coordinate as index expressions over the parameters."""

    layout: Layout
    boxes: Sequence[Sequence[tuple[Expr, Expr]]]


def calls_not_admitted(
    kernel: Kernel,
    summaries: Sequence[Summary],
    preconditions: Sequence[Precondition],
    prover: Prover,
    footprints: Mapping[str, Footprint],
    ends: Sequence[Expr],
    copied: Collection[str] = (),
) -> list[str]:
    """The calls of the list that the preconditions exclude and the source doesn't, as texts;
    `footprints` are those of the caller's arrays, by name. Without one of `ends` the original
    runs away: no call is meant for which it doesn't hold. The tables of rows that are `copied` have
    evenly spaced ones in the end."""
    found = [f"{n.name} null" for n in kernel.not_null if n.origin == "inferred" and not n.leaves]
    nullable = {p.name for p in kernel.params if p.may_be_null}
    found += [
        f"{p.arrays[0]} null"
        for p in preconditions
        if p.kind == "not-null" and p.origin == "inferred" and p.arrays[0] in nullable
        if p.text not in kernel.stated_texts
    ]
    found += [
        f"the rows of {p.arrays[0]} apart from each other"
        for p in preconditions
        if p.kind == "rows" and p.text not in kernel.stated_texts
        if p.arrays[0] not in copied and not _is_one_row(footprints.get(p.arrays[0]))
    ]
    return found + _Numbers(kernel, summaries, preconditions, prover, ends).not_admitted()


def _is_one_row(footprint: Footprint | None) -> bool:
    """Whether a call looks at a single row of a table, which is as evenly spaced as one can be."""
    if footprint is None or not footprint.boxes:
        return False
    rows = [end for box in footprint.boxes for end in box[-1]]
    return all(normal(Sub(row, rows[0])) is _NONE for row in rows)


def places_not_admitted(
    kernel: Kernel,
    summaries: Sequence[Summary],
    preconditions: Sequence[Precondition],
    prover: Prover,
    footprints: Mapping[str, Footprint],
    ends: Sequence[Expr],
) -> list[str]:
    """The calls of the list that the guard refuses for where it takes them to touch memory, each
    with the cause, as texts; `footprints` are those of the caller's arrays, by name."""
    found = [
        f"any call: pixels say which rows of {name} are read, and the guard looks at all of them"
        for name in _rows_looked_up(summaries)
    ]
    compared = {a for p in preconditions if p.kind == "disjoint" for a in p.arrays}
    calls = _Calls(_Numbers(kernel, summaries, preconditions, prover, ends))
    sizes = counted_in_32_bits(
        ((d.lower, d.upper) for s in summaries for d in s.roi),
        (footprint.layout.strides for footprint in footprints.values()),
    )
    for name, footprint in footprints.items():
        ends = [end for box in footprint.boxes for axis in box for end in axis]
        wide = [~_fits(calls.values(end)) for end in ends]
        if name in compared:
            size = kernel.arrays[name].type.bits / 8
            spans = (calls.elements(footprint.layout, box) for box in footprint.boxes)
            wide += [span * size > calls.room for span in spans]
        found += calls.told(wide, f"{name} is taken to be touched anywhere in memory")
    large = [~_fits(calls.values(size)) for size in dict.fromkeys(sizes)]
    return found + calls.told(large, "sizes and strides don't fit 32 bits")


def _rows_looked_up(summaries: Sequence[Summary]) -> list[str]:
    """Tables of rows of which the call reads those that numbers say which it reads."""
    found: dict[str, None] = {}
    for summary in summaries:
        tables = {name for name, layout in summary.layouts.items() if layout.rows}
        for node in postorder(summary.expression, *summary.update_point) if tables else ():
            if _is_read(node) and node.name in tables:
                row = node.args[-1]
                if any(map(_is_read, postorder(row))):
                    found[node.name] = None
    return list(found)


def _is_read(node: Expr) -> TypeGuard[Call]:
    return isinstance(node, Call) and node.kind == "image"


def _fits(values: Any) -> Any:
    return (values >= -(2**31)) & (values < 2**31)


class _Calls:
    """All calls of the list at once: each parameter is the array of its values in them."""

    def __init__(self, numbers: _Numbers) -> None:
        self.numbers = numbers
        self.parameters = self._listed()
        points = np.ones(1)
        for name in numbers.sizes:
            points = points * np.maximum(self.parameters[name], 1)
        self.room = TABLE_BYTES + POINT_BYTES * points
        ordinary = points < MOST_POINTS
        for name, values in self.parameters.items():
            type = numbers.prover.parameters[name]
            ordinary = ordinary & (values >= type.min) & (values <= type.max)
        for formula in numbers.stated:
            if _names(formula) <= set(self.parameters):
                ordinary = ordinary & self.values(formula)
        self.ordinary = ordinary

    def _listed(self) -> dict[str, Any]:
        sizes = self.numbers.sizes
        widths, others, more = (
            a.ravel() for a in np.meshgrid(WIDTHS, OTHER_SIZES, MORE_THAN_A_ROW, indexing="ij")
        )
        chosen = {
            name: np.concatenate([widths if name == first else others for first in sizes])
            for name in sizes
        }
        more = np.concatenate([more for _ in sizes or [""]])
        for stride in self.numbers.strides:
            chosen[stride.name] = self._stride(stride, chosen, more)
        return {name: values.astype(np.int64) for name, values in chosen.items()}

    def _stride(self, stride: _Stride, chosen: Mapping[str, Any], more: Any) -> Any:
        """The stride's values, where it is known how it makes the layout's stride; else 1."""
        known = _names(stride.length) | _names(stride.step) - {stride.name} <= set(chosen)
        found = np.ones_like(more)
        if not known:
            return found
        wanted = evaluate(stride.length, chosen) + stride.more(more)
        missing = np.ones(found.shape, bool)
        for value in _candidates(wanted):
            enough = missing & (evaluate(stride.step, {**chosen, stride.name: value}) >= wanted)
            found = np.where(enough, value, found)
            missing = missing & ~enough
        return found

    def values(self, expr: Expr) -> Any:
        """An expression's value in each call; of parameters that the list doesn't name, 1."""
        return evaluate(expr, dict.fromkeys(_names(expr), 1) | self.parameters)

    def elements(self, layout: Layout, box: Sequence[tuple[Expr, Expr]]) -> Any:
        """How many elements a box reaches over in each call, 0 where it is empty."""
        reach: Any = np.ones(1)
        empty: Any = np.zeros(1, bool)
        for stride, (low, high) in zip(layout.strides, box, strict=True):
            extent = self.values(high).astype(float) - self.values(low)
            empty = empty | (extent < 0)
            reach = reach + np.abs(self.values(stride).astype(float)) * extent
        return np.where(empty, 0, reach)

    def told(self, refused: Sequence[Any], cause: str) -> list[str]:
        """The first of the calls that some test refuses, with the cause."""
        somewhere = self.ordinary & np.zeros(self.ordinary.shape, bool)
        for mask in refused:
            somewhere = somewhere | (self.ordinary & mask)
        if not somewhere.any():
            return []
        if (somewhere | ~self.ordinary).all():
            return [f"any call: {cause}"]
        first = int(np.argmax(somewhere))
        call = ", ".join(f"{name} = {values[first]}" for name, values in self.parameters.items())
        return [f"{call}: {cause}"]


def _candidates(wanted: Any) -> Iterator[Any]:
    """Values of a stride that may make `wanted` elements: counted in elements, bytes or pixels."""
    yield wanted
    yield from (wanted * k for k in (2, 3, 4, 8))
    yield from (-(-wanted // k) for k in (2, 3, 4))


class _Numbers:
    """The part of the list that is about numbers."""

    def __init__(
        self,
        kernel: Kernel,
        summaries: Sequence[Summary],
        preconditions: Sequence[Precondition],
        prover: Prover,
        ends: Sequence[Expr],
    ) -> None:
        self.kernel = kernel
        self.prover = prover
        # What the source's conversions of pointers ask for is as good as stated.
        asked = {integer_part(a.condition, prover.parameters) for a in kernel.preconditions}
        self.inferred: list[Expr] = []
        self.stated: list[Expr] = list(ends)
        for precondition in preconditions:
            formula = precondition.formula
            if formula is None:
                continue
            if precondition.origin != "inferred" or formula in asked or formula in ends:
                self.stated.append(formula)
            elif not names_any(formula, prover.parameters.row_strides):
                self.inferred.append(formula)
        self.sizes = _sizes(summaries, prover.parameters)
        self.strides = list(_strides(summaries, self.sizes, prover.parameters))
        self.extents = [
            normal(Sub(d.upper, d.lower))
            for s in summaries
            if kernel.region is not None
            for d in s.roi
        ]
        """Those of what a region writes."""

    def not_admitted(self) -> list[str]:
        doubtful = [f for f in self.inferred if not self._follows(f)]
        calls = ((call, doubtful) for call in self._calls()) if doubtful else ()
        # A number of channels is a stride too: what follows of strides needn't hold in each mode.
        modes = ((call, self.inferred) for call in self._modes())
        found: list[str] = []
        for call, formulas in chain(calls, modes):
            if not self._admits(call, formulas):
                found.append(", ".join(f"{name} = {value}" for name, value in call.items()))
            if len(found) > _SHOWN:
                return [*found[:_SHOWN], "and others"]
        return found

    def _follows(self, formula: Expr) -> bool:
        """Whether a formula holds in all calls of the list, and in all between them."""
        given = [*self.stated]
        for name in self.sizes:
            size = Variable(name, I64)
            given += [GE(size, _ONE), LE(size, const(WIDTHS[-1], I64))]
        for stride in self.strides:
            most = Add(stride.length, const(int(stride.more(MORE_THAN_A_ROW[-1])), I64))
            given += [GE(stride.step, stride.length), LE(stride.step, most)]
        return self.prover.integers(formula, given).proved

    def _calls(self) -> Iterator[dict[str, int]]:
        seen: set[tuple[tuple[str, int], ...]] = set()
        for first in self.sizes or [""]:
            others = [s for s in self.sizes if s != first]
            for width, other, more in product(WIDTHS, OTHER_SIZES, MORE_THAN_A_ROW):
                call = dict.fromkeys(others, other)
                if first:
                    call[first] = width
                call = {name: call[name] for name in self.sizes}
                for stride in self.strides:
                    _choose(stride, call, more)
                key = tuple(call.items())
                if key not in seen and self._fit(call):
                    seen.add(key)
                    yield call
        listed = {*self.sizes, *(s.name for s in self.strides)}
        large = dict(zip(self.sizes, (1920, *(1080 for _ in self.sizes)), strict=False))
        named = {n for f in self.inferred for n in _names(f)} & set(self.prover.parameters)
        for name in sorted(named - listed):
            if name not in self.prover.parameters.sizes:
                unit = self._unit(name)
                yield from ({**large, name: value * unit} for value in (1, 2, 3))

    def _unit(self, name: str) -> int:
        """What a parameter is counted in: the bytes of an element, where it is a pitch in bytes of
        memory that is seen as wider elements."""
        sizes = (size for size in _BYTES if self._possible(self._with(name, size)))
        return next(sizes, 1)

    def _with(self, name: str, value: int) -> list[Expr]:
        return [_given(f, {name: value}) for f in self.stated if name in _names(f)]

    def _modes(self) -> Iterator[dict[str, int]]:
        named = {n for f in self.inferred for n in _names(f)} - {*self.sizes}
        for name, value in _modes(self.kernel):
            if name in named:
                yield {name: value}

    def _fit(self, call: Mapping[str, int]) -> bool:
        types = self.prover.parameters
        points = math.prod(max(call[name], 1) for name in self.sizes)
        return points < MOST_POINTS and all(types[n].contains(v) for n, v in call.items())

    def _admits(self, call: Mapping[str, int], doubtful: Sequence[Expr]) -> bool:
        extents = (_given(e, call) for e in self.extents)
        if any(isinstance(e, Const) and e.value <= 0 for e in extents):
            return True
        stated = [_given(f, call) for f in self.stated]
        if not self._possible(stated):
            return True
        return self._possible([*stated, *(_given(f, call) for f in doubtful)])

    def _possible(self, formulas: Sequence[Expr]) -> bool:
        left = [f for f in formulas if not (isinstance(f, Const) and f.value)]
        if any(isinstance(f, Const) for f in left):
            return False
        return not left or self.prover.satisfiable(left) is True


def _names(formula: Expr) -> set[str]:
    return {n.name for n in postorder(formula) if isinstance(n, Variable)}


def _sizes(summaries: Sequence[Summary], parameters: Mapping[str, Type]) -> list[str]:
    """The parameters that bound regions and domains, those of the innermost dimension first; the
    size of a pixel, some of whose channels are stored to, is a stride."""
    found: dict[str, None] = {}
    for summary in summaries:
        roi = [d for i, d in enumerate(summary.roi) if i != 1 or _channels(summary) is None]
        for dimension in (*roi, *summary.domain):
            for node in postorder(dimension.lower, dimension.upper):
                if isinstance(node, Variable) and node.name in parameters:
                    found[node.name] = None
    return list(found)


def _channels(summary: Summary) -> int | None:
    """How many channels of a pixel are stored to, where parameters say which: the region has all
    of the pixel, whose size is the first dimension's stride. None where that isn't so."""
    if (
        len(summary.roi) < 2
        or summary.domain  # whose points are what witnesses of updates tell
        or summary.roi[1].upper is not summary.layouts[summary.output].strides[0]
    ):
        return None
    places = {witness.point[1] for witness in summary.witnesses}
    return len(places) if any(_names(place) for place in places) else None


def _strides(
    summaries: Sequence[Summary], sizes: Sequence[str], parameters: Mapping[str, Type]
) -> Iterator[_Stride]:
    """Parameters that are strides of an array, each with the longest rows that it steps over."""
    known = {*sizes}
    lengths: dict[str, list[tuple[Expr, Expr]]] = {}
    for summary in summaries:
        for layout in summary.layouts.values():
            if layout.rows and (layout.array != summary.output or _channels(summary) is None):
                continue
            steps = layout.strides[:1] if layout.rows else _of_points(layout, summary.roi)
            along = _dimensions_along(layout, summary, len(layout.strides) - len(steps))
            for number, step in enumerate(steps):
                names = _names(step) - known
                if len(names) == 1 and number <= len(summary.roi) and names <= set(parameters):
                    channels = _channels(summary) if number == 0 else None
                    length = (
                        _length(steps[:number], along) if channels is None else const(channels, I64)
                    )
                    if number == 1 and layout.array == summary.output:
                        length = normal(
                            Max(length, const(_columns_in_place(summary, parameters), I64))
                        )
                    lengths.setdefault(names.pop(), []).append((step, length))
    for name, found in lengths.items():
        longest = found[0][1]
        for _, length in found[1:]:
            longest = length if length is longest else Max(longest, length)
        yield _Stride(name, found[0][0], normal(longest))


def _dimensions_along(layout: Layout, summary: Summary, single: int) -> Sequence[Dimension]:
    """The region's dimensions in the order in which an array that is read has them behind its first
    `single` ones: an image that is turned has the region's rows for columns."""
    places = [
        node.args[single:]
        for node in postorder(summary.expression)
        if _is_read(node) and node.name == layout.array
    ]
    own = {dimension.variable.name: i for i, dimension in enumerate(summary.roi)}
    moving = [
        {own[name] for place in along for name in _names(place) & own.keys()}
        for along in zip(*places, strict=True)
    ]
    order = [min(found) for found in moving if len(found) == 1]
    if layout.array == summary.output or sorted(order) != list(range(len(summary.roi))):
        return summary.roi
    return [summary.roi[i] for i in order]


def _columns_in_place(summary: Summary, parameters: Mapping[str, Type]) -> int:
    """From the first to the last column of a row that is read to make what stands in it, where all
    are constants: filters in place look at neighbours that they leave alone."""
    strides = summary.layouts[summary.output].strides
    own = _flat([Variable(d.variable.name, I64) for d in summary.roi[1:]], strides[1:])
    ends = (summary.roi[0].lower, normal(Sub(summary.roi[0].upper, _ONE)))
    columns = [int(end.value) for end in ends if isinstance(end, Const)]
    if len(columns) < 2:
        return 1
    # That coordinates fit their types is proved elsewhere.
    indexer = StrictIndexer(Ranges(dict(parameters)), lambda formula, text: None)
    for node in postorder(summary.expression):
        if _is_read(node) and node.name == summary.output:
            places = [indexer.coordinate(place) for place in node.args]
            distance = normal(Sub(_flat(places, strides), own))
            if isinstance(distance, Const):
                columns.append(int(distance.value))
    return max(columns) - min(columns) + 1


def _flat(places: Sequence[Expr], strides: Sequence[Expr]) -> Expr:
    address: Expr = _NONE
    for place, stride in zip(places, strides, strict=False):
        address = Add(address, Mul(place, stride))
    return address


def _of_points(layout: Layout, roi: Sequence[Dimension]) -> tuple[Expr, ...]:
    """A layout's strides by the region's dimensions.

    Where neighbours lie a parameter apart, what is read has a dimension more, of single elements.
    """
    strides = tuple(layout.strides)
    single = len(strides) > len(roi) > 1 and strides[0] is _ONE and _names(strides[1])
    return strides[1:] if single else strides


def _length(strides: Sequence[Expr], roi: Sequence[Dimension]) -> Expr:
    """How many elements dimensions with these strides take."""
    length: Expr = _ONE
    for step, dimension in zip(strides, roi, strict=False):
        extent = Sub(dimension.upper, dimension.lower)
        length = Max(length, Mul(Max(step, Neg(step)), extent))
    return normal(length)


def _choose(stride: _Stride, call: dict[str, int], more: int) -> None:
    """Adds the stride's value to a call, if it is known how it makes the layout's stride."""
    length = _given(stride.length, call)
    if not isinstance(length, Const):
        return
    wanted = int(length.value) + int(stride.more(more))
    for value in _candidates(wanted):
        step = _given(stride.step, {**call, stride.name: value})
        if isinstance(step, Const) and int(step.value) >= wanted:
            call[stride.name] = value
            return


def _given(formula: Expr, call: Mapping[str, int]) -> Expr:
    """A formula with the numbers of a call in it."""
    values: dict[Expr, Expr] = {Variable(n, I64): const(v, I64) for n, v in call.items()}
    return normal(substitute(formula, values))


def _modes(kernel: Kernel) -> Iterator[tuple[str, int]]:
    """Parameters that the source compares with constants, and these; pointers that may be null are,
    and aren't."""
    scalars = {p.name for p in kernel.params if p.kind == "scalar" and p.type.is_integer}
    roots = [e for s in statements(kernel.body) for e in expressions_of(s)]
    found: dict[tuple[str, int], None] = {}
    for node in postorder(*roots):
        if isinstance(node, (EQ, NE)) and isinstance(node.b, Const):
            tested = node.a
            while isinstance(tested, Cast):
                tested = tested.value
            if isinstance(tested, Variable) and tested.name in scalars:
                found[tested.name, int(node.b.value)] = None
    for param in kernel.params:
        if param.may_be_null:
            found |= {(given_of(param.name).name, value): None for value in (0, 1)}
    yield from found
