/* Index arithmetic. */
#include <stddef.h>
#include <stdint.h>

static inline int align_lo(int n, int to) { return n & ~(to - 1); }
static const uint8_t gamma_table[256] = {[0] = 0, [1] = 13, [2] = 22, [255] = 255};
static int weights[3] = {1, 2, 1};

/* signed overflow: proved */
void windowed(const uint8_t *s, uint8_t *d, int x0, int y0, int w, int h, int pitch) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[y * w + x] = s[(y0 + y) * pitch + x0 + x];
}

/* unsigned numbers that wrap and come back: proved */
void above(const uint8_t *src, uint8_t *d, size_t stride, size_t w, size_t h) {
  for (size_t row = 1; row < h; row++)
    for (size_t x = 0; x < w; x++) d[row * stride + x] = src[x + stride * (row - 1)];
}

/* unsigned numbers that wrap and come back: not proved, the index has 16 bits and does wrap */
void above_twin(const uint8_t *src, uint8_t *d, unsigned n) {
  for (unsigned i = 0; i < n; i++) d[(uint16_t)(i * i)] = src[i];
}

/* odd tails: proved */
void pairs(const uint8_t *s, uint8_t *d, int w) {
  for (int x = 0; x + 1 < w; x += 2) {
    uint8_t m = (s[x] + s[x + 1] + 1) >> 1;
    d[x] = m;
    d[x + 1] = m;
  }
  if (w & 1) d[w - 1] = s[w - 1];
}

/* constant stores at a pitch: proved */
void first_block(uint8_t *d, int pitch, uint8_t v) {
  for (int y = 0; y < 4; y++) {
    d[0] = v;
    d[1] = v;
    d[2] = v;
    d[3] = v;
    d += pitch;
  }
}

/* helpers in bounds: proved */
void in_fours(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < align_lo(n, 4); i++) d[i] = s[i] + 1;
}

/* bounds from arrays: proved */
void boxed_by_copies(const uint8_t *s, uint8_t *d, const int *box, int pitch) {
  int x0 = box[0], y0 = box[1], x1 = box[2], y1 = box[3];
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++) d[y * pitch + x] = s[y * pitch + x];
}

/* bounds from arrays that are read where they are tested: no-roi, boxed_by_copies */
void boxed(const uint8_t *s, uint8_t *d, const int *box, int pitch) {
  for (int y = box[1]; y < box[3]; y++)
    for (int x = box[0]; x < box[2]; x++) d[y * pitch + x] = s[y * pitch + x];
}

/* bounds from arrays: not proved, the loop changes them */
void boxed_twin(uint8_t *d, int *box) {
  for (int x = box[0]; x < box[1]; x++) {
    d[x] = x;
    box[1] -= d[x / 2] & 1;
  }
}

/* chunks through a buffer: proved */
void in_chunks(const uint8_t *s, uint8_t *d, int n) {
  uint16_t buffer[64];
  for (int i = 0; i < n; i += 64) {
    int m = n - i < 64 ? n - i : 64;
    for (int j = 0; j < m; j++) buffer[j] = s[i + j] * 257;
    for (int j = 0; j < m; j++) d[i + j] = buffer[j] >> 9;
  }
}

/* fixed point of 64 bits: proved */
void scaled(const uint8_t *s, uint8_t *d, int n, int64_t step) {
  int64_t pos = 0;
  for (int i = 0; i < n; i++, pos += step) d[i] = s[pos >> 32];
}

/* rows in pairs: proved */
void deinterlaced(const uint8_t *s, uint8_t *d, int w, int h, int pitch) {
  for (int y = 0; y < h; y += 2)
    for (int x = 0; x < w; x++) {
      d[y * pitch + x] = s[y * pitch + x];
      d[(y + 1) * pitch + x] = s[y * pitch + x];
    }
}

/* parity: proved */
void bayer_gains(uint16_t *p, int w, int h, int even, int odd) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) p[y * w + x] = p[y * w + x] * ((x + y) & 1 ? odd : even) >> 8;
}

/* steps by parameters: proved */
void every(const uint8_t *s, uint8_t *d, int n, int step) {
  for (int i = 0; i < n; i += step) d[i] = s[i];
}

/* tables of coefficients: proved */
void resampled(const uint8_t *s, uint8_t *d, int n, int taps, const int *first, const int16_t *w) {
  for (int i = 0; i < n; i++) {
    int sum = 1 << 13;
    for (int k = 0; k < taps; k++) sum += s[first[i] + k] * w[i * taps + k];
    sum >>= 14;
    d[i] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
  }
}

/* loops that leave early: proved */
int first_over(const uint8_t *s, int n, int level) {
  for (int i = 0; i < n; i++)
    if (s[i] > level) return i;
  return -1;
}

/* loops that leave early: not proved, what it looks at next is what it has just stored */
int first_over_twin(uint8_t *s, int n, int level) {
  for (int i = 0; i + 1 < n; i++) {
    if (s[i] > level) return i;
    s[i + 1] = s[i + 1] * s[i] + 1;
  }
  return -1;
}

/* truncating division: proved */
void centred(const int16_t *s, int16_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = s[i] / 3 - s[i] % 3;
}

/* static tables: proved */
void through_table(uint8_t *p, int n) {
  for (int i = 0; i < n; i++) p[i] = gamma_table[p[i]];
}

/* static tables that are never written: proved */
void weighted(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 1; i + 1 < n; i++)
    d[i] = (s[i - 1] * weights[0] + s[i] * weights[1] + s[i + 1] * weights[2]) / 4;
}

/* barriers: proved */
void with_barrier(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    d[i] = s[i] ^ 85;
    __asm__ volatile("" ::: "memory");
  }
}

/* barriers: not proved, the assembly does something */
void with_barrier_twin(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    int v = s[i];
    __asm__ volatile("bswap %0" : "+r"(v));
    d[i] = v;
  }
}
