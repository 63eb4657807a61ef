// flags: -mssse3
/*
 * mc_filters.cpp - motion compensation, transform and post-processing of the video codec
 *
 * One stride serves source and target where only one is given. Interpolation reads the
 * pixels its taps need beyond the block; frames carry an edge for that.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <tmmintrin.h>

typedef uint8_t pixel;

#define LOADU(p) _mm_loadu_si128((const __m128i *)(p))
#define LOADL(p) _mm_loadl_epi64((const __m128i *)(p))
#define STOREU(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define STOREL(p, v) _mm_storel_epi64((__m128i *)(p), v)
#define WIDEN(v) _mm_unpacklo_epi8(v, _mm_setzero_si128())

static inline pixel clip_pixel(int v)
{
    return (pixel)((v & ~255) ? (v < 0 ? 0 : 255) : v);
}

/* 16 x h block, half a pixel to the right, h is even and not 0 */
void mc_put_hpel_x16(pixel *dst, const pixel *src, ptrdiff_t stride, int h)
{
    do {
        STOREU(dst, _mm_avg_epu8(LOADU(src), LOADU(src + 1)));
        STOREU(dst + stride, _mm_avg_epu8(LOADU(src + stride), LOADU(src + stride + 1)));
        dst += 2 * stride;
        src += 2 * stride;
        h -= 2;
    } while (h > 0);
}

/* 16 x h block, half a pixel down, h is even; every row is loaded once */
void mc_put_hpel_y16(pixel *dst, const pixel *src, ptrdiff_t stride, int h)
{
    __m128i prev = LOADU(src);
    for (int y = 0; y < h; y += 2) {
        __m128i a = LOADU(src + stride);
        __m128i b = LOADU(src + 2 * stride);
        STOREU(dst, _mm_avg_epu8(prev, a));
        STOREU(dst + stride, _mm_avg_epu8(a, b));
        prev = b;
        src += 2 * stride;
        dst += 2 * stride;
    }
}

/* 8 x h block, half a pixel both ways without rounding up, averaged into the target */
void mc_avg_hpel_xy8_no_rnd(pixel *dst, const pixel *src, ptrdiff_t stride, int h)
{
    const __m128i one = _mm_set1_epi16(1);
    __m128i above = _mm_add_epi16(WIDEN(LOADL(src)), WIDEN(LOADL(src + 1)));

    while (h-- > 0) {
        src += stride;
        __m128i below = _mm_add_epi16(WIDEN(LOADL(src)), WIDEN(LOADL(src + 1)));
        __m128i v = _mm_srli_epi16(_mm_add_epi16(_mm_add_epi16(above, below), one), 2);
        v = _mm_packus_epi16(v, v);
        STOREL(dst, _mm_avg_epu8(v, LOADL(dst)));
        above = below;
        dst += stride;
    }
}

/* (1 -5 20 20 -5 1) / 32 */
void mc_qpel6_h(pixel *dst, ptrdiff_t dst_stride, const pixel *src, ptrdiff_t src_stride, int w,
                int h)
{
    const __m128i five = _mm_set1_epi16(5);
    const __m128i round = _mm_set1_epi16(16);

    for (int y = 0; y < h; y++) {
        int x = 0;
        for (; x + 8 <= w; x += 8) {
            const pixel *s = src + x;
            __m128i a = _mm_add_epi16(WIDEN(LOADL(s - 2)), WIDEN(LOADL(s + 3)));
            __m128i b = _mm_add_epi16(WIDEN(LOADL(s - 1)), WIDEN(LOADL(s + 2)));
            __m128i c = _mm_add_epi16(WIDEN(LOADL(s)), WIDEN(LOADL(s + 1)));
            c = _mm_sub_epi16(_mm_slli_epi16(c, 2), b);
            a = _mm_add_epi16(_mm_add_epi16(a, round), _mm_mullo_epi16(c, five));
            a = _mm_srai_epi16(a, 5);
            STOREL(dst + x, _mm_packus_epi16(a, a));
        }
        for (; x < w; x++) {
            const pixel *s = src + x;
            int v = s[-2] - 5 * s[-1] + 20 * s[0] + 20 * s[1] - 5 * s[2] + s[3];
            dst[x] = clip_pixel((v + 16) >> 5);
        }
        dst += dst_stride;
        src += src_stride;
    }
}

#define QPEL_V_ROW(r0, r1, r2, r3, r4, r5)                                            \
    do {                                                                              \
        r5 = WIDEN(LOADL(src));                                                       \
        src += src_stride;                                                            \
        __m128i c_ = _mm_slli_epi16(_mm_add_epi16(r2, r3), 2);                        \
        c_ = _mm_mullo_epi16(_mm_sub_epi16(c_, _mm_add_epi16(r1, r4)), five);         \
        c_ = _mm_add_epi16(_mm_add_epi16(c_, round), _mm_add_epi16(r0, r5));          \
        c_ = _mm_srai_epi16(c_, 5);                                                   \
        STOREL(dst, _mm_packus_epi16(c_, c_));                                        \
        dst += dst_stride;                                                            \
    } while (0)

/* The same filter downwards on an 8 x h block, h is even. Rows rotate through the names. */
void mc_qpel6_v8(pixel *dst, ptrdiff_t dst_stride, const pixel *src, ptrdiff_t src_stride, int h)
{
    const __m128i five = _mm_set1_epi16(5);
    const __m128i round = _mm_set1_epi16(16);
    __m128i a = WIDEN(LOADL(src - 2 * src_stride));
    __m128i b = WIDEN(LOADL(src - src_stride));
    __m128i c = WIDEN(LOADL(src));
    __m128i d = WIDEN(LOADL(src + src_stride));
    __m128i e = WIDEN(LOADL(src + 2 * src_stride));
    __m128i f;

    src += 3 * src_stride;
    for (; h >= 6; h -= 6) {
        QPEL_V_ROW(a, b, c, d, e, f);
        QPEL_V_ROW(b, c, d, e, f, a);
        QPEL_V_ROW(c, d, e, f, a, b);
        QPEL_V_ROW(d, e, f, a, b, c);
        QPEL_V_ROW(e, f, a, b, c, d);
        QPEL_V_ROW(f, a, b, c, d, e);
    }
    if (h >= 2) {
        QPEL_V_ROW(a, b, c, d, e, f);
        QPEL_V_ROW(b, c, d, e, f, a);
    }
    if (h >= 4) {
        QPEL_V_ROW(c, d, e, f, a, b);
        QPEL_V_ROW(d, e, f, a, b, c);
    }
}

static inline __m128i abs_diff16(__m128i a, __m128i b)
{
    return _mm_abs_epi16(_mm_sub_epi16(a, b));
}

/* Normal strength filter across the horizontal edge between rows pix - stride and pix. */
void mc_deblock_edge(pixel *pix, ptrdiff_t stride, int w, int alpha, int beta, int tc)
{
    const __m128i va = _mm_set1_epi16((short)alpha);
    const __m128i vb = _mm_set1_epi16((short)beta);
    const __m128i hi = _mm_set1_epi16((short)tc);
    const __m128i lo = _mm_set1_epi16((short)-tc);
    const __m128i four = _mm_set1_epi16(4);
    int x = 0;

    if (alpha == 0 || beta == 0)
        return;
    for (; x + 8 <= w; x += 8, pix += 8) {
        __m128i p1 = WIDEN(LOADL(pix - 2 * stride));
        __m128i p0 = WIDEN(LOADL(pix - stride));
        __m128i q0 = WIDEN(LOADL(pix));
        __m128i q1 = WIDEN(LOADL(pix + stride));
        __m128i on = _mm_cmplt_epi16(abs_diff16(p0, q0), va);
        on = _mm_and_si128(on, _mm_cmplt_epi16(abs_diff16(p1, p0), vb));
        on = _mm_and_si128(on, _mm_cmplt_epi16(abs_diff16(q1, q0), vb));
        if (_mm_movemask_epi8(on) == 0)
            continue;
        __m128i d = _mm_slli_epi16(_mm_sub_epi16(q0, p0), 2);
        d = _mm_add_epi16(_mm_add_epi16(d, _mm_sub_epi16(p1, q1)), four);
        d = _mm_srai_epi16(d, 3);
        d = _mm_and_si128(_mm_max_epi16(_mm_min_epi16(d, hi), lo), on);
        p0 = _mm_add_epi16(p0, d);
        q0 = _mm_sub_epi16(q0, d);
        STOREL(pix - stride, _mm_packus_epi16(p0, p0));
        STOREL(pix, _mm_packus_epi16(q0, q0));
    }
    for (; x < w; x++, pix++) {
        int p1 = pix[-2 * stride], p0 = pix[-stride], q0 = pix[0], q1 = pix[stride];
        if (abs(p0 - q0) < alpha && abs(p1 - p0) < beta && abs(q1 - q0) < beta) {
            int d = (4 * (q0 - p0) + p1 - q1 + 4) >> 3;
            d = d < -tc ? -tc : d > tc ? tc : d;
            pix[-stride] = clip_pixel(p0 + d);
            pix[0] = clip_pixel(q0 - d);
        }
    }
}

/* tangents and cosine as 16 bit fractions; those above a half are stored less one */
#define TAN_1_16 13036
#define TAN_2_16 27146
#define TAN_3_16 (43790 - 65536)
#define COS_4_16 (46341 - 65536)

#define MUL_LOW(x, k) _mm_mulhi_epi16(x, _mm_set1_epi16((short)(k)))
#define MUL_HIGH(x, k) _mm_adds_epi16(x, _mm_mulhi_epi16(x, _mm_set1_epi16((short)(k))))

static inline void idct8_pass(__m128i *v, int shift, short bias)
{
    const __m128i rnd = _mm_set1_epi16(bias);
    const __m128i x0 = _mm_adds_epi16(v[0], rnd), x1 = v[1], x2 = v[2], x3 = v[3];
    const __m128i x4 = v[4], x5 = v[5], x6 = v[6], x7 = v[7];

    const __m128i s0 = _mm_adds_epi16(x0, x4);
    const __m128i s1 = _mm_subs_epi16(x0, x4);
    const __m128i s2 = _mm_subs_epi16(MUL_LOW(x2, TAN_2_16), x6);
    const __m128i s3 = _mm_adds_epi16(MUL_LOW(x6, TAN_2_16), x2);
    const __m128i t0 = _mm_adds_epi16(s0, s3), t3 = _mm_subs_epi16(s0, s3);
    const __m128i t1 = _mm_adds_epi16(s1, s2), t2 = _mm_subs_epi16(s1, s2);

    const __m128i a = _mm_adds_epi16(MUL_LOW(x7, TAN_1_16), x1);
    const __m128i b = _mm_subs_epi16(MUL_LOW(x1, TAN_1_16), x7);
    const __m128i c = _mm_adds_epi16(MUL_HIGH(x5, TAN_3_16), x3);
    const __m128i d = _mm_subs_epi16(MUL_HIGH(x3, TAN_3_16), x5);
    const __m128i u0 = _mm_adds_epi16(a, c), u3 = _mm_subs_epi16(b, d);
    const __m128i m = _mm_subs_epi16(a, c), n = _mm_adds_epi16(b, d);
    const __m128i u1 = MUL_HIGH(_mm_adds_epi16(m, n), COS_4_16);
    const __m128i u2 = MUL_HIGH(_mm_subs_epi16(m, n), COS_4_16);
    const __m128i cnt = _mm_cvtsi32_si128(shift);

    v[0] = _mm_sra_epi16(_mm_adds_epi16(t0, u0), cnt);
    v[7] = _mm_sra_epi16(_mm_subs_epi16(t0, u0), cnt);
    v[1] = _mm_sra_epi16(_mm_adds_epi16(t1, u1), cnt);
    v[6] = _mm_sra_epi16(_mm_subs_epi16(t1, u1), cnt);
    v[2] = _mm_sra_epi16(_mm_adds_epi16(t2, u2), cnt);
    v[5] = _mm_sra_epi16(_mm_subs_epi16(t2, u2), cnt);
    v[3] = _mm_sra_epi16(_mm_adds_epi16(t3, u3), cnt);
    v[4] = _mm_sra_epi16(_mm_subs_epi16(t3, u3), cnt);
}

static inline void transpose8x8_16(__m128i *v)
{
    __m128i a[8], b[8];
    for (int i = 0; i < 4; i++) {
        a[2 * i] = _mm_unpacklo_epi16(v[i], v[i + 4]);
        a[2 * i + 1] = _mm_unpackhi_epi16(v[i], v[i + 4]);
    }
    for (int i = 0; i < 4; i++) {
        b[2 * i] = _mm_unpacklo_epi16(a[i], a[i + 4]);
        b[2 * i + 1] = _mm_unpackhi_epi16(a[i], a[i + 4]);
    }
    for (int i = 0; i < 4; i++) {
        v[2 * i] = _mm_unpacklo_epi16(b[i], b[i + 4]);
        v[2 * i + 1] = _mm_unpackhi_epi16(b[i], b[i + 4]);
    }
}

/* One pass over the columns of an 8x8 block, in place; the quantizer tables hold the scale. */
void mc_idct8_columns(int16_t *block)
{
    __m128i v[8];
    for (int i = 0; i < 8; i++)
        v[i] = LOADU(block + 8 * i);
    idct8_pass(v, 0, 0);
    for (int i = 0; i < 8; i++)
        STOREU(block + 8 * i, v[i]);
}

/* Both passes, added to the prediction; the block is cleared for the next macroblock. */
void mc_idct8x8_add(pixel *dst, ptrdiff_t stride, int16_t *block)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i v[8];

    for (int i = 0; i < 8; i++)
        v[i] = LOADU(block + 8 * i);
    idct8_pass(v, 0, 0);
    transpose8x8_16(v);
    idct8_pass(v, 6, 32);
    transpose8x8_16(v);
    for (int i = 0; i < 8; i++, dst += stride) {
        __m128i p = _mm_adds_epi16(_mm_unpacklo_epi8(LOADL(dst), zero), v[i]);
        STOREL(dst, _mm_packus_epi16(p, p));
        STOREU(block + 8 * i, zero);
    }
}

/* In place; returns the number of levels that are left. */
int mc_quant8x8(int16_t *block, const uint16_t *mul, const uint16_t *bias)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i zeros = zero;

    for (int i = 0; i < 64; i += 16) {
        __m128i a = LOADU(block + i), b = LOADU(block + i + 8);
        __m128i la = _mm_adds_epu16(_mm_abs_epi16(a), LOADU(bias + i));
        __m128i lb = _mm_adds_epu16(_mm_abs_epi16(b), LOADU(bias + i + 8));
        la = _mm_sign_epi16(_mm_mulhi_epu16(la, LOADU(mul + i)), a);
        lb = _mm_sign_epi16(_mm_mulhi_epu16(lb, LOADU(mul + i + 8)), b);
        STOREU(block + i, la);
        STOREU(block + i + 8, lb);
        zeros = _mm_sub_epi8(zeros, _mm_packs_epi16(_mm_cmpeq_epi16(la, zero),
                                                    _mm_cmpeq_epi16(lb, zero)));
    }
    zeros = _mm_sad_epu8(zeros, zero);
    return 64 - (_mm_cvtsi128_si32(zeros) + _mm_cvtsi128_si32(_mm_srli_si128(zeros, 8)));
}

/* Sum of |4x4 Hadamard of the difference|, halved. */
int mc_satd4x4(const pixel *a, ptrdiff_t a_stride, const pixel *b, ptrdiff_t b_stride)
{
    __m128i r[4];
    for (int y = 0; y < 4; y++) {
        int32_t wa, wb;
        __builtin_memcpy(&wa, a + y * a_stride, 4);
        __builtin_memcpy(&wb, b + y * b_stride, 4);
        r[y] = _mm_sub_epi16(WIDEN(_mm_cvtsi32_si128(wa)), WIDEN(_mm_cvtsi32_si128(wb)));
    }
    __m128i r01 = _mm_unpacklo_epi64(r[0], r[1]);
    __m128i r23 = _mm_unpacklo_epi64(r[2], r[3]);
    __m128i s = _mm_add_epi16(r01, r23), d = _mm_sub_epi16(r01, r23);
    __m128i t0 = _mm_unpacklo_epi64(s, d), t1 = _mm_unpackhi_epi64(s, d);
    __m128i v0 = _mm_add_epi16(t0, t1), v1 = _mm_sub_epi16(t0, t1);
    __m128i h0 = _mm_hadd_epi16(v0, v1), h1 = _mm_hsub_epi16(v0, v1);
    v0 = _mm_abs_epi16(_mm_hadd_epi16(h0, h1));
    v1 = _mm_abs_epi16(_mm_hsub_epi16(h0, h1));
    s = _mm_madd_epi16(_mm_add_epi16(v0, v1), _mm_set1_epi16(1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s) >> 1;
}

/* Keeps the even lines, the odd ones become the average of their neighbours. */
void mc_deint_linear(pixel *frame, ptrdiff_t stride, int w, int h)
{
    for (int y = 1; y < h; y += 2) {
        pixel *d = frame + y * stride;
        const pixel *a = d - stride;
        const pixel *b = y + 1 < h ? d + stride : a;
        int x = 0;
        for (; x + 16 <= w; x += 16)
            STOREU(d + x, _mm_avg_epu8(LOADU(a + x), LOADU(b + x)));
        for (; x < w; x++)
            d[x] = (pixel)((a[x] + b[x] + 1) >> 1);
    }
}

/* (1 2 1) / 4 down the frame in place; line keeps the unfiltered row above, w pixels. */
void mc_deint_blend(pixel *frame, ptrdiff_t stride, int w, int h, pixel *line)
{
    const __m128i two = _mm_set1_epi16(2);
    const __m128i zero = _mm_setzero_si128();

    if (h < 1)
        return;
    for (int x = 0; x < w; x++)
        line[x] = frame[x];
    for (int y = 0; y < h; y++) {
        pixel *c = frame + y * stride;
        const pixel *n = y + 1 < h ? c + stride : c;
        int x = 0;
        for (; x + 16 <= w; x += 16) {
            __m128i vp = LOADU(line + x), vc = LOADU(c + x), vn = LOADU(n + x);
            __m128i lo = _mm_add_epi16(_mm_unpacklo_epi8(vp, zero), _mm_unpacklo_epi8(vn, zero));
            __m128i hi = _mm_add_epi16(_mm_unpackhi_epi8(vp, zero), _mm_unpackhi_epi8(vn, zero));
            lo = _mm_add_epi16(lo, _mm_slli_epi16(_mm_unpacklo_epi8(vc, zero), 1));
            hi = _mm_add_epi16(hi, _mm_slli_epi16(_mm_unpackhi_epi8(vc, zero), 1));
            lo = _mm_srli_epi16(_mm_add_epi16(lo, two), 2);
            hi = _mm_srli_epi16(_mm_add_epi16(hi, two), 2);
            STOREU(line + x, vc);
            STOREU(c + x, _mm_packus_epi16(lo, hi));
        }
        for (; x < w; x++) {
            const pixel p = line[x], q = c[x];
            line[x] = q;
            c[x] = (pixel)((p + 2 * q + n[x] + 2) >> 2);
        }
    }
}

/*
 * A missing line between `up` and `dn`, along the direction of least change. The vertical
 * wins ties, then the left diagonal. One pixel to both sides is read.
 */
void mc_deint_edge_line(const pixel *up, const pixel *dn, pixel *dst, int w)
{
    int x = 0;
    for (; x + 16 <= w; x += 16) {
        __m128i a = LOADU(up + x - 1), b = LOADU(up + x), c = LOADU(up + x + 1);
        __m128i d = LOADU(dn + x - 1), e = LOADU(dn + x), f = LOADU(dn + x + 1);
        __m128i dv = _mm_or_si128(_mm_subs_epu8(b, e), _mm_subs_epu8(e, b));
        __m128i dl = _mm_or_si128(_mm_subs_epu8(a, f), _mm_subs_epu8(f, a));
        __m128i dr = _mm_or_si128(_mm_subs_epu8(c, d), _mm_subs_epu8(d, c));
        __m128i least = _mm_min_epu8(dv, _mm_min_epu8(dl, dr));
        __m128i mv = _mm_cmpeq_epi8(dv, least);
        __m128i ml = _mm_cmpeq_epi8(dl, least);
        __m128i out = _mm_or_si128(_mm_and_si128(ml, _mm_avg_epu8(a, f)),
                                   _mm_andnot_si128(ml, _mm_avg_epu8(c, d)));
        out = _mm_or_si128(_mm_and_si128(mv, _mm_avg_epu8(b, e)), _mm_andnot_si128(mv, out));
        STOREU(dst + x, out);
    }
    for (; x < w; x++) {
        int dv = abs(up[x] - dn[x]);
        int dl = abs(up[x - 1] - dn[x + 1]);
        int dr = abs(up[x + 1] - dn[x - 1]);
        if (dv <= dl && dv <= dr)
            dst[x] = (pixel)((up[x] + dn[x] + 1) >> 1);
        else if (dl <= dr)
            dst[x] = (pixel)((up[x - 1] + dn[x + 1] + 1) >> 1);
        else
            dst[x] = (pixel)((up[x + 1] + dn[x - 1] + 1) >> 1);
    }
}

/* 8 x h residual added to the prediction; the residual rows follow each other. */
void mc_add_residual8(pixel *dst, ptrdiff_t stride, const int16_t *res, int h)
{
    const __m128i zero = _mm_setzero_si128();
    for (; h >= 2; h -= 2, res += 16, dst += 2 * stride) {
        __m128i a = _mm_adds_epi16(_mm_unpacklo_epi8(LOADL(dst), zero), LOADU(res));
        __m128i b = _mm_adds_epi16(_mm_unpacklo_epi8(LOADL(dst + stride), zero), LOADU(res + 8));
        a = _mm_packus_epi16(a, b);
        STOREL(dst, a);
        _mm_storeh_pi((__m64 *)(dst + stride), _mm_castsi128_ps(a));
    }
    if (h > 0)
        for (int x = 0; x < 8; x++)
            dst[x] = clip_pixel(dst[x] + res[x]);
}
