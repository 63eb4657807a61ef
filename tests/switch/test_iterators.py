"""Loops over iterators that jump from row to row: the lifted code does what the original does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.programs import lift, need, run

HEADER = r"""
template <class P> struct View {
    P *base; int w, h; long pitch;
    View(P *b, int w_, int h_, long p) : base(b), w(w_), h(h_), pitch(p) {}
    bool empty() const { return w <= 0 || h <= 0; }
    P *row(int y) const { return (P *)((unsigned char *)base + y * pitch); }
    struct It {
        View v; P *p; int x, y;
        It(const View &o, int row) : v(o), p(0), x(0), y(row) { if (y < v.h) p = v.row(y); }
        P &operator*() const { return *p; }
        It &operator++() {
            if (++x < v.w) { ++p; return *this; }
            x = 0;
            p = ++y < v.h ? v.row(y) : 0;
            return *this;
        }
        It operator++(int) { It t(*this); ++*this; return t; }
        bool operator!=(const It &o) const { return !(x == o.x && y == o.y); }
    };
    It begin() const { return It(*this, empty() ? h : 0); }
    It end() const { return It(*this, h); }
};
struct Error { int code; };
template <class P> void combine(View<P> d, View<P> s)
{
    typename View<P>::It i = s.begin();
    for (typename View<P>::It o = d.begin(); o != d.end(); ++o, ++i) *o = *o + 2 * *i;
}
"""
SOURCE = r"""
#include "view.h"
typedef unsigned char byte;
int through(View<byte> d, const byte *table)
{
    if (!table) throw Error();
    for (View<byte>::It i = d.begin(); i != d.end(); ++i) *i = table[*i];
    return d.w;
}
void moved(View<unsigned short> d, View<const byte> s)
{
    if (d.h < s.h) throw Error();
    View<const byte>::It i = s.begin();
    View<unsigned short>::It o = d.begin();
    while (i != s.end()) *o++ = *i++ * 257;
}
void wide(View<float> d, View<float> s) { combine(d, s); }
void counted(byte *d, const byte *s, int w, int h, long pitch)
{
    int x = 0, y = 0;
    while (y < h) {
        d[y * pitch + x] = 255 - s[y * pitch + x];
        if (++x >= w) { x = 0; y++; }
    }
}
"""
MAIN = r"""
#include "view.h"
#include <stdio.h>
#include <string.h>
typedef unsigned char byte;
int through(View<byte>, const byte *);
void moved(View<unsigned short>, View<const byte>);
void wide(View<float>, View<float>);
void counted(byte *, const byte *, int, int, long);
static unsigned hash(const void *p, unsigned n)
{
    unsigned h = 1;
    for (unsigned i = 0; i < n; i++) h = h * 31 + ((const byte *)p)[i];
    return h;
}
int main()
{
    static byte a[4096], b[4096], table[256];
    static unsigned short c[4096];
    static float f[4096], g[4096];
    for (int w = -1; w < 40; w += w < 5 ? 1 : 17)
        for (int h = -1; h < 20; h += h < 3 ? 1 : 8)
            for (int up = 0; up < 2; up++) {
                long p = up ? -64 : 64;
                int at = up ? 64 * 30 : 0;
                for (int i = 0; i < 4096; i++) {
                    a[i] = i * 7; b[i] = i * 13 >> 2; c[i] = i; f[i] = i / 4; g[i] = i % 9;
                    table[i & 255] = i * 3;
                }
                through(View<byte>(a + at, w, h, p), table);
                moved(View<unsigned short>(c + at, w, h, 2 * p), View<const byte>(b + at, w, h, p));
                moved(View<unsigned short>(c + at, w + 1, h, 2 * p), View<const byte>(a, w, h, 64));
                wide(View<float>(f + at, w, h, 4 * p), View<float>(g, w, h, 4 * 64));
                wide(View<float>(f + at, w, h, 4 * p), View<float>(f + at, w, h, 4 * p));
                if (w > 0) counted(b + at, a + at, w, h, p);
                printf("%u %u %u %u\n", hash(a, sizeof a), hash(b, sizeof b), hash(c, sizeof c),
                       hash(f, sizeof f));
            }
    return 0;
}
"""


@pytest.mark.slow
def test_iterators_that_carry_are_loops_of_rows(tmp_path: Path) -> None:
    need("g++")
    for name, text in (("view.h", HEADER), ("views.cpp", SOURCE), ("main.cpp", MAIN)):
        (tmp_path / name).write_text(text)
    flags = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    assert run(["g++", *flags, "views.cpp", "main.cpp", "-o", "plain"], tmp_path).status == 0
    words = ["g++", *flags, "-c", "views.cpp", "-o", "views.o"]
    made = lift("cc", "--watched", *words, cwd=tmp_path)
    assert "lifted code for combine_float32, through#1, moved#1, wide, counted" in made.err
    linked = run(["g++", *flags, "views.o", "main.cpp", "-o", "lifted", "-lpthread"], tmp_path)
    assert linked.status == 0, linked.err
    plain, lifted = (run([tmp_path / name]) for name in ("plain", "lifted"))
    assert plain.out and plain == lifted
