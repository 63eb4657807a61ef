//
// BLIT16.CPP - high colour.  The 555 and 565 cards differ in masks only.
//
#include <stdlib.h>
#include "blitz.h"
#include "pixfmt.h"

typedef void (*PFNBLT)(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h, WORD wKey, int nAlpha);

static void Copy16(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h, WORD, int)
{
    while (h--)
    {
        memmove(d, s, w * 2);
        d += dp;
        s += sp;
    }
}

static void Key16(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h, WORD wKey, int)
{
    const DWORD dwKey2 = wKey | ((DWORD)wKey << 16);

    for (int y = 0; y < h; y++, d += dp, s += sp)
    {
        WORD *pd = (WORD *)(void *)d;
        const WORD *ps = (const WORD *)(const void *)s;
        int n = w;

        // two at a time; many pairs are empty
        for (; n >= 2; n -= 2, pd += 2, ps += 2)
        {
            DWORD two = GETDW(ps);
            if (two == dwKey2)
                continue;
            if (ps[0] != wKey) pd[0] = ps[0];
            if (ps[1] != wKey) pd[1] = ps[1];
        }
        if (n && *ps != wKey)
            *pd = *ps;
    }
}

// half and half, two pixels in a dword
template <class F>
static void Half16(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h, WORD, int)
{
    const DWORD m = (DWORD)F::HALF | ((DWORD)F::HALF << 16);

    for (; h > 0; h--)
    {
        int i;
        for (i = 0; i + 2 <= w; i += 2)
        {
            DWORD a = GETDW(d + i * 2), b = GETDW(s + i * 2);
            PUTDW(d + i * 2, ((a & m) >> 1) + ((b & m) >> 1));
        }
        if (i < w)
        {
            WORD *pd = (WORD *)(void *)d + i;
            WORD ws = ((const WORD *)(const void *)s)[i];
            *pd = (WORD)(((*pd & F::HALF) >> 1) + ((ws & F::HALF) >> 1));
        }
        d += dp;
        s += sp;
    }
}

// nAlpha 0..32
template <class F>
static void Alpha16(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h, WORD wKey, int nAlpha)
{
    const DWORD a = (DWORD)nAlpha;

    while (h--)
    {
        WORD *pd = (WORD *)(void *)d;
        const WORD *ps = (const WORD *)(const void *)s, *pe = ps + w;
        while (ps < pe)
        {
            DWORD p = *ps++;
            if (p != wKey)
            {
                DWORD q  = *pd;
                DWORD rb = (q & F::RB) + ((((p & F::RB) - (q & F::RB)) * a) >> 5);
                DWORD g  = (q & F::G)  + ((((p & F::G)  - (q & F::G))  * a) >> 5);
                *pd = (WORD)((rb & F::RB) | (g & F::G));
            }
            pd++;
        }
        d += dp;
        s += sp;
    }
}

template <class F>
static void Add16(BYTE *d, LONG dp, const BYTE *s, LONG sp, int w, int h, WORD, int)
{
    typedef typename F::PIX PIX;

    for (int y = 0; y < h; y++)
    {
        const WORD *ps = (const WORD *)(const void *)(s + (ptrdiff_t)y * sp);
        WORD *pd = (WORD *)(void *)(d + (ptrdiff_t)y * dp);
        for (int x = 0; x < w; x++)
        {
            PIX p, q;
            p.w = ps[x];
            q.w = pd[x];
            int r = p.c.r + q.c.r, g = p.c.g + q.c.g, b = p.c.b + q.c.b;
            q.c.r = r > 31 ? 31 : r;
            q.c.g = g >= (1 << F::GBITS) ? (1 << F::GBITS) - 1 : g;
            q.c.b = b > 31 ? 31 : b;
            pd[x] = q.w;
        }
    }
}

enum { OP_COPY, OP_KEY, OP_HALF, OP_ALPHA, OP_ADD, OP_COUNT };

static const PFNBLT g_pfnBlt[2][OP_COUNT] =
{
    { Copy16, Key16, Half16<FMT555>, Alpha16<FMT555>, Add16<FMT555> },
    { Copy16, Key16, Half16<FMT565>, Alpha16<FMT565>, Add16<FMT565> }
};

int Blt16(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, DWORD dwFlags, int nAlpha)
{
    RECT rc;
    int  op = OP_COPY;

    if (!dst || !src || nAlpha < 0 || nAlpha > 32)
        return BZERR_PARAM;
    if (dst->pf != src->pf || (dst->pf != PF_555 && dst->pf != PF_565))
        return BZERR_FORMAT;
    CSurfLock lock(dst);
    if (lock.Failed())
        return BZERR_LOCKED;
    if (prc)
        rc = *prc;
    else
    {
        rc.left = rc.top = 0;
        rc.right = src->nWidth;
        rc.bottom = src->nHeight;
    }
    if (!ClipBlt(dst, &x, &y, src, &rc))
        return BZ_CLIPPED;

    if (dwFlags & BLT_ADD)
        op = OP_ADD;
    else if (dwFlags & BLT_ALPHA)
        op = (nAlpha == 16 && !(dwFlags & BLT_KEYSRC)) ? OP_HALF : OP_ALPHA;
    else if (dwFlags & BLT_KEYSRC)
        op = OP_KEY;
    g_pfnBlt[dst->pf == PF_565][op](PixAddr(dst, x, y), dst->lPitch, PixAddr(src, rc.left, rc.top), src->lPitch,
                                    rc.right - rc.left, rc.bottom - rc.top, (WORD)src->dwKey, nAlpha);
    return BZ_OK;
}

static BOOL SetRect16(const SURFACE *s, const RECT *prc, RECT &rc)
{
    rc = s->rcClip;
    if (prc)
    {
        if (prc->left   > rc.left)   rc.left   = prc->left;
        if (prc->top    > rc.top)    rc.top    = prc->top;
        if (prc->right  < rc.right)  rc.right  = prc->right;
        if (prc->bottom < rc.bottom) rc.bottom = prc->bottom;
    }
    return rc.left < rc.right && rc.top < rc.bottom;
}

// nLevel 0 (black) .. 32 (as it is); 33..64 goes to white
int Fade16(SURFACE *s, const RECT *prc, int nLevel)
{
    static WORD tab[3][64];
    static int  nTabLevel = -1, nTabFmt = -1;
    RECT rc;
    const BOOL b565 = s->pf == PF_565;

    if (s->pf != PF_555 && s->pf != PF_565)
        return BZERR_FORMAT;
    if (nLevel < 0 || nLevel > 64)
        return BZERR_PARAM;
    if (!SetRect16(s, prc, rc))
        return BZ_CLIPPED;
    if (nTabLevel != nLevel || nTabFmt != (int)s->pf)
    {
        for (int i = 0; i < 64; i++)
        {
            int hi = b565 ? 63 : 31;
            int v5 = i & 31, v6 = i & hi;
            if (nLevel <= 32)
            {
                v5 = v5 * nLevel >> 5;
                v6 = v6 * nLevel >> 5;
            }
            else
            {
                v5 += (31 - v5) * (nLevel - 32) >> 5;
                v6 += (hi - v6) * (nLevel - 32) >> 5;
            }
            tab[0][i] = (WORD)(v5 << (b565 ? 11 : 10));
            tab[1][i] = (WORD)(v6 << 5);
            tab[2][i] = (WORD)v5;
        }
        nTabLevel = nLevel;
        nTabFmt = (int)s->pf;
    }
    for (int y = rc.top; y < rc.bottom; y++)
    {
        WORD *p = (WORD *)(void *)PixAddr(s, rc.left, y);
        if (b565)
            for (int n = rc.right - rc.left; n > 0; n--, p++)
                *p = tab[0][*p >> 11] | tab[1][(*p >> 5) & 63] | tab[2][*p & 31];
        else
            for (int n = rc.right - rc.left; n > 0; n--, p++)
                *p = tab[0][(*p >> 10) & 31] | tab[1][(*p >> 5) & 31] | tab[2][*p & 31];
    }
    return BZ_OK;
}

// the pause screen
int Gray16(SURFACE *s, const RECT *prc)
{
    RECT rc;
    if (s->pf != PF_565)
        return BZERR_FORMAT;
    if (!SetRect16(s, prc, rc))
        return BZ_CLIPPED;
    CSurfLock lock(s);
    if (lock.Failed())
        return BZERR_LOCKED;
    for (int y = rc.top; y < rc.bottom; ++y)
    {
        BYTE *row = PixAddr(s, 0, y);
        for (int x = rc.left; x < rc.right; ++x)
        {
            PIX565 p;
            memcpy(&p.w, row + x * 2, sizeof(WORD));
            unsigned l = (p.c.r * 2 * 77 + p.c.g * 151 + p.c.b * 2 * 28) >> 8;
            p.c.r = l >> 1;
            p.c.g = l;
            p.c.b = l >> 1;
            memcpy(row + x * 2, &p.w, sizeof(WORD));
        }
    }
    return BZ_OK;
}

static const BYTE g_Dith[4][4] = { { 0, 4, 1, 5 }, { 6, 2, 7, 3 }, { 1, 5, 0, 4 }, { 7, 3, 6, 2 } };

// same size; 555<->565 also on the very same bits, 565->888, 888->565 and 555 (dithered)
int Convert(SURFACE *dst, const SURFACE *src)
{
    const int w = src->nWidth, h = src->nHeight;
    int x, y;

    if (dst->nWidth != w || dst->nHeight != h)
        return BZERR_PARAM;
    switch (src->pf * PF_COUNT + dst->pf)
    {
    case PF_555 * PF_COUNT + PF_565:
        for (y = 0; y < h; y++)
        {
            const BYTE *s = PixAddr(src, 0, y);
            BYTE *d = PixAddr(dst, 0, y);
            for (x = w >> 1; x; x--, s += 4, d += 4)
            {
                DWORD v = GETDW(s);
                // green gets its top bit again below
                PUTDW(d, ((v & 0x7FE07FE0) << 1) | ((v >> 4) & 0x00200020) | (v & 0x001F001F));
            }
            if (w & 1)
            {
                WORD v = *(const WORD *)(const void *)s;
                *(WORD *)(void *)d = (WORD)(((v & 0x7FE0) << 1) | ((v >> 4) & 0x20) | (v & 0x1F));
            }
        }
        break;

    case PF_565 * PF_COUNT + PF_555:
        for (y = 0; y < h; y++)
            for (x = 0; x < w; x++)
            {
                WORD v = *(const WORD *)(const void *)PixAddr(src, x, y);
                *(WORD *)(void *)PixAddr(dst, x, y) = (WORD)(((v >> 1) & 0x7FE0) | (v & 0x1F));
            }
        break;

    case PF_565 * PF_COUNT + PF_888:
        for (y = 0; y < h; y++)
        {
            const WORD *s = (const WORD *)(const void *)PixAddr(src, 0, y);
            BYTE *d = PixAddr(dst, 0, y);
            for (x = 0; x < w; x++)
            {
                PIX565 p;
                p.w = s[x];
                *d++ = (BYTE)((p.c.b << 3) | (p.c.b >> 2));
                *d++ = (BYTE)((p.c.g << 2) | (p.c.g >> 4));
                *d++ = (BYTE)((p.c.r << 3) | (p.c.r >> 2));
            }
        }
        break;

    case PF_888 * PF_COUNT + PF_565:
    case PF_888 * PF_COUNT + PF_555:
        for (y = 0; y < h; y++)
        {
            const BYTE *s = PixAddr(src, 0, y);
            WORD *d = (WORD *)(void *)PixAddr(dst, 0, y);
            for (x = 0; x < w; x++, s += 3)
            {
                int k = g_Dith[y & 3][x & 3];
                int b = s[0] + k, g = s[1] + (dst->pf == PF_565 ? k >> 1 : k), r = s[2] + k;
                if (b > 255) b = 255;
                if (g > 255) g = 255;
                if (r > 255) r = 255;
                *d++ = dst->pf == PF_565 ? MAKE565(r, g, b) : MAKE555(r, g, b);
            }
        }
        break;

    default:
        return BZERR_FORMAT;
    }
    return BZ_OK;
}
