// geometry.cpp - flips, rotations, scaling.
#include "rasterpp/rasterpp.hpp"

#include <algorithm>

namespace raster {

void flip_horizontal(View<Rgb8> img)
{
    for (int y = 0; y < img.height(); ++y) {
        Rgb8* l = img.row(y);
        Rgb8* r = l + img.width();
        while (l < r) {
            --r;
            if (l >= r) break;
            std::swap(*l, *r);
            ++l;
        }
    }
}

void flip_vertical(View<Rgb8> img)
{
    int top = 0, bottom = img.height() - 1;
    for (; top < bottom; ++top, --bottom) {
        Rgb8 *a = img.row(top), *b = img.row(bottom);
        for (int x = 0; x < img.width(); ++x) {
            const Rgb8 t = a[x];
            a[x] = b[x];
            b[x] = t;
        }
    }
}

// Clockwise quarter turns.
Image<Rgba8> rotate90(const Image<Rgba8>& src, int quarter_turns)
{
    const int w = src.width(), h = src.height();
    switch (((quarter_turns % 4) + 4) % 4) {
    case 1: {
        Image<Rgba8> out(h, w);
        for (int y = 0; y < w; ++y)
            for (int x = 0; x < h; ++x)
                out(x, y) = src(y, h - 1 - x);
        return out;
    }
    case 2: {
        Image<Rgba8> out(w, h);
        for (int y = 0; y < h; ++y) {
            const Rgba8* s = src.row(h - 1 - y) + w;
            Rgba8* d = out.row(y);
            for (int x = 0; x < w; ++x)
                *d++ = *--s;
        }
        return out;
    }
    case 3: {
        Image<Rgba8> out(h, w);
        for (int x = 0; x < h; ++x)
            for (int y = 0; y < w; ++y)
                out(x, y) = src(w - 1 - y, x);
        return out;
    }
    default:
        return src;
    }
}

namespace {

struct Tap { int lo, hi; int frac; };       // frac in 1/256

// Centre-aligned sampling positions for one axis.
std::vector<Tap> make_taps(int from, int to)
{
    std::vector<Tap> taps(to);
    for (int i = 0; i < to; ++i) {
        std::int64_t pos = ((2 * static_cast<std::int64_t>(i) + 1) * from * 256) / (2 * to) - 128;
        if (pos < 0) pos = 0;
        Tap& t = taps[i];
        t.lo = static_cast<int>(pos >> 8);
        t.frac = static_cast<int>(pos & 255);
        if (t.lo >= from - 1) { t.lo = from - 1; t.frac = 0; }
        t.hi = std::min(t.lo + 1, from - 1);
    }
    return taps;
}

} // namespace

Image<Gray8> resize_bilinear(const Image<Gray8>& src, int width, int height)
{
    RASTER_REQUIRE(width >= 0 && height >= 0, "negative size");
    Image<Gray8> out(width, height);
    if (width == 0 || height == 0)
        return out;
    RASTER_REQUIRE(src.width() > 0 && src.height() > 0, "nothing to resize");

    const std::vector<Tap> tx = make_taps(src.width(), width);
    const std::vector<Tap> ty = make_taps(src.height(), height);
    for (int y = 0; y < height; ++y) {
        const Tap& v = ty[y];
        const Gray8* a = src.row(v.lo);
        const Gray8* b = src.row(v.hi);
        Gray8* d = out.row(y);
        for (std::vector<Tap>::const_iterator t = tx.begin(); t != tx.end(); ++t, ++d) {
            const int top = a[t->lo] * (256 - t->frac) + a[t->hi] * t->frac;
            const int bot = b[t->lo] * (256 - t->frac) + b[t->hi] * t->frac;
            *d = static_cast<Gray8>((top * (256 - v.frac) + bot * v.frac + 32768) >> 16);
        }
    }
    return out;
}

// 2x2 means; an odd last column or row is averaged with itself.
Image<Rgb8> halve(const Image<Rgb8>& src)
{
    const int w = (src.width() + 1) / 2, h = (src.height() + 1) / 2;
    Image<Rgb8> out(w, h);
    for (int y = 0; y < h; ++y) {
        const Rgb8* a = src.row(2 * y);
        const Rgb8* b = 2 * y + 1 < src.height() ? src.row(2 * y + 1) : a;
        Rgb8* d = out.row(y);
        int x;
        for (x = 0; x < src.width() / 2; ++x, a += 2, b += 2, ++d) {
            d->r = static_cast<Gray8>((a[0].r + a[1].r + b[0].r + b[1].r + 2) / 4);
            d->g = static_cast<Gray8>((a[0].g + a[1].g + b[0].g + b[1].g + 2) / 4);
            d->b = static_cast<Gray8>((a[0].b + a[1].b + b[0].b + b[1].b + 2) / 4);
        }
        if (x < w) {
            d->r = static_cast<Gray8>((a->r + b->r + 1) / 2);
            d->g = static_cast<Gray8>((a->g + b->g + 1) / 2);
            d->b = static_cast<Gray8>((a->b + b->b + 1) / 2);
        }
    }
    return out;
}

// Row y moves right by y * slope; the fraction is blended between two neighbours.
Image<Gray8> shear_x(const Image<Gray8>& src, std::int32_t slope_q16, Gray8 background)
{
    RASTER_REQUIRE(slope_q16 > -(8 << 16) && slope_q16 < (8 << 16), "slope");
    const int w = src.width();
    Image<Gray8> out(w, src.height());
    std::int64_t pos = 0;

    for (int y = 0; y < src.height(); ++y, pos += slope_q16) {
        const int whole = static_cast<int>(pos >> 16);
        const int f = static_cast<int>((pos >> 8) & 255);
        for (int x = 0; x < w; ++x) {
            const int i = x - whole;
            const int p0 = i >= 0 && i < w ? src(i, y) : background;
            const int p1 = i >= 1 && i <= w ? src(i - 1, y) : background;
            out(x, y) = static_cast<Gray8>((p0 * (256 - f) + p1 * f + 128) >> 8);
        }
    }
    return out;
}

} // namespace raster
