/*
 * nearest.c -- samplers that need no coefficient tables
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

rs_status
rs_resize_nearest(rs_image *out, const rs_image *in, const float *box)
{
    int *xtab = NULL;
    int x, y;
    double xo, yo, xscale, yscale;
    float all[4];

    if (!out || !in || out->mode != in->mode) {
        return RS_ERR_MODE;
    }
    if (out->xsize < 1 || out->ysize < 1 || in->xsize < 1 || in->ysize < 1) {
        return RS_ERR_SIZE;
    }
    if (!box) {
        all[0] = all[1] = 0;
        all[2] = (float)in->xsize;
        all[3] = (float)in->ysize;
        box = all;
    }
    if (!(box[0] >= 0 && box[1] >= 0 && box[2] <= in->xsize && box[3] <= in->ysize)) {
        return RS_ERR_BOX;
    }
    xscale = (box[2] - box[0]) / out->xsize;
    yscale = (box[3] - box[1]) / out->ysize;

    xtab = malloc((size_t)out->xsize * sizeof(int));
    if (!xtab) {
        return RS_ERR_MEMORY;
    }
    xo = box[0] + xscale * 0.5;
    for (x = 0; x < out->xsize; x++) {
        int xin = (int)(xo + xscale * x);
        xtab[x] = RS_MAX(0, RS_MIN(xin, in->xsize - 1));
    }

    yo = box[1] + yscale * 0.5;
    for (y = 0; y < out->ysize; y++) {
        int yin = (int)yo;
        const uint8_t *src;
        uint8_t *dst = out->rows[y];

        yo += yscale;
        if (yin >= in->ysize) {
            yin = in->ysize - 1;
        }
        src = in->rows[yin];
        switch (out->pixelsize) {
        case 1:
            for (x = 0; x < out->xsize; x++) {
                dst[x] = src[xtab[x]];
            }
            break;
        case 4:
            for (x = 0; x < out->xsize; x++) {
                memcpy(dst + 4 * x, src + 4 * xtab[x], 4);
            }
            break;
        default:
            for (x = 0; x < out->xsize; x++) {
                memcpy(dst + x * out->pixelsize, src + xtab[x] * out->pixelsize,
                       (size_t)out->pixelsize);
            }
            break;
        }
    }
    free(xtab);
    return RS_OK;
}

/*
 * Two taps each way, 16.16 positions and 8 bit weights: previews only.
 */
rs_status
rs_resize_bilinear_fast(rs_image *out, const rs_image *in)
{
    uint32_t xstep, ystep, sx, sy;
    int x, y, b;

    if (!out || !in || out->mode != in->mode || in->mode > RS_MODE_RGBA) {
        return RS_ERR_MODE;
    }
    if (in->xsize < 1 || in->ysize < 1 || in->xsize > 32767 || in->ysize > 32767) {
        return RS_ERR_SIZE;
    }
    if (out->xsize < 1 || out->ysize < 1) {
        return RS_OK;
    }
    xstep = out->xsize > 1 ? ((uint32_t)(in->xsize - 1) << 16) / (uint32_t)(out->xsize - 1) : 0;
    ystep = out->ysize > 1 ? ((uint32_t)(in->ysize - 1) << 16) / (uint32_t)(out->ysize - 1) : 0;

    for (y = 0, sy = 0; y < out->ysize; y++, sy += ystep) {
        unsigned y0 = sy >> 16;
        unsigned y1 = y0 + 1 < (unsigned)in->ysize ? y0 + 1 : y0;
        unsigned fy = (sy >> 8) & 0xff;
        const uint8_t *r0 = in->rows[y0];
        const uint8_t *r1 = in->rows[y1];
        uint8_t *dst = out->rows[y];
        const int ps = in->pixelsize;

        for (x = 0, sx = 0; x < out->xsize; x++, sx += xstep) {
            unsigned x0 = sx >> 16;
            unsigned x1 = x0 + 1 < (unsigned)in->xsize ? x0 + 1 : x0;
            unsigned fx = (sx >> 8) & 0xff;
            for (b = 0; b < ps; b++) {
                unsigned top = r0[x0 * ps + b] * (256 - fx) + r0[x1 * ps + b] * fx;
                unsigned bot = r1[x0 * ps + b] * (256 - fx) + r1[x1 * ps + b] * fx;
                *dst++ = (uint8_t)((top * (256 - fy) + bot * fy + 0x8000) >> 16);
            }
        }
    }
    return RS_OK;
}

static int
sample_f32(float *v, const rs_image *in, double xin, double yin)
{
    int x0, y0, x1, y1;
    double dx, dy, v1, v2;

    if (xin < 0.0 || xin >= in->xsize || yin < 0.0 || yin >= in->ysize) {
        return 0;
    }
    xin -= 0.5;
    yin -= 0.5;
    x0 = (int)floor(xin);
    y0 = (int)floor(yin);
    dx = xin - x0;
    dy = yin - y0;
    x1 = x0 + 1 < in->xsize ? x0 + 1 : in->xsize - 1;
    y1 = y0 + 1 < in->ysize ? y0 + 1 : in->ysize - 1;
    x0 = x0 < 0 ? 0 : x0;
    y0 = y0 < 0 ? 0 : y0;

    v1 = ((float *)in->rows[y0])[x0] * (1.0 - dx) + ((float *)in->rows[y0])[x1] * dx;
    v2 = ((float *)in->rows[y1])[x0] * (1.0 - dx) + ((float *)in->rows[y1])[x1] * dx;
    *v = (float)(v1 + (v2 - v1) * dy);
    return 1;
}

rs_status
rs_affine_f32(rs_image *out, const rs_image *in, const double a[6], float outside)
{
    int x, y;

    if (!out || !in) {
        return RS_ERR_ARG;
    }
    if (out->mode != RS_MODE_F32 || in->mode != RS_MODE_F32) {
        return RS_ERR_MODE;
    }
    for (y = 0; y < out->ysize; y++) {
        float *dst = (float *)out->rows[y];
        for (x = 0; x < out->xsize; x++) {
            double xin = a[0] * (x + 0.5) + a[1] * (y + 0.5) + a[2];
            double yin = a[3] * (x + 0.5) + a[4] * (y + 0.5) + a[5];
            float v;
            dst[x] = sample_f32(&v, in, xin, yin) ? v : outside;
        }
    }
    return RS_OK;
}
