"""Steps that are a quotient of parameters: `step = (last - first) / n; v += step`.

The concrete second opinion is switched off.
"""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

RAMP = """void f(u8 *d, int first, int last, int16_t n) {
    assert(first >= 0 && first <= 65536 && last >= 0 && last <= 65536);
    int step = (last - first) / n, v = first;
    for (int i = 0; i < n; i++) { d[i] = (u8)((d[i] * (v & 127)) >> 7); v += step; } }"""


def test_a_ramp_of_a_step_that_rounds_toward_zero_is_proved() -> None:
    result = lifted(RAMP)
    assert result.status == "proved", result.diagnostic
    shown = repr(result.summaries[0].expression)
    assert "(last - first + select(last - first < 0, int32(n) - 1, 0)) / int32(n)" in shown
    assert difference(result) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "before, after",
    [("/ n", "/ (n + 1)"), ("/ n", "/ n - 1"), ("v += step", "v -= step"), ("v = first", "v = 0")],
)
def test_another_step_is_another_summary(before: str, after: str) -> None:
    result, other = lifted(RAMP), lifted(RAMP.replace(before, after))
    assert result.summaries[0].expression is not other.summaries[0].expression
    assert other.status != "proved" or difference(other) is None


@pytest.mark.slow
def test_the_step_of_a_width_that_may_be_negative_is_right_or_refused() -> None:
    """The divisor isn't the extent of a loop, so nothing says that it is positive."""
    result = lifted(RAMP.replace("/ n, v", "/ k, v").replace("int16_t n", "int16_t n, int k"))
    assert result.status != "proved" or difference(result) is None
