"""How expressions read: every conversion of C++ is there, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.model.kernel import ParsedFile
from lifter.parse import parse_file

from .parsing import body, failure, kernel, parse

EXPRESSIONS = [
    # parameters, right side of `d[0] = ...`, what the Store holds
    ("unsigned char *d, int n", "n", "uint8(n)"),
    ("unsigned char *d, unsigned char a", "a + a", "uint8(int32(a) + int32(a))"),
    ("int *d, short a, unsigned b", "a * b", "int32(uint32(a) * b)"),
    ("long *d, int a", "a + 1", "int64(a + 1)"),
    ("int *d, int a, int b", "a / b % 3", "a /t b %t 3"),
    ("float *d, float a, int b", "a / b", "a / float32(b)"),
    ("float *d, float a", "a * 0.5", "float32(float64(a) * 0.5)"),
    ("float *d, float a", "a * 0.5f", "a * 0.5f"),
    ("int *d, float a", "a", "int32(a)"),
    ("int *d, int a", "a > 3", "int32(a > 3)"),
    ("int *d, int a", "!a", "int32(a == 0)"),
    ("int *d, int a", "!!a + 1", "int32(a != 0) + 1"),
    ("bool *d, int a", "a & 4", "(a & 4) != 0"),
    ("int *d, int a, bool b", "a && b", "int32(a != 0 && b)"),
    ("int *d, unsigned char a", "a << 4u", "int32(a) << 4"),
    ("unsigned *d, unsigned a, long b", "a >> b", "a >> uint32(b)"),
    ("int *d, int a", "-a + ~a", "-a + ~a"),
    ("int *d, char a", "(unsigned char)a", "int32(uint8(a))"),
    ("int *d, int a", "static_cast<short>(a)", "int32(int16(a))"),
    ("int *d, int a", "int(float(a))", "int32(float32(a))"),
    ("int *d, int a", "a ? 1 : 2", "select(a != 0, 1, 2)"),
    ("int *d, int a", "sizeof(short) * 3 + 'a'", "103"),
    ("unsigned char *d", "300", "44"),
    ("int *d, unsigned a", "a < -1", "int32(a < 4294967295)"),
    ("int *d, int a", "(a, 2)", "2"),
    ("float *d, int a", "1 / 2 + a", "float32(0 + a)"),
]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("params, written, expected", EXPRESSIONS, ids=lambda p: p)
def test_conversions_are_explicit(params: str, written: str, expected: str) -> None:
    assert body(f"void f({params}) {{ d[0] = {written}; }}") == f"d[0] = {expected}\n"


@pytest.mark.parametrize(
    "params, statement, expected",
    [
        ("unsigned char *d, int n", "d[0] += n", "d[0] = uint8(int32(d[0]) + n)"),
        ("int *d, float g", "d[0] *= g", "d[0] = int32(float32(d[0]) * g)"),
        ("short *d", "d[0] <<= 2", "d[0] = int16(int32(d[0]) << 2)"),
        ("unsigned char *d", "d[0]++", "d[0] = uint8(int32(d[0]) + 1)"),
        ("float *d", "--d[0]", "d[0] = d[0] - 1.0f"),
        ("unsigned *d, long n", "d[0] -= n", "d[0] = uint32(int64(d[0]) - n)"),
    ],
)
def test_compound_assignment_computes_wide_and_narrows(
    params: str, statement: str, expected: str
) -> None:
    assert body(f"void f({params}) {{ {statement}; }}") == expected + "\n"


@pytest.mark.parametrize(
    "call, expected",
    [
        ("std::min(a, 3)", "min(a, 3)"),
        ("std::max<int>(u, a)", "max(int32(u), a)"),
        ("std::clamp(a, 0, 255)", "max(min(a, 255), 0)"),
        ("std::min({a, 3, 5})", "min(min(a, 3), 5)"),
        ("abs(a)", "int32(abs(a))"),
        ("std::abs(u - 3)", "int32(abs(int32(u) - 3))"),
        ("std::numeric_limits<short>::max()", "32767"),
    ],
)
def test_known_functions_become_operators(call: str, expected: str) -> None:
    text = "#include <algorithm>\n#include <cstdlib>\n#include <limits>\n"
    text += f"void f(int *d, int a, unsigned char u) {{ d[0] = {call}; }}"
    assert body(text) == f"d[0] = {expected}\n"


@pytest.mark.parametrize(
    "call, expected",
    [
        ("sqrtf(a)", "sqrt(a)"),
        ("fmaf(a, a, 2.0f)", "fma(a, a, 2.0f)"),
        ("__builtin_fmaf(a, 2.0f, a)", "fma(a, 2.0f, a)"),
        ("std::sqrt(a)", "sqrt(a)"),
        ("sqrt(a)", "float32(sqrt(float64(a)))"),
        ("fabsf(a)", "abs(a)"),
        ("std::floor(a)", "floor(a)"),
        ("pow(a, 2.5)", "float32(pow(float64(a), 2.5))"),
        ("sinf(a)", "sin(a)"),
        ("fmaxf(a, 0)", "select(a != a, 0.0f, max(a, 0.0f))"),
    ],
)
def test_mathematics(call: str, expected: str) -> None:
    assert body(f"#include <cmath>\nvoid f(float *d, float a) {{ d[0] = {call}; }}") == (
        f"d[0] = {expected}\n"
    )


@pytest.mark.parametrize("call", ["expf(a)", "logf(a)", "std::exp(a)", "powf(a, 2.5f)"])
def test_functions_whose_last_bits_are_the_c_librarys_own_are_refused(call: str) -> None:
    text = f"#include <cmath>\nvoid f(float *d, float a) {{ d[0] = {call}; }}"
    assert failure(text).code == "inexact-function"


def test_c_files_are_read_as_c() -> None:
    text = "#include <stdlib.h>\n#include <stdbool.h>\nvoid f(int *restrict d, int a, int n) {\n"
    text += "int *t = malloc(n * sizeof *t); t[0] = a == 2; d[0] = t[0]; free(t); }"
    assert parse(text, "legacy.c").kernels[0].body
    assert parse(text, "legacy.cpp").failed


def test_side_effects_keep_their_order() -> None:
    assert body("void f(int *d, int i) { d[i++] = 7; d[++i] = i; }".replace("= i", "= 8")) == (
        "d[int64(i)] = 7\ni = i + 1\nd[int64(i + 1)] = 8\ni = i + 1\n"
    )


def test_chained_assignment_converts_at_each_step() -> None:
    assert body("void f(int *d, int a) { unsigned char c; d[0] = c = a; }") == (
        "uint8 c\nc = uint8(a)\nd[0] = int32(c)\n"
    )


@pytest.mark.parametrize("statement", ["d[0] = i++ + i", "i = i++ + 1", "d[i] = d[i++]"])
def test_what_depends_on_the_order_is_refused(statement: str) -> None:
    assert failure(f"void f(int *d, int i) {{ {statement}; }}").code == "unsequenced"


def test_constants_and_enumerators_are_folded() -> None:
    text = """
        enum Mode { A = 3, B };
        static const int W = 4;
        constexpr float HALF = 0.5f;
        void f(float *d) { const int k = W * 2; d[k + B] = HALF * W; }"""
    assert body(text) == "d[12] = 2.0f\n"


def test_constant_tables_are_arrays_with_values() -> None:
    found = kernel(
        "static const short T[2][3] = {{1, -2}, {4, 5, 6}};\n"
        "void f(int *d, int i) { d[0] = T[1][i]; }"
    )
    table = found.arrays["T"]
    assert (table.origin, table.values, table.shape) == ("table", (1, -2, 0, 4, 5, 6), (2, 3))


def in_c(folder: Path, statement: str) -> ParsedFile:
    """A function in C, which leaves open which side of an assignment comes first."""
    path = folder / "f.c"
    path.write_text(f"void f(int *d, const int *s, int n) {{ while (n--) {{ {statement} }} }}")
    return parse_file(path)


def test_a_pointer_that_moves_is_not_the_array_that_it_leads_into(tmp_path: Path) -> None:
    assert in_c(tmp_path, "d[0] = d[1] = *s++; d += 2;").kernels
    assert in_c(tmp_path, "*d++ = d == s ? 0 : 1;").failed
    for statement in ("d[d[0]] = d[0] = *s++; d += 2;", "d[0] = *(d += 1) = *s++;"):
        (failed,) = in_c(tmp_path, statement).failed
        assert failed.diagnostic.code == "unsequenced"


@pytest.mark.parametrize(
    "name", ["__FILE__", "__PRETTY_FUNCTION__", "(__FILE__ + 0) + sizeof(__FILE__)", "NAME"]
)
def test_sizes_of_strings_that_compilers_make_are_not_known(name: str) -> None:
    """Clang is given another path than the compiler, and writes functions' names in another way."""
    start = (
        "#define NAME __FILE__\nvoid f(int *d, int n) { for (int i = 0; i < n; i++) d[i] = sizeof("
    )
    text = start + name + "); }"
    assert failure(text).code == "unsupported-expression"


@pytest.mark.parametrize("name", ["__func__", '"abc"', '"ab" "cd"', "n"])
def test_sizes_of_strings_that_are_written_are_known(name: str) -> None:
    kernel(f"void f(int *d, int n) {{ for (int i = 0; i < n; i++) d[i] = sizeof({name}); }}")
