/* flags: -target aarch64-linux-gnu */
/* blend_neon.c */

#include <arm_neon.h>
#include "rows.h"

static inline uint8x8_t div255(uint16x8_t v)
{
    return vraddhn_u16(v, vrshrq_n_u16(v, 8));
}

void blend_row_neon(u8 *dst, const u8 *src, int alpha, int n)
{
    const uint8x8_t a = vdup_n_u8((u8)alpha), ia = vdup_n_u8((u8)(255 - alpha));
    int i = 0;
    for (; i + 8 <= n; i += 8)
        vst1_u8(dst + i, div255(vmlal_u8(vmull_u8(vld1_u8(src + i), a), vld1_u8(dst + i), ia)));
    blend_row_c(dst + i, src + i, alpha, n - i);
}

void add_row_neon(u8 *dst, const u8 *src, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16)
        vst1q_u8(dst + i, vqaddq_u8(vld1q_u8(dst + i), vld1q_u8(src + i)));
    if (n - i >= 8) {
        vst1_u8(dst + i, vqadd_u8(vld1_u8(dst + i), vld1_u8(src + i)));
        i += 8;
    }
    add_row_c(dst + i, src + i, n - i);
}

void mul_row_neon(u8 *dst, const u8 *src, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        uint8x16_t s = vld1q_u8(src + i), d = vld1q_u8(dst + i);
        vst1q_u8(dst + i, vcombine_u8(div255(vmull_u8(vget_low_u8(s), vget_low_u8(d))), div255(vmull_high_u8(s, d))));
    }
    mul_row_c(dst + i, src + i, n - i);
}

void over_row_neon(u8 *dst, const u8 *src, int n)
{
    for (; n >= 8; n -= 8, src += 32, dst += 32) {
        uint8x8x4_t s = vld4_u8(src), d = vld4_u8(dst);
        uint8x8_t ia = vmvn_u8(s.val[3]);
        int c;
        for (c = 0; c < 4; c++)
            d.val[c] = vqadd_u8(s.val[c], div255(vmull_u8(d.val[c], ia)));
        vst4_u8(dst, d);
    }
    over_row_c(dst, src, n);
}

void threshold_row_neon(u8 *dst, const u8 *src, int level, int n)
{
    uint8x16_t lv;
    int i = 0;
    if (level < 0)
        level = 0;
    if (level < 256) {
        lv = vdupq_n_u8((u8)level);
        for (; i + 16 <= n; i += 16)
            vst1q_u8(dst + i, vcgeq_u8(vld1q_u8(src + i), lv));
    }
    threshold_row_c(dst + i, src + i, level, n - i);
}

void swap_rb_row_neon(u8 *dst, const u8 *src, int n)
{
    for (; n >= 16; n -= 16, src += 64, dst += 64) {
        uint8x16x4_t p = vld4q_u8(src);
        uint8x16_t t = p.val[0];
        p.val[0] = p.val[2];
        p.val[2] = t;
        vst4q_u8(dst, p);
    }
    swap_rb_row_c(dst, src, n);
}

void merge_rgba_row_neon(u8 *dst, const u8 *r, const u8 *g, const u8 *b, const u8 *a, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        uint8x8x4_t p;
        p.val[0] = vld1_u8(r + i);
        p.val[1] = vld1_u8(g + i);
        p.val[2] = vld1_u8(b + i);
        p.val[3] = vld1_u8(a + i);
        vst4_u8(dst + 4 * i, p);
    }
    merge_rgba_row_c(dst + 4 * i, r + i, g + i, b + i, a + i, n - i);
}

void rgb_to_grey_row_neon(u8 *dst, const u8 *rgb, int n)
{
    const uint8x8_t kr = vdup_n_u8(77), kg = vdup_n_u8(150), kb = vdup_n_u8(29);
    for (; n >= 8; n -= 8, rgb += 24, dst += 8) {
        uint8x8x3_t p = vld3_u8(rgb);
        uint16x8_t v = vmull_u8(p.val[0], kr);
        v = vmlal_u8(v, p.val[1], kg);
        v = vmlal_u8(v, p.val[2], kb);
        vst1_u8(dst, vrshrn_n_u16(v, 8));
    }
    rgb_to_grey_row_c(dst, rgb, n);
}
