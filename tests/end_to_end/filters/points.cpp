#include "exercise.h"

typedef unsigned char PIXEL;
typedef unsigned short WPIXEL;
typedef short SPIXEL;

extern "C" {
void pt_gamma(PIXEL *buf, int npix, double gamma);
int pt_levels(PIXEL *dst, const PIXEL *src, int w, int h, int bpl, int black, int white, int outblack,
              int outwhite);
int pt_curve(PIXEL *buf, long npix, const PIXEL *xs, const PIXEL *ys, int nknots);
void pt_posterize(PIXEL *img, int w, int h, int bpl, int nlevels);
void pt_solarize(PIXEL *img, int w, int h, int bpl, int thresh);
void pt_threshold_hyst(PIXEL *dst, const PIXEL *src, int w, int h, int dstbpl, int srcbpl, int on, int off);
void pt_add_sat(PIXEL *dst, const PIXEL *a, const PIXEL *b, int w, int h, int bpl);
void pt_sub_sat16(SPIXEL *diff, const SPIXEL *live, const SPIXEL *mask, int w, int h, int bpl, int gain);
void pt_blend(PIXEL *dst, const PIXEL *a, const PIXEL *b, int npix, unsigned wa, unsigned wb);
void pt_bitplane_get(PIXEL *bits, const PIXEL *src, int w, int h, int bitsbpl, int srcbpl, int plane);
void pt_bitplane_put(PIXEL *img, const PIXEL *bits, int w, int h, int bpl, int bitsbpl, int plane);
void pt_8to16(WPIXEL *dst, const PIXEL *src, int w, int h, int dstbpl, int srcbpl);
void pt_16to10(WPIXEL *buf, unsigned npix);
void pt_12to8(PIXEL *dst, const WPIXEL *src, int npix, const WPIXEL *gains);
void pt_unpack12(WPIXEL *dst, const PIXEL *src, int npix);
void pt_window(PIXEL *dst, const SPIXEL *src, int w, int h, int dstbpl, int srcbpl, int level, int width);
int pt_window_rescaled(PIXEL *dst, const WPIXEL *src, int w, int h, int dstbpl, int srcbpl, double slope,
                       double intercept, double level, double width, int inverse);
void pt_normalise(PIXEL *dst, const WPIXEL *src, int w, int h, int srcbpl, double mean, double sdev);
int pt_stretch(PIXEL *dst, const WPIXEL *src, int w, int h, int dstbpl, int srcbpl);
}

static void lines(int n)
{
    const int count = n > 0 ? n : 0;
    for (double gamma : {1.0, 2.2, 0.45}) {
        Array<PIXEL> buffer(n);
        pt_gamma(buffer, n, gamma);
        said("pt_gamma", n, gamma);
    }
    for (int knots : {0, 1, 2, 3, 5}) {
        Array<PIXEL> buffer(n), xs(knots), ys(knots);
        for (int i = 0; i < knots; i++)
            xs.data[i] = 20 + 45 * i;
        const int done = pt_curve(buffer, n, xs, ys, knots);
        said("pt_curve", n, knots, done);
        if (knots > 2)
            xs.data[1] = xs.data[2];
        const int other = pt_curve(buffer, n, xs, ys, knots);
        said("pt_curve", n, knots, other);
    }
    for (unsigned wa : {0u, 1u, 100u, 256u, 1000u})
        for (unsigned wb : {0u, 156u, 256u}) {
            Array<PIXEL> dst(n), a(n), b(n);
            pt_blend(dst, a, b, n, wa, wb);
            said("pt_blend", n, wa, wb);
            pt_blend(a, a, b, n, wa, wb);
            said("pt_blend in place", n, wa, wb);
        }
    {
        Array<WPIXEL> buffer(n), gains(n);
        Array<PIXEL> dst(n);
        pt_12to8(dst, buffer, n, nullptr);
        said("pt_12to8 without gains", n);
        pt_12to8(dst, buffer, n, gains);
        said("pt_12to8", n);
        pt_16to10(buffer, count);
        said("pt_16to10", n);
        Array<PIXEL> packed(count / 2 * 3 + (count & 1) * 2);
        pt_unpack12(buffer, packed, n);
        said("pt_unpack12", n);
    }
}

static void planes(int w, int h, int pitch)
{
    const std::ptrdiff_t all = area(w, h, pitch);
    const int other = pitch + 3;
    const int levels[][4] = {{0, 255, 0, 255}, {20, 200, 255, 0}, {100, 101, 7, 250},
                             {0, 256, 0, 1},   {9, 9, 0, 1},      {254, 255, 0, 255}};
    for (const int(&to)[4] : levels) {
        Array<PIXEL> src(all), dst(all);
        int done = pt_levels(dst, src, w, h, pitch, to[0], to[1], to[2], to[3]);
        said("pt_levels", w, h, pitch, done);
        done = pt_levels(src, src, w, h, pitch, to[0], to[1], to[2], to[3]);
        said("pt_levels in place", w, h, pitch, done);
    }
    for (int n : {2, 3, 16, 255, 256}) {
        Array<PIXEL> image(all);
        pt_posterize(image, w, h, pitch, n);
        said("pt_posterize", w, h, pitch, n);
        pt_solarize(image, w, h, pitch, n - 10);
        said("pt_solarize", w, h, pitch, n);
    }
    for (int on : {0, 100, 255, 256})
        for (int off : {-1, 0, 60, 100}) {
            Array<PIXEL> src(all), dst(area(w, h, other));
            if (off <= on)
                pt_threshold_hyst(dst, src, w, h, other, pitch, on, off);
            said("pt_threshold_hyst", w, h, pitch, on, off);
        }
    {
        Array<PIXEL> dst(all), a(all), b(all);
        pt_add_sat(dst, a, b, w, h, pitch);
        said("pt_add_sat", w, h, pitch);
        pt_add_sat(a, a, b, w, h, pitch);
        said("pt_add_sat in place", w, h, pitch);
    }
    for (int gain : {0, 1, 16, 256}) {
        Array<SPIXEL> diff(all), live(all), mask(all);
        pt_sub_sat16(diff, live, mask, w, h, pitch, gain);
        said("pt_sub_sat16", w, h, pitch, gain);
        pt_sub_sat16(live, live, mask, w, h, pitch, gain);
        said("pt_sub_sat16 in place", w, h, pitch, gain);
    }
    for (int plane : {0, 3, 7}) {
        const int bytes = w > 0 ? (w + 7) / 8 : 0, line = bytes + pitch - w;
        Array<PIXEL> src(all), bits(area(bytes, h, line));
        pt_bitplane_put(src, bits, w, h, pitch, line, plane);
        said("pt_bitplane_put", w, h, pitch, plane);
        if (w >= 0)
            pt_bitplane_get(bits, src, w, h, line, pitch, plane);
        said("pt_bitplane_get", w, h, pitch, plane);
    }
    for (int line : {w, other}) {
        Array<PIXEL> src(all);
        Array<WPIXEL> dst(area(w, h, line));
        if (w >= 0 && h >= 0)
            pt_8to16(dst, src, w, h, line, pitch);
        said("pt_8to16", w, h, pitch, line);
    }
    for (int level : {-32768, 0, 40, 32767})
        for (int width : {1, 2, 3, 400, 65535, 65536}) {
            Array<SPIXEL> src(all);
            Array<PIXEL> dst(area(w, h, other));
            for (std::ptrdiff_t i = 0; i < all && width < 1000 && level > -1000 && level < 1000; i++)
                src.data[i] %= 500;
            pt_window(dst, src, w, h, other, pitch, level, width);
            said("pt_window", w, h, pitch, level, width);
        }
    for (double width : {-1.0, 0.5, 400.0, 100000.0})
        for (int inverse : {0, 1}) {
            Array<WPIXEL> src(all);
            Array<PIXEL> dst(area(w, h, other));
            const int done =
                pt_window_rescaled(dst, src, w, h, other, pitch, 1.25, -1024.0, 40.0, width, inverse);
            said("pt_window_rescaled", w, h, pitch, width, inverse, done);
        }
    for (int most : {0, 1, 4095, 65535}) {
        Array<WPIXEL> src(all, 0, most);
        Array<PIXEL> dst(area(w, h, other)), dense(w > 0 && h > 0 ? w * h : 0);
        for (double mean : {0.0, 128.0, 255.0}) {
            pt_normalise(dense, src, w, h, pitch, mean, mean / 4);
            said("pt_normalise", w, h, pitch, most, mean);
        }
        const int range = pt_stretch(dst, src, w, h, other, pitch);
        said("pt_stretch", w, h, pitch, most, range);
    }
}

void exercise()
{
    for (int n : SIZES)
        lines(n);
    lines(-1);
    images(planes);
}
