/* 8 to 64 bytes as numbers, `__u8_of_16`: what OF(u8, 16) in lanes.h stands for. */
#pragma once
#include <lift/numbers.h>
#define LIFT_LANES(T)                                                     \
    typedef __##T __##T##_of_8 __attribute__((vector_size(8)));           \
    typedef __##T __##T##_of_16 __attribute__((vector_size(16)));         \
    typedef __##T __##T##_of_32 __attribute__((vector_size(32)));         \
    typedef __##T __##T##_of_64 __attribute__((vector_size(64)));
LIFT_LANES(i8)
LIFT_LANES(u8)
LIFT_LANES(i16)
LIFT_LANES(u16)
LIFT_LANES(i32)
LIFT_LANES(u32)
LIFT_LANES(i64)
LIFT_LANES(u64)
LIFT_LANES(f32)
LIFT_LANES(f64)
#undef LIFT_LANES
