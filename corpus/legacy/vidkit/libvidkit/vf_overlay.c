/*
 * overlay: aux (yuva420p) is laid over in (yuv420p or yuva420p) at option 0, 1.
 * Chroma takes the mean alpha of the luma samples it covers.
 */
#include "libvidkit/filters.h"

#define FAST_DIV255(x) ((((x) + 128) * 257) >> 16)

struct overlay_priv {
	int x, y;
};

static int overlay_init(struct vdk_ctx *ctx, const int *opt, int nb_opt)
{
	struct overlay_priv *s = ctx->priv;

	if (nb_opt < 2)
		return VDK_EINVAL;
	/* chroma must meet chroma */
	s->x = opt[0] & ~1;
	s->y = opt[1] & ~1;
	return 0;
}

static int overlay_config(struct vdk_ctx *ctx, int w, int h, enum vdk_pixfmt fmt)
{
	return fmt == VDK_FMT_YUV420P || fmt == VDK_FMT_YUVA420P ? 0 : VDK_EINVAL;
}

static void blend_plane(struct vdk_frame *dst, const struct vdk_frame *src, int i, int x, int y)
{
	const int hsub = i == 1 || i == 2, vsub = hsub;
	const int src_wp = vdk_plane_width(src, i), src_hp = vdk_plane_height(src, i);
	const int dst_wp = vdk_plane_width(dst, i), dst_hp = vdk_plane_height(dst, i);
	const int xp = x / (1 << hsub), yp = y / (1 << vsub);
	int j = VDK_MAX(-yp, 0), jmax = VDK_MIN(-yp + dst_hp, src_hp);
	int kmin = VDK_MAX(-xp, 0), kmax = VDK_MIN(-xp + dst_wp, src_wp);

	for (; j < jmax; j++) {
		uint8_t *d = dst->data[i] + (yp + j) * (ptrdiff_t)dst->linesize[i] + (xp + kmin);
		const uint8_t *s = src->data[i] + j * (ptrdiff_t)src->linesize[i] + kmin;
		const uint8_t *a = src->data[3] + (j << vsub) * (ptrdiff_t)src->linesize[3];

		for (int k = kmin; k < kmax; k++) {
			int alpha;

			if (hsub) {
				int k1 = 2 * k + 1 < src->width ? 2 * k + 1 : 2 * k;
				const uint8_t *a1 = 2 * j + 1 < src->height ? a + src->linesize[3] : a;

				alpha = (a[2 * k] + a[k1] + a1[2 * k] + a1[k1] + 2) >> 2;
			} else {
				alpha = a[k];
			}
			*d = FAST_DIV255(*d * (255 - alpha) + *s * alpha);
			s++;
			d++;
		}
	}
}

/* what lies below shows through less */
static void alpha_composite(struct vdk_frame *dst, const struct vdk_frame *src, int x, int y)
{
	int i, imax, j, jmax;

	for (i = VDK_MAX(-y, 0), imax = VDK_MIN(-y + dst->height, src->height); i < imax; i++) {
		const uint8_t *sa = src->data[3] + i * (ptrdiff_t)src->linesize[3];
		uint8_t *da = dst->data[3] + (y + i) * (ptrdiff_t)dst->linesize[3];

		for (j = VDK_MAX(-x, 0), jmax = VDK_MIN(-x + dst->width, src->width); j < jmax; j++) {
			switch (sa[j]) {
			case 0:
				break;
			case 255:
				da[x + j] = 255;
				break;
			default:
				da[x + j] += FAST_DIV255((255 - da[x + j]) * sa[j]);
			}
		}
	}
}

static int overlay_process(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux)
{
	const struct overlay_priv *s = ctx->priv;
	int ret;

	if (!aux || aux->format != VDK_FMT_YUVA420P || aux == out)
		return VDK_EINVAL;
	if (out != in && (ret = vdk_frame_copy(out, in)) < 0)
		return ret;
	if (s->x >= in->width || s->x <= -aux->width || s->y >= in->height || s->y <= -aux->height)
		return 0;
	for (int i = 0; i < 3; i++)
		blend_plane(out, aux, i, s->x, s->y);
	if (out->format == VDK_FMT_YUVA420P)
		alpha_composite(out, aux, s->x, s->y);
	return 0;
}

const struct vdk_filter vdk_vf_overlay = {
	.name = "overlay",
	.priv_size = sizeof(struct overlay_priv),
	.init = overlay_init,
	.config = overlay_config,
	.process = overlay_process,
};
