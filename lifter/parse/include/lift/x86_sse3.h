/* SSE3's functions of floats, AVX's of the same name. */
#if LIFT_WIDTH
#define PAIR(F, n) (i % (n) < (n) / 2 ? a : b)[HALF(F, i) + i * 2 % (n)]
#define NEXT(F, n) (i % (n) < (n) / 2 ? a : b)[HALF(F, i) + i * 2 % (n) + 1]
FLOAT2(hadd_ps, f32, VF, PAIR(f32, 4) + NEXT(f32, 4))
FLOAT2(hsub_ps, f32, VF, PAIR(f32, 4) - NEXT(f32, 4))
FLOAT2(hadd_pd, f64, VD, PAIR(f64, 2) + NEXT(f64, 2))
FLOAT2(hsub_pd, f64, VD, PAIR(f64, 2) - NEXT(f64, 2))
#undef PAIR
#undef NEXT
FLOATS2(addsub, i & 1 ? a[i] + b[i] : a[i] - b[i])
#endif
