/* The types of x86's vectors; what ends in _u may lie at any address. */
#pragma once
#include <lift/lanes.h>
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
/* `MASK_OF(u8, 64)`: a bit for each lane of 64 bytes of u8. */
#define MASK_OF(T, bytes) LIFT_MASK_OF(T, bytes)
#define LIFT_MASK_OF(T, bytes) __mask_of_##T##_##bytes
#define LIFT_MASKS(I, U, few, some, many)                                                 \
    typedef __mmask##few MASK_OF(I, 16), MASK_OF(U, 16);                                  \
    typedef __mmask##some MASK_OF(I, 32), MASK_OF(U, 32);                                 \
    typedef __mmask##many MASK_OF(I, 64), MASK_OF(U, 64);
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

/* How n says that a float is made whole; 4 and more is as the machine is set: half to even. */
#define WHOLE_NUMBER(f, v)                                                                            \
    (n & 4 || !(n & 3) ? __builtin_rint##f(v) : (n & 3) == 1 ? __builtin_floor##f(v)                  \
                       : (n & 3) == 2 ? __builtin_ceil##f(v) : __builtin_trunc##f(v))

/* What a comparison by number n says of two floats: the upper half of the numbers says the same. */
#define COMPARED(n, x, y)                                                                            \
    (((n) & 15) == 0 ? (x) == (y) : ((n) & 15) == 1 ? (x) < (y) : ((n) & 15) == 2 ? (x) <= (y) :     \
     ((n) & 15) == 3 ? (x) != (x) || (y) != (y) : ((n) & 15) == 4 ? (x) != (y) :                     \
     ((n) & 15) == 5 ? !((x) < (y)) : ((n) & 15) == 6 ? !((x) <= (y)) :                              \
     ((n) & 15) == 7 ? (x) == (x) && (y) == (y) : ((n) & 15) == 8 ? !((x) < (y) || (x) > (y)) :      \
     ((n) & 15) == 9 ? !((x) >= (y)) : ((n) & 15) == 10 ? !((x) > (y)) : ((n) & 15) == 11 ? 0 :      \
     ((n) & 15) == 12 ? (x) < (y) || (x) > (y) : ((n) & 15) == 13 ? (x) >= (y) :                     \
     ((n) & 15) == 14 ? (x) > (y) : 1)

/* The float of 16 bits that is nearest, below, above or toward zero, as n says; 4 and more is as the
   machine is set: to the nearest. */
#define HALF_OF(n, v) __half_rounded(n, v)
static __inline unsigned short __half_rounded(int n, float v)
{
    const unsigned short near = __half_of_float(v);
    const float at = __float_of_half(near);
    const int down = (n & 3) == 1 || ((n & 3) == 3 && v > 0), up = (n & 3) == 2 || ((n & 3) == 3 && v < 0);
    const unsigned short below = near == 0 ? 0x8001 : near & 0x8000 ? near + 1 : near - 1;
    const unsigned short above = near == 0x8000 ? 1 : near & 0x8000 ? near - 1 : near + 1;
    return n & 4 || !(n & 3) ? near : down && at > v ? below : up && at < v ? above : near;
}
