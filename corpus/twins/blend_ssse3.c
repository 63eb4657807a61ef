/* flags: -mssse3 */
/* blend_ssse3.c */

#include <tmmintrin.h>
#include "rows.h"

#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)

/* source and destination interleaved, both weights in one multiply-add */
void mix7_row_ssse3(u8 *dst, const u8 *src, int weight, int n)
{
    const __m128i w = _mm_set1_epi16((short)((128 - weight) << 8 | weight));
    const __m128i rnd = _mm_set1_epi16(64);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i s = LOAD(src + i), d = LOAD(dst + i);
        __m128i lo = _mm_maddubs_epi16(_mm_unpacklo_epi8(s, d), w);
        __m128i hi = _mm_maddubs_epi16(_mm_unpackhi_epi8(s, d), w);
        lo = _mm_srli_epi16(_mm_add_epi16(lo, rnd), 7);
        hi = _mm_srli_epi16(_mm_add_epi16(hi, rnd), 7);
        STORE(dst + i, _mm_packus_epi16(lo, hi));
    }
    mix7_row_c(dst + i, src + i, weight, n - i);
}

void swap_rb_row_ssse3(u8 *dst, const u8 *src, int n)
{
    const __m128i m = _mm_setr_epi8(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
    for (; n >= 8; n -= 8, src += 32, dst += 32) {
        __m128i a = LOAD(src), b = LOAD(src + 16);
        STORE(dst, _mm_shuffle_epi8(a, m));
        STORE(dst + 16, _mm_shuffle_epi8(b, m));
    }
    if (n >= 4) {
        STORE(dst, _mm_shuffle_epi8(LOAD(src), m));
        n -= 4;
        src += 16;
        dst += 16;
    }
    swap_rb_row_c(dst, src, n);
}

/* 16 pixels from three vectors */
void rgb_to_grey_row_ssse3(u8 *dst, const u8 *rgb, int n)
{
    const __m128i r0 = _mm_setr_epi8(0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128i r1 = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14, -1, -1, -1, -1, -1);
    const __m128i r2 = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 4, 7, 10, 13);
    const __m128i g0 = _mm_setr_epi8(1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128i g1 = _mm_setr_epi8(-1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1);
    const __m128i g2 = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14);
    const __m128i b0 = _mm_setr_epi8(2, 5, 8, 11, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128i b1 = _mm_setr_epi8(-1, -1, -1, -1, -1, 1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1);
    const __m128i b2 = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15);
    const __m128i zero = _mm_setzero_si128(), rnd = _mm_set1_epi16(128);
    const __m128i kr = _mm_set1_epi16(77), kg = _mm_set1_epi16(150), kb = _mm_set1_epi16(29);
    for (; n >= 16; n -= 16, rgb += 48, dst += 16) {
        __m128i p0 = LOAD(rgb), p1 = LOAD(rgb + 16), p2 = LOAD(rgb + 32);
        __m128i r = _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(p0, r0), _mm_shuffle_epi8(p1, r1)), _mm_shuffle_epi8(p2, r2));
        __m128i g = _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(p0, g0), _mm_shuffle_epi8(p1, g1)), _mm_shuffle_epi8(p2, g2));
        __m128i b = _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(p0, b0), _mm_shuffle_epi8(p1, b1)), _mm_shuffle_epi8(p2, b2));
        __m128i lo = _mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(r, zero), kr), _mm_mullo_epi16(_mm_unpacklo_epi8(g, zero), kg));
        __m128i hi = _mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(r, zero), kr), _mm_mullo_epi16(_mm_unpackhi_epi8(g, zero), kg));
        lo = _mm_add_epi16(lo, _mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(b, zero), kb), rnd));
        hi = _mm_add_epi16(hi, _mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(b, zero), kb), rnd));
        STORE(dst, _mm_packus_epi16(_mm_srli_epi16(lo, 8), _mm_srli_epi16(hi, 8)));
    }
    rgb_to_grey_row_c(dst, rgb, n);
}
