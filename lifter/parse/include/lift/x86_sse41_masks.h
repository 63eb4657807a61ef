/* What SSE4.1 and AVX2 have alone. */
#if LIFT_WIDTH
EACH2N(blend_epi16, u16, n >> i % 8 & 1 ? b[i] : a[i])
LIFT_FUNCTION V OP(blendv_epi8)(V a_, V b_, V mask_)
{
    SEE(u8, a) SEE(u8, b) SEE(u8, mask)
    LIFT_RESULT(u8, V, mask[i] & 128 ? b[i] : a[i])
}
EACH2(cmpeq_epi64, u64, a[i] == b[i] ? -1 : 0)
EACH2(cmpgt_epi64, i64, a[i] > b[i] ? -1 : 0)
#endif
