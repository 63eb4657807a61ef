/* Estimates of 1 / x and 1 / sqrt(x), which the architecture says to the last bit, and the steps that
   make them better, rounded once. */
/* Of 9 bits a, from 256 on, with half a unit more. */
static __inline __u32 __reciprocal(__u32 a) { return ((1u << 19) / (2 * a + 1) + 1) >> 1; }
/* From 128 on: below 256 with half a unit more, else with one. */
static __inline __u32 __root_of(__u32 a) { return (__u32)(int)__builtin_sqrt((double)(((1u << 28) - 1) / a)); }
static __inline __u32 __reciprocal_root(__u32 a)
{
    return (__root_of(a < 256 ? 2 * a + 1 : 2 * (a | 1)) + 1) >> 1;
}

/* A float's bits: its exponent e, and what is behind the point, f, normalised with exponents below 1. */
#define SIGN(x) ((x) & 0x80000000u)
#define E_OF(x) (int)((x) >> 23 & 255)
#define F_OF(x) ((x) & 0x7fffffu)
#define INFINITE 0x7f800000u
#define IS_NAN(x) (((x) & 0x7fffffffu) > INFINITE)
#define ZEROS(x) (__builtin_clz(F_OF(x)) - 8)
static __inline int __exponent(__u32 x) { return E_OF(x) ? E_OF(x) : 1 - ZEROS(x); }
static __inline __u32 __fraction(__u32 x) { return E_OF(x) ? F_OF(x) : F_OF(x) << ZEROS(x) & 0x7fffffu; }
/* A result below the normal numbers is one or two bits shorter. */
static __inline __u32 __put_together(int e, __u32 f)
{
    return e > 0 ? (__u32)e << 23 | f : e == 0 ? 0x400000u | f >> 1 : 0x200000u | f >> 2;
}
static __inline __u32 __reciprocal_of_bits(__u32 x)
{
    return IS_NAN(x)                         ? x | 0x400000u
           : (x & 0x7fffffffu) == INFINITE   ? SIGN(x)
           : (x & 0x7fffffffu) < 0x200000u   ? SIGN(x) | INFINITE
                                             : SIGN(x) | __put_together(253 - __exponent(x), (__reciprocal(256 | __fraction(x) >> 15) & 255) << 15);
}
static __inline __u32 __reciprocal_root_of_bits(__u32 x)
{
    return IS_NAN(x)                  ? x | 0x400000u
           : (x & 0x7fffffffu) == 0   ? x | INFINITE
           : SIGN(x)                  ? 0x7fc00000u
           : x == INFINITE            ? 0
                                      : (__u32)((380 - __exponent(x)) >> 1) << 23 |
                                            (__reciprocal_root(__exponent(x) & 1 ? 128 | __fraction(x) >> 16 : 256 | __fraction(x) >> 15) & 255) << 15;
}
#undef SIGN
#undef E_OF
#undef F_OF
#undef INFINITE
#undef IS_NAN
#undef ZEROS

#define EACH(R, ...)                                                                   \
    {                                                                                  \
        R r;                                                                           \
        int i;                                                                         \
        for (i = 0; i < (int)(sizeof(R) / sizeof(r[0])); i++) r[i] = __VA_ARGS__;      \
        return r;                                                                      \
    }
#define OF_WIDTH(q, U, V)                                                                                                \
    LIFT_FUNCTION U vrecpe##q##_u32(U a) EACH(U, a[i] >> 31 ? __reciprocal(a[i] >> 23) << 23 : ~0u)                     \
    LIFT_FUNCTION U vrsqrte##q##_u32(U a) EACH(U, a[i] >> 30 ? __reciprocal_root(a[i] >> 23) << 23 : ~0u)               \
    LIFT_FUNCTION U __recpe##q(U a) EACH(U, __reciprocal_of_bits(a[i]))                                                 \
    LIFT_FUNCTION U __rsqrte##q(U a) EACH(U, __reciprocal_root_of_bits(a[i]))                                           \
    LIFT_FUNCTION V vrecpe##q##_f32(V a) { return (V)__recpe##q((U)a); }                                                \
    LIFT_FUNCTION V vrsqrte##q##_f32(V a) { return (V)__rsqrte##q((U)a); }
OF_WIDTH(, uint32x2_t, float32x2_t)
OF_WIDTH(q, uint32x4_t, float32x4_t)
#undef OF_WIDTH
#undef EACH
