// flags: -msse2
/* ============================================================================
 * ranks.cpp - minimum, maximum, median and threshold brushes
 *
 * 8 bit selections and channels.  "stride" is in bytes.  The 3x3 operators read
 * one pixel around the area (the tile cache always has it).
 * ========================================================================== */
#include <emmintrin.h>
#include <stdint.h>

typedef uint8_t pt_u8;

static inline __m128i pt_ld(const pt_u8 *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static inline void pt_st(pt_u8 *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

static inline __m128i pt_max9(const pt_u8 *p, int stride)
{
    const pt_u8 *u = p - stride, *d = p + stride;
    __m128i l = _mm_max_epu8(pt_ld(p - 1), _mm_max_epu8(pt_ld(u - 1), pt_ld(d - 1)));
    __m128i c = _mm_max_epu8(pt_ld(p), _mm_max_epu8(pt_ld(u), pt_ld(d)));
    __m128i r = _mm_max_epu8(pt_ld(p + 1), _mm_max_epu8(pt_ld(u + 1), pt_ld(d + 1)));
    return _mm_max_epu8(c, _mm_max_epu8(l, r));
}

/* Rows of 16 and more end with a vector that overlaps the one before. */
void pt_grow3x3(const pt_u8 *src, int src_stride, pt_u8 *dst, int dst_stride, int w, int h)
{
    for (int y = 0; y < h; y++, src += src_stride, dst += dst_stride) {
        if (w >= 16) {
            int x;
            for (x = 0; x < w - 16; x += 16)
                pt_st(dst + x, pt_max9(src + x, src_stride));
            pt_st(dst + w - 16, pt_max9(src + w - 16, src_stride));
        } else {
            for (int x = 0; x < w; x++) {
                pt_u8 m = 0;
                for (int j = -1; j <= 1; j++) {
                    const pt_u8 *p = src + x + j * src_stride;
                    if (p[-1] > m) m = p[-1];
                    if (p[0] > m) m = p[0];
                    if (p[1] > m) m = p[1];
                }
                dst[x] = m;
            }
        }
    }
}

/* Horizontal minimum of 2 * radius + 1 pixels, radius pixels valid to both sides. */
void pt_shrink_row(const pt_u8 *src, pt_u8 *dst, int w, int radius)
{
    int x = 0;
    for (; x + 32 <= w; x += 32) {
        __m128i m0 = pt_ld(src + x);
        __m128i m1 = pt_ld(src + x + 16);
        for (int k = 1; k <= radius; k++) {
            const pt_u8 *a = src + x - k;
            const pt_u8 *b = src + x + k;
            m0 = _mm_min_epu8(m0, _mm_min_epu8(pt_ld(a), pt_ld(b)));
            m1 = _mm_min_epu8(m1, _mm_min_epu8(pt_ld(a + 16), pt_ld(b + 16)));
        }
        pt_st(dst + x, m0);
        pt_st(dst + x + 16, m1);
    }
    for (; x < w; x++) {
        int m = src[x];
        for (int k = 1; k <= radius; k++) {
            m = src[x - k] < m ? src[x - k] : m;
            m = src[x + k] < m ? src[x + k] : m;
        }
        dst[x] = (pt_u8)m;
    }
}

#define PT_SORT2(a, b)                    \
    do {                                  \
        __m128i t_ = a;                   \
        a = _mm_min_epu8(a, b);           \
        b = _mm_max_epu8(t_, b);          \
    } while (0)

static inline __m128i pt_median9(const pt_u8 *p, int stride)
{
    __m128i p0 = pt_ld(p - stride - 1), p1 = pt_ld(p - stride), p2 = pt_ld(p - stride + 1);
    __m128i p3 = pt_ld(p - 1), p4 = pt_ld(p), p5 = pt_ld(p + 1);
    __m128i p6 = pt_ld(p + stride - 1), p7 = pt_ld(p + stride), p8 = pt_ld(p + stride + 1);

    PT_SORT2(p1, p2);
    PT_SORT2(p4, p5);
    PT_SORT2(p7, p8);
    PT_SORT2(p0, p1);
    PT_SORT2(p3, p4);
    PT_SORT2(p6, p7);
    PT_SORT2(p1, p2);
    PT_SORT2(p4, p5);
    PT_SORT2(p7, p8);
    PT_SORT2(p0, p3);
    PT_SORT2(p5, p8);
    PT_SORT2(p4, p7);
    PT_SORT2(p3, p6);
    PT_SORT2(p1, p4);
    PT_SORT2(p2, p5);
    PT_SORT2(p4, p7);
    PT_SORT2(p4, p2);
    PT_SORT2(p6, p4);
    PT_SORT2(p4, p2);
    return p4;
}

static void pt_order(int *a, int *b)
{
    if (*a > *b) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}

void pt_despeckle3x3(const pt_u8 *src, int src_stride, pt_u8 *dst, int dst_stride, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const pt_u8 *s = src + y * src_stride;
        pt_u8 *d = dst + y * dst_stride;
        int x = 0;
        for (; x + 16 <= w; x += 16)
            pt_st(d + x, pt_median9(s + x, src_stride));
        for (; x < w; x++) {
            int v[9], n = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    v[n++] = s[x + i + j * src_stride];
            /* five rounds of selection are enough for the middle */
            for (int i = 0; i < 5; i++)
                for (int j = i + 1; j < 9; j++)
                    pt_order(&v[i], &v[j]);
            d[x] = (pt_u8)v[4];
        }
    }
}

/* hi where src >= level, lo elsewhere */
void pt_threshold(const pt_u8 *src, int src_stride, pt_u8 *dst, int dst_stride, int w, int h,
                  int level, int lo, int hi)
{
    const __m128i vl = _mm_set1_epi8((char)level);
    const __m128i vlo = _mm_set1_epi8((char)lo);
    const __m128i vhi = _mm_set1_epi8((char)hi);

    while (h-- > 0) {
        const pt_u8 *s = src;
        pt_u8 *d = dst;
        pt_u8 *const end = dst + w;
        for (; end - d >= 16; s += 16, d += 16) {
            __m128i v = pt_ld(s);
            __m128i on = _mm_cmpeq_epi8(_mm_max_epu8(v, vl), v);
            pt_st(d, _mm_or_si128(_mm_and_si128(on, vhi), _mm_andnot_si128(on, vlo)));
        }
        while (d < end)
            *d++ = (pt_u8)(*s++ >= level ? hi : lo);
        src += src_stride;
        dst += dst_stride;
    }
}

/* Feathers a hard mask: average with the maximum of the four neighbours, rounded up. */
void pt_soften_mask(const pt_u8 *src, int src_stride, pt_u8 *dst, int dst_stride, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const pt_u8 *s = src + y * src_stride;
        pt_u8 *d = dst + y * dst_stride;
        int x = 0;
        /* head up to an aligned store */
        for (; x < w && ((uintptr_t)(d + x) & 15) != 0; x++) {
            int a = s[x - 1] > s[x + 1] ? s[x - 1] : s[x + 1];
            int b = s[x - src_stride] > s[x + src_stride] ? s[x - src_stride] : s[x + src_stride];
            d[x] = (pt_u8)((s[x] + (a > b ? a : b) + 1) >> 1);
        }
        for (; x + 16 <= w; x += 16) {
            __m128i a = _mm_max_epu8(pt_ld(s + x - 1), pt_ld(s + x + 1));
            __m128i b = _mm_max_epu8(pt_ld(s + x - src_stride), pt_ld(s + x + src_stride));
            _mm_store_si128((__m128i *)(d + x), _mm_avg_epu8(pt_ld(s + x), _mm_max_epu8(a, b)));
        }
        for (; x < w; x++) {
            int a = s[x - 1] > s[x + 1] ? s[x - 1] : s[x + 1];
            int b = s[x - src_stride] > s[x + src_stride] ? s[x - src_stride] : s[x + src_stride];
            d[x] = (pt_u8)((s[x] + (a > b ? a : b) + 1) >> 1);
        }
    }
}
