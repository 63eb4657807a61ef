"""Least and greatest numbers that one `else` tells apart."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

BEGIN = "{type} lo, hi; lo = hi = s[0];"
ROWS = "for (int y = 0; y < h; y++, s += w) for (int x = 0; x < w; x++)"
EXTREMES = "if (s[x] < lo) lo = s[x]; else if (s[x] > hi) hi = s[x];"


def function(type: str, begin: str, body: str, end: str = "r[0] = lo; r[1] = hi;") -> str:
    head = f"void f({type} *r, const {type} *s, int w, int h, {type} a)"
    return f"{head} {{ {begin.format(type=type)} {ROWS} {{ {body} }} {end} }}"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("type", ["int", "float"])
@pytest.mark.parametrize(
    ("begin", "body"),
    [
        (BEGIN, EXTREMES),
        (
            "{type} lo = s[0], hi = s[0];",
            "if (s[x] > hi) hi = s[x]; else if (lo > s[x]) lo = s[x];",
        ),
        ("{type} lo = a, hi = lo;", "{ " + EXTREMES + " }"),
    ],
)
def test_both_are_found(type: str, begin: str, body: str) -> None:
    result = lifted(function(type, begin, body))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("begin", "body"),
    [
        ("{type} lo = a + 9, hi = a;", EXTREMES),  # not one value
        ("{type} lo = s[0]; r[0] = a; {type} hi = r[0];", EXTREMES),
        ("{type} lo = a, hi = lo; lo = lo + 1;", EXTREMES),
        (BEGIN, "if (s[x] < lo) lo = s[x]; else if (s[x] > hi) hi = s[x]; if (x == 3) lo = a;"),
        (BEGIN, "if (s[x] < lo) lo = s[x]; else if (s[x] > hi) hi = s[x] + 1;"),
        (BEGIN, "if (s[x] < lo) lo = s[x]; else if (s[x] < hi) hi = s[x];"),
        (BEGIN, "if (s[x] < lo) lo = s[x] - 1; else if (s[x] > hi) hi = s[x];"),
        (BEGIN, "if (s[x] < lo) { lo = s[x]; hi = a; } else if (s[x] > hi) hi = s[x];"),
    ],
)
def test_others_are_not_taken_for_these(begin: str, body: str) -> None:
    for type in ("int", "float"):
        result = lifted(function(type, begin, body))
        assert result.status != "proved" or difference(result) is None
