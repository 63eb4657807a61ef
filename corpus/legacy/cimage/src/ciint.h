/* ciint.h - things shared by the library's own files; not installed */
#ifndef CIINT_H
#define CIINT_H

#include "cimage.h"

int ci__raise(int code, const char *func, const ci_image *im);

#define CI_CHECK(im, t, fn) \
    do { \
        if ((im) == NULL || (im)->row == NULL) return ci__raise(CI_EARG, fn, NULL); \
        if ((im)->type != (t)) return ci__raise(CI_ETYPE, fn, (im)); \
    } while (0)

#define CI_SAMESIZE(a, b, fn) \
    do { \
        if ((a)->width != (b)->width || (a)->height != (b)->height) \
            return ci__raise(CI_ESIZE, fn, (b)); \
        if ((a)->nchan != (b)->nchan) return ci__raise(CI_ECHAN, fn, (b)); \
    } while (0)

#define ROW_U8(im, y)   ((unsigned char *)(im)->row[y])
#define ROW_S16(im, y)  ((short *)(void *)(im)->row[y])
#define ROW_U16(im, y)  ((unsigned short *)(void *)(im)->row[y])
#define ROW_F32(im, y)  ((float *)(void *)(im)->row[y])

#ifndef MIN
#define MIN(a,b) ((a) < (b) ? (a) : (b))
#define MAX(a,b) ((a) > (b) ? (a) : (b))
#endif

#endif
