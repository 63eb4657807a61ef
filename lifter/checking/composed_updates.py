"""Histograms inside of a composition: equal updates of equal beginnings give equal sums.

What updates leave in an array is no expression, so it gets a name, which two programs share where
all that it depends on is the same: what was there before, the domain, and for each of its points
the element and what is added, over the caller's arrays as they were before the call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from compiler.ir import I64, LE, LT, Add, Call, Expr, Type, Variable, const, postorder

from ..dag import normal, normalize_indices
from ..model.kernel import Array
from ..model.stage import Loop
from ..model.summary import Layout, Summary
from ..verify.flatten import NOWHERE, Flattener

Key = tuple[object, ...]


@dataclass
class Updates:
    """The names of what updates leave, by what it depends on."""

    names: dict[Key, str] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)

    def name(self, key: Key, type: Type) -> str:
        found = self.names.get(key)
        if found is None:
            found = self.names[key] = f"sums.{len(self.names)}"
            self.arrays[found] = Array(found, type, origin="table")
        return found


def added_by(summary: Summary) -> Expr | None:
    """What an update adds to its element; None where it does something else, or in some order."""
    expr, type = summary.expression, summary.expression.type
    own: Expr = Call(summary.output, summary.update_point, type, "image")
    if not isinstance(expr, Add) or not type.is_integer or type.is_bool:
        return None
    if own not in (expr.a, expr.b):
        return None
    other = expr.b if expr.a is own else expr.a
    nodes = list(postorder(other, *summary.update_point))
    if any(isinstance(n, Call) and n.name == summary.output for n in nodes):
        return None
    return other


def key_of(
    summary: Summary,
    before: Expr,
    place: tuple[Expr, ...],
    added: Expr,
    layouts: dict[str, Layout],
    parameters: dict[str, Type],
    proved: Callable[[Expr, tuple[Expr, ...]], bool],
) -> Key | None:
    """What the result depends on. `place` and `added` are composed, over the domain's variables,
    `before` over the region's; None where a coordinate isn't proved to fit 32 bits."""
    zero = const(0, I64)
    if any(normal(d.lower) is not zero for d in summary.domain):
        return None
    found: list[object] = [
        tuple((normal(d.lower), normal(d.upper)) for d in summary.roi),
        tuple(normal(d.upper) for d in summary.domain),
    ]
    own = summary.layouts[summary.output]
    found.append((own.strides, own.offset))
    for dimensions, exprs in ((summary.roi, (before,)), (summary.domain, (*place, added))):
        at = [Variable(f"at.{i}", I64) for i in range(len(dimensions))]
        loops = tuple(
            Loop(v, normal(d.upper), NOWHERE) for v, d in zip(at, dimensions, strict=True)
        )
        flattener = Flattener([d.variable for d in dimensions], at, layouts, parameters, loops)
        found += [normalize_indices(flattener.value(e)) for e in exprs]
        given = tuple(
            b for v, d in zip(at, dimensions, strict=True) for b in (LE(d.lower, v), LT(v, d.upper))
        )
        if not all(proved(doubt, (*given, *inner)) for doubt, inner in flattener.doubts):
            return None
    return tuple(found)
