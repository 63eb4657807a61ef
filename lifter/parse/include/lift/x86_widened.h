/* Numbers of the lowest lanes as wider ones: SSE4.1's, AVX2's and AVX-512's. */
#if LIFT_WIDTH
#define WIDENED(op, R, T, X, bytes) FROM1(op, R, V, T, X, bytes, a[i])
WIDENED(cvtepu8_epi16, i16, u8, V2, BYTES2)
WIDENED(cvtepi8_epi16, i16, i8, V2, BYTES2)
WIDENED(cvtepu16_epi32, i32, u16, V2, BYTES2)
WIDENED(cvtepi16_epi32, i32, i16, V2, BYTES2)
WIDENED(cvtepu32_epi64, i64, u32, V2, BYTES2)
WIDENED(cvtepi32_epi64, i64, i32, V2, BYTES2)
WIDENED(cvtepu8_epi32, i32, u8, __m128i, 16)
WIDENED(cvtepi8_epi32, i32, i8, __m128i, 16)
WIDENED(cvtepu16_epi64, i64, u16, __m128i, 16)
WIDENED(cvtepi16_epi64, i64, i16, __m128i, 16)
WIDENED(cvtepu8_epi64, i64, u8, __m128i, 16)
WIDENED(cvtepi8_epi64, i64, i8, __m128i, 16)
#undef WIDENED
#endif
