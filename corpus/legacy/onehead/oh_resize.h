/* oh_resize.h - v0.31 - image resizing in one file - no warranty

   Do this:
      #define OH_RESIZE_IMPLEMENTATION
   before you include this file in *one* C or C++ file to create the code.

   QUICK:
      ohr_resize_u8(in, w, h, 0,  out, ow, oh, 0,  channels);
      ohr_resize(&r)                  for everything else, see ohr_request

   OPTIONS (define before the implementation):
      OHR_MALLOC(size,user), OHR_FREE(ptr,user)
      OHR_ASSERT(x)
      OHR_PROGRESS(user, row, rows)   called once an output row

   HISTORY:
      0.31  zero edge in the vertical pass
      0.30  16 bit, float
      0.20  alpha weighting
*/
#ifndef OH_RESIZE_H_INCLUDED
#define OH_RESIZE_H_INCLUDED

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char  ohr_u8;
typedef unsigned short ohr_u16;

enum { OHR_TYPE_U8, OHR_TYPE_U16, OHR_TYPE_FLOAT };
enum { OHR_FILTER_BOX, OHR_FILTER_TRIANGLE, OHR_FILTER_CUBIC, OHR_FILTER_MITCHELL, OHR_FILTER_COUNT };
enum { OHR_EDGE_CLAMP, OHR_EDGE_REFLECT, OHR_EDGE_WRAP, OHR_EDGE_ZERO };

#define OHR_ALPHA_NONE  (-1)

typedef struct
{
   const void *in;
   int in_w, in_h, in_stride;       // stride in bytes, 0 = packed
   void *out;
   int out_w, out_h, out_stride;
   int type, channels, alpha_channel;
   int filter, edge;
   void *user;                      // for the malloc and progress hooks
} ohr_request;

extern int ohr_resize(const ohr_request *r);         // 1 = good, 0 = bad arguments or no memory
extern int ohr_resize_u8(const ohr_u8 *in, int w, int h, int stride, ohr_u8 *out, int ow, int oh, int ostride, int channels);
extern int ohr_nearest_u8(const ohr_u8 *in, int w, int h, int stride, ohr_u8 *out, int ow, int oh, int ostride, int channels);
extern int ohr_mip_u8(ohr_u8 *io, int w, int h, int stride, int channels);   // in place, into the top left quarter

#ifdef __cplusplus
}
#endif
#endif // OH_RESIZE_H_INCLUDED

#ifdef OH_RESIZE_IMPLEMENTATION

#ifndef OHR_MALLOC
#include <stdlib.h>
#define OHR_MALLOC(size,user)  ((void)(user), malloc(size))
#define OHR_FREE(ptr,user)     ((void)(user), free(ptr))
#endif
#ifndef OHR_ASSERT
#include <assert.h>
#define OHR_ASSERT(x) assert(x)
#endif
#ifndef OHR_PROGRESS
#define OHR_PROGRESS(user,row,rows) ((void)0)
#endif
#include <string.h>

#define OHR__MAX_CHANNELS 8

typedef float ohr__kernel(float x);

static float ohr__box(float x)
{
   return (x > -0.5f && x <= 0.5f) ? 1.0f : 0.0f;
}

static float ohr__triangle(float x)
{
   if (x < 0) x = -x;
   return x < 1 ? 1 - x : 0;
}

static float ohr__catmull(float x)
{
   if (x < 0) x = -x;
   if (x < 1) return 1 - x*x*(2.5f - 1.5f*x);
   if (x < 2) return 2 - x*(4 + x*(0.5f*x - 2.5f));
   return 0;
}

static float ohr__mitchell(float x)
{
   if (x < 0) x = -x;
   if (x < 1) return (16 + x*x*(21 * x - 36))/18;
   if (x < 2) return (32 + x*(-60 + x*(36 - 7*x)))/18;
   return 0;
}

static const struct { ohr__kernel *fn; float support; } ohr__filters[OHR_FILTER_COUNT] =
{
   { ohr__box,      0.5f },
   { ohr__triangle, 1.0f },
   { ohr__catmull,  2.0f },
   { ohr__mitchell, 2.0f },
};

static int ohr__edge(int mode, int n, int max)
{
   switch (mode) {
      case OHR_EDGE_ZERO:    return (n < 0 || n >= max) ? -1 : n;
      case OHR_EDGE_CLAMP:   return n < 0 ? 0 : n >= max ? max-1 : n;
      case OHR_EDGE_REFLECT:
         n %= 2*max;
         if (n < 0) n += 2*max;
         return n < max ? n : 2*max - 1 - n;
      case OHR_EDGE_WRAP:
         n %= max;
         return n < 0 ? n + max : n;
   }
   return 0;
}

static int ohr__floor(float f)
{
   int i = (int) f;
   return (float) i > f ? i-1 : i;
}

// for each output place: first source place, and `width` weights that sum to one
typedef struct { int width; int *first; float *weight; } ohr__table;

static int ohr__make_table(ohr__table *t, int nin, int nout, int filter, void *user)
{
   float scale = (float) nout / (float) nin;
   float fscale = scale < 1 ? scale : 1;      // filter gets wider when shrinking
   float radius = ohr__filters[filter].support / fscale;
   int i,k;

   t->width = (int) (radius * 2) + 2;
   t->first = (int *) OHR_MALLOC(sizeof(int) * nout, user);
   t->weight = (float *) OHR_MALLOC(sizeof(float) * (size_t) nout * t->width, user);
   if (t->first == NULL || t->weight == NULL) return 0;
   for (i=0; i < nout; ++i) {
      float center = ((float) i + 0.5f) / scale;
      float total = 0, *w = t->weight + (size_t) i * t->width;
      t->first[i] = ohr__floor(center - radius);
      for (k=0; k < t->width; ++k) {
         w[k] = ohr__filters[filter].fn(((float) (t->first[i] + k) + 0.5f - center) * fscale);
         total += w[k];
      }
      if (total == 0) { w[t->width/2] = 1; total = 1; }
      for (k=0; k < t->width; ++k)
         w[k] /= total;
   }
   return 1;
}

#define OHR__DECODE(T, SCALE)                                        \
   for (x=0; x < r->in_w; ++x) {                                     \
      const T *p = (const T *) (const void *) row + x*n;             \
      for (c=0; c < n; ++c)                                          \
         out[x*n+c] = (float) p[c] * (SCALE);                        \
   }                                                                 \
   break

static void ohr__decode(const ohr_request *r, int y, float *out)
{
   int x,c, n = r->channels;
   const ohr_u8 *row = (const ohr_u8 *) r->in + (ptrdiff_t) y * r->in_stride;
   switch (r->type) {
      case OHR_TYPE_U8:    OHR__DECODE(ohr_u8,  1.0f/255);
      case OHR_TYPE_U16:   OHR__DECODE(ohr_u16, 1.0f/65535);
      case OHR_TYPE_FLOAT: OHR__DECODE(float,   1.0f);
      default: OHR_ASSERT(0);
   }
   if (r->alpha_channel >= 0) {
      for (x=0; x < r->in_w; ++x) {
         float a = out[x*n + r->alpha_channel] + 1.0f/16777216;   // keeps colours of clear pixels
         out[x*n + r->alpha_channel] = a;
         for (c=0; c < n; ++c)
            if (c != r->alpha_channel)
               out[x*n+c] *= a;
      }
   }
}

static void ohr__horizontal(const ohr_request *r, const ohr__table *t, const float *in, float *out)
{
   int x,k,c, n = r->channels;
   for (x=0; x < r->out_w; ++x) {
      const float *w = t->weight + (size_t) x * t->width;
      int first = t->first[x];
      int inside = first >= 0 && first + t->width <= r->in_w;
      switch (n) {
         case 1: {
            float s = 0;
            if (inside)
               for (k=0; k < t->width; ++k) s += in[first+k] * w[k];
            else
               for (k=0; k < t->width; ++k) {
                  int e = ohr__edge(r->edge, first+k, r->in_w);
                  if (e >= 0) s += in[e] * w[k];
               }
            out[x] = s;
            break;
         }
         case 4: {
            float s0=0,s1=0,s2=0,s3=0;
            for (k=0; k < t->width; ++k) {
               int e = inside ? first+k : ohr__edge(r->edge, first+k, r->in_w);
               if (e < 0) continue;
               s0 += in[e*4+0] * w[k];
               s1 += in[e*4+1] * w[k];
               s2 += in[e*4+2] * w[k];
               s3 += in[e*4+3] * w[k];
            }
            out[x*4+0] = s0; out[x*4+1] = s1;
            out[x*4+2] = s2; out[x*4+3] = s3;
            break;
         }
         default:
            for (c=0; c < n; ++c) out[x*n+c] = 0;
            for (k=0; k < t->width; ++k) {
               int e = ohr__edge(r->edge, first+k, r->in_w);
               if (e < 0 || w[k] == 0) continue;
               for (c=0; c < n; ++c)
                  out[x*n+c] += in[e*n+c] * w[k];
            }
      }
   }
}

#define OHR__SAT(v) ((v) < 0 ? 0 : (v) > 1 ? 1 : (v))

static void ohr__encode(const ohr_request *r, int y, float *in)
{
   int i,c, n = r->channels, num = r->out_w * r->channels;
   ohr_u8 *row = (ohr_u8 *) r->out + (ptrdiff_t) y * r->out_stride;
   if (r->alpha_channel >= 0) {
      for (i=0; i < r->out_w; ++i) {
         float a = in[i*n + r->alpha_channel];
         float ia = a > 1e-8f || a < -1e-8f ? 1 / a : 0;
         for (c=0; c < n; ++c)
            if (c != r->alpha_channel)
               in[i*n+c] *= ia;
      }
   }
   if (r->type == OHR_TYPE_U8) {
      for (i=0; i < num; ++i)
         row[i] = (ohr_u8) (OHR__SAT(in[i]) * 255 + 0.5f);
   } else if (r->type == OHR_TYPE_U16) {
      ohr_u16 *o = (ohr_u16 *) (void *) row;
      for (i=0; i < num; ++i)
         o[i] = (ohr_u16) (OHR__SAT(in[i]) * 65535 + 0.5f);
   } else {
      memcpy(row, in, sizeof(float) * num);
   }
}

extern int ohr_resize(const ohr_request *req)
{
   ohr_request rr = *req, *r = &rr;
   ohr__table h = { 0, NULL, NULL }, v = { 0, NULL, NULL };
   float *line = NULL, *acc = NULL, *ring = NULL;
   int *ring_row = NULL;
   int y,k,i, ok = 0, size, num;

   if (r->channels < 1 || r->channels > OHR__MAX_CHANNELS || r->alpha_channel >= r->channels) return 0;
   if (r->in_w < 1 || r->in_h < 1 || r->out_w < 0 || r->out_h < 0) return 0;
   if (r->filter < 0 || r->filter >= OHR_FILTER_COUNT || r->type < 0 || r->type > OHR_TYPE_FLOAT) return 0;
   if (r->out_w == 0 || r->out_h == 0) return 1;
   size = r->type == OHR_TYPE_U8 ? 1 : r->type == OHR_TYPE_U16 ? 2 : 4;
   if (r->in_stride == 0)  r->in_stride  = r->in_w  * r->channels * size;
   if (r->out_stride == 0) r->out_stride = r->out_w * r->channels * size;
   num = r->out_w * r->channels;

   if (!ohr__make_table(&h, r->in_w, r->out_w, r->filter, r->user)) goto done;
   if (!ohr__make_table(&v, r->in_h, r->out_h, r->filter, r->user)) goto done;
   line = (float *) OHR_MALLOC(sizeof(float) * r->in_w * r->channels, r->user);
   acc  = (float *) OHR_MALLOC(sizeof(float) * num, r->user);
   ring = (float *) OHR_MALLOC(sizeof(float) * num * v.width, r->user);
   ring_row = (int *) OHR_MALLOC(sizeof(int) * v.width, r->user);
   if (!line || !acc || !ring || !ring_row) goto done;
   for (k=0; k < v.width; ++k) ring_row[k] = -1;

   for (y=0; y < r->out_h; ++y) {
      const float *w = v.weight + (size_t) y * v.width;
      for (i=0; i < num; ++i) acc[i] = 0;
      for (k=0; k < v.width; ++k) {
         int e = ohr__edge(r->edge, v.first[y]+k, r->in_h), slot;
         float *src;
         if (e < 0 || w[k] == 0) continue;
         slot = e % v.width;
         src = ring + (size_t) slot * num;
         if (ring_row[slot] != e) {
            ohr__decode(r, e, line);
            ohr__horizontal(r, &h, line, src);
            ring_row[slot] = e;
         }
         for (i=0; i < num; ++i)
            acc[i] += src[i] * w[k];
      }
      ohr__encode(r, y, acc);
      OHR_PROGRESS(r->user, y+1, r->out_h);
   }
   ok = 1;
done:
   OHR_FREE(ring_row, r->user);
   OHR_FREE(ring, r->user);
   OHR_FREE(acc, r->user);
   OHR_FREE(line, r->user);
   OHR_FREE(v.weight, r->user); OHR_FREE(v.first, r->user);
   OHR_FREE(h.weight, r->user); OHR_FREE(h.first, r->user);
   return ok;
}

extern int ohr_resize_u8(const ohr_u8 *in, int w, int h, int stride, ohr_u8 *out, int ow, int oh, int ostride, int channels)
{
   ohr_request r;
   memset(&r, 0, sizeof(r));
   r.in = in;   r.in_w = w;   r.in_h = h;   r.in_stride = stride;
   r.out = out; r.out_w = ow; r.out_h = oh; r.out_stride = ostride;
   r.channels = channels;
   r.alpha_channel = (channels == 2 || channels == 4) ? channels-1 : OHR_ALPHA_NONE;
   r.filter = (ow < w || oh < h) ? OHR_FILTER_MITCHELL : OHR_FILTER_CUBIC;
   return ohr_resize(&r);
}

extern int ohr_nearest_u8(const ohr_u8 *in, int w, int h, int stride, ohr_u8 *out, int ow, int oh, int ostride, int channels)
{
   int x,y,c;
   unsigned int xr, yr;
   if (w < 1 || h < 1 || ow < 1 || oh < 1 || channels < 1) return 0;
   if (!stride)  stride  = w * channels;
   if (!ostride) ostride = ow * channels;
   xr = ((unsigned int) w << 16) / (unsigned int) ow + 1;
   yr = ((unsigned int) h << 16) / (unsigned int) oh + 1;
   for (y=0; y < oh; ++y) {
      unsigned int sy = ((unsigned int) y * yr) >> 16;
      const ohr_u8 *s = in + (ptrdiff_t) (sy < (unsigned int) h ? sy : (unsigned int) h - 1) * stride;
      ohr_u8 *d = out + (ptrdiff_t) y * ostride;
      for (x=0; x < ow; ++x) {
         unsigned int sx = ((unsigned int) x * xr) >> 16;
         if (sx >= (unsigned int) w) sx = (unsigned int) w - 1;
         for (c=0; c < channels; ++c)
            *d++ = s[sx*channels + c];
      }
   }
   return 1;
}

extern int ohr_mip_u8(ohr_u8 *io, int w, int h, int stride, int channels)
{
   int i,j,c, nw = w > 1 ? w>>1 : 1, nh = h > 1 ? h>>1 : 1;
   int sx = w > 1 ? channels : 0, sy = h > 1 ? stride : 0;      // a side of one stays as it is
   if (w < 1 || h < 1) return 0;
   for (j=0; j < nh; ++j)
      for (i=0; i < nw; ++i)
         for (c=0; c < channels; ++c) {
            const ohr_u8 *p = io + (ptrdiff_t) (2*j)*sy + (2*i)*sx + c;
            io[(ptrdiff_t) j*stride + i*channels + c] = (ohr_u8) ((p[0] + p[sx] + p[sy] + p[sx+sy] + 2) >> 2);
         }
   return 1;
}

#endif // OH_RESIZE_IMPLEMENTATION
