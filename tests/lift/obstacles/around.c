/* What stands around loops. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int width, height, stride;
  uint8_t *pixels;
} Image;

typedef struct {
  int code;
  const char *text;
} Status;

void log_line(const char *text);
int count_pixels(int n) __attribute__((const));
void progress(int row);
int next_byte(void);
int brightest(int n) __attribute__((pure));
Status looked_at(uint8_t *pixel);
extern int gain;

/* allocation and release: proved */
int blurred_rows(const uint8_t *s, uint8_t *d, int w, int h) {
  uint16_t *row = malloc(w * sizeof *row);
  if (!row) return -1;
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < w; x++) row[x] = s[y * w + x] * 3;
    for (int x = 0; x < w; x++) d[y * w + x] = row[x] / 4;
  }
  free(row);
  return 0;
}

/* allocation and release: not proved, the row may move while it is filled */
uint16_t *blurred_row_twin(const uint8_t *s, int n) {
  int room = 16;
  uint16_t *row = malloc(room * sizeof *row);
  for (int i = 0; i < n; i++) {
    if (i == room) row = realloc(row, (room *= 2) * sizeof *row);
    row[i] = s[i] * 3;
  }
  return row;
}

/* error returns: proved */
int checked(const Image *in, Image *out) {
  if (!in || !out) return -1;
  if (in->width != out->width || in->height != out->height) return -2;
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      out->pixels[y * out->stride + x] = 255 - in->pixels[y * in->stride + x];
  return 0;
}

/* error returns: not proved, each look for an error takes a byte out of what is read */
int checked_twin(uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    const int v = next_byte();
    if (v < 0) return -1;
    d[i] = 255 - v;
  }
  return 0;
}

/* a pointer that is returned: proved */
uint8_t *inverted_copy(const uint8_t *s, int n) {
  uint8_t *d = malloc(n);
  if (d == NULL) return NULL;
  for (int i = 0; i < n; i++) d[i] = ~s[i];
  return d;
}

/* a pointer that is returned: not proved, it moves by what the data says */
uint8_t *packed_copy_twin(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++)
    if (s[i]) *d++ = s[i];
  return d;
}

/* a structure that is returned: proved */
Status brightened(uint8_t *p, int n, int by) {
  Status status = {0, "ok"};
  if (n < 0) {
    status.code = 1;
    status.text = "negative";
    return status;
  }
  for (int i = 0; i < n; i++) {
    int v = p[i] + by;
    p[i] = v < 0 ? 0 : v > 255 ? 255 : v;
  }
  return status;
}

/* a structure that is returned: not proved, what makes it for each pixel may change the others */
Status brightened_twin(uint8_t *p, int n) {
  Status status = {0, "ok"};
  for (int i = 0; i < n; i++) {
    status = looked_at(p + i);
    p[i] = p[i] + status.code;
  }
  return status;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* locks: proved */
void locked(uint8_t *p, int n) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < n; i++) p[i] ^= 0x80;
  pthread_mutex_unlock(&mutex);
}

/* locks: not proved, between two pixels the lock is open, and others may write */
void locked_twin(const uint8_t *shared, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&mutex);
    d[i] = shared[0] ^ i;
    pthread_mutex_unlock(&mutex);
  }
}

/* logging and unknown functions: proved */
void told(const uint8_t *s, uint8_t *d, int w, int h) {
  log_line("begin");
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[y * w + x] = s[y * w + x] >> 1;
  if (h > 1000) printf("%d rows\n", h);
  log_line("end");
}

/* logging and unknown functions: not proved, one is called for each pixel and may change all */
void told_twin(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    progress(i);
    d[i] = s[i] * gain >> 8;
  }
}

/* goto fail: proved */
int cleaned_up(const uint8_t *s, uint8_t *d, int n) {
  int result = -1;
  uint8_t *t = NULL;
  FILE *f = fopen("log", "w");
  if (!f) goto fail;
  t = malloc(n);
  if (!t) goto fail;
  for (int i = 0; i < n; i++) t[i] = s[n - 1 - i];
  for (int i = 0; i < n; i++) d[i] = (s[i] + t[i]) / 2;
  result = 0;
fail:
  free(t);
  if (f) fclose(f);
  return result;
}

/* goto fail: not proved, the loop begins again, on top of what it did, where a pixel says so */
void cleaned_up_twin(const uint8_t *s, uint8_t *d, int n, int level) {
again:
  for (int i = 0; i < n; i++) {
    if (s[i] > level) {
      level = s[i];
      goto again;
    }
    d[i] += level - s[i];
  }
}

struct settings {
  int add;
  float scale;
};

/* void *: proved */
void by_callback(void *priv, const uint8_t *s, uint8_t *d, int n) {
  const struct settings *own = priv;
  for (int i = 0; i < n; i++) d[i] = (uint8_t)(s[i] + own->add);
}

/* void *: not proved, what it adds lies in the pixels that it writes */
void by_callback_twin(void *priv, int n) {
  const int16_t *by = priv;
  uint8_t *p = priv;
  for (int i = 0; i < n; i++) p[i] = (uint8_t)(p[i] + by[p[i] & 7]);
}

/* calls inside of functions that aren't seen: unmodelled-call, scaled_by_count */
void scaled_by_call(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = s[i] * count_pixels(n) >> 4;
}

/* calls inside of functions that aren't seen: proved */
void scaled_by_count(const uint8_t *s, uint8_t *d, int n) {
  const int count = count_pixels(n);
  for (int i = 0; i < n; i++) d[i] = s[i] * count >> 4;
}

/* calls inside of functions that aren't seen: not proved, what is called may read the pixels just written */
void scaled_by_call_twin(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = s[i] * brightest(n) >> 4;
}
