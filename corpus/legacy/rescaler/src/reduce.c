/*
 * reduce.c -- shrinking by whole factors, no weights at all
 */
#include "internal.h"

/* sum * recip >> 24 is the mean, rounded by the caller's half */
static uint32_t
reciprocal(int n)
{
    return (uint32_t)((1u << 24) / (double)n + 0.5);
}

static void
reduce_2x2(rs_image *out, const rs_image *in)
{
    const uint32_t half = 2;
    int x, y, b;
    const int ps = in->pixelsize;

    for (y = 0; y < in->ysize / 2; y++) {
        const uint8_t *line0 = in->rows[y * 2 + 0];
        const uint8_t *line1 = in->rows[y * 2 + 1];
        if (ps == 1) {
            for (x = 0; x < in->xsize / 2; x++) {
                uint32_t acc = line0[x * 2 + 0] + line0[x * 2 + 1] + line1[x * 2 + 0] + line1[x * 2 + 1];
                out->rows[y][x] = (acc + half) >> 2;
            }
        } else {
            for (x = 0; x < in->xsize / 2; x++) {
                for (b = 0; b < ps; b++) {
                    uint32_t acc = line0[(x * 2 + 0) * ps + b] + line0[(x * 2 + 1) * ps + b] +
                                  line1[(x * 2 + 0) * ps + b] + line1[(x * 2 + 1) * ps + b];
                    out->rows[y][x * ps + b] = (acc + half) >> 2;
                }
            }
        }
    }
}

static void
reduce_1xn(rs_image *out, const rs_image *in, int yscale)
{
    const uint32_t recip = reciprocal(yscale);
    const uint32_t half = (uint32_t)yscale / 2;
    int x, y, oy;

    for (y = 0; y < in->ysize / yscale; y++) {
        for (x = 0; x < in->linesize; x++) {
            uint32_t acc = half;
            for (oy = y * yscale; oy < (y + 1) * yscale - 1; oy += 2) {
                acc += in->rows[oy][x] + in->rows[oy + 1][x];
            }
            if (yscale & 1) {
                acc += in->rows[oy][x];
            }
            out->rows[y][x] = (acc * recip) >> 24;
        }
    }
}

static void
reduce_nxm(rs_image *out, const rs_image *in, int xscale, int yscale)
{
    const uint64_t recip = reciprocal(xscale * yscale);
    const uint32_t half = (uint32_t)(xscale * yscale) / 2;
    int x, y, ox, oy, b;
    const int ps = in->pixelsize;

    for (y = 0; y < in->ysize / yscale; y++) {
        for (x = 0; x < in->xsize / xscale; x++) {
            uint32_t acc[4] = {half, half, half, half};
            for (oy = 0; oy < yscale; oy++) {
                const uint8_t *p = in->rows[y * yscale + oy] + x * xscale * ps;
                for (ox = 0; ox < xscale; ox++) {
                    for (b = 0; b < ps; b++) {
                        acc[b] += *p++;
                    }
                }
            }
            for (b = 0; b < ps; b++) {
                out->rows[y][x * ps + b] = (uint8_t)((acc[b] * recip) >> 24);
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
    int x, y, ox, oy, b;

    if (xrest) {
        const int n = xrest * yscale;
        x = in->xsize / xscale;
        for (y = 0; y < in->ysize / yscale; y++) {
            for (b = 0; b < ps; b++) {
                uint32_t acc = (uint32_t)n / 2;
                for (oy = y * yscale; oy < (y + 1) * yscale; oy++) {
                    for (ox = x * xscale; ox < in->xsize; ox++) {
                        acc += in->rows[oy][ox * ps + b];
                    }
                }
                out->rows[y][x * ps + b] = (uint8_t)(acc / (uint32_t)n);
            }
        }
    }
    if (yrest) {
        const int n = xscale * yrest;
        y = in->ysize / yscale;
        for (x = 0; x < in->xsize / xscale; x++) {
            for (b = 0; b < ps; b++) {
                uint32_t acc = (uint32_t)n / 2;
                for (oy = y * yscale; oy < in->ysize; oy++) {
                    for (ox = x * xscale; ox < (x + 1) * xscale; ox++) {
                        acc += in->rows[oy][ox * ps + b];
                    }
                }
                out->rows[y][x * ps + b] = (uint8_t)(acc / (uint32_t)n);
            }
        }
    }
    if (xrest && yrest) {
        const uint32_t n = (uint32_t)(xrest * yrest);
        x = in->xsize / xscale;
        y = in->ysize / yscale;
        for (b = 0; b < ps; b++) {
            uint32_t acc = n / 2;
            for (oy = y * yscale; oy < in->ysize; oy++) {
                for (ox = x * xscale; ox < in->xsize; ox++) {
                    acc += in->rows[oy][ox * ps + b];
                }
            }
            out->rows[y][x * ps + b] = (uint8_t)(acc / n);
        }
    }
}

static void
reduce_f32(rs_image *out, const rs_image *in, int xscale, int yscale)
{
    int x, y, ox, oy;

    for (y = 0; y < out->ysize; y++) {
        int y1 = RS_MIN((y + 1) * yscale, in->ysize);
        for (x = 0; x < out->xsize; x++) {
            int x1 = RS_MIN((x + 1) * xscale, in->xsize);
            double acc = 0;
            int n = 0;
            for (oy = y * yscale; oy < y1; oy++) {
                const float *line = (const float *)in->rows[oy];
                for (ox = x * xscale; ox < x1; ox++) {
                    acc += line[ox];
                    n++;
                }
            }
            ((float *)out->rows[y])[x] = (float)(acc / n);
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
