"""Equality part by part: what it proves, and that it never proves what isn't so."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.ir import (
    EQ,
    F32,
    GT,
    I32,
    I64,
    LT,
    NE,
    U8,
    Add,
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
    Variable,
    const,
    evaluate,
    postorder,
    substitute,
)
from lifter.verify import Prover

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
