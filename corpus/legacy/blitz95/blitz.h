//
// BLITZ.H   - surfaces and blits
//
#ifndef __BLITZ_H__
#define __BLITZ_H__

#include <stddef.h>
#include <string.h>

typedef unsigned char   BYTE;
typedef unsigned short  WORD;
typedef unsigned int    DWORD;
typedef int             LONG;
typedef int             BOOL;
#ifndef TRUE
#define TRUE  1
#define FALSE 0
#endif

struct RECT { LONG left, top, right, bottom; };

enum PIXFMT { PF_PAL8, PF_555, PF_565, PF_888, PF_COUNT };

// return codes
#define BZ_OK          0
#define BZ_CLIPPED     1       // nothing left after clipping
#define BZERR_PARAM   -1
#define BZERR_FORMAT  -2
#define BZERR_LOCKED  -3
#define BZERR_MEMORY  -4

// blit flags
#define BLT_KEYSRC     0x0001
#define BLT_MIRROR     0x0002
#define BLT_ALPHA      0x0004
#define BLT_ADD        0x0008

struct PALETTE
{
    BYTE rgb[256][3];
    WORD w16[256];          // made by PalRealize
};

struct SURFACE
{
    DWORD    dwFlags;
    int      nWidth, nHeight;
    LONG     lPitch;        // in bytes, can be negative
    BYTE    *pBits;
    PIXFMT   pf;
    PALETTE *pPal;
    DWORD    dwKey;
    RECT     rcClip;
    int      nLock;
    BOOL     bOwn;
};

// memory is not always dword aligned and gcc 3 does not like casts
inline DWORD GETDW(const void *p) { DWORD d; memcpy(&d, p, 4); return d; }
inline void  PUTDW(void *p, DWORD d) { memcpy(p, &d, 4); }

inline int Bpp(PIXFMT pf) { return pf == PF_PAL8 ? 1 : pf == PF_888 ? 3 : 2; }
inline BYTE *PixAddr(SURFACE *s, int x, int y) { return s->pBits + (ptrdiff_t)y * s->lPitch + x * Bpp(s->pf); }
inline const BYTE *PixAddr(const SURFACE *s, int x, int y) { return s->pBits + (ptrdiff_t)y * s->lPitch + x * Bpp(s->pf); }

// surface.cpp
int  SurfCreate(SURFACE **pp, int nWidth, int nHeight, PIXFMT pf);
int  SurfAttach(SURFACE *s, void *pBits, LONG lPitch, int nWidth, int nHeight, PIXFMT pf);
void SurfRelease(SURFACE *s);
int  SurfLock(SURFACE *s);
void SurfUnlock(SURFACE *s);
int  SurfFill(SURFACE *s, const RECT *prc, DWORD dwColor);
BOOL ClipBlt(const SURFACE *dst, int *px, int *py, const SURFACE *src, RECT *prc);
void PalRealize(PALETTE *pal, PIXFMT pf);
BYTE PalNearest(const PALETTE *pal, int r, int g, int b);

class CSurfLock
{
public:
    CSurfLock(SURFACE *s) : m_s(s), m_rc(SurfLock(s)) {}
    ~CSurfLock() { if (m_rc == BZ_OK) SurfUnlock(m_s); }
    BOOL Failed() const { return m_rc != BZ_OK; }
private:
    SURFACE *m_s;
    int      m_rc;
};

// blit8.cpp
int Blt8(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, DWORD dwFlags);
int Blt8Remap(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, const BYTE *pTable);
int Blt8Shade(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, const BYTE *pShade);
int Blt8Mix(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, const BYTE pMix[256][256]);
int Blt8To16(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, DWORD dwFlags);
int RleEncode8(const SURFACE *src, BYTE *pOut, DWORD dwSize);
int RleBlt8(SURFACE *dst, int x, int y, const BYTE *pRle, int nWidth, int nHeight);
BOOL Hit8(const SURFACE *a, int ax, int ay, const SURFACE *b, int bx, int by);
int FontBlt(SURFACE *dst, int x, int y, const BYTE *pGlyph, int nWidth, int nHeight, DWORD dwColor, int nBack);

// blit16.cpp
int Blt16(SURFACE *dst, int x, int y, const SURFACE *src, const RECT *prc, DWORD dwFlags, int nAlpha);
int Fade16(SURFACE *s, const RECT *prc, int nLevel);
int Gray16(SURFACE *s, const RECT *prc);
int Convert(SURFACE *dst, const SURFACE *src);

// stretch.cpp
int Stretch(SURFACE *dst, const RECT *prcDst, const SURFACE *src, const RECT *prcSrc, BOOL bKey);
int RotoZoom8(SURFACE *dst, const SURFACE *tex, LONG u0, LONG v0, LONG du, LONG dv);
int Shrink565(SURFACE *dst, const SURFACE *src);

// effects.cpp
int  Fire8(SURFACE *s, int nCool);
int  Wave8(SURFACE *dst, const SURFACE *src, const signed char *pOffs, int nOffs, int nPhase);
void Water(short *pNew, const short *pOld, int nWidth, int nHeight, int nDamp);
int  WaterDraw8(SURFACE *dst, const SURFACE *back, const short *pHeight);
int  Dither888To8(SURFACE *dst, const SURFACE *src, const PALETTE *pal, int *pErr);
int  CountColors8(const SURFACE *s, const RECT *prc, DWORD dwHist[256]);

#endif
