/* SSSE3. */
#pragma once
#include <pmmintrin.h>
#include <lift/x86_begin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_ssse3.h>
#include <lift/x86_ssse3_pairs.h>
#include <lift/x86_width_end.h>

/* Of vectors of 64 bits. */
#define BYTES 8
#define V __m64
#define OP(name) _mm_##name
EACH1(abs_pi8, i8, a[i] < 0 ? -a[i] : a[i])
EACH1(abs_pi16, i16, a[i] < 0 ? -a[i] : a[i])
EACH1(abs_pi32, u32, (__i32)a[i] < 0 ? -a[i] : a[i])
EACH2(shuffle_pi8, u8, b[i] & 128 ? 0 : a[b[i] & 7])
LANES2(maddubs_pi16, i16, i8, SAT(i16, (__u8)a[2 * i] * b[2 * i] + (__u8)a[2 * i + 1] * b[2 * i + 1]))
EACH2(mulhrs_pi16, i16, ((a[i] * b[i] >> 14) + 1) >> 1)
EACH2(hadd_pi16, u16, (i < 2 ? a : b)[i % 2 * 2] + (i < 2 ? a : b)[i % 2 * 2 + 1])
EACH2(hadd_pi32, u32, (i ? b : a)[0] + (i ? b : a)[1])
EACH2(hadds_pi16, i16, SAT(i16, (i < 2 ? a : b)[i % 2 * 2] + (i < 2 ? a : b)[i % 2 * 2 + 1]))
EACH2(hsub_pi16, u16, (i < 2 ? a : b)[i % 2 * 2] - (i < 2 ? a : b)[i % 2 * 2 + 1])
EACH2(hsub_pi32, u32, (i ? b : a)[0] - (i ? b : a)[1])
EACH2(hsubs_pi16, i16, SAT(i16, (i < 2 ? a : b)[i % 2 * 2] - (i < 2 ? a : b)[i % 2 * 2 + 1]))
EACH2(sign_pi8, i8, b[i] < 0 ? -a[i] : b[i] ? a[i] : 0)
EACH2(sign_pi16, i16, b[i] < 0 ? -a[i] : b[i] ? a[i] : 0)
EACH2(sign_pi32, u32, (__i32)b[i] < 0 ? -a[i] : b[i] ? a[i] : 0)
#define SHIFTED(j) ((j) < 8 ? b[j] : (j) < 16 ? a[(j) - 8] : 0)
EACH2I(alignr_pi8, 255, u8, SHIFTED(i + n))
#undef SHIFTED
#undef BYTES
#undef V
#undef OP
#include <lift/x86_end.h>
