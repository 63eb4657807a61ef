/* flags: -msse2 */
/* fconv_sse2.c */

#include <emmintrin.h>
#include "rows.h"

void f32_to_u8_row_sse2(u8 *dst, const float *src, int n)
{
    const __m128 k = _mm_set1_ps(255.0f), zero = _mm_setzero_ps();
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i q0 = _mm_cvtps_epi32(_mm_min_ps(_mm_max_ps(_mm_mul_ps(_mm_loadu_ps(src + i), k), zero), k));
        __m128i q1 = _mm_cvtps_epi32(_mm_min_ps(_mm_max_ps(_mm_mul_ps(_mm_loadu_ps(src + i + 4), k), zero), k));
        __m128i q2 = _mm_cvtps_epi32(_mm_min_ps(_mm_max_ps(_mm_mul_ps(_mm_loadu_ps(src + i + 8), k), zero), k));
        __m128i q3 = _mm_cvtps_epi32(_mm_min_ps(_mm_max_ps(_mm_mul_ps(_mm_loadu_ps(src + i + 12), k), zero), k));
        q0 = _mm_packs_epi32(q0, q1);
        q2 = _mm_packs_epi32(q2, q3);
        _mm_storeu_si128((__m128i *)(dst + i), _mm_packus_epi16(q0, q2));
    }
    f32_to_u8_row_c(dst + i, src + i, n - i);
}

void f32_to_u16_row_sse2(u16 *dst, const float *src, int n)
{
    const __m128 lo = _mm_setzero_ps(), hi = _mm_set1_ps(65535.0f);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128 a = _mm_min_ps(_mm_max_ps(_mm_loadu_ps(src + i), lo), hi);
        __m128 b = _mm_min_ps(_mm_max_ps(_mm_loadu_ps(src + i + 4), lo), hi);
        _mm_storeu_si128((__m128i *)(dst + i), _mm_packs_epi32(_mm_cvttps_epi32(a), _mm_cvttps_epi32(b)));
    }
    f32_to_u16_row_c(dst + i, src + i, n - i);
}

void clamp_row_f32_sse2(float *dst, const float *src, float lo, float hi, int n)
{
    const __m128 vlo = _mm_set1_ps(lo), vhi = _mm_set1_ps(hi);
    int i = 0;
    for (; i + 4 <= n; i += 4)
        _mm_storeu_ps(dst + i, _mm_min_ps(_mm_max_ps(_mm_loadu_ps(src + i), vlo), vhi));
    clamp_row_f32_c(dst + i, src + i, lo, hi, n - i);
}
