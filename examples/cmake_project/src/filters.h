// Filters on interleaved 8-bit images: `stride` bytes from one row to the next.
#pragma once

#include <cstdint>

namespace darkroom {

// Every byte becomes 255 minus itself.
void invert(uint8_t *pixels, int width, int height, int stride);

// Adds `amount` (-255 to 255) to every byte, clamped to 0 to 255.
void brighten(uint8_t *pixels, int width, int height, int stride, int amount);

// A weighted sum of red, green and blue in 1/256: `gray` has one byte a pixel.
void to_gray(uint8_t *gray, const uint8_t *rgb, int width, int height, int gray_stride,
             int rgb_stride);

// The rounded mean of 3 x 3 bytes; the outermost rows and columns of `to` stay as they are.
void blur(uint8_t *to, const uint8_t *from, int width, int height, int stride);

}  // namespace darkroom
