#include "timing.h"
#include "cimage.h"

static ci_image *made(int w, int h, int nchan, ci_type type)
{
    ci_image *im = ci_create(w, h, nchan, type, 32);
    for (int y = 0; y < h; y++) {
        noise(im->row[y], (size_t)w * nchan * ci_typesize(type));
        if (type == CI_F32)
            for (int i = 0; i < w * nchan; i++)
                ((float *)im->row[y])[i] = (i * 37 + y * 11) % 256;
    }
    return im;
}

int main(void)
{
    static unsigned char lut[1][256];
    static uint32_t *table[H + 1];
    static unsigned long hist[256];
    const long gain[4] = { 5000, 4096, 4500, 4096 };
    const int offset[4] = { 3, -2, 1, 0 }, kern[9] = { 1, 2, 1, 2, 4, 2, 1, 2, 1 };
    const unsigned char value[4] = { 1, 2, 3, 4 };
    long passed;
    ci_image *a = made(W, H, 1, CI_U8), *b = made(W, H, 1, CI_U8), *d = made(W, H, 1, CI_U8);
    ci_image *rgb = made(W, H, 3, CI_U8), *rgb2 = made(W, H, 3, CI_U8);
    ci_image *rgba = made(W, H, 4, CI_U8);
    ci_image *s = made(W, H, 1, CI_S16), *s2 = made(W, H, 1, CI_S16), *s3 = made(W, H, 1, CI_S16);
    ci_image *u = made(W, H, 3, CI_U16);
    ci_image *f = made(W, H, 1, CI_F32), *f2 = made(W, H, 1, CI_F32), *f3 = made(W, H, 1, CI_F32);
    ci_image *half = made(W / 2, H / 2, 3, CI_U8), *twice = made(W * 3 / 2, H * 3 / 2, 3, CI_U8);
    noise(lut, sizeof lut);
    for (int y = 0; y <= H; y++)
        table[y] = malloc((W + 1) * sizeof **table);

    TIME_DONE("ci_copy", ci_copy(rgb2, rgb));
    TIME_DONE("ci_fill_u8", ci_fill_u8(rgb2, value, NULL));
    TIME_DONE("ci_lut_u8", ci_lut_u8(d, a, (const unsigned char (*)[256])lut, 1));
    TIME_DONE("ci_add_u8", ci_add_u8(d, a, b));
    TIME_DONE("ci_add_s16", ci_add_s16(s3, s, s2));
    TIME_DONE("ci_add_f32", ci_add_f32(f3, f, f2));
    TIME_DONE("ci_blend_u8", ci_blend_u8(rgb2, rgb, a, 200));
    TIME_DONE("ci_gain_u16", ci_gain_u16(u, gain, offset));
    TIME_DONE("ci_threshold_u8", ci_threshold_u8(d, a, 100, CI_TH_BINARY, &passed));
    TIME_DONE("ci_convert u8 to f32", ci_convert(f3, a));
    TIME_DONE("ci_convert f32 to u8", ci_convert(d, f));
    TIME_DONE("ci_rgb2gray_u8", ci_rgb2gray_u8(d, rgb));
    TIME_DONE("ci_premultiply_u8", ci_premultiply_u8(rgba));
    TIME_DONE("ci_box_u8", ci_box_u8(rgb2, rgb, 5));
    TIME_DONE("ci_median3_u8", ci_median3_u8(d, a));
    TIME_DONE("ci_conv3x3_s16", ci_conv3x3_s16(s3, s, kern, 4, 0));
    TIME_DONE("ci_sobel_u8", ci_sobel_u8(d, b, a, NULL, NULL));
    TIME_DONE("ci_erode_u8", ci_erode_u8(d, a));
    TIME_DONE("ci_dilate_u8", ci_dilate_u8(d, a));
    TIME_DONE("ci_smooth5_f32", ci_smooth5_f32(f3, f));
    TIME_DONE("ci_flip_h", ci_flip_h(rgb2, rgb));
    TIME_DONE("ci_transpose", ci_transpose(d, a));
    TIME_DONE("ci_halve_u8", ci_halve_u8(half, rgb));
    TIME_DONE("ci_zoom_u8 nearest", ci_zoom_u8(twice, rgb, 0));
    TIME_DONE("ci_zoom_u8 smooth", ci_zoom_u8(twice, rgb, 1));
    TIME_DONE("ci_histogram_u8", ci_histogram_u8(a, 0, NULL, hist));
    TIME("ci_stats_s16", ci_stats_s16(s, 0));
    TIME_DONE("ci_integral_u8", ci_integral_u8(table, a));
    return 0;
}
