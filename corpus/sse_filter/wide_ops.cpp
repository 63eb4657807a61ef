// flags: -mavx2
//
// wide_ops.cpp - 256 bit versions of the inspection system's inner loops
//

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

namespace insp {

using V = __m256i;

static inline V Get(const void* p) { return _mm256_loadu_si256(static_cast<const V*>(p)); }
static inline void Put(void* p, V v) { _mm256_storeu_si256(static_cast<V*>(p), v); }

// Difference to the golden image beyond a tolerance map, 0 elsewhere.
void DefectMap(const uint8_t* img, const uint8_t* golden, const uint8_t* tolerance, uint8_t* dst,
               size_t n)
{
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const V a = Get(img + i), b = Get(golden + i);
        const V d = _mm256_or_si256(_mm256_subs_epu8(a, b), _mm256_subs_epu8(b, a));
        Put(dst + i, _mm256_subs_epu8(d, Get(tolerance + i)));
    }
    for (; i < n; ++i) {
        const int d = img[i] > golden[i] ? img[i] - golden[i] : golden[i] - img[i];
        dst[i] = static_cast<uint8_t>(d > tolerance[i] ? d - tolerance[i] : 0);
    }
}

// (1 2 1) / 4 along the row, 32 pixels at a time; one valid pixel to both sides.
void SmoothRow3(const uint8_t* src, uint8_t* dst, int n)
{
    const V ones = _mm256_set1_epi8(1);
    const V twice = _mm256_set1_epi8(2);
    const V zero = _mm256_setzero_si256();
    const V two = _mm256_set1_epi16(2);
    int i = 0;
    for (; i + 32 <= n; i += 32) {
        const V l = Get(src + i - 1), c = Get(src + i), r = Get(src + i + 1);
        // unpacking stays within the halves and so does the pack
        V lo = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(l, r), ones);
        V hi = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(l, r), ones);
        lo = _mm256_add_epi16(lo, _mm256_maddubs_epi16(_mm256_unpacklo_epi8(c, zero), twice));
        hi = _mm256_add_epi16(hi, _mm256_maddubs_epi16(_mm256_unpackhi_epi8(c, zero), twice));
        lo = _mm256_srli_epi16(_mm256_add_epi16(lo, two), 2);
        hi = _mm256_srli_epi16(_mm256_add_epi16(hi, two), 2);
        Put(dst + i, _mm256_packus_epi16(lo, hi));
    }
    for (; i < n; ++i)
        dst[i] = static_cast<uint8_t>((src[i - 1] + 2 * src[i] + src[i + 1] + 2) >> 2);
}

// Keeps labels in lo..hi, sets the others to zero; in place, masked tail.
void KeepLabels(int32_t* labels, int n, int32_t lo, int32_t hi)
{
    const V vlo = _mm256_set1_epi32(lo), vhi = _mm256_set1_epi32(hi);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const V v = Get(labels + i);
        const V out = _mm256_or_si256(_mm256_cmpgt_epi32(vlo, v), _mm256_cmpgt_epi32(v, vhi));
        Put(labels + i, _mm256_andnot_si256(out, v));
    }
    if (i < n) {
        const V live = _mm256_cmpgt_epi32(_mm256_set1_epi32(n - i),
                                          _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        const V v = _mm256_maskload_epi32(labels + i, live);
        const V out = _mm256_or_si256(_mm256_cmpgt_epi32(vlo, v), _mm256_cmpgt_epi32(v, vhi));
        _mm256_maskstore_epi32(labels + i, live, _mm256_andnot_si256(out, v));
    }
}

// Sum of 16 bit samples.
uint64_t SumU16(const uint16_t* src, size_t n)
{
    const V zero = _mm256_setzero_si256();
    V acc = zero;
    uint64_t rest = 0;
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const V v = Get(src + i);
        const V s = _mm256_add_epi32(_mm256_unpacklo_epi16(v, zero), _mm256_unpackhi_epi16(v, zero));
        acc = _mm256_add_epi64(acc, _mm256_unpacklo_epi32(s, zero));
        acc = _mm256_add_epi64(acc, _mm256_unpackhi_epi32(s, zero));
    }
    for (; i < n; ++i)
        rest += src[i];
    __m128i h = _mm_add_epi64(_mm256_castsi256_si128(acc), _mm256_extracti128_si256(acc, 1));
    h = _mm_add_epi64(h, _mm_unpackhi_epi64(h, h));
    return static_cast<uint64_t>(_mm_cvtsi128_si64(h)) + rest;
}

template <bool Minimum>
static V Pick(V a, V b)
{
    return Minimum ? _mm256_min_epu8(a, b) : _mm256_max_epu8(a, b);
}

template <bool Minimum>
static void Vertical3(const uint8_t* src, ptrdiff_t pitch, uint8_t* dst, ptrdiff_t dstPitch, int w,
                      int h)
{
    // two rows at once share the middle pair
    int y = 0;
    for (; y + 2 <= h; y += 2) {
        const uint8_t* a = src + (y - 1) * pitch;
        uint8_t* d = dst + y * dstPitch;
        int x = 0;
        for (; x + 32 <= w; x += 32) {
            const V mid = Pick<Minimum>(Get(a + pitch + x), Get(a + 2 * pitch + x));
            Put(d + x, Pick<Minimum>(mid, Get(a + x)));
            Put(d + dstPitch + x, Pick<Minimum>(mid, Get(a + 3 * pitch + x)));
        }
        for (; x < w; ++x) {
            const uint8_t p = a[pitch + x], q = a[2 * pitch + x];
            const uint8_t mid = (p < q) == Minimum ? p : q;
            const uint8_t u = a[x], v = a[3 * pitch + x];
            d[x] = (u < mid) == Minimum ? u : mid;
            d[dstPitch + x] = (v < mid) == Minimum ? v : mid;
        }
    }
    if (y < h) {
        const uint8_t* a = src + y * pitch;
        for (int x = 0; x < w; ++x) {
            uint8_t m = a[x];
            if ((a[x - pitch] < m) == Minimum)
                m = a[x - pitch];
            if ((a[x + pitch] < m) == Minimum)
                m = a[x + pitch];
            dst[y * dstPitch + x] = m;
        }
    }
}

void ErodeVertical3(const uint8_t* src, ptrdiff_t pitch, uint8_t* dst, ptrdiff_t dstPitch, int w,
                    int h)
{
    Vertical3<true>(src, pitch, dst, dstPitch, w, h);
}

void DilateVertical3(const uint8_t* src, ptrdiff_t pitch, uint8_t* dst, ptrdiff_t dstPitch, int w,
                     int h)
{
    Vertical3<false>(src, pitch, dst, dstPitch, w, h);
}

}  // namespace insp
