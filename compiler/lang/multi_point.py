"""`scatter` and `gather`: updates of several points at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import ir
from ..ir.multi_point import SCATTER_GATHER, at_point, is_multi_point, point_counts
from .errors import fail
from .expr import Expr, as_expr
from .overloads import mismatch
from .type_matching import lossless_constant


def gather(values: Sequence[Any]) -> Expr:
    """The first of `values` for the first point of a definition, the second for the second, ...

        f[hl.scatter([a, b])] = hl.gather([f[b], f[a]])     swaps two values

    Raises `HalideError` for no values, and for values of different types.
    """
    return _one_for_each("gather", values)


def scatter(coordinates: Sequence[Any]) -> Expr:
    """The coordinate of the first point of a definition, of the second, ...: see `gather`."""
    return _one_for_each("scatter", coordinates)


def _one_for_each(what: str, values: Any) -> Expr:
    if not isinstance(values, (list, tuple)):
        mismatch(what, values)
    parts = [as_expr(v) for v in values]
    if not parts:
        fail(f"{what}() needs a value for at least one point.")
    type = parts[0].node.type
    nodes = [lossless_constant(type, p.node) for p in parts]
    if any(node.type is not type for node in nodes):
        kinds = ", ".join(str(p.node.type) for p in parts)
        fail(f"All values of {what}() must have one type; these have {kinds}.")
    return Expr.of(ir.Call(SCATTER_GATHER, tuple(nodes), type, "pure"), *parts)


def in_points(name: str, args: list[Expr], values: list[Expr]) -> list[Expr]:
    """The values of a definition at `args`: one for each point; of definitions of one point, the
    last, which is the one that stays.

    Raises `HalideError` where one thing has more points than another.
    """
    nodes = [e.node for e in (*args, *values)]
    for node in (x for each in nodes for x in ir.reads_in(each)):
        if is_multi_point(node) and point_counts(node.children):
            fail(f"Can't nest an expression tuple inside another in definition of {name}")
    counts = point_counts(nodes)
    if len(counts) > 1:
        fail(
            f"Expression tuples of mismatched sizes used in definition of {name}: "
            f"{counts[0]} vs {counts[1]}"
        )
    if not counts or point_counts(a.node for a in args):
        return values
    return [Expr.of(at_point(v.node, counts[0] - 1), v) for v in values]
