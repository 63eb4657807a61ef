// The library's own checks. No framework: count, complain, return.
#include "rasterpp/rasterpp.hpp"

#include <cstdio>

using namespace raster;

static int g_failed = 0, g_run = 0;

#define CHECK(cond) \
    do { ++g_run; if (!(cond)) { ++g_failed; std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #cond); } } while (0)

template <class E, class F>
static bool throws(F f)
{
    try { f(); } catch (const E&) { return true; }
    return false;
}

static Image<Gray8> ramp(int w, int h)
{
    Image<Gray8> img(w, h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            img(x, y) = static_cast<Gray8>(x * 7 + y * 13);
    return img;
}

static void test_image()
{
    Image<Gray8> a = ramp(5, 3);
    CHECK(a.stride() == 8);
    Image<Gray8> b(a);
    CHECK(a == b);
    b(4, 2) ^= 1;
    CHECK(!(a == b));
    Image<Gray8> c(std::move(b));
    CHECK(b.width() == 0 && c.width() == 5);
    c.fill(250);
    c += a;
    CHECK(c(0, 0) == 250 && c(1, 0) == 255);
    CHECK(throws<SizeMismatch>([&] { c += Image<Gray8>(1, 1); }));
    CHECK(throws<BadArgument>([&] { a.view().at(5, 0); }));
    CHECK(throws<BadArgument>([&] { a.view().window(3, 0, 3, 1); }));
    int n = 0;
    for (Image<Gray8>::iterator it = a.begin(); it != a.end(); ++it) ++n;
    CHECK(n == 15);
    CHECK(Image<Gray8>(0, 4).begin() == Image<Gray8>(0, 4).end());
}

static void test_geometry()
{
    Image<Rgba8> q(3, 2);
    for (int i = 0; i < 6; ++i) q(i % 3, i / 3) = Rgba8(static_cast<Gray8>(i), 0, 0, 255);
    CHECK(rotate90(rotate90(q, 1), 3) == q);
    CHECK(rotate90(rotate90(q, 2), -2) == q);
    CHECK(rotate90(q, 1)(0, 0).r == 3);
    Image<Gray8> g = ramp(9, 4);
    CHECK(resize_bilinear(g, 9, 4) == g);
    CHECK(shear_x(g, 0, 9) == g);
    CHECK(throws<BadArgument>([] { resize_bilinear(Image<Gray8>(), 1, 1); }));
}

static void test_filters()
{
    static const int id[9] = { 0, 0, 0, 0, 3, 0, 0, 0, 0 };
    Image<Gray8> g = ramp(8, 6), d(8, 6);
    convolve(g, d, Kernel3(id, 3), Border::Mirror);
    CHECK(d == g);
    CHECK(throws<BadArgument>([&] { convolve(g, g, Kernel3(id, 3), Border::Clamp); }));
    Image<std::uint32_t> s = integral(g);
    std::uint32_t sum = 0;
    for (Gray8 v : g) sum += v;
    CHECK(s(8, 6) == sum);
    Element e = { 1, 1, 1, 1 };
    CHECK(erode(g, e)(0, 0) == 0 && dilate(g, e)(0, 0) == 20);
    g.fill(4);
    g(3, 2) = 9; g(5, 4) = 1;
    Box b = bounding_box(g, 4);
    CHECK(b.x0 == 3 && b.y0 == 2 && b.x1 == 5 && b.y1 == 4);
}

int main()
{
    test_image();
    test_geometry();
    test_filters();
    std::printf("%d checks, %d failed\n", g_run, g_failed);
    return g_failed != 0;
}
