// flags: -target aarch64-linux-gnu
/*
 * video_mc.cpp - motion compensation, distortion and transform kernels, AArch64
 *
 * Strides are in bytes. Reference planes are edge-extended by the frame allocator, but none
 * of these relies on it for more than the filter needs: a block of w pixels that is filtered
 * with six taps reads 2 to the left and 3 to the right of it.
 * Unless said otherwise w is 4, 8 or 16 times something and h is any.
 */

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#define CLIP_U8(v) ((uint8_t)((v) < 0 ? 0 : (v) > 255 ? 255 : (v)))

/* ---- half-sample averages ---- */

/* plain bidirectional average */
void mc_avg_w16_neon(uint8_t *dst, ptrdiff_t ds, const uint8_t *a, ptrdiff_t as,
                     const uint8_t *b, ptrdiff_t bs, int w, int h)
{
    do {
        if (h-- <= 0)
            break;
        int x = 0;
        for (; x < (w & ~15); x += 16)
            vst1q_u8(dst + x, vrhaddq_u8(vld1q_u8(a + x), vld1q_u8(b + x)));
        if (w & 8) {
            vst1_u8(dst + x, vrhadd_u8(vld1_u8(a + x), vld1_u8(b + x)));
            x += 8;
        }
        for (; x < w; x++)
            dst[x] = (uint8_t)((a[x] + b[x] + 1) >> 1);
        dst += ds;
        a += as;
        b += bs;
    } while (1);
}

/* (a + b + c + d + 2 - rnd) >> 2 of a 2x2 neighbourhood; reads w + 1 columns, h + 1 rows.
 * The sums of the row above are carried. w % 8 == 0 */
void mc_hpel_xy_neon(uint8_t *dst, ptrdiff_t ds, const uint8_t *src, ptrdiff_t ss,
                     int w, int h, int no_rnd)
{
    const uint16x8_t bias = vdupq_n_u16((uint16_t)(no_rnd ? 1 : 2));
    for (int x = 0; x < w; x += 8) {
        const uint8_t *s = src + x;
        uint8_t *d = dst + x;
        uint16x8_t top = vaddq_u16(vaddl_u8(vld1_u8(s), vld1_u8(s + 1)), bias);
        for (int y = 0; y < h; y++) {
            s += ss;
            const uint16x8_t bot = vaddl_u8(vld1_u8(s), vld1_u8(s + 1));
            vst1_u8(d, vshrn_n_u16(vaddq_u16(top, bot), 2));
            top = vaddq_u16(bot, bias);
            d += ds;
        }
    }
}

/* ---- six taps: 1 -5 20 20 -5 1 ---- */

/* eight pixels from a 16 pixel window that starts two to the left; w % 8 == 0.
 * The load takes 16 bytes, i.e. up to x + 13: three more than the filter needs. */
void mc_luma_h6_neon(uint8_t *dst, ptrdiff_t ds, const uint8_t *src, ptrdiff_t ss, int w, int h)
{
    const uint8x8_t five = vdup_n_u8(5);
    const uint8x8_t twenty = vdup_n_u8(20);
    for (; h > 0; h--, dst += ds, src += ss) {
        for (int x = 0; x < w; x += 8) {
            const uint8x16_t win = vld1q_u8(src + x - 2);
            const uint8x8_t m2 = vget_low_u8(win);
            const uint8x8_t m1 = vget_low_u8(vextq_u8(win, win, 1));
            const uint8x8_t p0 = vget_low_u8(vextq_u8(win, win, 2));
            const uint8x8_t p1 = vget_low_u8(vextq_u8(win, win, 3));
            const uint8x8_t p2 = vget_low_u8(vextq_u8(win, win, 4));
            const uint8x8_t p3 = vget_low_u8(vextq_u8(win, win, 5));
            uint16x8_t acc = vaddl_u8(m2, p3);
            acc = vmlal_u8(acc, p0, twenty);
            acc = vmlal_u8(acc, p1, twenty);
            acc = vmlsl_u8(acc, m1, five);
            acc = vmlsl_u8(acc, p2, five);
            vst1_u8(dst + x, vqrshrun_n_s16(vreinterpretq_s16_u16(acc), 5));
        }
    }
}

#define TAP6(a, b, c, d, e, f)                                                              \
    vqrshrun_n_s16(vreinterpretq_s16_u16(                                                   \
        vmlsl_u8(vmlsl_u8(vmlal_u8(vmlal_u8(vaddl_u8(a, f), c, k20), d, k20), b, k5), e, k5)), 5)

/* vertical, rows kept in registers, two output rows a turn */
void mc_luma_v6_neon(uint8_t *dst, ptrdiff_t ds, const uint8_t *src, ptrdiff_t ss, int w, int h)
{
    const uint8x8_t k5 = vdup_n_u8(5), k20 = vdup_n_u8(20);
    int x, y;
    for (x = 0; x < w; x += 8) {
        const uint8_t *s = src + x - 2 * ss;
        uint8_t *d = dst + x;
        uint8x8_t r0 = vld1_u8(s); s += ss;
        uint8x8_t r1 = vld1_u8(s); s += ss;
        uint8x8_t r2 = vld1_u8(s); s += ss;
        uint8x8_t r3 = vld1_u8(s); s += ss;
        uint8x8_t r4 = vld1_u8(s); s += ss;
        for (y = 0; y + 2 <= h; y += 2) {
            const uint8x8_t r5 = vld1_u8(s); s += ss;
            const uint8x8_t r6 = vld1_u8(s); s += ss;
            vst1_u8(d, TAP6(r0, r1, r2, r3, r4, r5)); d += ds;
            vst1_u8(d, TAP6(r1, r2, r3, r4, r5, r6)); d += ds;
            r0 = r2; r1 = r3; r2 = r4; r3 = r5; r4 = r6;
        }
        if (y < h) {
            const uint8x8_t r5 = vld1_u8(s);
            vst1_u8(d, TAP6(r0, r1, r2, r3, r4, r5));
        }
    }
}

/* ---- chroma: bilinear by eighths, reads w + 1 columns and h + 1 rows ---- */

void mc_chroma_bilin_neon(uint8_t *dst, ptrdiff_t ds, const uint8_t *src, ptrdiff_t ss,
                          int w, int h, int mx, int my)
{
    const uint8x8_t ka = vdup_n_u8((uint8_t)((8 - mx) * (8 - my)));
    const uint8x8_t kb = vdup_n_u8((uint8_t)(mx * (8 - my)));
    const uint8x8_t kc = vdup_n_u8((uint8_t)((8 - mx) * my));
    const uint8x8_t kd = vdup_n_u8((uint8_t)(mx * my));
    for (int y = 0; y < h; y++) {
        const uint8_t *s0 = src + y * ss;
        const uint8_t *s1 = s0 + ss;
        uint8_t *d = dst + y * ds;
        int x = 0;
        for (; x + 8 <= w; x += 8) {
            uint16x8_t t = vmull_u8(vld1_u8(s0 + x), ka);
            t = vmlal_u8(t, vld1_u8(s0 + x + 1), kb);
            t = vmlal_u8(t, vld1_u8(s1 + x), kc);
            t = vmlal_u8(t, vld1_u8(s1 + x + 1), kd);
            vst1_u8(d + x, vrshrn_n_u16(t, 6));
        }
        for (; x < w; x++)
            d[x] = (uint8_t)(((8 - mx) * (8 - my) * s0[x] + mx * (8 - my) * s0[x + 1] +
                              (8 - mx) * my * s1[x] + mx * my * s1[x + 1] + 32) >> 6);
    }
}

/* explicit weighted prediction from 14 bit intermediates; w0 + w1 <= 128, shift 1..15 in
 * total, offset in pixels. A negative vrshl count is a rounded right shift. */
void mc_weight_bi_neon(uint8_t *dst, ptrdiff_t ds, const int16_t *p0, const int16_t *p1,
                       int w, int h, int w0, int w1, int shift, int offset)
{
    const int16x4_t wt = vset_lane_s16((int16_t)w1, vdup_n_s16((int16_t)w0), 1);
    const int32x4_t sh = vdupq_n_s32(-shift);
    const int16x8_t off = vdupq_n_s16((int16_t)offset);
    for (int y = 0; y < h; y++) {
        int x = 0;
        for (; x + 8 <= w; x += 8) {
            const int16x8_t a = vld1q_s16(p0 + x);
            const int16x8_t b = vld1q_s16(p1 + x);
            int32x4_t lo = vmull_lane_s16(vget_low_s16(a), wt, 0);
            int32x4_t hi = vmull_high_lane_s16(a, wt, 0);
            lo = vmlal_lane_s16(lo, vget_low_s16(b), wt, 1);
            hi = vmlal_high_lane_s16(hi, b, wt, 1);
            lo = vrshlq_s32(lo, sh);
            hi = vrshlq_s32(hi, sh);
            const int16x8_t v = vqaddq_s16(vqmovn_high_s32(vqmovn_s32(lo), hi), off);
            vst1_u8(dst + x, vqmovun_s16(v));
        }
        for (; x < w; x++) {
            const int v = ((p0[x] * w0 + p1[x] * w1 + (1 << (shift - 1))) >> shift) + offset;
            dst[x] = CLIP_U8(v);
        }
        dst += ds;
        p0 += w;
        p1 += w;
    }
}

/* ---- distortion ---- */

/* w is 16; h <= 128 or the 16 bit lanes run over */
uint32_t dist_sad16_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int h)
{
    uint16x8_t acc0 = vdupq_n_u16(0);
    uint16x8_t acc1 = vdupq_n_u16(0);
    for (; h > 0; h--) {
        const uint8x16_t x = vld1q_u8(a);
        const uint8x16_t y = vld1q_u8(b);
        acc0 = vabal_u8(acc0, vget_low_u8(x), vget_low_u8(y));
        acc1 = vabal_high_u8(acc1, x, y);
        a += as;
        b += bs;
    }
    return vaddlvq_u16(acc0) + vaddlvq_u16(acc1);
}

/* sum of absolute differences of any width, saturating nowhere: u8 -> u16 -> u32 pairwise */
uint32_t dist_sad_wxh_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int w, int h)
{
    uint32x4_t acc = vdupq_n_u32(0);
    uint32_t rest = 0;
    for (int y = 0; y < h; y++, a += as, b += bs) {
        int x = 0;
        for (; x + 16 <= w; x += 16)
            acc = vpadalq_u16(acc, vpaddlq_u8(vabdq_u8(vld1q_u8(a + x), vld1q_u8(b + x))));
        for (; x < w; x++)
            rest += (uint32_t)(a[x] > b[x] ? a[x] - b[x] : b[x] - a[x]);
    }
    return vaddvq_u32(acc) + rest;
}

uint32_t dist_ssd_wxh_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int w, int h)
{
    uint32x4_t acc0 = vdupq_n_u32(0), acc1 = vdupq_n_u32(0);
    uint32_t rest = 0;
    while (h-- > 0) {
        const uint8_t *p = a, *q = b;
        int n = w;
        for (; n >= 16; n -= 16, p += 16, q += 16) {
            const uint8x16_t d = vabdq_u8(vld1q_u8(p), vld1q_u8(q));
            acc0 = vpadalq_u16(acc0, vmull_u8(vget_low_u8(d), vget_low_u8(d)));
            acc1 = vpadalq_u16(acc1, vmull_high_u8(d, d));
        }
        for (; n > 0; n--, p++, q++)
            rest += (uint32_t)((*p - *q) * (*p - *q));
        a += as;
        b += bs;
    }
    return vaddvq_u32(vaddq_u32(acc0, acc1)) + rest;
}

/* Hadamard distortion of one 4x4 block, halved and rounded up */
int dist_satd4x4_neon(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    uint32x2_t va = vdup_n_u32(0), vb = vdup_n_u32(0), vc = vdup_n_u32(0), vd = vdup_n_u32(0);
    va = vreinterpret_u32_u8(vcreate_u8((uint64_t)a[0] | (uint64_t)a[1] << 8 | (uint64_t)a[2] << 16 | (uint64_t)a[3] << 24));
    vb = vreinterpret_u32_u8(vcreate_u8((uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24));
    a += as; b += bs;
    va = vreinterpret_u32_u8(vset_lane_u8(a[0], vreinterpret_u8_u32(va), 4));
    vb = vreinterpret_u32_u8(vset_lane_u8(b[0], vreinterpret_u8_u32(vb), 4));
    for (int i = 1; i < 4; i++) {
        va = vorr_u32(va, vreinterpret_u32_u64(vshl_u64(vcreate_u64(a[i]), vdup_n_s64(32 + 8 * i))));
        vb = vorr_u32(vb, vreinterpret_u32_u64(vshl_u64(vcreate_u64(b[i]), vdup_n_s64(32 + 8 * i))));
    }
    a += as; b += bs;
    for (int i = 0; i < 4; i++) {
        vc = vorr_u32(vc, vreinterpret_u32_u64(vshl_u64(vcreate_u64(a[i]), vdup_n_s64(8 * i))));
        vc = vorr_u32(vc, vreinterpret_u32_u64(vshl_u64(vcreate_u64(a[as + i]), vdup_n_s64(32 + 8 * i))));
        vd = vorr_u32(vd, vreinterpret_u32_u64(vshl_u64(vcreate_u64(b[i]), vdup_n_s64(8 * i))));
        vd = vorr_u32(vd, vreinterpret_u32_u64(vshl_u64(vcreate_u64(b[bs + i]), vdup_n_s64(32 + 8 * i))));
    }
    /* rows 0|1 and 2|3 */
    const int16x8_t d01 = vreinterpretq_s16_u16(vsubl_u8(vreinterpret_u8_u32(va), vreinterpret_u8_u32(vb)));
    const int16x8_t d23 = vreinterpretq_s16_u16(vsubl_u8(vreinterpret_u8_u32(vc), vreinterpret_u8_u32(vd)));
    /* columns */
    const int16x8_t s = vaddq_s16(d01, d23), t = vsubq_s16(d01, d23);
    const int16x8_t u = vcombine_s16(vget_low_s16(s), vget_low_s16(t));
    const int16x8_t v = vcombine_s16(vget_high_s16(s), vget_high_s16(t));
    int16x8_t e = vaddq_s16(u, v), f = vsubq_s16(u, v);
    /* rows: pairs are brought together by a transpose of 16, then of 32 bit */
    int16x8x2_t z = vtrnq_s16(e, f);
    e = vaddq_s16(z.val[0], z.val[1]);
    f = vsubq_s16(z.val[0], z.val[1]);
    const int32x4x2_t q = vtrnq_s32(vreinterpretq_s32_s16(e), vreinterpretq_s32_s16(f));
    const int16x8_t g = vreinterpretq_s16_s32(q.val[0]), h = vreinterpretq_s16_s32(q.val[1]);
    /* |a + b| + |a - b| = 2 max(|a|, |b|), which saves the last stage and the halving */
    return vaddvq_s16(vmaxq_s16(vabsq_s16(g), vabsq_s16(h)));
}

/* ---- intra ---- */

/* DC of 16x16 from the row above and the column to the left */
void pred_dc16_neon(uint8_t *dst, ptrdiff_t ds, const uint8_t *top, const uint8_t *left)
{
    const uint16x8_t s = vaddq_u16(vpaddlq_u8(vld1q_u8(top)), vpaddlq_u8(vld1q_u8(left)));
    const uint8x16_t dc = vdupq_n_u8((uint8_t)((vaddvq_u16(s) + 16) >> 5));
    for (int y = 0; y < 16; y++)
        vst1q_u8(dst + y * ds, dc);
}

/* ---- residual ---- */

static inline void transpose4(int16x4_t &a, int16x4_t &b, int16x4_t &c, int16x4_t &d)
{
    const int16x4x2_t p = vtrn_s16(a, b);
    const int16x4x2_t q = vtrn_s16(c, d);
    const int32x2x2_t r = vtrn_s32(vreinterpret_s32_s16(p.val[0]), vreinterpret_s32_s16(q.val[0]));
    const int32x2x2_t s = vtrn_s32(vreinterpret_s32_s16(p.val[1]), vreinterpret_s32_s16(q.val[1]));
    a = vreinterpret_s16_s32(r.val[0]);
    b = vreinterpret_s16_s32(s.val[0]);
    c = vreinterpret_s16_s32(r.val[1]);
    d = vreinterpret_s16_s32(s.val[1]);
}

static inline void butterfly4(int16x4_t &a, int16x4_t &b, int16x4_t &c, int16x4_t &d)
{
    const int16x4_t e = vadd_s16(a, c);
    const int16x4_t f = vsub_s16(a, c);
    const int16x4_t g = vsub_s16(vshr_n_s16(b, 1), d);
    const int16x4_t h = vadd_s16(b, vshr_n_s16(d, 1));
    a = vadd_s16(e, h);
    b = vadd_s16(f, g);
    c = vsub_s16(f, g);
    d = vsub_s16(e, h);
}

/* 4x4 inverse transform of `coef` added to the prediction in dst; sums wrap at 16 bit, the
 * last one saturates with the pixel. coef is cleared for the next block. */
void idct4x4_add_neon(uint8_t *dst, ptrdiff_t ds, int16_t *coef)
{
    int16x4_t a = vld1_s16(coef), b = vld1_s16(coef + 4), c = vld1_s16(coef + 8), d = vld1_s16(coef + 12);
    const int16x8_t zero = vdupq_n_s16(0);
    vst1q_s16(coef, zero);
    vst1q_s16(coef + 8, zero);
    transpose4(a, b, c, d);
    butterfly4(a, b, c, d);
    transpose4(a, b, c, d);
    butterfly4(a, b, c, d);
    const int16x8_t r01 = vrshrq_n_s16(vcombine_s16(a, b), 6);
    const int16x8_t r23 = vrshrq_n_s16(vcombine_s16(c, d), 6);
    uint8x8_t p01 = vdup_n_u8(0), p23 = vdup_n_u8(0);
    uint8_t *r = dst;
    p01 = vld1_lane_u8(r, p01, 0); p01 = vld1_lane_u8(r + 1, p01, 1); p01 = vld1_lane_u8(r + 2, p01, 2); p01 = vld1_lane_u8(r + 3, p01, 3); r += ds;
    p01 = vld1_lane_u8(r, p01, 4); p01 = vld1_lane_u8(r + 1, p01, 5); p01 = vld1_lane_u8(r + 2, p01, 6); p01 = vld1_lane_u8(r + 3, p01, 7); r += ds;
    p23 = vld1_lane_u8(r, p23, 0); p23 = vld1_lane_u8(r + 1, p23, 1); p23 = vld1_lane_u8(r + 2, p23, 2); p23 = vld1_lane_u8(r + 3, p23, 3); r += ds;
    p23 = vld1_lane_u8(r, p23, 4); p23 = vld1_lane_u8(r + 1, p23, 5); p23 = vld1_lane_u8(r + 2, p23, 6); p23 = vld1_lane_u8(r + 3, p23, 7);
    p01 = vqmovun_s16(vreinterpretq_s16_u16(vaddw_u8(vreinterpretq_u16_s16(r01), p01)));
    p23 = vqmovun_s16(vreinterpretq_s16_u16(vaddw_u8(vreinterpretq_u16_s16(r23), p23)));
    uint8_t out[16];
    vst1_u8(out, p01);
    vst1_u8(out + 8, p23);
    for (int y = 0; y < 4; y++, dst += ds)
        for (int x = 0; x < 4; x++)
            dst[x] = out[4 * y + x];
}

/* ---- loop filter: normal strength across a horizontal edge above row 0, w % 16 == 0 ---- */

void deblock_luma_h_neon(uint8_t *pix, ptrdiff_t st, int w, int alpha, int beta, int tc)
{
    const uint8x16_t va = vdupq_n_u8((uint8_t)alpha), vb = vdupq_n_u8((uint8_t)beta);
    const int8x16_t vtc = vdupq_n_s8((int8_t)tc);
    for (; w >= 16; w -= 16, pix += 16) {
        const uint8x16_t p1 = vld1q_u8(pix - 2 * st);
        const uint8x16_t p0 = vld1q_u8(pix - st);
        const uint8x16_t q0 = vld1q_u8(pix);
        const uint8x16_t q1 = vld1q_u8(pix + st);
        uint8x16_t m = vcltq_u8(vabdq_u8(p0, q0), va);
        m = vandq_u8(m, vcltq_u8(vabdq_u8(p1, p0), vb));
        m = vandq_u8(m, vcltq_u8(vabdq_u8(q1, q0), vb));
        if (vmaxvq_u8(m) == 0)
            continue;
        /* delta = (4 * (q0 - p0) + p1 - q1 + 4) >> 3, clipped to +-tc */
        int16x8_t dl = vreinterpretq_s16_u16(vsubl_u8(vget_low_u8(q0), vget_low_u8(p0)));
        int16x8_t dh = vreinterpretq_s16_u16(vsubl_high_u8(q0, p0));
        dl = vshlq_n_s16(dl, 2);
        dh = vshlq_n_s16(dh, 2);
        dl = vaddq_s16(dl, vreinterpretq_s16_u16(vsubl_u8(vget_low_u8(p1), vget_low_u8(q1))));
        dh = vaddq_s16(dh, vreinterpretq_s16_u16(vsubl_high_u8(p1, q1)));
        int8x16_t delta = vqrshrn_high_n_s16(vqrshrn_n_s16(dl, 3), dh, 3);
        delta = vmaxq_s8(vminq_s8(delta, vtc), vnegq_s8(vtc));
        delta = vandq_s8(delta, vreinterpretq_s8_u8(m));
        const uint8x16_t np = vsqaddq_u8(p0, delta);
        const uint8x16_t nq = vsqaddq_u8(q0, vnegq_s8(delta));
        vst1q_u8(pix - st, np);
        vst1q_u8(pix, nq);
    }
}
