"""Loops whose iterations go there and back are loops one after the other, where that is so."""

from __future__ import annotations

from itertools import product

import pytest

from compiler.ir import FALSE, I64, TRUE, Variable, const, postorder, substitute
from lifter.dag import Reading, build_stage_graph, can_be_distributed, conjunction, normal
from lifter.model.lifted import FunctionResult
from lifter.model.stage import Claim
from tests.fuzz.parts import program
from tests.verify.differential import difference, lifted, parsed

HEAD = "void f(float *d, const float *s, int *n, int w, int h, int pitch, float a)"
ROW = "for (int y = 0; y < h; y++)"

THERE_AND_BACK = {
    "rows": ROW + "{ float *p = d + y * w; for (int x = 1; x < w; x++) p[x] += a * (p[x-1] - p[x]);"
    " for (int x = w - 2; x >= 0; x--) p[x] += a * (p[x+1] - p[x]); }",
    "columns": "for (int x = 0; x < w; x++) { float *p = d + x;"
    " for (int y = 1; y < h; y++) p[y * w] += a * (p[(y - 1) * w] - p[y * w]);"
    " for (int y = h - 2; y >= 0; y--) p[y * w] += a * (p[(y + 1) * w] - p[y * w]); }",
    "a pitch, and a pointer that goes on": ROW + "{ for (int x = 1; x < w; x++) d[x] += d[x - 1];"
    " for (int x = w - 2; x >= 0; x--) d[x] += d[x + 1]; d += pitch; }",
    "a state in a variable": ROW + "{ float t = s[y * w]; for (int x = 0; x < w; x++)"
    " { t += a * (s[y * w + x] - t); d[y * w + x] = t; } t = d[y * w + w - 1];"
    " for (int x = w - 1; x >= 0; x--) { t += a * (d[y * w + x] - t); d[y * w + x] = t; } }",
    "counters that stand before the loops": "int x, y; for (y = 0; y < h; y++) {"
    " for (x = 1; x < w; x++) d[y * w + x] += d[y * w + x - 1];"
    " for (x = w - 2; x >= 0; x--) d[y * w + x] += d[y * w + x + 1]; } n[0] = y;",
    "three parts": ROW + "{ for (int x = 1; x < w; x++) d[y * w + x] += d[y * w + x - 1];"
    " for (int x = w - 2; x >= 0; x--) d[y * w + x] += d[y * w + x + 1];"
    " for (int x = 1; x < w; x++) d[y * w + x] *= d[y * w + x - 1]; }",
    "a row above that is finished": "for (int y = 1; y < h; y++) {"
    " for (int x = 1; x < w; x++) d[y * w + x] += d[y * w + x - 1];"
    " for (int x = w - 2; x >= 0; x--) d[y * w + x] += d[y * w + x + 1] + s[(y - 1) * w + x]; }",
    "channels": "for (int c = 0; c < 3; c++) for (int y = 0; y < h; y++) {"
    " for (int x = 1; x < w; x++) d[(y * w + x) * 3 + c] += d[(y * w + x - 1) * 3 + c];"
    " for (int x = w - 2; x >= 0; x--) d[(y * w + x) * 3 + c] += d[(y * w + x + 1) * 3 + c]; }",
}


def proved(body: str) -> FunctionResult:
    result = lifted(f"{HEAD} {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    return result


@pytest.mark.parametrize("name", [
    *(n for n in THERE_AND_BACK if n in ("rows", "columns", "a state in a variable")),
    *(pytest.param(n, marks=pytest.mark.slow) for n in THERE_AND_BACK
      if n not in ("rows", "columns", "a state in a variable")),
])  # fmt: skip
def test_several_scans_of_each_row_are_scans_of_all_rows(name: str) -> None:
    result = proved(THERE_AND_BACK[name])
    assert sum(s.kind == "scan" for s in result.summaries) >= 2


def test_states_down_columns_lie_as_the_image_does() -> None:
    """The first values stand in a row, of which the other stages see a whole image."""
    result = proved(
        "for (int x = 0; x < w; x++) { float t = s[x]; for (int y = 0; y < h; y++)"
        " { t += a * (s[y * w + x] - t); d[y * w + x] = t; } }"
    )
    begun, _, stored = result.summaries
    assert [repr(d.upper) for d in begun.roi] == ["w", "h + 1"]
    assert repr(begun.expression) == "s(x, 0)"
    assert repr(stored.expression) == "t(x, y + 1)"


IN_TURN = {
    "the next row is read after it was stored": "for (int y = 0; y < h - 1; y++) {"
    " for (int x = 1; x < w; x++) d[y * w + x] += d[y * w + x - 1];"
    " for (int x = 0; x < w; x++) d[(y + 1) * w + x] += d[y * w + x]; }",
    "the row above, after it was changed": "for (int y = 1; y < h; y++) {"
    " for (int x = 1; x < w; x++) d[y * w + x] += d[(y - 1) * w + x];"
    " for (int x = w - 2; x >= 0; x--) d[y * w + x] += d[y * w + x + 1]; }",
    "rows that overlap": ROW + "{ for (int x = 1; x < w; x++) d[y + x] += d[y + x - 1];"
    " for (int x = w - 2; x >= 0; x--) d[y + x] += d[y + x + 1]; }",
    "one row for all": ROW + "{ for (int x = 1; x < w; x++) d[x] += d[x - 1];"
    " for (int x = w - 2; x >= 0; x--) d[x] += d[x + 1]; }",
}


def holds(claim: Claim, sizes: dict[str, int]) -> bool:
    """Whether a claim is so in all iterations, for images of that size."""
    nodes = postorder(claim.formula, *claim.given)
    names = dict.fromkeys(n for n in nodes if isinstance(n, Variable) and n.name not in sizes)
    for values in product(range(3), repeat=len(names)):
        known = {**dict(zip(names, values, strict=True))}
        known |= {Variable(n, I64): value for n, value in sizes.items()}
        at = {variable: const(value, I64) for variable, value in known.items()}
        given, formula = (
            normal(substitute(e, at)) for e in (conjunction(claim.given), claim.formula)
        )
        if given is TRUE and formula is FALSE:
            return False
    return True


@pytest.mark.parametrize("name", IN_TURN)
def test_parts_that_meet_stay_together(name: str) -> None:
    """What the second loop stores in one iteration, the first one reads or stores in a later."""
    source = f"{HEAD} {{ {IN_TURN[name]} }}"
    assert can_be_distributed(parsed(source))
    graph = build_stage_graph(parsed(source), reading=Reading(in_parts=True))
    claims = [c for stage in graph.order for c in stage.claims if c.name == "order"]
    assert any(not holds(c, {"w": 3, "h": 3}) for c in claims)
    result = lifted(source, 20.0)
    assert result.status != "proved" or difference(result) is None


WITHOUT_PARTS = {
    "a scalar of what was read": ROW + "{ float t = 0; for (int x = 0; x < w; x++)"
    " { t += d[y * w + x]; d[y * w + x] = 0; } for (int x = 0; x < w; x++) d[y * w + x] = t; }",
    "a small array of both": ROW + "{ float t[2]; for (int x = 0; x < w; x++)"
    " { t[0] = d[y * w + x]; d[y * w + x] = 1; }"
    " for (int x = 0; x < w; x++) d[y * w + x] = t[0]; }",
    "one loop alone": ROW + "for (int x = 1; x < w; x++) d[y * w + x] += d[y * w + x - 1];",
}


@pytest.mark.parametrize("name", WITHOUT_PARTS)
def test_what_hands_on_within_has_no_parts(name: str) -> None:
    assert not can_be_distributed(parsed(f"{HEAD} {{ {WITHOUT_PARTS[name]} }}"))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_random_functions(first: int) -> None:
    for seed in range(first, first + 50):
        result = lifted(program(seed), 15.0)
        if result.status == "proved":
            assert difference(result, 60) is None, program(seed)
