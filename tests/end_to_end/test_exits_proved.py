"""Loops whose test stands at the beginning, in the middle or at the end, lifted end to end."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel

HEADER = "#include <cassert>\n#include <cstdint>\n"
PLANES = "uint8_t *d, const uint8_t *s, int n"
IMAGES = "uint8_t *d, const uint8_t *s, int w, int h, int stride"


def lift(body: str, parameters: str = PLANES) -> FunctionResult:
    return lift_kernel(kernel(f"{HEADER}void f({parameters}) {{ {body} }}\n"), LiftOptions())


def shown(result: FunctionResult) -> str:
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    bounds = ", ".join(f"{d.lower} <= {d.variable.name} < {d.upper}" for d in summary.roi)
    return f"{summary.expression} for {bounds}"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("body", "extent"),
    [
        ("do { if (n-- <= 0) break; *d++ = *s++ / 2; } while (1);", "n"),
        ("for (int i = 0;;) { if (i == n) break; d[i] = s[i] / 2; i++; }", "n"),
        ("int i = 0; while (true) { if (i >= n) break; else d[i] = s[i] / 2; i++; }", "n"),
        ("int i = 0; while (1) { d[i] = s[i] / 2; if (++i >= n) break; }", "max(1, n)"),
        ("for (int i = 0;; i++) { d[i] = s[i] / 2; if (i >= n - 1) break; }", "max(1, n)"),
        ("uint8_t *e = d + n; for (;;) { *d++ = *s++ / 2; if (d >= e) break; }", "max(1, n)"),
    ],
)
def test_the_place_of_the_test_does_not_matter(body: str, extent: str) -> None:
    assert shown(lift(body)) == f"s(x) / 2 for 0 <= x < {extent}"


@pytest.mark.slow
def test_work_from_both_ends_ends_in_the_middle() -> None:
    swap = "uint8_t t = *d; *d++ = *r; *r = t;"
    body = f"uint8_t *r = d + n; while (d < r) {{ --r; if (d >= r) break; {swap} }}"
    assert "x < n / 2" in shown(lift(body))
    assert lift(body.replace("d >= r", "d > r")).status != "proved"
    pair = (
        f"struct P {{ uint8_t a, b; }}; P *q = (P *)d; {body.replace('uint8_t *r = d', 'P *r = q')}"
    )
    pairs = pair.replace("while (d", "while (q").replace("if (d", "if (q")
    assert "y < n / 2" in shown(lift(pairs.replace(swap, "P t = *q; *q++ = *r; *r = t;")))


def test_rows_end_by_a_test_before_the_pointers_step() -> None:
    rows = "for (int y = 0;; y++) { for (int x = 0; x < w; x++) d[x] = ~s[x]; "
    body = f"assert(h > 0); {rows} if (y == h - 1) break; d += stride; s += stride; }}"
    assert shown(lift(body, IMAGES)).endswith("for 0 <= x < w, 0 <= y < h")


def test_what_the_loop_leaves_in_its_scalars_is_what_it_had_at_the_test() -> None:
    loop = "assert(n > 0); int i = 0; for (;; i++) { d[i] = 3; if (i == n - 1) break; }"
    assert shown(lift(f"{loop} d[i + 1] = 7;")) == "select(x == n, 7, 3) for 0 <= x < n + 1"
    last = lift(f"{loop} d[i] = 7;").summaries[-1]
    assert str(last.roi[0].lower) == "max(1, n) - 1"
    # One that changes on both sides of the test isn't followed.
    steps = loop.replace("{ d[i]", "{ k++; d[i]").replace("; i++", "; i++, k++")
    found = lift(f"{steps} d[k] = 7;", f"{PLANES}, int k").diagnostic
    assert found is not None and found.code == "loop-carried"


def test_stores_behind_the_test_miss_the_last_round() -> None:
    body = "for (int i = 0;; i++) { d[i] = s[i]; if (i == n - 1) break; e[i] = s[i]; }"
    result = lift(f"assert(n > 1); {body}", "uint8_t *d, uint8_t *e, const uint8_t *s, int n")
    assert result.status == "proved"
    assert [str(s.roi[0].upper) for s in result.summaries] == ["n", "n - 1"]


@pytest.mark.slow
def test_a_return_in_the_row_loop_that_no_round_decides_surrounds_it() -> None:
    inside = "for (int x = 0; x < w; x++) d[y * stride + x] = s[y * stride + x] / 2;"

    def rows(test: str) -> FunctionResult:
        stated = "// lift: assume(s isn't null)\n"
        return lift(
            f"{stated}for (int y = 0; y < h; y++) {{ if ({test}) return; {inside} }}", IMAGES
        )

    assert shown(rows("!s || w <= 0")) == "s(x, y) / 2 for 0 <= x < w, 0 <= y < h"
    found = shown(rows("stride > 4096 || w > stride"))
    assert "stride" in found and found.endswith("for 0 <= x < w, 0 <= y < h")
    assert rows("s[y] == 0").status == "proved"
    refused = rows("d[y] == 0").diagnostic
    assert refused is not None and refused.code == "loop-bound"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        # What is read decides.
        ("for (int i = 0;; i++) { d[i] = s[i]; if (s[i] == 0) break; }", "loop-bound"),
        ("for (int i = 0;; i++) { if (s[i] > 9) break; d[i] = s[i]; }", "loop-bound"),
        ("int i = 0; do { if (d[i] == 0) break; d[i] = 1; } while (++i < n);", "loop-bound"),
        # Two ways out, of which one reads what is stored; a bound that is never met.
        ("for (int i = 0; i < n; i++) { d[i] = s[i]; if (d[i] == 9) break; }", "loop-bound"),
        ("for (int i = 0;; i++) { d[i] = 1; if (i < 0) break; }", "loop-bound"),
    ],
)
def test_exits_that_no_count_says_are_refused(body: str, code: str) -> None:
    found = lift(body).diagnostic
    assert found is not None and found.code == code
    assert found.span is not None and found.span.line == 3 and found.help
