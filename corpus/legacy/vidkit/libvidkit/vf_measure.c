/*
 * psnr:  mean squared error against aux, a metric a plane
 * scene: histogram distance (luma) to the last frame, and sum of differences by blocks of 16
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "libvidkit/filters.h"

struct psnr_priv {
	pthread_mutex_t lock;
	uint64_t sse[VDK_MAX_PLANES];
	const struct vdk_frame *ref;
};

static int psnr_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	return pthread_mutex_init(&((struct psnr_priv *)ctx->priv)->lock, NULL) ? VDK_ENOMEM : 0;
}

static void psnr_uninit(struct vdk_ctx *ctx)
{
	pthread_mutex_destroy(&((struct psnr_priv *)ctx->priv)->lock);
}

static uint64_t sse_line_8(const uint8_t *a, const uint8_t *b, int w)
{
	unsigned m2 = 0;

	for (int j = 0; j < w; j++) {
		int e = a[j] - b[j];
		m2 += e * e;
	}
	return m2;
}

static uint64_t sse_line_16(const uint8_t *a8, const uint8_t *b8, int w)
{
	const uint16_t *a = (const uint16_t *)(const void *)a8, *b = (const uint16_t *)(const void *)b8;
	uint64_t m2 = 0;

	for (int j = 0; j < w; j++) {
		int64_t e = a[j] - b[j];
		m2 += e * e;
	}
	return m2;
}

static int psnr_job(struct vdk_ctx *ctx, void *arg, int jobnr, int nb_jobs)
{
	struct psnr_priv *s = ctx->priv;
	const struct vdk_frame *in = arg;
	const struct vdk_fmt_desc *d = vdk_fmt(in->format);
	uint64_t (*line)(const uint8_t *, const uint8_t *, int) = d->depth > 8 ? sse_line_16 : sse_line_8;

	for (int p = 0; p < d->nb_planes; p++) {
		int w = vdk_plane_width(in, p), h = vdk_plane_height(in, p);
		uint64_t m = 0;

		for (int y = h * jobnr / nb_jobs; y < h * (jobnr + 1) / nb_jobs; y++)
			m += line(in->data[p] + y * (ptrdiff_t)in->linesize[p],
				  s->ref->data[p] + y * (ptrdiff_t)s->ref->linesize[p], w);
		pthread_mutex_lock(&s->lock);
		s->sse[p] += m;
		pthread_mutex_unlock(&s->lock);
	}
	return 0;
}

static int psnr_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	struct psnr_priv *s = ctx->priv;

	if (!vdk_same(in, aux))
		return VDK_EINVAL;
	memset(s->sse, 0, sizeof(s->sse));
	s->ref = aux;
	vdk_execute(ctx, psnr_job, (void *)in, ctx->nb_threads);
	for (int p = 0; p < vdk_fmt(in->format)->nb_planes; p++) {
		double n = (double)vdk_plane_width(in, p) * vdk_plane_height(in, p);

		ctx->metric[p] = n ? (double)s->sse[p] / n : 0;
	}
	return out && out != in ? vdk_frame_copy(out, in) : 0;
}

const struct vdk_filter vdk_vf_psnr = {
	.name = "psnr",
	.priv_size = sizeof(struct psnr_priv),
	.init = psnr_init,
	.process = psnr_process,
	.uninit = psnr_uninit,
};

struct scene_priv {
	uint32_t hist[2][64];
	int cur, frames;
};

static int scene_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	struct scene_priv *s = ctx->priv;
	uint32_t *h = s->hist[s->cur], *old = s->hist[!s->cur];
	unsigned dist = 0, worst = 0;

	if (vdk_fmt(in->format)->depth != 8)
		return VDK_EINVAL;
	memset(h, 0, sizeof(s->hist[0]));
	for (int y = 0; y < in->height; y++) {
		const uint8_t *p = in->data[0] + y * (ptrdiff_t)in->linesize[0];

		for (int x = 0; x < in->width; x++)
			h[p[x] >> 2]++;
	}
	for (int i = 0; s->frames && i < 64; i++)
		dist += h[i] > old[i] ? h[i] - old[i] : old[i] - h[i];
	if (vdk_same(aux, in)) {
		for (int y = 0; y < in->height; y += 16)
			for (int x = 0; x < in->width; x += 16) {
				unsigned v = ctx->dsp.sad(in->data[0] + y * (ptrdiff_t)in->linesize[0] + x, in->linesize[0],
							  aux->data[0] + y * (ptrdiff_t)aux->linesize[0] + x, aux->linesize[0],
							  VDK_MIN(16, in->width - x), VDK_MIN(16, in->height - y));
				worst = VDK_MAX(worst, v);
			}
	}
	s->cur = !s->cur;
	s->frames++;
	ctx->metric[0] = dist;
	ctx->metric[1] = worst;
	return dist * 2 > (unsigned)(in->width * in->height);
}

const struct vdk_filter vdk_vf_scene = {
	.name = "scene",
	.priv_size = sizeof(struct scene_priv),
	.process = scene_process,
};
