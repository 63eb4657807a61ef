/*
 * image.c -- image objects with a table of row pointers
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const struct {
    int bands;
    int pixelsize;
} mode_info[RS_MODE_COUNT] = {
    {1, 1}, {2, 2}, {3, 4}, {4, 4}, {1, 2}, {1, 2}, {1, 4}, {1, 4}, {4, 16},
};

int
rs_mode_pixelsize(rs_mode mode)
{
    return mode_info[mode].pixelsize;
}

int
rs_mode_bands(rs_mode mode)
{
    return mode_info[mode].bands;
}

static rs_image *
image_head(rs_mode mode, int xsize, int ysize)
{
    rs_image *im;

    if ((int)mode < 0 || mode >= RS_MODE_COUNT || xsize < 0 || ysize < 0) {
        return NULL;
    }
    if (xsize > 0x7fffff || ysize > 0x7fffff) {
        return NULL;
    }
    im = calloc(1, sizeof(*im));
    if (!im) {
        return NULL;
    }
    im->mode = mode;
    im->xsize = xsize;
    im->ysize = ysize;
    im->bands = mode_info[mode].bands;
    im->pixelsize = mode_info[mode].pixelsize;
    im->linesize = im->pixelsize * xsize;
    im->rows = calloc((size_t)ysize + 1, sizeof(uint8_t *));
    if (!im->rows) {
        free(im);
        return NULL;
    }
    return im;
}

rs_image *
rs_image_new(rs_mode mode, int xsize, int ysize)
{
    rs_image *im = image_head(mode, xsize, ysize);
    size_t stride;
    int y;

    if (!im) {
        return NULL;
    }
    stride = ((size_t)im->linesize + 3) & ~(size_t)3;
    im->block = calloc(stride * (size_t)ysize + 1, 1);
    if (!im->block) {
        rs_image_free(im);
        return NULL;
    }
    for (y = 0; y < ysize; y++) {
        im->rows[y] = im->block + stride * (size_t)y;
    }
    return im;
}

rs_image *
rs_image_wrap(rs_mode mode, int xsize, int ysize, void *mem, ptrdiff_t stride)
{
    rs_image *im = image_head(mode, xsize, ysize);
    int y;

    if (!im) {
        return NULL;
    }
    for (y = 0; y < ysize; y++) {
        im->rows[y] = (uint8_t *)mem + stride * y;
    }
    return im;
}

void
rs_image_free(rs_image *im)
{
    if (!im) {
        return;
    }
    free(im->rows);
    free(im->block);
    free(im);
}

rs_status
rs_image_fill(rs_image *im, const void *pixel)
{
    int x, y;
    uint8_t ink[16];

    if (!im) {
        return RS_ERR_ARG;
    }
    memset(ink, 0, sizeof(ink));
    if (pixel) {
        memcpy(ink, pixel, (size_t)im->pixelsize);
    }

    if (im->pixelsize == 1 || !pixel) {
        for (y = 0; y < im->ysize; y++) {
            memset(im->rows[y], ink[0], (size_t)im->linesize);
        }
    } else if (im->pixelsize == 4) {
        uint32_t v;
        memcpy(&v, ink, 4);
        for (y = 0; y < im->ysize; y++) {
            uint8_t *p = im->rows[y];
            for (x = 0; x < im->xsize; x++) {
                memcpy(p + 4 * x, &v, sizeof(v));
            }
        }
    } else {
        for (y = 0; y < im->ysize; y++) {
            uint8_t *p = im->rows[y];
            for (x = 0; x < im->linesize; x++) {
                p[x] = ink[x % im->pixelsize];
            }
        }
    }
    return RS_OK;
}

/* rect is x, y, w, h in the source or NULL for all of it */
rs_status
rs_image_copy_rect(rs_image *dst, int dx, int dy, const rs_image *src, const int *rect)
{
    int x0 = 0, y0 = 0, w, h, y;

    if (!dst || !src) {
        return RS_ERR_ARG;
    }
    if (dst->mode != src->mode) {
        return RS_ERR_MODE;
    }
    w = src->xsize;
    h = src->ysize;
    if (rect) {
        x0 = rect[0];
        y0 = rect[1];
        w = RS_MIN(rect[2], src->xsize - x0);
        h = RS_MIN(rect[3], src->ysize - y0);
        if (x0 < 0) {
            dx -= x0;
            w += x0;
            x0 = 0;
        }
        if (y0 < 0) {
            dy -= y0;
            h += y0;
            y0 = 0;
        }
    }
    if (dx < 0) {
        x0 -= dx;
        w += dx;
        dx = 0;
    }
    if (dy < 0) {
        y0 -= dy;
        h += dy;
        dy = 0;
    }
    w = RS_MIN(w, dst->xsize - dx);
    h = RS_MIN(h, dst->ysize - dy);
    if (w <= 0 || h <= 0) {
        return RS_OK;
    }

    for (y = 0; y < h; y++) {
        const uint8_t *in = src->rows[y0 + y] + x0 * src->pixelsize;
        uint8_t *out = dst->rows[dy + y] + dx * dst->pixelsize;
        int n = w * src->pixelsize;
        while (n--) {
            *out++ = *in++;
        }
    }
    return RS_OK;
}

void
rs_image_flip(rs_image *im, int horizontally, int vertically)
{
    int x, y, b;

    assert(im != NULL);
    if (horizontally) {
        const int ps = im->pixelsize;
        for (y = 0; y < im->ysize; y++) {
            uint8_t *left = im->rows[y];
            uint8_t *right = im->rows[y] + (im->xsize - 1) * ps;
            for (x = 0; x < im->xsize / 2; x++, left += ps, right -= ps) {
                for (b = 0; b < ps; b++) {
                    uint8_t t = left[b];
                    left[b] = right[b];
                    right[b] = t;
                }
            }
        }
    }
    if (vertically) {
        for (y = 0; y < im->ysize / 2; y++) {
            uint8_t *upper = im->rows[y];
            uint8_t *lower = im->rows[im->ysize - 1 - y];
            for (x = 0; x < im->linesize; x++) {
                uint8_t t = upper[x];
                upper[x] = lower[x];
                lower[x] = t;
            }
        }
    }
}

/*
 * The smallest rectangle outside of which alpha is zero.  Returns the number of
 * pixels with alpha, -1 if the mode has none.
 */
int
rs_image_alpha_extent(const rs_image *im, int bbox[4])
{
    int x, y, n = 0;
    int x0 = im->xsize, y0 = -1, x1 = 0, y1 = 0;
    int off;

    switch (im->mode) {
    case RS_MODE_LA:
        off = 1;
        break;
    case RS_MODE_RGBA:
        off = 3;
        break;
    default:
        return -1;
    }

    for (y = 0; y < im->ysize; y++) {
        const uint8_t *p = im->rows[y] + off;
        int had = 0;
        for (x = 0; x < im->xsize; x++) {
            if (p[x * im->pixelsize]) {
                had = 1;
                n++;
                if (x < x0) {
                    x0 = x;
                }
                if (x >= x1) {
                    x1 = x + 1;
                }
            }
        }
        if (had) {
            if (y0 < 0) {
                y0 = y;
            }
            y1 = y + 1;
        }
    }
    if (bbox) {
        bbox[0] = n ? x0 : 0;
        bbox[1] = n ? y0 : 0;
        bbox[2] = x1;
        bbox[3] = y1;
    }
    return n;
}
