"""Histograms that take in what enters a window and give up what leaves it, in one loop."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

HEAD = "void f(int *h, const u8 *s, const u8 *t, int n) { for (int i = 0; i < n; i++) { "
MOVED = (
    "h[s[i]]--; h[t[i]]++;",
    "h[s[i]]++; h[t[i]]--;",
    "h[s[i]] -= t[i]; h[t[i]] += 3; h[t[i] >> 1]--;",
)
OTHERS = (
    "h[s[i]]--; h[t[i]] = 1 - h[t[i]];",
    "h[s[i]]--; h[t[i]] += h[s[i]];",
    "h[s[i]]--; h[t[i]] -= 2 * h[t[i]];",
    "h[s[i]]--; h[t[i]] = 0;",
    "if (h[s[i]] > 0) h[s[i]]--; h[t[i]]++;",
    "int a = h[s[i]]; h[t[i]]++; h[s[i]] = a - 1;",
)


@pytest.mark.parametrize("body", MOVED)
def test_what_enters_and_what_leaves_are_two_updates(body: str) -> None:
    result = lifted(HEAD + body + " } }")
    assert result.status == "proved", result.diagnostic
    assert len(result.summaries) == body.count("h[")
    assert difference(result) is None


@pytest.mark.parametrize("body", OTHERS)
def test_what_depends_on_the_order_of_both_is_not_taken_apart(body: str) -> None:
    assert lifted(HEAD + body + " } }").status != "proved"
