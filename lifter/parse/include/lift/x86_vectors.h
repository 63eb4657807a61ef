/* The types of x86's vectors; what ends in _u may lie at any address. */
#pragma once
#include <lift/lanes.h>
typedef long long __m64 __attribute__((vector_size(8), aligned(8), may_alias));
#define LIFT_VECTOR(name, T, bytes)                                                       \
    typedef T name __attribute__((vector_size(bytes), aligned(bytes), may_alias));        \
    typedef T name##_u __attribute__((vector_size(bytes), aligned(1), may_alias));
LIFT_VECTOR(__m128i, long long, 16)
LIFT_VECTOR(__m128, float, 16)
LIFT_VECTOR(__m128d, double, 16)
LIFT_VECTOR(__m256i, long long, 32)
LIFT_VECTOR(__m256, float, 32)
LIFT_VECTOR(__m256d, double, 32)
LIFT_VECTOR(__m512i, long long, 64)
LIFT_VECTOR(__m512, float, 64)
LIFT_VECTOR(__m512d, double, 64)
#undef LIFT_VECTOR

/* A float as an integer: to the nearest, half to even, and toward zero. What no integer can be, and
   what isn't a number, is the least one. */
static __inline int __rounded(float v)
{
    return v >= -2147483648.0f && v < 2147483648.0f ? (int)__builtin_rintf(v) : -2147483647 - 1;
}
static __inline int __truncated(float v)
{
    return v >= -2147483648.0f && v < 2147483648.0f ? (int)v : -2147483647 - 1;
}
