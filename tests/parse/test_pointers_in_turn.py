"""Short loops over a local array of pointers are run iteration by iteration, and no others."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

from .parsing import body, failure, lines

ROWS = "const unsigned char *row[3]; row[0] = s; row[1] = s + w; row[2] = s + 2 * w;"
HEAD = "void f(unsigned char *d, const unsigned char *s, int n, int w, int k)"


def test_each_iteration_names_its_pointer() -> None:
    text = "void f(int *d, int *a, int *b) { int i; int *p[2] = { a, b };"
    assert body(text + " for (i = 1; i >= 0; i--) d[i] = p[1 - i][i]; d[9] = i; }") == lines("""
        int32 i
        p.0 = 0
        p.1 = 0
        d[1] = a[p.0 + 1]
        d[0] = b[p.1]
        i = -1
        d[9] = i
    """)


LIFTED = {
    "a column of three": f"{ROWS} for (int x = 0; x < w; x++) {{ int t = 0;"
    " for (int i = 0; i < 3; i++) t += row[i][x] * (i + 1); d[x] = t / 6; }",
    "borders": "const unsigned char *row[3]; int x, i; for (int y = 0; y < n; y++) {"
    " row[1] = s + y * w; row[0] = y > 0 ? row[1] - w : row[1];"
    " row[2] = y < n - 1 ? row[1] + w : row[1]; for (x = 0; x < w; x++) { unsigned char m = 255;"
    " for (i = 0; i < 3; i++) { const unsigned char *p = row[i]; if (p[x] < m) m = p[x]; }"
    " d[y * w + x] = m; } }",
    "filled in turn": "const unsigned char *row[4]; for (int i = 0; i < 4; i += 2)"
    " { row[i] = s + i * w; row[i + 1] = s + i; }"
    " for (int x = 0; x < w; x++) d[x] = row[0][x] ^ row[1][x] ^ row[2][x] ^ row[3][x];",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", LIFTED)
def test_rows_of_a_window_lift(way: str) -> None:
    result = lifted(f"{HEAD} {{ {LIFTED[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


REFUSED = {
    "a bound that isn't known": "for (int i = 0; i < k; i++) t += row[i][x];",
    "a counter that is changed": "for (int i = 0; i < 3; i++) { t += row[i][x]; if (t > k) i++; }",
    "a counter that is changed elsewhere": "for (int i = 0; i < 3; i++)"
    " { int &j = i; t += row[i][x]; if (t > k) j++; }",
    "a counter that lies in memory": "for (int i = 0; i < 3; i++)"
    " { int *j = &i; t += row[i][x]; ++*j; }",
    "left early": "for (int i = 0; i < 3; i++) { if (s[i] > k) break; t += row[i][x]; }",
    "beyond the end": "for (int i = 0; i < 4; i++) t += row[i][x];",
    "before the beginning": "for (int i = 2; i >= 0; i--) t += row[i - 1][x];",
    "what pixels say": "for (int i = 0; i < 3; i++) t += row[s[i] & 1][x];",
}


@pytest.mark.parametrize("way", REFUSED)
def test_what_chooses_among_pointers_in_another_way_is_refused(way: str) -> None:
    loop = f"for (int x = 0; x < w; x++) {{ int t = 0; {REFUSED[way]} d[x] = t; }}"
    assert failure(f"{HEAD} {{ {ROWS} {loop} }}").code == "pointer-base"
