/* All of x86's vectors. */
#pragma once
#include <nmmintrin.h>
#define LIFT_WIDTH 256
#include <lift/x86_width.h>
#include <lift/x86_floats.h>
#include <lift/x86_sse2.h>
#include <lift/x86_compared.h>
#include <lift/x86_ssse3.h>
#include <lift/x86_ssse3_pairs.h>
#include <lift/x86_sse41.h>
#include <lift/x86_sse41_masks.h>
#define WIDENED(op, R, T, half)                                                               \
    LIFT_FUNCTION __m256i op(__m128i a_) { const half a = (half)a_; LIFT_RESULT(R, __m256i, a[i]) }
WIDENED(_mm256_cvtepu8_epi16, i16, u8, __u8x16)
WIDENED(_mm256_cvtepu8_epi32, i32, u8, __u8x16)
WIDENED(_mm256_cvtepi8_epi16, i16, i8, __i8x16)
WIDENED(_mm256_cvtepi16_epi32, i32, i16, __i16x8)
WIDENED(_mm256_cvtepu16_epi32, i32, u16, __u16x8)
#undef WIDENED
EACH1N(permute4x64_epi64, u64, a[n >> 2 * i & 3])
EACH1N(slli_si256, u8, MOVED_UP)
EACH1N(srli_si256, u8, MOVED_DOWN)
EACH1N(bslli_epi128, u8, MOVED_UP)
EACH1N(bsrli_epi128, u8, MOVED_DOWN)
#include <lift/x86_width_end.h>
LIFT_FUNCTION __m256i _mm256_and_si256(__m256i a, __m256i b) { return a & b; }
LIFT_FUNCTION __m256i _mm256_or_si256(__m256i a, __m256i b) { return a | b; }
LIFT_FUNCTION __m256i _mm256_xor_si256(__m256i a, __m256i b) { return a ^ b; }
LIFT_FUNCTION __m256i _mm256_andnot_si256(__m256i a, __m256i b) { return ~a & b; }
LIFT_FUNCTION __m256i _mm256_setzero_si256(void) { const __m256i zero = {0}; return zero; }
LIFT_FUNCTION __m256i _mm256_loadu_si256(const __m256i_u *p) { return *p; }
LIFT_FUNCTION __m256i _mm256_load_si256(const __m256i *p) { return *p; }
LIFT_FUNCTION void _mm256_storeu_si256(__m256i_u *p, __m256i v) { *p = v; }
LIFT_FUNCTION void _mm256_store_si256(__m256i *p, __m256i v) { *p = v; }
LIFT_FUNCTION __m128i _mm256_castsi256_si128(__m256i v) { const __m128i r = {v[0], v[1]}; return r; }
LIFT_FUNCTION __m128i _mm256_extracti128_si256(__m256i v, int n_1) { const __m128i r = {v[2 * n_1], v[2 * n_1 + 1]}; return r; }
LIFT_FUNCTION void _mm256_zeroupper(void) {}
LIFT_FUNCTION __m256 _mm256_loadu_ps(const float *p) { return *(const __m256_u *)p; }
LIFT_FUNCTION void _mm256_storeu_ps(float *p, __m256 v) { *(__m256_u *)p = v; }
