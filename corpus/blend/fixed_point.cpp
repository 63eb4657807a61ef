/*
    FxBlend.cp -- the channel mixers of the paint module

    Everything here runs without the FPU: the Quadra 605 and the 486SX have none.

    Channels come in two depths.
        8 bit    0..255      (GPtr)
        15 bit   0..32768    (one more than fits into 15 bits: 1.0 is 0x8000, so that a
                              product needs a shift only)
    Fractions are 8.8, 1.15 or 16.16 as the name of the variable says: wGain88, fxStep16...
    rowBytes is always in BYTES, in 16 bit images too.

    The division by 255 was tuned for each processor that was current at that time. They don't
    all round alike, and files out there depend on it. Do not unify them!
*/

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint8_t   Uint8;
typedef uint16_t  Uint16;
typedef int16_t   Int16;
typedef uint32_t  Uint32;
typedef int32_t   Int32;
typedef int32_t   Fixed;        /* 16.16 */
typedef Uint8    *GPtr;

#define kOne15      0x8000
#define kHalf15     0x4000
#define kOne16      0x00010000L
#define FixRound(f) (((f) + 0x8000L) >> 16)

/* rounded a * b / 255; t is a scratch variable */
#define MULDIV255(a, b, t)  ((t) = (a) * (b) + 0x80, ((((t) >> 8) + (t)) >> 8))

/* truncated x / 255 for x in 0..65025: multiply by 0x8081 and shift (68040) */
#define DIV255_RECIP(x)     (((Uint32)(x) * 0x8081UL) >> 23)

/* truncated x / 255 for x in 0..65534: two adds and two shifts (486) */
#define DIV255_SHIFT(x)     (((x) + 1 + ((x) >> 8)) >> 8)

/* rounded x / 255 for x in 0..65025, in one 32 bit multiplication (Pentium) */
#define DIV255_PENTIUM(x)   (((Uint32)(x) * 65793UL + (1UL << 23)) >> 24)

/* x / 255, up to one too small. Only the preview uses it. */
#define DIV255_PREVIEW(x)   (((x) * 257L) >> 16)

#define Pin8(v) \
    if ((v) & ~0xFF) (v) = (v) < 0 ? 0 : 255

static Uint16 Mul15(Uint16 a, Uint16 b)
{
    return (Uint16)(((Uint32)a * b + kHalf15) >> 15);
}

static Fixed FxMul(Fixed a, Fixed b)
{
    return (Fixed)(((int64_t)a * b + 0x8000) >> 16);
}

/* ---- 8 bit channels ------------------------------------------------------------------- */

void FxNormal8 (GPtr pDst, const Uint8 *pSrc, const Uint8 *pMask,
                Int16 nRows, Int16 nCols, Int32 rowBytes)
{
    Int16 r, c;
    Uint32 t1, t2;

    for (r = 0; r < nRows; r++)
    {
        GPtr d = pDst;
        const Uint8 *s = pSrc;
        const Uint8 *m = pMask;

        for (c = 0; c < nCols; c++, d++, s++, m++)
            *d = (Uint8)(MULDIV255(*s, *m, t1) + MULDIV255(*d, 255 - *m, t2));

        pDst  += rowBytes;
        pSrc  += rowBytes;
        pMask += rowBytes;
    }
}

void FxMultiply8 (GPtr pDst, const Uint8 *pSrc, Int16 nRows, Int16 nCols,
                  Int32 dstRowBytes, Int32 srcRowBytes)
{
    Int16 c;
    while (nRows-- > 0)
    {
        for (c = 0; c < nCols; c++)
            pDst[c] = (Uint8)DIV255_RECIP(pDst[c] * pSrc[c]);
        pDst += dstRowBytes;
        pSrc += srcRowBytes;
    }
}

void FxScreen8 (GPtr pDst, const Uint8 *pSrc, Int16 nRows, Int16 nCols, Int32 rowBytes)
{
    for (Int16 r = 0; r < nRows; r++, pDst += rowBytes, pSrc += rowBytes)
    {
        for (Int16 c = 0; c < nCols; c++)
        {
            Uint32 x = (pDst[c] ^ 0xFF) * (pSrc[c] ^ 0xFF);
            pDst[c] = (Uint8)(DIV255_SHIFT(x) ^ 0xFF);
        }
    }
}

/* Opacity comes from the slider as 0..255 and is stretched to 0..256, so that full is full. */
void FxFade8 (GPtr pDst, const Uint8 *pSrc, Uint8 bOpacity, Int16 nRows, Int16 nCols,
              Int32 rowBytes)
{
    Int32 alpha = bOpacity + (bOpacity >> 7);
    Int16 row, col;

    for (row = 0; row < nRows; row++)
    {
        for (col = 0; col < nCols; col++)
        {
            Int32 delta = (Int32)pSrc[col] - (Int32)pDst[col];
            pDst[col] = (Uint8)(pDst[col] + ((delta * alpha + 128) >> 8));
        }
        pSrc += rowBytes;
        pDst += rowBytes;
    }
}

/* Exclusion at a constant opacity, for the preview window */
void FxExclusionPreview8 (GPtr pDst, const Uint8 *pSrc, Uint8 bOpacity,
                          Int16 nRows, Int16 nCols, Int32 rowBytes)
{
    for (Int16 r = 0; r < nRows; r++)
    {
        for (Int16 c = 0; c < nCols; c++)
        {
            Int32 d = pDst[c];
            Int32 s = pSrc[c];
            Int32 e = d + s - DIV255_PREVIEW(2 * d * s);
            pDst[c] = (Uint8)(d + DIV255_PREVIEW((e - d) * bOpacity));
        }
        pDst += rowBytes;
        pSrc += rowBytes;
    }
}

/* wGain88 is 8.8: 0x0100 leaves the channel alone. */
void FxGain8 (GPtr pChan, Uint16 wGain88, Int16 nBias, Int16 nRows, Int16 nCols, Int32 rowBytes)
{
    for (Int16 r = 0; r < nRows; r++)
    {
        GPtr p = pChan + r * rowBytes;
        GPtr pEnd = p + nCols;
        while (p < pEnd)
        {
            Int32 v = ((*p * (Int32)wGain88 + 0x80) >> 8) + nBias;
            Pin8(v);
            *p++ = (Uint8)v;
        }
    }
}

/* Linear dodge. Bit 8 of the sum is spread over the byte: no branch. */
void FxAdd8 (GPtr pDst, const Uint8 *pSrc, Int32 count)
{
    while (count > 0)
    {
        Uint32 t = (Uint32)*pDst + *pSrc++;
        *pDst++ = (Uint8)(t | (0 - (t >> 8)));
        --count;
    }
}

/* Subtract, through a mask. The sign is the mask that pins to 0. */
void FxSubtract8 (GPtr pDst, const Uint8 *pSrc, const Uint8 *pMask, Int32 count)
{
    for (Int32 i = 0; i < count; i++)
    {
        Int32 t = (Int32)pDst[i] - (Int32)DIV255_PENTIUM(pSrc[i] * pMask[i]);
        pDst[i] = (Uint8)(t & ~(t >> 31));
    }
}

void FxDifference8 (GPtr pDst, const Uint8 *pSrc, Int16 nRows, Int16 nCols, Int32 rowBytes)
{
    Int16 r = nRows;
    while (--r >= 0)
    {
        GPtr d = pDst + r * rowBytes;
        const Uint8 *s = pSrc + r * rowBytes;
        for (Int16 c = nCols - 1; c >= 0; c--)
        {
            Int32 t = d[c] - s[c];
            Int32 sign = t >> 31;
            d[c] = (Uint8)((t ^ sign) - sign);
        }
    }
}

/* Darken the red plane and lighten the blue one, as the "dusk" tool does. */
void FxDusk8 (GPtr pRed, GPtr pBlue, const Uint8 *pSrc, Int32 nPixels)
{
    Int32 i;
    for (i = 0; i < nPixels; i++)
    {
        Int32 r = pRed[i], b = pBlue[i], s = pSrc[i];
        pRed[i]  = (Uint8)(r - ((r - s) & -(s < r)));
        pBlue[i] = (Uint8)(b ^ ((b ^ s) & -(b < s)));
    }
}

/* Color dodge. One division a level, not one a pixel: 255 / (255 - s) as 16.16. */
void FxDodge8 (GPtr pDst, const Uint8 *pSrc, Int16 nRows, Int16 nCols, Int32 rowBytes)
{
    Fixed recip[256];
    int i;

    for (i = 0; i < 255; i++)
        recip[i] = (255L << 16) / (255 - i);
    recip[255] = 255L << 16;

    for (Int16 r = 0; r < nRows; r++)
    {
        for (Int16 c = 0; c < nCols; c++)
        {
            Uint32 v = ((Uint32)pDst[c] * (Uint32)recip[pSrc[c]]) >> 16;
            pDst[c] = v > 255 ? 255 : (Uint8)v;
        }
        pDst += rowBytes;
        pSrc += rowBytes;
    }
}

/* Multiply with a ramp from fxStart to fxEnd (16.16, 0..1), left to right. */
void FxRampMultiply8 (GPtr pDst, Fixed fxStart, Fixed fxEnd, Int16 nRows, Int16 nCols,
                      Int32 rowBytes)
{
    assert(fxStart >= 0 && fxStart <= kOne16);
    assert(fxEnd >= 0 && fxEnd <= kOne16);
    if (nCols < 1)
        return;

    Fixed fxStep = (fxEnd - fxStart) / nCols;
    for (Int16 r = 0; r < nRows; r++)
    {
        Fixed fx = fxStart;
        for (Int16 c = 0; c < nCols; c++)
        {
            pDst[c] = (Uint8)FixRound(pDst[c] * fx);
            fx += fxStep;
        }
        pDst += rowBytes;
    }
}

/* ---- 15 bit channels ------------------------------------------------------------------ */

/* The host hands out untyped planes. */
void FxMultiply15 (void *pDst, const void *pSrc, Int16 nRows, Int16 nCols, Int32 rowBytes)
{
    for (Int16 r = 0; r < nRows; r++)
    {
        Uint16 *d = (Uint16 *)((GPtr)pDst + r * rowBytes);
        const Uint16 *s = (const Uint16 *)((const Uint8 *)pSrc + r * rowBytes);
        for (Int16 c = 0; c < nCols; c++)
            d[c] = Mul15(d[c], s[c]);
    }
}

/* rowWords counts 16 bit words here: the scratch planes are ours */
void FxScreen15 (Uint16 *pDst, const Uint16 *pSrc, const Uint16 *pMask,
                 Int16 nRows, Int16 nCols, Int32 rowWords)
{
    for (Int16 r = 0; r < nRows; r++)
    {
        for (Int16 c = 0; c < nCols; c++)
        {
            Uint32 d = pDst[c];
            Uint32 s = pSrc[c];
            Uint32 v = d + s - ((d * s + kHalf15) >> 15);   /* never less than d */
            pDst[c] = (Uint16)(d + (((v - d) * pMask[c] + kHalf15) >> 15));
        }
        pDst += rowWords;
        pSrc += rowWords;
        pMask += rowWords;
    }
}

/* 15 bit pixels behind a byte pointer; the mask stays 8 bit and is widened by its own top bit */
void FxNormal15Mask8 (GPtr pDst, const Uint8 *pSrc, const Uint8 *pMask,
                      Int16 nRows, Int16 nCols, Int32 rowBytes, Int32 maskRowBytes)
{
    for (Int16 r = 0; r < nRows; r++)
    {
        Uint16 *d = (Uint16 *)pDst;
        const Uint16 *s = (const Uint16 *)pSrc;
        for (Int16 c = 0; c < nCols; c++)
        {
            Uint32 a = pMask[c];
            a = (a << 7) + (a >> 1) + (a >> 7);         /* 255 -> 32768 */
            *d = (Uint16)((*s * a + *d * (kOne15 - a) + kHalf15) >> 15);
            d++;
            s++;
        }
        pDst  += rowBytes;
        pSrc  += rowBytes;
        pMask += maskRowBytes;
    }
}

void FxOverlay15 (Uint16 *pDst, const Uint16 *pSrc, Int32 count)
{
    do
    {
        if (count-- <= 0)
            break;
        Uint16 b = *pDst, s = *pSrc++;
        if (b < kHalf15)
            *pDst++ = (Uint16)(((Uint32)b * s) >> 14);
        else
            *pDst++ = (Uint16)(kOne15 - (((Uint32)(kOne15 - b) * (Uint32)(kOne15 - s)) >> 14));
    } while (1);
}

/* Soft light after Pegtop, 1.15: (1 - b) * b*s + b * screen(b, s) */
void FxSoftLight15 (Uint16 *pDst, const Uint16 *pSrc, Uint16 wOpacity15,
                    Int16 nRows, Int16 nCols, Int32 rowWords)
{
    assert(wOpacity15 <= kOne15);
    for (Int16 y = 0; y < nRows; ++y)
        for (Int16 x = 0; x < nCols; ++x)
        {
            Uint16 *p = &pDst[y * rowWords + x];
            Uint16 b = *p;
            Uint16 s = pSrc[y * rowWords + x];
            Uint16 mul = Mul15(b, s);
            Uint16 scr = (Uint16)(b + s - mul);
            Uint16 v = (Uint16)(Mul15((Uint16)(kOne15 - b), mul) + Mul15(b, scr));
            *p = (Uint16)(Mul15(v, wOpacity15) + Mul15(b, (Uint16)(kOne15 - wOpacity15)));
        }
}

/* Curves at 15 bit: 257 knots, 128 levels apart, and straight lines between them. */
void FxCurve15 (Uint16 *pChan, const Uint16 *pKnots, Int32 count)
{
    for (Int32 i = 0; i < count; i++)
    {
        Uint16 v = pChan[i];
        Int32 k = v >> 7;
        Int32 frac = v & 0x7F;
        if (v >= kOne15)
            pChan[i] = pKnots[256];
        else
            pChan[i] = (Uint16)(pKnots[k] + (((pKnots[k + 1] - pKnots[k]) * frac + 64) >> 7));
    }
}

/* 8 -> 15: exact at both ends, and 15 -> 8 below gives the byte back. */
void FxWiden8To15 (Uint16 *pDst, const Uint8 *pSrc, Int16 nRows, Int16 nCols,
                   Int32 dstRowWords, Int32 srcRowBytes)
{
    for (Int16 r = 0; r < nRows; r++)
        for (Int16 c = 0; c < nCols; c++)
            pDst[r * dstRowWords + c] =
                (Uint16)(((Uint32)pSrc[r * srcRowBytes + c] * kOne15 + 127) / 255);
}

void FxNarrow15To8 (GPtr pDst, const Uint16 *pSrc, Int16 nRows, Int16 nCols,
                    Int32 dstRowBytes, Int32 srcRowWords)
{
    for (Int16 r = 0; r < nRows; r++)
    {
        for (Int16 c = 0; c < nCols; c++)
            pDst[c] = (Uint8)((pSrc[c] * 255UL + kHalf15) >> 15);
        pDst += dstRowBytes;
        pSrc += srcRowWords;
    }
}

/* ---- packed pixels -------------------------------------------------------------------- */

/* Two channels at a time: red and blue live in 0x00FF00FF and can't touch each other. */
void FxFadePacked32 (Uint32 *pDst, const Uint32 *pSrc, Int32 alpha256, Int32 nPixels)
{
    assert(alpha256 >= 0 && alpha256 <= 256);
    for (Int32 i = 0; i < nPixels; i++)
    {
        Uint32 d = pDst[i], s = pSrc[i];
        Uint32 rb = (((s & 0x00FF00FFUL) * (Uint32)alpha256
                      + (d & 0x00FF00FFUL) * (Uint32)(256 - alpha256)) >> 8) & 0x00FF00FFUL;
        Uint32 ag = ((s >> 8) & 0x00FF00FFUL) * (Uint32)alpha256
                    + ((d >> 8) & 0x00FF00FFUL) * (Uint32)(256 - alpha256);
        pDst[i] = rb | (ag & 0xFF00FF00UL);
    }
}

/* Averages four channels in one word: the low bits are dropped before they can carry. */
void FxAveragePacked32 (Uint32 *pDst, const Uint32 *pSrc, Int32 nPixels)
{
    while (nPixels-- > 0)
    {
        *pDst = (*pDst & *pSrc) + (((*pDst ^ *pSrc) & 0xFEFEFEFEUL) >> 1);
        pDst++;
        pSrc++;
    }
}

/* 5-6-5: green is moved into the upper half, one multiplication mixes all three. 0..32 */
void FxFade565 (Uint16 *pDst, const Uint16 *pSrc, Uint32 alpha32, Int16 nRows, Int16 nCols,
                Int32 rowBytes)
{
    assert(alpha32 <= 32);
    for (Int16 r = 0; r < nRows; r++)
    {
        for (Int16 c = 0; c < nCols; c++)
        {
            Uint32 d = (pDst[c] | ((Uint32)pDst[c] << 16)) & 0x07E0F81FUL;
            Uint32 s = (pSrc[c] | ((Uint32)pSrc[c] << 16)) & 0x07E0F81FUL;
            d = (d + (((s - d) * alpha32) >> 5)) & 0x07E0F81FUL;
            pDst[c] = (Uint16)(d | (d >> 16));
        }
        pDst = (Uint16 *)((GPtr)pDst + rowBytes);
        pSrc = (const Uint16 *)((const Uint8 *)pSrc + rowBytes);
    }
}

/* x-5-5-5 multiply, each channel on its own */
void FxMultiply555 (Uint16 *pDst, const Uint16 *pSrc, Int32 nPixels)
{
    for (Int32 i = 0; i < nPixels; i++)
    {
        Uint16 d = pDst[i], s = pSrc[i];
        int r = ((d >> 10) & 31) * ((s >> 10) & 31);
        int g = ((d >> 5) & 31) * ((s >> 5) & 31);
        int b = (d & 31) * (s & 31);
        r = (r + 16 + ((r + 16) >> 5)) >> 5;
        g = (g + 16 + ((g + 16) >> 5)) >> 5;
        b = (b + 16 + ((b + 16) >> 5)) >> 5;
        pDst[i] = (Uint16)((d & 0x8000) | (r << 10) | (g << 5) | b);
    }
}

/* Line art over a photo, 16.16 coverage accumulated by the scan converter. */
void FxCoverage8 (GPtr pDst, const Fixed *pCover, Uint8 bInk, Int32 count)
{
    for (Int32 i = 0; i < count; i++)
    {
        Fixed a = labs(pCover[i]) > kOne16 ? kOne16 : labs(pCover[i]);
        Fixed v = FxMul((Fixed)bInk << 16, a) + FxMul((Fixed)pDst[i] << 16, kOne16 - a);
        pDst[i] = (Uint8)(v >> 16);
    }
}
