"""Scalars that some of a loop's iterations move: the first ones, the last ones, every other one."""

from __future__ import annotations

from itertools import product

import pytest

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    Add,
    Expr,
    Mod,
    Mul,
    Variable,
    const,
    evaluate,
)
from lifter.dag import normal
from lifter.dag.counted import iterations_where
from tests.verify.differential import difference, lifted

J, N = Variable("i", I64), Variable("n", I64)


def is_invariant(expr: Expr) -> bool:
    return True


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kind", [LT, LE, GE, GT])
@pytest.mark.parametrize("slope", [1, -1])
def test_iterations_up_to_a_bound_are_counted(kind: type, slope: int) -> None:
    for offset, turned in product((-2, 0, 3), (False, True)):
        moving = Add(Mul(const(slope, I64), J), const(offset, I64))
        condition = kind(N, moving) if turned else kind(moving, N)
        found = iterations_where(normal(condition), J, is_invariant)
        assert found is not None, condition
        for n, i in product(range(-5, 8), range(7)):
            wanted = sum(bool(evaluate(condition, {"i": j, "n": n})) for j in range(i))
            assert evaluate(found, {"i": i, "n": n}) == wanted, (condition, found, i, n)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kind", [EQ, NE])
@pytest.mark.parametrize("divisor", [1, 2, 3, 5])
def test_iterations_with_a_remainder_are_counted(kind: type, divisor: int) -> None:
    for offset, wanted in product((-4, 0, 1, 7), range(-1, divisor + 1)):
        condition = kind(Mod(Add(J, const(offset, I64)), const(divisor, I64)), const(wanted, I64))
        found = iterations_where(condition, J, is_invariant)
        assert found is not None
        for i in range(12):
            count = sum(bool(evaluate(condition, {"i": j})) for j in range(i))
            assert evaluate(found, {"i": i}) == count, (condition, found, i)


def test_others_are_not() -> None:
    for condition in (LT(Mul(J, const(2, I64)), N), LT(Mul(J, J), N), EQ(J, N), EQ(Mod(J, N), N)):
        assert iterations_where(normal(condition), J, is_invariant) is None
    assert iterations_where(LT(J, N), J, lambda expr: False) is None


ROWS = "void f(u8 *d, const u8 *s, int w, int h, int k) {"
MOVED = {
    "rows below": "const u8 *a = s, *c = s, *b = s + w; for (int y = 0; y < h; y++) {"
    " for (int x = 0; x < w; x++) d[x] = (a[x] + 2 * c[x] + b[x]) >> 2;"
    " a = c; c = b; if (y < h - 2) b += w; d += w; }",
    "all but the last": "const u8 *p = s; for (int y = 0; y < h; y++) {"
    " for (int x = 0; x < w; x++) d[y * w + x] = p[x]; if (y + 1 < h) p += w; }",
    "from one on": "int r = 3; for (int x = 0; x < w; x++) { d[x] = s[r]; if (x >= k) r += 2; }",
    "every other": "int u = 0; for (int x = 0; x < w; x++) { d[x] = s[u]; if (x & 1) u++; }",
    "every third, and others": "int u = 5; for (int x = 0; x < w; x++) { d[x] = s[u];"
    " if (x % 3 == 1) u += 4; else u += 1; }",
    "pointers": "const u8 *p = s; for (int x = 0; x < w; x++) {"
    " d[x] = *p; if ((x & 3) == 3) p++; }",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", MOVED)
def test_they_are_functions_of_the_iteration(way: str) -> None:
    result = lifted(f"{ROWS} {MOVED[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        "int u = 0; for (int x = 0; x < w; x++) { d[x] = s[u]; if (s[x] & 1) u++; }",
        "int u = 0; for (int x = 0; x < w; x++) { d[x] = s[u]; if (u < k) u += 2; }",
        "int u = 0; for (int x = 0; x < w; x++) { d[x] = s[u]; if (x < d[0]) u++; }",
    ],
)
def test_what_pixels_or_the_scalar_itself_decide_is_none(body: str) -> None:
    assert lifted(f"{ROWS} {body} }}").status != "proved"
