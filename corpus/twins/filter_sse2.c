/* flags: -msse2 */
/* filter_sse2.c */

#include <emmintrin.h>
#include "rows.h"

#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define LOAD8(p) _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p)), zero)
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)

void fir3_row_sse2(u8 *dst, const u8 *src, const int8_t *k, int n)
{
    const __m128i zero = _mm_setzero_si128();
    /* pairs of taps: (k0, k1) with (left, centre), (k2, 32) with (right, 1) */
    const __m128i k01 = _mm_set1_epi32((int)(((unsigned)(int)k[1] << 16) | (u16)k[0]));
    const __m128i k2r = _mm_set1_epi32((int)((32u << 16) | (u16)k[2]));
    const __m128i one = _mm_set1_epi16(1);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i l = LOAD8(src + i - 1), c = LOAD8(src + i), r = LOAD8(src + i + 1);
        __m128i a = _mm_add_epi32(_mm_madd_epi16(_mm_unpacklo_epi16(l, c), k01), _mm_madd_epi16(_mm_unpacklo_epi16(r, one), k2r));
        __m128i b = _mm_add_epi32(_mm_madd_epi16(_mm_unpackhi_epi16(l, c), k01), _mm_madd_epi16(_mm_unpackhi_epi16(r, one), k2r));
        a = _mm_packs_epi32(_mm_srai_epi32(a, 6), _mm_srai_epi32(b, 6));
        _mm_storel_epi64((__m128i *)(dst + i), _mm_packus_epi16(a, a));
    }
    fir3_row_c(dst + i, src + i, k, n - i);
}

void gauss5_col_sse2(u8 *dst, const u8 *src, ptrdiff_t stride, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i rnd = _mm_set1_epi16(8), six = _mm_set1_epi16(6);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const u8 *s = src + i;
        __m128i o = _mm_add_epi16(LOAD8(s - 2 * stride), LOAD8(s + 2 * stride));
        __m128i m = _mm_add_epi16(LOAD8(s - stride), LOAD8(s + stride));
        __m128i c = _mm_mullo_epi16(LOAD8(s), six);
        o = _mm_add_epi16(_mm_add_epi16(o, rnd), _mm_add_epi16(_mm_slli_epi16(m, 2), c));
        o = _mm_srli_epi16(o, 4);
        _mm_storel_epi64((__m128i *)(dst + i), _mm_packus_epi16(o, o));
    }
    gauss5_col_c(dst + i, src + i, stride, n - i);
}

void box_col_sse2(u8 *dst, const u8 *src, ptrdiff_t stride, int taps, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const unsigned recip = (65536u + (unsigned)taps / 2) / (unsigned)taps;
    const __m128i k = _mm_set1_epi16((short)recip);
    int i = 0, y;
    for (; i + 16 <= n; i += 16) {
        const u8 *s = src + i;
        __m128i lo = zero, hi = zero;
        for (y = 0; y < taps; y++, s += stride) {
            __m128i v = LOAD(s);
            lo = _mm_add_epi16(lo, _mm_unpacklo_epi8(v, zero));
            hi = _mm_add_epi16(hi, _mm_unpackhi_epi8(v, zero));
        }
        STORE(dst + i, _mm_packus_epi16(_mm_mulhi_epu16(lo, k), _mm_mulhi_epu16(hi, k)));
    }
    if (i < n)
        box_col_c(dst + i, src + i, stride, taps, n - i);
}

void median3_row_sse2(u8 *dst, const u8 *src, int n)
{
    int i = 0;
    if (n < 16) {
        median3_row_c(dst, src, n);
        return;
    }
    for (;;) {
        __m128i a = LOAD(src + i - 1), b = LOAD(src + i), c = LOAD(src + i + 1);
        __m128i lo = _mm_min_epu8(a, b), hi = _mm_max_epu8(a, b);
        STORE(dst + i, _mm_max_epu8(lo, _mm_min_epu8(hi, c)));
        i += 16;
        if (i >= n)
            break;
        if (i > n - 16)
            i = n - 16; /* dst and src are different rows */
    }
}

void halve_row_sse2(u8 *dst, const u8 *a, const u8 *b, int n)
{
    for (; n >= 16; n -= 16, a += 16, b += 16, dst += 16)
        STORE(dst, _mm_avg_epu8(LOAD(a), LOAD(b)));
    for (; n > 0; n--)
        *dst++ = (u8)((*a++ + *b++) >> 1);
}

void shl_row_u16_sse2(u16 *dst, const u16 *src, int count, int n)
{
    const __m128i c = _mm_cvtsi32_si128(count);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        STORE(dst + i, _mm_sll_epi16(LOAD(src + i), c));
    shl_row_u16_c(dst + i, src + i, count, n - i);
}

uint32_t sum_row_sse2(const u8 *src, int n)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i acc = zero;
    for (; n >= 16; n -= 16, src += 16)
        acc = _mm_add_epi64(acc, _mm_sad_epu8(LOAD(src), zero));
    acc = _mm_add_epi64(acc, _mm_srli_si128(acc, 8));
    return (uint32_t)_mm_cvtsi128_si32(acc) + sum_row_c(src, n);
}
