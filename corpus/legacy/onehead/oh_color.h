/* oh_color.h - v0.17 - pixel format and colour conversions in one file

   #define OH_COLOR_IMPLEMENTATION    in one file
   #define OH_COLOR_STATIC            to keep everything private to that file
*/
#ifndef OH_COLOR_H_INCLUDED
#define OH_COLOR_H_INCLUDED

#include <stddef.h>

#ifdef OH_COLOR_STATIC
#define OHCDEF static
#elif defined(__cplusplus)
#define OHCDEF extern "C"
#else
#define OHCDEF extern
#endif

typedef unsigned char ohc_byte;

// all strides in bytes
OHCDEF int  ohc_channels(ohc_byte *out, int ostride, int out_n, const ohc_byte *in, int stride, int in_n, int w, int h);
OHCDEF void ohc_swap_rb(ohc_byte *io, int stride, int n, int w, int h);
OHCDEF void ohc_premultiply(ohc_byte *io, int stride, int w, int h);
OHCDEF void ohc_unpremultiply(ohc_byte *io, int stride, int w, int h);
OHCDEF void ohc_ycc_to_rgb(ohc_byte *out, int ostride, int n, const ohc_byte *y, const ohc_byte *cb, const ohc_byte *cr, int ystride, int cstride, int hs, int vs, int w, int h);
OHCDEF void ohc_rgb_to_ycc(ohc_byte *y, ohc_byte *cb, ohc_byte *cr, int plane_stride, const ohc_byte *in, int stride, int w, int h);
OHCDEF void ohc_rgb_to_hsv(float *out, const ohc_byte *in, int stride, int w, int h);      // out is packed
OHCDEF void ohc_hsv_to_rgb(ohc_byte *out, int stride, const float *in, int w, int h);
OHCDEF void ohc_matrix(ohc_byte *io, int stride, int n, int w, int h, const float m[3][4]);
OHCDEF void ohc_adjust(ohc_byte *io, int stride, int n, int w, int h, int brightness, int contrast_q8);
OHCDEF int  ohc_key_out(ohc_byte *io, int stride, int w, int h, const ohc_byte key[3], int tolerance);

#endif // OH_COLOR_H_INCLUDED

#ifdef OH_COLOR_IMPLEMENTATION
#include <string.h>

static ohc_byte ohc__luma(int r, int g, int b)
{
   return (ohc_byte) ((r*77 + g*150 + 29*b) >> 8);
}

static ohc_byte ohc__clamp(int x)
{
   if ((unsigned int) x > 255) {
      if (x < 0) return 0;
      return 255;
   }
   return (ohc_byte) x;
}

#define OHC__COMBO(a,b)  ((a)*8+(b))
#define OHC__CASE(a,b)   case OHC__COMBO(a,b): for (i=w; i > 0; --i, src += a, dst += b)

OHCDEF int ohc_channels(ohc_byte *out, int ostride, int out_n, const ohc_byte *in, int stride, int in_n, int w, int h)
{
   int i,j;
   if (in_n < 1 || in_n > 4 || out_n < 1 || out_n > 4) return 0;
   for (j=0; j < h; ++j) {
      const ohc_byte *src = in + (ptrdiff_t) j * stride;
      ohc_byte *dst = out + (ptrdiff_t) j * ostride;
      if (in_n == out_n) {
         if (w > 0) memmove(dst, src, (size_t) w * in_n);
         continue;
      }
      switch (OHC__COMBO(in_n, out_n)) {
         OHC__CASE(1,2) { dst[0]=src[0]; dst[1]=255;                                     } break;
         OHC__CASE(1,3) { dst[0]=dst[1]=dst[2]=src[0];                                   } break;
         OHC__CASE(1,4) { dst[0]=dst[1]=dst[2]=src[0]; dst[3]=255;                       } break;
         OHC__CASE(2,1) { dst[0]=src[0];                                                 } break;
         OHC__CASE(2,3) { dst[0]=dst[1]=dst[2]=src[0];                                   } break;
         OHC__CASE(2,4) { dst[0]=dst[1]=dst[2]=src[0]; dst[3]=src[1];                    } break;
         OHC__CASE(3,4) { dst[0]=src[0];dst[1]=src[1];dst[2]=src[2];dst[3]=255;          } break;
         OHC__CASE(3,1) { dst[0]=ohc__luma(src[0],src[1],src[2]);                        } break;
         OHC__CASE(3,2) { dst[0]=ohc__luma(src[0],src[1],src[2]); dst[1] = 255;          } break;
         OHC__CASE(4,1) { dst[0]=ohc__luma(src[0],src[1],src[2]);                        } break;
         OHC__CASE(4,2) { dst[0]=ohc__luma(src[0],src[1],src[2]); dst[1] = src[3];       } break;
         OHC__CASE(4,3) { dst[0]=src[0];dst[1]=src[1];dst[2]=src[2];                     } break;
         default: return 0;
      }
   }
   return 1;
}
#undef OHC__CASE

OHCDEF void ohc_swap_rb(ohc_byte *io, int stride, int n, int w, int h)
{
   int i,j;
   if (n < 3) return;
   for (j=0; j < h; ++j) {
      ohc_byte *p = io + (ptrdiff_t) j * stride;
      for (i=0; i < w; ++i) {
         ohc_byte t = p[0];
         p[0] = p[2];
         p[2] = t;
         p += n;
      }
   }
}

OHCDEF void ohc_premultiply(ohc_byte *io, int stride, int w, int h)
{
   int i,j,k;
   for (j=0; j < h; ++j)
      for (i=0; i < w; ++i) {
         ohc_byte *p = io + (ptrdiff_t) j * stride + i*4;
         for (k=0; k < 3; ++k) {
            int t = p[k] * p[3] + 128;
            p[k] = (ohc_byte) ((t + (t >> 8)) >> 8);
         }
      }
}

OHCDEF void ohc_unpremultiply(ohc_byte *io, int stride, int w, int h)
{
   int i,j;
   for (j=0; j < h; ++j, io += stride) {
      ohc_byte *p = io;
      for (i=0; i < w; ++i, p += 4) {
         ohc_byte a = p[3];
         if (a) {
            ohc_byte half = a / 2;
            p[0] = ohc__clamp((p[0] * 255 + half) / a);
            p[1] = ohc__clamp((p[1] * 255 + half) / a);
            p[2] = ohc__clamp((p[2] * 255 + half) / a);
         }
      }
   }
}

#define OHC__FIX(x)  (((int) ((x) * 4096.0f + 0.5f)) * 256)

// hs, vs: 1 when the chroma planes have half the columns, rows. n: 3 or 4
OHCDEF void ohc_ycc_to_rgb(ohc_byte *out, int ostride, int n, const ohc_byte *y, const ohc_byte *cb, const ohc_byte *cr, int ystride, int cstride, int hs, int vs, int w, int h)
{
   int i,j;
   for (j=0; j < h; ++j) {
      ohc_byte *o = out + (ptrdiff_t) j * ostride;
      const ohc_byte *py = y + (ptrdiff_t) j * ystride;
      const ohc_byte *pb = cb + (ptrdiff_t) (j >> vs) * cstride;
      const ohc_byte *pr = cr + (ptrdiff_t) (j >> vs) * cstride;
      for (i=0; i < w; ++i) {
         int yf = (py[i] << 20) + (1 << 19);
         int r = pr[i >> hs] - 128, b = pb[i >> hs] - 128;
         int rr = (yf + r * OHC__FIX(1.40200f)) >> 20;
         int gg = (yf - r * OHC__FIX(0.71414f) - b * OHC__FIX(0.34414f)) >> 20;
         int bb = (yf + b * OHC__FIX(1.77200f)) >> 20;
         o[0] = ohc__clamp(rr);
         o[1] = ohc__clamp(gg);
         o[2] = ohc__clamp(bb);
         if (n == 4) o[3] = 255;
         o += n;
      }
   }
}

OHCDEF void ohc_rgb_to_ycc(ohc_byte *y, ohc_byte *cb, ohc_byte *cr, int plane_stride, const ohc_byte *in, int stride, int w, int h)
{
   int i,j;
   ptrdiff_t at;
   for (j=0; j < h; ++j)
      for (i=0, at = (ptrdiff_t) j * plane_stride; i < w; ++i, ++at) {
         const ohc_byte *p = in + (ptrdiff_t) j * stride + i*3;
         float r = p[0], g = p[1], b = p[2];
         y [at] = ohc__clamp((int) (0.29900f*r + 0.58700f*g + 0.11400f*b + 0.5f));
         cb[at] = ohc__clamp((int) (-0.16874f*r - 0.33126f*g + 0.50000f*b + 128.5f));
         cr[at] = ohc__clamp((int) (0.50000f*r - 0.41869f*g - 0.08131f*b + 128.5f));
      }
}

OHCDEF void ohc_rgb_to_hsv(float *out, const ohc_byte *in, int stride, int w, int h)
{
   int i,j;
   for (j=0; j < h; ++j) {
      const ohc_byte *p = in + (ptrdiff_t) j * stride;
      for (i=0; i < w; ++i, p += 3, out += 3) {
         int max = p[0] > p[1] ? p[0] : p[1], min = p[0] < p[1] ? p[0] : p[1];
         float d, hue;
         if (p[2] > max) max = p[2];
         if (p[2] < min) min = p[2];
         out[2] = (float) max / 255.0f;
         if (max == min) { out[0] = out[1] = 0; continue; }
         d = (float) (max - min);
         if (p[0] == max)      hue = (float) (p[1] - p[2]) / d;
         else if (p[1] == max) hue = (float) (p[2] - p[0]) / d + 2;
         else                  hue = (float) (p[0] - p[1]) / d + 4;
         out[0] = hue < 0 ? hue + 6 : hue;       // 0..6
         out[1] = d / (float) max;
      }
   }
}

OHCDEF void ohc_hsv_to_rgb(ohc_byte *out, int stride, const float *in, int w, int h)
{
   int i,j;
   for (j=0; j < h; ++j) {
      ohc_byte *o = out + (ptrdiff_t) j * stride;
      for (i=0; i < w; ++i) {
         float hue = *in++, s = *in++, v = *in++ * 255.0f;
         int sector = (int) hue;
         float f = hue - (float) sector;
         int p = (int) (v * (1 - s) + 0.5f), q = (int) (v * (1 - s*f) + 0.5f);
         int t = (int) (v * (1 - s*(1 - f)) + 0.5f), vi = (int) (v + 0.5f);
         #define OHC__SET(a,b,c) { *o++ = ohc__clamp(a); *o++ = ohc__clamp(b); *o++ = ohc__clamp(c); }
         switch (sector) {
            case 0:  OHC__SET(vi,t,p) break;
            case 1:  OHC__SET(q,vi,p) break;
            case 2:  OHC__SET(p,vi,t) break;
            case 3:  OHC__SET(p,q,vi) break;
            case 4:  OHC__SET(t,p,vi) break;
            default: OHC__SET(vi,p,q) break;
         }
         #undef OHC__SET
      }
   }
}

OHCDEF void ohc_matrix(ohc_byte *io, int stride, int n, int w, int h, const float m[3][4])
{
   int i,j,k;
   if (n < 3) return;
   for (j=0; j < h; ++j) {
      ohc_byte *p = io + (ptrdiff_t) j * stride;
      for (i=0; i < w; ++i, p += n) {
         float res[3];
         for (k=0; k < 3; ++k)
            res[k] = m[k][0]*p[0] + m[k][1]*p[1] + m[k][2]*p[2] + m[k][3]*255.0f;
         for (k=0; k < 3; ++k)
            p[k] = (ohc_byte) (res[k] <= 0 ? 0 : res[k] >= 255 ? 255 : (int) (res[k] + 0.5f));
      }
   }
}

// alpha (the last of 2 or 4) is left alone
OHCDEF void ohc_adjust(ohc_byte *io, int stride, int n, int w, int h, int brightness, int contrast_q8)
{
   ohc_byte table[256];
   int i,j,k, colors = (n & 1) ? n : n-1;
   for (i=0; i < 256; ++i)
      table[i] = ohc__clamp((((i - 128) * contrast_q8) >> 8) + 128 + brightness);
   if (colors == n) {
      for (j=0; j < h; ++j) {
         ohc_byte *p = io + (ptrdiff_t) j * stride, *e = p + w*n;
         while (p < e) { *p = table[*p]; ++p; }
      }
   } else {
      for (j=0; j < h; ++j)
         for (i=0; i < w; ++i)
            for (k=0; k < colors; ++k) {
               ohc_byte *p = io + (ptrdiff_t) j * stride + i*n + k;
               *p = table[*p];
            }
   }
}

// rgba; returns how many pixels went clear
OHCDEF int ohc_key_out(ohc_byte *io, int stride, int w, int h, const ohc_byte key[3], int tolerance)
{
   int i,j, count = 0;
   for (j=0; j < h; ++j) {
      ohc_byte *p = io + (ptrdiff_t) j * stride;
      for (i=0; i < w; ++i, p += 4) {
         int dr = p[0]-key[0], dg = p[1]-key[1], db = p[2]-key[2];
         if (dr*dr + dg*dg + db*db <= tolerance*tolerance) {
            memset(p, 0, 4);
            ++count;
         }
      }
   }
   return count;
}
#endif // OH_COLOR_IMPLEMENTATION
