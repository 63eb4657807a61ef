// flags: -msse4.1
// Layer arithmetic on 16 bit channels.
//
// Two number ranges are in use: full range 0..65535 ("u16") and the range of the file
// format, 0..32768 with 32768 = 1.0 ("one15"). Products of the latter are shifts, which
// is why the format has it. Strides count samples.

#include <smmintrin.h>
#include <stdint.h>

#define LD(p) _mm_loadu_si128((const __m128i *)(p))
#define ST(p, v) _mm_storeu_si128((__m128i *)(p), v)

namespace deep {

// round(x / 65535) for x <= 65535 * 65535 in 32 bit lanes
static inline __m128i div65535(__m128i x)
{
    x = _mm_add_epi32(x, _mm_set1_epi32(0x8000));
    return _mm_srli_epi32(_mm_add_epi32(x, _mm_srli_epi32(x, 16)), 16);
}

static inline __m128i mulU16(__m128i a, __m128i b)
{
    const __m128i lo = _mm_mullo_epi16(a, b);
    const __m128i hi = _mm_mulhi_epu16(a, b);
    return _mm_packus_epi32(div65535(_mm_unpacklo_epi16(lo, hi)), div65535(_mm_unpackhi_epi16(lo, hi)));
}

static inline uint32_t mulU16(uint32_t a, uint32_t b)
{
    uint32_t t = a * b + 0x8000u;
    return (t + (t >> 16)) >> 16;
}

} // namespace deep

void deepMultiply(uint16_t *bot, const uint16_t *top, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8)
        ST(bot + i, deep::mulU16(LD(bot + i), LD(top + i)));
    for (; i < n; i++)
        bot[i] = uint16_t(deep::mulU16(uint32_t(bot[i]), uint32_t(top[i])));
}

void deepScreen(uint16_t *bot, int botStride, const uint16_t *top, int topStride, int width, int height)
{
    const __m128i ones = _mm_set1_epi16(-1);
    for (int y = 0; y < height; y++, bot += botStride, top += topStride) {
        int x = 0;
        for (; x <= width - 8; x += 8) {
            __m128i b = _mm_xor_si128(LD(bot + x), ones);
            __m128i t = _mm_xor_si128(LD(top + x), ones);
            ST(bot + x, _mm_xor_si128(deep::mulU16(b, t), ones));
        }
        for (; x < width; x++)
            bot[x] = uint16_t(65535 - deep::mulU16(65535u - bot[x], 65535u - top[x]));
    }
}

// Normal mode under opacity 0..65535; the sum of both products fits 32 bits exactly.
void deepNormal(uint16_t *bot, const uint16_t *top, int n, uint16_t opacity)
{
    const __m128i op = _mm_set1_epi16(short(opacity));
    const __m128i iop = _mm_xor_si128(op, _mm_set1_epi16(-1));
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i t = LD(top + i), b = LD(bot + i);
        const __m128i tl = _mm_mullo_epi16(t, op), th = _mm_mulhi_epu16(t, op);
        const __m128i bl = _mm_mullo_epi16(b, iop), bh = _mm_mulhi_epu16(b, iop);
        __m128i lo = _mm_add_epi32(_mm_unpacklo_epi16(tl, th), _mm_unpacklo_epi16(bl, bh));
        __m128i hi = _mm_add_epi32(_mm_unpackhi_epi16(tl, th), _mm_unpackhi_epi16(bl, bh));
        ST(bot + i, _mm_packus_epi32(deep::div65535(lo), deep::div65535(hi)));
    }
    for (; i < n; i++) {
        uint32_t s = uint32_t(top[i]) * opacity + uint32_t(bot[i]) * (65535u - opacity) + 0x8000u;
        bot[i] = uint16_t((s + (s >> 16)) >> 16);
    }
}

// SSE2 has no unsigned 16 bit min or max: d - sat(d - s), d + sat(s - d).
void deepDarken(uint16_t *bot, const uint16_t *top, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i b = LD(bot + i);
        ST(bot + i, _mm_sub_epi16(b, _mm_subs_epu16(b, LD(top + i))));
    }
    for (; i < n; i++)
        bot[i] = top[i] < bot[i] ? top[i] : bot[i];
}

void deepLighten(uint16_t *bot, const uint16_t *top, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i b = LD(bot + i);
        ST(bot + i, _mm_add_epi16(b, _mm_subs_epu16(LD(top + i), b)));
    }
    for (; i < n; i++)
        bot[i] = top[i] > bot[i] ? top[i] : bot[i];
}

// Linear burn, bot + top - 65535, and linear dodge in one pass for split view:
// samples left of the split get the one, the others the other. n and split are at most
// 32767, tile rows are 256.
void deepLinearSplit(uint16_t *bot, const uint16_t *top, int n, int split)
{
    const __m128i ones = _mm_set1_epi16(-1);
    const __m128i vsplit = _mm_set1_epi16(short(split));
    const __m128i step = _mm_set1_epi16(8);
    __m128i at = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i b = LD(bot + i), t = LD(top + i);
        __m128i dodge = _mm_adds_epu16(b, t);
        __m128i burn = _mm_subs_epu16(b, _mm_xor_si128(t, ones));
        ST(bot + i, _mm_blendv_epi8(dodge, burn, _mm_cmpgt_epi16(vsplit, at)));
        at = _mm_add_epi16(at, step);
    }
    for (; i < n; i++) {
        int s = bot[i] + top[i];
        if (i < split)
            bot[i] = uint16_t(s < 65535 ? 0 : s - 65535);
        else
            bot[i] = uint16_t(s > 65535 ? 65535 : s);
    }
}

// one15 product, (a * b + 0x4000) >> 15, without leaving 16 bit lanes: the high word
// gives 15 bits, the top bit of the low word the sixteenth, bit 14 the rounding.
void one15Multiply(uint16_t *bot, const uint16_t *top, int n)
{
    const __m128i bit = _mm_set1_epi16(1);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i b = LD(bot + i), t = LD(top + i);
        __m128i lo = _mm_mullo_epi16(b, t), hi = _mm_mulhi_epu16(b, t);
        __m128i q = _mm_or_si128(_mm_slli_epi16(hi, 1), _mm_srli_epi16(lo, 15));
        ST(bot + i, _mm_add_epi16(q, _mm_and_si128(_mm_srli_epi16(lo, 14), bit)));
    }
    for (; i < n; i++)
        bot[i] = uint16_t((uint32_t(bot[i]) * top[i] + 0x4000u) >> 15);
}

// u16 to one15, in place: (v * 32768 + 32767) / 65535 is (v + 1) >> 1 for all v, and
// that is what pavgw does against zero.
void one15FromU16(uint16_t *p, int n)
{
    const __m128i zero = _mm_setzero_si128();
    int i = 0;
    for (; i + 8 <= n; i += 8)
        ST(p + i, _mm_avg_epu16(LD(p + i), zero));
    for (; i < n; i++)
        p[i] = uint16_t((p[i] + 1) >> 1);
}

// RGBA 16 bit straight alpha, one pixel per vector of floats. Good enough for thumbnails,
// where the 32 bit products of the exact version were too slow on the old machines.
void deepOverStraightRGBA(uint16_t *dst, const uint16_t *src, int pixels)
{
    const __m128 scale = _mm_set1_ps(1.0f / 65535.0f);
    const __m128 one = _mm_set1_ps(1.0f);
    const __m128 full = _mm_set1_ps(65535.0f);
    for (int i = 0; i < pixels; i++, dst += 4, src += 4) {
        if (src[3] == 0)
            continue;
        __m128 s = _mm_cvtepi32_ps(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)src)));
        __m128 d = _mm_cvtepi32_ps(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)dst)));
        __m128 sa = _mm_mul_ps(_mm_shuffle_ps(s, s, 0xff), scale);
        __m128 da = _mm_mul_ps(_mm_shuffle_ps(d, d, 0xff), scale);
        __m128 rest = _mm_mul_ps(da, _mm_sub_ps(one, sa));
        __m128 a = _mm_add_ps(sa, rest);
        __m128 c = _mm_div_ps(_mm_add_ps(_mm_mul_ps(s, sa), _mm_mul_ps(d, rest)), a);
        c = _mm_blend_ps(c, _mm_mul_ps(a, full), 8);
        __m128i v = _mm_cvtps_epi32(_mm_min_ps(c, full));
        _mm_storel_epi64((__m128i *)dst, _mm_packus_epi32(v, v));
    }
}
