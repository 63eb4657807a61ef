"""A counterexample by addresses, as the verifier finds it, becomes tables over coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..model.counterexample import CounterexampleTables, Number, ValueTable

if TYPE_CHECKING:
    from ..model.kernel import Kernel
    from ..model.proof import Counterexample
    from ..model.summary import Layout, Summary

MOST_CELLS = 32
"""Places of one coordinate that a table keeps, around the difference."""

_NAMES = "x", "y", "c", "d"


def tabulate(
    found: Counterexample, kernel: Kernel, summaries: Sequence[Summary]
) -> CounterexampleTables:
    """The data of `found`: arrays are seen as `summaries` see them, else as a row of elements."""
    if not found.expected or () in found.expected:
        return _of_result(found, kernel, summaries)
    view = _view(found.output, found, summaries)
    expected = {view.point(i): v for i, v in found.expected.items()}
    actual = {view.point(i): v for i, v in found.actual.items()}
    theirs = expected | {view.point(i): v for i, v in found.after.items()}
    ours = actual | {view.point(i): v for i, v in found.candidate_after.items()}
    first = min(expected, key=lambda p: tuple(reversed(p)))
    corners = _corners({*theirs, *ours}, first)
    element = str(kernel.arrays[found.output].type)
    return CounterexampleTables(
        _scalars(found),
        _inputs(found, kernel, summaries, first),
        view.table(theirs, corners, element),
        view.table(ours, corners, element),
        first,
        len(expected),
    )


def _of_result(
    found: Counterexample, kernel: Kernel, summaries: Sequence[Summary]
) -> CounterexampleTables:
    element = str(kernel.return_type) if kernel.return_type is not None else "int32"
    theirs, ours = (
        ValueTable(found.output, element, (), (), (), (_plain(values.get(())),))
        for values in (found.expected, found.actual)
    )
    inputs = _inputs(found, kernel, summaries, ())
    return CounterexampleTables(_scalars(found), inputs, theirs, ours, (), 1)


def _scalars(found: Counterexample) -> dict[str, Number]:
    plain = {n: _plain(v) for n, v in found.scalars.items()}
    return {n: v for n, v in plain.items() if v is not None}


def _inputs(
    found: Counterexample, kernel: Kernel, summaries: Sequence[Summary], first: tuple[int, ...]
) -> tuple[ValueTable, ...]:
    tables = []
    for name, cells in found.arrays.items():
        if not cells:
            continue
        view = _view(name, found, summaries)
        values = {view.point(i): v for i, v in cells.items()}
        centre = first if len(first) == len(view.names) else min(values)
        table = view.table(values, _corners(values, centre), str(kernel.arrays[name].type))
        tables.append(table)
    return tuple(tables)


@dataclass(frozen=True, slots=True)
class _View:
    """One array as an image: which point an address is.

    `middle` is the middle of each coordinate where a region is known: a stencil reads on both
    sides of it, so the row whose middle is nearest is the one that is meant.
    """

    array: str
    names: tuple[str, ...]
    strides: tuple[int | None, ...]
    offset: int = 0
    middle: tuple[float, ...] | None = None

    def point(self, index: tuple[int, ...]) -> tuple[int, ...]:
        """The coordinates of the element at `index`."""
        place = [0] * len(self.strides)
        if len(index) > 1:
            place[-1] = index[0]
        left = index[-1] - self.offset
        known = [(i, s) for i, s in enumerate(self.strides) if s]
        known.sort(key=lambda part: -abs(part[1]))
        for number, (i, stride) in enumerate(known):
            inner = known[number + 1 :]
            if inner and self.middle is not None:
                away = left - sum(self.middle[j] * s for j, s in inner)
                place[i] = math.floor(away / stride + 0.5)
            else:
                place[i] = left // abs(stride) * (1 if stride > 0 else -1)
            left -= place[i] * stride
        return tuple(place)

    def index(self, point: tuple[int, ...]) -> tuple[int, ...]:
        """The address of a point."""
        parts = zip(point, self.strides, strict=True)
        flat = self.offset + sum(p * s for p, s in parts if s is not None)
        return (point[-1], flat) if None in self.strides else (flat,)

    def table(
        self,
        values: dict[tuple[int, ...], Number],
        corners: tuple[tuple[int, ...], tuple[int, ...]],
        element: str,
    ) -> ValueTable:
        """The box between two corners, the upper one exclusive."""
        low, high = corners
        extents = tuple(h - o for o, h in zip(low, high, strict=True))
        empty = ValueTable(self.array, element, self.names, low, extents, (), self.strides)
        inside = [_plain(values.get(p)) for p in empty.points()]
        known = sum(v is not None for v in inside)
        return ValueTable(
            self.array, element, self.names, low, extents, tuple(inside), self.strides,
            len(values) - known,
        )  # fmt: skip


def _view(array: str, found: Counterexample, summaries: Sequence[Summary]) -> _View:
    """How to see an array: as the last summary does in which every address has a point."""
    integers = {n: int(v) for n, v in found.scalars.items() if not isinstance(v, float)}
    used = [*found.arrays.get(array, ())]
    if array == found.output:
        used += [*found.expected, *found.after, *found.candidate_after]
    for summary in reversed(summaries):
        layout = summary.layouts.get(array)
        view = None if layout is None else _by_layout(layout, summary, integers)
        if view is not None and all(view.index(view.point(i)) == i for i in used):
            return view
    if any(len(i) > 1 for i in used):
        return _View(array, ("x", "row"), (1, None))
    return _View(array, ("x",), (1,))


def _by_layout(layout: Layout, summary: Summary, integers: dict[str, int]) -> _View | None:
    from ..dag import NotConcrete, concrete

    rank = len(layout.strides)
    known = rank - 1 if layout.rows else rank
    names = [*_NAMES, *(f"d{i}" for i in range(len(_NAMES), rank))][:rank]
    middle = None
    try:
        strides = [int(concrete(s)(integers)) for s in layout.strides[:known]]
        offset = int(concrete(layout.offset)(integers))
        if len(summary.roi) == rank:
            names = [d.variable.name for d in summary.roi]
            middle = tuple(
                (concrete(d.lower)(integers) + concrete(d.upper)(integers) - 1) / 2
                for d in summary.roi
            )
    except (NotConcrete, KeyError, TypeError):
        return None
    rows: tuple[None, ...] = (None,) if layout.rows else ()
    return _View(layout.array, tuple(names), (*strides, *rows), offset, middle)


def _plain(value: Any) -> Number | None:
    """A value of the interpreter as one of Python's."""
    return value.item() if hasattr(value, "item") else value  # type: ignore[no-any-return]


def _corners(
    points: Iterable[tuple[int, ...]], centre: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The box around the points, at most `MOST_CELLS` places a side (fewer beyond two), around
    `centre`."""
    low, high = [], []
    for i, places in enumerate(zip(*points, strict=True)):
        most = MOST_CELLS if i < 2 else 4
        first, last = min(places), max(places)
        if last - first >= most:
            first = min(max(centre[i] - most // 2, first), last - most + 1)
            last = first + most - 1
        low.append(first)
        high.append(last + 1)
    return tuple(low), tuple(high)
