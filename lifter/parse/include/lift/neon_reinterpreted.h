/* The same bits as elements of another type: of each type from each other. */
#define ONE(R, T)                                                                      \
    LIFT_FUNCTION __##R##d vreinterpret_##R##_##T(__##T##d a) { return (__##R##d)a; }  \
    LIFT_FUNCTION __##R##q vreinterpretq_##R##_##T(__##T##q a) { return (__##R##q)a; }
#define INTO_S(R) ONE(R, s8) ONE(R, s16) ONE(R, s32) ONE(R, s64)
#define INTO_U(R) ONE(R, u8) ONE(R, u16) ONE(R, u32) ONE(R, u64)
#define INTO_P(R) ONE(R, p8) ONE(R, p16) ONE(R, p64)
#define INTO_F(R) ONE(R, f32) ONE(R, f64)
ONE(s8, s16) ONE(s8, s32) ONE(s8, s64) INTO_U(s8) INTO_P(s8) INTO_F(s8)
ONE(s16, s8) ONE(s16, s32) ONE(s16, s64) INTO_U(s16) INTO_P(s16) INTO_F(s16)
ONE(s32, s8) ONE(s32, s16) ONE(s32, s64) INTO_U(s32) INTO_P(s32) INTO_F(s32)
ONE(s64, s8) ONE(s64, s16) ONE(s64, s32) INTO_U(s64) INTO_P(s64) INTO_F(s64)
ONE(u8, u16) ONE(u8, u32) ONE(u8, u64) INTO_S(u8) INTO_P(u8) INTO_F(u8)
ONE(u16, u8) ONE(u16, u32) ONE(u16, u64) INTO_S(u16) INTO_P(u16) INTO_F(u16)
ONE(u32, u8) ONE(u32, u16) ONE(u32, u64) INTO_S(u32) INTO_P(u32) INTO_F(u32)
ONE(u64, u8) ONE(u64, u16) ONE(u64, u32) INTO_S(u64) INTO_P(u64) INTO_F(u64)
ONE(p8, p16) ONE(p8, p64) INTO_S(p8) INTO_U(p8) INTO_F(p8)
ONE(p16, p8) ONE(p16, p64) INTO_S(p16) INTO_U(p16) INTO_F(p16)
ONE(p64, p8) ONE(p64, p16) INTO_S(p64) INTO_U(p64) INTO_F(p64)
ONE(f32, f64) INTO_S(f32) INTO_U(f32) INTO_P(f32)
ONE(f64, f32) INTO_S(f64) INTO_U(f64) INTO_P(f64)
#undef ONE
#undef INTO_S
#undef INTO_U
#undef INTO_P
#undef INTO_F
