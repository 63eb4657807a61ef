// What float_avx.cpp computes; the order of operations is part of it.

#include <stddef.h>
#include <stdint.h>

enum AovMode { kAovAdd, kAovMultiply, kAovScreen, kAovDivide, kAovModes };

void aovBlend_c(float *dst, const float *src, ptrdiff_t stride, int width, int height, AovMode mode, float k)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float d = dst[y * stride + x], s = src[y * stride + x];
            switch (mode) {
            case kAovAdd: d = d + s * k; break;
            case kAovMultiply: d = d * (s * k + (1.0f - k)); break;
            case kAovScreen: d = d + s * k * (1.0f - d); break;
            default: d = s != 0.0f ? d * k / s : 0.0f;
            }
            dst[y * stride + x] = d;
        }
}

void plateOver_c(float *dst, const float *src, int pixels)
{
    for (int i = 0; i < 4 * pixels; ++i)
        dst[i] = src[i] + dst[i] * (1.0f - src[i | 3]);
}

void holdout_c(float *dst, const float *matte, int n)
{
    for (int i = 0; i < n; ++i)
        dst[i] = dst[i] * (1.0f - matte[i]);
}

void platePremultiplyToPlanes_c(float *r, float *g, float *b, float *a, const float *rgba, int n)
{
    for (int i = 0; i < n; ++i) {
        a[i] = rgba[4 * i + 3];
        r[i] = rgba[4 * i] * a[i];
        g[i] = rgba[4 * i + 1] * a[i];
        b[i] = rgba[4 * i + 2] * a[i];
    }
}

void depthMerge_c(float *dst[4], const float *const src[4], int n)
{
    for (int i = 0; i < n; ++i) {
        bool nearer = src[3][i] < dst[3][i];
        for (int c = 0; c < 4; ++c)
            dst[c][i] = nearer ? src[c][i] : dst[c][i];
    }
}

void matteMix_c(float *dst, const float *src, const uint8_t *matte, int n)
{
    for (int i = 0; i < n; ++i) {
        float m = (float)matte[i] * (1.0f / 255.0f);
        dst[i] = dst[i] + (src[i] - dst[i]) * m;
    }
}
