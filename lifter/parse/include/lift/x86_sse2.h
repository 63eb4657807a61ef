/* SSE2's functions of integers, AVX2's and AVX-512's of the same name. */
#if LIFT_WIDTH
EACH2(add_epi8, u8, a[i] + b[i])
EACH2(add_epi16, u16, a[i] + b[i])
EACH2(add_epi32, u32, a[i] + b[i])
EACH2(add_epi64, u64, a[i] + b[i])
EACH2(sub_epi8, u8, a[i] - b[i])
EACH2(sub_epi16, u16, a[i] - b[i])
EACH2(sub_epi32, u32, a[i] - b[i])
EACH2(sub_epi64, u64, a[i] - b[i])
EACH2(adds_epi8, i8, SAT(i8, a[i] + b[i]))
EACH2(adds_epi16, i16, SAT(i16, a[i] + b[i]))
EACH2(adds_epu8, u8, SAT(u8, a[i] + b[i]))
EACH2(adds_epu16, u16, SAT(u16, a[i] + b[i]))
EACH2(subs_epi8, i8, SAT(i8, a[i] - b[i]))
EACH2(subs_epi16, i16, SAT(i16, a[i] - b[i]))
EACH2(subs_epu8, u8, SAT(u8, a[i] - b[i]))
EACH2(subs_epu16, u16, SAT(u16, a[i] - b[i]))
EACH2(avg_epu8, u8, (a[i] + b[i] + 1) >> 1)
EACH2(avg_epu16, u16, (a[i] + b[i] + 1) >> 1)
EACH2(max_epu8, u8, a[i] > b[i] ? a[i] : b[i])
EACH2(max_epi16, i16, a[i] > b[i] ? a[i] : b[i])
EACH2(min_epu8, u8, a[i] < b[i] ? a[i] : b[i])
EACH2(min_epi16, i16, a[i] < b[i] ? a[i] : b[i])

/* The lower and the upper halves of products; sums of two; sums of absolute differences. */
EACH2(mullo_epi16, i16, a[i] * b[i])
EACH2(mulhi_epi16, i16, a[i] * b[i] >> 16)
EACH2(mulhi_epu16, u16, (__u32)a[i] * b[i] >> 16)
LANES2(mul_epu32, u64, u32, (__u64)a[2 * i] * b[2 * i])
LANES2(madd_epi16, u32, i16,
       (__u32)(a[2 * i] * b[2 * i]) + (__u32)(a[2 * i + 1] * b[2 * i + 1]))
#ifndef LIFT_MASKED
#define APART(j) (a[j] > b[j] ? a[j] - b[j] : b[j] - a[j])
LANES2(sad_epu8, u64, u8, APART(8 * i) + APART(8 * i + 1) + APART(8 * i + 2) + APART(8 * i + 3) +
       APART(8 * i + 4) + APART(8 * i + 5) + APART(8 * i + 6) + APART(8 * i + 7))
#undef APART
#endif

/* Shifts: by more than there are bits, nothing is left, or the sign. */
EACH1N(slli_epi16, u16, (__u32)n > 15 ? 0 : a[i] << n)
EACH1N(slli_epi32, u32, (__u32)n > 31 ? 0 : a[i] << n)
EACH1N(slli_epi64, u64, (__u32)n > 63 ? 0 : a[i] << n)
EACH1N(srli_epi16, u16, (__u32)n > 15 ? 0 : a[i] >> n)
EACH1N(srli_epi32, u32, (__u32)n > 31 ? 0 : a[i] >> n)
EACH1N(srli_epi64, u64, (__u32)n > 63 ? 0 : a[i] >> n)
EACH1N(srai_epi16, i16, a[i] >> ((__u32)n > 15 ? 15 : n))
EACH1N(srai_epi32, i32, a[i] >> ((__u32)n > 31 ? 31 : n))
EACH1BY(sll_epi16, u16, n > 15 ? 0 : a[i] << n)
EACH1BY(sll_epi32, u32, n > 31 ? 0 : a[i] << n)
EACH1BY(sll_epi64, u64, n > 63 ? 0 : a[i] << n)
EACH1BY(srl_epi16, u16, n > 15 ? 0 : a[i] >> n)
EACH1BY(srl_epi32, u32, n > 31 ? 0 : a[i] >> n)
EACH1BY(srl_epi64, u64, n > 63 ? 0 : a[i] >> n)
EACH1BY(sra_epi16, i16, a[i] >> (n > 15 ? 15 : (int)n))
EACH1BY(sra_epi32, i32, a[i] >> (n > 31 ? 31 : (int)n))

EACH2(unpacklo_epi8, u8, (i & 1 ? b : a)[HALF(u8, i) + i % 16 / 2])
EACH2(unpacklo_epi16, u16, (i & 1 ? b : a)[HALF(u16, i) + i % 8 / 2])
EACH2(unpacklo_epi32, u32, (i & 1 ? b : a)[HALF(u32, i) + i % 4 / 2])
EACH2(unpacklo_epi64, u64, (i & 1 ? b : a)[HALF(u64, i)])
EACH2(unpackhi_epi8, u8, (i & 1 ? b : a)[HALF(u8, i) + 8 + i % 16 / 2])
EACH2(unpackhi_epi16, u16, (i & 1 ? b : a)[HALF(u16, i) + 4 + i % 8 / 2])
EACH2(unpackhi_epi32, u32, (i & 1 ? b : a)[HALF(u32, i) + 2 + i % 4 / 2])
EACH2(unpackhi_epi64, u64, (i & 1 ? b : a)[HALF(u64, i) + 1])
/* Lane i of a result of narrower lanes is lane i % 8 (or 4) of a, then of b, in each 128 bits. */
LANES2(packs_epi16, i8, i16, SAT(i8, (i % 16 < 8 ? a : b)[HALF(i8, i) / 2 + i % 8]))
LANES2(packus_epi16, u8, i16, SAT(u8, (i % 16 < 8 ? a : b)[HALF(u8, i) / 2 + i % 8]))
LANES2(packs_epi32, i16, i32, SAT(i16, (i % 8 < 4 ? a : b)[HALF(i16, i) / 2 + i % 4]))
EACH1I(shuffle_epi32, 255, u32, a[HALF(u32, i) + (n >> 2 * (i % 4) & 3)])
EACH1I(shufflelo_epi16, 255, u16, a[i % 8 < 4 ? HALF(u16, i) + (n >> 2 * (i % 8) & 3) : i])
EACH1I(shufflehi_epi16, 255, u16, a[i % 8 < 4 ? i : HALF(u16, i) + 4 + (n >> 2 * (i % 4) & 3)])

SET1(set1_epi8, i8, char)
SET1(set1_epi16, i16, short)
SET1(set1_epi32, i32, int)
#endif
