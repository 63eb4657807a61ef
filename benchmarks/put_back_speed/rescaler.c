#include "timing.h"
#include "rescaler.h"

static rs_image *made(rs_mode mode, int w, int h)
{
    rs_image *im = rs_image_new(mode, w, h);
    for (int y = 0; y < h; y++) {
        noise(im->rows[y], im->linesize);
        if (mode == RS_MODE_F32)
            for (int x = 0; x < w; x++)
                ((float *)im->rows[y])[x] = (x * 37 + y * 11) % 256;
    }
    return im;
}

int main(void)
{
    const double turn[6] = { 0.9, 0.2, 3, -0.2, 0.9, 100 };
    int box[4];
    rs_image *l = made(RS_MODE_L, W, H), *l2 = made(RS_MODE_L, W, H);
    rs_image *small = made(RS_MODE_L, 700, 500), *large = made(RS_MODE_L, 1500, 1400);
    rs_image *rgba = made(RS_MODE_RGBA, W, H), *rgba2 = made(RS_MODE_RGBA, W, H);
    rs_image *rgb_small = made(RS_MODE_RGB, 700, 500), *rgb = made(RS_MODE_RGB, W, H);
    rs_image *words = made(RS_MODE_L16LE, W, H);
    rs_image *f = made(RS_MODE_F32, W, H), *f2 = made(RS_MODE_F32, W, H);
    rs_image *f_small = made(RS_MODE_F32, 700, 500), *halved = made(RS_MODE_L, W / 2, H / 2);
    rs_image *quarter = made(RS_MODE_L, (W + 2) / 3, (H + 2) / 3);

    TIME_DONE("rs_image_fill", rs_image_fill(l2, "x"));
    TIME("rs_image_flip", rs_image_flip(rgba2, 1, 1));
    TIME("rs_image_alpha_extent", rs_image_alpha_extent(rgba, box));
    TIME_DONE("rs_resize down, bicubic", rs_resize(small, l, RS_BICUBIC, NULL, NULL, NULL));
    TIME_DONE("rs_resize up, bilinear", rs_resize(large, l, RS_BILINEAR, NULL, NULL, NULL));
    TIME_DONE("rs_resize rgb, box", rs_resize(rgb_small, rgb, RS_BOX, NULL, NULL, NULL));
    TIME_DONE("rs_resize floats", rs_resize(f_small, f, RS_BILINEAR, NULL, NULL, NULL));
    TIME_DONE("rs_resize_nearest", rs_resize_nearest(small, l, NULL));
    TIME_DONE("rs_resize_bilinear_fast", rs_resize_bilinear_fast(small, l));
    TIME_DONE("rs_affine_f32", rs_affine_f32(f2, f, turn, 0));
    TIME_DONE("rs_reduce 2 x 2", rs_reduce(halved, l, 2, 2));
    TIME_DONE("rs_reduce 3 x 3", rs_reduce(quarter, l, 3, 3));
    TIME_DONE("rs_premultiply", rs_premultiply(rgba2, rgba));
    TIME_DONE("rs_unpremultiply", rs_unpremultiply(rgba2, rgba));
    TIME_DONE("rs_widen", rs_widen(words, l));
    TIME_DONE("rs_narrow", rs_narrow(l2, f, NULL));
    TIME_DONE("rs_box_blur", rs_box_blur(l2, l, 5));
    return 0;
}
