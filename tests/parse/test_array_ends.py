"""Searches that nothing bounds but the end of the array that they read."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

from .parsing import body

COUNTED = "int h[256] = {0}; for (int i = 0; i < n; i++) h[s[i]]++;"
BOUNDED = (
    ("int k = 0; while (h[k] == 0) k++;", "k < 256"),
    ("int k; for (k = 255; !h[k]; --k) ;", "k >= 0"),
    ("unsigned k = n; while (h[k] == 0) ++k;", "k < 256"),
    ("int k = 3; while (h[k + 1] < 2) k++;", "k < 255"),
    ("int k = 3; while (h[k - 2] < 2) k--;", "k >= 2"),
    ("long k = 0; for (;; k++) if (h[k]) break;", "k < 256"),
)
OTHERS = (
    "unsigned k = n; while (h[k + 1] == 0) k++;",
    "unsigned k = 255; while (h[k] == 0) k--;",
    "unsigned char k = 0; while (h[k] == 0) k++;",
    "int k = 0; while (s[k] == 0) k++;",
    "int k = 0; while ((n > 3 ? h[k] : s[k]) == 0) k++;",
    "long k = 0; while (h[(int)k] == 0) k++;",
    "int k = 0; while (h[k & 255] == 0) k++;",
    "int k = 0; while (h[k] == 0) { k++; if (s[k] > 3) k += 2; }",
)


def function(search: str) -> str:
    return f"""
        #include <cstdint>
        void f(int *d, const uint8_t *s, int n) {{ {COUNTED} {search} d[0] = (int)k; }}"""


@pytest.mark.parametrize("number", range(len(BOUNDED)))
def test_the_end_of_an_array_bounds_a_search(number: int) -> None:
    search, bound = BOUNDED[number]
    assert bound in body(function(search)).replace("int64(k)", "k").replace("uint32", "")


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_other_loops_stay_without_a_bound(number: int) -> None:
    text = body(function(OTHERS[number]))
    assert "first" not in text and "256" not in text.replace("i < 256", "").replace("256)", "")


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("number", range(3))
def test_they_lift(number: int) -> None:
    search, _ = BOUNDED[number]
    asserted = "assert(n >= 0 && n < 256);" if "= n" in search else ""
    text = f"void f(int *d, const u8 *s, int n) {{ {asserted} {COUNTED} {search} d[0] = (int)k; }}"
    result = lifted(text)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
