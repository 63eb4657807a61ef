// What deep16.cpp computes.

#include <cmath>
#include <stdint.h>

static uint32_t mul(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a * b + 32767) / 65535); }

void deepMultiply_c(uint16_t *bot, const uint16_t *top, int n)
{
    for (int i = 0; i < n; i++)
        bot[i] = (uint16_t)mul(bot[i], top[i]);
}

void deepScreen_c(uint16_t *bot, int botStride, const uint16_t *top, int topStride, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint16_t *b = bot + y * botStride + x;
            *b = (uint16_t)(65535 - mul(65535u - *b, 65535u - top[y * topStride + x]));
        }
}

void deepNormal_c(uint16_t *bot, const uint16_t *top, int n, uint16_t opacity)
{
    for (int i = 0; i < n; i++) {
        uint64_t s = (uint64_t)top[i] * opacity + (uint64_t)bot[i] * (65535u - opacity);
        bot[i] = (uint16_t)((s + 32767) / 65535);
    }
}

void deepDarken_c(uint16_t *bot, const uint16_t *top, int n)
{
    for (int i = 0; i < n; i++)
        bot[i] = top[i] < bot[i] ? top[i] : bot[i];
}

void deepLighten_c(uint16_t *bot, const uint16_t *top, int n)
{
    for (int i = 0; i < n; i++)
        bot[i] = top[i] > bot[i] ? top[i] : bot[i];
}

void deepLinearSplit_c(uint16_t *bot, const uint16_t *top, int n, int split)
{
    for (int i = 0; i < n; i++) {
        int s = bot[i] + top[i];
        if (i < split)
            s = s > 65535 ? s - 65535 : 0;
        else if (s > 65535)
            s = 65535;
        bot[i] = (uint16_t)s;
    }
}

void one15Multiply_c(uint16_t *bot, const uint16_t *top, int n)
{
    for (int i = 0; i < n; i++)
        bot[i] = (uint16_t)(((uint32_t)bot[i] * top[i] + 16384u) >> 15);
}

void one15FromU16_c(uint16_t *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (uint16_t)((p[i] + 1) >> 1);
}

void deepOverStraightRGBA_c(uint16_t *dst, const uint16_t *src, int pixels)
{
    for (int i = 0; i < pixels; i++, dst += 4, src += 4) {
        if (src[3] == 0)
            continue;
        float sa = (float)src[3] * (1.0f / 65535.0f), da = (float)dst[3] * (1.0f / 65535.0f);
        float rest = da * (1.0f - sa), a = sa + rest;
        for (int c = 0; c < 4; c++) {
            float v = c == 3 ? a * 65535.0f : ((float)src[c] * sa + (float)dst[c] * rest) / a;
            v = v < 65535.0f ? v : 65535.0f;
            dst[c] = (uint16_t)std::lrint(v);
        }
    }
}
