"""Sums whose number of terms memory says."""

from __future__ import annotations

import pytest

from lifter.dag import build_stage_graph
from lifter.model.diagnostic import LiftError
from tests.parse.parsing import kernel

TEXT = """
    #include <cstdint>
    void f(uint8_t *d, const uint8_t *s, const int *bounds, int n) {{
        for (int x = 0; x < n; x++) {{
            int sum = 0;
            for (int i = 0; i < bounds[{0}]; i++) sum += s[bounds[2 * x] + i];
            d[x] = sum;
        }}
    }}
"""


def test_a_number_of_terms_for_each_element_is_told_at_once() -> None:
    with pytest.raises(LiftError, match="how many terms sum is made of") as raised:
        build_stage_graph(kernel(TEXT.format("2 * x + 1")))
    assert raised.value.diagnostic.code == "loop-bound"


def test_one_number_for_all_elements_is_a_bound() -> None:
    (stage,) = build_stage_graph(kernel(TEXT.format("1"))).order
    assert "bounds[1]" in str(stage.writes[0].value)
