/*
 * cimage.h - public interface of the cimage library
 *
 * An image is a block of rows, reached through a table of row pointers.
 * Rows need not be contiguous; callers may permute the table.
 */
#ifndef CIMAGE_H
#define CIMAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CI_VERSION   208          /* 2.08 */
#define CI_MAXCHAN   4
#define CI_MAXDIM    32767

typedef enum { CI_U8 = 0, CI_S16 = 1, CI_U16 = 2, CI_F32 = 3, CI_NTYPES } ci_type;

typedef enum {
    CI_OK      =  0,
    CI_ENOMEM  = -1,
    CI_EARG    = -2,
    CI_ETYPE   = -3,
    CI_ESIZE   = -4,
    CI_ECHAN   = -5,
    CI_EABORT  = -6
} ci_err;

/* flag bits */
#define CI_OWNS_MEM  0x01
#define CI_READONLY  0x02

typedef struct ci_image {
    ci_type         type;
    int             width;
    int             height;
    int             nchan;        /* 1..4, interleaved */
    ptrdiff_t       pitch;        /* bytes, only as first laid out */
    unsigned char **row;          /* height entries */
    void           *mem;
    unsigned        flags;
    char            name[16];     /* shown by the error handler */
} ci_image;

typedef struct { int x, y, w, h; } ci_rect;

typedef int  (*ci_progress)(void *user, int done, int total);   /* non-zero: stop */
typedef void (*ci_errhandler)(int code, const char *func, const char *imgname);

/* cialloc.c */
ci_image   *ci_create(int w, int h, int nchan, ci_type t, int align);
ci_image   *ci_wrap(void *base, ptrdiff_t pitch, int w, int h, int nchan, ci_type t);
void        ci_destroy(ci_image *im);
int         ci_typesize(ci_type t);
const char *ci_strerror(int code);
ci_errhandler ci_set_handler(ci_errhandler h);
int ci_copy(ci_image *dst, const ci_image *src);
int ci_fill_u8(ci_image *im, const unsigned char *val, const ci_rect *r);

/* cipoint.c */
int ci_lut_u8(ci_image *dst, const ci_image *src, const unsigned char lut[][256], int nlut);
int ci_add_u8(ci_image *dst, const ci_image *a, const ci_image *b);
int ci_add_s16(ci_image *dst, const ci_image *a, const ci_image *b);
int ci_add_f32(ci_image *dst, const ci_image *a, const ci_image *b);
int ci_blend_u8(ci_image *dst, const ci_image *over, const ci_image *mask, int opacity);
int ci_gain_u16(ci_image *im, const long gain_q12[], const int *offset);

typedef enum { CI_TH_BINARY, CI_TH_INVERT, CI_TH_TRUNC, CI_TH_TOZERO } ci_thmode;
int ci_threshold_u8(ci_image *dst, const ci_image *src, int level, ci_thmode mode, long *npassed);

/* ciconv.c */
int ci_convert(ci_image *dst, const ci_image *src);
int ci_rgb2gray_u8(ci_image *dst, const ci_image *src);
int ci_premultiply_u8(ci_image *im);

/* cifilt.c */
int ci_box_u8(ci_image *dst, const ci_image *src, int radius);
int ci_median3_u8(ci_image *dst, const ci_image *src);
int ci_conv3x3_s16(ci_image *dst, const ci_image *src, const int kern[9], int shift, int bias);
int ci_sobel_u8(ci_image *mag, ci_image *dir, const ci_image *src, ci_progress cb, void *user);
int ci_erode_u8(ci_image *dst, const ci_image *src);
int ci_dilate_u8(ci_image *dst, const ci_image *src);
int ci_smooth5_f32(ci_image *dst, const ci_image *src);

/* cigeom.c */
int ci_flip_h(ci_image *dst, const ci_image *src);
int ci_transpose(ci_image *dst, const ci_image *src);
int ci_halve_u8(ci_image *dst, const ci_image *src);
int ci_zoom_u8(ci_image *dst, const ci_image *src, int smooth);

/* cistat.c */
typedef struct {
    double mean, var;
    double vmin, vmax;
    long   n;
} ci_stats;
int ci_histogram_u8(const ci_image *im, int chan, const ci_image *mask, unsigned long hist[256]);
ci_stats ci_stats_s16(const ci_image *im, int chan);
int ci_integral_u8(uint32_t **table, const ci_image *src);
long ci_rle_pack_u8(unsigned char *out, size_t outsize, const ci_image *src);

#ifdef __cplusplus
}
#endif
#endif
