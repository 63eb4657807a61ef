"""`memcpy` between a variable and memory: the bytes of one number, wherever they begin."""

from __future__ import annotations

from pathlib import Path

import pytest

from .parsing import body, failure, kernel
from .plain_library import assert_equal_to_original, written

HEAD = "#include <cstdint>\n#include <cstring>\n"
HELPERS = """
static inline uint32_t get(const void *p) { uint32_t v; memcpy(&v, p, 4); return v; }
static inline void put(void *p, uint32_t v) { memcpy(p, &v, 4); }
"""
COPIES = {
    "words": "uint32_t v; memcpy(&v, s + 4 * i, 4); v = ~v; memcpy(d + 4 * i, &v, sizeof v);",
    "unaligned": "uint16_t v; memcpy(&v, s + 2 * i + 1, 2); v += 3; memcpy(d + 2 * i, &v, 2);",
    "double words": "uint64_t v; memcpy(&v, s + i, 8); d[i] = v >> 59;",
    "signed": "int16_t v; memmove(&v, s + 2 * i, sizeof v); d[i] = v < 0 ? 1 : v % 7;",
    "a helper": "d[i] = get(s + 2 * i) >> 20; put(d + 4 * i, get(s + i));",
    "bytes": "uint8_t v; memcpy(&v, s + i, 1); memcpy(d + i, &v, 1);",
    "between variables": "int32_t a = s[i] - 100; uint32_t b; memcpy(&b, &a, 4); d[i] = b >> 28;",
    "moved": "uint32_t v; memcpy(&v, p, 4); p += 4; memcpy(q, &v, 4); q += 4;",
    "moved on the way": "uint8_t v = *p++; memcpy(q++, &v, 1);",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("name", COPIES)
def test_copies_do_what_the_library_does(name: str, tmp_path: Path) -> None:
    text = HEAD + (HELPERS if name == "a helper" else "")
    text += (
        'extern "C" void k(unsigned char *d, const unsigned char *s, int n) {\n'
        "    const unsigned char *p = s; unsigned char *q = d;\n"
        f"    if (n > 8) for (int i = 0; i < (n - 8) / 4; i++) {{ {COPIES[name]} }} }}"
    )
    found = assert_equal_to_original(written(text, tmp_path))
    assert [k.name for k in found.kernels] == ["k"], [str(s.diagnostic) for s in found.failed]


def test_where_the_bytes_begin_is_not_taken_for_aligned() -> None:
    text = (
        HEAD
        + """void f(uint32_t *d, const uint8_t *s, int pitch, int n) {
        for (int y = 0; y < n; y++) { uint32_t v; memcpy(&v, s + y * pitch, 4); d[y] = v; } }"""
    )
    found = kernel(text)
    assert str(found.arrays["s"].type) == "uint8" and not found.preconditions


def test_a_number_of_two_elements_is_put_together() -> None:
    text = HEAD + """void f(uint16_t *d, uint32_t v) { d[0] = 1; memcpy(d + 2, &v, 4); }"""
    assert body(text) == "d[0] = 1\nword = v\nd[2] = uint16(word)\nd[3] = uint16(word >> 16)\n"


def test_the_bits_of_a_float_are_those_of_an_integer() -> None:
    text = HEAD + "void f(uint32_t *d, float v) { memcpy(d + 2, &v, 4); }"
    assert body(text) == "d[2] = reinterpret(v)\n"


@pytest.mark.parametrize(
    "statement",
    [
        "double v; memcpy(&v, s, 4); d[0] = v;",
        "uint32_t v = 0; memcpy(&v, s, 2); d[0] = v;",
        "float v = s[0]; uint64_t w = 0; memcpy(&w, &v, 4); d[0] = w;",
        "uint32_t v = 0; memcpy(&v, s, n); d[0] = v;",
    ],
)
def test_bytes_of_other_numbers_and_parts_are_refused(statement: str) -> None:
    found = failure(HEAD + f"void f(int *d, const uint8_t *s, int n) {{ {statement} }}")
    assert found.code in ("pointer-cast", "pointer-base", "byte-count")
