/*
 * convert.c -- depth changes and the box blur
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* L to L16LE, L16BE, I32 or F32 */
rs_status
rs_widen(rs_image *out, const rs_image *in)
{
    int x, y;

    if (!out || !in || in->mode != RS_MODE_L) {
        return RS_ERR_MODE;
    }
    if (out->xsize != in->xsize || out->ysize != in->ysize) {
        return RS_ERR_SIZE;
    }
    switch (out->mode) {
    case RS_MODE_L16LE:
    case RS_MODE_L16BE:
        /* v * 257 has the same byte twice, so there is no order to care about */
        for (y = 0; y < in->ysize; y++) {
            for (x = 0; x < in->xsize; x++) {
                out->rows[y][2 * x] = out->rows[y][2 * x + 1] = in->rows[y][x];
            }
        }
        return RS_OK;
    case RS_MODE_I32:
        for (y = 0; y < in->ysize; y++) {
            int32_t *d = (int32_t *)out->rows[y];
            for (x = 0; x < in->xsize; x++) {
                *d++ = in->rows[y][x];
            }
        }
        return RS_OK;
    case RS_MODE_F32:
        for (y = 0; y < in->ysize; y++) {
            for (x = 0; x < in->xsize; x++) {
                float f = (float)in->rows[y][x] / 255.0f;
                memcpy(out->rows[y] + x * sizeof(f), &f, sizeof(f));
            }
        }
        return RS_OK;
    default:
        return RS_ERR_MODE;
    }
}

/* F32 to L; range[0] becomes black and range[1] white, or what the image has */
rs_status
rs_narrow(rs_image *out, const rs_image *in, const float *range)
{
    float lo, hi, scale;
    int x, y;

    if (!out || !in || in->mode != RS_MODE_F32 || out->mode != RS_MODE_L) {
        return RS_ERR_MODE;
    }
    if (out->xsize != in->xsize || out->ysize != in->ysize) {
        return RS_ERR_SIZE;
    }
    if (in->xsize == 0 || in->ysize == 0) {
        return RS_OK;
    }

    if (range) {
        lo = range[0];
        hi = range[1];
    } else {
        lo = hi = *(const float *)in->rows[0];
        for (y = 0; y < in->ysize; y++) {
            const float *p = (const float *)in->rows[y];
            for (x = 0; x < in->xsize; x++) {
                if (p[x] < lo) {
                    lo = p[x];
                } else if (p[x] > hi) {
                    hi = p[x];
                }
            }
        }
    }
    if (!(hi > lo)) {
        for (y = 0; y < in->ysize; y++) {
            memset(out->rows[y], 0, (size_t)out->linesize);
        }
        return RS_OK;
    }

    scale = 255.0f / (hi - lo);
    for (y = 0; y < in->ysize; y++) {
        const float *p = (const float *)in->rows[y];
        uint8_t *d = out->rows[y];
        for (x = 0; x < in->xsize; x++) {
            float v = (p[x] - lo) * scale;
            if (v <= 0.0f) {
                d[x] = 0;
            } else if (v >= 255.0f) {
                d[x] = 255;
            } else {
                d[x] = (uint8_t)(v + 0.5f);
            }
        }
    }
    return RS_OK;
}

/* L16 (either order) to L, the error is handed to four neighbours */
rs_status
rs_narrow_diffused(rs_image *out, const rs_image *in)
{
    int32_t *lines, *now, *below, *t;
    int x, y;
    const int w = in ? in->xsize : 0;
    const int lo = in && in->mode == RS_MODE_L16BE;

    if (!out || !in || (in->mode != RS_MODE_L16LE && in->mode != RS_MODE_L16BE) ||
        out->mode != RS_MODE_L) {
        return RS_ERR_MODE;
    }
    if (out->xsize != w || out->ysize != in->ysize) {
        return RS_ERR_SIZE;
    }
    /* two lines of sixteenths with a spare place at either end */
    lines = calloc(2 * ((size_t)w + 2), sizeof(*lines));
    if (!lines) {
        return RS_ERR_MEMORY;
    }
    now = lines + 1;
    below = now + w + 2;
    for (y = 0; y < in->ysize; y++) {
        const uint8_t *p = in->rows[y];

        for (x = -1; x <= w; x++) {
            below[x] = 0;
        }
        for (x = 0; x < w; x++) {
            int want = (p[2 * x + lo] | (p[2 * x + !lo] << 8)) + now[x] / 16;
            int q = (want + 128) / 257;
            int err;

            q = q < 0 ? 0 : q > 255 ? 255 : q;
            err = want - q * 257;
            out->rows[y][x] = (uint8_t)q;
            now[x + 1] += 7 * err;
            below[x - 1] += 3 * err;
            below[x] += 5 * err;
            below[x + 1] += err;
        }
        t = now;
        now = below;
        below = t;
    }
    free(lines);
    return RS_OK;
}

static void
blur_row(uint8_t *dst, const uint8_t *src, int n, int step, int radius)
{
    const int window = 2 * radius + 1;
    int acc, i;

    acc = src[0] * (radius + 1);
    for (i = 1; i <= radius; i++) {
        acc += src[RS_MIN(i, n - 1) * step];
    }
    for (i = 0; i < n; i++) {
        int leave = i - radius, enter = i + radius + 1;
        dst[i * step] = (uint8_t)((acc + radius) / window);
        acc += src[(enter < n ? enter : n - 1) * step];
        acc -= src[(leave > 0 ? leave : 0) * step];
    }
}

/* Horizontal only, every byte of a pixel on its own.  out may not be in. */
rs_status
rs_box_blur(rs_image *out, const rs_image *in, int radius)
{
    int y, b;

    if (!out || !in || out->mode != in->mode || in->mode > RS_MODE_RGBA) {
        return RS_ERR_MODE;
    }
    if (out->xsize != in->xsize || out->ysize != in->ysize || out == in) {
        return RS_ERR_SIZE;
    }
    if (radius < 0 || radius > 1000) {
        return RS_ERR_ARG;
    }
    if (radius == 0) {
        return rs_image_copy_rect(out, 0, 0, in, NULL);
    }
    if (in->xsize == 0) {
        return RS_OK;
    }
    for (y = 0; y < in->ysize; y++) {
        for (b = 0; b < in->pixelsize; b++) {
            blur_row(out->rows[y] + b, in->rows[y] + b, in->xsize, in->pixelsize, radius);
        }
    }
    return RS_OK;
}
