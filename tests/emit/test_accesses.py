"""The boxes that the guarded entry compares hold every element that is read."""

from __future__ import annotations

import pytest

from compiler.ir import I32, I64, U8, U32, Add, Call, Cast, Const, Expr, Sub, Variable
from lifter.emit.accesses import accesses
from lifter.synth import Dimension, Layout, Summary

X = Variable("x", I32)
PIXEL = Call("src", (X,), U8, "image")
ONE = Const(I64, 1)


def box_of_table_at(place: Expr) -> tuple[int, int]:
    """Bounds of the elements of `table` in out(x) = table(place), for 0 <= x < 10."""
    region = (Dimension(X, Const(I64, 0), Const(I64, 10)),)
    layouts = {n: Layout(n, (ONE,), Const(I64, 0)) for n in ("out", "src", "table")}
    value = Call("table", (place,), U8, "image")
    summary = Summary("out", "out", "pure", region, layouts, (value,), value)
    (((low, high),),) = accesses(summary, {})["table"]
    assert isinstance(low, Const) and isinstance(high, Const)
    return int(low.value), int(high.value)


def test_a_table_looked_up_at_a_byte_has_256_elements():
    assert box_of_table_at(Cast(I32, PIXEL)) == (0, 255)


@pytest.mark.parametrize(
    "wrapping", [Add(PIXEL, PIXEL), Sub(PIXEL, Const(U8, 1)), Sub(Const(U8, 0), PIXEL)]
)
def test_bytes_that_wrap_reach_all_256_elements(wrapping):
    assert box_of_table_at(Cast(I32, wrapping)) == (0, 255)


def test_a_number_that_may_wrap_to_a_negative_one_reaches_below_zero():
    place = Cast(I32, Sub(Cast(U32, PIXEL), Const(U32, 1)))
    low, high = box_of_table_at(place)
    assert low <= -1 and high >= 254
