/* Functions that AVX-512 brings for vectors of all widths. */
#if LIFT_WIDTH
EACH1(abs_epi64, u64, (__i64)a[i] < 0 ? -a[i] : a[i])
EACH2(max_epi64, i64, a[i] > b[i] ? a[i] : b[i])
EACH2(max_epu64, u64, a[i] > b[i] ? a[i] : b[i])
EACH2(min_epi64, i64, a[i] < b[i] ? a[i] : b[i])
EACH2(min_epu64, u64, a[i] < b[i] ? a[i] : b[i])
EACH2(mullo_epi64, u64, a[i] * b[i])
EACH1N(srai_epi64, i64, a[i] >> ((__u32)n > 63 ? 63 : n))
EACH1BY(sra_epi64, i64, a[i] >> (n > 63 ? 63 : (int)n))
EACH2(srav_epi64, i64, a[i] >> ((__u64)b[i] > 63 ? 63 : b[i]))
EACH2(sllv_epi16, u16, b[i] > 15 ? 0 : a[i] << b[i])
EACH2(srlv_epi16, u16, b[i] > 15 ? 0 : a[i] >> b[i])
EACH2(srav_epi16, i16, a[i] >> ((__u16)b[i] > 15 ? 15 : b[i]))
EACH1I(rol_epi32, 255, u32, a[i] << (n & 31) | a[i] >> (-n & 31))
EACH1I(ror_epi32, 255, u32, a[i] >> (n & 31) | a[i] << (-n & 31))
EACH1I(rol_epi64, 255, u64, a[i] << (n & 63) | a[i] >> (-n & 63))
EACH1I(ror_epi64, 255, u64, a[i] >> (n & 63) | a[i] << (-n & 63))
EACH2(rolv_epi32, u32, a[i] << (b[i] & 31) | a[i] >> (-b[i] & 31))
EACH2(rorv_epi32, u32, a[i] >> (b[i] & 31) | a[i] << (-b[i] & 31))
EACH2(rolv_epi64, u64, a[i] << (b[i] & 63) | a[i] >> (-b[i] & 63))
EACH2(rorv_epi64, u64, a[i] >> (b[i] & 63) | a[i] << (-b[i] & 63))
EACH1(popcnt_epi8, u8, __builtin_popcount(a[i]))
EACH1(popcnt_epi16, u16, __builtin_popcount(a[i]))
EACH1(popcnt_epi32, u32, __builtin_popcount(a[i]))
EACH1(popcnt_epi64, u64, __builtin_popcountll(a[i]))

/* Over all lanes; of two vectors the index comes first, and between those it chooses from. */
EACH2(permutexvar_epi8, u8, b[a[i] & (COUNT(u8) - 1)])
EACH2(permutexvar_epi16, u16, b[a[i] & (COUNT(u16) - 1)])
EACH3(permutex2var_epi8, u8, u8, (b[i] & COUNT(u8) ? c : a)[b[i] & (COUNT(u8) - 1)])
EACH3(permutex2var_epi16, u16, u16, (b[i] & COUNT(u16) ? c : a)[b[i] & (COUNT(u16) - 1)])
EACH3(permutex2var_epi32, u32, u32, (b[i] & COUNT(u32) ? c : a)[b[i] & (COUNT(u32) - 1)])
EACH3(permutex2var_epi64, u64, u64, (b[i] & COUNT(u64) ? c : a)[b[i] & (COUNT(u64) - 1)])
#if LIFT_WIDTH > 128
EACH2(permutexvar_epi32, u32, b[a[i] & (COUNT(u32) - 1)])
EACH2(permutexvar_epi64, u64, b[a[i] & (COUNT(u64) - 1)])
EACH1I(permutex_epi64, 255, u64, a[i / 4 * 4 + (n >> 2 * (i % 4) & 3)])
FLOAT1I(permutex_pd, 255, f64, VD, a[i / 4 * 4 + (n >> 2 * (i % 4) & 3)])
#endif
#define SHIFTED(T, j) ((j) < COUNT(T) ? b : a)[(j) & (COUNT(T) - 1)]
EACH2I(alignr_epi32, 255, u32, SHIFTED(u32, i + (n & (COUNT(u32) - 1))))
EACH2I(alignr_epi64, 255, u64, SHIFTED(u64, i + (n & (COUNT(u64) - 1))))
#undef SHIFTED

/* Fewer bits, of which the lowest are kept, or the nearest number that has so many. */
#define NARROWER(T, wide, R, narrow, W, bytes)                                          \
    NARROWED(cvtepi##wide##_epi##narrow, u##narrow, W, bytes, u##wide, a[i])            \
    NARROWED(cvtsepi##wide##_epi##narrow, i##narrow, W, bytes, i##wide,                 \
             a[i] < -(1ll << (narrow - 1)) ? -(1ll << (narrow - 1))                     \
             : a[i] > (1ll << (narrow - 1)) - 1 ? (1ll << (narrow - 1)) - 1 : a[i])     \
    NARROWED(cvtusepi##wide##_epi##narrow, u##narrow, W, bytes, u##wide,                \
             a[i] > (1ull << narrow) - 1 ? (1ull << narrow) - 1 : a[i])
NARROWER(i16, 16, i8, 8, V2, BYTES2)
NARROWER(i32, 32, i16, 16, V2, BYTES2)
NARROWER(i64, 64, i32, 32, V2, BYTES2)
NARROWER(i32, 32, i8, 8, __m128i, 16)
NARROWER(i64, 64, i16, 16, __m128i, 16)
NARROWER(i64, 64, i8, 8, __m128i, 16)
#undef NARROWER

/* Floats and integers without a sign; what there is none for is the greatest one. */
FROM1(cvtepu32_ps, f32, VF, u32, V, BYTES, (float)a[i])
FROM1(cvtps_epu32, u32, V, f32, VF, BYTES, UNSIGNED(__builtin_rintf(a[i])))
FROM1(cvttps_epu32, u32, V, f32, VF, BYTES, UNSIGNED(__builtin_truncf(a[i])))
FROM1(cvtepi64_pd, f64, VD, i64, V, BYTES, (double)a[i])
FROM1(cvtepu64_pd, f64, VD, u64, V, BYTES, (double)a[i])
FROM1(cvtpd_epi64, i64, V, f64, VD, BYTES, __rounded_pd_64(a[i]))
FROM1(cvttpd_epi64, i64, V, f64, VD, BYTES, __truncated_pd_64(a[i]))
/* The upper bits of n say how many bits behind the point are kept. */
#define KEPT(F, x, v, most)                                                             \
    ((v) * (F)(1 << (n >> 4)) < most && (v) * (F)(1 << (n >> 4)) > -most                \
     ? WHOLE_NUMBER(x, (v) * (F)(1 << (n >> 4))) / (F)(1 << (n >> 4)) : (v))
FLOAT1I(roundscale_ps, 255, f32, VF, KEPT(float, f, a[i], 8388608.0f))
FLOAT1I(roundscale_pd, 255, f64, VD, KEPT(double, , a[i], 4503599627370496.0))
#undef KEPT
#endif
