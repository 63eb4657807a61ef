// flags: -mavx2 -mfma
/*
 * fma_rows.cpp - float rows of the medical viewer, second generation machines
 *
 * Fused products everywhere, the tails too: the scalar code must not round differently.
 */
#include <cmath>
#include <immintrin.h>

/* acc += gain * src */
void fr_accumulate(float *acc, const float *src, int n, float gain)
{
    const __m256 g = _mm256_set1_ps(gain);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m256 a = _mm256_fmadd_ps(g, _mm256_loadu_ps(src + i), _mm256_loadu_ps(acc + i));
        const __m256 b =
            _mm256_fmadd_ps(g, _mm256_loadu_ps(src + i + 8), _mm256_loadu_ps(acc + i + 8));
        _mm256_storeu_ps(acc + i, a);
        _mm256_storeu_ps(acc + i + 8, b);
    }
    for (; i < n; i++)
        acc[i] = std::fma(gain, src[i], acc[i]);
}

/* Symmetric vertical filter of five rows: k[0] in the middle, then k[1], k[2] outwards. */
void fr_vertical5(const float *const rows[5], float *dst, int n, const float k[3])
{
    const __m256 k0 = _mm256_broadcast_ss(k);
    const __m256 k1 = _mm256_broadcast_ss(k + 1);
    const __m256 k2 = _mm256_broadcast_ss(k + 2);
    const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3], *e = rows[4];

    for (; n >= 8; n -= 8, a += 8, b += 8, c += 8, d += 8, e += 8, dst += 8) {
        __m256 v = _mm256_mul_ps(k0, _mm256_loadu_ps(c));
        v = _mm256_fmadd_ps(k1, _mm256_add_ps(_mm256_loadu_ps(b), _mm256_loadu_ps(d)), v);
        v = _mm256_fmadd_ps(k2, _mm256_add_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(e)), v);
        _mm256_storeu_ps(dst, v);
    }
    for (; n > 0; n--) {
        float v = k[0] * *c++;
        v = std::fma(k[1], *b++ + *d++, v);
        *dst++ = std::fma(k[2], *a++ + *e++, v);
    }
}

/* Window curve: cubic polynomial after a clamp to 0..1; masked tail. */
void fr_window_cubic(const float *src, float *dst, int n, const float c[4])
{
    const __m256 zero = _mm256_setzero_ps();
    const __m256 one = _mm256_set1_ps(1.0f);
    const __m256 c0 = _mm256_set1_ps(c[0]), c1 = _mm256_set1_ps(c[1]);
    const __m256 c2 = _mm256_set1_ps(c[2]), c3 = _mm256_set1_ps(c[3]);
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);

    for (int i = 0; i < n; i += 8) {
        const __m256i live = _mm256_cmpgt_epi32(_mm256_set1_epi32(n - i), lane);
        __m256 x = _mm256_maskload_ps(src + i, live);
        x = _mm256_min_ps(_mm256_max_ps(x, zero), one);
        __m256 y = _mm256_fmadd_ps(c3, x, c2);
        y = _mm256_fmadd_ps(y, x, c1);
        y = _mm256_fmadd_ps(y, x, c0);
        _mm256_maskstore_ps(dst + i, live, y);
    }
}
