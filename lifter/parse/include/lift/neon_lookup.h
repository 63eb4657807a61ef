/* Bytes that others choose from tables of one to four vectors; where there is none, 0 (tbl), or what was there (tbx). */
#define FROM1(size, j, none) ((j) < (size) ? a[j] : (none))
#define FROM2(size, j, none) ((j) < (size) ? a[j] : (j) < 2 * (size) ? b[(j) - (size)] : (none))
#define FROM3(size, j, none) ((j) < (size) ? a[j] : (j) < 2 * (size) ? b[(j) - (size)] : (j) < 3 * (size) ? c[(j) - 2 * (size)] : (none))
#define FROM4(size, j, none) ((j) < (size) ? a[j] : (j) < 2 * (size) ? b[(j) - (size)] : (j) < 3 * (size) ? c[(j) - 2 * (size)] : (j) < 4 * (size) ? d[(j) - 3 * (size)] : (none))
#define EACH(R, ...)                                                                                                  \
    {                                                                                                                 \
        R r;                                                                                                          \
        int i;                                                                                                        \
        for (i = 0; i < (int)sizeof(R); i++) r[i] = __VA_ARGS__;                                                      \
        return r;                                                                                                     \
    }
/* Tables of vectors of type S, `size` bytes each; numbers and results are vectors of R and U. */
#define LOOKUPS(name, T, S, size, R, U)                                                                               \
    LIFT_FUNCTION R __tbl1##name##_##T(S a, U n) EACH(R, FROM1(size, n[i], 0))                                        \
    LIFT_FUNCTION R __tbl2##name##_##T(S a, S b, U n) EACH(R, FROM2(size, n[i], 0))                                   \
    LIFT_FUNCTION R __tbl3##name##_##T(S a, S b, S c, U n) EACH(R, FROM3(size, n[i], 0))                              \
    LIFT_FUNCTION R __tbl4##name##_##T(S a, S b, S c, S d, U n) EACH(R, FROM4(size, n[i], 0))                         \
    LIFT_FUNCTION R __tbx1##name##_##T(R o, S a, U n) EACH(R, FROM1(size, n[i], o[i]))                                \
    LIFT_FUNCTION R __tbx2##name##_##T(R o, S a, S b, U n) EACH(R, FROM2(size, n[i], o[i]))                           \
    LIFT_FUNCTION R __tbx3##name##_##T(R o, S a, S b, S c, U n) EACH(R, FROM3(size, n[i], o[i]))                      \
    LIFT_FUNCTION R __tbx4##name##_##T(R o, S a, S b, S c, S d, U n) EACH(R, FROM4(size, n[i], o[i]))
#define NAMED(op, own, T, S, R, U, I)                                                                                 \
    LIFT_FUNCTION R v##op##tbl1##own##_##T(S a, U n) { return __tbl1##op##own##_##T(a, (I)n); }                       \
    LIFT_FUNCTION R v##op##tbl2##own##_##T(S##2 t, U n) { return __tbl2##op##own##_##T(t.val[0], t.val[1], (I)n); }   \
    LIFT_FUNCTION R v##op##tbl3##own##_##T(S##3 t, U n) { return __tbl3##op##own##_##T(t.val[0], t.val[1], t.val[2], (I)n); }                         \
    LIFT_FUNCTION R v##op##tbl4##own##_##T(S##4 t, U n) { return __tbl4##op##own##_##T(t.val[0], t.val[1], t.val[2], t.val[3], (I)n); }               \
    LIFT_FUNCTION R v##op##tbx1##own##_##T(R o, S a, U n) { return __tbx1##op##own##_##T(o, a, (I)n); }               \
    LIFT_FUNCTION R v##op##tbx2##own##_##T(R o, S##2 t, U n) { return __tbx2##op##own##_##T(o, t.val[0], t.val[1], (I)n); }                           \
    LIFT_FUNCTION R v##op##tbx3##own##_##T(R o, S##3 t, U n) { return __tbx3##op##own##_##T(o, t.val[0], t.val[1], t.val[2], (I)n); }                 \
    LIFT_FUNCTION R v##op##tbx4##own##_##T(R o, S##4 t, U n) { return __tbx4##op##own##_##T(o, t.val[0], t.val[1], t.val[2], t.val[3], (I)n); }
/* The oldest ones' numbers are of the type itself, or without a sign. */
#define OF_TYPE(T, I)                                                                                                 \
    LOOKUPS(, T, __##T##d, 8, __##T##d, __u8d)                                                                        \
    LOOKUPS(q, T, __##T##q, 16, __##T##d, __u8d)                                                                      \
    LOOKUPS(qq, T, __##T##q, 16, __##T##q, __u8q)                                                                     \
    NAMED(, , T, __##T##d, __##T##d, __##I##d, __u8d)                                                                 \
    NAMED(q, , T, __##T##q, __##T##d, __u8d, __u8d)                                                                   \
    NAMED(q, q, T, __##T##q, __##T##q, __u8q, __u8q)
OF_TYPE(u8, u8)
OF_TYPE(s8, s8)
OF_TYPE(p8, u8)
#undef FROM1
#undef FROM2
#undef FROM3
#undef FROM4
#undef EACH
#undef LOOKUPS
#undef NAMED
#undef OF_TYPE
