/*
 * cr_nr_tmpl.h - included by cr_nr.c once per pixel type
 *
 * NR_NAME	function
 * NR_PIXEL	u8 or u16
 * NR_STEP	distance of the neighbours (2 within a Bayer mosaic)
 */

/* weights of the differences from lut[], eight neighbours, the middle has 16 */
static void NR_NAME(const NR_PIXEL *src, ptrdiff_t sstride, NR_PIXEL *dst,
		    ptrdiff_t dstride, s32 w, s32 h, const u8 *lut, u32 shift)
{
	s32 x, y, i, j;

	for (y = 0; y < h; y++) {
		NR_PIXEL *d = dst + y * dstride;

		for (x = 0; x < w; x++) {
			const s32 c = src[y * sstride + x];
			u32 sum = (u32)c * 16, weight = 16;

			for (j = -1; j <= 1; j++) {
				const NR_PIXEL *s = src + cr_reflect(y + j * NR_STEP, h) * sstride;

				for (i = -1; i <= 1; i++) {
					s32 v, diff;
					u32 k;

					if (!i && !j)
						continue;
					v = s[cr_reflect(x + i * NR_STEP, w)];
					diff = v > c ? v - c : c - v;
					k = lut[min_t(u32, (u32)diff >> shift, 63)];
					sum += k * (u32)v;
					weight += k;
				}
			}
			d[x] = (NR_PIXEL)((sum + weight / 2) / weight);
		}
	}
}

#undef NR_NAME
#undef NR_PIXEL
#undef NR_STEP
