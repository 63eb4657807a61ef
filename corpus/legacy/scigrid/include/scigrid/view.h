// scigrid/view.h
//
// Views do not own anything.  Strides are in elements, may be negative or zero
// (broadcasting), and nothing may be assumed about their order.

#ifndef SCIGRID_VIEW_H_
#define SCIGRID_VIEW_H_

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace scigrid {

using index_t = std::ptrdiff_t;

class shape_error : public std::runtime_error {
 public:
  explicit shape_error(const std::string& what) : std::runtime_error("scigrid: " + what) {}
};

// A plane: `rows` lines `rowStride` apart, samples `colStride` apart.
template <typename T>
struct View2 {
  T* data;
  index_t rows, cols;
  index_t rowStride, colStride;

  View2() : data(nullptr), rows(0), cols(0), rowStride(0), colStride(0) {}
  View2(T* p, index_t r, index_t c) : data(p), rows(r), cols(c), rowStride(c), colStride(1) {}
  View2(T* p, index_t r, index_t c, index_t rs, index_t cs)
      : data(p), rows(r), cols(c), rowStride(rs), colStride(cs) {}

  // to View2<const T>
  operator View2<const T>() const {
    return View2<const T>(data, rows, cols, rowStride, colStride);
  }

  T& operator()(index_t r, index_t c) const { return data[r * rowStride + c * colStride]; }
  T* row(index_t r) const { return data + r * rowStride; }
  bool empty() const { return rows <= 0 || cols <= 0; }
  bool dense() const { return colStride == 1 && rowStride == cols; }

  View2 transposed() const { return View2(data, cols, rows, colStride, rowStride); }
  View2 flippedRows() const {
    return rows > 0 ? View2(row(rows - 1), rows, cols, -rowStride, colStride) : *this;
  }
  View2 window(index_t r0, index_t c0, index_t nr, index_t nc) const {
    if (r0 < 0 || c0 < 0 || r0 + nr > rows || c0 + nc > cols) throw shape_error("window outside");
    return View2(data + r0 * rowStride + c0 * colStride, nr, nc, rowStride, colStride);
  }
};

// Up to four dimensions, dimension 0 outermost.
template <typename T>
struct ViewN {
  static const int kMaxDim = 4;
  T* data;
  int ndim;
  index_t shape[kMaxDim];
  index_t stride[kMaxDim];

  index_t count() const {
    index_t n = 1;
    for (int d = 0; d < ndim; ++d) n *= shape[d];
    return n;
  }
};

template <typename A, typename B>
inline void requireSame(const View2<A>& a, const View2<B>& b, const char* who) {
  if (a.rows != b.rows || a.cols != b.cols) throw shape_error(std::string(who) + ": shapes differ");
}

// Owner, only ever dense.
template <typename T>
class Grid {
 public:
  Grid(index_t r, index_t c, T v = T()) : rows_(r), cols_(c), mem_(static_cast<size_t>(r * c), v) {}
  View2<T> view() { return View2<T>(mem_.data(), rows_, cols_); }

 private:
  index_t rows_, cols_;
  std::vector<T> mem_;
};

}  // namespace scigrid

#endif  // SCIGRID_VIEW_H_
