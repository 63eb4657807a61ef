/* The lists that have masked forms, for one width. */
#if LIFT_WIDTH
#include <lift/x86_width.h>
#include <lift/x86_floats.h>
#include <lift/x86_sse2.h>
#include <lift/x86_ssse3.h>
#include <lift/x86_sse3_moved.h>
#include <lift/x86_sse41.h>
#include <lift/x86_widened.h>
#include <lift/x86_avx.h>
#include <lift/x86_avx2.h>
#include <lift/x86_fma.h>
#include <lift/x86_avx512_lanes.h>
/* Bits of lanes; for 512 bits there are forms without a mask, too. */
#define BITS_OF(op, T, ...)                                                                           \
    LIFT_FUNCTION V OP(mask_##op)(V s_, MASK_OF(T, BYTES) k, V a, V b)                                \
    { const V c_ = __VA_ARGS__; SEE(T, s) SEE(T, c) LIFT_CHOSEN(T, V, k >> i & 1 ? c[i] : s[i]) }     \
    LIFT_FUNCTION V OP(maskz_##op)(MASK_OF(T, BYTES) k, V a, V b)                                     \
    { const V c_ = __VA_ARGS__; SEE(T, c) LIFT_CHOSEN(T, V, k >> i & 1 ? c[i] : 0) }
BITS_OF(and_epi32, u32, a & b)
BITS_OF(and_epi64, u64, a & b)
BITS_OF(or_epi32, u32, a | b)
BITS_OF(or_epi64, u64, a | b)
BITS_OF(xor_epi32, u32, a ^ b)
BITS_OF(xor_epi64, u64, a ^ b)
BITS_OF(andnot_epi32, u32, ~a & b)
BITS_OF(andnot_epi64, u64, ~a & b)
#undef BITS_OF
#include <lift/x86_width_end.h>
#endif
