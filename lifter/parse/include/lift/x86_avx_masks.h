/* What AVX has for 128 and 256 bits alone: comparisons by number, tests, what masks choose in memory. */
#if LIFT_WIDTH
#define COMPARED2(op, F, I, W)                                                          \
    LIFT_FUNCTION W OP(op)(W a, W b, __to_31 n)                                          \
    { LIFT_RESULT(I, W, COMPARED(n, a[i], b[i]) ? -1 : 0) }
COMPARED2(cmp_ps, f32, i32, VF)
COMPARED2(cmp_pd, f64, i64, VD)
#undef COMPARED2
/* Whether no lane has both signs, or none has the second one alone; then whether neither holds. */
#define SIGNS(op, T, W)                                                                 \
    LIFT_FUNCTION int OP(testz_##op)(W a_, W b_)                                        \
    { SEE(T, a) SEE(T, b) int i, r = 0; for (i = 0; i < COUNT(T); i++) r |= a[i] < 0 && b[i] < 0; return !r; }   \
    LIFT_FUNCTION int OP(testc_##op)(W a_, W b_)                                        \
    { SEE(T, a) SEE(T, b) int i, r = 0; for (i = 0; i < COUNT(T); i++) r |= a[i] >= 0 && b[i] < 0; return !r; }  \
    LIFT_FUNCTION int OP(testnzc_##op)(W a, W b) { return !OP(testz_##op)(a, b) & !OP(testc_##op)(a, b); }
SIGNS(ps, i32, VF)
SIGNS(pd, i64, VD)
#undef SIGNS
/* Memory is touched where the mask's sign is set, and nowhere else. */
#define MASKED_LOAD(op, N, T, W, R)                                                     \
    LIFT_FUNCTION W OP(op)(const N *p, V mask_) { SEE(T, mask) LIFT_RESULT(R, W, mask[i] < 0 ? p[i] : 0) }
#define MASKED_STORE(op, N, T, W, R)                                                    \
    LIFT_FUNCTION void OP(op)(N *p, V mask_, W v_)                                      \
    { SEE(T, mask) SEE(R, v) int i; for (i = 0; i < COUNT(T); i++) if (mask[i] < 0) p[i] = v[i]; }
MASKED_LOAD(maskload_ps, float, i32, VF, f32)
MASKED_LOAD(maskload_pd, double, i64, VD, f64)
MASKED_STORE(maskstore_ps, float, i32, VF, f32)
MASKED_STORE(maskstore_pd, double, i64, VD, f64)
LIFT_FUNCTION VF OP(broadcast_ss)(const float *p) { return OP(set1_ps)(*p); }
#endif
