"""What instruction selection's patterns are made of: constants, widened operands, pieces."""

from __future__ import annotations

from ... import ir
from ...ir import Broadcast, Call, Cast, Const, Expr, Load, Ramp, Type, Variable, commutes, const


def constant_of(e: Expr) -> int | None:
    """The integer that `e` is in every lane."""
    if isinstance(e, Broadcast):
        e = e.value
    return int(e.value) if isinstance(e, Const) and e.type.is_integer else None


def with_constant(e: Expr, kind: type[ir.Binary]) -> tuple[Expr, int] | None:
    """For `kind(x, constant)`, or the other way round for a commutative one, x and the constant."""
    if not isinstance(e, kind):
        return None
    right = constant_of(e.b)
    if right is not None:
        return e.a, right
    left = constant_of(e.a)
    return (e.b, left) if left is not None and commutes(e) else None


def narrowed(e: Expr, element: Type) -> Expr | None:
    """An expression of `element` in as many lanes with the numbers of `e`, if it was widened."""
    type = element.with_lanes(e.type.lanes)
    if e.type is type:
        return e
    if not e.type.is_integer or e.type.is_bool:
        return None
    value = constant_of(e)
    if value is not None:
        return const(value, type) if element.contains(value) else None
    if isinstance(e, Broadcast):
        inside = narrowed(e.value, element)
        return None if inside is None else Broadcast(inside, e.lanes)
    if not isinstance(e, Cast) or not e.value.type.is_integer or e.value.type.is_bool:
        return None
    source = e.value.type.element
    if not e.type.contains_all(source):
        return None
    if element.contains_all(source):
        return e.value if source is element else Cast(type, e.value)
    return narrowed(e.value, element)


def clamped(e: Expr, low: int, high: int) -> Expr | None:
    """x where `e` is x clamped to [low, high], in either order."""
    for outer, inner, first, second in ((ir.Max, ir.Min, low, high), (ir.Min, ir.Max, high, low)):
        found = with_constant(e, outer)
        if found is None or found[1] != first:
            continue
        inside = with_constant(found[0], inner)
        if inside is not None and inside[1] == second:
            return inside[0]
    return None


def is_leaf(e: Expr) -> bool:
    """Whether patterns do not look into `e`: an address, a number that all lanes share."""
    return isinstance(e, Load | Ramp | Broadcast | Const | Variable)


def is_scalar(e: Expr) -> bool:
    """Whether `e` has one lane and is not made of the lanes of a vector."""
    return e.type.lanes == 1 and not (isinstance(e, Call) and e.args and e.args[0].type.lanes > 1)
