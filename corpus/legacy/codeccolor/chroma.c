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
	KSAMP pixval;
	int count, row;
	int numcols = (int)(want - have);

	if (numcols <= 0 || have == 0)
		return;
	for (row = 0; row < nrows; row++) {
		ptr = rows[row] + have;
		pixval = ptr[-1];
		for (count = numcols; count > 0; count--)
			*ptr++ = pixval;
	}
}

void kx_down_h2v1(KROWS in, KROWS out, int outrows, KDIM outcols)
{
	int row, bias;
	KDIM col;
	KROW inptr, outptr;

	kx_expand_right(in, outrows, outcols * 2, outcols * 2);
	for (row = 0; row < outrows; row++) {
		outptr = out[row];
		inptr = in[row];
		bias = 0;		/* 0, 1, 0, 1, ... */
		for (col = 0; col < outcols; col++) {
			*outptr++ = (KSAMP)((inptr[0] + inptr[1] + bias) >> 1);
			bias ^= 1;
			inptr += 2;
		}
	}
}

void kx_down_h2v2(KROWS in, KROWS out, int outrows, KDIM outcols)
{
	int inrow = 0, outrow, bias;
	KDIM col;
	KROW p0, p1, outptr;

	for (outrow = 0; outrow < outrows; outrow++) {
		outptr = out[outrow];
		p0 = in[inrow];
		p1 = in[inrow + 1];
		bias = 1;		/* 1, 2, 1, 2, ... */
		for (col = 0; col < outcols; col++) {
			*outptr++ = (KSAMP)((p0[0] + p0[1] + p1[0] + p1[1] + bias) >> 2);
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
	KROW inptr, above, below, outptr;
	int32_t member, neigh, memberscale, neighscale;
	int colsum, lastcolsum, nextcolsum;

	assert(factor >= 0 && factor <= 128);
	if (cols < 2) {
		for (row = 0; row < nrows; row++)
			if (cols)
				out[row][0] = in[row][0];
		return;
	}
	memberscale = 65536L - factor * 512L;
	neighscale = factor * 64;

	for (row = 0; row < nrows; row++) {
		outptr = out[row];
		inptr = in[row];
		above = in[row - 1];
		below = in[row + 1];

		/* first column */
		colsum = *above++ + *below++ + *inptr;
		member = *inptr++;
		nextcolsum = *above + *below + *inptr;
		neigh = colsum + (colsum - member) + nextcolsum;
		member = member * memberscale + neigh * neighscale;
		*outptr++ = (KSAMP)((member + 32768) >> 16);
		lastcolsum = colsum;
		colsum = nextcolsum;

		for (c = cols - 2; c > 0; c--) {
			member = *inptr++;
			above++;
			below++;
			nextcolsum = *above + *below + *inptr;
			neigh = lastcolsum + (colsum - member) + nextcolsum;
			member = member * memberscale + neigh * neighscale;
			*outptr++ = (KSAMP)((member + 32768) >> 16);
			lastcolsum = colsum;
			colsum = nextcolsum;
		}

		/* last column */
		member = *inptr;
		neigh = lastcolsum + (colsum - member) + colsum;
		member = member * memberscale + neigh * neighscale;
		*outptr = (KSAMP)((member + 32768) >> 16);
	}
}

void kx_up_int(KROWS in, KROWS out, int outrows, KDIM outcols, int hx, int vx)
{
	int inrow = 0, outrow = 0, h, v;
	KROW inptr, outptr, outend;
	KSAMP invalue;

	assert(hx > 0 && vx > 0);
	while (outrow < outrows) {
		inptr = in[inrow];
		outptr = out[outrow];
		outend = outptr + outcols;
		while (outptr < outend) {
			invalue = *inptr++;
			for (h = hx; h > 0; h--)
				*outptr++ = invalue;
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
	KROW inptr, outptr;
	int invalue, row;
	KDIM col;

	for (row = 0; row < nrows; row++) {
		inptr = in[row];
		outptr = out[row];
		if (incols < 2) {
			if (incols)
				outptr[0] = outptr[1] = *inptr;
			continue;
		}

		invalue = *inptr++;
		*outptr++ = (KSAMP)invalue;
		*outptr++ = (KSAMP)((invalue * 3 + inptr[0] + 2) >> 2);

		for (col = incols - 2; col > 0; col--) {
			invalue = *inptr++ * 3;
			*outptr++ = (KSAMP)((invalue + inptr[-2] + 1) >> 2);
			*outptr++ = (KSAMP)((invalue + inptr[0] + 2) >> 2);
		}

		invalue = *inptr;
		*outptr++ = (KSAMP)((invalue * 3 + inptr[-1] + 1) >> 2);
		*outptr++ = (KSAMP)invalue;
	}
}

void kx_up_h2v2_fancy(KROWS in, KROWS out, int outrows, KDIM incols)
{
	KROW p0, p1, outptr;
	int thiscol, lastcol, nextcol;
	KDIM col;
	int inrow = 0, outrow = 0, v;

	if (incols < 2)
		return;
	while (outrow < outrows) {
		for (v = 0; v < 2; v++) {
			p0 = in[inrow];
			p1 = v == 0 ? in[inrow - 1] : in[inrow + 1];
			outptr = out[outrow++];

			thiscol = *p0++ * 3 + *p1++;
			nextcol = *p0++ * 3 + *p1++;
			*outptr++ = (KSAMP)((thiscol * 4 + 8) >> 4);
			*outptr++ = (KSAMP)((thiscol * 3 + nextcol + 7) >> 4);
			lastcol = thiscol;
			thiscol = nextcol;

			for (col = incols - 2; col > 0; col--) {
				nextcol = *p0++ * 3 + *p1++;
				*outptr++ = (KSAMP)((thiscol * 3 + lastcol + 8) >> 4);
				*outptr++ = (KSAMP)((thiscol * 3 + nextcol + 7) >> 4);
				lastcol = thiscol;
				thiscol = nextcol;
			}

			*outptr++ = (KSAMP)((thiscol * 3 + lastcol + 8) >> 4);
			*outptr++ = (KSAMP)((thiscol * 4 + 7) >> 4);
		}
		inrow++;
	}
}

/* 2:1 chroma straight to RGB; the products are used for two pixels each */
void kx_up_merged(kx_ptr cx, KPLANES in, KDIM inrow, KROW out)
{
	const KSAMP *lim = cx->range_limit;
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
