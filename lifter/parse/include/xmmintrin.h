/* SSE. */
#pragma once
#include <mmintrin.h>
#include <lift/x86_begin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_floats.h>
#define REAL float
#define W __m128
#define F f32
#define I i32
#define LOWEST(name) _mm_##name##_ss
#include <lift/x86_lowest.h>
#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_prefetch(p, hint) ((void)(p))
#define _mm_sfence() ((void)0)
LIFT_FUNCTION __m128 _mm_set_ps(float d, float c, float b, float a) { const __m128 r = {a, b, c, d}; return r; }
LIFT_FUNCTION __m128 _mm_setr_ps(float a, float b, float c, float d) { const __m128 r = {a, b, c, d}; return r; }
LIFT_FUNCTION __m128 _mm_set_ps1(float v) { return _mm_set1_ps(v); }
LIFT_FUNCTION __m128 _mm_set_ss(float v) { const __m128 r = {v, 0, 0, 0}; return r; }
LIFT_FUNCTION __m128 _mm_load1_ps(const float *p) { return _mm_set1_ps(*p); }
LIFT_FUNCTION __m128 _mm_load_ps1(const float *p) { return _mm_set1_ps(*p); }
LIFT_FUNCTION __m128 _mm_load_ss(const float *p) { return _mm_set_ss(*p); }
LIFT_FUNCTION __m128 _mm_loadr_ps(const float *p) { const __m128 v = *(const __m128 *)p, r = {v[3], v[2], v[1], v[0]}; return r; }
LIFT_FUNCTION __m128 _mm_loadl_pi(__m128 a, const __m64 *p) { const float *q = (const float *)p; const __m128 r = {q[0], q[1], a[2], a[3]}; return r; }
LIFT_FUNCTION __m128 _mm_loadh_pi(__m128 a, const __m64 *p) { const float *q = (const float *)p; const __m128 r = {a[0], a[1], q[0], q[1]}; return r; }
LIFT_FUNCTION void _mm_storel_pi(__m64 *p, __m128 a) { float *q = (float *)p; q[0] = a[0]; q[1] = a[1]; }
LIFT_FUNCTION void _mm_storeh_pi(__m64 *p, __m128 a) { float *q = (float *)p; q[0] = a[2]; q[1] = a[3]; }
LIFT_FUNCTION void _mm_store_ss(float *p, __m128 v) { *p = v[0]; }
LIFT_FUNCTION void _mm_store1_ps(float *p, __m128 v) { *(__m128 *)p = _mm_set1_ps(v[0]); }
LIFT_FUNCTION void _mm_store_ps1(float *p, __m128 v) { *(__m128 *)p = _mm_set1_ps(v[0]); }
LIFT_FUNCTION void _mm_storer_ps(float *p, __m128 v) { const __m128 r = {v[3], v[2], v[1], v[0]}; *(__m128 *)p = r; }
LIFT_FUNCTION float _mm_cvtss_f32(__m128 v) { return v[0]; }
LIFT_FUNCTION __m128 _mm_movehl_ps(__m128 a, __m128 b) { const __m128 r = {b[2], b[3], a[2], a[3]}; return r; }
LIFT_FUNCTION __m128 _mm_movelh_ps(__m128 a, __m128 b) { const __m128 r = {a[0], a[1], b[0], b[1]}; return r; }
LIFT_FUNCTION __m128 _mm_sqrt_ss(__m128 a) { __m128 r = a; r[0] = __builtin_sqrtf(a[0]); return r; }
LIFT_FUNCTION int _mm_cvtss_si32(__m128 a) { return __rounded(a[0]); }
LIFT_FUNCTION int _mm_cvt_ss2si(__m128 a) { return __rounded(a[0]); }
LIFT_FUNCTION int _mm_cvttss_si32(__m128 a) { return __truncated(a[0]); }
LIFT_FUNCTION int _mm_cvtt_ss2si(__m128 a) { return __truncated(a[0]); }
LIFT_FUNCTION long long _mm_cvtss_si64(__m128 a) { return __rounded_64(a[0]); }
LIFT_FUNCTION long long _mm_cvttss_si64(__m128 a) { return __truncated_64(a[0]); }
LIFT_FUNCTION __m128 _mm_cvtsi32_ss(__m128 a, int v) { __m128 r = a; r[0] = (float)v; return r; }
LIFT_FUNCTION __m128 _mm_cvt_si2ss(__m128 a, int v) { __m128 r = a; r[0] = (float)v; return r; }
LIFT_FUNCTION __m128 _mm_cvtsi64_ss(__m128 a, long long v) { __m128 r = a; r[0] = (float)v; return r; }
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

/* Of vectors of 64 bits. */
#define BYTES 8
#define V __m64
#define OP(name) _mm_##name
EACH2(avg_pu8, u8, (a[i] + b[i] + 1) >> 1)
EACH2(avg_pu16, u16, (a[i] + b[i] + 1) >> 1)
EACH2(max_pu8, u8, a[i] > b[i] ? a[i] : b[i])
EACH2(max_pi16, i16, a[i] > b[i] ? a[i] : b[i])
EACH2(min_pu8, u8, a[i] < b[i] ? a[i] : b[i])
EACH2(min_pi16, i16, a[i] < b[i] ? a[i] : b[i])
EACH2(mulhi_pu16, u16, (__u32)a[i] * b[i] >> 16)
#define APART(j) (a[j] > b[j] ? a[j] - b[j] : b[j] - a[j])
LANES2(sad_pu8, u64, u8, APART(0) + APART(1) + APART(2) + APART(3) + APART(4) + APART(5) + APART(6) + APART(7))
#undef APART
EACH1I(shuffle_pi16, 255, u16, a[n >> 2 * i & 3])
#undef BYTES
#undef V
#undef OP
LIFT_FUNCTION int _mm_extract_pi16(__m64 v, __to_3 n) { return ((OF(u16, 8))v)[n]; }
LIFT_FUNCTION __m64 _mm_insert_pi16(__m64 v, int w, __to_3 n) { OF(i16, 8) r = (OF(i16, 8))v; r[n] = w; return (__m64)r; }
LIFT_FUNCTION int _mm_movemask_pi8(__m64 v)
{
    const OF(u8, 8) a = (OF(u8, 8))v;
    int i, r = 0;
    for (i = 0; i < 8; i++) r |= a[i] >> 7 << i;
    return r;
}
LIFT_FUNCTION void _mm_maskmove_si64(__m64 v_, __m64 mask_, char *p)
{
    SEE_OF(i8, 8, v) SEE_OF(i8, 8, mask)
    int i;
    for (i = 0; i < 8; i++) if (mask[i] < 0) p[i] = v[i];
}
LIFT_FUNCTION void _mm_stream_pi(__m64 *p, __m64 v) { *p = v; }
LIFT_FUNCTION __m128 _mm_cvtpi32_ps(__m128 a, __m64 b_) { SEE_OF(i32, 8, b) const __m128 r = {(float)b[0], (float)b[1], a[2], a[3]}; return r; }
LIFT_FUNCTION __m128 _mm_cvtpi16_ps(__m64 a_) { SEE_OF(i16, 8, a) const __m128 r = {a[0], a[1], a[2], a[3]}; return r; }
LIFT_FUNCTION __m128 _mm_cvtpu8_ps(__m64 a_) { SEE_OF(u8, 8, a) const __m128 r = {a[0], a[1], a[2], a[3]}; return r; }
LIFT_FUNCTION __m64 _mm_cvtps_pi32(__m128 a) { const OF(i32, 8) r = {__rounded(a[0]), __rounded(a[1])}; return (__m64)r; }
LIFT_FUNCTION __m64 _mm_cvttps_pi32(__m128 a) { const OF(i32, 8) r = {__truncated(a[0]), __truncated(a[1])}; return (__m64)r; }
LIFT_FUNCTION __m64 _mm_cvtps_pi16(__m128 a)
{
    const OF(i16, 8) r = {SAT(i16, __rounded(a[0])), SAT(i16, __rounded(a[1])), SAT(i16, __rounded(a[2])), SAT(i16, __rounded(a[3]))};
    return (__m64)r;
}

/* What has no meaning that all processors share, or is about the machine's state: declared, so that it
   can be named and be given one (--model). */
#ifdef __cplusplus
extern "C" {
#endif
ESTIMATE __m128 _mm_rcp_ps(__m128 a);
ESTIMATE __m128 _mm_rcp_ss(__m128 a);
ESTIMATE __m128 _mm_rsqrt_ps(__m128 a);
ESTIMATE __m128 _mm_rsqrt_ss(__m128 a);
STATE unsigned int _mm_getcsr(void);
STATE void _mm_setcsr(unsigned int state);
STATE unsigned int _MM_GET_ROUNDING_MODE(void);
STATE unsigned int _MM_GET_EXCEPTION_STATE(void);
STATE unsigned int _MM_GET_EXCEPTION_MASK(void);
STATE unsigned int _MM_GET_FLUSH_ZERO_MODE(void);
STATE void _MM_SET_ROUNDING_MODE(unsigned int mode);
STATE void _MM_SET_EXCEPTION_STATE(unsigned int mode);
STATE void _MM_SET_EXCEPTION_MASK(unsigned int mode);
STATE void _MM_SET_FLUSH_ZERO_MODE(unsigned int mode);
STATE unsigned int _MM_GET_DENORMALS_ZERO_MODE(void);
STATE void _MM_SET_DENORMALS_ZERO_MODE(unsigned int mode);
#ifdef __cplusplus
}
#endif
#define _MM_ROUND_MASK 0x6000
#define _MM_ROUND_NEAREST 0x0000
#define _MM_ROUND_DOWN 0x2000
#define _MM_ROUND_UP 0x4000
#define _MM_ROUND_TOWARD_ZERO 0x6000
#define _MM_FLUSH_ZERO_MASK 0x8000
#define _MM_FLUSH_ZERO_ON 0x8000
#define _MM_FLUSH_ZERO_OFF 0
#define _MM_DENORMALS_ZERO_MASK 0x40
#define _MM_DENORMALS_ZERO_ON 0x40
#define _MM_DENORMALS_ZERO_OFF 0
#define _MM_EXCEPT_MASK 0x3f
#define _MM_MASK_MASK 0x1f80
#include <lift/x86_end.h>
