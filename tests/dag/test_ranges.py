"""Bounds of index expressions over loops: no value lies beyond them, and simple ones are exact."""

from __future__ import annotations

import random
from itertools import product

import pytest

from compiler.ir import (
    I8,
    I64,
    LT,
    Add,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Select,
    Sub,
    TruncDiv,
    TruncMod,
    Variable,
    const,
)
from lifter.dag import Ranges, concrete, normal
from lifter.model.diagnostic import Span
from lifter.model.stage import Loop

HERE = Span("loop.cpp", 1, 1, 1, 9)
K, J, P = Variable("i", I64), Variable("j", I64), Variable("p", I64)
LOOPS = (Loop(K, const(5, I64), HERE), Loop(J, const(4, I64), HERE))
POINTS = [dict(zip("ijp", values, strict=True))
          for values in product(range(5), range(4), (-128, -3, 0, 1, 7, 127))]  # fmt: skip


def number(value: int) -> Expr:
    return const(value, I64)


def bounds(expr: Expr) -> tuple[int, int]:
    return Ranges({"p": I8}, LOOPS).interval(normal(expr))


def values(expr: Expr) -> list[int]:
    return list(map(concrete(expr), POINTS))


@pytest.mark.parametrize(
    "expr",
    [
        Add(Mul(K, number(3)), J),
        Sub(number(7), K),
        Sub(Mul(J, number(2)), Mul(K, number(3))),
        Neg(K),
        Sub(Sub(number(9), K), J),
        Add(Mul(K, P), number(1)),
        Min(K, J),
        Max(Sub(number(2), K), J),
        Mod(K, number(9)),
        Div(Sub(K, number(9)), number(2)),
    ],
    ids=repr,
)
def test_the_ends_of_simple_expressions_are_met(expr: Expr) -> None:
    found = values(expr)
    assert bounds(expr) == (min(found), max(found))


def random_expression(r: random.Random, depth: int) -> Expr:
    if depth == 0:
        return r.choice([K, J, P, number(r.randrange(-9, 10))])
    a, b = (random_expression(r, depth - 1) for _ in range(2))
    size = number(r.choice([1, 2, 3, 8]))
    choices: list[Expr] = [
        Add(a, b), Sub(a, b), Mul(a, b), Min(a, b), Max(a, b), Neg(a), Div(a, size), Mod(a, size),
        TruncDiv(a, size), TruncMod(a, size), Select(LT(a, b), a, b),
    ]  # fmt: skip
    return r.choice(choices)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("seed", range(20))
def test_no_value_lies_beyond_the_bounds(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(20):
        expr = random_expression(r, 3)
        low, high = bounds(expr)
        found = values(expr)
        assert low <= min(found) and max(found) <= high, repr(expr)
