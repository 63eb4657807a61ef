"""Borders that `abs` reflects: its value is a place, exactly."""

from __future__ import annotations

import pytest

from compiler.ir import I32, Cast, Expr, Variable
from compiler.ir.intrinsics import intrinsic
from lifter.dag import Indexer, Ranges
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel

AROUND = """
    for (int x = 0; x < w; x++) {
        int a = abs(x - 1), b = x + 1;
        if (b >= w) b = 2 * w - 2 - b;
        d[x] = (s[a] + 2 * s[x] + s[b] + 2) >> 2;
    }
"""


def lift(body: str) -> FunctionResult:
    head = "#include <cstdlib>\n#include <cstdint>\n"
    parameters = "const uint8_t *s, uint8_t *d, int w, int h"
    return lift_kernel(kernel(f"{head}void f({parameters}) {{ {body} }}\n"), LiftOptions())


def test_a_row_with_reflected_ends() -> None:
    result = lift(AROUND)
    assert result.status == "proved", result.diagnostic


def test_both_directions_at_half_the_size() -> None:
    row = AROUND.replace("x < w", "x < w / 2").replace("x - 1", "2 * x - 1")
    result = lift(f"for (int y = 0; y < h; y++, d += w) {{ {row} }}")
    assert result.status == "proved", result.diagnostic


@pytest.mark.parametrize("index", ["abs(x - 1) - 1", "-abs(x - 1)"])
def test_what_it_reads_before_the_row_is_not_taken_for_the_row(index: str) -> None:
    result = lift(f"for (int x = 0; x < w; x++) d[x] = s[{index}];")
    reads = [] if result.proof is None else [str(p.formula) for p in result.proof.preconditions]
    assert "s(max(1 - x, x - 1))" not in [repr(s.expression) for s in result.summaries], reads


def test_the_least_number_has_no_opposite() -> None:
    """`(int)abs(INT_MIN)` is INT_MIN: the place is `max(x, -x)` under a claim alone."""
    x = Variable("x", I32)
    claims: list[Expr] = []
    indexer = Indexer(Ranges({"x": I32}, ()), lambda claim, _: claims.append(claim))
    assert repr(indexer.index(Cast(I32, intrinsic("abs", x)))) in ("max(-x, x)", "max(x, -x)")
    assert len(claims) == 1
