// What rgb565.cpp computes.

#include <stdint.h>

static int red(int p) { return p >> 11 & 31; }
static int green(int p) { return p >> 5 & 63; }
static int blue(int p) { return p & 31; }
static uint16_t pack(int r, int g, int b) { return (uint16_t)(r << 11 | g << 5 | b); }
static int up5(int v) { return v << 3 | v >> 2; }
static int up6(int v) { return v << 2 | v >> 4; }
static int low(int v) { return v > 255 ? 255 : v; }
static int at(uint32_t p, int k) { return (int)(p >> k & 255); }

void rgb32_to_565_c(uint16_t *dst, const uint32_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = pack(at(src[i], 16) >> 3, at(src[i], 8) >> 2, at(src[i], 0) >> 3);
}

void rgb565_to_32_c(uint32_t *dst, const uint16_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = 0xff000000u | (uint32_t)up5(red(src[i])) << 16 | (uint32_t)up6(green(src[i])) << 8 |
                 (uint32_t)up5(blue(src[i]));
}

static int mix(int s, int d, int alpha) { return d + (((s - d) * alpha) >> 5); }

void blend565_alpha_c(uint16_t *dst, int dst_pitch, const uint16_t *src, int src_pitch,
                      int w, int h, int alpha)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = src[y * src_pitch + x], d = dst[y * dst_pitch + x];
            dst[y * dst_pitch + x] = pack(mix(red(s), red(d), alpha), mix(green(s), green(d), alpha),
                                          mix(blue(s), blue(d), alpha));
        }
}

void average16bpp_c(uint16_t *dst, const uint16_t *a, const uint16_t *b, int n, uint16_t lsbmask)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint16_t)((a[i] & b[i]) + (((a[i] ^ b[i]) & lsbmask) >> 1));
}

void rgb565_to_555_c(uint16_t *dst, const uint16_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint16_t)(0x8000 | red(src[i]) << 10 | green(src[i]) >> 1 << 5 | blue(src[i]));
}

void rgb32_to_565_dither_c(uint16_t *dst, const uint32_t *src, int n, int x0, int y)
{
    static const int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    for (int i = 0; i < n; i++) {
        int t = bayer[y & 3][(x0 + i) & 3];
        dst[i] = pack(low(at(src[i], 16) + t / 2) >> 3, low(at(src[i], 8) + t / 4) >> 2,
                      low(at(src[i], 0) + t / 2) >> 3);
    }
}

static int over(int s, int d, int ia) { return low(s + (d * ia + 127) / 255); }

void argb_over_565_c(uint16_t *dst, const uint32_t *src, int n)
{
    for (int i = 0; i < n; i++) {
        int d = dst[i], ia = 255 - at(src[i], 24);
        dst[i] = pack(over(at(src[i], 16), up5(red(d)), ia) >> 3, over(at(src[i], 8), up6(green(d)), ia) >> 2,
                      over(at(src[i], 0), up5(blue(d)), ia) >> 3);
    }
}

void fill565_c(uint16_t *dst, int pitch, int w, int h, uint16_t color)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * pitch + x] = color;
}
