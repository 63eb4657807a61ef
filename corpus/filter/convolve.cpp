// Convolve.cpp : neighbourhood operators
//
// MicroLab image workstation, 1996 - 2005
//
// Conventions: pitches are in bytes for BYTE planes and in elements for everything else.
// Source and destination are different buffers unless the function says "in place".
//
//  96-11  first version (smoothing, user filter, emboss)
//  98-03  edge operators for the particle counter
//  01-06  16 bit cameras, CT import
//  04-09  float planes, bilateral

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned char  BYTE;
typedef unsigned short WORD;
typedef int            BOOL;

#ifndef TRUE
#define TRUE  1
#define FALSE 0
#endif

#define ASSERT(f)         assert(f)
#define WIDTHBYTES(bits)  ((((bits) + 31) / 32) * 4)

struct CPlane
{
	BYTE *m_pBits;
	int   m_nWidth;
	int   m_nHeight;
	int   m_nPitch;

	BYTE *Row(int y) const { return m_pBits + (ptrdiff_t)y * m_nPitch; }
};

static inline BYTE ClampByte(int n)
{
	if (n < 0)
		return 0;
	if (n > 255)
		return 255;
	return (BYTE)n;
}

template <class T>
static inline T Bound(T v, T lo, T hi)
{
	return v < lo ? lo : (hi < v ? hi : v);
}

// ---------------------------------------------------------------------------
//  Smoothing
// ---------------------------------------------------------------------------

// 1 2 1 in both directions. Pixels outside repeat the edge.
void SmoothPlane(CPlane *pDst, const CPlane *pSrc)
{
	const int nWidth  = pSrc->m_nWidth;
	const int nHeight = pSrc->m_nHeight;

	ASSERT(pDst->m_nWidth >= nWidth && pDst->m_nHeight >= nHeight);
	if (nWidth <= 0 || nHeight <= 0)
		return;

	for (int y = 0; y < nHeight; y++)
	{
		const BYTE *pMid = pSrc->Row(y);
		const BYTE *pUp  = y > 0 ? pSrc->Row(y - 1) : pMid;
		const BYTE *pDn  = y < nHeight - 1 ? pSrc->Row(y + 1) : pMid;
		BYTE *pOut = pDst->Row(y);

		if (nWidth == 1)
		{
			pOut[0] = (BYTE)((pUp[0] + 2 * pMid[0] + pDn[0] + 2) >> 2);
			continue;
		}

		pOut[0] = (BYTE)((3 * pUp[0] + pUp[1]
		                + 2 * (3 * pMid[0] + pMid[1])
		                + 3 * pDn[0] + pDn[1] + 8) >> 4);

		int x;
		for (x = 1; x < nWidth - 1; x++)
		{
			int nSum = pUp[x - 1]      + 2 * pUp[x]  + pUp[x + 1]
			         + 2 * pMid[x - 1] + 4 * pMid[x] + 2 * pMid[x + 1]
			         + pDn[x - 1]      + 2 * pDn[x]  + pDn[x + 1];
			pOut[x] = (BYTE)((nSum + 8) >> 4);
		}

		pOut[x] = (BYTE)((pUp[x - 1] + 3 * pUp[x]
		                + 2 * (pMid[x - 1] + 3 * pMid[x])
		                + pDn[x - 1] + 3 * pDn[x] + 8) >> 4);
	}
}

// The usual integer 5x5 gaussian. Two pixels all around are not written.
void Gauss5x5(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch)
{
	static const BYTE s_aKernel[5][5] =
	{
		{ 1,  4,  7,  4, 1 },
		{ 4, 16, 26, 16, 4 },
		{ 7, 26, 41, 26, 7 },
		{ 4, 16, 26, 16, 4 },
		{ 1,  4,  7,  4, 1 }
	};
	const int nSum = 273;

	for (int y = 2; y < nHeight - 2; y++)
	{
		for (int x = 2; x < nWidth - 2; x++)
		{
			int nAcc = nSum / 2;
			for (int j = 0; j < 5; j++)
			{
				const BYTE *p = pSrc + (y + j - 2) * nPitch + x - 2;
				for (int i = 0; i < 5; i++)
					nAcc += s_aKernel[j][i] * *p++;
			}
			pDst[y * nPitch + x] = (BYTE)(nAcc / nSum);
		}
	}
}

// Binomial smoothing of a camera frame (10..14 bit in WORDs). Three lines of horizontal
// sums are kept and rotated, so that each line is summed once. In place is allowed.
// Returns FALSE if there is no memory.
BOOL SmoothCameraFrame(WORD *pDst, const WORD *pSrc, int nWidth, int nHeight, int nStride)
{
	if (nWidth < 1 || nHeight < 1)
		return TRUE;

	int *pBuffer = (int *)malloc(3 * (size_t)nWidth * sizeof(int));
	if (pBuffer == NULL)
		return FALSE;

	int *pLine[3];
	pLine[0] = pBuffer;
	pLine[1] = pBuffer + nWidth;
	pLine[2] = pBuffer + 2 * nWidth;

	// prime the ring with line 0, above it the same once more
	for (int x = 0; x < nWidth; x++)
	{
		int l = x > 0 ? x - 1 : 0;
		int r = x + 1 < nWidth ? x + 1 : x;
		pLine[1][x] = pSrc[l] + 2 * pSrc[x] + pSrc[r];
		pLine[0][x] = pLine[1][x];
	}

	for (int y = 0; y < nHeight; y++)
	{
		if (y + 1 < nHeight)
		{
			const WORD *pNext = pSrc + (ptrdiff_t)(y + 1) * nStride;
			for (int x = 0; x < nWidth; x++)
			{
				int l = x > 0 ? x - 1 : 0;
				int r = x + 1 < nWidth ? x + 1 : x;
				pLine[2][x] = pNext[l] + 2 * pNext[x] + pNext[r];
			}
		}
		else
		{
			memcpy(pLine[2], pLine[1], nWidth * sizeof(int));
		}

		WORD *pOut = pDst + (ptrdiff_t)y * nStride;
		for (int x = 0; x < nWidth; x++)
			pOut[x] = (WORD)((pLine[0][x] + 2 * pLine[1][x] + pLine[2][x] + 8) >> 4);

		int *pTmp = pLine[0];
		pLine[0] = pLine[1];
		pLine[1] = pLine[2];
		pLine[2] = pTmp;
	}

	free(pBuffer);
	return TRUE;
}

// True gaussian on a float plane, rows first. The edge is repeated.
void GaussianF(float *pDst, const float *pSrc, int nWidth, int nHeight, int nStride, double dSigma)
{
	ASSERT(dSigma > 0.0 && dSigma <= 50.0);
	if (nWidth <= 0 || nHeight <= 0)
		return;

	const int nRadius = (int)ceil(3.0 * dSigma);
	std::vector<float> kernel(2 * nRadius + 1);
	double dTotal = 0.0;
	for (int i = -nRadius; i <= nRadius; i++)
	{
		double d = exp(-(double)(i * i) / (2.0 * dSigma * dSigma));
		kernel[i + nRadius] = (float)d;
		dTotal += d;
	}
	for (size_t k = 0; k < kernel.size(); k++)
		kernel[k] = (float)(kernel[k] / dTotal);

	std::vector<float> temp((size_t)nWidth * nHeight);
	for (int y = 0; y < nHeight; y++)
	{
		const float *pIn = pSrc + (ptrdiff_t)y * nStride;
		for (int x = 0; x < nWidth; x++)
		{
			float f = 0.0f;
			for (int i = -nRadius; i <= nRadius; i++)
				f += kernel[i + nRadius] * pIn[Bound(x + i, 0, nWidth - 1)];
			temp[(size_t)y * nWidth + x] = f;
		}
	}

	for (int y = 0; y < nHeight; y++)
	{
		for (int x = 0; x < nWidth; x++)
		{
			float f = 0.0f;
			for (int i = -nRadius; i <= nRadius; i++)
				f += kernel[i + nRadius] * temp[(size_t)Bound(y + i, 0, nHeight - 1) * nWidth + x];
			pDst[(ptrdiff_t)y * nStride + x] = f;
		}
	}
}

// Edge preserving smoothing. Weights come from two tables: distance and difference.
// Neighbours outside of the image don't count. dSigmaRange is in grey levels.
void BilateralGray(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch,
                   int nRadius, double dSigmaSpace, double dSigmaRange)
{
	ASSERT(nRadius >= 1 && nRadius <= 4);
	ASSERT(dSigmaSpace > 0.0 && dSigmaRange > 0.0);

	float aSpace[9 * 9];
	float aRange[256];
	const int nSize = 2 * nRadius + 1;

	for (int j = 0; j < nSize; j++)
		for (int i = 0; i < nSize; i++)
		{
			int dx = i - nRadius, dy = j - nRadius;
			aSpace[j * nSize + i] = (float)exp(-(dx * dx + dy * dy) / (2.0 * dSigmaSpace * dSigmaSpace));
		}
	for (int i = 0; i < 256; i++)
		aRange[i] = (float)exp(-(i * i) / (2.0 * dSigmaRange * dSigmaRange));

	for (int y = 0; y < nHeight; y++)
	{
		for (int x = 0; x < nWidth; x++)
		{
			const int nCenter = pSrc[y * nPitch + x];
			float fSum = 0.0f, fWeight = 0.0f;

			for (int dy = -nRadius; dy <= nRadius; dy++)
			{
				if (y + dy < 0 || y + dy >= nHeight)
					continue;
				const BYTE *pRow = pSrc + (y + dy) * nPitch;
				for (int dx = -nRadius; dx <= nRadius; dx++)
				{
					if (x + dx < 0 || x + dx >= nWidth)
						continue;
					int v = pRow[x + dx];
					float w = aSpace[(dy + nRadius) * nSize + dx + nRadius] * aRange[abs(v - nCenter)];
					fSum += w * v;
					fWeight += w;
				}
			}
			pDst[y * nPitch + x] = (BYTE)(fSum / fWeight + 0.5f);
		}
	}
}

// ---------------------------------------------------------------------------
//  User filters
// ---------------------------------------------------------------------------

// 3x3 with the coefficients of the dialog (-999..999, offset -255..255). The frame of one
// pixel is copied. A divisor of 0 stands for the sum of the coefficients.
void FilterCustom3x3(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch,
                     const int *pCoef, int nDivisor, int nOffset)
{
	int x, y;

	for (y = 0; y < nHeight; y++)
		memcpy(pDst + y * nPitch, pSrc + y * nPitch, nWidth);

	if (nDivisor == 0)
	{
		for (int i = 0; i < 9; i++)
			nDivisor += pCoef[i];
		if (nDivisor == 0)
			nDivisor = 1;
	}

	for (y = 1; y < nHeight - 1; y++)
	{
		const BYTE *p0 = pSrc + (y - 1) * nPitch;
		const BYTE *p1 = p0 + nPitch;
		const BYTE *p2 = p1 + nPitch;
		BYTE *pOut = pDst + y * nPitch + 1;

		for (x = 1; x < nWidth - 1; x++, p0++, p1++, p2++)
		{
			int n = p0[0] * pCoef[0] + p0[1] * pCoef[1] + p0[2] * pCoef[2]
			      + p1[0] * pCoef[3] + p1[1] * pCoef[4] + p1[2] * pCoef[5]
			      + p2[0] * pCoef[6] + p2[1] * pCoef[7] + p2[2] * pCoef[8];
			*pOut++ = ClampByte(n / nDivisor + nOffset);
		}
	}
}

// -1 -> 0, -2 -> 1, n -> n - 1 and so on; at most n pixels outside
static inline int Mirror(int i, int n)
{
	if (i < 0)
		i = -1 - i;
	if (i >= n)
		i = 2 * n - 1 - i;
	return i;
}

// Square filter of any odd size, with the image mirrored at its edges. Returns FALSE for
// sizes that can't be done. |coefficient| is below 10000 (ReadFilterFile checks that).
BOOL ConvolveMirrored(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch,
                      const short *pKernel, int nSize, int nDivisor, int nOffset)
{
	const int nHalf = nSize / 2;

	if (nSize < 1 || (nSize & 1) == 0 || nSize > 25 || nDivisor == 0)
		return FALSE;
	if (nWidth < nHalf || nHeight < nHalf)
		return FALSE;

	for (int y = 0; y < nHeight; y++)
		for (int x = 0; x < nWidth; x++)
		{
			const short *pk = pKernel;
			int nAcc = 0;
			for (int ky = -nHalf; ky <= nHalf; ky++)
				for (int kx = -nHalf; kx <= nHalf; kx++)
					nAcc += *pk++ * pSrc[Mirror(y + ky, nHeight) * nPitch + Mirror(x + kx, nWidth)];
			pDst[y * nPitch + x] = ClampByte(nAcc / nDivisor + nOffset);
		}
	return TRUE;
}

// Smooths a line profile (or any other series) with an odd number of taps. Outside is zero.
void ConvolveProfile(double *pOut, const double *pIn, int nCount, const double *pTaps, int nTaps)
{
	ASSERT(nTaps > 0 && nTaps % 2 == 1);
	const int nHalf = nTaps / 2;

	for (int i = 0; i < nCount; i++)
	{
		int nFirst = i - nHalf < 0 ? nHalf - i : 0;
		int nLast  = i + nHalf > nCount - 1 ? nCount - 1 - i + nHalf : nTaps - 1;
		double d = 0.0;
		for (int k = nFirst; k <= nLast; k++)
			d += pTaps[k] * pIn[i + k - nHalf];
		pOut[i] = d;
	}
}

// ---------------------------------------------------------------------------
//  Sharpening and relief
// ---------------------------------------------------------------------------

// Unsharp mask against a 1 4 6 4 1 blur. Differences up to nThreshold are left alone.
// In place is allowed. Returns 0, or -1 when out of memory.
int UnsharpMask(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch,
                int nPercent, int nThreshold)
{
	int *pRows = NULL;
	BYTE *pBlur = NULL;
	int nResult = -1;
	int x, y;

	ASSERT(nPercent >= 0 && nPercent <= 500);
	if (nWidth <= 0 || nHeight <= 0)
		return 0;

	pRows = (int *)malloc((size_t)nWidth * nHeight * sizeof(int));
	if (!pRows)
		goto done;
	pBlur = (BYTE *)malloc((size_t)nWidth * nHeight);
	if (!pBlur)
		goto done;

	for (y = 0; y < nHeight; y++)
	{
		const BYTE *p = pSrc + y * nPitch;
		int *q = pRows + y * nWidth;
		for (x = 0; x < nWidth; x++)
		{
			int a = x >= 2 ? x - 2 : 0;
			int b = x >= 1 ? x - 1 : 0;
			int d = x + 1 < nWidth ? x + 1 : nWidth - 1;
			int e = x + 2 < nWidth ? x + 2 : nWidth - 1;
			q[x] = p[a] + 4 * p[b] + 6 * p[x] + 4 * p[d] + p[e];
		}
	}

	for (y = 0; y < nHeight; y++)
	{
		const int *qa = pRows + (y >= 2 ? y - 2 : 0) * nWidth;
		const int *qb = pRows + (y >= 1 ? y - 1 : 0) * nWidth;
		const int *qc = pRows + y * nWidth;
		const int *qd = pRows + (y + 1 < nHeight ? y + 1 : nHeight - 1) * nWidth;
		const int *qe = pRows + (y + 2 < nHeight ? y + 2 : nHeight - 1) * nWidth;
		for (x = 0; x < nWidth; x++)
			pBlur[y * nWidth + x] = (BYTE)((qa[x] + 4 * qb[x] + 6 * qc[x] + 4 * qd[x] + qe[x] + 128) >> 8);
	}

	for (y = 0; y < nHeight; y++)
	{
		for (x = 0; x < nWidth; x++)
		{
			int v = pSrc[y * nPitch + x];
			int nDiff = v - pBlur[y * nWidth + x];
			if (abs(nDiff) > nThreshold)
				v += nDiff * nPercent / 100;
			pDst[y * nPitch + x] = ClampByte(v);
		}
	}
	nResult = 0;

done:
	free(pBlur);
	free(pRows);
	return nResult;
}

// CT slices: signed Hounsfield units, result saturated. nWeight in 1/256, 0..1024. The edge is copied.
void SharpenCT(short *pDst, const short *pSrc, int nWidth, int nHeight, int nStride, int nWeight)
{
	ASSERT(nWeight >= 0 && nWeight <= 1024);

	for (int y = 0; y < nHeight; y++)
	{
		const short *p = pSrc + (ptrdiff_t)y * nStride;
		short *q = pDst + (ptrdiff_t)y * nStride;
		BOOL bEdgeRow = (y == 0 || y == nHeight - 1);

		for (int x = 0; x < nWidth; x++, p++, q++)
		{
			if (bEdgeRow || x == 0 || x == nWidth - 1)
			{
				*q = *p;
				continue;
			}
			int nLaplace = 4 * *p - p[-1] - p[1] - p[-nStride] - p[nStride];
			int v = *p + nLaplace * nWeight / 256;
			if (v > 32767)
				v = 32767;
			else if (v < -32768)
				v = -32768;
			*q = (short)v;
		}
	}
}

// Relief of a 24 bit DIB (bottom up, lines padded to 4 bytes), lit from the upper left.
// The result is grey, with a frame of 128. nDepth: 1..16, 4 is neutral.
void EmbossDib24(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nDepth)
{
	const int nPitch = WIDTHBYTES(nWidth * 24);

	for (int y = 0; y < nHeight; y++)
	{
		BYTE *pOut = pDst + y * nPitch;
		for (int x = 0; x < nWidth; x++)
		{
			int nGrey = 128;
			if (x > 0 && x < nWidth - 1 && y > 0 && y < nHeight - 1)
			{
				const BYTE *pA = pSrc + (y + 1) * nPitch + (x - 1) * 3;
				const BYTE *pB = pSrc + (y - 1) * nPitch + (x + 1) * 3;
				int nA = pA[0] * 11 + pA[1] * 59 + pA[2] * 30;
				int nB = pB[0] * 11 + pB[1] * 59 + pB[2] * 30;
				nGrey += (nA - nB) * nDepth / 400;
			}
			pOut[0] = pOut[1] = pOut[2] = ClampByte(nGrey);
			pOut += 3;
		}
	}
}

// ---------------------------------------------------------------------------
//  Edges
// ---------------------------------------------------------------------------

// Gradient strength and one of four directions for the thinning step:
// 0 = along x, 1 = falling diagonal, 2 = along y, 3 = rising diagonal, 4 = below the threshold.
// Frame: strength 0, direction 4. Both results have nWidth elements a line.
void SobelDirections(WORD *pStrength, BYTE *pDirection, const BYTE *pSrc,
                     int nWidth, int nHeight, int nPitch, int nThreshold)
{
	for (int y = 0; y < nHeight; y++)
	{
		for (int x = 0; x < nWidth; x++, pStrength++, pDirection++)
		{
			*pStrength = 0;
			*pDirection = 4;
			if (x < 1 || y < 1 || x >= nWidth - 1 || y >= nHeight - 1)
				continue;

			const BYTE *p = pSrc + y * nPitch + x;
			int gx = p[1 - nPitch] + 2 * p[1] + p[1 + nPitch]
			       - p[-1 - nPitch] - 2 * p[-1] - p[-1 + nPitch];
			int gy = p[nPitch - 1] + 2 * p[nPitch] + p[nPitch + 1]
			       - p[-nPitch - 1] - 2 * p[-nPitch] - p[-nPitch + 1];
			int ax = abs(gx), ay = abs(gy);

			*pStrength = (WORD)(ax + ay);
			if (ax + ay < nThreshold)
				continue;
			if (ay * 256 < ax * 106)            // tan 22.5
				*pDirection = 0;
			else if (ay * 256 > ax * 618)       // tan 67.5
				*pDirection = 2;
			else
				*pDirection = (BYTE)((gx < 0) == (gy < 0) ? 1 : 3);
		}
	}
}

static inline int PixelOrZero(const BYTE *pSrc, int x, int y, int nWidth, int nHeight, int nPitch)
{
	if (x < 0 || y < 0 || x >= nWidth || y >= nHeight)
		return 0;
	return pSrc[y * nPitch + x];
}

// Larger one of the two Prewitt responses, black outside
void PrewittEdges(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch)
{
#define PX(dx, dy) PixelOrZero(pSrc, x + (dx), y + (dy), nWidth, nHeight, nPitch)
	for (int y = 0; y < nHeight; y++)
		for (int x = 0; x < nWidth; x++)
		{
			int gx = PX(1, -1) + PX(1, 0) + PX(1, 1) - PX(-1, -1) - PX(-1, 0) - PX(-1, 1);
			int gy = PX(-1, 1) + PX(0, 1) + PX(1, 1) - PX(-1, -1) - PX(0, -1) - PX(1, -1);
			if (gx < 0) gx = -gx;
			if (gy < 0) gy = -gy;
			pDst[y * nPitch + x] = ClampByte(gx > gy ? gx : gy);
		}
#undef PX
}

// Scharr derivative along x or y of one period of a texture (it wraps around)
void ScharrPeriodic(short *pDst, const BYTE *pSrc, int nWidth, int nHeight,
                    int nDstStride, int nSrcPitch, BOOL bVertical)
{
	for (int y = 0; y < nHeight; y++)
	{
		const BYTE *p0 = pSrc + ((y + nHeight - 1) % nHeight) * nSrcPitch;
		const BYTE *p1 = pSrc + y * nSrcPitch;
		const BYTE *p2 = pSrc + ((y + 1) % nHeight) * nSrcPitch;
		short *pOut = pDst + y * nDstStride;

		for (int x = 0; x < nWidth; x++)
		{
			int l = (x + nWidth - 1) % nWidth;
			int r = (x + 1) % nWidth;
			if (bVertical)
				pOut[x] = (short)(3 * (p2[l] - p0[l]) + 10 * (p2[x] - p0[x]) + 3 * (p2[r] - p0[r]));
			else
				pOut[x] = (short)(3 * (p0[r] - p0[l]) + 10 * (p1[r] - p1[l]) + 3 * (p2[r] - p2[l]));
		}
	}
}

// 8-neighbour Laplacian around 128, in place. The frame becomes 128.
void LaplaceInPlace(CPlane &plane, int nShift)
{
	const int w = plane.m_nWidth;
	const int h = plane.m_nHeight;

	ASSERT(nShift >= 0 && nShift <= 4);
	if (w <= 0 || h <= 0)
		return;

	std::vector<BYTE> above(w), here(w);
	BYTE *pRow = plane.m_pBits;

	memcpy(&above[0], pRow, w);
	memset(pRow, 128, w);

	for (int y = 1; y < h - 1; y++)
	{
		pRow += plane.m_nPitch;
		const BYTE *pBelow = pRow + plane.m_nPitch;
		memcpy(&here[0], pRow, w);

		pRow[0] = 128;
		for (int x = 1; x < w - 1; x++)
		{
			int v = 8 * here[x] - here[x - 1] - here[x + 1]
			      - above[x - 1] - above[x] - above[x + 1]
			      - pBelow[x - 1] - pBelow[x] - pBelow[x + 1];
			pRow[x] = ClampByte(128 + (v >> nShift));
		}
		pRow[w - 1] = 128;
		above.swap(here);
	}

	if (h > 1)
		memset(pRow + plane.m_nPitch, 128, w);
}

// Kirsch compass: strongest of the eight directions, scaled to a byte. The frame is black.
void KirschCompass(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch)
{
	// clockwise from the upper left
	const int aOffset[8] = { -nPitch - 1, -nPitch, -nPitch + 1, 1, nPitch + 1, nPitch, nPitch - 1, -1 };

	for (int y = 0; y < nHeight; y++)
		memset(pDst + y * nPitch, 0, nWidth);

	for (int y = 1; y < nHeight - 1; y++)
	{
		for (int x = 1; x < nWidth - 1; x++)
		{
			const BYTE *p = pSrc + y * nPitch + x;
			int n[8], nTotal = 0;
			for (int i = 0; i < 8; i++)
			{
				n[i] = p[aOffset[i]];
				nTotal += n[i];
			}

			int nBest = 0;
			for (int i = 0; i < 8; i++)
			{
				// 5 * three - 3 * the other five
				int k = 8 * (n[i] + n[(i + 1) & 7] + n[(i + 2) & 7]) - 3 * nTotal;
				if (k > nBest)
					nBest = k;
			}
			pDst[y * nPitch + x] = (BYTE)(nBest / 15);
		}
	}
}

// Roberts cross. The last line and the last column have no neighbours and become 0.
void RobertsCross(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch)
{
	if (nWidth <= 0)
		return;

	while (nHeight-- > 1)
	{
		const BYTE *p = pSrc;
		const BYTE *q = pSrc + nPitch;
		BYTE *d = pDst;
		for (int n = nWidth - 1; n > 0; n--)
		{
			int v = abs(p[0] - q[1]) + abs(p[1] - q[0]);
			*d++ = (BYTE)(v > 255 ? 255 : v);
			p++;
			q++;
		}
		*d = 0;
		pSrc += nPitch;
		pDst += nPitch;
	}
	if (nHeight == 0)
		memset(pDst, 0, nWidth);
}

// Gradient magnitude by central differences, one-sided at the edges. dx and dy are the
// pixel sizes in micrometres. Returns the largest magnitude, 0 for an empty plane.
float GradientF(float *pDst, const float *pSrc, int nWidth, int nHeight, int nStride,
                float dx, float dy)
{
	ASSERT(dx > 0.0f && dy > 0.0f);
	float fMax = 0.0f;

	for (int y = 0; y < nHeight; y++)
	{
		int y0 = Bound(y - 1, 0, nHeight - 1);
		int y1 = Bound(y + 1, 0, nHeight - 1);
		for (int x = 0; x < nWidth; x++)
		{
			int x0 = Bound(x - 1, 0, nWidth - 1);
			int x1 = Bound(x + 1, 0, nWidth - 1);
			float gx = 0.0f, gy = 0.0f;
			if (x1 > x0)
				gx = (pSrc[y * nStride + x1] - pSrc[y * nStride + x0]) / ((x1 - x0) * dx);
			if (y1 > y0)
				gy = (pSrc[y1 * nStride + x] - pSrc[y0 * nStride + x]) / ((y1 - y0) * dy);
			float f = (float)sqrt(gx * gx + gy * gy);
			pDst[y * nStride + x] = f;
			if (f > fMax)
				fMax = f;
		}
	}
	return fMax;
}
