"""Range `for`, structured bindings and loops that are left in their middle, beside g++."""

from __future__ import annotations

import pytest

from lifter.model.kernel import Kernel

from .galleries import Gallery
from .parsing import body, failure, lines

GALLERY = Gallery("ranges.cpp")
SPAN = """
    #include <algorithm>
    #include <cstdint>
    struct Span { uint8_t *b; int n;
                  uint8_t *begin() { return b; } uint8_t *end() { return b + n; } };
"""


def test_all_of_the_gallery_is_understood() -> None:
    assert not GALLERY.parsed.diagnostics
    assert [str(s.diagnostic) for s in GALLERY.parsed.failed] == []


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kernel", GALLERY.parsed.kernels, ids=lambda kernel: kernel.name)
def test_interpreting_the_kernel_leaves_what_the_original_leaves(kernel: Kernel) -> None:
    GALLERY.check(kernel)


def test_a_range_is_a_counted_loop() -> None:
    assert body(SPAN + "void f(Span &s) { for (auto &p : s) p = 1; }") == lines("""
        i = 0
        while (i < int64(s.n)) {
          s.b[i] = 1
        step
          i = i + 1
        }
    """)


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        # A statement that libclang doesn't show.
        (
            "void f(Span &s) { for (s.n = 2; auto &p : s) p = 1; }",
            "unsupported-statement", (1, 19),
        ),
        # Iterators of a class of their own, and functions instead of methods.
        (
            "struct It { uint8_t *p; uint8_t &operator*() { return *p; }\n"
            "  It &operator++() { ++p; return *this; }\n"
            "  bool operator!=(const It &o) { return p != o.p; } };\n"
            "struct R { uint8_t *b; It begin() { return {b}; } It end() { return {b + 4}; } };\n"
            "void f(R &r) { for (auto &p : r) p = 1; }",
            "unsupported-statement", (5, 16),
        ),
        (
            "struct R { uint8_t *b; }; uint8_t *begin(R &r) { return r.b; }\n"
            "uint8_t *end(R &r) { return r.b + 4; }\n"
            "void f(R &r) { for (auto &p : r) p = 1; }",
            "unsupported-statement", (3, 16),
        ),
        # An end of its own.
        (
            "struct R { uint8_t *b, *e; uint8_t *begin() { return b; }\n"
            "  uint8_t *end() { return e; } };\nvoid f(R &r) { for (auto &p : r) p = 1; }",
            "pointer-base", (3, 16),
        ),
        # Elements that the variable converts by a function.
        (
            "struct E { uint8_t v; operator int() const { return v + 1; } };\n"
            "struct R { E *b; E *begin() { return b; } E *end() { return b + 4; } };\n"
            "void f(R &r, int *d) { for (int v : r) *d++ = v; }",
            "unsupported-type", (3, 29),
        ),
        # Memory that is seen at another width.
        (
            "struct R { uint8_t *b; uint16_t *begin() { return (uint16_t *)b; }\n"
            "  uint16_t *end() { return begin() + 4; } };\n"
            "void f(R &r) { r.b[9] = 1; for (auto &p : r) p = 1; }",
            "pointer-cast", (3, 28),
        ),
        # An order of floats.
        (
            "void f(float *d) { auto [a, b] = std::minmax({d[0], d[1]}); d[2] = a; }",
            "unsupported-type", (1, 34),
        ),
    ],
)  # fmt: skip
def test_other_ranges_are_refused(text: str, code: str, place: tuple[int, int]) -> None:
    found = failure(SPAN + text)
    assert found.span is not None
    assert (found.code, found.span.line - 4, found.span.column) == (code, *place)
    assert found.help
