"""Short loops whose counters choose the places of stores are taken iteration by iteration."""

from __future__ import annotations

import pytest

from .parsing import body, lines

PIXEL = """\
struct Pixel { unsigned char r, g, b; };
static unsigned char &channel(Pixel &p, int i) { return i == 0 ? p.r : i == 1 ? p.g : p.b; }
void f(Pixel *d, int n, int k) {
"""


def test_members_that_a_counter_chooses_are_stored_in_turn() -> None:
    text = PIXEL + "for (int c = 0; c < 3; c++) channel(*d, c) = c + 1; }"
    stores = [line for line in body(text).splitlines() if line.startswith("d[")]
    assert stores == ["d[0] = 1", "d[1] = 2", "d[2] = 3"]


def test_one_iteration_is_no_loop() -> None:
    assert body("void f(int *d) { for (int i = 3; i < 4; i++) d[i] = i; }") == lines("""
        i = 3
        i = 3
        d[3] = 3
        i = 4
    """)


def test_an_iteration_follows_where_none_before_has_left() -> None:
    text = "{ for (int i = 0; i < n; i++) { int c = 0; while (c < 2 && s[c] > i) c++; d[i] = c; } }"
    assert "c = 0\n" + body("void f(int *d, const int *s, int n) " + text).partition("c = 0\n")[
        2
    ] == lines("""
        c = 0
          c = 0
          if (s[0] > i) {
            c = 1
            if (s[1] > i) {
              c = 2
            }
          }
          d[int64(i)] = c
        step
          i = i + 1
        }
    """)


@pytest.mark.parametrize(
    "loop",
    [
        "for (int c = 0; c < k; c++) channel(*d, c) = 1;",
        "for (int c = 0; c < 17; c++) channel(*d, c) = 1;",
        "for (int c = 0; c < 3; c++) { channel(*d, c) = 1; if (n == c) break; }",
        "for (int c = 0; c < 3; c++) { channel(*d, c) = 1; c += n; }",
        "for (int c = 0; c < 3; c++) if (c == 2) d[c].r = 1; else d[c].r = 2;",
    ],
)
def test_other_loops_stay(loop: str) -> None:
    assert "while (" in body(PIXEL + loop + " }")
