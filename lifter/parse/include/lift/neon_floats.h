/* Functions of floats. */
#if BITS == 32
#define FN(name) __builtin_##name##f
#else
#define FN(name) __builtin_##name
#endif
WHOLE2(div, a / b)
EACH1(sqrt, FN(sqrt)(a[i]))
EACH1(abs, FN(fabs)(a[i]))
EACH2(abd, FN(fabs)(a[i] - b[i]))

/* With one rounding. */
EACH3(fma, FN(fma)(b[i], c[i], a[i]))
EACH3(fms, FN(fma)(-b[i], c[i], a[i]))
/* Of one double, compilers round it twice where they are told not to contract. */
#if COUNT > 1
LIFT_FUNCTION V OP_WITH(fma, n)(V a, V b, E c) { return OP(fma)(a, b, OP_WITH(dup, n)(c)); }
LIFT_FUNCTION V OP_WITH(fms, n)(V a, V b, E c) { return OP(fms)(a, b, OP_WITH(dup, n)(c)); }
#endif
LIFT_FUNCTION V OP_WITH(fma, lane)(V a, V b, D c, UP_TO(LAST_D) n) { return OP(fma)(a, b, OP_WITH(dup, lane)(c, n)); }
LIFT_FUNCTION V OP_WITH(fms, lane)(V a, V b, D c, UP_TO(LAST_D) n) { return OP(fms)(a, b, OP_WITH(dup, lane)(c, n)); }
LIFT_FUNCTION V OP_WITH(fma, laneq)(V a, V b, F c, UP_TO(LAST_Q) n) { return OP(fma)(a, b, OP_WITH(dup, laneq)(c, n)); }
LIFT_FUNCTION V OP_WITH(fms, laneq)(V a, V b, F c, UP_TO(LAST_Q) n) { return OP(fms)(a, b, OP_WITH(dup, laneq)(c, n)); }
/* Newton's steps, 2 - a * b and (3 - a * b) / 2 with one rounding; infinity times 0 counts as 0. */
#define IS_INFINITE(x) (FN(fabs)(x) > LARGEST)
#define IS_NOTHING (IS_INFINITE(a[i]) && b[i] == 0) || (a[i] == 0 && IS_INFINITE(b[i]))
#if BITS == 32
#define LARGEST 3.40282346638528859812e38f
#else
#define LARGEST 1.79769313486231570815e308
#endif
EACH2(recps, IS_NOTHING ? 2 : FN(fma)(-a[i], b[i], 2))
/* The larger one is halved, which is exact where it matters. */
#define HALF (E)0.5
EACH2(rsqrts, IS_NOTHING ? 3 * HALF : FN(fabs)(a[i]) > FN(fabs)(b[i]) ? FN(fma)(-a[i] * HALF, b[i], 3 * HALF) : FN(fma)(-a[i], b[i] * HALF, 3 * HALF))
#undef HALF
#undef IS_NOTHING
#undef IS_INFINITE
#undef LARGEST

/* What isn't a number comes through (max), or the other one does (maxnm); 0 is more than -0. */
#define IS_NAN(x) ((x) != (x))
#define GREATER(x, y) ((x) > (y) ? (x) : (y) > (x) ? (y) : (x) == 0 ? (x) + (y) : (x))
#define SMALLER(x, y) ((x) < (y) ? (x) : (y) < (x) ? (y) : (x) == 0 ? -(-(x) - (y)) : (x))
#define MAX_OF(x, y) (IS_NAN(x) ? (x) : IS_NAN(y) ? (y) : GREATER(x, y))
#define MIN_OF(x, y) (IS_NAN(x) ? (x) : IS_NAN(y) ? (y) : SMALLER(x, y))
#define MAX_NUMBER(x, y) (IS_NAN(x) ? (y) : IS_NAN(y) ? (x) : GREATER(x, y))
#define MIN_NUMBER(x, y) (IS_NAN(x) ? (y) : IS_NAN(y) ? (x) : SMALLER(x, y))
EACH2(max, MAX_OF(a[i], b[i]))
EACH2(min, MIN_OF(a[i], b[i]))
EACH2(maxnm, MAX_NUMBER(a[i], b[i]))
EACH2(minnm, MIN_NUMBER(a[i], b[i]))

MASK2(cage, FN(fabs)(a[i]) >= FN(fabs)(b[i]))
MASK2(cagt, FN(fabs)(a[i]) > FN(fabs)(b[i]))
MASK2(cale, FN(fabs)(a[i]) <= FN(fabs)(b[i]))
MASK2(calt, FN(fabs)(a[i]) < FN(fabs)(b[i]))

/* To whole numbers: toward zero, halves away from zero, halves to even, down and up. */
EACH1(rnd, FN(trunc)(a[i]))
EACH1(rnda, FN(round)(a[i]))
EACH1(rndn, FN(rint)(a[i]))
EACH1(rndx, FN(rint)(a[i]))
EACH1(rndi, FN(rint)(a[i]))
EACH1(rndm, FN(floor)(a[i]))
EACH1(rndp, FN(ceil)(a[i]))

/* Into integers, the nearest of what is too large; what isn't a number is 0. */
#define LIFT_POWER_31 2147483648.0f
#define LIFT_POWER_63 9223372036854775808.0
#define POWER PASTE(LIFT_POWER_, LESS, , )
#define SE PASTE(__s, BITS, e, )
#define UE PASTE(__u, BITS, e, )
#define SIGNED(x) ((x) >= POWER ? (SE)(((WRAP)1 << LESS) - 1) : (x) >= -POWER ? (SE)(x) : (x) < 0 ? (SE)((WRAP)1 << LESS) : 0)
#define UNSIGNED(x) ((x) >= 2 * POWER ? ~(UE)0 : (x) > 0 ? (UE)(x) : 0)
#define CVT_(a, q, to, bits, n, from) a##q##_##n##to##bits##_##from##bits
#define CVT(op, q, to, bits, n, from) CVT_(v##op, q, to, bits, n, from)
#define INTO(op, ...)                                                                    \
    LIFT_FUNCTION SV CVT(op, Q, s, BITS, , f)(V a) EACH(SV, SIGNED(__VA_ARGS__))         \
    LIFT_FUNCTION UV CVT(op, Q, u, BITS, , f)(V a) EACH(UV, UNSIGNED(__VA_ARGS__))
INTO(cvt, a[i])
INTO(cvta, FN(round)(a[i]))
INTO(cvtn, FN(rint)(a[i]))
INTO(cvtm, FN(floor)(a[i]))
INTO(cvtp, FN(ceil)(a[i]))
#undef INTO
/* And back; with n bits behind the point. */
#define SCALE (2 * (E)(1ull << (n - 1)))
LIFT_FUNCTION V CVT(cvt, Q, f, BITS, , s)(SV a) EACH(V, (E)a[i])
LIFT_FUNCTION V CVT(cvt, Q, f, BITS, , u)(UV a) EACH(V, (E)a[i])
LIFT_FUNCTION V CVT(cvt, Q, f, BITS, n_, s)(SV a, FROM_1_TO(BITS) n) EACH(V, (E)a[i] * (1 / SCALE))
LIFT_FUNCTION V CVT(cvt, Q, f, BITS, n_, u)(UV a, FROM_1_TO(BITS) n) EACH(V, (E)a[i] * (1 / SCALE))
LIFT_FUNCTION SV CVT(cvt, Q, s, BITS, n_, f)(V a, FROM_1_TO(BITS) n) EACH(SV, SIGNED(a[i] * SCALE))
LIFT_FUNCTION UV CVT(cvt, Q, u, BITS, n_, f)(V a, FROM_1_TO(BITS) n) EACH(UV, UNSIGNED(a[i] * SCALE))
#undef SCALE
#undef CVT
#undef CVT_
#undef SIGNED
#undef UNSIGNED
#undef POWER
#undef LIFT_POWER_31
#undef LIFT_POWER_63
#undef SE
#undef UE

/* Of all lanes; of four the sum is that of two sums. */
#if COUNT == 2
#define ALL(op, combine) LIFT_FUNCTION E OP(op)(V a) { return combine(a[0], a[1]); }
#elif COUNT == 4
#define ALL(op, combine) \
    LIFT_FUNCTION E OP(op)(V a) { return combine(combine(a[0], a[1]), combine(a[2], a[3])); }
#endif
#if COUNT > 1
#define OWN(name) PASTE(__##name, Q, _of_, T)
static __inline E OWN(max)(E x, E y) { return MAX_OF(x, y); }
static __inline E OWN(min)(E x, E y) { return MIN_OF(x, y); }
static __inline E OWN(maxnm)(E x, E y) { return MAX_NUMBER(x, y); }
static __inline E OWN(minnm)(E x, E y) { return MIN_NUMBER(x, y); }
#define SUM(x, y) ((x) + (y))
ALL(addv, SUM)
ALL(maxv, OWN(max))
ALL(minv, OWN(min))
ALL(maxnmv, OWN(maxnm))
ALL(minnmv, OWN(minnm))
#undef SUM
#undef OWN
#undef ALL
#endif
