#include "filters.h"

namespace darkroom {

static uint8_t clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

void invert(uint8_t *pixels, int width, int height, int stride)
{
    for (int y = 0; y < height; y++) {
        uint8_t *row = pixels + y * stride;
        for (int x = 0; x < width; x++)
            row[x] = 255 - row[x];
    }
}

void brighten(uint8_t *pixels, int width, int height, int stride, int amount)
{
    for (int y = 0; y < height; y++, pixels += stride)
        for (int x = 0; x < width; x++)
            pixels[x] = clamped(pixels[x] + amount);
}

void to_gray(uint8_t *gray, const uint8_t *rgb, int width, int height, int gray_stride,
             int rgb_stride)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const uint8_t *p = rgb + y * rgb_stride + 3 * x;
            gray[y * gray_stride + x] = (uint8_t)((77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8);
        }
    }
}

}  // namespace darkroom
