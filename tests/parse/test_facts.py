"""What is known where a region stands becomes its precondition, and decides what it decides."""

from __future__ import annotations

import pytest

from .parsing import parse

HEAD = """
typedef unsigned char u8;
enum format { F8, F16, F24 };
struct image { u8 *data; long pitch; int width, height; enum format format; u8 gain[4]; };
int report(const struct image *im);
static int bytes(enum format f) { return f == F8 ? 1 : f == F24 ? 3 : 2; }
"""
LOOPS = """
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < n * bytes(im->format); x++)
            im->data[y * im->pitch + x] = k;
"""


def preconditions(before: str, loops: str = LOOPS, after: str = "") -> list[str]:
    text = HEAD + (
        "int f(struct image *im, int n, int k, const int *p) {\n"
        f"{before}\n{loops}\n{after}\nreturn report(im); }}"
    )
    kernels = parse(text, name="a.c").kernels
    assert [k.name for k in kernels] == ["f#1"]
    return sorted(a.text for a in kernels[0].preconditions)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("if (n < 3 || k > 9) return -1;", ["k <= 9", "n >= 3"]),
        ("if (!(n > 3 && k)) return -1;", ["k != 0", "n > 3"]),
        ("do { if (n < 3) return -1; if (!k) return -2; } while (0);", ["k != 0", "n >= 3"]),
        ("if (im->format != F24) { report(im); goto out; }\nout:;", []),
        ("if (im->width < n) return -1;", []),  # nothing that the loops use
        # may be passed without the condition
        ("if (n < 3) report(im);", []),
        ("if (n < 3) return -1; else k++;", []),
        ("if (n < 3 && k) return -1;", ["!(n < 3 && k != 0)"]),
        ("while (k < 3) { if (n < 3) break; k++; }", []),
        # says another thing when it is asked again
        ("if (k < 3) return -1; k = 2;", []),
        ("if (report(im) < n) return -1;", []),
        ("if (p[0] < n) return -1;", []),
        ("if (im->gain[1] < n) return -1;", []),
        ("if (p == 0) return -1;", []),
    ],
)
def test_conditions_that_would_have_led_away(before: str, expected: list[str]) -> None:
    found = preconditions(before)
    assert [t for t in found if "format" not in t] == expected


def test_a_value_that_is_known_decides_what_depends_on_it() -> None:
    text = HEAD + (
        "int f(struct image *im, int n, int k) {\n"
        f"if (im->format != F24) return -1;\n{LOOPS}\nreturn report(im); }}"
    )
    (kernel,) = parse(text, name="a.c").kernels
    assert [a.text for a in kernel.preconditions] == ["im.format == 2"]
    assert not kernel.functions, "the number of bytes is known"
    assert "im.format" in {p.name for p in kernel.params}, "the guard tests it"


def test_branches_that_lead_to_a_region_are_known() -> None:
    other = "for (int x = 0; x < n; x++) im->data[x] = k;"
    assert preconditions("if (n > 5) { report(im);", LOOPS, "}") == ["n > 5"]
    assert preconditions("if (n > 5) report(im); else { report(im);", other, "}") == ["n <= 5"]
    nested = preconditions("if (k == 1) { if (n != 5) report(im); else { report(im);", other, "}}")
    assert nested == ["k == 1", "n == 5"]


def test_what_the_loops_themselves_change_is_not_known() -> None:
    loops = "while (n-- > 0) im->data[n] = k;"
    assert preconditions("if (n < 3) return -1;", loops) == []
