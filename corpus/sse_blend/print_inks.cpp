// flags: -msse4.1
/* print_inks - ink planes of the page compositor
 *
 * Bands are separations: C, M, Y, K as planes, or CMYK interleaved.  0 is paper.
 * Band rows come from pool_alloc(): 16 byte aligned, stride a multiple of 16, and the
 * bytes between width and stride belong to the row.  Where that is used it is said.
 */

#include <smmintrin.h>
#include <stdint.h>
#include <string.h>

typedef unsigned char ink_t;

#define PRINT_MUL255(r, a, b)                                                   \
    do {                                                                        \
        __m128i t_ = _mm_add_epi16(_mm_mullo_epi16((a), (b)), k128);            \
        (r) = _mm_srli_epi16(_mm_add_epi16(t_, _mm_srli_epi16(t_, 8)), 8);      \
    } while (0)

/* Overprint: inks add up as 255 - (255-a)(255-b)/255.  Whole vectors, padding included. */
void ink_overprint(ink_t *band, const ink_t *ink, int stride, int width, int height)
{
    const __m128i k128 = _mm_set1_epi16(128);
    const __m128i ones = _mm_set1_epi8(-1);
    const __m128i zero = _mm_setzero_si128();
    const int vectors = (width + 15) >> 4;
    int v, y;

    for (y = 0; y < height; y++) {
        __m128i *d = (__m128i *)(band + y * stride);
        const __m128i *s = (const __m128i *)(ink + y * stride);
        for (v = 0; v < vectors; v++) {
            __m128i a = _mm_xor_si128(_mm_load_si128(d + v), ones);
            __m128i b = _mm_xor_si128(_mm_load_si128(s + v), ones);
            __m128i lo, hi;
            PRINT_MUL255(lo, _mm_unpacklo_epi8(a, zero), _mm_unpacklo_epi8(b, zero));
            PRINT_MUL255(hi, _mm_unpackhi_epi8(a, zero), _mm_unpackhi_epi8(b, zero));
            _mm_store_si128(d + v, _mm_xor_si128(_mm_packus_epi16(lo, hi), ones));
        }
    }
}

/* Knockout: where the spot plane has ink at or over the limit, the process inks are
 * removed and the spot's CMYK goes in.  dst interleaved, four bytes a pixel. */
void ink_knockout(uint32_t *cmyk, const ink_t *spot, int n, int limit, uint32_t spot_cmyk)
{
    const __m128i lim = _mm_set1_epi8((char)limit);
    const __m128i ink = _mm_set1_epi32((int)spot_cmyk);
    int i;

    for (i = 0; i + 16 <= n; i += 16) {
        __m128i s = _mm_loadu_si128((const __m128i *)(spot + i));
        __m128i m = _mm_cmpeq_epi8(_mm_max_epu8(s, lim), s);
        __m128i m0, m1, *p = (__m128i *)(cmyk + i);
        int bits = _mm_movemask_epi8(m);
        if (!bits)
            continue;
        m0 = _mm_unpacklo_epi8(m, m);
        m1 = _mm_unpackhi_epi8(m, m);
        _mm_storeu_si128(p, _mm_blendv_epi8(_mm_loadu_si128(p), ink, _mm_unpacklo_epi16(m0, m0)));
        _mm_storeu_si128(p + 1, _mm_blendv_epi8(_mm_loadu_si128(p + 1), ink, _mm_unpackhi_epi16(m0, m0)));
        _mm_storeu_si128(p + 2, _mm_blendv_epi8(_mm_loadu_si128(p + 2), ink, _mm_unpacklo_epi16(m1, m1)));
        _mm_storeu_si128(p + 3, _mm_blendv_epi8(_mm_loadu_si128(p + 3), ink, _mm_unpackhi_epi16(m1, m1)));
    }
    for (; i < n; i++)
        if (spot[i] >= limit)
            cmyk[i] = spot_cmyk;
}

/* Grey component replacement on planes: k = min(c, m, y) * amount / 256 moves into black.
 * One pass over four planes, 16 columns each. */
void ink_gcr(ink_t *c, ink_t *m, ink_t *y, ink_t *k, int n, int amount)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i am = _mm_set1_epi16((short)amount);
    int i = 0;

    for (; i + 16 <= n; i += 16) {
        __m128i vc = _mm_loadu_si128((const __m128i *)(c + i));
        __m128i vm = _mm_loadu_si128((const __m128i *)(m + i));
        __m128i vy = _mm_loadu_si128((const __m128i *)(y + i));
        __m128i g = _mm_min_epu8(_mm_min_epu8(vc, vm), vy);
        __m128i lo = _mm_srli_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(g, zero), am), 8);
        __m128i hi = _mm_srli_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(g, zero), am), 8);
        g = _mm_packus_epi16(lo, hi);
        _mm_storeu_si128((__m128i *)(c + i), _mm_sub_epi8(vc, g));
        _mm_storeu_si128((__m128i *)(m + i), _mm_sub_epi8(vm, g));
        _mm_storeu_si128((__m128i *)(y + i), _mm_sub_epi8(vy, g));
        _mm_storeu_si128((__m128i *)(k + i), _mm_adds_epu8(_mm_loadu_si128((const __m128i *)(k + i)), g));
    }
    for (; i < n; i++) {
        int g = c[i] < m[i] ? c[i] : m[i], t;
        if (y[i] < g)
            g = y[i];
        g = (g * amount) >> 8;
        c[i] = (ink_t)(c[i] - g);
        m[i] = (ink_t)(m[i] - g);
        y[i] = (ink_t)(y[i] - g);
        t = k[i] + g;
        k[i] = (ink_t)(t > 255 ? 255 : t);
    }
}

/* CMYK interleaved to RGB preview (0xffRRGGBB): r = (255-c)(255-k)/255. */
void ink_preview(uint32_t *rgb, const uint32_t *cmyk, int n)
{
    const __m128i k128 = _mm_set1_epi16(128);
    const __m128i ones = _mm_set1_epi8(-1);
    const __m128i zero = _mm_setzero_si128();
    const __m128i order = _mm_setr_epi8(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
    const __m128i opaque = _mm_set1_epi32((int)0xff000000);
    int i;

    for (i = 0; i < n; i += 4) {
        __m128i p, lo, hi, kl, kh;
        uint32_t part[4] = { 0, 0, 0, 0 };
        const int m = n - i;
        if (m >= 4)
            p = _mm_loadu_si128((const __m128i *)(cmyk + i));
        else {
            memcpy(part, cmyk + i, 4 * (size_t)m);
            p = _mm_loadu_si128((const __m128i *)part);
        }
        p = _mm_shuffle_epi8(_mm_xor_si128(p, ones), order);
        lo = _mm_unpacklo_epi8(p, zero);
        hi = _mm_unpackhi_epi8(p, zero);
        kl = _mm_shufflehi_epi16(_mm_shufflelo_epi16(lo, 0xff), 0xff);
        kh = _mm_shufflehi_epi16(_mm_shufflelo_epi16(hi, 0xff), 0xff);
        PRINT_MUL255(lo, lo, kl);
        PRINT_MUL255(hi, hi, kh);
        p = _mm_or_si128(_mm_packus_epi16(lo, hi), opaque);
        if (m >= 4)
            _mm_storeu_si128((__m128i *)(rgb + i), p);
        else {
            _mm_storeu_si128((__m128i *)part, p);
            memcpy(rgb + i, part, 4 * (size_t)m);
        }
    }
}

/* Total area coverage: scale all four inks where their sum is above the limit
 * (256..1020).  Float, one pixel's sum through two horizontal adds. */
void ink_limit(uint32_t *cmyk, int n, int limit)
{
    const __m128 fl = _mm_set1_ps((float)limit);
    const __m128 one = _mm_set1_ps(1.0f);
    int i;

    for (i = 0; i < n; i++) {
        __m128i p = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int)cmyk[i]));
        __m128i s = _mm_hadd_epi32(p, p);
        __m128 f;
        s = _mm_hadd_epi32(s, s);
        f = _mm_min_ps(_mm_div_ps(fl, _mm_cvtepi32_ps(_mm_max_epi32(s, _mm_set1_epi32(1)))), one);
        p = _mm_cvttps_epi32(_mm_mul_ps(_mm_cvtepi32_ps(p), f));
        p = _mm_packus_epi16(_mm_packus_epi32(p, p), p);
        cmyk[i] = (uint32_t)_mm_cvtsi128_si32(p);
    }
}

/* Halftone by a threshold tile: bit set where ink > threshold.  The tile row is 16 bytes
 * and repeats; one output byte holds eight dots, high bit left.  Bits right of width in
 * the last byte are cleared.  Reads the padding of the band row. */
void ink_halftone_row(uint8_t *bits, const ink_t *band, const uint8_t tile[16], int width)
{
    /* the dots of each byte are reversed ahead of movemask, which has its low bit left */
    const __m128i reverse = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    const __m128i t = _mm_loadu_si128((const __m128i *)tile);
    const __m128i zero = _mm_setzero_si128();
    int x;

    for (x = 0; x < width; x += 16) {
        __m128i v = _mm_subs_epu8(_mm_load_si128((const __m128i *)(band + x)), t);
        int dots;
        v = _mm_shuffle_epi8(_mm_cmpeq_epi8(v, zero), reverse);
        dots = _mm_movemask_epi8(v) ^ 0xffff;
        if (width - x < 16) {
            const int rest = width - x;
            if (rest <= 8) {
                bits[x >> 3] = (uint8_t)(dots & (0xff00 >> rest));
            } else {
                bits[x >> 3] = (uint8_t)dots;
                bits[(x >> 3) + 1] = (uint8_t)((dots >> 8) & (0xff00 >> (rest - 8)));
            }
        } else {
            bits[x >> 3] = (uint8_t)dots;
            bits[(x >> 3) + 1] = (uint8_t)(dots >> 8);
        }
    }
}
