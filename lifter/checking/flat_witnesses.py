"""Which iteration is which point where rows without padding became one loop, or one loop became
rows.

    for (y < h) for (x < w) p[y * w + x]        the point (x, y) is the iteration  i = y * w + x,
    for (i < w * h) p[i]                        the iteration i is the point       (i % w, i / w)

That the rows have no padding isn't looked at here: of padded ones the proof fails.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from compiler.ir import I64, Add, Const, Div, Expr, Mod, Mul, Variable, const, substitute

from ..dag import normal
from ..lift.stage_context import StageContext
from ..model.stage import Stage, Write
from ..model.summary import Layout, Summary, Witness
from ..synth import regions

ZERO = const(0, I64)
MOST_TRIED = 4
"""Choices of a witness for each store that are tried."""


def flat_witnesses(
    stage: Stage, given: Summary, context: StageContext
) -> Iterator[tuple[Witness, ...]]:
    """A witness for each store, some of which may be flat: a branch for rows without padding beside
    one for others. They are only suggestions."""
    each = [list(_of_store(stage, write, given, context)) for write in stage.writes]
    yield from itertools.islice(itertools.product(*each), MOST_TRIED)


def _of_store(
    stage: Stage, write: Write, given: Summary, context: StageContext
) -> Iterator[Witness]:
    ours = given.layouts[stage.output]
    coordinates: list[Expr] = [Variable(d.variable.name, I64) for d in given.roi]
    alone = replace(stage, writes=(write,))
    for region in regions(alone, context.parameters, context.assumptions.formulas, context.grammar):
        theirs = region.layout
        if (theirs.offset, theirs.rows) != (ours.offset, ours.rows):
            continue
        there = coordinates
        point = list(region.witnesses[0].point)
        if ours.strides != theirs.strides:
            if not (_is_dense(ours) and _is_dense(theirs)):
                continue
            if 1 not in (len(ours.strides), len(theirs.strides)):
                continue
            there = _split(_flat(coordinates, ours.strides), theirs.strides)
            point = _split(_flat(point, theirs.strides), ours.strides)
        names: dict[Expr, Expr] = {
            Variable(d.variable.name, I64): c for d, c in zip(region.dimensions, there, strict=True)
        }
        counters = region.witnesses[0].counters
        yield Witness(tuple(point), tuple(normal(substitute(c, names)) for c in counters))


def _is_dense(layout: Layout) -> bool:
    if layout.rows or not layout.strides:
        return False
    first = layout.strides[0]
    return isinstance(first, Const) and first.value == 1


def _flat(point: Sequence[Expr], strides: Sequence[Expr]) -> Expr:
    total: Expr = ZERO
    for coordinate, stride in zip(point, strides, strict=True):
        total = Add(total, Mul(coordinate, stride))
    return normal(total)


def _split(place: Expr, strides: Sequence[Expr]) -> list[Expr]:
    """The coordinates of a place, where each stride is as long as what lies below it."""
    found: list[Expr] = []
    rest = place
    for stride in reversed(strides[1:]):
        found.insert(0, normal(Div(rest, stride)))
        rest = normal(Mod(rest, stride))
    return [rest, *found]
