"""What is said of intrinsics that have no meaning here, and how they are given one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.parse import body_to_text, parse_file
from lifter.parse.older_headers import HEADERS
from lifter.parse.translation_unit import read_source

from .parsing import body, failure, parse

LOADED = "_mm_loadu_si128((const __m128i *)s)"
WHOLE = """#include <immintrin.h>
#include <stdint.h>
void f(uint8_t *d, const uint8_t *s, int n) {{
    {}
}}
"""


def stored(value: str) -> str:
    return WHOLE.format(f"_mm_storeu_si128((__m128i *)d, {value});")


@pytest.mark.parametrize("name", ["snippet.cpp", "snippet.c"])
def test_an_unknown_intrinsic_is_named_with_its_line_and_a_way_out(name: str) -> None:
    found = parse(stored(f"_mm_aesenc_si128({LOADED}, {LOADED})"), name)
    (failed,) = found.failed
    assert failed.diagnostic.span is not None and failed.diagnostic.span.line == 4
    assert "`_mm_aesenc_si128` isn't among" in failed.diagnostic.message
    help = failed.diagnostic.help or ""
    assert all(x in help for x in ("--model", "#include <immintrin.h>", "#ifdef LIFT_FUNCTION"))
    errors = [d for d in found.diagnostics if d.severity == "error"]
    assert len(errors) == 1, "what follows from it isn't said"


@pytest.mark.parametrize("name", ["of.cpp", "of.c"])
def test_a_model_is_what_it_means(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(stored(f"_mm_aesenc_si128({LOADED}, {LOADED})"))
    model = tmp_path / f"model.{name[3:]}"
    model.write_text(
        "#include <immintrin.h>\n#ifdef LIFT_FUNCTION\n"
        "static __m128i _mm_aesenc_si128(__m128i a, __m128i b) { return _mm_adds_epu8(a, b); }\n"
        "#endif\n"
    )
    found = parse_file(tmp_path / name, models=[model])
    assert not found.failed, found.failed
    assert "255" in body_to_text(found.kernels[-1].body)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("_mm_storeu_ps((float *)d, _mm_rcp_ps(_mm_loadu_ps((const float *)s)));", "an estimate"),
        ("_mm_storeu_ps((float *)d, _mm_rsqrt_ss(_mm_set1_ps(n)));", "an estimate"),
        ("_mm_setcsr(_mm_getcsr() | 0x8040); d[0] = n;", "rounded to the nearest"),
        ("_MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON); d[0] = n;", "rounded to the nearest"),
        ("_MM_SET_ROUNDING_MODE(_MM_ROUND_DOWN); d[0] = n;", "rounded to the nearest"),
    ],
)
def test_what_is_refused_says_why(text: str, why: str) -> None:
    found = failure(WHOLE.format(text))
    assert found.code == "unmodelled-call" and why in found.message, found


def test_a_model_may_say_what_a_refused_one_is_taken_to_mean(tmp_path: Path) -> None:
    value = "_mm_rcp_ps(_mm_loadu_ps(s))"
    text = (
        f"#include <immintrin.h>\nvoid f(float *d, const float *s) {{ _mm_storeu_ps(d, {value}); }}"
    )
    (tmp_path / "of.cpp").write_text(f"#include <immintrin.h>\n{text}")
    model = tmp_path / "model.cpp"
    model.write_text(
        "#include <immintrin.h>\n#ifdef LIFT_FUNCTION\n"
        "__m128 _mm_rcp_ps(__m128 a) { return _mm_div_ps(_mm_set1_ps(1), a); }\n#endif\n"
    )
    found = parse_file(tmp_path / "of.cpp", models=[model])
    assert "1.0f / " in body_to_text(found.kernels[0].body)


@pytest.mark.parametrize(
    ("value", "range"),
    [
        (f"_mm_shuffle_epi32({LOADED}, 256)", "0 to 255"),
        (f"_mm_shuffle_epi32({LOADED}, -1)", "0 to 255"),
        (f"_mm_insert_epi16({LOADED}, n, 8)", "0 to 7"),
        (f"_mm_insert_epi8({LOADED}, n, 16)", "0 to 15"),
        (f"_mm_cvtsi32_si128(_mm_extract_epi16({LOADED}, 9))", "0 to 7"),
        (f"_mm_blend_epi32({LOADED}, {LOADED}, 16)", "0 to 15"),
    ],
)
def test_a_constant_out_of_range_is_named(value: str, range: str) -> None:
    found = failure(stored(value))
    name = value.split("(")[1] if value.startswith("_mm_cvt") else value.split("(")[0]
    assert f"`{name}` takes a constant from {range}" in found.message
    assert found.span is not None and found.span.line == 4


def test_bytes_may_be_moved_by_any_number() -> None:
    assert body(stored(f"_mm_srli_si128({LOADED}, 300)")).count("s[") == 0


@pytest.mark.parametrize("attribute", ["", '__attribute__((target("avx2"))) '])
@pytest.mark.parametrize("flags", [(), ("-mssse3",), ("-mavx2",)])
def test_instructions_needn_t_be_switched_on(attribute: str, flags: tuple[str, ...]) -> None:
    """What a function means is the same on any machine that runs it."""
    value = "_mm256_loadu_si256((const __m256i *)s)"
    done = f"_mm256_storeu_si256((__m256i *)d, _mm256_add_epi32({value}, {value}));"
    text = f"#include <immintrin.h>\n{attribute}void f(int *d, const int *s) {{ {done} }}"
    assert body(text, clang_args=flags).count("d[") == 1


@pytest.mark.parametrize("header", ["xmmintrin.h", "immintrin.h", "x86intrin.h"])
def test_no_header_of_the_machine_is_read(header: str, tmp_path: Path) -> None:
    path = tmp_path / "of.cpp"
    path.write_text(f"#include <{header}>\nint f() {{ return 0; }}\n")
    source = read_source(path)
    assert source.host is None and not source.errors
    read = {str(include.include.name) for include in source.unit.get_includes()}
    assert read and all(Path(name).is_relative_to(HEADERS) for name in read)
