// flags: -mssse3
/*
 *  orient.cpp - turning and mirroring for the photo kiosk
 *
 *  Pitches are in elements of the pixel type.  Source and target never overlap unless there
 *  is only one buffer.
 */
#include <stddef.h>
#include <stdint.h>
#include <tmmintrin.h>

static void transpose_tile8(const uint8_t *s, ptrdiff_t sp, uint8_t *d, ptrdiff_t dp)
{
    __m128i r0 = _mm_loadl_epi64((const __m128i *)(s));
    __m128i r1 = _mm_loadl_epi64((const __m128i *)(s + sp));
    __m128i r2 = _mm_loadl_epi64((const __m128i *)(s + 2 * sp));
    __m128i r3 = _mm_loadl_epi64((const __m128i *)(s + 3 * sp));
    __m128i r4 = _mm_loadl_epi64((const __m128i *)(s + 4 * sp));
    __m128i r5 = _mm_loadl_epi64((const __m128i *)(s + 5 * sp));
    __m128i r6 = _mm_loadl_epi64((const __m128i *)(s + 6 * sp));
    __m128i r7 = _mm_loadl_epi64((const __m128i *)(s + 7 * sp));

    r0 = _mm_unpacklo_epi8(r0, r1);
    r2 = _mm_unpacklo_epi8(r2, r3);
    r4 = _mm_unpacklo_epi8(r4, r5);
    r6 = _mm_unpacklo_epi8(r6, r7);

    r1 = _mm_unpacklo_epi16(r0, r2);
    r3 = _mm_unpackhi_epi16(r0, r2);
    r5 = _mm_unpacklo_epi16(r4, r6);
    r7 = _mm_unpackhi_epi16(r4, r6);

    r0 = _mm_unpacklo_epi32(r1, r5);
    r2 = _mm_unpackhi_epi32(r1, r5);
    r4 = _mm_unpacklo_epi32(r3, r7);
    r6 = _mm_unpackhi_epi32(r3, r7);

    _mm_storel_epi64((__m128i *)(d), r0);
    _mm_storeh_pi((__m64 *)(d + dp), _mm_castsi128_ps(r0));
    _mm_storel_epi64((__m128i *)(d + 2 * dp), r2);
    _mm_storeh_pi((__m64 *)(d + 3 * dp), _mm_castsi128_ps(r2));
    _mm_storel_epi64((__m128i *)(d + 4 * dp), r4);
    _mm_storeh_pi((__m64 *)(d + 5 * dp), _mm_castsi128_ps(r4));
    _mm_storel_epi64((__m128i *)(d + 6 * dp), r6);
    _mm_storeh_pi((__m64 *)(d + 7 * dp), _mm_castsi128_ps(r6));
}

/* dst is h wide and w high */
void or_transpose_u8(const uint8_t *src, ptrdiff_t sp, uint8_t *dst, ptrdiff_t dp, int w, int h)
{
    int x, y = 0;
    for (; y + 8 <= h; y += 8) {
        for (x = 0; x + 8 <= w; x += 8)
            transpose_tile8(src + y * sp + x, sp, dst + x * dp + y, dp);
        for (; x < w; x++)
            for (int k = 0; k < 8; k++)
                dst[x * dp + y + k] = src[(y + k) * sp + x];
    }
    for (; y < h; y++)
        for (x = 0; x < w; x++)
            dst[x * dp + y] = src[y * sp + x];
}

void or_transpose_f32(const float *src, ptrdiff_t sp, float *dst, ptrdiff_t dp, int w, int h)
{
    const int w4 = w & ~3, h4 = h & ~3;
    int x, y;

    for (y = 0; y < h4; y += 4) {
        const float *s = src + y * sp;
        float *d = dst + y;
        for (x = 0; x < w4; x += 4, s += 4, d += 4 * dp) {
            __m128 r0 = _mm_loadu_ps(s);
            __m128 r1 = _mm_loadu_ps(s + sp);
            __m128 r2 = _mm_loadu_ps(s + 2 * sp);
            __m128 r3 = _mm_loadu_ps(s + 3 * sp);
            _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
            _mm_storeu_ps(d, r0);
            _mm_storeu_ps(d + dp, r1);
            _mm_storeu_ps(d + 2 * dp, r2);
            _mm_storeu_ps(d + 3 * dp, r3);
        }
        for (; x < w; x++, s++, d += dp) {
            d[0] = s[0];
            d[1] = s[sp];
            d[2] = s[2 * sp];
            d[3] = s[3 * sp];
        }
    }
    for (; y < h; y++)
        for (x = 0; x < w; x++)
            dst[x * dp + y] = src[y * sp + x];
}

/* A quarter turn clockwise: dst is h wide and w high, dst(h - 1 - y, x) = src(x, y). */
void or_rotate90_u32(const uint32_t *src, ptrdiff_t sp, uint32_t *dst, ptrdiff_t dp, int w, int h)
{
    int x, y = 0;
    for (; y + 4 <= h; y += 4) {
        const uint32_t *s = src + y * sp;
        uint32_t *d = dst + (h - 4 - y);
        for (x = 0; x + 4 <= w; x += 4) {
            /* the lowest row goes first */
            __m128i a = _mm_loadu_si128((const __m128i *)(s + x + 3 * sp));
            __m128i b = _mm_loadu_si128((const __m128i *)(s + x + 2 * sp));
            __m128i c = _mm_loadu_si128((const __m128i *)(s + x + sp));
            __m128i e = _mm_loadu_si128((const __m128i *)(s + x));
            __m128i ab0 = _mm_unpacklo_epi32(a, b), ab1 = _mm_unpackhi_epi32(a, b);
            __m128i ce0 = _mm_unpacklo_epi32(c, e), ce1 = _mm_unpackhi_epi32(c, e);
            _mm_storeu_si128((__m128i *)(d + x * dp), _mm_unpacklo_epi64(ab0, ce0));
            _mm_storeu_si128((__m128i *)(d + (x + 1) * dp), _mm_unpackhi_epi64(ab0, ce0));
            _mm_storeu_si128((__m128i *)(d + (x + 2) * dp), _mm_unpacklo_epi64(ab1, ce1));
            _mm_storeu_si128((__m128i *)(d + (x + 3) * dp), _mm_unpackhi_epi64(ab1, ce1));
        }
        for (; x < w; x++)
            for (int k = 0; k < 4; k++)
                d[x * dp + 3 - k] = s[k * sp + x];
    }
    for (; y < h; y++)
        for (x = 0; x < w; x++)
            dst[x * dp + h - 1 - y] = src[y * sp + x];
}

void or_mirror_u8(const uint8_t *src, ptrdiff_t sp, uint8_t *dst, ptrdiff_t dp, int w, int h)
{
    const __m128i rev = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int y = 0; y < h; y++) {
        const uint8_t *s = src + y * sp;
        uint8_t *d = dst + y * dp + w;
        int n = w;
        while (n >= 16) {
            d -= 16;
            _mm_storeu_si128((__m128i *)d,
                             _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)s), rev));
            s += 16;
            n -= 16;
        }
        while (n-- > 0)
            *--d = *s++;
    }
}

static inline __m128i reverse4(__m128i v)
{
    return _mm_shuffle_epi32(v, _MM_SHUFFLE(0, 1, 2, 3));
}

/* In place, from both ends to the middle. */
void or_mirror_inplace_u32(uint32_t *pix, ptrdiff_t pitch, int w, int h)
{
    for (; h > 0; h--, pix += pitch) {
        uint32_t *l = pix;
        uint32_t *r = pix + w;
        while (r - l >= 8) {
            __m128i a = _mm_loadu_si128((const __m128i *)l);
            __m128i b = _mm_loadu_si128((const __m128i *)(r - 4));
            _mm_storeu_si128((__m128i *)l, reverse4(b));
            _mm_storeu_si128((__m128i *)(r - 4), reverse4(a));
            l += 4;
            r -= 4;
        }
        while (r - l >= 2) {
            uint32_t t = *l;
            *l++ = *--r;
            *r = t;
        }
    }
}

/* Upside down, in place; bytes is the length of a row. */
void or_flip_inplace(uint8_t *pix, ptrdiff_t pitch, int bytes, int h)
{
    uint8_t *top = pix;
    uint8_t *bot = pix + (h > 0 ? h - 1 : 0) * pitch;
    for (int y = 0; y < h / 2; y++, top += pitch, bot -= pitch) {
        int i = 0;
        for (; i + 16 <= bytes; i += 16) {
            __m128i a = _mm_loadu_si128((const __m128i *)(top + i));
            __m128i b = _mm_loadu_si128((const __m128i *)(bot + i));
            _mm_storeu_si128((__m128i *)(top + i), b);
            _mm_storeu_si128((__m128i *)(bot + i), a);
        }
        for (; i < bytes; i++) {
            uint8_t t = top[i];
            top[i] = bot[i];
            bot[i] = t;
        }
    }
}
