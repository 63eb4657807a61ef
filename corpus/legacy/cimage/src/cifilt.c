/*
 * cifilt.c - neighbourhood filters
 *
 * Borders: the nearest row or column is repeated everywhere in this file.
 */
#include <stdlib.h>
#include <string.h>
#include "ciint.h"

/*
 * Box mean of (2r+1)^2, one channel or many, with column sums that slide down
 * and a window sum that slides along.  dst must not be src.
 */
int ci_box_u8(ci_image *dst, const ci_image *src, int radius)
{
    unsigned long *col = NULL;
    int x, y, i, c, w, h, nc, err = CI_OK;
    unsigned long area;

    CI_CHECK(dst, CI_U8, "ci_box_u8");
    CI_CHECK(src, CI_U8, "ci_box_u8");
    CI_SAMESIZE(dst, src, "ci_box_u8");
    if (radius < 0 || dst == src)
        return ci__raise(CI_EARG, "ci_box_u8", dst);
    w = src->width; h = src->height; nc = src->nchan;
    if (w == 0 || h == 0)
        return CI_OK;
    if (radius > 127) {
        err = CI_EARG;
        goto done;
    }
    area = (unsigned long)(2 * radius + 1) * (2 * radius + 1);
    col = (unsigned long *)calloc((size_t)w * nc, sizeof *col);
    if (col == NULL) {
        err = CI_ENOMEM;
        goto done;
    }
    /* column sums for the row before the first */
    for (i = -radius - 1; i < radius; i++) {
        const unsigned char *s = src->row[i < 0 ? 0 : MIN(i, h - 1)];
        for (x = 0; x < w * nc; x++)
            col[x] += s[x];
    }
    for (y = 0; y < h; y++) {
        const unsigned char *in = src->row[MIN(y + radius, h - 1)];
        const unsigned char *out = src->row[MAX(y - radius - 1, 0)];
        unsigned char *d = dst->row[y];

        for (x = 0; x < w * nc; x++)
            col[x] += (unsigned long)in[x] - out[x];
        for (c = 0; c < nc; c++) {
            unsigned long win = 0;
            for (i = -radius; i <= radius; i++)
                win += col[(i < 0 ? 0 : MIN(i, w - 1)) * nc + c];
            for (x = 0; x < w; x++) {
                d[x * nc + c] = (unsigned char)((win + area / 2) / area);
                win += col[MIN(x + radius + 1, w - 1) * nc + c];
                win -= col[MAX(x - radius, 0) * nc + c];
            }
        }
    }
done:
    free(col);
    if (err != CI_OK)
        ci__raise(err, "ci_box_u8", src);
    return err;
}

#define SORT2(a, b) do { if ((a) > (b)) { int t_ = (a); (a) = (b); (b) = t_; } } while (0)

static int median9(int v0, int v1, int v2, int v3, int v4, int v5, int v6, int v7, int v8)
{
    SORT2(v1, v2); SORT2(v4, v5); SORT2(v7, v8);
    SORT2(v0, v1); SORT2(v3, v4); SORT2(v6, v7);
    SORT2(v1, v2); SORT2(v4, v5); SORT2(v7, v8);
    v3 = MAX(v0, v3);
    v5 = MIN(v5, v8);
    SORT2(v4, v7);
    v6 = MAX(v3, v6);
    v4 = MAX(v1, v4);
    v2 = MIN(v2, v5);
    v4 = MIN(v4, v7);
    SORT2(v4, v2);
    v4 = MAX(v6, v4);
    return MIN(v4, v2);
}

int ci_median3_u8(ci_image *dst, const ci_image *src)
{
    int x, y;

    CI_CHECK(dst, CI_U8, "ci_median3_u8");
    CI_CHECK(src, CI_U8, "ci_median3_u8");
    CI_SAMESIZE(dst, src, "ci_median3_u8");
    if (src->nchan != 1)
        return ci__raise(CI_ECHAN, "ci_median3_u8", src);
    if (dst == src)
        return ci__raise(CI_EARG, "ci_median3_u8", src);

    for (y = 0; y < src->height; y++) {
        const unsigned char *a = src->row[y > 0 ? y - 1 : 0];
        const unsigned char *b = src->row[y];
        const unsigned char *c = src->row[y + 1 < src->height ? y + 1 : y];
        for (x = 0; x < src->width; x++) {
            int l = x > 0 ? x - 1 : 0;
            int r = x + 1 < src->width ? x + 1 : x;
            dst->row[y][x] = (unsigned char)median9(a[l], a[x], a[r], b[l], b[x], b[r],
                                                    c[l], c[x], c[r]);
        }
    }
    return CI_OK;
}

int ci_conv3x3_s16(ci_image *dst, const ci_image *src, const int kern[9], int shift, int bias)
{
    int x, y, i, j;
    long acc;

    CI_CHECK(dst, CI_S16, "ci_conv3x3_s16");
    CI_CHECK(src, CI_S16, "ci_conv3x3_s16");
    CI_SAMESIZE(dst, src, "ci_conv3x3_s16");
    if (shift < 0 || shift > 15 || src->nchan != 1)
        return ci__raise(CI_EARG, "ci_conv3x3_s16", src);
    for (i = 0; i < 9; i++)
        if (kern[i] > 255 || kern[i] < -255)
            return ci__raise(CI_EARG, "ci_conv3x3_s16", src);

    /* the frame is copied, only the inside is filtered */
    for (y = 0; y < src->height; y++) {
        if (y == 0 || y == src->height - 1) {
            memcpy(dst->row[y], src->row[y], (size_t)src->width * sizeof(short));
            continue;
        }
        if (src->width > 0) {
            ROW_S16(dst, y)[0] = ROW_S16(src, y)[0];
            ROW_S16(dst, y)[src->width - 1] = ROW_S16(src, y)[src->width - 1];
        }
        for (x = 1; x < src->width - 1; x++) {
            acc = 0;
            for (j = -1; j <= 1; j++)
                for (i = -1; i <= 1; i++)
                    acc += (long)kern[(j + 1) * 3 + i + 1] * ROW_S16(src, y + j)[x + i];
            acc = (acc >> shift) + bias;
            if (acc > 32767L)
                acc = 32767L;
            else if (acc < -32768L)
                acc = -32768L;
            ROW_S16(dst, y)[x] = (short)acc;
        }
    }
    return CI_OK;
}

/*
 * |gx| + |gy| and, where asked for, the direction in eighths.
 * The callback is asked once a row.
 */
int ci_sobel_u8(ci_image *mag, ci_image *dir, const ci_image *src, ci_progress cb, void *user)
{
    int x, y;
    const int w = src ? src->width : 0, h = src ? src->height : 0;

    CI_CHECK(src, CI_U8, "ci_sobel_u8");
    CI_CHECK(mag, CI_U8, "ci_sobel_u8");
    CI_SAMESIZE(mag, src, "ci_sobel_u8");
    if (dir != NULL) {
        CI_CHECK(dir, CI_U8, "ci_sobel_u8");
        CI_SAMESIZE(dir, src, "ci_sobel_u8");
    }
    if (src->nchan != 1 || mag == src)
        return ci__raise(CI_EARG, "ci_sobel_u8", src);

    for (y = 0; y < h; y++) {
        const unsigned char *n = src->row[MAX(y - 1, 0)];
        const unsigned char *m = src->row[y];
        const unsigned char *s = src->row[MIN(y + 1, h - 1)];
        unsigned char *pd = dir ? dir->row[y] : NULL;

        for (x = 0; x < w; x++) {
            int xl = MAX(x - 1, 0), xr = MIN(x + 1, w - 1);
            int gx = n[xr] + 2 * m[xr] + s[xr] - n[xl] - 2 * m[xl] - s[xl];
            int gy = s[xl] + 2 * s[x] + s[xr] - n[xl] - 2 * n[x] - n[xr];
            int v = (abs(gx) + abs(gy)) >> 1;
            mag->row[y][x] = (unsigned char)(v > 255 ? 255 : v);
            if (pd)
                *pd++ = (unsigned char)((gx < 0 ? 4 : 0) | (gy < 0 ? 2 : 0) | (abs(gx) < abs(gy)));
        }
        if (cb != NULL && (*cb)(user, y + 1, h))
            return CI_EABORT;   /* not an error to be reported */
    }
    return CI_OK;
}

/* erosion and dilation differ in one comparison only */
#define MORPH_CROSS(NAME, CMP)                                              \
int NAME(ci_image *dst, const ci_image *src)                                \
{                                                                           \
    int x, y, nc;                                                           \
    CI_CHECK(dst, CI_U8, #NAME);                                            \
    CI_CHECK(src, CI_U8, #NAME);                                            \
    CI_SAMESIZE(dst, src, #NAME);                                           \
    if (dst == src) return ci__raise(CI_EARG, #NAME, src);                  \
    nc = src->nchan;                                                        \
    for (y = 0; y < src->height; y++) {                                     \
        const unsigned char *up = y > 0 ? src->row[y - 1] : NULL;           \
        const unsigned char *dn = src->row[y + 1];  /* NULL past the end */ \
        const unsigned char *s = src->row[y];                               \
        unsigned char *d = dst->row[y];                                     \
        for (x = 0; x < src->width * nc; x++) {                             \
            unsigned char v = s[x];                                         \
            if (up && up[x] CMP v) v = up[x];                               \
            if (dn && dn[x] CMP v) v = dn[x];                               \
            if (x >= nc && s[x - nc] CMP v) v = s[x - nc];                  \
            if (x + nc < src->width * nc && s[x + nc] CMP v) v = s[x + nc]; \
            d[x] = v;                                                       \
        }                                                                   \
    }                                                                       \
    return CI_OK;                                                           \
}

MORPH_CROSS(ci_erode_u8, <)
MORPH_CROSS(ci_dilate_u8, >)

/* (1 4 6 4 1)/16 both ways, over a scratch image; in place allowed */
int ci_smooth5_f32(ci_image *dst, const ci_image *src)
{
    static const float k[3] = { 0.375f, 0.25f, 0.0625f };
    ci_image *tmp;
    int x, y, w, h;

    CI_CHECK(dst, CI_F32, "ci_smooth5_f32");
    CI_CHECK(src, CI_F32, "ci_smooth5_f32");
    CI_SAMESIZE(dst, src, "ci_smooth5_f32");
    if (src->nchan != 1)
        return ci__raise(CI_ECHAN, "ci_smooth5_f32", src);
    w = src->width;
    h = src->height;
    if (!w || !h)
        return CI_OK;
    if ((tmp = ci_create(w, h, 1, CI_F32, 16)) == NULL)
        return ci__raise(CI_ENOMEM, "ci_smooth5_f32", src);

    for (y = 0; y < h; y++) {
        const float *s = ROW_F32(src, y);
        float *t = ROW_F32(tmp, y);
        for (x = 0; x < w; x++) {
            int x1 = MAX(x - 1, 0), x2 = MAX(x - 2, 0);
            int x3 = MIN(x + 1, w - 1), x4 = MIN(x + 2, w - 1);
            t[x] = k[0] * s[x] + k[1] * (s[x1] + s[x3]) + k[2] * (s[x2] + s[x4]);
        }
    }
    for (y = 0; y < h; y++) {
        const float *t[5];
        float *d = ROW_F32(dst, y);
        for (x = -2; x <= 2; x++) {
            int yy = y + x;
            t[x + 2] = ROW_F32(tmp, yy < 0 ? 0 : yy >= h ? h - 1 : yy);
        }
        for (x = 0; x < w; x++)
            d[x] = k[0] * t[2][x] + k[1] * (t[1][x] + t[3][x]) + k[2] * (t[0][x] + t[4][x]);
    }
    ci_destroy(tmp);
    return CI_OK;
}
