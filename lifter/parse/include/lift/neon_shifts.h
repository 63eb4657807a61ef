/* Shifts. By vectors they go right where a count is below zero; of each count the lowest byte counts, as a
   number with a sign. What is shifted left wraps (shl) or stays the nearest number (qshl); what is
   shifted right goes down, or to the nearest number and halves up (rshl). */
#define BY ((signed char)b[i])
#if BITS < 64
#define RIGHT(v, n) ((WIDE)(v) >> (n))
#define ROUNDED(v, n) (((WIDE)(v) + ((WIDE)1 << ((n) - 1))) >> (n))
#else
/* By 1 to 64. */
#define RIGHT(v, n) ((v) >> ((n) > LESS ? LESS : (n)) >> ((n) > LESS))
#define ROUNDED(v, n) (RIGHT(v, n) + ((v) >> ((n) - 1) & 1))
#endif
#define LEFT(v, n) ((WRAP)(v) << (n))
/* Whether v << n has lost something, for n from 1 on below the number of bits. */
#define FITS(v, n) ((E)(LEFT(v, n)) >> (n) == (v))
#if IS_SIGNED
#define FARTHEST(v) ((v) < 0 ? (E)((WRAP)1 << LESS) : (E)(((WRAP)1 << LESS) - 1))
#define ALL_OUT(v) ((v) < 0 ? -1 : 0)
#define ROUNDED_FAR(v) 0
#else
#define FARTHEST(v) ((E)~(WRAP)0)
#define ALL_OUT(v) 0
#define ROUNDED_FAR(v) (BY == -BITS ? (v) >> LESS : 0)
#endif
#define LEFT_WRAPPED(v) (BY >= BITS ? 0 : LEFT(v, BY < 0 || BY >= BITS ? 0 : BY))
#define LEFT_NEAREST(v) ((v) == 0 ? 0 : BY >= BITS ? FARTHEST(v) : FITS(v, BY < 0 || BY >= BITS ? 0 : BY) ? (E)LEFT(v, BY < 0 || BY >= BITS ? 0 : BY) : FARTHEST(v))
#define RIGHT_DOWN(v) (BY <= -BITS ? ALL_OUT(v) : (v) >> (BY <= -BITS || BY > 0 ? 0 : -BY))
#define RIGHT_NEAREST(v) (BY <= -BITS ? ROUNDED_FAR(v) : ROUNDED(v, BY <= -BITS || BY >= 0 ? 1 : -BY))
#define BY_VECTOR(op, ...) LIFT_FUNCTION V OP(op)(V a, SV b) EACH(V, __VA_ARGS__)
BY_VECTOR(shl, BY < 0 ? (E)RIGHT_DOWN(a[i]) : (E)LEFT_WRAPPED(a[i]))
BY_VECTOR(rshl, BY < 0 ? (E)RIGHT_NEAREST(a[i]) : (E)LEFT_WRAPPED(a[i]))
BY_VECTOR(qshl, BY < 0 ? (E)RIGHT_DOWN(a[i]) : (E)LEFT_NEAREST(a[i]))
BY_VECTOR(qrshl, BY < 0 ? (E)RIGHT_NEAREST(a[i]) : (E)LEFT_NEAREST(a[i]))
#undef BY_VECTOR

/* By a number. */
#define BY_NUMBER(op, range, ...) LIFT_FUNCTION V OP_WITH(op, n)(V a, range n) EACH(V, __VA_ARGS__)
#define INTO(op, range, ...) LIFT_FUNCTION V OP_WITH(op, n)(V a, V b, range n) EACH(V, __VA_ARGS__)
BY_NUMBER(shl, UP_TO(LESS), LEFT(a[i], n))
BY_NUMBER(qshl, UP_TO(LESS), FITS(a[i], n) ? (E)LEFT(a[i], n) : FARTHEST(a[i]))
BY_NUMBER(shr, FROM_1_TO(BITS), RIGHT(a[i], n))
BY_NUMBER(rshr, FROM_1_TO(BITS), ROUNDED(a[i], n))
INTO(sra, FROM_1_TO(BITS), (WRAP)a[i] + (WRAP)RIGHT(b[i], n))
INTO(rsra, FROM_1_TO(BITS), (WRAP)a[i] + (WRAP)ROUNDED(b[i], n))
#if IS_SIGNED
#define UE PASTE(__u, BITS, e, )
#define LEFT_UNSIGNED(n) ((UE)LEFT(a[i], n) >> (n) == (UE)a[i] ? (UE)LEFT(a[i], n) : (UE)~(UE)0)
LIFT_FUNCTION UV OP_WITH(qshlu, n)(V a, UP_TO(LESS) n) EACH(UV, a[i] < 0 ? 0 : LEFT_UNSIGNED(n))
#undef LEFT_UNSIGNED
#undef UE
#endif
/* The bits that aren't reached stay those of the first. */
#define UPPER(n) (~(WRAP)0 << (n))
INTO(sli, UP_TO(LESS), LEFT(b[i], n) | ((WRAP)a[i] & ~UPPER(n)))
#undef UPPER
#define U_OF(v) ((PASTE(__u, BITS, e, ))(v))
#define LOWER(n) ((n) == BITS ? 0 : U_OF(~(WRAP)0) >> ((n) == BITS ? 0 : (n)))
INTO(sri, FROM_1_TO(BITS), ((n) == BITS ? 0 : U_OF(b[i]) >> ((n) == BITS ? 0 : (n))) | (U_OF(a[i]) & ~(WRAP)LOWER(n)))
#undef LOWER
#undef U_OF
#undef BY_NUMBER
#undef INTO
#undef BY
#undef RIGHT
#undef ROUNDED
#undef LEFT
#undef FITS
#undef FARTHEST
#undef ALL_OUT
#undef ROUNDED_FAR
#undef LEFT_WRAPPED
#undef LEFT_NEAREST
#undef RIGHT_DOWN
#undef RIGHT_NEAREST
