/* What is done to the bits of vectors of integers as a whole, and where they lie in memory. */
#if LIFT_WIDTH
LIFT_FUNCTION V WHOLE(and)(V a, V b) { return a & b; }
LIFT_FUNCTION V WHOLE(or)(V a, V b) { return a | b; }
LIFT_FUNCTION V WHOLE(xor)(V a, V b) { return a ^ b; }
LIFT_FUNCTION V WHOLE(andnot)(V a, V b) { return ~a & b; }
LIFT_FUNCTION V WHOLE(setzero)(void) { const V zero = {0}; return zero; }
LIFT_FUNCTION V WHOLE(load)(const V *p) { return *p; }
LIFT_FUNCTION V WHOLE(loadu)(const V_u *p) { return *p; }
LIFT_FUNCTION void WHOLE(store)(V *p, V v) { *p = v; }
LIFT_FUNCTION void WHOLE(storeu)(V_u *p, V v) { *p = v; }
LIFT_FUNCTION void WHOLE(stream)(V *p, V v) { *p = v; }
#endif
