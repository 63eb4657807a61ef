/* SSE4.1's functions, AVX2's and AVX-512's of the same name. */
#if LIFT_WIDTH
EACH2(max_epi8, i8, a[i] > b[i] ? a[i] : b[i])
EACH2(max_epu16, u16, a[i] > b[i] ? a[i] : b[i])
EACH2(max_epi32, i32, a[i] > b[i] ? a[i] : b[i])
EACH2(max_epu32, u32, a[i] > b[i] ? a[i] : b[i])
EACH2(min_epi8, i8, a[i] < b[i] ? a[i] : b[i])
EACH2(min_epu16, u16, a[i] < b[i] ? a[i] : b[i])
EACH2(min_epi32, i32, a[i] < b[i] ? a[i] : b[i])
EACH2(min_epu32, u32, a[i] < b[i] ? a[i] : b[i])
EACH2(mullo_epi32, u32, a[i] * b[i])
LANES2(mul_epi32, i64, i32, (__i64)a[2 * i] * b[2 * i])
LANES2(packus_epi32, u16, i32, SAT(u16, (i % 8 < 4 ? a : b)[HALF(u16, i) / 2 + i % 4]))
#endif
