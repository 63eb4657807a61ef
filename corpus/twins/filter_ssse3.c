/* flags: -mssse3 */
/* filter_ssse3.c */

#include <tmmintrin.h>
#include "rows.h"

#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)

void fir3_row_ssse3(u8 *dst, const u8 *src, const int8_t *k, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i k01 = _mm_set1_epi16((short)((u8)k[0] | (u16)(u8)k[1] << 8));
    const __m128i k2 = _mm_set1_epi16((short)(u8)k[2]);
    const __m128i rnd = _mm_set1_epi16(32);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i l = LOAD(src + i - 1), c = LOAD(src + i), r = LOAD(src + i + 1);
        __m128i a = _mm_maddubs_epi16(_mm_unpacklo_epi8(l, c), k01);
        __m128i b = _mm_maddubs_epi16(_mm_unpackhi_epi8(l, c), k01);
        a = _mm_adds_epi16(a, _mm_maddubs_epi16(_mm_unpacklo_epi8(r, zero), k2));
        b = _mm_adds_epi16(b, _mm_maddubs_epi16(_mm_unpackhi_epi8(r, zero), k2));
        a = _mm_srai_epi16(_mm_adds_epi16(a, rnd), 6);
        b = _mm_srai_epi16(_mm_adds_epi16(b, rnd), 6);
        STORE(dst + i, _mm_packus_epi16(a, b));
    }
    fir3_row_c(dst + i, src + i, k, n - i);
}

void abs_row_s16_ssse3(s16 *dst, const s16 *src, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        STORE(dst + i, _mm_abs_epi16(LOAD(src + i)));
        STORE(dst + i + 8, _mm_abs_epi16(LOAD(src + i + 8)));
    }
    abs_row_s16_c(dst + i, src + i, n - i);
}

void mul_row_q15_ssse3(s16 *dst, const s16 *a, const s16 *b, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8)
        STORE(dst + i, _mm_mulhrs_epi16(LOAD(a + i), LOAD(b + i)));
    mul_row_q15_c(dst + i, a + i, b + i, n - i);
}
