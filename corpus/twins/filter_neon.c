/* flags: -target aarch64-linux-gnu */
/* filter_neon.c */

#include <arm_neon.h>
#include "rows.h"

void gauss5_col_neon(u8 *dst, const u8 *src, ptrdiff_t stride, int n)
{
    const uint8x8_t six = vdup_n_u8(6);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const u8 *s = src + i;
        uint16x8_t v = vaddl_u8(vld1_u8(s - 2 * stride), vld1_u8(s + 2 * stride));
        v = vmlaq_n_u16(v, vaddl_u8(vld1_u8(s - stride), vld1_u8(s + stride)), 4);
        v = vmlal_u8(v, vld1_u8(s), six);
        vst1_u8(dst + i, vrshrn_n_u16(v, 4));
    }
    gauss5_col_c(dst + i, src + i, stride, n - i);
}

void median3_row_neon(u8 *dst, const u8 *src, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        uint8x16_t a = vld1q_u8(src + i - 1), b = vld1q_u8(src + i), c = vld1q_u8(src + i + 1);
        vst1q_u8(dst + i, vmaxq_u8(vminq_u8(a, b), vminq_u8(vmaxq_u8(a, b), c)));
    }
    median3_row_c(dst + i, src + i, n - i);
}

void halve_row_neon(u8 *dst, const u8 *a, const u8 *b, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8)
        vst1_u8(dst + i, vrhadd_u8(vld1_u8(a + i), vld1_u8(b + i)));
    halve_row_c(dst + i, a + i, b + i, n - i);
}

void abs_row_s16_neon(s16 *dst, const s16 *src, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8)
        vst1q_s16(dst + i, vqabsq_s16(vld1q_s16(src + i)));
    abs_row_s16_c(dst + i, src + i, n - i);
}

void mul_row_q15_neon(s16 *dst, const s16 *a, const s16 *b, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8)
        vst1q_s16(dst + i, vqrdmulhq_s16(vld1q_s16(a + i), vld1q_s16(b + i)));
    mul_row_q15_c(dst + i, a + i, b + i, n - i);
}

void shl_row_u16_neon(u16 *dst, const u16 *src, int count, int n)
{
    const int16x8_t c = vdupq_n_s16((s16)(count & 15));
    int i = 0;
    for (; i + 8 <= n; i += 8)
        vst1q_u16(dst + i, vshlq_u16(vld1q_u16(src + i), c));
    shl_row_u16_c(dst + i, src + i, count, n - i);
}

uint32_t sum_row_neon(const u8 *src, int n)
{
    uint32x4_t acc = vdupq_n_u32(0);
    for (; n >= 16; n -= 16, src += 16)
        acc = vpadalq_u16(acc, vpaddlq_u8(vld1q_u8(src)));
    return vaddvq_u32(acc) + sum_row_c(src, n);
}
