"""Loops over as many elements as a product of sizes says, whose wrapping the guard rules out."""

from __future__ import annotations

import pytest

from compiler.ir import GE, I64, LE, Add, Const, Div, Expr, Mul, Sub, Variable, const, evaluate
from lifter.dag import normal
from lifter.model.parameters import parameters
from lifter.verify.assumptions import in_smaller_numbers, stated
from lifter.verify.decide import Prover
from tests.verify.differential import difference, lifted, parsed

COUNTED = {
    "two": "size_t n = (size_t)w * h; for (size_t k = 0; k < n; k++)",
    "pixels": "for (size_t k = 0; k < (size_t)w * h * 4; k++)",
    "in steps": "for (size_t k = 0; k < (size_t)w * h * 3; k += 3)",
    "three": "const size_t n = (size_t)c * w * h; for (size_t k = 0; k < n; k++)",
    "unsigned": "for (size_t k = 0; k < 4 * v * u; k++)",
    "signed": "for (ptrdiff_t k = 0; k < (ptrdiff_t)c * w * h; k++)",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", COUNTED)
def test_as_many_elements_as_a_product_says(way: str) -> None:
    parameters = "u8 *d, const u8 *s, int w, int h, int c, size_t v, size_t u"
    result = lifted(f"void f({parameters}) {{ {COUNTED[way]} d[k] = 255 - s[k]; }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_a_guard_rules_out_that_a_product_of_three_wraps() -> None:
    text = "void f(u8 *d, const u8 *s, int w, int h, int c) { const size_t n = (size_t)c * w * h; "
    result = lifted(text + "for (size_t k = 0; k < n; k++) d[k] = s[k]; }")
    assert result.proof is not None
    (tested,) = [p.formula for p in result.proof.preconditions if p.formula is not None]
    for large in ((1 << 16, 1 << 16, 4), (-1, -1, 5), (5, -3, -2), (1 << 30, 1 << 30, 1)):
        assert not evaluate(tested, dict(zip("whc", large, strict=True)))
    for small in ((1920, 1080, 4), (0, 5, 1 << 30), (1 << 20, 1 << 10, 1)):
        assert evaluate(tested, dict(zip("whc", small, strict=True)))


def test_a_guard_tests_products_within_quotients_of_which_there_are_two() -> None:
    """Pixels of two bytes at positions in fixed point, `2 * (u >> 16) + 2 * left` behind a row of
    steps: half of that is at most half as much, of which the guard computes products of sums."""
    kernel = parsed(
        "void f(u8 *d, int a, int b, unsigned step, unsigned u, int left) { d[0] = a; }"
    )
    a, b, step, u, left = (Variable(name, I64) for name in ("a", "b", "step", "u", "left"))
    four = const(4, I64)
    last = Add(Mul(Mul(Div(Sub(b, a), four), step), four), Sub(u, Mul(step, four)))
    place = Mul(Add(Div(last, const(65536, I64)), left), const(2, I64))
    formula = LE(place, const((1 << 31) - 1, I64))
    assumptions = stated(kernel, Prover(parameters(kernel)), ())
    assert assumptions.decide(formula, (), [formula]).proved
    (tested,) = assumptions.formulas
    usual = {"a": 3, "b": 1923, "step": 40000, "u": 7, "left": 5}
    assert evaluate(tested, usual) and evaluate(formula, usual)
    for large in ({"left": 1 << 30}, {"a": -(1 << 31), "b": (1 << 31) - 1}):
        assert not evaluate(tested, usual | large)


W, H, C = (Variable(name, I64) for name in "whc")


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("factor", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("limit", range(-9, 10))
def test_the_same_is_said_of_smaller_numbers(factor: int, limit: int) -> None:
    product = Mul(Mul(W, H), const(factor, I64))
    for formula in (
        LE(product, const(limit, I64)),
        GE(product, const(limit, I64)),
        LE(Sub(product, const(1, I64)), const(limit, I64)),
        GE(Add(product, Mul(W, const(2 * factor, I64))), const(limit, I64)),
    ):
        plain = in_smaller_numbers(normal(formula))
        for w in range(-4, 5):
            for h in range(-4, 5):
                assert _holds(plain, w, h) == _holds(formula, w, h), (plain, formula, w, h)


@pytest.mark.parametrize("limit", [0, 1, 5, 24, (1 << 31) - 1])
def test_a_product_of_three_is_said_to_be_small_where_no_factor_is_negative(limit: int) -> None:
    formula = LE(Mul(Mul(W, H), C), const(limit, I64))
    plain = in_smaller_numbers(normal(formula))
    numbers = (*range(-3, 5), 30, 1 << 30)
    for w in numbers:
        for h in numbers:
            for c in numbers:
                wanted = min(w, h, c) >= 0 and w * h * c <= limit
                assert _holds(plain, w, h, c) == wanted, (plain, w, h, c)


def _holds(formula: Expr, w: int, h: int, c: int = 0) -> bool:
    if isinstance(formula, Const):
        return bool(formula.value)
    return bool(evaluate(formula, {"w": w, "h": h, "c": c}))


@pytest.mark.parametrize("limit", [-7, 0, 5, 24])
def test_products_that_share_a_factor_are_one_of_a_smaller_number(limit: int) -> None:
    formula = LE(Add(Sub(Mul(W, H), Mul(W, C)), Sub(H, W)), const(limit, I64))
    plain = in_smaller_numbers(normal(formula))
    assert plain is not normal(formula)
    numbers = (*range(-3, 5), 30)
    for w in numbers:
        for h in numbers:
            for c in numbers:
                assert _holds(plain, w, h, c) == _holds(formula, w, h, c), (plain, w, h, c)
    assert not _holds(plain, 0, 1 << 30, -(1 << 31))  # what is multiplied has more than 32 bits
