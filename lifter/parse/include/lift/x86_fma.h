/* Products and sums that are rounded once. */
#if LIFT_WIDTH
#define FUSED(op, x, y, z)                                                              \
    FLOAT3(op##_ps, f32, VF, __builtin_fmaf(x, y, z))                                   \
    FLOAT3(op##_pd, f64, VD, __builtin_fma(x, y, z))
FUSED(fmadd, a[i], b[i], c[i])
FUSED(fmsub, a[i], b[i], -c[i])
FUSED(fnmadd, -a[i], b[i], c[i])
FUSED(fnmsub, -a[i], b[i], -c[i])
FUSED(fmaddsub, a[i], b[i], i & 1 ? c[i] : -c[i])
FUSED(fmsubadd, a[i], b[i], i & 1 ? -c[i] : c[i])
#undef FUSED
#endif
