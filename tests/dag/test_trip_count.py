"""How often a loop runs, by its condition: as often as counting says."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from compiler.ir import GE, GT, I64, LE, LT, NE, Add, And, Expr, Load, Mul, Sub, Variable, const
from lifter.dag import concrete
from lifter.dag.trip_count import TripCount
from lifter.model.diagnostic import LiftError, Span

K, N = Variable("i", I64), Variable("n", I64)
ZERO = const(0, I64)
HERE = Span("loop.cpp", 1, 1, 1, 9)
NUMBERS = range(-7, 24)


def times(step: int, offset: int = 0) -> Expr:
    made: Expr = Add(Mul(K, const(step, I64)), const(offset, I64))
    return made


def counted(condition: Expr, **given: int) -> int:
    """The iterations in which the condition holds, before the first in which it doesn't."""
    holds = concrete(condition)
    return next(i for i in range(1000) if not holds({"i": i, **given}))


@pytest.mark.parametrize(
    "condition",
    [
        LT(K, N),
        LE(K, N),
        LT(times(3), N),
        LE(times(3, 1), N),
        GT(N, times(2)),
        GE(N, times(4, -2)),
        GT(Sub(N, times(5)), const(0, I64)),
        GE(Sub(N, times(5)), const(0, I64)),
        And(LT(K, N), LT(times(2), const(9, I64))),
    ],
    ids=repr,
)
def test_a_loop_runs_as_often_as_its_condition_holds(condition: Expr) -> None:
    claims: list[Expr] = []
    extent = concrete(TripCount(K, HERE, lambda _, claim, text: claims.append(claim)).of(condition))
    assert [max(0, extent({"n": n})) for n in NUMBERS] == [counted(condition, n=n) for n in NUMBERS]
    assert not claims


BY = Variable("by", I64)
"""A step that a call chooses."""
STEPS = range(-3, 5)


@pytest.mark.parametrize(
    ("condition", "claims"),
    [
        (LT(Mul(K, BY), N), lambda n, by: by > 0),
        (LE(Add(Mul(K, BY), const(2, I64)), N), lambda n, by: by > 0),
        (GT(Mul(N, BY), Mul(K, BY)), lambda n, by: by > 0),
        (GE(Sub(Mul(Sub(N, const(1, I64)), BY), Mul(K, BY)), ZERO), lambda n, by: by > 0),
        (LT(Mul(K, Add(Mul(BY, const(2, I64)), const(2, I64))), N), lambda n, by: by > -1),
        (NE(Mul(K, BY), N), lambda n, by: by > 0 and n >= 0 and n % by == 0),
        (NE(Sub(N, Mul(K, BY)), ZERO), lambda n, by: by > 0 and n >= 0 and n % by == 0),
        (NE(Mul(N, BY), Mul(K, BY)), lambda n, by: by > 0 and n >= 0),
    ],
    ids=lambda value: repr(value) if isinstance(value, Expr) else "",
)
def test_a_step_that_a_parameter_says_is_claimed_to_go_on(
    condition: Expr, claims: Callable[[int, int], bool]
) -> None:
    found: list[Expr] = []
    extent = concrete(TripCount(K, HERE, lambda _, claim, text: found.append(claim)).of(condition))
    claimed = [concrete(claim) for claim in found]
    for n, by in product(NUMBERS, STEPS):
        given = {"n": n, "by": by}
        holds = all(claim(given) for claim in claimed)
        assert holds == claims(n, by)
        if holds:
            assert max(0, extent(given)) == counted(condition, **given)


def test_multiples_of_the_step_are_divided_without_remainder() -> None:
    def extent(condition: Expr) -> str:
        return repr(TripCount(K, HERE, lambda *_: None).of(condition))

    assert extent(LT(Mul(K, BY), Mul(N, BY))) == "n"
    assert extent(LE(Mul(K, BY), Mul(N, BY))) == "n + 1"
    assert extent(LT(Mul(K, BY), N)) == "(by + n - 1) / by"


@pytest.mark.parametrize(
    ("condition", "ends"),
    [
        (NE(K, N), lambda n: n >= 0),
        (NE(times(3), N), lambda n: n >= 0 and n % 3 == 0),
        (NE(Sub(N, times(2)), const(0, I64)), lambda n: n >= 0 and n % 2 == 0),
    ],
    ids=lambda value: repr(value) if isinstance(value, Expr) else "",
)
def test_a_loop_until_an_exact_end_claims_that_it_meets_it(condition: Expr, ends: object) -> None:
    claims: list[Expr] = []
    extent = concrete(TripCount(K, HERE, lambda _, claim, text: claims.append(claim)).of(condition))
    (claim,) = map(concrete, claims)
    for n in NUMBERS:
        assert bool(claim({"n": n})) == ends(n)  # type: ignore[operator]
        if claim({"n": n}):
            assert extent({"n": n}) == counted(condition, n=n)


@pytest.mark.parametrize(
    "condition",
    [
        GT(K, N),
        LT(Mul(K, K), N),
        LT(Mul(Mul(K, K), N), const(100, I64)),
        LT(Load("a", (K,), I64), N),
        LE(const(0, I64), K),
    ],
    ids=repr,
)
def test_what_is_no_simple_bound_is_refused(condition: Expr) -> None:
    with pytest.raises(LiftError) as caught:
        TripCount(K, HERE, lambda *_: None).of(condition)
    assert caught.value.diagnostic.code == "loop-bound"
