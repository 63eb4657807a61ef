// What packed24.cpp computes.

#include <cstddef>
#include <cstdint>

static uint8_t mix(int a, int b, int weight)
{
    int w = weight + (weight >> 7);
    return (uint8_t)((a * (256 - w) + b * w) / 256);
}

void mixMasked24_c(uint8_t *dst, ptrdiff_t dstStride, const uint8_t *src, ptrdiff_t srcStride,
                   const uint8_t *mask, ptrdiff_t maskStride, int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < 3 * width; ++x) {
            uint8_t *d = dst + y * dstStride + x;
            *d = mix(*d, src[y * srcStride + x], mask[y * maskStride + x / 3]);
        }
}

void tint24_c(uint8_t *p, size_t pixels, const uint8_t color[3], const uint8_t weight[3])
{
    for (size_t i = 0; i < 3 * pixels; ++i)
        p[i] = mix(p[i], color[i % 3], weight[i % 3]);
}

void relight24_c(uint8_t *p, const uint8_t *grey, int pixels, const uint16_t *recip)
{
    for (int i = 0; i < pixels; ++i, p += 3) {
        unsigned f = (unsigned)recip[(77u * p[0] + 150u * p[1] + 29u * p[2] + 128u) / 256] * grey[i];
        f = f < 65535 ? f : 65535;
        for (int c = 0; c < 3; ++c) {
            unsigned v = p[c] * f / 4096;
            p[c] = (uint8_t)(v < 255 ? v : 255);
        }
    }
}

void checkerPreview24_c(uint8_t *dst, const uint32_t *rgba, int width, int y, uint8_t dark, uint8_t bright)
{
    for (int x = 0; x < width; ++x) {
        int bg = (x / 8 + y / 8) % 2 ? bright : dark, a = (int)(rgba[x] >> 24);
        for (int c = 0; c < 3; ++c)
            dst[3 * x + c] = (uint8_t)(((int)(rgba[x] >> (8 * c) & 255) * a + bg * (255 - a) + 127) / 255);
    }
}
