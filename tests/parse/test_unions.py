"""Unions of integers, and structures beside their bytes, interpreted as g++ compiles them."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.kernel import Kernel

from .galleries import Gallery
from .parsing import failure, kernel

GALLERY = Gallery("unions.cpp")
UNION = "#include <cstdint>\nunion U { uint32_t w; uint8_t b[4]; MORE };\n"


def test_all_of_the_gallery_is_understood() -> None:
    assert not GALLERY.parsed.diagnostics
    assert [str(s.diagnostic) for s in GALLERY.parsed.failed] == []


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("kernel", GALLERY.parsed.kernels, ids=lambda kernel: kernel.name)
def test_interpreting_the_kernel_leaves_what_the_original_leaves(kernel: Kernel) -> None:
    GALLERY.check(kernel)


def test_the_order_of_the_bytes_is_told_once_for_each_union() -> None:
    found = next(k for k in GALLERY.parsed.kernels if k.name == "invert_lowest")
    notes = [w for w in found.warnings if "little endian" in w.message]
    assert [(w.code, w.severity) for w in notes] == [("assumed", "note")]
    assert notes[0].span is not None and notes[0].span.line == 37


def test_a_channel_of_a_union_is_proved() -> None:
    loop = "for (int i = 0; i < n; i++) { U p; p.w = d[i]; p.b[3] = 255; d[i] = p.w; }"
    result = lift_kernel(
        kernel(UNION.replace("MORE", "") + f"void f(uint32_t *d, int n) {{ {loop} }}"),
        LiftOptions(),
    )
    assert result.status == "proved", result.diagnostic


@pytest.mark.parametrize(
    ("more", "function", "code", "words"),
    [
        ("bool t;", "void f(int *d) { U u; u.w = 1; d[0] = u.t; }", "unsupported-type", "union"),
        (
            "uint32_t low : 4;",
            "void f(int *d) { U u; u.w = 1; d[0] = u.low; }", "unsupported-type", "union",
        ),
        ("", "void f(int *d, U u) { d[0] = u.w; }", "unsupported-type", "union"),
        ("", "void f(int *d, U &u) { d[0] = u.w; }", "unsupported-type", "union"),
        (
            "uint16_t h = 3;",
            "void f(int *d) { U u; d[0] = u.b[0]; }", "unsupported-type", "value of its own",
        ),
        (
            "", "void f(int *d) { U u[2] = {{1}, {2}}; d[0] = u[1].b[0]; }",
            "unsupported-expression", "list of values for unions",
        ),
        (
            "", "static const U T[2] = {{1}, {2}};\nvoid f(int *d, int i) { d[0] = T[i].b[0]; }",
            "unsupported-expression", "list of values for unions",
        ),
        (
            "U() { w = 7; }", "void f(int *d) { U u; d[0] = u.b[0]; }",
            "unsupported-type", "constructor",
        ),
        (
            "U &operator=(const U &o) { w = o.w + 1; return *this; }",
            "void f(int *d, U *s) { U u; u = s[1]; d[0] = u.b[0]; }",
            "unsupported-type", "copy operation of its own",
        ),
    ],
)  # fmt: skip
def test_other_unions_are_refused(more: str, function: str, code: str, words: str) -> None:
    found = failure(UNION.replace("MORE", more) + function)
    assert (found.code, words in found.message) == (code, True), found
    assert found.span is not None and found.help
