/* What <math.h> of C declares, as glibc has it for g++: in three types each, and the old names, which
   overload a source's own functions in C++. */
#pragma once
#include <lift/host.h>
#ifdef __cplusplus
extern "C" {
#endif
#define LIFT_EACH(F, name) F(name, double) F(name##f, float) F(name##l, long double)
#define LIFT_1(name, T) T name(T);
#define LIFT_2(name, T) T name(T, T);
#define LIFT_3(name, T) T name(T, T, T);
#define LIFT_TO_INT(name, T) int name(T);
#define LIFT_TO_LONG(name, T) long name(T);
#define LIFT_TO_LONGER(name, T) long long name(T);
#define LIFT_BY_INT(name, T) T name(T, int);
#define LIFT_BY_LONG(name, T) T name(T, long);
#define LIFT_OF_INT(name, T) T name(int, T);
#define LIFT_INTO_INT(name, T) T name(T, int *);
LIFT_EACH(LIFT_1, acos)
LIFT_EACH(LIFT_1, acosh)
LIFT_EACH(LIFT_1, asin)
LIFT_EACH(LIFT_1, asinh)
LIFT_EACH(LIFT_1, atan)
LIFT_EACH(LIFT_1, atanh)
LIFT_EACH(LIFT_1, cbrt)
LIFT_EACH(LIFT_1, ceil)
LIFT_EACH(LIFT_1, cos)
LIFT_EACH(LIFT_1, cosh)
LIFT_EACH(LIFT_1, erf)
LIFT_EACH(LIFT_1, erfc)
LIFT_EACH(LIFT_1, exp)
LIFT_EACH(LIFT_1, exp2)
LIFT_EACH(LIFT_1, expm1)
LIFT_EACH(LIFT_1, fabs)
LIFT_EACH(LIFT_1, floor)
LIFT_EACH(LIFT_1, lgamma)
LIFT_EACH(LIFT_1, log)
LIFT_EACH(LIFT_1, log10)
LIFT_EACH(LIFT_1, log1p)
LIFT_EACH(LIFT_1, log2)
LIFT_EACH(LIFT_1, logb)
LIFT_EACH(LIFT_1, nearbyint)
LIFT_EACH(LIFT_1, rint)
LIFT_EACH(LIFT_1, round)
LIFT_EACH(LIFT_1, sin)
LIFT_EACH(LIFT_1, sinh)
LIFT_EACH(LIFT_1, sqrt)
LIFT_EACH(LIFT_1, tan)
LIFT_EACH(LIFT_1, tanh)
LIFT_EACH(LIFT_1, tgamma)
LIFT_EACH(LIFT_1, trunc)
LIFT_EACH(LIFT_2, atan2)
LIFT_EACH(LIFT_2, copysign)
#define LIFT_FDIM(name, T) __inline T name(T a, T b) { return a <= b ? 0 : a - b; }
LIFT_EACH(LIFT_FDIM, fdim)
LIFT_EACH(LIFT_2, fmax)
LIFT_EACH(LIFT_2, fmin)
LIFT_EACH(LIFT_2, fmod)
LIFT_EACH(LIFT_2, hypot)
LIFT_EACH(LIFT_2, nextafter)
LIFT_EACH(LIFT_2, pow)
LIFT_EACH(LIFT_2, remainder)
LIFT_EACH(LIFT_3, fma)
LIFT_EACH(LIFT_TO_INT, ilogb)
LIFT_EACH(LIFT_TO_LONG, lrint)
LIFT_EACH(LIFT_TO_LONG, lround)
LIFT_EACH(LIFT_TO_LONGER, llrint)
LIFT_EACH(LIFT_TO_LONGER, llround)
LIFT_EACH(LIFT_BY_INT, ldexp)
LIFT_EACH(LIFT_BY_INT, scalbn)
LIFT_EACH(LIFT_BY_LONG, scalbln)
LIFT_EACH(LIFT_INTO_INT, frexp)
#define LIFT_THROUGH(name, T) T name(T, T *);
LIFT_EACH(LIFT_THROUGH, modf)
#define LIFT_QUOTIENT(name, T) T name(T, T, int *);
LIFT_EACH(LIFT_QUOTIENT, remquo)
#define LIFT_TOWARD(name, T) T name(T, long double);
LIFT_EACH(LIFT_TOWARD, nexttoward)
#define LIFT_NAN(name, T) T name(const char *);
LIFT_EACH(LIFT_NAN, nan)
#if defined __cplusplus || !defined __STRICT_ANSI__
LIFT_EACH(LIFT_1, exp10)
LIFT_EACH(LIFT_1, gamma)
LIFT_EACH(LIFT_1, j0)
LIFT_EACH(LIFT_1, j1)
LIFT_EACH(LIFT_1, nextdown)
LIFT_EACH(LIFT_1, nextup)
LIFT_EACH(LIFT_1, roundeven)
LIFT_EACH(LIFT_1, significand)
LIFT_EACH(LIFT_1, y0)
LIFT_EACH(LIFT_1, y1)
LIFT_EACH(LIFT_2, drem)
LIFT_EACH(LIFT_2, fmaximum)
LIFT_EACH(LIFT_2, fmaximum_mag)
LIFT_EACH(LIFT_2, fmaximum_num)
LIFT_EACH(LIFT_2, fmaxmag)
LIFT_EACH(LIFT_2, fminimum)
LIFT_EACH(LIFT_2, fminimum_mag)
LIFT_EACH(LIFT_2, fminimum_num)
LIFT_EACH(LIFT_2, fminmag)
LIFT_EACH(LIFT_2, scalb)
LIFT_EACH(LIFT_TO_INT, finite)
LIFT_EACH(LIFT_TO_LONG, llogb)
LIFT_EACH(LIFT_OF_INT, jn)
LIFT_EACH(LIFT_OF_INT, yn)
#define LIFT_SINCOS(name, T) void name(T, T *, T *);
LIFT_EACH(LIFT_SINCOS, sincos)
#define LIFT_NARROW_2(T, name) T name(double, double); T name##l(long double, long double);
LIFT_NARROW_2(float, fadd)
LIFT_NARROW_2(float, fdiv)
LIFT_NARROW_2(float, fmul)
LIFT_NARROW_2(float, fsub)
float fsqrt(double);
float fsqrtl(long double);
float ffma(double, double, double);
float ffmal(long double, long double, long double);
double daddl(long double, long double);
double ddivl(long double, long double);
double dmull(long double, long double);
double dsubl(long double, long double);
double dsqrtl(long double);
double dfmal(long double, long double, long double);
int isinff(float);
int isinfl(long double);
int isnanf(float);
int isnanl(long double);
#undef LIFT_SINCOS
#undef LIFT_NARROW_2
#endif
#undef LIFT_EACH
#undef LIFT_1
#undef LIFT_2
#undef LIFT_3
#undef LIFT_TO_INT
#undef LIFT_TO_LONG
#undef LIFT_TO_LONGER
#undef LIFT_BY_INT
#undef LIFT_BY_LONG
#undef LIFT_OF_INT
#undef LIFT_INTO_INT
#undef LIFT_THROUGH
#undef LIFT_QUOTIENT
#undef LIFT_TOWARD
#undef LIFT_NAN
typedef float float_t;
typedef double double_t;
#ifdef __cplusplus
}
#endif
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
