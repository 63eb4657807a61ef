// morphology.cpp - flat structuring elements, thresholds

#include <algorithm>
#include <limits>
#include <memory>

#include "scigrid/scigrid.h"

namespace scigrid {

namespace {

struct Higher {
  static int start() { return std::numeric_limits<int>::min(); }
  static bool better(int a, int b) { return a > b; }
};

struct Lower {
  static int start() { return std::numeric_limits<int>::max(); }
  static bool better(int a, int b) { return a < b; }
};

// What lies outside doesn't take part.
template <class Op>
void rankFlat(const View2<const int>& in, const View2<int>& out,
              const View2<const unsigned char>& el) {
  const index_t oy = el.rows / 2, ox = el.cols / 2;
  for (index_t r = 0; r < in.rows; ++r) {
    const index_t j0 = std::max<index_t>(0, oy - r);
    const index_t j1 = std::min(el.rows, in.rows + oy - r);
    for (index_t c = 0; c < in.cols; ++c) {
      const index_t i0 = std::max<index_t>(0, ox - c);
      const index_t i1 = std::min(el.cols, in.cols + ox - c);
      int best = Op::start();
      for (index_t j = j0; j < j1; ++j) {
        for (index_t i = i0; i < i1; ++i) {
          if (!el(j, i)) continue;
          const int v = in(r + j - oy, c + i - ox);
          if (Op::better(v, best)) best = v;
        }
      }
      out(r, c) = best;
    }
  }
}

// 256 counts -> level, by between-class variance
int otsuLevel(const index_t (&hist)[256]) {
  double total = 0.0, sum = 0.0;
  for (int i = 0; i < 256; ++i) {
    total += static_cast<double>(hist[i]);
    sum += static_cast<double>(i) * static_cast<double>(hist[i]);
  }
  double below = 0.0, belowSum = 0.0, best = -1.0;
  int level = 0;
  for (int t = 0; t < 256; ++t) {
    below += static_cast<double>(hist[t]);
    if (below == 0.0) continue;
    const double above = total - below;
    if (above == 0.0) break;
    belowSum += static_cast<double>(t) * static_cast<double>(hist[t]);
    const double d = belowSum / below - (sum - belowSum) / above;
    const double between = below * above * d * d;
    if (between > best) {
      best = between;
      level = t;
    }
  }
  return level;
}

}  // namespace

void dilate(View2<const int> in, View2<int> out, View2<const unsigned char> element) {
  requireSame(in, out, "dilate");
  rankFlat<Higher>(in, out, element);
}

void erode(View2<const int> in, View2<int> out, View2<const unsigned char> element) {
  requireSame(in, out, "erode");
  rankFlat<Lower>(in, out, element);
}

// 3x3 opening of a mask in place: erosion to a temporary, dilation back.
void binaryOpen3(View2<unsigned char> v) {
  if (v.empty()) return;
  const index_t h = v.rows, w = v.cols;
  std::unique_ptr<unsigned char[]> tmp(new unsigned char[static_cast<size_t>(h * w)]);

  for (index_t y = 0; y < h; ++y) {
    for (index_t x = 0; x < w; ++x) {
      unsigned char all = 1;
      for (index_t j = -1; j <= 1; ++j)
        for (index_t i = -1; i <= 1; ++i) {
          const index_t yy = std::min(std::max<index_t>(y + j, 0), h - 1);
          const index_t xx = std::min(std::max<index_t>(x + i, 0), w - 1);
          all &= v(yy, xx) != 0;
        }
      tmp[y * w + x] = all;
    }
  }
  for (index_t y = 0; y < h; ++y) {
    const index_t ya = y ? y - 1 : y, yb = y + 1 < h ? y + 1 : y;
    for (index_t x = 0; x < w; ++x) {
      const index_t xa = x ? x - 1 : x, xb = x + 1 < w ? x + 1 : x;
      unsigned char any = 0;
      for (index_t yy = ya; yy <= yb; ++yy)
        for (index_t xx = xa; xx <= xb; ++xx) any |= tmp[yy * w + xx];
      v(y, x) = any ? 255 : 0;
    }
  }
}

// Returns the level; out without data: only the level.
index_t thresholdOtsu(View2<const unsigned char> in, View2<unsigned char> out) {
  index_t hist[256] = {0};
  for (index_t r = 0; r < in.rows; ++r) {
    const unsigned char* p = in.row(r);
    for (index_t c = 0; c < in.cols; ++c) ++hist[p[c * in.colStride]];
  }
  const int level = otsuLevel(hist);
  if (!out.data) return level;

  requireSame(in, out, "thresholdOtsu");
  for (index_t r = 0; r < in.rows; ++r)
    for (index_t c = 0; c < in.cols; ++c) out(r, c) = in(r, c) > level ? 255 : 0;
  return level;
}

template <typename T>
index_t threshold(View2<const T> in, View2<unsigned char> out, T level, bool below) {
  requireSame(in, out, "threshold");
  index_t hits = 0;
  for (index_t r = 0; r < in.rows; ++r) {
    const T* src = in.row(r);
    unsigned char* dst = out.row(r);
    for (index_t c = 0; c < in.cols; ++c) {
      const bool hit = (*src > level) != below;
      *dst = hit;
      hits += hit;
      src += in.colStride;
      dst += out.colStride;
    }
  }
  return hits;
}

template index_t threshold<int>(View2<const int>, View2<unsigned char>, int, bool);
template index_t threshold<float>(View2<const float>, View2<unsigned char>, float, bool);
template index_t threshold<double>(View2<const double>, View2<unsigned char>, double, bool);

// Against the mean of a square window, clipped at the border; a summed area
// table makes the window's size immaterial.
void thresholdLocal(View2<const float> in, View2<unsigned char> out, int radius, float offset) {
  requireSame(in, out, "thresholdLocal");
  if (in.empty()) return;
  const index_t h = in.rows, w = in.cols, sw = w + 1;
  std::vector<double> sat(static_cast<size_t>((h + 1) * sw), 0.0);

  for (index_t y = 0; y < h; ++y) {
    double line = 0.0;
    for (index_t x = 0; x < w; ++x) {
      line += in(y, x);
      sat[(y + 1) * sw + x + 1] = sat[y * sw + x + 1] + line;
    }
  }

  for (index_t y = 0; y < h; ++y) {
    const index_t y0 = std::max<index_t>(y - radius, 0), y1 = std::min(y + radius + 1, h);
    for (index_t x = 0; x < w; ++x) {
      const index_t x0 = std::max<index_t>(x - radius, 0), x1 = std::min(x + radius + 1, w);
      const double s = sat[y1 * sw + x1] - sat[y0 * sw + x1] - sat[y1 * sw + x0] + sat[y0 * sw + x0];
      const double mean = s / static_cast<double>((y1 - y0) * (x1 - x0));
      out(y, x) = in(y, x) > mean + offset ? 1 : 0;
    }
  }
}

}  // namespace scigrid
