/*
 * rescaler.h -- public interface of the image resizer
 */
#ifndef RESCALER_H
#define RESCALER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    RS_OK = 0,
    RS_ERR_MEMORY = -1,
    RS_ERR_MODE = -2,
    RS_ERR_SIZE = -3,
    RS_ERR_BOX = -4,
    RS_ERR_ABORTED = -5,
    RS_ERR_ARG = -6
} rs_status;

/* RGB is kept in four bytes, the fourth one is padding (0xff after a resize) */
typedef enum {
    RS_MODE_L = 0,
    RS_MODE_LA,
    RS_MODE_RGB,
    RS_MODE_RGBA,
    RS_MODE_L16LE,
    RS_MODE_L16BE,
    RS_MODE_I32,
    RS_MODE_F32,
    RS_MODE_RGBAF,
    RS_MODE_COUNT
} rs_mode;

typedef enum {
    RS_NEAREST = 0,
    RS_BOX,
    RS_BILINEAR,
    RS_BICUBIC,
    RS_MITCHELL,
    RS_FILTER_COUNT
} rs_filter;

typedef struct rs_image {
    rs_mode mode;
    int xsize;
    int ysize;
    int bands;
    int pixelsize; /* bytes */
    int linesize;  /* bytes used in a row, without the padding */
    uint8_t **rows;
    uint8_t *block; /* NULL when the memory is somebody else's */
} rs_image;

/* Return non-zero to stop. */
typedef int (*rs_progress_fn)(void *opaque, int step, int steps);

/* image.c */
int rs_mode_pixelsize(rs_mode mode);
int rs_mode_bands(rs_mode mode);
rs_image *rs_image_new(rs_mode mode, int xsize, int ysize);
rs_image *rs_image_wrap(rs_mode mode, int xsize, int ysize, void *mem, ptrdiff_t stride);
void rs_image_free(rs_image *im);
rs_status rs_image_fill(rs_image *im, const void *pixel);
rs_status rs_image_copy_rect(rs_image *dst, int dx, int dy, const rs_image *src, const int *rect);
void rs_image_flip(rs_image *im, int horizontally, int vertically);
int rs_image_alpha_extent(const rs_image *im, int bbox[4]);

/* resample.c */
rs_status rs_resize(rs_image *out, const rs_image *in, rs_filter filter, const float *box,
                    rs_progress_fn progress, void *opaque);

/* nearest.c */
rs_status rs_resize_nearest(rs_image *out, const rs_image *in, const float *box);
rs_status rs_resize_bilinear_fast(rs_image *out, const rs_image *in);
rs_status rs_affine_f32(rs_image *out, const rs_image *in, const double a[6], float outside);

/* reduce.c */
rs_status rs_reduce(rs_image *out, const rs_image *in, int xscale, int yscale);

/* alpha.c */
rs_status rs_premultiply(rs_image *out, const rs_image *in);
rs_status rs_unpremultiply(rs_image *out, const rs_image *in);

/* convert.c */
rs_status rs_widen(rs_image *out, const rs_image *in);
rs_status rs_narrow(rs_image *out, const rs_image *in, const float *range);
rs_status rs_narrow_diffused(rs_image *out, const rs_image *in);
rs_status rs_box_blur(rs_image *out, const rs_image *in, int radius);

#ifdef __cplusplus
}
#endif

#endif
