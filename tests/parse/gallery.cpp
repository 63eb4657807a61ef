// One small kernel for each way of writing things that the front end understands.
// tests/parse/test_gallery.py interprets each and compares with what g++ makes of it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned char u8;
enum Mode { NORMAL, MULTIPLY = 5, SCREEN };
enum class Channel : uint8_t { RED, GREEN = 2 };
static const int WEIGHT = 3;
constexpr int TWICE = WEIGHT * 2;
static const u8 LUT[4] = {1, 20, 255};
static const float KERNEL[2][3] = {{1, 2.5f, 3}, {4, 5}};
#define CLAMP(v) ((v) < 0 ? 0 : (v) > 255 ? 255 : (v))
#define SWAP_BYTES(a, b) do { u8 t_ = (a); (a) = (b); (b) = t_; } while (0)

static inline u8 mul(u8 a, u8 b) {
    unsigned t = a * b + 128;
    return (t + (t >> 8)) >> 8;
}
static u8 lookup(u8 v) { return LUT[v & 3]; }
static inline int bits(int v) {
    int count = 0;
    for (int i = 0; i < 8; ++i)
        if (v & (1 << i)) count++;
    return count;
}
static inline int grade(int v) {
    switch (v & 7) {
    case 0: return 1;
    case 1:
    case 2: v += 5; break;
    case 3: v *= 2;  // falls through
    case 4: return v - 1;
    default: return -v;
    }
    return v + 100;
}
static inline void order(int &low, int &high) {
    if (low > high) { int t = low; low = high; high = t; }
}
static inline void exchange(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static inline const u8 *row_of(const u8 *base, int y, int stride) { return base + y * stride; }
static inline void blend_row(u8 *d, const u8 *s, int n, u8 alpha) {
    if (alpha == 0) return;
    while (n--) {
        *d = mul(*d, alpha) + mul(*s++, 255 - alpha);
        d++;
    }
}

void modes(u8 *d, const u8 *s, int n, int m) {
    for (int i = 0; i < n; i++) {
        switch ((Mode)m) {
        case NORMAL: d[i] = s[i]; break;
        case MULTIPLY: d[i] = mul(d[i], s[i]); break;
        case SCREEN: d[i] = lookup(s[i]); break;
        default: break;
        }
    }
}
void fallthrough(u8 *d, int n, int mode) {
    for (int i = 0; i < n; i++) {
        switch (mode & 3) {
        case 0: d[i] = 1; break;
        case 1: if (d[i] > 100) break; d[i] += 2;
        case 2: d[i] -= 3; continue;
        default: d[i] ^= 0x55;
        }
        d[i] += 7;
    }
}
void switch_return(u8 *d, int n, int mode) {
    int f;
    switch (mode & 3) {
    case 0: f = 3; break;
    case 1: f = 5; break;
    default: return;
    }
    for (int i = 0; i < n; i++) d[i] *= f;
}
void copy_bumping(u8 *d, const u8 *s, int n) { while (n-- > 0) *d++ = *s++; }
void pre_bumping(u8 *d, const u8 *s, int n) {
    --d; --s;
    for (; n > 0; --n) *++d = ~*++s;
}
void end_pointer(u8 *d, const u8 *s, int n) {
    if (n <= 0) return;
    for (const u8 *e = s + n; s != e; ++s, ++d) *d = *s >> 1;
}
void down_counting(u8 *d, const u8 *s, int n) { for (int i = n - 1; i >= 0; --i) d[i] = s[i] + 1; }
void do_while(u8 *d, int n) {
    if (n < 1) return;
    int i = 0;
    do { d[i++] += 3; } while (i < n);
    do *d++ ^= 1; while (--n);
}
void comma_counters(u8 *d, const u8 *s, int n) {
    for (int i = 0, j = n - 1; i < n; ++i, --j) d[i] = s[j];
}
void endless(u8 *d, int n) {
    int i = 0;
    for (;;) {
        if (i >= n) break;
        d[i] = i;
        i++;
    }
}
void guards(u8 *d, const u8 *s, int stride, int cols, int rows) {
    if (!d || s == NULL || rows <= 0 || cols <= 0) return;
    for (int y = 0; y < rows; ++y) {
        const u8 *p = s + y * stride;
        u8 *q = &d[y * stride];
        for (int x = 0; x < cols; ++x) {
            if (p[x] == 0) continue;
            if (p[x] == 255) { q[x] = 255; continue; }
            q[x] = (p[x] + q[x] + 1) / 2;
        }
    }
}
void flags(u8 *d, const u8 *s, int n) {
    for (int i = 0; i < n; i++) {
        if (s[i] > 10) { if (s[i] > 20) continue; d[i] = 1; } else { if (s[i] == 3) continue; d[i]++; }
        d[i] += 9;
    }
}
int find(const u8 *s, int n, u8 v) {
    for (int i = 0; i < n; i++) if (s[i] == v) return i;
    return -1;
}
int nested_return(const u8 *s, int w, int h) {
    int seen = 0;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            if (s[y * w + x] > 250) return seen;
            if (s[y * w + x] < 3) break;
            ++seen;
        }
        seen += 1000;
    }
    return -seen;
}
void neighbours(int16_t *d, const int16_t *s, int n) {
    const int16_t *p = s + 1;
    for (int i = 1; i < n - 1; i++, p++) d[i] = (p[-1] + 2 * *p + *(p + 1)) >> 2;
}
void row_pointers(u8 **d, u8 *const *s, int w, int h) {
    for (int y = 0; y < h; y++) {
        u8 *p = d[y];
        const u8 *q = s[y];
        for (int x = 0; x < w; x++) *p++ = q[x] ^ s[y][0];
    }
}
void local_tables(int *d, const u8 *s, int n) {
    int k[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    for (int i = 0; i < n; i++) d[i] = s[i] * k[i % 3][1] + LUT[i & 3];
}
void float_table(float *d, const float *s, int n) {
    for (int i = 0; i < n; i++) d[i] = s[i] * KERNEL[i & 1][WEIGHT - 1] + KERNEL[1][2];
}
void histogram(const u8 *s, int n, int *out) {
    int h[256] = {0};
    const u8 *e = s + n;
    for (; s < e; ++s) h[*s]++;
    for (int i = 0; i < 256; i++) out[i] = h[i];
}
void partial_initializer(int *d, int a) {
    int t[5] = {a, a * 2};
    for (int i = 0; i < 5; i++) d[i] = t[i];
}
void memory_blocks(float *d, const float *s, int n) {
    if (n < 0) return;
    float *t = new float[n];
    float *z = (float *)calloc(n, sizeof(float));
    uint16_t *m = static_cast<uint16_t *>(malloc(sizeof(uint16_t) * n));
    memcpy(t, s, n * sizeof(float));
    memset(m, 1, n * sizeof(uint16_t));
    for (int i = 0; i < n; i++) d[i] = t[i] + z[i] + m[i];
    delete[] t;
    free(z);
    free(m);
}
void moving(u8 *d, int n) {
    if (n < 2) return;
    memmove(d + 1, d, n - 1);
    memmove(d, d + 1, n - 1);
}
void vectors(float *d, int n) {
    if (n < 0) return;
    std::vector<float> a(n, 1.5f), z(n);
    for (size_t i = 0; i < a.size(); i++) d[i] = a[i] + z[i] + d[i];
}
int vector_sum(const std::vector<int> &v) {
    int s = 0;
    for (size_t i = 0; i < v.size(); i++) s = (s + v[i]) & 0xffff;
    return s;
}
void vector_write(std::vector<u8> &v, const std::vector<u8> &w) {
    const u8 *p = w.data();
    if (w.size() < v.size()) return;
    for (auto i = 0u; i < v.size(); ++i) v[i] = p[i] / 2;
}
void fills(u8 *d, const u8 *s, int n) {
    if (n < 4) return;
    std::fill(d, d + n / 2, 3);
    std::copy(s, s + 2, d + 1);
    std::fill_n(d + 3, 1, 9);
}
void minmax(const u8 *s, int n, int *lo, int *hi) {
    int a = 255, b = 0;
    for (int i = 0; i < n; i++) { if (s[i] < a) a = s[i]; b = std::max<int>(b, s[i]); }
    *lo = a;
    *hi = b;
}
void out_reference(const u8 *s, int n, int &total) {
    total = 0;
    for (int i = 0; i < n; i++) total += s[i];
}
void helpers(u8 *d, const u8 *s, int w, int h, u8 alpha) {
    int a = w, b = h;
    exchange(&a, &b);
    order(a, b);
    for (int y = 0; y < h; y++) {
        const u8 *r = row_of(s, y, w);
        blend_row(d + y * w, r, w, alpha);
        for (int x = 0; x < w; x++) d[y * w + x] += a < b ? bits(r[x]) : grade(r[x]);
    }
}
void narrowing(int8_t *d, const u8 *s, int n) {
    for (int i = 0; i < n; i++) {
        u8 a = s[i];
        a += 200;
        a <<= 1;
        a = a * 3 - 7;
        int8_t b = a;
        b /= 3;
        b %= 17;
        d[i] = -b + (a > b) + !a + (a && b);
    }
}
void unsigneds(uint32_t *d, const uint16_t *s, int n) {
    for (int i = 0; i < n; i++) {
        uint32_t u = s[i] * 0x10001u;
        u -= 5;
        u = (u >> 3) | (u << 29);
        d[i] = u % 1000u + (uint32_t)-1 / (s[i] + 1u) + ~u;
    }
}
void wide(int64_t *d, const int32_t *s, int n) {
    for (int i = 0; i < n; i++) d[i] = (int64_t)s[i] * s[i] - 5000000000LL + 'a' + sizeof(int);
}
void mixed_signs(u8 *d, const char *s, unsigned n) {
    const unsigned char *u = (const unsigned char *)s;
    for (unsigned i = 0; i < n; i++) d[i] = u[i] / 2 + (s[i] < 0) + std::abs(s[i]);
}
void floats(float *d, const float *s, int n, float gain) {
    for (int i = 0; i < n; i++) {
        float v = s[i] * gain + 0.5;
        v = std::min(std::max(v, 0.0f), 1.0f);
        v += std::sqrt(std::fabs(s[i])) - floorf(v) * 2 + std::clamp(v, 0.25f, 0.75f);
        d[i] = v < 0.5f ? 2 * v : 1 - v;
    }
}
void doubles(double *d, const float *s, int n) {
    for (int i = 0; i < n; i++) d[i] = s[i] / 3 + 1.0 / (1 + i) - (float)(0.1 * i);
}
void rounding(u8 *d, const float *s, int n) {
    for (int i = 0; i < n; i++) {
        float v = s[i] * 255.0f + 0.5f;
        d[i] = v < 0 ? 0 : v > 255 ? 255 : (u8)v;
    }
}
void chained(u8 *d, u8 *e, int n) {
    for (int i = 0; i < n; i++) {
        u8 a, b;
        a = b = d[i] + 300;
        d[i] = e[i] = a ^ (b >> 1);
        int k = i;
        d[i] += k++ * 2 + (n > 3 ? 1 : 2);
        e[i] = d[i], e[i] += k;
    }
}
void post_steps(u8 *d, const u8 *s, int n) {
    int i = 0, j = 0;
    while (i < n) { d[i++] = s[j]; j += 1; }
    for (i = 0; i < n;) { u8 v = s[i]; d[i++] = v / 2; }
    while (n > 0 && d[n - 1] < 128) n--;
    for (i = 0; i < n; i++) d[i]++;
}
void lazy(u8 *d, const u8 *s, int n) {
    int left = n;
    while (left > 0 && (left-- & 1 || n > 4)) d[0] = s[left] ? s[left] : left++ ? 3 : 4;
}
void macros(u8 *d, int n) {
    for (int i = 0; i + 1 < n; i += 2) {
        SWAP_BYTES(d[i], d[i + 1]);
        d[i] = CLAMP(d[i] * 2 - 100);
    }
}
void swapping(int *d, int n) {
    for (int i = 0, j = n - 1; i < j; i++, j--) std::swap(d[i], d[j]);
}
void constants(int *d, int n, bool twice) {
    const int half = n / 2;
    static const int step = TWICE;
    for (int i = 0; i < half; i++) d[i] = i * step + (twice ? TWICE : (int)Channel::GREEN) + MULTIPLY;
}
void references(int *d, int n) {
    for (int i = 0; i < n; i++) {
        int &r = d[i];
        const int &c = r;
        r += 5;
        if (r < 0) r = -(c / 2);
    }
}
void two_dimensional(u8 (*d)[4], const u8 (*s)[4], int n) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 4; c++) d[i][c] = s[i][3 - c];
}
void pointer_arithmetic(u8 *d, int n) {
    if (n < 4) return;
    u8 *a = d + 1, *b = d + n - 1;
    int distance = b - a;
    *(distance + d) = distance;
    while (a < b) { *a++ += 1; --b; }
    1 [d] = 77;
}
void reseated(u8 *d, const u8 *s, const u8 *t, int n) {
    const u8 *p = s;
    for (int i = 0; i < n; i++) d[i] = *p++;
    p = t;
    for (int i = 0; i < n; i++) d[i] += *p++;
}
void element_steps(int *d, const u8 *s, int n) {
    for (int i = 0; i < n; i++) { int v = ++d[s[i] & 3]; d[4 + (i & 3)] = v; d[s[i] & 3]--; }
}
void bools(bool *d, const u8 *s, int n) {
    bool any = false;
    for (int i = 0; i < n; i++) { any |= s[i] > 200; d[i] = any ^ (s[i] & 1); }
}
void labels_in_c(u8 *d, int n) {
    for (int i = 0; i < n; i++) { if (i % 3 == 1) { d[i] = 0; } else if (i % 3) d[i] = 1; else { ; } }
}
void range_for(std::vector<u8> &v, int n) {
    int weights[3] = {1, 2, n};
    for (auto &x : v) {
        if (x == 7) continue;
        int total = 0;
        for (int w : weights) total += w * x;
        x = total;
    }
}
void copied_vector(std::vector<int> &v) {
    std::vector<int> before = v, three{1, 2, 3};
    for (size_t i = 1; i < v.size(); i++) v[i] = before[i - 1] + three[i % 3];
}
void zeroed(int *d, int n) {
    if (n < 1) return;
    int *a = new int[n](), *b = new int[n]{};
    for (int i = 0; i < n; i++) d[i] = a[i] + b[i] + 1;
    delete[] a;
    delete[] b;
}
void rows_up(u8 *d, const u8 *s, int w, int h, int step) {
    d += (h - 1) * step;
    for (int y = h; y--; d -= step, s += w)
        for (int x = w - 1; x >= 0; x--) d[x] = s[w - 1 - x];
}
void three_rows(u8 *d, const u8 *s, int pitch, int w) {
    const u8 *a = s, *b = s + pitch, *c = b + pitch;
    while (w-- > 0) *d++ = (*a++ + *b++ + *c++) / 3;
}
void skip_zero(u8 *d, int n) {
    u8 *p = d;
    u8 *const end = d + n;
    while (p < end) {
        if (*p == 0) { p++; continue; }
        *p -= 1;
        p++;
    }
}
void packed(uint32_t *d, int n) {
    for (int i = 0; i < n; i++) {
        const uint32_t p = d[i];
        u8 r = p >> 16 & 0xff, g = p >> 8 & 0xff, b = p & 0xff;
        d[i] = ((r + g) / 2 << 16) | (g << 8) | mul(b, r) | 0xff000000u;
    }
}
int loop_switch(u8 *d, int n, int m) {
    int i = 0;
    while (true) {
        switch (m) {
        case 0:
            if (i >= n) return i * 2;
            d[i] = 1;
            break;
        case 1:
            if (i >= n) return -i;
            if (d[i] & 1) { i += 2; continue; }
            d[i] = 3;
            break;
        default:
            if (n > 100) d[0] = 9;
            return 0;
        }
        ++i;
    }
}
void do_continue(u8 *d, int n) {
    int i = -1;
    do {
        if (++i >= n) break;
        if (d[i] < 50) continue;
        d[i] /= 2;
    } while (i < n - 1);
}
void pointers_in_an_array(u8 *d, const u8 *s, int w) {
    const u8 *r[3] = {s, s + 2, s + w % 3};
    for (int x = 0; x < w / 4; x++) {
        d[x] = r[0][1] + *r[1] + r[2][x];
        r[0] += 2;
        r[1]++;
    }
}
void pointers_that_change_places(u8 *d, const u8 *s, int w, int h) {
    const u8 *line[2];
    line[0] = s;
    line[1] = s + w;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) d[x] += line[0][x] - line[1][x];
        const u8 *first = line[0];
        line[0] = line[1];
        line[1] = first;
    }
}
void pointers_with_their_steps(u8 *d, const u8 *s, int n) {
    u8 *to[2] = {d, d + 1};
    const u8 *from[2] = {s};
    if (!from[1]) from[1] = s + 1;
    for (int i = 0; i < n; i += 2) {
        *to[0]++ = *from[0]++;
        *to[1] = *from[1]++ / 2;
        to[1] = to[0] + 1;
    }
}
