// What alpha_convert.cpp computes.

#include <stdint.h>

typedef struct { uint8_t *base; int pitch; int w, h; } Surface;

void PremultiplyBGRA_c(uint8_t *pix, int pitch, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++) {
                uint8_t *p = pix + y * pitch + 4 * x;
                p[c] = (uint8_t)((p[c] * p[3] + 127) / 255);
            }
}

void UnpremultiplyBGRA_c(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++) {
        int a = src[4 * i + 3];
        for (int c = 0; c < 3; c++) {
            int v = a ? src[4 * i + c] * 255 / a : 0;
            dst[4 * i + c] = (uint8_t)(v > 255 ? 255 : v);
        }
        dst[4 * i + 3] = (uint8_t)a;
    }
}

void BlendStraightOpaque_c(Surface *to, const Surface *from)
{
    for (int y = 0; y < to->h && y < from->h; y++)
        for (int x = 0; x < to->w && x < from->w; x++) {
            uint8_t *d = to->base + y * to->pitch + 4 * x;
            const uint8_t *s = from->base + y * from->pitch + 4 * x;
            for (int c = 0; c < 3; c++)
                d[c] = (uint8_t)((s[c] * s[3] + d[c] * (255 - s[3])) / 255);
            d[3] = 255;
        }
}

void BlendStraightOnBGR24_c(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            int a = src[4 * i + 3];
            dst[3 * i + c] = (uint8_t)((src[4 * i + c] * a + dst[3 * i + c] * (255 - a) + 127) / 255);
        }
}

int FixMissingAlpha_c(uint8_t *pix, int n)
{
    int any = 0;
    for (int i = 0; i < n; i++)
        any |= pix[4 * i + 3];
    for (int i = 0; i < n; i++) {
        uint8_t t = pix[4 * i];
        pix[4 * i] = pix[4 * i + 2];
        pix[4 * i + 2] = t;
        if (!any)
            pix[4 * i + 3] = 255;
    }
    return !any;
}
