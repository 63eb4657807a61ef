"""Places that depend on what is stated of parameters: a format is known, and so is its step."""

from __future__ import annotations

import pytest

from lifter.dag import build_stage_graph
from tests.verify.differential import difference, lifted, parsed

PARAMETERS = "u8 *d, const u8 *s, int n, unsigned a, unsigned b, int64_t c"
LOOP = "for (int i = 0; i < n; i++) d[i] = s[i * (a == 0 ? 1 : a == 3 ? 3 : 2)];"
KNOWN = {
    "other values": "assert((int)a != 0); assert(a != 3);",
    "of its equal": "assert((int)a == (int)b); assert((int)b != 0 && b != 3);",
}
UNKNOWN = {
    "one of them": "assert(a != 0);",
    "of a wider number": "assert((int)a == (int)c); assert(c != 0); assert(c != 3);",
    "of what only has no more": "assert(a <= b); assert(b != 0); assert(b != 3);",
    "of what it was before": "assert(a != 0); assert(a != 3); a = (unsigned)n;",
}
PIXELS = """
    int first = w * (a == 0 ? 1 : a == 3 ? 3 : 2);
    for (int i = 0; i < n; i++) {
        d[first + 2 * i] = s[2 * i];
        d[first + 2 * i + 1] = 255 - s[2 * i];
    }
"""
"""Two stores, so that each place is one for each side of a choice that nothing decides."""
DECIDED = KNOWN | {"a branch": "if (a != 0 && a != 3)"}
UNDECIDED = UNKNOWN | {"another branch": "if (a != 3)"}


def places(asserted: str) -> str:
    graph = build_stage_graph(parsed(f"void f({PARAMETERS}) {{ {asserted} {LOOP} }}"))
    return repr(graph.order[0].writes[0].value)


@pytest.mark.parametrize("way", KNOWN)
def test_a_place_is_the_one_that_is_stated(way: str) -> None:
    assert places(KNOWN[way]) == "s[i0 * 2]"
    result = lifted(f"void f({PARAMETERS}) {{ {KNOWN[way]} {LOOP} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize("way", UNKNOWN)
def test_what_isnt_stated_is_a_choice(way: str) -> None:
    assert "select" in places(UNKNOWN[way])


def stores(asserted: str) -> list[str]:
    source = f"void f({PARAMETERS}, int w) {{ {asserted} {{ {PIXELS} }} }}"
    return [repr(w.indices[0]) for w in build_stage_graph(parsed(source)).order[0].writes]


@pytest.mark.parametrize("way", DECIDED)
def test_what_is_stated_says_where_stores_go(way: str) -> None:
    assert stores(DECIDED[way]) == ["i0 * 2 + w * 2", "i0 * 2 + w * 2 + 1"]


def test_stores_that_are_known_to_go_to_one_place_each_are_lifted() -> None:
    stated = KNOWN["of its equal"]
    result = lifted(f"void f({PARAMETERS}, int w) {{ {stated} {{ {PIXELS} }} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize("way", UNDECIDED)
def test_stores_go_either_way_where_nothing_is_stated(way: str) -> None:
    assert len(stores(UNDECIDED[way])) > 2
