/* SSE. What isn't here has no exact meaning (_mm_rcp_ps, _mm_rsqrt_ps) or changes the machine's
   state (_mm_setcsr). */
#pragma once
#include <mmintrin.h>
#include <lift/x86_vectors.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_floats.h>
#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_prefetch(p, hint) ((void)(p))
#define _mm_sfence() ((void)0)
LIFT_FUNCTION __m128 _mm_loadu_ps(const float *p) { return *(const __m128_u *)p; }
LIFT_FUNCTION __m128 _mm_load_ps(const float *p) { return *(const __m128 *)p; }
LIFT_FUNCTION void _mm_storeu_ps(float *p, __m128 v) { *(__m128_u *)p = v; }
LIFT_FUNCTION void _mm_store_ps(float *p, __m128 v) { *(__m128 *)p = v; }
LIFT_FUNCTION void _mm_stream_ps(float *p, __m128 v) { *(__m128 *)p = v; }
LIFT_FUNCTION __m128 _mm_set_ps(float d, float c, float b, float a) { const __m128 r = {a, b, c, d}; return r; }
LIFT_FUNCTION __m128 _mm_setr_ps(float a, float b, float c, float d) { const __m128 r = {a, b, c, d}; return r; }
LIFT_FUNCTION __m128 _mm_set_ps1(float v) { return _mm_set1_ps(v); }
LIFT_FUNCTION __m128 _mm_load1_ps(const float *p) { return _mm_set1_ps(*p); }
LIFT_FUNCTION __m128 _mm_load_ps1(const float *p) { return _mm_set1_ps(*p); }
LIFT_FUNCTION __m128 _mm_set_ss(float v) { const __m128 r = {v, 0, 0, 0}; return r; }
LIFT_FUNCTION __m128 _mm_load_ss(const float *p) { return _mm_set_ss(*p); }
LIFT_FUNCTION void _mm_store_ss(float *p, __m128 v) { *p = v[0]; }
LIFT_FUNCTION float _mm_cvtss_f32(__m128 v) { return v[0]; }
LIFT_FUNCTION __m128 _mm_movehl_ps(__m128 a, __m128 b) { const __m128 r = {b[2], b[3], a[2], a[3]}; return r; }
LIFT_FUNCTION __m128 _mm_movelh_ps(__m128 a, __m128 b) { const __m128 r = {a[0], a[1], b[0], b[1]}; return r; }
LIFT_FUNCTION __m128 _mm_move_ss(__m128 a, __m128 b) { const __m128 r = {b[0], a[1], a[2], a[3]}; return r; }
/* The lowest lane alone; the others are the first argument's. */
#define LOWEST(op, ...) LIFT_FUNCTION __m128 op(__m128 a, __m128 b) { __m128 r = a; r[0] = __VA_ARGS__; return r; }
LOWEST(_mm_add_ss, a[0] + b[0])
LOWEST(_mm_sub_ss, a[0] - b[0])
LOWEST(_mm_mul_ss, a[0] * b[0])
LOWEST(_mm_div_ss, a[0] / b[0])
LOWEST(_mm_min_ss, a[0] < b[0] ? a[0] : b[0])
LOWEST(_mm_max_ss, a[0] > b[0] ? a[0] : b[0])
#undef LOWEST
LIFT_FUNCTION __m128 _mm_sqrt_ss(__m128 a) { __m128 r = a; r[0] = __builtin_sqrtf(a[0]); return r; }
LIFT_FUNCTION int _mm_cvtss_si32(__m128 a) { return __rounded(a[0]); }
LIFT_FUNCTION int _mm_cvttss_si32(__m128 a) { return __truncated(a[0]); }
#define MASK(op, ...) LIFT_FUNCTION __m128 op(__m128 a, __m128 b) LIFT_RESULT(i32, __m128, (__VA_ARGS__) ? -1 : 0)
MASK(_mm_cmpeq_ps, a[i] == b[i])
MASK(_mm_cmpneq_ps, a[i] != b[i])
MASK(_mm_cmplt_ps, a[i] < b[i])
MASK(_mm_cmple_ps, a[i] <= b[i])
MASK(_mm_cmpgt_ps, a[i] > b[i])
MASK(_mm_cmpge_ps, a[i] >= b[i])
MASK(_mm_cmpnlt_ps, !(a[i] < b[i]))
MASK(_mm_cmpnle_ps, !(a[i] <= b[i]))
MASK(_mm_cmpngt_ps, !(a[i] > b[i]))
MASK(_mm_cmpnge_ps, !(a[i] >= b[i]))
MASK(_mm_cmpord_ps, a[i] == a[i] && b[i] == b[i])
MASK(_mm_cmpunord_ps, a[i] != a[i] || b[i] != b[i])
#undef MASK
LIFT_FUNCTION int _mm_movemask_ps(__m128 v) { const __u32x4 a = (__u32x4)v; return a[0] >> 31 | a[1] >> 31 << 1 | a[2] >> 31 << 2 | a[3] >> 31 << 3; }
#define _MM_TRANSPOSE4_PS(a, b, c, d)                                            \
    do {                                                                         \
        const __m128 ab0 = _mm_unpacklo_ps(a, b), ab2 = _mm_unpackhi_ps(a, b);   \
        const __m128 cd0 = _mm_unpacklo_ps(c, d), cd2 = _mm_unpackhi_ps(c, d);   \
        a = _mm_movelh_ps(ab0, cd0), b = _mm_movehl_ps(cd0, ab0);                \
        c = _mm_movelh_ps(ab2, cd2), d = _mm_movehl_ps(cd2, ab2);                \
    } while (0)
#include <lift/x86_width_end.h>
void *_mm_malloc(unsigned long size, unsigned long alignment);
void _mm_free(void *p);
