"""Pointers into the rows of a table: which of them may be compared."""

from __future__ import annotations

import pytest

from .parsing import body, failure

ROWS = "void f(unsigned char **d, const unsigned char **s, int n, int h) "


@pytest.mark.parametrize(
    "iteration",
    [
        "unsigned char *p = d[y]; const unsigned char *end = p + n; while (p < end) *p++ = 1;",
        "for (unsigned char *p = d[y], *const end = p + n; p != end; ++p) *p = 2;",
        "const unsigned char *q = s[y], *end = q + n; while (q < end) d[y][0] += *q++;",
    ],
)
def test_a_row_ends_where_its_end_pointer_is(iteration: str) -> None:
    assert ".row" in body(f"{ROWS}{{ for (int y = 0; y < h; y++) {{ {iteration} }} }}")


@pytest.mark.parametrize(
    "iteration",
    [
        "unsigned char *p = d[y], *end = p + n; p = d[0]; while (p < end) *p++ = 1;",
        "unsigned char *p = d[y], *end = d[y + 1]; while (p < end) *p++ = 1;",
        "unsigned char *p = d[y], *end = p + n, *&r = p; r = d[h]; while (p < end) *p++ = 1;",
    ],
)
def test_pointers_that_may_be_in_different_rows_are_not_compared(iteration: str) -> None:
    found = failure(f"{ROWS}{{ for (int y = 0; y < h; y++) {{ {iteration} }} }}")
    assert found.code in ("pointer-base", "unsupported-type")
