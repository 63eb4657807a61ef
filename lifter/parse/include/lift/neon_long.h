/* Results of twice the bits, of 64 bits of arguments: those that are there (addl), or the upper half (addl_high). */
#if IS_INTEGER && BITS < 64
#define L VECTOR(LETTER, TWICE, q)
#define LE PASTE(__, LETTER, TWICE, e)
#define FROM(name) ONE_WIDTH(name)
#define HIGH(v) ONE_WIDTH(get_high)(v)
#define DUP ONE_WIDTH(dup_n)
#define DUP_LANE ONE_WIDTH(dup_lane)
#define DUP_LANEQ ONE_WIDTH(dup_laneq)

#define LONG1(op, ...)                                                                                                \
    LIFT_FUNCTION L FROM(op)(D a) EACH(L, __VA_ARGS__)                                                                \
    LIFT_FUNCTION L FROM(op##_high)(F a) { return FROM(op)(HIGH(a)); }
#define LONG2(op, ...)                                                                                                \
    LIFT_FUNCTION L FROM(op)(D a, D b) EACH(L, __VA_ARGS__)                                                           \
    LIFT_FUNCTION L FROM(op##_high)(F a, F b) { return FROM(op)(HIGH(a), HIGH(b)); }
/* The first argument has twice the bits already. */
#define WIDER2(op, ...)                                                                                               \
    LIFT_FUNCTION L FROM(op)(L a, D b) EACH(L, __VA_ARGS__)                                                           \
    LIFT_FUNCTION L FROM(op##_high)(L a, F b) { return FROM(op)(a, HIGH(b)); }
/* Something is done to a wide vector and what a function of two makes. */
#define ONTO(op, ...)                                                                                                 \
    LIFT_FUNCTION L FROM(op)(L a, D b, D c) { return __VA_ARGS__; }                                                   \
    LIFT_FUNCTION L FROM(op##_high)(L a, F b, F c) { return FROM(op)(a, HIGH(b), HIGH(c)); }
/* The last argument is a number, or a lane. */
#define LONG2_BY(op)                                                                                                  \
    LIFT_FUNCTION L FROM(op##_n)(D a, E b) { return FROM(op)(a, DUP(b)); }                                            \
    LIFT_FUNCTION L FROM(op##_lane)(D a, D b, UP_TO(LAST_D) n) { return FROM(op)(a, DUP_LANE(b, n)); }             \
    LIFT_FUNCTION L FROM(op##_laneq)(D a, F b, UP_TO(LAST_Q) n) { return FROM(op)(a, DUP_LANEQ(b, n)); }           \
    LIFT_FUNCTION L FROM(op##_high_n)(F a, E b) { return FROM(op)(HIGH(a), DUP(b)); }                                 \
    LIFT_FUNCTION L FROM(op##_high_lane)(F a, D b, UP_TO(LAST_D) n) { return FROM(op)(HIGH(a), DUP_LANE(b, n)); }  \
    LIFT_FUNCTION L FROM(op##_high_laneq)(F a, F b, UP_TO(LAST_Q) n) { return FROM(op)(HIGH(a), DUP_LANEQ(b, n)); }
#define ONTO_BY(op)                                                                                                   \
    LIFT_FUNCTION L FROM(op##_n)(L a, D b, E c) { return FROM(op)(a, b, DUP(c)); }                                    \
    LIFT_FUNCTION L FROM(op##_lane)(L a, D b, D c, UP_TO(LAST_D) n) { return FROM(op)(a, b, DUP_LANE(c, n)); }     \
    LIFT_FUNCTION L FROM(op##_laneq)(L a, D b, F c, UP_TO(LAST_Q) n) { return FROM(op)(a, b, DUP_LANEQ(c, n)); }   \
    LIFT_FUNCTION L FROM(op##_high_n)(L a, F b, E c) { return FROM(op)(a, HIGH(b), DUP(c)); }                         \
    LIFT_FUNCTION L FROM(op##_high_lane)(L a, F b, D c, UP_TO(LAST_D) n) { return FROM(op)(a, HIGH(b), DUP_LANE(c, n)); }   \
    LIFT_FUNCTION L FROM(op##_high_laneq)(L a, F b, F c, UP_TO(LAST_Q) n) { return FROM(op)(a, HIGH(b), DUP_LANEQ(c, n)); }

LONG1(movl, a[i])
LIFT_FUNCTION L FROM(shll_n)(D a, UP_TO(BITS) n) EACH(L, (LE)a[i] << n)
LIFT_FUNCTION L FROM(shll_high_n)(F a, UP_TO(BITS) n) { return FROM(shll_n)(HIGH(a), n); }
LONG2(addl, (LE)a[i] + b[i])
LONG2(subl, (LE)a[i] - (LE)b[i])
LONG2(abdl, a[i] > b[i] ? (LE)a[i] - (LE)b[i] : (LE)b[i] - (LE)a[i])
LONG2(mull, (LE)a[i] * b[i])
WIDER2(addw, (PASTE(__u, TWICE, e, ))a[i] + b[i])
WIDER2(subw, (PASTE(__u, TWICE, e, ))a[i] - b[i])
ONTO(abal, a + FROM(abdl)(b, c))
ONTO(mlal, a + FROM(mull)(b, c))
ONTO(mlsl, a - FROM(mull)(b, c))
#if BITS > 8
LONG2_BY(mull)
ONTO_BY(mlal)
ONTO_BY(mlsl)
#endif
/* Doubled products. */
#if IS_SIGNED && BITS == 16
LONG2(qdmull, __sat_i32(2 * ((__i64)a[i] * b[i])))
#elif IS_SIGNED && BITS == 32
#define LEAST(v) ((v) == -2147483647 - 1)
LONG2(qdmull, LEAST(a[i]) && LEAST(b[i]) ? (__i64)(~0ull >> 1) : 2 * ((__i64)a[i] * b[i]))
#undef LEAST
#endif
#if IS_SIGNED && BITS > 8
ONTO(qdmlal, PASTE(vqaddq_s, TWICE, , )(a, FROM(qdmull)(b, c)))
ONTO(qdmlsl, PASTE(vqsubq_s, TWICE, , )(a, FROM(qdmull)(b, c)))
LONG2_BY(qdmull)
ONTO_BY(qdmlal)
ONTO_BY(qdmlsl)
#endif
#undef L
#undef LE
#undef FROM
#undef HIGH
#undef DUP
#undef DUP_LANE
#undef DUP_LANEQ
#undef LONG1
#undef LONG2
#undef WIDER2
#undef ONTO
#undef LONG2_BY
#undef ONTO_BY
#endif
