"""Expressions over parameters as numbers: whole ones without bounds, as Python has them.

An index expression becomes a Python function, since the same strides are asked for at every element
of an image.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from compiler.ir import (
    I64,
    OPERATORS,
    And,
    Binary,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Cast,
    Const,
    Div,
    Expr,
    Or,
    Select,
    Shl,
    Shr,
    Type,
    Variable,
)

Number = int | float


_OF_BITS = (BitAnd, BitOr, BitXor, BitNot, Shl, Shr)
"""Not of whole numbers without bounds: a shift by a parameter has no end."""


class NotConcrete(ValueError):
    """The expression depends on array contents."""


def python_text(expr: Expr) -> str:
    """An index expression (or formula) as Python over `v["name"]`; raises `NotConcrete`."""
    if isinstance(expr, Cast) and isinstance(expr.value, Variable):
        return python_text(expr.value)
    if expr.type is not I64 and not expr.type.is_bool and not isinstance(expr, Const | Variable):
        raise NotConcrete(repr(expr))
    return _text(expr, python_text)


def _text(expr: Expr, operand: Callable[[Expr], str]) -> str:
    if isinstance(expr, Const):
        return f"float({str(expr.value)!r})" if expr.type.is_float else str(int(expr.value))
    if isinstance(expr, Variable):
        return f"v[{expr.name!r}]"
    row = OPERATORS.get(type(expr))
    if isinstance(expr, _OF_BITS) or (row is None and not isinstance(expr, Select)):
        raise NotConcrete(repr(expr))
    texts = [*map(operand, expr.children)]
    if row is None:
        return "({1} if {0} else {2})".format(*texts)
    if isinstance(expr, And | Or):
        return f"({texts[0]} {type(expr).__name__.lower()} {texts[1]})"
    # What Python writes as C++ does it computes so; division isn't among it.
    if isinstance(expr, Binary) and row.symbol in ("+", "-", "*", "<", "<=", ">", ">=", "==", "!="):
        return f"({texts[0]} {row.symbol} {texts[1]})"
    return f"{type(expr).__name__}({', '.join(texts)})"


_SCOPE: dict[str, Any] = {kind.__name__: row.on_integers for kind, row in OPERATORS.items()}


@lru_cache(maxsize=4096)
def concrete(expr: Expr) -> Callable[[dict[str, int]], Any]:
    """`expr` as a function of the values of its variables; raises `NotConcrete`."""
    made: Callable[[dict[str, int]], Any] = eval(f"lambda v: {python_text(expr)}", dict(_SCOPE))
    return made


@lru_cache(maxsize=4096)
def concrete_points(
    counter: str, condition: Expr, coordinates: tuple[Expr, ...]
) -> Callable[[dict[str, int], int], set[tuple[int, ...]]]:
    """A function of the variables' values and a count: the `coordinates` wherever `condition`
    holds, for all values of `counter` from 0 on, as many as the count says; raises `NotConcrete`.
    """
    point = "".join(f"{python_text(c)}, " for c in coordinates)
    row = f"({point}) for v[{counter!r}] in range(count) if {python_text(condition)}"
    made: Callable[[dict[str, int], int], set[tuple[int, ...]]] = eval(
        f"lambda v, count: {{{row}}}", dict(_SCOPE)
    )
    return made


def number(expr: Expr, scalars: Mapping[str, Number]) -> Number:
    """The value of an expression over typed parameters, floats among them; conditions give 0 or 1.

    Conversions wrap, everything else is exact. Raises `KeyError` for a scalar without a value,
    `NotConcrete` for a read of memory.
    """
    found: Number = _typed(expr)(scalars)
    return found


def integer(expr: Expr, scalars: Mapping[str, Number]) -> int:
    """The value of an integer expression."""
    return int(number(expr, scalars))


@lru_cache(maxsize=4096)
def _typed(expr: Expr) -> Callable[[Mapping[str, Number]], Any]:
    types: dict[str, Type] = {}

    def converted(name: str, value: Number) -> Number:
        return _converted(types[name], value)

    def text(node: Expr) -> str:
        if isinstance(node, Cast):
            types[str(node.type)] = node.type
            return f"convert({str(node.type)!r}, {text(node.value)})"
        if isinstance(node, Div) and node.type.is_float:
            return f"quotient({text(node.a)}, {text(node.b)})"
        return _text(node, text)

    made: Callable[[Mapping[str, Number]], Any] = eval(
        f"lambda v: {text(expr)}", {**_SCOPE, "convert": converted, "quotient": _quotient}
    )
    return made


def _quotient(a: float, b: float) -> float:
    return a / b if b else math.nan


def _converted(type: Type, value: Number) -> Number:
    if type.is_float or isinstance(value, float):
        return float(value)
    return int(value != 0) if type.is_bool else type.wrap(int(value))
