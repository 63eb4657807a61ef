// flags: -target aarch64-linux-gnu -ffp-contract=off
//
// engine_float.cpp: texture and terrain work of the content pipeline that also runs on device.
// Floats are finite unless noted; colours are RGBA, four floats a texel.

#include <arm_neon.h>
#include <cmath>
#include <cstddef>
#include <cstdint>

typedef float32x4_t vec4;

// 3x4 colour matrix, rows of (r, g, b, offset); alpha passes. Fused, as the GPU does it.
void tex_colour_matrix_neon(float* px, const float m[12], int n)
{
    // columns, the fourth row keeps alpha
    const vec4 c0 = { m[0], m[4], m[8], 0.0f };
    const vec4 c1 = { m[1], m[5], m[9], 0.0f };
    const vec4 c2 = { m[2], m[6], m[10], 0.0f };
    const vec4 c3 = { m[3], m[7], m[11], 0.0f };
    for (int i = 0; i < n; i++, px += 4) {
        const vec4 p = vld1q_f32(px);
        vec4 r = vfmaq_laneq_f32(c3, c0, p, 0);
        r = vfmaq_laneq_f32(r, c1, p, 1);
        r = vfmaq_laneq_f32(r, c2, p, 2);
        r = vsetq_lane_f32(vgetq_lane_f32(p, 3), r, 3);
        vst1q_f32(px, r);
    }
}

// Premultiply. The product in the alpha lane is thrown away.
void tex_premultiply_neon(float* px, int n)
{
    int i = 0;
    for (; i + 2 <= n; i += 2, px += 8) {
        const vec4 a = vld1q_f32(px);
        const vec4 b = vld1q_f32(px + 4);
        vec4 ra = vmulq_laneq_f32(a, a, 3);
        vec4 rb = vmulq_laneq_f32(b, b, 3);
        ra = vcopyq_laneq_f32(ra, 3, a, 3);
        rb = vcopyq_laneq_f32(rb, 3, b, 3);
        vst1q_f32(px, ra);
        vst1q_f32(px + 4, rb);
    }
    if (i < n) {
        const float a = px[3];
        px[0] *= a;
        px[1] *= a;
        px[2] *= a;
    }
}

// 0..1 to bytes: clamp, scale, ties to even by the default conversion. NaN becomes 0.
void tex_float_to_u8_neon(uint8_t* dst, const float* src, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        uint32x4_t q[4];
        for (int k = 0; k < 4; k++) {
            vec4 v = vld1q_f32(src + i + 4 * k);
            v = vmaxnmq_f32(v, vdupq_n_f32(0.0f));
            v = vminnmq_f32(v, vdupq_n_f32(1.0f));
            q[k] = vcvtnq_u32_f32(vmulq_n_f32(v, 255.0f));
        }
        const uint16x8_t lo = vcombine_u16(vmovn_u32(q[0]), vmovn_u32(q[1]));
        const uint16x8_t hi = vuzp1q_u16(vreinterpretq_u16_u32(q[2]), vreinterpretq_u16_u32(q[3]));
        vst1q_u8(dst + i, vcombine_u8(vmovn_u16(lo), vmovn_u16(hi)));
    }
    for (; i < n; i++) {
        float v = src[i];
        v = v > 0.0f ? v : 0.0f;
        v = v < 1.0f ? v : 1.0f;
        dst[i] = (uint8_t)std::nearbyint(v * 255.0f);
    }
}

// Bytes to fixed point eighths of a bit: v / 256 exactly, through the converting shift.
void tex_u8_to_float_neon(float* dst, const uint8_t* src, int n)
{
    for (; n >= 8; n -= 8, src += 8, dst += 8) {
        const uint16x8_t w = vmovl_u8(vld1_u8(src));
        vst1q_f32(dst, vcvtq_n_f32_u32(vmovl_u16(vget_low_u16(w)), 8));
        vst1q_f32(dst + 4, vcvtq_n_f32_u32(vmovl_high_u16(w), 8));
    }
    for (; n > 0; n--)
        *dst++ = (float)*src++ * (1.0f / 256.0f);
}

// Height samples in metres to signed Q8 with truncation; far away values saturate at 16 bit.
void terrain_pack_q8_neon(int16_t* dst, const float* src, int n)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const int32x4_t v = vcvtq_n_s32_f32(vld1q_f32(src + i), 8);
        vst1_s16(dst + i, vqmovn_s32(v));
    }
    for (; i < n; i++) {
        const float v = src[i] * 256.0f;
        dst[i] = (int16_t)(v >= 32767.0f ? 32767 : v <= -32768.0f ? -32768 : (int)v);
    }
}

// Linear blend of two lines of heights with one weight, and the largest absolute change
// against the first line.
float terrain_blend_neon(float* dst, const float* a, const float* b, float t, int n)
{
    vec4 peak = vdupq_n_f32(0.0f);
    float rest = 0.0f;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const vec4 a0 = vld1q_f32(a + i), a1 = vld1q_f32(a + i + 4);
        const vec4 d0 = vmulq_n_f32(vsubq_f32(vld1q_f32(b + i), a0), t);
        const vec4 d1 = vmulq_n_f32(vsubq_f32(vld1q_f32(b + i + 4), a1), t);
        vst1q_f32(dst + i, vaddq_f32(a0, d0));
        vst1q_f32(dst + i + 4, vaddq_f32(a1, d1));
        peak = vmaxq_f32(peak, vmaxq_f32(vabsq_f32(d0), vabsq_f32(d1)));
    }
    for (; i < n; i++) {
        const float d = (b[i] - a[i]) * t;
        dst[i] = a[i] + d;
        const float m = std::fabs(d);
        if (m > rest)
            rest = m;
    }
    const float m = vmaxvq_f32(peak);
    return m > rest ? m : rest;
}

// Mean of a line. Four partial sums, two accumulators; the order of additions is part of the
// file format's checksum, do not change it.
float terrain_sum_neon(const float* h, int n)
{
    vec4 s0 = vdupq_n_f32(0.0f), s1 = vdupq_n_f32(0.0f);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        s0 = vaddq_f32(s0, vld1q_f32(h + i));
        s1 = vaddq_f32(s1, vld1q_f32(h + i + 4));
    }
    const vec4 s = vaddq_f32(s0, s1);
    const float32x2_t p = vadd_f32(vget_low_f32(s), vget_high_f32(s));
    float sum = vget_lane_f32(vpadd_f32(p, p), 0);
    for (; i < n; i++)
        sum += h[i];
    return sum;
}

// Normals from heights by central differences, x then y then z planes of floats. Reads one
// sample around. Division and root are the exact instructions.
void terrain_normals_neon(float* nx, float* ny, float* nz, const float* h, ptrdiff_t pitch, float scale, int n)
{
    int i = 0;
    const vec4 one = vdupq_n_f32(1.0f);
    for (; i + 4 <= n; i += 4) {
        const vec4 dx = vmulq_n_f32(vsubq_f32(vld1q_f32(h + i - 1), vld1q_f32(h + i + 1)), scale);
        const vec4 dy = vmulq_n_f32(vsubq_f32(vld1q_f32(h + i - pitch), vld1q_f32(h + i + pitch)), scale);
        const vec4 len = vsqrtq_f32(vaddq_f32(vaddq_f32(vmulq_f32(dx, dx), vmulq_f32(dy, dy)), one));
        vst1q_f32(nx + i, vdivq_f32(dx, len));
        vst1q_f32(ny + i, vdivq_f32(dy, len));
        vst1q_f32(nz + i, vdivq_f32(one, len));
    }
    for (; i < n; i++) {
        const float dx = (h[i - 1] - h[i + 1]) * scale;
        const float dy = (h[i - pitch] - h[i + pitch]) * scale;
        const float len = std::sqrt(dx * dx + dy * dy + 1.0f);
        nx[i] = dx / len;
        ny[i] = dy / len;
        nz[i] = 1.0f / len;
    }
}

// Next mip level of RGBA8: 2x2 box, rounded, w and h are those of the result.
void tex_mip_half_neon(uint8_t* dst, ptrdiff_t dpitch, const uint8_t* src, ptrdiff_t spitch, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const uint8_t* a = src + 2 * y * spitch;
        const uint8_t* b = a + spitch;
        uint8_t* d = dst + y * dpitch;
        int x = 0;
        for (; x + 8 <= w; x += 8) {
            const uint8x16x4_t p = vld4q_u8(a + 8 * x);
            const uint8x16x4_t q = vld4q_u8(b + 8 * x);
            uint8x8x4_t o;
            for (int c = 0; c < 4; c++)
                o.val[c] = vrshrn_n_u16(vpadalq_u8(vpaddlq_u8(p.val[c]), q.val[c]), 2);
            vst4_u8(d + 4 * x, o);
        }
        // two texels of the source at once, one of the result
        for (; x < w; x++) {
            const uint16x8_t s = vaddl_u8(vld1_u8(a + 8 * x), vld1_u8(b + 8 * x));
            const uint16x4_t t = vadd_u16(vget_low_u16(s), vget_high_u16(s));
            const uint8x8_t r = vrshrn_n_u16(vcombine_u16(t, t), 2);
            d[4 * x + 0] = vget_lane_u8(r, 0);
            d[4 * x + 1] = vget_lane_u8(r, 1);
            d[4 * x + 2] = vget_lane_u8(r, 2);
            d[4 * x + 3] = vget_lane_u8(r, 3);
        }
    }
}

// Five tap vertical blur of floats from a ring of line pointers, weights in lanes.
void tex_blur5_lines_neon(float* dst, const float* const line[5], const float w[3], int n)
{
    const float32x2_t k01 = vld1_f32(w);
    const float32x2_t k2 = vdup_n_f32(w[2]);
    const float *l0 = line[0], *l1 = line[1], *l2 = line[2], *l3 = line[3], *l4 = line[4];
    int i;
    for (i = 0; i < (n & ~3); i += 4) {
        vec4 s = vmulq_lane_f32(vld1q_f32(l2 + i), k01, 0);
        s = vaddq_f32(s, vmulq_lane_f32(vaddq_f32(vld1q_f32(l1 + i), vld1q_f32(l3 + i)), k01, 1));
        s = vaddq_f32(s, vmulq_lane_f32(vaddq_f32(vld1q_f32(l0 + i), vld1q_f32(l4 + i)), k2, 0));
        vst1q_f32(dst + i, s);
    }
    for (; i < n; i++)
        dst[i] = l2[i] * w[0] + (l1[i] + l3[i]) * w[1] + (l0[i] + l4[i]) * w[2];
}
