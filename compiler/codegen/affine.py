"""Index expressions as sums of terms with integer factors, to see how far apart two of them lie."""

from __future__ import annotations

from .. import ir
from ..ir import I32, I64, Broadcast, Const, Expr, Ramp


def terms(expr: Expr) -> tuple[dict[Expr, int], int]:
    """`expr` as (factor of each term that is not a sum, constant), for a scalar integer.

    An int32 that is widened is the sum that it is: as an index it has its whole value.
    """
    found: dict[Expr, int] = {}
    constant = 0
    stack = [(expr, 1)]
    while stack:
        node, factor = stack.pop()
        if isinstance(node, Const):
            constant += int(node.value) * factor
        elif isinstance(node, ir.Add):
            stack += [(node.a, factor), (node.b, factor)]
        elif isinstance(node, ir.Sub):
            stack += [(node.a, factor), (node.b, -factor)]
        elif isinstance(node, ir.Neg):
            stack.append((node.value, -factor))
        elif isinstance(node, ir.Cast) and node.type is I64 and node.value.type is I32:
            stack.append((node.value, factor))
        elif isinstance(node, ir.Mul) and isinstance(node.b, Const):
            stack.append((node.a, factor * int(node.b.value)))
        elif isinstance(node, ir.Mul) and isinstance(node.a, Const):
            stack.append((node.b, factor * int(node.a.value)))
        else:
            found[node] = found.get(node, 0) + factor
    return {node: factor for node, factor in found.items() if factor}, constant


def distance(a: Expr, b: Expr) -> int | None:
    """`b - a` where it is the same number for all values of the variables."""
    if a.type is not b.type:
        return None
    terms_a, constant_a = terms(a)
    terms_b, constant_b = terms(b)
    return constant_b - constant_a if terms_a == terms_b else None


def as_ramp(expr: Expr) -> Ramp | None:
    """`expr` as one ramp, if it is a sum of ramps and broadcasts or a constant times one.

    Only on signed types as wide as an index: narrower and unsigned ones may wrap on the way.
    """
    if expr.type.element not in (I32, I64):
        return None
    if isinstance(expr, Ramp):
        return expr
    if isinstance(expr, ir.Add | ir.Sub):
        a, b = as_ramp(expr.a), as_ramp(expr.b)
        make = type(expr)
        lanes = expr.type.lanes
        if a is not None and b is not None:
            return _ramp(make(a.base, b.base), _folded(make(a.stride, b.stride)), lanes)
        if a is not None and isinstance(expr.b, Broadcast):
            return _ramp(make(a.base, expr.b.value), a.stride, lanes)
        if b is not None and isinstance(expr.a, Broadcast):
            stride = b.stride if make is ir.Add else _folded(ir.Neg(b.stride))
            return _ramp(make(expr.a.value, b.base), stride, lanes)
    if isinstance(expr, ir.Mul):
        for ramp, factor in ((as_ramp(expr.a), expr.b), (as_ramp(expr.b), expr.a)):
            if ramp is not None and isinstance(factor, Broadcast):
                stride = _folded(ir.Mul(ramp.stride, factor.value))
                return _ramp(ir.Mul(ramp.base, factor.value), stride, expr.type.lanes)
    return None


def _ramp(base: Expr, stride: Expr, lanes: int) -> Ramp:
    made: Ramp = Ramp(base, stride, lanes)
    return made


def _folded(stride: Expr) -> Expr:
    if isinstance(stride, ir.Neg):
        stride = ir.Sub(Const(stride.type, 0), stride.value)
    factors, constant = terms(stride)
    return stride if factors or not stride.type.contains(constant) else Const(stride.type, constant)


def constant_stride(ramp: Ramp) -> int | None:
    """The ramp's step, if it is a constant."""
    return int(ramp.stride.value) if isinstance(ramp.stride, Const) else None
