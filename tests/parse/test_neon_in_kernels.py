"""NEON in kernels: structures of vectors, elements of which several vectors come in turn."""

from __future__ import annotations

from lifter.parse import body_to_text
from tests.verify.differential import parsed

from .parsing import codes, failure, parse


def text_of(body: str, parameters: str = "uint8_t *d, const uint8_t *s, int n") -> str:
    loop = f"for (int i = 0; i + 16 <= n; i += 16) {{ {body} }}"
    return body_to_text(parsed(f"#include <arm_neon.h>\nvoid f({parameters}) {{ {loop} }}").body)


def test_channels_are_the_elements_in_turn() -> None:
    text = text_of("uint8x16x3_t v = vld3q_u8(s + 3 * i); vst1q_u8(d + i, v.val[1]);")
    assert text.count("d[") == 1 and "while (lane < 16)" in text
    assert "s[int64(3 * i) + (lane * 3 + 1)]" in text


def test_channels_change_places() -> None:
    body = "uint8x8x3_t v = vld3_u8(s + i), w = v; w.val[0] = v.val[2]; w.val[2] = v.val[0];"
    text = text_of(f"{body} vst3_u8(d + i, w);")
    assert text.count("d[") == 3 and "while (lane < 8)" in text


def test_a_list_gives_vectors_in_an_object_their_values() -> None:
    for braces in ("{a, b}", "{{a, b}}"):
        body = f"uint8x8_t a = vld1_u8(s + i), b = vld1_u8(s + i + 8); uint8x8x2_t v = {braces};"
        text = text_of(f"{body} vst2_u8(d + i, v);")
        assert text.count("d[") == 2 and "while (lane < 8)" in text


def test_what_a_list_leaves_out_is_zero() -> None:
    text = text_of("uint8x8x2_t v = {{vld1_u8(s + i)}}; vst1_u8(d + i, v.val[1]);")
    assert "= 0" in text and "s[" not in text.split("d[")[1]


def test_a_structure_s_single_vector_has_a_value() -> None:
    text = text_of("struct { uint8x8_t v; } p = {vld1_u8(s + i)}; vst1_u8(d + i, p.v);")
    assert "while (lane < 8)" in text and "d[" in text


def test_lanes_go_to_memory_one_by_one() -> None:
    text = text_of("vst1_lane_u8(d + i, vld1_u8(s + i), 3);")
    assert text.count("d[") == 1 and "= s[int64(i) + 3]" in text


def test_a_source_is_for_the_machine_that_has_its_header() -> None:
    """Without `-target`: `char` has no sign on AArch64, and its macros are there."""
    source = """#include <arm_neon.h>
    #ifdef __ARM_NEON
    void f(uint8_t *d, const char *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i] / 2; }
    #endif"""
    kernel = parsed(source)
    assert {p.name: str(p.type) for p in kernel.params}["s"] == "uint8"


def test_constants_out_of_range_are_named() -> None:
    for call, text in (
        ("vshr_n_u8(v, 9)", "`vshr_n_u8` takes a constant from 1 to 8, and this is 9"),
        ("vdup_lane_u8(v, 8)", "`vdup_lane_u8` takes a constant from 0 to 7, and this is 8"),
    ):
        body = f"uint8x8_t v = vld1_u8(s); vst1_u8(d, {call});"
        found = failure(f"#include <arm_neon.h>\nvoid f(uint8_t *d, const uint8_t *s) {{ {body} }}")
        assert (found.code, found.message) == ("unsupported-expression", text)


def test_loops_over_vectors_move_pointers_with_their_counters() -> None:
    for step in ("k++, p += n", "p += n, k++"):
        loop = f"for (int k = 0; k < 3; {step}) r[k] = vld1_u8(p);"
        text = text_of(f"uint8x8_t r[3]; const uint8_t *p = s; {loop} vst1_u8(d + i, r[2]);")
        assert "s[int64(n) + int64(n) + lane]" in text, text


def test_floats_of_16_bits_are_kept_and_converted() -> None:
    loop = "for (int i = 0; i + 4 <= n; i += 4) vst1q_f32(d + i, vcvt_f32_f16(vld1_f16(s + i)));"
    text = body_to_text(
        parsed(
            f"#include <arm_neon.h>\nvoid f(float *d, const float16_t *s, int n) {{ {loop} }}"
        ).body
    )
    assert text.count("d[") == 1 and "while (lane < 4)" in text and "float32(reinterpret(s[" in text


def test_nothing_is_computed_in_floats_of_16_bits() -> None:
    body = "float16_t x = *s; d[0] = x + x;"
    found = parse(f"#include <arm_neon.h>\nvoid f(float *d, const float16_t *s) {{ {body} }}")
    assert not found.kernels and codes(found)
