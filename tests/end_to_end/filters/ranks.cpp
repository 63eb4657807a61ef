#include "exercise.h"

typedef unsigned char pixel;
typedef unsigned short sample;

extern "C" {
void erode3(pixel *dst, const pixel *src, int width, int height, int pitch);
void dilate_cross(pixel *dst, const pixel *src, int width, int height, int pitch);
void dilate_bar(pixel *dst, const pixel *src, int width, int height, int pitch, int reach);
void erode_pole(pixel *dst, const pixel *src, int width, int height, int pitch, int reach);
int gray_open(pixel *dst, const pixel *src, int width, int height, int pitch);
void morph_gradient16(sample *dst, const sample *src, int width, int height, int pitch);
long max_square(pixel **dst, pixel **src, int width, int height, int radius);
void ink_grow(pixel *dst, const pixel *src, int width, int height, int pitch);
int hit_or_miss(pixel *dst, const pixel *src, int width, int height, int pitch, const char *mask);
unsigned despeckle(pixel *dst, const pixel *src, int width, int height, int pitch, int limit);
void median3_inplace(pixel *plane, int width, int height, int pitch);
void median5_line(sample *out, const sample *in, int count);
void median9_net(pixel *dst, const pixel *src, int width, int height, int pitch);
void median9_ins(pixel *dst, const pixel *src, int width, int height, int pitch);
int rank_select(pixel *dst, const pixel *src, int width, int height, int pitch, int radius, int rank);
void rank_sliding(pixel *dst, const pixel *src, int width, int height, int pitch, int radius, int rank);
void trimmed_mean9(pixel *dst, const pixel *src, int width, int height, int pitch, int trim);
}

static void planes(int w, int h, int pitch)
{
    const std::ptrdiff_t all = area(w, h, pitch);
    for (int kind : {0, 1}) {
        Array<pixel> src(all), dst(all);
        for (std::ptrdiff_t i = 0; kind && i < all; i++)
            src.data[i] = src.data[i] & 3 ? 255 : 0;
        erode3(dst, src, w, h, pitch);
        said("erode3", w, h, pitch);
        dilate_cross(dst, src, w, h, pitch);
        said("dilate_cross", w, h, pitch);
        for (int reach : RADII) {
            dilate_bar(dst, src, w, h, pitch, reach);
            said("dilate_bar", w, h, pitch, reach);
            erode_pole(dst, src, w, h, pitch, reach);
            said("erode_pole", w, h, pitch, reach);
        }
        const int opened = gray_open(dst, src, w, h, pitch);
        said("gray_open", w, h, pitch, opened);
        ink_grow(dst, src, w, h, pitch);
        said("ink_grow", w, h, pitch);
        for (int masks = 0; masks < 4; masks++) {
            Array<char> mask(9, 0, 2);
            mask.data[0] = masks == 0 ? 1 : mask.data[0];
            for (int i = 0; masks == 3 && i < 9; i++)
                mask.data[i] = i == 4 ? 1 : 2;
            const int hits = hit_or_miss(dst, src, w, h, pitch, mask);
            said("hit_or_miss", w, h, pitch, hits);
        }
        for (int limit : {-300, 0, 20, 255}) {
            const unsigned count = despeckle(dst, src, w, h, pitch, limit);
            said("despeckle", w, h, pitch, limit, count);
        }
        median9_net(dst, src, w, h, pitch);
        said("median9_net", w, h, pitch);
        median9_ins(dst, src, w, h, pitch);
        said("median9_ins", w, h, pitch);
        for (int radius : {-1, 0, 1, 2, 3, 4})
            for (int rank : {-1, 0, 3, 8, 24, 48}) {
                const int done = rank_select(dst, src, w, h, pitch, radius, rank);
                said("rank_select", w, h, pitch, radius, rank, done);
            }
        for (int radius : {0, 1, 5}) {
            const int most = (2 * radius + 1) * (2 * radius + 1) - 1;
            for (int rank : {0, most / 2, most}) {
                rank_sliding(dst, src, w, h, pitch, radius, rank);
                said("rank_sliding", w, h, pitch, radius, rank);
            }
        }
        for (int trim = 0; trim <= 4; trim++) {
            trimmed_mean9(dst, src, w, h, pitch, trim);
            said("trimmed_mean9", w, h, pitch, trim);
        }
        gray_open(src, src, w, h, pitch);
        said("gray_open in place", w, h, pitch);
        median3_inplace(src, w, h, pitch);
        said("median3_inplace", w, h, pitch);
    }
    {
        Array<sample> src(all), dst(all);
        morph_gradient16(dst, src, w, h, pitch);
        said("morph_gradient16", w, h, pitch);
    }
    for (int radius : {-1, 0, 1, 2, 7, 100}) {
        const int rows = h > 0 ? h : 0;
        Array<pixel> src(all), dst(all);
        std::vector<pixel *> from(rows), to(rows);
        for (int y = 0; y < rows && w > 0; y++) {
            from[y] = src + (pitch == w ? y : rows - 1 - y) * pitch;
            to[y] = dst + y * pitch;
        }
        const long changed = max_square(to.data(), from.data(), w, h, radius);
        said("max_square", w, h, pitch, radius, changed);
    }
}

void exercise()
{
    for (int n : SIZES) {
        Array<sample> in(n), out(n);
        median5_line(out, in, n);
        said("median5_line", n);
    }
    images(planes);
}
