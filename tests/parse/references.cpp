// Stores through references, and arguments that stand for what a callee changes.
#include <algorithm>
#include <cstdint>
#include <utility>

static void put(uint32_t &r, uint32_t v) { r = v; }
static void put_byte(uint8_t &r, uint8_t v) { r = v; }
static void put_int(int &r, int v) { r = v; }
static int twice(const int &v, int &out) { out = 1; return v + v; }
#define PLACE(x) (x)
#define AS_BYTE(x) ((uint8_t &)(x))

void cast_argument(int *d, int n) {
    for (int i = 0; i < n; i++) put((uint32_t &)d[i], i * 3u);
}
void reinterpreted(int *d, int n) {
    for (int i = 0; i < n; i++) {
        uint32_t &r = reinterpret_cast<uint32_t &>(d[i]);
        r = r * 3u + 1u;
    }
}
void cast_to_own_type(uint8_t *d, int n) {
    for (int i = 0; i < n; i++) {
        (uint8_t &)d[i] += 3;
        put_byte((uint8_t &)d[i], (uint8_t &)d[i] + 1);
    }
}
void cast_by_macro(uint8_t *d, int n) {
    for (int i = 0; i < n; i++) put_byte(AS_BYTE(d[i]), 9);
}
void one_of_two(int *d, int x, int y) {
    put_int(x > 9 ? x : y, 7);
    int &r = x < y ? x : y;
    r += 3;
    (x > 3 ? x : d[3]) = 5;
    d[0] = x; d[1] = y;
}
void changed_as_it_is_bound(int *d, int x, int y) {
    put_int(x += 5, y > 3 ? 1 : 2);
    int &a = ++y;
    a *= 2;
    int &b = (y = 7, x);
    b -= 1;
    int &c = x = 4;
    c++;
    d[0] = x; d[1] = y;
}
void casts_of_variables(int *d, int x, int y) {
    put_int(static_cast<int &>(x), 3);
    const int &k = y;
    const_cast<int &>(k) = 8;
    d[0] = x; d[1] = y; d[2] = k;
}
void parameters(int *d, int x, int n) {
    int &r = (x);
    for (int i = 0; i < n; i++) { r += i; d[i] = x; }
}
void rows(int *d, int n, int k) {
    int a[2][2] = {{1, 2}, {3, 4}};
    int j = k & 1;
    int (&row)[2] = a[j];
    j = 1 - j;
    row[1] = 9;
    d[0] = a[0][1]; d[1] = a[1][1] + j;
}
struct Pair { int a, b; int &second() { return b; } };
struct Holder { int &r; explicit Holder(int &x) : r(x) {} };
void objects(int *d, int x, int k) {
    Pair p = {1, 2}, t[2] = {{3, 4}, {5, 6}};
    Pair &q = t[k & 1];
    k++;
    q.a = x;
    p.second() = 7;
    auto &[u, v] = p;
    u = 8;
    Holder h((x));
    h.r = 11;
    d[0] = p.a + 10 * p.b; d[1] = t[0].a; d[2] = t[1].a; d[3] = x + v;
}
void copies_where_c_has_copies(int *d, uint8_t b, int x) {
    const int &r = b;
    b = 3;
    const int &s = (int)x;
    const int &t = +x;
    int &&u = int(x);
    u += 2;
    x = 9;
    d[0] = r; d[1] = s; d[2] = t; d[3] = u;
}
void references_to_what_a_call_chose(int *d, int x, int y) {
    const int &m = std::max(d[0], d[1]);
    const int &l = std::min(x, y);
    d[0] = 7;
    x = 3;
    d[1] += m + l;
    d[2] = std::max(x, 5);
}
void object_at_its_own_place(int *d, int x) {
    Pair t[3] = {{1, 2}, {2, 0}, {0, 1}};
    Pair p = {x & 1, 1};
    p = t[p.a];
    t[t[0].a] = p;
    d[0] = p.a + 10 * p.b; d[1] = t[1].a + 10 * t[1].b;
}
void swapped(int *d, int i) {
    i &= 3;
    std::swap(i, d[i]);
    d[8] = i;
}
void ranges(int *d, int k) {
    int a[2][2] = {{1, 2}, {3, 4}};
    int j = k & 1;
    for (int &v : a[j]) { j = 0; v += 5; }
    d[0] = a[0][0] + a[0][1] * 100; d[1] = a[1][0] + a[1][1] * 100;
}

static void setp(int &p, int v, int *d) { p = 9; d[0] += v; }
static void setq(int *p, int v, int *d) { *p = 9; d[0] += v; }
static int moved(int *p, int v) { *p = v + 1; return v * 2; }
void aliasing_parentheses(int *d, int n) {
    for (int i = 0; i < n; i++) { int x = i + 2; setp((x), x, d + i); }
}
void aliasing_pointer(int *d, int n) {
    for (int i = 0; i < n; i++) { int x = i + 2; int *p = &x; setq(p, x, d + i); d[i] += x; }
}
void aliasing_macro(int *d, int n) {
    for (int i = 0; i < n; i++) { int x = i + 2; setp(PLACE(x), PLACE(x), d + i); }
}
void aliasing_reference(int *d, int x) {
    int &r = x;
    setp(r, x, d);
    setp(x, r, d + 1);
    d[2] = moved(&r, x);
    d[3] = x;
}
void aliasing_constant_reference(int *d, int x) {
    int y = 3;
    d[0] = twice(x, x);
    d[1] = twice(y, x);
    d[2] = twice(y + 1, y);
}
void aliasing_offset(int *d, int k) {
    int x = k & 3;
    setq(&x, 1, d + x);
    d[5] = x;
}
void aliasing_lambda(int *d, int x) {
    int *p = &x;
    auto set = [&](int v) { x = 4; d[0] = v; *p += v; };
    set(x);
    auto kept = [=](int v) { return x + v; };
    x = 100;
    d[1] = kept(x);
    d[2] = x;
}
void aliasing_fields(int *d, int x) {
    Pair p = {x, 2};
    Pair *q = &p;
    setp(q->a, p.a, d);
    d[1] = p.a;
}
static int pixel(const int *p, int k) { p += k; int a = *p++; return a + *p; }
void calls_beside_each_other(int *d, const int *s, int n) {
    for (int i = 0; i < n; i++) d[i] = pixel(s + i, 1) + pixel(s + i, 2);
}
static const int *cell(const int *p, int k) { if (k > 2) return p + k; return p; }
struct Cursor { const int *p; };
static void aim(Cursor &c, const int *a, const int *b, int k) {
    if (k > 2) { c.p = a; return; }
    c.p = b + 1;
}
void left_early(int *d, const int *s, int k) {
    Cursor c = {s};
    aim(c, s + 2, s, k);
    d[0] = *c.p;
}
void left_early_for_another(int *d, const int *s, const int *t, int k) {
    Cursor c = {s};
    aim(c, s, t, k);
    d[0] = *c.p;
}
void pointers_beside_each_other(int *d, const int *s, int k) {
    d[0] = *cell(s, k) + *cell(s + 1, k + 1);
}
void wide_value_of_an_assignment(uint8_t *bytes, uint32_t v) {
    uint32_t *words = (uint32_t *)bytes;
    uint32_t o = (words[0] = v + 1u);
    bytes[8] = (uint8_t)(o >> 8);
}
void pointer_to_one_of_two(int *d, int x, int y) {
    int *p = &(x < y ? x : y);
    x = 100;
    *p += 1;
    d[0] = x; d[1] = y;
}
void seen_as_it_was(int *d, int x, int y) {
    int *p = &x, *q = &y;
    d[0] = *(p ? p : q);
    int &r = *(x > y ? p : p);
    r = 2;
    d[1] = x;
}
static void put_two(int *&d, int v) { *d++ = v; *d++ = v + 1; }
static int taken(const int *&s) { return *s++; }
static int taken_by_another(const int *&s) { const int *&again = s; return taken(again); }
void pointers_moved_by_callees(int *d, const int *s, int n) {
    int *end = d;
    for (int i = 0; i < n; i++) put_two(end, taken_by_another(s) * 2);
    *end = *s;
}
void another_name_of_a_pointer(int *d, const int *s, int n) {
    int *&r = d;
    for (int i = 0; i < n; i++) { *r++ = *s++; *d += 3; }
    d -= n;
    r[1] = 5;
}
void set_by_another_name(int *d, const int *s, const int *t, int k) {
    const int *p = s;
    const int *&r = p;
    if (k & 1) r = s + 2;
    d[0] = *p;
    const int *&other = k & 2 ? t : p;
    other += 1;
    d[1] = *p - *t;
}
void rows_of_two_in_turn(int *d, const int *s, const int *t, int n) {
    for (int i = 0; i < n; i++) {
        const int *&r = i & 1 ? s : t;
        if (i == 3) continue;
        d[i] = *r;
        if (i == 9) break;
        r += 2;
    }
    d[0] = *s + *t;
}
void one_of_two_arrays(int *d, const int *s, const int *t, int n, int k) {
    const int *const p = k > 3 ? s : t + 1;
    const int *q = k++ & 1 ? p : t, *e = 2 + (k & 1 ? s + 1 : t) - 1;
    for (int i = 0; i < n; i++) d[i] = p[i] + 2 * q[i] + k;
    q++;
    d[0] = *q + *e;
}
void as_it_was_chosen(int *d, const int *s, const int *t, int k) {
    const int *p = k ? s : t;
    k = !k;
    const int *q = k ? s : t;
    d[0] = *p;
    d[1] = *q;
}
