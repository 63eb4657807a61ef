/*
 * Copyright (C) the renderer's authors. All rights reserved.
 *
 * FloatCompositing: blend modes of the compositing specification (level 1) and the operators of
 * Porter and Duff on 32 bit float RGBA.
 *
 * A row of pixels is `float*`, four floats a pixel: r, g, b, a. Functions whose name ends in
 * `Premul` take and leave colours multiplied by alpha; all others take straight colours.
 * Values may exceed 1 (wide gamut) unless a function clamps.
 */

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace compositing {

namespace {

// B(cb, cs) of the separable modes.

inline float blendScreen(float cb, float cs) { return cb + cs - cb * cs; }

inline float blendHardLight(float cb, float cs)
{
    if (cs <= 0.5f)
        return cb * (2.0f * cs);
    return blendScreen(cb, 2.0f * cs - 1.0f);
}

inline float blendColorDodge(float cb, float cs)
{
    if (cb == 0.0f)
        return 0.0f;
    if (cs >= 1.0f)
        return 1.0f;
    return std::min(1.0f, cb / (1.0f - cs));
}

inline float blendColorBurn(float cb, float cs)
{
    if (cb >= 1.0f)
        return 1.0f;
    if (cs <= 0.0f)
        return 0.0f;
    return 1.0f - std::min(1.0f, (1.0f - cb) / cs);
}

inline float blendSoftLight(float cb, float cs)
{
    if (cs <= 0.5f)
        return cb - (1.0f - 2.0f * cs) * cb * (1.0f - cb);
    float d = cb <= 0.25f ? ((16.0f * cb - 12.0f) * cb + 4.0f) * cb : std::sqrt(cb);
    return cb + (2.0f * cs - 1.0f) * (d - cb);
}

// cs' = (1 - ab) * cs + ab * B(cb, cs), then source-over. Straight in, premultiplied out.
inline float composite(float cb, float ab, float cs, float as, float blended)
{
    float mixed = (1.0f - ab) * cs + ab * blended;
    return as * mixed + (1.0f - as) * ab * cb;
}

// The non-separable modes' helpers, names as in the specification.

inline float lum(float r, float g, float b) { return 0.3f * r + 0.59f * g + 0.11f * b; }

inline float sat(float r, float g, float b)
{
    return std::max(std::max(r, g), b) - std::min(std::min(r, g), b);
}

void clipColor(float* c)
{
    float l = lum(c[0], c[1], c[2]);
    float n = std::min(std::min(c[0], c[1]), c[2]);
    float x = std::max(std::max(c[0], c[1]), c[2]);
    if (n < 0.0f) {
        for (int i = 0; i < 3; ++i)
            c[i] = l + (c[i] - l) * l / (l - n);
    }
    if (x > 1.0f) {
        for (int i = 0; i < 3; ++i)
            c[i] = l + (c[i] - l) * (1.0f - l) / (x - l);
    }
}

void setLum(float& r, float& g, float& b, float l)
{
    float d = l - lum(r, g, b);
    float c[3] = { r + d, g + d, b + d };
    clipColor(c);
    r = c[0];
    g = c[1];
    b = c[2];
}

// Stretches the channels so that the least becomes 0 and the largest s. The order stays.
void setSat(float& r, float& g, float& b, float s)
{
    float low = std::min(std::min(r, g), b);
    float range = std::max(std::max(r, g), b) - low;
    if (range > 0.0f) {
        r = (r - low) * s / range;
        g = (g - low) * s / range;
        b = (b - low) * s / range;
    } else {
        r = g = b = 0.0f;
    }
}

inline float clampUnit(float v) { return v < 0.0f ? 0.0f : (v > 1.0f ? 1.0f : v); }

} // namespace

// MARK: Separable blend modes

void normalPremul(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i) {
        float inverse = 1.0f - src[4 * i + 3];
        for (size_t c = 0; c < 4; ++c)
            dst[4 * i + c] = src[4 * i + c] + dst[4 * i + c] * inverse;
    }
}

void multiplyPremul(float* dst, const float* src, size_t pixelCount)
{
    while (pixelCount--) {
        float sa = src[3];
        float da = dst[3];
        dst[0] = src[0] * (1.0f - da) + dst[0] * (1.0f - sa) + src[0] * dst[0];
        dst[1] = src[1] * (1.0f - da) + dst[1] * (1.0f - sa) + src[1] * dst[1];
        dst[2] = src[2] * (1.0f - da) + dst[2] * (1.0f - sa) + src[2] * dst[2];
        dst[3] = sa + da - sa * da;
        src += 4;
        dst += 4;
    }
}

// Screen is the same formula for colour and alpha when both are premultiplied.
void screenPremul(float* dst, const float* src, int width, int height, int dstStride, int srcStride)
{
    for (int y = 0; y < height; ++y) {
        float* d = dst + y * dstStride;
        const float* s = src + y * srcStride;
        for (int i = 0; i < width * 4; ++i)
            d[i] = blendScreen(d[i], s[i]);
    }
}

void overlay(float* out, const float* backdrop, const float* src, size_t pixelCount)
{
    for (const float* end = src + 4 * pixelCount; src != end; src += 4, backdrop += 4, out += 4) {
        const float ab = backdrop[3];
        const float as = src[3];
        for (int c = 0; c < 3; ++c)
            out[c] = composite(backdrop[c], ab, src[c], as, blendHardLight(src[c], backdrop[c]));
        out[3] = as + ab * (1.0f - as);
    }
}

void darkenPremul(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i, dst += 4, src += 4) {
        const float sa = src[3], da = dst[3];
        for (int c = 0; c < 3; ++c)
            dst[c] = src[c] + dst[c] - std::max(src[c] * da, dst[c] * sa);
        dst[3] = sa + da * (1.0f - sa);
    }
}

// The coverage of antialiased edges scales the source before it is blended.
void lightenPremul(float* dst, const float* src, const float* coverage, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i, dst += 4, src += 4) {
        const float k = coverage[i];
        const float sa = src[3] * k, da = dst[3];
        for (int c = 0; c < 3; ++c) {
            const float s = src[c] * k;
            dst[c] = s + dst[c] - std::min(s * da, dst[c] * sa);
        }
        dst[3] = sa + da * (1.0f - sa);
    }
}

// Planes: one call for each colour channel, then compositeAlpha.
void colorDodgePlane(float* cb, const float* ab, const float* cs, const float* as,
                     int width, int height, int stride)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int i = y * stride + x;
            cb[i] = composite(cb[i], ab[i], cs[i], as[i], blendColorDodge(cb[i], cs[i]));
        }
}

void colorBurnPlane(float* cb, const float* ab, const float* cs, const float* as,
                    int width, int height, int stride)
{
    for (int y = 0; y < height; ++y, cb += stride, ab += stride, cs += stride, as += stride)
        for (int x = 0; x < width; ++x)
            cb[x] = composite(cb[x], ab[x], cs[x], as[x], blendColorBurn(cb[x], cs[x]));
}

void compositeAlpha(float* ab, const float* as, int width, int height, int stride)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            ab[y * stride + x] = as[y * stride + x] + ab[y * stride + x] * (1.0f - as[y * stride + x]);
}

// Opaque backdrop, constant group opacity
void hardLightOpaque(float* dst, const float* src, float opacity, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i) {
        float* d = &dst[i * 4];
        const float* s = &src[i * 4];
        const float a = s[3] * opacity;
        d[0] += a * (blendHardLight(d[0], s[0]) - d[0]);
        d[1] += a * (blendHardLight(d[1], s[1]) - d[1]);
        d[2] += a * (blendHardLight(d[2], s[2]) - d[2]);
    }
}

void softLightOpaque(float* dst, const float* src, float opacity, size_t pixelCount)
{
    for (size_t i = 0; i < 4 * pixelCount; i += 4) {
        const float a = clampUnit(src[i + 3] * opacity);
        for (size_t c = 0; c < 3; ++c)
            dst[i + c] = (1.0f - a) * dst[i + c] + a * blendSoftLight(dst[i + c], src[i + c]);
    }
}

void differencePremul(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i) {
        const float sa = src[3], da = dst[3];
        dst[0] = src[0] + dst[0] - 2.0f * std::min(src[0] * da, dst[0] * sa);
        dst[1] = src[1] + dst[1] - 2.0f * std::min(src[1] * da, dst[1] * sa);
        dst[2] = src[2] + dst[2] - 2.0f * std::min(src[2] * da, dst[2] * sa);
        dst[3] = sa + da * (1.0f - sa);
        dst += 4;
        src += 4;
    }
}

void exclusionPremul(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i)
        for (size_t c = 0; c < 4; ++c) {
            const size_t at = 4 * i + c;
            const float product = src[at] * dst[at];
            dst[at] = src[at] + dst[at] - (c == 3 ? product : 2.0f * product);
        }
}

// MARK: Non-separable blend modes

// RGB without alpha: these four run after the backdrop has been flattened.
void hueFlat(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i, dst += 3, src += 3) {
        float r = src[0], g = src[1], b = src[2];
        setSat(r, g, b, sat(dst[0], dst[1], dst[2]));
        setLum(r, g, b, lum(dst[0], dst[1], dst[2]));
        dst[0] = r;
        dst[1] = g;
        dst[2] = b;
    }
}

void saturationFlat(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i, dst += 3, src += 3) {
        float r = dst[0], g = dst[1], b = dst[2];
        const float l = lum(r, g, b);
        setSat(r, g, b, sat(src[0], src[1], src[2]));
        setLum(r, g, b, l);
        dst[0] = r;
        dst[1] = g;
        dst[2] = b;
    }
}

void colorFlat(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i) {
        float r = src[3 * i], g = src[3 * i + 1], b = src[3 * i + 2];
        setLum(r, g, b, lum(dst[3 * i], dst[3 * i + 1], dst[3 * i + 2]));
        dst[3 * i] = r;
        dst[3 * i + 1] = g;
        dst[3 * i + 2] = b;
    }
}

// Luminosity is color with the layers exchanged; here on planes.
void luminosityPlanes(float* red, float* green, float* blue, const float* srcRed,
                      const float* srcGreen, const float* srcBlue, int width, int height, int stride)
{
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int i = y * stride + x;
            float r = red[i], g = green[i], b = blue[i];
            setLum(r, g, b, lum(srcRed[i], srcGreen[i], srcBlue[i]));
            red[i] = r;
            green[i] = g;
            blue[i] = b;
        }
    }
}

// MARK: Porter and Duff, premultiplied unless said otherwise

void clear(float* dst, size_t pixelCount)
{
    std::fill(dst, dst + 4 * pixelCount, 0.0f);
}

void copy(float* dst, const float* src, size_t pixelCount)
{
    std::copy(src, src + 4 * pixelCount, dst);
}

// "destination" leaves the backdrop alone but for the group's opacity.
void destination(float* dst, float opacity, size_t pixelCount)
{
    for (size_t i = 0; i < 4 * pixelCount; ++i)
        dst[i] *= opacity;
}

// Straight colours: the result is divided by its alpha again.
void sourceOver(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i, dst += 4, src += 4) {
        const float as = src[3];
        const float ab = dst[3];
        const float ao = as + ab * (1.0f - as);
        if (ao <= 0.0f) {
            dst[0] = dst[1] = dst[2] = dst[3] = 0.0f;
            continue;
        }
        for (int c = 0; c < 3; ++c)
            dst[c] = (src[c] * as + dst[c] * ab * (1.0f - as)) / ao;
        dst[3] = ao;
    }
}

void destinationOverPremul(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i) {
        const float f = 1.0f - dst[4 * i + 3];
        dst[4 * i + 0] += f * src[4 * i + 0];
        dst[4 * i + 1] += f * src[4 * i + 1];
        dst[4 * i + 2] += f * src[4 * i + 2];
        dst[4 * i + 3] += f * src[4 * i + 3];
    }
}

void sourceInPremul(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i, dst += 4, src += 4) {
        const float f = dst[3];
        for (int c = 0; c < 4; ++c)
            dst[c] = f * src[c];
    }
}

void destinationInPremul(float* dst, const float* srcAlpha, int width, int height, int stride,
                         int alphaStride)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < 4; ++c)
                dst[y * stride + 4 * x + c] *= srcAlpha[y * alphaStride + x];
}

void sourceOutPremul(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i, dst += 4, src += 4) {
        const float f = 1.0f - dst[3];
        dst[0] = src[0] * f;
        dst[1] = src[1] * f;
        dst[2] = src[2] * f;
        dst[3] = src[3] * f;
    }
}

// Straight: only alpha changes.
void destinationOut(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 3; i < 4 * pixelCount; i += 4)
        dst[i] *= 1.0f - src[i];
}

// Straight: alpha stays, so there is nothing to divide by.
void sourceAtop(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i) {
        const float a = src[4 * i + 3];
        for (size_t c = 0; c < 3; ++c)
            dst[4 * i + c] += (src[4 * i + c] - dst[4 * i + c]) * a;
    }
}

void destinationAtopPremul(float* dst, const float* src, size_t pixelCount)
{
    float* const end = dst + 4 * pixelCount;
    while (dst < end) {
        const float sa = src[3], da = dst[3];
        for (int c = 0; c < 4; ++c, ++dst, ++src)
            *dst = *dst * sa + *src * (1.0f - da);
    }
}

void xorPremul(float* out, const float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < pixelCount; ++i) {
        const float fs = 1.0f - dst[i * 4 + 3];
        const float fd = 1.0f - src[i * 4 + 3];
        for (size_t c = 0; c < 4; ++c)
            out[i * 4 + c] = src[i * 4 + c] * fs + dst[i * 4 + c] * fd;
    }
}

// "plus-lighter"
void lighterPremul(float* dst, const float* src, size_t pixelCount)
{
    for (size_t i = 0; i < 4 * pixelCount; ++i)
        dst[i] = std::min(dst[i] + src[i], 1.0f);
}

} // namespace compositing
