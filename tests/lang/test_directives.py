"""Every directive, under the real package and under ours: the same loops, the same values."""

from __future__ import annotations

import pytest

import compiler
from compiler.lang.schedule import ComputeLevel

from .both import assert_same

PURE = [
    "split(x, xo, xi, 4)",
    "split(x, xo, xi, 4, T.RoundUp)",
    "split(old=x, outer=xo, inner=xi, factor=4, tail=T.GuardWithIf)",
    "split(x, x, xi, 4)",
    "split(x, xo, x, 4)",
    "split(x, xo, xi, 8).split(xo, xo, t, 2)",
    "split(x, xo, xi, 8).split(xi, xi, t, 2).reorder(t, xo, xi)",
    "fuse(x, y, t)",
    "fuse(y, x, t)",
    "fuse(x, y, x)",
    "split(x, xo, xi, 4).split(y, yo, yi, 2).fuse(xo, yo, t).parallel(t)",
    "rename(x, t)",
    "rename(old_name=x, new_name=t).vectorize(t, 4)",
    "reorder(y, x)",
    "reorder(x)",
    "reorder()",
    "tile(x, y, xo, yo, xi, yi, 4, 2)",
    "tile(x, y, xi, yi, 4, 2)",
    "tile(x, y, xi, yi, 4, 2, T.GuardWithIf)",
    "tile([x, y], [xo, yo], [xi, yi], [4, 2])",
    "tile([x, y], [xi, yi], [4, 2])",
    "tile(x=x, y=y, xi=xi, yi=yi, xfactor=4, yfactor=2, tail=T.RoundUp)",
    "vectorize(x, 8)",
    "vectorize(x, 8, T.GuardWithIf)",
    "vectorize(var=x, factor=4, tail=T.ShiftInwards)",
    "unroll(x, 2)",
    "unroll(y, 2).unroll(x, 4)",
    "parallel(y)",
    "parallel(y, 2)",
    "parallel(var=y, task_size=4, tail=T.GuardWithIf)",
    "parallel(y).serial(y)",
    "bound(x, 0, 16).vectorize(x)",
    "bound_extent(x, 16).unroll(x)",
    "align_bounds(x, 4)",
    "align_bounds(x, 4, 0)",
    "align_extent(var=x, modulus=8)",
    "set_estimate(x, 0, 16)",
    "set_estimates([(0, 16), (0, 8)])",
    "set_estimates([hl.Range(0, 16), hl.Range(0, 8)])",
    "partition(x, hl.Partition.Never)",
    "never_partition([x, y])",
    "never_partition_all()",
    "specialize(hl.Param(hl.Int(32), 'p', 3) > 2).vectorize(x, 4)",
    "atomic()",
    "atomic(override_associativity_test=True)",
    "allow_race_conditions()",
    "vectorize(x, 4).parallel(y, 2)",
    "split(hl.VarOrRVar(x), xo, xi, 4)",
]
PRODUCER = [
    "compute_root()",
    "compute_at(g, y)",
    "compute_at(g, x)",
    "compute_at(f=g, var=x)",
    "compute_at(hl.LoopLevel(g, y))",
    "compute_at(loop_level=hl.LoopLevel.root())",
    "compute_at(hl.LoopLevel.inlined())",
    "compute_inline()",
    "compute_at(g, x).store_root()",
    "compute_at(g, x).store_at(g, y)",
    "compute_at(g, y).store_at(hl.LoopLevel.root())",
    "compute_at(g, x).hoist_storage(g, y)",
    "compute_at(g, x).hoist_storage_root()",
    "compute_root().store_in(hl.MemoryType.Heap)",
    "compute_at(g, y).store_in(memory_type=hl.MemoryType.Stack)",
    "compute_root().reorder_storage(y, x)",
    "compute_root().reorder_storage([y, x])",
    "compute_root().align_storage(x, 8)",
    "compute_root().bound_storage(x, 64)",
    "compute_at(g, y).store_root().fold_storage(y, 2)",
    "compute_root().vectorize(x, 4)",
]
UPDATE = [
    "split(r.x, hl.RVar('ro'), hl.RVar('ri'), 4)",
    "split(r.x, hl.RVar('ro'), hl.RVar('ri'), 4, T.Predicate)",
    "split(x, xo, xi, 4)",
    "fuse(r.x, r.y, hl.RVar('rf'))",
    "reorder(r.y, r.x)",
    "reorder(x, r.x, r.y)",
    "unroll(r.x, 2)",
    "parallel(r.y)",
    "vectorize(x, 4)",
    "rename(r.x, hl.RVar('q'))",
    "unroll(r.x)",
]

LOOPS = "[n.split('.')[-1] for n in {}.dump_argument_list().split()]"
"""The loops' own names: Halide's lists have those of the loops they were split from before them."""


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("directive", PURE)
def test_a_directive_on_a_pure_definition_makes_the_loops_of_halide(directive: str) -> None:
    assert_same(f"h = f.{directive}\n{LOOPS.format('hl.Stage(f)')}, type(h).__name__")


@pytest.mark.sampled(every=48)
@pytest.mark.parametrize("directive", PURE)
def test_a_directive_changes_no_value(directive: str) -> None:
    assert_same(f"f.{directive}\nf.realize([16, 8])")


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("directive", PRODUCER)
def test_a_place_of_a_stage_changes_no_value(directive: str) -> None:
    assert_same(f"h = f.{directive}\ntype(h).__name__, g.realize([16, 8])")


@pytest.mark.parametrize("directive", UPDATE)
def test_a_directive_on_an_update_makes_the_loops_of_halide(directive: str) -> None:
    assert_same(f"h = u.update().{directive}\n{LOOPS.format('h')}, type(h).__name__")


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("directive", UPDATE)
def test_a_directive_on_an_update_changes_no_value(directive: str) -> None:
    assert_same(f"u.update().{directive}\nu.realize([16, 12])")


@pytest.mark.parametrize(
    "text",
    [
        "f.compute_root().compute_with(hl.Stage(u), x)",
        "f.compute_root().compute_with(u, x, hl.LoopAlignStrategy.AlignStart)",
        "f.compute_with(u, x, [(x, hl.LoopAlignStrategy.AlignEnd)])",
        "f.compute_with(hl.LoopLevel(u, x))",
        "f.compute_with(hl.LoopLevel(u, x, 0), align=hl.LoopAlignStrategy.NoAlign)",
        "g.prefetch(f, x, x, 2)",
        "g.prefetch(f, y, x)",
        "g.prefetch(hl.ImageParam(hl.UInt(8), 2), x, y, 2, hl.PrefetchBoundStrategy.Clamp)",
        "g.prefetch(f, x, offset=2, **{'from': x})",
        "f.always_partition([x]).always_partition_all()",
        "f.trace_stores().trace_loads().trace_realizations().add_trace_tag('a b')",
        "f.in_(g)",
        "f.in_([g])",
        "f.in_()",
        "f.clone_in(g)",
        "f.specialize_fail('no')",
        "hl.Stage(f).unscheduled()",
        "u.update().unscheduled()",
        "f.debug_to_file('x.npy')",
    ],
)
def test_a_directive_returns_what_halide_returns(text: str) -> None:
    assert_same(text)


def test_a_wrapper_asked_for_again_is_the_same() -> None:
    assert_same("f.in_(g).name() == f.in_(g).name(), f.in_().name() == f.in_().name()")


def test_a_condition_given_twice_is_one_specialization() -> None:
    x, p = compiler.Var("x"), compiler.Param(compiler.Int(32), "p")
    f = compiler.Func("f")
    f[x] = x
    first, second = f.specialize(p > 3), f.specialize(p > 3)
    assert first.schedule is second.schedule
    assert len(f.function.schedule.stages[0].specializations) == 1


def test_a_specialization_starts_from_the_loops_of_that_moment() -> None:
    x, xo, xi = compiler.vars("x xo xi")
    p = compiler.Param(compiler.Int(32), "p")
    f = compiler.Func("f")
    f[x] = x
    f.split(x, xo, xi, 4)
    special = f.specialize(p > 3)
    f.unroll(xi)
    special.vectorize(xi)
    kinds = [d.kind for d in special.schedule.dimensions]
    assert kinds == ["vectorized", "serial"]
    assert [d.kind for d in f.function.schedule.stages[0].dimensions] == ["unrolled", "serial"]


def test_a_loop_level_that_is_set_later_moves_who_was_scheduled_at_it() -> None:
    x, y = compiler.vars("x y")
    f, g = compiler.Func("f"), compiler.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y]
    level = compiler.LoopLevel()
    f.compute_at(level)
    level.set(compiler.LoopLevel(g, y))
    assert f.function.schedule.level == ComputeLevel("at", g.name(), "y")
    level.set(compiler.LoopLevel.root())
    assert f.function.schedule.level == ComputeLevel("root")


def test_auto_is_the_tail_that_the_definition_allows() -> None:
    x, xo, xi, t = compiler.vars("x xo xi t")
    r = compiler.RDom([(0, 10)], "r")
    f = compiler.Func("f")
    f[x] = x
    f[x] += r.x
    f.split(x, xo, xi, 8).split(xo, xo, t, 2)
    f.update().split(x, xo, xi, 4).split(r.x, compiler.RVar("ro"), compiler.RVar("ri"), 4)
    tails = [s.tail.name for stage in f.function.schedule.stages for s in stage.splits]
    assert tails == ["ShiftInwards", "RoundUp", "RoundUp", "GuardWithIf"]


def test_ours_alone_streams() -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = x
    assert f.stream_stores() is f and f.stream_loads() is f
    assert f.function.schedule.stream_stores and f.function.schedule.stream_loads


CHANGES = [
    "vectorize(x, 4)", "bound(x, 0, 8)", "trace_stores()", "store_in(hl.MemoryType.Heap)",
    "partition(x, hl.Partition.Never)", "specialize(p > 1)", "align_storage(x, 8)", "atomic()",
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_schedule_is_seen_by_the_next_run(change: str) -> None:
    x, p = compiler.Var("x"), compiler.Param(compiler.Int(32), "p", 2)
    f = compiler.Func("f")
    f[x] = x
    before = f.function.schedule.key()
    eval(f"f.{change}", {"f": f, "x": x, "p": p, "hl": compiler})
    assert f.function.schedule.key() != before
