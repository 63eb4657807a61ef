/*
 * resample32.c -- the passes for everything wider than a byte
 */
#include <string.h>

#include "internal.h"

static inline uint16_t
to_word(double v)
{
    if (v <= 0.0) {
        return 0;
    }
    if (v >= 65535.0) {
        return 65535;
    }
    return (uint16_t)(v + 0.5);
}

void
rs_horizontal_16(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    const int lo = in->mode == RS_MODE_L16BE ? 1 : 0;
    const int hi = !lo;
    int ox, oy, x;

    for (oy = 0; oy < out->ysize; oy++) {
        const uint8_t *src = in->rows[oy + offset];
        uint8_t *dst = out->rows[oy];

        for (ox = 0; ox < out->xsize; ox++) {
            int xmin = c->bounds[ox * 2 + 0];
            int xmax = c->bounds[ox * 2 + 1];
            const double *k = &c->w[ox * c->ksize];
            double acc = 0.0;
            uint16_t v;

            for (x = 0; x < xmax; x++) {
                acc += (src[(x + xmin) * 2 + lo] | (src[(x + xmin) * 2 + hi] << 8)) * k[x];
            }
            v = to_word(acc);
            dst[ox * 2 + lo] = v & 0xff;
            dst[ox * 2 + hi] = v >> 8;
        }
    }
}

void
rs_vertical_16(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    const int big = in->mode == RS_MODE_L16BE;
    int ox, oy, y;

    for (oy = 0; oy < out->ysize; oy++) {
        int ymin = c->bounds[oy * 2 + 0] - offset;
        int ymax = c->bounds[oy * 2 + 1];
        const double *k = &c->w[oy * c->ksize];

        for (ox = 0; ox < out->xsize; ox++) {
            double acc = 0.0;
            uint16_t v;
            uint8_t *d = out->rows[oy] + ox * 2;

            for (y = 0; y < ymax; y++) {
                const uint8_t *s = in->rows[y + ymin] + ox * 2;
                acc += (big ? (s[0] << 8) | s[1] : (s[1] << 8) | s[0]) * k[y];
            }
            v = to_word(acc);
            d[big ? 1 : 0] = (uint8_t)v;
            d[big ? 0 : 1] = (uint8_t)(v >> 8);
        }
    }
}

void
rs_horizontal_32(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    int ox, oy, x, b;

    switch (in->mode) {
    case RS_MODE_I32:
        for (oy = 0; oy < out->ysize; oy++) {
            for (ox = 0; ox < out->xsize; ox++) {
                int xmin = c->bounds[ox * 2 + 0];
                int xmax = c->bounds[ox * 2 + 1];
                const double *k = &c->w[ox * c->ksize];
                double acc = 0.0;
                for (x = 0; x < xmax; x++) {
                    acc += ((const int32_t *)in->rows[oy + offset])[x + xmin] * k[x];
                }
                ((int32_t *)out->rows[oy])[ox] = round_i32(acc);
            }
        }
        break;

    case RS_MODE_F32:
        for (oy = 0; oy < out->ysize; oy++) {
            const float *src = (const float *)in->rows[oy + offset];
            float *dst = (float *)out->rows[oy];
            for (ox = 0; ox < out->xsize; ox++) {
                int xmin = c->bounds[ox * 2 + 0];
                int xmax = c->bounds[ox * 2 + 1];
                const double *k = &c->w[ox * c->ksize];
                double acc = 0.0;
                for (x = 0; x < xmax; x++) {
                    acc += src[x + xmin] * k[x];
                }
                dst[ox] = (float)acc;
            }
        }
        break;

    default: /* RS_MODE_RGBAF */
        for (oy = 0; oy < out->ysize; oy++) {
            const float *src = (const float *)in->rows[oy + offset];
            float *dst = (float *)out->rows[oy];
            for (ox = 0; ox < out->xsize; ox++) {
                const int *bd = c->bounds + 2 * ox;
                float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
                for (x = 0; x < bd[1]; x++) {
                    const float f = (float)c->w[ox * c->ksize + x];
                    for (b = 0; b < 4; b++) {
                        sum[b] += src[(bd[0] + x) * 4 + b] * f;
                    }
                }
                memcpy(dst + ox * 4, sum, sizeof(sum));
            }
        }
        break;
    }
}

void
rs_vertical_32(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    int ox, oy, y;

    for (oy = 0; oy < out->ysize; oy++) {
        int ymin = c->bounds[oy * 2 + 0] - offset;
        int ymax = c->bounds[oy * 2 + 1];
        const double *k = &c->w[oy * c->ksize];

        if (in->mode == RS_MODE_I32) {
            int32_t *dst = (int32_t *)out->rows[oy];
            for (ox = 0; ox < out->xsize; ox++) {
                double acc = 0.0;
                for (y = 0; y < ymax; y++) {
                    acc += ((const int32_t *)in->rows[y + ymin])[ox] * k[y];
                }
                dst[ox] = round_i32(acc);
            }
        } else {
            float *dst = (float *)out->rows[oy];
            const int n = out->linesize / (int)sizeof(float);
            for (ox = 0; ox < n; ox++) {
                double acc = 0.0;
                for (y = 0; y < ymax; y++) {
                    acc += ((const float *)in->rows[y + ymin])[ox] * k[y];
                }
                dst[ox] = (float)acc;
            }
        }
    }
}
