// What float_rgba.cpp computes; the order of operations is part of it.

#include <cmath>
#include <cstddef>

void fOver_c(float *dst, const float *src, std::size_t pixels, float opacity)
{
    for (std::size_t i = 0; i < pixels; ++i) {
        float ia = 1.0f - src[4 * i + 3] * opacity;
        for (int c = 0; c < 4; ++c)
            dst[4 * i + c] = src[4 * i + c] * opacity + dst[4 * i + c] * ia;
    }
}

void fOverStraight_c(float *dst, const float *src, std::size_t pixels)
{
    for (std::size_t i = 0; i < pixels; ++i, src += 4, dst += 4) {
        float w = dst[3] * (1.0f - src[3]);
        float a = src[3] + w;
        for (int c = 0; c < 3; ++c)
            dst[c] = a == 0.0f ? 0.0f : (src[c] * src[3] + dst[c] * w) / a;
        dst[3] = a;
    }
}

void fPremultiply_c(float *pix, std::size_t pixels)
{
    for (std::size_t i = 0; i < pixels; ++i)
        for (int c = 0; c < 3; ++c)
            pix[4 * i + c] *= pix[4 * i + 3];
}

void fUnpremultiply_c(float *pix, std::size_t pixels)
{
    for (std::size_t i = 0; i < pixels; ++i)
        for (int c = 0; c < 3; ++c)
            if (pix[4 * i + 3] > 0.0f)
                pix[4 * i + c] /= pix[4 * i + 3];
}

void fSoftLight_c(float *bot, const float *top, int n)
{
    for (int i = 0; i < n; ++i) {
        float b = bot[i], t = top[i], t21 = 2.0f * t - 1.0f;
        float g = b <= 0.25f ? ((16.0f * b - 12.0f) * b + 4.0f) * b : std::sqrt(b);
        bot[i] = b + (t <= 0.5f ? b * (1.0f - b) * t21 : (g - b) * t21);
    }
}

void fMix_c(float *out, std::ptrdiff_t outStride, const float *a, std::ptrdiff_t aStride,
            const float *b, std::ptrdiff_t bStride, const float *weight, std::ptrdiff_t weightStride,
            int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < 4 * width; ++x) {
            float va = a[y * aStride + x], vb = b[y * bStride + x];
            out[y * outStride + x] = va + (vb - va) * weight[y * weightStride + x / 4];
        }
}

void fToBytes_c(unsigned char *dst, const float *src, std::size_t pixels)
{
    for (std::size_t i = 0; i < 4 * pixels; ++i) {
        float v = src[i] * 255.0f;
        v = v > 0.0f ? v : 0.0f;
        v = v < 255.0f ? v : 255.0f;
        dst[i] = (unsigned char)std::lrint(v);
    }
}

float fCoverage_c(const float *src, std::size_t pixels, float *sumOut)
{
    float r = 0, g = 0, b = 0, a = 0;
    for (std::size_t i = 0; i < pixels; ++i) {
        r += src[4 * i];
        g += src[4 * i + 1];
        b += src[4 * i + 2];
        a = a > src[4 * i + 3] ? a : src[4 * i + 3];
    }
    *sumOut = (r + b) + (g + 0.0f);
    return a;
}
