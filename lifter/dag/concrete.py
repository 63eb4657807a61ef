"""Index expressions as Python functions: running them on concrete numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
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

_INFIX: dict[type[Expr], str] = {
    Add: "({} + {})", Sub: "({} - {})", Mul: "({} * {})", Min: "min({}, {})", Max: "max({}, {})",
    LT: "({} < {})", LE: "({} <= {})", GT: "({} > {})", GE: "({} >= {})", EQ: "({} == {})",
    NE: "({} != {})", And: "({} and {})", Or: "({} or {})", Not: "(not {})", Neg: "(-{})",
    Div: "_div({}, {})", Mod: "_mod({}, {})", TruncDiv: "_tdiv({}, {})", TruncMod: "_tmod({}, {})",
    Select: "({1} if {0} else {2})",
}  # fmt: skip


def _div(a: int, b: int) -> int:
    return 0 if b == 0 else (a // b if b > 0 else -(a // -b))


def _mod(a: int, b: int) -> int:
    return 0 if b == 0 else a % abs(b)


def _tdiv(a: int, b: int) -> int:
    return 0 if b == 0 else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def _tmod(a: int, b: int) -> int:
    return a - b * _tdiv(a, b)


_SCOPE = {"_div": _div, "_mod": _mod, "_tdiv": _tdiv, "_tmod": _tmod, "min": min, "max": max}


class NotConcrete(Exception):
    """The expression depends on array contents."""


def python_text(expr: Expr) -> str:
    """An index expression (or formula) as Python over `v["name"]`; raises `NotConcrete`."""
    if isinstance(expr, Const):
        return str(int(expr.value))
    if isinstance(expr, Variable):
        return f"v[{expr.name!r}]"
    pattern = _INFIX.get(type(expr))
    if pattern is None or (expr.type is not I64 and not expr.type.is_bool):
        if isinstance(expr, Cast) and isinstance(expr.value, Variable):
            return f"v[{expr.value.name!r}]"
        raise NotConcrete(repr(expr))
    return pattern.format(*map(python_text, expr.children))


@lru_cache(maxsize=4096)
def concrete(expr: Expr) -> Callable[[dict[str, int]], Any]:
    """`expr` as a function of the values of its variables; raises `NotConcrete`.

    Kept: the same strides are asked for at every element of an image.
    """
    made: Callable[[dict[str, int]], Any] = eval(f"lambda v: {python_text(expr)}", dict(_SCOPE))
    return made
