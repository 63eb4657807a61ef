"""Columns that are changed in place, made of neighbours in their rows: edges in codecs."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

EDGES = {
    "one column": "d[y * st] = (d[y * st] + d[y * st + 1]) >> 1;",
    "from the left": "d[y * st] = d[y * st - 1] + 1;",
    "walked": "d[0] = (d[0] + d[2]) >> 1; d += st;",
    "an edge": "int p1 = d[-2], p0 = d[-1], q0 = d[0], q1 = d[1]; if (p0 - q0 < a && p1 < a)"
    " { d[-1] = (2 * p1 + p0 + q1 + 2) >> 2; d[0] = (2 * q1 + q0 + p1 + 2) >> 2; } d += st;",
    "far on both sides": "int l = d[-4], r = d[5]; d[0] = l; d[1] = r; d += st;",
}
NEEDED = {"one column": 1, "from the left": 2, "walked": 1, "an edge": 3, "far on both sides": 6}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", EDGES)
def test_an_edge_is_filtered_where_rows_are_long_enough(way: str) -> None:
    result = lifted(
        f"void f(u8 *d, int st, int n, int a) {{ for (int y = 0; y < n; y++) {{ {EDGES[way]} }} }}"
    )
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    assert result.proof is not None
    texts = [p.text for p in result.proof.preconditions]
    least = NEEDED[way]
    assert any(t in (f"{least} <= st", f"st >= {least}") for t in texts), texts


@pytest.mark.parametrize(
    "body",
    [
        "d[y * st] = d[y * st + st] + d[y * st - st];",  # what the row above left
        "d[y * st] = d[y * st - 1] + d[(y - 1) * st];",
        "d[y * st] += d[y * st + a];",
    ],
)
def test_what_other_rows_leave_is_another_matter(body: str) -> None:
    text = f"void f(u8 *d, int st, int n, int a) {{ for (int y = 0; y < n; y++) {{ {body} }} }}"
    result = lifted(text)
    assert result.status != "proved" or difference(result) is None
