//
// EFFECTS.CPP - fire, water, waves and the dithering for the intro pictures
//
#include <stdlib.h>
#include "blitz.h"

// the lowest row is the fuel; everything above is cooled from the rows below
int Fire8(SURFACE *s, int nCool)
{
    CSurfLock lock(s);
    if (lock.Failed())
        return BZERR_LOCKED;
    if (s->pf != PF_PAL8 || s->nWidth < 2 || s->nHeight < 3)
        return BZERR_FORMAT;

    const int w = s->nWidth;
    for (int y = 0; y < s->nHeight - 1; y++)
    {
        BYTE *d = PixAddr(s, 0, y);
        const BYTE *p = PixAddr(s, 0, y + 1);
        const BYTE *q = y + 2 < s->nHeight ? PixAddr(s, 0, y + 2) : p;
        for (int x = 0; x < w; x++)
        {
            int l = x ? x - 1 : w - 1;          // wraps
            int r = x + 1 < w ? x + 1 : 0;
            int c = ((p[l] + p[x] + p[r] + q[x]) >> 2) - nCool;
            d[x] = (BYTE)(c < 0 ? 0 : c);
        }
    }
    return BZ_OK;
}

// each row is turned by its entry of the table
int Wave8(SURFACE *dst, const SURFACE *src, const signed char *pOffs, int nOffs, int nPhase)
{
    const int w = src->nWidth;

    if (dst == src || nOffs <= 0)
        return BZERR_PARAM;
    if (dst->pf != PF_PAL8 || src->pf != PF_PAL8 || dst->nWidth != w || dst->nHeight != src->nHeight)
        return BZERR_FORMAT;
    if (w == 0)
        return BZ_CLIPPED;
    for (int y = 0; y < dst->nHeight; y++)
    {
        int o = pOffs[(y + nPhase) % nOffs] % w;
        if (o < 0)
            o += w;
        const BYTE *s = PixAddr(src, 0, y);
        BYTE *d = PixAddr(dst, 0, y);
        memcpy(d, s + o, w - o);
        memcpy(d + w - o, s, o);
    }
    return BZ_OK;
}

// pNew holds the step before last on entry; the frame stays flat
void Water(short *pNew, const short *pOld, int nWidth, int nHeight, int nDamp)
{
    if (nWidth < 3 || nHeight < 3)
        return;
    int i = nWidth + 1;
    for (int y = nHeight - 2; y > 0; y--, i += 2)
    {
        for (int x = nWidth - 2; x > 0; x--, i++)
        {
            int n = ((pOld[i - 1] + pOld[i + 1] + pOld[i - nWidth] + pOld[i + nWidth]) >> 1) - pNew[i];
            n -= n >> nDamp;
            pNew[i] = (short)(n > 16000 ? 16000 : n < -16000 ? -16000 : n);
        }
    }
}

int WaterDraw8(SURFACE *dst, const SURFACE *back, const short *pHeight)
{
    const int w = dst->nWidth, h = dst->nHeight;

    if (dst->pf != PF_PAL8 || back->pf != PF_PAL8 || back->nWidth != w || back->nHeight != h || dst == back)
        return BZERR_FORMAT;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
        {
            const short *p = pHeight + (ptrdiff_t)y * w + x;
            int dx = x + 1 < w ? p[0] - p[1] : 0;
            int dy = y + 1 < h ? p[0] - p[w] : 0;
            int sx = x + (dx >> 3), sy = y + (dy >> 3);
            if (sx < 0) sx = 0; else if (sx >= w) sx = w - 1;
            if (sy < 0) sy = 0; else if (sy >= h) sy = h - 1;
            *PixAddr(dst, x, y) = *PixAddr(back, sx, sy);
        }
    return BZ_OK;
}

//
// Error diffusion (7 3 5 1), left to right.  pErr: 2 * 3 * (width + 2) ints of the caller.
// The inverse palette has 15 bits and is kept.
//
int Dither888To8(SURFACE *dst, const SURFACE *src, const PALETTE *pal, int *pErr)
{
    static short inv[32768];
    static const PALETTE *palLast = NULL;
    const int w = src->nWidth, n = 3 * (w + 2);

    if (src->pf != PF_888 || dst->pf != PF_PAL8 || dst->nWidth != w || dst->nHeight != src->nHeight)
        return BZERR_FORMAT;
    if (palLast != pal)
    {
        memset(inv, 0xFF, sizeof inv);
        palLast = pal;
    }
    memset(pErr, 0, 2 * n * sizeof(int));
    for (int y = 0; y < src->nHeight; y++)
    {
        int *cur = pErr + (y & 1) * n + 3, *nxt = pErr + (~y & 1) * n + 3;
        const BYTE *s = PixAddr(src, 0, y);
        BYTE *d = PixAddr(dst, 0, y);

        memset(nxt - 3, 0, n * sizeof(int));
        for (int x = 0; x < w; x++, s += 3, cur += 3, nxt += 3)
        {
            int v[3];
            for (int k = 0; k < 3; k++)
            {
                v[k] = s[2 - k] + ((cur[k] + 8) >> 4);
                v[k] = v[k] < 0 ? 0 : v[k] > 255 ? 255 : v[k];
            }
            int key = ((v[0] >> 3) << 10) | ((v[1] >> 3) << 5) | (v[2] >> 3);
            if (inv[key] < 0)
                inv[key] = PalNearest(pal, v[0] & 0xF8, v[1] & 0xF8, v[2] & 0xF8);
            d[x] = (BYTE)inv[key];
            for (int k = 0; k < 3; k++)
            {
                int e = v[k] - pal->rgb[d[x]][k];
                cur[3 + k] += e * 7;
                nxt[k - 3] += e * 3;
                nxt[k]     += e * 5;
                nxt[k + 3] += e;
            }
        }
    }
    return BZ_OK;
}

// how often each colour stands there; returns how many colours there are
int CountColors8(const SURFACE *s, const RECT *prc, DWORD dwHist[256])
{
    int nUsed = 0;
    RECT rc = s->rcClip;

    if (s->pf != PF_PAL8)
        return BZERR_FORMAT;
    if (prc)
        rc = *prc;
    if (rc.left < 0 || rc.top < 0 || rc.right > s->nWidth || rc.bottom > s->nHeight)
        return BZERR_PARAM;
    memset(dwHist, 0, 256 * sizeof(DWORD));
    for (int y = rc.top; y < rc.bottom; y++)
    {
        const BYTE *p = PixAddr(s, rc.left, y);
        int n = rc.right - rc.left;
        for (; n >= 2; n -= 2, p += 2)
        {
            dwHist[p[0]]++;
            dwHist[p[1]]++;
        }
        if (n == 1)
            dwHist[*p]++;
    }
    for (int i = 0; i < 256; i++)
        nUsed += dwHist[i] != 0;
    return nUsed;
}
