"""Scalars without a known value, and simplification at the root of an expression."""

from __future__ import annotations

from typing import Any

from compiler.ir import (
    EQ,
    FALSE,
    I64,
    NE,
    TRUE,
    Add,
    And,
    Cast,
    Const,
    Expr,
    Not,
    Or,
    Select,
    Sub,
    Type,
    Variable,
    evaluate,
)
from compiler.ir.nodes import Binary, Unary

from .polynomial import negate


def unknown(kind: str, name: str, type: Type) -> Variable:
    """A marker for a scalar without a known value.

    It is `undefined`, `carried` from another round, `unset` (carried on from `undefined`), or
    `stale`: read from an element that a nest may have overwritten since.
    """
    return Variable(f"{kind}:{name}", type)


def is_unknown(expr: Expr, kind: str | None = None) -> bool:
    prefixes = (f"{kind}:",) if kind else ("undefined:", "carried:", "stale:", "unset:")
    return isinstance(expr, Variable) and expr.name.startswith(prefixes)


def fold(expr: Expr) -> Expr:
    """`expr` simplified at its root only where operands are constants or neutral."""
    children = expr.children
    constant = bool(children) and all(isinstance(c, Const) for c in children)
    if constant and isinstance(expr, (Unary, Binary, Cast, Select)):
        value: Any = evaluate(expr)
        return Const(expr.type, value.item())
    if isinstance(expr, Select):
        if isinstance(expr.condition, Const):
            return expr.a if expr.condition.value else expr.b
        if expr.a is expr.b:
            return expr.a
        if isinstance(expr.condition, Not):
            return Select(expr.condition.value, expr.b, expr.a)
        if is_unknown(expr.b, "undefined"):
            return expr.a
        if is_unknown(expr.a, "undefined"):
            return expr.b
    elif isinstance(expr, (And, Or)):
        neutral, absorbing = (TRUE, FALSE) if isinstance(expr, And) else (FALSE, TRUE)
        if expr.a is neutral or expr.a is expr.b:
            return expr.b
        if expr.b is neutral:
            return expr.a
        if expr.a is absorbing or expr.b is absorbing:
            return absorbing
    elif isinstance(expr, Not):
        return negate(expr.value)
    elif isinstance(expr, Cast):
        if expr.value.type is expr.type:
            return expr.value
        if expr.type is I64 or expr.type.is_bool:
            return _fold_cast(expr)
    elif isinstance(expr, (Add, Sub)) and expr.type.is_integer:
        if isinstance(expr.b, Const) and expr.b.value == 0:
            return expr.a
        if isinstance(expr, Add) and isinstance(expr.a, Const) and expr.a.value == 0:
            return expr.b
    elif isinstance(expr, (NE, EQ)) and isinstance(expr.b, Const) and expr.b.value == 0:
        inner = expr.a
        if isinstance(inner, Cast) and inner.value.type.is_bool:
            return inner.value if isinstance(expr, NE) else negate(inner.value)
    return expr


def _fold_cast(expr: Cast) -> Expr:
    """A boolean that went through an integer comes back as it was."""
    inner = expr.value
    if expr.type.is_bool and isinstance(inner, Cast) and inner.value.type.is_bool:
        return inner.value
    return expr
