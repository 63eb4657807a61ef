"""Loops that call through pointers to functions: which one it is, is known where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.build.programs import lift, need, run
from tests.parse.parsing import parse

FUNCTIONS = r"""
typedef unsigned char byte;
typedef byte (*blend)(byte, byte);
typedef void (*row)(byte *, const byte *, int);
extern int told(const char *);
static byte sum(byte a, byte b) { int s = a + b; return s > 255 ? 255 : s; }
static byte most(byte a, byte b) { return a > b ? a : b; }
static byte times(byte a, byte b) { return a * b / 255; }
static const blend table[] = { sum, most, times };
static void inverse(byte *d, const byte *s, int n) { while (n--) *d++ = 255 - *s++; }
static void half(byte *d, const byte *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i] / 2; }
struct job { blend op; row line; int w, h; };
void prepare(struct job *j, int k) { j->op = table[k % 3]; j->line = k & 1 ? inverse : half; }
"""
LOOPS = r"""
int chosen(byte *d, const byte *s, int n, int k)
{
    blend f;
    if (k < 0 || k > 2) return -1;
    f = table[k];
    for (int i = 0; i < n; i++) d[i] = f(d[i], s[i]);
    return n;
}
void member(struct job *j, byte *d, const byte *s)
{
    told("member");
    for (int i = 0; i < j->w; i++) d[i] = (*j->op)(d[i], s[i]);
}
void rows(struct job *j, byte *d, const byte *s, int p)
{
    told("rows");
    for (int y = 0; y < j->h; y++) j->line(d + y * p, s + y * p, j->w);
}
void given(blend f, byte *d, const byte *s, int n)
{
    told("given");
    while (n-- > 0) { *d = f(*d, *s++); d++; }
}
"""
MAIN = r"""
#include <stdio.h>
static int count;
int told(const char *s) { (void)s; return ++count; }
static byte other(byte a, byte b) { return a ^ b; }
static void copied(byte *d, const byte *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }
int main(void)
{
    static byte d[4000], s[4000]; unsigned h = 0;
    for (int k = 0; k < 8; k++)
        for (int n = 0; n < 60; n = 2 * n + 1) {
            struct job j;
            for (int i = 0; i < 4000; i++) { d[i] = i * 3; s[i] = i * 7; }
            prepare(&j, k); j.w = n; j.h = 30;
            if (k == 6) { j.op = other; j.line = copied; }
            chosen(d, s, n, k % 3); member(&j, d, s); rows(&j, d, s, 64); given(j.op, d, s, n);
            for (int i = 0; i < 4000; i++) h = h * 31 + d[i];
        }
    printf("%u\n", h);
    return 0;
}
"""


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_calls_through_pointers_are_choices_of_the_functions_that_are_known(
    suffix: str, tmp_path: Path
) -> None:
    compiler = "gcc" if suffix == ".c" else "g++"
    need(compiler)
    source = tmp_path / f"job{suffix}"
    source.write_text(FUNCTIONS + LOOPS + MAIN)
    assert run([compiler, "-O1", source.name, "-o", "plain"], tmp_path).status == 0
    made = lift("cc", compiler, "-O1", "-c", source.name, "-o", "job.o", cwd=tmp_path)
    for name in ("chosen", "member#1", "rows#1", "given#1"):
        assert name in made.err
    linked = run([compiler, "job.o", "-o", "lifted", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    plain, lifted = (run([tmp_path / name]) for name in ("plain", "lifted"))
    assert plain.out and plain == lifted


def lifted_loops(text: str) -> list[FunctionResult]:
    found = parse(f"{FUNCTIONS}\n{text}", "job.c", split=["f"])
    return [lift_kernel(k, LiftOptions()) for k in found.kernels if k.region is not None]


BEGIN = "void f(struct job *j, blend g, byte *d, const byte *s, int n) { told(0);"
LOOP = "for (int i = 0; i < n; i++)"


@pytest.mark.parametrize(
    "text",
    [
        # the pointer changes on the way
        f"{BEGIN} {LOOP} {{ d[i] = j->op(d[i], s[i]); if (s[i] == 3) j->op = most; }} }}",
        f"{BEGIN} {LOOP} {{ d[i] = g(d[i], s[i]); g = most; }} }}",
        # of two pointers nobody knows whether they are one
        f"{BEGIN} {LOOP} d[i] = j->op == g ? 1 : 2; }}",
        # none is known
        "typedef int (*unlike)(int); void f(unlike g, byte *d, int n) { told(0);"
        f" {LOOP} d[i] = g(d[i]); }}",
    ],
)
def test_what_may_be_another_function_is_not_proved(text: str) -> None:
    assert all(r.status != "proved" for r in lifted_loops(text))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "body",
    [
        "return told(0) + a;",
        "static int n; n++; return a;",
        "extern struct job *all; all->op = sum; return a;",
    ],
)
def test_functions_that_are_not_understood_are_told_and_stay_the_originals(body: str) -> None:
    (result,) = lifted_loops(
        f"static byte other(byte a, byte b) {{ {body} }}"
        f" blend kept = other; {BEGIN} {LOOP} d[i] = g(d[i], s[i]); }}"
    )
    assert result.status == "proved" and result.kernel is not None
    assert any("g isn't other" in w.message for w in result.warnings)
    assert result.kernel.region is not None
    (choice,) = result.kernel.region.choices
    assert "other" not in choice.functions and result.proof is not None
    assert any("g is one of" in p.text for p in result.proof.preconditions)


@pytest.mark.parametrize(
    ("before", "local", "is_told"),
    [
        ("", "", True),
        ("#define most(a, b) a\n", "", True),
        ("#define most times\n", "", False),
        ("", "blend most = times;", False),
        ("#define line op\n", "", True),
        ("#define op line\n", "", False),
    ],
)
def test_names_that_mean_something_else_at_the_loop_arent_written_there(
    before: str, local: str, is_told: bool
) -> None:
    loop = f"{LOOP} d[i] = both(j, d[i], s[i]);"
    both = "static byte both(struct job *j, byte a, byte b) { return j->op(a, b); }"
    found = parse(f"{FUNCTIONS}\n{both}\n{before}{BEGIN} {local} {loop} }}", "job.c", split=["f"])
    (kernel,) = (k for k in found.kernels if k.region is not None)
    assert kernel.put_back is not None
    assert bool(kernel.put_back.refused) != is_told


CONVERSIONS = r"""
typedef unsigned char byte;
typedef void (*convert)(void *, const void *, int);
struct image { int type, w, h; byte **row; };
extern int told(const char *);
static void narrowed(void *dv, const void *sv, int n)
{
    byte *d = (byte *)dv; const short *s = (const short *)sv;
    for (int i = 0; i < n; i++) d[i] = s[i] < 0 ? 0 : s[i] > 255 ? 255 : s[i];
}
static void widened(void *dv, const void *sv, int n)
{
    unsigned short *d = (unsigned short *)dv; const byte *s = (const byte *)sv;
    while (n-- > 0) *d++ = *s++ * 257;
}
static void inverted(void *dv, const void *sv, int n)
{
    byte *d = (byte *)dv; const byte *s = (const byte *)sv;
    for (int i = 0; i < n; i++) d[i] = 255 - s[i];
}
static const convert table[2][2] = { { inverted, widened }, { narrowed, 0 } };
int converted(struct image *d, const struct image *s)
{
    convert f = table[s->type][d->type];
    if (!f) return told("none");
    for (int y = 0; y < s->h; y++) (*f)(d->row[y], s->row[y], s->w);
    return 0;
}
"""
CONVERTED = r"""
#include <stdio.h>
int told(const char *s) { (void)s; return -1; }
int main(void)
{
    static unsigned short a[20][64], b[20][64]; static byte *ra[20], *rb[20]; unsigned h = 0;
    for (int type = 0; type < 3; type++)
        for (int w = 0; w < 60; w = 2 * w + 1) {
            struct image d = {type == 1, w, 20, ra}, s = {type == 2, w, 20, rb};
            for (int y = 0; y < 20; y++) {
                ra[y] = (byte *)a[y * 7 % 20]; rb[y] = (byte *)b[y * 3 % 20];
                for (int x = 0; x < 64; x++) { a[y][x] = x * y; b[y][x] = x * 999 + y * 77; }
            }
            converted(&d, &s);
            for (int i = 0; i < 20 * 64; i++) h = h * 31 + a[i / 64][i % 64];
        }
    printf("%u\n", h);
    return 0;
}
"""


def test_each_function_sees_the_rows_that_it_is_given_in_its_own_way() -> None:
    split = ["converted", "converted#1", *(f"converted#1.{i}" for i in (1, 2, 3))]
    found = parse(CONVERSIONS, "image.c", split=split)
    kernels = [k for k in found.kernels if k.region is not None]
    assert [k.name for k in kernels] == [f"converted#1.{i}.1" for i in (1, 2, 3)]
    seen = [tuple(str(p.type) for p in k.params if p.kind != "scalar") for k in kernels]
    assert seen == [("uint8", "int16"), ("uint16", "uint8"), ("uint8", "uint8")]


@pytest.mark.slow
def test_rows_are_converted_by_the_function_that_a_table_has(tmp_path: Path) -> None:
    need("gcc")
    source = tmp_path / "image.c"
    source.write_text(CONVERSIONS + CONVERTED)
    assert run(["gcc", "-O1", source.name, "-o", "plain"], tmp_path).status == 0
    made = lift("cc", "gcc", "-O1", "-c", source.name, "-o", "image.o", cwd=tmp_path)
    assert all(f"converted#1.{i}.1" in made.err for i in (1, 2, 3)), made.err
    linked = run(["gcc", "image.o", "-o", "lifted", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    plain, lifted = (run([tmp_path / name]) for name in ("plain", "lifted"))
    assert plain.out and plain == lifted
