/* frames and planes */
#include <stdlib.h>
#include <string.h>

#include "libvidkit/vidkit.h"

static const struct vdk_fmt_desc fmt_descs[VDK_FMT_NB] = {
	[VDK_FMT_GRAY8]     = { "gray8",     1, 0, 0, 8 },
	[VDK_FMT_YUV420P]   = { "yuv420p",   3, 1, 1, 8 },
	[VDK_FMT_YUV422P]   = { "yuv422p",   3, 1, 0, 8 },
	[VDK_FMT_YUV444P]   = { "yuv444p",   3, 0, 0, 8 },
	[VDK_FMT_YUVA420P]  = { "yuva420p",  4, 1, 1, 8 },
	[VDK_FMT_YUV420P10] = { "yuv420p10", 3, 1, 1, 10 },
};

const struct vdk_fmt_desc *vdk_fmt(enum vdk_pixfmt f)
{
	if ((int)f < 0 || f >= VDK_FMT_NB)
		return NULL;
	return &fmt_descs[f];
}

int vdk_plane_width(const struct vdk_frame *f, int plane)
{
	return plane == 1 || plane == 2 ? VDK_CEIL_RSHIFT(f->width, fmt_descs[f->format].log2_cw) : f->width;
}

int vdk_plane_height(const struct vdk_frame *f, int plane)
{
	return plane == 1 || plane == 2 ? VDK_CEIL_RSHIFT(f->height, fmt_descs[f->format].log2_ch) : f->height;
}

struct vdk_frame *vdk_frame_alloc(enum vdk_pixfmt fmt, int w, int h, int align)
{
	const struct vdk_fmt_desc *d = vdk_fmt(fmt);
	struct vdk_frame *f;
	size_t off[VDK_MAX_PLANES], total = 0;

	if (!d || w < 0 || h < 0 || w > 16384 || h > 16384 || align < 2 || (align & (align - 1)))
		return NULL;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->width  = w;
	f->height = h;
	f->format = fmt;
	for (int p = 0; p < d->nb_planes; p++) {
		int bw = vdk_plane_width(f, p) * (d->depth > 8 ? 2 : 1);

		f->linesize[p] = (bw + align - 1) & ~(align - 1);
		off[p] = total;
		total += (size_t)f->linesize[p] * vdk_plane_height(f, p);
	}
	f->buf = calloc(total + 1, 1);
	if (!f->buf) {
		free(f);
		return NULL;
	}
	for (int p = 0; p < d->nb_planes; p++)
		f->data[p] = (uint8_t *)f->buf + off[p];
	return f;
}

void vdk_frame_free(struct vdk_frame **f)
{
	if (!f || !*f)
		return;
	free((*f)->buf);
	free(*f);
	*f = NULL;
}

void vdk_plane_copy(uint8_t *dst, ptrdiff_t dls, const uint8_t *src, ptrdiff_t sls, int bytewidth, int height)
{
	if (bytewidth <= 0)
		return;
	for (; height > 0; height--) {
		memcpy(dst, src, bytewidth);
		dst += dls;
		src += sls;
	}
}

int vdk_frame_copy(struct vdk_frame *dst, const struct vdk_frame *src)
{
	const struct vdk_fmt_desc *d = vdk_fmt(src->format);

	if (!d || dst->format != src->format || dst->width != src->width || dst->height != src->height)
		return VDK_EINVAL;
	for (int p = 0; p < d->nb_planes; p++)
		vdk_plane_copy(dst->data[p], dst->linesize[p], src->data[p], src->linesize[p],
			       vdk_plane_width(src, p) * (d->depth > 8 ? 2 : 1), vdk_plane_height(src, p));
	dst->pts = src->pts;
	dst->interlaced = src->interlaced;
	dst->top_field_first = src->top_field_first;
	return 0;
}

/* buf points at the picture inside a larger plane; repeat its border outwards */
void vdk_draw_edges(uint8_t *buf, ptrdiff_t ls, int w, int h, int ex, int ey)
{
	uint8_t *ptr = buf, *last_line;

	if (w <= 0 || h <= 0)
		return;
	/* left and right */
	for (int i = 0; i < h; i++) {
		memset(ptr - ex, ptr[0], ex);
		memset(ptr + w, ptr[w - 1], ex);
		ptr += ls;
	}
	/* top and bottom, corners with them */
	buf -= ex;
	last_line = buf + (h - 1) * ls;
	for (int i = 0; i < ey; i++)
		memcpy(buf - (i + 1) * ls, buf, w + 2 * ex);
	for (int i = 0; i < ey; i++)
		memcpy(last_line + (i + 1) * ls, last_line, w + 2 * ex);
}
