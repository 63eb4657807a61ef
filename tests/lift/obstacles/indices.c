/* Index arithmetic. */
#include <stddef.h>
#include <stdint.h>

static inline int align_lo(int n, int to) { return n & ~(to - 1); }
static int fewer(int n) {
  static int asked;
  return n - asked++;
}
extern volatile int field;
static const uint8_t gamma_table[256] = {[0] = 0, [1] = 13, [2] = 22, [255] = 255};
static int weights[3] = {1, 2, 1};
static int tuned[3] = {1, 2, 1};
int *tuning(void) { return tuned; }
static uint8_t last_seen[256];

/* signed overflow: proved */
void windowed(const uint8_t *s, uint8_t *d, int x0, int y0, int w, int h, int pitch) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[y * w + x] = s[(y0 + y) * pitch + x0 + x];
}

/* signed overflow: not proved, places of 16 bits are meant to wrap, and some are stored twice */
void windowed_twin(const uint8_t *s, uint8_t *d, int x0, int w) {
  for (int x = 0; x < w; x++) d[(int16_t)(x * x + x0)] = s[x0 + x];
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

/* odd tails: not proved, equal pixels are a pair, others aren't */
void pairs_twin(const uint8_t *s, uint8_t *d, int w) {
  for (int x = 0; x + 1 < w; x += s[x] == s[x + 1] ? 2 : 1) {
    d[x] = s[x] / 2;
    d[x + 1] = x;
  }
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

/* constant stores at a pitch: not proved, each row has a pitch of its own, and may fall on another */
void first_block_twin(uint8_t *d, const int *pitch, uint8_t v) {
  for (int y = 0; y < 40; y++) {
    d[0] = v;
    d[1] = y;
    d += pitch[y];
  }
}

/* helpers in bounds: proved */
void in_fours(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < align_lo(n, 4); i++) d[i] = s[i] + 1;
}

/* helpers in bounds: not proved, the helper counts how often it was asked */
void in_fours_twin(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < fewer(n); i++) d[i] = s[i] + 1;
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

/* bounds from arrays that are read where they are tested: not proved, the box lies in the pixels that it clears */
void boxed_pixels_twin(uint8_t *p, int pitch) {
  for (int y = p[1]; y < p[3]; y++)
    for (int x = p[0]; x < p[2]; x++) p[y * pitch + x] = 0;
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

/* chunks through a buffer: not proved, what it takes out it put in 63 steps ago */
void in_chunks_twin(const uint8_t *s, uint8_t *d, int n, uint16_t buffer[64]) {
  for (int i = 0; i < n; i++) {
    buffer[i & 63] = s[i] * 257;
    d[i] = buffer[(i + 1) & 63] >> 9;
  }
}

/* fixed point of 64 bits: proved */
void scaled(const uint8_t *s, uint8_t *d, int n, int64_t step) {
  int64_t pos = 0;
  for (int i = 0; i < n; i++, pos += step) d[i] = s[pos >> 32];
}

/* fixed point of 64 bits: not proved, the step is what was read there */
void scaled_twin(const uint8_t *s, uint8_t *d, int n, int64_t step) {
  int64_t pos = 0;
  for (int i = 0; i < n; i++, pos += step * s[pos >> 32]) d[i] = s[pos >> 32];
}

/* rows in pairs: proved */
void deinterlaced(const uint8_t *s, uint8_t *d, int w, int h, int pitch) {
  for (int y = 0; y < h; y += 2)
    for (int x = 0; x < w; x++) {
      d[y * pitch + x] = s[y * pitch + x];
      d[(y + 1) * pitch + x] = s[y * pitch + x];
    }
}

/* rows in pairs: not proved, which row is the other is read, and two may have the same */
void deinterlaced_twin(const uint8_t *s, uint8_t *d, int w, int h, int pitch, const int *other) {
  for (int x = 0; x < w; x++)
    for (int y = 0; y < h; y += 2) {
      d[y * pitch + x] = s[y * pitch + x];
      d[other[y] * pitch + x] = s[y * pitch + x];
    }
}

/* parity: proved */
void bayer_gains(uint16_t *p, int w, int h, int even, int odd) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) p[y * w + x] = p[y * w + x] * ((x + y) & 1 ? odd : even) >> 8;
}

/* parity: not proved, an interrupt says which field it is */
void bayer_gains_twin(uint16_t *p, int n, int even, int odd) {
  for (int i = 0; i < n; i++) p[i] = p[i] * ((i + field) & 1 ? odd : even) >> 8;
}

/* steps by parameters: proved */
void every(const uint8_t *s, uint8_t *d, int n, int step) {
  for (int i = 0; i < n; i += step) d[i] = s[i];
}

/* steps by parameters: not proved, the parameter grows by what is read */
void every_twin(const uint8_t *s, uint8_t *d, int n, int step) {
  for (int i = 0; i < n; i += step) {
    d[i] = s[i];
    step += s[i] & 1;
  }
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

/* tables of coefficients: not proved, they learn from each sample */
void resampled_twin(const uint8_t *s, uint8_t *d, int n, int16_t *w) {
  for (int i = 0; i + 1 < n; i++) {
    d[i] = (s[i] * w[0] + s[i + 1] * w[1]) >> 14;
    w[0] += s[i] - d[i];
    w[1] += s[i + 1] - d[i];
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

/* truncating division: not proved, what it leaves says where the next is stored */
void centred_twin(const int16_t *s, int16_t *d, int n) {
  int at = 0, rest = 0;
  for (int i = 0; i < n; i++) {
    rest += s[i] & 7;
    at += rest / 3;
    rest %= 3;
    d[at] = s[i];
  }
}

/* static tables: proved */
void through_table(uint8_t *p, int n) {
  for (int i = 0; i < n; i++) p[i] = gamma_table[p[i]];
}

/* static tables: not proved, the table learns */
void through_table_twin(uint8_t *p, int n) {
  for (int i = 0; i < n; i++) {
    p[i] = last_seen[p[i]];
    last_seen[p[i]] = i;
  }
}

/* static tables that are never written: proved */
void weighted(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 1; i + 1 < n; i++)
    d[i] = (s[i - 1] * weights[0] + s[i] * weights[1] + s[i + 1] * weights[2]) / 4;
}

/* static tables that are never written: not proved, one is, through a pointer to it */
void weighted_twin(const uint8_t *s, uint8_t *d, int n) {
  int *own = tuning();
  for (int i = 1; i + 1 < n; i++) {
    d[i] = (s[i - 1] * tuned[0] + s[i] * tuned[1] + s[i + 1] * tuned[2]) / 4;
    own[1] = d[i];
  }
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
