/*
 * cipoint.c - point operations, one or two source images
 */
#include <stdlib.h>
#include <limits.h>
#include "ciint.h"

/* nlut is 1 (one table for all) or the number of channels */
int ci_lut_u8(ci_image *dst, const ci_image *src, const unsigned char lut[][256], int nlut)
{
    int x, y, c, nc;

    CI_CHECK(dst, CI_U8, "ci_lut_u8");
    CI_CHECK(src, CI_U8, "ci_lut_u8");
    CI_SAMESIZE(dst, src, "ci_lut_u8");
    nc = src->nchan;
    if (nlut != 1 && nlut != nc)
        return ci__raise(CI_ECHAN, "ci_lut_u8", src);

    if (nlut == 1) {
        const unsigned char *t = lut[0];
        int n = src->width * nc;
        for (y = 0; y < src->height; y++) {
            const unsigned char *s = ROW_U8(src, y);
            unsigned char *d = ROW_U8(dst, y);
            for (x = 0; x < n; x++)
                d[x] = t[s[x]];
        }
    } else {
        for (y = 0; y < src->height; y++)
            for (x = 0; x < src->width; x++)
                for (c = 0; c < nc; c++)
                    ROW_U8(dst, y)[x * nc + c] = lut[c][ROW_U8(src, y)[x * nc + c]];
    }
    return CI_OK;
}

/* dst = a + b, stops at 255; dst may be a or b */
int ci_add_u8(ci_image *dst, const ci_image *a, const ci_image *b)
{
    int y, n;

    CI_CHECK(dst, CI_U8, "ci_add_u8");
    CI_CHECK(a, CI_U8, "ci_add_u8");
    CI_CHECK(b, CI_U8, "ci_add_u8");
    CI_SAMESIZE(dst, a, "ci_add_u8");
    CI_SAMESIZE(dst, b, "ci_add_u8");

    for (y = 0; y < dst->height; y++) {
        register unsigned char *d = ROW_U8(dst, y);
        register const unsigned char *p = ROW_U8(a, y);
        register const unsigned char *q = ROW_U8(b, y);

        n = dst->width * dst->nchan;
        while (n-- > 0) {
            int s = *p++ + *q++;
            if (s > 255)
                s = 255;
            *d++ = (unsigned char)s;
        }
    }
    return CI_OK;
}

int ci_add_s16(ci_image *dst, const ci_image *a, const ci_image *b)
{
    int y, i, n;

    CI_CHECK(dst, CI_S16, "ci_add_s16");
    CI_CHECK(a, CI_S16, "ci_add_s16");
    CI_CHECK(b, CI_S16, "ci_add_s16");
    CI_SAMESIZE(dst, a, "ci_add_s16");
    CI_SAMESIZE(dst, b, "ci_add_s16");

    n = dst->width * dst->nchan;
    for (y = 0; y < dst->height; y++) {
        short *d = ROW_S16(dst, y);
        const short *p = ROW_S16(a, y), *q = ROW_S16(b, y);
        for (i = 0; i < n; i++) {
            long s = (long)p[i] + (long)q[i];
            d[i] = (short)(s > SHRT_MAX ? SHRT_MAX : s < SHRT_MIN ? SHRT_MIN : s);
        }
    }
    return CI_OK;
}

int ci_add_f32(ci_image *dst, const ci_image *a, const ci_image *b)
{
    int y, i, n;

    CI_CHECK(dst, CI_F32, "ci_add_f32");
    CI_CHECK(a, CI_F32, "ci_add_f32");
    CI_CHECK(b, CI_F32, "ci_add_f32");
    CI_SAMESIZE(dst, a, "ci_add_f32");
    CI_SAMESIZE(dst, b, "ci_add_f32");

    n = dst->width * dst->nchan;
    for (y = 0; y < dst->height; y++) {
        float *d = ROW_F32(dst, y);
        const float *p = ROW_F32(a, y), *q = ROW_F32(b, y);
        /* four at a time; the vector machine liked it */
        for (i = 0; i + 3 < n; i += 4) {
            d[i]     = p[i]     + q[i];
            d[i + 1] = p[i + 1] + q[i + 1];
            d[i + 2] = p[i + 2] + q[i + 2];
            d[i + 3] = p[i + 3] + q[i + 3];
        }
        for (; i < n; i++)
            d[i] = p[i] + q[i];
    }
    return CI_OK;
}

/* t/255 rounded, for t in 0..65025 */
#define DIV255(t)  (((t) + 128 + (((t) + 128) >> 8)) >> 8)

/*
 * Lay `over' on dst.  mask: one channel, may be NULL (then only the opacity counts).
 */
int ci_blend_u8(ci_image *dst, const ci_image *over, const ci_image *mask, int opacity)
{
    int x, y, c;
    const int nc = dst ? dst->nchan : 0;

    CI_CHECK(dst, CI_U8, "ci_blend_u8");
    CI_CHECK(over, CI_U8, "ci_blend_u8");
    CI_SAMESIZE(dst, over, "ci_blend_u8");
    if (mask != NULL) {
        CI_CHECK(mask, CI_U8, "ci_blend_u8");
        if (mask->nchan != 1)
            return ci__raise(CI_ECHAN, "ci_blend_u8", mask);
        if (mask->width < dst->width || mask->height < dst->height)
            return ci__raise(CI_ESIZE, "ci_blend_u8", mask);
    }
    if (opacity < 0) opacity = 0;
    if (opacity > 255) opacity = 255;

    for (y = 0; y < dst->height; y++) {
        unsigned char *d = ROW_U8(dst, y);
        const unsigned char *s = ROW_U8(over, y);
        const unsigned char *m = mask ? ROW_U8(mask, y) : NULL;

        for (x = 0; x < dst->width; x++, d += nc, s += nc) {
            unsigned a = (unsigned)opacity;
            if (m != NULL) {
                a = a * m[x];
                a = DIV255(a);
            }
            if (a == 0)
                continue;
            for (c = 0; c < nc; c++) {
                unsigned t = a * s[c] + (255u - a) * d[c];
                d[c] = (unsigned char)DIV255(t);
            }
        }
    }
    return CI_OK;
}

/* im = im * gain + offset, gain in 1/4096, in place; offset may be NULL */
int ci_gain_u16(ci_image *im, const long gain_q12[], const int *offset)
{
    int y, c;

    CI_CHECK(im, CI_U16, "ci_gain_u16");
    for (c = 0; c < im->nchan; c++)
        if (gain_q12[c] < 0 || gain_q12[c] > 65535L)
            return ci__raise(CI_EARG, "ci_gain_u16", im);

    for (c = 0; c < im->nchan; c++) {
        const uint32_t g = (uint32_t)gain_q12[c];
        const int32_t o = offset ? (int32_t)offset[c] : 0;

        if (g == 4096 && o == 0)
            continue;           /* nothing to do in this channel */
        for (y = 0; y < im->height; y++) {
            unsigned short *p = ROW_U16(im, y) + c;
            unsigned short *end = p + im->width * im->nchan;
            for (; p < end; p += im->nchan) {
                int32_t v = (int32_t)((*p * g + 2048u) >> 12) + o;
                if (v & ~0xFFFF)
                    v = v < 0 ? 0 : 0xFFFF;
                *p = (unsigned short)v;
            }
        }
    }
    return CI_OK;
}

int ci_threshold_u8(ci_image *dst, const ci_image *src, int level, ci_thmode mode, long *npassed)
{
    int x, y, n;
    long cnt = 0;

    CI_CHECK(dst, CI_U8, "ci_threshold_u8");
    CI_CHECK(src, CI_U8, "ci_threshold_u8");
    CI_SAMESIZE(dst, src, "ci_threshold_u8");

    n = src->width * src->nchan;
    for (y = 0; y < src->height; y++) {
        const unsigned char *s = ROW_U8(src, y);
        unsigned char *d = ROW_U8(dst, y);

        switch (mode) {
        case CI_TH_BINARY:
            for (x = 0; x < n; x++) {
                int hit = s[x] >= level;
                d[x] = hit ? 255 : 0;
                cnt += hit;
            }
            break;
        case CI_TH_INVERT:
            for (x = 0; x < n; x++) {
                int hit = s[x] >= level;
                d[x] = (unsigned char)(hit - 1);
                cnt += hit;
            }
            break;
        case CI_TH_TRUNC:
            for (x = 0; x < n; x++) {
                if (s[x] >= level) {
                    cnt++;
                    d[x] = (unsigned char)(level < 0 ? 0 : level);
                } else
                    d[x] = s[x];
            }
            break;
        case CI_TH_TOZERO:
            for (x = 0; x < n; x++) {
                if (s[x] >= level) {
                    cnt++;
                    d[x] = s[x];
                } else
                    d[x] = 0;
            }
            break;
        default:
            return ci__raise(CI_EARG, "ci_threshold_u8", src);
        }
    }
    if (npassed != NULL)
        *npassed = cnt;
    return CI_OK;
}
