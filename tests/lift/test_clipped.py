"""Loops that leave out pixels outside of something, as pasting one image into another does."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, int W, int H, int w, int h, int x, int y"
ROW = f"void f({PARAMETERS}) {{ for (int i = 0; i < w; i++) {{"
CLIPPED = {
    "nested": "if (i + x >= 0 && i + x < W) d[i + x] = s[i];",
    "left out": "if (i + x < 0 || i + x >= W) continue; d[i + x] = s[i];",
    "by a name": "int k = i + x; if (k < 0) continue; if (k >= W) continue; d[k] += s[i];",
    "unsigned": "if ((unsigned)(i + x) < (unsigned)W) d[i + x] = 255 - s[i];",
    "mirrored": "int k = x - i; if (k >= 0 && k < W) d[k] = s[i];",
    "one side": "if (i < x) continue; d[i] = s[i - x];",
    "masked": "if (i + x < 0 || i + x >= W) continue; if (s[i]) d[i + x] = s[i];",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", CLIPPED)
def test_a_row_is_clipped(way: str) -> None:
    result = lifted(f"{ROW} {CLIPPED[way]} }} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_an_image_is_pasted_into_another_one() -> None:
    body = (
        "for (int j = 0; j < h; j++) { if (j + y < 0 || j + y >= H) continue;"
        " for (int i = 0; i < w; i++) { if (i + x < 0 || i + x >= W) continue;"
        " d[(j + y) * W + i + x] = (d[(j + y) * W + i + x] + s[j * w + i]) / 2; } }"
    )
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    assert [str(d.lower) for d in summary.roi] == ["max(-x, 0)", "max(-y, 0)"]
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        "if (i + x < 0 || i + x > W) continue; d[i + x] = s[i]; d[W - 1] = 3;",
        "if (i + x >= 0 && i * i < W) d[i + x] = s[i + x] + d[i + x + 1];",
    ],
)
def test_what_else_is_written_or_read_counts(body: str) -> None:
    result = lifted(f"{ROW} {body} }} }}")
    assert result.status != "proved" or difference(result) is None
