// PIXFMT.H - 16 bit pixels taken apart.  Low bits first, as the compilers on our machines lay them out.
#ifndef __PIXFMT_H__
#define __PIXFMT_H__

union PIX565
{
    WORD w;
    struct { WORD b : 5; WORD g : 6; WORD r : 5; } c;
};

union PIX555
{
    WORD w;
    struct { WORD b : 5; WORD g : 5; WORD r : 5; WORD x : 1; } c;
};

struct FMT565
{
    enum { RB = 0xF81F, G = 0x07E0, HALF = 0xF7DE, LOW = 0x0821, RSH = 11, GBITS = 6 };
    typedef PIX565 PIX;
};

struct FMT555
{
    enum { RB = 0x7C1F, G = 0x03E0, HALF = 0x7BDE, LOW = 0x0421, RSH = 10, GBITS = 5 };
    typedef PIX555 PIX;
};

#define MAKE565(r, g, b) ((WORD)((((r) & 0xF8) << 8) | (((g) & 0xFC) << 3) | ((b) >> 3)))
#define MAKE555(r, g, b) ((WORD)((((r) & 0xF8) << 7) | (((g) & 0xF8) << 2) | ((b) >> 3)))

#endif
