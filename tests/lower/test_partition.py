"""Boundary conditions cost nothing in the steady state of loops."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import (
    I32,
    I64,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Select,
    Variable,
    const,
    postorder,
)  # fmt: skip
from compiler.ir import stmts as s
from compiler.ir.nodes import GE, LT, And
from compiler.ir.stmt_transform import expressions_of, walk
from compiler.lower.partition_loops import MOST_VERSIONS, partition_loops

from .both_packages import Program, assert_same, assert_same_refusal, inputs
from .machines import PLAIN


def repeated_edges(hl: Any, i: SimpleNamespace) -> Any:
    g, f = hl.BoundaryConditions.repeat_edge(i.a), hl.Func("f")
    f[i.x, i.y] = hl.u16(g[i.x - 1, i.y - 1]) + g[i.x + 1, i.y] * 2 + g[i.x + 2, i.y + 2]
    f.vectorize(i.x, 16).parallel(i.y)
    return f.realize([64, 48])


def a_constant_around(hl: Any, i: SimpleNamespace) -> Any:
    g, f = hl.BoundaryConditions.constant_exterior(i.a, 7), hl.Func("f")
    f[i.x, i.y] = hl.u16(g[i.x - 1, i.y - 1]) + g[i.x + 1, i.y] * 2 + g[i.x + 2, i.y + 2]
    f.vectorize(i.x, 32, hl.TailStrategy.GuardWithIf)
    return f.realize([71, 53])


def mirrors_and_repetitions(hl: Any, i: SimpleNamespace) -> Any:
    conditions = hl.BoundaryConditions
    g, h = conditions.mirror_image(i.a), conditions.mirror_interior(i.a)
    k, f = conditions.repeat_image(i.a), hl.Func("f")
    f[i.x, i.y] = hl.u16(g[i.x - 3, i.y - 1]) + h[i.x + 1, i.y] * 2 + k[i.x + 2, i.y + 2]
    f.vectorize(i.x, 16)
    return f.realize([80, 50])


def stages_in_tiles(hl: Any, i: SimpleNamespace) -> Any:
    g, h, f = hl.BoundaryConditions.repeat_edge(i.a), hl.Func("h"), hl.Func("f")
    h[i.x, i.y] = hl.u16(g[i.x - 1, i.y]) + g[i.x, i.y] + g[i.x + 1, i.y]
    f[i.x, i.y] = h[i.x, i.y - 1] + h[i.x, i.y] + h[i.x, i.y + 1]
    f.tile(i.x, i.y, i.xo, i.yo, i.xi, i.yi, 32, 8, hl.TailStrategy.ShiftInwards)
    f.vectorize(i.xi, 16).parallel(i.yo)
    h.compute_at(f, i.xo).vectorize(i.x, 16)
    return f.realize([64, 48])


def scalar_loops(hl: Any, i: SimpleNamespace) -> Any:
    g, f = hl.BoundaryConditions.repeat_edge(i.a), hl.Func("f")
    edge = hl.select(i.x < 3, 1, hl.select(i.y > 40, 2, 3))
    f[i.x, i.y] = hl.u16(g[i.x - 1, i.y - 1]) + edge
    f.compute_root()
    return f.realize([64, 48])


def what_is_likely(hl: Any, i: SimpleNamespace) -> Any:
    f = hl.Func("f")
    other = i.a[hl.clamp(hl.likely(i.x * 2), 0, 20), i.y]
    f[i.x, i.y] = hl.select(hl.likely(i.x > 5), i.a[i.x, i.y], other)
    f.vectorize(i.x, 8)
    return f.realize([48, 9])


def loops_that_are_told(hl: Any, i: SimpleNamespace) -> Any:
    g, f = hl.BoundaryConditions.repeat_edge(i.a), hl.Func("f")
    f[i.x, i.y] = hl.u16(g[i.x - 1, i.y - 1]) + g[i.x + 1, i.y]
    f.vectorize(i.x, 16)
    f.partition(i.x, hl.Partition.Never).partition(i.y, hl.Partition.Always)
    return f.realize([64, 48])


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "program",
    [
        repeated_edges,
        a_constant_around,
        mirrors_and_repetitions,
        stages_in_tiles,
        scalar_loops,
        what_is_likely,
        loops_that_are_told,
    ],
)
def test_values_are_halides(program: Program) -> None:
    assert_same(program)


ALWAYS = [
    "c.always_partition([x])",
    "c.always_partition_all()",
    "c.vectorize(x, 4).always_partition([x, y])",
    "c.parallel(y).always_partition([y])",
    "c.tile(x, y, xo, yo, xi, yi, 8, 4, T.GuardWithIf).always_partition([xo, yo])",
    "p.split(x, xo, xi, 4, T.GuardWithIf).always_partition([xo])",
    "p.vectorize(x, 4, T.GuardWithIf).always_partition([x])",
    "p.bound(x, 0, 18).unroll(x).always_partition([x])",
]
NEVER_CUT = [
    "p.always_partition_all()",
    "p.always_partition([y])",
    "p.parallel(y).partition(y, hl.Partition.Always)",
    "p.split(x, xo, xi, 4, T.GuardWithIf).always_partition([xi])",
    "p.split(x, xo, xi, 4, T.RoundUp).always_partition([xo])",
    "c.always_partition([x]); p.always_partition([x])",
    "u.update().always_partition([r])",
]


def partitioned(hl: Any, i: SimpleNamespace, directives: str) -> Any:
    """c reads beyond the borders of an image; p is plain, u has an update."""
    c, p, u, r = hl.Func("c"), hl.Func("p"), hl.Func("u"), hl.RDom([(0, 8)], "r")
    edge = hl.BoundaryConditions.repeat_edge(i.a)
    c[i.x, i.y] = hl.u16(edge[i.x - 1, i.y - 1]) + edge[i.x + 1, i.y + 1]
    p[i.x, i.y] = i.x - i.y
    u[i.x, i.y] = i.x
    u[i.x, i.y] += r
    exec(directives, vars(i) | {"hl": hl, "T": hl.TailStrategy, "c": c, "p": p, "u": u, "r": r})
    out = {"c": c, "p": p, "u": u}[directives.split(";")[-1].strip()[0]]
    size = [3, 48] if "0, 3" in directives else [18 if out is p else 72, 48]
    return out.realize(size)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("directives", ALWAYS)
def test_loops_that_are_always_partitioned_give_halides_values(directives: str) -> None:
    assert_same(lambda hl, i: partitioned(hl, i, directives))


@pytest.mark.parametrize("directives", NEVER_CUT)
def test_a_loop_without_a_steady_state_cannot_always_be_partitioned(directives: str) -> None:
    words = "Loop Partition Policy is set to Always for "
    assert_same_refusal(lambda hl, i: partitioned(hl, i, directives), words)


def test_an_impossible_partition_is_told_of_the_innermost_loop() -> None:
    words = r"Always for p\S*\.s0\.x, but no loop partitioning was performed"
    with pytest.raises(hl.HalideError, match=words):
        partitioned(hl, inputs(hl), "p.always_partition_all()")


X, W, Y = Variable("x", I32), Variable("w", I32), Variable("y", I32)


def loop(body: s.Stmt, name: str = "x", extent: Expr = W) -> s.For:
    return s.For(name, const(0), extent, "serial", body)


def read(index: Expr) -> Expr:
    return Load("a", (Cast(I64, index),), I32)


def nodes(stmt: s.Stmt) -> list[Expr]:
    return list(postorder(*(e for x in walk(stmt) for e in expressions_of(x))))


def loops(stmt: s.Stmt) -> list[s.For]:
    return [x for x in walk(stmt) if isinstance(x, s.For)]


def is_free(x: s.For) -> bool:
    return not any(isinstance(e, (Min, Max, Select)) for e in nodes(x.body))


def clamped(index: Expr) -> Expr:
    return Max(Min(index, Add(W, const(-1))), const(0))


def test_a_clamped_loop_becomes_three() -> None:
    made = partition_loops(loop(s.Store("f", read(clamped(Add(X, const(1)))), X)))
    assert [is_free(x) for x in loops(made)] == [False, True, False]


def test_a_clamp_that_is_written_as_choices_becomes_three() -> None:
    index = Add(X, const(-2))
    above = Select(LT(index, const(0)), const(0), index)
    within = Select(GE(above, W), Add(W, const(-1)), above)
    made = partition_loops(loop(s.Store("f", read(within), X), extent=Variable("e", I32)))
    assert [is_free(x) for x in loops(made)] == [False, True, False]


def test_what_is_asked_of_rows_and_columns_is_decided_one_by_one() -> None:
    inside = And(LT(read(Y), W), And(LT(X, W), GE(X, const(1))))
    old = Load("f", (Cast(I64, X),), I32)
    added = Select(inside, Add(old, read(X)), old)
    made = partition_loops(loop(s.Store("f", added, X), extent=Variable("e", I32)))
    before, steady, after = loops(made)
    assert X in {e.a for e in nodes(before) if isinstance(e, LT)}
    assert X in {e.a for e in nodes(after) if isinstance(e, LT)}
    assert {e.a for e in nodes(steady) if isinstance(e, (LT, GE))} == {read(Y)}


def test_something_more_is_likelier_than_what_is_there() -> None:
    old = Load("f", (Cast(I64, X),), I32)
    added = Select(LT(X, W), Add(old, read(X)), old)
    made = partition_loops(loop(s.Store("f", added, X), extent=Variable("e", I32)))
    assert [is_free(x) for x in loops(made)] == [True, False]


def test_a_loop_without_conditions_stays_as_it_is() -> None:
    plain = loop(s.Store("f", read(X), X))
    assert partition_loops(plain) is plain


def test_a_condition_on_data_stays() -> None:
    body = s.Store("f", Select(LT(read(X), W), read(X), const(0)), X)
    assert len(loops(partition_loops(loop(body)))) == 1


def test_a_vector_is_free_where_all_of_its_lanes_are() -> None:
    lane = Variable("lane", I32)
    index = Add(Mul(X, const(8)), lane)
    inner = s.For(
        "lane", const(0), const(8), "vectorized", s.Store("f", read(clamped(index)), index)
    )
    made = partition_loops(loop(inner))
    steady = [x for x in loops(made) if x.name == "x" and is_free(x)]
    assert len(steady) == 1


def test_an_outer_loop_decides_inside() -> None:
    """Rows apart from the edges run a body without the test for edges."""
    inside = And(GE(Y, const(1)), LT(Y, W))
    row = loop(s.Store("f", Select(inside, read(Add(X, Y)), const(0)), X), "x", Variable("v", I32))
    made = partition_loops(s.For("y", const(0), Variable("h", I32), "parallel", row))
    (branch,) = [x for x in walk(made) if isinstance(x, s.IfThenElse)]
    assert all(is_free(x) for x in loops(branch.then))
    assert branch.otherwise is not None and not all(is_free(x) for x in loops(branch.otherwise))


def test_an_unlikely_way_needs_no_loop_of_its_own() -> None:
    """Without a hint, and with memory on both sides, nothing says which way is common."""
    both = Select(LT(X, W), read(X), read(Add(X, const(1))))
    assert len(loops(partition_loops(loop(s.Store("f", both, X), extent=Variable("e", I32))))) == 1
    hinted = Select(Call("likely", (LT(X, W),), LT(X, W).type, "intrinsic"), read(X), read(Y))
    made = partition_loops(loop(s.Store("f", hinted, X), extent=Variable("e", I32)))
    assert len(loops(made)) == 2
    assert not any(isinstance(e, Call) for e in nodes(made))


def test_the_same_name_with_two_ranges_is_decided_for_both() -> None:
    """A clamp that holds for the short loop must not be dropped from the long one."""
    k = Variable("k", I32)
    store = s.Store("f", read(Min(Add(X, k), const(100))), X)
    short = s.For("k", const(0), const(2), "serial", store)
    long = s.For("k", const(0), const(50), "serial", store)
    made = partition_loops(loop(s.Block((short, long))))
    steady = next(x for x in loops(made) if x.name == "x" and is_free(x))
    first = steady.min
    assert isinstance(first, Const) and first.value == 0
    bounds = {e.value for e in nodes(made) if isinstance(e, Const)}
    assert 52 in bounds and 100 in bounds


def test_code_grows_within_limits() -> None:
    body: s.Stmt = s.Store("f", read(clamped(X)), X)
    for depth in range(6):
        index = Variable(f"v{depth}", I32)
        body = s.Block((body, s.Store("g", read(clamped(index)), index)))
        body = loop(body, f"v{depth}")
    stores = sum(isinstance(x, s.Store) for x in walk(partition_loops(body)))
    assert stores <= 7 * MOST_VERSIONS * 3


def test_the_steady_state_of_a_stencil_reads_rows() -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    edge = hl.BoundaryConditions.repeat_edge(image)
    f[x, y] = hl.u8((hl.u16(edge[x - 1, y]) + edge[x, y] + edge[x + 1, y]) / 3)
    f.vectorize(x, 16)

    made = schedule_and_lower([f.function], "f", PLAIN).body
    wide = [e for e in nodes(made) if isinstance(e, Load) and e.type.lanes == 16]
    dense = [e for e in wide if type(e.indices[0]).__name__ == "Ramp"]
    assert len(dense) >= 3
