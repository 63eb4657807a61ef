"""Lifted code back in the text of its source: what `lift cc` compiles in place of the user's file.

LIFT_CPU=? makes lifted code say a line when it first runs, so it shows whether it did.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.build.programs import Done, lift, need, run

C = r"""
typedef unsigned char byte;
struct image { byte *data; int w, h; };
extern int told(const char *);
static int gain = 3;

/* a static function, and its result */
static int fill(byte *p, int n, int v) { for (int i = 0; i < n; i++) p[i] = v; return n; }

/* fields that the loops might overwrite */
int shift(struct image *img, int k)
{
    if (told("shift") < 0) return -1;
    for (int i = 0; i < img->w; i++) img->data[i] = img->data[i] + k;
    return img->w;
}
/* a pointer that is moved */
long total(byte *p, int n)
{
    told("total");
    for (int i = 0; i < n; i++) *p++ = i * 3;
    return told("sum") + p[-1];
}
/* an only statement, before else */
void either(byte *d, int n, int how)
{
    if (told("either") && how)
        for (int i = 0; i < n; i++) d[i] = 255 - d[i];
    else
        told("else");
}
/* a declaration among the loops, used after them */
int among(byte *d, byte *e, int n)
{
    told("among");
    for (int i = 0; i < n; i++) d[i] = d[i] / 2;
    const int half = n / 2;
    for (int i = 0; i < n; i++) e[i] = e[i] / 3;
    told("after");
    return half;
}
/* a global */
void gained(byte *d, int n)
{
    told("gained");
    for (int i = 0; i < n; i++) d[i] = d[i] * gain;
}
/* a global that the loops change */
static int dark = 1;
int darker(byte *d, int n)
{
    told("darker");
    for (int i = 0; i < n; i++) dark += d[i] < 40;
    for (int i = 0; i < n; i++) d[i] = d[i] / 2;
    told("dark");
    return dark;
}
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define BOTH(d, n) int twice = (n); for (int i = 0; i < twice; i++) (d)[i] ^= 1;
void macros(byte *d, int n)
{
    told("macros");
    EACH(i, n) { d[i] = d[i] | 4; }
    told("between");
    BOTH(d, n)
    told("labels");
again:
    for (int i = 0; i < n; i++) d[i] = d[i] + 9;
    if (told("again") == 77) goto again;
}
int all(byte *a, byte *b, int n)
{
    struct image im = { a, n, 1 };
    int r = fill(b, n, 7);
    for (int i = 0; i < n; i++) a[i] = (byte)(i * 11);
    r = r * 31 + shift(&im, 5);
    r = r * 31 + (int)total(a, n);
    either(a, n, 1); either(a, n, 0);
    r = r * 31 + among(a, b, n);
    gained(b, n); gain = 5; gained(a, n);
    r = r * 31 + darker(a, n) + darker(b, n);
    macros(a, n);
    return r;
}
"""
C_MAIN = r"""
#include <stdio.h>
int all(unsigned char *, unsigned char *, int);
int shift(void *, int);
static int count;
int told(const char *s) { (void)s; return ++count; }
struct image { unsigned char *data; int w, h; };
int main(void)
{
    unsigned char a[100], b[100]; unsigned h = 0;
    int r = all(a, b, 100);
    for (int i = 0; i < 100; i++) h = h * 31 + a[i] * 3 + b[i];
    /* the data is the image itself: its width changes on the way */
    struct image im; im.data = (unsigned char *)&im.w + 3; im.w = 3; im.h = 1;
    int s = shift(&im, 255);
    printf("%d %u %d %d %d\n", r, h, s, im.w, im.h);
    return 0;
}
"""
CPP = r"""
#include <vector>
#include <cstdint>
#include <cstdio>
extern int told(const char *);
static int gain = 3;
namespace {
int level = 2;
static void half(uint8_t *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] / 2; }
}
class Image {
public:
    Image(int w, int h) : data_(new uint8_t[w * h]), w_(w), h_(h) {}
    ~Image() { delete[] data_; }
    int width() const { return w_; }
    int height() const { return h_; }
    uint8_t *data() { return data_; }
    void invert();
    int add(int k)
    {
        if (told("add") < 0) return 0;
        for (int i = 0; i < w_ * h_; i++) data_[i] = data_[i] + k;
        return 1;
    }
private:
    uint8_t *data_;
    int w_, h_;
};
void Image::invert() { for (int i = 0; i < w_ * h_; i++) data_[i] = 255 - data_[i]; }
int outside(Image &img, int k)
{
    std::printf("%d\n", told("outside"));
    for (int i = 0; i < img.width(); i++) img.data()[i] = img.data()[i] * k;
    return 0;
}
int vec(std::vector<uint8_t> &v, int k)
{
    std::vector<uint8_t> own(v.size());
    if (told("vec") < 0) throw 3;
    for (size_t i = 0; i < v.size(); i++) v[i] = v[i] ^ k;
    for (size_t i = 0; i < own.size(); i++) own[i] = 7;
    own.push_back(3);
    return own[own.size() / 2];
}
constexpr int made(int n)
{
    int t[16] = {};
    for (int i = 0; i < 16; i++) t[i] = i * n;
    int s = 0;
    for (int i = 0; i < 16; i++) s += t[i];
    return s;
}
constexpr void cfill(uint8_t *p, int n) { for (int i = 0; i < n; i++) p[i] = 3; }
constexpr int used() { uint8_t q[4] = {}; cfill(q, 4); return q[2]; }
static_assert(used() == 3, "");
template <typename T> int both(T *p, int n)
{
    told("both");
    for (int i = 0; i < n; i++) p[i] = p[i] + 1;
    return 0;
}
inline void inl(uint8_t *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] + 100; }
struct Job { struct { uint8_t *p; int n; } *src; int k; };
int job(Job *j)
{
    if (told("j") < 0) return 1;
    for (int i = 0; i < j->src->n; i++) j->src->p[i] = j->src->p[i] - j->k;
    return 0;
}
uint8_t *moved(uint8_t *p, int n)
{
    told("moved");
    for (int i = 0; i < n; i++) *p++ = i * 5;
    return p;
}
int glob(uint8_t *p, int n)
{
    told("g");
    for (int i = 0; i < n; i++) p[i] = p[i] * gain + level;
    return 0;
}
/* a lambda of the function around */
int bent(uint8_t *p, int n, int k)
{
    std::vector<uint8_t> t(256);
    const auto at = [&](int i) { return t[i & 255] + (i < n / 2 ? k : 0); };
    told("bent");
    for (int i = 0; i < 256; i++) t[i] = i * k;
    told("filled");
    for (int i = 0; i < n; i++) p[i] = at(p[i]) / 3;
    return told("done");
}
int main_test()
{
    Image im(20, 10); uint8_t *d = im.data(); unsigned h = 0;
    for (int i = 0; i < 200; i++) d[i] = i * 7;
    im.invert(); im.add(9); outside(im, 3); half(d, 50); inl(d, 60); cfill(d + 190, 4);
    std::vector<uint8_t> v(d, d + 100);
    h = vec(v, 5) + made(4);
    both(d, 20); int t[5] = {1, 2, 300, 4, 5}; both(t, 5);
    struct { uint8_t *p; int n; } in = { d + 10, 30 };
    Job j; j.src = (decltype(j.src))&in; j.k = 2; job(&j);
    h = h * 31 + (moved(d + 70, 10) - d); glob(d, 100); gain = 4; level = 9; glob(d, 50);
    bent(d, 80, 3);
    for (int i = 0; i < 200; i++) h = h * 31 + d[i];
    for (int i = 0; i < 100; i++) h = h * 31 + v[i];
    return h + t[2];
}
"""
CPP_MAIN = r"""
#include <cstdio>
int main_test(); static int c; int told(const char *) { return ++c; }
int main() { std::printf("%d\n", main_test()); }
"""


def put(folder: Path, compiler: str, name: str, text: str | bytes, *more: str) -> Done:
    """`lift cc` of a text in a file."""
    need(compiler)
    content = text.encode() if isinstance(text, str) else text
    (folder / name).write_bytes(content)
    return lift("cc", compiler, "-O2", *more, "-c", name, "-o", "k.o", cwd=folder)


def lifted(done: Done) -> set[str]:
    """What a call of `lift cc` says that it has put back."""
    return set(", ".join(re.findall(r"lifted code for (.*)", done.err)).split(", "))


def same(folder: Path, compiler: str, name: str, main: str) -> None:
    """The program says the same with the source's own object and with that of `lift cc`, and with
    the latter lifted code has run; where each call runs both, nothing differs."""
    program = folder / f"main{Path(name).suffix}"
    program.write_text(main)
    said = []
    for source in (name, "k.o"):
        made = run([compiler, "-O1", program, source, "-o", "program", "-lpthread", "-lm"], folder)
        assert made.status == 0, made.err
        said.append(run([folder / "program"], env={"LIFT_CPU": "?"}))
    assert said[0].out == said[1].out and said[0].status == said[1].status == 0
    assert said[0].err == "" and "LIFT_CPU=? is ignored" in said[1].err
    both = run([folder / "program"], env={"LIFT_SHADOW": "1"})
    assert (both.out, both.err, both.status) == (said[0].out, "", 0)


def test_regions_of_c_run_lifted_code_where_they_stand(tmp_path: Path) -> None:
    done = put(tmp_path, "gcc", "k.c", C, "-Wall", "-Wextra", "-Werror", "-std=c99", "-pedantic")
    assert done.status == 0, done.err
    found = {"shift#1", "total#1", "either#1", "among#1", "gained#1", "macros#1", "macros#3"}
    assert found | {"darker#1"} <= lifted(done)
    assert "macros#2 (a macro makes it)" in done.err
    same(tmp_path, "gcc", "k.c", C_MAIN)


@pytest.mark.slow
@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(
    "text",
    [C.replace("\n", "\r\n"), "\ufeff" + C, C.replace("    ", "\t")],
    ids=["crlf", "bom", "tabs"],
)
def test_lines_and_columns_are_those_of_any_file(tmp_path: Path, text: str) -> None:
    done = put(tmp_path, "gcc", "k.c", text)
    assert {"either#1", "among#1", "macros#1"} <= lifted(done)
    same(tmp_path, "gcc", "k.c", C_MAIN)


@pytest.mark.slow
def test_comments_may_have_an_encoding_of_old(tmp_path: Path) -> None:
    """A column counts bytes; and what stands in a text is nothing that `lift` guesses."""
    place = b"    for (int i = 0; i < n; i++) d[i] = d[i] * gain;"
    assert place in C.encode()
    text = C.encode().replace(place, b"    /* \xe9t\xe9 */" + place)
    done = put(tmp_path, "gcc", "k.c", text)
    assert "gained#1" in lifted(done)
    same(tmp_path, "gcc", "k.c", C_MAIN)
    done = put(tmp_path, "gcc", "k.c", text + b'const char *summer = "\xe9t\xe9";\n')
    assert done.status == 0 and (tmp_path / "k.o").is_file()
    assert b"\xe9t\xe9" in (tmp_path / "k.o").read_bytes()


@pytest.mark.slow
def test_functions_and_regions_of_cpp_run_lifted_code_where_they_stand(tmp_path: Path) -> None:
    done = put(tmp_path, "g++", "k.cpp", CPP, "-Wall", "-Wextra", "-Werror")
    assert done.status == 0, done.err
    found = {"half", "Image_add#1", "Image_invert", "outside#1", "vec#1", "cfill", "inl", "job#1"}
    assert {*found, "moved#1", "glob#1", "bent#1", "bent#2"} <= lifted(done)
    assert {"both_uint8#1", "both_int32#1"} <= lifted(done)
    same(tmp_path, "g++", "k.cpp", CPP_MAIN)


def test_what_a_region_writes_may_be_what_it_reads_once(tmp_path: Path) -> None:
    """Such a call is the original's: a field, a global, a variable whose address somebody has."""
    text = """
typedef unsigned char byte;
struct image { byte *data; int w, h; };
int told(void);
int set(struct image *img, int k)
{
    if (told()) return 0;
    for (int i = 0; i < img->w; i++) img->data[i] = k;
    return 1;
}
int limit = 3;
void bounded(byte *d, int k) { told(); for (int i = 0; i < limit; i++) d[i] = k; }
void keep(int *n);
void handed(byte **d, int k)
{
    int n = 3;
    keep(&n);
    byte *kept = *d;
    told();
    for (int i = 0; i < n; i++) kept[i] = k;
}
"""
    main = r"""
#include <stdio.h>
typedef unsigned char byte;
struct image { byte *data; int w, h; };
int set(struct image *, int); void bounded(byte *, int); void handed(byte **, int);
extern int limit;
byte other[9], *kept = other;
static int calls;
int told(void) { return 0; }
void keep(int *n) { if (calls++) kept = (byte *)n + 3; }
int main(void)
{
    struct image im; im.data = (byte *)&im.w + 3; im.w = 3; im.h = 1;
    int two[2] = {0, 0};
    set(&im, 255); bounded((byte *)two, 7); bounded((byte *)&limit + 3, 255);
    handed(&kept, 5); printf("%d ", other[2]);
    handed(&kept, 254);
    printf("%d %d %d %d\n", im.w, im.h, two[0], limit);
    return 0;
}
"""
    done = put(tmp_path, "gcc", "k.c", text, "-fno-strict-aliasing")
    assert {"set#1", "bounded#1", "handed#1"} <= lifted(done)
    same(tmp_path, "gcc", "k.c", main)


@pytest.mark.slow
def test_ends_that_pointers_run_to(tmp_path: Path) -> None:
    """Also one before the beginning, one between elements, and one that the loops overwrite."""
    text = """
typedef unsigned char byte;
extern int told(void);
byte *negate(byte *p, const byte *end)
{
    told();
    while (p < end) { *p = 255 - *p; p++; }
    return p;
}
void doubled(const short *from, const short *end, short *to)
{
    told();
    for (; from != end; from++) *to++ = *from * 2;
}
void scaled(float **in, float **out, int w, int h)
{
    for (int y = 0; y < h; y++) {
        const float *s = in[y], *end = s + 2 * w;
        float *d = out[y];
        for (; s < end; s += 2, d += 2) { d[0] = s[0] * s[1]; d[1] = s[1]; }
    }
}
const byte *stop;
void global(byte *p) { told(); while (p < stop) *p++ = 0; }
void up_to(short *p, short *end) { told(); while (p < end) *p++ = 7; }
"""
    main = r"""
#include <stdio.h>
typedef unsigned char byte;
byte *negate(byte *, const byte *); void doubled(const short *, const short *, short *);
void scaled(float **, float **, int, int); void global(byte *); void up_to(short *, short *);
extern const byte *stop;
int told(void) { return 0; }
int main(void)
{
    byte a[200]; short b[200], c[200]; float d[4][100], e[4][120], *in[4], *out[4];
    unsigned h = 0;
    for (int i = 0; i < 200; i++) { a[i] = i * 7; b[i] = i * 301; c[i] = 1; }
    for (int i = 0; i < 480; i++) e[i / 120][i % 120] = 0, d[i / 120][i % 100] = i * 0.5f;
    for (int i = 0; i < 4; i++) in[i] = d[i], out[i] = e[3 - i] + i;
    for (int n = -3; n < 70; n++) {
        h = h * 31 + (negate(a + 9, a + 9 + n) - a);
        if (n >= 0) doubled(b + 2, b + 2 + n, c + 5);
        up_to((short *)((char *)c + 100), (short *)((char *)c + 100 + n));
        scaled(in, out, n > 50 ? 50 : n, 4);
    }
    byte *own = (byte *)&stop;
    stop = a + 50; global(a + 30);
    stop = own + 16; global(own - 0);
    for (int i = 0; i < 200; i++) h = h * 31 + a[i] + b[i] * 3 + c[i] * 7;
    for (int i = 0; i < 480; i++) h = h * 31 + (int)e[i / 120][i % 120];
    printf("%u\n", h);
    return 0;
}
"""
    done = put(tmp_path, "gcc", "k.c", text, "-fno-strict-aliasing")
    assert {"negate#1", "doubled#1", "scaled#1", "global#1", "up_to#1"} <= lifted(done), done.err
    same(tmp_path, "gcc", "k.c", main)


@pytest.mark.slow
def test_rows_that_lie_anywhere(tmp_path: Path) -> None:
    """Also rows that lie over each other, over their own table, or that aren't there where no pixel
    is."""
    text = """
typedef unsigned char byte;
struct image { byte **row; int w, h; };
void smooth(byte **d, byte **s, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 0; x < w; x++)
            d[y][x] = (s[y - 1][x] + 2 * s[y][x] + s[y + 1][x]) / 4;
}
void down(struct image *im, int k)
{
    for (int y = 1; y < im->h; y++)
        for (int x = 0; x < im->w; x++) im->row[y][x] = im->row[y - 1][x] + k;
}
void border(byte **d, byte **s, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int v = y > 0 ? s[y - 1][x] : 7;
            if (y < h - 1) v += s[y + 1][x];
            d[y][x] = v / 2;
        }
}
void window(byte **d, byte **s, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int sum = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) sum += s[y + j][x + i] * (2 - j * j);
            d[y][x] = sum / 12;
        }
}
void summed(byte **d, byte **s, int w, int taps)
{
    for (int x = 0; x < w; x++) {
        int sum = 0;
        for (int i = 0; i < taps; i++) sum += s[1][x] * i;
        d[0][x] = sum;
    }
}
void planes(byte **p, const byte *s, int n)
{
    for (int i = 0; i < n; i++) { p[0][i] = s[3 * i]; p[1][i] = s[3 * i + 1]; p[2][i] = i; }
}
"""
    main = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned char byte;
struct image { byte **row; int w, h; };
void smooth(byte **, byte **, int, int); void down(struct image *, int);
void summed(byte **, byte **, int, int); void border(byte **, byte **, int, int);
void window(byte **, byte **, int, int);
void planes(byte **, const byte *, int);
static byte memory[4000];
int main(void)
{
    static const int steps[] = { 150, -150, 1, 70 };
    unsigned hash = 0;
    for (int call = 0; call < 4 * 71; call++) {
        int w = call / 4, h = 1 + call % 7;
        /* a table as long as it must be */
        byte **d = malloc(h * sizeof *d), **s = malloc(h * sizeof *s);
        for (int i = 0; i < 4000; i++) memory[i] = i * 7 + call;
        for (int i = 0; i < h; i++) {
            d[i] = memory + 2000 + i * steps[call % 4] + i % 2 * 9;
            s[i] = memory + 1950 + i * steps[(call + call / 9) % 4];
        }
        struct image im = { s, w, h };
        smooth(d, s, w, h); smooth(s, s, w, h); down(&im, 3);
        summed(d, 0, w, 0); summed(0, 0, 0, 4);
        border(d, s, w, h); window(s, d, w, h);
        if (h > 2) planes(d, s[0], w);
        planes(w ? (byte *[3]){ d[0], s[0], memory } : 0, s[0], w);
        free(d); free(s);
        for (int i = 0; i < 4000; i++) hash = hash * 31 + memory[i];
    }
    /* rows that are written over the table that says where they are */
    byte *table[3] = { (byte *)(table + 2), memory, memory + 100 };
    for (int i = 0; i < 300; i++) memory[i] = 0;
    planes(table, memory + 50, 1);
    printf("%u %d\n", hash, table[2] == memory + 100);
    return 0;
}
"""
    done = put(tmp_path, "gcc", "k.c", text, "-fno-strict-aliasing")
    assert {"smooth#1", "down#1", "planes#1", "border#1", "window#1", "summed"} <= lifted(done), (
        done.err
    )
    same(tmp_path, "gcc", "k.c", main)


def test_pointers_and_arrays_that_stand_beside_what_is_used(tmp_path: Path) -> None:
    """A pointer in a structure that the loops don't follow may be null; tables have two
    dimensions."""
    text = """
struct Palette { unsigned char rgb[4][3]; short out[4]; };
struct Surface { unsigned char *bits; int w; struct Palette *pal; };
int told();
int mix(Surface *s, const unsigned char table[256][256])
{
    if (told()) return 1;
    for (int i = 0; i < s->w; i++) s->bits[i] = table[3][s->bits[i]];
    return 0;
}
void realize(Palette *pal)
{
    for (int i = 0; i < 4; i++) pal->out[i] = pal->rgb[i][0] + pal->rgb[i][2];
}
"""
    main = r"""
#include <stdio.h>
struct Palette { unsigned char rgb[4][3]; short out[4]; };
struct Surface { unsigned char *bits; int w; struct Palette *pal; };
int mix(Surface *s, const unsigned char table[256][256]);
void realize(Palette *pal);
int told() { return 0; }
unsigned char table[256][256], bits[4] = {1, 9, 3, 4};
int main()
{
    for (int i = 0; i < 256; i++) table[3][i] = 255 - i;
    Surface s = {bits, 4, 0};
    Palette p = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {3, 2, 1}}, {0}};
    mix(&s, table); realize(&p);
    printf("%d %d %d\n", bits[1], p.out[1], p.out[3]);
}
"""
    done = put(tmp_path, "g++", "k.cpp", text)
    assert lifted(done) == {"mix#1", "realize"}
    assert "s->pal" not in (tmp_path / "k.o.lifted" / "source" / "k.cpp").read_text()
    same(tmp_path, "g++", "k.cpp", main)


def test_text_that_has_several_meanings_stays_as_it_is(tmp_path: Path) -> None:
    text = """
#ifndef T
int told(void);
#define T unsigned char
#define F bytes
#include "k.c"
#undef T
#undef F
#define T short
#define F shorts
#include "k.c"
#else
void F(T *p, int n) { if (told()) return; for (int i = 0; i < n; i++) p[i] = p[i] + 1; }
#endif
"""
    done = put(tmp_path, "gcc", "k.c", text)
    assert done.status == 0 and not {"bytes#1", "shorts#1"} & lifted(done)


@pytest.mark.slow
def test_a_declaration_whose_value_the_loops_make_is_not_moved(tmp_path: Path) -> None:
    text = """
int told(void);
int among(unsigned char *d, int n)
{
    told();
    for (int i = 0; i < n; i++) d[i] = d[i] / 2;
    int first = d[0];
    for (int i = 0; i < n; i++) d[i] = d[i] / 3;
    told();
    return first;
}
"""
    main = r"""
#include <stdio.h>
int told(void) { return 0; }
int among(unsigned char *, int);
int main(void) { unsigned char d[3] = {99, 7, 8}; printf("%d\n", among(d, 3)); return 0; }
"""
    done = put(tmp_path, "gcc", "k.c", text)
    assert done.status == 0
    (tmp_path / "m.c").write_text(main)
    assert run(["gcc", "m.c", "k.o", "-o", "program"], tmp_path).status == 0
    assert run([tmp_path / "program"]).out == "49\n"


def test_diagnostics_and_file_names_are_those_of_the_source(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "compiler.h").write_text("#define MINE 4\n")  # as one of ours is called
    text = """#include "compiler.h"
int told(const char *);
void f(unsigned char *d, int n)
{
    told(__FILE__);
    for (int i = 0; i < n; i++) d[i] = d[i] / MINE;
    int unused = __LINE__;
}
"""
    (tmp_path / "sub" / "k.c").write_text(text)
    words = ["gcc", "-O2", "-Wall", "-g", "-MD", "-c", "sub/k.c", "-o", "k.o"]
    done = lift("cc", *words, cwd=tmp_path)
    assert "lifted code for f#1" in done.err
    assert "sub/k.c:7:9: warning: unused variable" in done.err
    assert b"sub/k.c" in (tmp_path / "k.o").read_bytes()
    noted = (tmp_path / "k.d").read_text().replace("\\\n", " ").split()
    assert {"sub/k.c", "sub/compiler.h"} <= set(noted) and ".lifted" not in str(noted)


@pytest.mark.slow
def test_a_compiler_that_fails_says_what_it_always_does(tmp_path: Path) -> None:
    broken = C + "int wrong(void) { return nothing; }\n"
    done = put(tmp_path, "gcc", "k.c", broken)
    plain = run(["gcc", "-O2", "-c", "k.c", "-o", "k.o"], tmp_path)
    assert plain.status == done.status == 1 and plain.err in done.err


@pytest.mark.slow
def test_threads_start_only_where_they_are_asked_for(tmp_path: Path) -> None:
    text = """
int told(void);
void f(unsigned char *d, int n) { told(); for (int i = 0; i < n; i++) d[i] = d[i] / 3; }
"""
    main = r"""
#include <stdio.h>
static unsigned char d[1 << 22];
void f(unsigned char *, int);
int told(void) { return 0; }
int main(void)
{
    char line[200];
    f(d, sizeof d);
    FILE *all = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, all)) if (line[0] == 'T' && line[1] == 'h') puts(line);
    return 0;
}
"""
    (tmp_path / "m.c").write_text(main)
    put(tmp_path, "gcc", "k.c", text)
    for options, threads in ((), "1"), (("--parallel",), "3"):
        lift("cc", *options, "gcc", "-O2", "-c", "k.c", "-o", "k.o", cwd=tmp_path)
        assert run(["gcc", "m.c", "k.o", "-o", "program"], tmp_path).status == 0
        told = run([tmp_path / "program"], env={"LIFT_NUM_THREADS": "3"})
        assert told.out.split() == ["Threads:", threads]


PATCHED = r"""
typedef unsigned char byte;
struct image { byte *data; int w, h; };
extern int told(const char *);
static int fill(byte *p, int n, int v) { for (int i = 0; i < n; i++) p[i] = v; return n; }
int shift(struct image *img, int k)
{
    if (told("shift") < 0) return -1;
    for (int i = 0; i < img->w; i++) img->data[i] = img->data[i] + k;
    return img->w;
}
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define BOTH(d, n) int twice = (n); for (int i = 0; i < twice; i++) (d)[i] ^= 1;
void macros(byte *d, int n)
{
    told("macros");
    EACH(i, n) { d[i] = d[i] | 4; }
    told("between");
    BOTH(d, n)
}
int all(byte *a, byte *b, int n)
{
    struct image im = { a, n, 1 };
    int r = fill(b, n, 7) + fill(a, n, 9);
    r = r * 31 + shift(&im, 5);
    macros(a, n);
    return r;
}
"""
"""Some of `C`: `lift patch` puts back what `lift cc` does, and lifts it for each of its runs."""


@pytest.mark.parametrize(
    "source", [PATCHED, pytest.param(C, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_a_patched_source_is_what_it_was_to_lift_and_runs_lifted_code(
    tmp_path: Path, source: str
) -> None:
    (tmp_path / "k.c").write_text(source)
    (tmp_path / "main.c").write_text(C_MAIN)
    shown = lift("patch", "k.c", cwd=tmp_path)
    assert (tmp_path / "k.c").read_text() == source
    assert "+    if (!(img && shift_loops1_lifted_here(&img->data, &img->w, k))) {" in shown.out
    assert "macros_loops2 stays as it is: a macro makes it" in shown.err
    assert lift("patch", "k.c", "--write", cwd=tmp_path).status == 0
    once = (tmp_path / "k.c").read_text()
    summaries = {p: p.read_text() for p in tmp_path.glob("lifted/k/*/pipeline.py")}
    again = lift("patch", "k.c", "--write", cwd=tmp_path)
    assert again.out == "" and (tmp_path / "k.c").read_text() == once
    assert summaries == {p: p.read_text() for p in tmp_path.glob("lifted/k/*/pipeline.py")}
    assert lift("build", "lifted", cwd=tmp_path).status == 0
    words = ["gcc", "-Wall", "-Wextra", "-Werror", "k.c", "main.c", "lifted/lifted_calls.c"]
    made = run([*words, "lifted/liblifted.a", "-o", "patched", "-lpthread", "-lm"], tmp_path)
    assert made.status == 0, made.err
    (tmp_path / "k.c").write_text(source)
    assert run(["gcc", "k.c", "main.c", "-o", "plain"], tmp_path).status == 0
    plain, patched = (run([tmp_path / n], env={"LIFT_CPU": "?"}) for n in ("plain", "patched"))
    assert plain.out == patched.out and "LIFT_CPU=? is ignored" in patched.err


def test_a_function_of_that_name_that_is_seen_is_read(tmp_path: Path) -> None:
    """Only what `lift patch` has put there is left out: this one changes what the loops write."""
    text = """
static int f_lifted_here(unsigned char *d, int n) { d[0] = n; return 0; }
void f(unsigned char *d, int n)
{
    if (!f_lifted_here(d, n)) {
        for (int i = 0; i < n; i++) d[i] = d[i] / 2;
    }
}
"""
    done = put(tmp_path, "gcc", "k.c", text)
    (tmp_path / "m.c").write_text(
        "void f(unsigned char *, int);\n"
        "int main(void) { unsigned char d[9] = {0}; f(d, 9); return d[0]; }\n"
    )
    assert done.status == 0
    assert run(["gcc", "m.c", "k.o", "-o", "m", "-lm"], tmp_path).status == 0
    assert run([tmp_path / "m"]).status == 4


def in_header(folder: Path, text: str) -> str:
    """Writes a header with an implementation, and gives the source that makes it real."""
    (folder / "inc").mkdir(exist_ok=True)
    own = ("K_H", "K_IMPLEMENTATION")
    guards = "".join(f"#{'ifn' if name == 'K_H' else 'if'}def {name}\n" for name in own)
    (folder / "inc" / "k.h").write_text(
        f"#pragma once\n{guards}#define K_H\n{text}\n#endif\n#endif\n"
    )
    return (
        '#define K_IMPLEMENTATION /* once */\n#include <stdio.h>\n#include "inc/k.h"\nint after;\n'
    )


@pytest.mark.slow
def test_headers_that_one_source_makes_real_have_lifted_code_where_they_stand(
    tmp_path: Path,
) -> None:
    text = in_header(tmp_path, C)
    done = put(tmp_path, "gcc", "k.c", text, "-Wall", "-Wextra", "-Werror", "-std=c99", "-MMD")
    assert done.status == 0, done.err
    assert {"shift#1", "total#1", "either#1", "among#1", "gained#1", "macros#1"} <= lifted(done)
    same(tmp_path, "gcc", "k.c", C_MAIN)
    assert (tmp_path / "k.d").read_text().split() == ["k.o:", "k.c", "inc/k.h"]
    text = in_header(tmp_path, CPP)
    done = put(tmp_path, "g++", "k.cpp", text, "-Wall", "-Wextra", "-Werror", "-g")
    assert {"half", "vec#1", "job#1", "moved#1", "glob#1"} <= lifted(done)
    same(tmp_path, "g++", "k.cpp", CPP_MAIN)


@pytest.mark.slow
def test_a_message_about_a_header_has_the_headers_line(tmp_path: Path) -> None:
    text = in_header(tmp_path, f"#line 400\n{C}\nint f(int k) {{ int unused; return k; }}")
    done = put(tmp_path, "gcc", "k.c", text.replace("int after", "int f(int);\nint after"), "-Wall")
    assert "#line changes the lines" in done.err and "shift#1" not in lifted(done)
    (tmp_path / "inc" / "k.h").unlink()
    text = in_header(tmp_path, f"{C}\nint f(int k) {{ int unused; return k; }}")
    done = put(tmp_path, "gcc", "k.c", text, "-Wall")
    line = (tmp_path / "inc" / "k.h").read_text().split("unused")[0].count("\n") + 1
    assert "shift#1" in lifted(done) and f"inc/k.h:{line}:" in done.err


@pytest.mark.slow
def test_what_has_several_meanings_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "both.inc").write_text(
        "void NAME(T *d, int n)\n{\n    told();\n"
        "    for (int i = 0; i < n; i++) d[i] = d[i] + 1;\n}\n"
    )
    each = '#define NAME {}\n#define T {}\n#include "both.inc"\n#undef NAME\n#undef T\n'
    text = "int told(void);\n" + each.format("f8", "unsigned char") + each.format("f16", "short")
    done = put(tmp_path, "gcc", "k.c", text)
    assert (
        done.status == 0 and "read several times" in done.err and not done.err.count("lifted code")
    )
    (tmp_path / "before.h").write_text("enum { BEFORE = 1 };\n")
    done = put(tmp_path, "gcc", "k.c", in_header(tmp_path, C), "-include", "before.h")
    assert done.status == 0 and "an option includes another before" in done.err
    assert (tmp_path / "k.o").is_file()


@pytest.mark.slow
def test_what_has_no_name_where_the_call_stands(tmp_path: Path) -> None:
    """Parameters without a name, and members of an argument that are private."""
    text = """
typedef unsigned char byte;
static void half(byte *d, int step, int w, int h, short, byte *)
{
    while (h--) { for (int i = 0; i < w; i++) d[i] = d[i] / 2; d += step; }
}
typedef void (*Blit)(byte *, int, int, int, short, byte *);
Blit blits[] = { half };
class View {
    byte *data_; int width_, height_;
public:
    View(byte *d, int w, int h) : data_(d), width_(w), height_(h) {}
    byte *row(int y) const { return data_ + y * width_; }
    int width() const { return width_; }
    int height() const { return height_; }
};
namespace raster {
void invert(View v)
{
    for (int y = 0; y < v.height(); ++y)
        for (int x = 0; x < v.width(); ++x) v.row(y)[x] = 255 - v.row(y)[x];
}
}
unsigned use()
{
    byte d[200]; unsigned h = 0;
    for (int i = 0; i < 200; i++) d[i] = i * 7;
    blits[0](d, 20, 11, 9, 3, 0);
    raster::invert(View(d, 10, 15));
    for (int i = 0; i < 200; i++) h = h * 31 + d[i];
    return h;
}
"""
    main = '#include <cstdio>\nunsigned use();\nint main() { std::printf("%u\\n", use()); }\n'
    done = put(tmp_path, "g++", "k.cpp", text, "-Wall", "-Wextra", "-Werror")
    assert {"half", "invert"} <= lifted(done), done.err
    same(tmp_path, "g++", "k.cpp", main)


MORE_THAN_LOOPS = r"""
int told(void);
#define LEAVE(K) for (i = 0; i < n; i++) { d[i] = d[i] * K; } break;
#define AND_TELL(K) for (i = 0; i < n; i++) { d[i] = d[i] * K; } told();
#define TELL_AND(K) told(); for (i = 0; i < n; i++) { d[i] = d[i] * K; }
#define COUNT for (i = 0; i < n; i++) { d[i] ^= 5; } k++
#define HALF for (i = 0; i < n; i++) { d[i] ^= 9; } k = 2 *
#define LOOP() for (i = 0; i < n; i++) { d[i] += 3; }
#define UNTIL LOOP() while
void f(unsigned char *d, int n, int k)
{
    int i;
    told();
    switch (k) {
    case 0: LEAVE(2)
    case 1: LEAVE(3)
    case 2: AND_TELL(5) break;
    case 3: TELL_AND(7) break;
    case 4: COUNT; break;
    case 5: HALF k; break;
    case 6: LOOP() break;
    default: do UNTIL (told() < 30);
    }
    d[0] += k;
}
"""


def test_a_macro_that_makes_more_than_loops_is_run(tmp_path: Path) -> None:
    """Behind the call, that would run only where the loops do."""
    main = r"""
#include <stdio.h>
static int count;
int told(void) { return ++count; }
void f(unsigned char *, int, int);
int main(void)
{
    unsigned char d[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (int k = 0; k < 9; k++) {
        f(d, 9, k);
        for (int i = 0; i < 9; i++) printf("%d ", d[i]);
        printf("%d\n", count);
    }
    return 0;
}
"""
    done = put(tmp_path, "gcc", "k.c", MORE_THAN_LOOPS)
    assert done.status == 0 and "a macro makes it together with something else" in done.err
    assert len(lifted(done)) == 1
    same(tmp_path, "gcc", "k.c", main)


@pytest.mark.slow
def test_headers_that_are_read_again_have_lifted_code_where_they_say_something_once(
    tmp_path: Path,
) -> None:
    """First the declarations, then the functions; of a header that says the same text twice, what
    it says twice stays as it is, and nothing else with it."""
    (tmp_path / "both.inc").write_text(
        'void NAME(T *d, int n)\n{\n    told("both");\n'
        "    for (int i = 0; i < n; i++) d[i] = d[i] + 1;\n}\n"
    )
    each = '#define NAME {}\n#define T {}\n#include "both.inc"\n#undef NAME\n#undef T\n'
    text = in_header(tmp_path, C).replace("#define", '#include "inc/k.h"\n#define', 1)
    header = tmp_path / "inc" / "k.h"
    header.write_text(header.read_text().replace("#pragma once\n", ""))
    header.write_text(header.read_text().replace("#ifndef K_H\n", "").replace("#endif\n", "", 1))
    text += each.format("f8", "unsigned char") + each.format("f16", "short")
    done = put(tmp_path, "gcc", "k.c", text)
    assert done.status == 0, done.err
    assert {"shift#1", "total#1", "either#1", "among#1"} <= lifted(done)
    assert "f16#1 (" in done.err and "is read several times" in done.err
    same(tmp_path, "gcc", "k.c", C_MAIN)


VECTOR_OF_ROWS = r"""
#include <vector>
#include <cstring>
typedef unsigned char byte;
extern int told(const char *);
class Lines {
    std::vector<byte *> lines_;
    std::vector<const byte *> from_;
public:
    long width, height;
    Lines(byte *p, long w, long h, long step) : width(w), height(h)
    {
        for (long y = 0; y < h; y++) { lines_.push_back(p + y * step); from_.push_back(p); }
    }
    byte *line(long y) { return lines_[y]; }
    byte **table() { return lines_.data(); }
    void wipe(int c)
    {
        told("wipe");
        for (long y = 0; y < height; y++) memset(lines_[y], c, width);
    }
    void blend(int k)
    {
        for (long y = 0; y < height; y++) {
            const byte *s = from_[y]; byte *d = lines_[y];
            for (long x = 0; x < width; x++) d[x] = (d[x] * k + s[x]) >> 2;
        }
    }
};
int invert(Lines *k)
{
    if (told("invert") < 0) return 0;
    for (long y = 0; y < k->height; y++) {
        byte *p = k->line(y);
        for (long x = 0; x < k->width; x++, p++) *p = ~*p;
    }
    return 1;
}
int halves(byte *all, long w, long h)
{
    std::vector<byte *> rows;
    for (long y = 0; y < h; y++) rows.push_back(all + (h - 1 - y) * w);
    for (long y = 0; y < h; y++)
        for (long x = 0; x < w; x++) rows[y][x] = rows[y][x] / 2;
    return 0;
}
"""


@pytest.mark.slow
def test_rows_of_a_vector_are_looked_up_where_the_call_stands(tmp_path: Path) -> None:
    """Of a private member, and of a local vector; a row may lie where the table does."""
    use = r"""
int use()
{
    byte a[600]; unsigned h = 0;
    for (int i = 0; i < 600; i++) a[i] = i * 7;
    Lines k(a, 20, 10, 30), none(a, 5, 0, 3);
    invert(&k); k.blend(3); k.wipe(9); k.blend(2); invert(&k); invert(&none); none.wipe(1);
    halves(a, 30, 10);
    for (int i = 0; i < 300; i++) h = h * 31 + a[i];
    Lines own(a, 1, 2, 300);
    own.table()[0] = (byte *)&own.table()[1];
    invert(&own);
    return h * 31 + a[300];
}
"""
    main = "#include <cstdio>\nint told(const char *) { return 1; }\nint use();\n"
    main += 'int main() { std::printf("%d\\n", use()); }\n'
    done = put(tmp_path, "g++", "k.cpp", VECTOR_OF_ROWS + use, "-fno-strict-aliasing")
    assert done.status == 0, done.err
    assert {"Lines_blend#1", "invert#1.1", "halves#2.1"} <= lifted(done)
    same(tmp_path, "g++", "k.cpp", main)
