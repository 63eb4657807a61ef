// scigrid/scigrid.h - all there is

#ifndef SCIGRID_SCIGRID_H_
#define SCIGRID_SCIGRID_H_

#include <cstdint>
#include <functional>

#include "scigrid/view.h"

namespace scigrid {

enum class Border { kZero, kNearest, kReflect, kWrap };
enum class Metric { kEuclid, kManhattan, kChebyshev };

struct Moments {
  index_t n;
  double mean, variance, minimum, maximum;
  index_t argMinRow, argMinCol;
};

// Called with rows done and rows in all, false stops.
using Progress = std::function<bool(index_t, index_t)>;

// filter.cpp
index_t borderIndex(index_t i, index_t n, Border mode);  // -1: outside
void convolve(View2<const float> in, View2<const double> kernel, View2<float> out, Border mode,
              const Progress& progress = Progress());
void convolveRows(View2<const double> in, const double* taps, int radius, View2<double> out,
                  Border mode);
void gradient(View2<const double> in, View2<double> gy, View2<double> gx, double dy, double dx);
void sobelMagnitude(View2<const float> in, View2<float> out);
void smoothRecursive(View2<float> inout, double alpha);
void laplace(const ViewN<const double>& in, const ViewN<double>& out);

// morphology.cpp
void dilate(View2<const int> in, View2<int> out, View2<const unsigned char> element);
void erode(View2<const int> in, View2<int> out, View2<const unsigned char> element);
void binaryOpen3(View2<unsigned char> inout);
index_t thresholdOtsu(View2<const unsigned char> in, View2<unsigned char> out);
template <typename T>
index_t threshold(View2<const T> in, View2<unsigned char> out, T level, bool below);
void thresholdLocal(View2<const float> in, View2<unsigned char> out, int radius, float offset);

// stats.cpp
Moments moments(View2<const double> in, const unsigned char* mask = nullptr, index_t maskStride = 0);
index_t fillNan(View2<float> inout, float value);
index_t nanMask(View2<const double> in, View2<unsigned char> mask);
double nanMean(View2<const double> in, View2<double> perRow);
bool normalizeRange(View2<float> inout, float lo, float hi);
void normalizeColumns(View2<double> inout, double* means);
template <typename T>
void cumulativeSum(View2<const T> in, View2<double> out);
void histogram(View2<const float> in, float lo, float hi, std::vector<int64_t>* bins);

// linear.cpp
template <typename T>
void matmul(View2<const T> a, View2<const T> b, View2<T> c);
void gemmUpdate(double alpha, View2<const double> a, View2<const double> b, double beta,
                View2<double> c);
void pairwise(View2<const double> a, View2<const double> b, View2<double> out, Metric metric);
void outerAdd(View2<int> inout, const int* rowTerm, index_t rowStep, const int* colTerm,
              index_t colStep);
template <typename S, typename D>
void copyN(const ViewN<const S>& src, const ViewN<D>& dst);
void axpyN(double a, const ViewN<const double>& x, const ViewN<double>& y);

}  // namespace scigrid

#endif  // SCIGRID_SCIGRID_H_
