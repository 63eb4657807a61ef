"""Division by a pixel: where nothing is divided by zero, both divisions are the same."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.ir import (
    I8,
    I32,
    NE,
    U8,
    Cast,
    Const,
    Div,
    Expr,
    Mod,
    Or,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    const,
    evaluate,
)  # fmt: skip
from compiler.ir.operators import Range
from lifter.verify.canonical import LeafIntervals, canonical
from lifter.verify.known_ranges import known_ranges
from tests.verify.differential import difference, lifted

RATIO = "static inline uint16_t ratio(u8 a, u8 b) { unsigned t = (a * 255u + b / 2u) / b; return "
KERNEL = "void f(uint16_t *d, const u8 *s, int n) { for (int i = 0; i < n; i++) d[i] = "


@pytest.mark.parametrize("type", [U8, I8])
@pytest.mark.parametrize("kinds", [(TruncDiv, Div), (TruncMod, Mod)])
def test_the_divisions_agree_on_all_bytes_that_the_law_is_about(
    type: Type, kinds: tuple[type[Expr], type[Expr]]
) -> None:
    n, d = Variable("n", type), Variable("d", type)
    toward_zero, euclid = (kind(n, d) for kind in kinds)
    known: dict[Expr, Range] = {n: (0, type.max), d: (1, type.max)}
    assert canonical(toward_zero, LeafIntervals(known)) is euclid
    ns, ds = np.meshgrid(np.arange(type.max + 1), np.arange(1, type.max + 1))
    values = {"n": ns.ravel().astype(f"{type}"), "d": ds.ravel().astype(f"{type}")}
    assert np.array_equal(evaluate(toward_zero, values), evaluate(euclid, values))


def test_the_law_says_nothing_of_what_may_be_negative() -> None:
    n, d = Variable("n", I32), Variable("d", I32)
    cases: list[dict[Expr, Range]] = [
        {n: (0, 9)},
        {n: (0, 9), d: (-1, 9)},
        {n: (-1, 9), d: (1, 9)},
        {d: (1, 9)},
    ]
    for known in cases:
        assert canonical(TruncDiv(n, d), LeafIntervals(known)) is not Div(n, d)
    # By 0 one of them is undefined, and may be what the other one is there.
    assert canonical(TruncDiv(n, d), LeafIntervals({n: (0, 9), d: (0, 9)})) is Div(n, d)
    assert canonical(Div(n, d), LeafIntervals({n: (0, 9), d: (0, 9)})) is Div(n, d)


def test_a_number_that_isnt_the_least_is_greater() -> None:
    n, b = Variable("n", I32), Variable("b", U8)
    zero = const(0, I32)
    assert known_ranges([NE(Cast(I32, b), zero)]) == {b: (1, 255)}
    assert known_ranges([NE(n, Const(I32, 7))]).get(n, (I32.min, I32.max)) == (I32.min, I32.max)
    assert known_ranges([NE(b, const(0, U8)), NE(b, const(255, U8))]) == {b: (1, 254)}
    assert b not in known_ranges([Or(NE(b, const(0, U8)), NE(n, zero))])


def test_a_function_that_is_called_only_where_it_divides_by_something_is_proved() -> None:
    result = lifted(RATIO + "t < 255 ? t : 255; }\n" + KERNEL + "s[i] == 0 ? 9 : ratio(7, s[i]); }")
    assert result.status == "proved", result.diagnostic
    assert "ratio" in repr(result.summaries[0].expression)
    assert difference(result) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "call",
    [
        "s[i] == 0 ? 255 : ratio(7, s[i]); }",
        "s[i] == 0 ? 0 : ratio(7, s[i]); }",
        "s[i] == 0 ? 1785 : ratio(7, s[i]); }",
        "s[i] == 0 ? 65535 : ratio(7, s[i]); }",
    ],
)
def test_what_the_prover_takes_a_division_by_zero_for_is_no_value(call: str) -> None:
    """Z3 says all ones, the evaluation says n / 1, the DSL 0: none may stand for the branch."""
    result = lifted(RATIO + "(uint16_t)t; }\n" + KERNEL + call)
    assert result.status != "proved" or difference(result) is None
