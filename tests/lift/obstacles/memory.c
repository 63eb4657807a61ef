/* Memory as it lies. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

/* tables of rows: proved */
void halve_rows(uint8_t *const *s, uint8_t **d, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[y][x] = s[y][x] >> 1;
}

/* tables of rows: not proved, the table is turned while rows are written */
void halve_rows_twin(uint8_t **s, int h) {
  for (int y = 0; y + 1 < h; y++) {
    s[y][0] = s[y + 1][0] * s[y][0];
    s[y + 1] = s[(s[y][0] + y) % h];
  }
}

/* arrays of pointers to rows: proved */
void three_rows(const uint8_t *const y[3], uint8_t *d, int w) {
  for (int x = 0; x < w; x++) d[x] = (y[0][x] + 2 * y[1][x] + y[2][x] + 2) >> 2;
}

/* rings of lines: proved */
void from_ring(uint8_t *const ring[4], uint8_t *d, int line, int w) {
  const uint8_t *a = ring[(line - 1) & 3], *b = ring[line & 3], *c = ring[(line + 1) & 3];
  for (int x = 0; x < w; x++) d[x] = (a[x] + 2 * b[x] + c[x]) / 4;
}

struct frame {
  uint8_t *plane[3];
  int stride[3];
  int width, height;
};

/* planes apart: proved */
void gray_frame(struct frame *f) {
  for (int p = 1; p < 3; p++)
    for (int y = 0; y < f->height / 2; y++)
      for (int x = 0; x < f->width / 2; x++) f->plane[p][y * f->stride[p] + x] = 128;
}

typedef struct {
  float x, y;
  uint8_t alpha;
} Vertex;

/* structures of several types: proved */
void move_vertices(const Vertex *v, float *d, int n, float dx) {
  for (int i = 0; i < n; i++) d[i] = v[i].x + dx;
}

/* arrays of structures of several types that are stored: proved */
void scale_vertices(Vertex *v, int n) {
  for (int i = 0; i < n; i++) {
    v[i].x *= 2;
    v[i].alpha = 0;
  }
}

/* arrays of structures of several types that are stored: not proved, a store changes the next one's factor */
void scale_vertices_twin(Vertex *v, int n) {
  for (int i = 1; i < n; i++) {
    v[i].x *= v[i - 1].y;
    v[i].y = v[i].x * v[i - 1].x;
  }
}

typedef struct {
  unsigned r : 5, g : 6, b : 5;
} Rgb565;

/* bit-fields: proved */
void greens(const Rgb565 *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = s[i].g << 2;
}

typedef union {
  uint32_t word;
  struct {
    uint8_t b, g, r, a;
  } c;
} Pixel;

/* unions of pixel formats: proved */
void opaque(Pixel *p, int n) {
  for (int i = 0; i < n; i++) p[i].c.a = 255;
}

typedef union {
  float f;
  uint32_t bits;
} Word;

/* unions of float and int: proved */
void magnitudes(const float *s, float *d, int n) {
  for (int i = 0; i < n; i++) {
    Word w;
    w.f = s[i];
    w.bits &= 0x7fffffffu;
    d[i] = w.f;
  }
}

struct line {
  int length;
  uint16_t samples[];
};

/* flexible arrays: proved */
void shifted_line(struct line *l, int by) {
  for (int i = 0; i < l->length; i++) l->samples[i] <<= by & 7;
}

struct buffer {
  void *data;
  int count;
};

/* members of type void *: proved */
void negated(const struct buffer *b) {
  float *p = (float *)b->data;
  for (int i = 0; i < b->count; i++) p[i] = -p[i];
}

struct picture {
  int w, h;
  uint8_t **rows;
};

/* pointers to pointers in structures: proved */
void cleared(struct picture *p, uint8_t value) {
  for (int y = 0; y < p->h; y++)
    for (int x = 0; x < p->w; x++) p->rows[y][x] = value;
}

/* memcpy from pixels to a number: proved */
void red_of_words(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t v;
    memcpy(&v, s + 4 * i, sizeof v);
    d[i] = v >> 16;
  }
}

/* memcpy from a number to pixels: proved */
void filled(uint8_t *d, int n, uint32_t v) {
  for (int i = 0; i < n; i++) memcpy(d + 4 * i, &v, sizeof v);
}

/* memcpy from a number to pixels: not proved, pixels overlap */
void filled_twin(uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t v;
    memcpy(&v, d + i, 4);
    v = v * 5 + 1;
    memcpy(d + i, &v, 4);
  }
}

/* the bytes of a number: proved */
void bytes_of_number(uint8_t *d, int n, uint32_t color) {
  const uint8_t *c = (const uint8_t *)&color;
  for (int i = 0; i < n; i++) {
    d[3 * i] = c[0];
    d[3 * i + 1] = c[1];
    d[3 * i + 2] = c[2];
  }
}

/* casts between types of elements: proved */
void as_words(const uint8_t *s, uint32_t *d, int n) {
  const uint32_t *w = (const uint32_t *)s;
  for (int i = 0; i < n; i++) d[i] = w[i] ^ 0xff000000u;
}

/* rows of width * channels bytes: proved */
void copy_rows(const uint8_t *s, uint8_t *d, int w, int h, int channels, int stride) {
  for (int y = 0; y < h; y++) memcpy(d + y * stride, s + y * w * channels, w * channels);
}

/* begin and end: proved */
void add_one(uint8_t *begin, uint8_t *end) {
  for (uint8_t *p = begin; p != end; ++p) *p = *p + 1;
}

/* begin and end: not proved, what is read lies where it was just written */
void add_one_twin(uint8_t *begin, uint8_t *end) {
  for (uint8_t *p = begin; p + 1 < end; ++p) p[1] = p[0] * p[1] + 1;
}

/* assert(in != out): proved */
void smoothed(const uint8_t *in, uint8_t *out, int n) {
  assert(in != out);
  for (int i = 1; i + 1 < n; i++) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}

/* assert(in != out): not proved, it is one array */
void smoothed_twin(uint8_t *p, int n) {
  for (int i = 1; i + 1 < n; i++) p[i] = (p[i - 1] * p[i] + p[i + 1]) / 3;
}

/* sums in memory: proved */
void sum_of_rows(const uint8_t *s, int w, int h, int *sum) {
  *sum = 0;
  for (int y = 0; y < h; y++) {
    int row = 0;
    for (int x = 0; x < w; x++) row += s[y * w + x];
    *sum += row;
  }
}

/* sums of columns: proved */
void sums_of_columns(const uint8_t *s, int w, int h, int *d) {
  for (int x = 0; x < w; x++) d[x] = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[x] += s[y * w + x];
}

/* products of matrices with the store inside: proved */
void product(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i * n + j] = 0;
      for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

/* products of matrices with the store inside: not proved, the matrix is squared in place */
void product_twin(float *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) a[i * n + j] += a[i * n + k] * a[k * n + j];
}

/* sums of floats on top of what was there: loop-carried, added_up */
void added_to(const float *a, float *d, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[y] += a[y * w + x];
}

/* sums of floats on top of what was there: proved */
void added_up(const float *a, float *d, int w, int h) {
  for (int y = 0; y < h; y++) {
    d[y] = 0;
    for (int x = 0; x < w; x++) d[y] += a[y * w + x];
  }
}
