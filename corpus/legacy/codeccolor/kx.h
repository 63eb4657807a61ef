/*
 * kx.h
 *
 * Colour conversion, chroma resampling and prediction for the KX still
 * picture codec.  Everything here works on rows; nobody sees a picture.
 */
#ifndef KX_H
#define KX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char KSAMP;
typedef KSAMP *KROW;		/* one row of samples		*/
typedef KROW *KROWS;		/* some rows			*/
typedef KROWS *KPLANES;		/* rows, for each component	*/
typedef unsigned int KDIM;

#define KX_MAXSAMP	255
#define KX_CENTER	128
#define KX_MAXCOMP	4
#define KX_SCALEBITS	16
#define KX_HALF		((int32_t)1 << (KX_SCALEBITS - 1))
#define KX_FIX(x)	((int32_t)((x) * (1L << KX_SCALEBITS) + 0.5))

enum { KX_GRAY = 1, KX_RGB, KX_BGR, KX_RGBX, KX_XBGR, KX_YCC, KX_CMYK, KX_YCCK, KX_RGB565 };

enum { KXE_NONE = 0, KXE_SPACE, KXE_NOMEM, KXE_DIMS, KXE_FILTER, KXE_PREDICTOR };

struct kx_codec;
typedef struct kx_codec *kx_ptr;

struct kx_private;

/* filled in by kx_start_convert() */
struct kx_methods {
	void (*convert)(kx_ptr cx, KROWS in, KPLANES out, KDIM outrow, int nrows);
	void (*deconvert)(kx_ptr cx, KPLANES in, KDIM inrow, KROWS out, int nrows);
};

struct kx_codec {
	KDIM width;
	int ncomp;
	int space;		/* on the outside */
	int last_error;
	unsigned dither : 1;
	unsigned smooth : 1;
	unsigned started : 1;
	void (*on_error)(kx_ptr cx, int code);	/* may be NULL */
	void *client;
	struct kx_methods m;
	struct kx_private *priv;
	const KSAMP *clamp_tab;	/* valid from -256 to 511 */
};

/* ycc.c */
int kx_start_convert(kx_ptr cx, KDIM width, int space);
void kx_end_convert(kx_ptr cx);
int kx_fail(kx_ptr cx, int code);
int kx_convert_chunked(kx_ptr cx, const KSAMP *pic, size_t pitch, KDIM height,
		       KPLANES out, int chunk);

/* chroma.c */
void kx_expand_right(KROWS rows, int nrows, KDIM have, KDIM want);
void kx_down_h2v1(KROWS in, KROWS out, int outrows, KDIM outcols);
void kx_down_h2v2(KROWS in, KROWS out, int outrows, KDIM outcols);
void kx_down_smooth(KROWS in, KROWS out, int nrows, KDIM cols, int factor);
void kx_up_int(KROWS in, KROWS out, int outrows, KDIM outcols, int hx, int vx);
void kx_up_h2v1_fancy(KROWS in, KROWS out, int nrows, KDIM incols);
void kx_up_h2v2_fancy(KROWS in, KROWS out, int outrows, KDIM incols);
void kx_up_merged(kx_ptr cx, KPLANES in, KDIM inrow, KROW out);

/* rowfilt.c */
#define KX_FILT_NONE	0
#define KX_FILT_SUB	1
#define KX_FILT_UP	2
#define KX_FILT_AVG	3
#define KX_FILT_PAETH	4
int kx_unfilter(kx_ptr cx, int type, KROW row, const KSAMP *prev, size_t n, int bpp);
int kx_filter_best(KROW best, KROW scratch, const KSAMP *row, const KSAMP *prev, size_t n, int bpp);

/* lossless.c */
int kx_difference(kx_ptr cx, int psv, const KSAMP *row, const KSAMP *prev, int16_t *diff, KDIM n);
int kx_undifference(kx_ptr cx, int psv, const int16_t *diff, const KSAMP *prev, KROW row, KDIM n);
void kx_sub_green(void *argb, size_t n);
void kx_add_green(void *argb, size_t n);
void kx_cross_color(void *argb, size_t n, signed char gr, signed char gb, signed char rb);

/* words.cpp */
void kx_swap16(void *dst, const void *src, size_t n);
void kx_swap32(void *dst, const void *src, size_t n);
void kx_load16(uint16_t *dst, const KSAMP *src, size_t n, int big, int bits);
void kx_store16(KSAMP *dst, const uint16_t *src, size_t n, int big);
int kx_unpack_bits(KROW dst, const KSAMP *src, KDIM n, int bits, int scale);

/* blocks.cpp */
void kx_put_block(const int16_t *coef, KROWS out, KDIM row, KDIM col, int level);
void kx_add_block(const int16_t *coef, KROW dst, ptrdiff_t pitch);
void kx_get_block(int16_t *coef, const KSAMP *src, ptrdiff_t pitch, int w, int h);
long kx_dequant(int16_t *coef, const uint16_t *quant, int nblocks);

#ifdef __cplusplus
}
#endif

#endif /* KX_H */
