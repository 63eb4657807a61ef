// flags: -mavx2
/*
 * lookups.cpp - table look-ups and bit packing of the print/scan pipeline
 *
 * Bilevel rows hold the leftmost pixel in bit 7.
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define VLOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define VSTORE(p, v) _mm_storeu_si128((__m128i *)(p), (v))

/* 4 bit scanner data (high nibble first) to 8 bit through a palette of 16 levels. */
void ps_expand4_lut(const uint8_t *src, uint8_t *dst, int pixels, const uint8_t *lut)
{
    const __m128i table = VLOAD(lut);
    const __m128i nib = _mm_set1_epi8(15);
    int i = 0;
    for (; i + 32 <= pixels; i += 32) {
        __m128i v = VLOAD(src + i / 2);
        __m128i hi = _mm_shuffle_epi8(table, _mm_and_si128(_mm_srli_epi16(v, 4), nib));
        __m128i lo = _mm_shuffle_epi8(table, _mm_and_si128(v, nib));
        VSTORE(dst + i, _mm_unpacklo_epi8(hi, lo));
        VSTORE(dst + i + 16, _mm_unpackhi_epi8(hi, lo));
    }
    for (; i < pixels; i++)
        dst[i] = lut[(i & 1) ? src[i / 2] & 15 : src[i / 2] >> 4];
}

/* Ink coverage: set bits of a bilevel row. */
uint32_t ps_count_ink(const uint8_t *row, int bytes)
{
    static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const __m128i table = VLOAD(bits);
    const __m128i nib = _mm_set1_epi8(15);
    __m128i total = _mm_setzero_si128();
    uint32_t n;
    int i = 0;
    for (; i + 16 <= bytes; i += 16) {
        __m128i v = VLOAD(row + i);
        __m128i c = _mm_add_epi8(_mm_shuffle_epi8(table, _mm_and_si128(v, nib)),
                                 _mm_shuffle_epi8(table, _mm_and_si128(_mm_srli_epi16(v, 4), nib)));
        total = _mm_add_epi64(total, _mm_sad_epu8(c, _mm_setzero_si128()));
    }
    n = (uint32_t)_mm_extract_epi32(total, 0) + (uint32_t)_mm_extract_epi32(total, 2);
    for (; i < bytes; i++)
        n += bits[row[i] & 15] + bits[row[i] >> 4];
    return n;
}

/* Bilevel to 8 bit: set bits become `on`, clear bits `off`. */
void ps_bits_to_bytes(const uint8_t *src, uint8_t *dst, int pixels, uint8_t on, uint8_t off)
{
    const __m128i spread = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const __m128i bit = _mm_set1_epi64x(0x0102040810204080LL);
    const __m128i von = _mm_set1_epi8((char)on);
    const __m128i voff = _mm_set1_epi8((char)off);
    int i;
    for (i = 0; i + 16 <= pixels; i += 16) {
        uint16_t w;
        __m128i v;
        memcpy(&w, src + (i >> 3), 2);
        v = _mm_shuffle_epi8(_mm_cvtsi32_si128(w), spread);
        v = _mm_cmpeq_epi8(_mm_and_si128(v, bit), bit);
        VSTORE(dst + i, _mm_blendv_epi8(voff, von, v));
    }
    for (; i < pixels; i++)
        dst[i] = (src[i >> 3] & (0x80 >> (i & 7))) ? on : off;
}

/*
 * 8 bit to bilevel: pixels darker than `level` give ink. The last byte is filled up with
 * zeros.
 */
void ps_bytes_to_bits(const uint8_t *src, uint8_t *dst, int pixels, int level)
{
    const __m128i mirror = _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    const __m128i lv = _mm_set1_epi8((char)level);
    int i = 0;
    for (; i + 16 <= pixels; i += 16) {
        __m128i v = VLOAD(src + i);
        /* v >= level, then inverted */
        __m128i ge = _mm_cmpeq_epi8(_mm_max_epu8(v, lv), v);
        int m = ~_mm_movemask_epi8(_mm_shuffle_epi8(ge, mirror));
        *dst++ = (uint8_t)m;
        *dst++ = (uint8_t)(m >> 8);
    }
    while (i < pixels) {
        int acc = 0, b;
        for (b = 0; b < 8; b++, i++)
            acc = (acc << 1) | (i < pixels && src[i] < level);
        *dst++ = (uint8_t)acc;
    }
}

/* 256 entry curve held in 16 registers' worth of table; the tail indexes. */
void ps_curve8(const uint8_t *src, uint8_t *dst, int n, const uint8_t *curve)
{
    const __m128i k16 = _mm_set1_epi8(16);
    const __m128i k70 = _mm_set1_epi8(0x70);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i idx = VLOAD(src + i);
        __m128i out = _mm_setzero_si128();
        for (int t = 0; t < 16; t++) {
            /* indices of other segments get bit 7 and read as zero */
            __m128i sel = _mm_adds_epu8(idx, k70);
            out = _mm_or_si128(out, _mm_shuffle_epi8(VLOAD(curve + 16 * t), sel));
            idx = _mm_sub_epi8(idx, k16);
        }
        VSTORE(dst + i, out);
    }
    for (; i < n; i++)
        dst[i] = curve[src[i]];
}

/* 12 bit sensor values through a curve of 4096 words; stray high bits are ignored. */
void ps_curve12(const uint16_t *src, uint16_t *dst, int n, const int32_t *curve)
{
    const __m256i top = _mm256_set1_epi32(0xfff);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m256i a = _mm256_and_si256(_mm256_cvtepu16_epi32(VLOAD(src + i)), top);
        __m256i b = _mm256_and_si256(_mm256_cvtepu16_epi32(VLOAD(src + i + 8)), top);
        a = _mm256_i32gather_epi32(curve, a, 4);
        b = _mm256_i32gather_epi32(curve, b, 4);
        /* the pack works inside of the halves */
        a = _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8);
        _mm256_storeu_si256((__m256i *)(dst + i), a);
    }
    for (; i < n; i++) {
        int32_t v = curve[src[i] & 0xfff];
        dst[i] = (uint16_t)(v < 0 ? 0 : v > 65535 ? 65535 : v);
    }
}

/* RAW10 (four high bytes, then the low bits of all four) to 8 bit; pixels is a multiple of 4. */
void ps_raw10_to_8(const uint8_t *src, uint8_t *dst, int pixels)
{
    const __m128i pick = _mm_setr_epi8(0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13, -1, -1, -1, -1);
    /* 12 pixels from 15 bytes; 16 are read and written, so one more group has to follow */
    while (pixels >= 16) {
        VSTORE(dst, _mm_shuffle_epi8(VLOAD(src), pick));
        src += 15;
        dst += 12;
        pixels -= 12;
    }
    for (; pixels >= 4; pixels -= 4) {
        memcpy(dst, src, 4);
        src += 5;
        dst += 4;
    }
}

/* RAW10 to words: the multiplication moves each pair of low bits to the same place. */
void ps_raw10_to_16(const uint8_t *src, uint16_t *dst, int pixels)
{
    const __m128i high = _mm_setr_epi8(-1, 0, -1, 1, -1, 2, -1, 3, -1, 5, -1, 6, -1, 7, -1, 8);
    const __m128i low = _mm_setr_epi8(4, -1, 4, -1, 4, -1, 4, -1, 9, -1, 9, -1, 9, -1, 9, -1);
    const __m128i up = _mm_setr_epi16(64, 16, 4, 1, 64, 16, 4, 1);
    const __m128i two = _mm_set1_epi16(0xc0);
    int i = 0;
    /* 10 bytes are used, 16 read */
    for (; i + 16 <= pixels; i += 8, src += 10) {
        __m128i v = VLOAD(src);
        __m128i h = _mm_srli_epi16(_mm_shuffle_epi8(v, high), 6);
        __m128i l = _mm_mullo_epi16(_mm_shuffle_epi8(v, low), up);
        l = _mm_srli_epi16(_mm_and_si128(l, two), 6);
        VSTORE(dst + i, _mm_or_si128(h, l));
    }
    for (; i + 4 <= pixels; i += 4, src += 5)
        for (int k = 0; k < 4; k++)
            dst[i + k] = (uint16_t)(src[k] << 2 | ((src[4] >> (2 * k)) & 3));
}

/* Words with 10 significant bits to bytes, rounded, saturated. */
void ps_word10_to_8(const uint16_t *src, uint8_t *dst, int n)
{
    const __m256i two = _mm256_set1_epi16(2);
    int i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(src + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(src + i + 16));
        a = _mm256_srli_epi16(_mm256_adds_epu16(a, two), 2);
        b = _mm256_srli_epi16(_mm256_adds_epu16(b, two), 2);
        a = _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), _MM_SHUFFLE(3, 1, 2, 0));
        _mm256_storeu_si256((__m256i *)(dst + i), a);
    }
    for (; i < n; i++) {
        unsigned v = (src[i] + 2u) >> 2;
        dst[i] = (uint8_t)(v > 255 ? 255 : v);
    }
}
