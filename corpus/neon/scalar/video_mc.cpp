/* video_mc.cpp - plain versions of the block kernels */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static uint8_t clip(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

void mc_avg_w16_neon_c(uint8_t *dst, ptrdiff_t ds, const uint8_t *a, ptrdiff_t as,
                       const uint8_t *b, ptrdiff_t bs, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * ds + x] = (uint8_t)((a[y * as + x] + b[y * bs + x] + 1) >> 1);
}

void mc_hpel_xy_neon_c(uint8_t *dst, ptrdiff_t ds, const uint8_t *src, ptrdiff_t ss,
                       int w, int h, int no_rnd)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *s = src + y * ss + x;
            dst[y * ds + x] = (uint8_t)((s[0] + s[1] + s[ss] + s[ss + 1] + (no_rnd ? 1 : 2)) >> 2);
        }
}

void mc_luma_h6_neon_c(uint8_t *dst, ptrdiff_t ds, const uint8_t *src, ptrdiff_t ss, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *s = src + y * ss + x;
            dst[y * ds + x] = clip((s[-2] - 5 * s[-1] + 20 * s[0] + 20 * s[1] - 5 * s[2] + s[3] + 16) >> 5);
        }
}

void mc_luma_v6_neon_c(uint8_t *dst, ptrdiff_t ds, const uint8_t *src, ptrdiff_t ss, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *s = src + y * ss + x;
            dst[y * ds + x] = clip((s[-2 * ss] - 5 * s[-ss] + 20 * s[0] + 20 * s[ss] - 5 * s[2 * ss] + s[3 * ss] + 16) >> 5);
        }
}

void mc_chroma_bilin_neon_c(uint8_t *dst, ptrdiff_t ds, const uint8_t *src, ptrdiff_t ss,
                            int w, int h, int mx, int my)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *s = src + y * ss + x;
            const int t = (8 - my) * ((8 - mx) * s[0] + mx * s[1]) + my * ((8 - mx) * s[ss] + mx * s[ss + 1]);
            dst[y * ds + x] = (uint8_t)((t + 32) >> 6);
        }
}

void mc_weight_bi_neon_c(uint8_t *dst, ptrdiff_t ds, const int16_t *p0, const int16_t *p1,
                         int w, int h, int w0, int w1, int shift, int offset)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int v = p0[y * w + x] * w0 + p1[y * w + x] * w1;
            dst[y * ds + x] = clip(((v + (1 << (shift - 1))) >> shift) + offset);
        }
}

uint32_t dist_sad_wxh_neon_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int w, int h)
{
    uint32_t sum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            sum += (uint32_t)abs(a[y * as + x] - b[y * bs + x]);
    return sum;
}

uint32_t dist_sad16_neon_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int h)
{
    return dist_sad_wxh_neon_c(a, as, b, bs, 16, h);
}

uint32_t dist_ssd_wxh_neon_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs, int w, int h)
{
    uint32_t sum = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int d = a[y * as + x] - b[y * bs + x];
            sum += (uint32_t)(d * d);
        }
    return sum;
}

int dist_satd4x4_neon_c(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs)
{
    int t[4][4], sum = 0;
    for (int y = 0; y < 4; y++) {
        int d[4];
        for (int x = 0; x < 4; x++)
            d[x] = a[y * as + x] - b[y * bs + x];
        const int s01 = d[0] + d[1], s23 = d[2] + d[3], t01 = d[0] - d[1], t23 = d[2] - d[3];
        t[y][0] = s01 + s23;
        t[y][1] = s01 - s23;
        t[y][2] = t01 + t23;
        t[y][3] = t01 - t23;
    }
    for (int x = 0; x < 4; x++) {
        const int s01 = t[0][x] + t[1][x], s23 = t[2][x] + t[3][x];
        const int t01 = t[0][x] - t[1][x], t23 = t[2][x] - t[3][x];
        sum += abs(s01 + s23) + abs(s01 - s23) + abs(t01 + t23) + abs(t01 - t23);
    }
    return (sum + 1) >> 1;
}

void pred_dc16_neon_c(uint8_t *dst, ptrdiff_t ds, const uint8_t *top, const uint8_t *left)
{
    int sum = 16;
    for (int i = 0; i < 16; i++)
        sum += top[i] + left[i];
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            dst[y * ds + x] = (uint8_t)(sum >> 5);
}

void idct4x4_add_neon_c(uint8_t *dst, ptrdiff_t ds, int16_t *coef)
{
    int16_t t[16], r[16];
    for (int i = 0; i < 4; i++) {
        const int16_t *c = coef + 4 * i;
        const int16_t e = (int16_t)(c[0] + c[2]), f = (int16_t)(c[0] - c[2]);
        const int16_t g = (int16_t)((c[1] >> 1) - c[3]), h = (int16_t)(c[1] + (c[3] >> 1));
        t[4 * i + 0] = (int16_t)(e + h);
        t[4 * i + 1] = (int16_t)(f + g);
        t[4 * i + 2] = (int16_t)(f - g);
        t[4 * i + 3] = (int16_t)(e - h);
    }
    for (int i = 0; i < 4; i++) {
        const int16_t *c = t + i;
        const int16_t e = (int16_t)(c[0] + c[8]), f = (int16_t)(c[0] - c[8]);
        const int16_t g = (int16_t)((c[4] >> 1) - c[12]), h = (int16_t)(c[4] + (c[12] >> 1));
        r[i] = (int16_t)(e + h);
        r[4 + i] = (int16_t)(f + g);
        r[8 + i] = (int16_t)(f - g);
        r[12 + i] = (int16_t)(e - h);
    }
    for (int i = 0; i < 16; i++) {
        uint8_t *d = dst + (i / 4) * ds + i % 4;
        *d = clip(*d + ((r[i] + 32) >> 6));
        coef[i] = 0;
    }
}

void deblock_luma_h_neon_c(uint8_t *pix, ptrdiff_t st, int w, int alpha, int beta, int tc)
{
    for (int x = 0; x < (w & ~15); x++) {
        uint8_t *p = pix + x;
        const int p1 = p[-2 * st], p0 = p[-st], q0 = p[0], q1 = p[st];
        if (abs(p0 - q0) >= alpha || abs(p1 - p0) >= beta || abs(q1 - q0) >= beta)
            continue;
        int d = (4 * (q0 - p0) + p1 - q1 + 4) >> 3;
        d = d < -tc ? -tc : d > tc ? tc : d;
        p[-st] = clip(p0 + d);
        p[0] = clip(q0 - d);
    }
}
