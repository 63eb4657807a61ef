/* The types of x86's vectors; what ends in _u may lie at any address. */
#pragma once
#include <lift/lane_types.h>
typedef long long __m64 __attribute__((vector_size(8), aligned(8), may_alias));
typedef short __i16_u __attribute__((aligned(1), may_alias));
typedef int __i32_u __attribute__((aligned(1), may_alias));
typedef long long __i64_u __attribute__((aligned(1), may_alias));
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
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned int __mmask32;
typedef unsigned long long __mmask64;
/* A bit for each lane of 64 bytes of u8: `__mask_of_u8_64`. */
#define LIFT_MASKS(I, U, few, some, many)                                                 \
    typedef __mmask##few __mask_of_##I##_16, __mask_of_##U##_16;                          \
    typedef __mmask##some __mask_of_##I##_32, __mask_of_##U##_32;                         \
    typedef __mmask##many __mask_of_##I##_64, __mask_of_##U##_64;
LIFT_MASKS(i8, u8, 16, 32, 64)
LIFT_MASKS(i16, u16, 8, 16, 32)
LIFT_MASKS(i32, u32, 8, 8, 16)
LIFT_MASKS(i64, u64, 8, 8, 8)
LIFT_MASKS(f32, f32_, 8, 8, 16)
LIFT_MASKS(f64, f64_, 8, 8, 8)
#undef LIFT_MASKS

/* A float as an integer: to the nearest, half to even, and toward zero. What no integer can be, and
   what isn't a number, is the least one. */
#define LIFT_INTEGER(name, I, F, f, least)                                                           \
    static __inline I __rounded##name(F v)                                                           \
    {                                                                                                \
        const F whole = __builtin_rint##f(v);                                                        \
        return whole >= least && whole < -least ? (I)whole : (I)least;                               \
    }                                                                                                \
    static __inline I __truncated##name(F v)                                                         \
    {                                                                                                \
        const F whole = __builtin_trunc##f(v);                                                       \
        return whole >= least && whole < -least ? (I)whole : (I)least;                               \
    }
LIFT_INTEGER(, int, float, f, -2147483648.0f)
LIFT_INTEGER(_pd, int, double, , -2147483648.0)
LIFT_INTEGER(_64, long long, float, f, -9223372036854775808.0f)
LIFT_INTEGER(_pd_64, long long, double, , -9223372036854775808.0)
#undef LIFT_INTEGER

/* The float of 16 bits that is nearest, below, above or toward zero, as n says; 4 and more is as the
   machine is set: to the nearest. */
static __inline unsigned short __half_rounded(int n, float v)
{
    const unsigned short near = __half_of_float(v);
    const float at = __float_of_half(near);
    const int down = (n & 3) == 1 || ((n & 3) == 3 && v > 0), up = (n & 3) == 2 || ((n & 3) == 3 && v < 0);
    const unsigned short below = near == 0 ? 0x8001 : near & 0x8000 ? near + 1 : near - 1;
    const unsigned short above = near == 0x8000 ? 1 : near & 0x8000 ? near - 1 : near + 1;
    return n & 4 || !(n & 3) ? near : down && at > v ? below : up && at < v ? above : near;
}
