/* Results of half the bits, of 128 bits of arguments; those of `_high` stand behind a first argument. */
#if IS_INTEGER && BITS > 8
#define N VECTOR(LETTER, HALF_BITS, d)
#define UN VECTOR(u, HALF_BITS, d)
#define NT PASTE(LETTER, HALF_BITS, , )
#define UT PASTE(u, HALF_BITS, , )
#define FROM(name) ONE_WIDTH(name)
#define BEHIND(letter, R, v)                                                                              \
    {                                                                                                     \
        const R second = v;                                                                               \
        EACH(VECTOR(letter, HALF_BITS, q), i < COUNT_Q ? first[i] : second[i - COUNT_Q])                      \
    }
#define R_F(letter) VECTOR(letter, HALF_BITS, q)
#if BITS < 64
#define RIGHT(v, n) ((v) >> (n))
#define ROUNDED(v, n) (((__i64)(v) + (1ll << ((n) - 1))) >> (n))
#else
#define RIGHT(v, n) ((v) >> (n))
#define ROUNDED(v, n) (((v) >> (n)) + ((v) >> ((n) - 1) & 1))
#endif
#if BITS == 16
#undef ROUNDED
#define ROUNDED(v, n) (((v) + (1 << ((n) - 1))) >> (n))
#endif

#define NARROW1(op, R, letter, ...)                                                                       \
    LIFT_FUNCTION R FROM(op)(F a) EACH(R, __VA_ARGS__)                                                    \
    LIFT_FUNCTION R_F(letter) FROM(op##_high)(R first, F a) BEHIND(letter, R, FROM(op)(a))
#define NARROW2(op, ...)                                                                                  \
    LIFT_FUNCTION N FROM(op)(F a, F b) EACH(N, __VA_ARGS__)                                               \
    LIFT_FUNCTION R_F(LETTER) FROM(op##_high)(N first, F a, F b) BEHIND(LETTER, N, FROM(op)(a, b))
#define NARROW_BY(op, R, letter, ...)                                                                     \
    LIFT_FUNCTION R FROM(op##_n)(F a, FROM_1_TO(HALF_BITS) n) EACH(R, __VA_ARGS__)                         \
    LIFT_FUNCTION R_F(letter) FROM(op##_high_n)(R first, F a, FROM_1_TO(HALF_BITS) n)                      \
    BEHIND(letter, R, FROM(op##_n)(a, n))

/* The nearest number of half the bits. */
#if BITS < 64
#define NARROWED(v) NEAREST_OF(NT, v)
#define NARROWED_UNSIGNED(v) NEAREST_OF(UT, v)
#elif IS_SIGNED
#define NARROWED(v) __sat_i32(v)
#define NARROWED_UNSIGNED(v) __sat_u32(v)
#else
#define NARROWED(v) ((v) > 4294967295ull ? 4294967295u : (__u32)(v))
#endif
#if BITS == 32 && !IS_SIGNED
#undef NARROWED
#define NARROWED(v) ((v) > 65535 ? 65535 : (v))
#endif

NARROW1(movn, N, LETTER, a[i])
NARROW1(qmovn, N, LETTER, NARROWED(a[i]))
#define UPPER(v) ((v) >> HALF_BITS)
NARROW2(addhn, UPPER((MODULO)a[i] + (MODULO)b[i]))
NARROW2(subhn, UPPER((MODULO)a[i] - (MODULO)b[i]))
NARROW2(raddhn, UPPER((MODULO)a[i] + (MODULO)b[i] + ((MODULO)1 << (HALF_BITS - 1))))
NARROW2(rsubhn, UPPER((MODULO)a[i] - (MODULO)b[i] + ((MODULO)1 << (HALF_BITS - 1))))
#undef UPPER
NARROW_BY(shrn, N, LETTER, RIGHT(a[i], n))
NARROW_BY(rshrn, N, LETTER, ROUNDED(a[i], n))
NARROW_BY(qshrn, N, LETTER, NARROWED(RIGHT(a[i], n)))
NARROW_BY(qrshrn, N, LETTER, NARROWED(ROUNDED(a[i], n)))
#if IS_SIGNED
NARROW1(qmovun, UN, u, NARROWED_UNSIGNED(a[i]))
NARROW_BY(qshrun, UN, u, NARROWED_UNSIGNED(RIGHT(a[i], n)))
NARROW_BY(qrshrun, UN, u, NARROWED_UNSIGNED(ROUNDED(a[i], n)))
#endif
#undef N
#undef UN
#undef NT
#undef UT
#undef FROM
#undef BEHIND
#undef R_F
#undef RIGHT
#undef ROUNDED
#undef NARROW1
#undef NARROW2
#undef NARROW_BY
#undef NARROWED
#undef NARROWED_UNSIGNED
#endif
