"""Which fields of a function's objects may be one number in memory."""

from __future__ import annotations

import pytest

from tests.parse.parsing import kernel

RECORDS = """
#include <stdint.h>
struct Rect { int top, left; };
struct Map { const uint8_t *p; Rect bounds; int n; };
struct Two { Rect a, b; };
struct Wide : Map { int more; };
struct Led { Map *map; };
"""
LOOP = "for (int i = {start}; i < n; i++) if (s[i]) {out} = i;"


def kinds(parameters: str, start: str, out: str) -> dict[str, str]:
    """How the fields reach the kernel, by their names."""
    body = LOOP.format(start=start, out=out)
    found = kernel(f"{RECORDS}void f({parameters}, const uint8_t *s, int n) {{ {body} }}\n")
    return {p.name: p.kind for p in found.params}


@pytest.mark.parametrize(
    ("parameters", "start", "out"),
    [
        ("Two &r, const Map &m", "m.bounds.top", "r.a.top"),
        ("Two &r, const Two &q", "q.b.top", "r.a.top"),
        ("Two *r, const Led *q", "q->map->bounds.top", "r->b.top"),
    ],
    ids=["another class", "another member", "behind a pointer"],
)
def test_parts_of_other_members_are_other_numbers(parameters: str, start: str, out: str) -> None:
    found = kinds(parameters, start, out)
    assert found[out.replace("->", ".")] == "reference"
    assert found[start.replace("->", ".")] == "scalar"


@pytest.mark.parametrize(
    ("parameters", "start", "out"),
    [
        ("Rect &r, const Map &m", "m.bounds.top", "r.top"),
        ("Map &r, const Rect &m", "m.top", "r.bounds.top"),
        ("Two &r, const Two &q", "q.a.top", "r.a.top"),
        ("Wide &r, const Map &m", "m.bounds.top", "r.bounds.top"),
        ("Map &r, const Led *q", "q->map->bounds.top", "r.bounds.top"),
    ],
    ids=["a part", "the whole", "one class", "a derived class", "behind a pointer"],
)
def test_what_may_be_one_number_stays_in_memory(parameters: str, start: str, out: str) -> None:
    found = kinds(parameters, start, out)
    assert found[out.replace("->", ".")] == "reference"
    assert found[start.replace("->", ".")] == "reference"
