"""Instances of templates: each has a branch of its own in the text that all of them share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.parse.parsing import parse
from tests.switch.test_put_back import lifted, put, same

FEW = r"""
extern int told(const char *);
template <typename T> int both(T *p, int n);
typedef unsigned char T;
template <typename V> int both(V *p, int n)
{
    told("both");
    for (int i = 0; i < n; i++) p[i] = p[i] / 3 + 1;
    return 0;
}
template <typename V> class Image {
public:
    Image(V *d, int w) : d_(d), w_(w) {}
    void neg();
    V *d_; int w_;
};
template <class W> void Image<W>::neg() { for (int i = 0; i < w_; i++) d_[i] = ~d_[i]; }
template <class W> static void half(W *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i] / 2; }
bool halved(void *d, int n, int bytes)
{
    switch (bytes) {
    case 1:
        half((unsigned char *)d, n);
        return true;
    case 2: half((unsigned short *)d, n); return true;
    }
    return false;
}
void either(unsigned char *d, unsigned short *e, int n)
{
    if (n & 1) half(d, n); else half(e, n);
}
int use()
{
    unsigned char a[50]; unsigned short b[50]; float c[50]; unsigned h = 0;
    for (int i = 0; i < 50; i++) { a[i] = i * 7; b[i] = i * 901; c[i] = i * 1.5f; told("x"); }
    both(a, 50); both(b, 49); both(c, 48); either(a, b, 21); either(a, b, 20);
    h = halved(a, 40, 1) + halved(b, 39, 2) * 2 + halved(b, 1, 3) * 4;
    Image<unsigned char> ia(a, 45); Image<unsigned short> ib(b, 46); ia.neg(); ib.neg();
    for (int i = 0; i < 50; i++) { h = h * 31 + a[i] + b[i] * 3 + (int)c[i]; told("y"); }
    return h;
}
"""
MANY = r"""
#include <cstdio>
#include <cstdint>
extern int told(const char *);
namespace {
struct Take { static int of(int a) { return a * 3; } };
struct Half { static int of(int a) { return a / 2; } };
template <typename F, typename T> int each(T *p, int n)
{
    told("each");
    for (int i = 0; i < n; i++) p[i] = F::of(p[i]);
    return n;
}
}
template <typename T> int both(T *p, int n);
typedef uint8_t U;
template <typename V> int both(V *p, int n)
{
    told("both");
    for (int i = 0; i < n; i++) p[i] = p[i] + 1;
    return 0;
}
template <int N, bool B> void shifted(uint16_t *p, int n)
{
    for (int i = 0; i < n; i++) p[i] = B ? p[i] >> N : p[i] << N;
}
template <typename T> T *moved(T *p, int n)
{
    told("m");
    for (int i = 0; i < n; i++) *p++ = i * 5;
    return p;
}
template <typename T> class Image {
public:
    Image(T *d, int w) : d_(d), w_(w) {}
    int add(int k)
    {
        if (told("add") < 0) return 0;
        for (int i = 0; i < w_; i++) d_[i] = d_[i] + k;
        return 1;
    }
    void neg();
    int width() const { return w_; }
    T *data() { return d_; }
private:
    T *d_; int w_;
};
template <class W> void Image<W>::neg() { for (int i = 0; i < w_; i++) d_[i] = ~d_[i]; }
template <typename T> void scale(Image<T> &im, int k)
{
    told("scale");
    for (int i = 0; i < im.width(); i++) im.data()[i] = im.data()[i] * k;
}
int use()
{
    uint8_t a[50]; uint16_t b[50]; float c[50]; unsigned h = 0; int e[50];
    for (int i = 0; i < 50; i++) { a[i] = i * 7; b[i] = i * 901; c[i] = i * 1.5f; e[i] = i * 9; }
    both(a, 50); both(b, 49); both(c, 48); both(e, 47);
    each<Take>(a, 40); each<Half>(a, 30); each<Take>(e, 20); each<Half>(b, 30);
    shifted<3, true>(b, 50); shifted<2, false>(b, 20); shifted<3, false>(b, 33);
    h += moved(a, 10) - a; h += moved(e, 10) - e;
    Image<uint8_t> ia(a, 45); Image<int> ie(e, 44); Image<uint16_t> ib(b, 46);
    ia.add(3); ie.add(4); ib.add(9); ia.neg(); ie.neg(); scale(ia, 3); scale(ie, 5); scale(ib, 7);
    for (int i = 0; i < 50; i++) h = h * 31 + a[i] + b[i] * 3 + (int)c[i] + e[i];
    return h;
}
"""
OTHERS = r"""
extern int told(const char *);
/* a text of its own */
template <typename V> int own(V *p, int n)
{
    told("x");
    for (int i = 0; i < n; i++) p[i] = p[i] * 3;
    return n;
}
template <> int own(short *p, int n)
{
    told("x");
    for (int i = 0; i < n; i++) p[i] = p[i] * 5;
    return n;
}
/* what has no name here */
template <typename V, typename> int unnamed(V *p, int n)
{
    told("x");
    for (int i = 0; i < n; i++) p[i] = p[i] * (int)sizeof(V);
    return n;
}
template <typename... V> int pack(int n, V *...all)
{
    told("x");
    int sum = 0;
    for (int i = 0; i < n; i++) sum += i;
    return sum + sizeof...(all);
}
struct Plain {
    template <typename V> int member(V *p, int n)
    {
        told("x");
        for (int i = 0; i < n; i++) p[i] = p[i] * 7;
        return n;
    }
};
template <typename V> struct Tool {
    static int fixed(V *p, int n)
    {
        told("x");
        for (int i = 0; i < n; i++) p[i] = p[i] * 9;
        return n;
    }
};
/* an instance that has another meaning by what it calls */
template <typename V> int twice(V v) { return v * 2; }
inline int twice(unsigned char v) { return v * 3; }
template <typename V> int called(V *p, int n)
{
    told("x");
    for (int i = 0; i < n; i++) p[i] = twice(p[i]);
    return n;
}
int use()
{
    unsigned char a[50]; short b[50]; unsigned h = 0; Plain plain;
    for (int i = 0; i < 50; i++) { a[i] = i * 7; b[i] = i * 901; told("x"); }
    own(a, 50); own(b, 49); unnamed<unsigned char, int>(a, 40); unnamed<short, int>(b, 40);
    unnamed<short, char>(b, 30); h += pack(30, a, b) + pack(20, b);
    plain.member(a, 30); plain.member(b, 30);
    Tool<unsigned char>::fixed(a, 20); Tool<short>::fixed(b, 20); called(a, 50); called(b, 50);
    for (int i = 0; i < 50; i++) { h = h * 31 + a[i] + b[i] * 3; told("x"); }
    return h;
}
"""
MAIN = r"""
#include <cstdio>
int use(); static int c; int told(const char *) { return ++c; }
int main() { std::printf("%d\n", use()); }
"""


def test_each_instance_has_its_own_branch(tmp_path: Path) -> None:
    done = put(tmp_path, "g++", "k.cpp", FEW, "-Wall", "-Wextra", "-Werror")
    assert done.status == 0, done.err
    assert {f"both_{t}#1" for t in ("uint8", "uint16", "float32")} <= lifted(done)
    assert {"Image_uint8_neg", "Image_uint16_neg"} <= lifted(done)
    assert {"halved#1", "halved#2", "either#1", "either#2"} <= lifted(done)
    same(tmp_path, "g++", "k.cpp", MAIN)


@pytest.mark.slow
def test_instances_of_all_kinds(tmp_path: Path) -> None:
    """By types and by numbers, of functions and of classes, with pointers that move and members
    that are private."""
    found = {"each_Take_uint8#1", "each_Half_uint8#1", "each_Take_int32#1", "each_Half_uint16#1"}
    found |= {"shifted_3_true", "shifted_3_false", "shifted_2_false", "moved_uint8#1"}
    found |= {"moved_int32#1", "Image_int32_neg", "Image_uint16_add_int32#1", "scale_uint8#1"}
    done = put(tmp_path, "g++", "k.cpp", MANY, "-Wall", "-Wextra", "-Werror")
    assert done.status == 0 and found <= lifted(done), done.err
    same(tmp_path, "g++", "k.cpp", MAIN)


@pytest.mark.slow
def test_what_cant_be_told_from_other_instances_stays_as_it_is(tmp_path: Path) -> None:
    done = put(tmp_path, "g++", "k.cpp", OTHERS, "-fno-strict-aliasing")
    assert done.status == 0, done.err
    here = lifted(done)
    assert {"own_uint8#1", "called_uint8#1", "called_int16#1"} <= here
    assert not [n for n in here if n.startswith(("unnamed", "pack", "Plain", "Tool", "own_int16"))]
    assert "an instance of a template, whose text other instances share" in done.err
    same(tmp_path, "g++", "k.cpp", MAIN)


def test_a_value_of_any_type_tells_no_instance() -> None:
    kernels = parse("""
        template <auto K> void any(unsigned char *d, int n)
        { for (int i = 0; i < n; i++) d[i] = d[i] + K * sizeof(K); }
        template <decltype(auto) K> void other(unsigned char *d, int n)
        { for (int i = 0; i < n; i++) d[i] = d[i] + K * sizeof(K); }
        template <class T, T K> void told(unsigned char *d, int n)
        { for (int i = 0; i < n; i++) d[i] = d[i] + K * sizeof(K); }
        template void any<3>(unsigned char *, int);
        template void any<3L>(unsigned char *, int);
        template void other<3>(unsigned char *, int);
        template void told<long, 3>(unsigned char *, int);
    """).kernels
    refused = {k.name: k.put_back.refused for k in kernels if k.put_back is not None}
    assert all("template" in refused[name] for name in ("any_3", "any_3_2", "other_3"))
    assert not refused["told_int64_3"]
