"""Fixed-point arithmetic: widening, halving, rounding and saturating functions of integers.

Names, overloads and type rules are the real Halide package's. What a user could write with casts
is made of casts; what needs more bits than the operands have, or rounds, is an intrinsic.
"""

from __future__ import annotations

import numbers
from typing import Any

from .. import ir
from ..ir import Int, Type, UInt
from ..ir import nodes as n
from ..ir.fixed_point import concatenated, extracted
from ..ir.formula import reinterpreted, widened
from . import expr
from .errors import fail
from .expr import Expr, as_expr, shifted
from .functions import same_type_by_constants
from .interpolation import interpolated
from .type_matching import cast_node, literal_as, match_types


def _matched(name: str, a: Any, b: Any) -> tuple[Expr, n.Expr, n.Expr]:
    left, right = as_expr(a), as_expr(b)
    x, y = match_types(left.node, right.node)
    if not x.type.is_integer or x.type.is_bool:
        fail(f"{name} takes integers, not {x.type}.")
    return Expr.of(x, left, right), x, y


def _two(name: str, a: Any, b: Any) -> Expr:
    both, x, y = _matched(name, a, b)
    return Expr.of(ir.intrinsic(name, x, y), both)


def absd(a: Any, b: Any) -> Expr:
    """|a - b| without overflow, unsigned for integers."""
    left, right = as_expr(a), as_expr(b)
    x, y = match_types(left.node, right.node)
    node = n.NE(x, y) if x.type.is_bool else ir.intrinsic("absd", x, y)
    return Expr.of(node, left, right)


def saturating_add(a: Any, b: Any) -> Expr:
    """a + b clamped to the operands' type."""
    return _saturating("saturating_add", n.Add, a, b)


def saturating_sub(a: Any, b: Any) -> Expr:
    """a - b clamped to the operands' type."""
    return _saturating("saturating_sub", n.Sub, a, b)


def _saturating(name: str, plain: type[n.Binary], a: Any, b: Any) -> Expr:
    left, right = as_expr(a), as_expr(b)
    x, y = match_types(left.node, right.node)
    if x.type.is_bool:
        fail(f"{name} takes integers or floats, not booleans.")
    node = plain(x, y) if x.type.is_float else ir.intrinsic(name, x, y)
    return Expr.of(node, left, right)


def halving_add(a: Any, b: Any) -> Expr:
    """(a + b) / 2 rounded down, without overflow."""
    return _two("halving_add", a, b)


def rounding_halving_add(a: Any, b: Any) -> Expr:
    """(a + b + 1) / 2 rounded down, without overflow."""
    return _two("rounding_halving_add", a, b)


def halving_sub(a: Any, b: Any) -> Expr:
    """(a - b) / 2 rounded down, modulo 2**bits."""
    return _two("halving_sub", a, b)


def _wide_operands(a: Any, b: Any) -> tuple[Expr, n.Expr, n.Expr, Type]:
    left, right = as_expr(a), as_expr(b)
    x, y = match_types(left.node, right.node)
    return Expr.of(x, left, right), x, y, widened(x.type)


def widening_add(a: Any, b: Any) -> Expr:
    """a + b in the type with twice the bits."""
    both, x, y, wide = _wide_operands(a, b)
    return Expr.of(n.Add(cast_node(wide, x), cast_node(wide, y)), both)


def widening_sub(a: Any, b: Any) -> Expr:
    """a - b in the signed type with twice the bits."""
    both, x, y, wide = _wide_operands(a, b)
    if wide.is_uint:
        wide = Int(wide.bits)
    return Expr.of(n.Sub(cast_node(wide, x), cast_node(wide, y)), both)


def widening_mul(a: Any, b: Any) -> Expr:
    """a * b in the type with twice the bits; signed when one of them is."""
    left, right = as_expr(a), as_expr(b)
    x, y = left.node, right.node
    if x.type.is_float or y.type.is_float:
        x, y = match_types(x, y)
        wide = widened(x.type)
    else:
        bits = widened(UInt(max(x.type.bits, y.type.bits))).bits
        wide = UInt(bits) if x.type.is_uint and y.type.is_uint else Int(bits)
    return Expr.of(n.Mul(cast_node(wide, x), cast_node(wide, y)), left, right)


def widen_right_add(a: Any, b: Any) -> Expr:
    """a + b, where a has twice the bits of b."""
    return _widen_right("widen_right_add", n.Add, a, b)


def widen_right_sub(a: Any, b: Any) -> Expr:
    """a - b, where a has twice the bits of b."""
    return _widen_right("widen_right_sub", n.Sub, a, b)


def widen_right_mul(a: Any, b: Any) -> Expr:
    """a * b, where a has twice the bits of b."""
    return _widen_right("widen_right_mul", n.Mul, a, b)


def _widen_right(name: str, kind: type[n.Binary], a: Any, b: Any) -> Expr:
    left, right = as_expr(a), as_expr(b)
    if left.node.type is not widened(right.node.type):
        fail(f"{name} needs a first argument with twice the bits of the second, not {left} of "
             f"type {left.node.type} and {right} of type {right.node.type}.")  # fmt: skip
    return Expr.of(kind(left.node, cast_node(left.node.type, right.node)), left, right)


def widening_shift_left(a: Any, b: Any) -> Expr:
    """a * 2**b in the type with twice the bits."""
    return _widening_shift(n.Shl, a, b)


def widening_shift_right(a: Any, b: Any) -> Expr:
    """a / 2**b rounded down, in the type with twice the bits."""
    return _widening_shift(n.Shr, a, b)


def _widening_shift(kind: type[n.Binary], a: Any, b: Any) -> Expr:
    value = as_expr(a)
    bits = value.node.type.bits
    if not _is_whole_number(b):
        bits = max(bits, as_expr(b).node.type.bits)
    wide = widened(Type(value.node.type.code, bits))
    return shifted(kind, Expr.of(cast_node(wide, value.node), value), b)


def _unsigned_literal(bits: int, value: Any) -> Expr:
    return Expr.of(literal_as(UInt(bits), int(value)))


def _is_whole_number(value: Any) -> bool:
    return isinstance(value, numbers.Integral)


def rounding_shift_right(a: Any, b: Any) -> Expr:
    """a / 2**b, halves rounded up; a negative amount shifts left."""
    return _rounding_shift("rounding_shift_right", "rounding_shift_left", a, b)


def rounding_shift_left(a: Any, b: Any) -> Expr:
    """a * 2**b modulo 2**bits; a negative amount shifts right and rounds halves up."""
    return _rounding_shift("rounding_shift_left", "rounding_shift_right", a, b)


def _rounding_shift(name: str, opposite: str, a: Any, b: Any) -> Expr:
    value = as_expr(a)
    if not value.node.type.is_integer or value.node.type.is_bool:
        fail(f"{name} takes integers, not {value.node.type}.")
    if _is_whole_number(b):
        amount = _unsigned_literal(value.node.type.bits, abs(int(b)))
        name = name if int(b) >= 0 else opposite
    else:
        amount = as_expr(b)
    if not amount.node.type.is_integer:
        fail(f"{name} takes an integer amount, not {amount.node.type}.")
    bits = max(value.node.type.bits, amount.node.type.bits)
    x = cast_node(Type(value.node.type.code, bits), value.node)
    y = cast_node(Type(amount.node.type.code, bits), amount.node)
    return Expr.of(ir.intrinsic(name, x, y), value, amount)


def mul_shift_right(a: Any, b: Any, q: Any) -> Expr:
    """a * b / 2**q rounded down and clamped to the operands' type; q is unsigned."""
    return _scaled("mul_shift_right", a, b, q)


def rounding_mul_shift_right(a: Any, b: Any, q: Any) -> Expr:
    """a * b / 2**q, halves rounded up, clamped to the operands' type; q is unsigned."""
    return _scaled("rounding_mul_shift_right", a, b, q)


def _scaled(name: str, a: Any, b: Any, q: Any) -> Expr:
    both, x, y = _matched(name, a, b)
    amount = _unsigned_literal(x.type.bits, q) if _is_whole_number(q) else as_expr(q)
    if not amount.node.type.is_uint:
        fail(f"{name} shift must be unsigned")
    bits = max(x.type.bits, amount.node.type.bits)
    type = Type(x.type.code, bits)
    operands = (cast_node(type, x), cast_node(type, y), cast_node(UInt(bits), amount.node))
    return Expr.of(ir.intrinsic(name, *operands), both, amount)


def popcount(value: Any) -> Expr:
    """How many bits are set."""
    return _bits("popcount", value)


def count_leading_zeros(value: Any) -> Expr:
    """Zeros above the highest bit set; the width for 0."""
    return _bits("count_leading_zeros", value)


def count_trailing_zeros(value: Any) -> Expr:
    """Zeros below the lowest bit set; the width for 0."""
    return _bits("count_trailing_zeros", value)


def _bits(name: str, value: Any) -> Expr:
    e = as_expr(value)
    if not e.node.type.is_integer:
        fail(f"Argument to {name} must be an integer")
    if e.node.type.is_bool:
        return e if name == "popcount" else ~e
    return Expr.of(ir.intrinsic(name, e.node), e)


def reinterpret(type: expr.Type, value: Any) -> Expr:
    """The bits of `value` as a value of `type`, which must have as many."""
    e = as_expr(value)
    if e.node.type.bits != type.bits:
        fail(
            f"Reinterpret cast from type {e.node.type} which has {e.node.type.bits} bits, "
            f"to type {type} which has {type.bits} bits"
        )
    return Expr.of(reinterpreted(type.ir_type, e.node), e)


def concat_bits(values: Any) -> Expr:
    """The bits of a power of two of values, the first lowest, as one number."""
    parts = [as_expr(v) for v in values]
    if not parts:
        fail("concat_bits requires at least one argument")
    if len(parts) & (len(parts) - 1):
        fail(f"concat_bits received {len(parts)} arguments, which is not a power of two.")
    type = parts[0].node.type
    if any(p.node.type is not type for p in parts):
        fail("All arguments to concat_bits must have the same type")
    whole = type.with_bits(type.bits * len(parts))
    return Expr.of(concatenated([p.node for p in parts], whole), *parts)


def extract_bits(type: expr.Type, value: Any, lsb: Any) -> Expr:
    """The bits of `value` from bit `lsb` on as a `type`; zeros beyond its highest bit."""
    e, at = as_expr(value), as_expr(lsb)
    if not at.node.type.is_integer:
        fail(f"The lowest bit of extract_bits is an integer; {at} is {at.node.type}.")
    return Expr.of(extracted(type.ir_type, e.node, at.node), e, at)


def lerp(zero_val: Any, one_val: Any, weight: Any) -> Expr:
    """`zero_val` at weight 0, `one_val` at weight 1, in between in proportion.

    A float weight runs from 0.0 to 1.0, an unsigned one from 0 to its largest value. Integers are
    rounded to the nearest, as the real package rounds them.
    """
    zero, one, by = as_expr(zero_val), as_expr(one_val), as_expr(weight)
    x, y = same_type_by_constants(zero.node, one.node)
    if x.type is not y.type:
        fail(f"Can't lerp between {zero} of type {zero.node.type} and {one} of different type "
             f"{one.node.type}")  # fmt: skip
    if by.node.type.is_int:
        fail("A lerp weight must be an unsigned integer or a float, "
             f"but lerp weight {by} has type {by.node.type}.")  # fmt: skip
    known = by.node.value if isinstance(by.node, ir.Const) and by.node.type.is_float else 0
    if x.type.is_integer and not 0 <= known <= 1:
        fail("Floating-point weight for lerp with integer arguments is "
             f"{known}, which is not in the range [0.0, 1.0].")  # fmt: skip
    if x.type.is_integer and x.type.bits > 32:
        fail("Lerping between 64-bit integers is not supported")
    return Expr.of(interpolated(x, y, by.node), zero, one, by)
