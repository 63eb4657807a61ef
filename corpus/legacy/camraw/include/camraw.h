/*
 * camraw.h - camera pipeline, public header
 */
#ifndef _CAMRAW_H_
#define _CAMRAW_H_

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

/* colour of the pixel at (0, 0) and its right neighbour; the value is the
 * phase shift against RGGB */
enum cr_cfa {
	CR_RGGB = 0,
	CR_GRBG = 1,
	CR_GBRG = 2,
	CR_BGGR = 3,
};

struct cr_raw {
	u16 *pix;
	u32 width, height;
	u32 stride;		/* in pixels */
	u8 bits;		/* 8..16 */
	u8 cfa;
};

struct cr_rgb16 {
	u16 *pix;		/* r, g, b */
	u32 width, height;
	u32 stride;		/* in u16 */
};

struct cr_rgb8 {
	u8 *pix;
	u32 width, height;
	u32 stride;		/* in bytes */
};

struct cr_plane8 {
	u8 *pix;
	u32 width, height;
	s32 stride;		/* may be negative */
};

struct cr_yuv {
	u8 *y, *u, *v;
	u32 width, height;
	u32 ystride, cstride;
	u32 cstep;		/* 1 planar, 2 interleaved chroma */
};

struct cr_gains {		/* Q12, by phase: R, Gr, Gb, B */
	u32 g[4];
};

struct cr_lsc {
	u32 gw, gh;		/* nodes, at least 2 x 2 */
	const u16 *gain[4];	/* Q12 by phase; NULL: channel untouched */
};

struct cr_defect {
	u16 x, y;
};

struct cr_ae_stat {
	u32 zw, zh;
	u64 *sum;		/* zw * zh */
	u32 *sat;		/* zw * zh, may be NULL */
};

/* cr_raw.c */
int cr_unpack10(const u8 *src, u32 src_stride, struct cr_raw *dst);
int cr_unpack12(const u8 *src, u32 src_stride, struct cr_raw *dst);
int cr_dpcm_encode(const struct cr_raw *src, u8 *dst, u32 dst_stride);
int cr_black_level(struct cr_raw *raw, const u16 black[4]);
int cr_row_noise(struct cr_raw *raw, u32 ob_cols, u32 target);
int cr_bpc_static(struct cr_raw *raw, const struct cr_defect *list, u32 n);
int cr_bpc_dynamic(struct cr_raw *raw, u32 threshold, u32 *fixed);
int cr_lsc_apply(struct cr_raw *raw, const struct cr_lsc *lsc);
int cr_wb_apply(struct cr_raw *raw, const struct cr_gains *gains);

/* cr_demosaic.c */
int cr_demosaic_half(const struct cr_raw *raw, struct cr_rgb16 *rgb);
int cr_demosaic_linear(const struct cr_raw *raw, struct cr_rgb16 *rgb);
int cr_demosaic_edge(const struct cr_raw *raw, struct cr_rgb16 *rgb);

/* cr_color.c */
int cr_ccm(struct cr_rgb16 *rgb, const s32 m[9], u32 max);
int cr_gamma(const struct cr_rgb16 *src, struct cr_rgb8 *dst,
	     const u8 curve[33], u32 bits);
int cr_to_yuv420(const struct cr_rgb8 *src, struct cr_yuv *dst, int full);
int cr_chroma_coring(struct cr_yuv *yuv, u32 threshold);
int cr_pack565(const struct cr_rgb8 *src, u16 *dst, u32 dst_stride, int swap);

/* cr_nr.c */
int cr_nr_spatial8(const struct cr_plane8 *src, struct cr_plane8 *dst,
		   u32 strength);
int cr_nr_spatial16(const struct cr_raw *src, struct cr_raw *dst,
		    u32 strength);
int cr_nr_temporal(struct cr_plane8 *cur, u8 *history, u32 hist_stride,
		   u32 k_q8, u32 motion);
int cr_sharpen(struct cr_plane8 *y, u32 gain_q4, u32 coring);
int cr_zoom(const struct cr_plane8 *src, struct cr_plane8 *dst, u32 x_q16,
	    u32 y_q16, u32 step_q16);

/* cr_stats.c */
int cr_stat_hist(const struct cr_raw *raw, u32 (*bins)[256], u32 skip);
int cr_stat_ae(const struct cr_raw *raw, struct cr_ae_stat *st);
int cr_stat_af(const struct cr_plane8 *y, u64 *sharpness);
struct cr_gains cr_awb_grey(const struct cr_raw *raw, u32 lo, u32 hi);

/* cr_pipe.c */
struct cr_pipe;
typedef int (*cr_progress_t)(void *user, const char *stage, int step);
struct cr_pipe *cr_pipe_create(cr_progress_t cb, void *user);
void cr_pipe_destroy(struct cr_pipe *p);
int cr_pipe_run(struct cr_pipe *p, const u8 *packed, u32 stride, u32 width,
		u32 height, enum cr_cfa cfa, struct cr_yuv *out);

#endif
