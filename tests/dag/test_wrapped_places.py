"""Which expressions are Euclid's remainders, and what sizes are known to be positive."""

from __future__ import annotations

from itertools import product

import pytest

from compiler.ir import (
    GE,
    GT,
    I16,
    I32,
    I64,
    LE,
    LT,
    Add,
    Expr,
    Max,
    Mod,
    Mul,
    Select,
    Sub,
    TruncMod,
    Type,
    Variable,
    const,
    evaluate,
)
from lifter.dag import Ranges, concrete, normal
from lifter.dag.wrapped_places import euclids
from lifter.model.diagnostic import Span
from lifter.model.stage import Loop

HERE = Span("loop.cpp", 1, 1, 1, 9)
N, X = Variable("n", I64), Variable("x", I64)


def parts(type: Type = I32) -> tuple[Expr, Expr, Expr, Expr]:
    i, n = Variable("i", type), Variable("n", type)
    return i, n, TruncMod(i, n), const(0, type)


def number(value: int) -> Expr:
    return const(value, I64)


I_, N_, LEFT, NONE = parts()
REMAINDERS = {
    "chosen": Select(LT(LEFT, NONE), Add(LEFT, N_), LEFT),
    "the other way round": Select(GE(LEFT, NONE), LEFT, Add(N_, LEFT)),
    "zero first": Select(GT(NONE, LEFT), Add(LEFT, N_), LEFT),
    "twice": TruncMod(Add(LEFT, N_), N_),
    "twice, size first": TruncMod(Add(N_, LEFT), N_),
}


@pytest.mark.parametrize("way", REMAINDERS)
def test_remainders_of_positive_sizes(way: str) -> None:
    expr = REMAINDERS[way]
    assert euclids(expr, lambda n: n is N_) is Mod(I_, N_)
    assert euclids(expr, lambda _: False) is None
    for i, n in product(range(-40, 41), range(1, 12)):
        at = {"i": i, "n": n}
        assert evaluate(expr, at) == evaluate(Mod(I_, N_), at)


SHORT = parts(I16)


@pytest.mark.parametrize(
    "expr",
    [
        pytest.param(Select(LE(LEFT, NONE), Add(LEFT, N_), LEFT), id="of 0, too"),
        pytest.param(Select(LT(I_, NONE), Add(LEFT, N_), LEFT), id="of what is divided"),
        pytest.param(Select(LT(LEFT, NONE), LEFT, Add(LEFT, N_)), id="sides exchanged"),
        pytest.param(Select(LT(LEFT, NONE), Sub(LEFT, N_), LEFT), id="a difference"),
        pytest.param(Select(LT(LEFT, NONE), Add(LEFT, I_), LEFT), id="another sum"),
        pytest.param(TruncMod(Add(LEFT, N_), I_), id="another size"),
        pytest.param(TruncMod(Add(I_, N_), N_), id="no remainder inside"),
        pytest.param(TruncMod(Add(SHORT[2], SHORT[1]), SHORT[1]), id="what wraps"),
    ],
)
def test_what_is_none(expr: Expr) -> None:
    assert euclids(expr, lambda _: True) is None


@pytest.mark.parametrize(
    ("of", "by"),
    [
        (Sub(Add(X, N), number(1)), N),
        (Add(X, Mul(N, number(6))), Mul(N, number(2))),
        (Add(X, Mul(N, number(3))), Mul(N, number(2))),
        (Add(X, Mul(N, X)), N),
        (Add(X, N), Mul(N, X)),
    ],
)
def test_multiples_of_a_size_leave_nothing(of: Expr, by: Expr) -> None:
    before, after = Mod(of, by), normal(Mod(of, by))
    for x, n in product(range(-20, 21), range(-7, 8)):
        at = {"x": x, "n": n}
        assert concrete(before)(at) == concrete(after)(at)


def test_a_multiple_is_taken_out() -> None:
    assert normal(Mod(Sub(Add(X, N), number(1)), N)) is normal(Mod(Sub(X, number(1)), N))


@pytest.mark.parametrize(
    ("extent", "least"),
    [
        (N, 1),
        (Max(N, number(0)), 1),
        (Sub(N, number(3)), 4),
        (Sub(Mul(N, number(2)), number(1)), 1),
        (Sub(Mul(N, number(2)), number(2)), 2),
        (Add(N, number(5)), -4),
        (Sub(number(5), N), I32.min),
        (Add(N, Variable("m", I64)), I32.min),
    ],
)
def test_an_iteration_says_what_its_extent_is_at_least(extent: Expr, least: int) -> None:
    loops = (Loop(X, normal(extent), HERE),)
    known = {"n": I32, "m": I32}
    assert Ranges(known, loops).interval(N)[0] == least
    assert Ranges(known).interval(N)[0] == I32.min
    runs = concrete(normal(extent))
    assert all(n >= least for n in range(-30, 30) if runs({"n": n, "m": 0}) > 0)
