"""Expressions over parameters as C, in 64-bit arithmetic: int64_t and double.

A float is a double that each operation rounds to float: of `+`, `-` and `*` that is exact.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir import (  # fmt: skip
    F32,
    OPERATORS,
    Binary,
    Cast,
    Comparison,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Neg,
    Not,
    Select,
    Shl,
    TruncDiv,
    TruncMod,
    Variable,
)

_CALLS: dict[type[Expr], str] = {
    Div: "lift_div", Mod: "lift_mod", Min: "lift_min", Max: "lift_max",
}  # fmt: skip


_BY_ANY: dict[type[Expr], str] = {TruncDiv: "lift_quotient", TruncMod: "lift_rest"}
"""By what may be 0 where the original computes nothing: the guard looks at sizes before that."""


def c_expression(expr: Expr, scalar: Callable[[str], str] = lambda name: name) -> str:
    """`expr` in C; integers are int64_t, `scalar` gives the C text of a parameter.

    Uses `lift_div` and the like of `guard_prelude.h`. Raises `ValueError` for what has no such
    form (reads of arrays).
    """
    if isinstance(expr, Const):
        if expr.type.is_float:
            return repr(float(expr.value))
        value = int(expr.value)
        if value == -(2**63):
            return "INT64_MIN"
        return str(value) if abs(value) < 2**31 else f"INT64_C({value})"
    if isinstance(expr, Variable):
        return (
            f"(double){scalar(expr.name)}"
            if expr.type.is_float
            else f"(int64_t){scalar(expr.name)}"
        )
    if isinstance(expr, Cast):
        inner = c_expression(expr.value, scalar)
        if expr.type.is_float:
            return _rounded(expr, f"({inner})")
        if expr.type.bits == 64:
            return inner
        if expr.type.is_bool:
            return f"({inner} != 0)"
        code = "" if expr.type.is_int else "u"
        return f"(int64_t)({code}int{expr.type.bits}_t)({inner})"
    if isinstance(expr, (Neg, Not)):
        return f"{OPERATORS[type(expr)].symbol}{_operand(expr.value, scalar)}"
    if isinstance(expr, Select):
        a, b, c = (_operand(e, scalar) for e in expr.children)
        return f"({a} ? {b} : {c})"
    if type(expr) in _CALLS:
        arguments = ", ".join(c_expression(c, scalar) for c in expr.children)
        return f"{_CALLS[type(expr)]}({arguments})"
    if isinstance(expr, (TruncDiv, TruncMod)) and not isinstance(expr.b, Const):
        arguments = ", ".join(c_expression(c, scalar) for c in expr.children)
        return f"{_BY_ANY[type(expr)]}({arguments})"
    if isinstance(expr, Binary):
        left, right = (_operand(c, scalar) for c in expr.children)
        if isinstance(expr, Shl) and isinstance(expr.a, Const):
            left = f"INT64_C({int(expr.a.value)})"  # a literal by itself has the bits of an int
        text = f"{left} {OPERATORS[type(expr)].symbol} {right}"
        return _rounded(expr, f"({text})") if expr.type is F32 else text
    raise ValueError(f"{expr} has no form over parameters")


def _rounded(expr: Expr, text: str) -> str:
    """`text`, in parentheses, as a double that is rounded to the float type of `expr`."""
    return f"(double)(float){text}" if expr.type is F32 else f"(double){text}"


def _operand(expr: Expr, scalar: Callable[[str], str]) -> str:
    text = c_expression(expr, scalar)
    compound = isinstance(expr, (Binary, Comparison, Neg)) and type(expr) not in _CALLS
    return f"({text})" if compound or text.startswith("-") else text
