"""Loops that end where a function says, lifted end to end."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

FUNCTIONS = """
static inline int down(int n, int to) { return n & ~(to - 1); }
static inline int up(int n, int to) { return (n + to - 1) / to * to; }
static inline int half(int n) { return n >> 1; }
"""
BODIES = {
    "rounded down": "for (int i = 0; i < down(n, 4); i++) d[i] = s[i] + 1;",
    "a copy of it": "int m = down(n, 4); for (int i = 0; i < m; i++) d[i] = s[i] + 1;",
    "rounded up": "for (int i = 0; i < up(n, 8); i++) d[i] = s[i] + 1;",
    "halves": "for (int y = 0; y < half(h); y++) for (int x = 0; x < half(n); x++)"
    " d[y * half(n) + x] = s[2 * y * n + 2 * x];",
}


def function(body: str) -> str:
    return f"{FUNCTIONS}\nvoid f(u8 *d, const u8 *s, int n, int h) {{ {body} }}"


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", BODIES)
def test_a_loop_ends_where_a_function_says(way: str) -> None:
    result = lifted(function(BODIES[way]))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_one_that_the_loop_changes_is_no_end() -> None:
    body = "for (int i = 0; i < half(h); i++) { d[i] = s[i]; h = h * n + 1; }"
    assert lifted(function(body)).status != "proved"
