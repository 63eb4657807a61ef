/********************************************************************************
 *
 *  colour.cpp
 *
 *  Hollin capture & playback SDK 3.2 (2008) - pixel formats and colour spaces
 *
 *  Chroma planes of 4:2:0 frames are (width + 1) / 2 by (height + 1) / 2; where the
 *  picture ends in the middle of a 2x2 block the last column or row counts twice.
 *  Pitches are in bytes everywhere and may be larger than the row. Source and
 *  destination never share memory unless there's only one of them.
 *
 ********************************************************************************/

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

typedef uint8_t  u8;
typedef uint16_t u16;
typedef uint32_t u32;

struct Bitmap
{
    u8  *bits;
    int  width;
    int  height;
    int  pitch;

    u8 *line(int y) const { return bits + (ptrdiff_t)y * pitch; }
};

struct Frame
{
    u8  *plane[3];
    int  pitch[3];
    int  width;
    int  height;
};

struct Bgra { u8 b, g, r, a; };

struct ColourMatrix
{
    int m[3][3];        // 1/1024
    int offset[3];      // 8 bit steps
};

static inline u8 clip(int v)
{
    if (v & ~255)
        return v < 0 ? 0 : 255;
    return (u8)v;
}

template <class T>
static inline T clampTo(T v, T lo, T hi)
{
    return v < lo ? lo : (v > hi ? hi : v);
}

static inline u8 toByte(float v)
{
    return (u8)(clampTo(v, 0.0f, 1.0f) * 255.0f + 0.5f);
}

// a * b / 255, rounded
static inline int mulDiv255(int a, int b)
{
    int t = a * b + 128;
    return (t + (t >> 8)) >> 8;
}

/* BT.601, 16..235 */
static inline int videoY(int r, int g, int b) { return (( 66 * r + 129 * g +  25 * b + 128) >> 8) + 16; }
static inline int videoU(int r, int g, int b) { return ((-38 * r -  74 * g + 112 * b + 128) >> 8) + 128; }
static inline int videoV(int r, int g, int b) { return ((112 * r -  94 * g -  18 * b + 128) >> 8) + 128; }

/* ---------------------------------------------------------------- RGB <-> YCbCr */

// 24 bit RGB to three full planes, JFIF
void ycc444_from_rgb24(Frame &dst, const Bitmap &src)
{
    const int HALF = 1 << 15;
    const int CENTRE = 128 << 16;

    for (int y = 0; y < src.height; ++y)
    {
        const u8 *s = src.line(y);
        u8 *dy = dst.plane[0] + y * dst.pitch[0];
        u8 *du = dst.plane[1] + y * dst.pitch[1];
        u8 *dv = dst.plane[2] + y * dst.pitch[2];

        for (int x = 0; x < src.width; ++x, s += 3)
        {
            const int r = s[0], g = s[1], b = s[2];

            *dy++ = (u8)((19595 * r + 38470 * g + 7471 * b + HALF) >> 16);
            *du++ = (u8)((-11059 * r - 21709 * g + 32768 * b + CENTRE + HALF - 1) >> 16);
            *dv++ = (u8)((32768 * r - 27439 * g - 5329 * b + CENTRE + HALF - 1) >> 16);
        }
    }
}

// video range, three full planes to 24 bit RGB
void rgb24_from_ycc444(Bitmap &dst, const Frame &src)
{
    int w = std::min(dst.width, src.width);
    int h = std::min(dst.height, src.height);

    for (int y = 0; y < h; ++y)
    {
        u8 *d = dst.line(y);
        for (int x = 0; x < w; ++x)
        {
            int c = 298 * (src.plane[0][y * src.pitch[0] + x] - 16) + 128;
            int u = src.plane[1][y * src.pitch[1] + x] - 128;
            int v = src.plane[2][y * src.pitch[2] + x] - 128;

            d[3 * x + 0] = clip((c + 409 * v) >> 8);
            d[3 * x + 1] = clip((c - 100 * u - 208 * v) >> 8);
            d[3 * x + 2] = clip((c + 516 * u) >> 8);
        }
    }
}

// Linear buffers of the HD path: BT.709, video range. rgb is 0..1, interleaved.
void ycc709_from_rgb_float(float *py, float *pcb, float *pcr, const float *rgb, unsigned count)
{
    const float kr = 0.2126f, kb = 0.0722f;
    const float kg = 1.0f - kr - kb;

    while (count--)
    {
        float r = rgb[0], g = rgb[1], b = rgb[2];
        float luma = kr * r + kg * g + kb * b;

        *py++  = 16.0f + 219.0f * luma;
        *pcb++ = 128.0f + 224.0f * (b - luma) / (2.0f * (1.0f - kb));
        *pcr++ = 128.0f + 224.0f * (r - luma) / (2.0f * (1.0f - kr));
        rgb += 3;
    }
}

/* ---------------------------------------------------------- subsampled formats */

void i420_from_bgra32(Frame &dst, const Bitmap &src)
{
    assert(dst.width == src.width && dst.height == src.height);

    const int w = src.width;
    const int h = src.height;

    for (int y = 0; y < h; y++)
    {
        const Bgra *p = reinterpret_cast<const Bgra *>(src.line(y));
        u8 *d = dst.plane[0] + y * dst.pitch[0];
        for (int x = 0; x < w; x++)
            d[x] = (u8)videoY(p[x].r, p[x].g, p[x].b);
    }

    for (int y = 0; y < h; y += 2)
    {
        const Bgra *p0 = reinterpret_cast<const Bgra *>(src.line(y));
        const Bgra *p1 = y + 1 < h ? reinterpret_cast<const Bgra *>(src.line(y + 1)) : p0;
        u8 *u = dst.plane[1] + (y >> 1) * dst.pitch[1];
        u8 *v = dst.plane[2] + (y >> 1) * dst.pitch[2];

        int x = 0;
        for (; x + 1 < w; x += 2)
        {
            int r = (p0[x].r + p0[x + 1].r + p1[x].r + p1[x + 1].r + 2) >> 2;
            int g = (p0[x].g + p0[x + 1].g + p1[x].g + p1[x + 1].g + 2) >> 2;
            int b = (p0[x].b + p0[x + 1].b + p1[x].b + p1[x + 1].b + 2) >> 2;
            *u++ = (u8)videoU(r, g, b);
            *v++ = (u8)videoV(r, g, b);
        }
        if (x < w)
        {
            int r = (p0[x].r + p1[x].r + 1) >> 1;
            int g = (p0[x].g + p1[x].g + 1) >> 1;
            int b = (p0[x].b + p1[x].b + 1) >> 1;
            *u = (u8)videoU(r, g, b);
            *v = (u8)videoV(r, g, b);
        }
    }
}

// Chroma isn't interpolated, the overlay didn't either.
void bgra32_from_nv12(u8 *dst, int dstPitch, const u8 *luma, int lumaPitch,
                      const u8 *chroma, int chromaPitch, int width, int height)
{
    for (int y = 0; y < height; y++)
    {
        u8 *d = dst;
        for (int x = 0; x < width; x++)
        {
            const int c = 298 * (luma[x] - 16);
            const int u = chroma[x & ~1] - 128;
            const int v = chroma[x | 1] - 128;

            d[0] = clip((c + 516 * u + 128) >> 8);
            d[1] = clip((c - 100 * u - 208 * v + 128) >> 8);
            d[2] = clip((c + 409 * v + 128) >> 8);
            d[3] = 0xff;
            d += 4;
        }
        dst += dstPitch;
        luma += lumaPitch;
        if (y & 1)
            chroma += chromaPitch;
    }
}

// Y0 U Y1 V. Two rows make one row of chroma. Capture boards deliver even widths only.
bool i420_from_yuy2(Frame &dst, const u8 *src, int srcPitch)
{
    if (dst.width & 1)
        return false;

    const int pairs = dst.width / 2;
    for (int y = 0; y < dst.height; y += 2)
    {
        const u8 *s0 = src + (ptrdiff_t)y * srcPitch;
        const u8 *s1 = s0;
        u8 *y0 = dst.plane[0] + y * dst.pitch[0];
        u8 *u = dst.plane[1] + (y / 2) * dst.pitch[1];
        u8 *v = dst.plane[2] + (y / 2) * dst.pitch[2];

        if (y + 1 < dst.height)
        {
            u8 *y1 = y0 + dst.pitch[0];
            s1 += srcPitch;
            for (int i = 0; i < pairs; i++)
            {
                y1[2 * i] = s1[4 * i];
                y1[2 * i + 1] = s1[4 * i + 2];
            }
        }
        for (int i = 0; i < pairs; i++)
        {
            y0[2 * i] = s0[0];
            y0[2 * i + 1] = s0[2];
            u[i] = (u8)((s0[1] + s1[1] + 1) / 2);
            v[i] = (u8)((s0[3] + s1[3] + 1) / 2);
            s0 += 4;
            s1 += 4;
        }
    }
    return true;
}

// Words for the overlay: Y0 in the low byte. Pairs are complete, an odd last Y is doubled.
void yuy2_from_i420(u32 *dst, int dstWords, const Frame &src)
{
    for (int row = 0; row < src.height; ++row)
    {
        const u8 *y = src.plane[0] + row * src.pitch[0];
        const u8 *u = src.plane[1] + (row / 2) * src.pitch[1];
        const u8 *v = src.plane[2] + (row / 2) * src.pitch[2];
        u32 *d = dst + (ptrdiff_t)row * dstWords;
        int left = src.width;

        while (left >= 2)
        {
            *d++ = (u32)y[0] | (u32)*u++ << 8 | (u32)y[1] << 16 | (u32)*v++ << 24;
            y += 2;
            left -= 2;
        }
        if (left == 1)
            *d = (u32)y[0] | (u32)*u << 8 | (u32)y[0] << 16 | (u32)*v << 24;
    }
}

/* ------------------------------------------------------------------- HSV, HSL */

// hue is 0..1535: six sectors of 256. Greys have hue 0.
void hsv_from_rgb24(u16 *hue, u8 *sat, u8 *val, const u8 *rgb, int count)
{
    for (int i = 0; i < count; i++)
    {
        int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
        int hi = std::max(r, std::max(g, b));
        int lo = std::min(r, std::min(g, b));
        int delta = hi - lo;

        val[i] = (u8)hi;
        if (delta == 0)
        {
            hue[i] = 0;
            sat[i] = 0;
            continue;
        }
        sat[i] = (u8)(delta * 255 / hi);

        int h;
        if (hi == r)
            h = (g - b) * 256 / delta;
        else if (hi == g)
            h = 512 + (b - r) * 256 / delta;
        else
            h = 1024 + (r - g) * 256 / delta;
        if (h < 0)
            h += 1536;
        hue[i] = (u16)h;
    }
}

void rgb24_from_hsv(u8 *rgb, const u16 *hue, const u8 *sat, const u8 *val, int count)
{
    for (; count > 0; --count, rgb += 3)
    {
        int h = *hue++ % 1536;
        int s = *sat++;
        int v = *val++;
        int f = h & 255;
        int p = mulDiv255(v, 255 - s);
        int q = v - ((v * s * f + 32640) / 65280);
        int t = v - ((v * s * (256 - f) + 32640) / 65280);

        switch (h >> 8)
        {
        case 0:  rgb[0] = (u8)v; rgb[1] = (u8)t; rgb[2] = (u8)p; break;
        case 1:  rgb[0] = (u8)q; rgb[1] = (u8)v; rgb[2] = (u8)p; break;
        case 2:  rgb[0] = (u8)p; rgb[1] = (u8)v; rgb[2] = (u8)t; break;
        case 3:  rgb[0] = (u8)p; rgb[1] = (u8)q; rgb[2] = (u8)v; break;
        case 4:  rgb[0] = (u8)t; rgb[1] = (u8)p; rgb[2] = (u8)v; break;
        default: rgb[0] = (u8)v; rgb[1] = (u8)p; rgb[2] = (u8)q; break;
        }
    }
}

static inline float hueChannel(float m1, float m2, float h)
{
    if (h < 0.0f)
        h += 6.0f;
    if (h >= 6.0f)
        h -= 6.0f;
    if (h < 1.0f)
        return m1 + (m2 - m1) * h;
    if (h < 3.0f)
        return m2;
    if (h < 4.0f)
        return m1 + (m2 - m1) * (4.0f - h);
    return m1;
}

// The hue / saturation sliders, in place: through HSL and back. turn is -3..3 (sectors).
void adjust_hsl(Bitmap &image, float turn, float saturation)
{
    assert(turn >= -3.0f && turn <= 3.0f);
    assert(saturation >= 0.0f);

    for (int y = 0; y < image.height; y++)
    {
        u8 *p = image.line(y);
        for (int x = 0; x < image.width; x++, p += 3)
        {
            float r = p[0] / 255.0f, g = p[1] / 255.0f, b = p[2] / 255.0f;
            float hi = std::max(r, std::max(g, b));
            float lo = std::min(r, std::min(g, b));
            float l = (hi + lo) * 0.5f;
            float d = hi - lo;
            if (d <= 0.0f)
                continue;

            float s = l > 0.5f ? d / (2.0f - hi - lo) : d / (hi + lo);
            float h;
            if (hi == r)
                h = (g - b) / d;
            else if (hi == g)
                h = (b - r) / d + 2.0f;
            else
                h = (r - g) / d + 4.0f;

            h += turn;
            if (h < 0.0f)
                h += 6.0f;
            else if (h >= 6.0f)
                h -= 6.0f;
            s = std::min(s * saturation, 1.0f);

            float m2 = l <= 0.5f ? l * (1.0f + s) : l + s - l * s;
            float m1 = 2.0f * l - m2;
            p[0] = toByte(hueChannel(m1, m2, h + 2.0f));
            p[1] = toByte(hueChannel(m1, m2, h));
            p[2] = toByte(hueChannel(m1, m2, h - 2.0f));
        }
    }
}

/* ------------------------------------------------------------------------ CMYK */

// ucr: how much of the grey goes to black, 0..255
void cmyk_from_rgb24(Bitmap &dst, const Bitmap &src, int ucr)
{
    assert(ucr >= 0 && ucr <= 255);

    for (int y = 0; y < src.height; y++)
    {
        const u8 *s = src.line(y);
        u8 *d = dst.line(y);
        for (int x = 0; x < src.width; x++)
        {
            int c = 255 - *s++;
            int m = 255 - *s++;
            int ye = 255 - *s++;
            int k = mulDiv255(std::min(c, std::min(m, ye)), ucr);

            if (k == 255)
            {
                d[0] = d[1] = d[2] = 0;
            }
            else
            {
                d[0] = (u8)((c - k) * 255 / (255 - k));
                d[1] = (u8)((m - k) * 255 / (255 - k));
                d[2] = (u8)((ye - k) * 255 / (255 - k));
            }
            d[3] = (u8)k;
            d += 4;
        }
    }
}

// Four separate plates, as they come out of the RIP.
void rgb24_from_cmyk_plates(u8 *rgb, const u8 *const plates[4], int width, int height,
                            int rgbPitch, int platePitch)
{
    const u8 *kp = plates[3];
    for (int y = 0; y < height; y++)
    {
        int at = y * platePitch;
        u8 *d = rgb + y * rgbPitch;
        for (int x = 0; x < width; x++, at++)
        {
            int white = 255 - kp[at];
            for (int ch = 0; ch < 3; ch++)
                *d++ = (u8)mulDiv255(255 - plates[ch][at], white);
        }
    }
}

/* ---------------------------------------------------------------------- 16 bpp */

static const u8 kBayer4[4][4] =
{
    {  0,  8,  2, 10 },
    { 12,  4, 14,  6 },
    {  3, 11,  1,  9 },
    { 15,  7, 13,  5 },
};

// For the handheld's display; ordered dither.
void rgb565_from_rgb24(u16 *dst, int dstPixels, const Bitmap &src)
{
    for (int y = 0; y < src.height; ++y)
    {
        const u8 *row = kBayer4[y & 3];
        const u8 *s = src.line(y);
        for (int x = 0; x < src.width; ++x)
        {
            int t = row[x & 3];
            int r = std::min(s[0] + (t >> 1), 255);
            int g = std::min(s[1] + (t >> 2), 255);
            int b = std::min(s[2] + (t >> 1), 255);
            dst[x] = (u16)((r >> 3) << 11 | (g >> 2) << 5 | b >> 3);
            s += 3;
        }
        dst += dstPixels;
    }
}

void bgra32_from_rgb565(std::vector<u32> &dst, const std::vector<u16> &src)
{
    dst.resize(src.size());
    for (size_t i = 0; i != src.size(); ++i)
    {
        u32 r = src[i] >> 11;
        u32 g = (src[i] >> 5) & 0x3f;
        u32 b = src[i] & 0x1f;
        r = r << 3 | r >> 2;
        g = g << 2 | g >> 4;
        b = b << 3 | b >> 2;
        dst[i] = 0xff000000u | r << 16 | g << 8 | b;
    }
}

/* ----------------------------------------------------------------------- alpha */

void premultiply_bgra32(Bitmap &image)
{
    for (int y = 0; y < image.height; y++)
    {
        Bgra *p = reinterpret_cast<Bgra *>(image.line(y));
        Bgra *end = p + image.width;
        for (; p < end; ++p)
        {
            if (p->a == 255)
                continue;
            p->b = (u8)mulDiv255(p->b, p->a);
            p->g = (u8)mulDiv255(p->g, p->a);
            p->r = (u8)mulDiv255(p->r, p->a);
        }
    }
}

void unpremultiply_bgra32(u8 *bits, int width, int height, int pitch)
{
    // 65536 * 255 / a, as the division was what took the time
    u32 reciprocal[256];
    reciprocal[0] = 0;
    for (u32 a = 1; a < 256; a++)
        reciprocal[a] = (255u * 65536u + a / 2) / a;

    for (int y = 0; y < height; y++, bits += pitch)
    {
        u8 *p = bits;
        for (int x = 0; x < width; x++, p += 4)
        {
            const u32 f = reciprocal[p[3]];
            for (int ch = 0; ch < 3; ch++)
                p[ch] = (u8)std::min((p[ch] * f + 32768u) >> 16, 255u);
        }
    }
}

/* ------------------------------------------------------------------ correction */

// Weighted grey, written back to all three channels. The weights need not sum to one.
void desaturate_bgra32(Bitmap &image, double wr, double wg, double wb)
{
    double sum = wr + wg + wb;
    if (!(sum > 0.0 && sum < 1e6) || wr < 0.0 || wg < 0.0 || wb < 0.0)
        return;

    const int ir = (int)(wr / sum * 4096.0 + 0.5);
    const int ig = (int)(wg / sum * 4096.0 + 0.5);
    const int ib = 4096 - ir - ig;

    for (int y = 0; y < image.height; y++)
    {
        u8 *p = image.line(y);
        for (int n = image.width; n > 0; n--)
        {
            u8 v = clip((ib * p[0] + ig * p[1] + ir * p[2] + 2048) >> 12);
            p[0] = p[1] = p[2] = v;
            p += 4;
        }
    }
}

// Gains in 1/256, red green blue.
void white_balance_rgb24(u8 *bits, int width, int height, int pitch, const u16 gains[3])
{
    u8 lut[3][256];
    for (int ch = 0; ch < 3; ch++)
        for (int i = 0; i < 256; i++)
        {
            u32 v = ((u32)i * gains[ch] + 128) >> 8;
            lut[ch][i] = v > 255 ? 255 : (u8)v;
        }

    for (int y = 0; y < height; y++)
    {
        u8 *p = bits + (ptrdiff_t)y * pitch;
        for (int x = 0; x < width; x++)
        {
            p[0] = lut[0][p[0]];
            p[1] = lut[1][p[1]];
            p[2] = lut[2][p[2]];
            p += 3;
        }
    }
}

// Coefficients are within -8..8.
void colour_matrix_planar(u8 *red, u8 *green, u8 *blue, int width, int height, int pitch,
                          const ColourMatrix &cm)
{
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
        {
            const int at = j * pitch + i;
            const int in[3] = { red[at], green[at], blue[at] };
            int out[3];
            for (int k = 0; k < 3; k++)
            {
                int acc = 512 + cm.offset[k] * 1024;
                for (int n = 0; n < 3; n++)
                    acc += cm.m[k][n] * in[n];
                out[k] = clampTo(acc >> 10, 0, 255);
            }
            red[at] = (u8)out[0];
            green[at] = (u8)out[1];
            blue[at] = (u8)out[2];
        }
}

// Preview of a raw picture: each 2x2 cell becomes a pixel. (rx, ry) is where red is in the
// cell. 10 bits in, black level taken off. An odd last row or column is dropped.
void rgb24_from_bayer_half(Bitmap &dst, const u16 *raw, int rawWidth, int rawHeight,
                           int rawPixels, int rx, int ry, int black)
{
    assert((rx == 0 || rx == 1) && (ry == 0 || ry == 1));
    assert(black >= 0 && black < 1023);

    const int w = std::min(dst.width, rawWidth / 2);
    const int h = std::min(dst.height, rawHeight / 2);

    auto scale = [black](int v) -> u8 {
        v = clampTo(v - black, 0, 1023 - black);
        return (u8)((v * 255 + (1023 - black) / 2) / (1023 - black));
    };

    for (int y = 0; y < h; y++)
    {
        const u16 *redRow = raw + (2 * y + ry) * rawPixels;
        const u16 *blueRow = raw + (2 * y + 1 - ry) * rawPixels;
        u8 *d = dst.line(y);
        for (int x = 0; x < w; x++)
        {
            int g = redRow[2 * x + 1 - rx] + blueRow[2 * x + rx];
            d[0] = scale(redRow[2 * x + rx]);
            d[1] = scale((g + 1) >> 1);
            d[2] = scale(blueRow[2 * x + 1 - rx]);
            d += 3;
        }
    }
}
