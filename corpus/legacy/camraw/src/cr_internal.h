#ifndef _CR_INTERNAL_H_
#define _CR_INTERNAL_H_

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "camraw.h"

#define min_t(t, a, b)	((t)(a) < (t)(b) ? (t)(a) : (t)(b))
#define max_t(t, a, b)	((t)(a) > (t)(b) ? (t)(a) : (t)(b))
#define clamp_t(t, v, lo, hi)	min_t(t, max_t(t, v, lo), hi)

#define Q12_ONE		4096u

/* 0 R, 1 Gr, 2 Gb, 3 B */
#define PHASE(raw, x, y)	(((((y) & 1) << 1) | ((x) & 1)) ^ (raw)->cfa)

#define RAW_MAX(raw)		((1u << (raw)->bits) - 1)
#define RAW_ROW(raw, y)		((raw)->pix + (size_t)(y) * (raw)->stride)

static inline int cr_raw_bad(const struct cr_raw *r)
{
	return !r || !r->pix || r->stride < r->width || r->bits < 8 ||
	       r->bits > 16 || r->cfa > 3;
}

/* reflects without repeating the edge, which keeps the Bayer phase */
static inline s32 cr_reflect(s32 i, s32 n)
{
	if (i < 0)
		i = -i;
	if (i >= n)
		i = 2 * n - 2 - i;
	return clamp_t(s32, i, 0, n - 1);
}

static inline u8 cr_clip8(s32 v)
{
	return (u8)(v & ~255 ? (v < 0 ? 0 : 255) : v);
}

#endif
