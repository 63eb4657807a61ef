"""Index expressions as numbers: unbounded integers over the values of scalar parameters."""

from __future__ import annotations

from collections.abc import Mapping

from compiler.ir import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Sub,
    TruncDiv,
    TruncMod,
    Variable,
)

Number = int | float


def number(expr: Expr, scalars: Mapping[str, Number]) -> Number:
    """The value of `expr`; conditions give 0 or 1.

    Raises `KeyError` for a scalar without a value, `ValueError` for a read of memory.
    """
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr, Variable):
        return scalars[expr.name]
    if isinstance(expr, Cast):
        value = number(expr.value, scalars)
        if expr.type.is_float or isinstance(value, float):
            return float(value)
        return int(value != 0) if expr.type.is_bool else expr.type.wrap(value)
    if isinstance(expr, Select):
        chosen = expr.a if number(expr.condition, scalars) else expr.b
        return number(chosen, scalars)
    operands = [number(c, scalars) for c in expr.children]
    match expr:
        case Neg():
            return -operands[0]
        case Not():
            return int(not operands[0])
        case Add() | Sub() | Mul() | Min() | Max():
            return _ring(expr, operands[0], operands[1])
        case Div() | Mod() | TruncDiv() | TruncMod():
            return _division(expr, int(operands[0]), int(operands[1]))
        case LT() | LE() | GT() | GE() | EQ() | NE():
            return int(_compare(expr, operands[0], operands[1]))
        case And():
            return int(bool(operands[0]) and bool(operands[1]))
        case Or():
            return int(bool(operands[0]) or bool(operands[1]))
    raise ValueError(f"{expr} is no expression over parameters")


def integer(expr: Expr, scalars: Mapping[str, Number]) -> int:
    """The value of an integer expression."""
    return int(number(expr, scalars))


def _ring(expr: Expr, a: Number, b: Number) -> Number:
    match expr:
        case Add():
            return a + b
        case Sub():
            return a - b
        case Mul():
            return a * b
        case Min():
            return min(a, b)
    return max(a, b)


def _division(expr: Expr, a: int, b: int) -> int:
    if b == 0:
        return 0
    if isinstance(expr, (TruncDiv, TruncMod)):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if isinstance(expr, TruncDiv) else a - quotient * b
    remainder = a % abs(b)
    return remainder if isinstance(expr, Mod) else (a - remainder) // b


def _compare(expr: Expr, a: Number, b: Number) -> bool:
    match expr:
        case LT():
            return a < b
        case LE():
            return a <= b
        case GT():
            return a > b
        case GE():
            return a >= b
        case EQ():
            return a == b
    return a != b
