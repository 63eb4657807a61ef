"""Stated conditions that the guarded entry tests although no integer formula says all of them.

`assert(t >= 0.0f && t <= 1.0f)` narrows what callers may pass. A proof uses what such a condition
says of integers; the run-time test is the whole condition, so that a NaN, for which every
comparison but `!=` is false, leads to the original.
"""

from __future__ import annotations

import math

from compiler.ir import (
    U64,
    Add,
    And,
    Cast,
    Comparison,
    Const,
    Expr,
    Mul,
    Neg,
    Not,
    Or,
    Sub,
    Type,
    Variable,
)

from ..dag import Ranges, as_formula, conjunction, conjuncts


def integer_part(condition: Expr, parameters: dict[str, Type]) -> Expr | None:
    """What a condition says of integer parameters: its conjuncts that are formulas; None if none.

    Assuming less than the condition says is sound.
    """
    whole = as_formula(condition, Ranges(parameters))
    if whole is not None:
        return whole
    found = [as_formula(part, Ranges(parameters)) for part in conjuncts(condition)]
    formulas = [f for f in found if f is not None]
    return conjunction(formulas) if formulas else None


def run_time_test(condition: Expr, parameters: dict[str, Type]) -> Expr | None:
    """The whole condition in a form whose C means the same; None where it has none.

    Comparisons of integers are over index expressions, those of floats over typed ones:
    parameters, finite constants, casts that C does the same way, `+`, `-`, `*`.
    """
    formula = as_formula(condition, Ranges(parameters))
    if formula is not None:
        return formula
    if isinstance(condition, Not):
        inner = run_time_test(condition.value, parameters)
        return None if inner is None else Not(inner)
    if isinstance(condition, (And, Or)):
        a, b = (run_time_test(c, parameters) for c in condition.children)
        return None if a is None or b is None else type(condition)(a, b)
    if isinstance(condition, Comparison) and all(map(_is_float_term, condition.children)):
        return condition
    return None


def _is_float_term(expr: Expr) -> bool:
    if expr.type.bits not in (32, 64) or not expr.type.is_float:
        return False
    match expr:
        case Const():
            return math.isfinite(expr.value)
        case Variable():
            return True
        case Cast():
            return _is_float_term(expr.value) or _is_signed_value(expr.value)
        case Neg() | Add() | Sub() | Mul():
            return all(map(_is_float_term, expr.children))
    return False


def _is_signed_value(expr: Expr) -> bool:
    """A parameter whose value the guard, which has integers as int64_t, converts alike."""
    return isinstance(expr, Variable) and expr.type.is_integer and expr.type is not U64
