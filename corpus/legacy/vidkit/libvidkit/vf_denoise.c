/*
 * denoise: low pass along the line and down (strength option 0, 0 leaves it out),
 * then in time against the kept frame (strength option 1). 8 bit and 10 bit.
 */
#include <stdlib.h>
#include <string.h>

#include "libvidkit/filters.h"

#define LUT_BITS 8

struct denoise_priv {
	int16_t coef[2][512];	/* by difference in 8 bit steps, + 256 */
	uint16_t *line;
	uint16_t *prev[VDK_MAX_PLANES];
	int strength[2];
	int have_prev;
	int depth;
};

static int denoise_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	struct denoise_priv *s = ctx->priv;

	for (int k = 0; k < 2; k++) {
		s->strength[k] = nb_opt > k ? opt[k] : 16;
		if (s->strength[k] < 0 || s->strength[k] > 255)
			return VDK_EINVAL;
		for (int i = -256; i < 256; i++) {
			int a = abs(i), c = s->strength[k] ? 256 - 256 * a / s->strength[k] : 0;

			/* how much of the difference is taken back, 1/256 of a step at a time */
			s->coef[k][i + 256] = (int16_t)(c > 0 ? i * c * 3 / 4 : 0);
		}
	}
	return 0;
}

static void denoise_uninit(struct vdk_ctx *ctx)
{
	struct denoise_priv *s = ctx->priv;

	free(s->line);
	for (int p = 0; p < VDK_MAX_PLANES; p++)
		free(s->prev[p]);
}

static int denoise_config(struct vdk_ctx *ctx, int w, int h, enum vdk_pixfmt fmt)
{
	struct denoise_priv *s = ctx->priv;

	denoise_uninit(ctx);
	s->line = malloc(sizeof(uint16_t) * (w + 1));
	for (int p = 0; p < VDK_MAX_PLANES; p++)
		s->prev[p] = NULL;
	for (int p = 0; p < vdk_fmt(fmt)->nb_planes; p++)
		if (!(s->prev[p] = malloc(sizeof(uint16_t) * ((size_t)w * h + 1))))
			return VDK_ENOMEM;
	s->depth = vdk_fmt(fmt)->depth;
	s->have_prev = 0;
	return s->line ? 0 : VDK_ENOMEM;
}

/* prev and cur have 16 bits; the table knows differences of 8 */
static inline uint16_t lowpass(int prev, int cur, const int16_t *coef)
{
	int d = (prev - cur) >> (16 - LUT_BITS);

	return (uint16_t)vdk_clip(cur + coef[256 + d], 0, 65535);
}

#define LOAD(x) (s->depth > 8 ? (VDK_MIN(((const uint16_t *)(const void *)src)[x], 1023) << 6) + 32 : (src[x] << 8) + 128)
#define STORE(x, v) do {							\
	if (s->depth > 8)							\
		((uint16_t *)(void *)dst)[x] = (uint16_t)((v) >> 6);		\
	else									\
		dst[x] = (uint8_t)((v) >> 8);					\
} while (0)

static void denoise_temporal(struct denoise_priv *s, const uint8_t *src, uint8_t *dst, uint16_t *ant,
			     int w, int h, ptrdiff_t sls, ptrdiff_t dls)
{
	for (int y = 0; y < h; y++) {
		for (int x = 0; x < w; x++) {
			uint16_t v = lowpass(ant[x], LOAD(x), s->coef[1]);

			ant[x] = v;
			STORE(x, v);
		}
		src += sls;
		dst += dls;
		ant += w;
	}
}

static void denoise_spatial(struct denoise_priv *s, const uint8_t *src, uint8_t *dst, uint16_t *ant,
			    int w, int h, ptrdiff_t sls, ptrdiff_t dls)
{
	for (int y = 0; y < h; y++) {
		uint16_t left = w ? LOAD(0) : 0;

		for (int x = 0; x < w; x++) {
			uint16_t v;

			left = lowpass(left, LOAD(x), s->coef[0]);
			v = s->line[x] = y ? lowpass(s->line[x], left, s->coef[0]) : left;
			v = lowpass(ant[x], v, s->coef[1]);
			ant[x] = v;
			STORE(x, v);
		}
		src += sls;
		dst += dls;
		ant += w;
	}
}

static int denoise_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	struct denoise_priv *s = ctx->priv;

	if (!vdk_same(out, in))
		return VDK_EINVAL;
	for (int p = 0; p < vdk_fmt(in->format)->nb_planes; p++) {
		int w = vdk_plane_width(in, p), h = vdk_plane_height(in, p);

		if (!s->have_prev) {
			for (int y = 0; y < h; y++) {
				const uint8_t *src = in->data[p] + y * (ptrdiff_t)in->linesize[p];

				for (int x = 0; x < w; x++)
					s->prev[p][(size_t)y * w + x] = LOAD(x);
			}
		}
		if (s->strength[0])
			denoise_spatial(s, in->data[p], out->data[p], s->prev[p], w, h, in->linesize[p], out->linesize[p]);
		else
			denoise_temporal(s, in->data[p], out->data[p], s->prev[p], w, h, in->linesize[p], out->linesize[p]);
	}
	s->have_prev = 1;
	return 0;
}

const struct vdk_filter vdk_vf_denoise = {
	.name = "denoise",
	.priv_size = sizeof(struct denoise_priv),
	.init = denoise_init,
	.config = denoise_config,
	.process = denoise_process,
	.uninit = denoise_uninit,
};
