/* Comparisons that make masks: SSE2's, SSE4's and AVX2's (AVX-512's give bits). */
#if LIFT_WIDTH
EACH2(cmpeq_epi8, u8, a[i] == b[i] ? -1 : 0)
EACH2(cmpeq_epi16, u16, a[i] == b[i] ? -1 : 0)
EACH2(cmpeq_epi32, u32, a[i] == b[i] ? -1 : 0)
EACH2(cmpgt_epi8, i8, a[i] > b[i] ? -1 : 0)
EACH2(cmpgt_epi16, i16, a[i] > b[i] ? -1 : 0)
EACH2(cmpgt_epi32, i32, a[i] > b[i] ? -1 : 0)
#endif
