"""Addresses as real code computes them, and what a guard has to test of them."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel

HEADER = "#include <cassert>\n#include <cstddef>\n#include <cstdint>\ntypedef uint8_t u8;\n"
PIXELS = "u8 *d, const u8 *s, int stride, int n, int w, int h"


def lift(parameters: str, body: str) -> FunctionResult:
    return lift_kernel(kernel(f"{HEADER}void f({parameters}) {{\n{body}\n}}\n"), LiftOptions())


def texts(result: FunctionResult) -> list[str]:
    """The preconditions of a proved function that are formulas."""
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    return [p.text for p in result.proof.preconditions if p.kind == "formula"]


def each_pixel(body: str) -> str:
    return (
        "for (int y = 0; y < h; y++) { u8 *p = d + (ptrdiff_t)y * stride;"
        f" for (int x = 0; x < w; x++) {{ {body} p += n; }} }}"
    )


@pytest.mark.parametrize(
    ("body", "channels"),
    [
        ("u8 t = p[0]; p[0] = p[2]; p[2] = t;", 3),
        ("p[0] = p[1] = p[2] = s[y * w + x];", 3),
        ("p[1] = s[y * w + x];  p[2] = 255 - s[y * w + x];", 2),
    ],
)
def test_pixels_at_a_distance_that_the_caller_says(body: str, channels: int) -> None:
    assert f"{channels} <= n && n * w <= stride" in texts(lift(PIXELS, each_pixel(body)))


def test_pixels_that_share_elements_are_not_apart() -> None:
    """The channel that the next pixel overwrites must not be taken for this one's."""
    body = f"assert(n == 2);\n{each_pixel('p[0] = p[1] = p[2] = s[y * w + x];')}"
    assert lift(PIXELS, body).status != "proved"


def test_64_bit_values_of_places_are_not_computed_in_32() -> None:
    body = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * w + x] = s[x] + {0};"
    arrays = "int64_t *d, const int *s, int stride, int w, int h"
    result = lift(arrays, body.format("(int64_t)y * stride"))
    assert texts(result) == []
    assert "int64(y) * int64(stride)" in str(result.summaries[0].expression)
    # In 32 bits the product may overflow, which is undefined.
    assert lift(arrays, body.format("y * stride")).status == "proved"


def test_how_far_a_pointer_has_moved_is_a_64_bit_value() -> None:
    body = "const u8 *p = s; while (n--) { *d++ = p[0]; p += 3; } *moved = p - s;"
    result = lift("u8 *d, const u8 *s, unsigned n, int64_t *moved", body)
    assert "int64(n) * 3" in str(result.summaries[-1].expression), result.diagnostic
