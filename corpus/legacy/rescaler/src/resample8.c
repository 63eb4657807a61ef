/*
 * resample8.c -- the two passes for 8 bits per band
 */
#include "internal.h"

#define HALF (1 << (PRECISION_BITS - 1))

void
rs_horizontal_8(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    int32_t ss0, ss1, ss2, ss3;
    int xx, yy, x, xmin, xmax;
    const int32_t *k;

    if (in->bands == 1) {
        for (yy = 0; yy < out->ysize; yy++) {
            const uint8_t *line = in->rows[yy + offset];
            for (xx = 0; xx < out->xsize; xx++) {
                xmin = c->bounds[xx * 2 + 0];
                xmax = c->bounds[xx * 2 + 1];
                k = &c->kki[xx * c->ksize];
                ss0 = HALF;
                for (x = 0; x < xmax; x++) {
                    ss0 += line[x + xmin] * k[x];
                }
                out->rows[yy][xx] = clip8(ss0);
            }
        }
    } else if (in->bands == 2) {
        for (yy = 0; yy < out->ysize; yy++) {
            for (xx = 0; xx < out->xsize; xx++) {
                xmin = c->bounds[xx * 2 + 0];
                xmax = c->bounds[xx * 2 + 1];
                k = &c->kki[xx * c->ksize];
                ss0 = ss3 = HALF;
                for (x = 0; x < xmax; x++) {
                    ss0 += in->rows[yy + offset][(x + xmin) * 2 + 0] * k[x];
                    ss3 += in->rows[yy + offset][(x + xmin) * 2 + 1] * k[x];
                }
                out->rows[yy][xx * 2 + 0] = clip8(ss0);
                out->rows[yy][xx * 2 + 1] = clip8(ss3);
            }
        }
    } else if (in->bands == 3) {
        for (yy = 0; yy < out->ysize; yy++) {
            uint8_t *dst = out->rows[yy];
            for (xx = 0; xx < out->xsize; xx++, dst += 4) {
                xmin = c->bounds[xx * 2 + 0];
                xmax = c->bounds[xx * 2 + 1];
                k = &c->kki[xx * c->ksize];
                ss0 = ss1 = ss2 = HALF;
                for (x = 0; x < xmax; x++) {
                    ss0 += in->rows[yy + offset][(x + xmin) * 4 + 0] * k[x];
                    ss1 += in->rows[yy + offset][(x + xmin) * 4 + 1] * k[x];
                    ss2 += in->rows[yy + offset][(x + xmin) * 4 + 2] * k[x];
                }
                dst[0] = clip8(ss0);
                dst[1] = clip8(ss1);
                dst[2] = clip8(ss2);
                dst[3] = 0xff;
            }
        }
    } else {
        for (yy = 0; yy < out->ysize; yy++) {
            for (xx = 0; xx < out->xsize; xx++) {
                const uint8_t *p;
                xmin = c->bounds[xx * 2 + 0];
                xmax = c->bounds[xx * 2 + 1];
                k = &c->kki[xx * c->ksize];
                p = in->rows[yy + offset] + xmin * 4;
                ss0 = ss1 = ss2 = ss3 = HALF;
                for (x = xmax; x > 0; x--) {
                    ss0 += p[0] * *k;
                    ss1 += p[1] * *k;
                    ss2 += p[2] * *k;
                    ss3 += p[3] * *k;
                    p += 4;
                    k++;
                }
                out->rows[yy][xx * 4 + 0] = clip8(ss0);
                out->rows[yy][xx * 4 + 1] = clip8(ss1);
                out->rows[yy][xx * 4 + 2] = clip8(ss2);
                out->rows[yy][xx * 4 + 3] = clip8(ss3);
            }
        }
    }
}

/* All bands are alike here: a row is just a row of bytes. */
void
rs_vertical_8(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c)
{
    int xx, yy, y;

    for (yy = 0; yy < out->ysize; yy++) {
        const int32_t *k = &c->kki[yy * c->ksize];
        int ymin = c->bounds[yy * 2 + 0] - offset;
        int ymax = c->bounds[yy * 2 + 1];
        uint8_t *line = out->rows[yy];

        xx = 0;
        for (; xx < out->linesize - 3; xx += 4) {
            int32_t ss0 = HALF, ss1 = HALF, ss2 = HALF, ss3 = HALF;
            for (y = 0; y < ymax; y++) {
                const uint8_t *src = in->rows[y + ymin] + xx;
                ss0 += src[0] * k[y];
                ss1 += src[1] * k[y];
                ss2 += src[2] * k[y];
                ss3 += src[3] * k[y];
            }
            line[xx + 0] = clip8(ss0);
            line[xx + 1] = clip8(ss1);
            line[xx + 2] = clip8(ss2);
            line[xx + 3] = clip8(ss3);
        }
        for (; xx < out->linesize; xx++) {
            int32_t ss = HALF;
            for (y = 0; y < ymax; y++) {
                ss += in->rows[y + ymin][xx] * k[y];
            }
            line[xx] = clip8(ss);
        }
    }
}
