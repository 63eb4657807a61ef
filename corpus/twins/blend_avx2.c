/* flags: -mavx2 */
/* blend_avx2.c */

#include <immintrin.h>
#include "rows.h"

#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)

static inline __m256i div255_epu16(__m256i v)
{
    v = _mm256_add_epi16(v, _mm256_set1_epi16(128));
    return _mm256_mulhi_epu16(v, _mm256_set1_epi16(257));
}

void blend_row_avx2(u8 *dst, const u8 *src, int alpha, int n)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i a = _mm256_set1_epi16((short)alpha);
    const __m256i ia = _mm256_set1_epi16((short)(255 - alpha));
    for (; n >= 32; n -= 32, src += 32, dst += 32) {
        __m256i s = LOAD(src), d = LOAD(dst);
        __m256i lo = _mm256_add_epi16(_mm256_mullo_epi16(_mm256_unpacklo_epi8(s, zero), a),
                                      _mm256_mullo_epi16(_mm256_unpacklo_epi8(d, zero), ia));
        __m256i hi = _mm256_add_epi16(_mm256_mullo_epi16(_mm256_unpackhi_epi8(s, zero), a),
                                      _mm256_mullo_epi16(_mm256_unpackhi_epi8(d, zero), ia));
        STORE(dst, _mm256_packus_epi16(div255_epu16(lo), div255_epu16(hi)));
    }
    if (n > 0)
        blend_row_sse2(dst, src, alpha, n);
}

void mix7_row_avx2(u8 *dst, const u8 *src, int weight, int n)
{
    const __m256i w = _mm256_set1_epi16((short)weight);
    const __m256i rnd = _mm256_set1_epi16(64);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m256i s = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(src + i)));
        __m256i d = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(dst + i)));
        __m256i v = _mm256_mullo_epi16(_mm256_sub_epi16(s, d), w);
        v = _mm256_srai_epi16(_mm256_add_epi16(v, rnd), 7);
        v = _mm256_add_epi16(v, d);
        v = _mm256_permute4x64_epi64(_mm256_packus_epi16(v, v), 0xd8);
        _mm_storeu_si128((__m128i *)(dst + i), _mm256_castsi256_si128(v));
    }
    mix7_row_c(dst + i, src + i, weight, n - i);
}

void over_row_avx2(u8 *dst, const u8 *src, int n)
{
    const __m256i dup_a = _mm256_broadcastsi128_si256(_mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    const __m256i zero = _mm256_setzero_si256();
    const __m256i opaque = _mm256_set1_epi32((int)0xff000000u);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i s = LOAD(src + 4 * i), d = LOAD(dst + 4 * i);
        __m256i ia = _mm256_xor_si256(_mm256_shuffle_epi8(s, dup_a), _mm256_set1_epi8(-1));
        __m256i lo = _mm256_mullo_epi16(_mm256_unpacklo_epi8(d, zero), _mm256_unpacklo_epi8(ia, zero));
        __m256i hi = _mm256_mullo_epi16(_mm256_unpackhi_epi8(d, zero), _mm256_unpackhi_epi8(ia, zero));
        d = _mm256_packus_epi16(div255_epu16(lo), div255_epu16(hi));
        STORE(dst + 4 * i, _mm256_or_si256(_mm256_adds_epu8(s, d), opaque));
    }
    over_row_c(dst + 4 * i, src + 4 * i, n - i);
}

void brighten_row_avx2(u8 *row, int amount, int n)
{
    const __m256i a = _mm256_set1_epi8((char)amount);
    int i = 0;
    if (n < 32) {
        brighten_row_c(row, amount, n);
        return;
    }
    for (; i + 32 <= n; i += 32)
        STORE(row + i, _mm256_adds_epu8(LOAD(row + i), a));
    /* last vector ends with the row */
    if (i < n)
        STORE(row + n - 32, _mm256_adds_epu8(LOAD(row + n - 32), a));
}
