// flags: -mssse3
/*
 * a8_masks - 8 bit coverage masks: build, combine, and paint through them.
 *
 * All strides in bytes.  Pixels are premultiplied, alpha in the top byte.
 * The mask planes come from the scan converter and have no alignment at all.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tmmintrin.h>

static inline __m128i load4(const uint8_t *p)
{
    int v;
    memcpy(&v, p, 4);
    return _mm_cvtsi32_si128(v);
}

/* round(a * b / 255) in 16 bit lanes */
static inline __m128i mul_un8x8(__m128i a, __m128i b, __m128i c0080, __m128i c0101)
{
    return _mm_mulhi_epu16(_mm_adds_epu16(_mm_mullo_epi16(a, b), c0080), c0101);
}

static inline uint32_t mul_un8(uint32_t a, uint32_t b)
{
    uint32_t t = a * b + 0x80;
    return ((t >> 8) + t) >> 8;
}

static uint32_t over_masked(uint32_t color, uint32_t m, uint32_t dest)
{
    uint32_t out = 0, ia = 255 - mul_un8(color >> 24, m);
    int k;
    for (k = 0; k < 32; k += 8) {
        uint32_t v = mul_un8((color >> k) & 255, m) + mul_un8((dest >> k) & 255, ia);
        out |= (v > 255 ? 255 : v) << k;
    }
    return out;
}

/* Solid colour IN mask OVER destination. */
void a8_fill_solid(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *mask, ptrdiff_t mask_stride,
                   int width, int height, uint32_t color)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i c0080 = _mm_set1_epi16(0x0080);
    const __m128i c0101 = _mm_set1_epi16(0x0101);
    const __m128i c00ff = _mm_set1_epi16(0x00ff);
    const __m128i src = _mm_unpacklo_epi8(_mm_set1_epi32((int)color), zero);
    const int opaque = (color >> 24) == 255;

    while (height-- > 0) {
        uint32_t *d = (uint32_t *)dst;
        const uint8_t *m = mask;
        int w = width;

        while (w >= 4) {
            uint32_t quad;
            memcpy(&quad, m, 4);
            if (quad == 0xffffffff && opaque) {
                _mm_storeu_si128((__m128i *)d, _mm_set1_epi32((int)color));
            } else if (quad) {
                __m128i mm, mlo, mhi, dd, slo, shi, alo, ahi;

                mm = _mm_cvtsi32_si128((int)quad);
                mm = _mm_unpacklo_epi8(mm, mm);
                mm = _mm_unpacklo_epi16(mm, mm);      /* m0 x4, m1 x4, m2 x4, m3 x4 */
                mlo = _mm_unpacklo_epi8(mm, zero);
                mhi = _mm_unpackhi_epi8(mm, zero);

                slo = mul_un8x8(src, mlo, c0080, c0101);
                shi = mul_un8x8(src, mhi, c0080, c0101);
                alo = _mm_shufflehi_epi16(_mm_shufflelo_epi16(slo, 0xff), 0xff);
                ahi = _mm_shufflehi_epi16(_mm_shufflelo_epi16(shi, 0xff), 0xff);

                dd = _mm_loadu_si128((const __m128i *)d);
                alo = mul_un8x8(_mm_unpacklo_epi8(dd, zero), _mm_xor_si128(alo, c00ff), c0080, c0101);
                ahi = mul_un8x8(_mm_unpackhi_epi8(dd, zero), _mm_xor_si128(ahi, c00ff), c0080, c0101);
                dd = _mm_adds_epu8(_mm_packus_epi16(slo, shi), _mm_packus_epi16(alo, ahi));
                _mm_storeu_si128((__m128i *)d, dd);
            }
            d += 4;
            m += 4;
            w -= 4;
        }
        while (w--) {
            if (*m)
                *d = over_masked(color, *m, *d);
            d++;
            m++;
        }
        dst += dst_stride;
        mask += mask_stride;
    }
}

/* mask *= other, used when a clip mask meets a glyph mask. */
void a8_intersect(uint8_t *mask, const uint8_t *other, size_t n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i c0080 = _mm_set1_epi16(0x0080);
    const __m128i c0101 = _mm_set1_epi16(0x0101);
    size_t i = 0;

    for (; i + 16 <= n; i += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(mask + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(other + i));
        __m128i lo = mul_un8x8(_mm_unpacklo_epi8(a, zero), _mm_unpacklo_epi8(b, zero), c0080, c0101);
        __m128i hi = mul_un8x8(_mm_unpackhi_epi8(a, zero), _mm_unpackhi_epi8(b, zero), c0080, c0101);
        _mm_storeu_si128((__m128i *)(mask + i), _mm_packus_epi16(lo, hi));
    }
    if (i + 8 <= n) {
        __m128i a = _mm_loadl_epi64((const __m128i *)(mask + i));
        __m128i b = _mm_loadl_epi64((const __m128i *)(other + i));
        a = mul_un8x8(_mm_unpacklo_epi8(a, zero), _mm_unpacklo_epi8(b, zero), c0080, c0101);
        _mm_storel_epi64((__m128i *)(mask + i), _mm_packus_epi16(a, a));
        i += 8;
    }
    for (; i < n; i++)
        mask[i] = (uint8_t)mul_un8(mask[i], other[i]);
}

/* mask = mask + other - mask * other. */
void a8_unite(uint8_t *mask, const uint8_t *other, size_t n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i c0080 = _mm_set1_epi16(0x0080);
    const __m128i c0101 = _mm_set1_epi16(0x0101);
    const __m128i ones = _mm_cmpeq_epi8(zero, zero);
    uint8_t *const end = mask + n;

    while (end - mask >= 16) {
        __m128i a = _mm_xor_si128(_mm_loadu_si128((const __m128i *)mask), ones);
        __m128i b = _mm_xor_si128(_mm_loadu_si128((const __m128i *)other), ones);
        __m128i lo = mul_un8x8(_mm_unpacklo_epi8(a, zero), _mm_unpacklo_epi8(b, zero), c0080, c0101);
        __m128i hi = mul_un8x8(_mm_unpackhi_epi8(a, zero), _mm_unpackhi_epi8(b, zero), c0080, c0101);
        _mm_storeu_si128((__m128i *)mask, _mm_xor_si128(_mm_packus_epi16(lo, hi), ones));
        mask += 16;
        other += 16;
    }
    while (mask != end) {
        *mask = (uint8_t)(255 - mul_un8(255 - *mask, 255 - *other));
        mask++;
        other++;
    }
}

/* Pull the alpha bytes out of a surface. */
void a8_from_argb(uint8_t *mask, const uint32_t *src, int n)
{
    const __m128i pick = _mm_setr_epi8(3, 7, 11, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    int i = 0;

    for (; i <= n - 16; i += 16) {
        __m128i p0 = _mm_srli_epi32(_mm_loadu_si128((const __m128i *)(src + i)), 24);
        __m128i p1 = _mm_srli_epi32(_mm_loadu_si128((const __m128i *)(src + i + 4)), 24);
        __m128i p2 = _mm_srli_epi32(_mm_loadu_si128((const __m128i *)(src + i + 8)), 24);
        __m128i p3 = _mm_srli_epi32(_mm_loadu_si128((const __m128i *)(src + i + 12)), 24);
        p0 = _mm_packs_epi32(p0, p1);
        p2 = _mm_packs_epi32(p2, p3);
        _mm_storeu_si128((__m128i *)(mask + i), _mm_packus_epi16(p0, p2));
    }
    for (; i <= n - 4; i += 4) {
        __m128i p = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(src + i)), pick);
        int v = _mm_cvtsi128_si32(p);
        memcpy(mask + i, &v, 4);
    }
    for (; i < n; i++)
        mask[i] = (uint8_t)(src[i] >> 24);
}

/* Replace the alpha channel; colour is left as it is, so dst is straight afterwards. */
void a8_into_argb(uint32_t *dst, const uint8_t *mask, int n)
{
    const __m128i keep = _mm_set1_epi32(0x00ffffff);
    const __m128i s0 = _mm_setr_epi8(-1, -1, -1, 0, -1, -1, -1, 1, -1, -1, -1, 2, -1, -1, -1, 3);
    const __m128i step = _mm_set1_epi32(0x04000000);
    int i = 0;

    for (; i + 16 <= n; i += 16) {
        const __m128i m = _mm_loadu_si128((const __m128i *)(mask + i));
        __m128i s = s0;
        int k;
        for (k = 0; k < 16; k += 4) {
            __m128i d = _mm_and_si128(_mm_loadu_si128((const __m128i *)(dst + i + k)), keep);
            d = _mm_or_si128(d, _mm_shuffle_epi8(m, s));
            _mm_storeu_si128((__m128i *)(dst + i + k), d);
            s = _mm_add_epi32(s, step);
        }
    }
    for (; i < n; i++)
        dst[i] = (dst[i] & 0x00ffffff) | ((uint32_t)mask[i] << 24);
}

/*
 * Sub-pixel text.  One mask byte per colour channel (fourth byte unused), straight
 * colour, opaque destination.  Coverage is cut down to 0..32 so that the product of a
 * signed difference fits 16 bits.
 */
void a8_lcd_blit(uint32_t *dst, const uint32_t *lcd, int n, uint32_t color)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i src = _mm_unpacklo_epi8(_mm_set1_epi32((int)color), zero);
    const __m128i opaque = _mm_set1_epi32((int)0xff000000);
    int i = 0;

    for (; i + 4 <= n; i += 4) {
        __m128i m = _mm_loadu_si128((const __m128i *)(lcd + i));
        __m128i d, dlo, dhi, mlo, mhi;

        d = _mm_loadu_si128((const __m128i *)(dst + i));
        dlo = _mm_unpacklo_epi8(d, zero);
        dhi = _mm_unpackhi_epi8(d, zero);
        mlo = _mm_srli_epi16(_mm_unpacklo_epi8(m, zero), 3);
        mhi = _mm_srli_epi16(_mm_unpackhi_epi8(m, zero), 3);
        mlo = _mm_add_epi16(mlo, _mm_srli_epi16(mlo, 4));
        mhi = _mm_add_epi16(mhi, _mm_srli_epi16(mhi, 4));
        mlo = _mm_srai_epi16(_mm_mullo_epi16(_mm_sub_epi16(src, dlo), mlo), 5);
        mhi = _mm_srai_epi16(_mm_mullo_epi16(_mm_sub_epi16(src, dhi), mhi), 5);
        d = _mm_packus_epi16(_mm_add_epi16(dlo, mlo), _mm_add_epi16(dhi, mhi));
        _mm_storeu_si128((__m128i *)(dst + i), _mm_or_si128(d, opaque));
    }
    for (; i < n; i++) {
        uint32_t out = 0xff000000;
        int k;
        for (k = 0; k < 24; k += 8) {
            int m = (int)((lcd[i] >> k) & 255) >> 3;
            int d = (int)((dst[i] >> k) & 255);
            m += m >> 4;
            d += (((int)((color >> k) & 255) - d) * m) >> 5;
            out |= (uint32_t)d << k;
        }
        dst[i] = out;
    }
}

/*
 * Soft edge to hard edge: 255 where the coverage reaches the threshold, else 0.
 * Returns how many samples are set.
 */
int a8_threshold(uint8_t *mask, ptrdiff_t stride, int width, int height, int threshold)
{
    const __m128i t = _mm_set1_epi8((char)threshold);
    const __m128i zero = _mm_setzero_si128();
    __m128i total = zero;
    int y, tail = 0;
    uint32_t sums[4];

    for (y = 0; y < height; y++) {
        uint8_t *p = mask + y * stride;
        int x = 0;
        for (; x + 16 <= width; x += 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(p + x));
            v = _mm_cmpeq_epi8(_mm_max_epu8(v, t), v);     /* unsigned v >= t */
            total = _mm_add_epi32(total, _mm_sad_epu8(_mm_sub_epi8(zero, v), zero));
            _mm_storeu_si128((__m128i *)(p + x), v);
        }
        for (; x < width; x++) {
            p[x] = p[x] >= threshold ? 255 : 0;
            tail += p[x] & 1;
        }
    }
    _mm_storeu_si128((__m128i *)sums, total);
    return (int)(sums[0] + sums[2]) + tail;
}

/* Surface IN mask, four pixels a turn; the mask is spread with one pshufb. */
void a8_apply(uint32_t *pix, const uint8_t *mask, int n)
{
    const __m128i spread_lo = _mm_setr_epi8(0, -1, 0, -1, 0, -1, 0, -1, 1, -1, 1, -1, 1, -1, 1, -1);
    const __m128i spread_hi = _mm_setr_epi8(2, -1, 2, -1, 2, -1, 2, -1, 3, -1, 3, -1, 3, -1, 3, -1);
    const __m128i zero = _mm_setzero_si128();
    const __m128i c0080 = _mm_set1_epi16(0x0080);
    const __m128i c0101 = _mm_set1_epi16(0x0101);

    for (; n >= 4; n -= 4, pix += 4, mask += 4) {
        __m128i p = _mm_loadu_si128((const __m128i *)pix);
        __m128i m = load4(mask);
        __m128i lo = mul_un8x8(_mm_unpacklo_epi8(p, zero), _mm_shuffle_epi8(m, spread_lo), c0080, c0101);
        __m128i hi = mul_un8x8(_mm_unpackhi_epi8(p, zero), _mm_shuffle_epi8(m, spread_hi), c0080, c0101);
        _mm_storeu_si128((__m128i *)pix, _mm_packus_epi16(lo, hi));
    }
    for (; n > 0; n--, pix++, mask++) {
        uint32_t v = *pix, m = *mask;
        *pix = mul_un8(v & 255, m) | mul_un8((v >> 8) & 255, m) << 8 |
               mul_un8((v >> 16) & 255, m) << 16 | mul_un8(v >> 24, m) << 24;
    }
}
