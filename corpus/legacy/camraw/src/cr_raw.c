/*
 * cr_raw.c - everything in the Bayer domain
 */
#include "cr_internal.h"

/* four pixels in five bytes: the high bits, then all the low bits */
int cr_unpack10(const u8 *src, u32 src_stride, struct cr_raw *dst)
{
	u32 x, y;

	if (!src || cr_raw_bad(dst) || dst->bits != 10)
		return -EINVAL;
	if (src_stride < (dst->width + 3) / 4 * 5)
		return -EINVAL;

	for (y = 0; y < dst->height; y++) {
		const u8 *s = src + (size_t)y * src_stride;
		u16 *d = RAW_ROW(dst, y);

		for (x = 0; x + 4 <= dst->width; x += 4, s += 5) {
			u32 low = s[4];

			d[x + 0] = (u16)(s[0] << 2 | (low & 3));
			d[x + 1] = (u16)(s[1] << 2 | (low >> 2 & 3));
			d[x + 2] = (u16)(s[2] << 2 | (low >> 4 & 3));
			d[x + 3] = (u16)(s[3] << 2 | (low >> 6 & 3));
		}
		if (x < dst->width) {
			u32 low = s[4], i;

			for (i = 0; x < dst->width; i++, x++, low >>= 2)
				d[x] = (u16)(s[i] << 2 | (low & 3));
		}
	}
	return 0;
}

/* two pixels in three bytes */
int cr_unpack12(const u8 *src, u32 src_stride, struct cr_raw *dst)
{
	u32 y;

	if (!src || cr_raw_bad(dst) || dst->bits != 12)
		return -EINVAL;
	if (src_stride < (dst->width * 3 + 1) / 2)
		return -EINVAL;

	for (y = 0; y < dst->height; y++, src += src_stride) {
		const u8 *s = src;
		u16 *d = RAW_ROW(dst, y);
		u32 pairs = dst->width >> 1;

		while (pairs--) {
			*d++ = (u16)(s[0] | (s[1] & 0x0f) << 8);
			*d++ = (u16)(s[1] >> 4 | s[2] << 4);
			s += 3;
		}
		if (dst->width & 1)
			*d = (u16)(s[0] | (s[1] & 0x0f) << 8);
	}
	return 0;
}

/*
 * Differential code, one byte a pixel, for the frame dump. Each colour of a
 * row has its own predictor, which follows what the decoder will see.
 */
int cr_dpcm_encode(const struct cr_raw *src, u8 *dst, u32 dst_stride)
{
	u32 x, y;

	if (cr_raw_bad(src) || !dst || dst_stride < src->width)
		return -EINVAL;

	for (y = 0; y < src->height; y++) {
		const u16 *s = RAW_ROW(src, y);
		u8 *d = dst + (size_t)y * dst_stride;
		s32 pred[2];

		pred[0] = pred[1] = 1 << (src->bits - 1);
		for (x = 0; x < src->width; x++) {
			s32 diff = s[x] - pred[x & 1];
			s32 mag = diff < 0 ? -diff : diff;
			u32 code;

			if (mag < 32) {
				code = (u32)mag;
			} else {
				code = 32 + ((u32)(mag - 32) >> (src->bits - 5));
				if (code > 127)
					code = 127;
				mag = 32 + (s32)((code - 32) << (src->bits - 5));
			}
			d[x] = (u8)(code | (diff < 0 ? 0x80 : 0));
			pred[x & 1] += diff < 0 ? -mag : mag;
		}
	}
	return 0;
}

/* subtracts per phase and stretches the rest back to full scale */
int cr_black_level(struct cr_raw *raw, const u16 black[4])
{
	u32 scale[4], x, y, i;

	if (cr_raw_bad(raw))
		return -EINVAL;
	for (i = 0; i < 4; i++) {
		if (black[i] >= RAW_MAX(raw))
			return -ERANGE;
		scale[i] = (RAW_MAX(raw) << 12) / (RAW_MAX(raw) - black[i]);
	}

	for (y = 0; y < raw->height; y++) {
		u16 *p = RAW_ROW(raw, y);
		const u32 ph0 = PHASE(raw, 0, y), ph1 = PHASE(raw, 1, y);

		for (x = 0; x < raw->width; x++) {
			u32 ph = x & 1 ? ph1 : ph0;
			u32 v = p[x];

			v = v > black[ph] ? v - black[ph] : 0;
			v = (u32)(((u64)v * scale[ph] + 2048) >> 12);
			p[x] = (u16)min_t(u32, v, RAW_MAX(raw));
		}
	}
	return 0;
}

/* the mean of the masked columns of a row goes to target, the row with it */
int cr_row_noise(struct cr_raw *raw, u32 ob_cols, u32 target)
{
	u32 y;

	if (cr_raw_bad(raw) || ob_cols > raw->width)
		return -EINVAL;
	if (ob_cols == 0)
		return 0;

	for (y = 0; y < raw->height; y++) {
		u16 *p = RAW_ROW(raw, y), *end = p + raw->width;
		u32 sum = 0, i;
		s32 shift;

		for (i = 0; i < ob_cols; i++)
			sum += p[i];
		shift = (s32)target - (s32)((sum + ob_cols / 2) / ob_cols);
		if (!shift)
			continue;
		for (; p < end; p++)
			*p = (u16)clamp_t(s32, *p + shift, 0,
					  (s32)RAW_MAX(raw));
	}
	return 0;
}

/* defects from the calibration list: mean of the same colour left and right,
 * above and below where a row has no neighbours */
int cr_bpc_static(struct cr_raw *raw, const struct cr_defect *list, u32 n)
{
	u32 i, done = 0;

	if (cr_raw_bad(raw) || (n && !list))
		return -EINVAL;

	for (i = 0; i < n; i++) {
		const u32 x = list[i].x, y = list[i].y;
		u32 sum = 0, cnt = 0;
		u16 *p;

		if (x >= raw->width || y >= raw->height)
			continue;
		p = RAW_ROW(raw, y) + x;
		if (x >= 2) {
			sum += p[-2];
			cnt++;
		}
		if (x + 2 < raw->width) {
			sum += p[2];
			cnt++;
		}
		if (!cnt && y >= 2) {
			sum += RAW_ROW(raw, y - 2)[x];
			cnt++;
		}
		if (cnt) {
			*p = (u16)(sum / cnt);
			done++;
		}
	}
	return (int)done;
}

/*
 * In place. The originals of rows y - 2, y - 1 and y are kept in a ring of
 * three lines; the rows below have not been touched yet.
 */
int cr_bpc_dynamic(struct cr_raw *raw, u32 threshold, u32 *fixed)
{
	u16 *mem, *ring[3];
	u32 count = 0;
	s32 w, h, x, y;

	if (cr_raw_bad(raw))
		return -EINVAL;
	w = (s32)raw->width;
	h = (s32)raw->height;
	mem = malloc(3 * sizeof(*mem) * (raw->width + 1));
	if (!mem)
		return -ENOMEM;
	for (x = 0; x < 3; x++)
		ring[x] = mem + (size_t)x * raw->width;

	for (y = 0; y < h; y++) {
		u16 *out = RAW_ROW(raw, y);
		u16 *cur = ring[y % 3];
		const u16 *up, *dn;

		memcpy(cur, out, sizeof(*cur) * raw->width);
		up = y >= 2 ? ring[(y - 2) % 3] : NULL;
		dn = y + 2 < h ? RAW_ROW(raw, y + 2) : NULL;
		if (!up)
			up = dn ? dn : cur;
		if (!dn)
			dn = up;

		for (x = 0; x < w; x++) {
			const u32 l = cur[cr_reflect(x - 2, w)];
			const u32 r = cur[cr_reflect(x + 2, w)];
			const u32 c = cur[x];
			u32 hi = max_t(u32, max_t(u32, l, r),
				       max_t(u32, up[x], dn[x]));
			u32 lo = min_t(u32, min_t(u32, l, r),
				       min_t(u32, up[x], dn[x]));

			if (c > hi + threshold) {
				out[x] = (u16)hi;
				count++;
			} else if (c + threshold < lo) {
				out[x] = (u16)lo;
				count++;
			}
		}
	}
	if (fixed)
		*fixed = count;
	free(mem);
	return 0;
}

/* bilinear in the gain grid, positions in 32.32 */
int cr_lsc_apply(struct cr_raw *raw, const struct cr_lsc *lsc)
{
	s64 step_x, step_y, pos_y;
	u32 x, y;

	if (cr_raw_bad(raw) || !lsc)
		return -EINVAL;
	if (lsc->gw < 2 || lsc->gh < 2 || lsc->gw > 1024 || lsc->gh > 1024)
		return -EINVAL;
	step_x = ((s64)(lsc->gw - 1) << 32) / max_t(s64, (s64)raw->width - 1, 1);
	step_y = ((s64)(lsc->gh - 1) << 32) / max_t(s64, (s64)raw->height - 1, 1);

	for (y = 0, pos_y = 0; y < raw->height; y++, pos_y += step_y) {
		u32 iy = min_t(u32, pos_y >> 32, lsc->gh - 2);
		u32 fy = (u32)min_t(s64, (pos_y - ((s64)iy << 32)) >> 16, 65536);
		u16 *p = RAW_ROW(raw, y);
		s64 pos_x = 0;

		for (x = 0; x < raw->width; x++, pos_x += step_x) {
			const u16 *g = lsc->gain[PHASE(raw, x, y)];
			u32 ix, fx, top, bot;
			u64 gain;

			if (!g)
				continue;
			ix = min_t(u32, pos_x >> 32, lsc->gw - 2);
			fx = (u32)min_t(s64, (pos_x - ((s64)ix << 32)) >> 16,
					65536);
			g += iy * lsc->gw + ix;
			top = (u32)(((u64)g[0] * (65536 - fx) +
				     (u64)g[1] * fx) >> 16);
			g += lsc->gw;
			bot = (u32)(((u64)g[0] * (65536 - fx) +
				     (u64)g[1] * fx) >> 16);
			gain = ((u64)top * (65536 - fy) + (u64)bot * fy) >> 16;
			p[x] = (u16)min_t(u64, (p[x] * gain + 2048) >> 12,
					  RAW_MAX(raw));
		}
	}
	return 0;
}

/* Q12 gains, two phases a row, pixels in pairs */
int cr_wb_apply(struct cr_raw *raw, const struct cr_gains *gains)
{
	const u32 max = cr_raw_bad(raw) ? 0 : RAW_MAX(raw);
	u32 y, n;

	if (!max || !gains)
		return -EINVAL;
	for (n = 0; n < 4; n++)
		if (gains->g[n] > 0xffff)
			return -ERANGE;

	for (y = 0; y < raw->height; y++) {
		const u32 g0 = gains->g[PHASE(raw, 0, y)];
		const u32 g1 = gains->g[PHASE(raw, 1, y)];
		u16 *p = RAW_ROW(raw, y);

		for (n = raw->width; n >= 2; n -= 2) {
			u32 a = (p[0] * g0) >> 12;
			u32 b = (p[1] * g1) >> 12;

			*p++ = (u16)(a > max ? max : a);
			*p++ = (u16)(b > max ? max : b);
		}
		if (n)
			*p = (u16)min_t(u32, (*p * g0) >> 12, max);
	}
	return 0;
}
