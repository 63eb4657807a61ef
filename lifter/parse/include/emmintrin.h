/* SSE2. */
#pragma once
#include <xmmintrin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_sse2.h>
#include <lift/x86_compared.h>
EACH2(cmplt_epi8, i8, a[i] < b[i] ? -1 : 0)
EACH2(cmplt_epi16, i16, a[i] < b[i] ? -1 : 0)
EACH2(cmplt_epi32, i32, a[i] < b[i] ? -1 : 0)
EACH1N(slli_si128, u8, MOVED_UP)
EACH1N(srli_si128, u8, MOVED_DOWN)
EACH1N(bslli_si128, u8, MOVED_UP)
EACH1N(bsrli_si128, u8, MOVED_DOWN)
#include <lift/x86_width_end.h>
LIFT_FUNCTION __m128i _mm_and_si128(__m128i a, __m128i b) { return a & b; }
LIFT_FUNCTION __m128i _mm_or_si128(__m128i a, __m128i b) { return a | b; }
LIFT_FUNCTION __m128i _mm_xor_si128(__m128i a, __m128i b) { return a ^ b; }
LIFT_FUNCTION __m128i _mm_andnot_si128(__m128i a, __m128i b) { return ~a & b; }
LIFT_FUNCTION __m128i _mm_setzero_si128(void) { const __m128i zero = {0, 0}; return zero; }
LIFT_FUNCTION __m128i _mm_undefined_si128(void) { __m128i any; return any; }
LIFT_FUNCTION __m128i _mm_loadu_si128(const __m128i_u *p) { return *p; }
LIFT_FUNCTION __m128i _mm_load_si128(const __m128i *p) { return *p; }
LIFT_FUNCTION void _mm_storeu_si128(__m128i_u *p, __m128i v) { *p = v; }
LIFT_FUNCTION void _mm_store_si128(__m128i *p, __m128i v) { *p = v; }
LIFT_FUNCTION void _mm_stream_si128(__m128i *p, __m128i v) { *p = v; }
#define _mm_mfence() ((void)0)
#define _mm_lfence() ((void)0)
#define _mm_pause() ((void)0)
LIFT_FUNCTION __m128i _mm_loadl_epi64(const __m128i_u *p) { const __m128i r = {*(const __i64 *)p, 0}; return r; }
LIFT_FUNCTION void _mm_storel_epi64(__m128i_u *p, __m128i v) { *(__i64 *)p = v[0]; }
LIFT_FUNCTION __m128i _mm_cvtsi32_si128(int v) { const __i32x4 r = {v, 0, 0, 0}; return (__m128i)r; }
LIFT_FUNCTION int _mm_cvtsi128_si32(__m128i v) { return ((__i32x4)v)[0]; }
LIFT_FUNCTION __m128i _mm_cvtsi64_si128(long long v) { const __m128i r = {v, 0}; return r; }
LIFT_FUNCTION long long _mm_cvtsi128_si64(__m128i v) { return v[0]; }
LIFT_FUNCTION __m128i _mm_set1_epi64x(long long v) { const __m128i r = {v, v}; return r; }
LIFT_FUNCTION __m128i _mm_set_epi64x(long long b, long long a) { const __m128i r = {a, b}; return r; }
LIFT_FUNCTION __m128i _mm_set_epi32(int d, int c, int b, int a) { const __i32x4 r = {a, b, c, d}; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_setr_epi32(int a, int b, int c, int d) { const __i32x4 r = {a, b, c, d}; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_set_epi16(short h, short g, short f, short e, short d, short c, short b, short a)
{
    const __i16x8 r = {a, b, c, d, e, f, g, h};
    return (__m128i)r;
}
LIFT_FUNCTION __m128i _mm_setr_epi16(short a, short b, short c, short d, short e, short f, short g, short h)
{
    const __i16x8 r = {a, b, c, d, e, f, g, h};
    return (__m128i)r;
}
LIFT_FUNCTION __m128i _mm_set_epi8(char p, char o, char n, char m, char l, char k, char j, char i,
                                   char h, char g, char f, char e, char d, char c, char b, char a)
{
    const __i8x16 r = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    return (__m128i)r;
}
LIFT_FUNCTION __m128i _mm_setr_epi8(char a, char b, char c, char d, char e, char f, char g, char h,
                                    char i, char j, char k, char l, char m, char n, char o, char p)
{
    const __i8x16 r = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    return (__m128i)r;
}
LIFT_FUNCTION int _mm_extract_epi16(__m128i v, int n_7) { return ((__u16x8)v)[n_7]; }
LIFT_FUNCTION __m128i _mm_insert_epi16(__m128i v, int w, int n_7) { __i16x8 r = (__i16x8)v; r[n_7] = w; return (__m128i)r; }
LIFT_FUNCTION int _mm_movemask_epi8(__m128i v)
{
    const __u8x16 a = (__u8x16)v;
    int i, r = 0;
    for (i = 0; i < 16; i++) r |= a[i] >> 7 << i;
    return r;
}
LIFT_FUNCTION __m128 _mm_castsi128_ps(__m128i v) { return (__m128)v; }
LIFT_FUNCTION __m128i _mm_castps_si128(__m128 v) { return (__m128i)v; }
LIFT_FUNCTION __m128d _mm_castsi128_pd(__m128i v) { return (__m128d)v; }
LIFT_FUNCTION __m128i _mm_castpd_si128(__m128d v) { return (__m128i)v; }
LIFT_FUNCTION __m128d _mm_castps_pd(__m128 v) { return (__m128d)v; }
LIFT_FUNCTION __m128 _mm_castpd_ps(__m128d v) { return (__m128)v; }
LIFT_FUNCTION __m128d _mm_loadu_pd(const double *p) { return *(const __m128d_u *)p; }
LIFT_FUNCTION __m128d _mm_load_pd(const double *p) { return *(const __m128d *)p; }
LIFT_FUNCTION void _mm_storeu_pd(double *p, __m128d v) { *(__m128d_u *)p = v; }
LIFT_FUNCTION void _mm_store_pd(double *p, __m128d v) { *(__m128d *)p = v; }
LIFT_FUNCTION __m128d _mm_set_pd(double b, double a) { const __m128d r = {a, b}; return r; }
