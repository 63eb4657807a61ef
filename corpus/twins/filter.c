/* filter.c - small filters and 16 bit rows, portable */

#include "rows.h"

static u8 clip(int v)
{
    return (u8)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* three taps in Q6, reads one pixel to either side */
void fir3_row_c(u8 *dst, const u8 *src, const int8_t *k, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dst[i] = clip((src[i - 1] * k[0] + src[i] * k[1] + src[i + 1] * k[2] + 32) >> 6);
}

/* 1 4 6 4 1, src is the middle row */
void gauss5_col_c(u8 *dst, const u8 *src, ptrdiff_t stride, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        const u8 *s = src + i;
        dst[i] = (u8)((s[-2 * stride] + s[2 * stride] + 4 * (s[-stride] + s[stride]) + 6 * s[0] + 8) >> 4);
    }
}

/* mean of `taps` rows from src down, by a reciprocal in Q16; taps is 2 or more */
void box_col_c(u8 *dst, const u8 *src, ptrdiff_t stride, int taps, int n)
{
    unsigned recip = (65536u + (unsigned)taps / 2) / (unsigned)taps;
    int i, y;
    for (i = 0; i < n; i++) {
        unsigned sum = 0;
        for (y = 0; y < taps; y++)
            sum += src[y * stride + i];
        sum = (sum * recip) >> 16;
        dst[i] = (u8)(sum > 255 ? 255 : sum);
    }
}

/* reads one pixel to either side */
void median3_row_c(u8 *dst, const u8 *src, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        u8 a = src[i - 1], b = src[i], c = src[i + 1];
        u8 lo = a < b ? a : b, hi = a < b ? b : a;
        dst[i] = c < lo ? lo : c > hi ? hi : c;
    }
}

void halve_row_c(u8 *dst, const u8 *a, const u8 *b, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dst[i] = (u8)((a[i] + b[i] + 1) >> 1);
}

void abs_row_s16_c(s16 *dst, const s16 *src, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int v = src[i] < 0 ? -src[i] : src[i];
        dst[i] = (s16)(v > 32767 ? 32767 : v);
    }
}

void mul_row_q15_c(s16 *dst, const s16 *a, const s16 *b, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int v = (a[i] * b[i] + 0x4000) >> 15;
        dst[i] = (s16)(v > 32767 ? 32767 : v);
    }
}

void shl_row_u16_c(u16 *dst, const u16 *src, int count, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dst[i] = (u16)(src[i] << (count & 15));
}

uint32_t sum_row_c(const u8 *src, int n)
{
    uint32_t sum = 0;
    while (n-- > 0)
        sum += *src++;
    return sum;
}
