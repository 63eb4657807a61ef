/* Numbers in lanes, for headers of any machine's vectors. */
#pragma once

typedef signed char __i8;
typedef unsigned char __u8;
typedef short __i16;
typedef unsigned short __u16;
typedef int __i32;
typedef unsigned int __u32;
typedef long long __i64;
typedef unsigned long long __u64;
typedef float __f32;
typedef double __f64;

/* Numbers that have to be constants, from 0 to the one in the name. */
typedef int __to_0, __to_1, __to_3, __to_7, __to_15, __to_31, __to_63, __to_255;

/* Floats of 16 bits, by their bits: what they are, and the nearest one, half to even. */
#ifdef __cplusplus
extern "C" {
#endif
float __float_of_half(unsigned short bits);
unsigned short __half_of_float(float v);
#ifdef __cplusplus
}
#endif

/* The nearest number of a type. */
static __inline int __sat_i8(int v) { return v < -128 ? -128 : v > 127 ? 127 : v; }
static __inline int __sat_u8(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
static __inline int __sat_i16(int v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }
static __inline int __sat_u16(int v) { return v < 0 ? 0 : v > 65535 ? 65535 : v; }

#define LIFT_FUNCTION static __inline
/* Of a declaration without a body: why there is none. */
#define LIFT_REFUSED(why) __attribute__((annotate(why)))
