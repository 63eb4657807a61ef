/* What SSSE3 and AVX2 have alone. */
#if LIFT_WIDTH
#define PAIR(T, n) (i % (n) < (n) / 2 ? a : b)[HALF(T, i) + i * 2 % (n)]
#define NEXT(T, n) (i % (n) < (n) / 2 ? a : b)[HALF(T, i) + i * 2 % (n) + 1]
EACH2(hadd_epi16, u16, PAIR(u16, 8) + NEXT(u16, 8))
EACH2(hadd_epi32, u32, PAIR(u32, 4) + NEXT(u32, 4))
EACH2(hadds_epi16, i16, SAT(i16, PAIR(i16, 8) + NEXT(i16, 8)))
EACH2(hsub_epi16, u16, PAIR(u16, 8) - NEXT(u16, 8))
EACH2(hsub_epi32, u32, PAIR(u32, 4) - NEXT(u32, 4))
EACH2(hsubs_epi16, i16, SAT(i16, PAIR(i16, 8) - NEXT(i16, 8)))
#undef PAIR
#undef NEXT
EACH2(sign_epi8, i8, b[i] < 0 ? -a[i] : b[i] ? a[i] : 0)
EACH2(sign_epi16, i16, b[i] < 0 ? -a[i] : b[i] ? a[i] : 0)
EACH2(sign_epi32, u32, (__i32)b[i] < 0 ? -a[i] : b[i] ? a[i] : 0)
#endif
