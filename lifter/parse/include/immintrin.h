/* All of x86's vectors. */
#pragma once
#include <nmmintrin.h>
#include <lift/x86_begin.h>
#include <lift/x86_bits.h>

/* AVX, AVX2, FMA and F16C: what they add to vectors of 128 bits. */
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_avx.h>
#include <lift/x86_avx_masks.h>
#include <lift/x86_avx2.h>
#include <lift/x86_avx2_masks.h>
#include <lift/x86_fma.h>
LIFT_FUNCTION __m128d _mm_broadcastsd_pd(__m128d a) LIFT_RESULT(f64, __m128d, a[0])
LIFT_FUNCTION __m128 _mm_cvtph_ps(__m128i a_) { SEE(u16, a) LIFT_RESULT(f32, __m128, __float_of_half(a[i])) }
LIFT_FUNCTION __m128i _mm_cvtps_ph(__m128 a, __to_15 n) { LIFT_RESULT(u16, __m128i, i < 4 ? HALF_OF(n, a[i & 3]) : 0) }
/* Four addresses of 64 bits are as many as two vectors hold: numbers of 32 bits fill one half. */
#define GATHER(op, N, R, W)                                                                          \
    LIFT_FUNCTION W _mm_i##op(const N *p, __m128i at_, const int scale)                              \
    { SEE(i64, at) LIFT_RESULT(R, W, i < 2 ? LIFT_AT(N, p, at[i & 1], scale) : 0) }                  \
    LIFT_FUNCTION W _mm_mask_i##op(W a_, const N *p, __m128i at_, W mask_, const int scale)          \
    {                                                                                                \
        SEE(i64, at) SEE(R, a) SEE(i32, mask)                                                        \
        LIFT_RESULT(R, W, i > 1 ? 0 : mask[i] < 0 ? LIFT_AT(N, p, at[i & 1], scale) : a[i])          \
    }
GATHER(64gather_epi32, int, i32, __m128i)
GATHER(64gather_ps, float, f32, __m128)
#undef GATHER
#define COMPARED1(op, W, I)                                                                       \
    LIFT_FUNCTION W op(W a, W b, __to_31 n)                                                           \
    { OF(I, 16) r = (OF(I, 16))a; r[0] = COMPARED(n, a[0], b[0]) ? -1 : 0; return (W)r; }
COMPARED1(_mm_cmp_ss, __m128, i32)
COMPARED1(_mm_cmp_sd, __m128d, i64)
#undef COMPARED1
#define FUSED(op, x, y, z)                                                                           \
    LIFT_FUNCTION __m128 op##_ss(__m128 a, __m128 b, __m128 c) { __m128 r = a; r[0] = __builtin_fmaf(x, y, z); return r; }     \
    LIFT_FUNCTION __m128d op##_sd(__m128d a, __m128d b, __m128d c) { __m128d r = a; r[0] = __builtin_fma(x, y, z); return r; }
FUSED(_mm_fmadd, a[0], b[0], c[0])
FUSED(_mm_fmsub, a[0], b[0], -c[0])
FUSED(_mm_fnmadd, -a[0], b[0], c[0])
FUSED(_mm_fnmsub, -a[0], b[0], -c[0])
#undef FUSED
#include <lift/x86_width_end.h>

#define LIFT_WIDTH 256
#include <lift/x86_width.h>
#include <lift/x86_whole.h>
#include <lift/x86_floats.h>
#include <lift/x86_sse2.h>
#include <lift/x86_compared.h>
#include <lift/x86_sse3.h>
#include <lift/x86_sse3_moved.h>
#include <lift/x86_ssse3.h>
#include <lift/x86_ssse3_pairs.h>
#include <lift/x86_sse41.h>
#include <lift/x86_sse41_masks.h>
#include <lift/x86_sse41_floats.h>
#include <lift/x86_widened.h>
#include <lift/x86_avx.h>
#include <lift/x86_avx_masks.h>
#include <lift/x86_avx2.h>
#include <lift/x86_avx2_masks.h>
#include <lift/x86_fma.h>
EACH2(cmpgt_epi64, i64, a[i] > b[i] ? -1 : 0)
LIFT_FUNCTION __m256i _mm256_stream_load_si256(const __m256i *p) { return *p; }
LIFT_FUNCTION __m256i _mm256_lddqu_si256(const __m256i_u *p) { return *p; }
LIFT_FUNCTION __m256i _mm256_undefined_si256(void) { __m256i any; return any; }
LIFT_FUNCTION void _mm256_zeroupper(void) {}
LIFT_FUNCTION void _mm256_zeroall(void) {}
EACH1N(slli_si256, u8, MOVED_UP)
EACH1N(srli_si256, u8, MOVED_DOWN)
EACH1N(bslli_epi128, u8, MOVED_UP)
EACH1N(bsrli_epi128, u8, MOVED_DOWN)
LIFT_FUNCTION int _mm256_movemask_epi8(__m256i a_)
{
    SEE(u8, a)
    int i;
    unsigned int r = 0;
    for (i = 0; i < 32; i++) r |= (unsigned int)(a[i] >> 7) << i;
    return (int)r;
}

/* Over all lanes. */
EACH1I(permute4x64_epi64, 255, u64, a[n >> 2 * i & 3])
FLOAT1I(permute4x64_pd, 255, f64, __m256d, a[n >> 2 * i & 3])
EACH2(permutevar8x32_epi32, u32, a[b[i] & 7])
LIFT_FUNCTION __m256 _mm256_permutevar8x32_ps(__m256 a, __m256i b_) { SEE(u32, b) LIFT_RESULT(f32, __m256, a[b[i] & 7]) }
/* One of four halves, or zero. */
#define CHOSEN(n, a, b, i) ((n) & 8 ? 0 : ((n) & 2 ? b : a)[((n) & 1) * 2 + i % 2])
EACH2I(permute2x128_si256, 255, u64, CHOSEN(i < 2 ? n : n >> 4, a, b, i))
EACH2I(permute2f128_si256, 255, u64, CHOSEN(i < 2 ? n : n >> 4, a, b, i))
FLOAT2I(permute2f128_pd, 255, f64, __m256d, CHOSEN(i < 2 ? n : n >> 4, a, b, i))
LIFT_FUNCTION __m256 _mm256_permute2f128_ps(__m256 a, __m256 b, __to_255 n) { return (__m256)_mm256_permute2f128_pd((__m256d)a, (__m256d)b, n); }

/* Halves. */
#define HALVES(op, W, W2)                                                                 \
    LIFT_FUNCTION W2 _mm256_extract##op(W a_, __to_1 n)                                               \
    { SEE(i64, a) const __m128i r = {a[2 * n], a[2 * n + 1]}; return (W2)r; }     \
    LIFT_FUNCTION W _mm256_insert##op(W a_, W2 b_, __to_1 n)                                          \
    { SEE(i64, a) SEE_OF(i64, 16, b) LIFT_RESULT(i64, W, i / 2 == n ? b[i % 2] : a[i]) }
HALVES(i128_si256, __m256i, __m128i)
HALVES(f128_si256, __m256i, __m128i)
HALVES(f128_ps, __m256, __m128)
HALVES(f128_pd, __m256d, __m128d)
#undef HALVES
/* What is in the upper half isn't said, or zero. */
LIFT_FUNCTION __m256i _mm256_castsi128_si256(__m128i v) { __m256i r; r[0] = v[0]; r[1] = v[1]; return r; }
LIFT_FUNCTION __m256 _mm256_castps128_ps256(__m128 v) { __m256 r; r[0] = v[0]; r[1] = v[1]; r[2] = v[2]; r[3] = v[3]; return r; }
LIFT_FUNCTION __m256d _mm256_castpd128_pd256(__m128d v) { __m256d r; r[0] = v[0]; r[1] = v[1]; return r; }
LIFT_FUNCTION __m256i _mm256_zextsi128_si256(__m128i v) { const __m256i r = {v[0], v[1], 0, 0}; return r; }
LIFT_FUNCTION __m256 _mm256_zextps128_ps256(__m128 v) { const __m256 r = {v[0], v[1], v[2], v[3], 0, 0, 0, 0}; return r; }
LIFT_FUNCTION __m256d _mm256_zextpd128_pd256(__m128d v) { const __m256d r = {v[0], v[1], 0, 0}; return r; }
LIFT_FUNCTION __m128i _mm256_castsi256_si128(__m256i v) { const __m128i r = {v[0], v[1]}; return r; }
LIFT_FUNCTION __m128 _mm256_castps256_ps128(__m256 v) { const __m128 r = {v[0], v[1], v[2], v[3]}; return r; }
LIFT_FUNCTION __m128d _mm256_castpd256_pd128(__m256d v) { const __m128d r = {v[0], v[1]}; return r; }
LIFT_FUNCTION __m256 _mm256_castsi256_ps(__m256i v) { return (__m256)v; }
LIFT_FUNCTION __m256d _mm256_castsi256_pd(__m256i v) { return (__m256d)v; }
LIFT_FUNCTION __m256i _mm256_castps_si256(__m256 v) { return (__m256i)v; }
LIFT_FUNCTION __m256d _mm256_castps_pd(__m256 v) { return (__m256d)v; }
LIFT_FUNCTION __m256i _mm256_castpd_si256(__m256d v) { return (__m256i)v; }
LIFT_FUNCTION __m256 _mm256_castpd_ps(__m256d v) { return (__m256)v; }
LIFT_FUNCTION __m256i _mm256_set_m128i(__m128i b, __m128i a) { const __m256i r = {a[0], a[1], b[0], b[1]}; return r; }
LIFT_FUNCTION __m256 _mm256_set_m128(__m128 b, __m128 a) { const __m256 r = {a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]}; return r; }
LIFT_FUNCTION __m256d _mm256_set_m128d(__m128d b, __m128d a) { const __m256d r = {a[0], a[1], b[0], b[1]}; return r; }
LIFT_FUNCTION __m256i _mm256_setr_m128i(__m128i a, __m128i b) { return _mm256_set_m128i(b, a); }
LIFT_FUNCTION __m256 _mm256_setr_m128(__m128 a, __m128 b) { return _mm256_set_m128(b, a); }
LIFT_FUNCTION __m256d _mm256_setr_m128d(__m128d a, __m128d b) { return _mm256_set_m128d(b, a); }
LIFT_FUNCTION __m256i _mm256_loadu2_m128i(const __m128i_u *b, const __m128i_u *a) { return _mm256_set_m128i(*b, *a); }
LIFT_FUNCTION __m256 _mm256_loadu2_m128(const float *b, const float *a) { return _mm256_set_m128(_mm_loadu_ps(b), _mm_loadu_ps(a)); }
LIFT_FUNCTION __m256d _mm256_loadu2_m128d(const double *b, const double *a) { return _mm256_set_m128d(_mm_loadu_pd(b), _mm_loadu_pd(a)); }
LIFT_FUNCTION void _mm256_storeu2_m128i(__m128i_u *b, __m128i_u *a, __m256i v) { *a = _mm256_castsi256_si128(v); *b = _mm256_extracti128_si256(v, 1); }
LIFT_FUNCTION void _mm256_storeu2_m128(float *b, float *a, __m256 v) { _mm_storeu_ps(a, _mm256_castps256_ps128(v)); _mm_storeu_ps(b, _mm256_extractf128_ps(v, 1)); }
LIFT_FUNCTION void _mm256_storeu2_m128d(double *b, double *a, __m256d v) { _mm_storeu_pd(a, _mm256_castpd256_pd128(v)); _mm_storeu_pd(b, _mm256_extractf128_pd(v, 1)); }
LIFT_FUNCTION __m256i _mm256_broadcastsi128_si256(__m128i a) { return _mm256_set_m128i(a, a); }
#define _mm_broadcastsi128_si256(a) _mm256_broadcastsi128_si256(a)
LIFT_FUNCTION __m256 _mm256_broadcast_ps(const __m128 *p) { return _mm256_set_m128(*(const __m128_u *)p, *(const __m128_u *)p); }
LIFT_FUNCTION __m256d _mm256_broadcast_pd(const __m128d *p) { return _mm256_set_m128d(*(const __m128d_u *)p, *(const __m128d_u *)p); }
LIFT_FUNCTION __m256d _mm256_broadcast_sd(const double *p) { return _mm256_set1_pd(*p); }
LIFT_FUNCTION __m256d _mm256_broadcastsd_pd(__m128d a) LIFT_RESULT(f64, __m256d, a[0])

/* Single lanes. */
LIFT_FUNCTION int _mm256_extract_epi8(__m256i v, __to_31 n) { return ((OF(u8, 32))v)[n]; }
LIFT_FUNCTION int _mm256_extract_epi16(__m256i v, __to_15 n) { return ((OF(u16, 32))v)[n]; }
LIFT_FUNCTION int _mm256_extract_epi32(__m256i v, __to_7 n) { return ((OF(i32, 32))v)[n]; }
LIFT_FUNCTION long long _mm256_extract_epi64(__m256i v, __to_3 n) { return v[n]; }
LIFT_FUNCTION __m256i _mm256_insert_epi8(__m256i v, int w, __to_31 n) { OF(i8, 32) r = (OF(i8, 32))v; r[n] = w; return (__m256i)r; }
LIFT_FUNCTION __m256i _mm256_insert_epi16(__m256i v, int w, __to_15 n) { OF(i16, 32) r = (OF(i16, 32))v; r[n] = w; return (__m256i)r; }
LIFT_FUNCTION __m256i _mm256_insert_epi32(__m256i v, int w, __to_7 n) { OF(i32, 32) r = (OF(i32, 32))v; r[n] = w; return (__m256i)r; }
LIFT_FUNCTION __m256i _mm256_insert_epi64(__m256i v, long long w, __to_3 n) { __m256i r = v; r[n] = w; return r; }
LIFT_FUNCTION int _mm256_cvtsi256_si32(__m256i v) { return ((OF(i32, 32))v)[0]; }
LIFT_FUNCTION float _mm256_cvtss_f32(__m256 v) { return v[0]; }
LIFT_FUNCTION double _mm256_cvtsd_f64(__m256d v) { return v[0]; }

/* Conversions between lanes of different widths. */
LIFT_FUNCTION __m256d _mm256_cvtepi32_pd(__m128i a_) { SEE_OF(i32, 16, a) LIFT_RESULT(f64, __m256d, a[i]) }
LIFT_FUNCTION __m256d _mm256_cvtps_pd(__m128 a) LIFT_RESULT(f64, __m256d, a[i])
LIFT_FUNCTION __m256 _mm256_cvtph_ps(__m128i a_) { SEE_OF(u16, 16, a) LIFT_RESULT(f32, __m256, __float_of_half(a[i])) }
#include <lift/x86_width_end.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
LIFT_FUNCTION __m128i _mm256_cvtps_ph(__m256 a, __to_15 n) { LIFT_RESULT(u16, __m128i, HALF_OF(n, a[i])) }
LIFT_FUNCTION __m128 _mm256_cvtpd_ps(__m256d a) LIFT_RESULT(f32, __m128, (float)a[i])
LIFT_FUNCTION __m128i _mm256_cvtpd_epi32(__m256d a) LIFT_RESULT(i32, __m128i, __rounded_pd(a[i]))
LIFT_FUNCTION __m128i _mm256_cvttpd_epi32(__m256d a) LIFT_RESULT(i32, __m128i, __truncated_pd(a[i]))
#define GATHER(op, N, R, W)                                                                          \
    LIFT_FUNCTION W _mm256_i##op(const N *p, __m256i at_, const int scale)                           \
    { SEE_OF(i64, 32, at) LIFT_RESULT(R, W, LIFT_AT(N, p, at[i], scale)) }                           \
    LIFT_FUNCTION W _mm256_mask_i##op(W a_, const N *p, __m256i at_, W mask_, const int scale)       \
    {                                                                                                \
        SEE_OF(i64, 32, at) SEE(R, a) SEE(i32, mask)                                                 \
        LIFT_RESULT(R, W, mask[i] < 0 ? LIFT_AT(N, p, at[i], scale) : a[i])                          \
    }
GATHER(64gather_epi32, int, i32, __m128i)
GATHER(64gather_ps, float, f32, __m128)
#undef GATHER
#include <lift/x86_width_end.h>
LIFT_FUNCTION float _cvtsh_ss(unsigned short v) { return __float_of_half(v); }
LIFT_FUNCTION unsigned short _cvtss_sh(float v, __to_15 n) { return HALF_OF(n, v); }
LIFT_FUNCTION __m256 _mm256_floor_ps(__m256 a) { return _mm256_round_ps(a, _MM_FROUND_FLOOR); }
LIFT_FUNCTION __m256d _mm256_floor_pd(__m256d a) { return _mm256_round_pd(a, _MM_FROUND_FLOOR); }
LIFT_FUNCTION __m256 _mm256_ceil_ps(__m256 a) { return _mm256_round_ps(a, _MM_FROUND_CEIL); }
LIFT_FUNCTION __m256d _mm256_ceil_pd(__m256d a) { return _mm256_round_pd(a, _MM_FROUND_CEIL); }

LIFT_FUNCTION __m256i _mm256_set1_epi64x(long long v) { const __m256i r = {v, v, v, v}; return r; }
LIFT_FUNCTION __m256i _mm256_set_epi64x(long long d, long long c, long long b, long long a) { const __m256i r = {a, b, c, d}; return r; }
LIFT_FUNCTION __m256i _mm256_setr_epi64x(long long a, long long b, long long c, long long d) { const __m256i r = {a, b, c, d}; return r; }
LIFT_FUNCTION __m256d _mm256_set_pd(double d, double c, double b, double a) { const __m256d r = {a, b, c, d}; return r; }
LIFT_FUNCTION __m256d _mm256_setr_pd(double a, double b, double c, double d) { const __m256d r = {a, b, c, d}; return r; }
#define EIGHT(W, T, N, set, setr)                                                                    \
    LIFT_FUNCTION W set(N h, N g, N f, N e, N d, N c, N b, N a)                                      \
    { const OF(T, 32) r = {a, b, c, d, e, f, g, h}; return (W)r; }                                   \
    LIFT_FUNCTION W setr(N a, N b, N c, N d, N e, N f, N g, N h)                                     \
    { const OF(T, 32) r = {a, b, c, d, e, f, g, h}; return (W)r; }
EIGHT(__m256i, i32, int, _mm256_set_epi32, _mm256_setr_epi32)
EIGHT(__m256, f32, float, _mm256_set_ps, _mm256_setr_ps)
#undef EIGHT
LIFT_FUNCTION __m256i _mm256_setr_epi16(short a, short b, short c, short d, short e, short f, short g, short h,
                                        short i, short j, short k, short l, short m, short n, short o, short p)
{
    const OF(i16, 32) r = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    return (__m256i)r;
}
LIFT_FUNCTION __m256i _mm256_set_epi16(short p, short o, short n, short m, short l, short k, short j, short i,
                                       short h, short g, short f, short e, short d, short c, short b, short a)
{
    const OF(i16, 32) r = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    return (__m256i)r;
}
LIFT_FUNCTION __m256i _mm256_setr_epi8(char a, char b, char c, char d, char e, char f, char g, char h,
                                       char i, char j, char k, char l, char m, char n, char o, char p,
                                       char q, char r, char s, char t, char u, char v, char w, char x,
                                       char y, char z, char aa, char bb, char cc, char dd, char ee, char ff)
{
    const OF(i8, 32) made = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
                             q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff};
    return (__m256i)made;
}
LIFT_FUNCTION __m256i _mm256_set_epi8(char ff, char ee, char dd, char cc, char bb, char aa, char z, char y,
                                      char x, char w, char v, char u, char t, char s, char r, char q,
                                      char p, char o, char n, char m, char l, char k, char j, char i,
                                      char h, char g, char f, char e, char d, char c, char b, char a)
{
    const OF(i8, 32) made = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
                             q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff};
    return (__m256i)made;
}
#define _CMP_EQ_OQ 0
#define _CMP_LT_OS 1
#define _CMP_LE_OS 2
#define _CMP_UNORD_Q 3
#define _CMP_NEQ_UQ 4
#define _CMP_NLT_US 5
#define _CMP_NLE_US 6
#define _CMP_ORD_Q 7
#define _CMP_EQ_UQ 8
#define _CMP_NGE_US 9
#define _CMP_NGT_US 10
#define _CMP_FALSE_OQ 11
#define _CMP_NEQ_OQ 12
#define _CMP_GE_OS 13
#define _CMP_GT_OS 14
#define _CMP_TRUE_UQ 15
#define _CMP_EQ_OS 16
#define _CMP_LT_OQ 17
#define _CMP_LE_OQ 18
#define _CMP_UNORD_S 19
#define _CMP_NEQ_US 20
#define _CMP_NLT_UQ 21
#define _CMP_NLE_UQ 22
#define _CMP_ORD_S 23
#define _CMP_EQ_US 24
#define _CMP_NGE_UQ 25
#define _CMP_NGT_UQ 26
#define _CMP_FALSE_OS 27
#define _CMP_NEQ_OS 28
#define _CMP_GE_OQ 29
#define _CMP_GT_OQ 30
#define _CMP_TRUE_US 31
#ifdef __cplusplus
extern "C" {
#endif
ESTIMATE __m256 _mm256_rcp_ps(__m256 a);
ESTIMATE __m256 _mm256_rsqrt_ps(__m256 a);
#ifdef __cplusplus
}
#endif
#include <lift/x86_avx512.h>
#include <lift/x86_end.h>
