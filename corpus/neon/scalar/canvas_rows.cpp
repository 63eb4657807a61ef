// canvas_rows.cpp - plain versions of the row compositors

#include <cstdint>

static int mul255(int a, int b)
{
    return (2 * a * b + 255) / 510;
}

static uint8_t clip255(int v)
{
    return uint8_t(v > 255 ? 255 : v);
}

void canvas_over_neon_c(uint8_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < n; ++i) {
        const int ia = 255 - src[4 * i + 3];
        for (int c = 0; c < 4; ++c)
            dst[4 * i + c] = clip255(src[4 * i + c] + mul255(dst[4 * i + c], ia));
    }
}

void canvas_dab_neon_c(uint8_t* dst, const uint8_t* mask, uint32_t rgba, int n)
{
    for (int i = 0; i < n; ++i) {
        const int m = mask[i];
        const int ia = 255 - mul255(rgba >> 24, m);
        for (int c = 0; c < 4; ++c) {
            const int s = mul255((rgba >> (8 * c)) & 255, m);
            dst[4 * i + c] = clip255(s + mul255(dst[4 * i + c], ia));
        }
    }
}

void canvas_mix_mask_neon_c(uint8_t* dst, const uint8_t* a, const uint8_t* b, const uint8_t* mask, int n)
{
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < 4; ++c) {
            const int t = a[4 * i + c] * (255 - mask[i]) + b[4 * i + c] * mask[i];
            dst[4 * i + c] = uint8_t((2 * t + 255) / 510);
        }
}

void canvas_darken_neon_c(uint8_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < 4 * n; ++i)
        if (i % 4 != 3)
            dst[i] = src[i] < dst[i] ? src[i] : dst[i];
}

void canvas_lighten_neon_c(uint8_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < 4 * n; ++i)
        if (i % 4 != 3)
            dst[i] = src[i] > dst[i] ? src[i] : dst[i];
}

void canvas_difference_neon_c(uint8_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < 4 * n; ++i)
        if (i % 4 != 3)
            dst[i] = uint8_t(src[i] > dst[i] ? src[i] - dst[i] : dst[i] - src[i]);
}

void canvas_screen_neon_c(uint8_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < 4 * n; ++i)
        dst[i] = uint8_t(255 - mul255(255 - src[i], 255 - dst[i]));
}

void canvas_overlay_neon_c(uint8_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) {
            const int s = src[4 * i + c], d = dst[4 * i + c];
            if (d < 128)
                dst[4 * i + c] = clip255(2 * mul255(s, d));
            else
                dst[4 * i + c] = uint8_t(255 - clip255(2 * mul255(255 - s, 255 - d)));
        }
}

void canvas_unpremultiply_neon_c(uint8_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < n; ++i) {
        const int a = src[4 * i + 3];
        for (int c = 0; c < 3; ++c)
            dst[4 * i + c] = a ? clip255((510 * src[4 * i + c] + a) / (2 * a)) : 0;
        dst[4 * i + 3] = uint8_t(a);
    }
}

void canvas_fade_neon_c(uint8_t* row, int opacity, int n)
{
    for (int i = 0; i < 4 * n; ++i)
        row[i] = uint8_t((row[i] * opacity + 64) >> 7);
}
