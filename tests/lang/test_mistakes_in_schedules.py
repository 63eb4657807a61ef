"""Schedules that make no sense: the same exception as the real package's, and the user's line."""

from __future__ import annotations

import linecache

import pytest

import compiler

from .both import assert_same

MISTAKES = {
    "f.split(xo, xi, x, 4)": "x",
    "f.split(x, xo, xo, 4)": "same name",
    "f.split(x, y, xi, 4)": "already used",
    "f.split(t, xo, xi, 4)": "could not find",
    "f.split(x, xo, xi, 0); f.realize([8, 8])": "strictly positive",
    "f.split(x, xo, xi, -1); f.realize([8, 8])": "strictly positive",
    "f.split('x', xo, xi, 4)": "split",
    "f.split(x, xo, xi)": "factor",
    "f.split(x, xo, xi, fact=4)": "fact",
    "f.split(x, xo, xi, 4, 3)": "split",
    "hl.Func('h').split(x, xo, xi, 4)": "definition",
    "hl.Func('h').vectorize(x, 4)": "definition",
    "f.fuse(x, x, t)": "fuse",
    "f.fuse(x, xo, t)": "outer fuse dimension",
    "f.fuse(xo, x, t)": "inner fuse dimension",
    "f.rename(t, x)": "rename",
    "f.reorder(x, x)": "twice",
    "f.reorder(x, t)": "reorder",
    "f.reorder('x', 'y')": "reorder",
    "f.tile(x, y, xo, yo, xi, yi, 4)": "tile",
    "f.tile([x, y], [xi, yi], [4])": "same length",
    "f.tile([x, y], [xo], [xi, yi], [4, 4])": "same length",
    "f.unroll(x, None)": "unroll",
    "f.vectorize(3)": "vectorize",
    "f.vectorize(x, 4, 3)": "vectorize",
    "f.parallel(t)": "parallel",
    "f.serial(t)": "serial",
    "f.unroll(t)": "unroll",
    "u.update().parallel(r.x)": "race condition",
    "u.update().vectorize(r.x, 4)": "race condition",
    "u.update().split(r.x, hl.RVar('a'), hl.RVar('b'), 4, T.RoundUp)": "GuardWithIf",
    "u.update().split(r.x, hl.RVar('a'), hl.RVar('b'), 4, T.ShiftInwards)": "meaning",
    "u.update().split(x, xo, xi, 4, T.ShiftInwards)": "update definitions",
    "u.update().split(r.x, xo, xi, 4)": "RVar",
    "u.update().split(x, hl.RVar('a'), xi, 4)": "RVar",
    "u.update().fuse(x, r.x, t)": "fuse",
    "u.update().fuse(r.x, r.y, t)": "fuse",
    "u.update(1)": "update",
    "f.update()": "update",
    "f.update('x')": "update",
    "f.bound(t, 0, 10)": "pure variables",
    "f.bound('y', 0, 10)": "bound",
    "f.bound(y, 0.5, 10)": "int32",
    "f.align_bounds(t, 4)": "pure variables",
    "f.align_storage(t, 4)": "align the storage",
    "f.bound_storage(t, 4)": "bound the storage",
    "f.fold_storage(t, 4)": "fold the storage",
    "f.reorder_storage(y)": "at least two",
    "f.reorder_storage()": "at least two",
    "f.reorder_storage(y, y)": "twice",
    "f.reorder_storage('y', t)": "reorder_storage",
    "f.store_in('stack')": "store_in",
    "f.set_estimate(t, 0, 10)": "pure variables",
    "f.set_estimates([(0, 10)])": "2 dimensions",
    "f.partition(t, hl.Partition.Never)": "partition",
    "f.partition(x, 3)": "partition",
    "f.never_partition(x, y)": "argument",
    "g.prefetch(f, x)": "prefetch",
    "g.prefetch(3, x, x)": "prefetch",
    "g.specialize(hl.Param(hl.Int(32), 'q'))": "bool",
    "g.specialize(x > 3)": "may not depend on any Vars",
    "g.specialize_fail('')": "empty",
    "g.specialize_fail('no'); g.specialize_fail('no')": "Only one",
    "g.vectorize(x, 4); hl.Stage(g).unscheduled()": "schedule",
    "f.in_([])": "empty list",
    "f.in_(f)": "itself",
    "f.in_(3)": "in_",
    "f.clone_in()": "clone_in",
    "f.compute_at(g, 'y')": "compute_at",
    "f.compute_at(hl.Stage(g), y)": "compute_at",
    "f.compute_at(g)": "compute_at",
    "f.compute_at(hl.LoopLevel()); g.realize([4, 4])": "undefined LoopLevel",
    "f.compute_with(hl.Stage(f), x)": "Cannot schedule",
    "hl.Stage(f).rfactor([])": "update definition",
    "hl.LoopLevel(3, x)": "LoopLevel",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_raises_as_in_halide(text: str) -> None:
    ours = assert_same(text.replace("; ", "\n"))
    assert ours.error
    assert MISTAKES[text] in ours.message


def test_a_mistake_names_the_line_of_the_program() -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = x
    with pytest.raises(compiler.HalideError) as caught:
        f.bound(compiler.Var("y"), 0, 3)
    location, _, _ = str(caught.value).partition(": ")
    file, _, line = location.rpartition(":")
    assert file == __file__
    assert "f.bound" in linecache.getline(__file__, int(line))


NOT_SUPPORTED = [
    "hexagon()", "async_()", "memoize()", "ring_buffer(3)",
    "define_extern('g', [], None, 2)",
]  # fmt: skip


@pytest.mark.parametrize("directive", NOT_SUPPORTED)
def test_what_this_compiler_lacks_is_refused_by_name(directive: str) -> None:
    x, t = compiler.vars("x t")
    f = compiler.Func("f")
    f[x] = x
    name = directive.partition("(")[0]
    with pytest.raises(compiler.HalideError, match=f"{name} is not supported"):
        eval(f"f.{directive}", {"f": f, "x": x, "t": t})


def test_a_negative_update_is_an_error_where_halide_crashes() -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = x
    f[x] += 1
    with pytest.raises(compiler.HalideError):
        f.update(-1)


def test_an_update_that_nobody_scheduled_is_warned_about() -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = x
    f[x] += 1
    f.vectorize(x, 4)
    with pytest.warns(UserWarning, match="has not been scheduled"):
        f.realize([8])
    f.update().unscheduled()
    f.realize([8])
