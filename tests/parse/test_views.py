"""One memory at several widths: elements are the narrowest, wide accesses are put together."""

from __future__ import annotations

from pathlib import Path

import pytest

from .parsing import body, failure, kernel
from .plain_library import assert_equal_to_original, written

TYPES = "#include <stdint.h>\n"


def elements(text: str) -> dict[str, str]:
    return {name: str(array.type) for name, array in kernel(TYPES + text).arrays.items()}


def test_bytes_of_wide_pixels_are_the_elements_of_the_array() -> None:
    text = """void f(uint32_t *p, int n) {
        for (int i = 0; i < n; i++) { uint8_t *b = (uint8_t *)(p + i); b[3] = 255; } }"""
    assert elements(text) == {"p": "uint8"}


def test_a_word_of_bytes_is_put_together_with_the_lowest_first() -> None:
    text = TYPES + "void f(uint8_t *d, int i) { d[0] = 1; d[1] = *(uint16_t *)(d + i) >> 9; }"
    assert body(text) == (
        "d[0] = 1\nd[1] = uint8(int32(uint16(d[int64(i)]) | uint16(d[int64(i) + 1]) << 8) >> 9)\n"
    )


def test_a_word_is_stored_in_parts_the_lowest_first() -> None:
    text = TYPES + "void f(uint8_t *d, uint16_t v) { d[4] = 0; *(uint16_t *)(d + 2) = v; }"
    assert body(text) == "d[4] = 0\nword = v\nd[2] = uint8(word)\nd[3] = uint8(word >> 8)\n"


def test_memory_that_is_only_used_as_words_has_words_for_elements() -> None:
    text = "void f(uint8_t *d, int n) { uint32_t *p = (uint32_t *)d; while (n--) *p++ = 0; }"
    assert elements(text) == {"d": "uint32"}
    assert elements(text.replace("uint8_t", "void")) == {"d": "uint32"}
    assert elements("void f(void *d) { ((char *)d)[0] = 1; }") == {"d": "uint8"}
    both = "void f(void *d) { uint32_t *p = (uint32_t *)d; p[1] = ((uint8_t *)d)[2]; }"
    assert elements(both) == {"d": "uint8"}


def test_a_byte_distance_that_words_may_not_divide_keeps_bytes() -> None:
    text = """void f(uint8_t *d, int w, int h, int pitch) { for (int y = 0; y < h; y++) {
        uint16_t *p = (uint16_t *)(d + y * pitch + 1); for (int x = 0; x < w; x++) p[x] = 7; } }"""
    assert elements(text) == {"d": "uint8"}


@pytest.mark.parametrize(
    "text",
    [
        "void f(float *d) { *(uint32_t *)d = 0; }",
        "void f(uint32_t *d) { d[0] = 1; ((float *)d)[1] = 0; }",
        "void f(uint32_t *d, float v) { d[0] = *(uint32_t *)&v; }",
        "void f(uint8_t *d, uint32_t v) { d[0] = *(uint8_t *)&v; }",
        "void f(uint8_t *d, int n) { uint32_t t[99]; t[n] = 1; d[0] = ((uint8_t *)t)[n]; }",
    ],
)
def test_what_is_no_view_of_integers_is_refused(text: str) -> None:
    assert failure(TYPES + text).code == "pointer-cast"


def test_library_calls_on_memory_of_another_width(tmp_path: Path) -> None:
    text = '#include <algorithm>\n#include <cstdint>\nextern "C" void f(uint32_t *d, int n) '
    text += "{ std::fill(d, d + n, 0x1234567u); if (n > 0) ((uint8_t *)d)[0] = 1; }"
    found = assert_equal_to_original(written(text, tmp_path))
    assert [k.arrays["d"].type.bits for k in found.kernels] == [8]


@pytest.mark.parametrize(("element", "code"), [("uint32_t", "pointer-cast"), ("uint8_t", None)])
def test_a_vector_s_elements_are_not_taken_apart(element: str, code: str | None) -> None:
    """Translation that starts again with narrower elements would find the same ones."""
    text = "#include <cstdint>\n#include <vector>\n"
    text += f"void f(std::vector<{element}> &v, int n) "
    text += "{ uint8_t *p = (uint8_t *)v.data(); for (int i = 0; i < n; i++) p[i] = 7; }"
    if code is None:
        assert kernel(text).name == "f"
    else:
        assert failure(text).code == code
