/*
 * Row and block functions, C only. The _swar and _u4 versions give the same
 * bits as the _c ones, tests/checkdsp.c holds them to it.
 */
#include <stdlib.h>
#include <string.h>

#include "libvidkit/vidkit.h"

static void avg_row_c(uint8_t *dst, const uint8_t *a, const uint8_t *b, int w)
{
	for (int x = 0; x < w; x++)
		dst[x] = (a[x] + b[x] + 1) >> 1;
}

/* (a | b) - (((a ^ b) & 0xfe..) >> 1) on eight bytes */
static void avg_row_swar(uint8_t *dst, const uint8_t *a, const uint8_t *b, int w)
{
	int x;

	for (x = 0; x <= w - 8; x += 8) {
		uint64_t p, q;

		memcpy(&p, a + x, 8);
		memcpy(&q, b + x, 8);
		p = (p | q) - (((p ^ q) & 0xfefefefefefefefeULL) >> 1);
		memcpy(dst + x, &p, 8);
	}
	for (; x < w; x++)
		dst[x] = (a[x] + b[x] + 1) >> 1;
}

static unsigned sad_c(const uint8_t *a, ptrdiff_t als, const uint8_t *b, ptrdiff_t bls, int w, int h)
{
	unsigned sum = 0;

	for (int y = 0; y < h; y++) {
		for (int x = 0; x < w; x++)
			sum += abs(a[x] - b[x]);
		a += als;
		b += bls;
	}
	return sum;
}

static unsigned sad_u4(const uint8_t *a, ptrdiff_t als, const uint8_t *b, ptrdiff_t bls, int w, int h)
{
	unsigned s0 = 0, s1 = 0, s2 = 0, s3 = 0;

	while (h-- > 0) {
		int x = 0;

		for (; x + 4 <= w; x += 4) {
			s0 += abs(a[x + 0] - b[x + 0]);
			s1 += abs(a[x + 1] - b[x + 1]);
			s2 += abs(a[x + 2] - b[x + 2]);
			s3 += abs(a[x + 3] - b[x + 3]);
		}
		switch (w - x) {
		case 3: s2 += abs(a[x + 2] - b[x + 2]);	/* fall through */
		case 2: s1 += abs(a[x + 1] - b[x + 1]);	/* fall through */
		case 1: s0 += abs(a[x + 0] - b[x + 0]);
		}
		a += als;
		b += bls;
	}
	return s0 + s1 + s2 + s3;
}

/* 8 bits to 15, filter taps have 14 bits of fraction */
static void hscale_8to15_c(int16_t *dst, int dstw, const uint8_t *src, const int16_t *filter, const int32_t *pos, int taps)
{
	for (int i = 0; i < dstw; i++) {
		int val = 0;

		for (int j = 0; j < taps; j++)
			val += src[pos[i] + j] * filter[taps * i + j];
		dst[i] = VDK_MAX(VDK_MIN(val >> 7, (1 << 15) - 1), -(1 << 15));
	}
}

static void hscale_8to15_4taps(int16_t *dst, int dstw, const uint8_t *src, const int16_t *filter, const int32_t *pos, int taps)
{
	if (taps != 4) {
		hscale_8to15_c(dst, dstw, src, filter, pos, taps);
		return;
	}
	for (int i = 0; i < dstw; i++, filter += 4) {
		const uint8_t *s = src + pos[i];
		int val = s[0] * filter[0] + s[1] * filter[1] + s[2] * filter[2] + s[3] * filter[3];

		val >>= 7;
		dst[i] = val > 32767 ? 32767 : val < -32768 ? -32768 : val;
	}
}

/* dither holds eight values below 128 */
static void vscale_c(uint8_t *dst, int dstw, const int16_t *filter, const int16_t *const *lines, int taps, const uint8_t *dither)
{
	for (int i = 0; i < dstw; i++) {
		int val = dither[i & 7] << 12;

		for (int j = 0; j < taps; j++)
			val += lines[j][i] * filter[j];
		dst[i] = vdk_clip_u8(val >> 19);
	}
}

/* filter taps outside, in passes over a piece of the line held on the stack */
static void vscale_tiled(uint8_t *dst, int dstw, const int16_t *filter, const int16_t *const *lines, int taps, const uint8_t *dither)
{
	int32_t acc[32];

	for (int x0 = 0; x0 < dstw; x0 += 32) {
		const int n = VDK_MIN(32, dstw - x0);

		for (int i = 0; i < n; i++)
			acc[i] = dither[i & 7] << 12;
		for (int j = 0; j < taps; j++) {
			const int16_t *l = lines[j] + x0;
			const int c = filter[j];

			if (!c)
				continue;
			for (int i = 0; i < n; i++)
				acc[i] += l[i] * c;
		}
		for (int i = 0; i < n; i++)
			dst[x0 + i] = vdk_clip_u8(acc[i] >> 19);
	}
}

/* an odd last luma sample is written twice */
static void pack422_c(uint8_t *dst, const uint8_t *y, const uint8_t *u, const uint8_t *v, int w)
{
	int i;

	for (i = 0; i < w >> 1; i++) {
		dst[4 * i + 0] = u[i];
		dst[4 * i + 1] = y[2 * i];
		dst[4 * i + 2] = v[i];
		dst[4 * i + 3] = y[2 * i + 1];
	}
	if (w & 1) {
		dst[4 * i + 0] = u[i];
		dst[4 * i + 1] = y[2 * i];
		dst[4 * i + 2] = v[i];
		dst[4 * i + 3] = y[2 * i];
	}
}

static void unpack422_c(uint8_t *y, uint8_t *u, uint8_t *v, const uint8_t *src, int w)
{
	while (w > 1) {
		*u++ = src[0];
		*y++ = src[1];
		*v++ = src[2];
		*y++ = src[3];
		src += 4;
		w -= 2;
	}
	if (w) {
		*u = src[0];
		*y = src[1];
		*v = src[2];
	}
}

void vdk_dsp_init(struct vdk_dsp *d, unsigned cpu_flags)
{
	d->avg_row   = avg_row_c;
	d->sad       = sad_c;
	d->hscale    = hscale_8to15_c;
	d->vscale    = vscale_c;
	d->pack422   = pack422_c;
	d->unpack422 = unpack422_c;
	d->name_id   = 0;
	if (cpu_flags & VDK_CPU_SWAR) {
		d->avg_row = avg_row_swar;
		d->name_id |= 1;
	}
	if (cpu_flags & VDK_CPU_UNROLL) {
		d->sad    = sad_u4;
		d->hscale = hscale_8to15_4taps;
		d->vscale = vscale_tiled;
		d->name_id |= 2;
	}
}
