"""Images at half their size, in place, where a side of one pixel stays as it is."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

SIDES = {
    "longer than one": "int sy = h > 1 ? st : 0;",
    "at least two": "int sy = 0; if (h >= 2) sy = st;",
    "at most one": "int sy = h <= 1 ? 0 : st;",
}
HALVED = (
    "for (int j = 0; j < (h > 1 ? h >> 1 : 1); j++) for (int i = 0; i < w; i++) {{"
    " const u8 *p = d + (long) (2 * j) * sy + i;"
    " d[(long) j * st + i] = (p[0] + p[{below}] + 1) >> 1; }}"
)


def halved(side: str, below: str = "sy") -> str:
    check = "assert(w >= 1 && h >= 1);"
    return f"void f(u8 *d, int w, int h, int st) {{ {side} {check} {HALVED.format(below=below)} }}"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("side", SIDES)
def test_rows_are_halved_in_place(side: str) -> None:
    result = lifted(halved(SIDES[side]))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("side", "below"),
    [
        pytest.param("int sy = h > 2 ? st : 0;", "sy", marks=pytest.mark.slow),
        ("int sy = h == 1 || h < 1 ? 0 : st;", "sy"),
        ("int sy = h > 1 ? st : 0;", "st"),
    ],
)
def test_other_sides_are_not_taken_for_these(side: str, below: str) -> None:
    result = lifted(halved(side, below))
    assert result.status != "proved" or difference(result) is None


@pytest.mark.parametrize(
    "place",
    ["x >= 2 ? x - 2 : 0", "x < 2 ? 0 : x - 2", "x > 1 ? n : 0", "x + (n > 1 ? 2 : 0)"],
)
def test_a_coordinate_is_no_length_of_a_side(place: str) -> None:
    """Two places from the left, clamped by hand."""
    loop = f"for (int x = 0; x < n; x++) d[x] = s[{place}];"
    result = lifted(f"void f(u8 *__restrict d, const u8 *s, int n) {{ {loop} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("width", "proved"),
    [
        ("w > 1 ? w >> 1 : w", True),
        ("w <= 1 ? w : w / 2", True),
        ("w > 2 ? w >> 1 : w", False),
        ("w > 1 ? w >> 1 : w + 1", False),
    ],
)
def test_rows_have_half_the_length_or_one(width: str, proved: bool) -> None:
    result = lifted(
        "void f(u8 *__restrict d, const u8 *s, int w, int h) { assert(w >= 0 && w < 4096);"
        f" const int n = {width};"
        " for (int y = 0; y < h; y++) for (int x = 0; x < n; x++) d[y * n + x] = s[x]; }"
    )
    assert result.status == "proved" or not proved, result.diagnostic
    assert result.status != "proved" or difference(result) is None
