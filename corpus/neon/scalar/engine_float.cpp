// engine_float.cpp - plain versions of texture and terrain work (-ffp-contract=off)

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

void tex_colour_matrix_neon_c(float* px, const float m[12], int n)
{
    for (int i = 0; i < n; i++) {
        float* p = px + 4 * i;
        float r[3];
        for (int k = 0; k < 3; k++)
            r[k] = std::fma(m[4 * k + 2], p[2], std::fma(m[4 * k + 1], p[1], std::fma(m[4 * k], p[0], m[4 * k + 3])));
        for (int k = 0; k < 3; k++)
            p[k] = r[k];
    }
}

void tex_premultiply_neon_c(float* px, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            px[4 * i + k] *= px[4 * i + 3];
}

void tex_float_to_u8_neon_c(uint8_t* dst, const float* src, int n)
{
    for (int i = 0; i < n; i++) {
        const float v = std::isnan(src[i]) ? 0.0f : std::min(std::max(src[i], 0.0f), 1.0f);
        dst[i] = uint8_t(std::nearbyint(v * 255.0f));
    }
}

void tex_u8_to_float_neon_c(float* dst, const uint8_t* src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = src[i] / 256.0f;
}

void terrain_pack_q8_neon_c(int16_t* dst, const float* src, int n)
{
    for (int i = 0; i < n; i++) {
        const float v = std::trunc(src[i] * 256.0f);
        dst[i] = int16_t(std::min(std::max(v, -32768.0f), 32767.0f));
    }
}

float terrain_blend_neon_c(float* dst, const float* a, const float* b, float t, int n)
{
    float peak = 0.0f;
    for (int i = 0; i < n; i++) {
        const float d = (b[i] - a[i]) * t;
        dst[i] = a[i] + d;
        peak = std::max(peak, std::fabs(d));
    }
    return peak;
}

float terrain_sum_neon_c(const float* h, int n)
{
    float p[8] = { 0 };
    const int n8 = n / 8 * 8;
    for (int i = 0; i < n8; i++)
        p[i % 8] += h[i];
    float sum = ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
    for (int i = n8; i < n; i++)
        sum += h[i];
    return sum;
}

void terrain_normals_neon_c(float* nx, float* ny, float* nz, const float* h, ptrdiff_t pitch, float scale, int n)
{
    for (int i = 0; i < n; i++) {
        const float dx = (h[i - 1] - h[i + 1]) * scale;
        const float dy = (h[i - pitch] - h[i + pitch]) * scale;
        const float len = std::sqrt(dx * dx + dy * dy + 1.0f);
        nx[i] = dx / len;
        ny[i] = dy / len;
        nz[i] = 1.0f / len;
    }
}

void tex_mip_half_neon_c(uint8_t* dst, ptrdiff_t dpitch, const uint8_t* src, ptrdiff_t spitch, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 4; c++) {
                const uint8_t* s = src + 2 * y * spitch + 8 * x + c;
                dst[y * dpitch + 4 * x + c] = uint8_t((s[0] + s[4] + s[spitch] + s[spitch + 4] + 2) >> 2);
            }
}

void tex_blur5_lines_neon_c(float* dst, const float* const line[5], const float w[3], int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = line[2][i] * w[0] + (line[1][i] + line[3][i]) * w[1] + (line[0][i] + line[4][i]) * w[2];
}
