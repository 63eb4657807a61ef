/*
 * cr_nr.c - noise filters, sharpening, digital zoom
 */
#include "cr_internal.h"

#define NR_NAME		nr_plane8
#define NR_PIXEL	u8
#define NR_STEP		1
#include "cr_nr_tmpl.h"

#define NR_NAME		nr_bayer16
#define NR_PIXEL	u16
#define NR_STEP		2
#include "cr_nr_tmpl.h"

static void nr_weights(u8 lut[64], u32 strength)
{
	u32 i;

	for (i = 0; i < 64; i++)
		lut[i] = (u8)(strength > i ? (strength - i) * 16 / strength : 0);
}

int cr_nr_spatial8(const struct cr_plane8 *src, struct cr_plane8 *dst,
		   u32 strength)
{
	u8 lut[64];

	if (!src || !dst || !src->pix || !dst->pix || src->pix == dst->pix)
		return -EINVAL;
	if (src->width != dst->width || src->height != dst->height)
		return -EINVAL;
	nr_weights(lut, strength);
	nr_plane8(src->pix, src->stride, dst->pix, dst->stride,
		  (s32)src->width, (s32)src->height, lut, 0);
	return 0;
}

int cr_nr_spatial16(const struct cr_raw *src, struct cr_raw *dst,
		    u32 strength)
{
	u8 lut[64];

	if (cr_raw_bad(src) || cr_raw_bad(dst) || src->pix == dst->pix)
		return -EINVAL;
	if (src->width != dst->width || src->height != dst->height ||
	    src->bits != dst->bits)
		return -EINVAL;
	nr_weights(lut, strength);
	nr_bayer16(src->pix, src->stride, dst->pix, dst->stride,
		   (s32)src->width, (s32)src->height, lut, src->bits - 8u);
	return 0;
}

/*
 * history holds the last output and takes the new one. k_q8 is the weight of
 * the history where nothing moves; it fades to zero at motion.
 */
int cr_nr_temporal(struct cr_plane8 *cur, u8 *history, u32 hist_stride,
		   u32 k_q8, u32 motion)
{
	u32 x, y;

	if (!cur || !cur->pix || !history || hist_stride < cur->width)
		return -EINVAL;
	if (k_q8 > 255 || motion == 0)
		return -ERANGE;

	for (y = 0; y < cur->height; y++) {
		u8 *p = cur->pix + (ptrdiff_t)y * cur->stride;
		u8 *q = history + (size_t)y * hist_stride;

		for (x = 0; x < cur->width; x++) {
			s32 diff = (s32)q[x] - p[x];
			u32 mag = (u32)(diff < 0 ? -diff : diff);

			if (mag < motion) {
				s32 k = (s32)(k_q8 * (motion - mag) / motion);

				p[x] = (u8)(p[x] + (diff * k) / 256);
			}
			q[x] = p[x];
		}
	}
	return 0;
}

/* in place; two lines behind the write position are kept and swapped */
int cr_sharpen(struct cr_plane8 *y, u32 gain_q4, u32 coring)
{
	u8 *mem, *above, *here, *t;
	s32 w, h, i, j;

	if (!y || !y->pix || gain_q4 > 255)
		return -EINVAL;
	w = (s32)y->width;
	h = (s32)y->height;
	if (w < 3 || h < 3 || gain_q4 == 0)
		return 0;
	mem = malloc(2 * (size_t)w);
	if (!mem)
		return -ENOMEM;
	above = mem;
	here = mem + w;
	memcpy(above, y->pix, (size_t)w);

	for (j = 1; j < h - 1; j++) {
		u8 *p = y->pix + (ptrdiff_t)j * y->stride;
		const u8 *below = p + y->stride;

		memcpy(here, p, (size_t)w);
		for (i = 1; i < w - 1; i++) {
			s32 edge = 4 * here[i] - here[i - 1] - here[i + 1] -
				   above[i] - below[i];

			if (abs(edge) <= (s32)coring)
				continue;
			edge += edge > 0 ? -(s32)coring : (s32)coring;
			p[i] = cr_clip8(here[i] + edge * (s32)gain_q4 / 64);
		}
		t = above;
		above = here;
		here = t;
	}
	free(mem);
	return 0;
}

/* window of src from (x_q16, y_q16), one step per output pixel, both ways */
int cr_zoom(const struct cr_plane8 *src, struct cr_plane8 *dst, u32 x_q16,
	    u32 y_q16, u32 step_q16)
{
	u32 i, j;

	if (!src || !dst || !src->pix || !dst->pix || src->pix == dst->pix)
		return -EINVAL;
	if (!src->width || !src->height || !step_q16)
		return -EINVAL;

	for (j = 0; j < dst->height; j++) {
		const u64 sy = y_q16 + (u64)j * step_q16;
		const u32 y0 = (u32)min_t(u64, sy >> 16, src->height - 1);
		const u32 y1 = min_t(u32, y0 + 1, src->height - 1);
		const u32 fy = (u32)(sy >> 8) & 0xff;
		const u8 *a = src->pix + (ptrdiff_t)y0 * src->stride;
		const u8 *b = src->pix + (ptrdiff_t)y1 * src->stride;
		u8 *d = dst->pix + (ptrdiff_t)j * dst->stride;
		u64 sx = x_q16;

		for (i = 0; i < dst->width; i++, sx += step_q16) {
			const u32 x0 = (u32)min_t(u64, sx >> 16, src->width - 1);
			const u32 x1 = x0 + 1 < src->width ? x0 + 1 : x0;
			const u32 fx = (u32)(sx >> 8) & 0xff;
			u32 t = a[x0] * (256 - fx) + a[x1] * fx;
			u32 u = b[x0] * (256 - fx) + b[x1] * fx;

			d[i] = (u8)((t * (256 - fy) + u * fy + 0x8000) >> 16);
		}
	}
	return 0;
}
