"""Rows of accumulators that go down an image: each row of it changes them once."""

from __future__ import annotations

import pytest

from lifter.model.lifted import FunctionResult
from tests.verify.differential import difference, lifted

HEAD = "#include <vector>\nvoid f(int *d, const u8 *s, int n, int w, int k)"
BOUNDS = "assert(n >= 0 && w >= 0 && n < 9000 && w < 9000 && k > 0);"
ROW = "std::vector<int> a(w, k);"
LOOPS = "for (int y = 0; y < n; y++) for (int x = 0; x < w; x++)"

ROWS = {
    "sums, before each row": f"{ROW} {LOOPS} {{ d[y * w + x] = a[x]; a[x] += s[y * w + x]; }}",
    "sums, behind each row": f"{ROW} {LOOPS} {{ a[x] += s[y * w + x]; d[y * w + x] = a[x] + 1; }}",
    "an average over time": f"{ROW} {LOOPS}"
    " { a[x] = (a[x] * 3 + s[y * w + x]) >> 2; d[y * w + x] = a[x] * 2 + s[y * w + x]; }",
    "a window": "std::vector<int> a(w, 0); for (int i = 0; i <= k; i++)"
    " for (int x = 0; x < w; x++) a[x] += s[std::min(i, n - 1) * w + x];"
    f" {LOOPS} {{ d[y * w + x] = a[x]; a[x] += s[std::min(y + k + 1, n - 1) * w + x];"
    " a[x] -= s[y * w + x]; }",
    "read behind the loops": f"{ROW} {LOOPS} {{ d[y * w + x] = a[x]; a[x] += s[y * w + x]; }}"
    " for (int x = 0; x < w; x++) d[n * w + x] = a[x];",
    "set anew": f"{ROW} {LOOPS} {{ d[y * w + x] = a[x] + s[y * w + x]; a[x] = s[y * w + x]; }}",
    "set anew in place": f"{ROW} {LOOPS}"
    " { int v = d[y * w + x]; d[y * w + x] = a[x] + 2 * v + d[(y + 1) * w + x]; a[x] = v; }",
    "backwards": f"{ROW} for (int y = n - 1; y >= 0; y--) for (int x = w - 1; x >= 0; x--)"
    " { d[y * w + x] = a[x]; a[x] = a[x] * 5 + s[y * w + x]; }",
}


def lift(body: str, head: str = HEAD) -> FunctionResult:
    return lifted(f"{head} {{ {BOUNDS} {body} }}")


@pytest.mark.sampled(every=9)
@pytest.mark.parametrize("way", ROWS)
def test_each_row_is_what_the_one_before_has_left(way: str) -> None:
    result = lift(ROWS[way])
    assert result.status == "proved", result.diagnostic
    assert any(s.kind == "scan" for s in result.summaries)
    assert difference(result, 30) is None


OTHERS = {
    "where pixels say": f"{ROW} {LOOPS} {{ if (s[y * w + x] > 99) a[x]++; d[y * w + x] = a[x]; }}",
    "the element beside it": f"{ROW} {LOOPS}"
    " { d[y * w + x] = a[x] + (x > 0 ? a[x - 1] : 0); a[x] += s[y * w + x]; }",
    "the next one": f"{ROW} {LOOPS}"
    " { d[y * w + x] = a[x] + (x + 1 < w ? a[x + 1] : 0); a[x] += s[y * w + x]; }",
    "one for all": f"{ROW} {LOOPS} {{ d[y * w + x] = a[0] + a[x]; a[x] += s[y * w + x]; }}",
    "changed twice": f"{ROW} {LOOPS} {{ d[y * w + x] = a[x]; a[x] += s[y * w + x]; a[0] ^= 1; }}",
    "changed in turn": f"{ROW} {LOOPS} {{ d[y * w + x] = a[x]; a[w - 1 - x] += s[y * w + x]; }}",
    "by row and column": "std::vector<int> a(w + n, k);"
    f" {LOOPS} {{ d[y * w + x] = a[x + y]; a[x + y] += s[y * w + x]; }}",
    "two columns at once": f"{ROW} {LOOPS}"
    " { d[y * w + x] = a[x / 2]; a[x / 2] += s[y * w + x]; }",
    "known from before": f"{ROW} int t = w > 0 ? a[0] : 0; {LOOPS}"
    " { d[y * w + x] = a[x] + t; t = a[x]; a[x] += s[y * w + x]; }",
    "one of the row's own": f"{ROW} for (int y = 0; y < n; y++) {{ int t = w > 0 ? a[0] : 0;"
    " for (int x = 0; x < w; x++) { d[y * w + x] = a[x] + t; a[x] += s[y * w + x]; } }",
    "set anew of what is stored": f"{ROW} {LOOPS}"
    " { d[y * w + x] += a[x]; a[x] = d[y * w + x + 1] + d[y * w + x - (x > 0)]; }",
    "set anew of the row before": f"{ROW} {LOOPS}"
    " { d[(y + 1) * w + x] += a[x]; a[x] = d[y * w + x]; }",
    "set anew and read behind": f"{ROW} {LOOPS}"
    " { d[y * w + x] = a[x]; a[x] = s[y * w + x]; }"
    " for (int x = 0; x < w; x++) d[n * w + x] = a[x];",
    "summed, too": f"{ROW} int t = 0; {LOOPS}"
    " { t += a[x]; d[y * w + x] = t; a[x] = s[y * w + x]; }",
    "stored to what is added": f"{ROW} {LOOPS} {{ d[x] = a[x]; a[x] += d[y * w + x]; }}",
    "not stored where a pixel says": f"{ROW} {LOOPS}"
    " { if (a[x] > 7) d[y * w + x] = a[x]; a[x] += s[y * w + x] - a[x] / 2; }",
    "after a change that may be": f"{ROW} {LOOPS}"
    " { if (s[y * w + x] & 1) a[x] = 3; d[y * w + x] = a[x]; a[x] += k; }",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", OTHERS)
def test_what_is_found_is_what_was_left(way: str) -> None:
    result = lift(OTHERS[way])
    assert result.status != "proved" or difference(result, 60) is None


def test_floats_go_down_in_their_order() -> None:
    head = HEAD.replace("int *d", "double *d").replace("u8", "float")
    result = lift(ROWS["a window"].replace("std::vector<int>", "std::vector<double>"), head)
    assert result.status == "proved", result.diagnostic
    assert difference(result, 30) is None
