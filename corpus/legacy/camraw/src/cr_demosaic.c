/*
 * cr_demosaic.c - Bayer to RGB, three qualities
 */
#include "cr_internal.h"

static int sizes_differ(const struct cr_raw *raw, const struct cr_rgb16 *rgb)
{
	return cr_raw_bad(raw) || !rgb || !rgb->pix ||
	       rgb->width != raw->width || rgb->height != raw->height ||
	       rgb->stride < 3 * rgb->width;
}

/* viewfinder: one RGB pixel from each complete 2 x 2 cell */
int cr_demosaic_half(const struct cr_raw *raw, struct cr_rgb16 *rgb)
{
	u32 x, y;

	if (cr_raw_bad(raw) || !rgb || !rgb->pix)
		return -EINVAL;
	if (rgb->width != raw->width / 2 || rgb->height != raw->height / 2)
		return -EINVAL;

	for (y = 0; y < rgb->height; y++) {
		const u16 *s[2] = { RAW_ROW(raw, 2 * y), RAW_ROW(raw, 2 * y + 1) };
		u16 *d = rgb->pix + (size_t)y * rgb->stride;

		for (x = 0; x < rgb->width; x++) {
			u32 c[4];

			c[0 ^ raw->cfa] = s[0][0];
			c[1 ^ raw->cfa] = s[0][1];
			c[2 ^ raw->cfa] = s[1][0];
			c[3 ^ raw->cfa] = s[1][1];
			*d++ = (u16)c[0];
			*d++ = (u16)((c[1] + c[2] + 1) >> 1);
			*d++ = (u16)c[3];
			s[0] += 2;
			s[1] += 2;
		}
	}
	return 0;
}

int cr_demosaic_linear(const struct cr_raw *raw, struct cr_rgb16 *rgb)
{
	s32 x, y, w, h;

	if (sizes_differ(raw, rgb))
		return -EINVAL;
	w = (s32)raw->width;
	h = (s32)raw->height;

	for (y = 0; y < h; y++) {
		const u16 *up = RAW_ROW(raw, cr_reflect(y - 1, h));
		const u16 *md = RAW_ROW(raw, y);
		const u16 *dn = RAW_ROW(raw, cr_reflect(y + 1, h));
		u16 *d = rgb->pix + (size_t)y * rgb->stride;

		for (x = 0; x < w; x++, d += 3) {
			const s32 l = cr_reflect(x - 1, w);
			const s32 r = cr_reflect(x + 1, w);
			const u32 hor = (u32)(md[l] + md[r] + 1) >> 1;
			const u32 ver = (u32)(up[x] + dn[x] + 1) >> 1;
			u32 crs, dia;

			switch (PHASE(raw, x, y)) {
			case 0:		/* R */
			case 3:		/* B */
				crs = (u32)(md[l] + md[r] + up[x] + dn[x] + 2) >> 2;
				dia = (u32)(up[l] + up[r] + dn[l] + dn[r] + 2) >> 2;
				d[1] = (u16)crs;
				if (PHASE(raw, x, y) == 0) {
					d[0] = md[x];
					d[2] = (u16)dia;
				} else {
					d[0] = (u16)dia;
					d[2] = md[x];
				}
				break;
			case 1:		/* G beside R */
				d[0] = (u16)hor;
				d[1] = md[x];
				d[2] = (u16)ver;
				break;
			default:	/* G beside B */
				d[0] = (u16)ver;
				d[1] = md[x];
				d[2] = (u16)hor;
				break;
			}
		}
	}
	return 0;
}

/* a green sample is where the two low phase bits differ */
#define IS_GREEN(raw, x, y)	(PHASE(raw, x, y) == 1 || PHASE(raw, x, y) == 2)

/*
 * Green along the weaker gradient first, then red and blue by the differences
 * to green.
 */
int cr_demosaic_edge(const struct cr_raw *raw, struct cr_rgb16 *rgb)
{
	const s32 max = cr_raw_bad(raw) ? 0 : (s32)RAW_MAX(raw);
	s32 x, y, w, h, i;
	u16 *green;
	int ret = 0;

	if (sizes_differ(raw, rgb))
		return -EINVAL;
	w = (s32)raw->width;
	h = (s32)raw->height;
	if (!w || !h)
		return 0;
	green = malloc(sizeof(*green) * (size_t)w * h);
	if (!green)
		return -ENOMEM;
	if (w < 2 || h < 2) {
		ret = cr_demosaic_linear(raw, rgb);
		goto out;
	}

	for (y = 0; y < h; y++) {
		const u16 *row[5];
		u16 *g = green + (size_t)y * w;

		for (i = 0; i < 5; i++)
			row[i] = RAW_ROW(raw, cr_reflect(y + i - 2, h));
		for (x = 0; x < w; x++) {
			s32 l, r, c2, hg, vg, dh, dv, hl, vl;

			if (IS_GREEN(raw, x, y)) {
				g[x] = row[2][x];
				continue;
			}
			l = row[2][cr_reflect(x - 1, w)];
			r = row[2][cr_reflect(x + 1, w)];
			c2 = 2 * row[2][x];
			hl = c2 - row[2][cr_reflect(x - 2, w)] -
			     row[2][cr_reflect(x + 2, w)];
			vl = c2 - row[0][x] - row[4][x];
			dh = abs(l - r) + abs(hl);
			dv = abs(row[1][x] - row[3][x]) + abs(vl);
			hg = (2 * (l + r) + hl) / 4;
			vg = (2 * (row[1][x] + row[3][x]) + vl) / 4;
			if (dh < dv)
				vg = hg;
			else if (dv < dh)
				hg = vg;
			g[x] = (u16)clamp_t(s32, (hg + vg) / 2, 0, max);
		}
	}

#define DIFF(xx, yy)	((s32)RAW_ROW(raw, yy)[xx] - green[(size_t)(yy) * w + (xx)])
	for (y = 0; y < h; y++) {
		const s32 u = cr_reflect(y - 1, h), d = cr_reflect(y + 1, h);
		u16 *o = rgb->pix + (size_t)y * rgb->stride;

		for (x = 0; x < w; x++, o += 3) {
			const s32 l = cr_reflect(x - 1, w);
			const s32 r = cr_reflect(x + 1, w);
			const s32 g = green[(size_t)y * w + x];
			const u32 ph = PHASE(raw, x, y);
			s32 a, b;

			o[1] = (u16)g;
			if (ph == 0 || ph == 3) {
				a = RAW_ROW(raw, y)[x];
				b = g + (DIFF(l, u) + DIFF(r, u) +
					 DIFF(l, d) + DIFF(r, d)) / 4;
			} else {
				a = g + (DIFF(l, y) + DIFF(r, y)) / 2;
				b = g + (DIFF(x, u) + DIFF(x, d)) / 2;
			}
			/* a is the colour of this row */
			o[ph < 2 ? 0 : 2] = (u16)clamp_t(s32, a, 0, max);
			o[ph < 2 ? 2 : 0] = (u16)clamp_t(s32, b, 0, max);
		}
	}
#undef DIFF
out:
	free(green);
	return ret;
}
