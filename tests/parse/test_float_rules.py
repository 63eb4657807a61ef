"""Options, pragmas and attributes that let floats be computed otherwise: kernels of floats fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.model.diagnostic import LiftError
from lifter.parse import parse_file

from .parsing import failure, kernel, parse

FLOATS = "void f(float *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i] * 0.5f + 1; }\n"
SCALED = "void f(float *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i] * 0.5f; }\n"
INTEGERS = "void g(int *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i] * 3 + 1; }\n"
COPIED = "void c(float *d, float *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }\n"

LOOSE = [
    "-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-fassociative-math",
    "-freciprocal-math", "-ffinite-math-only", "-fno-signed-zeros", "-fno-honor-nans",
    "-fno-honor-infinities", "-fapprox-func", "-ffp-model=fast", "-mrecip",
    "-fsingle-precision-constant", "-fdenormal-fp-math=preserve-sign", "-mno-sse",
    "-ffast-math -fno-finite-math-only", "-fno-fast-math -ffast-math", "-ffp-contract=fast",
    "-Ofast -ffp-contract=off", "-O3 -Ofast",
]  # fmt: skip
EXACT = [
    "-O3", "-Ofast -O2", "-Ofast -fno-fast-math", "-ffast-math -fno-fast-math", "-fno-math-errno",
    "-fno-trapping-math", "-ffp-contract=off", "-ffp-model=precise", "-ffp-model=strict",
    "-ffast-math -ffp-model=precise", "-fsigned-zeros", "-fno-finite-math-only", "-fhonor-nans",
    "-fno-signed-zeros -fsigned-zeros", "-fexcess-precision=fast", "-ffloat-store", "-mrecip=none",
    "-ffp-contract=fast -ffp-contract=off", "-fno-strict-aliasing",
]  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("flags", LOOSE)
def test_floats_fail_where_an_option_loosens_them_and_integers_dont(flags: str) -> None:
    found = parse(FLOATS + INTEGERS + COPIED, clang_args=flags.split())
    assert [s.name for s in found.failed] == ["f"]
    assert found.failed[0].diagnostic.code == "fast-math"
    assert [k.name for k in found.kernels] == ["g", "c"]


@pytest.mark.parametrize("flags", EXACT)
def test_floats_are_lifted_where_options_leave_them_exact(flags: str) -> None:
    found = parse(FLOATS + INTEGERS, clang_args=flags.split())
    assert [k.name for k in found.kernels] == ["f", "g"]
    assert not found.kernels[0].warnings


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "before",
    [
        '#pragma GCC optimize("fast-math")',
        '#pragma GCC optimize ("O3", "-ffast-math")',
        '#  pragma GCC optimize("Ofast")',
        '#pragma GCC push_options\n#pragma GCC optimize ("unsafe-math-optimizations")',
        '_Pragma("GCC optimize(\\"no-signed-zeros\\")")',
        "#pragma STDC FP_CONTRACT ON",
        "#pragma float_control(precise, off)",
        "#pragma clang fp reassociate(on)",
        "#pragma clang fp contract(fast)",
        '#pragma \\\n GCC optimize(\\\n "fast-math")',
        '__attribute__((optimize("fast-math")))',
        '__attribute__((noinline, optimize("O2", "no-signed-zeros")))',
        '[[gnu::optimize("Ofast")]]',
        '#define QUICK __attribute__((__optimize__("finite-math-only")))\nQUICK',
    ],
)
def test_floats_fail_where_the_source_loosens_them(before: str) -> None:
    text = f"{before}\n{FLOATS}{INTEGERS}"
    assert failure(text).code == "fast-math"
    assert [k.name for k in parse(text).kernels] == ["g"]


@pytest.mark.parametrize(
    "before",
    [
        '#pragma GCC optimize("O3")',
        '#pragma GCC optimize("unroll-loops")',
        '#pragma GCC target("avx2")',
        "#pragma STDC FP_CONTRACT OFF",
        "#pragma float_control(precise, on)",
        "#pragma clang fp contract(off)",
        '// #pragma GCC optimize("fast-math")',
        '__attribute__((optimize("O3")))',
        "static int optimize(int a) { return a; }",
    ],
)
def test_floats_are_lifted_where_the_source_leaves_them_exact(before: str) -> None:
    assert "f" in [k.name for k in parse(f"{before}\n{FLOATS}").kernels]


def test_a_pragma_in_a_header_counts(tmp_path: Path) -> None:
    (tmp_path / "fast.h").write_text('#pragma GCC optimize("Ofast")\n')
    (tmp_path / "k.cpp").write_text('#include "fast.h"\n' + FLOATS)
    (failed,) = parse_file(tmp_path / "k.cpp").failed
    assert failed.diagnostic.code == "fast-math" and "fast.h" in failed.diagnostic.message


def test_contraction_alone_concerns_products_in_sums() -> None:
    assert failure(FLOATS, clang_args=["-ffp-contract=fast"]).code == "fast-math"
    assert kernel(SCALED, clang_args=["-ffp-contract=fast"]).name == "f"
    assert failure(SCALED, clang_args=["-ffast-math"]).code == "fast-math"


@pytest.mark.parametrize("flag", ["-mfma", "-march=haswell", "--target=aarch64-linux-gnu"])
def test_a_machine_that_fuses_is_warned_of(flag: str) -> None:
    (warning,) = kernel(FLOATS, clang_args=[flag]).warnings
    assert (warning.code, warning.span and warning.span.line) == ("contraction", 1)
    assert not kernel(FLOATS, clang_args=[flag, "-ffp-contract=off"]).warnings
    assert not kernel(SCALED, clang_args=[flag]).warnings


def test_a_float_that_an_integer_kernel_computes_with_counts() -> None:
    text = (
        "static int scaled(int v, float by) { return (int)(v * by); }\n"
        "void f(int *d, int n) { for (int i = 0; i < n; i++) d[i] = scaled(d[i], 0.7f); }"
    )
    assert failure(text, clang_args=["-ffast-math"]).code == "fast-math"
    compared = "void f(int *d, float t) { d[0] = t > 0; }"
    assert failure(compared, clang_args=["-ffinite-math-only"]).code == "fast-math"


@pytest.mark.parametrize(
    "flags",
    [
        "--target=s390x-linux-gnu", "--target=powerpc64-linux-gnu", "--target=aarch64_be-linux-gnu",
        "--target=mips64-linux-gnuabi64", "--target=sparc64-linux-gnu", "-target s390x-linux-gnu",
    ],
)  # fmt: skip
def test_a_machine_with_the_highest_byte_first_is_refused(flags: str) -> None:
    with pytest.raises(LiftError) as caught:
        parse(INTEGERS, clang_args=flags.split())
    assert caught.value.diagnostic.code == "clang-arguments"
    assert "highest byte" in caught.value.diagnostic.message


@pytest.mark.parametrize("target", ["aarch64-linux-gnu", "powerpc64le-linux-gnu"])
def test_a_machine_with_the_lowest_byte_first_is_read(target: str) -> None:
    assert parse(INTEGERS, clang_args=[f"--target={target}"]).kernels


@pytest.mark.parametrize("flag", ["-fwrapv", "-ftrapv", "-fno-strict-overflow"])
def test_options_that_define_overflow_are_refused(flag: str) -> None:
    with pytest.raises(LiftError) as caught:
        parse(INTEGERS, clang_args=[flag])
    assert flag in caught.value.diagnostic.message
    assert parse(INTEGERS, clang_args=[flag, flag.replace("-f", "-fno-").replace("no-no-", "")])


@pytest.mark.parametrize("flag", ["-m32", "-mx32", "-fshort-wchar"])
def test_other_sizes_of_types_are_refused(flag: str) -> None:
    with pytest.raises(LiftError):
        parse(INTEGERS, clang_args=[flag])


def test_the_sign_of_a_char_and_the_size_of_an_enum_are_the_options() -> None:
    text = "enum E { A, B = 200 };\nvoid f(char *d, E *e) { d[0] = d[1] / 2 + e[0]; }"
    types = {
        flag: [p.type.__repr__() for p in kernel(text, clang_args=[flag]).params]
        for flag in ("-fsigned-char", "-funsigned-char", "-fshort-enums")
    }
    assert types == {
        "-fsigned-char": ["int8", "uint32"],
        "-funsigned-char": ["uint8", "uint32"],
        "-fshort-enums": ["int8", "uint8"],
    }
