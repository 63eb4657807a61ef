/* Functions of integers and of floats. */
WHOLE2(add, a + b)
WHOLE2(sub, a - b)
MASK2(ceq, a[i] == b[i])
MASK2(cgt, a[i] > b[i])
MASK2(cge, a[i] >= b[i])
MASK2(clt, a[i] < b[i])
MASK2(cle, a[i] <= b[i])
MASK1(ceqz, a[i] == 0)
#if !IS_INTEGER || IS_SIGNED
MASK1(cgtz, a[i] > 0)
MASK1(cgez, a[i] >= 0)
MASK1(cltz, a[i] < 0)
MASK1(clez, a[i] <= 0)
WHOLE1(neg, -a)
#endif

/* Lanes of two vectors in pairs, those of the first one first. */
#if COUNT > 1
#define LEFT (2 * i < COUNT ? a : b)[2 * i % COUNT]
#define RIGHT (2 * i < COUNT ? a : b)[2 * i % COUNT + 1]
#if IS_FLOAT
EACH2(padd, LEFT + RIGHT)
#else
EACH2(padd, (MODULO)LEFT + (MODULO)RIGHT)
#endif
#if IS_FLOAT
EACH2(pmax, MAX_OF(LEFT, RIGHT))
EACH2(pmin, MIN_OF(LEFT, RIGHT))
EACH2(pmaxnm, MAX_NUMBER(LEFT, RIGHT))
EACH2(pminnm, MIN_NUMBER(LEFT, RIGHT))
#elif BITS < 64
EACH2(pmax, LEFT > RIGHT ? LEFT : RIGHT)
EACH2(pmin, LEFT < RIGHT ? LEFT : RIGHT)
#endif
#undef LEFT
#undef RIGHT
#endif

/* Products; with a number, or a lane of another vector, for all lanes. */
#if BITS < 64 || IS_FLOAT
WHOLE2(mul, a * b)
WHOLE3(mla, a + b * c)
WHOLE3(mls, a - b * c)
#if BITS > 8
LIFT_FUNCTION V OP_WITH(mul, n)(V a, E b) { return a * OP_WITH(dup, n)(b); }
LIFT_FUNCTION V OP_WITH(mul, lane)(V a, D b, UP_TO(LAST_D) n) { return a * OP_WITH(dup, lane)(b, n); }
LIFT_FUNCTION V OP_WITH(mul, laneq)(V a, F b, UP_TO(LAST_Q) n) { return a * OP_WITH(dup, laneq)(b, n); }
#endif
#if BITS == 16 || BITS == 32
LIFT_FUNCTION V OP_WITH(mla, n)(V a, V b, E c) { return a + b * OP_WITH(dup, n)(c); }
LIFT_FUNCTION V OP_WITH(mls, n)(V a, V b, E c) { return a - b * OP_WITH(dup, n)(c); }
LIFT_FUNCTION V OP_WITH(mla, lane)(V a, V b, D c, UP_TO(LAST_D) n) { return a + b * OP_WITH(dup, lane)(c, n); }
LIFT_FUNCTION V OP_WITH(mls, lane)(V a, V b, D c, UP_TO(LAST_D) n) { return a - b * OP_WITH(dup, lane)(c, n); }
LIFT_FUNCTION V OP_WITH(mla, laneq)(V a, V b, F c, UP_TO(LAST_Q) n) { return a + b * OP_WITH(dup, laneq)(c, n); }
LIFT_FUNCTION V OP_WITH(mls, laneq)(V a, V b, F c, UP_TO(LAST_Q) n) { return a - b * OP_WITH(dup, laneq)(c, n); }
#endif
#endif
