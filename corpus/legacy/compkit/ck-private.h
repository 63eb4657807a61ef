#ifndef CK_PRIVATE_H
#define CK_PRIVATE_H

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compkit.h"

typedef void (*ck_fetch_fn) (const ck_image *img, int x, int y, int n, uint32_t *out);
typedef void (*ck_store_fn) (ck_image *img, int x, int y, int n, const uint32_t *in);
typedef void (*ck_combine_fn) (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n);

struct ck_image
{
	ck_format	format;
	int		width, height;
	ptrdiff_t	stride;			/* bytes, may be negative */
	uint8_t		*bits;
	size_t		size;
	ck_fetch_fn	fetch;
	ck_store_fn	store;
	uint32_t	solid;
	unsigned	is_solid : 1;
	unsigned	owns_bits : 1;
	unsigned	component_alpha : 1;
	int		refs;
	pthread_mutex_t	lock;
};

typedef struct { ck_fetch_fn fetch; ck_store_fn store; int bpp; } ck_accessors;

extern const ck_accessors	_ck_accessors[CK_N_FORMATS];
extern const ck_combine_fn	_ck_combine_u[CK_N_OPS];
extern const ck_combine_fn	_ck_combine_ca[CK_N_OPS];

typedef struct
{
	ck_image *src, *mask, *dst;
	int sx, sy, mx, my, dx, dy, w, h;
} ck_rects;

typedef void (*ck_fast_fn) (const ck_rects *r);
ck_fast_fn _ck_find_fast (ck_op op, const ck_image *src, const ck_image *mask, const ck_image *dst);

#define ROW(img, y)	((img)->bits + (y) * (img)->stride)

#define ALPHA(p)	((p) >> 24)
#define RED(p)		(((p) >> 16) & 0xff)
#define GREEN(p)	(((p) >> 8) & 0xff)
#define BLUE(p)		((p) & 0xff)
#define PACK(a, r, g, b) \
	((uint32_t) (a) << 24 | (uint32_t) (r) << 16 | (uint32_t) (g) << 8 | (uint32_t) (b))

/* x / 255, rounded, for x up to 255 * 255 */
static inline uint32_t
div255 (uint32_t x)
{
	x += 0x80;
	return (x + (x >> 8)) >> 8;
}

#define MUL255(a, b)	div255 ((uint32_t) (a) * (uint32_t) (b))

/* Two channels in the even bytes of one word, both times the same factor. */
#define LANES	0x00ff00ffu
#define HALVES	0x00800080u

static inline uint32_t
pair_mul (uint32_t p, uint32_t f)
{
	uint32_t t = (p & LANES) * f + HALVES;
	return ((t + ((t >> 8) & LANES)) >> 8) & LANES;
}

static inline uint32_t
pair_add (uint32_t p, uint32_t q)
{
	uint32_t t = p + q;
	t |= 0x01000100u - ((t >> 8) & LANES);		/* saturate */
	return t & LANES;
}

static inline uint32_t
quad_mul (uint32_t p, uint32_t f)
{
	return pair_mul (p, f) | pair_mul (p >> 8, f) << 8;
}

static inline uint32_t
quad_add (uint32_t p, uint32_t q)
{
	return pair_add (p & LANES, q & LANES) | pair_add ((p >> 8) & LANES, (q >> 8) & LANES) << 8;
}

/* channel by channel, p * m */
static inline uint32_t
quad_mul_quad (uint32_t p, uint32_t m)
{
	return PACK (MUL255 (ALPHA (p), ALPHA (m)), MUL255 (RED (p), RED (m)),
		     MUL255 (GREEN (p), GREEN (m)), MUL255 (BLUE (p), BLUE (m)));
}

#endif
