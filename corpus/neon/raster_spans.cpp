// flags: -target aarch64-linux-gnu
/*
    raster_spans.cpp

    NEON back end of the raster paint engine. Pixels are 0xAARRGGBB in a 32 bit word, i.e.
    bytes B, G, R, A; premultiplied where the name says PM or nothing. Bytes per line may be
    anything that keeps words aligned.
*/

#include <arm_neon.h>
#include <cstddef>
#include <cstdint>
#include <cstring>

typedef uint32_t Rgb32;

static inline uint8x16_t byteMul(uint8x16_t x, uint8x16_t a)
{
    uint16x8_t lo = vmull_u8(vget_low_u8(x), vget_low_u8(a));
    uint16x8_t hi = vmull_high_u8(x, a);
    lo = vrsraq_n_u16(lo, lo, 8);
    hi = vrsraq_n_u16(hi, hi, 8);
    return vrshrn_high_n_u16(vrshrn_n_u16(lo, 8), hi, 8);
}

static inline uint32_t byteMulScalar(uint32_t x, uint32_t a)
{
    uint32_t t = (x & 0xff00ff) * a;
    t = (t + (((t + 0x800080) >> 8) & 0xff00ff) + 0x800080) >> 8;
    t &= 0xff00ff;
    x = ((x >> 8) & 0xff00ff) * a;
    x = x + (((x + 0x800080) >> 8) & 0xff00ff) + 0x800080;
    x &= 0xff00ff00;
    return x | t;
}

// alpha of each pixel in all of its four bytes
static inline uint8x16_t spreadAlpha(uint8x16_t p)
{
    static const uint8_t idx[16] = { 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15 };
    return vqtbl1q_u8(p, vld1q_u8(idx));
}

static void sourceOverRow(Rgb32* dst, const Rgb32* src, int w)
{
    const uint32x4_t alphaMask = vdupq_n_u32(0xff000000u);
    int x = 0;
    for (; x <= w - 4; x += 4) {
        const uint32x4_t s = vld1q_u32(src + x);
        const uint32x4_t a = vandq_u32(s, alphaMask);
        if (vminvq_u32(vceqq_u32(a, alphaMask)) != 0) {
            vst1q_u32(dst + x, s); // all opaque
        } else if (vmaxvq_u32(s) != 0) {
            const uint8x16_t s8 = vreinterpretq_u8_u32(s);
            const uint8x16_t d8 = vreinterpretq_u8_u32(vld1q_u32(dst + x));
            const uint8x16_t r = vaddq_u8(s8, byteMul(d8, vmvnq_u8(spreadAlpha(s8))));
            vst1q_u32(dst + x, vreinterpretq_u32_u8(r));
        }
    }
    for (; x < w; ++x) {
        const Rgb32 s = src[x];
        if (s >= 0xff000000u)
            dst[x] = s;
        else if (s != 0)
            dst[x] = s + byteMulScalar(dst[x], (~s) >> 24);
    }
}

static void sourceOverRowConstAlpha(Rgb32* dst, const Rgb32* src, int w, uint32_t alpha)
{
    const uint8x16_t ca = vdupq_n_u8(uint8_t(alpha));
    int x = 0;
    for (; x <= w - 4; x += 4) {
        const uint8x16_t s = byteMul(vreinterpretq_u8_u32(vld1q_u32(src + x)), ca);
        const uint8x16_t d = vreinterpretq_u8_u32(vld1q_u32(dst + x));
        vst1q_u32(dst + x, vreinterpretq_u32_u8(vaddq_u8(s, byteMul(d, vmvnq_u8(spreadAlpha(s))))));
    }
    for (; x < w; ++x) {
        const Rgb32 s = byteMulScalar(src[x], alpha);
        dst[x] = s + byteMulScalar(dst[x], (~s) >> 24);
    }
}

// The source is properly premultiplied (no byte above its alpha), so sums stay within a byte.
void raster_blend_argb32_neon(uint8_t* dstBits, int dbpl, const uint8_t* srcBits, int sbpl, int w, int h, int constAlpha)
{
    if (constAlpha == 0)
        return;
    for (int y = 0; y < h; ++y) {
        Rgb32* d = reinterpret_cast<Rgb32*>(dstBits + ptrdiff_t(y) * dbpl);
        const Rgb32* s = reinterpret_cast<const Rgb32*>(srcBits + ptrdiff_t(y) * sbpl);
        if (constAlpha == 255)
            sourceOverRow(d, s, w);
        else
            sourceOverRowConstAlpha(d, s, w, uint32_t(constAlpha));
    }
}

// Straight to premultiplied, in place; rows of words, eight a turn through planes.
void raster_premultiply_neon(Rgb32* line, int w)
{
    uint8_t* p = reinterpret_cast<uint8_t*>(line);
    for (; w >= 8; w -= 8, p += 32) {
        uint8x8x4_t q = vld4_u8(p);
        const uint8x8_t a = q.val[3];
        for (int c = 0; c < 3; ++c) {
            uint16x8_t t = vmull_u8(q.val[c], a);
            t = vrsraq_n_u16(t, t, 8);
            q.val[c] = vrshrn_n_u16(t, 8);
        }
        vst4_u8(p, q);
    }
    for (; w > 0; --w, p += 4) {
        uint32_t v;
        memcpy(&v, p, 4);
        const uint32_t a = v >> 24;
        v = (byteMulScalar(v, a) & 0xffffffu) | a << 24;
        memcpy(p, &v, 4);
    }
}

// Glyph with 8 bit coverage on opaque RGB16. The colour comes as 5:6:5 already.
void raster_glyph_rgb16_neon(uint16_t* dst, const uint8_t* coverage, uint16_t colour, int w)
{
    const uint16x8_t cr = vdupq_n_u16(colour >> 11);
    const uint16x8_t cg = vdupq_n_u16((colour >> 5) & 63);
    const uint16x8_t cb = vdupq_n_u16(colour & 31);
    const uint16x8_t m5 = vdupq_n_u16(31), m6 = vdupq_n_u16(63);
    int x = 0;
    for (; x + 8 <= w; x += 8) {
        const uint16x8_t c = vmovl_u8(vld1_u8(coverage + x));
        const uint16x8_t a = vaddq_u16(c, vshrq_n_u16(c, 7)); // 0..256
        const uint16x8_t ia = vsubq_u16(vdupq_n_u16(256), a);
        const uint16x8_t d = vld1q_u16(dst + x);
        uint16x8_t r = vmulq_u16(vshrq_n_u16(d, 11), ia);
        uint16x8_t g = vmulq_u16(vandq_u16(vshrq_n_u16(d, 5), m6), ia);
        uint16x8_t b = vmulq_u16(vandq_u16(d, m5), ia);
        r = vshrq_n_u16(vmlaq_u16(r, cr, a), 8);
        g = vshrq_n_u16(vmlaq_u16(g, cg, a), 8);
        b = vshrq_n_u16(vmlaq_u16(b, cb, a), 8);
        b = vsliq_n_u16(b, g, 5);
        vst1q_u16(dst + x, vsliq_n_u16(b, r, 11));
    }
    for (; x < w; ++x) {
        const int a = coverage[x] + (coverage[x] >> 7);
        const int d = dst[x];
        const int r = ((d >> 11) * (256 - a) + (colour >> 11) * a) >> 8;
        const int g = ((d >> 5 & 63) * (256 - a) + (colour >> 5 & 63) * a) >> 8;
        const int b = ((d & 31) * (256 - a) + (colour & 31) * a) >> 8;
        dst[x] = uint16_t(r << 11 | g << 5 | b);
    }
}

// Pad spread of a linear gradient: 16.16 positions step along the span, the table has 256
// colours. Positions of four pixels are clamped as a vector, the fetch is by lane.
void raster_fetch_linear_neon(Rgb32* out, const Rgb32* table, int32_t t, int32_t step, int w)
{
    const int32x4_t zero = vdupq_n_s32(0), top = vdupq_n_s32(255);
    const int32_t start[4] = { t, int32_t(uint32_t(t) + uint32_t(step)),
                               int32_t(uint32_t(t) + 2u * uint32_t(step)), int32_t(uint32_t(t) + 3u * uint32_t(step)) };
    int32x4_t pos = vld1q_s32(start);
    const int32x4_t step4 = vshlq_n_s32(vdupq_n_s32(step), 2);
    while (w >= 4) {
        const int32x4_t i = vminq_s32(vmaxq_s32(vrshrq_n_s32(pos, 16), zero), top);
        uint32x4_t c = vdupq_n_u32(table[vgetq_lane_s32(i, 0)]);
        c = vld1q_lane_u32(table + vgetq_lane_s32(i, 1), c, 1);
        c = vld1q_lane_u32(table + vgetq_lane_s32(i, 2), c, 2);
        c = vld1q_lane_u32(table + vgetq_lane_s32(i, 3), c, 3);
        vst1q_u32(out, c);
        out += 4;
        w -= 4;
        pos = vaddq_s32(pos, step4);
    }
    t = vgetq_lane_s32(pos, 0);
    for (int k = 0; k < w; ++k) {
        const int64_t i = (int64_t(t) + 0x8000) >> 16;
        out[k] = table[i < 0 ? 0 : i > 255 ? 255 : i];
        t = int32_t(uint32_t(t) + uint32_t(step));
    }
}

// One tap per line, any number of lines: vertical pass of the smooth scaler. Coefficients are
// signed Q14 and add up to 16384; 32 bit sums. Two vectors of eight a turn, then one, then bytes.
void raster_scale_rows_neon(uint8_t* dst, const uint8_t* const* lines, const int16_t* coef, int taps, int w)
{
    int x = 0;
    for (; x + 16 <= w; x += 16) {
        int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0;
        for (int k = 0; k < taps; ++k) {
            const uint8x16_t v = vld1q_u8(lines[k] + x);
            const int16x8_t lo = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(v)));
            const int16x8_t hi = vreinterpretq_s16_u16(vmovl_high_u8(v));
            const int16x4_t c = vld1_dup_s16(coef + k);
            s0 = vmlal_s16(s0, vget_low_s16(lo), c);
            s1 = vmlal_s16(s1, vget_high_s16(lo), c);
            s2 = vmlal_s16(s2, vget_low_s16(hi), c);
            s3 = vmlal_s16(s3, vget_high_s16(hi), c);
        }
        const uint16x8_t a = vcombine_u16(vqrshrun_n_s32(s0, 14), vqrshrun_n_s32(s1, 14));
        const uint16x8_t b = vcombine_u16(vqrshrun_n_s32(s2, 14), vqrshrun_n_s32(s3, 14));
        vst1q_u8(dst + x, vqmovn_high_u16(vqmovn_u16(a), b));
    }
    if (x + 8 <= w) {
        int32x4_t s0 = vdupq_n_s32(0), s1 = s0;
        for (int k = 0; k < taps; ++k) {
            const int16x8_t v = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(lines[k] + x)));
            s0 = vmlal_n_s16(s0, vget_low_s16(v), coef[k]);
            s1 = vmlal_n_s16(s1, vget_high_s16(v), coef[k]);
        }
        vst1_u8(dst + x, vqmovn_u16(vcombine_u16(vqrshrun_n_s32(s0, 14), vqrshrun_n_s32(s1, 14))));
        x += 8;
    }
    for (; x < w; ++x) {
        int s = 1 << 13;
        for (int k = 0; k < taps; ++k)
            s += lines[k][x] * coef[k];
        s >>= 14;
        dst[x] = uint8_t(s < 0 ? 0 : s > 255 ? 255 : s);
    }
}

// Horizontal convolution with seven signed 8 bit taps, shift and offset by parameter. The next
// sixteen bytes are under way while the current ones are worked on. Reads 3 to the left and up to
// 13 past the end of the last full block; the engine's line buffer has 32 on both sides.
void raster_convolve7_neon(uint8_t* dst, const uint8_t* src, const int8_t taps[7], int shift, int offset, int w)
{
    const int16x8_t k = { taps[0], taps[1], taps[2], taps[3], taps[4], taps[5], taps[6], 0 };
    const int16x4_t klo = vget_low_s16(k);
    const int16x4_t khi = vget_high_s16(k);
    const int32x4_t sh = vdupq_n_s32(-shift);
    const int32x4_t off = vdupq_n_s32(offset);
    int x = 0;

    if (w >= 8) {
        uint8x16_t win = vld1q_u8(src - 3);
        do {
            const uint8x16_t ahead = vld1q_u8(src + x + 5); // eight further on
            const int16x8_t a = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(win)));
            const int16x8_t b = vreinterpretq_s16_u16(vmovl_high_u8(win));
            int32x4_t lo = vmull_lane_s16(vget_low_s16(a), klo, 0);
            int32x4_t hi = vmull_lane_s16(vget_high_s16(a), klo, 0);
            int16x8_t v = vextq_s16(a, b, 1);
            lo = vmlal_lane_s16(lo, vget_low_s16(v), klo, 1);
            hi = vmlal_lane_s16(hi, vget_high_s16(v), klo, 1);
            v = vextq_s16(a, b, 2);
            lo = vmlal_lane_s16(lo, vget_low_s16(v), klo, 2);
            hi = vmlal_lane_s16(hi, vget_high_s16(v), klo, 2);
            v = vextq_s16(a, b, 3);
            lo = vmlal_lane_s16(lo, vget_low_s16(v), klo, 3);
            hi = vmlal_lane_s16(hi, vget_high_s16(v), klo, 3);
            v = vextq_s16(a, b, 4);
            lo = vmlal_lane_s16(lo, vget_low_s16(v), khi, 0);
            hi = vmlal_lane_s16(hi, vget_high_s16(v), khi, 0);
            v = vextq_s16(a, b, 5);
            lo = vmlal_lane_s16(lo, vget_low_s16(v), khi, 1);
            hi = vmlal_lane_s16(hi, vget_high_s16(v), khi, 1);
            v = vextq_s16(a, b, 6);
            lo = vmlal_lane_s16(lo, vget_low_s16(v), khi, 2);
            hi = vmlal_lane_s16(hi, vget_high_s16(v), khi, 2);
            lo = vaddq_s32(vshlq_s32(lo, sh), off); // truncates down, as the file format says
            hi = vaddq_s32(vshlq_s32(hi, sh), off);
            vst1_u8(dst + x, vqmovn_u16(vcombine_u16(vqmovun_s32(lo), vqmovun_s32(hi))));
            win = ahead;
            x += 8;
        } while (x + 8 <= w);
    }
    for (; x < w; ++x) {
        int s = 0;
        for (int i = 0; i < 7; ++i)
            s += src[x - 3 + i] * taps[i];
        s = (s >> shift) + offset;
        dst[x] = uint8_t(s < 0 ? 0 : s > 255 ? 255 : s);
    }
}

// Soft light of the effects framework, straight colours, alpha of dst stays:
// d + (2 s - 255) * d * (255 - d) / 65536, all in Q0 with truncation toward minus infinity.
void raster_soft_light_neon(Rgb32* dst, const Rgb32* src, int w)
{
    const int16x8_t k255 = vdupq_n_s16(255);
    const uint8x16_t keep = vreinterpretq_u8_u32(vdupq_n_u32(0xff000000u));
    for (; w >= 4; w -= 4, dst += 4, src += 4) {
        const uint8x16_t s = vreinterpretq_u8_u32(vld1q_u32(src));
        const uint8x16_t d = vreinterpretq_u8_u32(vld1q_u32(dst));
        const uint8x16_t nd = vmvnq_u8(d);
        const int16x8_t slo = vsubq_s16(vreinterpretq_s16_u16(vshll_n_u8(vget_low_u8(s), 1)), k255);
        const int16x8_t shi = vsubq_s16(vreinterpretq_s16_u16(vshll_n_u8(vget_high_u8(s), 1)), k255);
        // d * (255 - d) is 16256 at most and fits a signed half
        const int16x8_t plo = vreinterpretq_s16_u16(vmull_u8(vget_low_u8(d), vget_low_u8(nd)));
        const int16x8_t phi = vreinterpretq_s16_u16(vmull_high_u8(d, nd));
        const int16x4_t r0 = vshrn_n_s32(vmull_s16(vget_low_s16(slo), vget_low_s16(plo)), 16);
        const int16x4_t r1 = vshrn_n_s32(vmull_high_s16(slo, plo), 16);
        const int16x4_t r2 = vshrn_n_s32(vmull_s16(vget_low_s16(shi), vget_low_s16(phi)), 16);
        const int16x4_t r3 = vshrn_n_s32(vmull_high_s16(shi, phi), 16);
        const uint8x8_t lo = vqmovun_s16(vreinterpretq_s16_u16(vaddw_u8(vreinterpretq_u16_s16(vcombine_s16(r0, r1)), vget_low_u8(d))));
        const uint8x8_t hi = vqmovun_s16(vreinterpretq_s16_u16(vaddw_u8(vreinterpretq_u16_s16(vcombine_s16(r2, r3)), vget_high_u8(d))));
        const uint8x16_t r = vbslq_u8(keep, d, vcombine_u8(lo, hi));
        vst1q_u32(dst, vreinterpretq_u32_u8(r));
    }
    for (; w > 0; --w, ++dst, ++src) {
        uint32_t out = *dst & 0xff000000u;
        for (int b = 0; b < 24; b += 8) {
            const int s = *src >> b & 255, d = *dst >> b & 255;
            int v = d + (((2 * s - 255) * (d * (255 - d))) >> 16);
            v = v < 0 ? 0 : v > 255 ? 255 : v;
            out |= uint32_t(v) << b;
        }
        *dst = out;
    }
}

// Fill of a span of 24 bit pixels: three vectors hold sixteen pixels, the head is peeled so that
// stores are aligned. At an odd address a pixel may straddle, so the phase is turned by table.
void raster_fill24_neon(uint8_t* dst, uint32_t rgb, int n)
{
    const uint8_t c[3] = { uint8_t(rgb >> 16), uint8_t(rgb >> 8), uint8_t(rgb) };
    int bytes = 3 * n, phase = 0;
    while (bytes > 0 && (reinterpret_cast<uintptr_t>(dst) & 15)) {
        *dst++ = c[phase];
        phase = phase == 2 ? 0 : phase + 1;
        --bytes;
    }
    if (bytes >= 48) {
        static const uint8_t turn[3][16] = {
            { 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0 },
            { 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1 },
            { 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2 },
        };
        const uint8x16_t base = vreinterpretq_u8_u32(vdupq_n_u32(c[0] | uint32_t(c[1]) << 8 | uint32_t(c[2]) << 16));
        const uint8x16_t v0 = vqtbl1q_u8(base, vld1q_u8(turn[phase]));
        const uint8x16_t v1 = vqtbl1q_u8(base, vld1q_u8(turn[(phase + 1) % 3]));
        const uint8x16_t v2 = vqtbl1q_u8(base, vld1q_u8(turn[(phase + 2) % 3]));
        do {
            vst1q_u8(dst, v0);
            vst1q_u8(dst + 16, v1);
            vst1q_u8(dst + 32, v2);
            dst += 48;
            bytes -= 48;
        } while (bytes >= 48);
    }
    for (; bytes > 0; --bytes) {
        *dst++ = c[phase];
        phase = phase == 2 ? 0 : phase + 1;
    }
}
