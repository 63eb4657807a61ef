"""Error terms, as of Bresenham's lines: numbers that loops bring back by a divisor, lifted end to
end."""

from __future__ import annotations

import pytest

from lifter.dag import build_stage_graph
from tests.verify.differential import difference, lifted, parsed

HEAD = "void f(u8 *d, int dw, int dh, const u8 *s, int sw, int sh)"
FOUND = {
    "taken away": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e >= dw) { e -= dw; s++; } }",
    "in the head of a loop": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; for (e += sw; e >= dw; e -= dw) s += 2; }",
    "from the right": "int e = 0; s += sw; for (int x = 0; x < dw; x++)"
    " { d[x] = *--s; s++; e += sw; while (e >= dw) { e -= dw; s--; } }",
    "added": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e -= sw; while (e < 0) { e += dw; s++; } }",
    "before it is used": "int e = dw / 2; for (int x = 0; x < dw; x++)"
    " { while (e >= dw) { e -= dw; s++; } d[x] = *s; e += sw; }",
    "more than the divisor": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e > dw) { e -= dw; s++; } }",
    "once at most": "assert(0 < sw && sw <= dw); int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; if (e >= dw) { e -= dw; s++; } }",
    "added once": "assert(0 < sw && sw <= dw); int e = dw; for (int x = 0; x < dw; x++)"
    " { *d++ = *s; if ((e -= sw) <= 0) { e += dw; ++s; } }",
    "of a line": "assert(0 < sw && sw <= dw); int e = 2 * sw - dw; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; if (e > 0) { s++; e -= 2 * dw; } e += 2 * sw; }",
    "whole steps and parts": "assert(dw > 0 && 0 <= sh && sh <= dw); int e = 0;"
    " for (int x = 0; x < dw; x++) { d[x] = *s; s += sw; e += sh; if (e >= dw) { e -= dw; s++; } }",
    "of bits": "assert(0 <= sh && sh < 1000000); unsigned e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += 300u * (unsigned)sh; s += e >> 8; e &= 255; }",
    "by a remainder": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += 3; s += e / 7; e %= 7; }",
    "of constants": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += 5; while (e >= 3) { e -= 3; s++; } }",
    "in both directions": "int ye = 0; for (int y = 0; y < dh; y++, d += dw) { const u8 *p = s;"
    " int xe = 0; for (int x = 0; x < dw; x++)"
    " { if (*p) d[x] = *p; xe += sw; while (xe >= dw) { xe -= dw; p++; } }"
    " ye += sh; while (ye >= dh) { ye -= dh; s += sw; } }",
    "that is left": "int e = 1; for (int x = 0; x < dh; x++)"
    " { e += 3; while (e >= 5) { e -= 5; s++; } } *d = *s;",
    "as a number": "assert(sw > 0); int e = 0, p = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = p; e += sw; while (e >= dw) { e -= dw; p++; } }",
    "as a weight": "assert(sw > 0 && dw <= 4096); int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = s[0] + (s[1] - s[0]) * e / dw; e += sw; while (e >= dw) { e -= dw; s++; } }",
    "as a weight of 64": "assert(sw > 0); int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = (s[0] * (64 - e) + s[1] * e) >> 6; e += sw; s += e >> 6; e &= 63; }",
    "tested first": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; if (e >= dw) do { e -= dw; s++; } while (e >= dw); }",
    "at least once": "assert(sw >= dw); int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; do { s++; e += dw; } while (e < sw); e -= sw; }",
    "in words": "uint16_t e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e >= dw) { e -= dw; s++; } }",
    "left, or as it was": "assert(0 <= sw && sw < 100); int e = dw / 2;"
    " for (int x = 0; x < dw; x++) { while (e >= dw) { e -= dw; s++; } e += sw; } *d = s[e & 1];",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", FOUND)
def test_what_is_brought_back_is_a_quotient(way: str) -> None:
    result = lifted(f"{HEAD} {{ {FOUND[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert all(s.kind == "pure" for s in result.summaries)
    assert difference(result, 60) is None


OTHERS = {
    "the divisor changes": "int e = 0, n = dw; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e >= n) { e -= n; n++; s++; } }",
    "a pixel moves it": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += d[x]; while (e >= dw) { e -= dw; s++; } }",
    "more is taken away than is asked": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e >= dw) { e -= dw + 1; s++; } }",
    "once, whatever the step": "int e = 0; for (int x = 0; x < dh; x++)"
    " { d[x] = *s; e += sw; if (e >= dw) { e -= dw; s++; } }",
    "it begins anywhere": "int e = sh; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e >= dw) { e -= dw; s++; } }",
    "it begins below": "int e = -5; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e >= dw) { e -= dw; s++; } }",
    "a divisor that may not be positive": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e >= sh) { e -= sh; s++; } }",
    "bytes that wrap": "u8 e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; while (e >= 200) { e -= 200; s++; } }",
    "once, though it takes more": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; do { s++; e += dw; } while (e < sw); e -= sw; }",
    "the step may go back": "int e = 0; for (int x = 0; x < dh; x++)"
    " { d[x] = *s; e += sw; while (e >= 7) { e -= 7; s++; } }",
    "left where nothing runs": "int e = 9; for (int x = 0; x < dh; x++)"
    " { e += 2; while (e >= 5) { e -= 5; s++; } } *d = *s + e;",
    "a remainder of what is negative": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = s[e + 7]; e = (e + sw) % 7; }",
    "twice in an iteration": "int e = 0; for (int x = 0; x < dw; x++)"
    " { d[x] = *s; e += sw; if (e >= dw) { e -= dw; s++; } if (e >= dw) { e -= dw; s++; } }",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", OTHERS)
def test_what_is_proved_of_others_is_so(way: str) -> None:
    """They are no error terms, or those of fewer calls."""
    result = lifted(f"{HEAD} {{ {OTHERS[way]} }}")
    assert result.status != "proved" or difference(result, 200) is None


def test_what_goes_as_far_as_a_bound_is_none() -> None:
    text = "int k = 0; for (int x = 0; x < dw; x++) { if (k < sw) k += 2; d[x] = k; }"
    assert not build_stage_graph(parsed(f"{HEAD} {{ {text} }}")).has_error_terms


@pytest.mark.slow
def test_what_is_proved_without_error_terms_is_lifted_without_them() -> None:
    text = "int e = sh; for (int x = 0; x < dh; x++)"
    text += " { e += sw; if (e >= dw) { e -= dw; d[x] = 1; } else d[x] = e; }"
    kernel = parsed(f"{HEAD} {{ {text} }}")
    assert build_stage_graph(kernel).has_error_terms
    assert not build_stage_graph(kernel, error_terms=False).has_error_terms
    result = lifted(f"{HEAD} {{ {text} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 60) is None
