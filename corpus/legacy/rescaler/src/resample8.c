/*
 * resample8.c -- the two passes for 8 bits per band
 */
#include "internal.h"

#define HALF (1 << (RS_FRAC_BITS - 1))

void
rs_horizontal_8(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    int32_t acc0, acc1, acc2, acc3;
    int ox, oy, x, xmin, xmax;
    const int32_t *k;

    if (in->bands == 1) {
        for (oy = 0; oy < out->ysize; oy++) {
            const uint8_t *line = in->rows[oy + offset];
            for (ox = 0; ox < out->xsize; ox++) {
                xmin = c->bounds[ox * 2 + 0];
                xmax = c->bounds[ox * 2 + 1];
                k = &c->wi[ox * c->ksize];
                acc0 = HALF;
                for (x = 0; x < xmax; x++) {
                    acc0 += line[x + xmin] * k[x];
                }
                out->rows[oy][ox] = to_byte(acc0);
            }
        }
    } else if (in->bands == 2) {
        for (oy = 0; oy < out->ysize; oy++) {
            for (ox = 0; ox < out->xsize; ox++) {
                xmin = c->bounds[ox * 2 + 0];
                xmax = c->bounds[ox * 2 + 1];
                k = &c->wi[ox * c->ksize];
                acc0 = acc3 = HALF;
                for (x = 0; x < xmax; x++) {
                    acc0 += in->rows[oy + offset][(x + xmin) * 2 + 0] * k[x];
                    acc3 += in->rows[oy + offset][(x + xmin) * 2 + 1] * k[x];
                }
                out->rows[oy][ox * 2 + 0] = to_byte(acc0);
                out->rows[oy][ox * 2 + 1] = to_byte(acc3);
            }
        }
    } else if (in->bands == 3) {
        for (oy = 0; oy < out->ysize; oy++) {
            uint8_t *dst = out->rows[oy];
            for (ox = 0; ox < out->xsize; ox++, dst += 4) {
                xmin = c->bounds[ox * 2 + 0];
                xmax = c->bounds[ox * 2 + 1];
                k = &c->wi[ox * c->ksize];
                acc0 = acc1 = acc2 = HALF;
                for (x = 0; x < xmax; x++) {
                    acc0 += in->rows[oy + offset][(x + xmin) * 4 + 0] * k[x];
                    acc1 += in->rows[oy + offset][(x + xmin) * 4 + 1] * k[x];
                    acc2 += in->rows[oy + offset][(x + xmin) * 4 + 2] * k[x];
                }
                dst[0] = to_byte(acc0);
                dst[1] = to_byte(acc1);
                dst[2] = to_byte(acc2);
                dst[3] = 0xff;
            }
        }
    } else {
        for (oy = 0; oy < out->ysize; oy++) {
            for (ox = 0; ox < out->xsize; ox++) {
                const uint8_t *p;
                xmin = c->bounds[ox * 2 + 0];
                xmax = c->bounds[ox * 2 + 1];
                k = &c->wi[ox * c->ksize];
                p = in->rows[oy + offset] + xmin * 4;
                acc0 = acc1 = acc2 = acc3 = HALF;
                for (x = xmax; x > 0; x--) {
                    acc0 += p[0] * *k;
                    acc1 += p[1] * *k;
                    acc2 += p[2] * *k;
                    acc3 += p[3] * *k;
                    p += 4;
                    k++;
                }
                out->rows[oy][ox * 4 + 0] = to_byte(acc0);
                out->rows[oy][ox * 4 + 1] = to_byte(acc1);
                out->rows[oy][ox * 4 + 2] = to_byte(acc2);
                out->rows[oy][ox * 4 + 3] = to_byte(acc3);
            }
        }
    }
}

/* All bands are alike here: a row is just a row of bytes. */
void
rs_vertical_8(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    int ox, oy, y;

    for (oy = 0; oy < out->ysize; oy++) {
        const int32_t *k = &c->wi[oy * c->ksize];
        int ymin = c->bounds[oy * 2 + 0] - offset;
        int ymax = c->bounds[oy * 2 + 1];
        uint8_t *line = out->rows[oy];

        ox = 0;
        for (; ox < out->linesize - 3; ox += 4) {
            int32_t acc0 = HALF, acc1 = HALF, acc2 = HALF, acc3 = HALF;
            for (y = 0; y < ymax; y++) {
                const uint8_t *src = in->rows[y + ymin] + ox;
                acc0 += src[0] * k[y];
                acc1 += src[1] * k[y];
                acc2 += src[2] * k[y];
                acc3 += src[3] * k[y];
            }
            line[ox + 0] = to_byte(acc0);
            line[ox + 1] = to_byte(acc1);
            line[ox + 2] = to_byte(acc2);
            line[ox + 3] = to_byte(acc3);
        }
        for (; ox < out->linesize; ox++) {
            int32_t acc = HALF;
            for (y = 0; y < ymax; y++) {
                acc += in->rows[y + ymin][ox] * k[y];
            }
            line[ox] = to_byte(acc);
        }
    }
}
