/* ck-access.c - scanlines from and to each format
 *
 * A fetcher gives n pixels starting at (x, y) as premultiplied words; a storer takes them.
 * The caller has clipped already.
 */
#include "ck-private.h"

static void
fetch_argb32 (const ck_image *img, int x, int y, int n, uint32_t *out)
{
	const uint32_t *p = (const uint32_t *) ROW (img, y) + x;

	memcpy (out, p, (size_t) n * sizeof *out);
}

static void
fetch_xrgb32 (const ck_image *img, int x, int y, int n, uint32_t *out)
{
	const uint32_t *p = (const uint32_t *) ROW (img, y) + x;
	const uint32_t *end = p + n;

	while (p < end)
		*out++ = *p++ | 0xff000000u;
}

static void
fetch_bgr24 (const ck_image *img, int x, int y, int n, uint32_t *out)
{
	const uint8_t *p = ROW (img, y) + x * 3;
	int i;

	for (i = 0; i < n; i++)
	{
		uint32_t b = *p++;
		uint32_t g = *p++;
		uint32_t r = *p++;

		*out++ = 0xff000000u | r << 16 | g << 8 | b;
	}
}

static void
fetch_rgb565 (const ck_image *img, int x, int y, int n, uint32_t *out)
{
	const uint16_t *p = (const uint16_t *) ROW (img, y) + x;

	while (n--)
	{
		uint32_t v = *p++;
		uint32_t r = (v & 0xf800) << 8 | (v & 0xe000) << 3;
		uint32_t g = (v & 0x07e0) << 5 | (v & 0x0600) >> 1;
		uint32_t b = (v & 0x001f) << 3 | (v & 0x001c) >> 2;

		*out++ = 0xff000000u | r | (g & 0xff00) | b;
	}
}

static void
fetch_a8 (const ck_image *img, int x, int y, int n, uint32_t *out)
{
	const uint8_t *p = ROW (img, y) + x;
	int i;

	for (i = 0; i < n; ++i)
		out[i] = (uint32_t) p[i] << 24;
}

static void
fetch_a1 (const ck_image *img, int x, int y, int n, uint32_t *out)
{
	const uint8_t *row = ROW (img, y);
	int i;

	for (i = 0; i < n; ++i)
	{
		int at = x + i;

		out[i] = (row[at >> 3] >> (at & 7)) & 1 ? 0xff000000u : 0;
	}
}

static void
store_argb32 (ck_image *img, int x, int y, int n, const uint32_t *in)
{
	uint32_t *p = (uint32_t *) ROW (img, y) + x;
	int i;

	for (i = 0; i < n; i++)
		p[i] = in[i];
}

static void
store_xrgb32 (ck_image *img, int x, int y, int n, const uint32_t *in)
{
	uint32_t *p = (uint32_t *) ROW (img, y) + x;

	for (; n > 0; n--)
		*p++ = *in++ & 0x00ffffffu;
}

static void
store_bgr24 (ck_image *img, int x, int y, int n, const uint32_t *in)
{
	uint8_t *p = ROW (img, y) + x * 3;

	while (n-- > 0)
	{
		uint32_t v = *in++;

		p[0] = v & 0xff;
		p[1] = (v >> 8) & 0xff;
		p[2] = (v >> 16) & 0xff;
		p += 3;
	}
}

static void
store_rgb565 (ck_image *img, int x, int y, int n, const uint32_t *in)
{
	uint16_t *p = (uint16_t *) ROW (img, y) + x;
	int i;

	for (i = 0; i < n; ++i)
	{
		uint32_t v = in[i];

		p[i] = (uint16_t) (((v >> 8) & 0xf800) | ((v >> 5) & 0x07e0) | ((v >> 3) & 0x001f));
	}
}

static void
store_a8 (ck_image *img, int x, int y, int n, const uint32_t *in)
{
	uint8_t *p = ROW (img, y) + x;

	while (n--)
		*p++ = *in++ >> 24;
}

/* read, modify, write: the neighbours in the first and last byte survive */
static void
store_a1 (ck_image *img, int x, int y, int n, const uint32_t *in)
{
	uint8_t *row = ROW (img, y);
	int i;

	for (i = 0; i < n; ++i)
	{
		uint8_t bit = (uint8_t) (1u << ((x + i) & 7));
		uint8_t *p = row + ((x + i) >> 3);

		if (in[i] & 0x80000000u)
			*p |= bit;
		else
			*p &= (uint8_t) ~bit;
	}
}

const ck_accessors _ck_accessors[CK_N_FORMATS] =
{
	{ fetch_argb32,	store_argb32,	32 },
	{ fetch_xrgb32,	store_xrgb32,	32 },
	{ fetch_bgr24,	store_bgr24,	24 },
	{ fetch_rgb565,	store_rgb565,	16 },
	{ fetch_a8,	store_a8,	8 },
	{ fetch_a1,	store_a1,	1 },
};
