/*
 * resample32.c -- the passes for everything wider than a byte
 */
#include <string.h>

#include "internal.h"

static inline uint16_t
clip16(double v)
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
    int xx, yy, x;

    for (yy = 0; yy < out->ysize; yy++) {
        const uint8_t *src = in->rows[yy + offset];
        uint8_t *dst = out->rows[yy];

        for (xx = 0; xx < out->xsize; xx++) {
            int xmin = c->bounds[xx * 2 + 0];
            int xmax = c->bounds[xx * 2 + 1];
            const double *k = &c->kk[xx * c->ksize];
            double ss = 0.0;
            uint16_t v;

            for (x = 0; x < xmax; x++) {
                ss += (src[(x + xmin) * 2 + lo] | (src[(x + xmin) * 2 + hi] << 8)) * k[x];
            }
            v = clip16(ss);
            dst[xx * 2 + lo] = v & 0xff;
            dst[xx * 2 + hi] = v >> 8;
        }
    }
}

void
rs_vertical_16(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    const int big = in->mode == RS_MODE_L16BE;
    int xx, yy, y;

    for (yy = 0; yy < out->ysize; yy++) {
        int ymin = c->bounds[yy * 2 + 0] - offset;
        int ymax = c->bounds[yy * 2 + 1];
        const double *k = &c->kk[yy * c->ksize];

        for (xx = 0; xx < out->xsize; xx++) {
            double ss = 0.0;
            uint16_t v;
            uint8_t *d = out->rows[yy] + xx * 2;

            for (y = 0; y < ymax; y++) {
                const uint8_t *s = in->rows[y + ymin] + xx * 2;
                ss += (big ? (s[0] << 8) | s[1] : (s[1] << 8) | s[0]) * k[y];
            }
            v = clip16(ss);
            d[big ? 1 : 0] = (uint8_t)v;
            d[big ? 0 : 1] = (uint8_t)(v >> 8);
        }
    }
}

void
rs_horizontal_32(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    int xx, yy, x, b;

    switch (in->mode) {
    case RS_MODE_I32:
        for (yy = 0; yy < out->ysize; yy++) {
            for (xx = 0; xx < out->xsize; xx++) {
                int xmin = c->bounds[xx * 2 + 0];
                int xmax = c->bounds[xx * 2 + 1];
                const double *k = &c->kk[xx * c->ksize];
                double ss = 0.0;
                for (x = 0; x < xmax; x++) {
                    ss += ((const int32_t *)in->rows[yy + offset])[x + xmin] * k[x];
                }
                ((int32_t *)out->rows[yy])[xx] = round_i32(ss);
            }
        }
        break;

    case RS_MODE_F32:
        for (yy = 0; yy < out->ysize; yy++) {
            const float *src = (const float *)in->rows[yy + offset];
            float *dst = (float *)out->rows[yy];
            for (xx = 0; xx < out->xsize; xx++) {
                int xmin = c->bounds[xx * 2 + 0];
                int xmax = c->bounds[xx * 2 + 1];
                const double *k = &c->kk[xx * c->ksize];
                double ss = 0.0;
                for (x = 0; x < xmax; x++) {
                    ss += src[x + xmin] * k[x];
                }
                dst[xx] = (float)ss;
            }
        }
        break;

    default: /* RS_MODE_RGBAF */
        for (yy = 0; yy < out->ysize; yy++) {
            const float *src = (const float *)in->rows[yy + offset];
            float *dst = (float *)out->rows[yy];
            for (xx = 0; xx < out->xsize; xx++) {
                const int *bd = c->bounds + 2 * xx;
                float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
                for (x = 0; x < bd[1]; x++) {
                    const float w = (float)c->kk[xx * c->ksize + x];
                    for (b = 0; b < 4; b++) {
                        acc[b] += src[(bd[0] + x) * 4 + b] * w;
                    }
                }
                memcpy(dst + xx * 4, acc, sizeof(acc));
            }
        }
        break;
    }
}

void
rs_vertical_32(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    int xx, yy, y;

    for (yy = 0; yy < out->ysize; yy++) {
        int ymin = c->bounds[yy * 2 + 0] - offset;
        int ymax = c->bounds[yy * 2 + 1];
        const double *k = &c->kk[yy * c->ksize];

        if (in->mode == RS_MODE_I32) {
            int32_t *dst = (int32_t *)out->rows[yy];
            for (xx = 0; xx < out->xsize; xx++) {
                double ss = 0.0;
                for (y = 0; y < ymax; y++) {
                    ss += ((const int32_t *)in->rows[y + ymin])[xx] * k[y];
                }
                dst[xx] = round_i32(ss);
            }
        } else {
            float *dst = (float *)out->rows[yy];
            const int n = out->linesize / (int)sizeof(float);
            for (xx = 0; xx < n; xx++) {
                double ss = 0.0;
                for (y = 0; y < ymax; y++) {
                    ss += ((const float *)in->rows[y + ymin])[xx] * k[y];
                }
                dst[xx] = (float)ss;
            }
        }
    }
}
