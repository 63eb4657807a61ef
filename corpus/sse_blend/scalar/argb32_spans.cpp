// What argb32_spans.cpp computes, one channel at a time.

#include <stdint.h>

typedef unsigned char uchar;
typedef unsigned int uint;

static uint mulDiv(uint c, uint a)
{
    uint t = c * a;
    return (t + (t >> 8) + 128) >> 8;
}

static uint scale(uint p, uint a)
{
    uint r = 0;
    for (int k = 0; k < 32; k += 8)
        r |= mulDiv((p >> k) & 255, a) << k;
    return r;
}

static uint plus(uint p, uint q)
{
    uint r = 0;
    for (int k = 0; k < 32; k += 8) {
        uint c = ((p >> k) & 255) + ((q >> k) & 255);
        r |= (c > 255 ? 255 : c) << k;
    }
    return r;
}

void blendSourceOverArgb32_sse2_c(uchar *destPixels, int dbpl,
                                  const uchar *srcPixels, int sbpl,
                                  int w, int h, int constAlpha)
{
    for (int y = 0; y < h; ++y) {
        uint *d = (uint *)(destPixels + (intptr_t)y * dbpl);
        const uint *s = (const uint *)(srcPixels + (intptr_t)y * sbpl);
        for (int x = 0; x < w; ++x) {
            if (constAlpha == 0)
                continue;
            uint p = scale(s[x], (uint)constAlpha);
            d[x] = plus(p, scale(d[x], 255 - (p >> 24)));
        }
    }
}

void compSolidSourceOver_sse2_c(uint *dst, int length, uint color, uint constAlpha)
{
    color = scale(color, constAlpha);
    for (int i = 0; i < length; ++i)
        dst[i] = plus(color, scale(dst[i], 255 - (color >> 24)));
}

void compDestinationOver_sse2_c(uint *dst, const uint *src, int length, uint constAlpha)
{
    for (int i = 0; i < length; ++i)
        dst[i] = plus(dst[i], scale(scale(src[i], constAlpha), 255 - (dst[i] >> 24)));
}

void compSourceIn_sse2_c(uint *dst, const uint *src, int length, uint constAlpha)
{
    for (int i = 0; i < length; ++i) {
        uint s = scale(src[i], constAlpha);
        dst[i] = plus(scale(s, dst[i] >> 24), scale(dst[i], 255 - constAlpha));
    }
}

void compDestinationOut_sse2_c(uint *dst, const uint *src, int length)
{
    for (int i = 0; i < length; ++i)
        dst[i] = scale(dst[i], 255 - (src[i] >> 24));
}

void compSourceAtop_sse2_c(uint *dst, const uint *src, int length)
{
    for (int i = 0; i < length; ++i)
        dst[i] = plus(scale(src[i], dst[i] >> 24), scale(dst[i], 255 - (src[i] >> 24)));
}

void compXor_sse2_c(uint *dst, const uint *src, int length)
{
    for (int i = 0; i < length; ++i)
        dst[i] = plus(scale(src[i], 255 - (dst[i] >> 24)), scale(dst[i], 255 - (src[i] >> 24)));
}

void compPlus_sse2_c(uint *dst, const uint *src, int length, uint constAlpha)
{
    for (int i = 0; i < length; ++i)
        dst[i] = plus(scale(plus(dst[i], src[i]), constAlpha), scale(dst[i], 255 - constAlpha));
}
