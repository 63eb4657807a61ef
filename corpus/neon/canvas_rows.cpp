// flags: -target aarch64-linux-gnu
//
// canvas_rows.cpp - row compositors of the brush engine, ARM build
//
// Pixels are R,G,B,A bytes, premultiplied unless a function says otherwise. `n` counts pixels.
// Rows come from the tile cache at any byte address; a row is never its own source.

#include <arm_neon.h>
#include <cstddef>
#include <cstdint>

namespace {

const int kLanes = 8;

// x / 255 rounded, exact for products of two bytes
inline uint8x8_t div255(uint16x8_t x)
{
    return vraddhn_u16(x, vrshrq_n_u16(x, 8));
}

inline uint8x8_t mul255(uint8x8_t a, uint8x8_t b)
{
    return div255(vmull_u8(a, b));
}

inline int mul255(int a, int b)
{
    const int t = a * b;
    return (t + ((t + 128) >> 8) + 128) >> 8;
}

inline uint8_t clip255(int v)
{
    return uint8_t(v > 255 ? 255 : v);
}

struct Darken
{
    static uint8x16_t apply(uint8x16_t s, uint8x16_t d) { return vminq_u8(s, d); }
    static uint8_t apply(uint8_t s, uint8_t d) { return s < d ? s : d; }
};

struct Lighten
{
    static uint8x16_t apply(uint8x16_t s, uint8x16_t d) { return vmaxq_u8(s, d); }
    static uint8_t apply(uint8_t s, uint8_t d) { return s > d ? s : d; }
};

struct Difference
{
    static uint8x16_t apply(uint8x16_t s, uint8x16_t d) { return vabdq_u8(s, d); }
    static uint8_t apply(uint8_t s, uint8_t d) { return uint8_t(s > d ? s - d : d - s); }
};

// Separable modes that keep the alpha of the destination.
template <class Mode>
void keepAlphaRow(uint8_t* dst, const uint8_t* src, int n)
{
    const uint8x16_t alpha = vreinterpretq_u8_u32(vdupq_n_u32(0xff000000u));
    for (; n >= 4; n -= 4, dst += 16, src += 16) {
        const uint8x16_t d = vld1q_u8(dst);
        const uint8x16_t r = Mode::apply(vld1q_u8(src), d);
        vst1q_u8(dst, vbslq_u8(alpha, d, r));
    }
    for (; n > 0; --n, dst += 4, src += 4)
        for (int c = 0; c < 3; ++c)
            dst[c] = Mode::apply(src[c], dst[c]);
}

} // namespace

void canvas_over_neon(uint8_t* dst, const uint8_t* src, int n)
{
    int i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        const uint8x8x4_t s = vld4_u8(src + 4 * i);
        uint8x8x4_t d = vld4_u8(dst + 4 * i);
        const uint8x8_t ia = vmvn_u8(s.val[3]);
        d.val[0] = vqadd_u8(s.val[0], mul255(d.val[0], ia));
        d.val[1] = vqadd_u8(s.val[1], mul255(d.val[1], ia));
        d.val[2] = vqadd_u8(s.val[2], mul255(d.val[2], ia));
        d.val[3] = vqadd_u8(s.val[3], mul255(d.val[3], ia));
        vst4_u8(dst + 4 * i, d);
    }
    for (; i < n; ++i) {
        const int ia = 255 - src[4 * i + 3];
        for (int c = 0; c < 4; ++c)
            dst[4 * i + c] = clip255(src[4 * i + c] + mul255(dst[4 * i + c], ia));
    }
}

// Brush dab of one colour through an 8 bit mask.
void canvas_dab_neon(uint8_t* dst, const uint8_t* mask, uint32_t rgba, int n)
{
    const uint8_t c[4] = { uint8_t(rgba), uint8_t(rgba >> 8), uint8_t(rgba >> 16), uint8_t(rgba >> 24) };
    const uint8x8_t cr = vdup_n_u8(c[0]);
    const uint8x8_t cg = vdup_n_u8(c[1]);
    const uint8x8_t cb = vdup_n_u8(c[2]);
    const uint8x8_t ca = vdup_n_u8(c[3]);

    while (n >= kLanes) {
        const uint8x8_t m = vld1_u8(mask);
        // most of a dab's bounding box is empty
        if (vget_lane_u64(vreinterpret_u64_u8(m), 0) != 0) {
            uint8x8x4_t d = vld4_u8(dst);
            const uint8x8_t ia = vmvn_u8(mul255(ca, m));
            d.val[0] = vqadd_u8(mul255(cr, m), mul255(d.val[0], ia));
            d.val[1] = vqadd_u8(mul255(cg, m), mul255(d.val[1], ia));
            d.val[2] = vqadd_u8(mul255(cb, m), mul255(d.val[2], ia));
            d.val[3] = vqadd_u8(mul255(ca, m), mul255(d.val[3], ia));
            vst4_u8(dst, d);
        }
        mask += kLanes;
        dst += 4 * kLanes;
        n -= kLanes;
    }
    while (n-- > 0) {
        const int m = *mask++;
        const int ia = 255 - mul255(c[3], m);
        for (int k = 0; k < 4; ++k)
            dst[k] = clip255(mul255(c[k], m) + mul255(dst[k], ia));
        dst += 4;
    }
}

// Cross-fade of two layers by a mask, both sides rounded together.
void canvas_mix_mask_neon(uint8_t* dst, const uint8_t* a, const uint8_t* b, const uint8_t* mask, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint8x8_t m = vld1_u8(mask + i);
        const uint8x8_t im = vmvn_u8(m);
        const uint8x8x4_t va = vld4_u8(a + 4 * i);
        const uint8x8x4_t vb = vld4_u8(b + 4 * i);
        uint8x8x4_t r;
        for (int c = 0; c < 4; ++c)
            r.val[c] = div255(vmlal_u8(vmull_u8(va.val[c], im), vb.val[c], m));
        vst4_u8(dst + 4 * i, r);
    }
    for (; i < n; ++i) {
        const int m = mask[i];
        for (int c = 0; c < 4; ++c) {
            const int t = a[4 * i + c] * (255 - m) + b[4 * i + c] * m;
            dst[4 * i + c] = uint8_t((t + ((t + 128) >> 8) + 128) >> 8);
        }
    }
}

void canvas_darken_neon(uint8_t* dst, const uint8_t* src, int n)
{
    keepAlphaRow<Darken>(dst, src, n);
}

void canvas_lighten_neon(uint8_t* dst, const uint8_t* src, int n)
{
    keepAlphaRow<Lighten>(dst, src, n);
}

void canvas_difference_neon(uint8_t* dst, const uint8_t* src, int n)
{
    keepAlphaRow<Difference>(dst, src, n);
}

// Screen on all four channels, d + s - d * s. sixteen bytes a time, bytes are all alike.
void canvas_screen_neon(uint8_t* dst, const uint8_t* src, int n)
{
    int bytes = 4 * n;
    for (; bytes >= 16; bytes -= 16) {
        const uint8x16_t s = vmvnq_u8(vld1q_u8(src));
        const uint8x16_t d = vmvnq_u8(vld1q_u8(dst));
        const uint8x8_t lo = mul255(vget_low_u8(s), vget_low_u8(d));
        const uint8x8_t hi = div255(vmull_high_u8(s, d));
        vst1q_u8(dst, vmvnq_u8(vcombine_u8(lo, hi)));
        src += 16;
        dst += 16;
    }
    for (; bytes > 0; --bytes, ++src, ++dst)
        *dst = uint8_t(255 - mul255(255 - *src, 255 - *dst));
}

// Overlay, not premultiplied, alpha of dst stays. Both branches are computed and picked from.
void canvas_overlay_neon(uint8_t* dst, const uint8_t* src, int n)
{
    const uint8x8_t half = vdup_n_u8(128);
    for (; n >= 8; n -= 8) {
        const uint8x8x4_t s = vld4_u8(src);
        uint8x8x4_t d = vld4_u8(dst);
        for (int c = 0; c < 3; ++c) {
            const uint8x8_t p = mul255(s.val[c], d.val[c]);
            const uint8x8_t q = mul255(vmvn_u8(s.val[c]), vmvn_u8(d.val[c]));
            const uint8x8_t dark = vqadd_u8(p, p);
            const uint8x8_t light = vmvn_u8(vqadd_u8(q, q));
            d.val[c] = vbsl_u8(vcge_u8(d.val[c], half), light, dark);
        }
        vst4_u8(dst, d);
        src += 32;
        dst += 32;
    }
    for (; n > 0; --n, src += 4, dst += 4)
        for (int c = 0; c < 3; ++c) {
            if (dst[c] >= 128)
                dst[c] = uint8_t(255 - clip255(2 * mul255(255 - src[c], 255 - dst[c])));
            else
                dst[c] = clip255(2 * mul255(src[c], dst[c]));
        }
}

// Straight colour from premultiplied, for the colour picker and PNG export. Pixels without
// alpha come out black. The estimate and two steps are good to 1e-7; the small bias keeps
// ties on the upper side.
void canvas_unpremultiply_neon(uint8_t* dst, const uint8_t* src, int n)
{
    const float bias = 0.5f + 1.0f / 1024.0f;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        uint8x8x4_t p = vld4_u8(src + 4 * i);
        const uint16x8_t a16 = vmovl_u8(p.val[3]);
        const float32x4_t alo = vcvtq_f32_u32(vmovl_u16(vget_low_u16(a16)));
        const float32x4_t ahi = vcvtq_f32_u32(vmovl_high_u16(a16));
        float32x4_t rlo = vrecpeq_f32(alo);
        float32x4_t rhi = vrecpeq_f32(ahi);
        rlo = vmulq_f32(rlo, vrecpsq_f32(alo, rlo));
        rhi = vmulq_f32(rhi, vrecpsq_f32(ahi, rhi));
        rlo = vmulq_f32(rlo, vrecpsq_f32(alo, rlo));
        rhi = vmulq_f32(rhi, vrecpsq_f32(ahi, rhi));
        rlo = vmulq_n_f32(rlo, 255.0f);
        rhi = vmulq_n_f32(rhi, 255.0f);
        const uint8x8_t live = vtst_u8(p.val[3], p.val[3]);
        for (int c = 0; c < 3; ++c) {
            const uint16x8_t v = vmovl_u8(p.val[c]);
            const float32x4_t lo = vmulq_f32(vcvtq_f32_u32(vmovl_u16(vget_low_u16(v))), rlo);
            const float32x4_t hi = vmulq_f32(vcvtq_f32_u32(vmovl_high_u16(v)), rhi);
            const uint16x4_t qlo = vqmovn_u32(vcvtq_u32_f32(vaddq_f32(lo, vdupq_n_f32(bias))));
            const uint16x4_t qhi = vqmovn_u32(vcvtq_u32_f32(vaddq_f32(hi, vdupq_n_f32(bias))));
            p.val[c] = vand_u8(vqmovn_u16(vcombine_u16(qlo, qhi)), live);
        }
        vst4_u8(dst + 4 * i, p);
    }
    for (; i < n; ++i) {
        const int a = src[4 * i + 3];
        for (int c = 0; c < 3; ++c)
            dst[4 * i + c] = a ? clip255((510 * src[4 * i + c] + a) / (2 * a)) : 0;
        dst[4 * i + 3] = uint8_t(a);
    }
}

// Layer opacity in Q7 (0..128) folded into an in-place fade of a row.
void canvas_fade_neon(uint8_t* row, int opacity, int n)
{
    const uint8x8_t o = vdup_n_u8(uint8_t(opacity));
    uint8_t* const end = row + 4 * n;
    for (; row + 32 <= end; row += 32) {
        const uint8x16_t x0 = vld1q_u8(row);
        const uint8x16_t x1 = vld1q_u8(row + 16);
        const uint8x8_t a = vrshrn_n_u16(vmull_u8(vget_low_u8(x0), o), 7);
        const uint8x8_t b = vrshrn_n_u16(vmull_u8(vget_high_u8(x0), o), 7);
        const uint8x8_t c = vrshrn_n_u16(vmull_u8(vget_low_u8(x1), o), 7);
        const uint8x8_t d = vrshrn_n_u16(vmull_u8(vget_high_u8(x1), o), 7);
        vst1q_u8(row, vcombine_u8(a, b));
        vst1q_u8(row + 16, vcombine_u8(c, d));
    }
    for (; row < end; ++row)
        *row = uint8_t((*row * opacity + 64) >> 7);
}
