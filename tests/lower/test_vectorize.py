"""Vectorized loops of any body: the real package's values, and no loop in the place of lanes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import compiler
from compiler.ir import (
    I32,
    LT,
    U8,
    Add,
    Broadcast,
    Call,
    Const,
    Div,
    Load,
    Min,
    Mul,
    Ramp,
    Sub,
    Variable,
    const,
    postorder,
)
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import expressions_of, walk
from compiler.lower.lane_values import LaneDimension
from compiler.lower.vectorize import vectorize
from compiler.lower.widen import Lanes, start_of

from .both_packages import Program, assert_same, assert_same_refusal


def tiles_in_both_dimensions(hl: Any, i: SimpleNamespace) -> Any:
    f = hl.Func("f")
    f[i.x, i.y] = hl.i32(i.a[i.x, i.y]) * 3 + i.b[i.y, i.x]
    f.tile(i.x, i.y, i.xo, i.yo, i.xi, i.yi, 8, 4, hl.TailStrategy.GuardWithIf)
    f.vectorize(i.xi).vectorize(i.yi)
    return f.realize([37, 23])


def a_transposed_tile(hl: Any, i: SimpleNamespace) -> Any:
    f = hl.Func("f")
    f[i.x, i.y] = i.a[i.y, i.x] + hl.u8(i.x)
    f.tile(i.x, i.y, i.xo, i.yo, i.xi, i.yi, 8, 8, hl.TailStrategy.GuardWithIf)
    f.vectorize(i.yi).vectorize(i.xi)
    return f.realize([37, 23])


def a_sum_across_lanes(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 37)])
    f[i.y] = 0
    f[i.y] += hl.i32(i.a[r, i.y])
    f.update().atomic().vectorize(r, 8)
    return f.realize([20])


def a_maximum_over_lanes_of_both_loops(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 37)])
    f[i.y] = hl.u8(0)
    f[i.y] = hl.max(f[i.y], i.a[r, i.y])
    f.update().atomic().vectorize(r, 16).vectorize(i.y, 4)
    return f.realize([20])


def a_minimum_where_a_predicate_holds(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 37)])
    f[i.y] = 1000
    r.where(i.b[r, i.y] > 0)
    f[i.y] = hl.min(f[i.y], i.b[r, i.y] + i.y)
    f.update().atomic().vectorize(r, 8)
    return f.realize([20])


def a_conjunction_across_lanes(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 37)])
    f[i.y] = hl.cast(hl.Bool(), True)
    f[i.y] = f[i.y] & (i.b[r, i.y] > -99)
    f.update().atomic().vectorize(r, 8)
    return f.realize([20])


def a_product_across_lanes(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 16)])
    f[i.y] = hl.u32(1)
    f[i.y] *= hl.u32(i.a[r, i.y]) | 1
    f.update().atomic().vectorize(r, 16)
    return f.realize([20])


def dot_products_of_four(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 32)])
    outer, inner = hl.RVar("outer"), hl.RVar("inner")
    f[i.x] = 0
    f[i.x] += hl.i32(i.a[r, i.x]) * hl.i32(hl.i8(i.a[r, i.x + 3]))
    f.update().split(r, outer, inner, 4).reorder(inner, i.x, outer)
    f.update().atomic().vectorize(inner).vectorize(i.x, 8)
    return f.realize([24])


def a_constant_counted_by_every_lane(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 37)])
    f[i.x] = 0
    f[i.x] += 3
    f[i.x] += hl.select(r > 5, 1, 1)
    f.update(1).atomic().vectorize(r, 8)
    return f.realize([5])


def a_histogram(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 37), (0, 20)])
    f[i.x] = 0
    f[hl.i32(i.a[r.x, r.y])] += 1
    f.update().atomic().vectorize(r.x, 8)
    return f.realize([256])


def a_triangle(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 64)])
    f[i.x] = 0
    r.where(r < i.x)
    f[i.x] += hl.i32(i.a[r, 0])
    f.update().vectorize(i.x, 8)
    return f.realize([60])


def loads_and_stores_under_a_predicate(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 20)])
    f[i.x, i.y] = 0
    r.where(i.a[r, i.y] > 100)
    f[i.x, i.y] += i.b[i.x, r] * r
    f.update().reorder(i.y, r.x, i.x).vectorize(i.y, 4)
    return f.realize([20, 16])


def an_inner_loop_whose_length_differs_between_lanes(hl: Any, i: SimpleNamespace) -> Any:
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, i.b[0, 0] % 5 + 3)])
    g[i.x] = 0
    g[i.x] += hl.i32(i.a[i.x + r, 0])
    f[i.x] = g[i.x] * 2
    g.compute_at(f, i.x)
    f.vectorize(i.x, 8)
    return f.realize([40])


def memory_of_each_lane(hl: Any, i: SimpleNamespace) -> Any:
    f, g = hl.Func("f"), hl.Func("g")
    g[i.x] = hl.i32(i.a[i.x, 0]) * 2
    f[i.x] = g[i.x] + g[i.x + 1] * 3 + g[i.x * 2]
    f.vectorize(i.x, 8)
    g.compute_at(f, i.x)
    return f.realize([24])


def memory_and_steps_of_each_lane(hl: Any, i: SimpleNamespace) -> Any:
    f, g = hl.Func("f"), hl.Func("g")
    g[i.x] = hl.i32(i.a[i.x, 0]) * 2
    f[i.x] = g[i.x] + g[i.x * 2] * 3
    f.split(i.x, i.xo, i.xi, 8).vectorize(i.xi)
    g.compute_at(f, i.xi)
    return f.realize([24])


def one_place_for_all_lanes(hl: Any, i: SimpleNamespace) -> Any:
    f = hl.Func("f")
    f[i.x, i.y] = 0
    f[0, i.y] = i.y * 3
    f.update().vectorize(i.y, 4)
    return f.realize([3, 16])


def choices_between_lanes(hl: Any, i: SimpleNamespace) -> Any:
    f = hl.Func("f")
    third = hl.select(i.x % 3 == 0, 7, i.b[i.x, i.y] / 3)
    f[i.x, i.y] = hl.select(i.a[i.x, i.y] > 128, i.b[i.x, i.y], third)
    f.vectorize(i.x, 16, hl.TailStrategy.GuardWithIf)
    return f.realize([45, 7])


def gathers(hl: Any, i: SimpleNamespace) -> Any:
    f = hl.Func("f")
    f[i.x, i.y] = (
        i.b[hl.i32(i.a[i.x, i.y]) % 40, i.x % 7]
        + i.b[i.x / 2, i.y]
        + i.b[hl.clamp(i.x - 2, 0, 10), i.y]
    )
    f.vectorize(i.x, 8)
    return f.realize([48, 7])


def tuples_in_lanes(hl: Any, i: SimpleNamespace) -> Any:
    f = hl.Func("f")
    here = (i.x, i.y)
    f[here] = hl.Tuple([hl.i32(i.a[here]), i.g[here]])
    f[here] = hl.Tuple([f[here][0] + 1, f[here][1] + hl.f32(f[here][0])])
    f.vectorize(i.x, 8)
    f.update().vectorize(i.x, 8)
    return f.realize([40, 7])


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize(
    "program",
    [
        tiles_in_both_dimensions,
        a_transposed_tile,
        a_sum_across_lanes,
        a_maximum_over_lanes_of_both_loops,
        a_minimum_where_a_predicate_holds,
        a_conjunction_across_lanes,
        a_product_across_lanes,
        dot_products_of_four,
        a_constant_counted_by_every_lane,
        a_histogram,
        a_triangle,
        loads_and_stores_under_a_predicate,
        an_inner_loop_whose_length_differs_between_lanes,
        memory_of_each_lane,
        memory_and_steps_of_each_lane,
        one_place_for_all_lanes,
        choices_between_lanes,
        gathers,
        tuples_in_lanes,
    ],
)
def test_values_are_halides(program: Program) -> None:
    assert_same(program)


def test_a_loop_of_unknown_length_is_no_vector() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f = hl.Func("f")
        f[i.x, i.y] = i.x + i.y
        f.vectorize(i.x)
        return f.realize([4, 4])

    assert_same_refusal(program, "Can only vectorize for loops over a constant extent.")


def test_lanes_of_an_inlined_stage_are_refused() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, g = hl.Func("f"), hl.Func("g")
        f[i.x] = i.x
        f.vectorize(i.x, 4)
        g[i.x] = f[i.x]
        return g.realize([4])

    assert_same_refusal(program, "because the function is scheduled inline.")


X, N = Variable("x", I32), Variable("n", I32)


def lanes(body: s.Stmt, count: int = 8) -> s.Stmt:
    return vectorize(s.For("x", const(0), const(count), "vectorized", body))


def loads(stmt: s.Stmt) -> list[Load]:
    every = [e for x in walk(stmt) for e in expressions_of(x)]
    return [e for e in postorder(*every) if isinstance(e, Load)]


def test_a_load_of_a_lane_that_is_off_has_the_stores_mask() -> None:
    read = Load("a", (X,), I32)
    made = lanes(s.IfThenElse(LT(X, N), s.Store("f", read, X)))
    store = next(x for x in walk(made) if isinstance(x, s.Store))
    assert store.predicate is not None
    assert [load.predicate for load in loads(made)] == [store.predicate]


def test_a_lane_is_on_where_both_of_two_conditions_hold() -> None:
    other = Variable("m", I32)
    inner = s.IfThenElse(LT(X, other), s.Store("f", X, X))
    made = lanes(s.IfThenElse(LT(X, N), inner))
    store = next(x for x in walk(made) if isinstance(x, s.Store))
    assert store.predicate is not None
    assert {N, other} <= set(postorder(store.predicate))


def test_a_load_that_lanes_share_is_not_read_where_all_are_off() -> None:
    read = Load("a", (N,), I32)
    made = lanes(s.IfThenElse(LT(X, N), s.Store("f", read, X)))
    assert isinstance(made, s.IfThenElse)
    assert isinstance(made.condition, Call) and made.condition.name == "reduce_or"


def test_without_a_mask_nothing_is_guarded() -> None:
    made = lanes(s.Store("f", Load("a", (X,), I32), X))
    assert isinstance(made, s.Store) and made.predicate is None
    assert [load.predicate for load in loads(made)] == [None]


def test_rows_of_a_tile_are_dense_loads() -> None:
    y = Variable("y", I32)
    index = Add(X, Mul(y, const(100)))
    body = s.Store("f", Load("a", (index,), U8), index)
    inner = s.For("x", const(0), const(8), "vectorized", body)
    made = vectorize(s.For("y", const(0), const(2), "vectorized", inner))
    for load in loads(made):
        (ramp,) = load.indices
        assert isinstance(ramp, Ramp) and ramp.lanes == 8
        assert isinstance(ramp.stride, Const) and ramp.stride.value == 1
    assert len(loads(made)) == 2


def test_an_update_of_one_place_reduces_its_lanes_first() -> None:
    place = const(0)
    update = s.Store("f", Add(Load("f", (place,), I32), Load("a", (X,), I32)), place)
    made = lanes(s.Atomic("f", update))
    store = next(x for x in walk(made) if isinstance(x, s.Store))
    assert store.value.type is I32
    assert any(isinstance(e, Call) and e.name == "reduce_add" for e in postorder(store.value))


def test_an_update_of_unknown_places_runs_lane_by_lane() -> None:
    place = Load("p", (X,), I32)
    update = s.Store("f", Add(Load("f", (place,), I32), const(1)), place)
    made = lanes(s.Atomic("f", update))
    assert isinstance(made, s.For) and made.kind == "serial"


def test_a_call_with_an_effect_is_made_once_a_lane() -> None:
    shout = Call("print:x", (X,), I32, "effect")
    made = lanes(s.Block((s.Store("f", shout, X), s.Store("g", X, X))))
    assert [type(x).__name__ for x in walk(made)] == ["Block", "For", "Store", "Store"]
    other = next(x for x in walk(made) if isinstance(x, s.Store) and x.buffer == "g")
    assert isinstance(other.value, Ramp)


def test_what_lanes_store_to_one_place_is_the_last_ones() -> None:
    made = lanes(s.Store("f", Mul(X, const(10)), const(3)))
    assert isinstance(made, s.Store)
    assert repr(made.value) == "shuffle_lanes(ramp(0, 10, 8), 7)"


def test_lanes_of_two_loops_that_meet_update_one_after_the_other() -> None:
    y = Variable("y", I32)
    for step, together in ((4, False), (8, True)):
        place = Add(X, Mul(y, const(step)))
        update = s.Store("f", Add(Load("f", (place,), I32), const(1)), place)
        inner = s.For("x", const(0), const(8), "vectorized", s.Atomic("f", update))
        made = vectorize(s.For("y", const(0), const(2), "vectorized", inner))
        assert any(isinstance(x, s.For) for x in walk(made)) != together


def test_lanes_beyond_either_end_store_nothing() -> None:
    x, y, xi, yi = compiler.vars("x y xi yi")
    f = compiler.Func("f")
    f[x, y] = x + 100 * y
    f.tile(x, y, xi, yi, 8, 4, compiler.TailStrategy.GuardWithIf).vectorize(xi).vectorize(yi)
    whole = np.full((30, 48), -7, np.int32)
    f.realize(compiler.Buffer(whole[3:26, 5:42]))
    assert (whole[3:26, 5:42] == np.add.outer(100 * np.arange(23), np.arange(37))).all()
    whole[3:26, 5:42] = -7
    assert (whole == -7).all()


def test_one_value_for_all_lanes_is_broadcast() -> None:
    made = lanes(s.Store("f", N, X))
    assert isinstance(made, s.Store) and made.value is Broadcast(N, 8)


def coordinates_that_are_divided(hl: Any, i: SimpleNamespace) -> Any:
    made = []
    for index in (
        lambda x: x / 2,
        lambda x: (x + 1) / 2 + (x + 3) / 2,
        lambda x: (x * 2 + 3) / 4,
        lambda x: x / 2 * 3 % 50,
        lambda x: x % 4 + x % 2 + x / 3,
        lambda x: (x - 5) / 2 + 10,
        lambda x: hl.select(x % 2 == 0, x / 2, x / 8 + 1),
    ):
        for lanes in (8, 16):
            f = hl.Func("f")
            f[i.x, i.y] = hl.i32(i.a[hl.clamp(index(i.x), 0, 60), i.y]) * (i.x % 2) + index(i.x)
            f[i.x, i.y] += hl.i32(i.a[index(hl.clamp(i.x, 0, 31)), i.y / 2])
            f.update().vectorize(i.x, lanes, hl.TailStrategy.GuardWithIf)
            made.append(f.realize([37, 9]))
    return made


@pytest.mark.slow
def test_divided_coordinates_are_halides() -> None:
    assert_same(coordinates_that_are_divided)


def test_upsampling_reads_rows() -> None:
    index = Div(Add(X, N), const(2))
    made = lanes(s.Store("f", Load("a", (index,), U8), X))
    assert [load.type.lanes for load in loads(made)] == [4, 4]
    assert all(isinstance(load.indices[0], Ramp) for load in loads(made))


def test_a_divisor_that_does_not_fit_the_lanes_gathers() -> None:
    made = lanes(s.Store("f", Load("a", (Div(X, const(3)),), U8), X))
    assert [load.type.lanes for load in loads(made)] == [8]


def test_lanes_that_cancel_inside_of_an_index_leave_no_trace() -> None:
    """(lane + a) - lane is the same in all lanes, also where it is part of something else."""
    lane, a = Variable("v", I32), Variable("a", I32)
    dimension = LaneDimension("v", const(0), 4)
    lanes = Lanes((dimension,), {lane: start_of(dimension, 0, (4,))})
    same = Sub(Add(lane, a), lane)
    made = lanes.wide(Min(same, const(7)))
    assert made.is_uniform
    assert made.expr is Min(a, const(7))
