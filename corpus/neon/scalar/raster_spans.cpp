// raster_spans.cpp - plain versions of the raster back end

#include <algorithm>
#include <cstddef>
#include <cstdint>

typedef uint32_t Rgb32;

static uint8_t clip(int v)
{
    return uint8_t(v < 0 ? 0 : v > 255 ? 255 : v);
}

static int mul(int x, int a)
{
    return (2 * x * a + 255) / 510;
}

// dst holds words; bytes are B, G, R, A
void raster_blend_argb32_neon_c(uint8_t* dst, int dbpl, const uint8_t* src, int sbpl, int w, int h, int constAlpha)
{
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            uint8_t* d = dst + ptrdiff_t(y) * dbpl + 4 * x;
            const uint8_t* s = src + ptrdiff_t(y) * sbpl + 4 * x;
            const int ia = 255 - mul(s[3], constAlpha);
            for (int c = 0; c < 4; ++c)
                d[c] = uint8_t(mul(s[c], constAlpha) + mul(d[c], ia));
        }
}

void raster_premultiply_neon_c(Rgb32* line, int w)
{
    for (int x = 0; x < w; ++x) {
        const Rgb32 v = line[x];
        const int a = int(v >> 24);
        line[x] = Rgb32(a) << 24 | Rgb32(mul(v >> 16 & 255, a)) << 16 | Rgb32(mul(v >> 8 & 255, a)) << 8 | Rgb32(mul(v & 255, a));
    }
}

void raster_glyph_rgb16_neon_c(uint16_t* dst, const uint8_t* coverage, uint16_t colour, int w)
{
    for (int x = 0; x < w; ++x) {
        const int a = coverage[x] >= 128 ? coverage[x] + 1 : coverage[x];
        const int d = dst[x];
        const int r = ((d >> 11) * (256 - a) + (colour >> 11) * a) >> 8;
        const int g = ((d >> 5 & 63) * (256 - a) + (colour >> 5 & 63) * a) >> 8;
        const int b = ((d & 31) * (256 - a) + (colour & 31) * a) >> 8;
        dst[x] = uint16_t(r << 11 | g << 5 | b);
    }
}

void raster_fetch_linear_neon_c(Rgb32* out, const Rgb32* table, int32_t t, int32_t step, int w)
{
    for (int x = 0; x < w; ++x) {
        const int32_t p = int32_t(uint32_t(t) + uint32_t(x) * uint32_t(step)); // positions wrap
        const int64_t i = (int64_t(p) + 0x8000) >> 16;
        out[x] = table[i < 0 ? 0 : i > 255 ? 255 : i];
    }
}

void raster_scale_rows_neon_c(uint8_t* dst, const uint8_t* const* lines, const int16_t* coef, int taps, int w)
{
    for (int x = 0; x < w; ++x) {
        int s = 8192;
        for (int k = 0; k < taps; ++k)
            s += lines[k][x] * coef[k];
        dst[x] = clip(s >> 14);
    }
}

void raster_convolve7_neon_c(uint8_t* dst, const uint8_t* src, const int8_t taps[7], int shift, int offset, int w)
{
    for (int x = 0; x < w; ++x) {
        int s = 0;
        for (int i = 0; i < 7; ++i)
            s += src[x - 3 + i] * taps[i];
        dst[x] = clip((s >> shift) + offset);
    }
}

void raster_soft_light_neon_c(Rgb32* dst, const Rgb32* src, int w)
{
    for (int x = 0; x < w; ++x) {
        Rgb32 out = dst[x] & 0xff000000u;
        for (int b = 0; b < 24; b += 8) {
            const int s = src[x] >> b & 255, d = dst[x] >> b & 255;
            out |= Rgb32(clip(d + (((2 * s - 255) * d * (255 - d)) >> 16))) << b;
        }
        dst[x] = out;
    }
}

void raster_fill24_neon_c(uint8_t* dst, uint32_t rgb, int n)
{
    for (int i = 0; i < n; ++i) {
        dst[3 * i] = uint8_t(rgb >> 16);
        dst[3 * i + 1] = uint8_t(rgb >> 8);
        dst[3 * i + 2] = uint8_t(rgb);
    }
}
