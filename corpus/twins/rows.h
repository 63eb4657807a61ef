/* rows.h - row functions and their processor versions */
#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef int16_t s16;

#define ROWS_ALL(X) X(c) X(sse2) X(ssse3) X(sse41) X(avx2) X(neon)
#define ROWS_DECLARE(v)                                                                     \
    void blend_row_##v(u8 *dst, const u8 *src, int alpha, int n);                           \
    void add_row_##v(u8 *dst, const u8 *src, int n);                                        \
    void mul_row_##v(u8 *dst, const u8 *src, int n);                                        \
    void bias_sub_row_##v(u8 *dst, const u8 *src, int bias, int n);                         \
    void mix7_row_##v(u8 *dst, const u8 *src, int weight, int n);                           \
    void over_row_##v(u8 *dst, const u8 *src, int n);                                       \
    void select_row_##v(u8 *dst, const u8 *src, const u8 *mask, int n);                     \
    void key_row_##v(u8 *dst, const u8 *src, const u8 *ref, int tolerance, int n);          \
    void threshold_row_##v(u8 *dst, const u8 *src, int level, int n);                       \
    void dither_row_##v(u8 *dst, const u8 *src, const u8 *pattern, int n);                  \
    void brighten_row_##v(u8 *row, int amount, int n);                                      \
    void fir3_row_##v(u8 *dst, const u8 *src, const int8_t *k, int n);                      \
    void gauss5_col_##v(u8 *dst, const u8 *src, ptrdiff_t stride, int n);                   \
    void box_col_##v(u8 *dst, const u8 *src, ptrdiff_t stride, int taps, int n);            \
    void median3_row_##v(u8 *dst, const u8 *src, int n);                                    \
    void halve_row_##v(u8 *dst, const u8 *a, const u8 *b, int n);                           \
    void abs_row_s16_##v(s16 *dst, const s16 *src, int n);                                  \
    void mul_row_q15_##v(s16 *dst, const s16 *a, const s16 *b, int n);                      \
    void shl_row_u16_##v(u16 *dst, const u16 *src, int count, int n);                       \
    void f32_to_u8_row_##v(u8 *dst, const float *src, int n);                               \
    void f32_to_u16_row_##v(u16 *dst, const float *src, int n);                             \
    void clamp_row_f32_##v(float *dst, const float *src, float lo, float hi, int n);        \
    void rgb_to_grey_row_##v(u8 *dst, const u8 *rgb, int n);                                \
    void swap_rb_row_##v(u8 *dst, const u8 *src, int n);                                    \
    void merge_rgba_row_##v(u8 *dst, const u8 *r, const u8 *g, const u8 *b, const u8 *a, int n); \
    uint32_t sum_row_##v(const u8 *src, int n);
ROWS_ALL(ROWS_DECLARE)

#endif
