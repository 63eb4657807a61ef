// morphology.cpp - erosion, dilation, bounding boxes.
#include "rasterpp/rasterpp.hpp"

#include <algorithm>

namespace raster {

namespace {

struct TakeMin { static Gray8 start() { return 255; } static Gray8 pick(Gray8 a, Gray8 b) { return b < a ? b : a; } };
struct TakeMax { static Gray8 start() { return 0; }   static Gray8 pick(Gray8 a, Gray8 b) { return a < b ? b : a; } };

// Separable, since the elements are rectangles: rows to a temporary, then columns.
template <class Pick>
Image<Gray8> rank_rect(const Image<Gray8>& src, const Element& e)
{
    RASTER_REQUIRE(e.left >= 0 && e.right >= 0 && e.up >= 0 && e.down >= 0, "structuring element");
    const int w = src.width(), h = src.height();
    Image<Gray8> tmp(w, h), out(w, h);

    for (int y = 0; y < h; ++y) {
        const Gray8* s = src.row(y);
        Gray8* t = tmp.row(y);
        for (int x = 0; x < w; ++x) {
            const int from = std::max(0, x - e.left), to = std::min(w - 1, x + e.right);
            Gray8 v = Pick::start();
            for (int i = from; i <= to; ++i)
                v = Pick::pick(v, s[i]);
            t[x] = v;
        }
    }

    for (int y = 0; y < h; ++y) {
        const int from = std::max(0, y - e.up), to = std::min(h - 1, y + e.down);
        Gray8* d = out.row(y);
        std::copy(tmp.row(from), tmp.row(from) + w, d);
        for (int j = from + 1; j <= to; ++j) {
            const Gray8* t = tmp.row(j);
            for (int x = 0; x < w; ++x)
                d[x] = Pick::pick(d[x], t[x]);
        }
    }
    return out;
}

} // namespace

Image<Gray8> erode(const Image<Gray8>& src, const Element& e)
{
    return rank_rect<TakeMin>(src, e);
}

Image<Gray8> dilate(const Image<Gray8>& src, const Element& e)
{
    return rank_rect<TakeMax>(src, e);
}

// Inclusive box of everything that is not background; x1 < x0 if there is nothing.
Box bounding_box(View<const Gray8> img, Gray8 background)
{
    Box b = { img.width(), img.height(), -1, -1 };
    for (int y = 0; y < img.height(); ++y) {
        const Gray8* p = img.row(y);
        int l = 0;
        while (l < img.width() && p[l] == background)
            ++l;
        if (l == img.width())
            continue;
        int r = img.width() - 1;
        while (p[r] == background)
            --r;
        b.x0 = std::min(b.x0, l);
        b.x1 = std::max(b.x1, r);
        if (b.y1 < 0)
            b.y0 = y;
        b.y1 = y;
    }
    return b;
}

} // namespace raster
