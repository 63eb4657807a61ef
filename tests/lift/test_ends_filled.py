"""Frames: the first and the last row, or column, which one loop fills."""

from __future__ import annotations

import pytest

from tests.lift.test_values_handed_on import lift
from tests.verify.differential import difference, lifted

PARAMETERS = "float *d, const u8 *s, int w, int h, long rs, long cs, float v"
ENDS = {
    "rows": "for (int x = 0; x < w; x++) { d[x] = 0.0f; d[(h - 1) * rs + x] = 0.0f; }",
    "rows of a view": "for (int x = 0; x < w && h > 0; x++)"
    " d[x * cs] = d[(h - 1) * rs + x * cs] = 0.0f;",
    "columns of a view": "for (int y = 0; y < h && w > 0; y++)"
    " d[y * rs] = d[y * rs + (w - 1) * cs] = v;",
}


@pytest.mark.parametrize("way", ENDS)
def test_the_ends_may_be_one(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {ENDS[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    proof = result.proof
    assert proof is not None and "unique" in {o.name for o in proof.obligations}
    assert not any("h - 1" in p.text or "w - 1" in p.text for p in proof.preconditions)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(ENDS["rows"].replace("x] = 0.0f; }", "x] = 1.0f; }"), id="two values"),
        ENDS["rows"].replace("0.0f", "(float)x"),
        ENDS["rows"].replace("0.0f", "(float)s[x]"),
        ENDS["rows"].replace("0.0f", "d[x] + 1"),
        "for (int x = 0; x < w; x++) { d[x] = 0.0f; if (s[x]) d[(h - 1) * rs + x] = 0.0f; }",
    ],
)
def test_of_different_values_the_last_counts(body: str) -> None:
    result = lift(body, PARAMETERS)
    assert result.diagnostic is None or result.diagnostic.code != "internal", result.diagnostic
    assert result.status != "proved"
