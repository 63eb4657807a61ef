// cd corpus/twins && g++ -O2 -std=c++17 -mavx2 -ffp-contract=off -I. check/check.cpp $(ls *.c | grep -v neon) -o /tmp/check_twins && /tmp/check_twins
// cd corpus/twins && aarch64-linux-gnu-g++ -O2 -std=c++17 -ffp-contract=off -I. check/check.cpp $(ls *.c | grep -Ev 'sse|avx') -o /tmp/check_twins_a && qemu-aarch64 -L /usr/aarch64-linux-gnu /tmp/check_twins_a
//
// check.cpp - compares every processor version with the portable row function
//
// Pairs that agree: random and extreme contents, lengths 0..70 (six rounds), unaligned bases,
// guards. Pairs that differ on purpose: tame inputs (what the library's own test would use)
// agree, and the smallest input at which they don't is found by trying all, shortest first.
// An argument narrows the run to names that contain it; a second one is the number of rounds.
// -DGUARD=0 drops the guards, for builds with -fsanitize=address,undefined.

#include "../../neon/check/rig.h"
#include "rows.h"
#include <cstdarg>
#include <functional>
#include <string>

static int g_as_said, g_wrong;

template <class F, class B> static void agrees(const char* name, F simd, F c, B body)
{
    (check(name, simd, c, body) ? g_as_said : g_wrong)++;
}

// find returns a description of the smallest input or an empty string
template <class F, class B> static void differs(const char* name, F simd, F c, B tame, const std::function<std::string()>& find)
{
    if (g_only && !strstr(name, g_only)) return;
    uint32_t seed = 1;
    for (int h = 0; h <= 5; ++h)
        for (int w = 0; w <= 70; ++w)
            for (int m = 0; m < 5; ++m, ++seed)
                if (int why = compare(tame, simd, c, w, h, m, seed)) {
                    printf("%-24s differs on TAME inputs (%d at w=%d h=%d mode=%d)\n", name, why, w, h, m);
                    ++g_wrong;
                    return;
                }
    const std::string s = find();
    printf("%-24s %s%s\n", name, s.empty() ? "NO difference found" : "tame inputs agree; differs: ", s.c_str());
    (s.empty() ? g_wrong : g_as_said)++;
}
#define AGREES(fn, v, ...) agrees(#fn "_" #v, &fn##_##v, &fn##_c, [](Rig& r, decltype(&fn##_c) f) __VA_ARGS__)

static std::string say(const char* fmt, ...)
{
    char t[256];
    va_list a;
    va_start(a, fmt);
    vsnprintf(t, sizeof t, fmt, a);
    va_end(a);
    return t;
}

// both versions on rows of equal values; true if they differ
template <class D, class Call> static bool unequal(Call call, D init, int n)
{
    alignas(64) static D x[4096], y[4096];
    std::fill(x, x + n, init);
    std::fill(y, y + n, init);
    call(x, true);
    call(y, false);
    return memcmp(x, y, size_t(n) * sizeof(D)) != 0;
}

static u8 src8[4096], ref8[4096];

#define BLEND2 { u8* d = r.u8(r.w); CALL(d, r.u8(r.w), r.w); }
#define BLENDP(lo, hi) { u8* d = r.u8(r.w); u8* s = r.u8(r.w); CALL(d, s, r.pick(lo, hi), r.w); }
#define PIXELS { u8* d = r.u8(4 * r.w); CALL(d, r.u8(4 * r.w), r.w); }
#define SELECT { u8* d = r.u8(r.w); u8* s = r.u8(r.w); u8* m = r.u8(r.w); if (r.h & 1) for (int i = 0; i < r.w; ++i) m[i] = r.pick(0, 2) ? 0 : u8(r.pick(1, 255)); CALL(d, s, m, r.w); }
#define MERGE { u8* d = r.u8(4 * r.w); u8* a = r.u8(r.w); u8* b = r.u8(r.w); u8* c = r.u8(r.w); CALL(d, a, b, c, r.u8(r.w), r.w); }
#define GREY { u8* d = r.u8(r.w); CALL(d, r.u8(3 * r.w), r.w); }
#define FIR3 { u8* d = r.u8(r.w); u8* s = r.u8(r.w + 2); CALL(d, s + 1, r.s8(3), r.w); }
#define COL5 { const int t = r.stride(r.w); u8* d = r.u8(r.w); u8* s = r.u8(5 * t); CALL(d, s + 2 * t, t, r.w); }
#define ROW3 { u8* d = r.u8(r.w); u8* s = r.u8(r.w + 2); CALL(d, s + 1, r.w); }
#define TWO8 { u8* d = r.u8(r.w); u8* a = r.u8(r.w); CALL(d, a, r.u8(r.w), r.w); }
#define SUM { u8* s = r.u8(r.w * (1 + r.h)); CALLR(s, r.w * (1 + r.h)); }
#define F2U8 { u8* d = r.u8(r.w); float* s = r.f32(r.w); if (r.h == 2) for (int i = 0; i < r.w; ++i) s[i] = (r.pick(-3, 520) * 0.5f) / 255.0f; if (r.h == 3) for (int i = 0; i < r.w; ++i) s[i] = r.pick(0, 2) ? NAN : 1e30f; CALL(d, s, r.w); }
#define F2U16 { u16* d = r.u16(r.w); float* s = r.f32(r.w); for (int i = 0; i < r.w; ++i) s[i] *= r.h == 3 ? 1e10f : 40000.0f; CALL(d, s, r.w); }
#define CLAMP { float* d = r.f32(r.w); float* s = r.f32(r.w); for (int i = 0; i < r.w; ++i) if (r.h == 2 && !r.pick(0, 3)) s[i] = r.pick(0, 1) ? NAN : -0.0f; const float lo = r.h == 4 ? r.value<float>() : 0.0f, hi = r.h == 4 ? r.value<float>() : 0.75f; CALL(d, s, lo, hi, r.w); }

static void pairs()
{
#ifdef __aarch64__
    AGREES(blend_row, neon, BLENDP(0, 255));
    AGREES(add_row, neon, BLEND2);
    AGREES(mul_row, neon, BLEND2);
    AGREES(over_row, neon, PIXELS);
    AGREES(threshold_row, neon, BLENDP(-3, 259));
    AGREES(swap_rb_row, neon, PIXELS);
    AGREES(merge_rgba_row, neon, MERGE);
    AGREES(rgb_to_grey_row, neon, GREY);
    AGREES(gauss5_col, neon, COL5);
    AGREES(median3_row, neon, ROW3);
    AGREES(halve_row, neon, TWO8);
    AGREES(abs_row_s16, neon, { s16* d = r.s16(r.w); CALL(d, r.s16(r.w), r.w); });
    AGREES(mul_row_q15, neon, { s16* d = r.s16(r.w); s16* a = r.s16(r.w); CALL(d, a, r.s16(r.w), r.w); });
    AGREES(shl_row_u16, neon, { u16* d = r.u16(r.w); u16* s = r.u16(r.w); CALL(d, s, r.pick(0, 17), r.w); });
    AGREES(sum_row, neon, SUM);
    AGREES(f32_to_u8_row, neon, F2U8);
    AGREES(f32_to_u16_row, neon, F2U16);
#else
    AGREES(blend_row, sse2, BLENDP(0, 255));
    AGREES(blend_row, avx2, BLENDP(0, 255));
    AGREES(add_row, sse2, BLEND2);
    AGREES(mul_row, sse2, BLEND2);
    AGREES(bias_sub_row, sse2, BLENDP(0, 255));
    AGREES(mix7_row, avx2, BLENDP(0, 128));
    AGREES(over_row, sse41, PIXELS);
    AGREES(select_row, sse2, SELECT);
    AGREES(select_row, sse41, SELECT);
    AGREES(swap_rb_row, ssse3, PIXELS);
    AGREES(merge_rgba_row, sse2, MERGE);
    AGREES(rgb_to_grey_row, ssse3, GREY);
    AGREES(fir3_row, sse2, FIR3);
    AGREES(gauss5_col, sse2, COL5);
    AGREES(median3_row, sse2, ROW3);
    AGREES(sum_row, sse2, SUM);
    AGREES(f32_to_u8_row, sse41, F2U8);
    AGREES(f32_to_u16_row, sse41, F2U16);
    AGREES(clamp_row_f32, avx2, CLAMP);

    // ---- these differ ----
#define TRY(fn, v, D, init, ...) unequal<D>([&](D* d, bool simd) { (simd ? fn##_##v : fn##_c)(__VA_ARGS__); }, D(init), 4 * n)

    differs("mix7_row_ssse3", &mix7_row_ssse3, &mix7_row_c, [](Rig& r, auto f) BLENDP(1, 127), []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int w = 0; w <= 128; ++w)
                for (int s = 0; s < 256; ++s)
                    for (int d0 = 0; d0 < 256; d0 += s ? 17 : 1) {
                        memset(src8, s, 64);
                        if (TRY(mix7_row, ssse3, u8, d0, d, src8, w, n)) {
                            std::string more;
                            for (int w2 = w + 1; w2 <= 128; ++w2)
                                for (int v = 0; v < 256; ++v) {
                                    memset(src8, v, 64);
                                    if (TRY(mix7_row, ssse3, u8, 0, d, src8, w2, n)) { more += say(", weight=%d src=%d dst=0", w2, v); break; }
                                }
                            return say("n=%d weight=%d src=%d dst=%d", n, w, s, d0) + more;
                        }
                    }
        return "";
    });
    differs("over_row_avx2", &over_row_avx2, &over_row_c, [](Rig& r, auto f) { u8* d = r.u8(4 * r.w); u8* s = r.u8(4 * r.w); for (int i = 0; i < r.w; ++i) d[4 * i + 3] = 255; CALL(d, s, r.w); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int s = 0; s < 256; ++s)
                for (int d0 = 255; d0 >= 0; --d0) {
                    memset(src8, s, 256);
                    if (TRY(over_row, avx2, u8, d0, d, src8, n)) return say("n=%d all channels src=%d dst=%d", n, s, d0);
                }
        return "";
    });
    differs("key_row_sse2", &key_row_sse2, &key_row_c, [](Rig& r, auto f) { u8* d = r.u8(r.w); u8* s = r.u8(r.w); u8* q = r.u8(r.w); for (int i = 0; i < r.w; ++i) q[i] = u8(s[i] < 100 ? s[i] + r.pick(0, 127) : s[i] - r.pick(0, 100)); CALL(d, s, q, r.pick(0, 127), r.w); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int diff = 0; diff < 256; ++diff)
                for (int tol = 0; tol < 128; ++tol) {
                    memset(src8, diff, 64);
                    memset(ref8, 0, 64);
                    if (TRY(key_row, sse2, u8, 7, d, src8, ref8, tol, n)) return say("n=%d |src - ref|=%d tolerance=%d", n, diff, tol);
                }
        return "";
    });
    differs("threshold_row_sse2", &threshold_row_sse2, &threshold_row_c, [](Rig& r, auto f) BLENDP(0, 255), []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int level = 0; level <= 512; ++level)
                for (int s = 0; s < 256; ++s) {
                    memset(src8, s, 64);
                    if (TRY(threshold_row, sse2, u8, 7, d, src8, level, n)) return say("n=%d level=%d src=%d", n, level, s);
                }
        return "";
    });
    differs("dither_row_sse2", &dither_row_sse2, &dither_row_c, [](Rig& r, auto f) { u8* d = r.buf<u8>(r.w, 0); u8* s = r.u8(r.w); CALL(d, s, r.u8(16), r.w); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int off = 0; off < 16; ++off) {
                alignas(16) static u8 x[96], y[96];
                static u8 pat[16];
                for (int i = 0; i < 16; ++i) pat[i] = u8(16 * i);
                memset(src8, 100, 64);
                dither_row_sse2(x + off, src8, pat, n);
                dither_row_c(y + off, src8, pat, n);
                if (memcmp(x + off, y + off, n)) return say("n=%d dst %% 16=%d", n, off);
            }
        return "";
    });
    differs("brighten_row_avx2", &brighten_row_avx2, &brighten_row_c, [](Rig& r, auto f) { const int n = r.w < 32 ? r.w : r.w & ~31; u8* d = r.u8(n); CALL(d, r.pick(0, 255), n); }, []() -> std::string {
        for (int n = 1; n <= 100; ++n)
            for (int a = 0; a < 256; ++a)
                for (int v = 0; v < 256; ++v)
                    if (TRY(brighten_row, avx2, u8, v, d, a, n)) return say("n=%d amount=%d value=%d", n, a, v);
        return "";
    });
    differs("fir3_row_ssse3", &fir3_row_ssse3, &fir3_row_c, [](Rig& r, auto f) { u8* d = r.u8(r.w); u8* s = r.u8(r.w + 2); int8_t* k = r.s8(3); k[0] = int8_t(r.pick(-40, 20)); k[2] = int8_t(r.pick(-40, 20)); k[1] = int8_t(64 - k[0] - k[2] > 100 ? 100 : 64 - k[0] - k[2]); CALL(d, s + 1, k, r.w); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int k1 = 0; k1 < 128; ++k1)
                for (int k2 = 0; k2 >= -128; --k2)
                    for (int p = 255; p >= 240; --p) {
                        const int8_t k[3] = {int8_t(k1), int8_t(k1), int8_t(k2)};
                        memset(src8, p, 96);
                        if (TRY(fir3_row, ssse3, u8, 7, d, src8 + 1, k, n)) return say("n=%d k=(%d, %d, %d) all pixels %d", n, k1, k1, k2, p);
                    }
        return "";
    });
    differs("box_col_sse2", &box_col_sse2, &box_col_c, [](Rig& r, auto f) { const int t = r.stride(r.w), taps = r.pick(2, 40 + 43 * r.h); u8* d = r.u8(r.w); CALL(d, r.u8(taps * t), t, taps, r.w); }, []() -> std::string {
        std::vector<u8> s(600 * 64, 255);
        for (int n = 1; n <= 64; ++n)
            for (int taps = 2; taps < 600; ++taps)
                if (TRY(box_col, sse2, u8, 7, d, s.data(), n, taps, n)) return say("n=%d taps=%d all pixels 255", n, taps);
        return "";
    });
    differs("halve_row_sse2", &halve_row_sse2, &halve_row_c, [](Rig& r, auto f) { const int n = r.w & ~15; u8* d = r.u8(n); u8* a = r.u8(n); CALL(d, a, r.u8(n), n); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int a = 0; a < 256; ++a)
                for (int b = 0; b < 256; ++b) {
                    memset(src8, a, 64);
                    memset(ref8, b, 64);
                    if (TRY(halve_row, sse2, u8, 7, d, src8, ref8, n)) return say("n=%d a=%d b=%d (any n that is no multiple of 16)", n, a, b);
                }
        return "";
    });
    static s16 p16[512], q16[512];
    differs("abs_row_s16_ssse3", &abs_row_s16_ssse3, &abs_row_s16_c, [](Rig& r, auto f) { s16* d = r.s16(r.w); s16* s = r.s16(r.w); for (int i = 0; i < r.w; ++i) if (s[i] == -32768) s[i] = -32767; CALL(d, s, r.w); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int v = 32767; v >= -32768; --v) {
                std::fill(p16, p16 + 64, s16(v));
                if (TRY(abs_row_s16, ssse3, s16, 7, d, p16, n)) return say("n=%d value=%d", n, v);
            }
        return "";
    });
    differs("mul_row_q15_ssse3", &mul_row_q15_ssse3, &mul_row_q15_c, [](Rig& r, auto f) { s16* d = r.s16(r.w); s16* a = r.s16(r.w); s16* b = r.s16(r.w); for (int i = 0; i < r.w; ++i) if (b[i] == -32768) b[i] = -32767; CALL(d, a, b, r.w); }, []() -> std::string {
        for (int n = 8; n <= 16; ++n) // all pairs of two bytes, shortest vector; below 8 it is the same code
            for (int a = 32767; a >= -32768; --a) {
                for (int b = 32767; b >= -32768; b -= 8) {
                    for (int k = 0; k < 8; ++k) p16[k] = s16(a), q16[k] = s16(b - k);
                    s16 x[8], y[8];
                    mul_row_q15_ssse3(x, p16, q16, 8);
                    mul_row_q15_c(y, p16, q16, 8);
                    for (int k = 0; k < 8; ++k) if (x[k] != y[k]) return say("n=%d a=%d b=%d", n, a, b - k);
                }
            }
        return "";
    });
    differs("shl_row_u16_sse2", &shl_row_u16_sse2, &shl_row_u16_c, [](Rig& r, auto f) { u16* d = r.u16(r.w); u16* s = r.u16(r.w); CALL(d, s, r.pick(0, 15), r.w); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int c = 0; c <= 31; ++c)
                for (int v = 0; v < 65536; v += v < 300 ? 1 : 257) {
                    std::fill((u16*)p16, (u16*)p16 + 64, u16(v));
                    if (TRY(shl_row_u16, sse2, u16, 7, d, (u16*)p16, c, n)) return say("n=%d count=%d value=%d", n, c, v);
                }
        return "";
    });
    static float pf[512];
    differs("f32_to_u8_row_sse2", &f32_to_u8_row_sse2, &f32_to_u8_row_c, [](Rig& r, auto f) { u8* d = r.u8(r.w); float* s = r.f32(r.w); for (int i = 0; i < r.w; ++i) s[i] = r.pick(-40, 300) / 256.0f; CALL(d, s, r.w); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n) {
            int count = 0;
            std::string first;
            for (int k = 0; k <= 510; ++k) {
                std::fill(pf, pf + 64, float(k) / 510.0f);
                if (TRY(f32_to_u8_row, sse2, u8, 7, d, pf, n) && !count++) first = say("n=%d value=%d/510", n, k);
            }
            if (count) return first + say(" (%d of the 511 half steps)", count);
        }
        return "";
    });
    differs("f32_to_u16_row_sse2", &f32_to_u16_row_sse2, &f32_to_u16_row_c, [](Rig& r, auto f) { u16* d = r.u16(r.w); float* s = r.f32(r.w); for (int i = 0; i < r.w; ++i) s[i] = float(r.pick(-500, 32767)); CALL(d, s, r.w); }, []() -> std::string {
        for (int n = 1; n <= 64; ++n)
            for (int v = 0; v < 65536; ++v) {
                std::fill(pf, pf + 64, float(v));
                if (TRY(f32_to_u16_row, sse2, u16, 7, d, pf, n)) return say("n=%d value=%d", n, v);
            }
        return "";
    });
    differs("clamp_row_f32_sse2", &clamp_row_f32_sse2, &clamp_row_f32_c, [](Rig& r, auto f) { float* d = r.f32(r.w); float* s = r.f32(r.w); CALL(d, s, -0.25f, 0.75f, r.w); }, []() -> std::string {
        const float v[] = {1.0f, 0.5f, 0.0f, -0.5f, INFINITY, -INFINITY, NAN, -0.0f};
        const char* const t[] = {"1", "0.5", "0", "-0.5", "inf", "-inf", "NaN", "-0"};
        std::string all;
        for (int n = 1; n <= 16 && all.empty(); ++n)
            for (int k = 0; k < 8; ++k) {
                std::fill(pf, pf + 64, v[k]);
                if (TRY(clamp_row_f32, sse2, float, 7, d, pf, 0.0f, 1.0f, n)) all += say("%sn=%d value=%s", all.empty() ? "" : ", ", n, t[k]);
            }
        return all;
    });
#endif
}

int main(int argc, char** argv)
{
    g_only = argc > 1 ? argv[1] : nullptr;
    if (argc > 2) g_rounds = atoi(argv[2]);
    pairs();
    printf("%d passed, %d failed\n", g_as_said, g_wrong);
    return g_wrong != 0;
}
