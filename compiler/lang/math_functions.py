"""Mathematical functions. Integers and bfloat16 are taken as float32, as the real package does."""

from __future__ import annotations

from typing import Any

from .. import ir
from ..ir import F16, F32, F64, Type
from ..ir import nodes as n
from .errors import fail
from .expr import Expr, as_expr, power
from .type_matching import cast_node


def _as_float(e: Expr) -> n.Expr:
    return e.node if e.node.type in (F16, F32, F64) else cast_node(F32, e.node)


def _floating(name: str, value: Any) -> Expr:
    e = as_expr(value)
    return Expr.of(ir.intrinsic(name, _as_float(e)), e)


def sqrt(value: Any) -> Expr:
    return _floating("sqrt", value)


def fma(a: Any, b: Any, c: Any) -> Expr:
    """`a * b + c`, rounded once. The Halide package hasn't got it."""
    given = [as_expr(e) for e in (a, b, c)]
    type = max((_as_float(e).type for e in given), key=lambda type: type.bits)
    return Expr.of(ir.intrinsic("fma", *(cast_node(type, e.node) for e in given)), *given)


def floor(value: Any) -> Expr:
    """The largest whole number not above the value."""
    return _floating("floor", value)


def ceil(value: Any) -> Expr:
    """The smallest whole number not below the value."""
    return _floating("ceil", value)


def trunc(value: Any) -> Expr:
    """The value without its fraction."""
    return _floating("trunc", value)


def round(value: Any) -> Expr:
    """The nearest whole number, ties to even."""
    e = as_expr(value)
    if e.node.type.code == "bfloat":
        return Expr.of(ir.intrinsic("round", e.node), e)
    return _floating("round", e)


def fract(value: Any) -> Expr:
    """The value's fraction, with its sign."""
    e = as_expr(value)
    x = Expr.of(_as_float(e), e)
    return x - trunc(x)


def exp(value: Any) -> Expr:
    return _floating("exp", value)


def log(value: Any) -> Expr:
    return _floating("log", value)


def sin(value: Any) -> Expr:
    return _floating("sin", value)


def cos(value: Any) -> Expr:
    return _floating("cos", value)


def tan(value: Any) -> Expr:
    return _floating("tan", value)


def asin(value: Any) -> Expr:
    return _floating("asin", value)


def acos(value: Any) -> Expr:
    return _floating("acos", value)


def atan(value: Any) -> Expr:
    return _floating("atan", value)


def sinh(value: Any) -> Expr:
    return _floating("sinh", value)


def cosh(value: Any) -> Expr:
    return _floating("cosh", value)


def tanh(value: Any) -> Expr:
    return _floating("tanh", value)


def asinh(value: Any) -> Expr:
    return _floating("asinh", value)


def acosh(value: Any) -> Expr:
    return _floating("acosh", value)


def atanh(value: Any) -> Expr:
    return _floating("atanh", value)


def atan2(y: Any, x: Any) -> Expr:
    """The angle of the point (x, y), in the type of `y`."""
    first, second = as_expr(y), as_expr(x)
    type: Type = first.node.type if first.node.type in (F16, F64) else F32
    nodes = (cast_node(type, first.node), cast_node(type, second.node))
    return Expr.of(ir.intrinsic("atan2", *nodes), first, second)


def hypot(x: Any, y: Any) -> Expr:
    """The distance of the point (x, y) from the origin; its squares may overflow."""
    a, b = as_expr(x), as_expr(y)
    return sqrt(a * a + b * b)


def erf(value: Any) -> Expr:
    """The error function; float32 alone."""
    e = as_expr(value)
    if e.node.type is not F32:
        fail("erf only takes float arguments")
    return Expr.of(ir.intrinsic("erf", e.node), e)


def pow(base: Any, exponent: Any) -> Expr:
    """`base` to the power `exponent`: by products for a constant whole exponent, as Halide does."""
    return power(base, exponent)


def _fast(name: str, value: Any) -> Expr:
    e = as_expr(value)
    if e.node.type is not F32:
        fail(f"{name} only works for Float(32)")
    return Expr.of(ir.intrinsic(name, e.node), e)


def fast_exp(value: Any) -> Expr:
    """e to the power `value`, about: good to five digits where it is neither tiny nor huge."""
    return _fast("fast_exp", value)


def fast_log(value: Any) -> Expr:
    """The natural logarithm, about; for normal numbers above zero."""
    return _fast("fast_log", value)


def fast_pow(base: Any, exponent: Any) -> Expr:
    """`base` >= 0 to the power `exponent`, about; by products for a constant whole exponent."""
    e, p = as_expr(base), as_expr(exponent)
    if isinstance(p.node, ir.Const) and p.node.type.is_integer:
        return pow(e, p)
    nodes = (cast_node(F32, e.node), cast_node(F32, p.node))
    return Expr.of(ir.intrinsic("fast_pow", *nodes), e, p)


def fast_sin(value: Any) -> Expr:
    """The sine, about, of a moderate angle."""
    return _fast_wave("fast_sin", "sin", value)


def fast_cos(value: Any) -> Expr:
    """The cosine, about, of a moderate angle."""
    return _fast_wave("fast_cos", "cos", value)


def _fast_wave(name: str, exact: str, value: Any) -> Expr:
    e = as_expr(value)
    if e.node.type is F64:
        return _floating(exact, e)
    return Expr.of(ir.intrinsic(name, cast_node(F32, e.node)), e)


def fast_inverse(value: Any) -> Expr:
    """1 / value."""
    e = _half_or_single("fast_inverse", value)
    return Expr.of(n.Div(ir.const(1.0, e.node.type), e.node), e)


def fast_inverse_sqrt(value: Any) -> Expr:
    """1 / sqrt(value)."""
    e = _half_or_single("fast_inverse_sqrt", value)
    return Expr.of(n.Div(ir.const(1.0, e.node.type), ir.intrinsic("sqrt", e.node)), e)


def _half_or_single(name: str, value: Any) -> Expr:
    e = as_expr(value)
    if e.node.type not in (F16, F32):
        fail(f"{name} only takes float16 or float32 arguments")
    return e


def _question(name: str, value: Any) -> Expr:
    e = as_expr(value)
    if not e.node.type.is_float:
        fail(f"{name} only works for float")
    return Expr.of(ir.intrinsic(name, e.node), e)


def is_nan(value: Any) -> Expr:
    return _question("is_nan", value)


def is_inf(value: Any) -> Expr:
    return _question("is_inf", value)


def is_finite(value: Any) -> Expr:
    return _question("is_finite", value)
