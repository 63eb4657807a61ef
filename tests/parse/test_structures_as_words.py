"""Structures whose members have several types, in arrays: numbers among words."""

from __future__ import annotations

from pathlib import Path

import pytest

from .plain_library import assert_equal_to_original, written

HEAD = """\
#include <stdint.h>
typedef struct { float x; int16_t y; uint8_t tag; } Plain;
#pragma pack(push, 1)
typedef struct { uint8_t tag; float x; uint16_t y; uint8_t rest; } Packed;
#pragma pack(pop)
typedef struct { uint8_t tag; struct { int16_t a[2]; } y; uint8_t more; } Nested;
static int of(const Plain *p) { return p->y * 2 + p->tag; }
"""
BODIES = {
    "plain": "const Plain *p = (const Plain *)s; d[i] = (uint8_t)(p[i].y + p[i].tag);",
    "by a function": "const Plain *p = (const Plain *)s; d[i] = (uint8_t)of(p + i);",
    "packed": "const Packed *p = (const Packed *)s; d[i] = (p[i].x > 0.5f) + p[i].y / 3;",
    "nested": "const Nested *p = (const Nested *)s; d[i] = p[i].y.a[1] >> 3 ^ p[i].more;",
    "stored": "Plain *p = (Plain *)d; const Plain *q = (const Plain *)s;"
    " p[i].x = q[i].x; p[i].y = q[i].tag - 300; p[i].tag = 7;",
    "packed and stored": "Packed *p = (Packed *)d; p[i].y = s[i] * 257; p[i].x = s[i];",
    "copied": "Nested *p = (Nested *)d; Nested v = ((const Nested *)s)[i]; p[i].more = v.tag;",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_members_lie_where_gcc_has_them(tmp_path: Path, body: str) -> None:
    loop = f"for (int i = 0; i < n; i++) {{ {body} }}"
    text = f"{HEAD}void k(uint8_t *d, const uint8_t *s, int n) {{ {loop} }}\n"
    found = assert_equal_to_original(written(text, tmp_path, "k.c"))
    assert [k.name for k in found.kernels] == ["k"], [str(s.diagnostic) for s in found.failed]
