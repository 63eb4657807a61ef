/* AVX2's functions for 128 and 256 bits that SSE hasn't, AVX-512's of the same name. */
#if LIFT_WIDTH
/* Each lane by its own distance; by more than there are bits, nothing is left, or the sign. */
EACH2(sllv_epi32, u32, b[i] > 31 ? 0 : a[i] << b[i])
EACH2(sllv_epi64, u64, b[i] > 63 ? 0 : a[i] << b[i])
EACH2(srlv_epi32, u32, b[i] > 31 ? 0 : a[i] >> b[i])
EACH2(srlv_epi64, u64, b[i] > 63 ? 0 : a[i] >> b[i])
EACH2(srav_epi32, i32, a[i] >> ((__u32)b[i] > 31 ? 31 : b[i]))
#define LOWEST_EVERYWHERE(op, T)                                                        \
    LIFT_FUNCTION V OP(op)(__m128i a_) { SEE_OF(T, 16, a) LIFT_RESULT(T, V, a[0]) }
LOWEST_EVERYWHERE(broadcastb_epi8, u8)
LOWEST_EVERYWHERE(broadcastw_epi16, u16)
LOWEST_EVERYWHERE(broadcastd_epi32, u32)
LOWEST_EVERYWHERE(broadcastq_epi64, u64)
#undef LOWEST_EVERYWHERE
LIFT_FUNCTION VF OP(broadcastss_ps)(__m128 a) LIFT_RESULT(f32, VF, a[0])
#endif
