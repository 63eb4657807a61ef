/* SSSE3's functions, AVX2's and AVX-512's of the same name. */
#if LIFT_WIDTH
EACH1(abs_epi8, i8, a[i] < 0 ? -a[i] : a[i])
EACH1(abs_epi16, i16, a[i] < 0 ? -a[i] : a[i])
EACH1(abs_epi32, u32, (__i32)a[i] < 0 ? -a[i] : a[i])
EACH2(shuffle_epi8, u8, b[i] & 128 ? 0 : a[HALF(u8, i) + (b[i] & 15)])
LANES2(maddubs_epi16, i16, i8,
       SAT(i16, (__u8)a[2 * i] * b[2 * i] + (__u8)a[2 * i + 1] * b[2 * i + 1]))
EACH2(mulhrs_epi16, i16, ((a[i] * b[i] >> 14) + 1) >> 1)
#define SHIFTED(j) ((j) < 16 ? b[HALF(u8, i) + (j)] : (j) < 32 ? a[HALF(u8, i) + (j) - 16] : 0)
EACH2I(alignr_epi8, 255, u8, SHIFTED(i % 16 + (n & 255)))
#undef SHIFTED
#endif
