"""Numbers in lanes as plain numbers: fewer conversions, and the same values."""

from __future__ import annotations

import random

import numpy as np
import pytest

from compiler.ir import (
    GT,
    I16,
    I32,
    LT,
    U8,
    U16,
    U32,
    Add,
    BitOr,
    Cast,
    Const,
    Expr,
    Max,
    Min,
    Mul,
    Neg,
    Select,
    Shl,
    Shr,
    Sub,
    Variable,
    evaluate,
    postorder,
)
from compiler.ir import Int as signed
from lifter.parse.plain_numbers import PlainNumbers

BYTES = [Variable(name, U8) for name in "abc"]
WORDS = [Variable("w", U16), Variable("v", I16), Variable("i", I32)]
TYPES = (U8, signed(8), U16, I16, U32, I32)


def wide(expr: Expr) -> Expr:
    return Cast(I32, expr)


def word(expr: Expr) -> Expr:
    return Cast(I16, Cast(U16, expr))


def casts(expr: Expr) -> int:
    return sum(isinstance(node, Cast) for node in postorder(expr))


def test_words_that_do_not_wrap_are_computed_in_int() -> None:
    a, b, c = map(wide, BYTES)
    lanes = word(Add(wide(Cast(U16, Sub(a, b))), wide(Cast(U16, Add(c, c)))))
    assert PlainNumbers().of(wide(lanes)) is Add(Sub(a, b), Add(c, c))


def test_words_that_may_wrap_stay_words() -> None:
    a, b, _ = map(wide, BYTES)
    product = word(Mul(Mul(a, b), Const(I32, 2)))
    found = PlainNumbers().of(wide(product))
    assert isinstance(found, Cast) and found.value.type is I16


def test_what_may_overflow_is_not_computed_in_int() -> None:
    """Signed overflow would be undefined, and proofs would take it that there is none."""
    a, b = (Cast(U32, Variable(name, U16)) for name in "wv")
    found = PlainNumbers().of(Cast(U16, Mul(a, b)))
    assert not any(isinstance(n, Mul) and n.type is I32 for n in postorder(found))


def test_saturation_that_nothing_reaches_is_gone() -> None:
    a, b, _ = map(wide, BYTES)
    total = Add(a, b)
    upper = Select(GT(total, Const(I32, 32767)), Const(I32, 32767), total)
    limited = Select(LT(total, Const(I32, -32768)), Const(I32, -32768), upper)
    assert PlainNumbers().of(limited) is total


def test_limits_are_minimum_and_maximum() -> None:
    a, b, _ = map(wide, BYTES)
    d = Sub(a, b)
    upper = Select(GT(d, Const(I32, 100)), Const(I32, 100), d)
    limited = Select(LT(d, Const(I32, 0)), Const(I32, 0), upper)
    found = PlainNumbers().of(limited)
    assert {type(node) for node in postorder(found)} >= {Min, Max}
    assert not any(isinstance(node, Select) for node in postorder(found))


def test_numbers_side_by_side_are_taken_apart() -> None:
    low, high = (Cast(U16, b) for b in BYTES[:2])
    both = BitOr(low, Cast(U16, Shl(wide(high), Const(I32, 8))))
    plain = PlainNumbers()
    assert plain.of(Cast(U8, both)) is BYTES[0]
    assert plain.of(Cast(U8, Shr(both, Const(U16, 8)))) is BYTES[1]


def _drawn(rng: random.Random, depth: int) -> Expr:
    if depth == 0:
        leaf = rng.choice([*BYTES, *WORDS])
        return leaf if rng.random() < 0.8 else Const(U16, rng.choice([0, 1, 3, 128, 255, 65535]))
    kind = rng.choice(["ring", "ring", "ring", "cast", "cast", "shift", "or", "choice", "negative"])
    a, b = _drawn(rng, depth - 1), _drawn(rng, depth - 1)
    type = rng.choice([I32, I32, I32, U32, U16, I16])
    if kind == "cast":
        return Cast(rng.choice(TYPES), a)
    one, other = Cast(type, a), Cast(type, b)
    if kind == "ring":
        return rng.choice([Add, Sub, Mul])(one, other)
    if kind == "negative":
        return Neg(one)
    if kind == "shift":
        by = rng.choice([1, 4, 8, 15])
        return Shr(one, Const(type, by)) if rng.random() < 0.5 else Shl(one, Const(type, by))
    if kind == "or":
        return BitOr(one, Shl(other, Const(type, 8)))
    arm = Const(type, rng.choice([0, 100, 255]))
    test = rng.choice([LT, GT])
    return rng.choice(
        [
            Select(test(one, arm), arm, one),
            Select(test(one, other), one, other),
            Select(LT(one, Const(type, 0)), Neg(one), one),
        ]
    )


@pytest.mark.parametrize("seed", range(40))
def test_random_formulas_keep_their_values(seed: int) -> None:
    rng = random.Random(seed)
    draw = np.random.default_rng(seed)
    inputs = {}
    for leaf in [*BYTES, *WORDS]:
        low, high = leaf.type.min, leaf.type.max
        ends = [low, high, 0, 1, 255 if high >= 255 else high]
        drawn = draw.integers(low, high, 400, endpoint=True)
        dtype = f"{leaf.type.code[0]}{leaf.type.bytes}"
        inputs[leaf.name] = np.concatenate([drawn, np.resize(ends, 100)]).astype(dtype)
    plain = PlainNumbers()
    for _ in range(60):
        formula = _drawn(rng, rng.randint(2, 5))
        found = plain.of(formula)
        assert found.type is formula.type
        expected, got = (np.broadcast_to(evaluate(e, inputs), 500) for e in (formula, found))
        assert np.array_equal(expected, got), (formula, found)
