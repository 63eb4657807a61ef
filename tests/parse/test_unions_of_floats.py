"""Unions of floats and integers: a float's bits are the integer's."""

from __future__ import annotations

from pathlib import Path

import pytest

from .parsing import parse
from .plain_library import assert_equal_to_original, written

HEAD = """\
#include <stdint.h>
typedef union { float f; uint32_t u; int32_t i; } FU;
typedef union { double d; uint64_t u; uint32_t w[2]; } DU;
typedef union { float v[4]; struct { float x, y, z, w; } p; } V4;
typedef union { uint8_t b[4]; uint32_t u; float f; } BFU;
static uint32_t ofbits(float f) { union { float f; uint32_t u; } v = { f }; return v.u; }
static float bits(uint32_t u) { FU v; v.u = u; return v.f; }
"""
BODIES = {
    "a sign": "FU v; v.f = s[i] * -1.5f; v.u &= 0x7fffffff; d[i] = (uint8_t)(v.f / 4);",
    "as a function": "d[i] = ofbits(s[i] + k) >> 19;",
    "and back": "d[i] = (uint8_t)((bits(127u << 23 | (uint32_t)s[i] << 15) - 1.0f) * 255.0f);",
    "a rounding": "DU v; v.d = s[i] * 0.25 + 6755399441055744.0; d[i] = v.w[0];",
    "floats alone": "V4 v; for (int c = 0; c < 4; c++) v.v[c] = s[i] + c;"
    " d[i] = (uint8_t)((v.p.x + v.p.y + v.p.z + v.p.w) / 5);",
    "bytes": "BFU v; v.f = (float)s[i]; d[i] = v.b[2] ^ v.b[3];",
    "of bytes": "BFU v; v.u = 0; v.b[3] = 0x42; v.b[2] = s[i] & 0x7f; v.f += 1.0f;"
    " d[i] = (uint8_t)v.f;",
    "steps": "FU v; v.i = s[i] << 16; v.f *= 2.0f; v.f++; d[i] = v.u >> 16;",
    "an array": "FU t[4]; for (int c = 0; c < 4; c++) t[c].f = c + (k & 63);"
    " d[i] = t[s[i] & 3].u >> 20;",
    "bits of bytes": "union { float f; struct { uint8_t lo : 4, hi : 4; } c; } v;"
    " v.f = s[i] * 1e-3f; d[i] = v.c.lo * 16 + v.c.hi;",
    "a copy": "FU v, w; v.u = 0x3f800000u + s[i]; w = v; w.f -= 1.0f; d[i] = w.u >> 12;",
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_union_with_floats_is_what_gcc_makes_of_it(tmp_path: Path, body: str) -> None:
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    text = f"{HEAD}void k(uint8_t *d, const uint8_t *s, int n, int k) {{ {loop} }}\n"
    found = assert_equal_to_original(written(text, tmp_path, "k.c"))
    assert [k.name for k in found.kernels] == ["k"], [str(s.diagnostic) for s in found.failed]


@pytest.mark.parametrize(
    "body",
    [
        "FU v; v.u = s[i]; float *p = &v.f; d[i] = (uint8_t)*p;",
        "FU v; v.f = 1; uint32_t *p = (uint32_t *)&v.f; d[i] = *p;",
        "uint32_t u = s[i]; d[i] = (uint8_t)*(float *)&u;",
        "float f = s[i]; d[i] = *(uint32_t *)&f >> 16;",
        "union { long double l; uint32_t u; } v; v.u = s[i]; d[i] = v.u;",
        "union { float f; _Bool b; } v; v.f = s[i]; d[i] = v.b;",
    ],
)
def test_what_is_seen_as_another_type_otherwise_is_refused(body: str) -> None:
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    found = parse(f"{HEAD}void k(uint8_t *d, const uint8_t *s, int n) {{ {loop} }}\n", "k.c")
    assert not [k for k in found.kernels if k.name == "k"]
