"""The interpreter gives what the definitions say; numpy says it independently."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hl
from compiler.interp import interpret

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
