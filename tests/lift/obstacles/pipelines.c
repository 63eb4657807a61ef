/* One function, several pipelines. */
#include <stdint.h>
#include <string.h>

enum mode { MODE_COPY, MODE_ADD, MODE_MULTIPLY };

/* by mode: proved */
void blend(const uint8_t *a, const uint8_t *b, uint8_t *d, int n, enum mode mode) {
  switch (mode) {
    case MODE_COPY:
      for (int i = 0; i < n; i++) d[i] = b[i];
      break;
    case MODE_ADD:
      for (int i = 0; i < n; i++) d[i] = a[i] + b[i] > 255 ? 255 : a[i] + b[i];
      break;
    default:
      for (int i = 0; i < n; i++) d[i] = a[i] * b[i] / 255;
  }
}

/* by mode: not proved, the mode lies in the pixels */
void blend_twin(const uint8_t *a, uint8_t *d, int n, int at) {
  for (int i = 0; i < n; i++) d[i] = d[d[i] & at] == MODE_COPY ? a[i] : a[i] * d[i] / 255;
}

/* by channels: proved */
void to_gray(const uint8_t *s, uint8_t *d, int n, int channels) {
  if (channels == 1)
    memcpy(d, s, n);
  else if (channels == 3)
    for (int i = 0; i < n; i++, s += 3) d[i] = (s[0] * 77 + s[1] * 150 + s[2] * 29) >> 8;
  else if (channels == 4)
    for (int i = 0; i < n; i++, s += 4) d[i] = (s[0] * 77 + s[1] * 150 + s[2] * 29) >> 8;
}

/* by channels: not proved, each pixel says how many the next one has */
void to_gray_twin(const uint8_t *s, uint8_t *d, int n, int channels) {
  for (int i = 0; i < n; i++) {
    d[i] = channels == 1 ? s[0] : (s[0] * 77 + s[1] * 150 + s[2] * 29) >> 8;
    s += channels;
    channels = s[0] & 3;
  }
}

/* null or not: proved */
void masked(const uint8_t *s, const uint8_t *mask, uint8_t *d, int n) {
  if (mask) {
    for (int i = 0; i < n; i++) d[i] = mask[i] ? s[i] : d[i];
  } else {
    for (int i = 0; i < n; i++) d[i] = s[i];
  }
}

/* null or not: not proved, a pixel takes the mask away */
void masked_twin(const uint8_t *s, const uint8_t *mask, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    d[i] = !mask || mask[i] ? s[i] : d[i];
    if (s[i] == 255) mask = 0;
  }
}

/* aligned or not: proved */
void complemented_words(const uint32_t *s, uint32_t *d, int n) {
  if ((uintptr_t)d & 15) {
    for (int i = 0; i < n; i++) d[i] = ~s[i];
  } else {
    for (int i = 0; i + 4 <= n; i += 4)
      for (int k = 0; k < 4; k++) d[i + k] = ~s[i + k];
    for (int i = n & ~3; i < n; i++) d[i] = ~s[i];
  }
}

/* aligned or not: not proved, what is stored depends on where it lies */
void complemented_words_twin(const uint32_t *s, uint32_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = (uintptr_t)(d + i) & 15 ? ~s[i] : s[i];
}

/* aligned bytes as words: undecided, complemented_words */
void complemented(const uint8_t *s, uint8_t *d, int n) {
  int i = 0;
  if (((uintptr_t)s & 3) == 0 && ((uintptr_t)d & 3) == 0) {
    for (; i + 4 <= n; i += 4) {
      uint32_t v;
      memcpy(&v, s + i, 4);
      v = ~v;
      memcpy(d + i, &v, 4);
    }
  }
  for (; i < n; i++) d[i] = ~s[i];
}

/* aligned bytes as words: not proved, words carry from byte to byte */
void complemented_twin(const uint8_t *s, uint8_t *d, int n) {
  int i = 0;
  while (i + 4 <= n)
    if (((uintptr_t)(d + i) & 3) == 0) {
      uint32_t v;
      memcpy(&v, s + i, 4);
      v = ~v + 1;
      memcpy(d + i, &v, 4);
      i += 4;
    } else {
      d[i] = ~s[i] + 1;
      i++;
    }
}

static uint8_t darker(uint8_t a, uint8_t b) { return a < b ? a : b; }
static uint8_t lighter(uint8_t a, uint8_t b) { return a > b ? a : b; }
static uint8_t (*const operations[])(uint8_t, uint8_t) = {darker, lighter};

/* tables of functions: proved */
void combined(const uint8_t *a, const uint8_t *b, uint8_t *d, int n, int op) {
  uint8_t (*f)(uint8_t, uint8_t) = operations[op & 1];
  for (int i = 0; i < n; i++) d[i] = f(a[i], b[i]);
}

/* tables of functions: not proved, anybody's function may stand there */
void combined_twin(const uint8_t *a, int *d, int n, int (*f)(const uint8_t *, int)) {
  for (int i = 0; i < n; i++) d[i] = f(a, i);
}
