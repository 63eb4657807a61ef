"""What lies around an image: `BoundaryConditions.repeat_edge(image)` and the like.

Each makes a stage that gives the image's values inside of its bounds and something else around.
The bounds are an image's own, or a list of (min, extent); a dimension without one (an undefined
`Range`, or a list that is too short) is not bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import ir
from ..ir import nodes as n
from ..lang.buffer import Buffer
from ..lang.errors import fail
from ..lang.expr import Expr, as_expr
from ..lang.functions import clamp, max, min, same_type_by_constants, select
from ..lang.overloads import mismatch
from ..lang.params import InputImageParam
from ..lang.references import values_of
from ..lang.variables import Range
from .func import Func

Bounds = tuple[Expr, Expr]


def _source(name: str, f: Any, bounds: Any) -> tuple[Func, list[Bounds | None]]:
    """The stage to read, and the bounds of each of its dimensions."""
    if isinstance(f, (InputImageParam, Buffer)):
        stage = Func(f)
        if bounds is None:
            dims = [f.dim(i) for i in range(f.dimensions())]
            return stage, [(as_expr(d.min()), as_expr(d.extent())) for d in dims]
    elif isinstance(f, Func) and bounds is not None:
        stage = f
    else:
        mismatch(name, f)
    if not isinstance(bounds, (list, tuple)):
        mismatch(name, f, bounds)
    found = [_pair(name, item) for item in bounds]
    if len(found) > stage.dimensions():
        raise ValueError(f"Invalid arguments to {name}")
    return stage, found + [None] * (stage.dimensions() - len(found))


def _pair(name: str, item: Any) -> Bounds | None:
    if isinstance(item, Range):
        low, extent = item.min, item.extent
    else:
        low, extent = as_expr(item[0]), as_expr(item[1])
    if low.defined() != extent.defined():
        raise ValueError(f"Invalid arguments to {name}")
    return (low, extent) if low.defined() else None


def _moved(name: str, f: Any, bounds: Any, place: Callable[[Expr, Expr, Expr], Expr]) -> Func:
    """The stage that reads `f` at `place(x, min, extent)` in each bounded dimension."""
    stage, limits = _source(name, f, bounds)
    args = stage.args()
    coordinates = [
        as_expr(x) if limit is None else place(as_expr(x), *limit)
        for x, limit in zip(args, limits, strict=True)
    ]
    made = Func(name)
    made[tuple(args)] = stage[tuple(coordinates)]
    return made


def repeat_edge(f: Any, bounds: Any = None) -> Func:
    """Around the image: the nearest of its values."""
    return _moved("repeat_edge", f, bounds, lambda x, low, extent: clamp(x, low, low + extent - 1))


def repeat_image(f: Any, bounds: Any = None) -> Func:
    """Around the image: copies of it."""

    def place(x: Expr, low: Expr, extent: Expr) -> Expr:
        # The bounds of x and of where it is read are told apart for the bounds of the loop.
        inside = (x >= low) & (x < low + extent)
        wrapped = low + (x - low) % extent
        return clamp(select(inside, x, wrapped), low, low + extent - 1)

    return _moved("repeat_image", f, bounds, place)


def mirror_image(f: Any, bounds: Any = None) -> Func:
    """Around the image: its mirror images, the values at the edge being there twice."""

    def place(x: Expr, low: Expr, extent: Expr) -> Expr:
        across = (x - low) % (2 * extent)
        folded = select(across >= extent, 2 * extent - 1 - across, across)
        inside = (x >= low) & (x < low + extent)
        return clamp(select(inside, x, low + folded), low, low + extent - 1)

    return _moved("mirror_image", f, bounds, place)


def mirror_interior(f: Any, bounds: Any = None) -> Func:
    """Around the image: its mirror images, the values at the edge being there once."""

    def place(x: Expr, low: Expr, extent: Expr) -> Expr:
        limit = extent - 1
        # An image of one value has no inside to mirror.
        period = max(2 * limit, 1)
        across = (x - low) % period
        distance = limit - across
        folded = limit - select(distance < 0, -distance, distance)
        inside = (x >= low) & (x < low + extent)
        return clamp(select(inside, x, low + folded), low, low + limit)

    return _moved("mirror_interior", f, bounds, place)


def constant_exterior(f: Any, exterior: Any, bounds: Any = None) -> Func:
    """Around the image: the value `exterior` (a `Tuple` of them for a stage with several)."""
    name = "constant_exterior"
    stage, limits = _source(name, f, bounds)
    outside = values_of(name, exterior)
    args = stage.args()
    here = [as_expr(a) for a in args]
    out: Expr | None = None
    coordinates: list[Any] = []
    for x, limit in zip(here, limits, strict=True):
        if limit is None:
            coordinates.append(x)
            continue
        low, extent = limit
        last = low + extent - 1
        beyond = (x < low) | (x > last)
        out = beyond if out is None else out | beyond
        coordinates.append(max(min(x, last), low))
    inner = stage[tuple(coordinates)]
    inside: Sequence[Expr] = values_of(name, inner)
    if len(inside) != len(outside):
        raise ValueError(f"Invalid arguments to {name}")
    made = Func(name)
    if out is None:
        made[tuple(args)] = tuple(inside)
        return made
    made[tuple(args)] = tuple(_choose(out, o, i) for o, i in zip(outside, inside, strict=True))
    return made


def _choose(out: Expr, exterior: Expr, inside: Expr) -> Expr:
    """A constant exterior takes the image's type, as the real package converts it."""
    node = exterior.node
    if isinstance(node, ir.Const) and inside.node.type.is_integer and node.type.is_float:
        raise ValueError("Invalid arguments to constant_exterior")
    return Expr.of(n.Select(out.node, *_matched(node, inside.node)), out, exterior, inside)


def _matched(exterior: n.Expr, inside: n.Expr) -> tuple[n.Expr, n.Expr]:
    a, b = same_type_by_constants(exterior, inside)
    if a.type is not b.type:
        fail(
            "The second and third arguments to a select do not have a matching type: "
            f"{a} has type {a.type}, {b} has type {b.type}."
        )
    return a, b
