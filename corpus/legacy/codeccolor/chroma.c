/*
 * chroma.c
 *
 * Fewer and more chroma samples.  Rows come as arrays of pointers; whoever
 * calls the fancy routines supplies a row of context at either end (in[-1],
 * in[n]).
 */
#include <string.h>
#include "kx.h"
#ifndef KX_NO_ASSERT
#include <assert.h>
#else
#define assert(x) ((void)0)
#endif

/* fill up to a whole number of blocks with the last sample */
void kx_expand_right(KROWS rows, int nrows, KDIM have, KDIM want)
{
	KROW ptr;
	KSAMP edge;
	int k, row;
	int missing = (int)(want - have);

	if (missing <= 0 || have == 0)
		return;
	for (row = 0; row < nrows; row++) {
		ptr = rows[row] + have;
		edge = ptr[-1];
		for (k = missing; k > 0; k--)
			*ptr++ = edge;
	}
}

void kx_down_h2v1(KROWS in, KROWS out, int outrows, KDIM outcols)
{
	int row, bias;
	KDIM col;
	KROW src, dst;

	kx_expand_right(in, outrows, outcols * 2, outcols * 2);
	for (row = 0; row < outrows; row++) {
		dst = out[row];
		src = in[row];
		bias = 0;		/* no drift: every other one rounds up */
		for (col = 0; col < outcols; col++) {
			*dst++ = (KSAMP)((src[0] + src[1] + bias) >> 1);
			bias ^= 1;
			src += 2;
		}
	}
}

void kx_down_h2v2(KROWS in, KROWS out, int outrows, KDIM outcols)
{
	int inrow = 0, outrow, bias;
	KDIM col;
	KROW p0, p1, dst;

	for (outrow = 0; outrow < outrows; outrow++) {
		dst = out[outrow];
		p0 = in[inrow];
		p1 = in[inrow + 1];
		bias = 1;		/* the same in quarters */
		for (col = 0; col < outcols; col++) {
			*dst++ = (KSAMP)((p0[0] + p0[1] + p1[0] + p1[1] + bias) >> 2);
			bias ^= 3;
			p0 += 2;
			p1 += 2;
		}
		inrow += 2;
	}
}

/*
 * Same size, smoothed: each of the eight neighbours counts factor/1024.
 * The sums of columns are handed on so that each is made only once.
 */
void kx_down_smooth(KROWS in, KROWS out, int nrows, KDIM cols, int factor)
{
	int row;
	KDIM c;
	KROW src, above, below, dst;
	int32_t centre, ring, wcentre, waround;
	int mid, left, right;

	assert(factor >= 0 && factor <= 128);
	if (cols < 2) {
		for (row = 0; row < nrows; row++)
			if (cols)
				out[row][0] = in[row][0];
		return;
	}
	wcentre = 65536L - factor * 512L;
	waround = factor * 64;

	for (row = 0; row < nrows; row++) {
		dst = out[row];
		src = in[row];
		above = in[row - 1];
		below = in[row + 1];

		/* first column */
		mid = *above++ + *below++ + *src;
		centre = *src++;
		right = *above + *below + *src;
		ring = mid + (mid - centre) + right;
		centre = centre * wcentre + ring * waround;
		*dst++ = (KSAMP)((centre + 32768) >> 16);
		left = mid;
		mid = right;

		for (c = cols - 2; c > 0; c--) {
			centre = *src++;
			above++;
			below++;
			right = *above + *below + *src;
			ring = left + (mid - centre) + right;
			centre = centre * wcentre + ring * waround;
			*dst++ = (KSAMP)((centre + 32768) >> 16);
			left = mid;
			mid = right;
		}

		/* last column */
		centre = *src;
		ring = left + (mid - centre) + mid;
		centre = centre * wcentre + ring * waround;
		*dst = (KSAMP)((centre + 32768) >> 16);
	}
}

void kx_up_int(KROWS in, KROWS out, int outrows, KDIM outcols, int hx, int vx)
{
	int inrow = 0, outrow = 0, h, v;
	KROW src, dst, stop;
	KSAMP v0;

	assert(hx > 0 && vx > 0);
	while (outrow < outrows) {
		src = in[inrow];
		dst = out[outrow];
		stop = dst + outcols;
		while (dst < stop) {
			v0 = *src++;
			for (h = hx; h > 0; h--)
				*dst++ = v0;
		}
		for (v = 1; v < vx; v++)
			memcpy(out[outrow + v], out[outrow], outcols);
		inrow++;
		outrow += vx;
	}
}

/* triangle filter: 3/4 of the nearer one, 1/4 of the other */
void kx_up_h2v1_fancy(KROWS in, KROWS out, int nrows, KDIM incols)
{
	KROW src, dst;
	int v0, row;
	KDIM col;

	for (row = 0; row < nrows; row++) {
		src = in[row];
		dst = out[row];
		if (incols < 2) {
			if (incols)
				dst[0] = dst[1] = *src;
			continue;
		}

		v0 = *src++;
		*dst++ = (KSAMP)v0;
		*dst++ = (KSAMP)((v0 * 3 + src[0] + 2) >> 2);

		for (col = incols - 2; col > 0; col--) {
			v0 = *src++ * 3;
			*dst++ = (KSAMP)((v0 + src[-2] + 1) >> 2);
			*dst++ = (KSAMP)((v0 + src[0] + 2) >> 2);
		}

		v0 = *src;
		*dst++ = (KSAMP)((v0 * 3 + src[-1] + 1) >> 2);
		*dst++ = (KSAMP)v0;
	}
}

void kx_up_h2v2_fancy(KROWS in, KROWS out, int outrows, KDIM incols)
{
	KROW p0, p1, dst;
	int cur, prv, nxt;
	KDIM col;
	int inrow = 0, outrow = 0, v;

	if (incols < 2)
		return;
	while (outrow < outrows) {
		for (v = 0; v < 2; v++) {
			p0 = in[inrow];
			p1 = v == 0 ? in[inrow - 1] : in[inrow + 1];
			dst = out[outrow++];

			cur = *p0++ * 3 + *p1++;
			nxt = *p0++ * 3 + *p1++;
			*dst++ = (KSAMP)((cur * 4 + 8) >> 4);
			*dst++ = (KSAMP)((cur * 3 + nxt + 7) >> 4);
			prv = cur;
			cur = nxt;

			for (col = incols - 2; col > 0; col--) {
				nxt = *p0++ * 3 + *p1++;
				*dst++ = (KSAMP)((cur * 3 + prv + 8) >> 4);
				*dst++ = (KSAMP)((cur * 3 + nxt + 7) >> 4);
				prv = cur;
				cur = nxt;
			}

			*dst++ = (KSAMP)((cur * 3 + prv + 8) >> 4);
			*dst++ = (KSAMP)((cur * 4 + 7) >> 4);
		}
		inrow++;
	}
}

/* 2:1 chroma straight to RGB; the products are used for two pixels each */
void kx_up_merged(kx_ptr cx, KPLANES in, KDIM inrow, KROW out)
{
	const KSAMP *lim = cx->clamp_tab;
	const KSAMP *yp = in[0][inrow], *cbp = in[1][inrow], *crp = in[2][inrow];
	int y, cb, cr, red, green, blue;
	KDIM col;

	for (col = cx->width >> 1; col > 0; col--) {
		cb = *cbp++ - KX_CENTER;
		cr = *crp++ - KX_CENTER;
		red = (KX_FIX(1.40200) * cr + KX_HALF) >> KX_SCALEBITS;
		green = (-KX_FIX(0.34414) * cb - KX_FIX(0.71414) * cr + KX_HALF) >> KX_SCALEBITS;
		blue = (KX_FIX(1.77200) * cb + KX_HALF) >> KX_SCALEBITS;
		y = *yp++;
		out[0] = lim[y + red];
		out[1] = lim[y + green];
		out[2] = lim[y + blue];
		out += 3;
		y = *yp++;
		out[0] = lim[y + red];
		out[1] = lim[y + green];
		out[2] = lim[y + blue];
		out += 3;
	}
	if (cx->width & 1) {
		cb = *cbp - KX_CENTER;
		cr = *crp - KX_CENTER;
		y = *yp;
		out[0] = lim[y + ((KX_FIX(1.40200) * cr + KX_HALF) >> KX_SCALEBITS)];
		out[1] = lim[y + ((-KX_FIX(0.34414) * cb - KX_FIX(0.71414) * cr + KX_HALF) >> KX_SCALEBITS)];
		out[2] = lim[y + ((KX_FIX(1.77200) * cb + KX_HALF) >> KX_SCALEBITS)];
	}
}
