// Range `for`, structured bindings, loops that are left in their middle.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

template <typename T> struct Span {
    T *data;
    std::size_t size;
    T *begin() const { return data; }
    T *end() const { return data + size; }
};

// Another `end` for those who may write.
struct Bytes {
    uint8_t *first;
    int count;
    uint8_t *begin() { return first; }
    uint8_t *end() { return first + count; }
    const uint8_t *begin() const { return first; }
    const uint8_t *end() const { return first + count / 2; }
};

template <typename T> struct Base {
    T *first;
    int count;
    T *begin() const { return first; }
    T *end() const { return first + count; }
};
struct Derived : Base<uint16_t> {
    int extra;
};

struct Rgba {
    uint8_t r, g, b, a;
};

void increase(Span<uint8_t> s, uint8_t by) {
    for (auto &p : s)
        p = p + by;
}

void largest(Span<const uint8_t> s, uint8_t *out) {
    uint8_t found = 0;
    for (const uint8_t v : s)
        found = std::max(found, v);
    *out = found;
}

void widened(Span<const uint8_t> s, int *out) {
    int at = 0;
    for (int v : s)
        out[at++] = v * 300;
}

void constant_half(const Bytes &from, Bytes &to) {
    uint8_t *d = to.first;
    for (auto v : from)
        *d++ = v ^ 0x55;
}

void writable_whole(Bytes b) {
    for (auto &v : b)
        v ^= 0x55;
}

void inherited(Derived &d) {
    for (auto &v : d)
        v = static_cast<uint16_t>(v * d.extra);
}

void pixels(Span<Rgba> s) {
    for (auto &p : s) {
        std::swap(p.r, p.b);
        p.a = 255 - p.a;
    }
}

void copies(Span<Rgba> s, uint8_t *out) {
    for (auto p : s) {
        p.r += p.g;
        *out++ = p.r;
    }
}

// The range is what it was before the first round.
void shrinking(Span<uint8_t> s) {
    for (auto &p : s) {
        p = 1;
        s.size = 0;
        s.data = nullptr;
    }
}

template <class Range> static void negate_all(Range &range) {
    for (auto &v : range)
        v = ~v;
}

void through_template(Span<uint16_t> s) { negate_all(s); }

void some_left_out(Span<uint8_t> s, uint8_t low, uint8_t stop) {
    for (auto &p : s) {
        if (p < low)
            continue;
        if (p == stop)
            break;
        p = low;
    }
}

void weights(uint8_t *d, const uint8_t *s) {
    const uint8_t table[4] = {1, 2, 3, 5};
    int at = 0, sum = 0;
    for (auto w : table)
        sum += w * s[at++];
    d[0] = static_cast<uint8_t>(sum / 11);
}

void neighbours(uint8_t *d, const uint8_t *s, int n) {
    for (int i = 1; i < n - 1; i++) {
        int sum = 0;
        for (int k : {-1, 0, 1})
            sum += s[i + k];
        d[i] = static_cast<uint8_t>(sum / 3);
    }
}

void rows_of_array(uint8_t *d, uint8_t by) {
    uint8_t image[2][3] = {{1, 2, 3}, {4, 5, 6}};
    for (auto &row : image)
        for (auto &v : row)
            v = v * by;
    for (auto row : image)
        *d++ = row[1];
}

void array_of_pixels(uint8_t *d) {
    std::array<Rgba, 2> list = {{{1, 2, 3, 4}, {5, 6, 7, 8}}};
    for (const auto &p : list)
        *d++ = p.g + p.a;
}

void difference(uint8_t *d, const uint8_t *s, int n) {
    for (int i = 0; i < n; i++) {
        const auto [low, high] = std::minmax(d[i], s[i]);
        d[i] = high - low;
    }
}

// The two are what the elements are when they are read.
void difference_after_a_write(uint8_t *d, const uint8_t *s, int n) {
    for (int i = 0; i < n; i++) {
        const auto [low, high] = std::minmax(d[i], s[i]);
        d[i] = 7;
        d[i] = high - 2 * low;
    }
}

void pair_of_floats(float *d, const float *s, int n) {
    for (int i = 0; i < n; i++) {
        auto p = std::minmax(d[i], s[i]);
        d[i] = p.second / p.first;
    }
}

void variables(int *d, int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    const auto &[l, h] = std::minmax(b, a);
    a += 10;
    d[0] = low, d[1] = high, d[2] = l, d[3] = h;
    b = -5;
    d[4] = low, d[5] = high, d[6] = l, d[7] = h;
}

void list_of_numbers(int *d, int a, int b) {
    auto [low, high] = std::minmax({a, b, 20});
    a = b = 0;
    d[0] = low, d[1] = high;
}

struct Ends {
    int low, high;
};
static Ends ends(int a, int b) {
    if (a < b)
        return {a, b};
    return {b, a};
}

void parts_of_a_result(uint8_t *d, const uint8_t *s, int n) {
    for (int i = 0; i < n; i++) {
        const auto [low, high] = ends(d[i], s[i]);
        auto [x, y] = ends(low * 2, high);
        d[i] = static_cast<uint8_t>(x + 3 * y - low);
    }
}

// The loops end at a test between two parts of their bodies.

void until_the_last(uint8_t *d, const uint8_t *s, int n) {
    for (int i = 0;; i++) {
        d[i] = s[i] ^ 9;
        if (i >= n - 1)
            break;
        d[i + 1] = 3;
    }
}

int counters_after(uint8_t *d, int n) {
    int i = 0, k = 0;
    for (;; i++) {
        d[i] = 1;
        k += 2;
        if (i == 4 || i >= n) {
            d[i] += 1;
            break;
        } else
            k += 3;
        k++;
    }
    return i * 1000 + k;
}

void two_tests_first(uint8_t *d, int n) {
    int i = 0;
    do {
        if (i >= n)
            break;
        if (d[i] == 0)
            break;
        d[i++]--;
    } while (true);
}
