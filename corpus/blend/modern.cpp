/// \file modern.cpp
/// Pixel blending for the tile cache, C++17.
///
/// - No macros, no raw casts, no owning pointers.
/// - A span is a pointer to its first element and a number of elements, until C++20 arrives here.
/// - Everything is `noexcept`; a contract is an assert.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace tiles::blend {

template <typename T>
struct Span {
    T* data = nullptr;
    std::size_t size = 0;

    [[nodiscard]] constexpr T& operator[](std::size_t i) const noexcept { return data[i]; }
    [[nodiscard]] constexpr T* begin() const noexcept { return data; }
    [[nodiscard]] constexpr T* end() const noexcept { return data + size; }
};

template <typename T>
struct View2D {
    T* data;
    std::ptrdiff_t stride;  ///< in elements, may be negative
    int width;
    int height;

    [[nodiscard]] constexpr T* row(int y) const noexcept { return data + y * stride; }
    [[nodiscard]] constexpr T& operator()(int x, int y) const noexcept { return row(y)[x]; }
};

struct Rgba8 {
    std::uint8_t r, g, b, a;
};

enum class Mode : std::uint8_t { Normal, Multiply, Screen, Overlay, Add };

inline constexpr std::uint8_t kOpaque = std::numeric_limits<std::uint8_t>::max();

/// Round-to-nearest division by 2^Bits - 1 without a division.
template <unsigned Bits>
[[nodiscard]] constexpr std::uint32_t div_max(std::uint32_t v) noexcept
{
    static_assert(Bits == 8 || Bits == 16);
    v += std::uint32_t{1} << (Bits - 1);
    return (v + (v >> Bits)) >> Bits;
}

[[nodiscard]] constexpr std::uint8_t mul8(std::uint8_t a, std::uint8_t b) noexcept
{
    return static_cast<std::uint8_t>(div_max<8>(std::uint32_t{a} * b));
}

[[nodiscard]] constexpr std::uint8_t lerp8(std::uint8_t from, std::uint8_t to,
                                           std::uint8_t t) noexcept
{
    return static_cast<std::uint8_t>(
        div_max<8>(std::uint32_t{from} * (255u - t) + std::uint32_t{to} * t));
}

template <typename T>
[[nodiscard]] constexpr T lerp_as(T a, T b, float t) noexcept
{
    if constexpr (std::is_floating_point_v<T>)
        return a + (b - a) * t;
    else
        return static_cast<T>(static_cast<float>(a) + (static_cast<float>(b) - static_cast<float>(a)) * t
                              + 0.5f);
}

/// sRGB-ish curve as a table that the compiler fills: (i / 255)^2.
constexpr std::array<std::uint16_t, 256> make_square_table() noexcept
{
    std::array<std::uint16_t, 256> t{};
    for (std::size_t i = 0; i < t.size(); ++i)
        t[i] = static_cast<std::uint16_t>((i * i * 65535u + 32512u) / 65025u);
    return t;
}

constexpr auto kLinear = make_square_table();

// --------------------------------------------------------------------------------- pointer + size

void multiply_span(std::uint8_t* dst, const std::uint8_t* src, std::size_t size) noexcept
{
    for (std::size_t i = 0; i < size; ++i)
        dst[i] = mul8(dst[i], src[i]);
}

void screen_span(std::uint8_t* dst, const std::uint8_t* src, std::size_t size) noexcept
{
    const auto inv = [](std::uint8_t v) { return static_cast<std::uint8_t>(kOpaque - v); };
    for (std::size_t i = 0; i < size; ++i)
        dst[i] = inv(mul8(inv(dst[i]), inv(src[i])));
}

void add_clamped(std::int16_t* dst, const std::int16_t* src, std::ptrdiff_t size, int gain) noexcept
{
    assert(gain >= 0 && gain <= 1024);
    constexpr int low = std::numeric_limits<std::int16_t>::min();
    constexpr int high = std::numeric_limits<std::int16_t>::max();
    for (std::ptrdiff_t i = 0; i != size; ++i)
        dst[i] = static_cast<std::int16_t>(std::clamp(dst[i] + src[i] * gain / 256, low, high));
}

/// One step towards `src`, as the onion skin view needs: at most `limit` levels.
void approach(std::uint8_t* dst, const std::uint8_t* src, std::size_t size, int limit) noexcept
{
    assert(limit >= 0 && limit <= 255);
    std::transform(dst, dst + size, src, dst, [limit](std::uint8_t d, std::uint8_t s) {
        return static_cast<std::uint8_t>(d + std::clamp(int{s} - int{d}, -limit, limit));
    });
}

void difference_span(Span<std::uint8_t> dst, Span<const std::uint8_t> src) noexcept
{
    assert(src.size >= dst.size);
    for (std::size_t i = 0; i < dst.size; ++i) {
        const auto [low, high] = std::minmax(dst[i], src[i]);
        dst[i] = static_cast<std::uint8_t>(high - low);
    }
}

void invert_span(Span<std::uint8_t> pixels) noexcept
{
    for (auto& p : pixels)
        p = static_cast<std::uint8_t>(~p);
}

// ------------------------------------------------------------------------------------- 2-D views

void lighten_view(View2D<std::uint16_t> dst, View2D<const std::uint16_t> src) noexcept
{
    assert(src.width >= dst.width && src.height >= dst.height);
    for (int y = 0; y < dst.height; ++y)
        for (int x = 0; x < dst.width; ++x)
            dst(x, y) = std::max(dst(x, y), src(x, y));
}

void exclusion_view(const View2D<float>& dst, const View2D<const float>& src, float opacity) noexcept
{
    for (int y = 0; y < dst.height; ++y) {
        auto* const d = dst.row(y);
        const auto* const s = src.row(y);
        for (int x = 0; x < dst.width; ++x)
            d[x] = lerp_as(d[x], d[x] + s[x] - 2.0f * d[x] * s[x], opacity);
    }
}

/// Blend through a mask in linear light; the backdrop is stored as squares' roots.
void linear_normal(std::uint16_t* out, const std::uint8_t* below, const std::uint8_t* above,
                   const std::uint8_t* mask, int width, int height, std::ptrdiff_t stride) noexcept
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto i = y * stride + x;
            const std::uint32_t b = kLinear[below[i]];
            const std::uint32_t a = kLinear[above[i]];
            out[i] = static_cast<std::uint16_t>((b * (255u - mask[i]) + a * mask[i] + 127u) / 255u);
        }
}

// ------------------------------------------------------------------------------- structs of pixels

void over_pixels(Rgba8* dst, const Rgba8* src, std::size_t count) noexcept
{
    for (std::size_t i = 0; i < count; ++i) {
        const Rgba8 s = src[i];
        Rgba8& d = dst[i];
        const auto inv = static_cast<std::uint8_t>(kOpaque - s.a);
        d.r = static_cast<std::uint8_t>(std::min(255, s.r + mul8(d.r, inv)));
        d.g = static_cast<std::uint8_t>(std::min(255, s.g + mul8(d.g, inv)));
        d.b = static_cast<std::uint8_t>(std::min(255, s.b + mul8(d.b, inv)));
        d.a = static_cast<std::uint8_t>(std::min(255, s.a + mul8(d.a, inv)));
    }
}

void tint_pixels(Rgba8* pixels, std::size_t count, Rgba8 tint) noexcept
{
    std::for_each(pixels, pixels + count, [&](Rgba8& p) {
        p.r = lerp8(p.r, tint.r, tint.a);
        p.g = lerp8(p.g, tint.g, tint.a);
        p.b = lerp8(p.b, tint.b, tint.a);
    });
}

void swap_layers(Rgba8* a, Rgba8* b, std::size_t count) noexcept
{
    for (std::size_t i = 0; i < count; ++i)
        if (a[i].a < b[i].a)
            std::swap(a[i], b[i]);
}

// ------------------------------------------------------------------------------ generic over modes

/// One loop for all separable modes; the operation is inlined.
template <typename Op>
void for_each_channel(std::uint8_t* dst, const std::uint8_t* src, std::size_t count, Op op) noexcept
{
    for (std::size_t i = 0; i < 4 * count; i += 4) {
        const auto alpha = src[i + 3];
        for (std::size_t c = 0; c < 3; ++c)
            dst[i + c] = lerp8(dst[i + c], op(dst[i + c], src[i + c]), alpha);
    }
}

void darken_rgba(std::uint8_t* dst, const std::uint8_t* src, std::size_t count) noexcept
{
    for_each_channel(dst, src, count, [](auto d, auto s) { return std::min(d, s); });
}

void hard_mix_rgba(std::uint8_t* dst, const std::uint8_t* src, std::size_t count, int level) noexcept
{
    assert(level >= 0 && level <= 510);
    for_each_channel(dst, src, count, [level](std::uint8_t d, std::uint8_t s) -> std::uint8_t {
        return d + s >= level ? kOpaque : 0;
    });
}

void blend_rgba(std::uint8_t* dst, const std::uint8_t* src, std::size_t count, Mode mode) noexcept
{
    switch (mode) {
    case Mode::Normal:
        return for_each_channel(dst, src, count, [](auto, auto s) { return s; });
    case Mode::Multiply:
        return for_each_channel(dst, src, count, mul8);
    case Mode::Screen:
        return for_each_channel(dst, src, count, [](std::uint8_t d, std::uint8_t s) {
            return static_cast<std::uint8_t>(d + s - mul8(d, s));
        });
    case Mode::Overlay:
        return for_each_channel(dst, src, count, [](std::uint8_t d, std::uint8_t s) {
            const int v = d < 128 ? 2 * mul8(d, s) : 255 - 2 * mul8(255 - d, 255 - s);
            return static_cast<std::uint8_t>(std::clamp(v, 0, 255));
        });
    case Mode::Add:
        return for_each_channel(dst, src, count, [](std::uint8_t d, std::uint8_t s) {
            return static_cast<std::uint8_t>(std::min(d + s, 255));
        });
    }
}

/// The depth is a type here. Instantiated for the three depths of the tile cache below.
template <typename T>
void fade_plane(T* dst, const T* src, std::size_t size, float t) noexcept
{
    for (std::size_t i = 0; i < size; ++i)
        dst[i] = lerp_as<T>(dst[i], src[i], t);
}

void fade_u8(std::uint8_t* dst, const std::uint8_t* src, std::size_t size, float t) noexcept
{
    assert(t >= 0.0f && t <= 1.0f);
    fade_plane(dst, src, size, t);
}

void fade_u16(std::uint16_t* dst, const std::uint16_t* src, std::size_t size, float t) noexcept
{
    assert(t >= 0.0f && t <= 1.0f);
    fade_plane(dst, src, size, t);
}

void fade_f32(float* dst, const float* src, std::size_t size, float t) noexcept
{
    fade_plane(dst, src, size, t);
}

// --------------------------------------------------------------------------------- odds and ends

/// Soft light (W3C) on floats, in place.
void soft_light_f32(float* dst, const float* src, std::size_t size) noexcept
{
    const auto curve = [](float d) {
        return d <= 0.25f ? ((16.0f * d - 12.0f) * d + 4.0f) * d : std::sqrt(d);
    };
    for (const auto* const end = dst + size; dst != end; ++dst, ++src)
        *dst += (2.0f * *src - 1.0f) * (*src <= 0.5f ? *dst - *dst * *dst : curve(*dst) - *dst);
}

/// Weights of a cross fade of four layers; the last one gets what the others leave.
// lift: assume(the rows of layers are evenly spaced)
void cross_fade4(std::uint8_t* out, const std::uint8_t* const* layers,
                 const std::array<std::uint8_t, 3>& weights, std::size_t size) noexcept
{
    assert(weights[0] + weights[1] + weights[2] <= 255);
    const int rest = 255 - weights[0] - weights[1] - weights[2];
    for (std::size_t i = 0; i < size; ++i) {
        int sum = rest * layers[3][i] + 127;
        for (std::size_t k = 0; k < weights.size(); ++k)
            sum += weights[k] * layers[k][i];
        out[i] = static_cast<std::uint8_t>(sum / 255);
    }
}

}  // namespace tiles::blend
