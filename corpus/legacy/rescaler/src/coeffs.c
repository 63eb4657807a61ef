/*
 * coeffs.c -- filter kernels and the tables made from them
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

typedef double (*kernel_fn)(double x);

static double
kernel_box(double x)
{
    return x > -0.5 && x <= 0.5 ? 1.0 : 0.0;
}

static double
kernel_triangle(double x)
{
    if (x < 0.0) {
        x = -x;
    }
    return x < 1.0 ? 1.0 - x : 0.0;
}

static double
kernel_cubic(double x)
{
    const double a = -0.5;

    if (x < 0.0) {
        x = -x;
    }
    if (x < 1.0) {
        return ((a + 2.0) * x - (a + 3.0)) * x * x + 1;
    }
    if (x < 2.0) {
        return (((x - 5) * x + 8) * x - 4) * a;
    }
    return 0.0;
}

static double
kernel_mitchell(double x)
{
    const double b = 1.0 / 3.0, c = 1.0 / 3.0;

    if (x < 0.0) {
        x = -x;
    }
    if (x < 1.0) {
        return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6.0;
    }
    if (x < 2.0) {
        return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x +
                (8 * b + 24 * c)) / 6.0;
    }
    return 0.0;
}

static const struct kernel {
    kernel_fn fn;
    double support;
} kernels[RS_FILTER_COUNT] = {
    {NULL, 0.0},
    {kernel_box, 0.5},
    {kernel_triangle, 1.0},
    {kernel_cubic, 2.0},
    {kernel_mitchell, 2.0},
};

void
rs_coeffs_free(rs_coeffs *c)
{
    free(c->bounds);
    free(c->w);
    free(c->wi);
    memset(c, 0, sizeof(*c));
}

static void
normalize_fixed(int32_t *wi, const double *w, int n)
{
    int x;

    for (x = 0; x < n; x++) {
        if (w[x] < 0) {
            wi[x] = (int32_t)(-0.5 + w[x] * (1 << RS_FRAC_BITS));
        } else {
            wi[x] = (int32_t)(0.5 + w[x] * (1 << RS_FRAC_BITS));
        }
    }
}

rs_status
rs_coeffs_make(rs_coeffs *c, int insize, double in0, double in1, int outsize, rs_filter filter,
               int fixed)
{
    const struct kernel *kern;
    double support, scale, filterscale, acc;
    int ox, x;

    memset(c, 0, sizeof(*c));
    if ((int)filter <= 0 || filter >= RS_FILTER_COUNT) {
        return RS_ERR_ARG;
    }
    kern = &kernels[filter];

    filterscale = scale = (in1 - in0) / outsize;
    if (filterscale < 1.0) {
        filterscale = 1.0;
    }
    support = kern->support * filterscale;
    c->ksize = ((int)support + 1) * 2 + 1;
    c->size = outsize;

    if (outsize > INT_MAX / (c->ksize * (int)sizeof(double))) {
        return RS_ERR_MEMORY;
    }
    c->w = calloc((size_t)outsize * (size_t)c->ksize, sizeof(double));
    c->bounds = malloc((size_t)outsize * 2 * sizeof(int));
    if (!c->w || !c->bounds) {
        goto fail;
    }

    for (ox = 0; ox < outsize; ox++) {
        double center = in0 + (ox + 0.5) * scale;
        double *k = &c->w[ox * c->ksize];
        int xmin = (int)(center - support + 0.5);
        int xmax = (int)(center + support + 0.5);

        if (xmin < 0 || center - support + 0.5 < 0) {
            xmin = 0;
        }
        if (xmax > insize) {
            xmax = insize;
        }
        xmax -= xmin;
        if (xmax <= 0) { /* the box filter at a hard edge */
            xmin = RS_MIN(xmin, insize - 1);
            xmax = 1;
        }
        acc = 0.0;
        for (x = 0; x < xmax; x++) {
            double f = kern->fn((x + xmin - center + 0.5) / filterscale);
            k[x] = f;
            acc += f;
        }
        if (acc == 0.0) {
            k[0] = acc = 1.0;
        }
        for (x = 0; x < xmax; x++) {
            k[x] /= acc;
        }
        c->bounds[ox * 2 + 0] = xmin;
        c->bounds[ox * 2 + 1] = xmax;
    }

    if (fixed) {
        c->wi = malloc((size_t)outsize * (size_t)c->ksize * sizeof(int32_t));
        if (!c->wi) {
            goto fail;
        }
        normalize_fixed(c->wi, c->w, outsize * c->ksize);
    }
    return RS_OK;

fail:
    rs_coeffs_free(c);
    return RS_ERR_MEMORY;
}
