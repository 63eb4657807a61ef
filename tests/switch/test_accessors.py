"""Images that say by pointers to functions how their pixels are read and written.

What one setter writes isn't where another one does, so each has a formula of its own.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.build.programs import lift, need, run
from tests.parse.parsing import parse

FORMATS = r"""
typedef unsigned char byte;
struct colour {
    byte r, g, b; bool indexed;
    colour() : r(0), g(0), b(0), indexed(false) {}
    colour(byte r_, byte g_, byte b_) : r(r_), g(g_), b(b_), indexed(false) {}
};
struct image
{
    byte *bits; long pitch; int w, h;
    colour (*get)(const byte *line, long x);
    void (*set)(byte *line, long x, const colour &c);
};
static colour get_grey(const byte *line, long x)
{
    colour c(line[x], line[x], line[x]);
    c.indexed = true;
    return c;
}
static void set_grey(byte *line, long x, const colour &c) { line[x] = c.r; }
static colour get_rgb(const byte *line, long x)
{
    line += 3 * x;
    return colour(line[0], line[1], line[2]);
}
static void set_rgb(byte *line, long x, const colour &c)
{
    line += 3 * x;
    *line++ = c.r; *line++ = c.g; *line = c.b;
}
static colour get_bgrx(const byte *p, long x) { return colour(p[4*x + 2], p[4*x + 1], p[4*x]); }
static void set_bgrx(byte *line, long x, const colour &c)
{
    line += x << 2;
    line[0] = c.b; line[1] = c.g; line[2] = c.r; line[3] = 255;
}
static colour get_bit(const byte *p, long x)
{
    return colour(p[x >> 3] >> (7 - (x & 7)) & 1, 0, 0);
}
static void set_bit(byte *line, long x, const colour &c)
{
    if (c.r & 1) line[x >> 3] |= 128 >> (x & 7);
    else line[x >> 3] &= ~(128 >> (x & 7));
}
void prepare(image *i, int format)
{
    switch (format) {
    case 1: i->get = get_rgb; i->set = set_rgb; break;
    case 2: i->get = get_bgrx; i->set = set_bgrx; break;
    case 3: i->get = get_bit; i->set = set_bit; break;
    default: i->get = get_grey; i->set = set_grey; break;
    }
}
"""
LOOPS = r"""
extern "C" int told(const char *);
void fill(image *i, const colour &c)
{
    told("fill");
    for (int y = 0; y < i->h; y++)
        for (int x = 0; x < i->w; x++) i->set(i->bits + y * i->pitch, x, c);
}
void invert(image *i)
{
    told("invert");
    for (int y = 0; y < i->h; y++)
        for (int x = 0; x < i->w; x++) {
            const colour c = i->get(i->bits + y * i->pitch, x);
            i->set(i->bits + y * i->pitch, x, colour(255 - c.r, 255 - c.g, 255 - c.b));
        }
}
void copied(image *to, const image *from)
{
    told("copied");
    for (int y = 0; y < to->h; y++)
        for (int x = 0; x < to->w; x++)
            to->set(to->bits + y * to->pitch, x, from->get(from->bits + y * from->pitch, x));
}
"""
MAIN = r"""
#include <stdio.h>
static int count;
extern "C" int told(const char *s) { (void)s; return ++count; }
static colour counted(const byte *line, long x) { count++; return colour(line[x], 9, 9); }
static void every_other(byte *line, long x, const colour &c) { line[2 * x] = c.g; }
static void work(image &a, image &b, const colour &c)
{
    fill(&a, c); copied(&b, &a); invert(&b); copied(&a, &b); invert(&a);
}
int main()
{
    static byte one[6000], two[6000];
    unsigned h = 0;
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < 5; l++)
            for (int n = -1; n < 30; n = 2 * n + 3) {
                image a = { one + 8, 130, n, n / 2, 0, 0 }, b = { two + 8, 140, n, n / 2, 0, 0 };
                for (int i = 0; i < 6000; i++) { one[i] = i * 3; two[i] = i * 7; }
                prepare(&a, k); prepare(&b, l);
                if (l == 4) { b.get = counted; b.set = every_other; }
                if (k == 2 && l == 3) b.bits = a.bits + 3;
                if (k == 1 && l == 2) a.set = set_grey;
                work(a, b, colour(200, 3, 77));
                for (int i = 0; i < 6000; i++) h = h * 31 + one[i] + 7 * two[i];
            }
    printf("%u %d\n", h, count);
    return 0;
}
"""


@pytest.mark.slow
def test_each_setter_has_a_formula_and_any_other_function_stays_the_originals(
    tmp_path: Path,
) -> None:
    need("g++")
    source = tmp_path / "job.cpp"
    source.write_text(FORMATS + LOOPS + MAIN)
    assert run(["g++", "-O1", source.name, "-o", "plain"], tmp_path).status == 0
    made = lift("cc", "g++", "-O1", "-c", source.name, "-o", "job.o", cwd=tmp_path)
    put_back = made.err.partition("lifted code for ")[2].partition("\n")[0].split(", ")
    for name in ("fill", "invert", "copied"):
        assert {f"{name}#1.{i}" for i in (1, 2, 3)} <= set(put_back), made.err
    linked = run(["g++", "job.o", "-o", "lifted", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    plain, lifted = (run([tmp_path / name]) for name in ("plain", "lifted"))
    assert plain.out and plain == lifted


def statuses(loop: str, formats: str = FORMATS) -> dict[tuple[str, ...], str]:
    """By the functions that a loop's pointers are taken to lead to: whether that is proved."""
    text = f"{formats}\nint told(int); void f(image *i, image *j) {{ told(0);\n{loop}\n}}\n"
    found = parse(text, "job.cpp", split=["f", "f#1"])
    made: dict[tuple[str, ...], str] = {}
    for kernel in (k for k in found.kernels if k.region is not None):
        assert kernel.region is not None
        names = tuple(name for choice in kernel.region.choices for name in choice.functions)
        made[names] = lift_kernel(kernel, LiftOptions()).status
    return made


ROW = "for (int x = 0; x < i->w; x++)"


@pytest.mark.slow
def test_a_getter_goes_with_the_setter_that_it_is_set_with() -> None:
    found = statuses(f"{ROW} i->set(i->bits, x, i->get(i->bits, x));")
    assert found == {
        ("get_grey", "set_grey"): "proved",
        ("get_rgb", "set_rgb"): "proved",
        ("get_bgrx", "set_bgrx"): "proved",
        ("get_bit", "set_bit"): "proved",
    }


def test_what_is_set_together_in_a_list_goes_together() -> None:
    begin, _, _ = FORMATS.partition("void prepare")
    table = "struct ops { colour (*get)(const byte *, long); void (*set)(byte *, long, const"
    table += " colour &); };\nstatic const ops table[] = { { get_rgb, set_bgrx },"
    table += " { get_grey, set_grey } };\nstruct image2 { const ops *o; byte *bits; int w; };"
    loop = "for (int x = 0; x < i->w; x++) i->o->set(i->bits, x, i->o->get(i->bits, x));"
    text = f"{begin}{table}\nint told(int); void f(image2 *i) {{ told(0);\n{loop}\n}}\n"
    found = parse(text, "job.cpp", split=["f", "f#1"])
    names = [
        tuple(n for c in k.region.choices for n in c.functions)
        for k in found.kernels
        if k.region is not None
    ]
    assert names == [("get_grey", "set_grey"), ("get_rgb", "set_bgrx")]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "loop",
    [
        # the pointer is changed on the way, or what it writes may be what it reads
        f"{ROW} {{ i->set(i->bits, x, colour(x, 0, 0)); if (x == 3) i->set = set_rgb; }}",
        f"{ROW} {{ i->set(i->bits + 1, x, i->get(i->bits, x)); }}",
        # pixels share bytes with their neighbours
        f"{ROW} i->set(i->bits, x / 2, colour(x, 0, 0));",
    ],
)
def test_what_depends_on_the_order_is_not_proved_for_any_function(loop: str) -> None:
    assert "proved" not in statuses(loop).values()


@pytest.mark.slow
def test_calls_of_several_formulas_stand_one_in_the_other_and_are_read_as_none(
    tmp_path: Path,
) -> None:
    need("g++")
    source = tmp_path / "job.cpp"
    begin, between, rest = LOOPS.partition("void invert")
    source.write_text(FORMATS + begin + MAIN.replace("invert(&a);", "").replace("invert(&b);", "")
                      .replace("copied(&b, &a);", "").replace("copied(&a, &b);", ""))  # fmt: skip
    assert between and rest
    assert run(["g++", "-O1", source.name, "-o", "plain"], tmp_path).status == 0
    assert lift("patch", "--write", source.name, cwd=tmp_path).status in (0, 1, 3)
    patched = source.read_text()
    for i in (1, 2, 3):
        assert f"fill_loops1_{i}_lifted_here(&" in patched
    assert lift("patch", source.name, cwd=tmp_path).out == ""
    assert lift("verify", "lifted", cwd=tmp_path).status in (0, 3)
    edited = patched.replace("i->set == ::set_rgb ? 0", "i->set == ::set_grey ? 0")
    assert edited != patched
    source.write_text(edited)
    assert lift("verify", "lifted", cwd=tmp_path).status == 1
    source.write_text(patched)
    assert lift("build", "lifted", cwd=tmp_path).status == 0
    (calls,) = tmp_path.rglob("lifted_calls.c")
    (library,) = tmp_path.rglob("liblifted.a")
    assert run(["gcc", "-c", "-O1", calls, "-o", "calls.o"], tmp_path).status == 0
    linked = run(
        ["g++", "-O1", source.name, "calls.o", library, "-o", "patched", "-lpthread", "-lm"],
        tmp_path,
    )
    assert linked.status == 0, linked.err
    plain, made = (run([tmp_path / name]) for name in ("plain", "patched"))
    assert plain.out and plain == made
