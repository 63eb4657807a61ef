/* flags: -mavx2 */
/* fconv_avx2.c */

#include <immintrin.h>
#include "rows.h"

/* a NaN passes: the second operand of min and max wins */
void clamp_row_f32_avx2(float *dst, const float *src, float lo, float hi, int n)
{
    const __m256 vlo = _mm256_set1_ps(lo), vhi = _mm256_set1_ps(hi);
    int i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(dst + i, _mm256_min_ps(vhi, _mm256_max_ps(vlo, _mm256_loadu_ps(src + i))));
    if (i < n) {
        static const int32_t on[16] = { -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0 };
        const __m256i m = _mm256_loadu_si256((const __m256i *)(on + 8 - (n - i)));
        __m256 v = _mm256_maskload_ps(src + i, m);
        _mm256_maskstore_ps(dst + i, m, _mm256_min_ps(vhi, _mm256_max_ps(vlo, v)));
    }
}
