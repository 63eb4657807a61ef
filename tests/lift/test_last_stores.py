"""Elements that several iterations store, one after the other: error diffusion and what is like
it."""

from __future__ import annotations

import pytest

from lifter.model.lifted import FunctionResult
from tests.verify.differential import difference, lifted

HEAD = "#include <algorithm>\n#include <vector>\nvoid f(int *d, const u8 *s, int n, int w, int k)"
BOUNDS = "assert(n >= 0 && w >= 0 && n < 9000 && w < 9000 && k > 0);"
ROW = "std::vector<int> a(w + 2, 0);"
LOOPS = "for (int y = 0; y < n; y++)"
PIXEL = "int out = v > 127 ? 255 : 0, e = v - out; d[y * w + x] = out;"

DIFFUSED = {
    "one row, left of below and below": f"{ROW} {LOOPS} {{ int right = 0;"
    " for (int x = 0; x < w; x++) {"
    f" int v = s[y * w + x] + right + a[x + 1]; {PIXEL}"
    " right = e / 2; a[x] += e / 4; a[x + 1] = e - e / 2 - e / 4; } }",
    "Floyd and Steinberg's four in one row": f"{ROW} {LOOPS} {{ int ahead = 0, diag = 0;"
    " for (int x = 0; x < w; x++) {"
    f" int v = s[y * w + x] + ahead + a[x + 1]; {PIXEL}"
    " ahead = e * 7 / 16; a[x] += e * 3 / 16; a[x + 1] = e * 5 / 16 + diag; diag = e / 16; } }",
    "a row that is stored once": f"{ROW} {LOOPS} {{ int left = 0;"
    " for (int x = 0; x < w; x++) {"
    f" int v = s[y * w + x] + a[x + 1] / 2; {PIXEL}"
    " a[x] = left + e / 3; left = e / 4; } }",
    "from the right": f"{ROW} {LOOPS} {{ int left = 0;"
    " for (int x = w - 1; x >= 0; x--) {"
    f" int v = s[y * w + x] + left + a[x + 1]; {PIXEL}"
    " left = e / 2; a[x + 2] += e / 4; a[x + 1] = e / 8; } }",
    "a row of bytes": "std::vector<signed char> a(w + 2, 0);"
    f" {LOOPS} {{ int right = 0; for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + right + a[x + 1]; {PIXEL}"
    " right = e / 2; a[x] += e / 4; a[x + 1] = e / 5; } }",
    "two apart": f"std::vector<int> a(w + 4, 3); {LOOPS} {{ int one = 0, two = 0;"
    " for (int x = 0; x < w; x++) {"
    f" int v = s[y * w + x] + one + a[x + 2]; {PIXEL}"
    " one = two + e / 8; two = e / 8; a[x] += e / 8; a[x + 1] += e / 8; a[x + 2] = e / 8; } }",
    "three channels": f"std::vector<int> a(3 * w + 6, 0); {LOOPS} {{ int r = 0, g = 0, b = 0;"
    " for (int x = 0; x < w; x++) {"
    " int i = 3 * (y * w + x), u = s[i] + r + a[3 * x + 3], v = s[i + 1] + g + a[3 * x + 4],"
    " t = s[i + 2] + b + a[3 * x + 5], o = u > 127 ? 255 : 0, p = v > 127 ? 255 : 0,"
    " q = t > 127 ? 255 : 0;"
    " d[i] = o; d[i + 1] = p; d[i + 2] = q; u -= o; v -= p; t -= q;"
    " r = u / 2; g = v / 2; b = t / 2;"
    " a[3 * x] += u / 4; a[3 * x + 3] = u / 4; a[3 * x + 1] += v / 4; a[3 * x + 4] = v / 4;"
    " a[3 * x + 2] += t / 4; a[3 * x + 5] = t / 4; } }",
    "on a copy of the image": "std::vector<int> a(w * n, 0);"
    " for (int i = 0; i < w * n; i++) a[i] = s[i];"
    f" {LOOPS} for (int x = 0; x < w; x++) {{ int i = y * w + x, v = a[i]; {PIXEL}"
    " if (x + 1 < w) a[i + 1] += e * 7 / 16; if (y + 1 < n) {"
    " if (x > 0) a[i + w - 1] += e * 3 / 16; a[i + w] += e * 5 / 16;"
    " if (x + 1 < w) a[i + w + 1] += e / 16; } }",
    "on a copy with a frame": "std::vector<short> a((w + 2) * (n + 1), 0);"
    " for (int y = 0; y < n; y++)"
    " for (int x = 0; x < w; x++) a[y * (w + 2) + x + 1] = s[y * w + x];"
    f" {LOOPS} for (int x = 0; x < w; x++) {{ int i = y * (w + 2) + x + 1, v = a[i]; {PIXEL}"
    " a[i + 1] += e * 7 / 16; a[i + w + 1] += e * 3 / 16; a[i + w + 2] += e * 5 / 16;"
    " a[i + w + 3] += e / 16; }",
    "in place": f"{LOOPS} for (int x = 0; x < w; x++) {{ int i = y * w + x, v = d[i];"
    " int out = v > 127 ? 255 : 0, e = v - out; d[i] = out;"
    " if (x + 1 < w) d[i + 1] += e / 2; if (y + 1 < n) d[i + w] += e / 2; }",
    "in place, clamped": f"{LOOPS} for (int x = 0; x < w; x++) {{ int i = y * w + x, v = d[i];"
    " int out = v > 127 ? 255 : 0, e = v - out; d[i] = out;"
    " if (x < w - 1) d[i + 1] = std::min(std::max(d[i + 1] + e / 2, 0), 255);"
    " if (y < n - 1) d[i + w] = std::min(std::max(d[i + w] + e / 2, 0), 255); }",
    "along a line": "for (int x = 0; x < n; x++) {"
    " int v = d[x], out = v > 127 ? 255 : 0, e = v - out;"
    " d[x] = out; if (x + 1 < n) d[x + 1] += e / 2; if (x + 2 < n) d[x + 2] += e / 4; }",
    "begun with a parameter": "std::vector<int> a(w + 2, k);"
    f" {LOOPS} {{ int right = k; for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + right + a[x + 1]; {PIXEL}"
    " right = e / 2; a[x] += e / 4; a[x + 1] = e / 4; } }",
}


def lift(body: str, head: str = HEAD) -> FunctionResult:
    return lifted(f"{head} {{ {BOUNDS} {body} }}")


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("way", DIFFUSED)
def test_errors_go_to_pixels_that_come_later(way: str) -> None:
    result = lift(DIFFUSED[way])
    assert result.status == "proved", result.diagnostic
    assert any(s.kind == "scan" for s in result.summaries)
    assert difference(result, 30) is None


OTHERS = {
    "a sum": f"{ROW} {LOOPS} {{ int sum = 0; for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + sum / 2 + a[x + 1]; {PIXEL}"
    " sum += e / 2; a[x] += e / 4; a[x + 1] = e / 4; } }",
    "the row's own beginning is read": f"{ROW} {LOOPS} {{ int right = 0;"
    " for (int x = 0; x < w; x++) {"
    f" int v = s[y * w + x] + right + a[x]; {PIXEL}"
    " right = e / 2; a[x] += e / 4; a[x + 1] = e / 4; } }",
    "where a pixel says": f"{ROW} {LOOPS} for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + a[x + 1]; {PIXEL}"
    " if (s[y * w + x] & 1) a[x] += e / 4; a[x + 1] = e / 4; }",
    "two rows apart": f"{ROW} {LOOPS} for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + a[x + 1]; {PIXEL}"
    " if (x & 1) a[x] += e / 4; if (y & 1) a[x + 1] = e / 4; }",
    "a place that rows move": f"std::vector<int> a(w + n + 2, 0); {LOOPS}"
    " for (int x = 0; x < w; x++) {"
    f" int v = s[y * w + x] + a[x + y + 1]; {PIXEL} a[x + y] += e / 4; a[x + y + 1] = e / 4; }}",
    "a place that a pixel says": f"{ROW} {LOOPS} for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + a[x + 1]; {PIXEL} a[s[x] % (w + 1)] += e / 4; a[x + 1] = e / 4; }}",
    "beyond the last row": f"{LOOPS} for (int x = 0; x < w; x++) {{ int i = y * w + x, v = d[i];"
    " int out = v > 127 ? 255 : 0, e = v - out; d[i] = out;"
    " if (x + 1 < w) d[i + 1] += e / 2; d[i + w] += e / 2; }",
    "what is stored is read": f"{ROW} {LOOPS} for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + a[x + 1] + (y > 0 ? d[y * w + x - w] : 0); {PIXEL}"
    " a[x] += e / 4; a[x + 1] = e / 4; }",
    "a scalar that goes on": f"{ROW} int right = 0; {LOOPS} for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + right + a[x + 1]; {PIXEL}"
    " right = e / 2; a[x] += e / 4; a[x + 1] = e / 4; }",
    "read behind": f"{ROW} {LOOPS} {{ int right = 0; for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + right + a[x + 1]; {PIXEL}"
    " right = e / 2; a[x] += e / 4; a[x + 1] = e / 4; } } if (w > 0 && n > 0) d[0] = a[w];",
    "stored twice": f"{ROW} {LOOPS} for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + a[x + 1]; {PIXEL} a[x] = e; a[x + 1] = e / 4; a[x] += 1; }}",
    "every second pixel": f"std::vector<int> a(2 * w + 2, 0); {LOOPS}"
    " for (int x = 0; x < w; x++) {"
    f" int v = s[y * w + x] + a[2 * x + 1]; {PIXEL} a[2 * x] += e; a[2 * x + 2] = e / 4; }}",
    "from a row to the next": "std::vector<int> a(w * n + 1, 0);"
    f" {LOOPS} for (int x = 0; x < w; x++) {{ int i = y * w + x, v = s[i] + a[i]; {PIXEL}"
    " a[i + 1] += e / 2; if (y + 1 < n) a[i + w] += e / 2; }",
    "not behind the end": f"{ROW} {LOOPS} for (int x = 0; x < w; x++) {{"
    f" int v = s[y * w + x] + a[x]; {PIXEL}"
    " if (x > 0) a[x - 1] += e / 4; a[x] = e / 4; if (x + 1 < w) a[x + 1] += e / 2; }",
    "read after it is stored": f"{ROW} {LOOPS} for (int x = 0; x < w; x++) {{"
    " a[x + 1] += s[y * w + x]; int v = a[x + 1] + a[x];"
    f" {PIXEL} a[x] = e / 4; }}",
    "into the next row": f"{LOOPS} for (int x = 0; x < w; x++) {{ int i = y * w + x, v = d[i];"
    " int out = v > 127 ? 255 : 0, e = v - out; d[i] = out;"
    " d[i + 1] += e / 2; if (y + 1 < n) d[i + w] += e / 2; }",
    "rows that overlap": f"{LOOPS} for (int x = 0; x < w; x++) {{ int i = y * k + x, v = d[i];"
    " int out = v > 127 ? 255 : 0, e = v - out; d[i] = out;"
    " if (x + 1 < w) d[i + 1] += e / 2; if (y + 1 < n) d[i + k] += e / 2; }",
    "not stored everywhere": f"{LOOPS} for (int x = 0; x < w; x++) {{ int i = y * w + x, v = d[i];"
    " int out = v > 127 ? 255 : 0, e = v - out; if (x > 0) d[i] = out;"
    " if (x + 1 < w) d[i + 1] += e / 2; if (y + 1 < n) d[i + w] += e / 2; }",
    "two a step": "for (int x = 0; x < n; x++) { d[2 * x + 2] += d[2 * x] / 2;"
    " d[2 * x + 3] += d[2 * x + 1] / 2; d[2 * x] = 7; }",
    "colours in place": "for (int x = 0; x < n; x++) { int r = d[3 * x], g = d[3 * x + 1];"
    " d[3 * x] = (r + g) / 2; d[3 * x + 1] = g + d[3 * x + 2]; d[3 * x + 2] = r - g; }",
    "rows that begin with what there is": f"{ROW} {LOOPS} {{ int right = w > 0 ? a[0] : 0;"
    " for (int x = 0; x < w; x++) {"
    f" int v = s[y * w + x] + right + a[x + 1]; {PIXEL}"
    " right = e / 2; a[x] += e / 4; a[x + 1] = e / 4; } }",
}


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("way", OTHERS)
def test_what_is_found_is_what_was_left(way: str) -> None:
    result = lift(OTHERS[way])
    assert result.status != "proved" or difference(result, 60) is None


@pytest.mark.slow
def test_floats_are_added_in_their_order() -> None:
    head = HEAD.replace("int *d", "float *d")
    body = DIFFUSED["Floyd and Steinberg's four in one row"].replace("int", "float")
    result = lift(body.replace("for (float", "for (int"), head)
    assert result.status == "proved", result.diagnostic
    assert difference(result, 30) is None
