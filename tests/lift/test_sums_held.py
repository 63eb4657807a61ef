"""Elements that inner loops add to in memory, lifted end to end."""

from __future__ import annotations

import pytest

from lifter.dag.sums_held import with_sums_held
from lifter.parse import body_to_text
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

SIZES = "int n, int m"
LIFTED = {
    "a product of matrices": "const int *a, const int *b, int *c|"
    "for (int j = 0; j < m; j++) { c[i * m + j] = 0;"
    " for (int k = 0; k < n; k++) c[i * m + j] += a[i * n + k] * b[k * m + j]; }",
    "of floats": "const float *a, float *c|"
    "c[i] = 0; for (int k = 0; k < m; k++) c[i] += a[i * m + k]; c[i] *= 2;",
    "on top of what was there": "const u8 *a, int *c|"
    "for (int k = 0; k < m; k++) c[i] += a[i * m + k];",
    "by two loops": "const u8 *a, uint16_t *c|"
    "c[i] = 1; for (int k = 0; k < 3; k++) for (int l = 0; l < 2; l++) c[i] += a[i + 5 * k + l];",
    "under a condition": "const u8 *a, int *c|"
    "c[i] = 9; for (int k = 0; k < m; k++) if (a[k] > i) c[i] += a[i * m + k];",
}


def function(text: str) -> str:
    parameters, body = text.split("|")
    return f"void f({parameters}, {SIZES}) {{ for (int i = 0; i < n; i++) {{ {body} }} }}"


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", LIFTED)
def test_a_sum_is_held_in_a_scalar(way: str) -> None:
    result = lifted(function(LIFTED[way]))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "text",
    [
        # Another element of the array is read, or stored; the place moves, or is read from what is
        # stored; the array is taken at two places; nothing need be stored at all.
        "const int *a, int *c|for (int k = 0; k < m; k++) c[i] += c[k];",
        "const int *a, int *c|for (int k = 0; k < m; k++) { c[i] += a[k]; c[i + 1] = k; }",
        "const int *a, int *c|for (int k = 0; k < m; k++) c[i + k] += a[k];",
        "int *a, int *c|for (int k = 0; k < m; k++) { c[a[i]] += 1; a[k] = k; }",
        "const int *a, int *c|for (int k = 0; k < m; k++) if (a[k]) c[i] += 1;",
        "const int *a, int *c|for (int k = 0; k < m; k++) { c[i] += 1; if (a[k]) break; }",
    ],
)
def test_what_may_touch_other_elements_or_none_stays_in_memory(text: str) -> None:
    made = kernel(f"#include <cstdint>\n{function(text)}")
    assert with_sums_held(made) is made


def test_an_element_is_touched_only_where_the_loop_runs() -> None:
    text = "const int *a, int *c|for (int k = 0; k < m; k++) c[i] += a[k];"
    made = with_sums_held(kernel(function(text)))
    assert "if (k < m)" in body_to_text(made.body)
    result = lifted(function(text))
    assert result.status == "proved" and difference(result) is None


def test_sums_of_floats_begin_with_what_was_there() -> None:
    text = "const float *a, float *c|for (int k = 0; k < m; k++) c[i] += a[i * m + k];"
    assert lifted(function(text)).status != "proved"


def test_what_is_asserted_of_the_element_is_said_of_the_scalar() -> None:
    text = (
        "const u8 *a, int *c|c[i] = 0; for (int k = 0; k < m; k++)"
        " { assert(c[i] < 50); c[i] += a[i * m + k]; }"
    )
    made = with_sums_held(
        kernel(f"#include <cassert>\ntypedef unsigned char u8;\n{function(text)}")
    )
    assert "assume c.held.1 < 50" in body_to_text(made.body)
