"""Halide's rules for operands of different types (its `match_types`), on IR nodes.

The real package is the reference; tests/lang/test_type_matching.py compares with it.
"""

from __future__ import annotations

import math

from ..ir import BOOL, F32, I32, I64, Cast, Const, Expr, Int, Type, UInt
from .errors import fail


def literal(value: bool | int | float) -> Const:
    """A Python number on its own: int32 (int64 when too large), float32, or bool."""
    if isinstance(value, bool):
        return Const(BOOL, int(value))
    if isinstance(value, int):
        if I32.contains(value):
            return Const(I32, value)
        if I64.contains(value):
            return Const(I64, value)
        fail(f"Integer constant {value} does not fit 64 bits.")
    return Const(F32, value)


def literal_as(type: Type, value: bool | int) -> Expr:
    """An int literal beside an operand of `type`; it must be one of its values."""
    if type.is_float:
        made = Const(type, value)
        if made.value != value:
            fail(
                f"Integer constant {value} will be implicitly coerced to type {type}, "
                f"which changes its value to {made.value}."
            )
        return made
    if not I32.contains(int(value)):
        # Beyond int32 a literal is an int64 of its own, whatever stands beside it.
        return literal(int(value))
    if type.contains(int(value)):
        return Const(type, int(value))
    fail(
        f"Integer constant {value} will be implicitly coerced to type {type}, "
        f"which changes its value to {type.wrap(int(value))}."
    )


def cast_node(type: Type, node: Expr) -> Expr:
    """`node` converted to `type`; constants are converted here and now."""
    if node.type is type:
        return node
    if isinstance(node, Const):
        value = node.value
        if type.is_bool:
            return Const(type, int(value != 0))
        if type.is_integer and (not node.type.is_float or _fits(type, value)):
            return Const(type, type.wrap(int(value)))
        if type.is_float:
            return Const(type, value)
    return Cast(type, node)


def _fits(type: Type, value: float) -> bool:
    return value == value and abs(value) != float("inf") and type.contains(int(value))


def match_types(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """Both operands in the type that Halide computes with."""
    ta, tb = a.type, b.type
    if ta is tb:
        return a, b
    if ta.is_float or tb.is_float:
        if ta.is_float and tb.is_float:
            wanted = ta if ta.bits > tb.bits else tb
        else:
            wanted = ta if ta.is_float else tb
    elif ta.is_uint and tb.is_uint:
        wanted = UInt(max(ta.bits, tb.bits))
    else:
        wanted = Int(max(ta.bits, tb.bits))
    return cast_node(wanted, a), cast_node(wanted, b)


def match_bitwise(a: Expr, b: Expr, what: str) -> tuple[Expr, Expr]:
    """Both operands of a bitwise operator at the wider width; the signedness must agree."""
    if not (a.type.is_integer and b.type.is_integer and a.type.code == b.type.code):
        fail(
            f"Arguments to {what} must both be signed or both be unsigned integers; "
            f"they are {a.type} and {b.type}."
        )
    wanted = Type(a.type.code, max(a.type.bits, b.type.bits))
    return cast_node(wanted, a), cast_node(wanted, b)


def lossless_constant(type: Type, node: Expr) -> Expr:
    """A constant in `type` when that keeps its value; else `node` as it is."""
    if not isinstance(node, Const) or node.type is type:
        return node
    value = node.value
    if type.is_integer:
        keeps = not node.type.is_float or (math.isfinite(value) and value == int(value))
        return Const(type, int(value)) if keeps and type.contains(int(value)) else node
    converted = Const(type, value)
    return converted if converted.value == value else node
