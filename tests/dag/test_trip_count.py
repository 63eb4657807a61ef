"""How often a loop runs, by its condition: as often as counting says."""

from __future__ import annotations

import pytest

from compiler.ir import GE, GT, I64, LE, LT, NE, Add, And, Expr, Load, Mul, Sub, Variable, const
from lifter.dag import concrete
from lifter.dag.trip_count import TripCount
from lifter.model.diagnostic import LiftError, Span

K, N = Variable("i", I64), Variable("n", I64)
HERE = Span("loop.cpp", 1, 1, 1, 9)
NUMBERS = range(-7, 24)


def times(step: int, offset: int = 0) -> Expr:
    made: Expr = Add(Mul(K, const(step, I64)), const(offset, I64))
    return made


def counted(condition: Expr, n: int) -> int:
    """The iterations in which the condition holds, before the first in which it doesn't."""
    holds = concrete(condition)
    return next(i for i in range(1000) if not holds({"i": i, "n": n}))


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
    assert [max(0, extent({"n": n})) for n in NUMBERS] == [counted(condition, n) for n in NUMBERS]
    assert not claims


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
            assert extent({"n": n}) == counted(condition, n)


@pytest.mark.parametrize(
    "condition",
    [
        GT(K, N),
        LT(Mul(K, K), N),
        LT(Mul(K, N), const(100, I64)),
        LT(Load("a", (K,), I64), N),
        LE(const(0, I64), K),
    ],
    ids=repr,
)
def test_what_is_no_simple_bound_is_refused(condition: Expr) -> None:
    with pytest.raises(LiftError) as caught:
        TripCount(K, HERE, lambda *_: None).of(condition)
    assert caught.value.diagnostic.code == "loop-bound"
