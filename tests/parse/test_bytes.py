"""Bytes are bytes: what copies memory, or looks at it as another type, never converts numbers."""

from __future__ import annotations

import pytest

from .parsing import body, failure, lines

INCLUDES = (
    "#include <algorithm>\n#include <cstdint>\n#include <cstdlib>\n#include <cstring>\n"
    "#include <vector>\n"
)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "text",
    [
        "void f(int *d, const float *s, int n) { memcpy(d, s, n * sizeof(int)); }",
        "void f(int *d, const float *s, int n) { memmove(d, s, n * sizeof(int)); }",
        "void f(float *d, const unsigned *s, int n) { memcpy(d, s, n * sizeof(float)); }",
        "void f(int *d, const float *s, int n) {"
        " for (int i = 0; i < n; i++) memcpy(&d[i], &s[i], 4); }",
        "void f(long *d, const double *s, int n) { memcpy(d, s, n * sizeof(long)); }",
        "void f(int *d) { float t[4] = {1, 2, 3, 4}; memcpy(d, t, 16); }",
        "void f(int *d, const float *s) { int t[4]; memcpy(t, s, 16); d[0] = t[3]; }",
        "void f(int *d, const std::vector<float> &v) { memcpy(d, v.data(), 4 * v.size()); }",
        "void f(uint8_t *d, const bool *s, int n) { memcpy(d, s, n); }",
        "void f(float *d, const int *s, int n) { std::copy(s, s + n, (int *)d); }",
        "void f(int *d, const float *s, int n) { std::copy((int *)s, (int *)s + n, d); }",
        "void f(float *d, int n) { std::fill((int *)d, (int *)d + n, 1); }",
        "void f(int *d, const float *s) { for (int v : *(const int (*)[4])s) *d++ = v; }",
        "void f(int *d, const float *s, int n) {"
        " const int *p = (const int *)s; for (int i = 0; i < n; i++) d[i] = p[i]; }",
        "void f(int *d, int n) { int x = n; *(float *)&x = 1.0f; d[0] = x; }",
        "struct P { int a, b; };\nstruct Q { float a, b; };\n"
        "void f(P *d, const Q *s) { d[0] = ((const P *)s)[0]; }",
    ],
)
def test_numbers_of_one_width_and_two_kinds_are_refused(text: str) -> None:
    assert failure(INCLUDES + text).code in ("pointer-cast", "unsupported-type")


def test_integers_of_one_width_are_copied_whatever_their_sign() -> None:
    text = "void f(unsigned *d, const int *s, int n) { memcpy(d, s, n * sizeof(int)); }"
    assert "d[i] = uint32(s[i])" in body(INCLUDES + text)


def test_floats_are_copied_as_they_are() -> None:
    text = "void f(float *d, const float *s, int n) { memmove(d, s, n * sizeof(float)); }"
    assert "d[i] = s[i]" in body(INCLUDES + text)


def test_an_algorithm_converts_elements_and_not_bytes() -> None:
    text = "void f(float *d, const int *s, int n) { std::copy(s, s + n, d); }"
    assert "d[i] = float32(s[i])" in body(INCLUDES + text)
    text = "void f(uint8_t *d, float v, int n) { std::fill((int8_t *)d, (int8_t *)d + n, v); }"
    assert "d[i] = uint8(int8(v))" in body(INCLUDES + text)


def test_what_is_swapped_are_the_places_as_they_were() -> None:
    text = "void f(int *d, int i) { std::swap(i, d[i]); d[8] = i; }"
    assert body(INCLUDES + text) == lines("""
        b.index = int64(i)
        kept = i
        i = d[b.index]
        d[b.index] = kept
        d[8] = i
    """)
