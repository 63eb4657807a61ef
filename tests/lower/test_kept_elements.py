"""Elements that keep what they hold: where a value is stored, and when it is another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen import Target
from compiler.frontend.lowering import schedule_and_lower
from compiler.frontend.pipeline import Pipeline
from compiler.ir import F32, I32, TRUE, Call, Expr, Not, Select, Variable, const, evaluate
from compiler.ir.stmts import LoweredFunction
from compiler.ir.types import BOOL
from compiler.lower.kept_elements import CallersMemory, _differ, where_stored

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


def in_the_place_of(value: Callable[[Any, Any, Any], Any]) -> tuple[LoweredFunction, str]:
    """out(x) = value(image, x, sum), stored where `image` lies, without masked stores; each sum is
    a loop, so that no vector of sums is read at once."""
    x, r = hl.Var("x"), hl.RDom([(0, hl.Param(hl.Int(32), "terms"))], "r")
    image, other = (hl.ImageParam(hl.UInt(8), 1, name) for name in ("image", "other"))
    f, total = hl.Func("out"), hl.Func("total")
    total[x] = hl.u8(hl.sum(r, hl.u32(other[x + r.x])))
    f[x] = value(image, x, total)
    name = f.output_buffer().name()
    target, pair = Target.parse("x86-64"), {"image": name}
    memory = CallersMemory(pair)
    outputs = Pipeline([f])._outputs()
    return schedule_and_lower(outputs, "body", target, same_memory=pair, memory=memory), name


def test_what_only_stays_is_not_read_and_needs_no_copy() -> None:
    fn, name = in_the_place_of(lambda a, x, total: hl.select(x >= 0, total[x], a[x]))
    assert fn.in_place == {("image", name)}


@pytest.mark.parametrize(
    ("value", "is_left"),
    [
        (lambda a, x, total: hl.select(x >= 0, a[x] + total[x], a[x]), True),
        (lambda a, x, total: hl.select((x >= 0) & (a[x] > 3), total[x], a[x]), True),
        (lambda a, x, total: hl.select(a[x] > 3, total[x], a[x]), False),
        (lambda a, x, total: a[x] + total[x], False),
        (lambda a, x, total: hl.select(x >= 0, a[x] + total[x], 3), False),
    ],
    ids=["read and kept by place", "read by place", "read anyway", "no choice", "stored anyway"],
)
def test_a_copy_that_may_read_what_nobody_touches_is_told(
    value: Callable[[Any, Any, Any], Any], is_left: bool
) -> None:
    fn, _ = in_the_place_of(value)
    assert fn.left_to_chance == ({"image"} if is_left else set())
