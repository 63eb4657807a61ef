"""Elements that keep what they hold: where a value is stored, and when it is another one."""

from __future__ import annotations

import numpy as np
import pytest

from compiler.ir import F32, I32, TRUE, Call, Expr, Not, Select, Variable, const, evaluate
from compiler.ir.types import BOOL
from compiler.lower.kept_elements import _differ, where_stored

A, B, KEPT = const(1), const(2), Call("undef", (), I32, "pure")
HERE = Variable("here", BOOL)


@pytest.mark.parametrize(
    ("value", "condition", "stored"),
    [
        (A, TRUE, A),
        (Select(HERE, A, B), TRUE, Select(HERE, A, B)),
        (Select(HERE, A, KEPT), HERE, A),
        (Select(HERE, KEPT, B), Not(HERE), B),
    ],
)
def test_a_value_is_stored_where_it_is_one(value: Expr, condition: Expr, stored: Expr) -> None:
    assert where_stored(value) == (condition, stored)


def test_what_is_stored_nowhere_has_a_condition_that_never_holds() -> None:
    condition, _ = where_stored(Select(HERE, KEPT, KEPT))
    assert not evaluate(condition, {"here": np.bool_(True)})


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [(0.0, -0.0, True), (0.0, 0.0, False), (1.0, 2.0, True), (np.nan, np.nan, False)],
)
def test_floats_differ_by_their_bits(one: float, other: float, differ: bool) -> None:
    values = {"one": np.float32(one), "other": np.float32(other)}
    found = _differ(*(Variable(name, F32) for name in values))
    assert bool(evaluate(found, values)) == differ
