/* Minimal <math.h>: the C functions, float and double. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#define LIFT_UNARY(name) double name(double); float name##f(float);
#define LIFT_BINARY(name) double name(double, double); float name##f(float, float);
LIFT_UNARY(fabs)
LIFT_UNARY(sqrt)
LIFT_UNARY(cbrt)
LIFT_UNARY(floor)
LIFT_UNARY(ceil)
LIFT_UNARY(trunc)
LIFT_UNARY(round)
LIFT_UNARY(rint)
LIFT_UNARY(nearbyint)
LIFT_UNARY(exp)
LIFT_UNARY(exp2)
LIFT_UNARY(log)
LIFT_UNARY(log2)
LIFT_UNARY(log10)
LIFT_UNARY(sin)
LIFT_UNARY(cos)
LIFT_UNARY(tan)
LIFT_UNARY(asin)
LIFT_UNARY(acos)
LIFT_UNARY(atan)
LIFT_BINARY(pow)
LIFT_BINARY(fmod)
LIFT_BINARY(fmin)
LIFT_BINARY(fmax)
LIFT_BINARY(atan2)
LIFT_BINARY(hypot)
LIFT_BINARY(copysign)
#undef LIFT_UNARY
#undef LIFT_BINARY
long lrint(double value);
long lrintf(float value);
long lround(double value);
long lroundf(float value);
#ifdef __cplusplus
}
#endif
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isnan(value) __builtin_isnan(value)
#define isinf(value) __builtin_isinf(value)
