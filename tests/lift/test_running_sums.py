"""Sums whose value in each iteration is stored: curves that equalize, made of histograms."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

RUNNING = {
    "with its own term": "s += h[i]; d[i] = (u8)(s * 255 / t);",
    "of those before": "d[i] = s; s += h[i];",
    "under a condition": "if (h[i] > t) s += h[i]; d[i] = s;",
    "of products": "s += i * h[i]; n -= h[i]; d[i] = s + n;",
    "by way of another": "unsigned m = s; s = m + h[i]; d[i] = m ^ s;",
    "not always stored": "s += h[i]; if (h[i]) d[i] = s;",
    "in the order of another count": "s += h[99 - i]; d[i] = s;",
}


def table(body: str, count: str = "100", entry: str = "0") -> str:
    loop = f"unsigned s = {entry}; for (int i = 0; i < {count}; i++) {{ {body} }}"
    return f"void f(unsigned *h, unsigned *d, unsigned t, unsigned n) {{ {loop} }}"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", RUNNING)
def test_each_element_has_a_sum_of_those_before(way: str) -> None:
    result = lifted(table(RUNNING[way]))
    assert result.status == "proved", result.diagnostic
    assert difference(result, 20) is None


@pytest.mark.slow
def test_it_begins_as_any_number_and_is_there_behind_the_loop() -> None:
    result = lifted(table("d[i] = s; s += h[i];", "100", "t * 3").replace("} }", "} d[100] = s; }"))
    assert result.status == "proved", result.diagnostic
    assert difference(result, 20) is None


@pytest.mark.slow
def test_each_row_has_sums_of_its_own() -> None:
    row = "unsigned s = 0; for (int i = 0; i < 80; i++) { s += h[i]; d[i] = s; } h += 80; d += 80;"
    result = lifted(f"void f(unsigned *h, unsigned *d, int n) {{ while (n--) {{ {row} }} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 20) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("s += h[i]; h[i] = s;", "100"),  # terms that the loop changes
        ("s += h[i]; d[i] = s; h[i + 1] = t;", "100"),
        ("s += d[i]; h[i] = s; d[99 - i] = t;", "100"),
        ("s += h[i] * (s & 1); d[i] = s;", "100"),  # no sum
        ("s = (s >> 1) + h[i]; d[i] = s;", "100"),
        ("s += h[i]; t += s; d[i] = t;", "100"),  # sums of sums
        ("s += h[i]; d[i] = s;", "n"),  # as many terms as there are pixels
        ("s += h[i]; d[i] = s;", "5000"),
    ],
)
def test_other_values_stay_with_the_loop(body: str, count: str) -> None:
    result = lifted(table(body, count))
    assert result.status != "proved" or any(s.kind == "scan" for s in result.summaries)
    assert result.status != "proved" or difference(result, 40) is None


def test_a_sum_that_goes_on_in_the_next_row_is_another_one() -> None:
    row = "for (int i = 0; i < 80; i++) { s += h[i]; d[i] = s; } h += 80; d += 80;"
    head = "void f(unsigned *h, unsigned *d, int n)"
    assert lifted(f"{head} {{ unsigned s = 0; while (n--) {{ {row} }} }}").status != "proved"


@pytest.mark.parametrize("size", ["w / 8", "(w + 3) / 4", "w / 8 + 1", "w / -3"])
def test_a_sum_has_as_many_terms_as_a_size_divided_towards_zero(size: str) -> None:
    head = "void f(int *o, const u8 *s, int w)"
    result = lifted(f"{head} {{ int t = 0; for (int i = 0; i < {size}; i++) t += s[i]; *o = t; }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 60) is None
