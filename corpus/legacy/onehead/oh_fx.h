/* oh_fx.h - v0.08 - flips, turns, blurs, dithers; bytes with 1 to 4 channels

   #define OH_FX_IMPLEMENTATION in one file.  OHX_ALLOC/OHX_RELEASE can be yours.
*/
#ifndef OH_FX_H_INCLUDED
#define OH_FX_H_INCLUDED

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct
{
   unsigned char *px;
   int w, h, n;
   int stride;
} ohx_img;

extern void ohx_flip_v(ohx_img *im);
extern void ohx_flip_h(ohx_img *im);
extern int  ohx_turn(ohx_img *dst, const ohx_img *src, int quarters);
extern int  ohx_box(ohx_img *im, int radius);
extern int  ohx_gauss(ohx_img *dst, const ohx_img *src, int radius);
extern int  ohx_sharpen(ohx_img *dst, const ohx_img *src, int amount);
extern int  ohx_dither_fs(ohx_img *im, int levels);
extern int  ohx_dither_ordered(ohx_img *im, int levels);
extern int  ohx_equalize(ohx_img *im);
extern int  ohx_blend(ohx_img *dst, const ohx_img *src, int mode);
extern void ohx_vignette(ohx_img *im, int strength);
extern int  ohx_trim(const ohx_img *im, int rect[4]);

enum { OHX_MULTIPLY, OHX_SCREEN, OHX_OVERLAY, OHX_DIFF, OHX_LIGHTEN };

#ifdef __cplusplus
}
#endif
#endif // OH_FX_H_INCLUDED

#ifdef OH_FX_IMPLEMENTATION
#include <string.h>
#include <stdlib.h>
#ifndef OHX_ALLOC
#define OHX_ALLOC(n)   malloc(n)
#define OHX_RELEASE(p) free(p)
#endif

#define OHX__ROW(im,y)  ((im)->px + (ptrdiff_t) (y) * (im)->stride)

static int ohx__same(const ohx_img *a, const ohx_img *b)
{
   return a->w == b->w && a->h == b->h && a->n == b->n;
}

void ohx_flip_v(ohx_img *im)
{
   unsigned char temp[64];
   size_t bytes = (size_t) im->w * im->n;
   int row;
   for (row = 0; row < (im->h >> 1); ++row) {
      unsigned char *a = OHX__ROW(im, row), *b = OHX__ROW(im, im->h - row - 1);
      size_t left = bytes;
      while (left) {
         size_t now = left < sizeof(temp) ? left : sizeof(temp);
         memcpy(temp, a, now);
         memcpy(a, b, now);
         memcpy(b, temp, now);
         a += now;
         b += now;
         left -= now;
      }
   }
}

#define OHX__FLIP(N)                                                  \
static void ohx__flip##N(ohx_img *im)                                 \
{                                                                     \
   int y,k;                                                           \
   for (y=0; y < im->h; ++y) {                                        \
      unsigned char *l = OHX__ROW(im,y), *r = l + (im->w - 1) * N;    \
      while (l < r) {                                                 \
         for (k=0; k < N; ++k) {                                      \
            unsigned char t = l[k]; l[k] = r[k]; r[k] = t;            \
         }                                                            \
         l += N;                                                      \
         r -= N;                                                      \
      }                                                               \
   }                                                                  \
}
OHX__FLIP(1)
OHX__FLIP(2)
OHX__FLIP(3)
OHX__FLIP(4)

void ohx_flip_h(ohx_img *im)
{
   static void (*const fn[5])(ohx_img *) = { NULL, ohx__flip1, ohx__flip2, ohx__flip3, ohx__flip4 };
   if (im->w > 1 && im->n >= 1 && im->n <= 4)
      fn[im->n](im);
}

int ohx_turn(ohx_img *dst, const ohx_img *src, int quarters)
{
   int x,y,c, n = src->n;
   quarters &= 3;
   if (dst->n != n || dst->px == src->px) return 0;
   if (dst->w != (quarters & 1 ? src->h : src->w) || dst->h != (quarters & 1 ? src->w : src->h)) return 0;
   for (y=0; y < src->h; ++y) {
      const unsigned char *s = OHX__ROW(src,y);
      for (x=0; x < src->w; ++x, s += n) {
         unsigned char *d;
         switch (quarters) {
            case 1:  d = OHX__ROW(dst, x) + (src->h-1-y)*n; break;
            case 2:  d = OHX__ROW(dst, src->h-1-y) + (src->w-1-x)*n; break;
            case 3:  d = OHX__ROW(dst, src->w-1-x) + y*n; break;
            default: d = OHX__ROW(dst, y) + x*n; break;
         }
         for (c=0; c < n; ++c) d[c] = s[c];
      }
   }
   return 1;
}

// running sum of one line; the ends are held
static void ohx__box_line(unsigned char *p, int step, int len, int radius, unsigned char *copy)
{
   int i, sum, div = radius*2+1;
   for (i=0; i < len; ++i) copy[i] = p[(ptrdiff_t) i*step];
   sum = copy[0] * (radius+1);
   for (i=0; i < radius; ++i) sum += copy[i < len ? i : len-1];
   for (i=0; i < len; ++i) {
      int in = i+radius, out = i-radius-1;
      sum += copy[in < len ? in : len-1];
      if (i > 0) sum -= copy[out > 0 ? out : 0];
      else       sum -= copy[0];
      p[(ptrdiff_t) i*step] = (unsigned char) ((sum + radius) / div);
   }
}

int ohx_box(ohx_img *im, int radius)
{
   int i,c, most = im->w > im->h ? im->w : im->h;
   unsigned char *copy;
   if (radius < 0 || radius > 4000) return 0;
   if (most == 0 || im->w == 0 || im->h == 0 || radius == 0) return 1;
   copy = (unsigned char *) OHX_ALLOC((size_t) most);
   if (!copy) return 0;
   for (i=0; i < im->h; ++i)
      for (c=0; c < im->n; ++c)
         ohx__box_line(OHX__ROW(im,i) + c, im->n, im->w, radius, copy);
   for (i=0; i < im->w; ++i)
      for (c=0; c < im->n; ++c)
         ohx__box_line(im->px + i*im->n + c, im->stride, im->h, radius, copy);
   OHX_RELEASE(copy);
   return 1;
}

// binomial weights in 16 bit, two passes over a 16 bit buffer; radius 1..6
int ohx_gauss(ohx_img *dst, const ohx_img *src, int radius)
{
   unsigned int k[13];
   unsigned short *mid;
   int x,y,c,i, n = src->n, taps = 2*radius+1;
   if (!ohx__same(dst, src) || radius < 1 || radius > 6) return 0;
   if (src->w == 0 || src->h == 0) return 1;
   k[0] = 1;
   for (i=1; i < taps; ++i)
      k[i] = k[i-1] * (unsigned int) (taps - i) / (unsigned int) i;
   mid = (unsigned short *) OHX_ALLOC(sizeof(*mid) * (size_t) src->w * src->h * n);
   if (!mid) return 0;
   for (y=0; y < src->h; ++y) {
      unsigned short *m = mid + (size_t) y * src->w * n;
      for (x=0; x < src->w; ++x)
         for (c=0; c < n; ++c) {
            unsigned int s = 0;
            for (i=-radius; i <= radius; ++i) {
               int xx = x+i < 0 ? 0 : x+i >= src->w ? src->w-1 : x+i;
               s += OHX__ROW(src,y)[xx*n+c] * k[i+radius];
            }
            *m++ = (unsigned short) ((s << 4) >> (2*radius));
         }
   }
   for (y=0; y < src->h; ++y) {
      unsigned char *d = OHX__ROW(dst,y);
      for (x=0; x < src->w*n; ++x) {
         unsigned int s = 8u << (2*radius);
         for (i=-radius; i <= radius; ++i) {
            int yy = y+i;
            if (yy < 0) yy = 0;
            if (yy >= src->h) yy = src->h-1;
            s += mid[(size_t) yy*src->w*n + x] * k[i+radius];
         }
         s >>= 2*radius + 4;
         d[x] = (unsigned char) (s > 255 ? 255 : s);
      }
   }
   OHX_RELEASE(mid);
   return 1;
}

// away from the four neighbours; amount in 1/256. The rim is copied.
int ohx_sharpen(ohx_img *dst, const ohx_img *src, int amount)
{
   int x,y, n = src->n, rb = src->w * src->n;
   if (!ohx__same(dst, src) || dst->px == src->px || amount < 0 || amount > 4096) return 0;
   if (rb == 0) return 1;
   for (y=0; y < src->h; ++y) {
      const unsigned char *s = OHX__ROW(src,y);
      unsigned char *d = OHX__ROW(dst,y);
      if (y == 0 || y == src->h-1 || src->w < 3) { memcpy(d, s, (size_t) rb); continue; }
      memcpy(d, s, (size_t) n);
      for (x=n; x < rb-n; ++x) {
         int v = 4*s[x] - s[x-n] - s[x+n] - s[x-src->stride] - s[x+src->stride];
         v = s[x] + ((v*amount + 512) >> 10);
         d[x] = (unsigned char) (v < 0 ? 0 : v > 255 ? 255 : v);
      }
      memcpy(d+rb-n, s+rb-n, (size_t) n);
   }
   return 1;
}

// to `levels` levels a channel, rows run to and fro
int ohx_dither_fs(ohx_img *im, int levels)
{
   int *err, *cur, *nxt;
   int x,y,c, n = im->n, len = (im->w+2)*n;
   if (levels < 2 || levels > 256) return 0;
   err = (int *) OHX_ALLOC(sizeof(int) * 2 * (size_t) len);
   if (!err) return 0;
   memset(err, 0, sizeof(int) * 2 * (size_t) len);
   cur = err + n; nxt = err + len + n;
   for (y=0; y < im->h; ++y) {
      int dir = y & 1 ? -1 : 1, *t;
      for (x = dir > 0 ? 0 : im->w-1; x >= 0 && x < im->w; x += dir)
         for (c=0; c < n; ++c) {
            unsigned char *p = OHX__ROW(im,y) + x*n + c;
            int want = *p + cur[x*n+c]/16, q, e;
            if (want < 0) want = 0;
            if (want > 255) want = 255;
            q = (want*(levels-1) + 127) / 255;
            *p = (unsigned char) (q*255/(levels-1));
            e = want - *p;
            cur[(x+dir)*n+c] += e*7;
            nxt[(x-dir)*n+c] += e*3;
            nxt[x*n+c]       += e*5;
            nxt[(x+dir)*n+c] += e;
         }
      memset(cur-n, 0, sizeof(int) * (size_t) len);
      t = cur; cur = nxt; nxt = t;
   }
   OHX_RELEASE(err);
   return 1;
}

int ohx_dither_ordered(ohx_img *im, int levels)
{
   static const unsigned char m[4][4] = { {0,8,2,10}, {12,4,14,6}, {3,11,1,9}, {15,7,13,5} };
   int x,y,c;
   if (levels < 2 || levels > 256) return 0;
   for (y=0; y < im->h; ++y) {
      unsigned char *p = OHX__ROW(im,y);
      for (x=0; x < im->w; ++x)
         for (c=0; c < im->n; ++c, ++p) {
            int v = *p * (levels-1) * 16 + m[y&3][x&3] * 255;
            v /= 255*16;
            *p = (unsigned char) (v*255/(levels-1));
         }
   }
   return 1;
}

// histogram of the first channel, all channels through the same curve
int ohx_equalize(ohx_img *im)
{
   unsigned int hist[256], sum = 0, first = 0;
   unsigned char curve[256];
   int x,y,i, total = im->w * im->h;
   memset(hist, 0, sizeof(hist));
   for (y=0; y < im->h; ++y)
      for (x=0; x < im->w; ++x)
         ++hist[OHX__ROW(im,y)[x*im->n]];
   for (i=0; i < 256 && hist[i] == 0; ++i)
      ;
   if (i == 256 || hist[i] == (unsigned int) total) return 0;     // nothing, or one tone
   first = hist[i];
   for (i=0; i < 256; ++i) {
      sum += hist[i];
      curve[i] = (unsigned char) (sum <= first ? 0 : (sum - first) * 255u / ((unsigned int) total - first));
   }
   for (y=0; y < im->h; ++y) {
      unsigned char *p = OHX__ROW(im,y), *end = p + im->w * im->n;
      for (; p != end; ++p)
         *p = curve[*p];
   }
   return 1;
}

#define OHX__EACH(expr)                                                             \
   for (y=0; y < dst->h; ++y) {                                                     \
      unsigned char *pd = OHX__ROW(dst,y);                                          \
      const unsigned char *ps = OHX__ROW(src,y);                                    \
      for (x=0; x < len; ++x) { int a = pd[x], b = ps[x]; pd[x] = (unsigned char) (expr); } \
   }

int ohx_blend(ohx_img *dst, const ohx_img *src, int mode)
{
   int x,y, len = dst->w * dst->n;
   if (!ohx__same(dst, src)) return 0;
   switch (mode) {
      case OHX_MULTIPLY: OHX__EACH((a*b + 127) / 255)                                break;
      case OHX_SCREEN:   OHX__EACH(255 - ((255-a)*(255-b) + 127) / 255)              break;
      case OHX_OVERLAY:  OHX__EACH(a < 128 ? 2*a*b/255 : 255 - 2*(255-a)*(255-b)/255) break;
      case OHX_DIFF:     OHX__EACH(abs(a-b))                                         break;
      case OHX_LIGHTEN:  OHX__EACH(a > b ? a : b)                                    break;
      default: return 0;
   }
   return 1;
}
#undef OHX__EACH

// darker with the square of the distance from the middle; strength 0..256 takes that much at the corners
void ohx_vignette(ohx_img *im, int strength)
{
   int x,y,c, cx = im->w - 1, cy = im->h - 1;
   float most = (float) (cx*cx + cy*cy);
   if (most <= 0) return;
   for (y=0; y < im->h; ++y) {
      float dy = (float) ((2*y-cy) * (2*y-cy));
      unsigned char *p = OHX__ROW(im,y);
      for (x=0; x < im->w; ++x) {
         float d = ((float) ((2*x-cx) * (2*x-cx)) + dy) / most;
         int f = 256 - (int) (d * (float) strength);
         for (c=0; c < im->n; ++c, ++p)
            *p = (unsigned char) ((*p * f) >> 8);
      }
   }
}

static int ohx__row_is(const ohx_img *im, int y, const unsigned char *what)
{
   int x,c;
   const unsigned char *p = OHX__ROW(im,y);
   for (x=0; x < im->w; ++x)
      for (c=0; c < im->n; ++c)
         if (*p++ != what[c]) return 0;
   return 1;
}

// rect gets x0 y0 x1 y1 of what differs from the top left pixel; 0 when nothing does
int ohx_trim(const ohx_img *im, int rect[4])
{
   int x,y,c, x0 = im->w, x1 = 0, y0 = 0, y1 = im->h;
   unsigned char bg[4] = { 0,0,0,0 };
   if (im->w < 1 || im->h < 1 || im->n > 4) return 0;
   memcpy(bg, im->px, (size_t) im->n);
   while (y0 < y1 && ohx__row_is(im, y0, bg)) ++y0;
   while (y1 > y0 && ohx__row_is(im, y1-1, bg)) --y1;
   for (y=y0; y < y1; ++y) {
      const unsigned char *p = OHX__ROW(im,y);
      for (x=0; x < im->w; ++x, p += im->n) {
         int differs = 0;
         for (c=0; c < im->n; ++c) differs |= p[c] ^ bg[c];
         if (differs) {
            if (x < x0) x0 = x;
            if (x+1 > x1) x1 = x+1;
         }
      }
   }
   rect[0] = x0; rect[1] = y0; rect[2] = x1; rect[3] = y1;
   return x1 > x0;
}
#endif // OH_FX_IMPLEMENTATION
