// flags: -mavx2
// Planar and interleaved float blends of the renderer's frame stack, AVX.
//
// "aov" planes are allocated with 32 byte alignment and padded strides; plates read from
// disk are not. Every function says which it takes.

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum AovMode { kAovAdd, kAovMultiply, kAovScreen, kAovDivide, kAovModes };

typedef void (*AovRow)(float *, const float *, int, float);

// Each row function runs over whole vectors, so the padding of dst is written.
static void aovAddRow(float *dst, const float *src, int vectors, float k)
{
    const __m256 vk = _mm256_set1_ps(k);
    for (int v = 0; v < vectors; ++v, dst += 8, src += 8)
        _mm256_store_ps(dst, _mm256_add_ps(_mm256_load_ps(dst), _mm256_mul_ps(_mm256_load_ps(src), vk)));
}

static void aovMultiplyRow(float *dst, const float *src, int vectors, float k)
{
    const __m256 vk = _mm256_set1_ps(k), rest = _mm256_set1_ps(1.0f - k);
    for (int v = 0; v < vectors; ++v, dst += 8, src += 8) {
        __m256 f = _mm256_add_ps(_mm256_mul_ps(_mm256_load_ps(src), vk), rest);
        _mm256_store_ps(dst, _mm256_mul_ps(_mm256_load_ps(dst), f));
    }
}

static void aovScreenRow(float *dst, const float *src, int vectors, float k)
{
    const __m256 vk = _mm256_set1_ps(k), one = _mm256_set1_ps(1.0f);
    for (int v = 0; v < vectors; ++v, dst += 8, src += 8) {
        __m256 d = _mm256_load_ps(dst);
        __m256 s = _mm256_mul_ps(_mm256_load_ps(src), vk);
        _mm256_store_ps(dst, _mm256_add_ps(d, _mm256_mul_ps(s, _mm256_sub_ps(one, d))));
    }
}

// Division by nothing gives nothing.
static void aovDivideRow(float *dst, const float *src, int vectors, float k)
{
    const __m256 vk = _mm256_set1_ps(k);
    for (int v = 0; v < vectors; ++v, dst += 8, src += 8) {
        __m256 s = _mm256_load_ps(src);
        __m256 some = _mm256_cmp_ps(s, _mm256_setzero_ps(), _CMP_NEQ_UQ);
        __m256 q = _mm256_div_ps(_mm256_mul_ps(_mm256_load_ps(dst), vk), s);
        _mm256_store_ps(dst, _mm256_and_ps(q, some));
    }
}

// dst and src: aov planes of one stride (in floats, a multiple of 8).
void aovBlend(float *dst, const float *src, ptrdiff_t stride, int width, int height, AovMode mode, float k)
{
    static const AovRow rows[kAovModes] = { aovAddRow, aovMultiplyRow, aovScreenRow, aovDivideRow };
    const AovRow row = rows[mode];
    const int vectors = (width + 7) / 8;
    for (int y = 0; y < height; ++y)
        row(dst + y * stride, src + y * stride, vectors, k);
}

// Two RGBA pixels a vector, premultiplied; any alignment, an odd pixel at the end.
void plateOver(float *dst, const float *src, int pixels)
{
    const __m256 one = _mm256_set1_ps(1.0f);
    int i = 0;
    for (; i + 2 <= pixels; i += 2) {
        __m256 s = _mm256_loadu_ps(src + 4 * i);
        __m256 d = _mm256_loadu_ps(dst + 4 * i);
        __m256 ia = _mm256_sub_ps(one, _mm256_permute_ps(s, 0xff));
        _mm256_storeu_ps(dst + 4 * i, _mm256_add_ps(s, _mm256_mul_ps(d, ia)));
    }
    if (i < pixels) {
        __m128 s = _mm_loadu_ps(src + 4 * i), d = _mm_loadu_ps(dst + 4 * i);
        __m128 ia = _mm_sub_ps(_mm256_castps256_ps128(one), _mm_permute_ps(s, 0xff));
        _mm_storeu_ps(dst + 4 * i, _mm_add_ps(s, _mm_mul_ps(d, ia)));
    }
}

// Planar holdout: dst *= 1 - matte over n samples; tail by maskload.
void holdout(float *dst, const float *matte, int n)
{
    static const int32_t window[16] = { -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0 };
    const __m256 one = _mm256_set1_ps(1.0f);
    int i = 0;
    for (; i <= n - 8; i += 8) {
        __m256 m = _mm256_sub_ps(one, _mm256_loadu_ps(matte + i));
        _mm256_storeu_ps(dst + i, _mm256_mul_ps(_mm256_loadu_ps(dst + i), m));
    }
    const int rest = n - i;
    if (rest) {
        const __m256i k = _mm256_loadu_si256((const __m256i *)(window + 8 - rest));
        __m256 m = _mm256_sub_ps(one, _mm256_maskload_ps(matte + i, k));
        _mm256_maskstore_ps(dst + i, k, _mm256_mul_ps(_mm256_maskload_ps(dst + i, k), m));
    }
}

// Interleaved RGBA to premultiplied planes: an 8 x 4 transpose by halves. Pixel i of the
// low half and pixel i + 4 of the high half travel together.
void platePremultiplyToPlanes(float *r, float *g, float *b, float *a, const float *rgba, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const float *p = rgba + 4 * i;
        __m256 x0 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + 16), 1);
        __m256 x1 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 4)), _mm_loadu_ps(p + 20), 1);
        __m256 x2 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 8)), _mm_loadu_ps(p + 24), 1);
        __m256 x3 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + 12)), _mm_loadu_ps(p + 28), 1);
        __m256 t0 = _mm256_unpacklo_ps(x0, x1), t1 = _mm256_unpackhi_ps(x0, x1);
        __m256 t2 = _mm256_unpacklo_ps(x2, x3), t3 = _mm256_unpackhi_ps(x2, x3);
        __m256 vr = _mm256_shuffle_ps(t0, t2, 0x44), vg = _mm256_shuffle_ps(t0, t2, 0xee);
        __m256 vb = _mm256_shuffle_ps(t1, t3, 0x44), va = _mm256_shuffle_ps(t1, t3, 0xee);
        _mm256_storeu_ps(r + i, _mm256_mul_ps(vr, va));
        _mm256_storeu_ps(g + i, _mm256_mul_ps(vg, va));
        _mm256_storeu_ps(b + i, _mm256_mul_ps(vb, va));
        _mm256_storeu_ps(a + i, va);
    }
    for (; i < n; ++i) {
        const float va = rgba[4 * i + 3];
        r[i] = rgba[4 * i] * va;
        g[i] = rgba[4 * i + 1] * va;
        b[i] = rgba[4 * i + 2] * va;
        a[i] = va;
    }
}

// Z composite: the nearer sample of two RGB + Z plane sets wins, ties go to dst.
void depthMerge(float *dst[4], const float *const src[4], int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256 dz = _mm256_loadu_ps(dst[3] + i), sz = _mm256_loadu_ps(src[3] + i);
        const __m256 nearer = _mm256_cmp_ps(sz, dz, _CMP_LT_OQ);
        if (_mm256_movemask_ps(nearer) == 0)
            continue;
        for (int c = 0; c < 4; ++c) {
            __m256 d = _mm256_loadu_ps(dst[c] + i), s = _mm256_loadu_ps(src[c] + i);
            _mm256_storeu_ps(dst[c] + i, _mm256_blendv_ps(d, s, nearer));
        }
    }
    for (; i < n; ++i)
        if (src[3][i] < dst[3][i])
            for (int c = 0; c < 4; ++c)
                dst[c][i] = src[c][i];
}

// 8 bit matte (0..255) on a float plane: dst = dst + (src - dst) * m / 255. Stops early
// on empty groups, which is most of a garbage matte. Plates have no infinities and no
// negative zeros, else a group that is skipped would differ from one that is not.
void matteMix(float *dst, const float *src, const uint8_t *matte, int n)
{
    const __m256 k = _mm256_set1_ps(1.0f / 255.0f);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i m8 = _mm_loadl_epi64((const __m128i *)(matte + i));
        if (_mm_testz_si128(m8, m8))
            continue;
        const __m256 m = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(m8)), k);
        const __m256 d = _mm256_loadu_ps(dst + i);
        const __m256 e = _mm256_sub_ps(_mm256_loadu_ps(src + i), d);
        _mm256_storeu_ps(dst + i, _mm256_add_ps(d, _mm256_mul_ps(e, m)));
    }
    for (; i < n; ++i)
        if (matte[i])
            dst[i] = dst[i] + (src[i] - dst[i]) * ((float)matte[i] * (1.0f / 255.0f));
}
