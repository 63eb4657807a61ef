// Layer compositing primitives.
//
// Conventions in this file have drifted over the years:
//   rows/cols/rowBytes  the tile code; rowBytes counts BYTES from one row to the next
//   width/height/stride the plug-in code; strides count ELEMENTS (so a 16 bit stride is
//                       half of the byte distance)
// dst is the backdrop and receives the result unless a function says otherwise. Nobody
// supports overlapping dst and src planes.

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdlib>

typedef unsigned char Byte;

enum BlendMode
{
    kBlendNormal = 0,
    kBlendMultiply,
    kBlendScreen,
    kBlendDarken,
    kBlendLighten,
    kBlendDifference
};

// a * b / 255, rounded to nearest. Exact for all 8 bit inputs.
static inline uint8_t Mul8x8Div255(uint8_t a, uint8_t b)
{
    uint32_t t = (uint32_t)a * b + 128;
    return (uint8_t)((t + (t >> 8)) >> 8);
}

// Rounded division by 255 for x in [0, 65535].
static inline int div255(int x)
{
    return (x + 127) / 255;
}

static inline uint8_t clampToByte(int v)
{
    return (uint8_t)(v < 0 ? 0 : (v > 255 ? 255 : v));
}

static inline uint16_t Mul16x16Div65535(uint16_t a, uint16_t b)
{
    uint32_t t = (uint32_t)a * (uint32_t)b + 32768u;
    return (uint16_t)((t + (t >> 16)) >> 16);
}

// Cheap spatial hash into the 1024 entry noise table.
static inline int HashFunction(int row, int col)
{
    uint32_t h = (uint32_t)row * 73u + (uint32_t)col * 151u;
    h ^= h >> 7;
    return (int)(h & 1023u);
}

// Hand tuned, lives in hash_x86.asm.
int ExternalHash(int row, int col);

/* ------------------------------------------------------------------ normal */

// Classic masked copy. The two early outs matter: most mask tiles are solid.
void NormalBlend8(uint8_t *dst, const uint8_t *src, const uint8_t *msk,
                  int rows, int cols, int rowBytes)
{
    for (int row = 0; row < rows; row++)
    {
        for (int col = 0; col < cols; col++)
        {
            int m = msk[col];
            if (m == 0)
                continue;
            if (m == 255)
            {
                dst[col] = src[col];
                continue;
            }
            dst[col] = (uint8_t)div255(src[col] * m + dst[col] * (255 - m));
        }
        dst += rowBytes;
        src += rowBytes;
        msk += rowBytes;
    }
}

void normal_opacity_u8(unsigned char *dst, int dstStride,
                       const unsigned char *src, int srcStride,
                       int width, int height, int opacity)
{
    // opacity is 0..256 here, so that a shift does the division
    assert(opacity >= 0 && opacity <= 256);
    int x, y;
    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x++) {
            int s = src[y * srcStride + x];
            int d = dst[y * dstStride + x];
            dst[y * dstStride + x] = (d * (256 - opacity) + s * opacity) >> 8;
        }
    }
}

// Strides in elements.
void NormalBlend16(uint16_t *dst, const uint16_t *src, const uint16_t *msk,
                   int width, int height, int stride)
{
    for (int y = 0; y < height; ++y) {
        uint16_t *d = dst + y * stride;
        const uint16_t *s = src + y * stride;
        const uint16_t *m = msk + y * stride;
        for (int x = 0; x < width; ++x) {
            const uint16_t a = m[x];
            d[x] = (uint16_t)(Mul16x16Div65535(s[x], a)
                              + Mul16x16Div65535(d[x], (uint16_t)(65535 - a)));
        }
    }
}

// out-of-place cross fade of two float planes
void crossfade_float(float* out, const float* a, const float* b, float t, int w, int h, int pitch)
{
    float s = 1.0f - t;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
            out[j*pitch + i] = a[j*pitch + i] * s + b[j*pitch + i] * t;
}

/* ---------------------------------------------------------------- multiply */

void MultiplyBlend8(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++)
    {
        for (int c = 0; c < cols; c++)
            dst[c] = Mul8x8Div255(dst[c], src[c]);
        dst += rowBytes;
        src += rowBytes;
    }
}

// Same, through a mask, for one contiguous run of pixels.
void multiply_span_masked(Byte *d, const Byte *s, const Byte *m, int n)
{
    if (n <= 0)
        return;
    while (n--) {
        int a = *m++;
        int product = div255(*d * *s++);
        *d = (Byte)div255(product * a + *d * (255 - a));
        d++;
    }
}

// 16 bit. Strides in elements, different for the two layers.
void multiply_u16(uint16_t* dst, int dst_stride, const uint16_t* src, int src_stride,
                  int width, int height)
{
    for (int y = 0; y < height; y++)
    {
        for (int x = 0; x < width; x++)
        {
            uint32_t p = (uint32_t)dst[x] * src[x];
            dst[x] = (uint16_t)(p / 65535u);
        }
        dst += dst_stride;
        src += src_stride;
    }
}

/* ------------------------------------------------------------------ screen */

// The scanner plug-in hands us row pointers.
void ScreenBlendRows(uint8_t **dstRows, uint8_t **srcRows, int height, int width)
{                                        // lift: assume(the rows of dstRows are evenly spaced)
    for (int y = 0; y < height; y++)     // lift: assume(the rows of srcRows are evenly spaced)
    {
        uint8_t *d = dstRows[y];
        uint8_t *s = srcRows[y];
        for (int x = 0; x < width; x++)
            d[x] = 255 - Mul8x8Div255(255 - d[x], 255 - s[x]);
    }
}

void screen_float(float *dst, const float *src, int width, int height, int stride)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const float d = dst[y * stride + x];
            const float s = src[y * stride + x];
            dst[y * stride + x] = d + s - d * s;
        }
    }
}

/* --------------------------------------------------------- darken, lighten */

void darken_plane(uint8_t *dst, const uint8_t *src, int width, int height,
                  int dstStride, int srcStride)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            dst[x] = std::min(dst[x], src[x]);
        dst += dstStride;
        src += srcStride;
    }
}

void LightenBlend8(uint8_t *dst, const uint8_t *src, const uint8_t *msk,
                   int rows, int cols, int rowBytes)
{
    uint8_t *dstRow = dst;
    const uint8_t *srcRow = src, *mskRow = msk;
    for (int r = 0; r < rows; r++) {
        uint8_t *d = dstRow;
        const uint8_t *s = srcRow;
        const uint8_t *m = mskRow;
        for (int c = 0; c < cols; c++, d++, s++, m++) {
            int delta = *s - *d;
            if (delta > 0)
                *d += Mul8x8Div255(*m, delta);
        }
        dstRow += rowBytes;
        srcRow += rowBytes;
        mskRow += rowBytes;
    }
}

// Tiled by hand for the old G4 caches; the tile size was measured, don't change it.
void Darken(uint8_t *dst, uint8_t *src, uint8_t *msk,
            int rows, int cols, int rowBytes)
{
    for (int rowOut=0; rowOut < rows; rowOut += 16){
        for (int colOut=0; colOut < cols; colOut += 32){

            for (int row = rowOut; row < std::min(rows, rowOut+16); row++){
                for (int col = colOut; col < std::min(cols, colOut+32); col++){
                    int delta = (src[row * rowBytes + col])
                                - (dst[row * rowBytes + col]);
                    if (delta < 0)
                        (dst[row * rowBytes + col]) -=
                            Mul8x8Div255((msk[row * rowBytes + col]),
                                         -delta);
                }
            }
        }
    }
}

/* ------------------------------------------------------ overlay, hard light */

void OverlayBlend8(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(cols <= rowBytes);
    for (int r = 0; r < rows; r++)
    {
        for (int c = 0; c < cols; c++)
        {
            int b = dst[c];
            int s = src[c];
            int v;
            if (b < 128)
                v = 2 * b * s / 255;
            else
                v = 255 - 2 * (255 - b) * (255 - s) / 255;
            dst[c] = (uint8_t)v;
        }
        dst += rowBytes;
        src += rowBytes;
    }
}

void overlay_float(float *dst, const float *src, const float *mask,
                   int width, int height, int stride)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float b = dst[x];
            float s = src[x];
            float v = b < 0.5f ? 2.0f * b * s : 1.0f - 2.0f * (1.0f - b) * (1.0f - s);
            dst[x] = b + (v - b) * mask[x];
        }
        dst += stride;
        src += stride;
        mask += stride;
    }
}

// Overlay with the layers exchanged. One row per call; count must not be zero.
void hard_light_row(Byte* dst, const Byte* src, int count)
{
    // lift: assume(count >= 1)
    int i = 0;
    do {
        int s = src[i], b = dst[i];
        dst[i] = (Byte)(s <= 127 ? (2 * s * b) / 255
                                 : 255 - (2 * (255 - s) * (255 - b)) / 255);
        i++;
    } while (i < count);
}

/* ------------------------------------------------------------- dodge, burn */

void ColorDodge8(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++)
    {
        for (int c = 0; c < cols; c++)
        {
            if (src[c] == 255)
                dst[c] = 255;
            else
            {
                int v = dst[c] * 255 / (255 - src[c]);
                dst[c] = v > 255 ? 255 : v;
            }
        }
        src += rowBytes;
        dst += rowBytes;
    }
}

void color_burn(unsigned char *dst, const unsigned char *src,
                unsigned int width, unsigned int height, unsigned int stride)
{
    for (unsigned int y = 0; y < height; y++) {
        for (unsigned int x = 0; x < width; x++) {
            int s = src[x];
            int inv = 255 - dst[x];
            dst[x] = s == 0 ? 0 : clampToByte(255 - inv * 255 / s);
        }
        dst += stride;
        src += stride;
    }
}

/* --------------------------------------------------- difference, exclusion */

void DifferenceBlend8(uint8_t *dst, const uint8_t *src, int rows, int cols,
                      int dstRowBytes, int srcRowBytes)
{
    for (int r = 0; r < rows; r++)
    {
        const uint8_t *s = src + r * srcRowBytes;
        uint8_t *d = dst + r * dstRowBytes;
        for (int c = cols; c > 0; c--, d++, s++)
            *d = abs(*d - *s);
    }
}

// strides in elements
void difference_u16(uint16_t *out, const uint16_t *a, const uint16_t *b, int w, int h, int stride)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int i = y * stride + x;
            out[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        }
}

void ExclusionBlend8(uint8_t *dst, const uint8_t *src, int opacity, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int d = dst[c], s = src[c];
            int e = d + s - 2 * Mul8x8Div255(d, s);
            // constant layer opacity, 0..255
            dst[c] = Mul8x8Div255(e, opacity) + Mul8x8Div255(d, 255 - opacity);
        }
        dst += rowBytes;
        src += rowBytes;
    }
}

/* ------------------------------------------------------- interleaved RGBA */

// Straight (not premultiplied) RGBA over an opaque-or-not backdrop. Colour is mixed by the
// source's alpha, the backdrop's alpha grows.
void CompositeOverRGBA(uint8_t *dst, const uint8_t *src, int width, int height, int rowBytes)
{
    for (int y = 0; y < height; y++)
    {
        uint8_t *d = dst + y * rowBytes;
        const uint8_t *s = src + y * rowBytes;
        for (int x = 0; x < width; x++)
        {
            int a = s[3];
            d[0] = (s[0] * a + d[0] * (255 - a) + 127) / 255;
            d[1] = (s[1] * a + d[1] * (255 - a) + 127) / 255;
            d[2] = (s[2] * a + d[2] * (255 - a) + 127) / 255;
            d[3] = a + Mul8x8Div255(d[3], 255 - a);
            d += 4;
            s += 4;
        }
    }
}

// All four channels alike.
void screen_rgba_all(uint8_t* dst, const uint8_t* src, int width, int height, int stride)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int ch = 0; ch < 4; ch++)
            {
                int i = y * stride + x * 4 + ch;
                dst[i] = dst[i] + src[i] - Mul8x8Div255(dst[i], src[i]);
            }
}

// Three planes, one mask, one stride.
void multiply_planar_rgb(uint8_t *r, uint8_t *g, uint8_t *b,
                         const uint8_t *sr, const uint8_t *sg, const uint8_t *sb,
                         int w, int h, int pitch)
{
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int at = y * pitch + x;
            r[at] = Mul8x8Div255(r[at], sr[at]);
            g[at] = Mul8x8Div255(g[at], sg[at]);
            b[at] = Mul8x8Div255(b[at], sb[at]);
        }
    }
}

/* ---------------------------------------------------------- mode switches */

void BlendPlane(uint8_t *dst, const uint8_t *src, int mode, int rows, int cols, int rowBytes)
{
    int r, c;
    switch (mode)
    {
    case kBlendMultiply:
        for (r = 0; r < rows; r++)
            for (c = 0; c < cols; c++)
                dst[r * rowBytes + c] = Mul8x8Div255(dst[r * rowBytes + c], src[r * rowBytes + c]);
        break;
    case kBlendScreen:
        for (r = 0; r < rows; r++)
            for (c = 0; c < cols; c++)
                dst[r * rowBytes + c] = 255 - Mul8x8Div255(255 - dst[r * rowBytes + c],
                                                           255 - src[r * rowBytes + c]);
        break;
    case kBlendDarken:
        for (r = 0; r < rows; r++)
            for (c = 0; c < cols; c++)
                if (src[r * rowBytes + c] < dst[r * rowBytes + c])
                    dst[r * rowBytes + c] = src[r * rowBytes + c];
        break;
    default:
        for (r = 0; r < rows; r++)
            for (c = 0; c < cols; c++)
                dst[r * rowBytes + c] = src[r * rowBytes + c];
        break;
    }
}

void blend_pixels(uint8_t *dst, const uint8_t *a, const uint8_t *b, int mode,
                  int width, int height, int stride)
{
    for (int y = 0; y < height; y++)
    {
        for (int x = 0; x < width; x++)
        {
            int p = a[x], q = b[x], v;
            switch (mode)
            {
                case kBlendNormal:     v = q; break;
                case kBlendMultiply:   v = div255(p * q); break;
                case kBlendScreen:     v = 255 - div255((255 - p) * (255 - q)); break;
                case kBlendLighten:    v = p > q ? p : q; break;
                case kBlendDifference: v = p > q ? p - q : q - p; break;
                default:               v = p; break;
            }
            dst[x] = (uint8_t)v;
        }
        dst += stride;
        a += stride;
        b += stride;
    }
}

/* ----------------------------------------------------------- layer opacity */

void adjustOpacity(uint8_t* dst, int opacity, int rows,
                   int cols, int rowBytes) {
    assert (cols <= rowBytes); // required user annotation
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            dst[c] = Mul8x8Div255(dst[c], opacity);
        }
        dst += rowBytes;
    }
}

// The release build's version: nobody checks that rows don't overlap.
void adjustOpacityUnchecked(uint8_t* dst, int opacity, int rows,
                            int cols, int rowBytes) {
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            dst[c] = Mul8x8Div255(dst[c], opacity);
        }
        dst += rowBytes;
    }
}

/* ---------------------------------------------------------------- dissolve */

void dissolve(uint8_t *msk, const uint8_t *noiseData, int rows, int cols)
{
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            int x = msk[row*cols + col];
            x = 255 - x + noiseData[HashFunction(row,col)];
            if (x < 256)
                msk[row*cols + col] = 255;
            else
                msk[row*cols + col] = 0;
        }
    }
}

void dissolveExternal(uint8_t *msk, const uint8_t *noiseData, int rows, int cols)
{
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            int x = msk[row*cols + col];
            x = 255 - x + noiseData[ExternalHash(row,col)];
            if (x < 256)
                msk[row*cols + col] = 255;
            else
                msk[row*cols + col] = 0;
        }
    }
}

// Sprite onto background. Transparent pixels are left alone, opaque ones copied as a word.
void DrawSpriteBGRA(uint8_t* dst, int dstPitch, const uint8_t* src, int srcPitch,
                    int w, int h, int fade)
{
    for (int y = 0; y < h; ++y, dst += dstPitch, src += srcPitch) {
        uint8_t* d = dst;
        const uint8_t* s = src;
        for (int x = 0; x < w; ++x, d += 4, s += 4) {
            int a = s[3] * fade / 255;
            if (a == 0)
                continue;
            if (a == 255) {
                *(uint32_t*)d = *(const uint32_t*)s;
                continue;
            }
            for (int c = 0; c < 3; c++)
                d[c] = d[c] + ((s[c] - d[c]) * a) / 255;
            d[3] = a + d[3] - a * d[3] / 255;
        }
    }
}
