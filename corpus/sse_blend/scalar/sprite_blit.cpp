// What sprite_blit.cpp computes.

#include <stdint.h>

struct ClipRect { int x0, y0, x1, y1; };

struct Layer
{
    uint32_t* pixels;
    int pitch;
    int width, height;
};

static int at(uint32_t p, int k) { return (int)(p >> k & 255); }
static uint32_t sat(int v) { return (uint32_t)(v > 255 ? 255 : v); }

void BlitColorKey32_c(uint32_t* dst, int dstPitch, const uint32_t* src, int srcPitch, int w, int h, uint32_t key)
{
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            if (((src[y * srcPitch + x] ^ key) & 0x00ffffff) != 0)
                dst[y * dstPitch + x] = src[y * srcPitch + x];
}

void BlitColorKey16_c(uint16_t* dst, const uint16_t* src, int n, uint16_t key)
{
    for (int i = 0; i < n; ++i)
        if (src[i] != key)
            dst[i] = src[i];
}

void ChromaKeyAlpha_c(uint32_t* pix, int n, uint32_t key, int nearDist, int gain)
{
    for (int i = 0; i < n; ++i)
    {
        int sum = 0;
        for (int c = 0; c < 24; c += 8)
        {
            int e = at(pix[i], c) - at(key, c);
            sum += e < 0 ? -e : e;
        }
        sum = sum > nearDist ? (sum - nearDist) * gain / 16 : 0;
        pix[i] = (pix[i] & 0x00ffffff) | sat(sum) << 24;
    }
}

void FadeToBlack_c(uint32_t* pix, int pitch, int w, int h, int level)
{
    if (level >= 256)
        return;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
        {
            uint32_t o = 0;
            for (int k = 0; k < 32; k += 8)
                o |= (uint32_t)(at(pix[y * pitch + x], k) * level / 256) << k;
            pix[y * pitch + x] = o;
        }
}

static bool inside(const Layer* dst, const ClipRect* c, int x, int y)
{
    return x >= 0 && y >= 0 && x < dst->width && y < dst->height && x >= c->x0 && y >= c->y0 && x < c->x1 && y < c->y1;
}

void BlitAdditiveClipped_c(const Layer* dst, const Layer* src, int x, int y, const ClipRect* clip, int brightness)
{
    for (int j = 0; j < src->height; ++j)
        for (int i = 0; i < src->width; ++i)
        {
            if (!inside(dst, clip, x + i, y + j))
                continue;
            uint32_t s = src->pixels[j * src->pitch + i], o = 0;
            uint32_t* d = dst->pixels + (y + j) * dst->pitch + x + i;
            for (int k = 0; k < 32; k += 8)
                o |= sat(at(*d, k) + at(s, k) * brightness / 256) << k;
            *d = o;
        }
}

void BlitLayerClipped_c(const Layer* dst, const Layer* src, int x, int y, const ClipRect* clip)
{
    for (int j = 0; j < src->height; ++j)
        for (int i = 0; i < src->width; ++i)
        {
            if (!inside(dst, clip, x + i, y + j))
                continue;
            uint32_t s = src->pixels[j * src->pitch + i], o = 0;
            uint32_t* d = dst->pixels + (y + j) * dst->pitch + x + i;
            int a = at(s, 24);
            a = 256 - (a + a / 128);
            for (int k = 0; k < 32; k += 8)
                o |= sat(at(*d, k) * a / 256 + at(s, k)) << k;
            *d = o;
        }
}

void FlashStencil_c(uint32_t* pix, int pitch, const uint8_t* stencil, int stencilPitch, int w, int h, uint32_t color)
{
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            if (stencil[y * stencilPitch + x / 8] >> (x % 8) & 1)
            {
                uint32_t* p = pix + y * pitch + x;
                uint32_t o = 0;
                for (int k = 0; k < 32; k += 8)
                    o |= (uint32_t)((at(*p, k) + at(color, k) + 1) / 2) << k;
                *p = o;
            }
}
