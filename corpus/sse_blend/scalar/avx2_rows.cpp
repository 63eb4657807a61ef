// What avx2_rows.cpp computes.

#include <stdint.h>

static uint32_t round255(uint32_t x) { return (x + 127) / 255; }
static uint32_t at(uint32_t p, int k) { return p >> k & 255; }

void rowOver_avx2_c(uint32_t *dst, const uint32_t *src, int n)
{
    for (int i = 0; i < n; ++i) {
        uint32_t out = 0;
        if (src[i] == 0)
            continue;
        for (int k = 0; k < 32; k += 8) {
            uint32_t v = at(src[i], k) + round255(at(dst[i], k) * (255 - at(src[i], 24)));
            out |= (v > 255 ? 255 : v) << k;
        }
        dst[i] = out;
    }
}

void rowTo565_avx2_c(uint16_t *dst, const uint32_t *src, int n)
{
    for (int i = 0; i < n; ++i)
        dst[i] = (uint16_t)(at(src[i], 16) / 8 * 2048 + at(src[i], 8) / 4 * 32 + at(src[i], 0) / 8);
}

void rowAlpha_avx2_c(uint8_t *alpha, const uint32_t *src, int n)
{
    for (int i = 0; i < n; ++i)
        alpha[i] = (uint8_t)(src[i] >> 24);
}

void rowInterleave_avx2_c(uint32_t *dst, const uint8_t *r, const uint8_t *g, const uint8_t *b,
                          const uint8_t *a, int n)
{
    for (int i = 0; i < n; ++i)
        dst[i] = (uint32_t)a[i] << 24 | (uint32_t)r[i] << 16 | (uint32_t)g[i] << 8 | b[i];
}

void rowCrossFade_avx2_c(uint8_t *dst, const uint8_t *a, const uint8_t *b, int n, int weight)
{
    int wb = weight / 2 > 127 ? 127 : weight / 2, wa = 127 - wb;
    for (int i = 0; i < n; ++i)
        dst[i] = (uint8_t)((a[i] * wa + b[i] * wb + 64) / 128);
}

void rowTableMode_avx2_c(uint8_t *bot, const uint8_t *top, int n, const uint8_t *table)
{
    for (int i = 0; i < n; ++i)
        bot[i] = table[256 * top[i] + bot[i]];
}

void rowGreyMultiply_avx2_c(uint32_t *dst, const uint8_t *grey, int n, int opacity)
{
    for (int i = 0; i < n; ++i) {
        uint32_t f = 255 - round255((255u - grey[i]) * (uint32_t)opacity);
        uint32_t out = dst[i] & 0xff000000u;
        for (int k = 0; k < 24; k += 8)
            out |= round255(at(dst[i], k) * f) << k;
        dst[i] = out;
    }
}

void rowLerp15_avx2_c(int16_t *dst, const int16_t *src, int n, int16_t w)
{
    for (int i = 0; i < n; ++i) {
        int e = src[i] - dst[i];
        e = e < -32768 ? -32768 : e > 32767 ? 32767 : e;
        dst[i] = (int16_t)(dst[i] + (int16_t)((e * w + 0x4000) >> 15));
    }
}
