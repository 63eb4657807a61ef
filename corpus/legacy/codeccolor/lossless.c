/*
 * lossless.c
 *
 * Predictors of the lossless mode: seven selection values with the usual
 * meaning, and the transforms on 32 bit ARGB.
 */
#include <string.h>
#include "kx.h"

#define P1(ra, rb, rc)	(ra)
#define P2(ra, rb, rc)	(rb)
#define P3(ra, rb, rc)	(rc)
#define P4(ra, rb, rc)	((ra) + (rb) - (rc))
#define P5(ra, rb, rc)	((ra) + (((rb) - (rc)) >> 1))
#define P6(ra, rb, rc)	((rb) + (((ra) - (rc)) >> 1))
#define P7(ra, rb, rc)	(((ra) + (rb)) >> 1)

#define DIFF_FUNC(name, PRED)					\
static void name(const KSAMP *row, const KSAMP *prev, int16_t *diff, KDIM n) \
{									\
	KDIM x;								\
	int ra, rb, rc;							\
									\
	rb = prev[0];							\
	diff[0] = (int16_t)(row[0] - rb);				\
	for (x = 1; x < n; x++) {					\
		rc = rb;						\
		rb = prev[x];						\
		ra = row[x - 1];					\
		(void)ra; (void)rc;					\
		diff[x] = (int16_t)(row[x] - PRED(ra, rb, rc));		\
	}								\
}

DIFF_FUNC(diff_1, P1)
DIFF_FUNC(diff_2, P2)
DIFF_FUNC(diff_3, P3)
DIFF_FUNC(diff_4, P4)
DIFF_FUNC(diff_5, P5)
DIFF_FUNC(diff_6, P6)
DIFF_FUNC(diff_7, P7)

typedef void (*diff_fn)(const KSAMP *, const KSAMP *, int16_t *, KDIM);
static const diff_fn diffs[8] = { NULL, diff_1, diff_2, diff_3, diff_4, diff_5, diff_6, diff_7 };

/* prev == NULL: first row, only the left neighbour, 128 before the first */
int kx_difference(kx_ptr cx, int psv, const KSAMP *row, const KSAMP *prev, int16_t *diff, KDIM n)
{
	KDIM x;

	if (psv < 1 || psv > 7)
		return kx_fail(cx, KXE_PREDICTOR);
	if (n == 0)
		return KXE_NONE;
	if (prev == NULL) {
		diff[0] = (int16_t)(row[0] - KX_CENTER);
		for (x = 1; x < n; x++)
			diff[x] = (int16_t)(row[x] - row[x - 1]);
	} else
		(*diffs[psv])(row, prev, diff, n);
	return KXE_NONE;
}

int kx_undifference(kx_ptr cx, int psv, const int16_t *diff, const KSAMP *prev, KROW row, KDIM n)
{
	KDIM x;
	int ra, rb, rc, pred;

	if (psv < 1 || psv > 7)
		return kx_fail(cx, KXE_PREDICTOR);
	if (n == 0)
		return KXE_NONE;
	ra = (diff[0] + (prev ? prev[0] : KX_CENTER)) & 0xFF;
	row[0] = (KSAMP)ra;
	if (prev == NULL)
		psv = 1;
	rb = prev ? prev[0] : 0;
	for (x = 1; x < n; x++) {
		rc = rb;
		rb = prev ? prev[x] : 0;
		switch (psv) {
		case 1: pred = P1(ra, rb, rc); break;
		case 2: pred = P2(ra, rb, rc); break;
		case 3: pred = P3(ra, rb, rc); break;
		case 4: pred = P4(ra, rb, rc); break;
		case 5: pred = P5(ra, rb, rc); break;
		case 6: pred = P6(ra, rb, rc); break;
		default: pred = P7(ra, rb, rc); break;
		}
		ra = (diff[x] + pred) & 0xFF;
		row[x] = (KSAMP)ra;
	}
	return KXE_NONE;
}

static uint32_t get32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

void kx_sub_green(void *argb, size_t n)
{
	unsigned char *p = (unsigned char *)argb;
	size_t i;

	for (i = 0; i < n; i++, p += 4) {
		const uint32_t pix = get32(p);
		const uint32_t green = (pix >> 8) & 0xff;
		const uint32_t red = (((pix >> 16) & 0xff) - green) & 0xff;
		const uint32_t blue = ((pix & 0xff) - green) & 0xff;
		const uint32_t res = (pix & 0xff00ff00u) | (red << 16) | blue;

		memcpy(p, &res, sizeof(res));
	}
}

/* both at once, the carries fall into the holes */
void kx_add_green(void *argb, size_t n)
{
	unsigned char *p = (unsigned char *)argb, *end = p + 4 * n;

	while (p != end) {
		const uint32_t pix = get32(p);
		const uint32_t green = (pix >> 8) & 0xff;
		uint32_t rb = pix & 0x00ff00ffu;

		rb += (green << 16) | green;
		rb &= 0x00ff00ffu;
		rb |= pix & 0xff00ff00u;
		memcpy(p, &rb, sizeof(rb));
		p += 4;
	}
}

void kx_cross_color(void *argb, size_t n, signed char gr, signed char gb, signed char rb)
{
	unsigned char *base = (unsigned char *)argb;
	size_t i;

	for (i = 0; i < n; ++i) {
		uint32_t pix = get32(base + 4 * i);
		const int8_t green = (int8_t)(uint8_t)(pix >> 8);
		const int8_t red = (int8_t)(uint8_t)(pix >> 16);
		int nred = (pix >> 16) & 0xff;
		int nblue = pix & 0xff;

		nred -= (gr * green) >> 5;
		nblue -= (gb * green) >> 5;
		nblue -= (rb * red) >> 5;
		pix = (pix & 0xff00ff00u) | ((uint32_t)(nred & 0xff) << 16) | (uint32_t)(nblue & 0xff);
		memcpy(base + 4 * i, &pix, 4);
	}
}
