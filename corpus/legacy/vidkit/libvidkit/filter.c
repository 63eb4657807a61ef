/* filter list, contexts and slice jobs */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "libvidkit/filters.h"

static const struct vdk_filter *const all_filters[] = {
	&vdk_vf_boxblur,
	&vdk_vf_gauss,
	&vdk_vf_deint,
	&vdk_vf_denoise,
	&vdk_vf_levels,
	&vdk_vf_fade,
	&vdk_vf_psnr,
	&vdk_vf_scene,
	&vdk_vf_overlay,
	&vdk_vf_transpose,
	NULL
};

int vdk_ctx_open(struct vdk_ctx **pctx, const char *name, unsigned cpu_flags, int nb_threads, const int *opt, int nb_opt)
{
	struct vdk_ctx *ctx;
	int i, ret;

	*pctx = NULL;
	for (i = 0; all_filters[i]; i++)
		if (!strcmp(all_filters[i]->name, name))
			break;
	if (!all_filters[i])
		return VDK_ENOSYS;
	ctx = calloc(1, sizeof(*ctx));
	if (!ctx)
		return VDK_ENOMEM;
	ctx->filter = all_filters[i];
	ctx->nb_threads = nb_threads > 0 ? nb_threads : 1;
	ctx->fmt = VDK_FMT_NONE;
	vdk_dsp_init(&ctx->dsp, cpu_flags);
	if (ctx->filter->priv_size) {
		ctx->priv = calloc(1, ctx->filter->priv_size);
		if (!ctx->priv) {
			ret = VDK_ENOMEM;
			goto fail;
		}
	}
	if (ctx->filter->init && (ret = ctx->filter->init(ctx, opt, nb_opt)) < 0)
		goto fail;
	*pctx = ctx;
	return 0;
fail:
	free(ctx->priv);
	free(ctx);
	return ret;
}

int vdk_ctx_run(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	if (ctx->w != in->width || ctx->h != in->height || ctx->fmt != in->format) {
		int ret = ctx->filter->config ? ctx->filter->config(ctx, in->width, in->height, in->format) : 0;

		if (ret < 0) {
			if (ctx->log)
				ctx->log(ctx, 1, "cannot configure");
			return ret;
		}
		ctx->w = in->width;
		ctx->h = in->height;
		ctx->fmt = in->format;
	}
	return ctx->filter->process(ctx, out, in, aux);
}

void vdk_ctx_close(struct vdk_ctx **pctx)
{
	struct vdk_ctx *ctx = *pctx;

	if (!ctx)
		return;
	if (ctx->filter->uninit)
		ctx->filter->uninit(ctx);
	free(ctx->priv);
	free(ctx);
	*pctx = NULL;
}

struct worker {
	pthread_t id;
	struct vdk_ctx *ctx;
	vdk_job job;
	void *arg;
	int first, step, nb_jobs;
	int ret;
};

static void *work(void *p)
{
	struct worker *w = p;

	for (int j = w->first; j < w->nb_jobs; j += w->step) {
		int r = w->job(w->ctx, w->arg, j, w->nb_jobs);

		if (r < 0)
			w->ret = r;
	}
	return NULL;
}

int vdk_execute(struct vdk_ctx *ctx, vdk_job job, void *arg, int nb_jobs)
{
	struct worker w[8];
	int n = VDK_MIN(VDK_MIN(ctx->nb_threads, nb_jobs), 8), started = 0, ret = 0;

	if (n <= 1) {
		for (int j = 0; j < nb_jobs; j++)
			if ((ret = job(ctx, arg, j, nb_jobs)) < 0)
				return ret;
		return 0;
	}
	for (int i = 0; i < n; i++) {
		w[i] = (struct worker){ .ctx = ctx, .job = job, .arg = arg, .first = i, .step = n, .nb_jobs = nb_jobs };
		if (i == n - 1 || pthread_create(&w[i].id, NULL, work, &w[i])) {
			/* the last one, or what could not be started, is done here */
			work(&w[i]);
			w[i].first = -1;
		}
		started++;
	}
	for (int i = 0; i < started; i++) {
		if (w[i].first >= 0)
			pthread_join(w[i].id, NULL);
		if (w[i].ret < 0)
			ret = w[i].ret;
	}
	return ret;
}
