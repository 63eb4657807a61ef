"""Composition: a stage may read only what its producers wrote (the `compose` obligation).

A read of a temporary outside of what was written is undefined in the original. Where it can happen
and provably touches no written element, the lifted code may read anything there; it reads the
nearest element that was written, so that it never leaves the temporary, and the place is warned
about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    Type,
    Variable,
    const,
    transform,
)

from ..dag import normal
from ..synth.summary import Dimension, Layout
from .assumptions import Assumptions
from .flatten import Flattener
from .produced import Produced


def inside_producers(
    expression: Expr,
    output: str,
    region: Sequence[Dimension],
    layouts: dict[str, Layout],
    produced: Mapping[str, Produced],
    assumptions: Assumptions,
) -> Expr:
    """`expression`, a definition of `output` over `region`, with reads of produced arrays clamped
    where they could leave what was written.
    """
    coordinates = [Variable(d.variable.name, I64) for d in region]
    given = [
        b
        for d, c in zip(region, coordinates, strict=True)
        for b in (LE(d.lower, c), LT(c, d.upper))
    ]
    prover = assumptions.prover

    def visit(node: Expr) -> Expr:
        if not (isinstance(node, Call) and node.kind == "image" and node.name in produced):
            return node
        if node.name == output:
            return node
        producer = produced[node.name].summary
        flattener = Flattener(
            [d.variable for d in region], coordinates, layouts, prover.parameters, ()
        )
        places = flattener.coordinates(node)
        args = []
        for arg, place, dimension in zip(node.args, places, producer.roi, strict=True):
            low = prover.integers(LE(dimension.lower, place), (*assumptions.formulas, *given))
            high = prover.integers(LT(place, dimension.upper), (*assumptions.formulas, *given))
            if not high.proved:
                last = _int32(normal(Sub(dimension.upper, const(1, I64))), prover.parameters)
                arg = Min(arg, last)
            if not low.proved:
                arg = Max(arg, _int32(dimension.lower, prover.parameters))
            args.append(arg)
        return Call(node.name, tuple(args), node.type, "image")

    return transform(expression, visit)


def _int32(bound: Expr, parameters: Mapping[str, Type]) -> Expr:
    """A bound over parameters as an int32 value."""
    if isinstance(bound, Const):
        return const(int(bound.value), I32)
    if isinstance(bound, Variable):
        named = Variable(bound.name, parameters[bound.name])
        return named if named.type is I32 else Cast(I32, named)
    return bound.rebuild(tuple(_int32(c, parameters) for c in bound.children))
