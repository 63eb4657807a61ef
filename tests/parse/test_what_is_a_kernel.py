"""What counts as a kernel: no accessors, helpers where no caller is one, and no empty drivers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.parse import parse_file

from .parsing import parse

OBJECT = """
    struct Image { unsigned char *data; int w, h, gain; void set(int); int get() const;
        void put(int, int, int); unsigned char at(int, int) const; void clear(); };
"""


@pytest.mark.parametrize(
    "text",
    [
        "void Image::set(int g) { gain = g; }",
        "int Image::get() const { return gain; }",
        "void Image::put(int x, int y, int v) { data[y * w + x] = v; }",
        "void Image::put(int x, int y, int v) { if (x < w && y < h) data[y * w + x] = v; }",
        "unsigned char Image::at(int x, int y) const { return data[y * w + x]; }",
        "void set_gain(Image *i, int gain) { i->gain = gain; }",
        "int gain_of(const Image &i) { return i.gain; }",
    ],
)
def test_what_sets_or_gets_a_part_of_an_object_is_no_kernel(text: str) -> None:
    found = parse(OBJECT + text)
    assert not found.kernels and not found.failed
    assert [s.diagnostic.code for s in found.skipped] == ["not-a-kernel"]


@pytest.mark.parametrize(
    "text",
    [
        "void Image::clear() { for (int i = 0; i < w * h; i++) data[i] = 0; }",
        "#include <string.h>\nvoid clear(Image &i) { memset(i.data, 0, i.w); }",
        "void put(Image &i, const unsigned char *s) { i.data[0] = s[0]; }",
        "void put(unsigned char *d, int v) { d[0] = v; }",
        "void pair(Image &i) { i.data[0] = 1; i.data[1] = 2; }",
    ],
)
def test_what_works_on_elements_is_one(text: str) -> None:
    assert len(parse(OBJECT + text).kernels) == 1


HELPERS = """
    int outside(int);
    static void each(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] += 1; }
    static void twice(unsigned char *d, int n) { each(d, n); each(d, n); }
    void user(unsigned char *d, int n) { twice(d, n); d[0] = outside(n); }
"""


def names(text: str) -> tuple[list[str], list[str], list[str]]:
    """Kernels, what was skipped, what failed."""
    found = parse(text)
    return (
        [k.name for k in found.kernels],
        [s.name for s in found.skipped],
        [s.name for s in found.failed],
    )


def test_helpers_whose_callers_all_failed_are_tried_by_themselves() -> None:
    assert names(HELPERS) == (["each", "twice"], [], ["user"])


def test_a_helper_with_one_caller_that_is_a_kernel_stays_in_it() -> None:
    text = HELPERS + "void other(unsigned char *d) { each(d, 3); }"
    assert names(text) == (["twice", "other"], ["each"], ["user"])
    text = HELPERS + "void other(unsigned char *d) { twice(d, 3); }"
    assert names(text) == (["other"], ["each", "twice"], ["user"])


def test_a_helper_that_fails_itself_says_why() -> None:
    text = """
        int outside(int);
        static void each(unsigned char *d, int n) { d[0] = outside(n); }
        void user(unsigned char *d, int n) { each(d, n); }"""
    assert names(text) == ([], [], ["each", "user"])


@pytest.mark.parametrize("own", ["", "int main(void) { return 0; }\n"])
def test_a_driver_says_where_the_functions_are(tmp_path: Path, own: str) -> None:
    (tmp_path / "impl.h").write_text("void f(int *d) { d[0] = 1; }\nvoid g(int *d) { d[0] = 2; }\n")
    path = tmp_path / "driver.c"
    path.write_text(f'#define IMPLEMENTATION\n#include <stdint.h>\n#include "impl.h"\n{own}')
    (warning,) = parse_file(path).diagnostics
    assert (warning.code, warning.severity) == ("functions-elsewhere", "warning")
    assert warning.span is not None and warning.span.line == 3
    assert "2 functions are in" in warning.message and "impl.h" in warning.message
    path.write_text('#include "impl.h"\nvoid h(int *d) { d[0] = 3; }\n')
    assert not parse_file(path).diagnostics
