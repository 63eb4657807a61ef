"""Pointers into one of two arrays, and references to one of two pointers, each of which moves."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

ROWS = (
    "assert(w <= 64 && p >= w && q >= w);"
    "for (int y = 0; y < h; y++) { %s for (int x = 0; x < w; x++) d[y * p + x] = r[x]; %s }"
)
ARGUMENTS = "u8 *__restrict d, const u8 *a, const u8 *b, int w, int h, int p, int q"


@pytest.mark.parametrize(
    ("chosen", "moved"),
    [
        pytest.param("const u8 *&r = y & 1 ? b : a;", "r += q;", marks=pytest.mark.slow),
        ("const u8 *r = (y & 1 ? b : a) + y / 2 * q;", ""),
        ("const u8 *r = q > p ? b : a;", ""),
    ],
)
def test_rows_of_two_images_lift(chosen: str, moved: str) -> None:
    rows = ROWS.replace("%s", chosen, 1).replace("%s", moved, 1)
    result = lifted(f"void f({ARGUMENTS}) {{ {rows} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    ("chosen", "moved"),
    [
        ("const u8 *&r = d[y * p] & 1 ? b : a;", "r += q;"),
        ("const u8 *&r = y & 1 ? b : a;", "r += *r;"),
    ],
)
def test_what_the_pixels_move_does_not(chosen: str, moved: str) -> None:
    rows = ROWS.replace("%s", chosen, 1).replace("%s", moved, 1)
    result = lifted(f"void f({ARGUMENTS}) {{ {rows} }}")
    assert result.status != "proved" or difference(result) is None
