"""The interpreter gives what the definitions say; numpy says it independently."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hl
from compiler.interp import Effort, TooMuch, interpret

IMAGE = np.random.default_rng(1).integers(0, 256, (9, 11), dtype=np.uint8)
X, Y = hl.vars("x y")


def image() -> hl.ImageParam:
    made = hl.ImageParam(hl.UInt(8), 2, "image")
    made.set(hl.Buffer(IMAGE))
    return made


def test_a_pure_stage_is_its_expression_at_each_point() -> None:
    a, f = image(), hl.Func("f")
    f[X, Y] = hl.i32(a[X, Y]) - 2 * a[X + 1, Y] / 3
    wide = IMAGE.astype(np.int32)
    # `2 * u8` wraps in bytes, as Halide has it.
    doubled = IMAGE * np.uint8(2)
    expected = wide[:, :-1] - (doubled[:, 1:] // 3).astype(np.int32)
    np.testing.assert_array_equal(interpret(f, [(0, 10), (0, 9)])[0].T, expected)


def test_a_histogram_counts() -> None:
    a, f = image(), hl.Func("f")
    r = hl.RDom(a)
    f[X] = 0
    f[hl.i32(a[r.x, r.y])] += 1
    expected = np.bincount(IMAGE.ravel(), minlength=256)
    np.testing.assert_array_equal(interpret(f, [(0, 256)])[0], expected)


def test_a_scan_runs_in_order() -> None:
    a, f = image(), hl.Func("f")
    r = hl.RDom([(1, 10)])
    f[X, Y] = hl.u32(a[X, Y])
    f[r, Y] = f[r, Y] + f[r - 1, Y]
    expected = np.cumsum(IMAGE, axis=1, dtype=np.uint32)
    np.testing.assert_array_equal(interpret(f, [(0, 11), (0, 9)])[0].T, expected)
    np.testing.assert_array_equal(np.array(f.realize([11, 9])), expected)


def test_a_run_takes_no_more_than_it_may() -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 100)])
    f[X] = 0
    f[99 - r] += hl.i32(r)
    assert interpret(f, [(0, 100)], effort=Effort(points=100, steps=100))[0].tolist()[0] == 99
    for effort in (Effort(points=99), Effort(steps=99)):
        with pytest.raises(TooMuch):
            interpret(f, [(0, 100)], effort=effort)


def test_untouched_points_keep_what_was_there() -> None:
    a, f = image(), hl.Func("f")
    f[X, Y] = hl.undef(hl.UInt(8))
    f[X, Y] = hl.select(a[X, Y] > 100, a[X, Y], hl.undef(hl.UInt(8)))
    before = np.full((9, 11), 7, np.uint8)
    expected = np.where(IMAGE > 100, IMAGE, 7)
    given = interpret(f, [(0, 11), (0, 9)], [before.T])[0].T
    np.testing.assert_array_equal(given, expected)
    f.realize(hl.Buffer(before))
    np.testing.assert_array_equal(before, expected)


def test_several_values_are_updated_together() -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 5)])
    f[X] = (hl.i32(X), hl.i32(1))
    f[X] = (f[X][1] + r, f[X][0])
    first, second = interpret(f, [(0, 4)])
    a, b = np.arange(4), np.ones(4, int)
    for step in range(5):
        a, b = b + step, a
    np.testing.assert_array_equal(first, a)
    np.testing.assert_array_equal(second, b)
    compiled = f.realize([4])
    np.testing.assert_array_equal(np.array(compiled[0]), a)
    np.testing.assert_array_equal(np.array(compiled[1]), b)


def test_a_read_outside_an_image_is_an_error() -> None:
    a, f = image(), hl.Func("f")
    f[X] = a[X + 1, 0]
    with pytest.raises(hl.HalideError, match="from 1 to 11 in dimension 0"):
        interpret(f, [(0, 11)])


@pytest.mark.slow
def test_a_long_chain_of_stencils_is_evaluated_once_a_stage() -> None:
    a = image()
    stage = hl.BoundaryConditions.repeat_edge(a)
    for i in range(12):
        f = hl.Func(f"s{i}")
        f[X, Y] = hl.u8((hl.u16(stage[X - 1, Y]) + stage[X, Y - 1] + stage[X + 1, Y + 1]) / 3)
        stage = f
    given = interpret(stage, [(0, 11), (0, 9)])[0].T
    np.testing.assert_array_equal(given, np.array(stage.realize([11, 9])))


def test_only_the_points_that_are_read_must_exist() -> None:
    a, f, g = image(), hl.Func("f"), hl.Func("g")
    f[X, Y] = a[X, Y]
    g[X] = f[X, 8 - X]
    np.testing.assert_array_equal(interpret(g, [(0, 9)])[0], [IMAGE[8 - i, i] for i in range(9)])


def test_a_point_outside_of_an_image_is_reported() -> None:
    a, f = image(), hl.Func("f")
    f[X, Y] = a[X + 1, Y]
    with pytest.raises(hl.HalideError, match="covers only"):
        interpret(f, [(0, 11), (0, 9)])


def test_tuples_predicates_and_inline_reductions() -> None:
    a, f, g = image(), hl.Func("f"), hl.Func("g")
    r = hl.RDom([(0, 11)], "r")
    r.where(r.x < 7)
    f[Y] = hl.argmax(hl.i32(a[r, Y]))
    index, value = interpret(f, [(0, 9)])
    np.testing.assert_array_equal(index, IMAGE[:, :7].argmax(1))
    np.testing.assert_array_equal(value, IMAGE[:, :7].max(1))
    g[Y] = hl.sum(hl.u32(a[r, Y]))
    np.testing.assert_array_equal(interpret(g, [(0, 9)])[0], IMAGE[:, :7].sum(1))


def test_functions_and_small_floats_are_evaluated_as_machine_code_does() -> None:
    f = hl.Func("f")
    x = hl.f32(X) / 7.0
    f[X] = (hl.exp(x), hl.pow(x, 1.5), hl.sin(x), hl.erf(x), hl.f32(hl.cast(hl.BFloat(16), x)),
            hl.f32(hl.cast(hl.Float(16), x) * 3), hl.lerp(hl.u8(X), hl.u8(200), 0.3),
            hl.rounding_halving_add(hl.i8(X), hl.i8(-3)), hl.random_float())  # fmt: skip
    theirs = [np.array(b) for b in f.realize([100])]
    for given, wanted in zip(interpret(f, [(0, 100)]), theirs, strict=True):
        np.testing.assert_array_equal(given, wanted)
