// exercise.cpp - calls every pixel function over many sizes and prints hashes.
#include "rasterpp/rasterpp.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace raster;

static std::uint64_t g_hash;
static std::uint32_t g_seed;

static void hash_bytes(const void* p, std::size_t n)
{
    const unsigned char* b = static_cast<const unsigned char*>(p);
    while (n--) { g_hash ^= *b++; g_hash *= UINT64_C(1099511628211); }
}
template <class T> static void hash_value(T v) { hash_bytes(&v, sizeof v); }
template <class P> static void hash_image(const Image<P>& i)
{
    hash_value<std::int32_t>(i.width());
    hash_value<std::int32_t>(i.height());
    if (i.bytes()) hash_bytes(i.raw(), i.bytes());
}

static unsigned rnd()
{
    g_seed = g_seed * 1664525u + 1013904223u;
    return g_seed >> 13;
}

template <class P> static void fill_random(Image<P>& img, unsigned style)
{
    typedef PixelTraits<P> PT;
    for (int y = 0; y < img.height(); ++y)
        for (int x = 0; x < img.width(); ++x)
            for (int c = 0; c < PT::channels; ++c) {
                unsigned v = rnd();
                if (style == 1) v = (v % 4 == 0) ? 0 : (v % 4 == 1) ? 0xffffu : v;
                if (style == 2) v = static_cast<unsigned>(x * 3 + y * 5 + c);
                PT::channel(img(x, y), c) = static_cast<typename PT::channel_type>(v);
            }
}
static void fill_random(Image<GrayF>& img, unsigned)
{
    for (GrayF& f : img) f = static_cast<float>(static_cast<int>(rnd() % 3000) - 1000) / 1024.0f;
}
template <class P> static Image<P> make(int w, int h, std::size_t align, unsigned style)
{
    Image<P> i(w, h, align);
    fill_random(i, style);
    return i;
}

struct Case { int w, h; std::size_t align; unsigned style; };

template <class F> static void group(const char* fn, const char* name, F body)
{
    static const int widths[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130 };
    for (int a = 0; a < 2; ++a) {
        g_hash = UINT64_C(14695981039346656037);
        g_seed = 12345u + a;
        Case c;
        c.align = a ? 32 : 1;
        for (int w : widths)
            for (c.h = 1; c.h <= 9; ++c.h) {
                c.w = w;
                c.style = static_cast<unsigned>(w + c.h) % 3;
                body(c);
            }
        c.w = 203; c.h = 31; c.style = 0;
        body(c);
        c.w = 5; c.h = 0;
        body(c);
        std::printf("%s %s%s %016" PRIx64 "\n", fn, name, a ? "-padded" : "-tight", g_hash);
    }
}

template <class P> static void common(const char* type)
{
    char n[64];
#define NAME(s) (std::snprintf(n, sizeof n, "%s%s", type, s), n)
    group("Image::fill", NAME(""), [](const Case& c) {
        Image<P> a = make<P>(c.w, c.h, c.align, c.style), b = make<P>(1, 1, 1, 0);
        a.fill(b(0, 0));
        hash_image(a);
        if (c.w && c.h) { a(c.w - 1, c.h - 1) = P(); a.fill(a(c.w - 1, c.h - 1)); hash_image(a); }
    });
    group("Image::copy_from", NAME(""), [](const Case& c) {
        Image<P> a = make<P>(c.w, c.h, c.align, c.style), b(c.w, c.h, 8);
        b.copy_from(a.view());
        hash_image(b);
        b.copy_from(a.view().flipped());
        hash_image(b);
        Image<P> d(a);
        hash_image(d);
        if (c.w > 2 && c.h > 2) {
            Image<P> w(c.w - 2, c.h - 2);
            w.copy_from(a.view().window(1, 1, c.w - 2, c.h - 2));
            hash_image(w);
        }
        try { Image<P>(c.w + 1, c.h).copy_from(a.view()); hash_value<int>(0); } catch (const SizeMismatch&) { hash_value<int>(1); }
    });
    group("Image::operator+=", NAME(""), [](const Case& c) {
        Image<P> a = make<P>(c.w, c.h, c.align, c.style), b = make<P>(c.w, c.h, 1, 0);
        a += b;
        hash_image(a);
        a += a;
        hash_image(a);
        hash_image(a + b);
    });
    group("Image::operator*=", NAME(""), [](const Case& c) {
        static const float gains[] = { 0.0f, 0.37f, 1.0f, 1.75f, -2.0f };
        for (float g : gains) {
            Image<P> a = make<P>(c.w, c.h, c.align, c.style);
            a *= g;
            hash_image(a);
        }
    });
    group("Image::operator==", NAME(""), [](const Case& c) {
        Image<P> a = make<P>(c.w, c.h, c.align, c.style), b(a);
        hash_value<int>(a == b);
        if (c.w && c.h) { P& p = b(c.w - 1, c.h / 2); PixelTraits<P>::channel(p, 0) = static_cast<typename PixelTraits<P>::channel_type>(PixelTraits<P>::channel(p, 0) + 1); }
        hash_value<int>(a == b);
        hash_value<int>(a == Image<P>(c.w, c.h + 1));
    });
    group("abs_difference", NAME(""), [](const Case& c) {
        Image<P> a = make<P>(c.w, c.h, c.align, c.style), b = make<P>(c.w, c.h, 1, 0), o(c.w, c.h, c.align);
        abs_difference<P>(a.view(), b.view().flipped(), o.view());
        hash_image(o);
        abs_difference<P>(a.view(), o.view(), a.view());
        hash_image(a);
    });
#undef NAME
}

template <class S, class D> static void depth(const char* name)
{
    group("convert_depth", name, [](const Case& c) {
        Image<S> a = make<S>(c.w, c.h, c.align, c.style);
        Image<D> b(c.w, c.h, c.align);
        convert_depth<S, D>(a.view(), b.view());
        hash_image(b);
        convert_depth<S, D>(a.view().flipped(), b.view());
        hash_image(b);
    });
}

static Gray8 soften(Gray8 v) { return static_cast<Gray8>(v / 2 + 64); }

int main()
{
    common<Gray8>("gray8");
    common<Gray16>("gray16");
    common<GrayF>("grayf");
    common<Rgb8>("rgb8");
    common<Rgb16>("rgb16");
    common<Rgba8>("rgba8");
    depth<Gray8, Gray16>("8to16");
    depth<Gray16, Gray8>("16to8");
    depth<Rgb8, Rgb16>("rgb8to16");
    depth<GrayF, Gray8>("fto8");
    depth<GrayF, Gray16>("fto16");
    depth<Gray8, GrayF>("8tof");

    group("transform_pixels", "functor", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style), b(c.w, c.h, 16);
        transform_pixels(a.begin(), a.end(), b.begin(), soften);
        hash_image(b);
        Image<Gray16> w(c.w, c.h, c.align);
        transform_pixels(a.begin(), a.end(), w.begin(), [](Gray8 v) { return static_cast<Gray16>(v * 257); });
        hash_image(w);
    });
    group("extract_channel", "rgba", [](const Case& c) {
        Image<Rgba8> a = make<Rgba8>(c.w, c.h, c.align, c.style);
        for (int i = 0; i < 4; ++i) hash_image(extract_channel(a, ChannelAccessor<Rgba8>(i)));
        Image<Rgb16> b = make<Rgb16>(c.w, c.h, c.align, c.style);
        hash_image(extract_channel(b, ChannelAccessor<Rgb16>(2)));
    });
    group("rgb_to_gray", "weights", [](const Case& c) {
        Image<Rgb8> a = make<Rgb8>(c.w, c.h, c.align, c.style);
        Image<Gray8> g(c.w, c.h, c.align);
        rgb_to_gray(a, g, LumaWeights::rec601());
        hash_image(g);
        rgb_to_gray(a.view().flipped(), g, LumaWeights::flat());
        hash_image(g);
        LumaWeights bad = { 1, 2, 3 };
        try { rgb_to_gray(a, g, bad); } catch (const BadArgument&) { hash_value<int>(7); }
    });
    group("gray_to_rgb", "palette", [](const Case& c) {
        Rgb8 pal[256];
        for (int i = 0; i < 256; ++i) pal[i] = Rgb8(static_cast<Gray8>(rnd()), static_cast<Gray8>(rnd()), static_cast<Gray8>(i));
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style);
        hash_image(gray_to_rgb(a, pal));
        hash_image(gray_to_rgb(a, 0));
    });
    group("rgb_to_hsv", "both", [](const Case& c) {
        Image<Rgb8> a = make<Rgb8>(c.w, c.h, c.align, c.style), b(c.w, c.h, 1);
        rgb_to_hsv(a.view(), b);
        hash_image(b);
        rgb_to_hsv(a.view(), a);
        hash_image(a);
    });
    for (int opacity : { 0, 1, 100, 255 }) {
        char n[32];
        std::snprintf(n, sizeof n, "opacity%d", opacity);
        group("composite_over", n, [=](const Case& c) {
            Image<Rgba8> s = make<Rgba8>(c.w, c.h, 1, 1), d = make<Rgba8>(c.w, c.h, c.align, c.style), d2(d);
            Image<Gray8> m = make<Gray8>(c.w, c.h, c.align, 1);
            composite_over(d, s.view(), 0, opacity);
            hash_image(d);
            View<const Gray8> mv = m.view();
            composite_over(d2.view().flipped(), s.view(), &mv, opacity);
            hash_image(d2);
        });
    }
    group("dither_to_bilevel", "modes", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style), o(c.w, c.h, c.align);
        dither_to_bilevel(a.view(), o, 128, false);
        hash_image(o);
        dither_to_bilevel(a.view(), a, 100, true);
        hash_image(a);
    });

    static const int sharpen[9] = { -1, -1, -1, -1, 12, -1, -1, -1, -1 };
    static const int emboss[9] = { -2, -1, 0, -1, 1, 1, 0, 1, 2 };
    static const char* const border_names[] = { "clamp", "mirror", "constant" };
    for (int b = 0; b < 3; ++b)
        group("convolve", border_names[b], [=](const Case& c) {
            Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style), o(c.w, c.h, c.align);
            convolve(a.view(), o, Kernel3(sharpen, 4), static_cast<Border>(b), 99);
            hash_image(o);
            convolve(a.view().flipped(), o, Kernel3(emboss, 1, 128), static_cast<Border>(b));
            hash_image(o);
        });
    group("smooth_binomial", "passes", [](const Case& c) {
        Image<Rgb8> a = make<Rgb8>(c.w, c.h, c.align, c.style);
        for (int p = 0; p < 4; ++p) hash_image(smooth_binomial(a, p));
    });
    group("box_blur_rows", "radii", [](const Case& c) {
        for (int r : { 0, 1, 2, 5, 40 }) {
            Image<Gray16> a = make<Gray16>(c.w, c.h, c.align, c.style);
            box_blur_rows(a, r);
            hash_image(a);
        }
    });
    group("median3", "plain", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style), o(c.w, c.h, c.align);
        median3(a.view(), o);
        hash_image(o);
        median3(a.view().flipped(), o);
        hash_image(o);
    });
    group("sobel", "with-and-without-direction", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style), dir;
        Image<Gray16> m(c.w, c.h, c.align);
        sobel(a.view(), m, 0);
        hash_image(m);
        sobel(a.view().flipped(), m, &dir);
        hash_image(m);
        hash_image(dir);
        sobel(a.view(), m, &dir);
        hash_image(dir);
    });

    group("LookupTable::apply", "gray", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style);
        LevelsOp lv(20, 200);
        LookupTable(lv).apply(a.view());
        hash_image(a);
        LookupTable().apply(a.view());
        hash_image(a);
    });
    group("LookupTable::apply", "rgb", [](const Case& c) {
        InvertOp inv;
        LookupTable t(inv);
        for (unsigned mask = 0; mask < 8; ++mask) {
            Image<Rgb8> a = make<Rgb8>(c.w, c.h, c.align, c.style), b(c.w, c.h, c.align);
            t.apply(a.view(), b, mask);
            hash_image(b);
            t.apply(a.view(), a, mask);
            hash_image(a);
        }
    });
    group("apply_point_op", "virtual", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style);
        InvertOp inv;
        LevelsOp lv(64, 65), lw(10, 240), bad(9, 9);
        apply_point_op(a, inv);
        hash_image(a);
        apply_point_op(a.view().flipped(), lw);
        hash_image(a);
        apply_point_op(a, lv);
        hash_image(a);
        try { apply_point_op(a, bad); } catch (const Error& e) { hash_bytes(e.what(), std::strlen(e.what())); }
    });

    group("flip_horizontal", "rgb", [](const Case& c) {
        Image<Rgb8> a = make<Rgb8>(c.w, c.h, c.align, c.style);
        flip_horizontal(a);
        hash_image(a);
        flip_horizontal(a.view().flipped());
        hash_image(a);
    });
    group("flip_vertical", "rgb", [](const Case& c) {
        Image<Rgb8> a = make<Rgb8>(c.w, c.h, c.align, c.style);
        flip_vertical(a);
        hash_image(a);
        flip_vertical(a.view().flipped());
        hash_image(a);
    });
    group("rotate90", "turns", [](const Case& c) {
        Image<Rgba8> a = make<Rgba8>(c.w, c.h, c.align, c.style);
        for (int t = -1; t < 4; ++t) hash_image(rotate90(a, t));
    });
    group("resize_bilinear", "sizes", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style);
        static const int to[][2] = { { 0, 3 }, { 1, 1 }, { 5, 4 }, { 33, 17 }, { 130, 2 } };
        for (const int (&t)[2] : to) {
            try { hash_image(resize_bilinear(a, t[0], t[1])); }
            catch (const BadArgument&) { hash_value<int>(3); }
        }
        if (c.w && c.h) hash_image(resize_bilinear(a, c.w * 2, (c.h + 1) / 2));
    });
    group("halve", "rgb", [](const Case& c) {
        Image<Rgb8> a = make<Rgb8>(c.w, c.h, c.align, c.style);
        hash_image(halve(a));
        hash_image(halve(halve(a)));
    });
    group("shear_x", "slopes", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style);
        for (std::int32_t s : { 0, 65536, 20000, -45000, 300001 }) hash_image(shear_x(a, s, 77));
    });

    static const Element elements[] = { { 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 2, 0, 1, 3 }, { 20, 9, 0, 0 } };
    for (int i = 0; i < 4; ++i) {
        char n[24];
        std::snprintf(n, sizeof n, "element%d", i);
        const Element e = elements[i];
        group("erode", n, [=](const Case& c) { hash_image(erode(make<Gray8>(c.w, c.h, c.align, c.style), e)); });
        group("dilate", n, [=](const Case& c) { hash_image(dilate(make<Gray8>(c.w, c.h, c.align, c.style), e)); });
    }
    group("bounding_box", "sparse", [](const Case& c) {
        Image<Gray8> a(c.w, c.h, c.align);
        for (int round = 0; round < 6; ++round) {
            const Box b = bounding_box(a.view(), 0);
            hash_value(b.x0); hash_value(b.y0); hash_value(b.x1); hash_value(b.y1);
            const unsigned x = rnd(), y = rnd();
            if (c.w && c.h) a(static_cast<int>(x % c.w), static_cast<int>(y % c.h)) = 1;
        }
    });

    group("Histogram::accumulate", "mask", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style), m = make<Gray8>(c.w, c.h, 1, 1);
        Histogram h;
        View<const Gray8> mv = m.view();
        h.accumulate(a.view());
        h.accumulate(a.view().flipped(), &mv);
        for (int i = 0; i < 256; ++i) hash_value(h[i]);
        hash_value(h.total());
        hash_value(h.otsu());
    });
    group("moments", "8and16", [](const Case& c) {
        const Moments a = moments<Gray8>(make<Gray8>(c.w, c.h, c.align, c.style).view());
        const Moments b = moments<Gray16>(make<Gray16>(c.w, c.h, c.align, c.style).view());
        for (const Moments* m : { &a, &b }) {
            hash_value(m->sum); hash_value(m->sum_sq); hash_value(m->min); hash_value(m->max); hash_value(m->count);
        }
    });
    group("equalize", "plain", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style);
        equalize(a);
        hash_image(a);
    });
    group("binarize", "inplace-too", [](const Case& c) {
        Image<Gray8> a = make<Gray8>(c.w, c.h, c.align, c.style), o(c.w, c.h, c.align);
        hash_value(binarize(a.view(), o));
        hash_image(o);
        hash_value(binarize(a.view(), a));
        hash_image(a);
    });
    group("integral", "sat", [](const Case& c) { hash_image(integral(make<Gray8>(c.w, c.h, c.align, c.style))); });
    return 0;
}
