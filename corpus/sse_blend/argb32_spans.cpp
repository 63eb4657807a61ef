// flags: -msse2
// Raster span functions for premultiplied ARGB32 (0xAARRGGBB in a native word).
//
// Lengths count pixels, bytes-per-line count bytes. constAlpha is the painter's
// opacity, 0..255. Spans must be 4-byte aligned, nothing more.

#include <emmintrin.h>
#include <stdint.h>

typedef unsigned char uchar;
typedef unsigned int uint;

static inline uint pxMul(uint x, uint a)
{
    uint t = (x & 0xff00ff) * a;
    t = (t + ((t >> 8) & 0xff00ff) + 0x800080) >> 8;
    t &= 0xff00ff;
    x = ((x >> 8) & 0xff00ff) * a;
    x = (x + ((x >> 8) & 0xff00ff) + 0x800080);
    x &= 0xff00ff00;
    return x | t;
}

// Saturated per-channel sum; only badly premultiplied data ever saturates.
static inline uint pxAdd(uint x, uint y)
{
    uint rb = (x & 0xff00ff) + (y & 0xff00ff);
    uint ag = ((x >> 8) & 0xff00ff) + ((y >> 8) & 0xff00ff);
    rb |= 0x1000100 - ((rb >> 8) & 0xff00ff);
    ag |= 0x1000100 - ((ag >> 8) & 0xff00ff);
    return (rb & 0xff00ff) | ((ag & 0xff00ff) << 8);
}

// res = px * alpha / 255. alpha carries one factor in each 16 bit lane.
// The division is (t + (t >> 8) + 128) >> 8, as in pxMul, not the exact one:
// heads, bodies and tails of a span have to agree with each other.
#define PX_MUL(res, px, alpha)                                          \
    do {                                                                \
        __m128i ag_ = _mm_mullo_epi16(_mm_srli_epi16((px), 8), alpha);  \
        __m128i rb_ = _mm_mullo_epi16(_mm_and_si128((px), maskRB), alpha); \
        ag_ = _mm_add_epi16(ag_, _mm_srli_epi16(ag_, 8));               \
        rb_ = _mm_add_epi16(rb_, _mm_srli_epi16(rb_, 8));               \
        ag_ = _mm_add_epi16(ag_, half);                                 \
        rb_ = _mm_add_epi16(rb_, half);                                 \
        rb_ = _mm_srli_epi16(rb_, 8);                                   \
        ag_ = _mm_andnot_si128(maskRB, ag_);                            \
        (res) = _mm_or_si128(ag_, rb_);                                 \
    } while (0)

// Alpha of each pixel in both 16 bit lanes of that pixel.
#define PX_ALPHA(res, px)                                     \
    do {                                                      \
        __m128i a_ = _mm_srli_epi32((px), 24);                \
        (res) = _mm_or_si128(a_, _mm_slli_epi32(a_, 16));     \
    } while (0)

#define SSE2_CONSTANTS                                        \
    const __m128i maskRB = _mm_set1_epi32(0x00ff00ff);        \
    const __m128i half = _mm_set1_epi16(0x80);

#define ALIGN_HEAD(ptr, i, len) \
    for (; (i) < (len) && (reinterpret_cast<uintptr_t>((ptr) + (i)) & 0xf); ++(i))

void blendSourceOverArgb32_sse2(uchar *destPixels, int dbpl,
                                const uchar *srcPixels, int sbpl,
                                int w, int h, int constAlpha)
{
    const uint *src = reinterpret_cast<const uint *>(srcPixels);
    uint *dst = reinterpret_cast<uint *>(destPixels);

    SSE2_CONSTANTS
    const __m128i alphaMask = _mm_set1_epi32(int(0xff000000u));
    const __m128i colorFull = _mm_set1_epi16(0xff);
    const __m128i zero = _mm_setzero_si128();

    if (constAlpha == 255) {
        for (int y = 0; y < h; ++y) {
            int x = 0;
            ALIGN_HEAD(dst, x, w) {
                uint s = src[x];
                if (s >= 0xff000000)
                    dst[x] = s;
                else if (s != 0)
                    dst[x] = pxAdd(s, pxMul(dst[x], (~s) >> 24));
            }
            for (; x < w - 3; x += 4) {
                const __m128i s = _mm_loadu_si128(reinterpret_cast<const __m128i *>(src + x));
                const __m128i sa = _mm_and_si128(s, alphaMask);
                if (_mm_movemask_epi8(_mm_cmpeq_epi32(sa, alphaMask)) == 0xffff) {
                    _mm_store_si128(reinterpret_cast<__m128i *>(dst + x), s);
                } else if (_mm_movemask_epi8(_mm_cmpeq_epi32(s, zero)) != 0xffff) {
                    __m128i a, d;
                    PX_ALPHA(a, s);
                    a = _mm_sub_epi16(colorFull, a);
                    d = _mm_load_si128(reinterpret_cast<const __m128i *>(dst + x));
                    PX_MUL(d, d, a);
                    _mm_store_si128(reinterpret_cast<__m128i *>(dst + x), _mm_adds_epu8(s, d));
                }
            }
            for (; x < w; ++x) {
                uint s = src[x];
                if (s >= 0xff000000)
                    dst[x] = s;
                else if (s != 0)
                    dst[x] = pxAdd(s, pxMul(dst[x], (~s) >> 24));
            }
            dst = reinterpret_cast<uint *>(reinterpret_cast<uchar *>(dst) + dbpl);
            src = reinterpret_cast<const uint *>(reinterpret_cast<const uchar *>(src) + sbpl);
        }
    } else if (constAlpha != 0) {
        const __m128i ca = _mm_set1_epi16(short(constAlpha));
        for (int y = 0; y < h; ++y) {
            int x = 0;
            ALIGN_HEAD(dst, x, w) {
                uint s = pxMul(src[x], uint(constAlpha));
                dst[x] = pxAdd(s, pxMul(dst[x], (~s) >> 24));
            }
            for (; x < w - 3; x += 4) {
                __m128i s = _mm_loadu_si128(reinterpret_cast<const __m128i *>(src + x));
                if (_mm_movemask_epi8(_mm_cmpeq_epi32(s, zero)) == 0xffff)
                    continue;
                __m128i a, d;
                PX_MUL(s, s, ca);
                PX_ALPHA(a, s);
                a = _mm_sub_epi16(colorFull, a);
                d = _mm_load_si128(reinterpret_cast<const __m128i *>(dst + x));
                PX_MUL(d, d, a);
                _mm_store_si128(reinterpret_cast<__m128i *>(dst + x), _mm_adds_epu8(s, d));
            }
            for (; x < w; ++x) {
                uint s = pxMul(src[x], uint(constAlpha));
                dst[x] = pxAdd(s, pxMul(dst[x], (~s) >> 24));
            }
            dst = reinterpret_cast<uint *>(reinterpret_cast<uchar *>(dst) + dbpl);
            src = reinterpret_cast<const uint *>(reinterpret_cast<const uchar *>(src) + sbpl);
        }
    }
}

void compSolidSourceOver_sse2(uint *dst, int length, uint color, uint constAlpha)
{
    if (constAlpha != 255)
        color = pxMul(color, constAlpha);
    const uint minusAlpha = (~color) >> 24;
    int x = 0;

    SSE2_CONSTANTS
    const __m128i colorVector = _mm_set1_epi32(int(color));
    const __m128i minusAlphaVector = _mm_set1_epi16(short(minusAlpha));

    ALIGN_HEAD(dst, x, length)
        dst[x] = pxAdd(color, pxMul(dst[x], minusAlpha));

    for (; x < length - 3; x += 4) {
        __m128i d = _mm_load_si128(reinterpret_cast<__m128i *>(&dst[x]));
        PX_MUL(d, d, minusAlphaVector);
        d = _mm_adds_epu8(colorVector, d);
        _mm_store_si128(reinterpret_cast<__m128i *>(&dst[x]), d);
    }
    for (; x < length; ++x)
        dst[x] = pxAdd(color, pxMul(dst[x], minusAlpha));
}

void compDestinationOver_sse2(uint *dst, const uint *src, int length, uint constAlpha)
{
    SSE2_CONSTANTS
    const __m128i full = _mm_set1_epi16(0xff);
    const __m128i ca = _mm_set1_epi16(short(constAlpha));
    int i = 0;
    for (; i + 4 <= length; i += 4) {
        const __m128i d = _mm_loadu_si128((const __m128i *)(dst + i));
        __m128i s = _mm_loadu_si128((const __m128i *)(src + i));
        __m128i a;
        PX_ALPHA(a, d);
        a = _mm_sub_epi16(full, a);
        PX_MUL(s, s, ca);
        PX_MUL(s, s, a);
        _mm_storeu_si128((__m128i *)(dst + i), _mm_adds_epu8(d, s));
    }
    for (; i < length; ++i) {
        const uint d = dst[i];
        dst[i] = pxAdd(d, pxMul(pxMul(src[i], constAlpha), (~d) >> 24));
    }
}

// The "in" family leaves (255 - constAlpha) of the old pixel in place.
void compSourceIn_sse2(uint *dst, const uint *src, int length, uint constAlpha)
{
    SSE2_CONSTANTS
    const __m128i ca = _mm_set1_epi16(short(constAlpha));
    const __m128i cia = _mm_set1_epi16(short(255 - constAlpha));
    int i = 0;
    if (constAlpha == 255) {
        for (; i + 4 <= length; i += 4) {
            __m128i a, s = _mm_loadu_si128((const __m128i *)(src + i));
            PX_ALPHA(a, _mm_loadu_si128((const __m128i *)(dst + i)));
            PX_MUL(s, s, a);
            _mm_storeu_si128((__m128i *)(dst + i), s);
        }
        for (; i < length; ++i)
            dst[i] = pxMul(src[i], dst[i] >> 24);
        return;
    }
    for (; i + 4 <= length; i += 4) {
        __m128i d = _mm_loadu_si128((const __m128i *)(dst + i));
        __m128i s = _mm_loadu_si128((const __m128i *)(src + i));
        __m128i a;
        PX_ALPHA(a, d);
        PX_MUL(s, s, ca);
        PX_MUL(s, s, a);
        PX_MUL(d, d, cia);
        _mm_storeu_si128((__m128i *)(dst + i), _mm_adds_epu8(s, d));
    }
    for (; i < length; ++i) {
        const uint d = dst[i];
        const uint s = pxMul(src[i], constAlpha);
        dst[i] = pxAdd(pxMul(s, d >> 24), pxMul(d, 255 - constAlpha));
    }
}

void compDestinationOut_sse2(uint *dst, const uint *src, int length)
{
    SSE2_CONSTANTS
    const __m128i full = _mm_set1_epi16(0xff);
    // two vectors a turn, the loads of both ahead of the first store
    while (length >= 8) {
        __m128i s0 = _mm_loadu_si128((const __m128i *)src);
        __m128i s1 = _mm_loadu_si128((const __m128i *)(src + 4));
        __m128i d0 = _mm_loadu_si128((const __m128i *)dst);
        __m128i d1 = _mm_loadu_si128((const __m128i *)(dst + 4));
        PX_ALPHA(s0, s0);
        PX_ALPHA(s1, s1);
        s0 = _mm_xor_si128(s0, full);
        s1 = _mm_xor_si128(s1, full);
        PX_MUL(d0, d0, s0);
        PX_MUL(d1, d1, s1);
        _mm_storeu_si128((__m128i *)dst, d0);
        _mm_storeu_si128((__m128i *)(dst + 4), d1);
        src += 8;
        dst += 8;
        length -= 8;
    }
    while (length-- > 0) {
        *dst = pxMul(*dst, (~*src) >> 24);
        ++dst;
        ++src;
    }
}

void compSourceAtop_sse2(uint *dst, const uint *src, int length)
{
    SSE2_CONSTANTS
    const __m128i full = _mm_set1_epi16(0xff);
    const uint *const end = src + length;
    for (const uint *const vend = src + (length & ~3); src != vend; src += 4, dst += 4) {
        __m128i s = _mm_loadu_si128((const __m128i *)src);
        __m128i d = _mm_loadu_si128((const __m128i *)dst);
        __m128i sia, da;
        PX_ALPHA(sia, s);
        PX_ALPHA(da, d);
        sia = _mm_sub_epi16(full, sia);
        PX_MUL(s, s, da);
        PX_MUL(d, d, sia);
        _mm_storeu_si128((__m128i *)dst, _mm_adds_epu8(s, d));
    }
    for (; src != end; ++src, ++dst)
        *dst = pxAdd(pxMul(*src, *dst >> 24), pxMul(*dst, (~*src) >> 24));
}

void compXor_sse2(uint *dst, const uint *src, int length)
{
    SSE2_CONSTANTS
    const __m128i full = _mm_set1_epi16(0xff);
    int i = 0;
    for (; i < length - 3; i += 4) {
        __m128i s = _mm_loadu_si128((const __m128i *)(src + i));
        __m128i d = _mm_loadu_si128((const __m128i *)(dst + i));
        __m128i sia, dia;
        PX_ALPHA(sia, s);
        PX_ALPHA(dia, d);
        sia = _mm_sub_epi16(full, sia);
        dia = _mm_sub_epi16(full, dia);
        PX_MUL(s, s, dia);
        PX_MUL(d, d, sia);
        _mm_storeu_si128((__m128i *)(dst + i), _mm_adds_epu8(s, d));
    }
    for (; i < length; ++i)
        dst[i] = pxAdd(pxMul(src[i], (~dst[i]) >> 24), pxMul(dst[i], (~src[i]) >> 24));
}

void compPlus_sse2(uint *dst, const uint *src, int length, uint constAlpha)
{
    SSE2_CONSTANTS
    int i = 0;
    if (constAlpha == 255) {
        ALIGN_HEAD(dst, i, length)
            dst[i] = pxAdd(dst[i], src[i]);
        for (; i < length - 3; i += 4) {
            __m128i d = _mm_load_si128((const __m128i *)(dst + i));
            d = _mm_adds_epu8(d, _mm_loadu_si128((const __m128i *)(src + i)));
            _mm_store_si128((__m128i *)(dst + i), d);
        }
        for (; i < length; ++i)
            dst[i] = pxAdd(dst[i], src[i]);
    } else {
        const __m128i ca = _mm_set1_epi16(short(constAlpha));
        const __m128i cia = _mm_set1_epi16(short(255 - constAlpha));
        for (; i < length - 3; i += 4) {
            __m128i d = _mm_loadu_si128((const __m128i *)(dst + i));
            __m128i r = _mm_adds_epu8(d, _mm_loadu_si128((const __m128i *)(src + i)));
            PX_MUL(r, r, ca);
            PX_MUL(d, d, cia);
            _mm_storeu_si128((__m128i *)(dst + i), _mm_adds_epu8(r, d));
        }
        for (; i < length; ++i) {
            const uint r = pxAdd(dst[i], src[i]);
            dst[i] = pxAdd(pxMul(r, constAlpha), pxMul(dst[i], 255 - constAlpha));
        }
    }
}
