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


CORRECTED = (
    "while (below > r) { k--; below -= h[k]; }",
    "while (below + h[k] <= r) { below += h[k]; k++; }",
    "while (below > r) below -= h[--k];",
)
"""A median that follows its window: down to where less than half lies below it, or up."""


@pytest.mark.parametrize(
    "walk", [CORRECTED[0], *(pytest.param(w, marks=pytest.mark.slow) for w in CORRECTED[1:])]
)
def test_a_walk_from_anywhere_leaves_what_it_has_added_up(walk: str) -> None:
    text = f"""
        void f(int *d, const int *counts, int k, int below, int r) {{
            assert(k >= 0 && k < 256);
            int h[256];
            for (int i = 0; i < 256; i++) h[i] = counts[i] & 7;
            {walk}
            d[0] = k;
            d[1] = below;
        }}"""
    result = lifted(text)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_what_is_added_up_to_a_hit_is_read_as_far_as_that_alone() -> None:
    text = """
        void f(int *d, const int *s, int k, int n, int t) {
            int a = 0;
            while (k < n && a <= t) { a += s[k]; k++; }
            d[0] = a;
        }"""
    result = lifted(text)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def over_a_histogram(filled: int, read: int, test: str = "true") -> str:
    return f"""
        void f(int *d, const u8 *s, const int *t, int n) {{
            int h[256], m = 0;
            for (int i = 0; i < {filled}; i++) h[i] = t[i];
            for (int k = 0; k < {read}; k++) if ({test}) m += k * h[k];
            d[0] = m;
        }}"""


@pytest.mark.parametrize(
    "filled, read, test",
    [(256, 256, "true"), (200, 120, "k < n"), (200, 256, "k < 200"), (256, 256, "h[k] < n")],
)
def test_a_sum_over_an_array_that_was_filled_before_is_one_function_with_it(
    filled: int, read: int, test: str
) -> None:
    result = lifted(over_a_histogram(filled, read, test))
    assert result.status == "proved", result.diagnostic
    assert len(result.summaries) == 2
    assert difference(result) is None


@pytest.mark.parametrize(
    "filled, read, test", [(200, 256, "true"), (200, 201, "k < n"), (200, 256, "k <= 200")]
)
def test_a_sum_over_more_than_was_filled_reads_what_was(filled: int, read: int, test: str) -> None:
    result = lifted(over_a_histogram(filled, read, test))
    assert result.status == "proved" and "h(min(int32(i1), 199))" in str(result.summaries[1])
