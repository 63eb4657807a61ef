// statistics.cpp
//
// Measurements on images, regions and signals.
// Kestrel inspection library, 2013. Needs a C++11 compiler.
//
// Strides are in elements. Views don't own anything. Functions that give back the place of
// something return -1 (or `count`, for signals) if there is no such place.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

template <typename T>
struct View {
  const T* data;
  int width;
  int height;
  int stride;

  const T* Row(int y) const { return data + static_cast<ptrdiff_t>(y) * stride; }
  bool Empty() const { return width <= 0 || height <= 0; }
  int64_t Count() const { return Empty() ? 0 : static_cast<int64_t>(width) * height; }
};

typedef View<uint8_t> View8;
typedef View<uint16_t> View16;

struct Box {
  int left, top, right, bottom;  // right and bottom are outside
};

struct Moments {
  double m00, m10, m01;
  double mu20, mu11, mu02;  // central
};

struct Point2d {
  double x, y;
};

template <typename T>
static inline T Square(T v) {
  return v * v;
}

static inline int PopCount8(unsigned v) {
  v = v - ((v >> 1) & 0x55);
  v = (v & 0x33) + ((v >> 2) & 0x33);
  return static_cast<int>((v + (v >> 4)) & 0x0f);
}

// --------------------------------------------------------------------------- histograms

void ImageHistogram(const View8& image, uint32_t hist[256]) {
  std::fill(hist, hist + 256, 0u);
  for (int y = 0; y < image.height; ++y) {
    const uint8_t* p = image.Row(y);
    const uint8_t* const end = p + image.width;
    while (p < end) ++hist[*p++];
  }
}

// 64 bins. Four tables, so that equal neighbours don't wait for each other.
void CoarseHistogram(const uint8_t* pixels, size_t count, uint32_t* bins) {
  uint32_t part[4][64] = {};
  size_t i = 0;

  for (; i + 4 <= count; i += 4) {
    part[0][pixels[i] >> 2]++;
    part[1][pixels[i + 1] >> 2]++;
    part[2][pixels[i + 2] >> 2]++;
    part[3][pixels[i + 3] >> 2]++;
  }
  for (; i < count; i++) part[0][pixels[i] >> 2]++;

  for (int b = 0; b < 64; b++) bins[b] = part[0][b] + part[1][b] + part[2][b] + part[3][b];
}

// 65536 >> shift bins, made here.
void DeepHistogram(const View16& image, int shift, std::vector<uint32_t>& bins) {
  assert(shift >= 0 && shift <= 16);
  bins.assign(static_cast<size_t>(65536 >> shift), 0);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) bins[image.Row(y)[x] >> shift]++;
}

// One channel of interleaved pixels.
void ChannelHistogram(const uint8_t* pixels, int width, int height, int stride, int channels,
                      int which, int* hist) {
  assert(channels > 0 && which >= 0 && which < channels);
  for (int i = 0; i < 256; ++i) hist[i] = 0;
  for (int y = 0; y < height; ++y) {
    const uint8_t* p = pixels + which;
    for (int x = 0; x < width; ++x) {
      hist[*p] += 1;
      p += channels;
    }
    pixels += stride;
  }
}

// Only where the mask is set. Returns how many pixels that were.
int MaskedHistogram(const View8& image, const View8& mask, std::array<int, 256>& hist) {
  const int w = std::min(image.width, mask.width);
  const int h = std::min(image.height, mask.height);
  int used = 0;

  hist.fill(0);
  for (int y = 0; y < h; ++y) {
    const uint8_t* p = image.Row(y);
    const uint8_t* m = mask.Row(y);
    for (int x = 0; x < w; ++x) {
      if (!m[x]) continue;
      ++hist[p[x]];
      ++used;
    }
  }
  return used;
}

void EqualizeHistogram(uint8_t* dst, int dst_stride, const View8& src) {
  uint32_t hist[256] = {0};
  uint8_t remap[256];
  const int64_t total = src.Count();
  if (total == 0) return;

  for (int y = 0; y < src.height; ++y) {
    const uint8_t* p = src.Row(y);
    for (int x = 0; x < src.width; ++x) hist[p[x]]++;
  }

  // The darkest grey that occurs becomes 0.
  int first = 0;
  while (hist[first] == 0) ++first;
  const int64_t base = hist[first];
  int64_t sum = 0;
  for (int i = 0; i < 256; ++i) {
    sum += hist[i];
    if (total == base)
      remap[i] = static_cast<uint8_t>(i);
    else if (sum < base)
      remap[i] = 0;
    else
      remap[i] = static_cast<uint8_t>(((sum - base) * 255 + (total - base) / 2) / (total - base));
  }

  for (int y = 0; y < src.height; ++y) {
    const uint8_t* p = src.Row(y);
    uint8_t* d = dst + static_cast<ptrdiff_t>(y) * dst_stride;
    for (int x = 0; x < src.width; ++x) d[x] = remap[p[x]];
  }
}

// ---------------------------------------------------------------------------- thresholds

// Otsu 1979: the level that separates the two classes best. Foreground is above it.
int OtsuThreshold(const View8& image) {
  int hist[256] = {0};
  for (int y = 0; y < image.height; ++y) {
    const uint8_t* p = image.Row(y);
    for (int x = 0; x < image.width; ++x) hist[p[x]]++;
  }

  double total = 0.0, weighted = 0.0;
  for (int i = 0; i < 256; ++i) {
    total += hist[i];
    weighted += static_cast<double>(i) * hist[i];
  }

  double below = 0.0, below_sum = 0.0, best = 0.0;
  int level = 0;
  for (int i = 0; i < 256; ++i) {
    below += hist[i];
    if (below == 0.0) continue;
    const double above = total - below;
    if (above == 0.0) break;
    below_sum += static_cast<double>(i) * hist[i];
    const double diff = below_sum / below - (weighted - below_sum) / above;
    const double between = below * above * diff * diff;
    if (between > best) {
      best = between;
      level = i;
    }
  }
  return level;
}

// The lowest value with at least `permille` of all pixels at or below it.
int HistogramPercentile(const uint32_t* hist, int bins, int permille) {
  uint64_t total = 0;
  for (int i = 0; i < bins; ++i) total += hist[i];
  if (total == 0) return -1;

  const uint64_t wanted = (total * static_cast<uint64_t>(std::max(permille, 0)) + 999) / 1000;
  uint64_t sum = 0;
  for (int i = 0; i < bins; ++i) {
    sum += hist[i];
    if (sum >= wanted) return i;
  }
  return bins - 1;
}

// Binarizes in place at the mean of the image plus an offset.
void ThresholdAtMean(uint8_t* image, int width, int height, int stride, int offset) {
  if (width < 1 || height < 1) return;

  uint64_t sum = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) sum += image[y * stride + x];

  const int level = static_cast<int>(sum / (static_cast<uint64_t>(width) * height)) + offset;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image[y * stride + x] = image[y * stride + x] > level ? 255 : 0;
}

// ----------------------------------------------------------------------- mean, deviation

double MeanValue(const View8& image) {
  const int64_t n = image.Count();
  if (n == 0) return 0.0;

  int64_t sum = 0;
  for (int y = 0; y < image.height; ++y) {
    int row_sum = 0;
    const uint8_t* p = image.Row(y);
    for (int x = 0; x < image.width; ++x) row_sum += p[x];
    sum += row_sum;
  }
  return static_cast<double>(sum) / static_cast<double>(n);
}

bool MeanStdDev(const View16& image, double* mean, double* std_dev) {
  const int64_t n = image.Count();
  if (n == 0) {
    *mean = *std_dev = 0.0;
    return false;
  }

  uint64_t sum = 0, squares = 0;
  for (int y = 0; y < image.height; ++y) {
    const uint16_t* p = image.Row(y);
    for (int x = 0; x < image.width; ++x) {
      const uint32_t v = p[x];
      sum += v;
      squares += static_cast<uint64_t>(v) * v;
    }
  }
  *mean = static_cast<double>(sum) / n;
  const double variance = static_cast<double>(squares) / n - Square(*mean);
  *std_dev = std::sqrt(std::max(variance, 0.0));
  return true;
}

// Of a sample (divides by count - 1), by the recurrence of Welford.
double SampleVariance(const float* signal, size_t count) {
  double mean = 0.0, m2 = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double delta = signal[i] - mean;
    mean += delta / static_cast<double>(i + 1);
    m2 += delta * (signal[i] - mean);
  }
  return count > 1 ? m2 / static_cast<double>(count - 1) : 0.0;
}

// ------------------------------------------------------------------------------ extremes

// lo and hi stay untouched if there is nothing.
void MinMaxValue(const View16& image, uint16_t* lo, uint16_t* hi) {
  if (image.Empty()) return;
  uint16_t mn = image.data[0];
  uint16_t mx = image.data[0];
  for (int y = 0; y < image.height; ++y) {
    const uint16_t* p = image.Row(y);
    for (int x = 0; x < image.width; ++x) {
      if (p[x] < mn)
        mn = p[x];
      else if (p[x] > mx)
        mx = p[x];
    }
  }
  *lo = mn;
  *hi = mx;
}

size_t ArgMaxFirst(const float* signal, size_t count) {
  size_t at = 0;
  for (size_t i = 1; i < count; ++i)
    if (signal[i] > signal[at]) at = i;
  return count ? at : count;
}

// The last of equal ones; the value goes to *peak.
int ArgMaxLast(const int16_t* signal, int count, int* peak) {
  int at = -1;
  int best = std::numeric_limits<int16_t>::min();
  for (int i = 0; i < count; ++i) {
    if (signal[i] >= best) {
      best = signal[i];
      at = i;
    }
  }
  if (peak) *peak = best;
  return at;
}

// Envelope of what has been seen so far.
void RunningExtremes(int32_t* lo, int32_t* hi, const int32_t* signal, int count) {
  if (count <= 0) return;
  int32_t mn = signal[0], mx = signal[0];
  for (int i = 0; i < count; ++i) {
    mn = std::min(mn, signal[i]);
    mx = std::max(mx, signal[i]);
    lo[i] = mn;
    hi[i] = mx;
  }
}

// Largest of the `window` samples that end at each one, fewer at the beginning. Not in place.
void TrailingMax(std::vector<float>& out, const std::vector<float>& in, int window) {
  assert(window >= 1);
  const int n = static_cast<int>(in.size());
  out.resize(in.size());
  for (int i = 0; i < n; ++i) {
    float best = in[i];
    for (int k = std::max(0, i - window + 1); k < i; ++k) best = std::max(best, in[k]);
    out[i] = best;
  }
}

// ------------------------------------------------------------------ sums and differences

uint64_t SumPixels(const uint16_t* pixels, int width, int height, int stride) {
  uint64_t sum = 0;
  for (; height > 0; --height, pixels += stride)
    for (int x = width - 1; x >= 0; --x) sum += pixels[x];
  return sum;
}

// Sum of absolute differences of two blocks; gives up after the row in which it passes limit.
int SumAbsDiff(const uint8_t* a, int a_stride, const uint8_t* b, int b_stride, int width,
               int height, int limit) {
  int sad = 0;
  for (int y = 0; y < height; ++y) {
    int x = 0;
    for (; x <= width - 4; x += 4) {
      sad += std::abs(a[x] - b[x]);
      sad += std::abs(a[x + 1] - b[x + 1]);
      sad += std::abs(a[x + 2] - b[x + 2]);
      sad += std::abs(a[x + 3] - b[x + 3]);
    }
    for (; x < width; ++x) sad += std::abs(a[x] - b[x]);
    if (sad > limit) return sad;
    a += a_stride;
    b += b_stride;
  }
  return sad;
}

int64_t SumSquaredDiff(const View8& a, const View8& b) {
  assert(a.width == b.width && a.height == b.height);
  int64_t ssd = 0;
  for (int y = 0; y < a.height; ++y) {
    const uint8_t* pa = a.Row(y);
    const uint8_t* pb = b.Row(y);
    for (int x = 0; x < a.width; ++x) ssd += Square(static_cast<int>(pa[x]) - pb[x]);
  }
  return ssd;
}

// In dB; 99 if they are equal.
double PeakSignalToNoise(const uint8_t* a, const uint8_t* b, size_t count) {
  double error = 0.0;
  for (size_t i = 0; i < count; i++) {
    double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    error += d * d;
  }
  if (error == 0.0) return 99.0;
  return 10.0 * std::log10(255.0 * 255.0 * static_cast<double>(count) / error);
}

// Correlation coefficient of a template with the image part below it; 0 where one is flat.
double CrossCorrelation(const View8& image, const View8& pattern, int left, int top) {
  if (pattern.Empty() || left < 0 || top < 0) return 0.0;
  if (left + pattern.width > image.width || top + pattern.height > image.height) return 0.0;

  int64_t si = 0, st = 0, sii = 0, stt = 0, sit = 0;
  for (int y = 0; y < pattern.height; ++y) {
    const uint8_t* i = image.Row(top + y) + left;
    const uint8_t* t = pattern.Row(y);
    for (int x = 0; x < pattern.width; ++x) {
      si += i[x];
      st += t[x];
      sii += i[x] * i[x];
      stt += t[x] * t[x];
      sit += i[x] * t[x];
    }
  }
  const int64_t n = pattern.Count();
  const double vi = static_cast<double>(n * sii - si * si);
  const double vt = static_cast<double>(n * stt - st * st);
  if (vi <= 0.0 || vt <= 0.0) return 0.0;
  return static_cast<double>(n * sit - si * st) / std::sqrt(vi * vt);
}

// ---------------------------------------------------------------------- counting, finding

int CountAbove(const View8& image, int level) {
  int n = 0;
  for (int y = 0; y < image.height; ++y)
    n += static_cast<int>(std::count_if(image.Row(y), image.Row(y) + std::max(image.width, 0),
                                        [level](uint8_t v) { return v > level; }));
  return n;
}

bool AnySaturated(const View16& image, uint16_t white) {
  for (int y = 0; y < image.height; ++y) {
    const uint16_t* p = image.Row(y);
    for (int x = 0; x < image.width; ++x)
      if (p[x] >= white) return true;
  }
  return false;
}

bool AllWithin(const float* values, int count, float lo, float hi) {
  bool ok = true;
  for (int i = 0; i < count; ++i) ok &= values[i] >= lo && values[i] <= hi;
  return ok;
}

// First sample at or above the level, from `start` on; `count` if there is none.
size_t FindFirstAbove(const uint8_t* samples, size_t count, size_t start, int level) {
  size_t i = start;
  while (i < count && samples[i] < level) ++i;
  return i < count ? i : count;
}

// Column of the rightmost pixel that is set in any row.
int LastNonzeroColumn(const View8& image) {
  int last = -1;
  for (int y = 0; y < image.height; ++y) {
    const uint8_t* p = image.Row(y);
    for (int x = image.width - 1; x > last; --x) {
      if (p[x] != 0) {
        last = x;
        break;
      }
    }
  }
  return last;
}

Box BoundingBox(const View8& image) {
  Box box = {image.width, image.height, 0, 0};
  for (int y = 0; y < image.height; ++y) {
    const uint8_t* p = image.Row(y);
    for (int x = 0; x < image.width; ++x) {
      if (p[x] == 0) continue;
      if (x < box.left) box.left = x;
      if (x >= box.right) box.right = x + 1;
      if (y < box.top) box.top = y;
      box.bottom = y + 1;
    }
  }
  if (box.right <= box.left) box = Box{0, 0, 0, 0};
  return box;
}

int CountZeroCrossings(const int16_t* signal, int count) {
  int crossings = 0;
  for (int i = 1; i < count; ++i)
    if ((signal[i - 1] < 0) != (signal[i] < 0)) ++crossings;
  return crossings;
}

// Runs of equal samples in a scan line. Writes no more than max_runs lengths but counts all.
int RunLengths(int* lengths, int max_runs, const uint8_t* line, int width) {
  if (width <= 0) return 0;
  int runs = 0;
  int length = 1;
  for (int x = 1; x < width; ++x) {
    if (line[x] == line[x - 1]) {
      ++length;
    } else {
      if (runs < max_runs) lengths[runs] = length;
      ++runs;
      length = 1;
    }
  }
  if (runs < max_runs) lengths[runs] = length;
  return runs + 1;
}

int LongestDarkRun(const uint8_t* line, int width, int level) {
  int run = 0, longest = 0;
  for (int x = 0; x < width; ++x) {
    run = line[x] < level ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// -------------------------------------------------------------------- projections, shape

void ProjectColumns(std::vector<uint32_t>& sums, const View8& image) {
  sums.assign(static_cast<size_t>(std::max(image.width, 0)), 0);
  for (int y = 0; y < image.height; ++y) {
    const uint8_t* p = image.Row(y);
    for (int x = 0; x < image.width; ++x) sums[x] += p[x];
  }
}

void ProjectBoth(uint32_t* row_sums, uint32_t* column_sums, const uint16_t* image, int width,
                 int height, int stride) {
  for (int x = 0; x < width; ++x) column_sums[x] = 0;
  for (int y = 0; y < height; ++y) {
    uint32_t sum = 0;
    for (int x = 0; x < width; ++x) {
      const uint16_t v = image[y * stride + x];
      sum += v;
      column_sums[x] += v;
    }
    row_sums[y] = sum;
  }
}

// Grey values are weights. The middle of the image if all is black.
Point2d Centroid(const View8& image) {
  int64_t mass = 0, sx = 0, sy = 0;
  for (int y = 0; y < image.height; ++y) {
    const uint8_t* p = image.Row(y);
    for (int x = 0; x < image.width; ++x) {
      mass += p[x];
      sx += static_cast<int64_t>(x) * p[x];
      sy += static_cast<int64_t>(y) * p[x];
    }
  }
  Point2d c = {0.5 * (image.width - 1), 0.5 * (image.height - 1)};
  if (mass > 0) {
    c.x = static_cast<double>(sx) / static_cast<double>(mass);
    c.y = static_cast<double>(sy) / static_cast<double>(mass);
  }
  return c;
}

Moments BlobMoments(const View<float>& image) {
  Moments m = {};
  double m20 = 0, m11 = 0, m02 = 0;
  for (int y = 0; y < image.height; ++y) {
    const float* p = image.Row(y);
    double r0 = 0, r1 = 0, r2 = 0;
    for (int x = 0; x < image.width; ++x) {
      const double v = p[x];
      const double xv = x * v;
      r0 += v;
      r1 += xv;
      r2 += x * xv;
    }
    m.m00 += r0;
    m.m10 += r1;
    m.m01 += y * r0;
    m20 += r2;
    m11 += y * r1;
    m02 += static_cast<double>(y) * y * r0;
  }
  if (m.m00 > 0.0) {
    const double cx = m.m10 / m.m00;
    const double cy = m.m01 / m.m00;
    m.mu20 = m20 - cx * m.m10;
    m.mu11 = m11 - cx * m.m01;
    m.mu02 = m02 - cy * m.m01;
  }
  return m;
}

// ----------------------------------------------------------------------------- checksums

uint32_t Adler32(const uint8_t* bytes, size_t count, uint32_t seed) {
  const uint32_t kBase = 65521;
  uint32_t a = (seed & 0xffff) % kBase;
  uint32_t b = (seed >> 16) % kBase;
  while (count > 0) {
    // 5552 is the most that 32 bits can hold before the remainder must be taken
    size_t n = std::min<size_t>(count, 5552);
    count -= n;
    do {
      a += *bytes++;
      b += a;
    } while (--n);
    a %= kBase;
    b %= kBase;
  }
  return b << 16 | a;
}

uint16_t Fletcher16(const uint8_t* bytes, int count) {
  unsigned c0 = 0, c1 = 0;
  for (int i = 0; i < count; ++i) {
    c0 = (c0 + bytes[i]) % 255;
    c1 = (c1 + c0) % 255;
  }
  return static_cast<uint16_t>(c1 << 8 | c0);
}

// Number of bits set in a packed mask; odd[y] tells whether row y has an odd number. The
// unused bits at the end of a row may hold anything.
int MaskArea(const uint8_t* bits, int width, int height, int row_bytes, uint8_t* odd) {
  const int whole = width / 8;
  const unsigned tail = 0xff00u >> (width & 7) & 0xffu;
  int area = 0;
  for (int y = 0; y < height; ++y) {
    unsigned parity = 0;
    for (int i = 0; i < whole; ++i) {
      area += PopCount8(bits[i]);
      parity ^= bits[i];
    }
    if (width & 7) {
      area += PopCount8(bits[whole] & tail);
      parity ^= bits[whole] & tail;
    }
    parity ^= parity >> 4;
    parity ^= parity >> 2;
    parity ^= parity >> 1;
    odd[y] = parity & 1;
    bits += row_bytes;
  }
  return area;
}
