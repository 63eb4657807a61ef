"""Choices that come to the same in all cases that are possible."""

from __future__ import annotations

import random
from itertools import product

import pytest

from compiler.ir import I64, LT, Add, And, Const, Expr, Not, Or, Select, Variable, const, evaluate
from lifter.dag import negate, normal
from lifter.dag.cases import in_all_cases
from tests.verify.differential import difference, lifted

Q, N, M, K = (Variable(name, I64) for name in "qnmk")
C, D = LT(N, const(3, I64)), LT(M, K)
NEXT = Add(Q, const(4, I64))


def test_a_choice_that_makes_no_difference_is_none() -> None:
    moved = Select(C, Select(D, NEXT, Q), Q)
    assert in_all_cases(normal(Select(And(C, D), moved, NEXT))) == normal(NEXT)
    assert in_all_cases(normal(moved), (Or(negate(C), negate(D)),)) == Q
    assert in_all_cases(normal(moved), (And(C, D),)) == normal(NEXT)


def test_one_that_does_stays() -> None:
    for index, known in (
        (Select(C, NEXT, Q), ()),
        (Select(C, Select(D, NEXT, Q), Q), (Or(C, D),)),
        (Select(C, NEXT, Q), (D,)),
        (Select(C, NEXT, Q), (C, negate(C))),  # nothing is possible
    ):
        assert in_all_cases(normal(index), known) == normal(index)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("seed", range(6))
def test_it_means_the_same_wherever_what_is_known_holds(seed: int) -> None:
    source = random.Random(seed)
    tests = [LT(N, const(1, I64)), LT(M, const(1, I64)), LT(N, M)]

    def condition(depth: int) -> Expr:
        kind = source.choice("andort" if depth else "t")
        if kind in "an":
            return And(condition(depth - 1), condition(depth - 1))
        if kind in "od":
            return Or(condition(depth - 1), condition(depth - 1))
        return Not(condition(depth - 1)) if kind == "r" else source.choice(tests)

    def value(depth: int) -> Expr:
        if not depth:
            return source.choice((Q, NEXT))
        return Select(condition(1), value(depth - 1), value(depth - 1))

    for _ in range(60):
        index, known = normal(value(2)), normal(condition(2))
        if isinstance(index, Const) or isinstance(known, Const):
            continue
        found = in_all_cases(index, (known,))
        for n, m in product(range(-1, 3), repeat=2):
            at = {"q": 7, "n": n, "m": m}
            if evaluate(known, at):
                assert evaluate(found, at) == evaluate(index, at)


PIXELS = "struct P { uint16_t b, g, r, o; };"
WALKS = {
    "two tests": "if (k) if (q->r != q->g || q->g != q->b) { q++; continue; } q->r = 9; q++;",
    "three ways": "if (q->r > 9) { q++; continue; } if (k && q->g > 9) { q++; continue; }"
    " q->b = 1; q++;",
    "else": "if (k > 3) { if (q->r) { q->g = 1; q++; } else q++; } else { q++; }",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", WALKS)
def test_a_pointer_that_all_ways_move_alike_walks(way: str) -> None:
    result = lifted(
        f"{PIXELS} void f(P *q, int n, int k) {{ for (int x = 0; x < n; x++) {{ {WALKS[way]} }} }}"
    )
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_one_that_a_way_moves_further_does_not() -> None:
    body = "if (k) if (q->r != q->g) { q += 2; continue; } q->r = 9; q++;"
    result = lifted(
        f"{PIXELS} void f(P *q, int n, int k) {{ for (int x = 0; x < n; x++) {{ {body} }} }}"
    )
    assert result.status == "failed"
