// flags: -msse4.1
// Float RGBA compositing for the high dynamic range pipeline.
//
// Pixels are R G B A, four floats, 16 byte aligned when they come from our own
// allocator and 4 byte aligned when they come from a plug-in. No fused multiplies
// here: the GPU path and the CPU path are compared by the nightly test.

#include <cstddef>
#include <smmintrin.h>

#define SPLAT(v, i) _mm_shuffle_ps(v, v, _MM_SHUFFLE(i, i, i, i))

namespace {

template <bool Aligned> struct Mem;

template <> struct Mem<true>
{
    static __m128 load(const float *p) { return _mm_load_ps(p); }
    static void store(float *p, __m128 v) { _mm_store_ps(p, v); }
};

template <> struct Mem<false>
{
    static __m128 load(const float *p) { return _mm_loadu_ps(p); }
    static void store(float *p, __m128 v) { _mm_storeu_ps(p, v); }
};

template <bool DA, bool SA>
void overRun(float *dst, const float *src, std::size_t pixels, float opacity)
{
    const __m128 one = _mm_set1_ps(1.0f);
    const __m128 k = _mm_set1_ps(opacity);
    for (std::size_t i = 0; i < pixels; ++i, dst += 4, src += 4) {
        __m128 s = _mm_mul_ps(Mem<SA>::load(src), k);
        __m128 d = Mem<DA>::load(dst);
        __m128 ia = _mm_sub_ps(one, SPLAT(s, 3));
        Mem<DA>::store(dst, _mm_add_ps(s, _mm_mul_ps(d, ia)));
    }
}

inline bool aligned16(const void *p) { return (reinterpret_cast<std::size_t>(p) & 15) == 0; }

} // namespace

// Premultiplied source over, one pixel per vector.
void fOver(float *dst, const float *src, std::size_t pixels, float opacity)
{
    if (aligned16(dst)) {
        if (aligned16(src))
            overRun<true, true>(dst, src, pixels, opacity);
        else
            overRun<true, false>(dst, src, pixels, opacity);
    } else {
        if (aligned16(src))
            overRun<false, true>(dst, src, pixels, opacity);
        else
            overRun<false, false>(dst, src, pixels, opacity);
    }
}

// Straight alpha over straight alpha, four pixels at a time in planes:
//   a = sa + da (1 - sa),  c = (sc sa + dc da (1 - sa)) / a,  0 where a is 0
void fOverStraight(float *dst, const float *src, std::size_t pixels)
{
    const __m128 one = _mm_set1_ps(1.0f);
    const __m128 zero = _mm_setzero_ps();
    std::size_t i = 0;
    for (; i + 4 <= pixels; i += 4) {
        __m128 sr = _mm_loadu_ps(src), sg = _mm_loadu_ps(src + 4);
        __m128 sb = _mm_loadu_ps(src + 8), sa = _mm_loadu_ps(src + 12);
        __m128 dr = _mm_loadu_ps(dst), dg = _mm_loadu_ps(dst + 4);
        __m128 db = _mm_loadu_ps(dst + 8), da = _mm_loadu_ps(dst + 12);
        _MM_TRANSPOSE4_PS(sr, sg, sb, sa);
        _MM_TRANSPOSE4_PS(dr, dg, db, da);

        __m128 w = _mm_mul_ps(da, _mm_sub_ps(one, sa));
        __m128 a = _mm_add_ps(sa, w);
        __m128 none = _mm_cmpeq_ps(a, zero);
        __m128 q = _mm_or_ps(_mm_and_ps(none, one), _mm_andnot_ps(none, a));
        dr = _mm_div_ps(_mm_add_ps(_mm_mul_ps(sr, sa), _mm_mul_ps(dr, w)), q);
        dg = _mm_div_ps(_mm_add_ps(_mm_mul_ps(sg, sa), _mm_mul_ps(dg, w)), q);
        db = _mm_div_ps(_mm_add_ps(_mm_mul_ps(sb, sa), _mm_mul_ps(db, w)), q);
        dr = _mm_andnot_ps(none, dr);
        dg = _mm_andnot_ps(none, dg);
        db = _mm_andnot_ps(none, db);

        _MM_TRANSPOSE4_PS(dr, dg, db, a);
        _mm_storeu_ps(dst, dr);
        _mm_storeu_ps(dst + 4, dg);
        _mm_storeu_ps(dst + 8, db);
        _mm_storeu_ps(dst + 12, a);
        src += 16;
        dst += 16;
    }
    for (; i < pixels; ++i, src += 4, dst += 4) {
        const float w = dst[3] * (1.0f - src[3]);
        const float a = src[3] + w;
        for (int c = 0; c < 3; ++c)
            dst[c] = a == 0.0f ? 0.0f : (src[c] * src[3] + dst[c] * w) / a;
        dst[3] = a;
    }
}

void fPremultiply(float *pix, std::size_t pixels)
{
    const __m128 one = _mm_set1_ps(1.0f);
    for (; pixels--; pix += 4) {
        __m128 p = _mm_loadu_ps(pix);
        // r g b a * a a a 1
        __m128 m = _mm_blend_ps(SPLAT(p, 3), one, 8);
        _mm_storeu_ps(pix, _mm_mul_ps(p, m));
    }
}

// Pixels with no alpha keep their colour (emissive layers live on that).
void fUnpremultiply(float *pix, std::size_t pixels)
{
    const __m128 alphaLane = _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1));
    const __m128 zero = _mm_setzero_ps();
    const __m128 one = _mm_set1_ps(1.0f);
    for (; pixels--; pix += 4) {
        __m128 p = _mm_loadu_ps(pix);
        __m128 a = SPLAT(p, 3);
        __m128 keep = _mm_or_ps(_mm_cmple_ps(a, zero), alphaLane);
        __m128 q = _mm_or_ps(_mm_andnot_ps(keep, a), _mm_and_ps(keep, one));
        _mm_storeu_ps(pix, _mm_div_ps(p, q));
    }
}

// Planar W3C soft light on n samples, top over bot, both clamped to 0..1 by the caller.
void fSoftLight(float *bot, const float *top, int n)
{
    const __m128 one = _mm_set1_ps(1.0f), two = _mm_set1_ps(2.0f);
    const __m128 half = _mm_set1_ps(0.5f), quarter = _mm_set1_ps(0.25f);
    const __m128 four = _mm_set1_ps(4.0f), twelve = _mm_set1_ps(12.0f), sixteen = _mm_set1_ps(16.0f);
    int i = 0;
    for (; i <= n - 4; i += 4) {
        __m128 b = _mm_loadu_ps(bot + i), t = _mm_loadu_ps(top + i);
        __m128 t21 = _mm_sub_ps(_mm_mul_ps(two, t), one);
        __m128 poly = _mm_sub_ps(_mm_mul_ps(sixteen, b), twelve);
        poly = _mm_add_ps(_mm_mul_ps(poly, b), four);
        poly = _mm_mul_ps(poly, b);
        __m128 g = _mm_blendv_ps(_mm_sqrt_ps(b), poly, _mm_cmple_ps(b, quarter));
        __m128 dark = _mm_mul_ps(_mm_mul_ps(b, _mm_sub_ps(one, b)), t21);
        __m128 light = _mm_mul_ps(_mm_sub_ps(g, b), t21);
        __m128 r = _mm_add_ps(b, _mm_blendv_ps(light, dark, _mm_cmple_ps(t, half)));
        _mm_storeu_ps(bot + i, r);
    }
    for (; i < n; ++i) {
        __m128 b = _mm_load_ss(bot + i), t = _mm_load_ss(top + i);
        __m128 t21 = _mm_sub_ss(_mm_mul_ss(two, t), one);
        __m128 poly = _mm_sub_ss(_mm_mul_ss(sixteen, b), twelve);
        poly = _mm_mul_ss(_mm_add_ss(_mm_mul_ss(poly, b), four), b);
        __m128 g = _mm_comile_ss(b, quarter) ? poly : _mm_sqrt_ss(b);
        __m128 r = _mm_comile_ss(t, half) ? _mm_mul_ss(_mm_mul_ss(b, _mm_sub_ss(one, b)), t21)
                                          : _mm_mul_ss(_mm_sub_ss(g, b), t21);
        _mm_store_ss(bot + i, _mm_add_ss(b, r));
    }
}

// Linear mix of two buffers under a per-pixel weight, written to a third; strides in floats.
void fMix(float *out, std::ptrdiff_t outStride, const float *a, std::ptrdiff_t aStride,
          const float *b, std::ptrdiff_t bStride, const float *weight, std::ptrdiff_t weightStride,
          int width, int height)
{
    for (int y = 0; y < height; ++y) {
        float *o = out + y * outStride;
        const float *pa = a + y * aStride;
        const float *pb = b + y * bStride;
        const float *pw = weight + y * weightStride;
        int x = 0;
        for (; x + 4 <= width; x += 4) {
            const __m128 w = _mm_loadu_ps(pw + x);
#define MIX(k)                                                               \
    {                                                                        \
        __m128 va = _mm_loadu_ps(pa + 4 * k), vb = _mm_loadu_ps(pb + 4 * k); \
        va = _mm_add_ps(va, _mm_mul_ps(_mm_sub_ps(vb, va), SPLAT(w, k)));    \
        _mm_storeu_ps(o + 4 * k, va);                                        \
    }
            MIX(0)
            MIX(1)
            MIX(2)
            MIX(3)
#undef MIX
            o += 16;
            pa += 16;
            pb += 16;
        }
        for (; x < width; ++x) {
            __m128 w = _mm_load1_ps(pw + x), va = _mm_loadu_ps(pa);
            va = _mm_add_ps(va, _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(pb), va), w));
            _mm_storeu_ps(o, va);
            o += 4;
            pa += 4;
            pb += 4;
        }
    }
}

// To 8 bit RGBA bytes with clamping, round to nearest even as cvtps does it.
void fToBytes(unsigned char *dst, const float *src, std::size_t pixels)
{
    const __m128 k = _mm_set1_ps(255.0f);
    const __m128 zero = _mm_setzero_ps();
    std::size_t i = 0;
    for (; i + 4 <= pixels; i += 4) {
        __m128i p[4];
        for (int j = 0; j < 4; ++j) {
            __m128 v = _mm_mul_ps(_mm_loadu_ps(src + 4 * (i + j)), k);
            p[j] = _mm_cvtps_epi32(_mm_min_ps(_mm_max_ps(v, zero), k));
        }
        __m128i lo = _mm_packs_epi32(p[0], p[1]), hi = _mm_packs_epi32(p[2], p[3]);
        _mm_storeu_si128((__m128i *)(dst + 4 * i), _mm_packus_epi16(lo, hi));
    }
    for (; i < pixels; ++i)
        for (int c = 0; c < 4; ++c) {
            __m128 v = _mm_mul_ss(_mm_load_ss(src + 4 * i + c), k);
            dst[4 * i + c] = (unsigned char)_mm_cvtss_si32(_mm_min_ss(_mm_max_ss(v, zero), k));
        }
}

// Largest alpha and sum of colour of a premultiplied run; the layer is skipped when both
// are zero. Lanes are summed as (0 + 2) + (1 + 3).
float fCoverage(const float *src, std::size_t pixels, float *sumOut)
{
    __m128 top = _mm_setzero_ps(), sum = _mm_setzero_ps();
    const __m128 rgb = _mm_castsi128_ps(_mm_setr_epi32(-1, -1, -1, 0));
    for (std::size_t i = 0; i < pixels; ++i) {
        const __m128 p = _mm_loadu_ps(src + 4 * i);
        top = _mm_max_ps(top, p);
        sum = _mm_add_ps(sum, _mm_and_ps(p, rgb));
    }
    sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
    sum = _mm_add_ss(sum, _mm_shuffle_ps(sum, sum, 1));
    _mm_store_ss(sumOut, sum);
    return _mm_cvtss_f32(SPLAT(top, 3));
}
