// user.cpp - the C++ half: effects are made here, colour code is a private copy
#include <new>
#include <vector>
#include "user.h"
#include "oh_resize.h"

#define OH_FX_IMPLEMENTATION
#define OHX_ALLOC(n)   ::operator new((n), std::nothrow)
#define OHX_RELEASE(p) ::operator delete(p)
#include "oh_fx.h"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
namespace {
#define OH_COLOR_STATIC
#define OH_COLOR_IMPLEMENTATION
#include "oh_color.h"
}

// smaller picture of any kind, packed into what dst has
int user_thumbnail(ohx_img *dst, const ohx_img *src, int gray)
{
   if (src->w < 1 || src->h < 1 || dst->w < 1 || dst->h < 1) return 0;
   std::vector<unsigned char> mid(static_cast<size_t>(dst->w) * dst->h * src->n);
   if (!ohr_resize_u8(src->px, src->w, src->h, src->stride, mid.data(), dst->w, dst->h, 0, src->n))
      return 0;
   if (gray) {
      std::vector<unsigned char> one(static_cast<size_t>(dst->w) * dst->h);
      ohc_channels(one.data(), dst->w, 1, mid.data(), dst->w * src->n, src->n, dst->w, dst->h);
      return ohc_channels(dst->px, dst->stride, dst->n, one.data(), dst->w, 1, dst->w, dst->h);
   }
   return ohc_channels(dst->px, dst->stride, dst->n, mid.data(), dst->w * src->n, src->n, dst->w, dst->h);
}

// bright parts blurred and laid over
int user_glow(ohx_img *im, int radius)
{
   std::vector<unsigned char> copy(static_cast<size_t>(im->w) * im->n * im->h + 1);
   ohx_img b = { copy.data(), im->w, im->h, im->n, im->w * im->n };
   for (int y = 0; y < im->h; ++y) {
      const unsigned char *s = im->px + static_cast<ptrdiff_t>(y) * im->stride;
      auto d = copy.begin() + static_cast<ptrdiff_t>(y) * b.stride;
      for (int x = 0; x < b.stride; ++x)
         d[x] = s[x] > 160 ? static_cast<unsigned char>((s[x] - 160) * 2) : 0;
   }
   return ohx_box(&b, radius) && ohx_blend(im, &b, OHX_SCREEN);
}
