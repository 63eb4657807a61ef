// exercise.cpp - runs everything over many shapes and strides, prints hashes

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "scigrid/scigrid.h"

using namespace scigrid;

namespace {

uint64_t g_hashes[4];  // several functions in a group: one each
int g_cur;
uint64_t g_rng;

void begin(uint64_t seed) {
  for (auto& h : g_hashes) h = 1469598103934665603ull;
  g_cur = 0;
  g_rng = seed * 6364136223846793005ull + 1442695040888963407ull;
}

unsigned rnd() {
  g_rng = g_rng * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<unsigned>(g_rng >> 40);
}

void mixBytes(const void* p, size_t n) {
  const unsigned char* b = static_cast<const unsigned char*>(p);
  for (size_t i = 0; i < n; ++i) g_hashes[g_cur] = (g_hashes[g_cur] ^ b[i]) * 1099511628211ull;
}

template <typename T>
void mix(const T& v) {
  mixBytes(&v, sizeof v);
}

void say(const char* fn, const char* what) {
  for (int k = 0; *fn; ++k) {
    const int n = static_cast<int>(std::strcspn(fn, "/"));
    std::printf("%.*s %s %016llx\n", n, fn, what, static_cast<unsigned long long>(g_hashes[k]));
    fn += n + (fn[n] == '/');
  }
}

template <typename T>
T sample() {
  return static_cast<T>(static_cast<int>(rnd() % 4001) - 2000) / static_cast<T>(8);
}
template <>
unsigned char sample<unsigned char>() {
  return static_cast<unsigned char>(rnd());
}
template <>
int sample<int>() {
  return static_cast<int>(rnd() % 20001) - 10000;
}
template <>
int16_t sample<int16_t>() {
  return static_cast<int16_t>(rnd() & 0x7fff);
}

// layouts: 0 dense, 1 padded rows, 2 every third sample, 3 transposed memory, 4 bottom-up
const int kLayouts = 5;
const char* const kLayoutName[kLayouts] = {"dense", "padded", "spread", "transposed", "bottomup"};
const char* const kBorderName[4] = {"-zero", "-nearest", "-reflect", "-wrap"};
const char* const kMetricName[3] = {"-euclid", "-manhattan", "-chebyshev"};

template <typename T>
struct Box {
  std::vector<T> mem;
  View2<T> v;
  Box(index_t r, index_t c, int layout) {
    index_t rs = c, cs = 1;
    if (layout == 1) rs = c + 5;
    if (layout == 2) cs = 3, rs = 3 * c + 2;
    if (layout == 3) rs = 1, cs = r;
    mem.resize(static_cast<size_t>(r * (c + 5) * 3 + 16));
    for (auto& e : mem) e = sample<T>();
    v = View2<T>(mem.data() + 3, r, c, rs, cs);
    if (layout == 4) v = v.flippedRows();
  }
  void hash() const {
    mixBytes(mem.data(), mem.size() * sizeof(T));
  }
};

const int kWidths[] = {0, 1, 2, 3, 7, 16, 17, 64, 65, 130};

template <typename F>
void sizes(const char* fn, uint64_t seed, F f, const char* variant = "") {
  for (int l = 0; l < kLayouts; ++l) {
    begin(seed * 100 + static_cast<uint64_t>(l));
    for (int w : kWidths)
      for (int h = 1; h <= 9; h += w > 20 ? 4 : 2) f(h, w, l);
    if (l == 1) f(40, 33, 2);
    f(2, 3, l);
    say(fn, (std::string(kLayoutName[l]) + variant).c_str());
  }
}

template <typename T>
void makeN(ViewN<T>* v, T* data, int ndim, int w, int h, bool backwards) {
  const index_t shape[4] = {2, h > 4 ? 3 : h, 2, w};
  v->ndim = ndim;
  index_t s = backwards ? 2 : 1;
  for (int d = ndim - 1; d >= 0; --d) {
    v->shape[d] = d == ndim - 1 ? w : shape[d];
    v->stride[d] = s;
    s *= v->shape[d] + (backwards ? 1 : 0);
  }
  v->data = data;
  if (backwards && ndim > 1 && v->shape[0] > 0) {
    v->data += v->stride[0] * (v->shape[0] - 1);
    v->stride[0] = -v->stride[0];
  }
}

void testFilters() {
  for (int b = 0; b < 4; ++b) {
    sizes("convolve", 1 + b, [b](int h, int w, int l) {
      Box<float> in(h, w, l), out(h, w, (l + 2) % kLayouts);
      Box<double> k(1 + 2 * (h % 3), 1 + 2 * (w % 2), l % 3);
      int calls = 0;
      convolve(in.v, k.v, out.v, static_cast<Border>(b), [&](index_t done, index_t all) {
        ++calls;
        return l != 3 || done < all - 2;
      });
      mix(calls);
      out.hash();
    }, kBorderName[b]);
    sizes("convolveRows", 10 + b, [b](int h, int w, int l) {
      Box<double> in(h, w, l), out(h, w, (l + 1) % kLayouts);
      const double taps[9] = {0.01, 0.04, 0.1, 0.2, 0.3, 0.2, 0.1, 0.04, 0.01};
      const int radius = h % 5;
      convolveRows(in.v, taps, radius, out.v, static_cast<Border>(b));
      convolveRows(in.v, taps, radius, in.v, static_cast<Border>(b));
      in.hash();
      out.hash();
    }, kBorderName[b]);
  }
  sizes("gradient", 20, [](int h, int w, int l) {
    Box<double> in(h, w, l), gy(h, w, (l + 1) % kLayouts), gx(h, w, (l + 3) % kLayouts);
    gradient(in.v, h == 3 ? View2<double>() : gy.v, h == 5 ? View2<double>() : gx.v, 0.5, 2.0);
    gy.hash();
    gx.hash();
  });
  sizes("sobelMagnitude", 21, [](int h, int w, int l) {
    Box<float> in(h, w, l), out(h, w, (l + 1) % kLayouts);
    sobelMagnitude(in.v, out.v);
    out.hash();
  });
  sizes("smoothRecursive", 22, [](int h, int w, int l) {
    Box<float> v(h, w, l);
    smoothRecursive(v.v, 1.0 / h);
    v.hash();
  });
  sizes("laplace/axpyN/copyN", 23, [](int h, int w, int l) {
    for (int nd = 1; nd <= 4; ++nd) {
      Box<double> in(30, 6 * w + 40, 0), out(30, 6 * w + 40, 0);
      Box<float> f(30, 6 * w + 40, 0);
      Box<int> n(30, 6 * w + 40, 0);
      Box<int16_t> s(30, 6 * w + 40, 0);
      ViewN<double> a, b;
      ViewN<float> fv;
      ViewN<int> nv;
      ViewN<int16_t> sv;
      makeN(&a, in.mem.data(), nd, w, h, l & 1);
      makeN(&b, out.mem.data(), nd, w, h, l & 2);
      makeN(&fv, f.mem.data(), nd, w, h, l & 4);
      makeN(&nv, n.mem.data(), nd, w, h, l & 1);
      makeN(&sv, s.mem.data(), nd, w, h, l & 2);
      ViewN<const double> ca = {a.data, a.ndim, {a.shape[0], a.shape[1], a.shape[2], a.shape[3]},
                                {a.stride[0], a.stride[1], a.stride[2], a.stride[3]}};
      g_cur = 0;
      laplace(ca, b);
      out.hash();
      g_cur = 1;
      axpyN(0.75, ca, b);
      out.hash();
      g_cur = 2;
      for (auto& e : in.mem) e *= 40.0;
      copyN<double, int16_t>(ca, sv);
      s.hash();
      ViewN<const int> cn;
      cn.data = nv.data;
      cn.ndim = nd;
      ViewN<const float> cf;
      cf.data = fv.data;
      cf.ndim = nd;
      for (int d = 0; d < nd; ++d) {
        cn.shape[d] = nv.shape[d];
        cn.stride[d] = nv.stride[d];
        cf.shape[d] = fv.shape[d];
        cf.stride[d] = fv.stride[d];
      }
      copyN<float, double>(cf, b);
      copyN<int, float>(cn, fv);
      f.hash();
      out.hash();
    }
  });
}

void testMorphology() {
  sizes("dilate/erode", 30, [](int h, int w, int l) {
    Box<int> in(h, w, l), a(h, w, (l + 1) % kLayouts), b(h, w, (l + 2) % kLayouts);
    Box<unsigned char> el(1 + h % 4, 1 + (w + h) % 5, l);
    for (auto& e : el.mem) e &= 1;
    dilate(in.v, a.v, el.v);
    erode(in.v, b.v, el.v);
    g_cur = 0;
    a.hash();
    g_cur = 1;
    b.hash();
  });
  sizes("binaryOpen3", 31, [](int h, int w, int l) {
    Box<unsigned char> v(h, w, l);
    for (auto& e : v.mem) e = e > 25 ? e : 0;
    binaryOpen3(v.v);
    v.hash();
  });
  sizes("thresholdOtsu", 32, [](int h, int w, int l) {
    Box<unsigned char> in(h, w, l), out(h, w, (l + 1) % kLayouts);
    for (auto& e : in.mem) e = e & 1 ? e / 3 : 120 + e / 2;
    mix(thresholdOtsu(in.v, h == 3 ? View2<unsigned char>() : out.v));
    out.hash();
  });
  sizes("threshold", 33, [](int h, int w, int l) {
    Box<int> i(h, w, l);
    Box<float> f(h, w, l);
    Box<double> d(h, w, l);
    Box<unsigned char> out(h, w, (l + 1) % kLayouts);
    mix(threshold<int>(i.v, out.v, 100, h & 2));
    out.hash();
    mix(threshold<float>(f.v, out.v, -3.5f, h & 2));
    out.hash();
    mix(threshold<double>(d.v, out.v, 30.0, w & 1));
    out.hash();
  });
  sizes("thresholdLocal", 34, [](int h, int w, int l) {
    Box<float> in(h, w, l);
    Box<unsigned char> out(h, w, (l + 1) % kLayouts);
    thresholdLocal(in.v, out.v, h / 2, 0.25f);
    out.hash();
  });
}

void testStats() {
  sizes("moments", 40, [](int h, int w, int l) {
    Box<double> in(h, w, l);
    Box<unsigned char> mask(h, w, l == 1 ? 1 : 0);
    for (auto& e : mask.mem) e &= 3;
    const Moments m = moments(in.v, h == 3 ? nullptr : mask.v.data, l == 1 ? w + 5 : 0);
    mix(m.n), mix(m.mean), mix(m.variance), mix(m.minimum), mix(m.maximum);
    mix(m.argMinRow), mix(m.argMinCol);
  });
  sizes("fillNan", 41, [](int h, int w, int l) {
    Box<float> v(h, w, l);
    for (auto& e : v.mem)
      if (rnd() % 5 == 0) e = rnd() & 1 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
    mix(fillNan(v.v, -1.0f));
    v.hash();
  });
  sizes("nanMask/nanMean", 42, [](int h, int w, int l) {
    Box<double> v(h, w, l), col(h, 1, (l + 1) % kLayouts);
    Box<unsigned char> mask(h, w, (l + 3) % kLayouts);
    for (auto& e : v.mem)
      if (rnd() % 4 == 0) e = std::numeric_limits<double>::quiet_NaN();
    g_cur = 0;
    mix(nanMask(v.v, mask.v));
    mask.hash();
    g_cur = 1;
    mix(nanMean(v.v, h == 5 ? View2<double>() : col.v));
    col.hash();
  });
  sizes("normalizeRange/normalizeColumns", 43, [](int h, int w, int l) {
    Box<float> v(h, w, l);
    if (h == 3)
      for (auto& e : v.mem) e = 2.0f;
    g_cur = 0;
    mix(normalizeRange(v.v, -1.0f, 3.0f));
    v.hash();
    g_cur = 1;
    Box<double> d(h, w, l);
    std::vector<double> means(static_cast<size_t>(w) + 1, 0.0);
    normalizeColumns(d.v, h == 5 ? nullptr : means.data());
    d.hash();
    mixBytes(means.data(), means.size() * sizeof(double));
  });
  sizes("cumulativeSum", 44, [](int h, int w, int l) {
    Box<int> i(h, w, l);
    Box<float> f(h, w, l);
    Box<double> a(h, w, (l + 1) % kLayouts), b(h, w, (l + 4) % kLayouts);
    cumulativeSum<int>(i.v, a.v);
    cumulativeSum<float>(f.v, b.v);
    a.hash();
    b.hash();
  });
  sizes("histogram", 45, [](int h, int w, int l) {
    Box<float> v(h, w, l);
    for (auto& e : v.mem)
      if (rnd() % 9 == 0) e = std::numeric_limits<float>::quiet_NaN();
    std::vector<int64_t> bins(static_cast<size_t>(h == 1 ? 0 : 1 + w % 40), 1);
    try {
      histogram(v.v, -100.0f, 200.0f, &bins);
    } catch (const shape_error& e) {
      mixBytes(e.what(), std::strlen(e.what()));
    }
    mixBytes(bins.data(), bins.size() * sizeof(int64_t));
  });
}

void testLinear() {
  sizes("matmul", 50, [](int h, int w, int l) {
    const int k = (w + h) % 11;
    Box<int> a(h, k, l), b(k, w, (l + 1) % kLayouts), c(h, w, (l + 2) % kLayouts);
    matmul<int>(a.v, b.v, c.v);
    c.hash();
    Box<float> fa(h, k, l), fb(k, w, l), fc(h, w, (l + 2) % kLayouts);
    matmul<float>(fa.v, fb.v, fc.v);
    fc.hash();
    Box<double> da(h, k, l), db(w, k, l), dc(h, w, l);
    matmul<double>(da.v, View2<const double>(db.v).transposed(), dc.v);
    dc.hash();
    try {
      matmul<double>(da.v, da.v, dc.v);
      mix(1);
    } catch (const shape_error&) {
      mix(2);
    }
  });
  sizes("gemmUpdate", 51, [](int h, int w, int l) {
    const int k = (w + 2 * h) % 9;
    const double betas[4] = {0.0, 1.0, -0.5, 2.0};
    for (int i = 0; i < 4; ++i) {
      Box<double> a(h, k, l), b(k, w, (l + 1) % kLayouts), c(h, w, (l + 2) % kLayouts);
      gemmUpdate(i == 3 ? 0.0 : 1.25, a.v, b.v, betas[i], c.v);
      c.hash();
    }
  });
  for (int m = 0; m < 3; ++m) {
    sizes("pairwise", 52 + m, [m](int h, int w, int l) {
      Box<double> a(h, w % 20, l), b(w % 13, w % 20, (l + 1) % kLayouts);
      Box<double> ab(h, w % 13, l), aa(h, h, (l + 1) % kLayouts);
      pairwise(a.v, b.v, ab.v, static_cast<Metric>(m));
      pairwise(a.v, a.v, aa.v, static_cast<Metric>(m));
      ab.hash();
      aa.hash();
    }, kMetricName[m]);
  }
  sizes("outerAdd", 56, [](int h, int w, int l) {
    Box<int> v(h, w, l), r(1, h * 2 + 1, 0), c(1, w * 2 + 1, 0);
    outerAdd(v.v, h == 3 ? nullptr : r.v.data, l % 3, w == 7 ? nullptr : c.v.data, (l + 1) % 3);
    v.hash();
  });
}

}  // namespace

int main() {
  testFilters();
  testMorphology();
  testStats();
  testLinear();
  return 0;
}
