/* flags: -target aarch64-linux-gnu */
/* fconv_neon.c */

#include <arm_neon.h>
#include "rows.h"

void f32_to_u8_row_neon(u8 *dst, const float *src, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        float32x4_t a = vmulq_n_f32(vld1q_f32(src + i), 255.0f);
        float32x4_t b = vmulq_n_f32(vld1q_f32(src + i + 4), 255.0f);
        /* the conversion saturates below zero, above it takes two narrowings */
        uint32x4_t qa = vcvtq_u32_f32(vaddq_f32(a, vdupq_n_f32(0.5f)));
        uint32x4_t qb = vcvtq_u32_f32(vaddq_f32(b, vdupq_n_f32(0.5f)));
        vst1_u8(dst + i, vqmovn_u16(vcombine_u16(vqmovn_u32(qa), vqmovn_u32(qb))));
    }
    f32_to_u8_row_c(dst + i, src + i, n - i);
}

void f32_to_u16_row_neon(u16 *dst, const float *src, int n)
{
    int i = 0;
    for (; i + 4 <= n; i += 4)
        vst1_u16(dst + i, vqmovn_u32(vcvtq_u32_f32(vld1q_f32(src + i))));
    f32_to_u16_row_c(dst + i, src + i, n - i);
}
