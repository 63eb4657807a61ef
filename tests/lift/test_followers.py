"""Followers: numbers that iterations move up to a bound, and the windows between them."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

HEAD = "void f(int *d, const u8 *s, int n, int r)"
BOUNDS = "assert(r >= 0 && r < 1000 && n < 100000);"
BEGIN = "int t = 0, hi = 0, lo = 0; for (int x = 0; x < n; x++)"
ENTER = "while (hi < n && hi <= x + r) t += s[hi++];"
LEAVE = "if (x - r > lo) t -= s[lo++];"

NUMBERS = {
    "of the window": (
        "int hi = 0, lo = 0; for (int x = 0; x < n; x++)"
        " { while (hi < n && hi <= x + r) ++hi; if (x - r > lo) ++lo; d[x] = hi - lo; }",
        "min(n, r + x + 1) - max(x - r, 0)",
    ),
    "as a width": (
        "int hi = 0, lo = 0; for (int x = 0; x < n; x++)"
        " { while (hi < n && hi <= x + r) ++hi; if (hi - lo > 2 * r + 1) lo++; d[x] = lo; }",
        "max(min(n - 1 - r * 2, x - r), 0)",
    ),
    "up to a parameter": (
        "int k = 0; for (int i = 0; i < n; i++) { if (k < r) k++; d[i] = s[i] + k; }",
        "int32(s(x)) + min(r, x + 1)",
    ),
    "that moves with others": (
        "int k = 0; const u8 *p = s; for (int i = 0; i < n; i++)"
        " { while (k < i / 2) { p += 3; k++; } d[i] = *p; }",
        "int32(s(x / 2 * 3))",
    ),
    "down": (
        "int k = n; for (int i = n - 1; i >= 0; i--) { if (k > i + r) k--; d[i] = k; }",
        "min(n, r + x)",
    ),
    "at its head": (
        "int k = 2; for (int i = 0; i < n; i++) { d[i] = k; while (k < i) k++; }",
        "max(x - 1, 2)",
    ),
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", NUMBERS)
def test_what_follows_a_bound_is_the_bound(way: str) -> None:
    text, expected = NUMBERS[way]
    result = lifted(f"{HEAD} {{ {BOUNDS} {text} }}")
    assert result.status == "proved", result.diagnostic
    assert [str(s.expression) for s in result.summaries] == [expected]
    assert difference(result, 40) is None


def rows(body: str) -> str:
    begin = "const u8 *p = s + y * n; int t = 0, hi = 0, lo = 0;"
    return f"for (int y = 0; y < 3; y++) {{ {begin} {body} }}"


WINDOWS = {
    "cut at the ends": f"{BEGIN} {{ {ENTER} {LEAVE} d[x] = t; }}",
    "with its number": f"{BEGIN} {{ {ENTER} {LEAVE} d[x] = t + hi - lo; }}",
    "mean": f"{BEGIN} {{ {ENTER} {LEAVE} d[x] = t / (hi - lo); }}",
    "a least bound": f"{BEGIN} {{ while (hi <= std::min(x + r, n - 1)) t += s[hi++];"
    " while (lo < x - r) t -= s[lo++]; d[x] = t; }",
    "in for loops": f"{BEGIN} {{ for (; hi < n && hi <= x + r; ++hi) t += s[hi];"
    " for (; lo < x - r; ++lo) t -= s[lo]; d[x] = t; }",
    "of pointers": "int t = 0; const u8 *hi = s, *lo = s, *end = s + n;"
    " for (int x = 0; x < n; x++) { while (hi < end && hi <= s + x + r) t += *hi++;"
    " while (lo < s + x - r) t -= *lo++; d[x] = t; }",
    "of pointers beside counters": "int t = 0, a = 0, b = 0; const u8 *hi = s, *lo = s;"
    " for (int x = 0; x < n; x++) { while (a < n && a <= x + r) { t += *hi++; ++a; }"
    " if (b < x - r) { t -= *lo++; b++; } d[x] = t; }",
    "unsigned": "if (n < 0) return; unsigned t = 0, hi = 0, lo = 0, m = n;"
    " for (unsigned x = 0; x < m; x++) { while (hi < m && hi <= x + r) t += s[hi++];"
    " while (lo + r < x) t -= s[lo++]; d[x] = t; }",
    "sizes": "if (n < 0) return; unsigned t = 0; size_t hi = 0, lo = 0, m = n;"
    " for (size_t x = 0; x < m; x++) { while (hi < m && hi <= x + r) t += s[hi++];"
    " while (lo + r < x) t -= s[lo++]; d[x] = t; }",
    "not the end": f"{BEGIN} {{ while (hi != n && hi <= x + r) t += s[hi++]; {LEAVE} d[x] = t; }}",
    "begun before": "int t = 0, hi = 0, lo = 0; for (; hi < n && hi < r; ++hi) t += s[hi];"
    " for (int x = 0; x < n; x++)"
    " { if (hi < n) t += s[hi++]; if (x > r) t -= s[lo++]; d[x] = t; }",
    "begun before, by place": "int t = 0, hi = 0; for (; hi < n && hi < r; ++hi) t += s[hi];"
    " for (int x = 0; x < n; x++)"
    " { if (hi < n) t += s[hi++]; if (x > r) t -= s[x - r - 1]; d[x] = t; }",
    "the last few": "int t = 0, lo = 0; for (int x = 0; x < n; x++)"
    " { t += s[x]; if (x - lo > r) t -= s[lo++]; d[x] = t; }",
    "with a count": "int t = 0, hi = 0, lo = 0, k = 0; for (int x = 0; x < n; x++)"
    " { while (hi < n && hi <= x + r) { t += s[hi++]; k++; }"
    " if (x - r > lo) { t -= s[lo++]; k--; } d[x] = t + k; }",
    "taken away first": f"{BEGIN} {{ {LEAVE} {ENTER} d[x] = t; }}",
    "used before it leaves": f"{BEGIN} {{ {ENTER} d[x] = t; if (x - r >= lo) t -= s[lo++]; }}",
    "used before and behind": f"{BEGIN} {{ {ENTER} const int all = t;"
    " if (x - r >= lo) t -= s[lo++]; d[x] = all * 2 + t; }",
    "at the head": f"{BEGIN} {{ d[x] = t; {ENTER} {LEAVE} }}",
    "from a number on": f"{BEGIN.replace('t = 0', 't = 9')} {{ {ENTER} {LEAVE} d[x] = t; }}",
    "of bright pixels": f"{BEGIN} {{ while (hi < n && hi <= x + r)"
    " { if (s[hi] > 99) t += s[hi]; hi++; }"
    " if (x - r > lo) { if (s[lo] > 99) t -= s[lo]; lo++; } d[x] = t; }",
    "every other one": f"{BEGIN.replace('x < n', 'x < n / 2')}"
    " { while (hi < n && hi <= 2 * x + r) t += s[hi++];"
    " while (lo < 2 * x - r) t -= s[lo++]; d[x] = t; }",
    "by its width": f"{BEGIN} {{ {ENTER} while (hi - lo > 2 * r + 1) t -= s[lo++]; d[x] = t; }}",
    "from the right": "int t = 0, hi = n - 1, lo = n - 1; for (int x = n - 1; x >= 0; x--)"
    " { while (lo >= 0 && lo >= x - r) t += s[lo--]; if (x + r < hi) t -= s[hi--]; d[x] = t; }",
    "of squares": "int t = 0, hi = 0, lo = 0; int64_t q = 0; for (int x = 0; x < n; x++)"
    " { while (hi < n && hi <= x + r) { t += s[hi]; q += s[hi] * s[hi]; ++hi; }"
    " if (x - r > lo) { t -= s[lo]; q -= s[lo] * s[lo]; ++lo; }"
    " const int64_t k = hi - lo; d[x] = (float)(k * q - (int64_t)t * t) / (float)(k * k); }",
    "in rows": rows(
        "for (int x = 0; x < n; x++) { while (hi < n && hi <= x + r) t += p[hi++];"
        " if (x - r > lo) t -= p[lo++]; d[y * n + x] = t; }"
    ),
    "down columns": "for (int x = 0; x < 5; x++) { int t = 0, hi = 0, lo = 0;"
    " for (int y = 0; y < n; y++) { while (hi < n && hi <= y + r) t += s[hi++ * 5 + x];"
    " while (y - r > lo) t -= s[lo++ * 5 + x]; d[y * 5 + x] = t; } }",
}


@pytest.mark.sampled(every=9)
@pytest.mark.parametrize("way", WINDOWS)
def test_sums_between_followers_are_windows(way: str) -> None:
    result = lifted(f"{HEAD} {{ {BOUNDS} {WINDOWS[way]} }}")
    assert result.status == "proved", result.diagnostic
    kinds = {s.kind for s in result.summaries}
    assert "window" in kinds and "scan" not in kinds
    assert difference(result, 40) is None


OTHERS = {
    "another start": "int t = s[0], hi = 0, lo = 0; for (int x = 0; x < n; x++)"
    f" {{ while (hi <= x) t += s[hi++]; {LEAVE} d[x] = t; }}",
    "a bound that falls": f"{BEGIN} {{ while (hi < n - x) t += s[hi++]; d[x] = t; }}",
    "a bound that rises": "int k = n; for (int i = 0; i < n; i++) { while (k > i) k--; d[i] = k; }",
    "steps of two": f"{BEGIN} {{ while (hi < n && hi <= x + r) {{ t += s[hi]; hi += 2; }}"
    f" {LEAVE} d[x] = t; }}",
    "it begins too high": "int t = 0, hi = 3, lo = 0; for (int x = 0; x < n; x++)"
    f" {{ {ENTER} {LEAVE} d[x] = t; }}",
    "one begins too high": "int t = 0, hi = 0, lo = 2; for (int x = 0; x < n; x++)"
    f" {{ {ENTER} {LEAVE} d[x] = t; }}",
    "not set again in each row": "int t = 0, hi = 0, lo = 0; for (int y = 0; y < 3; y++)"
    " for (int x = 0; x < n; x++) { while (hi < n && hi <= x + r) t += s[y * n + hi++];"
    " if (x - r > lo) t -= s[y * n + lo++]; d[y * n + x] = t; }",
    "a sum that goes on": "int t = 0; for (int y = 0; y < 3; y++) { int hi = 0, lo = 0;"
    " for (int x = 0; x < n; x++) { while (hi < n && hi <= x + r) t += s[y * n + hi++];"
    " if (x - r > lo) t -= s[y * n + lo++]; d[y * n + x] = t; } }",
    "a pixel moves it": f"{BEGIN} {{ {ENTER} {LEAVE} if (s[x] > 99) hi = x; d[x] = t; }}",
    "used before it leaves too late": f"{BEGIN}"
    f" {{ {ENTER} d[x] = t; if (x - r >= lo) t -= s[lo++]; if (s[x] > 9) t++; }}",
    "what leaves is less": f"{BEGIN} {{ {ENTER} if (x - r > lo) t -= s[lo++] / 2; d[x] = t; }}",
    "what leaves is elsewhere": f"{BEGIN} {{ {ENTER}"
    " if (x - r > lo) { ++lo; t -= s[lo]; } d[x] = t; }",
    "a pixel tells what leaves": f"{BEGIN} {{ {ENTER}"
    " if (x - r > lo && s[lo] > 9) t -= s[lo++]; d[x] = t; }",
    "read to tell whether it goes on": f"{BEGIN}"
    f" {{ while (hi < n && s[hi] < 99 && hi <= x + r) t += s[hi++]; {LEAVE} d[x] = t; }}",
    "moved by the test": f"{BEGIN} {{ while (hi < n && hi++ <= x + r) t += s[hi - 1]; {LEAVE}"
    " d[x] = t; }",
    "one overtakes the other": f"{BEGIN} {{ while (hi < n && hi <= 2 * x + r) t += s[hi++];"
    " while (lo < 2 * x - r) t -= s[lo++]; d[x] = t; }",
    "in place": f"{BEGIN} {{ while (hi < n && hi <= x + r) t += d[hi++];"
    " if (x - r > lo) t -= d[lo++]; d[x] = t; }",
    "a bound from memory": f"{BEGIN} {{ while (hi < n && hi <= d[x]) t += s[hi++]; {LEAVE}"
    " d[x] = t; }",
    "no faster than its bound": "int k = 0; for (int i = 0; i < n; i++)"
    " { if (k < 2 * i) k++; d[i] = k; }",
    "kept in a byte": "u8 t = 0; int hi = 0, lo = 0; for (int x = 0; x < n; x++)"
    f" {{ {ENTER} {LEAVE} d[x] = t; }}",
    "saturated": f"{BEGIN} {{ {ENTER} if (t > 1000) t = 1000; {LEAVE} d[x] = t; }}",
}


@pytest.mark.sampled(every=9)
@pytest.mark.parametrize("way", OTHERS)
def test_what_is_proved_of_others_is_so(way: str) -> None:
    result = lifted(f"{HEAD} {{ {BOUNDS} {OTHERS[way]} }}")
    assert "window" not in {s.kind for s in result.summaries} or way == "kept in a byte"
    assert result.status != "proved" or difference(result, 100) is None


@pytest.mark.slow
@pytest.mark.parametrize("type", ["float", "double"])
def test_floats_are_not_added_in_another_order(type: str) -> None:
    text = WINDOWS["cut at the ends"].replace("int t = 0,", f"{type} t = 0; int")
    result = lifted(f"void f({type} *d, const {type} *s, int n, int r) {{ {BOUNDS} {text} }}")
    assert "window" not in {s.kind for s in result.summaries}
    assert result.status != "proved" or difference(result, 60) is None


@pytest.mark.slow
def test_bounds_that_programs_compute_fit_an_int() -> None:
    """The original computes `x + r` alone, a program `x + r + 1`."""
    text, _ = NUMBERS["of the window"]
    result = lifted(f"{HEAD} {{ assert(r >= 0); {text} }}")
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    assert "n + r <= 2147483647" in str([p.text for p in result.proof.preconditions])
