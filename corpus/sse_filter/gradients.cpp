// flags: -msse4.1
//
// gradients.cpp - derivative filters of the terrain and texture tools
//
// Pitches are in elements.  Every filter reads one texel around the rectangle; the texture
// loader keeps that frame filled.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <smmintrin.h>

namespace fx {
namespace {

struct SobelWeights { enum { kSide = 1, kMid = 2 }; };
struct ScharrWeights { enum { kSide = 3, kMid = 10 }; };
struct PrewittWeights { enum { kSide = 1, kMid = 1 }; };

inline __m128i Load8(const uint8_t* p)
{
    return _mm_cvtepu8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}

template <int K>
inline __m128i Scale(__m128i v)
{
    if (K == 1)
        return v;
    if (K == 2)
        return _mm_add_epi16(v, v);
    return _mm_mullo_epi16(v, _mm_set1_epi16(K));
}

template <class W>
inline void Grad8(const uint8_t* p, ptrdiff_t pitch, __m128i& gx, __m128i& gy)
{
    const __m128i tl = Load8(p - pitch - 1), tc = Load8(p - pitch), tr = Load8(p - pitch + 1);
    const __m128i ml = Load8(p - 1), mr = Load8(p + 1);
    const __m128i bl = Load8(p + pitch - 1), bc = Load8(p + pitch), br = Load8(p + pitch + 1);
    const __m128i diag0 = _mm_sub_epi16(br, tl);
    const __m128i diag1 = _mm_sub_epi16(tr, bl);
    gx = _mm_add_epi16(Scale<W::kSide>(_mm_add_epi16(diag0, diag1)),
                       Scale<W::kMid>(_mm_sub_epi16(mr, ml)));
    gy = _mm_add_epi16(Scale<W::kSide>(_mm_sub_epi16(diag0, diag1)),
                       Scale<W::kMid>(_mm_sub_epi16(bc, tc)));
}

template <class W>
inline void Grad1(const uint8_t* p, ptrdiff_t pitch, int& gx, int& gy)
{
    const int diag0 = p[pitch + 1] - p[-pitch - 1];
    const int diag1 = p[-pitch + 1] - p[pitch - 1];
    gx = W::kSide * (diag0 + diag1) + W::kMid * (p[1] - p[-1]);
    gy = W::kSide * (diag0 - diag1) + W::kMid * (p[pitch] - p[-pitch]);
}

struct SumOfAbs {
    static __m128i Vec(__m128i x, __m128i y)
    {
        return _mm_adds_epi16(_mm_abs_epi16(x), _mm_abs_epi16(y));
    }
    static int One(int x, int y) { return std::abs(x) + std::abs(y); }
};

struct MaxOfAbs {
    static __m128i Vec(__m128i x, __m128i y)
    {
        return _mm_max_epi16(_mm_abs_epi16(x), _mm_abs_epi16(y));
    }
    static int One(int x, int y)
    {
        x = std::abs(x);
        y = std::abs(y);
        return x > y ? x : y;
    }
};

template <class W, class Norm, int Shift>
void Magnitude(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
               int width, int height)
{
    for (int y = 0; y < height; ++y, src += srcPitch, dst += dstPitch) {
        int x = 0;
        for (; x + 8 <= width; x += 8) {
            __m128i gx, gy;
            Grad8<W>(src + x, srcPitch, gx, gy);
            const __m128i m = _mm_srli_epi16(Norm::Vec(gx, gy), Shift);
            _mm_storel_epi64(reinterpret_cast<__m128i*>(dst + x), _mm_packus_epi16(m, m));
        }
        for (; x < width; ++x) {
            int gx, gy;
            Grad1<W>(src + x, srcPitch, gx, gy);
            const int m = Norm::One(gx, gy) >> Shift;
            dst[x] = static_cast<uint8_t>(m > 255 ? 255 : m);
        }
    }
}

}  // namespace

void SobelMagnitude(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
                    int width, int height)
{
    Magnitude<SobelWeights, SumOfAbs, 0>(src, srcPitch, dst, dstPitch, width, height);
}

void PrewittMagnitude(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
                      int width, int height)
{
    Magnitude<PrewittWeights, MaxOfAbs, 0>(src, srcPitch, dst, dstPitch, width, height);
}

void ScharrMagnitude(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
                     int width, int height)
{
    Magnitude<ScharrWeights, SumOfAbs, 4>(src, srcPitch, dst, dstPitch, width, height);
}

// Both derivatives, interleaved x, y, x, y: the flow field solver wants them side by side.
void ScharrXY(const uint8_t* src, ptrdiff_t srcPitch, int16_t* dst, ptrdiff_t dstPitch, int width,
              int height)
{
    for (int y = 0; y < height; ++y) {
        const uint8_t* s = src + y * srcPitch;
        int16_t* d = dst + y * dstPitch;
        int n = width;
        while (n >= 8) {
            __m128i gx, gy;
            Grad8<ScharrWeights>(s, srcPitch, gx, gy);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(d), _mm_unpacklo_epi16(gx, gy));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(d + 8), _mm_unpackhi_epi16(gx, gy));
            s += 8;
            d += 16;
            n -= 8;
        }
        while (n > 0) {
            int gx, gy;
            Grad1<ScharrWeights>(s, srcPitch, gx, gy);
            d[0] = static_cast<int16_t>(gx);
            d[1] = static_cast<int16_t>(gy);
            s += 1;
            d += 2;
            n -= 1;
        }
    }
}

// 8 * centre - neighbours, halved, around mid grey
void LaplaceBiased(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
                   int width, int height)
{
    const __m128i bias = _mm_set1_epi16(128);
    for (int y = 0; y < height; ++y) {
        const uint8_t* up = src + (y - 1) * srcPitch;
        const uint8_t* at = src + y * srcPitch;
        const uint8_t* dn = src + (y + 1) * srcPitch;
        uint8_t* out = dst + y * dstPitch;

        auto column = [=](int x) {
            return _mm_add_epi16(Load8(at + x), _mm_add_epi16(Load8(up + x), Load8(dn + x)));
        };

        int x = 0;
        for (; x <= width - 8; x += 8) {
            const __m128i box = _mm_add_epi16(column(x), _mm_add_epi16(column(x - 1), column(x + 1)));
            const __m128i nine = _mm_mullo_epi16(Load8(at + x), _mm_set1_epi16(9));
            const __m128i v =
                _mm_add_epi16(_mm_srai_epi16(_mm_sub_epi16(nine, box), 1), bias);
            _mm_storel_epi64(reinterpret_cast<__m128i*>(out + x), _mm_packus_epi16(v, v));
        }
        for (; x < width; ++x) {
            int v = 9 * at[x];
            for (int i = -1; i <= 1; ++i)
                v -= up[x + i] + at[x + i] + dn[x + i];
            v = (v >> 1) + 128;
            out[x] = static_cast<uint8_t>(v < 0 ? 0 : v > 255 ? 255 : v);
        }
    }
}

// Length of the central difference of a height field.
void SlopeLength(const float* src, ptrdiff_t srcPitch, float* dst, ptrdiff_t dstPitch, int width,
                 int height, float scale)
{
    const __m128 s = _mm_set1_ps(0.5f * scale);
    for (int y = 0; y < height; ++y, src += srcPitch, dst += dstPitch) {
        int x = 0;
        for (; x + 4 <= width; x += 4) {
            __m128 dx = _mm_sub_ps(_mm_loadu_ps(src + x + 1), _mm_loadu_ps(src + x - 1));
            __m128 dy =
                _mm_sub_ps(_mm_loadu_ps(src + x + srcPitch), _mm_loadu_ps(src + x - srcPitch));
            dx = _mm_mul_ps(dx, s);
            dy = _mm_mul_ps(dy, s);
            _mm_storeu_ps(dst + x,
                          _mm_sqrt_ps(_mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dy, dy))));
        }
        for (; x < width; ++x) {
            const float dx = (src[x + 1] - src[x - 1]) * (0.5f * scale);
            const float dy = (src[x + srcPitch] - src[x - srcPitch]) * (0.5f * scale);
            dst[x] = std::sqrt(dx * dx + dy * dy);
        }
    }
}

}  // namespace fx
