// psmodes.cpp : layer modes of the PSD importer
//
// Bit-exact with the reference renders we took in 2004 for most modes; where we are off by one
// the QA images were approved that way. A layer contributes through two things:
//
//   opacity   of the whole layer: 0..255 unless a comment says percent
//   mask      of each pixel: 0 hides, 255 shows. Some callers have selections (one BIT a
//             pixel), some have none at all and pass NULL.
//
// Naming: cb is the backdrop's channel, cs the source's, both 0..255.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>

using std::max;
using std::min;

typedef uint8_t BYTE;
typedef uint32_t DWORD;

static inline int Div255(int v) { return ((v + 128) + ((v + 128) >> 8)) >> 8; }
static inline BYTE Mix(int cb, int cs, int a) { return (BYTE)(cb + Div255((cs - cb) * a)); }
static inline int Clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

// ---- the separable functions B(cb, cs) ----

static inline int BlendMultiply(int cb, int cs) { return Div255(cb * cs); }
static inline int BlendScreen(int cb, int cs) { return cb + cs - Div255(cb * cs); }
static inline int BlendLinearBurn(int cb, int cs) { return max(cb + cs - 255, 0); }
static inline int BlendLinearDodge(int cb, int cs) { return min(cb + cs, 255); }
static inline int BlendExclusion(int cb, int cs) { return cb + cs - 2 * Div255(cb * cs); }

static inline int BlendColorBurn(int cb, int cs)
{
    if (cb == 255) return 255;
    if (cs == 0) return 0;
    return 255 - min(255, (255 - cb) * 255 / cs);
}

static inline int BlendColorDodge(int cb, int cs)
{
    if (cb == 0) return 0;
    if (cs == 255) return 255;
    return min(255, cb * 255 / (255 - cs));
}

static inline int BlendHardLight(int cb, int cs)
{
    return cs < 128 ? BlendMultiply(cb, 2 * cs) : BlendScreen(cb, 2 * cs - 255);
}

static inline int BlendVividLight(int cb, int cs)
{
    return cs < 128 ? BlendColorBurn(cb, 2 * cs) : BlendColorDodge(cb, 2 * (cs - 128) + 1);
}

static inline int BlendPinLight(int cb, int cs)
{
    return cs < 128 ? min(cb, 2 * cs) : max(cb, 2 * cs - 255);
}

static inline DWORD Scramble(DWORD x, DWORD y)
{
    DWORD h = x * 374761393u + y * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return h ^ (h >> 16);
}

// ---------------------------------------------------------------------------------------------
//  normal, dissolve
// ---------------------------------------------------------------------------------------------

void PsNormal(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
              int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++, dst += pitch, src += pitch, mask += pitch) {
        for (int x = 0; x < width; x++) {
            int a = Div255(mask[x] * opacity);
            switch (a) {
            case 0:
                break;
            case 255:
                dst[x] = src[x];
                break;
            default:
                dst[x] = Mix(dst[x], src[x], a);
            }
        }
    }
}

// The grain must not crawl when the layer is moved: it hangs on the canvas, not on the tile.
void PsDissolve(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
                int left, int top, int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int i = y * pitch + x;
            int chance = Div255(mask[i] * opacity);
            if ((int)(Scramble((DWORD)(left + x), (DWORD)(top + y)) % 255u) < chance)
                dst[i] = src[i];
        }
}

// Dissolve with a 64 x 64 noise tile that the caller has made, values 0..254
void PsDissolveNoise(BYTE *dst, const BYTE *src, const BYTE *mask, const BYTE *noise64,
                     int opacity, int width, int height, int pitch)
{
    for (int y = 0; y < height; y++) {
        const BYTE *grain = noise64 + ((y & 63) << 6);
        for (int x = 0; x < width; x++)
            if (grain[x & 63] < mask[x] * opacity / 255)
                dst[x] = src[x];
        dst += pitch;
        src += pitch;
        mask += pitch;
    }
}

// ---------------------------------------------------------------------------------------------
//  the darkening group
// ---------------------------------------------------------------------------------------------

void PsDarken(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
              int width, int height, int dstPitch, int srcPitch, int maskPitch)
{
    assert(opacity >= 0 && opacity <= 255);
    while (height--) {
        for (int x = 0; x < width; x++) {
            if (src[x] >= dst[x])
                continue;
            dst[x] = Mix(dst[x], src[x], Div255(mask[x] * opacity));
        }
        dst += dstPitch;
        src += srcPitch;
        mask += maskPitch;
    }
}

// RGB, three bytes a pixel; one mask for the three
void PsMultiplyRGB(BYTE *dst, const BYTE *src, const BYTE *mask, BYTE opacity,
                   int width, int height, int pitch, int maskPitch)
{
    for (int y = 0; y < height; y++) {
        BYTE *d = dst + y * pitch;
        const BYTE *s = src + y * pitch;
        const BYTE *m = mask + y * maskPitch;
        for (int x = 0; x < width; x++, d += 3, s += 3) {
            int a = Div255(*m++ * opacity);
            if (!a)
                continue;
            d[0] = Mix(d[0], BlendMultiply(d[0], s[0]), a);
            d[1] = Mix(d[1], BlendMultiply(d[1], s[1]), a);
            d[2] = Mix(d[2], BlendMultiply(d[2], s[2]), a);
        }
    }
}

// opacity in percent, as in the file
void PsColorBurn(BYTE *dst, const BYTE *src, const BYTE *mask, int percent,
                 int width, int height, int pitch)
{
    assert(percent >= 0 && percent <= 100);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            BYTE *p = dst + y * pitch + x;
            int b = BlendColorBurn(*p, src[y * pitch + x]);
            int a = mask[y * pitch + x] * percent / 100;
            *p = (BYTE)((*p * (255 - a) + b * a) / 255);
        }
}

// The mask is inverted: it comes from a "hide" selection.
void PsLinearBurn(BYTE *dst, const BYTE *src, const BYTE *hide, int opacity,
                  unsigned width, unsigned height, size_t pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (size_t y = 0; y < height; ++y) {
        for (size_t x = 0; x < width; ++x) {
            const size_t i = y * pitch + x;
            dst[i] = Mix(dst[i], BlendLinearBurn(dst[i], src[i]), Div255((255 - hide[i]) * opacity));
        }
    }
}

// ---------------------------------------------------------------------------------------------
//  the lightening group
// ---------------------------------------------------------------------------------------------

// mask may be NULL
void PsLighten(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
               int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int a = mask ? Div255(mask[y * pitch + x] * opacity) : opacity;
            int cb = dst[y * pitch + x], cs = src[y * pitch + x];
            dst[y * pitch + x] = Mix(cb, max(cb, cs), a);
        }
    }
}

// Selections have one bit a pixel, the leftmost pixel in the highest bit.
void PsScreenSelection(BYTE *dst, const BYTE *src, const BYTE *bits, int opacity,
                       int width, int height, int pitch, int bitsPitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (bits[x >> 3] & (0x80 >> (x & 7)))
                dst[x] = Mix(dst[x], BlendScreen(dst[x], src[x]), opacity);
        }
        dst += pitch;
        src += pitch;
        bits += bitsPitch;
    }
}

// lift: assume(the rows of dstRows are evenly spaced)
// lift: assume(the rows of srcRows are evenly spaced)
// lift: assume(the rows of maskRows are evenly spaced)
void PsColorDodge(BYTE **dstRows, BYTE **srcRows, BYTE **maskRows, int opacity,
                  int width, int height)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++) {
        BYTE *d = dstRows[y];
        for (int x = 0; x < width; x++) {
            int a = Div255(maskRows[y][x] * opacity);
            d[x] = Mix(d[x], BlendColorDodge(d[x], srcRows[y][x]), a);
        }
    }
}

// Adds what the mask lets through, then pins: not the same as mixing afterwards, and faster.
void PsLinearDodge(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity256, int count)
{
    assert(opacity256 >= 0 && opacity256 <= 256);
    const BYTE *end = dst + count;
    if (count <= 0)
        return;
    for (; dst != end; ++dst, ++src, ++mask) {
        unsigned add = (*src * (unsigned)opacity256 >> 8) * (*mask + 1u) >> 8;
        unsigned sum = *dst + add;
        *dst = sum > 255 ? 255 : (BYTE)sum;
    }
}

// ---------------------------------------------------------------------------------------------
//  the contrast group
// ---------------------------------------------------------------------------------------------

// Overlay is hard light with the layers exchanged.
void PsOverlay(BYTE *out, const BYTE *backdrop, const BYTE *src, const BYTE *mask, int opacity,
               int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const int at = x + pitch * y;
            int a = Div255(mask[at] * opacity);
            out[at] = Mix(backdrop[at], BlendHardLight(src[at], backdrop[at]), a);
        }
    }
}

// The square root is what the other program has, too: we measured it.
void PsSoftLight(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
                 int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            double cb = dst[x] / 255.0;
            double cs = src[x] / 255.0;
            double v;
            if (cs <= 0.5)
                v = 2.0 * cb * cs + cb * cb * (1.0 - 2.0 * cs);
            else
                v = sqrt(cb) * (2.0 * cs - 1.0) + 2.0 * cb * (1.0 - cs);
            int b = (int)(v * 255.0 + 0.5);
            dst[x] = Mix(dst[x], b, Div255(mask[x] * opacity));
        }
        dst += pitch;
        src += pitch;
        mask += pitch;
    }
}

// BGRA, the mask is the layer's own alpha; the backdrop's alpha stays.
void PsHardLightBGRA(BYTE *dst, const BYTE *src, int opacity, int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            BYTE *d = &dst[y * pitch + 4 * x];
            const BYTE *s = &src[y * pitch + 4 * x];
            const int a = Div255(s[3] * opacity);
            for (int c = 0; c < 3; c++)
                d[c] = Mix(d[c], BlendHardLight(d[c], s[c]), a);
        }
}

void PsVividLight(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
                  int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = height - 1; y >= 0; y--) {
        BYTE *d = dst + y * pitch;
        const BYTE *s = src + y * pitch;
        const BYTE *m = mask + y * pitch;
        int n = width;
        while (n-- > 0) {
            int a = Div255(*m++ * opacity);
            int v = BlendVividLight(*d, *s++);
            *d = Mix(*d, v, a);
            d++;
        }
    }
}

// The mask has half the resolution of the layer in both directions.
void PsLinearLight(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
                   int width, int height, int pitch, int maskPitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int cb = dst[y * pitch + x];
            int v = Clip(cb + 2 * src[y * pitch + x] - 255);
            int a = Div255(mask[(y / 2) * maskPitch + x / 2] * opacity);
            dst[y * pitch + x] = Mix(cb, v, a);
        }
}

// Four planes of a CMYK page in one block, planeBytes apart; ink is the inverse of light.
void PsPinLightCMYK(BYTE *page, const BYTE *layer, const BYTE *mask, int opacity,
                    int width, int height, int pitch, int planeBytes)
{
    assert(opacity >= 0 && opacity <= 255);
    assert(width <= pitch && pitch * height <= planeBytes);
    for (int plane = 0; plane < 4; plane++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int i = plane * planeBytes + y * pitch + x;
                int cb = 255 - page[i];
                int cs = 255 - layer[i];
                int a = Div255(mask[y * pitch + x] * opacity);
                page[i] = (BYTE)(255 - Mix(cb, BlendPinLight(cb, cs), a));
            }
}

// Opacity moves the threshold instead of mixing (that's "fill", not opacity).
void PsHardMix(BYTE *dst, const BYTE *src, const BYTE *mask, int fill,
               int width, int height, int pitch)
{
    assert(fill >= 0 && fill <= 255);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int cs = 128 + (src[x] - 128) * fill / 255;
            BYTE v = dst[x] + cs >= 255 ? 255 : 0;
            dst[x] = mask[x] >= 128 ? v : dst[x];
        }
        dst += pitch;
        src += pitch;
        mask += pitch;
    }
}

// ---------------------------------------------------------------------------------------------
//  the comparing group
// ---------------------------------------------------------------------------------------------

void PsDifference(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
                  int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    int skip = pitch - width;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            *dst = Mix(*dst, abs(*dst - *src), Div255(*mask * opacity));
            dst++, src++, mask++;
        }
        dst += skip;
        src += skip;
        mask += skip;
    }
}

// grey + alpha pairs, backdrop opaque
void PsExclusionGA(BYTE *dst, const BYTE *src, int opacity, int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++, dst += pitch, src += pitch)
        for (int x = 0; x < 2 * width; x += 2)
            dst[x] = Mix(dst[x], BlendExclusion(dst[x], src[x]), Div255(src[x + 1] * opacity));
}

// 0x00RRGGBB pixels, a mask byte each
void PsSubtractRGB32(DWORD *dst, const DWORD *src, const BYTE *mask, int opacity, int count)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int i = 0; i < count; i++) {
        int a = Div255(mask[i] * opacity);
        DWORD result = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            int cb = (dst[i] >> shift) & 0xff;
            int cs = (src[i] >> shift) & 0xff;
            result |= (DWORD)Mix(cb, max(cb - cs, 0), a) << shift;
        }
        dst[i] = result;
    }
}

void PsDivide(BYTE *dst, const BYTE *src, const BYTE *mask, int opacity,
              int width, int height, int pitch)
{
    assert(opacity >= 0 && opacity <= 255);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int cb = dst[y * pitch + x];
            int cs = src[y * pitch + x];
            int v = cs ? cb * 255 / cs : 255;
            if (v > 255)
                v = 255;
            dst[y * pitch + x] = Mix(cb, v, Div255(mask[y * pitch + x] * opacity));
        }
}
