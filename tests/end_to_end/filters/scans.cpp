#include "exercise.h"

typedef unsigned char byte;
typedef unsigned short word16;
typedef short int16;
typedef int int32;
typedef unsigned int uint32;
typedef unsigned long long uint64;

extern "C" {
void sum_row(uint32 *sum, const byte *row, int n);
void sum_row_backwards(int32 *sum, const int16 *row, int n);
void undelta_words(word16 *a, int n);
void undelta_columns(byte *plane, int w, int h, int pitch);
uint32 sum_image(uint32 *sum, const byte *in, int w, int h, int sum_pitch, int in_pitch);
uint32 counts_to_offsets(uint32 *count, int n);
void bucket_starts(uint32 *start, const byte *in, int w, int h, int pitch);
void area_sums(uint32 *ii, const byte *in, int w, int h, int ii_pitch, int in_pitch);
void area_sums_corners(int32 *ii, const byte *in, int w, int h, int ii_pitch, int in_pitch);
void area_squares(uint32 *ii, const byte *in, int w, int h, int ii_pitch, int in_pitch);
void area_moments(int32 *sum, double *sqsum, const byte *in, int w, int h, int out_pitch, int in_pitch);
void area_sums_bordered(uint32 *ii, const byte *in, int w, int h, int in_pitch);
void area_sums_wide(uint64 *ii, const word16 *in, int w, int h, int ii_pitch, int in_pitch);
void area_sums_float(float *ii, const float *lum, unsigned w, unsigned h);
void delta_encode(byte *out, const byte *in, int n);
void delta_decode(byte *p, int n);
void png_undo_sub(byte *row, int n, int bpp);
void png_undo_up(byte *row, const byte *above, int n);
void png_undo_average(byte *row, const byte *above, int n, int bpp);
void png_undo_paeth(byte *row, const byte *above, int n, int bpp);
int32 png_filter_row(byte *out, const byte *row, const byte *above, int n, int bpp, int filter);
void tiff_undiff8(byte *strip, int rows, int width, int samples);
void tiff_diff16(word16 *strip, int rows, int width, int samples);
void running_max(byte *height, byte *lit, int n);
void running_min_from_right(word16 *out, const word16 *in, int w, int h, int pitch);
void edge_fill(byte *page, const byte *edges, int w, int h, int pitch, int ink);
void gray_planes(byte *planes, int n, int depth);
void adler_rows(uint32 *sums, const byte *in, int w, int h, int pitch);
void fletcher_rows(word16 *sums, const byte *in, int w, int h, int pitch);
int requantize_line(byte *line, int n, int bits);
}

static void lines(int n)
{
    {
        Array<uint32> sum(n);
        Array<byte> row(n);
        sum_row(sum, row, n);
        said("sum_row", n);
    }
    {
        Array<int32> sum(n);
        Array<int16> row(n);
        sum_row_backwards(sum, row, n);
        said("sum_row_backwards", n);
    }
    {
        Array<word16> a(n);
        undelta_words(a, n);
        said("undelta_words", n);
    }
    {
        Array<uint32> count(n);
        const uint32 all = counts_to_offsets(count, n);
        said("counts_to_offsets", n, all);
    }
    {
        Array<byte> out(n), in(n);
        delta_encode(out, in, n);
        said("delta_encode", n);
        delta_encode(in, in, n);
        said("delta_encode in place", n);
        delta_decode(in, n);
        said("delta_decode", n);
        png_undo_up(in, out, n);
        said("png_undo_up", n);
    }
    for (int bpp : {1, 2, 3, 4, 6, 8}) {
        Array<byte> row(n), above(n), out(n);
        png_undo_sub(row, n, bpp);
        said("png_undo_sub", n, bpp);
        png_undo_average(row, above, n, bpp);
        said("png_undo_average", n, bpp);
        png_undo_paeth(row, above, n, bpp);
        said("png_undo_paeth", n, bpp);
        for (int filter = -1; filter <= 5; filter++) {
            const int32 cost = png_filter_row(out, row, above, n, bpp, filter);
            said("png_filter_row", n, bpp, filter, cost);
        }
    }
    for (bool flat : {false, true}) {
        Array<byte> height(n, 0, flat ? 3 : 255), lit(n);
        running_max(height, nullptr, n);
        said("running_max without lit", n);
        Array<byte> other(n, 0, flat ? 3 : 255);
        running_max(other, lit, n);
        said("running_max", n);
    }
    for (int depth : {0, 1, 2, 3, 8}) {
        Array<byte> planes((std::ptrdiff_t)n * depth);
        gray_planes(planes, n, depth);
        said("gray_planes", n, depth);
    }
    for (int bits = 1; bits <= 7; bits++) {
        Array<byte> line(n);
        const int left = requantize_line(line, n, bits);
        said("requantize_line", n, bits, left);
    }
}

static void planes(int w, int h, int pitch)
{
    for (int other : {pitch, pitch + 2}) {
        Array<byte> in(area(w, h, pitch));
        Array<uint32> out(area(w, h, other));
        const uint32 total = sum_image(out, in, w, h, other, pitch);
        said("sum_image", w, h, other, total);
        area_sums(out, in, w, h, other, pitch);
        said("area_sums", w, h, other);
        area_squares(out, in, w, h, other, pitch);
        said("area_squares", w, h, other);
        Array<int32> corners(area(w, h, other));
        area_sums_corners(corners, in, w, h, other, pitch);
        said("area_sums_corners", w, h, other);
        Array<double> squares(area(w, h, other));
        area_moments(corners, squares, in, w, h, other, pitch);
        said("area_moments", w, h, other);
        Array<word16> words(area(w, h, pitch));
        Array<uint64> wide(area(w, h, other));
        area_sums_wide(wide, words, w, h, other, pitch);
        said("area_sums_wide", w, h, other);
    }
    {
        Array<byte> plane(area(w, h, pitch));
        undelta_columns(plane, w, h, pitch);
        said("undelta_columns", w, h, pitch);
        Array<uint32> start(257);
        bucket_starts(start, plane, w, h, pitch);
        said("bucket_starts", w, h, pitch);
        const bool is_there = w >= 0 && h >= 0;
        Array<uint32> bordered(is_there ? (w + 1) * (h + 1) : 0);
        area_sums_bordered(bordered, plane, w, h, pitch);
        said("area_sums_bordered", w, h, pitch);
        Array<uint32> sums(h);
        adler_rows(sums, plane, w, h, pitch);
        said("adler_rows", w, h, pitch);
        Array<word16> checks(h);
        fletcher_rows(checks, plane, w, h, pitch);
        said("fletcher_rows", w, h, pitch);
    }
    {
        Array<word16> in(area(w, h, pitch)), out(area(w, h, pitch));
        running_min_from_right(out, in, w, h, pitch);
        said("running_min_from_right", w, h, pitch);
    }
    for (int ink : {0, 255, 77}) {
        Array<byte> edges(area(w, h, pitch)), page(area(w, h, pitch));
        edge_fill(page, edges, w, h, pitch, ink);
        said("edge_fill", w, h, pitch, ink);
    }
    if (w >= 0 && h >= 0 && pitch == w) {
        Array<float> light(w * h), out(w * h);
        area_sums_float(out, light, w, h);
        said("area_sums_float", w, h);
        area_sums_float(light, light, w, h);
        said("area_sums_float in place", w, h);
    }
    for (int samples : {1, 2, 3, 4, 5}) {
        if (pitch != w)
            continue;
        Array<byte> strip(w > 0 && h > 0 ? w * h * samples : 0);
        tiff_undiff8(strip, h, w, samples);
        said("tiff_undiff8", w, h, samples);
        Array<word16> words(w > 0 && h > 0 ? w * h * samples : 0);
        tiff_diff16(words, h, w, samples);
        said("tiff_diff16", w, h, samples);
    }
}

void exercise()
{
    for (int n : SIZES)
        lines(n);
    lines(-1);
    lines(1000);
    images(planes);
}
