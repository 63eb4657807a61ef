// What print_inks.cpp computes.

#include <stdint.h>

static int mul(int a, int b) { return (a * b + 127) / 255; }
static int at(uint32_t p, int k) { return (int)(p >> k & 255); }

void ink_overprint_c(unsigned char *band, const unsigned char *ink, int stride, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            unsigned char *d = band + y * stride + x;
            *d = (unsigned char)(255 - mul(255 - *d, 255 - ink[y * stride + x]));
        }
}

void ink_knockout_c(uint32_t *cmyk, const unsigned char *spot, int n, int limit, uint32_t spot_cmyk)
{
    for (int i = 0; i < n; i++)
        if (spot[i] >= limit)
            cmyk[i] = spot_cmyk;
}

void ink_gcr_c(unsigned char *c, unsigned char *m, unsigned char *y, unsigned char *k, int n, int amount)
{
    for (int i = 0; i < n; i++) {
        int g = c[i];
        g = m[i] < g ? m[i] : g;
        g = y[i] < g ? y[i] : g;
        g = g * amount / 256;
        c[i] = (unsigned char)(c[i] - g);
        m[i] = (unsigned char)(m[i] - g);
        y[i] = (unsigned char)(y[i] - g);
        k[i] = (unsigned char)(k[i] + g > 255 ? 255 : k[i] + g);
    }
}

void ink_preview_c(uint32_t *rgb, const uint32_t *cmyk, int n)
{
    for (int i = 0; i < n; i++) {
        int k = 255 - at(cmyk[i], 24);
        rgb[i] = 0xff000000u | (uint32_t)mul(255 - at(cmyk[i], 0), k) << 16 |
                 (uint32_t)mul(255 - at(cmyk[i], 8), k) << 8 | (uint32_t)mul(255 - at(cmyk[i], 16), k);
    }
}

void ink_limit_c(uint32_t *cmyk, int n, int limit)
{
    for (int i = 0; i < n; i++) {
        int sum = at(cmyk[i], 0) + at(cmyk[i], 8) + at(cmyk[i], 16) + at(cmyk[i], 24);
        float f = (float)limit / (float)(sum > 1 ? sum : 1);
        uint32_t out = 0;
        f = f < 1.0f ? f : 1.0f;
        for (int k = 0; k < 32; k += 8)
            out |= (uint32_t)((float)at(cmyk[i], k) * f) << k;
        cmyk[i] = out;
    }
}

void ink_halftone_row_c(uint8_t *bits, const unsigned char *band, const uint8_t tile[16], int width)
{
    for (int b = 0; b < (width + 7) / 8; b++) {
        int v = 0;
        for (int x = 8 * b; x < 8 * b + 8; x++)
            v = 2 * v + (x < width && band[x] > tile[x % 16]);
        bits[b] = (uint8_t)v;
    }
}
