/* AVX-512: F, BW, DQ and VL, and what counts bits, moves bytes and adds products. */
#pragma once
/* The places of four lanes, as numbers for shuffle_epi32: the highest one first, A for lane 0. */
#define LIFT_PERM1(x, v) _MM_PERM_##x##A = v, _MM_PERM_##x##B, _MM_PERM_##x##C, _MM_PERM_##x##D
#define LIFT_PERM2(x, v) LIFT_PERM1(x##A, v), LIFT_PERM1(x##B, v + 4), LIFT_PERM1(x##C, v + 8), LIFT_PERM1(x##D, v + 12)
#define LIFT_PERM3(x, v) LIFT_PERM2(x##A, v), LIFT_PERM2(x##B, v + 16), LIFT_PERM2(x##C, v + 32), LIFT_PERM2(x##D, v + 48)
typedef enum { LIFT_PERM3(A, 0), LIFT_PERM3(B, 64), LIFT_PERM3(C, 128), LIFT_PERM3(D, 192) } _MM_PERM_ENUM;
#undef LIFT_PERM1
#undef LIFT_PERM2
#undef LIFT_PERM3
#define UNSIGNED(v) ((v) >= 0 && (v) < 4294967296.0f ? (__u32)(v) : 4294967295u)
#define LIFT_WIDTH 512
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
#include <lift/x86_avx512_bits.h>
EACH1N(bslli_epi128, u8, MOVED_UP)
EACH1N(bsrli_epi128, u8, MOVED_DOWN)
SET1(set1_epi64, i64, long long)
LIFT_FUNCTION __m512i _mm512_setzero_si512(void) { const __m512i zero = {0}; return zero; }
LIFT_FUNCTION __m512i _mm512_setzero_epi32(void) { const __m512i zero = {0}; return zero; }
LIFT_FUNCTION __m512 _mm512_setzero(void) { const __m512 zero = {0}; return zero; }
LIFT_FUNCTION __m512i _mm512_undefined_epi32(void) { __m512i any; return any; }
LIFT_FUNCTION __m512i _mm512_load_si512(const void *p) { return *(const __m512i *)p; }
LIFT_FUNCTION __m512i _mm512_loadu_si512(const void *p) { return *(const __m512i_u *)p; }
LIFT_FUNCTION __m512i _mm512_stream_load_si512(void *p) { return *(const __m512i *)p; }
LIFT_FUNCTION void _mm512_store_si512(void *p, __m512i v) { *(__m512i *)p = v; }
LIFT_FUNCTION void _mm512_storeu_si512(void *p, __m512i v) { *(__m512i_u *)p = v; }
LIFT_FUNCTION void _mm512_stream_si512(__m512i *p, __m512i v) { *p = v; }
#define WHOLE_BITS(name)                                                                              \
    LIFT_FUNCTION __m512i _mm512_and_##name(__m512i a, __m512i b) { return a & b; }                   \
    LIFT_FUNCTION __m512i _mm512_or_##name(__m512i a, __m512i b) { return a | b; }                    \
    LIFT_FUNCTION __m512i _mm512_xor_##name(__m512i a, __m512i b) { return a ^ b; }                   \
    LIFT_FUNCTION __m512i _mm512_andnot_##name(__m512i a, __m512i b) { return ~a & b; }
WHOLE_BITS(si512)
WHOLE_BITS(epi32)
WHOLE_BITS(epi64)
#undef WHOLE_BITS
LIFT_FUNCTION __m512 _mm512_permutexvar_ps(__m512i a_, __m512 b) { SEE(u32, a) LIFT_RESULT(f32, __m512, b[a[i] & 15]) }
LIFT_FUNCTION __m512d _mm512_permutexvar_pd(__m512i a_, __m512d b) { SEE(u64, a) LIFT_RESULT(f64, __m512d, b[a[i] & 7]) }
LIFT_FUNCTION __m512d _mm512_broadcastsd_pd(__m128d a) LIFT_RESULT(f64, __m512d, a[0])
LIFT_FUNCTION __m512 _mm512_cvtph_ps(__m256i a_) { SEE_OF(u16, 32, a) LIFT_RESULT(f32, __m512, __float_of_half(a[i])) }
LIFT_FUNCTION __m512d _mm512_cvtps_pd(__m256 a) LIFT_RESULT(f64, __m512d, a[i])
LIFT_FUNCTION __m512d _mm512_cvtepi32_pd(__m256i a_) { SEE_OF(i32, 32, a) LIFT_RESULT(f64, __m512d, a[i]) }
LIFT_FUNCTION __m512d _mm512_cvtepu32_pd(__m256i a_) { SEE_OF(u32, 32, a) LIFT_RESULT(f64, __m512d, a[i]) }

/* Parts of 128 and 256 bits. */
#define PARTS(op, x, W, W4, w4, W2, w2)                                                               \
    LIFT_FUNCTION W4 _mm512_extract##x##4##op(W a_, __to_3 n)                                         \
    { SEE(i64, a) const __m128i r = {a[2 * n], a[2 * n + 1]}; return (W4)r; }                         \
    LIFT_FUNCTION W _mm512_insert##x##4(W a_, W4 b_, __to_3 n)                                    \
    { SEE(i64, a) SEE_OF(i64, 16, b) LIFT_RESULT(i64, W, i / 2 == n ? b[i % 2] : a[i]) }              \
    LIFT_FUNCTION W _mm512_broadcast_##w4(W4 a_) { SEE_OF(i64, 16, a) LIFT_RESULT(i64, W, a[i % 2]) } \
    LIFT_FUNCTION W _mm512_shuffle_##w4(W a_, W b_, __to_255 n)                                       \
    { SEE(i64, a) SEE(i64, b) LIFT_RESULT(i64, W, (i < 4 ? a : b)[2 * (n >> i / 2 * 2 & 3) + i % 2]) }
PARTS(_epi32, i32x, __m512i, __m128i, i32x4, __m256i, i64x4)
PARTS(_ps, f32x, __m512, __m128, f32x4, __m256, f64x4)
#undef PARTS
#define PARTS(op, x, W, W2, w2, w)                                                                    \
    LIFT_FUNCTION W2 _mm512_extract##x##4##op(W a_, __to_1 n)                                         \
    { SEE(i64, a) const __m256i r = {a[4 * n], a[4 * n + 1], a[4 * n + 2], a[4 * n + 3]}; return (W2)r; }  \
    LIFT_FUNCTION W _mm512_insert##x##4(W a_, W2 b_, __to_1 n)                                    \
    { SEE(i64, a) SEE_OF(i64, 32, b) LIFT_RESULT(i64, W, i / 4 == n ? b[i % 4] : a[i]) }              \
    LIFT_FUNCTION W _mm512_broadcast_##w2(W2 a_) { SEE_OF(i64, 32, a) LIFT_RESULT(i64, W, a[i % 4]) } \
    LIFT_FUNCTION W _mm512_shuffle_##w(W a_, W b_, __to_255 n)                                        \
    { SEE(i64, a) SEE(i64, b) LIFT_RESULT(i64, W, (i < 4 ? a : b)[2 * (n >> i / 2 * 2 & 3) + i % 2]) }
PARTS(_epi64, i64x, __m512i, __m256i, i64x4, i64x2)
PARTS(_pd, f64x, __m512d, __m256d, f64x4, f64x2)
#undef PARTS
#define CASTS(W, W2, W4, own, half, quarter)                                                          \
    LIFT_FUNCTION W2 _mm512_cast##own##512_##half(W a_)                                               \
    { SEE(i64, a) const __m256i r = {a[0], a[1], a[2], a[3]}; return (W2)r; }                         \
    LIFT_FUNCTION W4 _mm512_cast##own##512_##quarter(W a_) { SEE(i64, a) const __m128i r = {a[0], a[1]}; return (W4)r; }    \
    LIFT_FUNCTION W _mm512_zext##half##_##own##512(W2 a_)                                             \
    { SEE_OF(i64, 32, a) const __m512i r = {a[0], a[1], a[2], a[3], 0, 0, 0, 0}; return (W)r; }       \
    LIFT_FUNCTION W _mm512_zext##quarter##_##own##512(W4 a_)                                          \
    { SEE_OF(i64, 16, a) const __m512i r = {a[0], a[1], 0, 0, 0, 0, 0, 0}; return (W)r; }             \
    LIFT_FUNCTION W _mm512_cast##half##_##own##512(W2 a_)                                             \
    { SEE_OF(i64, 32, a) __m512i r; r[0] = a[0]; r[1] = a[1]; r[2] = a[2]; r[3] = a[3]; return (W)r; }  \
    LIFT_FUNCTION W _mm512_cast##quarter##_##own##512(W4 a_)                                          \
    { SEE_OF(i64, 16, a) __m512i r; r[0] = a[0]; r[1] = a[1]; return (W)r; }
CASTS(__m512i, __m256i, __m128i, si, si256, si128)
CASTS(__m512, __m256, __m128, ps, ps256, ps128)
CASTS(__m512d, __m256d, __m128d, pd, pd256, pd128)
#undef CASTS
LIFT_FUNCTION __m512 _mm512_castsi512_ps(__m512i v) { return (__m512)v; }
LIFT_FUNCTION __m512d _mm512_castsi512_pd(__m512i v) { return (__m512d)v; }
LIFT_FUNCTION __m512i _mm512_castps_si512(__m512 v) { return (__m512i)v; }
LIFT_FUNCTION __m512d _mm512_castps_pd(__m512 v) { return (__m512d)v; }
LIFT_FUNCTION __m512i _mm512_castpd_si512(__m512d v) { return (__m512i)v; }
LIFT_FUNCTION __m512 _mm512_castpd_ps(__m512d v) { return (__m512)v; }
LIFT_FUNCTION int _mm512_cvtsi512_si32(__m512i v) { return ((OF(i32, 64))v)[0]; }
LIFT_FUNCTION float _mm512_cvtss_f32(__m512 v) { return v[0]; }
LIFT_FUNCTION double _mm512_cvtsd_f64(__m512d v) { return v[0]; }
/* Of all lanes; of floats the upper half is added to the lower one until one is left. */
#define OF_ALL(op, T, N, ...)                                                                         \
    LIFT_FUNCTION N _mm512_reduce_##op(__m512i a_)                                                    \
    { SEE(T, a) __##T r = a[0]; int i; for (i = 1; i < COUNT(T); i++) r = __VA_ARGS__; return r; }
OF_ALL(add_epi32, u32, int, r + a[i])
OF_ALL(mul_epi32, u32, int, r * a[i])
OF_ALL(and_epi32, u32, int, r & a[i])
OF_ALL(or_epi32, u32, int, r | a[i])
OF_ALL(max_epi32, i32, int, r > a[i] ? r : a[i])
OF_ALL(min_epi32, i32, int, r < a[i] ? r : a[i])
OF_ALL(max_epu32, u32, unsigned int, r > a[i] ? r : a[i])
OF_ALL(min_epu32, u32, unsigned int, r < a[i] ? r : a[i])
OF_ALL(add_epi64, u64, long long, r + a[i])
OF_ALL(max_epi64, i64, long long, r > a[i] ? r : a[i])
OF_ALL(min_epi64, i64, long long, r < a[i] ? r : a[i])
#undef OF_ALL
#define FOUR(k) ((a[k] + a[(k) + 8]) + (a[(k) + 4] + a[(k) + 12]))
LIFT_FUNCTION float _mm512_reduce_add_ps(__m512 a) { return (FOUR(0) + FOUR(2)) + (FOUR(1) + FOUR(3)); }
#undef FOUR
LIFT_FUNCTION double _mm512_reduce_add_pd(__m512d a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}
#define SIXTEEN(W, T, N, set, setr)                                                                   \
    LIFT_FUNCTION W set(N p, N o, N n, N m, N l, N k, N j, N i, N h, N g, N f, N e, N d, N c, N b, N a)    \
    { const OF(T, 64) r = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p}; return (W)r; }            \
    LIFT_FUNCTION W setr(N a, N b, N c, N d, N e, N f, N g, N h, N i, N j, N k, N l, N m, N n, N o, N p)   \
    { const OF(T, 64) r = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p}; return (W)r; }
SIXTEEN(__m512i, i32, int, _mm512_set_epi32, _mm512_setr_epi32)
SIXTEEN(__m512, f32, float, _mm512_set_ps, _mm512_setr_ps)
#undef SIXTEEN
#define EIGHT(W, T, N, set, setr)                                                                     \
    LIFT_FUNCTION W set(N h, N g, N f, N e, N d, N c, N b, N a)                                       \
    { const OF(T, 64) r = {a, b, c, d, e, f, g, h}; return (W)r; }                                    \
    LIFT_FUNCTION W setr(N a, N b, N c, N d, N e, N f, N g, N h)                                      \
    { const OF(T, 64) r = {a, b, c, d, e, f, g, h}; return (W)r; }
EIGHT(__m512i, i64, long long, _mm512_set_epi64, _mm512_setr_epi64)
EIGHT(__m512d, f64, double, _mm512_set_pd, _mm512_setr_pd)
#undef EIGHT
#define GATHER(op, N, R, W, X, bytes, I, M)                                                           \
    LIFT_FUNCTION W _mm512_i##op(X at_, const void *p, const int scale)                               \
    { SEE_OF(I, bytes, at) LIFT_RESULT(R, W, LIFT_AT(N, (const N *)p, at[i], scale)) }                \
    LIFT_FUNCTION W _mm512_mask_i##op(W a_, M k, X at_, const void *p, const int scale)               \
    {                                                                                                 \
        SEE_OF(I, bytes, at) SEE(R, a)                                                                \
        LIFT_RESULT(R, W, k >> i & 1 ? LIFT_AT(N, (const N *)p, at[i], scale) : a[i])                 \
    }
GATHER(32gather_epi32, int, i32, __m512i, __m512i, 64, i32, __mmask16)
GATHER(32gather_ps, float, f32, __m512, __m512i, 64, i32, __mmask16)
GATHER(32gather_epi64, long long, i64, __m512i, __m256i, 32, i32, __mmask8)
GATHER(32gather_pd, double, f64, __m512d, __m256i, 32, i32, __mmask8)
#undef GATHER
#include <lift/x86_width_end.h>

#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_avx512_lanes.h>
#include <lift/x86_avx512_bits.h>
#include <lift/x86_width_end.h>
#define LIFT_WIDTH 256
#include <lift/x86_width.h>
#include <lift/x86_avx512_lanes.h>
#include <lift/x86_avx512_bits.h>
LIFT_FUNCTION __m256 _mm256_permutexvar_ps(__m256i a_, __m256 b) { SEE(u32, a) LIFT_RESULT(f32, __m256, b[a[i] & 7]) }
LIFT_FUNCTION __m256i _mm512_cvtps_ph(__m512 a, __to_15 n) LIFT_RESULT(u16, __m256i, HALF_OF(n, a[i]))
LIFT_FUNCTION __m256 _mm512_cvtpd_ps(__m512d a) LIFT_RESULT(f32, __m256, (float)a[i])
LIFT_FUNCTION __m256i _mm512_cvtpd_epi32(__m512d a) LIFT_RESULT(i32, __m256i, __rounded_pd(a[i]))
LIFT_FUNCTION __m256i _mm512_cvttpd_epi32(__m512d a) LIFT_RESULT(i32, __m256i, __truncated_pd(a[i]))
#include <lift/x86_width_end.h>
#undef UNSIGNED

/* Masks as numbers. */
#define MASKS(w, N)                                                                                   \
    LIFT_FUNCTION __mmask##w _kand_mask##w(__mmask##w a, __mmask##w b) { return a & b; }              \
    LIFT_FUNCTION __mmask##w _kor_mask##w(__mmask##w a, __mmask##w b) { return a | b; }               \
    LIFT_FUNCTION __mmask##w _kxor_mask##w(__mmask##w a, __mmask##w b) { return a ^ b; }              \
    LIFT_FUNCTION __mmask##w _kxnor_mask##w(__mmask##w a, __mmask##w b) { return ~(a ^ b); }          \
    LIFT_FUNCTION __mmask##w _kandn_mask##w(__mmask##w a, __mmask##w b) { return ~a & b; }            \
    LIFT_FUNCTION __mmask##w _knot_mask##w(__mmask##w a) { return ~a; }                               \
    LIFT_FUNCTION __mmask##w _cvtu##N##_mask##w(__u##N a) { return (__mmask##w)a; }                   \
    LIFT_FUNCTION __u##N _cvtmask##w##_u##N(__mmask##w a) { return a; }
MASKS(8, 32)
MASKS(16, 32)
MASKS(32, 32)
MASKS(64, 64)
#undef MASKS
LIFT_FUNCTION __mmask16 _mm512_kand(__mmask16 a, __mmask16 b) { return a & b; }
LIFT_FUNCTION __mmask16 _mm512_kor(__mmask16 a, __mmask16 b) { return a | b; }
LIFT_FUNCTION __mmask16 _mm512_kxor(__mmask16 a, __mmask16 b) { return a ^ b; }
LIFT_FUNCTION __mmask16 _mm512_kandn(__mmask16 a, __mmask16 b) { return ~a & b; }
LIFT_FUNCTION __mmask16 _mm512_knot(__mmask16 a) { return ~a; }

#include <lift/x86_masked.h>
#define LIFT_WIDTH 128
#include <lift/x86_avx512_masked.h>
#define LIFT_WIDTH 256
#include <lift/x86_avx512_masked.h>
#define LIFT_WIDTH 512
#include <lift/x86_avx512_masked.h>
