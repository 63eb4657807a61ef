"""What is proved is proved of ordinary calls, but for those that the source itself excludes."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel, parse

HEADER = "#include <cassert>\n#include <cstddef>\n#include <cstdint>\ntypedef uint8_t u8;\n"
PAIRS = (
    "for (int y = 0; y < h; y++) for (int x = 0; x < w; x += 2)"
    " { d[y * w + x] = s[y * w + x + 1]; d[y * w + x + 1] = s[y * w + x]; }"
)
TABLE = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y][x] = 255 - d[y][x];"
MODES = (
    "for (int i = 0; i < n; i++) {{ int v = 0; switch (mode) {{ case 0: v = s[i]; break;"
    " case 1: v = 255 - s[i]; break; case 2: v = s[i] / 2; break; default: {0} }} d[i] = v; }}"
)


def lift(parameters: str, body: str, **options: object) -> FunctionResult:
    text = f"{HEADER}void f({parameters}) {{\n{body}\n}}\n"
    return lift_kernel(kernel(text, **options), LiftOptions())


def texts(result: FunctionResult) -> list[str]:
    """The preconditions that are formulas."""
    assert result.proof is not None
    return [p.text for p in result.proof.preconditions if p.kind == "formula"]


def missing(result: FunctionResult) -> str:
    """What an unproved function leaves out."""
    assert result.status == "unproved" and result.diagnostic is not None, result.diagnostic
    assert result.diagnostic.code == "few-calls"
    return result.diagnostic.message


def test_widths_that_two_divides_are_not_all_widths() -> None:
    result = lift("u8 *d, const u8 *s, int w, int h", PAIRS)
    assert "w = 1, h = 1" in missing(result)
    assert texts(result) == ["w % 2 == 0"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "stated", ["assert(w % 2 == 0);\n", "// lift: assume(w % 2 == 0)\n", "assert((w & 1) == 0);\n"]
)
def test_what_the_source_excludes_is_not_asked_for(stated: str) -> None:
    assert lift("u8 *d, const u8 *s, int w, int h", stated + PAIRS).status == "proved"


@pytest.mark.slow
def test_nor_is_what_an_option_excludes() -> None:
    result = lift("u8 *d, const u8 *s, int w, int h", PAIRS, assumptions=["w % 2 == 0"])
    assert result.status == "proved"


def test_a_size_within_a_byte_is_no_ordinary_size() -> None:
    body = "for (int i = 0; i < n; i++) { u8 k = (u8)(i * 3); d[k] = s[k]; }"
    result = lift("u8 *d, const u8 *s, int n", body)
    assert "n = 1919" in missing(result)
    assert texts(result) == ["n <= 86"]
    byte = "for (u8 i = 0; i < n; i++) { u8 k = i * 3; d[k] = s[k]; }"
    assert lift("u8 *d, const u8 *s, u8 n", byte).status == "proved"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        ("u8 *d, const u8 *s, int n, size_t stride",
         "for (int c = 0; c < n; c++) d[c] = s[c - stride];"),
        ("u8 *d, const u8 *s, int n, size_t stride",
         "for (size_t c = 1; c < (size_t)n; c++) d[c] = s[c - stride] / 2 + s[c + stride] / 2;"),
        ("u8 *d, const u8 *s, int w, int h, size_t stride",
         "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
         " { size_t p = y * stride + x; d[p] = s[p - stride]; }"),
        ("u8 *d, const u8 *s, size_t n",
         "for (size_t i = 0; i < n; i++) { size_t p = i - 3; d[i] = s[p + 3]; }"),
        ("u8 *d, const u8 *s, size_t w, size_t h, size_t stride",
         "for (size_t y = 0; y < h; y++) for (size_t x = 0; x < w; x++)"
         " d[y * w + x] = s[(y - 1) * stride + x];"),
    ],
)  # fmt: skip
def test_wrapping_that_the_address_takes_back_needs_no_precondition(
    parameters: str, body: str
) -> None:
    result = lift(parameters, body)
    assert result.status == "proved", result.diagnostic
    assert not any("-stride" in t or "1 - stride" in t for t in texts(result))


def test_wrapping_of_32_bits_is_not_taken_back() -> None:
    body = "for (unsigned c = 0; c < n; c++) d[c] = s[c - stride];"
    assert "stride = 1" in missing(lift("u8 *d, const u8 *s, unsigned n, unsigned stride", body))


@pytest.mark.slow
def test_the_modes_that_an_assert_in_a_switch_leaves_are_a_precondition() -> None:
    parameters = "u8 *d, const u8 *s, int n, int mode"
    result = lift(parameters, MODES.format("assert(0);"))
    assert result.status == "proved" and "mode == 0 || mode == 1 || mode == 2" in texts(result)
    assert result.proof is not None
    assert {p.origin for p in result.proof.preconditions if "mode" in p.text} == {"assert"}
    assert not any("mode" in t for t in texts(lift(parameters, MODES.format("v = 7;"))))


def test_asserts_about_pixels_or_counters_in_branches_are_none() -> None:
    asserts = "if (s[i] > 3) assert(mode > 0); assert(i < n);"
    body = f"for (int i = 0; i < n; i++) {{ {asserts} d[i] = mode; }}"
    assert not any("mode" in t for t in texts(lift("u8 *d, const u8 *s, int n, int mode", body)))


def test_tables_must_lead_anywhere_unless_the_source_says_so() -> None:
    parameters = "u8 **d, int w, int h"
    assert "the rows of d apart" in missing(lift(parameters, TABLE))
    stated = "the rows of d are evenly spaced"
    assert lift(parameters, f"// lift: assume({stated})\n{TABLE}").status == "proved"
    assert lift(parameters, TABLE, assumptions=[stated]).status == "proved"


def test_a_statement_about_another_array_is_told() -> None:
    stated = "// lift: assume(the rows of e are evenly spaced)"
    text = f"{HEADER}{stated}\nvoid f(u8 **d) {{ d[0][0] = 1; }}"
    (failed,) = parse(text).failed
    assert failed.diagnostic.code == "bad-assumption"
    assert failed.diagnostic.span is not None and failed.diagnostic.span.line == 5


def test_planes_apart_are_an_ordinary_call() -> None:
    body = "for (int c = 0; c < 3; c++) for (int i = 0; i < n; i++) p[c][i] = 255 - p[c][i];"
    assert "the rows of p apart" in missing(lift("u8 **p, int n", body))


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "body",
    [
        "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * stride + x] = 1;",
        "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * stride + 4 * x + 3] = 1;",
        "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) for (int c = 0; c < 3; c++)"
        " d[y * stride + 3 * x + c] = 1;",
        "for (int y = 0; y < h; y++, d += stride) for (int x = 0; x < w; x++) d[x] = d[x] / 2;",
        "for (int y = h - 1; y >= 0; y--) for (int x = 0; x < w; x++) d[y * w + x] = 1;",
    ],
)
def test_strides_of_a_row_and_more_are_admitted(body: str) -> None:
    result = lift("u8 *d, int w, int h, int stride", body)
    assert result.status == "proved", result.diagnostic


def test_what_an_assert_excludes_of_a_size_is_not_asked_for() -> None:
    body = "for (int i = 0; i < n; i++) { u8 k = (u8)(i * 3); d[k] = s[k]; }"
    assert lift("u8 *d, const u8 *s, int n", f"assert(n < 80); {body}").status == "proved"


CHANNELS = (
    "{0}for (int i = 0; i < n; i++) {{ for (int k = 0; k < 3; k++) d[i * c + k] = s[i * c + 2 - k];"
    " if (c == 4) d[i * c + 3] = s[i * c + 3]; }}"
)


@pytest.mark.slow
def test_a_number_of_channels_is_a_mode_although_it_is_a_stride() -> None:
    result = lift(
        "u8 *d, const u8 *s, int n, int c", CHANNELS.format("if (c != 3 && c != 4) return; ")
    )
    assert "c = 3" in missing(result)
    stated = CHANNELS.format("assert(c == 4); ")
    assert lift("u8 *d, const u8 *s, int n, int c", stated).status == "proved"


def test_a_stride_that_stands_for_another_is_admitted() -> None:
    body = (
        "if (stride == 0) stride = w;\nfor (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
        " d[y * stride + x] = s[y * stride + x];"
    )
    assert lift("u8 *d, const u8 *s, int w, int h, int stride", body).status == "proved"


ONE_BY_ONE = "for (int i = 0; i < n; i++) "
INDEXED = "u8 *o, const u8 *t, const {0} *j, int n, {1} k"
ANYWHERE = "any call: t is taken to be touched anywhere in memory"


@pytest.mark.parametrize(
    "body",
    [
        "o[i] = i != k ? t[j[i]] : 7;",  # not all of j is read
        "o[i] = j[k] != 3 && j[i] != 3 ? t[j[i]] : 7;",
        "o[i] = i > k && (long)j[i] <= 0x7fffffffffffffff ? t[j[i]] : 7;",
    ],
)
def test_a_table_that_may_reach_anywhere_is_never_apart(body: str) -> None:
    assert ANYWHERE in missing(lift(INDEXED.format("int", "int"), ONE_BY_ONE + "{ " + body + " }"))


def test_numbers_that_the_call_itself_writes_bound_nothing() -> None:
    first = ONE_BY_ONE + "j[i] = j[i] + 1;\n" + ONE_BY_ONE + "o[i] = t[j[i]];"
    assert ANYWHERE in missing(lift("u8 *o, const u8 *t, int *j, int n", first))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "body",
    [
        "o[i] = t[j[i]];",
        "o[i] = j[i] >= 0 ? t[j[i]] : 7;",
        "o[i] = t[j[n - 1 - i]];",
        "o[i] = t[j[2 * i]];",
        "o[i] = t[j[t[i]]];",
        "if (j[i] != 3) o[i] = t[j[i]];",
        "if (i < k) o[i] = t[j[i]] + 1;",
    ],
)
def test_numbers_that_are_all_read_are_looked_at_before_the_call(body: str) -> None:
    result = lift(INDEXED.format("int", "int"), ONE_BY_ONE + "{ " + body + " }")
    assert result.status == "proved", result.diagnostic


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("type", "size", "body"),
    [
        ("int", "int", "o[i] = j[i] >= 0 && j[i] < k ? t[j[i]] : 0;"),
        ("int", "int", "o[i] = j[i] < 0 || k <= j[i] ? 0 : t[j[i]];"),
        ("int", "int", "if (j[i] >= 0 && j[i] < k) o[i] = t[j[i]];"),
        ("int", "int", "int p = j[i]; if (p < 0) p = 0; if (p >= k) p = k - 1; o[i] = t[p];"),
        ("int", "int", "o[i] = (unsigned)j[i] < 256u ? t[j[i]] : 0;"),
        ("int", "int", "o[i] = (unsigned)j[i] < (unsigned)k ? t[j[i]] : 0;"),
        ("int", "unsigned", "o[i] = (unsigned)j[i] < k ? t[j[i]] : 0;"),
        ("int", "size_t", "o[i] = (size_t)j[i] < k ? t[j[i]] : 0;"),
        ("int", "int", "o[i] = t[j[i] & 255];"),
        ("uint16_t", "int", "o[i] = t[j[i]];"),
        ("int8_t", "int", "o[i] = t[j[i]];"),
    ],
)
def test_a_table_whose_index_is_bounded_is_apart(type: str, size: str, body: str) -> None:
    result = lift(INDEXED.format(type, size), ONE_BY_ONE + "{ " + body + " }")
    assert result.status == "proved", result.diagnostic


def test_where_nothing_is_written_nothing_need_be_apart() -> None:
    body = "o[i] = j[i] >= 1 && j[i] < k ? o[i] : 9;"
    assert lift("u8 *o, const int *j, int n, int k", ONE_BY_ONE + body).status == "proved"


def test_rows_that_pixels_choose_are_not_looked_at_before_the_call() -> None:
    stated = "// lift: assume(the rows of t are evenly spaced)\n"
    parameters = "u8 *o, u8 **t, const u8 *j, int n"
    body = stated + ONE_BY_ONE + "o[i] = t[j[i]][0];"
    assert "pixels say which rows of t are read" in missing(lift(parameters, body))
    assert lift(parameters, stated + ONE_BY_ONE + "o[i] = t[i][j[i]];").status == "proved"


def test_an_array_seen_as_a_line_and_as_an_image_is_no_internal_error() -> None:
    body = """
    for (int i = 0; i < w * h; i++) o[i] = 0;
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) o[y * w + x] = s[y * w + x];"""
    result = lift("u8 *o, const u8 *s, int w, int h", body)
    assert result.diagnostic is None or result.diagnostic.family != "internal"


PITCH = "u8 *bits, ptrdiff_t pitch, int x, int y, int n"


def test_a_pitch_in_bytes_of_wider_elements_is_a_multiple_of_them() -> None:
    body = (
        "uint32_t *p = (uint32_t *)(bits + y * pitch) + x;"
        " for (int i = 0; i < n; i++) p[i] ^= 0xffffffu;"
    )
    result = lift(PITCH, body)
    assert result.status == "proved", result.diagnostic
    assert "pitch % 4 == 0" in texts(result)


def test_that_coordinates_fit_is_tested_where_64_bits_hold_it() -> None:
    body = "const u8 *p = s + y * pitch + x; for (int i = 0; i < n; i++) d[i] = p[i];"
    result = lift(f"u8 *d, const u8 *s, {PITCH.partition(', ')[2]}", body)
    assert result.status == "proved", result.diagnostic
    assert any("pitch * y" in text and "2147483647" in text for text in texts(result))
    body = body.replace("y * pitch", "y * pitch * x").replace("= p[i]", "= p[i] + s[i]")
    result = lift(f"u8 *d, const u8 *s, {PITCH.partition(', ')[2]}", body)
    assert result.status != "proved"


@pytest.mark.slow
def test_updates_of_a_column_have_no_channels() -> None:
    """Their points are those of a domain, which has fewer dimensions than what they store to."""
    above = "d[y * w + {0}] += d[(y - 1) * w + {0}];"
    result = lift(
        "int *d, int w, int h",
        "for (int x = w - 1; x >= 0; x--) d[x] = d[x] + d[x + 1];"
        f" for (int y = 1; y < h; y++) {{ {above.format('w - 1')}"
        f" for (int x = w - 2; x >= 1; x--) {above.format('x')} }}",
    )
    assert result.status == "proved"
