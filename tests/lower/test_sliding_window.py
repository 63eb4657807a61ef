"""What an earlier step computed is kept, not computed again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler

from .staged import SIZES, check, expected, lowered_text, outcomes, statement

SLIDING = [
    "g.compute_root(); f.store_root().compute_at(g, y)",
    "g.compute_root(); f.store_root().compute_at(g, y); e.store_root().compute_at(g, y)",
    "g.compute_root(); f.store_root().compute_at(g, x); e.store_root().compute_at(g, y)",
    "for s in (e, f, g): s.store_root().compute_at(h, y)",
    "g.store_root().compute_at(h, y); f.store_root().compute_at(h, y); e.compute_at(h, y)",
    "h.split(y, yo, yi, 8)\nfor s in (f, g): s.store_at(h, yo).compute_at(h, yi)",
    "h.split(y, yo, yi, 8, T.GuardWithIf)\nfor s in (f, g): s.store_at(h, yo).compute_at(h, yi)",
    "h.split(y, yo, yi, 8, T.RoundUp)\nfor s in (f, g): s.store_at(h, yo).compute_at(h, yi)",
    "h.reorder(y, x); g.store_root().compute_at(h, x); f.store_root().compute_at(h, x)",
    "g.store_root().compute_at(h, x); f.compute_at(h, x)",
    "g.compute_at(h, y); f.store_root().compute_at(g, y)",
    "h.unroll(y, 2); g.store_root().compute_at(h, y); f.compute_at(g, y)",
    "h.split(y, yo, yi, 4).unroll(yi); g.store_at(h, yo).compute_at(h, yi)",
    "g.store_root().compute_at(h, y).split(y, yo, yi, 2)",
    "g.store_root().compute_at(h, y).split(y, yo, yi, 2, T.RoundUp)",
    "g.store_root().compute_at(h, y).split(y, yo, yi, 2, T.GuardWithIf).vectorize(x, 8)",
]


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("schedule", SLIDING)
def test_a_sliding_window_changes_no_value(schedule: str) -> None:
    check(schedule)


def test_windows_slide_in_two_dimensions_at_once() -> None:
    """The real Halide 21 gives a wrong first row here; numpy is the judge."""
    schedule = "h.reorder(y, x); g.store_root().compute_at(h, y); f.store_at(h, x).compute_at(h, y)"
    for size, made in zip(SIZES, outcomes(compiler, schedule), strict=True):
        np.testing.assert_array_equal(made, expected(size), str(size))


def test_a_step_computes_the_new_row_alone() -> None:
    text = statement("g.compute_root(); f.store_root().compute_at(g, y)", "bind")
    (loop,) = (line for line in text.splitlines() if "for f.s0.y in" in line)
    assert "select(g.s0.y < " in loop and ", 3, 1)" in loop


def test_a_stage_that_is_stored_inside_of_the_loop_computes_all_again() -> None:
    text = statement("g.compute_root(); f.compute_at(g, y)", "bind")
    (loop,) = (line for line in text.splitlines() if "for f.s0.y in" in line)
    assert "select" not in loop


def test_a_scan_along_the_loop_is_not_cut() -> None:
    x, y = compiler.vars("x y")
    r = compiler.RDom([(1, 9)])
    f, g = compiler.Func("f"), compiler.Func("g")
    f[x, y] = x + y
    f[x, r] = f[x, r - 1] + f[x, r]
    g[x, y] = f[x, y] + f[x, y + 1]
    f.store_root().compute_at(g, y)
    column = 2 + np.arange(11)
    column[1:10] = np.cumsum(column)[1:10]
    made = np.array(g.realize([5, 10]))
    np.testing.assert_array_equal(made[:, 2], column[:10] + column[1:])


@pytest.mark.parametrize("levels", [("x", "y"), ("y", None), ("x", None)])
def test_an_update_that_may_write_anywhere_runs_again_only_on_cleared_values(
    levels: tuple[str, str | None],
) -> None:
    """Nothing that the loops move over changes what is needed of the table: that no part of it is
    left to compute doesn't keep its update from adding a second time."""
    x, y, i = compiler.vars("x y i")
    r = compiler.RDom([(0, 7)])
    table, g = compiler.Func("table"), compiler.Func("g")
    table[i] = 0
    table[compiler.clamp(r.x, 0, 4)] += 1
    g[x, y] = table[compiler.clamp(x, 0, 4)] + 10 * y
    g.bound(x, 0, 6)
    at, stored = levels
    table.compute_at(g, compiler.Var(at))
    if stored is None:
        table.store_root()
    else:
        table.store_at(g, compiler.Var(stored))
    made = np.array(g.realize([6, 5]))
    counts = np.array([1, 1, 1, 1, 3, 3])
    np.testing.assert_array_equal(made, counts + 10 * np.arange(5)[:, None])


def test_a_stage_that_a_loop_does_not_change_is_computed_in_its_first_step() -> None:
    x, y, i = compiler.vars("x y i")
    calls, g = compiler.Func("calls"), compiler.Func("g")
    calls[i] = i * 3
    g[x, y] = calls[x & 7] + y
    calls.store_root().compute_at(g, y)
    made = np.array(g.realize([9, 4]))
    np.testing.assert_array_equal(made, 3 * (np.arange(9) % 8) + np.arange(4)[:, None])


@pytest.mark.slow
def test_a_window_inside_of_the_tiles_of_what_another_window_left_covers_those_tiles() -> None:
    """b is computed in tiles of what c's window left for it, and a inside of these tiles: their
    places count from the beginning of what is left, not of all that c needs."""
    x, y, xo, xi, yo, yi, t = compiler.vars("x y xo xi yo yi t")
    image = np.random.default_rng(1).integers(0, 256, (20, 60)).astype(np.uint8)
    padded = compiler.BoundaryConditions.repeat_edge(compiler.Buffer(image))

    def made(is_scheduled: bool) -> np.ndarray:
        a, b, c, d = (compiler.Func(name) for name in "abcd")
        a[x, y] = compiler.u16(padded[x, y])
        b[x, y] = a[x + 1, y - 3] - a[x - 3, y + 2]
        c[x, y] = b[x - 1, y] + b[x - 1, y + 1] * 3 + b[x + 1, y - 1]
        d[x, y] = c[x - 2, y] + c[x + 2, y] * 2 + c[x, y]
        if is_scheduled:
            d.split(y, yo, yi, 3, compiler.TailStrategy.ShiftInwards)
            c.compute_at(d, x).store_root().split(x, xo, xi, 3, compiler.TailStrategy.Predicate)
            c.reorder(xi, y, xo).fuse(y, xo, t).vectorize(xi)
            b.compute_at(d, x).split(x, xo, xi, 2).split(y, yo, yi, 8).reorder(xi, yi, yo, xo)
            a.store_root().compute_at(b, yi).parallel(y)
        return np.array(d.realize([40, 3]))

    np.testing.assert_array_equal(made(True), made(False))


@pytest.mark.slow
def test_loops_shifted_inwards_in_what_a_window_left_stay_in_the_memory_of_the_whole() -> None:
    """A step of f3's window leaves f2 fewer points than its two splits are long: shifted inwards by
    the end of those, they began 8 before the first point that there was memory for, and crashed."""

    def made(hl: Any, is_scheduled: bool = True) -> Any:
        x, y, xo, xi, yo, yi = (hl.Var(n) for n in ("x", "y", "xo", "xi", "yo", "yi"))
        f2, f3, f4, f7, f8 = (hl.Func(n) for n in ("f2", "f3", "f4", "f7", "f8"))
        f2[x, y] = hl.u8(x * 7 + y * 3)
        f3[x, y] = hl.i32(f2[x + 1, y - 1]) % 5
        r3 = hl.RDom([(-1, 2), (-2, 4)])
        f3[x, y] += hl.i32(f2[x + r3.x, y + r3.y - 3])
        r4 = hl.RDom([(-2, 4), (-2, 2)])
        f4[x, y] = hl.minimum(f3[x + r4.x, y + r4.y])
        r7 = hl.RDom([(0, 4)])
        f7[x, y] = hl.minimum(f4[x + r7.x, y])
        f8[x, y] = f7[x - 1, y] * 3 + f7[x, y] * 2 + f7[x + 1, y] * 3
        if is_scheduled:
            f8.split(y, yo, yi, 16)
            f7.compute_at(f8, yi).split(y, yo, yi, 3, hl.TailStrategy.RoundUp)
            f4.compute_at(f7, yo).split(x, xo, xi, 4, hl.TailStrategy.RoundUp)
            f4.split(y, yo, yi, 8, hl.TailStrategy.GuardWithIf)
            f3.compute_at(f4, xo).store_at(f4, yi).update(0).split(y, yo, yi, 16)
            f2.compute_at(f4, xo).store_at(f4, yo).split(x, xo, xi, 8)
            f2.vectorize(xo, 2, hl.TailStrategy.ShiftInwards).reorder_storage(y, x)
        return f8

    same = [np.array(made(compiler, how).realize([67, 19])).tolist() for how in (True, False)]
    assert same[0] == same[1]
    store = next(
        x for x in lowered_text(made(compiler), "storage_layout").splitlines() if " f2(" in x
    )
    assert "select(f4.s0.x.xo" not in store
