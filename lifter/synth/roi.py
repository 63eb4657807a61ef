"""Step 1: the region of interest (dexter-2019 section 4.1).

Analysis of the stores' addresses suggests how the flat array is seen as an image (strides) and
which point a round writes. The bounds are then searched for in the grammar: `IntExpr`s in order of
cost, screened on the points that the reduced program touches for small sizes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from compiler.ir import (
    I32,
    I64,
    Add,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Sub,
    Type,
    Variable,
    const,
    postorder,
)

from ..dag import (
    NotConcrete,
    Ranges,
    Stage,
    Write,
    as_formula,
    concrete,
    conjunction,
    conjuncts,
    from_polynomial,
    normal,
    replace,
    structural_key,
)
from .grammar import Grammar, derives
from .linear import (
    LinearForm,
    StrideKey,
    atoms,
    divide,
    key_expr,
    key_order,
    lies_before,
    linear_form,
    pitch_of,
)
from .samples_of_rounds import parameter_samples, rounds
from .summary import Dimension, Layout, Witness

SAMPLES = 12
_NAMES = {1: ("x",), 2: ("x", "y"), 3: ("c", "x", "y"), 4: ("c", "x", "y", "z")}


@dataclass(frozen=True)
class Region:
    """A candidate: the region, the output's layout, and which round writes which point."""

    dimensions: tuple[Dimension, ...]
    layout: Layout
    witnesses: tuple[Witness, ...]
    has_gaps: bool = False
    """Whether a few of its points may keep what they have."""


@dataclass(frozen=True)
class Axis:
    """One coordinate before it has bounds: its stride, and its value in each write's rounds."""

    stride: Expr
    coordinates: tuple[Expr, ...]
    row: bool = False


def regions(
    stage: Stage, parameters: dict[str, Type], assumptions: Sequence[Expr], grammar: Grammar
) -> Iterator[Region]:
    """Candidate regions of a stage, the most readable first."""
    for axes, offset in _views(stage):
        found = _bounds(stage, axes, parameters, assumptions, grammar)
        if found is None:
            continue
        bounds, gaps = found
        names = _coordinate_names(len(axes), parameters)
        dimensions = tuple(
            Dimension(Variable(n, I32), low, high)
            for n, (low, high) in zip(names, bounds, strict=True)
        )
        rows = any(axis.row for axis in axes)
        layout = Layout(stage.output, tuple(a.stride for a in axes), offset, rows)
        witnesses = tuple(
            _witness(write, [a.coordinates[i] for a in axes], names)
            for i, write in enumerate(stage.writes)
        )
        if all(w is not None for w in witnesses):
            yield Region(dimensions, layout, tuple(w for w in witnesses if w is not None), gaps)


def _coordinate_names(count: int, parameters: dict[str, Type]) -> tuple[str, ...]:
    """x and y (and c for channels), unless the function has parameters of these names."""
    wanted = _NAMES.get(count) or tuple(f"d{i}" for i in range(count))
    return tuple(n if n not in parameters else n + "_" for n in wanted)


def _views(stage: Stage) -> Iterator[tuple[list[Axis], Expr]]:
    """Ways to see the written addresses as coordinates: merged channels first, then apart; then
    both again with a sum as the distance between rows."""
    counters = {loop.counter for w in stage.writes for loop in w.loops}
    places = [w.indices[-1] for w in stage.writes]
    row_axes: list[Axis] = []
    if len(stage.writes[0].indices) == 2:
        name = Variable(f"{stage.output}.row_stride", I64)
        row_axes = [Axis(name, tuple(w.indices[0] for w in stage.writes), row=True)]
    for axes, offset in _views_of(stage, places, counters):
        yield [*axes, *row_axes], offset
        columns = _last_columns(axes)
        if columns is not None:
            yield [*columns, *row_axes], offset
    pitch = pitch_of(places, counters, atoms(loop.extent for w in stage.writes for loop in w.loops))
    if pitch is None:
        return
    for axes, offset in _views_of(stage, [pitch.named(p) for p in places], counters):
        spelled = [
            Axis(pitch.spelled(a.stride), tuple(map(pitch.spelled, a.coordinates))) for a in axes
        ]
        yield [*spelled, *row_axes], pitch.spelled(offset)


def _last_columns(axes: list[Axis]) -> list[Axis] | None:
    """The same addresses with `(-1, y + 1)` seen as `(width - 1, y)`; None where there are none."""
    if len(axes) < 2 or not isinstance(axes[1].stride, Variable):
        return None
    column, row = axes[0], axes[1]
    pairs = [
        (normal(Add(x, row.stride)), normal(Sub(y, const(1, I64)))) if lies_before(x) else (x, y)
        for x, y in zip(column.coordinates, row.coordinates, strict=True)
    ]
    if column.stride is not const(1, I64):
        return None
    first, second = (tuple(side) for side in zip(*pairs, strict=True))
    if first == column.coordinates:
        return None
    return [Axis(column.stride, first), Axis(row.stride, second), *axes[2:]]


def _views_of(
    stage: Stage, places: Sequence[Expr], counters: set[Variable]
) -> Iterator[tuple[list[Axis], Expr]]:
    forms = [linear_form(place, counters) for place in places]
    known = [
        f
        for f in forms
        if f is not None and all(v in counters for r in f.terms.values() for v in r)
    ]
    if len(known) < len(forms):
        return
    for apart in (False, True):
        view = _view(stage, known, apart)
        if view is not None:
            yield view


def _view(stage: Stage, forms: list[LinearForm], apart: bool) -> tuple[list[Axis], Expr] | None:
    keys = sorted({k for f in forms for k in f.terms}, key=key_order)
    axes: list[Axis] = []
    rest = [dict(f.offsets) for f in forms]
    for key in reversed(keys):
        terms = [f.terms.get(key, {}) for f in forms]
        moving: set[Expr] = {counter for row in terms for counter in row}
        extents: set[Expr] = set()
        extents |= atoms(
            loop.extent for w in stage.writes for loop in w.loops if loop.counter in moving
        )
        taken = [_take_offsets(r, key, extents) for r in rest]
        steps = [c for row in terms for c in row.values()]
        constants = [t.get((), 0) for t in taken]
        if apart:
            if key != ():
                pitch = gcd(*steps, *(c - constants[0] for c in constants))
                axes.append(_axis(key, pitch, terms, taken))
                continue
            pair = _channel_axes(stage, terms, taken)
            if pair is None:
                return None
            axes.extend(reversed(pair))
            continue
        pitch = gcd(*steps, *(c - constants[0] for c in constants))
        if not pitch:
            return None
        if any(c % pitch for c in constants) or any(
            v % pitch for t in taken for k, v in t.items() if k
        ):
            left = constants[0] % pitch
            for r, t in zip(rest, taken, strict=True):
                t[()] = t.get((), 0) - left
                r[key] = r.get(key, 0) + left
        axes.append(_axis(key, pitch, terms, taken))
    offsets = {tuple(sorted(((k, v) for k, v in r.items() if v), key=repr)) for r in rest}
    if len(offsets) != 1:
        return None
    axes.reverse()
    if apart and not any(isinstance(a.stride, Const) and a.stride.value > 1 for a in axes):
        return None
    return axes, from_polynomial({k: v for k, v in rest[0].items() if v})


def _take_offsets(
    rest: dict[StrideKey, int], key: StrideKey, extents: set[Expr]
) -> dict[StrideKey, int]:
    """The part of an address' constant offset that belongs to the coordinate of stride `key`."""
    taken: dict[StrideKey, int] = {}
    for monomial in list(rest):
        quotient = divide(monomial, key)
        if quotient is not None and atoms(quotient) <= extents:
            taken[quotient] = rest.pop(monomial)
    return taken


def _axis(
    key: StrideKey, pitch: int, terms: list[dict[Expr, int]], taken: list[dict[StrideKey, int]]
) -> Axis:
    coordinates = []
    for row, offset in zip(terms, taken, strict=True):
        total: dict[StrideKey, int] = {(counter,): c // pitch for counter, c in row.items()}
        total.update({k: v // pitch for k, v in offset.items() if v // pitch})
        coordinates.append(from_polynomial(total))
    return Axis(key_expr(key, pitch), tuple(coordinates))


def _channel_axes(
    stage: Stage, terms: list[dict[Expr, int]], taken: list[dict[StrideKey, int]]
) -> tuple[Axis, Axis] | None:
    """Interleaved pixels: the channel (stride 1) and the pixel (stride = channels per pixel)."""
    channel_counters = {
        loop.counter
        for w in stage.writes
        for loop in w.loops
        if isinstance(loop.extent, Const) and loop.extent.value <= 8
    }
    pixel_steps = [c for row in terms for k, c in row.items() if k not in channel_counters]
    if not pixel_steps:
        return None
    pitch = gcd(*pixel_steps)
    if pitch < 2:
        return None
    channel, pixel = [], []
    for row, offset in zip(terms, taken, strict=True):
        if any(k and v % pitch for k, v in offset.items()):
            return None
        constant = offset.get((), 0)
        inner: dict[StrideKey, int] = {(k,): c for k, c in row.items() if k in channel_counters}
        inner[()] = constant % pitch
        outer: dict[StrideKey, int] = {
            (k,): c // pitch for k, c in row.items() if k not in channel_counters
        }
        outer.update({k: v // pitch for k, v in offset.items() if k})
        outer[()] = constant // pitch
        channel.append(from_polynomial({k: v for k, v in inner.items() if v}))
        pixel.append(from_polynomial({k: v for k, v in outer.items() if v}))
    return Axis(const(1, I64), tuple(channel)), Axis(const(pitch, I64), tuple(pixel))


def index_condition(write: Write, parameters: dict[str, Type]) -> Expr:
    """The part of a store's condition that is about its counters alone: it bounds the region."""
    counters = {loop.counter for loop in write.loops}
    parts = []
    for part in conjuncts(write.condition):
        formula = as_formula(part, Ranges(parameters, write.loops))
        if formula is not None and counters & set(postorder(formula)):
            parts.append(formula)
    return conjunction(parts)


def _bounds(
    stage: Stage,
    axes: list[Axis],
    parameters: dict[str, Type],
    assumptions: Sequence[Expr],
    grammar: Grammar,
) -> tuple[list[tuple[Expr, Expr]], bool] | None:
    """(lower and upper bound of each axis, whether points of the box may be left alone).

    None when what is written isn't a box.
    """
    names = sorted(
        {
            v.name
            for w in stage.writes
            for loop in w.loops
            for v in atoms([loop.extent])
            if isinstance(v, Variable)
        }
        | {
            v.name
            for a in axes
            for v in atoms(a.coordinates)
            if isinstance(v, Variable) and v.name in parameters
        }
        | {
            v.name
            for w in stage.writes
            for v in atoms([index_condition(w, parameters)])
            if isinstance(v, Variable)
        }
    )
    names = [n for n in names if n in parameters]
    pool = _bound_candidates(stage, axes, names, grammar)
    several = len(stage.writes) > 1
    for every_store, gaps in ((False, False), (True, False), (True, True))[: 3 if several else 2]:
        try:
            seen = _touched(stage, axes, parameters, names, assumptions, every_store, gaps)
        except NotConcrete:
            return None
        result = []
        for d in range(len(axes) if seen else 0):
            lower = _search([(v, min(p[d] for p in points)) for v, points in seen], pool)
            upper = _search([(v, max(p[d] for p in points) + 1) for v, points in seen], pool)
            if lower is None or upper is None:
                break
            result.append((lower, upper))
        if len(result) == len(axes):
            return result, gaps
    return None


def _touched(
    stage: Stage,
    axes: list[Axis],
    parameters: dict[str, Type],
    names: list[str],
    assumptions: Sequence[Expr],
    every_store: bool,
    gaps: bool,
) -> list[tuple[dict[str, int], set[tuple[int, ...]]]]:
    """For sampled sizes, the points that the stores touch; empty when they are no box.

    With `every_store`, only sizes above 0 at which each store happens: a head or a tail without a
    loop of its own is no box with what an empty loop leaves. With `gaps`, a few points of the box
    may be missing: the middle of a row that is reversed in place.
    """
    pieces = []
    for i, write in enumerate(stage.writes):
        coordinates = [concrete(a.coordinates[i]) for a in axes]
        condition = conjunction(
            [index_condition(write, parameters), *_sizes_condition(write, parameters, names)]
        )
        pieces.append((write.loops, condition, coordinates))
    seen = []
    for values in parameter_samples(names, assumptions, SAMPLES):
        if every_store and min(values.values(), default=1) < 1:
            continue
        points: set[tuple[int, ...]] = set()
        happened = 0
        for loops, condition, coordinates in pieces:
            here = {tuple(c(env) for c in coordinates) for env in rounds(loops, condition, values)}
            happened += bool(here)
            points |= here
        if not points or (every_store and happened < len(pieces)):
            continue
        volume = 1
        for d in range(len(axes)):
            column = [p[d] for p in points]
            volume *= max(column) - min(column) + 1
        if volume != len(points) and not (gaps and volume <= 2 * len(points)):
            return []
        seen.append((values, points))
    return seen


def _sizes_condition(write: Write, parameters: dict[str, Type], names: list[str]) -> list[Expr]:
    """The part of a store's condition that is about the sampled sizes alone."""
    found = []
    for part in conjuncts(write.condition):
        formula = as_formula(part, Ranges(parameters, write.loops))
        if formula is not None and atoms([formula]) <= {Variable(n, I64) for n in names}:
            found.append(formula)
    return found


def _bound_candidates(
    stage: Stage, axes: list[Axis], names: list[str], grammar: Grammar
) -> list[Expr]:
    """`IntExpr`s of the grammar, cheapest first: suggested by the loops, then enumerated."""
    suggested: list[Expr] = [const(0, I64)]
    for i, write in enumerate(stage.writes):
        for axis in axes:
            for end in (False, True):
                corner = axis.coordinates[i]
                for loop in reversed(write.loops):
                    last = normal(Sub(loop.extent, const(1, I64)))
                    corner = replace(corner, {loop.counter: last if end else const(0, I64)})
                suggested += [corner, normal(Add(corner, const(1, I64)))]
    leaves: list[Expr] = [Variable(n, I64) for n in names]
    leaves += [e for loop in stage.writes[0].loops for e in (loop.extent,)]
    numbers = [const(v, I64) for v in (1, 2, 3, 4)]
    made: list[Expr] = [*leaves, *numbers]
    for a in leaves:
        for b in numbers:
            made += [Sub(a, b), Add(a, b), Mul(a, b), Div(a, b), Sub(a, Mod(a, b)), Max(a, b)]
    for a, b in itertools.permutations(leaves, 2):
        made += [Sub(a, b), Add(a, b), Mul(a, b), Min(a, b)]
    unique = dict.fromkeys(normal(e) for e in [*suggested, *made])
    allowed = [e for e in unique if derives(grammar, "IntExpr", e)]
    return sorted(allowed, key=lambda e: (_size(e), _is_number(e), structural_key(e)))


def _is_number(expr: Expr) -> bool:
    """A size says more than the number that it has in all samples; 0 is as good as a size."""
    return isinstance(expr, Const) and expr.value != 0


def _size(expr: Expr) -> int:
    """How much there is to read."""
    return sum(3 if isinstance(n, (Div, Mod, Min, Max)) else 1 for n in _tree(expr))


def _tree(expr: Expr) -> Iterator[Expr]:
    yield expr
    for child in expr.children:
        yield from _tree(child)


def _search(wanted: list[tuple[dict[str, int], int]], pool: list[Expr]) -> Expr | None:
    """The cheapest candidate that has the wanted value in every sample."""
    for candidate in pool:
        try:
            value: Any = concrete(candidate)
        except NotConcrete:
            continue
        if all(value(env) == target for env, target in wanted):
            return candidate
    return None


def _witness(write: Write, coordinates: list[Expr], names: Sequence[str]) -> Witness | None:
    """Which round writes a point: the coordinates solved for the counters."""
    solved: dict[Expr, Expr] = {}
    counters = {loop.counter for loop in write.loops}
    for coordinate, name in zip(coordinates, names, strict=True):
        form = linear_form(coordinate, counters)
        if form is None or any(form.terms.get(key) for key in form.terms if key):
            return None
        steps = form.terms.get((), {})
        if not all(isinstance(c, Variable) for c in steps):
            return None
        rest = normal(Sub(Variable(name, I64), from_polynomial(form.offsets)))
        for counter, step in sorted(steps.items(), key=lambda item: -abs(item[1])):
            if step < 0 and len(steps) > 1:
                return None
            solved[counter] = normal(Div(rest, const(step, I64)))
            rest = normal(Mod(rest, const(abs(step), I64)))
    zero = const(0, I64)
    return Witness(
        tuple(coordinates), tuple(solved.get(loop.counter, zero) for loop in write.loops)
    )
