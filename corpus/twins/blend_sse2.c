/* flags: -msse2 */
/* blend_sse2.c */

#include <emmintrin.h>
#include "rows.h"

#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)

static __inline __m128i div255_epu16(__m128i v)
{
    v = _mm_add_epi16(v, _mm_set1_epi16(128));
    return _mm_srli_epi16(_mm_add_epi16(v, _mm_srli_epi16(v, 8)), 8);
}

void blend_row_sse2(u8 *dst, const u8 *src, int alpha, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i a = _mm_set1_epi16((short)alpha);
    const __m128i ia = _mm_set1_epi16((short)(255 - alpha));
    for (; n >= 16; n -= 16, src += 16, dst += 16) {
        __m128i s = LOAD(src), d = LOAD(dst);
        __m128i lo = _mm_add_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(s, zero), a),
                                   _mm_mullo_epi16(_mm_unpacklo_epi8(d, zero), ia));
        __m128i hi = _mm_add_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(s, zero), a),
                                   _mm_mullo_epi16(_mm_unpackhi_epi8(d, zero), ia));
        STORE(dst, _mm_packus_epi16(div255_epu16(lo), div255_epu16(hi)));
    }
    if (n > 0)
        blend_row_c(dst, src, alpha, n);
}

void add_row_sse2(u8 *dst, const u8 *src, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16)
        STORE(dst + i, _mm_adds_epu8(LOAD(dst + i), LOAD(src + i)));
    for (; i < n; i++) {
        int v = dst[i] + src[i];
        dst[i] = (u8)(v | -(v >> 8));
    }
}

void mul_row_sse2(u8 *dst, const u8 *src, int n)
{
    const __m128i zero = _mm_setzero_si128();
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i s = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(src + i)), zero);
        __m128i d = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(dst + i)), zero);
        d = div255_epu16(_mm_mullo_epi16(s, d));
        _mm_storel_epi64((__m128i *)(dst + i), _mm_packus_epi16(d, d));
    }
    mul_row_c(dst + i, src + i, n - i);
}

void bias_sub_row_sse2(u8 *dst, const u8 *src, int bias, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i vb = _mm_set1_epi16((short)bias);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i s = LOAD(src + i), d = LOAD(dst + i);
        __m128i lo = _mm_sub_epi16(_mm_add_epi16(_mm_unpacklo_epi8(d, zero), vb), _mm_unpacklo_epi8(s, zero));
        __m128i hi = _mm_sub_epi16(_mm_add_epi16(_mm_unpackhi_epi8(d, zero), vb), _mm_unpackhi_epi8(s, zero));
        STORE(dst + i, _mm_packus_epi16(lo, hi));
    }
    bias_sub_row_c(dst + i, src + i, bias, n - i);
}

void select_row_sse2(u8 *dst, const u8 *src, const u8 *mask, int n)
{
    const __m128i zero = _mm_setzero_si128();
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i off = _mm_cmpeq_epi8(LOAD(mask + i), zero);
        STORE(dst + i, _mm_or_si128(_mm_and_si128(off, LOAD(dst + i)), _mm_andnot_si128(off, LOAD(src + i))));
    }
    select_row_c(dst + i, src + i, mask + i, n - i);
}

void key_row_sse2(u8 *dst, const u8 *src, const u8 *ref, int tolerance, int n)
{
    const __m128i tol = _mm_set1_epi8((char)tolerance);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i s = LOAD(src + i), r = LOAD(ref + i), d = LOAD(dst + i);
        __m128i diff = _mm_or_si128(_mm_subs_epu8(s, r), _mm_subs_epu8(r, s));
        __m128i m = _mm_cmpgt_epi8(diff, tol);
        STORE(dst + i, _mm_xor_si128(d, _mm_and_si128(m, _mm_xor_si128(d, s))));
    }
    key_row_c(dst + i, src + i, ref + i, tolerance, n - i);
}

void threshold_row_sse2(u8 *dst, const u8 *src, int level, int n)
{
    const __m128i lv = _mm_set1_epi8((char)level);
    while (n >= 16) {
        __m128i s = LOAD(src);
        STORE(dst, _mm_cmpeq_epi8(_mm_max_epu8(s, lv), s));
        src += 16;
        dst += 16;
        n -= 16;
    }
    while (n-- > 0)
        *dst++ = *src++ >= level ? 255 : 0;
}

void dither_row_sse2(u8 *dst, const u8 *src, const u8 *pattern, int n)
{
    const __m128i flip = _mm_set1_epi8((char)0x80);
    const __m128i pat = _mm_xor_si128(LOAD(pattern), flip);
    int i = 0;
    while (i < n && ((uintptr_t)(dst + i) & 15)) {
        dst[i] = src[i] > pattern[i & 15] ? 255 : 0;
        i++;
    }
    for (; i + 16 <= n; i += 16)
        _mm_store_si128((__m128i *)(dst + i), _mm_cmpgt_epi8(_mm_xor_si128(LOAD(src + i), flip), pat));
    for (; i < n; i++)
        dst[i] = src[i] > pattern[i & 15] ? 255 : 0;
}

void merge_rgba_row_sse2(u8 *dst, const u8 *r, const u8 *g, const u8 *b, const u8 *a, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16, dst += 64) {
        __m128i vr = LOAD(r + i), vg = LOAD(g + i), vb = LOAD(b + i), va = LOAD(a + i);
        __m128i rg0 = _mm_unpacklo_epi8(vr, vg), rg1 = _mm_unpackhi_epi8(vr, vg);
        __m128i ba0 = _mm_unpacklo_epi8(vb, va), ba1 = _mm_unpackhi_epi8(vb, va);
        STORE(dst, _mm_unpacklo_epi16(rg0, ba0));
        STORE(dst + 16, _mm_unpackhi_epi16(rg0, ba0));
        STORE(dst + 32, _mm_unpacklo_epi16(rg1, ba1));
        STORE(dst + 48, _mm_unpackhi_epi16(rg1, ba1));
    }
    merge_rgba_row_c(dst, r + i, g + i, b + i, a + i, n - i);
}
