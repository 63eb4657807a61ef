/* flags: -msse4.1 */
/* fconv_sse41.c */

#include <smmintrin.h>
#include "rows.h"

static inline __m128i to_byte_range(const float *p)
{
    const __m128 k = _mm_set1_ps(255.0f);
    __m128 v = _mm_mul_ps(_mm_loadu_ps(p), k);
    v = _mm_min_ps(_mm_max_ps(v, _mm_setzero_ps()), k);
    return _mm_cvttps_epi32(_mm_add_ps(v, _mm_set1_ps(0.5f)));
}

void f32_to_u8_row_sse41(u8 *dst, const float *src, int n)
{
    for (; n >= 8; n -= 8, src += 8, dst += 8) {
        __m128i v = _mm_packus_epi32(to_byte_range(src), to_byte_range(src + 4));
        _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(v, v));
    }
    f32_to_u8_row_c(dst, src, n);
}

void f32_to_u16_row_sse41(u16 *dst, const float *src, int n)
{
    const __m128 lo = _mm_setzero_ps(), hi = _mm_set1_ps(65535.0f);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128 a = _mm_min_ps(_mm_max_ps(_mm_loadu_ps(src + i), lo), hi);
        __m128 b = _mm_min_ps(_mm_max_ps(_mm_loadu_ps(src + i + 4), lo), hi);
        _mm_storeu_si128((__m128i *)(dst + i), _mm_packus_epi32(_mm_cvttps_epi32(a), _mm_cvttps_epi32(b)));
    }
    f32_to_u16_row_c(dst + i, src + i, n - i);
}
