"""Stages that fill regions of their own of one array are one function, which all of them update."""

from __future__ import annotations

import re

import pytest

from compiler.ir import Add, Max, Sub
from lifter.emit import hulls
from lifter.emit.emit import emitted_texts
from lifter.model.diagnostic import LiftError
from tests.verify.differential import difference, lifted

HEAD = "void f(float *d, const float *s, int *n, int w, int h, int pitch, float a)"


def definitions_of(body: str) -> list[str]:
    """The lines that define functions in the program for some statements."""
    result = lifted(f"{HEAD} {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    text = emitted_texts(result)["pipeline.py"]
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if "] = " in line]


def test_a_recursion_begins_with_what_was_stored_before_it() -> None:
    """Of pixels that it stores before it reads them nothing has to be there."""
    assert definitions_of(
        "for (int y = 0; y < h; y++) { d[y * pitch] = s[y * w];"
        " for (int x = 1; x < w; x++) d[y * pitch + x] = d[y * pitch + x - 1] * a + s[y * w + x]; }"
    ) == [
        "d[x, y] = hl.undef(hl.Float(32))",
        "d[0, y] = s[0, y]",
        "d[r_1.x, y] = d[r_1.x - 1, y] * a + s[r_1.x, y]",
    ]


@pytest.mark.slow
def test_a_recursion_backwards_begins_with_the_last_pixel() -> None:
    assert definitions_of(
        "for (int y = 0; y < h; y++) { float *r = d + y * pitch; r[w - 1] = s[y * w + w - 1];"
        " for (int x = w - 2; x >= 0; x--) r[x] = a * r[x + 1] + s[y * w + x]; }"
    ) == [
        "d[x, y] = hl.undef(hl.Float(32))",
        "d[r.x, y] = s[w - 1, y]",
        "d[t, y] = a * d[w - 1 - r_1.x, y] + s[t, y]",
    ]


def test_what_is_read_before_it_is_stored_is_there() -> None:
    assert definitions_of(
        "for (int y = 0; y < h; y++) { d[y * w] = s[y * w];"
        " for (int x = 1; x < w; x++) d[y * w + x] = d[y * w + x] * a + d[y * w + x - 1]; }"
    ) == [
        "d_out[x, y] = d[x, y]",
        "d_out[0, y] = s[0, y]",
        "d_out[r_1.x, y] = d_out[r_1.x, y] * a + d_out[r_1.x - 1, y]",
    ]


def test_an_element_that_is_stored_by_itself_is_the_only_one() -> None:
    """An update of one point is one, though it has no loop."""
    assert definitions_of(
        "assert(w > 1); d[0] = s[0];"
        " for (int x = 1; x < w; x++) d[x] = d[x - 1] * a + s[x]; d[1] = a;"
    ) == [
        "d[x] = hl.undef(hl.Float(32))",
        "d[0] = s[0]",
        "d[r_1.x] = d[r_1.x - 1] * a + s[r_1.x]",
        "d[1] = a",
    ]


def test_what_is_read_for_another_array_before_it_is_stored_is_there() -> None:
    """The pixels as they were have a name of their own beside those that are stored."""
    assert definitions_of(
        "for (int x = 0; x < w; x++) n[x] = d[x] > a;"
        " d[0] = s[0]; for (int x = 1; x < w; x++) d[x] = d[x - 1] * a + s[x];"
    ) == [
        "n[x] = hl.i32(d[x] > a)",
        "d_out[x] = hl.undef(hl.Float(32))",
        "d_out[0] = s[0]",
        "d_out[r_1.x] = d_out[r_1.x - 1] * a + s[r_1.x]",
    ]


def test_what_lies_behind_what_was_stored_before_is_there() -> None:
    """The last pixel is read before it is stored."""
    assert (
        definitions_of(
            "for (int x = 0; x < w; x++) d[x] = s[x];"
            " for (int x = 1; x < w; x++) d[x] = d[x - 1] * a + d[x + 1]; d[w] = a;"
        )[0]
        == "d_out[x] = d[x]"
    )


@pytest.mark.slow
def test_a_border_is_stored_before_what_is_made_of_it() -> None:
    """An integral image with a row and a column more."""
    *_, undefined, row, column, rest = definitions_of(
        "for (int x = 0; x <= w; x++) d[x] = 0; for (int y = 0; y < h; y++) { float t = 0;"
        " float *above = d + y * (w + 1), *here = above + w + 1; here[0] = 0;"
        " for (int x = 0; x < w; x++) { t += s[y * w + x]; here[x + 1] = above[x + 1] + t; } }"
    )
    assert undefined == "d[x, y] = hl.undef(hl.Float(32))"
    assert row == "d[x, 0] = hl.f32(0.0)" and column.startswith("d[0, r_")
    assert re.match(r"d\[(\w+).x, \1.y\] = d\[\1.x, \1.y - 1\] \+ ", rest)


@pytest.mark.slow
def test_what_is_no_box_together_is_refused() -> None:
    """A pixel between the two isn't stored."""
    result = lifted(
        f"{HEAD} {{ for (int y = 0; y < h; y++) {{ d[y * w] = s[y * w];"
        " for (int x = 2; x < w; x++) d[y * w + x] = d[y * w + x - 1] * a + s[y * w + x]; } }"
    )
    assert result.status == "proved"
    with pytest.raises(LiftError) as raised:
        emitted_texts(result)
    assert raised.value.diagnostic.code == "emit-unsupported"


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < 16; i++) n[i] = 0; for (int i = 0; i < w; i++) n[k[i]]++;",
        "for (int i = 0; i < w; i++) n[k[i] >> 4]--; for (int i = 0; i < w; i++) n[k[i]]++;",
    ],
    ids=["zeros", "sums"],
)
def test_updates_beyond_what_is_stored_before_are_refused(body: str) -> None:
    """A program realizes one region of its output: 16 of the 256 elements that change."""
    result = lifted(f"void f(int *n, const u8 *k, int w) {{ {body} }}")
    assert result.status == "proved"
    with pytest.raises(LiftError) as raised:
        emitted_texts(result)
    assert raised.value.diagnostic.code == "emit-unsupported"


def test_boxes_side_by_side_are_one_where_the_first_has_no_negative_size() -> None:
    w, zero, one = (
        hulls.Variable("w", hulls.I64),
        hulls.Const(hulls.I64, 0),
        hulls.Const(hulls.I64, 1),
    )
    column, rest = ((zero, one),), ((one, w),)
    assert hulls._merged(column, rest, [w]) == ((zero, Max(w, one)),)
    assert hulls._merged(column, rest, [Sub(w, one)]) == ((zero, w),)
    assert hulls._merged(((zero, w),), ((w, Add(w, one)),), []) is None
