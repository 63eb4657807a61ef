// stats.cpp - statistics, normalisation, missing values

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "scigrid/scigrid.h"

namespace scigrid {

namespace {

// Some of our users compile with flags under which x != x is "never true".
inline bool isNan(float f) {
  uint32_t u;
  std::memcpy(&u, &f, sizeof u);
  return (u & 0x7fffffffu) > 0x7f800000u;
}

}  // namespace

// Two passes: the mean first.  A mask is a dense plane or one with
// maskStride elements a row; zero excludes.
Moments moments(View2<const double> in, const unsigned char* mask, index_t maskStride) {
  Moments m = Moments();
  m.minimum = std::numeric_limits<double>::infinity();
  m.maximum = -m.minimum;
  m.argMinRow = m.argMinCol = -1;
  if (maskStride == 0) maskStride = in.cols;

  double sum = 0.0;
  for (index_t r = 0; r < in.rows; ++r) {
    for (index_t c = 0; c < in.cols; ++c) {
      if (mask && !mask[r * maskStride + c]) continue;
      const double v = in(r, c);
      ++m.n;
      sum += v;
      if (v < m.minimum) {
        m.minimum = v;
        m.argMinRow = r;
        m.argMinCol = c;
      }
      m.maximum = v > m.maximum ? v : m.maximum;
    }
  }
  if (m.n == 0) return m;

  m.mean = sum / static_cast<double>(m.n);
  double sq = 0.0;
  for (index_t r = 0; r < in.rows; ++r) {
    const double* p = in.row(r);
    for (index_t c = 0; c < in.cols; ++c, p += in.colStride) {
      if (mask && mask[r * maskStride + c] == 0) continue;
      const double d = *p - m.mean;
      sq += d * d;
    }
  }
  m.variance = m.n > 1 ? sq / static_cast<double>(m.n - 1) : 0.0;
  return m;
}

index_t fillNan(View2<float> v, float value) {
  index_t n = 0;
  if (v.dense()) {
    for (float *p = v.data, *end = v.data + v.rows * v.cols; p != end; ++p) {
      if (isNan(*p)) {
        *p = value;
        ++n;
      }
    }
    return n;
  }
  for (index_t r = 0; r < v.rows; ++r)
    for (index_t c = 0; c < v.cols; ++c)
      if (isNan(v(r, c))) {
        v(r, c) = value;
        ++n;
      }
  return n;
}

index_t nanMask(View2<const double> in, View2<unsigned char> mask) {
  requireSame(in, mask, "nanMask");
  index_t good = 0;
  for (index_t r = 0; r < in.rows; ++r) {
    for (index_t c = 0; c < in.cols; ++c) {
      const double v = in(r, c);
      const unsigned char ok = std::isfinite(v) ? 1 : 0;
      mask(r, c) = ok;
      good += ok;
    }
  }
  return good;
}

// Means of the rows, without NaNs, to a column; a row of nothing else gets 0.
// Returns the mean of everything.
double nanMean(View2<const double> in, View2<double> perRow) {
  if (perRow.data && perRow.rows != in.rows) throw shape_error("nanMean: column too short");
  double total = 0.0;
  index_t totalCount = 0;

  for (index_t r = 0; r < in.rows; ++r) {
    double s = 0.0;
    index_t n = 0;
    for (index_t c = 0; c < in.cols; ++c) {
      const double v = in(r, c);
      if (v == v) {
        s += v;
        n++;
      }
    }
    if (perRow.data) perRow(r, 0) = n ? s / static_cast<double>(n) : 0.0;
    total += s;
    totalCount += n;
  }
  return totalCount ? total / static_cast<double>(totalCount) : 0.0;
}

// To lo..hi.  False, and nothing changed, if there is no range.
bool normalizeRange(View2<float> v, float lo, float hi) {
  if (v.empty()) return false;
  float mn = v(0, 0), mx = mn;
  for (index_t r = 0; r < v.rows; ++r) {
    for (index_t c = 0; c < v.cols; ++c) {
      mn = std::min(mn, v(r, c));
      mx = std::max(mx, v(r, c));
    }
  }
  if (!(mx > mn)) return false;

  const float scale = (hi - lo) / (mx - mn);
  for (index_t r = 0; r < v.rows; ++r) {
    float* p = v.row(r);
    for (index_t c = 0; c < v.cols; ++c) {
      p[c * v.colStride] = lo + (p[c * v.colStride] - mn) * scale;
    }
  }
  return true;
}

// Zero mean, unit variance for each column.  means may be null.
void normalizeColumns(View2<double> v, double* means) {
  for (index_t c = 0; c < v.cols; ++c) {
    double mean = 0.0;
    for (index_t r = 0; r < v.rows; ++r) mean += v(r, c);
    if (v.rows) mean /= static_cast<double>(v.rows);
    if (means) means[c] = mean;

    double ss = 0.0;
    for (index_t r = 0; r < v.rows; ++r) {
      v(r, c) -= mean;
      ss += v(r, c) * v(r, c);
    }
    if (ss <= 0.0) continue;
    const double inv = 1.0 / std::sqrt(ss / static_cast<double>(v.rows));
    for (index_t r = 0; r < v.rows; ++r) v(r, c) *= inv;
  }
}

template <typename T>
void cumulativeSum(View2<const T> in, View2<double> out) {
  requireSame(in, out, "cumulativeSum");
  for (index_t r = 0; r < in.rows; ++r) {
    double s = 0.0;
    for (index_t c = 0; c < in.cols; ++c) {
      s += static_cast<double>(in(r, c));
      out(r, c) = s;
    }
  }
}

template void cumulativeSum<int>(View2<const int>, View2<double>);
template void cumulativeSum<float>(View2<const float>, View2<double>);

void histogram(View2<const float> in, float lo, float hi, std::vector<int64_t>* bins) {
  const int n = static_cast<int>(bins->size());
  if (n == 0 || !(hi > lo)) throw shape_error("histogram: no bins");
  const float scale = static_cast<float>(n) / (hi - lo);
  std::vector<int64_t>& h = *bins;

  for (index_t r = 0; r < in.rows; ++r) {
    for (index_t c = 0; c < in.cols; ++c) {
      const float v = in(r, c);
      if (!(v >= lo && v <= hi)) continue;  // NaN as well
      int b = static_cast<int>((v - lo) * scale);
      if (b == n) --b;
      h[b] += 1;
    }
  }
}

}  // namespace scigrid
