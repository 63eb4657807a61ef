/*
 * exercise.c -- calls everything and prints hashes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rescaler.h"

static uint64_t hs[4]; /* one each for names joined by a slash */
static int cur;
static uint32_t seed;

static void start(uint32_t s) { hs[0] = hs[1] = hs[2] = hs[3] = 14695981039346656037ull; cur = 0; seed = s * 2654435761u + 12345u; }
static uint32_t rnd(void) { seed = seed * 1664525u + 1013904223u; return seed >> 8; }

static void
mix(const void *p, size_t n)
{
    const uint8_t *b = p;
    size_t i;
    for (i = 0; i < n; i++) {
        hs[cur] = (hs[cur] ^ b[i]) * 1099511628211ull;
    }
}
static void mixi(int v) { int32_t i = v; mix(&i, sizeof(i)); }

static void
say(const char *fn, const char *c)
{
    for (cur = 0; *fn; cur++) {
        int n = (int)strcspn(fn, "/");
        printf("%.*s %s %016llx\n", n, fn, c, (unsigned long long)hs[cur]);
        fn += n + (fn[n] == '/');
    }
}


static const char *mode_names[] = {"L", "LA", "RGB", "RGBA", "L16LE", "L16BE", "I32", "F32", "RGBAF"};

typedef struct {
    rs_image *im;
    uint8_t *mem;
    size_t len;
} pic;

/* pad: extra bytes a row, neg: bottom row first */
static pic
mk(rs_mode mode, int w, int hh, int pad, int neg, int fill)
{
    pic p;
    size_t i, stride = ((size_t)(w * rs_mode_pixelsize(mode)) + 15) / 16 * 16 + (size_t)pad * 16;
    p.len = stride * (size_t)hh;
    p.mem = malloc(p.len + 16);
    for (i = 0; i < p.len; i++) {
        p.mem[i] = fill ? (uint8_t)rnd() : 0xcd;
    }
    if (fill && (mode == RS_MODE_F32 || mode == RS_MODE_RGBAF)) {
        for (i = 0; i + 4 <= p.len; i += 4) {
            float f = (float)(rnd() & 0xffff) / 4096.0f - (mode == RS_MODE_F32 ? 6.0f : 0.0f);
            if ((rnd() & 7) == 0) {
                f = 0.0f;
            }
            memcpy(p.mem + i, &f, 4);
        }
    } else if (fill && (mode == RS_MODE_RGBA || mode == RS_MODE_LA)) {
        for (i = 0; i < p.len; i++) {
            if ((rnd() & 15) < 4) {
                p.mem[i] = (rnd() & 1) ? 255 : 0;
            }
        }
    }
    if (neg && hh > 0) {
        p.im = rs_image_wrap(mode, w, hh, p.mem + stride * (size_t)(hh - 1), -(ptrdiff_t)stride);
    } else {
        p.im = rs_image_wrap(mode, w, hh, p.mem, (ptrdiff_t)stride);
    }
    return p;
}
static void done(pic *p) { rs_image_free(p->im); free(p->mem); }

static const int widths[] = {0, 1, 2, 3, 7, 16, 17, 64, 65, 130};
#define NW ((int)(sizeof(widths) / sizeof(widths[0])))
#define FOR_SIZES(w, hh) \
    for (int wi = 0, w = 0; wi < NW && (w = widths[wi], 1); wi++) \
        for (int hh = 1; hh <= 9; hh += (w > 16 ? 4 : 1))

static int
on_progress(void *opaque, int step, int steps)
{
    int *limit = opaque;
    mixi(step * 10 + steps);
    return limit && step >= *limit;
}

static void
test_resize(void)
{
    static const int targets[][2] = {{1, 1}, {3, 5}, {16, 9}, {33, 2}, {65, 4}};
    int m, f;
    for (m = 0; m < RS_MODE_COUNT; m++) {
        for (f = 0; f < RS_FILTER_COUNT; f++) {
            char name[64];
            start((uint32_t)(m * 31 + f));
            FOR_SIZES(w, hh) {
                for (int t = 0; t < 5; t++) {
                    pic a = mk(m, w, hh, t & 1, t == 3, 1);
                    pic b = mk(m, targets[t][0], targets[t][1], t == 2, t == 4, 0);
                    int limit = t == 1 ? 1 : 3;
                    mixi(rs_resize(b.im, a.im, f, NULL, t & 1 ? on_progress : NULL, &limit));
                    mix(b.mem, b.len);
                    if (w > 2 && hh > 2) {
                        float box[4] = {0.25f, 0.5f, (float)w - 0.75f, (float)hh - 0.25f};
                        mixi(rs_resize(b.im, a.im, f, box, NULL, NULL));
                        mix(b.mem, b.len);
                        box[0] = -1;
                        mixi(rs_resize(b.im, a.im, f, box, NULL, NULL));
                    }
                    done(&a);
                    done(&b);
                }
                /* one direction only, and none */
                pic a = mk(m, w, hh, 1, 0, 1);
                pic b = mk(m, w, hh + 2, 0, 0, 0), c = mk(m, w + 3, hh, 0, 1, 0), d = mk(m, w, hh, 0, 0, 0);
                mixi(rs_resize(b.im, a.im, f, NULL, NULL, NULL));
                mixi(rs_resize(c.im, a.im, f, NULL, NULL, NULL));
                mixi(rs_resize(d.im, a.im, f, NULL, NULL, NULL));
                mix(b.mem, b.len);
                mix(c.mem, c.len);
                mix(d.mem, d.len);
                done(&a); done(&b); done(&c); done(&d);
            }
            snprintf(name, sizeof(name), "%s-filter%d", mode_names[m], f);
            say("rs_resize", name);
        }
    }
    start(77);
    {
        pic a = mk(RS_MODE_RGBA, 200, 150, 1, 0, 1), b = mk(RS_MODE_RGBA, 91, 303, 0, 0, 0);
        mixi(rs_resize(b.im, a.im, RS_BICUBIC, NULL, NULL, NULL));
        mix(b.mem, b.len);
        done(&a); done(&b);
    }
    say("rs_resize", "large");
}

static void
test_image(void)
{
    int m;
    for (m = 0; m < RS_MODE_COUNT; m++) {
        start(100 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            for (int v = 0; v < 4; v++) {
                pic a = mk(m, w, hh, v & 1, v >> 1, 0);
                uint8_t px[16];
                for (int i = 0; i < 16; i++) px[i] = (uint8_t)rnd();
                mixi(rs_image_fill(a.im, v == 2 ? NULL : px));
                mix(a.mem, a.len);
                done(&a);
            }
        }
        say("rs_image_fill", mode_names[m]);
        start(200 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            for (int v = 0; v < 6; v++) {
                pic a = mk(m, w, hh, v & 1, v == 2, 1), b = mk(m, 20, 7, v == 1, v == 3, 0);
                int rect[4] = {v - 2, 1 - v % 3, 9 + v, 4 + v};
                mixi(rs_image_copy_rect(b.im, v * 3 - 5, v - 2, a.im, v ? rect : NULL));
                mix(b.mem, b.len);
                done(&a); done(&b);
            }
        }
        say("rs_image_copy_rect", mode_names[m]);
        start(300 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            for (int v = 0; v < 4; v++) {
                pic a = mk(m, w, hh, v & 1, v == 2, 1);
                if (w > 0) rs_image_flip(a.im, v & 1, v >> 1);
                mix(a.mem, a.len);
                done(&a);
            }
        }
        say("rs_image_flip", mode_names[m]);
        start(400 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            pic a = mk(m, w, hh, hh & 1, hh == 2, hh != 4);
            if (hh == 5) memset(a.mem, 0, a.len);
            if (hh == 7 && w) a.im->rows[3][(w / 2) * a.im->pixelsize] ^= 1;
            int bb[4] = {-1, -1, -1, -1};
            mixi(rs_image_alpha_extent(a.im, hh == 3 ? NULL : bb));
            mix(bb, sizeof(bb));
            done(&a);
        }
        say("rs_image_alpha_extent", mode_names[m]);
    }
}

static void
test_others(void)
{
    int m;
    for (m = 0; m < RS_MODE_COUNT; m++) {
        start(500 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            static const int to[][2] = {{0, 2}, {1, 1}, {5, 3}, {40, 9}};
            for (int v = 0; v < 4; v++) {
                pic a = mk(m, w, hh, v & 1, v == 1, 1), b = mk(m, to[v][0], to[v][1], v == 3, v == 2, 0);
                mixi(rs_resize_bilinear_fast(b.im, a.im));
                mix(b.mem, b.len);
                done(&a); done(&b);
            }
        }
        say("rs_resize_bilinear_fast", mode_names[m]);
        start(600 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            static const int sc[][2] = {{1, 1}, {2, 2}, {1, 2}, {1, 3}, {2, 1}, {3, 3}, {4, 2}, {5, 7}};
            for (int v = 0; v < 8; v++) {
                int xs = sc[v][0], ys = sc[v][1];
                pic a = mk(m, w, hh, v & 1, v == 1, 1), b = mk(m, (w + xs - 1) / xs, (hh + ys - 1) / ys, v == 3, v == 2, 0);
                mixi(rs_reduce(b.im, a.im, xs, ys));
                mix(b.mem, b.len);
                done(&a); done(&b);
            }
        }
        say("rs_reduce", mode_names[m]);
        start(700 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            for (int v = 0; v < 6; v++) {
                pic a = mk(m, w, hh, v & 1, v == 2, 1), b = mk(m, w, hh, v == 2, v == 3, 0);
                pic *o = v > 3 ? &a : &b;
                cur = !(v & 1);
                mixi(v & 1 ? rs_premultiply(o->im, a.im) : rs_unpremultiply(o->im, a.im));
                mix(o->mem, o->len);
                done(&a); done(&b);
            }
        }
        say("rs_premultiply/rs_unpremultiply", mode_names[m]);
        start(800 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            pic a = mk(RS_MODE_L, w, hh, hh & 1, hh == 2, 1), b = mk(m, w, hh, hh == 2, hh == 3, 0);
            mixi(rs_widen(b.im, a.im));
            mix(b.mem, b.len);
            done(&a); done(&b);
        }
        say("rs_widen", mode_names[m]);
        start(900 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            for (int v = 0; v < 4; v++) {
                float range[2] = {v - 3.0f, v == 3 ? 0.0f : 2.5f * v};
                pic a = mk(m, w, hh, v & 1, v == 2, 1), b = mk(RS_MODE_L, w, hh, v == 2, v == 3, 0);
                cur = 0;
                mixi(rs_narrow(b.im, a.im, v ? range : NULL));
                mix(b.mem, b.len);
                cur = 1;
                mixi(rs_narrow_diffused(b.im, a.im));
                mix(b.mem, b.len);
                done(&a); done(&b);
            }
        }
        say("rs_narrow/rs_narrow_diffused", mode_names[m]);
        start(1000 + (uint32_t)m);
        FOR_SIZES(w, hh) {
            static const int radii[] = {0, 1, 2, 9};
            for (int v = 0; v < 4; v++) {
                pic a = mk(m, w, hh, v & 1, v == 2, 1), b = mk(m, w, hh, v == 2, v == 3, 0);
                mixi(rs_box_blur(b.im, a.im, radii[v]));
                mix(b.mem, b.len);
                done(&a); done(&b);
            }
        }
        say("rs_box_blur", mode_names[m]);
    }
    start(1100);
    FOR_SIZES(w, hh) {
        static const double mats[][6] = {{1, 0, 0, 0, 1, 0}, {0.5, 0.25, 1, -0.25, 0.75, 2}, {2, 0, -3, 0, 1.5, -1}};
        for (int v = 0; v < 3; v++) {
            pic a = mk(RS_MODE_F32, w, hh, v & 1, v == 2, 1), b = mk(RS_MODE_F32, 19, 6, v == 2, v == 1, 0);
            mixi(rs_affine_f32(b.im, a.im, mats[v], -99.0f));
            mix(b.mem, b.len);
            done(&a); done(&b);
        }
    }
    say("rs_affine_f32", "all");
}

static void
test_errors(void)
{
    pic l = mk(RS_MODE_L, 5, 4, 0, 0, 1), l2 = mk(RS_MODE_L, 3, 4, 0, 0, 1), f = mk(RS_MODE_F32, 5, 4, 0, 0, 1);
    pic w = mk(RS_MODE_L16BE, 5, 4, 0, 0, 1), ra = mk(RS_MODE_RGBA, 5, 4, 0, 0, 1), ra2 = mk(RS_MODE_RGBA, 4, 4, 0, 0, 1);

    start(5);
    mixi(rs_image_new(RS_MODE_L, -1, 2) != NULL);
    mixi(rs_image_wrap(RS_MODE_COUNT, 1, 2, NULL, 0) != NULL);
    mixi(rs_image_fill(NULL, NULL));
    mixi(rs_image_copy_rect(l.im, 0, 0, NULL, NULL));
    mixi(rs_image_copy_rect(l.im, 0, 0, f.im, NULL));
    mixi(rs_resize(NULL, l.im, RS_BOX, NULL, NULL, NULL));
    mixi(rs_resize(f.im, l.im, RS_BOX, NULL, NULL, NULL));
    mixi(rs_resize(l2.im, l.im, RS_FILTER_COUNT, NULL, NULL, NULL));
    mixi(rs_resize_nearest(f.im, l.im, NULL));
    mixi(rs_affine_f32(NULL, f.im, NULL, 0));
    mixi(rs_affine_f32(l.im, f.im, NULL, 0));
    mixi(rs_reduce(l.im, l.im, 0, 1));
    mixi(rs_reduce(f.im, l.im, 2, 1));
    mixi(rs_reduce(l.im, l.im, 2, 1));
    mixi(rs_premultiply(NULL, ra.im));
    mixi(rs_premultiply(l.im, ra.im));
    mixi(rs_unpremultiply(ra2.im, ra.im));
    mixi(rs_widen(f.im, f.im));
    mixi(rs_widen(f.im, l2.im));
    mixi(rs_narrow(l2.im, f.im, NULL));
    mixi(rs_narrow_diffused(l2.im, w.im));
    mixi(rs_box_blur(l2.im, l.im, 1));
    mixi(rs_box_blur(l.im, l.im, -1));
    mixi(rs_mode_bands(RS_MODE_RGB) * 10 + rs_mode_pixelsize(RS_MODE_RGB));
    mix(l.mem, l.len);
    say("all", "errors");
    done(&l); done(&l2); done(&f); done(&w); done(&ra); done(&ra2);
}

int
main(void)
{
    test_errors();
    test_image();
    test_resize();
    test_others();
    return 0;
}
