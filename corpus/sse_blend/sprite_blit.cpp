// flags: -msse2
//-----------------------------------------------------------------------------
// sprite_blit.cpp
//
// Software blitters of the 2D renderer: colour keyed sprites, fades, additive
// particles, layers clipped against a rectangle. 32 bit surfaces are XRGB or
// premultiplied ARGB, pitch is in pixels.
//-----------------------------------------------------------------------------

#include <emmintrin.h>
#include <stdint.h>

struct ClipRect { int x0, y0, x1, y1; };   // right and bottom exclusive

struct Layer
{
    uint32_t* pixels;
    int pitch;
    int width, height;
};

// Intersects the source placed at (x, y) with the destination and the clip; false if
// nothing is left. On return (sx, sy) is where to start in the source.
static bool ClipBlit(const Layer& dst, const Layer& src, const ClipRect& clip, int& x, int& y,
                     int& sx, int& sy, int& w, int& h)
{
    int cx0 = clip.x0 > 0 ? clip.x0 : 0, cy0 = clip.y0 > 0 ? clip.y0 : 0;
    int cx1 = clip.x1 < dst.width ? clip.x1 : dst.width;
    int cy1 = clip.y1 < dst.height ? clip.y1 : dst.height;
    sx = sy = 0;
    w = src.width;
    h = src.height;
    if (x < cx0) { sx = cx0 - x; w -= sx; x = cx0; }
    if (y < cy0) { sy = cy0 - y; h -= sy; y = cy0; }
    if (x + w > cx1) w = cx1 - x;
    if (y + h > cy1) h = cy1 - y;
    return w > 0 && h > 0;
}

static inline __m128i Select(__m128i mask, __m128i a, __m128i b)
{
    return _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b));
}

// Source pixels equal to key (alpha ignored) are left out.
void BlitColorKey32(uint32_t* dst, int dstPitch, const uint32_t* src, int srcPitch, int w, int h, uint32_t key)
{
    const __m128i rgb = _mm_set1_epi32(0x00ffffff);
    const __m128i k = _mm_set1_epi32((int)(key & 0x00ffffff));
    for (; h > 0; --h, dst += dstPitch, src += srcPitch)
    {
        int x = 0;
        for (; x + 4 <= w; x += 4)
        {
            __m128i s = _mm_loadu_si128((const __m128i*)(src + x));
            __m128i eq = _mm_cmpeq_epi32(_mm_and_si128(s, rgb), k);
            int bits = _mm_movemask_ps(_mm_castsi128_ps(eq));
            if (bits == 15)
                continue;
            if (bits == 0)
                _mm_storeu_si128((__m128i*)(dst + x), s);
            else
            {
                __m128i d = _mm_loadu_si128((const __m128i*)(dst + x));
                _mm_storeu_si128((__m128i*)(dst + x), Select(eq, d, s));
            }
        }
        for (; x < w; ++x)
            if ((src[x] & 0x00ffffff) != (key & 0x00ffffff))
                dst[x] = src[x];
    }
}

void BlitColorKey16(uint16_t* dst, const uint16_t* src, int n, uint16_t key)
{
    const __m128i k = _mm_set1_epi16((short)key);
    while (n >= 8)
    {
        __m128i s = _mm_loadu_si128((const __m128i*)src);
        __m128i d = _mm_loadu_si128((const __m128i*)dst);
        // d ^ ((d ^ s) & ~eq)
        __m128i eq = _mm_cmpeq_epi16(s, k);
        d = _mm_xor_si128(d, _mm_andnot_si128(eq, _mm_xor_si128(d, s)));
        _mm_storeu_si128((__m128i*)dst, d);
        dst += 8;
        src += 8;
        n -= 8;
    }
    switch (n)
    {
    case 7: if (src[6] != key) dst[6] = src[6]; /* fall through */
    case 6: if (src[5] != key) dst[5] = src[5]; /* fall through */
    case 5: if (src[4] != key) dst[4] = src[4]; /* fall through */
    case 4: if (src[3] != key) dst[3] = src[3]; /* fall through */
    case 3: if (src[2] != key) dst[2] = src[2]; /* fall through */
    case 2: if (src[1] != key) dst[1] = src[1]; /* fall through */
    case 1: if (src[0] != key) dst[0] = src[0];
    }
}

// Soft key for video sprites: alpha = clamp((|r-kr| + |g-kg| + |b-kb| - near) * gain / 16).
// Writes straight ARGB. near 0..765, gain 0..127.
void ChromaKeyAlpha(uint32_t* pix, int n, uint32_t key, int nearDist, int gain)
{
    const __m128i rgb = _mm_set1_epi32(0x00ffffff);
    const __m128i k = _mm_set1_epi32((int)(key & 0x00ffffff));
    const __m128i low = _mm_set1_epi32(0xff);
    const __m128i vnear = _mm_set1_epi32(nearDist);
    const __m128i vgain = _mm_set1_epi32(gain);
    const __m128i k255 = _mm_set1_epi32(255);
    const __m128i zero = _mm_setzero_si128();
    int i = 0;
    for (; i + 4 <= n; i += 4)
    {
        __m128i p = _mm_and_si128(_mm_loadu_si128((const __m128i*)(pix + i)), rgb);
        __m128i e = _mm_or_si128(_mm_subs_epu8(p, k), _mm_subs_epu8(k, p));
        __m128i sum = _mm_add_epi32(_mm_and_si128(e, low),
                      _mm_add_epi32(_mm_and_si128(_mm_srli_epi32(e, 8), low), _mm_srli_epi32(e, 16)));
        // distance minus near fits 16 bits; the upper half of the lane is zeroed by the max
        sum = _mm_max_epi16(_mm_sub_epi32(sum, vnear), zero);
        sum = _mm_and_si128(sum, _mm_set1_epi32(0xffff));
        sum = _mm_srli_epi32(_mm_madd_epi16(sum, vgain), 4);
        sum = _mm_min_epi16(_mm_packs_epi32(sum, sum), _mm_packs_epi32(k255, k255));
        sum = _mm_unpacklo_epi16(sum, zero);
        _mm_storeu_si128((__m128i*)(pix + i), _mm_or_si128(p, _mm_slli_epi32(sum, 24)));
    }
    for (; i < n; ++i)
    {
        int sum = -nearDist;
        for (int c = 0; c < 24; c += 8)
        {
            int e = (int)((pix[i] >> c) & 255) - (int)((key >> c) & 255);
            sum += e < 0 ? -e : e;
        }
        sum = sum < 0 ? 0 : (sum * gain) >> 4;
        pix[i] = (pix[i] & 0x00ffffff) | (uint32_t)(sum > 255 ? 255 : sum) << 24;
    }
}

// Fade to black, level 0..256. SWAR in vector registers: two multiplies per four pixels.
void FadeToBlack(uint32_t* pix, int pitch, int w, int h, int level)
{
    if (level >= 256)
        return;
    const __m128i m = _mm_set1_epi32(0x00ff00ff);
    const __m128i lv = _mm_set1_epi16((short)level);
    for (int y = 0; y < h; ++y, pix += pitch)
    {
        uint32_t* p = pix;
        uint32_t* const end = pix + w;
        for (; end - p >= 4; p += 4)
        {
            __m128i v = _mm_loadu_si128((const __m128i*)p);
            __m128i rb = _mm_srli_epi16(_mm_mullo_epi16(_mm_and_si128(v, m), lv), 8);
            __m128i ag = _mm_andnot_si128(m, _mm_mullo_epi16(_mm_srli_epi16(v, 8), lv));
            _mm_storeu_si128((__m128i*)p, _mm_or_si128(rb, ag));
        }
        for (; p != end; ++p)
        {
            uint32_t rb = ((*p & 0x00ff00ff) * (uint32_t)level >> 8) & 0x00ff00ff;
            uint32_t ag = ((*p >> 8) & 0x00ff00ff) * (uint32_t)level & 0xff00ff00;
            *p = rb | ag;
        }
    }
}

// Additive particle: dst + src * brightness / 256, clipped to the rectangle.
void BlitAdditiveClipped(const Layer* dst, const Layer* src, int x, int y, const ClipRect* clip, int brightness)
{
    int sx, sy, w, h;
    if (!ClipBlit(*dst, *src, *clip, x, y, sx, sy, w, h))
        return;
    uint32_t* d = dst->pixels + y * dst->pitch + x;
    const uint32_t* s = src->pixels + sy * src->pitch + sx;
    const __m128i zero = _mm_setzero_si128();
    const __m128i br = _mm_set1_epi16((short)brightness);
    do
    {
        int i = 0;
        for (; i <= w - 4; i += 4)
        {
            __m128i sv = _mm_loadu_si128((const __m128i*)(s + i));
            __m128i lo = _mm_srli_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8(sv, zero), br), 8);
            __m128i hi = _mm_srli_epi16(_mm_mullo_epi16(_mm_unpackhi_epi8(sv, zero), br), 8);
            __m128i dv = _mm_loadu_si128((const __m128i*)(d + i));
            _mm_storeu_si128((__m128i*)(d + i), _mm_adds_epu8(dv, _mm_packus_epi16(lo, hi)));
        }
        for (; i < w; ++i)
        {
            __m128i sv = _mm_unpacklo_epi8(_mm_cvtsi32_si128((int)s[i]), zero);
            sv = _mm_srli_epi16(_mm_mullo_epi16(sv, br), 8);
            sv = _mm_adds_epu8(_mm_packus_epi16(sv, sv), _mm_cvtsi32_si128((int)d[i]));
            d[i] = (uint32_t)_mm_cvtsi128_si32(sv);
        }
        d += dst->pitch;
        s += src->pitch;
    } while (--h);
}

// Premultiplied layer over the frame, clipped. (255 - a) / 256 with a += a >> 7, which is
// exact at both ends and dark by at most one in between.
void BlitLayerClipped(const Layer* dst, const Layer* src, int x, int y, const ClipRect* clip)
{
    int sx, sy, w, h;
    if (!ClipBlit(*dst, *src, *clip, x, y, sx, sy, w, h))
        return;
    const __m128i zero = _mm_setzero_si128();
    const __m128i k256 = _mm_set1_epi16(256);
    for (int row = 0; row < h; ++row)
    {
        uint32_t* d = dst->pixels + (y + row) * dst->pitch + x;
        const uint32_t* s = src->pixels + (sy + row) * src->pitch + sx;
        int n = w;
        // pairs: a pixel to each half of the register
        for (; n >= 2; n -= 2, d += 2, s += 2)
        {
            __m128i sv = _mm_loadl_epi64((const __m128i*)s);
            __m128i dv = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i*)d), zero);
            __m128i a = _mm_unpacklo_epi8(sv, zero);
            a = _mm_shufflelo_epi16(a, _MM_SHUFFLE(3, 3, 3, 3));
            a = _mm_shufflehi_epi16(a, _MM_SHUFFLE(3, 3, 3, 3));
            a = _mm_sub_epi16(k256, _mm_add_epi16(a, _mm_srli_epi16(a, 7)));
            dv = _mm_srli_epi16(_mm_mullo_epi16(dv, a), 8);
            _mm_storel_epi64((__m128i*)d, _mm_adds_epu8(_mm_packus_epi16(dv, dv), sv));
        }
        if (n)
        {
            uint32_t a = *s >> 24, out = 0;
            a = 256 - (a + (a >> 7));
            for (int c = 0; c < 32; c += 8)
            {
                uint32_t v = ((*d >> c & 255) * a >> 8) + (*s >> c & 255);
                out |= (v > 255 ? 255 : v) << c;
            }
            *d = out;
        }
    }
}

// Screen shake flash: averages the frame with a colour where the stencil bit is set. One
// stencil bit per pixel, low bit first, rows padded to whole bytes.
void FlashStencil(uint32_t* pix, int pitch, const uint8_t* stencil, int stencilPitch, int w, int h, uint32_t color)
{
    const __m128i c = _mm_set1_epi32((int)color);
    const __m128i bits = _mm_setr_epi32(1, 2, 4, 8);
    for (int y = 0; y < h; ++y)
    {
        uint32_t* p = pix + y * pitch;
        const uint8_t* st = stencil + y * stencilPitch;
        int x = 0;
        for (; x + 4 <= w; x += 4)
        {
            int nib = (st[x >> 3] >> (x & 4)) & 15;
            if (!nib)
                continue;
            __m128i m = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(nib), bits), bits);
            __m128i d = _mm_loadu_si128((const __m128i*)(p + x));
            _mm_storeu_si128((__m128i*)(p + x), Select(m, _mm_avg_epu8(d, c), d));
        }
        for (; x < w; ++x)
            if (st[x >> 3] >> (x & 7) & 1)
            {
                uint32_t o = 0;
                for (int k = 0; k < 32; k += 8)
                    o |= (((p[x] >> k & 255) + (color >> k & 255) + 1) >> 1) << k;
                p[x] = o;
            }
    }
}
