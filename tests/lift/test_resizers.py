"""Passes of resizers: sums of which each element has a number of terms of its own, in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.ir import I64, Variable, const
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from lifter.model.summary import Limit
from tests.parse.parsing import kernel
from tests.verify.proving import step

HEADER = "#include <cstdint>\ntypedef uint8_t u8;\n"
PASS = "u8 *d, const u8 *s, int *bounds, const int *w, int n, int h, int pitch, int size"


def text_of(body: str, parameters: str = PASS) -> str:
    return f"{HEADER}void f({parameters}) {{\n{body}\n}}\n"


def lift(body: str, parameters: str = PASS) -> FunctionResult:
    return lift_kernel(kernel(text_of(body, parameters)), LiftOptions())


ROW = """
    for (int x = 0; x < n; x++) {
        int from = bounds[2 * x], count = bounds[2 * x + 1], sum = 1 << 15;
        for (int i = 0; i < count; i++) sum += s[from + i] * w[x * size + i];
        d[x] = sum < 0 ? 0 : sum >> 16 > 255 ? 255 : (u8)(sum >> 16);
    }
"""
FLOATS = (
    "float *d, const float *s, const int *first, const int *last, const float *w, int n, int size"
)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("body", "parameters", "limit"),
    [
        (ROW, PASS, "bounds(x * 2 + 1) <= size"),
        (
            """for (int y = 0; y < h; y++) for (int x = 0; x < n; x++) {
                int from = bounds[2 * x], sum = 0; const int *k = &w[x * size];
                for (int i = 0; i < bounds[2 * x + 1]; ++i) sum += s[from + i] * k[i];
                d[y * n + x] = (u8)(sum >> 14); }""",
            PASS,
            "bounds(x * 2 + 1) <= size",
        ),
        (
            """for (int y = 0; y < h; y++) { int from = bounds[2 * y], count = bounds[2 * y + 1];
                for (int x = 0; x < n; x++) { int sum = 0, i = 0;
                while (i < count) { sum += s[(from + i) * pitch + x] * w[y * 8 + i]; i++; }
                d[y * pitch + x] = (u8)(sum >> 14); } }""",
            PASS,
            "bounds(y * 2 + 1) <= 8",
        ),
        (
            """for (int x = 0; x < n; x++) { float sum = 0; int begin = first[x], end = last[x];
                for (int i = begin; i <= end; i++) sum += s[i] * w[x * size + (i - begin)];
                d[x] = sum; }""",
            FLOATS,
            "int64(last(x)) + 1 - int64(first(x)) <= size",
        ),
    ],
)
def test_a_pass(body: str, parameters: str, limit: str) -> None:
    result = lift(body, parameters)
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    (found,) = (p for p in result.proof.preconditions if p.kind == "limit")
    assert found.text == f"{limit} at each point of d"


@pytest.mark.slow
@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "body",
    [
        # What says how many there are isn't read for each element: the guard can't look there.
        ROW.replace("d[x] =", "if (s[x]) d[x] =").replace(
            "int from", "if (!s[x]) continue; int from"
        ),
        # The counts change meanwhile.
        ROW.replace("d[x] =", "bounds[2 * x + 1] = 1; d[x] ="),
        # An element's terms begin where the one before ended.
        ROW.replace("w[x * size + i]", "w[bounds[2 * x] + i]"),
    ],
)
def test_no_pass(body: str) -> None:
    assert lift(body).status != "proved"


@pytest.mark.slow
def test_a_limit_is_part_of_what_is_proved() -> None:
    found = step(text_of(ROW))
    assert found.proof().failed is None
    (limit,) = found.summary.limits
    size = Variable("size", I64)
    assert found.refused(limits=()) == ("induction", "undecided")
    for wrong in (replace(limit, most=const(5, I64)), replace(limit, most=Variable("n", I64)),
                  Limit(const(0, I64), size)):  # fmt: skip
        assert found.refused(limits=(wrong,)) == ("induction", "undecided")


@pytest.mark.parametrize("index", ["(uint8_t)x", pytest.param("(int8_t)x", marks=pytest.mark.slow)])
def test_a_place_in_a_loops_condition_is_claimed_to_fit(index: str) -> None:
    """The condition is evaluated to see how often the loop runs, and nowhere else."""
    body = f"""
        for (int x = 0; x < n; x++) {{
            int sum = 0;
            for (int i = 0; i < bounds[{index}]; i++) sum += s[x + i] * w[x * size + i];
            d[x] = (u8)(sum >> 14);
        }}
    """
    result = lift(body)
    assert result.status == "unproved" and result.proof is not None
    assert result.diagnostic is not None and result.diagnostic.code == "few-calls"
    most = 256 if "uint8_t" in index else 128
    assert f"n <= {most}" in [p.text for p in result.proof.preconditions]
