"""Small arrays that are filled before all loops: offsets of neighbours, ends of ranges."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

HEAD = "void f(u8 *d, const u8 *s, int n, int w, int k)"
LOOPS = "for (int y = 1; y < n - 1; y++) for (int x = 1; x < w - 1; x++)"
TABLE = "const int at[4] = { -w, -1, 1, w };"
LIFTED = {
    "neighbours": f"{TABLE} {LOOPS} {{ int t = 0; for (int i = 0; i < 4; i++)"
    " t += s[y * w + x + at[i]]; d[y * w + x] = t / 4; }",
    "a ring": f"{TABLE} {LOOPS} {{ const u8 *p = s + y * w + x; int m = 0;"
    " for (int i = 0; i < 4; i++) { int v = p[at[i]] + p[at[(i + 1) & 3]]; if (v > m) m = v; }"
    " d[y * w + x] = m / 2; }",
    "of two nests": f"{TABLE} for (int i = 0; i < n * w; i++) d[i] = 0;"
    f" {LOOPS} {{ int t = 0; for (int i = 0; i < 4; i++) t ^= s[y * w + x + at[i]];"
    " d[y * w + x] = t; }",
    "chosen before": f"int at[2] = {{ 1, w }}; if (k > 3) {{ at[0] = w; at[1] = 1; }} {LOOPS}"
    " d[y * w + x] = s[y * w + x + at[0]] - s[y * w + x - at[1]];",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", LIFTED)
def test_elements_are_what_the_parameters_make_of_them(way: str) -> None:
    result = lifted(f"{HEAD} {{ {LIFTED[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


OTHERS = {
    "changed on the way": f"int at[4] = {{ -w, -1, 1, w }}; {LOOPS} {{ int t = 0;"
    " for (int i = 0; i < 4; i++) t += s[y * w + x + at[i]]; d[y * w + x] = t; at[1] = 1; }",
    "changed between": f"int at[2] = {{ 1, w }}; {LOOPS} d[y * w + x] = s[y * w + x + at[0]];"
    " at[0] = -1; for (int i = 1; i < n; i++) d[i] = s[i + at[0]];",
    "an element without a value": f"int at[4]; at[0] = 1; at[2] = 2; {LOOPS} {{ int t = 0;"
    " for (int i = 0; i < 4; i++) t += s[y * w + x + at[i]]; d[y * w + x] = t; }",
    "beyond its end": f"int at[3] = {{ 1, 2, 3 }}; {LOOPS} {{ int t = 0;"
    " for (int i = 0; i < 4; i++) t += s[y * w + x + at[i]]; d[y * w + x] = t; }",
    "what pixels say": f"{TABLE} {LOOPS} d[y * w + x] = s[y * w + x + at[s[x] & 3]];",
    "filled by what is stored over": f"int v[2] = {{ d[0], d[1] }}; {LOOPS} {{ int t = 0;"
    " for (int i = 0; i < 2; i++) t += v[i]; d[y * w + x - w - 1] = t; }",
}


NEVER = {"an element without a value", "beyond its end"}


@pytest.mark.parametrize("way", OTHERS)
def test_what_may_change_or_has_no_value_is_not_taken_for_constant(way: str) -> None:
    result = lifted(f"{HEAD} {{ {OTHERS[way]} }}")
    assert result.status != "proved" or (way not in NEVER and difference(result) is None)
