"""Bad input to the front end: a clear message with place and code, everything else still parsed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lifter.model.diagnostic import Diagnostic, LiftError, Span
from lifter.model.kernel import ParsedFile
from lifter.parse import parse_file

GOOD = "void good(int *d, int n) { for (int i = 0; i < n; i++) d[i] = i; }\n"


def parse(tmp_path: Path, text: str, **options: Any) -> ParsedFile:
    path = tmp_path / "legacy.cpp"
    path.write_text(text)
    return parse_file(path, **options)


def refused(tmp_path: Path, content: bytes, name: str = "legacy.cpp") -> Diagnostic:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(LiftError) as caught:
        parse_file(path)
    return caught.value.diagnostic


def place(diagnostic: Diagnostic) -> tuple[int, int]:
    assert isinstance(diagnostic.span, Span)
    return diagnostic.span.line, diagnostic.span.column


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LiftError) as caught:
        parse_file(tmp_path / "nowhere.cpp")
    assert caught.value.diagnostic.code == "file-missing"
    assert "nowhere.cpp" in caught.value.diagnostic.message


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(LiftError) as caught:
        parse_file(tmp_path)
    assert caught.value.diagnostic.code == "file-missing"


@pytest.mark.parametrize("content", [b"", b" \n\t\n"])
def test_an_empty_file(tmp_path: Path, content: bytes) -> None:
    assert refused(tmp_path, content).code == "file-empty"


def test_a_file_that_is_not_utf8_shows_the_first_wrong_byte(tmp_path: Path) -> None:
    found = refused(tmp_path, b"// ok\nint na\xefve;\n" + GOOD.encode())
    assert (found.code, place(found)) == ("file-encoding", (2, 7))
    assert "0xef" in found.message and found.help


@pytest.mark.parametrize(
    "comment", [b"// na\xefve\n", b"/* na\xefve */", b"// a \\\n na\xefve\n", b'/* "\xef */']
)
def test_comments_may_be_in_an_encoding_of_old(tmp_path: Path, comment: bytes) -> None:
    (tmp_path / "legacy.cpp").write_bytes(comment + b"\n" + GOOD.encode())
    found = parse_file(tmp_path / "legacy.cpp")
    assert [k.name for k in found.kernels] == ["good"] and not found.diagnostics


@pytest.mark.parametrize(
    "code",
    [
        b'const char *t = "na\xefve"; // \xef\n',
        b"int c = '\xef'; // \xef\n",
        b'const char *t = "//"; int na\xefve;\n',
        b'const char *t = R"(// \xef)";\n',
    ],
    ids=["text", "character", "name", "raw text"],
)
def test_code_in_an_encoding_of_old_is_refused(tmp_path: Path, code: bytes) -> None:
    assert refused(tmp_path, code + GOOD.encode()).code == "file-encoding"


def test_utf8_in_comments_is_fine_and_columns_are_right(tmp_path: Path) -> None:
    found = parse(tmp_path, "// naïve ☃\n" + GOOD)
    assert [k.name for k in found.kernels] == ["good"] and not found.diagnostics


@pytest.mark.parametrize(
    "content", [b"\x89PNG\0\0\1", b"import os\nfor x in range(3):\n    print(x)\n", b"Dear all,\n"]
)
def test_what_is_not_cpp_at_all(tmp_path: Path, content: bytes) -> None:
    assert refused(tmp_path, content, "file.txt").code == "not-cpp"


def test_a_file_with_declarations_alone_is_cpp_without_kernels(tmp_path: Path) -> None:
    found = parse(tmp_path, "int f(int);\nstruct S { int a; };\n")
    assert not found.kernels and not found.failed and not found.diagnostics


def test_a_syntax_error_fails_its_function_alone(tmp_path: Path) -> None:
    found = parse(tmp_path, "void bad(int *d) {\n    d[0] = unknwn + 1;\n}\n" + GOOD)
    assert [k.name for k in found.kernels] == ["good"]
    assert [s.name for s in found.failed] == ["bad"]
    (error,) = found.diagnostics
    assert (error.code, place(error)) == ("syntax-error", (2, 12))
    assert found.failed[0].diagnostic == error
    assert "unknwn" in str(error) and str(error).startswith(str(tmp_path / "legacy.cpp"))


def test_a_missing_brace_does_not_make_a_kernel_of_half_a_function(tmp_path: Path) -> None:
    found = parse(tmp_path, GOOD + "void bad(int *d, int n) {\n  for (int i = 0; i < n; i++) {\n")
    assert [k.name for k in found.kernels] == ["good"]
    assert {d.code for d in found.diagnostics} == {"syntax-error"}


def test_an_error_in_a_type_or_a_table_fails_the_functions_that_use_it(tmp_path: Path) -> None:
    found = parse(
        tmp_path,
        "typedef Unknown Pixel;\n"
        "static const int T[2] = {1, oops};\n"
        "void a(Pixel *d) { d[0] = 1; }\n"
        "void b(int *d) { d[0] = T[1]; }\n" + GOOD,
    )
    assert [k.name for k in found.kernels] == ["good"]
    assert [(s.name, s.diagnostic.code) for s in found.failed] == [
        ("a", "syntax-error"),
        ("b", "syntax-error"),
    ]


def test_a_caller_of_a_broken_helper_fails_and_says_why(tmp_path: Path) -> None:
    found = parse(
        tmp_path,
        "static int broken(int a) { return a + oops; }\nvoid f(int *d) { d[0] = broken(1); }\n",
    )
    caller = found.failed[-1]
    assert (caller.name, caller.diagnostic.code) == ("f", "syntax-error")
    assert "broken" in caller.diagnostic.message and "oops" in caller.diagnostic.notes[0]


def test_a_missing_include_names_header_includer_and_the_way_out(tmp_path: Path) -> None:
    found = parse(tmp_path, '#include <cstdint>\n#include "imaging/pixel.h"\n' + GOOD)
    (error,) = found.diagnostics
    assert (error.code, place(error)) == ("missing-include", (2, 10))
    assert "imaging/pixel.h" in error.message and "legacy.cpp" in error.message
    assert error.help is not None and "-I" in error.help


def test_a_function_that_needs_nothing_of_a_missing_header_is_lifted_with_a_warning(
    tmp_path: Path,
) -> None:
    text = '#include "macros.h"\nvoid bad(pixel *d) { d[0] = 1; }\n' + GOOD
    found = parse(tmp_path, text)
    (good,) = found.kernels
    assert [w.code for w in good.warnings] == ["assumed"]
    assert "`macros.h` isn't found" in good.warnings[0].message
    (bad,) = found.failed
    assert (bad.name, bad.diagnostic.code) == ("bad", "missing-include")


CHOSEN = {
    "inside": GOOD.replace("{ ", "{\n#ifdef WIDE\n    n = n * 2;\n#endif\n", 1),
    "outside": "#if WIDE\ntypedef short item;\n#else\ntypedef int item;\n#endif\n" + GOOD,
    "elsewhere": '#include "types.h"\n' + GOOD,
}


@pytest.mark.parametrize("where", CHOSEN)
def test_a_missing_header_may_choose_lines_of_a_function(tmp_path: Path, where: str) -> None:
    types = "#ifndef TYPES_H\n#define TYPES_H\n#ifdef WIDE\ntypedef int item;\n#endif\n#endif\n"
    (tmp_path / "types.h").write_text(types)
    found = parse(tmp_path, '#include "macros.h"\n' + CHOSEN[where])
    assert not found.kernels
    (good,) = found.failed
    assert (good.name, good.diagnostic.code) == ("good", "missing-include")
    assert "may change what the function means" in good.diagnostic.message


def test_guards_and_the_choice_of_a_language_are_no_choices_of_a_missing_header(
    tmp_path: Path,
) -> None:
    guarded = '#ifndef TYPES_H\n#define TYPES_H\n#ifdef __cplusplus\nextern "C" {\n#endif\n'
    (tmp_path / "types.h").write_text(guarded + "#ifdef __cplusplus\n}\n#endif\n#endif\n")
    found = parse(tmp_path, '#include "macros.h"\n#include "types.h"\n' + GOOD)
    assert [k.name for k in found.kernels] == ["good"]


OF_COMPILERS = (
    "#if defined(_MSC_VER) && _MSC_VER < 1900 /* FOO */\n#define inline __inline\n#endif\n"
    "#if 0\n#endif\n#ifdef __SSE2__\n#endif\n"
    "#if __GNUC__ >= 4 && \\\n    defined(__x86_64__)\n#endif\n"
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(OF_COMPILERS + '#include "macros.h"\n' + OF_COMPILERS, id="compilers"),
        pytest.param('#include "types.h"\n#include "macros.h"\n', id="header-before"),
        pytest.param('#ifdef WIDE\n#endif\n#include "macros.h"\n', id="choice-before"),
        pytest.param('#include "types.h"\n#include "after.h"\n', id="in-a-header"),
    ],
)
def test_a_missing_header_chooses_nothing_before_it_and_nothing_that_compilers_do(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "types.h").write_text("#ifdef WIDE\n#endif\n")
    (tmp_path / "after.h").write_text('#ifdef WIDE\n#endif\n#include "macros.h"\n')
    assert [k.name for k in parse(tmp_path, text + GOOD).kernels] == ["good"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('#include "macros.h"\n#include "types.h"\n', id="header-after"),
        pytest.param('#include "types.h"\n#include "after.h"\n', id="later-in-a-header"),
        pytest.param('#include "before.h"\n#include "types.h"\n', id="after-a-header"),
        pytest.param(
            '#include "macros.h"\n#if defined(_MSC_VER) || \\\n    defined(WIDE)\n#endif\n',
            id="continued",
        ),
        pytest.param('#include "macros.h"\n#if HAS(__SSE2__)\n#endif\n', id="macro"),
        pytest.param('#include "macros.h"\n#if __has_include("x.h")\n#endif\n'),
    ],
)
def test_a_missing_header_may_choose_whatever_comes_after_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "types.h").write_text("#ifdef WIDE\n#endif\n")
    (tmp_path / "before.h").write_text('#include "macros.h"\n')
    (tmp_path / "after.h").write_text('#include "macros.h"\n#ifdef WIDE\n#endif\n')
    assert not parse(tmp_path, text + GOOD).kernels


def test_the_missing_include_is_found_with_its_folder(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "pixel.h").write_text("#pragma once\ntypedef unsigned short pixel;\n")
    text = '#include "pixel.h"\nvoid f(pixel *d) { d[0] = 65536 + 3; }\n'
    assert parse(tmp_path, text).diagnostics
    found = parse(tmp_path, text, include_dirs=[str(tmp_path / "include")])
    assert [k.name for k in found.kernels] == ["f"] and not found.diagnostics


def test_an_include_inside_a_header_names_the_header(tmp_path: Path) -> None:
    (tmp_path / "outer.h").write_text('#include "inner.h"\n')
    (error,) = parse(tmp_path, '#include "outer.h"\n' + GOOD).diagnostics
    assert error.code == "missing-include" and "outer.h" in error.message
    assert error.span is not None and error.span.file.endswith("outer.h")


def test_wrong_clang_arguments_are_said_to_be_wrong(tmp_path: Path) -> None:
    path = tmp_path / "legacy.cpp"
    path.write_text(GOOD)
    try:
        found = parse_file(path, std="c++99")
        codes = {d.code for d in found.diagnostics}
    except LiftError as error:
        codes = {error.diagnostic.code}
    assert codes == {"clang-arguments"}


@pytest.mark.parametrize(
    ("flags", "refused"),
    [
        (["-fwrapv"], True),
        (["-fno-strict-overflow"], True),
        (["-fno-wrapv", "-fwrapv"], True),
        (["-fwrapv", "-fno-wrapv"], False),
        (["-fstrict-overflow"], False),
    ],
)
def test_arithmetic_that_wraps_is_not_the_one_that_proofs_have(tmp_path, flags, refused):
    source = tmp_path / "a.cpp"
    source.write_text("void f(int *p, int k) { if (k + 1 > k) *p = 1; }")
    if not refused:
        assert [k.name for k in parse_file(str(source), clang_args=flags).kernels] == ["f"]
        return
    with pytest.raises(LiftError) as raised:
        parse_file(str(source), clang_args=flags)
    assert raised.value.diagnostic.code == "clang-arguments"
    assert "overflows" in raised.value.diagnostic.message


UNSUPPORTED = {
    "goto": ("void f(int *d, int n) {\n  again:\n  d[n] = 0;\n  goto again;\n}", (2, 3)),
    "inline-assembly": ('void f(int *d) {\n  asm("nop");\n  d[0] = 0;\n}', (2, 3)),
    "recursion": ("int f(int *d, int n) {\n  return n ? f(d, n - 1) : 0;\n}", (2, 14)),
    "exception": ("void f(int *d) {\n  d[0] = 1;\n  throw 1;\n}", (3, 3)),
    "unmodelled-call": ("int g(int);\nvoid f(int *d) {\n  d[0] = g(1);\n}", (3, 10)),
    "unsupported-type": ("struct P { int r : 3; };\nvoid f(int n,\n  P *p) { p->r = n; }", (3, 3)),
    "lambda": (
        "void f(int *d) {\n  int a[2] = {1, 2};\n  a[0] = d[1];\n"
        "  auto g = [a](int i) { return a[i]; };\n  d[0] = g(1);\n}",
        (4, 13),
    ),
    "pointer-cast": ("void f(float *d) {\n  int *p = (int *)d;\n  p[0] = 1;\n}", (3, 3)),
    "pointer-base": (
        "void f(int *a, int *b, int n) {\n  int *p = a;\n  if (n > 0) p = b;\n  p[0] = 1;\n}",
        (4, 3),
    ),
    "global-state": ("int gain;\nvoid f(int *d) {\n  d[0] = gain;\n}", (3, 10)),
    "static-state": ("void f(int *d) {\n  static int n = 0;\n  d[0] = ++n;\n}", (2, 3)),
    "unsequenced": ("void f(int *d, int i) {\n  d[0] = i++ * i;\n}", (2, 10)),
}


@pytest.mark.parametrize("code", UNSUPPORTED)
def test_an_unsupported_construct_is_shown_at_its_place(tmp_path: Path, code: str) -> None:
    text, expected = UNSUPPORTED[code]
    found = parse(tmp_path, text + "\n" + GOOD)
    (failed,) = found.failed
    assert (failed.name, failed.diagnostic.code) == ("f", code)
    assert place(failed.diagnostic) == expected
    assert failed.diagnostic.family == "unsupported"
    assert [k.name for k in found.kernels] == ["good"]


def test_functions_that_are_no_kernels_are_skipped_with_the_reason(tmp_path: Path) -> None:
    found = parse(
        tmp_path,
        "int twice(int a) { return 2 * a; }\n"
        "static void zero(int *d, int n) { for (int i = 0; i < n; i++) d[i] = 0; }\n"
        "void reads(const int *s) { int a = s[0]; a++; }\n"
        "void calls(int *d, int n) { zero(d, twice(n)); }\n"
        "template <class T> void generic(T *d) { d[0] = 0; }\n"
        "int main() { return 0; }\n",
    )
    assert [k.name for k in found.kernels] == ["calls"]
    reasons = {s.name: (s.diagnostic.code, s.diagnostic.message) for s in found.skipped}
    assert reasons["twice"] == (
        "not-a-kernel",
        "pure scalar function, kept by name in its callers",
    )
    assert reasons["zero"] == ("not-a-kernel", "helper, inlined into its callers")
    assert reasons["reads"][0] == reasons["main"][0] == "not-a-kernel"
    assert reasons["generic"][0] == "template"


def test_a_wrong_assumption_is_shown_where_it_stands(tmp_path: Path) -> None:
    found = parse(
        tmp_path,
        "void f(int *d, int width) {\n  // lift: assume(widht > 0)\n  d[width] = 1;\n}\n" + GOOD,
    )
    (failed,) = found.failed
    assert (failed.diagnostic.code, place(failed.diagnostic)) == ("bad-assumption", (2, 19))
    assert "widht" in failed.diagnostic.message and "width" in (failed.diagnostic.help or "")
