"""Remainders of what is made of remainders: the normal form says the same, of any divisor."""

from __future__ import annotations

from itertools import product

import pytest

from compiler.ir import I64, Add, Div, Expr, Mod, Mul, Sub, Variable, const
from lifter.dag import concrete, normal

A, B, M, N = (Variable(name, I64) for name in "abmn")
THREE, ZERO = const(3, I64), const(0, I64)
SAME = [
    (Mod(Add(Mod(A, N), B), N), Mod(Add(A, B), N)),
    (Mod(Sub(Mul(Mod(A, N), THREE), B), N), Mod(Sub(Mul(A, THREE), B), N)),
    (Mod(Sub(B, Mod(A, THREE)), THREE), Mod(Sub(B, A), THREE)),
    (Mod(Add(Mod(Add(Mod(A, N), B), N), B), N), Mod(Add(A, Mul(B, const(2, I64))), N)),
    (Mod(ZERO, N), ZERO),
    (Div(ZERO, N), ZERO),
]
OTHERS = [
    (Mod(Add(Mod(A, M), B), N), Mod(Add(A, B), N)),
    (Div(Add(Mod(A, N), B), N), Div(Add(A, B), N)),
    (Mod(Mul(Mod(A, N), B), M), Mod(Mul(A, B), M)),
]


@pytest.mark.parametrize(("one", "other"), SAME, ids=repr)
def test_a_remainder_within_one_is_left_out(one: Expr, other: Expr) -> None:
    assert normal(one) is normal(other)


@pytest.mark.parametrize(("one", "other"), OTHERS, ids=repr)
def test_one_by_another_divisor_is_not(one: Expr, other: Expr) -> None:
    assert normal(one) is not normal(other)


@pytest.mark.parametrize("expr", [one for one, _ in SAME + OTHERS], ids=repr)
def test_the_normal_form_is_the_same_number(expr: Expr) -> None:
    given, found = concrete(expr), concrete(normal(expr))
    for a, b, n, m in product(range(-4, 5), range(-4, 5), range(-3, 4), (-2, 0, 3)):
        values = {"a": a, "b": b, "n": n, "m": m}
        assert given(values) == found(values), values
