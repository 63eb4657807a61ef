"""Bit-fields: bits of the one integer that a structure of them is."""

from __future__ import annotations

from pathlib import Path

import pytest

from .parsing import failure
from .plain_library import assert_equal_to_original, written

TYPES = """
typedef unsigned short WORD; typedef unsigned char u8;
enum Kind { A, B, C };
union P565 { WORD w; struct { WORD b : 5; WORD g : 6; WORD r : 5; } c; };
union P8888 { unsigned w; u8 b[4]; struct { unsigned lo : 7; unsigned mid : 18; int hi : 7; } c; };
struct S { int a : 5; unsigned b : 6; bool c : 1; short d : 9; Kind k : 2; };
"""
BODIES = {
    "read": "P565 p; p.w = s[i]; d[i] = p.c.r * 4 + p.c.g - p.c.b;",
    "written": "P565 p; p.w = s[i]; p.c.g = s[i] >> 3; p.c.r = 99; d[i] = p.w;",
    "stepped": "P565 p; p.w = s[i]; p.c.r++; --p.c.b; p.c.g += 40; d[i] = p.w;",
    "value of a step": "P565 p; p.w = s[i]; d[i] = ++p.c.r; d[i] += p.c.g--; d[i] ^= p.w;",
    "value of an assignment": "P565 p; p.w = s[i]; d[i] = (p.c.r = p.c.g = s[i] + 50);",
    "signed": "P8888 p; p.w = s[i] * 0x10203u; d[i] = p.c.hi; p.c.hi = s[i]; d[i] += p.c.hi;",
    "over several elements": "P8888 p; p.w = s[i] * 77777u; p.c.mid += 5; d[i] = p.b[2] + p.b[0];",
    "by reference": "P565 p; p.w = s[i]; const WORD &r = p.c.r; p.c.r = 3; d[i] = r;",
    "chosen": "P565 p; p.w = s[i]; (i & 1 ? p.c.r : p.c.b) = 7; d[i] = p.w;",
    "in an array": "S *q = (S *)m; q[i].a = s[i]; q[i].c = s[i] & 2; q[i].k = (Kind)(s[i] % 3);"
    " q[i].d = -s[i]; q[i].b = q[i].a; d[i] = q[i].a + q[i].d * 3 + q[i].k + q[i].c;",
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", BODIES)
def test_bit_fields_are_what_the_compiler_makes_of_them(name: str, tmp_path: Path) -> None:
    memory = "unsigned *m, " if name == "in an array" else ""
    text = TYPES + (
        f'extern "C" void k({memory}short *d, const u8 *s, int n) {{\n'
        f"    for (int i = 0; i < n; i++) {{ {BODIES[name]} }} }}"
    )
    found = assert_equal_to_original(written(text, tmp_path))
    assert [k.name for k in found.kernels] == ["k"], [str(s.diagnostic) for s in found.failed]


@pytest.mark.parametrize(
    "text",
    [
        # other members, a base, more than one integer
        "struct T { int a : 5; u8 b; };\nvoid f(short *d, T *t, int n) { d[0] = t[n].a; }",
        "struct T : S { int e : 5; };\nvoid f(short *d, T *t, int n) { d[0] = t[n].e; }",
        "struct T { int a : 31; int b : 31; int c : 31; };\n"
        "void f(short *d, T *t, int n) { d[0] = t[n].a; }",
        "struct T { volatile int a : 5; };\nvoid f(short *d, T *t, int n) { d[0] = t[n].a; }",
    ],
)
def test_other_structures_are_refused(text: str) -> None:
    assert failure(TYPES + text).code in ("unsupported-type", "pointer-cast")
