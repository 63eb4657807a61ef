// flags: -mavx -mf16c
/*
 * half_rows.cpp - 16 bit float rows of the high dynamic range viewer
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

void hr_half_to_float(const uint16_t *src, float *dst, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(dst + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(src + i))));
    if (i + 4 <= n) {
        _mm_storeu_ps(dst + i, _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(src + i))));
        i += 4;
    }
    if (i < n) {
        uint16_t in[8] = {0};
        float out[4];
        memcpy(in, src + i, (size_t)(n - i) * sizeof *in);
        _mm_storeu_ps(out, _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)in)));
        memcpy(dst + i, out, (size_t)(n - i) * sizeof *out);
    }
}

/* Exposure first, then rounding to nearest even. */
void hr_float_to_half(const float *src, uint16_t *dst, int n, float exposure)
{
    const __m256 e = _mm256_set1_ps(exposure);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 v = _mm256_mul_ps(_mm256_loadu_ps(src + i), e);
        _mm_storeu_si128((__m128i *)(dst + i),
                         _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    }
    for (; i < n; i++) {
        __m128i h = _mm_cvtps_ph(_mm_set_ss(src[i] * exposure),
                                 _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        dst[i] = (uint16_t)_mm_extract_epi16(h, 0);
    }
}

/* Luminance of planar half rows as float, weights of the display's primaries. */
void hr_luminance(const uint16_t *r, const uint16_t *g, const uint16_t *b, float *dst, int n)
{
    const __m128 kr = _mm_set1_ps(0.2126f), kg = _mm_set1_ps(0.7152f), kb = _mm_set1_ps(0.0722f);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        __m128 vr = _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(r + i)));
        __m128 vg = _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(g + i)));
        __m128 vb = _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)(b + i)));
        __m128 y = _mm_add_ps(_mm_mul_ps(vr, kr), _mm_mul_ps(vg, kg));
        _mm_storeu_ps(dst + i, _mm_add_ps(y, _mm_mul_ps(vb, kb)));
    }
    for (; i < n; i++)
        dst[i] = _cvtsh_ss(r[i]) * 0.2126f + _cvtsh_ss(g[i]) * 0.7152f + _cvtsh_ss(b[i]) * 0.0722f;
}
