//
// BLIT8.CPP - everything that starts from a palette surface
//
#include <stdlib.h>
#include "blitz.h"

// common head of the blits: formats, rectangle, clipping
#define BLT_HEAD(pfD, pfS)                                                  \
    RECT rc;                                                                \
    if (!dst || !src) return BZERR_PARAM;                                   \
    if (dst->pf != (pfD) || src->pf != (pfS)) return BZERR_FORMAT;          \
    if (prc) rc = *prc;                                                     \
    else { rc.left = rc.top = 0; rc.right = src->nWidth; rc.bottom = src->nHeight; } \
    if (!ClipBlt(dst, &x, &y, src, &rc)) return BZ_CLIPPED;                 \
    const int w = rc.right - rc.left; int h = rc.bottom - rc.top;           \
    const BYTE *s = PixAddr(src, rc.left, rc.top);                          \
    BYTE *d = PixAddr(dst, x, y)

static void Copy8(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h)
{
    // same surface, moving down: start from below
    if (d > s && dp == sp && dp > 0)
    {
        for (int y = h - 1; y >= 0; y--)
            memmove(d + (ptrdiff_t)y * dp, s + (ptrdiff_t)y * sp, w);
    }
    else
    {
        for (int y = 0; y < h; y++)
            memmove(d + (ptrdiff_t)y * dp, s + (ptrdiff_t)y * sp, w);
    }
}

#define KEYPIX(i) if (s[i] != key) d[i] = s[i]

static void Key8(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h, BYTE key)
{
    dp -= w;
    sp -= w;
    for (; h; h--)
    {
        int n = w >> 3;
        while (n--)
        {
            KEYPIX(0); KEYPIX(1); KEYPIX(2); KEYPIX(3);
            KEYPIX(4); KEYPIX(5); KEYPIX(6); KEYPIX(7);
            s += 8; d += 8;
        }
        switch (w & 7)
        {
        case 7: KEYPIX(6);  // fall through
        case 6: KEYPIX(5);  // fall through
        case 5: KEYPIX(4);  // fall through
        case 4: KEYPIX(3);  // fall through
        case 3: KEYPIX(2);  // fall through
        case 2: KEYPIX(1);  // fall through
        case 1: KEYPIX(0);
        }
        s += (w & 7) + sp;
        d += (w & 7) + dp;
    }
}

static void KeyMirror8(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h, int nKey)
{
    while (h--)
    {
        const BYTE *p = s + w;
        for (int i = 0; i < w; i++)
        {
            BYTE c = *--p;
            if (c != nKey)      // -1: no key
                d[i] = c;
        }
        s += sp;
        d += dp;
    }
}

int Blt8(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, DWORD dwFlags)
{
    BLT_HEAD(PF_PAL8, PF_PAL8);

    if (dwFlags & BLT_MIRROR)
    {
        if (dst == src)
            return BZERR_PARAM;
        KeyMirror8(d, dst->lPitch, s, src->lPitch, w, h, (dwFlags & BLT_KEYSRC) ? (int)(BYTE)src->dwKey : -1);
    }
    else if (dwFlags & BLT_KEYSRC)
        Key8(d, dst->lPitch, s, src->lPitch, w, h, (BYTE)src->dwKey);
    else
        Copy8(d, dst->lPitch, s, src->lPitch, w, h);
    return BZ_OK;
}

// team colours and such; colour key always on
int Blt8Remap(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, const BYTE *pTable)
{
    BLT_HEAD(PF_PAL8, PF_PAL8);
    const BYTE key = (BYTE)src->dwKey;

    do
    {
        int i = 0;
        do
        {
            if (s[i] != key)
                d[i] = pTable[s[i]];
        } while (++i < w);
        s += src->lPitch;
        d += dst->lPitch;
    } while (--h);
    return BZ_OK;
}

// shadows: where the sprite is, the destination goes through the table
int Blt8Shade(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, const BYTE *pShade)
{
    BLT_HEAD(PF_PAL8, PF_PAL8);

    while (h-- > 0)
    {
        for (int i = 0; i < w; i++)
            d[i] = (s[i] == (BYTE)src->dwKey) ? d[i] : pShade[d[i]];
        s += src->lPitch;
        d += dst->lPitch;
    }
    return BZ_OK;
}

int Blt8Mix(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, const BYTE pMix[256][256])
{
    BLT_HEAD(PF_PAL8, PF_PAL8);

    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
        {
            const BYTE c = s[(ptrdiff_t)j * src->lPitch + i];
            BYTE *p = d + (ptrdiff_t)j * dst->lPitch + i;
            if (c == 0)
                continue;
            *p = pMix[c][*p];
        }
    return BZ_OK;
}

// through the realized palette of the source
int Blt8To16(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, DWORD dwFlags)
{
    if (!dst || (dst->pf != PF_555 && dst->pf != PF_565))
        return BZERR_FORMAT;
    BLT_HEAD(dst->pf, PF_PAL8);
    if (!src->pPal)
        return BZERR_PARAM;
    const WORD *pw = src->pPal->w16;
    const BYTE key = (BYTE)src->dwKey;

    for (; h > 0; h--, s += src->lPitch, d += dst->lPitch)
    {
        WORD *o = (WORD *)(void *)d;
        int i;
        if (dwFlags & BLT_KEYSRC)
        {
            for (i = 0; i < w; i++)
                if (s[i] != key)
                    o[i] = pw[s[i]];
        }
        else
        {
            for (i = 0; i < (w & ~1); i += 2)
                PUTDW(o + i, pw[s[i]] | ((DWORD)pw[s[i + 1]] << 16));
            if (w & 1)
                o[i] = pw[s[i]];
        }
    }
    return BZ_OK;
}

//
// Sprites: each row is (skip, count, count bytes)..., ended by (0, 0).
// Returns the size or an error.
//
int RleEncode8(const SURFACE *src, BYTE *pOut, DWORD dwSize)
{
    DWORD n = 0;
    const BYTE key = (BYTE)src->dwKey;

    for (int y = 0; y < src->nHeight; y++)
    {
        const BYTE *s = PixAddr(src, 0, y);
        int x = 0;
        while (x < src->nWidth)
        {
            int nSkip = 0, nRun = 0;
            while (x < src->nWidth && nSkip < 255 && s[x] == key)
                x++, nSkip++;
            while (x + nRun < src->nWidth && nRun < 255 && s[x + nRun] != key)
                nRun++;
            if (n + 2 + nRun > dwSize)
                return BZERR_MEMORY;
            if (nSkip == 0 && nRun == 0)
                break;
            pOut[n++] = (BYTE)nSkip;
            pOut[n++] = (BYTE)nRun;
            memcpy(pOut + n, s + x, nRun);
            n += nRun;
            x += nRun;
        }
        if (n + 2 > dwSize)
            return BZERR_MEMORY;
        pOut[n++] = 0;
        pOut[n++] = 0;
    }
    return (int)n;
}

int RleBlt8(SURFACE *dst, int x, int y, const BYTE *pRle, int nWidth, int nHeight)
{
    const RECT &c = dst->rcClip;

    if (dst->pf != PF_PAL8)
        return BZERR_FORMAT;
    if (x >= c.right || y >= c.bottom || x + nWidth <= c.left || y + nHeight <= c.top)
        return BZ_CLIPPED;
    for (int j = 0; j < nHeight; j++)
    {
        int xx = x;
        BYTE *d = (y + j >= c.top && y + j < c.bottom) ? dst->pBits + (ptrdiff_t)(y + j) * dst->lPitch : NULL;
        for (;;)
        {
            int nSkip = *pRle++, nRun = *pRle++;
            if (!nSkip && !nRun)
                break;
            xx += nSkip;
            if (d)
                for (int i = 0; i < nRun; i++)
                    if (xx + i >= c.left && xx + i < c.right)
                        d[xx + i] = pRle[i];
            xx   += nRun;
            pRle += nRun;
        }
    }
    return BZ_OK;
}

// do two sprites touch?
BOOL Hit8(const SURFACE *a, int ax, int ay, const SURFACE *b, int bx, int by)
{
    int l = ax > bx ? ax : bx, t = ay > by ? ay : by;
    int r = ax + a->nWidth  < bx + b->nWidth  ? ax + a->nWidth  : bx + b->nWidth;
    int m = ay + a->nHeight < by + b->nHeight ? ay + a->nHeight : by + b->nHeight;

    for (int y = t; y < m; y++)
    {
        const BYTE *p = PixAddr(a, 0, y - ay), *q = PixAddr(b, 0, y - by);
        for (int x = l; x < r; x++)
            if (p[x - ax] != (BYTE)a->dwKey && q[x - bx] != (BYTE)b->dwKey)
                return TRUE;
    }
    return FALSE;
}

// one bit glyphs, top bit first, rows of whole bytes; nBack -1: see through
int FontBlt(SURFACE *dst, int x, int y, const BYTE *pGlyph, int nWidth, int nHeight, DWORD dwColor, int nBack)
{
    const int nBytes = (nWidth + 7) >> 3;

    if (dst->pf == PF_888)
        return BZERR_FORMAT;
    for (int j = 0; j < nHeight; j++, pGlyph += nBytes)
    {
        if (y + j < dst->rcClip.top || y + j >= dst->rcClip.bottom)
            continue;
        BYTE bits = 0;
        for (int i = 0; i < nWidth; i++)
        {
            if ((i & 7) == 0)
                bits = pGlyph[i >> 3];
            else
                bits = (BYTE)(bits << 1);
            if (x + i < dst->rcClip.left || x + i >= dst->rcClip.right)
                continue;
            if (!(bits & 0x80) && nBack < 0)
                continue;
            DWORD c = (bits & 0x80) ? dwColor : (DWORD)nBack;
            if (dst->pf == PF_PAL8)
                *PixAddr(dst, x + i, y + j) = (BYTE)c;
            else
                *(WORD *)(void *)PixAddr(dst, x + i, y + j) = (WORD)c;
        }
    }
    return BZ_OK;
}
