// filters.cpp - neighbourhood filters.
#include "rasterpp/rasterpp.hpp"

#include <algorithm>
#include <cstdlib>

namespace raster {

namespace {

inline int clamp_index(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

inline int mirror_index(int i, int n)
{
    if (i < 0) i = -i - 1;
    if (i >= n) i = 2 * n - 1 - i;
    return clamp_index(i, n);
}

// Reads through the border policy.
class BorderReader {
public:
    BorderReader(View<const Gray8> v, Border b, Gray8 outside) : v_(v), b_(b), outside_(outside) {}
    int operator()(int x, int y) const
    {
        if (x >= 0 && y >= 0 && x < v_.width() && y < v_.height())
            return v_(x, y);
        switch (b_) {
        case Border::Clamp:    return v_(clamp_index(x, v_.width()), clamp_index(y, v_.height()));
        case Border::Mirror:   return v_(mirror_index(x, v_.width()), mirror_index(y, v_.height()));
        case Border::Constant: break;
        }
        return outside_;
    }
private:
    View<const Gray8> v_;
    Border b_;
    Gray8 outside_;
};

template <class T> inline void order(T& a, T& b) { if (b < a) std::swap(a, b); }

} // namespace

Kernel3::Kernel3(const int (&taps)[9], int divisor, int bias) : divisor_(divisor), bias_(bias)
{
    if (divisor_ == 0)
        throw BadArgument("kernel divisor");
    std::copy(taps, taps + 9, taps_);
}

void convolve(View<const Gray8> src, View<Gray8> dst, const Kernel3& k, Border border, Gray8 outside)
{
    if (src.width() != dst.width() || src.height() != dst.height())
        throw SizeMismatch("convolve");
    RASTER_REQUIRE(src.empty() || src.data() != dst.data(), "convolve cannot work in place");

    const BorderReader in(src, border, outside);
    for (int y = 0; y < dst.height(); ++y)
        for (int x = 0; x < dst.width(); ++x) {
            int acc = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    acc += k.tap(dx, dy) * in(x + dx, y + dy);
            dst(x, y) = ChannelTraits<Gray8>::clamp(acc / k.divisor() + k.bias());
        }
}

// 1-2-1 in both directions, repeated. The intermediate keeps two bits more.
Image<Rgb8> smooth_binomial(const Image<Rgb8>& src, int passes)
{
    RASTER_REQUIRE(passes >= 0 && passes < 64, "passes");
    Image<Rgb8> out(src);
    const int w = src.width(), h = src.height();
    if (w == 0 || h == 0)
        return out;
    Image<Rgb16> tmp(w, h);

    while (passes-- > 0) {
        for (int y = 0; y < h; ++y) {
            const Rgb8* s = out.row(y);
            Rgb16* t = tmp.row(y);
            for (int x = 0; x < w; ++x) {
                const Rgb8& a = s[x ? x - 1 : 0];
                const Rgb8& b = s[x];
                const Rgb8& c = s[x + 1 < w ? x + 1 : x];
                t[x] = Rgb16(static_cast<Gray16>(a.r + 2 * b.r + c.r),
                             static_cast<Gray16>(a.g + 2 * b.g + c.g),
                             static_cast<Gray16>(a.b + 2 * b.b + c.b));
            }
        }
        for (int y = 0; y < h; ++y) {
            const Rgb16* up = tmp.row(std::max(y - 1, 0));
            const Rgb16* mid = tmp.row(y);
            const Rgb16* dn = tmp.row(std::min(y + 1, h - 1));
            Rgb8* d = out.row(y);
            for (int x = 0; x < w; ++x) {
                d[x].r = static_cast<Gray8>((up[x].r + 2 * mid[x].r + dn[x].r + 8) >> 4);
                d[x].g = static_cast<Gray8>((up[x].g + 2 * mid[x].g + dn[x].g + 8) >> 4);
                d[x].b = static_cast<Gray8>((up[x].b + 2 * mid[x].b + dn[x].b + 8) >> 4);
            }
        }
    }
    return out;
}

// Horizontal box, in place, by a sliding sum; edge pixels are repeated.
void box_blur_rows(View<Gray16> img, int radius)
{
    RASTER_REQUIRE(radius >= 0 && radius <= 1024, "radius");
    if (radius == 0 || img.empty())
        return;
    const int w = img.width();
    const std::uint32_t n = 2u * radius + 1;
    std::vector<Gray16> line(w);

    for (int y = 0; y < img.height(); ++y) {
        Gray16* p = img.row(y);
        std::copy(p, p + w, line.begin());
        std::uint32_t sum = line[0] * static_cast<std::uint32_t>(radius + 1);
        for (int i = 1; i <= radius; ++i)
            sum += line[std::min(i, w - 1)];
        for (int x = 0; x < w; ++x) {
            p[x] = static_cast<Gray16>((sum + n / 2) / n);
            sum += line[std::min(x + radius + 1, w - 1)];
            sum -= line[std::max(x - radius, 0)];
        }
    }
}

// The outermost pixels are copied, as the old scanner driver expected it.
void median3(View<const Gray8> src, View<Gray8> dst)
{
    const int w = src.width(), h = src.height();
    if (w != dst.width() || h != dst.height())
        throw SizeMismatch("median3");

    for (int y = 0; y < h; ++y) {
        Gray8* d = dst.row(y);
        const Gray8* c = src.row(y);
        if (y == 0 || y == h - 1 || w < 3) {
            std::copy(c, c + w, d);
            continue;
        }
        const Gray8* u = src.row(y - 1);
        const Gray8* l = src.row(y + 1);
        d[0] = c[0];
        for (int x = 1; x < w - 1; ++x) {
            Gray8 p[9] = { u[x - 1], u[x], u[x + 1], c[x - 1], c[x], c[x + 1], l[x - 1], l[x], l[x + 1] };
            order(p[1], p[2]); order(p[4], p[5]); order(p[7], p[8]);
            order(p[0], p[1]); order(p[3], p[4]); order(p[6], p[7]);
            order(p[1], p[2]); order(p[4], p[5]); order(p[7], p[8]);
            order(p[0], p[3]); order(p[5], p[8]); order(p[4], p[7]);
            order(p[3], p[6]); order(p[1], p[4]); order(p[2], p[5]);
            order(p[4], p[7]); order(p[4], p[2]); order(p[6], p[4]);
            order(p[4], p[2]);
            d[x] = p[4];
        }
        d[w - 1] = c[w - 1];
    }
}

// |gx| + |gy|; direction, if wanted, is one of 4 sectors and gets (re)allocated here.
void sobel(View<const Gray8> src, View<Gray16> magnitude, Image<Gray8>* direction)
{
    const int w = src.width(), h = src.height();
    if (magnitude.width() != w || magnitude.height() != h)
        throw SizeMismatch("sobel");
    if (direction && (direction->width() != w || direction->height() != h)) {
        Image<Gray8> fresh(w, h);
        direction->swap(fresh);
    }
    for (int y = 0; y < h; ++y) {
        const Gray8* r[3];
        for (int i = 0; i < 3; ++i)
            r[i] = src.row(clamp_index(y + i - 1, h));
        Gray16* m = magnitude.row(y);
        Gray8* dir = direction ? direction->row(y) : 0;
        for (int x = 0; x < w; ++x) {
            const int xl = x > 0 ? x - 1 : 0, xr = x < w - 1 ? x + 1 : x;
            const int gx = (r[0][xr] + 2 * r[1][xr] + r[2][xr]) - (r[0][xl] + 2 * r[1][xl] + r[2][xl]);
            const int gy = (r[2][xl] + 2 * r[2][x] + r[2][xr]) - (r[0][xl] + 2 * r[0][x] + r[0][xr]);
            m[x] = static_cast<Gray16>(std::abs(gx) + std::abs(gy));
            if (dir) {
                const int ax = std::abs(gx), ay = std::abs(gy);
                if (ax > 2 * ay)      dir[x] = 0;
                else if (ay > 2 * ax) dir[x] = 2;
                else                  dir[x] = (gx < 0) == (gy < 0) ? 1 : 3;
            }
        }
    }
}

} // namespace raster
