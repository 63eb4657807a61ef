"""Step 1: the region of interest (dexter-2019 section 4.1).

Analysis of the stores' addresses suggests how the flat array is seen as an image (strides) and
which point an iteration writes. The bounds are then searched for in the grammar: `IntExpr`s in
order of cost, screened on the points that the reduced program touches for small sizes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from compiler.ir import (
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    Comparison,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Select,
    Sub,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..dag import (
    NotConcrete,
    Ranges,
    as_formula,
    bound_of,
    choices,
    concrete,
    conjunction,
    conjuncts,
    from_polynomial,
    negate,
    normal,
    polynomial,
    replace,
    structural_key,
)
from ..model.stage import Loop, Stage, Write
from ..model.summary import Dimension, Layout, Witness
from .grammar import Grammar, derives
from .image_views import Axis, views
from .linear import (
    atoms,
    linear_form,
)
from .samples_of_iterations import TooManyIterations, parameter_samples, touched

SAMPLES = 12
MOST_CHOICES = 3
"""In a bound that is looked at as an extreme: each may be the least or the greatest."""
_NAMES = {1: ("x",), 2: ("x", "y"), 3: ("c", "x", "y"), 4: ("c", "x", "y", "z")}


@dataclass(frozen=True)
class Region:
    """A candidate: the region, the output's layout, and which iteration writes which point."""

    dimensions: tuple[Dimension, ...]
    layout: Layout
    witnesses: tuple[Witness, ...]
    has_gaps: bool = False
    """Whether a few of its points may keep what they have."""
    needed: tuple[Expr, ...] = ()
    """Formulas over parameters without which it isn't looked at."""


def regions(
    stage: Stage, parameters: dict[str, Type], assumptions: Sequence[Expr], grammar: Grammar
) -> Iterator[Region]:
    """Candidate regions of a stage, the most readable first; those without gaps before others.

    Pixels that are parts of an iteration's are looked at where its own leave a gap, as in a loop
    over pairs of pixels with an `if` for the last one. Where those are refused, bounds that hold
    for negative parameters too are looked for: `max(-x, 0)` of an image laid over another one. They
    come first where stores are left out that would lie outside of something, and where a loop has
    as many iterations for negative sizes as for 0.
    """

    def candidates(signed: bool) -> Iterator[Region]:
        return _candidates(stage, parameters, assumptions, grammar, signed=signed)

    signed = _is_clipped(stage, parameters) or _is_for_negative_sizes(stage)
    found = list(dict.fromkeys(candidates(signed)))
    if signed:
        found += [region for region in candidates(False) if region not in found]
    yield from sorted(found, key=lambda region: region.has_gaps)
    if not signed:
        yield from (region for region in candidates(True) if region not in found)


def _candidates(
    stage: Stage,
    parameters: dict[str, Type],
    assumptions: Sequence[Expr],
    grammar: Grammar,
    *,
    signed: bool,
) -> Iterator[Region]:
    filled = False
    for view in views(stage):
        if view.is_finer and filled:
            continue
        axes = view.axes
        # Where parameters say which channels of pixels are stored to, there may be others.
        named = [i for i, axis in enumerate(axes) if axis.named]
        bounded = [axis for axis in axes if not axis.named]
        found = list(_bounds(stage, bounded, parameters, assumptions, grammar, signed=signed))
        for i in named:
            pixel = (const(0, I64), axes[i - 1].stride)
            found = [([*b[:i], pixel, *b[i:]], True) for b, _ in found]
        filled = bool(found) and not found[0][1]
        names = coordinate_names(len(axes), parameters)
        rows = any(axis.row for axis in axes)
        layout = Layout(stage.output, tuple(a.stride for a in axes), view.offset, rows)
        witnesses = [
            _witness(write, [a.coordinates[i] for a in axes], names)
            for i, write in enumerate(stage.writes)
        ]
        known = tuple(w for w in witnesses if w is not None)
        for bounds, gaps in found if len(known) == len(witnesses) else ():
            dimensions = tuple(
                Dimension(Variable(n, I32), low, high)
                for n, (low, high) in zip(names, bounds, strict=True)
            )
            yield Region(dimensions, layout, known, gaps)


def coordinate_names(count: int, parameters: dict[str, Type]) -> tuple[str, ...]:
    """x and y (and c for channels), unless the function has parameters of these names."""
    wanted = _NAMES.get(count) or tuple(f"d{i}" for i in range(count))
    return tuple(n if n not in parameters else n + "_" for n in wanted)


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
    axes: Sequence[Axis],
    parameters: dict[str, Type],
    assumptions: Sequence[Expr],
    grammar: Grammar,
    *,
    signed: bool,
) -> Iterator[tuple[list[tuple[Expr, Expr]], bool]]:
    """(lower and upper bound of each axis, whether points of the box may be left alone): the first
    that is found, and where conditions clip that one, all that the loops go over.

    Nothing when what is written isn't a box.
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
    pool = _bound_candidates(stage, axes, names, parameters, grammar)
    is_found = False
    is_clipped = _is_clipped(stage, parameters)
    turns = _turns(stage, names)
    for look in _looks(stage, parameters):
        if is_found and not (is_clipped and look.any_iteration):
            continue
        for sizes in (turns, {}) if turns else ({},):
            count = (20 if signed else 3) * SAMPLES
            samples = parameter_samples(names, assumptions, count, signed=signed, turns=sizes)
            try:
                seen = _touched(stage, axes, parameters, names, samples, look)
            except NotConcrete:
                continue
            result = []
            for d in range(len(axes) if seen else 0):
                lower = _search([(v, min(p[d] for p in points)) for v, points in seen], pool)
                upper = _search([(v, max(p[d] for p in points) + 1) for v, points in seen], pool)
                if lower is None or upper is None:
                    break
                result.append((lower, upper))
            if len(result) == len(axes):
                is_found = True
                yield result, look.gaps or look.any_iteration


def _turns(stage: Stage, names: Sequence[str]) -> dict[str, list[int]]:
    """Sizes at which a choice between two numbers of iterations turns, which few samples meet:
    `h > 1 ? h / 2 : 1`."""
    found: dict[str, list[int]] = {}
    extents = (loop.extent for write in stage.writes for loop in write.loops)
    for test in (c for extent in extents for c in choices(extent)):
        for part in (n for n in postorder(test) if isinstance(n, Comparison)):
            terms = polynomial(normal(Sub(part.a, part.b)))
            number = -terms.pop((), 0)
            for monomial, factor in terms.items():
                name = monomial[0].name if isinstance(monomial[0], Variable) else ""
                if len(terms) == len(monomial) == abs(factor) == 1 and name in names:
                    near = (number * factor + d for d in (-1, 0, 1))
                    found.setdefault(name, []).extend(v for v in near if v >= 0)
    return found


@dataclass(frozen=True)
class _Look:
    """What is taken for the box of a stage."""

    every_store: bool = False
    """At sizes other than 0 at which each store happens: a head or a tail without a loop of its own
    is no box with what an empty loop leaves."""
    gaps: bool = False
    """A few points of it may be missing: the middle of a row that is reversed in place."""
    any_iteration: bool = False
    """All points of the loops, whatever asks of their counters whether they are stored."""


def _looks(stage: Stage, parameters: dict[str, Type]) -> Iterator[_Look]:
    yield _Look()
    yield _Look(every_store=True)
    if len(stage.writes) > 1:
        yield _Look(every_store=True, gaps=True)
    if any(index_condition(w, parameters) is not TRUE for w in stage.writes):
        yield _Look(any_iteration=True)


def _touched(
    stage: Stage,
    axes: Sequence[Axis],
    parameters: dict[str, Type],
    names: list[str],
    samples: Iterator[dict[str, int]],
    look: _Look,
) -> list[tuple[dict[str, int], set[tuple[int, ...]]]]:
    """For sampled sizes, the points that the stores touch; empty when they are no box."""
    pieces = []
    for i, write in enumerate(stage.writes):
        coordinates = [a.coordinates[i] for a in axes]
        asked = TRUE if look.any_iteration else index_condition(write, parameters)
        condition = conjunction([asked, *_sizes_condition(write, parameters, names)])
        used = (*coordinates, condition)
        pieces.append((_once_where_unused(write.loops, used), condition, coordinates))
    seen: list[tuple[dict[str, int], set[tuple[int, ...]]]] = []
    for values in samples:
        if look.every_store and 0 in values.values():
            continue
        try:
            each = [
                touched(loops, condition, coordinates, values)
                for loops, condition, coordinates in pieces
            ]
        except TooManyIterations:
            continue
        points = set().union(*each)
        if not points or (look.every_store and not all(each)):
            continue
        volume = 1
        for d in range(len(axes)):
            column = [p[d] for p in points]
            volume *= max(column) - min(column) + 1
        if volume != len(points) and not (look.gaps and volume <= 2 * len(points)):
            return []
        seen.append((values, points))
        if len(seen) == SAMPLES:
            break
    return seen


def _once_where_unused(loops: Sequence[Loop], used: Sequence[Expr]) -> tuple[Loop, ...]:
    """Loops of which those whose counters no point is made of run once, if at all."""
    named = set(postorder(*used, *(loop.extent for loop in loops)))
    once = const(1, I64)
    return tuple(
        loop if loop.counter in named else Loop(loop.counter, Min(loop.extent, once), loop.span)
        for loop in loops
    )


def _sizes_condition(write: Write, parameters: dict[str, Type], names: list[str]) -> list[Expr]:
    """The part of a store's condition that is about the sampled sizes alone."""
    found = []
    for part in conjuncts(write.condition):
        formula = as_formula(part, Ranges(parameters, write.loops))
        if formula is not None and atoms([formula]) <= {Variable(n, I64) for n in names}:
            found.append(formula)
    return found


def _bound_candidates(
    stage: Stage,
    axes: Sequence[Axis],
    names: list[str],
    parameters: dict[str, Type],
    grammar: Grammar,
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
                ends = (corner, normal(Add(corner, const(1, I64))))
                suggested += [way for end in ends for way in (*_extremes(end), end)]
            suggested += _clipped(write, axis.coordinates[i], parameters)
    leaves: list[Expr] = [Variable(n, I64) for n in names]
    # An inner loop's extent may be over outer counters, which say nothing of the whole region.
    loops = stage.writes[0].loops
    counters = {loop.counter for loop in loops}
    leaves += [loop.extent for loop in loops if counters.isdisjoint(postorder(loop.extent))]
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


def _is_for_negative_sizes(stage: Stage) -> bool:
    """Whether a loop says what it does for a size below 0: `max(n, 0) + 1` iterations."""
    extents = (loop.extent for write in stage.writes for loop in write.loops)
    return any(
        isinstance(n, Max) and const(0, I64) in n.children for e in extents for n in postorder(e)
    )


def _is_clipped(stage: Stage, parameters: dict[str, Type]) -> bool:
    """Whether a store's condition bounds a counter by a parameter."""
    return any(
        found is not None and any(isinstance(n, Variable) for n in postorder(found[0]))
        for write in stage.writes
        for part in conjuncts(index_condition(write, parameters))
        for loop in write.loops
        for found in [bound_of(part, loop.counter)]
    )


def _clipped(write: Write, coordinate: Expr, parameters: dict[str, Type]) -> Iterator[Expr]:
    """The ends of a dimension where a store's condition leaves out points that lie outside of
    something: `if (x + i < 0 || x + i >= w) continue;`."""
    loops = [loop for loop in write.loops if loop.counter in postorder(coordinate)]
    if len(loops) != 1 or polynomial(coordinate).get((loops[0].counter,)) not in (1, -1):
        return
    counter, extent = loops[0].counter, loops[0].extent
    found = [bound_of(part, counter) for part in conjuncts(index_condition(write, parameters))]
    lows = [const(0, I64), *(b for b, below in filter(None, found) if not below)]
    highs = [extent, *(b for b, below in filter(None, found) if below)]
    low, high = lows[0], highs[0]
    for end in lows[1:]:
        low = Max(end, low)
    for end in highs[1:]:
        high = Min(high, end)
    for first, behind in ((low, high), *itertools.product(lows, highs)):
        names = {n.name for n in postorder(first, behind) if isinstance(n, Variable)}
        if names <= parameters.keys():
            last = Sub(behind, const(1, I64))
            least, most = (normal(replace(coordinate, {counter: e})) for e in (first, last))
            for end in (least, most):
                yield end
                yield normal(Add(end, const(1, I64)))


def _extremes(expr: Expr) -> Iterator[Expr]:
    """An index expression with its choices as extremes: `a < b ? a : b` is `min(a, b)`,
    `w > 1 ? w / 2 : 1` is `max(w / 2, 1)`, and `w > 1 ? w / 2 : w` is `max(w / 2, min(w, 1))`,
    which samples tell."""
    choices = [n for n in postorder(expr) if isinstance(n, Select)]
    if not choices or len(choices) > MOST_CHOICES:
        return
    for ways in itertools.product(range(4), repeat=len(choices)):
        made = expr
        for way in ways:
            choice = next(n for n in postorder(made) if isinstance(n, Select))
            extreme = _extreme(choice, (Min, Max)[way % 2], is_held=way > 1)
            if extreme is None:
                break
            made = substitute(made, {choice: extreme})
        else:
            yield normal(made)


def _extreme(choice: Select, kind: type[Min] | type[Max], is_held: bool) -> Expr | None:
    """A choice as an extreme of its sides; with `is_held`, the size that a comparison with a number
    asks of counts as this number on the other side, where it is greater."""
    if not is_held:
        return kind(choice.a, choice.b)
    for holds, here, other in (
        (choice.condition, choice.a, choice.b),
        (negate(choice.condition), choice.b, choice.a),
    ):
        if isinstance(holds, (LT, LE)):
            holds = (GT if isinstance(holds, LT) else GE)(holds.b, holds.a)
        match holds:
            case GT(a=Variable() as size, b=Const() as number):
                most = number.value
            case GE(a=Variable() as size, b=Const() as number):
                most = number.value - 1
            case _:
                continue
        if size in postorder(other):
            return kind(here, substitute(other, {size: Min(size, const(most, I64))}))
    return None


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
    """Which iteration writes a point: the coordinates solved for the counters."""
    solved: dict[Expr, Expr] = {}
    counters = {loop.counter for loop in write.loops}
    for coordinate, name in zip(coordinates, names, strict=True):
        form = linear_form(coordinate, counters)
        if form is None or any(form.terms.get(key) for key in form.terms if key):
            return None
        steps = form.terms.get((), {})
        if not all(isinstance(c, Variable) for c in steps):
            return None
        offsets = dict(form.offsets)
        if steps:
            # A point that is written has the offset's remainder, which the quotient leaves out.
            whole = offsets.get((), 0)
            offsets[()] = whole - whole % gcd(*steps.values())
        rest = normal(Sub(Variable(name, I64), from_polynomial(offsets)))
        for counter, step in sorted(steps.items(), key=lambda item: -abs(item[1])):
            if step < 0 and len(steps) > 1:
                return None
            solved[counter] = normal(Div(rest, const(step, I64)))
            rest = normal(Mod(rest, const(abs(step), I64)))
    zero = const(0, I64)
    return Witness(
        tuple(coordinates), tuple(solved.get(loop.counter, zero) for loop in write.loops)
    )
