"""Rows that a loop over columns names one by one: `p[0] = ...; p[stride] = ...; p++`."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

NAMED = {
    "an edge between two rows": "u8 *p = d; for (int x = 0; x < 16; x++, p++) {"
    " int a = p[-2 * st], b = p[-st], c = p[0], e = p[st];"
    " if (b - c < k && a < k) { p[-st] = (2 * a + b + e + 2) >> 2;"
    " p[0] = (2 * e + c + b) >> 2; } }",
    "four rows": "for (int x = 0; x < w; x++) { d[x] = s[x]; d[x + st] = s[x + st];"
    " d[x + 2 * st] = s[x + 2 * st]; d[x + 3 * st] = 255 - s[x]; }",
    "each pixel four times": "for (int x = 0; x < w; x++) { u8 v = s[x]; d[2 * x] = v;"
    " d[2 * x + 1] = v; d[2 * x + st] = v; d[2 * x + 1 + st] = v; }",
    "columns in place": "for (int x = 0; x < 8; x++) { int a = d[x], b = d[x + st];"
    " d[x] = (a + b) >> 1; d[x + st] = (a - b) >> 1; }",
    "not all of them": "for (int x = 0; x < w; x++) { d[x] = s[x]; d[x + 2 * st] = s[x] / 2; }",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", NAMED)
def test_rows_that_are_named_are_rows(way: str) -> None:
    result = lifted(f"void f(u8 *d, const u8 *s, int st, int w, int k) {{ {NAMED[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        "for (int x = 0; x < w; x++) { d[x] = s[x]; d[x + st] = d[x + 1]; }",
        "for (int x = 0; x < w; x++) { d[x] = d[x + st] / 2; d[x + st] = d[x - 1]; }",
        "for (int x = 0; x < w; x++) { d[x] = 1; d[x + st] = 2; d[x + k] = 3; }",
    ],
)
def test_rows_that_may_be_each_others_are_not_taken_apart(body: str) -> None:
    result = lifted(f"void f(u8 *d, const u8 *s, int st, int w, int k) {{ {body} }}")
    assert result.status != "proved" or difference(result) is None


BLOCKS = {
    "rows": "for (int y = 0; y < 4; y++) { short *p = b + 4 * y;"
    " int s = p[0] + p[3], t = p[0] - p[3], u = p[1] + p[2], v = p[1] - p[2];"
    " p[0] = s + u; p[2] = s - u; p[1] = t * 2 + v; p[3] = t - v * 2; }",
    "columns": "for (int x = 0; x < 4; x++) { short *p = b + x;"
    " int s = p[0] + p[12], t = p[0] - p[12], u = p[4] + p[8], v = p[4] - p[8];"
    " p[0] = s + u; p[8] = s - u; p[4] = t * 2 + v; p[12] = t - v * 2; }",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", BLOCKS)
def test_a_block_is_transformed_in_place(way: str) -> None:
    result = lifted(f"void f(short *b) {{ {BLOCKS[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 20) is None
