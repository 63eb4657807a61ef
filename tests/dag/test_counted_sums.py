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


def test_a_number_of_terms_for_each_element_that_nothing_bounds_is_told_at_once() -> None:
    with pytest.raises(LiftError, match="how many terms sum is made of") as raised:
        build_stage_graph(kernel(TEXT.format("2 * x + 1")))
    assert raised.value.diagnostic.code == "loop-bound"


def test_one_number_for_all_elements_is_none_that_a_call_is_told() -> None:
    with pytest.raises(
        LiftError, match=r"how many terms a sum has is read .*bounds\[1\]"
    ) as raised:
        build_stage_graph(kernel(TEXT.format("1")))
    assert raised.value.diagnostic.code == "loop-bound"


@pytest.mark.parametrize(
    ("first", "end", "weight", "most"),
    [
        ("0", "bounds[x]", "w[x * size + i]", "size"),
        ("0", "bounds[x]", "w[(x + 1) * 16 + i]", "16"),
        ("bounds[2 * x]", "bounds[2 * x + 1]", "w[size * x + i - bounds[2 * x]]", "size"),
        ("x < r ? 0 : x - r", "x + r", "1", "r * 2"),
        ("0", "x", "w[i]", None),
    ],
)
def test_as_many_terms_as_any_element_has(
    first: str, end: str, weight: str, most: str | None
) -> None:
    text = f"""
        void f(int *d, const int *s, const int *bounds, const int *w, int n, int size, int r) {{
            for (int x = 0; x < n; x++) {{
                int sum = 0;
                for (int i = {first}; i < {end}; i++) sum += s[i] * {weight};
                d[x] = sum;
            }}
        }}
    """
    (stage,) = build_stage_graph(kernel(text)).order
    bounds = [c for c in stage.claims if c.name == "bounds"]
    assert [c.text for c in bounds] == ([f"no sum has more than {most} terms"] if most else [])
