// flags: -mavx2
//
// scaler.cpp - image scaling of the widget toolkit
//
// bytesPerLine as in the image class: any value >= the row, lines need no alignment.

#include <cstdint>
#include <cstring>
#include <immintrin.h>

#define LOAD(p) _mm_loadu_si128(reinterpret_cast<const __m128i *>(p))
#define STORE(p, v) _mm_storeu_si128(reinterpret_cast<__m128i *>(p), v)

// 2x2 box on 8 bit grey, dst is (w / 2) x (h / 2). Averages of averages, so the result may be one
// too bright; the thumbnails never cared.
void halveGrey(const uint8_t *src, int srcBytesPerLine, uint8_t *dst, int dstBytesPerLine, int w,
               int h)
{
    const __m128i mask = _mm_set1_epi16(0x00ff);
    const int dw = w / 2, dh = h / 2;
    for (int y = 0; y < dh; ++y) {
        const uint8_t *a = src + 2 * y * srcBytesPerLine;
        const uint8_t *b = a + srcBytesPerLine;
        uint8_t *d = dst + y * dstBytesPerLine;
        int x = 0;
        for (; x + 16 <= dw; x += 16, a += 32, b += 32) {
            const __m128i v0 = _mm_avg_epu8(LOAD(a), LOAD(b));
            const __m128i v1 = _mm_avg_epu8(LOAD(a + 16), LOAD(b + 16));
            const __m128i s0 = _mm_avg_epu16(_mm_and_si128(v0, mask), _mm_srli_epi16(v0, 8));
            const __m128i s1 = _mm_avg_epu16(_mm_and_si128(v1, mask), _mm_srli_epi16(v1, 8));
            STORE(d + x, _mm_packus_epi16(s0, s1));
        }
        for (; x < dw; ++x, a += 2, b += 2) {
            const int l = (a[0] + b[0] + 1) >> 1, r = (a[1] + b[1] + 1) >> 1;
            d[x] = static_cast<uint8_t>((l + r + 1) >> 1);
        }
    }
}

// 2x2 box on premultiplied ARGB32, exact.
void halveArgb32(const uint32_t *src, int srcBytesPerLine, uint32_t *dst, int dstBytesPerLine,
                 int dw, int dh)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i two = _mm_set1_epi16(2);
    const uint8_t *line = reinterpret_cast<const uint8_t *>(src);
    uint8_t *out = reinterpret_cast<uint8_t *>(dst);

    while (dh-- > 0) {
        const uint8_t *a = line;
        const uint8_t *b = line + srcBytesPerLine;
        uint8_t *d = out;
        int n = dw;
        for (; n >= 2; n -= 2, a += 16, b += 16, d += 8) {
            const __m128i va = LOAD(a), vb = LOAD(b);
            const __m128i lo = _mm_add_epi16(_mm_unpacklo_epi8(va, zero), _mm_unpacklo_epi8(vb, zero));
            const __m128i hi = _mm_add_epi16(_mm_unpackhi_epi8(va, zero), _mm_unpackhi_epi8(vb, zero));
            __m128i s = _mm_add_epi16(_mm_unpacklo_epi64(lo, hi), _mm_unpackhi_epi64(lo, hi));
            s = _mm_srli_epi16(_mm_add_epi16(s, two), 2);
            _mm_storel_epi64(reinterpret_cast<__m128i *>(d), _mm_packus_epi16(s, s));
        }
        if (n)
            for (int c = 0; c < 4; ++c)
                d[c] = static_cast<uint8_t>((a[c] + a[c + 4] + b[c] + b[c + 4] + 2) >> 2);
        line += 2 * srcBytesPerLine;
        out += dstBytesPerLine;
    }
}

// One line, 16.16 positions. The source has a pixel behind the last position.
void stretchLineArgb32(const uint32_t *src, uint32_t *dst, int n, uint32_t fx, uint32_t step)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i half = _mm_set1_epi16(128);
    for (int i = 0; i < n; ++i, fx += step) {
        const int f = (fx >> 8) & 255;
        const __m128i two = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(src + (fx >> 16)));
        const __m128i p = _mm_unpacklo_epi8(two, zero);
        const __m128i wl = _mm_set1_epi16(static_cast<short>(256 - f));
        const __m128i wr = _mm_set1_epi16(static_cast<short>(f));
        __m128i v = _mm_mullo_epi16(p, _mm_unpacklo_epi64(wl, wr));
        v = _mm_add_epi16(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2)));
        v = _mm_srli_epi16(_mm_add_epi16(v, half), 8);
        dst[i] = static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_packus_epi16(v, zero)));
    }
}

// dst = a + (b - a) * f / 256 with f = 0..255
void mixLines(const uint8_t *a, const uint8_t *b, uint8_t *dst, int bytes, int f)
{
    const __m256i vf = _mm256_set1_epi16(static_cast<short>(f << 7));
    int i = 0;
    for (; i + 16 <= bytes; i += 16) {
        const __m256i va = _mm256_cvtepu8_epi16(LOAD(a + i));
        const __m256i vb = _mm256_cvtepu8_epi16(LOAD(b + i));
        const __m256i v = _mm256_add_epi16(va, _mm256_mulhrs_epi16(_mm256_sub_epi16(vb, va), vf));
        const __m256i packed = _mm256_packus_epi16(v, v);
        STORE(dst + i, _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08)));
    }
    for (; i < bytes; ++i)
        dst[i] = static_cast<uint8_t>(a[i] + (((b[i] - a[i]) * f + 128) >> 8));
}

// rows[t] point to lines of `bytes` bytes, weights are Q14 and positive or negative.
void resampleVertical(const uint8_t *const *rows, const int16_t *weights, int taps, uint8_t *dst,
                      int bytes)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i round = _mm_set1_epi32(1 << 13);
    int x = 0;
    for (; x + 8 <= bytes; x += 8) {
        __m128i lo = round, hi = round;
        int t = 0;
        for (; t + 2 <= taps; t += 2) {
            int32_t both;
            memcpy(&both, weights + t, sizeof both);
            const __m128i k = _mm_set1_epi32(both);
            const __m128i r0 = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(rows[t] + x));
            const __m128i r1 = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(rows[t + 1] + x));
            const __m128i mixed = _mm_unpacklo_epi8(r0, r1);
            lo = _mm_add_epi32(lo, _mm_madd_epi16(_mm_unpacklo_epi8(mixed, zero), k));
            hi = _mm_add_epi32(hi, _mm_madd_epi16(_mm_unpackhi_epi8(mixed, zero), k));
        }
        if (t < taps) {
            const __m128i k = _mm_set1_epi32(static_cast<uint16_t>(weights[t]));
            const __m128i r = _mm_unpacklo_epi8(
                _mm_loadl_epi64(reinterpret_cast<const __m128i *>(rows[t] + x)), zero);
            lo = _mm_add_epi32(lo, _mm_madd_epi16(_mm_unpacklo_epi16(r, zero), k));
            hi = _mm_add_epi32(hi, _mm_madd_epi16(_mm_unpackhi_epi16(r, zero), k));
        }
        lo = _mm_srai_epi32(lo, 14);
        hi = _mm_srai_epi32(hi, 14);
        lo = _mm_packs_epi32(lo, hi);
        _mm_storel_epi64(reinterpret_cast<__m128i *>(dst + x), _mm_packus_epi16(lo, lo));
    }
    for (; x < bytes; ++x) {
        int s = 1 << 13;
        for (int t = 0; t < taps; ++t)
            s += rows[t][x] * weights[t];
        s >>= 14;
        dst[x] = static_cast<uint8_t>(s < 0 ? 0 : s > 255 ? 255 : s);
    }
}

// Nearest neighbour, positions fx, fx + step, ... in 16.16; below 32768 source pixels.
void nearestLineArgb32(const uint32_t *src, uint32_t *dst, int n, int fx, int step)
{
    __m256i pos = _mm256_add_epi32(
        _mm256_set1_epi32(fx),
        _mm256_mullo_epi32(_mm256_set1_epi32(step), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
    const __m256i step8 = _mm256_slli_epi32(_mm256_set1_epi32(step), 3);
    int i = 0;
    for (; i <= n - 8; i += 8) {
        const __m256i idx = _mm256_srai_epi32(pos, 16);
        const __m256i px = _mm256_i32gather_epi32(reinterpret_cast<const int *>(src), idx, 4);
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(dst + i), px);
        pos = _mm256_add_epi32(pos, step8);
    }
    for (int p = fx + i * step; i < n; ++i, p += step)
        dst[i] = src[p >> 16];
}

// Four taps per output pixel; left[i] is the first source sample, taps are stored 4 by 4.
void resampleRowFloat4(const float *src, const int32_t *left, const float *taps, float *dst, int n)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m128 a = _mm_dp_ps(_mm_loadu_ps(src + left[i]), _mm_loadu_ps(taps + 4 * i), 0xf1);
        const __m128 b =
            _mm_dp_ps(_mm_loadu_ps(src + left[i + 1]), _mm_loadu_ps(taps + 4 * i + 4), 0xf2);
        const __m128 c =
            _mm_dp_ps(_mm_loadu_ps(src + left[i + 2]), _mm_loadu_ps(taps + 4 * i + 8), 0xf4);
        const __m128 d =
            _mm_dp_ps(_mm_loadu_ps(src + left[i + 3]), _mm_loadu_ps(taps + 4 * i + 12), 0xf8);
        _mm_storeu_ps(dst + i, _mm_or_ps(_mm_or_ps(a, b), _mm_or_ps(c, d)));
    }
    for (; i < n; ++i) {
        const __m128 a = _mm_dp_ps(_mm_loadu_ps(src + left[i]), _mm_loadu_ps(taps + 4 * i), 0xf1);
        _mm_store_ss(dst + i, a);
    }
}
