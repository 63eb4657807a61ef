// Objects, methods, templates and lambdas in every position that a kernel may have them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

struct Image {
    uint8_t *data;
    int width, height, stride;
};

struct Pixel {
    uint8_t b, g, r, a;
};

// ------------------------------------------------------------------ how parameters come apart

void by_pointer(Image *img, int k)
{
    for (int y = 0; y < img->height; y++)
        for (int x = 0; x < img->width; x++)
            img->data[y * img->stride + x] += (uint8_t)k;
}

void by_reference(Image &dst, const Image &src)
{
    const int w = std::min(dst.width, src.width);
    for (int x = 0; x < w; x++)
        dst.data[x] = src.data[w - 1 - x];
}

void by_value(Image img)
{
    for (; img.height > 0; --img.height, img.data += img.stride)
        for (int x = 0; x < img.width; x++)
            img.data[x] = (uint8_t)img.height;
}

struct Counter {
    int hits;
    int limit;
    uint8_t *flags;
};

// A field that is written is an output; those of two objects of one class may be one.
void written_field(Counter *c, const Counter *other, int n)
{
    c->hits = other->hits + 1;
    if (n > c->limit)
        c->hits += other->hits;
    c->flags[0] = (uint8_t)c->hits;
}

struct Histogram {
    int bins[16];
    const uint8_t *source;
};

void array_inside(Histogram *h, int n)
{
    for (int i = 0; i < n; i++)
        h->bins[h->source[i] >> 4] += 1;
}

struct Planes {
    Image luma;
    struct {
        int left, top;
    } origin;
    Image *chroma;
    uint8_t **rows;
};

void nested(const Planes &p, uint8_t *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (uint8_t)(p.luma.data[i + p.origin.left] + p.chroma->data[i] + p.rows[1][i] +
                           p.chroma->stride);
}

struct Buffer {
    std::vector<uint8_t> bytes;
    int gain = 2;
};

void vector_inside(Buffer &b)
{
    for (size_t i = 0; i < b.bytes.size(); i++)
        b.bytes[i] = (uint8_t)(b.bytes[i] * b.gain);
}

// --------------------------------------------------------------------------------- pixels

void pixel_fields(Pixel *p, int n)
{
    for (int i = 0; i < n; i++, p++) {
        p->r = (uint8_t)(p->r + p->a);
        p[0].g ^= 255;
        (*p).b = p->g;
    }
}

void pixel_values(Pixel *p, const Pixel *q, int n)
{
    for (int i = 0; i < n; i++) {
        Pixel old = p[i];
        const Pixel &now = p[i];
        p[i] = q[i];
        p[i].a = old.b + now.g;
        std::swap(p[i].r, p[i].b);
    }
}

// Field by field would change what is still to be read.
void pixel_rotate(Pixel *p, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        const Pixel turned = {p[i].g, p[i].r, p[i].b, p[i + 1].a};
        p[i] = turned;
    }
}

struct Grid {
    float cells[2][3];
};

void arrays_in_elements(Grid *g, int n)
{
    for (int i = 0; i < n; i++)
        g[i].cells[1][2] = g[i].cells[0][1] * 2.0f;
}

void pixel_pointers(Pixel *first, int n)
{
    Pixel *last = first + n;
    while (first < last) {
        Pixel *next = first + 1;
        first->a = (uint8_t)(last - first);
        first = next;
    }
}

// ---------------------------------------------------------------------------------- methods

class Plane {
public:
    Plane(uint8_t *data, int width) : width_(width), data_(data), step_(1) {}
    Plane(uint8_t *data, int width, int step) : Plane(data, width) { step_ = step; }

    uint8_t &operator[](int i) { return data_[i * step_]; }
    uint8_t operator[](int i) const { return data_[i * step_]; }
    int width() const { return width_; }
    void narrow(int by) { width_ -= by; }
    Plane shifted(int by) const { return Plane(data_ + by, width_ - by, step_); }
    Plane &self() { return *this; }

    void invert()
    {
        for (int i = 0; i < width_; i++)
            (*this)[i] = (uint8_t)~(*this)[i];
    }
    int sum() const;

private:
    int width_;
    uint8_t *data_;
    int step_ = 3;
};

int Plane::sum() const
{
    int total = 0;
    for (int i = 0; i < width_; i++)
        total += (*this)[i];
    return total;
}

void local_plane(uint8_t *d, int n, int by)
{
    Plane all(d, n), rest = all.shifted(1);
    rest.narrow(by);
    for (int i = 0; i < rest.width(); i++)
        rest[i] = (uint8_t)(all[i] + rest.self()[i]);
    all.self().invert();
}

struct Accumulator {
    int total = 0;
    int scale;
    explicit Accumulator(int scale) : scale(scale) {}
    // The argument may be the field that is changed.
    Accumulator &add(int v)
    {
        total += 1;
        total += v * scale;
        return *this;
    }
    operator int() const { return total; }
};

void chained(int *d, int n)
{
    Accumulator sum(3);
    for (int i = 0; i < n; i++)
        sum.add(d[i]).add(sum.total);
    d[0] = sum;
}

struct Base {
    int x = 1, y;
    Base(int y) : y(y) {}
    int twice() const { return 2 * x + y; }
};

struct Derived : Base {
    int z;
    Derived(int z) : Base(z + 1), z(z) { x = z * 3; }
};

static int of_base(const Base &b) { return b.twice() + b.y; }

void inherited(int *d, int v)
{
    Derived a(v);
    Base b = a;
    b.x = 7;
    d[0] = of_base(a);
    d[1] = of_base(b);
}

struct Vec {
    float x, y;
};
static Vec operator+(const Vec &a, const Vec &b) { return {a.x + b.x, a.y + b.y}; }
static Vec operator*(float k, Vec v)
{
    v.x *= k;
    v.y *= k;
    return v;
}

void vectors(Vec *d, const Vec *s, float k, int n)
{
    for (int i = 0; i < n; i++) {
        const Vec v = d[i] + k * s[i];
        d[i] = i & 1 ? v : s[i];
    }
}

static Pixel either(const Pixel &a, const Pixel &b, bool first)
{
    if (first)
        return a;
    Pixel c = b;
    c.a = 0;
    return c;
}

void early_return_of_object(Pixel *d, const Pixel *s, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = either(s[i], either(d[i], s[i], i > 2), i & 1);
}

// -------------------------------------------------------------------- references and arguments

static void limits(const uint8_t *s, int n, int &low, int &high)
{
    low = 255;
    high = 0;
    for (int i = 0; i < n; i++) {
        low = std::min<int>(low, s[i]);
        high = std::max<int>(high, s[i]);
    }
}

struct Range {
    int low, high;
};

void out_parameters(uint8_t *d, int n)
{
    Range r;
    limits(d, n, r.low, r.high);
    int &span = r.high;
    span -= r.low;
    for (int i = 0; i < n; i++)
        d[i] = (uint8_t)(d[i] - r.low + r.high);
}

static int pick(const uint8_t *p, int i) { return p[i]; }

void nested_calls(uint8_t *d, const uint8_t *s)
{
    d[0] = (uint8_t)pick(s, pick(d, 1) & 3);
    d[1] = (uint8_t)pick(s + 1, pick(d + 2, 0) & 1);
}

// A parameter keeps its value though the method changes the variable that was passed.
struct Box {
    int w;
    int set(int v)
    {
        w = 5;
        return v + w;
    }
};

void changed_argument(int *d, int w)
{
    Box b = {w};
    d[0] = b.set(b.w);
    int k = w;
    auto f = [&](int v) {
        k = 9;
        return v * k;
    };
    d[1] = f(k);
}

void capture_by_value(int *d, int k)
{
    int m = k + 1;
    Range r = {m, 2};
    auto f = [=](int v) { return v + m + r.low; };
    auto g = [m, &r](int v) { return v + m + r.low; };
    m = 100;
    r.low = 50;
    d[0] = f(1);
    d[1] = g(1);
}

void copies_stay(Pixel *p)
{
    Pixel a = p[0];
    const Pixel &b = Pixel(a);
    a.r = 7;
    p[1].r = b.r;
    p[1].g = a.r;
}

// ------------------------------------------------------------------------------- templates

template <class T> static T clamped(T v, T low, T high) { return v < low ? low : v > high ? high : v; }
template <> int clamped<int>(int v, int low, int) { return v < low ? low : v; }

template <class T, int N> struct Tuple {
    T v[N];
    T sum() const
    {
        T s = 0;
        for (int i = 0; i < N; i++)
            s += v[i];
        return s;
    }
    static const int count = N;
};

struct Add {
    template <class T> static T apply(T a, T b) { return (T)(a + b); }
};
template <int S> struct Shift {
    static int apply(int a, int b) { return a + (b >> S); }
};

template <class Mode, class T, bool Invert = false> void combine(T *d, const T *s, int n)
{
    for (int i = 0; i < n; i++) {
        d[i] = (T)Mode::apply(d[i], s[i]);
        if constexpr (Invert)
            d[i] = (T)~d[i];
    }
}

template void combine<Add, uint8_t>(uint8_t *, const uint8_t *, int);
template void combine<Add>(uint16_t *, const uint16_t *, int);
#define SHIFTED(N, I) template void combine<Shift<N>, uint8_t, I>(uint8_t *, const uint8_t *, int)
SHIFTED(1, true);
SHIFTED(-1 + 3, false);

typedef void (*Combine)(uint8_t *, const uint8_t *, int);
struct Entry {
    const char *name;
    Combine run;
};
extern const Entry entries[];
const Entry entries[] = {{"3", combine<Shift<3>, uint8_t>}, {"4", &combine<Shift<4>, uint8_t, true>}};

void explicit_specialization(int *d, uint8_t *e, int n)
{
    for (int i = 0; i < n; i++) {
        d[i] = clamped(d[i], 0, 10);
        e[i] = clamped<uint8_t>(e[i], 5, 100);
    }
}

void tuples(int *d, int k)
{
    Tuple<int, 3> t = {{k, 2 * k, 3}};
    Tuple<short, 2> s{};
    s.v[1] = (short)k;
    d[0] = t.sum() + s.sum() + Tuple<char, 5>::count;
}

template <class F> static void for_each(uint8_t *d, int n, F f)
{
    for (int i = 0; i < n; i++)
        d[i] = (uint8_t)f(d[i]);
}
static int inverse(int v) { return 255 - v; }
static void for_each_pointer(uint8_t *d, int n, int (*op)(int))
{
    for (int i = 0; i < n; i++)
        d[i] = (uint8_t)op(d[i]);
}
struct Gain {
    int k;
    int operator()(int v) const { return v * k; }
};

void functions_as_arguments(uint8_t *d, int n, int k)
{
    for_each(d, n, inverse);
    for_each(d, n, [k](int v) { return v + k; });
    for_each(d, n, Gain{k});
    for_each_pointer(d, n, &inverse);
    int (*op)(int) = inverse;
    d[0] = (uint8_t)op(d[0]);
}

template <int N> static int unrolled(const uint8_t *s)
{
    if constexpr (N == 0)
        return 0;
    else
        return s[N - 1] + unrolled<N - 1>(s);
}

void recursive_template(int *d, const uint8_t *s) { d[0] = unrolled<4>(s); }

namespace {
namespace deep {
enum Mode { Plus, Minus };
constexpr int weights[3] = {1, 2, 3};
constexpr int weight(int i) { return weights[i % 3]; }
template <Mode M> void weighted(int *d, int n)
{
    for (int i = 0; i < n; i++)
        d[i] += M == Plus ? weight(i) : -weight(i);
}
}
}

void in_namespaces(int *d, int n)
{
    deep::weighted<deep::Plus>(d, n);
    using namespace deep;
    weighted<Minus>(d + 1, n);
}

int returns_a_sum(const Image *img)
{
    int total = 0;
    for (int x = 0; x < img->width; x++)
        total += img->data[x];
    return total;
}

// ------------------------------------------------------------------------ the standard library

#include <array>
#include <type_traits>

struct Weights {
    int r, g, b;
    float bias;
};
static const Weights kLuma = {77, 150, 29, 0.5f};
constexpr std::array<int, 3> kTaps = {1, 2, 1};
constexpr std::array<std::uint16_t, 16> squares()
{
    std::array<std::uint16_t, 16> t{};
    for (std::size_t i = 0; i < t.size(); ++i)
        t[i] = (std::uint16_t)(i * i);
    return t;
}
constexpr auto kSquares = squares();

void constant_objects(int *d, const uint8_t *s, int n)
{
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int t = 0; t < 3; t++)
            sum += kTaps[t] * s[i + t];
        d[i] = sum * kLuma.r + kLuma.b + kSquares[s[i] & 15];
    }
}

void array_parameter(int *d, const std::array<int, 4> &w, std::array<uint8_t, 2> *out, int n)
{
    std::array<int, 4> copy = w;
    copy[1] += n;
    for (int v : copy)
        d[0] += v;
    d[1] = w.back() + w.front();
    (*out)[1] = (uint8_t)d[0];
}

void algorithms(uint8_t *d, const uint8_t *s, Pixel *p, int n, int k)
{
    std::transform(d, d + n, s, d, [k](uint8_t a, uint8_t b) { return (uint8_t)(a + b * k); });
    std::for_each(p, p + n, [&](Pixel &q) {
        q.r = q.g;
        if (k > 3)
            std::swap(q, p[0]);
    });
}

template <class T> static T halved(T v)
{
    if constexpr (std::is_floating_point_v<T>)
        return v * T(0.5);
    else if constexpr (std::is_unsigned_v<T>)
        return (T)(v >> 1);
    else
        return v / 2;
}

void by_traits(float *f, unsigned *u, int *i, int n)
{
    for (int k = 0; k < n; k++) {
        f[k] = halved(f[k]);
        u[k] = halved(u[k]);
        i[k] = halved(i[k]);
    }
}

void named_parts(int *d, Pixel *p, int k)
{
    const auto [r, g, b, bias] = kLuma;
    auto [blue, green, red, alpha] = p[1];
    d[2] = r + g + b + blue + alpha;
    blue = 3;
    red += green;
    auto &[b0, g0, r0, a0] = p[k & 1];
    k += 1;
    b0 = (uint8_t)(blue + red);
    r0 = g0;
}

template <class T> inline const T &lesser(const T &a, const T &b) { return b < a ? b : a; }

void own_minimum(uint8_t *d, const uint8_t *s, int n)
{
    const int limit = lesser(n, 16);
    for (int i = 0; i < limit; i++)
        d[i] = lesser(d[i], lesser(s[i], s[i + 1]));
}
