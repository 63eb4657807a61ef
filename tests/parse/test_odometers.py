"""One loop over an image, element by element, that carries to the next row: a loop in a loop."""

from __future__ import annotations

import pytest

from .parsing import body, kernel, lines

HEAD = "void f(unsigned char *d, const unsigned char *s, int w, int h, int v, long p) "
ROWS = (
    "int x = 0, y = 0; while (y < h) { d[y * p + x] = s[y * p + x];"
    " x++; if (x >= w) { x = 0; y++; } }"
)
EITHER = (
    "int x = 0, y = 0; while (x != 0 || y != h) { *d = *s; if (++x < w) { d++; s++; }"
    " else { x = 0; y++; d += p - w; s += p - w; } }"
)
TWO = (
    "int x = 0, y = 0, u = 0; while (y != h) { *d = *s; if (++x < w) s++; else { x = 0; y++;"
    " s += p - w; } if (++u < V) d++; else { u = 0; d += p - w; } }"
)


def test_the_columns_get_a_loop_of_their_own() -> None:
    assert body(HEAD + "{ " + ROWS + " }").endswith(
        lines("""
        while (y < h) {
          do {
            d[int64(y) * p + int64(x)] = s[int64(y) * p + int64(x)]
            x = x + 1
          } while (x < w)
          x = 0
          y = y + 1
        }
        """)
    )


@pytest.mark.parametrize("loop", [EITHER, TWO.replace("V", "w")])
def test_conditions_that_no_step_within_a_row_can_end_are_asked_once_a_row(loop: str) -> None:
    assert body(HEAD + "{ " + loop + " }").count("do {") == 1


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("int x = 0, y", "int x = -1, y"),  # the condition may fail at x == 0, within a row
        ("int x = 0, y", "unsigned x = 0; int y"),  # which may wrap to 0
        ("int x = 0, y", "int x = v, y"),
        ("x != 0 ||", "x != 1 ||"),
        ("x = 0; y++", "x = v; y++"),
        ("x = 0; y++", "x = -2; y++"),
        ("*d = *s;", "*d = *s; if (*s == 9) x = v;"),
        ("*d = *s;", "*d = *s; if (*s == 9) break;"),
        ("++x < w", "(x += 2) < w"),
    ],
)
def test_where_the_condition_may_end_the_loop_within_a_row_it_stays(right: str, wrong: str) -> None:
    assert right in EITHER
    assert "do {" not in body(HEAD + "{ " + EITHER.replace(right, wrong) + " }")


@pytest.mark.parametrize("more", ["h--;", "if (x == v) y++;"])
def test_a_condition_that_an_element_may_change_is_asked_at_each(more: str) -> None:
    assert "do {" not in body(HEAD + "{ " + ROWS.replace("x++;", f"{more} x++;") + " }")


def test_odometers_with_rows_of_two_lengths_carry_together_where_these_are_equal() -> None:
    found = kernel(HEAD + "{ " + TWO.replace("V", "v") + " }")
    assert [a.text for a in found.preconditions] == ["w == v"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("u = 0; while", "u = 1; while"),  # one is a column ahead
        ("u = 0; d", "u = 1; d"),
        ("< V", "<= w"),
        ("< V", "< *s"),
        ("< V) d++", "< w) d++, w--"),
        ("u = 0; d", "u = x; d"),
        ("*d = *s;", "*d = *s; u += x == 7;"),
    ],
)
def test_odometers_that_may_carry_apart_stay_in_one_loop(right: str, wrong: str) -> None:
    assert right in TWO
    text = TWO.replace(right, wrong).replace("V", "w")
    found = kernel(HEAD + "{ " + text + " }")
    assert "do {" not in body(HEAD + "{ " + text + " }") and not found.preconditions


@pytest.mark.parametrize("end", ["int e = h + v;", "int e = h; if (v > 0) e += v;"])
def test_what_a_test_computes_anew_is_computed_once_where_nothing_changes_it(end: str) -> None:
    loop = "int y = 0; while (true) { END if (y >= e) break; d[y++] = 1; }".replace("END", end)
    plain = "while (y < e) {\n  d[int64(y)] = 1\n  y = y + 1\n}\n"
    assert body(HEAD + "{ " + loop + " }").endswith(plain)
    for changed in ("y < 5 ? h : h + v", "d[0]"):
        assert not body(HEAD + "{ " + loop.replace("= h", f"= {changed}") + " }").endswith(plain)
