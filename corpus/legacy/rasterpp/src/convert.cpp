// convert.cpp - colour conversions, compositing, bilevel output.
#include "rasterpp/rasterpp.hpp"

#include <algorithm>

namespace raster {

void rgb_to_gray(View<const Rgb8> src, View<Gray8> dst, const LumaWeights& w)
{
    if (src.width() != dst.width() || src.height() != dst.height())
        throw SizeMismatch("rgb_to_gray");
    RASTER_REQUIRE(w.r + w.g + w.b == 65536, "luma weights must sum to one");

    for (int y = 0; y < src.height(); ++y) {
        const Rgb8* s = src.row(y);
        Gray8* d = dst.row(y);
        for (int x = 0; x < src.width(); ++x)
            d[x] = static_cast<Gray8>((s[x].r * w.r + s[x].g * w.g + s[x].b * w.b + 32768) >> 16);
    }
}

// Palette may be null: then the gray value goes into all three channels.
Image<Rgb8> gray_to_rgb(const Image<Gray8>& src, const Rgb8* palette)
{
    Image<Rgb8> out(src.width(), src.height());
    Image<Rgb8>::iterator d = out.begin();

    if (palette) {
        for (Image<Gray8>::const_iterator s = src.begin(), e = src.end(); s != e; ++s, ++d)
            *d = palette[*s];
    } else {
        for (Image<Gray8>::const_iterator s = src.begin(), e = src.end(); s != e; ++s, ++d)
            *d = Rgb8(*s, *s, *s);
    }
    return out;
}

namespace {

// Hue in 0..251 (six sectors of 42), integer arithmetic only.
inline Rgb8 hsv_of(const Rgb8& p)
{
    const int mx = std::max(p.r, std::max(p.g, p.b));
    const int mn = std::min(p.r, std::min(p.g, p.b));
    const int delta = mx - mn;
    if (delta == 0)
        return Rgb8(0, 0, static_cast<Gray8>(mx));
    int h;
    if (mx == p.r)
        h = 42 * (p.g - p.b) / delta;
    else if (mx == p.g)
        h = 84 + 42 * (p.b - p.r) / delta;
    else
        h = 168 + 42 * (p.r - p.g) / delta;
    if (h < 0)
        h += 252;
    return Rgb8(static_cast<Gray8>(h), static_cast<Gray8>(255 * delta / mx), static_cast<Gray8>(mx));
}

inline unsigned mul255(unsigned a, unsigned b)
{
    const unsigned t = a * b + 128;
    return (t + (t >> 8)) >> 8;
}

} // namespace

// dst may be src.
void rgb_to_hsv(View<const Rgb8> src, View<Rgb8> dst)
{
    if (src.width() != dst.width() || src.height() != dst.height())
        throw SizeMismatch("rgb_to_hsv");
    transform_pixels(src.begin(), src.end(), dst.begin(), hsv_of);
}

// Straight alpha, source over destination. coverage scales the source's alpha
// and may be null; opacity is 0..255.
void composite_over(View<Rgba8> dst, View<const Rgba8> src, View<const Gray8>* coverage, int opacity)
{
    RASTER_REQUIRE(opacity >= 0 && opacity <= 255, "opacity");
    if (src.width() != dst.width() || src.height() != dst.height())
        throw SizeMismatch("composite_over");
    if (coverage && (coverage->width() != dst.width() || coverage->height() != dst.height()))
        throw SizeMismatch("composite_over (coverage)");
    if (opacity == 0)
        return;

    const int w = dst.width();
    for (int y = 0; y < dst.height(); ++y) {
        Rgba8* d = dst.row(y);
        const Rgba8* s = src.row(y);
        const Gray8* m = coverage ? coverage->row(y) : 0;

        for (int x = 0; x < w; ++x, ++d, ++s) {
            unsigned a = mul255(s->a, static_cast<unsigned>(opacity));
            if (m)
                a = mul255(a, m[x]);
            if (a == 0)
                continue;
            if (a == 255) {
                *d = *s;
                d->a = 255;
                continue;
            }
            const unsigned da = mul255(d->a, 255 - a);
            const unsigned oa = a + da;
            d->r = static_cast<Gray8>((s->r * a + d->r * da + oa / 2) / oa);
            d->g = static_cast<Gray8>((s->g * a + d->g * da + oa / 2) / oa);
            d->b = static_cast<Gray8>((s->b * a + d->b * da + oa / 2) / oa);
            d->a = static_cast<Gray8>(oa);
        }
    }
}

// Error diffusion 7/3/5/1. Two rows of errors with a guard cell at both ends.
void dither_to_bilevel(View<const Gray8> src, View<Gray8> dst, int threshold, bool serpentine)
{
    if (src.width() != dst.width() || src.height() != dst.height())
        throw SizeMismatch("dither_to_bilevel");
    const int w = src.width();
    std::vector<int> cur(w + 2, 0), nxt(w + 2, 0);

    for (int y = 0; y < src.height(); ++y) {
        const bool back = serpentine && (y & 1);
        const int step = back ? -1 : 1;
        int x = back ? w - 1 : 0;
        const Gray8* s = src.row(y);
        Gray8* d = dst.row(y);

        for (int n = 0; n < w; ++n, x += step) {
            const int v = s[x] + cur[x + 1] / 16;
            const int o = v >= threshold ? 255 : 0;
            const int err = v - o;
            d[x] = static_cast<Gray8>(o);
            cur[x + 1 + step] += err * 7;
            nxt[x + 1 - step] += err * 3;
            nxt[x + 1] += err * 5;
            nxt[x + 1 + step] += err;
        }
        cur.swap(nxt);
        std::fill(nxt.begin(), nxt.end(), 0);
    }
}

} // namespace raster
