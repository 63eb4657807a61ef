// flags: -msse2
/*
 * measure.cpp - numbers about pictures, for the motion detector and the encoder's rate control
 *
 * Planes are 8 bit unless the name says otherwise; pitch in bytes.
 */
#include <emmintrin.h>
#include <stdint.h>

#define LD(p) _mm_loadu_si128((const __m128i *)(p))
#define ST(p, v) _mm_storeu_si128((__m128i *)(p), v)

static inline uint32_t hsum64_lo(__m128i v)
{
    v = _mm_add_epi64(v, _mm_srli_si128(v, 8));
    return (uint32_t)_mm_cvtsi128_si32(v);
}

static inline int hsum32(__m128i v)
{
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2)));
    v = _mm_add_epi32(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(v);
}

/* Sum of absolute differences of a w x h block. */
uint32_t vt_sad(const uint8_t *a, int a_pitch, const uint8_t *b, int b_pitch, int w, int h)
{
    __m128i acc = _mm_setzero_si128();
    uint32_t rest = 0;

    for (int y = 0; y < h; y++) {
        int x = 0;
        for (; x + 16 <= w; x += 16)
            acc = _mm_add_epi64(acc, _mm_sad_epu8(LD(a + x), LD(b + x)));
        if (w - x >= 8) {
            __m128i va = _mm_loadl_epi64((const __m128i *)(a + x));
            __m128i vb = _mm_loadl_epi64((const __m128i *)(b + x));
            acc = _mm_add_epi64(acc, _mm_sad_epu8(va, vb));
            x += 8;
        }
        for (; x < w; x++)
            rest += a[x] > b[x] ? a[x] - b[x] : b[x] - a[x];
        a += a_pitch;
        b += b_pitch;
    }
    return hsum64_lo(acc) + rest;
}

/* SAD of the 16x16 block that is fixed in the encoder; early exit above the best so far. */
int vt_sad16x16_limit(const uint8_t *cur, int cur_pitch, const uint8_t *ref, int ref_pitch,
                      int best)
{
    int sum = 0;
    for (int y = 0; y < 16; y += 4) {
        __m128i s0 = _mm_sad_epu8(LD(cur), LD(ref));
        __m128i s1 = _mm_sad_epu8(LD(cur + cur_pitch), LD(ref + ref_pitch));
        __m128i s2 = _mm_sad_epu8(LD(cur + 2 * cur_pitch), LD(ref + 2 * ref_pitch));
        __m128i s3 = _mm_sad_epu8(LD(cur + 3 * cur_pitch), LD(ref + 3 * ref_pitch));
        s0 = _mm_add_epi32(_mm_add_epi32(s0, s1), _mm_add_epi32(s2, s3));
        sum += _mm_cvtsi128_si32(s0) + _mm_cvtsi128_si32(_mm_srli_si128(s0, 8));
        if (sum >= best)
            return sum;
        cur += 4 * cur_pitch;
        ref += 4 * ref_pitch;
    }
    return sum;
}

/* Sum of squared differences; rows are folded into 64 bits so that large frames do not wrap. */
uint64_t vt_ssd(const uint8_t *a, int a_pitch, const uint8_t *b, int b_pitch, int w, int h)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i total = zero;
    uint64_t out[2];
    uint64_t rest = 0;

    for (int y = 0; y < h; y++) {
        const uint8_t *pa = a + y * a_pitch;
        const uint8_t *pb = b + y * b_pitch;
        __m128i row = zero;
        int x;
        for (x = 0; x + 16 <= w; x += 16) {
            __m128i va = LD(pa + x), vb = LD(pb + x);
            __m128i d = _mm_or_si128(_mm_subs_epu8(va, vb), _mm_subs_epu8(vb, va));
            __m128i lo = _mm_unpacklo_epi8(d, zero);
            __m128i hi = _mm_unpackhi_epi8(d, zero);
            row = _mm_add_epi32(row, _mm_madd_epi16(lo, lo));
            row = _mm_add_epi32(row, _mm_madd_epi16(hi, hi));
        }
        total = _mm_add_epi64(total, _mm_unpacklo_epi32(row, zero));
        total = _mm_add_epi64(total, _mm_unpackhi_epi32(row, zero));
        for (; x < w; x++) {
            int d = pa[x] - pb[x];
            rest += (unsigned)(d * d);
        }
    }
    ST(out, total);
    return out[0] + out[1] + rest;
}

/* An empty area gives lo = 255, hi = 0. */
void vt_min_max(const uint8_t *src, int pitch, int w, int h, uint8_t *lo, uint8_t *hi)
{
    __m128i vmin = _mm_set1_epi8(-1);
    __m128i vmax = _mm_setzero_si128();
    int mn = 255, mx = 0;

    for (int y = 0; y < h; y++, src += pitch) {
        int x = 0;
        for (; x < (w & ~15); x += 16) {
            __m128i v = LD(src + x);
            vmin = _mm_min_epu8(vmin, v);
            vmax = _mm_max_epu8(vmax, v);
        }
        for (; x < w; x++) {
            if (src[x] < mn) mn = src[x];
            if (src[x] > mx) mx = src[x];
        }
    }

    vmin = _mm_min_epu8(vmin, _mm_srli_si128(vmin, 8));
    vmin = _mm_min_epu8(vmin, _mm_srli_si128(vmin, 4));
    vmin = _mm_min_epu8(vmin, _mm_srli_si128(vmin, 2));
    vmin = _mm_min_epu8(vmin, _mm_srli_si128(vmin, 1));
    vmax = _mm_max_epu8(vmax, _mm_srli_si128(vmax, 8));
    vmax = _mm_max_epu8(vmax, _mm_srli_si128(vmax, 4));
    vmax = _mm_max_epu8(vmax, _mm_srli_si128(vmax, 2));
    vmax = _mm_max_epu8(vmax, _mm_srli_si128(vmax, 1));
    int vmn = _mm_cvtsi128_si32(vmin) & 255;
    int vmx = _mm_cvtsi128_si32(vmax) & 255;
    *lo = (uint8_t)(vmn < mn ? vmn : mn);
    *hi = (uint8_t)(vmx > mx ? vmx : mx);
}

/* Mean level, rounded to nearest; 0 for an empty area. */
int vt_mean(const uint8_t *src, int pitch, int w, int h)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i s0 = zero, s1 = zero;
    uint32_t rest = 0;
    const uint32_t n = (uint32_t)(w * h);

    if (n == 0)
        return 0;
    for (int y = 0; y < h; y++) {
        const uint8_t *p = src + y * pitch, *const stop = p + w;
        while (stop - p >= 32) {
            s0 = _mm_add_epi32(s0, _mm_sad_epu8(LD(p), zero));
            s1 = _mm_add_epi32(s1, _mm_sad_epu8(LD(p + 16), zero));
            p += 32;
        }
        while (p != stop)
            rest += *p++;
    }
    return (int)((hsum64_lo(_mm_add_epi32(s0, s1)) + rest + n / 2) / n);
}

/* How many pixels are above level: the signed compare needs the values moved by 128. */
int vt_count_above(const uint8_t *src, int pitch, int w, int h, int level)
{
    const __m128i flip = _mm_set1_epi8(-128);
    const __m128i lv = _mm_set1_epi8((char)(level - 128));
    const __m128i zero = _mm_setzero_si128();
    __m128i total = zero;
    int count = 0;

    for (int y = 0; y < h; y++) {
        const uint8_t *p = src + y * pitch;
        int x = 0;
        while (x + 16 <= w) {
            /* byte counters last for 255 vectors */
            int end = x + 255 * 16 < w ? x + 255 * 16 : w;
            __m128i c = zero;
            for (; x + 16 <= end; x += 16)
                c = _mm_sub_epi8(c, _mm_cmpgt_epi8(_mm_xor_si128(LD(p + x), flip), lv));
            total = _mm_add_epi64(total, _mm_sad_epu8(c, zero));
        }
        for (; x < w; x++)
            count += p[x] > level;
    }
    return count + (int)hsum64_lo(total);
}

void vt_abs_diff(const uint8_t *a, int a_pitch, const uint8_t *b, int b_pitch, uint8_t *dst,
                 int d_pitch, int w, int h)
{
    for (; h > 0; h--, a += a_pitch, b += b_pitch, dst += d_pitch) {
        int x = 0;
        for (; x + 16 <= w; x += 16) {
            __m128i va = LD(a + x), vb = LD(b + x);
            ST(dst + x, _mm_sub_epi8(_mm_max_epu8(va, vb), _mm_min_epu8(va, vb)));
        }
        for (; x < w; x++)
            dst[x] = (uint8_t)(a[x] > b[x] ? a[x] - b[x] : b[x] - a[x]);
    }
}

/* out = 128 + (cur - hist) / 2, then the history takes a quarter step towards cur. */
void vt_running_diff(const uint8_t *cur, uint8_t *hist, uint8_t *out, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i two = _mm_set1_epi16(2);
    int i = 0;

    for (; i + 16 <= n; i += 16) {
        __m128i c = LD(cur + i), p = LD(hist + i);
        /* avg(c, ~p) is (c - p + 256) / 2, rounding down as 255 - p is one short */
        __m128i d = _mm_avg_epu8(c, _mm_xor_si128(p, _mm_cmpeq_epi8(zero, zero)));
        ST(out + i, d);

        __m128i cl = _mm_unpacklo_epi8(c, zero), ch = _mm_unpackhi_epi8(c, zero);
        __m128i pl = _mm_unpacklo_epi8(p, zero), ph = _mm_unpackhi_epi8(p, zero);
        pl = _mm_add_epi16(pl, _mm_srai_epi16(_mm_add_epi16(_mm_sub_epi16(cl, pl), two), 2));
        ph = _mm_add_epi16(ph, _mm_srai_epi16(_mm_add_epi16(_mm_sub_epi16(ch, ph), two), 2));
        ST(hist + i, _mm_packus_epi16(pl, ph));
    }
    for (; i < n; i++) {
        int d = cur[i] - hist[i];
        out[i] = (uint8_t)(128 + (d >> 1));
        hist[i] = (uint8_t)(hist[i] + ((d + 2) >> 2));
    }
}

/*
 * Summed area table without the zero row and column.  The running sum of a row sits in all
 * four lanes of carry.
 */
void vt_integral_u32(const uint8_t *src, int pitch, uint32_t *sat, int sat_pitch, int w, int h)
{
    const __m128i zero = _mm_setzero_si128();

    for (int y = 0; y < h; y++) {
        const uint8_t *p = src + y * pitch;
        uint32_t *q = (uint32_t *)((uint8_t *)sat + y * sat_pitch);
        const uint32_t *up = y ? (const uint32_t *)((uint8_t *)sat + (y - 1) * sat_pitch) : 0;
        __m128i carry = zero;
        int x = 0;

        for (; x + 8 <= w; x += 8) {
            __m128i v = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(p + x)), zero);
            v = _mm_add_epi16(v, _mm_slli_si128(v, 2));
            v = _mm_add_epi16(v, _mm_slli_si128(v, 4));
            v = _mm_add_epi16(v, _mm_slli_si128(v, 8));
            __m128i lo = _mm_add_epi32(_mm_unpacklo_epi16(v, zero), carry);
            __m128i hi = _mm_add_epi32(_mm_unpackhi_epi16(v, zero), carry);
            carry = _mm_shuffle_epi32(hi, _MM_SHUFFLE(3, 3, 3, 3));
            if (up) {
                lo = _mm_add_epi32(lo, LD(up + x));
                hi = _mm_add_epi32(hi, LD(up + x + 4));
            }
            ST(q + x, lo);
            ST(q + x + 4, hi);
        }
        uint32_t run = (uint32_t)_mm_cvtsi128_si32(carry);
        for (; x < w; x++) {
            run += p[x];
            q[x] = run + (up ? up[x] : 0);
        }
    }
}

/* Largest magnitude of a float line; the sign bit is masked away. */
float vt_peak_f32(const float *src, int n)
{
    const __m128 mask = _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff));
    __m128 m = _mm_setzero_ps();
    int i = 0;

    for (; i + 8 <= n; i += 8) {
        m = _mm_max_ps(m, _mm_and_ps(_mm_loadu_ps(src + i), mask));
        m = _mm_max_ps(m, _mm_and_ps(_mm_loadu_ps(src + i + 4), mask));
    }
    for (; i < n; i++)
        m = _mm_max_ss(m, _mm_and_ps(_mm_load_ss(src + i), mask));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    m = _mm_max_ss(m, _mm_shuffle_ps(m, m, 1));
    return _mm_cvtss_f32(m);
}

/* Inner product of 16 bit lines, 32 bit wrapping sum as in the fixed-point decoder. */
int32_t vt_dot_s16(const int16_t *a, const int16_t *b, int n)
{
    __m128i s0 = _mm_setzero_si128(), s1 = _mm_setzero_si128();
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        s0 = _mm_add_epi32(s0, _mm_madd_epi16(LD(a + i), LD(b + i)));
        s1 = _mm_add_epi32(s1, _mm_madd_epi16(LD(a + i + 8), LD(b + i + 8)));
    }
    uint32_t sum = (uint32_t)hsum32(_mm_add_epi32(s0, s1));
    for (; i < n; i++)
        sum += (uint32_t)(a[i] * b[i]);
    return (int32_t)sum;
}
