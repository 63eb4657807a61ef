"""Conditions that are known to hold are decided in what is compared."""

from __future__ import annotations

import random

import numpy as np
import pytest

from compiler.ir import (
    EQ,
    F32,
    I16,
    I32,
    I64,
    LT,
    NE,
    U8,
    Add,
    And,
    BitAnd,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Mul,
    Not,
    Or,
    Select,
    Sub,
    TruncDiv,
    Variable,
    const,
    evaluate,
)
from lifter.verify.assumed import assuming
from lifter.verify.decide import Prover

A, B, C = (Variable(n, I32) for n in "abc")
LOW = BitAnd(Cast(I32, Load("s", (const(0, I64),), I16)), const(255, I32))
D, M = (Cast(I32, Load(n, (const(0, I64),), U8)) for n in "dm")


def test_a_condition_its_parts_and_their_opposites_are_decided() -> None:
    known = [And(LT(A, B), NE(C, const(0, I32)))]
    assert assuming(Select(LT(A, B), A, B), known) is A
    assert assuming(Select(EQ(C, const(0, I32)), A, B), known) is B
    assert assuming(Select(And(NE(C, const(0, I32)), LT(B, A)), A, B), known) is (
        Select(LT(B, A), A, B)
    )
    assert assuming(Select(Or(LT(A, B), LT(C, A)), A, B), known) is A
    assert assuming(Select(LT(A, C), A, B), known) is Select(LT(A, C), A, B)


def test_floats_that_are_not_less_may_be_no_numbers() -> None:
    x, y = Variable("x", F32), Variable("y", F32)
    known = [Not(LT(x, y))]
    assert assuming(Select(LT(x, y), x, y), known) is y
    kept = Select(LT(y, x), x, y)
    assert assuming(kept, known) is kept


def blended(divide: type[Expr], plus: int = 0) -> Expr:
    """d + (low - d) * m / 255, rounded toward zero."""
    product = Mul(Sub(LOW, D), M)
    zero = const(0, I32)
    top = product if divide is TruncDiv else Add(
        product, Select(LT(product, zero), const(254 + plus, I32), zero)
    )  # fmt: skip
    return Cast(U8, Add(D, divide(top, const(255, I32))))


@pytest.mark.parametrize("plus", [0, 1])
def test_a_choice_that_the_round_decides_is_proved_over_too_many_states(plus: int) -> None:
    """Of 2**32 states none is tried; and the twin with a wrong rounding is not proved."""
    ours = Select(NE(LOW, const(0, I32)), blended(Div, plus), Cast(U8, D))
    decision = Prover({}).equal(ours, blended(TruncDiv), [NE(LOW, const(0, I32))])
    assert decision.proved == (plus == 0)
    assert not Prover({}).equal(ours, blended(TruncDiv), [EQ(LOW, const(0, I32))]).proved


def random_condition(rng: random.Random, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.3:
        kind = rng.choice((LT, EQ, NE))
        test: Expr = kind(rng.choice((A, B)), rng.choice((B, C, Const(I32, 1))))
        return test
    if rng.random() < 0.3:
        return Not(random_condition(rng, depth - 1))
    both = rng.choice((And, Or))
    joined: Expr = both(random_condition(rng, depth - 1), random_condition(rng, depth - 1))
    return joined


def random_value(rng: random.Random, depth: int) -> Expr:
    if depth == 0:
        return rng.choice((A, B, C))
    chosen: Expr = Select(
        random_condition(rng, 2), random_value(rng, depth - 1), random_value(rng, depth - 1)
    )
    return chosen


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", range(60))
def test_where_the_conditions_hold_the_value_is_the_same(seed: int) -> None:
    rng = random.Random(seed)
    value = random_value(rng, 3)
    parts = [n.condition for n in [value] if isinstance(n, Select)]
    known = [rng.choice([random_condition(rng, 1), *parts]) for _ in range(2)]
    grid = np.indices((4, 4, 4)).reshape(3, -1).astype(np.int32) - 1
    env = dict(zip("abc", grid, strict=True))
    holds = np.ones(64, dtype=bool)
    for condition in known:
        holds &= evaluate(condition, env)
    before, after = evaluate(value, env), evaluate(assuming(value, known), env)
    assert np.all(np.broadcast_to(before == after, 64)[holds])
