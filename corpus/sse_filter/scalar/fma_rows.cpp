// Plain loops that the functions of fma_rows.cpp must equal bit for bit.
#include <cmath>

void fr_accumulate_c(float *acc, const float *src, int n, float gain)
{
    for (int i = 0; i < n; i++)
        acc[i] = std::fma(gain, src[i], acc[i]);
}

void fr_vertical5_c(const float *const rows[5], float *dst, int n, const float k[3])
{
    for (int i = 0; i < n; i++) {
        float v = k[0] * rows[2][i];
        v = std::fma(k[1], rows[1][i] + rows[3][i], v);
        dst[i] = std::fma(k[2], rows[0][i] + rows[4][i], v);
    }
}

void fr_window_cubic_c(const float *src, float *dst, int n, const float c[4])
{
    for (int i = 0; i < n; i++) {
        float x = src[i] > 0.0f ? src[i] : 0.0f;
        x = x < 1.0f ? x : 1.0f;
        dst[i] = std::fma(std::fma(std::fma(c[3], x, c[2]), x, c[1]), x, c[0]);
    }
}
