// flags: -mavx2
// AVX2 row functions of the compositor (the SSE4 set lives next door).
//
// Everything here takes unaligned rows and any length. Remember that unpack, pack and
// shuffle work inside each 128 bit half: unpacklo/hi followed by packus restores the
// order by itself, a narrowing pack alone does not and needs a permute.

#include <immintrin.h>
#include <stdint.h>

#define M256(p) reinterpret_cast<__m256i *>(p)
#define C256(p) reinterpret_cast<const __m256i *>(p)
#define C128(p) reinterpret_cast<const __m128i *>(p)

static inline __m256i div255_avx2(__m256i x)
{
    // floor((x + 128) * 257 / 65536)
    return _mm256_mulhi_epu16(_mm256_add_epi16(x, _mm256_set1_epi16(128)), _mm256_set1_epi16(257));
}

static inline uint32_t div255_u32(uint32_t x)
{
    return (x + 128) * 257 >> 16;
}

// Mask for the first n (0..8) 32 bit lanes.
static inline __m256i laneMask(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline __m256i overPixels(__m256i s, __m256i d)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i spread = _mm256_setr_epi8(3, -1, 3, -1, 3, -1, 3, -1, 7, -1, 7, -1, 7, -1, 7, -1,
                                            3, -1, 3, -1, 3, -1, 3, -1, 7, -1, 7, -1, 7, -1, 7, -1);
    const __m256i spreadHi = _mm256_setr_epi8(11, -1, 11, -1, 11, -1, 11, -1, 15, -1, 15, -1, 15, -1, 15, -1,
                                              11, -1, 11, -1, 11, -1, 11, -1, 15, -1, 15, -1, 15, -1, 15, -1);
    __m256i is = _mm256_xor_si256(s, _mm256_set1_epi32(-1));
    __m256i lo = _mm256_mullo_epi16(_mm256_unpacklo_epi8(d, zero), _mm256_shuffle_epi8(is, spread));
    __m256i hi = _mm256_mullo_epi16(_mm256_unpackhi_epi8(d, zero), _mm256_shuffle_epi8(is, spreadHi));
    return _mm256_adds_epu8(s, _mm256_packus_epi16(div255_avx2(lo), div255_avx2(hi)));
}

// Premultiplied source over; the end of the row goes through masked loads and stores.
void rowOver_avx2(uint32_t *dst, const uint32_t *src, int n)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i s = _mm256_loadu_si256(C256(src + i));
        if (_mm256_testz_si256(s, s))
            continue;
        _mm256_storeu_si256(M256(dst + i), overPixels(s, _mm256_loadu_si256(C256(dst + i))));
    }
    if (i < n) {
        const __m256i m = laneMask(n - i);
        __m256i s = _mm256_maskload_epi32(reinterpret_cast<const int *>(src + i), m);
        __m256i d = _mm256_maskload_epi32(reinterpret_cast<const int *>(dst + i), m);
        _mm256_maskstore_epi32(reinterpret_cast<int *>(dst + i), m, overPixels(s, d));
    }
}

// XRGB8888 to RGB565. packus_epi32 leaves the quarters as 0 2 1 3.
void rowTo565_avx2(uint16_t *dst, const uint32_t *src, int n)
{
    const __m256i r = _mm256_set1_epi32(0xf800);
    const __m256i g = _mm256_set1_epi32(0x07e0);
    const __m256i b = _mm256_set1_epi32(0x001f);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m256i p = _mm256_loadu_si256(C256(src + i));
        __m256i q = _mm256_loadu_si256(C256(src + i + 8));
        p = _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(p, 8), r),
                                            _mm256_and_si256(_mm256_srli_epi32(p, 5), g)),
                            _mm256_and_si256(_mm256_srli_epi32(p, 3), b));
        q = _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(q, 8), r),
                                            _mm256_and_si256(_mm256_srli_epi32(q, 5), g)),
                            _mm256_and_si256(_mm256_srli_epi32(q, 3), b));
        __m256i v = _mm256_permute4x64_epi64(_mm256_packus_epi32(p, q), _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_storeu_si256(M256(dst + i), v);
    }
    for (; i < n; ++i)
        dst[i] = uint16_t((src[i] >> 8 & 0xf800) | (src[i] >> 5 & 0x07e0) | (src[i] >> 3 & 0x001f));
}

// Alpha plane of 32 pixels at a time; two packs scramble the dwords to 0 4 1 5 2 6 3 7.
void rowAlpha_avx2(uint8_t *alpha, const uint32_t *src, int n)
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    for (; n >= 32; n -= 32, src += 32, alpha += 32) {
        __m256i a = _mm256_srli_epi32(_mm256_loadu_si256(C256(src)), 24);
        __m256i b = _mm256_srli_epi32(_mm256_loadu_si256(C256(src + 8)), 24);
        __m256i c = _mm256_srli_epi32(_mm256_loadu_si256(C256(src + 16)), 24);
        __m256i d = _mm256_srli_epi32(_mm256_loadu_si256(C256(src + 24)), 24);
        a = _mm256_packs_epi32(a, b);
        c = _mm256_packs_epi32(c, d);
        a = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(a, c), order);
        _mm256_storeu_si256(M256(alpha), a);
    }
    while (n-- > 0)
        *alpha++ = uint8_t(*src++ >> 24);
}

// Planar R, G, B, A to ARGB words; permute first, so that the unpacks come out in order.
void rowInterleave_avx2(uint32_t *dst, const uint8_t *r, const uint8_t *g, const uint8_t *b,
                        const uint8_t *a, int n)
{
    int i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i vb = _mm256_permute4x64_epi64(_mm256_loadu_si256(C256(b + i)), 0xd8);
        __m256i vg = _mm256_permute4x64_epi64(_mm256_loadu_si256(C256(g + i)), 0xd8);
        __m256i vr = _mm256_permute4x64_epi64(_mm256_loadu_si256(C256(r + i)), 0xd8);
        __m256i va = _mm256_permute4x64_epi64(_mm256_loadu_si256(C256(a + i)), 0xd8);
        __m256i bg0 = _mm256_unpacklo_epi8(vb, vg), bg1 = _mm256_unpackhi_epi8(vb, vg);
        __m256i ra0 = _mm256_unpacklo_epi8(vr, va), ra1 = _mm256_unpackhi_epi8(vr, va);
        __m256i p0 = _mm256_unpacklo_epi16(bg0, ra0), p1 = _mm256_unpackhi_epi16(bg0, ra0);
        __m256i p2 = _mm256_unpacklo_epi16(bg1, ra1), p3 = _mm256_unpackhi_epi16(bg1, ra1);
        _mm256_storeu_si256(M256(dst + i), _mm256_permute2x128_si256(p0, p1, 0x20));
        _mm256_storeu_si256(M256(dst + i + 8), _mm256_permute2x128_si256(p0, p1, 0x31));
        _mm256_storeu_si256(M256(dst + i + 16), _mm256_permute2x128_si256(p2, p3, 0x20));
        _mm256_storeu_si256(M256(dst + i + 24), _mm256_permute2x128_si256(p2, p3, 0x31));
    }
    for (; i < n; ++i)
        dst[i] = uint32_t(a[i]) << 24 | uint32_t(r[i]) << 16 | uint32_t(g[i]) << 8 | b[i];
}

// Cross-fade of two planes by weight 0..256 with vpmaddubsw on interleaved bytes. The
// weights are cut to 7 bits to fit a signed byte and sum to 127, white loses a level or two.
void rowCrossFade_avx2(uint8_t *dst, const uint8_t *a, const uint8_t *b, int n, int weight)
{
    const int wb = weight >> 1, wa = 127 - (wb > 127 ? 127 : wb);
    const int wbc = 127 - wa;
    const __m256i w = _mm256_set1_epi16(short(wbc << 8 | wa));
    const __m256i round = _mm256_set1_epi16(64);
    int i = 0;
    if (n >= 32) {
        for (;;) {
            __m256i va = _mm256_loadu_si256(C256(a + i));
            __m256i vb = _mm256_loadu_si256(C256(b + i));
            __m256i lo = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(va, vb), w);
            __m256i hi = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(va, vb), w);
            lo = _mm256_srli_epi16(_mm256_add_epi16(lo, round), 7);
            hi = _mm256_srli_epi16(_mm256_add_epi16(hi, round), 7);
            _mm256_storeu_si256(M256(dst + i), _mm256_packus_epi16(lo, hi));
            if (i + 32 == n)
                return;
            // dst never is a or b here, so the last vector may overlap the one before
            i = i + 64 <= n ? i + 32 : n - 32;
        }
    }
    for (; i < n; ++i)
        dst[i] = uint8_t((a[i] * wa + b[i] * wbc + 64) >> 7);
}

// Any 8 bit mode through its 256 x 256 table, four bytes a dword, eight gathers a turn.
// The table has three spare bytes behind its end, as a gather reads whole dwords.
void rowTableMode_avx2(uint8_t *bot, const uint8_t *top, int n, const uint8_t *table)
{
    const __m256i low = _mm256_set1_epi32(0xff);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i t = _mm256_cvtepu8_epi32(_mm_loadl_epi64(C128(top + i)));
        __m256i b = _mm256_cvtepu8_epi32(_mm_loadl_epi64(C128(bot + i)));
        __m256i at = _mm256_or_si256(_mm256_slli_epi32(t, 8), b);
        __m256i v = _mm256_i32gather_epi32(reinterpret_cast<const int *>(table), at, 1);
        v = _mm256_and_si256(v, low);
        __m128i h = _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        _mm_storel_epi64(reinterpret_cast<__m128i *>(bot + i), _mm_packus_epi16(h, h));
    }
    for (; i < n; ++i)
        bot[i] = table[top[i] << 8 | bot[i]];
}

// Grey layer (one byte) with opacity onto four channels, alpha of dst untouched.
void rowGreyMultiply_avx2(uint32_t *dst, const uint8_t *grey, int n, int opacity)
{
    const __m256i op = _mm256_set1_epi32(opacity);
    const __m256i k255 = _mm256_set1_epi32(255);
    const __m256i alpha = _mm256_set1_epi32(int(0xff000000u));
    const __m256i evens = _mm256_set1_epi32(0x00ff00ff);
    const __m256i k128 = _mm256_set1_epi32(128);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        // factor = 255 - (255 - grey) * opacity / 255
        __m256i f = _mm256_sub_epi32(k255, _mm256_cvtepu8_epi32(_mm_loadl_epi64(C128(grey + i))));
        f = _mm256_add_epi32(_mm256_mullo_epi32(f, op), k128);
        f = _mm256_srli_epi32(_mm256_add_epi32(f, _mm256_srli_epi32(f, 8)), 8);
        f = _mm256_sub_epi32(k255, f);
        f = _mm256_or_si256(f, _mm256_slli_epi32(f, 16));

        const __m256i d = _mm256_loadu_si256(C256(dst + i));
        __m256i rb = div255_avx2(_mm256_mullo_epi16(_mm256_and_si256(d, evens), f));
        __m256i ag = div255_avx2(_mm256_mullo_epi16(_mm256_srli_epi16(d, 8), f));
        __m256i v = _mm256_or_si256(rb, _mm256_slli_epi16(ag, 8));
        _mm256_storeu_si256(M256(dst + i), _mm256_blendv_epi8(v, d, alpha));
    }
    for (; i < n; ++i) {
        uint32_t f = 255 - div255_u32((255u - grey[i]) * uint32_t(opacity)), d = dst[i];
        dst[i] = (d & 0xff000000u) | div255_u32((d >> 16 & 255) * f) << 16 |
                 div255_u32((d >> 8 & 255) * f) << 8 | div255_u32((d & 255) * f);
    }
}

// 16 bit samples: dst = dst + (src - dst) * w / 32768 by vpmulhrsw, signed 15 bit data.
void rowLerp15_avx2(int16_t *dst, const int16_t *src, int n, int16_t w)
{
    const __m256i vw = _mm256_set1_epi16(w);
    int i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i d0 = _mm256_loadu_si256(C256(dst + i)), d1 = _mm256_loadu_si256(C256(dst + i + 16));
        __m256i s0 = _mm256_loadu_si256(C256(src + i)), s1 = _mm256_loadu_si256(C256(src + i + 16));
        d0 = _mm256_add_epi16(d0, _mm256_mulhrs_epi16(_mm256_subs_epi16(s0, d0), vw));
        d1 = _mm256_add_epi16(d1, _mm256_mulhrs_epi16(_mm256_subs_epi16(s1, d1), vw));
        _mm256_storeu_si256(M256(dst + i), d0);
        _mm256_storeu_si256(M256(dst + i + 16), d1);
    }
    for (; i + 8 <= n; i += 8) {
        __m128i d = _mm_loadu_si128(C128(dst + i));
        d = _mm_add_epi16(d, _mm_mulhrs_epi16(_mm_subs_epi16(_mm_loadu_si128(C128(src + i)), d), _mm256_castsi256_si128(vw)));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(dst + i), d);
    }
    for (; i < n; ++i) {
        int e = src[i] - dst[i];
        e = e < -32768 ? -32768 : e > 32767 ? 32767 : e;
        dst[i] = int16_t(dst[i] + ((e * w + 0x4000) >> 15));
    }
}
