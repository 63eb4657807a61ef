"""Casts, selection, clamping and the mathematical functions of the language.

Names, overloads and type rules are the real Halide package's.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from .. import ir
from ..ir import F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Type
from ..ir import nodes as n
from .errors import fail
from .expr import Expr, as_expr
from .type_matching import cast_node, lossless_constant, match_types


def cast(type: Type, value: Any) -> Expr:
    """`value` converted to `type` as C++ does: wraps, truncates toward zero."""
    if isinstance(value, (int, float)) and not isinstance(value, builtins.bool):
        # A Python number is converted at once, without passing through int32 or float32.
        if type.is_float:
            return Expr.of(ir.Const(type, value))
        if isinstance(value, int):
            if type.is_bool:
                return Expr.of(ir.Const(type, int(value != 0)))
            return Expr.of(ir.Const(type, type.wrap(value)))
    e = as_expr(value)
    return Expr.of(cast_node(type, e.node), e)


def u8(value: Any) -> Expr:
    return cast(U8, value)


def u16(value: Any) -> Expr:
    return cast(U16, value)


def u32(value: Any) -> Expr:
    return cast(U32, value)


def u64(value: Any) -> Expr:
    return cast(U64, value)


def i8(value: Any) -> Expr:
    return cast(I8, value)


def i16(value: Any) -> Expr:
    return cast(I16, value)


def i32(value: Any) -> Expr:
    return cast(I32, value)


def i64(value: Any) -> Expr:
    return cast(I64, value)


def f32(value: Any) -> Expr:
    return cast(F32, value)


def f64(value: Any) -> Expr:
    return cast(F64, value)


def saturating_cast(type: Type, value: Any) -> Expr:
    """`value` clamped to the range of `type`, then converted; NaN gives 0 or some value."""
    e = as_expr(value)
    node = e.node
    if type.is_float or node.type is type:
        return cast(type, e)
    if node.type.is_float:
        low, high = float(type.min), float(type.max)
        lowest, highest = ir.const(low, node.type), ir.const(high, node.type)
        inside = ir.Cast(type, node)
        made: n.Expr = n.Select(n.GE(node, highest), ir.const(type.max, type), inside)
        made = n.Select(n.LE(node, lowest), ir.const(type.min, type), made)
        return Expr.of(made, e)
    low_value, high_value = (
        builtins.max(type.min, node.type.min),
        builtins.min(type.max, node.type.max),
    )
    if high_value < node.type.max:
        node = n.Min(node, ir.const(high_value, node.type))
    if low_value > node.type.min:
        node = n.Max(node, ir.const(low_value, node.type))
    return Expr.of(cast_node(type, node), e)


def u8_sat(value: Any) -> Expr:
    return saturating_cast(U8, value)


def u16_sat(value: Any) -> Expr:
    return saturating_cast(U16, value)


def u32_sat(value: Any) -> Expr:
    return saturating_cast(U32, value)


def u64_sat(value: Any) -> Expr:
    return saturating_cast(U64, value)


def i8_sat(value: Any) -> Expr:
    return saturating_cast(I8, value)


def i16_sat(value: Any) -> Expr:
    return saturating_cast(I16, value)


def i32_sat(value: Any) -> Expr:
    return saturating_cast(I32, value)


def i64_sat(value: Any) -> Expr:
    return saturating_cast(I64, value)


def select(condition: Any, true_value: Any, *more: Any) -> Expr:
    """`select(c0, v0, c1, v1, ..., otherwise)`: the value of the first condition that holds."""
    if not more or len(more) % 2 == 0:
        fail("select takes conditions and values in turn, and one more value at the end.")
    otherwise = select(*more) if len(more) > 1 else as_expr(more[0])
    c, a, b = as_expr(condition), as_expr(true_value), otherwise
    if not c.type().is_bool:
        fail(f"The first argument to a select must be a boolean: {c} has type {c.type()}.")
    x, y = _same_type_by_constants(a.node, b.node)
    if x.type is not y.type:
        fail(
            "The second and third arguments to a select do not have a matching type: "
            f"{a} has type {a.type()}, {b} has type {b.type()}."
        )
    return Expr.of(n.Select(c.node, x, y), c, a, b)


def _same_type_by_constants(a: n.Expr, b: n.Expr) -> tuple[n.Expr, n.Expr]:
    """Signed integer constants take the type of the other value, the first value's first."""
    if isinstance(a, n.Const) and a.type.is_int:
        a = _constant_as(b.type, a)
    if isinstance(b, n.Const) and b.type.is_int:
        b = _constant_as(a.type, b)
    return a, b


def _constant_as(type: Type, node: n.Const) -> n.Expr:
    return n.Const(type, type.wrap(int(node.value)) if type.is_integer else float(node.value))


def mux(index: Any, values: Sequence[Any]) -> Expr:
    """`values[index]`; the last of them for any other index. All must have one type."""
    i, items = as_expr(index), [as_expr(v) for v in values]
    if len(items) < 2:
        fail("mux() requires at least two values.")
    if any(item.type() is not items[0].type() for item in items):
        fail("mux() requires all the values to have the same type.")
    made = items[-1]
    for k in range(len(items) - 2, -1, -1):
        made = Expr.of(n.Select(n.EQ(i.node, ir.const(k, i.type())), items[k].node, made.node),
                       i, items[k], made)  # fmt: skip
    return made


def _fold(kind: type[n.Binary], values: Sequence[Any]) -> Expr:
    if len(values) < 2:
        fail(f"{kind.__name__.lower()} takes two or more arguments.")
    a = as_expr(values[0])
    b = as_expr(values[1]) if len(values) == 2 else _fold(kind, values[1:])
    x, y = match_types(a.node, b.node)
    return Expr.of(kind(x, y), a, b)


def min(*values: Any) -> Expr:
    """The smallest of two or more values."""
    return _fold(n.Min, values)


def max(*values: Any) -> Expr:
    """The largest of two or more values."""
    return _fold(n.Max, values)


def clamp(value: Any, low: Any, high: Any) -> Expr:
    """`max(min(value, high), low)` in the type of `value`."""
    e, bounds = as_expr(value), []
    for which, given in (("second", low), ("third", high)):
        bound = as_expr(given)
        node = lossless_constant(e.type(), bound.node)
        if node.type is not e.type():
            fail(
                f"Type mismatch in call to clamp. First argument ({e}) has type {e.type()}, but "
                f"{which} argument ({bound}) has type {bound.type()}. Use an explicit cast."
            )
        bounds.append(Expr.of(node, bound))
    return Expr.of(n.Max(n.Min(e.node, bounds[1].node), bounds[0].node), e, *bounds)


def abs(value: Any) -> Expr:
    """|value|; unsigned for a signed integer, so that it never overflows."""
    e = as_expr(value)
    return e if e.type().is_uint else Expr.of(ir.intrinsic("abs", e.node), e)


def _two(name: str, a: Any, b: Any) -> Expr:
    left, right = as_expr(a), as_expr(b)
    x, y = match_types(left.node, right.node)
    return Expr.of(ir.intrinsic(name, x, y), left, right)


def absd(a: Any, b: Any) -> Expr:
    """|a - b| without overflow, unsigned for integers."""
    return _two("absd", a, b)


def saturating_add(a: Any, b: Any) -> Expr:
    """a + b clamped to the operands' type."""
    return _two("saturating_add", a, b)


def saturating_sub(a: Any, b: Any) -> Expr:
    """a - b clamped to the operands' type."""
    return _two("saturating_sub", a, b)


def div_round_to_zero(a: Any, b: Any) -> Expr:
    """C++'s integer division."""
    return _toward_zero(n.TruncDiv, a, b)


def mod_round_to_zero(a: Any, b: Any) -> Expr:
    """C++'s integer remainder."""
    return _toward_zero(n.TruncMod, a, b)


def _toward_zero(kind: type[n.Binary], a: Any, b: Any) -> Expr:
    left, right = as_expr(a), as_expr(b)
    x, y = match_types(left.node, right.node)
    if not x.type.is_integer:
        fail(f"Division toward zero needs integers, not {x.type}.")
    return Expr.of(kind(x, y), left, right)


def _floating(name: str, value: Any) -> Expr:
    e = as_expr(value)
    node = e.node if e.type().is_float else cast_node(F32, e.node)
    return Expr.of(ir.intrinsic(name, node), e)


def sqrt(value: Any) -> Expr:
    return _floating("sqrt", value)


def floor(value: Any) -> Expr:
    return _floating("floor", value)


def ceil(value: Any) -> Expr:
    return _floating("ceil", value)


def trunc(value: Any) -> Expr:
    return _floating("trunc", value)


def round(value: Any) -> Expr:
    """The nearest whole number, ties to even."""
    return _floating("round", value)


def exp(value: Any) -> Expr:
    return _floating("exp", value)


def log(value: Any) -> Expr:
    return _floating("log", value)


def sin(value: Any) -> Expr:
    return _floating("sin", value)


def cos(value: Any) -> Expr:
    return _floating("cos", value)


def pow(base: Any, exponent: Any) -> Expr:
    """`base` to the power `exponent`: by products for a constant whole exponent, as Halide does."""
    e, p = as_expr(base), as_expr(exponent)
    if isinstance(p.node, ir.Const) and p.type().is_integer:
        return Expr.of(_power(e.node, int(p.node.value)), e)
    x, y = e.node, p.node
    wide = F64 if F64 in (x.type, y.type) else F32
    return Expr.of(ir.intrinsic("pow", cast_node(wide, x), cast_node(wide, y)), e, p)


def _power(base: n.Expr, exponent: int) -> n.Expr:
    if exponent < 0:
        return n.Div(ir.const(1, base.type), _power(base, -exponent))
    if exponent == 0:
        return ir.const(1, base.type)
    if exponent == 1:
        return base
    half = _power(base, exponent // 2)
    return n.Mul(half, half) if exponent % 2 == 0 else n.Mul(n.Mul(half, half), base)


def logical_not(value: Any) -> Expr:
    return ~as_expr(value)


def undef(type: Type) -> Expr:
    """A value that nobody cares about: a point given it keeps what it had."""
    return Expr.of(ir.Call("undef", (), type, "pure"))


def is_undef(node: n.Expr) -> builtins.bool:
    """Whether `node` is `undef(...)` itself."""
    return isinstance(node, ir.Call) and node.kind == "pure" and node.name == "undef"


def likely(value: Any) -> Expr:
    """`value`; a hint for loop partitioning that changes no meaning."""
    return as_expr(value)
