/*
 * exercise.c - each function of camraw over many sizes, one hash per group
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "camraw.h"

static u64 hash;
static u32 state;

static void hash_bytes(const void *p, size_t n)
{
	const u8 *b = p;

	for (; n; n--)
		hash = (hash ^ *b++) * UINT64_C(1099511628211);
}

static void hash_num(s64 v)
{
	hash_bytes(&v, sizeof(v));
}

static void start(u32 seed)
{
	hash = UINT64_C(14695981039346656037);
	state = seed * 747796405u + 2891336453u;
}

static void done(const char *fn, const char *what)
{
	printf("%s %s %016" PRIx64 "\n", fn, what, hash);
}

static u32 rnd(void)
{
	state = state * 747796405u + 2891336453u;
	return (state >> 9) ^ (state >> 21);
}

/* a block of exactly the size asked for, so that the sanitizer sees an excess */
static void *block(size_t n, int random)
{
	u8 *p = malloc(n ? n : 1);
	size_t i;

	if (!p)
		exit(1);
	for (i = 0; i < n; i++)
		p[i] = random ? (u8)rnd() : 0xa5;
	return p;
}

static const u32 widths[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130 };
#define NSIZES	(10 * 9 + 2)

static void size_at(int i, u32 *w, u32 *h)
{
	if (i == NSIZES - 1) {
		*w = 5;
		*h = 0;
	} else if (i == NSIZES - 2) {
		*w = 163;
		*h = 38;
	} else {
		*w = widths[i / 9];
		*h = (u32)(i % 9) + 1;
	}
}

#define FOR_SIZES(i, w, h) \
	for (i = 0; i < NSIZES && (size_at(i, &w, &h), 1); i++)

static struct cr_raw make_raw(u32 w, u32 h, u32 pad, u8 bits, u8 cfa, int style)
{
	struct cr_raw r = { NULL, w, h, w + pad, bits, cfa };
	size_t i, n = (size_t)r.stride * h;
	const u32 max = (1u << bits) - 1;

	r.pix = block(n * 2, 0);
	for (i = 0; i < n; i++) {
		u32 v = rnd();

		if (style == 1)		/* flat with outliers */
			v = v % 17 == 0 ? max : v % 19 == 0 ? 0 : max / 3 + v % 64;
		else if (style == 2)	/* edges */
			v = ((i / 5) & 1 ? max - 20 : 30) + v % 16;
		r.pix[i] = (u16)(v & max);
	}
	return r;
}

static void end_raw(struct cr_raw *r)
{
	hash_bytes(r->pix, (size_t)r->stride * r->height * 2);
	free(r->pix);
}

static struct cr_rgb16 make_rgb16(u32 w, u32 h, u32 pad, int random)
{
	struct cr_rgb16 r = { NULL, w, h, 3 * w + pad };

	r.pix = block((size_t)r.stride * h * 2, random);
	return r;
}

static void end_rgb16(struct cr_rgb16 *r)
{
	hash_bytes(r->pix, (size_t)r->stride * r->height * 2);
	free(r->pix);
}

static struct cr_rgb8 make_rgb8(u32 w, u32 h, u32 pad, int random)
{
	struct cr_rgb8 r = { NULL, w, h, 3 * w + pad };

	r.pix = block((size_t)r.stride * h, random);
	return r;
}

/* base gets the block, which is to be freed */
static struct cr_plane8 make_plane(u32 w, u32 h, u32 pad, int flip, int random, u8 **base)
{
	struct cr_plane8 p = { NULL, w, h, (s32)(w + pad) };

	*base = block((size_t)p.stride * h, random);
	p.pix = *base;
	if (flip && h) {
		p.pix += (size_t)p.stride * (h - 1);
		p.stride = -p.stride;
	}
	return p;
}

static void end_plane(u8 *base, u32 w, u32 h, u32 pad)
{
	hash_bytes(base, (size_t)(w + pad) * h);
	free(base);
}

static const char *const cfa_names[] = { "rggb", "grbg", "gbrg", "bggr" };
static const char *const pad_names[] = { "tight", "padded" };

static void raw_functions(void)
{
	u32 w, h, pad, n;
	int i, c;
	char name[48];

	for (pad = 0; pad < 2; pad++) {
		start(1);
		FOR_SIZES(i, w, h) {
			u32 stride = (w + 3) / 4 * 5 + 3 * pad;
			u8 *s = block((size_t)stride * h, 1);
			struct cr_raw r = make_raw(w, h, 3 * pad, 10, 0, 0);

			hash_num(cr_unpack10(s, stride, &r));
			hash_num(cr_unpack10(s, stride, NULL));
			end_raw(&r);
			free(s);
		}
		done("cr_unpack10", pad_names[pad]);

		start(2);
		FOR_SIZES(i, w, h) {
			u32 stride = (w * 3 + 1) / 2 + 2 * pad;
			u8 *s = block((size_t)stride * h, 1);
			struct cr_raw r = make_raw(w, h, pad, 12, 0, 0);

			hash_num(cr_unpack12(s, stride, &r));
			end_raw(&r);
			free(s);
		}
		done("cr_unpack12", pad_names[pad]);

		for (n = 8; n <= 16; n += 4) {
			start(3 + n);
			FOR_SIZES(i, w, h) {
				struct cr_raw r = make_raw(w, h, pad, (u8)n, 0, i % 3);
				u8 *d = block((size_t)(w + 5 * pad) * h, 0);

				hash_num(cr_dpcm_encode(&r, d, w + 5 * pad));
				hash_bytes(d, (size_t)(w + 5 * pad) * h);
				free(d);
				end_raw(&r);
			}
			snprintf(name, sizeof(name), "%ubit-%s", n, pad_names[pad]);
			done("cr_dpcm_encode", name);
		}

		for (c = 0; c < 4; c++) {
			static const u16 black[4] = { 64, 60, 70, 0 };
			static const struct cr_gains gains = { { 8000, 4096, 4200, 65535 } };
			struct cr_defect list[12];

			snprintf(name, sizeof(name), "%s-%s", cfa_names[c], pad_names[pad]);
			start(20u + c);
			FOR_SIZES(i, w, h) {
				static const u8 depths[] = { 8, 10, 14, 16 };
				struct cr_raw r = make_raw(w, h, pad, depths[i % 4], (u8)c, i % 3);

				hash_num(cr_black_level(&r, black));
				end_raw(&r);
			}
			done("cr_black_level", name);

			start(30u + c);
			FOR_SIZES(i, w, h) {
				struct cr_raw r = make_raw(w, h, pad, i % 2 ? 16 : 12, (u8)c, i % 3);

				hash_num(cr_wb_apply(&r, &gains));
				end_raw(&r);
			}
			done("cr_wb_apply", name);

			start(40u + c);
			FOR_SIZES(i, w, h) {
				struct cr_raw r = make_raw(w, h, pad, 12, (u8)c, i % 3);
				u16 *g = block(5 * 4 * 4 * 2, 1);
				struct cr_lsc l = { 5, 4, { g, g + 20, g + 40, i % 2 ? g + 60 : NULL } };

				for (n = 0; n < 80; n++)
					g[n] = (u16)(4096 + g[n] % 9000 + (n == 7 ? 40000 : 0));
				hash_num(cr_lsc_apply(&r, &l));
				l.gw = 1;
				hash_num(cr_lsc_apply(&r, &l));
				free(g);
				end_raw(&r);
			}
			done("cr_lsc_apply", name);

			start(50u + c);
			FOR_SIZES(i, w, h) {
				struct cr_raw r = make_raw(w, h, pad, 10, (u8)c, i % 3);
				u32 fixed = 0;

				hash_num(cr_bpc_dynamic(&r, i % 4 * 40u, i % 2 ? &fixed : NULL));
				hash_num(fixed);
				end_raw(&r);
			}
			done("cr_bpc_dynamic", name);

			start(60u + c);
			FOR_SIZES(i, w, h) {
				struct cr_raw r = make_raw(w, h, pad, 10, (u8)c, 0);

				for (n = 0; n < 12; n++) {
					list[n].x = (u16)(rnd() % (w + 2));
					list[n].y = (u16)(rnd() % (h + 1));
				}
				hash_num(cr_bpc_static(&r, list, 12));
				hash_num(cr_bpc_static(&r, NULL, 0));
				end_raw(&r);
			}
			done("cr_bpc_static", name);
		}

		start(70);
		FOR_SIZES(i, w, h)
			for (n = 0; n < 4; n++) {
				struct cr_raw r = make_raw(w, h, pad, 12, 0, i % 3);

				hash_num(cr_row_noise(&r, n, n == 1 && w && h ? r.pix[0] : 900));
				end_raw(&r);
			}
		done("cr_row_noise", pad_names[pad]);
	}
}

static void demosaic_functions(void)
{
	static int (*const funcs[3])(const struct cr_raw *, struct cr_rgb16 *) = {
		cr_demosaic_half, cr_demosaic_linear, cr_demosaic_edge
	};
	static const char *const names[3] = {
		"cr_demosaic_half", "cr_demosaic_linear", "cr_demosaic_edge"
	};
	u32 w, h, pad;
	int i, c, f;
	char name[48];

	for (f = 0; f < 3; f++)
		for (c = 0; c < 4; c++)
			for (pad = 0; pad < 2; pad++) {
				start(100u + c);
				FOR_SIZES(i, w, h) {
					struct cr_raw r = make_raw(w, h, pad, i % 5 ? 12 : 16, (u8)c, i % 3);
					struct cr_rgb16 o = f ? make_rgb16(w, h, 4 * pad, 0) : make_rgb16(w / 2, h / 2, pad, 0);

					hash_num(funcs[f](&r, &o));
					end_rgb16(&o);
					end_raw(&r);
				}
				snprintf(name, sizeof(name), "%s-%s", cfa_names[c], pad_names[pad]);
				done(names[f], name);
			}
}

static void color_functions(void)
{
	static const s32 warm[9] = { 1800, -600, -176, -300, 1600, -276, -60, -640, 1724 };
	static const s32 wild[9] = { 8191, 8191, 8191, -8191, -8191, -8191, 0, 1024, 0 };
	u32 w, h, pad, k;
	int i;
	char name[48];
	u8 curve[33];

	for (pad = 0; pad < 2; pad++) {
		start(200);
		FOR_SIZES(i, w, h) {
			struct cr_rgb16 r = make_rgb16(w, h, pad, 1);

			hash_num(cr_ccm(&r, i % 3 ? warm : wild, i % 2 ? 65535 : 4095));
			end_rgb16(&r);
		}
		done("cr_ccm", pad_names[pad]);

		for (k = 6; k <= 16; k += 5) {
			start(210 + k);
			for (i = 0; i < 33; i++)
				curve[i] = (u8)rnd();
			FOR_SIZES(i, w, h) {
				struct cr_rgb16 r = make_rgb16(w, h, pad, 1);
				struct cr_rgb8 d = make_rgb8(w, h, 2 * pad, 0);

				hash_num(cr_gamma(&r, &d, curve, k));
				hash_bytes(d.pix, (size_t)d.stride * h);
				free(d.pix);
				end_rgb16(&r);
			}
			snprintf(name, sizeof(name), "%ubit-%s", k, pad_names[pad]);
			done("cr_gamma", name);
		}

		/* planar and both orders of interleaved chroma */
		for (k = 0; k < 6; k++) {
			static const char *const layouts[] = { "i420", "nv12", "nv21" };
			const u32 step = k % 3 ? 2 : 1;
			int coring;

			for (coring = 0; coring < 2; coring++) {
				start(230 + k);
				FOR_SIZES(i, w, h) {
					const u32 cw = (w + 1) / 2, ch = (h + 1) / 2;
					const u32 cs = cw * step + 3 * pad, ys = w + pad;
					struct cr_rgb8 s = make_rgb8(w, h, pad, 1);
					u8 *y = block((size_t)ys * h, 0);
					u8 *c = block((size_t)cs * ch * 2, coring);
					struct cr_yuv o = { y, c, c + (step == 2 ? 1 : (size_t)cs * ch), w, h, ys, cs, step };

					if (k % 3 == 2) {
						u8 *t = o.u;

						o.u = o.v;
						o.v = t;
					}
					if (coring)
						hash_num(cr_chroma_coring(&o, k * 25));
					else
						hash_num(cr_to_yuv420(&s, &o, k / 3));
					hash_bytes(y, (size_t)ys * h);
					hash_bytes(c, (size_t)cs * ch * 2);
					free(y);
					free(c);
					free(s.pix);
				}
				snprintf(name, sizeof(name), "%s-%s-%s", layouts[k % 3], coring ? "threshold" : k / 3 ? "full" : "limited", pad_names[pad]);
				if (coring)
					snprintf(name, sizeof(name), "%s-%u-%s", layouts[k % 3], k * 25, pad_names[pad]);
				done(coring ? "cr_chroma_coring" : "cr_to_yuv420", name);
			}
		}

		for (k = 0; k < 2; k++) {
			start(250);
			FOR_SIZES(i, w, h) {
				struct cr_rgb8 s = make_rgb8(w, h, pad, 1);
				u16 *d = block((size_t)(w + pad) * h * 2, 0);

				hash_num(cr_pack565(&s, d, w + pad, (int)k));
				hash_bytes(d, (size_t)(w + pad) * h * 2);
				free(d);
				free(s.pix);
			}
			snprintf(name, sizeof(name), "%s-%s", k ? "swapped" : "native", pad_names[pad]);
			done("cr_pack565", name);
		}
	}
}

static void plane_functions(void)
{
	static const char *const kinds[] = { "tight", "padded", "bottom-up" };
	static const u32 steps[] = { 65536, 30000, 131072, 70001, 1 };
	u32 w, h, pad, k;
	int i, n;
	u8 *a, *b;
	char name[48];

	for (n = 0; n < 3; n++) {
		pad = n ? 5 : 0;
		for (k = 0; k < 64; k += 21) {
			start(300 + k);
			FOR_SIZES(i, w, h) {
				struct cr_plane8 s = make_plane(w, h, pad, n == 2, 1, &a);
				struct cr_plane8 d = make_plane(w, h, 1, 0, 0, &b);

				hash_num(cr_nr_spatial8(&s, &d, k));
				end_plane(b, w, h, 1);
				free(a);
			}
			snprintf(name, sizeof(name), "strength%u-%s", k, kinds[n]);
			done("cr_nr_spatial8", name);

			if (n < 2) {
				start(330 + k);
				FOR_SIZES(i, w, h) {
					const u8 bits = (u8)(8 + i % 9);
					struct cr_raw s = make_raw(w, h, pad, bits, 0, i % 3);
					struct cr_raw d = make_raw(w, h, 1, bits, 0, 2);

					hash_num(cr_nr_spatial16(&s, &d, k));
					end_raw(&d);
					end_raw(&s);
				}
				done("cr_nr_spatial16", name);
			}

			start(360 + k);
			FOR_SIZES(i, w, h) {
				struct cr_plane8 p = make_plane(w, h, pad, n == 2, 1, &a);
				u8 *hist = block((size_t)(w + 2) * h, 1);

				hash_num(cr_nr_temporal(&p, hist, w + 2, 4 * k, 1 + k * 3));
				hash_bytes(hist, (size_t)(w + 2) * h);
				hash_num(cr_nr_temporal(&p, hist, w + 2, 255, 0));
				free(hist);
				end_plane(a, w, h, pad);
			}
			done("cr_nr_temporal", name);

			start(390 + k);
			FOR_SIZES(i, w, h) {
				struct cr_plane8 p = make_plane(w, h, pad, n == 2, 1, &a);

				hash_num(cr_sharpen(&p, k * 4, k));
				end_plane(a, w, h, pad);
			}
			done("cr_sharpen", name);
		}

		for (k = 0; k < 5; k++) {
			start(420 + k);
			FOR_SIZES(i, w, h) {
				struct cr_plane8 s = make_plane(w, h, pad, n == 2, 1, &a);
				struct cr_plane8 d = make_plane(w + 3, h + 2, pad, n == 2, 0, &b);

				hash_num(cr_zoom(&s, &d, 40000 * k, 99999, steps[k]));
				end_plane(b, w + 3, h + 2, pad);
				free(a);
			}
			snprintf(name, sizeof(name), "step%u-%s", steps[k], kinds[n]);
			done("cr_zoom", name);
		}

		start(450);
		FOR_SIZES(i, w, h) {
			struct cr_plane8 p = make_plane(w, h, pad, n == 2, 1, &a);
			u64 v = 0;

			hash_num(cr_stat_af(&p, &v));
			hash_num((s64)v);
			free(a);
		}
		done("cr_stat_af", kinds[n]);
	}
}

static void stat_functions(void)
{
	u32 bins[4][256], w, h, pad, k;
	int i, c;
	char name[48];

	for (c = 0; c < 4; c++)
		for (pad = 0; pad < 2; pad++) {
			snprintf(name, sizeof(name), "%s-%s", cfa_names[c], pad_names[pad]);
			start(500u + c);
			memset(bins, 0, sizeof(bins));
			FOR_SIZES(i, w, h)
				for (k = 0; k < 3; k++) {
					struct cr_raw r = make_raw(w, h, pad, (u8)(8 + i % 9), (u8)c, i % 3);

					hash_num(cr_stat_hist(&r, bins, k));
					hash_bytes(bins, sizeof(bins));
					free(r.pix);
				}
			done("cr_stat_hist", name);

			start(510u + c);
			FOR_SIZES(i, w, h) {
				struct cr_raw r = make_raw(w, h, pad, 10, (u8)c, i % 3);
				u64 sum[35];
				u32 sat[35];
				struct cr_ae_stat st = { 7, 5, sum, i % 2 ? sat : NULL };

				memset(sum, 1, sizeof(sum));
				memset(sat, 2, sizeof(sat));
				hash_num(cr_stat_ae(&r, &st));
				st.zw = 1 + (u32)i % 3;
				st.zh = 2;
				hash_bytes(sum, sizeof(sum));
				hash_bytes(sat, sizeof(sat));
				hash_num(cr_stat_ae(&r, &st));
				hash_bytes(sum, sizeof(sum));
				hash_bytes(sat, sizeof(sat));
				free(r.pix);
			}
			done("cr_stat_ae", name);

			start(520u + c);
			FOR_SIZES(i, w, h) {
				struct cr_raw r = make_raw(w, h, pad, 12, (u8)c, i % 3);
				struct cr_gains g = cr_awb_grey(&r, i % 2 ? 0 : 100, i % 2 ? 65535 : 4000);

				hash_bytes(g.g, sizeof(g.g));
				free(r.pix);
			}
			done("cr_awb_grey", name);
		}
}

struct watch {
	int calls, stop_at;
};

static int watcher(void *user, const char *stage, int step)
{
	struct watch *wt = user;

	hash_bytes(stage, strlen(stage));
	wt->calls++;
	return step == wt->stop_at;
}

static void pipe_functions(void)
{
	int i, c;
	u32 w, h;

	for (c = 0; c < 4; c++) {
		start(600u + c);
		FOR_SIZES(i, w, h) {
			struct watch wt = { 0, i % 4 == 3 ? i % 10 : -1 };
			const u32 stride = (w + 3) / 4 * 5, cw = (w + 1) / 2, ch = (h + 1) / 2;
			struct cr_pipe *p = cr_pipe_create(i % 5 ? watcher : NULL, &wt);
			u8 *packed = block((size_t)stride * h, 1);
			u8 *y = block((size_t)w * h, 0), *uv = block((size_t)cw * ch * 2, 0);
			struct cr_yuv o = { y, uv, uv + 1, w, h, w, 2 * cw, 2 };

			hash_num(cr_pipe_run(p, packed, stride, w, h, (enum cr_cfa)c, &o));
			hash_num(wt.calls);
			hash_bytes(y, (size_t)w * h);
			hash_bytes(uv, (size_t)cw * ch * 2);
			cr_pipe_destroy(p);
			free(packed);
			free(y);
			free(uv);
		}
		done("cr_pipe_run", cfa_names[c]);
	}
}

int main(void)
{
	raw_functions();
	demosaic_functions();
	color_functions();
	plane_functions();
	stat_functions();
	pipe_functions();
	return 0;
}
