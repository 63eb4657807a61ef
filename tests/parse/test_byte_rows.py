"""Rows of wider elements over bytes: `(float *)(bytes + y * pitch)`."""

from __future__ import annotations

import pytest

from .parsing import failure, kernel

ROWS = """#include <stddef.h>
#include <stdint.h>
{before}
void f(uint8_t *d, int w, int h, {pitch}) {{
    for (int y = 0; y < h; y++) {{
        {declare} {element} *p = ({element} *)({row});
        for (int x = 0; x < w; x++) p[x] = p[x] * 2;
        {after}
    }}
}}
"""


def rows(row: str = "d + y * pitch", pitch: str = "int pitch", **parts: str) -> str:
    known = {"before": "", "declare": "", "element": "float", "after": ""}
    return ROWS.format(row=row, pitch=pitch, **{**known, **parts})


def elements(text: str) -> str:
    return str(kernel(text).arrays["d"].type)


def assumed(text: str) -> list[tuple[str, str]]:
    return [(p.text, p.origin) for p in kernel(text).preconditions]


@pytest.mark.parametrize(("element", "name"), [("float", "float32"), ("uint16_t", "uint16")])
def test_rows_of_bytes_are_rows_of_what_they_are_seen_as(element: str, name: str) -> None:
    text = rows(element=element)
    size = 4 if element == "float" else 2
    assert elements(text) == name
    assert assumed(text) == [(f"pitch % {size} == 0", "inferred")]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (rows("d + pitch * y", "size_t pitch"), "pitch % 4 == 0"),
        (rows("d + (size_t)y * pitch"), "pitch % 4 == 0"),
        (rows("d - (ptrdiff_t)y * pitch", "ptrdiff_t pitch"), "pitch % 4 == 0"),
        (rows("d + (h - 1 - y) * pitch"), "pitch % 4 == 0"),
        (rows("d + y * step", declare="const long step = pitch;"), "pitch % 4 == 0"),
        (rows("d + y * step", declare="const int step = pitch + 12;"), "(pitch + 12) % 4 == 0"),
        (rows("d", after="d += pitch;"), "pitch % 4 == 0"),
        (rows("d + y * pitch + 8"), "pitch % 4 == 0"),
        (rows().replace("uint8_t *d", "void *d").replace("(d ", "((char *)d "), "pitch % 4 == 0"),
        (rows("(uint8_t *)d + y * pitch").replace("uint8_t *d,", "float *d,"), "pitch % 4 == 0"),
    ],
)  # fmt: skip
def test_the_pitch_is_a_whole_number_of_elements_by_precondition(text: str, condition: str) -> None:
    assert elements(text) == "float32"
    assert assumed(text) == [(condition, "inferred")]


def test_a_pitch_that_elements_divide_by_its_form_needs_no_precondition() -> None:
    assert assumed(rows("d + y * sizeof(float) * pitch")) == []


def test_the_pitch_of_an_object_is_named_as_a_field() -> None:
    before = "struct I { uint8_t *data; int pitch; };"
    text = rows("i->data + y * i->pitch", "const I *i", before=before)
    assert assumed(text) == [("i.pitch % 4 == 0", "inferred")]
    assert str(kernel(text).arrays["i.data"].type) == "float32"


NO_WHOLE_NUMBERS = {
    "a distance of two bytes more": rows("d + y * pitch + 2"),
    "a pitch that changes": rows(after="pitch += 4;"),
    "a distance that rows don't share": rows("d + y * step", declare="int step = y + pitch;"),
    "a product that wraps to another row": rows("d + (unsigned)y * pitch", "unsigned pitch"),
    "a pitch that wraps": rows("d + (size_t)(uint32_t)pitch * y"),
    "a constant that may wrap": rows(
        "d + y * step", "unsigned pitch", declare="const unsigned step = 2u * pitch;"
    ),
    "a pitch that is cut off": rows("d + y * (short)pitch"),
    "bytes that are read as bytes too": rows(after="d[0] = 1;"),
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("case", NO_WHOLE_NUMBERS)
def test_other_bytes_stay_bytes_and_are_no_floats(case: str) -> None:
    text = NO_WHOLE_NUMBERS[case]
    assert failure(text).code == "pointer-cast"
    words = text.replace("float", "uint16_t").replace("pitch + 2", "pitch + 3")
    words = words.replace("pitch += 4", "pitch += 3")
    assert str(kernel(words).arrays["d"].type) == "uint8"
    assert all("%" not in p.text for p in kernel(words).preconditions)


def test_bytes_seen_as_two_types_of_element_are_refused() -> None:
    text = rows(after="((uint32_t *)p)[0] = 1;")
    assert failure(text).code == "pointer-cast"


def test_restarting_in_a_switch_that_returns_is_no_fault() -> None:
    inner = rows().split("{\n", 1)[1].rsplit("}", 1)[0]
    text = (
        "#include <stdint.h>\nvoid f(uint8_t *d, int w, int h, int pitch, int mode) {"
        f"switch (mode) {{ case 0: {{ {inner} }} break; case 1: {{ {inner} }} return; default: ; }}"
        "}"
    )
    assert elements(text) == "float32"
