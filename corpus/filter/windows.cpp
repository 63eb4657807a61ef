//
// windows.cpp
//
// Running window filters of the Halyard inspection library, 2003-2009.
//
// Everything here costs the same for any radius (or nearly so): what enters the window is
// added, what leaves it is subtracted. A window of radius r has 2 * r + 1 pixels a side.
//
// Images don't own their pixels. Strides are in pixels. Source and destination have the same
// size and must be different memory, unless a function says "in place". An image without
// pixels is no error: nothing happens.
//

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Image8
{
    uint8_t *data;
    int      width, height, stride;

    uint8_t *Row(int y) const { return data + (ptrdiff_t)y * stride; }
    bool     Empty() const    { return width <= 0 || height <= 0; }
};

struct Image16
{
    uint16_t *data;
    int       width, height, stride;

    uint16_t *Row(int y) const { return data + (ptrdiff_t)y * stride; }
};

template <class T>
static inline T ClampTo(T v, T lo, T hi)
{
    return v < lo ? lo : (v > hi ? hi : v);
}

// ... c b a | a b c ... n-1 | n-1 ...; for any distance
static inline int Mirror(int i, int n)
{
    i %= 2 * n;
    if (i < 0)
        i += 2 * n;
    return i < n ? i : 2 * n - 1 - i;
}

// ---- box, along rows --------------------------------------------------------------------

// Border pixels repeated.
void BoxRowsClamped(const Image8 &dst, const Image8 &src, int radius)
{
    assert(radius >= 0 && radius < 32768);
    if (src.Empty())
        return;

    const int last = src.width - 1;
    const int size = 2 * radius + 1;

    for (int y = 0; y < src.height; ++y)
    {
        const uint8_t *s = src.Row(y);
        uint8_t *d = dst.Row(y);

        int sum = (radius + 1) * s[0];
        for (int i = 1; i <= radius; ++i)
            sum += s[std::min(i, last)];

        for (int x = 0; x <= last; ++x)
        {
            d[x] = (uint8_t)((sum + radius) / size);
            sum += s[std::min(x + radius + 1, last)];
            sum -= s[std::max(x - radius, 0)];
        }
    }
}

// Mirrored border. The line is extended first, then there are no special cases.
void BoxRowsMirrored(const Image16 &dst, const Image16 &src, int radius)
{
    assert(radius >= 0 && radius < 16384);
    const int w = src.width;
    if (w < 1 || src.height < 1)
        return;

    const unsigned size = 2 * radius + 1;
    std::vector<uint16_t> line(w + 2 * radius);

    for (int y = 0; y < src.height; y++)
    {
        const uint16_t *s = src.Row(y);
        uint16_t *d = dst.Row(y);

        for (int i = 0; i < radius; i++)
        {
            line[i] = s[Mirror(i - radius, w)];
            line[radius + w + i] = s[Mirror(w + i, w)];
        }
        std::copy(s, s + w, line.begin() + radius);

        uint32_t acc = 0;
        for (unsigned i = 0; i < size; i++)
            acc += line[i];
        d[0] = (uint16_t)(acc / size);
        for (int x = 1; x < w; x++)
        {
            acc += line[x + 2 * radius] - line[x - 1];
            d[x] = (uint16_t)(acc / size);
        }
    }
}

// The window gets smaller at the ends, so that only real pixels count.
void BoxRowsShrinking(const Image8 &dst, const Image8 &src, int radius)
{
    assert(radius >= 0);
    for (int y = 0; y < src.height; ++y)
    {
        const uint8_t *in = src.Row(y);
        uint8_t *out = dst.Row(y);
        int sum = 0, count = 0;

        for (int x = 0; x < src.width && x < radius; ++x)
        {
            sum += in[x];
            ++count;
        }
        for (int x = 0; x < src.width; ++x)
        {
            if (x < src.width - radius)
            {
                sum += in[x + radius];
                ++count;
            }
            if (x > radius)
            {
                sum -= in[x - radius - 1];
                --count;
            }
            out[x] = (uint8_t)(sum / count);
        }
    }
}

// Only where the whole window lies in the row; the other pixels of dst stay as they are.
void BoxRowsInterior(uint8_t *dst, const uint8_t *src, int width, int height, int stride, int radius)
{
    if (radius < 0 || width < 1 || radius > (width - 1) / 2)
        return;
    const int size = 2 * radius + 1;
    for (int y = 0; y < height; y++, dst += stride, src += stride)
    {
        const uint8_t *tail = src;
        const uint8_t *head = src;
        uint8_t *d = dst + radius;
        int sum = size / 2;

        for (int i = 0; i < size; i++)
            sum += *head++;
        *d++ = (uint8_t)(sum / size);
        for (int n = width - size; n > 0; n--)
        {
            sum += *head++ - *tail++;
            *d++ = (uint8_t)(sum / size);
        }
    }
}

// Float, zeros outside. Three stretches; the window must not be wider than the row.
// Returns false if it is.
bool BoxRowsFloat(float *dst, const float *src, int width, int height, int stride, int radius)
{
    if (radius < 0 || 2 * radius + 1 > width)
        return false;

    const float scale = 1.0f / (float)(2 * radius + 1);
    for (int y = 0; y < height; ++y)
    {
        const float *s = src + (ptrdiff_t)y * stride;
        float *d = dst + (ptrdiff_t)y * stride;
        float sum = 0;
        int x;

        for (x = 0; x < radius; ++x)
            sum += s[x];
        for (x = 0; x <= radius; ++x)
        {
            sum += s[x + radius];
            d[x] = sum * scale;
        }
        for (; x < width - radius; ++x)
        {
            sum += s[x + radius] - s[x - radius - 1];
            d[x] = sum * scale;
        }
        for (; x < width; ++x)
        {
            sum -= s[x - radius - 1];
            d[x] = sum * scale;
        }
    }
    return true;
}

// 0xAARRGGBB, in place through a copy of the row; reciprocal instead of division.
void BoxRowsArgb(uint32_t *pixels, int width, int height, int stride, int radius)
{
    assert(radius >= 0 && radius <= 2000);
    if (width <= 0 || height <= 0)
        return;

    const int size = 2 * radius + 1;
    const uint32_t inv = ((1u << 24) + size / 2) / size;
    std::vector<uint32_t> copy(width);

    while (height-- > 0)
    {
        std::memcpy(&copy[0], pixels, width * sizeof(uint32_t));

        uint32_t a = 0, r = 0, g = 0, b = 0;
        for (int i = -radius; i <= radius; i++)
        {
            const uint32_t p = copy[ClampTo(i, 0, width - 1)];
            a += p >> 24;
            r += (p >> 16) & 255;
            g += (p >> 8) & 255;
            b += p & 255;
        }
        for (int x = 0; x < width; x++)
        {
            pixels[x] = ((a * inv + 0x7fffff) >> 24) << 24
                      | ((r * inv + 0x7fffff) >> 24) << 16
                      | ((g * inv + 0x7fffff) >> 24) << 8
                      | ((b * inv + 0x7fffff) >> 24);

            const uint32_t enter = copy[std::min(x + radius + 1, width - 1)];
            const uint32_t leave = copy[std::max(x - radius, 0)];
            a += (enter >> 24) - (leave >> 24);
            r += ((enter >> 16) & 255) - ((leave >> 16) & 255);
            g += ((enter >> 8) & 255) - ((leave >> 8) & 255);
            b += (enter & 255) - (leave & 255);
        }
        pixels += stride;
    }
}

// ---- box, along columns -----------------------------------------------------------------

// A row of accumulators goes down the image. Writes sums, not means.
template <class T, class Sum>
static void SlideDown(Sum *dst, const T *src, int width, int height, int stride, int radius)
{
    std::vector<Sum> acc(width, Sum(0));

    for (int i = -radius; i <= radius; ++i)
    {
        const T *row = src + (ptrdiff_t)ClampTo(i, 0, height - 1) * stride;
        for (int x = 0; x < width; ++x)
            acc[x] += row[x];
    }
    for (int y = 0; y < height; ++y)
    {
        const T *leave = src + (ptrdiff_t)std::max(y - radius, 0) * stride;
        const T *enter = src + (ptrdiff_t)std::min(y + radius + 1, height - 1) * stride;
        Sum *d = dst + (ptrdiff_t)y * stride;
        for (int x = 0; x < width; ++x)
        {
            d[x] = acc[x];
            acc[x] += enter[x];
            acc[x] -= leave[x];
        }
    }
}

void BoxSumColsInt(int *dst, const uint8_t *src, int width, int height, int stride, int radius)
{
    assert(radius >= 0 && radius < 32768);
    if (width > 0 && height > 0)
        SlideDown<uint8_t, int>(dst, src, width, height, stride, radius);
}

void BoxMeanColsDouble(double *dst, const float *src, int width, int height, int stride, int radius)
{
    assert(radius >= 0 && radius < 32768);
    if (width <= 0 || height <= 0)
        return;
    SlideDown<float, double>(dst, src, width, height, stride, radius);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            dst[(ptrdiff_t)y * stride + x] /= 2 * radius + 1;
}

// Column by column, zeros above and below, 16 bits.
void BoxColsZero(const Image16 &dst, const Image16 &src, int radius)
{
    assert(radius >= 0 && radius < 16384);
    const int h = src.height;
    const uint32_t size = 2 * radius + 1;

    for (int x = 0; x < src.width; ++x)
    {
        const uint16_t *s = src.data + x;
        uint16_t *d = dst.data + x;
        uint32_t sum = 0;

        for (int y = -radius; y < h; ++y)
        {
            if (y + radius < h)
                sum += s[(ptrdiff_t)(y + radius) * src.stride];
            if (y - radius - 1 >= 0)
                sum -= s[(ptrdiff_t)(y - radius - 1) * src.stride];
            if (y >= 0)
                d[(ptrdiff_t)y * dst.stride] = (uint16_t)((sum + size / 2) / size);
        }
    }
}

// ---- box, both directions ---------------------------------------------------------------

// Column sums with a window that slides over them. The window is cut at the border.
void BoxMean(const Image8 &dst, const Image8 &src, int radius)
{
    assert(radius >= 0 && radius < 1024);
    const int w = src.width, h = src.height;
    if (w <= 0 || h <= 0)
        return;

    std::vector<int> col(w, 0);
    int rows = 0;
    for (int y = 0; y < radius && y < h; y++, rows++)
        for (int x = 0; x < w; x++)
            col[x] += src.Row(y)[x];

    for (int y = 0; y < h; y++)
    {
        if (y + radius < h)
        {
            const uint8_t *p = src.Row(y + radius);
            for (int x = 0; x < w; x++)
                col[x] += p[x];
            rows++;
        }
        if (y - radius - 1 >= 0)
        {
            const uint8_t *p = src.Row(y - radius - 1);
            for (int x = 0; x < w; x++)
                col[x] -= p[x];
            rows--;
        }

        uint8_t *d = dst.Row(y);
        int sum = 0, cols = 0;
        for (int x = 0; x < w + radius; x++)
        {
            if (x < w)
            {
                sum += col[x];
                cols++;
            }
            if (x > 2 * radius)
            {
                sum -= col[x - 2 * radius - 1];
                cols--;
            }
            if (x >= radius)
                d[x - radius] = (uint8_t)((sum + rows * cols / 2) / (rows * cols));
        }
    }
}

// Three boxes are nearly a Gaussian. Rows only, in place, two line buffers that change places.
void BoxRowsThrice(float *image, int width, int height, int stride, const int radii[3])
{
    assert(radii[0] >= 0 && radii[1] >= 0 && radii[2] >= 0);
    assert(std::max(radii[0], std::max(radii[1], radii[2])) < 32768);
    if (width <= 0)
        return;

    std::vector<float> bufA(width), bufB(width);
    for (int y = 0; y < height; ++y, image += stride)
    {
        float *from = &bufA[0];
        float *to = &bufB[0];

        std::copy(image, image + width, from);
        for (int pass = 0; pass < 3; ++pass)
        {
            const int r = radii[pass];
            const float norm = 1.0f / (2 * r + 1);
            float sum = from[0] * r;

            for (int i = 0; i <= r; ++i)
                sum += from[std::min(i, width - 1)];
            for (int x = 0; x < width; ++x)
            {
                to[x] = sum * norm;
                sum += from[std::min(x + r + 1, width - 1)] - from[std::max(x - r, 0)];
            }
            std::swap(from, to);
        }
        std::copy(from, from + width, image);
    }
}

// Triangle by two running windows and a ring of the pixels under it. In place, along rows.
void StackBlurRows(const Image8 &image, int radius)
{
    assert(radius >= 0 && radius <= 254);
    if (image.Empty())
        return;

    const int last = image.width - 1;
    const int size = 2 * radius + 1;
    const int weight = (radius + 1) * (radius + 1);
    std::vector<uint8_t> ring(size);

    for (int y = 0; y < image.height; ++y)
    {
        uint8_t *p = image.Row(y);
        int sum = 0, rising = 0, falling = 0;

        for (int i = -radius; i <= radius; ++i)
        {
            const uint8_t v = p[ClampTo(i, 0, last)];
            ring[i + radius] = v;
            sum += v * (radius + 1 - std::abs(i));
            if (i > 0)
                rising += v;
            else
                falling += v;
        }

        int centre = radius;
        for (int x = 0; x <= last; ++x)
        {
            p[x] = (uint8_t)(sum / weight);
            sum -= falling;

            int oldest = centre + size - radius;
            if (oldest >= size)
                oldest -= size;
            falling -= ring[oldest];

            const uint8_t v = p[std::min(x + radius + 1, last)];
            ring[oldest] = v;
            rising += v;
            sum += rising;

            if (++centre >= size)
                centre = 0;
            falling += ring[centre];
            rising -= ring[centre];
        }
    }
}

// ---- statistics in a window -------------------------------------------------------------

// Variance along each row by two running sums, the window cut at the ends.
void VarianceRows(float *var, const Image8 &src, int radius, int varStride)
{
    assert(radius >= 0 && radius < 16384);
    const int w = src.width;

    for (int y = 0; y < src.height; ++y)
    {
        const uint8_t *s = src.Row(y);
        int32_t sum = 0;
        int64_t sq = 0;
        int lo = 0, hi = 0;             // the window is lo <= i < hi

        for (int x = 0; x < w; ++x)
        {
            while (hi < w && hi <= x + radius)
            {
                sum += s[hi];
                sq += s[hi] * s[hi];
                ++hi;
            }
            if (x - radius > lo)
            {
                sum -= s[lo];
                sq -= s[lo] * s[lo];
                ++lo;
            }
            const int64_t n = hi - lo;
            var[x] = (float)(n * sq - (int64_t)sum * sum) / (float)(n * n);
        }
        var += varStride;
    }
}

// Black where the pixel is `percent` darker than the mean around it, else white.
void AdaptiveThreshold(const Image8 &dst, const Image8 &src, int radius, int percent)
{
    assert(radius >= 0 && percent >= 0 && percent <= 100);
    if (src.Empty())
        return;

    const int w = src.width, h = src.height;
    std::vector<uint32_t> integral((size_t)w * h);

    for (int x = 0; x < w; x++)
    {
        uint32_t sum = 0;
        for (int y = 0; y < h; y++)
        {
            const size_t i = (size_t)y * w + x;
            sum += src.Row(y)[x];
            integral[i] = x == 0 ? sum : integral[i - 1] + sum;
        }
    }

    for (int y = 0; y < h; y++)
    {
        const int y1 = std::max(y - radius, 0) - 1;
        const int y2 = radius < h - y ? y + radius : h - 1;
        for (int x = 0; x < w; x++)
        {
            const int x1 = std::max(x - radius, 0) - 1;
            const int x2 = radius < w - x ? x + radius : w - 1;
            const uint32_t count = (uint32_t)(x2 - x1) * (y2 - y1);

            uint32_t sum = integral[(size_t)y2 * w + x2];
            if (x1 >= 0)
                sum -= integral[(size_t)y2 * w + x1];
            if (y1 >= 0)
                sum -= integral[(size_t)y1 * w + x2];
            if (x1 >= 0 && y1 >= 0)
                sum += integral[(size_t)y1 * w + x1];

            const bool dark = (uint64_t)src.Row(y)[x] * count * 100 < (uint64_t)sum * (100 - percent);
            dst.Row(y)[x] = dark ? 0 : 255;
        }
    }
}

// Encoder noise. Mean of the last `taps` samples (of those that there are, at the start).
void MovingAverage(int16_t *signal, size_t n, int taps)
{
    assert(taps >= 1 && taps <= 65536);
    std::vector<int16_t> ring(taps, 0);
    int32_t sum = 0;
    int pos = 0, filled = 0;

    for (size_t i = 0; i < n; i++)
    {
        sum += signal[i] - ring[pos];
        ring[pos] = signal[i];
        pos = (pos + 1) % taps;
        if (filled < taps)
            filled++;
        signal[i] = (int16_t)(sum / filled);
    }
}

// Median along the row; the histogram moves with the window, the median is corrected.
void SlidingMedianRows(const Image8 &dst, const Image8 &src, int radius)
{
    assert(radius >= 0 && radius < 32768);
    if (src.Empty())
        return;

    const int last = src.width - 1;
    for (int y = 0; y < src.height; y++)
    {
        const uint8_t *s = src.Row(y);
        uint8_t *d = dst.Row(y);
        int h[256];
        int median = 0, below = 0;      // below: how many in the window are < median

        std::memset(h, 0, sizeof h);
        for (int i = -radius; i <= radius; i++)
            h[s[ClampTo(i, 0, last)]]++;

        for (int x = 0; x <= last; x++)
        {
            while (below > radius)
            {
                median--;
                below -= h[median];
            }
            while (below + h[median] <= radius)
            {
                below += h[median];
                median++;
            }
            d[x] = (uint8_t)median;

            const uint8_t in = s[std::min(x + radius + 1, last)];
            const uint8_t out = s[std::max(x - radius, 0)];
            h[in]++;
            if (in < median)
                below++;
            h[out]--;
            if (out < median)
                below--;
        }
    }
}

// Square window, interior only (the border of dst is set to 0). rank in percent, 50 is the median.
void SlidingPercentile(const Image8 &dst, const Image8 &src, int radius, int percent)
{
    assert(radius >= 0 && radius < 1000 && percent >= 0 && percent <= 100);
    const int size = 2 * radius + 1;
    const int rank = (size * size - 1) * percent / 100;

    for (int y = 0; y < dst.height; y++)
        for (int x = 0; x < dst.width; x++)
            dst.Row(y)[x] = 0;

    for (int y = radius; y < src.height - radius; y++)
    {
        int hist[256] = { 0 };

        for (int x = 0; x < src.width; x++)
        {
            for (int j = -radius; j <= radius; j++)
                hist[src.Row(y + j)[x]]++;
            if (x >= size)
                for (int j = -radius; j <= radius; j++)
                    hist[src.Row(y + j)[x - size]]--;
            if (x < size - 1)
                continue;

            int level = 0;
            for (int seen = hist[0]; seen <= rank; seen += hist[level])
                level++;
            dst.Row(y)[x - radius] = (uint8_t)level;
        }
    }
}

// ---- min and max by blocks --------------------------------------------------------------

// Maximum along rows. The line is cut in blocks of the window's size; a window is the end of
// one block and the beginning of the next. Nothing outside counts.
void BlockMaxRows(const Image8 &dst, const Image8 &src, int radius)
{
    assert(radius >= 0 && radius < 32768);
    if (src.Empty())
        return;

    const int w = src.width;
    const int k = 2 * radius + 1;
    const int padded = (w + 2 * radius + k - 1) / k * k;
    std::vector<uint8_t> line(padded, 0), fwd(padded), bwd(padded);

    for (int y = 0; y < src.height; ++y)
    {
        std::memcpy(&line[radius], src.Row(y), w);

        for (int i = 0; i < padded; ++i)
        {
            if (i % k == 0)
                fwd[i] = line[i];
            else
                fwd[i] = std::max(fwd[i - 1], line[i]);
        }
        for (int i = padded - 1; i >= 0; --i)
        {
            if (i % k == k - 1)
                bwd[i] = line[i];
            else
                bwd[i] = std::max(bwd[i + 1], line[i]);
        }
        uint8_t *d = dst.Row(y);
        for (int x = 0; x < w; ++x)
            d[x] = std::max(bwd[x], fwd[x + k - 1]);
    }
}

// Minimum of k samples from here on, in place: signal[i] = min(signal[i .. i + k - 1]). The
// last k - 1 samples look at what is left.
// Returns false if there is no memory.
bool BlockMinForward(uint16_t *signal, int n, int k)
{
    assert(k >= 1);
    if (n <= 0 || k == 1)
        return true;

    uint16_t *prefix = (uint16_t *)malloc(n * sizeof(uint16_t));
    if (!prefix)
        return false;

    // prefix minimum within each block
    for (int base = 0; base < n; base += std::min(k, n - base))
    {
        const int end = base + std::min(k, n - base);
        prefix[base] = signal[base];
        for (int i = base + 1; i < end; i++)
            prefix[i] = std::min(prefix[i - 1], signal[i]);
        // suffix minimum replaces the samples
        for (int i = end - 2; i >= base; i--)
            if (signal[i + 1] < signal[i])
                signal[i] = signal[i + 1];
    }
    for (int i = 0; i < n; i++)
    {
        const int e = k < n - i ? i + k - 1 : n - 1;
        if (i % k != 0 && e / k != i / k)
            signal[i] = std::min(signal[i], prefix[e]);
    }
    free(prefix);
    return true;
}

// ---- stereo -----------------------------------------------------------------------------

// Disparity of each pixel of a rectified pair, by the sum of absolute differences over a
// window along the row. Pixels whose windows don't fit get 0. The first of equals wins.
void StereoSad(const Image8 &disparity, const Image8 &left, const Image8 &right, int radius, int range)
{
    assert(radius >= 0 && radius < 32768 && range >= 1 && range <= 256);
    if (left.Empty())
        return;

    const int w = left.width;
    std::vector<int> best(w);

    for (int y = 0; y < left.height; ++y)
    {
        const uint8_t *l = left.Row(y);
        const uint8_t *r = right.Row(y);
        uint8_t *out = disparity.Row(y);

        std::memset(out, 0, w);
        std::fill(best.begin(), best.end(), 0x7fffffff);

        for (int d = 0; d < range; ++d)
        {
            int sad = 0;
            for (int x = d; x < w; ++x)
            {
                sad += std::abs(l[x] - r[x - d]);
                if (x - d < 2 * radius)
                    continue;
                const int centre = x - radius;
                if (sad < best[centre])
                {
                    best[centre] = sad;
                    out[centre] = (uint8_t)d;
                }
                const int gone = x - 2 * radius;
                sad -= std::abs(l[gone] - r[gone - d]);
            }
        }
    }
}

// ---- running accumulators ---------------------------------------------------------------

// Smaller in x only: the mean of all pixels that fall into one. dst.width <= src.width.
void ShrinkRows(const Image8 &dst, const Image8 &src)
{
    assert(dst.width <= src.width && dst.height == src.height);
    for (int y = 0; y < src.height; y++)
    {
        const uint8_t *s = src.Row(y);
        uint8_t *d = dst.Row(y);
        int err = 0, n = 0;
        unsigned acc = 0;

        for (int x = 0; x < src.width; x++)
        {
            acc += *s++;
            n++;
            err += dst.width;
            if (err >= src.width)
            {
                err -= src.width;
                *d++ = (uint8_t)(acc / n);
                acc = 0;
                n = 0;
            }
        }
    }
}

// Exponential mean of a dense stack of frames; mean has 8 fraction bits and is where the
// last call left it. alpha in 1/256.
void EmaFrames(uint16_t *mean, const uint8_t *frames, int count, int pixels, int alpha)
{
    assert(alpha >= 0 && alpha <= 256);
    for (int f = 0; f < count; ++f)
    {
        const uint8_t *in = frames + (ptrdiff_t)f * pixels;
        for (int i = 0; i < pixels; ++i)
        {
            const int diff = (in[i] << 8) - mean[i];
            mean[i] = (uint16_t)(mean[i] + diff * alpha / 256);
        }
    }
}
