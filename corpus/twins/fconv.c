/* fconv.c - rows of floats, portable */

#include "rows.h"

void f32_to_u8_row_c(u8 *dst, const float *src, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        float v = src[i] * 255.0f;
        v = v > 0.0f ? v : 0.0f;
        v = v < 255.0f ? v : 255.0f;
        dst[i] = (u8)(int)(v + 0.5f);
    }
}

/* samples are in units of the result */
void f32_to_u16_row_c(u16 *dst, const float *src, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        float v = src[i];
        v = v > 0.0f ? v : 0.0f;
        v = v < 65535.0f ? v : 65535.0f;
        dst[i] = (u16)(int)v;
    }
}

void clamp_row_f32_c(float *dst, const float *src, float lo, float hi, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        float v = src[i];
        if (v < lo)
            v = lo;
        if (v > hi)
            v = hi;
        dst[i] = v;
    }
}
