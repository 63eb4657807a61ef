"""Arrays that go round: each iteration replaces the element that has been there longest."""

from __future__ import annotations

import pytest

from lifter.model.lifted import FunctionResult
from tests.verify.differential import difference, lifted

HEAD = "#include <vector>\nvoid f(int *d, const u8 *s, int n, int k)"
BOUNDS = "assert(n >= 0 && n < 9000 && k >= 1 && k < 9000);"
RING = "std::vector<int> a(k, 0); int p = 0;"
LOOP = "for (int i = 0; i < n; i++)"

RINGS = {
    "a remainder": f"{RING} {LOOP} {{ d[i] = a[p]; a[p] = s[i]; p = (p + 1) % k; }}",
    "back at the end": f"{RING} {LOOP} {{ d[i] = a[p]; a[p] = s[i]; if (++p == k) p = 0; }}",
    "below the end": f"{RING} {LOOP} {{ d[i] = a[p]; a[p] = s[i]; p = p + 1 < k ? p + 1 : 0; }}",
    "at the last one": f"{RING} {LOOP} {{ d[i] = a[p]; a[p] = s[i]; p = p == k - 1 ? 0 : p + 1; }}",
    "the counter's": f"{RING} {LOOP} {{ d[i] = a[i % k]; a[i % k] = s[i] + 1; }}",
    "a sum": f"{RING} int t = 0; {LOOP}"
    " { t += s[i] - a[p]; a[p] = s[i]; if (++p >= k) p = 0; d[i] = t; }",
    "a mean in place": f"{RING} int t = 0, m = 0; {LOOP} {{ t += d[i] - a[p]; a[p] = d[i];"
    " p = (p + 1) % k; if (m < k) m++; d[i] = t / m; }",
    "an echo of itself": f"{RING} {LOOP}"
    " { int v = s[i] + a[p] / 2; a[p] = v; d[i] = v; if (++p == k) p = 0; }",
    "begun with others": "std::vector<int> a(k); for (int i = 0; i < k; i++) a[i] = s[i];"
    f" int p = 0; {LOOP} {{ d[i] = a[p] - s[i]; a[p] = s[i] * 2; if (++p == k) p = 0; }}",
    "of one size": f"int a[40] = {{0}}; int p = 0; {LOOP}"
    " { d[i] = a[p]; a[p] = s[i]; if (++p == 40) p = 0; }",
}


def lift(body: str, head: str = HEAD) -> FunctionResult:
    return lifted(f"{head} {{ {BOUNDS} {body} }}")


@pytest.mark.sampled(every=9)
@pytest.mark.parametrize("way", RINGS)
def test_what_is_found_was_stored_a_turn_before(way: str) -> None:
    result = lift(RINGS[way])
    assert result.status == "proved", result.diagnostic
    assert difference(result, 40) is None


STORED = "a[p] = s[i];"
ON = "if (++p == k) p = 0;"
OTHERS = {
    "from another place": "std::vector<int> a(k); for (int i = 0; i < k; i++) a[i] = s[i] + i;"
    f" int p = k / 2; {LOOP} {{ d[i] = a[p]; {STORED} {ON} }}",
    "a place before the end": f"std::vector<int> a(k + 1, 7); int p = 0; {LOOP}"
    f" {{ d[i] = a[p]; {STORED} if (p++ == k) p = 0; }}",
    "fewer places": f"{RING} {LOOP} {{ d[i] = a[p]; {STORED} if (++p >= k - 1) p = 0; }}",
    "read after it is stored": f"{RING} {LOOP} {{ {STORED} d[i] = a[p]; {ON} }}",
    "read before and after": f"{RING} {LOOP} {{ d[i] = a[p]; {STORED} d[i] += a[p]; {ON} }}",
    "the next one": f"{RING} {LOOP} {{ d[i] = a[(p + 1) % k]; {STORED} {ON} }}",
    "the first one": f"{RING} {LOOP} {{ d[i] = a[p] + a[0]; {STORED} {ON} }}",
    "moved before the store": f"{RING} {LOOP} {{ d[i] = a[p]; {ON} {STORED} }}",
    "stored where a pixel says": f"{RING} {LOOP} {{ d[i] = a[p]; if (s[i] > 9) {STORED} {ON} }}",
    "moved where a pixel says": f"{RING} {LOOP} {{ d[i] = a[p]; {STORED} if (s[i] > 9) {ON} }}",
    "two steps": f"{RING} {LOOP} {{ d[i] = a[p]; {STORED} p = (p + 2) % k; }}",
    "back to the second": f"{RING} {LOOP} {{ d[i] = a[p]; {STORED} if (++p == k) p = k > 1; }}",
    "a size that changes": f"{RING} int m = k; {LOOP}"
    f" {{ d[i] = a[p]; {STORED} if (++p >= m) p = 0; if (m > 1) m--; }}",
    "stored twice": f"{RING} {LOOP} {{ d[i] = a[p]; {STORED} a[0] = 3; {ON} }}",
    "read behind": f"{RING} {LOOP} {{ d[i] = a[p]; {STORED} {ON} }} d[n] = a[0];",
    "summed behind": f"{RING} int t = 0; {LOOP}"
    f" {{ t += a[p]; d[i] = a[p]; {STORED} {ON} }} d[n] = t;",
    "the last one behind": f"{RING} int t = 0; {LOOP}"
    f" {{ t = a[p]; d[i] = t; {STORED} {ON} }} d[n] = t;",
    "known from before": f"std::vector<int> a(k, 5); int p = 0, t = a[0]; {LOOP}"
    f" {{ d[i] = a[p] + t; {STORED} {ON} }}",
    "handed on": f"{RING} int t = 0; {LOOP} {{ d[i] = a[p] + t; t = a[p]; {STORED} {ON} }}",
    "made of what is handed on": f"{RING} int t = 0; {LOOP}"
    f" {{ t += s[i] - a[p]; a[p] = t; d[i] = t; {ON} }}",
    "kept from row to row": f"{RING} for (int y = 0; y < 3; y++) {LOOP}"
    f" {{ d[y * n + i] = a[p]; {STORED} {ON} }}",
    "begun anew in each row": "std::vector<int> a(k, 0); for (int y = 0; y < 3; y++) {"
    f" int p = 0; {LOOP} {{ d[y * n + i] = a[p]; {STORED} {ON} }} }}",
    "what was overwritten": f"{RING} {LOOP} {{ d[i] = a[p]; a[p] = d[i > 0 ? i - 1 : 0]; {ON} }}",
    "what will be": f"{RING} {LOOP} {{ a[p] = d[i + 1] + a[p]; d[i] = a[p]; {ON} }}",
    "a narrow place": f"std::vector<int> a(k, 0); u8 p = 0; {LOOP}"
    f" {{ d[i] = a[p]; {STORED} p = (u8)((p + 1) % k); }}",
    "where it is found": f"{RING} {LOOP} {{ d[i] = s[a[p] & 3]; {STORED} {ON} }}",
    "if it is found": f"{RING} {LOOP} {{ if (a[p] > 7) d[i] = s[i]; {STORED} {ON} }}",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", OTHERS)
def test_what_is_found_is_what_was_left(way: str) -> None:
    result = lift(OTHERS[way])
    assert result.status != "proved" or difference(result, 60) is None


def test_a_ring_has_a_place() -> None:
    body = f"{RING} {LOOP} {{ d[i] = a[p]; a[p] = s[i]; if (++p >= k) p = 0; }}"
    result = lifted(f"{HEAD} {{ {body} }}")
    assert result.status != "proved" or (
        result.proof is not None and any("k" in p.text for p in result.proof.preconditions)
    )
