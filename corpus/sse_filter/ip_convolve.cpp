// flags: -mssse3
/*
 * ip_convolve.cpp - neighbourhood filters of the page imaging library
 *
 * Steps are in bytes.  Filters that look r pixels to the side expect r valid pixels
 * around the w x h rectangle; src points to the first inner pixel.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tmmintrin.h>

typedef uint8_t Ip8u;
typedef int16_t Ip16s;
typedef uint16_t Ip16u;
typedef float Ip32f;

#define IP_LOAD8(p) _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p)), zero)
#define IP_LOADU(p) _mm_loadu_si128((const __m128i *)(p))
#define IP_PAIR(a, b) _mm_set1_epi32((int)(((uint32_t)(uint16_t)(b) << 16) | (uint16_t)(a)))

static inline Ip8u ipClip8(int v)
{
    return (Ip8u)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* shift is 0..15; the rounding term rides in the free half of the ninth product */
void ipConvolve3x3_8u(const Ip8u *src, int srcStep, Ip8u *dst, int dstStep, int w, int h,
                      const Ip16s *k, int shift)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i one = _mm_set1_epi16(1);
    const int round = shift > 0 ? 1 << (shift - 1) : 0;
    const __m128i k01 = IP_PAIR(k[0], k[1]);
    const __m128i k23 = IP_PAIR(k[2], k[3]);
    const __m128i k45 = IP_PAIR(k[4], k[5]);
    const __m128i k67 = IP_PAIR(k[6], k[7]);
    const __m128i k8r = IP_PAIR(k[8], round);
    const __m128i vshift = _mm_cvtsi32_si128(shift);
    int x, y;

    for (y = 0; y < h; y++) {
        const Ip8u *r0 = src - srcStep - 1;
        const Ip8u *r1 = src - 1;
        const Ip8u *r2 = src + srcStep - 1;

        for (x = 0; x + 8 <= w; x += 8) {
            __m128i a, b, lo, hi;

            a = IP_LOAD8(r0 + x);
            b = IP_LOAD8(r0 + x + 1);
            lo = _mm_madd_epi16(_mm_unpacklo_epi16(a, b), k01);
            hi = _mm_madd_epi16(_mm_unpackhi_epi16(a, b), k01);
            a = IP_LOAD8(r0 + x + 2);
            b = IP_LOAD8(r1 + x);
            lo = _mm_add_epi32(lo, _mm_madd_epi16(_mm_unpacklo_epi16(a, b), k23));
            hi = _mm_add_epi32(hi, _mm_madd_epi16(_mm_unpackhi_epi16(a, b), k23));
            a = IP_LOAD8(r1 + x + 1);
            b = IP_LOAD8(r1 + x + 2);
            lo = _mm_add_epi32(lo, _mm_madd_epi16(_mm_unpacklo_epi16(a, b), k45));
            hi = _mm_add_epi32(hi, _mm_madd_epi16(_mm_unpackhi_epi16(a, b), k45));
            a = IP_LOAD8(r2 + x);
            b = IP_LOAD8(r2 + x + 1);
            lo = _mm_add_epi32(lo, _mm_madd_epi16(_mm_unpacklo_epi16(a, b), k67));
            hi = _mm_add_epi32(hi, _mm_madd_epi16(_mm_unpackhi_epi16(a, b), k67));
            a = IP_LOAD8(r2 + x + 2);
            lo = _mm_add_epi32(lo, _mm_madd_epi16(_mm_unpacklo_epi16(a, one), k8r));
            hi = _mm_add_epi32(hi, _mm_madd_epi16(_mm_unpackhi_epi16(a, one), k8r));

            lo = _mm_sra_epi32(lo, vshift);
            hi = _mm_sra_epi32(hi, vshift);
            lo = _mm_packs_epi32(lo, hi);
            _mm_storel_epi64((__m128i *)(dst + x), _mm_packus_epi16(lo, lo));
        }
        for (; x < w; x++) {
            int s = round;
            s += r0[x] * k[0] + r0[x + 1] * k[1] + r0[x + 2] * k[2];
            s += r1[x] * k[3] + r1[x + 1] * k[4] + r1[x + 2] * k[5];
            s += r2[x] * k[6] + r2[x + 1] * k[7] + r2[x + 2] * k[8];
            dst[x] = ipClip8(s >> shift);
        }
        src += srcStep;
        dst += dstStep;
    }
}

/* line: w + 4 words of work space */
void ipGauss5x5_8u(const Ip8u *src, int srcStep, Ip8u *dst, int dstStep, int w, int h,
                   Ip16u *line)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i six = _mm_set1_epi16(6);
    const __m128i half = _mm_set1_epi16(128);
    int x, y;

    for (y = 0; y < h; y++, src += srcStep, dst += dstStep) {
        const Ip8u *s = src - 2;

        for (x = 0; x <= w + 4 - 8; x += 8) {
            __m128i m2 = IP_LOAD8(s + x - 2 * srcStep);
            __m128i m1 = IP_LOAD8(s + x - srcStep);
            __m128i c0 = IP_LOAD8(s + x);
            __m128i p1 = IP_LOAD8(s + x + srcStep);
            __m128i p2 = IP_LOAD8(s + x + 2 * srcStep);
            __m128i v = _mm_add_epi16(_mm_add_epi16(m2, p2), _mm_mullo_epi16(c0, six));
            v = _mm_add_epi16(v, _mm_slli_epi16(_mm_add_epi16(m1, p1), 2));
            _mm_storeu_si128((__m128i *)(line + x), v);
        }
        for (; x < w + 4; x++)
            line[x] = (Ip16u)(s[x - 2 * srcStep] + s[x + 2 * srcStep] + 6 * s[x] +
                              4 * (s[x - srcStep] + s[x + srcStep]));

        for (x = 0; x <= w - 8; x += 8) {
            __m128i e = _mm_add_epi16(IP_LOADU(line + x), IP_LOADU(line + x + 4));
            __m128i d = _mm_add_epi16(IP_LOADU(line + x + 1), IP_LOADU(line + x + 3));
            __m128i v = _mm_mullo_epi16(IP_LOADU(line + x + 2), six);
            v = _mm_add_epi16(_mm_add_epi16(v, e), _mm_slli_epi16(d, 2));
            v = _mm_srli_epi16(_mm_add_epi16(v, half), 8);
            _mm_storel_epi64((__m128i *)(dst + x), _mm_packus_epi16(v, v));
        }
        for (; x < w; x++)
            dst[x] = (Ip8u)((line[x] + line[x + 4] + 6 * line[x + 2] +
                             4 * (line[x + 1] + line[x + 3]) + 128) >> 8);
    }
}

/* (-8 16 48 16 -8) / 64 along the row: restores text edges after the scanner's optics */
void ipCrispen5_8u(const Ip8u *src, int srcStep, Ip8u *dst, int dstStep, int w, int h)
{
    const __m128i ka = _mm_set1_epi16((short)((16 << 8) | (-8 & 0xff)));
    const __m128i kb = _mm_set1_epi16((short)((16 << 8) | 48));
    const __m128i kc = _mm_set1_epi16(-8 & 0xff);
    const __m128i round = _mm_set1_epi16(32);
    const __m128i zero = _mm_setzero_si128();
    int y;

    for (y = 0; y < h; y++) {
        const Ip8u *s = src + y * (ptrdiff_t)srcStep;
        Ip8u *d = dst + y * (ptrdiff_t)dstStep;
        int left = w;

        while (left >= 16) {
            __m128i a = IP_LOADU(s - 2), b = IP_LOADU(s - 1), c = IP_LOADU(s);
            __m128i e = IP_LOADU(s + 1), f = IP_LOADU(s + 2);
            __m128i lo = _mm_maddubs_epi16(_mm_unpacklo_epi8(a, b), ka);
            __m128i hi = _mm_maddubs_epi16(_mm_unpackhi_epi8(a, b), ka);
            lo = _mm_add_epi16(lo, _mm_maddubs_epi16(_mm_unpacklo_epi8(c, e), kb));
            hi = _mm_add_epi16(hi, _mm_maddubs_epi16(_mm_unpackhi_epi8(c, e), kb));
            lo = _mm_add_epi16(lo, _mm_maddubs_epi16(_mm_unpacklo_epi8(f, zero), kc));
            hi = _mm_add_epi16(hi, _mm_maddubs_epi16(_mm_unpackhi_epi8(f, zero), kc));
            lo = _mm_srai_epi16(_mm_add_epi16(lo, round), 6);
            hi = _mm_srai_epi16(_mm_add_epi16(hi, round), 6);
            _mm_storeu_si128((__m128i *)d, _mm_packus_epi16(lo, hi));
            s += 16;
            d += 16;
            left -= 16;
        }
        while (left-- > 0) {
            int v = 48 * s[0] + 16 * (s[-1] + s[1]) - 8 * (s[-2] + s[2]);
            *d++ = ipClip8((v + 32) >> 6);
            s++;
        }
    }
}

/* three Q15 taps, each product rounded on its own as the DSP version did */
void ipFir3_16s(const Ip16s *src, Ip16s *dst, int n, Ip16s k0, Ip16s k1, Ip16s k2)
{
    const __m128i c0 = _mm_set1_epi16(k0);
    const __m128i c1 = _mm_set1_epi16(k1);
    const __m128i c2 = _mm_set1_epi16(k2);
    int i = 0;

    for (; i < n - 7; i += 8) {
        __m128i v = _mm_mulhrs_epi16(IP_LOADU(src + i - 1), c0);
        v = _mm_adds_epi16(v, _mm_mulhrs_epi16(IP_LOADU(src + i), c1));
        v = _mm_adds_epi16(v, _mm_mulhrs_epi16(IP_LOADU(src + i + 1), c2));
        _mm_storeu_si128((__m128i *)(dst + i), v);
    }
    if (i < n) {
        /* the rest goes through a padded copy */
        Ip16s in[16], out[8];
        __m128i v;
        memset(in, 0, sizeof in);
        memcpy(in, src + i - 1, (size_t)(n - i + 2) * sizeof(Ip16s));
        v = _mm_mulhrs_epi16(IP_LOADU(in), c0);
        v = _mm_adds_epi16(v, _mm_mulhrs_epi16(IP_LOADU(in + 1), c1));
        v = _mm_adds_epi16(v, _mm_mulhrs_epi16(IP_LOADU(in + 2), c2));
        _mm_storeu_si128((__m128i *)out, v);
        memcpy(dst + i, out, (size_t)(n - i) * sizeof(Ip16s));
    }
}

/* dst[i] = sum of k[t] * src[i + t]; src holds n + taps - 1 values */
void ipConvolveRow_32f(const Ip32f *src, Ip32f *dst, int n, const Ip32f *k, int taps)
{
    int i = 0, t;

    for (; i + 8 <= n; i += 8) {
        __m128 acc0 = _mm_setzero_ps();
        __m128 acc1 = _mm_setzero_ps();
        const Ip32f *s = src + i;
        for (t = 0; t < taps; t++, s++) {
            __m128 c = _mm_load1_ps(k + t);
            acc0 = _mm_add_ps(acc0, _mm_mul_ps(c, _mm_loadu_ps(s)));
            acc1 = _mm_add_ps(acc1, _mm_mul_ps(c, _mm_loadu_ps(s + 4)));
        }
        _mm_storeu_ps(dst + i, acc0);
        _mm_storeu_ps(dst + i + 4, acc1);
    }
    for (; i < n; i++) {
        __m128 acc = _mm_setzero_ps();
        for (t = 0; t < taps; t++)
            acc = _mm_add_ss(acc, _mm_mul_ss(_mm_load_ss(k + t), _mm_load_ss(src + i + t)));
        _mm_store_ss(dst + i, acc);
    }
}

/* ninth by reciprocal: (sum + 4) * 7282 >> 16 */
void ipBox3x3_8u(const Ip8u *src, int srcStep, Ip8u *dst, int dstStep, int w, int h)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i four = _mm_set1_epi16(4);
    const __m128i ninth = _mm_set1_epi16(7282);
    int x, y;

    for (y = 0; y < h; y++) {
        const Ip8u *p = src + y * (ptrdiff_t)srcStep;
        Ip8u *q = dst + y * (ptrdiff_t)dstStep;

        for (x = 0; x + 8 <= w; x += 8) {
            __m128i sum = four;
            const Ip8u *r = p + x - srcStep;
            int i;
            for (i = 0; i < 3; i++, r += srcStep) {
                sum = _mm_add_epi16(sum, IP_LOAD8(r - 1));
                sum = _mm_add_epi16(sum, IP_LOAD8(r));
                sum = _mm_add_epi16(sum, IP_LOAD8(r + 1));
            }
            sum = _mm_mulhi_epu16(sum, ninth);
            _mm_storel_epi64((__m128i *)(q + x), _mm_packus_epi16(sum, zero));
        }
        for (; x < w; x++) {
            const Ip8u *a = p + x - srcStep, *b = p + x, *c = p + x + srcStep;
            unsigned s = 4u + a[-1] + a[0] + a[1] + b[-1] + b[0] + b[1] + c[-1] + c[0] + c[1];
            q[x] = (Ip8u)((s * 7282u) >> 16);
        }
    }
}

/* vertical box of 2 * r + 1 rows, r = 1..127; cols: w words that keep the column sums */
void ipBoxColumns_8u(const Ip8u *src, int srcStep, Ip8u *dst, int dstStep, int w, int h,
                     int r, Ip16u *cols)
{
    const int n = 2 * r + 1;
    const unsigned recip = (65536u + n / 2) / n;
    const __m128i vrecip = _mm_set1_epi16((short)recip);
    const __m128i zero = _mm_setzero_si128();
    int x, y;

    if (h <= 0)
        return;
    memset(cols, 0, (size_t)w * sizeof *cols);
    for (y = -r; y < r; y++) {
        const Ip8u *p = src + y * (ptrdiff_t)srcStep;
        for (x = 0; x + 16 <= w; x += 16) {
            __m128i v = IP_LOADU(p + x);
            __m128i *c = (__m128i *)(cols + x);
            _mm_storeu_si128(c, _mm_add_epi16(_mm_loadu_si128(c), _mm_unpacklo_epi8(v, zero)));
            _mm_storeu_si128(c + 1,
                             _mm_add_epi16(_mm_loadu_si128(c + 1), _mm_unpackhi_epi8(v, zero)));
        }
        for (; x < w; x++)
            cols[x] = (Ip16u)(cols[x] + p[x]);
    }
    for (y = 0; y < h; y++) {
        const Ip8u *in = src + (y + r) * (ptrdiff_t)srcStep;
        const Ip8u *out = src + (y - r) * (ptrdiff_t)srcStep;
        for (x = 0; x + 8 <= w; x += 8) {
            __m128i c = _mm_add_epi16(IP_LOADU(cols + x), IP_LOAD8(in + x));
            __m128i q = _mm_mulhi_epu16(c, vrecip);
            _mm_storel_epi64((__m128i *)(dst + x), _mm_packus_epi16(q, q));
            _mm_storeu_si128((__m128i *)(cols + x), _mm_sub_epi16(c, IP_LOAD8(out + x)));
        }
        for (; x < w; x++) {
            unsigned c = cols[x] + in[x];
            dst[x] = ipClip8((int)((c * recip) >> 16));
            cols[x] = (Ip16u)(c - out[x]);
        }
        dst += dstStep;
    }
}

/* amount 0..127 in 64ths; differences below thr are taken for noise and left alone */
void ipUnsharp_8u(const Ip8u *src, const Ip8u *blur, int step, Ip8u *dst, int dstStep, int w,
                  int h, int amount, int thr)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i am = _mm_set1_epi16((short)amount);
    const __m128i th = _mm_set1_epi16((short)thr);
    int x, y;

    for (y = 0; y < h; y++) {
        for (x = 0; x + 8 <= w; x += 8) {
            __m128i s = IP_LOAD8(src + x);
            __m128i d = _mm_sub_epi16(s, IP_LOAD8(blur + x));
            __m128i ad = _mm_max_epi16(d, _mm_sub_epi16(zero, d));
            __m128i quiet = _mm_cmpgt_epi16(th, ad);
            d = _mm_srai_epi16(_mm_mullo_epi16(d, am), 6);
            s = _mm_add_epi16(s, _mm_andnot_si128(quiet, d));
            _mm_storel_epi64((__m128i *)(dst + x), _mm_packus_epi16(s, s));
        }
        for (; x < w; x++) {
            int d = src[x] - blur[x];
            if ((d < 0 ? -d : d) < thr)
                dst[x] = src[x];
            else
                dst[x] = ipClip8(src[x] + ((d * amount) >> 6));
        }
        src += step;
        blur += step;
        dst += dstStep;
    }
}
