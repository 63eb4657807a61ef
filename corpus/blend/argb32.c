/*
 * argb32.c -- span routines for 32-bit ARGB and 16-bit 565 surfaces
 *
 * No assembler in here: this is the portable set that is used where the
 * MMX one cannot be.  Two channels are worked on at a time, in the even and
 * in the odd bytes of a word ("00rr00bb" and "aa00gg00"), which is what the
 * MMX code does with four.
 *
 * Pixels are 0xAARRGGBB in a machine word.  Spans never overlap.
 */

#include <stddef.h>
#include <stdint.h>

typedef uint32_t argb_t;
typedef uint16_t rgb16_t;

#define MASK_RB   0x00ff00ffu
#define MASK_AG   0xff00ff00u
#define MASK_RGB  0x00ffffffu
#define MASK_A    0xff000000u

#define A_OF(p)   ((p) >> 24)
#define R_OF(p)   (((p) >> 16) & 0xff)
#define G_OF(p)   (((p) >> 8) & 0xff)
#define B_OF(p)   ((p) & 0xff)
#define PACK(a, r, g, b) \
    (((argb_t)(a) << 24) | ((argb_t)(r) << 16) | ((argb_t)(g) << 8) | (argb_t)(b))

/* ---------------------------------------------------------------- fills */

/* Fill a span with one colour, four at a time. */
void argb_fill_span(argb_t *dst, argb_t colour, int count)
{
    int n = count >> 2;

    while (n-- > 0) {
        dst[0] = colour;
        dst[1] = colour;
        dst[2] = colour;
        dst[3] = colour;
        dst += 4;
    }
    n = count & 3;
    while (n-- > 0)
        *dst++ = colour;
}

/* Force a span to be opaque. */
void argb_opaque_span(argb_t *dst, int count)
{
    while (count-- > 0)
        *dst++ |= MASK_A;
}

/* Fill a rectangle; pitch is in bytes, as the blitter has it. */
void argb_fill_rect(uint8_t *bits, int pitch, int width, int height, argb_t colour)
{
    int x, y;

    for (y = 0; y < height; y++) {
        argb_t *row = (argb_t *)(bits + y * pitch);
        for (x = 0; x < width; x++)
            row[x] = colour;
    }
}

/* ------------------------------------------------------- blending, spans */

/* 50/50 mix without unpacking. */
void argb_average_span(argb_t *dst, const argb_t *src, int count)
{
    int i;

    for (i = 0; i < count; i++)
        dst[i] = ((dst[i] & 0xfefefefeu) >> 1) + ((src[i] & 0xfefefefeu) >> 1);
}

/* Exact average, rounded down: the shared bits and half of the others. */
void argb_average_exact_span(argb_t *dst, const argb_t *src, int count)
{
    int i;

    for (i = 0; i < count; i++)
        dst[i] = (dst[i] & src[i]) + (((dst[i] ^ src[i]) & 0xfefefefeu) >> 1);
}

/* Constant-alpha mix; alpha is 0..256. */
void argb_mix_span(argb_t *dst, const argb_t *src, int count, unsigned alpha)
{
    unsigned inv = 256 - alpha;

    while (count-- > 0) {
        argb_t s = *src++;
        argb_t d = *dst;
        argb_t rb = ((s & MASK_RB) * alpha + (d & MASK_RB) * inv) >> 8;
        argb_t ag = ((s >> 8) & MASK_RB) * alpha + ((d >> 8) & MASK_RB) * inv;
        *dst++ = (rb & MASK_RB) | (ag & MASK_AG);
    }
}

/* Premultiplied source over destination, with the usual short cuts. */
void argb_over_span(argb_t *dst, const argb_t *src, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        argb_t s = src[i];
        unsigned a = A_OF(s);

        if (a == 0)
            continue;
        if (a == 255) {
            dst[i] = s;
            continue;
        }
        {
            argb_t d = dst[i];
            unsigned inv = 256 - a;
            argb_t rb = (((d & MASK_RB) * inv) >> 8) & MASK_RB;
            argb_t ag = (((d >> 8) & MASK_RB) * inv) & MASK_AG;
            dst[i] = s + (rb | ag);
        }
    }
}

/* Saturating add by channel. */
void argb_add_span(argb_t *dst, const argb_t *src, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        argb_t d = dst[i], s = src[i];
        unsigned r = R_OF(d) + R_OF(s);
        unsigned g = G_OF(d) + G_OF(s);
        unsigned b = B_OF(d) + B_OF(s);

        if (r > 255) r = 255;
        if (g > 255) g = 255;
        if (b > 255) b = 255;
        dst[i] = PACK(A_OF(d), r, g, b);
    }
}

/* Saturating add of all four channels with the carry trick: no branches. */
void argb_add_carry_span(argb_t *dst, const argb_t *src, int count)
{
    while (count--) {
        argb_t rb = (*dst & MASK_RB) + (*src & MASK_RB);
        argb_t ag = ((*dst >> 8) & MASK_RB) + ((*src >> 8) & MASK_RB);

        rb |= 0x01000100u - ((rb >> 8) & 0x00010001u);
        ag |= 0x01000100u - ((ag >> 8) & 0x00010001u);
        *dst = (rb & MASK_RB) | ((ag & MASK_RB) << 8);
        dst++;
        src++;
    }
}

/* Multiply by channel, x/255 by the old (t + (t >> 8)) >> 8. */
void argb_multiply_span(argb_t *dst, const argb_t *src, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        unsigned r = R_OF(dst[i]) * R_OF(src[i]) + 128;
        unsigned g = G_OF(dst[i]) * G_OF(src[i]) + 128;
        unsigned b = B_OF(dst[i]) * B_OF(src[i]) + 128;

        dst[i] = (dst[i] & MASK_A) | (((r + (r >> 8)) >> 8) << 16)
               | (((g + (g >> 8)) >> 8) << 8) | ((b + (b >> 8)) >> 8);
    }
}

/* Darken towards black by 1/2 or 1/4, keeping alpha. */
void argb_shade_span(argb_t *dst, int count, int quarter)
{
    int i;

    if (quarter) {
        for (i = 0; i < count; i++)
            dst[i] = (dst[i] & MASK_A) | ((dst[i] >> 2) & 0x003f3f3fu);
    } else {
        for (i = 0; i < count; i++)
            dst[i] = (dst[i] & MASK_A) | ((dst[i] >> 1) & 0x007f7f7fu);
    }
}

/* Colour key: source pixels of the key colour are left out. */
void argb_key_span(argb_t *dst, const argb_t *src, int count, argb_t key)
{
    const argb_t *end = src + count;

    for (; src != end; src++, dst++)
        if ((*src & MASK_RGB) != (key & MASK_RGB))
            *dst = *src;
}

/* Constant colour through an 8-bit mask. */
void argb_mask_span(argb_t *dst, const uint8_t *mask, argb_t colour, int count)
{
    argb_t crb = colour & MASK_RB, cag = (colour >> 8) & MASK_RB;
    int i;

    for (i = 0; i < count; i++) {
        unsigned m = mask[i] + (mask[i] >> 7);
        argb_t d = dst[i];
        argb_t rb = (crb * m + (d & MASK_RB) * (256 - m)) >> 8;
        argb_t ag = cag * m + ((d >> 8) & MASK_RB) * (256 - m);

        dst[i] = (rb & MASK_RB) | (ag & MASK_AG);
    }
}

/* ----------------------------------------------------- bytes and words */

/* Exchange red and blue: ARGB <-> ABGR. */
void argb_swap_rb(argb_t *dst, const argb_t *src, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        argb_t p = src[i];
        dst[i] = (p & MASK_AG) | ((p & 0xff) << 16) | ((p >> 16) & 0xff);
    }
}

/* The same in place, through a pointer to the bytes. */
void argb_swap_rb_bytes(argb_t *pixels, int count)
{
    uint8_t *p = (uint8_t *)pixels;

    while (count-- > 0) {
        uint8_t t = p[0];
        p[0] = p[2];
        p[2] = t;
        p += 4;
    }
}

/* Set the alpha byte of each pixel from a mask. */
void argb_set_alpha(argb_t *pixels, const uint8_t *alpha, int count)
{
    int i;

    for (i = 0; i < count; i++)
        ((uint8_t *)(pixels + i))[3] = alpha[i];
}

/* Negative of the three colours, a word at a time in a byte buffer. */
void argb_negate_bits(void *bits, int count)
{
    argb_t *p = (argb_t *)bits;

    for (; count > 0; --count, ++p)
        *p = *p ^ MASK_RGB;
}

/* Take a surface apart into planes. */
void argb_split(const argb_t *src, uint8_t *a, uint8_t *r, uint8_t *g, uint8_t *b, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        argb_t p = src[i];
        a[i] = (uint8_t)A_OF(p);
        r[i] = (uint8_t)R_OF(p);
        g[i] = (uint8_t)G_OF(p);
        b[i] = (uint8_t)B_OF(p);
    }
}

/* ...and put it together again. */
void argb_join(argb_t *dst, const uint8_t *a, const uint8_t *r, const uint8_t *g,
               const uint8_t *b, int count)
{
    while (count-- > 0)
        *dst++ = PACK(*a++, *r++, *g++, *b++);
}

/* ------------------------------------------------------------------ 565 */

void argb_to_565(rgb16_t *dst, const argb_t *src, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        argb_t p = src[i];
        dst[i] = (rgb16_t)(((p >> 8) & 0xf800) | ((p >> 5) & 0x07e0) | ((p >> 3) & 0x001f));
    }
}

void argb_from_565(argb_t *dst, const rgb16_t *src, int count)
{
    while (count-- > 0) {
        unsigned c = *src++;
        unsigned r = (c >> 11) & 31, g = (c >> 5) & 63, b = c & 31;
        *dst++ = PACK(255, (r << 3) | (r >> 2), (g << 2) | (g >> 4), (b << 3) | (b >> 2));
    }
}

/* 50/50 in 565. */
void rgb16_average_span(rgb16_t *dst, const rgb16_t *src, int count)
{
    while (count-- > 0) {
        *dst = (rgb16_t)(((*dst & 0xf7de) >> 1) + ((*src & 0xf7de) >> 1));
        dst++;
        src++;
    }
}

/* 565 mix with a 5-bit alpha, all three channels in one multiplication. */
void rgb16_mix_span(rgb16_t *dst, const rgb16_t *src, int count, unsigned alpha5)
{
    int i;

    for (i = 0; i < count; i++) {
        uint32_t d = (dst[i] | ((uint32_t)dst[i] << 16)) & 0x07e0f81f;
        uint32_t s = (src[i] | ((uint32_t)src[i] << 16)) & 0x07e0f81f;

        d += ((s - d) * alpha5) >> 5;
        d &= 0x07e0f81f;
        dst[i] = (rgb16_t)(d | (d >> 16));
    }
}
