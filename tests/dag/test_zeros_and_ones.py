"""Minima and maxima of zeros and ones, and what they say of all numbers."""

from __future__ import annotations

import itertools
import random

import pytest

from compiler.ir import I32, U8, Add, Cast, Expr, Max, Min, Variable, const
from lifter.dag.put_in_order import _inserted, _merged
from lifter.dag.zeros_and_ones import MOST_NUMBERS, ZerosAndOnes, parts_apart

PIXELS = [Variable(f"p{i}", U8) for i in range(MOST_NUMBERS + 1)]
A, B, C = PIXELS[:3]


@pytest.mark.parametrize("count", range(1, MOST_NUMBERS + 1))
@pytest.mark.parametrize("put_in_order", [_inserted, _merged])
def test_each_number_of_values(put_in_order, count: int) -> None:
    known = ZerosAndOnes(*PIXELS[:count])
    values = put_in_order([(p, known.cases(p)) for p in PIXELS[:count]])
    assert len(values) == count
    for value, cases in values:
        assert known.cases(value) == cases
    assert all(known.is_at_most(a, b) for (a, _), (b, _) in itertools.pairwise(values))


def made(rng: random.Random, depth: int) -> Expr:
    if not depth:
        return rng.choice(PIXELS[:4])
    kind = rng.choice((Min, Max))
    return kind(made(rng, depth - 1), made(rng, rng.randrange(depth)))


def value(expr: Expr, pixels: dict[Expr, int]) -> int:
    if isinstance(expr, (Min, Max)):
        both = (value(expr.a, pixels), value(expr.b, pixels))
        return min(both) if isinstance(expr, Min) else max(both)
    return pixels[expr]


@pytest.mark.parametrize("seed", range(4))
def test_what_holds_of_zeros_and_ones_holds_of_numbers(seed: int) -> None:
    rng = random.Random(seed)
    seen = set()
    for _ in range(30):
        a, b = made(rng, 3), made(rng, 3)
        known = ZerosAndOnes(a, b, *PIXELS[:4])
        orders = [dict(zip(PIXELS, v, strict=False)) for v in itertools.permutations(range(4))]
        really = all(value(a, v) <= value(b, v) for v in orders)
        assert known.is_at_most(a, b) == really
        seen.add(really)
    assert seen == {True, False}


def test_conversions_that_keep_a_number_are_looked_through() -> None:
    wide = Max(Cast(I32, A), Cast(I32, B))
    known = ZerosAndOnes(wide, Min(A, B))
    assert known.numbers == [A, B]
    assert known.is_at_most(Min(A, B), wide) and not known.is_at_most(wide, Min(A, B))
    narrowed = Cast(U8, Add(Cast(I32, A), const(1, I32)))
    assert narrowed in ZerosAndOnes(Max(narrowed, A)).numbers


def test_parts_that_share_numbers_are_looked_at_together() -> None:
    one, other, alone = Min(A, B), Max(B, C), PIXELS[5]
    parts = [set(p.roots) for p in parts_apart([one, alone, other])]
    assert sorted(map(len, parts)) == [1, 2] and {one, other} in parts
    assert not ZerosAndOnes(*PIXELS).are_few
    assert [*parts_apart([Min(Min(*PIXELS[:2]), p) for p in PIXELS])] == []
