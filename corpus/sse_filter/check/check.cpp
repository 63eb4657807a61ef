// build: sh build.sh   (in this folder; "sh build.sh -fsanitize=address,undefined" for the other run)
//
// Runs every function of this folder against its scalar twin: widths 0..70, heights 0..5, odd
// strides, unaligned bases, random and extreme contents. Whole allocations are compared, the
// space between rows and the guards before and after included. With TIGHT defined there are no
// guards, so that the address sanitizer sees reads beyond the documented area.
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
template <class F> static void test(const char *name, F body)
{
    g_ok = true;
    for (g_mode = 0; g_mode < 6; g_mode++)
        for (g_w = 0; g_w <= 70; g_w++)
            for (g_h = 0; g_h <= 5; g_h++)
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
    T(ipUnsharp_8u, Plane s(w, h, 1); Plane b(w, h, 1); Plane d(w, h, 1); int am = rnd(0, 127); int th = rnd(0, 20);
      if (s.stride == b.stride) RUN(PICK(ipUnsharp_8u)(s.u8(side), b.u8(side), s.stride, d.u8(side), d.stride, w, h, am, th)));
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

//MORE

int main()
{
    check_convolve();
    check_gradients();
    check_ranks();
    check_measure();
    //CALLS
    printf("%d of %d equal\n", g_count - g_failed, g_count);
    return g_failed != 0;
}
