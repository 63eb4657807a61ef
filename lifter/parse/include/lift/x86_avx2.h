/* AVX2's functions for 128 and 256 bits that SSE hasn't, AVX-512's of the same name. */
#if LIFT_WIDTH
/* Each lane by its own distance; by more than there are bits, nothing is left, or the sign. */
EACH2(sllv_epi32, u32, b[i] > 31 ? 0 : a[i] << b[i])
EACH2(sllv_epi64, u64, b[i] > 63 ? 0 : a[i] << b[i])
EACH2(srlv_epi32, u32, b[i] > 31 ? 0 : a[i] >> b[i])
EACH2(srlv_epi64, u64, b[i] > 63 ? 0 : a[i] >> b[i])
EACH2(srav_epi32, i32, a[i] >> ((__u32)b[i] > 31 ? 31 : b[i]))
/* The lowest lane in all of them. */
FROM1(broadcastb_epi8, u8, V, u8, __m128i, 16, a[0])
FROM1(broadcastw_epi16, u16, V, u16, __m128i, 16, a[0])
FROM1(broadcastd_epi32, u32, V, u32, __m128i, 16, a[0])
FROM1(broadcastq_epi64, u64, V, u64, __m128i, 16, a[0])
FROM1(broadcastss_ps, f32, VF, f32, __m128, 16, a[0])
#endif
