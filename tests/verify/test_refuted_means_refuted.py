"""`refuted` is said with an input on which the candidate is wrong, and never without one."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from lifter.verify import Prover
from lifter.verify.decide import Decision
from tests.verify.differential import parsed

ROWS = """void f(u8 *d, int rows, int cols, int rowBytes) {
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) d[c] = (u8)(d[c] + 1);
        d += rowBytes; } }"""
RUNNING = """void f(u8 *d, int n) {
    for (int i = 1; i < n; i++) { if (n > 40) d[i] = 1; d[i] = (u8)(d[i - 1] + 1); } }"""
UNDEFINED = """#include <vector>
void f(u8 *d, const u8 *s, int n) { if (n < 2) return;
    std::vector<u8> row(n);
    for (int x = 0; x < n; x++) row[x] = s[x];
    for (int x = 0; x < n; x++) d[x] = (u8)((row[x] + row[x + 1] + 1) >> 1); }"""


def result_of(source: str) -> FunctionResult:
    return lift_kernel(parsed(source), LiftOptions(timeout=60.0))


def test_a_candidate_that_differs_on_an_input_is_refuted_with_it() -> None:
    result = result_of(RUNNING)
    assert result.status == "failed" and result.diagnostic is not None and result.proof is not None
    assert result.diagnostic.code == "refuted" and result.proof.counterexample is not None


@pytest.mark.slow
def test_a_candidate_that_no_input_tells_from_the_original_is_undecided() -> None:
    """Every call reads outside of the vector, so there is nothing to differ from."""
    result = result_of(UNDEFINED)
    assert result.status == "unproved" and result.diagnostic is not None
    assert result.diagnostic.code == "undecided"
    assert "out-of-bounds" in {w.code for w in result.warnings}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("verdict", ["undecided", "refuted"])
def test_rows_that_overlap_refute_nothing_that_assumes_they_do_not(verdict: str) -> None:
    """The proof came to assume `cols <= rowBytes`; then the values weren't decided."""
    assert result_of(ROWS).status == "proved"

    def undecided(*_: object, **__: object) -> Decision:
        return Decision(verdict, None, 0.0)  # type: ignore[arg-type]

    with patch.object(Prover, "equal", undecided):
        result = result_of(ROWS)
    assert result.status == "unproved" and result.diagnostic is not None
    assert result.diagnostic.code == "undecided", result.diagnostic
    assert result.proof is not None and result.proof.counterexample is None
