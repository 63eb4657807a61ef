// build: sh build.sh   (in this folder; "sh build.sh -fsanitize=address,undefined" for the other run)
//
// Runs every function of this folder against its scalar twin: widths 0..70, heights 0..5, odd
// strides, unaligned bases, random and extreme contents. Whole allocations are compared, the
// space between rows and the guards before and after included. With TIGHT defined there are no
// guards, so that the address sanitizer sees reads beyond the documented area. Names as arguments
// run those functions only. With `tall` before them, heights are 0..70, and widths some.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#ifdef TIGHT
static const size_t kGuard = 0;
#else
static const size_t kGuard = 96;
#endif

static uint64_t g_seed = 88172645463325252ull;
static uint32_t rnd()
{
    g_seed ^= g_seed << 13;
    g_seed ^= g_seed >> 7;
    g_seed ^= g_seed << 17;
    return (uint32_t)(g_seed >> 16);
}
static int rnd(int lo, int hi) { return lo + (int)(rnd() % (uint32_t)(hi - lo + 1)); }

static int g_mode;
static bool g_ok;
static std::string g_where;
static int g_w, g_h;

static void bad(const char *what)
{
    if (g_ok) {
        char t[100];
        snprintf(t, sizeof t, "%s at width %d height %d mode %d", what, g_w, g_h, g_mode);
        g_where = t;
    }
    g_ok = false;
}

static void fill(uint8_t *p, size_t n)
{
    static const uint8_t edge[] = {0, 1, 2, 127, 128, 129, 254, 255};
    int walk = rnd(0, 255);
    for (size_t i = 0; i < n; i++)
        switch (g_mode) {
        case 0: p[i] = (uint8_t)rnd(); break;
        case 1: p[i] = 0; break;
        case 2: p[i] = 255; break;
        case 3: p[i] = rnd() & 1 ? 255 : 0; break;
        case 4: p[i] = edge[rnd() & 7]; break;
        default:
            walk += rnd(-4, 4);
            walk = walk < 0 ? 0 : walk > 255 ? 255 : walk;
            p[i] = (uint8_t)walk;
        }
}

// A pair of equal planes, one for each side. Elements of es bytes, border elements around.
struct Plane {
    int stride;  // bytes
    int es;
    size_t size, off;
    uint8_t *mem[2];

    Plane(int w, int h, int es_, int border = 0, int align = 0) : es(es_)
    {
        int row = (w + 2 * border) * es;
        if (align) {
            stride = (row + align - 1) / align * align + align * rnd(0, 1);
            off = (size_t)align * 2;
            row = stride;
        } else {
            stride = row + es * rnd(0, 7);
            off = (size_t)es * (size_t)rnd(0, 15);
        }
        size_t body = h + 2 * border > 0 ? (size_t)stride * (size_t)(h + 2 * border - 1) + (size_t)row : 0;
        size = off + kGuard + body + kGuard;
        off += kGuard + (size_t)border * (size_t)(stride + es);
        for (int s = 0; s < 2; s++)
            mem[s] = (uint8_t *)aligned_alloc(64, (size + 63) / 64 * 64 + (size % 64 == 0 ? 64 : 0));
#ifdef TIGHT
        // the end of the plane is the end of the allocation
        for (int s = 0; s < 2; s++) {
            free(mem[s]);
            void *p = nullptr;
            if (posix_memalign(&p, 64, size ? size : 1)) abort();
            mem[s] = (uint8_t *)p;
        }
#endif
        fill(mem[0], size);
        same();
    }
    Plane(const Plane &) = delete;
    void same() { memcpy(mem[1], mem[0], size); }
    ~Plane()
    {
        if (memcmp(mem[0], mem[1], size)) bad("bytes differ");
        free(mem[0]);
        free(mem[1]);
    }
    template <class T> T *p(int side) { return (T *)(mem[side] + off); }
    uint8_t *u8(int side) { return p<uint8_t>(side); }
    int16_t *s16(int side) { return p<int16_t>(side); }
    uint16_t *u16(int side) { return p<uint16_t>(side); }
    int32_t *s32(int side) { return p<int32_t>(side); }
    uint32_t *u32(int side) { return p<uint32_t>(side); }
    float *f32(int side) { return p<float>(side); }

    // finite floats in place of raw bytes
    Plane &floats(float lo, float hi)
    {
        for (size_t i = off % (size_t)es; i + 4 <= size; i += 4) {
            float v;
            switch (g_mode) {
            case 1: v = 0.0f; break;
            case 2: v = hi; break;
            case 3: v = rnd() & 1 ? lo : hi; break;
            case 4: v = (float)rnd(-600, 600) * 0.5f; v = v < lo ? lo : v > hi ? hi : v; break;
            default: v = lo + (hi - lo) * (float)(rnd() % 65536u) / 65535.0f;
            }
            memcpy(mem[0] + i, &v, 4);
        }
        same();
        return *this;
    }
    // every int16 brought into lo..hi
    Plane &range16(int lo, int hi)
    {
        for (size_t i = off % 2; i + 2 <= size; i += 2) {
            int16_t v;
            memcpy(&v, mem[0] + i, 2);
            v = (int16_t)(v < lo || v > hi ? (g_mode == 2 ? hi : g_mode == 3 ? (v < 0 ? lo : hi) : lo + (uint16_t)v % (hi - lo + 1)) : v);
            memcpy(mem[0] + i, &v, 2);
        }
        same();
        return *this;
    }
};

#define PAIR(R, N, ARGS) R N ARGS; R N##_c ARGS
#define PICK(N) (side ? N##_c : N)
#define RUN(CALL) for (int side = 0; side < 2; side++) { CALL; }
#define RET(T, CALL) { T r_[2]; for (int side = 0; side < 2; side++) r_[side] = CALL; if (memcmp(&r_[0], &r_[1], sizeof(T))) bad("result differs"); }

static int g_failed, g_count;
static bool g_tall;
static std::vector<std::string> g_meant;

// Namespaces needn't be named.
static bool meant(const std::string &name)
{
    const std::string last = name.substr(name.rfind(':') + 1);
    for (const std::string &one : g_meant)
        if (one == name || one == last) return true;
    return g_meant.empty();
}

template <class F> static void test(const char *name, F body)
{
    if (!meant(name)) return;
    g_ok = true;
    for (g_mode = 0; g_mode < 6; g_mode++)
        for (g_w = 0; g_w <= 70; g_w += g_tall ? 11 : 1)
            for (g_h = 0; g_h <= (g_tall ? 70 : 5); g_h++)
                body(g_w, g_h);
    g_count++;
    g_failed += !g_ok;
    printf("%-28s %s\n", name, g_ok ? "equal" : ("DIFFERS: " + g_where).c_str());
}
#define T(N, ...) test(#N, [](int w, int h) { (void)w; (void)h; __VA_ARGS__ })

// ip_convolve.cpp
PAIR(void, ipConvolve3x3_8u, (const uint8_t *, int, uint8_t *, int, int, int, const int16_t *, int));
PAIR(void, ipGauss5x5_8u, (const uint8_t *, int, uint8_t *, int, int, int, uint16_t *));
PAIR(void, ipCrispen5_8u, (const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, ipFir3_16s, (const int16_t *, int16_t *, int, int16_t, int16_t, int16_t));
PAIR(void, ipConvolveRow_32f, (const float *, float *, int, const float *, int));
PAIR(void, ipBox3x3_8u, (const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, ipBoxColumns_8u, (const uint8_t *, int, uint8_t *, int, int, int, int, uint16_t *));
PAIR(void, ipUnsharp_8u, (const uint8_t *, const uint8_t *, int, uint8_t *, int, int, int, int, int));

static void check_convolve()
{
    T(ipConvolve3x3_8u, Plane s(w, h, 1, 1); Plane d(w, h, 1); Plane k(9, 1, 2); int sh = rnd(0, 15);
      RUN(PICK(ipConvolve3x3_8u)(s.u8(side), s.stride, d.u8(side), d.stride, w, h, k.s16(side), sh)));
    T(ipGauss5x5_8u, Plane s(w, h, 1, 2); Plane d(w, h, 1); Plane l(w + 4, 1, 2);
      RUN(PICK(ipGauss5x5_8u)(s.u8(side), s.stride, d.u8(side), d.stride, w, h, l.u16(side))));
    T(ipCrispen5_8u, Plane s(w, h, 1, 2); Plane d(w, h, 1);
      RUN(PICK(ipCrispen5_8u)(s.u8(side), s.stride, d.u8(side), d.stride, w, h)));
    T(ipFir3_16s, Plane s(w, 1, 2, 1); Plane d(w, 1, 2); int m = rnd(0, 3);
      int16_t a = m ? (int16_t)rnd() : -32768; int16_t b = m ? (int16_t)rnd() : -32768; int16_t c = (int16_t)rnd();
      RUN(PICK(ipFir3_16s)(s.s16(side), d.s16(side), w, a, b, c)));
    T(ipConvolveRow_32f, int n = rnd(1, 9); Plane s(w + n - 1, 1, 4); s.floats(-255, 255); Plane d(w, 1, 4); Plane k(n, 1, 4); k.floats(-1, 1);
      RUN(PICK(ipConvolveRow_32f)(s.f32(side), d.f32(side), w, k.f32(side), n)));
    T(ipBox3x3_8u, Plane s(w, h, 1, 1); Plane d(w, h, 1);
      RUN(PICK(ipBox3x3_8u)(s.u8(side), s.stride, d.u8(side), d.stride, w, h)));
    T(ipBoxColumns_8u, int r = rnd(0, 9) ? rnd(1, 6) : 127; Plane s(w, h, 1, r); Plane d(w, h, 1); Plane c(w, 1, 2);
      RUN(PICK(ipBoxColumns_8u)(s.u8(side), s.stride, d.u8(side), d.stride, w, h, r, c.u16(side))));
    T(ipUnsharp_8u, Plane s(w, 2 * h, 1); Plane d(w, h, 1); int am = rnd(0, 127); int th = rnd(0, 20);
      RUN(PICK(ipUnsharp_8u)(s.u8(side), s.u8(side) + h * s.stride, s.stride, d.u8(side), d.stride, w, h, am, th)));
}

// gradients.cpp
namespace fx {
PAIR(void, SobelMagnitude, (const uint8_t *, ptrdiff_t, uint8_t *, ptrdiff_t, int, int));
PAIR(void, PrewittMagnitude, (const uint8_t *, ptrdiff_t, uint8_t *, ptrdiff_t, int, int));
PAIR(void, ScharrMagnitude, (const uint8_t *, ptrdiff_t, uint8_t *, ptrdiff_t, int, int));
PAIR(void, ScharrXY, (const uint8_t *, ptrdiff_t, int16_t *, ptrdiff_t, int, int));
PAIR(void, LaplaceBiased, (const uint8_t *, ptrdiff_t, uint8_t *, ptrdiff_t, int, int));
PAIR(void, SlopeLength, (const float *, ptrdiff_t, float *, ptrdiff_t, int, int, float));
}

#define T_AREA(N, BORDER) T(N, Plane s(w, h, 1, BORDER); Plane d(w, h, 1); \
    RUN(PICK(N)(s.u8(side), s.stride, d.u8(side), d.stride, w, h)))

static void check_gradients()
{
    T_AREA(fx::SobelMagnitude, 1);
    T_AREA(fx::PrewittMagnitude, 1);
    T_AREA(fx::ScharrMagnitude, 1);
    T(fx::ScharrXY, Plane s(w, h, 1, 1); Plane d(2 * w, h, 2);
      RUN(PICK(fx::ScharrXY)(s.u8(side), s.stride, d.s16(side), d.stride / 2, w, h)));
    T_AREA(fx::LaplaceBiased, 1);
    T(fx::SlopeLength, Plane s(w, h, 4, 1); s.floats(-1000, 1000); Plane d(w, h, 4); float k = (float)rnd(1, 900) / 300.0f;
      RUN(PICK(fx::SlopeLength)(s.f32(side), s.stride / 4, d.f32(side), d.stride / 4, w, h, k)));
}

// ranks.cpp
PAIR(void, pt_grow3x3, (const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, pt_shrink_row, (const uint8_t *, uint8_t *, int, int));
PAIR(void, pt_despeckle3x3, (const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, pt_threshold, (const uint8_t *, int, uint8_t *, int, int, int, int, int, int));
PAIR(void, pt_soften_mask, (const uint8_t *, int, uint8_t *, int, int, int));

static void check_ranks()
{
    T_AREA(pt_grow3x3, 1);
    T(pt_shrink_row, int r = rnd(0, 5); Plane s(w, 1, 1, r); Plane d(w, 1, 1);
      RUN(PICK(pt_shrink_row)(s.u8(side), d.u8(side), w, r)));
    T_AREA(pt_despeckle3x3, 1);
    T(pt_threshold, Plane s(w, h, 1); Plane d(w, h, 1); int lv = rnd(0, 255); int lo = rnd(0, 255); int hi = rnd(0, 255);
      RUN(PICK(pt_threshold)(s.u8(side), s.stride, d.u8(side), d.stride, w, h, lv, lo, hi)));
    T_AREA(pt_soften_mask, 1);
}

// measure.cpp
PAIR(uint32_t, vt_sad, (const uint8_t *, int, const uint8_t *, int, int, int));
PAIR(int, vt_sad16x16_limit, (const uint8_t *, int, const uint8_t *, int, int));
PAIR(uint64_t, vt_ssd, (const uint8_t *, int, const uint8_t *, int, int, int));
PAIR(void, vt_min_max, (const uint8_t *, int, int, int, uint8_t *, uint8_t *));
PAIR(int, vt_mean, (const uint8_t *, int, int, int));
PAIR(int, vt_count_above, (const uint8_t *, int, int, int, int));
PAIR(void, vt_abs_diff, (const uint8_t *, int, const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, vt_running_diff, (const uint8_t *, uint8_t *, uint8_t *, int));
PAIR(void, vt_integral_u32, (const uint8_t *, int, uint32_t *, int, int, int));
PAIR(float, vt_peak_f32, (const float *, int));
PAIR(int32_t, vt_dot_s16, (const int16_t *, const int16_t *, int));

static void check_measure()
{
    T(vt_sad, Plane a(w, h, 1); Plane b(w, h, 1);
      RET(uint32_t, PICK(vt_sad)(a.u8(side), a.stride, b.u8(side), b.stride, w, h)));
    T(vt_sad16x16_limit, Plane a(16, 16, 1); Plane b(16, 16, 1); int best = rnd(0, 65536);
      RET(int, PICK(vt_sad16x16_limit)(a.u8(side), a.stride, b.u8(side), b.stride, best)));
    T(vt_ssd, Plane a(w, h, 1); Plane b(w, h, 1);
      RET(uint64_t, PICK(vt_ssd)(a.u8(side), a.stride, b.u8(side), b.stride, w, h)));
    T(vt_min_max, Plane a(w, h, 1); Plane lo(1, 1, 1); Plane hi(1, 1, 1);
      RUN(PICK(vt_min_max)(a.u8(side), a.stride, w, h, lo.u8(side), hi.u8(side))));
    T(vt_mean, Plane a(w, h, 1); RET(int, PICK(vt_mean)(a.u8(side), a.stride, w, h)));
    // long rows as well: the byte counters are folded after 255 vectors
    T(vt_count_above, int n = rnd(0, 39) ? w : 4000 + 16 * w; Plane a(n, h, 1); int lv = rnd(0, 255);
      RET(int, PICK(vt_count_above)(a.u8(side), a.stride, n, h, lv)));
    T(vt_abs_diff, Plane a(w, h, 1); Plane b(w, h, 1); Plane d(w, h, 1);
      RUN(PICK(vt_abs_diff)(a.u8(side), a.stride, b.u8(side), b.stride, d.u8(side), d.stride, w, h)));
    T(vt_running_diff, Plane a(w, 1, 1); Plane b(w, 1, 1); Plane d(w, 1, 1);
      RUN(PICK(vt_running_diff)(a.u8(side), b.u8(side), d.u8(side), w)));
    T(vt_integral_u32, Plane a(w, h, 1); Plane d(w, h, 4);
      RUN(PICK(vt_integral_u32)(a.u8(side), a.stride, d.u32(side), d.stride, w, h)));
    T(vt_peak_f32, Plane a(w, 1, 4); a.floats(-100, 50); RET(float, PICK(vt_peak_f32)(a.f32(side), w)));
    T(vt_dot_s16, Plane a(w, 1, 2); Plane b(w, 1, 2); RET(int32_t, PICK(vt_dot_s16)(a.s16(side), b.s16(side), w)));
}

// camcolor.cpp
PAIR(void, CamRgb24ToGray, (const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, CamSplitRgb24, (const uint8_t *, uint8_t *, uint8_t *, uint8_t *, int));
PAIR(void, CamMergeRgb24, (const uint8_t *, const uint8_t *, const uint8_t *, uint8_t *, int));
PAIR(void, CamSwapRB24, (uint8_t *, int, int, int));
PAIR(void, CamRgb24ToBgra32, (const uint8_t *, uint8_t *, int, uint8_t));
PAIR(void, CamBgra32ToRgb24, (const uint8_t *, uint8_t *, int));
PAIR(void, CamSplitBgra32, (const uint8_t *, uint8_t *const *, int));
PAIR(void, CamBgra32ToLuma, (const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, CamBgra32ToChroma420, (const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, CamNv12ToBgra32, (const uint8_t *, int, const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, CamYuyvToPlanar422, (const uint8_t *, uint8_t *, uint8_t *, uint8_t *, int));

static void check_camcolor()
{
    T(CamRgb24ToGray, Plane s(3 * w, h, 1); Plane d(w, h, 1);
      RUN(PICK(CamRgb24ToGray)(s.u8(side), s.stride, d.u8(side), d.stride, w, h)));
    T(CamSplitRgb24, Plane s(3 * w, 1, 1); Plane r(w, 1, 1); Plane g(w, 1, 1); Plane b(w, 1, 1);
      RUN(PICK(CamSplitRgb24)(s.u8(side), r.u8(side), g.u8(side), b.u8(side), w)));
    T(CamMergeRgb24, Plane s(3 * w, 1, 1); Plane r(w, 1, 1); Plane g(w, 1, 1); Plane b(w, 1, 1);
      RUN(PICK(CamMergeRgb24)(r.u8(side), g.u8(side), b.u8(side), s.u8(side), w)));
    T(CamSwapRB24, Plane s(3 * w, h, 1); RUN(PICK(CamSwapRB24)(s.u8(side), s.stride, w, h)));
    T(CamRgb24ToBgra32, Plane s(3 * w, 1, 1); Plane d(4 * w, 1, 1); uint8_t a = (uint8_t)rnd();
      RUN(PICK(CamRgb24ToBgra32)(s.u8(side), d.u8(side), w, a)));
    T(CamBgra32ToRgb24, Plane s(4 * w, 1, 1); Plane d(3 * w, 1, 1);
      RUN(PICK(CamBgra32ToRgb24)(s.u8(side), d.u8(side), w)));
    T(CamSplitBgra32, Plane s(4 * w, 1, 1); Plane a(w, 1, 1); Plane b(w, 1, 1); Plane c(w, 1, 1); Plane d(w, 1, 1);
      RUN(uint8_t *p[4]; p[0] = a.u8(side); p[1] = b.u8(side); p[2] = c.u8(side); p[3] = d.u8(side);
          PICK(CamSplitBgra32)(s.u8(side), p, w)));
    T(CamBgra32ToLuma, Plane s(4 * w, h, 1); Plane d(w, h, 1);
      RUN(PICK(CamBgra32ToLuma)(s.u8(side), s.stride, d.u8(side), d.stride, w, h)));
    T(CamBgra32ToChroma420, Plane s(4 * w, h, 1); Plane d((w + 1) / 2 * 2, (h + 1) / 2, 1);
      RUN(PICK(CamBgra32ToChroma420)(s.u8(side), s.stride, d.u8(side), d.stride, w, h)));
    T(CamNv12ToBgra32, Plane y(w, h, 1); Plane c((w + 1) / 2 * 2, (h + 1) / 2, 1); Plane d(4 * w, h, 1);
      RUN(PICK(CamNv12ToBgra32)(y.u8(side), y.stride, c.u8(side), c.stride, d.u8(side), d.stride, w, h)));
    T(CamYuyvToPlanar422, int n = w & ~1; Plane s(2 * n, 1, 1); Plane y(n, 1, 1); Plane u(n / 2, 1, 1); Plane v(n / 2, 1, 1);
      RUN(PICK(CamYuyvToPlanar422)(s.u8(side), y.u8(side), u.u8(side), v.u8(side), n)));
}

// scaler.cpp
PAIR(void, halveGrey, (const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, halveArgb32, (const uint32_t *, int, uint32_t *, int, int, int));
PAIR(void, stretchLineArgb32, (const uint32_t *, uint32_t *, int, uint32_t, uint32_t));
PAIR(void, mixLines, (const uint8_t *, const uint8_t *, uint8_t *, int, int));
PAIR(void, resampleVertical, (const uint8_t *const *, const int16_t *, int, uint8_t *, int));
PAIR(void, nearestLineArgb32, (const uint32_t *, uint32_t *, int, int, int));
PAIR(void, resampleRowFloat4, (const float *, const int32_t *, const float *, float *, int));

static void check_scaler()
{
    T(halveGrey, int ww = 2 * w + rnd(0, 1); int hh = 2 * h + rnd(0, 1); Plane s(ww, hh, 1); Plane d(w, h, 1);
      RUN(PICK(halveGrey)(s.u8(side), s.stride, d.u8(side), d.stride, ww, hh)));
    T(halveArgb32, Plane s(2 * w, 2 * h, 4); Plane d(w, h, 4);
      RUN(PICK(halveArgb32)(s.u32(side), s.stride, d.u32(side), d.stride, w, h)));
    T(stretchLineArgb32, uint32_t fx = rnd() & 0x1ffff; uint32_t st = (uint32_t)rnd(0, 0x28000);
      Plane s((int)((fx + st * (uint32_t)(w ? w - 1 : 0)) >> 16) + 2, 1, 4); Plane d(w, 1, 4);
      RUN(PICK(stretchLineArgb32)(s.u32(side), d.u32(side), w, fx, st)));
    T(mixLines, Plane a(w, 1, 1); Plane b(w, 1, 1); Plane d(w, 1, 1); int f = rnd(0, 3) ? rnd(0, 255) : 255;
      RUN(PICK(mixLines)(a.u8(side), b.u8(side), d.u8(side), w, f)));
    T(resampleVertical, int n = rnd(1, 8); Plane s(w, n, 1); Plane k(n, 1, 2); Plane d(w, 1, 1);
      RUN(const uint8_t *r[8]; for (int t = 0; t < n; t++) r[t] = s.u8(side) + t * s.stride;
          PICK(resampleVertical)(r, k.s16(side), n, d.u8(side), w)));
    T(nearestLineArgb32, int fx = (int)(rnd() & 0x1ffff); int st = rnd(0, 0x38000);
      Plane s(((fx + st * (w ? w - 1 : 0)) >> 16) + 1, 1, 4); Plane d(w, 1, 4);
      RUN(PICK(nearestLineArgb32)(s.u32(side), d.u32(side), w, fx, st)));
    T(resampleRowFloat4, Plane s(w + 4, 1, 4); s.floats(-100, 100); Plane k(4 * w, 1, 4); k.floats(-1, 1); Plane l(w, 1, 4); Plane d(w, 1, 4);
      for (int i = 0; i < w; i++) l.s32(0)[i] = rnd(0, w);
      l.same();
      RUN(PICK(resampleRowFloat4)(s.f32(side), l.s32(side), k.f32(side), d.f32(side), w)));
}

// orient.cpp
PAIR(void, or_transpose_u8, (const uint8_t *, ptrdiff_t, uint8_t *, ptrdiff_t, int, int));
PAIR(void, or_transpose_f32, (const float *, ptrdiff_t, float *, ptrdiff_t, int, int));
PAIR(void, or_rotate90_u32, (const uint32_t *, ptrdiff_t, uint32_t *, ptrdiff_t, int, int));
PAIR(void, or_mirror_u8, (const uint8_t *, ptrdiff_t, uint8_t *, ptrdiff_t, int, int));
PAIR(void, or_mirror_inplace_u32, (uint32_t *, ptrdiff_t, int, int));
PAIR(void, or_flip_inplace, (uint8_t *, ptrdiff_t, int, int));

static void check_orient()
{
    // tiles need more rows than 5
    T(or_transpose_u8, int hh = h * 3 + rnd(0, 2); Plane s(w, hh, 1); Plane d(hh, w, 1);
      RUN(PICK(or_transpose_u8)(s.u8(side), s.stride, d.u8(side), d.stride, w, hh)));
    T(or_transpose_f32, int hh = h + rnd(0, 4); Plane s(w, hh, 4); s.floats(-9, 9); Plane d(hh, w, 4); d.floats(-9, 9);
      RUN(PICK(or_transpose_f32)(s.f32(side), s.stride / 4, d.f32(side), d.stride / 4, w, hh)));
    T(or_rotate90_u32, int hh = h + rnd(0, 4); Plane s(w, hh, 4); Plane d(hh, w, 4);
      RUN(PICK(or_rotate90_u32)(s.u32(side), s.stride / 4, d.u32(side), d.stride / 4, w, hh)));
    T(or_mirror_u8, Plane s(w, h, 1); Plane d(w, h, 1);
      RUN(PICK(or_mirror_u8)(s.u8(side), s.stride, d.u8(side), d.stride, w, h)));
    T(or_mirror_inplace_u32, Plane s(w, h, 4); RUN(PICK(or_mirror_inplace_u32)(s.u32(side), s.stride / 4, w, h)));
    T(or_flip_inplace, Plane s(w, h, 1); RUN(PICK(or_flip_inplace)(s.u8(side), s.stride, w, h)));
}

// lookups.cpp
PAIR(void, ps_expand4_lut, (const uint8_t *, uint8_t *, int, const uint8_t *));
PAIR(uint32_t, ps_count_ink, (const uint8_t *, int));
PAIR(void, ps_bits_to_bytes, (const uint8_t *, uint8_t *, int, uint8_t, uint8_t));
PAIR(void, ps_bytes_to_bits, (const uint8_t *, uint8_t *, int, int));
PAIR(void, ps_curve8, (const uint8_t *, uint8_t *, int, const uint8_t *));
PAIR(void, ps_curve12, (const uint16_t *, uint16_t *, int, const int32_t *));
PAIR(void, ps_raw10_to_8, (const uint8_t *, uint8_t *, int));
PAIR(void, ps_raw10_to_16, (const uint8_t *, uint16_t *, int));
PAIR(void, ps_word10_to_8, (const uint16_t *, uint8_t *, int));

static void check_lookups()
{
    T(ps_expand4_lut, Plane s((w + 1) / 2, 1, 1); Plane l(16, 1, 1); Plane d(w, 1, 1);
      RUN(PICK(ps_expand4_lut)(s.u8(side), d.u8(side), w, l.u8(side))));
    T(ps_count_ink, Plane s(w, 1, 1); RET(uint32_t, PICK(ps_count_ink)(s.u8(side), w)));
    T(ps_bits_to_bytes, Plane s((w + 7) / 8, 1, 1); Plane d(w, 1, 1); uint8_t a = (uint8_t)rnd(); uint8_t b = (uint8_t)rnd();
      RUN(PICK(ps_bits_to_bytes)(s.u8(side), d.u8(side), w, a, b)));
    T(ps_bytes_to_bits, Plane s(w, 1, 1); Plane d((w + 7) / 8, 1, 1); int lv = rnd(0, 255);
      RUN(PICK(ps_bytes_to_bits)(s.u8(side), d.u8(side), w, lv)));
    T(ps_curve8, Plane s(w, 1, 1); Plane l(256, 1, 1); Plane d(w, 1, 1);
      RUN(PICK(ps_curve8)(s.u8(side), d.u8(side), w, l.u8(side))));
    T(ps_curve12, if (h > 1) return; Plane s(w, 1, 2); Plane l(4096, 1, 4); Plane d(w, 1, 2);
      if (g_mode == 5) for (int i = 0; i < 4096; i++) l.s32(0)[i] = i * 17;
      l.same();
      RUN(PICK(ps_curve12)(s.u16(side), d.u16(side), w, l.s32(side))));
    T(ps_raw10_to_8, int n = w & ~3; Plane s(n / 4 * 5, 1, 1); Plane d(n, 1, 1);
      RUN(PICK(ps_raw10_to_8)(s.u8(side), d.u8(side), n)));
    T(ps_raw10_to_16, int n = w & ~3; Plane s(n / 4 * 5, 1, 1); Plane d(n, 1, 2);
      RUN(PICK(ps_raw10_to_16)(s.u8(side), d.u16(side), n)));
    T(ps_word10_to_8, Plane s(w, 1, 2); if (h & 1) s.range16(0, 1023); Plane d(w, 1, 1);
      RUN(PICK(ps_word10_to_8)(s.u16(side), d.u8(side), w)));
}

// mc_filters.cpp
PAIR(void, mc_put_hpel_x16, (uint8_t *, const uint8_t *, ptrdiff_t, int));
PAIR(void, mc_put_hpel_y16, (uint8_t *, const uint8_t *, ptrdiff_t, int));
PAIR(void, mc_avg_hpel_xy8_no_rnd, (uint8_t *, const uint8_t *, ptrdiff_t, int));
PAIR(void, mc_qpel6_h, (uint8_t *, ptrdiff_t, const uint8_t *, ptrdiff_t, int, int));
PAIR(void, mc_qpel6_v8, (uint8_t *, ptrdiff_t, const uint8_t *, ptrdiff_t, int));
PAIR(void, mc_deblock_edge, (uint8_t *, ptrdiff_t, int, int, int, int));
PAIR(void, mc_idct8_columns, (int16_t *));
PAIR(void, mc_idct8x8_add, (uint8_t *, ptrdiff_t, int16_t *));
PAIR(int, mc_quant8x8, (int16_t *, const uint16_t *, const uint16_t *));
PAIR(int, mc_satd4x4, (const uint8_t *, ptrdiff_t, const uint8_t *, ptrdiff_t));
PAIR(void, mc_deint_linear, (uint8_t *, ptrdiff_t, int, int));
PAIR(void, mc_deint_blend, (uint8_t *, ptrdiff_t, int, int, uint8_t *));
PAIR(void, mc_deint_edge_line, (const uint8_t *, const uint8_t *, uint8_t *, int));
PAIR(void, mc_add_residual8, (uint8_t *, ptrdiff_t, const int16_t *, int));

static void check_mc()
{
    // source and target lie side by side in one plane, so that the stride is the same
    T(mc_put_hpel_x16, int n = 2 * h + 2; Plane s(17 + w + 16, n, 1);
      RUN(PICK(mc_put_hpel_x16)(s.u8(side) + 17 + w, s.u8(side), s.stride, n)));
    T(mc_put_hpel_y16, int n = 2 * h; Plane s(16 + w + 16, n + 1, 1);
      RUN(PICK(mc_put_hpel_y16)(s.u8(side) + 16 + w, s.u8(side), s.stride, n)));
    T(mc_avg_hpel_xy8_no_rnd, Plane s(9 + w + 8, h + 1, 1);
      RUN(PICK(mc_avg_hpel_xy8_no_rnd)(s.u8(side) + 9 + w, s.u8(side), s.stride, h)));
    T(mc_qpel6_h, Plane s(w, h, 1, 3); Plane d(w, h, 1);
      RUN(PICK(mc_qpel6_h)(d.u8(side), d.stride, s.u8(side), s.stride, w, h)));
    T(mc_qpel6_v8, int n = 2 * (w % 12); Plane s(8, n, 1, 3); Plane d(8, n, 1);
      RUN(PICK(mc_qpel6_v8)(d.u8(side), d.stride, s.u8(side), s.stride, n)));
    T(mc_deblock_edge, Plane s(w, 4, 1); int a = rnd(0, 3) ? rnd(0, 255) : 0; int b = rnd(0, 40); int t = rnd(0, 25);
      RUN(PICK(mc_deblock_edge)(s.u8(side) + 2 * s.stride, s.stride, w, a, b, t)));
    T(mc_idct8_columns, Plane s(64, 1, 2); if (h & 1) s.range16(-300, 300); RUN(PICK(mc_idct8_columns)(s.s16(side))));
    T(mc_idct8x8_add, Plane s(64, 1, 2); if (h) s.range16(-200 * h, 200 * h); Plane d(8, 8, 1);
      RUN(PICK(mc_idct8x8_add)(d.u8(side), d.stride, s.s16(side))));
    T(mc_quant8x8, Plane s(64, 1, 2); if (h & 1) s.range16(-20, 20); Plane m(64, 1, 2); Plane b(64, 1, 2);
      RET(int, PICK(mc_quant8x8)(s.s16(side), m.u16(side), b.u16(side))));
    T(mc_satd4x4, Plane a(4, 4, 1); Plane b(4, 4, 1);
      RET(int, PICK(mc_satd4x4)(a.u8(side), a.stride, b.u8(side), b.stride)));
    T(mc_deint_linear, Plane s(w, h, 1); RUN(PICK(mc_deint_linear)(s.u8(side), s.stride, w, h)));
    T(mc_deint_blend, Plane s(w, h, 1); Plane l(w, 1, 1); RUN(PICK(mc_deint_blend)(s.u8(side), s.stride, w, h, l.u8(side))));
    T(mc_deint_edge_line, Plane a(w + 2, 1, 1); Plane b(w + 2, 1, 1); Plane d(w, 1, 1);
      RUN(PICK(mc_deint_edge_line)(a.u8(side) + 1, b.u8(side) + 1, d.u8(side), w)));
    T(mc_add_residual8, Plane r(8 * h, 1, 2); if (w & 1) r.range16(-255, 255); Plane d(8, h, 1);
      RUN(PICK(mc_add_residual8)(d.u8(side), d.stride, r.s16(side), h)));
}

// samples.cpp
namespace sample {
PAIR(void, U8ToFloat, (const uint8_t *, float *, int, float, float));
PAIR(void, FloatToU8, (const float *, uint8_t *, int, float));
PAIR(void, S16ToFloat, (const int16_t *, float *, int));
PAIR(void, FloatToS16, (const float *, int16_t *, int));
PAIR(void, U8ToS16, (const uint8_t *, int16_t *, int, int));
PAIR(void, S16ToU8, (const int16_t *, uint8_t *, int, int));
PAIR(void, GainU16, (const uint16_t *, uint16_t *, int, unsigned));
}

static void check_samples()
{
    T(sample::U8ToFloat, Plane s(w, 1, 1); Plane d(w, 1, 4); float a = (float)rnd(-999, 999) / 777.0f; float b = (float)rnd(-999, 999) / 7.0f;
      RUN(PICK(sample::U8ToFloat)(s.u8(side), d.f32(side), w, a, b)));
    T(sample::FloatToU8, Plane s(w, 1, 4); s.floats(-40, 400); Plane d(w, 1, 1); float a = h ? (float)rnd(1, 999) / 333.0f : 1.0f;
      RUN(PICK(sample::FloatToU8)(s.f32(side), d.u8(side), w, a)));
    T(sample::S16ToFloat, Plane s(w, 1, 2); Plane d(w, 1, 4); RUN(PICK(sample::S16ToFloat)(s.s16(side), d.f32(side), w)));
    T(sample::FloatToS16, Plane s(w, 1, 4); s.floats(-1.25f, 1.25f); Plane d(w, 1, 2);
      RUN(PICK(sample::FloatToS16)(s.f32(side), d.s16(side), w)));
    T(sample::U8ToS16, Plane s(w, 1, 1); Plane d(w, 1, 2); int sh = rnd(0, 7);
      RUN(PICK(sample::U8ToS16)(s.u8(side), d.s16(side), w, sh)));
    T(sample::S16ToU8, Plane s(w, 1, 2); Plane d(w, 1, 1); int sh = rnd(1, 7);
      RUN(PICK(sample::S16ToU8)(s.s16(side), d.u8(side), w, sh)));
    T(sample::GainU16, Plane s(w, 1, 2); Plane d(w, 1, 2); unsigned g = h ? rnd() & 65535u : 65535u;
      RUN(PICK(sample::GainU16)(s.u16(side), d.u16(side), w, g)));
}

// half_rows.cpp
PAIR(void, hr_half_to_float, (const uint16_t *, float *, int));
PAIR(void, hr_float_to_half, (const float *, uint16_t *, int, float));
PAIR(void, hr_luminance, (const uint16_t *, const uint16_t *, const uint16_t *, float *, int));

static void check_half()
{
    T(hr_half_to_float, Plane s(w, 1, 2); Plane d(w, 1, 4); RUN(PICK(hr_half_to_float)(s.u16(side), d.f32(side), w)));
    T(hr_float_to_half, Plane s(w, 1, 4); if (h & 1) s.floats(-70000, 70000); Plane d(w, 1, 2);
      float e = h == 0 ? 1.0f : h == 2 ? 3.0e-7f : (float)rnd(1, 999) / 777.0f;
      RUN(PICK(hr_float_to_half)(s.f32(side), d.u16(side), w, e)));
    // finite values: which of two NaNs a sum keeps is not defined
    T(hr_luminance, Plane r(w, 1, 2); r.range16(0, 0x7bff); Plane g(w, 1, 2); g.range16(0, 0x7bff); Plane b(w, 1, 2); b.range16(0, 0x7bff); Plane d(w, 1, 4);
      RUN(PICK(hr_luminance)(r.u16(side), g.u16(side), b.u16(side), d.f32(side), w)));
}

// fma_rows.cpp
PAIR(void, fr_accumulate, (float *, const float *, int, float));
PAIR(void, fr_vertical5, (const float *const *, float *, int, const float *));
PAIR(void, fr_window_cubic, (const float *, float *, int, const float *));

static void check_fma()
{
    T(fr_accumulate, Plane a(w, 1, 4); a.floats(-9, 9); Plane s(w, 1, 4); s.floats(-9, 9); float g = (float)rnd(-999, 999) / 777.0f;
      RUN(PICK(fr_accumulate)(a.f32(side), s.f32(side), w, g)));
    T(fr_vertical5, Plane s(w, 5, 4); s.floats(-9, 9); Plane d(w, 1, 4); Plane k(3, 1, 4); k.floats(-1, 1);
      RUN(const float *r[5]; for (int t = 0; t < 5; t++) r[t] = s.f32(side) + t * s.stride / 4;
          PICK(fr_vertical5)(r, d.f32(side), w, k.f32(side))));
    T(fr_window_cubic, Plane s(w, 1, 4); s.floats(-0.5f, 1.5f); Plane d(w, 1, 4); Plane k(4, 1, 4); k.floats(-3, 3);
      RUN(PICK(fr_window_cubic)(s.f32(side), d.f32(side), w, k.f32(side))));
}

// wide_ops.cpp
namespace insp {
PAIR(void, DefectMap, (const uint8_t *, const uint8_t *, const uint8_t *, uint8_t *, size_t));
PAIR(void, SmoothRow3, (const uint8_t *, uint8_t *, int));
PAIR(void, KeepLabels, (int32_t *, int, int32_t, int32_t));
PAIR(uint64_t, SumU16, (const uint16_t *, size_t));
PAIR(void, ErodeVertical3, (const uint8_t *, ptrdiff_t, uint8_t *, ptrdiff_t, int, int));
PAIR(void, DilateVertical3, (const uint8_t *, ptrdiff_t, uint8_t *, ptrdiff_t, int, int));
}

static void check_wide()
{
    T(insp::DefectMap, Plane a(w, 1, 1); Plane b(w, 1, 1); Plane t(w, 1, 1); Plane d(w, 1, 1);
      RUN(PICK(insp::DefectMap)(a.u8(side), b.u8(side), t.u8(side), d.u8(side), (size_t)w)));
    T(insp::SmoothRow3, Plane s(w + 2, 1, 1); Plane d(w, 1, 1); RUN(PICK(insp::SmoothRow3)(s.u8(side) + 1, d.u8(side), w)));
    T(insp::KeepLabels, Plane s(w, 1, 4); int32_t a = (int32_t)(rnd() << 8 ^ rnd()); int32_t b = (int32_t)(rnd() << 8 ^ rnd());
      RUN(PICK(insp::KeepLabels)(s.s32(side), w, a < b ? a : b, a < b ? b : a)));
    T(insp::SumU16, Plane s(w, 1, 2); RET(uint64_t, PICK(insp::SumU16)(s.u16(side), (size_t)w)));
    T_AREA(insp::ErodeVertical3, 1);
    T_AREA(insp::DilateVertical3, 1);
}

// plane_ops.cpp
PAIR(void, pl_average, (const uint8_t *, int, const uint8_t *, int, uint8_t *, int, int, int));
PAIR(void, pl_offset_padded, (const uint8_t *, uint8_t *, int, int, int, int));
PAIR(void, pl_lighten, (uint8_t *, int, const uint8_t *, int, int, int));
PAIR(void, pl_flicker3, (const uint8_t *, const uint8_t *, const uint8_t *, uint8_t *, int));
PAIR(void, pl_invert_part, (uint8_t *, int, int, int, int));

static void check_planes()
{
    T(pl_average, int al = rnd(0, 1) * 16; Plane a(w, h, 1, 0, al); Plane b(w, h, 1, 0, al); Plane d(w, h, 1, 0, al);
      RUN(PICK(pl_average)(a.u8(side), a.stride, b.u8(side), b.stride, d.u8(side), d.stride, w, h)));
    // the padding is written on purpose: what lies beyond w is made equal before the comparison
    T(pl_offset_padded, Plane m(w, 2 * h, 1, 0, 16); int o = rnd(-255, 255);
      RUN(PICK(pl_offset_padded)(m.u8(side), m.u8(side) + h * m.stride, m.stride, w, h, o));
      for (int y = h; y < 2 * h; y++)
          memcpy(m.u8(0) + y * m.stride + w, m.u8(1) + y * m.stride + w, (size_t)((w + 15) / 16 * 16 - w)););
    T(pl_lighten, Plane s(w, h, 1); Plane d(w, h, 1);
      RUN(PICK(pl_lighten)(d.u8(side), d.stride, s.u8(side), s.stride, w, h)));
    T(pl_flicker3, Plane a(w, 1, 1); Plane b(w, 1, 1); Plane c(w, 1, 1); Plane d(w, 1, 1);
      RUN(PICK(pl_flicker3)(a.u8(side), b.u8(side), c.u8(side), d.u8(side), w)));
    T(pl_invert_part, Plane s(w, h, 1, 0, 16); int x0 = w ? rnd(0, w) : 0; int x1 = w ? rnd(0, 2) ? rnd(0, w) : w : 0;
      RUN(PICK(pl_invert_part)(s.u8(side), s.stride, x0, x1, h)));
}

int main(int argc, char **argv)
{
    g_meant.assign(argv + 1, argv + argc);
    g_tall = !g_meant.empty() && g_meant[0] == "tall";
    if (g_tall) g_meant.erase(g_meant.begin());
    check_convolve();
    check_gradients();
    check_ranks();
    check_measure();
    check_camcolor();
    check_scaler();
    check_orient();
    check_lookups();
    check_mc();
    check_samples();
    check_half();
    check_fma();
    check_wide();
    check_planes();
    printf("%d of %d equal\n", g_count - g_failed, g_count);
    return g_failed != 0;
}
