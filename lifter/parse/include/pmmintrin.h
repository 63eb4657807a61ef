/* SSE3. */
#pragma once
#include <emmintrin.h>
LIFT_FUNCTION __m128i _mm_lddqu_si128(const __m128i_u *p) { return *p; }
