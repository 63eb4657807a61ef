/* What AVX2 has for 128 and 256 bits alone. */
#if LIFT_WIDTH
EACH2I(blend_epi32, MOST_PS, u32, n >> i & 1 ? b[i] : a[i])
MASKED_LOAD(maskload_epi32, int, i32, V, i32)
MASKED_LOAD(maskload_epi64, long long, i64, V, i64)
MASKED_STORE(maskstore_epi32, int, i32, V, i32)
MASKED_STORE(maskstore_epi64, long long, i64, V, i64)
/* What lies `scale` times so many bytes behind p as the lane of an index says; of a lane without the
   mask's sign nothing is read. */
#define GATHER(op, N, R, W, X, xbytes, I, M)                                            \
    LIFT_FUNCTION W OP(i##op)(const N *p, X at_, const int scale)                       \
    { SEE_OF(I, xbytes, at) LIFT_RESULT(R, W, LIFT_AT(N, p, at[i], scale)) }            \
    LIFT_FUNCTION W OP(mask_i##op)(W a_, const N *p, X at_, W mask_, const int scale)   \
    {                                                                                   \
        SEE_OF(I, xbytes, at) SEE(R, a) SEE(M, mask)                                    \
        LIFT_RESULT(R, W, mask[i] < 0 ? LIFT_AT(N, p, at[i], scale) : a[i])             \
    }
#define LIFT_AT(N, p, at, scale)                                                        \
    ((scale) % (int)sizeof(N) == 0 ? (p)[(long long)(at) * ((scale) / (int)sizeof(N))]  \
                                   : *(const N *)((const char *)(p) + (long long)(at) * (scale)))
GATHER(32gather_epi32, int, i32, V, V, BYTES, i32, i32)
GATHER(32gather_ps, float, f32, VF, V, BYTES, i32, i32)
GATHER(32gather_epi64, long long, i64, V, __m128i, 16, i32, i64)
GATHER(32gather_pd, double, f64, VD, __m128i, 16, i32, i64)
GATHER(64gather_epi64, long long, i64, V, V, BYTES, i64, i64)
GATHER(64gather_pd, double, f64, VD, V, BYTES, i64, i64)
#undef GATHER
#endif
