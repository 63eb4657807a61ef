"""Pixels of 1, 2 and 4 bits that loops store and look up, and what isn't theirs."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, const u8 *t, long n, int k"
ROW = f"void f({PARAMETERS}) {{ for (long x = 0; x < n; x++)"
BIT = "if (V) d[x >> 3] |= 128 >> (x & 7); else d[x >> 3] &= ~(128 >> (x & 7));"
NIBBLE = "d[x >> 1] = x & 1 ? (d[x >> 1] & 240) | (V & 15) : (d[x >> 1] & 15) | V << 4;"
STORED = {
    "a mask": f"{ROW} {BIT.replace('V', 's[x] > k')} }}",
    "between two places": f"{ROW.replace('x = 0', 'x = k')} {NIBBLE.replace('V', 's[x - k]')} }}",
    "in place": f"{ROW} {{ int v = d[x >> 3] >> (7 - (x & 7)) & 1; {BIT.replace('V', 'v != s[x]')} "
    "} }",
    "by their own value": f"{ROW} if ((d[x >> 1] >> (x & 1 ? 0 : 4) & 15) == k) "
    + NIBBLE.replace("V", "s[x]")
    + " }",
    "looked up": f"{ROW} d[x] = t[s[x >> 1] >> (x & 1 ? 0 : 4) & 15]; }}",
    "bits that are looked up": f"{ROW} d[x] = t[s[x >> 3] & 1 << (7 - (x & 7)) ? 1 : 0]; }}",
}


QUICK = ("looked up", "bits that are looked up", "between two places")


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "way", [w if w in QUICK else pytest.param(w, marks=pytest.mark.slow) for w in STORED]
)
def test_pixels_of_a_few_bits(way: str) -> None:
    result = lifted(STORED[way])
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.slow
def test_a_nibble_is_stored_by_a_function() -> None:
    text = (
        "static void put(u8 *p, long x, int v) { u8 &b = p[x >> 1];"
        " if (x & 1) b = (b & 240) | (v & 15); else b = (b & 15) | (v << 4); }\n"
        f"{ROW} put(d, x, s[x] >> 4); }}"
    )
    result = lifted(text)
    assert result.status == "proved", result.diagnostic
    pixels, packed = result.summaries
    assert str(pixels.expression) == "s(x) >> 4"
    assert [str(d.upper) for d in packed.roi] == ["(n + 1) / 2"]
    assert difference(result) is None


@pytest.mark.slow
def test_bits_are_stored_from_a_place_in_a_row_on() -> None:
    """The first and last byte keep their neighbours' bits, which conditions on both ends say."""
    result = lifted(
        "void f(u8 *d, int stride, int y, int x, int n, const unsigned *s) {"
        " u8 *row = d + y * stride; for (int i = 0; i < n; ++i) {"
        " u8 bit = (u8)(1u << ((x + i) & 7)); u8 *p = row + ((x + i) >> 3);"
        " if (s[i] & 0x80000000u) *p |= bit; else *p &= (u8)~bit; } }"
    )
    assert result.status == "proved", result.diagnostic


HISTOGRAMS = {
    "bits": f"{ROW} h[s[x >> 3] & 128 >> (x & 7) ? 1 : 0]++; }}",
    "nibbles": f"{ROW} h[s[x >> 1] >> (x & 1 ? 0 : 4) & 15] += t[x]; }}",
    "one of two": f"{ROW} h[s[x] > k ? 3 : 0]++; }}",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", HISTOGRAMS)
def test_histograms_of_a_few_bits(way: str) -> None:
    result = lifted(HISTOGRAMS[way].replace("u8 *d", "unsigned *h"))
    assert result.status == "proved", result.diagnostic
    assert [s.kind for s in result.summaries] == ["reduction"]
    assert difference(result) is None


@pytest.mark.parametrize(
    "text",
    [
        f"{ROW} {BIT.replace('V', 's[x] > k').replace('~(128', '~(192')} }}",
        f"{ROW} {BIT.replace('V', 'd[0]')} }}",
        f"{ROW} d[s[x >> 1] >> (x & 1 ? 0 : 4) & 15] += d[0]; }}",
        f"{ROW} d[x] = t[s[x >> 1] >> (x & 1 ? 0 : 4) & 15] + d[s[x >> 1] & 15]; }}",
    ],
)
def test_what_else_is_changed_or_read_counts(text: str) -> None:
    result = lifted(text)
    assert result.status != "proved" or difference(result) is None
