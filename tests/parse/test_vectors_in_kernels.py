"""Vectors in kernels: what is stored stands in loops over lanes, and memory is what it was."""

from __future__ import annotations

import re

import pytest

from lifter.parse import body_to_text
from tests.verify.differential import parsed

from .parsing import failure

HEADER = "#include <immintrin.h>\n#include <cstdint>\ntypedef uint8_t u8;\n"
LOAD = "_mm_loadu_si128((const __m128i *)({}))"
STORE = "_mm_storeu_si128((__m128i *)({}), {});"


def text_of(body: str, parameters: str = "u8 *d, const u8 *s, int n") -> str:
    return body_to_text(parsed(f"#include <immintrin.h>\nvoid f({parameters}) {{ {body} }}").body)


def load(place: str) -> str:
    return LOAD.format(place)


def store(place: str, value: str) -> str:
    return STORE.format(place, value)


def in_loop(body: str) -> str:
    return f"for (int i = 0; i + 32 <= n; i += 16) {{ {body} }}"


def test_a_store_is_a_loop_over_lanes() -> None:
    text = text_of(in_loop(store("d + i", f"_mm_avg_epu8({load('s + i')}, {load('s + i + 1')})")))
    assert text.count("d[") == 1 and "while (lane < 16)" in text


def test_lanes_in_another_order_are_one_formula() -> None:
    swap = "_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)"
    text = text_of(in_loop(store("d + i", f"_mm_shuffle_epi8({load('s + i')}, {swap})")))
    assert text.count("d[") == 2 and "while (lane < 8)" in text


def test_lanes_with_nothing_in_common_stay() -> None:
    order = "_mm_setr_epi8(0, 3, 1, 7, 2, 9, 15, 4, 5, 12, 6, 8, 10, 13, 11, 14)"
    text = text_of(in_loop(store("d + i", f"_mm_shuffle_epi8({load('s + i')}, {order})")))
    assert text.count("d[") == 16


def test_what_another_lane_overwrites_was_read_before() -> None:
    body = f"__m128i v = {load('d + i + 1')}; {store('d + i + 2', 'v')}"
    text = text_of(in_loop(body))
    reads = [line.strip() for line in text.splitlines() if "= d[" in line]
    assert len(reads) == 16 and all(line.startswith("d.lane") for line in reads), text


def test_what_was_loaded_before_a_store_is_what_was_there() -> None:
    body = f"__m128i v = {load('d + i')}; {store('d + i + 8', load('s + i'))} {store('d + i', 'v')}"
    lines = [line.strip() for line in text_of(in_loop(body)).splitlines()]
    first = next(i for i, line in enumerate(lines) if line.startswith("d[int64(i) + 8"))
    for lane in range(8, 16):
        assert lines.index(f"d.lane.{lane} = d[int64(i) + {lane}]") < first


def test_a_vector_is_what_was_loaded_though_pointers_move() -> None:
    body = f"""while (n >= 32) {{
        __m128i a = {load("s")}; s += 16; __m128i b = {load("s")}; s += 16;
        {store("d", "b")} d += 16; {store("d", "a")} d += 16; n -= 32; }}"""
    text = text_of(body)
    assert text.count("while (lane") == 2 and text.count("d[") == 2, text
    assert "= s[s + (lane + 16)]" in text and "= s[s + lane.1]" in text


def test_numbers_that_change_are_kept_in_vectors() -> None:
    """`k` is another number when the vector is stored."""
    body = f"int k = n; __m128i v = _mm_set1_epi32(k); k = 7; {store('d', 'v')} d[16] = k;"
    text = text_of(in_loop(body))
    first = text.index("= k")
    assert first < text.index("k = 7")


def test_sums_in_vectors_have_a_scalar_for_each_lane() -> None:
    body = f"""__m128i sum = _mm_setzero_si128();
        for (int i = 0; i + 4 <= n; i += 4) sum = _mm_add_epi32(sum, {load("s + i")});
        {store("d", "sum")}"""
    text = text_of(body, "uint32_t *d, const uint32_t *s, int n")
    for lane in range(4):
        assert f"sum.{lane} = sum.{lane} + " in text


def test_lanes_that_change_places_are_read_before() -> None:
    """Scalars that hold a vector take their new numbers at once."""
    body = f"""__m128i v = {load("s")};
        for (int i = 0; i < n; i++) {{
            {store("d + 16 * i", "v")} v = _mm_alignr_epi8(v, v, 1); }}"""
    text = text_of(body)
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if line.startswith("v.") and "= v." in line]
    halves = kept[:16], kept[16:]
    assert len(kept) == 32
    assert not {x.split(" = ")[0] for x in halves[0]} & {x.split(" = ")[1] for x in halves[0]}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("__m128i v; _mm_storeu_si128((__m128i *)d, v);", "unsupported-expression"),
        ("__m128i v = _mm_setzero_si128(); v[n & 1] = 0; d[i] = v[0];", "unsupported-expression"),
        ("*(__m128 *)d = _mm_rcp_ps(*(const __m128 *)s);", "unmodelled-call"),
    ],
)
def test_what_is_not_understood_is_said(body: str, code: str) -> None:
    text = (
        f"{HEADER}void f(u8 *d, const u8 *s, int n) {{ for (int i = 0; i < n; i++) {{ {body} }} }}"
    )
    assert not code or failure(text).code == code


def test_scalars_that_hold_a_vector_are_read_before_they_are_set() -> None:
    """A lane that goes around was read when another one had taken its scalar."""
    body = """__m256i v = _mm256_set1_epi8(3);
        for (int i = 0; i < n; i += 8) {
            __m256i w = _mm256_loadu_si256((const __m256i *)(s + i));
            _mm256_storeu_si256((__m256i *)(d + i + 16), w);
            v = _mm256_alignr_epi8(v, w, 1);
        }
        _mm256_storeu_si256((__m256i *)d, v);"""
    lines = [line.strip() for line in text_of(body).splitlines()]
    set_at = next(i for i, x in enumerate(lines) if x.startswith("v.0 = ") and x != "v.0 = 3")
    read_at = next(i for i, x in enumerate(lines) if x.endswith(" = v.0"))
    assert read_at < set_at


def test_scalar_stores_in_turn_stay_in_their_order() -> None:
    body = """for (; n >= 4; n -= 4, d += 4, s += 4, t += 4) {
        d[0] = t[0]; s[1] = d[1]; d[1] = t[1]; s[2] = d[2];
        d[2] = t[2]; s[3] = d[3]; d[3] = t[3]; s[0] = 7; }"""
    text = text_of(body, "u8 *d, u8 *s, const u8 *t, int n")
    order = [line.split("[")[0].strip() for line in text.splitlines() if "] = " in line]
    assert order == ["d", "s"] * 4, text


def test_what_arguments_do_is_done_once() -> None:
    """Of a helper that has several ways, too."""
    helper = """static inline __m128i either(__m128i a, int k) {
        if (k) return _mm_adds_epu8(a, a);
        return a; }"""
    body = f"for (; n >= 16; n -= 16, d += 16) {store('d', 'either(LOADED, n)')}".replace(
        "LOADED", "_mm_loadu_si128((const __m128i *)s++)"
    )
    source = f"#include <immintrin.h>\n{helper}\nvoid f(u8 *d, const u8 *s, int n) {{ {body} }}"
    text = body_to_text(parsed(source).body)
    assert text.count("s = s + 1") == 1, text


def test_a_number_that_is_cast_has_the_vectors_bits() -> None:
    body = (
        "typedef u8 bytes __attribute__((vector_size(8))); bytes v = (bytes)0x0706050403020100LL;"
    )
    text = text_of(
        f"{body} for (int i = 0; i < n; i++) {{ d[8 * i] = v[3]; d[8 * i + 1] = v[5]; }}"
    )
    assert "= 3" in text and "= 5" in text, text


def test_vectors_that_may_overlap_are_stored_in_their_order() -> None:
    """What stands at `k` may be a part of either; it was stored behind both."""
    body = (
        f"{store('d + i', load('s'))} {store('d + k', load('t'))} {store('d + i + 16', load('s'))}"
    )
    text = text_of(
        f"for (int i = 0; i + 32 <= n; i += 32) {{ {body} }}",
        "u8 *d, const u8 *s, const u8 *t, int k, int n",
    )
    stores = [line.strip().split("lane")[0] for line in text.splitlines() if "] = " in line]
    assert stores == ["d[int64(i) + ", "d[int64(k) + ", "d[int64(i) + ("], text


def test_a_mask_of_bits_is_what_made_it() -> None:
    """What one bit of 32 chooses is one comparison."""
    body = """for (int i = 0; i < (n & ~31); i += 32) {
        __m256i a = _mm256_loadu_epi8(d + i), b = _mm256_loadu_epi8(s + i);
        const __mmask32 k = _mm256_cmpgt_epu8_mask(a, b);
        _mm256_storeu_epi8(d + i, _mm256_mask_blend_epi8(k, b, _mm256_subs_epu8(a, b)));
    }"""
    text = text_of(body)
    assert "while (lane < 32)" in text and "|" not in text and ">>" not in text, text


def test_masks_are_combined_bit_by_bit() -> None:
    body = """for (int i = 0; i < (n & ~15); i += 16) {
        __m512 a = _mm512_loadu_ps(s + i), b = _mm512_set1_ps(9.0f);
        __mmask16 k = _mm512_cmp_ps_mask(a, b, 1) & _mm512_cmp_ps_mask(b, a, 4) | 1;
        _mm512_storeu_ps(d + i, _mm512_mask_add_ps(a, k, a, b));
    }"""
    text = text_of(body, "float *d, const float *s, int n")
    assert "select(s[" in text and ">>" not in text, text


ALPHA = (
    "_mm_shuffle_epi8({}, _mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15))"
)
TAIL = f"""
for (int i = 0; i < n; ) {{
    const int m = n - i < 16 ? n - i : 16;
    u8 last[16] = {{0}};
    __builtin_memcpy(last, s + i, m);
    {store("last", f"_mm_avg_epu8({load('last')}, _mm_set1_epi8(3))")}
    __builtin_memcpy(d + i, last, m);
    i += m;
}}
"""


def test_an_array_that_holds_the_last_vector_is_its_lanes() -> None:
    text = text_of(TAIL)
    assert "last" not in text and text.count("d[") == 1
    assert "if (lane < int64(n - int32(i.begin)))" in text


def test_pixels_that_are_left_are_whole() -> None:
    """The alpha of a pixel that is stored was read, too: 4 * n bytes are whole pixels."""
    text = text_of(
        "u8 last[16] = {0}; if (n > 4) return; __builtin_memcpy(last, d, 4 * n);"
        + store("last", f"_mm_avg_epu8({load('last')}, {ALPHA.format(load('last'))})")
        + "__builtin_memcpy(d, last, 4 * n);"
    )
    assert "last" not in text and text.count("] = d.new") == 4, text
    assert "if (lane < int64(n))" in text


def test_a_count_that_is_no_multiple_leaves_parts_of_pixels() -> None:
    text = text_of(
        "u8 last[16] = {0}; __builtin_memcpy(last, d, n);"
        + store("last", f"_mm_avg_epu8({load('last')}, {ALPHA.format(load('last'))})")
        + "__builtin_memcpy(d, last, n);"
    )
    assert "select(lane * 4 + 3 < int64(n)" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("i += m;", "if (s[i] == 7) break; i += m;", id="left early"),
        ("i += m;", "i += m + 1;"),
        ("i += m;", "i += m; n -= 1;"),
        ("i += m;", "if (s[i]) i += m;"),
        ("n - i < 16 ? n - i : 16", "n - i < 16 ? 16 : n - i"),
        ("n - i < 16 ? n - i : 16", "n - i - 1 < 16 ? n - i - 1 : 16"),
        ("u8 last", "m = 3; u8 last"),
    ],
)
def test_pieces_that_are_not_whole_stay(old: str, new: str) -> None:
    changed = TAIL.replace("const int m", "int m").replace(old, new)
    assert "i.begin" not in text_of(changed)


def test_channels_that_are_made_of_others_of_their_pixel_are_made_before() -> None:
    alpha = (
        "_mm_shuffle_epi8({}, _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12))"
    )
    body = f"_mm_adds_epu8({load('d + i')}, {alpha.format(load('d + i'))})"
    text = text_of(in_loop(store("d + i", body)))
    assert text.count("d.new") == 8, text
    assert "while (lane < 4)" in text
    first_store = text.index("] = d.new")
    assert all(text.index(f"d.new{n} = ") < first_store for n in ("", ".1", ".2", ".3"))


def test_channels_of_the_next_pixel_stay() -> None:
    following = "_mm_srli_si128({}, 4)"
    body = f"_mm_adds_epu8({load('d + i')}, {following.format(load('d + i'))})"
    text = text_of(in_loop(store("d + i", body)))
    assert "lane * 4" not in text and "d[int64(i)] = " in text


def test_a_vector_that_one_path_sets_is_what_that_path_set() -> None:
    """On the other path reading it is undefined, as in C."""
    text = text_of(f"__m128i b; if (n > 1) b = {load('s')}; if (n > 2) {{ {store('d', 'b')} }}")
    first, last = text.split("if (n > 2)")
    assert "uint8 b.7\n" in first and "b.7 = s.lane.7\n" in first and "d[7] = b.7\n" in last


def test_lanes_that_a_path_leaves_undefined_are_undefined() -> None:
    """They don't stay what they were on the path before."""
    body = f"""__m256i b = _mm256_setzero_si256();
        for (int i = 0; i < n; i++) {{
            _mm256_storeu_si256((__m256i *)(d + 32 * i), b);
            b = _mm256_castsi128_si256({load("s + i")});
        }}"""
    text = text_of(body)
    assert re.search(r"\n  b\.1 = .*\n  \w+ b\.2\n  \w+ b\.3\n", text), text


def test_a_counter_that_another_copy_reads_keeps_its_loop() -> None:
    body = f"""
    u8 last[16]; long j, k;
    for (j = 0; j < 16; j++) last[j] = s[j];
    {store("d", load("last"))}
    for (k = 0; k < n; k++) d[k + 16] = s[j];
    """
    assert "while (j < 16)" in text_of(body)
