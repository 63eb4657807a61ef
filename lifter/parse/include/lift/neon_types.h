/* The types of NEON's vectors, and the facts about a type of elements that lists of functions ask for. */
#pragma once
#include <stdint.h>
#include <lift/numbers.h>
typedef float float32_t;
typedef double float64_t;
typedef uint8_t poly8_t;
typedef uint16_t poly16_t;
typedef uint64_t poly64_t;

/* Of 64 bits (d) and of 128 (q); two, three and four of them; and such as may lie at any address. */
#define LIFT_VECTOR(T, E, W, name, bytes)                                                   \
    typedef E name##_t __attribute__((vector_size(bytes)));                                 \
    typedef struct name##x2_t { name##_t val[2]; } name##x2_t;                              \
    typedef struct name##x3_t { name##_t val[3]; } name##x3_t;                              \
    typedef struct name##x4_t { name##_t val[4]; } name##x4_t;                              \
    typedef name##_t __##T##W;                                                              \
    typedef name##x2_t __##T##W##2;                                                         \
    typedef name##x3_t __##T##W##3;                                                         \
    typedef name##x4_t __##T##W##4;                                                         \
    typedef E __##T##W##_u __attribute__((vector_size(bytes), aligned(1), may_alias));
#define LIFT_TYPES(T, E, few, many)                                                         \
    typedef E##_t __##T##e;                                                                 \
    LIFT_VECTOR(T, E##_t, d, E##x##few, 8)                                                  \
    LIFT_VECTOR(T, E##_t, q, E##x##many, 16)
LIFT_TYPES(s8, int8, 8, 16)
LIFT_TYPES(s16, int16, 4, 8)
LIFT_TYPES(s32, int32, 2, 4)
LIFT_TYPES(s64, int64, 1, 2)
LIFT_TYPES(u8, uint8, 8, 16)
LIFT_TYPES(u16, uint16, 4, 8)
LIFT_TYPES(u32, uint32, 2, 4)
LIFT_TYPES(u64, uint64, 1, 2)
LIFT_TYPES(p8, poly8, 8, 16)
LIFT_TYPES(p16, poly16, 4, 8)
LIFT_TYPES(p64, poly64, 1, 2)
LIFT_TYPES(f32, float32, 2, 4)
LIFT_TYPES(f64, float64, 1, 2)
#undef LIFT_TYPES
#undef LIFT_VECTOR

/* Constants as in numbers.h, to other ends, and such of which the least is 1. */
typedef int __to_8, __to_16, __to_32;
typedef int __1_to_8, __1_to_16, __1_to_32, __1_to_64;

/* The nearest number of a type, by the letters that NEON has for them. */
static __inline int __sat_i32(__i64 v) { return v < -2147483648ll ? -2147483647 - 1 : v > 2147483647 ? 2147483647 : (int)v; }
static __inline __u32 __sat_u32(__i64 v) { return v < 0 ? 0 : v > 4294967295ll ? 4294967295u : (__u32)v; }
#define __sat_s8(v) __sat_i8(v)
#define __sat_s16(v) __sat_i16(v)
#define __sat_s32(v) __sat_i32(v)
