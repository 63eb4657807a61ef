//
// SURFACE.CPP
//
#include <stdlib.h>
#include "blitz.h"
#include "pixfmt.h"

int SurfAttach(SURFACE *s, void *pBits, LONG lPitch, int nWidth, int nHeight, PIXFMT pf)
{
    if (!s || nWidth < 0 || nHeight < 0 || pf >= PF_COUNT)
        return BZERR_PARAM;
    memset(s, 0, sizeof(*s));
    s->pBits   = (BYTE *)pBits;
    s->lPitch  = lPitch;
    s->nWidth  = nWidth;
    s->nHeight = nHeight;
    s->pf      = pf;
    s->rcClip.right  = nWidth;
    s->rcClip.bottom = nHeight;
    return BZ_OK;
}

int SurfCreate(SURFACE **pp, int nWidth, int nHeight, PIXFMT pf)
{
    *pp = NULL;
    LONG lPitch = (nWidth * Bpp(pf) + 3) & ~3;
    void *pBits = calloc((size_t)lPitch * nHeight + 4, 1);
    SURFACE *s = (SURFACE *)malloc(sizeof(SURFACE));
    if (!pBits || !s || SurfAttach(s, pBits, lPitch, nWidth, nHeight, pf) != BZ_OK)
    {
        free(pBits);
        free(s);
        return BZERR_MEMORY;
    }
    s->bOwn = TRUE;
    *pp = s;
    return BZ_OK;
}

void SurfRelease(SURFACE *s)
{
    if (s && s->bOwn)
    {
        free(s->pBits);
        free(s);
    }
}

int SurfLock(SURFACE *s)
{
    if (!s || !s->pBits)
        return BZERR_PARAM;
    if (s->nLock)
        return BZERR_LOCKED;
    s->nLock++;
    return BZ_OK;
}

void SurfUnlock(SURFACE *s)
{
    s->nLock--;
}

//
// Cut the source rectangle to what is inside the source and inside the clip of the destination.
// FALSE: nothing is left.
//
BOOL ClipBlt(const SURFACE *dst, int *px, int *py, const SURFACE *src, RECT *prc)
{
    int d;

    if (prc->left < 0)             { *px -= prc->left; prc->left = 0; }
    if (prc->top  < 0)             { *py -= prc->top;  prc->top  = 0; }
    if (prc->right  > src->nWidth)  prc->right  = src->nWidth;
    if (prc->bottom > src->nHeight) prc->bottom = src->nHeight;

    if ((d = dst->rcClip.left - *px) > 0) { prc->left += d; *px += d; }
    if ((d = dst->rcClip.top  - *py) > 0) { prc->top  += d; *py += d; }
    if ((d = *px + (prc->right  - prc->left) - dst->rcClip.right)  > 0) prc->right  -= d;
    if ((d = *py + (prc->bottom - prc->top)  - dst->rcClip.bottom) > 0) prc->bottom -= d;
    return prc->left < prc->right && prc->top < prc->bottom;
}

static void FillRow16(BYTE *p, int n, WORD wColor)
{
    WORD *pw = (WORD *)(void *)p;
    DWORD dw = wColor | ((DWORD)wColor << 16);

    if (n > 0 && ((size_t)pw & 2))      // up to a dword
    {
        *pw++ = wColor;
        n--;
    }
    while (n >= 8)
    {
        PUTDW(pw, dw);
        PUTDW(pw + 2, dw);
        PUTDW(pw + 4, dw);
        PUTDW(pw + 6, dw);
        pw += 8;
        n  -= 8;
    }
    while (n-- > 0)
        *pw++ = wColor;
}

// prc: NULL is everything inside the clip
int SurfFill(SURFACE *s, const RECT *prc, DWORD dwColor)
{
    CSurfLock lock(s);
    if (lock.Failed())
        return BZERR_LOCKED;

    RECT rc = s->rcClip;
    if (prc)
    {
        if (prc->left   > rc.left)   rc.left   = prc->left;
        if (prc->top    > rc.top)    rc.top    = prc->top;
        if (prc->right  < rc.right)  rc.right  = prc->right;
        if (prc->bottom < rc.bottom) rc.bottom = prc->bottom;
    }
    if (rc.left >= rc.right || rc.top >= rc.bottom)
        return BZ_CLIPPED;

    int n = rc.right - rc.left;
    for (int y = rc.top; y < rc.bottom; y++)
    {
        BYTE *p = PixAddr(s, rc.left, y);
        switch (s->pf)
        {
        case PF_PAL8:
            memset(p, (int)(dwColor & 0xFF), n);
            break;
        case PF_555:
        case PF_565:
            FillRow16(p, n, (WORD)dwColor);
            break;
        case PF_888:
            for (int i = 0; i < n; i++, p += 3)
            {
                p[0] = (BYTE)(dwColor);
                p[1] = (BYTE)(dwColor >> 8);
                p[2] = (BYTE)(dwColor >> 16);
            }
            break;
        default:
            return BZERR_FORMAT;
        }
    }
    return BZ_OK;
}

void PalRealize(PALETTE *pal, PIXFMT pf)
{
    for (int i = 0; i < 256; i++)
    {
        const BYTE *c = pal->rgb[i];
        pal->w16[i] = pf == PF_555 ? MAKE555(c[0], c[1], c[2]) : MAKE565(c[0], c[1], c[2]);
    }
}

BYTE PalNearest(const PALETTE *pal, int r, int g, int b)
{
    int nBest = 0x7FFFFFFF, iBest = 0;
    for (int i = 0; i < 256; i++)
    {
        int dr = pal->rgb[i][0] - r, dg = pal->rgb[i][1] - g, db = pal->rgb[i][2] - b;
        int d = dr * dr * 2 + dg * dg * 4 + db * db;
        if (d < nBest)
        {
            nBest = d;
            iBest = i;
            if (!d)
                break;
        }
    }
    return (BYTE)iBest;
}
