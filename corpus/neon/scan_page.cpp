// flags: -target aarch64-linux-gnu
// scan_page.cpp
// Page clean-up for the flat-bed and feeder firmware, NEON paths.
//
// Grey pages are 8 bit, 0 is black. Bit pages are packed with the leftmost pixel in bit 7.
// A "line" function works on one line; the driver keeps the lines above and below in a ring.
// Neighbour filters want one pixel to the left and one to the right of the line.

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#define VMIN(a, b) vminq_u8(a, b)
#define VMAX(a, b) vmaxq_u8(a, b)
#define SORT2(a, b)                                                                         \
    do {                                                                                    \
        const uint8x16_t t_ = VMIN(a, b);                                                   \
        b = VMAX(a, b);                                                                     \
        a = t_;                                                                             \
    } while (0)

static inline uint8_t med9(const uint8_t* a, const uint8_t* b, const uint8_t* c)
{
    uint8_t v[9] = { a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2] };
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i]) {
                const uint8_t t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
    return v[4];
}

// Median of 3x3. Lines of 16 and more end with a vector that overlaps the one before, shorter
// ones go pixel by pixel. dst is not one of the sources.
void scan_median3_line_neon(uint8_t* dst, const uint8_t* up, const uint8_t* mid, const uint8_t* dn, int w)
{
    if (w < 16) {
        for (int x = 0; x < w; x++)
            dst[x] = med9(up + x - 1, mid + x - 1, dn + x - 1);
        return;
    }
    int x = 0;
    for (;;) {
        uint8x16_t p0 = vld1q_u8(up + x - 1), p1 = vld1q_u8(up + x), p2 = vld1q_u8(up + x + 1);
        uint8x16_t p3 = vld1q_u8(mid + x - 1), p4 = vld1q_u8(mid + x), p5 = vld1q_u8(mid + x + 1);
        uint8x16_t p6 = vld1q_u8(dn + x - 1), p7 = vld1q_u8(dn + x), p8 = vld1q_u8(dn + x + 1);
        SORT2(p1, p2); SORT2(p4, p5); SORT2(p7, p8);
        SORT2(p0, p1); SORT2(p3, p4); SORT2(p6, p7);
        SORT2(p1, p2); SORT2(p4, p5); SORT2(p7, p8);
        p3 = VMAX(p0, p3);
        p5 = VMIN(p5, p8);
        SORT2(p4, p7);
        p6 = VMAX(p3, p6);
        p4 = VMAX(p1, p4);
        p2 = VMIN(p2, p5);
        p4 = VMIN(p4, p7);
        SORT2(p4, p2);
        p4 = VMAX(p6, p4);
        vst1q_u8(dst + x, VMIN(p4, p2));
        if (x + 16 == w)
            break;
        x = x + 32 <= w ? x + 16 : w - 16;
    }
}

// Mean of 3x3 rounded to nearest: (sum + 4) / 9 with a reciprocal in Q16.
void scan_box3_line_neon(uint8_t* dst, const uint8_t* up, const uint8_t* mid, const uint8_t* dn, int w)
{
    int x = 0;
    const int16x8_t four = vdupq_n_s16(4);
    for (; x + 8 <= w; x += 8) {
        uint16x8_t s = vaddl_u8(vld1_u8(up + x - 1), vld1_u8(up + x));
        s = vaddw_u8(s, vld1_u8(up + x + 1));
        s = vaddw_u8(s, vld1_u8(mid + x - 1));
        s = vaddw_u8(s, vld1_u8(mid + x));
        s = vaddw_u8(s, vld1_u8(mid + x + 1));
        s = vaddw_u8(s, vld1_u8(dn + x - 1));
        s = vaddw_u8(s, vld1_u8(dn + x));
        s = vaddw_u8(s, vld1_u8(dn + x + 1));
        const int16x8_t q = vqdmulhq_n_s16(vaddq_s16(vreinterpretq_s16_u16(s), four), 3641);
        vst1_u8(dst + x, vqmovun_s16(q));
    }
    for (; x < w; x++) {
        int s = 4;
        for (int k = -1; k <= 1; k++)
            s += up[x + k] + mid[x + k] + dn[x + k];
        dst[x] = (uint8_t)(s * 7282 >> 16);
    }
}

// Smallest of five in a row, shared minima of neighbours by vext. Reads two to each side and
// whole vectors: the line buffer has 32 bytes after its end.
void scan_thicken5_line_neon(uint8_t* dst, const uint8_t* src, int w)
{
    uint8x16_t cur = vld1q_u8(src - 2);
    int x = 0;
    while (x + 16 <= w) {
        const uint8x16_t nxt = vld1q_u8(src + x + 14);
        const uint8x16_t m2 = vminq_u8(cur, vextq_u8(cur, nxt, 1));
        const uint8x16_t a = vextq_u8(cur, nxt, 2);
        const uint8x16_t b = vextq_u8(cur, nxt, 3);
        const uint8x16_t c = vextq_u8(cur, nxt, 4);
        vst1q_u8(dst + x, vminq_u8(vminq_u8(m2, a), vminq_u8(b, c)));
        cur = nxt;
        x += 16;
    }
    for (; x < w; x++) {
        uint8_t m = src[x - 2];
        for (int k = -1; k <= 2; k++)
            if (src[x + k] < m)
                m = src[x + k];
        dst[x] = m;
    }
}

// |gx| + |gy| of Sobel, saturated to a byte.
void scan_sobel_line_neon(uint8_t* dst, const uint8_t* up, const uint8_t* mid, const uint8_t* dn, int w)
{
    const uint8x8_t two = vmov_n_u8(2);
    int x;
    for (x = 0; x <= w - 8; x += 8) {
        const uint8x8_t a = vld1_u8(up + x - 1), b = vld1_u8(up + x), c = vld1_u8(up + x + 1);
        const uint8x8_t d = vld1_u8(mid + x - 1), f = vld1_u8(mid + x + 1);
        const uint8x8_t g = vld1_u8(dn + x - 1), h = vld1_u8(dn + x), i = vld1_u8(dn + x + 1);
        const uint16x8_t l = vmlal_u8(vaddl_u8(a, g), d, two);
        const uint16x8_t r = vmlal_u8(vaddl_u8(c, i), f, two);
        const uint16x8_t t = vmlal_u8(vaddl_u8(a, c), b, two);
        const uint16x8_t e = vmlal_u8(vaddl_u8(g, i), h, two);
        vst1_u8(dst + x, vqmovn_u16(vabaq_u16(vabdq_u16(l, r), t, e)));
    }
    for (; x < w; x++) {
        int gx = up[x + 1] + 2 * mid[x + 1] + dn[x + 1] - up[x - 1] - 2 * mid[x - 1] - dn[x - 1];
        int gy = dn[x - 1] + 2 * dn[x] + dn[x + 1] - up[x - 1] - 2 * up[x] - up[x + 1];
        gx = gx < 0 ? -gx : gx;
        gy = gy < 0 ? -gy : gy;
        dst[x] = (uint8_t)(gx + gy > 255 ? 255 : gx + gy);
    }
}

// Threshold to packed bits, dark pixels are 1. A last byte that is not full gets zeros below.
void scan_threshold_bits_neon(uint8_t* bits, const uint8_t* src, int w, int level)
{
    static const uint8_t weight[16] = { 128, 64, 32, 16, 8, 4, 2, 1, 128, 64, 32, 16, 8, 4, 2, 1 };
    const uint8x16_t wt = vld1q_u8(weight);
    const uint8x16_t lv = vdupq_n_u8((uint8_t)level);
    int x = 0;
    for (; x + 64 <= w; x += 64) {
        const uint8x16_t a = vandq_u8(vcltq_u8(vld1q_u8(src + x), lv), wt);
        const uint8x16_t b = vandq_u8(vcltq_u8(vld1q_u8(src + x + 16), lv), wt);
        const uint8x16_t c = vandq_u8(vcltq_u8(vld1q_u8(src + x + 32), lv), wt);
        const uint8x16_t d = vandq_u8(vcltq_u8(vld1q_u8(src + x + 48), lv), wt);
        const uint8x16_t s = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
        vst1_u8(bits, vget_low_u8(vpaddq_u8(s, s)));
        bits += 8;
    }
    for (; x + 8 <= w; x += 8)
        *bits++ = vaddv_u8(vand_u8(vclt_u8(vld1_u8(src + x), vget_low_u8(lv)), vget_low_u8(wt)));
    if (x < w) {
        int v = 0;
        for (int k = 0; x + k < w; k++)
            v |= (src[x + k] < level) << (7 - k);
        *bits = (uint8_t)v;
    }
}

// Packed bits to bytes, 1 becomes `ink` and 0 becomes `paper`.
void scan_expand_bits_neon(uint8_t* dst, const uint8_t* bits, int w, int ink, int paper)
{
    const uint8x8_t sel = vcreate_u8(0x0102040810204080ULL);
    const uint8x8_t vi = vdup_n_u8((uint8_t)ink), vp = vdup_n_u8((uint8_t)paper);
    for (; w >= 8; w -= 8, dst += 8)
        vst1_u8(dst, vbsl_u8(vtst_u8(vld1_dup_u8(bits++), sel), vi, vp));
    for (int k = 0; k < w; k++)
        dst[k] = (uint8_t)(*bits & (128 >> k) ? ink : paper);
}

// Ordered screen: an ink dot where the page is darker than the 16 wide screen row, which
// starts at `phase`. The row is doubled first, so any phase is one load.
void scan_halftone_line_neon(uint8_t* dst, const uint8_t* src, const uint8_t* screen, int phase, int w)
{
    uint8_t twice[32];
    vst1q_u8(twice, vld1q_u8(screen));
    vst1q_u8(twice + 16, vld1q_u8(screen));
    const uint8x16_t t = vld1q_u8(twice + (phase & 15));
    int x = 0;
    for (; x + 16 <= w; x += 16)
        vst1q_u8(dst + x, vcgeq_u8(vld1q_u8(src + x), t));
    if (x < w) {
        // the rest through a stack copy
        uint8_t in[16] = { 0 }, out[16];
        memcpy(in, src + x, (size_t)(w - x));
        vst1q_u8(out, vcgeq_u8(vld1q_u8(in), t));
        memcpy(dst + x, out, (size_t)(w - x));
    }
}

// Unsharp: src + (src - blur) * amount / 32768 rounded, amount in Q15 below 1. The difference is
// taken up by 7 bits so that the doubling multiply keeps a fraction to round.
void scan_unsharp_line_neon(uint8_t* dst, const uint8_t* src, const uint8_t* blur, int amount, int w)
{
    const int16x8_t k = vdupq_n_s16((int16_t)amount);
    int x = 0;
    for (; x + 8 <= w; x += 8) {
        const uint8x8_t s = vld1_u8(src + x);
        int16x8_t d = vreinterpretq_s16_u16(vsubl_u8(s, vld1_u8(blur + x)));
        d = vqrdmulhq_s16(vshlq_n_s16(d, 7), k);
        d = vrshrq_n_s16(d, 7);
        vst1_u8(dst + x, vqmovun_s16(vreinterpretq_s16_u16(vaddw_u8(vreinterpretq_u16_s16(d), s))));
    }
    for (; x < w; x++) {
        int d = ((src[x] - blur[x]) * 128 * amount + 0x4000) >> 15;
        d = src[x] + ((d + 64) >> 7);
        dst[x] = (uint8_t)(d < 0 ? 0 : d > 255 ? 255 : d);
    }
}

// Black and white point: (v - black) * gain, gain in Q12 (4096 is one), rounded, in place.
// The head goes to a 16 byte boundary one by one.
void scan_levels_line_neon(uint8_t* line, int black, int gain, int w)
{
    while (w > 0 && ((uintptr_t)line & 15)) {
        const int v = *line > black ? *line - black : 0;
        const unsigned q = ((unsigned)(v * gain) + 2048u) >> 12;
        *line++ = (uint8_t)(q > 255 ? 255 : q);
        w--;
    }
    const uint8x16_t b = vdupq_n_u8((uint8_t)black);
    const uint16x4_t g = vdup_n_u16((uint16_t)gain);
    for (; w >= 16; w -= 16, line += 16) {
        const uint8x16_t v = vqsubq_u8(vld1q_u8(line), b);
        const uint16x8_t lo = vmovl_u8(vget_low_u8(v));
        const uint16x8_t hi = vmovl_high_u8(v);
        const uint16x4_t q0 = vqrshrn_n_u32(vmull_u16(vget_low_u16(lo), g), 12);
        const uint16x4_t q1 = vqrshrn_n_u32(vmull_u16(vget_high_u16(lo), g), 12);
        const uint16x4_t q2 = vqrshrn_n_u32(vmull_u16(vget_low_u16(hi), g), 12);
        const uint16x4_t q3 = vqrshrn_n_u32(vmull_u16(vget_high_u16(hi), g), 12);
        vst1q_u8(line, vcombine_u8(vqmovn_u16(vcombine_u16(q0, q1)), vqmovn_u16(vcombine_u16(q2, q3))));
    }
    for (; w > 0; w--, line++) {
        const int v = *line > black ? *line - black : 0;
        const unsigned q = ((unsigned)(v * gain) + 2048u) >> 12;
        *line = (uint8_t)(q > 255 ? 255 : q);
    }
}

// Running sums of a line added to the line above: one line of a summed area table. sum[-1] of
// both is taken as zero. Sums wrap.
void scan_integral_line_neon(uint32_t* sum, const uint32_t* above, const uint8_t* src, int w)
{
    const uint16x8_t z = vdupq_n_u16(0);
    uint32x4_t carry = vdupq_n_u32(0);
    int x = 0;
    for (; x + 8 <= w; x += 8) {
        uint16x8_t s = vmovl_u8(vld1_u8(src + x));
        s = vaddq_u16(s, vextq_u16(z, s, 7));
        s = vaddq_u16(s, vextq_u16(z, s, 6));
        s = vaddq_u16(s, vextq_u16(z, s, 4));
        const uint32x4_t lo = vaddw_u16(carry, vget_low_u16(s));
        const uint32x4_t hi = vaddw_high_u16(carry, s);
        vst1q_u32(sum + x, vaddq_u32(lo, vld1q_u32(above + x)));
        vst1q_u32(sum + x + 4, vaddq_u32(hi, vld1q_u32(above + x + 4)));
        carry = vdupq_laneq_u32(hi, 3);
    }
    uint32_t run = vgetq_lane_u32(carry, 0);
    for (; x < w; x++) {
        run += src[x];
        sum[x] = run + above[x];
    }
}

// Quarter turn clockwise of a w x h page into an h x w one, by 8x8 blocks; what does not fill
// a block is moved pixel by pixel.
void scan_turn_page_neon(uint8_t* dst, int dpitch, const uint8_t* src, int spitch, int w, int h)
{
    const int w8 = w & ~7, h8 = h & ~7;
    for (int y = 0; y < h8; y += 8) {
        for (int x = 0; x < w8; x += 8) {
            const uint8_t* s = src + (y + 7) * spitch + x;
            uint8x8_t r[8];
            for (int k = 0; k < 8; k++, s -= spitch)
                r[k] = vld1_u8(s);
            const uint8x8x2_t a0 = vtrn_u8(r[0], r[1]), a1 = vtrn_u8(r[2], r[3]);
            const uint8x8x2_t a2 = vtrn_u8(r[4], r[5]), a3 = vtrn_u8(r[6], r[7]);
            const uint16x4x2_t b0 = vtrn_u16(vreinterpret_u16_u8(a0.val[0]), vreinterpret_u16_u8(a1.val[0]));
            const uint16x4x2_t b1 = vtrn_u16(vreinterpret_u16_u8(a0.val[1]), vreinterpret_u16_u8(a1.val[1]));
            const uint16x4x2_t b2 = vtrn_u16(vreinterpret_u16_u8(a2.val[0]), vreinterpret_u16_u8(a3.val[0]));
            const uint16x4x2_t b3 = vtrn_u16(vreinterpret_u16_u8(a2.val[1]), vreinterpret_u16_u8(a3.val[1]));
            const uint32x2x2_t c0 = vtrn_u32(vreinterpret_u32_u16(b0.val[0]), vreinterpret_u32_u16(b2.val[0]));
            const uint32x2x2_t c1 = vtrn_u32(vreinterpret_u32_u16(b1.val[0]), vreinterpret_u32_u16(b3.val[0]));
            const uint32x2x2_t c2 = vtrn_u32(vreinterpret_u32_u16(b0.val[1]), vreinterpret_u32_u16(b2.val[1]));
            const uint32x2x2_t c3 = vtrn_u32(vreinterpret_u32_u16(b1.val[1]), vreinterpret_u32_u16(b3.val[1]));
            uint8_t* d = dst + x * dpitch + h - 8 - y;
            vst1_u8(d, vreinterpret_u8_u32(c0.val[0])); d += dpitch;
            vst1_u8(d, vreinterpret_u8_u32(c1.val[0])); d += dpitch;
            vst1_u8(d, vreinterpret_u8_u32(c2.val[0])); d += dpitch;
            vst1_u8(d, vreinterpret_u8_u32(c3.val[0])); d += dpitch;
            vst1_u8(d, vreinterpret_u8_u32(c0.val[1])); d += dpitch;
            vst1_u8(d, vreinterpret_u8_u32(c1.val[1])); d += dpitch;
            vst1_u8(d, vreinterpret_u8_u32(c2.val[1])); d += dpitch;
            vst1_u8(d, vreinterpret_u8_u32(c3.val[1]));
        }
    }
    for (int y = 0; y < h; y++)
        for (int x = y < h8 ? w8 : 0; x < w; x++)
            dst[x * dpitch + h - 1 - y] = src[y * spitch + x];
}

// RGB to CMYK with full under-colour removal.
void scan_rgb_to_cmyk_neon(uint8_t* cmyk, const uint8_t* rgb, int n)
{
    for (; n >= 16; n -= 16) {
        const uint8x16x3_t p = vld3q_u8(rgb);
        uint8x16x4_t q;
        q.val[0] = vmvnq_u8(p.val[0]);
        q.val[1] = vmvnq_u8(p.val[1]);
        q.val[2] = vmvnq_u8(p.val[2]);
        q.val[3] = vminq_u8(vminq_u8(q.val[0], q.val[1]), q.val[2]);
        q.val[0] = vsubq_u8(q.val[0], q.val[3]);
        q.val[1] = vsubq_u8(q.val[1], q.val[3]);
        q.val[2] = vsubq_u8(q.val[2], q.val[3]);
        vst4q_u8(cmyk, q);
        rgb += 48;
        cmyk += 64;
    }
    while (n-- > 0) {
        const int m = rgb[0] > rgb[1] ? rgb[0] : rgb[1];
        const int top = m > rgb[2] ? m : rgb[2];
        cmyk[0] = (uint8_t)(top - rgb[0]);
        cmyk[1] = (uint8_t)(top - rgb[1]);
        cmyk[2] = (uint8_t)(top - rgb[2]);
        cmyk[3] = (uint8_t)(255 - top);
        rgb += 3;
        cmyk += 4;
    }
}

// Pixels darker than `level` on a line, for blank page detection. The byte counters are
// emptied before they can reach 256.
int scan_count_dark_neon(const uint8_t* src, int level, int w)
{
    const uint8x16_t lv = vdupq_n_u8((uint8_t)level);
    int total = 0, x = 0;
    while (x + 16 <= w) {
        uint8x16_t cnt = vdupq_n_u8(0);
        int turns = (w - x) / 16;
        if (turns > 255)
            turns = 255;
        for (int k = 0; k < turns; k++, x += 16)
            cnt = vsubq_u8(cnt, vcltq_u8(vld1q_u8(src + x), lv));
        total += vaddlvq_u8(cnt);
    }
    for (; x < w; x++)
        total += src[x] < level;
    return total;
}
