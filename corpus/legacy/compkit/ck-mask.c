/* ck-mask.c - coverage and 8-bit masks */
#include "ck-private.h"

/*
 * Signed area deltas, 256 = one full pixel, as the scan converter leaves them: their running
 * sum is the winding coverage.
 */
void
ck_coverage_row (const int32_t *delta, uint8_t *row, int n, int even_odd)
{
	int32_t cover = 0;
	int i;

	for (i = 0; i < n; ++i)
	{
		int32_t c;

		cover += delta[i];
		c = cover < 0 ? -cover : cover;
		if (even_odd)
		{
			c &= 511;
			if (c > 256)
				c = 512 - c;
		}
		else if (c > 256)
			c = 256;
		row[i] = (uint8_t) (c - (c >> 8));
	}
}

/* pairs of (length 1 .. 255, value); gives the bytes needed, writes no more than cap */
size_t
ck_rle_encode (const uint8_t *row, int n, uint8_t *out, size_t cap)
{
	size_t used = 0;
	int i = 0;

	while (i < n)
	{
		int run = 1;

		while (i + run < n && run < 255 && row[i + run] == row[i])
			run++;
		if (used + 2 <= cap)
		{
			out[used] = (uint8_t) run;
			out[used + 1] = row[i];
		}
		used += 2;
		i += run;
	}
	return used;
}

/* alpha 0 .. 255 over the whole mask, after a contrast stretch around the middle */
ck_status
ck_mask_scale (ck_image *mask, unsigned alpha, unsigned gamma_q8)
{
	uint8_t lut[256];
	int i, y;

	if (!mask || mask->is_solid || alpha > 255)
		return CK_ERR_ARG;
	if (mask->format != CK_A8)
		return CK_ERR_FORMAT;

	for (i = 0; i < 256; ++i)
	{
		int v = 128 + (i - 128) * (int) gamma_q8 / 256;

		if (v < 0) v = 0;
		if (v > 255) v = 255;
		lut[i] = (uint8_t) MUL255 (v, alpha);
	}
	lut[0] = 0;

	pthread_mutex_lock (&mask->lock);
	for (y = 0; y < mask->height; ++y)
	{
		uint8_t *p = ROW (mask, y);
		int x = 0;

		for (; x + 1 < mask->width; x += 2)
		{
			p[x] = lut[p[x]];
			p[x + 1] = lut[p[x + 1]];
		}
		if (x < mask->width)
			p[x] = lut[p[x]];
	}
	pthread_mutex_unlock (&mask->lock);
	return CK_OK;
}
