/*
 * alpha.c -- to and from premultiplied alpha; out may be in
 */
#include "internal.h"

static void
premultiply_8(rs_image *out, const rs_image *in)
{
    int x, y;
    unsigned tmp;

    for (y = 0; y < in->ysize; y++) {
        const uint8_t *s = in->rows[y];
        uint8_t *d = out->rows[y];
        for (x = 0; x < in->xsize; x++) {
            unsigned alpha = s[3];
            *d++ = RS_MUL255(*s++, alpha, tmp);
            *d++ = RS_MUL255(*s++, alpha, tmp);
            *d++ = RS_MUL255(*s++, alpha, tmp);
            *d++ = *s++;
        }
    }
}

static void
unpremultiply_8(rs_image *out, const rs_image *in)
{
    int x, y;

    for (y = 0; y < in->ysize; y++) {
        const uint8_t *s = in->rows[y];
        uint8_t *d = out->rows[y];
        for (x = 0; x < in->xsize; x++, s += 4, d += 4) {
            unsigned alpha = s[3];
            if (alpha == 255 || alpha == 0) {
                d[0] = s[0];
                d[1] = s[1];
                d[2] = s[2];
            } else {
                d[0] = RS_MIN(255u * s[0] / alpha, 255u);
                d[1] = RS_MIN(255u * s[1] / alpha, 255u);
                d[2] = RS_MIN(255u * s[2] / alpha, 255u);
            }
            d[3] = alpha;
        }
    }
}

/* both ways, direction by a reciprocal table made on the fly */
static void
gray_alpha_8(rs_image *out, const rs_image *in, int undo)
{
    uint32_t recip[256];
    int i, x, y;
    unsigned tmp;

    if (undo) {
        recip[0] = 0;
        for (i = 1; i < 256; i++) {
            recip[i] = ((255u << 16) + (unsigned)i / 2) / (unsigned)i;
        }
    }
    for (y = 0; y < in->ysize; y++) {
        for (x = 0; x < in->xsize; x++) {
            uint8_t l = in->rows[y][2 * x];
            uint8_t a = in->rows[y][2 * x + 1];
            if (undo) {
                uint32_t v = (l * recip[a] + 0x8000u) >> 16;
                out->rows[y][2 * x] = v > 255 ? 255 : (uint8_t)v;
            } else {
                out->rows[y][2 * x] = RS_MUL255(l, a, tmp);
            }
            out->rows[y][2 * x + 1] = a;
        }
    }
}

static void
alpha_float(rs_image *out, const rs_image *in, int undo)
{
    int y;

    for (y = 0; y < in->ysize; y++) {
        const float *s = (const float *)in->rows[y];
        const float *end = s + 4 * in->xsize;
        float *d = (float *)out->rows[y];

        while (s < end) {
            float a = s[3];
            float f = undo ? (a > 0.0f ? 1.0f / a : 0.0f) : a;
            d[0] = s[0] * f;
            d[1] = s[1] * f;
            d[2] = s[2] * f;
            d[3] = a;
            s += 4;
            d += 4;
        }
    }
}

static rs_status
check(const rs_image *out, const rs_image *in)
{
    if (!out || !in) {
        return RS_ERR_ARG;
    }
    if (out->mode != in->mode) {
        return RS_ERR_MODE;
    }
    if (out->xsize != in->xsize || out->ysize != in->ysize) {
        return RS_ERR_SIZE;
    }
    return RS_OK;
}

rs_status
rs_premultiply(rs_image *out, const rs_image *in)
{
    rs_status st = check(out, in);

    if (st != RS_OK) {
        return st;
    }
    switch (in->mode) {
    case RS_MODE_LA:
        gray_alpha_8(out, in, 0);
        break;
    case RS_MODE_RGBA:
        premultiply_8(out, in);
        break;
    case RS_MODE_RGBAF:
        alpha_float(out, in, 0);
        break;
    default:
        return RS_ERR_MODE;
    }
    return RS_OK;
}

rs_status
rs_unpremultiply(rs_image *out, const rs_image *in)
{
    rs_status st = check(out, in);

    if (st != RS_OK) {
        return st;
    }
    switch (in->mode) {
    case RS_MODE_LA:
        gray_alpha_8(out, in, 1);
        break;
    case RS_MODE_RGBA:
        unpremultiply_8(out, in);
        break;
    case RS_MODE_RGBAF:
        alpha_float(out, in, 1);
        break;
    default:
        return RS_ERR_MODE;
    }
    return RS_OK;
}
