"""Indices of 64 bits out of memory: proved, or honestly not, and never a fault."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.parse.parsing import kernel


def test_an_index_that_32_bits_may_not_hold_is_limited_to_them() -> None:
    text = (
        "void f(int *d, const int *s, const long *at, int n)"
        " { for (int i = 0; i < n; i++) d[i] = s[at[i]]; }"
    )
    found = lift_kernel(kernel(text), LiftOptions(search_budget=1000))
    assert found.status == "proved" and found.proof is not None
    assert any(p.kind == "limit" for p in found.proof.preconditions)


def test_an_address_that_32_bits_may_not_hold_is_no_fault() -> None:
    text = (
        "void f(int *d, const int *s, const long *at, int n)"
        " { const int *p = s + *at; for (int i = 0; i < n; i++) d[i] = p[i]; }"
    )
    found = lift_kernel(kernel(text), LiftOptions(search_budget=1000))
    assert found.status == "unproved" and found.diagnostic is not None
    assert found.diagnostic.code in ("few-calls", "undecided")


@pytest.mark.parametrize(
    "text",
    [
        "void f(int *d, const int *s, const int *at, int n)"
        " { for (int i = 0; i < n; i++) d[i] = s[at[i]]; }",
        "void f(int *d, const int *s, const long *at, int n)"
        " { for (int i = 0; i < n; i++) d[i] = s[at[i] % 1000]; }",
        "void f(long *d, const long *s, int n)"
        " { long t[4] = {1, 5, 2, 8}; for (int i = 0; i < n; i++) d[i] = t[s[i] & 3]; }",
    ],
)
def test_an_index_that_32_bits_hold_is_proved(text: str) -> None:
    assert lift_kernel(kernel(text), LiftOptions(search_budget=1000)).status == "proved"
