"""Numbers without sign that loops add to, whatever their sums wrap to, lifted end to end."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

PARAMETERS = (
    "u8 *d, const u8 *s, const uint32_t *t, int n, int w, uint32_t u, uint32_t by, uint32_t m"
)
WRAPPING = {
    "a ramp": "for (int i = 0; i < n; i++, u += by) d[i] = u >> 24;",
    "downwards": "for (int i = 0; i < n; i++) { d[i] = u >> 16; u -= by; }",
    "in rows": "for (int y = 0; y < n; y++) { uint32_t v = u; for (int x = 0; x < w; x++, v += m)"
    " d[y * w + x] = v >> 20; u -= by; }",
    "bytes": "u8 v = u; for (int i = 0; i < n; i++) { d[i] = v; v += by; }",
    "words": "uint16_t v = u; for (int i = 0; i < n; i++) { d[i] = v / 3; v = v * 1 - 7 * m; }",
    "shifted": "for (int i = 0; i < n; i++, u += by << 5) d[i] = u >> 13;",
    "from memory": "uint32_t v = t[0]; for (int i = 0; i < n; i++, v += t[1]) d[i] = v >> 9;",
    "a place under a mask": "for (int i = 0; i < n; i++, u += by) d[i] = s[(u >> 28) & m];",
    "a place": "for (int i = 0; i < n; i++, u += by) d[i] = s[u >> 30];",
}


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("way", WRAPPING)
def test_sums_that_wrap_are_functions_of_the_iteration(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {WRAPPING[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        # Halved on the way, of which the bits that were lost say more; a step that is written;
        # a sum of what is read.
        "for (int i = 0; i < n; i++) { d[i] = u >> 24; u = (u + by) / 2; }",
        "for (int i = 0; i < n; i++) { d[i] = u; u += d[0]; }",
        "for (int i = 0; i < n; i++) { d[i] = u; u += s[i]; }",
        "u8 v = u; for (int i = 0; i < n; i++) { d[i] = v; v = (v + by) >> 1; }",
    ],
)
def test_what_depends_on_more_than_the_sum_is_no_function_of_the_iteration(body: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.status != "proved" or any(s.kind == "scan" for s in result.summaries)
    assert result.status != "proved" or difference(result, 60) is None
