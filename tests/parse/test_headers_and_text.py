"""The shipped headers stand alone; kernels read as text."""

from __future__ import annotations

import pytest

from lifter.parse import kernel_to_text

from .parsing import kernel, lines, parse
from .shipped import EACH, TOGETHER


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("header", EACH)
def test_each_shipped_header_reads_alone_and_twice(header: str) -> None:
    text = f"#include <{header}>\n#include <{header}>\nvoid f(int *d) {{ d[0] = 1; }}\n"
    found = parse(text)
    assert not found.diagnostics and [k.name for k in found.kernels] == ["f"]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("header", [h for h in EACH if h.endswith(".h")])
def test_each_c_header_reads_as_c(header: str) -> None:
    assert not parse(f"#include <{header}>\nvoid f(int *d) {{ d[0] = 1; }}\n", "a.c").diagnostics


def test_all_headers_fit_together() -> None:
    text = "".join(f"#include <{h}>\n" for h in TOGETHER) + "void f(int *d) { d[0] = INT_MAX; }\n"
    found = parse(text)
    assert not found.diagnostics and found.kernels


def test_a_kernel_as_text() -> None:
    found = kernel("""
        #include <cassert>
        #include <cstdint>
        static const uint8_t GAIN[2] = {3, 5};
        static int scaled(int v, int gain) { return v * gain >> 2; }
        void brighten(uint8_t *dst, const uint8_t *src, int stride, int w, int h) {
            assert(w <= stride);
            for (int y = 0; y < h; ++y, dst += stride)
                for (int x = 0; x < w; ++x)
                    dst[x] = scaled(src[y * stride + x], GAIN[x & 1]);
        }""")
    assert kernel_to_text(found) == lines("""
        pure int32 scaled(int32 v, int32 gain) = v * gain >> 2
        table uint8 GAIN[2] = {3, 5}
        void brighten(uint8 dst[], uint8 src[], int32 stride, int32 w, int32 h)
          requires w <= stride
        {
          dst = 0
          y = 0
          while (y < h) {
            x = 0
            while (x < w) {
              dst[dst + int64(x)] = uint8(scaled(int32(src[int64(y * stride + x)]), int32(GAIN[int64(x & 1)])))
            step
              x = x + 1
            }
          step
            y = y + 1
            dst = dst + int64(stride)
          }
        }
    """)  # noqa: E501


def test_a_function_keeps_its_own_text_and_signature() -> None:
    found = kernel("// é\nnamespace img {\nvoid f(int *d) {\n  d[0] = 1; // ü\n}\n}\n")
    assert found.source == "void f(int *d) {\n  d[0] = 1; // ü\n}"
    assert (found.qualified_name, found.signature, found.span.line) == ("img::f", "void (int *)", 3)


@pytest.mark.parametrize("std", ["c++11", "c++14", "c++20"])
def test_all_headers_fit_together_in_every_standard(std: str) -> None:
    text = "".join(f"#include <{h}>\n" for h in TOGETHER) + "void f(int *d) { d[0] = INT_MAX; }\n"
    found = parse(text, std=std)
    assert not found.diagnostics and found.kernels


@pytest.mark.parametrize("std", ["c99", "gnu11"])
def test_all_c_headers_fit_together_in_every_c(std: str) -> None:
    text = "".join(f"#include <{h}>\n" for h in TOGETHER if h.endswith(".h"))
    found = parse(text + "void f(int *d) { d[0] = INT_MAX; }\n", "a.c", std=std)
    assert not found.diagnostics and found.kernels
