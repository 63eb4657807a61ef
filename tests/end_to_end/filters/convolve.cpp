#include "exercise.h"

typedef unsigned char BYTE;
typedef unsigned short WORD;
typedef int BOOL;

struct CPlane {
    BYTE *m_pBits;
    int m_nWidth;
    int m_nHeight;
    int m_nPitch;
};

void SmoothPlane(CPlane *pDst, const CPlane *pSrc);
void Gauss5x5(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch);
BOOL SmoothCameraFrame(WORD *pDst, const WORD *pSrc, int nWidth, int nHeight, int nStride);
void GaussianF(float *pDst, const float *pSrc, int nWidth, int nHeight, int nStride, double dSigma);
void BilateralGray(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch, int nRadius,
                   double dSigmaSpace, double dSigmaRange);
void FilterCustom3x3(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch, const int *pCoef,
                     int nDivisor, int nOffset);
BOOL ConvolveMirrored(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch,
                      const short *pKernel, int nSize, int nDivisor, int nOffset);
void ConvolveProfile(double *pOut, const double *pIn, int nCount, const double *pTaps, int nTaps);
int UnsharpMask(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch, int nPercent,
                int nThreshold);
void SharpenCT(short *pDst, const short *pSrc, int nWidth, int nHeight, int nStride, int nWeight);
void EmbossDib24(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nDepth);
void SobelDirections(WORD *pStrength, BYTE *pDirection, const BYTE *pSrc, int nWidth, int nHeight,
                     int nPitch, int nThreshold);
void PrewittEdges(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch);
void ScharrPeriodic(short *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nDstStride,
                    int nSrcPitch, BOOL bVertical);
void LaplaceInPlace(CPlane &plane, int nShift);
void KirschCompass(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch);
void RobertsCross(BYTE *pDst, const BYTE *pSrc, int nWidth, int nHeight, int nPitch);
float GradientF(float *pDst, const float *pSrc, int nWidth, int nHeight, int nStride, float dx, float dy);

static void planes(int w, int h, int pitch)
{
    const std::ptrdiff_t all = area(w, h, pitch);
    const bool has_width = w >= 0;  // lines are copied as they are
    {
        const int other = pitch + 3;
        Array<BYTE> src(all), dst(all), wide(area(w, h, other));
        const CPlane from = {src, w, h, pitch};
        CPlane to = {wide, w, h, other};
        SmoothPlane(&to, &from);
        said("SmoothPlane", w, h, pitch);
        Gauss5x5(dst, src, w, h, pitch);
        said("Gauss5x5", w, h, pitch);
        for (int radius : {1, 2, 4}) {
            BilateralGray(dst, src, w, h, pitch, radius, 1.5, 30.0);
            said("BilateralGray", w, h, pitch, radius);
        }
        for (int divisor : {0, 1, -7, 16}) {
            Array<int> coefficients(9, -999, 999);
            for (int i = 0; divisor == 16 && i < 9; i++)
                coefficients.data[i] = between(0, 4);
            if (has_width)
                FilterCustom3x3(dst, src, w, h, pitch, coefficients, divisor, divisor * 3);
            said("FilterCustom3x3", w, h, pitch, divisor);
            for (int size : {-1, 0, 1, 2, 3, 5, 9, 25, 27}) {
                Array<short> kernel(size > 0 ? size * size : 0, -9, 20);
                const BOOL done =
                    ConvolveMirrored(dst, src, w, h, pitch, kernel, size, divisor * 10, divisor);
                said("ConvolveMirrored", w, h, pitch, size, divisor, done);
            }
        }
        for (int percent : {0, 80, 500}) {
            const int done = UnsharpMask(dst, src, w, h, pitch, percent, percent / 50);
            said("UnsharpMask", w, h, pitch, percent, done);
        }
        Array<BYTE> direction(w > 0 && h > 0 ? w * h : 0);
        Array<WORD> strength(w > 0 && h > 0 ? w * h : 0);
        for (int threshold : {-1, 0, 200, 3000}) {
            SobelDirections(strength, direction, src, w, h, pitch, threshold);
            said("SobelDirections", w, h, pitch, threshold);
        }
        PrewittEdges(dst, src, w, h, pitch);
        said("PrewittEdges", w, h, pitch);
        Array<short> derived(area(w, h, other));
        for (BOOL vertical : {0, 1}) {
            ScharrPeriodic(derived, src, w, h, other, pitch, vertical);
            said("ScharrPeriodic", w, h, pitch, vertical);
        }
        if (has_width)
            KirschCompass(dst, src, w, h, pitch);
        said("KirschCompass", w, h, pitch);
        RobertsCross(dst, src, w, h, pitch);
        said("RobertsCross", w, h, pitch);
        for (int shift : {0, 2, 4}) {
            CPlane plane = {dst, w, h, pitch};
            LaplaceInPlace(plane, shift);
            said("LaplaceInPlace", w, h, pitch, shift);
        }
        UnsharpMask(dst, dst, w, h, pitch, 150, 3);
        said("UnsharpMask in place", w, h, pitch);
    }
    {
        Array<WORD> src(all, 0, 16383), dst(all);
        BOOL done = SmoothCameraFrame(dst, src, w, h, pitch);
        said("SmoothCameraFrame", w, h, pitch, done);
        done = SmoothCameraFrame(src, src, w, h, pitch);
        said("SmoothCameraFrame in place", w, h, pitch, done);
    }
    {
        Array<float> src(all), dst(all);
        for (double sigma : {0.5, 1.0, 3.7}) {
            if (w > 0 && h > 0)
                GaussianF(dst, src, w, h, pitch, sigma);
            said("GaussianF", w, h, pitch, sigma);
        }
        for (float step : {0.25f, 1.0f, 3.0f}) {
            const float most = GradientF(dst, src, w, h, pitch, step, 1.5f);
            said("GradientF", w, h, pitch, step, most);
        }
    }
    for (int weight : {0, 100, 256, 1024}) {
        Array<short> src(all), dst(all);
        SharpenCT(dst, src, w, h, pitch, weight);
        said("SharpenCT", w, h, pitch, weight);
    }
    for (int depth : {1, 4, 16}) {
        if (pitch != w)
            continue;
        const int line = w > 0 ? (w * 24 + 31) / 32 * 4 : 0;
        Array<BYTE> src(h > 0 ? line * h : 0), dst(h > 0 ? line * h : 0);
        EmbossDib24(dst, src, w, h, depth);
        said("EmbossDib24", w, h, depth);
    }
}

void exercise()
{
    for (int n : SIZES)
        for (int taps : {1, 3, 5, 31, 201}) {
            Array<double> in(n), out(n), weights(taps);
            ConvolveProfile(out, in, n, weights, taps);
            said("ConvolveProfile", n, taps);
        }
    images(planes);
}
