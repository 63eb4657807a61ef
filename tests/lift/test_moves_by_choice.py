"""Pointers and counters that each iteration moves by one of two steps, as the call chooses."""

from __future__ import annotations

import pytest

from compiler.ir import to_text
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import parse

PARAMETERS = "uint8_t *d, const uint8_t *s, const uint8_t *m, int w, int h, int p, bool f, int k"
LOOP = "for (int x = 0; x < w; x++)"
ROWS = "for (int y = 0; y < h; y++)"


def lift(body: str) -> FunctionResult | None:
    """None for what isn't even read."""
    found = parse(f"#include <cstdint>\nvoid f({PARAMETERS}) {{ {body} }}\n")
    return lift_kernel(found.kernels[0], LiftOptions()) if found.kernels else None


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("body", "definition"),
    [
        (f"{LOOP} {{ d[x] = m ? *m : 1; if (m) m++; }}", "select(m.given, m(x), 1)"),
        (f"{LOOP} d[x] = m ? *m++ : 1;", "select(m.given, m(x), 1)"),
        (f"{LOOP} {{ d[x] = f ? *m : 1; if (f) ++m; }}", "select(f, m(x), 1)"),
        (f"{LOOP} {{ int t = 0; if (k == 3) {{ t = *m; m += 1; }} d[x] = t; }}",
         "select(k == 3, m(x), 0)"),
        (f"{LOOP} {{ if (m) *d++ = *m++; else *d++ = s[x]; }}", "select(m.given, m(x), s(x))"),
        (f"{ROWS} {{ {LOOP} d[x] = m ? s[x] & m[x] : s[x]; d += p; s += p; if (m) m += p; }}",
         "select(m.given, s(x, y) & m(x, y), s(x, y))"),
        (f"{ROWS} {{ {LOOP} *d++ = m ? s[x] ^ *m++ : s[x]; d += p - w; s += p;"
         " if (m) m += p - w; }",
         "select(m.given, s(x, y) ^ m(x, y), s(x, y))"),
        (f"{ROWS} {{ {LOOP} *d++ = f ? *s++ : *m++; d += p - w;"
         " if (f) s += p - w; else m += p - w; }",
         "select(f, s(x, y), m(x, y))"),
    ],
)  # fmt: skip
def test_a_pointer_moves_where_the_call_says_so(body: str, definition: str) -> None:
    result = lift(body)
    assert result is not None and result.status == "proved", result and result.diagnostic
    assert to_text(result.summaries[0].expression) == definition


@pytest.mark.parametrize(
    "body",
    [
        # a pixel chooses
        f"{LOOP} {{ d[x] = *m; if (s[x]) m++; }}",
        # the iteration chooses
        f"{LOOP} {{ d[x] = *m; if (x & k) m++; }}",
        # the choice changes on the way
        f"{LOOP} {{ d[x] = *m; if (f) m++; f = x < k; }}",
        f"{LOOP} {{ d[x] = *m; if (k) m++; k--; }}",
        # what was stored chooses
        f"{LOOP} {{ d[x] = *m; if (d[0]) m++; }}",
        # one more is read than the original reads
        f"{LOOP} {{ d[x] = m ? (x < w - 1 ? m[1] : *m) : 1; if (m && x + k < w) m++; }}",
    ],
)
def test_a_pointer_that_moves_by_more_than_one_choice_is_refused(body: str) -> None:
    result = lift(body)
    assert result is None or result.status != "proved"
