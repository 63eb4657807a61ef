// flags: -mavx2
// Porter-Duff operators as policies, one loop for all of them.
//
// The arithmetic comes in two vector widths behind one interface (V128, V256), so that
// an operator is written once. Pixels are premultiplied, 8 bits per channel, alpha is
// the fourth byte. The tail of a row is run through the narrow type, then through a
// copy on the stack.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace pd {

struct V128
{
    typedef __m128i T;
    enum { pixels = 4 };
    static T load(const void *p) { return _mm_loadu_si128(static_cast<const __m128i *>(p)); }
    static void store(void *p, T v) { _mm_storeu_si128(static_cast<__m128i *>(p), v); }
    static T lo(T v) { return _mm_unpacklo_epi8(v, _mm_setzero_si128()); }
    static T hi(T v) { return _mm_unpackhi_epi8(v, _mm_setzero_si128()); }
    static T pack(T a, T b) { return _mm_packus_epi16(a, b); }
    static T add(T a, T b) { return _mm_add_epi16(a, b); }
    static T inv(T a) { return _mm_xor_si128(a, _mm_set1_epi16(255)); }
    static T mulw(T a, T b) { return _mm_mullo_epi16(a, b); }
    static T div(T x)
    {
        x = _mm_add_epi16(x, _mm_set1_epi16(128));
        return _mm_srli_epi16(_mm_add_epi16(x, _mm_srli_epi16(x, 8)), 8);
    }
    static T alpha(T v) { return _mm_shufflehi_epi16(_mm_shufflelo_epi16(v, 0xff), 0xff); }
    static T min(T a, T b) { return _mm_min_epi16(a, b); }
    static T max(T a, T b) { return _mm_max_epi16(a, b); }
};

struct V256
{
    typedef __m256i T;
    enum { pixels = 8 };
    static T load(const void *p) { return _mm256_loadu_si256(static_cast<const __m256i *>(p)); }
    static void store(void *p, T v) { _mm256_storeu_si256(static_cast<__m256i *>(p), v); }
    static T lo(T v) { return _mm256_unpacklo_epi8(v, _mm256_setzero_si256()); }
    static T hi(T v) { return _mm256_unpackhi_epi8(v, _mm256_setzero_si256()); }
    static T pack(T a, T b) { return _mm256_packus_epi16(a, b); }
    static T add(T a, T b) { return _mm256_add_epi16(a, b); }
    static T inv(T a) { return _mm256_xor_si256(a, _mm256_set1_epi16(255)); }
    static T mulw(T a, T b) { return _mm256_mullo_epi16(a, b); }
    static T div(T x)
    {
        x = _mm256_add_epi16(x, _mm256_set1_epi16(128));
        return _mm256_srli_epi16(_mm256_add_epi16(x, _mm256_srli_epi16(x, 8)), 8);
    }
    static T alpha(T v) { return _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(v, 0xff), 0xff); }
    static T min(T a, T b) { return _mm256_min_epi16(a, b); }
    static T max(T a, T b) { return _mm256_max_epi16(a, b); }
};

// s, d and their alphas in 16 bit lanes; the result is narrowed with saturation.

struct Out // s (1 - da)
{
    template <class V> static typename V::T f(typename V::T s, typename V::T d, typename V::T, typename V::T da)
    {
        (void)d;
        return V::div(V::mulw(s, V::inv(da)));
    }
};

struct DestIn // d sa
{
    template <class V> static typename V::T f(typename V::T, typename V::T d, typename V::T sa, typename V::T)
    {
        return V::div(V::mulw(d, sa));
    }
};

struct DestAtop // d sa + s (1 - da)
{
    template <class V> static typename V::T f(typename V::T s, typename V::T d, typename V::T sa, typename V::T da)
    {
        return V::add(V::div(V::mulw(d, sa)), V::div(V::mulw(s, V::inv(da))));
    }
};

struct Multiply // s (1 - da) + d (1 - sa) + s d
{
    template <class V> static typename V::T f(typename V::T s, typename V::T d, typename V::T sa, typename V::T da)
    {
        typename V::T keep = V::add(V::div(V::mulw(s, V::inv(da))), V::div(V::mulw(d, V::inv(sa))));
        return V::add(keep, V::div(V::mulw(s, d)));
    }
};

struct Screen // s + d (1 - s)
{
    template <class V> static typename V::T f(typename V::T s, typename V::T d, typename V::T, typename V::T)
    {
        return V::add(s, V::div(V::mulw(d, V::inv(s))));
    }
};

struct Darken // s (1 - da) + d (1 - sa) + min(s da, d sa)
{
    template <class V> static typename V::T f(typename V::T s, typename V::T d, typename V::T sa, typename V::T da)
    {
        typename V::T a = V::div(V::mulw(s, da)), b = V::div(V::mulw(d, sa));
        typename V::T keep = V::add(V::div(V::mulw(s, V::inv(da))), V::div(V::mulw(d, V::inv(sa))));
        return V::add(keep, V::min(a, b));
    }
};

struct Lighten
{
    template <class V> static typename V::T f(typename V::T s, typename V::T d, typename V::T sa, typename V::T da)
    {
        typename V::T a = V::div(V::mulw(s, da)), b = V::div(V::mulw(d, sa));
        typename V::T keep = V::add(V::div(V::mulw(s, V::inv(da))), V::div(V::mulw(d, V::inv(sa))));
        return V::add(keep, V::max(a, b));
    }
};

template <class Op, class V> inline void step(uint8_t *dst, const uint8_t *src)
{
    typename V::T s = V::load(src), d = V::load(dst);
    typename V::T sl = V::lo(s), sh = V::hi(s), dl = V::lo(d), dh = V::hi(d);
    typename V::T rl = Op::template f<V>(sl, dl, V::alpha(sl), V::alpha(dl));
    typename V::T rh = Op::template f<V>(sh, dh, V::alpha(sh), V::alpha(dh));
    V::store(dst, V::pack(rl, rh));
}

template <class Op> void rect(uint8_t *dst, ptrdiff_t dstStride, const uint8_t *src, ptrdiff_t srcStride, int w, int h)
{
    // a solid block of memory is one long row
    if (dstStride == 4 * static_cast<ptrdiff_t>(w) && srcStride == dstStride) {
        w *= h;
        h = h ? 1 : 0;
    }
    for (; h > 0; --h, dst += dstStride, src += srcStride) {
        uint8_t *d = dst;
        const uint8_t *s = src;
        int n = w;
        for (; n >= V256::pixels; n -= V256::pixels, d += 32, s += 32)
            step<Op, V256>(d, s);
        if (n >= V128::pixels) {
            step<Op, V128>(d, s);
            n -= V128::pixels;
            d += 16;
            s += 16;
        }
        if (n > 0) {
            uint8_t ds[16] = {}, ss[16] = {};
            std::memcpy(ds, d, 4 * static_cast<size_t>(n));
            std::memcpy(ss, s, 4 * static_cast<size_t>(n));
            step<Op, V128>(ds, ss);
            std::memcpy(d, ds, 4 * static_cast<size_t>(n));
        }
    }
}

} // namespace pd

#define PD_ENTRY(Op)                                                                                       \
    void composite##Op(uint8_t *dst, ptrdiff_t dstStride, const uint8_t *src, ptrdiff_t srcStride, int w, int h) \
    {                                                                                                      \
        pd::rect<pd::Op>(dst, dstStride, src, srcStride, w, h);                                            \
    }

PD_ENTRY(Out)
PD_ENTRY(DestIn)
PD_ENTRY(DestAtop)
PD_ENTRY(Multiply)
PD_ENTRY(Screen)
PD_ENTRY(Darken)
PD_ENTRY(Lighten)
