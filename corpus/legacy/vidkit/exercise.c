/* calls every pixel function, through the table or its filter, and prints hashes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libvidkit/vidkit.h"

static uint64_t hash = 1469598103934665603ULL;
static uint64_t rng = 88172645463325252ULL;

static void hb(const void *p, size_t n)
{
	for (const uint8_t *b = p; n--; b++)
		hash = (hash ^ *b) * 1099511628211ULL;
}

static void hi(int64_t v)
{
	for (int i = 0; i < 8; i++) {
		uint8_t b = (uint8_t)((uint64_t)v >> (8 * i));
		hb(&b, 1);
	}
}

static void out(const char *fn, const char *cs)
{
	printf("%s %s %016llx\n", fn, cs, (unsigned long long)hash);
	hash = 1469598103934665603ULL;
}

static unsigned rnd(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (unsigned)(rng >> 16);
}

static const int ws[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130 };
#define NS 91
#define SIZES(i, w, h) for (int i = 0, w, h; i < NS && ((w = i == 90 ? 203 : ws[i % 10]), (h = i == 90 ? 48 : 1 + i / 10), 1); i++)

static void fillbuf(uint8_t *p, size_t n)
{
	int kind = rnd() % 4;

	for (size_t i = 0; i < n; i++)
		p[i] = kind == 0 ? (uint8_t)(i * 3 / 4) : kind == 1 ? (uint8_t)((i / 5 & 1) * 255) : (uint8_t)rnd();
}

/* lay: 0 tight, 1 padded, 2 bottom up; the buffer is what is hashed */
struct tf {
	struct vdk_frame f;
	uint8_t *mem[VDK_MAX_PLANES];
	size_t size[VDK_MAX_PLANES];
};

static struct tf mk(enum vdk_pixfmt fmt, int w, int h, int lay)
{
	struct tf t;
	const struct vdk_fmt_desc *d = vdk_fmt(fmt);

	memset(&t, 0, sizeof(t));
	t.f.width = w;
	t.f.height = h;
	t.f.format = fmt;
	for (int p = 0; p < d->nb_planes; p++) {
		int ph = vdk_plane_height(&t.f, p), ls = vdk_plane_width(&t.f, p) * (d->depth > 8 ? 2 : 1);

		if (lay)
			ls = (ls + 17) & ~1;
		t.size[p] = (size_t)ls * ph + 2;
		t.mem[p] = malloc(t.size[p]);
		fillbuf(t.mem[p], t.size[p]);
		if (d->depth > 8)
			for (size_t i = 1; i < t.size[p]; i += 2)
				t.mem[p][i] &= rnd() % 50 ? 3 : 15;
		t.f.data[p] = t.mem[p];
		t.f.linesize[p] = ls;
		if (lay == 2 && ph) {
			t.f.data[p] += (ptrdiff_t)(ph - 1) * ls;
			t.f.linesize[p] = -ls;
		}
	}
	return t;
}

static void rm(struct tf *t)
{
	for (int p = 0; p < VDK_MAX_PLANES; p++)
		free(t->mem[p]);
}

static void hf(const struct tf *t)
{
	for (int p = 0; p < VDK_MAX_PLANES; p++)
		if (t->mem[p])
			hb(t->mem[p], t->size[p]);
}

static const char *const layn[] = { "tight", "padded", "bottomup" };

static void dsp_rows(unsigned flags, const char *navg, const char *nsad, const char *nh, const char *nv)
{
	struct vdk_dsp d;

	vdk_dsp_init(&d, flags);
	hi(d.name_id);
	SIZES(i, w, h) {
		uint8_t *a = malloc(w + 5), *b = malloc(w + 5), *o = malloc(w + 5);

		fillbuf(a, w + 5); fillbuf(b, w + 5); fillbuf(o, w + 5);
		d.avg_row(o, a, b, w); hb(o, w + 5);
		d.avg_row(o + 1, a + 3, b + 2, w); hb(o, w + 5);
		d.avg_row(a, a, b, w); hb(a, w + 5);
		free(a); free(b); free(o);
	}
	out(navg, "rows");
	for (int lay = 0; lay < 3; lay++) {
		SIZES(i, w, h) {
			struct tf a = mk(VDK_FMT_GRAY8, w, h, lay), b = mk(VDK_FMT_GRAY8, w, h, i % 3);

			hi(d.sad(a.f.data[0], a.f.linesize[0], b.f.data[0], b.f.linesize[0], w, h));
			rm(&a); rm(&b);
		}
		out(nsad, layn[lay]);
	}
	for (int taps = 1; taps <= 6; taps++)
		SIZES(i, w, h) {
			uint8_t src[100];
			int16_t *f = malloc((w * taps + 1) * 2), *o = malloc((w + 3) * 2);
			int32_t *pos = malloc((w + 1) * 4);

			if (h > 3) { free(f); free(o); free(pos); continue; }
			fillbuf(src, 100);
			for (int j = 0; j < w * taps; j++) f[j] = (int)(rnd() % 24000) - (h == 2 ? 9000 : 2000);
			for (int j = 0; j < w; j++) pos[j] = rnd() % (100 - taps);
			memset(o, 0x33, (w + 3) * 2);
			d.hscale(o, w, src, f, pos, taps);
			hb(o, (w + 3) * 2);
			free(f); free(o); free(pos);
		}
	out(nh, "taps1-6");
	for (int taps = 1; taps <= 6; taps++)
		SIZES(i, w, h) {
			int16_t *mem = malloc((w * 6 + 1) * 2), f[6];
			const int16_t *lines[6];
			uint8_t dith[8], *o = malloc(w + 3);

			for (int j = 0; j < w * 6; j++) mem[j] = (int)(rnd() & 0xffff) - 32768 * (h & 1) - (h & 1 ? 0 : 20000) ;
			for (int j = 0; j < 6; j++) { f[j] = rnd() % 3 ? (int)(rnd() % 9000) - 1500 : 0; lines[j] = mem + ((j + h) % 6) * w; }
			for (int j = 0; j < 8; j++) dith[j] = rnd() & 127;
			memset(o, 0x44, w + 3);
			d.vscale(o, w, f, lines, taps, dith);
			hb(o, w + 3);
			free(mem); free(o);
		}
	out(nv, "taps1-6");
}

static void packed(void)
{
	struct vdk_dsp d;

	vdk_dsp_init(&d, 0);
	SIZES(i, w, h) {
		int cw = (w + 1) / 2;
		uint8_t *y = malloc(w + 2), *u = malloc(cw + 2), *v = malloc(cw + 2), *p = malloc(cw * 4 + 4);

		fillbuf(y, w + 2); fillbuf(u, cw + 2); fillbuf(v, cw + 2); fillbuf(p, cw * 4 + 4);
		d.pack422(p, y, u, v, w);
		hb(p, cw * 4 + 4);
		free(y); free(u); free(v); free(p);
	}
	out("pack422_c", "rows");
	SIZES(i, w, h) {
		int cw = (w + 1) / 2;
		uint8_t *y = malloc(w + 2), *u = malloc(cw + 2), *v = malloc(cw + 2), *p = malloc(cw * 4 + 4);

		fillbuf(y, w + 2); fillbuf(u, cw + 2); fillbuf(v, cw + 2); fillbuf(p, cw * 4 + 4);
		d.unpack422(y, u, v, p, w);
		hb(y, w + 2); hb(u, cw + 2); hb(v, cw + 2);
		free(y); free(u); free(v); free(p);
	}
	out("unpack422_c", "rows");
}

static void frames(void)
{
	for (int lay = 0; lay < 3; lay++) {
		for (int fmt = 0; fmt < VDK_FMT_NB; fmt++)
			SIZES(i, w, h) {
				struct tf a = mk(fmt, w, h, lay), b = mk(fmt, w, h, i % 3);

				hi(vdk_frame_copy(&b.f, &a.f)); hf(&b);
				rm(&a); rm(&b);
			}
		out("vdk_plane_copy", layn[lay]);
		SIZES(i, w, h) {
			int ex = i % 4, ey = i % 3;
			struct tf a = mk(VDK_FMT_GRAY8, w + 2 * ex, h + 2 * ey, lay);

			vdk_draw_edges(a.f.data[0] + (ptrdiff_t)ey * a.f.linesize[0] + ex, a.f.linesize[0], w, h, ex, ey); hf(&a);
			rm(&a);
		}
		out("vdk_draw_edges", layn[lay]);
		for (int fmt = 0; fmt < VDK_FMT_NB; fmt++)
			SIZES(i, w, h) {
				struct tf a = mk(fmt, w, h, lay), b = mk(VDK_FMT_GRAY8, 3 * w, h, i % 3);

				hi(vdk_yuv_to_rgb24(b.f.data[0], b.f.linesize[0], &a.f, i & 1)); hf(&b);
				rm(&a); rm(&b);
			}
		out("vdk_yuv_to_rgb24", layn[lay]);
		for (int mode = 0; mode < 4; mode++)
			SIZES(i, w, h) {
				struct tf a = mk(VDK_FMT_YUV420P10, w, h, lay), b = mk(VDK_FMT_YUV420P, w, h, i % 3);

				hi(vdk_10_to_8(&b.f, &a.f, mode)); hf(&b);
				rm(&a); rm(&b);
			}
		out("vdk_10_to_8", layn[lay]);
		for (unsigned flags = 0; flags < 4; flags += 3)
			SIZES(i, w, h) {
				static const int dw[] = { 1, 9, 40, 64, 131 }, dh[] = { 3, 1, 14, 8 };
				struct vdk_dsp d;
				struct vdk_scaler *s;
				struct tf a = mk(VDK_FMT_GRAY8, w, h, lay), b = mk(VDK_FMT_GRAY8, dw[i % 5], dh[i % 4], i % 3);

				vdk_dsp_init(&d, flags);
				s = vdk_scaler_new(w, h, dw[i % 5], dh[i % 4], &d);
				hi(s != NULL);
				hi(vdk_scale_plane(s, b.f.data[0], b.f.linesize[0], a.f.data[0], a.f.linesize[0])); hf(&b);
				vdk_scaler_free(s);
				rm(&a); rm(&b);
			}
		out("vdk_scale_plane", layn[lay]);
	}
}

static int nlogged;

static void on_log(struct vdk_ctx *ctx, int level, const char *msg)
{
	nlogged += level;
	hb(msg, strlen(msg));
	hb(ctx->filter->name, strlen(ctx->filter->name));
}

/* how: 1 in place too, 2 with aux, 4 transposed output, 8 two frames in a row */
static void filt(const char *fn, const char *name, const int *opt, int nopt, int how)
{
	for (int lay = 0; lay < 3; lay++) {
		char cs[64] = "";

		for (int fmt = 0; fmt < VDK_FMT_NB; fmt++) {
			struct vdk_ctx *ctx;
			int r = vdk_ctx_open(&ctx, name, fmt & 3, 1 + 2 * (fmt == 3), opt, nopt);

			hi(r);
			if (r < 0)
				continue;
			ctx->log = on_log;
			SIZES(i, w, h) {
				struct tf a = mk(fmt, w, h, lay), b = how & 4 ? mk(fmt, h, w, i % 3) : mk(fmt, w, h, i % 3), c = mk(fmt, w, h, lay);

				if (i % 9 > 6) { rm(&a); rm(&b); rm(&c); continue; }
				hi(vdk_ctx_run(ctx, &b.f, &a.f, how & 2 && i % 4 ? &c.f : NULL)); hf(&b);
				if (how & 8) { hi(vdk_ctx_run(ctx, &b.f, &c.f, &a.f)); hf(&b); }
				if (how & 1) { hi(vdk_ctx_run(ctx, &a.f, &a.f, &c.f)); hf(&a); }
				for (int p = 0; p < VDK_MAX_PLANES; p++) hb(&ctx->metric[p], sizeof(double));
				rm(&a); rm(&b); rm(&c);
			}
			vdk_ctx_close(&ctx);
		}
		for (int j = 0; j < nopt; j++)
			sprintf(cs + strlen(cs), "%d,", opt[j]);
		strcat(cs, layn[lay]);
		out(fn, cs);
	}
}

#define F(fn, name, how, ...) do { static const int o_[] = { __VA_ARGS__ }; filt(fn, name, o_, (int)(sizeof(o_) / sizeof(int)), how); } while (0)

static void overlays(void)
{
	static const int at[][2] = { { 0, 0 }, { -3, 2 }, { 9, -2 }, { -500, 0 }, { 5, 3 }, { 400, 1 } };

	for (int lay = 0; lay < 3; lay++) {
		for (int k = 0; k < 6; k++) {
			struct vdk_ctx *ctx;

			hi(vdk_ctx_open(&ctx, "overlay", 0, 1, at[k], 2));
			for (int fmt = 0; fmt < VDK_FMT_NB; fmt++)
				SIZES(i, w, h) {
					struct tf a = mk(fmt, w, h, lay), b = mk(fmt, w, h, i % 3), o = mk(VDK_FMT_YUVA420P, 1 + (i * 7) % 40, 1 + i % 8, lay);

					if ((i + k) % 3) { rm(&a); rm(&b); rm(&o); continue; }
					hi(vdk_ctx_run(ctx, &b.f, &a.f, &o.f)); hf(&b);
					hi(vdk_ctx_run(ctx, &a.f, &a.f, i & 1 ? &o.f : NULL)); hf(&a);
					rm(&a); rm(&b); rm(&o);
				}
			vdk_ctx_close(&ctx);
		}
		out("blend_plane+alpha_composite", layn[lay]);
	}
}

int main(void)
{
	dsp_rows(0, "avg_row_c", "sad_c", "hscale_8to15_c", "vscale_c");
	dsp_rows(3, "avg_row_swar", "sad_u4", "hscale_8to15_4taps", "vscale_tiled");
	packed();
	frames();
	F("blur_line+blur_power", "boxblur", 1, 3, 1);
	F("blur_line+blur_power", "boxblur", 1, 1, 3);
	F("blur_power", "boxblur", 1, 0, 2);
	F("gauss_row+gauss_process", "gauss", 1, 256);
	F("gauss_row+gauss_process", "gauss", 1, -300);
	F("deint_process+avg_row", "deint", 2, 0, 1);
	F("line_blend", "deint", 2, 1, 0);
	F("line_edge", "deint", 2, 2, 0);
	F("transpose_block", "transpose", 4, 0);
	F("transpose_block", "transpose", 4, 1);
	F("transpose_block", "transpose", 4, 2);
	F("transpose_block", "transpose", 4, 3);
	F("denoise_spatial", "denoise", 9, 40, 25);
	F("denoise_temporal", "denoise", 9, 0, 60);
	F("levels_process", "levels", 1, 16, 235, 0, 255);
	F("levels_process", "levels", 1, 200, 100, 30, 90);
	F("fade_slice_luma+fade_slice_chroma", "fade", 1, 30000, 16);
	F("fade_slice_luma+fade_slice_chroma", "fade", 1, 65536, 0);
	F("sse_line", "psnr", 2, 0);
	F("scene_process", "scene", 10, 0);
	overlays();
	{
		struct vdk_ctx *ctx;

		hi(vdk_ctx_open(&ctx, "no such", 0, 1, NULL, 0));
		hi(vdk_ctx_open(&ctx, "levels", 0, 1, NULL, 0));
		hi(ctx == NULL);
		hi(nlogged);
		out("vdk_ctx_open", "refused");
	}
	return 0;
}
