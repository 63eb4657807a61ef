/* AVX's functions of floats for 128 and 256 bits, AVX-512's of the same name. */
#if LIFT_WIDTH
FLOAT1I(permute_ps, 255, f32, VF, a[HALF(f32, i) + (n >> 2 * (i % 4) & 3)])
FLOAT1I(permute_pd, MOST_PD, f64, VD, a[HALF(f64, i) + (n >> i & 1)])
#define BY_LANES(op, F, W, T, ...)                                                      \
    LIFT_FUNCTION W OP(op)(W a, V b_) { SEE(T, b) LIFT_RESULT(F, W, __VA_ARGS__) }
#ifndef LIFT_MASKED
BY_LANES(permutevar_ps, f32, VF, u32, a[HALF(f32, i) + (b[i] & 3)])
BY_LANES(permutevar_pd, f64, VD, u64, a[HALF(f64, i) + (b[i] >> 1 & 1)])
#endif
#undef BY_LANES
#endif
