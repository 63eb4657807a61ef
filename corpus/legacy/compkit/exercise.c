/* exercise.c - every loop of compkit over many sizes, a hash per group of cases */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compkit.h"

static uint64_t hash;
static uint32_t seed;

static void
hash_bytes (const void *p, size_t n)
{
	const uint8_t *b = p;

	while (n--)
	{
		hash ^= *b++;
		hash *= UINT64_C (1099511628211);
	}
}

static void
hash_int (int64_t v)
{
	hash_bytes (&v, sizeof v);
}

static void
begin (uint32_t s)
{
	hash = UINT64_C (14695981039346656037);
	seed = s * 2654435761u + 1;
}

static void
done (const char *fn, const char *what)
{
	printf ("%s %s %016" PRIx64 "\n", fn, what, hash);
}

static uint32_t
rnd (void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed;
}

static const int widths[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130, 211 };
#define N_WIDTHS ((int) (sizeof widths / sizeof widths[0]))
static const char *const format_names[] = { "argb32", "xrgb32", "bgr24", "rgb565", "a8", "a1" };
static const int bpp[] = { 32, 32, 24, 16, 8, 1 };
static const char *const op_names[] = { "src", "over", "in", "out", "atop", "xor", "add", "multiply", "screen",
					"darken", "difference", "hard_light" };

/* premultiplied pixels with many full and empty ones, unless wild */
static uint32_t
pixel (int wild)
{
	uint32_t v = rnd (), a = v >> 24, c[3];
	int i;

	if (wild)
		return v;
	switch (rnd () % 4)
	{
	case 0: return 0;
	case 1: return v | 0xff000000u;
	case 2: if (v & 1) return 0xffffffffu;
	}
	for (i = 0; i < 3; i++)
		c[i] = (v >> (8 * i) & 0xff) * a / 255;
	return a << 24 | c[2] << 16 | c[1] << 8 | c[0];
}

static ck_image *
make (ck_format f, int w, int h, int pad, int wild)
{
	int stride = ((w * bpp[f] + 31) / 32 + pad) * 4;
	ck_image *img = ck_image_new (f, w, h, stride);
	uint8_t *p;
	size_t i;

	if (!img)
		exit (1);
	p = ck_image_bits (img);
	for (i = 0; i < ck_image_size (img); i += 4)
	{
		uint32_t v = bpp[f] == 32 ? pixel (wild) : bpp[f] == 8 && i % 12 == 0 ? 0xff00ff40u : rnd ();

		if (bpp[f] == 32)
			*(uint32_t *) (p + i) = v;
		else
		{
			p[i] = v & 0xff;
			p[i + 1] = v >> 8 & 0xff;
			p[i + 2] = v >> 16 & 0xff;
			p[i + 3] = v >> 24;
		}
	}
	return img;
}

static void
hash_image (ck_image *img)
{
	hash_bytes (ck_image_bits (img), ck_image_size (img));
}

/* all heights 1 .. 9, one larger for the last width */
static int
next_size (int *w, int *h)
{
	static int wi, hi;

	if (*w < 0)
		wi = hi = 0;
	if (wi == N_WIDTHS)
		return 0;
	*w = widths[wi];
	*h = wi == N_WIDTHS - 1 ? 37 : hi + 1;
	if (wi == N_WIDTHS - 1 || ++hi == 9)
	{
		hi = 0;
		wi++;
	}
	return 1;
}

static void
combine_case (ck_op op, int mask_kind, const char *mask_name, int pad)
{
	char name[64];
	int w = -1, h;

	begin ((uint32_t) op * 7 + mask_kind);
	while (next_size (&w, &h))
	{
		ck_image *s = make (CK_ARGB32, w, h, pad, (w + h) % 3 == 0), *d = make (CK_ARGB32, w, h, 2 * pad, w % 5 == 0), *m = NULL;

		if (mask_kind == 1) m = make (CK_A8, w, h, pad, 0);
		if (mask_kind == 2) { m = make (CK_ARGB32, w, h, pad, h & 1); ck_image_set_component_alpha (m, 1); }
		if (mask_kind == 3) m = ck_image_solid (0x80402010u);
		hash_int (ck_composite (op, s, m, d, 0, 0, 0, 0, 0, 0, w, h));
		hash_image (d);
		hash_int (ck_composite (op, d, m, d, 0, 0, 0, 0, 0, 0, w, h));
		hash_image (d);
		ck_image_unref (s);
		ck_image_unref (m);
		ck_image_unref (d);
	}
	snprintf (name, sizeof name, "%s-mask%s", mask_name, pad ? "-padded" : "-tight");
	{
		char fn[64];

		snprintf (fn, sizeof fn, "comb_%s_%s", op_names[op], mask_kind == 2 ? "ca" : "u");
		done (fn, name);
	}
}

static void
access_case (ck_format from, ck_format to, int shift)
{
	char fn[64], name[64];
	int w = -1, h;

	begin (from * 17u + to);
	while (next_size (&w, &h))
	{
		ck_image *s = make (from, w + shift, h, 1, 1), *d = make (to, w + 5, h, 0, 1);

		hash_int (ck_composite (CK_OP_SRC, s, NULL, d, shift, 0, 0, 0, shift + 1, 0, w, h));
		hash_image (d);
		ck_image_unref (s);
		ck_image_unref (d);
	}
	snprintf (fn, sizeof fn, "fetch_%s", format_names[from]);
	snprintf (name, sizeof name, "store_%s-at-%d", format_names[to], shift);
	done (fn, name);
}

static void
flipped_case (void)
{
	int w = -1, h;

	begin (99);
	while (next_size (&w, &h))
	{
		ck_image *s = make (CK_RGB565, w, h, 0, 0), *d = make (CK_BGR24, w, h, 1, 0), *f;
		uint8_t *bits = ck_image_bits (s);
		ptrdiff_t stride = (ptrdiff_t) (ck_image_size (s) / h);

		f = ck_image_for_data (CK_RGB565, w, h, bits + (h - 1) * stride, -stride);
		hash_int (ck_composite (CK_OP_SRC, ck_image_ref (f), NULL, d, 0, 0, 0, 0, 0, 0, w, h));
		hash_image (d);
		ck_image_unref (f);
		ck_image_unref (f);
		ck_image_unref (s);
		ck_image_unref (d);
	}
	done ("general_composite", "negative-stride");
}

static void
clip_case (int fast)
{
	static const int off[][4] = { { 0, 0, 0, 0 }, { -3, -2, 1, 1 }, { 2, 1, -4, -1 }, { 5, 3, 0, 0 }, { 300, 0, 0, 0 }, { 0, 0, 1, 90 } };
	int w = -1, h, i;

	ck_set_fast_paths (fast);
	begin (5);
	while (next_size (&w, &h))
		for (i = 0; i < 6; i++)
		{
			ck_image *s = make (CK_ARGB32, w, h, 0, 0), *d = make (CK_ARGB32, w + 2, h + 1, 1, 0),
				 *m = make (CK_A8, w + 1, h, 0, 0), *a = make (CK_A8, w, h, 2, 0),
				 *r = make (CK_RGB565, w, h, 0, 0), *n = ck_image_solid (i & 1 ? 0xff104080u : 0x70102030u),
				 *z = ck_image_solid (0), *x = make (CK_XRGB32, w, h, 0, 1);
			const int *o = off[i];

			hash_int (ck_composite (CK_OP_OVER, n, m, d, 0, 0, o[0], o[1], o[2], o[3], w, h));
			hash_image (d);
			hash_int (ck_composite (CK_OP_OVER, z, m, d, 0, 0, o[0], o[1], o[2], o[3], w, h));
			hash_int (ck_composite (CK_OP_OVER, n, m, x, 0, 0, o[0], o[1], o[2], o[3], w, h));
			hash_image (x);
			hash_int (ck_composite (CK_OP_ADD, m, NULL, a, o[0], o[1], 0, 0, o[2], o[3], w, h));
			hash_image (a);
			hash_int (ck_composite (CK_OP_OVER, s, NULL, r, o[0], o[1], 0, 0, o[2], o[3], w, h));
			hash_image (r);
			hash_int (ck_composite (CK_OP_ATOP, s, m, d, o[0], o[1], o[2], o[3], 1, 0, w, h));
			hash_image (d);
			ck_image_unref (s);
			ck_image_unref (d);
			ck_image_unref (m);
			ck_image_unref (a);
			ck_image_unref (r);
			ck_image_unref (n);
			ck_image_unref (z);
			ck_image_unref (x);
		}
	done ("ck_composite", fast ? "fast-paths-clipped" : "general-clipped");
	ck_set_fast_paths (1);
}

static void
fast_case (int which)
{
	static const char *const names[] = { "fast_over_solid_a8_argb32", "fast_add_a8_a8", "fast_over_argb32_rgb565" };
	int w = -1, h;

	begin (200u + which);
	while (next_size (&w, &h))
	{
		ck_image *s = which == 0 ? ck_image_solid (w & 1 ? 0xc0402080u : 0xff123456u) : make (which == 1 ? CK_A8 : CK_ARGB32, w, h, 0, h & 1);
		ck_image *m = which == 0 ? make (CK_A8, w, h, 1, 0) : NULL;
		ck_image *d = make (which == 0 ? CK_ARGB32 : which == 1 ? CK_A8 : CK_RGB565, w, h, w % 3, 1);

		hash_int (ck_composite (which == 1 ? CK_OP_ADD : CK_OP_OVER, s, m, d, 0, 0, 0, 0, 0, 0, w, h));
		hash_image (d);
		ck_image_unref (s);
		ck_image_unref (m);
		ck_image_unref (d);
	}
	done (names[which], "whole");
}

static void
other_cases (void)
{
	static const ck_stop stops[] = { { 3000, 0xff0000ffu }, { 20000, 0x40ff8000u }, { 20000, 0xffffffffu }, { 60000, 0x00123456u } };
	int w, h, i, k;

	for (k = 0; k < 2; k++)
	{
		begin (40);
		w = -1;
		while (next_size (&w, &h))
		{
			ck_image *a = make (CK_ARGB32, w, h, h % 3, 1), *b = make (CK_A8, w, h, 0, 0);

			hash_int (k ? ck_unpremultiply (a) : ck_premultiply (a));
			hash_int (k ? ck_unpremultiply (b) : ck_premultiply (b));
			hash_image (a);
			ck_image_unref (a);
			ck_image_unref (b);
		}
		done (k ? "ck_unpremultiply" : "ck_premultiply", "argb32");
	}
	hash_int (ck_premultiply (NULL));

	for (k = 0; k < CK_N_FORMATS; k++)
	{
		begin (50u + k);
		w = -1;
		while (next_size (&w, &h))
			for (i = 0; i < 4; i++)
			{
				ck_image *d = make ((ck_format) k, w, h, i, 0);

				hash_int (ck_fill_rect (d, i - 2, 1 - i, i == 3 ? 1000 : w, h, rnd ()));
				hash_image (d);
				ck_image_unref (d);
			}
		done ("ck_fill_rect", format_names[k]);
	}

	for (k = 0; k < 2; k++)
	{
		begin (60);
		for (i = 0; i < N_WIDTHS; i++)
		{
			int32_t delta[256];
			uint8_t row[256];

			memset (row, 0xee, sizeof row);
			for (h = 0; h < 9; h++)
			{
				for (w = 0; w < widths[i]; w++)
					delta[w] = rnd () % 3 ? 0 : (int32_t) (rnd () % 1025) - 512;
				ck_coverage_row (delta, row, widths[i], k);
				hash_bytes (row, sizeof row);
			}
		}
		done ("ck_coverage_row", k ? "even-odd" : "winding");
	}

	for (k = 0; k < 2; k++)
	{
		begin (70);
		for (i = 0; i < N_WIDTHS; i++)
			for (h = 1; h < 9; h++)
			{
				uint8_t row[600], out[1200];
				int n = widths[i] * 600 / 211;

				memset (out, 0x55, sizeof out);
				for (w = 0; w < n; w++)
					row[w] = w && rnd () % (uint32_t) (h * h) ? row[w - 1] : (uint8_t) rnd ();
				hash_int ((int64_t) ck_rle_encode (row, n, out, k ? 31 : sizeof out));
				hash_bytes (out, sizeof out);
			}
		done ("ck_rle_encode", k ? "short-buffer" : "roomy");
	}

	for (k = 0; k < 3; k++)
	{
		static const unsigned gammas[] = { 256, 100, 1000 };
		static const char *const names[] = { "linear", "soft", "hard" };

		begin (80u + k);
		w = -1;
		while (next_size (&w, &h))
		{
			ck_image *m = make (CK_A8, w, h, w % 2, 0);

			hash_int (ck_mask_scale (m, 200 + k * 20, gammas[k]));
			hash_image (m);
			hash_int (ck_mask_scale (m, 256, 0));
			ck_image_unref (m);
		}
		done ("ck_mask_scale", names[k]);
	}

	for (k = 0; k < 3; k++)
	{
		static const char *const names[] = { "pad", "repeat", "reflect" };

		begin (90);
		w = -1;
		while (next_size (&w, &h))
			for (i = 0; i < CK_N_FORMATS; i += 2)
			{
				ck_image *d = make ((ck_format) i, w, h, i, 0);

				hash_int (ck_linear_gradient (d, stops, 4, -5000, 1500, -900 * i, (ck_spread) k));
				hash_image (d);
				hash_int (ck_linear_gradient (d, stops, 1, -70000, 3, 40000, (ck_spread) k));
				hash_image (d);
				ck_image_unref (d);
			}
		done ("ck_linear_gradient", names[k]);
	}
}

int
main (void)
{
	int op, f, t;

	for (op = 0; op < CK_N_OPS; op++)
		for (t = 0; t < 2; t++)
		{
			combine_case ((ck_op) op, 0, "no", t);
			combine_case ((ck_op) op, 1, "a8", t);
			combine_case ((ck_op) op, 3, "solid", t);
			if (op == CK_OP_SRC || op == CK_OP_OVER || op == CK_OP_ADD)
				combine_case ((ck_op) op, 2, "component", t);
		}
	for (f = 0; f < CK_N_FORMATS; f++)
		for (t = 0; t < CK_N_FORMATS; t++)
			access_case ((ck_format) f, (ck_format) t, (f + t) % 4);
	flipped_case ();
	for (t = 0; t < 3; t++)
		fast_case (t);
	clip_case (1);
	clip_case (0);
	other_cases ();
	return 0;
}
