/* From here on a list defines its functions' masked forms: what a mask leaves out is the first
   argument's, or zero (maskz). */
#define LIFT_MASKED
#undef LANES1
#undef LANES2
#undef EACH3
#undef EACH1N
#undef EACH1I
#undef LANES2I
#undef EACH1BY
#undef SET1
#undef FROM1
#undef FLOAT1
#undef FLOAT2
#undef FLOAT3
#undef FLOAT1I
#undef FLOAT2I
#undef LIFT_BITS2
#undef NARROWED
/* The masked forms of a function that gives a W of R: its parameters, and its arguments. */
#define MASKED_FORMS(op, R, W, parameters, arguments) MASKED_OF(op, R, W, BYTES, MASK_OF(R, BYTES), parameters, arguments)
#define MASKED_OF(op, R, W, bytes, M, parameters, arguments)                                          \
    LIFT_FUNCTION W OP(mask_##op)(W s_, M k, LIFT_OPEN parameters)                                    \
    {                                                                                                 \
        const W c_ = OP(op) arguments;                                                                \
        SEE_OF(R, bytes, s) SEE_OF(R, bytes, c)                                                       \
        OF(R, bytes) r;                                                                               \
        int i;                                                                                        \
        for (i = 0; i < bytes / (int)sizeof(__##R); i++) r[i] = k >> i & 1 ? c[i] : s[i];      \
        return (W)r;                                                                                  \
    }                                                                                                 \
    LIFT_FUNCTION W OP(maskz_##op)(M k, LIFT_OPEN parameters)                                         \
    {                                                                                                 \
        const W zero = {0};                                                                           \
        return OP(mask_##op)(zero, k, LIFT_OPEN arguments);                                           \
    }
#define LIFT_OPEN(...) __VA_ARGS__
#define LANES1(op, R, T, ...) MASKED_FORMS(op, R, V, (V a), (a))
#define LANES2(op, R, T, ...) MASKED_FORMS(op, R, V, (V a, V b), (a, b))
#define EACH1N(op, T, ...) MASKED_FORMS(op, T, V, (V a, int n), (a, n))
#define EACH1I(op, most, T, ...) MASKED_FORMS(op, T, V, (V a, LIMITED(most) n), (a, n))
#define LANES2I(op, most, R, T, ...) MASKED_FORMS(op, R, V, (V a, V b, LIMITED(most) n), (a, b, n))
#define EACH1BY(op, T, ...) MASKED_FORMS(op, T, V, (V a, __m128i b), (a, b))
#define SET1(op, T, C) MASKED_FORMS(op, T, V, (C v), (v))
#define FROM1(op, R, W, T, X, bytes, ...) MASKED_FORMS(op, R, W, (X a), (a))
#define FLOAT1(op, F, W, ...) MASKED_FORMS(op, F, W, (W a), (a))
#define FLOAT2(op, F, W, ...) MASKED_FORMS(op, F, W, (W a, W b), (a, b))
#define FLOAT1I(op, most, F, W, ...) MASKED_FORMS(op, F, W, (W a, LIMITED(most) n), (a, n))
#define FLOAT2I(op, most, F, W, ...) MASKED_FORMS(op, F, W, (W a, W b, LIMITED(most) n), (a, b, n))
#define LIFT_BITS2(op, I, W, ...) MASKED_FORMS(op, I, W, (W a, W b), (a, b))
#define NARROWED(op, R, W, bytes, T, ...)                                                             \
    LIFT_FUNCTION W OP(mask_##op)(W s_, MASK_OF(T, BYTES) k, V a)                                     \
    {                                                                                                 \
        const W c_ = OP(op)(a);                                                                       \
        SEE_OF(R, bytes, s) SEE_OF(R, bytes, c)                                                       \
        OF(R, bytes) r;                                                                               \
        int i;                                                                                        \
        for (i = 0; i < bytes / (int)sizeof(__##R); i++) r[i] = i >= COUNT(T) ? 0 : k >> (i & (COUNT(T) - 1)) & 1 ? c[i] : s[i];  \
        return (W)r;                                                                                  \
    }                                                                                                 \
    LIFT_FUNCTION W OP(maskz_##op)(MASK_OF(T, BYTES) k, V a) { const W zero = {0}; return OP(mask_##op)(zero, k, a); }
/* Of three vectors, the first one stays where the mask leaves something out. */
#define EACH3(op, T, C, ...)                                                                          \
    LIFT_FUNCTION V OP(mask_##op)(V a, MASK_OF(T, BYTES) k, V b, V c)                                 \
    { const V s_ = a, r_ = OP(op)(a, b, c); SEE(T, s) SEE(T, r) LIFT_CHOSEN(T, V, k >> i & 1 ? r[i] : s[i]) }  \
    LIFT_FUNCTION V OP(maskz_##op)(MASK_OF(T, BYTES) k, V a, V b, V c)                                \
    { const V r_ = OP(op)(a, b, c); SEE(T, r) LIFT_CHOSEN(T, V, k >> i & 1 ? r[i] : 0) }
#define FLOAT3(op, F, W, ...)                                                                         \
    LIFT_FUNCTION W OP(mask_##op)(W a, MASK_OF(F, BYTES) k, W b, W c)                                 \
    { const W r = OP(op)(a, b, c); LIFT_CHOSEN(F, W, k >> i & 1 ? r[i] : a[i]) }                      \
    LIFT_FUNCTION W OP(mask3_##op)(W a, W b, W c, MASK_OF(F, BYTES) k)                                \
    { const W r = OP(op)(a, b, c); LIFT_CHOSEN(F, W, k >> i & 1 ? r[i] : c[i]) }                      \
    LIFT_FUNCTION W OP(maskz_##op)(MASK_OF(F, BYTES) k, W a, W b, W c)                                \
    { const W r = OP(op)(a, b, c); LIFT_CHOSEN(F, W, k >> i & 1 ? r[i] : 0) }
#define LIFT_CHOSEN(R, W, ...)                                                                        \
    {                                                                                                 \
        OF(R, BYTES) made;                                                                            \
        int i;                                                                                        \
        for (i = 0; i < COUNT(R); i++) made[i] = __VA_ARGS__;                                         \
        return (W)made;                                                                               \
    }
