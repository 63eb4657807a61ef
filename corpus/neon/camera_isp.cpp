// flags: -target aarch64-linux-gnu
/******************************************************************************
 * camera_isp.cpp
 *
 * Software ISP of the capture SDK: unpacking, sensor corrections, conversions.
 * Raw samples are uint16_t with 10 to 14 significant bits. Widths of YUV formats
 * are even.
 ******************************************************************************/

#include <arm_neon.h>
#include <cstddef>
#include <cstdint>

namespace {

struct YuvToRgbQ6
{
    static const int kY = 75, kRV = 102, kGU = 25, kGV = 52, kBU = 129; // BT.601, studio range
};

inline uint8_t sat8(int v) { return uint8_t(v < 0 ? 0 : v > 255 ? 255 : v); }
inline int sat16(int v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }

inline uint8x8_t channel(int16x8_t y, int16x8_t c)
{
    return vqrshrun_n_s16(vqaddq_s16(y, c), 6);
}

} // namespace

// MIPI RAW10: four high bytes, then one byte with the four low pairs. n % 4 == 0.
// Sixteen bytes are loaded for the ten of the two groups that are used, so the last
// groups of a line go through the plain loop.
void isp_unpack_raw10_neon(uint16_t* dst, const uint8_t* src, int n)
{
    static const uint8_t hiIdx[8] = { 0, 1, 2, 3, 5, 6, 7, 8 };
    static const uint8_t loIdx[8] = { 4, 4, 4, 4, 9, 9, 9, 9 };
    static const int16_t shifts[8] = { 0, -2, -4, -6, 0, -2, -4, -6 };
    const uint8x8_t hi = vld1_u8(hiIdx), lo = vld1_u8(loIdx);
    const int16x8_t sh = vld1q_s16(shifts);
    const uint16x8_t three = vdupq_n_u16(3);

    while (n >= 16) { // 20 bytes left, so 16 are there
        const uint8x16_t v = vld1q_u8(src);
        const uint16x8_t h = vshll_n_u8(vqtbl1_u8(v, hi), 2);
        const uint16x8_t l = vshlq_u16(vmovl_u8(vqtbl1_u8(v, lo)), sh);
        vst1q_u16(dst, vorrq_u16(h, vandq_u16(l, three)));
        src += 10;
        dst += 8;
        n -= 8;
    }
    for (; n >= 4; n -= 4, src += 5, dst += 4)
        for (int k = 0; k < 4; ++k)
            dst[k] = uint16_t(src[k] << 2 | (src[4] >> (2 * k) & 3));
}

// Black level and white balance for a line of a Bayer mosaic: two gains in Q8 alternate.
void isp_black_gain_neon(uint16_t* line, int n, uint16_t black, uint16_t gainEven, uint16_t gainOdd, uint16_t white)
{
    const uint16x8_t vb = vdupq_n_u16(black);
    const uint16x8_t vw = vdupq_n_u16(white);
    const uint16x4x2_t g = vzip_u16(vdup_n_u16(gainEven), vdup_n_u16(gainOdd));
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint16x8_t v = vqsubq_u16(vld1q_u16(line + i), vb);
        const uint16x4_t lo = vqrshrn_n_u32(vmull_u16(vget_low_u16(v), g.val[0]), 8);
        const uint16x8_t r = vqrshrn_high_n_u32(lo, vmull_u16(vget_high_u16(v), g.val[0]), 8);
        vst1q_u16(line + i, vminq_u16(r, vw));
    }
    for (; i < n; ++i) {
        const uint32_t v = line[i] > black ? line[i] - black : 0;
        const uint64_t r = (uint64_t(v) * (i & 1 ? gainOdd : gainEven) + 128) >> 8;
        line[i] = uint16_t(r > white ? white : r);
    }
}

// 2x2 binning of one RGGB quad row pair to R, G, B planes; green is the rounded mean.
void isp_bin_rggb_neon(uint16_t* r, uint16_t* g, uint16_t* b, const uint16_t* row0, const uint16_t* row1, int quads)
{
    int i = 0;
    for (; i + 8 <= quads; i += 8) {
        const uint16x8x2_t t = vld2q_u16(row0 + 2 * i);
        const uint16x8x2_t u = vld2q_u16(row1 + 2 * i);
        vst1q_u16(r + i, t.val[0]);
        vst1q_u16(g + i, vrhaddq_u16(t.val[1], u.val[0]));
        vst1q_u16(b + i, u.val[1]);
    }
    for (; i < quads; ++i) {
        r[i] = row0[2 * i];
        g[i] = uint16_t((uint32_t(row0[2 * i + 1]) + row1[2 * i] + 1) >> 1);
        b[i] = row1[2 * i + 1];
    }
}

// Dead pixels: a sample that is off from both neighbours of its colour by more than the
// threshold, to the same side, gets their mean. Reads two samples to either side.
void isp_dead_pixel_neon(uint16_t* dst, const uint16_t* src, int n, uint16_t threshold)
{
    const uint16x8_t th = vdupq_n_u16(threshold);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint16x8_t l = vld1q_u16(src + i - 2);
        const uint16x8_t c = vld1q_u16(src + i);
        const uint16x8_t r = vld1q_u16(src + i + 2);
        const uint16x8_t hot = vcgtq_u16(vqsubq_u16(c, vmaxq_u16(l, r)), th);
        const uint16x8_t cold = vcgtq_u16(vqsubq_u16(vminq_u16(l, r), c), th);
        vst1q_u16(dst + i, vbslq_u16(vorrq_u16(hot, cold), vhaddq_u16(l, r), c));
    }
    for (; i < n; ++i) {
        const int l = src[i - 2], c = src[i], r = src[i + 2];
        const int top = l > r ? l : r, low = l > r ? r : l;
        dst[i] = uint16_t(c - top > threshold || low - c > threshold ? (l + r) >> 1 : c);
    }
}

// Tone curve of 64 knots for the upper six bits of a byte; the step between is not filled in
// (preview only).
void isp_tone64_neon(uint8_t* dst, const uint8_t* src, int n, const uint8_t curve[64])
{
    const uint8x16x4_t t = vld1q_u8_x4(curve);
    int i = 0;
    for (; i + 16 <= n; i += 16)
        vst1q_u8(dst + i, vqtbl4q_u8(t, vshrq_n_u8(vld1q_u8(src + i), 2)));
    for (; i < n; ++i)
        dst[i] = curve[src[i] >> 2];
}

// Full 256 entry look-up. Four tables of 64, an index outside of one leaves what is there.
void isp_lut256_neon(uint8_t* dst, const uint8_t* src, int n, const uint8_t lut[256])
{
    uint8x16x4_t t[4];
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 4; ++j)
            t[k].val[j] = vld1q_u8(lut + 64 * k + 16 * j);
    const uint8x16_t step = vdupq_n_u8(64);
    for (; n >= 16; n -= 16, src += 16, dst += 16) {
        uint8x16_t i = vld1q_u8(src);
        uint8x16_t v = vqtbl4q_u8(t[0], i);
        i = vsubq_u8(i, step);
        v = vqtbx4q_u8(v, t[1], i);
        i = vsubq_u8(i, step);
        v = vqtbx4q_u8(v, t[2], i);
        i = vsubq_u8(i, step);
        v = vqtbx4q_u8(v, t[3], i);
        vst1q_u8(dst, v);
    }
    while (n-- > 0)
        *dst++ = lut[*src++];
}

// YUYV to planar 4:2:2.
void isp_yuyv_to_planes_neon(uint8_t* y, uint8_t* u, uint8_t* v, const uint8_t* yuyv, int w)
{
    int x = 0;
    for (; x + 16 <= w; x += 16) {
        const uint8x8x4_t q = vld4_u8(yuyv + 2 * x);
        uint8x8x2_t yy;
        yy.val[0] = q.val[0];
        yy.val[1] = q.val[2];
        vst2_u8(y + x, yy);
        vst1_u8(u + x / 2, q.val[1]);
        vst1_u8(v + x / 2, q.val[3]);
    }
    for (; x < w; x += 2) {
        y[x] = yuyv[2 * x];
        u[x / 2] = yuyv[2 * x + 1];
        y[x + 1] = yuyv[2 * x + 2];
        v[x / 2] = yuyv[2 * x + 3];
    }
}

// NV12 to RGB24, one line of luma with its line of pairs. 6 bit coefficients; sums saturate at
// 16 bit before the shift, the plain loop does the same.
void isp_nv12_to_rgb_neon(uint8_t* rgb, const uint8_t* y, const uint8_t* uv, int w)
{
    typedef YuvToRgbQ6 K;
    const uint8x8_t y16 = vdup_n_u8(16);
    const uint8x8_t c128 = vdup_n_u8(128);
    int x = 0;
    for (; x + 16 <= w; x += 16) {
        const uint8x8x2_t c = vld2_u8(uv + x);
        const int16x8_t u = vreinterpretq_s16_u16(vsubl_u8(c.val[0], c128));
        const int16x8_t v = vreinterpretq_s16_u16(vsubl_u8(c.val[1], c128));
        const int16x8_t rv = vmulq_n_s16(v, K::kRV);
        const int16x8_t guv = vnegq_s16(vmlaq_n_s16(vmulq_n_s16(u, K::kGU), v, K::kGV));
        const int16x8_t bu = vmulq_n_s16(u, K::kBU);
        const uint8x8x2_t yy = vld2_u8(y + x);
        const int16x8_t ye = vmulq_n_s16(vreinterpretq_s16_u16(vmovl_u8(vqsub_u8(yy.val[0], y16))), K::kY);
        const int16x8_t yo = vmulq_n_s16(vreinterpretq_s16_u16(vmovl_u8(vqsub_u8(yy.val[1], y16))), K::kY);
        uint8x16x3_t out;
        const uint8x8x2_t r = vzip_u8(channel(ye, rv), channel(yo, rv));
        const uint8x8x2_t g = vzip_u8(channel(ye, guv), channel(yo, guv));
        const uint8x8x2_t b = vzip_u8(channel(ye, bu), channel(yo, bu));
        out.val[0] = vcombine_u8(r.val[0], r.val[1]);
        out.val[1] = vcombine_u8(g.val[0], g.val[1]);
        out.val[2] = vcombine_u8(b.val[0], b.val[1]);
        vst3q_u8(rgb + 3 * x, out);
    }
    for (; x < w; ++x) {
        const int u = uv[x & ~1] - 128, v = uv[x | 1] - 128;
        const int l = (y[x] > 16 ? y[x] - 16 : 0) * K::kY;
        rgb[3 * x + 0] = sat8((sat16(l + K::kRV * v) + 32) >> 6);
        rgb[3 * x + 1] = sat8((sat16(l - K::kGU * u - K::kGV * v) + 32) >> 6);
        rgb[3 * x + 2] = sat8((sat16(l + K::kBU * u) + 32) >> 6);
    }
}

// BGR24 or RGB24 to grey, 77/150/29.
template <bool Bgr>
static void rgbToGrey(uint8_t* dst, const uint8_t* src, int n)
{
    const uint8x8_t k0 = vdup_n_u8(Bgr ? 29 : 77);
    const uint8x8_t k1 = vdup_n_u8(150);
    const uint8x8_t k2 = vdup_n_u8(Bgr ? 77 : 29);
    const uint8_t* const end = dst + n;
    for (; end - dst >= 8; dst += 8, src += 24) {
        const uint8x8x3_t p = vld3_u8(src);
        vst1_u8(dst, vrshrn_n_u16(vmlal_u8(vmlal_u8(vmull_u8(p.val[0], k0), p.val[1], k1), p.val[2], k2), 8));
    }
    for (; dst != end; ++dst, src += 3)
        *dst = uint8_t(((Bgr ? 29 : 77) * src[0] + 150 * src[1] + (Bgr ? 77 : 29) * src[2] + 128) >> 8);
}

void isp_rgb_to_grey_neon(uint8_t* dst, const uint8_t* src, int n, int bgr)
{
    if (bgr)
        rgbToGrey<true>(dst, src, n);
    else
        rgbToGrey<false>(dst, src, n);
}

// RGB565 to RGBA with the upper bits repeated below; alpha is 255.
void isp_565_to_rgba_neon(uint8_t* dst, const uint16_t* src, int n)
{
    uint8x8x4_t o;
    o.val[3] = vdup_n_u8(255);
    while (n >= 8) {
        const uint16x8_t p = vld1q_u16(src);
        uint8x8_t r = vshrn_n_u16(p, 8);               // RRRRRGGG
        uint8x8_t g = vshrn_n_u16(vshlq_n_u16(p, 5), 8); // GGGGGGBB
        uint8x8_t b = vmovn_u16(vshlq_n_u16(p, 3));    // BBBBB000
        r = vsri_n_u8(r, r, 5);
        g = vsri_n_u8(g, g, 6);
        b = vsri_n_u8(b, b, 5);
        o.val[0] = r;
        o.val[1] = g;
        o.val[2] = b;
        vst4_u8(dst, o);
        src += 8;
        dst += 32;
        n -= 8;
    }
    for (; n > 0; --n, ++src, dst += 4) {
        const int r = *src >> 11, g = *src >> 5 & 63, b = *src & 31;
        dst[0] = uint8_t(r << 3 | r >> 2);
        dst[1] = uint8_t(g << 2 | g >> 4);
        dst[2] = uint8_t(b << 3 | b >> 2);
        dst[3] = 255;
    }
}

// RGBA to RGB565, truncating, with shift-and-insert.
void isp_rgba_to_565_neon(uint16_t* dst, const uint8_t* src, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint8x8x4_t p = vld4_u8(src + 4 * i);
        uint16x8_t v = vshll_n_u8(p.val[0], 8);
        v = vsriq_n_u16(v, vshll_n_u8(p.val[1], 8), 5);
        v = vsriq_n_u16(v, vshll_n_u8(p.val[2], 8), 11);
        vst1q_u16(dst + i, v);
    }
    for (; i < n; ++i)
        dst[i] = uint16_t((src[4 * i] & 0xf8) << 8 | (src[4 * i + 1] & 0xfc) << 3 | src[4 * i + 2] >> 3);
}

// Mirror a line of RGBA pixels into another one.
void isp_mirror_rgba_neon(uint32_t* dst, const uint32_t* src, int n)
{
    const uint32_t* s = src + n;
    for (; n >= 4; n -= 4, dst += 4) {
        s -= 4;
        const uint32x4_t v = vrev64q_u32(vld1q_u32(s));
        vst1q_u32(dst, vextq_u32(v, v, 2));
    }
    while (n-- > 0)
        *dst++ = *--s;
}

// Exposure metering: sum and peak over a window; returns the sum, the peak goes to *peak.
uint32_t isp_meter_neon(const uint8_t* y, ptrdiff_t pitch, int w, int h, uint8_t* peak)
{
    uint32x4_t sum = vdupq_n_u32(0);
    uint8x16_t top = vdupq_n_u8(0);
    uint32_t restSum = 0;
    uint8_t restTop = 0;
    for (int j = 0; j < h; ++j, y += pitch) {
        int x = 0;
        for (; x + 16 <= w; x += 16) {
            const uint8x16_t v = vld1q_u8(y + x);
            sum = vpadalq_u16(sum, vpaddlq_u8(v));
            top = vmaxq_u8(top, v);
        }
        for (; x < w; ++x) {
            restSum += y[x];
            if (y[x] > restTop)
                restTop = y[x];
        }
    }
    const uint8_t m = vmaxvq_u8(top);
    *peak = m > restTop ? m : restTop;
    return restSum + vaddvq_u32(sum);
}

// 1 2 1 on a line, for the viewfinder. Lines are padded to a multiple of 16 samples and have 16
// readable ones in front and behind: whole vectors are written over the padding, on purpose.
void isp_soft121_padded_neon(uint8_t* dst, const uint8_t* src, int w)
{
    uint8x16_t prev = vld1q_u8(src - 16);
    uint8x16_t cur = vld1q_u8(src);
    for (int x = 0; x < w; x += 16) {
        const uint8x16_t next = vld1q_u8(src + x + 16);
        const uint8x16_t l = vextq_u8(prev, cur, 15);
        const uint8x16_t r = vextq_u8(cur, next, 1);
        // floor of the outer mean, then a rounded mean with the centre: not (l + 2c + r + 2) / 4
        vst1q_u8(dst + x, vrhaddq_u8(vhaddq_u8(l, r), cur));
        prev = cur;
        cur = next;
    }
}
