/*
 *  filter/basic.cpp - point filters, statistics and small convolutions
 *
 *  Neighbourhood filters read one pixel (or `radius` pixels) outside of the rows x cols
 *  area on every side; the caller pads its planes and passes a pointer to the first
 *  inner pixel.
 */

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned char  uchar;
typedef unsigned short ushort;

#define CLAMP255(v) ((v) < 0 ? 0 : (v) > 255 ? 255 : (v))

/* 1 2 1 / 2 4 2 / 1 2 1, sums to 16 */
static const int kSmooth3x3[9] = { 1, 2, 1,
                                   2, 4, 2,
                                   1, 2, 1 };

/* ===== lookup tables ====================================================== */

void RemapPlane(uint8_t *dst, const uint8_t *src, const uint8_t *table,
                int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++)
    {
        for (int c = 0; c < cols; c++)
            dst[c] = table[src[c]];
        dst += rowBytes;
        src += rowBytes;
    }
}

// Contrast stretch around mid grey. contrast is in 1/64ths.
void contrast_lut(uchar *image, int contrast, int width, int height, int stride)
{
    assert(contrast >= 0 && contrast <= 1024);
    uchar lut[256];
    for (int i = 0; i < 256; i++) {
        int v = (((i - 128) * contrast) >> 6) + 128;
        lut[i] = CLAMP255(v);
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            image[y * stride + x] = lut[image[y * stride + x]];
}

/* ===== statistics ========================================================= */

void Histogram8(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    int i;
    for (i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            hist[src[c]]++;
        src += rowBytes;
    }
}

// Adds to what earlier tiles counted. 4 bits of the 16 are dropped, so there are 4096 bins.
// Stride in elements.
void accumulate_histogram16(uint32_t *bins, const ushort *plane, int w, int h, int stride)
{
    for (int y = 0; y < h; ++y) {
        const ushort *p = plane + y * stride;
        for (int x = 0; x < w; ++x)
            bins[p[x] >> 4] += 1;
    }
}

/* ===== point filters ====================================================== */

// Everything at or above the level becomes white, the rest is left alone.
void ThresholdKeep(uint8_t *plane, int level, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++)
    {
        uint8_t *p = plane;
        for (int c = 0; c < cols; c++, p++)
        {
            if (*p >= level)
                *p = 255;
        }
        plane += rowBytes;
    }
}

void brightness_contrast(std::vector<uint8_t> &dst, const std::vector<uint8_t> &src,
                         int brightness, int gain)
{
    // lift: assume(src.size() <= dst.size())
    // lift: assume(gain >= 0 && gain <= 4096)
    // lift: assume(brightness >= -255 && brightness <= 255)
    for (size_t i = 0; i < src.size(); i++) {
        int v = ((src[i] * gain) >> 8) + brightness;
        if (v < 0) v = 0;
        if (v > 255) v = 255;
        dst[i] = static_cast<uint8_t>(v);
    }
}

// Display gamma, approximated by 2.0. Negative values are artefacts of the resampler.
void gamma_encode(float *out, const float *in, float exposure, int width, int height,
                  int outStride, int inStride)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float v = in[y * inStride + x] * exposure;
            out[y * outStride + x] = v > 0.0f ? sqrtf(v) : 0.0f;
        }
}

/* Unrolled by four; MSVC 6 didn't. */
void InvertSpan(uchar *p, int n)
{
    int i = 0;
    for (; i + 3 < n; i += 4)
    {
        p[i]     = ~p[i];
        p[i + 1] = ~p[i + 1];
        p[i + 2] = ~p[i + 2];
        p[i + 3] = ~p[i + 3];
    }
    for (; i < n; i++)
        p[i] = ~p[i];
}

// Rec. 601 luma in 8.8 fixed point
void gray_from_rgb(uint8_t *gray, const uint8_t *rgb, int width, int height,
                   int grayRowBytes, int rgbRowBytes)
{
    for (int y = 0; y < height; y++)
    {
        const uint8_t *s = rgb;
        uint8_t *d = gray;
        for (int x = 0; x < width; x++)
        {
            *d++ = (uint8_t)((77 * s[0] + 150 * s[1] + 29 * s[2] + 128) >> 8);
            s += 3;
        }
        rgb += rgbRowBytes;
        gray += grayRowBytes;
    }
}

// 65535 -> 255 with rounding. srcStride in elements, dstRowBytes in bytes (the same thing for dst).
void Convert16To8(uint8_t *dst, const uint16_t *src, int rows, int cols,
                  int dstRowBytes, int srcStride)
{
    while (rows-- > 0) {
        const uint16_t *s = src;
        uint8_t *d = dst;
        int n = cols;
        while (n-- > 0) {
            *d++ = (uint8_t)(((uint32_t)*s++ * 255u + 32767u) / 65535u);
        }
        src += srcStride;
        dst += dstRowBytes;
    }
}

/* ===== layout ============================================================= */

void planar_to_interleaved(uint8_t *rgb, const uint8_t *r, const uint8_t *g, const uint8_t *b,
                           int width, int height, int planeStride, int rgbStride)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            rgb[y * rgbStride + 3 * x + 0] = r[y * planeStride + x];
            rgb[y * rgbStride + 3 * x + 1] = g[y * planeStride + x];
            rgb[y * rgbStride + 3 * x + 2] = b[y * planeStride + x];
        }
    }
}

// lift: assume(the rows of dst are evenly spaced)
// lift: assume(the rows of src are evenly spaced)
void FlipHorizontal(uint8_t **dst, uint8_t **src, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r][c] = src[r][cols - 1 - c];
}

void CopyRows(uint8_t *dst, int dstRowBytes, const uint8_t *src, int srcRowBytes,
              int rows, int cols)
{
    for (int r = 0; r < rows; r++)
    {
        memcpy(dst, src, cols);
        dst += dstRowBytes;
        src += srcRowBytes;
    }
}

// Half size in both directions. width and height are the size of the result.
void downsample_2x(uchar *dst, const uchar *src, int width, int height,
                   int dstStride, int srcStride)
{
    for (int y = 0; y < height; y++) {
        const uchar *s0 = src + (2 * y) * srcStride;
        const uchar *s1 = s0 + srcStride;
        for (int x = 0; x < width; x++)
            dst[y * dstStride + x] =
                (s0[2 * x] + s0[2 * x + 1] + s1[2 * x] + s1[2 * x + 1] + 2) >> 2;
    }
}

/* ===== single pass neighbourhoods ========================================= */

void BoxBlurRow3(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            dst[c] = (src[c - 1] + src[c] + src[c + 1]) / 3;
        dst += rowBytes;
        src += rowBytes;
    }
}

// column blur, 16 bit, strides in elements
void box_blur_col3_u16(ushort *out, const ushort *in, int w, int h, int stride)
{
    for (int j = 0; j < h; j++)
    {
        const ushort *above = in - stride;
        const ushort *below = in + stride;
        for (int i = 0; i < w; i++)
            out[i] = (ushort)((above[i] + in[i] + below[i] + 1) / 3);
        in += stride;
        out += stride;
    }
}

void smooth3x3(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++)
    {
        for (int c = 0; c < cols; c++)
        {
            int sum = 8;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += kSmooth3x3[(dy + 1) * 3 + dx + 1] * src[(r + dy) * rowBytes + c + dx];
            dst[r * rowBytes + c] = (uint8_t)(sum >> 4);
        }
    }
}

void SobelMagnitude(uint8_t *dst, const uint8_t *src, int width, int height, int stride)
{
    for (int y = 0; y < height; y++)
    {
        const uint8_t *p0 = src + (y - 1) * stride;
        const uint8_t *p1 = src + y * stride;
        const uint8_t *p2 = src + (y + 1) * stride;
        for (int x = 0; x < width; x++)
        {
            int gx = (p0[x + 1] - p0[x - 1]) + 2 * (p1[x + 1] - p1[x - 1]) + (p2[x + 1] - p2[x - 1]);
            int gy = (p2[x - 1] - p0[x - 1]) + 2 * (p2[x] - p0[x]) + (p2[x + 1] - p0[x + 1]);
            int mag = abs(gx) + abs(gy);
            dst[y * stride + x] = mag > 255 ? 255 : (uint8_t)mag;
        }
    }
}

void sharpen(uchar *dst, const uchar *src, int w, int h, int dst_stride, int src_stride)
{
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            const uchar *p = src + y * src_stride + x;
            int v = 5 * p[0] - p[-1] - p[1] - p[-src_stride] - p[src_stride];
            dst[y * dst_stride + x] = (uchar)CLAMP255(v);
        }
    }
}

void Dilate3x3(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            uint8_t best = 0;
            for (int i = -1; i <= 1; i++)
                for (int j = -1; j <= 1; j++) {
                    uint8_t v = src[c + i * rowBytes + j];
                    if (v > best)
                        best = v;
                }
            dst[c] = best;
        }
        dst += rowBytes;
        src += rowBytes;
    }
}

// Sum over a (2 * radius + 1)^2 window; the caller divides.
void box_sum(int *sums, const uint8_t *src, int radius, int width, int height,
             int sumStride, int srcStride)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int acc = 0;
            for (int dy = -radius; dy <= radius; dy++)
                for (int dx = -radius; dx <= radius; dx++)
                    acc += src[(y + dy) * srcStride + (x + dx)];
            sums[y * sumStride + x] = acc;
        }
    }
}

/* ===== two passes ========================================================= */

// As printed in figure 1 of the paper: the vertical pass reads one row above and one row
// below what was allocated (and tmp leaks). Kept for comparison, use blur_padded.
void blur(uint8_t* dst, uint8_t* src, int rows, int cols,
         int rowBytes) {
    int* tmp = new int[rows*rowBytes];
    // horizontal blur
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            tmp[c] = (src[c-1] + src[c] + src[c+1]) / 3;
        }
        tmp += rowBytes;
        src += rowBytes;
    }
    tmp -= rows*rowBytes; // reset pointer location
    // vertical blur
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int sum = (tmp[c-rowBytes] + tmp[c] +
                       tmp[c+rowBytes]);
            dst[c] = sum / 3;
        }
        dst += rowBytes;
        tmp += rowBytes;
    }
}

// The first and the last row of dst are left to the caller.
void blur_padded(uint8_t* dst, uint8_t* src, int rows, int cols, int rowBytes) {
    assert(cols <= rowBytes);
    int* tmp = new int[rows*rowBytes];
    int* line = tmp;
    // horizontal blur
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            line[c] = (src[c-1] + src[c] + src[c+1]) / 3;
        }
        line += rowBytes;
        src += rowBytes;
    }
    // vertical blur
    line = tmp;
    for (int r = 1; r < rows - 1; r++) {
        dst += rowBytes;
        line += rowBytes;
        for (int c = 0; c < cols; c++) {
            int sum = (line[c-rowBytes] + line[c] +
                       line[c+rowBytes]);
            dst[c] = sum / 3;
        }
    }
    delete[] tmp;
}

// Separable 1-2-1, rows first. The temporary has one more row at the top and at the bottom.
void SmoothSeparable(uint16_t *dst, const uint16_t *src, int width, int height, int stride)
{
    // strides in elements
    std::vector<uint32_t> tmp((size_t)(height + 2) * width);
    for (int y = 0; y < height + 2; y++)
    {
        const uint16_t *s = src + (y - 1) * stride;
        for (int x = 0; x < width; x++)
            tmp[y * width + x] = s[x - 1] + 2 * s[x] + s[x + 1];
    }
    for (int y = 0; y < height; y++)
    {
        for (int x = 0; x < width; x++)
        {
            uint32_t v = tmp[y * width + x] + 2 * tmp[(y + 1) * width + x] + tmp[(y + 2) * width + x];
            dst[y * stride + x] = (uint16_t)((v + 8) >> 4);
        }
    }
}

/* 3x3 median; the neighbours are sorted by exchanging them. The border stays as it is. */
void median_3x3(uint8_t *out, const uint8_t *in, int width, int height)
{
    int i, j, x, y;
    for (y = 1; y < height - 1; y++)
        for (x = 1; x < width - 1; x++) {
            uint8_t win[9];
            int n = 0;
            for (j = -1; j <= 1; j++)
                for (i = -1; i <= 1; i++)
                    win[n++] = in[(y + j) * width + x + i];
            for (i = 0; i < 9; i++)
                for (j = i + 1; j < 9; j++)
                    if (win[j] < win[i]) {
                        uint8_t t = win[i];
                        win[i] = win[j];
                        win[j] = t;
                    }
            out[y * width + x] = win[4];
        }
}
