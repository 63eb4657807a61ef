// flags: -msse4.1
// Layer modes on 8 bit planes.
//
// The painting engine keeps one plane per channel and calls these once per channel and
// tile row. "top" is the layer that is blended, "bot" the projection so far; the result
// goes to bot. opacity is 0..255. Rows are not aligned.

#include <cstdint>
#include <cstring>
#include <smmintrin.h>

namespace {

struct Ctx
{
    __m128i zero, k255, half;
    Ctx() : zero(_mm_setzero_si128()), k255(_mm_set1_epi16(255)), half(_mm_set1_epi16(128)) {}

    // exact x / 255 to nearest for 0 <= x <= 255 * 255
    __m128i div255(__m128i x) const
    {
        x = _mm_add_epi16(x, half);
        return _mm_srli_epi16(_mm_add_epi16(x, _mm_srli_epi16(x, 8)), 8);
    }
    __m128i mul(__m128i a, __m128i b) const { return div255(_mm_mullo_epi16(a, b)); }
    __m128i inv(__m128i a) const { return _mm_sub_epi16(k255, a); }
    __m128i screen(__m128i a, __m128i b) const { return inv(mul(inv(a), inv(b))); }
};

struct Multiply
{
    static __m128i f(const Ctx &c, __m128i t, __m128i b) { return c.mul(t, b); }
};

struct Screen
{
    static __m128i f(const Ctx &c, __m128i t, __m128i b) { return c.screen(t, b); }
};

// 2tb below one half of the backdrop, 1 - 2(1-t)(1-b) above
struct Overlay
{
    static __m128i f(const Ctx &c, __m128i t, __m128i b)
    {
        const __m128i lowHalf = _mm_cmplt_epi16(b, c.half);
        __m128i dark = c.mul(_mm_slli_epi16(b, 1), t);
        __m128i light = c.inv(c.mul(_mm_slli_epi16(c.inv(b), 1), c.inv(t)));
        return _mm_blendv_epi8(light, dark, lowHalf);
    }
};

struct HardLight
{
    static __m128i f(const Ctx &c, __m128i t, __m128i b) { return Overlay::f(c, b, t); }
};

// (1 - b) * tb + b * screen(t, b): no branch and no root
struct SoftLight
{
    static __m128i f(const Ctx &c, __m128i t, __m128i b)
    {
        __m128i m = _mm_mullo_epi16(c.inv(b), c.mul(t, b));
        __m128i s = _mm_mullo_epi16(b, c.screen(t, b));
        return c.div255(_mm_add_epi16(m, s));
    }
};

struct Exclusion
{
    static __m128i f(const Ctx &c, __m128i t, __m128i b)
    {
        __m128i p = c.mul(t, b);
        return _mm_sub_epi16(_mm_add_epi16(t, b), _mm_add_epi16(p, p));
    }
};

template <class Mode>
inline __m128i blend8(const Ctx &c, __m128i t, __m128i b, __m128i op, __m128i iop)
{
    __m128i r = Mode::f(c, t, b);
    // exclusion may come out as -1
    r = _mm_min_epi16(_mm_max_epi16(r, c.zero), c.k255);
    return c.div255(_mm_add_epi16(_mm_mullo_epi16(r, op), _mm_mullo_epi16(b, iop)));
}

template <class Mode>
void blendRow(uint8_t *bot, const uint8_t *top, int n, int opacity)
{
    const Ctx c;
    const __m128i op = _mm_set1_epi16(short(opacity));
    const __m128i iop = _mm_set1_epi16(short(255 - opacity));
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i t = _mm_loadu_si128(reinterpret_cast<const __m128i *>(top + i));
        __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bot + i));
        __m128i lo = blend8<Mode>(c, _mm_unpacklo_epi8(t, c.zero), _mm_unpacklo_epi8(b, c.zero), op, iop);
        __m128i hi = blend8<Mode>(c, _mm_unpackhi_epi8(t, c.zero), _mm_unpackhi_epi8(b, c.zero), op, iop);
        _mm_storeu_si128(reinterpret_cast<__m128i *>(bot + i), _mm_packus_epi16(lo, hi));
    }
    // what is left goes through a bounce buffer, so that there is one formula only
    while (i < n) {
        const int m = n - i < 8 ? n - i : 8;
        uint8_t tb[8] = {0}, bb[8] = {0};
        std::memcpy(tb, top + i, m);
        std::memcpy(bb, bot + i, m);
        __m128i t = _mm_cvtepu8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(tb)));
        __m128i b = _mm_cvtepu8_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(bb)));
        b = blend8<Mode>(c, t, b, op, iop);
        _mm_storel_epi64(reinterpret_cast<__m128i *>(bb), _mm_packus_epi16(b, b));
        std::memcpy(bot + i, bb, m);
        i += m;
    }
}

} // namespace

void layerMultiply(uint8_t *bot, const uint8_t *top, int n, int opacity) { blendRow<Multiply>(bot, top, n, opacity); }
void layerScreen(uint8_t *bot, const uint8_t *top, int n, int opacity) { blendRow<Screen>(bot, top, n, opacity); }
void layerOverlay(uint8_t *bot, const uint8_t *top, int n, int opacity) { blendRow<Overlay>(bot, top, n, opacity); }
void layerHardLight(uint8_t *bot, const uint8_t *top, int n, int opacity) { blendRow<HardLight>(bot, top, n, opacity); }
void layerSoftLight(uint8_t *bot, const uint8_t *top, int n, int opacity) { blendRow<SoftLight>(bot, top, n, opacity); }
void layerExclusion(uint8_t *bot, const uint8_t *top, int n, int opacity) { blendRow<Exclusion>(bot, top, n, opacity); }

// The modes below are full opacity only: the tile code bakes opacity into the layer.

void layerDifference(uint8_t *bot, const uint8_t *top, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i t = _mm_loadu_si128((const __m128i *)(top + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(bot + i));
        b = _mm_or_si128(_mm_subs_epu8(t, b), _mm_subs_epu8(b, t));
        _mm_storeu_si128((__m128i *)(bot + i), b);
    }
    for (; i < n; i++)
        bot[i] = uint8_t(top[i] > bot[i] ? top[i] - bot[i] : bot[i] - top[i]);
}

// Darken and lighten where the layer mask allows: mask bytes are 0 or 255.
void layerDarkenMasked(uint8_t *bot, const uint8_t *top, const uint8_t *mask, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i t = _mm_loadu_si128((const __m128i *)(top + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(bot + i));
        __m128i m = _mm_loadu_si128((const __m128i *)(mask + i));
        _mm_storeu_si128((__m128i *)(bot + i), _mm_blendv_epi8(b, _mm_min_epu8(t, b), m));
    }
    for (; i < n; i++)
        if (mask[i] & 0x80)
            bot[i] = top[i] < bot[i] ? top[i] : bot[i];
}

void layerLightenMasked(uint8_t *bot, const uint8_t *top, const uint8_t *mask, int n)
{
    // max against zero is the identity, so masking the source is enough
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i t = _mm_and_si128(_mm_loadu_si128((const __m128i *)(top + i)),
                                  _mm_loadu_si128((const __m128i *)(mask + i)));
        __m128i b = _mm_loadu_si128((const __m128i *)(bot + i));
        _mm_storeu_si128((__m128i *)(bot + i), _mm_max_epu8(t, b));
    }
    for (; i < n; i++) {
        uint8_t t = top[i] & mask[i];
        if (t > bot[i])
            bot[i] = t;
    }
}

// dodge = bot / (1 - top). Integer quotients up to 65025 are exact in float after
// truncation, see the unit test; top == 255 divides by zero and is replaced.
void layerDodge(uint8_t *bot, const uint8_t *top, int n)
{
    const __m128 f255 = _mm_set1_ps(255.0f);
    const __m128i i255 = _mm_set1_epi32(255);
    const __m128i zero = _mm_setzero_si128();
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        int tv, bv;
        std::memcpy(&tv, top + i, 4);
        std::memcpy(&bv, bot + i, 4);
        __m128i t = _mm_sub_epi32(i255, _mm_cvtepu8_epi32(_mm_cvtsi32_si128(tv)));
        __m128i b = _mm_cvtepu8_epi32(_mm_cvtsi32_si128(bv));
        __m128 q = _mm_div_ps(_mm_mul_ps(_mm_cvtepi32_ps(b), f255), _mm_cvtepi32_ps(t));
        __m128i r = _mm_cvttps_epi32(_mm_min_ps(q, f255));
        r = _mm_blendv_epi8(r, i255, _mm_cmpeq_epi32(t, zero));
        r = _mm_packs_epi32(r, r);
        r = _mm_packus_epi16(r, r);
        int out = _mm_cvtsi128_si32(r);
        std::memcpy(bot + i, &out, 4);
    }
    for (; i < n; i++) {
        int t = 255 - top[i];
        int q = t ? bot[i] * 255 / t : 255;
        bot[i] = uint8_t(q > 255 ? 255 : q);
    }
}

// burn = 1 - (1 - bot) / top through a table of 8.8 reciprocals; the caller owns the
// table, entry 0 is 0xffff, entry t is 65280 / t rounded up.
void layerBurn(uint8_t *bot, const uint8_t *top, int n, const uint16_t *recip)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i k255 = _mm_set1_epi16(255);
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m128i r = _mm_cvtsi32_si128(recip[top[i]]);
        r = _mm_insert_epi16(r, recip[top[i + 1]], 1);
        r = _mm_insert_epi16(r, recip[top[i + 2]], 2);
        r = _mm_insert_epi16(r, recip[top[i + 3]], 3);
        r = _mm_insert_epi16(r, recip[top[i + 4]], 4);
        r = _mm_insert_epi16(r, recip[top[i + 5]], 5);
        r = _mm_insert_epi16(r, recip[top[i + 6]], 6);
        r = _mm_insert_epi16(r, recip[top[i + 7]], 7);
        __m128i b = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(bot + i)), zero);
        b = _mm_sub_epi16(k255, b);
        // (ib * r) >> 8 without 32 bit products: high word in the upper, low word in the lower byte
        __m128i hi = _mm_mulhi_epu16(b, r);
        __m128i lo = _mm_mullo_epi16(b, r);
        __m128i q = _mm_or_si128(_mm_slli_epi16(hi, 8), _mm_srli_epi16(lo, 8));
        q = _mm_min_epu16(q, k255);
        q = _mm_sub_epi16(k255, q);
        _mm_storel_epi64((__m128i *)(bot + i), _mm_packus_epi16(q, q));
    }
    for (; i < n; i++) {
        unsigned q = (255u - bot[i]) * recip[top[i]] >> 8;
        bot[i] = uint8_t(255 - (q > 255 ? 255 : q));
    }
}

// "Add" with scale and bias: (bot + top) * scale / 256 + bias, saturated.
void layerAddScaled(uint8_t *bot, const uint8_t *top, int n, int scale256, int bias)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i vscale = _mm_set1_epi16(short(scale256));
    const __m128i vbias = _mm_set1_epi16(short(bias));
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i t = _mm_loadu_si128((const __m128i *)(top + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(bot + i));
        __m128i lo = _mm_add_epi16(_mm_unpacklo_epi8(t, zero), _mm_unpacklo_epi8(b, zero));
        __m128i hi = _mm_add_epi16(_mm_unpackhi_epi8(t, zero), _mm_unpackhi_epi8(b, zero));
        // sum << 6 stays below 32768, the scale brings the other two bits of the shift
        lo = _mm_mulhi_epi16(_mm_slli_epi16(lo, 6), _mm_slli_epi16(vscale, 2));
        hi = _mm_mulhi_epi16(_mm_slli_epi16(hi, 6), _mm_slli_epi16(vscale, 2));
        lo = _mm_adds_epi16(lo, vbias);
        hi = _mm_adds_epi16(hi, vbias);
        _mm_storeu_si128((__m128i *)(bot + i), _mm_packus_epi16(lo, hi));
    }
    for (; i < n; i++) {
        int v = ((bot[i] + top[i]) * scale256 >> 8) + bias;
        bot[i] = uint8_t(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}

// Grain merge: bot + top - 128, saturated. In two's complement this is one saturated add
// once top is taken as signed.
void layerGrainMerge(uint8_t *bot, const uint8_t *top, int n)
{
    const __m128i sign = _mm_set1_epi8(char(0x80));
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i t = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(top + i)), sign);
        __m128i b = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(bot + i)), sign);
        b = _mm_xor_si128(_mm_adds_epi8(b, t), sign);
        _mm_storeu_si128((__m128i *)(bot + i), b);
    }
    for (; i < n; i++) {
        int v = bot[i] + top[i] - 128;
        bot[i] = uint8_t(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}
