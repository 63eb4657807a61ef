/* ck-combine.c - scanline combiners
 *
 * Everything is premultiplied. The _u versions take only the alpha of the mask (which may be
 * NULL), the _ca versions use the mask channel by channel and never see a NULL.
 */
#include "ck-private.h"

static inline uint32_t
masked (const uint32_t *src, const uint32_t *mask, int i)
{
	uint32_t s = src[i];

	if (mask)
	{
		uint32_t m = ALPHA (mask[i]);

		if (m == 0)
			return 0;
		s = quad_mul (s, m);
	}
	return s;
}

/*
 * Porter and Duff: d = s * FS + d * FD. FS and FD may look at sa and da.
 */
#define PORTER_DUFF(name, FS, FD)						\
static void									\
comb_##name##_u (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n) \
{										\
	int i;									\
										\
	for (i = 0; i < n; ++i)							\
	{									\
		uint32_t s = masked (src, mask, i);				\
		uint32_t d = dst[i];						\
		uint32_t sa = ALPHA (s), da = ALPHA (d);			\
										\
		(void) sa; (void) da;						\
		dst[i] = quad_add (quad_mul (s, (FS)), quad_mul (d, (FD)));	\
	}									\
}

PORTER_DUFF (in,   da,       0)
PORTER_DUFF (out,  255 - da, 0)
PORTER_DUFF (atop, da,       255 - sa)
PORTER_DUFF (xor,  255 - da, 255 - sa)

/* The three that matter have their own loops. */

static void
comb_src_u (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n)
{
	int i;

	if (!mask)
	{
		memcpy (dst, src, (size_t) n * sizeof *dst);
		return;
	}
	for (i = 0; i < n; ++i)
	{
		uint32_t m = ALPHA (mask[i]);

		/* an unmasked pixel must keep the destination */
		dst[i] = quad_add (quad_mul (src[i], m), quad_mul (dst[i], 255 - m));
	}
}

static void
comb_over_u (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n)
{
	int i;

	if (mask)
	{
		for (i = 0; i < n; ++i)
		{
			uint32_t s = masked (src, mask, i);

			if (s)
				dst[i] = quad_add (s, quad_mul (dst[i], 255 - ALPHA (s)));
		}
	}
	else
	{
		for (i = 0; i < n; ++i)
		{
			uint32_t s = src[i];
			uint32_t a = ALPHA (s);

			if (a == 0xff)
				dst[i] = s;
			else if (s)
				dst[i] = quad_add (s, quad_mul (dst[i], a ^ 0xff));
		}
	}
}

static void
comb_add_u (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n)
{
	int i;

	for (i = 0; i < n; ++i)
		dst[i] = quad_add (dst[i], masked (src, mask, i));
}

/*
 * Separable blends. BLEND gets s, sa, d, da (premultiplied, 0 .. 255) and gives a value in
 * units of 1 / 65025.
 */
typedef int32_t ck_prod;

static inline ck_prod
blend_multiply (ck_prod s, ck_prod sa, ck_prod d, ck_prod da)
{
	(void) sa; (void) da;
	return s * d;
}

static inline ck_prod
blend_screen (ck_prod s, ck_prod sa, ck_prod d, ck_prod da)
{
	return s * da + d * sa - s * d;
}

static inline ck_prod
blend_darken (ck_prod s, ck_prod sa, ck_prod d, ck_prod da)
{
	ck_prod u = s * da, v = d * sa;

	return u < v ? u : v;
}

static inline ck_prod
blend_difference (ck_prod s, ck_prod sa, ck_prod d, ck_prod da)
{
	ck_prod u = s * da, v = d * sa;

	return u < v ? v - u : u - v;
}

static inline ck_prod
blend_hard_light (ck_prod s, ck_prod sa, ck_prod d, ck_prod da)
{
	if (2 * s < sa)
		return 2 * s * d;
	return sa * da - 2 * (da - d) * (sa - s);
}

static inline uint32_t
prod_to_byte (ck_prod v)
{
	if (v < 0)
		v = 0;
	if (v > 255 * 255)
		v = 255 * 255;
	return div255 ((uint32_t) v);
}

#define SEPARABLE_CHANNEL(name, CH) \
	prod_to_byte ((255 - sa) * (ck_prod) CH (d) + (255 - da) * (ck_prod) CH (s) \
		      + blend_##name ((ck_prod) CH (s), sa, (ck_prod) CH (d), da))

#define SEPARABLE(name)								\
static void									\
comb_##name##_u (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n) \
{										\
	int i;									\
										\
	for (i = 0; i < n; ++i)							\
	{									\
		uint32_t s = masked (src, mask, i);				\
		uint32_t d = *(dst + i);					\
		ck_prod sa = (ck_prod) ALPHA (s), da = (ck_prod) ALPHA (d);	\
		uint32_t ra, rr, rg, rb;					\
										\
		ra = prod_to_byte (sa * 255 + da * 255 - sa * da);		\
		rr = SEPARABLE_CHANNEL (name, RED);				\
		rg = SEPARABLE_CHANNEL (name, GREEN);				\
		rb = SEPARABLE_CHANNEL (name, BLUE);				\
		*(dst + i) = PACK (ra, rr, rg, rb);				\
	}									\
}

SEPARABLE (multiply)
SEPARABLE (screen)
SEPARABLE (darken)
SEPARABLE (difference)
SEPARABLE (hard_light)

/* ------------------------------------------------------------------ */
/* component alpha */

static void
comb_src_ca (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n)
{
	while (n-- > 0)
	{
		uint32_t m = *mask++, s = *src++;

		*dst = quad_add (quad_mul_quad (s, m), quad_mul_quad (*dst, ~m));
		dst++;
	}
}

static void
comb_over_ca (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n)
{
	int i;

	for (i = 0; i < n; ++i)
	{
		uint32_t s = src[i];
		uint32_t m = mask[i];
		uint32_t sa = ALPHA (s);
		uint32_t keep;

		if (m == 0)
			continue;
		if (m == 0xffffffffu && sa == 0xff)
		{
			dst[i] = s;
			continue;
		}
		keep = ~quad_mul (m, sa);
		dst[i] = quad_add (quad_mul_quad (s, m), quad_mul_quad (dst[i], keep));
	}
}

static void
comb_add_ca (uint32_t *dst, const uint32_t *src, const uint32_t *mask, int n)
{
	int i;

	for (i = 0; i < n; ++i)
		dst[i] = quad_add (dst[i], quad_mul_quad (src[i], mask[i]));
}

const ck_combine_fn _ck_combine_u[CK_N_OPS] =
{
	comb_src_u, comb_over_u, comb_in_u, comb_out_u, comb_atop_u, comb_xor_u, comb_add_u,
	comb_multiply_u, comb_screen_u, comb_darken_u, comb_difference_u, comb_hard_light_u,
};

/* NULL: falls back to the alpha of the mask */
const ck_combine_fn _ck_combine_ca[CK_N_OPS] =
{
	[CK_OP_SRC]	= comb_src_ca,
	[CK_OP_OVER]	= comb_over_ca,
	[CK_OP_ADD]	= comb_add_ca,
};
