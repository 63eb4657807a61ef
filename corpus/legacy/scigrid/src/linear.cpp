// linear.cpp - products, distances and element-wise work on n dimensions

#include <cmath>
#include <cstdlib>

#include "scigrid/scigrid.h"

namespace scigrid {

namespace {

template <typename T>
struct Accumulator {
  typedef T type;
};
template <>
struct Accumulator<float> {
  typedef double type;
};
template <>
struct Accumulator<int> {
  typedef int64_t type;
};

template <typename T>
inline double dist(const T* a, index_t sa, const T* b, index_t sb, index_t n, Metric metric) {
  double d = 0.0;
  switch (metric) {
    case Metric::kEuclid:
      for (index_t k = 0; k < n; ++k) {
        const double t = a[k * sa] - b[k * sb];
        d += t * t;
      }
      return std::sqrt(d);
    case Metric::kManhattan:
      for (index_t k = 0; k < n; ++k) d += std::fabs(a[k * sa] - b[k * sb]);
      return d;
    case Metric::kChebyshev:
      for (index_t k = 0; k < n; ++k) {
        const double t = std::fabs(a[k * sa] - b[k * sb]);
        if (t > d) d = t;
      }
      return d;
  }
  return d;
}

}  // namespace

// c must not overlap a or b
template <typename T>
void matmul(View2<const T> a, View2<const T> b, View2<T> c) {
  if (a.cols != b.rows || c.rows != a.rows || c.cols != b.cols) throw shape_error("matmul");
  typedef typename Accumulator<T>::type Acc;

  for (index_t i = 0; i < c.rows; ++i) {
    for (index_t j = 0; j < c.cols; ++j) {
      Acc acc = 0;
      const T* pa = a.row(i);
      const T* pb = b.data + j * b.colStride;
      for (index_t k = a.cols; k > 0; --k) {
        acc += static_cast<Acc>(*pa) * *pb;
        pa += a.colStride;
        pb += b.rowStride;
      }
      c(i, j) = static_cast<T>(acc);
    }
  }
}

template void matmul<int>(View2<const int>, View2<const int>, View2<int>);
template void matmul<float>(View2<const float>, View2<const float>, View2<float>);
template void matmul<double>(View2<const double>, View2<const double>, View2<double>);

// c = alpha a b + beta c, the sum is kept in c itself (i-k-j order)
void gemmUpdate(double alpha, View2<const double> a, View2<const double> b, double beta,
                View2<double> c) {
  if (a.cols != b.rows || c.rows != a.rows || c.cols != b.cols) throw shape_error("gemmUpdate");

  if (beta != 1.0) {
    for (index_t i = 0; i < c.rows; ++i)
      for (index_t j = 0; j < c.cols; ++j) c(i, j) = beta == 0.0 ? 0.0 : beta * c(i, j);
  }
  if (alpha == 0.0) return;
  for (index_t i = 0; i < c.rows; ++i) {
    for (index_t k = 0; k < a.cols; ++k) {
      const double f = alpha * a(i, k);
      if (f == 0.0) continue;
      for (index_t j = 0; j < c.cols; ++j) c(i, j) += f * b(k, j);
    }
  }
}

// Rows of a against rows of b.
void pairwise(View2<const double> a, View2<const double> b, View2<double> out, Metric metric) {
  if (a.cols != b.cols || out.rows != a.rows || out.cols != b.rows) throw shape_error("pairwise");
  const bool self = a.data == b.data && a.rows == b.rows && a.rowStride == b.rowStride &&
                    a.colStride == b.colStride;

  for (index_t i = 0; i < a.rows; ++i) {
    for (index_t j = self ? i : 0; j < b.rows; ++j) {
      const double d = dist(a.row(i), a.colStride, b.row(j), b.colStride, a.cols, metric);
      out(i, j) = d;
      if (self) out(j, i) = d;
    }
  }
}

// inout[r][c] += rowTerm[r] + colTerm[c]; steps of 0 broadcast, no terms no sum
void outerAdd(View2<int> v, const int* rowTerm, index_t rowStep, const int* colTerm,
              index_t colStep) {
  for (index_t r = 0; r < v.rows; ++r) {
    const int add = rowTerm ? rowTerm[r * rowStep] : 0;
    const int* ct = colTerm;
    int* p = v.row(r);
    for (index_t c = 0; c < v.cols; ++c) {
      int t = add;
      if (ct) {
        t += *ct;
        ct += colStep;
      }
      *p += t;
      p += v.colStride;
    }
  }
}

// Saturating when the destination is narrower than int.
template <typename D, typename S>
struct Cast {
  static D from(S v) { return static_cast<D>(v); }
};
template <>
struct Cast<int16_t, double> {
  static int16_t from(double v) {
    if (!(v > -32768.0)) return -32768;
    if (v > 32767.0) return 32767;
    return static_cast<int16_t>(std::lrint(v));
  }
};

template <typename S, typename D>
void copyN(const ViewN<const S>& src, const ViewN<D>& dst) {
  if (src.ndim != dst.ndim || src.ndim < 1 || src.ndim > 4) throw shape_error("copyN");
  // missing dimensions are outermost and of length 1
  index_t n[4], ss[4], ds[4];
  const int lead = 4 - src.ndim;
  for (int d = 0; d < 4; ++d) {
    if (d < lead) {
      n[d] = 1;
      ss[d] = ds[d] = 0;
      continue;
    }
    if (src.shape[d - lead] != dst.shape[d - lead]) throw shape_error("copyN: shapes differ");
    n[d] = src.shape[d - lead];
    ss[d] = src.stride[d - lead];
    ds[d] = dst.stride[d - lead];
  }
  for (index_t i = 0; i < n[0]; ++i)
    for (index_t j = 0; j < n[1]; ++j)
      for (index_t k = 0; k < n[2]; ++k) {
        const S* s = src.data + i * ss[0] + j * ss[1] + k * ss[2];
        D* d = dst.data + i * ds[0] + j * ds[1] + k * ds[2];
        for (index_t l = 0; l < n[3]; ++l) d[l * ds[3]] = Cast<D, S>::from(s[l * ss[3]]);
      }
}

template void copyN<float, double>(const ViewN<const float>&, const ViewN<double>&);
template void copyN<double, int16_t>(const ViewN<const double>&, const ViewN<int16_t>&);
template void copyN<int, float>(const ViewN<const int>&, const ViewN<float>&);

// y += a x, by recursion over the dimensions
static void axpyDim(double a, const ViewN<const double>& x, const double* px,
                    const ViewN<double>& y, double* py, int d) {
  const index_t n = x.shape[d], sx = x.stride[d], sy = y.stride[d];
  if (d == x.ndim - 1) {
    if (sx == 1 && sy == 1) {
      for (index_t i = 0; i < n; ++i) py[i] += a * px[i];
    } else {
      for (index_t i = 0; i < n; ++i, px += sx, py += sy) *py += a * *px;
    }
    return;
  }
  for (index_t i = 0; i < n; ++i) axpyDim(a, x, px + i * sx, y, py + i * sy, d + 1);
}

void axpyN(double a, const ViewN<const double>& x, const ViewN<double>& y) {
  if (x.ndim != y.ndim || x.ndim < 1) throw shape_error("axpyN");
  for (int d = 0; d < x.ndim; ++d)
    if (x.shape[d] != y.shape[d]) throw shape_error("axpyN: shapes differ");
  if (x.count() == 0) return;
  axpyDim(a, x, x.data, y, y.data, 0);
}

}  // namespace scigrid
