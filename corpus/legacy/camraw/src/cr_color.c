/*
 * cr_color.c - colour matrix, gamma, YUV
 */
#include "cr_internal.h"

/* Q10 matrix, in place; rounding towards minus infinity like the hardware */
int cr_ccm(struct cr_rgb16 *rgb, const s32 m[9], u32 max)
{
	u32 x, y;

	if (!rgb || !rgb->pix || max > 65535)
		return -EINVAL;
	for (x = 0; x < 9; x++)
		if (m[x] < -8191 || m[x] > 8191)
			return -ERANGE;

	for (y = 0; y < rgb->height; y++) {
		u16 *p = rgb->pix + (size_t)y * rgb->stride;

		for (x = 0; x < rgb->width; x++, p += 3) {
			const s32 r = p[0], g = p[1], b = p[2];
			s32 t;

			t = (m[0] * r + m[1] * g + m[2] * b + 512) >> 10;
			p[0] = (u16)clamp_t(s32, t, 0, (s32)max);
			t = (m[3] * r + m[4] * g + m[5] * b + 512) >> 10;
			p[1] = (u16)clamp_t(s32, t, 0, (s32)max);
			t = (m[6] * r + m[7] * g + m[8] * b + 512) >> 10;
			p[2] = (u16)clamp_t(s32, t, 0, (s32)max);
		}
	}
	return 0;
}

/* 32 straight pieces; values over full scale are taken as full scale */
int cr_gamma(const struct cr_rgb16 *src, struct cr_rgb8 *dst,
	     const u8 curve[33], u32 bits)
{
	u32 seg, mask, half, n, y;

	if (!src || !dst || !src->pix || !dst->pix || !curve)
		return -EINVAL;
	if (bits < 6 || bits > 16)
		return -EINVAL;
	if (src->width != dst->width || src->height != dst->height)
		return -EINVAL;
	seg = bits - 5;
	mask = (1u << seg) - 1;
	half = 1u << (seg - 1);

	for (y = 0; y < src->height; y++) {
		const u16 *s = src->pix + (size_t)y * src->stride;
		u8 *d = dst->pix + (size_t)y * dst->stride;

		for (n = 3 * src->width; n; n--) {
			u32 v = *s++, i, f;

			if (v >> bits)
				v = (1u << bits) - 1;
			i = v >> seg;
			f = v & mask;
			*d++ = (u8)((curve[i] * (mask + 1 - f) +
				     curve[i + 1] * f + half) >> seg);
		}
	}
	return 0;
}

struct yuv_coef {
	s32 yr, yg, yb, yoff;
	s32 ur, ug, ub;
	s32 vr, vg, vb;
};

/* Q14 */
static const struct yuv_coef coefs[2] = {
	{ 4211, 8258, 1606, 16, -2425, -4768, 7193, 7193, -6029, -1164 },
	{ 4899, 9617, 1868, 0, -2765, -5427, 8192, 8192, -6860, -1332 },
};

static inline u8 luma(const struct yuv_coef *k, const u8 *p)
{
	return cr_clip8(((k->yr * p[0] + k->yg * p[1] + k->yb * p[2] + 8192) >> 14)
			+ k->yoff);
}

/*
 * Rows in pairs, pixels in pairs. With an odd size the last column or row
 * stands for its missing neighbour.
 */
int cr_to_yuv420(const struct cr_rgb8 *src, struct cr_yuv *dst, int full)
{
	const struct yuv_coef *k = &coefs[full ? 1 : 0];
	u32 x, y, w;

	if (!src || !dst || !src->pix || !dst->y || !dst->u || !dst->v)
		return -EINVAL;
	if (src->width != dst->width || src->height != dst->height)
		return -EINVAL;
	if (dst->cstep != 1 && dst->cstep != 2)
		return -EINVAL;
	w = src->width;

	for (y = 0; y < src->height; y += 2) {
		const int last = y + 1 == src->height;
		const u8 *sa = src->pix + (size_t)y * src->stride;
		const u8 *sb = last ? sa : sa + src->stride;
		u8 *ya = dst->y + (size_t)y * dst->ystride;
		u8 *yb = last ? ya : ya + dst->ystride;
		u8 *u = dst->u + (size_t)(y / 2) * dst->cstride;
		u8 *v = dst->v + (size_t)(y / 2) * dst->cstride;

		for (x = 0; x < w; x += 2) {
			const u8 *a = sa + 3 * x, *b = sb + 3 * x;
			const u32 nx = x + 1 < w ? 3 : 0;
			s32 r, g, bl;

			ya[x] = luma(k, a);
			yb[x] = luma(k, b);
			if (nx) {
				ya[x + 1] = luma(k, a + 3);
				yb[x + 1] = luma(k, b + 3);
			}
			r = a[0] + a[nx] + b[0] + b[nx];
			g = a[1] + a[nx + 1] + b[1] + b[nx + 1];
			bl = a[2] + a[nx + 2] + b[2] + b[nx + 2];
			u[x / 2 * dst->cstep] =
				cr_clip8(((k->ur * r + k->ug * g + k->ub * bl +
					32768) >> 16) + 128);
			v[x / 2 * dst->cstep] =
				cr_clip8(((k->vr * r + k->vg * g + k->vb * bl +
					32768) >> 16) + 128);
		}
	}
	return 0;
}

/* small chroma goes to grey, the rest moves towards it by the threshold */
int cr_chroma_coring(struct cr_yuv *yuv, u32 threshold)
{
	const s32 t = (s32)threshold;
	u32 x, y, cw, ch;
	int k;

	if (!yuv || !yuv->u || !yuv->v || threshold > 127)
		return -EINVAL;
	cw = (yuv->width + 1) / 2;
	ch = (yuv->height + 1) / 2;

	for (k = 0; k < 2; k++) {
		u8 *plane = k ? yuv->v : yuv->u;

		for (y = 0; y < ch; y++) {
			u8 *p = plane + (size_t)y * yuv->cstride;

			for (x = 0; x < cw; x++) {
				s32 c = p[x * yuv->cstep] - 128;

				if (c > t)
					c -= t;
				else if (c < -t)
					c += t;
				else
					c = 0;
				p[x * yuv->cstep] = (u8)(c + 128);
			}
		}
	}
	return 0;
}

/* for the panel; swap: the controller wants the bytes the other way round */
int cr_pack565(const struct cr_rgb8 *src, u16 *dst, u32 dst_stride, int swap)
{
	u32 x, y;

	if (!src || !src->pix || !dst || dst_stride < src->width)
		return -EINVAL;
	for (y = 0; y < src->height; y++) {
		const u8 *s = &src->pix[(size_t)y * src->stride];

		for (x = 0; x < src->width; x++) {
			u16 v = (u16)((s[3 * x] & 0xf8) << 8 |
				      (s[3 * x + 1] & 0xfc) << 3 |
				      s[3 * x + 2] >> 3);

			if (swap)
				v = (u16)(v << 8 | v >> 8);
			dst[(size_t)y * dst_stride + x] = v;
		}
	}
	return 0;
}
