/* ck-gradient.c - linear gradients through a table of 256 premultiplied colours */
#include "ck-private.h"

#define STEPS 256

static uint32_t
mix (uint32_t a, uint32_t b, uint32_t t)	/* t 0 .. 255 */
{
	return quad_add (quad_mul (a, 255 - t), quad_mul (b, t));
}

static void
build_table (uint32_t *table, const ck_stop *stops, int n)
{
	int i, k = 0;

	for (i = 0; i < STEPS; ++i)
	{
		uint32_t pos = (uint32_t) i * 65536u / (STEPS - 1), c;

		while (k < n && stops[k].pos <= pos)
			k++;
		if (k == 0)
			c = stops[0].argb;
		else if (k == n)
			c = stops[n - 1].argb;
		else
		{
			uint32_t span = stops[k].pos - stops[k - 1].pos;

			c = mix (stops[k - 1].argb, stops[k].argb, (pos - stops[k - 1].pos) * 255u / span);
		}
		table[i] = quad_mul (c | 0xff000000u, ALPHA (c));
	}
}

/* The parameter at pixel (x, y) is x0 + x * dx + y * dy, 16.16, one period = 65536. */
ck_status
ck_linear_gradient (ck_image *dst, const ck_stop *stops, int n_stops,
		    int32_t x0, int32_t dx_q16, int32_t dy_q16, ck_spread spread)
{
	uint32_t table[STEPS];
	uint32_t *line;
	int64_t t0 = x0;
	int x, y;

	if (!dst || dst->is_solid || !stops || n_stops < 1)
		return CK_ERR_ARG;
	for (x = 1; x < n_stops; ++x)
		if (stops[x].pos < stops[x - 1].pos || stops[x].pos > 65536)
			return CK_ERR_ARG;
	line = malloc ((size_t) (dst->width + 1) * sizeof *line);
	if (!line)
		return CK_ERR_NOMEM;
	build_table (table, stops, n_stops);

	for (y = 0; y < dst->height; ++y, t0 += dy_q16)
	{
		int64_t t = t0;

		switch (spread)
		{
		case CK_SPREAD_PAD:
			for (x = 0; x < dst->width; ++x, t += dx_q16)
			{
				int64_t c = t < 0 ? 0 : t > 65535 ? 65535 : t;

				line[x] = table[c >> 8];
			}
			break;
		case CK_SPREAD_REPEAT:
			for (x = 0; x < dst->width; ++x, t += dx_q16)
				line[x] = table[(t & 0xffff) >> 8];
			break;
		case CK_SPREAD_REFLECT:
			for (x = 0; x < dst->width; ++x, t += dx_q16)
			{
				uint32_t c = (uint32_t) (t & 0x1ffff);

				if (c & 0x10000)
					c ^= 0x1ffff;
				line[x] = table[c >> 8];
			}
			break;
		}
		dst->store (dst, 0, y, dst->width, line);
	}
	free (line);
	return CK_OK;
}
