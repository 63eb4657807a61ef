/*
 * cialloc.c - creation, destruction, copying and error reporting
 *
 * 12-mar-96  first version
 * 03-sep-98  wrap foreign memory, also bottom-up
 * 21-jan-04  name field for the error handler
 */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <assert.h>
#include "ciint.h"

static ci_errhandler the_handler = NULL;

static const struct { int code; const char *text; } errtab[] = {
    { CI_OK,     "no error" },
    { CI_ENOMEM, "out of memory" },
    { CI_EARG,   "bad argument" },
    { CI_ETYPE,  "wrong pixel type" },
    { CI_ESIZE,  "sizes differ" },
    { CI_ECHAN,  "wrong number of channels" },
    { CI_EABORT, "stopped by caller" },
    { 1, NULL }
};

const char *ci_strerror(int code)
{
    int i;
    for (i = 0; errtab[i].text != NULL; i++)
        if (errtab[i].code == code)
            return errtab[i].text;
    return "unknown error";
}

ci_errhandler ci_set_handler(ci_errhandler h)
{
    ci_errhandler old = the_handler;
    the_handler = h;
    return old;
}

int ci__raise(int code, const char *func, const ci_image *im)
{
    if (the_handler != NULL)
        (*the_handler)(code, func, im ? im->name : "?");
    return code;
}

int ci_typesize(ci_type t)
{
    static const int sizes[CI_NTYPES] = { 1, 2, 2, 4 };
    assert((int)t >= 0 && t < CI_NTYPES);
    return sizes[t];
}

/* header and row table only; the rows are set by the caller */
static ci_image *new_header(int w, int h, int nchan, ci_type t)
{
    ci_image *im;
    static int serial = 0;

    if (w < 0 || h < 0 || w > CI_MAXDIM || h > CI_MAXDIM)
        return NULL;
    if (nchan < 1 || nchan > CI_MAXCHAN || (int)t < 0 || t >= CI_NTYPES)
        return NULL;
    im = (ci_image *)malloc(sizeof *im);
    if (im == NULL)
        return NULL;
    memset(im, 0, sizeof *im);
    im->row = (unsigned char **)malloc(((size_t)h + 1) * sizeof(unsigned char *));
    if (im->row == NULL) {
        free(im);
        return NULL;
    }
    im->width = w;
    im->height = h;
    im->nchan = nchan;
    im->type = t;
    sprintf(im->name, "im%04d", serial++ % 10000);
    return im;
}

ci_image *ci_create(int w, int h, int nchan, ci_type t, int align)
{
    ci_image *im;
    size_t rb;
    int y;

    if (align < 1 || (align & (align - 1)) != 0)
        return NULL;
    if ((im = new_header(w, h, nchan, t)) == NULL)
        return NULL;
    rb = (size_t)w * (size_t)nchan * (size_t)ci_typesize(t);
    rb = (rb + (size_t)align - 1) & ~((size_t)align - 1);
    im->mem = calloc(rb * (size_t)h + 1, 1);
    if (im->mem == NULL) {
        free(im->row);
        free(im);
        return NULL;
    }
    im->pitch = (ptrdiff_t)rb;
    im->flags = CI_OWNS_MEM;
    for (y = 0; y < h; y++)
        im->row[y] = (unsigned char *)im->mem + (size_t)y * rb;
    im->row[h] = NULL;
    return im;
}

ci_image *ci_wrap(void *base, ptrdiff_t pitch, int w, int h, int nchan, ci_type t)
{
    ci_image *im = new_header(w, h, nchan, t);
    int y;

    if (im == NULL)
        return NULL;
    im->pitch = pitch;
    for (y = 0; y < h; y++)
        im->row[y] = (unsigned char *)base + (ptrdiff_t)y * pitch;
    im->row[h] = NULL;
    return im;
}

void ci_destroy(ci_image *im)
{
    if (im == NULL)
        return;
    if (im->flags & CI_OWNS_MEM)
        free(im->mem);
    free(im->row);
    free(im);
}

/* whole rows; the table entries may point to the same row in both images */
int ci_copy(ci_image *dst, const ci_image *src)
{
    size_t n;
    int y;

    if (src == NULL || dst == NULL)
        return ci__raise(CI_EARG, "ci_copy", NULL);
    if (dst->type != src->type)
        return ci__raise(CI_ETYPE, "ci_copy", dst);
    CI_SAMESIZE(dst, src, "ci_copy");
    n = (size_t)src->width * src->nchan * ci_typesize(src->type);
    for (y = 0; y < src->height; y++) {
        if (dst->row[y] == src->row[y])
            continue;
        memcpy(dst->row[y], src->row[y], n);
    }
    return CI_OK;
}

/*
 * Set a rectangle (the whole image when r is NULL) to one value a channel.
 * The rectangle is clipped.  Grey values and equal channels take the memset way.
 */
int ci_fill_u8(ci_image *im, const unsigned char *val, const ci_rect *r)
{
    int x0, y0, x1, y1, x, y, c, same;

    CI_CHECK(im, CI_U8, "ci_fill_u8");
    if (val == NULL)
        return ci__raise(CI_EARG, "ci_fill_u8", im);
    x0 = 0; y0 = 0; x1 = im->width; y1 = im->height;
    if (r != NULL) {
        x0 = MAX(x0, r->x);
        y0 = MAX(y0, r->y);
        x1 = MIN(x1, r->x + r->w);
        y1 = MIN(y1, r->y + r->h);
    }
    if (x1 <= x0 || y1 <= y0)
        return CI_OK;

    same = 1;
    for (c = 1; c < im->nchan; c++)
        if (val[c] != val[0])
            same = 0;
    if (same) {
        for (y = y0; y < y1; y++)
            memset(im->row[y] + x0 * im->nchan, val[0], (size_t)(x1 - x0) * im->nchan);
        return CI_OK;
    }
    for (y = y0; y < y1; y++) {
        unsigned char *p = im->row[y] + x0 * im->nchan;
        for (x = x0; x < x1; x++) {
            for (c = 0; c < im->nchan; c++)
                *p++ = val[c];
        }
    }
    return CI_OK;
}
