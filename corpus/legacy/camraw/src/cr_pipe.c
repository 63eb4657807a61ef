/*
 * cr_pipe.c - the stages in a row, for the still path
 */
#include "cr_internal.h"

#include <pthread.h>

struct cr_pipe {
	pthread_mutex_t lock;
	cr_progress_t cb;
	void *user;
	struct cr_gains wb;
	u8 curve[33];
};

struct cr_pipe *cr_pipe_create(cr_progress_t cb, void *user)
{
	struct cr_pipe *p = calloc(1, sizeof(*p));
	u32 i;

	if (!p)
		return NULL;
	if (pthread_mutex_init(&p->lock, NULL)) {
		free(p);
		return NULL;
	}
	p->cb = cb;
	p->user = user;
	for (i = 0; i < 33; i++)	/* close enough to 1 / 2 */
		p->curve[i] = (u8)(255 * (64 * i - i * i) / 1024);
	return p;
}

void cr_pipe_destroy(struct cr_pipe *p)
{
	if (!p)
		return;
	pthread_mutex_destroy(&p->lock);
	free(p);
}

static int report(struct cr_pipe *p, const char *stage, int step)
{
	return p->cb && p->cb(p->user, stage, step) ? -ECANCELED : 0;
}

#define STAGE(name, step, call)					\
	do {							\
		ret = report(p, name, step);			\
		if (ret)					\
			goto out;				\
		ret = (call);					\
		if (ret < 0)					\
			goto out;				\
	} while (0)

int cr_pipe_run(struct cr_pipe *p, const u8 *packed, u32 stride, u32 width,
		u32 height, enum cr_cfa cfa, struct cr_yuv *out)
{
	static const u16 black[4] = { 64, 64, 64, 64 };
	static const s32 ccm[9] = { 1700, -500, -176, -300, 1600, -276,
				    -60, -640, 1724 };
	struct cr_raw raw = { NULL, width, height, width, 10, (u8)cfa };
	struct cr_rgb16 rgb = { NULL, width, height, 3 * width };
	struct cr_rgb8 rgb8 = { NULL, width, height, 3 * width };
	struct cr_plane8 luma;
	int ret;

	if (!p || !packed || !out || (unsigned int)cfa > 3)
		return -EINVAL;
	if (!width || !height || width > 16384 || height > 16384)
		return -EINVAL;

	pthread_mutex_lock(&p->lock);
	ret = -ENOMEM;
	raw.pix = malloc(sizeof(u16) * width * height);
	rgb.pix = malloc(3 * sizeof(u16) * width * height);
	rgb8.pix = malloc((size_t)3 * width * height);
	if (!raw.pix || !rgb.pix || !rgb8.pix)
		goto out;

	STAGE("unpack", 0, cr_unpack10(packed, stride, &raw));
	STAGE("black", 1, cr_black_level(&raw, black));
	STAGE("defects", 2, cr_bpc_dynamic(&raw, 100, NULL));
	p->wb = cr_awb_grey(&raw, 8, 1000);
	STAGE("balance", 3, cr_wb_apply(&raw, &p->wb));
	STAGE("demosaic", 4, cr_demosaic_edge(&raw, &rgb));
	STAGE("colour", 5, cr_ccm(&rgb, ccm, 1023));
	STAGE("gamma", 6, cr_gamma(&rgb, &rgb8, p->curve, 10));
	STAGE("yuv", 7, cr_to_yuv420(&rgb8, out, 1));
	luma.pix = out->y;
	luma.width = width;
	luma.height = height;
	luma.stride = (s32)out->ystride;
	STAGE("sharpen", 8, cr_sharpen(&luma, 16, 6));
out:
	free(rgb8.pix);
	free(rgb.pix);
	free(raw.pix);
	pthread_mutex_unlock(&p->lock);
	return ret;
}
