/* flags: -msse4.1 */
/* blend_sse41.c */

#include <smmintrin.h>
#include "rows.h"

void over_row_sse41(u8 *dst, const u8 *src, int n)
{
    const __m128i dup_a = _mm_setr_epi8(3, -1, 3, -1, 3, -1, 3, -1, 7, -1, 7, -1, 7, -1, 7, -1);
    const __m128i k255 = _mm_set1_epi16(255), k128 = _mm_set1_epi16(128);
    int i = 0;
    for (; i + 2 <= n; i += 2) {
        __m128i s8 = _mm_loadl_epi64((const __m128i *)(src + 4 * i));
        __m128i d = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(dst + 4 * i)));
        __m128i ia = _mm_sub_epi16(k255, _mm_shuffle_epi8(s8, dup_a));
        d = _mm_add_epi16(_mm_mullo_epi16(d, ia), k128);
        d = _mm_srli_epi16(_mm_add_epi16(d, _mm_srli_epi16(d, 8)), 8);
        d = _mm_add_epi16(d, _mm_cvtepu8_epi16(s8));
        _mm_storel_epi64((__m128i *)(dst + 4 * i), _mm_packus_epi16(d, d));
    }
    if (i < n)
        over_row_c(dst + 4 * i, src + 4 * i, 1);
}

void select_row_sse41(u8 *dst, const u8 *src, const u8 *mask, int n)
{
    const __m128i zero = _mm_setzero_si128();
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i m = _mm_loadu_si128((const __m128i *)(mask + i));
        if (_mm_testz_si128(m, m))
            continue;
        __m128i d = _mm_loadu_si128((const __m128i *)(dst + i));
        __m128i s = _mm_loadu_si128((const __m128i *)(src + i));
        _mm_storeu_si128((__m128i *)(dst + i), _mm_blendv_epi8(s, d, _mm_cmpeq_epi8(m, zero)));
    }
    for (; i < n; i++)
        dst[i] = mask[i] ? src[i] : dst[i];
}
