//
// STRETCH.CPP - sizes and angles
//
#include <stdlib.h>
#include "blitz.h"
#include "pixfmt.h"

// one row, 16.16 steps; made for each pixel size
#define STRETCH_ROW(NAME, T)                                                \
static void NAME(BYTE *dv, const BYTE *sv, int n, DWORD u, DWORD du, BOOL bKey, DWORD dwKey) \
{                                                                           \
    T *d = (T *)(void *)dv;                                                 \
    const T *s = (const T *)(const void *)sv;                               \
    if (!bKey)                                                              \
    {                                                                       \
        for (; n >= 4; n -= 4, d += 4)                                      \
        {                                                                   \
            d[0] = s[u >> 16]; u += du;                                     \
            d[1] = s[u >> 16]; u += du;                                     \
            d[2] = s[u >> 16]; u += du;                                     \
            d[3] = s[u >> 16]; u += du;                                     \
        }                                                                   \
        for (; n > 0; n--, u += du)                                         \
            *d++ = s[u >> 16];                                              \
        return;                                                             \
    }                                                                       \
    for (; n > 0; n--, u += du, d++)                                        \
    {                                                                       \
        T c = s[u >> 16];                                                   \
        if (c != (T)dwKey)                                                  \
            *d = c;                                                         \
    }                                                                       \
}

STRETCH_ROW(StretchRow8,  BYTE)
STRETCH_ROW(StretchRow16, WORD)

// rcDst is clipped, rcSrc has to lie inside
int Stretch(SURFACE *dst, const RECT *prcDst, const SURFACE *src, const RECT *prcSrc, BOOL bKey)
{
    int sw = prcSrc->right - prcSrc->left, sh = prcSrc->bottom - prcSrc->top;
    int dw = prcDst->right - prcDst->left, dh = prcDst->bottom - prcDst->top;
    RECT rc = *prcDst;

    if (dst->pf != src->pf || dst->pf == PF_888)
        return BZERR_FORMAT;
    if (prcSrc->left < 0 || prcSrc->top < 0 || prcSrc->right > src->nWidth || prcSrc->bottom > src->nHeight)
        return BZERR_PARAM;
    if (sw <= 0 || sh <= 0 || dw <= 0 || dh <= 0 || sw > 32767 || sh > 32767)
        return BZ_CLIPPED;
    if (rc.left   < dst->rcClip.left)   rc.left   = dst->rcClip.left;
    if (rc.top    < dst->rcClip.top)    rc.top    = dst->rcClip.top;
    if (rc.right  > dst->rcClip.right)  rc.right  = dst->rcClip.right;
    if (rc.bottom > dst->rcClip.bottom) rc.bottom = dst->rcClip.bottom;
    if (rc.left >= rc.right || rc.top >= rc.bottom)
        return BZ_CLIPPED;

    const DWORD du = ((DWORD)sw << 16) / dw, dv = ((DWORD)sh << 16) / dh;
    const DWORD u0 = (rc.left - prcDst->left) * du;
    DWORD v = (rc.top - prcDst->top) * dv;
    for (int y = rc.top; y < rc.bottom; y++, v += dv)
    {
        const BYTE *s = PixAddr(src, prcSrc->left, prcSrc->top + (int)(v >> 16));
        BYTE *d = PixAddr(dst, rc.left, y);
        if (dst->pf == PF_PAL8)
            StretchRow8(d, s, rc.right - rc.left, u0, du, bKey, src->dwKey);
        else
            StretchRow16(d, s, rc.right - rc.left, u0, du, bKey, src->dwKey);
    }
    return BZ_OK;
}

// tex: sides are powers of two
int RotoZoom8(SURFACE *dst, const SURFACE *tex, LONG u0, LONG v0, LONG du, LONG dv)
{
    const DWORD mu = (DWORD)tex->nWidth - 1, mv = (DWORD)tex->nHeight - 1;

    if (dst->pf != PF_PAL8 || tex->pf != PF_PAL8)
        return BZERR_FORMAT;
    if (tex->nWidth < 1 || tex->nHeight < 1 || (tex->nWidth & mu) || (tex->nHeight & mv))
        return BZERR_PARAM;
    DWORD uRow = (DWORD)u0, vRow = (DWORD)v0;
    for (int y = 0; y < dst->nHeight; y++)
    {
        BYTE *d = dst->pBits + (ptrdiff_t)y * dst->lPitch;
        DWORD u = uRow, v = vRow;
        for (int x = 0; x < dst->nWidth; x++)
        {
            *d++ = tex->pBits[(ptrdiff_t)((v >> 16) & mv) * tex->lPitch + ((u >> 16) & mu)];
            u += (DWORD)du;
            v += (DWORD)dv;
        }
        uRow -= (DWORD)dv;
        vRow += (DWORD)du;
    }
    return BZ_OK;
}

// four pixels into one; all three colours at once in a spread dword
int Shrink565(SURFACE *dst, const SURFACE *src)
{
    if (dst->pf != PF_565 || src->pf != PF_565)
        return BZERR_FORMAT;
    if (dst->nWidth > src->nWidth / 2 || dst->nHeight > src->nHeight / 2)
        return BZERR_PARAM;
    for (int y = 0; y < dst->nHeight; y++)
    {
        const WORD *s0 = (const WORD *)(const void *)PixAddr(src, 0, y * 2);
        const WORD *s1 = (const WORD *)(const void *)PixAddr(src, 0, y * 2 + 1);
        WORD *d = (WORD *)(void *)PixAddr(dst, 0, y);
        for (int x = 0; x < dst->nWidth; x++)
        {
#define SPREAD(p) (((p) | ((DWORD)(p) << 16)) & 0x07E0F81F)
            DWORD t = SPREAD(s0[0]) + SPREAD(s0[1]) + SPREAD(s1[0]) + SPREAD(s1[1]);
            t = (t >> 2) & 0x07E0F81F;
#undef SPREAD
            *d++ = (WORD)(t | (t >> 16));
            s0 += 2;
            s1 += 2;
        }
    }
    return BZ_OK;
}
