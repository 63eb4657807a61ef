// flags: -msse4.1
// 24 bit packed RGB: mixing without going through 32 bits.
//
// Three vectors hold 16 pixels. Channel-wise work that is the same for R, G and B runs
// on the bytes as they lie; what is not is deinterleaved with five shuffles' worth of
// constants below. Rows are byte aligned.

#include <cstddef>
#include <cstdint>
#include <smmintrin.h>

namespace {

struct Planes
{
    __m128i r, g, b;
};

#define X -1
inline Planes deinterleave(const uint8_t *p)
{
    const __m128i v0 = _mm_loadu_si128((const __m128i *)p);
    const __m128i v1 = _mm_loadu_si128((const __m128i *)(p + 16));
    const __m128i v2 = _mm_loadu_si128((const __m128i *)(p + 32));
    Planes o;
    o.r = _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(v0, _mm_setr_epi8(0, 3, 6, 9, 12, 15, X, X, X, X, X, X, X, X, X, X)),
                                    _mm_shuffle_epi8(v1, _mm_setr_epi8(X, X, X, X, X, X, 2, 5, 8, 11, 14, X, X, X, X, X))),
                       _mm_shuffle_epi8(v2, _mm_setr_epi8(X, X, X, X, X, X, X, X, X, X, X, 1, 4, 7, 10, 13)));
    o.g = _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(v0, _mm_setr_epi8(1, 4, 7, 10, 13, X, X, X, X, X, X, X, X, X, X, X)),
                                    _mm_shuffle_epi8(v1, _mm_setr_epi8(X, X, X, X, X, 0, 3, 6, 9, 12, 15, X, X, X, X, X))),
                       _mm_shuffle_epi8(v2, _mm_setr_epi8(X, X, X, X, X, X, X, X, X, X, X, 2, 5, 8, 11, 14)));
    o.b = _mm_or_si128(_mm_or_si128(_mm_shuffle_epi8(v0, _mm_setr_epi8(2, 5, 8, 11, 14, X, X, X, X, X, X, X, X, X, X, X)),
                                    _mm_shuffle_epi8(v1, _mm_setr_epi8(X, X, X, X, X, 1, 4, 7, 10, 13, X, X, X, X, X, X))),
                       _mm_shuffle_epi8(v2, _mm_setr_epi8(X, X, X, X, X, X, X, X, X, X, 0, 3, 6, 9, 12, 15)));
    return o;
}

inline void interleave(uint8_t *p, const Planes &o)
{
    __m128i v0 = _mm_shuffle_epi8(o.r, _mm_setr_epi8(0, X, X, 1, X, X, 2, X, X, 3, X, X, 4, X, X, 5));
    v0 = _mm_or_si128(v0, _mm_shuffle_epi8(o.g, _mm_setr_epi8(X, 0, X, X, 1, X, X, 2, X, X, 3, X, X, 4, X, X)));
    v0 = _mm_or_si128(v0, _mm_shuffle_epi8(o.b, _mm_setr_epi8(X, X, 0, X, X, 1, X, X, 2, X, X, 3, X, X, 4, X)));
    __m128i v1 = _mm_shuffle_epi8(o.r, _mm_setr_epi8(X, X, 6, X, X, 7, X, X, 8, X, X, 9, X, X, 10, X));
    v1 = _mm_or_si128(v1, _mm_shuffle_epi8(o.g, _mm_setr_epi8(5, X, X, 6, X, X, 7, X, X, 8, X, X, 9, X, X, 10)));
    v1 = _mm_or_si128(v1, _mm_shuffle_epi8(o.b, _mm_setr_epi8(X, 5, X, X, 6, X, X, 7, X, X, 8, X, X, 9, X, X)));
    __m128i v2 = _mm_shuffle_epi8(o.r, _mm_setr_epi8(X, 11, X, X, 12, X, X, 13, X, X, 14, X, X, 15, X, X));
    v2 = _mm_or_si128(v2, _mm_shuffle_epi8(o.g, _mm_setr_epi8(X, X, 11, X, X, 12, X, X, 13, X, X, 14, X, X, 15, X)));
    v2 = _mm_or_si128(v2, _mm_shuffle_epi8(o.b, _mm_setr_epi8(10, X, X, 11, X, X, 12, X, X, 13, X, X, 14, X, X, 15)));
    _mm_storeu_si128((__m128i *)p, v0);
    _mm_storeu_si128((__m128i *)(p + 16), v1);
    _mm_storeu_si128((__m128i *)(p + 32), v2);
}
#undef X

// a + (b - a) * w / 256 for unsigned bytes, w 0..256 per 16 bit lane
inline __m128i mix256(__m128i a, __m128i b, __m128i wlo, __m128i whi)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i k256 = _mm_set1_epi16(256);
    __m128i lo = _mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(a, zero), _mm_sub_epi16(k256, wlo)),
                               _mm_mullo_epi16(_mm_unpacklo_epi8(b, zero), wlo));
    __m128i hi = _mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(a, zero), _mm_sub_epi16(k256, whi)),
                               _mm_mullo_epi16(_mm_unpackhi_epi8(b, zero), whi));
    return _mm_packus_epi16(_mm_srli_epi16(lo, 8), _mm_srli_epi16(hi, 8));
}

} // namespace

// RGB24 mixed with RGB24 under an 8 bit mask, weight = m + (m >> 7).
void mixMasked24(uint8_t *dst, ptrdiff_t dstStride, const uint8_t *src, ptrdiff_t srcStride,
                 const uint8_t *mask, ptrdiff_t maskStride, int width, int height)
{
    const __m128i zero = _mm_setzero_si128();
    for (int y = 0; y < height; ++y) {
        uint8_t *d = dst + y * dstStride;
        const uint8_t *s = src + y * srcStride;
        const uint8_t *m = mask + y * maskStride;
        int n = width;
        for (; n >= 16; n -= 16, d += 48, s += 48, m += 16) {
            const __m128i mv = _mm_loadu_si128((const __m128i *)m);
            if (_mm_testz_si128(mv, mv))
                continue;
            __m128i wl = _mm_unpacklo_epi8(mv, zero), wh = _mm_unpackhi_epi8(mv, zero);
            wl = _mm_add_epi16(wl, _mm_srli_epi16(wl, 7));
            wh = _mm_add_epi16(wh, _mm_srli_epi16(wh, 7));
            Planes a = deinterleave(d);
            const Planes b = deinterleave(s);
            a.r = mix256(a.r, b.r, wl, wh);
            a.g = mix256(a.g, b.g, wl, wh);
            a.b = mix256(a.b, b.b, wl, wh);
            interleave(d, a);
        }
        for (; n > 0; --n, ++m)
            for (int c = 0; c < 3; ++c, ++d, ++s) {
                const int w = *m + (*m >> 7);
                *d = uint8_t((*d * (256 - w) + *s * w) >> 8);
            }
    }
}

// Constant tint: every channel has a weight and a colour of its own. The period of three
// over vectors of sixteen is handled by three constant pairs.
void tint24(uint8_t *p, size_t pixels, const uint8_t color[3], const uint8_t weight[3])
{
    uint8_t c48[48];
    uint16_t w48[48];
    for (int i = 0; i < 48; ++i) {
        c48[i] = color[i % 3];
        w48[i] = uint16_t(weight[i % 3] + (weight[i % 3] >> 7));
    }
    __m128i c[3], w[6];
    for (int k = 0; k < 3; ++k)
        c[k] = _mm_loadu_si128((const __m128i *)(c48 + 16 * k));
    for (int k = 0; k < 6; ++k)
        w[k] = _mm_loadu_si128((const __m128i *)(w48 + 8 * k));

    size_t bytes = 3 * pixels;
    for (; bytes >= 48; bytes -= 48, p += 48)
        for (int k = 0; k < 3; ++k) {
            __m128i *q = (__m128i *)(p + 16 * k);
            _mm_storeu_si128(q, mix256(_mm_loadu_si128(q), c[k], w[2 * k], w[2 * k + 1]));
        }
    for (size_t i = 0; i < bytes; ++i)
        p[i] = uint8_t((p[i] * (256 - w48[i]) + c48[i] * w48[i]) >> 8);
}

// Luminosity layer: scales RGB so that its luma becomes that of the grey layer, in
// 4.12 fixed point from a table of reciprocals (recip[l] = min(65535, 4096 / l), 1 for l 0).
// luma = (77 r + 150 g + 29 b + 128) >> 8.
void relight24(uint8_t *p, const uint8_t *grey, int pixels, const uint16_t *recip)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i k77 = _mm_set1_epi16(77), k150 = _mm_set1_epi16(150), k29 = _mm_set1_epi16(29);
    const __m128i half = _mm_set1_epi16(128);
    for (; pixels >= 16; pixels -= 16, p += 48, grey += 16) {
        Planes o = deinterleave(p);
        __m128i ll = _mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(o.r, zero), k77), half);
        __m128i lh = _mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(o.r, zero), k77), half);
        ll = _mm_add_epi16(ll, _mm_mullo_epi16(_mm_unpacklo_epi8(o.g, zero), k150));
        lh = _mm_add_epi16(lh, _mm_mullo_epi16(_mm_unpackhi_epi8(o.g, zero), k150));
        ll = _mm_add_epi16(ll, _mm_mullo_epi16(_mm_unpacklo_epi8(o.b, zero), k29));
        lh = _mm_add_epi16(lh, _mm_mullo_epi16(_mm_unpackhi_epi8(o.b, zero), k29));
        uint8_t luma[16];
        uint16_t gain[16];
        _mm_storeu_si128((__m128i *)luma, _mm_packus_epi16(_mm_srli_epi16(ll, 8), _mm_srli_epi16(lh, 8)));
        for (int k = 0; k < 16; ++k)
            gain[k] = recip[luma[k]];
        const __m128i g = _mm_loadu_si128((const __m128i *)grey);
        // gain * grey in 8.8 at most 4096 * 255, cut to 16 bits with saturation
        __m128i gl = _mm_loadu_si128((const __m128i *)gain), gh = _mm_loadu_si128((const __m128i *)(gain + 8));
        __m128i fl, fh;
        {
            const __m128i a = _mm_unpacklo_epi8(g, zero), b = _mm_unpackhi_epi8(g, zero);
            const __m128i al = _mm_mullo_epi16(gl, a), ah = _mm_mulhi_epu16(gl, a);
            const __m128i bl = _mm_mullo_epi16(gh, b), bh = _mm_mulhi_epu16(gh, b);
            fl = _mm_packus_epi32(_mm_unpacklo_epi16(al, ah), _mm_unpackhi_epi16(al, ah));
            fh = _mm_packus_epi32(_mm_unpacklo_epi16(bl, bh), _mm_unpackhi_epi16(bl, bh));
        }
        __m128i *plane[3] = {&o.r, &o.g, &o.b};
        for (int k = 0; k < 3; ++k) {
            __m128i v = *plane[k];
            // (v << 4) * f >> 16 is v * f >> 12
            __m128i lo = _mm_mulhi_epu16(_mm_slli_epi16(_mm_unpacklo_epi8(v, zero), 4), fl);
            __m128i hi = _mm_mulhi_epu16(_mm_slli_epi16(_mm_unpackhi_epi8(v, zero), 4), fh);
            *plane[k] = _mm_packus_epi16(lo, hi);
        }
        interleave(p, o);
    }
    for (; pixels > 0; --pixels, p += 3, ++grey) {
        const unsigned luma = (77u * p[0] + 150u * p[1] + 29u * p[2] + 128u) >> 8;
        unsigned f = unsigned(recip[luma]) * *grey;
        if (f > 65535)
            f = 65535;
        for (int c = 0; c < 3; ++c) {
            const unsigned v = p[c] * f >> 12;
            p[c] = uint8_t(v > 255 ? 255 : v);
        }
    }
}

// RGBA (straight) to RGB24 over a checkerboard of 8 x 8 squares, for the preview pane.
void checkerPreview24(uint8_t *dst, const uint32_t *rgba, int width, int y, uint8_t dark, uint8_t bright)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i k255 = _mm_set1_epi16(255), half = _mm_set1_epi16(128);
    const __m128i squeeze = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    int x = 0;
    // each store writes 16 bytes, 12 of them good: six pixels have to be left
    for (; x + 6 <= width; x += 4) {
        const __m128i s = _mm_loadu_si128((const __m128i *)(rgba + x));
        const __m128i bg = _mm_set1_epi16((((x >> 3) ^ (y >> 3)) & 1) ? bright : dark);
        __m128i lo = _mm_unpacklo_epi8(s, zero), hi = _mm_unpackhi_epi8(s, zero);
        const __m128i al = _mm_shufflehi_epi16(_mm_shufflelo_epi16(lo, 0xff), 0xff);
        const __m128i ah = _mm_shufflehi_epi16(_mm_shufflelo_epi16(hi, 0xff), 0xff);
        lo = _mm_add_epi16(_mm_mullo_epi16(lo, al), _mm_mullo_epi16(bg, _mm_sub_epi16(k255, al)));
        hi = _mm_add_epi16(_mm_mullo_epi16(hi, ah), _mm_mullo_epi16(bg, _mm_sub_epi16(k255, ah)));
        lo = _mm_add_epi16(lo, half);
        hi = _mm_add_epi16(hi, half);
        lo = _mm_srli_epi16(_mm_add_epi16(lo, _mm_srli_epi16(lo, 8)), 8);
        hi = _mm_srli_epi16(_mm_add_epi16(hi, _mm_srli_epi16(hi, 8)), 8);
        _mm_storeu_si128((__m128i *)(dst + 3 * x), _mm_shuffle_epi8(_mm_packus_epi16(lo, hi), squeeze));
    }
    for (; x < width; ++x) {
        const int bg = (((x >> 3) ^ (y >> 3)) & 1) ? bright : dark;
        const int a = int(rgba[x] >> 24);
        for (int c = 0; c < 3; ++c) {
            const int t = int(rgba[x] >> (8 * c) & 255) * a + bg * (255 - a) + 128;
            dst[3 * x + c] = uint8_t((t + (t >> 8)) >> 8);
        }
    }
}
