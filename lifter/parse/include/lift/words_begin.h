/* From here to words_end.h, what lists of intrinsics say has the meaning that they give it, and then
   again what it had: COUNT or SAT may be anything to those who include the header. */
#include <lift/numbers.h>
#define LIFT_PRAGMA(words) _Pragma(#words)
#define LIFT_SET_ASIDE(word) LIFT_PRAGMA(push_macro(#word))
#define LIFT_GIVE_BACK(word) LIFT_PRAGMA(pop_macro(#word))
#define LIFT_WORDS(each) \
    each(ALIGNED_BY) each(ALL) each(ALL_OUT) each(APART) each(AS_SIGNED) each(AT) each(B) \
    each(BEHIND) each(BIT) each(BITS) each(BITS2) each(BITS_OF) each(BY) each(BYTES) \
    each(BYTES2) each(BY_LANES) each(BY_NUMBER) each(BY_VECTOR) each(CASTS) each(CHOSEN) \
    each(CHOSEN_BY) each(COMPARED) each(COMPARED1) each(COMPARED2) each(COMPARED_BITS) \
    each(COUNT) each(COUNT_D) each(COUNT_Q) each(CVT) each(CVT_) each(D) each(DIFFERENCE) \
    each(DOT) each(DUP) each(DUP_LANE) each(DUP_LANEQ) each(E) each(EACH) each(EACH1) \
    each(EACH1BY) each(EACH1I) each(EACH1N) each(EACH2) each(EACH2I) each(EACH3) each(EIGHT) \
    each(ESTIMATE) each(E_OF) each(F) each(FARTHEST) each(FIRST) each(FITS) each(FLOAT1) \
    each(FLOAT1I) each(FLOAT2) each(FLOAT2I) each(FLOAT3) each(FLOATS1) each(FLOATS2) \
    each(FLOATS_AT) each(FLOAT_BITS) each(FN) each(FOUR) each(FOURTH) each(FROM) each(FROM1) \
    each(FROM2) each(FROM3) each(FROM4) each(FROM_1_TO) each(FUSED) each(F_OF) each(GATHER) \
    each(GREATER) each(HALF) each(HALF_BITS) each(HALF_OF) each(HALVED) each(HALVES) each(HIGH) \
    each(I) each(INFINITE) each(INTO) each(INTO_F) each(INTO_P) each(INTO_S) each(INTO_U) \
    each(IS_FLOAT) each(IS_INFINITE) each(IS_INTEGER) each(IS_NAN) each(IS_NOTHING) \
    each(IS_SIGNED) each(KEPT) each(KIND) each(L) each(LANES1) each(LANES2) each(LANES2I) \
    each(LARGEST) each(LAST) each(LAST_D) each(LAST_Q) each(LE) each(LEAST) each(LEFT) \
    each(LEFT_NEAREST) each(LEFT_UNSIGNED) each(LEFT_WRAPPED) each(LESS) each(LETTER) \
    each(LIFT_AT) each(LIFT_BITS2) each(LIFT_CHOSEN) each(LIFT_KIND_f) each(LIFT_KIND_p) \
    each(LIFT_KIND_s) each(LIFT_KIND_u) each(LIFT_LIMITED) each(LIFT_MASKED) each(LIFT_MASK_OF) \
    each(LIFT_OF) each(LIFT_OPEN) each(LIFT_RESULT) each(LIMITED) each(LONG1) each(LONG2) \
    each(LONG2_BY) each(LOOKUPS) each(LOWER) each(LOWEST) each(LOWEST1) each(LOWEST2) each(MASK) \
    each(MASK1) each(MASK2) each(MASKED_FORMS) each(MASKED_LOAD) each(MASKED_OF) \
    each(MASKED_STORE) each(MASKS) each(MASKS2) each(MASK_OF) each(MAX_NUMBER) each(MAX_OF) \
    each(MIN_NUMBER) each(MIN_OF) each(MODULO) each(MOST) each(MOST_PD) each(MOST_PS) \
    each(MOVED_DOWN) each(MOVED_UP) each(N) each(NAMED) each(NARROW1) each(NARROW2) \
    each(NARROWED) each(NARROWED_UNSIGNED) each(NARROWER) each(NARROW_BY) each(NEAREST) \
    each(NEAREST_OF) each(NEXT) each(NIBBLES) each(NT) each(OF) each(OF_ALL) each(OF_LANES) \
    each(OF_TYPE) each(OF_WIDTH) each(ONE) each(ONE_WIDTH) each(ONTO) each(ONTO_BY) each(OP) \
    each(OP_WITH) each(OWN) each(PAIR) each(PAIRS) each(PART) each(PARTS) each(PASTE) \
    each(PASTE5) each(PASTE5_) each(PASTE_) each(PLACE) each(POWER) each(PRODUCT) each(Q) \
    each(REAL) each(REINTERPRETED) each(RIGHT) each(RIGHT_DOWN) each(RIGHT_NEAREST) \
    each(ROUNDED) each(ROUNDED_FAR) each(R_F) each(SAT) each(SCALE) each(SE) each(SECOND) \
    each(SEE) each(SEE_OF) each(SET1) each(SHIFTED) each(SIGN) each(SIGNED) each(SIGNS) \
    each(SIXTEEN) each(SMALLER) each(STATE) each(SUM) each(SV) each(T) each(TERM) each(TERNARY) \
    each(TEST) each(THIRD) each(TO) each(TURN) each(TWICE) each(TWO) each(UE) each(UN) \
    each(UNSIGNED) each(UPPER) each(UP_TO) each(UT) each(UV) each(U_OF) each(V) each(V2) \
    each(V2F) each(V3) each(V4) each(VD) each(VD_u) each(VECTOR) each(VF) each(VF_u) each(V_u) \
    each(W) each(WHOLE) each(WHOLE1) each(WHOLE2) each(WHOLE3) each(WHOLE_BITS) \
    each(WHOLE_NUMBER) each(WIDE) each(WIDENED) each(WIDER2) each(WRAP) each(X2) each(X3) \
    each(X4) each(ZEROS)
/* What stands for itself, and only as a part of names. */
#define LIFT_TYPES_OF_LANES(each) \
    each(i8) each(i16) each(i32) each(i64) each(u8) each(u16) each(u32) each(u64) each(s8) \
    each(s16) each(s32) each(s64) each(p8) each(p16) each(p64) each(f32) each(f64) each(f32_) \
    each(f64_)
LIFT_WORDS(LIFT_SET_ASIDE)
LIFT_TYPES_OF_LANES(LIFT_SET_ASIDE)
#undef i8
#undef i16
#undef i32
#undef i64
#undef u8
#undef u16
#undef u32
#undef u64
#undef s8
#undef s16
#undef s32
#undef s64
#undef p8
#undef p16
#undef p64
#undef f32
#undef f64
#undef f32_
#undef f64_
