/* SSE4.1's functions of floats, AVX's of the same name. */
#if LIFT_WIDTH
FLOAT2I(blend_ps, MOST_PS, f32, VF, n >> i & 1 ? b[i] : a[i])
FLOAT2I(blend_pd, MOST_PD, f64, VD, n >> i & 1 ? b[i] : a[i])
/* What the sign of the third one chooses. */
LIFT_FUNCTION VF OP(blendv_ps)(VF a, VF b, VF c_) { SEE(i32, c) LIFT_RESULT(f32, VF, c[i] < 0 ? b[i] : a[i]) }
LIFT_FUNCTION VD OP(blendv_pd)(VD a, VD b, VD c_) { SEE(i64, c) LIFT_RESULT(f64, VD, c[i] < 0 ? b[i] : a[i]) }
/* The upper bits of n say which products count, the lower ones which lanes have their sum. */
#define PART(j) (n >> (4 + (j)) & 1 ? a[HALF(f32, i) + (j)] * b[HALF(f32, i) + (j)] : 0.0f)
FLOAT2I(dp_ps, 255, f32, VF, n >> i % 4 & 1 ? (PART(0) + PART(1)) + (PART(2) + PART(3)) : 0.0f)
#undef PART
FLOAT1I(round_ps, 15, f32, VF, WHOLE_NUMBER(f, a[i]))
FLOAT1I(round_pd, 15, f64, VD, WHOLE_NUMBER(, a[i]))
#endif
