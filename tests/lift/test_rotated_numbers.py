"""Numbers that iterations turn around: the noise of a pixel's planes, made of one hash."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

ROTATED = {
    "always": "d[i] = k; k = k >> 9 | k << 23;",
    "where a parameter says": "d[i] = k; if (!m) k = k >> 9 | k << 23;",
    "up to a place": "if (i >= n - 3) { d[i] = i; continue; } d[i] = k; k = k >> 9 | k << 23;",
    "by either": "d[i] = k; if (m > 5) k = k >> 9 | k << 23; else k = k << 1 | k >> 31;",
    "both": "if (i < m) { d[i] = k; if (n > 7) k = k << 3 | k >> 29; } else d[i] = 0;",
}


def loop(body: str) -> str:
    head = "void f(unsigned *d, unsigned k, int n, int m)"
    return f"{head} {{ for (int i = 0; i < n; i++) {{ {body} }} }}"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", ROTATED)
def test_each_iteration_has_the_number_turned_so_often(way: str) -> None:
    result = lifted(loop(ROTATED[way]))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        "d[i] = k; k = k >> 9 | k << 22;",
        "d[i] = k; k = k >> 9 | k << 23 | 2;",
        "if (d[i]) k = k >> 9 | k << 23; d[i] = k;",  # pixels say how often
        "d[i] = k; if (i & m) k = k >> 9 | k << 23;",
        "d[i] = k; k = (int)k >> 9 | k << 23;",
    ],
)
def test_other_numbers_are_not_taken_for_such(body: str) -> None:
    result = lifted(loop(body))
    assert result.status != "proved" or difference(result) is None
