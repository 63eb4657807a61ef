"""Composition: a stage may read only what its producers wrote (the `compose` obligation).

A read of a temporary outside of what was written is undefined in the original. Where it can happen
and provably touches no written element, the lifted code may read anything there; it reads the
nearest element that was written, so that it never leaves the temporary, and the place is warned
about. The same holds for constant tables, which lifted code also reads where the original's
conditions (`v < 4 ? table[v] : 0`) keep it from doing so.
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
    postorder,
    transform,
)
from compiler.ir.bounds_of_values import value_range

from ..dag import Reduce, domain, normal
from ..model.kernel import Kernel
from ..model.stage import Loop
from ..model.summary import Dimension, Layout
from .assumptions import Assumptions
from .flatten import NOWHERE, Flattener
from .produced import Produced


def inside_producers(
    expression: Expr,
    output: str,
    region: Sequence[Dimension],
    layouts: dict[str, Layout],
    produced: Mapping[str, Produced],
    assumptions: Assumptions,
) -> Expr:
    """`expression`, a definition of `output` over `region`, with reads of produced arrays and of
    constant tables clamped where they could leave what was written.
    """
    coordinates = [Variable(d.variable.name, I64) for d in region]
    given = [
        b
        for d, c in zip(region, coordinates, strict=True)
        for b in (LE(d.lower, c), LT(c, d.upper))
    ]
    prover = assumptions.prover
    reductions = [n for n in postorder(expression) if isinstance(n, Reduce)]

    def visit(node: Expr) -> Expr:
        if not (isinstance(node, Call) and node.kind == "image"):
            return node
        bounds = _bounds(node, output, layouts, produced, assumptions.kernel)
        if not bounds:
            return node
        flattener = Flattener(
            [d.variable for d in region], coordinates, layouts, prover.parameters, ()
        )
        read = prover.inlined(node)
        assert isinstance(read, Call)
        places = flattener.coordinates(read)
        args = []
        for arg, place, (lower, upper) in zip(node.args, places, bounds, strict=True):
            known = [*assumptions.formulas, *given, *_iterations(place, reductions)]
            least, most = [place], [place]
            if _is_looked_up(arg) and (node.name not in produced or _is_computed(arg)):
                # The compiler must see it too, and of pixels it knows ranges alone.
                low, high = (const(v, I64) for v in value_range(prover.inlined(arg)))
                is_table = node.name not in produced
                least, most = ([low], [high]) if is_table else ([place, low], [place, high])
            if not all(prover.integers(LT(m, upper), known).proved for m in most):
                last = as_int32(normal(Sub(upper, const(1, I64))), prover.parameters)
                arg = Min(arg, last)
            if not all(prover.integers(LE(lower, m), known).proved for m in least):
                arg = Max(arg, as_int32(lower, prover.parameters))
            args.append(arg)
        return Call(node.name, tuple(args), node.type, "image")

    return transform(expression, visit)


def _bounds(
    read: Call,
    output: str,
    layouts: dict[str, Layout],
    produced: Mapping[str, Produced],
    kernel: Kernel,
) -> list[tuple[Expr, Expr]]:
    """(lower, upper) of each coordinate of what was written; nothing where any place may be read"""
    if read.name == output:
        return []
    if read.name in produced:
        return [(d.lower, d.upper) for d in produced[read.name].summary.roi]
    values = kernel.arrays[read.name].values
    steps = layouts[read.name].strides
    if values is None or not all(isinstance(s, Const) and s.value > 0 for s in steps):
        return []
    sizes = [int(s.value) for s in steps if isinstance(s, Const)]
    extents = [b // a for a, b in zip(sizes, (*sizes[1:], len(values)), strict=True)]
    return [(const(0, I64), const(extent, I64)) for extent in extents]


def _iterations(place: Expr, reductions: Sequence[Reduce]) -> list[Expr]:
    """The iterations of the reductions around a read, of whose counters its place is made."""
    found: list[Expr] = []
    for reduction in reductions:  # inner ones come first
        if reduction.counter in postorder(place, *found):
            found += domain((Loop(reduction.counter, reduction.extent, NOWHERE),))
    return found


def _is_looked_up(place: Expr) -> bool:
    """Whether a coordinate is a value that was read."""
    return any(isinstance(n, Call) for n in postorder(place))


def _is_computed(place: Expr) -> bool:
    """Whether a coordinate is what a function of the source makes of other values."""
    return any(isinstance(n, Call) and n.kind == "pure" for n in postorder(place))


def as_int32(bound: Expr, parameters: Mapping[str, Type]) -> Expr:
    """An index expression, or a formula over such, with int32 in the place of int64.

    A conversion to int64 is left out where every value that it converts is an int32.
    """
    if isinstance(bound, Const):
        return const(int(bound.value), I32) if bound.type is I64 else bound
    if isinstance(bound, Variable):
        if bound.type is not I64:
            return bound  # of a value of the program, converted to an index as a whole
        named = Variable(bound.name, parameters[bound.name])
        return named if named.type is I32 else Cast(I32, named)
    if isinstance(bound, Cast) and bound.type is I64 and I32.can_represent(bound.value.type):
        value = as_int32(bound.value, parameters)
        return value if value.type is I32 else Cast(I32, value)
    return bound.rebuild(tuple(as_int32(c, parameters) for c in bound.children))
