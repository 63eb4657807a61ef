// pixel.hpp - pixel types and what the algorithms want to know about them.
#ifndef RASTERPP_PIXEL_HPP
#define RASTERPP_PIXEL_HPP

#include <cstdint>

namespace raster {

typedef std::uint8_t  Gray8;
typedef std::uint16_t Gray16;
typedef float         GrayF;

template <class C>
struct Rgb {
    C r, g, b;
    Rgb() : r(), g(), b() {}
    Rgb(C r_, C g_, C b_) : r(r_), g(g_), b(b_) {}
    bool operator==(const Rgb& o) const { return r == o.r && g == o.g && b == o.b; }
};

template <class C>
struct Rgba {
    C r, g, b, a;
    Rgba() : r(), g(), b(), a() {}
    Rgba(C r_, C g_, C b_, C a_) : r(r_), g(g_), b(b_), a(a_) {}
    bool operator==(const Rgba& o) const { return r == o.r && g == o.g && b == o.b && a == o.a; }
};

typedef Rgb<std::uint8_t>  Rgb8;
typedef Rgb<std::uint16_t> Rgb16;
typedef Rgba<std::uint8_t> Rgba8;

// ---- channels --------------------------------------------------------------

template <class C> struct ChannelTraits;

template <> struct ChannelTraits<std::uint8_t> {
    typedef int accum_type;
    static int  max_value() { return 255; }
    static std::uint8_t clamp(int v) { return static_cast<std::uint8_t>(v < 0 ? 0 : v > 255 ? 255 : v); }
    static std::uint8_t from_real(float f)
    {
        if (!(f > 0.0f)) return 0;
        if (f >= 1.0f) return 255;
        return static_cast<std::uint8_t>(f * 255.0f + 0.5f);
    }
    static float to_real(std::uint8_t v) { return v / 255.0f; }
};

template <> struct ChannelTraits<std::uint16_t> {
    typedef int accum_type;
    static int  max_value() { return 65535; }
    static std::uint16_t clamp(int v) { return static_cast<std::uint16_t>(v < 0 ? 0 : v > 65535 ? 65535 : v); }
    static std::uint16_t from_real(float f)
    {
        if (!(f > 0.0f)) return 0;
        if (f >= 1.0f) return 65535;
        return static_cast<std::uint16_t>(f * 65535.0f + 0.5f);
    }
    static float to_real(std::uint16_t v) { return v / 65535.0f; }
};

template <> struct ChannelTraits<float> {
    typedef float accum_type;
    static float max_value() { return 1.0f; }
    static float clamp(float v) { return v; }       // float images keep their headroom
    static float from_real(float f) { return f; }
    static float to_real(float v) { return v; }
};

// ---- pixels ----------------------------------------------------------------
// channel(p, i) gives a reference, so the generic code needs no reinterpret_cast.

template <class P> struct PixelTraits {             // scalar pixels
    typedef P channel_type;
    enum { channels = 1, has_alpha = 0 };
    static P&       channel(P& p, int) { return p; }
    static const P& channel(const P& p, int) { return p; }
};

template <class C> struct PixelTraits< Rgb<C> > {
    typedef C channel_type;
    enum { channels = 3, has_alpha = 0 };
    static C&       channel(Rgb<C>& p, int i) { return i == 0 ? p.r : i == 1 ? p.g : p.b; }
    static const C& channel(const Rgb<C>& p, int i) { return i == 0 ? p.r : i == 1 ? p.g : p.b; }
};

template <class C> struct PixelTraits< Rgba<C> > {
    typedef C channel_type;
    enum { channels = 4, has_alpha = 1 };
    static C&       channel(Rgba<C>& p, int i) { return i == 0 ? p.r : i == 1 ? p.g : i == 2 ? p.b : p.a; }
    static const C& channel(const Rgba<C>& p, int i) { return i == 0 ? p.r : i == 1 ? p.g : i == 2 ? p.b : p.a; }
};

} // namespace raster

#endif
