#ifndef RS_INTERNAL_H
#define RS_INTERNAL_H

#include "rescaler.h"

/* 8 bits for the result, 2 for over- and undershoot, the sign fits as well:
 * everything else is fraction */
#define RS_FRAC_BITS (32 - 8 - 2)

#define RS_MIN(a, b) ((a) < (b) ? (a) : (b))
#define RS_MAX(a, b) ((a) > (b) ? (a) : (b))

#define RS_MUL255(a, b, tmp) \
    ((tmp) = (unsigned)(a) * (unsigned)(b) + 128u, ((((tmp) >> 8) + (tmp)) >> 8))

typedef struct {
    int ksize;
    int size;
    int *bounds;  /* first input position, number of positions: 2 per output */
    double *w;   /* ksize per output */
    int32_t *wi; /* the same in fixed point, NULL if not asked for */
} rs_coeffs;

rs_status rs_coeffs_make(rs_coeffs *c, int insize, double in0, double in1, int outsize,
                         rs_filter filter, int fixed);
void rs_coeffs_free(rs_coeffs *c);

typedef void (*rs_pass_fn)(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c);

typedef struct {
    rs_pass_fn horizontal;
    rs_pass_fn vertical;
    int fixed;
} rs_passes;

void rs_horizontal_8(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c);
void rs_vertical_8(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c);
void rs_horizontal_16(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c);
void rs_vertical_16(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c);
void rs_horizontal_32(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c);
void rs_vertical_32(rs_image *out, const rs_image *in, int offset, const rs_coeffs *c);

/* Accumulators never leave -2.0 .. 2.0 times full scale, so this is enough. */
static inline uint8_t
to_byte(int32_t v)
{
    v >>= RS_FRAC_BITS;
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static inline int32_t
round_i32(double v)
{
    if (v >= 2147483647.0) {
        return INT32_MAX;
    }
    if (v <= -2147483648.0) {
        return INT32_MIN;
    }
    return (int32_t)(v >= 0.0 ? v + 0.5 : v - 0.5);
}

#endif
