/* ck-fast.c - the combinations that are worth a loop of their own */
#include "ck-private.h"

/* solid OVER words, through an 8-bit mask: text */
static void
fast_over_solid_a8_argb32 (const ck_rects *r)
{
	const uint32_t src = r->src->solid;
	const uint32_t sa = ALPHA (src);
	int h = r->h;

	if (src == 0)
		return;

	/* bottom row first */
	while (h--)
	{
		uint32_t *d = (uint32_t *) ROW (r->dst, r->dy + h) + r->dx;
		const uint8_t *m = ROW (r->mask, r->my + h) + r->mx;
		int w = r->w;

		while (w--)
		{
			uint32_t cov = *m++;

			if (cov == 0xff)
			{
				if (sa == 0xff)
					*d = src;
				else
					*d = quad_add (src, quad_mul (*d, 255 - sa));
			}
			else if (cov)
			{
				uint32_t s = quad_mul (src, cov);

				*d = quad_add (s, quad_mul (*d, 255 - ALPHA (s)));
			}
			d++;
		}
	}
}

/* a8 ADD a8, how glyph masks are put together */
static void
fast_add_a8_a8 (const ck_rects *r)
{
	int x, y;

	for (y = 0; y < r->h; ++y)
	{
		const uint8_t *s = ROW (r->src, r->sy + y) + r->sx;
		uint8_t *d = ROW (r->dst, r->dy + y) + r->dx;

		for (x = 0; x < r->w; ++x)
		{
			unsigned t = d[x] + s[x];

			d[x] = (uint8_t) (t | (0 - (t >> 8)));
		}
	}
}

/* words OVER 565, no mask */
static void
fast_over_argb32_rgb565 (const ck_rects *r)
{
	int y;

	for (y = 0; y < r->h; ++y)
	{
		const uint32_t *s = (const uint32_t *) ROW (r->src, r->sy + y) + r->sx;
		uint16_t *d = (uint16_t *) ROW (r->dst, r->dy + y) + r->dx;
		uint16_t *const end = d + r->w;

		for (; d != end; ++d, ++s)
		{
			uint32_t p = *s, a = ALPHA (p), q;

			if (a == 0 && p == 0)
				continue;
			if (a != 0xff)
			{
				q = *d;
				q = PACK (0xff,
					  (q >> 8 & 0xf8) | (q >> 13),
					  (q >> 3 & 0xfc) | (q >> 9 & 0x03),
					  (q << 3 & 0xf8) | (q >> 2 & 0x07));
				p = quad_add (p, quad_mul (q, 255 - a));
			}
			*d = (uint16_t) ((p >> 8 & 0xf800) | (p >> 5 & 0x07e0) | (p >> 3 & 0x001f));
		}
	}
}

typedef struct
{
	ck_op		op;
	int		src;		/* format, or one of the two below */
	int		mask;
	int		dst;
	ck_fast_fn	func;
} fast_entry;

#define SOLID	(-1)
#define NONE	(-2)

static const fast_entry table[] =
{
	{ CK_OP_OVER,	SOLID,		CK_A8,	CK_ARGB32,	fast_over_solid_a8_argb32 },
	{ CK_OP_OVER,	SOLID,		CK_A8,	CK_XRGB32,	NULL },	/* x bits would be written */
	{ CK_OP_ADD,	CK_A8,		NONE,	CK_A8,		fast_add_a8_a8 },
	{ CK_OP_OVER,	CK_ARGB32,	NONE,	CK_RGB565,	fast_over_argb32_rgb565 },
};

ck_fast_fn
_ck_find_fast (ck_op op, const ck_image *src, const ck_image *mask, const ck_image *dst)
{
	size_t i;
	int s = src->is_solid ? SOLID : (int) src->format;
	int m = mask ? (int) mask->format : NONE;

	if (mask && (mask->is_solid || mask->component_alpha))
		return NULL;
	for (i = 0; i < sizeof table / sizeof table[0]; ++i)
		if (table[i].op == op && table[i].src == s && table[i].mask == m && table[i].dst == (int) dst->format)
			return table[i].func;
	return NULL;
}

/* fills by depth; the colour is premultiplied. Clips. */
ck_status
ck_fill_rect (ck_image *dst, int x, int y, int width, int height, uint32_t premul)
{
	int i, j;

	if (!dst || dst->is_solid || width < 0 || height < 0)
		return CK_ERR_ARG;
	if (x < 0) { width += x; x = 0; }
	if (y < 0) { height += y; y = 0; }
	if (width > dst->width - x) width = dst->width - x;
	if (height > dst->height - y) height = dst->height - y;
	if (width <= 0 || height <= 0)
		return CK_OK;

	switch (_ck_accessors[dst->format].bpp)
	{
	case 8:
		for (i = 0; i < height; ++i)
			memset (ROW (dst, y + i) + x, (int) (premul >> 24), (size_t) width);
		break;
	case 16:
	{
		uint16_t v = (uint16_t) ((premul >> 8 & 0xf800) | (premul >> 5 & 0x07e0) | (premul >> 3 & 0x1f));

		for (i = 0; i < height; ++i)
		{
			uint16_t *p = (uint16_t *) ROW (dst, y + i) + x;

			for (j = 0; j < width; ++j)
				p[j] = v;
		}
		break;
	}
	case 32:
		if (dst->format == CK_XRGB32)
			premul &= 0x00ffffffu;
		for (i = 0; i < height; ++i)
		{
			uint32_t *p = (uint32_t *) ROW (dst, y + i) + x;

			/* four at a time, then the rest */
			for (j = width; j >= 4; j -= 4, p += 4)
			{
				p[0] = premul;
				p[1] = premul;
				p[2] = premul;
				p[3] = premul;
			}
			while (j-- > 0)
				*p++ = premul;
		}
		break;
	default:
		return CK_ERR_FORMAT;
	}
	return CK_OK;
}
