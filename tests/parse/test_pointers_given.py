"""Pointers that some paths make null: what is known of them where it is asked."""

from __future__ import annotations

import pytest

from compiler.ir import to_text
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import body, parse

PARAMETERS = "uint8_t *d, const uint8_t *s, const uint8_t *m, int w, int h, int p, int k"
HELPER = "static const uint8_t *row(const uint8_t *p, int o) { return p ? p + o : 0; }"
ROWS = "for (int y = 0; y < h; y++)"
LOOP = "for (int x = 0; x < w; x++)"


def lift(body: str) -> FunctionResult | None:
    """None for what isn't even read."""
    text = f"#include <cstdint>\n{HELPER}\nvoid f({PARAMETERS}) {{ {body} }}\n"
    found = [f for f in parse(text).kernels if f.name == "f"]
    return lift_kernel(found[0], LiftOptions()) if found else None


MASKED = "select(m.given, s(x, y) & m(x, y), s(x, y))"
BODY = f"{LOOP} d[y * p + x] = r ? s[y * p + x] & r[x] : s[y * p + x];"


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(
    ("body", "definition"),
    [
        (f"{ROWS} {{ const uint8_t *r = m ? m + y * p : 0; {BODY} }}", MASKED),
        (f"{ROWS} {{ const uint8_t *r = !m ? nullptr : &m[y * p]; {BODY} }}", MASKED),
        (f"{ROWS} {{ const uint8_t *r = 0; if (m != 0) r = m + y * p; {BODY} }}", MASKED),
        (f"{ROWS} {{ const uint8_t *r; if (m) r = m + y * p; else r = 0; {BODY} }}", MASKED),
        (f"{ROWS} {{ const uint8_t *r = row(m, y * p); {BODY} }}", MASKED),
        (f"{ROWS} {{ const uint8_t *q = m ? m + y * p : 0, *r = q; {BODY} }}", MASKED),
        (f"{ROWS} {{ const uint8_t *q = m ? m + y * p : 0; auto g = [=](int x) {{ return q ? q[x]"
         f" : 255; }}; {LOOP} d[y * p + x] = s[y * p + x] & g(x); }}",
         "s(x, y) & select(m.given, m(x, y), 255)"),
        (f"if (k) m = 0; {LOOP} d[x] = m ? m[x] : 7;",
         "select(k == 0 && m.given, m(x), 7)"),
        (f"const uint8_t *r = k > 2 ? m : 0; {LOOP} {{ d[x] = r ? *r : 7; if (r) r++; }}",
         "select(k > 2 && m.given, m(x), 7)"),
        (f"{ROWS} {{ const uint8_t *u = y > 0 ? s + (y - 1) * p : 0;"
         f" {LOOP} d[y * p + x] = u ? u[x] : 0; }}", "select(y > 0, s(x, y - 1), 0)"),
    ],
)  # fmt: skip
def test_a_pointer_that_a_choice_makes_null_is_known(body: str, definition: str) -> None:
    result = lift(body)
    assert result is not None and result.status == "proved", result and result.diagnostic
    shown = to_text(result.summaries[0].expression)
    assert shown.replace("max(y - 1, 0)", "y - 1") == definition


@pytest.mark.parametrize(
    "body",
    [
        # set to null on the way
        f"{LOOP} {{ d[x] = m ? m[x] : 7; if (x == k) m = 0; }}",
        # one of two arrays
        f"const uint8_t *r = s; if (k) r = m; {LOOP} d[x] = r[x];",
        # two that are compared, one of which may be null
        f"const uint8_t *r = k ? m : 0; {LOOP} d[x] = r == m;",
        # a row of a table may be null itself
        f"const uint8_t *const *t = (const uint8_t *const *)s; const uint8_t *r = k ? t[0] : 0;"
        f" {LOOP} d[x] = r ? 1 : 2;",
    ],
)  # fmt: skip
def test_what_isn_t_known_is_refused(body: str) -> None:
    result = lift(body)
    assert result is None or result.status != "proved"


@pytest.mark.slow
def test_what_a_pointer_is_made_of_is_there_unless_it_is_tested_itself() -> None:
    body = f"{ROWS} {{ const uint8_t *u = y > 0 ? s + (y - 1) * p : 0;"
    body += f" {LOOP} d[y * p + x] = u ? u[x] : 0; }}"
    alone = lift(body)
    assert alone is not None and alone.proof is not None and alone.status == "proved"
    assert "s isn't null" in {p.text for p in alone.proof.preconditions}
    tested = lift(f"{body} {LOOP} if (s) d[h * p + x] = 3;")
    assert tested is not None and tested.kernel is not None and not tested.kernel.not_null


@pytest.mark.parametrize(
    ("offset", "computed"),
    [
        ("p * k", "int64(p * k)"),  # that this doesn't overflow is known only where it is computed
        ("h % k", "int64(h %t k)"),
        ("s[k]", "int64(int32(s[int64(k)]))"),
    ],
)
def test_what_only_another_branch_computes_is_not_computed_for_null(
    offset: str, computed: str
) -> None:
    head = f"#include <cstdint>\nvoid f({PARAMETERS}) {{"
    chosen = f"{head} const uint8_t *r = k ? s + {offset} : 0; {LOOP} d[x] = r ? r[x] : 7; }}"
    assert f"r = select(k != 0, {computed}, 0)" in body(chosen)
    branched = (
        f"{head} const uint8_t *r = 0; if (k) r = s + {offset}; {LOOP} d[x] = r ? r[x] : 7; }}"
    )
    assert body(branched).count(computed) == 1
    always = branched.replace(offset, "(long)p * h")
    assert body(always).count("r = int64(p) * int64(h)") == 2
