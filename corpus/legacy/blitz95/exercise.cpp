//
// EXERCISE.CPP - runs every blit over many sizes and prints hashes
//
#include <stdio.h>
#include <stdlib.h>
#include "blitz.h"

typedef unsigned long long QWORD;

static QWORD g_hash = 1469598103934665603ULL;
static DWORD g_seed = 12345;

static void HashBytes(const void *p, size_t n)
{
    const BYTE *b = (const BYTE *)p;
    for (size_t i = 0; i < n; i++)
        g_hash = (g_hash ^ b[i]) * 1099511628211ULL;
}

static void HashInt(int v)
{
    BYTE b[4];
    for (int i = 0; i < 4; i++)
        b[i] = (BYTE)((DWORD)v >> (i * 8));
    HashBytes(b, 4);
}

static void Print(const char *pszFunc, const char *pszCase)
{
    printf("%s %s %016llx\n", pszFunc, pszCase, g_hash);
    g_hash = 1469598103934665603ULL;
}

static DWORD Rand()
{
    g_seed = g_seed * 214013 + 2531011;
    return (g_seed >> 16) & 0x7FFF;
}

enum { LAY_TIGHT, LAY_PADDED, LAY_BOTTOMUP, LAY_COUNT };
static const char *g_szLay[LAY_COUNT] = { "tight", "padded", "bottomup" };

struct Surf : SURFACE
{
    BYTE  *mem;
    size_t size;

    Surf(int w, int h, PIXFMT pf, int nLay)
    {
        LONG pitch = w * Bpp(pf);
        if (nLay != LAY_TIGHT)
            pitch = ((pitch + 1) & ~1) + 6;
        size = (size_t)pitch * h + 4;
        mem = (BYTE *)malloc(size);
        int kind = Rand() % 3;
        for (size_t i = 0; i < size; i++)
            mem[i] = (BYTE)(kind == 0 ? Rand() : kind == 1 ? ((Rand() & 3) ? 0 : Rand()) : (i / 7 % 3) * 90);
        if (nLay == LAY_BOTTOMUP && h > 0)
            SurfAttach(this, mem + (size_t)(h - 1) * pitch, -pitch, w, h, pf);
        else
            SurfAttach(this, mem, pitch, w, h, pf);
    }
    ~Surf() { free(mem); }
    void Hash() const { HashBytes(mem, size); }
private:
    Surf(const Surf &);
    Surf &operator=(const Surf &);
};

static const int g_w[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130 };
#define NSIZES 91
static void Size(int i, int *w, int *h)
{
    *w = i == 90 ? 209 : g_w[i % 10];
    *h = i == 90 ? 43 : 1 + i / 10;
}

#define ALL for (int lay = 0; lay < LAY_COUNT; lay++) { for (int i = 0, w, h; i < NSIZES; i++) { Size(i, &w, &h);
#define END(f) } Print(f, g_szLay[lay]); }

static PALETTE g_pal;
static BYTE g_table[256], g_mix[256][256];

static RECT MakeRect(int l, int t, int r, int b) { RECT rc; rc.left = l; rc.top = t; rc.right = r; rc.bottom = b; return rc; }

static void Pal8()
{
    static const DWORD flags[4] = { 0, BLT_KEYSRC, BLT_MIRROR, BLT_MIRROR | BLT_KEYSRC };
    for (int f = 0; f < 4; f++)
    {
        static const char *names[4] = { "Copy8", "Key8", "KeyMirror8", "KeyMirror8+key" };
        ALL
            Surf d(w, h, PF_PAL8, lay), s(w, h, PF_PAL8, i % 3), big(w + 20, h + 3, PF_PAL8, lay);
            RECT rc = MakeRect(i % 4 - 1, i % 3 - 1, w - i % 2, h + 2);
            HashInt(Blt8(&d, 0, 0, &s, NULL, flags[f])); d.Hash();
            HashInt(Blt8(&d, -2, 1, &s, &rc, flags[f])); d.Hash();
            big.rcClip.left = 3; big.rcClip.bottom--;
            HashInt(Blt8(&big, 1, 2, &s, &rc, flags[f])); big.Hash();
            HashInt(Blt8(&d, 3, 1, &d, NULL, flags[f])); d.Hash();
            HashInt(Blt8(&d, -1, -1, &d, NULL, flags[f])); d.Hash();
        END(names[f])
    }
    ALL
        Surf d(w, h, PF_PAL8, lay), s(w + 2, h, PF_PAL8, i % 3);
        RECT rc = MakeRect(1, 0, w, h);
        s.dwKey = i % 2 ? 90 : 0;
        HashInt(Blt8Remap(&d, 0, 0, &s, NULL, g_table)); d.Hash();
        HashInt(Blt8Remap(&d, 1 - i % 5, 1, &s, &rc, g_table)); d.Hash();
        HashInt(Blt8Remap(&d, 0, 0, &d, NULL, g_table)); d.Hash();
    END("Blt8Remap")
    ALL
        Surf d(w, h, PF_PAL8, lay), s(w, h, PF_PAL8, i % 3);
        HashInt(Blt8Shade(&d, 0, 0, &s, NULL, g_table)); d.Hash();
        HashInt(Blt8Shade(&d, i % 4, -(i % 3), &s, NULL, g_table)); d.Hash();
    END("Blt8Shade")
    ALL
        Surf d(w, h, PF_PAL8, lay), s(w, h, PF_PAL8, i % 3);
        HashInt(Blt8Mix(&d, 0, 0, &s, NULL, g_mix)); d.Hash();
        HashInt(Blt8Mix(&d, -(i % 4), i % 3, &s, NULL, g_mix)); d.Hash();
    END("Blt8Mix")
    ALL
        for (int pf = PF_PAL8; pf < PF_COUNT; pf++)
        {
            Surf d(w, h, (PIXFMT)pf, lay), s(w, h, PF_PAL8, i % 3);
            HashInt(Blt8To16(&d, 0, 0, &s, NULL, 0));
            s.pPal = &g_pal;
            HashInt(Blt8To16(&d, 0, 0, &s, NULL, 0)); d.Hash();
            HashInt(Blt8To16(&d, 1, i % 3 - 1, &s, NULL, BLT_KEYSRC)); d.Hash();
            HashInt(Blt8To16(&d, -1, 0, &s, NULL, 0)); d.Hash();
        }
    END("Blt8To16")
    ALL
        Surf s(w, h, PF_PAL8, lay), d(w + 4, h + 4, PF_PAL8, i % 3);
        DWORD cap = (DWORD)(w * 3 + 8) * h;
        BYTE *p = (BYTE *)malloc(cap);
        memset(p, 0x77, cap);
        HashInt(RleEncode8(&s, p, cap / 3)); HashBytes(p, cap);
        HashInt(RleEncode8(&s, p, cap)); HashBytes(p, cap);
        free(p);
    END("RleEncode8")
    ALL
        Surf s(w, h, PF_PAL8, lay), d(w + 4, h + 4, PF_PAL8, i % 3);
        DWORD cap = (DWORD)(w * 3 + 8) * h;
        BYTE *p = (BYTE *)malloc(cap);
        if (RleEncode8(&s, p, cap) >= 0)
        {
            d.rcClip.right -= i % 3; d.rcClip.top += i % 2;
            HashInt(RleBlt8(&d, 2, 1, p, w, h)); d.Hash();
            HashInt(RleBlt8(&d, -3, -1, p, w, h)); d.Hash();
            HashInt(RleBlt8(&d, w, 3, p, w, h)); d.Hash();
        }
        free(p);
    END("RleBlt8")
    ALL
        Surf a(w, h, PF_PAL8, lay), b(1 + i % 9, 1 + i % 5, PF_PAL8, i % 3);
        for (int k = 0; k < 12; k++)
            HashInt(Hit8(&a, 0, 0, &b, k * w / 11 - 3, k % 5 - 2));
    END("Hit8")
    ALL
        static const PIXFMT pf[4] = { PF_PAL8, PF_565, PF_555, PF_888 };
        Surf d(w, h, pf[i & 3], lay);
        BYTE glyph[64];
        for (int k = 0; k < 64; k++) glyph[k] = (BYTE)Rand();
        HashInt(FontBlt(&d, 0, 0, glyph, 8, 7, 0x1234, -1)); d.Hash();
        HashInt(FontBlt(&d, 2, -1, glyph, 13, 8, 0xFACE, 0x42)); d.Hash();
        HashInt(FontBlt(&d, w - 4, 0, glyph, 19, 9, 0xFACE, -1)); d.Hash();
    END("FontBlt")
}

static void Fills()
{
    ALL
        for (int pf = 0; pf < PF_COUNT; pf++)
        {
            Surf d(w, h, (PIXFMT)pf, lay);
            RECT rc = MakeRect(1, 0, w - i % 3, h - 1);
            HashInt(SurfFill(&d, &rc, 0x123456 + i)); d.Hash();
            d.rcClip.left = i % 2;
            HashInt(SurfFill(&d, NULL, 0xFEDCBA)); d.Hash();
            d.nLock++;
            HashInt(SurfFill(&d, NULL, 1));
        }
    END("SurfFill+FillRow16")
}

static void HiColor()
{
    static const struct { const char *name; DWORD f; int a; } modes[] =
    {
        { "Copy16", 0, 0 }, { "Key16", BLT_KEYSRC, 0 }, { "Half16", BLT_ALPHA, 16 },
        { "Alpha16", BLT_ALPHA, 11 }, { "Alpha16+key", BLT_ALPHA | BLT_KEYSRC, 16 }, { "Alpha16+full", BLT_ALPHA, 32 }, { "Add16", BLT_ADD, 0 }
    };
    for (int m = 0; m < 7; m++)
    {
        ALL
            for (int pf = PF_555; pf <= PF_565; pf++)
            {
                Surf d(w, h, (PIXFMT)pf, lay), s(w, h, (PIXFMT)pf, i % 3);
                RECT rc = MakeRect(-1, 1, w, h);
                s.dwKey = i % 3 ? 0 : 0x5A5A;
                HashInt(Blt16(&d, 0, 0, &s, NULL, modes[m].f, modes[m].a)); d.Hash();
                HashInt(Blt16(&d, 1, 0, &s, &rc, modes[m].f, modes[m].a)); d.Hash();
                HashInt(Blt16(&d, -1, -1, &s, &rc, modes[m].f, modes[m].a)); d.Hash();
                HashInt(Blt16(&d, 0, 0, &d, NULL, modes[m].f, modes[m].a)); d.Hash();
            }
        END(modes[m].name)
    }
    ALL
        for (int pf = 0; pf < PF_COUNT; pf++)
        {
            static const int lv[5] = { 0, 20, 32, 47, 64 };
            Surf d(w, h, (PIXFMT)pf, lay);
            RECT rc = MakeRect(i % 2, -1, w - 1, h);
            HashInt(Fade16(&d, NULL, lv[i % 5])); d.Hash();
            HashInt(Fade16(&d, &rc, lv[(i + pf) % 5])); d.Hash();
            HashInt(Fade16(&d, &rc, 65));
        }
    END("Fade16")
    ALL
        for (int pf = 0; pf < PF_COUNT; pf++)
        {
            Surf d(w, h, (PIXFMT)pf, lay);
            RECT rc = MakeRect(1, 0, w, h - 1);
            HashInt(Gray16(&d, &rc)); d.Hash();
            HashInt(Gray16(&d, NULL)); d.Hash();
        }
    END("Gray16")
    ALL
        for (int a = 0; a < PF_COUNT; a++)
            for (int b = 0; b < PF_COUNT; b++)
            {
                Surf s(w, h, (PIXFMT)a, lay), d(w, h, (PIXFMT)b, i % 3);
                HashInt(Convert(&d, &s)); d.Hash();
                if (Bpp((PIXFMT)a) == Bpp((PIXFMT)b))
                {
                    s.pf = (PIXFMT)a;
                    SURFACE alias = s;
                    alias.pf = (PIXFMT)b;
                    HashInt(Convert(&alias, &s)); s.Hash();
                }
            }
    END("Convert")
}

static void Sizes()
{
    static const PIXFMT pf[4] = { PF_PAL8, PF_565, PF_555, PF_888 };
    ALL
        for (int k = 0; k < 4; k++)
        {
            Surf s(w, h, pf[k], lay), d(1 + (i * 13) % 90, 1 + i % 11, pf[k], i % 3);
            RECT rs = MakeRect(0, 0, w, h), r2 = MakeRect(1, 0, w, h), rd = MakeRect(0, 0, d.nWidth, d.nHeight), r3 = MakeRect(-5, -2, d.nWidth + 9, d.nHeight * 2);
            HashInt(Stretch(&d, &rd, &s, &rs, FALSE)); d.Hash();
            HashInt(Stretch(&d, &r3, &s, &r2, i & 1)); d.Hash();
            HashInt(Stretch(&d, &r3, &s, &rd, TRUE)); d.Hash();
        }
    END("Stretch+StretchRow")
    ALL
        static const int side[5] = { 1, 2, 16, 64, 12 };
        Surf t(side[i % 5], side[(i / 2) % 4], PF_PAL8, lay), d(w, h, PF_PAL8, i % 3);
        HashInt(RotoZoom8(&d, &t, -70000 * i, 12345, 65536 - 900 * i, 700 * i)); d.Hash();
        HashInt(RotoZoom8(&d, &t, 0, 0, -40000, 3 << 16)); d.Hash();
    END("RotoZoom8")
    ALL
        Surf s(w, h, PF_565, lay), d(w / 2, h / 2, PF_565, i % 3), e(w, h, PF_565, lay);
        HashInt(Shrink565(&d, &s)); d.Hash();
        HashInt(Shrink565(&e, &s)); e.Hash();
    END("Shrink565")
}

static void Effects()
{
    ALL
        Surf s(w, h, PF_PAL8, lay);
        for (int k = 0; k < 3; k++)
        {
            HashInt(Fire8(&s, i % 3)); s.Hash();
        }
    END("Fire8")
    ALL
        static const signed char offs[9] = { 0, 3, 7, 2, -1, -128, 127, -9, 1 };
        Surf s(w, h, PF_PAL8, lay), d(w, h, PF_PAL8, i % 3);
        HashInt(Wave8(&d, &s, offs, 9, i)); d.Hash();
        HashInt(Wave8(&d, &s, offs + 2, 1 + i % 6, 0)); d.Hash();
    END("Wave8")
    ALL
        short *p = (short *)malloc((size_t)(w * h * 2 + 1) * 2);
        for (int k = 0; k < w * h * 2; k++)
            p[k] = (short)((int)(Rand() % 4000) - 2000 + (k % 50 ? 0 : 14000));
        for (int k = 0; k < 4; k++)
            Water(p + (k & 1) * w * h, p + (~k & 1) * w * h, w, h, 4 + lay);
        HashBytes(p, (size_t)w * h * 4);
        free(p);
    END("Water")
    ALL
        short *p = (short *)malloc((size_t)(w * h + 1) * 2);
        for (int k = 0; k < w * h; k++)
            p[k] = (short)((int)(Rand() % 130) - 65);
        Surf s(w, h, PF_PAL8, lay), d(w, h, PF_PAL8, i % 3);
        HashInt(WaterDraw8(&d, &s, p)); d.Hash();
        free(p);
    END("WaterDraw8")
    ALL
        Surf s(w, h, PF_888, lay), d(w, h, PF_PAL8, i % 3);
        size_t n = 2 * 3 * (w + 2) * sizeof(int);
        int *e = (int *)malloc(n);
        HashInt(Dither888To8(&d, &s, &g_pal, e)); d.Hash(); HashBytes(e, n);
        free(e);
    END("Dither888To8")
    ALL
        DWORD hist[256];
        Surf s(w, h, PF_PAL8, lay);
        RECT rc = MakeRect(w / 3, 0, w, h / 2);
        HashInt(CountColors8(&s, NULL, hist)); HashBytes(hist, sizeof hist);
        HashInt(CountColors8(&s, &rc, hist)); HashBytes(hist, sizeof hist);
        rc.right++;
        HashInt(CountColors8(&s, &rc, hist));
    END("CountColors8")
}

int main()
{
    for (int i = 0; i < 256; i++)
    {
        g_table[i] = (BYTE)(Rand() >> 3);
        for (int k = 0; k < 3; k++)
            g_pal.rgb[i][k] = (BYTE)(Rand() >> 4);
        for (int k = 0; k < 256; k++)
            g_mix[i][k] = (BYTE)((i * 3 + k * 5) >> 3);
    }
    PalRealize(&g_pal, PF_555);
    HashBytes(g_pal.w16, sizeof g_pal.w16);
    PalRealize(&g_pal, PF_565);
    HashBytes(g_pal.w16, sizeof g_pal.w16);
    HashInt(PalNearest(&g_pal, 10, 20, 30));
    Print("PalRealize", "555+565");
    SURFACE *s;
    HashInt(SurfCreate(&s, 17, 3, PF_888));
    HashInt(SurfFill(s, NULL, 0x00AABBCC));
    HashBytes(s->pBits, (size_t)s->lPitch * 3);
    HashInt(Blt16(s, 0, 0, s, NULL, 0, 0));
    HashInt(Blt8(s, 0, 0, s, NULL, 0));
    SurfRelease(s);
    Print("SurfCreate", "888");
    Fills();
    Pal8();
    HiColor();
    Sizes();
    Effects();
    return 0;
}
