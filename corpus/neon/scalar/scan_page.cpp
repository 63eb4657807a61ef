// scan_page.cpp - plain versions of the page clean-up

#include <algorithm>
#include <cstdint>
#include <cstdlib>

static uint8_t clip(int v)
{
    return uint8_t(v < 0 ? 0 : v > 255 ? 255 : v);
}

void scan_median3_line_neon_c(uint8_t* dst, const uint8_t* up, const uint8_t* mid, const uint8_t* dn, int w)
{
    for (int x = 0; x < w; x++) {
        uint8_t v[9];
        for (int k = 0; k < 3; k++) {
            v[k] = up[x - 1 + k];
            v[3 + k] = mid[x - 1 + k];
            v[6 + k] = dn[x - 1 + k];
        }
        std::sort(v, v + 9);
        dst[x] = v[4];
    }
}

void scan_box3_line_neon_c(uint8_t* dst, const uint8_t* up, const uint8_t* mid, const uint8_t* dn, int w)
{
    for (int x = 0; x < w; x++) {
        int s = 4;
        for (int k = -1; k <= 1; k++)
            s += up[x + k] + mid[x + k] + dn[x + k];
        dst[x] = uint8_t(s / 9);
    }
}

void scan_thicken5_line_neon_c(uint8_t* dst, const uint8_t* src, int w)
{
    for (int x = 0; x < w; x++) {
        uint8_t m = 255;
        for (int k = -2; k <= 2; k++)
            m = std::min(m, src[x + k]);
        dst[x] = m;
    }
}

void scan_sobel_line_neon_c(uint8_t* dst, const uint8_t* up, const uint8_t* mid, const uint8_t* dn, int w)
{
    for (int x = 0; x < w; x++) {
        const int gx = up[x + 1] + 2 * mid[x + 1] + dn[x + 1] - up[x - 1] - 2 * mid[x - 1] - dn[x - 1];
        const int gy = dn[x - 1] + 2 * dn[x] + dn[x + 1] - up[x - 1] - 2 * up[x] - up[x + 1];
        dst[x] = clip(std::abs(gx) + std::abs(gy));
    }
}

void scan_threshold_bits_neon_c(uint8_t* bits, const uint8_t* src, int w, int level)
{
    for (int b = 0; b < (w + 7) / 8; b++) {
        int v = 0;
        for (int k = 0; k < 8; k++)
            if (8 * b + k < w && src[8 * b + k] < level)
                v |= 128 >> k;
        bits[b] = uint8_t(v);
    }
}

void scan_expand_bits_neon_c(uint8_t* dst, const uint8_t* bits, int w, int ink, int paper)
{
    for (int x = 0; x < w; x++)
        dst[x] = uint8_t(bits[x / 8] >> (7 - x % 8) & 1 ? ink : paper);
}

void scan_halftone_line_neon_c(uint8_t* dst, const uint8_t* src, const uint8_t* screen, int phase, int w)
{
    for (int x = 0; x < w; x++)
        dst[x] = src[x] >= screen[(x + phase) & 15] ? 255 : 0;
}

void scan_unsharp_line_neon_c(uint8_t* dst, const uint8_t* src, const uint8_t* blur, int amount, int w)
{
    for (int x = 0; x < w; x++) {
        const int d = ((src[x] - blur[x]) * 128 * amount + 16384) >> 15;
        dst[x] = clip(src[x] + ((d + 64) >> 7));
    }
}

void scan_levels_line_neon_c(uint8_t* line, int black, int gain, int w)
{
    for (int x = 0; x < w; x++) {
        const int v = std::max(line[x] - black, 0);
        line[x] = uint8_t(std::min((unsigned(v * gain) + 2048u) >> 12, 255u));
    }
}

void scan_integral_line_neon_c(uint32_t* sum, const uint32_t* above, const uint8_t* src, int w)
{
    uint32_t run = 0;
    for (int x = 0; x < w; x++) {
        run += src[x];
        sum[x] = run + above[x];
    }
}

void scan_turn_page_neon_c(uint8_t* dst, int dpitch, const uint8_t* src, int spitch, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[x * dpitch + h - 1 - y] = src[y * spitch + x];
}

void scan_rgb_to_cmyk_neon_c(uint8_t* cmyk, const uint8_t* rgb, int n)
{
    for (int i = 0; i < n; i++) {
        const int top = std::max({ rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2] });
        for (int c = 0; c < 3; c++)
            cmyk[4 * i + c] = uint8_t(top - rgb[3 * i + c]);
        cmyk[4 * i + 3] = uint8_t(255 - top);
    }
}

int scan_count_dark_neon_c(const uint8_t* src, int level, int w)
{
    int total = 0;
    for (int x = 0; x < w; x++)
        total += src[x] < level;
    return total;
}
