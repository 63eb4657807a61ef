/* Floats that take other places: SSE3's and AVX's functions, AVX-512's of the same name. */
#if LIFT_WIDTH
FLOAT1(movehdup_ps, f32, VF, a[i | 1])
FLOAT1(moveldup_ps, f32, VF, a[i & ~1])
FLOAT1(movedup_pd, f64, VD, a[i & ~1])
#endif
