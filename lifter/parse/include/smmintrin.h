/* SSE4.1. */
#pragma once
#include <tmmintrin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_sse41.h>
#include <lift/x86_sse41_masks.h>
#define WIDENED(op, R, T)                                                     \
    LIFT_FUNCTION __m128i op(__m128i a_) { SEE(T, a) LIFT_RESULT(R, __m128i, a[i]) }
WIDENED(_mm_cvtepu8_epi16, i16, u8)
WIDENED(_mm_cvtepu8_epi32, i32, u8)
WIDENED(_mm_cvtepi8_epi16, i16, i8)
WIDENED(_mm_cvtepi8_epi32, i32, i8)
WIDENED(_mm_cvtepu16_epi32, i32, u16)
WIDENED(_mm_cvtepi16_epi32, i32, i16)
WIDENED(_mm_cvtepu32_epi64, i64, u32)
WIDENED(_mm_cvtepi32_epi64, i64, i32)
#undef WIDENED
#include <lift/x86_width_end.h>
LIFT_FUNCTION int _mm_extract_epi8(__m128i v, int n_15) { return ((__u8x16)v)[n_15]; }
LIFT_FUNCTION int _mm_extract_epi32(__m128i v, int n_3) { return ((__i32x4)v)[n_3]; }
LIFT_FUNCTION __m128i _mm_insert_epi8(__m128i v, int w, int n_15) { __i8x16 r = (__i8x16)v; r[n_15] = w; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_insert_epi32(__m128i v, int w, int n_3) { __i32x4 r = (__i32x4)v; r[n_3] = w; return (__m128i)r; }
LIFT_FUNCTION __m128i _mm_stream_load_si128(__m128i *p) { return *p; }
