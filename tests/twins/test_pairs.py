"""Pairs of functions: equal is what is proved, and what differs is shown with an input."""

from __future__ import annotations

import pytest

from .conftest import Compare

AVERAGE = """
void f(uint8_t *d, const uint8_t *a, const uint8_t *b, int n)
{
    for (int i = 0; i < n; i++) d[i] = (uint8_t)((a[i] + b[i] + 1) >> 1);
}
"""
BY_SSE2 = """
#include <emmintrin.h>
void g(uint8_t *out, const uint8_t *p, const uint8_t *q, int count)
{
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(p + i));
        __m128i w = _mm_loadu_si128((const __m128i *)(q + i));
        _mm_storeu_si128((__m128i *)(out + i), _mm_avg_epu8(v, w));
    }
    for (; i < count; i++) out[i] = (uint8_t)((p[i] + q[i] + 1) / 2);
}
"""


def test_a_twin_by_sse2_is_equal_under_other_names_of_parameters(compare: Compare) -> None:
    found = compare(AVERAGE, BY_SSE2)
    assert found.verdict == "equal" and found.obligations > 10
    assert found.preconditions == ("d and a don't overlap", "d and b don't overlap")


@pytest.mark.parametrize(
    ("old", "new", "n"),
    [
        ("+ 1) / 2", ") / 2", 1),
        ("_mm_avg_epu8(v, w)", "_mm_avg_epu8(v, v)", 16),
        ("_mm_avg_epu8(v, w)", "_mm_avg_epu16(v, w)", 16),
        ("for (; i < count; i++)", "for (; i < count - 1; i++)", 1),
        ("i + 16 <= count", "i + 15 <= count", 15),
        ("i += 16) {", "i += 17) {", 17),
    ],
)
def test_the_smallest_row_on_which_a_mutant_differs(
    compare: Compare, old: str, new: str, n: int
) -> None:
    assert old in BY_SSE2
    found = compare(AVERAGE, BY_SSE2.replace(old, new))
    assert found.verdict == "not-equal" and found.input is not None
    assert found.input["scalars"]["n"] == n


def test_a_product_that_saturates_at_one_coefficient_alone(compare: Compare) -> None:
    one = """
    void f(int16_t *d, const int16_t *a, const int16_t *b, int n)
    {
        for (int i = 0; i < n; i++) {
            int v = (a[i] * b[i] + 16384) >> 15;
            d[i] = (int16_t)(v > 32767 ? 32767 : v);
        }
    }"""
    other = one.replace("void f", "void g").replace("v > 32767 ? 32767 : v", "v")
    found = compare(one, other)
    assert found.verdict == "not-equal" and found.input is not None
    assert found.input["scalars"] == {"n": 1}
    assert found.input["arrays"] == {"d": [], "a": [[0, -32768]], "b": [[0, -32768]]}


TABLE = """
static const uint8_t table[4] = {%s};
void %s(uint8_t *d, const uint8_t *s, int n)
{
    for (int i = 0; i < n; i++) d[i] = table[s[i] & 3];
}
"""


def test_tables_of_one_name_hold_what_their_file_says(compare: Compare) -> None:
    one = TABLE % ("1, 2, 3, 4", "f")
    assert compare(one, TABLE % ("1, 2, 3, 4", "g")).verdict == "equal"
    found = compare(one, TABLE % ("1, 2, 3, 5", "g"))
    assert found.verdict == "not-equal" and found.input is not None
    assert found.input["arrays"]["s"] == [[0, 3]]


HELPER = """
static int half(int v) { return %s; }
void %s(uint8_t *d, const uint8_t *s, int n)
{
    for (int i = 0; i < n; i++) d[i] = (uint8_t)half(s[i]);
}
"""


def test_helpers_of_one_name_do_what_their_file_says(compare: Compare) -> None:
    one = HELPER % ("v / 2", "f")
    assert compare(one, HELPER % ("v >> 1", "g")).verdict == "equal"
    assert compare(one, HELPER % ("(v + 1) >> 1", "g")).verdict == "not-equal"


def test_what_is_returned_counts(compare: Compare) -> None:
    text = """
    int %s(uint8_t *d, int n)
    {
        for (int i = 0; i < n; i++) d[i] = 7;
        return %s;
    }"""
    one = text % ("f", "n > 0 ? n : 0")
    assert compare(one, text % ("g", "n < 0 ? 0 : n")).verdict == "equal"
    found = compare(one, text % ("g", "n"))
    assert found.verdict == "not-equal" and found.input is not None
    assert found.message == "what they return differs"
    assert found.input["scalars"] == {"n": -1}


def test_sums_that_are_returned_are_compared(compare: Compare) -> None:
    one = """
    uint32_t f(const uint8_t *s, int n)
    {
        uint32_t sum = 0;
        for (int i = 0; i < n; i++) sum += s[i];
        return sum;
    }"""
    assert compare(one, one.replace(" f(", " g(")).verdict == "equal"
    found = compare(one, one.replace(" f(", " g(").replace("uint32_t sum", "uint8_t sum"))
    assert found.verdict == "not-equal"


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        ("s[i] < lo ? lo : s[i]", "equal"),
        ("s[i] > lo ? s[i] : lo", "not-equal"),  # NaN
        ("s[i] <= lo ? lo : s[i]", "not-equal"),  # the zeros
    ],
)
def test_floats_are_compared_by_their_bits(compare: Compare, other: str, verdict: str) -> None:
    text = """
    void %s(float *d, const float *s, float lo, int n)
    {
        for (int i = 0; i < n; i++) d[i] = %s;
    }"""
    found = compare(text % ("f", "s[i] < lo ? lo : s[i]"), text % ("g", other))
    assert found.verdict == verdict


def test_elements_that_one_of_them_alone_writes_differ(compare: Compare) -> None:
    one = "void f(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }"
    rounded = "void g(uint8_t *d, int n) { for (int i = 0; i < (n + 3) / 4 * 4; i++) d[i] = 7; }"
    found = compare(one, rounded)
    assert found.verdict == "not-equal" and found.input is not None
    assert found.input["scalars"]["n"] == 1


def test_what_callers_keep_to_is_assumed_and_shown(compare: Compare) -> None:
    text = """
    void %s(uint8_t *d, const uint8_t *s, int level, int n)
    {
        for (int i = 0; i < n; i++) d[i] = s[i] >= %s ? 255 : 0;
    }"""
    one, other = text % ("f", "level"), text % ("g", "(uint8_t)level")
    assert compare(one, other).verdict == "not-equal"
    stated = "level >= 0 && level <= 255"
    found = compare(one, other, assume=(stated,))
    assert found.verdict == "equal" and stated in found.preconditions


def test_an_assertion_of_one_of_them_is_a_precondition_of_both(compare: Compare) -> None:
    one = "void f(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }"
    other = """
    #include <assert.h>
    void g(uint8_t *d, int n)
    {
        assert(n % 4 == 0);
        for (int i = 0; i < n / 4 * 4; i++) d[i] = 7;
    }"""
    found = compare(one, other)
    assert found.verdict == "equal" and "n % 4 == 0" in found.preconditions


def test_functions_of_other_parameters_are_no_twins(compare: Compare) -> None:
    one = "void f(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }"
    other = "void g(uint16_t *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }"
    found = compare(one, other)
    assert found.verdict == "unreadable"
    assert found.message.startswith("they take other parameters: `void (uint8_t *, int)`")


def test_a_function_that_isnt_there(compare: Compare) -> None:
    found = compare("void f(uint8_t *d) { d[0] = 1; }", "void h(uint8_t *d) { d[0] = 1; }")
    assert found.verdict == "unreadable" and "has no function g" in found.message


def test_where_one_isnt_understood_nothing_is_said(compare: Compare) -> None:
    one = "void f(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }"
    other = """
    void away(uint8_t *);
    void g(uint8_t *d, int n) { for (int i = 0; i < n; i++) away(d + i); }"""
    found = compare(one, other)
    assert found.verdict == "undecided" and "[unmodelled-call]" in found.message


def test_a_loop_that_data_ends_is_undecided_where_no_input_differs(compare: Compare) -> None:
    one = """
    int f(const uint8_t *s, int n)
    {
        int i = 0;
        while (i < n && s[i] != 0) i++;
        return i;
    }"""
    other = one.replace("int f(", "int g(").replace("i < n && s[i] != 0", "s[i] != 0 && i < n")
    assert compare(one, other).verdict in ("undecided", "equal")
    wrong = one.replace("int f(", "int g(").replace("s[i] != 0", "s[i] > 1")
    assert compare(one, wrong).verdict == "not-equal"


def test_a_sum_in_another_order_isnt_equal_in_floats(compare: Compare) -> None:
    text = "void %s(float *d, const float *s, int n) { for (int i = 0; i < n; i++) d[i] = %s; }"
    one = text % ("f", "(s[3 * i] + s[3 * i + 1]) + s[3 * i + 2]")
    other = text % ("g", "s[3 * i] + (s[3 * i + 1] + s[3 * i + 2])")
    assert compare(one, other).verdict == "not-equal"


def test_rows_in_place_are_done_once_or_twice(compare: Compare) -> None:
    one = "void f(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = (uint8_t)(d[i] + 1); }"
    overlapped = """
    void g(uint8_t *d, int n)
    {
        int i;
        if (n < 4) { for (i = 0; i < n; i++) d[i] = (uint8_t)(d[i] + 1); return; }
        for (i = 0; i + 4 <= n; i += 4)
            for (int k = 0; k < 4; k++) d[i + k] = (uint8_t)(d[i + k] + 1);
        if (i < n)
            for (int k = 0; k < 4; k++) d[n - 4 + k] = (uint8_t)(d[n - 4 + k] + 1);
    }"""
    found = compare(one, overlapped)
    assert found.verdict == "not-equal" and found.input is not None
    assert found.input["scalars"]["n"] == 5


def test_where_one_of_them_overflows_nothing_differs(compare: Compare) -> None:
    text = """
    void %s(int32_t *d, const int32_t *a, const int32_t *b, int n)
    {
        for (int i = 0; i < n; i++) d[i] = %s;
    }"""
    one = text % ("f", "(a[i] + b[i]) / 2")
    found = compare(one, text % ("g", "(int32_t)(((int64_t)a[i] + b[i]) / 2)"))
    assert found.verdict != "not-equal"


def test_where_one_of_them_divides_by_zero_nothing_differs(compare: Compare) -> None:
    text = """
    void %s(int32_t *d, int32_t *e, int k, int n)
    {
        for (int i = 0; i < n; i++) {
            d[i] = %s;
            e[i] = %s;
        }
    }"""
    found = compare(text % ("f", "100 / k", "k ? 1 : 2"), text % ("g", "k ? 100 / k : 0", "1"))
    assert found.verdict != "not-equal"
