"""Bits taken one by one from bytes that are read now and then, as of glyphs and bitmaps."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, int n, int k, const unsigned *w"
EACH = "u8 bits = 0; for (int i = 0; i < n; i++)"
REGISTERS = {
    "top bits first": f"{EACH} {{ if ((i & 7) == 0) bits = s[i >> 3]; else bits = bits << 1;"
    " d[i] = bits & 0x80 ? k : 9; }",
    "read at a pointer, shifted behind": f"{EACH} {{ if (!(i & 7)) bits = *s++;"
    " d[i] = bits & 1; bits >>= 1; }",
    "the other way about": f"{EACH} {{ if (i % 8 != 0) bits <<= 1; else bits = s[i / 8] ^ k;"
    " if (bits & 0x80) continue; d[i] = k; }",
    "pairs of bits": f"{EACH} {{ if (i % 4 == 0) bits = ~s[i / 4];"
    " d[i] = bits >> 6; bits <<= 2; }",
    "words": "unsigned v = 0; for (int i = 0; i < n; i++) { if (i % 32 == 0) v = w[i / 32];"
    " d[i] = v & 1; v >>= 1; }",
    "rows": "for (int y = 0; y < k; y++) { u8 b = 0; for (int x = 0; x < n; x++) {"
    " if ((x & 7) == 0) b = s[y * 99 + x / 8]; d[y * n + x] = (b & 0x80) != 0; b <<= 1; } }",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", REGISTERS)
def test_a_register_is_a_shift_of_what_was_read(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {REGISTERS[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


OTHERS = {
    "what is read is stored to": f"{EACH} {{ if (!(i & 7)) bits = d[i / 8 + n];"
    " d[i + n] = bits & 1; bits >>= 1; }",
    "begun between": "u8 bits = k; for (int i = 0; i < n; i++) {"
    " if ((i & 7) == 3) bits = s[i >> 3]; d[i] = bits & 1; bits >>= 1; }",
    "a period of its own": f"{EACH} {{ if (i % k == 0) bits = s[i];"
    " d[i] = bits & 1; bits >>= 1; }",
    "shifted at times": f"{EACH} {{ if (!(i & 7)) bits = s[i >> 3]; d[i] = bits & 1;"
    " if (i & 1) bits >>= 1; }",
    "used before it is read": f"{EACH} {{ d[i] = bits & 1; if (!(i & 7)) bits = s[i >> 3];"
    " bits >>= 1; }",
    "a sign that is copied": "signed char b = 0; for (int i = 0; i < n; i++) {"
    " if (!(i & 7)) b = s[i >> 3]; d[i] = b < 0; b >>= 1; }",
    "read at times": f"{EACH} {{ if (s[i] > k) {{ if (!(i & 7)) bits = s[i >> 3]; }}"
    " d[i] = bits & 1; bits >>= 1; }",
    "shifted too far": "unsigned v = 0; for (int i = 0; i < n; i++) {"
    " if (i % 64 == 0) v = w[i / 64]; d[i] = v & 1; v >>= 1; }",
}


@pytest.mark.parametrize("way", OTHERS)
def test_what_is_no_register_is_not_taken_for_one(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {OTHERS[way]} }}")
    assert result.status != "proved" or difference(result) is None
