/* compkit.h - public interface */
#ifndef COMPKIT_H
#define COMPKIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum
{
	CK_OK = 0,
	CK_ERR_NOMEM,
	CK_ERR_FORMAT,
	CK_ERR_ARG
} ck_status;

typedef enum
{
	CK_ARGB32,		/* native-endian words, premultiplied */
	CK_XRGB32,
	CK_BGR24,		/* bytes b, g, r */
	CK_RGB565,
	CK_A8,
	CK_A1,			/* least significant bit is the leftmost pixel */
	CK_N_FORMATS
} ck_format;

typedef enum
{
	CK_OP_SRC,
	CK_OP_OVER,
	CK_OP_IN,
	CK_OP_OUT,
	CK_OP_ATOP,
	CK_OP_XOR,
	CK_OP_ADD,
	CK_OP_MULTIPLY,
	CK_OP_SCREEN,
	CK_OP_DARKEN,
	CK_OP_DIFFERENCE,
	CK_OP_HARD_LIGHT,
	CK_N_OPS
} ck_op;

typedef enum { CK_SPREAD_PAD, CK_SPREAD_REPEAT, CK_SPREAD_REFLECT } ck_spread;

typedef struct ck_image ck_image;

typedef struct { uint32_t pos; uint32_t argb; } ck_stop;	/* pos 0 .. 65536, colour not premultiplied */

ck_image *ck_image_new (ck_format format, int width, int height, int stride);
ck_image *ck_image_for_data (ck_format format, int width, int height, void *bits, ptrdiff_t stride);
ck_image *ck_image_solid (uint32_t premul);
ck_image *ck_image_ref (ck_image *image);
void      ck_image_unref (ck_image *image);
void      ck_image_set_component_alpha (ck_image *image, int on);
void     *ck_image_bits (ck_image *image);
size_t    ck_image_size (const ck_image *image);

ck_status ck_composite (ck_op op, ck_image *src, ck_image *mask, ck_image *dst,
			int src_x, int src_y, int mask_x, int mask_y,
			int dst_x, int dst_y, int width, int height);
ck_status ck_fill_rect (ck_image *dst, int x, int y, int width, int height, uint32_t premul);
void      ck_set_fast_paths (int on);

ck_status ck_premultiply (ck_image *image);
ck_status ck_unpremultiply (ck_image *image);

/* coverage */
void      ck_coverage_row (const int32_t *delta, uint8_t *row, int n, int even_odd);
size_t    ck_rle_encode (const uint8_t *row, int n, uint8_t *out, size_t cap);
ck_status ck_mask_scale (ck_image *mask, unsigned alpha, unsigned gamma_q8);

/* gradients */
ck_status ck_linear_gradient (ck_image *dst, const ck_stop *stops, int n_stops,
			      int32_t x0, int32_t dx_q16, int32_t dy_q16, ck_spread spread);

#ifdef __cplusplus
}
#endif
#endif
