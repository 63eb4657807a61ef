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
    (tmp_path / "impl.h").write_text(
        "static void f(int *d) { d[0] = 1; }\nstatic void g(int *d) { d[0] = 2; }\n"
    )
    path = tmp_path / "driver.c"
    path.write_text(f'#define IMPLEMENTATION\n#include <stdint.h>\n#include "impl.h"\n{own}')
    (warning,) = parse_file(path).diagnostics
    assert (warning.code, warning.severity) == ("functions-elsewhere", "warning")
    assert warning.span is not None and warning.span.line == 3
    assert "2 functions are in" in warning.message and "impl.h" in warning.message
    path.write_text('#include "impl.h"\nvoid h(int *d) { d[0] = 3; }\n')
    assert not parse_file(path).diagnostics


HEADER = """
#include <string.h>
#ifdef IMPLEMENTATION
static int half(int v) { return v / 2; }
static void row(unsigned char *d, int n) { for (int x = 0; x < n; x++) d[x] = half(d[x]); }
// lift: assume(h >= 0)
void all(unsigned char *d, int n, int h) { for (int y = 0; y < h; y++) row(d + y * n, n); }
#endif
static inline void everybodys(unsigned char *d) { d[0] = 1; }
"""


def test_what_an_included_file_defines_is_of_the_unit_that_compiles_it(tmp_path: Path) -> None:
    (tmp_path / "one.h").write_text(HEADER)
    path = tmp_path / "user.c"
    path.write_text('#define IMPLEMENTATION\n#include "one.h"\nvoid f(int *d) { d[0] = 3; }\n')
    found = parse_file(path)
    own, header = found.kernels
    assert (own.name, header.name, header.span.file) == ("f", "all", str(tmp_path / "one.h"))
    assert header.source.startswith("void all(") and header.span.line == 7
    assert [a.text for a in header.preconditions] == ["h >= 0"]
    path.write_text('#include "one.h"\nvoid f(int *d) { d[0] = 3; }\n')
    assert [k.name for k in parse_file(path).kernels] == ["f"]


def test_a_static_function_of_a_header_is_of_the_units_that_call_it(tmp_path: Path) -> None:
    (tmp_path / "row.h").write_text("static void ROW(T *d, int n) { while (n-- > 0) *d++ = n; }\n")
    path = tmp_path / "user.c"
    twice = "".join(
        f'#define ROW row_{t}\n#define T {t}\n#include "row.h"\n#undef ROW\n#undef T\n'
        for t in ("int", "char")
    )
    path.write_text(f"{twice}int unknown(void);\nvoid f(int *d) {{ row_int(d, unknown()); }}\n")
    found = parse_file(path)
    assert [k.name for k in found.kernels] == ["row_int"]
    assert [s.name for s in found.failed] == ["f"]


def test_a_standard_of_the_other_language_is_for_the_other_files(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("void f(int *d) { d[0] = 1; }\n")
    for arguments in ({"clang_args": ["-std=c++11"]}, {"std": "c++20"}):
        assert [k.name for k in parse_file(path, **arguments).kernels] == ["f"]
    path = tmp_path / "a.cpp"
    path.write_text("void f(int *d) { auto &e = d[0]; e = __cplusplus / 100; }\n")
    (kernel,) = parse_file(path, clang_args=["-std=c99", "-std=c++11"]).kernels
    assert "2011" in str(kernel.body)
