"""Equality part by part: what it proves, and that it never proves what isn't so."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.ir import (
    EQ,
    F32,
    GT,
    I8,
    I32,
    I64,
    LE,
    LT,
    NE,
    U8,
    U64,
    Add,
    BitAnd,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Select,
    Shr,
    Sub,
    TruncDiv,
    Type,
    Variable,
    const,
    evaluate,
    postorder,
    substitute,
)
from lifter.verify import Prover
from lifter.verify.value_by_value import of_few_values

S, D, M = (Cast(I32, Load(n, (const(0, I64),), U8)) for n in ("s", "d", "m"))
A = Variable("a", I32)
PROVER = Prover({"a": I32}, timeout=2.0)


def n(value: int) -> Expr:
    return const(value, I32)


def by_shifts(x: Expr) -> Expr:
    t = Add(x, n(128))
    return Shr(Add(t, Shr(t, n(8))), n(8))


def by_division(x: Expr, bias: int = 127) -> Expr:
    return Div(Add(x, n(bias)), n(255))


def test_two_rounded_products_are_compared_one_by_one() -> None:
    p, q = Mul(S, M), Mul(D, Sub(n(255), M))
    shifts, divisions = Add(by_shifts(p), by_shifts(q)), Add(by_division(q), by_division(p))
    decision = PROVER.equal(Cast(U8, shifts), Cast(U8, divisions))
    assert decision.proved and decision.seconds < 20
    wrong = Add(by_division(q, 126), by_division(p))
    assert not PROVER.equal(Cast(U8, shifts), Cast(U8, wrong)).proved


def test_a_stated_range_is_what_makes_two_divisions_one() -> None:
    blend = Add(Mul(D, Sub(n(255), A)), Mul(S, A))
    known = [GT(A, n(-1)), GT(n(256), A)]
    assert PROVER.equal(TruncDiv(blend, n(255)), Div(blend, n(255)), known).proved
    assert PROVER.equal(TruncDiv(blend, n(255)), Div(blend, n(255))).verdict == "refuted"


def test_what_is_around_a_difference_does_not_matter() -> None:
    f = Variable("f", F32)
    choose = lambda x: Select(GT(f, Const(F32, 0.5)), Mul(x, A), Add(x, Mul(A, A)))  # noqa: E731
    assert PROVER.equal(choose(by_shifts(Mul(S, D))), choose(by_division(Mul(S, D)))).proved
    assert not PROVER.equal(choose(by_shifts(Mul(S, D))), choose(by_division(Mul(S, A)))).proved


def test_calls_of_two_functions_are_two_things() -> None:
    one, other = (Call(name, (S,), I32, "pure") for name in ("f", "g"))
    prover = Prover({}, lambda call: call.args[0] if call.name == "f" else n(0), 1.0)
    assert not prover.equal(one, other).proved
    twice = Call("f", (Call("f", (S,), I32, "pure"),), I32, "pure")
    assert prover.equal(one, twice).proved


def test_a_shared_part_is_free_so_differences_below_it_prove_nothing() -> None:
    shared = Mul(A, A)
    assert not PROVER.equal(Add(shared, A), Add(shared, Add(A, n(1)))).proved
    # Equal only because of what the shared part is: that remains for the solver.
    narrow = Min(Max(S, n(0)), n(255))
    assert PROVER.equal(narrow, S).proved


@pytest.mark.parametrize("seed", range(4))
def test_no_mutant_is_proved_that_differs_on_some_pixels(seed: int) -> None:
    source = np.random.default_rng(seed)
    base = Cast(U8, Add(by_shifts(Mul(S, M)), Min(by_division(Mul(D, Sub(n(255), M))), n(200))))
    names = {x: Variable(x.array, U8) for x in postorder(base) if isinstance(x, Load)}
    inputs = {v.name: source.integers(0, 256, 20_000).astype(np.uint8) for v in names.values()}
    expected = evaluate(substitute(base, dict(names)), inputs)
    constants = sorted({x for x in postorder(base) if isinstance(x, Const) and x.type is I32},
                       key=lambda c: c.value)  # fmt: skip
    for constant in constants:
        for change in (-1, 1, int(source.integers(2, 9))):
            mutant = substitute(base, {constant: n(int(constant.value) + change)})
            differs = not np.array_equal(
                evaluate(substitute(mutant, dict(names)), inputs), expected
            )
            if differs:
                assert not PROVER.equal(base, mutant).proved, (constant, change)


@pytest.mark.slow
def test_a_hypothesis_decides_a_condition_that_is_spelled_otherwise() -> None:
    """Alpha is `s * a / 255` in C++; the DSL says a division toward zero in words."""
    product = Mul(S, A)
    in_c = TruncDiv(product, n(255))
    up = Select(LT(product, n(0)), n(254), n(0))
    in_dsl: Expr = Div(Add(product, up), n(255))
    blended = Sub(Add(in_c, D), TruncDiv(Mul(in_c, D), n(255)))
    given = [NE(in_c, n(255))]
    shown = Cast(U8, Select(EQ(in_dsl, n(255)), S, blended))
    decision = PROVER.equal(Cast(U8, blended), shown, given)
    assert decision.proved and decision.seconds < 2
    assert not PROVER.equal(Cast(U8, blended), shown).proved
    assert not PROVER.equal(Cast(U8, blended), shown, [NE(in_c, n(254))]).proved


def test_a_converted_choice_is_a_choice_of_converted_values() -> None:
    condition = GT(A, TruncDiv(Mul(S, A), n(255)))
    value = Sub(Mul(S, A), D)
    inside = Cast(U8, Select(condition, S, value))
    decision = PROVER.equal(inside, Select(condition, S.value, Cast(U8, value)))
    assert decision.proved and decision.seconds < 2
    crossed = Select(condition, Cast(U8, value), S.value)
    assert not PROVER.equal(inside, crossed).proved


LUMINANCE = (76, 150, 30)
BYTE = Cast(I32, Load("b", (const(0, I64),), U8))


def bit_of(byte: Expr, *, is_said_first: bool) -> Expr:
    """The lowest bit of a byte as 255 or 0, in two ways of which no part is the other's."""
    bit = TruncDiv(Sub(byte, Mul(Shr(byte, n(1)), n(2))), n(1))
    yes, no = const(255, U8), const(0, U8)
    if is_said_first:
        return Select(NE(BitAnd(byte, n(1)), n(0)), yes, no)
    return Select(EQ(bit, n(0)), no, yes)


def weighted(parts: list[Expr], type: Type) -> Expr:
    weights = (const(w, type) for w in LUMINANCE)
    r, g, b = (Mul(Cast(type, p), w) for p, w in zip(parts, weights, strict=True))
    return Shr(Add(Add(r, g), b), const(8, type))


@pytest.mark.parametrize(("wrong", "is_equal"), [(0, True), (1, False)])
def test_parts_that_are_said_in_another_way_are_exchanged_first(wrong: int, is_equal: bool) -> None:
    """Together both bytes, both conditions and the weights are too much for one question."""
    g, b = (Load("c", (const(i, I64),), U8) for i in (0, 1))
    ours = weighted([bit_of(BYTE, is_said_first=True), g, b], I32)
    other = weighted([bit_of(Add(BYTE, n(wrong)), is_said_first=False), g, b], U64)
    decision = PROVER.equal(Cast(U8, ours), Cast(U8, other))
    assert decision.proved == is_equal
    assert decision.verdict == ("proved" if is_equal else "refuted")


def test_parts_that_agree_on_samples_alone_are_not_exchanged() -> None:
    x = Load("x", (const(0, I64),), I32)
    rare = Select(EQ(x, n(123457)), n(7), x)
    a, b = (Mul(Cast(F32, e), Const(F32, 0.5)) for e in (Add(x, n(5)), Add(rare, n(5))))
    assert PROVER.equal(a, b).verdict != "proved"


def chosen_by(which: Expr, values: list[Expr]) -> Expr:
    made = values[-1]
    for k in range(len(values) - 2, -1, -1):
        made = Select(EQ(which, n(k)), values[k], made)
    return made


WHICH = Variable("which", I32)
CHOICE = Prover({"which": I32}, timeout=2.0)
BYTES: list[Expr] = [Cast(I32, Load("t", (const(i, I64),), U8)) for i in range(4)]


@pytest.mark.parametrize(
    ("most", "wrong_at", "is_equal"),
    [(3, None, True), (9, None, True), (3, 3, False), (3, 0, False)],
)
def test_a_parameter_of_few_values_is_taken_value_by_value(
    most: int, wrong_at: int | None, is_equal: bool
) -> None:
    """Where they differ, they do so for one number that no sample is."""
    ours = Mul(chosen_by(WHICH, BYTES), chosen_by(WHICH, BYTES[::-1]))
    products: list[Expr] = [Mul(a, b) for a, b in zip(BYTES, BYTES[::-1], strict=True)]
    rare = EQ(Load("i", (const(0, I64),), I32), n(123457))
    products = [Select(rare, n(-1), p) if k == wrong_at else p for k, p in enumerate(products)]
    given = [LE(n(0), WHICH), LE(WHICH, n(most))]
    decision = CHOICE.equal(ours, chosen_by(WHICH, products), given)
    assert decision.verdict == ("proved" if is_equal else "refuted")


def test_a_parameter_of_any_value_is_not_taken_value_by_value() -> None:
    tests = Add(chosen_by(WHICH, BYTES), chosen_by(WHICH, BYTES))
    known = {WHICH: (0, 3)}
    assert of_few_values(tests, tests, known, {"which": I32}) == (WHICH, range(4))
    for twin in ({}, {WHICH: (0, 99)}, {Cast(I64, WHICH): (0, 3)}):
        assert of_few_values(tests, tests, twin, {"which": I32}) is None
    assert of_few_values(tests, tests, known, {"other": I32}) is None
    narrowed = chosen_by(Cast(I32, Cast(I8, WHICH)), BYTES)
    assert of_few_values(narrowed, narrowed, known, {"which": I32}) is None
