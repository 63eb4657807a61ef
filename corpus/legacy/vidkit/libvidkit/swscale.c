/*
 * Plane scaler: every source line is scaled across once into a ring of lines,
 * the ring is filtered downwards. And the conversions that sit next to it.
 */
#include <stdlib.h>
#include <string.h>

#include "libvidkit/vidkit.h"

#define RING	4	/* power of two, not below the vertical taps */
#define TAPS	4

struct vdk_scaler {
	int sw, sh, dw, dh;
	struct vdk_dsp dsp;
	int16_t *hcoef, *vcoef;
	int32_t *hpos, *vpos;
	int16_t *ring[RING];
	int ring_line[RING];	/* which source line each one holds, -1 none */
	uint8_t *padded;	/* one source line with its edges repeated */
	int16_t *mem;
};

static const uint8_t bayer8[8][8] = {
	{   0,  64,  16,  80,   4,  68,  20,  84 },
	{  96,  32, 112,  48, 100,  36, 116,  52 },
	{  24,  88,   8,  72,  28,  92,  12,  76 },
	{ 120,  56, 104,  40, 124,  60, 108,  44 },
	{   6,  70,  22,  86,   2,  66,  18,  82 },
	{ 102,  38, 118,  54,  98,  34, 114,  50 },
	{  30,  94,  14,  78,  26,  90,  10,  74 },
	{ 126,  62, 110,  46, 122,  58, 106,  42 },
};

/* cubic, a = -1/2, fraction in 1/64; the four sum to 1 << bits */
static void make_filter(int16_t *coef, int32_t *pos, int sn, int dn, int bits)
{
	for (int i = 0; i < dn; i++) {
		int64_t c = (((int64_t)(2 * i + 1) * sn << 15) / dn) - 32768;
		int f = (int)((c >> 10) & 63), sum = 0;
		int c3 = f * f * f, c2 = f * f * 64, c1 = f * 4096, one = 262144;
		int k[4];

		pos[i] = (int32_t)(c >> 16) - 1;
		k[0] = (-c3 + 2 * c2 - c1) / 2;
		k[1] = (3 * c3 - 5 * c2 + 2 * one) / 2;
		k[2] = (-3 * c3 + 4 * c2 + c1) / 2;
		k[3] = one - k[0] - k[1] - k[2];
		for (int j = 0; j < 4; j++) {
			k[j] = k[j] * (1 << (bits - 9)) / (one >> 9);
			sum += k[j];
		}
		k[1] += (1 << bits) - sum;
		for (int j = 0; j < 4; j++)
			coef[4 * i + j] = (int16_t)VDK_MIN(k[j], 32767);
	}
}

struct vdk_scaler *vdk_scaler_new(int sw, int sh, int dw, int dh, const struct vdk_dsp *dsp)
{
	struct vdk_scaler *s;

	if (sw < 1 || sh < 1 || dw < 1 || dh < 1)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->sw = sw; s->sh = sh;
	s->dw = dw; s->dh = dh;
	s->dsp = *dsp;
	s->hcoef  = malloc(sizeof(int16_t) * TAPS * dw);
	s->vcoef  = malloc(sizeof(int16_t) * TAPS * dh);
	s->hpos   = malloc(sizeof(int32_t) * dw);
	s->vpos   = malloc(sizeof(int32_t) * dh);
	s->mem    = malloc(sizeof(int16_t) * RING * dw);
	s->padded = malloc(sw + 2 * TAPS);
	if (!s->hcoef || !s->vcoef || !s->hpos || !s->vpos || !s->mem || !s->padded)
		goto fail;
	for (int i = 0; i < RING; i++)
		s->ring[i] = s->mem + (size_t)i * dw;
	make_filter(s->hcoef, s->hpos, sw, dw, 14);
	make_filter(s->vcoef, s->vpos, sh, dh, 12);
	for (int i = 0; i < dw; i++)
		s->hpos[i] += TAPS;	/* into the padded line */
	return s;
fail:
	vdk_scaler_free(s);
	return NULL;
}

void vdk_scaler_free(struct vdk_scaler *s)
{
	if (!s)
		return;
	free(s->hcoef);
	free(s->vcoef);
	free(s->hpos);
	free(s->vpos);
	free(s->mem);
	free(s->padded);
	free(s);
}

int vdk_scale_plane(struct vdk_scaler *s, uint8_t *dst, ptrdiff_t dls, const uint8_t *src, ptrdiff_t sls)
{
	const int16_t *lines[TAPS];

	if (!s || !dst || !src)
		return VDK_EINVAL;
	for (int i = 0; i < RING; i++)
		s->ring_line[i] = -1;
	for (int y = 0; y < s->dh; y++) {
		for (int j = 0; j < TAPS; j++) {
			int line = vdk_clip(s->vpos[y] + j, 0, s->sh - 1);
			int slot = line & (RING - 1);

			if (s->ring_line[slot] != line) {
				const uint8_t *p = src + line * sls;

				memset(s->padded, p[0], TAPS);
				memcpy(s->padded + TAPS, p, s->sw);
				memset(s->padded + TAPS + s->sw, p[s->sw - 1], TAPS);
				s->dsp.hscale(s->ring[slot], s->dw, s->padded, s->hcoef, s->hpos, TAPS);
				s->ring_line[slot] = line;
			}
			lines[j] = s->ring[slot];
		}
		s->dsp.vscale(dst + y * dls, s->dw, s->vcoef + TAPS * y, lines, TAPS, bayer8[y & 7]);
	}
	return 0;
}

int vdk_yuv_to_rgb24(uint8_t *dst, ptrdiff_t dls, const struct vdk_frame *src, int full_range)
{
	const struct vdk_fmt_desc *d = vdk_fmt(src->format);
	const int ymul = full_range ? 65536 : 76309, yoff = full_range ? 0 : 16;
	const int rv = full_range ? 91881 : 104597, gu = full_range ? 22554 : 25675;
	const int gv = full_range ? 46802 : 53279, bu = full_range ? 116130 : 132201;

	if (!d || d->depth != 8)
		return VDK_EINVAL;
	for (int y = 0; y < src->height; y++) {
		const uint8_t *py = src->data[0] + y * (ptrdiff_t)src->linesize[0];
		uint8_t *out = dst + y * dls;

		if (d->nb_planes == 1) {
			for (int x = 0; x < src->width; x++) {
				uint8_t g = vdk_clip_u8(((py[x] - yoff) * ymul + 32768) >> 16);

				out[0] = out[1] = out[2] = g;
				out += 3;
			}
			continue;
		}
		const uint8_t *pu = src->data[1] + (y >> d->log2_ch) * (ptrdiff_t)src->linesize[1];
		const uint8_t *pv = src->data[2] + (y >> d->log2_ch) * (ptrdiff_t)src->linesize[2];
		for (int x = 0; x < src->width; x++, out += 3) {
			int u = pu[x >> d->log2_cw] - 128;
			int v = pv[x >> d->log2_cw] - 128;
			int l = (py[x] - yoff) * ymul + 32768;

			out[0] = vdk_clip_u8((l + rv * v) >> 16);
			out[1] = vdk_clip_u8((l - gu * u - gv * v) >> 16);
			out[2] = vdk_clip_u8((l + bu * u) >> 16);
		}
	}
	return 0;
}

/* dither: 0 cut, 1 ordered, 2 carry the rest along the line */
int vdk_10_to_8(struct vdk_frame *dst, const struct vdk_frame *src, int dither)
{
	if (src->format != VDK_FMT_YUV420P10 || dst->format != VDK_FMT_YUV420P ||
	    dst->width != src->width || dst->height != src->height)
		return VDK_EINVAL;
	for (int p = 0; p < 3; p++) {
		const int w = vdk_plane_width(src, p), h = vdk_plane_height(src, p);

		for (int y = 0; y < h; y++) {
			const uint16_t *s = (const uint16_t *)(const void *)(src->data[p] + y * (ptrdiff_t)src->linesize[p]);
			uint8_t *d = dst->data[p] + y * (ptrdiff_t)dst->linesize[p];

			switch (dither) {
			case 0:
				for (int x = 0; x < w; x++)
					d[x] = VDK_MIN(s[x], 1023) >> 2;
				break;
			case 1: {
				const uint8_t *m = bayer8[y & 7];

				for (int x = 0; x < w; x++)
					d[x] = VDK_MIN((VDK_MIN(s[x], 1023) + (m[x & 7] >> 5)) >> 2, 255);
				break;
			}
			case 2: {
				int rest = 2;

				for (int x = 0; x < w; x++) {
					int v = VDK_MIN(s[x], 1023) + rest;

					d[x] = VDK_MIN(v >> 2, 255);
					rest = v & 3;
				}
				break;
			}
			default:
				return VDK_EINVAL;
			}
		}
	}
	return 0;
}
