"""Networks of minima and maxima: proved by zeros and ones, and only where they are equal."""

from __future__ import annotations

import itertools
import random

import numpy as np

from compiler.ir import (
    F32,
    I32,
    LT,
    U8,
    Add,
    Cast,
    Expr,
    Max,
    Min,
    Select,
    Variable,
    const,
    evaluate,
)
from lifter.verify import Prover
from lifter.verify.extremes import same_extremes

PIXELS = [Variable(f"p{i}", U8) for i in range(9)]
PROVER = Prover({})


def sorted_by(pairs: list[tuple[int, int]], values: list[Expr]) -> list[Expr]:
    """What a network of comparators leaves of `values`."""
    found = list(values)
    for a, b in pairs:
        found[a], found[b] = Min(found[a], found[b]), Max(found[a], found[b])
    return found


def swapped_by(pairs: list[tuple[int, int]], values: list[Expr]) -> list[Expr]:
    """The same as C++ has it: `if (v[b] < v[a]) std::swap(v[a], v[b])`, compared as ints."""
    found = list(values)
    for a, b in pairs:
        test: Expr = LT(Cast(I32, found[b]), Cast(I32, found[a]))
        found[a], found[b] = Select(test, found[b], found[a]), Select(test, found[a], found[b])
    return found


ALL_PAIRS = list(itertools.combinations(range(9), 2))
MEDIAN = [
    (1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8), (0, 3), (5, 8), (4, 7),
    (3, 6), (1, 4), (2, 5), (4, 7), (2, 4), (4, 6), (2, 4),
]  # fmt: skip
"""Nineteen comparators that bring the median of nine to place 4."""


def test_two_ways_to_a_median_are_one() -> None:
    bubble = swapped_by(ALL_PAIRS, list(PIXELS))[4]
    network = sorted_by(MEDIAN, list(PIXELS))[4]
    decision = PROVER.equal(bubble, network)
    assert decision.proved and decision.seconds < 5


def test_a_comparator_too_few_is_no_median() -> None:
    bubble = sorted_by(ALL_PAIRS, list(PIXELS))[4]
    for gone in range(len(MEDIAN)):
        short = sorted_by(MEDIAN[:gone] + MEDIAN[gone + 1 :], list(PIXELS))[4]
        assert not same_extremes(bubble, short)
    assert not same_extremes(bubble, sorted_by(ALL_PAIRS, list(PIXELS))[3])


def test_what_the_principle_says_is_so() -> None:
    chance = random.Random(53)
    values = {p.name: np.arange(4, dtype=np.uint8) for p in PIXELS[:4]}
    grids = np.array(np.meshgrid(*values.values())).reshape(4, -1)
    env = dict(zip(values, grids, strict=True))

    def drawn(depth: int) -> Expr:
        if depth == 0 or chance.random() < 0.2:
            return chance.choice(PIXELS[:4])
        kind = chance.choice((Min, Max))
        made: Expr = kind(drawn(depth - 1), drawn(depth - 1))
        return made

    verdicts = set()
    for _ in range(300):
        a, b = drawn(3), drawn(3)
        equal = bool(np.array_equal(evaluate(a, env), evaluate(b, env)))
        verdicts.add(equal)
        assert same_extremes(a, b) == (equal and not (a in PIXELS and b in PIXELS))
    assert verdicts == {True, False}


def test_what_depends_on_each_other_and_floats_are_left_alone() -> None:
    a, one = Variable("a", I32), const(1, I32)
    assert not same_extremes(Max(a, Add(a, one)), Add(a, one))  # true without overflow, not by this
    f, g = Variable("f", F32), Variable("g", F32)
    assert not same_extremes(Min(f, g), Min(g, f))
    assert not same_extremes(Min(PIXELS[0], PIXELS[1]), Min(Cast(I32, PIXELS[0]), a))
