"""Places that data make and conditions keep inside: turned, warped and unrolled images."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

HEAD = "void f(u8 *d, const u8 *s, int n, int w, int k, const int *at, const float *m)"
EACH = "for (int i = 0; i < n; i++)"
TABLE = "int t[64]; for (int i = 0; i < 64; i++) t[i] = i * k;"
WHERE = {
    "of a product": f"{EACH} {{ int x = w + ((k * at[i] + 128) >> 8);"
    " d[i] = x >= 0 && x < n ? s[x] : 0; }",
    "of a table of its own": f"{TABLE} for (int i = 0; i < 64; i++)"
    " { int x = w + ((n * t[i] + 128) >> 8); u8 v = 0; if (x >= 0 && x < w) v = s[x]; d[i] = v; }",
    "of floats": f"{EACH} {{ int x = (int)floorf(m[0] * i + m[1]);"
    " if (x < 0 || x >= w - 1) d[i] = k; else d[i] = (s[x] + s[x + 1]) / 2; }",
    "in fixed point of a float": f"int a = (int)(m[0] * 65536.0f); {EACH}"
    " { int x = (w + i * a) >> 16; d[i] = (unsigned)x < (unsigned)n ? s[x] : 0; }",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", WHERE)
def test_conditions_say_what_is_read(way: str) -> None:
    result = lifted(f"#include <math.h>\n{HEAD} {{ {WHERE[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


ELSEWHERE = {
    "without an end": f"{EACH} {{ int x = (int)floorf(m[0] * i); d[i] = x >= 0 ? s[x] : 0; }}",
    "of another place": f"{EACH} {{ int x = (int)floorf(m[0] * i), y = (int)floorf(m[1] * i);"
    " d[i] = y >= 0 && y < w ? s[x] : 0; }",
    "of the place before": f"{TABLE} for (int i = 0; i < 64; i++) {{ int x = t[i];"
    " u8 v = 0; if (x >= 0 && x < w) v = s[x * 2 + t[63 - i]]; d[i] = v; }",
    "or": f"{TABLE} for (int i = 0; i < 64; i++) {{ int x = n * t[i] >> 2;"
    " d[i] = x >= 0 || x < w ? s[x] : 0; }",
}


@pytest.mark.parametrize("way", ELSEWHERE)
def test_what_conditions_leave_open_is_not_read(way: str) -> None:
    result = lifted(f"#include <math.h>\n{HEAD} {{ {ELSEWHERE[way]} }}")
    assert result.status != "proved", result.summaries


UNSIGNED = (
    f"{EACH} {{ unsigned x = (unsigned)k * (unsigned)at[i]; d[i] = x < (unsigned)w ? s[x] : 0; }}"
)


def test_what_wraps_in_the_original_is_not_taken_to_fit() -> None:
    """Its twin is a product with a sign, of which the original is undefined where it overflows."""
    result = lifted(f"{HEAD} {{ {UNSIGNED} }}")
    assert result.status != "proved" or difference(result, 100) is None
