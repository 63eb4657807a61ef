"""Composition: a stage may read only what its producers wrote (the `compose` obligation).

A read of a temporary outside of what was written is undefined in the original. Where it can happen and
provably touches no written element, the lifted code may read anything there; it reads the nearest
element that was written, so that it never leaves the temporary, and the place is warned about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compiler.ir import (
    I32,
    I64,
    LE,
    LT,
    Call,
    Cast,
    Const,
    Expr,
    Max,
    Min,
    Sub,
    Variable,
    const,
    transform,
)

from ..dag import Stage, normal
from ..synth.summary import Dimension, Layout
from .flatten import Flattener

if TYPE_CHECKING:
    from ..lift_stage import StageContext


def inside_producers(
    expression: Expr,
    region: Sequence[Dimension],
    layouts: dict[str, Layout],
    stage: Stage,
    context: StageContext,
) -> Expr:
    """`expression` with reads of produced arrays clamped where they could leave what was written."""
    coordinates = [Variable(d.variable.name, I64) for d in region]
    given = [
        b
        for d, c in zip(region, coordinates, strict=True)
        for b in (LE(d.lower, c), LT(c, d.upper))
    ]
    prover = context.assumptions.prover

    def visit(node: Expr) -> Expr:
        if not (isinstance(node, Call) and node.kind == "image" and node.name in context.produced):
            return node
        if node.name == stage.output:
            return node
        producer = context.produced[node.name].summary
        flattener = Flattener(
            [d.variable for d in region], coordinates, layouts, context.parameters, ()
        )
        places = flattener.coordinates(node)
        args = []
        for arg, place, dimension in zip(node.args, places, producer.roi, strict=True):
            low = prover.integers(
                LE(dimension.lower, place), (*context.assumptions.formulas, *given)
            )
            high = prover.integers(
                LT(place, dimension.upper), (*context.assumptions.formulas, *given)
            )
            if not high.proved:
                last = _int32(normal(Sub(dimension.upper, const(1, I64))), context)
                arg = Min(arg, last)
            if not low.proved:
                arg = Max(arg, _int32(dimension.lower, context))
            args.append(arg)
        return Call(node.name, tuple(args), node.type, "image")

    return transform(expression, visit)


def _int32(bound: Expr, context: StageContext) -> Expr:
    """A bound over parameters as an int32 value."""
    if isinstance(bound, Const):
        return const(int(bound.value), I32)
    if isinstance(bound, Variable):
        named = Variable(bound.name, context.parameters[bound.name])
        return named if named.type is I32 else Cast(I32, named)
    return bound.rebuild(tuple(_int32(c, context) for c in bound.children))
