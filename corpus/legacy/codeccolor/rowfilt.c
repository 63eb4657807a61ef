/*
 * rowfilt.c
 *
 * Row filters for the screenshot mode.  prev may be NULL for the first row,
 * which is then taken to be below a row of zeros.
 */
#include <stdlib.h>
#include <string.h>
#include "kx.h"

static int paeth(int a, int b, int c)
{
	/* distances from a + b - c to each of the three */
	int da = abs(b - c), db = abs(a - c), dc = abs(a + b - 2 * c);

	if (da <= db && da <= dc)
		return a;
	return db <= dc ? b : c;
}

static void unfilter_sub(KROW row, const KSAMP *prev, size_t n, int bpp)
{
	size_t i;
	KROW q = row + bpp;

	(void)prev;
	for (i = (size_t)bpp; i < n; i++, q++)
		*q = (KSAMP)(*q + *(q - bpp));
}

static void unfilter_up(KROW row, const KSAMP *prev, size_t n, int bpp)
{
	KROW q = row;
	const KSAMP *up = prev;

	(void)bpp;
	while (n-- > 0) {
		*q = (KSAMP)((int)*q + (int)*up++);
		q++;
	}
}

static void unfilter_avg(KROW row, const KSAMP *prev, size_t n, int bpp)
{
	size_t i;

	for (i = 0; i < n && i < (size_t)bpp; i++)
		row[i] = (KSAMP)(row[i] + (prev ? prev[i] / 2 : 0));
	for (; i < n; i++)
		row[i] = (KSAMP)(row[i] + (((prev ? prev[i] : 0) + row[i - bpp]) >> 1));
}

static void unfilter_paeth(KROW row, const KSAMP *prev, size_t n, int bpp)
{
	size_t i;

	for (i = 0; i < n; i++) {
		int a = i >= (size_t)bpp ? row[i - bpp] : 0;
		int b = prev[i];
		int c = i >= (size_t)bpp ? prev[i - bpp] : 0;

		row[i] = (KSAMP)(row[i] + paeth(a, b, c));
	}
}

static void (*const unfilters[])(KROW, const KSAMP *, size_t, int) = {
	NULL, unfilter_sub, unfilter_up, unfilter_avg, unfilter_paeth
};

int kx_unfilter(kx_ptr cx, int type, KROW row, const KSAMP *prev, size_t n, int bpp)
{
	if (type < 0 || type > KX_FILT_PAETH || bpp < 1)
		return kx_fail(cx, KXE_FILTER);
	if (prev == NULL) {
		/* above is zero: up does nothing, paeth is the same as sub */
		if (type == KX_FILT_UP)
			type = KX_FILT_NONE;
		else if (type == KX_FILT_PAETH)
			type = KX_FILT_SUB;
	}
	if (unfilters[type] != NULL)
		unfilters[type](row, prev, n, bpp);
	return KXE_NONE;
}

#define SUMABS(v)	((v) < 128 ? (v) : 256 - (v))

/*
 * Writes one filtered row, gives up as soon as it's worse than limit.
 */
static size_t setup_row(int type, KROW dst, const KSAMP *row, const KSAMP *prev,
			size_t n, int bpp, size_t limit)
{
	size_t i, sum = 0;
	unsigned v;

	switch (type) {
	case KX_FILT_SUB:
		for (i = 0; i < n; i++) {
			v = dst[i] = (KSAMP)(row[i] - (i >= (size_t)bpp ? row[i - bpp] : 0));
			sum += SUMABS(v);
			if (sum > limit)
				break;
		}
		break;
	case KX_FILT_UP:
		for (i = 0; i < n; i++) {
			v = dst[i] = (KSAMP)(row[i] - prev[i]);
			sum += SUMABS(v);
			if (sum > limit)
				break;
		}
		break;
	case KX_FILT_AVG:
		for (i = 0; i < n; i++) {
			v = dst[i] = (KSAMP)(row[i] - ((prev[i] + (i >= (size_t)bpp ? row[i - bpp] : 0)) / 2));
			sum += SUMABS(v);
			if (sum > limit)
				break;
		}
		break;
	case KX_FILT_PAETH:
		for (i = 0; i < n; i++) {
			int a = 0, c = 0;

			if (i >= (size_t)bpp) {
				a = row[i - bpp];
				c = prev[i - bpp];
			}
			v = dst[i] = (KSAMP)(row[i] - paeth(a, prev[i], c));
			sum += SUMABS(v);
			if (sum > limit)
				break;
		}
		break;
	}
	return sum;
}

/* returns the type; best[] holds the row, scratch[] is as long */
int kx_filter_best(KROW best, KROW scratch, const KSAMP *row, const KSAMP *prev, size_t n, int bpp)
{
	size_t i, least = 0, sum;
	int type, which = KX_FILT_NONE;
	KROW tmp, user = best;

	for (i = 0; i < n; i++) {
		unsigned v = best[i] = row[i];
		least += SUMABS(v);
	}
	for (type = KX_FILT_SUB; type <= KX_FILT_PAETH; type++) {
		if (prev == NULL && type != KX_FILT_SUB)
			continue;
		sum = setup_row(type, scratch, row, prev, n, bpp, least);
		if (sum < least) {
			least = sum;
			which = type;
			tmp = best;
			best = scratch;
			scratch = tmp;
		}
	}
	if (best != user)
		memcpy(user, best, n);
	return which;
}
