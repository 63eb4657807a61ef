"""Whether an expression moves one way while a loop runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..ir import Add, Call, Cast, Const, Div, Expr, Max, Min, Mul, Neg, Sub, Variable
from ..ir import nodes as n
from ..ir.simplify import linear_terms

Direction = Literal["fixed", "rising", "falling", "unknown"]

_FLIPPED: Mapping[Direction, Direction] = {
    "fixed": "fixed",
    "rising": "falling",
    "falling": "rising",
    "unknown": "unknown",
}


def direction(expr: Expr, variable: Expr) -> Direction:
    """How `expr` moves while `variable` rises and all other variables stay: never falling is
    "rising", never rising is "falling". Coordinates are assumed not to overflow."""
    return _Directions(variable).of(expr)


class _Directions:
    def __init__(self, variable: Expr) -> None:
        self.done: dict[Expr, Direction] = {variable: "rising"}

    def of(self, expr: Expr) -> Direction:
        found = self.done.get(expr)
        if found is None:
            found = self.done[expr] = self._compute(expr)
        return found

    def _compute(self, expr: Expr) -> Direction:
        match expr:
            case Const() | Variable():
                return "fixed"
            case n.Load():
                return "unknown"
            case Call(kind=kind) if kind != "intrinsic":
                return "unknown"
        if all(self.of(child) == "fixed" for child in expr.children):
            return "fixed"
        if not (expr.type.is_int and expr.type.bits >= 32):
            return "unknown"
        match expr:
            case Add() | Sub() | Mul() | Neg():
                return self._sum(expr)
            case Div(a=a, b=Const(value=value)) if value:
                return self.of(a) if value > 0 else _FLIPPED[self.of(a)]
            case Min(a=a, b=b) | Max(a=a, b=b):
                return _joined(self.of(a), self.of(b))
            case n.Select(condition=condition, a=a, b=b) if self.of(condition) == "fixed":
                return _joined(self.of(a), self.of(b))
            case Cast(value=value) if value.type.is_int and value.type.bits <= expr.type.bits:
                return self.of(value) if value.type.bits >= 32 else "unknown"
        return "unknown"

    def _sum(self, expr: Expr) -> Direction:
        """Terms that cancel don't count."""
        terms, _ = linear_terms(expr)
        if expr in terms:
            return "unknown"
        made: Direction = "fixed"
        for term, factor in terms.items():
            moves = self.of(term)
            made = _joined(made, moves if factor > 0 else _FLIPPED[moves])
        return made


def _joined(a: Direction, b: Direction) -> Direction:
    if a == "fixed" or a == b:
        return b
    return a if b == "fixed" else "unknown"


__all__ = ["Direction", "direction"]
