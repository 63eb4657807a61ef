/* What SSE4.1 and AVX2 have alone. */
#if LIFT_WIDTH
EACH2I(blend_epi16, 255, u16, n >> i % 8 & 1 ? b[i] : a[i])
EACH3(blendv_epi8, u8, i8, c[i] < 0 ? b[i] : a[i])
EACH2(cmpeq_epi64, u64, a[i] == b[i] ? -1 : 0)
/* Whether no bit is set in both, or none in the second one alone; then whether neither holds. */
#define TEST(op, ...)                                                                       \
    LIFT_FUNCTION int WHOLE(op)(V a, V b)                                                   \
    {                                                                                       \
        const V c_ = __VA_ARGS__;                                                           \
        SEE(u8, c)                                                                          \
        int i, r = 0;                                                                       \
        for (i = 0; i < BYTES; i++) r |= c[i];                                              \
        return r == 0;                                                                      \
    }
TEST(testz, a & b)
TEST(testc, ~a & b)
LIFT_FUNCTION int WHOLE(testnzc)(V a, V b) { return !WHOLE(testz)(a, b) & !WHOLE(testc)(a, b); }
#undef TEST
/* Sums of the differences of four bytes each: n says where they begin, for 128 bits each. */
#define PLACE(k) (HALF(u8, 2 * i) + (k))
#define HALVED(i) ((i) < 8 ? n : n >> 3)
#define FIRST(k) a[PLACE((HALVED(i) >> 2 & 1) * 4 + i % 8 + (k))]
#define SECOND(k) b[PLACE((HALVED(i) & 3) * 4 + (k))]
#define APART(k) (FIRST(k) > SECOND(k) ? FIRST(k) - SECOND(k) : SECOND(k) - FIRST(k))
LANES2I(mpsadbw_epu8, 255, u16, u8, APART(0) + APART(1) + APART(2) + APART(3))
#undef APART
#undef SECOND
#undef FIRST
#undef HALVED
#undef PLACE
#endif
