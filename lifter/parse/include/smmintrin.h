/* SSE4.1. */
#pragma once
#include <tmmintrin.h>
#include <lift/x86_begin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_sse41.h>
#include <lift/x86_sse41_masks.h>
#include <lift/x86_sse41_floats.h>
#include <lift/x86_widened.h>
LIFT_FUNCTION __m128i _mm_stream_load_si128(const __m128i *p) { return *p; }
LIFT_FUNCTION int _mm_extract_epi8(__m128i v, __to_15 n) { return ((OF(u8, 16))v)[n]; }
LIFT_FUNCTION int _mm_extract_epi32(__m128i v, __to_3 n) { return ((OF(i32, 16))v)[n]; }
LIFT_FUNCTION long long _mm_extract_epi64(__m128i v, __to_1 n) { return v[n]; }
LIFT_FUNCTION int _mm_extract_ps(__m128 v, __to_3 n) { return ((OF(i32, 16))v)[n]; }
LIFT_FUNCTION __m128i _mm_insert_epi8(__m128i v, int w, __to_15 n) { OF(i8, 16) r = (OF(i8, 16))v; r[n] = w; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_insert_epi32(__m128i v, int w, __to_3 n) { OF(i32, 16) r = (OF(i32, 16))v; r[n] = w; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_insert_epi64(__m128i v, long long w, __to_1 n) { __m128i r = v; r[n] = w; return r; }
/* From bit 6 on n says which lane of b, from bit 4 on where it goes, below what is made zero. */
FLOAT2I(insert_ps, 255, f32, __m128, n >> i & 1 ? 0.0f : i == (n >> 4 & 3) ? b[n >> 6 & 3] : a[i])
/* The least of eight numbers, and where it is first. */
LIFT_FUNCTION __m128i _mm_minpos_epu16(__m128i a_)
{
    SEE(u16, a)
    OF(u16, 16) r = {0, 0, 0, 0, 0, 0, 0, 0};
    unsigned short least = a[0], place = 0;
    int i;
    for (i = 1; i < 8; i++) {
        place = a[i] < least ? i : place;
        least = a[i] < least ? a[i] : least;
    }
    r[0] = least;
    r[1] = place;
    return (__m128i)r;
}
#define PART(j) (n >> (4 + (j)) & 1 ? a[j] * b[j] : 0.0)
FLOAT2I(dp_pd, 255, f64, __m128d, n >> i & 1 ? PART(0) + PART(1) : 0.0)
#undef PART
#include <lift/x86_width_end.h>
#define _MM_FROUND_TO_NEAREST_INT 0
#define _MM_FROUND_TO_NEG_INF 1
#define _MM_FROUND_TO_POS_INF 2
#define _MM_FROUND_TO_ZERO 3
#define _MM_FROUND_CUR_DIRECTION 4
#define _MM_FROUND_RAISE_EXC 0
#define _MM_FROUND_NO_EXC 8
#define _MM_FROUND_NINT 0
#define _MM_FROUND_FLOOR 1
#define _MM_FROUND_CEIL 2
#define _MM_FROUND_TRUNC 3
#define _MM_FROUND_RINT 4
#define _MM_FROUND_NEARBYINT 12
LIFT_FUNCTION __m128 _mm_round_ss(__m128 a, __m128 b, __to_15 n) { return _mm_move_ss(a, _mm_round_ps(b, n)); }
LIFT_FUNCTION __m128d _mm_round_sd(__m128d a, __m128d b, __to_15 n) { return _mm_move_sd(a, _mm_round_pd(b, n)); }
LIFT_FUNCTION __m128 _mm_floor_ps(__m128 a) { return _mm_round_ps(a, _MM_FROUND_FLOOR); }
LIFT_FUNCTION __m128d _mm_floor_pd(__m128d a) { return _mm_round_pd(a, _MM_FROUND_FLOOR); }
LIFT_FUNCTION __m128 _mm_floor_ss(__m128 a, __m128 b) { return _mm_round_ss(a, b, _MM_FROUND_FLOOR); }
LIFT_FUNCTION __m128d _mm_floor_sd(__m128d a, __m128d b) { return _mm_round_sd(a, b, _MM_FROUND_FLOOR); }
LIFT_FUNCTION __m128 _mm_ceil_ps(__m128 a) { return _mm_round_ps(a, _MM_FROUND_CEIL); }
LIFT_FUNCTION __m128d _mm_ceil_pd(__m128d a) { return _mm_round_pd(a, _MM_FROUND_CEIL); }
LIFT_FUNCTION __m128 _mm_ceil_ss(__m128 a, __m128 b) { return _mm_round_ss(a, b, _MM_FROUND_CEIL); }
LIFT_FUNCTION __m128d _mm_ceil_sd(__m128d a, __m128d b) { return _mm_round_sd(a, b, _MM_FROUND_CEIL); }
#define _mm_test_all_zeros(a, mask) _mm_testz_si128(a, mask)
#define _mm_test_all_ones(a) _mm_testc_si128(a, _mm_cmpeq_epi32(a, a))
#define _mm_test_mix_ones_zeros(a, mask) _mm_testnzc_si128(a, mask)
#include <lift/x86_end.h>
