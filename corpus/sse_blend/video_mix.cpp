// flags: -mssse3
/*
 * video_mix: motion compensated averages, weighted prediction, fades and on-screen
 * display for the decoder's output path.
 *
 * Strides are in bytes and may be negative.  Block widths are multiples of 8 unless a
 * function says otherwise.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tmmintrin.h>

#define LOADU(p)     _mm_loadu_si128((const __m128i *)(p))
#define STOREU(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define LOADL(p)     _mm_loadl_epi64((const __m128i *)(p))
#define STOREL(p, v) _mm_storel_epi64((__m128i *)(p), v)

static inline uint8_t clip_u8(int v)
{
    return (uint8_t)(v & ~255 ? (-v >> 31) & 255 : v);
}

static void avg_block_w16(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *a, ptrdiff_t a_stride,
                          const uint8_t *b, ptrdiff_t b_stride, int width, int height)
{
    int x;
    do {
        for (x = 0; x < width; x += 16)
            STOREU(dst + x, _mm_avg_epu8(LOADU(a + x), LOADU(b + x)));
        dst += dst_stride;
        a += a_stride;
        b += b_stride;
    } while (--height);
}

static void avg_block_w8(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *a, ptrdiff_t a_stride,
                         const uint8_t *b, ptrdiff_t b_stride, int width, int height)
{
    int x;
    do {
        for (x = 0; x < width; x += 8)
            STOREL(dst + x, _mm_avg_epu8(LOADL(a + x), LOADL(b + x)));
        dst += dst_stride;
        a += a_stride;
        b += b_stride;
    } while (--height);
}

/* Rounded average of two predictions; width is a multiple of 8, height at least 1. */
void mc_avg(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *a, ptrdiff_t a_stride,
            const uint8_t *b, ptrdiff_t b_stride, int width, int height)
{
    if (width & 8)
        avg_block_w8(dst, dst_stride, a, a_stride, b, b_stride, width, height);
    else
        avg_block_w16(dst, dst_stride, a, a_stride, b, b_stride, width, height);
}

/* Explicit weighted bi-prediction,
 *   (a * w0 + b * w1 + 2^log2d) >> (log2d + 1), + offset
 * weights -64..63 each, log2d 0..6, offset -128..127; dst holds a. */
void mc_biweight(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                 int width, int height, int log2d, int w0, int w1, int offset)
{
    const __m128i weight = _mm_set1_epi16((short)((w1 & 255) << 8 | (w0 & 255)));
    const __m128i round = _mm_set1_epi16((short)(1 << log2d));
    const __m128i off = _mm_set1_epi16((short)offset);
    const __m128i shift = _mm_cvtsi32_si128(log2d + 1);
    int x, y;

    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x += 8) {
            __m128i p = _mm_unpacklo_epi8(LOADL(dst + x), LOADL(src + x));
            p = _mm_maddubs_epi16(p, weight);
            p = _mm_sra_epi16(_mm_adds_epi16(p, round), shift);
            p = _mm_add_epi16(p, off);
            STOREL(dst + x, _mm_packus_epi16(p, p));
        }
        dst += dst_stride;
        src += src_stride;
    }
}

/* Fade a luma or chroma plane towards a level: p + (level - p) * t / 256, any width,
 * t 0..256.  The tail is handled by the last 16 bytes once more: in place that would
 * fade them twice, so they are computed before the loop and stored after it. */
void fade_plane(uint8_t *plane, ptrdiff_t stride, int width, int height, int level, int t)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i keep = _mm_set1_epi16((short)(256 - t));
    const __m128i add = _mm_set1_epi16((short)(level * t + 128));
    int x, y;

#define FADE16(v)                                                                      \
    _mm_packus_epi16(                                                                  \
        _mm_srli_epi16(_mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(v, zero), keep), add), 8), \
        _mm_srli_epi16(_mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(v, zero), keep), add), 8))

    for (y = 0; y < height; y++) {
        uint8_t *p = plane + y * stride;
        if (width >= 16) {
            __m128i tail = LOADU(p + width - 16);
            tail = FADE16(tail);
            for (x = 0; x + 16 <= width; x += 16) {
                __m128i v = LOADU(p + x);
                STOREU(p + x, FADE16(v));
            }
            STOREU(p + width - 16, tail);
        } else {
            for (x = 0; x < width; x++)
                p[x] = (uint8_t)((p[x] * (256 - t) + level * t + 128) >> 8);
        }
    }
#undef FADE16
}

/* Cross-fade in quarter steps without multiplications: pavgb rounds up, so the result
 * of 1/4 and 3/4 is what two averages give, not the rounded mix. */
void crossfade_quarters(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n, int quarter)
{
    size_t i = 0;

    switch (quarter) {
    case 0:
        memcpy(dst, a, n);
        return;
    case 4:
        memcpy(dst, b, n);
        return;
    case 1: {
        const uint8_t *t = a;
        a = b;
        b = t;
    }
        /* fall through */
    case 3:
        for (; i + 16 <= n; i += 16) {
            __m128i vb = LOADU(b + i);
            STOREU(dst + i, _mm_avg_epu8(_mm_avg_epu8(LOADU(a + i), vb), vb));
        }
        for (; i < n; i++)
            dst[i] = (uint8_t)((((a[i] + b[i] + 1) >> 1) + b[i] + 1) >> 1);
        return;
    default:
        for (; i + 16 <= n; i += 16)
            STOREU(dst + i, _mm_avg_epu8(LOADU(a + i), LOADU(b + i)));
        for (; i < n; i++)
            dst[i] = (uint8_t)((a[i] + b[i] + 1) >> 1);
    }
}

/* On-screen display: full resolution luma and alpha planes onto video luma.
 * alpha is scaled to 0..256 by a += a >> 7. */
void osd_blend_luma(uint8_t *y, ptrdiff_t y_stride, const uint8_t *osd, const uint8_t *alpha,
                    ptrdiff_t osd_stride, int width, int height)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i k256 = _mm_set1_epi16(256);
    while (height-- > 0) {
        int x = 0;
        for (; x + 8 <= width; x += 8) {
            __m128i a = _mm_unpacklo_epi8(LOADL(alpha + x), zero);
            __m128i o = _mm_unpacklo_epi8(LOADL(osd + x), zero);
            __m128i v = _mm_unpacklo_epi8(LOADL(y + x), zero);
            a = _mm_add_epi16(a, _mm_srli_epi16(a, 7));
            o = _mm_mullo_epi16(o, a);
            v = _mm_mullo_epi16(v, _mm_sub_epi16(k256, a));
            v = _mm_srli_epi16(_mm_add_epi16(o, v), 8);
            STOREL(y + x, _mm_packus_epi16(v, v));
        }
        for (; x < width; x++) {
            int a = alpha[x] + (alpha[x] >> 7);
            y[x] = (uint8_t)((osd[x] * a + y[x] * (256 - a)) >> 8);
        }
        y += y_stride;
        osd += osd_stride;
        alpha += osd_stride;
    }
}

/* The same for interleaved UV of NV12, alpha averaged over 2x2.  cw counts UV pairs; the
 * alpha plane has 2 * cw columns and two rows per row of uv. */
void osd_blend_nv12_chroma(uint8_t *uv, ptrdiff_t uv_stride, const uint8_t *osd_uv, ptrdiff_t osd_stride,
                           const uint8_t *alpha, ptrdiff_t alpha_stride, int cw, int ch)
{
    const __m128i ones = _mm_set1_epi8(1);
    const __m128i two = _mm_set1_epi16(2);
    const __m128i zero = _mm_setzero_si128();
    const __m128i k256 = _mm_set1_epi16(256);
    int x, y;

    for (y = 0; y < ch; y++) {
        const uint8_t *a0 = alpha + 2 * y * alpha_stride;
        const uint8_t *a1 = a0 + alpha_stride;
        const uint8_t *o = osd_uv + y * osd_stride;
        uint8_t *d = uv + y * uv_stride;

        for (x = 0; x + 8 <= cw; x += 8) {
            __m128i s = _mm_add_epi16(_mm_maddubs_epi16(LOADU(a0 + 2 * x), ones),
                                      _mm_maddubs_epi16(LOADU(a1 + 2 * x), ones));
            __m128i a = _mm_srli_epi16(_mm_add_epi16(s, two), 2);
            __m128i ov = LOADU(o + 2 * x), dv = LOADU(d + 2 * x);
            __m128i al, ah, lo, hi;
            a = _mm_add_epi16(a, _mm_srli_epi16(a, 7));
            al = _mm_unpacklo_epi16(a, a);
            ah = _mm_unpackhi_epi16(a, a);
            lo = _mm_mullo_epi16(_mm_unpacklo_epi8(ov, zero), al);
            hi = _mm_mullo_epi16(_mm_unpackhi_epi8(ov, zero), ah);
            lo = _mm_add_epi16(lo, _mm_mullo_epi16(_mm_unpacklo_epi8(dv, zero), _mm_sub_epi16(k256, al)));
            hi = _mm_add_epi16(hi, _mm_mullo_epi16(_mm_unpackhi_epi8(dv, zero), _mm_sub_epi16(k256, ah)));
            STOREU(d + 2 * x, _mm_packus_epi16(_mm_srli_epi16(lo, 8), _mm_srli_epi16(hi, 8)));
        }
        for (; x < cw; x++) {
            int a = (a0[2 * x] + a0[2 * x + 1] + a1[2 * x] + a1[2 * x + 1] + 2) >> 2;
            a += a >> 7;
            d[2 * x] = (uint8_t)((o[2 * x] * a + d[2 * x] * (256 - a)) >> 8);
            d[2 * x + 1] = (uint8_t)((o[2 * x + 1] * a + d[2 * x + 1] * (256 - a)) >> 8);
        }
    }
}

/* Overlapped block motion compensation: 6 bit mask per column, 64 is all a.  The block is
 * 8 wide, the mask is read once. */
void mc_obmc8(uint8_t *dst, ptrdiff_t stride, const uint8_t *pred, ptrdiff_t pred_stride,
              const uint8_t mask[8], int height)
{
    const __m128i m = LOADL(mask);
    const __m128i inv = _mm_sub_epi8(_mm_set1_epi8(64), m);
    const __m128i w = _mm_unpacklo_epi8(m, inv);
    const __m128i r = _mm_set1_epi16(1 << 9);       /* (x + 32) >> 6 by pmulhrsw */

    while (height-- > 0) {
        __m128i p = _mm_unpacklo_epi8(LOADL(dst), LOADL(pred));
        p = _mm_mulhrs_epi16(_mm_maddubs_epi16(p, w), r);
        STOREL(dst, _mm_packus_epi16(p, p));
        dst += stride;
        pred += pred_stride;
    }
}

/* De-flicker of an interlaced still: each row becomes (above + 2 * row + below) / 4 by
 * two averages, rows past the edge are repeated.  dst differs from src; width is padded
 * to 16 in both, and the padding is written. */
void deflicker(uint8_t *dst, const uint8_t *src, ptrdiff_t stride, int width, int height)
{
    int x, y;
    for (x = 0; x < width; x += 16) {
        const uint8_t *s = src + x;
        uint8_t *d = dst + x;
        __m128i above, row, below;
        if (height <= 0)
            return;
        above = row = _mm_load_si128((const __m128i *)s);
        for (y = 0; y < height; y++) {
            if (y + 1 < height)
                s += stride;
            below = _mm_load_si128((const __m128i *)s);
            _mm_store_si128((__m128i *)d, _mm_avg_epu8(_mm_avg_epu8(above, below), row));
            above = row;
            row = below;
            d += stride;
        }
    }
}

/* Residual add: prediction plus signed 16 bit residual, clipped.  Odd widths allowed. */
void add_residual(uint8_t *dst, ptrdiff_t stride, const int16_t *res, int width, int height)
{
    const __m128i zero = _mm_setzero_si128();
    int x, y;
    for (y = 0; y < height; y++) {
        for (x = 0; x + 8 <= width; x += 8) {
            __m128i p = _mm_unpacklo_epi8(LOADL(dst + x), zero);
            p = _mm_adds_epi16(p, LOADU(res + x));
            STOREL(dst + x, _mm_packus_epi16(p, p));
        }
        for (; x < width; x++)
            dst[x] = clip_u8(dst[x] + res[x]);
        dst += stride;
        res += width;
    }
}
