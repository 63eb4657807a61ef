"""Stores that one iteration makes to several rows, each with a formula of its own."""

from __future__ import annotations

import pytest

from compiler.ir import Call, Mod, postorder
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel


def lift(rows: str, step: int = 2) -> FunctionResult:
    """A nest over `n` groups of rows; `a`, `b` and `c` are the rows that an iteration has."""
    text = f"""
#include <cstdint>
void f(uint8_t *d, const uint8_t *s, int w, int n)
{{
    for (int j = 0; j < n; j++) {{
        uint8_t *a = d + {step} * j * w, *b = a + w, *c = b + w;
        for (int x = 0; x < w; x++) {{ int t = s[j * w + x]; {rows} }}
    }}
}}
"""
    return lift_kernel(kernel(text), LiftOptions())


def test_the_remainder_of_the_row_chooses_the_formula() -> None:
    result = lift("a[x] = t; b[x] = 255 - t;")
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    assert any(isinstance(node, Mod) for node in postorder(summary.expression))
    reads = {n for n in postorder(summary.expression) if isinstance(n, Call) and n.name == "s"}
    assert len(reads) == 1, "both rows read the same element"


@pytest.mark.slow
def test_three_rows_and_two_formulas() -> None:
    result = lift("a[x] = t; b[x] = t / 2; c[x] = t;", 3)
    assert result.status == "proved", result.diagnostic


@pytest.mark.slow
def test_a_row_that_is_left_out_keeps_what_it_has() -> None:
    result = lift("a[x] = t; b[x] = t / 2;", 3)
    if result.status == "proved":
        (summary,) = result.summaries
        assert any(isinstance(n, Call) and n.name == "d" for n in postorder(summary.expression))


@pytest.mark.parametrize("rows", ["a[x] = t; a[x + w * 2] = 255 - t;", "a[x] = t; c[x] = t / 2;"])
def test_rows_that_iterations_share_are_no_pairs(rows: str) -> None:
    """The second row is the next iteration's first: it's overwritten, but for the last one."""
    assert lift(rows).status != "proved"
