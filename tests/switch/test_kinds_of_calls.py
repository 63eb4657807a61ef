"""Loops that do what their parameters choose: one formula for each, and which it is, is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.kernel import steady_choice
from lifter.model.lifted import FunctionResult
from tests.build.programs import lift, need, run
from tests.parse.parsing import kernel, parse

IMAGE = r"""
typedef unsigned char byte;
struct image { byte *bits; int pitch, w, h, format; };
extern int told(const char *);
"""
FILL = r"""
int fill(struct image *m, int n, unsigned c, int odd)
{
    if (m->format > 2) return -1;
    told("fill");
    for (int y = 0; y < m->h; y++) {
        byte *p = m->bits + y * m->pitch;
        for (int x = 0; x < n; x++) {
            if (odd < 0 && (x & 1)) continue;
            if (m->format == 0) p[x] = (byte)c;
            else if (m->format == 1) { p[2 * x] = (byte)c; p[2 * x + 1] = (byte)(c >> 8); }
            else { p[3 * x] = (byte)c; p[3 * x + 1] = (byte)(c >> 8); p[3 * x + 2] = 9; }
        }
    }
    return 0;
}
"""
MAIN = r"""
#include <stdio.h>
static int count;
int told(const char *s) { (void)s; return ++count; }
int main(void)
{
    static byte d[4000]; unsigned h = 0;
    for (int format = 0; format < 4; format++)
        for (int n = 0; n < 40; n = 2 * n + 1)
            for (int odd = -1; odd < 1; odd++) {
                struct image m = {d, 130, 40, 30, format};
                for (int i = 0; i < 4000; i++) d[i] = i * 3;
                fill(&m, n, 54321, odd);
                for (int i = 0; i < 4000; i++) h = h * 31 + d[i];
            }
    printf("%u\n", h);
    return 0;
}
"""


@pytest.mark.slow
def test_each_kind_of_call_is_a_formula_of_its_own(tmp_path: Path) -> None:
    need("gcc")
    source = tmp_path / "fill.c"
    source.write_text(IMAGE + FILL + MAIN)
    assert run(["gcc", "-O1", source.name, "-o", "plain"], tmp_path).status == 0
    made = lift("cc", "gcc", "-O1", "-c", source.name, "-o", "fill.o", cwd=tmp_path)
    for name in ("fill#1.1.1", "fill#1.1.2.1", "fill#1.1.2.2"):
        assert name in made.err
    linked = run(["gcc", "fill.o", "-o", "lifted", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    plain, lifted = (run([tmp_path / name]) for name in ("plain", "lifted"))
    assert plain.out and plain == lifted


def parts(body: str) -> list[FunctionResult]:
    text = f"{IMAGE} void f(struct image *m, byte *d, int n, int k) {{ told(0); {body} }}"
    found = parse(text, "kinds.c", split=["f", "f#1"])
    return [lift_kernel(k, LiftOptions()) for k in found.kernels if k.region is not None]


LOOP = "for (int i = 0; i < n; i++)"
WIDE = "d[2 * i] = 1; d[2 * i + 1] = 2;"


@pytest.mark.parametrize(
    ("test", "asked"),
    [
        ("k == 3", ["k == 3", "k != 3"]),
        ("k > 3 && m->w", ["k > 3 && m.w != 0", "!(k > 3 && m.w != 0)"]),
        ("m->format", ["m.format != 0", "m.format == 0"]),
    ],
)
def test_what_is_chosen_is_a_precondition(test: str, asked: list[str]) -> None:
    results = parts(f"{LOOP} if ({test}) d[i] = 1; else {{ {WIDE} }}")
    assert [r.status for r in results] == ["proved", "proved"]
    told = [[p.text for p in r.proof.preconditions] for r in results if r.proof is not None]
    assert told == [[one] for one in asked]


@pytest.mark.parametrize(
    "body",
    [
        f"{LOOP} {{ if (k == 3) d[i] = 1; else {{ {WIDE} }} k = d[i]; }}",
        f"{LOOP} {{ if (i == k) d[i] = 1; else {{ {WIDE} }} }}",
        f"{LOOP} if (d[k]) d[i] = 1; else {{ {WIDE} }}",
        f"if (k == 3) {LOOP} {{ {WIDE} }}",
    ],
)
def test_what_iterations_choose_is_no_kind_of_call(body: str) -> None:
    made = kernel(f"typedef unsigned char byte; void f(byte *d, int n, int k) {{ {body} }}")
    assert steady_choice(made) is None


def test_calls_that_do_nothing_are_no_kind() -> None:
    """Where `k` is another number the original runs, which leaves all as it is."""
    (only,) = parts(f"{LOOP} if (k == 3) d[i] = i;")
    assert only.status == "proved" and only.proof is not None
    assert [p.text for p in only.proof.preconditions] == ["k == 3"]
