// flags: -mssse3
/* alpha_convert: straight <-> premultiplied, straight alpha onto opaque surfaces.
 *
 * Camera and scanner plug-ins deliver BGRA bytes, alpha last. Pitch in bytes. */

#include <stdint.h>
#include <string.h>
#include <tmmintrin.h>

typedef struct { uint8_t *base; int pitch; int w, h; } Surface;

/* x / 255 rounded down, full 16 bit range: (x * 0x8081) >> 23 */
#define DIV255_FLOOR(x) _mm_srli_epi16(_mm_mulhi_epu16((x), k8081), 7)

/* In place. Two vectors in flight: the next one is loaded before this one is stored,
 * which is worth 15% on the P4. */
void PremultiplyBGRA(uint8_t *pix, int pitch, int w, int h)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i k8081 = _mm_set1_epi16((short)0x8081);
    const __m128i k127 = _mm_set1_epi16(127);
    const __m128i rgb = _mm_setr_epi16(-1, -1, -1, 0, -1, -1, -1, 0);
    const __m128i a255 = _mm_setr_epi16(0, 0, 0, 255, 0, 0, 0, 255);
    int y;

    for (y = 0; y < h; y++) {
        uint8_t *p = pix + y * pitch;
        int left = w;
        if (left >= 4) {
            __m128i next = _mm_loadu_si128((const __m128i *)p);
            do {
                __m128i lo = _mm_unpacklo_epi8(next, zero);
                __m128i hi = _mm_unpackhi_epi8(next, zero);
                __m128i al = _mm_shufflehi_epi16(_mm_shufflelo_epi16(lo, 0xff), 0xff);
                __m128i ah = _mm_shufflehi_epi16(_mm_shufflelo_epi16(hi, 0xff), 0xff);
                left -= 4;
                if (left >= 4)
                    next = _mm_loadu_si128((const __m128i *)(p + 16));
                /* alpha is multiplied by 255, so it comes back unchanged */
                al = _mm_or_si128(_mm_and_si128(al, rgb), a255);
                ah = _mm_or_si128(_mm_and_si128(ah, rgb), a255);
                lo = _mm_add_epi16(_mm_mullo_epi16(lo, al), k127);
                hi = _mm_add_epi16(_mm_mullo_epi16(hi, ah), k127);
                lo = DIV255_FLOOR(lo);
                hi = DIV255_FLOOR(hi);
                _mm_storeu_si128((__m128i *)p, _mm_packus_epi16(lo, hi));
                p += 16;
            } while (left >= 4);
        }
        for (; left > 0; left--, p += 4) {
            int a = p[3];
            p[0] = (uint8_t)((p[0] * a + 127) / 255);
            p[1] = (uint8_t)((p[1] * a + 127) / 255);
            p[2] = (uint8_t)((p[2] * a + 127) / 255);
        }
    }
}

/* c * 255 / a, truncated and clamped; 0 where a is 0. One reciprocal per pixel would be
 * faster, but was off by one for 2% of the inputs. */
void UnpremultiplyBGRA(uint8_t *dst, const uint8_t *src, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128 k255 = _mm_set1_ps(255.0f);
    const __m128 lane3 = _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1));

    for (; n > 0; n--, src += 4, dst += 4) {
        int32_t word;
        __m128i p;
        __m128 f, a, q;
        memcpy(&word, src, 4);
        if (src[3] == 255 || src[3] == 0) {
            word = src[3] ? word : 0;
            memcpy(dst, &word, 4);
            continue;
        }
        p = _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(word), zero), zero);
        f = _mm_cvtepi32_ps(p);
        a = _mm_shuffle_ps(f, f, _MM_SHUFFLE(3, 3, 3, 3));
        q = _mm_min_ps(_mm_div_ps(_mm_mul_ps(f, k255), a), k255);
        q = _mm_or_ps(_mm_and_ps(lane3, f), _mm_andnot_ps(lane3, q));
        p = _mm_cvttps_epi32(q);
        p = _mm_packs_epi32(p, p);
        p = _mm_packus_epi16(p, p);
        word = _mm_cvtsi128_si32(p);
        memcpy(dst, &word, 4);
    }
}

/* Straight BGRA onto opaque BGRX: d += (s - d) * a / 255 by way of d * 255 + (s - d) * a,
 * which stays in 0..65025 although the difference is signed. X becomes 255. */
void BlendStraightOpaque(Surface *to, const Surface *from)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i k8081 = _mm_set1_epi16((short)0x8081);
    const __m128i x255 = _mm_set1_epi32((int)0xff000000);
    const __m128i spread_lo = _mm_setr_epi8(3, -1, 3, -1, 3, -1, 3, -1, 7, -1, 7, -1, 7, -1, 7, -1);
    const __m128i spread_hi = _mm_setr_epi8(11, -1, 11, -1, 11, -1, 11, -1, 15, -1, 15, -1, 15, -1, 15, -1);
    const int w = to->w < from->w ? to->w : from->w;
    int h = to->h < from->h ? to->h : from->h;
    uint8_t *drow = to->base;
    const uint8_t *srow = from->base;

    for (; h > 0; h--, drow += to->pitch, srow += from->pitch) {
        int x = 0;
        for (; x + 4 <= w; x += 4) {
            __m128i s = _mm_loadu_si128((const __m128i *)(srow + 4 * x));
            __m128i d = _mm_loadu_si128((const __m128i *)(drow + 4 * x));
            __m128i dl = _mm_unpacklo_epi8(d, zero), dh = _mm_unpackhi_epi8(d, zero);
            __m128i sl = _mm_sub_epi16(_mm_unpacklo_epi8(s, zero), dl);
            __m128i sh = _mm_sub_epi16(_mm_unpackhi_epi8(s, zero), dh);
            sl = _mm_mullo_epi16(sl, _mm_shuffle_epi8(s, spread_lo));
            sh = _mm_mullo_epi16(sh, _mm_shuffle_epi8(s, spread_hi));
            dl = _mm_sub_epi16(_mm_slli_epi16(dl, 8), dl);
            dh = _mm_sub_epi16(_mm_slli_epi16(dh, 8), dh);
            dl = DIV255_FLOOR(_mm_add_epi16(dl, sl));
            dh = DIV255_FLOOR(_mm_add_epi16(dh, sh));
            d = _mm_or_si128(_mm_packus_epi16(dl, dh), x255);
            _mm_storeu_si128((__m128i *)(drow + 4 * x), d);
        }
        for (; x < w; x++) {
            const uint8_t *s = srow + 4 * x;
            uint8_t *d = drow + 4 * x;
            int c;
            for (c = 0; c < 3; c++)
                d[c] = (uint8_t)((d[c] * 255 + (s[c] - d[c]) * s[3]) / 255);
            d[3] = 255;
        }
    }
}

/* Straight BGRA pixels onto packed 24 bit BGR. Four pixels are 12 bytes of dst: one
 * 8 byte and one 4 byte store, nothing is written behind the row. */
void BlendStraightOnBGR24(uint8_t *dst, const uint8_t *src, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i half = _mm_set1_epi16(128);
    const __m128i k255 = _mm_set1_epi16(255);
    const __m128i colour = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    const __m128i alpha = _mm_setr_epi8(3, 3, 3, 7, 7, 7, 11, 11, 11, 15, 15, 15, -1, -1, -1, -1);

    while (n >= 4) {
        const __m128i s = _mm_loadu_si128((const __m128i *)src);
        const __m128i c = _mm_shuffle_epi8(s, colour);
        const __m128i a = _mm_shuffle_epi8(s, alpha);
        __m128i d, lo, hi;
        int32_t last;

        memcpy(&last, dst + 8, 4);
        d = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)dst), _mm_cvtsi32_si128(last));

#define MIX8(half_of)                                                                      \
    _mm_add_epi16(_mm_add_epi16(_mm_mullo_epi16(half_of(c, zero), half_of(a, zero)),       \
                                _mm_mullo_epi16(half_of(d, zero),                          \
                                                _mm_sub_epi16(k255, half_of(a, zero)))),   \
                  half)
        lo = MIX8(_mm_unpacklo_epi8);
        hi = MIX8(_mm_unpackhi_epi8);
#undef MIX8
        lo = _mm_srli_epi16(_mm_add_epi16(lo, _mm_srli_epi16(lo, 8)), 8);
        hi = _mm_srli_epi16(_mm_add_epi16(hi, _mm_srli_epi16(hi, 8)), 8);
        d = _mm_packus_epi16(lo, hi);
        _mm_storel_epi64((__m128i *)dst, d);
        last = _mm_cvtsi128_si32(_mm_srli_si128(d, 8));
        memcpy(dst + 8, &last, 4);
        dst += 12;
        src += 16;
        n -= 4;
    }
    while (n-- > 0) {
        int c;
        for (c = 0; c < 3; c++) {
            int t = src[c] * src[3] + dst[c] * (255 - src[3]) + 128;
            dst[c] = (uint8_t)((t + (t >> 8)) >> 8);
        }
        dst += 3;
        src += 4;
    }
}

/* Swap to RGBA and force opaque where the whole surface has no alpha at all (some
 * drivers leave the fourth byte zero). Returns 1 if it did that. */
int FixMissingAlpha(uint8_t *pix, int n)
{
    const __m128i amask = _mm_set1_epi32((int)0xff000000);
    const __m128i swap = _mm_setr_epi8(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
    __m128i seen = _mm_setzero_si128(), force;
    int i, any = 0;

    for (i = 0; i + 4 <= n; i += 4)
        seen = _mm_or_si128(seen, _mm_loadu_si128((const __m128i *)(pix + 4 * i)));
    seen = _mm_and_si128(seen, amask);
    any = _mm_movemask_epi8(_mm_cmpeq_epi32(seen, _mm_setzero_si128())) != 0xffff;
    for (; i < n; i++)
        any |= pix[4 * i + 3] != 0;

    force = any ? _mm_setzero_si128() : amask;
    for (i = 0; i + 4 <= n; i += 4) {
        __m128i p = _mm_loadu_si128((const __m128i *)(pix + 4 * i));
        p = _mm_or_si128(_mm_shuffle_epi8(p, swap), force);
        _mm_storeu_si128((__m128i *)(pix + 4 * i), p);
    }
    for (; i < n; i++) {
        uint8_t t = pix[4 * i];
        pix[4 * i] = pix[4 * i + 2];
        pix[4 * i + 2] = t;
        if (!any)
            pix[4 * i + 3] = 255;
    }
    return !any;
}
