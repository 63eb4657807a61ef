// camera_isp.cpp - plain versions of the software ISP

#include <algorithm>
#include <cstddef>
#include <cstdint>

static uint8_t sat8(int v) { return uint8_t(v < 0 ? 0 : v > 255 ? 255 : v); }
static int sat16(int v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }

void isp_unpack_raw10_neon_c(uint16_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k)
            dst[i + k] = uint16_t(src[i / 4 * 5 + k] * 4 + (src[i / 4 * 5 + 4] >> (2 * k)) % 4);
}

void isp_black_gain_neon_c(uint16_t* line, int n, uint16_t black, uint16_t gainEven, uint16_t gainOdd, uint16_t white)
{
    for (int i = 0; i < n; ++i) {
        const uint64_t v = line[i] > black ? line[i] - black : 0;
        const uint64_t r = (v * (i & 1 ? gainOdd : gainEven) + 128) >> 8;
        line[i] = uint16_t(std::min<uint64_t>(r, white));
    }
}

void isp_bin_rggb_neon_c(uint16_t* r, uint16_t* g, uint16_t* b, const uint16_t* row0, const uint16_t* row1, int quads)
{
    for (int i = 0; i < quads; ++i) {
        r[i] = row0[2 * i];
        g[i] = uint16_t((row0[2 * i + 1] + row1[2 * i] + 1) >> 1);
        b[i] = row1[2 * i + 1];
    }
}

void isp_dead_pixel_neon_c(uint16_t* dst, const uint16_t* src, int n, uint16_t threshold)
{
    for (int i = 0; i < n; ++i) {
        const int l = src[i - 2], c = src[i], r = src[i + 2];
        const bool hot = c - std::max(l, r) > threshold, cold = std::min(l, r) - c > threshold;
        dst[i] = uint16_t(hot || cold ? (l + r) >> 1 : c);
    }
}

void isp_tone64_neon_c(uint8_t* dst, const uint8_t* src, int n, const uint8_t curve[64])
{
    for (int i = 0; i < n; ++i)
        dst[i] = curve[src[i] / 4];
}

void isp_lut256_neon_c(uint8_t* dst, const uint8_t* src, int n, const uint8_t lut[256])
{
    for (int i = 0; i < n; ++i)
        dst[i] = lut[src[i]];
}

void isp_yuyv_to_planes_neon_c(uint8_t* y, uint8_t* u, uint8_t* v, const uint8_t* yuyv, int w)
{
    for (int x = 0; x < w; ++x)
        y[x] = yuyv[2 * x];
    for (int x = 0; x < w / 2; ++x) {
        u[x] = yuyv[4 * x + 1];
        v[x] = yuyv[4 * x + 3];
    }
}

void isp_nv12_to_rgb_neon_c(uint8_t* rgb, const uint8_t* y, const uint8_t* uv, int w)
{
    for (int x = 0; x < w; ++x) {
        const int u = uv[x / 2 * 2] - 128, v = uv[x / 2 * 2 + 1] - 128;
        const int l = std::max(y[x] - 16, 0) * 75;
        rgb[3 * x + 0] = sat8((sat16(l + 102 * v) + 32) >> 6);
        rgb[3 * x + 1] = sat8((sat16(l - 25 * u - 52 * v) + 32) >> 6);
        rgb[3 * x + 2] = sat8((sat16(l + 129 * u) + 32) >> 6);
    }
}

void isp_rgb_to_grey_neon_c(uint8_t* dst, const uint8_t* src, int n, int bgr)
{
    for (int i = 0; i < n; ++i) {
        const int r = src[3 * i + (bgr ? 2 : 0)], g = src[3 * i + 1], b = src[3 * i + (bgr ? 0 : 2)];
        dst[i] = uint8_t((77 * r + 150 * g + 29 * b + 128) >> 8);
    }
}

void isp_565_to_rgba_neon_c(uint8_t* dst, const uint16_t* src, int n)
{
    for (int i = 0; i < n; ++i) {
        const int r = src[i] >> 11, g = src[i] >> 5 & 63, b = src[i] & 31;
        dst[4 * i + 0] = uint8_t(r << 3 | r >> 2);
        dst[4 * i + 1] = uint8_t(g << 2 | g >> 4);
        dst[4 * i + 2] = uint8_t(b << 3 | b >> 2);
        dst[4 * i + 3] = 255;
    }
}

void isp_rgba_to_565_neon_c(uint16_t* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < n; ++i)
        dst[i] = uint16_t((src[4 * i] >> 3) << 11 | (src[4 * i + 1] >> 2) << 5 | src[4 * i + 2] >> 3);
}

void isp_mirror_rgba_neon_c(uint32_t* dst, const uint32_t* src, int n)
{
    for (int i = 0; i < n; ++i)
        dst[i] = src[n - 1 - i];
}

uint32_t isp_meter_neon_c(const uint8_t* y, ptrdiff_t pitch, int w, int h, uint8_t* peak)
{
    uint32_t sum = 0;
    *peak = 0;
    for (int j = 0; j < h; ++j)
        for (int x = 0; x < w; ++x) {
            sum += y[j * pitch + x];
            *peak = std::max(*peak, y[j * pitch + x]);
        }
    return sum;
}

// fills the padding to the next multiple of 16 as well
void isp_soft121_padded_neon_c(uint8_t* dst, const uint8_t* src, int w)
{
    for (int x = 0; x < (w + 15) / 16 * 16; ++x)
        dst[x] = uint8_t((((src[x - 1] + src[x + 1]) >> 1) + src[x] + 1) >> 1);
}
