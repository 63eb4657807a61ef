/* MMX: vectors of 64 bits. */
#pragma once
#include <lift/x86_vectors.h>
#include <lift/x86_begin.h>
#define BYTES 8
#define V __m64
#define OP(name) _mm_##name
EACH2(add_pi8, u8, a[i] + b[i])
EACH2(add_pi16, u16, a[i] + b[i])
EACH2(add_pi32, u32, a[i] + b[i])
EACH2(sub_pi8, u8, a[i] - b[i])
EACH2(sub_pi16, u16, a[i] - b[i])
EACH2(sub_pi32, u32, a[i] - b[i])
EACH2(adds_pi8, i8, SAT(i8, a[i] + b[i]))
EACH2(adds_pi16, i16, SAT(i16, a[i] + b[i]))
EACH2(adds_pu8, u8, SAT(u8, a[i] + b[i]))
EACH2(adds_pu16, u16, SAT(u16, a[i] + b[i]))
EACH2(subs_pi8, i8, SAT(i8, a[i] - b[i]))
EACH2(subs_pi16, i16, SAT(i16, a[i] - b[i]))
EACH2(subs_pu8, u8, SAT(u8, a[i] - b[i]))
EACH2(subs_pu16, u16, SAT(u16, a[i] - b[i]))
EACH2(mullo_pi16, i16, a[i] * b[i])
EACH2(mulhi_pi16, i16, a[i] * b[i] >> 16)
LANES2(madd_pi16, u32, i16,
       (__u32)(a[2 * i] * b[2 * i]) + (__u32)(a[2 * i + 1] * b[2 * i + 1]))
EACH2(cmpeq_pi8, u8, a[i] == b[i] ? -1 : 0)
EACH2(cmpeq_pi16, u16, a[i] == b[i] ? -1 : 0)
EACH2(cmpeq_pi32, u32, a[i] == b[i] ? -1 : 0)
EACH2(cmpgt_pi8, i8, a[i] > b[i] ? -1 : 0)
EACH2(cmpgt_pi16, i16, a[i] > b[i] ? -1 : 0)
EACH2(cmpgt_pi32, i32, a[i] > b[i] ? -1 : 0)
EACH2(unpacklo_pi8, u8, (i & 1 ? b : a)[i / 2])
EACH2(unpacklo_pi16, u16, (i & 1 ? b : a)[i / 2])
EACH2(unpacklo_pi32, u32, (i & 1 ? b : a)[0])
EACH2(unpackhi_pi8, u8, (i & 1 ? b : a)[4 + i / 2])
EACH2(unpackhi_pi16, u16, (i & 1 ? b : a)[2 + i / 2])
EACH2(unpackhi_pi32, u32, (i & 1 ? b : a)[1])
LANES2(packs_pi16, i8, i16, SAT(i8, (i < 4 ? a : b)[i % 4]))
LANES2(packs_pu16, u8, i16, SAT(u8, (i < 4 ? a : b)[i % 4]))
LANES2(packs_pi32, i16, i32, SAT(i16, (i < 2 ? a : b)[i % 2]))
EACH1N(slli_pi16, u16, (__u32)n > 15 ? 0 : a[i] << n)
EACH1N(slli_pi32, u32, (__u32)n > 31 ? 0 : a[i] << n)
EACH1N(slli_si64, u64, (__u32)n > 63 ? 0 : a[i] << n)
EACH1N(srli_pi16, u16, (__u32)n > 15 ? 0 : a[i] >> n)
EACH1N(srli_pi32, u32, (__u32)n > 31 ? 0 : a[i] >> n)
EACH1N(srli_si64, u64, (__u32)n > 63 ? 0 : a[i] >> n)
EACH1N(srai_pi16, i16, a[i] >> ((__u32)n > 15 ? 15 : n))
EACH1N(srai_pi32, i32, a[i] >> ((__u32)n > 31 ? 31 : n))
#define BY(op, T, ...)                                                    \
    LIFT_FUNCTION V OP(op)(V a_, V n_)                                    \
    { const __u64 n = ((OF(u64, 8))n_)[0]; SEE(T, a) LIFT_RESULT(T, V, __VA_ARGS__) }
BY(sll_pi16, u16, n > 15 ? 0 : a[i] << n)
BY(sll_pi32, u32, n > 31 ? 0 : a[i] << n)
BY(sll_si64, u64, n > 63 ? 0 : a[i] << n)
BY(srl_pi16, u16, n > 15 ? 0 : a[i] >> n)
BY(srl_pi32, u32, n > 31 ? 0 : a[i] >> n)
BY(srl_si64, u64, n > 63 ? 0 : a[i] >> n)
BY(sra_pi16, i16, a[i] >> (n > 15 ? 15 : (int)n))
BY(sra_pi32, i32, a[i] >> (n > 31 ? 31 : (int)n))
#undef BY
SET1(set1_pi8, i8, char)
SET1(set1_pi16, i16, short)
SET1(set1_pi32, i32, int)
#undef BYTES
#undef V
#undef OP
LIFT_FUNCTION __m64 _mm_and_si64(__m64 a, __m64 b) { return a & b; }
LIFT_FUNCTION __m64 _mm_or_si64(__m64 a, __m64 b) { return a | b; }
LIFT_FUNCTION __m64 _mm_xor_si64(__m64 a, __m64 b) { return a ^ b; }
LIFT_FUNCTION __m64 _mm_andnot_si64(__m64 a, __m64 b) { return ~a & b; }
LIFT_FUNCTION __m64 _mm_setzero_si64(void) { const __m64 zero = {0}; return zero; }
LIFT_FUNCTION __m64 _mm_cvtsi32_si64(int v) { const OF(i32, 8) r = {v, 0}; return (__m64)r; }
LIFT_FUNCTION int _mm_cvtsi64_si32(__m64 v) { return ((OF(i32, 8))v)[0]; }
LIFT_FUNCTION __m64 _mm_cvtsi64_m64(long long v) { const __m64 r = {v}; return r; }
LIFT_FUNCTION long long _mm_cvtm64_si64(__m64 v) { return v[0]; }
LIFT_FUNCTION __m64 _mm_set_pi32(int b, int a) { const OF(i32, 8) r = {a, b}; return (__m64)r; }
LIFT_FUNCTION __m64 _mm_setr_pi32(int a, int b) { const OF(i32, 8) r = {a, b}; return (__m64)r; }
LIFT_FUNCTION __m64 _mm_set_pi16(short d, short c, short b, short a) { const OF(i16, 8) r = {a, b, c, d}; return (__m64)r; }
LIFT_FUNCTION __m64 _mm_setr_pi16(short a, short b, short c, short d) { const OF(i16, 8) r = {a, b, c, d}; return (__m64)r; }
LIFT_FUNCTION __m64 _mm_set_pi8(char h, char g, char f, char e, char d, char c, char b, char a)
{
    const OF(i8, 8) r = {a, b, c, d, e, f, g, h};
    return (__m64)r;
}
LIFT_FUNCTION __m64 _mm_setr_pi8(char a, char b, char c, char d, char e, char f, char g, char h)
{
    const OF(i8, 8) r = {a, b, c, d, e, f, g, h};
    return (__m64)r;
}
LIFT_FUNCTION void _mm_empty(void) {}
#include <lift/x86_end.h>
