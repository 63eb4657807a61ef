// Plain loops that the functions of gradients.cpp must equal bit for bit.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace fx {

static void grad(const uint8_t* p, ptrdiff_t n, int side, int mid, int& gx, int& gy)
{
    gx = side * (p[1 - n] - p[-1 - n]) + mid * (p[1] - p[-1]) + side * (p[1 + n] - p[-1 + n]);
    gy = side * (p[n - 1] - p[-n - 1]) + mid * (p[n] - p[-n]) + side * (p[n + 1] - p[-n + 1]);
}

static uint8_t clip(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }

void SobelMagnitude_c(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
                      int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int gx, gy;
            grad(src + y * srcPitch + x, srcPitch, 1, 2, gx, gy);
            dst[y * dstPitch + x] = clip(abs(gx) + abs(gy));
        }
}

void PrewittMagnitude_c(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
                        int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int gx, gy;
            grad(src + y * srcPitch + x, srcPitch, 1, 1, gx, gy);
            gx = abs(gx);
            gy = abs(gy);
            dst[y * dstPitch + x] = clip(gx > gy ? gx : gy);
        }
}

void ScharrMagnitude_c(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
                       int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int gx, gy;
            grad(src + y * srcPitch + x, srcPitch, 3, 10, gx, gy);
            dst[y * dstPitch + x] = clip((abs(gx) + abs(gy)) >> 4);
        }
}

void ScharrXY_c(const uint8_t* src, ptrdiff_t srcPitch, int16_t* dst, ptrdiff_t dstPitch,
                int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int gx, gy;
            grad(src + y * srcPitch + x, srcPitch, 3, 10, gx, gy);
            dst[y * dstPitch + 2 * x] = (int16_t)gx;
            dst[y * dstPitch + 2 * x + 1] = (int16_t)gy;
        }
}

void LaplaceBiased_c(const uint8_t* src, ptrdiff_t srcPitch, uint8_t* dst, ptrdiff_t dstPitch,
                     int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int v = 9 * src[y * srcPitch + x];
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i)
                    v -= src[(y + j) * srcPitch + x + i];
            dst[y * dstPitch + x] = clip((v >> 1) + 128);
        }
}

void SlopeLength_c(const float* src, ptrdiff_t srcPitch, float* dst, ptrdiff_t dstPitch, int width,
                   int height, float scale)
{
    const float s = 0.5f * scale;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float* p = src + y * srcPitch + x;
            const float dx = (p[1] - p[-1]) * s, dy = (p[srcPitch] - p[-srcPitch]) * s;
            dst[y * dstPitch + x] = std::sqrt(dx * dx + dy * dy);
        }
}

}  // namespace fx
