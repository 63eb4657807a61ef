/*
 * macros.c -- 8-bit raster operations
 *
 * One macro holds each loop; a routine is a name and a line of arithmetic.
 * The compilers that this was first written for did no inlining.
 */

#include <stddef.h>

typedef unsigned char  BYTE;
typedef unsigned short WORD;
typedef unsigned long  ULONG;

#define CLIP255(v)      ((v) < 0 ? 0 : (v) > 255 ? 255 : (v))
#define MIN2(a, b)      ((a) < (b) ? (a) : (b))
#define MAX2(a, b)      ((a) > (b) ? (a) : (b))
#define DIV255(v)       (((v) + 128 + (((v) + 128) >> 8)) >> 8)

/* All pixels of a line: a is the old one, b the new one. */
#define LINE_OP(EXPR)                           \
    {                                           \
        register int i;                         \
        for (i = 0; i < n; i++) {               \
            int a = dst[i], b = src[i];         \
            dst[i] = (BYTE)(EXPR);              \
        }                                       \
    }

/* All pixels of a rectangle whose lines are `skip` bytes apart. */
#define RECT_OP(EXPR)                           \
    do {                                        \
        int x_, y_;                             \
        for (y_ = 0; y_ < h; y_++) {            \
            for (x_ = 0; x_ < w; x_++) {        \
                int a = *dst, b = *src++;       \
                *dst++ = (BYTE)(EXPR);          \
            }                                   \
            dst += dskip;                       \
            src += sskip;                       \
        }                                       \
    } while (0)

/* Four pixels a round, then the rest. */
#define UNROLL4(STMT)                           \
    for (n4 = n >> 2; n4 > 0; n4--) {           \
        STMT; STMT; STMT; STMT;                 \
    }                                           \
    for (n4 = n & 3; n4 > 0; n4--) {            \
        STMT;                                   \
    }

#define DEFINE_LINE_OP(NAME, EXPR)              \
    void NAME(BYTE *dst, const BYTE *src, int n) LINE_OP(EXPR)

DEFINE_LINE_OP(line_add, CLIP255(a + b))
DEFINE_LINE_OP(line_sub, CLIP255(a - b))
DEFINE_LINE_OP(line_diff, a > b ? a - b : b - a)
DEFINE_LINE_OP(line_lighter, MAX2(a, b))
DEFINE_LINE_OP(line_darker, MIN2(a, b))
DEFINE_LINE_OP(line_mul, DIV255(a * b))
DEFINE_LINE_OP(line_screen, 255 - DIV255((255 - a) * (255 - b)))
DEFINE_LINE_OP(line_xor, a ^ b)
DEFINE_LINE_OP(line_average, (a + b + 1) >> 1)

/* K&R, as it came from the workstation. */
void line_blend(dst, src, n, weight)
    BYTE *dst;
    BYTE *src;
    int n;
    int weight;
{
    LINE_OP(a + (((b - a) * weight) >> 8))
}

void line_invert(p, n)
    register BYTE *p;
    register int n;
{
    while (--n >= 0) {
        *p = 255 - *p;
        p++;
    }
}

void rect_copy(BYTE *dst, const BYTE *src, int w, int h, int dskip, int sskip)
{
    RECT_OP(((void)a, b));
}

void rect_and(BYTE *dst, const BYTE *src, int w, int h, int dskip, int sskip)
{
    RECT_OP(a & b);
}

void rect_erase(BYTE *dst, const BYTE *src, int w, int h, int dskip, int sskip)
{
    RECT_OP(a & ~b);
}

void rect_blend_half(BYTE *dst, const BYTE *src, int w, int h, int dskip, int sskip)
{
    RECT_OP((a + b) >> 1);
}

void line_copy_unrolled(BYTE *dst, const BYTE *src, int n)
{
    int n4;

    UNROLL4(*dst++ = *src++)
}

void line_shade_unrolled(BYTE *dst, int n)
{
    int n4;

    UNROLL4(*dst = *dst >> 1; dst++)
}

/* Threshold through a table that is made on the way in. */
void line_threshold(BYTE *dst, const BYTE *src, int n, int level)
{
    BYTE table[256];
    int i;

    for (i = 0; i < 256; i++)
        table[i] = i < level ? 0 : 255;
    LINE_OP(((void)a, table[b]))
}

/* Turn a line round where it lies. */
void line_reverse(BYTE *line, int n)
{
    BYTE *a = line, *b = line + n - 1;

#define SWAP(x, y) do { BYTE t_ = (x); (x) = (y); (y) = t_; } while (0)
    while (a < b) {
        SWAP(*a, *b);
        a++;
        b--;
    }
#undef SWAP
}

/* Exchange two lines. */
void line_exchange(BYTE *one, BYTE *other, int n)
{
    int i;

    for (i = 0; i < n; i++) {
        BYTE t = one[i];
        one[i] = other[i];
        other[i] = t;
    }
}

/* Three taps along a line; the ends are copied. */
void line_smooth(BYTE *dst, const BYTE *src, int n)
{
    int i;

    dst[0] = src[0];
    for (i = 1; i < n - 1; i++)
        dst[i] = (BYTE)((src[i - 1] + 2 * src[i] + src[i + 1] + 2) >> 2);
    dst[n - 1] = src[n - 1];
}
