// policies.cpp - blend modes as policies: one loop as a template, the formula as its parameter.
// The style of a compositing library after 2010; all modes of the menu in one table at the end.

#include <cstdint>
#include <cstddef>
#include <algorithm>
#include <type_traits>

namespace blend {

// ------------------------------------------------------------------------------------ channels

template <class T> struct Depth;

template <> struct Depth<uint8_t> {
    typedef int wide;
    static constexpr int one = 255;
    static constexpr int half = 128;
    static wide mul(wide a, wide b) { return (a * b + 127) / 255; }
};

template <> struct Depth<uint16_t> {
    typedef uint32_t wide;
    static constexpr uint32_t one = 65535;
    static constexpr uint32_t half = 32768;
    static wide mul(wide a, wide b) { return (wide)(((uint64_t)a * b + 32767) / 65535); }
};

template <> struct Depth<float> {
    typedef float wide;
    static constexpr float one = 1.0f;
    static constexpr float half = 0.5f;
    static wide mul(wide a, wide b) { return a * b; }
};

// --------------------------------------------------------------------------- separable modes
// b: what is there, s: what is laid over it.

template <class T> using Wide = typename Depth<T>::wide;

struct Multiply {
    template <class T> static T apply(T b, T s) { return (T)Depth<T>::mul(b, s); }
};

struct Screen {
    template <class T> static T apply(T b, T s)
    {
        return (T)(Depth<T>::one - Depth<T>::mul(Depth<T>::one - b, Depth<T>::one - s));
    }
};

struct Darken {
    template <class T> static T apply(T b, T s) { return std::min(b, s); }
};

struct Lighten {
    template <class T> static T apply(T b, T s) { return std::max(b, s); }
};

struct Difference {
    template <class T> static T apply(T b, T s) { return b > s ? b - s : s - b; }
};

struct Exclusion {
    template <class T> static T apply(T b, T s)
    {
        return (T)(b + s - 2 * Depth<T>::mul(b, s));
    }
};

struct LinearDodge {
    template <class T> static T apply(T b, T s)
    {
        Wide<T> sum = (Wide<T>)b + s;
        return (T)(sum > Depth<T>::one ? Depth<T>::one : sum);
    }
};

struct LinearBurn {
    static uint8_t apply(uint8_t b, uint8_t s)
    {
        int v = b + s - 255;
        return (uint8_t)(v < 0 ? 0 : v);
    }
};

struct HardLight {
    template <class T> static T apply(T b, T s)
    {
        if (s < Depth<T>::half)
            return Multiply::apply<T>(b, (T)(2 * s));
        return Screen::apply<T>(b, (T)(2 * s - Depth<T>::one));
    }
};

// Overlay is hard light with the layers changed about.
struct Overlay {
    template <class T> static T apply(T b, T s) { return HardLight::apply<T>(s, b); }
};

struct ColorDodge {
    static uint8_t apply(uint8_t b, uint8_t s)
    {
        if (s == 255)
            return 255;
        return (uint8_t)std::min(255, b * 255 / (255 - s));
    }
};

struct ColorBurn {
    static uint8_t apply(uint8_t b, uint8_t s)
    {
        if (s == 0)
            return 0;
        return (uint8_t)(255 - std::min(255, (255 - b) * 255 / s));
    }
};

struct PinLight {
    static uint8_t apply(uint8_t b, uint8_t s)
    {
        return s < 128 ? std::min<uint8_t>(b, (uint8_t)(2 * s))
                       : std::max<uint8_t>(b, (uint8_t)(2 * s - 255));
    }
};

// A family by a value: add with a gain of 1/2**Shift.
template <int Shift> struct Glow {
    static uint8_t apply(uint8_t b, uint8_t s) { return (uint8_t)std::min(b + (s >> Shift), 255); }
};

// ------------------------------------------------------------------------------------- loops

// One plane.
template <class Mode, class T>
void plane(T *dst, const T *src, int width, int height, ptrdiff_t dstStride, ptrdiff_t srcStride)
{
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            dst[x] = Mode::apply(dst[x], src[x]);
        dst += dstStride;
        src += srcStride;
    }
}

template void plane<Multiply, uint8_t>(uint8_t *, const uint8_t *, int, int, ptrdiff_t, ptrdiff_t);
template void plane<Multiply, uint16_t>(uint16_t *, const uint16_t *, int, int, ptrdiff_t, ptrdiff_t);
template void plane<Multiply, float>(float *, const float *, int, int, ptrdiff_t, ptrdiff_t);
template void plane<Difference, uint16_t>(uint16_t *, const uint16_t *, int, int, ptrdiff_t, ptrdiff_t);
template void plane<LinearDodge, uint16_t>(uint16_t *, const uint16_t *, int, int, ptrdiff_t, ptrdiff_t);
template void plane<Screen, float>(float *, const float *, int, int, ptrdiff_t, ptrdiff_t);

// A mask says how much of the result is taken.
template <class Mode> void masked(uint8_t *dst, const uint8_t *src, const uint8_t *mask, int count)
{
    for (int i = 0; i < count; ++i) {
        int result = Mode::apply(dst[i], src[i]);
        dst[i] = (uint8_t)((dst[i] * (255 - mask[i]) + result * mask[i]) / 255);
    }
}

#define INSTANTIATE_MASKED(Mode) \
    template void masked<Mode>(uint8_t *, const uint8_t *, const uint8_t *, int)

INSTANTIATE_MASKED(LinearBurn);
INSTANTIATE_MASKED(PinLight);
#undef INSTANTIATE_MASKED

// ------------------------------------------------------------------------------ Porter-Duff
// Factors of the source and of the backdrop, premultiplied 8-bit pixels with alpha last.

enum class Factor { Zero, One, Alpha, InverseAlpha };

template <Factor F> inline int weight(int alpha)
{
    if constexpr (F == Factor::Zero)
        return 0;
    else if constexpr (F == Factor::One)
        return 255;
    else if constexpr (F == Factor::Alpha)
        return alpha;
    else
        return 255 - alpha;
}

template <Factor Source, Factor Backdrop> struct Operator {
    static int apply(int s, int sa, int b, int ba)
    {
        return (s * weight<Source>(ba) + b * weight<Backdrop>(sa)) / 255;
    }
};

typedef Operator<Factor::One, Factor::InverseAlpha> Over;
typedef Operator<Factor::Alpha, Factor::Zero> In;
typedef Operator<Factor::InverseAlpha, Factor::Zero> Out;
typedef Operator<Factor::Alpha, Factor::InverseAlpha> Atop;
typedef Operator<Factor::InverseAlpha, Factor::InverseAlpha> Xor;

template <class Op, int Channels = 4>
void porterDuff(uint8_t *__restrict dst, const uint8_t *__restrict src, int pixels)
{
    for (int i = 0; i < pixels; ++i) {
        const int sa = src[Channels - 1], da = dst[Channels - 1];
        for (int c = 0; c < Channels; ++c)
            dst[c] = (uint8_t)std::min(255, Op::apply(src[c], sa, dst[c], da));
        dst += Channels;
        src += Channels;
    }
}

// -------------------------------------------------------------------------------- the menus

typedef void (*PlaneFunction)(uint8_t *, const uint8_t *, int, int, ptrdiff_t, ptrdiff_t);

struct MenuEntry {
    const char *label;
    PlaneFunction function;
};

extern const MenuEntry menu[];
const MenuEntry menu[] = {
    {"Screen", plane<Screen, uint8_t>},
    {"Darken", plane<Darken, uint8_t>},
    {"Lighten", plane<Lighten, uint8_t>},
    {"Difference", plane<Difference, uint8_t>},
    {"Exclusion", plane<Exclusion, uint8_t>},
    {"Add", plane<LinearDodge, uint8_t>},
    {"Hard Light", plane<HardLight, uint8_t>},
    {"Overlay", plane<Overlay, uint8_t>},
    {"Color Dodge", plane<ColorDodge, uint8_t>},
    {"Color Burn", plane<ColorBurn, uint8_t>},
    {"Soft Glow", plane<Glow<2>, uint8_t>},
};

typedef void (*PorterDuffFunction)(uint8_t *, const uint8_t *, int);

extern const PorterDuffFunction porterDuffMenu[5];
const PorterDuffFunction porterDuffMenu[5] = {
    &porterDuff<Over>, &porterDuff<In>, &porterDuff<Out>, &porterDuff<Atop>, &porterDuff<Xor>,
};

// --------------------------------------------------------------------- with a lambda, C++17

template <class Formula>
static void forEach(uint8_t *dst, const uint8_t *src, int count, Formula formula)
{
    for (int i = 0; i < count; ++i)
        dst[i] = (uint8_t)formula(dst[i], src[i]);
}

void average(uint8_t *dst, const uint8_t *src, int count)
{
    forEach(dst, src, count, [](int b, int s) { return (b + s + 1) >> 1; });
}

void fade(uint8_t *dst, const uint8_t *src, int count, int opacity)
{
    const int rest = 256 - opacity;
    forEach(dst, src, count, [&](int b, int s) { return (b * rest + s * opacity) >> 8; });
}

}   // namespace blend
