// cd corpus/neon && aarch64-linux-gnu-g++ -O2 -std=c++17 -ffp-contract=off check/check.cpp *.cpp scalar/*.cpp -o /tmp/check_neon && qemu-aarch64 -L /usr/aarch64-linux-gnu /tmp/check_neon
//
// check.cpp - compares every NEON function with its plain version
//
// Random and extreme contents, widths 0..70, heights 0..5 (or blocks, where a function works
// on blocks), odd strides, unaligned bases. Whole buffers are compared, with guards; guards
// must stay as they were. An argument narrows the run to names that contain it.
// -DGUARD=0 drops the guards, for builds with -fsanitize=address,undefined.

#include "rig.h"
typedef uint8_t u8;
using std::ptrdiff_t;

// canvas_rows.cpp
PAIR(void, canvas_over_neon, (u8*, const u8*, int))
PAIR(void, canvas_dab_neon, (u8*, const u8*, uint32_t, int))
PAIR(void, canvas_mix_mask_neon, (u8*, const u8*, const u8*, const u8*, int))
PAIR(void, canvas_darken_neon, (u8*, const u8*, int))
PAIR(void, canvas_lighten_neon, (u8*, const u8*, int))
PAIR(void, canvas_difference_neon, (u8*, const u8*, int))
PAIR(void, canvas_screen_neon, (u8*, const u8*, int))
PAIR(void, canvas_overlay_neon, (u8*, const u8*, int))
PAIR(void, canvas_unpremultiply_neon, (u8*, const u8*, int))
PAIR(void, canvas_fade_neon, (u8*, int, int))

static void canvas_rows()
{
    CHECK(canvas_over_neon, { u8* d = r.u8(4 * r.w); u8* s = r.u8(4 * r.w); CALL(d, s, r.w); });
    CHECK(canvas_dab_neon, {
        u8* d = r.u8(4 * r.w); u8* m = r.u8(r.w);
        for (int i = 0; i + 8 <= r.w; ++i) if (r.h & 1 && i / 8 & 1) m[i] = 0;
        CALL(d, m, r.value<uint32_t>(), r.w);
    });
    CHECK(canvas_mix_mask_neon, { u8* d = r.u8(4 * r.w); u8* a = r.u8(4 * r.w); u8* b = r.u8(4 * r.w); CALL(d, a, b, r.u8(r.w), r.w); });
    CHECK(canvas_darken_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.u8(4 * r.w), r.w); });
    CHECK(canvas_lighten_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.u8(4 * r.w), r.w); });
    CHECK(canvas_difference_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.u8(4 * r.w), r.w); });
    CHECK(canvas_screen_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.u8(4 * r.w), r.w); });
    CHECK(canvas_overlay_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.u8(4 * r.w), r.w); });
    CHECK(canvas_unpremultiply_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.u8(4 * r.w), r.w); });
    // every value of a channel with every alpha
    check("canvas_unpremultiply_neon (all)", &canvas_unpremultiply_neon, &canvas_unpremultiply_neon_c, [](Rig& r, auto f) {
        u8* d = r.u8(4 * 65536); u8* s = r.u8(4 * 65536);
        for (int i = 0; i < 65536; ++i) s[4 * i] = s[4 * i + 1] = u8(i), s[4 * i + 2] = u8(i * 7), s[4 * i + 3] = u8(i >> 8);
        CALL(d, s, 65536);
    }, 1, 1, 0);
    CHECK(canvas_fade_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.pick(0, 128), r.w); });
}

// video_mc.cpp
PAIR(void, mc_avg_w16_neon, (u8*, ptrdiff_t, const u8*, ptrdiff_t, const u8*, ptrdiff_t, int, int))
PAIR(void, mc_hpel_xy_neon, (u8*, ptrdiff_t, const u8*, ptrdiff_t, int, int, int))
PAIR(void, mc_luma_h6_neon, (u8*, ptrdiff_t, const u8*, ptrdiff_t, int, int))
PAIR(void, mc_luma_v6_neon, (u8*, ptrdiff_t, const u8*, ptrdiff_t, int, int))
PAIR(void, mc_chroma_bilin_neon, (u8*, ptrdiff_t, const u8*, ptrdiff_t, int, int, int, int))
PAIR(void, mc_weight_bi_neon, (u8*, ptrdiff_t, const int16_t*, const int16_t*, int, int, int, int, int, int))
PAIR(uint32_t, dist_sad16_neon, (const u8*, ptrdiff_t, const u8*, ptrdiff_t, int))
PAIR(uint32_t, dist_sad_wxh_neon, (const u8*, ptrdiff_t, const u8*, ptrdiff_t, int, int))
PAIR(uint32_t, dist_ssd_wxh_neon, (const u8*, ptrdiff_t, const u8*, ptrdiff_t, int, int))
PAIR(int, dist_satd4x4_neon, (const u8*, ptrdiff_t, const u8*, ptrdiff_t))
PAIR(void, pred_dc16_neon, (u8*, ptrdiff_t, const u8*, const u8*))
PAIR(void, idct4x4_add_neon, (u8*, ptrdiff_t, int16_t*))
PAIR(void, deblock_luma_h_neon, (u8*, ptrdiff_t, int, int, int, int))

static void video_mc()
{
    CHECK(mc_avg_w16_neon, {
        const int s = r.stride(r.w), t = r.stride(r.w), q = r.stride(r.w);
        u8* d = r.u8(s * r.h); u8* a = r.u8(t * r.h); u8* b = r.u8(q * r.h);
        CALL(d, s, a, t, b, q, r.w, r.h);
    });
    CHECK(mc_hpel_xy_neon, {
        const int w = r.w & ~7, s = r.stride(w), t = r.stride(w + 1);
        u8* d = r.u8(s * r.h); u8* a = r.u8(t * (r.h + 1));
        CALL(d, s, a, t, w, r.h, r.pick(0, 1));
    });
    CHECK(mc_luma_h6_neon, {
        const int w = r.w & ~7, s = r.stride(w), t = r.stride(w + 8);
        u8* d = r.u8(s * r.h); u8* a = r.u8(t * r.h);
        CALL(d, s, a + 2, t, w, r.h);
    });
    CHECK(mc_luma_v6_neon, {
        const int w = r.w & ~7, s = r.stride(w), t = r.stride(w);
        u8* d = r.u8(s * r.h); u8* a = r.u8(t * (r.h + 5));
        CALL(d, s, a + 2 * t, t, w, r.h);
    });
    CHECK(mc_chroma_bilin_neon, {
        const int s = r.stride(r.w), t = r.stride(r.w + 1), mx = r.pick(0, 7), my = r.pick(0, 7);
        u8* d = r.u8(s * r.h); u8* a = r.u8(t * (r.h + 1));
        CALL(d, s, a, t, r.w, r.h, mx, my);
    });
    CHECK(mc_weight_bi_neon, {
        const int s = r.stride(r.w), w0 = r.pick(-64, 127), w1 = r.pick(-64, 128 - w0 > 127 ? 127 : 128 - w0), sh = r.pick(1, 15), off = r.pick(-128, 127);
        u8* d = r.u8(s * r.h); int16_t* a = r.s16(r.w * r.h); int16_t* b = r.s16(r.w * r.h);
        CALL(d, s, a, b, r.w, r.h, w0, w1, sh, off);
    });
    CHECK(dist_sad16_neon, {
        const int h = r.w * 128 / 70, s = r.stride(16), t = r.stride(16);
        u8* a = r.u8(s * h); u8* b = r.u8(t * h);
        if (r.mode == 2) memset(a, 255, s * h), memset(b, 0, t * h);
        CALLR(a, s, b, t, h);
    });
    CHECK(dist_sad_wxh_neon, { const int s = r.stride(r.w), t = r.stride(r.w); u8* a = r.u8(s * r.h); u8* b = r.u8(t * r.h); CALLR(a, s, b, t, r.w, r.h); });
    CHECK(dist_ssd_wxh_neon, { const int s = r.stride(r.w), t = r.stride(r.w); u8* a = r.u8(s * r.h); u8* b = r.u8(t * r.h); CALLR(a, s, b, t, r.w, r.h); });
    CHECK(dist_satd4x4_neon, { const int s = r.stride(4), t = r.stride(4); u8* a = r.u8(s * 4); u8* b = r.u8(t * 4); CALLR(a, s, b, t); });
    CHECK(pred_dc16_neon, { const int s = r.stride(16); u8* d = r.u8(s * 16); u8* a = r.u8(16); u8* b = r.u8(16); CALL(d, s, a, b); });
    CHECK(idct4x4_add_neon, { const int s = r.stride(4); u8* d = r.u8(s * 4); CALL(d, s, r.s16(16)); });
    CHECK(deblock_luma_h_neon, {
        const int s = r.stride(r.w), al = r.pick(0, 255), be = r.pick(0, 40), tc = r.pick(0, 13);
        u8* d = r.u8(s * 4); CALL(d + 2 * s, s, r.w, al, be, tc);
    });
}
//@DECLS

int main(int argc, char** argv)
{
    g_only = argc > 1 ? argv[1] : nullptr;
    canvas_rows();
    video_mc();
    //@CALLS
    printf("%d agree, %d differ\n", g_passed, g_failed);
    return g_failed != 0;
}
