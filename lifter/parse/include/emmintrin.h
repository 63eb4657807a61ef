/* SSE2. */
#pragma once
#include <xmmintrin.h>
#include <lift/x86_begin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_whole.h>
#include <lift/x86_sse2.h>
#include <lift/x86_compared.h>
EACH2(cmplt_epi8, i8, a[i] < b[i] ? -1 : 0)
EACH2(cmplt_epi16, i16, a[i] < b[i] ? -1 : 0)
EACH2(cmplt_epi32, i32, a[i] < b[i] ? -1 : 0)
EACH1N(slli_si128, u8, MOVED_UP)
EACH1N(srli_si128, u8, MOVED_DOWN)
EACH1N(bslli_si128, u8, MOVED_UP)
EACH1N(bsrli_si128, u8, MOVED_DOWN)
#define REAL double
#define W __m128d
#define F f64
#define I i64
#define LOWEST(name) _mm_##name##_sd
#include <lift/x86_lowest.h>
#define MASK(op, ...) MASK2(op, i64, VD, __VA_ARGS__)
MASK(cmpeq_pd, a[i] == b[i])
MASK(cmpneq_pd, a[i] != b[i])
MASK(cmplt_pd, a[i] < b[i])
MASK(cmple_pd, a[i] <= b[i])
MASK(cmpgt_pd, a[i] > b[i])
MASK(cmpge_pd, a[i] >= b[i])
MASK(cmpnlt_pd, !(a[i] < b[i]))
MASK(cmpnle_pd, !(a[i] <= b[i]))
MASK(cmpngt_pd, !(a[i] > b[i]))
MASK(cmpnge_pd, !(a[i] >= b[i]))
MASK(cmpord_pd, a[i] == a[i] && b[i] == b[i])
MASK(cmpunord_pd, a[i] != a[i] || b[i] != b[i])
#undef MASK
LIFT_FUNCTION int _mm_movemask_epi8(__m128i a_)
{
    SEE(u8, a)
    int i, r = 0;
    for (i = 0; i < 16; i++) r |= a[i] >> 7 << i;
    return r;
}
/* Numbers of two lanes as the lower half of four. */
LIFT_FUNCTION __m128i _mm_cvtpd_epi32(__m128d a) LIFT_RESULT(i32, __m128i, i < 2 ? __rounded_pd(a[i]) : 0)
LIFT_FUNCTION __m128i _mm_cvttpd_epi32(__m128d a) LIFT_RESULT(i32, __m128i, i < 2 ? __truncated_pd(a[i]) : 0)
LIFT_FUNCTION __m128 _mm_cvtpd_ps(__m128d a) LIFT_RESULT(f32, __m128, i < 2 ? (float)a[i] : 0.0f)
LIFT_FUNCTION __m128d _mm_cvtps_pd(__m128 a) LIFT_RESULT(f64, __m128d, a[i])
LIFT_FUNCTION __m128d _mm_cvtepi32_pd(__m128i a_) { SEE(i32, a) LIFT_RESULT(f64, __m128d, a[i]) }
#include <lift/x86_width_end.h>
LIFT_FUNCTION __m128i _mm_undefined_si128(void) { __m128i any; return any; }
LIFT_FUNCTION void _mm_maskmoveu_si128(__m128i v_, __m128i mask_, char *p)
{
    SEE_OF(i8, 16, v) SEE_OF(i8, 16, mask)
    int i;
    for (i = 0; i < 16; i++) if (mask[i] < 0) p[i] = v[i];
}
#define _mm_mfence() ((void)0)
#define _mm_lfence() ((void)0)
#define _mm_pause() ((void)0)
#define _mm_clflush(p) ((void)(p))
LIFT_FUNCTION __m128i _mm_loadl_epi64(const __m128i_u *p) { const __m128i r = {*(const __i64_u *)p, 0}; return r; }
LIFT_FUNCTION __m128i _mm_loadu_si64(const void *p) { const __m128i r = {*(const __i64_u *)p, 0}; return r; }
LIFT_FUNCTION __m128i _mm_loadu_si32(const void *p) { const OF(i32, 16) r = {*(const __i32_u *)p, 0, 0, 0}; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_loadu_si16(const void *p) { const OF(i16, 16) r = {*(const __i16_u *)p, 0, 0, 0, 0, 0, 0, 0}; return (__m128i)r; }
LIFT_FUNCTION void _mm_storel_epi64(__m128i_u *p, __m128i v) { *(__i64_u *)p = v[0]; }
LIFT_FUNCTION void _mm_storeu_si64(void *p, __m128i v) { *(__i64_u *)p = v[0]; }
LIFT_FUNCTION void _mm_storeu_si32(void *p, __m128i v) { *(__i32_u *)p = ((OF(i32, 16))v)[0]; }
LIFT_FUNCTION void _mm_storeu_si16(void *p, __m128i v) { *(__i16_u *)p = ((OF(i16, 16))v)[0]; }
LIFT_FUNCTION void _mm_stream_si32(int *p, int v) { *p = v; }
LIFT_FUNCTION void _mm_stream_si64(long long *p, long long v) { *p = v; }
LIFT_FUNCTION __m128i _mm_cvtsi32_si128(int v) { const OF(i32, 16) r = {v, 0, 0, 0}; return (__m128i)r; }
LIFT_FUNCTION int _mm_cvtsi128_si32(__m128i v) { return ((OF(i32, 16))v)[0]; }
LIFT_FUNCTION __m128i _mm_cvtsi64_si128(long long v) { const __m128i r = {v, 0}; return r; }
LIFT_FUNCTION __m128i _mm_cvtsi64x_si128(long long v) { const __m128i r = {v, 0}; return r; }
LIFT_FUNCTION long long _mm_cvtsi128_si64(__m128i v) { return v[0]; }
LIFT_FUNCTION long long _mm_cvtsi128_si64x(__m128i v) { return v[0]; }
LIFT_FUNCTION __m128i _mm_move_epi64(__m128i v) { const __m128i r = {v[0], 0}; return r; }
LIFT_FUNCTION __m128i _mm_set1_epi64x(long long v) { const __m128i r = {v, v}; return r; }
LIFT_FUNCTION __m128i _mm_set_epi64x(long long b, long long a) { const __m128i r = {a, b}; return r; }
LIFT_FUNCTION __m128i _mm_set_epi32(int d, int c, int b, int a) { const OF(i32, 16) r = {a, b, c, d}; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_setr_epi32(int a, int b, int c, int d) { const OF(i32, 16) r = {a, b, c, d}; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_set_epi16(short h, short g, short f, short e, short d, short c, short b, short a)
{
    const OF(i16, 16) r = {a, b, c, d, e, f, g, h};
    return (__m128i)r;
}
LIFT_FUNCTION __m128i _mm_setr_epi16(short a, short b, short c, short d, short e, short f, short g, short h)
{
    const OF(i16, 16) r = {a, b, c, d, e, f, g, h};
    return (__m128i)r;
}
LIFT_FUNCTION __m128i _mm_set_epi8(char p, char o, char n, char m, char l, char k, char j, char i,
                                   char h, char g, char f, char e, char d, char c, char b, char a)
{
    const OF(i8, 16) r = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    return (__m128i)r;
}
LIFT_FUNCTION __m128i _mm_setr_epi8(char a, char b, char c, char d, char e, char f, char g, char h,
                                    char i, char j, char k, char l, char m, char n, char o, char p)
{
    const OF(i8, 16) r = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    return (__m128i)r;
}
LIFT_FUNCTION int _mm_extract_epi16(__m128i v, __to_7 n) { return ((OF(u16, 16))v)[n]; }
LIFT_FUNCTION __m128i _mm_insert_epi16(__m128i v, int w, __to_7 n) { OF(i16, 16) r = (OF(i16, 16))v; r[n] = w; return (__m128i)r; }
LIFT_FUNCTION __m128 _mm_castsi128_ps(__m128i v) { return (__m128)v; }
LIFT_FUNCTION __m128i _mm_castps_si128(__m128 v) { return (__m128i)v; }
LIFT_FUNCTION __m128d _mm_castsi128_pd(__m128i v) { return (__m128d)v; }
LIFT_FUNCTION __m128i _mm_castpd_si128(__m128d v) { return (__m128i)v; }
LIFT_FUNCTION __m128d _mm_castps_pd(__m128 v) { return (__m128d)v; }
LIFT_FUNCTION __m128 _mm_castpd_ps(__m128d v) { return (__m128)v; }

LIFT_FUNCTION __m128d _mm_set_pd(double b, double a) { const __m128d r = {a, b}; return r; }
LIFT_FUNCTION __m128d _mm_setr_pd(double a, double b) { const __m128d r = {a, b}; return r; }
LIFT_FUNCTION __m128d _mm_set_pd1(double v) { return _mm_set1_pd(v); }
LIFT_FUNCTION __m128d _mm_set_sd(double v) { const __m128d r = {v, 0}; return r; }
LIFT_FUNCTION __m128d _mm_load1_pd(const double *p) { return _mm_set1_pd(*p); }
LIFT_FUNCTION __m128d _mm_load_pd1(const double *p) { return _mm_set1_pd(*p); }
LIFT_FUNCTION __m128d _mm_load_sd(const double *p) { return _mm_set_sd(*p); }
LIFT_FUNCTION __m128d _mm_loadr_pd(const double *p) { const __m128d v = *(const __m128d *)p, r = {v[1], v[0]}; return r; }
LIFT_FUNCTION __m128d _mm_loadl_pd(__m128d a, const double *p) { const __m128d r = {*p, a[1]}; return r; }
LIFT_FUNCTION __m128d _mm_loadh_pd(__m128d a, const double *p) { const __m128d r = {a[0], *p}; return r; }
LIFT_FUNCTION void _mm_store_sd(double *p, __m128d v) { *p = v[0]; }
LIFT_FUNCTION void _mm_store1_pd(double *p, __m128d v) { *(__m128d *)p = _mm_set1_pd(v[0]); }
LIFT_FUNCTION void _mm_store_pd1(double *p, __m128d v) { *(__m128d *)p = _mm_set1_pd(v[0]); }
LIFT_FUNCTION void _mm_storel_pd(double *p, __m128d v) { *p = v[0]; }
LIFT_FUNCTION void _mm_storeh_pd(double *p, __m128d v) { *p = v[1]; }
LIFT_FUNCTION void _mm_storer_pd(double *p, __m128d v) { const __m128d r = {v[1], v[0]}; *(__m128d *)p = r; }
LIFT_FUNCTION double _mm_cvtsd_f64(__m128d v) { return v[0]; }
LIFT_FUNCTION __m128d _mm_sqrt_sd(__m128d a, __m128d b) { const __m128d r = {__builtin_sqrt(b[0]), a[1]}; return r; }
LIFT_FUNCTION int _mm_cvtsd_si32(__m128d a) { return __rounded_pd(a[0]); }
LIFT_FUNCTION int _mm_cvttsd_si32(__m128d a) { return __truncated_pd(a[0]); }
LIFT_FUNCTION long long _mm_cvtsd_si64(__m128d a) { return __rounded_pd_64(a[0]); }
LIFT_FUNCTION long long _mm_cvttsd_si64(__m128d a) { return __truncated_pd_64(a[0]); }
LIFT_FUNCTION __m128d _mm_cvtsi32_sd(__m128d a, int v) { const __m128d r = {v, a[1]}; return r; }
LIFT_FUNCTION __m128d _mm_cvtsi64_sd(__m128d a, long long v) { const __m128d r = {(double)v, a[1]}; return r; }
LIFT_FUNCTION __m128 _mm_cvtsd_ss(__m128 a, __m128d b) { const __m128 r = {(float)b[0], a[1], a[2], a[3]}; return r; }
LIFT_FUNCTION __m128d _mm_cvtss_sd(__m128d a, __m128 b) { const __m128d r = {b[0], a[1]}; return r; }

/* Of vectors of 64 bits. */
LIFT_FUNCTION __m64 _mm_add_si64(__m64 a, __m64 b) { return (__m64)((OF(u64, 8))a + (OF(u64, 8))b); }
LIFT_FUNCTION __m64 _mm_sub_si64(__m64 a, __m64 b) { return (__m64)((OF(u64, 8))a - (OF(u64, 8))b); }
LIFT_FUNCTION __m64 _mm_mul_su32(__m64 a_, __m64 b_) { SEE_OF(u32, 8, a) SEE_OF(u32, 8, b) const OF(u64, 8) r = {(__u64)a[0] * b[0]}; return (__m64)r; }
LIFT_FUNCTION __m64 _mm_movepi64_pi64(__m128i v) { const __m64 r = {v[0]}; return r; }
LIFT_FUNCTION __m128i _mm_movpi64_epi64(__m64 v) { const __m128i r = {v[0], 0}; return r; }
LIFT_FUNCTION __m128i _mm_set_epi64(__m64 b, __m64 a) { const __m128i r = {a[0], b[0]}; return r; }
LIFT_FUNCTION __m128i _mm_setr_epi64(__m64 a, __m64 b) { const __m128i r = {a[0], b[0]}; return r; }
LIFT_FUNCTION __m128i _mm_set1_epi64(__m64 v) { const __m128i r = {v[0], v[0]}; return r; }
LIFT_FUNCTION __m128d _mm_cvtpi32_pd(__m64 a_) { SEE_OF(i32, 8, a) const __m128d r = {a[0], a[1]}; return r; }
LIFT_FUNCTION __m64 _mm_cvtpd_pi32(__m128d a) { const OF(i32, 8) r = {__rounded_pd(a[0]), __rounded_pd(a[1])}; return (__m64)r; }
LIFT_FUNCTION __m64 _mm_cvttpd_pi32(__m128d a) { const OF(i32, 8) r = {__truncated_pd(a[0]), __truncated_pd(a[1])}; return (__m64)r; }
#include <lift/x86_end.h>
