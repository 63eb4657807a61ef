// g++ -O1 -std=c++17 -mavx2 corpus/sse_blend/*.cpp corpus/sse_blend/scalar/*.cpp corpus/sse_blend/check/check.cpp -o /tmp/sse_blend_check && /tmp/sse_blend_check
//
// Runs every kernel and its scalar twin on the same buffers and compares all bytes, the
// guard bytes around and between the rows included. Widths 0..70, heights 0..5, odd
// strides, bases aligned to the element only (except where a kernel asks for more).
// Under -fsanitize=address the last row ends where the allocation ends, so that a read
// past it is seen. A name as argument runs that kernel only.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
enum { kMargin = 0 };
#else
enum { kMargin = 96 };
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
using std::ptrdiff_t;

enum Flags
{
    kPlain = 0,
    kAligned16 = 1,  // base and stride are multiples of 16 bytes
    kAligned32 = 2,
    kPadding = 4,    // rows are padded to the stride, the kernel may write there
    kDense = 8,      // stride equals the row
    kPremul = 16,    // 32 bit pixels, alpha in byte 3, no colour above alpha
    kTop15 = 32,     // 16 bit samples 0..32768
    kUnit = 64       // floats 0..1 only
};

template <class T> struct Plane
{
    T *p;
    int s;  // stride in elements
    int b;  // stride in bytes
};

struct Run
{
    struct Block
    {
        u8 *alloc;
        size_t size, base, row, stride;
        int rows, flags;
    };

    int w, h, kind;
    uint64_t state;
    std::vector<Block> blocks;
    std::vector<int64_t> results;

    Run(int w_, int h_, int kind_, uint64_t seed) : w(w_), h(h_), kind(kind_), state(seed) {}
    ~Run()
    {
        for (Block &b : blocks)
            free(b.alloc);
    }

    u32 next()
    {
        state += 0x9E3779B97F4A7C15ull;
        uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return (u32)(z >> 24);
    }
    int pick(int lo, int hi)
    {
        u32 r = next() % 8;
        if (r == 0)
            return lo;
        if (r == 1)
            return hi;
        return lo + (int)(next() % (u32)(hi - lo + 1));
    }
    u32 color() { return next(); }
    void result(int64_t v) { results.push_back(v); }

    void sample(u8 &v, int style, int) { v = style == 0 ? (u8)next() : style == 1 ? 0 : style == 2 ? 255 : (u8)(next() % 5 * 64 - (next() & 1)); }
    void sample(int8_t &v, int style, int f) { u8 t; sample(t, style, f); v = (int8_t)t; }
    void sample(u16 &v, int style, int flags)
    {
        v = style == 0 ? (u16)next() : style == 1 ? 0 : style == 2 ? 65535 : (u16)(next() % 5 * 16384 - (next() & 1));
        if (flags & kTop15)
            v = style == 2 ? 32768 : (u16)(v % 32769);
    }
    void sample(int16_t &v, int style, int f) { u16 t; sample(t, style, f); v = (int16_t)t; }
    void sample(u32 &v, int style, int flags)
    {
        v = style == 0 ? next() : style == 1 ? 0 : style == 2 ? 0xffffffffu : next() | (next() & 1 ? 0xff000000u : 0x00ff00ffu);
        if (style == 3 && (next() & 1))
            v &= 0x00ffffffu;
        if (flags & kPremul) {
            u32 a = v >> 24, o = a << 24;
            for (int k = 0; k < 24; k += 8)
                o |= ((v >> k & 255) * a / 255) << k;
            v = o;
        }
    }
    void sample(float &v, int style, int flags)
    {
        v = style == 1 ? 0.0f : style == 2 ? 1.0f : (float)(next() & 0xffffff) / 16777215.0f;
        if (style == 3 && !(flags & kUnit))
            v = (float)((int)(next() % 4096) - 1024) / 512.0f;
    }

    template <class T> Plane<T> plane(int perRow, int flags = kPlain, int rows = -1)
    {
        Block b;
        b.rows = rows < 0 ? h : rows;
        b.flags = flags;
        b.row = (size_t)perRow * sizeof(T);
        size_t align = flags & kAligned32 ? 32 : flags & kAligned16 ? 16 : 0;
        size_t odd = next() % 9 * sizeof(T), off = next() % 17 * sizeof(T);
        b.stride = flags & kDense ? b.row : align ? (b.row + align - 1) / align * align + next() % 2 * align : b.row + odd;
        if (align)
            off = 0;
        b.base = kMargin + off;
        size_t body = b.rows ? b.stride * (size_t)(b.rows - 1) + ((flags & kPadding) || align ? b.stride : b.row) : 0;
        b.size = b.base + body + kMargin;
        void *mem = 0;
        if (posix_memalign(&mem, 64, b.size ? b.size : 1))
            abort();
        b.alloc = (u8 *)mem;
        memset(b.alloc, 0xA5, b.size);
        int style = 0, left = 0;
        for (int y = 0; y < b.rows; ++y)
            for (int x = 0; x < perRow; ++x) {
                if (left-- <= 0) {
                    left = (int)(next() % 24);
                    style = kind == 0 ? 0 : kind == 1 ? (int)(next() % 4) : kind == 2 ? 1 + (int)(next() % 2) : 3;
                }
                T v;
                sample(v, style, flags);
                memcpy(b.alloc + b.base + (size_t)y * b.stride + (size_t)x * sizeof(T), &v, sizeof(T));
            }
        blocks.push_back(b);
        Plane<T> r = {(T *)(b.alloc + b.base), (int)(b.stride / sizeof(T)), (int)b.stride};
        return r;
    }
};

static bool same(const Run &a, const Run &c, const char *&why)
{
    why = "result";
    if (a.results != c.results)
        return false;
    for (size_t i = 0; i < a.blocks.size(); ++i) {
        const Run::Block &p = a.blocks[i], &q = c.blocks[i];
        for (size_t k = 0; k < p.size; ++k) {
            size_t rel = k - p.base;
            bool inside = k >= p.base && p.rows && rel < p.stride * (size_t)p.rows;
            bool pixel = inside && p.stride && rel % p.stride < p.row;
            if (inside && !pixel && (p.flags & kPadding))
                continue;
            if (!pixel && (p.alloc[k] != 0xA5 || q.alloc[k] != 0xA5)) {
                why = p.alloc[k] != 0xA5 ? "guard (SIMD)" : "guard (scalar)";
                return false;
            }
            if (p.alloc[k] != q.alloc[k]) {
                static char text[100];
                snprintf(text, sizeof text, "buffer %d row %d byte %d: %d, want %d", (int)i, (int)(rel / p.stride), (int)(rel % p.stride), p.alloc[k], q.alloc[k]);
                why = text;
                return false;
            }
        }
    }
    return true;
}

struct Test
{
    const char *name;
    void (*body)(Run &, bool);
};

static std::vector<Test> &tests()
{
    static std::vector<Test> all;
    return all;
}

struct Register
{
    Register(const char *name, void (*body)(Run &, bool)) { tests().push_back({name, body}); }
};

// PAIR(kernel, (parameter types), statements that call F)
#define PAIR_R(type, fn, args, ...)                     \
    type fn args;                                       \
    type fn##_c args;                                   \
    static void test_##fn(Run &r, bool simd)            \
    {                                                   \
        type(*F) args = simd ? fn : fn##_c;             \
        int w = r.w, h = r.h;                           \
        (void)w, (void)h;                               \
        __VA_ARGS__                                     \
    }                                                   \
    static Register register_##fn(#fn, test_##fn);
#define PAIR(fn, args, ...) PAIR_R(void, fn, args, __VA_ARGS__)

// ---- argb32_spans
PAIR(blendSourceOverArgb32_sse2, (u8 *, int, const u8 *, int, int, int, int),
     auto d = r.plane<u32>(w); auto s = r.plane<u32>(w, kPremul);
     F((u8 *)d.p, d.b, (const u8 *)s.p, s.b, w, h, r.pick(0, 255));)
PAIR(compSolidSourceOver_sse2, (unsigned *, int, unsigned, unsigned),
     auto d = r.plane<u32>(w, 0, 1); u32 c = r.color(); F(d.p, w, c, r.pick(0, 255));)
#define SPAN(fn) PAIR(fn, (unsigned *, const unsigned *, int), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w);)
#define SPAN_A(fn) PAIR(fn, (unsigned *, const unsigned *, int, unsigned), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w, r.pick(0, 255));)
SPAN_A(compDestinationOver_sse2)
SPAN_A(compSourceIn_sse2)
SPAN(compDestinationOut_sse2)
SPAN(compSourceAtop_sse2)
SPAN(compXor_sse2)
SPAN_A(compPlus_sse2)

// ---- a8_masks
PAIR(a8_fill_solid, (u8 *, ptrdiff_t, const u8 *, ptrdiff_t, int, int, u32),
     auto d = r.plane<u32>(w); auto m = r.plane<u8>(w); u32 c = r.color(); if (r.next() & 1) c |= 0xff000000u;
     F((u8 *)d.p, d.b, m.p, m.b, w, h, c);)
PAIR(a8_intersect, (u8 *, const u8 *, size_t), auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); F(d.p, s.p, w);)
PAIR(a8_unite, (u8 *, const u8 *, size_t), auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); F(d.p, s.p, w);)
PAIR(a8_from_argb, (u8 *, const u32 *, int), auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w);)
PAIR(a8_into_argb, (u32 *, const u8 *, int), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); F(d.p, s.p, w);)
PAIR(a8_lcd_blit, (u32 *, const u32 *, int, u32), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w, r.color());)
PAIR_R(int, a8_threshold, (u8 *, ptrdiff_t, int, int, int), auto d = r.plane<u8>(w); r.result(F(d.p, d.b, w, h, r.pick(0, 255)));)
PAIR(a8_apply, (u32 *, const u8 *, int), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); F(d.p, s.p, w);)

// ---- layer_modes
#define ROW8(fn) PAIR(fn, (u8 *, const u8 *, int), auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); F(d.p, s.p, w);)
#define ROW8_A(fn) PAIR(fn, (u8 *, const u8 *, int, int), auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); F(d.p, s.p, w, r.pick(0, 255));)
#define ROW8_M(fn) PAIR(fn, (u8 *, const u8 *, const u8 *, int), auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); auto m = r.plane<u8>(w, 0, 1); F(d.p, s.p, m.p, w);)
ROW8_A(layerMultiply)
ROW8_A(layerScreen)
ROW8_A(layerOverlay)
ROW8_A(layerHardLight)
ROW8_A(layerSoftLight)
ROW8_A(layerExclusion)
ROW8(layerDifference)
ROW8_M(layerDarkenMasked)
ROW8_M(layerLightenMasked)
ROW8(layerDodge)
PAIR(layerBurn, (u8 *, const u8 *, int, const u16 *),
     auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); auto t = r.plane<u16>(256, 0, 1);
     t.p[0] = 65535; for (int i = 1; i < 256; ++i) t.p[i] = (u16)((65280 + i - 1) / i); F(d.p, s.p, w, t.p);)
PAIR(layerAddScaled, (u8 *, const u8 *, int, int, int),
     auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); int k = r.pick(0, 511); F(d.p, s.p, w, k, r.pick(-255, 255));)
ROW8(layerGrainMerge)

// ---- rgb565
PAIR(rgb32_to_565, (u16 *, const u32 *, int), auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w);)
PAIR(rgb565_to_32, (u32 *, const u16 *, int), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u16>(w, 0, 1); F(d.p, s.p, w);)
PAIR(blend565_alpha, (u16 *, int, const u16 *, int, int, int, int),
     auto d = r.plane<u16>(w); auto s = r.plane<u16>(w); F(d.p, d.s, s.p, s.s, w, h, r.pick(0, 32));)
PAIR(average16bpp, (u16 *, const u16 *, const u16 *, int, u16),
     auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u16>(w, 0, 1); auto t = r.plane<u16>(w, 0, 1);
     F(d.p, s.p, t.p, w, r.next() & 1 ? 0xf7de : 0x7bde);)
PAIR(rgb565_to_555, (u16 *, const u16 *, int), auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u16>(w, 0, 1); F(d.p, s.p, w);)
PAIR(rgb32_to_565_dither, (u16 *, const u32 *, int, int, int),
     auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); int x0 = r.pick(0, 9); F(d.p, s.p, w, x0, r.pick(0, 9));)
PAIR(argb_over_565, (u16 *, const u32 *, int), auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w);)
PAIR(fill565, (u16 *, int, int, int, u16), auto d = r.plane<u16>(w); F(d.p, d.s, w, h, (u16)r.next());)

// ---- float_rgba
PAIR(fOver, (float *, const float *, size_t, float),
     auto d = r.plane<float>(4 * w, 0, 1); auto s = r.plane<float>(4 * w, 0, 1); F(d.p, s.p, w, r.pick(0, 16) / 16.0f);)
PAIR(fOverStraight, (float *, const float *, size_t), auto d = r.plane<float>(4 * w, 0, 1); auto s = r.plane<float>(4 * w, 0, 1); F(d.p, s.p, w);)
PAIR(fPremultiply, (float *, size_t), auto d = r.plane<float>(4 * w, 0, 1); F(d.p, w);)
PAIR(fUnpremultiply, (float *, size_t), auto d = r.plane<float>(4 * w, 0, 1); F(d.p, w);)
PAIR(fSoftLight, (float *, const float *, int), auto d = r.plane<float>(w, kUnit, 1); auto s = r.plane<float>(w, kUnit, 1); F(d.p, s.p, w);)
PAIR(fMix, (float *, ptrdiff_t, const float *, ptrdiff_t, const float *, ptrdiff_t, const float *, ptrdiff_t, int, int),
     auto d = r.plane<float>(4 * w); auto a = r.plane<float>(4 * w); auto b = r.plane<float>(4 * w); auto m = r.plane<float>(w);
     F(d.p, d.s, a.p, a.s, b.p, b.s, m.p, m.s, w, h);)
PAIR(fToBytes, (u8 *, const float *, size_t), auto d = r.plane<u8>(4 * w, 0, 1); auto s = r.plane<float>(4 * w, 0, 1); F(d.p, s.p, w);)
PAIR_R(float, fCoverage, (const float *, size_t, float *),
       auto s = r.plane<float>(4 * w, 0, 1); auto d = r.plane<float>(1, 0, 1); float a = F(s.p, w, d.p); int32_t bits; memcpy(&bits, &a, 4); r.result(bits);)

//@@TESTS@@

int main(int argc, char **argv)
{
    int bad = 0, count = 0;
    for (const Test &t : tests()) {
        if (argc > 1 && strcmp(argv[1], t.name))
            continue;
        ++count;
        long calls = 0;
        bool ok = true;
        for (int h = 0; h <= 5 && ok; ++h)
            for (int w = 0; w <= 70 && ok; ++w)
                for (int k = 0; k < 12 && ok; ++k) {
                    uint64_t seed = ((uint64_t)h * 71 + (uint64_t)w) * 64 + (uint64_t)k;
                    Run a(w, h, k & 3, seed), c(w, h, k & 3, seed);
                    t.body(a, true);
                    t.body(c, false);
                    const char *why;
                    ok = same(a, c, why);
                    ++calls;
                    if (!ok)
                        printf("%-34s DIFFERS at width %d height %d case %d: %s\n", t.name, w, h, k, why);
                }
        if (ok)
            printf("%-34s equal (%ld calls)\n", t.name, calls);
        bad += !ok;
    }
    printf("%d kernels, %d differ\n", count, bad);
    return bad != 0;
}
