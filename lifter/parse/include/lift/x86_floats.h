/* SSE's, SSE2's and AVX's functions of floats and doubles. */
#if LIFT_WIDTH
#define EACH(op, F, W, ...) FLOAT2(op, F, W, __VA_ARGS__)
EACH(add_ps, f32, VF, a[i] + b[i])
EACH(sub_ps, f32, VF, a[i] - b[i])
EACH(mul_ps, f32, VF, a[i] * b[i])
EACH(div_ps, f32, VF, a[i] / b[i])
EACH(add_pd, f64, VD, a[i] + b[i])
EACH(sub_pd, f64, VD, a[i] - b[i])
EACH(mul_pd, f64, VD, a[i] * b[i])
EACH(div_pd, f64, VD, a[i] / b[i])
/* Where one isn't a number, and of two zeros, it's the second one. */
EACH(min_ps, f32, VF, a[i] < b[i] ? a[i] : b[i])
EACH(max_ps, f32, VF, a[i] > b[i] ? a[i] : b[i])
EACH(min_pd, f64, VD, a[i] < b[i] ? a[i] : b[i])
EACH(max_pd, f64, VD, a[i] > b[i] ? a[i] : b[i])
#undef EACH
FLOAT1(sqrt_ps, f32, VF, __builtin_sqrtf(a[i]))
FLOAT1(sqrt_pd, f64, VD, __builtin_sqrt(a[i]))
LIFT_FUNCTION VF OP(and_ps)(VF a, VF b) { return (VF)((V)a & (V)b); }
LIFT_FUNCTION VF OP(or_ps)(VF a, VF b) { return (VF)((V)a | (V)b); }
LIFT_FUNCTION VF OP(xor_ps)(VF a, VF b) { return (VF)((V)a ^ (V)b); }
LIFT_FUNCTION VF OP(andnot_ps)(VF a, VF b) { return (VF)(~(V)a & (V)b); }
LIFT_FUNCTION VD OP(and_pd)(VD a, VD b) { return (VD)((V)a & (V)b); }
LIFT_FUNCTION VD OP(or_pd)(VD a, VD b) { return (VD)((V)a | (V)b); }
LIFT_FUNCTION VD OP(xor_pd)(VD a, VD b) { return (VD)((V)a ^ (V)b); }
LIFT_FUNCTION VD OP(andnot_pd)(VD a, VD b) { return (VD)(~(V)a & (V)b); }
LIFT_FUNCTION VF OP(setzero_ps)(void) { const VF zero = {0}; return zero; }
LIFT_FUNCTION VD OP(setzero_pd)(void) { const VD zero = {0}; return zero; }
LIFT_FUNCTION VF OP(set1_ps)(float v) LIFT_RESULT(f32, VF, v)
LIFT_FUNCTION VD OP(set1_pd)(double v) LIFT_RESULT(f64, VD, v)
FLOAT2(unpacklo_ps, f32, VF, (i & 1 ? b : a)[HALF(f32, i) + i % 4 / 2])
FLOAT2(unpackhi_ps, f32, VF, (i & 1 ? b : a)[HALF(f32, i) + 2 + i % 4 / 2])
FLOAT2(unpacklo_pd, f64, VD, (i & 1 ? b : a)[HALF(f64, i)])
FLOAT2(unpackhi_pd, f64, VD, (i & 1 ? b : a)[HALF(f64, i) + 1])
FLOAT2N(shuffle_ps, f32, VF, (i % 4 < 2 ? a : b)[HALF(f32, i) + (n >> 2 * (i % 4) & 3)])
FLOAT2N(shuffle_pd, f64, VD, (i % 2 ? b : a)[HALF(f64, i) + (n >> i & 1)])
/* Half to even; what no integer can be is the least one. */
LIFT_FUNCTION V OP(cvtps_epi32)(VF a) LIFT_RESULT(i32, V, __rounded(a[i]))
LIFT_FUNCTION V OP(cvttps_epi32)(VF a) LIFT_RESULT(i32, V, __truncated(a[i]))
LIFT_FUNCTION VF OP(cvtepi32_ps)(V a_) { SEE(i32, a) LIFT_RESULT(f32, VF, (float)a[i]) }
#endif
