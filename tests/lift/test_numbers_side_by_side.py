"""Numbers stored one after the other, each of which depends on what all of them were before."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

TABLE = "for (int i = 0; i < 8; i++) d[i] = s[i] * k;"
ROW = "for (int i = 0; i < n; i++)"
STORED = {
    "what a table was made for": "int level = *a, way = *b; if (level != k || way != n) {"
    f" {TABLE} level = k; way = n; }} *a = level; *b = way;",
    "two that change places": f"{ROW} d[i] = s[i]; int t = *a; *a = *b; *b = t;",
    "three of which one decides": f"{ROW} d[i] = s[i]; int t = *a, u = *b, v = *c;"
    " if (t > k) { t = k; u = n; v = 0; } *a = t; *b = u; *c = v;",
    "one of the others' sum": f"{ROW} d[i] = s[i]; int t = *a + *b; *a = t - *c; *b = t; *c = t;",
    "a loop between that needs neither": f"int t = *a; *a = k; {ROW} d[i] = s[i]; *b = t;",
}
PARAMETERS = "u8 *d, const u8 *s, int n, int k, int *a, int *b, int *c"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", STORED)
def test_numbers_are_stored_at_once(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {STORED[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


NOT_AT_ONCE = {
    "a loop between reads the second": f"int t = *a; *a = k; {ROW} d[i] = s[i] + *b; *b = t;",
    "the second reads the first anew": "int t = *a + *b; *a = k; *b = t + *a;",
    "stored twice": "int t = *a; *a = k; *b = 1; *a = 2; *b = t;",
    "a loop between stores the second": f"int t = *a; *a = k; {ROW} *b += s[i]; *b = t;",
}


@pytest.mark.parametrize("way", NOT_AT_ONCE)
def test_what_happens_between_is_not_passed_over(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {ROW} d[i] = s[i]; {NOT_AT_ONCE[way]} }}")
    assert result.status != "proved" or difference(result) is None
