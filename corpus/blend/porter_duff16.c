/* pd16 - compositing of 16 bit premultiplied RGBA
 *
 * pd16 is a plain C99 library without dependencies. A pixel is four uint16_t, red first, alpha
 * last; colours are multiplied by alpha (so none exceeds it). A "row" is len such pixels.
 * Functions with _rect take images; their strides count uint16_t, not bytes or pixels.
 *
 * The mask, where there is one, holds one uint16_t (or, with _m8, one uint8_t) a pixel.
 */

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PD16_CHANNELS 4
#define PD16_ALPHA    3
#define PD16_ONE      0xffffu

#define PD16_MIN(a, b) ((a) < (b) ? (a) : (b))
#define PD16_MAX(a, b) ((a) > (b) ? (a) : (b))

/* one whole loop over the pixels of a row; the body sees d, s, and both alphas */
#define PD16_FOR_EACH_PIXEL(dst, src, len)                                                        \
    uint16_t *d = (dst);                                                                          \
    const uint16_t *s = (src);                                                                    \
    for (size_t left = (len); left > 0; --left, d += PD16_CHANNELS, s += PD16_CHANNELS)

/* round(a * b / 65535) */
static inline uint16_t pd16_mul(uint16_t a, uint16_t b)
{
    uint32_t t = (uint32_t)a * b + 0x8000u;
    return (uint16_t)((t + (t >> 16)) >> 16);
}

static inline uint16_t pd16_inv(uint16_t a)
{
    return (uint16_t)(PD16_ONE - a);
}

static inline uint16_t pd16_add_sat(uint16_t a, uint16_t b)
{
    uint32_t t = (uint32_t)a + b;
    return (uint16_t)(t > PD16_ONE ? PD16_ONE : t);
}

/* round(a * 65535 / b), 65535 at most; b must not be 0 */
static inline uint16_t pd16_div(uint16_t a, uint16_t b)
{
    uint32_t t = ((uint32_t)a * PD16_ONE + b / 2u) / b;
    return (uint16_t)PD16_MIN(t, PD16_ONE);
}

/* ------------------------------------------------------------------ Porter and Duff */

void pd16_clear(uint16_t *dst, size_t len)
{
    memset(dst, 0, len * PD16_CHANNELS * sizeof(uint16_t));
}

void pd16_src_rect(uint16_t *dst, size_t dst_stride, const uint16_t *src, size_t src_stride,
                   size_t width, size_t height)
{
    size_t y;
    for (y = 0; y < height; y++)
        memcpy(dst + y * dst_stride, src + y * src_stride, width * PD16_CHANNELS * sizeof *dst);
}

void pd16_over(uint16_t *dst, const uint16_t *src, size_t len)
{
    size_t i, c;
    for (i = 0; i < len; i++) {
        const uint16_t ia = pd16_inv(src[i * PD16_CHANNELS + PD16_ALPHA]);
        for (c = 0; c < PD16_CHANNELS; c++) {
            uint16_t *p = dst + i * PD16_CHANNELS + c;
            *p = (uint16_t)(src[i * PD16_CHANNELS + c] + pd16_mul(*p, ia));
        }
    }
}

/* the same with the shortcuts for transparent and opaque pixels, as text needs them */
void pd16_over_sparse(uint16_t *dst, const uint16_t *src, size_t len)
{
    PD16_FOR_EACH_PIXEL (dst, src, len) {
        if (s[PD16_ALPHA] == 0)
            continue;
        if (s[PD16_ALPHA] == PD16_ONE) {
            d[0] = s[0];
            d[1] = s[1];
            d[2] = s[2];
            d[3] = s[3];
            continue;
        }
        uint16_t ia = pd16_inv(s[PD16_ALPHA]);
        d[0] = pd16_add_sat(s[0], pd16_mul(d[0], ia));
        d[1] = pd16_add_sat(s[1], pd16_mul(d[1], ia));
        d[2] = pd16_add_sat(s[2], pd16_mul(d[2], ia));
        d[3] = pd16_add_sat(s[3], pd16_mul(d[3], ia));
    }
}

void pd16_dst_over(uint16_t *dst, const uint16_t *src, size_t len)
{
    PD16_FOR_EACH_PIXEL (dst, src, len) {
        const uint16_t ia = pd16_inv(d[PD16_ALPHA]);
        d[0] = pd16_add_sat(d[0], pd16_mul(s[0], ia));
        d[1] = pd16_add_sat(d[1], pd16_mul(s[1], ia));
        d[2] = pd16_add_sat(d[2], pd16_mul(s[2], ia));
        d[3] = pd16_add_sat(d[3], pd16_mul(s[3], ia));
    }
}

void pd16_in_rect(uint16_t *dst, size_t dst_stride, const uint16_t *src, size_t src_stride,
                  size_t width, size_t height)
{
    size_t x, y, c;
    for (y = 0; y < height; y++, dst += dst_stride, src += src_stride)
        for (x = 0; x < width; x++) {
            const uint16_t a = dst[x * PD16_CHANNELS + PD16_ALPHA];
            for (c = 0; c < PD16_CHANNELS; c++)
                dst[x * PD16_CHANNELS + c] = pd16_mul(src[x * PD16_CHANNELS + c], a);
        }
}

/* "in" with a bare mask: what clipping to a path comes down to */
void pd16_dst_in_mask(uint16_t *dst, const uint16_t *mask, size_t len)
{
    while (len-- > 0) {
        uint16_t m = *mask++;
        *dst = pd16_mul(*dst, m); dst++;
        *dst = pd16_mul(*dst, m); dst++;
        *dst = pd16_mul(*dst, m); dst++;
        *dst = pd16_mul(*dst, m); dst++;
    }
}

void pd16_out(uint16_t *dst, const uint16_t *src, size_t len)
{
    PD16_FOR_EACH_PIXEL (dst, src, len) {
        unsigned c;
        uint16_t ia = pd16_inv(d[PD16_ALPHA]);
        for (c = 0; c < PD16_CHANNELS; c++)
            d[c] = pd16_mul(s[c], ia);
    }
}

void pd16_dst_out_m8(uint16_t *dst, const uint8_t *mask, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        /* 8 to 16 bits: the byte twice */
        uint16_t ia = (uint16_t)(PD16_ONE - mask[i] * 0x0101u);
        for (size_t c = 0; c < PD16_CHANNELS; c++)
            dst[i * PD16_CHANNELS + c] = pd16_mul(dst[i * PD16_CHANNELS + c], ia);
    }
}

void pd16_atop(uint16_t *dst, const uint16_t *src, size_t len)
{
    PD16_FOR_EACH_PIXEL (dst, src, len) {
        const uint16_t ia = pd16_inv(s[PD16_ALPHA]);
        const uint16_t da = d[PD16_ALPHA];
        d[0] = pd16_add_sat(pd16_mul(s[0], da), pd16_mul(d[0], ia));
        d[1] = pd16_add_sat(pd16_mul(s[1], da), pd16_mul(d[1], ia));
        d[2] = pd16_add_sat(pd16_mul(s[2], da), pd16_mul(d[2], ia));
        /* alpha stays as it is */
    }
}

void pd16_dst_atop(uint16_t *dst, const uint16_t *src, size_t len)
{
    PD16_FOR_EACH_PIXEL (dst, src, len) {
        const uint16_t sa = s[PD16_ALPHA];
        const uint16_t ia = pd16_inv(d[PD16_ALPHA]);
        d[0] = pd16_add_sat(pd16_mul(d[0], sa), pd16_mul(s[0], ia));
        d[1] = pd16_add_sat(pd16_mul(d[1], sa), pd16_mul(s[1], ia));
        d[2] = pd16_add_sat(pd16_mul(d[2], sa), pd16_mul(s[2], ia));
        d[3] = sa;
    }
}

void pd16_xor(uint16_t *restrict dst, const uint16_t *restrict a, const uint16_t *restrict b,
              size_t len)
{
    const uint16_t *const end = a + len * PD16_CHANNELS;
    while (a != end) {
        uint16_t ia = pd16_inv(a[PD16_ALPHA]), ib = pd16_inv(b[PD16_ALPHA]);
        int c = PD16_CHANNELS;
        while (c--) {
            *dst++ = pd16_add_sat(pd16_mul(*a, ib), pd16_mul(*b, ia));
            a++;
            b++;
        }
    }
}

/* ---------------------------------------------------------------------- arithmetic */

void pd16_plus(uint16_t *dst, const uint16_t *src, size_t len)
{
    size_t n = len * PD16_CHANNELS;
    for (size_t i = 0; i < n; i++) {
        uint16_t sum = (uint16_t)(dst[i] + src[i]);
        dst[i] = sum < src[i] ? 0xffff : sum;   /* it has wrapped around */
    }
}

void pd16_minus_m16(uint16_t *dst, const uint16_t *src, const uint16_t *mask, size_t len)
{
    for (size_t i = 0; i < len; i++)
        for (size_t c = 0; c < PD16_ALPHA; c++) {
            size_t k = i * PD16_CHANNELS + c;
            uint16_t s = pd16_mul(src[k], mask[i]);
            dst[k] = dst[k] > s ? (uint16_t)(dst[k] - s) : 0;
        }
}

/* k1 * a * b + k2 * a + k3 * b + k4, the constants in 1/256ths, as filters have it */
void pd16_arithmetic(uint16_t *dst, const uint16_t *a, const uint16_t *b, size_t len,
                     int16_t k1, int16_t k2, int16_t k3, int16_t k4)
{
    for (size_t i = 0; i < len * PD16_CHANNELS; i++) {
        int64_t v = (int64_t)k1 * pd16_mul(a[i], b[i]) + (int64_t)k2 * a[i] + (int64_t)k3 * b[i]
                    + (int64_t)k4 * PD16_ONE;
        v = (v + 128) >> 8;
        if (v < 0)
            v = 0;
        else if (v > PD16_ONE)
            v = PD16_ONE;
        dst[i] = (uint16_t)v;
    }
}

void pd16_average(uint16_t *dst, const uint16_t *src, size_t len)
{
    for (size_t i = 0; i < len * 4; ++i)
        dst[i] = (uint16_t)(((uint32_t)dst[i] + src[i] + 1) >> 1);
}

/* ---------------------------------------------------------------- separable modes */

void pd16_multiply(uint16_t *dst, const uint16_t *src, size_t len)
{
    PD16_FOR_EACH_PIXEL (dst, src, len) {
        uint16_t isa = pd16_inv(s[PD16_ALPHA]), ida = pd16_inv(d[PD16_ALPHA]);
        for (int c = 0; c < PD16_CHANNELS; c++) {
            uint32_t v = (uint32_t)pd16_mul(s[c], ida) + pd16_mul(d[c], isa) + pd16_mul(s[c], d[c]);
            d[c] = (uint16_t)PD16_MIN(v, PD16_ONE);
        }
    }
}

void pd16_screen_rect(uint16_t *dst, size_t dst_stride, const uint16_t *src, size_t src_stride,
                      size_t width, size_t height)
{
    while (height-- > 0) {
        for (size_t x = 0; x < width * PD16_CHANNELS; x++)
            dst[x] = (uint16_t)(dst[x] + src[x] - pd16_mul(dst[x], src[x]));
        dst += dst_stride;
        src += src_stride;
    }
}

/* s + d - max(s * da, d * sa) in 32.32, rounded once */
void pd16_darken(uint16_t *dst, const uint16_t *src, size_t len)
{
    PD16_FOR_EACH_PIXEL (dst, src, len) {
        uint64_t sa = s[3], da = d[3];
        for (int c = 0; c < 3; c++) {
            uint64_t sd = s[c] * da, ds = d[c] * sa;
            uint64_t v = ((uint64_t)s[c] + d[c]) * PD16_ONE - PD16_MAX(sd, ds);
            v = (v + PD16_ONE / 2) / PD16_ONE;
            d[c] = (uint16_t)PD16_MIN(v, PD16_ONE);
        }
        d[3] = (uint16_t)(sa + da - (sa * da + PD16_ONE / 2) / PD16_ONE);
    }
}

void pd16_lighten_opaque(uint16_t *dst, const uint16_t *src, size_t len)
{
    size_t i;
    for (i = 0; i + 4 <= len * 4; i += 4) {
        if (src[i + 0] > dst[i + 0]) dst[i + 0] = src[i + 0];
        if (src[i + 1] > dst[i + 1]) dst[i + 1] = src[i + 1];
        if (src[i + 2] > dst[i + 2]) dst[i + 2] = src[i + 2];
        dst[i + 3] = 0xffff;
    }
}

void pd16_difference_opaque(uint16_t *dst, const uint16_t *src, uint16_t opacity, size_t len)
{
    PD16_FOR_EACH_PIXEL (dst, src, len) {
        int c;
        for (c = 0; c < 3; c++) {
            uint16_t v = d[c] > s[c] ? d[c] - s[c] : s[c] - d[c];
            d[c] = (uint16_t)(pd16_mul(v, opacity) + pd16_mul(d[c], pd16_inv(opacity)));
        }
    }
}

/* ---------------------------------------------------------------------- conversions */

void pd16_premultiply(uint16_t *pixels, size_t len)
{
    uint16_t *p = pixels;
    uint16_t *const end = pixels + len * PD16_CHANNELS;
    for (; p != end; p += PD16_CHANNELS) {
        p[0] = pd16_mul(p[0], p[3]);
        p[1] = pd16_mul(p[1], p[3]);
        p[2] = pd16_mul(p[2], p[3]);
    }
}

void pd16_unpremultiply(uint16_t *dst, const uint16_t *src, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const uint16_t *s = &src[i * PD16_CHANNELS];
        uint16_t *d = &dst[i * PD16_CHANNELS];
        uint16_t a = s[PD16_ALPHA];
        if (a == 0) {
            d[0] = d[1] = d[2] = d[3] = 0;
        } else {
            d[0] = pd16_div(s[0], a);
            d[1] = pd16_div(s[1], a);
            d[2] = pd16_div(s[2], a);
            d[3] = a;
        }
    }
}
