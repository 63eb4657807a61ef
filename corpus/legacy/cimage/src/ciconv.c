/*
 * ciconv.c - pixel type and colour conversions
 *
 * ci_convert() looks up a row routine in a type-by-type table.
 */
#include <string.h>
#include "ciint.h"

typedef void (*rowconv)(void *d, const void *s, int n);

static void u8_to_f32(void *dv, const void *sv, int n)
{
    float *d = (float *)dv;
    const unsigned char *s = (const unsigned char *)sv;
    while (n-- > 0)
        *d++ = (float)*s++ * (1.0f / 255.0f);
}

static void f32_to_u8(void *dv, const void *sv, int n)
{
    unsigned char *d = (unsigned char *)dv;
    const float *s = (const float *)sv;
    int i;
    for (i = 0; i < n; i++) {
        float v = s[i] * 255.0f + 0.5f;
        if (!(v > 0.0f))        /* also catches NaN */
            d[i] = 0;
        else if (v >= 255.0f)
            d[i] = 255;
        else
            d[i] = (unsigned char)v;
    }
}

static void u8_to_u16(void *dv, const void *sv, int n)
{
    unsigned short *d = (unsigned short *)dv;
    const unsigned char *s = (const unsigned char *)sv;
    int i;
    for (i = 0; i < n; i++)
        d[i] = (unsigned short)((s[i] << 8) | s[i]);
}

static void u16_to_u8(void *dv, const void *sv, int n)
{
    unsigned char *d = (unsigned char *)dv;
    const unsigned short *s = (const unsigned short *)sv;
    int i;
    for (i = 0; i < n; i++)
        d[i] = (unsigned char)((s[i] * 255UL + 32895UL) >> 16);
}

static void s16_to_u8(void *dv, const void *sv, int n)
{
    unsigned char *d = (unsigned char *)dv;
    const short *s = (const short *)sv, *e = s + n;
    while (s != e) {
        short v = *s++;
        *d++ = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}

static const rowconv convtab[CI_NTYPES][CI_NTYPES] = {
    /*              to U8       S16   U16        F32       */
    /* U8  */ { NULL,      NULL, u8_to_u16, u8_to_f32 },
    /* S16 */ { s16_to_u8, NULL, NULL,      NULL      },
    /* U16 */ { u16_to_u8, NULL, NULL,      NULL      },
    /* F32 */ { f32_to_u8, NULL, NULL,      NULL      }
};

int ci_convert(ci_image *dst, const ci_image *src)
{
    rowconv fn;
    int y;

    if (dst == NULL || src == NULL)
        return ci__raise(CI_EARG, "ci_convert", NULL);
    CI_SAMESIZE(dst, src, "ci_convert");
    if (dst->type == src->type)
        return ci_copy(dst, src);
    fn = convtab[src->type][dst->type];
    if (fn == NULL)
        return ci__raise(CI_ETYPE, "ci_convert", dst);
    for (y = 0; y < src->height; y++)
        (*fn)(dst->row[y], src->row[y], src->width * src->nchan);
    return CI_OK;
}

/* 3 or 4 channels in (the fourth is not looked at), or 1: then a plain copy */
int ci_rgb2gray_u8(ci_image *dst, const ci_image *src)
{
    static int ready = 0;
    static unsigned long rt[256], gt[256], bt[256];
    int x, y;

    CI_CHECK(dst, CI_U8, "ci_rgb2gray_u8");
    CI_CHECK(src, CI_U8, "ci_rgb2gray_u8");
    if (dst->nchan != 1)
        return ci__raise(CI_ECHAN, "ci_rgb2gray_u8", dst);
    if (dst->width != src->width || dst->height != src->height)
        return ci__raise(CI_ESIZE, "ci_rgb2gray_u8", dst);
    if (src->nchan == 1)
        return ci_copy(dst, src);
    if (src->nchan == 2)
        return ci__raise(CI_ECHAN, "ci_rgb2gray_u8", src);

    if (!ready) {
        for (x = 0; x < 256; x++) {
            rt[x] = 19595UL * x;
            gt[x] = 38470UL * x;
            bt[x] = 7471UL * x + 32768UL;
        }
        ready = 1;
    }
    for (y = 0; y < src->height; y++) {
        const unsigned char *s = ROW_U8(src, y);
        unsigned char *d = ROW_U8(dst, y);
        for (x = src->width; x > 0; x--) {
            *d++ = (unsigned char)((rt[s[0]] + gt[s[1]] + bt[s[2]]) >> 16);
            s += src->nchan;
        }
    }
    return CI_OK;
}

/* last channel is alpha; in place */
int ci_premultiply_u8(ci_image *im)
{
    int x, y;

    CI_CHECK(im, CI_U8, "ci_premultiply_u8");
    if (im->nchan != 2 && im->nchan != 4)
        return ci__raise(CI_ECHAN, "ci_premultiply_u8", im);
    if (im->nchan == 2) {
        for (y = 0; y < im->height; y++) {
            unsigned char (*px)[2] = (unsigned char (*)[2])im->row[y];
            for (x = 0; x < im->width; x++)
                px[x][0] = (unsigned char)((px[x][0] * px[x][1] + 127) / 255);
        }
        return CI_OK;
    }
    for (y = 0; y < im->height; y++) {
        unsigned char *p = ROW_U8(im, y);
        for (x = 0; x < im->width; x++, p += 4) {
            unsigned a = p[3];
            if (a == 255)
                continue;
            if (a == 0) {
                p[0] = p[1] = p[2] = 0;
                continue;
            }
            p[0] = (unsigned char)((p[0] * a + 127) / 255);
            p[1] = (unsigned char)((p[1] * a + 127) / 255);
            p[2] = (unsigned char)((p[2] * a + 127) / 255);
        }
    }
    return CI_OK;
}
