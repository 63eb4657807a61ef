"""Integer functions of fixed-point arithmetic: averages, rounding shifts, scaled products, bits.

Each is defined twice: exactly, on numpy arrays of Python's unbounded integers, and as a formula of
simpler operators that never leaves the operands' width (scaled products need twice the width). The
code generator writes the formula where the machine has no instruction for the function.
tests/codegen compares the two on every pair of 8-bit values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .formula import Formula, select, signed, unsigned
from .nodes import Expr
from .types import Type


def exactly(function: Callable[..., int]) -> Callable[..., Any]:
    """`function` of Python integers on arrays; the result wraps into the first operand's type."""

    def evaluate(*arrays: Any) -> Any:
        first = arrays[0].dtype
        bits = 1 if first.kind == "b" else first.itemsize * 8
        wide = np.frompyfunc(function, len(arrays), 1)(*(a.astype(object) for a in arrays))
        low = np.asarray(wide & ((1 << bits) - 1), object)
        if first.kind == "b":
            return low.astype(np.bool_)
        unsigned_bits = np.asarray(low.astype(f"u{first.itemsize}"))
        return unsigned_bits.view(first) if unsigned_bits.shape else unsigned_bits.astype(first)

    return evaluate


def exactly_in_type(function: Callable[..., int]) -> Callable[..., Any]:
    """`function(bits, low, high, *operands)` on arrays, told of the first operand's type."""

    def evaluate(*arrays: Any) -> Any:
        first = arrays[0].dtype
        if first.kind == "b":
            bits, low, high = 1, 0, 1
        else:
            limits = np.iinfo(first)
            bits, low, high = limits.bits, int(limits.min), int(limits.max)
        return exactly(lambda *operands: function(bits, low, high, *operands))(*arrays)

    return evaluate


def _shifted(value: int, amount: int) -> int:
    return value << amount if amount >= 0 else value >> -amount


def _rounded_right(value: int, amount: int) -> int:
    return (value + (1 << amount >> 1)) >> amount if amount > 0 else value << -amount


def _clamped(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


halving_add = exactly(lambda a, b: (a + b) >> 1)
rounding_halving_add = exactly(lambda a, b: (a + b + 1) >> 1)
halving_sub = exactly(lambda a, b: (a - b) >> 1)
rounding_shift_right = exactly(_rounded_right)
rounding_shift_left = exactly(lambda a, b: _rounded_right(a, -b))
mul_shift_right = exactly_in_type(
    lambda bits, low, high, a, b, q: _clamped((a * b) >> q, low, high)
)
rounding_mul_shift_right = exactly_in_type(
    lambda bits, low, high, a, b, q: _clamped(_rounded_right(a * b, q), low, high)
)


def _unsigned_value(bits: int, a: int) -> int:
    return a & ((1 << bits) - 1)


popcount = exactly_in_type(lambda bits, low, high, a: _unsigned_value(bits, a).bit_count())
count_leading_zeros = exactly_in_type(
    lambda bits, low, high, a: bits - _unsigned_value(bits, a).bit_length()
)
count_trailing_zeros = exactly_in_type(
    lambda bits, low, high, a: (a & -a).bit_length() - 1 if a else bits
)


def halving_add_formula(left: Expr, right: Expr) -> Expr:
    a, b = Formula(left), Formula(right)
    return ((a & b) + ((a ^ b) >> 1)).node


def rounding_halving_add_formula(left: Expr, right: Expr) -> Expr:
    a, b = Formula(left), Formula(right)
    return ((a | b) - ((a ^ b) >> 1)).node


def halving_sub_formula(left: Expr, right: Expr) -> Expr:
    a, b = Formula(left), Formula(right)
    return ((a >> 1) - (b >> 1) - (~a & b & 1)).node


def rounding_shift_right_formula(value: Expr, amount: Expr) -> Expr:
    """For amounts in (-bits, bits]; elsewhere undefined."""
    a, b = Formula(value), Formula(amount)
    # The bit below the last one kept is added to what is kept: no sum to overflow.
    before = a >> (b - 1).max(0).to(a.type)
    kept = (before >> 1) + (before & 1)
    if b.type.is_uint:
        return select(b.equals(0), a, kept).node
    return select(b > 0, kept, a << (-b).max(0).to(a.type)).node


def rounding_shift_left_formula(value: Expr, amount: Expr) -> Expr:
    a, b = Formula(value), Formula(amount)
    if b.type.is_uint:
        return (a << b.to(a.type)).node
    return rounding_shift_right_formula(value, (-b).node)


def mul_shift_right_formula(left: Expr, right: Expr, amount: Expr) -> Expr:
    """For amounts in [0, 2 * bits)."""
    return _scaled_product(left, right, amount, rounds=False)


def rounding_mul_shift_right_formula(left: Expr, right: Expr, amount: Expr) -> Expr:
    return _scaled_product(left, right, amount, rounds=True)


def _scaled_product(left: Expr, right: Expr, amount: Expr, rounds: bool) -> Expr:
    type = left.type
    wide = Type(type.code, type.bits * 2, type.lanes)
    product = Formula(left).to(wide) * Formula(right).to(wide)
    q = Formula(amount).to(wide)
    if rounds:
        shifted = Formula(rounding_shift_right_formula(product.node, Formula(amount).to(
            unsigned(wide)).node))  # fmt: skip
    else:
        shifted = product >> q
    if type.is_int:
        shifted = shifted.max(type.min)
    return shifted.min(type.max).to(type).node


def concatenated(parts: list[Expr], type: Type) -> Expr:
    """The bits of `parts`, the first lowest, as a value of integer `type`."""
    whole = unsigned(type)
    bits = parts[0].type.bits
    made: Formula | None = None
    for i, part in enumerate(parts):
        piece = Formula(part).bits_as(unsigned(part.type)).to(whole)
        piece = piece << (i * bits) if i else piece
        made = piece if made is None else made | piece
    assert made is not None
    return made.bits_as(type).node


def extracted(type: Type, value: Expr, lowest: Expr) -> Expr:
    """The bits of `value` from bit `lowest` on as a value of `type`; zeros beyond its highest."""
    a = Formula(value).bits_as(unsigned(value.type))
    at = Formula(lowest)
    amount = at.to(signed(a.type)) if at.type.bits <= a.type.bits else at
    inside = amount.max(0).min(a.type.bits - 1).to(a.type)
    beyond = amount >= a.type.bits
    shifted = select(beyond, a.like(0), a >> inside)
    whole = type if type.is_integer else unsigned(type)
    return shifted.to(unsigned(whole)).bits_as(type).node
