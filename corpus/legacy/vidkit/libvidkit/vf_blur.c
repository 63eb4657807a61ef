/*
 * boxblur: running sums, options radius, power
 * gauss:   5 taps with a ring of five across-filtered lines
 */
#include <stdlib.h>
#include <string.h>

#include "libvidkit/filters.h"

struct boxblur_priv {
	int radius, power;
	uint8_t *tmp[2];
};

static int boxblur_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	struct boxblur_priv *s = ctx->priv;

	s->radius = nb_opt > 0 ? opt[0] : 2;
	s->power  = nb_opt > 1 ? opt[1] : 1;
	return s->radius < 0 || s->power < 0 || s->power > 6 ? VDK_EINVAL : 0;
}

static int boxblur_config(struct vdk_ctx *ctx, int w, int h, enum vdk_pixfmt fmt)
{
	struct boxblur_priv *s = ctx->priv;

	if (vdk_fmt(fmt)->depth != 8)
		return VDK_EINVAL;
	for (int i = 0; i < 2; i++) {
		free(s->tmp[i]);
		s->tmp[i] = malloc(VDK_MAX(w, h) + 1);
		if (!s->tmp[i])
			return VDK_ENOMEM;
	}
	return 0;
}

static void boxblur_uninit(struct vdk_ctx *ctx)
{
	struct boxblur_priv *s = ctx->priv;

	free(s->tmp[0]);
	free(s->tmp[1]);
}

/* mirrored at the ends; len > radius */
static void blur_line(uint8_t *dst, int dstep, const uint8_t *src, int sstep, int len, int radius)
{
	const int length = radius * 2 + 1;
	const int inv = ((1 << 16) + length / 2) / length;
	int x, sum = src[radius * sstep];

	for (x = 0; x < radius; x++)
		sum += src[x * sstep] << 1;
	sum = sum * inv + (1 << 15);

	for (x = 0; x <= radius && x < len - radius; x++) {
		sum += (src[(radius + x) * sstep] - src[(radius - x) * sstep]) * inv;
		dst[x * dstep] = vdk_clip_u8(sum >> 16);
	}
	for (; x < len - radius; x++) {
		sum += (src[(radius + x) * sstep] - src[(x - radius - 1) * sstep]) * inv;
		dst[x * dstep] = vdk_clip_u8(sum >> 16);
	}
	for (; x < len; x++) {
		int lo = x - radius - 1 < 0 ? radius - x : x - radius - 1;

		sum += (src[(2 * len - radius - x - 1) * sstep] - src[lo * sstep]) * inv;
		dst[x * dstep] = vdk_clip_u8(sum >> 16);
	}
}

static void blur_power(uint8_t *dst, int dstep, const uint8_t *src, int sstep, int len, int radius, int power, uint8_t *tmp[2])
{
	uint8_t *a = tmp[0], *b = tmp[1];
	int i;

	if (radius && power) {
		blur_line(a, 1, src, sstep, len, radius);
		for (i = power - 1; i > 0; i--) {
			uint8_t *c;

			blur_line(b, 1, a, 1, len, radius);
			c = a; a = b; b = c;
		}
		for (i = 0; i < len; i++)
			dst[i * dstep] = a[i];
	} else if (dst != src) {
		for (i = 0; i < len; i++)
			dst[i * dstep] = src[i * sstep];
	}
}

static int boxblur_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	struct boxblur_priv *s = ctx->priv;

	if (!vdk_same(out, in))
		return VDK_EINVAL;
	for (int p = 0; p < vdk_fmt(in->format)->nb_planes; p++) {
		int w = vdk_plane_width(in, p), h = vdk_plane_height(in, p);
		int rx = VDK_MIN(s->radius, (w - 1) / 2), ry = VDK_MIN(s->radius, (h - 1) / 2);

		for (int y = 0; y < h && w; y++)
			blur_power(out->data[p] + y * out->linesize[p], 1, in->data[p] + y * in->linesize[p], 1,
				   w, rx, s->power, s->tmp);
		for (int x = 0; x < w && h; x++)
			blur_power(out->data[p] + x, out->linesize[p], out->data[p] + x, out->linesize[p],
				   h, ry, s->power, s->tmp);
	}
	return 0;
}

const struct vdk_filter vdk_vf_boxblur = {
	.name = "boxblur",
	.priv_size = sizeof(struct boxblur_priv),
	.init = boxblur_init,
	.config = boxblur_config,
	.process = boxblur_process,
	.uninit = boxblur_uninit,
};

/* ---------------------------------------------------------------------- */

struct gauss_priv {
	uint16_t *ringmem;
	int ringw;
	int amount;	/* 1/256; 256 blurred, above: sharpened away from it when negative */
};

static int gauss_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	struct gauss_priv *s = ctx->priv;

	s->amount = nb_opt > 0 ? opt[0] : 256;
	return s->amount < -1024 || s->amount > 256 ? VDK_EINVAL : 0;
}

static int gauss_config(struct vdk_ctx *ctx, int w, int h, enum vdk_pixfmt fmt)
{
	struct gauss_priv *s = ctx->priv;

	if (vdk_fmt(fmt)->depth != 8)
		return VDK_EINVAL;
	free(s->ringmem);
	s->ringw = (w + 15) & ~15;
	s->ringmem = malloc(sizeof(*s->ringmem) * 5 * (s->ringw + 1));
	return s->ringmem ? 0 : VDK_ENOMEM;
}

static void gauss_uninit(struct vdk_ctx *ctx)
{
	free(((struct gauss_priv *)ctx->priv)->ringmem);
}

static void gauss_row(uint16_t *dst, const uint8_t *s, int w)
{
	int x;

	if (w < 5) {
		for (x = 0; x < w; x++)
			dst[x] = s[VDK_MAX(x - 2, 0)] + 4 * s[VDK_MAX(x - 1, 0)] + 6 * s[x] +
				 4 * s[VDK_MIN(x + 1, w - 1)] + s[VDK_MIN(x + 2, w - 1)];
		return;
	}
	dst[0] = 11 * s[0] + 4 * s[1] + s[2];
	dst[1] = 5 * s[0] + 6 * s[1] + 4 * s[2] + s[3];
	for (x = 2; x < w - 2; x++)
		dst[x] = s[x - 2] + s[x + 2] + 4 * (s[x - 1] + s[x + 1]) + 6 * s[x];
	dst[x] = s[x - 2] + 4 * s[x - 1] + 6 * s[x] + 5 * s[x + 1];
	x++;
	dst[x] = s[x - 2] + 4 * s[x - 1] + 11 * s[x];
}

static int gauss_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	struct gauss_priv *s = ctx->priv;
	uint16_t *ring[5];

	/* the ring runs ahead of what is written, so out may be in */
	if (!vdk_same(out, in))
		return VDK_EINVAL;
	for (int p = 0; p < vdk_fmt(in->format)->nb_planes; p++) {
		const int w = vdk_plane_width(in, p), h = vdk_plane_height(in, p);
		const uint8_t *src = in->data[p];
		uint8_t *dst = out->data[p];
		const ptrdiff_t sls = in->linesize[p], dls = out->linesize[p];

		if (!w || !h)
			continue;
		for (int i = 0; i < 5; i++)
			ring[i] = s->ringmem + (size_t)i * s->ringw;
		for (int i = 0; i < 4; i++)
			gauss_row(ring[i + 1], src + vdk_clip(i - 2, 0, h - 1) * sls, w);
		for (int y = 0; y < h; y++) {
			uint16_t *old = ring[0];

			memmove(ring, ring + 1, 4 * sizeof(ring[0]));
			ring[4] = old;
			if (y + 2 < h)
				gauss_row(ring[4], src + (y + 2) * sls, w);
			else
				memcpy(ring[4], ring[3], w * sizeof(*ring[4]));
			for (int x = 0; x < w; x++) {
				int b = ring[0][x] + ring[4][x] + 4 * (ring[1][x] + ring[3][x]) + 6 * ring[2][x];
				int v = src[x + y * sls];

				b = (b + 128) >> 8;
				dst[x + y * dls] = s->amount == 256 ? b : vdk_clip_u8(v + (((b - v) * s->amount + 128) >> 8));
			}
		}
	}
	return 0;
}

const struct vdk_filter vdk_vf_gauss = {
	.name = "gauss",
	.priv_size = sizeof(struct gauss_priv),
	.init = gauss_init,
	.config = gauss_config,
	.process = gauss_process,
	.uninit = gauss_uninit,
};
