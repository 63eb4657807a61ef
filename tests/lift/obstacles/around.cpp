// What stands around loops in C++.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

struct Bitmap {
  int width = 0, height = 0;
  std::vector<uint8_t> data;
};

void trace(const std::string &text);

struct Scope {
  explicit Scope(const char *name);
  ~Scope();
};

// exceptions: proved
void invert(const Bitmap &in, uint8_t *out) {
  if (in.width <= 0) throw std::invalid_argument("empty");
  const int n = in.width * in.height;
  const uint8_t *s = in.data.data();
  for (int i = 0; i < n; ++i) out[i] = 255 - s[i];
}

// exceptions: not proved, it is thrown where the pixels end, and caught there
void invert_twin(const std::vector<uint8_t> &in, uint8_t *out, int n) {
  for (int i = 0; i < n; ++i) {
    try {
      out[i] = 255 - in.at(i);
    } catch (const std::out_of_range &) {
      out[i] = out[0] + i;
    }
  }
}

// objects that release what they hold: proved
void dimmed(const uint8_t *s, uint8_t *d, int n, std::mutex &m) {
  std::lock_guard<std::mutex> lock(m);
  Scope scope("dimmed");
  std::unique_ptr<uint8_t[]> t(new uint8_t[n]);
  for (int i = 0; i < n; ++i) t[i] = s[i] / 2;
  for (int i = 0; i < n; ++i) d[i] = t[i] + 10;
}

// objects that release what they hold: not proved, one is made for each pixel
void dimmed_twin(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; ++i) {
    Scope scope("pixel");
    d[i] = s[i] / 2;
  }
}

// containers that are returned: proved
std::vector<uint8_t> threshold(const std::vector<uint8_t> &in, int level) {
  std::vector<uint8_t> out(in.size());
  for (size_t i = 0; i < in.size(); ++i) out[i] = in[i] > level ? 255 : 0;
  return out;
}

// containers that are returned: not proved, one grows by what the data says
std::vector<uint8_t> threshold_twin(const std::vector<uint8_t> &in, int level) {
  std::vector<uint8_t> out;
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i] > level) out.push_back(in[i]);
  return out;
}

// containers by value: proved
void gained(std::vector<float> v, float *d, float by) {
  for (size_t i = 0; i < v.size(); ++i) d[i] = v[i] * by;
}

// containers by value: not proved, it is the one of the caller, and each step takes one out
void gained_twin(std::vector<float> &v, float *d, float by) {
  for (size_t i = 0; i < v.size(); ++i) {
    d[i] = v[i] * by;
    v.pop_back();
  }
}

// containers in containers: unsupported-type, summed_flat
void summed_rows(const std::vector<std::vector<int>> &rows, int *d) {
  for (size_t y = 0; y < rows.size(); ++y)
    for (size_t x = 0; x < rows[y].size(); ++x) d[y] += rows[y][x];
}

// containers in containers: proved
void summed_flat(const std::vector<int> &all, int *d, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) d[y] += all[y * w + x];
}

// containers in containers: not proved, a row grows
void summed_rows_twin(std::vector<std::vector<int>> &rows) {
  for (size_t y = 0; y < rows.size(); ++y)
    for (size_t x = 0; x < rows[y].size() && x < 100; ++x) rows[y].push_back(rows[y][x] * 2);
}

// a class that owns its buffer: proved
class Plane {
 public:
  Plane(int w, int h) : w_(w), h_(h), p_(new uint8_t[static_cast<size_t>(w) * h]) {}
  ~Plane() { delete[] p_; }
  uint8_t *row(int y) { return p_ + y * w_; }
  void flipBits() {
    for (int y = 0; y < h_; ++y) {
      uint8_t *r = row(y);
      for (int x = 0; x < w_; ++x) r[x] = ~r[x];
    }
  }

 private:
  int w_, h_;
  uint8_t *p_;
};

// a class that owns its buffer: not proved, the buffer is filled anew in between
class Stream {
 public:
  void flipBits(uint8_t *d, int n) {
    for (int i = 0; i < n; ++i) d[i] = ~next();
  }

 private:
  uint8_t next() {
    if (at_ == 4096) refill();
    return p_[at_++];
  }
  void refill();
  int at_ = 4096;
  uint8_t *p_ = new uint8_t[4096];
};
