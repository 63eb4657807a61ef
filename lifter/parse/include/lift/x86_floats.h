/* SSE's and SSE2's functions of floats and doubles, AVX's and AVX-512's of the same name. */
#if LIFT_WIDTH
FLOATS2(add, a[i] + b[i])
FLOATS2(sub, a[i] - b[i])
FLOATS2(mul, a[i] * b[i])
FLOATS2(div, a[i] / b[i])
/* Where one isn't a number, and of two zeros, it's the second one. */
FLOATS2(min, a[i] < b[i] ? a[i] : b[i])
FLOATS2(max, a[i] > b[i] ? a[i] : b[i])
FLOAT1(sqrt_ps, f32, VF, __builtin_sqrtf(a[i]))
FLOAT1(sqrt_pd, f64, VD, __builtin_sqrt(a[i]))
#define BITS2(op, ...)                                                        \
    LIFT_BITS2(op##_ps, i32, VF, __VA_ARGS__) LIFT_BITS2(op##_pd, i64, VD, __VA_ARGS__)
BITS2(and, a & b)
BITS2(or, a | b)
BITS2(xor, a ^ b)
BITS2(andnot, ~a & b)
#undef BITS2
FLOAT2(unpacklo_ps, f32, VF, (i & 1 ? b : a)[HALF(f32, i) + i % 4 / 2])
FLOAT2(unpackhi_ps, f32, VF, (i & 1 ? b : a)[HALF(f32, i) + 2 + i % 4 / 2])
FLOAT2(unpacklo_pd, f64, VD, (i & 1 ? b : a)[HALF(f64, i)])
FLOAT2(unpackhi_pd, f64, VD, (i & 1 ? b : a)[HALF(f64, i) + 1])
FLOAT2I(shuffle_ps, 255, f32, VF, (i % 4 < 2 ? a : b)[HALF(f32, i) + (n >> 2 * (i % 4) & 3)])
FLOAT2I(shuffle_pd, MOST_PD, f64, VD, (i % 2 ? b : a)[HALF(f64, i) + (n >> i & 1)])
/* Half to even; what no integer can be is the least one. */
FROM1(cvtps_epi32, i32, V, f32, VF, BYTES, __rounded(a[i]))
FROM1(cvttps_epi32, i32, V, f32, VF, BYTES, __truncated(a[i]))
FROM1(cvtepi32_ps, f32, VF, i32, V, BYTES, (float)a[i])

#ifndef LIFT_MASKED
LIFT_FUNCTION VF OP(setzero_ps)(void) { const VF zero = {0}; return zero; }
LIFT_FUNCTION VD OP(setzero_pd)(void) { const VD zero = {0}; return zero; }
LIFT_FUNCTION VF OP(undefined_ps)(void) { VF any; return any; }
LIFT_FUNCTION VD OP(undefined_pd)(void) { VD any; return any; }
LIFT_FUNCTION VF OP(set1_ps)(float v) LIFT_RESULT(f32, VF, v)
LIFT_FUNCTION VD OP(set1_pd)(double v) LIFT_RESULT(f64, VD, v)
LIFT_FUNCTION VF OP(load_ps)(const FLOATS_AT(float) *p) { return *(const VF *)p; }
LIFT_FUNCTION VD OP(load_pd)(const FLOATS_AT(double) *p) { return *(const VD *)p; }
LIFT_FUNCTION VF OP(loadu_ps)(const FLOATS_AT(float) *p) { return *(const VF_u *)p; }
LIFT_FUNCTION VD OP(loadu_pd)(const FLOATS_AT(double) *p) { return *(const VD_u *)p; }
LIFT_FUNCTION void OP(store_ps)(FLOATS_AT(float) *p, VF v) { *(VF *)p = v; }
LIFT_FUNCTION void OP(store_pd)(FLOATS_AT(double) *p, VD v) { *(VD *)p = v; }
LIFT_FUNCTION void OP(storeu_ps)(FLOATS_AT(float) *p, VF v) { *(VF_u *)p = v; }
LIFT_FUNCTION void OP(storeu_pd)(FLOATS_AT(double) *p, VD v) { *(VD_u *)p = v; }
LIFT_FUNCTION void OP(stream_ps)(FLOATS_AT(float) *p, VF v) { *(VF *)p = v; }
LIFT_FUNCTION void OP(stream_pd)(FLOATS_AT(double) *p, VD v) { *(VD *)p = v; }
#if LIFT_WIDTH < 512
LIFT_FUNCTION int OP(movemask_ps)(VF a_)
{
    SEE(u32, a)
    int i, r = 0;
    for (i = 0; i < COUNT(f32); i++) r |= (int)(a[i] >> 31) << i;
    return r;
}
LIFT_FUNCTION int OP(movemask_pd)(VD a_)
{
    SEE(u64, a)
    int i, r = 0;
    for (i = 0; i < COUNT(f64); i++) r |= (int)(a[i] >> 63) << i;
    return r;
}
#endif
#endif
#endif
