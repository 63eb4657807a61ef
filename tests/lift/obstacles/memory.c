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

/* arrays of pointers to rows: not proved, the rows change places with each pixel */
void three_rows_twin(const uint8_t *y[3], uint8_t *d, int w) {
  for (int x = 0; x < w; x++) {
    const uint8_t *first = y[0];
    d[x] = (y[0][x] + 2 * y[1][x] + y[2][x] + 2) >> 2;
    y[0] = y[1];
    y[1] = y[2];
    y[2] = first;
  }
}

/* rings of lines: proved */
void from_ring(uint8_t *const ring[4], uint8_t *d, int line, int w) {
  const uint8_t *a = ring[(line - 1) & 3], *b = ring[line & 3], *c = ring[(line + 1) & 3];
  for (int x = 0; x < w; x++) d[x] = (a[x] + 2 * b[x] + c[x]) / 4;
}

/* rings of lines: not proved, pixels say where the next line begins */
void from_ring_twin(uint8_t *const ring[4], uint8_t *d, int line, int w) {
  for (int x = 0; x < w; x++) {
    d[x] = ring[line & 3][x] / 2;
    line += ring[line & 3][x] == 0;
  }
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

/* planes apart: not proved, they change places with each pixel */
void gray_frame_twin(struct frame *f) {
  for (int x = 0; x < f->width; x++) {
    uint8_t *u = f->plane[1];
    u[x] = 128;
    f->plane[1] = f->plane[2];
    f->plane[2] = u;
  }
}

typedef struct {
  float x, y;
  uint8_t alpha;
} Vertex;

/* structures of several types: proved */
void move_vertices(const Vertex *v, float *d, int n, float dx) {
  for (int i = 0; i < n; i++) d[i] = v[i].x + dx;
}

/* structures of several types: not proved, the numbers are packed over those that come next */
void move_vertices_twin(Vertex *v, int n, float dx) {
  for (int i = 0; i < n; i++) (&v->x)[n - 1 - i] = v[i].x + dx;
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

typedef struct {
  unsigned at : 4;
} Place;

/* bit-fields: proved */
void greens(const Rgb565 *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) d[i] = s[i].g << 2;
}

/* bit-fields: not proved, the place has four bits, and begins again */
void greens_twin(const Rgb565 *s, uint8_t *d, Place *place, int n) {
  for (int i = 0; i < n; i++) {
    d[place->at] = s[i].g << 2;
    place->at += s[i].b;
  }
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

/* unions of pixel formats: not proved, the words are stored over bytes that it reads later */
void opaque_twin(Pixel *p, int n) {
  for (int i = 0; i < n; i++) p[n - 1 - i].word = p[i].c.a * 0x01010101u;
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

/* unions of float and int: not proved, the bits of what is summed so far say where it is stored */
void magnitudes_twin(const float *s, float *d, int n) {
  Word w = {0};
  for (int i = 0; i < n; i++) {
    w.f += s[i];
    d[w.bits >> 23] = w.f;
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

/* flexible arrays: not proved, it grows while it is gone through */
void shifted_line_twin(struct line *l, int by) {
  for (int i = 0; i < l->length && i < 1000; i++)
    l->samples[l->length++] = l->samples[i] << (by & 7);
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

/* members of type void *: not proved, the member moves by what the numbers say */
void negated_twin(struct buffer *b) {
  for (int i = 0; i < b->count; i++) {
    float *p = (float *)b->data;
    p[i] = -p[i];
    if (p[i] < 0) b->data = p + 1;
  }
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

/* pointers to pointers in structures: not proved, pixels say how many rows there are */
void cleared_twin(struct picture *p, uint8_t value) {
  for (int y = 0; y < p->h; y++) {
    p->rows[y][0] = value;
    p->h -= p->rows[y][1] & 1;
  }
}

/* memcpy from pixels to a number: proved */
void red_of_words(const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; i++) {
    uint32_t v;
    memcpy(&v, s + 4 * i, sizeof v);
    d[i] = v >> 16;
  }
}

/* memcpy from pixels to a number: not proved, not all its bytes are new */
void red_of_words_twin(const uint8_t *s, uint8_t *d, int n) {
  uint32_t v = 0;
  for (int i = 0; i < n; i++) {
    memcpy(&v, s + 4 * i, s[4 * i] & 3);
    d[i] = v >> 8;
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

/* the bytes of a number: not proved, the number is made of the pixels in between */
void bytes_of_number_twin(uint8_t *d, int n, uint32_t color) {
  const uint8_t *c = (const uint8_t *)&color;
  for (int i = 0; i < n; i++) {
    d[3 * i] = c[0];
    d[3 * i + 1] = c[1];
    memcpy(&color, d + 3 * i + 1, sizeof color);
  }
}

/* casts between types of elements: proved */
void as_words(const uint8_t *s, uint32_t *d, int n) {
  const uint32_t *w = (const uint32_t *)s;
  for (int i = 0; i < n; i++) d[i] = w[i] ^ 0xff000000u;
}

/* casts between types of elements: not proved, the words are stored over the bytes that come next */
void as_words_twin(uint8_t *s, int n) {
  uint32_t *d = (uint32_t *)s;
  for (int i = 0; i < n; i++) d[i] = s[i] ^ 0xff000000u;
}

/* rows of width * channels bytes: proved */
void copy_rows(const uint8_t *s, uint8_t *d, int w, int h, int channels, int stride) {
  for (int y = 0; y < h; y++) memcpy(d + y * stride, s + y * w * channels, w * channels);
}

/* rows of width * channels bytes: not proved, a byte says that there is one channel more */
void copy_rows_twin(const uint8_t *s, uint8_t *d, int w, int channels) {
  for (int i = 0; i < w * channels; i++) {
    d[i] = s[i];
    if (s[i] == 255 && channels < 4) channels++;
  }
}

/* begin and end: proved */
void add_one(uint8_t *begin, uint8_t *end) {
  for (uint8_t *p = begin; p != end; ++p) *p = *p + 1;
}

/* begin and end: not proved, what is taken out shortens it */
uint8_t *add_one_twin(uint8_t *begin, uint8_t *end) {
  while (begin != end)
    if (*begin)
      *begin++ += 1;
    else
      *begin = *--end;
  return end;
}

/* assert(in != out): proved */
void smoothed(const uint8_t *in, uint8_t *out, int n) {
  assert(in != out);
  for (int i = 1; i + 1 < n; i++) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}

/* assert(in != out): not proved, they differ in the beginning, until a pixel makes them one */
void smoothed_twin(const uint8_t *in, uint8_t *out, int n) {
  assert(in != out);
  for (int i = 1; i + 1 < n; i++) {
    out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
    if (out[i] == 255) in = out;
  }
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

/* sums in memory: not proved, the sum lies among the pixels */
void sum_of_rows_twin(int *s, int n, int at) {
  int *sum = s + at;
  for (int i = 0; i < n; i++) *sum += s[i];
}

/* sums of columns: proved */
void sums_of_columns(const uint8_t *s, int w, int h, int *d) {
  for (int x = 0; x < w; x++) d[x] = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[x] += s[y * w + x];
}

/* sums of columns: not proved, the sum says which column is next */
void sums_of_columns_twin(const uint8_t *s, int w, int h, unsigned *d) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[d[x] % w] += s[y * w + x];
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

/* sums of floats on top of what was there: undecided, added_up */
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

/* sums of floats on top of what was there: not proved, the sums lie in what is summed next */
void added_to_twin(float *d, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) d[y] += d[y * w + x];
}
