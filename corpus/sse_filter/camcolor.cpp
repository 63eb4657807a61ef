// flags: -mssse3
/*
 * camcolor.cpp - pixel format conversion, camera SDK
 *
 * Strides are in bytes. Width and height are in pixels of the full picture; the 4:2:0 chroma
 * plane has (height + 1) / 2 rows of (width + 1) / 2 pairs.
 */
#include <cstddef>
#include <cstdint>
#include <tmmintrin.h>

namespace {

#define Z (-1)
alignas(16) const int8_t kTakeR[3][16] = {
    {0, 3, 6, 9, 12, 15, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, Z, 2, 5, 8, 11, 14, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, 1, 4, 7, 10, 13}};
alignas(16) const int8_t kTakeG[3][16] = {
    {1, 4, 7, 10, 13, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, 0, 3, 6, 9, 12, 15, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, 2, 5, 8, 11, 14}};
alignas(16) const int8_t kTakeB[3][16] = {
    {2, 5, 8, 11, 14, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, 1, 4, 7, 10, 13, Z, Z, Z, Z, Z, Z},
    {Z, Z, Z, Z, Z, Z, Z, Z, Z, Z, 0, 3, 6, 9, 12, 15}};
alignas(16) const int8_t kPutR[3][16] = {
    {0, Z, Z, 1, Z, Z, 2, Z, Z, 3, Z, Z, 4, Z, Z, 5},
    {Z, Z, 6, Z, Z, 7, Z, Z, 8, Z, Z, 9, Z, Z, 10, Z},
    {Z, 11, Z, Z, 12, Z, Z, 13, Z, Z, 14, Z, Z, 15, Z, Z}};
alignas(16) const int8_t kPutG[3][16] = {
    {Z, 0, Z, Z, 1, Z, Z, 2, Z, Z, 3, Z, Z, 4, Z, Z},
    {5, Z, Z, 6, Z, Z, 7, Z, Z, 8, Z, Z, 9, Z, Z, 10},
    {Z, Z, 11, Z, Z, 12, Z, Z, 13, Z, Z, 14, Z, Z, 15, Z}};
alignas(16) const int8_t kPutB[3][16] = {
    {Z, Z, 0, Z, Z, 1, Z, Z, 2, Z, Z, 3, Z, Z, 4, Z},
    {Z, 5, Z, Z, 6, Z, Z, 7, Z, Z, 8, Z, Z, 9, Z, Z},
    {10, Z, Z, 11, Z, Z, 12, Z, Z, 13, Z, Z, 14, Z, Z, 15}};
#undef Z

inline __m128i loadu(const void *p) { return _mm_loadu_si128(static_cast<const __m128i *>(p)); }
inline void storeu(void *p, __m128i v) { _mm_storeu_si128(static_cast<__m128i *>(p), v); }

inline __m128i take(__m128i v0, __m128i v1, __m128i v2, const int8_t (*m)[16])
{
    const __m128i *k = reinterpret_cast<const __m128i *>(m);
    return _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(v0, _mm_load_si128(k)),
                                     _mm_shuffle_epi8(v1, _mm_load_si128(k + 1))),
                        _mm_shuffle_epi8(v2, _mm_load_si128(k + 2)));
}

inline __m128i put(__m128i r, __m128i g, __m128i b, int part)
{
    return _mm_or_si128(
        _mm_or_si128(_mm_shuffle_epi8(r, loadu(kPutR[part])), _mm_shuffle_epi8(g, loadu(kPutG[part]))),
        _mm_shuffle_epi8(b, loadu(kPutB[part])));
}

inline uint8_t clamp8(int v) { return static_cast<uint8_t>(v < 0 ? 0 : (v > 255 ? 255 : v)); }

}  // namespace

void CamRgb24ToGray(const uint8_t *src, int srcStride, uint8_t *dst, int dstStride, int width,
                    int height)
{
    const __m128i kr = _mm_set1_epi16(77), kg = _mm_set1_epi16(150), kb = _mm_set1_epi16(29);
    const __m128i half = _mm_set1_epi16(128);
    const __m128i zero = _mm_setzero_si128();

    for (int y = 0; y < height; ++y) {
        const uint8_t *s = src + y * static_cast<ptrdiff_t>(srcStride);
        uint8_t *d = dst + y * static_cast<ptrdiff_t>(dstStride);
        int x = 0;
        for (; x + 16 <= width; x += 16, s += 48) {
            const __m128i v0 = loadu(s), v1 = loadu(s + 16), v2 = loadu(s + 32);
            const __m128i r = take(v0, v1, v2, kTakeR);
            const __m128i g = take(v0, v1, v2, kTakeG);
            const __m128i b = take(v0, v1, v2, kTakeB);
            __m128i lo = _mm_mullo_epi16(_mm_unpacklo_epi8(r, zero), kr);
            __m128i hi = _mm_mullo_epi16(_mm_unpackhi_epi8(r, zero), kr);
            lo = _mm_add_epi16(lo, _mm_mullo_epi16(_mm_unpacklo_epi8(g, zero), kg));
            hi = _mm_add_epi16(hi, _mm_mullo_epi16(_mm_unpackhi_epi8(g, zero), kg));
            lo = _mm_add_epi16(lo, _mm_mullo_epi16(_mm_unpacklo_epi8(b, zero), kb));
            hi = _mm_add_epi16(hi, _mm_mullo_epi16(_mm_unpackhi_epi8(b, zero), kb));
            lo = _mm_srli_epi16(_mm_add_epi16(lo, half), 8);
            hi = _mm_srli_epi16(_mm_add_epi16(hi, half), 8);
            storeu(d + x, _mm_packus_epi16(lo, hi));
        }
        for (; x < width; ++x, s += 3)
            d[x] = static_cast<uint8_t>((77 * s[0] + 150 * s[1] + 29 * s[2] + 128) >> 8);
    }
}

void CamSplitRgb24(const uint8_t *src, uint8_t *r, uint8_t *g, uint8_t *b, int count)
{
    while (count >= 16) {
        const __m128i v0 = loadu(src), v1 = loadu(src + 16), v2 = loadu(src + 32);
        storeu(r, take(v0, v1, v2, kTakeR));
        storeu(g, take(v0, v1, v2, kTakeG));
        storeu(b, take(v0, v1, v2, kTakeB));
        src += 48;
        r += 16;
        g += 16;
        b += 16;
        count -= 16;
    }
    while (count-- > 0) {
        *r++ = *src++;
        *g++ = *src++;
        *b++ = *src++;
    }
}

void CamMergeRgb24(const uint8_t *r, const uint8_t *g, const uint8_t *b, uint8_t *dst, int count)
{
    int i = 0;
    for (; i < (count & ~15); i += 16) {
        const __m128i vr = loadu(r + i), vg = loadu(g + i), vb = loadu(b + i);
        storeu(dst + 3 * i, put(vr, vg, vb, 0));
        storeu(dst + 3 * i + 16, put(vr, vg, vb, 1));
        storeu(dst + 3 * i + 32, put(vr, vg, vb, 2));
    }
    for (; i < count; ++i) {
        dst[3 * i] = r[i];
        dst[3 * i + 1] = g[i];
        dst[3 * i + 2] = b[i];
    }
}

// In place. Five pixels a turn: byte 15 of the vector belongs to the next turn and stays.
void CamSwapRB24(uint8_t *pixels, int stride, int width, int height)
{
    const __m128i swap = _mm_setr_epi8(2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 14, 13, 12, 15);
    for (int y = 0; y < height; ++y) {
        uint8_t *p = pixels + y * static_cast<ptrdiff_t>(stride);
        int left = width;
        for (; left >= 6; left -= 5, p += 15)
            storeu(p, _mm_shuffle_epi8(loadu(p), swap));
        for (; left > 0; --left, p += 3) {
            const uint8_t t = p[0];
            p[0] = p[2];
            p[2] = t;
        }
    }
}

void CamRgb24ToBgra32(const uint8_t *src, uint8_t *dst, int count, uint8_t alpha)
{
    const __m128i m = _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
    const __m128i a = _mm_set1_epi32(static_cast<int>(static_cast<uint32_t>(alpha) << 24));
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m128i v0 = loadu(src), v1 = loadu(src + 16), v2 = loadu(src + 32);
        storeu(dst, _mm_or_si128(_mm_shuffle_epi8(v0, m), a));
        storeu(dst + 16, _mm_or_si128(_mm_shuffle_epi8(_mm_alignr_epi8(v1, v0, 12), m), a));
        storeu(dst + 32, _mm_or_si128(_mm_shuffle_epi8(_mm_alignr_epi8(v2, v1, 8), m), a));
        storeu(dst + 48, _mm_or_si128(_mm_shuffle_epi8(_mm_srli_si128(v2, 4), m), a));
        src += 48;
        dst += 64;
    }
    for (; i < count; ++i, src += 3, dst += 4) {
        dst[0] = src[2];
        dst[1] = src[1];
        dst[2] = src[0];
        dst[3] = alpha;
    }
}

void CamBgra32ToRgb24(const uint8_t *src, uint8_t *dst, int count)
{
    const __m128i m = _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
    for (; count >= 16; count -= 16, src += 64, dst += 48) {
        const __m128i a = _mm_shuffle_epi8(loadu(src), m);
        const __m128i b = _mm_shuffle_epi8(loadu(src + 16), m);
        const __m128i c = _mm_shuffle_epi8(loadu(src + 32), m);
        const __m128i d = _mm_shuffle_epi8(loadu(src + 48), m);
        storeu(dst, _mm_or_si128(a, _mm_slli_si128(b, 12)));
        storeu(dst + 16, _mm_or_si128(_mm_srli_si128(b, 4), _mm_slli_si128(c, 8)));
        storeu(dst + 32, _mm_or_si128(_mm_srli_si128(c, 8), _mm_slli_si128(d, 4)));
    }
    for (; count > 0; --count, src += 4, dst += 3) {
        dst[0] = src[2];
        dst[1] = src[1];
        dst[2] = src[0];
    }
}

void CamSplitBgra32(const uint8_t *src, uint8_t *const planes[4], int count)
{
    const __m128i group = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m128i a = _mm_shuffle_epi8(loadu(src + 4 * i), group);
        const __m128i b = _mm_shuffle_epi8(loadu(src + 4 * i + 16), group);
        const __m128i c = _mm_shuffle_epi8(loadu(src + 4 * i + 32), group);
        const __m128i d = _mm_shuffle_epi8(loadu(src + 4 * i + 48), group);
        const __m128i ab0 = _mm_unpacklo_epi32(a, b), ab1 = _mm_unpackhi_epi32(a, b);
        const __m128i cd0 = _mm_unpacklo_epi32(c, d), cd1 = _mm_unpackhi_epi32(c, d);
        storeu(planes[0] + i, _mm_unpacklo_epi64(ab0, cd0));
        storeu(planes[1] + i, _mm_unpackhi_epi64(ab0, cd0));
        storeu(planes[2] + i, _mm_unpacklo_epi64(ab1, cd1));
        storeu(planes[3] + i, _mm_unpackhi_epi64(ab1, cd1));
    }
    for (; i < count; ++i)
        for (int c = 0; c < 4; ++c)
            planes[c][i] = src[4 * i + c];
}

// Studio range luma, 7 bit weights.
void CamBgra32ToLuma(const uint8_t *src, int srcStride, uint8_t *dst, int dstStride, int width,
                     int height)
{
    const __m128i k = _mm_set1_epi32(13 | 64 << 8 | 33 << 16);
    const __m128i round = _mm_set1_epi16(64);
    const __m128i base = _mm_set1_epi8(16);

    for (int y = 0; y < height; ++y, src += srcStride, dst += dstStride) {
        int x = 0;
        for (; x + 16 <= width; x += 16) {
            const uint8_t *s = src + 4 * x;
            __m128i lo = _mm_hadd_epi16(_mm_maddubs_epi16(loadu(s), k),
                                        _mm_maddubs_epi16(loadu(s + 16), k));
            __m128i hi = _mm_hadd_epi16(_mm_maddubs_epi16(loadu(s + 32), k),
                                        _mm_maddubs_epi16(loadu(s + 48), k));
            lo = _mm_srli_epi16(_mm_add_epi16(lo, round), 7);
            hi = _mm_srli_epi16(_mm_add_epi16(hi, round), 7);
            storeu(dst + x, _mm_add_epi8(_mm_packus_epi16(lo, hi), base));
        }
        for (; x < width; ++x) {
            const uint8_t *s = src + 4 * x;
            dst[x] = static_cast<uint8_t>(((13 * s[0] + 64 * s[1] + 33 * s[2] + 64) >> 7) + 16);
        }
    }
}

// Chroma of 2x2 blocks, U and V interleaved. The blocks at an odd edge repeat the last row or
// column. The two averages round up one after the other.
void CamBgra32ToChroma420(const uint8_t *src, int srcStride, uint8_t *uv, int uvStride, int width,
                          int height)
{
    const __m128i ku = _mm_set1_epi32(112 | (-74 & 255) << 8 | (-38 & 255) << 16);
    const __m128i kv = _mm_set1_epi32((-18 & 255) | (-94 & 255) << 8 | 112 << 16);
    const __m128i mid = _mm_set1_epi16(128);

    for (int y = 0; y < height; y += 2) {
        const uint8_t *r0 = src + y * static_cast<ptrdiff_t>(srcStride);
        const uint8_t *r1 = y + 1 < height ? r0 + srcStride : r0;
        uint8_t *d = uv + (y / 2) * static_cast<ptrdiff_t>(uvStride);
        int x = 0;

        for (; x + 16 <= width; x += 16, d += 16) {
            __m128i pair[2];
            for (int k = 0; k < 2; ++k) {
                const uint8_t *a = r0 + 4 * x + 32 * k, *b = r1 + 4 * x + 32 * k;
                const __m128 p = _mm_castsi128_ps(_mm_avg_epu8(loadu(a), loadu(b)));
                const __m128 q = _mm_castsi128_ps(_mm_avg_epu8(loadu(a + 16), loadu(b + 16)));
                pair[k] = _mm_avg_epu8(_mm_castps_si128(_mm_shuffle_ps(p, q, 0x88)),
                                       _mm_castps_si128(_mm_shuffle_ps(p, q, 0xdd)));
            }
            __m128i u = _mm_hadd_epi16(_mm_maddubs_epi16(pair[0], ku), _mm_maddubs_epi16(pair[1], ku));
            __m128i v = _mm_hadd_epi16(_mm_maddubs_epi16(pair[0], kv), _mm_maddubs_epi16(pair[1], kv));
            u = _mm_add_epi16(_mm_srai_epi16(u, 8), mid);
            v = _mm_add_epi16(_mm_srai_epi16(v, 8), mid);
            storeu(d, _mm_or_si128(u, _mm_slli_epi16(v, 8)));
        }
        for (; x < width; x += 2, d += 2) {
            const int nx = x + 1 < width ? 4 : 0;
            int c[3];
            for (int k = 0; k < 3; ++k) {
                const uint8_t *a = r0 + 4 * x + k, *b = r1 + 4 * x + k;
                const int l = (a[0] + b[0] + 1) >> 1, r = (a[nx] + b[nx] + 1) >> 1;
                c[k] = (l + r + 1) >> 1;
            }
            d[0] = static_cast<uint8_t>(((112 * c[0] - 74 * c[1] - 38 * c[2]) >> 8) + 128);
            d[1] = static_cast<uint8_t>(((-18 * c[0] - 94 * c[1] + 112 * c[2]) >> 8) + 128);
        }
    }
}

// 6 bit weights: the saturating sums only clip what ends above 255 anyway.
void CamNv12ToBgra32(const uint8_t *luma, int lumaStride, const uint8_t *uv, int uvStride,
                     uint8_t *dst, int dstStride, int width, int height)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i c16 = _mm_set1_epi16(16), c128 = _mm_set1_epi16(128);
    const __m128i ky = _mm_set1_epi16(74), krv = _mm_set1_epi16(102), kgv = _mm_set1_epi16(52);
    const __m128i kgu = _mm_set1_epi16(25), kbu = _mm_set1_epi16(129);
    const __m128i round = _mm_set1_epi16(32), opaque = _mm_set1_epi8(-1);

    for (int row = 0; row < height; ++row) {
        const uint8_t *py = luma + row * static_cast<ptrdiff_t>(lumaStride);
        const uint8_t *pc = uv + (row >> 1) * static_cast<ptrdiff_t>(uvStride);
        uint8_t *d = dst + row * static_cast<ptrdiff_t>(dstStride);
        int x = 0;
        for (; x + 8 <= width; x += 8) {
            __m128i y = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(py + x)), zero);
            __m128i c = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(pc + x)), zero);
            c = _mm_sub_epi16(c, c128);
            const __m128i u = _mm_shufflehi_epi16(_mm_shufflelo_epi16(c, 0xa0), 0xa0);
            const __m128i v = _mm_shufflehi_epi16(_mm_shufflelo_epi16(c, 0xf5), 0xf5);
            y = _mm_add_epi16(_mm_mullo_epi16(_mm_sub_epi16(y, c16), ky), round);
            __m128i r = _mm_adds_epi16(y, _mm_mullo_epi16(v, krv));
            __m128i g = _mm_subs_epi16(
                y, _mm_add_epi16(_mm_mullo_epi16(u, kgu), _mm_mullo_epi16(v, kgv)));
            __m128i b = _mm_adds_epi16(y, _mm_mullo_epi16(u, kbu));
            r = _mm_srai_epi16(r, 6);
            g = _mm_srai_epi16(g, 6);
            b = _mm_srai_epi16(b, 6);
            const __m128i bg = _mm_unpacklo_epi8(_mm_packus_epi16(b, b), _mm_packus_epi16(g, g));
            const __m128i ra = _mm_unpacklo_epi8(_mm_packus_epi16(r, r), opaque);
            storeu(d + 4 * x, _mm_unpacklo_epi16(bg, ra));
            storeu(d + 4 * x + 16, _mm_unpackhi_epi16(bg, ra));
        }
        for (; x < width; ++x) {
            const int u = pc[x & ~1] - 128, v = pc[(x & ~1) + 1] - 128;
            const int yy = (py[x] - 16) * 74 + 32;
            d[4 * x] = clamp8((yy + 129 * u) >> 6);
            d[4 * x + 1] = clamp8((yy - 25 * u - 52 * v) >> 6);
            d[4 * x + 2] = clamp8((yy + 102 * v) >> 6);
            d[4 * x + 3] = 255;
        }
    }
}

// width is even
void CamYuyvToPlanar422(const uint8_t *src, uint8_t *y, uint8_t *u, uint8_t *v, int width)
{
    const __m128i low = _mm_set1_epi16(0x00ff);
    const uint8_t *const end = src + 2 * (width & ~1);
    for (; end - src >= 32; src += 32, y += 16, u += 8, v += 8) {
        const __m128i a = loadu(src), b = loadu(src + 16);
        storeu(y, _mm_packus_epi16(_mm_and_si128(a, low), _mm_and_si128(b, low)));
        const __m128i c = _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
        _mm_storel_epi64((__m128i *)u, _mm_packus_epi16(_mm_and_si128(c, low), c));
        _mm_storel_epi64((__m128i *)v, _mm_packus_epi16(_mm_srli_epi16(c, 8), c));
    }
    for (; src < end; src += 4, y += 2) {
        y[0] = src[0];
        *u++ = src[1];
        y[1] = src[2];
        *v++ = src[3];
    }
}
