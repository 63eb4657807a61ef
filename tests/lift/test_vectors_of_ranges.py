"""Vectors that are made of what lies between two pointers, or two iterators."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

HEAD = "#include <vector>\nvoid f(int *d, const int *s, int n, int k)"
BOUNDS = "assert(n >= 0 && n < 9000 && k >= 0 && k < 9000);"
BACK = "for (int i = 0; i < n; i++) d[i] = v[n - 1 - i];"

RANGES = {
    "pointers": f"std::vector<int> v(s, s + n); {BACK}",
    "from a place on": f"std::vector<int> v(s + k, s + k + n); {BACK}",
    "of what is overwritten": f"std::vector<int> v(d, d + n); {BACK}",
    "iterators": f"std::vector<int> u(n, k); std::vector<int> v(u.begin(), u.end()); {BACK}",
    "other numbers": f"std::vector<float> v(s, s + n); {BACK}",
    "two names": f"const int *e = s + n; std::vector<int> v(s, e); {BACK}",
    "how many": "std::vector<int> v(s, s + n);"
    " for (int i = 0; i < n; i++) d[i] = s[i] + (int)v.size();",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", RANGES)
def test_a_vector_has_what_lies_between(way: str) -> None:
    result = lifted(f"{HEAD} {{ {BOUNDS} {RANGES[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 30) is None


def test_a_copy_is_of_what_was_there() -> None:
    body = f"std::vector<int> v(d, d + n); for (int i = 0; i < n; i++) d[i] = 1; {BACK}"
    result = lifted(f"{HEAD} {{ {BOUNDS} {body} }}")
    assert result.status != "proved" or difference(result, 30) is None
