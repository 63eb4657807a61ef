"""What an emitted program computes, compared with the function that it was lifted from.

The proof is of summaries; that the program which is written of them says the same is run here, on
a few small inputs, before anybody gets it: its text is executed, and interpreted, with a number of
ours wherever the program says that any will do.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import prod
from typing import Any

import numpy as np

from compiler.interp import Effort, OutOfBounds, TooMuch, interpret
from compiler.ir import I64, Expr, Variable, evaluate, lane_dtype, postorder
from compiler.lang.buffer import Buffer
from compiler.lang.params import InputImageParam

from ..emit import LoadedPipeline, Program
from ..emit.load import run_pipeline
from ..emit.program import Output
from ..model.diagnostic import Diagnostic, LiftError
from ..model.lifted import FunctionResult
from ..model.parameters import names_any, parameters
from ..model.proof import Counterexample
from ..model.proof_text import counterexample_to_text
from ..model.summary import Layout
from ..synth.functions import inlined
from ..verify.assumptions import typed_formula
from ..verify.cases import Case, cases, run_case, sized_cases, with_words
from ..verify.memory import POISON, Memory
from ..verify.realize import TooManyTerms
from ..verify.screen import ClaimedKernel, axes, is_wild

SEED = 1
SIZES = ((5, 4), (0, 0), (1, 1), (2, 3), (11, 9), (8, 13))
"""Columns and rows of the regions of the first inputs; behind them come such as `cases` has."""
FIRST, MORE = 3, 24
ENOUGH = 6
"""Inputs that something is stored for; more aren't tried."""
SECONDS = 0.2
"""After so much time no further input is begun."""
STEPS = 10_000
MOST_ENDLESS = 2
"""Iterations of the original's loops; after so many inputs with more of them there is no other."""
MOST_READ = 20_000
MOST_STORED = 5_000
"""Elements of images that a program may read for one input, and of outputs that it may have."""
MOST_POINTS = 1 << 18
MOST_UPDATES = 10_000
"""Points that one of its stages may have, and steps of its updates, all together."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many inputs were compared, with how many something was stored, and where it was another
    thing."""

    inputs: int
    storing: int
    difference: Counterexample | None


def compare_emitted(
    result: FunctionResult,
    program: Program,
    text: str,
    most: int = ENOUGH,
    seconds: float = SECONDS,
) -> Comparison:
    """Compares what the program `text` of a proved result stores with what the original does.

    `program` says what the text's parts are. Gives the first difference on inputs that the proof
    admits. Raises whatever the text does.
    """
    # Of what begins with any value another one is as good.
    text = re.sub(r"hl\.undef\((hl\.\w+\(\d*\))\)", r"hl.cast(\1, 77)", text)
    with warnings.catch_warnings():
        # They have been given when the text was checked.
        warnings.simplefilter("ignore")
        compared = _Compared(result, program, run_pipeline(text, program.name))
    inputs = storing = endless = 0
    until = time.process_time() + seconds
    for case in compared.cases():
        try:
            found = compared.on(case)
        except (TooMuch, TooManyTerms):
            endless += 1
            found = None
        except OutOfBounds:
            # Farther away than images of these comparisons go.
            found = None
        if found is not None:
            inputs += 1
            storing += found.stored
            if found.difference is not None:
                return Comparison(inputs, storing, found.difference)
        if storing >= most or endless >= MOST_ENDLESS or time.process_time() > until:
            break
    return Comparison(inputs, storing, None)


def refuse_another_program(result: FunctionResult, program: Program, text: str) -> None:
    """Raises `LiftError` (`emit-differs`) where the program `text` of a proved result stores
    something else than the original does."""
    found = compare_emitted(result, program, text).difference
    if found is not None:
        raise LiftError(_differs(result, found))


def _differs(result: FunctionResult, found: Counterexample) -> Diagnostic:
    return Diagnostic(
        "emit-differs", "error",
        f"{result.name}: the program that was made of the proved formulas computes something else",
        result.span, notes=(counterexample_to_text(found),), family="internal",
        help="this is a bug in lift, not in your code; please report it; nothing was written",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Found:
    stored: bool
    difference: Counterexample | None


class _Compared:
    """A proved function and its program."""

    def __init__(self, result: FunctionResult, program: Program, loaded: LoadedPipeline) -> None:
        assert result.graph is not None and result.proof is not None
        self.kernel = kernel = result.graph.kernel
        self.program, self.loaded = program, loaded
        self.parameters = parameters(kernel)
        # What is asserted is among the kernel's own preconditions.
        self.given = [
            typed_formula(p.formula, self.parameters)
            for p in result.proof.preconditions
            if p.formula is not None and p.origin == "inferred"
            if not names_any(p.formula, self.parameters.row_strides)
        ]
        self.layouts: dict[str, Layout] = {}
        for summary in result.summaries:
            self.layouts |= summary.layouts
        written = tuple(dict.fromkeys(o.array for o in program.outputs))
        self.claimed = ClaimedKernel(kernel, result.summaries, self._inline, written)
        self.axes = axes(result.summaries)

    def _inline(self, expr: Expr) -> Expr:
        return inlined(expr, self.kernel.functions)

    def cases(self) -> Iterator[Case]:
        given = tuple(self.given)
        of_sizes = sized_cases(self.kernel, SEED, SIZES, self.axes, given)
        others = cases(self.kernel, SEED, MORE, given, FIRST)
        for number, case in enumerate(chain(of_sizes, others)):
            # Wide integers are counts here and packed pixels there.
            yield (with_words(case) or case) if number % 2 else case

    def on(self, case: Case) -> _Found | None:
        """None where nothing can be said: the original has no meaning, or takes too long."""
        case = self.claimed.fitted(case)
        outcome = run_case(self.kernel, case, STEPS)
        if outcome.stopped == "step limit":
            raise TooMuch
        if outcome.stopped is not None or is_wild(outcome):
            return None
        scalars, before = self.claimed.inputs(case)
        if self.claimed.is_beyond_limits(scalars, before):
            return None
        broken = next(self._broken_promises(scalars), None)
        if broken is not None:
            name, promised, there = broken
            shown = Counterexample(dict(case.scalars), {}, name, {(): there}, {(): promised})
            return _Found(True, shown)
        self._set_inputs(scalars, before)
        left = {name: _Left(before[name]) for name in case.types}
        effort = Effort(MOST_POINTS, MOST_UPDATES)
        for output, func in zip(self.program.outputs, self.loaded.outputs, strict=True):
            left[output.array].store(*self._realized(func, output, scalars, effort))
        count = 0
        for name, ours in left.items():
            theirs = outcome.arrays[name]
            compared, wrong = ours.compared(theirs)
            count += compared
            if wrong:
                return _Found(True, self._shown(case, name, wrong, theirs, ours, outcome.arrays))
        return _Found(count > 0, None)

    def _broken_promises(
        self, scalars: Mapping[str, int | float]
    ) -> Iterator[tuple[str, int, int]]:
        """What the text promises of images, and isn't so: what of, and both numbers."""
        arrays = {image.name: image.array for image in self.program.images}
        shaped: list[tuple[str, Any, list[tuple[int, int]] | None]] = [
            (arrays[name], given, None)
            for name, given in zip(self.program.inputs, self.loaded.inputs, strict=True)
            if isinstance(given, InputImageParam)
        ]
        shaped += [
            (output.array, func.output_buffer(), self._box(output, scalars))
            for output, func in zip(self.program.outputs, self.loaded.outputs, strict=True)
        ]
        for array, image, box in shaped:
            for number, stride in enumerate(_Place(self.layouts[array], scalars).strides):
                there = {"stride": stride}
                if box and all(extent for _, extent in box):
                    there["min"], there["extent"] = box[number]
                for field, promise in image.dim(number).promised.items():
                    value = getattr(promise, "value", None)
                    if field in there and value is not None and value != there[field]:
                        yield f"{array}.{field}.{number}", value, there[field]

    def _box(
        self, output: Output, scalars: Mapping[str, int | float]
    ) -> list[tuple[int, int]] | None:
        """What is realized of an output, a (min, extent) for each dimension; None for nothing."""
        region = output.region
        if region.condition is not None and not _number(region.condition, scalars):
            return None
        ends = [(_number(low, scalars), _number(high, scalars)) for low, high in region.bounds]
        return [(low, max(high - low, 0)) for low, high in ends]

    def _set_inputs(self, scalars: Mapping[str, int | float], before: Mapping[str, Memory]) -> None:
        arrays = {image.name: image.array for image in self.program.images}
        own = {scalar.name: scalar.source for scalar in self.program.scalars}
        read = _Count(MOST_READ)
        for name, given in zip(self.program.inputs, self.loaded.inputs, strict=True):
            if isinstance(given, InputImageParam):
                layout = self.layouts[arrays[name]]
                place = _Place(layout, scalars)
                given.set(_Image(before[layout.array], place, read))
            else:
                given.set(scalars[own[name]])

    def _realized(
        self, func: Any, output: Output, scalars: Mapping[str, int | float], effort: Effort
    ) -> tuple[list[tuple[int, ...]], list[Any]]:
        """The places in memory that the program stores to, and what."""
        box = self._box(output, scalars)
        extents = [extent for _, extent in box or ()]
        if box is None or 0 in extents:
            return [], []
        if prod(extents) > MOST_STORED:
            raise TooMuch
        (made,) = interpret(func, box, effort=effort)
        axes = [np.arange(low, low + extent) for low, extent in box]
        points = np.meshgrid(*axes, indexing="ij") if axes else []
        place = _Place(self.layouts[output.array], scalars)
        return place.all_of(points), made.ravel().tolist()

    def _shown(
        self,
        case: Case,
        name: str,
        wrong: list[tuple[int, ...]],
        theirs: Memory,
        ours: _Left,
        after: Mapping[str, Memory],
    ) -> Counterexample:
        read = {
            array: {i: memory.peek(i) for i in sorted(after[array].read_set)}
            for array, memory in case.memories().items()
        }
        return Counterexample(
            dict(case.scalars),
            {array: _numbers(cells) for array, cells in read.items()},
            name,
            _numbers({i: theirs.peek(i) for i in wrong}),
            _numbers({i: ours.peek(i) for i in wrong}),
        )


class _Left:
    """What a program leaves of an array."""

    def __init__(self, before: Memory) -> None:
        self.before = before
        self.cells: dict[tuple[int, ...], Any] = {}

    def store(self, places: list[tuple[int, ...]], values: list[Any]) -> None:
        self.cells |= zip(places, values, strict=True)

    def peek(self, index: tuple[int, ...]) -> Any:
        found = self.cells.get(index)
        return self.before.peek(index) if found is None else found

    def compared(self, theirs: Memory) -> tuple[int, list[tuple[int, ...]]]:
        """How many elements have been stored that are defined, and where the original has left
        another value."""
        dtype = lane_dtype(theirs.type)
        either = sorted(theirs.written | self.cells.keys())
        pairs = [(i, theirs.peek(i), self.peek(i)) for i in either]
        pairs = [pair for pair in pairs if pair[1] is not POISON and pair[1] is not None]
        expected = np.array([value for _, value, _ in pairs], dtype)
        found = np.array([value for _, _, value in pairs], dtype)
        same = expected == found
        if theirs.type.is_float:
            same = (same & (np.signbit(expected) == np.signbit(found))) | (
                np.isnan(expected) & np.isnan(found)
            )
        return len(pairs), [pairs[int(i)][0] for i in np.flatnonzero(~same)]


class _Place:
    """Where in memory the elements of an array lie, seen in a layout."""

    def __init__(self, layout: Layout, scalars: Mapping[str, int | float]) -> None:
        self.is_of_rows = layout.rows
        self.rank = len(layout.strides)
        inner = layout.strides[: self.rank - layout.rows]
        self.offset = _number(layout.offset, scalars)
        self.strides = [_number(stride, scalars) for stride in inner]

    def all_of(self, points: Any) -> list[tuple[int, ...]]:
        """The indices of points, of which each dimension's coordinates are an array."""
        flat: Any = np.asarray(self.offset)
        for stride, coordinate in zip(self.strides, points, strict=False):
            flat = flat + stride * np.asarray(coordinate, np.int64)
        if self.is_of_rows:
            row, flat = np.broadcast_arrays(points[-1], flat)
            return list(zip(row.ravel().tolist(), flat.ravel().tolist(), strict=True))
        return [(place,) for place in flat.ravel().tolist()]


class _Count:
    """How much may still be read."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise TooMuch


class _Elements:
    """An array's elements, looked up where somebody reads them."""

    def __init__(self, memory: Memory, place: _Place, read: _Count, shape: Any, first: int) -> None:
        self.memory, self.place, self.read, self.first = memory, place, read, first
        self.shape, self.ndim = shape, len(shape)
        self.dtype = lane_dtype(memory.type)
        self.itemsize = self.dtype.itemsize
        self.strides = (self.itemsize,) * self.ndim

    def __getitem__(self, position: tuple[Any, ...]) -> Any:
        points = [np.asarray(p, np.int64) + self.first for p in position]
        places = self.place.all_of(points)
        self.read.take(len(places))
        values = np.array(list(map(self.memory.peek, places)), self.dtype)
        return values.reshape(points[0].shape if points else ())


class _Image(Buffer):
    """An image that goes as far as anybody reads."""

    def __init__(self, memory: Memory, place: _Place, read: _Count) -> None:
        rank = place.rank
        extent = 1 << (60 // max(rank, 2))
        super().__init__(np.zeros((1,) * rank, lane_dtype(memory.type)), reverse_axes=False)
        self._elements = _Elements(memory, place, read, (extent,) * rank, -(extent // 2))
        self.set_min([-(extent // 2)] * rank)

    @property
    def host(self) -> Any:
        return self._elements


def _number(expr: Expr, scalars: Mapping[str, int | float]) -> int:
    """An index expression, or a condition, over parameters."""
    values = {
        v.name: I64.wrap(int(scalars[v.name])) for v in postorder(expr) if isinstance(v, Variable)
    }
    return int(evaluate(expr, values).item())


def _numbers(cells: Mapping[tuple[int, ...], Any]) -> dict[tuple[int, ...], int | float]:
    """Elements as Python has them."""
    return {index: getattr(value, "item", lambda v=value: v)() for index, value in cells.items()}


__all__ = ["Comparison", "compare_emitted", "refuse_another_program"]
