"""Addresses as real code computes them, and what a guard has to test of them."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

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


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("body", "channels"),
    [
        pytest.param("u8 t = p[0]; p[0] = p[2]; p[2] = t;", 3, marks=pytest.mark.slow),
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


GATHERS = "int *d, const u8 *s, const int *pos, const short *w, int n, int taps"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "terms",
    [
        "int a = 64; for (int k = 0; k < taps; k++) a += s[pos[i] + k] * w[i * taps + k];",
        "int j = pos[i]; int a = s[j] * w[4 * i] + s[j + 1] * w[4 * i + 1];",
        "int j = pos[i] * 3; int a = s[j] + s[j + 1] + s[j + 2];",
    ],
)
def test_sums_of_positions_that_are_read_do_not_wrap(terms: str) -> None:
    """They would in the DSL; in the original that is undefined."""
    result = lift(GATHERS, f"for (int i = 0; i < n; i++) {{ {terms} d[i] = a >> 7; }}")
    assert result.status == "proved", result.diagnostic


def test_what_wraps_in_the_original_wraps() -> None:
    """Of the same number, the one sum wraps and the other doesn't."""
    result = lift(GATHERS, "for (int i = 0; i < n; i++) d[i] = s[(u8)(pos[i] + 300)] + s[pos[i]];")
    assert result.status == "proved", result.diagnostic
    assert "s((pos(x) + 44) % 256)" in str(result.summaries[0].expression)
    wide = "for (int i = 0; i < n; i++) d[i] = s[(unsigned)pos[i] + 4000000000u];"
    assert lift(GATHERS, wide).status != "proved"


MIRROR = "static int mirror(int i, int n) { if (i < 0) i = -i; return i >= n ? 2 * n - 2 - i : i; }"


@pytest.mark.parametrize("function", [MIRROR, MIRROR.replace("static", "static inline")])
def test_a_side_of_a_choice_has_to_fit_only_where_it_is_taken(function: str) -> None:
    body = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
    body += " d[y * stride + x] = (s[y * stride + mirror(x - 2, w)] + s[y * stride + x]) >> 1;"
    text = f"{HEADER}{function}\nvoid f({PIXELS}) {{\n{body}\n}}\n"
    result = lift_kernel(kernel(text), LiftOptions())
    assert result.status == "proved", result.diagnostic
    assert not any("2147483" in text for text in texts(result)), texts(result)


def test_positions_are_looked_at_only_if_there_are_terms() -> None:
    """Where a sum has none, the original reads no position: neither may the guard."""
    from lifter.emit import scanned_accesses

    body = "for (int i = 0; i < n; i++) { int a = 0;"
    body += " for (int k = 0; k < taps; k++) a += s[pos[i] + k]; d[i] = a; }"
    result = lift(GATHERS, body)
    assert result.kernel is not None
    (scan,) = scanned_accesses(result.kernel, result.summaries).scans
    assert str(scan.region) == str(((0, "n - 1"), (0, "taps - 1"))).replace("'", "")


@pytest.mark.parametrize(
    ("index", "shown"),
    [
        ("p[i] >> 24", "p(x) >> 24"),
        ("p[i] >> 8 & 255", "p(x) >> 8 & 255"),
        ("p[i] * 77u >> 24", "p(x) * 77 >> 24"),
        ("(p[i] + 9u) % 100", "(p(x) + 9) % 100"),
        ("(p[i] - 3u) / 5000000", "(p(x) + 4294967293) / 5000000"),
    ],
)
def test_an_index_of_32_bits_without_a_sign_is_computed_without_one(index: str, shown: str) -> None:
    """An alpha in the upper byte isn't the quotient of a number that may be negative."""
    arrays = "uint32_t *d, const uint32_t *p, const uint32_t *t, int n"
    result = lift(arrays, f"for (int i = 0; i < n; i++) d[i] = t[{index}];")
    assert texts(result) == []
    assert repr(result.summaries[0].expression) == f"t(int32({shown}))"


def test_an_index_with_a_sign_keeps_it() -> None:
    arrays = "uint32_t *d, const int *p, const uint32_t *t, int n"
    result = lift(arrays, "for (int i = 0; i < n; i++) d[i] = t[128 + (p[i] >> 24)];")
    assert texts(result) == []
    assert repr(result.summaries[0].expression) == "t(p(x) / 16777216 + 128)"


FAR = "u8 *d, const u8 *s, int x, int y, int x0, int y0, int pitch, int planes, int n"
TILE = "s + (ptrdiff_t)(y - y0) * pitch + (ptrdiff_t)(x - x0) * planes"


def test_an_image_begins_where_a_tile_of_an_array_does() -> None:
    """How far that is into the array fits 64 bits, not coordinates."""
    body = f"const u8 *p = {TILE}; for (int i = 0; i < n; i++) d[i] = p[i] / 2 + p[i + 1];"
    result = lifted(f"void f({FAR}) {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    assert str(summary.expression) == "uint8(int32(s(x_)) / 2 + int32(s(x_ + 1)))"
    assert str(summary.layouts["s"].offset) != "0"
    assert difference(result) is None


@pytest.mark.parametrize("other", ["s[i]", "s[(ptrdiff_t)y * pitch + i]"])
def test_reads_that_are_not_equally_far_have_no_such_image(other: str) -> None:
    body = f"const u8 *p = {TILE}; for (int i = 0; i < n; i++) d[i] = p[i] / 2 + {other};"
    assert lifted(f"void f({FAR}) {{ {body} }}").status == "unproved"


def test_pixels_of_a_row_far_into_an_array() -> None:
    body = f"const u8 *p = {TILE}; for (int i = 0; i < n; i++) d[i] = p[i * planes];"
    result = lifted(f"void f({FAR}) {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert str(result.summaries[0].layouts["s"].offset) == "pitch * y - pitch * y0"
    assert difference(result) is None
