/*
 * levels: in black, in white, out black, out white (8 bit numbers), luma only
 * fade:   factor 0..65536, to option 1 (luma level); slices
 */
#include <stdlib.h>

#include "libvidkit/filters.h"

struct levels_priv {
	int ib, iw, ob, ow;
	uint16_t lut[1024];
	int shift;
};

static int levels_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	struct levels_priv *s = ctx->priv;

	if (nb_opt != 4)
		return VDK_EINVAL;
	s->ib = opt[0]; s->iw = opt[1];
	s->ob = opt[2]; s->ow = opt[3];
	for (int i = 0; i < 4; i++)
		if (opt[i] < 0 || opt[i] > 255)
			return VDK_EINVAL;
	return s->ib == s->iw ? VDK_EINVAL : 0;
}

static int levels_config(struct vdk_ctx *ctx, int w, int h, enum vdk_pixfmt fmt)
{
	struct levels_priv *s = ctx->priv;
	int n = 1 << vdk_fmt(fmt)->depth;

	s->shift = vdk_fmt(fmt)->depth - 8;
	for (int i = 0; i < n; i++) {
		int v = (i - s->ib * (1 << s->shift)) * (s->ow - s->ob) / (s->iw - s->ib) + s->ob * (1 << s->shift);

		s->lut[i] = vdk_clip(v, 0, n - 1);
	}
	return 0;
}

static int levels_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	const struct levels_priv *s = ctx->priv;
	int ret;

	if (out != in && (ret = vdk_frame_copy(out, in)) < 0)
		return ret;
	if (s->shift == 0) {
		for (int y = 0; y < out->height; y++) {
			uint8_t *p = out->data[0] + y * (ptrdiff_t)out->linesize[0];

			for (int x = 0; x < out->width; x++)
				p[x] = s->lut[p[x]];
		}
	} else {
		for (int y = 0; y < out->height; y++) {
			uint16_t *p = (uint16_t *)(void *)(out->data[0] + y * (ptrdiff_t)out->linesize[0]);

			for (int x = 0; x < out->width; x++)
				p[x] = s->lut[p[x] & 1023];
		}
	}
	return 0;
}

const struct vdk_filter vdk_vf_levels = {
	.name = "levels",
	.priv_size = sizeof(struct levels_priv),
	.init = levels_init,
	.config = levels_config,
	.process = levels_process,
};

struct fade_priv {
	int factor, black;
	const struct vdk_fmt_desc *desc;
};

static int fade_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	struct fade_priv *s = ctx->priv;

	s->factor = nb_opt > 0 ? opt[0] : 65536;
	s->black  = nb_opt > 1 ? opt[1] : 16;
	return s->factor < 0 || s->factor > 65536 ? VDK_EINVAL : 0;
}

static int fade_config(struct vdk_ctx *ctx, int w, int h, enum vdk_pixfmt fmt)
{
	((struct fade_priv *)ctx->priv)->desc = vdk_fmt(fmt);
	return vdk_fmt(fmt)->depth == 8 ? 0 : VDK_EINVAL;
}

static int fade_slice_luma(struct vdk_ctx *ctx, void *arg, int jobnr, int nb_jobs)
{
	struct fade_priv *s = ctx->priv;
	struct vdk_frame *frame = arg;
	const int start = (frame->height * jobnr) / nb_jobs;
	const int end   = (frame->height * (jobnr + 1)) / nb_jobs;
	/* .5 so that black keeps its place */
	const int bl = (s->black << 16) - s->black * s->factor + 32768;

	for (int i = start; i < end; i++) {
		uint8_t *p = frame->data[0] + i * (ptrdiff_t)frame->linesize[0];

		for (int j = 0; j < frame->width; j++) {
			*p = vdk_clip_u8((*p * s->factor + bl) >> 16);
			p++;
		}
	}
	return 0;
}

static int fade_slice_chroma(struct vdk_ctx *ctx, void *arg, int jobnr, int nb_jobs)
{
	struct fade_priv *s = ctx->priv;
	struct vdk_frame *frame = arg;
	const int w = vdk_plane_width(frame, 1), h = vdk_plane_height(frame, 1);
	int i, j, plane;

	for (plane = 1; plane < 3; plane++) {
		for (i = h * jobnr / nb_jobs; i < h * (jobnr + 1) / nb_jobs; i++) {
			uint8_t *p = frame->data[plane] + i * (ptrdiff_t)frame->linesize[plane];
			for (j = 0; j < w; j++) {
				/* 8421367 = ((128 << 1) + 1) << 15 minus a hair */
				*p = (uint8_t)(((*p - 128) * s->factor + 8421367) >> 16);
				p++;
			}
		}
	}
	return 0;
}

static int fade_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	struct fade_priv *s = ctx->priv;
	int ret = 0;

	if (out != in)
		ret = vdk_frame_copy(out, in);
	if (ret < 0 || s->factor == 65536)
		return ret;
	ret = vdk_execute(ctx, fade_slice_luma, out, VDK_MAX(1, VDK_MIN(out->height, ctx->nb_threads)));
	if (ret >= 0 && s->desc->nb_planes >= 3)
		ret = vdk_execute(ctx, fade_slice_chroma, out, VDK_MAX(1, VDK_MIN(out->height, ctx->nb_threads)));
	return ret;
}

const struct vdk_filter vdk_vf_fade = {
	.name = "fade",
	.priv_size = sizeof(struct fade_priv),
	.init = fade_init,
	.config = fade_config,
	.process = fade_process,
};
