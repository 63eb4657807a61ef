// statistics.cpp - histograms and what is made from them.
#include "rasterpp/rasterpp.hpp"

#include <algorithm>

namespace raster {

Histogram::Histogram() : total_(0)
{
    std::fill(bins_, bins_ + 256, 0u);
}

// Adds to what is there already. Pixels whose mask is zero do not count.
void Histogram::accumulate(View<const Gray8> img, const View<const Gray8>* mask)
{
    if (mask && (mask->width() != img.width() || mask->height() != img.height()))
        throw SizeMismatch("Histogram::accumulate");

    for (int y = 0; y < img.height(); ++y) {
        const Gray8* p = img.row(y);
        if (!mask) {
            for (int x = 0; x < img.width(); ++x)
                ++bins_[p[x]];
            total_ += img.width();
            continue;
        }
        const Gray8* m = mask->row(y);
        for (int x = 0; x < img.width(); ++x)
            if (m[x]) {
                ++bins_[p[x]];
                ++total_;
            }
    }
}

int Histogram::otsu() const
{
    std::uint64_t all = 0, below = 0;
    for (int i = 0; i < 256; ++i)
        all += static_cast<std::uint64_t>(i) * bins_[i];
    std::uint64_t n0 = 0;
    double best = -1.0;
    int at = 0;
    for (int i = 0; i < 256; ++i) {
        n0 += bins_[i];
        below += static_cast<std::uint64_t>(i) * bins_[i];
        const std::uint64_t n1 = total_ - n0;
        if (n0 == 0 || n1 == 0)
            continue;
        const double d = static_cast<double>(below) / n0 - static_cast<double>(all - below) / n1;
        const double between = d * d * static_cast<double>(n0) * static_cast<double>(n1);
        if (between > best) { best = between; at = i; }
    }
    return at;
}

template <class C>
Moments moments(View<const C> img)
{
    Moments m = { 0, 0, ~0u, 0, 0 };
    for (typename View<const C>::iterator it = img.begin(), e = img.end(); it != e; ++it) {
        const unsigned v = *it;
        m.sum += v;
        m.sum_sq += static_cast<std::uint64_t>(v) * v;
        if (v < m.min) m.min = v;
        if (v > m.max) m.max = v;
        ++m.count;
    }
    if (m.count == 0)
        m.min = 0;
    return m;
}

template Moments moments<Gray8>(View<const Gray8>);
template Moments moments<Gray16>(View<const Gray16>);

void equalize(View<Gray8> img)
{
    Histogram h;
    h.accumulate(img);
    if (h.total() == 0)
        return;

    LookupTable map;
    std::uint64_t sum = 0;
    for (int i = 0; i < 256; ++i) {
        sum += h[i];
        map[i] = static_cast<Gray8>(sum * 255 / h.total());
    }

    for (int y = 0; y < img.height(); ++y) {
        Gray8* p = img.row(y);
        Gray8* const end = p + img.width();
        while (p < end) {
            *p = map[*p];
            p++;
        }
    }
}

// Automatic threshold, which is returned. dst may be src.
int binarize(View<const Gray8> src, View<Gray8> dst)
{
    if (src.width() != dst.width() || src.height() != dst.height())
        throw SizeMismatch("binarize");
    Histogram h;
    h.accumulate(src);
    const int t = h.otsu();
    for (int y = 0; y < src.height(); ++y)
        for (int x = 0; x < src.width(); ++x)
            dst(x, y) = src(x, y) > t ? 255 : 0;
    return t;
}

// Summed area table with a zero row on top and a zero column at the left.
Image<std::uint32_t> integral(const Image<Gray8>& src)
{
    const int w = src.width(), h = src.height();
    Image<std::uint32_t> out(w + 1, h + 1);
    for (int y = 1; y <= h; ++y) {
        const Gray8* s = src.row(y - 1);
        const std::uint32_t* above = out.row(y - 1) + 1;
        std::uint32_t* d = out.row(y) + 1;
        std::uint32_t run = 0;
        for (int x = 0; x < w; ++x) {
            run += s[x];
            d[x] = above[x] + run;
        }
    }
    return out;
}

} // namespace raster
