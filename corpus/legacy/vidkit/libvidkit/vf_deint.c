/*
 * deint: option 0 mode (0 bob, 1 blend, 2 edge directed), option 1 which field
 * is kept. aux: the frame before, used by mode 2 where it stands still.
 * transpose: option 0 direction bits, 1 flips the source rows, 2 the columns.
 */
#include <stdlib.h>
#include <string.h>

#include "libvidkit/filters.h"

struct deint_priv {
	int mode, field;
	void (*line)(struct vdk_ctx *ctx, uint8_t *dst, const uint8_t *up, const uint8_t *cur,
		     const uint8_t *dn, const uint8_t *prev, int w);
};

static void line_bob(struct vdk_ctx *ctx, uint8_t *dst, const uint8_t *up, const uint8_t *cur,
		     const uint8_t *dn, const uint8_t *prev, int w)
{
	ctx->dsp.avg_row(dst, up, dn, w);
}

static void line_blend(struct vdk_ctx *ctx, uint8_t *dst, const uint8_t *up, const uint8_t *cur,
		       const uint8_t *dn, const uint8_t *prev, int w)
{
	for (int x = 0; x < w; x++)
		dst[x] = (up[x] + 2 * cur[x] + dn[x] + 2) >> 2;
}

#define SCORE(j) (abs(up[x - 1 + (j)] - dn[x - 1 - (j)]) + \
		  abs(up[x + (j)] - dn[x - (j)]) + \
		  abs(up[x + 1 + (j)] - dn[x + 1 - (j)]))

static void line_edge(struct vdk_ctx *ctx, uint8_t *dst, const uint8_t *up, const uint8_t *cur,
		      const uint8_t *dn, const uint8_t *prev, int w)
{
	for (int x = 0; x < w; x++) {
		int pred = (up[x] + dn[x]) >> 1;

		if (prev && abs(prev[x] - cur[x]) < 4 && abs(cur[x] - pred) < 24) {
			dst[x] = cur[x];
			continue;
		}
		if (x >= 2 && x < w - 2) {
			int best = SCORE(0) - 1, sc;

			if ((sc = SCORE(-1)) < best) {
				best = sc;
				pred = (up[x - 1] + dn[x + 1]) >> 1;
			}
			if ((sc = SCORE(1)) < best) {
				best = sc;
				pred = (up[x + 1] + dn[x - 1]) >> 1;
			}
		}
		dst[x] = pred;
	}
}

static int deint_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	struct deint_priv *s = ctx->priv;

	s->mode  = nb_opt > 0 ? opt[0] : 0;
	s->field = nb_opt > 1 ? opt[1] & 1 : 0;
	switch (s->mode) {
	case 0: s->line = line_bob;   break;
	case 1: s->line = line_blend; break;
	case 2: s->line = line_edge;  break;
	default: return VDK_EINVAL;
	}
	return 0;
}

static int deint_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	struct deint_priv *s = ctx->priv;

	if (!vdk_same(out, in) || out == in || vdk_fmt(in->format)->depth != 8 || (aux && !vdk_same(aux, in)))
		return VDK_EINVAL;
	for (int p = 0; p < vdk_fmt(in->format)->nb_planes; p++) {
		const int w = vdk_plane_width(in, p), h = vdk_plane_height(in, p);
		const ptrdiff_t ls = in->linesize[p];

		if (!w)
			continue;
		for (int y = 0; y < h; y++) {
			const uint8_t *cur = in->data[p] + y * ls;
			const uint8_t *up = y > 0 ? cur - ls : y + 1 < h ? cur + ls : cur;
			const uint8_t *dn = y + 1 < h ? cur + ls : up;
			uint8_t *dst = out->data[p] + y * (ptrdiff_t)out->linesize[p];

			if ((y & 1) == s->field && s->mode != 1)
				memcpy(dst, cur, w);
			else
				s->line(ctx, dst, up, cur, dn, aux ? aux->data[p] + y * (ptrdiff_t)aux->linesize[p] : NULL, w);
		}
	}
	out->interlaced = 0;
	return 0;
}

const struct vdk_filter vdk_vf_deint = {
	.name = "deint",
	.priv_size = sizeof(struct deint_priv),
	.init = deint_init,
	.process = deint_process,
};

/* ---------------------------------------------------------------------- */

struct transpose_priv {
	int dir;
	void (*block)(uint8_t *dst, ptrdiff_t dls, const uint8_t *src, ptrdiff_t sls, int w, int h);
};

#define DEFINE_TRANSPOSE(bits, type)							\
static void transpose_block_##bits(uint8_t *dst, ptrdiff_t dls,				\
				   const uint8_t *src, ptrdiff_t sls, int w, int h)	\
{											\
	for (int y = 0; y < h; y++, dst += dls) {					\
		type *d = (type *)(void *)dst;						\
		for (int x = 0; x < w; x++)						\
			d[x] = *(const type *)(const void *)(src + x * sls + y * (ptrdiff_t)sizeof(type)); \
	}										\
}

DEFINE_TRANSPOSE(8, uint8_t)
DEFINE_TRANSPOSE(16, uint16_t)

static int transpose_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	((struct transpose_priv *)ctx->priv)->dir = nb_opt > 0 ? opt[0] & 3 : 0;
	return 0;
}

static int transpose_config(struct vdk_ctx *ctx, int w, int h, enum vdk_pixfmt fmt)
{
	struct transpose_priv *s = ctx->priv;
	const struct vdk_fmt_desc *d = vdk_fmt(fmt);

	if (d->log2_cw != d->log2_ch)
		return VDK_EINVAL;
	s->block = d->depth > 8 ? transpose_block_16 : transpose_block_8;
	return 0;
}

static int transpose_slice(struct vdk_ctx *ctx, void *arg, int jobnr, int nb_jobs)
{
	struct transpose_priv *s = ctx->priv;
	const struct vdk_frame *const *fr = arg;
	const struct vdk_frame *out = fr[0], *in = fr[1];
	const int px = vdk_fmt(in->format)->depth > 8 ? 2 : 1;

	for (int p = 0; p < vdk_fmt(in->format)->nb_planes; p++) {
		int outw = vdk_plane_width(out, p), outh = vdk_plane_height(out, p);
		int start = outh * jobnr / nb_jobs, end = outh * (jobnr + 1) / nb_jobs;
		ptrdiff_t dls = out->linesize[p], sls = in->linesize[p];
		uint8_t *dst = out->data[p] + start * dls;
		const uint8_t *src = in->data[p];
		int x, y;

		if (!outw || !outh)
			continue;
		if (s->dir & 1) {
			src += (vdk_plane_height(in, p) - 1) * sls;
			sls = -sls;
		}
		if (s->dir & 2) {
			dst = out->data[p] + (outh - start - 1) * dls;
			dls = -dls;
		}
		for (y = start; y + 8 <= end; y += 8) {
			for (x = 0; x + 8 <= outw; x += 8)
				s->block(dst + (y - start) * dls + x * px, dls, src + x * sls + y * px, sls, 8, 8);
			if (outw - x > 0)
				s->block(dst + (y - start) * dls + x * px, dls, src + x * sls + y * px, sls, outw - x, 8);
		}
		if (end - y > 0)
			s->block(dst + (y - start) * dls, dls, src + y * px, sls, outw, end - y);
	}
	return 0;
}

static int transpose_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	const struct vdk_frame *fr[2] = { out, in };

	if (out->width != in->height || out->height != in->width || out->format != in->format)
		return VDK_EINVAL;
	return vdk_execute(ctx, transpose_slice, fr, VDK_MAX(VDK_MIN(ctx->nb_threads, out->height), 1));
}

const struct vdk_filter vdk_vf_transpose = {
	.name = "transpose",
	.priv_size = sizeof(struct transpose_priv),
	.init = transpose_init,
	.config = transpose_config,
	.process = transpose_process,
};
