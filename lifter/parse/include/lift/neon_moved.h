/* Lanes that are moved to others. */
LIFT_FUNCTION V OP_WITH(dup, n)(E v) EACH(V, v)
LIFT_FUNCTION V OP_WITH(mov, n)(E v) EACH(V, v)
LIFT_FUNCTION V OP_WITH(dup, lane)(D a, UP_TO(LAST_D) n) EACH(V, a[n])
LIFT_FUNCTION V OP_WITH(dup, laneq)(F a, UP_TO(LAST_Q) n) EACH(V, a[n])
LIFT_FUNCTION E OP_WITH(get, lane)(V a, UP_TO(LAST) n) { return a[n]; }
LIFT_FUNCTION V OP_WITH(set, lane)(E v, V a, UP_TO(LAST) n) { V r = a; r[n] = v; return r; }
LIFT_FUNCTION V OP_WITH(copy, lane)(V a, UP_TO(LAST) n, D b, UP_TO(LAST_D) m) { V r = a; r[n] = b[m]; return r; }
LIFT_FUNCTION V OP_WITH(copy, laneq)(V a, UP_TO(LAST) n, F b, UP_TO(LAST_Q) m) { V r = a; r[n] = b[m]; return r; }
LIFT_FUNCTION V OP(ext)(V a, V b, UP_TO(LAST) n) EACH(V, i + n < COUNT ? a[i + n] : b[i + n - COUNT])
LIFT_FUNCTION V OP(bsl)(UV m, V a, V b) { return (V)((m & (UV)a) | (~m & (UV)b)); }
#if BITS == 8
EACH1(rev16, a[i ^ 1])
#endif
#if BITS <= 16
EACH1(rev32, a[i ^ (32 / BITS - 1)])
#endif
#if BITS <= 32
EACH1(rev64, a[i ^ (64 / BITS - 1)])
#endif
#if COUNT > 1
EACH2(zip1, (i & 1 ? b : a)[i / 2])
EACH2(zip2, (i & 1 ? b : a)[COUNT / 2 + i / 2])
EACH2(uzp1, i < COUNT / 2 ? a[2 * i] : b[2 * i - COUNT])
EACH2(uzp2, i < COUNT / 2 ? a[2 * i + 1] : b[2 * i + 1 - COUNT])
EACH2(trn1, (i & 1 ? b : a)[i & ~1])
EACH2(trn2, (i & 1 ? b : a)[i | 1])
#endif
#if BITS < 64
#define TWO(op) \
    LIFT_FUNCTION VECTOR(LETTER, BITS, PASTE(W, 2, , )) OP(op)(V a, V b)                    \
    { const VECTOR(LETTER, BITS, PASTE(W, 2, , )) r = {{OP(op##1)(a, b), OP(op##2)(a, b)}}; return r; }
TWO(zip)
TWO(uzp)
TWO(trn)
#undef TWO
#endif
