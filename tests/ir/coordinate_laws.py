"""The laws that `simplify_coordinate` and `coordinate_range` go by, over whole numbers.

They don't hold for values, whose arithmetic wraps. x, y, z, w stand for any whole number, c and d
for any positive one. test_simplify_coordinate.py proves each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.nodes import (
    EQ,
    FALSE,
    GE,
    GT,
    LE,
    LT,
    TRUE,
    Add,
    And,
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
    Variable,
    const,
)  # fmt: skip
from compiler.ir.types import BOOL, I32


@dataclass(frozen=True)
class Law:
    """`left` equals `right` wherever all of `given` hold."""

    name: str
    left: Expr
    right: Expr
    given: tuple[Expr, ...] = ()


X, Y, Z, W = (Variable(name, I32) for name in "xyzw")
C, D = Variable("c", I32), Variable("d", I32)
P = Variable("p", BOOL)
POSITIVE = (C, D)
_ZERO, _ONE = const(0), const(1)


LAWS = (
    # Extremes and selects: what all share goes outside, what cancels goes inside.
    Law("min-shared-term", Min(Add(X, Z), Add(Y, Z)), Add(Min(X, Y), Z)),
    Law("max-shared-term", Max(Add(X, Z), Add(Y, Z)), Add(Max(X, Y), Z)),
    Law("select-shared-term", Select(P, Add(X, Z), Add(Y, Z)), Add(Select(P, X, Y), Z)),
    Law("select-not", Select(Not(P), X, Y), Select(P, Y, X)),
    Law("select-same", Select(P, X, X), X),
    Law("negated-min", Neg(Min(X, Y)), Max(Neg(X), Neg(Y))),
    Law("negated-max", Neg(Max(X, Y)), Min(Neg(X), Neg(Y))),
    Law("scaled-min", Mul(Min(X, Y), C), Min(Mul(X, C), Mul(Y, C))),
    Law("scaled-max", Mul(Max(X, Y), C), Max(Mul(X, C), Mul(Y, C))),
    Law("scaled-select", Mul(Select(P, X, Y), Z), Select(P, Mul(X, Z), Mul(Y, Z))),
    Law("min-plus-max", Add(Min(X, Y), Max(X, Y)), Add(X, Y)),
    Law("min-absorbed", Min(X, Y), X, (LE(Sub(X, Y), _ZERO),)),
    Law("max-absorbed", Max(X, Y), Y, (LE(Sub(X, Y), _ZERO),)),
    Law("min-in-any-order", Min(Min(X, Y), Z), Min(Z, Min(Y, X))),
    Law("max-in-any-order", Max(Max(X, Y), Z), Max(Z, Max(Y, X))),
    # Comparisons.
    Law("less-by-difference", LT(X, Y), LE(Add(Sub(X, Y), _ONE), _ZERO)),
    Law("at-most-by-difference", LE(X, Y), LE(Sub(X, Y), _ZERO)),
    Law("not-less-by-difference", Not(LT(X, Y)), LE(Sub(Y, X), _ZERO)),
    Law("greater-is-less", GT(X, Y), LT(Y, X)),
    Law("at-least-is-at-most", GE(X, Y), LE(Y, X)),
    Law("at-most-before", LE(Add(X, _ONE), Y), LT(X, Y)),
    Law("less-shared-term", LT(Add(X, Z), Add(Y, Z)), LT(X, Y)),
    Law("at-most-shared-term", LE(Add(X, Z), Add(Y, Z)), LE(X, Y)),
    Law("equal-shared-term", EQ(Add(X, Z), Add(Y, Z)), EQ(X, Y)),
    Law("equal-never", EQ(X, Y), FALSE, (Or(LT(X, Y), LT(Y, X)),)),
    Law("max-at-most", LE(Max(X, Y), Z), And(LE(X, Z), LE(Y, Z))),
    Law("min-at-most", LE(Min(X, Y), Z), Or(LE(X, Z), LE(Y, Z))),
    Law("select-at-most", LE(Select(P, X, Y), Z), TRUE, (LE(X, Z), LE(Y, Z))),
    # Quotients and remainders.
    Law("quotient-of-multiple", Div(Add(Mul(X, C), Y), C), Add(X, Div(Y, C))),
    Law("remainder-of-multiple", Mod(Add(Mul(X, C), Y), C), Mod(Y, C)),
    Law("quotient-within", Div(X, C), _ZERO, (LE(_ZERO, X), LT(X, C))),
    Law("remainder-within", Mod(X, C), X, (LE(_ZERO, X), LT(X, C))),
    Law("quotient-shared-factor", Div(Add(Mul(X, D), Y), Mul(C, D)), Div(Add(X, Div(Y, D)), C)),
    Law("quotient-of-quotient", Div(Add(Div(X, C), Y), D), Div(Add(X, Mul(Y, C)), Mul(C, D))),
    Law("remainder-of-remainder", Mod(Add(Mul(Mod(X, Mul(C, D)), Y), Z), C),
        Mod(Add(Mul(X, Y), Z), C)),
    Law("quotient-of-min", Div(Min(X, Y), C), Min(Div(X, C), Div(Y, C))),
    Law("quotient-of-max", Div(Max(X, Y), C), Max(Div(X, C), Div(Y, C))),
    Law("quotient-and-remainder", Add(Mul(Div(X, C), C), Mod(X, C)), X),
    # Ranges.
    Law("multiple-of-quotient-low", LE(Sub(X, Sub(C, _ONE)), Mul(Div(X, C), C)), TRUE),
    Law("multiple-of-quotient-high", LE(Mul(Div(X, C), C), X), TRUE),
    Law("quotient-keeps-order", LE(Div(X, C), Div(Y, C)), TRUE, (LE(X, Y),)),
    Law("remainder-low", LE(_ZERO, Mod(X, C)), TRUE),
    Law("remainder-high", LT(Mod(X, C), C), TRUE),
    Law("product-not-negative", LE(_ZERO, Mul(X, Y)), TRUE, (LE(_ZERO, X), LE(_ZERO, Y))),
)  # fmt: skip
