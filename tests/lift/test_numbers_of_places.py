"""Values and places that are computed of coordinates and parameters, in 64 bits and with any signs.

Each is proved without the concrete second opinion, which is then asked by itself; the twins differ
in what makes a shorter formula wrong.
"""

from __future__ import annotations

import pytest

from compiler.ir import I32, Cast, Variable, postorder
from lifter.model.lifted import FunctionResult
from tests.verify.differential import difference, lifted

ROUND = "static int mean(int v, int n) { return (v + n / 2) / n; }\n"
PIXELS = "int *d, const int *s, const u8 *p, const u8 *m, int n, int k"


def checked(text: str) -> FunctionResult:
    """The result for a function that is proved, and right on samples."""
    result = lifted(text)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    return result


def over(body: str, parameters: str = PIXELS) -> str:
    return f"void f({parameters}) {{ for (int i = 0; i < n; i++) {{ {body} }} }}"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "value", ["n == 0 ? 0 : n > w ? w - 1 : n - 1", "std::max(0L, std::min(n - 1, w - 1))"]
)
def test_a_table_of_borders_with_a_long_counter(value: str) -> None:
    text = f"void f(long *t, long w) {{ for (long n = 0; n < w + 2; n++) t[n] = {value}; }}"
    result = checked(text)
    assert result.proof is not None
    # Or else its last element would have no coordinate.
    assert "w <= 2147483646" in [p.text for p in result.proof.preconditions]


def test_a_long_parameter_is_used_in_64_bits_below_any_operator() -> None:
    value = "c * ((n << 1) - (w - 1)) / 2 + ((w - 1) << 15)"
    text = f"void f(long *t, long w, long c) {{ for (long n = 0; n < w; n++) t[n] = {value}; }}"
    nodes = set(postorder(checked(text).summaries[0].expression))
    assert not any(isinstance(x, Cast) and x.type is I32 and x.value.type.bits == 64 for x in nodes)
    assert any(isinstance(x, Variable) and x.name == "c" for x in nodes)


def test_a_remainder_of_a_counter_is_euclid_s_whatever_the_divisor_s_sign() -> None:
    result = checked(over("d[i] = s[i % k];"))
    assert repr(result.summaries[0].expression) == "s(x % k)"
    below = lifted(over("d[i] = s[(i - 3) % k + k];"))
    assert below.status != "proved" or difference(below) is None
    assert "s((x - 3) % k + k)" not in [repr(s.expression) for s in below.summaries]


@pytest.mark.parametrize("value", ["(s[i] + k / 2) / k", "s[i] / d[i]", "s[i] % k"])
def test_divisors_of_any_sign(value: str) -> None:
    checked(over(f"d[i] = {value};"))


@pytest.mark.slow
def test_a_function_divides_by_what_each_store_of_the_original_divides_by() -> None:
    assert "mean(" in repr(checked(ROUND + over("d[i] = mean(s[i], k);")).summaries[0].expression)
    # Here the original is defined where k is 0, so nothing is known of it.
    for value in ("p[i] > 9 ? mean(s[i], k) : 7", "k * 0 + (k ? mean(s[i], k) : 5)"):
        twin = lifted(ROUND + over(f"d[i] = {value};"))
        assert twin.status != "proved" or difference(twin, 200) is None, value


def test_a_histogram_under_a_mask_reads_no_pixel_outside_of_it() -> None:
    result = checked(over("if (m[i]) h[p[i]]++;", "unsigned *h, const u8 *p, const u8 *m, int n"))
    assert "select(m(r.x) != 0" in repr(result.summaries[0].expression)


@pytest.mark.slow
def test_a_sum_in_memory() -> None:
    more = ", unsigned long &t"
    assert checked(over("if (m[i]) t += p[i];", PIXELS + more)).summaries[0].kind == "reduction"
    assert checked(over("if (m[i]) { ++d[p[i]]; ++t; }", PIXELS + more)).summaries[1].domain
    # What no coordinate tells apart the DSL would add once; and this one isn't a sum.
    for body in ("t += 1;", "t += t > 100 ? 0 : p[i];"):
        twin = lifted(over(body, PIXELS + more))
        assert twin.status != "proved" or difference(twin, 200) is None, body
        assert twin.diagnostic is None or twin.diagnostic.code != "internal"


def test_what_led_to_a_loop_and_no_guard_can_test_is_no_precondition() -> None:
    text = """int report(int);
    int f(u8 *d, unsigned have, unsigned want) {
        if ((int)(want - have) <= 0 || want > 90) return 1;
        for (int k = (int)(want - have); k > 0; k--) *d++ = 7;
        return report(3); }"""
    result = lifted(text)
    assert result.status == "proved" and result.proof is not None, result.diagnostic
    shown = [p.text for p in result.proof.preconditions]
    assert "want <= 90" in shown and "want >= have" in shown
    assert not any("int32" in p for p in shown)
    # Who states such a thing is told.
    loop = "for (int i = 0; i < n; i++) d[i] = 7;"
    text = f"void f(u8 *d, int n, unsigned v) {{ assert((int)(v - 3u) > 0); {loop} }}"
    refused = lifted(text).diagnostic
    assert refused is not None and refused.code == "assumption-false"


@pytest.mark.slow
def test_a_sum_beside_a_store_sees_the_image_as_the_store_does() -> None:
    text = """void f(float *d, long pitch, long step, int w, int h, float v, int *out) { int n = 0;
        for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
            float &p = d[y * pitch + x * step]; if (p < 0) { p = v; n++; } }
        *out = n; }"""
    seen = [s.layouts["d"].strides for s in checked(text).summaries if "d" in s.layouts]
    assert len(seen) == 2 and seen[0] == seen[1]


@pytest.mark.slow
def test_places_that_are_divided_by_a_quotient_of_parameters_are_bounded() -> None:
    text = """void f(u8 *d, const u8 *s, unsigned n, int bits) {
        assert(bits == 2 || bits == 4);
        const int per = 8 / bits;
        for (unsigned x = 0; x < n; x++)
            d[x] = (s[x / per] >> (8 - bits - bits * (int)(x % per))) & ((1u << bits) - 1); }"""
    assert "(8 / bits)" in repr(checked(text).summaries[0].expression)
