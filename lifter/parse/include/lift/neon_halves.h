/* Floats of 16 bits as they are kept: only their bits are known, and what they are as floats. Nothing is
   computed in them here, so that their types are structures, which have no arithmetic. */
typedef struct float16_t { uint16_t bits; } float16_t;
typedef struct float16x4_t { uint16x4_t bits; } float16x4_t;
typedef struct float16x8_t { uint16x8_t bits; } float16x8_t;
LIFT_FUNCTION float16x4_t vld1_f16(const float16_t *p) { const float16x4_t r = {vld1_u16((const uint16_t *)p)}; return r; }
LIFT_FUNCTION float16x8_t vld1q_f16(const float16_t *p) { const float16x8_t r = {vld1q_u16((const uint16_t *)p)}; return r; }
LIFT_FUNCTION void vst1_f16(float16_t *p, float16x4_t a) { vst1_u16((uint16_t *)p, a.bits); }
LIFT_FUNCTION void vst1q_f16(float16_t *p, float16x8_t a) { vst1q_u16((uint16_t *)p, a.bits); }
LIFT_FUNCTION float16x4_t vget_low_f16(float16x8_t a) { const float16x4_t r = {vget_low_u16(a.bits)}; return r; }
LIFT_FUNCTION float16x4_t vget_high_f16(float16x8_t a) { const float16x4_t r = {vget_high_u16(a.bits)}; return r; }
LIFT_FUNCTION float16x8_t vcombine_f16(float16x4_t a, float16x4_t b) { const float16x8_t r = {vcombine_u16(a.bits, b.bits)}; return r; }
#define REINTERPRETED(T)                                                                                               \
    LIFT_FUNCTION __##T##d vreinterpret_##T##_f16(float16x4_t a) { return (__##T##d)a.bits; }                          \
    LIFT_FUNCTION __##T##q vreinterpretq_##T##_f16(float16x8_t a) { return (__##T##q)a.bits; }                         \
    LIFT_FUNCTION float16x4_t vreinterpret_f16_##T(__##T##d a) { const float16x4_t r = {(uint16x4_t)a}; return r; }    \
    LIFT_FUNCTION float16x8_t vreinterpretq_f16_##T(__##T##q a) { const float16x8_t r = {(uint16x8_t)a}; return r; }
REINTERPRETED(s8) REINTERPRETED(s16) REINTERPRETED(s32) REINTERPRETED(s64)
REINTERPRETED(u8) REINTERPRETED(u16) REINTERPRETED(u32) REINTERPRETED(u64)
#undef REINTERPRETED
LIFT_FUNCTION float32x4_t __floats_of_halves(uint16x4_t a)
{
    const float32x4_t r = {__float_of_half(a[0]), __float_of_half(a[1]), __float_of_half(a[2]), __float_of_half(a[3])};
    return r;
}
LIFT_FUNCTION uint16x4_t __halves_of_floats(float32x4_t a)
{
    const uint16x4_t r = {__half_of_float(a[0]), __half_of_float(a[1]), __half_of_float(a[2]), __half_of_float(a[3])};
    return r;
}
LIFT_FUNCTION float32x4_t vcvt_f32_f16(float16x4_t a) { return __floats_of_halves(a.bits); }
LIFT_FUNCTION float32x4_t vcvt_high_f32_f16(float16x8_t a) { return __floats_of_halves(vget_high_u16(a.bits)); }
LIFT_FUNCTION float16x4_t vcvt_f16_f32(float32x4_t a) { const float16x4_t r = {__halves_of_floats(a)}; return r; }
LIFT_FUNCTION float16x8_t vcvt_high_f16_f32(float16x4_t first, float32x4_t a)
{
    const float16x8_t r = {vcombine_u16(first.bits, __halves_of_floats(a))};
    return r;
}
