// flags: -msse4.1
//
// samples.cpp - conversion between sample types, imaging framework
//
// Counts are in samples; rows are packed and need no alignment.

#include <cstdint>
#include <smmintrin.h>

namespace sample {

static inline __m128i Bytes4(const uint8_t* p)
{
    int32_t v;
    __builtin_memcpy(&v, p, 4);
    return _mm_cvtepu8_epi32(_mm_cvtsi32_si128(v));
}

void U8ToFloat(const uint8_t* src, float* dst, int n, float scale, float bias)
{
    const __m128 s = _mm_set1_ps(scale), b = _mm_set1_ps(bias);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m128i v = _mm_loadu_si128((const __m128i*)(src + i));
        const __m128 f0 = _mm_cvtepi32_ps(_mm_cvtepu8_epi32(v));
        const __m128 f1 = _mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_srli_si128(v, 4)));
        const __m128 f2 = _mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_srli_si128(v, 8)));
        const __m128 f3 = _mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_srli_si128(v, 12)));
        _mm_storeu_ps(dst + i, _mm_add_ps(_mm_mul_ps(f0, s), b));
        _mm_storeu_ps(dst + i + 4, _mm_add_ps(_mm_mul_ps(f1, s), b));
        _mm_storeu_ps(dst + i + 8, _mm_add_ps(_mm_mul_ps(f2, s), b));
        _mm_storeu_ps(dst + i + 12, _mm_add_ps(_mm_mul_ps(f3, s), b));
    }
    for (; i + 4 <= n; i += 4)
        _mm_storeu_ps(dst + i, _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(Bytes4(src + i)), s), b));
    for (; i < n; ++i)
        dst[i] = static_cast<float>(src[i]) * scale + bias;
}

// Rounds half to even. |src * scale| below 2^31.
void FloatToU8(const float* src, uint8_t* dst, int n, float scale)
{
    const __m128 s = _mm_set1_ps(scale);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m128i a = _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(src + i), s));
        const __m128i b = _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(src + i + 4), s));
        const __m128i c = _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(src + i + 8), s));
        const __m128i d = _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(src + i + 12), s));
        _mm_storeu_si128((__m128i*)(dst + i),
                         _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
    }
    for (; i < n; ++i) {
        const int v = _mm_cvtss_si32(_mm_set_ss(src[i] * scale));
        dst[i] = static_cast<uint8_t>(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}

// Audio-like Q15 to -1 .. 1
void S16ToFloat(const int16_t* src, float* dst, int n)
{
    const __m128 k = _mm_set1_ps(1.0f / 32768.0f);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i v = _mm_loadu_si128((const __m128i*)(src + i));
        const __m128i lo = _mm_srai_epi32(_mm_unpacklo_epi16(v, v), 16);
        const __m128i hi = _mm_srai_epi32(_mm_unpackhi_epi16(v, v), 16);
        _mm_storeu_ps(dst + i, _mm_mul_ps(_mm_cvtepi32_ps(lo), k));
        _mm_storeu_ps(dst + i + 4, _mm_mul_ps(_mm_cvtepi32_ps(hi), k));
    }
    while (i < n) {
        dst[i] = static_cast<float>(src[i]) * (1.0f / 32768.0f);
        ++i;
    }
}

// Truncates towards zero after clamping in float.
void FloatToS16(const float* src, int16_t* dst, int n)
{
    const __m128 k = _mm_set1_ps(32768.0f);
    const __m128 lo = _mm_set1_ps(-32768.0f), hi = _mm_set1_ps(32767.0f);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128 a = _mm_mul_ps(_mm_loadu_ps(src + i), k);
        __m128 b = _mm_mul_ps(_mm_loadu_ps(src + i + 4), k);
        a = _mm_min_ps(_mm_max_ps(a, lo), hi);
        b = _mm_min_ps(_mm_max_ps(b, lo), hi);
        _mm_storeu_si128((__m128i*)(dst + i),
                         _mm_packs_epi32(_mm_cvttps_epi32(a), _mm_cvttps_epi32(b)));
    }
    for (; i < n; ++i) {
        float v = src[i] * 32768.0f;
        if (v < -32768.0f)
            v = -32768.0f;
        if (v > 32767.0f)
            v = 32767.0f;
        dst[i] = static_cast<int16_t>(v);
    }
}

// Level shift for the transform: (v - 128) * 2^shift, shift = 0..7.
void U8ToS16(const uint8_t* src, int16_t* dst, int n, int shift)
{
    const __m128i mid = _mm_set1_epi16(128);
    const __m128i cnt = _mm_cvtsi32_si128(shift);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i v = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i*)(src + i)));
        v = _mm_sll_epi16(_mm_sub_epi16(v, mid), cnt);
        _mm_storeu_si128((__m128i*)(dst + i), v);
    }
    for (; i < n; ++i)
        dst[i] = static_cast<int16_t>((src[i] - 128) * (1 << shift));
}

// And back: rounded, saturated. shift = 1..7.
void S16ToU8(const int16_t* src, uint8_t* dst, int n, int shift)
{
    const __m128i mid = _mm_set1_epi16(128);
    const __m128i round = _mm_set1_epi16(static_cast<short>(1 << (shift - 1)));
    const __m128i cnt = _mm_cvtsi32_si128(shift);

    auto eight = [&](const int16_t* p) {
        __m128i v = _mm_adds_epi16(_mm_loadu_si128((const __m128i*)p), round);
        return _mm_adds_epi16(_mm_sra_epi16(v, cnt), mid);
    };

    int i = 0;
    if (n >= 16) {
        for (; i <= n - 16; i += 16)
            _mm_storeu_si128((__m128i*)(dst + i), _mm_packus_epi16(eight(src + i), eight(src + i + 8)));
        // the last 16 once more from the end
        if (i < n)
            _mm_storeu_si128((__m128i*)(dst + n - 16),
                             _mm_packus_epi16(eight(src + n - 16), eight(src + n - 8)));
        return;
    }
    for (; i < n; ++i) {
        int v = src[i] + (1 << (shift - 1));
        if (v > 32767)
            v = 32767;
        v = (v >> shift) + 128;
        dst[i] = static_cast<uint8_t>(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}

// 16 bit gain in Q14 with saturation: gain below 65536.
void GainU16(const uint16_t* src, uint16_t* dst, int n, unsigned gain)
{
    const __m128i g = _mm_set1_epi16(static_cast<short>(gain));
    const __m128i half = _mm_set1_epi32(1 << 13);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i v = _mm_loadu_si128((const __m128i*)(src + i));
        const __m128i lo = _mm_mullo_epi16(v, g), hi = _mm_mulhi_epu16(v, g);
        __m128i a = _mm_unpacklo_epi16(lo, hi), b = _mm_unpackhi_epi16(lo, hi);
        a = _mm_srli_epi32(_mm_add_epi32(a, half), 14);
        b = _mm_srli_epi32(_mm_add_epi32(b, half), 14);
        _mm_storeu_si128((__m128i*)(dst + i), _mm_packus_epi32(a, b));
    }
    for (; i < n; ++i) {
        const uint32_t v = (src[i] * gain + (1u << 13)) >> 14;
        dst[i] = static_cast<uint16_t>(v > 65535u ? 65535u : v);
    }
}

}  // namespace sample
