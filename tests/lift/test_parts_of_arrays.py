"""Arrays of a function's own that one loop fills and another stores a part of anew."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

HEAD = "#include <vector>\nvoid f(int *d, const u8 *s, int n, int w, int k)"
BOUNDS = "assert(n >= 0 && w >= 0 && n < 9000 && w < 9000 && k >= 0 && k < 9000);"
BORDER = "std::vector<int> a(n + 1, k);"
COPY = "for (int i = 0; i < n; i++) a[i + 1] = s[i];"
READ = "for (int i = 0; i < n; i++) d[i] = a[i]"

PARTS = {
    "all but the first": f"{BORDER} {COPY} {READ} + a[i + 1];",
    "all but some": f"std::vector<int> a(n + k, 7); for (int i = 0; i < n; i++) a[i + k] = s[i];"
    f" {READ};",
    "the middle": "std::vector<int> a(n + 2); for (int i = 0; i < n + 2; i++) a[i] = k;"
    f" {COPY} {READ} + a[i + 1] + a[i + 2];",
    "rows but the first": "std::vector<int> a((n + 1) * w); for (int y = 0; y <= n; y++)"
    " for (int x = 0; x < w; x++) a[y * w + x] = k; for (int y = 0; y < n; y++)"
    " for (int x = 0; x < w; x++) a[(y + 1) * w + x] = s[y * w + x];"
    " for (int y = 0; y < n; y++) for (int x = 0; x < w; x++) d[y * w + x] = a[y * w + x];",
    "of what is stored to": "std::vector<int> a(n, 3);"
    f" for (int i = 0; i + k < n; i++) a[i + k] = d[i]; {READ} + d[i];",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", PARTS)
def test_the_rest_is_what_it_was(way: str) -> None:
    result = lifted(f"{HEAD} {{ {BOUNDS} {PARTS[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 40) is None


OTHERS = {
    "never filled": f"std::vector<int> b(n + 1); int *a = b.data(); {COPY} {READ} + a[n];",
    "past its end": f"std::vector<int> a(n, k); {COPY} {READ};",
    "filled in between": f"{BORDER} {COPY} for (int i = 0; i < n; i++) a[i] = 5; {READ};",
    "every other one": f"{BORDER} for (int i = 0; 2 * i < n; i++) a[2 * i] = s[i]; {READ};",
    "where a pixel says": f"{BORDER} for (int i = 0; i < n; i++) if (s[i]) a[i + 1] = 2; {READ};",
    "again and again": f"{BORDER} {COPY} for (int i = 0; i < n; i++) a[1] = s[i]; {READ};",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", OTHERS)
def test_what_is_left_is_what_was_stored_last(way: str) -> None:
    result = lifted(f"{HEAD} {{ {BOUNDS} {OTHERS[way]} }}")
    assert result.status != "proved" or difference(result, 60) is None
