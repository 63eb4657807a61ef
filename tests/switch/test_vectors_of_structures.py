"""Loops over `std::vector`s of structures: variables, members and what functions are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.build.programs import lift, need, run
from tests.parse.parsing import failure

TYPES = r"""
#include <vector>
#include <cstddef>
typedef unsigned char byte;
struct Tap { int lo, hi, part; };
struct Color { byte r, g, b; };
struct Image { byte *p; int w; std::vector<Color> colors; };
int told(int);
std::vector<Tap> taps(int from, int to);
"""
LOOPS = r"""
static int mix(const std::vector<Tap> &t, const byte *s, int i)
{
    return (s[t[i].lo] * (256 - t[i].part) + s[t[i].hi] * t[i].part) >> 8;
}
void resized(byte *d, const byte *s, int from, int to)
{
    const std::vector<Tap> t = taps(from, to);
    told(1);
    for (std::vector<Tap>::const_iterator i = t.begin(); i != t.end(); ++i)
        *d++ = (s[i->lo] * (256 - i->part) + s[i->hi] * i->part) >> 8;
}
void mixed(byte *d, const byte *s, int from, int to)
{
    std::vector<Tap> t = taps(from, to);
    told(2);
    for (int i = 0; i < to; i++) d[i] = mix(t, s, i);
}
void inverted(Image &o)
{
    told(3);
    for (std::size_t i = 0; i < o.colors.size(); i++) {
        Color &c = o.colors[i];
        c.r = ~c.r; c.g = ~c.g; c.b = c.b / 2;
    }
}
void greens(const Image *o, byte *d)
{
    told(4);
    for (int i = 0; i < o->w; i++) d[i] = o->colors[o->p[i]].g;
}
int sum(const std::vector<Color> &colors)
{
    int s = told(5);
    for (const Color &c : colors) s += c.r + 2 * c.b;
    return s;
}
"""
MAIN = r"""
#include <cstdio>
int told(int k) { return k; }
std::vector<Tap> taps(int from, int to)
{
    std::vector<Tap> t(to);
    for (int i = 0; i < to; i++) {
        int at = to > 1 ? i * (from - 1) * 256 / (to - 1) : 0;
        t[i].lo = at >> 8; t[i].part = at & 255;
        t[i].hi = t[i].lo + 1 < from ? t[i].lo + 1 : t[i].lo;
    }
    return t;
}
int main()
{
    unsigned h = 0;
    for (int from = 1; from < 40; from += 6)
        for (int to = 0; to < 80; to = 2 * to + 1) {
            std::vector<byte> s(from), d(to), e(to), f(from);
            Image o = {s.data(), from, std::vector<Color>(to)};
            for (int i = 0; i < from; i++) s[i] = to ? i * 37 % to : 0;
            for (int i = 0; i < to; i++) {
                Color c = {byte(i), byte(i * 3), byte(i * 5)};
                o.colors[i] = c;
            }
            resized(d.data(), s.data(), from, to);
            mixed(e.data(), s.data(), from, to);
            inverted(o);
            if (to) greens(&o, f.data());
            for (byte v : d) h = h * 31 + v;
            for (byte v : e) h = h * 31 + v;
            for (byte v : f) h = h * 31 + v;
            for (Color c : o.colors) h = h * 31 + c.r + c.g * 3 + c.b * 7;
            h = h * 31 + sum(o.colors);
        }
    std::printf("%u\n", h);
    return 0;
}
"""


@pytest.mark.slow
def test_loops_over_vectors_of_structures_do_what_they_did(tmp_path: Path) -> None:
    need("g++")
    (tmp_path / "a.cpp").write_text(TYPES + LOOPS + MAIN)
    flags = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    assert run(["g++", *flags, "a.cpp", "-o", "plain"], tmp_path).status == 0
    made = lift("cc", "--watched", "g++", *flags, "-c", "a.cpp", "-o", "a.o", cwd=tmp_path)
    for name in ("resized#1", "mixed#1", "inverted#1", "greens#1", "sum#1"):
        assert name in made.err.partition("C++ as before")[0], made.err
    linked = run(["g++", *flags, "a.o", "-o", "lifted", "-lpthread"], tmp_path)
    assert linked.status == 0, linked.err
    plain, lifted = (run([tmp_path / name]) for name in ("plain", "lifted"))
    assert plain.out and plain == lifted


@pytest.mark.parametrize(
    "text",
    [
        "d[i] = t[i].lo; t.push_back(Tap());",
        "d[i] = t[i].lo; t = taps(1, 2);",
        "d[i] = t.at(i).lo;",
        "std::vector<Tap> u = t; d[i] = u[i].lo;",
    ],
)
def test_vectors_that_may_become_others_are_refused(text: str) -> None:
    before = "void f(byte *d, int n) { std::vector<Tap> t = taps(n, n); told(0);"
    found = failure(f"{TYPES}\n{before} for (int i = 0; i < n; i++) {{ {text} }} }}")
    assert found.code in ("unsupported-expression", "unsupported-type")
