// cd corpus/neon && aarch64-linux-gnu-g++ -O2 -std=c++17 -ffp-contract=off check/check.cpp *.cpp scalar/*.cpp -o /tmp/check_neon && qemu-aarch64 -L /usr/aarch64-linux-gnu /tmp/check_neon
//
// check.cpp - compares every NEON function with its plain version
//
// Random and extreme contents, widths 0..70, heights 0..5 (or blocks, where a function works
// on blocks), odd strides, unaligned bases. Whole buffers are compared, with guards; guards
// must stay as they were. An argument narrows the run to names that contain it; a second one
// is the number of rounds.
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

// scan_page.cpp
PAIR(void, scan_median3_line_neon, (u8*, const u8*, const u8*, const u8*, int))
PAIR(void, scan_box3_line_neon, (u8*, const u8*, const u8*, const u8*, int))
PAIR(void, scan_thicken5_line_neon, (u8*, const u8*, int))
PAIR(void, scan_sobel_line_neon, (u8*, const u8*, const u8*, const u8*, int))
PAIR(void, scan_threshold_bits_neon, (u8*, const u8*, int, int))
PAIR(void, scan_expand_bits_neon, (u8*, const u8*, int, int, int))
PAIR(void, scan_halftone_line_neon, (u8*, const u8*, const u8*, int, int))
PAIR(void, scan_unsharp_line_neon, (u8*, const u8*, const u8*, int, int))
PAIR(void, scan_levels_line_neon, (u8*, int, int, int))
PAIR(void, scan_integral_line_neon, (uint32_t*, const uint32_t*, const u8*, int))
PAIR(void, scan_turn_page_neon, (u8*, int, const u8*, int, int, int))
PAIR(void, scan_rgb_to_cmyk_neon, (u8*, const u8*, int))
PAIR(int, scan_count_dark_neon, (const u8*, int, int))

static void scan_page()
{
    CHECK(scan_median3_line_neon, { const int s = r.w + 2; u8* d = r.u8(r.w); u8* a = r.u8(s); u8* b = r.u8(s); u8* c = r.u8(s); CALL(d, a + 1, b + 1, c + 1, r.w); });
    CHECK(scan_box3_line_neon, { const int s = r.w + 2; u8* d = r.u8(r.w); u8* a = r.u8(s); u8* b = r.u8(s); u8* c = r.u8(s); CALL(d, a + 1, b + 1, c + 1, r.w); });
    // reads up to 32 bytes behind the line, by contract
    CHECK(scan_thicken5_line_neon, { u8* d = r.u8(r.w); u8* a = r.u8(r.w + 34); CALL(d, a + 2, r.w); });
    CHECK(scan_sobel_line_neon, { const int s = r.w + 2; u8* d = r.u8(r.w); u8* a = r.u8(s); u8* b = r.u8(s); u8* c = r.u8(s); CALL(d, a + 1, b + 1, c + 1, r.w); });
    CHECK(scan_threshold_bits_neon, { const int w = r.w * (1 + r.h); u8* d = r.u8((w + 7) / 8); CALL(d, r.u8(w), w, r.pick(0, 255)); });
    CHECK(scan_expand_bits_neon, { u8* d = r.u8(r.w); u8* b = r.u8((r.w + 7) / 8); const int i = r.pick(0, 255), p = r.pick(0, 255); CALL(d, b, r.w, i, p); });
    CHECK(scan_halftone_line_neon, { u8* d = r.u8(r.w); u8* s = r.u8(r.w); u8* t = r.u8(16); CALL(d, s, t, r.pick(0, 40), r.w); });
    CHECK(scan_unsharp_line_neon, { u8* d = r.u8(r.w); u8* s = r.u8(r.w); u8* t = r.u8(r.w); CALL(d, s, t, r.pick(0, 32767), r.w); });
    CHECK(scan_levels_line_neon, { u8* d = r.u8(r.w); const int b = r.pick(0, 255), g = r.mode == 1 ? 65535 : r.pick(0, 65535) >> r.pick(0, 4); CALL(d, b, g, r.w); });
    CHECK(scan_integral_line_neon, { uint32_t* d = r.u32(r.w); uint32_t* a = r.u32(r.w); CALL(d, a, r.u8(r.w), r.w); });
    CHECK(scan_turn_page_neon, {
        const int h = r.h * 7 + r.pick(0, 3), s = r.stride(h), t = r.stride(r.w);
        u8* d = r.u8(s * r.w); CALL(d, s, r.u8(t * h), t, r.w, h);
    });
    CHECK(scan_rgb_to_cmyk_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.u8(3 * r.w), r.w); });
    CHECK(scan_count_dark_neon, { const int w = r.w * (r.h == 5 ? 130 : r.h + 1); u8* a = r.u8(w); if (r.mode == 2) memset(a, 0, w); CALLR(a, r.pick(0, 255), w); });
}

// camera_isp.cpp
typedef uint16_t u16;
PAIR(void, isp_unpack_raw10_neon, (u16*, const u8*, int))
PAIR(void, isp_black_gain_neon, (u16*, int, u16, u16, u16, u16))
PAIR(void, isp_bin_rggb_neon, (u16*, u16*, u16*, const u16*, const u16*, int))
PAIR(void, isp_dead_pixel_neon, (u16*, const u16*, int, u16))
PAIR(void, isp_tone64_neon, (u8*, const u8*, int, const u8*))
PAIR(void, isp_lut256_neon, (u8*, const u8*, int, const u8*))
PAIR(void, isp_yuyv_to_planes_neon, (u8*, u8*, u8*, const u8*, int))
PAIR(void, isp_nv12_to_rgb_neon, (u8*, const u8*, const u8*, int))
PAIR(void, isp_rgb_to_grey_neon, (u8*, const u8*, int, int))
PAIR(void, isp_565_to_rgba_neon, (u8*, const u16*, int))
PAIR(void, isp_rgba_to_565_neon, (u16*, const u8*, int))
PAIR(void, isp_mirror_rgba_neon, (uint32_t*, const uint32_t*, int))
PAIR(uint32_t, isp_meter_neon, (const u8*, ptrdiff_t, int, int, u8*))
PAIR(void, isp_soft121_padded_neon, (u8*, const u8*, int))

static void camera_isp()
{
    CHECK(isp_unpack_raw10_neon, { const int n = r.w & ~3; u16* d = r.u16(n); CALL(d, r.u8(n / 4 * 5), n); });
    CHECK(isp_black_gain_neon, { u16* d = r.u16(r.w); const u16 b = r.value<u16>() >> 6, g = r.value<u16>(), h = r.value<u16>(), t = r.value<u16>(); CALL(d, r.w, b, g, h, t); });
    CHECK(isp_bin_rggb_neon, { u16* a = r.u16(r.w); u16* b = r.u16(r.w); u16* c = r.u16(r.w); u16* s = r.u16(2 * r.w); u16* t = r.u16(2 * r.w); CALL(a, b, c, s, t, r.w); });
    CHECK(isp_dead_pixel_neon, { u16* d = r.u16(r.w); u16* s = r.u16(r.w + 4); CALL(d, s + 2, r.w, r.mode == 3 ? u16(2) : r.value<u16>()); });
    CHECK(isp_tone64_neon, { u8* d = r.u8(r.w); u8* s = r.u8(r.w); CALL(d, s, r.w, r.u8(64)); });
    CHECK(isp_lut256_neon, { u8* d = r.u8(r.w); u8* s = r.u8(r.w); CALL(d, s, r.w, r.u8(256)); });
    CHECK(isp_yuyv_to_planes_neon, { const int w = r.w & ~1; u8* y = r.u8(w); u8* u = r.u8(w / 2); u8* v = r.u8(w / 2); CALL(y, u, v, r.u8(2 * w), w); });
    CHECK(isp_nv12_to_rgb_neon, { const int w = r.w & ~1; u8* d = r.u8(3 * w); u8* y = r.u8(w); CALL(d, y, r.u8(w), w); });
    CHECK(isp_rgb_to_grey_neon, { u8* d = r.u8(r.w); u8* s = r.u8(3 * r.w); CALL(d, s, r.w, r.pick(0, 1)); });
    CHECK(isp_565_to_rgba_neon, { u8* d = r.u8(4 * r.w); CALL(d, r.u16(r.w), r.w); });
    CHECK(isp_rgba_to_565_neon, { u16* d = r.u16(r.w); CALL(d, r.u8(4 * r.w), r.w); });
    CHECK(isp_mirror_rgba_neon, { uint32_t* d = r.u32(r.w); CALL(d, r.u32(r.w), r.w); });
    CHECK(isp_meter_neon, { const int s = r.stride(r.w); u8* a = r.u8(s * r.h); u8* p = r.u8(1); CALLR(a, s, r.w, r.h, p); });
    // the padding up to the next multiple of 16 counts as written on purpose
    CHECK(isp_soft121_padded_neon, { const int p = (r.w + 15) & ~15; u8* d = r.u8(p); u8* s = r.u8(p + 32); CALL(d, s + 16, r.w); });
}

// engine_float.cpp
PAIR(void, tex_colour_matrix_neon, (float*, const float*, int))
PAIR(void, tex_premultiply_neon, (float*, int))
PAIR(void, tex_float_to_u8_neon, (u8*, const float*, int))
PAIR(void, tex_u8_to_float_neon, (float*, const u8*, int))
PAIR(void, terrain_pack_q8_neon, (int16_t*, const float*, int))
PAIR(float, terrain_blend_neon, (float*, const float*, const float*, float, int))
PAIR(float, terrain_sum_neon, (const float*, int))
PAIR(void, terrain_normals_neon, (float*, float*, float*, const float*, ptrdiff_t, float, int))
PAIR(void, tex_mip_half_neon, (u8*, ptrdiff_t, const u8*, ptrdiff_t, int, int))
PAIR(void, tex_blur5_lines_neon, (float*, const float* const*, const float*, int))

static void engine_float()
{
    CHECK(tex_colour_matrix_neon, { float* p = r.f32(4 * r.w); CALL(p, r.f32(12), r.w); });
    CHECK(tex_premultiply_neon, { CALL(r.f32(4 * r.w), r.w); });
    CHECK(tex_float_to_u8_neon, {
        u8* d = r.u8(r.w); float* s = r.f32(r.w);
        for (int i = 0; i < r.w; ++i) {
            if (r.h == 2) s[i] = (r.pick(0, 512) + 0.5f) / 255.0f;
            if (r.h == 3 && r.pick(0, 5) == 0) s[i] = r.pick(0, 1) ? NAN : r.pick(0, 1) ? INFINITY : -INFINITY;
        }
        CALL(d, s, r.w);
    });
    CHECK(tex_u8_to_float_neon, { float* d = r.f32(r.w); CALL(d, r.u8(r.w), r.w); });
    CHECK(terrain_pack_q8_neon, { int16_t* d = r.s16(r.w); float* s = r.f32(r.w); if (r.h == 2) for (int i = 0; i < r.w; ++i) s[i] *= 1e9f; CALL(d, s, r.w); });
    CHECK(terrain_blend_neon, { float* d = r.f32(r.w); float* a = r.f32(r.w); float* b = r.f32(r.w); CALLR(d, a, b, r.value<float>(), r.w); });
    CHECK(terrain_sum_neon, { CALLR(r.f32(r.w), r.w); });
    CHECK(terrain_normals_neon, {
        float* a = r.f32(r.w); float* b = r.f32(r.w); float* c = r.f32(r.w);
        const int s = r.stride(r.w + 2); float* h = r.f32(3 * s);
        CALL(a, b, c, h + s + 1, s, r.value<float>(), r.w);
    });
    CHECK(tex_mip_half_neon, { const int s = r.stride(4 * r.w), t = r.stride(8 * r.w); u8* d = r.u8(s * r.h); CALL(d, s, r.u8(2 * t * r.h), t, r.w, r.h); });
    CHECK(tex_blur5_lines_neon, {
        float* d = r.f32(r.w); const float* l[5];
        for (int i = 0; i < 5; ++i) l[i] = r.f32(r.w);
        call(f, d, (const float* const*)l, (const float*)r.f32(3), r.w);
    });
}

// raster_spans.cpp
PAIR(void, raster_blend_argb32_neon, (u8*, int, const u8*, int, int, int, int))
PAIR(void, raster_premultiply_neon, (uint32_t*, int))
PAIR(void, raster_glyph_rgb16_neon, (u16*, const u8*, u16, int))
PAIR(void, raster_fetch_linear_neon, (uint32_t*, const uint32_t*, int32_t, int32_t, int))
PAIR(void, raster_scale_rows_neon, (u8*, const u8* const*, const int16_t*, int, int))
PAIR(void, raster_convolve7_neon, (u8*, const u8*, const int8_t*, int, int, int))
PAIR(void, raster_soft_light_neon, (uint32_t*, const uint32_t*, int))
PAIR(void, raster_fill24_neon, (u8*, uint32_t, int))

static void raster_spans()
{
    CHECK(raster_blend_argb32_neon, {
        const int s = r.stride(r.w), t = r.stride(r.w), a = r.pick(0, 3);
        uint32_t* d = r.u32(s * r.h); uint32_t* q = r.u32(t * r.h);
        for (int i = 0; i < t * r.h; ++i) { // premultiplied, with runs that are opaque or empty
            u8* p = (u8*)(q + i);
            if (i / 4 % 3 == 0) p[3] = 255;
            if (i / 4 % 3 == 1 && r.mode != 2) p[3] = 0;
            for (int c = 0; c < 3; ++c) p[c] = std::min(p[c], p[3]);
        }
        CALL((u8*)d, 4 * s, (const u8*)q, 4 * t, r.w, r.h, a == 0 ? 0 : a == 1 ? 255 : r.pick(1, 254));
    });
    CHECK(raster_premultiply_neon, { CALL(r.u32(r.w), r.w); });
    CHECK(raster_glyph_rgb16_neon, { u16* d = r.u16(r.w); u8* c = r.u8(r.w); CALL(d, c, r.value<u16>(), r.w); });
    CHECK(raster_fetch_linear_neon, {
        uint32_t* d = r.u32(r.w); uint32_t* t = r.u32(256);
        const int32_t p = r.h < 3 ? r.pick(-2000000, 18000000) : r.value<int32_t>(), q = r.h < 3 ? r.pick(-500000, 500000) : r.value<int32_t>();
        CALL(d, t, p, q, r.w);
    });
    CHECK(raster_scale_rows_neon, {
        const int taps = r.pick(0, 9); u8* d = r.u8(r.w); int16_t* k = r.s16(taps); const u8* l[9];
        for (int i = 0; i < taps; ++i) l[i] = r.u8(r.w);
        call(f, d, (const u8* const*)l, (const int16_t*)k, taps, r.w);
    });
    CHECK(raster_convolve7_neon, { u8* d = r.u8(r.w); u8* s = r.u8(r.w + 64); int8_t* k = r.s8(7); const int sh = r.pick(0, 15), o = r.pick(-255, 255); CALL(d, s + 32, k, sh, o, r.w); });
    CHECK(raster_soft_light_neon, { uint32_t* d = r.u32(r.w); CALL(d, r.u32(r.w), r.w); });
    CHECK(raster_fill24_neon, { u8* d = r.u8(3 * r.w); CALL(d, r.value<uint32_t>(), r.w); });
}
//@DECLS

int main(int argc, char** argv)
{
    g_only = argc > 1 ? argv[1] : nullptr;
    if (argc > 2) g_rounds = atoi(argv[2]);
    canvas_rows();
    video_mc();
    scan_page();
    camera_isp();
    engine_float();
    raster_spans();
    //@CALLS
    printf("%d agree, %d differ\n", g_passed, g_failed);
    return g_failed != 0;
}
