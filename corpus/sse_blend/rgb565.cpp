// flags: -msse2
/***************************************************************************
 *  16 bit frame buffer support (RGB565, XRGB1555).
 *
 *  All pointers to 16 bit pixels are 2 byte aligned.  "n" counts pixels.
 *  Alpha for the blended versions is 0..32, as the hardware had it.
 ***************************************************************************/

#include <stdint.h>
#include <emmintrin.h>

#define R565(p) (((p) >> 11) & 0x1f)
#define G565(p) (((p) >> 5) & 0x3f)
#define B565(p) ((p) & 0x1f)

#define LOAD(p)     _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), (v))

/* XRGB8888 -> RGB565, truncating.  packs_epi32 saturates as signed, hence the detour
 * through the sign bit. */
void rgb32_to_565(uint16_t *dst, const uint32_t *src, int n)
{
    const __m128i rmask = _mm_set1_epi32(0xf800);
    const __m128i gmask = _mm_set1_epi32(0x07e0);
    const __m128i bmask = _mm_set1_epi32(0x001f);
    int i;

    for (i = 0; i + 8 <= n; i += 8) {
        __m128i p0 = LOAD(src + i), p1 = LOAD(src + i + 4);
        __m128i q0, q1;
        q0 = _mm_and_si128(_mm_srli_epi32(p0, 8), rmask);
        q1 = _mm_and_si128(_mm_srli_epi32(p1, 8), rmask);
        q0 = _mm_or_si128(q0, _mm_and_si128(_mm_srli_epi32(p0, 5), gmask));
        q1 = _mm_or_si128(q1, _mm_and_si128(_mm_srli_epi32(p1, 5), gmask));
        q0 = _mm_or_si128(q0, _mm_and_si128(_mm_srli_epi32(p0, 3), bmask));
        q1 = _mm_or_si128(q1, _mm_and_si128(_mm_srli_epi32(p1, 3), bmask));
        q0 = _mm_srai_epi32(_mm_slli_epi32(q0, 16), 16);
        q1 = _mm_srai_epi32(_mm_slli_epi32(q1, 16), 16);
        STORE(dst + i, _mm_packs_epi32(q0, q1));
    }
    for (; i < n; i++) {
        uint32_t p = src[i];
        dst[i] = (uint16_t)(((p >> 8) & 0xf800) | ((p >> 5) & 0x07e0) | ((p >> 3) & 0x001f));
    }
}

/* RGB565 -> 0xffRRGGBB, low bits filled from the high bits. */
void rgb565_to_32(uint32_t *dst, const uint16_t *src, int n)
{
    const __m128i m5 = _mm_set1_epi16(0x00f8);
    const __m128i m6 = _mm_set1_epi16(0x00fc);
    const __m128i hi = _mm_set1_epi16((short)0xff00);
    int i;

    for (i = 0; i + 8 <= n; i += 8) {
        __m128i p = LOAD(src + i);
        __m128i r = _mm_and_si128(_mm_srli_epi16(p, 8), m5);
        __m128i g = _mm_and_si128(_mm_srli_epi16(p, 3), m6);
        __m128i b = _mm_and_si128(_mm_slli_epi16(p, 3), m5);
        __m128i ar, gb;
        r = _mm_or_si128(r, _mm_srli_epi16(r, 5));
        g = _mm_or_si128(g, _mm_srli_epi16(g, 6));
        b = _mm_or_si128(b, _mm_srli_epi16(b, 5));
        gb = _mm_or_si128(_mm_slli_epi16(g, 8), b);
        ar = _mm_or_si128(hi, r);
        STORE(dst + i, _mm_unpacklo_epi16(gb, ar));
        STORE(dst + i + 4, _mm_unpackhi_epi16(gb, ar));
    }
    for (; i < n; i++) {
        uint32_t p = src[i];
        uint32_t r = (p >> 8) & 0xf8, g = (p >> 3) & 0xfc, b = (p << 3) & 0xf8;
        dst[i] = 0xff000000u | (r | r >> 5) << 16 | (g | g >> 6) << 8 | (b | b >> 5);
    }
}

/* dst += (src - dst) * alpha / 32 in each field; strides in pixels.
 * Rows start with the pixels up to a 16 byte boundary of dst. */
void blend565_alpha(uint16_t *dst, int dst_pitch, const uint16_t *src, int src_pitch,
                    int w, int h, int alpha)
{
    const __m128i a = _mm_set1_epi16((short)alpha);
    const __m128i m5 = _mm_set1_epi16(0x1f);
    const __m128i m6 = _mm_set1_epi16(0x3f);

#define BLEND565_ONE()                                                        \
    do {                                                                      \
        int s_ = *s++, d_ = *d;                                               \
        int r_ = R565(d_) + (((R565(s_) - R565(d_)) * alpha) >> 5);           \
        int g_ = G565(d_) + (((G565(s_) - G565(d_)) * alpha) >> 5);           \
        int b_ = B565(d_) + (((B565(s_) - B565(d_)) * alpha) >> 5);           \
        *d++ = (uint16_t)(r_ << 11 | g_ << 5 | b_);                           \
    } while (0)

    while (h--) {
        uint16_t *d = dst;
        const uint16_t *s = src;
        int left = w;

        while (left && ((uintptr_t)d & 15)) {
            BLEND565_ONE();
            left--;
        }
        for (; left >= 8; left -= 8) {
            __m128i dv = _mm_load_si128((const __m128i *)d);
            __m128i sv = LOAD(s);
            __m128i dr = _mm_srli_epi16(dv, 11);
            __m128i dg = _mm_and_si128(_mm_srli_epi16(dv, 5), m6);
            __m128i db = _mm_and_si128(dv, m5);
            __m128i sr = _mm_srli_epi16(sv, 11);
            __m128i sg = _mm_and_si128(_mm_srli_epi16(sv, 5), m6);
            __m128i sb = _mm_and_si128(sv, m5);
            dr = _mm_add_epi16(dr, _mm_srai_epi16(_mm_mullo_epi16(_mm_sub_epi16(sr, dr), a), 5));
            dg = _mm_add_epi16(dg, _mm_srai_epi16(_mm_mullo_epi16(_mm_sub_epi16(sg, dg), a), 5));
            db = _mm_add_epi16(db, _mm_srai_epi16(_mm_mullo_epi16(_mm_sub_epi16(sb, db), a), 5));
            dv = _mm_or_si128(_mm_slli_epi16(dr, 11), _mm_or_si128(_mm_slli_epi16(dg, 5), db));
            _mm_store_si128((__m128i *)d, dv);
            d += 8;
            s += 8;
        }
        while (left--)
            BLEND565_ONE();
        dst += dst_pitch;
        src += src_pitch;
    }
#undef BLEND565_ONE
}

/* (a + b) / 2 in every field at once, rounding down.  Works for 565 with 0xf7de and for
 * 555 with 0x7bde; the caller passes the mask. */
void average16bpp(uint16_t *dst, const uint16_t *a, const uint16_t *b, int n, uint16_t lsbmask)
{
    const __m128i m = _mm_set1_epi16((short)lsbmask);
    int i;
    for (i = 0; i + 8 <= n; i += 8) {
        __m128i x = LOAD(a + i), y = LOAD(b + i);
        __m128i t = _mm_srli_epi16(_mm_and_si128(_mm_xor_si128(x, y), m), 1);
        STORE(dst + i, _mm_add_epi16(_mm_and_si128(x, y), t));
    }
    for (; i < n; i++)
        dst[i] = (uint16_t)((a[i] & b[i]) + (((a[i] ^ b[i]) & lsbmask) >> 1));
}

void rgb565_to_555(uint16_t *dst, const uint16_t *src, int n)
{
    const __m128i rg = _mm_set1_epi16(0x7fe0);
    const __m128i bm = _mm_set1_epi16(0x001f);
    const __m128i x = _mm_set1_epi16((short)0x8000);
    int i = 0;
    for (; i <= n - 16; i += 16) {
        __m128i p = LOAD(src + i), q = LOAD(src + i + 8);
        p = _mm_or_si128(_mm_and_si128(_mm_srli_epi16(p, 1), rg), _mm_and_si128(p, bm));
        q = _mm_or_si128(_mm_and_si128(_mm_srli_epi16(q, 1), rg), _mm_and_si128(q, bm));
        STORE(dst + i, _mm_or_si128(p, x));
        STORE(dst + i + 8, _mm_or_si128(q, x));
    }
    for (; i < n; i++)
        dst[i] = (uint16_t)(0x8000 | ((src[i] >> 1) & 0x7fe0) | (src[i] & 0x1f));
}

/* XRGB8888 -> RGB565 with a 4x4 ordered dither.  y picks the row of the matrix, x0 the
 * column of the first pixel. */
static const uint8_t bayer4[4][4] = {
    { 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 }
};

void rgb32_to_565_dither(uint16_t *dst, const uint32_t *src, int n, int x0, int y)
{
    uint32_t dith[4];
    __m128i dv;
    int i, k;

    for (k = 0; k < 4; k++) {
        uint32_t t = bayer4[y & 3][(x0 + k) & 3];
        dith[k] = (t >> 1) << 16 | (t >> 2) << 8 | (t >> 1);   /* 0..7, 0..3, 0..7 */
    }
    dv = LOAD(dith);
    for (i = 0; i + 8 <= n; i += 8) {
        __m128i p0 = _mm_adds_epu8(LOAD(src + i), dv);
        __m128i p1 = _mm_adds_epu8(LOAD(src + i + 4), dv);
        __m128i r, g, b;
        /* three packs instead of six shifts: fields stay below 0x8000 until the end */
        r = _mm_packs_epi32(_mm_and_si128(_mm_srli_epi32(p0, 19), _mm_set1_epi32(0x1f)),
                            _mm_and_si128(_mm_srli_epi32(p1, 19), _mm_set1_epi32(0x1f)));
        g = _mm_packs_epi32(_mm_and_si128(_mm_srli_epi32(p0, 10), _mm_set1_epi32(0x3f)),
                            _mm_and_si128(_mm_srli_epi32(p1, 10), _mm_set1_epi32(0x3f)));
        b = _mm_packs_epi32(_mm_and_si128(_mm_srli_epi32(p0, 3), _mm_set1_epi32(0x1f)),
                            _mm_and_si128(_mm_srli_epi32(p1, 3), _mm_set1_epi32(0x1f)));
        r = _mm_or_si128(_mm_slli_epi16(r, 11), _mm_or_si128(_mm_slli_epi16(g, 5), b));
        STORE(dst + i, r);
    }
    for (; i < n; i++) {
        uint32_t p = src[i], t = dith[i & 3], r, g, b;
        r = ((p >> 16) & 255) + ((t >> 16) & 255);
        g = ((p >> 8) & 255) + ((t >> 8) & 255);
        b = (p & 255) + (t & 255);
        if (r > 255) r = 255;
        if (g > 255) g = 255;
        if (b > 255) b = 255;
        dst[i] = (uint16_t)((r >> 3) << 11 | (g >> 2) << 5 | (b >> 3));
    }
}

/* Premultiplied ARGB OVER RGB565.  Skips eight transparent pixels at once. */
void argb_over_565(uint16_t *dst, const uint32_t *src, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i ff = _mm_set1_epi32(0xff);
    const __m128i k255 = _mm_set1_epi16(255);
    const __m128i k128 = _mm_set1_epi16(128);
    const __m128i m5 = _mm_set1_epi16(0xf8);
    const __m128i m6 = _mm_set1_epi16(0xfc);
    int i = 0;

    for (; i + 8 <= n; i += 8) {
        __m128i p0 = LOAD(src + i), p1 = LOAD(src + i + 4);
        __m128i d, r, g, b, ia, sr, sg, sb;
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_or_si128(p0, p1), zero)) == 0xffff)
            continue;
        ia = _mm_sub_epi16(k255, _mm_packs_epi32(_mm_srli_epi32(p0, 24), _mm_srli_epi32(p1, 24)));
        sr = _mm_packs_epi32(_mm_and_si128(_mm_srli_epi32(p0, 16), ff), _mm_and_si128(_mm_srli_epi32(p1, 16), ff));
        sg = _mm_packs_epi32(_mm_and_si128(_mm_srli_epi32(p0, 8), ff), _mm_and_si128(_mm_srli_epi32(p1, 8), ff));
        sb = _mm_packs_epi32(_mm_and_si128(p0, ff), _mm_and_si128(p1, ff));

        d = LOAD(dst + i);
        r = _mm_and_si128(_mm_srli_epi16(d, 8), m5);
        g = _mm_and_si128(_mm_srli_epi16(d, 3), m6);
        b = _mm_and_si128(_mm_slli_epi16(d, 3), m5);
        r = _mm_or_si128(r, _mm_srli_epi16(r, 5));
        g = _mm_or_si128(g, _mm_srli_epi16(g, 6));
        b = _mm_or_si128(b, _mm_srli_epi16(b, 5));

        r = _mm_add_epi16(_mm_mullo_epi16(r, ia), k128);
        g = _mm_add_epi16(_mm_mullo_epi16(g, ia), k128);
        b = _mm_add_epi16(_mm_mullo_epi16(b, ia), k128);
        r = _mm_srli_epi16(_mm_add_epi16(r, _mm_srli_epi16(r, 8)), 8);
        g = _mm_srli_epi16(_mm_add_epi16(g, _mm_srli_epi16(g, 8)), 8);
        b = _mm_srli_epi16(_mm_add_epi16(b, _mm_srli_epi16(b, 8)), 8);
        r = _mm_min_epi16(_mm_add_epi16(r, sr), k255);
        g = _mm_min_epi16(_mm_add_epi16(g, sg), k255);
        b = _mm_min_epi16(_mm_add_epi16(b, sb), k255);

        r = _mm_slli_epi16(_mm_and_si128(r, m5), 8);
        g = _mm_slli_epi16(_mm_and_si128(g, m6), 3);
        b = _mm_srli_epi16(b, 3);
        STORE(dst + i, _mm_or_si128(r, _mm_or_si128(g, b)));
    }
    for (; i < n; i++) {
        uint32_t s = src[i], d = dst[i], ia = 255 - (s >> 24), v[3];
        int k;
        if (!s)
            continue;
        v[0] = (R565(d) << 3) | (R565(d) >> 2);
        v[1] = (G565(d) << 2) | (G565(d) >> 4);
        v[2] = (B565(d) << 3) | (B565(d) >> 2);
        for (k = 0; k < 3; k++) {
            uint32_t t = v[k] * ia + 128;
            t = ((t + (t >> 8)) >> 8) + ((s >> (16 - 8 * k)) & 255);
            v[k] = t > 255 ? 255 : t;
        }
        dst[i] = (uint16_t)((v[0] >> 3) << 11 | (v[1] >> 2) << 5 | v[2] >> 3);
    }
}

/* Rectangle fill; pitch in pixels.  One odd pixel in front is stored alone when the row
 * starts off a 4 byte boundary, as the old blitter did. */
void fill565(uint16_t *dst, int pitch, int w, int h, uint16_t color)
{
    const __m128i c = _mm_set1_epi16((short)color);
    int y;
    for (y = 0; y < h; y++) {
        uint16_t *p = dst, *e = dst + w;
        if (((uintptr_t)p & 2) && p < e)
            *p++ = color;
        for (; e - p >= 32; p += 32) {
            STORE(p, c);
            STORE(p + 8, c);
            STORE(p + 16, c);
            STORE(p + 24, c);
        }
        for (; e - p >= 8; p += 8)
            STORE(p, c);
        while (p < e)
            *p++ = color;
        dst += pitch;
    }
}
