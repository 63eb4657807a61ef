"""Splits that do not divide: values, regions and refusals are the real Halide's."""

from __future__ import annotations

import halide
import numpy as np
import pytest

import compiler
from tests.lang import both

from .staged import check, statement

TAILS = ["Auto", "RoundUp", "GuardWithIf", "ShiftInwards", "Predicate", "PredicateLoads",
         "PredicateStores", "ShiftInwardsAndBlend", "RoundUpAndBlend"]  # fmt: skip


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("stage", ["g.compute_root()", "h"])
def test_each_strategy_gives_the_values_and_asks_for_the_regions_that_halides_does(
    tail: str, stage: str
) -> None:
    check(f"{stage}.split(x, xo, xi, 8, T.{tail})")


NESTED = [
    "g.compute_root().vectorize(x, 8, T.RoundUp).unroll(y, 3)",
    "g.compute_root().vectorize(x, 8).unroll(x, 3).parallel(y)",
    "g.compute_root().split(x, xo, xi, 7, T.GuardWithIf).split(xi, xi, z, 3, T.RoundUp)",
    "g.compute_root().split(x, xo, xi, 7, T.ShiftInwards).split(xi, xi, z, 3, T.RoundUp)",
    "g.compute_root().split(x, xo, xi, 7, T.ShiftInwards).split(xo, xo, z, 3, T.ShiftInwards)",
    "g.compute_root().fuse(x, y, u).split(u, u, z, 16, T.ShiftInwards)",
    "g.compute_root().fuse(x, y, u).split(u, u, z, 16, T.RoundUp)",
    "g.compute_root().vectorize(x, 8, T.Predicate); f.compute_at(g, x)",
]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("schedule", NESTED)
def test_splits_of_splits(schedule: str) -> None:
    check(schedule)


def errors(hl: object, tail: str) -> list[str]:
    """For each of WIDTHS what is said of an output of that width; compiled once."""
    f, x = hl.Func("f"), hl.Var("x")  # type: ignore[attr-defined]
    f[x] = x
    f.vectorize(x, 16, getattr(hl.TailStrategy, tail))  # type: ignore[attr-defined]
    said = []
    for width in WIDTHS:
        buffer = hl.Buffer(hl.Int(32), [width])  # type: ignore[attr-defined]
        try:
            f.realize(buffer)
        except hl.HalideError as found:  # type: ignore[attr-defined]
            said.append(str(found).strip().splitlines()[0].split("is accessed")[-1])
        else:
            np.testing.assert_array_equal(np.array(buffer), np.arange(width))
            said.append("none")
    return said


WIDTHS = (7, 16, 20, 48)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("tail", TAILS)
def test_an_output_must_have_room_for_what_its_loops_write(tail: str) -> None:
    assert errors(compiler, tail) == errors(halide, tail)


def test_new_outputs_are_made_large_enough() -> None:
    f, x = compiler.Func("f"), compiler.Var("x")
    f[x] = x
    f.vectorize(x, 16, compiler.TailStrategy.RoundUp)
    np.testing.assert_array_equal(np.array(f.realize([10])), np.arange(10))


def test_a_shifted_step_begins_before_the_end() -> None:
    text = statement("h.split(x, xo, xi, 8)", "bind")
    assert "min(h.extent.0, h.s0.x.xo * 8 + 8)" in text and "if h.s0.x" not in text
    assert "min(" not in statement("h.split(x, xo, xi, 8, T.RoundUp)", "bind").split("produce")[1]


@pytest.mark.parametrize("tail", ["ShiftInwardsAndBlend", "RoundUpAndBlend", "GuardWithIf"])
def test_an_update_is_applied_once_to_each_point(tail: str) -> None:
    made = []
    for hl in (compiler, halide):
        x, y = hl.Var("x"), hl.Var("y")
        f, g = hl.Func("f"), hl.Func("g")
        f[x, y] = x + y
        f[x, y] += 1
        g[x, y] = f[x, y] + f[x + 1, y]
        f.compute_root().update().vectorize(x, 8, getattr(hl.TailStrategy, tail))
        made.append(np.array(g.realize([21, 3])))
    np.testing.assert_array_equal(made[0], made[1])


NESTED_UPDATES = [
    "u.split(x, xo, xi, 8, T.GuardWithIf).split(xi, xi, z, 3)",
    "u.split(x, xo, xi, 8).split(xi, xi, z, 3)",
    "u.split(x, xo, xi, 8).split(xi, xi, z, 3, T.RoundUp)",
    "u.split(x, xo, xi, 8).split(xo, xo, z, 3)",
    "u.split(x, xo, xi, 8).rename(xi, zz).split(zz, zz, z, 3)",
    "u.split(x, xo, xi, 8).split(xi, xi, z, 3, T.ShiftInwardsAndBlend)",
    "u.split(x, xo, xi, 7, T.RoundUpAndBlend).split(xi, xi, z, 3, T.RoundUpAndBlend)",
    "u.fuse(x, y, z).split(z, z, xi, 5).split(xi, xi, xo, 2)",
]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("schedule", NESTED_UPDATES)
def test_no_point_is_updated_twice_by_splits_of_splits(schedule: str) -> None:
    made: list[object] = []
    for hl in (compiler, halide):
        names = {n: hl.Var(n) for n in ("x", "y", "xo", "xi", "z", "zz")}
        x, y = names["x"], names["y"]
        f, g = hl.Func("f"), hl.Func("g")
        f[x, y] = x + y
        f[x, y] += 1
        g[x, y] = f[x, y]
        f.compute_root()
        try:
            exec(schedule, {**names, "u": f.update(), "T": hl.TailStrategy})
            made.append(np.array(g.realize([21, 3])).tolist())
        except hl.HalideError:
            made.append("refused")
    assert made[0] == made[1]


def test_updates_read_nothing_for_points_that_only_shifted_loops_add() -> None:
    """A pure definition whose loop is shifted inwards computes points that nobody asked for; its
    updates don't, so that what they alone read need not be larger."""
    assert _sums_in_a_row(0) == [0, 2, 4, 6, 8]


def test_what_a_shifted_pure_definition_reads_is_needed_for_those_points_too() -> None:
    with pytest.raises(compiler.HalideError, match="accessed at -3, which is before the min"):
        _sums_in_a_row(1)


def _sums_in_a_row(read_by_pure: int) -> list[int]:
    x, inner = compiler.vars("x inner")
    image = compiler.Buffer(np.arange(5, dtype=np.int32))
    f, g = compiler.Func("f"), compiler.Func("g")
    f[x] = image[x] if read_by_pure else 0
    f[x] += image[x]
    g[x] = f[x] * 2
    f.compute_at(g, x).split(x, x, inner, 4)
    f.update().unscheduled()
    return [int(v) for v in np.array(g.realize([5]))]


SPLITS = [
    "f.split(x, xo, xi, 8, T.{}).split(xi, yo, yi, 4)",
    "f.split(x, xo, xi, 8, T.{}).vectorize(xi, 4)",
    "f.split(x, xo, xi, 8, T.{}).unroll(xi, 4)",
    "f.split(x, xo, xi, 8, T.{}).rename(xi, t).split(t, yo, yi, 4)",
    "f.split(x, xo, xi, 8, T.{}).split(xo, yo, yi, 2)",
    "f.split(x, xo, xi, 8, T.{}).fuse(xi, y, t).split(t, yo, yi, 4)",
    "f.split(x, xo, xi, 8).split(xi, yo, yi, 4, T.{})",
    "f.split(x, xo, xi, 8).fuse(xi, y, t).split(t, yo, yi, 4, T.{})",
    "f.split(x, xo, xi, 8).split(xo, yo, yi, 2, T.{})",
    "f.tile(x, y, xo, yo, xi, yi, 8, 4, T.{}).vectorize(xi, 4)",
]


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("tail", ["Predicate", "PredicateLoads", "PredicateStores"])
def test_splits_inside_of_predicated_ones_are_taken_where_halide_takes_them(
    split: str, tail: str
) -> None:
    text = split.format(tail) + "\nf.realize([16, 8])"
    both.assert_same(text)
