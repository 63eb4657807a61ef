// filter.cpp - linear filters

#include <cassert>
#include <cmath>
#include <vector>

#include "scigrid/scigrid.h"

namespace scigrid {

index_t borderIndex(index_t i, index_t n, Border mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case Border::kZero:
      return -1;
    case Border::kNearest:
      return i < 0 ? 0 : n - 1;
    case Border::kReflect: {
      // ... c b a | a b c ...
      const index_t period = 2 * n;
      i %= period;
      if (i < 0) i += period;
      return i < n ? i : period - 1 - i;
    }
    case Border::kWrap:
      i %= n;
      return i < 0 ? i + n : i;
  }
  return -1;
}

void convolve(View2<const float> in, View2<const double> kernel, View2<float> out, Border mode,
              const Progress& progress) {
  requireSame(in, out, "convolve");
  if (kernel.rows % 2 == 0 || kernel.cols % 2 == 0) throw shape_error("convolve: even kernel");
  const index_t ry = kernel.rows / 2, rx = kernel.cols / 2;

  for (index_t y = 0; y < in.rows; ++y) {
    const bool rowInside = y >= ry && y < in.rows - ry;
    for (index_t x = 0; x < in.cols; ++x) {
      double acc = 0.0;
      if (rowInside && x >= rx && x < in.cols - rx) {
        const float* p = &in(y - ry, x - rx);
        for (index_t j = 0; j < kernel.rows; ++j)
          for (index_t i = 0; i < kernel.cols; ++i)
            acc += p[j * in.rowStride + i * in.colStride] *
                   kernel(kernel.rows - 1 - j, kernel.cols - 1 - i);
      } else {
        for (index_t j = -ry; j <= ry; ++j) {
          const index_t yy = borderIndex(y + j, in.rows, mode);
          if (yy < 0) continue;
          for (index_t i = -rx; i <= rx; ++i) {
            const index_t xx = borderIndex(x + i, in.cols, mode);
            if (xx < 0) continue;
            acc += in(yy, xx) * kernel(ry - j, rx - i);
          }
        }
      }
      out(y, x) = static_cast<float>(acc);
    }
    if (progress && !progress(y + 1, in.rows)) return;
  }
}

// One line at a time through a padded copy, so out may be in.
void convolveRows(View2<const double> in, const double* taps, int radius, View2<double> out,
                  Border mode) {
  requireSame(in, out, "convolveRows");
  if (in.empty()) return;
  std::vector<double> line(static_cast<size_t>(in.cols + 2 * radius));
  double* const mid = line.data() + radius;

  for (index_t y = 0; y < in.rows; ++y) {
    const double* src = in.row(y);
    for (index_t x = 0; x < in.cols; ++x, src += in.colStride) mid[x] = *src;
    for (index_t x = 1; x <= radius; ++x) {
      const index_t left = borderIndex(-x, in.cols, mode);
      const index_t right = borderIndex(in.cols - 1 + x, in.cols, mode);
      mid[-x] = left < 0 ? 0.0 : mid[left];
      mid[in.cols - 1 + x] = right < 0 ? 0.0 : mid[right];
    }
    double* dst = out.row(y);
    for (index_t x = 0; x < in.cols; ++x) {
      double s = taps[radius] * mid[x];
      for (int k = 1; k <= radius; ++k) s += taps[radius - k] * mid[x - k] + taps[radius + k] * mid[x + k];
      *dst = s;
      dst += out.colStride;
    }
  }
}

// Central differences inside, one-sided ones at the edges.  gy or gx may be
// views without data.
void gradient(View2<const double> in, View2<double> gy, View2<double> gx, double dy, double dx) {
  if (gx.data) {
    requireSame(in, gx, "gradient");
    for (index_t r = 0; r < in.rows; ++r) {
      if (in.cols == 1) {
        gx(r, 0) = 0.0;
        continue;
      }
      if (in.cols == 0) break;
      gx(r, 0) = (in(r, 1) - in(r, 0)) / dx;
      for (index_t c = 1; c + 1 < in.cols; ++c) gx(r, c) = (in(r, c + 1) - in(r, c - 1)) / (2.0 * dx);
      gx(r, in.cols - 1) = (in(r, in.cols - 1) - in(r, in.cols - 2)) / dx;
    }
  }
  if (gy.data) {
    requireSame(in, gy, "gradient");
    for (index_t r = 0; r < in.rows; ++r) {
      const index_t up = r > 0 ? r - 1 : r;
      const index_t down = r + 1 < in.rows ? r + 1 : r;
      const double h = static_cast<double>(down - up) * dy;
      const double* a = in.row(up);
      const double* b = in.row(down);
      for (index_t c = 0; c < in.cols; ++c)
        gy(r, c) = h == 0.0 ? 0.0 : (b[c * in.colStride] - a[c * in.colStride]) / h;
    }
  }
}

void sobelMagnitude(View2<const float> in, View2<float> out) {
  requireSame(in, out, "sobelMagnitude");
  const index_t rs = in.rowStride, cs = in.colStride;
  for (index_t r = 1; r < in.rows - 1; ++r) {
    const float* p = in.row(r) + cs;
    float* q = out.row(r) + out.colStride;
    for (index_t c = 1; c < in.cols - 1; ++c, p += cs, q += out.colStride) {
      const float gx = (p[cs - rs] + 2.0f * p[cs] + p[cs + rs]) - (p[-cs - rs] + 2.0f * p[-cs] + p[rs - cs]);
      const float gy = (p[rs - cs] + 2.0f * p[rs] + p[rs + cs]) - (p[-rs - cs] + 2.0f * p[-rs] + p[cs - rs]);
      *q = std::sqrt(gx * gx + gy * gy);
    }
  }
  // the frame is zero
  for (index_t c = 0; c < in.cols && in.rows > 0; ++c) out(0, c) = out(in.rows - 1, c) = 0.0f;
  for (index_t r = 0; r < in.rows && in.cols > 0; ++r) out(r, 0) = out(r, in.cols - 1) = 0.0f;
}

// Exponential smoothing along the rows, there and back.
void smoothRecursive(View2<float> v, double alpha) {
  assert(alpha > 0.0 && alpha <= 1.0);
  if (v.empty()) return;
  for (index_t r = 0; r < v.rows; ++r) {
    double s = v(r, 0);
    for (index_t c = 1; c < v.cols; ++c) {
      s += alpha * (v(r, c) - s);
      v(r, c) = static_cast<float>(s);
    }
    for (index_t c = v.cols - 2; c >= 0; --c) {
      s += alpha * (v(r, c) - s);
      v(r, c) = static_cast<float>(s);
    }
  }
}

// Sum of second differences over all dimensions; the border repeats.  The
// position is an odometer, dimension ndim-1 turns fastest.
void laplace(const ViewN<const double>& in, const ViewN<double>& out) {
  if (in.ndim != out.ndim || in.ndim < 1) throw shape_error("laplace: dimensions");
  for (int d = 0; d < in.ndim; ++d)
    if (in.shape[d] != out.shape[d]) throw shape_error("laplace: shapes differ");
  if (in.count() == 0) return;

  index_t pos[4] = {0, 0, 0, 0};
  const double* p = in.data;
  double* q = out.data;
  for (;;) {
    double sum = 0.0;
    for (int d = 0; d < in.ndim; ++d) {
      const double here = *p;
      const double before = pos[d] > 0 ? p[-in.stride[d]] : here;
      const double after = pos[d] + 1 < in.shape[d] ? p[in.stride[d]] : here;
      sum += before - 2.0 * here + after;
    }
    *q = sum;

    int d = in.ndim - 1;
    while (d >= 0 && ++pos[d] == in.shape[d]) {
      p -= in.stride[d] * (in.shape[d] - 1);
      q -= out.stride[d] * (out.shape[d] - 1);
      pos[d--] = 0;
    }
    if (d < 0) break;
    p += in.stride[d];
    q += out.stride[d];
  }
}

}  // namespace scigrid
