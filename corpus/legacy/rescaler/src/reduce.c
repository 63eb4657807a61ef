/*
 * reduce.c -- shrinking by whole factors, no weights at all
 */
#include "internal.h"

/* sum * multiplier >> 24 is the mean, rounded by the caller's amend */
static uint32_t
division_multiplier(int n)
{
    return (uint32_t)((1u << 24) / (double)n + 0.5);
}

static void
reduce_2x2(rs_image *out, const rs_image *in)
{
    const uint32_t amend = 2;
    int x, y, b;
    const int ps = in->pixelsize;

    for (y = 0; y < in->ysize / 2; y++) {
        const uint8_t *line0 = in->rows[y * 2 + 0];
        const uint8_t *line1 = in->rows[y * 2 + 1];
        if (ps == 1) {
            for (x = 0; x < in->xsize / 2; x++) {
                uint32_t ss = line0[x * 2 + 0] + line0[x * 2 + 1] + line1[x * 2 + 0] + line1[x * 2 + 1];
                out->rows[y][x] = (ss + amend) >> 2;
            }
        } else {
            for (x = 0; x < in->xsize / 2; x++) {
                for (b = 0; b < ps; b++) {
                    uint32_t ss = line0[(x * 2 + 0) * ps + b] + line0[(x * 2 + 1) * ps + b] +
                                  line1[(x * 2 + 0) * ps + b] + line1[(x * 2 + 1) * ps + b];
                    out->rows[y][x * ps + b] = (ss + amend) >> 2;
                }
            }
        }
    }
}

static void
reduce_1xn(rs_image *out, const rs_image *in, int yscale)
{
    const uint32_t multiplier = division_multiplier(yscale);
    const uint32_t amend = (uint32_t)yscale / 2;
    int x, y, yy;

    for (y = 0; y < in->ysize / yscale; y++) {
        for (x = 0; x < in->linesize; x++) {
            uint32_t ss = amend;
            for (yy = y * yscale; yy < (y + 1) * yscale - 1; yy += 2) {
                ss += in->rows[yy][x] + in->rows[yy + 1][x];
            }
            if (yscale & 1) {
                ss += in->rows[yy][x];
            }
            out->rows[y][x] = (ss * multiplier) >> 24;
        }
    }
}

static void
reduce_nxm(rs_image *out, const rs_image *in, int xscale, int yscale)
{
    const uint64_t multiplier = division_multiplier(xscale * yscale);
    const uint32_t amend = (uint32_t)(xscale * yscale) / 2;
    int x, y, xx, yy, b;
    const int ps = in->pixelsize;

    for (y = 0; y < in->ysize / yscale; y++) {
        for (x = 0; x < in->xsize / xscale; x++) {
            uint32_t ss[4] = {amend, amend, amend, amend};
            for (yy = 0; yy < yscale; yy++) {
                const uint8_t *p = in->rows[y * yscale + yy] + x * xscale * ps;
                for (xx = 0; xx < xscale; xx++) {
                    for (b = 0; b < ps; b++) {
                        ss[b] += *p++;
                    }
                }
            }
            for (b = 0; b < ps; b++) {
                out->rows[y][x * ps + b] = (uint8_t)((ss[b] * multiplier) >> 24);
            }
        }
    }
}

/* What is left at the right and at the bottom: fewer pixels, own divisors. */
static void
reduce_rest(rs_image *out, const rs_image *in, int xscale, int yscale)
{
    const int ps = in->pixelsize;
    const int xrest = in->xsize % xscale, yrest = in->ysize % yscale;
    int x, y, xx, yy, b;

    if (xrest) {
        const int n = xrest * yscale;
        x = in->xsize / xscale;
        for (y = 0; y < in->ysize / yscale; y++) {
            for (b = 0; b < ps; b++) {
                uint32_t ss = (uint32_t)n / 2;
                for (yy = y * yscale; yy < (y + 1) * yscale; yy++) {
                    for (xx = x * xscale; xx < in->xsize; xx++) {
                        ss += in->rows[yy][xx * ps + b];
                    }
                }
                out->rows[y][x * ps + b] = (uint8_t)(ss / (uint32_t)n);
            }
        }
    }
    if (yrest) {
        const int n = xscale * yrest;
        y = in->ysize / yscale;
        for (x = 0; x < in->xsize / xscale; x++) {
            for (b = 0; b < ps; b++) {
                uint32_t ss = (uint32_t)n / 2;
                for (yy = y * yscale; yy < in->ysize; yy++) {
                    for (xx = x * xscale; xx < (x + 1) * xscale; xx++) {
                        ss += in->rows[yy][xx * ps + b];
                    }
                }
                out->rows[y][x * ps + b] = (uint8_t)(ss / (uint32_t)n);
            }
        }
    }
    if (xrest && yrest) {
        const uint32_t n = (uint32_t)(xrest * yrest);
        x = in->xsize / xscale;
        y = in->ysize / yscale;
        for (b = 0; b < ps; b++) {
            uint32_t ss = n / 2;
            for (yy = y * yscale; yy < in->ysize; yy++) {
                for (xx = x * xscale; xx < in->xsize; xx++) {
                    ss += in->rows[yy][xx * ps + b];
                }
            }
            out->rows[y][x * ps + b] = (uint8_t)(ss / n);
        }
    }
}

static void
reduce_f32(rs_image *out, const rs_image *in, int xscale, int yscale)
{
    int x, y, xx, yy;

    for (y = 0; y < out->ysize; y++) {
        int y1 = RS_MIN((y + 1) * yscale, in->ysize);
        for (x = 0; x < out->xsize; x++) {
            int x1 = RS_MIN((x + 1) * xscale, in->xsize);
            double ss = 0;
            int n = 0;
            for (yy = y * yscale; yy < y1; yy++) {
                const float *line = (const float *)in->rows[yy];
                for (xx = x * xscale; xx < x1; xx++) {
                    ss += line[xx];
                    n++;
                }
            }
            ((float *)out->rows[y])[x] = (float)(ss / n);
        }
    }
}

rs_status
rs_reduce(rs_image *out, const rs_image *in, int xscale, int yscale)
{
    if (!out || !in || xscale < 1 || yscale < 1 || xscale > 64 || yscale > 64) {
        return RS_ERR_ARG;
    }
    if (out->mode != in->mode) {
        return RS_ERR_MODE;
    }
    if (out->xsize != (in->xsize + xscale - 1) / xscale || out->ysize != (in->ysize + yscale - 1) / yscale) {
        return RS_ERR_SIZE;
    }

    switch (in->mode) {
    case RS_MODE_L:
    case RS_MODE_LA:
    case RS_MODE_RGB:
    case RS_MODE_RGBA:
        if (xscale == 2 && yscale == 2) {
            reduce_2x2(out, in);
        } else if (xscale == 1) {
            reduce_1xn(out, in, yscale);
        } else {
            reduce_nxm(out, in, xscale, yscale);
        }
        reduce_rest(out, in, xscale, yscale);
        return RS_OK;
    case RS_MODE_F32:
        reduce_f32(out, in, xscale, yscale);
        return RS_OK;
    default:
        return RS_ERR_MODE;
    }
}
