/* blend.c - blending rows, portable */

#include "rows.h"

static int div255(int v)
{
    v += 128;
    return (v + (v >> 8)) >> 8;
}

void blend_row_c(u8 *dst, const u8 *src, int alpha, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dst[i] = (u8)div255(src[i] * alpha + dst[i] * (255 - alpha));
}

void add_row_c(u8 *dst, const u8 *src, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int v = dst[i] + src[i];
        dst[i] = (u8)(v > 255 ? 255 : v);
    }
}

void mul_row_c(u8 *dst, const u8 *src, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dst[i] = (u8)div255(dst[i] * src[i]);
}

/* dst + bias - src, clipped once at the end; bias is 0..255 */
void bias_sub_row_c(u8 *dst, const u8 *src, int bias, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int v = dst[i] + bias - src[i];
        dst[i] = (u8)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}

/* weight is 0..128 */
void mix7_row_c(u8 *dst, const u8 *src, int weight, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dst[i] = (u8)((src[i] * weight + dst[i] * (128 - weight) + 64) >> 7);
}

/* premultiplied RGBA */
void over_row_c(u8 *dst, const u8 *src, int n)
{
    int i, c;
    for (i = 0; i < n; i++) {
        int ia = 255 - src[4 * i + 3];
        for (c = 0; c < 4; c++) {
            int v = src[4 * i + c] + div255(dst[4 * i + c] * ia);
            dst[4 * i + c] = (u8)(v > 255 ? 255 : v);
        }
    }
}

void select_row_c(u8 *dst, const u8 *src, const u8 *mask, int n)
{
    int i;
    for (i = 0; i < n; i++)
        if (mask[i])
            dst[i] = src[i];
}

/* src where it is further from ref than the tolerance (0..127), else dst stays */
void key_row_c(u8 *dst, const u8 *src, const u8 *ref, int tolerance, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int d = src[i] - ref[i];
        if (d < 0)
            d = -d;
        if (d > tolerance)
            dst[i] = src[i];
    }
}

void threshold_row_c(u8 *dst, const u8 *src, int level, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dst[i] = src[i] >= level ? 255 : 0;
}

/* pattern has 16 entries and starts with the row */
void dither_row_c(u8 *dst, const u8 *src, const u8 *pattern, int n)
{
    int i;
    for (i = 0; i < n; i++)
        dst[i] = src[i] > pattern[i & 15] ? 255 : 0;
}

void brighten_row_c(u8 *row, int amount, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int v = row[i] + amount;
        row[i] = (u8)(v > 255 ? 255 : v);
    }
}

/* red and blue of 4 byte pixels change places; may be used in place */
void swap_rb_row_c(u8 *dst, const u8 *src, int n)
{
    for (; n > 0; n--, src += 4, dst += 4) {
        u8 r = src[0], g = src[1], b = src[2], a = src[3];
        dst[0] = b;
        dst[1] = g;
        dst[2] = r;
        dst[3] = a;
    }
}

void merge_rgba_row_c(u8 *dst, const u8 *r, const u8 *g, const u8 *b, const u8 *a, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        *dst++ = r[i];
        *dst++ = g[i];
        *dst++ = b[i];
        *dst++ = a[i];
    }
}

void rgb_to_grey_row_c(u8 *dst, const u8 *rgb, int n)
{
    for (; n > 0; n--, rgb += 3)
        *dst++ = (u8)((77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2] + 128) >> 8);
}
