/*
    resample.cpp - everything that moves pixels around

    Texture and cutscene tools, 2001 - 2014. The first half goes back to the software
    renderer, the second was written for the movie player and the lens correction of the
    capture rig.

    pitch is in bytes, stride is in elements. Unless noted the source and the destination
    must not overlap. No side is longer than 16384.
*/

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

typedef uint8_t  u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t  s32;

// 8 bit, one channel
struct gray_image {
    u8 *data;
    int w, h;
    int pitch;

    u8       *line(int y)       { return data + (ptrdiff_t)y * pitch; }
    const u8 *line(int y) const { return data + (ptrdiff_t)y * pitch; }
};

static inline int clampi(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static inline u8 saturate(int v)
{
    return (u8)clampi(v, 0, 255);
}

// 0..256 from a to b
static inline int lerp8(int a, int b, int f)
{
    return a + (((b - a) * f) >> 8);
}

// ---- scaling ------------------------------------------------------------------------

// Point sampling with 16.16 steps, at the centers of the pixels.
void scale_nearest_32(u32 *dst, int dw, int dh, int dst_stride,
                      const u32 *src, int sw, int sh, int src_stride)
{
    if (dw <= 0 || dh <= 0 || sw <= 0 || sh <= 0)
        return;

    const u32 xstep = ((u32)sw << 16) / (u32)dw;
    const u32 ystep = ((u32)sh << 16) / (u32)dh;
    u32 v = ystep >> 1;

    for (int y = 0; y < dh; y++) {
        const u32 *s = src + (ptrdiff_t)(v >> 16) * src_stride;
        u32 u = xstep >> 1;
        for (int x = 0; x < dw; x++) {
            dst[x] = s[u >> 16];
            u += xstep;
        }
        dst += dst_stride;
        v += ystep;
    }
}

// Stretched sprite with colour 0 transparent. No division: an error term for each
// direction, as for a line.
void stretch_sprite_8(u8 *dst, int dw, int dh, int dst_pitch,
                      const u8 *src, int sw, int sh, int src_pitch)
{
    int yerr = 0;

    assert(sw > 0 && sh > 0);
    for (int y = 0; y < dh; y++) {
        const u8 *s = src;
        int xerr = 0;
        for (int x = 0; x < dw; x++) {
            if (*s)
                dst[x] = *s;
            xerr += sw;
            while (xerr >= dw) {
                xerr -= dw;
                s++;
            }
        }
        dst += dst_pitch;
        yerr += sh;
        while (yerr >= dh) {
            yerr -= dh;
            src += src_pitch;
        }
    }
}

// 8.8 positions, the last column and the last line repeat
void scale_bilinear_gray(gray_image &dst, const gray_image &src)
{
    if (dst.w <= 0 || dst.h <= 0 || src.w <= 0 || src.h <= 0)
        return;

    const int xstep = (src.w << 8) / dst.w;
    const int ystep = (src.h << 8) / dst.h;
    int ypos = ystep / 2 - 128;

    for (int y = 0; y < dst.h; y++, ypos += ystep) {
        int yc = clampi(ypos, 0, (src.h - 1) << 8);
        int fy = yc & 255;
        const u8 *s0 = src.line(yc >> 8);
        const u8 *s1 = src.line(std::min((yc >> 8) + 1, src.h - 1));
        u8 *d = dst.line(y);

        int xpos = xstep / 2 - 128;
        for (int x = 0; x < dst.w; x++, xpos += xstep) {
            int xc = clampi(xpos, 0, (src.w - 1) << 8);
            int fx = xc & 255;
            int i = xc >> 8;
            int j = i + 1 < src.w ? i + 1 : i;

            int top = (s0[i] << 8) + (s0[j] - s0[i]) * fx;
            int bot = (s1[i] << 8) + (s1[j] - s1[i]) * fx;
            d[x] = (u8)((top * 256 + (bot - top) * fy + 32768) >> 16);
        }
    }
}

// Interleaved floats (light maps), any number of channels
void scale_bilinear_float(float *dst, int dw, int dh, const float *src, int sw, int sh, int channels)
{
    if (sw < 1 || sh < 1)
        return;

    for (int y = 0; y < dh; ++y) {
        float fy = (y + 0.5f) * sh / dh - 0.5f;
        int y0 = (int)floorf(fy);
        fy -= y0;
        int y1 = clampi(y0 + 1, 0, sh - 1);
        y0 = clampi(y0, 0, sh - 1);

        for (int x = 0; x < dw; ++x) {
            float fx = (x + 0.5f) * sw / dw - 0.5f;
            int x0 = (int)floorf(fx);
            fx -= x0;
            int x1 = clampi(x0 + 1, 0, sw - 1);
            x0 = clampi(x0, 0, sw - 1);

            for (int c = 0; c < channels; ++c) {
                float a = src[(y0 * sw + x0) * channels + c];
                float b = src[(y0 * sw + x1) * channels + c];
                float p = src[(y1 * sw + x0) * channels + c];
                float q = src[(y1 * sw + x1) * channels + c];
                float t = a + (b - a) * fx;
                float u = p + (q - p) * fx;
                dst[(y * dw + x) * channels + c] = t + (u - t) * fy;
            }
        }
    }
}

// Average of n x n blocks. What is left over at the right and at the bottom is dropped:
// dst has (w / n) x (h / n) pixels.
void shrink_by_factor(u8 *dst, int dst_pitch, const u8 *src, int w, int h, int src_pitch, int n)
{
    assert(n >= 1 && n <= 256);
    const unsigned area = (unsigned)(n * n);

    for (int y = 0; y + n <= h; y += n) {
        u8 *d = dst;
        for (int x = 0; x + n <= w; x += n) {
            unsigned sum = area / 2;
            const u8 *s = src + x;
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++)
                    sum += s[i];
                s += src_pitch;
            }
            *d++ = (u8)(sum / area);
        }
        dst += dst_pitch;
        src += n * src_pitch;
    }
}

// One third, 16 bit height maps. w and h are the size of the result.
void shrink3_u16(u16 *dst, const u16 *src, unsigned w, unsigned h, unsigned dst_stride, unsigned src_stride)
{
    while (h--) {
        const u16 *a = src;
        const u16 *b = a + src_stride;
        const u16 *c = b + src_stride;
        for (unsigned x = 0; x < w; x++) {
            u32 sum = a[0] + a[1] + a[2];
            sum += b[0] + b[1] + b[2];
            sum += c[0] + c[1] + c[2];
            dst[x] = (u16)((sum + 4) / 9);
            a += 3;
            b += 3;
            c += 3;
        }
        dst += dst_stride;
        src += 3 * src_stride;
    }
}

// The next mip level of a tightly packed RGBA texture, returns its size in *w and *h.
// A side of 1 stays 1, an odd line or column at the end is dropped.
void next_mip_rgba(u8 *dst, const u8 *src, int *w, int *h)
{
    const int sw = *w, sh = *h;
    const int dw = sw > 1 ? sw >> 1 : sw;
    const int dh = sh > 1 ? sh >> 1 : sh;
    const int right = sw > 1 ? 4 : 0;
    const int down  = sh > 1 ? 4 * sw : 0;

    for (int y = 0; y < dh; y++) {
        const u8 *s = src + (ptrdiff_t)y * (sh > 1 ? 2 : 1) * sw * 4;
        for (int x = 0; x < dw; x++) {
            for (int c = 0; c < 4; c++)
                dst[c] = (u8)((s[c] + s[c + right] + s[c + down] + s[c + right + down] + 2) >> 2);
            dst += 4;
            s += sw > 1 ? 8 : 4;
        }
    }
    *w = dw;
    *h = dh;
}

// Thumbnails: each result is the mean of the whole pixels that fall into it, 16 million of
// them at most. RGB, 3 bytes. Can't enlarge.
bool box_thumbnail_rgb(u8 *dst, int dw, int dh, int dst_pitch,
                       const u8 *src, int sw, int sh, int src_pitch)
{
    if (dw <= 0 || dh <= 0 || dw > sw || dh > sh)
        return false;

    std::vector<int> first(dw + 1);
    for (int x = 0; x <= dw; x++)
        first[x] = (int)((int64_t)x * sw / dw);

    std::vector<u32> acc(3 * dw);
    int y0 = 0;
    for (int y = 0; y < dh; y++) {
        int y1 = (int)((int64_t)(y + 1) * sh / dh);

        std::fill(acc.begin(), acc.end(), 0u);
        for (int sy = y0; sy < y1; sy++) {
            const u8 *s = src + (ptrdiff_t)sy * src_pitch;
            for (int x = 0; x < dw; x++)
                for (int i = first[x]; i < first[x + 1]; i++) {
                    acc[3 * x + 0] += s[3 * i + 0];
                    acc[3 * x + 1] += s[3 * i + 1];
                    acc[3 * x + 2] += s[3 * i + 2];
                }
        }

        u8 *d = dst + (ptrdiff_t)y * dst_pitch;
        for (int x = 0; x < dw; x++) {
            u32 n = (u32)(first[x + 1] - first[x]) * (u32)(y1 - y0);
            for (int c = 0; c < 3; c++)
                *d++ = (u8)((acc[3 * x + c] + n / 2) / n);
        }
        y0 = y1;
    }
    return true;
}

// Catmull-Rom, 64 phases with weights that add up to 256
void scale_bicubic_gray(gray_image *dst, const gray_image *src)
{
    int coef[64][4];

    if (dst->w <= 0 || dst->h <= 0 || src->w <= 0 || src->h <= 0)
        return;

    for (int p = 0; p < 64; p++) {
        double t = p / 64.0;
        coef[p][0] = (int)floor(256 * (((-0.5 * t + 1.0) * t - 0.5) * t) + 0.5);
        coef[p][2] = (int)floor(256 * (((-1.5 * t + 2.0) * t + 0.5) * t) + 0.5);
        coef[p][3] = (int)floor(256 * ((0.5 * t - 0.5) * t * t) + 0.5);
        coef[p][1] = 256 - coef[p][0] - coef[p][2] - coef[p][3];
    }

    const int xstep = (src->w << 16) / dst->w;
    const int ystep = (src->h << 16) / dst->h;

    int ypos = ystep / 2 - 0x8000;
    for (int y = 0; y < dst->h; y++) {
        const int iy = ypos >> 16;
        const int *cy = coef[(ypos >> 10) & 63];
        u8 *out = dst->line(y);

        int xpos = xstep / 2 - 0x8000;
        for (int x = 0; x < dst->w; x++) {
            const int ix = xpos >> 16;
            const int *cx = coef[(xpos >> 10) & 63];
            int sum = 0;
            for (int j = 0; j < 4; j++) {
                const u8 *s = src->line(clampi(iy + j - 1, 0, src->h - 1));
                int row = 0;
                for (int i = 0; i < 4; i++)
                    row += cx[i] * s[clampi(ix + i - 1, 0, src->w - 1)];
                sum += cy[j] * row;
            }
            out[x] = saturate((sum + 32768) >> 16);
            xpos += xstep;
        }
        ypos += ystep;
    }
}

// Tables for filter_rows_float: result i is made of len[i] pixels from start[i] on, with the
// weights at weights[i * max_taps]. Lanczos 3. Returns the largest len, 0 if max_taps won't do.
int build_lanczos_table(int *start, int *len, float *weights, int max_taps, int src_size, int dst_size)
{
    const double pi = 3.14159265358979323846;
    const double scale = (double)src_size / dst_size;
    const double stretch = scale > 1.0 ? scale : 1.0;
    const double support = 3.0 * stretch;
    int longest = 0;

    assert(src_size > 0 && dst_size > 0);
    for (int i = 0; i < dst_size; i++) {
        double center = (i + 0.5) * scale;
        int lo = std::max((int)floor(center - support), 0);
        int hi = std::min((int)ceil(center + support), src_size);
        int n = hi - lo;
        if (n > max_taps)
            return 0;

        float *w = weights + (ptrdiff_t)i * max_taps;
        double total = 0.0;
        for (int k = 0; k < n; k++) {
            double t = fabs((lo + k + 0.5 - center) / stretch);
            double v = 1.0;
            if (t >= 3.0)
                v = 0.0;
            else if (t > 1e-6)
                v = 3.0 * sin(pi * t) * sin(pi * t / 3.0) / (pi * pi * t * t);
            w[k] = (float)v;
            total += v;
        }
        for (int k = 0; k < n; k++)
            w[k] = (float)(w[k] / total);

        start[i] = lo;
        len[i] = n;
        longest = std::max(longest, n);
    }
    return longest;
}

// Horizontal pass over `rows` lines of interleaved RGBA floats
void filter_rows_float(float *dst, int dst_w, int dst_stride, const float *src, int src_stride, int rows,
                       const int *start, const int *len, const float *weights, int max_taps)
{
    for (int y = 0; y < rows; y++) {
        const float *tap = weights;
        for (int x = 0; x < dst_w; x++) {
            const float *s = src + 4 * start[x];
            float r = 0, g = 0, b = 0, a = 0;
            for (int k = 0; k < len[x]; k++, s += 4) {
                r += tap[k] * s[0];
                g += tap[k] * s[1];
                b += tap[k] * s[2];
                a += tap[k] * s[3];
            }
            dst[4 * x + 0] = r;
            dst[4 * x + 1] = g;
            dst[4 * x + 2] = b;
            dst[4 * x + 3] = a;
            tap += max_taps;
        }
        dst += dst_stride;
        src += src_stride;
    }
}

namespace {

// triangle filter, 14 bit weights
struct tap_table {
    int taps;
    std::vector<int> start;
    std::vector<int> weight;

    tap_table(int src_size, int dst_size)
    {
        const double scale = (double)src_size / dst_size;
        const double support = scale > 1.0 ? scale : 1.0;

        taps = (int)ceil(2.0 * support) + 1;
        if (taps > src_size)
            taps = src_size;
        start.resize(dst_size);
        weight.resize((size_t)dst_size * taps);

        for (int i = 0; i < dst_size; i++) {
            double center = (i + 0.5) * scale - 0.5;
            int lo = clampi((int)ceil(center - support), 0, src_size - taps);
            double total = 0.0;
            for (int k = 0; k < taps; k++)
                total += std::max(0.0, 1.0 - fabs(lo + k - center) / support);
            int left = 1 << 14;
            int best = 0;
            for (int k = 0; k < taps; k++) {
                double t = std::max(0.0, 1.0 - fabs(lo + k - center) / support) / total;
                int w = (int)(t * (1 << 14) + 0.5);
                weight[(size_t)i * taps + k] = w;
                left -= w;
                if (w > weight[(size_t)i * taps + best])
                    best = k;
            }
            weight[(size_t)i * taps + best] += left;
            start[i] = lo;
        }
    }
};

} // namespace

// Both passes in one go: columns of tables first, then the lines, then across them.
bool resize_triangle_gray(u8 *dst, int dw, int dh, int dst_pitch,
                          const u8 *src, int sw, int sh, int src_pitch)
{
    if (dw < 1 || dh < 1 || sw < 1 || sh < 1)
        return false;

    const tap_table horz(sw, dw);
    const tap_table vert(sh, dh);
    std::vector<u8> temp((size_t)dw * sh);

    for (int y = 0; y < sh; y++) {
        const u8 *s = src + (ptrdiff_t)y * src_pitch;
        u8 *t = &temp[(size_t)y * dw];
        const int *w = horz.weight.data();
        for (int x = 0; x < dw; x++) {
            int sum = 1 << 13;
            for (int k = 0; k < horz.taps; k++)
                sum += *w++ * s[horz.start[x] + k];
            t[x] = saturate(sum >> 14);
        }
    }

    std::vector<int> line(dw);
    for (int y = 0; y < dh; y++) {
        const int *w = &vert.weight[(size_t)y * vert.taps];
        std::fill(line.begin(), line.end(), 1 << 13);
        for (int k = 0; k < vert.taps; k++) {
            const u8 *t = &temp[(size_t)(vert.start[y] + k) * dw];
            if (w[k] == 0)
                continue;
            for (int x = 0; x < dw; x++)
                line[x] += w[k] * t[x];
        }
        for (int x = 0; x < dw; x++)
            dst[(ptrdiff_t)y * dst_pitch + x] = saturate(line[x] >> 14);
    }
    return true;
}

// Doubles the width with weights 3:1 (MPEG-1 siting). The ends repeat.
void double_width_31(u8 *dst, const u8 *src, int w, int h, int dst_pitch, int src_pitch)
{
    for (; h > 0; h--, src += src_pitch, dst += dst_pitch) {
        if (w < 1)
            continue;
        if (w == 1) {
            dst[0] = dst[1] = src[0];
            continue;
        }

        const u8 *s = src;
        u8 *d = dst;
        *d++ = s[0];
        *d++ = (u8)((3 * s[0] + s[1] + 2) >> 2);
        s++;
        for (int n = w - 2; n > 0; n--) {
            int v = 3 * *s;
            *d++ = (u8)((v + s[-1] + 1) >> 2);
            *d++ = (u8)((v + s[1] + 2) >> 2);
            s++;
        }
        *d++ = (u8)((3 * s[0] + s[-1] + 1) >> 2);
        *d++ = s[0];
    }
}

// 4:2:0 to 4:4:4, 9:3:3:1. w and h are the size of the picture; chroma planes have half of
// that, rounded up.
void upsample_chroma_420(u8 *dst, int dst_pitch, const u8 *src, int src_pitch, int w, int h)
{
    const int cw = (w + 1) / 2;
    const int ch = (h + 1) / 2;
    if (w <= 0 || h <= 0)
        return;

    std::vector<int> column(cw);
    for (int y = 0; y < h; y++) {
        const int own = y >> 1;
        const int next = clampi((y & 1) ? own + 1 : own - 1, 0, ch - 1);
        const u8 *a = src + own * src_pitch;
        const u8 *b = src + next * src_pitch;
        for (int i = 0; i < cw; i++)
            column[i] = 3 * a[i] + b[i];

        for (int x = 0; x < w; x++) {
            int i = x >> 1;
            int j = (x & 1) ? std::min(i + 1, cw - 1) : std::max(i - 1, 0);
            dst[x] = (u8)((3 * column[i] + column[j] + 8) >> 4);
        }
        dst += dst_pitch;
    }
}

// Whole number zoom for pixel art. Each line is stretched once and then copied.
void zoom_pixels_16(u16 *dst, const u16 *src, int w, int h, int zoom, int dst_stride, int src_stride)
{
    assert(zoom >= 1);
    if (w <= 0)
        return;
    for (int y = 0; y < h; y++) {
        u16 *first = dst;
        u16 *d = first;
        for (int x = 0; x < w; x++)
            for (int k = 0; k < zoom; k++)
                *d++ = src[x];
        dst += dst_stride;
        for (int k = 1; k < zoom; k++) {
            memcpy(dst, first, (size_t)w * zoom * sizeof *dst);
            dst += dst_stride;
        }
        src += src_stride;
    }
}

// Mosaic in place. Blocks at the right and at the bottom may be smaller. Up to 4096 x 4096.
void mosaic_gray(gray_image &img, int block_w, int block_h)
{
    assert(block_w > 0 && block_h > 0);
    for (int by = 0; by < img.h; by += block_h) {
        for (int bx = 0; bx < img.w; bx += block_w) {
            const int ex = std::min(bx + block_w, img.w);
            const int ey = std::min(by + block_h, img.h);
            unsigned sum = 0;
            for (int y = by; y < ey; y++) {
                const u8 *p = img.line(y);
                for (int x = bx; x < ex; x++)
                    sum += p[x];
            }
            const u8 mean = (u8)(sum / (unsigned)((ex - bx) * (ey - by)));
            for (int y = by; y < ey; y++)
                memset(img.line(y) + bx, mean, ex - bx);
        }
    }
}

// ---- flips and turns ----------------------------------------------------------------

// bottom up to top down, in place
void flip_rows(u8 *pixels, int row_bytes, int h, int pitch)
{
    if (row_bytes <= 0 || h < 2)
        return;
    std::vector<u8> spare(row_bytes);
    u8 *top = pixels;
    u8 *bottom = pixels + (ptrdiff_t)(h - 1) * pitch;
    for (int n = h / 2; n > 0; n--) {
        memcpy(spare.data(), top, row_bytes);
        memcpy(top, bottom, row_bytes);
        memcpy(bottom, spare.data(), row_bytes);
        top += pitch;
        bottom -= pitch;
    }
}

void mirror_rgb24(u8 *pixels, int w, int h, int pitch)
{
    for (int y = 0; y < h; y++) {
        u8 *row = pixels + y * pitch;
        for (int l = 0, r = w - 1; l < r; l++, r--) {
            std::swap(row[3 * l + 0], row[3 * r + 0]);
            std::swap(row[3 * l + 1], row[3 * r + 1]);
            std::swap(row[3 * l + 2], row[3 * r + 2]);
        }
    }
}

// packed lines only
void rotate_180_32(u32 *dst, const u32 *src, int w, int h)
{
    size_t n = (size_t)w * h;
    const u32 *s = src + n;
    while (n--)
        *dst++ = *--s;
}

template <typename T>
static void rotate_cw(T *dst, const T *src, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[x * h + (h - 1 - y)] = *src++;
}

// Quarter turn clockwise. w and h are the size of the source, lines are packed.
bool rotate_90(void *dst, const void *src, int w, int h, int bytes_per_pixel)
{
    switch (bytes_per_pixel) {
    case 1:
        rotate_cw(static_cast<u8 *>(dst), static_cast<const u8 *>(src), w, h);
        return true;
    case 2:
        rotate_cw(static_cast<u16 *>(dst), static_cast<const u16 *>(src), w, h);
        return true;
    case 4:
        rotate_cw(static_cast<u32 *>(dst), static_cast<const u32 *>(src), w, h);
        return true;
    }
    return false;
}

// counter-clockwise; dst is src_h wide and src_w high
void rotate_270_gray(u8 *dst, int dst_pitch, const u8 *src, int src_w, int src_h, int src_pitch)
{
    for (int x = src_w - 1; x >= 0; x--) {
        const u8 *s = src + x;
        u8 *d = dst;
        for (int n = src_h; n; n--) {
            *d++ = *s;
            s += src_pitch;
        }
        dst += dst_pitch;
    }
}

// 8 x 8 at a time, the column writes would miss the cache otherwise
void transpose_blocks_16(u16 *dst, int dst_stride, const u16 *src, int src_stride, int w, int h)
{
    int x, y;

    for (y = 0; y + 8 <= h; y += 8) {
        for (x = 0; x + 8 <= w; x += 8) {
            const u16 *s = src + y * src_stride + x;
            u16 *d = dst + x * dst_stride + y;
            for (int j = 0; j < 8; j++) {
                d[0] = s[0 * src_stride];
                d[1] = s[1 * src_stride];
                d[2] = s[2 * src_stride];
                d[3] = s[3 * src_stride];
                d[4] = s[4 * src_stride];
                d[5] = s[5 * src_stride];
                d[6] = s[6 * src_stride];
                d[7] = s[7 * src_stride];
                d += dst_stride;
                s++;
            }
        }
        for (; x < w; x++)
            for (int j = y; j < y + 8; j++)
                dst[x * dst_stride + j] = src[j * src_stride + x];
    }
    for (; y < h; y++)
        for (x = 0; x < w; x++)
            dst[x * dst_stride + y] = src[y * src_stride + x];
}

// Any angle (radians), around the center, same size. What comes from outside is `back`.
void rotate_nearest_32(u32 *dst, const u32 *src, int w, int h, int stride, float angle, u32 back)
{
    const int si = (int)(sinf(angle) * 65536.0f);
    const int co = (int)(cosf(angle) * 65536.0f);
    const int cx = w / 2, cy = h / 2;

    assert(w < 8192 && h < 8192);
    for (int y = 0; y < h; y++) {
        int u = -cx * co + (y - cy) * si + (cx << 16) + 0x8000;
        int v = cx * si + (y - cy) * co + (cy << 16) + 0x8000;
        for (int x = 0; x < w; x++) {
            // negative coordinates turn into very large ones
            unsigned iu = (unsigned)(u >> 16);
            unsigned iv = (unsigned)(v >> 16);
            if (iu < (unsigned)w && iv < (unsigned)h)
                dst[x] = src[iv * stride + iu];
            else
                dst[x] = back;
            u += co;
            v -= si;
        }
        dst += stride;
    }
}

// sx = m0 x + m1 y + m2, sy = m3 x + m4 y + m5. The border colour is blended in at the rim.
void warp_affine_gray(gray_image &dst, const gray_image &src, const float m[6], u8 border)
{
    auto pick = [&src, border](int x, int y) -> int {
        if (x < 0 || y < 0 || x >= src.w || y >= src.h)
            return border;
        return src.line(y)[x];
    };

    for (int y = 0; y < dst.h; y++) {
        u8 *d = dst.line(y);
        for (int x = 0; x < dst.w; x++) {
            const float sx = m[0] * x + m[1] * y + m[2];
            const float sy = m[3] * x + m[4] * y + m[5];

            if (!(sx > -1.0f && sy > -1.0f && sx < src.w && sy < src.h)) {
                d[x] = border;
                continue;
            }
            const int ix = (int)floorf(sx);
            const int iy = (int)floorf(sy);
            const int fx = (int)((sx - ix) * 256.0f);
            const int fy = (int)((sy - iy) * 256.0f);
            const int top = lerp8(pick(ix, iy), pick(ix + 1, iy), fx);
            const int bot = lerp8(pick(ix, iy + 1), pick(ix + 1, iy + 1), fx);
            d[x] = (u8)lerp8(top, bot, fy);
        }
    }
}

// Slants the picture: line y moves to the right by y * slope (16.16, not negative), with
// soft edges. dst must be wide enough for the last line, the rest of it is filled.
void shear_rows(u8 *dst, int dst_w, int dst_pitch, const u8 *src, int w, int h, int src_pitch,
                int slope, u8 fill)
{
    assert(slope >= 0 && slope <= 65536);
    for (int y = 0; y < h; y++) {
        const int64_t shift = (int64_t)y * slope;
        const int whole = (int)(shift >> 16);
        const int frac = (int)(shift >> 8) & 255;
        u8 *d = dst + (ptrdiff_t)y * dst_pitch;
        const u8 *s = src + (ptrdiff_t)y * src_pitch;

        assert(whole + w + 1 <= dst_w);
        for (int x = 0; x < whole; x++)
            *d++ = fill;
        int last = fill;
        for (int x = 0; x < w; x++) {
            *d++ = (u8)((s[x] * (256 - frac) + last * frac) >> 8);
            last = s[x];
        }
        *d++ = (u8)((fill * (256 - frac) + last * frac) >> 8);
        for (int x = whole + w + 1; x < dst_w; x++)
            *d++ = fill;
    }
}

// ---- rectangles ---------------------------------------------------------------------

// Copies a piece of src to (x, y) of dst, as much of it as is inside of both.
// Returns the number of pixels.
int paste_gray(gray_image *dst, int x, int y, const gray_image *src, int sx, int sy, int w, int h)
{
    if (sx < 0) { x -= sx; w += sx; sx = 0; }
    if (sy < 0) { y -= sy; h += sy; sy = 0; }
    if (x < 0)  { sx -= x; w += x;  x = 0; }
    if (y < 0)  { sy -= y; h += y;  y = 0; }
    if (w > src->w - sx) w = src->w - sx;
    if (h > src->h - sy) h = src->h - sy;
    if (w > dst->w - x)  w = dst->w - x;
    if (h > dst->h - y)  h = dst->h - y;
    if (w <= 0 || h <= 0)
        return 0;

    for (int j = 0; j < h; j++)
        memcpy(dst->line(y + j) + x, src->line(sy + j) + sx, w);
    return w * h;
}

enum pad_mode { PAD_CLAMP, PAD_MIRROR, PAD_WRAP, PAD_ZERO };

// Frame of `pad` pixels. dst is packed, (w + 2 pad) x (h + 2 pad). PAD_MIRROR doesn't repeat
// the edge; it needs pad < w and pad < h, PAD_WRAP pad <= w and pad <= h.
bool pad_float(float *dst, const float *src, int w, int h, int src_stride, int pad, pad_mode mode)
{
    if (w < 1 || h < 1 || pad < 0)
        return false;
    if (mode == PAD_MIRROR && (pad >= w || pad >= h))
        return false;
    if (mode == PAD_WRAP && (pad > w || pad > h))
        return false;

    for (int y = -pad; y < h + pad; y++) {
        for (int x = -pad; x < w + pad; x++) {
            int u = x, v = y;
            bool inside = true;

            switch (mode) {
            case PAD_CLAMP:
                u = clampi(x, 0, w - 1);
                v = clampi(y, 0, h - 1);
                break;
            case PAD_MIRROR:
                if (u < 0) u = -u;
                if (v < 0) v = -v;
                if (u >= w) u = 2 * (w - 1) - u;
                if (v >= h) v = 2 * (h - 1) - v;
                break;
            case PAD_WRAP:
                u = (x + w) % w;
                v = (y + h) % h;
                break;
            case PAD_ZERO:
                inside = x >= 0 && y >= 0 && x < w && y < h;
                break;
            }
            *dst++ = inside ? src[v * src_stride + u] : 0.0f;
        }
    }
    return true;
}

// Scrolls by (dx, dy), any size and sign; what leaves on one side comes in on the other.
void scroll_wrap_32(u32 *dst, const u32 *src, int w, int h, int dx, int dy)
{
    if (w <= 0 || h <= 0)
        return;
    dx %= w;
    if (dx < 0)
        dx += w;
    dy %= h;
    if (dy < 0)
        dy += h;

    for (int y = 0; y < h; y++) {
        u32 *d = dst + (ptrdiff_t)((y + dy) % h) * w;
        const u32 *s = src + (ptrdiff_t)y * w;
        memcpy(d + dx, s, (w - dx) * sizeof(u32));
        memcpy(d, s + w - dx, dx * sizeof(u32));
    }
}

// ---- maps ---------------------------------------------------------------------------

// Lens correction: for each pixel the position in the source, 24.8 fixed point. Positions
// outside of the source give black.
void undistort_gray(u8 *dst, int w, int h, int dst_pitch, const gray_image &src,
                    const s32 *map_x, const s32 *map_y)
{
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            const s32 mx = *map_x++;
            const s32 my = *map_y++;
            const int ix = mx >> 8, iy = my >> 8;

            if (ix < 0 || iy < 0 || ix >= src.w - 1 || iy >= src.h - 1) {
                dst[x] = 0;
                continue;
            }
            const u8 *p = src.line(iy) + ix;
            const int fx = mx & 0xff, fy = my & 0xff;
            int t = p[0] * (256 - fx) + p[1] * fx;
            p += src.pitch;
            int b = p[0] * (256 - fx) + p[1] * fx;
            dst[x] = (u8)((t * (256 - fy) + b * fy + 0x8000) >> 16);
        }
        dst += dst_pitch;
    }
}

// Unrolls the picture of a ring mirror: a column for each of `angles` directions, a line for
// each radius r0 <= r < r1 around (cx, cy). Nearest pixel, black outside.
void unroll_polar(u8 *dst, int angles, const u8 *src, int w, int h, int pitch,
                  int cx, int cy, int r0, int r1)
{
    assert(r0 >= 0 && r1 <= 16384);
    std::vector<int> dir_x(std::max(angles, 0)), dir_y(std::max(angles, 0));
    for (int a = 0; a < angles; a++) {
        double t = a * 6.283185307179586 / angles;
        dir_x[a] = (int)lround(cos(t) * 65536.0);
        dir_y[a] = (int)lround(sin(t) * 65536.0);
    }

    for (int r = r0; r < r1; r++)
        for (int a = 0; a < angles; a++) {
            int x = cx + ((r * dir_x[a] + 32768) >> 16);
            int y = cy + ((r * dir_y[a] + 32768) >> 16);
            u8 v = 0;
            if (x >= 0 && x < w && y >= 0 && y < h)
                v = src[y * pitch + x];
            *dst++ = v;
        }
}

// ---- fields -------------------------------------------------------------------------

// Two fields (top has the odd line if there is one) to a frame
void weave_fields(u8 *frame, const u8 *top, const u8 *bottom, int row_bytes, int h,
                  int frame_pitch, int field_pitch)
{
    if (row_bytes <= 0)
        return;
    for (int y = 0; y < h; y++) {
        const u8 *&field = (y & 1) ? bottom : top;
        memcpy(frame, field, row_bytes);
        field += field_pitch;
        frame += frame_pitch;
    }
}

// Keeps the lines of one field (0 or 1) and puts means between them. A missing neighbour is
// replaced by the other one; a frame of a single line is copied.
void deinterlace_bob(u8 *dst, const u8 *src, int w, int h, int pitch, int field)
{
    assert(field == 0 || field == 1);
    for (int y = 0; y < h; y++) {
        const u8 *s = src + (ptrdiff_t)y * pitch;
        u8 *d = dst + (ptrdiff_t)y * pitch;
        if ((y & 1) == field || h == 1) {
            for (int x = 0; x < w; x++)
                d[x] = s[x];
        } else {
            const u8 *above = y > 0 ? s - pitch : s + pitch;
            const u8 *below = y + 1 < h ? s + pitch : s - pitch;
            for (int x = 0; x < w; x++)
                d[x] = (u8)((above[x] + below[x] + 1) >> 1);
        }
    }
}

// 1 2 1 down the columns, in place, one line remembered. The first and the last line stay.
void deinterlace_blend(u8 *frame, int w, int h, int pitch)
{
    if (w <= 0 || h < 3)
        return;
    std::vector<u8> before(frame, frame + w);
    u8 *p = frame + pitch;
    for (int y = 1; y + 1 < h; y++) {
        for (int x = 0; x < w; x++) {
            const u8 here = p[x];
            p[x] = (u8)((before[x] + 2 * here + p[x + pitch] + 2) >> 2);
            before[x] = here;
        }
        p += pitch;
    }
}
