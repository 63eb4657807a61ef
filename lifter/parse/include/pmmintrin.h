/* SSE3. */
#pragma once
#include <emmintrin.h>
#include <lift/x86_begin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_sse3.h>
#include <lift/x86_sse3_moved.h>
#include <lift/x86_width_end.h>
LIFT_FUNCTION __m128i _mm_lddqu_si128(const __m128i_u *p) { return *p; }
LIFT_FUNCTION __m128d _mm_loaddup_pd(const double *p) { return _mm_set1_pd(*p); }
#include <lift/x86_end.h>
