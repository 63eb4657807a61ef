"""Stages of one nest: each reads what was there before all of them."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

LOOP = "for (int i = 0; i < n; i++)"
FIRST = f"{LOOP} a[i] = 1 + s[i] / 2; {LOOP} c[i] = a[i] * 5;"
MADE = f"{LOOP} {{ a[i] = s[i]; b[i] = 3 * s[i]; }}"
USED = f"{LOOP} d[i] = a[i] - b[n - 1 - i];"
HEAD = "#include <vector>\nvoid f(int *d, const int *s, int *c, int n)"
VECTORS = "assert(n >= 0); std::vector<int> a(n), b(n);"

EXCHANGED = {
    "two": "{ int t = a[i]; a[i] = b[i]; b[i] = t; }",
    "one of the other": "{ int t = a[i]; a[i] = b[i]; b[i] = t + b[i]; }",
    "both of both": "{ int t = a[i]; a[i] = t + b[i]; b[i] = t - b[i]; }",
    "the second first": "{ int t = b[i]; b[i] = a[i]; a[i] = 2 * t; }",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", EXCHANGED)
def test_what_one_overwrites_is_there_for_another(way: str) -> None:
    body = f"{VECTORS} {FIRST} {MADE} {LOOP} {EXCHANGED[way]} {USED}"
    result = lifted(f"{HEAD} {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_what_all_of_a_nest_overwrite_is_left_out() -> None:
    again = MADE.replace("3 *", "5 *")
    result = lifted(f"{HEAD} {{ {VECTORS} {MADE} {again} {USED} }}")
    assert [s.output for s in result.summaries] == ["a", "b", "d"]
    assert difference(result) is None
