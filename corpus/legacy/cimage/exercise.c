/*
 * exercise.c - calls everything, prints a hash a function and case group
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cimage.h"

static uint64_t H;
static uint32_t seed = 1;
static int nraised;

static void hreset(void) { H = 1469598103934665603ULL; }
static void hbytes(const void *p, size_t n)
{
    const unsigned char *b = p;
    while (n--) { H ^= *b++; H *= 1099511628211ULL; }
}
static void hint(long v)
{
    unsigned char b[8];
    int i;
    for (i = 0; i < 8; i++) b[i] = (unsigned char)((uint64_t)(int64_t)v >> (8 * i));
    hbytes(b, 8);
}
static uint32_t rnd(void)
{
    seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5;
    return seed;
}
static void say(const char *fn, const char *cs)
{
    printf("%s %s %016llx\n", fn, cs, (unsigned long long)H);
    hreset();
}

typedef struct { ci_image *im; unsigned char *mem; size_t size; } timg;
enum { TIGHT, PADDED, BOTTOMUP, SHUFFLED, NLAY };

static timg mk(int w, int h, int nc, ci_type t, int lay)
{
    timg r;
    size_t i, pitch = (size_t)w * nc * ci_typesize(t);
    if (lay != TIGHT) pitch = ((pitch + 3) & ~(size_t)3) + 12;
    r.size = pitch * h + 4;
    r.mem = malloc(r.size);
    for (i = 0; i < r.size; i++) r.mem[i] = (unsigned char)(rnd() >> 7);
    if (rnd() % 3 == 0)     /* some flat stretches */
        for (i = 0; i < r.size; i++) r.mem[i] = (unsigned char)(i / 9 % 3 * 127);
    if (t == CI_F32)
        for (i = 0; i + 4 <= r.size; i += 4) {
            float f = (float)(rnd() % 4000) / 2500.0f - 0.3f;
            memcpy(r.mem + i, &f, 4);
        }
    if (lay == BOTTOMUP && h > 0)
        r.im = ci_wrap(r.mem + (size_t)(h - 1) * pitch, -(ptrdiff_t)pitch, w, h, nc, t);
    else
        r.im = ci_wrap(r.mem, (ptrdiff_t)pitch, w, h, nc, t);
    if (lay == SHUFFLED)
        for (i = 0; i + 1 < (size_t)h; i += 2) {
            unsigned char *q = r.im->row[i];
            r.im->row[i] = r.im->row[i + 1];
            r.im->row[i + 1] = q;
        }
    return r;
}
static void rm(timg t) { ci_destroy(t.im); free(t.mem); }
static void himg(timg t) { hbytes(t.mem, t.size); }

static const int WS[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130 };
#define NSIZE 91
static void size_of(int i, int *w, int *h)
{
    if (i == 90) { *w = 211; *h = 40; return; }
    *w = WS[i % 10];
    *h = 1 + i / 10;
}
static const char *layname[NLAY] = { "tight", "padded", "bottomup", "shuffled" };

static void on_error(int code, const char *f, const char *n)
{
    (void)n;
    nraised++;
    hint(code);
    hbytes(f, strlen(f));
}

static int stop_at(void *user, int done, int total)
{
    hint(done); hint(total);
    return done >= *(int *)user;
}

#define EACH for (lay = 0; lay < NLAY; lay++) { for (k = 0; k < NSIZE; k++) { size_of(k, &w, &h);
#define DONE(fn) } say(fn, layname[lay]); }

static unsigned char lut4[4][256];

static void points(void)
{
    int lay, k, w, h, nc, m;
    EACH
        nc = 1 + k % 4;
        { timg a = mk(w, h, nc, CI_U8, lay), b = mk(w, h, nc, CI_U8, (lay + 1) % NLAY);
          hint(ci_copy(b.im, a.im)); himg(b); hint(ci_copy(a.im, a.im)); himg(a); rm(a); rm(b); }
        { timg a = mk(w, h, nc, CI_S16, lay), b = mk(w, h, nc, CI_S16, lay);
          hint(ci_copy(b.im, a.im)); himg(b); rm(a); rm(b); }
    DONE("ci_copy")
    EACH
        static const unsigned char flat[4] = { 9, 9, 9, 9 }, col[4] = { 1, 200, 3, 77 };
        ci_rect r; r.x = -2 + k % 5; r.y = k % 3 - 1; r.w = 1 + k % 40; r.h = 4;
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay);
            hint(ci_fill_u8(a.im, col, &r)); himg(a);
            hint(ci_fill_u8(a.im, flat, &r)); himg(a);
            hint(ci_fill_u8(a.im, nc & 1 ? col : flat, NULL)); himg(a);
            rm(a);
        }
    DONE("ci_fill_u8")
    EACH
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay), b = mk(w, h, nc, CI_U8, (lay + k) % NLAY);
            hint(ci_lut_u8(b.im, a.im, (const unsigned char (*)[256])lut4, 1)); himg(b);
            hint(ci_lut_u8(b.im, a.im, (const unsigned char (*)[256])lut4, nc)); himg(b);
            hint(ci_lut_u8(a.im, a.im, (const unsigned char (*)[256])lut4, nc)); himg(a);
            rm(a); rm(b);
        }
    DONE("ci_lut_u8")
    EACH
        nc = 1 + k % 4;
        { timg a = mk(w, h, nc, CI_U8, lay), b = mk(w, h, nc, CI_U8, (lay + 1) % NLAY), d = mk(w, h, nc, CI_U8, lay);
          hint(ci_add_u8(d.im, a.im, b.im)); himg(d); hint(ci_add_u8(a.im, a.im, b.im)); himg(a);
          hint(ci_add_u8(b.im, b.im, b.im)); himg(b); rm(a); rm(b); rm(d); }
    DONE("ci_add_u8")
    EACH
        nc = 1 + k % 4;
        { timg a = mk(w, h, nc, CI_S16, lay), b = mk(w, h, nc, CI_S16, (lay + 1) % NLAY), d = mk(w, h, nc, CI_S16, lay);
          hint(ci_add_s16(d.im, a.im, b.im)); himg(d); hint(ci_add_s16(a.im, a.im, b.im)); himg(a); rm(a); rm(b); rm(d); }
    DONE("ci_add_s16")
    EACH
        nc = 1 + k % 4;
        { timg a = mk(w, h, nc, CI_F32, lay), b = mk(w, h, nc, CI_F32, (lay + 1) % NLAY), d = mk(w, h, nc, CI_F32, lay);
          hint(ci_add_f32(d.im, a.im, b.im)); himg(d); hint(ci_add_f32(b.im, a.im, b.im)); himg(b); rm(a); rm(b); rm(d); }
    DONE("ci_add_f32")
    EACH
        static const int op[5] = { 255, 0, 128, 300, -4 };
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay), b = mk(w, h, nc, CI_U8, (lay + 1) % NLAY), m1 = mk(w + k % 2, h, 1, CI_U8, lay);
            hint(ci_blend_u8(a.im, b.im, NULL, op[k % 5])); himg(a);
            hint(ci_blend_u8(a.im, b.im, m1.im, op[(k + nc) % 5])); himg(a);
            hint(ci_blend_u8(a.im, b.im, m1.im, 255)); himg(a);
            rm(a); rm(b); rm(m1);
        }
    DONE("ci_blend_u8")
    EACH
        static const long g[4] = { 4096, 5000, 1, 65535 };
        static const long g2[4] = { 4096, 4095, 0, 12000 };
        static const int o[4] = { 0, -300, 70000, 12 };
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U16, lay);
            hint(ci_gain_u16(a.im, g, NULL)); himg(a); hint(ci_gain_u16(a.im, g2, o)); himg(a);
            hint(ci_gain_u16(a.im, g + (nc < 4), o)); himg(a); rm(a);
        }
    DONE("ci_gain_u16")
    EACH
        for (m = 0; m < 5; m++) {
            long n = -1;
            timg a = mk(w, h, 1 + k % 4, CI_U8, lay), d = mk(w, h, 1 + k % 4, CI_U8, lay);
            hint(ci_threshold_u8(d.im, a.im, 40 * (k % 8) - 20, (ci_thmode)m, &n)); himg(d); hint(n);
            hint(ci_threshold_u8(a.im, a.im, 130, (ci_thmode)m, NULL)); himg(a); rm(a); rm(d);
        }
    DONE("ci_threshold_u8")
}

static void conversions(void)
{
    int lay, k, w, h, nc, i, j;
    EACH
        nc = 1 + k % 4;
        for (i = 0; i < CI_NTYPES; i++) for (j = 0; j < CI_NTYPES; j++) {
            timg a = mk(w, h, nc, (ci_type)i, lay), d = mk(w, h, nc, (ci_type)j, (lay + 1) % NLAY);
            hint(ci_convert(d.im, a.im)); himg(d); rm(a); rm(d);
        }
    DONE("ci_convert")
    EACH
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay), d = mk(w, h, 1, CI_U8, (lay + 1) % NLAY);
            hint(ci_rgb2gray_u8(d.im, a.im)); himg(d); rm(a); rm(d);
        }
    DONE("ci_rgb2gray_u8")
    EACH
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay);
            hint(ci_premultiply_u8(a.im)); himg(a); rm(a);
        }
    DONE("ci_premultiply_u8")
}

static void filters(void)
{
    static const int K1[9] = { 1, 2, 1, 2, 4, 2, 1, 2, 1 }, K2[9] = { -1, -8, 3, 255, 9, -255, 0, 7, -2 };
    int lay, k, w, h, nc;
    EACH
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay), d = mk(w, h, nc, CI_U8, (lay + 1) % NLAY);
            hint(ci_box_u8(d.im, a.im, k % 6)); himg(d); hint(ci_box_u8(d.im, a.im, nc == 2 ? 40 : 1)); himg(d);
            hint(ci_box_u8(d.im, a.im, 128)); rm(a); rm(d);
        }
    DONE("ci_box_u8")
    EACH
        timg a = mk(w, h, 1, CI_U8, lay), d = mk(w, h, 1, CI_U8, (lay + 1) % NLAY);
        hint(ci_median3_u8(d.im, a.im)); himg(d); rm(a); rm(d);
    DONE("ci_median3_u8")
    EACH
        timg a = mk(w, h, 1, CI_S16, lay), d = mk(w, h, 1, CI_S16, (lay + 1) % NLAY);
        hint(ci_conv3x3_s16(d.im, a.im, K1, 4, 0)); himg(d);
        hint(ci_conv3x3_s16(d.im, a.im, K2, k % 9, -100 + k)); himg(d); rm(a); rm(d);
    DONE("ci_conv3x3_s16")
    EACH
        int stop = 3;
        timg a = mk(w, h, 1, CI_U8, lay), d = mk(w, h, 1, CI_U8, (lay + 1) % NLAY), e = mk(w, h, 1, CI_U8, lay);
        hint(ci_sobel_u8(d.im, NULL, a.im, NULL, NULL)); himg(d);
        hint(ci_sobel_u8(d.im, e.im, a.im, k & 1 ? stop_at : NULL, &stop)); himg(d); himg(e);
        rm(a); rm(d); rm(e);
    DONE("ci_sobel_u8")
    EACH
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay), d = mk(w, h, nc, CI_U8, (lay + 1) % NLAY);
            hint(ci_erode_u8(d.im, a.im)); himg(d); rm(a); rm(d);
        }
    DONE("ci_erode_u8")
    EACH
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay), d = mk(w, h, nc, CI_U8, (lay + 1) % NLAY);
            hint(ci_dilate_u8(d.im, a.im)); himg(d); rm(a); rm(d);
        }
    DONE("ci_dilate_u8")
    EACH
        timg a = mk(w, h, 1, CI_F32, lay), d = mk(w, h, 1, CI_F32, (lay + 1) % NLAY);
        hint(ci_smooth5_f32(d.im, a.im)); himg(d); hint(ci_smooth5_f32(a.im, a.im)); himg(a); rm(a); rm(d);
    DONE("ci_smooth5_f32")
}

static void geometry(void)
{
    int lay, k, w, h, nc, i;
    EACH
        for (i = 0; i < CI_NTYPES; i++) {
            timg a, d;
            nc = 1 + (k + i) % 4;
            a = mk(w, h, nc, (ci_type)i, lay); d = mk(w, h, nc, (ci_type)i, (lay + 1) % NLAY);
            hint(ci_flip_h(d.im, a.im)); himg(d); hint(ci_flip_h(a.im, a.im)); himg(a); rm(a); rm(d);
        }
    DONE("ci_flip_h")
    EACH
        for (i = 0; i < CI_NTYPES; i++) for (nc = 1; nc <= 3; nc++) {
            timg a = mk(w, h, nc, (ci_type)i, lay), d = mk(h, w, nc, (ci_type)i, (lay + 1) % NLAY);
            hint(ci_transpose(d.im, a.im)); himg(d); rm(a); rm(d);
        }
    DONE("ci_transpose")
    EACH
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_U8, lay), d = mk(w / 2, h / 2, nc, CI_U8, (lay + 1) % NLAY);
            hint(ci_halve_u8(d.im, a.im)); himg(d); rm(a); rm(d);
        }
    DONE("ci_halve_u8")
    EACH
        static const int dw[5] = { 1, 5, 33, 64, 131 }, dh[5] = { 2, 7, 1, 12, 9 };
        for (i = 0; i < 5; i++) {
            timg a, d;
            nc = 1 + (k + i) % 4;
            a = mk(w, h, nc, CI_U8, lay); d = mk(dw[i], dh[(i + k) % 5], nc, CI_U8, (lay + 1) % NLAY);
            hint(ci_zoom_u8(d.im, a.im, 0)); himg(d); hint(ci_zoom_u8(d.im, a.im, 1)); himg(d); rm(a); rm(d);
        }
    DONE("ci_zoom_u8")
}

static void statistics(void)
{
    int lay, k, w, h, nc, i;
    EACH
        for (nc = 1; nc <= 4; nc++) {
            unsigned long hi[256];
            timg a = mk(w, h, nc, CI_U8, lay), m = mk(w + 2, h, 1, CI_U8, lay);
            memset(hi, 0, sizeof hi);
            for (i = 0; i < w && h > 0; i += 3) m.im->row[h / 2][i] = 0;
            hint(ci_histogram_u8(a.im, nc - 1, NULL, hi)); for (i = 0; i < 256; i++) hint((long)hi[i]);
            hint(ci_histogram_u8(a.im, nc / 2, m.im, hi)); for (i = 0; i < 256; i++) hint((long)hi[i]);
            rm(a); rm(m);
        }
    DONE("ci_histogram_u8")
    EACH
        for (nc = 1; nc <= 4; nc++) {
            timg a = mk(w, h, nc, CI_S16, lay);
            for (i = 0; i <= nc; i++) {
                ci_stats s = ci_stats_s16(a.im, i);
                hint(s.n); hbytes(&s.mean, 8); hbytes(&s.var, 8); hbytes(&s.vmin, 8); hbytes(&s.vmax, 8);
            }
            rm(a);
        }
    DONE("ci_stats_s16")
    EACH
        timg a = mk(w, h, 1, CI_U8, lay);
        uint32_t **tab = malloc((h + 1) * sizeof *tab), *cells = malloc((h + 1) * (w + 3) * sizeof *cells);
        memset(cells, 0x5a, (h + 1) * (w + 3) * sizeof *cells);
        for (i = 0; i <= h; i++) tab[i] = cells + i * (w + 3);
        hint(ci_integral_u8(tab, a.im)); hbytes(cells, (h + 1) * (w + 3) * sizeof *cells);
        free(tab); free(cells); rm(a);
    DONE("ci_integral_u8")
    EACH
        size_t cap = (size_t)w * h * 3 * 2 + 2;
        unsigned char *o = malloc(cap);
        timg a = mk(w, h, 1 + k % 3, CI_U8, lay);
        memset(o, 0xee, cap);
        hint(ci_rle_pack_u8(o, cap, a.im)); hbytes(o, cap);
        hint(ci_rle_pack_u8(o, cap / 9, a.im)); hbytes(o, cap);
        free(o); rm(a);
    DONE("ci_rle_pack_u8")
}

static void refusals(void)
{
    ci_image *a = ci_create(7, 3, 1, CI_U8, 8), *b = ci_create(7, 3, 2, CI_S16, 1), *c = ci_create(0, 0, 1, CI_U8, 4);
    hint(ci_create(-1, 2, 1, CI_U8, 1) == NULL); hint(ci_create(2, 2, 5, CI_U8, 1) == NULL); hint(ci_create(2, 2, 1, CI_U8, 3) == NULL);
    hint(ci_add_u8(a, b, a)); hint(ci_add_u8(a, NULL, a)); hint(ci_median3_u8(a, a)); hint(ci_box_u8(c, a, 1));
    hint(ci_zoom_u8(a, c, 1)); hint(ci_transpose(a, a)); hint(ci_halve_u8(c, a)); hint(ci_copy(a, b)); hint(ci_convert(a, b));
    hint(a->pitch); hint(nraised);
    hbytes(ci_strerror(CI_EABORT), strlen(ci_strerror(CI_EABORT)));
    hbytes(ci_strerror(55), strlen(ci_strerror(55)));
    ci_destroy(a); ci_destroy(b); ci_destroy(c); ci_destroy(NULL);
    say("errors", "all");
}

int main(void)
{
    int i, j;
    hreset();
    for (i = 0; i < 4; i++)
        for (j = 0; j < 256; j++) lut4[i][j] = (unsigned char)(rnd() >> 5);
    ci_set_handler(on_error);
    points();
    conversions();
    filters();
    geometry();
    statistics();
    refusals();
    return 0;
}
