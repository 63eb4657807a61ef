/* exercise.c - calls everything in the three headers; compiles as C and as C++ */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "oh_resize.h"
#include "oh_color.h"
#include "user.h"

static unsigned long long hash = 1469598103934665603ULL;
static unsigned int seed = 77;

static void add(const void *p, size_t n)
{
   const unsigned char *b = (const unsigned char *) p;
   size_t i;
   for (i=0; i < n; ++i) hash = (hash ^ b[i]) * 1099511628211ULL;
}

static void num(int v)
{
   unsigned char b[4];
   int i;
   for (i=0; i < 4; ++i) b[i] = (unsigned char) ((unsigned int) v >> (8*i));
   add(b, 4);
}

static void say(const char *fn, const char *what)
{
   printf("%s %s %016llx\n", fn, what, hash);
   hash = 1469598103934665603ULL;
}

static unsigned int rnd(void)
{
   seed = seed * 1103515245u + 12345u;
   return seed >> 9;
}

static const int W[10] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130 };
static const char *const layout[3] = { "tight", "padded", "upside-down" };

static int size_of(int k, int *w, int *h)
{
   if (k > 90) return 0;
   *w = k == 90 ? 219 : W[k % 10];
   *h = k == 90 ? 37 : 1 + k/10;
   return 1;
}

typedef struct { ohx_img im; unsigned char *mem; size_t size; } pic;

static pic make(int w, int h, int n, int lay)
{
   pic p;
   size_t i;
   int kind = (int) (rnd() % 4), stride = w*n + (lay ? 5 : 0);
   p.size = (size_t) stride * h + 1;
   p.mem = (unsigned char *) malloc(p.size);
   for (i=0; i < p.size; ++i)
      p.mem[i] = (unsigned char) (kind == 0 ? 40 : kind == 1 ? (i * 5) >> 3 : kind == 2 ? (i/11 & 1) * 255 : rnd());
   if (kind == 0 && p.size > 30) p.mem[p.size * 3/5] = 200;
   p.im.px = p.mem;
   p.im.w = w; p.im.h = h; p.im.n = n;
   p.im.stride = stride;
   if (lay == 2 && h > 0) {
      p.im.px += (size_t) (h-1) * stride;
      p.im.stride = -stride;
   }
   return p;
}

static void drop(pic *p) { free(p->mem); }
static void look(const pic *p) { add(p->mem, p->size); }

#define EVERY(lay,k,w,h)  for (lay=0; lay < 3; ++lay) { for (k=0; size_of(k,&w,&h); ++k) {
#define ENDS(fn)          } say(fn, layout[lay]); }

static void resizes(void)
{
   int lay,k,w,h,n,f,e,i;
   EVERY(lay,k,w,h)
      for (n=1; n <= 5; ++n) {
         static const int ow[4] = { 1, 9, 33, 0 }, oh[3] = { 6, 1, 11 };
         pic a, b;
         if ((k+n) % 4) continue;
         a = make(w,h,n,lay); b = make(ow[(k+n/2) % 4], oh[k % 3], n, (lay+1) % 3);
         num(ohr_resize_u8(a.im.px, w, h, a.im.stride, b.im.px, b.im.w, b.im.h, b.im.stride, n)); look(&b);
         drop(&a); drop(&b);
      }
   ENDS("ohr_resize_u8")
   for (f=0; f < OHR_FILTER_COUNT; ++f) for (e=0; e < 4; ++e) {
      char what[32];
      for (k=0; size_of(k,&w,&h); ++k) {
         for (i=0; i < 3; ++i) {
            static const int bytes[3] = { 1, 2, 4 };
            int m, calls = 0, ow = 1 + (k*7) % 50, oh = 1 + (k*3) % 13, extra = k & 1 ? 8 : 0;
            size_t j, na, nb;
            unsigned char *a, *b;
            ohr_request r;
            if ((k+f+e+i) % 5) continue;
            n = 1 + (k/5) % 4;
            na = (size_t) (w*n*bytes[i] + extra) * h + 4; nb = (size_t) (ow*n*bytes[i] + extra) * oh + 4;
            a = (unsigned char *) malloc(na); b = (unsigned char *) malloc(nb);
            for (j=0; j < na; ++j) a[j] = (unsigned char) rnd();
            if (i == 2) for (m=0; (size_t) m+4 <= na; m += 4) { float v = (float) (rnd() % 1000) / 900.0f; memcpy(a+m, &v, 4); }
            memset(b, 0x3c, nb);
            memset(&r, 0, sizeof(r));
            r.in = a; r.in_w = w; r.in_h = h; r.in_stride = extra ? w*n*bytes[i] + extra : 0;
            r.out = b; r.out_w = ow; r.out_h = oh; r.out_stride = extra ? ow*n*bytes[i] + extra : 0;
            r.type = i; r.channels = n; r.alpha_channel = k % 3 == 0 ? n-1 : OHR_ALPHA_NONE;
            r.filter = f; r.edge = e; r.user = k & 2 ? &calls : NULL;
            num(ohr_resize(&r)); num(calls); add(b, nb);
            free(a); free(b);
         }
      }
      num(user_rows_done);
      sprintf(what, "filter%d-edge%d", f, e);
      say("ohr_resize", what);
   }
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) {
         pic a = make(w,h,n,lay), b = make((k*11) % 70, 1 + k % 17, n, (lay+1) % 3);
         num(ohr_nearest_u8(a.im.px, w, h, a.im.stride, b.im.px, b.im.w, b.im.h, b.im.stride, n)); look(&b);
         drop(&a); drop(&b);
      }
   ENDS("ohr_nearest_u8")
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) {
         pic a = make(w,h,n,lay);
         num(ohr_mip_u8(a.im.px, w, h, a.im.stride, n)); look(&a);
         num(ohr_mip_u8(a.im.px, w/2, h/2, a.im.stride, n)); look(&a);
         drop(&a);
      }
   ENDS("ohr_mip_u8")
}

static void colors(void)
{
   static const float sepia[3][4] = { {0.393f,0.769f,0.189f,0}, {0.349f,0.686f,0.168f,-0.02f}, {0.272f,0.534f,0.131f,0.1f} };
   static const float odd[3][4] = { {-1,0,0,1}, {1.5f,-0.25f,0,0}, {0,0,3,-0.5f} };
   int lay,k,w,h,n,m;
   EVERY(lay,k,w,h)
      for (n=0; n <= 5; ++n) for (m=1; m <= 4; ++m) {
         pic a = make(w,h,n ? n : 1,lay), b = make(w,h,m,(lay+1) % 3);
         num(ohc_channels(b.im.px, b.im.stride, m, a.im.px, a.im.stride, n, w, h)); look(&b);
         drop(&a); drop(&b);
      }
   ENDS("ohc_channels")
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) {
         pic a = make(w,h,n,lay);
         ohc_swap_rb(a.im.px, a.im.stride, n, w, h); look(&a);
         drop(&a);
      }
   ENDS("ohc_swap_rb")
   EVERY(lay,k,w,h)
      pic a = make(w,h,4,lay);
      ohc_premultiply(a.im.px, a.im.stride, w, h); look(&a);
      drop(&a);
   ENDS("ohc_premultiply")
   EVERY(lay,k,w,h)
      pic a = make(w,h,4,lay);
      ohc_unpremultiply(a.im.px, a.im.stride, w, h); look(&a);
      drop(&a);
   ENDS("ohc_unpremultiply")
   EVERY(lay,k,w,h)
      for (m=0; m < 4; ++m) {
         int hs = m & 1, vs = m >> 1, cw = (w+hs) >> hs, ch = (h+vs) >> vs;
         pic y = make(w,h,1,lay), b = make(cw,ch,1,lay), r = make(cw,ch,1,lay), o = make(w,h,3 + (k & 1),(lay+1) % 3);
         ohc_ycc_to_rgb(o.im.px, o.im.stride, o.im.n, y.im.px, b.im.px, r.im.px, y.im.stride, b.im.stride, hs, vs, w, h); look(&o);
         drop(&y); drop(&b); drop(&r); drop(&o);
      }
   ENDS("ohc_ycc_to_rgb")
   EVERY(lay,k,w,h)
      pic y = make(w,h,1,lay), b = make(w,h,1,lay), r = make(w,h,1,lay), i = make(w,h,3,(lay+1) % 3);
      ohc_rgb_to_ycc(y.im.px, b.im.px, r.im.px, y.im.stride, i.im.px, i.im.stride, w, h); look(&y); look(&b); look(&r);
      drop(&y); drop(&b); drop(&r); drop(&i);
   ENDS("ohc_rgb_to_ycc")
   EVERY(lay,k,w,h)
      size_t c = (size_t) w*h*3 + 1;
      float *f = (float *) malloc(c * sizeof(float));
      pic a = make(w,h,3,lay);
      f[c-1] = 0.5f;
      ohc_rgb_to_hsv(f, a.im.px, a.im.stride, w, h); add(f, c * sizeof(float));
      drop(&a); free(f);
   ENDS("ohc_rgb_to_hsv")
   EVERY(lay,k,w,h)
      size_t c = (size_t) w*h*3 + 1, j;
      float *f = (float *) malloc(c * sizeof(float));
      pic a = make(w,h,3,lay);
      for (j=0; j < c; ++j) f[j] = (float) (rnd() % 1001) / 1000.0f * (j % 3 ? 1 : 6);
      ohc_hsv_to_rgb(a.im.px, a.im.stride, f, w, h); look(&a);
      drop(&a); free(f);
   ENDS("ohc_hsv_to_rgb")
   EVERY(lay,k,w,h)
      for (n=2; n <= 4; ++n) {
         pic a = make(w,h,n,lay);
         ohc_matrix(a.im.px, a.im.stride, n, w, h, k & 1 ? sepia : odd); look(&a);
         drop(&a);
      }
   ENDS("ohc_matrix")
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) {
         pic a = make(w,h,n,lay);
         ohc_adjust(a.im.px, a.im.stride, n, w, h, 20 - k, 128 + 9*k); look(&a);
         drop(&a);
      }
   ENDS("ohc_adjust")
   EVERY(lay,k,w,h)
      static const ohc_byte key[3] = { 40, 60, 40 };
      pic a = make(w,h,4,lay);
      num(ohc_key_out(a.im.px, a.im.stride, w, h, key, 10 + k)); look(&a);
      drop(&a);
   ENDS("ohc_key_out")
}

static void effects(void)
{
   int lay,k,w,h,n,m;
   #define INPLACE(name, call)                  \
      EVERY(lay,k,w,h)                          \
         for (n=1; n <= 4; ++n) {               \
            pic a = make(w,h,n,lay);            \
            call;                               \
            look(&a);                           \
            drop(&a);                           \
         }                                      \
      ENDS(name)
   INPLACE("ohx_flip_v", ohx_flip_v(&a.im))
   INPLACE("ohx_flip_h", ohx_flip_h(&a.im))
   INPLACE("ohx_box", num(ohx_box(&a.im, k % 7)); num(ohx_box(&a.im, n == 2 ? 30 : n-2)))
   INPLACE("ohx_dither_fs", num(ohx_dither_fs(&a.im, k % 9)))
   INPLACE("ohx_dither_ordered", num(ohx_dither_ordered(&a.im, k % 9)))
   INPLACE("ohx_equalize", num(ohx_equalize(&a.im)))
   INPLACE("ohx_vignette", ohx_vignette(&a.im, k*2))
   INPLACE("user_glow", num(user_glow(&a.im, k % 5)))
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) for (m=0; m < 4; ++m) {
         pic a = make(w,h,n,lay), b = m & 1 ? make(h,w,n,(lay+1) % 3) : make(w,h,n,(lay+1) % 3);
         num(ohx_turn(&b.im, &a.im, m)); look(&b);
         num(ohx_turn(&b.im, &b.im, 0));
         drop(&a); drop(&b);
      }
   ENDS("ohx_turn")
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) {
         pic a = make(w,h,n,lay), b = make(w,h,n,(lay+1) % 3);
         num(ohx_gauss(&b.im, &a.im, k % 8)); look(&b);
         num(ohx_gauss(&a.im, &a.im, 2)); look(&a);
         drop(&a); drop(&b);
      }
   ENDS("ohx_gauss")
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) {
         pic a = make(w,h,n,lay), b = make(w,h,n,(lay+1) % 3);
         num(ohx_sharpen(&b.im, &a.im, 40*k)); look(&b);
         num(ohx_sharpen(&a.im, &a.im, 1));
         drop(&a); drop(&b);
      }
   ENDS("ohx_sharpen")
   EVERY(lay,k,w,h)
      for (m=0; m <= 5; ++m) {
         pic a = make(w,h,1 + (k+m) % 4,lay), b = make(w,h,1 + (k+m) % 4,(lay+1) % 3);
         num(ohx_blend(&b.im, &a.im, m)); look(&b);
         num(ohx_blend(&a.im, &a.im, m)); look(&a);
         drop(&a); drop(&b);
      }
   ENDS("ohx_blend")
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) {
         int r[4] = { -1, -1, -1, -1 };
         pic a = make(w,h,n,lay);
         num(ohx_trim(&a.im, r)); add(r, sizeof(r));
         drop(&a);
      }
   ENDS("ohx_trim")
   EVERY(lay,k,w,h)
      for (n=1; n <= 4; ++n) {
         pic a, b;
         if ((n+k) % 3) continue;
         a = make(w,h,n,lay); b = make(1 + k % 12, 1 + k % 5, 1 + k % 4, (lay+1) % 3);
         num(user_thumbnail(&b.im, &a.im, k & 1)); look(&b);
         drop(&a); drop(&b);
      }
   ENDS("user_thumbnail")
}

int main(void)
{
   resizes();
   colors();
   effects();
   return 0;
}
