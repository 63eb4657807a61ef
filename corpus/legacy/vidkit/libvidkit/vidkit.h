/*
 * vidkit: frames, filters and the DSP table
 */
#ifndef VIDKIT_VIDKIT_H
#define VIDKIT_VIDKIT_H

#include <stddef.h>
#include <stdint.h>

#define VDK_MAX_PLANES	4

enum vdk_pixfmt {
	VDK_FMT_NONE = -1,
	VDK_FMT_GRAY8,
	VDK_FMT_YUV420P,
	VDK_FMT_YUV422P,
	VDK_FMT_YUV444P,
	VDK_FMT_YUVA420P,
	VDK_FMT_YUV420P10,	/* native endian, 16 bits a sample */
	VDK_FMT_NB
};

struct vdk_fmt_desc {
	const char *name;
	uint8_t nb_planes;
	uint8_t log2_cw;
	uint8_t log2_ch;
	uint8_t depth;
};

struct vdk_frame {
	uint8_t *data[VDK_MAX_PLANES];
	int linesize[VDK_MAX_PLANES];	/* bytes, may be negative */
	int width, height;
	enum vdk_pixfmt format;
	int64_t pts;
	unsigned interlaced : 1;
	unsigned top_field_first : 1;
	void *buf;			/* what is freed, NULL for borrowed planes */
};

#define VDK_EINVAL	(-22)
#define VDK_ENOMEM	(-12)
#define VDK_ENOSYS	(-38)

#define VDK_CEIL_RSHIFT(a, b)	(-((-(a)) >> (b)))
#define VDK_MIN(a, b)	((a) < (b) ? (a) : (b))
#define VDK_MAX(a, b)	((a) > (b) ? (a) : (b))

static inline uint8_t vdk_clip_u8(int v)
{
	if (v & ~0xff)
		return (uint8_t)((~v) >> 31);
	return (uint8_t)v;
}

static inline int vdk_clip(int v, int lo, int hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* frame.c */
const struct vdk_fmt_desc *vdk_fmt(enum vdk_pixfmt f);
int vdk_plane_width(const struct vdk_frame *f, int plane);
int vdk_plane_height(const struct vdk_frame *f, int plane);
struct vdk_frame *vdk_frame_alloc(enum vdk_pixfmt fmt, int w, int h, int align);
void vdk_frame_free(struct vdk_frame **f);
void vdk_plane_copy(uint8_t *dst, ptrdiff_t dls, const uint8_t *src, ptrdiff_t sls, int bytewidth, int height);
int vdk_frame_copy(struct vdk_frame *dst, const struct vdk_frame *src);
void vdk_draw_edges(uint8_t *buf, ptrdiff_t ls, int w, int h, int ex, int ey);

/* dsp.c */
#define VDK_CPU_SWAR	0x1	/* 64 bit words in general registers */
#define VDK_CPU_UNROLL	0x2	/* enough registers for four at once */

struct vdk_dsp {
	void (*avg_row)(uint8_t *dst, const uint8_t *a, const uint8_t *b, int w);
	unsigned (*sad)(const uint8_t *a, ptrdiff_t als, const uint8_t *b, ptrdiff_t bls, int w, int h);
	void (*hscale)(int16_t *dst, int dstw, const uint8_t *src, const int16_t *filter, const int32_t *pos, int taps);
	void (*vscale)(uint8_t *dst, int dstw, const int16_t *filter, const int16_t *const *lines, int taps, const uint8_t *dither);
	void (*pack422)(uint8_t *dst, const uint8_t *y, const uint8_t *u, const uint8_t *v, int w);
	void (*unpack422)(uint8_t *y, uint8_t *u, uint8_t *v, const uint8_t *src, int w);
	int name_id;
};

void vdk_dsp_init(struct vdk_dsp *d, unsigned cpu_flags);

/* filter.c */
struct vdk_ctx;
typedef int (*vdk_job)(struct vdk_ctx *ctx, void *arg, int jobnr, int nb_jobs);

struct vdk_filter {
	const char *name;
	size_t priv_size;
	int (*init)(struct vdk_ctx *ctx, const int *opt, int nb_opt);
	int (*config)(struct vdk_ctx *ctx, int w, int h, enum vdk_pixfmt fmt);
	int (*process)(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux);
	void (*uninit)(struct vdk_ctx *ctx);
};

struct vdk_ctx {
	const struct vdk_filter *filter;
	void *priv;
	struct vdk_dsp dsp;
	int nb_threads;
	int w, h;
	enum vdk_pixfmt fmt;
	double metric[VDK_MAX_PLANES];	/* measuring filters leave their result here */
	void (*log)(struct vdk_ctx *ctx, int level, const char *msg);
	void *opaque;
};

int vdk_ctx_open(struct vdk_ctx **pctx, const char *name, unsigned cpu_flags, int nb_threads, const int *opt, int nb_opt);
int vdk_ctx_run(struct vdk_ctx *ctx, struct vdk_frame *out, const struct vdk_frame *in, const struct vdk_frame *aux);
void vdk_ctx_close(struct vdk_ctx **pctx);
int vdk_execute(struct vdk_ctx *ctx, vdk_job job, void *arg, int nb_jobs);

/* swscale.c */
struct vdk_scaler;
struct vdk_scaler *vdk_scaler_new(int sw, int sh, int dw, int dh, const struct vdk_dsp *dsp);
void vdk_scaler_free(struct vdk_scaler *s);
int vdk_scale_plane(struct vdk_scaler *s, uint8_t *dst, ptrdiff_t dls, const uint8_t *src, ptrdiff_t sls);
int vdk_yuv_to_rgb24(uint8_t *dst, ptrdiff_t dls, const struct vdk_frame *src, int full_range);
int vdk_10_to_8(struct vdk_frame *dst, const struct vdk_frame *src, int dither);

#endif
