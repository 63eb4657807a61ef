/*
 * cr_stats.c - numbers for exposure, white balance and focus
 */
#include "cr_internal.h"

/* bins[0..3] by phase; every (skip + 1)th cell of 2 x 2 in both directions.
 * Adds to the bins. */
int cr_stat_hist(const struct cr_raw *raw, u32 (*bins)[256], u32 skip)
{
	u32 x, y, step, shift;

	if (cr_raw_bad(raw) || !bins || skip > 64)
		return -EINVAL;
	step = 2 * (skip + 1);
	shift = raw->bits - 8u;

	for (y = 0; y + 1 < raw->height; y += step) {
		const u16 *a = RAW_ROW(raw, y), *b = a + raw->stride;

		for (x = 0; x + 1 < raw->width; x += step) {
			bins[0 ^ raw->cfa][(a[x] >> shift) & 0xff]++;
			bins[1 ^ raw->cfa][(a[x + 1] >> shift) & 0xff]++;
			bins[2 ^ raw->cfa][(b[x] >> shift) & 0xff]++;
			bins[3 ^ raw->cfa][(b[x + 1] >> shift) & 0xff]++;
		}
	}
	return 0;
}

/* sums of all pixels by zone, saturated pixels counted */
int cr_stat_ae(const struct cr_raw *raw, struct cr_ae_stat *st)
{
	u32 zx, zy, x, y;

	if (cr_raw_bad(raw) || !st || !st->sum || !st->zw || !st->zh)
		return -EINVAL;

	for (zy = 0; zy < st->zh; zy++) {
		const u32 y0 = raw->height * zy / st->zh;
		const u32 y1 = raw->height * (zy + 1) / st->zh;

		for (zx = 0; zx < st->zw; zx++) {
			const u32 x0 = raw->width * zx / st->zw;
			const u32 x1 = raw->width * (zx + 1) / st->zw;
			u64 sum = 0;
			u32 sat = 0;

			for (y = y0; y < y1; y++) {
				const u16 *p = RAW_ROW(raw, y);

				for (x = x0; x < x1; x++) {
					sum += p[x];
					if (p[x] >= RAW_MAX(raw))
						sat++;
				}
			}
			st->sum[zy * st->zw + zx] = sum;
			if (st->sat)
				st->sat[zy * st->zw + zx] = sat;
		}
	}
	return 0;
}

/* energy behind a recursive high pass, state in Q8, rows by themselves */
int cr_stat_af(const struct cr_plane8 *y, u64 *sharpness)
{
	u64 total = 0;
	u32 i, j;

	if (!y || !y->pix || !sharpness)
		return -EINVAL;
	for (j = 0; j < y->height; j++) {
		const u8 *p = y->pix + (ptrdiff_t)j * y->stride;
		s32 low;

		if (!y->width)
			break;
		low = p[0] * 256;
		for (i = 0; i < y->width; i++) {
			s32 hp = p[i] * 256 - low;

			low += hp * 51 / 256;
			hp /= 64;
			total += (u32)(hp * hp);
		}
	}
	*sharpness = total;
	return 0;
}

/* Grey world over the cells without dark or burnt pixels. Neutral gains when
 * there is nothing to go by. */
struct cr_gains cr_awb_grey(const struct cr_raw *raw, u32 lo, u32 hi)
{
	struct cr_gains out = { { Q12_ONE, Q12_ONE, Q12_ONE, Q12_ONE } };
	u64 acc[4] = { 0, 0, 0, 0 };
	u64 green;
	u32 x, y, i, n = 0;

	if (cr_raw_bad(raw))
		return out;

	for (y = 0; y + 1 < raw->height; y += 2) {
		const u16 *a = RAW_ROW(raw, y);
		const u16 *b = RAW_ROW(raw, y + 1);

		for (x = 0; x + 1 < raw->width; x += 2) {
			const u32 v[4] = { a[x], a[x + 1], b[x], b[x + 1] };

			for (i = 0; i < 4; i++)
				if (v[i] < lo || v[i] > hi)
					break;
			if (i < 4)
				continue;
			for (i = 0; i < 4; i++)
				acc[i ^ raw->cfa] += v[i];
			n++;
		}
	}
	if (!n)
		return out;

	green = (acc[1] + acc[2]) / 2;
	for (i = 0; i < 4; i++)
		if (acc[i])
			out.g[i] = (u32)min_t(u64, green * Q12_ONE / acc[i],
					      8 * Q12_ONE);
	return out;
}
