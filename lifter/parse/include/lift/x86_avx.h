/* AVX's functions of floats for 128 and 256 bits, AVX-512's of the same name. */
#if LIFT_WIDTH
FLOAT1I(permute_ps, 255, f32, VF, a[HALF(f32, i) + (n >> 2 * (i % 4) & 3)])
FLOAT1I(permute_pd, MOST_PD, f64, VD, a[HALF(f64, i) + (n >> i & 1)])
LIFT_FUNCTION VF OP(permutevar_ps)(VF a, V b_) { SEE(u32, b) LIFT_RESULT(f32, VF, a[HALF(f32, i) + (b[i] & 3)]) }
LIFT_FUNCTION VD OP(permutevar_pd)(VD a, V b_) { SEE(u64, b) LIFT_RESULT(f64, VD, a[HALF(f64, i) + (b[i] >> 1 & 1)]) }
#endif
