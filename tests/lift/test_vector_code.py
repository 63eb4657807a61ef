"""Loops over vectors are lifted to what one lane does (SSE2 to AVX2)."""

from __future__ import annotations

import pytest

from lifter.batch.one_function import Lifted, lift_one
from tests.calling_lift import ROOT
from tests.verify.differential import parsed

_LOAD = "_mm_loadu_si128((const __m128i *)({}))"
_STORE = "_mm_storeu_si128((__m128i *)({}), {});"


def load(place: str) -> str:
    return _LOAD.format(place)


def store(place: str, value: str) -> str:
    return _STORE.format(place, value)


def of(source: str) -> Lifted:
    return lift_one(parsed("#include <immintrin.h>\n" + source))


def program(found: Lifted) -> str:
    assert found.record.status == "proved", found.record.diagnostic
    return found.texts["pipeline.py"]


SATURATED = f"""
void f(u8 *d, const u8 *a, const u8 *b, int n) {{
    int i = 0;
    for (; i + 16 <= n; i += 16)
        {store("d + i", f"_mm_adds_epu8({load('a + i')}, {load('b + i')})")}
    for (; i < n; i++) {{ int v = a[i] + b[i]; d[i] = v > 255 ? 255 : v; }}
}}
"""
MULTIPLIED = f"""
void f(u8 *d, const u8 *a, const u8 *b, int n) {{
    const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi16(128);
    for (int i = 0; i + 16 <= n; i += 16) {{
        __m128i x = {load("a + i")}, y = {load("b + i")};
        __m128i lo = _mm_mullo_epi16(_mm_unpacklo_epi8(x, zero), _mm_unpacklo_epi8(y, zero));
        __m128i hi = _mm_mullo_epi16(_mm_unpackhi_epi8(x, zero), _mm_unpackhi_epi8(y, zero));
        lo = _mm_add_epi16(lo, half);
        hi = _mm_add_epi16(hi, half);
        lo = _mm_srli_epi16(_mm_add_epi16(lo, _mm_srli_epi16(lo, 8)), 8);
        hi = _mm_srli_epi16(_mm_add_epi16(hi, _mm_srli_epi16(hi, 8)), 8);
        {store("d + i", "_mm_packus_epi16(lo, hi)")}
    }}
}}
"""
THRESHOLD = f"""
static inline __m128i choose(__m128i m, __m128i a, __m128i b) {{
    return _mm_or_si128(_mm_and_si128(m, a), _mm_andnot_si128(m, b));
}}
void f(u8 *d, const u8 *s, int n, u8 t, u8 low, u8 high) {{
    const __m128i bias = _mm_set1_epi8((char)0x80);
    const __m128i level = _mm_xor_si128(_mm_set1_epi8((char)t), bias);
    for (int i = 0; i < (n & ~15); i += 16) {{
        __m128i m = _mm_cmpgt_epi8(_mm_xor_si128({load("s + i")}, bias), level);
        {store("d + i", "choose(m, _mm_set1_epi8(high), _mm_set1_epi8(low))")}
    }}
}}
"""
GREY = """
void f(u8 *d, const u8 *s, int n) {
    const __m128i weights = _mm_set1_epi32(29 | 77 << 8 | 22 << 16);
    const __m128i pixels = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    const __m128i zero = _mm_setzero_si128();
    for (int i = 0; i + 4 <= n; i += 4) {
        __m128i v = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(s + 3 * i)), pixels);
        v = _mm_srli_epi16(_mm_hadd_epi16(_mm_maddubs_epi16(v, weights), zero), 7);
        *(int *)(d + i) = _mm_cvtsi128_si32(_mm_packus_epi16(v, zero));
    }
}
"""
SWAPPED = f"""
void f(u8 *d, const u8 *s, int n) {{
    const __m128i m = _mm_setr_epi8(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
    int i = 0;
    for (; i + 4 <= n; i += 4)
        {store("d + 4 * i", f"_mm_shuffle_epi8({load('s + 4 * i')}, m)")}
    for (; i < n; i++) {{
        d[4 * i] = s[4 * i + 2]; d[4 * i + 1] = s[4 * i + 1];
        d[4 * i + 2] = s[4 * i]; d[4 * i + 3] = s[4 * i + 3];
    }}
}}
"""
HANDED_ON = f"""
void f(u8 *d, const u8 *s, int blocks) {{
    __m128i now = {load("s")};
    for (int i = 0; i < blocks; i++) {{
        __m128i next = {load("s + 16 * i + 16")};
        {store("d + 16 * i", "_mm_avg_epu8(now, next)")}
        now = next;
    }}
}}
"""
BLENDED = f"""
void f(uint32_t *d, const uint32_t *s, int n, int alpha) {{
    const __m128i z = _mm_setzero_si128();
    const __m128i va = _mm_set1_epi16(alpha), vb = _mm_set1_epi16(256 - alpha);
    for (; n >= 4; n -= 4, d += 4, s += 4) {{
        __m128i x = {load("s")}, y = {load("d")};
        __m128i lo = _mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(x, z), va),
                                   _mm_mullo_epi16(_mm_unpacklo_epi8(y, z), vb));
        __m128i hi = _mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(x, z), va),
                                   _mm_mullo_epi16(_mm_unpackhi_epi8(y, z), vb));
        {store("d", "_mm_packus_epi16(_mm_srli_epi16(lo, 8), _mm_srli_epi16(hi, 8))")}
    }}
}}
"""

FADED = f"""
static inline __m128i fade(__m128i v) {{
    const __m128i z = _mm_setzero_si128();
    __m128i lo = _mm_unpacklo_epi8(v, z), hi = _mm_unpackhi_epi8(v, z);
    __m128i alo = _mm_shufflehi_epi16(_mm_shufflelo_epi16(lo, 0xff), 0xff);
    __m128i ahi = _mm_shufflehi_epi16(_mm_shufflelo_epi16(hi, 0xff), 0xff);
    lo = _mm_srli_epi16(_mm_mullo_epi16(lo, alo), 8);
    hi = _mm_srli_epi16(_mm_mullo_epi16(hi, ahi), 8);
    return _mm_packus_epi16(lo, hi);
}}
void f(u8 *d, int n) {{
    for (; n >= 4; n -= 4, d += 16) {store("d", f"fade({load('d')})")}
    if (n > 0) {{
        u8 t[16] = {{0}};
        __builtin_memcpy(t, d, 4 * n);
        {store("t", f"fade({load('t')})")}
        __builtin_memcpy(d, t, 4 * n);
    }}
}}
"""
ONCE_MORE = f"""
void f(u8 *d, const u8 *s, int n) {{
    const __m128i three = _mm_set1_epi8(3);
    int i = 0;
    for (; i + 16 <= n; i += 16) {store("d + i", f"_mm_avg_epu8({load('s + i')}, three)")}
    if (i + 8 <= n) {{
        __m128i v = _mm_loadl_epi64((const __m128i *)(s + i));
        _mm_storel_epi64((__m128i *)(d + i), _mm_avg_epu8(v, three));
        i += 8;
    }}
    for (; i < n; i++) d[i] = (s[i] + 4) >> 1;
}}
"""
PIECES = f"""
void f(u8 *d, const u8 *s, int n) {{
    for (int i = 0; i < n; ) {{
        const int m = n - i < 16 ? n - i : 16;
        u8 t[16] = {{0}};
        __builtin_memcpy(t, s + i, m);
        {store("t", f"_mm_subs_epu8({load('t')}, _mm_set1_epi8(9))")}
        __builtin_memcpy(d + i, t, m);
        i += m;
    }}
}}
"""


@pytest.mark.parametrize(
    ("source", "formula"),
    [
        pytest.param(SATURATED, "saturating_add(a[x], b[x])", id="saturated"),
        pytest.param(THRESHOLD, "hl.select(t < s[x], high, low)", id="threshold"),
        pytest.param(GREY, ">> 7", id="grey"),
        pytest.param(FADED, "(hl.i32(d[x, y]) * d[3, y]) >> 8)", id="faded"),
        pytest.param(ONCE_MORE, "d[x] = (s[x] >> 1) + 2", id="once more"),
        pytest.param(PIECES, "d[x] = hl.saturating_sub(s[x], hl.u8(9))", id="pieces"),
        pytest.param(SWAPPED, "s[2, y]", id="swapped", marks=pytest.mark.slow),
        pytest.param(MULTIPLIED, "b[x] + 127) / 255)", id="multiplied", marks=pytest.mark.slow),
        pytest.param(HANDED_ON, "s[x + 16]", id="handed on", marks=pytest.mark.slow),
        pytest.param(BLENDED, "alpha", id="blended", marks=pytest.mark.slow),
    ],
)
def test_a_loop_over_vectors_is_what_one_lane_does(source: str, formula: str) -> None:
    text = program(of(source))
    assert formula in text, text
    assert "lane" not in text


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        (SATURATED, "_mm_adds_epu8", "_mm_adds_epi8"),
        (SATURATED, "_mm_adds_epu8", "_mm_add_epi8"),
        pytest.param(FADED, "memcpy(d, t, 4 * n)", "memcpy(d, t, n)", marks=pytest.mark.slow),
        pytest.param(FADED, "if (n > 0)", "if (n > 1)", marks=pytest.mark.slow),
        pytest.param(FADED, "memcpy(t, d, 4 * n)", "memcpy(t, d, 3)", marks=pytest.mark.slow),
        pytest.param(ONCE_MORE, "i += 8;", "i += 4;", marks=pytest.mark.slow),
        pytest.param(ONCE_MORE, "s[i] + 4", "s[i] + 5", marks=pytest.mark.slow),
        pytest.param(
            PIECES, "memcpy(d + i, t, m)", "memcpy(d + i, t, m - 1)", marks=pytest.mark.slow
        ),
        pytest.param(GREY, "0, 1, 2, -1,", "2, 1, 0, -1,", marks=pytest.mark.slow),
        pytest.param(THRESHOLD, "_mm_cmpgt_epi8", "_mm_cmplt_epi8", marks=pytest.mark.slow),
        pytest.param(
            HANDED_ON, "avg_epu8(now, next)", "avg_epu8(now, now)", marks=pytest.mark.slow
        ),
    ],
)
def test_another_instruction_is_another_program(source: str, old: str, new: str) -> None:
    """Where it is proved: what its neighbour is lifted to is something else."""
    assert old in source
    found = of(source.replace(old, new, 1))
    if found.record.status == "proved":
        assert found.texts["pipeline.py"] != program(of(source))


def test_the_readmes_vectors_are_what_it_says() -> None:
    blocks = (ROOT / "README.md").read_text("utf-8").split("```")
    (place,) = (i for i, block in enumerate(blocks) if "_mm_loadu_si128" in block)
    source, line = (blocks[i].partition("\n")[2].strip() for i in (place, place + 2))
    found = lift_one(parsed(source))
    assert line in program(found)
