/* AVX-512's masks of a bit for each lane, for vectors of one width: where they come from, what they
   choose, in vectors and in memory. */
#if LIFT_WIDTH
#define BITS(T, ...)                                                                    \
    { MASK_OF(T, BYTES) r = 0; int i; for (i = 0; i < COUNT(T); i++) r |= (MASK_OF(T, BYTES))((__VA_ARGS__) ? 1ull << i : 0); return r; }
#define BITS2(op, T, ...)                                                               \
    LIFT_FUNCTION MASK_OF(T, BYTES) OP(op##_mask)(V a_, V b_) { SEE(T, a) SEE(T, b) BITS(T, __VA_ARGS__) }  \
    LIFT_FUNCTION MASK_OF(T, BYTES) OP(mask_##op##_mask)(MASK_OF(T, BYTES) k, V a, V b) { return k & OP(op##_mask)(a, b); }
#define COMPARED_BITS(T, name)                                                          \
    BITS2(cmpeq_##name, T, a[i] == b[i])                                                \
    BITS2(cmpneq_##name, T, a[i] != b[i])                                               \
    BITS2(cmplt_##name, T, a[i] < b[i])                                                 \
    BITS2(cmple_##name, T, a[i] <= b[i])                                                \
    BITS2(cmpgt_##name, T, a[i] > b[i])                                                 \
    BITS2(cmpge_##name, T, a[i] >= b[i])                                                \
    LIFT_FUNCTION MASK_OF(T, BYTES) OP(cmp_##name##_mask)(V a_, V b_, __to_7 n)         \
    {                                                                                   \
        SEE(T, a) SEE(T, b)                                                             \
        BITS(T, n == 0 ? a[i] == b[i] : n == 1 ? a[i] < b[i] : n == 2 ? a[i] <= b[i] : n == 3 ? 0     \
                : n == 4 ? a[i] != b[i] : n == 5 ? a[i] >= b[i] : n == 6 ? a[i] > b[i] : 1)           \
    }                                                                                   \
    LIFT_FUNCTION MASK_OF(T, BYTES) OP(mask_cmp_##name##_mask)(MASK_OF(T, BYTES) k, V a, V b, __to_7 n) \
    { return k & OP(cmp_##name##_mask)(a, b, n); }
COMPARED_BITS(i8, epi8)
COMPARED_BITS(u8, epu8)
COMPARED_BITS(i16, epi16)
COMPARED_BITS(u16, epu16)
COMPARED_BITS(i32, epi32)
COMPARED_BITS(u32, epu32)
COMPARED_BITS(i64, epi64)
COMPARED_BITS(u64, epu64)
#undef COMPARED_BITS
#define FLOAT_BITS(name, F, W)                                                          \
    LIFT_FUNCTION MASK_OF(F, BYTES) OP(cmp_##name##_mask)(W a, W b, __to_31 n) BITS(F, COMPARED(n, a[i], b[i]))       \
    LIFT_FUNCTION MASK_OF(F, BYTES) OP(mask_cmp_##name##_mask)(MASK_OF(F, BYTES) k, W a, W b, __to_31 n)              \
    { return k & OP(cmp_##name##_mask)(a, b, n); }
FLOAT_BITS(ps, f32, VF)
FLOAT_BITS(pd, f64, VD)
#undef FLOAT_BITS
/* Whether a lane has bits in common with another one, or none; its sign; a mask as a vector. */
#define OF_LANES(T, w)                                                                  \
    BITS2(test_epi##w, T, (a[i] & b[i]) != 0)                                           \
    BITS2(testn_epi##w, T, (a[i] & b[i]) == 0)                                          \
    LIFT_FUNCTION MASK_OF(T, BYTES) OP(movepi##w##_mask)(V a_) { SEE(T, a) BITS(T, a[i] < 0) }  \
    LIFT_FUNCTION V OP(movm_epi##w)(MASK_OF(T, BYTES) k) LIFT_RESULT(T, V, k >> i & 1 ? -1 : 0)
OF_LANES(i8, 8)
OF_LANES(i16, 16)
OF_LANES(i32, 32)
OF_LANES(i64, 64)
#undef OF_LANES
#undef BITS2
#undef BITS
/* What a mask chooses: between vectors, or of what lies in memory, which is touched nowhere else. */
#define CHOSEN_BY(name, T, N, W)                                                        \
    LIFT_FUNCTION W OP(mask_blend_##name)(MASK_OF(T, BYTES) k, W a_, W b_)              \
    { SEE(T, a) SEE(T, b) LIFT_RESULT(T, W, k >> i & 1 ? b[i] : a[i]) }                 \
    LIFT_FUNCTION W OP(mask_mov_##name)(W s_, MASK_OF(T, BYTES) k, W a_)                \
    { SEE(T, s) SEE(T, a) LIFT_RESULT(T, W, k >> i & 1 ? a[i] : s[i]) }                 \
    LIFT_FUNCTION W OP(maskz_mov_##name)(MASK_OF(T, BYTES) k, W a_)                     \
    { SEE(T, a) LIFT_RESULT(T, W, k >> i & 1 ? a[i] : 0) }                              \
    LIFT_FUNCTION W OP(mask_loadu_##name)(W s_, MASK_OF(T, BYTES) k, const void *p)     \
    { SEE(T, s) LIFT_RESULT(T, W, k >> i & 1 ? ((const N *)p)[i] : s[i]) }              \
    LIFT_FUNCTION W OP(maskz_loadu_##name)(MASK_OF(T, BYTES) k, const void *p)          \
    LIFT_RESULT(T, W, k >> i & 1 ? ((const N *)p)[i] : 0)                               \
    LIFT_FUNCTION void OP(mask_storeu_##name)(void *p, MASK_OF(T, BYTES) k, W v_)       \
    { SEE(T, v) int i; for (i = 0; i < COUNT(T); i++) if (k >> i & 1) ((N *)p)[i] = v[i]; }
CHOSEN_BY(epi8, i8, signed char, V)
CHOSEN_BY(epi16, i16, short, V)
CHOSEN_BY(epi32, i32, int, V)
CHOSEN_BY(epi64, i64, long long, V)
CHOSEN_BY(ps, f32, float, VF)
CHOSEN_BY(pd, f64, double, VD)
#undef CHOSEN_BY
#define ALIGNED_BY(name, T, W)                                                          \
    LIFT_FUNCTION W OP(mask_load_##name)(W s, MASK_OF(T, BYTES) k, const void *p) { return OP(mask_loadu_##name)(s, k, p); }  \
    LIFT_FUNCTION W OP(maskz_load_##name)(MASK_OF(T, BYTES) k, const void *p) { return OP(maskz_loadu_##name)(k, p); }        \
    LIFT_FUNCTION void OP(mask_store_##name)(void *p, MASK_OF(T, BYTES) k, W v) { OP(mask_storeu_##name)(p, k, v); }
ALIGNED_BY(epi32, i32, V)
ALIGNED_BY(epi64, i64, V)
ALIGNED_BY(ps, f32, VF)
ALIGNED_BY(pd, f64, VD)
#undef ALIGNED_BY
LIFT_FUNCTION V OP(loadu_epi8)(const void *p) { return *(const V_u *)p; }
LIFT_FUNCTION V OP(loadu_epi16)(const void *p) { return *(const V_u *)p; }
LIFT_FUNCTION V OP(loadu_epi32)(const void *p) { return *(const V_u *)p; }
LIFT_FUNCTION V OP(loadu_epi64)(const void *p) { return *(const V_u *)p; }
LIFT_FUNCTION V OP(load_epi32)(const void *p) { return *(const V *)p; }
LIFT_FUNCTION V OP(load_epi64)(const void *p) { return *(const V *)p; }
LIFT_FUNCTION void OP(storeu_epi8)(void *p, V v) { *(V_u *)p = v; }
LIFT_FUNCTION void OP(storeu_epi16)(void *p, V v) { *(V_u *)p = v; }
LIFT_FUNCTION void OP(storeu_epi32)(void *p, V v) { *(V_u *)p = v; }
LIFT_FUNCTION void OP(storeu_epi64)(void *p, V v) { *(V_u *)p = v; }
LIFT_FUNCTION void OP(store_epi32)(void *p, V v) { *(V *)p = v; }
LIFT_FUNCTION void OP(store_epi64)(void *p, V v) { *(V *)p = v; }
/* Bit by bit, what the three bits make of n. */
#define TERM(bit, x, y, z) ((n >> (bit) & 1) ? (x) & (y) & (z) : zero)
#define TERNARY(w)                                                                      \
    LIFT_FUNCTION V OP(ternarylogic_epi##w)(V a, V b, V c, __to_255 n)                  \
    {                                                                                   \
        const V zero = {0};                                                             \
        return TERM(0, ~a, ~b, ~c) | TERM(1, ~a, ~b, c) | TERM(2, ~a, b, ~c) | TERM(3, ~a, b, c) |    \
               TERM(4, a, ~b, ~c) | TERM(5, a, ~b, c) | TERM(6, a, b, ~c) | TERM(7, a, b, c);         \
    }
TERNARY(32)
TERNARY(64)
#undef TERNARY
#undef TERM
/* Sums of four products of bytes without and with a sign, or of two of words, onto 32 bits. */
#define PRODUCT(j) (__u32)((__i32)b[4 * i + (j)] * c[4 * i + (j)])
LIFT_FUNCTION V OP(dpbusd_epi32)(V a_, V b_, V c_)
{ SEE(u32, a) SEE(u8, b) SEE(i8, c) LIFT_RESULT(u32, V, a[i] + PRODUCT(0) + PRODUCT(1) + PRODUCT(2) + PRODUCT(3)) }
#undef PRODUCT
LIFT_FUNCTION V OP(dpwssd_epi32)(V a_, V b_, V c_)
{
    SEE(u32, a) SEE(i16, b) SEE(i16, c)
    LIFT_RESULT(u32, V, a[i] + (__u32)(b[2 * i] * c[2 * i]) + (__u32)(b[2 * i + 1] * c[2 * i + 1]))
}
#endif
