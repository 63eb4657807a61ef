"""Masks, phases and bit numbers that go round while a loop goes on, lifted end to end."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, int n, int w, u8 a, u8 b, int k"
LOOP = "for (int i = 0; i < n; i++)"
ROUND = {
    "a mask moves down": f"u8 m = 0x80; {LOOP} {{ d[i] = *s & m ? a : b;"
    " if (!(m >>= 1)) { m = 0x80; s++; } }",
    "a mask moves up": f"unsigned m = 1; {LOOP} {{ d[i] = (*s & m) != 0; m <<= 1;"
    " if (m == 256) { m = 1; s++; } }",
    "tested before": f"int m = 128; {LOOP} {{ d[i] = (*s & m) ? 255 : 0;"
    " if (m == 1) { m = 128; s++; } else m >>= 1; }",
    "in rows": "for (int y = 0; y < n; y++) { const u8 *q = s + y * w; u8 m = 0x80;"
    " for (int x = 0; x < w; x++) { d[y * w + x] = *q & m ? 1 : 0;"
    " m >>= 1; if (!m) { m = 0x80; q++; } } }",
    "two bits each": f"int m = 6; {LOOP} {{ d[i] = (*s >> m) & 3; m -= 2;"
    " if (m < 0) { m = 6; s++; } }",
    "nibbles": f"int m = 4; {LOOP} {{ d[i] = (*s >> m) & 15; m = 4 - m; if (m == 4) s++; }}",
    "a phase": f"int p = 0; {LOOP} {{ d[i] = s[i] + p; if (++p == 3) p = 0; }}",
    "a remainder": f"int p = 2; {LOOP} {{ d[i] = s[i] + p; p = (p + 1) % 5; }}",
    "a step in two of three": f"int p = 0; {LOOP} {{ d[i] = s[k]; if (p != 1) k++;"
    " p = p == 2 ? 0 : p + 1; }",
    "no pattern": f"int p = 1; {LOOP} {{ d[i] = s[i] + p; p = p * 3 % 7; }}",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", ROUND)
def test_what_comes_back_is_a_function_of_the_iteration(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {ROUND[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        # It doesn't come back, not to what it began as, or not by itself.
        f"u8 m = 0x80; {LOOP} {{ d[i] = *s & m ? a : b; if (!(m >>= 1)) s++; }}",
        f"int p = 9; {LOOP} {{ d[i] = s[i] + p; if (++p >= 3) p = 0; }}",
        f"int p = k; {LOOP} {{ d[i] = s[i] + p; if (++p == 3) p = 0; }}",
        f"int p = 0; {LOOP} {{ d[i] = s[i] + p; if (++p == k) p = 0; }}",
        f"int p = 0; {LOOP} {{ d[i] = s[i] + p; if (s[i] > 9 && ++p == 3) p = 0; }}",
        f"u8 m = 1; {LOOP} {{ d[i] = *s & m ? a : b; if (!(m <<= 1)) {{ m = s[i]; s++; }} }}",
    ],
)
def test_what_does_not_come_back_by_itself_is_no_function_of_the_iteration(body: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.status != "proved" or difference(result) is None
    assert result.diagnostic is None or result.diagnostic.code != "internal"


def test_the_iteration_at_which_it_comes_back_is_the_right_one() -> None:
    early = f"u8 m = 0x40; {LOOP} {{ d[i] = *s & m ? a : b; if (!(m >>= 1)) {{ m = 0x40; s++; }} }}"
    assert "s(x / 7)" in repr(lifted(f"void f({PARAMETERS}) {{ {early} }}").summaries[0].expression)
