/*
 * ycc.c
 *
 * Conversion from and to YCbCr.  16 bit fraction, one table look-up for each
 * product, as multiplications used to be slow.
 */
#include <stdlib.h>
#include <string.h>
#include "kx.h"

#define T_YR		0
#define T_YG		(1 * 256)
#define T_YB		(2 * 256)
#define T_UR	(3 * 256)
#define T_UG	(4 * 256)
#define T_UB	(5 * 256)
#define T_VR	T_UB	/* one table will do for both */
#define T_VG	(6 * 256)
#define T_VB	(7 * 256)
#define T_ALL	(8 * 256)

struct kx_private {
	int32_t fwd[T_ALL];
	int v_red[256];
	int u_blue[256];
	int32_t v_green[256];
	int32_t u_green[256];
	KSAMP limit[3 * 256];
	int rofs, gofs, bofs, psize;
};

int kx_fail(kx_ptr cx, int code)
{
	cx->last_error = code;
	if (cx->on_error)
		cx->on_error(cx, code);
	return code;
}

static void build_tables(struct kx_private *p)
{
	int i, x;

	for (i = 0; i < 256; i++) {
		p->fwd[i + T_YR] = KX_FIX(0.29900) * i;
		p->fwd[i + T_YG] = KX_FIX(0.58700) * i;
		p->fwd[i + T_YB] = KX_FIX(0.11400) * i + KX_HALF;
		p->fwd[i + T_UR] = -KX_FIX(0.16874) * i;
		p->fwd[i + T_UG] = -KX_FIX(0.33126) * i;
		/* one less than a half, or else 256 would come out */
		p->fwd[i + T_UB] = KX_FIX(0.50000) * i + (KX_CENTER << KX_SCALEBITS) + KX_HALF - 1;
		p->fwd[i + T_VG] = -KX_FIX(0.41869) * i;
		p->fwd[i + T_VB] = -KX_FIX(0.08131) * i;

		x = i - KX_CENTER;
		p->v_red[i] = (KX_FIX(1.40200) * x + KX_HALF) >> KX_SCALEBITS;
		p->u_blue[i] = (KX_FIX(1.77200) * x + KX_HALF) >> KX_SCALEBITS;
		p->v_green[i] = -KX_FIX(0.71414) * x;
		p->u_green[i] = -KX_FIX(0.34414) * x + KX_HALF;

		p->limit[i] = 0;
		p->limit[i + 256] = (KSAMP)i;
		p->limit[i + 512] = KX_MAXSAMP;
	}
}

static void rgb_ycc(kx_ptr cx, KROWS in, KPLANES out, KDIM outrow, int nrows)
{
	const struct kx_private *p = cx->priv;
	const int32_t *tab = p->fwd;
	const int ro = p->rofs, go = p->gofs, bo = p->bofs, ps = p->psize;
	KDIM col, ncols = cx->width;
	KROW src, o0, o1, o2;
	int r, g, b;

	while (--nrows >= 0) {
		src = *in++;
		o0 = out[0][outrow];
		o1 = out[1][outrow];
		o2 = out[2][outrow];
		outrow++;
		for (col = 0; col < ncols; col++) {
			r = src[ro];
			g = src[go];
			b = src[bo];
			src += ps;
			o0[col] = (KSAMP)((tab[r + T_YR] + tab[g + T_YG] + tab[b + T_YB]) >> KX_SCALEBITS);
			o1[col] = (KSAMP)((tab[r + T_UR] + tab[g + T_UG] + tab[b + T_UB]) >> KX_SCALEBITS);
			o2[col] = (KSAMP)((tab[r + T_VR] + tab[g + T_VG] + tab[b + T_VB]) >> KX_SCALEBITS);
		}
	}
}

/* inverted CMY goes through the RGB tables, K is left alone */
static void cmyk_ycck(kx_ptr cx, KROWS in, KPLANES out, KDIM outrow, int nrows)
{
	const int32_t *tab = cx->priv->fwd;
	KDIM col, ncols = cx->width;

	while (--nrows >= 0) {
		KROW src = *in++;
		KROW o0 = out[0][outrow], o1 = out[1][outrow];
		KROW o2 = out[2][outrow], o3 = out[3][outrow];

		outrow++;
		for (col = 0; col < ncols; col++) {
			int r = KX_MAXSAMP - src[0];
			int g = KX_MAXSAMP - src[1];
			int b = KX_MAXSAMP - src[2];

			o3[col] = src[3];
			src += 4;
			o0[col] = (KSAMP)((tab[r + T_YR] + tab[g + T_YG] + tab[b + T_YB]) >> KX_SCALEBITS);
			o1[col] = (KSAMP)((tab[r + T_UR] + tab[g + T_UG] + tab[b + T_UB]) >> KX_SCALEBITS);
			o2[col] = (KSAMP)((tab[r + T_VR] + tab[g + T_VG] + tab[b + T_VB]) >> KX_SCALEBITS);
		}
	}
}

static void split_only(kx_ptr cx, KROWS in, KPLANES out, KDIM outrow, int nrows)
{
	int nc = cx->ncomp, ci;
	KDIM col, ncols = cx->width;

	while (--nrows >= 0) {
		for (ci = 0; ci < nc; ci++) {
			KROW src = *in + ci;
			KROW dst = out[ci][outrow];

			for (col = ncols; col > 0; col--) {
				*dst++ = *src;
				src += nc;
			}
		}
		in++;
		outrow++;
	}
}

static void ycc_rgb(kx_ptr cx, KPLANES in, KDIM inrow, KROWS out, int nrows)
{
	struct kx_private *p = cx->priv;
	const KSAMP *clamp_tab = cx->clamp_tab;
	KDIM col, ncols = cx->width;
	KROW i0, i1, i2, dst;
	int y, cb, cr, xo;

	/* the byte that is none of the three, if there is one */
	xo = p->psize == 4 ? 6 - p->rofs - p->gofs - p->bofs : -1;
	while (--nrows >= 0) {
		i0 = in[0][inrow];
		i1 = in[1][inrow];
		i2 = in[2][inrow];
		inrow++;
		dst = *out++;
		for (col = 0; col < ncols; col++) {
			y = i0[col];
			cb = i1[col];
			cr = i2[col];
			dst[p->rofs] = clamp_tab[y + p->v_red[cr]];
			dst[p->gofs] = clamp_tab[y + (int)((p->u_green[cb] + p->v_green[cr]) >> KX_SCALEBITS)];
			dst[p->bofs] = clamp_tab[y + p->u_blue[cb]];
			if (xo >= 0)
				dst[xo] = KX_MAXSAMP;
			dst += p->psize;
		}
	}
}

static void join_only(kx_ptr cx, KPLANES in, KDIM inrow, KROWS out, int nrows)
{
	int nc = cx->ncomp, ci;
	KDIM col;

	for (; nrows > 0; nrows--, inrow++, out++)
		for (ci = 0; ci < nc; ci++)
			for (col = 0; col < cx->width; col++)
				(*out)[col * nc + ci] = in[ci][inrow][col];
}

#define MK565(r, g, b)	((((r) << 8) & 0xF800) | (((g) << 3) & 0x7E0) | ((b) >> 3))
#define PAIR(l, r)		(((uint32_t)(r) << 16) | (uint32_t)(l))
#define NOISE(x, d)		((x) + (int)((d) & 0xFF))
#define NOISE_HALF(x, d)		((x) + (int)(((d) & 0xFF) >> 1))
#define NOISE_NEXT(d)		((((d) & 0xFF) << 24) | (((d) >> 8) & 0x00FFFFFF))

static const uint32_t noise_rows[4] = { 0x020E0509, 0x0B070C00, 0x040A0F03, 0x0D010806 };

static void ycc_565(kx_ptr cx, KPLANES in, KDIM inrow, KROWS out, int nrows)
{
	struct kx_private *p = cx->priv;
	const KSAMP *lim = cx->clamp_tab;
	KDIM n, col;

	while (--nrows >= 0) {
		uint32_t d = cx->dither ? noise_rows[inrow & 3] : 0;
		const KSAMP *i0 = in[0][inrow], *i1 = in[1][inrow], *i2 = in[2][inrow];
		KROW dst = *out++;
		unsigned r, g, b;
		uint16_t v;

		inrow++;
		col = 0;
		for (n = cx->width >> 1; n > 0; n--) {
			uint32_t two, first;

			r = lim[NOISE(i0[col] + p->v_red[i2[col]], d)];
			g = lim[NOISE_HALF(i0[col] + ((p->u_green[i1[col]] + p->v_green[i2[col]]) >> KX_SCALEBITS), d)];
			b = lim[NOISE(i0[col] + p->u_blue[i1[col]], d)];
			d = NOISE_NEXT(d);
			col++;
			first = MK565(r, g, b);
			r = lim[NOISE(i0[col] + p->v_red[i2[col]], d)];
			g = lim[NOISE_HALF(i0[col] + ((p->u_green[i1[col]] + p->v_green[i2[col]]) >> KX_SCALEBITS), d)];
			b = lim[NOISE(i0[col] + p->u_blue[i1[col]], d)];
			d = NOISE_NEXT(d);
			col++;
			two = PAIR(first, MK565(r, g, b));
			memcpy(dst, &two, 4);
			dst += 4;
		}
		if (cx->width & 1) {
			r = lim[NOISE(i0[col] + p->v_red[i2[col]], d)];
			g = lim[NOISE_HALF(i0[col] + ((p->u_green[i1[col]] + p->v_green[i2[col]]) >> KX_SCALEBITS), d)];
			b = lim[NOISE(i0[col] + p->u_blue[i1[col]], d)];
			v = (uint16_t)MK565(r, g, b);
			memcpy(dst, &v, 2);
		}
	}
}

static const struct space_info {
	int space, ncomp;
	int r, g, b, psize;
	struct kx_methods m;
} spaces[] = {
	{ KX_GRAY, 1, 0, 0, 0, 1, { split_only, join_only } },
	{ KX_RGB, 3, 0, 1, 2, 3, { rgb_ycc, ycc_rgb } },
	{ KX_BGR, 3, 2, 1, 0, 3, { rgb_ycc, ycc_rgb } },
	{ KX_RGBX, 3, 0, 1, 2, 4, { rgb_ycc, ycc_rgb } },
	{ KX_XBGR, 3, 3, 2, 1, 4, { rgb_ycc, ycc_rgb } },
	{ KX_YCC, 3, 0, 1, 2, 3, { split_only, join_only } },
	{ KX_CMYK, 4, 0, 1, 2, 4, { cmyk_ycck, NULL } },
	{ KX_YCCK, 4, 0, 1, 2, 4, { split_only, join_only } },
	{ KX_RGB565, 3, 0, 0, 0, 2, { NULL, ycc_565 } },
};

int kx_start_convert(kx_ptr cx, KDIM width, int space)
{
	size_t i;

	for (i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (spaces[i].space == space)
			break;
	if (i == sizeof(spaces) / sizeof(spaces[0]))
		return kx_fail(cx, KXE_SPACE);
	if (width > 65500)
		return kx_fail(cx, KXE_DIMS);
	cx->priv = (struct kx_private *)malloc(sizeof(*cx->priv));
	if (cx->priv == NULL)
		return kx_fail(cx, KXE_NOMEM);
	build_tables(cx->priv);
	cx->priv->rofs = spaces[i].r;
	cx->priv->gofs = spaces[i].g;
	cx->priv->bofs = spaces[i].b;
	cx->priv->psize = spaces[i].psize;
	cx->clamp_tab = cx->priv->limit + 256;
	cx->m = spaces[i].m;
	cx->ncomp = spaces[i].ncomp;
	cx->space = space;
	cx->width = width;
	cx->started = 1;
	return KXE_NONE;
}

void kx_end_convert(kx_ptr cx)
{
	free(cx->priv);
	cx->priv = NULL;
	cx->clamp_tab = NULL;
	cx->started = 0;
}

/* A whole picture, `chunk' rows at a time.  Returns rows done or -1. */
int kx_convert_chunked(kx_ptr cx, const KSAMP *pic, size_t pitch, KDIM height,
		       KPLANES out, int chunk)
{
	KROW rows[16];
	KDIM y;
	int n, k;

	if (!cx->started || cx->m.convert == NULL) {
		kx_fail(cx, KXE_SPACE);
		return -1;
	}
	if (chunk < 1 || chunk > 16)
		chunk = 16;
	for (y = 0; y < height; y += (KDIM)n) {
		n = (int)(height - y) < chunk ? (int)(height - y) : chunk;
		for (k = 0; k < n; k++)
			rows[k] = (KROW)pic + (y + (KDIM)k) * pitch;
		(*cx->m.convert)(cx, rows, out, y, n);
	}
	return (int)y;
}
