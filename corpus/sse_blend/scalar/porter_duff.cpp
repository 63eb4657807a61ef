// What porter_duff.cpp computes.

#include <cstddef>
#include <cstdint>

static int mul(int a, int b) { return (a * b + 127) / 255; }
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

#define OPERATOR(Op, formula)                                                                                    \
    void composite##Op##_c(uint8_t *dst, ptrdiff_t dstStride, const uint8_t *src, ptrdiff_t srcStride, int w, int h) \
    {                                                                                                            \
        for (int y = 0; y < h; ++y)                                                                              \
            for (int x = 0; x < w; ++x) {                                                                        \
                uint8_t *q = dst + y * dstStride + 4 * x;                                                        \
                const uint8_t *p = src + y * srcStride + 4 * x;                                                  \
                const int sa = p[3], da = q[3];                                                                  \
                for (int c = 0; c < 4; ++c) {                                                                    \
                    const int s = p[c], d = q[c];                                                                \
                    (void)s, (void)d, (void)sa, (void)da;                                                        \
                    q[c] = (uint8_t)least(formula, 255);                                                         \
                }                                                                                                \
            }                                                                                                    \
    }

OPERATOR(Out, mul(s, 255 - da))
OPERATOR(DestIn, mul(d, sa))
OPERATOR(DestAtop, mul(d, sa) + mul(s, 255 - da))
OPERATOR(Multiply, mul(s, 255 - da) + mul(d, 255 - sa) + mul(s, d))
OPERATOR(Screen, s + mul(d, 255 - s))
OPERATOR(Darken, mul(s, 255 - da) + mul(d, 255 - sa) + least(mul(s, da), mul(d, sa)))
OPERATOR(Lighten, mul(s, 255 - da) + mul(d, 255 - sa) + most(mul(s, da), mul(d, sa)))
