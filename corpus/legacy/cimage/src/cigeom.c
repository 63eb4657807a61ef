/*
 * cigeom.c - flips, transposition, zooming
 */
#include <stdlib.h>
#include <string.h>
#include "ciint.h"

/* mirror left-right; any type; dst may be src */
int ci_flip_h(ci_image *dst, const ci_image *src)
{
    int y, k;
    size_t ps;

    if (dst == NULL || src == NULL)
        return ci__raise(CI_EARG, "ci_flip_h", NULL);
    if (dst->type != src->type)
        return ci__raise(CI_ETYPE, "ci_flip_h", dst);
    CI_SAMESIZE(dst, src, "ci_flip_h");
    ps = (size_t)ci_typesize(src->type) * src->nchan;

    for (y = 0; y < src->height; y++) {
        int l = 0, r = src->width - 1;
        unsigned char *d = dst->row[y];
        const unsigned char *s = src->row[y];
        while (l <= r) {
            const unsigned char *sl = s + l * ps, *sr = s + r * ps;
            unsigned char *dl = d + l * ps, *dr = d + r * ps;
            for (k = 0; k < (int)ps; k++) {
                unsigned char a = sl[k], b = sr[k];
                dl[k] = b;
                dr[k] = a;
            }
            l++, r--;
        }
    }
    return CI_OK;
}

int ci_transpose(ci_image *dst, const ci_image *src)
{
    int x, y;
    size_t ps;

    if (dst == NULL || src == NULL || dst == src)
        return ci__raise(CI_EARG, "ci_transpose", NULL);
    if (dst->type != src->type || dst->nchan != src->nchan)
        return ci__raise(CI_ETYPE, "ci_transpose", dst);
    if (dst->width != src->height || dst->height != src->width)
        return ci__raise(CI_ESIZE, "ci_transpose", dst);
    ps = (size_t)ci_typesize(src->type) * src->nchan;

    if (ps == 1) {
        for (y = 0; y < dst->height; y++)
            for (x = 0; x < dst->width; x++)
                dst->row[y][x] = src->row[x][y];
    } else if (ps == 2 && src->nchan == 1) {
        for (y = 0; y < dst->height; y++) {
            unsigned short *d = ROW_U16(dst, y);
            for (x = 0; x < dst->width; x++)
                *d++ = ROW_U16(src, x)[y];
        }
    } else {
        for (y = 0; y < dst->height; y++)
            for (x = 0; x < dst->width; x++)
                memcpy(dst->row[y] + x * ps, src->row[x] + y * ps, ps);
    }
    return CI_OK;
}

/* 2x2 mean; an odd last row or column is dropped */
int ci_halve_u8(ci_image *dst, const ci_image *src)
{
    int x, y, c, nc;

    CI_CHECK(dst, CI_U8, "ci_halve_u8");
    CI_CHECK(src, CI_U8, "ci_halve_u8");
    if (dst->nchan != src->nchan)
        return ci__raise(CI_ECHAN, "ci_halve_u8", dst);
    if (dst->width != src->width >> 1 || dst->height != src->height >> 1)
        return ci__raise(CI_ESIZE, "ci_halve_u8", dst);
    nc = src->nchan;
    for (y = 0; y < dst->height; y++) {
        const unsigned char *s0 = src->row[y * 2], *s1 = src->row[y * 2 + 1];
        unsigned char *d = dst->row[y];
        for (x = 0; x < dst->width; x++) {
            for (c = 0; c < nc; c++, s0++, s1++)
                *d++ = (unsigned char)((s0[0] + s0[nc] + s1[0] + s1[nc] + 2) >> 2);
            s0 += nc;
            s1 += nc;
        }
    }
    return CI_OK;
}

struct zoomstep { int i0, i1; unsigned frac; };

static void zoom_plan(struct zoomstep *p, int ndst, int nsrc)
{
    int i;
    for (i = 0; i < ndst; i++) {
        /* centre to centre, 16.16; int64 to be safe with 32767 */
        int64_t pos = ((((int64_t)2 * i + 1) * nsrc << 15) / ndst) - 32768;
        if (pos < 0)
            pos = 0;
        p[i].i0 = (int)(pos >> 16);
        p[i].i1 = MIN(p[i].i0 + 1, nsrc - 1);
        p[i].frac = (unsigned)(pos & 0xFFFF) >> 8;
    }
}

/* any size to any size; smooth: bilinear with 8 bit weights, else nearest */
int ci_zoom_u8(ci_image *dst, const ci_image *src, int smooth)
{
    struct zoomstep *xs = NULL, *ys = NULL;
    int x, y, c, nc, rc = CI_ENOMEM;

    CI_CHECK(dst, CI_U8, "ci_zoom_u8");
    CI_CHECK(src, CI_U8, "ci_zoom_u8");
    if (dst->nchan != src->nchan)
        return ci__raise(CI_ECHAN, "ci_zoom_u8", dst);
    if (dst->width == 0 || dst->height == 0)
        return CI_OK;
    if (src->width == 0 || src->height == 0)
        return ci__raise(CI_ESIZE, "ci_zoom_u8", src);
    nc = src->nchan;

    if (!smooth) {
        for (y = 0; y < dst->height; y++) {
            const unsigned char *s = src->row[(long)y * src->height / dst->height];
            for (x = 0; x < dst->width; x++) {
                int sx = (int)((long)x * src->width / dst->width);
                for (c = 0; c < nc; c++)
                    dst->row[y][x * nc + c] = s[sx * nc + c];
            }
        }
        return CI_OK;
    }

    if ((xs = malloc(dst->width * sizeof *xs)) == NULL)
        goto out;
    if ((ys = malloc(dst->height * sizeof *ys)) == NULL)
        goto out;
    zoom_plan(xs, dst->width, src->width);
    zoom_plan(ys, dst->height, src->height);
    for (y = 0; y < dst->height; y++) {
        const unsigned char *a = src->row[ys[y].i0], *b = src->row[ys[y].i1];
        const unsigned fy = ys[y].frac;
        unsigned char *d = dst->row[y];
        for (x = 0; x < dst->width; x++) {
            const int l = xs[x].i0 * nc, r = xs[x].i1 * nc;
            const unsigned fx = xs[x].frac;
            for (c = 0; c < nc; c++) {
                unsigned top = a[l + c] * (256 - fx) + a[r + c] * fx;
                unsigned bot = b[l + c] * (256 - fx) + b[r + c] * fx;
                *d++ = (unsigned char)((top * (256 - fy) + bot * fy + 32768u) >> 16);
            }
        }
    }
    rc = CI_OK;
out:
    free(ys);
    free(xs);
    return rc == CI_OK ? rc : ci__raise(rc, "ci_zoom_u8", dst);
}
