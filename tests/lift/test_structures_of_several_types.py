"""Arrays of structures whose members have several types, lifted end to end."""

from __future__ import annotations

import pytest

from tests.parse.parsing import failure
from tests.verify.differential import difference, lifted

TYPES = """
struct Vertex { float x, y; u8 alpha; };
struct Node { Vertex at; int16_t id; u8 rgb[3]; double w; void *next; };
#pragma pack(push, 1)
struct Packed { u8 tag; float x; uint16_t y; };
#pragma pack(pop)
struct Named { long id; char name[8]; bool on; float g; };
struct Mesh { int n; Vertex *v; };
"""
LIFTED = {
    "one member read": "const Vertex *v, float *d, int n|d[i] = v[i].x + 1;",
    "two members stored": "Vertex *v, int n|v[i].x *= 2; v[i].alpha = 0;",
    "members of members": "Node *p, int n|p[i].at.y = p[i].at.x; p[i].at.x = p[i].rgb[0];",
    "a number of two words": "Node *p, int n|p[i].id = p[i].id + 1; p[i].w = p[i].w / 2;",
    "whole ones": "Vertex *d, const Vertex *s, int n|d[i] = s[n - 1 - i];",
    "a copy that is changed": "Vertex *d, const Vertex *s, int n|Vertex v = s[i]; v.alpha = 255;"
    " d[i] = v;",
    "across words": "const Packed *p, float *d, int n|d[i] = p[i].x;",
    "packed ones stored": "Packed *p, int n|p[i].y = p[i].y * 3 + p[i].tag;",
    "flags": "Named *p, int n|p[i].on = p[i].g > 0.5f;",
    "behind a member": "Mesh *m, int n|if (i < m->n) m->v[i].y = m->v[i].x * 3;",
    "a pointer that moves": "const Node *p, double *d, int n|d[i] = p->w * 2; p++;",
}


def function(text: str) -> str:
    parameters, body = text.split("|")
    return f"{TYPES}\nvoid f({parameters}) {{ for (int i = 0; i < n; i++) {{ {body} }} }}"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", LIFTED)
def test_members_are_numbers_among_words(way: str) -> None:
    result = lifted(function(LIFTED[way]))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "text",
    [
        # What the element before has got, by way of a number or of the bytes that it is made of.
        "Vertex *v, int n|if (i) v[i].x = v[i - 1].y * 2; v[i].y = v[i].x + 1;",
        "Packed *p, int n|if (i) p[i].y = p[i - 1].y * 3 + p[i].tag;",
    ],
)
def test_members_of_the_element_before_are_not_what_they_were(text: str) -> None:
    assert lifted(function(text)).status != "proved"


@pytest.mark.parametrize(
    "types",
    [
        "struct S { float x; volatile int y; };",
        "struct S { float x; unsigned a : 3; double y; };",
        "struct S { float x; union { int i; float f; } u; double y; };",
        "#include <vector>\nstruct S { float x; std::vector<int> v; };",
    ],
)
def test_what_lies_otherwise_is_refused(types: str) -> None:
    text = f"{types}\nvoid f(S *s, int n) {{ for (int i = 0; i < n; i++) s[i].x = 1; }}"
    assert failure(text).code == "unsupported-type"
