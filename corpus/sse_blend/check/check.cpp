// g++ -O1 -std=c++17 -mavx2 corpus/sse_blend/*.cpp corpus/sse_blend/scalar/*.cpp corpus/sse_blend/check/check.cpp -o /tmp/sse_blend_check && /tmp/sse_blend_check
//
// Runs every kernel and its scalar twin on the same buffers and compares all bytes, the
// guard bytes around and between the rows included. Widths 0..70, heights 0..5, odd
// strides, bases aligned to the element only (except where a kernel asks for more).
// Under -fsanitize=address the last row ends where the allocation ends, so that a read
// past it is seen; -DTIGHT does that without it. Names as arguments run those kernels only. With
// `tall` before them, heights are 0..70, and widths some.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(TIGHT)
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

// ---- avx2_rows
#define ROW32(fn) PAIR(fn, (u32 *, const u32 *, int), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w);)
ROW32(rowOver_avx2)
PAIR(rowTo565_avx2, (u16 *, const u32 *, int), auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w);)
PAIR(rowAlpha_avx2, (u8 *, const u32 *, int), auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w);)
PAIR(rowInterleave_avx2, (u32 *, const u8 *, const u8 *, const u8 *, const u8 *, int),
     auto d = r.plane<u32>(w, 0, 1); auto a = r.plane<u8>(w, 0, 1); auto b = r.plane<u8>(w, 0, 1); auto c = r.plane<u8>(w, 0, 1); auto e = r.plane<u8>(w, 0, 1);
     F(d.p, a.p, b.p, c.p, e.p, w);)
PAIR(rowCrossFade_avx2, (u8 *, const u8 *, const u8 *, int, int),
     auto d = r.plane<u8>(w, 0, 1); auto a = r.plane<u8>(w, 0, 1); auto b = r.plane<u8>(w, 0, 1); F(d.p, a.p, b.p, w, r.pick(0, 256));)
PAIR(rowTableMode_avx2, (u8 *, const u8 *, int, const u8 *),
     auto d = r.plane<u8>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); static u8 table[65536 + 3];
     for (int i = 0; i < 65536; ++i) table[i] = (u8)(i * 2654435761u >> 13); F(d.p, s.p, w, table);)
PAIR(rowGreyMultiply_avx2, (u32 *, const u8 *, int, int), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); F(d.p, s.p, w, r.pick(0, 255));)
PAIR(rowLerp15_avx2, (int16_t *, const int16_t *, int, int16_t), auto d = r.plane<int16_t>(w, 0, 1); auto s = r.plane<int16_t>(w, 0, 1); F(d.p, s.p, w, (int16_t)r.pick(0, 32767));)

// ---- deep16
#define ROW16(fn, flags) PAIR(fn, (u16 *, const u16 *, int), auto d = r.plane<u16>(w, flags, 1); auto s = r.plane<u16>(w, flags, 1); F(d.p, s.p, w);)
ROW16(deepMultiply, 0)
PAIR(deepScreen, (u16 *, int, const u16 *, int, int, int), auto d = r.plane<u16>(w); auto s = r.plane<u16>(w); F(d.p, d.s, s.p, s.s, w, h);)
PAIR(deepNormal, (u16 *, const u16 *, int, u16), auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u16>(w, 0, 1); F(d.p, s.p, w, (u16)r.pick(0, 65535));)
ROW16(deepDarken, 0)
ROW16(deepLighten, 0)
PAIR(deepLinearSplit, (u16 *, const u16 *, int, int), auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u16>(w, 0, 1); F(d.p, s.p, w, r.pick(0, 80));)
ROW16(one15Multiply, kTop15)
PAIR(one15FromU16, (u16 *, int), auto d = r.plane<u16>(w, 0, 1); F(d.p, w);)
PAIR(deepOverStraightRGBA, (u16 *, const u16 *, int), auto d = r.plane<u16>(4 * w, 0, 1); auto s = r.plane<u16>(4 * w, 0, 1); F(d.p, s.p, w);)

// ---- alpha_convert
struct Surface { u8 *base; int pitch; int w, h; };
PAIR(PremultiplyBGRA, (u8 *, int, int, int), auto d = r.plane<u8>(4 * w); F(d.p, d.b, w, h);)
PAIR(UnpremultiplyBGRA, (u8 *, const u8 *, int), auto d = r.plane<u8>(4 * w, 0, 1); auto s = r.plane<u8>(4 * w, 0, 1); F(d.p, s.p, w);)
PAIR(BlendStraightOpaque, (Surface *, const Surface *),
     auto d = r.plane<u8>(4 * w); auto s = r.plane<u8>(4 * w); int cut = r.pick(0, 2);
     Surface to = {d.p, d.b, w, h - (h > 1)}; Surface from = {s.p, s.b, w > cut ? w - cut : w, h}; F(&to, &from);)
PAIR(BlendStraightOnBGR24, (u8 *, const u8 *, int), auto d = r.plane<u8>(3 * w, 0, 1); auto s = r.plane<u8>(4 * w, 0, 1); F(d.p, s.p, w);)
PAIR_R(int, FixMissingAlpha, (u8 *, int), auto d = r.plane<u8>(4 * w, 0, 1); if (r.next() & 1) for (int i = 0; i < w; ++i) d.p[4 * i + 3] = 0; r.result(F(d.p, w));)

// ---- video_mix
PAIR(mc_avg, (u8 *, ptrdiff_t, const u8 *, ptrdiff_t, const u8 *, ptrdiff_t, int, int),
     w &= ~7; auto d = r.plane<u8>(w); auto a = r.plane<u8>(w); auto b = r.plane<u8>(w); if (h) F(d.p, d.b, a.p, a.b, b.p, b.b, w, h);)
PAIR(mc_biweight, (u8 *, ptrdiff_t, const u8 *, ptrdiff_t, int, int, int, int, int, int),
     w &= ~7; auto d = r.plane<u8>(w); auto a = r.plane<u8>(w); int l = r.pick(0, 6); int w0 = r.pick(-64, 63); int w1 = r.pick(-64, 63);
     F(d.p, d.b, a.p, a.b, w, h, l, w0, w1, r.pick(-128, 127));)
PAIR(fade_plane, (u8 *, ptrdiff_t, int, int, int, int), auto d = r.plane<u8>(w); int l = r.pick(0, 255); F(d.p, d.b, w, h, l, r.pick(0, 256));)
PAIR(crossfade_quarters, (u8 *, const u8 *, const u8 *, size_t, int),
     auto d = r.plane<u8>(w, 0, 1); auto a = r.plane<u8>(w, 0, 1); auto b = r.plane<u8>(w, 0, 1); F(d.p, a.p, b.p, w, (int)(r.next() % 5));)
PAIR(osd_blend_luma, (u8 *, ptrdiff_t, const u8 *, const u8 *, ptrdiff_t, int, int),
     auto d = r.plane<u8>(w); auto o = r.plane<u8>(w, kDense); auto a = r.plane<u8>(w, kDense); F(d.p, d.b, o.p, a.p, o.b, w, h);)
PAIR(osd_blend_nv12_chroma, (u8 *, ptrdiff_t, const u8 *, ptrdiff_t, const u8 *, ptrdiff_t, int, int),
     auto d = r.plane<u8>(2 * w); auto o = r.plane<u8>(2 * w); auto a = r.plane<u8>(2 * w, 0, 2 * h); F(d.p, d.b, o.p, o.b, a.p, a.b, w, h);)
PAIR(mc_obmc8, (u8 *, ptrdiff_t, const u8 *, ptrdiff_t, const u8 *, int),
     auto d = r.plane<u8>(8); auto p = r.plane<u8>(8); auto m = r.plane<u8>(8, 0, 1); for (int i = 0; i < 8; ++i) m.p[i] = (u8)(m.p[i] % 65);
     F(d.p, d.b, p.p, p.b, m.p, h);)
PAIR(deflicker, (u8 *, const u8 *, ptrdiff_t, int, int),  // writes the padding of dst
     int pw = (w + 15) & ~15; auto d = r.plane<u8>(pw, kAligned16 | kDense); auto s = r.plane<u8>(pw, kAligned16 | kDense);
     F(d.p, s.p, d.b, w, h); for (int y = 0; y < h; ++y) memset(d.p + y * d.b + w, 0, (size_t)(pw - w));)
PAIR(add_residual, (u8 *, ptrdiff_t, const int16_t *, int, int), auto d = r.plane<u8>(w); auto s = r.plane<int16_t>(w, kDense); F(d.p, d.b, s.p, w, h);)

// ---- sprite_blit
struct ClipRect { int x0, y0, x1, y1; };
struct Layer { u32 *pixels; int pitch; int width, height; };
PAIR(BlitColorKey32, (u32 *, int, const u32 *, int, int, int, u32),
     auto d = r.plane<u32>(w); auto s = r.plane<u32>(w); u32 key = r.next(); if (w && h && (r.next() & 3)) key = s.p[0] ^ 0x5a000000u;
     F(d.p, d.s, s.p, s.s, w, h, key);)
PAIR(BlitColorKey16, (u16 *, const u16 *, int, u16), auto d = r.plane<u16>(w, 0, 1); auto s = r.plane<u16>(w, 0, 1); F(d.p, s.p, w, r.next() & 1 ? 0xffff : 0);)
PAIR(ChromaKeyAlpha, (u32 *, int, u32, int, int),
     auto d = r.plane<u32>(w, 0, 1); u32 key = r.color(); int nearDist = r.pick(0, 765); F(d.p, w, key, nearDist, r.pick(0, 127));)
PAIR(FadeToBlack, (u32 *, int, int, int, int), auto d = r.plane<u32>(w); F(d.p, d.s, w, h, r.pick(0, 256));)
#define CLIPPED                                                                                  \
    auto d = r.plane<u32>(w); auto s = r.plane<u32>(w);                                          \
    Layer to = {d.p, d.s, w, h}; Layer from = {s.p, s.s, w, h};                                  \
    int x = r.pick(-9, 9), y = r.pick(-3, 3);                                                    \
    ClipRect c = {r.pick(-2, 12), r.pick(-1, 2), w - r.pick(-2, 9), h - r.pick(-1, 2)};
PAIR(BlitAdditiveClipped, (const Layer *, const Layer *, int, int, const ClipRect *, int), CLIPPED F(&to, &from, x, y, &c, r.pick(0, 256));)
PAIR(BlitLayerClipped, (const Layer *, const Layer *, int, int, const ClipRect *), CLIPPED F(&to, &from, x, y, &c);)
PAIR(FlashStencil, (u32 *, int, const u8 *, int, int, int, u32),
     auto d = r.plane<u32>(w); auto s = r.plane<u8>((w + 7) / 8); F(d.p, d.s, s.p, s.b, w, h, r.color());)

// ---- print_inks
PAIR(ink_overprint, (u8 *, const u8 *, int, int, int),  // writes the padding of the band
     auto d = r.plane<u8>((w + 15) & ~15, kAligned16 | kDense); auto s = r.plane<u8>((w + 15) & ~15, kAligned16 | kDense);
     F(d.p, s.p, d.b, w, h); for (int y = 0; y < h; ++y) memset(d.p + y * d.b + w, 0, (size_t)(d.b - w));)
PAIR(ink_knockout, (u32 *, const u8 *, int, int, u32), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u8>(w, 0, 1); int l = r.pick(0, 255); F(d.p, s.p, w, l, r.color());)
PAIR(ink_gcr, (u8 *, u8 *, u8 *, u8 *, int, int),
     auto a = r.plane<u8>(w, 0, 1); auto b = r.plane<u8>(w, 0, 1); auto c = r.plane<u8>(w, 0, 1); auto d = r.plane<u8>(w, 0, 1);
     F(a.p, b.p, c.p, d.p, w, r.pick(0, 256));)
PAIR(ink_preview, (u32 *, const u32 *, int), auto d = r.plane<u32>(w, 0, 1); auto s = r.plane<u32>(w, 0, 1); F(d.p, s.p, w);)
PAIR(ink_limit, (u32 *, int, int), auto d = r.plane<u32>(w, 0, 1); F(d.p, w, r.pick(256, 1020));)
PAIR(ink_halftone_row, (u8 *, const u8 *, const u8 *, int),
     auto d = r.plane<u8>((w + 7) / 8, 0, 1); auto s = r.plane<u8>((w + 15) & ~15, kAligned16, 1); auto t = r.plane<u8>(16, 0, 1); F(d.p, s.p, t.p, w);)

// ---- porter_duff
#define RECT_PD(fn) PAIR(fn, (u8 *, ptrdiff_t, const u8 *, ptrdiff_t, int, int), \
    int f = r.next() & 1 ? kDense : 0; auto d = r.plane<u8>(4 * w, f); auto s = r.plane<u8>(4 * w, f); F(d.p, d.b, s.p, s.b, w, h);)
RECT_PD(compositeOut)
RECT_PD(compositeDestIn)
RECT_PD(compositeDestAtop)
RECT_PD(compositeMultiply)
RECT_PD(compositeScreen)
RECT_PD(compositeDarken)
RECT_PD(compositeLighten)

// ---- packed24
PAIR(mixMasked24, (u8 *, ptrdiff_t, const u8 *, ptrdiff_t, const u8 *, ptrdiff_t, int, int),
     auto d = r.plane<u8>(3 * w); auto s = r.plane<u8>(3 * w); auto m = r.plane<u8>(w); F(d.p, d.b, s.p, s.b, m.p, m.b, w, h);)
PAIR(tint24, (u8 *, size_t, const u8 *, const u8 *), auto d = r.plane<u8>(3 * w, 0, 1); auto c = r.plane<u8>(3, 0, 1); auto k = r.plane<u8>(3, 0, 1); F(d.p, w, c.p, k.p);)
PAIR(relight24, (u8 *, const u8 *, int, const u16 *),
     auto d = r.plane<u8>(3 * w, 0, 1); auto s = r.plane<u8>(w, 0, 1); auto t = r.plane<u16>(256, 0, 1);
     t.p[0] = 1; for (int i = 1; i < 256; ++i) t.p[i] = (u16)(4096 / i); F(d.p, s.p, w, t.p);)
PAIR(checkerPreview24, (u8 *, const u32 *, int, int, u8, u8),
     auto d = r.plane<u8>(3 * w, 0, 1); auto s = r.plane<u32>(w, 0, 1); int y = r.pick(0, 20); u8 a = (u8)r.next(); F(d.p, s.p, w, y, a, (u8)r.next());)

// ---- float_avx
enum AovMode { kAovAdd, kAovMultiply, kAovScreen, kAovDivide, kAovModes };
PAIR(aovBlend, (float *, const float *, ptrdiff_t, int, int, AovMode, float),  // writes the padding of dst
     int pw = (w + 7) & ~7; auto d = r.plane<float>(pw, kAligned32 | kDense); auto s = r.plane<float>(pw, kAligned32 | kDense);
     AovMode mode = (AovMode)(r.next() % kAovModes); F(d.p, s.p, d.s, w, h, mode, r.pick(0, 16) / 16.0f);
     for (int y = 0; y < h; ++y) memset(d.p + y * d.s + w, 0, 4 * (size_t)(pw - w));)
PAIR(plateOver, (float *, const float *, int), auto d = r.plane<float>(4 * w, 0, 1); auto s = r.plane<float>(4 * w, 0, 1); F(d.p, s.p, w);)
PAIR(holdout, (float *, const float *, int), auto d = r.plane<float>(w, 0, 1); auto s = r.plane<float>(w, 0, 1); F(d.p, s.p, w);)
PAIR(platePremultiplyToPlanes, (float *, float *, float *, float *, const float *, int),
     auto a = r.plane<float>(w, 0, 1); auto b = r.plane<float>(w, 0, 1); auto c = r.plane<float>(w, 0, 1); auto d = r.plane<float>(w, 0, 1);
     auto s = r.plane<float>(4 * w, 0, 1); F(a.p, b.p, c.p, d.p, s.p, w);)
PAIR(depthMerge, (float **, const float *const *, int),
     float *d[4]; const float *s[4]; for (int c = 0; c < 4; ++c) { d[c] = r.plane<float>(w, 0, 1).p; s[c] = r.plane<float>(w, 0, 1).p; } F(d, s, w);)
PAIR(matteMix, (float *, const float *, const u8 *, int),
     auto d = r.plane<float>(w, 0, 1); auto s = r.plane<float>(w, 0, 1); auto m = r.plane<u8>(w, 0, 1); F(d.p, s.p, m.p, w);)

static bool isMeant(const char *name, int argc, char **argv, int first)
{
    for (int i = first; i < argc; ++i)
        if (!strcmp(argv[i], name))
            return true;
    return first == argc;
}

int main(int argc, char **argv)
{
    const bool tall = argc > 1 && !strcmp(argv[1], "tall");
    const int maxH = tall ? 70 : 5, stepW = tall ? 11 : 1, cases = tall ? 4 : 12;
    int bad = 0, count = 0;
    for (const Test &t : tests()) {
        if (!isMeant(t.name, argc, argv, tall ? 2 : 1))
            continue;
        ++count;
        long calls = 0;
        bool ok = true;
        for (int h = 0; h <= maxH && ok; ++h)
            for (int w = 0; w <= 70 && ok; w += stepW)
                for (int k = 0; k < cases && ok; ++k) {
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
