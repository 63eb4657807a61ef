"""Counterexamples made small: fewer elements, plainer numbers, and they still are ones.

The work is bounded by counts, never by a clock: the same input always gives the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final, Protocol

from compiler.ir import Expr, to_text

from ..dag import NotConcrete, concrete
from ..model.kernel import Assume, Kernel
from ..model.parameters import parameters, size_of
from .cases import Case
from .interpret import RunOutcome, run
from .memory import Index
from .realize import TooManyTerms

if TYPE_CHECKING:
    from ..model.proof import Counterexample
    from ..model.summary import Summary

RUNS: Final = 500
"""How many smaller inputs are tried."""

WORK: Final = 120_000
"""Iterations of the original's loops and points of the summaries that all tries may have
together."""

_CELLS: Final = 48
"""Elements of one array whose values are made plainer one by one."""

_PLAIN_FLOATS: Final = (0.0, 1.0, 0.5, 2.0, -1.0)


class Comparer(Protocol):
    """What `screen` compares: summaries, and how they differ from a run of the original."""

    @property
    def summaries(self) -> Sequence[Summary]: ...

    def difference(self, case: Case, outcome: RunOutcome) -> Counterexample | None: ...


def shrunk(
    case: Case,
    found: Counterexample,
    kernel: Kernel,
    assumptions: Sequence[Expr],
    comparison: Comparer,
) -> Counterexample:
    """A counterexample at least as small as `found`, which `case` gave.

    Every step keeps the preconditions, and keeps different points of a result at different
    addresses: rows that overlap would differ for another reason.
    """
    shrinking = _Shrinking(case, found, kernel, assumptions, comparison)
    shrinking.scalars()
    shrinking.contents()
    shrinking.scalars()
    return shrinking.found


def is_image(case: Case, kernel: Kernel, comparison: Comparer) -> bool:
    """Whether an image could be as large as this: different points of a result, two of a side at
    least, are different elements, as where the stride isn't less than the width."""
    points, different = _addresses(case, kernel, comparison.summaries, WORK)
    return points == different


class _Shrinking:
    def __init__(
        self,
        case: Case,
        found: Counterexample,
        kernel: Kernel,
        assumptions: Sequence[Expr],
        comparison: Comparer,
    ) -> None:
        self.case = case
        self.found = found
        self._kernel = kernel
        given = tuple(Assume(kernel.span, e, to_text(e)) for e in assumptions)
        self._conditions = (*kernel.preconditions, *given)
        self._comparison = comparison
        self._known = parameters(kernel)
        self._types = {p.name: p.type for p in kernel.params if p.kind == "scalar"}
        self._runs = RUNS
        self._work = WORK
        points, different = _addresses(case, kernel, comparison.summaries, WORK)
        self._unique = points == different

    def scalars(self) -> None:
        """Sizes and other numbers go toward zero, each alone and equal ones together."""
        changed = True
        while changed and self._runs > 0:
            made = [self._scalar_group(g) for g in self._groups()]
            changed = any(made)

    def _groups(self) -> list[tuple[str, ...]]:
        names = [*self._types, *self.case.sizes]
        equal: dict[Any, list[str]] = {}
        for name in names:
            # The number 0 of a float is none of an integer's.
            value = self._value(name)
            equal.setdefault((type(value), value), []).append(name)
        together = [tuple(g) for g in equal.values() if len(g) > 1]
        return [*((n,) for n in names), *together]

    def _value(self, name: str) -> Any:
        return self.case.sizes[name] if name in self.case.sizes else self.case.scalars[name]

    def _scalar_group(self, names: tuple[str, ...]) -> bool:
        value = self._value(names[0])
        if any(self._value(n) != value for n in names):
            return False  # no longer equal: one of them was changed
        return any(self._try(self._with(dict.fromkeys(names, c))) for c in _nearer(value))

    def _with(self, values: dict[str, int | float]) -> Case:
        scalars, sizes = dict(self.case.scalars), dict(self.case.sizes)
        for name, value in values.items():
            if name in sizes:
                sizes[name] = int(value)
                if size_of(name).name in self._known.sizes:
                    scalars[size_of(name).name] = int(value)
            else:
                scalars[name] = value
        return replace(self.case, scalars=scalars, sizes=sizes)

    def contents(self) -> None:
        """Elements become 0 where that keeps the difference, then plainer."""
        for name in self.found.arrays:
            if name not in self.case.types:
                continue
            if self._try(self._filled(name, {})):
                continue
            self._try(self._filled(name, dict(self.found.arrays[name])))
            self._zeros(name)
            for index in list(self.found.arrays[name])[:_CELLS]:
                self._plainer(name, index)

    def _filled(self, name: str, cells: dict[Index, int | float]) -> Case:
        """All of an array is zero but for these elements."""
        return replace(
            self.case,
            patterns={**self.case.patterns, name: "zero"},
            cells={**self.case.cells, name: cells},
        )

    def _zeros(self, name: str) -> None:
        """Halves, quarters, ... of the elements that were read become zero."""
        read = list(self.found.arrays[name])
        size = len(read) // 2
        while size:
            for start in range(0, len(read), size):
                part: dict[Index, int | float] = dict.fromkeys(read[start : start + size], 0)
                self._try(self._changed(name, part))
            size //= 2

    def _changed(self, name: str, cells: dict[Index, int | float]) -> Case:
        known = self.case.cells.get(name, {})
        return replace(self.case, cells={**self.case.cells, name: {**known, **cells}})

    def _plainer(self, name: str, index: Index) -> None:
        for _ in range(6):
            value = self.found.arrays.get(name, {}).get(index)
            if value is None:
                return
            plainer = [c for c in _nearer(value) if self._is_element(name, c)]
            if not any(self._try(self._changed(name, {index: c})) for c in plainer):
                return

    def _is_element(self, name: str, value: int | float) -> bool:
        """Whether an array may hold a number: that opposite to the least integer it can't."""
        type = self.case.types[name]
        return not type.is_integer or type.contains(int(value))

    def _try(self, case: Case) -> bool:
        """Takes `case` over where it is an input on which original and summaries differ."""
        if self._runs <= 0 or self._work <= 0 or case == self.case:
            return False
        self._runs -= 1
        if not self._is_input(case):
            return False
        kernel, summaries = self._kernel, self._comparison.summaries
        points, different = _addresses(case, kernel, summaries, self._work)
        self._work -= points
        if self._work <= 0 or (self._unique and points != different):
            return False
        kernel = self._kernel
        outcome = run(
            kernel.body, case.scalars, case.memories(), kernel.arrays, kernel.functions, self._work
        )
        self._work -= outcome.steps
        try:
            found = self._comparison.difference(case, outcome)
        except TooManyTerms:
            return False
        if found is None:
            return False
        self.case, self.found = case, found
        return True

    def _is_input(self, case: Case) -> bool:
        kernel = self._kernel
        for name, type in self._types.items():
            value = case.scalars[name]
            if type.is_integer and not type.contains(int(value)):
                return False
        if not self._conditions:
            return True
        tested = run(
            self._conditions, case.scalars, case.memories(), kernel.arrays, kernel.functions
        )
        return tested.stopped is None


def _addresses(
    case: Case, kernel: Kernel, summaries: Sequence[Summary], most: int
) -> tuple[int, int]:
    """How many points the summaries write, and at how many addresses.

    Sides are two points long at least and begin at 0 or before: a row below, or the column to
    the left that a stencil reads, is meant to be elsewhere too.
    """
    integers = {n: int(v) for n, v in case.scalars.items() if not isinstance(v, float)}
    integers.update(dict.fromkeys(parameters(kernel).row_strides, 1 << 20))
    points = different = 0
    for summary in summaries:
        layout = summary.layouts[summary.output]
        try:
            box = [
                _side(concrete(d.lower)(integers), concrete(d.upper)(integers))
                for d in (summary.domain or summary.roi)
            ]
            strides = [concrete(s)(integers) for s in layout.strides]
        except (NotConcrete, KeyError):
            continue
        count = 1
        for side in box:
            count *= len(side)
        points += count
        if summary.domain or count > most:
            different += count  # a reduction may write an element again and again
            continue
        places = {sum(p * s for p, s in zip(at, strides, strict=True)) for at in product(*box)}
        different += len(places)
    return points, different


def _side(lower: int, upper: int) -> range:
    first = min(lower, 0)
    return range(first, max(upper, first + 2))


def _nearer(value: int | float) -> Iterator[int | float]:
    """Plainer values than `value`, the plainest first."""
    if isinstance(value, bool):
        if value:
            yield False
        return
    if not isinstance(value, int):
        yield from _nearer_float(float(value))
        return
    size = abs(value)
    seen = set()
    for near in (0, 1, 2, 3, size // 2, size * 3 // 4, size * 7 // 8, size - 1):
        if 0 <= near < size and near not in seen:
            seen.add(near)
            yield near
            if value < 0 and near:
                yield -near
    if value < 0:
        yield size


def _nearer_float(value: float) -> Iterator[float]:
    for plain in _PLAIN_FLOATS:
        if value == plain:
            return
        yield plain
    for digits in (0, 1, 2):
        rounded = round(value, digits) if abs(value) < 1e15 else value
        if rounded == value:
            return
        yield rounded
