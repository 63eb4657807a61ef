// rig.h - buffers with guards, and the comparison of two versions of a function on them
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#ifndef GUARD // elements before and after; 0 with the sanitizers, so that they see each overrun
#define GUARD 80
#endif

struct Rig
{
    int w = 0, h = 0, mode = 0;
    uint32_t seed = 1;
    struct Block
    {
        uint8_t* p;
        size_t bytes, lo, hi; // [lo, hi) may be written
        bool ignore_low_bits = false;
    };
    std::vector<Block> blocks;
    std::vector<double> results;

    uint32_t next()
    {
        seed = seed * 1664525u + 1013904223u;
        return seed >> 8 ^ seed << 13;
    }
    int pick(int lo, int hi) { return lo + int((next() >> 4) % uint32_t(hi - lo + 1)); }
    // an odd distance of rows for rows of n elements
    int stride(int n) { return (n + pick(0, 9)) | 1; }
    int stride_even(int n) { return (n + 2 * pick(0, 5) + 1) & ~1; }

    template <class T> T value()
    {
        const uint32_t r = next();
        const int m = mode == 4 ? int(next() >> 3 & 3) : mode;
        if constexpr (std::is_floating_point<T>::value) {
            if (m == 1) return r & 64 ? T(1) : T(0);
            if (m == 2) return T(int(r % 4001) - 2000) * T(0.37);
            if (m == 3) return T(int(r % 513) - 128) / T(256);
            return T(r & 0xffffff) / T(0x1000000);
        } else {
            typedef typename std::make_unsigned<T>::type U;
            const U top = U(~U(0)), half = U(top / 2);
            if (m == 1) return r & 64 ? T(top) : T(0);
            if (m == 2) { const U e[8] = {0, top, half, U(half + 1), 1, U(top - 1), U(half - 1), U(half + 2)}; return T(e[r >> 5 & 7]); }
            if (m == 3) return T(U(100 + r % 9));
            return T(U(r ^ next() << 7));
        }
    }
    template <class T> T* buf(long n, int align_shift = -1)
    {
        if (n < 0) n = 0;
        const int shift = align_shift >= 0 ? align_shift : GUARD ? pick(0, 7) : 0;
        const size_t total = (size_t(n) + 2 * GUARD + (GUARD ? 8 : 0)) * sizeof(T);
        uint8_t* raw = (uint8_t*)aligned_alloc_(total);
        T* t = (T*)raw;
        for (size_t i = 0; i < total / sizeof(T); ++i) t[i] = value<T>();
        const size_t lo = (GUARD + size_t(shift)) * sizeof(T);
        blocks.push_back({raw, total, lo, lo + size_t(n) * sizeof(T)});
        return (T*)(raw + lo);
    }
    static void* aligned_alloc_(size_t n)
    {
        void* p = nullptr;
        if (posix_memalign(&p, 64, n ? n : 1)) abort();
        return p;
    }
    uint8_t* u8(long n) { return buf<uint8_t>(n); }
    int8_t* s8(long n) { return buf<int8_t>(n); }
    uint16_t* u16(long n) { return buf<uint16_t>(n); }
    int16_t* s16(long n) { return buf<int16_t>(n); }
    uint32_t* u32(long n) { return buf<uint32_t>(n); }
    int32_t* s32(long n) { return buf<int32_t>(n); }
    float* f32(long n) { return buf<float>(n); }
    void result(double v) { results.push_back(v); }
    void reset(int w_, int h_, int m_, uint32_t s)
    {
        for (auto& b : blocks) free(b.p);
        blocks.clear(); results.clear();
        w = w_; h = h_; mode = m_; seed = s * 2654435761u + 12345u;
    }
};

static int g_failed, g_passed;
static const char* g_only;
static int g_rounds = 1;

// arguments are evaluated, and so their buffers made, whether there is a function or not
template <class F, class... A> void call(F f, A... a)
{
    if (f) f(a...);
}
template <class F, class... A> double callr(F f, A... a)
{
    return f ? double(f(a...)) : 0.0;
}

// 0: same; 1: other bytes; 2: a guard was written; 3: other result
template <class Body, class F> int compare(Body body, F f, F g, int w, int h, int m, uint32_t seed)
{
    static Rig a, b, fresh;
    a.reset(w, h, m, seed); b.reset(w, h, m, seed);
    body(a, f); body(b, g);
    for (size_t i = 0; i < a.results.size(); ++i)
        if (memcmp(&a.results[i], &b.results[i], 8)) return 3;
    for (size_t i = 0; i < a.blocks.size(); ++i)
        if (memcmp(a.blocks[i].p, b.blocks[i].p, a.blocks[i].bytes)) return 1;
    fresh.reset(w, h, m, seed);
    body(fresh, F(nullptr));
    for (size_t i = 0; i < a.blocks.size(); ++i) {
        auto& x = a.blocks[i]; auto& y = fresh.blocks[i];
        if (memcmp(x.p, y.p, x.lo) || memcmp(x.p + x.hi, y.p + x.hi, x.bytes - x.hi)) return 2;
    }
    return 0;
}

template <class F, class Body> bool check(const char* name, F f, F g, Body body, int w0 = 0, int w1 = 70, int hmax = 5)
{
    if (g_only && !strstr(name, g_only)) return true;
    long runs = 0;
    uint32_t seed = 1;
    for (int k = 0; k < g_rounds * (hmax + 1); ++k)
        for (int w = w0, h = k % (hmax + 1); w <= w1; ++w)
            for (int m = 0; m < 5; ++m, ++seed, ++runs)
                if (int why = compare(body, f, g, w, h, m, seed)) {
                    static const char* const t[] = {"", "other bytes", "wrote outside", "other result"};
                    printf("%-34s DIFFERS  (%s at w=%d h=%d mode=%d seed=%u)\n", name, t[why], w, h, m, seed);
                    ++g_failed;
                    return false;
                }
    printf("%-34s agrees   (%ld runs)\n", name, runs);
    ++g_passed;
    return true;
}

// The body sets up buffers in the same order whatever f is, and calls f unless it is null.
#define CALL(...) call(f, __VA_ARGS__)
#define CALLR(...) r.result(callr(f, __VA_ARGS__))
#define PAIR(ret, name, ...) ret name __VA_ARGS__; ret name##_c __VA_ARGS__;
#define CHECK(name, ...) check(#name, &name, &name##_c, [](Rig& r, decltype(&name) f) __VA_ARGS__)
#define CHECKW(name, w0, w1, ...) check(#name, &name, &name##_c, [](Rig& r, decltype(&name) f) __VA_ARGS__, w0, w1)
