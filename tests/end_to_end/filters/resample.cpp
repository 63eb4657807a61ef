#include "exercise.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;

struct gray_image {
    u8 *data;
    int w, h;
    int pitch;
};
enum pad_mode { PAD_CLAMP, PAD_MIRROR, PAD_WRAP, PAD_ZERO };

void scale_nearest_32(u32 *dst, int dw, int dh, int dst_stride, const u32 *src, int sw, int sh,
                      int src_stride);
void stretch_sprite_8(u8 *dst, int dw, int dh, int dst_pitch, const u8 *src, int sw, int sh,
                      int src_pitch);
void scale_bilinear_gray(gray_image &dst, const gray_image &src);
void scale_bilinear_float(float *dst, int dw, int dh, const float *src, int sw, int sh, int channels);
void shrink_by_factor(u8 *dst, int dst_pitch, const u8 *src, int w, int h, int src_pitch, int n);
void shrink3_u16(u16 *dst, const u16 *src, unsigned w, unsigned h, unsigned dst_stride,
                 unsigned src_stride);
void next_mip_rgba(u8 *dst, const u8 *src, int *w, int *h);
bool box_thumbnail_rgb(u8 *dst, int dw, int dh, int dst_pitch, const u8 *src, int sw, int sh,
                       int src_pitch);
void scale_bicubic_gray(gray_image *dst, const gray_image *src);
int build_lanczos_table(int *start, int *len, float *weights, int max_taps, int src_size, int dst_size);
void filter_rows_float(float *dst, int dst_w, int dst_stride, const float *src, int src_stride, int rows,
                       const int *start, const int *len, const float *weights, int max_taps);
bool resize_triangle_gray(u8 *dst, int dw, int dh, int dst_pitch, const u8 *src, int sw, int sh,
                          int src_pitch);
void double_width_31(u8 *dst, const u8 *src, int w, int h, int dst_pitch, int src_pitch);
void upsample_chroma_420(u8 *dst, int dst_pitch, const u8 *src, int src_pitch, int w, int h);
void zoom_pixels_16(u16 *dst, const u16 *src, int w, int h, int zoom, int dst_stride, int src_stride);
void mosaic_gray(gray_image &img, int block_w, int block_h);
void flip_rows(u8 *pixels, int row_bytes, int h, int pitch);
void mirror_rgb24(u8 *pixels, int w, int h, int pitch);
void rotate_180_32(u32 *dst, const u32 *src, int w, int h);
bool rotate_90(void *dst, const void *src, int w, int h, int bytes_per_pixel);
void rotate_270_gray(u8 *dst, int dst_pitch, const u8 *src, int src_w, int src_h, int src_pitch);
void transpose_blocks_16(u16 *dst, int dst_stride, const u16 *src, int src_stride, int w, int h);
void rotate_nearest_32(u32 *dst, const u32 *src, int w, int h, int stride, float angle, u32 back);
void warp_affine_gray(gray_image &dst, const gray_image &src, const float m[6], u8 border);
void shear_rows(u8 *dst, int dst_w, int dst_pitch, const u8 *src, int w, int h, int src_pitch, int slope,
                u8 fill);
int paste_gray(gray_image *dst, int x, int y, const gray_image *src, int sx, int sy, int w, int h);
bool pad_float(float *dst, const float *src, int w, int h, int src_stride, int pad, pad_mode mode);
void scroll_wrap_32(u32 *dst, const u32 *src, int w, int h, int dx, int dy);
void undistort_gray(u8 *dst, int w, int h, int dst_pitch, const gray_image &src, const s32 *map_x,
                    const s32 *map_y);
void unroll_polar(u8 *dst, int angles, const u8 *src, int w, int h, int pitch, int cx, int cy, int r0,
                  int r1);
void weave_fields(u8 *frame, const u8 *top, const u8 *bottom, int row_bytes, int h, int frame_pitch,
                  int field_pitch);
void deinterlace_bob(u8 *dst, const u8 *src, int w, int h, int pitch, int field);
void deinterlace_blend(u8 *frame, int w, int h, int pitch);

static int positive(int n) { return n > 0 ? n : 0; }

// From one size to another.
static void scaled(int w, int h, int pitch, int dw, int dh)
{
    const int wide = dw + 2;
    {
        Array<u32> src(area(w, h, pitch)), dst(area(dw, dh, wide));
        scale_nearest_32(dst, dw, dh, wide, src, w, h, pitch);
        said("scale_nearest_32", w, h, pitch, dw, dh);
    }
    {
        Array<u8> src(area(w, h, pitch)), dst(area(dw, dh, wide));
        const gray_image from = {src, w, h, pitch};
        gray_image to = {dst, dw, dh, wide};
        scale_bilinear_gray(to, from);
        said("scale_bilinear_gray", w, h, pitch, dw, dh);
        scale_bicubic_gray(&to, &from);
        said("scale_bicubic_gray", w, h, pitch, dw, dh);
        bool done = resize_triangle_gray(dst, dw, dh, wide, src, w, h, pitch);
        said("resize_triangle_gray", w, h, pitch, dw, dh, done);
        for (int kind = 0; kind < 5; kind++) {
            Array<float> m(6);
            const float whole[6] = {1, 0, kind * 0.25f, 0, 1, kind * -0.5f};
            for (int i = 0; i < 6; i++)
                m.data[i] = kind < 3 ? whole[i] : m.data[i] / 200;
            if (kind == 4)
                m.data[1] = NAN;
            warp_affine_gray(to, from, m, (u8)(kind * 50));
            said("warp_affine_gray", w, h, pitch, dw, dh, kind);
        }
        for (int at : {-40, -3, 0, 1, 5}) {
            const int n = paste_gray(&to, at, 1 - at, &from, at + 2, at - 1, w, h + 1);
            said("paste_gray", w, h, pitch, dw, dh, at, n);
        }
        Array<s32> map_x(positive(dw) * positive(dh), -300, 256 * (positive(w) + 2));
        Array<s32> map_y(positive(dw) * positive(dh), -300, 256 * (positive(h) + 2));
        undistort_gray(dst, dw, dh, wide, from, map_x, map_y);
        said("undistort_gray", w, h, pitch, dw, dh);
        if (w > 0 && h > 0) {
            // What an error term leads to behind the last pixel is looked at, and not used.
            const int tall = h > dh ? h : dh + h, broad = w > dw ? w : dw + w;
            Array<u8> sprite(area(broad + w, tall + h, broad + w), 0, 3);
            stretch_sprite_8(dst, dw, dh, wide, sprite, w, h, broad + w);
            said("stretch_sprite_8", w, h, dw, dh);
        }
    }
    for (int channels : {0, 1, 3}) {
        Array<float> src(positive(w) * positive(h) * channels), dst(positive(dw) * positive(dh) * channels);
        scale_bilinear_float(dst, dw, dh, src, w, h, channels);
        said("scale_bilinear_float", w, h, dw, dh, channels);
    }
    {
        const int line = 3 * positive(w) + 1, out = 3 * positive(dw) + 2;
        Array<u8> src(area(3 * w, h, line)), dst(area(3 * dw, dh, out));
        const bool done = box_thumbnail_rgb(dst, dw, dh, out, src, w, h, line);
        said("box_thumbnail_rgb", w, h, dw, dh, done);
    }
    if (w > 0 && dw > 0 && h > 0) {
        for (int most : {0, 4, 8, 64}) {
            Array<int> start(dw), length(dw);
            Array<float> weights(dw * most);
            const int longest = build_lanczos_table(start, length, weights, most, w, dw);
            said("build_lanczos_table", w, dw, most, longest);
            Array<float> src(area(4 * w, h, 4 * w + 3)), dst(area(4 * dw, h, 4 * dw));
            if (longest)
                filter_rows_float(dst, dw, 4 * dw, src, 4 * w + 3, h, start, length, weights, most);
            said("filter_rows_float", w, dw, h, most);
        }
    }
}

static void planes(int w, int h, int pitch)
{
    const std::ptrdiff_t all = area(w, h, pitch);
    const int sizes[][2] = {{w, h}, {w / 2, h / 2}, {2 * w, h + 1}, {1, 1}, {0, 3}, {19, 5}, {w - 1, -1}};
    for (const int(&to)[2] : sizes)
        scaled(w, h, pitch, to[0], to[1]);
    for (int n : {1, 2, 3, 5, 8, 256}) {
        const int dw = positive(w) / n, dh = positive(h) / n;
        Array<u8> src(all), dst(area(dw, dh, dw + 1));
        shrink_by_factor(dst, dw + 1, src, w, h, pitch, n);
        said("shrink_by_factor", w, h, pitch, n);
    }
    if (w >= 0 && h >= 0) {
        Array<u16> src(area(3 * w, 3 * h, 3 * w + 1)), dst(area(w, h, pitch));
        shrink3_u16(dst, src, w, h, pitch, 3 * w + 1);
        said("shrink3_u16", w, h, pitch);
        Array<u8> levels(w * h * 4), smaller(w * h * 4);
        int dw = w, dh = h;
        next_mip_rgba(smaller, levels, &dw, &dh);
        said("next_mip_rgba", w, h, dw, dh);
        Array<u32> words(w * h), turned(w * h);
        rotate_180_32(turned, words, w, h);
        said("rotate_180_32", w, h);
        for (int bytes : {0, 1, 2, 3, 4}) {
            const bool done = rotate_90(turned, words, w, h, bytes);
            said("rotate_90", w, h, bytes, done);
        }
        for (int shift : {0, 1, -1, 5, -1000, 1001}) {
            scroll_wrap_32(turned, words, w, h, shift, 2 - shift);
            said("scroll_wrap_32", w, h, shift);
        }
        Array<u8> gray(all), upright(area(h, w, h + 2));
        rotate_270_gray(upright, h + 2, gray, w, h, pitch);
        said("rotate_270_gray", w, h, pitch);
        Array<u16> samples(all), across(area(h, w, h + 1));
        transpose_blocks_16(across, h + 1, samples, pitch, w, h);
        said("transpose_blocks_16", w, h, pitch);
    }
    {
        Array<u8> src(all), dst(area(2 * w, h, 2 * positive(w) + 1));
        double_width_31(dst, src, w, h, 2 * positive(w) + 1, pitch);
        said("double_width_31", w, h, pitch);
        Array<u8> chroma(area((w + 1) / 2, (h + 1) / 2, pitch)), full(all);
        upsample_chroma_420(full, pitch, chroma, pitch, w, h);
        said("upsample_chroma_420", w, h, pitch);
    }
    for (int zoom : {1, 2, 3, 9}) {
        const int wide = positive(w) * zoom + 1;
        Array<u16> src(all), dst(area(w * zoom, h * zoom, wide));
        zoom_pixels_16(dst, src, w, h, zoom, wide, pitch);
        said("zoom_pixels_16", w, h, zoom);
    }
    for (int size : {1, 2, 5, 100}) {
        Array<u8> src(all);
        gray_image image = {src, w, h, pitch};
        mosaic_gray(image, size, size + 1);
        said("mosaic_gray", w, h, pitch, size);
        flip_rows(src, w, h, pitch);
        said("flip_rows", w, h, pitch);
    }
    {
        const int line = 3 * positive(w) + pitch - w;
        Array<u8> rgb(area(3 * w, h, line));
        mirror_rgb24(rgb, w, h, line);
        said("mirror_rgb24", w, h, line);
    }
    for (float angle : {0.0f, 0.3f, 1.5707964f, -2.0f}) {
        Array<u32> src(all), dst(all);
        rotate_nearest_32(dst, src, w, h, pitch, angle, 77u);
        said("rotate_nearest_32", w, h, pitch, angle);
    }
    for (int slope : {0, 1, 30000, 65536}) {
        const int wide = positive(w) + positive(h) + 2;
        Array<u8> src(all), dst(area(wide, h, wide + 1));
        if (w >= 0)
            shear_rows(dst, wide, wide + 1, src, w, h, pitch, slope, 9);
        said("shear_rows", w, h, pitch, slope);
    }
    for (int pad : {-1, 0, 1, 2, 7, 40})
        for (pad_mode mode : {PAD_CLAMP, PAD_MIRROR, PAD_WRAP, PAD_ZERO}) {
            const int p = pad > 0 ? pad : 0;
            Array<float> src(all), dst(w > 0 && h > 0 ? (w + 2 * p) * (h + 2 * p) : 0);
            const bool done = pad_float(dst, src, w, h, pitch, pad, mode);
            said("pad_float", w, h, pitch, pad, (int)mode, done);
        }
    for (int angles : {-1, 0, 1, 7, 40})
        for (int from : {0, 1, 5}) {
            Array<u8> src(all), dst(positive(angles) * 6);
            unroll_polar(dst, angles, src, w, h, pitch, w / 2, h / 2, from, from + 6);
            said("unroll_polar", w, h, pitch, angles, from);
        }
    {
        const int top = (positive(h) + 1) / 2;
        Array<u8> first(area(w, top, pitch)), second(area(w, positive(h) / 2, pitch)), frame(all);
        weave_fields(frame, first, second, w, h, pitch, pitch);
        said("weave_fields", w, h, pitch);
        for (int field : {0, 1}) {
            Array<u8> dst(all);
            deinterlace_bob(dst, frame, w, h, pitch, field);
            said("deinterlace_bob", w, h, pitch, field);
        }
        deinterlace_blend(frame, w, h, pitch);
        said("deinterlace_blend", w, h, pitch);
    }
}

void exercise() { images(planes); }
