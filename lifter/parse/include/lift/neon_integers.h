/* Functions of integers, lane by lane, and of all lanes of one vector. */
WHOLE2(and, a & b)
WHOLE2(orr, a | b)
WHOLE2(eor, a ^ b)
WHOLE2(bic, a & ~b)
WHOLE2(orn, a | ~b)
MASK2(tst, (a[i] & b[i]) != 0)

#if BITS < 64
WHOLE1(mvn, ~a)
EACH2(hadd, ((WIDE)a[i] + b[i]) >> 1)
EACH2(rhadd, ((WIDE)a[i] + b[i] + 1) >> 1)
EACH2(hsub, ((WIDE)a[i] - b[i]) >> 1)
EACH2(qadd, NEAREST((WIDE)a[i] + b[i]))
EACH2(qsub, NEAREST((WIDE)a[i] - b[i]))
EACH2(max, a[i] > b[i] ? a[i] : b[i])
EACH2(min, a[i] < b[i] ? a[i] : b[i])
#if BITS == 32
#define APART(x, y) (x > y ? (WRAP)x - (WRAP)y : (WRAP)y - (WRAP)x)
#else
#define APART(x, y) (x > y ? x - y : y - x)
#endif
EACH2(abd, APART(a[i], b[i]))
EACH3(aba, (MODULO)a[i] + APART(b[i], c[i]))
#undef APART
EACH1(clz, a[i] ? __builtin_clz((PASTE(uint, BITS, _t, ))a[i]) - (32 - BITS) : BITS)
/* Of the sign's copies, also where there is none. */
#define AS_SIGNED ((PASTE(int, BITS, _t, ))a[i])
LIFT_FUNCTION SV OP(cls)(V a) EACH(SV, __builtin_clz(((__u32)(AS_SIGNED ^ AS_SIGNED >> LESS) << 1 | 1) << (32 - BITS)))
#undef AS_SIGNED
#elif IS_SIGNED
#define MOST (__i64)(~0ull >> 1)
#define SUM (__i64)((WRAP)a[i] + (WRAP)b[i])
#define DIFFERENCE (__i64)((WRAP)a[i] - (WRAP)b[i])
EACH2(qadd, ((a[i] ^ SUM) & (b[i] ^ SUM)) < 0 ? (a[i] < 0 ? -MOST - 1 : MOST) : SUM)
EACH2(qsub, ((a[i] ^ b[i]) & (a[i] ^ DIFFERENCE)) < 0 ? (a[i] < 0 ? -MOST - 1 : MOST) : DIFFERENCE)
#undef SUM
#undef DIFFERENCE
#undef MOST
#else
EACH2(qadd, a[i] + b[i] < a[i] ? ~0ull : a[i] + b[i])
EACH2(qsub, a[i] > b[i] ? a[i] - b[i] : 0)
#endif

#if IS_SIGNED
EACH1(abs, a[i] < 0 ? -(MODULO)a[i] : (MODULO)a[i])
#if BITS < 64
EACH1(qabs, NEAREST(a[i] < 0 ? -(WIDE)a[i] : (WIDE)a[i]))
EACH1(qneg, NEAREST(-(WIDE)a[i]))
/* Numbers with a sign and without one. */
LIFT_FUNCTION V OP(uqadd)(V a, UV b) EACH(V, NEAREST((WIDE)a[i] + b[i]))
#else
EACH1(qabs, (WRAP)a[i] == 1ull << 63 ? ~0ull >> 1 : a[i] < 0 ? -(WRAP)a[i] : (WRAP)a[i])
EACH1(qneg, (WRAP)a[i] == 1ull << 63 ? ~0ull >> 1 : -(WRAP)a[i])
#endif
#elif BITS < 64
LIFT_FUNCTION V OP(sqadd)(V a, SV b) EACH(V, NEAREST((WIDE)a[i] + b[i]))
#endif

#if BITS == 8
#define PAIRS(v) ((v) - ((v) >> 1 & 0x55))
#define NIBBLES(v) ((PAIRS(v) & 0x33) + (PAIRS(v) >> 2 & 0x33))
EACH1(cnt, (NIBBLES((uint8_t)a[i]) & 15) + (NIBBLES((uint8_t)a[i]) >> 4))
#undef PAIRS
#undef NIBBLES
#define BIT(n) ((uint8_t)a[i] >> (n) & 1) << (7 - (n))
EACH1(rbit, BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5) | BIT(6) | BIT(7))
#undef BIT
#endif

/* Of all lanes of one vector. */
#define ALL(op, R, start, ...)                                                         \
    LIFT_FUNCTION R OP(op)(V a)                                                        \
    {                                                                                  \
        R r = start;                                                                   \
        int i;                                                                         \
        for (i = 0; i < COUNT; i++) r = __VA_ARGS__;                                   \
        return r;                                                                      \
    }
#if COUNT > 1
ALL(addv, E, 0, (MODULO)r + a[i])
#if BITS < 64
ALL(addlv, PASTE(__, LETTER, TWICE, e), 0, r + a[i])
ALL(maxv, E, a[0], r > a[i] ? r : a[i])
ALL(minv, E, a[0], r < a[i] ? r : a[i])
#endif
#endif
#undef ALL
#if BITS < 64
/* Sums of neighbours, as numbers of twice the bits. */
LIFT_FUNCTION VECTOR(LETTER, TWICE, W) OP(paddl)(V a) EACH(VECTOR(LETTER, TWICE, W), (PASTE(__, LETTER, TWICE, e))a[2 * i] + a[2 * i + 1])
LIFT_FUNCTION VECTOR(LETTER, TWICE, W) OP(padal)(VECTOR(LETTER, TWICE, W) a, V b) { return a + OP(paddl)(b); }
#endif

/* A sum onto four products of bytes each, also with four bytes of another vector for all lanes. */
#if BITS == 32
#define B VECTOR(LETTER, 8, W)
#define PRODUCT(k, j) (WRAP)(b[4 * i + k] * c[4 * (j) + k])
#define DOT(j) (WRAP)a[i] + PRODUCT(0, j) + PRODUCT(1, j) + PRODUCT(2, j) + PRODUCT(3, j)
LIFT_FUNCTION V OP(dot)(V a, B b, B c) EACH(V, DOT(i))
LIFT_FUNCTION V OP_WITH(dot, lane)(V a, B b, VECTOR(LETTER, 8, d) c, UP_TO(1) n) EACH(V, DOT(n))
LIFT_FUNCTION V OP_WITH(dot, laneq)(V a, B b, VECTOR(LETTER, 8, q) c, UP_TO(3) n) EACH(V, DOT(n))
#undef DOT
#undef PRODUCT
#undef B
#endif

/* The upper halves of doubled products. */
#if IS_SIGNED && (BITS == 16 || BITS == 32)
EACH2(qdmulh, NEAREST((WIDE)a[i] * b[i] >> LESS))
EACH2(qrdmulh, NEAREST(((WIDE)a[i] * b[i] + (1 << (LESS - 1))) >> LESS))
#define BY_NUMBER(op)                                                                                                    \
    LIFT_FUNCTION V OP_WITH(op, n)(V a, E b) { return OP(op)(a, OP_WITH(dup, n)(b)); }                                            \
    LIFT_FUNCTION V OP_WITH(op, lane)(V a, D b, UP_TO(LAST_D) n) { return OP(op)(a, OP_WITH(dup, lane)(b, n)); }               \
    LIFT_FUNCTION V OP_WITH(op, laneq)(V a, F b, UP_TO(LAST_Q) n) { return OP(op)(a, OP_WITH(dup, laneq)(b, n)); }
BY_NUMBER(qdmulh)
BY_NUMBER(qrdmulh)
#undef BY_NUMBER
#endif
