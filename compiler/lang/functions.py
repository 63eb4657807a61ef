"""Casts, selection, clamping, extremes and hints of the language.

Names, overloads and type rules are the real Halide package's.
"""

from __future__ import annotations

import builtins
import numbers
from collections.abc import Sequence
from typing import Any

from .. import ir
from ..ir import F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Type
from ..ir import nodes as n
from . import expr
from .errors import fail
from .expr import Convertible, Expr, as_expr
from .references import FuncRef, Tuple, values_of
from .type_matching import cast_node, lossless_constant, match_types


def cast(type: expr.Type, value: Any) -> Expr:
    """`value` converted to `type` as C++ does: wraps, truncates toward zero."""
    if not isinstance(type, expr.Type):
        raise TypeError(f"cast(): incompatible function arguments: {type!r} is no Type")
    return _cast(type.ir_type, value)


def _cast(type: Type, value: Any) -> Expr:
    e = as_expr(value)
    if type.lanes != e.node.type.lanes:
        fail(f"Can't cast {e} of type {e.node.type} to a vector: {type}.")
    return Expr.of(cast_node(type, e.node), e)


def _converted(type: Type, value: Any) -> Expr:
    """A Python number is converted at once, without passing through int32 or float32."""
    if isinstance(value, numbers.Real) and not isinstance(value, Convertible):
        if type.is_float:
            return Expr.of(ir.Const(type, float(value)))
        whole = int(float(value)) if not isinstance(value, numbers.Integral) else int(value)
        if not -(1 << 63) <= whole < (1 << (64 if type is U64 else 63)):
            raise TypeError(f"{type}(): incompatible function arguments. Invoked with: {value}")
        return Expr.of(ir.Const(type, type.wrap(whole)))
    return _cast(type, value)


def u8(value: Any) -> Expr:
    return _converted(U8, value)


def u16(value: Any) -> Expr:
    return _converted(U16, value)


def u32(value: Any) -> Expr:
    return _converted(U32, value)


def u64(value: Any) -> Expr:
    return _converted(U64, value)


def i8(value: Any) -> Expr:
    return _converted(I8, value)


def i16(value: Any) -> Expr:
    return _converted(I16, value)


def i32(value: Any) -> Expr:
    return _converted(I32, value)


def i64(value: Any) -> Expr:
    return _converted(I64, value)


def f32(value: Any) -> Expr:
    return _converted(F32, value)


def f64(value: Any) -> Expr:
    return _converted(F64, value)


def saturating_cast(type: expr.Type, value: Any) -> Expr:
    """`value` clamped to the range of `type`, then converted; NaN gives 0 or some value."""
    return _saturating_cast(type.ir_type, value)


def _saturating_cast(type: Type, value: Any) -> Expr:
    e = as_expr(value)
    node = e.node
    if type.is_float or node.type is type:
        return _cast(type, e)
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
    return _saturating_cast(U8, value)


def u16_sat(value: Any) -> Expr:
    return _saturating_cast(U16, value)


def u32_sat(value: Any) -> Expr:
    return _saturating_cast(U32, value)


def u64_sat(value: Any) -> Expr:
    return _saturating_cast(U64, value)


def i8_sat(value: Any) -> Expr:
    return _saturating_cast(I8, value)


def i16_sat(value: Any) -> Expr:
    return _saturating_cast(I16, value)


def i32_sat(value: Any) -> Expr:
    return _saturating_cast(I32, value)


def i64_sat(value: Any) -> Expr:
    return _saturating_cast(I64, value)


def select(*args: Any) -> Any:
    """`select(c0, v0, c1, v1, ..., otherwise)`: the value of the first condition that holds.

    Tuples of values give a tuple; a condition may be a tuple then, too.
    """
    if len(args) < 3:
        raise ValueError("select() must have at least 3 arguments")
    if len(args) % 2 == 0:
        raise ValueError("select() must have an odd number of arguments")
    rows = [elements(a) for a in args]
    sizes = {len(r) for r in rows[1::2] + rows[-1:] if r is not None}
    if not sizes:
        return _select([as_expr(a) for a in args])
    if len(sizes) > 1 or any(r is None for r in rows[1::2] + rows[-1:]):
        raise RuntimeError("select() on Tuples requires all Tuples to have identical sizes.")
    size = sizes.pop()
    if any(r is not None and len(r) != size for r in rows[:-1:2]):
        raise RuntimeError("select() on Tuples requires all Tuples to have identical sizes.")
    return tuple(
        _select([as_expr(a) if r is None else r[i] for a, r in zip(args, rows, strict=True)])
        for i in range(size)
    )


def elements(value: Any) -> list[Expr] | None:
    """The values of a tuple, or of a stage that has several; None for a single value."""
    several = isinstance(value, (tuple, Tuple)) or (isinstance(value, FuncRef) and len(value) > 1)
    return values_of("select", value) if several else None


def _select(args: list[Expr]) -> Expr:
    chosen = args[-1]
    for c, a in zip(args[-3::-2], args[-2::-2], strict=True):
        if not c.node.type.is_bool:
            fail(f"The first argument to a select must be a boolean: {c} has type {c.node.type}.")
        x, y = same_type_by_constants(a.node, chosen.node)
        if x.type is not y.type:
            fail(
                "The second and third arguments to a select do not have a matching type: "
                f"{a} has type {a.node.type}, {chosen} has type {chosen.node.type}."
            )
        chosen = Expr.of(n.Select(c.node, x, y), c, a, chosen)
    return chosen


def same_type_by_constants(a: n.Expr, b: n.Expr) -> tuple[n.Expr, n.Expr]:
    """Signed integer constants take the type of the other value, the first value's first."""
    if isinstance(a, n.Const) and a.type.is_int:
        a = _constant_as(b.type, a)
    if isinstance(b, n.Const) and b.type.is_int:
        b = _constant_as(a.type, b)
    return a, b


def _constant_as(type: Type, node: n.Const) -> n.Expr:
    return n.Const(type, type.wrap(int(node.value)) if type.is_integer else float(node.value))


def mux(index: Any, values: Sequence[Any]) -> Any:
    """`values[index]`; the last of them for any other index. All must have one type.

    Tuples of one size give a tuple.
    """
    own = elements(values) if not isinstance(values, (list, tuple)) else None
    items: list[Any] = list(values) if own is None else list(own)
    if not items:
        fail("mux() requires a non-empty vector of values")
    rows = [elements(v) for v in items]
    first = rows[0]
    if first is None:
        return _mux(as_expr(index), [as_expr(v) for v in items])
    if any(r is None or len(r) != len(first) for r in rows):
        fail("mux() requires all Tuples to have the same size.")
    columns = [[r[i] for r in rows if r is not None] for i in range(len(first))]
    return Tuple([_mux(as_expr(index), column) for column in columns])


def _mux(index: Expr, items: list[Expr]) -> Expr:
    if any(item.node.type is not items[0].node.type for item in items):
        fail("mux() requires all the values to have the same type.")
    made = items[-1]
    for k in range(len(items) - 2, -1, -1):
        if index.node.type.is_integer and not index.node.type.contains(k):
            continue
        chosen = n.EQ(index.node, ir.const(k, index.node.type))
        made = Expr.of(n.Select(chosen, items[k].node, made.node), index, items[k], made)
    return made


def _fold(kind: type[n.Binary], values: Sequence[Any]) -> Expr:
    if len(values) < 2:
        raise ValueError(f"{kind.__name__.lower()}() must have at least 2 arguments")
    a = as_expr(values[0])
    b = as_expr(values[1]) if len(values) == 2 else _fold(kind, values[1:])
    x, y = match_types(a.node, b.node)
    if x.type.is_bool:
        return Expr.of((n.And if kind is n.Min else n.Or)(x, y), a, b)
    return Expr.of(_extreme(kind, x, y), a, b)


def _extreme(kind: type[n.Binary], a: n.Expr, b: n.Expr) -> n.Expr:
    """`min` and `max` give `b` where `a` or `b` is no number, as the real package's do on x86: a
    clamp keeps to its bounds then, and what is indexed with it to its memory."""
    return kind(b, a) if a.type.is_float else kind(a, b)


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
        node = lossless_constant(e.node.type, bound.node)
        if node.type is not e.node.type:
            fail(
                f"Type mismatch in call to clamp. First argument ({e}) has type {e.node.type}, but "
                f"{which} argument ({bound}) has type {bound.node.type}. Use an explicit cast."
            )
        bounds.append(Expr.of(node, bound))
    least, most = (bound.node for bound in bounds)
    return Expr.of(_extreme(n.Max, _extreme(n.Min, e.node, most), least), e, *bounds)


def abs(value: Any) -> Expr:
    """|value|; unsigned for a signed integer, so that it never overflows."""
    e = as_expr(value)
    if e.node.type.is_uint:
        return e
    return Expr.of(ir.intrinsic("abs", e.node), e)


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


def logical_not(value: Any) -> Expr:
    return ~as_expr(value)


def undef(type: expr.Type) -> Expr:
    """A value that nobody cares about: a point given it keeps what it had."""
    return Expr.of(ir.Call("undef", (), type.ir_type, "pure"))


def is_undef(node: n.Expr) -> builtins.bool:
    """Whether `node` is `undef(...)` itself."""
    return isinstance(node, ir.Call) and node.kind == "pure" and node.name == "undef"


def likely(value: Any) -> Expr:
    """`value`; says for loop partitioning that the choice it stands in goes its way."""
    e = as_expr(value)
    return Expr.of(ir.intrinsic("likely", e.node), e)


def likely_if_innermost(value: Any) -> Expr:
    """`value`; as `likely`, where the choice stands in an innermost loop."""
    e = as_expr(value)
    return Expr.of(ir.intrinsic("likely_if_innermost", e.node), e)


def strict_float(value: Any) -> Expr:
    """`value`, with every float operation in it rounded, where the target contracts them, too."""
    e = as_expr(value)
    is_float = any(node.type.is_float for node in ir.postorder(e.node))
    return Expr.of(ir.intrinsic("strict_float", e.node), e) if is_float else e


def memoize_tag(result: Any, *cache_key_values: Any) -> Expr:
    """`result`; the values would be the key of a cache of it, which no meaning depends on."""
    for value in cache_key_values:
        as_expr(value)
    return as_expr(result)


def unsafe_promise_clamped(value: Any, min: Any, max: Any) -> Expr:
    """`value`, which the caller promises to lie in [min, max]; where it doesn't, the nearer one."""
    e, node = as_expr(value), as_expr(value).node
    parts = [e]
    for which, bound, kind in (("max", max, n.Min), ("min", min, n.Max)):
        given = as_expr(bound)
        if not given.defined():
            continue
        limit = lossless_constant(e.node.type, given.node)
        if limit.type is not e.node.type:
            fail(
                f"unsafe_promise_clamped {which} argument ({given} of type {given.node.type}) "
                f"could not be cast losslessly to {e.node.type}"
            )
        node = kind(node, limit)
        parts.append(given)
    return Expr.of(node, *parts)
