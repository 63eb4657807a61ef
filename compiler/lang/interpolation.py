"""What `lerp` computes, step by step, so that its rounding is the real package's."""

from __future__ import annotations

from ..ir import F32, F64, Const, Expr, Type, UInt
from ..ir.formula import Formula, select


def interpolated(zero: Expr, one: Expr, weight: Expr) -> Expr:
    """The nodes of `lerp(zero, one, weight)`; integers have at most 32 bits."""
    if zero.type.is_bool:
        narrow = interpolated(_wide_boolean(zero), _wide_boolean(one), weight)
        return (Formula(narrow) >= 128).node
    if zero.type.is_float:
        return _of_floats(Formula(zero), Formula(one), Formula(weight))
    return _of_integers(Formula(zero), Formula(one), Formula(weight))


def _wide_boolean(value: Expr) -> Expr:
    byte = Formula(value).to(UInt(8))
    return (byte * 255).node


def _of_floats(zero: Formula, one: Formula, weight: Formula) -> Expr:
    share = weight.to(zero.type)
    if weight.type.is_float or weight.type.is_bool:
        return (zero * (1.0 - share) + one * share).node
    scale = 1 / weight.type.max
    return (zero * (1.0 - share * scale) + one * share * scale).node


def _of_integers(zero: Formula, one: Formula, weight: Formula) -> Expr:
    """A weighted mean in twice the bits; signed values are moved to start at 0 and back."""
    type = zero.type
    narrow, wide = UInt(type.bits), UInt(2 * type.bits)
    middle = 1 << (type.bits - 1)
    a, b = zero.to(narrow), one.to(narrow)
    if type.is_int:
        a, b = a - middle, b - middle
    share = _whole_weight(weight, type.bits)
    total = a.to(wide) * (narrow.max - share).to(wide) + b.to(wide) * share.to(wide)
    mean = ((total + narrow.max // 2) / narrow.max).to(narrow)
    return ((mean + middle) if type.is_int else mean).to(type).node


def _whole_weight(weight: Formula, bits: int) -> Formula:
    """The weight as a number from 0 to 2**bits - 1; a float's fraction is cut off."""
    narrow = UInt(bits)
    source = weight.type
    if source.is_bool:
        return select(weight, Formula(_constant(narrow)), 0)
    if source.is_float:
        exact = weight.to(F64 if bits > 16 or source.bits == 64 else F32)
        return (exact * narrow.max).to(narrow)
    if source.bits > bits:
        return (weight / (source.max // narrow.max)).to(narrow)
    return weight.to(narrow) * (narrow.max // source.max)


def _constant(type: Type) -> Expr:
    return Const(type, type.max)
